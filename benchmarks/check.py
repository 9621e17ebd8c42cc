#!/usr/bin/env python3
"""check.py [table|counts] ... — time `varabs check` against Spin, and count states.

table [--large] [--small-memory]   compare varabs and pan on the same models, alternately
counts                             small models: varabs, pan and a naive explorer have to agree

Spin is at its fastest here: one process of d_steps on bit-sized fields, no partial order reduction
(it would leave states out), a hash table of four slots per state. `pan BFS` searches breadth first, `pan
small` has half a slot per state, `pan COLLAPSE` compresses. Every time is that of a whole process, peaks are resident memory;
what a program says about itself stands beside it.
Environment: VARABS the program, ROUNDS (3), LIMIT in seconds for one run, SPIN, CC.
"""

import argparse
import json
import math
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import caches  # noqa: E402
import election  # noqa: E402
import postal  # noqa: E402
from measure import VARABS, Run, system_memory, write  # noqa: E402

NAIVE = os.path.join(HERE, "..", "tests", "random")
ROUNDS = int(os.environ.get("ROUNDS", "3"))
LIMIT = float(os.environ.get("LIMIT", "600"))
SPIN = shutil.which(os.environ.get("SPIN", "spin"))
CC = os.environ.get("CC", "gcc")
MEMORY = system_memory("MemTotal") * 3 // 4

PAN = ["-O3", "-w", "-DNOREDUCE", "-DSAFETY", "-DNOFAIR", f"-DMEMLIM={MEMORY >> 20}"]
# Name: options of the compiler and hash table slots per state, as a power of two.
VARIANTS = {"pan": ([], 2), "pan BFS": (["-DBFS"], 2), "pan small": ([], -1), "pan COLLAPSE": (["-DCOLLAPSE"], 0),
            "pan MA": (["-DMA={vector}"], 0)}

FIGURES = {
    "states": r"(\d+) states, stored", "moves": r"(\d+) transitions \(=",
    "vector": r"State-vector (\d+) byte", "stored": r"state-vector as stored = (\d+) byte",
    "depth": r"depth reached (\d+)", "memory": r"([\d.]+)\ttotal actual memory usage",
    "seconds": r"pan: elapsed time ([\d.e+]+) seconds",
}


class Result:
    """What a run explored; states is None if it failed. own_seconds and own_bytes (per state) are
    the program's own figures."""

    def __init__(self, run):
        self.wall, self.peak, self.status = run.wall, run.peak, run.status
        self.states = self.transitions = self.own_seconds = self.own_bytes = None
        self.is_complete, self.note = False, ""


def varabs(model, folder, *options, limit=LIMIT):
    run = Run([VARABS, "check", "--engine", "explicit", "--symmetry", "off", "--full", "--json", "-",
               *options, model], folder, limit)
    result = Result(run)
    try:
        report = json.loads(run.text[run.text.index("{"):])
        result.states, result.transitions = report["states"], report["transitions"]
        result.own_seconds, result.own_bytes = report["seconds"], report["bytes_per_state"]
        result.is_complete = report["is_complete"]
        result.note = report["limit"] or ""
    except (ValueError, KeyError):
        result.note = "too long" if run.status is None else f"status {run.status}"
    return result


def has_check(folder):
    """Whether this varabs has the subcommand."""
    path = os.path.join(folder, "tiny.xml")
    write(path, without_queries(postal.model(1, 1)))
    return os.path.exists(VARABS) and varabs(path, folder).states == 23


def without_queries(text):
    return re.sub(r"\t<queries>.*</queries>\n", "", text, flags=re.DOTALL)


