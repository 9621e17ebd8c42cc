"""Are merges over cells what they say where single rules decide?

usage: judges/aimed_cells.py [--varabs PROGRAM] [--seeds FIRST..LAST] [--jobs N]

As cells.py, with models in which few things happen, so that each is reached: cells that are
used up until nothing moves, two indices that may be one cell, quantifiers about kinds that
are not counted, cells that are compared, sums of great weights, loops over all cells, an index that
is removed, too.
"""

from generators.small_models import xml
from judges.cells import Cells, judge_case
from tools import seeds


SUMS = 10000   # behind this seed, guards add cells up


class AimedCells(Cells):
    """One process, the edges of one aim."""

    def __init__(self, seed):
        super().__init__(4 * seed)   # no pairs of bits
        self.is_pair = self.has_last = self.is_local = False
        self.shape, self.size, self.top = 'plain', 3, 2
        aims = (self.use_up, self.same_cell, self.ask_all, self.compare, self.weigh, self.turn,
                self.point, self.point)
        kinds = [0, 1, 2]
        self.rng.shuffle(kinds)
        self.kinds, self.first, self.code = kinds, None, ''
        self.edges = self.add_up() if seed > SUMS else aims[seed % len(aims)]()
        if self.first is None:
            self.first = [self.rng.randint(0, self.top) for _ in range(self.size)]
        self.array = f"int[0,{self.top}] c[{self.size}] = {{" \
            + ', '.join(map(str, self.first)) + '}'

    def counts(self, *values):
        texts = [(f"m{number}:int[0,{self.size}]=", ' + '.join(f"(c[{k}] == {value})"
                                                            for k in range(self.size)))
                 for number, value in enumerate(values)]
        return [(head + text, head + text) for head, text in texts]

    def index(self, name='i'):
        return f"{name} : int[0,{self.size - 1}]"

    def fill(self, *values):
        return [(self.index(), '', f"c[i] = {value}") for value in values]

    def use_up(self):
        """A kind that is counted, and one that is not: who is stuck?"""
        rng, (counted, other, end) = self.rng, self.kinds
        self.merges = self.counts(counted)
        edges = [(self.index(), f"c[i] == {counted}", f"c[i] = {rng.choice((other, end))}"),
                 (self.index(), f"c[i] == {other}", f"c[i] = {end}, x = {rng.randint(0, 2)}")]
        return edges[:rng.choice((1, 2, 2, 2))]

    def same_cell(self):
        """Two indices without a word of whether they differ."""
        rng, (one, two, _) = self.rng, self.kinds
        self.size, self.top = rng.choice((2, 3)), rng.choice((1, 2))
        one, two = min(one, self.top), rng.choice((min(one, self.top), two % (self.top + 1)))
        self.merges = self.counts(*range(self.top))
        both = f"{self.index()}, {self.index('j')}"
        return [(both, f"c[i] == {one} && c[j] == {two}",
                 f"c[i] = {rng.randint(0, self.top)}"
                 + rng.choice(('', f", c[j] = {rng.randint(0, self.top)}"))),
                *self.fill(rng.randint(0, self.top))]

    def ask_all(self):
        """A quantifier that tells kinds apart which are counted together, or not at all."""
        rng, (counted, other, _) = self.rng, self.kinds
        self.merges = self.counts(counted)
        word = rng.choice(('forall', 'forall', 'exists', '!forall', '!exists'))
        quantifier = f"{word[-6:]}({self.index('k')}) c[k] {rng.choice(('!=', '=='))} {other}"
        return [('', f"!({quantifier})" if word[0] == '!' else quantifier, 'x = 1'),
                *self.fill(*rng.sample(self.kinds, 2))]

    def add_up(self):
        """A sum over cells in a guard, compared with what stays."""
        rng, (one, two, three) = self.rng, self.kinds
        self.merges = self.counts(*self.kinds[:rng.choice((1, 2, 2, 2))])
        first = rng.choice((0, 0, 0, 0, 1))
        body = rng.choice(('c[k]', f"(c[k] == {one})", f"(c[k] == {one})", f"(c[k] != {three})",
                           f"(c[k] == {one} ? 2 : c[k] == {two} ? -1 : 0)", f"(c[k] == {two} || c[k] == {three})"))
        text, other = f"(sum(k : int[{first},2]) {body})", rng.choice(('x', 'x + 1', '1', '2', '3'))
        operator = rng.choice(('<', '<=', '==', '!=', '>=', '>'))
        guard = f"{text} {operator} {other}" if rng.random() < 0.7 else f"{other} {operator} {text}"
        if rng.random() < 0.2:
            guard = f"!({guard})"
        if rng.random() < 0.5:
            edge = (self.index(), f"{guard} && c[i] == {rng.choice((one, two))}",
                    f"c[i] = {rng.choice(self.kinds)}{rng.choice(('', ', x = 2'))}")
        else:
            edge = ('', guard, f"x = {rng.randint(0, 2)}")
        return [edge, *self.fill(*rng.sample(self.kinds, 2)), ('', '', f"x = {rng.randint(0, 2)}")]

    def compare(self):
        """Two cells, compared with each other."""
        rng = self.rng
        self.merges = self.counts(*self.kinds[:rng.choice((1, 2, 2))])
        both = f"{self.index()}, {self.index('j')}"
        guard = f"c[i] {rng.choice(('<', '!=', '<=', '=='))} c[j]"
        update = rng.choice(('c[i] = c[j]', 'c[j] = 0', 'c[i] = 2 - c[j]', 'c[j] = c[i], c[i] = 1', 'c[j] = w',
                             'c[i] = w'))
        if 'w' in update:
            both += f", w : int[0,{rng.choice((1, 2))}]"
        return [(both, guard, update + rng.choice(('', ', x = 1'))),
                *self.fill(*rng.sample(self.kinds, 2))]

    def weigh(self):
        """Two sums whose counts are differences of products beyond 2^31."""
        rng = self.rng
        self.size, great, small = 4, rng.randint(25000, 32767), rng.randint(1, 3)
        self.is_wide, self.merges = True, []
        for name, one, two in (('m0', small, great), ('m1', great, small)):
            head = f"{name}:int[0,{4 * great}]="
            self.merges.append((
                head + ' + '.join(f"(c[{k}] == 1 ? {one} : (c[{k}] == 2 ? {two} : 0))"
                                  for k in range(4)),
                head + ' + '.join(f"(c[{k}] == 1) * {one} + (c[{k}] == 2) * {two}"
                                  for k in range(4))))
        full = rng.choice((1, 2))
        return [*self.fill(full), (self.index(), f"c[i] == {full}", 'c[i] = 0, x = 1')]

    def turn(self):
        """A loop that changes all cells, where one or two kinds are counted."""
        rng, (one, two, three) = self.rng, self.kinds
        self.merges = self.counts(*self.kinds[:rng.choice((1, 2, 2, 2))])
        value = rng.choice((f"c[k] == {one} ? {two} : {three}", f"c[k] == {one} ? {two} : c[k]",
                            f"c[k] == {two} ? {one} : {three}", f"c[k] == {three} ? {one} : c[k]"))
        statement = rng.choice((f"c[k] = {value};", f"if (c[k] == {one}) c[k] = {two};",
                                f"if (c[k] == {three}) c[k] = {rng.choice((one, two))};"))
        self.code = f"void f() {{ for ({self.index('k')}) {statement} }}"
        return [('', '', rng.choice(('f()', 'f(), x = 1'))), *self.fill(*rng.sample(self.kinds, 2))]

    def point(self):
        """A variable that leads to a cell, and is merged with it."""
        rng = self.rng
        self.size, self.top, self.has_other = rng.choice((2, 3, 3)), rng.choice((1, 2, 2)), True
        last = rng.choice((self.size - 1,) * 5 + (self.size - 2,))
        kinds = [kind for kind in self.kinds if kind <= self.top]
        self.code = f"int[0,{last}] k = {rng.randint(0, last)};"
        head, text, meant = rng.choice((
            ('bool', f"c[k] == {kinds[0]}", f"(c[k] == {kinds[0]})"),
            ('bool', f"c[k] == {kinds[0]}", f"(c[k] == {kinds[0]})"),
            (f"int[0,{self.top}]", 'c[k]', 'c[k]'),
            ('int[0,1]', f"c[k] > 0 && k != {last}", f"(c[k] > 0) * (k != {last})"),
            ('int[0,1]', f"(k == {last}) * (c[k] == {kinds[0]})",
             f"(k == {last}) * (c[k] == {kinds[0]})")))
        meant = ' + '.join(f"(k == {place}) * {meant.replace('c[k]', f'c[{place}]')}"
                           for place in range(last + 1)) + f" + 0 * c[{self.size - 1}]"
        counted = rng.choice(((), (kinds[0],), (kinds[0],), tuple(kinds[:2])))
        self.merges = self.counts(*counted) + [(f"p:{head}={text}", f"p:{head}={meant}")]

        def edge():
            selects, guards, updates = [f"i : int[0,{last}]"], [], []
            for cell in ('c[k]', 'c[i]'):
                if rng.random() < 0.35:
                    guards.append(f"{cell} {rng.choice(('==', '!=', '<'))} {rng.choice(kinds)}")
            if rng.random() < 0.25:
                guards.append(rng.choice(('i != k', 'k == i', 'i != k', 'c[i] == c[k]', f"k < {last}")))
            for text in (f"c[k] = {rng.choice(kinds)}", f"c[i] = {rng.choice(kinds)}", 'x = c[k]',
                         rng.choice(('k = i', 'k = i', 'k = 0', 'k = x < 2 ? 0 : 1'))):
                if rng.random() < (0.7 if text[0] == 'k' else 0.3):
                    updates.append(text)
            if rng.random() < 0.15:
                rng.shuffle(updates)
            return ', '.join(selects), ' && '.join(guards), ', '.join(updates) or 'x = 1'
        return [edge() for _ in range(rng.choice((1, 2, 2, 3)))] + self.fill(rng.choice(kinds))

    def model(self):
        edges = []
        for select, guard, update in self.edges:
            labels = {'select': select, 'guard': guard, 'assignment': update}
            edges.append(('a', 'a', {kind: text for kind, text in labels.items() if text}))
        self.rng.shuffle(edges)
        return xml(f"int[0,2] x; {self.array}; {self.code}", [('P', '', '', ['a'], edges)],
                   'system P;', ['A<> x > 2'])


def judge(task):
    """(seed, outcome, message)"""
    return judge_case(task, AimedCells(task[1]))


if __name__ == '__main__':
    seeds.main(judge, __doc__, 1 / 2)
