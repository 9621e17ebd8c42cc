#!/usr/bin/env python3
"""Random test: what abstractions claim of queries about coalitions.

usage: strategy_claims.py --varabs PROGRAM --seeds A..B [--jobs N] [--keep DIR]

For every seed a small network of agents gets something that is mostly written
only, which is removed: so moves of players merge, lose selects, or become
possible where they were not, and players may observe less.  For every third
seed it is a network that is made so that this matters.  All strategies of
the original and of the abstraction are tried out by the oracle (strategies.py).
A verdict that is said to carry over must do so, and `varabs check` must say the
same of the output.  A seed passes if some verdict was said to carry over.
"""

import html
import io
import json
import os
import random
import re
import subprocess
import tempfile
from tools import seeds
from generators.small_models import xml
from judges.claims import is_excused
from generators.gen_fail import failing, is_failing
from generators.gen_knowledge import Atoms
from generators.gen_moves import Moves
from judges.knowledge import Observer, Problem, joined, make_agents
from judges.knowledge_claims import removals, run, tuples_of, with_queries, wrong_view
from judges import strategies
from judges.strategies import Game, Large, Marked, StrategyGen, StrategyJudge, minds_of
from oracle.uppaal_parse import ModelError
from oracle.uppaal_query import Graph, parse_query
from oracle.uppaal_run import explore, load_network
from oracle.uppaal_runtime import Budget

MOST_STATES = 45
FORMULAS = 8
strategies.MOST_STRATEGIES = 300    # of both models, so that many can be judged


class Written(Marked):
    """A network with a variable w that is mostly written only, and edges that
    differ in nothing else but where they are possible."""

    is_rich = False

    def __init__(self, rng):
        self.is_trap = rng.random() < 0.15
        self.is_array = self.is_trap or rng.random() < 0.1
        self.is_read = rng.random() < 0.4
        self.twins = []    # (template, target, variable)
        super().__init__(rng)
        declaration, templates, system = self.parts
        kind = 'int[0,1] w[2];' if self.is_array else 'int[0,2] w;'
        if self.is_trap:
            system = system.replace(';', ', Z;')
            kind += ' int[0,2] k = 2; chan e;'
            templates = [self.trapped(t) for t in templates] + [self.trap()]
        self.text = xml(f"{declaration}\n{kind}", templates, system)

    def trapped(self, template):
        """With an edge that nobody lets happen as long as its update fails."""
        *rest, locations, edges = template
        one, other = self.rng.sample(locations, 2)
        more = [('A', one[0], {'synchronisation': 'e!', 'assignment': 'w[k] = 0'}),
                ('A', other[0], {})]
        return (*rest, locations, edges + more * (self.rng.random() < 0.5))

    def trap(self):
        return 'Z', '', '', ['A', 'B'], [
            ('A', 'B', {'assignment': 'k = 0'}), ('B', 'B', {'synchronisation': 'e?'})]

    def assignment(self, labels):
        """To w: of a constant, a select, another variable."""
        rng, name = self.rng, self.rng.choice(sorted(self.types))
        if self.is_array:
            index = rng.choice(['0', '1'] if self.is_trap else [name, '0', '1'])
            return f"w[{index}] = {rng.randint(0, 1)}"
        if 'select' not in labels and rng.random() < 0.35:
            labels['select'] = f"i : int[0,{rng.randint(1, 2)}]"
            return 'w = i'
        return f"w = {rng.choice([name, '0', '1', '2'])}"

    def extend(self, labels):
        rng, labels = self.rng, dict(labels)
        if rng.random() < 0.6:
            more = self.assignment(labels)
            labels['assignment'] = ', '.join(filter(None, [
                labels.get('assignment'), more]))
        if self.is_read and rng.random() < 0.35 and not self.is_array:
            labels['guard'] = f"w {rng.choice(['==', '!='])} {rng.randint(0, 2)}"
        return labels

    def twin(self, name, locations):
        """Two edges that become one, and are not possible together."""
        target = self.rng.choice(locations[1:])[0]
        variable = self.rng.choice(sorted(self.types))
        self.twins.append((name, target, variable))
        place = 'w[0]' if self.is_array else 'w'
        return [('A', target, {'guard': f"{variable} == {value}",
                               'assignment': f"{place} = {value}"})
                for value in range(2)]

    def template(self, name):
        *rest, locations, edges = super().template(name)
        rng, found = self.rng, []
        rest.append(locations)
        if rng.random() < 0.3:
            found += self.twin(name, locations)
        for source, target, labels in edges:
            found.append((source, target, self.extend(labels)))
            if rng.random() < 0.45:
                other = {**labels, 'guard': self.guard(self.types)}
                found.append((source, target, self.extend(other)))
        order = 'select', 'guard', 'synchronisation', 'assignment', 'comments'
        return (*rest, [(source, target, {kind: labels[kind] for kind in order
                                          if kind in labels})
                        for source, target, labels in found])


