#!/usr/bin/env python3
"""ltsmin.py [FAMILY:ARGUMENT,...] ... — sets of states: `varabs check --engine symbolic` against `pins2lts-sym`.

Both read the same model, without queries: LTSmin by the module that `make pins` builds, saturating, on one
thread, with each of its automatic orders in turns, of which the quickest counts. varabs finds its order itself,
and counts transitions and deadlocks as well. Processor seconds of whole processes, medians of ROUNDS;
`search` is what LTSmin says of itself, without the tables that it fills first and without counting.
FAMILY is the name of a generator in this folder. Environment: VARABS the program, PINS the module, ROUNDS (3),
LIMIT in seconds for one run (60), LTSMIN a folder with `pins2lts-sym` if it is not on the path.
"""

import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

from measure import VARABS, Run  # noqa: E402

PINS = os.path.abspath(os.environ.get("PINS", os.path.join(HERE, "..", "build", "varabs-pins.so")))
LTSMIN = shutil.which("pins2lts-sym", path=os.environ.get("LTSMIN"))
ROUNDS = int(os.environ.get("ROUNDS", "3"))
LIMIT = float(os.environ.get("LIMIT", "60"))
ORDERS = ("bs,hf", "tg,bs,hf", "gs", "tg,bcm,hf", "f,rs,ru,hf", "cw,cs,rs,ru,hf")
USUAL = ("postal:6,3", "postal:9,3", "postal:13,3", "postal:20,3", "caches:4,2", "caches:5,2", "caches:4,3",
         "cryptographers:9", "castles:3,2,1,1", "castles:3,2,2,1", "simple_voting:8", "simple_voting:12",
         "trains:15", "queues:4,3", "election:4,2")


class Result:
    """A run, and what it found; states is None if it found nothing."""

    def __init__(self, command, states, search=None):
        run = Run(command, limit=LIMIT)
        self.processor, self.peak = run.processor, run.peak
        self.states, self.search = states(run.text + run.errors), search and search(run.text + run.errors)


def states_of_varabs(text):
    try:
        return int(json.loads(text[text.index("{"):])["states_text"])
    except (ValueError, KeyError, TypeError):
        return None


def states_of_ltsmin(text):
    found = re.search(r"state space has (?:precisely )?([0-9.e+]+) states", text)
    return found and float(found[1])


def search_of_ltsmin(text):
    found = re.search(r"reachability took [0-9.]+ real ([0-9.]+) user", text)
    return float(found[1]) if found else None


def varabs(model):
    return Result([VARABS, "check", "--engine", "symbolic", "--jobs", "1", "--full", "--json", "-", model],
                  states_of_varabs)


def ltsmin(model, order):
    return Result([LTSMIN, f"--loader={PINS}", "--saturation=sat", "--vset=lddmc", "--lace-workers=1",
                   f"--regroup={order}", model], states_of_ltsmin, search_of_ltsmin)


def write_model(name, folder):
    family, _, arguments = name.partition(":")
    text = subprocess.run([sys.executable, os.path.join(HERE, family + ".py"), *arguments.split(",")],
                          check=True, stdout=subprocess.PIPE, text=True).stdout
    path = os.path.join(folder, re.sub(r"\W", "_", name) + ".xml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(re.sub(r"\s*<queries>.*</queries>", "", text, flags=re.DOTALL))
    return path


def median(results, get):
    return statistics.median(get(result) for result in results)


def row(name, folder):
    """Prints one; whether both found the same states."""
    model = write_model(name, folder)
    orders = {order: ltsmin(model, order) for order in ORDERS}
    ended = [order for order in ORDERS if orders[order].states]
    best = min(ended, key=lambda order: orders[order].processor, default=None)
    ours, theirs = [], []
    for _ in range(ROUNDS):
        ours.append(varabs(model))
        if best:
            theirs.append(ltsmin(model, best))
    states = {result.states for result in ours}
    same = len(states) == 1 and None not in states and all(
        result.states and abs(result.states / ours[0].states - 1) < 1e-12 for result in theirs)
    seconds, mebibytes = median(ours, lambda result: result.processor), ours[0].peak >> 20
    print(f"| {name.replace(':', ' ')} | {ours[0].states or '-'} | {seconds:.2f} | {mebibytes} | ", end="")
    if best:
        whole = median(theirs, lambda result: result.processor)
        print(f"{best} | {whole:.2f} | {median(theirs, lambda result: result.search or 0):.2f} | {theirs[0].peak >> 20} | "
              f"{whole / seconds:.1f} | {'yes' if same else 'NO'} |", flush=True)
    else:
        print(f"none in {LIMIT:.0f} s | | | | | |", flush=True)
    return same or not best


def main():
    if not LTSMIN or not os.path.exists(PINS):
        print("ltsmin.py: no pins2lts-sym, or no module for it (make pins)", file=sys.stderr)
        return 2
    print("| model | states | varabs s | MiB | best order | pins2lts-sym s | search s | MiB | ratio | same states |\n"
          "|---|---:|---:|---:|---|---:|---:|---:|---:|---|")
    with tempfile.TemporaryDirectory() as folder:
        rows = [row(name, folder) for name in sys.argv[1:] or USUAL]
    return 0 if all(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
