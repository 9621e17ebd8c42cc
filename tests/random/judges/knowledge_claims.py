#!/usr/bin/env python3
"""Random test: what abstractions claim of queries about knowledge.

usage: knowledge_claims.py --varabs PROGRAM --seeds A..B [--jobs N] [--keep DIR]

For every seed a random model gets agents and random formulas (knowledge.py),
and something is removed; for every third seed it is a network that is made so
that agents lose sight of something (gen_sight.py).  What agents observe of the original is read from
the model, and what they observe of the abstraction from the report; both
are decided by plain fixpoints.  A verdict that is said to carry over must do
so, an agent must never see more than before, and no less if it is said to
have lost nothing; `varabs check` must say the same of the output.
"""

import argparse
import collections
import io
import json
import multiprocessing
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from xml.sax.saxutils import escape
from judges.claims import is_excused
from generators.gen_declared import WAYS, query, with_declarations, with_entries
from generators.gen_fail import failing, is_failing
from generators.gen_sight import Sight
from judges.knowledge import (FORMULAS, MOST_STATES, FormulaGen, Judge, Observer,
                              Problem, is_formula, joined, make_agents, question)
from oracle.uppaal_parse import ModelError
from oracle.uppaal_query import Graph, parse_query
from oracle.uppaal_run import explore, load_network
from oracle.uppaal_runtime import Budget
from tools import seeds


def with_queries(text, lines, formulas, in_declaration):
    """The model with declarations of agents, and formulas in comments."""
    way = 'global' if in_declaration else WAYS[len(text) % len(WAYS)]
    entries = [query('', f"varabs: {escape(f)}") for f in formulas]
    return with_entries(with_declarations(text, lines, way), entries)


def removals(rng, network):
    """Arguments that remove, rest or merge some slots."""
    count = len(network.processes)
    processes = {process.name for process in network.processes}
    names = [name for name in network.slots
             if name not in network.parameters and '[' not in name
             and name.rpartition('.')[0] in processes | {''}]
    shared = [name for name in names if '.' not in name]
    arguments = []
    for name in rng.sample(names, min(len(names), rng.randint(1, 2))):
        process = re.sub(r'\(.*\)', '', name).partition('.')[0]
        local = '.' in name
        whole = f"{process}.{name.rpartition('.')[2]}" if local else '.' + name
        owner = next((p for p in network.processes[:count]
                      if name.startswith(p.name + '.')), None)
        way = rng.random()
        if way < 0.25 and owner and owner.template.locations[-1].name:
            arguments += ['--remove', f"{whole}@"
                          f"{rng.choice(owner.template.locations).name}"]
        elif way < 0.45:
            short = whole.rpartition('.')[2]
            other = rng.choice(shared) if shared and not local else short
            arguments += ['--merge', f"{process + '.' if local else '.'}"
                          f"g_{len(arguments)}:int[0,1]="
                          f"{short} == {rng.choice([other, '0', '1'])}"]
        else:
            arguments += ['--remove', whole]
    return arguments


def values_of(graph, text, number):
    """By state: an item of what is observed; raises Problem."""
    if text == 'location':
        return [state[number] for state in graph.states]
    parts = [graph.evaluate(tree, False) for tree in
             parse_query('sup: ' + text, graph.network.model.names).values]
    if any(None in part for part in parts):
        raise Problem(text)
    return list(zip(*parts))


def tuples_of(graph, observes, agent, members):
    """By state: what an agent observes, from the texts of a report."""
    numbers = {p.name: i for i, p in enumerate(graph.network.processes)}
    parts = []
    for text in observes:
        for name in members.get(agent, [agent]) if text == 'location' \
                else [agent]:
            parts.append(values_of(graph, text, numbers.get(name, 0)))
    return [tuple(part[n] for part in parts)
            for n in range(len(graph.states))]


def is_function(source, target):
    """Whether equal items of the one list have equal ones of the other."""
    seen = {}
    return all(seen.setdefault(a, b) == b for a, b in zip(source, target))


def run(varabs, arguments, folder, timeout=60):
    """(exit status, output, messages)"""
    done = subprocess.run([varabs, *arguments], capture_output=True,
                          text=True, timeout=timeout, cwd=folder)
    return done.returncode, done.stdout, done.stderr


