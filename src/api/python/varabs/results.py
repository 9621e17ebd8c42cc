"""What comes of the questions: JSON with names, and tables."""

from __future__ import annotations

import base64
import html
import json
import os
import pathlib
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Sequence, Union

from ._library import Job
from .errors import LimitError
from .traces import Trace

if TYPE_CHECKING:
    from .model import Model

__all__ = ["Abstraction", "Agents", "Answer", "Certification", "Check", "Decision", "Drawing", "Export", "Grid", "Info",
           "Page", "Refinement", "Result", "Suggestion"]

Row = Sequence[object]


def of_text(data: Optional[bytes]) -> str:
    """Of bytes that a run left."""
    if data is None:
        raise LimitError("varabs: error: the run left nothing")
    return data.decode()


def _words(value: object, absent: str = "unknown") -> str:
    if value is None:
        return absent
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _html_table(head: Row, rows: Sequence[Row], absent: str) -> str:
    def line(cells: Row, tag: str) -> str:
        return "<tr>" + "".join(f"<{tag} style='text-align:left'>{html.escape(_words(cell, absent))}</{tag}>"
                                for cell in cells) + "</tr>"
    return "<table>" + line(head, "th") + "".join(line(row, "td") for row in rows) + "</table>"


def _text_table(head: Row, rows: Sequence[Row], absent: str) -> str:
    lines = [[_words(cell, absent) for cell in row] for row in (head, *rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip()
                     for line in lines)


class Page:
    """A result as an HTML page, which needs nothing from elsewhere."""

    def __init__(self, text: str) -> None:
        self.html = text

    def write(self, path: Union[str, os.PathLike[str]]) -> None:
        pathlib.Path(path).write_text(self.html, encoding="utf-8")

    def _repr_html_(self) -> str:
        return ("<iframe style='width:100%;height:40em;border:1px solid #ccc' "
                f"srcdoc=\"{html.escape(self.html)}\"></iframe>")


class Export(NamedTuple):
    """A model for Spin."""

    model: str
    code: Optional[str]    #: of the file that it includes; None if it has all of it


class Result:
    """The JSON of a run, as `json` (see schemas/), and its warnings, as `messages`; `page` is there
    if it was asked for by `set(page=True)`."""

    _absent = "unknown"  # what stands for None in tables

    def __init__(self, *jobs: Job) -> None:
        text = jobs[0].json()
        if text is None:
            raise LimitError("varabs: error: the run left nothing")
        self.json: dict[str, Any] = json.loads(text)
        self.messages = "".join(job.messages() for job in jobs)
        page = jobs[0].part("page")
        self.page: Optional[Page] = None if page is None else Page(page.decode())

    def summary(self) -> str:
        """In a line."""
        raise NotImplementedError

    def table(self) -> tuple[Row, list[Row]]:
        """The head and the rows of the table that it shows itself as."""
        raise NotImplementedError

    def rows(self) -> list[dict[str, object]]:
        """The table as a dict for each row."""
        head, rows = self.table()
        return [dict(zip(map(str, head), row)) for row in rows]

    def to_dataframe(self) -> Any:
        """The table as a data frame of pandas, or as `rows` where pandas is not installed."""
        try:
            import pandas
        except ImportError:
            return self.rows()
        return pandas.DataFrame(self.rows(), columns=[str(name) for name in self.table()[0]])

    def __str__(self) -> str:
        head, rows = self.table()
        return self.summary() + ("\n\n" + _text_table(head, rows, self._absent) if rows else "")

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.summary()}>"

    def _repr_html_(self) -> str:
        head, rows = self.table()
        warnings = f"<pre>{html.escape(self.messages)}</pre>" if self.messages else ""
        return (f"<p>{html.escape(self.summary())}</p>" +
                (_html_table(head, rows, self._absent) if rows else "") + warnings)


