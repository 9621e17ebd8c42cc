#!/usr/bin/env python3
"""Do the random tests find bugs? Plants them one by one and looks.

    planted.py [NAME...]         plants all, or those named, and looks for each
    planted.py --dry [NAME...]   only sees whether the code to change is still there

A bug is a small change of a copy of src/ in ROOT/NAME; planted/ROOM.txt has those of one room:

    # What is wrong then.
    === NAME KINDS
    --- FOLDER or FILE
    text
    +++
    text instead

Blanks are free in the text that is looked for; it must be there exactly once in all the .c files below the
FOLDER, so that bugs follow code that moves. There may be several changes. KINDS says how it is looked
for: a row of SEARCHES, perhaps with the first seed (`cells:400001`), `cli:GROUP` for a group of tests/cli/run.sh, whose first failure counts,
`unit:SUITE` for a suite of tests/unit, `golden:CASE` for a case of tests/golden, likewise, or kinds of failures of run.py for removals of one variable. Seeds for which the
changed program writes something else than the right one are judged in order, until one fails in an
expected way, as it must not with the right program. A seed in planted/seeds is tried first. Prints for
each bug its name, the seed, how many seeds were judged, and the kind of failure; seeds that were
found are in ROOT/seeds, to be noted.

Environment: JOBS programs at a time, LAST the last seed to try, ROOT where to work.
"""
import functools
import glob
import hashlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import types
from multiprocessing.pool import ThreadPool

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
ROOT = os.environ.get("ROOT", "build/planted")
JOBS = int(os.environ.get("JOBS", "2"))
LAST = int(os.environ.get("LAST", "3000"))
MOST_JUDGED, MOST_CHECKED = 250, 1000
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True

# How bugs are looked for: the arguments of run.py (None: a script of its own, named like the row), and
# the kinds of failures that count.
SEARCHES = {
    "check": (["--mode", "check"], "check: [^:]*"),
    "decide": (["--mode", "decide"], "decide: [^:]*"),
    "certify": (["--certify", "--waiting", "--mode", "may", "--mode", "must"], "certify"),
    "must": (["--mode", "must"], "must|exact|unusable output"),
    "combined": (["--mode", "must", "--approx", "combined"], "must|exact"),
    "explored": (["--explore", "--mode", "may"], "exact|auto"),
    "auto": (["--counting", "--mode", "auto"], "exact|auto"),
    "claims": (["--claims", "--scopes", "--mode", "may", "--mode", "must"], "claim"),
    "waiting": (["--waiting", "--claims", *["--mode", "may"] * 3, "--mode", "must"],
            "claim|may|must|exact|unusable output"),
    "counting": (["--counting", "--mode", "may", "--mode", "must"],
            "may|must|exact|initial|unusable output"),
    "waiting-merges": (["--waiting", "--claims", "--merges"], "claim"),
    "processes": (["--processes", "--scopes", "--mode", "may", "--mode", "must"],
            "may|must|exact|initial|query|unusable output|status 3"),
    "engines": (None, "[^w].*"),
    "grid": (None, "[^w].*"),
    "certified": (None, "[^w].*"),
    "knowledge": (None, "[^w].*"),
    "knowledge_claims": (None, "[^w].*"),
    "nested": (None, "claim"),
    "refinement": (None, "[^w].*"),
    "fairness": (None, "[^w].*"),
    "timed/timed": (None, "[^w].*"),
    "timed/decide": (None, "decide decided"),
    "mixed": (None, "[^w].*"),
    "decide_formulas": (None, "[^w].*"),
    "mixed_strategies": (None, "[^w].*"),
    "favour": (None, "[^w].*"),
    "without": (None, "[^w].*"),
    "lacking": (None, "[^w].*"),
    "exchanged": (None, "[^w].*"),
    "looked_for": (None, "[^w].*"),
    "symmetry/judge": (None, "[^w].*"),
    "symmetry/figures": (None, "[^w].*"),
    "symmetry/twists": (None, "[^w].*"),
    "symmetry/scalars": (None, "[^w].*"),
    "symmetry/pairs": (None, "[^w].*"),
    "strategies": (None, "[^w].*"),
    "strategy_claims": (None, "claim|it is"),
    "cells": (None, "[^w].*"),
    "own_cells": (None, "[^w].*"),
    "aimed_cells": (None, "[^w].*"),
    "scoped": (None, "[^w].*"),
    "scoped_cells": (None, "[^w].*"),
    "scalar_pairs": (None, "[^w].*"),
    "scalars": (None, "[^w].*"),
    "related": (None, "[^w].*"),
    "metas": (None, "[^w].*"),
    "proposed": (None, "[^w].*"),
    "data": (None, "[^w].*"),
    "arguments": (None, "[^w].*"),
    "renamed": (None, "[^w].*"),
    "references": (["--references", "--mode", "may", "--mode", "must"],
            "may|must|exact|initial|query|unusable output|status 3"),
    "merges": (["--merges", "--mode", "may", "--mode", "must"], "may|must|exact|initial"),
    "scopes": (["--scopes", "--mode", "may", "--mode", "must"], "may|must|exact|rest"),
    "named": (["--together", "--strict-errors", "--mode", "may", "--mode", "must"],
            "may|must|exact|new-error|signal 6|unusable output"),
    "normal": (["--together", "--mode", "auto"],
            "may|exact|auto|initial|unusable output|signal 6"),
    "said": (["--together", "--mode", "auto"], "said"),
    "fails": (["--together", "--failing", "--mode", "auto"],
            "may|exact|auto|initial"),
    "guards-fail": (["--failing-guards", "--mode", "may", "--mode", "must"], "may|must|exact"),
    "fails-claims": (["--failing", "--claims", "--mode", "may", "--mode", "must"], "claim"),
    "failing": (["--together", "--strict-errors", "--mode", "auto"], "new-error"),
    "claims-scopes-failing": (["--scopes", "--failing", "--strict-errors", "--claims", "--mode", "may"],
            "exact"),
    "pairs": (["--together", "--failing", "--strict-errors", "--mode", "may"],
            "may|new-error"),
    "together": (["--together", "--scopes", "--mode", "may", "--mode", "must"],
            "may|must|exact|unusable output"),
}
FIRST_SEED = {"merges": 2001}  # seeds of which some hand over within a step


