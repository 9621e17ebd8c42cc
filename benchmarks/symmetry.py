#!/usr/bin/env python3
"""symmetry.py [OPTION...] [MODEL...] — who may change places in models, and what that saves.

Each model is checked four times in full: without symmetry, by default, and wherever somebody may change places
(`--symmetry report`) with one job and with two. States, transitions, deadlocks, errors, verdicts and
bounds have to be the same; where they are not, or where the default is slower than without by more than a
fifth and 50 ms, the model is named, and the exit status is 1. The table has models in which somebody
may change places: blocks, states, orbits, and processor seconds of whole processes.

Without models these are some of each family of benchmarks/, those of tests/models, and those of
folders: models/corpus, models/timed and models/found in ../shared beside the repository or in $VARABS_SHARED, or --folder (more
than once).
  --limit S      seconds for each process (10); what takes longer is left out
  --only TEXT    only models with this in their name
  --every N      only each Nth model
  --public       only those of the folders
  --readme FILE  rewrites the table in this file
  --auto         instead: who may change places, states and orbits before and after `--auto --may`, and geometric
                 means of models with more than 20 states in which somebody may change places
Environment: VARABS the program, VARABS_SHARED.
"""

import argparse
import glob
import json
import math
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..")
sys.path.insert(0, HERE)

from measure import VARABS, Run, machine  # noqa: E402

FAMILIES = [("postal", "2 2"), ("postal", "3 2"), ("postal", "3 3"), ("postal", "4 2"),
            ("postal", "4 3"), ("postal", "5 2"), ("postal", "6 2"), ("election", "2 2"),
            ("election", "3 2"), ("election", "3 3"), ("election", "3 4"), ("election", "4 2"),
            ("trains", "3"), ("trains", "5"), ("trains", "8"), ("trains", "12"), ("asv", "3"), ("asv", "5"),
            ("transmission", "5"), ("simple_voting", "2"), ("simple_voting", "3"), ("caches", "2 2"),
            ("caches", "3 1"), ("tianji", "3"), ("cards", "2 1"), ("castles", "2 1 1 1"), ("children", "3"),
            ("cryptographers", "3"), ("messengers", "3"), ("queues", "2 2"), ("registry", "3 8"),
            ("puzzle", "2 3"), ("simultaneous", "2 1")]
MARKS = {False: ("<!-- symmetry -->", "<!-- end -->"), True: ("<!-- symmetry auto -->", "<!-- end auto -->")}
TOLD = ("states", "transitions", "deadlocks", "errors")


def families(folder):
    """Models of the families, as far as their generators take these sizes."""
    for name, sizes in FAMILIES:
        path = os.path.join(folder, "_".join([name, *sizes.split()]) + ".xml")
        with open(path, "wb") as file:
            subprocess.run([sys.executable, os.path.join(HERE, name + ".py"), *sizes.split()],
                           stdout=file, check=True)
        yield path


class Answer:
    """What one run says; its least processor time of several if it is short and that is asked for."""

    def __init__(self, path, limit, *more, times=3):
        command = [VARABS, "check", path, "--full", "--json", "-", "--timeout", str(limit), *more]
        run = Run(command, limit=limit * 2)
        self.status, self.text, self.errors = run.status, run.text, run.errors
        self.seconds = run.processor
        for _ in range(times - 1 if run.processor < 0.3 else 0):
            self.seconds = min(self.seconds, Run(command, limit=limit * 2).processor)
        self.result = json.loads(run.text) if run.text.startswith("{") else None

    def is_complete(self):
        return self.result is not None and self.result["is_complete"]

    def told(self):
        return [self.result.get(key) for key in TOLD] + [
            (query["verdict"], query.get("bounds")) for query in self.result["queries"]]


def text_of_blocks(blocks):
    return ", ".join(f"{len(block['elements'])} {'copies of ' if block['kind'] == 'copies' else ''}{block['of']}"
                     f"{' (tried)' if block.get('is_tried') else ''}" for block in blocks)


class Row:
    """A model, and what came of it."""

    def __init__(self, path, limit):
        self.name = os.path.relpath(path, ROOT) if path.startswith(HERE) else os.path.basename(path)
        self.problem, self.blocks, self.orbits, self.is_used = "", "", None, False
        self.off = Answer(path, limit, "--symmetry", "off")
        self.default = Answer(path, limit)
        if self.off.result is None or self.default.result is None:
            self.problem = "" if self.off.result is self.default.result else "only one run has a result"
            return
        self.judge(self.default, "by default")
        self.is_used = bool((self.default.result.get("symmetry") or {}).get("orbits"))
        seconds = self.default.seconds - self.off.seconds
        if self.off.is_complete() and seconds > 0.05 and self.default.seconds > 1.2 * self.off.seconds:
            self.problem = f"{self.default.seconds:.2f} s by default, {self.off.seconds:.2f} s without"
        for jobs in ("1", "2"):
            every = Answer(path, limit, "--symmetry", "report", "--jobs", jobs)
            symmetry = (every.result or {}).get("symmetry")
            if not symmetry or not symmetry["blocks"]:
                return
            self.judge(every, "with --symmetry report --jobs " + jobs)
            self.blocks = text_of_blocks(symmetry["blocks"])
            if every.is_complete():
                self.orbits, self.states = symmetry["orbits"], every.result["states"]

    def judge(self, answer, which):
        if self.off.is_complete() and answer.is_complete() and answer.told() != self.off.told():
            self.problem = f"{which}: {answer.told()}, without {self.off.told()}"

    def line(self):
        states = self.orbits and self.states
        times = f"{self.states / self.orbits:.1f}" if self.orbits else "-"
        return (f"| {self.name[-60:]} | {self.blocks} | {states or '-'} | {self.orbits or '-'} | {times} | "
                f"{self.off.seconds:.2f} | {self.default.seconds:.2f}{' *' if self.is_used else ''} |")


