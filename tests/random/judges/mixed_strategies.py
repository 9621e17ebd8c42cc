#!/usr/bin/env python3
"""Random test: what coalitions can bring about in mixed abstractions.

usage: mixed_strategies.py --varabs PROGRAM --seeds A..B [--jobs N] [--keep DIR]

For every seed a network of players (strategy_claims.py, gen_doubtful.py, gen_receivers.py), of
which something is removed with --mixed. All strategies of the original and of the output are tried out here. What holds for
certain in the output must be true in every reachable state of the original that looks so, and what may
not hold must be false in all of them; `varabs check` must give the verdicts that come of these values.
"""

import io
import json
import random
import re
from generators.gen_doubtful import Divided, Doubtful, Merged
from generators.gen_fail import failing, is_failing
from generators.gen_moves import Moves
from generators.gen_receivers import Receivers
from judges import played, strategies
from judges.judge import Projection
from judges.knowledge import BINARY, FormulaGen, Observer, Problem, joined
from judges.knowledge_claims import is_excused, run, tuples_of, values_of, with_queries
from judges.mixed import MERGED, declarations_of, judge_case, names_of, removed_words, where_lost
from judges.strategies import MODES, Game, Large, StrategyJudge
from judges.strategy_claims import Case, Written
from judges.three_values import MUST, strength_of_step
from judges.three_values_able import ThreeValuesAble
from oracle.uppaal_parse import ModelError
from oracle.uppaal_query import Graph
from oracle.uppaal_run import explore, load_network
from oracle.uppaal_runtime import Budget
from tools import seeds

MOST_STATES = 60
FORMULAS = 8
strategies.MOST_STRATEGIES = 400


class MixedCase(Case):
    """One model with formulas about what stays, and what is removed of it; raises Large, Budget."""

    def __init__(self, seed):
        rng = self.rng = random.Random(seed * 9301843 + 11)
        kind = seed % 4
        made = self.network_of(rng, seed)
        text, _ = failing(rng, made.text) if is_failing(seed) else (made.text, [])
        self.network = load_network(io.StringIO(text))
        self.explored = explore(self.network, MOST_STATES)
        self.graph = Graph(self.network, self.explored)
        self.is_directed, self.mode = kind == 0, '--mixed'
        if kind == 0:
            self.ask_of_moves(made)
        elif kind == 1:
            self.ask_anything(rng, made)
        else:
            self.ask_of_doubts(rng, made)
        self.mode = '--mixed'
        gone = re.compile(r'\b(deadlock|' + '|'.join(removed_words(self.arguments)) + r')\b')
        self.formulas = [entry for entry in self.formulas if not gone.search(entry[0])]
        self.text = with_queries(text, self.lines, [f for f, _ in self.formulas], True)

    def network_of(self, rng, seed):
        kind = seed % 4
        if seed > MERGED and kind > 1:
            return Merged(rng)
        return Moves(rng) if kind == 0 else Written(rng) if kind == 1 else \
            Receivers(rng) if seed % 16 == 15 else \
            Divided(rng) if seed % 16 == 11 else Doubtful(rng, kind == 2)

    def ask_of_doubts(self, rng, made):
        """Players are P and Q, who see little or all that they read; C and D look on."""
        observer, count = Observer(self.graph), len(self.graph.states)
        numbers = {p.name: n for n, p in enumerate(self.network.processes)}
        lines, agents = [], {}
        for name in 'PQ':
            parts = [observer.local(numbers[name])]
            way = rng.choice(['enabled', 'local', 'local, v', 'local, w'])
            if way == 'enabled':
                parts.append(observer.enabled(numbers[name]))
            else:
                lines.append(f"observe {name}: {way};")
                parts += [values_of(self.graph, item, None) for item in way.split(', ')[1:]]
            agents[name] = joined(parts, count)
        for name, items in made.observed.items():
            lines.append(f"observe {name}: {', '.join(items)};")
            agents[name] = joined([values_of(self.graph, item, None) for item in items], count)
        if rng.random() < 0.3:
            lines.insert(0, "agent both = {P, Q};")
            agents['both'] = joined([agents['P'], agents['Q']], count)
        self.set_agents(lines, agents)
        self.arguments = made.arguments
        gen = FormulaGen(rng, self.network, self.graph, None)
        self.formulas = [self.doubt(rng, made, gen) for _ in range(FORMULAS)]

    def doubt(self, rng, made, gen, depth=2):
        """(text, tree) of a formula with a coalition."""
        names = rng.choice([['P'], ['P'], ['Q'], ['P', 'Q']])
        if 'both' in self.agents and rng.random() < 0.3:
            names = ['both']
        modes = [mode for mode in MODES if rng.random() < 0.2]
        head = ', '.join(names) + ('; ' + ', '.join(modes) if modes else '')
        is_dual = rng.random() < 0.15
        head = f"[[{head}]]" if is_dual else f"<<{head}>>"
        parts = []
        for _ in range(2):
            way = rng.random()
            if depth > 1 and way < 0.2:
                parts.append(self.doubt(rng, made, gen, depth - 1))
            elif way < 0.35:
                name, (text, tree) = rng.choice('CD'), gen.parsed(rng.choice(made.predicates))
                text, tree = f"K({name}, {text})", ('K', [name], tree)
                parts.append((f"not {text}", ('not', tree)) if rng.random() < 0.5 else (text, tree))
            else:
                parts.append(gen.parsed(rng.choice(['', '!']) + f"({rng.choice(made.predicates)})"))
        if rng.random() < 0.75:
            op = rng.choice('XFFFGGG')
            text, tree = parts[0]
            return f"{head} {op} ({text})", ('able', op, names, modes, is_dual, tree)
        op = rng.choice(BINARY)
        return f"{head} ({parts[0][0]} {op} {parts[1][0]})", \
            ('able', op, names, modes, is_dual, parts[0][1], parts[1][1])


