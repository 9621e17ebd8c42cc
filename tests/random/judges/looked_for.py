#!/usr/bin/env python3
"""Random test: runs of what `--auto` makes are runs of the original.

usage: looked_for.py --varabs PROGRAM --seeds A..B [--jobs N] [--timeout SECONDS] [--keep DIR]

For every seed a small model in which `--auto` exchanges values, or which removes a variable in some locations (--remove
x@...). What it makes is asked where processes may be, and with which values of what is left. If it is exact and has no
runtime errors, each run that `varabs check --concretize` looks for in the original, with the report beside it, is one of
the original. A seed passes if some run was found.
"""

import json
import os
import random
import subprocess
import tempfile
from generators import gen_key
from generators import gen_trap
from tools import seeds

QUERIES = 6


def run(words, timeout):
    return subprocess.run(words, capture_output=True, text=True, timeout=timeout)


def queries_of(rng, info):
    """E<> and A[] of locations, and of values."""
    templates, variables = info['templates'], [v for v in info['variables'] if v['slots'] == 1 and not v['template']]
    for _ in range(QUERIES):
        parts = []
        for template in rng.sample(templates, min(len(templates), 2)):
            if template['processes'] and template['locations']:
                parts.append(f"{rng.choice(template['processes'])}.{rng.choice(template['locations'])}")
        for variable in rng.sample(variables, min(len(variables), rng.randint(0, 1))):
            parts.append(f"{variable['name']} == {rng.randint(variable['lower'], min(variable['upper'], 4))}")
        together = ' && '.join(parts[rng.randint(0, 1):] or parts)
        if together:
            yield rng.choice((f'E<> {together}', f'A[] !({together})'))


def scoped(rng, info):
    """A removal in some locations, or None."""
    variables = [v for v in info['variables'] if v['slots'] == 1]
    variable = rng.choice(variables) if variables else None
    own = [t for t in info['templates'] if variable and variable['template'] in (None, t['name'])]
    places = [place for t in own[:1] for place in t['locations'] if not place.startswith('(')]
    if not places or len(own) > 1:
        return None
    return f"{variable['name']}@{','.join(rng.sample(places, rng.randint(1, len(places))))}"


def judge_seed(varabs, seed, keep, timeout, counts):
    rng = random.Random(seed * 7919 + 3)
    kind = rng.choice((gen_trap.handed, gen_trap.posted, gen_trap.apart, gen_trap.ranges, gen_key.keyed))
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ('in.xml', 'out.xml')]
        with open(paths[0], 'w', encoding='utf-8') as file:
            file.write(kind(rng)[0])
        info = json.loads(run([varabs, 'info', paths[0], '--json', '-'], timeout).stdout)
        part = scoped(rng, info) if rng.random() < 0.3 else None
        queries = list(queries_of(rng, info))
        asked = [word for query in queries for word in ('--query', query)]
        how = ['--remove', part] if part else ['--auto', *asked]
        done = run([varabs, paths[0], *how, '--may', '-o', paths[1]], timeout)
        if done.returncode:
            return 'not abstracted', ''
        with open(os.path.join(folder, 'out.json'), encoding='utf-8') as file:
            report = json.load(file)
        if not report['exact'] or not (part or report.get('normalised')):
            return 'all the same', ''
        found = 0
        for query in queries:
            done = run([varabs, 'check', paths[1], '--concretize', paths[0], '--query', query, '--json', '-'], timeout)
            if done.returncode not in (0, 1):
                continue  # it names what is removed
            result = json.loads(done.stdout)
            original = result['queries'][0].get('original')
            if not original or result['errors']:
                continue
            counts[original['outcome']] += 1
            found += original['outcome'] == 'real'
            if original['outcome'] != 'real':
                seeds.keep_models(keep, folder, seed)
                return 'failed', f'{how}: {query}: {original["outcome"]}'
        return 'passed' if found else 'no run', ''


def judge(task):
    return seeds.counted(judge_seed, task)


if __name__ == '__main__':
    seeds.main(judge, __doc__, 0.2)
