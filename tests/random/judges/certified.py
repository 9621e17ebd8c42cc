#!/usr/bin/env python3
"""Random test: the engines of `varabs certify` must say the same.

usage: certified.py --varabs PROGRAM --seeds A..B [--jobs N] [--timeout SECONDS] [--keep DIR]

For every seed a small network is generated, in which two variables are hidden,
and an abstract one: the same without what the hidden variables are part of,
in half of the cases with some edge changed.  Locations may be committed or
urgent.  In every third seed more is so in one model only, and channels are
often urgent in both models or in one, of which some depend on the state.
In some seeds steps fail, and channels are chosen by `?:`.  In some templates a local variable is forgotten in some locations: what
reads it there is left out, and behind them it has the value that an edge gives
it, or, in the abstract model, any.  A global one is not compared either.  Every
sixth seed is about such a variable alone.

They are compared in all modes, with and without --stutter, pair by pair and by
sets of states, as they are and with the variables in some order and a
collection wherever there may be one.  What certify writes must be the same, but
for runs to where the models differ, which are replayed.  Sets must have one
unless they leave it open, or are asked for more than --may by a report.  A seed passes if sets answered at least once.

In two of five seeds the models change places: then the abstract one has the
hidden variables, and all pairs are compared that there may be.

Every twelfth seed is about two variables that one of the models has each, and
steps that change nothing else.

Every eighth seed is about a model in which --auto exchanges values, and what it
makes of it, with its report or one that says something else.
"""

import html
import json
import os
import random
import subprocess
import tempfile
from generators import gen_key
from generators import gen_trap
from tools import seeds
from judges.certify import Duel, Simulation, differing, has_runs, replay_runs, spoil
from judges.replay import Wrong
from oracle.uppaal_parse import ModelError
from oracle.uppaal_run import load_network

OWN = ('seconds', 'peak_bytes', 'input')
SAID = ('engine', 'not_by_sets')
TIME = 'time may pass in one model only'  # sets know that, and should have a run
SHOWN, HIDDEN = ('x', 'y', 'z'), ('h', 'g')
SHARED = 'int[0,3] x; int[0,2] y; bool z; broadcast chan b; chan c, d; chan e[2];'
LOCAL = 'int[0,2] m'  # of templates that forget


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


class Template:
    """Locations by number, and edges between them."""

    def __init__(self, rng):
        self.count = rng.randint(1, 3)
        self.edges = edges_of(rng, self.count)
        self.kinds = [rng.choice(('', '', 'committed', 'urgent'))
                      for _ in range(self.count)]
        self.forgets = None  # where, or there is no local variable
        self.initial = 0     # of that

    def remember(self, rng):
        """Adds a local variable, and says where it is to be forgotten."""
        self.forgets = {i for i in range(self.count) if rng.random() < 0.5}
        self.initial = 0 if 0 in self.forgets else rng.randrange(3)
        for edge in self.edges:
            if rng.random() < 0.4:
                names = SHOWN + ('m',) * (rng.random() < 0.5)
                edge['local_set'] = f'm = ({rng.choice(names)} + {rng.randint(0, 2)}) % 3'
            if rng.random() < 0.4:
                edge['local_guards'] = guards(rng, 'm')
            if rng.random() < 0.2:
                edge['shown_set'] = f'x = m + {rng.randint(0, 1)}'

    def forget(self, rng):
        """The abstract one, by places of edges."""
        some = rng.random() < 0.7
        for edge in self.edges:
            if edge['from'] in self.forgets:
                edge.pop('local_guards', None)
                if rng.random() < 0.8:
                    edge.pop('shown_set', None)
            if edge['to'] in self.forgets:
                edge['local_set'] = 'm = 0'
            elif edge['from'] in self.forgets and some:
                if 'local_set' not in edge or 'm +' in edge['local_set']:
                    edge['local_set'] = 'm = any'


def change(rng, templates):
    template = rng.choice(templates)
    edges = template.edges
    edge = rng.choice(edges)
    kind = rng.randrange(6)
    if kind == 0:
        edges.remove(edge)
    elif kind == 1:
        edge['guards'] = guards(rng, SHOWN)
    elif kind == 2:
        edge['sets'] = [f'{name} = {value(rng, name, SHOWN)}' for name in SHOWN
                        if rng.random() < 0.4]
    elif kind == 3:
        edge['to'] = rng.choice(edges)['to']
    elif kind == 4:
        edges.append(dict(edge, guards=[], hidden_guards=[]))
    elif template.forgets is not None:
        edge['local_set'] = f'm = {rng.randrange(3)}'


