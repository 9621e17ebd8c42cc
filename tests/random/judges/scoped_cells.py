"""Are merges over the cells of arrays right beside scopes, and within them?

usage: judges/scoped_cells.py [--varabs PROGRAM] [--seeds FIRST..LAST] [--jobs N]

As scoped.py.  Up to a seed, an array is merged everywhere, and a variable in some locations only, or removed
there; behind it, the array itself is merged in some locations, where edges choose cells by selects, and edges
out of them may give all cells new values.
"""

from judges.scoped import MEANT, NO_MERGE, Scopes, judge_case
from tools import seeds

INSIDE = 500000    # from this seed on, the array has the scope
SIZE, TOP = 3, 2
INDEX = f"int[0,{SIZE - 1}]"


def paths(name):
    return [f"{name}[{k}]" for k in range(SIZE)]


class CellMerges:
    """Edges and merges over the cells of one array."""

    def __init__(self, rng, name):
        self.rng, self.name = rng, name

    def test(self):
        value = self.rng.randint(0, TOP)
        return f"({{}} {self.rng.choice(('==', '==', '>=', '!='))} {value})"

    def merge(self):
        """(type, as varabs reads it, as it is judged, its value where all cells are 0)"""
        kind = self.rng.choice(('count',) * 5 + ('sum', 'exists', 'forall', 'max'))
        test = self.test() if kind in ('count', 'exists', 'forall') else '{}'
        each = [test.format(path) for path in paths(self.name)]
        word = {'count': 'sum', 'max': None}.get(kind, kind)
        join = {'count': ' + ', 'sum': ' + ', 'exists': ' || ', 'forall': ' && ', 'max': ' >? '}[kind]
        written = join.join(each)
        if word and self.rng.random() < 0.6:
            written = f"{word}(n : {INDEX}) " + test.format(f"{self.name}[n]")
        meant = ' + '.join(each)
        if kind in ('exists', 'forall'):
            meant = f"({meant}) {'> 0' if kind == 'exists' else f'== {SIZE}'}"
        if kind == 'max':
            meant = ' + '.join('(' + ' + '.join(f"({path} >= {bound})" for path in paths(self.name)) + ' > 0)'
                               for bound in range(1, TOP + 1))
        top = {'count': SIZE, 'sum': SIZE * TOP, 'max': TOP}.get(kind)
        plain = meant
        for path in paths(self.name):
            plain = plain.replace(path, '0')
        return (f"int[0,{top}]" if top else 'bool'), written, meant, \
            int(eval(plain))  # pylint: disable=eval-used

    def touch(self, labels, has_select=True, writes=True):
        """Adds what asks for cells and changes them."""
        rng = self.rng
        guards, updates, selects = [], [], [f"i : {INDEX}"]
        cells = [f"{self.name}[{rng.choice(('i', 'i', 'i', 'i', '0')) if has_select else rng.randrange(SIZE)}]"]
        if has_select and rng.random() < 0.3:
            selects.append(f"j : {INDEX}")
            cells.append(f"{self.name}[j]")
            guards += rng.choice(([], ['i != j'], ['i < j']))
        for cell in cells:
            if rng.random() < 0.7:
                guards.append(f"{cell} {rng.choice(('==', '==', '!=', '>', '<'))} {rng.randint(0, TOP)}")
            if writes and rng.random() < 0.7:
                updates.append(rng.choice((f"{cell} = {rng.randint(0, TOP)}",) * 4
                                          + (f"{cell}++", f"{cell}--", f"{cell} = g")))
            elif rng.random() < 0.15:
                updates.append(f"g = {cell}")
        if rng.random() < 0.2:
            guards.append(f"{rng.choice(('', '!'))}({rng.choice(('forall', 'exists'))}(n : {INDEX}) "
                          + self.test().format(f"{self.name}[n]") + ')')
        rng.shuffle(guards)
        self.add(labels, selects if has_select else [], guards, updates)

    def add(self, labels, selects, guards, updates):
        old = [labels['assignment']] if 'assignment' in labels else []
        updates = old + updates if self.rng.random() < 0.5 else updates + old
        for kind, glue, texts in (('select', ', ', selects), ('guard', ' && ', guards),
                                  ('assignment', ', ', updates)):
            if kind != 'assignment' and kind in labels:
                texts = [labels[kind], *texts]
            if texts:
                labels[kind] = glue.join(texts)
        for kind in ('select', 'guard', 'synchronisation', 'assignment'):   # as Uppaal reads them
            if kind in labels:
                labels[kind] = labels.pop(kind)


