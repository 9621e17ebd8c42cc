"""Are merges of data that are only handed on and compared what they say?

usage: judges/data.py [--varabs PROGRAM] [--seeds FIRST..LAST] [--jobs N]

Random models in which D data are chosen, handed on and compared, with constants and
with each other, merged to a few kinds.  Each is abstracted by --may and --must for a D
that is too large to go through.  Where the report says that the result is that for any
D from some number on, it is judged by the models for this number and the next ones: has
it all steps, only such as they have, and do the verdicts of its queries carry over?
Where there are two variables at most, they must carry over to the model for that D, too, and to each
that has another constant where the report says that it is no matter which.
"""

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

MOST_STATES = 20000
LARGE = 100


class Data:
    """A model for any D, and its merges."""

    def __init__(self, seed):
        rng = self.rng = random.Random(seed)
        self.this = rng.choice((1, 1, 2))
        self.compares = rng.random() < 0.35
        self.shared = ['x', 'y'][:rng.choice((1, 1, 2))]
        self.has_local = rng.random() < 0.6
        self.has_array = not self.compares and rng.random() < 0.2
        self.names = ['.' + name for name in self.shared]
        if self.has_local:
            self.names.append('P.v')
        if self.has_array:
            self.names += ['.a[0]', '.a[1]']
        self.merges, self.removed = [], []
        for number, name in enumerate(self.names):
            self.choose(number, name)
        if not self.merges:
            self.merges.append(self.merge(0, self.names[0]))
            self.removed = [n for n in self.removed if n != self.names[0]]
        self.templates = [self.template('P')]
        self.has_pair = rng.random() < 0.3
        if self.has_pair:
            self.templates.append(self.template('Q'))
        self.queries = [self.query() for _ in range(3)]
        self.types = {}
        more = random.Random(f'{seed} wide')
        if self.compares and len(self.shared) == 2 and more.random() < 0.6:
            self.widen(more)

    def widen(self, rng):
        """Lets one variable hold more than D values, and selects take some of these: they
        have to take such as the other may hold, too."""
        wide, other = rng.sample(self.shared, 2)
        self.types[wide] = 'wide_t'
        edges = self.templates[0][4]
        for _, _, labels in edges:
            for part in labels.get('assignment', '').split(', '):
                into, _, name = part.partition(' = ')
                if into == wide and len(name) == 1:
                    labels['select'] = labels.get('select', '').replace(
                        f"{name} : int[1,D]", f"{name} : int[3,D + 70]")
        place = self.templates[0][3][0]
        for name, first, last in ((wide, 3, 'D + 70'), (other, 1, 'D')):
            edges.append((place, place, {'select': f"d : int[{first},{last}]",
                                         'assignment': f"{name} = d"}))
        edges.append((place, place, {'guard': f"{wide} == {other} && {other} != 0 && "
                                              f"{other} != {self.this}",
                                     'assignment': 'met = true'}))
        self.queries.append('E<> met')

    def choose(self, number, name):
        if self.rng.random() < 0.85:
            self.merges.append(self.merge(number, name))
        else:
            self.removed.append(name)

    def merge(self, number, name):
        """As varabs reads it, and as the judge does."""
        owner, _, path = name.rpartition('.')
        if '[' in path:
            owner, path = '', name[1:]
        head = f"{owner + '.' if owner else ''}m{number}"
        if self.rng.random() < 0.25:
            return (f"{head}:int[0,1]={path} == {self.this}",) * 2
        return (f"{head}:int[0,2]={path} == 0 ? 0 : {path} == this ? 1 : 2",
                f"{head}:int[0,2]=({path} == {self.this}) + "
                f"({path} != 0) * ({path} != {self.this}) * 2")

    def data(self, local):
        places = list(self.shared) + (['v'] if local else [])
        if self.has_array:
            places += ['a[0]', 'a[1]', 'a[i]']
        return self.rng.choice(places)

    def labels(self, is_local):
        rng = self.rng
        selects, guards, updates = {}, [], []
        for _ in range(rng.choice((1, 1, 2))):
            into, kind = self.data(is_local), rng.randrange(8)
            if kind < 3:
                name = rng.choice(('d', 'd', 'e'))
                selects[name] = rng.choice(('int[1,D]', 'int[1,D]', 'data_t', 'int[0,2]'))
                updates.append(f"{into} = {name}")
                if rng.random() < 0.3:
                    guards.append(f"{name} {rng.choice(('==', '!=', '<=', '>'))} this")
            elif kind < 6:
                updates.append(f"{into} = {self.data(is_local)}")
            elif kind == 6:
                updates.append(f"{into} = {rng.choice(('0', 'this'))}")
            else:
                updates.append(f"{into} = {self.data(is_local)} == this ? this : "
                               f"{self.data(is_local)}")
        if rng.random() < 0.5:
            guards.append(f"{self.data(is_local)} {rng.choice(('==', '!=', '<', '>='))} "
                          f"{rng.choice(('this', '0', 'this', '2', '3'))}")
        if self.compares and rng.random() < 0.6:
            other = rng.choice([*selects, self.data(is_local)])
            what = rng.choice(('==', '!=', '==', '!=', '==', '!=', '<'))
            guards.append(f"{self.data(is_local)} {what} {other}")
        if self.compares and rng.random() < 0.15:
            guards.append(f"{rng.choice(('exists', 'forall'))}(k : data_t) k == 0 || "
                          f"k {rng.choice(('==', '!='))} {self.data(is_local)}")
        if rng.random() < 0.05:
            other = self.data(is_local)
            updates.append(f"{self.data(is_local)} = {other} > 0 ? {other} - 1 : {other}")
        if rng.random() < 0.04:
            guards.append(f"{self.data(is_local)} {rng.choice(('==', '!='))} D")
        if rng.random() < 0.03:
            updates.append(f"{self.data(is_local)} = D - {self.data(is_local)}")
        if any('a[i]' in text for text in guards + updates):
            selects['i'] = 'int[0,1]'
        if rng.random() < 0.5:
            updates.append(f"b = {rng.choice(('true', 'false', '!b'))}")
        if rng.random() < 0.2:
            guards.append(rng.choice(('b', '!b')))
        rng.shuffle(guards)
        found = {'select': ', '.join(f"{k} : {t}" for k, t in selects.items()),
                 'guard': ' && '.join(guards), 'assignment': ', '.join(updates)}
        return {kind: text for kind, text in found.items() if text}

    def template(self, name):
        rng = self.rng
        is_local = name == 'P' and self.has_local
        places = ['l', 'k'][:rng.choice((1, 2))]
        edges = []
        for _ in range(rng.choice((2, 3, 3))):
            labels = self.labels(is_local)
            if rng.random() < 0.25:
                labels['synchronisation'] = 'go' + ('!' if name == 'P' else '?')
            edges.append((rng.choice(places), rng.choice(places), labels))
        return name, '', 'data_t v;' if is_local else '', places, edges

    def place(self):
        name = self.rng.choice(self.names)
        return name if name.startswith('P.') else name[1:]

    def query(self):
        rng = self.rng
        ask = f"{self.place()} {rng.choice(('==', '!='))} {rng.choice(('this', '0'))}"
        if rng.random() < 0.3:
            ask = f"{self.place()} == {self.place()}"
        elif rng.random() < 0.3:
            ask = f"{self.place()} + 1 {rng.choice(('==', '!='))} {rng.choice((2, 3))}"
        return rng.choice(('E<> ', 'A[] ', 'A[] ')) + ask + rng.choice(
            ('', ' && b', ' || !b'))

    def model(self, size, this=None):
        decl = f"const int D = {size}; const int this = {self.this if this is None else this}; " \
            "typedef int[0,D] data_t; typedef int[0,D + 70] wide_t; " + ' '.join(
                f"{self.types.get(name, 'data_t')} {name};" for name in self.shared) + \
            ' bool b, met; chan go;'
        if self.has_array:
            decl += ' data_t a[2];'
        names = ', '.join(template[0] for template in self.templates)
        return xml(decl, self.templates, f"system {names};", self.queries)


