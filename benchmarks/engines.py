#!/usr/bin/env python3
"""engines.py [MODEL...] — `varabs check --full` by each engine, and by both in turns.

MODEL is a program of this folder and what it is given, as "postal 5 3"; without one, those of the tables in
engines.md. Prints such a table: processor seconds of whole processes, medians of ROUNDS, and the engine that
answered. All engines have to count the same states. Status 1: they do not. Queries are asked where they
are about knowledge. Symmetry is off. Environment: VARABS the program, ROUNDS (3), LIMIT in processor seconds of
one run (60).
"""

import json
import os
import statistics
import sys
import tempfile

from goals import write_model
from measure import VARABS, Run, machine

ROUNDS = int(os.environ.get("ROUNDS", "3"))
LIMIT = int(os.environ.get("LIMIT", "60"))
ENGINES = ("explicit", "symbolic", "auto")
ASKED = ("cryptographers", "simultaneous")  # what is asked there is what takes time
KNOWN = ("postal 4 3", "postal 5 3", "postal 6 3", "queues 4 2", "queues 4 3", "simple_voting 7", "simple_voting 8",
         "simple_voting 10", "simple_voting 16", "caches 3 2", "caches 4 2", "caches 3 3", "caches 5 2", "cards 5 3",
         "cards 6 3", "castles 3 2 1 1", "castles 3 2 2 1", "messengers 6", "messengers 7", "puzzle 3 3", "puzzle 2 5",
         "election 3 2", "election 3 3", "election 4 2", "cryptographers 7", "cryptographers 8", "simultaneous 3 3",
         "simultaneous 4 4")
GROWING = ("deep 30000 2", "deep 30000 4", "wide 6 8", "wide 9 8", "counters 3 60", "counters 4 60", "sums 3 60",
           "sums 4 30", "sums 5 10", "sums 2 600", "deep 3000 6", "deep 3000 8", "deep 3000 10", "deep 3000 12",
           "deep 10000 8", "deep 10000 10", "few 6 12", "learner 6 8", "learner 9 5", "learner 20 2", "learner 22 2",
           "learner 13 3", "learner 14 3", "learner 15 3")


def measure(engine, folder):
    """Median seconds, the states and the engine that answered; None if it took too long."""
    seconds = []
    for _ in range(ROUNDS):
        run = Run(["sh", "-c", f'ulimit -t {LIMIT}; exec "$@"', "sh", VARABS, "check", "model.xml", "--full",
                   "--symmetry", "off", "--jobs", "1", "--engine", engine, "--max-memory", "4G", "--json", "out"],
                  folder, limit=LIMIT * 20)
        if run.status not in (0, 1):
            return None
        seconds.append(run.processor)
    with open(os.path.join(folder, "out"), encoding="utf-8") as file:
        result = json.load(file)
    return statistics.median(seconds), int(result["states_text"]), result["engine"]


def row(name, words):
    """A row of the table, and whether the engines agree."""
    with tempfile.TemporaryDirectory(prefix="varabs-engines-") as folder:
        write_model(words, words.split()[0] in ASKED, os.path.join(folder, "model.xml"))
        found = [measure(engine, folder) for engine in ENGINES]
    states = {one[1] for one in found if one}
    cells = [f"{one[0]:.2f}" if one else f"> {LIMIT}" for one in found]
    return (f"| {name} | {' '.join(f'{count:,}' for count in states)} | {' | '.join(cells)} |"
            f" {found[-1][2] if found[-1] else ''} |"), len(states) < 2


def main():
    models = [(name, name) for name in sys.argv[1:] or KNOWN]
    if not sys.argv[1:]:
        models += [(name, f"directions {' '.join(name.split()[1:])} --kind {name.split()[0]}") for name in GROWING]
    is_same = True
    print(f"{machine()}\n")
    print("| model | states | explicit s | symbolic s | auto s | answered by |", "|---|---:|---:|---:|---:|---|", sep="\n")
    for name, words in models:
        text, is_alike = row(name, words)
        print(text, flush=True)
        is_same &= is_alike
    sys.exit(not is_same)


if __name__ == "__main__":
    main()