def write_edge(edge, number, has_hidden):
    some = edge.get('local_guards', [])
    sets = [edge[key] for key in ('shown_set', 'local_set') if key in edge]
    parts = [('select', 'any : int[0,2]' * ('m = any' in sets)),
             ('guard', ' && '.join(
                 edge['guards'] + some + edge['hidden_guards'] * has_hidden)),
             ('synchronisation', edge['sync']),
             ('assignment', ', '.join(
                 edge['hidden_sets'] * has_hidden + edge['sets'] + sets))]
    text = (f'<transition><source ref="id{number}_{edge["from"]}"/>'
            f'<target ref="id{number}_{edge["to"]}"/>')
    return text + ''.join(f'<label kind="{kind}">{html.escape(label)}</label>'
                          for kind, label in parts if label) + '</transition>'


def write(templates, initial, has_hidden):
    hidden = 'int[0,2] h; int[0,1] g;' * has_hidden
    text = f'<nta><declaration>{SHARED} {hidden}</declaration>'
    text = text.replace('int[0,3] x;', f'int[0,3] x = {initial};')
    for number, template in enumerate(templates):
        text += f'<template><name>T{number}</name>'
        if template.forgets is not None:
            text += f'<declaration>{LOCAL} = {template.initial};</declaration>'
        for i in range(template.count):
            kind = template.kinds[i] if i < len(template.kinds) else ''
            text += (f'<location id="id{number}_{i}"><name>L{i}</name>'
                     f'{kind and f"<{kind}/>"}</location>')
        text += f'<init ref="id{number}_0"/>'
        for edge in template.edges:
            text += write_edge(edge, number, has_hidden)
        text += '</template>'
    names = ', '.join(f'T{i}' for i in range(len(templates)))
    return text + f'<system>system {names};</system></nta>'


def drift(rng):
    """One template that writes its own variable and looks at it, in the same
    location or behind one where it is forgotten; the abstract one leaves out
    that it is written, or brings another value along."""
    template = Template(rng)
    rests = rng.random() < 0.5
    template.count, template.kinds, template.forgets = 1 + rests, [], set()
    template.initial = 0 if rests else rng.randrange(3)
    plain = {'hidden_guards': [], 'hidden_sets': [], 'guards': [], 'sync': '',
             'sets': [], 'from': 0, 'to': 0}
    writes = [dict(plain, local_set=f'm = {one}')
              for one in rng.sample(range(3), rng.randint(2, 3))]
    reads = [dict(plain, local_guards=[f'm == {rng.randrange(3)}'], to=int(rests),
                  sets=[f'x = {rng.randint(1, 3)}'], **{'from': int(rests)})
             for _ in range(rng.randint(1, 2))]
    moves = [dict(plain, to=1), dict(plain, to=0, **{'from': 1})][:2 * rests]
    kept = [dict(plain, local_set=f'm = {rng.randrange(3)}', to=1, **{'from': 1})]
    template.edges = writes + reads + moves + kept * rests
    concrete = write([template], 0, True)
    for edge in writes:
        if rests:
            edge['local_set'] = 'm = 0'
        elif rng.random() < 0.5:
            del edge['local_set']
    if rests:
        moves[0]['local_set'] = rng.choice(('m = any', 'm = 0', 'm = 1', 'm = 2'))
        moves[1]['local_set'] = 'm = 0'
    return concrete, write([template], 0, False), ['T0.m']


def meet(rng, templates):
    """Lets edges synchronise on channels that depend on the state, and adds some that do, and steps between
    them."""
    for number, template in enumerate(templates):
        for edge in template.edges:
            if edge['sync'].startswith('d') and rng.random() < 0.7:
                edge['sync'] = rng.choice(('e[z]', 'e[0]', 'e[x > 1]')) + edge['sync'][1]
        for place in range(template.count):
            plain = {'from': place, 'to': (place + 1) % template.count, 'guards': [], 'hidden_guards': [], 'sync': '',
                     'sets': [rng.choice(('x = (x + 1) % 4', 'y = (y + 1) % 3', 'z = !z'))], 'hidden_sets': []}
            way = '!?'[(number + (rng.random() < 0.2)) % 2]
            if rng.random() < 0.6:
                template.edges.append(plain)
            if rng.random() < 0.7:
                template.edges.append(dict(plain, to=rng.randrange(template.count), guards=guards(rng, SHOWN),
                                           sync=rng.choice(('e[z]', 'e[x > 1]', 'e[0]', 'e[1]', 'c', 'b')) + way))
    plain = {'from': 0, 'to': 0, 'guards': [], 'hidden_guards': [], 'sync': '', 'sets': [], 'hidden_sets': []}
    if len(templates) > 1 and rng.random() < 0.5:
        templates[0].edges += [dict(plain, sync='e[z]!', guards=guards(rng, SHOWN)), dict(plain, sets=['z = !z'])]
        templates[1].edges.append(dict(plain, sync=f'e[{rng.randrange(2)}]?'))


