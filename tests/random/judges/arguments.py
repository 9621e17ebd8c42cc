"""What is an argument of a constant reference, a variable or its value?

usage: judges/arguments.py [--varabs PROGRAM] [--seeds FIRST..LAST] [--jobs N] [--keep DIR]

Random models with functions that take constant references, and mostly change variables before they
read them.  They are called with variables and cells, with values, and with what may be either: `u ? v : w`
of two variables, and assignments.  Nothing says what Uppaal takes these for, so the oracle does both.  Where
that makes a difference, the model has to be refused, and where no variable is changed, it must not be.  Else the
program has to find the same states as the oracle.  Variables are removed by --may and --must then: an
output has to be what it claims to be both ways, and a variable it passes has to have the type of the reference.
"""

import json
import os
import random
import subprocess
import tempfile
from generators.small_models import xml
from judges.judge import compare
from oracle.uppaal_compile import Compiler
from oracle.uppaal_parse import ModelError
from oracle.uppaal_run import explore, load_network
from oracle.uppaal_runtime import Budget
from tools import seeds

MOST_STATES = 3000
REFUSAL = 'may pass this variable or its value'
NUMBER = 'int[0,3]'
CHANGES = {'number': ('w = 0', 'w = 3 - w', 'w = v', 'v = 3 - v, w = v', 'q[0] = 3 - q[0]', 'w = 3 - w, q[1] = w'),
           'bool': ('b = !b', 'b = !b', 'c = !b, b = c'),
           'record': ('s.e = 0', 's = t', 't.e = 3 - s.e', 's.f = !s.f'),
           'row': ('q[0] = 0', 'q[1] = q[0]', 'z[1] = 3 - z[1]', 'q = z')}
PLACES = {'number': ('w', 'w', 'w', 'v', 'q[0]', 'q[u]', 's.e'), 'bool': ('b', 'b', 'c', 's.f'),
          'record': ('s', 's', 't'), 'row': ('q', 'q', 'z')}
READS = {'number': 'p', 'bool': 'p ? 1 : 2', 'record': 'p.e', 'row': 'p[1]'}
TYPES = {'number': NUMBER, 'bool': 'bool', 'record': 'S', 'row': NUMBER}


