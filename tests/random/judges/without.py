#!/usr/bin/env python3
"""Random test: processes that are taken out because nothing depends on them.

usage: without.py --varabs PROGRAM --seeds A..B [--jobs N] [--keep DIR]

For every seed a network of gen_exchange.py beside one or two processes that mostly look on, and sometimes
send, write what others read, keep others from moving, or never end. Every other seed has them taken out
by name, so that queries may lose verdicts, the others as far as none does, be it by --auto. What is said to carry
over must be so in the original: formulas with all strategies tried out, other queries by plain fixpoints. Where all is
to carry over it must be said of what is about runs and states alone, `varabs certify` must find the same, and
`varabs decide` must give the verdicts of the original. A seed passes if a process was taken out and some verdict was
said to carry over.
"""

import io
import json
import random
import re
import subprocess
import tempfile
from generators.gen_exchange import Exchange
from judges import strategies
from judges.exchanged import agents_of
from judges.knowledge import FormulaGen, Observer, Problem, joined
from judges.knowledge_claims import is_excused, run, values_of, with_queries
from judges.mixed_strategies import MixedCase
from judges.strategies import Game, Large, StrategyJudge
from oracle.uppaal_parse import ModelError
from oracle.uppaal_query import Graph, parse_query
from oracle.uppaal_run import explore, load_network
from oracle.uppaal_runtime import Budget
from tools import seeds

MOST_STATES = 250
strategies.MOST_STRATEGIES = 200


class Onlookers(Exchange):
    """Such a network; two processes Z and W that nobody asks about, with a broadcast channel a."""

    def __init__(self, rng):
        self.is_sure = rng.random() < 0.4
        super().__init__(rng)
        if self.is_sure:
            self.predicates = ['P.t', 'P.u', 'P.u', 'x == 3', 'P.s']
        self.onlookers = ['Z', 'W'][:rng.randint(1, 2)]
        text = ''.join(self.template(rng, name) for name in self.onlookers)
        names = ', '.join(self.onlookers)
        if rng.random() < 0.7 or self.is_sure:
            self.text = self.text.replace(' chan a;', ' broadcast chan a;')
        self.text = re.sub(r'(<system>\s*system )', lambda m: f"{text}{m.group()}{names}, ", self.text)
        self.text = self.text.replace('int[0,3] x, y, h;', 'int[0,3] x, y, h, z; chan w; broadcast chan b;')

    def edges(self, name, places):
        """Sometimes P gets on for certain, and meets what nobody asks about."""
        if not self.is_sure:
            return super().edges(name, places)
        guard = {'guard': self.rng.choice(['h < 3', 'h == 0', 'h > 0'])}
        chain = [('s', 't', {'assignment': 'x = 1'}), ('t', 'u', {'synchronisation': 'a!', 'assignment': 'x = 3'})]
        chain[0] = (*chain[0][:2], {**guard, **chain[0][2]}) if self.rng.random() < 0.4 else chain[0]
        return chain if name == 'P' else []

    def template(self, rng, name):
        places, edges = 'klm', []
        is_ending = rng.random() < 0.6
        for _ in range(rng.randint(1, 3)):
            ends = sorted(rng.sample(places, 2)) if is_ending else rng.choices(places, k=2)
            labels = {}
            if rng.random() < 0.4:
                labels['guard'] = rng.choice(['x > 1', 'y == 0', 'z < 2', 'x != y', '3 / z == 1'])
            way = rng.random()
            if way < 0.25:
                labels['synchronisation'] = 'a?'
            elif way < 0.4:
                labels['synchronisation'] = 'w' + ('!' if name == 'Z' else '?')
            elif way < 0.5:
                labels['synchronisation'] = 'b' + ('!' if name == 'Z' else '?')
            elif way < 0.52:
                labels['synchronisation'] = 'a!'
            if rng.random() < 0.4:
                labels['assignment'] = rng.choice(['x = 0', 'h = 3', 'h = 3'] if rng.random() < 0.15
                                                  else ['z = 1', 'z = x', 'z = 0'])
            edges.append((*ends, labels))
        order = 'guard', 'synchronisation', 'assignment'
        kinds = {'': 0.6, 'committed': 0.05, 'urgent': 0.05, 'invariant': 0.3}
        kind = rng.choices(list(kinds), kinds.values())[0]
        special = rng.choice('kkl')
        found = [f"<template><name>{name}</name>"]
        for place in places:
            found.append(f'<location id="{name}{place}"><name>{place}</name>')
            if kind == 'invariant' and place == special:
                found.append('<label kind="invariant">' + rng.choice(['x &lt; 3', 'x &lt; 1', 'z &lt; 1']) + '</label>')
            found.append(f"<{kind}/>" * (kind in ('committed', 'urgent') and place == special) + '</location>')
        found.append(f'<init ref="{name}k"/>')
        for source, target, labels in edges:
            found.append(f'<transition><source ref="{name}{source}"/><target ref="{name}{target}"/>')
            found += [f'<label kind="{one}">' + labels[one].replace('<', '&lt;').replace('>', '&gt;') +
                      '</label>' for one in order if one in labels]
            found.append('</transition>')
        return ''.join(found) + '</template>\n'


