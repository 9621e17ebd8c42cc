"""Are merges and removals with scopes what they say?

usage: judges/scoped.py [--varabs PROGRAM] [--seeds FIRST..LAST] [--jobs N]

Random models with a template whose variables are merged, or removed, in some of its locations, where they
rest at values of their own.  What that means is written down as a model: inside of the scope another variable
holds what the labels there read and write, edges into it and out of it hand the value over, a new variable
follows the expression, and the variable itself rests.  Each model is abstracted by --may and --must and judged
by that one: has it all steps, only such as the original has, and is what is called exact so?  Besides, a
may-abstraction may only reach what is reached with a step for every value that the merged one allows, and what
is said of states without steps is looked at; and queries that are kept say the same of each state.
"""

import itertools
import json
import os
import random
import re
import subprocess
import tempfile
from judges.judge import Projection, compare
from judges.processes import queries_of, rename, values_of
from tools import seeds
from oracle.uppaal_parse import ModelError
from oracle.uppaal_run import explore, load_network
from oracle.uppaal_runtime import Budget
from generators.small_models import xml

MOST_STATES = 3000
NO_MERGE = 100000  # from this seed on, variables are removed, and nothing is merged
MEANT = 'PM'
SINGLE = 200000    # from this seed on, they are merged in one of two processes
SETS = 300000      # from this seed on, in a set of two, and queries are about each of it
RANGE = 'int[0,1]'


