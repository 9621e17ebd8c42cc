"""Are the merges that --auto makes by itself exact, and is every query still answered?

usage: judges/proposed.py [--varabs PROGRAM] [--seeds FIRST..LAST] [--jobs N]

Random models of one template or two, with an array whose cells are chosen by selects, quantifiers,
constants and parameters, with numbers that are compared with constants, and with queries about both.
`varabs --auto --may` may remove, merge and exchange what it likes: the output has to be exact, for
merges judged with the values that the merged variables have in the original; it may have no more
states; no query may be gone; and every verdict has to be that of the original.  So it has to be of outputs for
some queries alone.  With --inexact it has to be
a may-abstraction, and verdicts that are said to carry over have to.  `varabs decide` has to find the verdict of
each query.  A seed in which nothing is merged
is `unsaid`.
"""

import json
import os
import random
import re
import subprocess
import tempfile
from xml.sax.saxutils import unescape
from generators.gen_idle import with_idle
from generators.small_models import xml
from judges.data import judge_queries, verdicts
from judges.judge import compare
from oracle.uppaal_parse import ModelError
from oracle.uppaal_run import explore, load_network
from oracle.uppaal_runtime import Budget
from tools import seeds

MOST_STATES = 6000
LIVELY = 100000 # seeds behind it have merges to propose, mostly
SEVERAL = 200000 # and behind this one queries that some of them cannot be asked of
RECORDS = 300000 # and behind this one arrays of records
SUM = re.compile(r'sum\((\w+) : int\[(\d+),(\d+)\]\) (?:sum\((\w+) : int\[(\d+),(\d+)\]\) )?\((.*)\)$')
STEP = re.compile(r'\w+ (?:==|<=) (-?\d+) \? \d+ : ')


