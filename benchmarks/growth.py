#!/usr/bin/env python3
"""growth.py [FAMILY...] — how the cost of each command grows with each family of models.

    --seconds S     end a run that takes more processor time, and its command there (60)
    --commands C,D  only these: info, suggest, decide, explicit, symbolic, remove, certify
    --memory M      MiB that a run may take (4096)
    --rounds N      the least of N runs, but one of a run that takes over ten seconds (1)
    --json FILE     all figures
    --read FILE     of a run before, written by --json, in place of measuring; may be given again
    --svg FILE      a picture of them: for each family the time of each command, model by model
    --work          fail at a cliff of work that was counted: states, pairs, and bytes

Prints a table: for each family and command the largest model that was done, what it took, how often
its cost doubled where the size did, and the worst step from one model to the next. The size of a model
is the number of its states for commands that count them, and the product of what it was made with for
others. A cliff is a step that costs over ten times the one before, and over three times as much as the
size explains; steps below CLIFF_FLOOR do not count. `decide`, `suggest` and `--auto` explore models
that they make, too. For a step of theirs the size is the number of states of the model, where it was
counted. A run that a limit ends counts as a step, too, as it costs more than it took. Where no other
command has counted the states of its model, the size is not known and explains nothing.
"""

import argparse
import json
import math
import os
import re
import subprocess
import sys
import tempfile

from evaluation import plot
from measure import HERE, VARABS, Run, machine