class Case:
    """One model with formulas, and its graph; raises Budget."""

    def __init__(self, seed):
        self.rng = rng = random.Random(seed * 6700417 + 2)
        self.members, self.formulas = {}, []
        self.fails = is_failing(seed)
        self.mode = rng.choice(['--may', '--may', '--must'])
        if seed % 3 == 0:
            self.ask_of_sight(Sight(rng))
        else:
            self.ask_anything(seed)
        self.is_plain = not any('@' in word or word == '--merge'
                                for word in self.arguments)

    def ask_of_sight(self, made, most_states=MOST_STATES):
        """What the network was made for."""
        text, _ = failing(self.rng, made.text) if self.fails else (made.text, [])
        self.network = load_network(io.StringIO(text))
        self.explored = explored = explore(self.network, most_states)
        self.graph = Graph(self.network, explored)
        gen = FormulaGen(self.rng, self.network, self.graph, None)
        observer, count = Observer(self.graph), len(self.graph.states)
        numbers = {p.name: n for n, p in enumerate(self.network.processes)}
        self.agents = {name: joined(
            [observer.local(numbers[name]) if item == 'local' else
             values_of(self.graph, item, None) for item in items], count)
            for name, items in made.observed.items()}
        self.mode, self.arguments = made.mode, made.arguments
        self.formulas = [made.formula(gen.parsed, self.value_tree)
                         for _ in range(FORMULAS)]
        self.text = with_queries(text, made.declared(),
                                 [f for f, _ in self.formulas], True)

    def value_tree(self, text):
        return parse_query('sup: ' + text, self.network.model.names).values[0]

    def ask_anything(self, seed):
        """Formulas of all kinds about models of all kinds."""
        rng = self.rng
        text, self.network, self.explored, self.graph, atoms, nameable = \
            question(rng, seed, self.fails)
        gen = FormulaGen(rng, self.network, self.graph, atoms)
        lines, gen.agents, gen.groups = make_agents(rng, self.graph, atoms,
                                                    nameable)
        self.agents = gen.agents
        if 'both_of_them' in self.agents:
            inner = re.search(r'both_of_them = \{(.*?)\}', lines[0])
            self.members['both_of_them'] = re.findall(r'\w+(?:\([^)]*\))?',
                                                      inner[1])
        while self.agents and len(self.formulas) < FORMULAS:
            formula, tree = gen.whole()
            if is_formula(tree) and len(formula) < 1000:
                self.formulas.append((formula, tree))
        self.text = with_queries(text, lines, [f for f, _ in self.formulas],
                                 rng.random() < 0.6)
        self.arguments = removals(rng, self.network)
        if rng.random() < 0.15:
            self.mode, self.arguments = '--may', ['--auto']
            if rng.random() < 0.5:    # another query is what values are for
                self.arguments += ['--query', 'A[] ' + atoms.predicate()]


def renamed(case, output, text):
    """What is observed of the output, in names of the original: copies of
    templates have other names for locations that have none themselves."""
    for ours in output.network.processes:
        process = next((p for p in case.graph.network.processes
                        if p.name == ours.name), ours)
        for number, _ in enumerate(process.locations):
            text = re.sub(
                rf"(?<!\w){re.escape(ours.name)}\."
                rf"{ours.location_name(number)}\b",
                f"{process.name}.{process.location_name(number)}", text)
    return text


def value_before(case, text):
    """An item of what is observed of the output as one of the original: what
    replaces others is their value, and what rests somewhere its first one."""
    count, first = len(case.network.processes), case.graph.states[0]

    def replaced(match):
        """What a variable is: its process, with a dot, and its name."""
        owner = match[1] or ''
        for word in case.arguments:
            head, _, value = word.partition('=')
            target, _, scope = head.partition('@')
            process, _, name = target.partition(':')[0].partition('.')
            if name != match[2] or process != owner.partition('(')[0].strip('.'):
                continue
            if value:
                return '(' + re.sub(r'[a-z]\w*', lambda m: owner + m[0] if
                                    owner + m[0] in case.network.slots
                                    else m[0], value) + ')'
            if scope:
                rest = int(first[count + case.network.slots.index(match[0])])
                there = ' || '.join(owner + place for place in scope.split(','))
                return f"({there} ? {rest} : {match[0]})"
        return match[0]
    return re.sub(r'(?<![\w.])(\w+(?:\([^)]*\))?\.)?([a-zA-Z_]\w*)\b(?![(.])',
                  replaced, text)


def wrong_view(case, output, entry):
    """What is wrong with what an agent is said to observe."""
    name = entry['agent']
    if name not in case.agents:
        return None
    before = case.agents[name]
    observed = [renamed(case, output, value_before(case, text))
                for text in entry['observes']]
    after = tuples_of(case.graph, observed, name, case.members)
    if not is_function(before, after):
        return f"{name} sees more than before"
    if not entry['lost'] and not is_function(after, before):
        return f"{name} has lost something"
    return None