class Proposed:
    """A model with queries."""

    def __init__(self, seed):
        rng = self.rng = random.Random(seed)
        self.has_numbers = seed % 3 == 0
        self.size = rng.choice((4, 4, 5, 6)) if not self.has_numbers else 3
        self.top = 1 if self.size > 5 or self.has_numbers else rng.choice((1, 2, 2))
        self.is_parted = rng.random() < 0.2    # ranges and constants tell cells apart
        self.is_local = rng.random() < 0.2
        self.is_bool = self.top == 1 and rng.random() < 0.3
        self.is_own = not self.is_local and rng.random() < 0.1
        self.wide = 100 if self.has_numbers else 1

    def index(self):
        """A select that is an index: its range."""
        last = self.size - 1
        if not self.is_parted:
            return f"int[0,{last}]"
        return self.rng.choice((f"int[0,{last}]", f"int[1,{last}]", f"int[0,{last - 1}]"))

    def cell(self, index):
        return f"c[{index}]"

    def test(self, cell):
        rng = self.rng
        if self.is_bool:
            return rng.choice(('', '!')) + cell
        if rng.random() < 0.6:
            return f"{cell} {rng.choice(('==', '==', '!='))} {rng.randint(0, self.top)}"
        return f"{cell} {rng.choice(('<', '>='))} {rng.randint(1, self.top)}"

    def over(self):
        """A condition on all cells, or on some of them."""
        rng = self.rng
        first = rng.choice((0, 0, 1)) if self.is_parted else 0
        kind = rng.choice(('forall', 'exists', 'sum', 'sum'))
        text = f"{kind}(k : int[{first},{self.size - 1}]) ({self.test('c[k]')})"
        if kind == 'sum':
            return f"({text}) {rng.choice(('==', '>=', '<'))} {rng.randint(0, self.size - first)}"
        return f"({text})"

    def number_test(self):
        rng = self.rng
        name, value = rng.choice('yz'), rng.choice((0, 1, 3, 50, self.wide))
        if rng.random() < 0.1:
            return f"y {rng.choice(('==', '!=', '<'))} z"
        return f"{name} {rng.choice(('==', '!=', '<', '>=', '>'))} {value}"

    def edge(self):
        rng = self.rng
        selects, guards, updates = {}, [], []
        uses = rng.choice(('i', 'i', 'i', 'i', 'i', 'ij') + ('0', '0') * self.is_parted)
        for name in uses.replace('0', ''):
            selects[name] = self.index()
        if self.is_own and rng.random() < 0.6:
            uses, selects = ['id'], {}
        for name in uses:
            cell = self.cell(name)
            if rng.random() < 0.85:
                guards.append(self.test(cell))
            kind = rng.randrange(12)
            if kind < 7:
                value = rng.randint(0, self.top)
                updates.append(f"{cell} = {('false', 'true')[value] if self.is_bool else value}")
            elif kind < 9 and not self.is_bool:
                step, bound = rng.choice((('++', f"< {self.top}"), ('--', '> 0')))
                updates.append(cell + step)
                guards.append(f"{cell} {bound}")
            elif kind == 9:
                updates.append(f"{cell} = v")
                selects['v'] = 'bool' if self.is_bool else f"int[0,{self.top}]"
                if self.is_bool:
                    del selects['v']
                    updates[-1] = f"{cell} = !{cell}"
        if len(uses) > 1 and rng.random() < 0.8:
            guards.append(rng.choice(('i != j', 'i != j', 'i < j')))
        if rng.random() < 0.2:
            guards.append(self.over())
        if rng.random() < 0.15:
            guards.append(f"x {rng.choice(('==', '<='))} {rng.randint(0, 2)}")
        if rng.random() < 0.4:
            updates.append(f"x = {rng.randint(0, 2)}")
        if 'i' in selects and rng.random() < 0.07:
            updates.append('x = i' if self.size == 3 else f"x = {self.test('c[i]')}")
        if self.has_numbers:
            self.add_numbers(selects, guards, updates)
        labels = {'select': ', '.join(f"{k} : {t}" for k, t in selects.items()),
                  'guard': ' && '.join(guards), 'assignment': ', '.join(updates)}
        return {kind: text for kind, text in labels.items() if text}

    def add_numbers(self, selects, guards, updates):
        rng = self.rng
        if rng.random() < 0.5:
            guards.append(self.number_test())
        kind = rng.randrange(8)
        if kind < 3:
            selects['w'] = f"int[{rng.choice((0, 0, 1))},{self.wide}]"
            updates.append(f"{rng.choice('yyz')} = w")
        elif kind < 5:
            updates.append(rng.choice(('y = z', 'z = y')))
        elif kind < 6:
            updates.append(f"{rng.choice('yz')} = {rng.choice((0, 3, 50, self.wide))}")

    def query(self):
        rng = self.rng
        owner = 'P.' if self.is_local else ''
        parts = [self.over().replace('c[', owner + 'c[')]
        if rng.random() < 0.4:
            parts.append(rng.choice(('x == 1', 'x != 2', 'P.b' if self.has_b else 'x == 0')))
        if rng.random() < (0.15 if self.is_parted else 0.03):
            parts.append(self.test(f"{owner}c[{rng.randrange(self.size)}]"))
        if self.has_numbers and rng.random() < 0.7:
            parts[rng.randrange(len(parts))] = self.number_test()
        text = rng.choice((' && ', ' || ', ' imply ')).join(parts)
        if self.is_own:
            text = text.replace('P.b', 'x == 0')
        return f"{rng.choice(('A[]', 'E<>', 'A[]', 'E<>', 'A<>'))} {text}"

    def functions(self, edges, places):
        return ''

    def formulas(self):
        return [self.query() for _ in range(self.rng.choice((1, 2, 2, 3)))]

    def declarations(self):
        return []

    def array(self):
        """Its declaration, if it holds no numbers."""
        return ''

    def edges(self, places):
        rng = self.rng
        return [(rng.choice(places), rng.choice(places), self.edge())
                for _ in range(rng.choice((2, 2, 3)))]

    def model(self):
        rng = self.rng
        kind = 'bool' if self.is_bool else f"int[0,{self.top}]"
        array = self.array() or f"{kind} c[{self.size}]"
        if rng.random() < 0.2 and not self.is_bool and not self.array():
            array += ' = {' + ', '.join(str(rng.randint(0, self.top)) for _ in range(self.size)) + '}'
        decl = ['int[0,2] x', *self.declarations()]
        if not self.is_local:
            decl.append(array)
        if self.has_numbers:
            decl.append(f"int[0,{self.wide}] y, z")
        places = ['a', 'b'][:rng.choice((1, 1, 2))]
        self.has_b = len(places) > 1
        edges = self.edges(places)
        parameter = f"const int[0,{rng.choice((1, self.size - 1))}] id" if self.is_own else ''
        functions = self.functions(edges, places)
        templates = [('P', parameter, array + ';' + functions if self.is_local else '', places, edges)]
        if self.is_local:
            functions = ''
        formulas = self.formulas()
        return xml('; '.join(decl) + ';' + functions, templates, 'system P;', formulas)


