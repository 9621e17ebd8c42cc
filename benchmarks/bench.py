#!/usr/bin/env python3
"""bench.py [GROUP...] — time varabs, whole processes, and print tables.

Groups: recv, postal, read, combined, random, check; all by default. README.md says what the rows mean.
Times are medians of RUNS runs after one that does not count; processor time is user and system
together, hyperfine's mean. Times are hyperfine's where that is installed, peak memory is GNU
time's; without them this program measures, and then memory below its own (some 15 MiB) does not
show. Growth exponents are of processor time, which a busy machine disturbs less.
Environment: VARABS the program, RUNS, LIMIT in seconds.
"""

import json
import math
import os
import random
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "tests", "random"))
sys.path.insert(0, HERE)

import check  # noqa: E402
import large  # noqa: E402
import postal  # noqa: E402
from measure import VARABS, Run, machine, write  # noqa: E402

RUNS = int(os.environ.get("RUNS", "7"))
LIMIT = float(os.environ.get("LIMIT", "100"))
HYPERFINE = shutil.which("hyperfine")
MEMORY = ("mem_sg", "mem_vt", "mem_dec", "dec_recv")


class Figures:
    """Wall-clock and processor seconds, peak MiB and exit status of a command."""

    def __init__(self, seconds, cpu, peak, status):
        self.seconds, self.cpu, self.peak, self.status = seconds, cpu, peak, status


def measure(command, folder):
    first = Run(command, folder, LIMIT)            # warms up, too
    peak = first.peak / 2**20
    if first.status is None:
        return Figures(None, None, peak, None)
    if HYPERFINE:
        log = os.path.join(folder, "times.json")
        words = shlex.join(command)
        subprocess.run([HYPERFINE, "--shell=none", "--ignore-failure", "--style=none",
                        f"--runs={max(RUNS, 2)}", "--export-json", log, words],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        with open(log, encoding="utf-8") as file:
            result = json.load(file)["results"][0]
        return Figures(result["median"], result["user"] + result["system"], peak, first.status)
    runs = [Run(command, folder, LIMIT) for _ in range(RUNS)]
    return Figures(statistics.median(run.wall for run in runs),
                   statistics.median(run.processor for run in runs), peak, first.status)


def abstract(folder, model, removal, *options):
    out = os.path.join(folder, "out.xml")
    return [VARABS, model, "--remove", removal, "--may", "-o", out,
            "--report", os.path.join(folder, "out.json"), *options]


def postal_model(folder, voters):
    path = os.path.join(folder, f"postal_{voters}.xml")
    if not os.path.exists(path):
        write(path, postal.model(voters, 3))
    return path


def title(text):
    print(f"\n{text}\n")


def row(name, figures, more=""):
    result = {0: "", 5: "budget", None: "too long"}.get(figures.status,
                                                        f"status {figures.status}")
    times = ["-" if value is None else f"{value * 1000:.1f} ms"
             for value in (figures.seconds, figures.cpu)]
    print(f"| {name:<16} | {times[0]:>10} | {times[1]:>10} | {figures.peak:6.1f} MiB |"
          f" {more or result} |", flush=True)


def head(name, more=""):
    print(f"| {name:<16} | {'median':>10} | {'processor':>10} | {'peak':>10} | {more} |\n"
          "|---|---:|---:|---:|---|")


def exponent(figures, size, last):
    """How the processor time grows; last is (size, seconds) of a smaller case or None."""
    if not last or not figures.cpu:
        return ""
    return f"{math.log(figures.cpu / last[1]) / math.log(size / last[0]):.2f}"


def group_recv(folder):
    title("Postal voting, `dec_recv` of the authority removed")
    head("voters", "prototype")
    published = {6: "12 s", 7: "83 s", 8: "more than 300 s", 9: "70 s"}
    for voters in (6, 7, 8, 9):
        command = abstract(folder, postal_model(folder, voters), "Authority.dec_recv")
        row(voters, measure(command, folder), published[voters])


def group_postal(folder):
    title("Postal voting, growing")
    head("voters, removed", "growth exponent")
    for removal in (",".join(MEMORY),) + MEMORY:
        last = None
        for voters in (100, 300, 1000, 3000, 10000):
            figures = measure(abstract(folder, postal_model(folder, voters), removal), folder)
            name = "all four" if "," in removal else removal
            row(f"{voters} {name}", figures, exponent(figures, voters, last))
            last = (voters, figures.cpu) if figures.cpu else None


def group_read(folder):
    title("A large model: read, checked, instantiated, written back (`info --rewrite`)")
    head("size of the file", "growth exponent")
    last = None
    for megabytes in (5, 10, 20):
        path = os.path.join(folder, f"large_{megabytes}.xml")
        write(path, large.model(megabytes * 1000000))
        size = os.path.getsize(path) / 1e6
        figures = measure([VARABS, "info", path, "--rewrite", os.path.join(folder, "out.xml")],
                          folder)
        if figures.status == 0:
            with open(path, "rb") as one, open(os.path.join(folder, "out.xml"), "rb") as other:
                if one.read() != other.read():
                    sys.exit("the file was not written back as it was")
        row(f"{size:.1f} MB", figures, exponent(figures, size, last))
        last = (size, figures.cpu) if figures.cpu else None
        os.remove(path)


def group_combined(folder):
    title("Postal voting, all four removed, `--approx combined`")
    head("voters")
    for voters in range(1, 9):
        row(voters, measure(abstract(folder, postal_model(folder, voters), ",".join(MEMORY),
                                     "--approx", "combined"), folder))


def group_random(folder):
    """Every seed once: the median and the slowest of many short runs."""
    from generators.generate import generate
    title("Random models (`tests/random/generators/generate.py`), one variable removed")
    head("models", "most processor time, refused")
    times, cpu, peak, refused = [], [], 0, 0
    path = os.path.join(folder, "random.xml")
    for seed in range(1, 201):
        text, names = generate(seed)
        if not names:
            continue
        write(path, text)
        name = random.Random(seed).choice(names)
        command = abstract(folder, path, name if name.startswith("T") else "." + name)
        Run(command, folder, LIMIT)
        run = Run(command, folder, LIMIT)
        times.append(run.wall)
        cpu.append(run.processor)
        refused += run.status not in (0, None)
        peak = max(peak, run.peak / 2**20)
    row(len(times), Figures(statistics.median(times), statistics.median(cpu), peak, 0),
        f"{max(cpu) * 1000:.1f} ms, {refused} refused")


def group_check(folder):
    title(f"`varabs check` and Spin, whole state spaces, medians of {check.ROUNDS} rounds")
    if not check.table(folder):
        sys.exit("the numbers of states differ")


def main():
    groups = {name[6:]: function for name, function in globals().items()
              if name.startswith("group_")}
    wanted = sys.argv[1:] or list(groups)
    if set(wanted) - set(groups):
        sys.exit(f"usage: bench.py [{'|'.join(groups)}]...")
    print(f"{machine()}\nmedians of {RUNS} runs, timed by"
          f" {'hyperfine' if HYPERFINE else 'this program'}")
    with tempfile.TemporaryDirectory(prefix="varabs-bench-") as folder:
        for name in wanted:
            groups[name](folder)


if __name__ == "__main__":
    main()