class Stopped(Exception):
    pass


# Bugs and their changes

@functools.cache
def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def bugs_of(path):
    """Yields NAME, KINDS, [(FOLDER, text, text instead)...]."""
    text = re.sub(r"^# .*\n", "", read(path), flags=re.M)
    for block in re.split(r"^=== ", text, flags=re.M)[1:]:
        head, rest = block.split("\n", 1)
        name, kinds = head.split(" ", 1)
        changes = []
        for change in re.split(r"^--- ", rest, flags=re.M)[1:]:
            folder, both = change.split("\n", 1)
            changes.append((folder, *re.split(r"^\+\+\+\n", both, flags=re.M)))
        yield name, kinds, changes


def change(tree, changes, is_trial=False):
    """Changes a tree; what is wrong, or None."""
    for folder, old, new in changes:
        words, places = old.split(), []
        pattern, longest = r"\s+".join(map(re.escape, words)), max(words, key=len)
        for path in glob.glob(f"{tree}/{folder}/**/*.c", recursive=True) or [f"{tree}/{folder}"]:
            if longest in read(path):
                places += [(path, found.span()) for found in re.finditer(pattern, read(path))]
        if len(places) != 1:
            return f"{folder}: there are {len(places)} places to change: {' '.join(words)}"
        path, (begin, end) = places[0]
        text = read(path)
        if not is_trial:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text[:begin] + new.strip() + text[end:])
            read.cache_clear()
    return None


# Judging: removals of one variable, by what the program writes

def answer(program, case):
    from run import Case, command_of
    seed, number, names, approx = case
    out = f"{ROOT}/out/{seed}-{number}"
    command = command_of(types.SimpleNamespace(varabs=program, explore=False), f"{ROOT}/models/{seed}.xml",
                         out + ".xml", out + ".json", Case(seed, 0, names, "may", approx))
    try:
        # By `timeout`, which also ends what the end of this program leaves behind.
        status = subprocess.run(["timeout", "20", *command], capture_output=True).returncode
        text = open(out + ".xml", "rb").read() if status == 0 else b""
        exact = json.load(open(out + ".json"))["exact"] if status == 0 else None
    except (OSError, ValueError, KeyError) as error:
        return type(error).__name__
    finally:
        for end in (".xml", ".json"):
            if os.path.exists(out + end):
                os.remove(out + end)
    return f"{status} {exact} {hashlib.sha256(text).hexdigest()}"


