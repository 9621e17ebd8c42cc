#!/usr/bin/env python3
"""Random test: what reports claim of operators in each other carries over.

usage: nested.py --varabs PROGRAM --seeds A..B [--jobs N] [--keep DIR]

For every seed a random model gets queries in which operators over runs stand in
each other, and variables are removed from it, sometimes by --auto. The oracle decides the queries by plain fixpoints in the original and in
the output; a verdict that is said to carry over must be that of the original. That is
done for the report as it is, for one that was handed the result of an
exploration (--checked), and for a may-abstraction with --stutter.
"""

import argparse
import collections
import html
import json
import multiprocessing
import os
import random
import re
import subprocess
import sys
import tempfile
import types
from judges.claims import is_excused
from generators.gen_fail import failing, is_failing
from generators.generate import generate, generate_waiting
from judges.knowledge import BINARY, Judge, Problem, is_formula
from judges.judge import removed_slots
from tools.limit import run_limited
from run import Case, choose_removals, command_of
from oracle.uppaal_parse import ModelError
from oracle.uppaal_query import Graph, parse_query
from oracle.uppaal_run import explore, load_network
from oracle.uppaal_runtime import Budget

MOST_STATES = 800
FORMULAS = 14
TIMEOUT = 20


class Formulas:
    """Random ones about what holds in some reachable state, but for some slots."""

    def __init__(self, rng, network, explored, hidden):
        self.rng, self.network = rng, network
        self.states = list(explored.states)
        self.shown = [number for number in range(len(network.slots))
                      if number not in hidden]

    def fact(self, state):
        """What a process or a slot is like in a state."""
        rng, network = self.rng, self.network
        if not self.shown or rng.random() < 0.4:
            number = rng.randrange(len(network.processes))
            process = network.processes[number]
            return f"{process.name}.{process.location_name(state[number])}"
        number = rng.choice(self.shown)
        return f"{network.slots[number]} {rng.choice(['==', '<=', '!='])}" \
            f" {state[len(network.processes) + number]}"

    def atom(self):
        rng = self.rng
        for _ in range(20):
            text = ' && '.join(self.fact(rng.choice(self.states))
                               for _ in range(rng.randint(1, 2)))
            if rng.random() < 0.04 and not self.network.has_priorities:
                text = 'deadlock'
            tree = in_network(('atom', text), self.network)
            if tree:
                return f"({text})", tree
        raise Budget("no atom")

    def formula(self, depth, paths):
        """With operators over all runs (A), or some (E), as far as an even
        number of negations is around them."""
        rng = self.rng
        way = rng.random()
        if depth == 0 or way < 0.1:
            return self.atom()
        if way < 0.25:
            turned = {'A': 'E', 'E': 'A'}.get(paths, paths)
            text, tree = self.formula(depth - 1, turned)
            return f"not ({text})", ('not', tree)
        path = rng.choice(paths)
        if way < 0.5:
            op = rng.choice(['&&', '||', 'imply', 'imply'])
            turned = {'A': 'E', 'E': 'A'}.get(paths, paths)
            a, left = self.formula(depth - 1, turned if op == 'imply' else paths)
            b, right = self.formula(depth - 1, paths)
            return f"(({a}) {op} ({b}))", (op, left, right)
        if way < 0.65:
            op = rng.choice(BINARY)
            (a, left), (b, right) = (self.formula(depth - 1, paths)
                                     for _ in range(2))
            return f"{path}(({a}) {op} ({b}))", (path + op, left, right)
        op = path + rng.choice(['X', '[]', '<>', '[]', '<>', '[]', '<>'])
        text, tree = self.formula(depth - 1, paths)
        return f"{op} ({text})", (op, tree)

    def condition(self, path):
        """Something about runs on one side of imply, as it is often asked."""
        rng = self.rng
        (a, left), (b, right) = self.atom(), self.atom()
        op = path + rng.choice(['[]', '<>'])
        if rng.random() < 0.5:
            b, right = f"{op} {b}", (op, right)
        else:
            a, left = f"{op} {a}", (op, left)
        return f"(({a}) imply ({b}))", ('imply', left, right)

    def some(self):
        """[(text, tree)]"""
        rng, found = self.rng, []
        for _ in range(40 * FORMULAS):
            paths = rng.choice(['A', 'E', 'AE'])
            text, tree = self.condition(paths[0]) if rng.random() < 0.3 \
                else self.formula(rng.randint(1, 3), paths)
            if is_formula(tree) and len(found) < FORMULAS:
                found.append((text, tree))
        return found


def in_network(tree, network):
    """The tree with atoms as the judge takes them; None if one has no meaning."""
    if tree[0] != 'atom':
        parts = [in_network(part, network) for part in tree[1:]]
        return None if None in parts else (tree[0], *parts)
    try:
        query = parse_query('E<> ' + tree[1], network.model.names)
    except ModelError:
        return None
    return 'atom', tree[1], query.predicates[0]


def with_queries(text, formulas):
    """The model with these queries, and no others."""
    queries = ''.join(f'<query><formula>{html.escape(formula, False)}'
                      '</formula></query>' for formula, _ in formulas)
    text = re.sub(r'<queries>.*</queries>', '', text, flags=re.DOTALL)
    return text.replace('</nta>', f'<queries>{queries}</queries></nta>')


def make(seed):
    """(rng, model, candidates, modes); two kinds of models in turn."""
    rng = random.Random(seed * 32452843 + 19)
    if seed % 4 == 0:
        text, names = generate(seed)
        modes = ['may', 'must', 'auto']
    else:
        text, names = generate_waiting(seed)
        modes = ['may', 'may', 'must']
    if text and is_failing(seed):
        text, more = failing(rng, text)
        names += more
    return rng, text, names, modes