class Lively(Proposed):
    """One in which cells take all their values, and something depends on how many have which."""

    def __init__(self, seed):
        super().__init__(seed)
        self.is_own = False
        self.counts = seed % 3 == 1
        self.has_numbers = seed % 12 == 0
        self.size = self.rng.choice((3, 4, 5, 6)) if not self.has_numbers else 4
        self.top = 2 if self.size == 3 else 1 if self.size > 4 or self.has_numbers else self.rng.choice((1, 2))
        self.is_bool &= self.top == 1
        self.wide = 20 if self.has_numbers else 1

    def value(self, value):
        return ('false', 'true')[value] if self.is_bool else str(value)

    def query(self):
        if self.counts and self.rng.random() < 0.6:
            counted = self.rng.choice(('n > 1', 'n == 3', 'n > 0 && ' + self.over(), 'n == 0 || x == 1'))
            if self.is_local:
                counted = counted.replace('c[', 'P.c[')
            return self.rng.choice((f"A<> {counted}", f"E[] !({counted})", f"{self.number_of()} --> {counted}",
                                    'A[] not deadlock', f"E<> {counted}"))
        return super().query()

    def number_of(self):
        return self.rng.choice(('x == 1', 'n == 1', 'x == 0'))

    def counting(self, labels):
        """A step that is counted, twice perhaps: it fails where a counter is full."""
        if not self.counts or self.rng.random() < 0.3:
            return labels
        choices = [('n++, o++', 'o < 3'), ('n++, o++', 'o < 3'), ('o++', 'o < 3'), ('n++', 'n < 3'), ('n++', '')]
        if 'c[i]' in labels.get('guard', ''):
            choices.append(('n = n + c[i], o++', 'o < 3'))
        update, guard = self.rng.choice(choices)
        return {**labels, 'guard': ' && '.join(filter(None, [labels.get('guard'), guard])) or 'true',
                'assignment': ', '.join(filter(None, [labels.get('assignment'), update]))}

    def declarations(self):
        return ['int[0,3] n, o'] if self.counts else []

    def functions(self, edges, places):
        """One that all cells go through, or some; an edge calls it."""
        rng = random.Random(self.size + len(edges) * 7 + self.rng.randrange(1000))
        if rng.random() < 0.6:
            return ''
        low, high, value = rng.choice((0, 0, 0, 1)), self.size - 1, self.value(rng.randint(0, self.top))
        condition = f"if ({self.test('c[k]')}) " if rng.random() < 0.5 else ''
        edges.append((rng.choice(places), rng.choice(places), {'assignment': 'all()'}))
        return f" void all() {{ for (k : int[{low},{high}]) {condition}c[k] = {value}; }}"

    def filling(self):
        """Edges by which each cell gets each value."""
        rng = self.rng
        cell = self.cell('i')
        index = {'select': f"i : int[0,{self.size - 1}]"}
        if rng.random() < 0.3 and not self.is_bool:
            return [{'select': f"{index['select']}, v : int[0,{self.top}]", 'assignment': f"{cell} = v"}]
        steps = [(value, value + 1) for value in range(self.top)]
        if rng.random() < 0.7:
            steps.append((self.top, rng.choice((0, 0, self.top - 1))))
        edges = []
        for before, after in steps:
            updates = [f"{cell} = {self.value(after)}"]
            if rng.random() < 0.4:
                updates.append(f"x = {rng.randint(0, 2)}")
            test = f"{cell} == {before}" if not self.is_bool else ('!', '')[before] + cell
            edges.append({**index, 'guard': test,
                          'assignment': ', '.join(updates)})
        return edges

    def game(self, places):
        """Cells are dealt, and pairs of them play: who wins depends on their places."""
        rng = self.rng
        last, cells = self.size - 1, range(self.size)
        deal = {'select': ', '.join(f"v{k} : int[0,{self.top}]" for k in cells),
                'assignment': ', '.join(f"c[{k}] = v{k}" for k in cells)}
        if len(places) == 1:
            deal['guard'] = 'x == 2'
        edges = [(places[0], places[-1], deal)]
        first, second = (('!', '')[bool(value)] + 'c[{}]' if self.is_bool else f"c[{{}}] == {value}"
                         for value in (self.top, rng.randint(0, self.top - 1)))
        changed = rng.choice(('c[i]', 'c[j]')), self.value(rng.randint(0, self.top))
        for order, won in ('<', 0), ('>', rng.randint(0, 1)):
            play = {'select': f"i : int[0,{last}], j : int[0,{last}]",
                    'guard': f"{first.format('i')} && {second.format('j')} && i {order} j",
                    'assignment': f"{changed[0]} = {changed[1]}, x = {won}, n++, o++"}
            if rng.random() < 0.2:
                play['assignment'] = play['assignment'].replace('n++', f"n = n + c[{rng.choice('ij')}]")
            if rng.random() < 0.8:
                play['guard'] += ' && o < 3'
            if rng.random() < 0.9:
                edges.append((places[-1], places[-1], play))
        return edges

    def edges(self, places):
        rng = self.rng
        if self.counts and rng.random() < 0.5:
            return self.game(places)
        around = [(place, place, labels) for place in places for labels in self.filling()]
        asks = {'guard': self.over(), 'assignment': f"x = {rng.randint(0, 2)}"}
        around.append((rng.choice(places), rng.choice(places), asks))
        rest = [(rng.choice(places), rng.choice(places), self.edge())
                for _ in range(rng.choice((0, 1, 1, 2)))]
        return [(source, target, self.counting(labels)) for source, target, labels in around + rest]


