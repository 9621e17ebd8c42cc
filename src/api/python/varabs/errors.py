"""What goes wrong, as exceptions."""

from __future__ import annotations

import difflib
import os
import re
from typing import Any, Iterable, Optional

_MESSAGE = re.compile(r"(?P<file>.+?):(?:(?P<line>\d+):(?P<column>\d+):)? error: (?P<message>.*)")


class Error(Exception):
    """A run without a result.

    `messages` has all that was said, a line each. The first error among it is in `message`, with its place in `file`,
    `line` and `column`, both from 1; these are None where the error has no place.
    """

    def __init__(self, messages: str) -> None:
        super().__init__(messages.strip() or "varabs: there was no memory")
        self.messages = messages
        found: dict[str, Any] = {}
        for text in str(self).splitlines():
            match = _MESSAGE.match(text)
            if match:
                found = match.groupdict()
                break
        self.message: str = found.get("message") or str(self)
        self.file: Optional[str] = found.get("file") if found.get("file") != "varabs" else None
        self.line: Optional[int] = int(found["line"]) if found.get("line") else None
        self.column: Optional[int] = int(found["column"]) if found.get("column") else None


class UsageError(Error):
    """An argument is wrong."""


class InvalidError(Error):
    """The model or a query cannot be read or is not valid."""


class MissingFileError(InvalidError, FileNotFoundError):
    """There is no such file."""


class UnsupportedError(Error):
    """The model is valid, but has what is not supported: clocks and the like."""


class LimitError(Error):
    """A limit or a signal ended the run before there was a result, or there was no memory."""


class DefectError(Error):
    """The run broke down by a mistake in varabs."""


#: By the statuses of varabs.h.
_KINDS = {2: UsageError, 3: InvalidError, 4: UnsupportedError, 5: LimitError, 6: DefectError}


def is_error(status: int) -> bool:
    return status in _KINDS


def of_status(status: int, messages: str) -> Error:
    """The exception for a run that ended with the status and left no result."""
    error = _KINDS[status](messages)
    is_missing = (status == 3 and error.file and error.line is None and
                  error.message.startswith("cannot read the file") and not os.path.exists(error.file))
    return MissingFileError(messages) if is_missing else error


def near(word: object, words: Iterable[str]) -> str:
    """What to say of a misspelt word: the nearest one, or all of them."""
    known = list(words)
    found = difflib.get_close_matches(str(word), known, 1)
    return f"did you mean {found[0]!r}?" if found else f"there are {', '.join(known)}"