class Beside(Scopes):
    """The array is merged everywhere, and x only in the scope."""

    has_cells = True

    def __init__(self, seed):
        super().__init__(seed)
        self.array, self.more = '', []
        self.is_local = not self.is_single and self.rng.random() < 0.3
        if self.is_local and self.copies == 2:   # few tuples are gone through
            self.is_local = False
        if self.is_array:                        # as in scoped.py
            return
        self.merged = CellMerges(self.rng, 'w')
        owner = 'P.' if self.is_local else ''
        names = ['A', 'B'][:self.copies] if self.copies == 2 else ['P']
        self.counted = [f"{name}.{path}" if self.is_local else path for path in paths('w')
                        for name in (names if self.is_local else [''])]
        self.array = f"int[0,{TOP}] w[{SIZE}] = {{" \
            + ', '.join(str(self.rng.randint(0, TOP)) for _ in range(SIZE)) + '};'
        for number in range(self.rng.choice((1, 1, 2))):
            kind, written, meant, _ = self.merged.merge()
            self.more += ['--merge', f"{owner}k{number}:{kind}={written}"]
            head = f"{MEANT}." if self.is_local else ''
            self.counts.append(f"{head}k{number}:{kind}={meant}")
        for _, _, labels in self.edges:
            if self.rng.random() < 0.7:
                self.ease(labels)
                self.merged.touch(labels)
        if not self.is_local:
            for _, _, labels in self.other[4]:
                if self.rng.random() < 0.4:
                    self.merged.touch(labels)

    def ease(self, labels):
        """Mostly, what else stands there is of few words."""
        rng = self.rng
        if rng.random() < 0.25:
            return
        labels.pop('guard', None)
        labels.pop('select', None)
        labels['assignment'] = rng.choice(('x = 0', 'x = 1', 'x = 3', f"x = {self.top}", 'x = g', 'g = 1'))
        if rng.random() < 0.3:
            del labels['assignment']
        if rng.random() < 0.4:
            name = rng.choice(self.variables)
            labels['guard'] = rng.choice((self.merges[0][2] if self.merges else f"{name} > 1",
                                          f"{name} > 1", f"{name} == 0", 'g < 2'))
            if 'int' in self.merges[0][1] if self.merges else False:
                labels['guard'] = labels['guard'] if labels['guard'] != self.merges[0][2] \
                    else f"({self.merges[0][2]}) == 1"

    def arguments(self):
        return super().arguments() + self.more

    def template(self, name, is_meant):
        name, parameters, local, places, edges = super().template(name, is_meant)
        return name, parameters, local + (self.array if self.is_local else ''), places, edges

    def declarations(self):
        return super().declarations() + ('' if self.is_local else self.array)


class Inside(Scopes):
    """The array x is merged in the scope."""

    has_cells = True

    def __init__(self, seed):
        super().__init__(seed)
        rng = self.rng
        self.is_array, self.top, self.start, self.rests = True, TOP, 0, {}
        self.variables, self.cells, self.copies = ['x'], paths('x'), 2 if self.is_single else 1
        self.merged = CellMerges(rng, 'x')
        self.invariants = {place: f"x[0] < {rng.randint(1, 2)}" for place in self.invariants
                           if place not in self.scope or rng.random() < 0.1}
        self.merges = []
        for number in range(rng.choice((1, 1, 2))):
            kind, written, meant, first = self.merged.merge()
            first = first if 'a' in self.scope else 0
            if kind == 'bool':
                first = 'true' if first else 'false'
            self.merges.append((f"m{number}", kind, meant, str(first)))
            self.written[meant] = written
        self.edges = [(source, target, self.some_labels(source, target))
                      for source, target, _ in self.edges]
        self.queries = ['A<> g > 2'] + [self.query() for _ in range(4)]

    def some_labels(self, source, target):
        rng = self.rng
        labels = {}
        if self.sync and rng.random() < 0.4:
            labels['synchronisation'] = self.sync + rng.choice('!?')
        if rng.random() < 0.3:
            labels['assignment'] = rng.choice(('g = 0', 'g = 1', 'g = 2'))
        inside, enters = source in self.scope, target in self.scope
        if inside and not enters and rng.random() < 0.6:
            self.leave(labels)
        elif inside and enters and rng.random() < 0.15:
            self.merged.add(labels, [], [], [f"{path} = {rng.choice((path + ' == 1 ? 2 : 0', '1'))}"
                                             for path in self.cells])
        else:
            self.merged.touch(labels, rng.random() < 0.8)
        return labels

    def leave(self, labels):
        """All cells get new values, or nearly."""
        rng = self.rng
        if rng.random() < 0.6:
            self.merged.touch(labels, rng.random() < 0.6, False)
        values = [rng.choice((str(rng.randint(0, TOP)),) * 12 + ('g', f"{TOP} - {path}", None))
                  for path in self.cells]
        updates = [f"{path} = {value}" for path, value in zip(self.cells, values) if value]
        if rng.random() < 0.3:
            updates = ['clear()']
        if rng.random() < 0.2:
            updates.append('g = x[1]')
        self.merged.add(labels, [], [], updates)

    def cell(self):
        return self.rng.choice(self.cells)

    def is_judged_by_size(self):
        """A receiver that leaves does so with what the original may have: else a sender goes alone."""
        return super().is_judged_by_size() and self.sync != 'all'

    def query(self):
        rng = self.rng
        if not hasattr(self, 'merged') or rng.random() < 0.5:
            return super().query()
        process = 'P' if self.copies == 1 else rng.choice('AB')
        here = f"{process}.{rng.choice(self.places)}"
        word = rng.choice(('forall', 'exists', 'sum'))
        text = f"{word}(n : {INDEX}) " + self.merged.test().format(f"{process}.x[n]")
        return rng.choice((f"A[] {here} imply ({text})" + ' > 1' * (word == 'sum'),
                           f"E<> {here} && ({text})" + ' == 1' * (word == 'sum')))

    def template(self, name, is_meant):
        name, parameters, local, places, edges = super().template(name, is_meant)
        return name, parameters, local + f" void clear() {{ for (n : {INDEX}) x[n] = 1; }}", places, edges


def judge(task):
    """(seed, outcome, message)"""
    assert INSIDE > NO_MERGE
    return judge_case(task, (Inside if task[1] >= INSIDE else Beside)(task[1] % INSIDE))


if __name__ == '__main__':
    seeds.main(judge, __doc__, 1 / 2)
