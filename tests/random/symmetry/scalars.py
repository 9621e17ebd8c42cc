#!/usr/bin/env python3
"""Judge `varabs export --to scalars` on random models with ids.

    python3 tests/random symmetry/scalars [--varabs PROGRAM] [--seeds FIRST..LAST]

Where a model is written, the naive explorer, which takes the values of a scalar set for 0, 1 and so on,
finds the same numbers of states, steps, deadlocks and errors, and the same values of the queries
that it reads, in both models; varabs answers all queries alike; and no permutation of the scalars is
left out by `varabs info`. The summary counts models that were written.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

from gen_ids import Maker
from oracle.uppaal_parse import ModelError
from oracle.uppaal_run import explore, load_network
from oracle.uppaal_runtime import Budget

MOST_STATES = 3000


def run(options, *arguments):
    return subprocess.run([options.varabs, *arguments], capture_output=True, text=True,
                          errors='replace', timeout=60)


def figures(path):
    explored = explore(load_network(path), MOST_STATES)
    steps = sum(len(own) for own in explored.steps)
    stuck = sum(not own for own in explored.steps)
    return len(explored.states), steps, stuck, sum(len(own) for own in explored.errors)


def told(options, path):
    result = json.loads(run(options, 'check', '--full', '--symmetry', 'off', '--json', '-', path).stdout)
    found = [result[key] for key in ('states', 'transitions', 'deadlocks', 'errors')]
    return found + [query['verdict'] for query in result['queries']]


def judge(options, path, made):
    """What is wrong, or None; the second is whether there is a model."""
    if os.path.exists(made):
        os.remove(made)
    done = run(options, 'export', '--to', 'scalars', '-o', made, path)
    if done.returncode < 0 or 'assert' in done.stderr:
        return 'crash: ' + done.stderr[:200], False
    if not os.path.exists(made):
        return (None if done.returncode == 4 else 'status %d' % done.returncode), False
    with open(made, encoding='utf-8') as file:
        text = file.read()
    if told(options, path) != told(options, made):
        return 'verdicts: %s and %s' % (told(options, path), told(options, made)), True
    try:
        if figures(path) != figures(made):
            return 'figures: %s and %s' % (figures(path), figures(made)), True
    except (ModelError, Budget):
        pass
    blocks = json.loads(run(options, 'info', '--json', '-', made).stdout)
    kept = blocks['symmetry']['while_queries_stand']
    for name in re.findall(r'typedef scalar\[[^]]*\] (\w+);', text):
        sizes = [len(block['elements']) for block in kept if block['of'] == name]
        if not sizes:
            return 'no block of ' + name, True
    return None, True


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--varabs', default='build/varabs')
    parser.add_argument('--seeds', default='1..100')
    parser.add_argument('--jobs', type=int, default=1)
    parser.add_argument('--timeout', type=int, default=60)
    parser.add_argument('--keep', default='')
    parser.add_argument('--quiet', action='store_true')
    options = parser.parse_args()
    folder = options.keep or tempfile.mkdtemp()
    os.makedirs(folder, exist_ok=True)
    first, last = (int(word) for word in options.seeds.split('..'))
    passed = failed = written = 0
    for seed in range(first, last + 1):
        path, made = os.path.join(folder, '%d.xml' % seed), os.path.join(folder, '%d.out.xml' % seed)
        with open(path, 'w', encoding='utf-8') as file:
            file.write(Maker(seed).make())
        wrong, is_written = judge(options, path, made)
        written += is_written
        passed += wrong is None
        failed += wrong is not None
        if wrong:
            print('seed %d: %s' % (seed, wrong))
    print('%d written' % written)
    print('%d passed, %d failed' % (passed, failed))
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