def wrong_row(case, row, tree, output, checked, counts, is_excused):
    """What is wrong with what is claimed of a formula; nothing is claimed of
    a model with runtime errors where the report relies on there being none."""
    carry = row['kripke']
    if 'agents' not in row and not any(carry.values()):
        return None
    agents = {entry['agent']: tuples_of(output, entry['observes'],
                                        entry['agent'], case.members)
              for entry in row.get('agents', [])}
    try:
        here = Judge(output, agents).holds(tree)[0]
        before = Judge(case.graph, case.agents).holds(tree)[0]
    except Problem:
        return None
    except KeyError as name:
        return f"it does not say what {name} observes, so that it is open"
    word = 'satisfied' if here else 'violated'
    if checked is not None and checked != word:
        return f"it is {word} here, but check says {checked}"
    counts['known' if 'agents' in row else 'other'] += 1
    if not carry[word] or is_excused:
        return None
    counts['carried ' + word if 'agents' in row else 'other carried'] += 1
    return None if here == before else \
        f"{word} here is said to carry over, but is not so there"


def compare(case, folder, varabs, timeout, counts):
    """What is wrong, or None; raises Budget."""
    report = json.load(open(f"{folder}/out.json", encoding='utf-8'))
    with open(f"{folder}/out.xml", encoding='utf-8') as file:
        network = load_network(file)
    output = Graph(network, explore(network, MOST_STATES * 2))
    status, text, errors = run(varabs, ['check', 'out.xml', '--json', '-'],
                               folder, timeout)
    if not text:
        return f"check of the output: status {status}: {errors}"
    checked = {q['formula']: q['verdict']
               for q in json.loads(text)['queries']}
    rows = report['guarantees'][-len(case.formulas):]
    for row, (formula, tree) in zip(rows, case.formulas):
        wrong = None
        for entry in row.get('agents', []):
            wrong = wrong or wrong_view(case, output, entry)
        if 'names a removed' not in row['reason'] and \
                row['formula'] == formula and formula in checked:
            wrong = wrong or wrong_row(case, row, tree, output,
                                       checked[formula], counts,
                                       is_excused(report, case.explored))
        if wrong:
            return f"{wrong}: {formula}"
    return None


def judge(task):
    """(seed, outcome, message, counts)"""
    varabs, seed, keep, timeout = task
    counts = collections.Counter()
    try:
        case = Case(seed)
    except Budget:
        return seed, 'large', '', counts
    if not case.formulas or not case.arguments:
        return seed, 'large', '', counts
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/in.xml", 'w', encoding='utf-8') as file:
            file.write(case.text)
        command = ['in.xml', case.mode, '--drop-priorities', *case.arguments,
                   '-o', 'out.xml', '--report', 'out.json']
        if case.mode == '--must':
            command.remove('--drop-priorities')
        try:
            status, _, errors = run(varabs, command, folder, timeout)
            if status:
                is_refused = status in (2, 4) or 'not a scalar' in errors
                return seed, 'refused' if is_refused else 'failed', \
                    f"status {status}: {errors}", counts
            wrong = compare(case, folder, varabs, timeout, counts)
        except (Budget, subprocess.TimeoutExpired):
            return seed, 'large', '', counts
        except (ModelError, Problem) as error:
            wrong = f"{type(error).__name__}: {error}"
        if wrong and keep:
            shutil.move(f"{folder}/in.xml", os.path.join(keep, f"{seed}.xml"))
        if wrong:
            return seed, 'failed', f"{wrong}\n    {' '.join(command)}", counts
    return seed, 'passed', '', counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--varabs', required=True)
    parser.add_argument('--seeds', default='1..100')
    parser.add_argument('--jobs', type=int, default=1)
    parser.add_argument('--timeout', type=float, default=60,
                        help='seconds for one run; a slow one is left out')
    parser.add_argument('--keep', help='folder for models that fail')
    options = parser.parse_args()
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
    options.varabs = os.path.abspath(options.varabs)
    first, last = map(int, options.seeds.split('..'))
    outcomes, counts = collections.Counter(), collections.Counter()
    tasks = [(options.varabs, seed, options.keep, options.timeout)
             for seed in range(first, last + 1)]
    with multiprocessing.Pool(options.jobs) as pool:
        for seed, outcome, message, found in pool.imap(judge, tasks):
            outcomes[outcome] += 1
            counts += found
            if outcome == 'failed':
                print(f'seed {seed}: {message}')
    print(', '.join(f'{counts[key]} {key}' for key in sorted(counts)))
    print(', '.join(f'{outcomes[key]} {key}' for key in sorted(outcomes)))
    failed = outcomes['failed']
    if len(tasks) >= seeds.MANY and (outcomes['passed'] * 3 < len(tasks) or not counts['carried satisfied']
                                     or not counts['carried violated']):
        failed += 1
        print('seed 0: too few of the seeds passed, or one of the verdicts was never carried over')
    print(f"{outcomes['passed']} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == '__main__':
    main()
