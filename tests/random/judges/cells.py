"""Are merges over the cells of arrays what they say?

usage: judges/cells.py [--varabs PROGRAM] [--seeds FIRST..LAST] [--jobs N]

Random models with an array of alike cells (of numbers, records or rows), edges
that choose some of them by selects, and one or two merges of them: sums, exists,
forall, greatest and least values, parity.  Each is abstracted by --may and --must,
with the merge written as a quantifier or as a chain, and judged: has it all
steps, only such as the original has, and is what is called exact so?  Besides, a
may-abstraction may not have more states than the coarsest one, which has a
step for every tuple of cells whatever; that is computed from the original.  Where it says
that the original is stuck only where the abstraction is, that is looked at, too.
"""

import itertools
import json
import os
import random
import subprocess
import tempfile
from judges.judge import compare
from tools import seeds
from oracle.uppaal_parse import ModelError
from oracle.uppaal_run import explore, load_network
from oracle.uppaal_runtime import Budget
from generators.small_models import xml

MOST_STATES = 4000
MINGLED = 100000  # from this seed on, updates stand in any order
OTHERS = 200000   # from this seed on, another variable is merged that an edge writes, too
WIDE = 300000     # from this seed on, sums have weights whose products reach 2^31
MAPPED = 400000   # from this seed on, edges give all cells new values at once
LOOPS = 500000    # from this seed on, by loops in each other that count by one variable
BOOLS = 600000    # from this seed on, the other variable is a bool, which gets numbers