def stumble(rng, templates):
    """Lets some updates leave the range of their variable, and some indices of channels that of the
    array; channels are chosen by conditions."""
    for template in templates:
        for edge in template.edges:
            for kind in ('sets', 'hidden_sets'):
                edge[kind] = [one.split(' %')[0] if rng.random() < 0.3 and '%' in one
                              else one for one in edge[kind]]
            if edge['sync'][:-1] in ('d', 'e[z]', 'e[0]') and rng.random() < 0.5:
                edge['sync'] = rng.choice(('e[x]', '(z ? e[0] : e[y])', '(x > 1 ? e[x - 2] : e[y])')) + edge['sync'][-1]


def hasten(rng, templates):
    """Changes what keeps time from passing, and others from moving, in locations."""
    for template in templates:
        if rng.random() < 0.5:
            template.kinds = template.kinds or [''] * template.count
            place = rng.randrange(len(template.kinds))
            template.kinds[place] = rng.choice(('', 'committed', 'urgent', 'urgent'))


def make_urgent(rng, models):
    """The models, mostly with urgent channels."""
    if rng.random() < 0.4:
        return models
    some, mostly = ((), (0, 1), (0, 1), (0,), (1,)), (*[(0, 1)] * 4, (1,))
    for channels, places in (('broadcast chan b', some), ('chan c, d', some), ('chan e', mostly)):
        for place in rng.choice(places):
            models[place] = models[place].replace(f' {channels}', f' urgent {channels}')
    return models


def aside(rng, name):
    """One template with a variable of its own that says what it may do, which also changes by itself."""
    edges = ''
    for _ in range(rng.randint(0, 3)):
        edges += (f'<transition><source ref="a"/><target ref="a"/><label kind="guard">{name} == {rng.randrange(3)}'
                  f'</label><label kind="assignment">{name} = {rng.randrange(3)}</label></transition>')
    for _ in range(rng.randint(0, 3)):
        own = rng.choice(('', f', {name} = {rng.randrange(3)}'))
        edges += (f'<transition><source ref="a"/><target ref="a"/><label kind="guard">{name} == {rng.randrange(3)} '
                  f'&amp;&amp; x &lt; 2</label><label kind="assignment">x = x + 1{own}</label></transition>')
    return (f'<nta><declaration>int[0,2] x; int[0,2] {name};</declaration><template><name>T</name>'
            f'<location id="a"><name>A</name></location><init ref="a"/>{edges}</template><system>system T;</system></nta>')


def generate(seed):
    """Both models, and what is not compared."""
    rng = random.Random(seed * 31 + 5)
    if seed % 12 == 7:
        return aside(rng, 'h'), aside(rng, 'g'), []
    if seed % 6 == 0:
        return drift(rng)
    templates = [Template(rng) for _ in range(rng.randint(1, 3))]
    ignored = []
    if rng.random() < 0.5:
        for template in templates:
            template.kinds = []
    if rng.random() < 0.5:
        for number, template in enumerate(templates):
            if rng.random() < 0.7:
                template.remember(rng)
                ignored.append(f'T{number}.m')
    if rng.random() < 0.1:
        ignored.append('y')
    hurry = random.Random(seed * 37 + 11)
    if seed % 3 == 2:
        meet(hurry, templates)
    if seed % 11 in (3, 9, 10):
        stumble(random.Random(seed * 41 + 3), templates)
    concrete = write(templates, 0, True)
    for template in templates:  # what cannot be said is possible, or not, or as it was
        kept = rng.random()
        template.edges[:] = [edge for edge in template.edges
                             if not edge['hidden_guards'] or kept < 0.6]
        if template.forgets is not None:
            template.forget(rng)
    if rng.random() < 0.5 and all(template.edges for template in templates):
        change(rng, templates)
    first = templates[0]
    if rng.random() < 0.1 and first.edges:  # a location that only this model has
        rng.choice(first.edges)['to'] = first.count
        first.count += 1
    if rng.random() < 0.05:  # what keeps time from passing in one of them only
        first.kinds = [rng.choice(('', 'committed', 'urgent'))] + first.kinds[1:]
    initial = int(rng.random() < 0.05)
    urgent = rng.choice(((0, 1), (0,), (1,))) if rng.random() < 0.05 else ()
    for template in templates if rng.random() < 0.1 else ():
        template.initial = rng.randrange(3)
    if seed % 3 == 2:
        hasten(hurry, templates)
    models = [concrete, write(templates, initial, False)]
    for place in urgent:
        models[place] = models[place].replace('chan c, d;', 'urgent chan c, d;')
    if seed % 3 == 2 and not urgent:
        models = make_urgent(hurry, models)
    return *models, ignored