class Several(Lively):
    """One of which most queries are about counts, and some about single cells or two numbers."""

    def __init__(self, seed):
        super().__init__(seed)
        self.counts = False
        self.has_numbers = seed % 4 == 0
        self.size = 4 if self.has_numbers else self.rng.choice((4, 5))
        self.top, self.is_bool, self.is_parted = 1, False, False
        self.wide = 70 if self.has_numbers else 1

    def edges(self, places):
        around = [(place, place, labels) for place in places for labels in self.filling()]
        if self.has_numbers:
            copied, low = self.rng.choice(('y = w', 'y = w, z = w', 'z = y')), self.rng.choice((0, 0, 1))
            around.append((places[0], places[-1], {'select': f"w : int[{low},{self.wide}]", 'assignment': copied}))
            if 'w' not in copied:
                around[-1][2].update({'assignment': 'y = w'})
                around.append((places[-1], places[0], {'assignment': copied}))
        return around

    def formulas(self):
        rng = self.rng
        formulas = [self.query() for _ in range(rng.choice((1, 2, 2)))]
        owner = 'P.' if self.is_local else ''
        last = self.size - 1
        pairs = f"(k : int[0,{last}]) {{}}(l : int[0,{last}]) k < l && {owner}c[k] == 1"
        other = ['A[] forall' + pairs.format('forall') + f" imply {owner}c[l] == 1",
                 'E<> exists' + pairs.format('exists') + f" && {owner}c[l] == 0 && x == 1"]
        formulas.append('A[] y == z || x == 1' if self.has_numbers and rng.random() < 0.7 else rng.choice(other))
        rng.shuffle(formulas)
        return formulas


