#!/usr/bin/env python3
"""Write random models with removals as directories, for scripts/same.sh.

usage: write_cases.py DIRECTORY A..B

For every seed and every way to use the program (WAYS) a model is generated and
some removals are chosen, as run.py does it, but nothing is run or judged.
DIRECTORY/WAY-SEED-NUMBER gets a model.xml and a line of arguments, args, like a
case of tests/golden.  The same seeds always give the same cases.
"""

import multiprocessing
import os
import random
import re
import shlex
import sys
import types
from generators.generate import generate, generate_wide
from judges.merges import choose_merges
from judges.processes import select
from run import Case, add_scopes, choose_removals, command_of
from oracle.uppaal_run import explore, load_network
from oracle.uppaal_runtime import Budget

WAYS = ['may', 'must', 'lower', 'scopes', 'processes', 'references', 'merges']
MAX_STATES = 1000


def model_of(way, seed):
    """(XML text, removable names); (None, []) if none is found."""
    if way in ('processes', 'references'):
        return generate_wide(seed, (), MAX_STATES,
                             'passing' if way == 'references' else 'wide')
    text, names = generate(seed, (), 'merging' if way == 'merges' else 'plain')
    if way == 'lower':
        names = [name for name in names if re.match(r'T\d+\.', name)]
    return text, names


def choose(rng, way, names, path):
    """What to remove in a way, from names of whole variables and cells."""
    if way in ('scopes', 'processes'):
        names = add_scopes(rng, names, load_network(path))
    if way == 'processes':
        names = select(rng, load_network(path), names)
    if way == 'merges':
        network = load_network(path)
        names = choose_merges(rng, names, network, explore(network, MAX_STATES))
    return names


def write_seed(job):
    """All cases of one way and one seed; how many there are."""
    directory, way, seed = job
    rng = random.Random(f"{way} {seed}")
    count = 0
    try:
        text, candidates = model_of(way, seed)
        if not candidates:
            return 0
        for names in choose_removals(rng, candidates, rng.randint(1, 3)):
            folder = os.path.join(directory, f"{way}-{seed}-{count}")
            os.makedirs(folder, exist_ok=True)
            path = os.path.join(folder, 'model.xml')
            with open(path, 'w', encoding='utf-8') as file:
                file.write(text)
            mode = way if way in ('may', 'must', 'lower') \
                else rng.choice(['may', 'must'])
            approx = 'combined' if rng.random() < 0.15 and mode != 'lower' \
                else None
            case = Case(seed, 0, choose(rng, way, names, path), mode, approx)
            words = command_of(types.SimpleNamespace(varabs='', explore=False), 'model.xml',
                               'out.xml', 'out.json', case)
            with open(os.path.join(folder, 'args'), 'w',
                      encoding='utf-8') as file:
                file.write(shlex.join(words[1:]) + '\n')
            count += 1
    except Budget:
        pass                          # the cases so far
    return count


def main():
    directory, seeds = sys.argv[1:]
    first, last = map(int, seeds.split('..'))
    sys.setrecursionlimit(20000)
    with multiprocessing.Pool(os.cpu_count()) as pool:
        counts = pool.map(write_seed, [
            (directory, way, seed) for way in WAYS
            for seed in range(first, last + 1)], chunksize=1)
    print(sum(counts), "cases")
    return 0


if __name__ == '__main__':
    sys.exit(main())
