"""Runs of a model, as data classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional


@dataclass(frozen=True)
class State:
    """Where every process is, and what every variable holds."""

    locations: dict[str, str]
    values: dict[str, int]


@dataclass(frozen=True)
class Move:
    """What one process does in a step."""

    process: str
    source: str
    target: str
    edges: tuple[int, ...]      #: numbers of the edges in the template; an edge through a branchpoint has two
    selects: dict[str, int]
    channel: Optional[str]      #: "give!" or "give?"; None for an internal step


@dataclass(frozen=True)
class Trace:
    """A run: `steps[i]` leads from `states[i]` to the next one, and has a move for each process that takes part."""

    kind: str                   #: "witness" or "counterexample"
    states: tuple[State, ...]
    steps: tuple[tuple[Move, ...], ...]
    loop: Optional[int]         #: the number of the state to which the last step goes back; None without such a step
    end: Optional[str]          #: why the run ends where it does, such as "deadlock"; None if that does not matter
    json: dict[str, Any]        #: all that is known

    @classmethod
    def of_json(cls, trace: Optional[dict[str, Any]]) -> Optional[Trace]:
        if trace is None:
            return None
        return cls(trace["kind"],
                   tuple(State(state["locations"], state["values"]) for state in trace["states"]),
                   tuple(tuple(_move(part) for part in step) for step in trace["steps"]),
                   trace.get("loop"), trace.get("end"), trace)


def _move(part: dict[str, Any]) -> Move:
    return Move(part["process"], part["source"], part["target"], tuple(part["edges"]),
                part["selects"], part.get("channel"))
