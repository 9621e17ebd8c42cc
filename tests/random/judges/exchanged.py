#!/usr/bin/env python3
"""Random test: values that are exchanged in models with queries about agents.

usage: exchanged.py --varabs PROGRAM --seeds A..B [--jobs N] [--keep DIR]

For every seed a network (gen_exchange.py) with formulas about what agents know and coalitions can
achieve. What `--auto` makes of it is explored here, and all its strategies are tried out. Each verdict
that is said to carry over must be that of the original, and `varabs check` must say the same. A seed
passes if values were exchanged and some verdict was said to carry over.
"""

import io
import json
import random
import subprocess
import tempfile
from generators.gen_exchange import Exchange
from judges import strategies
from judges.knowledge import FormulaGen, Observer, Problem, joined
from judges.knowledge_claims import is_excused, is_formula, run, tuples_of, values_of, with_queries
from judges.mixed import observes_of
from judges.mixed_strategies import MixedCase
from judges.strategies import Game, Large, StrategyJudge
from oracle.uppaal_parse import ModelError
from oracle.uppaal_query import Graph, parse_query
from oracle.uppaal_run import explore, load_network
from oracle.uppaal_runtime import Budget
from tools import seeds

MOST_STATES = 150
FORMULAS = 8
strategies.MOST_STRATEGIES = 400


class ExchangeCase(MixedCase):
    """One model with formulas; raises Budget."""

    def __init__(self, seed):
        rng = self.rng = random.Random(seed * 7368787 + 19)
        made = Exchange(rng)
        self.network = load_network(io.StringIO(made.text))
        self.explored = explore(self.network, MOST_STATES)
        self.graph = Graph(self.network, self.explored)
        observer, count = Observer(self.graph), len(self.graph.states)
        numbers = {p.name: n for n, p in enumerate(self.network.processes)}
        lines, agents = [], {}
        for name, way in made.seen_by.items():
            parts = [observer.local(numbers[name])]
            if way == 'enabled':
                parts.append(observer.enabled(numbers[name]))
            else:
                lines.append(f"observe {name}: {way};")
            if way.startswith('location'):
                places = self.network.processes[numbers[name]].locations
                parts = [values_of(self.graph, f"{name}.{place.name}", None) for place in places]
                parts += [values_of(self.graph, item, None) for item in way.split(', ')[1:]]
            agents[name] = joined(parts, count)
        for name, items in made.observed.items():
            lines.append(f"observe {name}: {', '.join(items)};")
            agents[name] = joined([values_of(self.graph, item, None) for item in items], count)
        lines.append('group all_of_them = {C, D};')
        self.set_agents(lines, agents)
        gen = FormulaGen(rng, self.network, self.graph, None)
        often = 0.5 * (seed % 2)    # without coalitions, exploring may show more
        self.formulas = [self.doubt(rng, made, gen) if rng.random() < often else
                         made.formula(gen.parsed, self.value_tree) for _ in range(FORMULAS)]
        self.formulas = [entry for entry in self.formulas if is_formula(entry[1])]
        self.text = with_queries(made.text, self.lines, [f for f, _ in self.formulas], True)

    def value_tree(self, text):
        return parse_query('sup: ' + text, self.network.model.names).values[0]


def agents_of(case, graph, text):
    """What agents observe of an output, by state."""
    written = observes_of(text)
    observer, agents = Observer(graph), {}
    names = [p.name for p in graph.network.processes]
    for name in case.agents:
        if name not in names:    # it is taken out
            continue
        number = names.index(name)
        items = written.get(name, ['enabled'])
        own = [observer.local(number)] * bool({'local', 'enabled'} & set(items))
        own += [observer.enabled(number)] * ('enabled' in items)
        rest = [item for item in items if item not in ('local', 'enabled')]
        own.append(tuples_of(graph, rest, name, case.members))
        agents[name] = joined(own, len(graph.states))
    return agents


def compare(case, folder, varabs, timeout, counts):
    report = json.load(open(f"{folder}/out.json", encoding='utf-8'))
    with open(f"{folder}/out.xml", encoding='utf-8') as file:
        text = file.read()
    network = load_network(io.StringIO(text))
    explored = explore(network, MOST_STATES * 2)
    graph = Graph(network, explored)
    output = StrategyJudge(graph, agents_of(case, graph, text), Game(graph, explored), case.minds)
    truth = StrategyJudge(case.graph, case.agents, Game(case.graph, case.explored), case.minds)
    excused = is_excused(report, case.explored)
    _, text, errors = run(varabs, ['check', 'out.xml', '--json', '-'], folder, timeout)
    if not text:
        return f"check of the output: {errors}", False
    checked = {q['formula']: q for q in json.loads(text)['queries']}
    rows = {row['formula']: row for row in report['guarantees']}
    is_exchanged, carried = bool(report.get('normalised')), False
    for formula, tree in case.formulas:
        row, found = rows.get(formula), checked.get(formula)
        if not row or not found or 'problem' in found:
            continue
        try:
            here, there = output.holds(tree)[0], truth.holds(tree)[0]
        except (Large, Problem, KeyError):
            continue
        word = 'satisfied' if here else 'violated'
        if found['verdict'] not in ('unknown', word):
            return f"check says {found['verdict']}, not {word}: {formula}", False
        kind = 'coalitions' if '<<' in formula or '[[' in formula else 'other'
        carries = row['kripke'][word]
        way = 'exchanged' if is_exchanged else 'same values'
        counts[f"{way}, {kind}: {'carries' if carries else 'does not carry'}"] += 1
        carried |= carries and is_exchanged
        if carries and here != there and not excused:
            return f"{word} in the output alone: {formula}", False
    counts['shown'] += 'shown' in report
    counts['states'] += len(case.graph.states) * is_exchanged
    counts['states of outputs'] += len(graph.states) * is_exchanged
    return None, carried


def judge_seed(varabs, seed, keep, timeout, counts):
    try:
        case = ExchangeCase(seed)
    except (Budget, Large, ModelError):
        return 'large', ''
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/in.xml", 'w', encoding='utf-8') as file:
            file.write(case.text)
        command = ['in.xml', '--auto', '--may', '-o', 'out.xml', '--report', 'out.json']
        try:
            status, _, errors = run(varabs, command, folder, timeout)
            if status:
                return 'refused' if status in (2, 4) else 'failed', f"status {status}: {errors}"
            wrong, carried = compare(case, folder, varabs, timeout, counts)
        except (Budget, Problem, subprocess.TimeoutExpired):
            return 'large', ''
        except ModelError as error:
            wrong, carried = f"{type(error).__name__}: {error}", False
        if wrong:
            seeds.keep_models(keep, folder, seed)
            return 'failed', f"{wrong}\n    {' '.join(command)}"
    return 'passed' if carried else 'nothing', ''


def judge(task):
    return seeds.counted(judge_seed, task)


if __name__ == '__main__':
    seeds.main(judge, __doc__, 0.2)