class Scopes:
    """A model, what is to be merged or removed, and what that means."""

    has_cells = False   # merges over arrays may be folded by cells, or else by values, where guards may go

    def __init__(self, seed):
        rng = self.rng = random.Random(seed)
        self.places = ['a', 'b', 'c', 'd'][:rng.choice((3, 3, 4))]
        self.scope = [place for place in self.places if rng.random() < 0.5] \
            or [rng.choice(self.places)]
        self.is_single = SINGLE <= seed < SETS
        self.is_set = seed >= SETS
        self.has_merge = seed < NO_MERGE or seed >= SINGLE
        self.is_array = rng.random() < 0.15
        self.top = 2 if self.is_array else 3
        self.low = -1 if self.is_set and seed % 2 == 0 and not self.is_array else 0
        self.start = 0 if self.is_array else rng.choice((0, 0, 0, 1, 3))
        self.variables = ['x'] if self.is_array or rng.random() < 0.75 else ['x', 'y']
        self.cells = ['x[0]', 'x[1]'] if self.is_array else self.variables
        self.rests = {}
        self.written = {}          # merges that are written otherwise than they are judged
        self.counted = []          # other cells that are merged everywhere, and what that is
        self.counts = []
        for place in self.scope:
            if not self.is_array and place != 'a' and rng.random() < 0.5:
                self.rests[place] = rng.randint(self.low, self.top)
        self.merges = [self.merge(f"m{i}") for i in range(
            rng.choice((1, 1, 1, 2)) if self.has_merge else 0)]
        self.copies = 2 if self.is_single or self.is_set else rng.choice((1, 1, 2))
        self.sync = rng.choice(('', '', 'go', 'all'))
        self.invariants = {}
        for place in self.places[1:]:
            if rng.random() < 0.15:
                self.invariants[place] = self.test()
        self.edges = [self.edge() for _ in range(rng.choice((4, 5, 6, 7)))]
        self.edges += [self.crossing(into) for into in (True, False)]
        marks = rng.choice(('', '', '', '!', '~'))
        self.marked = rng.choice(self.places[1:]) if marks else None
        self.mark = marks
        self.other = self.template_q()
        ask = self.query_about_each if self.is_set else self.query
        self.queries = ['A<> g > 2'] + [ask() for _ in range(4)]

    # Parts

    def cell(self):
        return self.rng.choice(self.cells)

    def test(self):
        rng = self.rng
        return rng.choice((f"{self.cell()} {rng.choice(('>', '==', '!=', '<='))} "
                           f"{rng.randint(self.low, self.top)}",
                           f"{self.cell()} > g", f"{self.cell()} + g > 2",
                           f"low({self.cell()})"))

    def merge(self, name):
        """(name, type, expression, its initial value)"""
        rng = self.rng
        value = rng.randint(self.low, self.top)
        ways = (
            ('bool', f"{self.cells[0]} > {value}"), ('bool', f"{self.cells[0]} > 1"),
            ('int[0,1]', f"{self.cells[0]} == {value}"), ('int[0,9]', ' + '.join(self.cells)),
            ('int[0,1]', f"{self.cells[0]} % 2"), ('int[1,4]', f"{self.cells[-1]} + 1"),
            ('bool', f"{self.cells[0]} >= {self.cells[-1]}"),
            ('int[0,2]', f"({self.cells[0]} > 0) + ({self.cells[-1]} > 1)"))
        if self.is_array:  # it is removed as a whole
            ways = [way for way in ways if 'x[0]' in way[1] and 'x[1]' in way[1]]
        if self.low:
            wider = {'int[0,9]': 'int[-2,9]', 'int[1,4]': 'int[0,4]', 'int[0,1]': 'int[-1,1]'}
            ways = [(wider.get(kind, kind), text) for kind, text in ways]
        kind, text = rng.choice(ways)
        plain = text.replace('x[0]', 'x').replace('x[1]', 'x')
        first = eval(plain, {name: self.start for name in 'xy'})  # pylint: disable=eval-used
        if 'a' not in self.scope:
            first = 1 if kind == 'int[1,4]' else 0
        if kind == 'bool':
            return name, kind, text, 'true' if first else 'false'
        return name, kind, text, str(int(first))

    def write(self, has_select):
        rng, cell = self.rng, self.cell()
        ways = [f"{cell} = {rng.randint(self.low, self.top)}", f"{cell} = {rng.randint(self.low, self.top)}",
                f"{cell} = {cell} > 1 ? {rng.randint(self.low, self.top)} : {rng.randint(self.low, self.top)}",
                f"{cell} = {self.top} - {cell}", f"{cell} = {self.cell()}", f"{cell} = g",
                f"{cell}{rng.choice(('++', '--'))}", 'g = ' + cell,
                f"g = {cell} > 1 ? 1 : 0", f"g = {rng.randint(0, 2)}",
                f"g = {cell}, {cell} = {rng.randint(self.low, self.top)}"]
        if has_select:
            ways += [f"{cell} = k"] * 5
        return rng.choice(ways)

    def labels(self):
        rng = self.rng
        labels = {}
        has_select = rng.random() < 0.35
        if has_select:
            labels['select'] = f"k : int[0,{self.top}]"
        guards = [self.test() for _ in range(rng.choice((0, 0, 1, 1, 2)))]
        if has_select and rng.random() < 0.3:
            guards.append(f"k != {self.cell()}")
        if guards:
            labels['guard'] = ' && '.join(guards)
        if self.sync and rng.random() < 0.4:
            labels['synchronisation'] = self.sync + rng.choice('!?')
        updates = [self.write(has_select) for _ in range(rng.choice((0, 1, 1, 2, 3)))]
        if updates:
            labels['assignment'] = ', '.join(updates)
        return labels

    def edge(self):
        return self.rng.choice(self.places), self.rng.choice(self.places), self.labels()

    def crossing(self, into):
        """An edge into the scope or out of it, where there is an outside."""
        outside = [place for place in self.places if place not in self.scope] or self.places
        ends = [self.rng.choice(outside), self.rng.choice(self.scope)]
        return (*(ends if into else ends[::-1]), self.labels())

    def template_q(self):
        rng, edges = self.rng, []
        for _ in range(rng.choice((1, 2))):
            labels = {}
            if rng.random() < 0.5:
                labels['guard'] = f"g {rng.choice(('<', '==', '>'))} {rng.randint(0, 2)}"
            if self.sync and rng.random() < 0.8:
                labels['synchronisation'] = self.sync + rng.choice('!?')
            if rng.random() < 0.6:
                labels['assignment'] = f"g = {rng.choice(('0', '1', '2', '2 - g'))}"
            edges.append((rng.choice('st'), rng.choice('st'), labels))
        return 'Q', '', '', ['s', 't'], edges

    def query(self):
        rng = self.rng
        process = 'P' if self.copies == 1 else rng.choice('AB')
        place = rng.choice(self.places)
        asked = [self.test() for _ in range(2)]
        if self.merges and rng.random() < 0.5:
            asked[0] = self.merges[0][2]
        asked = [re.sub(r'\b([xy])\b', process + r'.\1', text) for text in asked]
        one, two = asked
        here, there = f"{process}.{place}", f"{process}.{rng.choice(self.places)}"
        inside = ' || '.join(f"{process}.{each}" for each in self.scope)
        return rng.choice((
            f"A[] {here} imply {one}", f"E<> {here} && ({one} || {two})", f"A[] !{here} || {one}",
            f"A[] ({here} || {there}) imply {one}", f"E<> ({one}) && {here}",
            f"E<> {here} ? {one} : {two}", f"A[] ({inside}) ? {one} : {two}",
            f"E<> !({inside}) && {one}", f"A[] {here} && {one} imply {two}",
            f"E<> ({inside}) && !({there}) && {one}", f"A[] ({inside}) imply ({one} && {two})",
            f"E<> {one}", f"sup{{{here}}}: {process}.{self.cell()}",
            f"inf{{{one}}}: {process}.{self.cell()} + g", f"{here} --> {here} && {one}"))

    def query_about_each(self):
        """Quantifiers over the processes, which may bind one name again."""
        rng = self.rng
        inner = rng.choice('iij')

        def asked(name):
            text = rng.choice([self.test()] + [merge[2] for merge in self.merges])
            return re.sub(r'\b([xy])\b', rf'P({name}).\1', text)
        first, second = (f"{rng.choice(('exists', 'forall'))} ({name} : {RANGE})"
                         for name in ('i', inner))
        here, there, same = (f"P({name}).{rng.choice(self.places)}" for name in ('i', inner, 'i'))
        one, two = asked('i'), asked(inner)
        signed = [f"E<> {first} ({here} && g-P(i).{self.cell()} > {rng.randint(0, 2)})",
                  f"A[] {first} ({here} imply g -P(i).{self.cell()}<=1)"] * 2 if self.low else []
        return rng.choice((
            *signed, f"A[] {first} ({here} imply {one})", f"E<> {first} {one}",
            f"A[] {first} ({here} imply {second} ({there} imply {two}))",
            f"E<> {first} ({here} && {second} ({two}))",
            f"E<> {first} (({second} ({there} && {two})) && {same})",
            f"E<> {first} ({here} && {one} && {second} ({there} && {two}))",
            f"E<> (sum (i : {RANGE}) ({here} && ({one}))) > {rng.randint(0, 1)}"))

    def meant_query(self, text):
        """A query with what is hidden in the scope."""
        def value(found):
            process, name, index = found.groups()
            if process == 'B' and self.is_single:
                return found[0]
            inside = ' || '.join(f"{process}.{place}" for place in self.scope)
            return f"(({inside}) ? {process}.q{name}{index} : {process}.{name}{index})"
        return re.sub(r'\b(P\([ij]\)|[PAB])\.([xy])((?:\[\d\])?)', value, text)

    # The model, and the one that says what is meant

    def arguments(self):
        where = ','.join(place + (f":={self.rests[place]}" if place in self.rests else '')
                         for place in self.scope)
        named = {cell[0] for _, _, text, _ in self.merges for cell in re.findall(r'[xy]', text)}
        left = [name for name in self.variables if name not in named]
        found, owner = [], 'A' if self.is_single else 'P'
        for name, kind, text, _ in self.merges:
            found += ['--merge', f"{owner}.{name}:{kind}={self.written.get(text, text)}@{where}"]
        if left:
            found += ['--remove', ','.join(f"{owner}.{name}" for name in left) + '@' + where]
        return found

    def hidden(self, text):
        """A label as it is inside."""
        return re.sub(r'\b([xy])\b', r'q\1', text)

    def rest(self, place):
        if self.is_array:
            return [f"{cell} = 0" for cell in self.cells]
        return [f"{name} = {self.rests.get(place, self.start)}" for name in self.variables]

    def meant(self, source, target, labels):
        labels = dict(labels)
        inside, enters = source in self.scope, target in self.scope
        for kind in ('guard', 'synchronisation'):
            if inside and kind in labels:
                labels[kind] = self.hidden(labels[kind])
        updates = [labels['assignment']] if 'assignment' in labels else []
        if inside and enters:
            updates = [self.hidden(text) for text in updates]
        if inside and not enters:
            updates = [f"{name} = q{name}" for name in self.variables] + updates
            if self.is_array:
                updates += [f"q{cell} = 0" for cell in self.cells]
            else:
                updates += [f"q{name} = {self.start}" for name in self.variables]
            updates += [f"{name} = {first}" for name, _, _, first in self.merges]
        if enters and not inside:
            updates += [f"q{name} = {name}" for name in self.variables]
        if enters:
            updates += [f"{name} = {self.hidden(text)}" for name, _, text, _ in self.merges]
            updates += self.rest(target)
        labels['assignment'] = ', '.join(updates)
        if not updates:
            del labels['assignment']
        return source, target, labels

    def template(self, name, is_meant):
        size = f"[{len(self.cells)}]" if self.is_array else f" = {self.start}"
        names = list(self.variables)
        edges = self.edges
        if is_meant:
            names += [f"q{name}" for name in names]
            edges = [self.meant(*edge) for edge in edges]
        local = ''.join(f"int[{self.low},{self.top}] {name}{size}; " for name in names)
        if is_meant:
            local += ''.join(f"{kind} {name} = {first}; " for name, kind, _, first in self.merges)
        places = []
        for place in self.places:
            text = self.invariants.get(place, '')
            if is_meant and place in self.scope:
                text = self.hidden(text)
            mark = self.mark if place == self.marked else ''
            places.append(place + mark + (':' + text if text else ''))
        return name, f"const {RANGE} id" * self.is_set, local, places, edges

    def declarations(self):
        return 'int[0,3] g; chan go; broadcast chan all; bool low(int n) { return n < 2; }'

    def model(self, is_meant):
        decl = self.declarations()
        templates = [self.template(MEANT if is_meant else 'P', is_meant)]
        system = f"system {templates[0][0]}, Q;"
        if self.is_set:
            system = f"P(const {RANGE} id) = {MEANT}(id); system P, Q;" if is_meant else system
        elif self.copies == 2:
            other = 'P' if self.is_single else templates[0][0]
            system = f"A = {templates[0][0]}(); B = {other}(); system A, B, Q;"
        elif is_meant:
            system = f"P = {MEANT}(); system P, Q;"
        if is_meant and self.is_single:
            templates.append(self.template('P', False))
        asked = [self.meant_query(text) if is_meant else text for text in self.queries]
        return xml(decl, templates + [self.other], system, asked)

    def is_judged_by_size(self):
        return not self.low and not any(place in self.scope for place in self.invariants)


