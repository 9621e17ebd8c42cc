#!/usr/bin/env python3
"""Random test: whether names of agents still mean the same where processes
are told apart.

usage: renamed.py --varabs PROGRAM --seeds A..B [--jobs N] [--keep DIR]

For every seed a small network of agents, some of them a set, has a variable h
in each process of one template that is only written.  It is removed in some
of these processes, which so get a template and names of their own.  Formulas
about agents, groups, sets and quantified members of them are decided on the
original by plain fixpoints, with h out of sight of who has lost it; what
`varabs check` says of the output has to be the same.

For every third seed `--auto` chooses what goes, for a single formula. Then nobody who is named loses anything.
"""

import collections
import copy
import io
import json
import os
import random
import subprocess
import tempfile
from tools import seeds
from generators.small_models import xml
from judges.claims import is_excused
from generators.gen_fail import failing, is_failing
from generators.gen_knowledge import Atoms, Small
from judges.knowledge import FormulaGen, Judge, Problem, is_formula, make_agents
from judges.knowledge_claims import run, with_queries
from oracle.uppaal_query import Graph
from oracle.uppaal_run import explore, load_network
from oracle.uppaal_runtime import Budget

MOST_STATES = 120
FORMULAS = 8


class Members(Small):
    """Processes of one template, as a set or by names, and h in each."""

    def __init__(self, rng):
        super().__init__(rng)
        declarations, templates, _ = self.parts
        self.is_set = rng.random() < 0.7
        self.size = rng.choice([2, 3])
        templates = [templates[0], templates[1]]
        name, _, local, locations, edges = templates[0]
        values = [str(n) for n in range(3)] + ['n'] * 2
        edges = [(source, target, self.written(labels, rng.choice(values)))
                 for source, target, labels in edges]
        templates[0] = name, f"int[0,{self.size - 1}] n", f"{local} int[0,2] h;", \
            locations, edges
        self.names = [f"P({n})" for n in range(self.size)]
        system = 'system P, Q;' if rng.random() < 0.5 else 'system Q, P;'
        if not self.is_set:
            self.names = ['One', 'Two', 'Three'][:self.size]
            system = ''.join(f"{name} = P({n}); " for n, name in
                             enumerate(self.names))
            system += f"system {', '.join(self.names)}, Q;"
        self.text = xml(declarations, templates, system)

    def written(self, labels, value):
        """The labels of an edge that may write to h, too."""
        labels = dict(labels)
        if self.rng.random() < 0.7:
            labels['assignment'] = ', '.join(filter(None, [
                labels.get('assignment'), f"h = {value}"]))
        return labels

    def removal(self):
        """(names of processes, argument)"""
        some = sorted(self.rng.sample(range(self.size),
                                      self.rng.randint(1, self.size - 1)))
        names = [self.names[n] for n in some]
        if not self.is_set:
            return names, ','.join(f"{name}.h" for name in names)
        if some == list(range(some[0], some[-1] + 1)):
            return names, f"P({some[0]}..{some[-1]}).h"
        return names, f"P({';'.join(map(str, some))}).h"


class Visible(Atoms):
    """Nothing is said of h."""

    def places(self):
        return [p for p in super().places() if p < self.count or
                not self.network.slots[p - self.count].endswith('.h')]


class MemberGen(FormulaGen):
    """Formulas in which sets and quantified members of them are frequent."""

    size = 0    # of the set P; 0: there is none

    def quantified(self):
        """What some or all members know of themselves or of others."""
        rng = self.rng
        first = rng.randint(0, self.size - 1)
        op, join = rng.choice([('forall', '&&'), ('exists', '||')])
        word = rng.choice(['', 'not '])
        place = rng.choice('AB')
        own = rng.random() < 0.4
        inner = f"P(i).{place}" if own else self.atoms.predicate()
        whole = None
        for n in range(first, self.size):
            _, tree = self.parsed(f"P({n}).{place}" if own else inner)
            tree = 'K', [f"P({n})"], tree
            tree = ('not', tree) if word else tree
            whole = (join, whole, tree) if whole else tree
        text = f"{op} (i : int[{first},{self.size - 1}]) {word}K(P(i), {inner})"
        path = rng.choice(['A[]', 'E<>'])
        return f"{path} {text}", (path, whole)

    def whole(self):
        if self.size and self.rng.random() < 0.3:
            return self.quantified()
        return super().whole()