class Drawing:
    """An SVG file."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def write(self, path: Union[str, os.PathLike[str]]) -> None:
        pathlib.Path(path).write_text(self.svg, encoding="utf-8")

    def _repr_html_(self) -> str:
        """As an image: what exports notebooks to HTML refuses the XML declaration of an SVG file."""
        data = base64.b64encode(self.svg.encode()).decode()
        return f"<img alt='drawing' style='max-width:100%' src='data:image/svg+xml;base64,{data}'/>"


class _Conditional(Result):
    """What is so if the model that was read has no runtime errors, at which Uppaal would stop."""

    @property
    def condition(self) -> str:
        """What is known of that: "cannot fail", "met", "broken" or "open"; more is in `json`."""
        return str(self.json["condition"]["no_runtime_errors"])

    def _warning(self) -> str:
        return {"open": ", if the original has no runtime errors",
                "broken": ", but the original has runtime errors"}.get(self.condition, "")


class Abstraction(_Conditional):
    """A model from which variables were removed, as `model`, and what carries over from it."""

    def __init__(self, job: Job, original: Model, model: Model) -> None:
        super().__init__(job)
        self.xml: bytes = job.output() or b""
        self.is_exact = job.is_exact()
        self.original = original
        self.model = model

    @property
    def guarantees(self) -> list[dict[str, Any]]:
        """For each query, which verdicts carry over, and why (schemas/report.schema.json)."""
        return list(self.json["guarantees"])

    def write(self, path: Union[str, os.PathLike[str]]) -> None:
        """The model to a file."""
        pathlib.Path(path).write_bytes(self.xml)

    def draw(self, template: Optional[str] = None) -> Drawing:
        """What changed."""
        return self.original.draw(after=self.model, template=template)

    def certify(self) -> Certification:
        """Sees, by exploring both models, that it is the abstraction that it says it is."""
        relation = "exact" if self.is_exact else "must" if self.json["mode"] == "must" else "may"
        return self.original.certify(self.model, relation)

    def summary(self) -> str:
        exact = "exact" if self.is_exact else "not exact"
        return f"{self.json['mode']}-abstraction, {exact}{self._warning()}"

    def table(self) -> tuple[Row, list[Row]]:
        head = ("query", "satisfied carries over", "violated carries over", "why")
        return head, [(query.get("formula"), query["uppaal"]["satisfied"],
                       query["uppaal"]["violated"], query.get("reason", ""))
                      for query in self.guarantees]


class Answer(NamedTuple):
    """What became of a query."""

    formula: str
    verdict: str             #: "satisfied", "violated" or "unknown"
    json: dict[str, Any]     #: all that is known, a trace among it

    @property
    def holds(self) -> Optional[bool]:
        return {"satisfied": True, "violated": False}.get(self.verdict)

    @property
    def trace(self) -> Optional[Trace]:
        """The run that answers the query, if there is one."""
        return Trace.of_json(self.json.get("trace"))


class _Answered(Result):
    def __init__(self, *jobs: Job) -> None:
        super().__init__(*jobs)
        self.answers = [Answer(query["formula"], query["verdict"], query)
                        for query in self.json["queries"]]

    @property
    def holds(self) -> Optional[bool]:
        """Whether all queries are satisfied; None if that is not known."""
        verdicts = [answer.holds for answer in self.answers]
        if False in verdicts:
            return False
        return None if None in verdicts else True

    def _counts(self) -> str:
        words = ("satisfied", "violated")
        counts = {word: sum(answer.verdict == word for answer in self.answers) for word in words}
        others = len(self.answers) - sum(counts.values())
        known = ", ".join(f"{count} {word}" for word, count in counts.items() if count)
        return ", ".join(filter(None, (known, f"{others} unknown" if others else "")))


class Check(_Answered):
    """Verdicts on queries, and the size of the state space.

    `charts` and `run_models` are by query, None where there is no run: message sequence charts with
    `set(charts=True)`, and models in which only that run is possible with `set(run_models=True)`.
    """

    def __init__(self, *jobs: Job) -> None:
        super().__init__(*jobs)
        numbers = range(len(self.answers))
        charts = [jobs[0].part("chart", number) for number in numbers]
        self.charts = [None if chart is None else Drawing(chart.decode()) for chart in charts]
        self.run_models = [jobs[0].part("run_model", number) for number in numbers]

    @property
    def states(self) -> Optional[int]:
        """Explored; None if they are too many to be counted."""
        text = self.json["states_text"]
        return int(text) if text is not None else None

    @property
    def is_complete(self) -> bool:
        """Whether everything was explored."""
        return bool(self.json["is_complete"])

    def summary(self) -> str:
        more = "" if self.is_complete else ", not all explored"
        return ", ".join(filter(None, (f"{_words(self.states)} states{more}", self._counts())))

    def table(self) -> tuple[Row, list[Row]]:
        return ("query", "verdict"), [(answer.formula, answer.verdict) for answer in self.answers]


class Decision(_Answered, _Conditional):
    """Verdicts on queries, by abstractions."""

    def summary(self) -> str:
        return self._counts() + self._warning()

    def table(self) -> tuple[Row, list[Row]]:
        rows: list[Row] = []
        for answer in self.answers:
            by = answer.json.get("decided_by") or {}
            rows.append((answer.formula, answer.verdict, ", ".join(by.get("remove") or []) or "-",
                         len(answer.json["rounds"])))
        return ("query", "verdict", "decided without", "rounds"), rows


class Suggestion(_Conditional):
    """Which variables could be removed."""

    def __init__(self, job: Job, model: Model) -> None:
        super().__init__(job)
        self._model = model

    @property
    def exact(self) -> list[str]:
        """What can be removed, all together, such that every verdict carries over."""
        return [entry["remove"] for entry in self.json["exact"]]

    @property
    def shown(self) -> list[str]:
        """What else can be removed, one after the other, as an exploration has shown: `auto` removes it."""
        return [entry["remove"] for entry in self.json["shown"]]

    @property
    def others(self) -> list[str]:
        """What could be removed, each alone, at a price."""
        return [entry["remove"] for entry in self.json["lossy"]]

    def apply(self) -> Model:
        """The model with all exact removals chosen."""
        return self._model.remove(*self.exact)

    def summary(self) -> str:
        besides = f", {len(self.shown)} more shown by exploration" if self.shown else ""
        return (f"{len(self.exact)} removals are exact together{besides}, "
                f"{len(self.others)} others are not")

    def table(self) -> tuple[Row, list[Row]]:
        return ("remove", "exact", "why not"), [
            (entry["remove"], is_exact, entry.get("reason") or "")
            for is_exact, key in ((True, "exact"), (True, "shown"), (False, "lossy"))
            for entry in self.json[key]]


class Grid(Result):
    """Abstractions side by side, after the original: `json["rows"]`; `csv` and `latex` are the table in these forms."""

    _absent = "-"

    def __init__(self, job: Job) -> None:
        super().__init__(job)
        self.csv = of_text(job.part("csv"))
        self.latex = of_text(job.part("latex"))

    @property
    def is_complete(self) -> bool:
        """Whether no limit ended a row."""
        return all(row["problem"] is None for row in self.json["rows"])

    def summary(self) -> str:
        more = "" if self.is_complete else ", not all rows are complete"
        return f"{len(self.json['rows']) - 1} abstractions and the original{more}"

    def table(self) -> tuple[Row, list[Row]]:
        """A row for each model; after each query stands whether its verdict carries over."""
        head: list[object] = ["abstraction", "kind", "exact", "states", "transitions", "seconds", "problem"]
        for query in self.json["queries"]:
            head += [query, f"{query} carries over"]
        return head, [self._row(row) for row in self.json["rows"]]

    @staticmethod
    def _row(row: dict[str, Any]) -> Row:
        texts = (row["states_text"], row["transitions_text"])
        states, transitions = (None if text is None else int(text) for text in texts)
        seconds = row["explore_seconds"]
        if seconds is not None:
            seconds += row["abstract_seconds"] or 0
        cells: list[object] = [row["name"], row["mode"] or "original", row["exact"], states, transitions, seconds,
                               row["problem"]]
        for entry in row["queries"]:
            cells += [entry.get("value", entry["verdict"]), entry.get("carries_over")]
        return cells


class Certification(Result):
    """Whether a model is an abstraction of another; `holds` is None if that is not known."""

    @property
    def holds(self) -> Optional[bool]:
        holds = self.json["holds"]
        return None if holds is None else bool(holds)

    def summary(self) -> str:
        return f"{self.json['mode']}-abstraction: {_words(self.holds)}"

    def table(self) -> tuple[Row, list[Row]]:
        keys = ("states", "transitions", "deadlocks", "errors")
        return ("model", *keys), [(side, *(self.json[side][key] for key in keys))
                                  for side in ("concrete", "abstract")]


class Refinement(Result):
    """Whether a model does what another one does; `holds` is None if that is not known."""

    @property
    def holds(self) -> Optional[bool]:
        holds = self.json["refines"]
        return None if holds is None else bool(holds)

    def summary(self) -> str:
        return f"refines: {_words(self.holds)}"

    def table(self) -> tuple[Row, list[Row]]:
        return ("refines",), [(self.holds,)]


class Info(Result):
    """Templates and variables of a model."""

    def summary(self) -> str:
        return f"{len(self.json['templates'])} templates, {len(self.json['variables'])} variables"

    def table(self) -> tuple[Row, list[Row]]:
        return ("variable", "type", "removal", "why"), [
            (entry["name"], entry["type"], entry["removal"], entry.get("because") or "")
            for entry in self.json["variables"]]


class Agents(Result):
    """What agents observe."""

    def summary(self) -> str:
        return f"{len(self.json['agents'])} agents"

    def table(self) -> tuple[Row, list[Row]]:
        return ("agent", "observes"), [(entry["agent"], ", ".join(entry["items"]))
                                       for entry in self.json["agents"]]