class Pan:
    """The verifier of one Promela model."""

    def __init__(self, text, folder):
        self.folder = tempfile.mkdtemp(dir=folder)
        self.figures = {}
        write(os.path.join(self.folder, "model.pml"), text)
        subprocess.run([SPIN, "-o1", "-o2", "-a", "model.pml"], cwd=self.folder, check=True,
                       stdout=subprocess.DEVNULL)

    def build(self, name):
        words = [word.format(**self.figures) for word in VARIANTS[name][0]]
        program = "./" + name.replace(" ", "_")
        if os.path.exists(os.path.join(self.folder, program)):
            return program
        subprocess.run([CC, *PAN, *words, "-o", program, "pan.c"], cwd=self.folder, check=True)
        return program

    def run(self, program, slots, depth):
        """-E: a state without steps is no error."""
        run = Run([program, "-n", "-E", f"-w{slots}", f"-m{depth}"], self.folder, LIMIT)
        result = Result(run)
        found = {}
        for key, pattern in FIGURES.items():
            match = re.search(pattern, run.text)
            found[key] = match and float(match.group(1))
        if "error:" in run.text or run.status != 0 or found["states"] is None:
            result.note = "error " + " ".join(re.findall("error:.*", run.text)[:1])
            return result, found
        result.states = int(found["states"])
        result.transitions = int(found["moves"]) - 1 if found["moves"] else None
        result.own_seconds = found["seconds"]
        result.own_bytes = found["memory"] * 2**20 / result.states if found["memory"] else None
        result.is_complete = True
        return result, found

    def calibrate(self):
        """A first run, which says how deep the search gets, how large a state and how many."""
        result, found = self.run(self.build("pan"), 24, 20000000)
        if result.states is None:
            sys.exit(f"pan: {result.note}")
        self.figures = {key: int(value) for key, value in found.items() if value is not None}
        return result

    def time(self, name, program):
        states = self.figures["states"]
        slots = max(10, math.ceil(math.log2(states)) + VARIANTS[name][1])
        return self.run(program, slots, self.figures["depth"] + 10)[0]


def postal_case(voters, candidates, kind="concrete"):
    return (f"postal {kind} {voters},{candidates}", postal.model(voters, candidates, kind),
            postal.promela(voters, candidates, kind), postal.states(voters, candidates, kind))


def election_case(servers, terms):
    return (f"election {servers},{terms}", election.model(servers, terms),
            election.promela(servers, terms), None)


def caches_case(count, lines):
    return (f"caches {count},{lines}", caches.model(count, lines), caches.promela(count, lines),
            None)


USUAL = [(postal_case, 5, 2), (postal_case, 6, 1, "a1"), (election_case, 4, 2),
         (caches_case, 4, 2)]
LARGE = [(postal_case, 5, 3), (postal_case, 6, 1), (postal_case, 6, 3, "a2"),
         (postal_case, 7, 1, "a1"), (election_case, 4, 3), (caches_case, 3, 3)]
SMALL = ([(postal_case, voters, candidates, kind) for voters, candidates in ((1, 3), (2, 2), (3, 1))
          for kind in postal.KINDS]
         + [(election_case, servers, terms) for servers, terms in ((2, 1), (2, 3), (3, 1), (3, 2))]
         + [(caches_case, count, lines) for count, lines in ((1, 1), (2, 1), (2, 2), (3, 1))])


def median(results, get):
    values = [get(result) for result in results]
    return None if None in values or not values else statistics.median(values)


def number(value, form):
    return "-" if value is None else format(value, form)


def compare(case, folder, others, is_there):
    """The rows of one model; ({program: median wall seconds}, {program: peak bytes per state})."""
    name, model, text, expected = case
    path = os.path.join(folder, "model.xml")
    write(path, without_queries(model))
    runs, pan, counts = {}, None, set()
    if is_there:
        runs["varabs"] = lambda: varabs(path, folder, "--jobs", "1")
        runs["varabs 2 jobs"] = lambda: varabs(path, folder, "--jobs", "2")
    if SPIN:
        pan = Pan(text, folder)
        counts.add(pan.calibrate().states)
        for variant in others:
            program = pan.build(variant)
            runs[variant] = lambda variant=variant, program=program: pan.time(variant, program)
    results = {program: [] for program in runs}
    for _ in range(ROUNDS):
        for program, function in runs.items():
            results[program].append(function())
    counts |= {result.states for some in results.values() for result in some if result.states}
    counts |= {expected} if expected else set()
    speed, memory = {}, {}
    for program, some in results.items():
        note = next((result.note for result in some if result.note), "")
        states = None if note else some[0].states
        wall = None if note else median(some, lambda result: result.wall)
        peak = None if note else median(some, lambda result: result.peak) / states
        own = None if note else median(some, lambda result: result.own_bytes)
        agree = note or ("yes" if len(counts) == 1 else "NO: " + str(sorted(counts)))
        print(f"| {name:<20} | {program:<13} | {number(states, ','):>11} | {agree} |"
              f" {number(wall, '.2f'):>6} | {number(states and states / wall, ',.0f'):>10} |"
              f" {number(median(some, lambda result: result.own_seconds), '.2f'):>6} |"
              f" {number(own, '.1f'):>6} | {number(peak, '.1f'):>6} |", flush=True)
        if wall:
            speed[program], memory[program] = wall, peak
    if pan:
        stored = pan.figures.get("stored", pan.figures["vector"])
        print(f"| {'':<20} | {'':<13} | | state vector of pan {pan.figures['vector']} bytes,"
              f" stored {stored}, depth {pan.figures['depth']} | | | | | |")
        shutil.rmtree(pan.folder)
    return speed, memory, len(counts) == 1


