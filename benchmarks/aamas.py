#!/usr/bin/env python3
"""Rerun the evaluation of AAMAS 2025 on timed voting: zones of the model, of three abstractions, and of
what --auto makes.

usage: aamas.py [--sizes 'NV NC RV CTYPE;...'] [--levels LEVEL,...] [--max-zones N] [--keep DIR]

coercion.py writes the model; a1, a2, a3 and auto are one command of varabs each. Zones are counted by
verifyta, where it is installed, or else by the explorer of the tests, which is written in Python: it
takes minutes from 30,000 zones on. Environment: VARABS the program.
"""

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

import coercion

HERE = os.path.dirname(os.path.abspath(__file__))
SIZES = ("1 1 0 1", "1 1 0 2", "1 1 1 1", "1 1 1 2", "2 1 0 1", "2 1 0 2", "2 2 0 2")
A1 = "Authority.tally,Authority.freq"
A2 = A1 + ",Voter.mode"
A3 = "Voter(2..).voted,Voter(2..).p,Voter(2..).np"
LEVELS = {"concrete": None,
          "a1": ["--remove", A1, "--may"],
          "a2": ["--remove", A2, "--may"],
          "a3": ["--remove", A2, "--remove", A3, "--may"],
          "auto": ["--auto", "--may"]}


def zones_by_verifyta(path):
    run = subprocess.run(["verifyta", "-u", path], capture_output=True, text=True, check=False)
    found = re.search(r"States stored\s*:\s*(\d+)", run.stdout)
    return found[1] if found else "-"


def zones_by_oracle(path, most):
    run = subprocess.run([sys.executable, os.path.join(HERE, "../tests/random/timed/zones.py"), path,
                          "--max-zones", str(most)], capture_output=True, text=True, check=False)
    found = re.search(r"zones (\d+)", run.stdout)
    return found[1] if found else f"> {most}" if run.returncode == 3 else run.stderr.strip()


def abstract(model, level, out):
    """Run one command; (what it is, seconds), or None if it was refused."""
    words = [os.environ.get("VARABS", os.path.join(HERE, "../build/varabs")), model, *LEVELS[level],
             "-o", out, "--report", out + ".json"]
    started = time.monotonic()
    run = subprocess.run(words, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        print(f"{shlex.join(words)}: status {run.returncode}: {run.stderr.strip()}", file=sys.stderr)
        return None
    with open(out + ".json", encoding="utf-8") as file:
        exact = json.load(file)["exact"]
    return "exact" if exact else "may", time.monotonic() - started


def row(size, levels, count, folder):
    """The cells of one line of the table."""
    model = os.path.join(folder, size.replace(" ", "_") + ".xml")
    with open(model, "w", encoding="utf-8", newline="\n") as file:
        file.write(coercion.model(*map(int, size.split())))
    cells = []
    for level in levels:
        out, what = model, ""
        if level == "a3" and size.startswith("1"):
            cells.append("-")         # there is no other voter
            continue
        if level != "concrete":
            out = model.replace(".xml", f"_{level}.xml")
            done = abstract(model, level, out)
            if done is None:
                cells.append("refused")
                continue
            what = f" {done[0]}, {done[1] * 1000:.0f} ms"
        cells.append(count(out) + what)
    return cells


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default=";".join(SIZES))
    parser.add_argument("--levels", default=",".join(LEVELS))
    parser.add_argument("--max-zones", type=int, default=100000)
    parser.add_argument("--keep", metavar="DIR", help="leave the models there")
    options = parser.parse_args()
    levels = options.levels.split(",")
    by_verifyta = shutil.which("verifyta") is not None
    count = zones_by_verifyta if by_verifyta else lambda path: zones_by_oracle(path, options.max_zones)
    print(f"Zones stored, by {'verifyta' if by_verifyta else 'tests/random/timed/zones.py'}.\n")
    print(f"| NV NC RV CTYPE | {' | '.join(levels)} |\n|---|{'---|' * len(levels)}")
    is_whole = True
    with tempfile.TemporaryDirectory() as own:
        folder = options.keep or own
        os.makedirs(folder, exist_ok=True)
        for size in filter(None, map(str.strip, options.sizes.split(";"))):
            cells = row(size, levels, count, folder)
            is_whole &= "refused" not in cells
            print(f"| {size} | {' | '.join(cells)} |", flush=True)
    return 0 if is_whole else 1


if __name__ == "__main__":
    sys.exit(main())