class Records(Proposed):
    """One of cells that hold two numbers each."""

    def __init__(self, seed):
        super().__init__(seed)
        self.has_numbers = self.is_own = self.is_bool = False
        self.size, self.top, self.wide = self.rng.choice((3, 3, 4)), 1, 1

    def value(self, cell):
        return f"{cell}.u = {self.rng.choice(('true', 'false'))}" if self.rng.random() < 0.5 \
            else f"{cell}.v = {self.rng.randint(0, 1)}"

    def test(self, cell):
        rng = self.rng
        one = rng.choice((f"{cell}.u", f"!{cell}.u"))
        two = f"{cell}.v {rng.choice(('==', '==', '!='))} {rng.randint(0, 1)}"
        return rng.choice((one, two, f"{one} && {two}", f"({one} || {two})"))

    def edge(self):
        rng = self.rng
        names = rng.choice(('i', 'i', 'i', 'ij'))
        guards = [self.test(f"c[{name}]") for name in names if rng.random() < 0.8]
        guards += ['i != j'] * (len(names) > 1 and rng.random() < 0.6)
        guards += [self.over()] * (rng.random() < 0.2)
        updates = [self.value(f"c[{name}]") for name in names for _ in range(rng.choice((1, 1, 2)))]
        if rng.random() < 0.05:
            updates.append(rng.choice(('c[i].v = x > 0', 'x = c[i].v', 'x = i % 2')))
        if rng.random() < 0.4:
            updates.append(f"x = {rng.randint(0, 2)}")
        labels = {'select': ', '.join(f"{name} : {self.index()}" for name in names),
                  'guard': ' && '.join(guards), 'assignment': ', '.join(updates)}
        return {kind: text for kind, text in labels.items() if text}

    def array(self):
        return f"struct {{ bool u; int[0,1] v; }} c[{self.size}]"


class Rows(Proposed):
    """One of rows of cells."""

    def __init__(self, seed):
        super().__init__(seed)
        self.has_numbers = self.is_own = self.is_bool = self.is_parted = False
        self.size, self.top, self.wide = 2, 1, 1
        self.columns = self.rng.choice((2, 3))

    def array(self):
        return f"int[0,1] c[2][{self.columns}]"

    def over(self):
        word = self.rng.choice(('forall', 'exists', 'sum'))
        text = f"{word}(k : int[0,1]) {word}(l : int[0,{self.columns - 1}]) c[k][l] == {self.rng.randint(0, 1)}"
        return f"({text}) > {self.rng.randint(0, 2)}" if word == 'sum' else f"({text})"

    def edge(self):
        rng = self.rng
        index = {'i': 'int[0,1]', 'j': f"int[0,{self.columns - 1}]"}
        cell = 'c[i][j]' if rng.random() < 0.95 else 'c[i][0]'
        if rng.random() < 0.1:
            index['j'] = 'int[0,1]'
        guards = [f"{cell} == {rng.randint(0, 1)}"] * (rng.random() < 0.9) + [self.over()] * (rng.random() < 0.2)
        updates = [f"{cell} = {rng.randint(0, 1)}"] + [f"x = {rng.randint(0, 2)}"] * (rng.random() < 0.4)
        updates += [rng.choice(('x = i', 'x = j', f"x = {cell}"))] * (rng.random() < 0.05)
        labels = {'select': ', '.join(f"{name} : {kind}" for name, kind in index.items()),
                  'guard': ' && '.join(guards), 'assignment': ', '.join(updates)}
        return {kind: text for kind, text in labels.items() if text}

    def test(self, cell):
        return f"{cell}[{self.rng.randrange(self.columns)}] == {self.rng.randint(0, 1)}"