def failure(program, seed, kinds):
    text = subprocess.run([sys.executable, f"{ROOT}/oracle/run.py", "--varabs", program,
                           "--seeds", f"{seed}..{seed}", "--keep", f"{ROOT}/kept"],
                          capture_output=True, text=True).stdout
    if not re.search(r"^\d+ passed, ", text, flags=re.M):
        raise Stopped(f"run.py cannot judge seed {seed}")
    found = re.search(rf"^seed \d+: ({kinds}): ", text, flags=re.M)
    return found and found[1]


def right_program():
    return f"{ROOT}/base/build/varabs"


@functools.cache
def right_answers():
    """Removals from models of all seeds, made as run.py does, and the answers of the right program."""
    from generators.generate import generate
    from run import choose_removals
    for folder in ("models", "out"):
        os.makedirs(f"{ROOT}/{folder}", exist_ok=True)
    found = []
    for seed in range(1, LAST + 1):
        text, candidates = generate(seed, ())
        with open(f"{ROOT}/models/{seed}.xml", "w", encoding="utf-8") as file:
            file.write(text)
        rng = random.Random(seed * 7919 + 17)
        if not candidates:
            continue
        for number, names in enumerate(choose_removals(rng, candidates, rng.randint(1, 3))):
            approx = "combined" if rng.random() < 0.15 else None
            rng.choice(["may"])
            found.append((seed, number, names, approx))
    with ThreadPool(JOBS) as pool:
        return list(zip(found, pool.map(lambda case: answer(right_program(), case), found)))


def find_by_answers(program, kinds):
    judged, last, kind = 0, None, None
    with ThreadPool(JOBS) as pool:
        answers = pool.imap(lambda entry: answer(program, entry[0]), right_answers(), chunksize=16)
        for (case, right), text in zip(right_answers(), answers):
            if text == right or case[0] == last:
                continue
            last = case[0]
            judged += 1
            kind = failure(program, last, kinds)
            if kind and failure(right_program(), last, kinds):
                kind = None  # it fails without the bug, too
            if kind or judged == MOST_JUDGED:
                pool.terminate()
                break
    return (last, judged, kind) if kind else f"not found, {judged} judged"


# Judging: by one of the searches

def searched(name, program, first, last):
    """SEED, KIND of the first failure."""
    arguments, kinds = SEARCHES[name]
    script = ["run.py"] if arguments else ["", name if "/" in name else f"judges/{name}"]
    text = subprocess.run([sys.executable, os.path.join(ROOT, "oracle", script[0]), *script[1:], "--varabs", program,
                           *(arguments or []), "--seeds", f"{first}..{last}",
                           "--jobs", str(JOBS), "--timeout", "5", "--keep", f"{ROOT}/kept"],
                          capture_output=True, text=True).stdout
    if not re.search(r"^\d+ passed, ", text, flags=re.M):
        raise Stopped(f"{script[-1]} cannot judge seeds {first} to {last}")
    # seed 0 is no model: too few say something, of one or twenty
    found = re.search(rf"^seed ([1-9]\d*): ({kinds})", text, flags=re.M)
    return found and (int(found[1]), found[2])


def find_by_search(name, program, first):
    start = first or FIRST_SEED.get(name, 1)
    end = start + MOST_CHECKED
    while start < end:
        found = searched(name, program, start, min(start + 19, end))
        if not found:
            start += 20
        elif not searched(name, right_program(), found[0], found[0]):
            return found[0], found[0] - (first or 1) + 1, found[1]
        else:
            start = found[0] + 1  # it fails without the bug, too
    return f"not found, {MOST_CHECKED} judged"


def find_by_commands(program, group):
    text = subprocess.run(["tests/cli/run.sh", group], capture_output=True, text=True,
                          env=os.environ | {"VARABS": os.path.realpath(program)}).stdout
    found = re.search(r"^FAIL (.*)", text, flags=re.M)
    return (0, 1, found[1]) if found else f"not found by tests/cli/run.sh {group}"


def find_by_case(program, case):
    text = subprocess.run(["tests/golden/run.sh", case], capture_output=True, text=True,
                          env=os.environ | {"VARABS": os.path.realpath(program)}).stdout
    found = re.search(r"^FAIL .*\n *(.*)", text, flags=re.M)
    return (0, 1, found[1]) if found else f"not found by tests/golden/{case}"


