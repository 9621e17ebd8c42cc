"""libvarabs by ctypes: jobs and their runs (see varabs.h)."""

from __future__ import annotations

import contextlib
import ctypes
import os
import pathlib
import signal
import threading
from typing import Any, Callable, Iterator, NamedTuple, NoReturn, Optional

from .errors import LimitError, UsageError, is_error, of_status

class Figures(NamedTuple):
    """What a run is at; 0 where that is not known."""

    stage: str      #: in a few words
    states: int     #: explored so far
    queue: int      #: of these, not yet expanded
    nodes: int      #: of sets of states, where there are no single ones
    bytes: int      #: that these need
    seconds: float  #: since the run began


#: Called some times a second during a run; True ends it.
Progress = Callable[[Figures], Optional[bool]]


class _Figures(ctypes.Structure):
    _fields_ = [("stage", ctypes.c_char_p), ("states", ctypes.c_ulonglong),
                ("queue", ctypes.c_ulonglong), ("nodes", ctypes.c_ulonglong),
                ("bytes", ctypes.c_ulonglong), ("seconds", ctypes.c_double)]


_PROGRESS = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(_Figures))

# enum varabs_setting
SETTINGS = {name: number for number, name in enumerate(
    ("stutter", "drop_priorities", "comments", "combined", "budget", "semantics", "engine", "full",
     "traces", "tries", "jobs", "observe", "failures", "measure", "auto", "no_look", "agents",
     "page", "charts", "run_models", "explore", "untime", "symmetry", "tikz",
     "assume_live", "inexact"), 1)}

# enum varabs_fairness
FAIRNESS = ("weak", "strong", "abstract_weak", "abstract_strong")

_JOB, _TEXT, _INT = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int
_SIZE = ctypes.POINTER(ctypes.c_size_t)
# Runs that only take jobs need no entry.
_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "version": (_TEXT, []),
    "open": (_JOB, [_TEXT]),
    "open_bytes": (_JOB, [_TEXT, _TEXT, ctypes.c_size_t]),
    "open_made": (_JOB, [_TEXT, _TEXT, ctypes.c_size_t, _TEXT]),
    "close": (None, [_JOB]),
    "remove": (None, [_JOB, _TEXT]),
    "merge": (None, [_JOB, _TEXT]),
    "spec": (None, [_JOB, _TEXT]),
    "query": (None, [_JOB, _TEXT]),
    "queries": (None, [_JOB, _TEXT]),
    "ignore": (None, [_JOB, _TEXT]),
    "visible": (None, [_JOB, _TEXT]),
    "hide": (None, [_JOB, _TEXT]),
    "actions": (None, [_JOB, _TEXT]),
    "checked": (None, [_JOB, _TEXT]),
    "favour": (None, [_JOB, _TEXT]),
    "without": (None, [_JOB, _TEXT]),
    "report": (None, [_JOB, _TEXT]),
    "fair": (_INT, [_JOB, _INT, _TEXT]),
    "set": (_INT, [_JOB, _INT, ctypes.c_longlong]),
    "limit": (None, [_JOB, ctypes.c_ulonglong, ctypes.c_size_t, ctypes.c_double]),
    "on_progress": (None, [_JOB, _PROGRESS, ctypes.c_void_p]),
    "abstract": (_INT, [_JOB, _INT]),
    "certify": (_INT, [_JOB, _JOB, _INT]),
    "grid": (_INT, [_JOB, _INT]),
    "export": (_INT, [_JOB, _TEXT]),
    "draw": (_INT, [_JOB, _JOB, _TEXT]),
    "output": (ctypes.c_void_p, [_JOB, _SIZE]),
    "page": (ctypes.c_void_p, [_JOB, _SIZE]),
    "csv": (ctypes.c_void_p, [_JOB, _SIZE]),
    "latex": (ctypes.c_void_p, [_JOB, _SIZE]),
    "code": (ctypes.c_void_p, [_JOB, _SIZE]),
    "chart": (ctypes.c_void_p, [_JOB, ctypes.c_uint, _SIZE]),
    "run_model": (ctypes.c_void_p, [_JOB, ctypes.c_uint, _SIZE]),
    "json": (_TEXT, [_JOB]),
    "messages": (_TEXT, [_JOB]),
    "is_exact": (_INT, [_JOB]),
}


def _load() -> ctypes.CDLL:
    """VARABS_LIBRARY, or the one in this package or installed with it, or that of the system."""
    name = "libvarabs.so.0"
    here = pathlib.Path(__file__).resolve()
    beside = [str(path) for path in (here.parent / "lib" / name, here.parents[3] / name)
              if path.exists()]
    library = ctypes.CDLL(os.environ.get("VARABS_LIBRARY") or (beside[0] if beside else name))
    for function, (result, arguments) in _FUNCTIONS.items():
        entry = getattr(library, "varabs_" + function)
        entry.restype, entry.argtypes = result, arguments
    return library


