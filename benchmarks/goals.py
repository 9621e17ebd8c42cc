#!/usr/bin/env python3
"""goals.py [--only TEXT] — what was meant to become cheaper, before and after, in turns on one machine.

Prints a table: for each row the median processor time of a whole process and its largest peak. A program
that fails, or takes more than the limit, is not run again. Both have to count the same states, or to
find the same verdicts, where a row has some. Status 1: they differ. --only: rows with this text.
Environment: BEFORE and VARABS, two programs; ROUNDS (3), LIMIT in processor seconds of one run (60).
"""

import argparse
import functools
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

from measure import HERE, VARABS, Run, machine, write

BEFORE = os.environ.get("BEFORE", "")
ROUNDS = int(os.environ.get("ROUNDS", "3"))
LIMIT = int(os.environ.get("LIMIT", "60"))

FILES = r"(model|auto|out)\.\w+|out|-o|--json|--report"  # words that the table leaves out
WHY = {4: "refused", 5: "a limit"}  # by exit status
CHECK = ["check", "model.xml", "--full", "--json", "out"]
EXPLICIT = [*CHECK, "--engine", "explicit", "--symmetry", "off", "--max-memory", "4G"]
SYMBOLIC = [*CHECK, "--engine", "symbolic", "--max-memory", "4G"]
ASK = ["check", "model.xml", "--json", "out", "--max-memory", "4G"]  # and the queries of the family
ODD = ["check", "model.xml", "--engine", "symbolic", "--json", "out", "--max-memory", "4G", "--query",
       "A[] (all() && (sum (k : seat_t) said[k] == 2) % 2 == 1 imply pay < N)"]
ABSTRACT = ["model.xml", "-o", "out.xml", "--report", "out.json"]
CERTIFY = ["certify", "model.xml", "auto.xml", "--may", "--report", "auto.json", "--json", "out"]

ROWS = [  # the model, the command, and what was meant to be reached
    ("cryptographers 11", ODD, ""),
    ("cryptographers 12", ODD, ""),
    ("cryptographers 13", ODD, ""),
    ("cryptographers 16 --kind turns", SYMBOLIC, ""),
    ("cryptographers 20 --kind turns", SYMBOLIC, ""),
    ("large 5", ["info", "model.xml"], "1 s"),
    ("large 10", ["info", "model.xml"], ""),
    ("large 20", ["info", "model.xml"], "linear"),
    ("postal 1000 3", ["suggest", "model.xml"], "5 times `check --max-states 20000`"),
    ("rings 200 40 --kind function", ["suggest", "model.xml"], ""),
    ("rings 1 300 --kind variables", ["suggest", "model.xml"], ""),
    ("wide 1000", [*ABSTRACT, "--remove", "T.own", "--may"], "0.2 s, 100 MiB"),
    ("wide 1000", [*ABSTRACT, "--remove", "shared", "--may"], "0.2 s, 100 MiB"),
    ("wide 1000", [*ABSTRACT, "--remove", "T.own", "--must"], "0.2 s, 100 MiB"),
    ("wide 1000", [*ABSTRACT, "--remove", "shared", "--must"], "0.2 s, 100 MiB"),
    ("wide 1000", ["info", "model.xml"], ""),
    ("postal 5 3", CERTIFY, "by sets"),
    ("postal 5 3", [*CERTIFY, "--engine", "explicit", "--symmetry", "off"],
     "2 million pairs a second, 64 bytes each"),
    ("postal 5 3", EXPLICIT, ""),
    ("caches 4 2", EXPLICIT, "5 times pan"),
    ("election 4 2", EXPLICIT, ""),
    ("postal 13 3", SYMBOLIC, ""),
    ("postal 20 3", SYMBOLIC, ""),
    ("caches 5 2", SYMBOLIC, ""),
    ("caches 4 3", SYMBOLIC, ""),
    ("simple_voting 12", SYMBOLIC, ""),
    ("simple_voting 16", SYMBOLIC, "10 s"),
    ("castles 3 2 2 1", SYMBOLIC, ""),
    ("election 4 2", ["decide", "model.xml", "--json", "out"], "no more than `check`"),
    ("cards 5 4", ["decide", "model.xml", "--json", "out"], "no more than `check`"),
    ("queues 4 3", ["decide", "model.xml", "--json", "out"], "no more than `check`"),
    ("trains 25", ASK, "where memory ended it"),
    ("castles 3 3 2 2", ASK, "where memory ended it"),
    ("simple_voting 10", ASK, "where memory ended it"),
]