class Arguments:
    """A model, and whether its functions change any variable."""

    def __init__(self, seed):
        rng = self.rng = random.Random(f"arguments {seed}")
        self.kind = rng.choice(('number', 'number', 'number', 'bool', 'bool', 'record', 'row'))
        self.is_wide = self.kind == 'number' and rng.random() < 0.2  # const int &
        self.changes = rng.random() < 0.85
        self.has_second = rng.random() < 0.2
        self.hands_on = rng.random() < 0.15
        self.are_values = seed % 2 == 1     # all arguments, so that the model is not refused
        self.is_beside = seed % 8 == 4      # another argument changes what the function does not
        if self.is_beside:
            self.changes, self.has_second, self.kind, self.is_wide = False, True, 'number', False
        self.are_chosen = seed % 8 == 2
        if self.are_chosen:
            self.kind, self.is_wide, self.changes = rng.choice(('record', 'row')), False, True

    def place(self):
        return self.rng.choice(PLACES[self.kind])

    def value(self):
        """Nothing but a value, which a place is left of without u, often."""
        rng, place = self.rng, self.place()
        if self.kind == 'number':
            if self.is_wide and rng.random() < 0.3:
                place = rng.choice(PLACES['bool'])
            if rng.random() < 0.15:
                place = rng.choice((f"(x == 1 ? {place} : {self.place()})", f"({self.place()} = {place})",
                                    f"++{self.place()}"))
                return f"(u == 0 ? {place} : {rng.randint(0, 3)})"
            return rng.choice((f"{place} + u", f"{place} + u", f"{place} + 0 * u", f"{place} * (u + 1)", f"u + {place}",
                               f"{place} - u", f"(u == 1 ? {place} : 2)", f"(u == 0 ? {place} : {place} + 1)",
                               f"(u == 0 ? {place} : 1)", f"({place} + u) % 4", f"{rng.randint(0, 3)}"))
        if self.kind == 'bool':
            if rng.random() < 0.15:
                place = rng.choice((f"(x == 1 ? {place} : {self.place()})", f"({self.place()} = {place})"))
            return rng.choice((f"{place} || u == 1", f"{place} && u == 0", f"(u == 1 ? true : {place})",
                               f"{place} != (u == 1)", f"(u == 0 ? {place} : false)", f"!{place}"))
        return place

    def either(self):
        """What may be a place or a value."""
        rng, one, other = self.rng, self.place(), self.place()
        way = rng.random()
        if way < 0.5:
            return f"(u == {rng.randint(0, 1)} ? {one} : {other})"
        if way < 0.6:
            return f"(u == 0 ? (x == 1 ? {one} : {other}) : {self.place()})"
        if way < 0.7 and self.kind == 'number':
            return rng.choice((f"++{one}", f"{one} += u", f"--{one}"))
        return f"{one} = {other}"

    def argument(self):
        way = self.rng.random()
        if self.is_wide and way < 0.9:
            way = 0.3  # no variable has its type
        if self.are_values:
            way = 0.15 + way / 2
        if self.are_chosen:
            way = 0.5 + way / 2
        text = self.place() if way < 0.15 else self.value() if way < 0.7 else self.either()
        if self.is_wide and text in PLACES['number'] + PLACES['bool']:
            text += ' + u'
        return text

    def functions(self):
        rng = self.rng
        kind = 'int' if self.is_wide else TYPES[self.kind]
        parameter = f"const {kind} &p" + ('[2]' if self.kind == 'row' else '')
        second = f", {NUMBER} n" if self.has_second else ''
        change = rng.choice(CHANGES[self.kind]) if self.changes else rng.choice(('', 'int k = 0; k++'))
        read = READS[self.kind]
        body = [change, f"return ({read}) % 4"]
        if self.changes and rng.random() < 0.3:
            body = [f"r = ({read}) % 4", change, 'return r']
        if self.changes and rng.random() < 0.3:
            body.insert(0, f"if (({read}) > 1) v = 1")
        body = ' '.join(part.replace(', ', '; ') + ';' for part in body if part)
        text = f"{NUMBER} f({parameter}{second}) {{ {body} }}"
        if self.hands_on:
            text += f" {NUMBER} g({parameter}{second}) {{ return f(p{', n' if second else ''}); }}"
        return text

    def call(self):
        rng = self.rng
        name = 'g' if self.hands_on else 'f'
        arguments = [self.argument()]
        if self.has_second:
            place = self.rng.choice(PLACES['number'])
            if self.is_beside:
                place = 'w'
            arguments.append(rng.choice(('0', place, f"{place} = 0", f"{place} = 3 - {place}", f"{place}++ % 4")))
        return f"r = {name}({', '.join(arguments)})"

    def model(self):
        rng = self.rng
        number = lambda: rng.randint(0, 3)  # noqa: E731
        truth = lambda: rng.choice(('true', 'false'))  # noqa: E731
        decl = (f"int[0,1] u = {rng.choice((0, 0, 1))}, x; typedef struct {{ {NUMBER} e; bool f; }} S;"
                f" {NUMBER} w = {number()}, v = {number()}, r, q[2] = {{{number()}, {number()}}},"
                f" z[2] = {{{number()}, {number()}}}; bool b = {truth()}, c = {truth()};"
                f" S s = {{{number()}, {truth()}}}, t = {{{number()}, {truth()}}}; {self.functions()}")
        edges = [('A', 'B', {'assignment': self.call()})]
        if rng.random() < 0.6:
            edges.append(('A', 'A', {'select': 'i : int[0,1]', 'assignment': rng.choice(('u = i', 'u = i', 'x = i'))}))
        edges.append(('B', rng.choice('AB'), {'guard': 'x == 0', 'assignment': f"{self.call()}, x = 1"}))
        if rng.random() < 0.3:
            edges.append(('B', 'A', {'assignment': rng.choice(('w = 1', 'b = true', 'q[0] = 2', 's.e = 1'))}))
        if rng.random() < 0.5:
            edges.append(('B', 'C', {'guard': rng.choice(('r == 0', 'r > 1', 'r == w', 'w < 2'))}))
        order = ('select', 'guard', 'assignment')
        edges = [(*ends, {each: labels[each] for each in order if each in labels}) for *ends, labels in edges]
        return xml(decl, [('P', '', '', ['A', 'B', 'C'], edges)], 'system P;')

    def removals(self):
        return [['u'], [self.rng.choice(('w', 'v', 'b', 'c', 's', 'q', 'x', 'r'))]]