class Cells:
    """A model and its merges."""

    def __init__(self, seed):
        rng = self.rng = random.Random(seed)
        self.is_mingled = MINGLED <= seed < OTHERS
        self.has_bool = seed >= BOOLS
        self.has_other = OTHERS <= seed < WIDE or self.has_bool
        self.is_wide = WIDE <= seed < MAPPED
        self.is_mapped = MAPPED <= seed < BOOLS
        self.has_loops = LOOPS <= seed < BOOLS
        self.ends_at_last = seed % 2 == 0   # of loops: k <= 2, not k < 3
        self.functions = []
        self.size = rng.choice((2, 3, 3))
        self.top = rng.choice((1, 2, 2))
        self.shape = rng.choice(('plain', 'plain', 'plain', 'record', 'rows'))
        self.is_sharp = seed % 4 == 3      # bits that are counted, and chosen in pairs
        if self.is_sharp:
            self.size, self.top, self.shape = 3, 1, 'plain'
        if self.has_bool:                  # an index may be 2
            self.is_sharp = False
            self.size, self.shape = 3, rng.choice(('plain', 'plain', 'record'))
        if self.is_wide:
            self.is_sharp = False
            self.size, self.top, self.shape = rng.choice((3, 4, 6)), 2, 'plain'
        if self.shape == 'rows':
            self.size = 2
        self.is_local = rng.random() < 0.3
        self.is_pair = not self.is_local and rng.random() < 0.3
        self.has_last = rng.random() < 0.2 or self.has_other
        self.array = {'plain': f"int[0,{self.top}] c[{self.size}]",
                      'record': "struct {{ bool u; int[0,{}] v; }} c[{}]".format(
                          self.top, self.size),
                      'rows': f"int[0,{self.top}] c[2][2]"}[self.shape]
        if self.shape == 'plain' and (rng.random() < 0.3 or self.is_sharp):
            self.array += ' = {' + ', '.join(
                str(rng.randint(0, self.top)) for _ in range(self.size)) + '}'
        self.merges = self.make_merges()
        if self.has_other:
            self.merges.append(self.make_other())

    def paths(self):
        if self.shape == 'rows':
            return [f"c[{i}][{j}]" for i in range(2) for j in range(2)]
        return [f"c[{i}]" for i in range(self.size)]

    # Merges: as varabs reads them, as the judge does, and their values.

    def test(self):
        """A condition on one cell, with {} for it."""
        rng = self.rng
        value = rng.randint(0, self.top)
        if self.shape == 'record':
            return rng.choice((f"({{0}}.u && {{0}}.v == {value})",
                               f"({{0}}.v == {value} || !{{0}}.u)",
                               f"({{0}}.u == ({{0}}.v >= {value}))"))
        return f"({{0}} {rng.choice(('==', '==', '>=', '<='))} {value})"

    def make_merges(self):
        if self.is_wide:
            return self.make_wide()
        if self.is_sharp and self.rng.random() < 0.25:   # the first cell by itself
            owner, rest = 'P.' if self.is_local else '', self.paths()[1:]
            parts = (f"{owner}m0:int[0,1]=c[0]",
                     f"{owner}m1:int[0,{len(rest)}]={' + '.join(rest)}")
            return [(part, part) for part in parts]
        return [self.make_merge(f"m{number}")
                for number in range(self.rng.choice((1, 1, 2)))]

    def make_wide(self):
        """Sums of weights: the counts of two of them are differences of products."""
        rng = self.rng
        most = (2 ** 31 - 1) // self.size
        great, small = rng.choice((rng.randint(20000, 32767), rng.randint(1, most), most)), \
            rng.randint(0, 3)
        owner, merges = 'P.' if self.is_local else '', []
        for name, one, two in (('m0', small, great), ('m1', great, small)):
            each = [f"({path} == 1 ? {one} : ({path} == 2 ? {two} : 0))"
                    for path in self.paths()]
            head = f"{owner}{name}:int[0,{self.size * great}]="
            written = each if rng.random() < 0.5 else [
                f"sum(k : int[0,{self.size - 1}]) " + each[0].replace('c[0]', 'c[k]')]
            meant = ' + '.join(f"({path} == 1) * {one} + ({path} == 2) * {two}"
                               for path in self.paths())
            merges.append((head + ' + '.join(written), head + meant))
        return merges[:rng.choice((1, 2, 2, 2))]

    def make_merge(self, name):
        rng, paths = self.rng, self.paths()
        kind = rng.choice(('count', 'count', 'count', 'sum', 'exists', 'forall',
                           'max', 'min', 'parity'))
        if self.is_sharp and name == 'm0':
            kind = 'sum'
        if self.shape == 'record' and kind in ('sum', 'max', 'min'):
            kind = 'count'
        test = self.test() if kind not in ('sum', 'max', 'min') else '{0}'
        each = [test.format(path) for path in paths]
        join = {'count': ' + ', 'sum': ' + ', 'exists': ' || ', 'forall': ' && ',
                'max': ' >? ', 'min': ' <? ', 'parity': ' ^ '}[kind]
        most = {'count': len(paths), 'sum': len(paths) * self.top,
                'max': self.top, 'min': self.top}.get(kind, 1)
        text = join.join(each)
        quantifier = {'count': 'sum', 'sum': 'sum', 'exists': 'exists',
                      'forall': 'forall'}.get(kind)
        if quantifier and rng.random() < 0.5:
            if self.shape == 'rows':
                text = f"{quantifier}(k : int[0,1]) {quantifier}(l : int[0,1]) " \
                    + test.format('c[k][l]')
            else:
                text = f"{quantifier}(k : int[0,{self.size - 1}]) " \
                    + test.format('c[k]')
        meant = join.join(each)
        if kind in ('max', 'min'):
            glue = ' || ' if kind == 'max' else ' && '
            meant = ' + '.join(
                '(' + glue.join(f"({path} >= {bound})" for path in paths) + ')'
                for bound in range(1, self.top + 1))
        elif kind == 'parity':
            meant = '(' + ' + '.join(each) + ') % 2'
        owner = 'P.' if self.is_local else ''
        head = f"{owner}{name}:int[0,{most}]="
        return head + text, head + meant.replace('!c', '1-c')

    def make_other(self):
        if self.has_bool:
            return ("w:int[1,2]=last + 1",) * 2
        value = self.rng.randint(0, 2)
        if self.rng.random() < 0.6:
            return (f"w:int[0,1]=last == {value}",) * 2
        return "w:int[0,1]=last > 0 ? 1 : 0", "w:int[0,1]=last > 0"

    # Edges

    def cell(self, index):
        if self.shape == 'rows':
            return f"c[{index}][{self.rng.choice(('0', '1', 'j', 'j'))}]"
        return f"c[{index}]"

    def edge(self, is_data_free):
        rng = self.rng
        last = 1 if self.shape == 'rows' else self.size - 1
        selects = {'i': rng.choice((f"int[0,{last}]",) * 4 + (f"int[1,{last}]",))}
        if rng.random() < 0.5 or self.shape == 'rows':
            selects['j'] = f"int[0,{last}]"
        if rng.random() < 0.3:
            selects['v'] = f"int[0,{self.top}]"
        first = self.cell(rng.choice(('i',) * 5 + ('0',)))
        cells = [first]
        if 'j' in selects and self.shape != 'rows':
            cells.append(self.cell('j'))
        field = '.v' if self.shape == 'record' else ''
        guards, updates = [], []
        for cell in cells:
            if rng.random() < 0.75:
                what = rng.choice(('==', '==', '!=', '<', '>'))
                value = rng.choice([str(rng.randint(0, self.top))] * 4
                                   + ['x'] + (['v'] if 'v' in selects else []))
                guards.append(f"{cell}{field} {what} {value}")
            if self.shape == 'record' and rng.random() < 0.5:
                guards.append(f"{rng.choice(('', '!'))}{cell}.u")
        if len(cells) > 1 and rng.random() < 0.5:
            guards.append(rng.choice(('i != j', 'i < j', 'i == j')))
        if rng.random() < 0.2:
            guards.append(f"x {rng.choice(('==', '<='))} {rng.randint(0, 2)}")
        if len(cells) > 1 and rng.random() < 0.2:
            guards.append(f"{cells[0]}{field} <= {cells[1]}{field}")
        if self.shape != 'rows' and rng.random() < 0.2:
            first_index = rng.choice((0, 0, 1))
            guards.append(f"{rng.choice(('', '!'))}({rng.choice(('forall', 'exists'))}"
                          f"(k : int[{first_index},{last}]) "
                          + self.test().format('c[k]') + ')')
        rng.shuffle(guards)
        for cell in cells:
            kind = rng.randrange(10)
            if kind < 4:
                updates.append(f"{cell}{field} = {rng.randint(0, self.top)}")
            elif kind < 6:
                updates.append(f"{cell}{field}{rng.choice(('++', '--'))}")
            elif kind == 6 and 'v' in selects:
                updates.append(f"{cell}{field} = v")
            elif kind == 7 and len(cells) > 1:
                updates.append(f"{cells[0]}{field} = {cells[1]}{field}")
            elif kind == 8 and rng.random() < 0.4:
                updates.append(f"{cell}{field} = x")
            if self.shape == 'record' and rng.random() < 0.4:
                updates.append(f"{cell}.u = {rng.choice(('true', 'false'))}")
        seen = rng.randrange(12)
        if seen == 0 and not is_data_free:
            updates.append('x = i')
        elif seen == 1 and not is_data_free:
            updates.append(f"x = {first}{field}")
        elif seen < 5:
            updates.append(f"x = {rng.randint(0, 2)}")
        if self.has_last and rng.random() < 0.5:
            updates.append('last = i')
        elif self.has_other and rng.random() < 0.5:
            updates.append(rng.choice(('last = 0', 'last = 2', 'last = 2 - i')))
        if self.has_other and rng.random() < 0.4:
            guards.append(f"last {rng.choice(('==', '!=', '>', '<='))} "
                          f"{rng.randint(0, 1 if self.has_bool else 2)}")
        if self.is_mingled:
            self.mingle(updates, cells, field)
        labels = {'select': ', '.join(f"{k} : {t}" for k, t in selects.items()),
                  'guard': ' && '.join(guards), 'assignment': ', '.join(updates)}
        return {kind: text for kind, text in labels.items() if text}

    def mingle(self, updates, cells, field):
        """More updates that read x, in any order."""
        rng = self.rng
        if rng.random() < 0.5:
            updates[:] = [f"{cells[0]}{field} = x", f"x = {rng.randint(0, 2)}",
                          f"{cells[-1]}{field} = {rng.randint(0, self.top)}"]
            return
        updates.append(f"x = {rng.choice(('0', '1', '2 - x', cells[0] + field))}")
        rng.shuffle(updates)

    def pair(self):
        """An edge that chooses one bit or two, and asks for nothing else."""
        rng = self.rng
        ask = [f"c[{index}] == {rng.choice((0, 1))}"
               for index in 'ij'[:rng.choice((1, 2, 2))]]
        give = [f"c[{index}] = {rng.choice((0, 0, 1))}" for index in 'ij'[:len(ask)]]
        if len(ask) > 1 and rng.random() < 0.7:
            ask.append(rng.choice(('i != j', 'i < j', 'i < j', 'i >= j')))
        both = f"i : int[0,{self.size - 1}], j : int[0,{self.size - 1}]"
        give.append(rng.choice(('x = 0', 'x = 1', 'x = 1', 'x = i')))
        if rng.random() < 0.3:
            ask = [rng.choice(('', '!')) + f"({rng.choice(('forall', 'exists'))}"
                   f"(k : int[1,{self.size - 1}]) c[k] == {rng.choice((0, 1))})"] \
                + rng.choice(([], ask))
        return {'select': both, 'guard': ' && '.join(ask),
                'assignment': ', '.join(give)}

    def deal(self):
        """An edge that gives every cell the value of a select of its own."""
        rng = self.rng
        names = [f"o{i}" for i in range(len(self.paths()))]
        value = rng.randint(0, self.top)
        total = ' + '.join(f"({name} == {value})" for name in names) \
            if rng.random() < 0.6 else ' + '.join(names)
        return {'select': ', '.join(f"{name} : int[0,{self.top}]"
                                    for name in names),
                'guard': f"{total} {rng.choice(('==', '==', '<=', '>', '!='))} "
                         f"{rng.randint(0, 2)}"
                         + rng.choice(('', ' && x <= 1')),
                'assignment': ', '.join(
                    f"{path} = {name}" for path, name in zip(self.paths(), names))
                + rng.choice(('', ', x = 2'))}

    def map_value(self, cell):
        """What a cell becomes, by what it is; sometimes by something else."""
        rng, top = self.rng, self.top
        strange = rng.choice(('x', 'c[0]', 'k')) if rng.random() < 0.08 \
            and self.shape == 'plain' else None
        return strange or rng.choice((
            str(rng.randint(0, top)), str(rng.randint(0, top)), f"{top} - {cell}",
            f"{cell} == {rng.randint(0, top)} ? {rng.randint(0, top)} : {rng.randint(0, top)}",
            f"{cell} == {rng.randint(0, top)} ? {rng.randint(0, top)} : {cell}"))

    def map_statement(self, cell):
        rng = self.rng
        field = '.v' if self.shape == 'record' else ''
        text = rng.choice((f"{cell}{field} = {self.map_value(cell + field)};",) * 4
                          + (f"{cell}{field}++;",))
        if self.shape == 'record' and rng.random() < 0.5:
            text = f"{cell}.u = {rng.choice(('true', 'false', f'!{cell}.u', f'{cell}.v > 0'))};"
        if rng.random() < 0.4 or '++' in text:
            text = f"if ({self.test().format(cell)}) {text}"
        return text

    def mapping(self):
        """An edge that gives all cells, or many, new values at once."""
        rng = self.rng
        cell = 'c[k][l]' if self.shape == 'rows' else 'c[k]'
        if self.shape == 'plain' and rng.random() < 0.3:
            value = self.map_value(cell)
            update = ', '.join(f"c[{k}] = " + value.replace('c[k]', f"c[{k}]").replace('k', str(k))
                               for k in range(self.size))
        else:
            last = 1 if self.shape == 'rows' else self.size - 1
            first = rng.choice((0, 0, 0, 1))
            body = self.map_statement(cell)
            if rng.random() < 0.2:
                body = '{ ' + body + ' ' + self.map_statement(cell) + ' }'
            if self.shape == 'rows':
                body = 'for (l : int[0,1]) ' + body
            loop = f"for (k : int[{first},{last}]) {body}" if rng.random() < 0.6 else \
                f"int k; for (k = {first}; k {f'<= {last}' if self.ends_at_last else f'< {last + 1}'}; k++) {body}"
            if self.has_loops and self.shape != 'rows' and rng.random() < 0.7:
                loop = f"int k; for (k = 0; k <= {last}; k++) {{ for (k = 0; k < {last}; k++) " \
                    + f"{self.map_statement(cell)} {body} }}"
            name = f"f{len(self.functions)}"
            self.functions.append(f"void {name}() {{ {loop} }}")
            update = f"{name}()"
        updates = [update] + rng.choice(([], [], ['x = 1'], ['x = 2']))
        rng.shuffle(updates)
        guards = []
        if self.shape != 'rows' and rng.random() < 0.3:
            guards.append(f"{rng.choice(('', '!'))}({rng.choice(('forall', 'exists'))}"
                          f"(k : int[{rng.choice((0, 0, 1))},{self.size - 1}]) "
                          + self.test().format('c[k]') + ')')
        if rng.random() < 0.2:
            guards.append(f"x {rng.choice(('==', '<='))} {rng.randint(0, 2)}")
        labels = {'guard': ' && '.join(guards), 'assignment': ', '.join(updates)}
        return {kind: text for kind, text in labels.items() if text}

    def template(self, name, local, channel):
        rng = self.rng
        places = ['a', 'b'][:rng.choice((1, 1, 2))]
        edges = []
        for _ in range(rng.choice((1, 2, 2, 3))):
            is_deal = self.shape != 'record' and rng.random() < 0.1
            labels = self.deal() if is_deal else self.edge(False)
            if self.is_sharp and rng.random() < 0.8:
                labels = self.pair()
            if self.is_mapped and rng.random() < 0.5:
                labels = self.mapping()
            if channel and rng.random() < 0.5:
                labels['synchronisation'] = channel
            edges.append((rng.choice(places), rng.choice(places), labels))
        if self.is_local:
            local += ' '.join(self.functions)
        return (name, '', local, places, edges)

    def model(self):
        decl = ['int[0,2] x', 'chan go']
        if self.has_last:
            decl.append('bool last' if self.has_bool else 'int[0,2] last')
        if not self.is_local:
            decl.append(self.array)
        local = self.array + ';' if self.is_local else ''
        templates = [self.template('P', local, 'go!' if self.is_pair else '')]
        if self.is_pair:
            templates.append(self.template('Q', '', 'go?'))
        system = 'system ' + ', '.join(t[0] for t in templates) + ';'
        functions = '' if self.is_local else ' '.join(self.functions)
        return xml('; '.join(decl) + ';' + functions, templates, system, ['A<> x > 2'])


