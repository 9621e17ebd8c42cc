#!/usr/bin/env python3
"""Random test: the engines of `varabs certify` must say the same.

usage: certified.py --varabs PROGRAM --seeds A..B [--jobs N] [--timeout SECONDS] [--keep DIR]

For every seed a small network is generated, in which two variables are hidden,
and an abstract one: the same without what the hidden variables are part of,
in half of the cases with some edge changed.  They are compared in all modes,
with and without --stutter, pair by pair and by sets of states, as they are and
with the variables in some order and a collection wherever there may be one.
What certify writes must be the same; a counterexample is of the explicit
engine.  A seed passes if sets answered at least once.
"""

import html
import json
import os
import random
import subprocess
import tempfile
import seeds

OWN = ('seconds', 'peak_bytes', 'engine', 'input')
SHOWN, HIDDEN = ('x', 'y', 'z'), ('h', 'g')
SHARED = 'int[0,3] x; int[0,2] y; bool z; broadcast chan b; chan c, d;'


def guards(rng, names):
    """Conjuncts over some of the variables."""
    return [f'{name} {rng.choice(("==", "!=", "<=", ">"))} {rng.randint(0, 2)}'
            for name in names if rng.random() < 0.3]


def value(rng, name, names):
    top = {'x': 3, 'y': 2, 'h': 2, 'g': 1}.get(name, 1)
    other = rng.choice(names)
    return rng.choice((str(rng.randint(0, top)),
                       f'({other} + {rng.randint(0, 3)}) % {top + 1}',
                       f'({name} + 1) % {top + 1}'))


def edges_of(rng, count):
    """Edges as dictionaries; those of hidden variables by themselves."""
    found = []
    for _ in range(rng.randint(count, 2 * count)):
        both = SHOWN + HIDDEN
        found.append({
            'from': rng.randrange(count), 'to': rng.randrange(count),
            'guards': guards(rng, SHOWN),
            'hidden_guards': guards(rng, HIDDEN) if rng.random() < 0.3 else [],
            'sync': rng.choice(('', '', '', 'c!', 'c?', 'd!', 'd?', 'b!', 'b?')),
            'sets': [f'{name} = {value(rng, name, SHOWN)}'
                     for name in SHOWN if rng.random() < 0.35],
            'hidden_sets': [f'{name} = {value(rng, name, both)}'
                            for name in HIDDEN if rng.random() < 0.35]})
    return found


def change(rng, templates):
    edges = rng.choice(templates)
    edge = rng.choice(edges)
    kind = rng.randrange(5)
    if kind == 0:
        edges.remove(edge)
    elif kind == 1:
        edge['guards'] = guards(rng, SHOWN)
    elif kind == 2:
        edge['sets'] = [f'{name} = {value(rng, name, SHOWN)}' for name in SHOWN
                        if rng.random() < 0.4]
    elif kind == 3:
        edge['to'] = rng.choice(edges)['to']
    else:
        edges.append(dict(edge, guards=[], hidden_guards=[]))


def write(templates, counts, initial, has_hidden):
    hidden = 'int[0,2] h; int[0,1] g;' * has_hidden
    text = f'<nta><declaration>{SHARED} {hidden}</declaration>'
    text = text.replace('int[0,3] x;', f'int[0,3] x = {initial};')
    for number, (edges, count) in enumerate(zip(templates, counts)):
        text += f'<template><name>T{number}</name>' + ''.join(
            f'<location id="id{number}_{i}"><name>L{i}</name></location>'
            for i in range(count)) + f'<init ref="id{number}_0"/>'
        for edge in edges:
            parts = [('guard', ' && '.join(
                edge['guards'] + edge['hidden_guards'] * has_hidden)),
                ('synchronisation', edge['sync']),
                ('assignment', ', '.join(
                    edge['hidden_sets'] * has_hidden + edge['sets']))]
            text += (f'<transition><source ref="id{number}_{edge["from"]}"/>'
                     f'<target ref="id{number}_{edge["to"]}"/>')
            text += ''.join(f'<label kind="{kind}">{html.escape(label)}</label>'
                            for kind, label in parts if label) + '</transition>'
        text += '</template>'
    names = ', '.join(f'T{i}' for i in range(len(templates)))
    return text + f'<system>system {names};</system></nta>'


def generate(seed):
    rng = random.Random(seed * 31 + 5)
    counts = [rng.randint(1, 3) for _ in range(rng.randint(1, 3))]
    templates = [edges_of(rng, count) for count in counts]
    concrete = write(templates, counts, 0, True)
    for edges in templates:  # what cannot be said is possible, or not, or as it was
        kept = rng.random()
        edges[:] = [edge for edge in edges
                    if not edge['hidden_guards'] or kept < 0.6]
    if rng.random() < 0.5 and all(templates):
        change(rng, templates)
    if rng.random() < 0.1 and templates[0]:  # a location that only this model has
        rng.choice(templates[0])['to'] = counts[0]
        counts = [counts[0] + 1] + counts[1:]
    return concrete, write(templates, counts, int(rng.random() < 0.05), False)


def ask(varabs, timeout, paths, *more):
    done = subprocess.run([varabs, 'certify', *paths, '--json', '-', *more],
                          capture_output=True, text=True, timeout=timeout)
    result = json.loads(done.stdout) if done.returncode in (0, 1) else None
    engine = result and result['engine']
    for key in OWN:
        if result:
            result.pop(key)
    if result and '--must' in more:  # sets take all pairs, not only those that are chosen
        result = {key: result[key] for key in result if 'pairs' not in key}
    return done.returncode, engine, result, done.stderr


def judge(task):
    varabs, seed, keep, timeout = task
    answers = 0
    with tempfile.TemporaryDirectory() as own:
        paths = [os.path.join(keep or own, f'{seed}-{side}.xml')
                 for side in ('concrete', 'abstract')]
        for path, text in zip(paths, generate(seed)):
            with open(path, 'w', encoding='utf-8') as file:
                file.write(text)
        for mode in ('--may', '--must', '--exact'):
            for stutter in ([], ['--stutter']):
                arguments = [mode, *stutter, '--engine']
                right = ask(varabs, timeout, paths, *arguments, 'explicit')
                if right[0] not in (0, 1):
                    return seed, 'failed', f'{right[0]}: {right[3]}'
                for more in ([], ['--shuffle', str(seed % 50 + 1)]):
                    found = ask(varabs, timeout, paths, *arguments, 'symbolic',
                                *more)
                    if found[0] == 4:
                        return seed, 'not for sets', ''
                    if (found[0], found[2]) != (right[0], right[2]):
                        return seed, 'failed', (f'{" ".join(arguments)} {more}:'
                                                f' {found[0]} {found[3]}')
                    answers += found[1] == 'symbolic'
        for path in paths if keep else ():
            os.remove(path)
    return seed, 'passed' if answers else 'all by states', ''


if __name__ == '__main__':
    seeds.main(judge, __doc__, 0.3)