def find_by_suite(program, suite):
    """Makes the unit tests with the sources of the program."""
    tree = os.path.dirname(os.path.dirname(program))
    shutil.copytree("tests/unit", f"{tree}/tests/unit")
    if not make(tree, f"{tree}.log", "unit"):
        raise Stopped(f"cannot build unit tests, see {tree}.log")
    text = subprocess.run([os.path.realpath(f"{tree}/build/release/unit_tests"), suite],
                          capture_output=True, text=True).stdout
    found = re.search(r"^\S+:[FE]:\w+:(\w+)", text, flags=re.M)
    return (0, 1, found[1]) if found else f"not found by the unit tests of {suite}"


def find(program, kinds, seed):
    """SEED, NUMBER JUDGED, KIND, or a text."""
    if kinds.startswith("cli:"):
        return find_by_commands(program, kinds.removeprefix("cli:"))
    if kinds.startswith("golden:"):
        return find_by_case(program, kinds.removeprefix("golden:"))
    if kinds.startswith("unit:"):
        return find_by_suite(program, kinds.removeprefix("unit:"))

    kinds, _, first = kinds.partition(":")  # the first seed of those that aim at it

    def kind_at(one):
        if kinds in SEARCHES:
            found = searched(kinds, one, seed, seed)
            return found and found[1]
        return failure(one, seed, kinds)

    kind = seed and kind_at(program)
    if kind and not kind_at(right_program()):
        return seed, 1, kind
    return find_by_search(kinds, program, int(first or 0)) if kinds in SEARCHES else find_by_answers(program, kinds)


# The run

def make(tree, log, target="all"):
    with open(log, "w", encoding="utf-8") as file:
        return subprocess.run(["make", "-s", "-C", tree, "MODE=release", target], stdout=file,
                              stderr=file).returncode == 0


def prepare():
    """Makes the program without a bug, and keeps the judges as they are."""
    shutil.rmtree(ROOT, ignore_errors=True)
    os.makedirs(f"{ROOT}/base")
    for folder in ("src", "scripts"):
        shutil.copytree(folder, f"{ROOT}/base/{folder}")
    shutil.copy("Makefile", f"{ROOT}/base")
    if not make(f"{ROOT}/base", f"{ROOT}/base.log"):
        raise Stopped(f"cannot build, see {ROOT}/base.log")
    shutil.copytree("tests/random", f"{ROOT}/oracle")


def plant(name, kinds, changes, seed):
    tree = f"{ROOT}/{name}"
    subprocess.run(["cp", "-R", "-p", f"{ROOT}/base", tree], check=True)
    problem = change(tree, changes)
    if problem or not make(tree, f"{tree}.log"):
        print(f"FAIL {name:<24} not planted: {problem or f'see {tree}.log'}", flush=True)
        return False
    found = find(f"{tree}/build/varabs", kinds, seed)
    if isinstance(found, str):
        print(f"FAIL {name:<24} {found}", flush=True)
        return False
    print(f"{name:<24} seed {found[0]:4} ({found[1]} judged): {found[2]:.100}", flush=True)
    if found[0]:
        with open(f"{ROOT}/seeds", "a", encoding="utf-8") as file:
            file.write(f"{name} {found[0]}\n")
    shutil.rmtree(tree)
    os.remove(f"{tree}.log")
    return True


def main(arguments):
    os.chdir(TOP)
    is_dry = arguments[:1] == ["--dry"]
    wanted = set(arguments[is_dry:])
    if any(word.startswith("-") for word in wanted):
        print(__doc__.strip())
        return 2
    bugs = [bug for path in sorted(glob.glob(f"{HERE}/planted/*.txt")) for bug in bugs_of(path)]
    unknown = wanted - {name for name, _, _ in bugs}
    seeds = dict(line.split() for line in read(f"{HERE}/planted/seeds").splitlines())
    passed, failed = 0, len(unknown)
    for name in sorted(unknown):
        print(f"FAIL {name}: there is no such bug")
    try:
        if not is_dry:
            prepare()
        for name, kinds, changes in bugs:
            if wanted and name not in wanted:
                continue
            if is_dry:
                problem = change(".", changes, is_trial=True)
                if problem:
                    print(f"FAIL {name}: {problem}")
                found = not problem
            else:
                found = plant(name, kinds, changes, int(seeds.get(name, 0)))
            passed, failed = passed + found, failed + (not found)
    except Stopped as stopped:
        print(stopped)
        failed += 1
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