class ClaimGen(StrategyGen):
    """Formulas of which about every other one asks where a player can go."""

    twins = []

    def of_twins(self):
        """Whether a player gets somewhere at the right time only."""
        template, target, variable = self.rng.choice(self.twins)
        names = [name for name, minds in self.minds.items() if any(
            self.network.processes[n].name.split('(')[0] == template
            for n in minds)]
        name = self.rng.choice(names)
        process = next(self.network.processes[n].name for n in self.minds[name]
                       if self.network.processes[n].name.split('(')[0] == template)
        text, tree = self.parsed(f"(!{process}.{target} || "
                                 f"{variable} == {self.rng.randint(0, 1)})")
        return f"<<{name}>> G {text}", ('able', 'G', [name], [], False, tree)

    def whole(self):
        rng = self.rng
        if rng.random() < 0.5:
            return super().whole()
        if self.twins and rng.random() < 0.5:
            return self.of_twins()
        name = rng.choice(sorted(self.agents))
        modes = ['Ir'] * (rng.random() < 0.4)
        process = self.network.processes[rng.choice(self.minds[name])]
        places = rng.sample(process.locations, min(2, len(process.locations)))
        text = ' || '.join(f"{process.name}.{place.name}"
                           for place in places[:rng.randint(1, 2)])
        text, op = rng.choice(['', '!']) + f"({text})", rng.choice('FG')
        if rng.random() < 0.5:    # at a time when it is right
            text += f" {'&&' if op == 'F' else '||'} {self.atoms.predicate()}"
        text, tree = self.parsed(f"({text})")
        head = f"<<{name}; Ir>>" if modes else f"<<{name}>>"
        return f"{head} {op} {text}", ('able', op, [name], modes, False, tree)


class Case:
    """One model with formulas, and its graph; raises Large, Budget."""

    def __init__(self, seed):
        rng = random.Random(seed * 8253729 + 7)
        made = Moves(rng) if seed % 3 == 0 else Written(rng)
        text, _ = failing(rng, made.text) if is_failing(seed) else (made.text, [])
        self.network = load_network(io.StringIO(text))
        self.explored = explore(self.network, MOST_STATES)
        self.graph = Graph(self.network, self.explored)
        self.mode = rng.choice(['--may', '--may', '--may', '--must'])
        self.is_directed = isinstance(made, Moves)
        if not self.is_directed:
            self.ask_anything(rng, made)
        else:
            self.ask_of_moves(made)
        self.text = with_queries(text, self.lines,
                                 [f for f, _ in self.formulas], True)
        self.is_plain = not any('@' in word or word == '--merge'
                                for word in self.arguments)

    def set_agents(self, lines, agents):
        self.lines, self.agents = lines, agents
        self.minds = minds_of(self.network, agents, lines)
        self.members = {name: [self.network.processes[n].name for n in minds]
                        for name, minds in self.minds.items()}

    def ask_of_moves(self, made):
        """What the network was made for."""
        observer, lines, agents = Observer(self.graph), [], {}
        for number, process in enumerate(self.network.processes):
            parts = [observer.local(number)]
            if process.name in made.local:
                lines.append(f"observe {process.name}: local;")
            else:
                parts.append(observer.enabled(number))
            agents[process.name] = joined(parts, len(self.graph.states))
        if made.joint:
            lines.insert(0, f"agent both = {{{', '.join(made.joint)}}};")
            agents['both'] = joined([agents[n] for n in made.joint],
                                    len(self.graph.states))
        self.set_agents(lines, agents)
        self.formulas, self.arguments = [], ['--remove', made.removed]
        for name, modes, op, text in (made.formula() for _ in range(FORMULAS)):
            head = f"<<{name}; {', '.join(modes)}>>" if modes else f"<<{name}>>"
            query = parse_query('E<> ' + text, self.network.model.names)
            self.formulas.append((f"{head} {op} ({text})", (
                'able', op, [name], modes, False,
                ('atom', text, query.predicates[0]))))

    def ask_anything(self, rng, written):
        """Formulas of all kinds; something is removed."""
        atoms = Atoms(rng, self.network, self.explored)
        numbers = {p.name: i for i, p in enumerate(self.network.processes)}
        lines, agents, groups = make_agents(rng, self.graph, atoms, numbers)
        self.set_agents(lines, agents)
        gen = ClaimGen(rng, self.network, self.graph, atoms)
        gen.agents, gen.groups, gen.minds = self.agents, groups, self.minds
        gen.twins = written.twins
        self.formulas = []
        for _ in range(3 * FORMULAS):
            text_of_formula, tree = gen.whole()
            if 'w' not in text_of_formula.split() and \
                    'w[' not in text_of_formula and len(text_of_formula) < 800:
                self.formulas.append((text_of_formula, tree))
        self.formulas = self.formulas[:FORMULAS]
        self.arguments = ['--remove', '.w'] if rng.random() < 0.8 \
            else removals(rng, self.network)
        if rng.random() < 0.1:
            self.mode, self.arguments = '--may', ['--auto']

    def judge(self, graph, explored, agents):
        return StrategyJudge(graph, agents, Game(graph, explored), self.minds)