def looks_next(tree):
    """About the next state, which an abstraction need not keep."""
    return isinstance(tree, tuple) and (tree[0] in ('AX', 'EX') or
                                        any(looks_next(part) for part in tree))


class Case:
    """One model with formulas; raises Budget."""

    def __init__(self, seed):
        rng = random.Random(seed * 6291469 + 11)
        made = Members(rng)
        model, _ = failing(rng, made.text) if is_failing(seed) else (made.text, [])
        network = load_network(io.StringIO(model))
        explored = explore(network, MOST_STATES)
        graph = Graph(network, explored)
        self.explored = explored
        self.lost, argument = made.removal()
        self.options = ['--auto'] if seed % 3 == 0 else ['--remove', argument]
        count = FORMULAS if seed % 3 else 1
        if not seed % 3:
            self.lost = []
        atoms = Visible(rng, network, explored)
        nameable = {p.name: n for n, p in enumerate(network.processes)}
        before = rng.getstate()
        self.lines, _, _ = make_agents(rng, graph, atoms, nameable)
        rng.setstate(before)
        gen = MemberGen(rng, network, graph, atoms)
        _, gen.agents, gen.groups = make_agents(rng, self.without(graph),
                                                atoms, nameable)
        if made.is_set:
            gen.size = made.size
            gen.groups += [('P', made.names)] * 2
        self.formulas = []
        while len(self.formulas) < count:
            text, tree = gen.whole()
            if is_formula(tree) and not looks_next(tree) and len(text) < 900:
                self.formulas.append((text, tree))
        self.judge = Judge(graph, gen.agents)
        self.text = with_queries(model, self.lines,
                                 [text for text, _ in self.formulas], True)

    def without(self, graph):
        """The graph, but nobody sees what is removed."""
        network, view = graph.network, copy.copy(graph)
        gone = {len(network.processes) + n for n, slot in
                enumerate(network.slots)
                if slot in [f"{name}.h" for name in self.lost]}
        assert len(gone) == len(self.lost)
        view.states = [tuple(0 if place in gone else value for place, value
                             in enumerate(state)) for state in graph.states]
        return view

    def expected(self, tree):
        try:
            return 'satisfied' if self.judge.holds(tree)[0] else 'violated'
        except Problem:
            return None


def compare(case, folder, varabs, counts):
    """What is wrong, or None; raises Budget."""
    with open(f"{folder}/out.json", encoding='utf-8') as file:
        report = json.load(file)
    if is_excused(report, case.explored):
        return None
    if not report['exact']:
        return 'what is only written is not removed exactly'
    _, text, errors = run(varabs, ['check', 'out.xml', '--json', '-'], folder)
    if not text:
        return f"check of the output: {errors}"
    found = json.loads(text)['queries']
    counts['told apart'] += 'split' in report
    if len(found) != len(case.formulas):
        return 'a query is gone'
    for (text, tree), query in zip(case.formulas, found):
        if case.expected(tree) not in (None, query['verdict']):
            return f"{text} is {case.expected(tree)}, but {query['formula']} is " \
                f"{query['verdict']} in the output"
    return None


def judge(task):
    """(seed, outcome, message)"""
    varabs, seed, keep = os.path.abspath(task[0]), *task[1:3]
    counts = collections.Counter()
    outcome, message = judge_seed(varabs, seed, keep, counts)
    if os.environ.get('COUNTS'):
        with open(os.environ['COUNTS'], 'a', encoding='utf-8') as file:
            print(json.dumps({f"{'auto' if seed % 3 == 0 else 'named'} {key}": n
                              for key, n in counts.items()}), file=file)
    return seed, outcome, message


def judge_seed(varabs, seed, keep, counts):
    try:
        case = Case(seed)
    except Budget:
        return 'large', ''
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/in.xml", 'w', encoding='utf-8') as file:
            file.write(case.text)
        try:
            status, _, errors = run(varabs, [
                'in.xml', '--may', *case.options, '-o', 'out.xml',
                '--report', 'out.json'], folder)
            wrong = f"status {status}: {errors}" if status else \
                compare(case, folder, varabs, counts)
        except (Budget, subprocess.TimeoutExpired):
            return 'large', ''
        if wrong and keep:
            os.replace(f"{folder}/in.xml", os.path.join(keep, f"{seed}.xml"))
    if wrong:
        return 'failed', f"{wrong}\n    {' '.join(case.options)}"
    return 'passed', ''


if __name__ == '__main__':
    seeds.main(judge, __doc__, 1 / 3)