FAMILIES = {  # the program that writes a model, and what it is given, from small to large
    "asv": [(n,) for n in (1, 2, 3, 5, 8, 12, 20)],
    "caches": [(2, 1), (2, 2), (3, 1), (3, 2), (4, 2), (3, 3), (6, 2, 2), (5, 2), (4, 3, 1), (4, 3)],
    "cards": [(3, 2), (4, 2), (4, 3), (5, 3), (5, 4), (6, 4), (6, 5)],
    "castles": [(1, 1, 1, 1), (2, 1, 1, 1), (2, 2, 1, 1), (2, 2, 2, 1), (3, 2, 2, 1), (3, 2, 2, 2),
                (3, 3, 2, 2)],
    "children": [(n,) for n in range(2, 12)],
    "coins": [(n,) for n in (3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 20, 24, 28, 40)],
    "cryptographers": [(n,) for n in range(3, 16)],
    "election": [(2, 2), (3, 2), (3, 3), (3, 4), (3, 6), (3, 8), (4, 2)],
    "large": [(0.1,), (0.3,), (1,), (2.5,), (5,), (10,), (20,)],
    "messengers": [(n,) for n in range(2, 10)],
    "postal": [(2, 3), (3, 3), (4, 3), (5, 3), (6, 2), (6, 3), (7, 2), (7, 3), (8, 3), (9, 3), (10, 3),
               (13, 3), (14, 3), (15, 3), (16, 3)],
    "puzzle": [(2, 2), (2, 3), (2, 4), (3, 3), (2, 5)],
    "queues": [(2, 2), (3, 2), (3, 3), (4, 2), (3, 5), (4, 3, 1), (4, 3), (5, 2), (4, 4, 3), (4, 4, 2),
               (4, 4, 1), (4, 4), (5, 3)],
    "queues_of_three": [*((3, n) for n in (2, 3, 5)), (3, 6, 1), (3, 6), (3, 7, 2), (3, 7, 1),
                        *((3, n) for n in range(7, 13))],
    "registry": [(2, 10), (2, 100), (3, 100), (4, 30), (4, 100), (4, 300), (4, 500), (4, 1000)],
    "rings": [(n, 40) for n in (12, 25, 50, 100, 200)],
    "rings_of_arrays": [(n, 40) for n in (12, 25, 50, 100, 200)],
    "rings_of_channels": [(n, 40) for n in (12, 25, 50, 100, 200)],
    "rings_of_functions": [(n, 40) for n in (12, 25, 50, 100, 200)],
    "rings_of_locals": [(n, 40) for n in (12, 25, 50, 100, 200)],
    "ring_of_variables": [(1, n) for n in (30, 100, 300, 1000)],
    "simple_voting": [*((n,) for n in range(2, 8)), (7, 1), *((n,) for n in range(8, 17))],
    "simultaneous": [(2, 1), (3, 2), (4, 2), (4, 3), (6, 2), (5, 3, 1), (5, 3), (5, 4, 2), (5, 4, 3),
                     (5, 4)],
    "trains": [(n,) for n in range(2, 26, 2)],
    "transmission": [(n,) for n in (3, 5, 10, 30, 100, 300)],
    "voters": [(n, 3) for n in (10, 30, 100, 300, 1000)],
    "wide": [(n,) for n in (3, 10, 30, 100, 300, 1000)],
}
PROGRAMS = {  # for families that are not named after theirs
    "coins": ["cryptographers", "--kind", "turns"],
    "queues_of_three": ["queues"],
    "rings_of_arrays": ["rings", "--kind", "array"],
    "rings_of_channels": ["rings", "--kind", "channel"],
    "rings_of_functions": ["rings", "--kind", "function"],
    "rings_of_locals": ["rings", "--kind", "local"],
    "ring_of_variables": ["rings", "--kind", "variables"],
    "voters": ["postal"],  # too many to be explored
}
UNEXPLORED = {"large", "wide", "voters", "rings", *(name for name in PROGRAMS if name.startswith("ring"))}
COMMANDS = {
    "info": ["info", "model.xml", "--json", "out"],
    "suggest": ["suggest", "model.xml", "--json", "out"],
    "decide": ["decide", "model.xml", "--json", "out"],
    "explicit": ["check", "model.xml", "--engine", "explicit", "--full", "--json", "out"],
    "symbolic": ["check", "model.xml", "--engine", "symbolic", "--full", "--json", "out"],
    "remove": ["model.xml", "--auto", "--may", "-o", "out.xml", "--report", "out.json"],
    "certify": ["certify", "model.xml", "out.xml", "--may", "--report", "out.json",
                "--json", "out"],
}
EXPLORE = {"decide", "explicit", "symbolic", "certify"}
ATTEMPT = {"decide", "suggest", "remove"}  # they explore more than the model
DONE = (0, 1, 4)  # 4: a query or a model that the engine does not know
CLIFF, BEYOND = 10, 3
CLIFF_FLOOR = {"seconds": 0.2, "bytes": 64 << 20, "counted": 20000}
ABREAST = 3     # families in a row of the picture
SHORTEST = 0.01
ONCE = 10       # seconds: other work is even over so long a time


def write_model(family, parameters, path):
    program, *options = PROGRAMS.get(family, [family])
    program = os.path.join(HERE, program + ".py")
    with open(path, "w", encoding="utf-8", newline="\n") as out:
        subprocess.run([sys.executable, "-B", program, *map(str, parameters), *options], stdout=out,
                       check=True)


def counted(folder):
    """States and pairs, of what the command has written; 0 if it has not."""
    try:
        with open(os.path.join(folder, "out"), encoding="utf-8") as file:
            result = json.load(file)
    except (OSError, ValueError):
        return 0, 0
    sides = [result, result.get("concrete") or {}]
    states = max(int(side.get("states_text") or 0) for side in sides)
    return states, int(result.get("pairs_text") or 0) if result.get("engine") == "explicit" else 0


