#!/usr/bin/env python3
"""Run varabs on timed models that people wrote.

usage: timed_files.py --varabs PROGRAM FILE...

For each: info, suggest and draw end well, or refuse with a reason; the model is
written back to the byte; what --auto makes is valid for Uppaal's parser and, where
there are few regions, as exact as it claims to be.
"""

import above  # noqa: F401
import argparse
import collections
import json
import os
import shutil
import subprocess
import sys
import tempfile
from label_kinds import check
from network import load_timed
from run import chosen_names, short
from timed import Case, run_case
from timed_judge import Labels, rename_timed
from oracle.uppaal_parse import ModelError
from oracle.uppaal_runtime import Budget

COMMANDS = (['info', 'M'], ['suggest', 'M'], ['draw', 'M', '-o', 'M.svg'])


def run(varabs, words, folder, timeout=300):
    """(status, first line of what is said)."""
    words = [os.path.join(folder, word) if word.startswith('M') else word
             for word in words]
    done = subprocess.run([varabs, *words], capture_output=True, text=True,
                          errors='replace', check=False, timeout=timeout)
    return done.returncode, short(next(
        (line for line in done.stderr.split('\n') if 'error' in line), ''))


def one(options, path, folder):
    """[(what, how it went)] for a file."""
    model = os.path.join(folder, 'M')
    shutil.copyfile(path, model)
    found = []
    for words in COMMANDS:
        status, text = run(options.varabs, words, folder)
        good = status in (0, 1) or status == 4 and text
        found.append((words[0], 'passed' if status in (0, 1) else
                      f"{'refused' if good else 'failed'} {status}: {text}"))
    for mode in ('same', 'auto'):
        case = run_case(options, model, Case(path, mode, []), folder)
        kind = case.kind
        if kind == 'budget' and mode == 'auto' and case.exact:
            case.message = by_labels(options, model, folder)
            kind = case.message.split()[0]
        if kind == 'failed' and mode == 'auto' \
                and case.failure == 'unusable output':
            kind = 'not read by the oracle' if unread(model) else kind
        found.append((mode, f"{kind} {case.failure} {case.message[:150]}".strip()
                      if kind != 'passed' else
                      f"passed, {case.message or case.regions}"))
    return found


def by_labels(options, model, folder):
    """The same for many regions, by the labels of steps."""
    out = os.path.join(folder, 'out.xml')
    with open(os.path.join(folder, 'out.json'), encoding='utf-8') as file:
        report = json.load(file)
    concrete, abstract = load_timed(model), load_timed(out)
    rename_timed(abstract, concrete, report)
    try:
        wrong = Labels(concrete, abstract, chosen_names(report),
                       report.get('normalised', ())).run(options.max_regions)
    except Budget as error:
        return f"budget {error}"
    return f"labels differ: {wrong}" if wrong else 'passed by labels'


def unread(path):
    """Whether the oracle cannot read a file."""
    try:
        return bool(check(load_timed(path)))
    except (ModelError, Budget, RecursionError):
        return True


def main():
    parser = argparse.ArgumentParser(description="Try models of people.")
    parser.add_argument('--varabs', required=True)
    parser.add_argument('--max-regions', type=int, default=3000)
    parser.add_argument('--timeout', type=float, default=120)
    parser.add_argument('files', nargs='+')
    options = parser.parse_args()
    options.varabs = os.path.abspath(options.varabs)
    options.strict_errors = False
    counts = collections.Counter()
    for path in options.files:
        with tempfile.TemporaryDirectory(prefix='varabs-files-') as folder:
            for what, how in one(options, path, folder):
                counts[what, how.split()[0].rstrip(',')] += 1
                if not how.startswith('passed'):
                    print(f"{path}: {what}: {how}", flush=True)
    for (what, how), count in sorted(counts.items()):
        print(f"{what}: {how} {count}")
    failed = sum(count for (_, how), count in counts.items() if how == 'failed')
    print(f"{sum(counts.values()) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
