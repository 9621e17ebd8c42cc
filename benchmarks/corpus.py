#!/usr/bin/env python3
"""corpus.py [OPTION...] — what `--auto --may` makes of models that people wrote, and what it costs.

Each untimed model of a folder and of benchmarks/ is checked, asked for suggestions, abstracted with
`--auto --may`, and the output is checked: one line each, with states before and after, and processor
seconds of whole processes with one thread. Then it is abstracted for each of its queries by itself
(by_query.py). A model that varabs refuses, as it does where there are clocks, is left
out. The folder is ../shared/models/corpus beside the repository, or $VARABS_SHARED/models/corpus, or
--folder; without one there are only the models of benchmarks/.

What is done is kept under digests of program, model and limit, so that a run that was ended goes on where it
was. Results go to build/corpus/, or --out: results.json and results.md.
  --every N      only each Nth model, to get a picture soon
  --limit S      seconds of processor for each process (20)
  --only TEXT    only models with this in their name
  --without TEXT none of these; may be repeated
  --against FILE another results.json, whose figures stand beside these in the summary
  --readme FILE  rewrites the table in this file
Environment: VARABS the program, VARABS_SHARED.
"""

import argparse
import glob
import hashlib
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..")
sys.path.insert(0, HERE)

import by_query  # noqa: E402
from measure import VARABS, machine, write  # noqa: E402
from measure import Run as Process  # noqa: E402

SHARED = os.environ.get("VARABS_SHARED", os.path.join(ROOT, "..", "shared"))
GENERATED = [["postal.py", "2", "2"], ["postal.py", "4", "3"], ["election.py", "3", "2"],
             ["caches.py", "3", "2"], ["cards.py", "4", "2"], ["transmission.py", "3"]]
MEMORY = "2G"
LEAST = 0.02  # seconds: what takes less is not told apart


def models(folder, scratch):
    """(name, path) of each."""
    found = [(os.path.relpath(path, folder), path)
             for path in sorted(glob.glob(os.path.join(folder, "**", "*.xml"), recursive=True))]
    found += [(os.path.relpath(path, ROOT), path)
              for path in sorted(glob.glob(os.path.join(HERE, "**", "*.xml"), recursive=True))]
    for script, *arguments in GENERATED:
        text = subprocess.run([sys.executable, os.path.join(HERE, script), *arguments],
                              capture_output=True, text=True, check=True).stdout
        path = os.path.join(scratch, f"{script[:-3]}_{'_'.join(arguments)}.xml")
        write(path, text)
        found.append((f"benchmarks/{script} {' '.join(arguments)}", path))
    return found


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


class Run(Process):
    """One that has so many seconds of processor, however busy the machine is."""

    def __init__(self, command, folder, limit):
        seconds = max(1, round(limit))
        super().__init__(["sh", "-c", f'ulimit -t {seconds}; exec "$@"', "sh", *command], folder,
                         60 * limit)
        if self.status is not None and not 0 <= self.status < 128:
            self.status = None  # ended by a signal, here or within GNU time


def explore(path, scratch, limit):
    run = Run([VARABS, "check", "--full", "--jobs", "1", "--max-memory", MEMORY, "--json", "-", path],
              scratch, limit)
    try:
        report = json.loads(run.text)
        states = int(report["states_text"]) if report["is_complete"] else None
    except (ValueError, KeyError):
        states = None
    return states, run.processor


def formulas(path, scratch, limit):
    """The queries that can be checked."""
    run = Run([VARABS, "check", "--max-states", "1", "--jobs", "1", "--json", "-", path], scratch, limit)
    try:
        return [entry["formula"] for entry in json.loads(run.text)["queries"]]
    except (ValueError, KeyError):
        return []


def for_query(path, formula, scratch, limit):
    """The states of the model that is made for one query; None if they are not known."""
    out = os.path.join(scratch, "query.xml")
    run = Run([VARABS, path, "--auto", "--may", "--query", formula, "-o", out, "--report",
               os.path.join(scratch, "query.json")], scratch, limit)
    return explore(out, scratch, limit)[0] if run.status == 0 else None


def measure(path, scratch, limit):
    """The figures of a model; None if it is refused."""
    out = os.path.join(scratch, "out.xml")
    if Run([VARABS, "check", "--max-states", "1", path], scratch, limit).status in (2, 3, 4):
        return None
    result = {"after": None}
    result["before"], result["check"] = explore(path, scratch, limit)
    run = Run([VARABS, "suggest", path], scratch, limit)
    result["suggest"] = None if run.status is None else run.processor
    run = Run([VARABS, path, "--auto", "--may", "-o", out, "--report",
               os.path.join(scratch, "out.json")], scratch, limit)
    result["auto"] = None if run.status is None else run.processor
    result["status"] = run.status
    if run.status == 0:
        result["after"], result["check_after"] = explore(out, scratch, limit)
    if result["before"]:
        result["queries"] = [{"formula": formula, "after": for_query(path, formula, scratch, limit)}
                             for formula in formulas(path, scratch, limit)]
    return result


def factor(row):
    return row["before"] / row["after"] if row["before"] and row["after"] else None


def outcome(row):
    """In a word."""
    if row["status"] != 0:
        return "too long" if row["status"] in (None, 5) else "failed"
    ratio = factor(row)
    if ratio is None:
        return "not counted"
    return "smaller" if ratio > 1 else "larger" if ratio < 1 else "same"


def number(value, form=",d"):
    return "" if value is None else format(value, form)


def seconds(value):
    return "too long" if value is None else f"{value:.2f}"