def table(folder, cases=None, others=tuple(VARIANTS)[:-1]):
    is_there = has_check(folder)
    if not is_there:
        print("(this varabs has no `check`)\n")
    if not SPIN:
        print("(spin is not installed)\n")
    print("| model | program | states | agree | wall s | states/s | own s | own bytes/state |"
          " peak bytes/state |\n|---|---|---:|---|---:|---:|---:|---:|---:|")
    ratios, is_right = [], True
    for function, *parameters in cases or USUAL:
        case = function(*parameters)
        speed, memory, agree = compare(case, folder, others, is_there)
        is_right = is_right and agree
        ratios.append((case[0], speed, memory))
    if is_there and SPIN:
        print("\nHow many times as fast as the fastest pan, and how many times the memory per state"
              " of each (peaks):\n\n| model | 1 job | 2 jobs | "
              + " | ".join(f"memory / {name}" for name in others)
              + " |\n|---|---:|---:|" + "---:|" * len(others))
        for name, speed, memory in ratios:
            best = min((speed[other] for other in others if other in speed), default=None)
            row = [best / speed[program] if program in speed and best else None
                   for program in ("varabs", "varabs 2 jobs")]
            row += [memory["varabs"] / memory[other]
                    if "varabs" in memory and other in memory else None for other in others]
            print(f"| {name} | " + " | ".join(number(value, ".2f") for value in row) + " |")
    return is_right


def counts(folder):
    """Whether all agree on the states, and varabs and the naive explorer on the transitions."""
    is_there, is_right = has_check(folder), True
    print("| model | formula | naive | pan | varabs |\n|---|---:|---:|---:|---:|")
    for function, *parameters in SMALL:
        name, model, text, expected = function(*parameters)
        path = os.path.join(folder, "model.xml")
        write(path, without_queries(model))
        run = Run([sys.executable, NAIVE, "oracle/uppaal", path], folder, LIMIT)
        naive = dict(line.split() for line in run.text.splitlines()) if run.status == 0 else {}
        cells = [(expected, None), (int(naive.get("states", -1)), int(naive.get("transitions", -1)))]
        if SPIN:
            pan = Pan(text, folder)
            cells.append((pan.calibrate().states, None))
            shutil.rmtree(pan.folder)
        else:
            cells.append((None, None))
        own = varabs(path, folder) if is_there else None
        cells.append((own.states, own.transitions) if own else (None, None))
        agree = all(len({cell[k] for cell in cells if cell[k] is not None}) == 1 for k in (0, 1))
        is_right = is_right and agree and naive.get("errors") == "0"
        print(f"| {name} | " + " | ".join(
            number(states, ",") + (f" / {moves:,}" if moves else "") for states, moves in cells)
              + (" |" if agree else " | DIFFER"), flush=True)
    return is_right


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    modes = parser.add_subparsers(dest="mode")
    mode = modes.add_parser("table", help="compare varabs and pan")
    mode.add_argument("--large", action="store_true", help="several million states each")
    mode.add_argument("--small-memory", action="store_true",
                      help="also Spin's minimised automaton (-DMA): little memory, slow")
    modes.add_parser("counts", help="small models: all have to agree")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="varabs-bench-") as folder:
        if options.mode == "counts":
            is_right = counts(folder)
        elif options.mode == "table":
            others = tuple(VARIANTS)[:None if options.small_memory else -1]
            is_right = table(folder, LARGE if options.large else USUAL, others)
        else:
            is_right = table(folder)
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