class WithoutCase(MixedCase):
    """One model with formulas and other queries; raises Budget."""

    def __init__(self, seed):
        rng = self.rng = random.Random(seed * 5915587 + 23)
        made = self.made = Onlookers(rng)
        self.network = load_network(io.StringIO(made.text))
        self.explored = explore(self.network, MOST_STATES)
        self.graph = Graph(self.network, self.explored)
        observer, count = Observer(self.graph), len(self.graph.states)
        numbers = {p.name: n for n, p in enumerate(self.network.processes)}
        lines, agents = [], {}
        for name in 'PQ':
            parts = [observer.local(numbers[name])]
            if made.seen_by[name] == 'enabled':
                parts.append(observer.enabled(numbers[name]))
            else:
                lines.append(f"observe {name}: local;")
            agents[name] = joined(parts, count)
        for name, items in made.observed.items():
            lines.append(f"observe {name}: {', '.join(items)};")
            agents[name] = joined([values_of(self.graph, item, None) for item in items], count)
        lines.append('group all_of_them = {C, D};')
        self.set_agents(lines, agents)
        gen = FormulaGen(rng, self.network, self.graph, None)
        ways = rng.sample(['able', 'knows', 'runs', 'reach', 'stuck'], 2)
        self.formulas = [self.query(rng, made, gen, rng.choice(ways)) for _ in range(6)]
        self.text = with_queries(made.text, self.lines, [f for f, _ in self.formulas], True)

    def value_tree(self, text):
        return parse_query('sup: ' + text, self.network.model.names).values[0]

    def query(self, rng, made, gen, way):
        """(text, tree)"""
        if way == 'able':
            return self.doubt(rng, made, gen)
        if way == 'knows':
            return made.formula(gen.parsed, self.value_tree)
        text, tree = gen.parsed(rng.choice(['', '!']) + f"({rng.choice(made.predicates)})")
        op = rng.choice({'runs': ['A<>', 'E[]'], 'reach': ['A[]', 'E<>'], 'stuck': ['A[]', 'E<>']}[way])
        if way == 'stuck':
            dead = 'deadlock', ('atom', 'deadlock', ('name', 'deadlock'))
            text, tree = rng.choice([
                (f"({text} imply {dead[0]})", ('imply', tree, dead[1])), dead,
                (f"({dead[0]} imply {text})", ('imply', dead[1], tree)),
                ("not deadlock", ('not', dead[1])), (f"({dead[0]} && {text})", ('&&', dead[1], tree))])
        return f"{op} {text}", (op, tree)


def compare(case, folder, varabs, timeout, counts):
    """(what is wrong, whether something was said)"""
    report = json.load(open(f"{folder}/out.json", encoding='utf-8'))
    with open(f"{folder}/out.xml", encoding='utf-8') as file:
        text = file.read()
    if 'without' not in report:
        counts['all stay'] += 1
        return None, False
    network = load_network(io.StringIO(text))
    explored = explore(network, MOST_STATES * 2)
    graph = Graph(network, explored)
    places = {process.name: number for number, process in enumerate(network.processes)}
    minds = {name: [places[one] for one in case.members[name]] for name in case.minds
             if places.keys() >= set(case.members[name])}
    output = StrategyJudge(graph, agents_of(case, graph, text), Game(graph, explored), minds)
    truth = StrategyJudge(case.graph, case.agents, Game(case.graph, case.explored), case.minds)
    excused = is_excused(report, case.explored)
    rows = {row['formula']: row for row in report['guarantees']}
    is_said = False
    for formula, tree in case.formulas:
        row = rows.get(formula)
        if not row:
            continue
        try:
            here, there = output.holds(tree)[0], truth.holds(tree)[0]
        except (Large, Problem, KeyError):
            continue
        word = 'satisfied' if here else 'violated'
        counts[f"{formula.split(' ')[0][:2]} {'carries' if row['kripke'][word] else '-'}"] += 1
        counts['differs'] += here != there
        is_said |= row['kripke'][word]
        if row['kripke'][word] and here != there and not excused:
            return f"{word} in the output alone: {formula}", False
    counts['states'] += len(case.graph.states)
    counts['states of outputs'] += len(graph.states)
    return None, is_said


