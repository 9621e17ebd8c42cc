"""Are merges over cells that one process writes what they say?

usage: judges/own_cells.py [--varabs PROGRAM] [--seeds FIRST..LAST] [--jobs N]

As cells.py, with processes that have a cell of their own each, by a parameter, or by a
constant: so what it holds may follow from where its process is.  In many models it does
not, as another process writes it, too, the parameter is no constant, two processes
have the same one, or cells are written by a select or by a function.
"""

from generators.small_models import xml
from judges.cells import Cells, judge_case
from tools import seeds


class OwnCells(Cells):
    """Processes V(id) that write c[id]."""

    def __init__(self, seed):
        super().__init__(4 * seed)   # no pairs of bits
        rng = self.rng
        self.is_pair = self.has_last = self.is_local = False
        self.size, self.top = rng.choice((2, 2, 3)), rng.choice((1, 1, 2))
        self.shape = rng.choice(('plain', 'plain', 'plain', 'record'))
        self.array = {'plain': f"int[0,{self.top}] c[{self.size}]",
                      'record': "struct {{ bool u; int[0,{}] v; }} c[{}]".format(
                          self.top, self.size)}[self.shape]
        if self.shape == 'plain' and rng.random() < 0.4:
            self.array += ' = {' + ', '.join(
                str(rng.randint(0, self.top)) for _ in range(self.size)) + '}'
        self.merges = self.make_merges()
        self.index = rng.choice(('id', 'id', 'id', 'id - 1', 'id % N'))
        first = self.index == 'id - 1'
        self.parameter = f"{rng.choice(('const ', 'const ', 'const ', ''))}" \
            f"int[{int(first)},{self.size - 1 + first}] id"
        self.channel = rng.choice(('', '', 'go', 'all'))

    def ask(self, cell):
        field = '.v' if self.shape == 'record' else ''
        if self.shape == 'record' and self.rng.random() < 0.5:
            return f"{self.rng.choice(('', '!'))}{cell}.u"
        value = self.rng.choice((*map(str, range(self.top + 1)), 'x'))
        return f"{cell}{field} {self.rng.choice(('==', '!=', '>', '<='))} {value}"

    def give(self, cell):
        rng = self.rng
        if self.shape == 'record' and rng.random() < 0.5:
            return f"{cell}.u = {rng.choice(('true', 'false'))}"
        field = '.v' if self.shape == 'record' else ''
        if rng.random() < 0.15:
            return f"{cell}{field}{rng.choice(('++', '--'))}"
        return f"{cell}{field} = " + rng.choice((*map(str, range(self.top + 1)) ,) * 3 + ('x % 2',))

    def own_edge(self, is_last):
        """An edge of V."""
        rng, cell = self.rng, f"c[{self.index}]"
        selects, guards, updates = [], [], []
        other = None
        if rng.random() < 0.2:
            selects.append(f"i : int[0,{self.size - 1}]")
            other = 'c[i]'
        if rng.random() < 0.35:
            guards.append(self.ask(cell))
        if other and rng.random() < 0.7:
            guards.append(self.ask(other))
        if rng.random() < 0.15:
            guards.append(f"{rng.choice(('forall', 'exists'))}(k : int[0,{self.size - 1}]) "
                          + self.test().format('c[k]'))
        if rng.random() < 0.2:
            guards.append(f"x {rng.choice(('==', '<='))} {rng.randint(0, 1)}")
        if rng.random() < 0.8:
            updates.append(self.give(cell))
        if rng.random() < 0.15:
            updates.append(self.give(cell))
        if other and rng.random() < 0.4:
            updates.append(self.give(other))
        if rng.random() < 0.25:
            updates.append(f"x = {rng.choice(('0', '1', '1 - x', f'{cell}.v' if self.shape == 'record' else cell))}")
        if is_last and rng.random() < 0.25:
            updates.append(rng.choice(('set()', f"c[0]{'.v' if self.shape == 'record' else ''} = 1")))
        if is_last and 'const' not in self.parameter and rng.random() < 0.5:
            updates.append(f"id = {self.size - 1}")
        return self.labels(selects, guards, updates)

    def other_edge(self):
        """An edge of W, which writes cells of the others or reads them."""
        rng = self.rng
        low = rng.choice((0, self.size - 1))
        cell = rng.choice(('c[i]', 'c[i]', 'c[0]', f"c[{self.size - 1}]"))
        selects = [f"i : int[{low},{self.size - 1}]"] if 'i' in cell else []
        guards = [self.ask(cell)] if rng.random() < 0.7 else []
        updates = [self.give(cell)] if rng.random() < 0.6 else ['x = 1 - x']
        return self.labels(selects, guards, updates)

    def labels(self, selects, guards, updates):
        labels = {'select': ', '.join(selects), 'guard': ' && '.join(guards),
                  'assignment': ', '.join(updates)}
        if self.channel and self.rng.random() < 0.5:
            labels['synchronisation'] = self.channel + self.rng.choice('!?')
        return {kind: text for kind, text in labels.items() if text}

    def model(self):
        rng = self.rng
        places = ['a', 'b', 'd'][:rng.choice((2, 2, 2, 3))]
        if rng.random() < 0.1:
            places[-1] += '!'
        names = [place.rstrip('!') for place in places]
        edges, count = [], rng.choice((2, 2, 3, 4))
        is_strange = rng.random() < 0.3
        for number in range(count):
            source = names[number % len(names)]
            target = names[(number + 1) % len(names)] if rng.random() < 0.8 else rng.choice(names)
            edges.append((source, target,
                          self.own_edge(is_strange and number == count - 1)))
        templates = [('V', self.parameter, '', places, edges)]
        last = self.size - 1 + int('-' in self.index)
        system = rng.choice(('system V', 'system V', 'system V',
                             f"A = V({last}); B = V({rng.choice((last, last - 1))}); system A, B",
                             f"A = V({last}); system A"))
        if rng.random() < 0.35:
            templates.append(('W', '', '', ['a'], [('a', 'a', self.other_edge())
                                                   for _ in range(rng.choice((1, 1, 2)))]))
            system += ', W'
        field = '.v' if self.shape == 'record' else ''
        decl = f"const int N = {self.size}; int[0,1] x; chan go; broadcast chan all; " \
            f"{self.array}; void set() {{ c[{self.size - 1}]{field} = 0; }}"
        return xml(decl, templates, system + ';', ['A<> x > 2'])


def judge(task):
    """(seed, outcome, message)"""
    return judge_case(task, OwnCells(task[1]))


if __name__ == '__main__':
    seeds.main(judge, __doc__, 1 / 2)