class Point:
    """One run of a command; of a run before, all figures are given."""

    def __init__(self, figures):
        vars(self).update(figures)

    @classmethod
    def measure(cls, command, folder, parameters, options):
        out = os.path.join(folder, "out")
        if os.path.exists(out):
            os.remove(out)
        limit = math.ceil(options.seconds)  # of processor time: other work does not count
        run = Run(["sh", "-c", f'ulimit -t {limit}; exec "$@"', "sh", VARABS, *COMMANDS[command],
                   "--max-memory", f"{options.memory}M"], folder, limit=limit * 20)
        states, pairs = counted(folder)
        return cls({"command": command, "parameters": parameters, "seconds": run.processor,
                    "bytes": run.peak, "status": run.status, "is_done": run.status in DONE,
                    "states": states, "model_states": 0,  # of the model, where known
                    "size": (states if command in EXPLORE else 0) or math.prod(parameters),
                    "counted": pairs or (states if command == "explicit" else 0)})

    def name(self):
        return ",".join(map(str, self.parameters))


def least(command, folder, parameters, options):
    """The point of the run that took the least time: other work makes runs longer."""
    points = [Point.measure(command, folder, parameters, options)]
    while len(points) < options.rounds and points[-1].seconds < ONCE:
        points.append(Point.measure(command, folder, parameters, options))
    return min(points, key=lambda point: point.seconds)


def step(before, after, what):
    """What a step costs, and as how many times what the size would explain; 0 below the floor."""
    cost = getattr(after, what)
    if cost < CLIFF_FLOOR[what] or (what == "counted" and not before.counted):
        return 0, 0  # sets of states have no pairs
    ratio = cost / max(getattr(before, what), CLIFF_FLOOR[what] / CLIFF)
    larger = growth_of_model(before, after)
    return ratio, ratio / max(1, larger)


def growth_of_model(before, after):
    if before.model_states and after.model_states:
        return after.model_states / before.model_states
    if after.command in EXPLORE and not after.is_done:
        return 1  # nobody knows
    return after.size / max(before.size, 1)


def is_cliff(before, after, what):
    ratio, beyond = step(before, after, what)
    return ratio > CLIFF and beyond > BEYOND


def exponent(points):
    """Of cost by size, between the first and the last point that take some time."""
    timed = [point for point in points if point.seconds >= 0.02 and point.is_done]
    if len(timed) < 2 or timed[-1].size <= timed[0].size:
        return None
    return (math.log(timed[-1].seconds / timed[0].seconds)
            / math.log(timed[-1].size / timed[0].size))


def measure_family(family, commands, options):
    """The points of each command, from the smallest model on."""
    found = {command: [] for command in commands}
    going = set(commands)
    for parameters in FAMILIES[family]:
        with tempfile.TemporaryDirectory(prefix="varabs-growth-") as folder:
            write_model(family, parameters, os.path.join(folder, "model.xml"))
            for command in commands:
                if command not in going or (command in EXPLORE and family in UNEXPLORED):
                    continue
                if command == "certify" and not os.path.exists(os.path.join(folder, "out.xml")):
                    continue
                point = least(command, folder, parameters, options)
                found[command].append(point)
                print(f"{family} {point.name()} {command}: {point.seconds:.2f} s,"
                      f" {point.bytes >> 20} MiB, status {point.status}", file=sys.stderr)
                if not point.is_done:
                    going.discard(command)
    return found


def note_states(points):
    """Tells the commands that have not counted the states of their model how many it has."""
    states = {point.name(): point.states for point in points
              if point.is_done and point.command in ("explicit", "symbolic")}
    for point in points:
        if point.command in ATTEMPT or not point.is_done:
            point.model_states = states.get(point.name(), 0)
        elif point.command in EXPLORE:
            point.model_states = point.states