def ask(varabs, timeout, paths, *more):
    done = subprocess.run([varabs, 'certify', *paths, '--json', '-', *more],
                          capture_output=True, text=True, timeout=timeout)
    result = json.loads(done.stdout) if done.returncode in (0, 1) else None
    for key in OWN:
        if result:
            result.pop(key, None)
    # sets take all pairs, not only those that are chosen
    # and where nothing says what an abstract state has besides, all that are left
    if result and ('--must' in more or '--ignore' in more or '--report' in more or result['only_abstract']):
        result = {key: result[key] for key in result if 'pairs' not in key}
    return done.returncode, result, done.stderr


def exchange(varabs, seed, paths, report):
    """Write a model and what --auto makes of it: the report to compare them by, or None."""
    rng = random.Random(seed)
    kind = rng.choice((gen_trap.handed, gen_trap.posted, gen_trap.apart, gen_trap.ranges, gen_key.keyed, gen_key.keyed))
    with open(paths[0], 'w', encoding='utf-8') as file:
        file.write(kind(rng)[0])
    done = subprocess.run([varabs, paths[0], '--auto', '--may', '-o', paths[1], '--report', report],
                          capture_output=True)
    if done.returncode:
        return None
    with open(report, encoding='utf-8') as file:
        found = json.load(file)
    if rng.random() < 0.5:
        spoil(rng, found)
    with open(report, 'w', encoding='utf-8') as file:
        json.dump(found, file)
    return ['--report', report]


def write_pair(seed, paths):
    """Write two models: what is to be ignored."""
    *models, ignored = generate(seed)
    if seed % 5 in (1, 4):
        models.reverse()
    for path, text in zip(paths, models):
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)
    return ['--ignore', ','.join(ignored)] if ignored else []


def compare(right, found, may_lack_run):
    """What is wrong with an answer of sets, or None."""
    if found[0] != right[0]:
        return f'status {found[0]}'
    if not may_lack_run and found[1]['engine'] == 'explicit' and has_runs(found[1]) and found[1].get('not_by_sets', TIME) == TIME:
        return 'sets have no run'
    return ', '.join(differing(right[1], found[1], SAID)) or None


def replay(paths, answer, is_stuttering):
    """What is wrong with a run of sets, or None."""
    if answer['engine'] != 'symbolic' or not has_runs(answer):
        return None
    try:
        replay_runs(Duel(*map(load_network, paths), answer, is_stuttering), Simulation)
    except ModelError:
        return None
    except Wrong as error:
        return f'the run: {error}'
    return None


def judge(task):
    varabs, seed, keep, timeout = task
    answers = 0
    with tempfile.TemporaryDirectory() as own:
        paths = [os.path.join(keep or own, f'{seed}-{side}.xml')
                 for side in ('concrete', 'abstract')]
        names = exchange(varabs, seed, paths, os.path.join(own, 'report.json')) \
            if seed % 8 == 5 else write_pair(seed, paths)
        if names is None:
            return seed, 'not abstracted', ''
        for mode in ('--may', '--must', '--exact'):
            for stutter in ([], ['--stutter']):
                arguments = [mode, *stutter, *names, '--engine']
                right = ask(varabs, timeout, paths, *arguments, 'explicit')
                if right[0] not in (0, 1):
                    return seed, 'failed', f'{right[0]}: {right[2]}'
                for more in ([], ['--shuffle', str(seed % 50 + 1)]):
                    found = ask(varabs, timeout, paths, *arguments, 'symbolic',
                                *more)
                    if found[0] == 4:
                        return seed, 'not for sets', ''
                    wrong = compare(right, found, mode != '--may' and '--report' in names) or (
                        not '--report' in names and replay(paths, found[1], bool(stutter) and mode != '--exact'))
                    if wrong:
                        return seed, 'failed', f'{" ".join(arguments)} {more}: {wrong} {found[2]}'
                    answers += found[1]['engine'] == 'symbolic'
        for path in paths if keep else ():
            os.remove(path)
    return seed, 'passed' if answers else 'all by states', ''


if __name__ == '__main__':
    seeds.main(judge, __doc__, 0.3)
