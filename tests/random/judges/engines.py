#!/usr/bin/env python3
"""Random test: the engines of `varabs check` must say the same.

usage: engines.py --varabs PROGRAM --seeds A..B [--jobs N] [--timeout SECONDS] [--keep DIR]

For every seed a random model with queries is generated, in one of four by
arrays with computed indices (gen_cells.py), in one of six with broadcasts
(gen_broadcast.py), from seed 700000 on with quantifiers in each other (gen_quantified.py), and checked by both engines, exploring everything, with
traces.  What they write must be the same but for times and sizes: numbers of states, transitions, deadlocks and errors,
verdicts, bounds, shortest runs, the first error, messages and exit statuses.
The symbolic engine runs several times: as it is, with the layout that large
models get, with variables in an order at random, short turns and a
collection wherever there may be one, and in turns with the explicit one.  What
it refuses is counted, as long as it says so with exit status 4.  With little
memory or time the engines may say less, but nothing else.

States become large by variables that no step writes, and all else is as
before.  Numbers of more than 64 bits are compared, too: beside processes that go round
alone, every state of the model is there once for each of their states.
"""

import html
import json
import os
import random
import re
import subprocess
import tempfile
from generators.gen_broadcast import broadcasts
from generators.gen_cells import cells
from generators.gen_quantified import quantified
from generators.generate import generate_queried
from oracle.uppaal_runtime import Budget
from tools import seeds

OWN = ('engine', 'seconds', 'peak_bytes', 'bytes_per_state', 'jobs', 'symmetry')
EXTRA = ('E<> deadlock', 'A[] not deadlock')
WAYS = ('plain', 'broadcasts', 'passing', 'cells', 'plain', 'broadcasts',
        'passing', 'cells', 'plain', 'wide', 'passing', 'cells')
OWN_WAYS = {'cells': cells, 'broadcasts': broadcasts, 'quantified': quantified}
QUANTIFIED = 700000    # the first seed of these
PADDING = """<template><name>Padding</name><location id="padding0"/><init ref="padding0"/>
<transition><source ref="padding0"/><target ref="padding0"/>
<label kind="select">where : int[0, 299]</label><label kind="synchronisation">never!</label>
<label kind="assignment">padding[where] = 1 - padding[where]</label></transition></template>
"""
RINGS = 45             # processes that go round, each through three locations
RING = """<template><name>Ring</name>
<parameter>const int[1, %d] ring</parameter>
<location id="ring0"/><location id="ring1"/><location id="ring2"/>
<init ref="ring0"/>
<transition><source ref="ring0"/><target ref="ring1"/></transition>
<transition><source ref="ring1"/><target ref="ring2"/></transition>
<transition><source ref="ring2"/><target ref="ring0"/></transition>
</template>
"""


def run(varabs, timeout, path, queries, *more):
    """(exit status, result without what differs, messages)"""
    done = subprocess.run(
        [varabs, 'check', path, '--queries', queries, '--json', '-', '--trace',
         *more], capture_output=True, text=True, timeout=timeout)
    result = json.loads(done.stdout) if done.stdout else None
    for key in OWN:
        if result:
            result.pop(key, None)
    return done.returncode, result, done.stderr


def difference(one, other):
    """In words; None if there is none"""
    for what, left, right in zip(('exit status', 'result', 'messages'),
                                 one, other):
        if left == right:
            continue
        if isinstance(left, dict) and isinstance(right, dict):
            keys = [key for key in left if left[key] != right.get(key)]
            key = keys[0] if keys else 'keys'
            return (f"{key}: {str(left.get(key))[:300]} "
                    f"explicitly, {str(right.get(key))[:300]} symbolically")
        return f"{what}: {left!r} explicitly, {right!r} symbolically"[:600]
    return None


def too_large(text):
    """A sum that leaves 32 bits beside a division that may fail, which sets
    of states have to try value by value."""
    declaration = re.search(r'<declaration>(.*?)</declaration>', text, re.S)
    names = re.findall(r'^int(?:\[[^]]*\])? (\w+)\b(?!\[)',
                       declaration[1] if declaration else '', re.M)
    return [f"A[] 4 / {name} < 2147483646 + {name} + {name}"
            for name in names[:1]]