def load(path, binds_chosen):
    """A network that takes what may be either for a place, or for a value."""
    before, Compiler.binds_chosen = Compiler.binds_chosen, binds_chosen
    try:
        return load_network(path)
    finally:
        Compiler.binds_chosen = before


def look(path, binds_chosen):
    network = load(path, binds_chosen)
    return network, explore(network, MOST_STATES)


def is_alike(one, other):
    def graph(explored):
        return {state: sorted(target for _, target in explored.steps[number])
                for state, number in explored.states.items()}
    return one.error_count == other.error_count and graph(one) == graph(other)


def run(varabs, arguments, folder, timeout):
    return subprocess.run([varabs, *arguments], cwd=folder, timeout=timeout, capture_output=True, text=True,
                          check=False)


def judge_original(case, varabs, folder, timeout, ways):
    """(what is wrong or None, whether the model was refused)"""
    done = run(varabs, ['check', 'in.xml', '--full', '--json', 'check.json'], folder, timeout)
    alike = is_alike(ways[0][1], ways[1][1])
    if done.returncode == 4 and REFUSAL in done.stderr:
        return None if case.changes or case.has_second else 'refused, though nothing is changed', True
    if done.returncode not in (0, 1):
        return f"status {done.returncode}: {done.stderr}", False
    if not alike:
        return 'not refused, though it makes a difference what is passed', False
    with open(f"{folder}/check.json", encoding='utf-8') as file:
        found = json.load(file)['states']
    if found != len(ways[0][1].states):
        return f"{found} states, not {len(ways[0][1].states)}", False
    return None, False


def judge_removal(varabs, folder, timeout, ways, names, mode):
    """What is wrong with an output, or None."""
    removed = ','.join('.' + name for name in names)
    done = run(varabs, ['in.xml', f"--{mode}", '--remove', removed, '-o', 'out.xml', '--report', 'out.json'], folder,
               timeout)
    if done.returncode in (4, 5):
        return None
    if done.returncode:
        return f"--{mode} --remove {removed}: status {done.returncode}: {done.stderr}"
    again = run(varabs, ['info', 'out.xml'], folder, timeout)
    if again.returncode:
        return f"--{mode} --remove {removed}: its output is refused: {again.stderr}"
    with open(f"{folder}/out.json", encoding='utf-8') as file:
        report = json.load(file)
    judged = 'exact' if report['exact'] else mode
    for binds_chosen, (concrete, explored) in zip((True, False), ways):
        verdict = compare(concrete, explored, load(f"{folder}/out.xml", binds_chosen), names, judged, None, (),
                          'relies_on' in report)
        for kind, failure in verdict.failures.items():
            if kind != 'new-error':
                return f"--{mode} --remove {removed}: {judged}: {kind}: {failure.text}"
    return None


def judge(task):
    """(seed, outcome, message)"""
    varabs, seed, keep, timeout = os.path.abspath(task[0]), *task[1:4]
    case = Arguments(seed)
    text = case.model()
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/in.xml"
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)
        try:
            ways = [look(path, binds_chosen) for binds_chosen in (True, False)]
            wrong, is_refused = judge_original(case, varabs, folder, timeout, ways)
            for names in case.removals() if not is_refused else ():
                for mode in ('may', 'must'):
                    wrong = wrong or judge_removal(varabs, folder, timeout, ways, names, mode)
        except (Budget, subprocess.TimeoutExpired):
            return seed, 'large', ''
        except ModelError as error:
            wrong, is_refused = f"unusable: {error}", False
        if wrong:
            seeds.keep_models(keep, folder, seed)
            return seed, 'failed', wrong
    return seed, 'told apart' if is_refused else 'passed', ''


if __name__ == '__main__':
    seeds.main(judge, __doc__, 1 / 3)