def table(rows):
    lines = ["| model | blocks | states | orbits | times | without, s | by default, s |",
             "|---|---|---|---|---|---|---|"]
    lines += [row.line() for row in rows if row.blocks]
    return "\n".join(lines)


class AutoRow:
    """States and orbits of a model, and of what `--auto --may` makes of it; None where not finished."""

    def __init__(self, path, limit, folder):
        self.name, self.blocks, self.figures, self.problem = os.path.basename(path), "", None, ""
        output = os.path.join(folder, "auto.xml")
        before = self.counted(path, limit)
        if before is None or not self.blocks:
            self.problem = self.problem or "nobody may"
            return
        if os.path.exists(output):
            os.remove(output)
        subprocess.run([VARABS, path, "--auto", "--may", "-o", output, "--timeout", str(limit)],
                       capture_output=True, check=False)
        after = self.counted(output, limit) if os.path.exists(output) else None
        self.figures = after and before + after
        self.problem = "" if after else "not finished after --auto"
        self.name += "" if after else " (not finished after --auto)"

    def counted(self, path, limit):
        every = Answer(path, limit, "--symmetry", "report", times=1)
        if not every.result:
            self.problem = "clocks" if "clock" in every.errors else "refused, or no model"
            return None
        symmetry = every.result.get("symmetry") or {}
        self.blocks = self.blocks or symmetry.get("blocks")
        if not every.is_complete():
            self.problem = "not finished, with somebody who may" if self.blocks else "not finished"
            return None
        return [every.result["states"], symmetry.get("orbits") or every.result["states"]]


def auto_table(paths, limit, folder):
    """Models with the same figures count once."""
    rows, unfinished, problems = {}, {}, {}
    for path in paths:
        row = AutoRow(path, limit, folder)
        if row.figures:
            rows.setdefault(tuple(row.figures), row)
        elif row.blocks:
            unfinished.setdefault(text_of_blocks(row.blocks), row)
        if row.problem:
            problems[row.problem] = problems.get(row.problem, 0) + 1
    lines = ["| model | blocks | states | orbits | states after `--auto` | its orbits |", "|---|---|---|---|---|---|"]
    lines += ["| %s | %s | %d | %d | %d | %d |" % (row.name[-60:], text_of_blocks(row.blocks), *figures)
              for figures, row in rows.items()]
    lines += ["| %s | %s | - | - | - | - |" % (row.name[-60:], blocks) for blocks, row in unfinished.items()]
    large = [figures for figures in rows if figures[0] > 20]
    lines += ["", "Of %d files: %s." % (len(paths), "; ".join("%s: %d" % item for item in sorted(problems.items()))),
              "%d models of more than 20 states, geometric means: orbits %.2f, `--auto` %.2f, both %.2f times smaller." % (
                  len(large), *(math.exp(sum(math.log(own[0] / own[i]) for own in large) / max(1, len(large)))
                                for i in (1, 2, 3)))]
    return "\n".join(lines)


def rewrite(path, text, is_auto):
    begin, end = MARKS[is_auto]
    with open(path, encoding="utf-8") as file:
        old = file.read()
    new = re.sub(f"{begin}.*?{end}", lambda _: f"{begin}\n{text}\n{end}", old, flags=re.S)
    with open(path, "w", encoding="utf-8") as file:
        file.write(new)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    shared = os.environ.get("VARABS_SHARED", os.path.join(ROOT, "..", "shared"))
    parser.add_argument("--folder", action="append")
    parser.add_argument("--public", action="store_true")
    parser.add_argument("--limit", type=int, default=10)
    parser.add_argument("--only", default="")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--readme")
    parser.add_argument("--auto", action="store_true")
    parser.add_argument("models", nargs="*")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        paths = list(options.models)
        if not paths:
            paths = [] if options.public else list(families(folder))
            own = [] if options.public else [os.path.join(ROOT, "tests", "models"), HERE]
            for place in own + (options.folder or [os.path.join(shared, "models", name) for name in ("corpus", "timed", "found")]):
                paths += sorted(glob.glob(os.path.join(glob.escape(place), "**", "*.xml"), recursive=True))
        if options.auto:
            text = auto_table([path for path in paths if options.only in path][::options.every],
                              options.limit, folder)
            if options.readme:
                rewrite(options.readme, text, True)
            print(text)
            return False
        rows = []
        for path in [path for path in paths if options.only in path][::options.every]:
            rows.append(Row(path, options.limit))
            if rows[-1].problem:
                print(f"{path}: {rows[-1].problem}", file=sys.stderr, flush=True)
    text = table(rows)
    if options.readme:
        rewrite(options.readme, f"{machine()}\n\n{text}", False)
    print(text)
    print(f"{len(rows)} models, {sum(1 for row in rows if row.blocks)} with blocks, "
          f"{sum(1 for row in rows if row.is_used)} by orbits by default, "
          f"{sum(1 for row in rows if row.problem)} with problems")
    return any(row.problem for row in rows)


if __name__ == "__main__":
    sys.exit(main())