def reachable(case, concrete, abstract, names):
    """What is reached with a step for every value that is possible."""
    alpha = Projection(concrete, abstract, names, ())
    first = len(concrete.processes)
    number = {name: first + i for i, name in enumerate(concrete.slots)}
    groups = []
    for p, process in enumerate(concrete.processes):
        if process.template.name == MEANT:
            inside = {i for i in range(len(process.locations))
                      if process.location_name(i) in case.scope}
            groups.append((p, inside, [number[f"{process.name}.q{cell}"] for cell in case.cells]))

    counted = [number[name] for name in case.counted]

    def members(state):
        places = [at for p, inside, cells in groups if state[p] in inside for at in cells]
        image = alpha(state)
        ranges = [range(case.top + 1)] * len(places) + [range(3)] * len(counted)
        for values in itertools.product(*ranges):
            other = list(state)
            for place, value in zip(places + counted, values):
                other[place] = value
            if follows(tuple(other)) and (not counted or alpha(tuple(other)) == image):
                yield tuple(other)
        assert image

    def follows(state):
        for p, inside, _ in groups:
            process = concrete.processes[p]
            values = {name: state[number[f"{process.name}.q{name}"]] for name in case.cells} \
                if state[p] in inside else {}
            for name, _, text, _ in case.merges if values else ():
                plain = text
                for cell, value in values.items():
                    plain = plain.replace(cell, str(value))
                if int(eval(plain)) != state[number[f"{process.name}.{name}"]]:  # pylint: disable=eval-used
                    return False
        return True

    found = {alpha(concrete.initial)}
    left = [concrete.initial]
    while left and len(found) <= MOST_STATES:
        for state in members(left.pop()):
            for _, target in concrete.successors(state)[0]:
                image = alpha(target)
                if image not in found:
                    found.add(image)
                    left.append(target)
    return found