def sums(text):
    """Bounds of sums, which sets of states need not enumerate, also where a
    part of them may fail."""
    declaration = re.search(r'<declaration>(.*?)</declaration>', text, re.S)
    names = re.findall(r'^int(?:\[[^]]*\])? (\w+)\b(?!\[)',
                       declaration[1] if declaration else '', re.M)[-3:]
    if len(names) < 2:
        return []
    one, other, number = names[0], names[-1], len(text) % 5
    return [f'A[] {one} + {other} <= {number + 2}',
            f'E<> {one} - {other} == {number - 2} || {one} + 2 * {other} > 9',
            f'A[] {one} != 0 imply 6 / {one} + {other} <= {number}',
            f'sup: {one} + {other} + {number}, {other} - {one} - 2']


def formulas(text):
    """Those of the model, and some more"""
    return [html.unescape(formula) for formula in
            re.findall(r'<formula>(.*?)</formula>', text, re.DOTALL)] + \
        list(EXTRA) + too_large(text) + sums(text)


def trials(rng):
    """Options of the explicit engine and of what is compared with it, and of
    the latter alone"""
    look = ['--first-look', str(rng.choice((1, 3, 10, 40)))]
    for common in [], look + ['--semantics', 'kripke']:
        shuffle = ['--shuffle', str(rng.randrange(1, 1 << 31))]
        yield common, ['--engine', 'symbolic']
        yield common, ['--engine', 'symbolic'] + shuffle
        yield common + ['--first-look', '1'], ['--engine', 'auto'] + shuffle


def with_padding(text):
    """The model with large states; None if there may be priorities"""
    at = text.index('<system>')
    system, places = re.subn(r'(\bsystem\s[^;&]*);', r'\1, Padding;', text[at:])
    declared, declarations = re.subn(r'<declaration>', r'<declaration>chan never; int[0, 1] padding[300];\n',
                                     text[:at], count=1)
    return declared + PADDING + system if places == declarations == 1 else None


def wrong_padded(varabs, timeout, text, path, queries, rng, expected):
    """What is wrong with the model with padding, by what the last of the trials
    is expected to say"""
    padded = with_padding(text)
    if not padded or not expected:
        return None
    with open(path, 'w', encoding='utf-8') as file:
        file.write(padded)
    limit = rng.choice(([], ['--max-states', '3000']))
    status, found, messages = run(varabs, timeout, path, queries, '--full', '--engine', 'explicit',
                                  '--semantics', 'kripke', *limit)
    if not found:
        return f'exit status {status}: {messages}'
    if not found['is_complete'] or not expected['is_complete']:
        return None
    if numbers(found) != numbers(expected):
        return f'{numbers(expected)} expected, {numbers(found)} found'
    for one, other in zip(expected['queries'], found['queries']):
        if one['verdict'] != other['verdict']:
            return f"{one['verdict']} expected, {other['verdict']} found: {other['formula']}"
    return None


def with_rings(text, count):
    """The model beside processes that go round; None if they would have to
    wait"""
    at = text.index('<system>')
    system, places = re.subn(r'(\bsystem\s[^;&]*);', r'\1, Ring;', text[at:])
    if 'committed' in text or places != 1:  # or there are priorities
        return None
    return text[:at] + RING % count + system


def product(few, rings):
    """The numbers of the model with rings, from those without"""
    times = 3 ** rings
    return {'states': few['states'] * times, 'deadlocks': 0,
            'errors': few['errors'] * times, 'transitions':
            (few['transitions'] + rings * few['states']) * times}


def numbers(result):
    return {key: int(result[key + '_text']) for key in
            ('states', 'deadlocks', 'errors', 'transitions')}