class Comparison:
    """One output, beside its original."""

    def __init__(self, case, folder):
        self.case = case
        with open(f"{folder}/out.xml", encoding='utf-8') as file:
            text = file.read()
        network = load_network(io.StringIO(text))
        self.explored = explore(network, MOST_STATES * 3)
        self.graph = Graph(network, self.explored)
        project = Projection(case.network, network, names_of(case.arguments))
        self.image = []
        for state in case.graph.states:
            if project(state) not in self.explored.states:
                raise ModelError(f"a state has no image: {case.network.show(state)}")
            self.image.append(self.explored.states[project(state)])
        observes, lost = declarations_of(text)
        agents = {name: tuples_of(self.graph, observes[name], name, case.members)
                  for name in case.agents if name in observes}
        self.values = ThreeValuesAble(self.graph, self.explored, agents, where_lost(self.graph, lost),
                                      case.minds, self.failing(text, network))
        self.truth = StrategyJudge(case.graph, case.agents, Game(case.graph, case.explored),
                                   case.minds)
        self.is_inexact = any(strength_of_step(parts) != MUST
                              for steps in self.explored.steps for parts, _ in steps)

    @staticmethod
    def failing(text, network):
        """The processes that may have moves in the original which are not in the output."""
        found = re.search(r'^//varabs: mixed, and moves fail of (.*)$', text, re.M)
        names = found[1].split(', ') if found else []
        return {number for number, process in enumerate(network.processes)
                if process.template.name in names}

    def wrong_values(self, tree):
        """What is wrong with the values of a formula, and the verdict that they give."""
        sure, perhaps = self.values.holds(tree)
        truth = self.truth.holds(tree)
        verdict = 'satisfied' if sure[0] else 'unknown' if perhaps[0] else 'violated'
        for n, m in enumerate(self.image):
            if sure[m] and not truth[n]:
                return f"it holds for certain in state {m}, and not in the original's {n}", verdict
            if not perhaps[m] and truth[n]:
                return f"it cannot hold in state {m}, and does in the original's {n}", verdict
        return None, verdict


def compare(case, folder, varabs, timeout, counts):
    """What is wrong, or None; raises Budget."""
    report = json.load(open(f"{folder}/out.json", encoding='utf-8'))
    if report.get('split') or report.get('references'):
        raise Budget("other names")
    output = Comparison(case, folder)
    excused = is_excused(report, case.explored)
    kept = {row['formula'] for row in report['guarantees']
            if 'names a removed' not in row['reason']}
    _, text, errors = run(varabs, ['check', 'out.xml', '--json', '-', '--jobs',
                                   str(1 + len(kept) % 2), '--concretize', 'in.xml'], folder, timeout)
    if not text:
        return f"check of the output: {errors}"
    checked = {q['formula']: q for q in json.loads(text)['queries']}
    for formula, tree in case.formulas:
        if formula not in kept:
            continue
        if formula not in checked:
            return f"it is not in the output: {formula}"
        try:
            wrong, verdict = output.wrong_values(tree)
        except (Large, Problem, KeyError):
            continue
        if wrong and not excused:
            return f"{wrong}: {formula}"
        found = checked[formula]
        if 'same synchronisation' in found.get('problem', ''):
            counts['refused'] += 1
            continue
        if found['verdict'] != verdict:
            return f"check says {found['verdict']}, not {verdict}: {formula}: {found}"
        wrong, said = played.why_not(found, tree, output.truth)
        counts[f"original: {said}"] += said != 'nothing'
        if wrong and not excused:
            return f"{wrong}: {formula}: {found}"
        counts[('inexact ' if output.is_inexact else 'exact ') + verdict] += 1
    return None


def judge_seed(varabs, seed, keep, timeout, counts):
    try:
        case = MixedCase(seed)
    except (Budget, Large, ModelError):
        return 'large', ''
    if not case.formulas or not case.arguments:
        return 'large', ''
    return judge_case(case, compare, varabs, seed, keep, timeout, counts)


def judge(task):
    return seeds.counted(judge_seed, task)


if __name__ == '__main__':
    seeds.main(judge, __doc__, 0.3)
