"""Small models whose arrays are touched by computed indices only, of which
some are out of bounds: what a step looks at then depends on the state.  Indices
are variables, cells of other arrays, sums of them, and what a step has just assigned; updates
write on some ways only, in loops, in functions, by the receivers of a
broadcast."""

import random
from html import escape
from generators.small_models import xml

ARRAYS = {'a': 'int[0,2] a[3]', 'b': 'bool b[2]', 'g': 'int[0,1] g[2][2]',
          'r': 'struct { int[0,2] x; bool y; } r[2]'}
FUNCTIONS = """
void set(int k, int v) { if (v > 1) a[k] = v; }
void move(int k) { int old = a[k]; k = (k + 1) % 3; a[k] = old; i = k; }
int total(int n) { int s = 0; for (k : int[0,2]) if (k <= n) s += a[k]; return s; }
bool any(int v) { return exists (k : int[0,2]) a[k] == v; }
void clear(int n) { int k = 0; while (k < n) { a[k] = 0; k++; } }"""

ADVANCES = ['i = (i + 1) % 3', 'j = (j + 1) % 3', 'a[i] = (a[i] + 1) % 3, i = (i + 1) % 3',
            'm[j % 2] = 1 - m[j % 2], j = (j + 1) % 3']


class Cells:
    """One such model."""

    def __init__(self, seed):
        self.rng = random.Random(seed * 32452843 + 17)
        self.mixes = seed % 8 == 7       # indices of two variables, and more

    def pick(self, items):
        return self.rng.choice(items)

    def chance(self, p):
        return self.rng.random() < p

    def index(self, size):
        """Mostly within the bounds."""
        if self.mixes and self.chance(0.5):
            return f'({self.pick(["i + j", "i + a[j]", "j + m[i % 2]"])}) % {size}'
        name = self.pick(['i', 'i', 'j', 'j', 'm[j % 2]', 'a[i]', 'me', 'k'])
        if name == 'k' and not self.has_select:
            name = 'j'
        return name if self.chance(0.12) else f'({name}) % {size}'

    def cell(self):
        kind = self.pick('aaabgrm')
        if kind == 'g':
            return f'g[{self.index(2)}][{self.index(2)}]'
        if kind == 'r':
            return f'r[{self.index(2)}].{self.pick("xy")}'
        return f'{kind}[{self.index(3 if kind == "a" else 2)}]'

    def value(self):
        return self.pick(['0', '1', '2', self.cell(), 'i', 'j', f'total({self.index(3)})',
                          f'({self.cell()} + 1)', f'({self.cell()} > 0 ? j : {self.cell()})'])

    def guard(self):
        return self.pick([f'{self.cell()} == {self.value()}', f'{self.cell()} < 2',
                          f'any({self.value()})', f'{self.cell()} != {self.cell()}',
                          f'i + j < {self.pick("123")}'])

    def mixed(self):
        """What depends on what may have been written before."""
        one, other = self.index(3), self.pick("012")
        return self.pick([
            f'i = {self.cell()} > 0 ? {self.pick("01")} : {self.pick("12")}',
            f'a[{one}] = {self.pick("012")}, j = a[{other}], a[{other}] = {self.pick("01")}',
            f'j = a[{other}], a[{other}] = {self.pick("01")}', f'j = a[{one}]',
            f'a[i] = {self.pick("012")}', f'set({other}, {self.index(3)})'])

    def update(self):
        if self.mixes and self.chance(0.4):
            return self.mixed()
        cell = self.cell()
        most = 2 if cell[0] == 'a' or cell.endswith('x') else 1
        return self.pick([
            f'{cell} = ({self.value()}) % {most + 1}',
            f'{cell} = {self.pick("01")}', f'{cell} = {self.pick("01")}',
            'i = (i + 1) % 3', f'j = ({self.value()}) % 3', f'i = ({self.cell()}) % 3',
            f'set({self.index(3)}, {self.pick("012")})', f'move({self.index(3)})',
            f'clear({self.index(3)})', f'm[{self.index(2)}] = {self.pick("01")}'])

    def special(self):
        """Labels of which the parts depend on each other, or fail."""
        return self.pick([
            [('select', 'k : int[0,1]'), ('assignment', 'b[i] = k')],
            [('guard', 'b[i] == 0'), ('synchronisation', self.pick(['c!', 'c?', 'all?']))],
            [('synchronisation', 'all!'),
             ('assignment', f'i = {self.cell()} > 0 ? {self.pick("01")} : 2')],
            [('synchronisation', 'all?'), ('assignment', 'j = a[i]')],
            [('synchronisation', f'd[{self.cell()} > 0 ? {self.pick(["0", "1", "i % 2"])} : 1]' +
              self.pick('!?'))],
            [('assignment', 'a[(i + j) % 3] = 2, j = a[1], a[1] = 0')]])

    def edge(self, source, count):
        self.has_select = False
        if self.mixes and self.chance(0.3):
            return self.edge_text(source, count, self.special())
        self.has_select = self.chance(0.2)
        labels = []
        if self.has_select:
            labels.append(('select', 'k : int[0,1]'))
        if self.chance(0.25):
            labels.append(('guard', self.guard()))
        if self.chance(0.45):
            channel = self.pick(['c', 'all', 'all', f'd[{self.index(2)}]'])
            labels.append(('synchronisation', channel + self.pick('!?')))
        updates = [self.update() for _ in range(self.pick([0, 1, 2, 2]))]
        if updates:
            labels.append(('assignment', ', '.join(updates)))
        return self.edge_text(source, count, labels)

    def edge_text(self, source, count, labels):
        return (f'<transition><source ref="id{source}"/>'
                f'<target ref="id{self.rng.randrange(count)}"/>' +
                ''.join(f'<label kind="{kind}">{escape(text)}</label>'
                        for kind, text in labels) + '</transition>\n')

    def template(self, name, last):
        count = self.pick([1, 2, 2, 3])
        mark = ['<committed/>' if n and self.chance(0.2) else '' for n in range(count)]
        edges = ''.join(self.edge(source, count) for source in range(count)
                        for _ in range(self.pick([1, 2])))
        edges += ('<transition><source ref="id0"/><target ref="id0"/><label kind="assignment">'
                  f'{self.pick(ADVANCES)}</label></transition>\n')
        edges = edges.replace('"id', f'"{name}')
        return (f'<template><name>{name}</name>'
                f'<parameter>const int[0,{last}] me</parameter>'
                '<declaration>int[0,2] j; int[0,1] m[2];</declaration>' +
                ''.join(f'<location id="{name}{n}"><name>L{n}</name>{mark[n]}</location>'
                        for n in range(count)) +
                f'<init ref="{name}0"/>\n{edges}</template>\n')

    def query(self):
        rng = self.rng
        if self.mixes and self.chance(0.5):
            return self.pick([
                f'E&lt;&gt; a[i + {rng.randint(0, 1)}] == {rng.randint(0, 2)}',
                'A[] total(a[i + 1]) &lt; 6', 'A[] exists (k : int[0,2]) a[k + i] == 2', 'sup: total(a[i] + a[i + 1])',
                f'A[] any(i) or a[2 * i] != {rng.randint(0, 2)}'])
        return self.pick([
            f'E&lt;&gt; a[i] == {rng.randint(0, 2)} and i == {rng.randint(0, 2)}',
            f'A[] exists (k : int[0,2]) a[k] == {rng.randint(0, 2)}',
            'sup: a[i], i', f'E&lt;&gt; g[i % 2][a[i] % 2] == {rng.randint(0, 1)}',
            f'E&lt;&gt; r[i % 2].x == {rng.randint(0, 2)} and r[i % 2].y'])

    def text(self):
        names = ['P', 'Q'][:self.pick([1, 2])]
        templates = ''.join(self.template(name, self.pick([0, 1])) for name in names)
        queries = ''.join(f'<query><formula>{self.query()}</formula></query>'
                          for _ in range(4))
        return ('<nta><declaration>' + ';\n'.join(ARRAYS.values()) +
                ';\nint[0,2] i;\nchan c, d[2];\nbroadcast chan all;' + escape(FUNCTIONS) +
                f'</declaration>\n{templates}<system>system {", ".join(names)};</system>\n'
                f'<queries>{queries}</queries></nta>\n')


