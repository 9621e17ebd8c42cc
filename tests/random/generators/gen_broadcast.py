"""Small models in which several processes receive one broadcast: in one way or in several, with
guards over what those before them write, from committed locations, with what is passed on within
a step, and with updates that fail."""

import random
from html import escape

GUARDS = ['x != 2', 'a[me] &lt; 2', 't == 0', 'x == y', 'a[x] == 0', 'y &lt; 2', 'any()']
UPDATES = ['x = (x + 1) % 3', 'y = x', 'a[me] = x', 'x = a[(me + 1) % 3]', 't = 1 - t', 'a[x] = t',
           'y = a[me], a[me] = 0', 'x = 0', 'set_cell()', 't = 0, y = (y + 1) % 3']
RARE = ['y = y + 1', 'a[x] = a[x] + 1', 'x = 2 / y', 'a[y + me] = 0']
PASSED = {'!': ['m = x', 'm = 1, x = 2'], '?': ['a[me] = m', 'y = m, m = 0', 'm = 2 - m']}
DECLARATION = """int[0,2] x, y, a[3];
meta int[0,2] m;
broadcast chan b, c;
bool any() { return exists (k : int[0,2]) a[k] == 2; }
void set_cell() { if (x > 0) a[x - 1] = y; }"""


class Broadcasts:
    """One such model."""

    def __init__(self, seed):
        self.rng = random.Random(seed * 15485863 + 29)
        self.rare = 0.1 if self.rng.random() < 0.3 else 0
        self.passes = 0.3 if self.rng.random() < 0.2 else 0
        self.commits = self.rng.random() < 0.4
        self.forks = 0.4 if self.rng.random() < 0.3 else 0     # two ways to receive
        self.guards = self.rng.choice([0, 0.1, 0.4])           # receivers look at what all write

    def chance(self, p):
        return self.rng.random() < p

    def edge(self, name, source, target, kind, channel=''):
        rng = self.rng
        labels = []
        if kind == '?':
            if self.chance(0.3):
                labels.append(('guard', 't == ' + rng.choice('01')))
            elif self.chance(self.guards):
                labels.append(('guard', rng.choice(GUARDS)))
        elif self.chance(0.4):
            labels.append(('guard', rng.choice(GUARDS)))
        if kind:
            labels.append(('synchronisation', channel + kind))
        if self.chance(0.8):
            updates = UPDATES
            if kind and self.chance(self.passes):
                updates = PASSED[kind]
            elif self.chance(self.rare):
                updates = RARE
            labels.append(('assignment', rng.choice(updates)))
        return (f'<transition><source ref="{name}{source}"/><target ref="{name}{target}"/>' +
                ''.join(f'<label kind="{kind}">{text}</label>' for kind, text in labels) +
                '</transition>\n')

    def template(self, name):
        rng = self.rng
        count = rng.choice([2, 2, 3])
        marks = ['<committed/>' if n and self.commits and self.chance(0.4) else ''
                 for n in range(count)]
        edges = ''.join(self.edge(name, source, rng.randrange(count), '')
                        for source in range(count) for _ in range(rng.randint(1, 2)))
        edges += self.edge(name, rng.randrange(count), rng.randrange(count), '!', 'b')
        edges += self.edge(name, rng.randrange(count), rng.randrange(count), '!', rng.choice('bc'))
        for source in range(count):
            for channel in 'bc':
                for _ in range(self.chance(0.6) + self.chance(self.forks)):
                    edges += self.edge(name, source, rng.randrange(count), '?', channel)
        return (f'<template><name>{name}</name><parameter>const int[0,{rng.choice([1, 2])}] me'
                '</parameter><declaration>int[0,1] t;</declaration>' +
                ''.join(f'<location id="{name}{n}"><name>L{n}</name>{marks[n]}</location>'
                        for n in range(count)) + f'<init ref="{name}0"/>\n{edges}</template>\n')

    def query(self):
        rng = self.rng
        return rng.choice([
            f'E&lt;&gt; a[x] == {rng.randint(0, 2)} and y == {rng.randint(0, 2)}',
            f'A[] a[0] + a[1] + a[2] != {rng.randint(2, 6)}', 'sup: x + y, a[1]',
            f'A&lt;&gt; x == {rng.randint(1, 2)}', f'E[] y != {rng.randint(1, 2)}',
            f'x == 1 --> a[0] == {rng.randint(0, 2)}', 'A[] not deadlock'])

    def text(self):
        names = ['P', 'Q'][:self.rng.choice([1, 2])]
        queries = ''.join(f'<query><formula>{self.query()}</formula></query>' for _ in range(4))
        return (f'<nta><declaration>{escape(DECLARATION)}'
                '</declaration>\n' + ''.join(self.template(name) for name in names) +
                f'<system>system {", ".join(names)};</system>\n'
                f'<queries>{queries}</queries></nta>\n')


def broadcasts(seed):
    """Model with queries."""
    return Broadcasts(seed).text()
