#!/usr/bin/env python3
"""How much mixed abstractions leave unknown of formulas of all kinds.

usage: unknown.py VARABS FIRST LAST

Small random networks (2 to 4 processes of 2 to 3 locations, 1 to 3 variables of 2 to 3 values, channels, broadcast), of
which some variables are removed at random; observations at random; formulas of CTL, knowledge and
coalitions to the depth of 3 that name what stays. Prints the share of pairs of a formula and a reachable state in
which it is unknown whether the formula holds, and of formulas that are unknown in the initial state: of all, by
whether the abstraction is exact in its steps, and by what the formulas are about (K, S: knowledge,
strategies) and whether an agent of the formula has lost something that it observes, somewhere; and of those about
coalitions on abstractions that are not exact.
"""

import collections
import io
import os
import random
import re
import sys
import tempfile
from judges import mixed_strategies, strategies
from judges.knowledge import Atoms, FormulaGen, Problem, is_formula, make_agents
from judges.knowledge_claims import run, with_queries
from judges.mixed import declarations_of, removed_words
from judges.strategies import Large, Marked, StrategyGen
from judges.strategy_claims import Case
from oracle.uppaal_parse import ModelError
from oracle.uppaal_query import Graph
from oracle.uppaal_run import explore, load_network
from oracle.uppaal_runtime import Budget

FORMULAS, MOST_STATES = 12, 40
KNOWERS = {'K', 'Kw', 'GK', 'GCK', 'DK'}


class Asked(Case):
    """One network with formulas, and what is removed."""

    def __init__(self, seed):
        rng = random.Random(seed * 77777 + 5)
        made = Marked(rng)
        self.network = load_network(io.StringIO(made.text))
        self.explored = explore(self.network, MOST_STATES)
        self.graph = Graph(self.network, self.explored)
        atoms = Atoms(rng, self.network, self.explored)
        numbers = {p.name: i for i, p in enumerate(self.network.processes)}
        lines, agents, groups = make_agents(rng, self.graph, atoms, numbers)
        if not agents:
            raise Budget('no agents')
        self.set_agents(lines, agents)
        some = rng.sample(sorted(made.types), rng.randint(1, max(1, len(made.types) - 1)))
        self.arguments = [word for name in some for word in ('--remove', name)]
        gone = re.compile(r'\b(deadlock|' + '|'.join(removed_words(self.arguments)) + r')\b')
        kinds = [kind(rng, self.network, self.graph, atoms) for kind in (FormulaGen, StrategyGen)]
        for gen in kinds:
            gen.agents, gen.groups, gen.minds = agents, groups, self.minds
        asked = [kinds[i % 2].whole() for i in range(4 * FORMULAS)]
        self.formulas = [(text, tree) for text, tree in asked if is_formula(tree) and
                         len(text) < 600 and not gone.search(text)][:FORMULAS]
        self.text = with_queries(made.text, lines, [text for text, _ in self.formulas], True)


def words_of(tree):
    """Operators and agents in a formula."""
    if not isinstance(tree, (tuple, list)):
        return set(), set()
    words = {tree[0]} if tree and isinstance(tree[0], str) else set()
    agents = set(tree[1]) if words & KNOWERS else set(tree[2]) if words & {'able'} else set()
    for part in tree:
        more, others = words_of(part)
        words, agents = words | more, agents | others
    return words, agents


def measure(varabs, seed, counts):
    case = Asked(seed)
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/in.xml", 'w', encoding='utf-8') as file:
            file.write(case.text)
        if run(varabs, ['in.xml', '--mixed', *case.arguments, '-o', 'out.xml'], folder, 60)[0]:
            raise Budget('refused')
        output = mixed_strategies.Comparison(case, folder)
        with open(f"{folder}/out.xml", encoding='utf-8') as file:
            lost = set(declarations_of(file.read())[1])
    states = set(output.image)
    for _, tree in case.formulas:
        try:
            sure, perhaps = output.values.holds(tree)
        except (Large, Problem, KeyError):
            continue
        words, agents = words_of(tree)
        kind = 'K' * bool(words & KNOWERS) + 'S' * ('able' in words) or 'plain'
        kind += ', lost' if agents & lost else ''
        steps = 'inexact' if output.is_inexact else 'exact'
        keys = ['all', kind, steps, f"{steps}, {kind}"]
        if 'able' in words:
            keys.append(f"{steps}, all with S")
        for key in keys:
            counts[key, 'states'] += len(states)
            counts[key, 'open'] += sum(perhaps[n] and not sure[n] for n in states)
            counts[key, 'formulas'] += 1
            counts[key, 'unknown'] += perhaps[0] and not sure[0]


def main():
    varabs, first, last = sys.argv[1:]
    counts = collections.Counter()
    strategies.MOST_STRATEGIES, Marked.is_rich = 300, False
    for seed in range(int(first), int(last) + 1):
        try:
            measure(os.path.abspath(varabs), seed, counts)
        except (Budget, Large, ModelError, Problem):
            counts['skipped'] += 1
    for key in sorted({key[0] for key in counts if key != 'skipped'}):
        states, formulas = counts[key, 'states'], counts[key, 'formulas']
        print(f"{key}: unknown in {counts[key, 'open'] / states:.1%} of {states} states,"
              f" {counts[key, 'unknown'] / formulas:.1%} of {formulas} initial ones")
    print(f"{counts['skipped']} networks skipped")


if __name__ == '__main__':
    main()
