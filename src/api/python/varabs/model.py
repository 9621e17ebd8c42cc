"""Models, and what can be asked of them."""

from __future__ import annotations

import os
from typing import Any, Iterable, Optional, Union

from ._library import SETTINGS, Job, Progress, encoded
from .errors import Error, UsageError, near
from .results import (Abstraction, Agents, Certification, Check, Decision, Drawing, Export, Grid,
                      Info, Refinement, Suggestion, of_text)

Path = Union[str, "os.PathLike[str]"]

_SEMANTICS = ("", "uppaal", "kripke")
_ENGINES = ("auto", "explicit", "symbolic")
_SYMMETRIES = ("off", "auto", "report")
_RELATIONS = ("may", "must", "exact")


def _number(name: str, value: Any) -> int:
    """Of a setting that may be given as a word."""
    words = {"semantics": _SEMANTICS, "engine": _ENGINES, "symmetry": _SYMMETRIES}.get(name)
    if isinstance(value, int):
        return int(value)
    if not words:
        raise UsageError(f"varabs: error: {name}: no value {value!r}; it is a number, or True or False")
    if value not in words:
        raise UsageError(f"varabs: error: {name}: no value {value!r}; {near(value, filter(None, words))}")
    return words.index(value)


class Model:
    """An Uppaal model, with what is to be done with it.

    `remove`, `merge`, `spec`, `query`, `queries`, `ignore`, `visible`, `hide`, `actions`, `checked`,
    `without` and `report` take what the options of these names take, and give a new model; so do `weak`,
    `strong`, `abstract_weak` and `abstract_strong`, one name each. `set` gives one with settings:

    stutter, drop_priorities, comments, combined, full, traces, observe, failures, measure, auto,
    no_look, explore, untime, assume_live, inexact: bool; budget, tries, jobs: int; semantics: "uppaal" or "kripke"; engine: "auto",
    "explicit" or "symbolic"; symmetry: "off", "auto" or "report"; and for what results have besides page, charts, run_models: bool.

    `limit` gives one with limits: states, memory in bytes, seconds; 0 is none of a kind.

    Models and results can be copied and pickled; a model of a file is the name of the file then.

    What is asked takes `progress`, a function that is called with `Figures` some times a second
    and ends the run with True.
    """

    def __init__(self, path: Path) -> None:
        name = os.fspath(path)
        encoded(name)
        self._name = name
        self._content: Optional[bytes] = None  # else it is in the file of that name
        self._made_with: Optional[str] = None  # the report of the run that made it
        self._arguments: tuple[tuple[str, str], ...] = ()
        self._settings: dict[str, int] = {}
        self._limits: tuple[int, int, float] = (0, 0, 0.0)

    @classmethod
    def from_bytes(cls, data: Union[bytes, str], name: str = "model.xml") -> Model:
        """A model in memory; the name is for messages."""
        model = cls(name)
        model._content = data.encode() if isinstance(data, str) else bytes(data)
        return model

    def __repr__(self) -> str:
        return f"Model({self._name!r})" + "".join(f".{what}({text!r})"
                                                  for what, text in self._arguments)

    # ---- what is to be done ----

    def _with(self, **changes: Any) -> Model:
        model = object.__new__(Model)
        model.__dict__.update(self.__dict__, **changes)
        return model

    def _add(self, what: str, texts: tuple[str, ...]) -> Model:
        for text in texts:
            encoded(text)
        added = tuple((what, text) for text in texts)
        return self._with(_arguments=self._arguments + added)

    def remove(self, *variables: str) -> Model:
        """Variables to remove, as for --remove: "Voter.mem_vt", "mem_vt@voted"."""
        return self._add("remove", variables)

    def merge(self, *definitions: str) -> Model:
        """Variables that replace others, as for --merge: "V.has:int[0,1]=mem_vt>0"."""
        return self._add("merge", definitions)

    def without(self, *processes: str) -> Model:
        """Processes to take out, on which nothing depends, as for --without; "*" is all of them."""
        return self._add("without", processes)

    def spec(self, *paths: Path) -> Model:
        """Files with removals and merges (schemas/spec.schema.json)."""
        return self._add("spec", tuple(os.fspath(path) for path in paths))

    def query(self, *queries: str) -> Model:
        """Queries in place of those of the model."""
        return self._add("query", queries)

    def queries(self, *paths: Path) -> Model:
        """All queries of files (.q), after those of `query`."""
        return self._add("queries", tuple(os.fspath(path) for path in paths))

    def ignore(self, *variables: str) -> Model:
        """Variables that `certify` does not compare."""
        return self._add("ignore", variables)

    def visible(self, *names: str) -> Model:
        """Channels and tags that `refines` compares."""
        return self._add("visible", names)

    def hide(self, *names: str) -> Model:
        """Channels and tags that `refines` does not compare after all."""
        return self._add("hide", names)

    def actions(self, path: Path) -> Model:
        """A file of actions for `refines` (schemas/actions.schema.json), in place of `visible`."""
        return self._add("actions", (os.fspath(path),))

    def checked(self, *paths: Path) -> Model:
        """Results of `varabs check --full --json`, for what carries over from an abstraction."""
        return self._add("checked", tuple(os.fspath(path) for path in paths))

    def report(self, path: Path) -> Model:
        """Of an abstract model that was read: what `certify` is told by its report."""
        return self._add("report", (os.fspath(path),))

    def auto(self) -> Model:
        """With all removals that are exact for the queries, in place of `remove`."""
        return self.set(auto=True)

    def weak(self, *names: str) -> Model:
        """Processes, channels or tags to which runs are weakly fair, of `check` and `refines`;
        "move(*)" is each instance of a channel or tag for itself."""
        return self._add("weak", names)

    def strong(self, *names: str) -> Model:
        """The same, strongly fair."""
        return self._add("strong", names)

    def abstract_weak(self, *names: str) -> Model:
        """What fair runs have to be weakly fair to in the other model of `refines`."""
        return self._add("abstract_weak", names)

    def abstract_strong(self, *names: str) -> Model:
        """The same, strongly fair."""
        return self._add("abstract_strong", names)

    def set(self, **settings: Union[bool, int, str]) -> Model:
        """With settings; see the class."""
        unknown = sorted(set(settings) - set(SETTINGS))
        if unknown:
            raise UsageError(f"varabs: error: there is no setting {unknown[0]!r}; {near(unknown[0], SETTINGS)}")
        numbers = {name: _number(name, value) for name, value in settings.items()}
        return self._with(_settings={**self._settings, **numbers})

    def limit(self, states: int = 0, memory: int = 0, seconds: float = 0.0) -> Model:
        """With these limits and no others."""
        if not seconds >= 0:
            raise UsageError(f"varabs: error: seconds: no value {seconds!r}; it is a number from 0 on")
        return self._with(_limits=(states, memory, seconds))

    # ---- questions ----

    def _open(self) -> Job:
        if self._content is None:
            return Job.of_file(self._name)
        if self._made_with is None:
            return Job.of_bytes(self._name, self._content)
        return Job.of_made(self._name, self._content, self._made_with)

    def _job(self) -> Job:
        job = self._open()
        for what, text in self._arguments:
            job.add(what, text)
        for name, value in self._settings.items():
            job.set(name, value)
        job.limit(*self._limits)
        return job

    def _abstract(self, mode: int, progress: Optional[Progress]) -> Abstraction:
        job = self._job()
        job.run("abstract", mode, progress=progress)
        bare = self._with(_arguments=(), _settings={**self._settings, "auto": 0})
        made = Model.from_bytes(job.output() or b"", self._name)
        return Abstraction(job, bare, made._with(_made_with=job.json()))

    def may(self, progress: Optional[Progress] = None) -> Abstraction:
        """The may-abstraction: it has every step of the model."""
        return self._abstract(0, progress)

    def must(self, progress: Optional[Progress] = None) -> Abstraction:
        """The must-abstraction: the model has every step of it."""
        return self._abstract(1, progress)

    def mixed(self, progress: Optional[Progress] = None, favour: Union[str, Iterable[str]] = ()) -> Abstraction:
        """The may-abstraction that says which of its steps are certain: `check` of its model gives
        verdicts of this one, or "unknown". Queries given are written into it. With agents to favour
        it is for them as one coalition, and other tools can check it."""
        names = (favour,) if isinstance(favour, str) else tuple(favour)
        return self._add("favour", names)._abstract(3, progress)

    def check(self, progress: Optional[Progress] = None, original: Optional[Model] = None) -> Check:
        """Explores the model and answers the queries given, or else its own. Runs that answer them
        are looked for in the original, if there is one."""
        job = self._job()
        if original is not None:
            return Check(*_compare(job, original._job(), "concretize", progress=progress))
        job.run("check", progress=progress)
        return Check(job)

    def decide(self, progress: Optional[Progress] = None) -> Decision:
        """Answers the same queries by abstractions, from coarse to fine."""
        job = self._job()
        job.run("decide", progress=progress)
        return Decision(job)

    def suggest(self, progress: Optional[Progress] = None) -> Suggestion:
        """What could be removed such that the queries keep their answers, and what else."""
        job = self._job()
        job.run("suggest", progress=progress)
        return Suggestion(job, self)

    def certify(self, abstract: Model, relation: str = "may",
                progress: Optional[Progress] = None) -> Certification:
        """Whether another model is an abstraction of this one: "may", "must" or "exact"."""
        if relation not in _RELATIONS:
            raise UsageError(f"varabs: error: no relation {relation!r}; {near(relation, _RELATIONS)}")
        job, other = self._job(), abstract._job()
        return Certification(*_compare(job, other, "certify", _RELATIONS.index(relation),
                                       progress=progress))

    def refines(self, abstract: Model, progress: Optional[Progress] = None) -> Refinement:
        """Whether another model does what this one does, seen by actions."""
        return Refinement(*_compare(self._job(), abstract._job(), "refines", progress=progress))

    def grid(self, removals: Iterable[Union[str, Iterable[str]]] = (), must: bool = False, both: bool = False,
             progress: Optional[Progress] = None) -> Grid:
        """Several abstractions of this model in one table, by removals: "mem_vt", or several variables together, as
        "mem_vt,mem_sg" or ["mem_vt", "mem_sg"]. What `remove`, `merge`, `spec` and `auto` say is one each besides.
        They are may-abstractions, or must-abstractions, or both of each. `limit` is for each row.
        """
        if isinstance(removals, str):
            raise UsageError("varabs: error: removals: give a list, of which each entry is an abstraction")
        names = [entry if isinstance(entry, str) else ",".join(entry) for entry in removals]
        job = self.remove(*names)._job()
        job.run("grid", 2 if both else int(must), progress=progress)
        return Grid(job)

    def info(self, progress: Optional[Progress] = None) -> Info:
        """Templates and variables, and whether removing each, alone, would be exact."""
        job = self._with(_settings={**self._settings, "agents": 0})._job()
        job.run("info", progress=progress)
        return Info(job)

    def agents(self) -> Agents:
        """What each agent observes, for queries about knowledge."""
        job = self._with(_settings={**self._settings, "agents": 1})._job()
        job.run("info")
        return Agents(job)

    def export(self, code_name: str = "model.h") -> Export:
        """The model for Spin; code that needs a file of its own is included by the name given."""
        job = self._job()
        job.run("export", encoded(code_name))
        code = job.part("code")
        return Export(of_text(job.output()), None if code is None else code.decode())

    def draw(self, after: Optional[Model] = None, template: Optional[str] = None) -> Drawing:
        """The templates, or what changed in another model; one template only, by name."""
        return Drawing(self._drawn(after, template))

    def tikz(self, after: Optional[Model] = None, template: Optional[str] = None) -> str:
        """The same as a document for LaTeX, with a picture of TikZ for each template."""
        return self.set(tikz=True)._drawn(after, template)

    def _drawn(self, after: Optional[Model], template: Optional[str]) -> str:
        job, other = self._job(), after._job() if after else None
        try:
            job.run("draw", other.handle if other else None,
                    encoded(template) if template is not None else None)
        except Error as error:
            raise _with_messages_of(error, other) from None
        return of_text(job.output())

    def _repr_html_(self) -> str:
        return self.draw()._repr_html_()


def grid(model: Union[Model, Path], removals: Iterable[Union[str, Iterable[str]]] = (), queries: Iterable[str] = (),
         *, auto: bool = False, must: bool = False, both: bool = False, states: int = 0, memory: int = 0,
         seconds: float = 0.0, progress: Optional[Progress] = None) -> Grid:
    """Several abstractions of a model in one table, which `Model.grid` makes: with these queries, if there are any, with
    the one that varabs chooses, if `auto`, and with limits for each row."""
    asked = (model if isinstance(model, Model) else Model(model)).query(*queries)
    if auto:
        asked = asked.auto()
    if states or memory or seconds:
        asked = asked.limit(states, memory, seconds)
    return asked.grid(removals, must, both, progress)


def _with_messages_of(error: Error, other: Optional[Job]) -> Error:
    return type(error)(error.messages + (other.messages() if other else ""))


def _compare(job: Job, other: Job, what: str, *arguments: Any,
             progress: Optional[Progress]) -> tuple[Job, Job]:
    """Errors have the messages about both models."""
    try:
        job.run(what, other.handle, *arguments, progress=progress)
    except Error as error:
        raise _with_messages_of(error, other) from None
    return job, other
