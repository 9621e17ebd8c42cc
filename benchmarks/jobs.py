#!/usr/bin/env python3
"""jobs.py [MODEL...] — what a second job gains, and what two processors of this machine can gain at most.

MODEL is a program of this folder and what it is given, as "postal 5 3"; without one, those of the table in
engines.md. Each round measures `check --full --engine explicit --symmetry off` with one job, two such processes
at once, and one with two jobs, in seconds of the clock. Two processes at once have nothing in common: what they
gain over one after the other is what the machine gives, as its processors may share a core or its caches.
Prints medians of ROUNDS. All have to count the same states. Status 1: they do not. Only a machine without
other work measures anything. Environment: VARABS the program, ROUNDS (5).
"""

import json
import os
import statistics
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from goals import write_model
from measure import VARABS, Run, machine

ROUNDS = int(os.environ.get("ROUNDS", "5"))
KNOWN = ("postal 5 2", "postal 5 3", "caches 4 2", "caches 5 2")


def explore(folder, jobs, number=0):
    """Seconds of the clock, and the states."""
    out = os.path.join(folder, f"out{number}")
    run = Run([VARABS, "check", "model.xml", "--full", "--engine", "explicit", "--symmetry", "off", "--jobs",
               str(jobs), "--json", out], folder)
    if run.status not in (0, 1):
        sys.exit(f"jobs.py: status {run.status}: {run.errors}")
    with open(out, encoding="utf-8") as file:
        return run.wall, json.load(file)["states_text"]


def row(words):
    """A row of the table, and whether all count the same states."""
    one, two, jobs, states = [], [], [], set()
    with tempfile.TemporaryDirectory(prefix="varabs-jobs-") as folder, ThreadPoolExecutor(2) as pool:
        write_model(words, False, os.path.join(folder, "model.xml"))
        for _ in range(ROUNDS):
            for seconds, runs in ((one, [explore(folder, 1)]),
                                  (two, list(pool.map(lambda i: explore(folder, 1, i), range(2)))),
                                  (jobs, [explore(folder, 2)])):
                seconds.append(max(run[0] for run in runs))
                states.update(run[1] for run in runs)
    gains = (statistics.median(a * n / b for a, b in zip(one, many)) for many, n in ((two, 2), (jobs, 1)))
    cells = [f"{statistics.median(seconds):.2f}" for seconds in (one, two, jobs)] + [f"{gain:.2f}" for gain in gains]
    return f"| {words} | {' '.join(f'{int(count):,}' for count in states)} | {' | '.join(cells)} |", len(states) == 1


def main():
    print(f"{machine()}\n")
    print("| model | states | one job s | two processes s | two jobs s | two processes gain | two jobs gain |",
          "|---|---:|---:|---:|---:|---:|---:|", sep="\n")
    is_same = True
    for words in sys.argv[1:] or KNOWN:
        text, is_alike = row(words)
        print(text, flush=True)
        is_same &= is_alike
    sys.exit(not is_same)


if __name__ == "__main__":
    main()