_library = _load()


def version() -> str:
    """That of libvarabs."""
    return str(_library.varabs_version().decode())


def encoded(text: str) -> bytes:
    """As the library takes a text or the name of a file."""
    data = os.fsencode(text)
    if b"\0" in data:
        raise UsageError("varabs: error: a text has a NUL in it")
    return data


@contextlib.contextmanager
def _interrupts_collected() -> Iterator[list[int]]:
    """Those of Control-C, which would be lost where a callback begins; they count after."""
    seen: list[int] = []
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield seen
        return
    signal.signal(signal.SIGINT, lambda number, _: seen.append(number))
    try:
        yield seen
    finally:
        signal.signal(signal.SIGINT, before)
    if seen:
        before(seen[0], None)


class Job:
    """Owns a job of the library. Not for several threads at a time."""

    def __init__(self, handle: Optional[int]) -> None:
        if not handle:
            raise LimitError("varabs: error: out of memory")
        self.handle: Optional[int] = handle

    @classmethod
    def of_file(cls, path: str) -> Job:
        return cls(_library.varabs_open(encoded(path)))

    @classmethod
    def of_bytes(cls, name: str, data: bytes) -> Job:
        return cls(_library.varabs_open_bytes(encoded(name), data, len(data)))

    @classmethod
    def of_made(cls, name: str, data: bytes, report: str) -> Job:
        """For a model that a run made, with its report."""
        return cls(_library.varabs_open_made(encoded(name), data, len(data), report.encode()))

    def __reduce__(self) -> NoReturn:
        raise TypeError("a job of varabs is neither copied nor pickled; models and results are")

    def __del__(self, close: Any = _library.varabs_close) -> None:
        if getattr(self, "handle", None):
            close(self.handle)
            self.handle = None

    def add(self, what: str, text: str) -> None:
        if what in FAIRNESS:
            _library.varabs_fair(self.handle, FAIRNESS.index(what), encoded(text))
        else:
            getattr(_library, "varabs_" + what)(self.handle, encoded(text))

    def set(self, name: str, value: int) -> None:
        if _library.varabs_set(self.handle, SETTINGS[name], value):
            raise UsageError(f"varabs: error: {name}: {value} is no value for it")

    def limit(self, states: int, memory: int, seconds: float) -> None:
        if min(states, memory, seconds) < 0 or max(states, memory) >= 1 << 63:
            raise UsageError("varabs: error: a limit is negative or too large")
        _library.varabs_limit(self.handle, states, memory, seconds)

    def run(self, what: str, *arguments: Any, progress: Optional[Progress] = None) -> int:
        """The status, DONE or VIOLATED, or LIMIT or another one with a result; else an Error."""
        raised: list[BaseException] = []
        if progress is not None and not callable(progress):
            raise UsageError(f"varabs: error: progress: {progress!r} is no function; queries are "
                             "given with query(...)")

        def show(_: Any, figures: Any) -> int:
            try:
                now = figures.contents
                shown = Figures(now.stage.decode(errors="replace"), now.states, now.queue,
                                now.nodes, now.bytes, now.seconds)
                return int(bool(interrupts or progress and progress(shown)))
            except BaseException as error:
                raised.append(error)
                return 1

        callback = _PROGRESS(show)
        call = getattr(_library, "varabs_" + what)
        if what not in _FUNCTIONS:
            call.argtypes = [_JOB] * (1 + len(arguments))
        _library.varabs_on_progress(self.handle, callback, None)
        try:
            with _interrupts_collected() as interrupts:
                status = call(self.handle, *arguments)
        finally:
            _library.varabs_on_progress(self.handle, _PROGRESS(0), None)
        if raised:
            raise raised[0]
        if is_error(status) and self.json() is None:
            raise of_status(status, self.messages())
        return int(status)

    def output(self) -> Optional[bytes]:
        return self.part("output")

    def part(self, what: str, *number: int) -> Optional[bytes]:
        """What a run left: "output", "page", "csv", "latex", "code", or of a query "chart" or "run_model"."""
        size = ctypes.c_size_t()
        get = getattr(_library, "varabs_" + what)
        data = get(self.handle, *number, ctypes.byref(size))
        return ctypes.string_at(data, size.value) if data else None

    def json(self) -> Optional[str]:
        text = _library.varabs_json(self.handle)
        return None if text is None else text.decode()

    def messages(self) -> str:
        return str(_library.varabs_messages(self.handle).decode(errors="replace"))

    def is_exact(self) -> bool:
        return bool(_library.varabs_is_exact(self.handle))