def table(rows):
    lines = ["| model | states before | after | factor | suggest s | auto s | check s | |",
             "|---|---:|---:|---:|---:|---:|---:|---|"]
    for name, row in rows.items():
        result = outcome(row)
        lines.append(f"| {name} | {number(row['before'])} | {number(row['after'])} |"
                     f" {number(factor(row), '.1f')} | {seconds(row['suggest'])} |"
                     f" {seconds(row['auto'])} | {seconds(row['check'])} |"
                     f" {'' if result == 'smaller' else result} |")
    return lines


def middle(values, last=0.5):
    """Of what is in order, the value so far on."""
    values = sorted(math.inf if value is None else value for value in values)
    value = values[min(int(len(values) * last), len(values) - 1)] if values else math.nan
    return "too long" if value == math.inf else f"{value:.2f}"


def summary(rows):
    """(what, figure) of all together; of models with more than 20 states where it is about factors."""
    counted = [row for row in rows.values() if factor(row) is not None and row["before"] > 20]
    factors = [factor(row) for row in counted]
    outcomes = [outcome(row) for row in rows.values()]
    yield "models", f"{len(rows)}"
    for word in ("smaller", "same", "larger", "too long", "not counted", "failed"):
        yield word, f"{outcomes.count(word)}"
    yield "more than 20 states, counted", f"{len(counted)}"
    if counted:
        yield "of these no smaller", f"{sum(value <= 1 for value in factors)}"
        yield "at least 2 times smaller", f"{sum(value >= 2 for value in factors)}"
        yield "at least 10 times smaller", f"{sum(value >= 10 for value in factors)}"
        yield "median factor", f"{statistics.median(factors):.2f}"
        yield "geometric mean of factors", f"{statistics.geometric_mean(factors):.2f}"
    for key in ("suggest", "auto", "check"):
        values = [row[key] for row in rows.values()]
        yield f"seconds of {key}: median, nine tenths, most", (
            f"{middle(values)}, {middle(values, 0.9)}, {middle(values, 1)}")
    ratios = [None if row["auto"] is None else row["auto"] / max(row["check"], LEAST)
              for row in rows.values()]
    yield f"auto to check (at least {LEAST} s): median, most", f"{middle(ratios)}, {middle(ratios, 1)}"
    slow = [name for name, row in rows.items()
            if row["check"] <= 1 and (row["auto"] is None or row["auto"] > 10)]
    yield "check within 1 s, auto over 10 s", f"{len(slow)}"


def summary_table(rows, others):
    figures, before = dict(summary(rows)), dict(summary(others)) if others else {}
    lines = ["| | now | before |", "|---|---:|---:|"] if others else ["| | |", "|---|---:|"]
    for key, value in figures.items():
        lines.append(f"| {key} | {value} |" + (f" {before.get(key, '')} |" if others else ""))
    return lines


def load(path):
    if not path or not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def save(path, value):
    write(path + ".part", json.dumps(value, indent=1) + "\n")
    os.replace(path + ".part", path)


def replace_in(path, lines):
    """What is between the two marks."""
    begin, end = "<!-- corpus:begin -->\n", "<!-- corpus:end -->"
    with open(path, encoding="utf-8") as file:
        text = file.read()
    before, found, rest = text.partition(begin)
    _, found_end, after = rest.partition(end)
    if not found or not found_end:
        sys.exit(f"corpus.py: {path} has no marks {begin.strip()} and {end}")
    write(path, before + begin + "\n".join(lines) + "\n" + end + after)


def run_all(arguments, scratch):
    """Figures by name, of what the options choose."""
    path = os.path.join(arguments.out, "results.json")
    store, rows, program = load(path).get("store", {}), {}, digest(VARABS)
    chosen = [(name, file) for name, file in models(arguments.folder, scratch)
              if (not arguments.only or arguments.only in name)
              and not any(text in name for text in arguments.without)][::arguments.every]
    for at, (name, file) in enumerate(chosen):
        key = f"{program} {digest(file)} {arguments.limit} by query"
        if key not in store:
            store[key] = measure(file, scratch, arguments.limit)
            save(path, {"store": store})
        if store[key]:
            rows[name] = store[key]
            print(f"{at + 1}/{len(chosen)} {table({name: store[key]})[2]}", flush=True)
    save(path, {"store": store, "rows": rows})
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", default=os.path.join(SHARED, "models", "corpus"))
    parser.add_argument("--out", default=os.path.join(ROOT, "build", "corpus"))
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--limit", type=float, default=20)
    parser.add_argument("--only")
    parser.add_argument("--without", action="append", default=[])
    parser.add_argument("--against")
    parser.add_argument("--readme")
    arguments = parser.parse_args()
    os.makedirs(arguments.out, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="varabs-corpus-") as scratch:
        rows = run_all(arguments, scratch)
    others = {name: row for name, row in load(arguments.against).get("rows", {}).items() if name in rows}
    lines = [f"{machine()}; {arguments.limit:g} s of processor for each process.", "", *summary_table(rows, others), "",
             *table(rows), "", *by_query.lines_of(rows)]
    write(os.path.join(arguments.out, "results.md"), "\n".join(lines) + "\n")
    print("\n" + "\n".join(summary_table(rows, others)))
    print("\n" + "\n".join(by_query.lines_of(rows)))
    if arguments.readme:
        replace_in(arguments.readme, lines)
    problems = by_query.worse(rows)
    for problem in problems:
        print(f"corpus.py: {problem}", file=sys.stderr)
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