def row(family, command, points, whats):
    """A row of the table, and the cliffs."""
    done = [point for point in points if point.is_done]
    if not done:
        return None, []
    last, growth = done[-1], exponent(points)
    steps = list(zip(points, points[1:]))
    if "seconds" not in whats:  # how far a run comes until it is ended depends on the machine
        steps = list(zip(done, done[1:]))
    worst = max((step(*pair, "seconds")[0], pair[1].name()) for pair in steps) if steps else (0, "")
    cliffs = [f"{family} {pair[0].name()} to {pair[1].name()}, {command}: {what} times"
              f" {step(*pair, what)[0]:.0f}, size times {growth_of_model(*pair):.1f}"
              + ("" if pair[1].is_done else ", ended by a limit")
              for pair in steps for what in whats if is_cliff(*pair, what)]
    end = "" if points[-1].is_done else f"; {points[-1].name()} ended by a limit"
    text = f"{worst[0]:.1f} (to {worst[1]})" if worst[0] else ""
    mark = "**cliff**" if any("seconds" in cliff for cliff in cliffs) else ""
    return (f"| {family} | {command} | {last.name()}{end} | {last.seconds:.2f} s |"
            f" {last.bytes / 2**20:.0f} MiB | {'' if growth is None else f'{growth:.2f}'} |"
            f" {text} | {mark} |"), cliffs


def picture(found):
    """SVG text: rows of plots, one below the other."""
    parts, top, width, families = [], 0, 0, [*found]
    for first in range(0, len(families), ABREAST):
        shown = families[first:first + ABREAST]
        most = max(len(points) for family in shown for points in found[family].values())
        series = [plot.Series(command, number, [
            [max(point.seconds, SHORTEST) if point.is_done else None for point in points]
            + [None] * (most - len(points))
            for points in (found[family].get(command, []) for family in shown)])
                  for number, command in enumerate(COMMANDS)]
        row = plot.plot("", series, [str(k + 1) for k in range(most)], "model", shown,
                        "processor seconds")
        if row:
            wide, high = map(int, re.search(r'width="(\d+)" height="(\d+)"', row).groups())
            parts.append(row.replace("<svg ", f'<svg y="{top}" ', 1))
            top, width = top + high, max(width, wide)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {top}" width="{width}"'
            f' height="{top}">\n<title>Processor time by family</title>\n'
            + "".join(parts) + "</svg>\n")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("families", nargs="*", metavar="FAMILY")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--memory", type=int, default=4096)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--commands", default=",".join(COMMANDS))
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--read", metavar="FILE", action="append", default=[])
    parser.add_argument("--svg", metavar="FILE")
    parser.add_argument("--work", action="store_true")
    options = parser.parse_args()
    options.commands = options.commands.split(",")
    unknown = ({*options.families} - {*FAMILIES}) | ({*options.commands} - {*COMMANDS})
    if unknown:
        parser.error("unknown: " + ", ".join(sorted(unknown)))
    return options


def main():
    options = arguments()
    whats = ["bytes", "counted"] if options.work else ["seconds", "bytes", "counted"]
    cliffs, found, rows = [], {}, []
    for path in options.read:
        try:
            with open(path, encoding="utf-8") as file:
                read = json.load(file)
        except (OSError, ValueError) as error:
            sys.exit(f"growth.py: {path}: not read: {error}")
        found |= {family: {command: [Point(figures) for figures in points]
                           for command, points in commands.items()} for family, commands in read.items()}
    for family in options.families or ([] if options.read else FAMILIES):
        found[family] = measure_family(family, options.commands, options)
    for family, commands in found.items():
        note_states([point for points in commands.values() for point in points])
        for command, points in commands.items():
            text, own = row(family, command, points, whats)
            cliffs += own
            if text:
                rows.append(text)
    print(f"{machine()}\n")
    print("| family | command | largest | processor | peak | exponent | worst step | |")
    print("|---|---|---|---:|---:|---:|---|---|", *rows, "", sep="\n")
    print(f"{len(cliffs)} cliffs")
    for cliff in cliffs:
        print("-", cliff)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as out:
            json.dump(found, out, indent=1, default=vars)
    if options.svg:
        with open(options.svg, "w", encoding="utf-8") as out:
            out.write(picture(found))
    return 1 if options.work and cliffs else 0


if __name__ == "__main__":
    sys.exit(main())
