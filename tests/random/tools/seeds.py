"""Judges the models of many seeds, several at once, and says what came of them."""

import argparse
import collections
import json
import multiprocessing
import os
import shutil
import sys

MANY = 12  # seeds


def counted(judge_seed, task):
    """What main wants of judge_seed(varabs, seed, keep, timeout, counts), which gives outcome and message, and whose
    counts go to the file COUNTS, if it is set."""
    varabs, seed, keep, timeout = task
    counts = collections.Counter()
    outcome, message = judge_seed(os.path.abspath(varabs), seed, keep, timeout, counts)
    if os.environ.get('COUNTS'):
        with open(os.environ['COUNTS'], 'a', encoding='utf-8') as file:
            print(json.dumps(counts), file=file)
    return seed, outcome, message


def keep_models(keep, folder, seed):
    """Copies a model that has failed, and its output, where that is wanted."""
    for name in ('in.xml', 'out.xml') if keep else ():
        if os.path.exists(f"{folder}/{name}"):
            shutil.copy(f"{folder}/{name}", os.path.join(keep, f"{seed}.{name}"))


def main(judge, text, least):
    """judge((varabs, seed, keep, timeout)) gives (seed, outcome, message); text is that of the
    module, and at least such a part of the seeds has to pass, else the test says nothing. That is
    asked of so many seeds that it is no chance."""
    parser = argparse.ArgumentParser(description=text.split('\n')[0])
    parser.add_argument('--varabs', required=True)
    parser.add_argument('--seeds', default='1..100')
    parser.add_argument('--jobs', type=int, default=1)
    parser.add_argument('--timeout', type=float, default=30,
                        help='seconds for one run; a slow one is left out')
    parser.add_argument('--keep', help='folder for models that fail')
    options = parser.parse_args()
    first, last = map(int, options.seeds.split('..'))
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
    counts = collections.Counter()
    tasks = [(options.varabs, seed, options.keep, options.timeout)
             for seed in range(first, last + 1)]
    with multiprocessing.Pool(options.jobs) as pool:
        for seed, outcome, message in pool.imap(judge, tasks):
            counts[outcome] += 1
            if outcome == 'failed':
                print(f'seed {seed}: {message}')
            if outcome == 'refused':
                print(f'seed {seed}: was refused: {message}')
    print(', '.join(f'{counts[key]} {key}' for key in sorted(counts)))
    failed = counts['failed']
    if len(tasks) >= MANY and counts['passed'] < least * len(tasks):
        failed += 1
        print('seed 0: too few of the seeds passed to say something')
    print(f"{counts['passed']} passed, {failed} failed")
    sys.exit(failed > 0)