def meant(argument):
    """A merge as the judge reads it: without quantifiers and choices."""
    head, text = argument.split('=', 1)
    counted = SUM.match(text)
    if counted:
        name, first, last, second, low, high, test = counted.groups()
        each = [test.replace(f"[{name}]", f"[{k}]") for k in range(int(first), int(last) + 1)]
        if second:
            each = [text.replace(f"[{second}]", f"[{k}]") for text in each
                    for k in range(int(low), int(high) + 1)]
        return f"{head}=" + ' + '.join('(' + ' && '.join(
            f"(1-{part[1:]})" if part[0] == '!' else f"({part})" for part in t.split(' && ')) + ')' for t in each)
    variable = re.match(r'\w+', text).group()
    return f"{head}=" + ' + '.join(f"({variable} > {cut})" for cut in STEP.findall(text))


def run(varabs, arguments, folder):
    return subprocess.run([varabs, *arguments], cwd=folder, timeout=60, capture_output=True,
                          text=True, check=False)


def removed(report):
    names = []
    for argument in report['options']['remove']:
        variable, at, where = argument.lstrip('.').partition('@')
        names += [f"{variable}@{where.replace(',', '+')}"] if at else variable.split(',')
    return names


def judge_output(folder, varabs, count, options):
    """(what is wrong or None, whether something is merged)"""
    arguments = ['in.xml', '--auto', *options, '--may', '-o', 'out.xml', '--report', 'out.json']
    done = run(varabs, arguments, folder)
    if done.returncode:
        return f"status {done.returncode}: {done.stderr}", True
    merges = re.findall(r'^in\.xml: merged: (.*)$', done.stdout, re.M)
    with open(f"{folder}/out.json", encoding='utf-8') as file:
        report = json.load(file)
    shares = report.get('by_query', {}).get('models', [])
    for share in shares:
        wrong = judge_numbers(folder, share)
        if wrong:
            return wrong, True
    shares = [share for share in shares if 'merges' in share]
    for share in shares:
        wrong = judge_share(folder, varabs, share, merges)
        if wrong:
            return wrong, True
    if not merges:
        return None, bool(shares)
    if not report['exact'] and not options:
        return '--auto made what is not exact', True
    if not options and (len(report['guarantees']) != count or any(
            not (entry['kripke']['satisfied'] and entry['kripke']['violated'])
            for entry in report['guarantees'])):
        return 'a query is gone', True
    has_keys = any('while' in entry for entry in report.get('normalised', ()))
    if 'shown' not in report and not has_keys: # else the original may not have what is compared
        wrong = judge_steps(folder, 'out.xml', report, merges)
        if wrong:
            return wrong, True
    original = answers(varabs, folder)
    if report.get('relies_on') and original['errors']:
        return None, True
    return judge_queries(report, verdicts(varabs, 'out.xml', folder),
                         {query['formula']: query['verdict'] for query in original['queries']}), True


def judge_numbers(folder, share):
    """What is wrong with the numbers of the queries that an output is for, or None."""
    name = share['output']['file'].replace('.xml', '.json')
    with open(f"{folder}/{name}", encoding='utf-8') as file:
        listed = json.load(file)['guarantees']
    for number in share['queries']:
        if number >= len(listed) or 'removed variable' in listed[number]['reason']:
            return f"{name} is not for query {number}"
    return None