def truth(judge, tree):
    """None if it is too much, or not defined."""
    try:
        return judge.holds(tree)[0]
    except (Large, Problem, KeyError):
        return None


def written_in(path):
    """{agent: items} of the observations that an output has written in it."""
    with open(path, encoding='utf-8') as file:
        lines = re.findall(r'^//varabs: observe ([^:]*): (.*);$',
                           html.unescape(file.read()), re.M)
    return {name: [text for text in re.split(r', (?![^()]*\))', items)
                   if text != 'nothing'] for name, items in lines}


def wrong_row(case, row, tree, output, explored, checked, written, is_excused):
    """(what is wrong with what is claimed of a formula, whether it was
    claimed); nothing is of a model with runtime errors where the report relies
    on there being none"""
    carry = row['kripke']
    if not any(carry.values()):
        return None, False
    agents = {name: tuples_of(output, texts, name, case.members)
              for name, texts in written.items()}
    for entry in row.get('agents', []):
        agents[entry['agent']] = tuples_of(output, entry['observes'],
                                           entry['agent'], case.members)
    here = truth(case.judge(output, explored, agents), tree)
    before = truth(case.judge(case.graph, case.explored, case.agents), tree)
    if here is None or before is None:
        return None, False
    word = 'satisfied' if here else 'violated'
    if checked not in (word, 'unknown'):
        return f"it is {word} here, but check says {checked}", False
    if is_excused:
        return None, False
    if carry[word] and here != before:
        return f"{word} here is said to carry over, but is not so there", True
    return None, carry[word]


def compare(case, folder, varabs):
    """(what is wrong, or None; how many verdicts carried over)"""
    with open(f"{folder}/out.json", encoding='utf-8') as file:
        report = json.load(file)
    with open(f"{folder}/out.xml", encoding='utf-8') as file:
        network = load_network(file)
    explored = explore(network, 2 * MOST_STATES)
    output = Graph(network, explored)
    status, text, errors = run(varabs, ['check', 'out.xml', '--json', '-'],
                               folder)
    if not text:
        return f"check of the output: status {status}: {errors}", 0
    checked = {q['formula']: q['verdict'] for q in json.loads(text)['queries']}
    written = written_in(f"{folder}/out.xml") if case.is_directed else {}
    rows = report['guarantees'][-len(case.formulas):]
    carried = 0
    for row, (formula, tree) in zip(rows, case.formulas):
        if row['formula'] != formula or formula not in checked:
            continue
        for entry in row.get('agents', []):
            wrong = wrong_view(case, output, entry)
            if wrong:
                return f"{wrong}: {formula}", carried
        wrong, is_claimed = wrong_row(case, row, tree, output, explored,
                                      checked[formula], written,
                                      is_excused(report, case.explored))
        if wrong:
            return f"claim: {wrong}: {formula}", carried
        carried += is_claimed and ('<<' in formula or '[[' in formula)
    return None, carried


def judge(task):
    """(seed, outcome, message)"""
    varabs, seed, keep = os.path.abspath(task[0]), *task[1:3]
    try:
        case = Case(seed)
    except (Budget, Large):
        return seed, 'large', ''
    if not case.formulas or not case.arguments:
        return seed, 'large', ''
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/in.xml", 'w', encoding='utf-8') as file:
            file.write(case.text)
        command = ['in.xml', case.mode, *case.arguments, '-o', 'out.xml',
                   '--report', 'out.json']
        try:
            status, _, errors = run(varabs, command, folder)
            if status:
                return seed, 'not made' if status in (2, 4) else 'failed', \
                    f"status {status}: {errors}"
            wrong, carried = compare(case, folder, varabs)
        except (Budget, subprocess.TimeoutExpired):
            return seed, 'large', ''
        except ModelError as error:
            wrong, carried = f"{type(error).__name__}: {error}", 0
        if wrong and keep:
            os.replace(f"{folder}/in.xml", os.path.join(keep, f"{seed}.xml"))
        if wrong:
            return seed, 'failed', f"{wrong}\n    {' '.join(command)}"
    return seed, 'passed' if carried else 'nothing', ''


if __name__ == '__main__':
    seeds.main(judge, __doc__, 1 / 10)