def write_model(words, has_queries, path):
    """Of a program and what it is given; returns the queries of its family."""
    name, *rest = words.split()
    if not os.path.exists(os.path.join(HERE, name + ".py")):
        sys.exit(f"{name}: there is no such program in this folder; quote it with what it is given")
    text = subprocess.run([sys.executable, "-B", os.path.join(HERE, name + ".py"), *rest], check=True,
                          stdout=subprocess.PIPE, encoding="utf-8").stdout
    if not has_queries:
        text = re.sub(r"\s*<queries>.*</queries>", "", text, flags=re.DOTALL)
    write(path, text)
    family = os.path.join(HERE, "families", name + ".json")
    if not os.path.exists(family):
        return []
    with open(family, encoding="utf-8") as file:
        return [query["formula"] for query in json.load(file)["queries"] if "formula" in query]


def answer(folder):
    """States, transitions and verdicts of what was written: where programs must agree."""
    try:
        with open(os.path.join(folder, "out"), encoding="utf-8") as file:
            result = json.load(file)
    except (OSError, ValueError):
        return None
    return ([result.get(key) for key in ("states_text", "transitions_text", "holds")],
            [query.get("verdict") for query in result.get("queries") or []])


@functools.cache
def has_symmetry(program, command):
    return "--symmetry" in Run([program, "help", command]).text


class Row:
    def __init__(self, model, arguments, goal, folder):
        self.model, self.arguments, self.goal, self.folder = model, arguments, goal, folder
        queries = write_model(model, arguments[0] != "check", os.path.join(folder, "model.xml"))
        if arguments[0] == "certify":  # what the program of today makes of it
            Run([VARABS, "model.xml", "--auto", "--may", "-o", "auto.xml", "--report", "auto.json"],
                folder)
        if arguments is ASK:
            self.arguments = [*ASK, *(word for text in queries for word in ("--query", text))]

    def run(self, program):
        """Seconds, bytes and the answer, or why there is none."""
        out = os.path.join(self.folder, "out")
        if os.path.exists(out):
            os.remove(out)
        arguments = self.arguments
        if "--symmetry" in arguments and not has_symmetry(program, arguments[0]):
            at = arguments.index("--symmetry")
            arguments = [*arguments[:at], *arguments[at + 2:]]
        run = Run(["sh", "-c", f'ulimit -t {LIMIT}; exec "$@"', "sh", program, *arguments],
                  self.folder, limit=LIMIT * 20)
        found = answer(self.folder)
        if run.status == 0 or (run.status == 1 and found):  # 1: some query is violated
            return run.processor, run.peak, found, None
        late = run.status is None or run.status < 0 or run.status == 128 + 9
        return 0, 0, None, f"over {LIMIT} s" if late else WHY.get(run.status, f"status {run.status}")

    def measure(self):
        """The cells of the table, before and after, and whether the answers are the same."""
        programs, runs, failed = [BEFORE, VARABS], ([], []), [None, None]
        for _ in range(ROUNDS):
            for k, program in enumerate(programs):
                if not failed[k]:
                    *figures, failed[k] = self.run(program)
                    runs[k].append(figures)
        cells = [why or f"{statistics.median(run[0] for run in done):.2f} s,"
                 f" {max(run[1] for run in done) / 2**20:.0f} MiB" for why, done in zip(failed, runs)]
        answers = [run[2] for done in runs for run in done if run[2]]
        return cells, all(one == answers[0] for one in answers)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    if not os.path.exists(BEFORE):
        sys.exit("goals.py: BEFORE has to name another varabs")
    print(f"{machine()}\n\n| model | command | goal | before | after |\n|---|---|---|---:|---:|")
    differ = 0
    for model, arguments, goal in ROWS:
        words = " ".join(word for word in arguments if not re.fullmatch(FILES, word))
        if options.only not in f"{model} {words}":
            continue
        with tempfile.TemporaryDirectory(prefix="varabs-goals-") as folder:
            cells, is_same = Row(model, arguments, goal, folder).measure()
        differ += not is_same
        print(f"| `{model}` | `{words}` | {goal} | {' | '.join(cells)} |{'' if is_same else ' DIFFERENT'}",
              flush=True)
    sys.exit(differ > 0)


if __name__ == "__main__":
    main()