def wrong_product(varabs, timeout, text, path, queries, few):
    """What is wrong with the numbers of the model with rings.  One alone must
    do as expected: not so if the initial state violates an invariant."""
    found = []
    for rings, engine in (1, 'explicit'), (RINGS, 'symbolic'):
        with open(path, 'w', encoding='utf-8') as file:
            file.write(with_rings(text, rings))
        status, result, messages = run(varabs, timeout, path, queries, '--full',
                                       '--engine', engine)
        if status == 4:
            return None
        if not result:
            return f'exit status {status}: {messages}'
        found.append(numbers(result))
    if found[0] != product(few, 1) or found[1] == product(few, RINGS):
        return None
    return f'{product(few, RINGS)} expected, {found[1]} found'


def wrong_limited(varabs, timeout, path, queries, rng, expected):
    """What is said with little memory or time and is not so, by what the last
    of the trials is expected to say"""
    for engine in 'symbolic', 'auto', 'explicit':
        limit = rng.choice((['--max-memory', f'{rng.randrange(100, 3000)}K'],
                            ['--timeout', f'{max(rng.random() / 20, 0.0001):.4f}']))
        status, found, messages = run(varabs, timeout, path, queries, '--full',
                                      '--engine', engine, '--first-look', '1',
                                      '--semantics', 'kripke', *limit)
        words = ' '.join([engine] + limit)
        if status not in (0, 1, 3, 4, 5) or (status < 4 and not found):
            return f'{words}: exit status {status}: {messages}'
        if not found:
            continue
        if found['is_complete'] and numbers(found) != numbers(expected):
            return f'{words}: {numbers(expected)} expected, {numbers(found)} found'
        for one, other in zip(expected['queries'], found['queries']):
            if other['verdict'] not in ('unknown', one['verdict']):
                return f"{words}: {other['verdict']}: {other['formula']}"
    return None


def judge(task):
    """(seed, outcome, message)"""
    varabs, seed, keep, timeout = task
    rng = random.Random(seed)
    way = WAYS[seed % len(WAYS)] if seed < QUANTIFIED else 'quantified'
    try:
        text = (OWN_WAYS[way](seed) if way in OWN_WAYS else
                generate_queried(seed, way=way)[0])
    except Budget:
        return seed, 'large', ''
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(keep or folder, f'{seed}.xml')
        queries = os.path.join(keep or folder, f'{seed}.q')
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)
        with open(queries, 'w', encoding='utf-8') as file:
            file.write('\n'.join(formulas(text)) + '\n')
        for common, own in trials(rng):
            try:
                expected = run(varabs, timeout, path, queries, '--full',
                               '--engine', 'explicit', *common)
                found = run(varabs, timeout, path, queries, '--full', *common,
                            *own)
            except subprocess.TimeoutExpired:
                return seed, 'slow', ''
            if expected[0] == 2:
                return seed, 'failed', expected[2].strip()
            if found[0] == 4 and '--engine symbolic' in found[2]:
                return seed, 'refused', found[2].strip()
            wrong = difference(expected, found)
            if wrong:
                words = ' '.join(common + own)
                return seed, 'failed', f'{words}: {wrong}'
        try:
            wrong = expected[1] and wrong_limited(varabs, timeout, path, queries,
                                                  rng, expected[1])
        except subprocess.TimeoutExpired:
            return seed, 'slow', ''
        if wrong:
            return seed, 'failed', f'under a limit: {wrong}'
        try:
            wrong = wrong_padded(varabs, timeout, text, path, queries, rng, expected[1])
        except subprocess.TimeoutExpired:
            return seed, 'slow', ''
        if wrong:
            return seed, 'failed', f'padded: {wrong}'
        if expected[1] and with_rings(text, 1):
            try:
                wrong = wrong_product(varabs, timeout, text, path, queries,
                                      expected[1])
            except subprocess.TimeoutExpired:
                return seed, 'slow', ''
            if wrong:
                return seed, 'failed', f'with rings: {wrong}'
        if keep:
            os.remove(path)
            os.remove(queries)
    return seed, 'passed', ''


if __name__ == '__main__':
    seeds.main(judge, __doc__, 1 / 2)