def said(network, states, query):
    """What a query says in each state: values only where its condition holds."""
    found = values_of(network, states, query)
    if not query.values or not query.predicates:
        return found
    return [[value if holds else None for holds, value in zip(found[0], values)]
            for values in found]


def judge_queries(concrete, explored, out, alpha):
    """Queries that are kept say of the image of a state what they said of the state."""
    abstract = load_network(out)
    states = list(explored.states)
    images = [alpha(state) for state in states]
    for before, after in zip(concrete.model.formulas, abstract.model.formulas):
        if not after.strip():
            continue
        asked = queries_of(abstract, [after])[0]
        if isinstance(asked, tuple):
            return f"{before} became {after}: {asked[1]}"
        if said(concrete, states, queries_of(concrete, [before])[0]) != \
                said(abstract, images, asked):
            return f"{before} became {after}"
    return None


def run(varabs, arguments, folder):
    done = subprocess.run([varabs, *arguments], cwd=folder, timeout=60,
                          capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def judge_ends(report, concrete, explored, alpha, abstract, stutters):
    """What is said of states without steps (X5, L2)."""
    said = report['guarantees'][0].get('reason', '')
    for state in explored.states if stutters or 'shown on' in said else ():
        if concrete.successors(state)[0]:
            continue
        if 'never stuck' in said:
            return f"ends: {concrete.show(state)} is stuck"
        targets = [target for _, target in abstract.successors(alpha(state))[0]]
        if targets and not (stutters and alpha(state) in targets):
            return f"ends: {concrete.show(state)} is stuck, the abstraction goes on"
    return None


def judge_mode(case, folder, varabs, mode, concrete, explored):
    """What is wrong, None, or 'refused: ...'."""
    arguments = ['in.xml', '-o', 'out.xml', '--report', 'out.json']
    stutters = mode == 'stutter'
    mode = 'may' if stutters else mode
    arguments += [f"--{mode}"] + ['--stutter'] * stutters
    status, errors = run(varabs, arguments + case.arguments(), folder)
    if status == 4:
        return f"refused: {errors}"
    if status:
        return f"status {status}: {errors}"
    with open(f"{folder}/out.json", encoding='utf-8') as file:
        report = json.load(file)
    abstract = load_network(f"{folder}/out.xml")
    rename(abstract, concrete, report)
    names = [f"{MEANT}.q{name}" for name in case.variables] + case.counts
    judged = 'exact' if report['exact'] else mode
    verdict = compare(concrete, explored, abstract, names, judged, None, (),
                      judged == 'exact' and bool(report.get('relies_on')))
    by_values = case.has_cells and (stutters or any(
        'not folded by cells' in reason or 'freely' in reason or "depends on 'x'" in reason
        for reason in report.get('inexact_because', ())))
    for kind, failure in verdict.failures.items():
        if kind == 'new-error' and by_values:   # as in cells.py
            continue
        return f"{mode} {kind}: {failure.text}"
    if mode == 'may':
        alpha = Projection(concrete, abstract, names, ())
        wrong = judge_ends(report, concrete, explored, alpha, abstract, stutters)
        if wrong:
            return wrong
    if judged != 'must':
        wrong = judge_queries(concrete, explored, f"{folder}/out.xml",
                              Projection(concrete, abstract, names, ()))
        if wrong:
            return f"query: {wrong}"
    declines = any('may or may not be able' in reason
                   for reason in report.get('inexact_because', ()))  # edge by edge (M3)
    if mode == 'may' and not stutters and case.is_judged_by_size() and not declines and not by_values:
        states = explore(abstract, MOST_STATES).states
        most = reachable(case, concrete, abstract, names)
        for state in states if len(most) <= MOST_STATES else ():
            if state not in most:
                return f"size: {abstract.show(state)} is not reached by steps for all values"
    return None


def judge(task):
    """(seed, outcome, message)"""
    return judge_case(task, Scopes(task[1]))


def judge_case(task, case):
    varabs, seed, keep = os.path.abspath(task[0]), *task[1:3]
    arguments = ' '.join(f"'{text}'" for text in case.arguments())
    wrong = None
    with tempfile.TemporaryDirectory() as folder:
        for name, is_meant in (('in', False), ('meant', True)):
            with open(f"{folder}/{name}.xml", 'w', encoding='utf-8') as file:
                file.write(case.model(is_meant))
        try:
            concrete = load_network(f"{folder}/meant.xml")
            explored = explore(concrete, MOST_STATES)
            for mode in ('may', 'must', 'stutter'):
                found = judge_mode(case, folder, varabs, mode, concrete, explored)
                wrong = wrong or found
        except (Budget, subprocess.TimeoutExpired):
            return seed, 'large', ''
        except ModelError as error:
            wrong = f"unusable: {error}"
        if wrong and keep:
            for name in ('in', 'meant', 'out'):
                if os.path.exists(f"{folder}/{name}.xml"):
                    os.replace(f"{folder}/{name}.xml", os.path.join(keep, f"{seed}_{name}.xml"))
    if wrong and wrong.startswith('refused: '):
        return seed, 'left out', f"{wrong}\n    {arguments}"
    if wrong:
        return seed, 'failed', f"{wrong}\n    {arguments}"
    return seed, 'passed', ''


if __name__ == '__main__':
    seeds.main(judge, __doc__, 1 / 2)