def is_lost(case, folder):
    """A query that is said to have lost a verdict, though an exact output has all, or None."""
    with open(f"{folder}/out.json", encoding='utf-8') as file:
        report = json.load(file)
    if not report['exact'] or 'without' not in report or 'shown' in report or case.explored.error_count:
        return None
    for row in report['guarantees']:
        if not (row['kripke']['satisfied'] and row['kripke']['violated']) and not re.search(r'\bX|[AE]X', row['formula']):
            return f"it has lost a verdict: {row}"
    return None


def certify(folder, varabs, timeout, counts):
    """What is wrong with what is said of an exact output, or None."""
    with open(f"{folder}/out.json", encoding='utf-8') as file:
        report = json.load(file)
    if not report['exact'] or 'shown' in report:
        return None
    status, output, errors = run(varabs, ['certify', 'in.xml', 'out.xml', '--exact', '--stutter', '--json', '-'], folder,
                                 timeout)
    counts[f"certify {status}"] += 1
    if status in (4, 5):
        return None
    if status:
        return f"certify: status {status}: {errors}"
    answer = json.loads(output)
    for key in ('own_steps', 'may_diverge') if 'without' in report else ():
        if answer['without'][key] and not report['without'][key]:
            return f"certify finds {key}"
    return None


def decide(case, folder, varabs, timeout, counts):
    """What is wrong with verdicts on all queries together, and on one of them, or None."""
    one = case.rng.choice(case.formulas)
    truth = StrategyJudge(case.graph, case.agents, Game(case.graph, case.explored), case.minds)
    for asked in (case.formulas, [one]):
        command = ['decide', 'in.xml', '--json', '-', '--semantics', 'kripke'] + ['--no-look'] * case.rng.randint(0, 1)
        status, output, errors = run(varabs, command + (['--query', one[0]] if asked == [one] else []), folder, timeout)
        if not output:
            return f"decide: status {status}: {errors}"
        report = json.loads(output)
        counts['decided without' if 'without' in report else 'decided'] += 1
        excused = is_excused(report, case.explored)
        found = {row['formula']: row['verdict'] for row in report['queries']}
        for formula, tree in asked:
            try:
                wanted = truth.holds(tree)[0]
            except (Large, Problem, KeyError):
                continue
            verdict = found.get(formula, 'unknown')
            counts[f"decided {verdict}"] += 1
            if verdict != 'unknown' and (verdict == 'satisfied') != wanted and not excused:
                return f"decided {verdict}: {formula}: {command}"
    return None


def judge_seed(varabs, seed, keep, timeout, counts):
    try:
        case = WithoutCase(seed)
    except (Budget, Large, ModelError):
        return 'large', ''
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/in.xml", 'w', encoding='utf-8') as file:
            file.write(case.text)
        command = ['in.xml', '--may', '-o', 'out.xml', '--report', 'out.json']
        command += ['--without', ','.join(case.made.onlookers)] if seed % 2 else \
            ['--auto'] if seed % 4 else ['--without', '*']
        if seed % 8 > 5:
            command[1] = '--must'
        try:
            status, _, errors = run(varabs, command, folder, timeout)
            if status:
                return 'refused' if status in (2, 4) else 'failed', f"status {status}: {errors}"
            wrong, is_said = compare(case, folder, varabs, timeout, counts)
            if not wrong and seed % 2 == 0:
                wrong = is_lost(case, folder)
            if not wrong and seed % 4 == 2:
                wrong = certify(folder, varabs, timeout, counts)
            if not wrong and seed % 4 == 0:
                wrong = decide(case, folder, varabs, timeout, counts)
        except (Budget, Problem, subprocess.TimeoutExpired):
            return 'large', ''
        except ModelError as error:
            wrong, is_said = f"{type(error).__name__}: {error}", False
        if wrong:
            seeds.keep_models(keep, folder, seed)
            return 'failed', f"{wrong}\n    {' '.join(command)}"
    return 'passed' if is_said else 'nothing', ''


def judge(task):
    return seeds.counted(judge_seed, task)


if __name__ == '__main__':
    seeds.main(judge, __doc__, 0.15)
