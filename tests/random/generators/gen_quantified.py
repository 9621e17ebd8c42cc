"""Small models in which all variables take all values, asked with quantifiers over conditions that go two
ways: ways through the code of a query part and meet again, with other values in what is still read, or not."""

import random
from html import escape

DECLARATION = """typedef int[0,2] id_t;
int[0,2] a[id_t];
bool b[id_t];
int[-1,2] x;
 int low(int i) { if (a[i] > x) return x; return a[i]; }
 int next(int i) { i = i + 1; if (i > 2) i = 0; return i; }
bool near(int i, int j) { for (k : id_t) if (b[k] && a[k] == i) return k <= j; return i == j; }
 int total(int n) { int s = 0; for (k : id_t) { if (b[k]) s += a[k]; else s = s - n; } return s; }
 int most(int i, int j) { int m = a[i]; if (a[j] > m) m = a[j]; if (x > m) { m = x; i = j; } return m * 3 + i; }"""


class Queries:
    """At random; names are those of quantifiers around."""

    def __init__(self, seed):
        self.rng = random.Random(seed * 15485863 + 11)

    def index(self, names):
        return self.rng.choice([*names, *names, *names, 'next(%s)' % self.rng.choice(names)] if names else ['0', '1', '2'])

    def number(self, names, depth):
        pick = self.rng.random()
        if depth <= 0 or pick < .35:
            return self.rng.choice(['x', '0', '1', '2', 'a[%s]' % self.index(names), 'a[%s]' % self.index(names)])
        if pick < .42:
            return 'low(%s)' % self.index(names)
        if pick < .5:
            return 'most(%s, %s)' % (self.index(names), self.index(names))
        if pick < .65:
            return 'total(%s)' % self.number(names, depth - 1)
        if pick < .85:
            return '(%s ? %s : %s)' % (self.condition(names, depth - 2), self.number(names, depth - 1),
                                       self.number(names, depth - 1))
        if pick < .9:
            return '(%s %s %s)' % (self.number(names, depth - 1), self.rng.choice('+-'), self.number(names, depth - 1))
        name = 'ijkl'[len(names)]
        return '(sum (%s : id_t) %s)' % (name, self.number([*names, name], depth - 1))

    def condition(self, names, depth):
        pick = self.rng.random()
        if depth > 0 and len(names) < 3 and pick < .3:
            name = 'ijkl'[len(names)]
            return '(%s (%s : id_t) %s)' % (self.rng.choice(('forall', 'exists')), name,
                                            self.condition([*names, name], depth - 1))
        if depth > 0 and pick < .7:
            return '(%s %s %s)' % (self.condition(names, depth - 1), self.rng.choice(('imply', '&&', '||', 'imply', '==')),
                                   self.condition(names, depth - 1))
        if pick < .78:
            return 'near(%s, %s)' % (self.number(names, depth - 2), self.index(names))
        if pick < .88:
            return 'b[%s]' % self.index(names)
        return '%s %s %s' % (self.number(names, depth - 1), self.rng.choice(('==', '!=', '<', '>=')),
                             self.number(names, depth - 1))

    def query(self):
        """A number's bounds, or the state of those where a condition holds that is first in some order."""
        if self.rng.random() < .5:
            return '%s: %s' % (self.rng.choice(('sup', 'inf')), self.number([], 4))
        condition = self.condition([], 4)
        if self.rng.random() < .2:
            return '%s %s' % (self.rng.choice(('A[]', 'E<>')), condition)
        cells = ['a[0]', 'a[1]', 'a[2]', 'b[0]', 'b[1]', 'b[2]', 'x']  # few states have the same sum
        self.rng.shuffle(cells)
        return '%s{%s}: %s' % (self.rng.choice(('sup', 'inf')), condition, ' + '.join(
            '%d * %s' % (3 ** i * self.rng.choice((-1, 1)), cell) for i, cell in enumerate(cells)))


def quantified(seed):
    """Variables move round, in steps that sometimes depend on others."""
    maker = Queries(seed)
    labels = [('a[k] = (a[k] + 1) % 3', 'k : id_t'), ('b[k] = !b[k]', 'k : id_t'), ('x = x == 2 ? -1 : x + 1', '')]
    edges = ''
    for update, select in labels:
        guard = maker.condition(['k'] if select else [], 1) if maker.rng.random() < .4 else ''
        edges += '<transition><source ref="id0"/><target ref="id0"/>' + ''.join(
            '<label kind="%s">%s</label>' % (kind, escape(text)) for kind, text in
            (('select', select), ('guard', guard), ('assignment', update)) if text) + '</transition>\n'
    template = ('<template><name>P</name><location id="id0"><name>works</name></location><init ref="id0"/>\n%s</template>'
                % edges)
    queries = ''.join('<query><formula>%s</formula><comment/></query>\n' % escape(maker.query()) for _ in range(12))
    return ('<?xml version="1.0" encoding="utf-8"?>\n<nta><declaration>%s</declaration>\n%s\n<system>system P;</system>\n'
            '<queries>\n%s</queries></nta>\n' % (escape(DECLARATION), template, queries))