def lull(rng):
    """A few steps, between which time may pass for ever, or must not: urgent
    locations, and urgent channels with and without a partner."""
    def marked(names):
        return [name + rng.choice(['', '', '~']) for name in names]

    def edge(source, target, sync=''):
        labels = {'assignment': 'i = i < 2 ? i + 1 : 2'}
        if rng.random() < 0.3:
            labels['guard'] = rng.choice(['i == 0', 'i > 0', 'i != 1'])
        if sync or rng.random() < 0.5:
            labels['synchronisation'] = sync or 'u' + rng.choice('!?')
        return source, target, labels
    templates = []
    for name in ['P', 'Q'][:rng.randint(1, 2)]:
        edges = [edge('A', 'B'), edge('B', 'C'), edge('A', 'A'), edge('A', 'B')]
        edges = edges[:rng.randint(2, 4)]
        if rng.random() < 0.4:       # no partner of itself
            edges += [edge('A', 'C', 'u!'), edge('A', 'C', 'u?')]
        templates.append((name, '', '', marked('ABC'), edges))
    return xml('int[0,2] i; urgent chan u;', templates,
               f"system {', '.join(t[0] for t in templates)};",
               ['A<> P.B', 'A<> i == 1', 'E[] P.A', 'P.A --> P.C', 'E[] i < 2'])


def cells(seed):
    """The XML text for a seed."""
    if seed % 24 == 23:
        return lull(random.Random(seed * 15487469 + 29))
    return Cells(seed).text()