def run(varabs, arguments, folder):
    done = subprocess.run([varabs, *arguments], cwd=folder, timeout=60,
                          capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def check(varabs, path, folder):
    """What `check` says, where runs end in states without steps."""
    run(varabs, ['check', path, '--full', '--semantics', 'kripke', '--json', 'check.json'],
        folder)
    with open(f"{folder}/check.json", encoding='utf-8') as file:
        return json.load(file)


def verdicts(varabs, path, folder):
    """{formula: verdict}"""
    return {entry['formula']: entry['verdict'] for entry in check(varabs, path, folder)['queries']}


def judge_queries(report, here, there):
    """Verdicts of the abstraction that are to carry over."""
    for entry in report['guarantees']:
        formula = new = entry['formula']
        for rewritten in report['rewritten_queries']:
            if rewritten['formula'] == formula:
                new = rewritten['rewritten']
        for verdict in ('satisfied', 'violated'):
            if entry['kripke'][verdict] and here[new] == verdict != there[formula]:
                return f"verdict: {verdict}: {formula}"
    return None


def judge_name(case, folder, varabs, report):
    """Verdicts that are to carry over whichever value a constant has."""
    states = check(varabs, 'large.xml', folder)['states']
    for entry in report['data']:
        named = entry.get('whichever', {'lower': case.this, 'upper': case.this})
        for value in {named['lower'], named['upper']} - {case.this}:
            with open(f"{folder}/named.xml", 'w', encoding='utf-8') as file:
                file.write(case.model(LARGE, value))
            if check(varabs, 'named.xml', folder)['states'] != states:
                return f"states: this = {value}"
            wrong = judge_queries(report, verdicts(varabs, 'out.xml', folder),
                                  verdicts(varabs, 'named.xml', folder))
            if wrong:
                return f"{wrong}: this = {value}"
    return None


def judge_mode(case, folder, varabs, mode):
    """(what is wrong or None, whether it was judged)"""
    arguments = ['large.xml', f"--{mode}", '-o', 'out.xml', '--report', 'out.json']
    for text, _ in case.merges:
        arguments += ['--merge', text]
    for name in case.removed:
        arguments += ['--remove', name]
    status, errors = run(varabs, arguments, folder)
    if status:
        return (None if status == 4 else f"status {status}: {errors}"), False
    with open(f"{folder}/out.json", encoding='utf-8') as file:
        report = json.load(file)
    entries = report.get('data', [])
    is_small = len(case.names) < 3
    if entries and is_small:
        wrong = judge_queries(report, verdicts(varabs, 'out.xml', folder),
                              verdicts(varabs, 'large.xml', folder))
        wrong = wrong and f"{wrong}: D = {LARGE}" or judge_name(case, folder, varabs, report)
        if wrong:
            return wrong, True
    if not entries or any('for_any' not in entry for entry in entries):
        return None, bool(entries) and is_small
    least = entries[0]['for_any']['at_least']
    abstract = load_network(f"{folder}/out.xml")
    names = [meant for _, meant in case.merges] + [n.lstrip('.') for n in case.removed]
    judged = 'exact' if report['exact'] else mode
    for size in range(least, min(least + 3, 8)):
        with open(f"{folder}/in.xml", 'w', encoding='utf-8') as file:
            file.write(case.model(size))
        concrete = load_network(f"{folder}/in.xml")
        explored = explore(concrete, MOST_STATES)
        verdict = compare(concrete, explored, abstract, names, judged, None, (),
                          judged == 'exact' and bool(report.get('relies_on')))
        for kind, failure in verdict.failures.items():
            return f"{kind}: D = {size}: {failure.text}", True
        wrong = judge_queries(report, verdicts(varabs, 'out.xml', folder),
                              verdicts(varabs, 'in.xml', folder))
        if wrong:
            return f"{wrong}: D = {size}", True
    return None, least < 8


def judge(task):
    """(seed, outcome, message)"""
    varabs, seed, keep = os.path.abspath(task[0]), *task[1:3]
    case = Data(seed)
    arguments = ' '.join([f"--merge '{text}'" for text, _ in case.merges]
                         + [f"--remove {name}" for name in case.removed])
    wrong, is_judged = None, False
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/large.xml", 'w', encoding='utf-8') as file:
            file.write(case.model(LARGE))
        try:
            for mode in ('may', 'must'):
                found, was_judged = judge_mode(case, folder, varabs, mode)
                wrong = wrong or found
                is_judged |= was_judged
        except (Budget, subprocess.TimeoutExpired):
            return seed, 'large', ''
        except ModelError as error:
            wrong = f"unusable: {error}"
        if wrong and keep:
            os.replace(f"{folder}/large.xml", os.path.join(keep, f"{seed}.xml"))
    if wrong:
        return seed, 'failed', f"{wrong}\n    {arguments}"
    return seed, 'passed' if is_judged else 'unsaid', ''


if __name__ == '__main__':
    seeds.main(judge, __doc__, 1 / 3)