class Coarsest:
    """The may-abstraction with a step for every tuple of cells."""

    def __init__(self, network, names, alpha):
        self.network, self.alpha = network, alpha
        first = len(network.processes)
        self.places = [first + n for n, slot in enumerate(network.slots)
                       if slot.rpartition('.')[2].startswith(('c[', 'u', 'v'))
                       and 'c[' in slot]
        self.last = [first + n for n, slot in enumerate(network.slots)
                     if slot == 'last']
        assert names

    def count(self, ranges, most):
        """The states that are reached, at most so many."""
        def concrete(image):
            for values in itertools.product(*ranges):
                state = list(self.of[image])
                for place, value in zip(self.places, values):
                    state[place] = value
                if self.alpha(tuple(state)) == image:
                    yield tuple(state)
        initial = self.network.initial
        self.of = {self.alpha(initial): initial}
        left = [self.alpha(initial)]
        while left and len(self.of) <= most:
            for state in concrete(left.pop()):
                for _, target in self.network.successors(state)[0]:
                    image = self.alpha(target)
                    if image not in self.of:
                        self.of[image] = target
                        left.append(image)
        return len(self.of)


def run(varabs, arguments, folder):
    done = subprocess.run([varabs, *arguments], cwd=folder, timeout=60,
                          capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def judge_mode(case, folder, varabs, mode, concrete, explored):
    arguments = ['in.xml', f"--{mode}", '-o', 'out.xml', '--report', 'out.json']
    for text, _ in case.merges:
        arguments += ['--merge', text]
    if case.has_last and not case.has_other:
        arguments += ['--remove', 'last']
    status, errors = run(varabs, arguments, folder)
    if status:
        return None if status == 4 else f"status {status}: {errors}"
    with open(f"{folder}/out.json", encoding='utf-8') as file:
        report = json.load(file)
    abstract = load_network(f"{folder}/out.xml")
    names = [meant for _, meant in case.merges] + \
        ['last'] * (case.has_last and not case.has_other)
    judged = 'exact' if report['exact'] else mode
    verdict = compare(concrete, explored, abstract, names, judged, None, (),
                      judged == 'exact' and bool(report.get('relies_on')))
    by_values = any('not folded by cells' in reason
                    for reason in report.get('inexact_because', ()))
    for kind, failure in verdict.failures.items():
        if kind != 'new-error' or not by_values:
            return f"{kind}: {failure.text}"
    if mode == 'may' and not report['exact']:
        wrong = judge_ends(report, concrete, explored, abstract, names)
        if wrong:
            return wrong
    if mode == 'may' and not by_values and not case.is_pair and not case.has_other:
        wrong = judge_size(case, concrete, abstract, names)
        if wrong:
            return wrong
    if mode == 'may' and report.get('inexact_cells') and not (case.is_wide or case.has_loops) \
            and len(report['inexact_because']) == len(report['inexact_cells']):
        return judge_proposals(case, folder, varabs, arguments, report)
    return None


def judge_proposals(case, folder, varabs, arguments, report):
    """Counting what a report names as missing makes edges exact (F11)."""
    for _ in range(6):
        parts = report.get('inexact_cells', ())
        merges = list(dict.fromkeys(merge for part in parts if 'merge' in part
                                    for merge in [part['merge'], *part.get('further_merges', [])]))
        if report['exact'] or any('merge' not in part for part in parts):
            return None
        if not merges:
            break
        for text in merges:
            arguments = arguments + ['--merge', text]
        status, errors = run(varabs, arguments, folder)
        if status:
            return None if status == 4 else f"proposals: status {status}: {errors}"
        with open(f"{folder}/out.json", encoding='utf-8') as file:
            report = json.load(file)
    return f"proposals: not exact with {' '.join(arguments)}: {report['inexact_because']}"


def judge_ends(report, concrete, explored, abstract, names):
    """What it says of states without steps (L2)."""
    from judges.judge import Projection
    said = report['guarantees'][0].get('reason', '')
    if 'shown on' not in said:
        return None
    alpha = Projection(concrete, abstract, names, ())
    for state in explored.states:
        if concrete.successors(state)[0]:
            continue
        if 'never stuck' in said:
            return f"ends: {state} is stuck"
        if abstract.successors(alpha(state))[0]:
            return f"ends: {state} is stuck, the abstraction goes on"
    return None


def judge_size(case, concrete, abstract, names):
    from judges.judge import Projection
    coarsest = Coarsest(concrete, names, Projection(concrete, abstract, names, ()))
    ranges = []
    for place in coarsest.places:
        is_bool = concrete.slots[place - len(concrete.processes)].endswith('.u')
        ranges.append(range(2 if is_bool else case.top + 1))
    size = len(explore(abstract, MOST_STATES).states)
    most = coarsest.count(ranges, MOST_STATES)
    if size > most:
        return f"size: {size} states, {most} with a step for every tuple"
    return None


def judge(task):
    """(seed, outcome, message)"""
    return judge_case(task, Cells(task[1]))


def judge_case(task, case):
    varabs, seed, keep = os.path.abspath(task[0]), *task[1:3]
    arguments = ' '.join(f"--merge '{text}'" for text, _ in case.merges)
    wrong = None
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/in.xml", 'w', encoding='utf-8') as file:
            file.write(case.model())
        try:
            concrete = load_network(f"{folder}/in.xml")
            explored = explore(concrete, MOST_STATES)
            for mode in ('may', 'must'):
                wrong = wrong or judge_mode(case, folder, varabs, mode, concrete,
                                            explored)
        except (Budget, subprocess.TimeoutExpired):
            return seed, 'large', ''
        except ModelError as error:
            wrong = f"unusable: {error}"
        if wrong and keep:
            os.replace(f"{folder}/in.xml", os.path.join(keep, f"{seed}.xml"))
    if wrong:
        return seed, 'failed', f"{wrong}\n    {arguments}"
    return seed, 'passed', ''


if __name__ == '__main__':
    seeds.main(judge, __doc__, 1 / 2)