def answers(path, formulas):
    """By formula: its verdict in a model, None if there is none."""
    network = load_network(path)
    judge = Judge(Graph(network, explore(network, MOST_STATES)), {})
    found = []
    for _, tree in formulas:
        tree = in_network(tree, network)
        try:
            found.append(tree and ('satisfied' if judge.holds(tree)[0]
                                   else 'violated'))
        except (Problem, ModelError):
            found.append(None)
    return found


class Trial:
    """One removal, and what is claimed of its output."""

    def __init__(self, varabs, folder, formulas, words, explored):
        self.varabs, self.folder, self.explored = varabs, folder, explored
        self.formulas, self.words = formulas, words
        self.confirmed = collections.Counter()
        self.original = answers(self.path('model.xml'), formulas)

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, *words):
        return run_limited([self.varabs, *words], TIMEOUT,
                           capture_output=True, text=True)

    def wrong(self, *more):
        """What is claimed wrongly, or None."""
        done = self.run(*self.words[1:], *more)
        if done.returncode in (4, 5):
            return None
        if done.returncode:
            return f"status {done.returncode}: {done.stderr}"
        with open(self.path('out.json'), encoding='utf-8') as file:
            report = json.load(file)
        if is_excused(report, self.explored):
            return None
        try:
            ours = answers(self.path('out.xml'), self.formulas)
        except Budget:
            return None
        claims = {claim['formula']: claim for claim in report['guarantees']}
        for (text, _), own, theirs in zip(self.formulas, ours, self.original):
            claim = claims.get(text)
            if claim is None:
                return f"nothing is said of {text}"
            if not own or not theirs or not claim['kripke'].get(own):
                continue
            if own != theirs:
                return f"{' '.join(more)}: {own} is claimed to carry over," \
                    f" but is {theirs}: {text}: {claim['reason']}"
            way = 'exact' if report['exact'] else ' '.join(more[:1])
            self.confirmed[f"{way or 'plain'} {own}"] += 1
        return None

    def all(self, mode):
        wrong = self.wrong()
        explored = self.path('model.xml' if mode == 'may' else 'out.xml')
        checked = self.path('checked.json')
        if wrong is None and os.path.exists(explored):
            self.run('check', explored, '--full', '--query', 'A[] true',
                     '--max-states', str(MOST_STATES), '--json', checked)
            wrong = self.wrong('--checked', checked)
        if wrong is None and mode == 'may':
            wrong = self.wrong('--stutter')
        return wrong


def try_all(varabs, seed, keep, folder, confirmed):
    """(outcome, message)"""
    rng, text, candidates, modes = make(seed)
    if text is None or not candidates:
        return 'large', ''
    path = os.path.join(folder, 'model.xml')
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)
    try:
        network = load_network(path)
        explored = explore(network, MOST_STATES)
    except Budget:
        return 'large', ''
    if len(explored.states) < 3:
        return 'large', ''
    for names in choose_removals(rng, candidates, 2):
        mode = rng.choice(modes)
        try:
            formulas = Formulas(rng, network, explored,
                                removed_slots(network, names)).some()
        except Budget:
            continue
        with open(path, 'w', encoding='utf-8') as file:
            file.write(with_queries(text, formulas))
        case = Case(seed, 0, [] if mode == 'auto' else names, mode, None)
        out = os.path.join(folder, 'out')
        words = command_of(types.SimpleNamespace(varabs=varabs, explore=False), path,
                           out + '.xml', out + '.json', case)
        if mode == 'may':
            words.append('--drop-priorities')
        trial = Trial(varabs, folder, formulas, words, explored)
        try:
            wrong = trial.all('may' if mode == 'auto' else mode)
        except subprocess.TimeoutExpired:
            return 'slow', ''
        except ModelError as error:
            wrong = f"unusable output: {error}"
        confirmed.update(trial.confirmed)
        if wrong:
            if keep:
                os.makedirs(keep, exist_ok=True)
                os.replace(path, os.path.join(keep, f'{seed}.xml'))
            return 'failed', f"{mode} {','.join(names)}: {wrong}"
    return 'passed', ''


def judge(task):
    """(seed, outcome, message, what was confirmed)"""
    varabs, seed, keep = task
    confirmed = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        return seed, *try_all(varabs, seed, keep, folder, confirmed), confirmed


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--varabs', required=True)
    parser.add_argument('--seeds', default='1..100')
    parser.add_argument('--jobs', type=int, default=1)
    parser.add_argument('--timeout', help='for the sake of others')
    parser.add_argument('--keep', help='folder for models that fail')
    options = parser.parse_args()
    first, last = map(int, options.seeds.split('..'))
    counts, confirmed = collections.Counter(), collections.Counter()
    tasks = [(os.path.abspath(options.varabs), seed, options.keep)
             for seed in range(first, last + 1)]
    with multiprocessing.Pool(options.jobs) as pool:
        for seed, outcome, message, own in pool.imap(judge, tasks):
            counts[outcome] += 1
            confirmed += own
            if outcome == 'failed':
                print(f'seed {seed}: claim: {message}')
    print(', '.join(f'{counts[key]} {key}' for key in sorted(counts)))
    print('confirmed:', ', '.join(f'{confirmed[key]} {key}'
                                  for key in sorted(confirmed)))
    # Something must have been claimed, else the test says nothing.
    failed = counts['failed'] + (sum(confirmed.values()) < counts['passed'])
    print(f"{counts['passed']} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == '__main__':
    main()
