#!/usr/bin/env python3
"""Random test: abstractions for one coalition (--mixed --favour).

usage: favour.py --varabs PROGRAM --seeds A..B [--jobs N] [--keep DIR]

For every seed a network of players as for mixed_strategies.py, of which something is removed for one
of its coalitions. All strategies of the original and of the output are tried out here. What the output
is said to show of the original must be so there; and `varabs check` must say of the output what is
found here. A seed passes if some formula was judged.
"""

import io
import json
import re
import subprocess
import tempfile
from generators.gen_doubtful import Spurious
from judges.judge import Projection
from judges.knowledge import Problem
from judges.knowledge_claims import is_excused, run, tuples_of, with_queries
from judges.mixed import names_of, observes_of
from judges.mixed_strategies import MixedCase
from judges.strategies import Game, Large, StrategyJudge
from oracle.uppaal_parse import ModelError
from oracle.uppaal_query import Graph
from oracle.uppaal_run import explore, load_network
from oracle.uppaal_runtime import Budget
from tools import seeds

MOST_STATES = 180
FORMULAS = 10


def atoms_in(tree):
    if isinstance(tree, tuple) and tree and tree[0] == 'atom':
        yield tree
    elif isinstance(tree, (tuple, list)):
        for part in tree:
            yield from atoms_in(part)


class FavourCase(MixedCase):
    """The same model with formulas about staying, for one coalition."""

    def __init__(self, seed):
        super().__init__(seed)
        rng, self.names = self.rng, []
        atoms = [tree for _, tree in self.formulas for tree in atoms_in(tree)
                 if tree[1] != 'deadlock']
        taken = set()
        for name in rng.sample(sorted(self.agents), len(self.agents)):
            if taken.isdisjoint(self.minds[name]) and (not self.names or rng.random() < 0.4):
                self.names.append(name)
                taken |= set(self.minds[name])
        self.formulas = [self.staying(rng, atoms) for _ in range(FORMULAS) if atoms and self.names]
        text = re.sub(r'<queries>.*</queries>', '', self.text, flags=re.S)
        self.text = with_queries(text, [], [f for f, _ in self.formulas], True)

    def network_of(self, rng, seed):
        return Spurious(rng) if seed % 8 == 7 else super().network_of(rng, seed)

    def staying(self, rng, atoms):
        """(text, tree); some of other forms, or other coalitions, of which nothing may be said."""
        names = self.names if rng.random() < 0.9 else [rng.choice(sorted(self.agents))]
        modes = [mode for mode, often in (('Ir', 0.4), ('wait', 0.15), ('subjective', 0.05),
                                          ('active', 0.05)) if rng.random() < often]
        head = f"<<{', '.join(names)}{'; ' if modes else ''}{', '.join(modes)}>>"
        parts = []
        for _ in range(2):
            tree = rng.choice(atoms)
            text, two = f"({tree[1]})", rng.choice(atoms)
            if rng.random() < 0.4:
                text, tree = f"!{text}", ('not', tree)
            if rng.random() < 0.4:
                text, tree = f"({text} || ({two[1]}))", ('||', tree, two)
            parts.append((text, tree))
        op = rng.choice('GGGGWWRRFFF')
        if op in 'GF':
            return f"{head} {op} {parts[0][0]}", ('able', op, names, modes, False, parts[0][1])
        return f"{head} ({parts[0][0]} {op} {parts[1][0]})", \
            ('able', op, names, modes, False, parts[0][1], parts[1][1])


def judge_of_output(case, folder):
    """All strategies of the output, which begins like the original."""
    with open(f"{folder}/out.xml", encoding='utf-8') as file:
        text = file.read()
    network = load_network(io.StringIO(text))
    explored = explore(network, MOST_STATES)
    graph = Graph(network, explored)
    project = Projection(case.network, network, names_of(case.arguments))
    if graph.states[0] != project(case.graph.states[0]):
        raise ModelError("the initial states differ")
    observes = observes_of(text)
    agents = {name: tuples_of(graph, observes[name], name, case.members)
              for name in case.agents if name in observes}
    return StrategyJudge(graph, agents, Game(graph, explored), case.minds)


def compare(case, folder, varabs, timeout, counts):
    report = json.load(open(f"{folder}/out.json", encoding='utf-8'))
    if report.get('split') or report.get('references'):
        raise Budget("other names")
    output = judge_of_output(case, folder)
    truth = StrategyJudge(case.graph, case.agents, Game(case.graph, case.explored), case.minds)
    excused = is_excused(report, case.explored)
    _, text, errors = run(varabs, ['check', 'out.xml', '--json', '-'], folder, timeout)
    if not text:
        return f"check of the output: {errors}"
    checked = {q['formula']: q for q in json.loads(text)['queries']}
    rows = {row['formula']: row for row in report['guarantees']}
    for formula, tree in case.formulas:
        row, found = rows.get(formula), checked.get(formula)
        if row is None or 'names a removed' in row['reason'] or found is None or \
                'same synchronisation' in found.get('problem', ''):
            continue
        try:
            here, there = output.holds(tree)[0], truth.holds(tree)[0]
        except (Large, Problem, KeyError):
            continue
        if found['verdict'] not in ('unknown', 'satisfied' if here else 'violated'):
            return f"check says {found['verdict']}: {formula}"
        carries = row['kripke']['satisfied']
        way = 'exact ' if report['exact'] else ''
        counts[f"{way}{'claimed' if carries else 'not claimed'} {bool(here)} {bool(there)}"] += 1
        if carries and here and not there and not excused:
            return f"it is satisfied in the output alone: {formula}"
        if row['kripke']['violated'] and not here and there and not excused:
            return f"it is violated in the output alone: {formula}"
    return None


def judge_seed(varabs, seed, keep, timeout, counts):
    try:
        case = FavourCase(seed)
    except (Budget, Large, ModelError):
        return 'large', ''
    if not case.formulas or not case.arguments:
        return 'large', ''
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/in.xml", 'w', encoding='utf-8') as file:
            file.write(case.text)
        command = ['in.xml', '--mixed', '--favour', ','.join(case.names), *case.arguments,
                   '-o', 'out.xml', '--report', 'out.json']
        try:
            status, _, errors = run(varabs, command, folder, timeout)
            if status:
                return 'refused' if status in (2, 4) or 'not a scalar' in errors else 'failed', \
                    f"status {status}: {errors}"
            wrong = compare(case, folder, varabs, timeout, counts)
        except (Budget, Problem, subprocess.TimeoutExpired):
            return 'large', ''
        except ModelError as error:
            wrong = f"{type(error).__name__}: {error}"
        if wrong:
            seeds.keep_models(keep, folder, seed)
            return 'failed', f"{wrong}\n    {' '.join(command)}"
    return 'passed', ''


def judge(task):
    return seeds.counted(judge_seed, task)


if __name__ == '__main__':
    seeds.main(judge, __doc__, 0.3)