def judge_share(folder, varabs, share, merges):
    """What is wrong with an output for some queries alone, or None."""
    name = share['output']['file']
    with open(f"{folder}/{name.replace('.xml', '.json')}", encoding='utf-8') as file:
        report = json.load(file)
    if not report['exact']:
        return 'an output for some queries is not exact'
    has_keys = any('while' in entry for entry in report.get('normalised', ()))
    wrong = None if has_keys else judge_steps(folder, name, report, merges + share['merges'])
    if wrong:
        return f"for some queries: {wrong}"
    with open(f"{folder}/in.xml", encoding='utf-8') as file:
        asked = [unescape(text) for text in re.findall('<formula>([^<]*)</formula>', file.read())]
    carried = [entry['formula'] for entry in report['guarantees']
               if entry['kripke']['satisfied'] and entry['kripke']['violated']]
    for number in share['queries']:
        if asked[number] not in carried:
            return f"an output for some queries has lost one of them: {asked[number]}"
    original = answers(varabs, folder)
    if report.get('relies_on') and original['errors']:
        return None
    return judge_queries(report, verdicts(varabs, name, folder),
                         {query['formula']: query['verdict'] for query in original['queries']})


def answers(varabs, folder):
    """What is so in the original, where runs end in states without steps."""
    run(varabs, ['check', 'in.xml', '--full', '--semantics', 'kripke', '--json', 'check.json'], folder)
    with open(f"{folder}/check.json", encoding='utf-8') as file:
        return json.load(file)


def judge_decided(folder, varabs):
    """What `varabs decide` says that is not so, or None."""
    done = run(varabs, ['decide', 'in.xml', '--look', '2', '--semantics', 'kripke', '--json', 'decide.json'],
               folder)
    if done.returncode not in (0, 1):
        return f"decide: status {done.returncode}: {done.stderr}"
    with open(f"{folder}/decide.json", encoding='utf-8') as file:
        decided = json.load(file)['queries']
    for here, there in zip(decided, answers(varabs, folder)['queries']):
        if here['verdict'] != there['verdict']:
            return f"decide: {here['verdict']}: {here['formula']}"
    return None


def judge_steps(folder, name, report, merges):
    concrete = load_network(f"{folder}/in.xml")
    explored = explore(concrete, MOST_STATES)
    abstract = load_network(f"{folder}/{name}")
    names = [meant(merge) for merge in merges] + removed(report)
    mode = 'exact' if report['exact'] else 'may'
    verdict = compare(concrete, explored, abstract, names, mode, None,
                      report.get('normalised', ()), bool(report.get('relies_on')))
    for kind, failure in verdict.failures.items():
        return f"{kind}: {failure.text}"
    size = len(explore(abstract, MOST_STATES).states)
    if report['exact'] and size > len(explored.states):
        return f"size: {size} states, {len(explored.states)} before"
    return None


def judge(task):
    """(seed, outcome, message)"""
    varabs, seed, keep = os.path.abspath(task[0]), *task[1:3]
    wrong, is_merged = None, False
    with tempfile.TemporaryDirectory() as folder:
        text = ((Records, Rows)[seed % 2] if seed > RECORDS else Several if seed > SEVERAL else Lively if seed > LIVELY else Proposed)(seed).model()
        text = with_idle(random.Random(f"idle {seed}"), text)
        with open(f"{folder}/in.xml", 'w', encoding='utf-8') as file:
            file.write(text)
        try:
            for options in (), ('--inexact',):
                if not wrong:
                    wrong, is_also = judge_output(folder, varabs, text.count('<formula>'), options)
                    is_merged |= is_also
            wrong = wrong or judge_decided(folder, varabs)
        except (Budget, subprocess.TimeoutExpired):
            return seed, 'large', ''
        except ModelError as error:
            wrong = f"unusable: {error}"
        if wrong and keep:
            os.replace(f"{folder}/in.xml", os.path.join(keep, f"{seed}.xml"))
    if wrong:
        return seed, 'failed', wrong
    return seed, 'passed' if is_merged else 'unsaid', ''


if __name__ == '__main__':
    seeds.main(judge, __doc__, 1 / 20)
