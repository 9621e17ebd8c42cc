#!/usr/bin/env python3
"""Random test: mixed abstractions, and what `varabs check` says of them.

usage: mixed.py --varabs PROGRAM --seeds A..B [--jobs N] [--keep DIR]

For every seed a random model with agents and formulas of CTL and knowledge (knowledge_claims.py), of
which something is removed with --mixed. The output is explored and its marks are read here
(three_values.py). Then what holds for certain must be true in every reachable state of the original
that looks so, and what may not hold must be false in all of them; the original agents must tell apart
what the abstract ones do, and the reverse where nothing is said to be lost. `varabs check` must give the
verdicts that come of these values. The share of what is left unknown is printed.
"""

import json
import os
import re
import subprocess
import tempfile
from generators.gen_doubtful import Divided, Doubtful, Merged, Scoped, Wide
from judges.judge import Projection
from judges.knowledge import (FORMULAS, MOST_STATES, FormulaGen, Judge, Problem, is_formula,
                              make_agents, question)
from judges.knowledge_claims import (Case, is_excused, is_function, removals, run, tuples_of,
                                     values_of, with_queries)
from judges.three_values import MUST, ThreeValues, is_either, strength_of_step
from oracle.uppaal_parse import ModelError
from oracle.uppaal_query import Graph
from oracle.uppaal_run import explore, load_network
from oracle.uppaal_runtime import Budget
from tools import seeds


def removed_words(arguments):
    """Names of variables that formulas are not to name: last parts of what is removed."""
    found = set()
    for option, word in zip(arguments[::2], arguments[1::2]):
        text = word.partition('=')[2] if option == '--merge' else word.partition('@')[0]
        found.update(re.findall(r'[A-Za-z_]\w*(?![\w.])', text))
    return found


def names_of(arguments):
    """The same for the projection of states."""
    return [word.replace(',', '+').lstrip('.') for word in arguments[1::2]]


MERGED = 3000000   # behind this seed, merges are made in some locations


class MixedCase(Case):
    """One model with formulas about what stays, and what is removed of it."""

    def ask_anything(self, seed):
        rng = self.rng
        if seed > MERGED:
            self.ask_of_sight(Merged(rng), MOST_STATES * 3)
            return
        if seed % 3 == 1:
            made = Wide(rng) if seed % 48 == 25 else Scoped(rng) if seed % 48 == 13 else \
                Divided(rng) if seed % 48 in (19, 34, 46) else Doubtful(rng, seed % 12 == 4)
            self.ask_of_sight(made, MOST_STATES * 3)
            return
        text, self.network, self.explored, self.graph, atoms, nameable = \
            question(rng, seed, self.fails)
        gen = FormulaGen(rng, self.network, self.graph, atoms)
        lines, gen.agents, gen.groups = make_agents(rng, self.graph, atoms, nameable)
        self.agents = gen.agents
        if 'both_of_them' in self.agents:
            inner = re.search(r'both_of_them = \{(.*?)\}', lines[0])
            self.members['both_of_them'] = re.findall(r'\w+(?:\([^)]*\))?', inner[1])
        self.arguments = removals(rng, self.network)
        gone = re.compile(r'\b(deadlock|' + '|'.join(removed_words(self.arguments)) + r')\b')
        for _ in range(FORMULAS * 20):
            if len(self.formulas) == FORMULAS or not self.agents:
                break
            if rng.random() < 0.3:
                atom, tree = gen.atom()
                op = rng.choice(['A[]', 'E<>', 'A<>', 'E[]'])
                formula, tree = f"{op} {atom}", (op, tree)
            else:
                formula, tree = gen.whole()
                if not is_formula(tree):
                    continue
            if len(formula) < 1000 and not gone.search(formula):
                self.formulas.append((formula, tree))
        self.text = with_queries(text, lines, [f for f, _ in self.formulas], rng.random() < 0.6)


def split_items(text):
    """The parts of a list, by commas outside of parentheses."""
    parts, depth = [''], 0
    for letter in text:
        depth += (letter in '([') - (letter in ')]')
        if letter == ',' and not depth:
            parts.append('')
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def observes_of(text):
    """{agent: items that it observes} of an output."""
    text = text.replace('&lt;', '<').replace('&gt;', '>').replace('&amp;', '&')
    return {name: [item for item in split_items(items) if item != 'nothing']
            for name, items in re.findall(r'//varabs: observe ([^:]*): (.*);', text)}


def declarations_of(text):
    """The same of a mixed model; and agents that have lost something, with what says where: one of
    these expressions holds, of which there are none for everywhere."""
    observes, lost = observes_of(text), {}
    for names, items in re.findall(r'//varabs: lost ([^:;]*)(?:: (.*))?;', text):
        lost.update({name: split_items(items) if items else [] for name in split_items(names)})
    if not re.search(r'^//varabs: mixed\b', text, re.M):
        raise ModelError("it does not say that it is mixed")
    return observes, lost


def where_lost(graph, lost):
    """{agent: by state, whether it has lost something there}"""
    places = {}
    for name, items in lost.items():
        values = [values_of(graph, item, None) for item in items]
        places[name] = [not items or any(value[n] != (0,) for value in values)
                        for n in range(len(graph.states))]
    return places


def agents_in(tree):
    """Those whose knowledge a formula is about."""
    if not isinstance(tree, (tuple, list)):
        return set()
    own = tree[1] if tree and tree[0] in ('K', 'Kw', 'GK', 'GCK', 'DK') else []
    return set(own).union(*map(agents_in, tree))


class Comparison:
    """One output, beside its original."""

    def __init__(self, case, folder):
        self.case = case
        with open(f"{folder}/out.xml", encoding='utf-8') as file:
            text = file.read()
        with open(f"{folder}/out.xml", encoding='utf-8') as file:
            network = load_network(file)
        self.explored = explore(network, MOST_STATES * 3)
        self.graph = Graph(network, self.explored)
        project = Projection(case.network, network, names_of(case.arguments))
        self.image, self.either = [], 0
        for state in case.graph.states:
            if project(state) not in self.explored.states:
                raise ModelError(f"a state has no image: {case.network.show(state)}")
            self.image.append(self.explored.states[project(state)])
        observes, lost = declarations_of(text)
        self.lost = where_lost(self.graph, lost)
        self.agents = {name: tuples_of(self.graph, observes[name], name, case.members)
                       for name in case.agents if name in observes}
        self.values = ThreeValues(self.graph, self.explored, self.agents, self.lost)
        self.is_inexact = any(strength_of_step(parts) != MUST
                              for steps in self.explored.steps for parts, _ in steps)

    def wrong_views(self):
        for name, seen in self.agents.items():
            before = self.case.agents[name]
            after = [seen[n] for n in self.image]
            if not is_function(before, after):
                return f"{name} sees more than before"
            lost = self.lost.get(name, [False] * len(seen))
            full = [place for place, n in enumerate(self.image) if not lost[n]]
            if not is_function([after[n] for n in full], [before[n] for n in full]):
                return f"{name} has lost something, and it is not said"
        return None

    def wrong_moves(self):
        """A process that is said to have a step of its own, in a state where it has none."""
        for n, m in enumerate(self.image):
            moving = {path.process for parts, _ in self.explored.steps[m]
                      for path, _, _ in parts if is_either(path.edges[0])}
            found = {parts[0][0].process for parts, _ in self.case.explored.steps[n]
                     if len(parts) == 1}
            self.either += bool(moving)
            if moving - found:
                return f"process {min(moving - found)} has no step in the original's state {n}"
        return None

    def wrong_states(self):
        """A state that is real but is not there in the original."""
        missing = self.values.real - set(self.image)
        return f"state {min(missing)} seems to be real" if missing else None

    def wrong_values(self, tree, counts):
        """What is wrong with the values of a formula, and the verdict that they give."""
        sure, perhaps = self.values.holds(tree)
        truth = Judge(self.case.graph, self.case.agents).holds(tree)
        verdict = 'satisfied' if sure[0] else 'unknown' if perhaps[0] else 'violated'
        knowing = agents_in(tree)
        kind = 'runs' if not knowing else \
            'knows with something lost' if knowing & set(self.lost) else 'knows with nothing lost'
        counts[f"{kind} {verdict}"] += self.is_inexact or bool(self.lost)
        for n, m in enumerate(self.image):
            counts['values'] += 1
            counts['values unknown'] += perhaps[m] and not sure[m]
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
    wrong = output.wrong_views()
    if not excused:
        wrong = wrong or output.wrong_states() or output.wrong_moves()
    counts['states with @either'] += output.either
    counts['models with @either'] += output.either > 0
    if wrong:
        return wrong
    kept = {row['formula']: row for row in report['guarantees']
            if 'names a removed' not in row['reason']}
    _, text, errors = run(varabs, ['check', 'out.xml', '--json', '-', '--jobs',
                                   str(1 + len(kept) % 2)], folder, timeout)
    if not text:
        return f"check of the output: {errors}"
    checked = {q['formula']: q for q in json.loads(text)['queries']}
    for formula, tree in case.formulas:
        if formula not in kept:
            continue
        if formula not in checked:
            return f"it is not in the output: {formula}"
        try:
            wrong, verdict = output.wrong_values(tree, counts)
        except Problem:
            continue
        if wrong and not excused:
            return f"{wrong}: {formula}"
        found = checked[formula]
        if found['verdict'] != verdict:
            return f"check says {found['verdict']}, not {verdict}: {formula}: {found}"
        if (verdict == 'unknown') != ('unknown_because' in found):
            return f"it is not said why it is unknown: {formula}"
    return None


def names_meta(case):
    """Whether a meta variable is removed, which is no part of a state for the program."""
    words = removed_words(case.arguments)
    return any(set(re.findall(r'\w+', line)) & words
               for line in re.findall(r'\bmeta\b[^;]*;', case.text))


def without_queries(case):
    """The text, where the formulas are to be given besides."""
    return re.sub(r'(<query><formula></formula><comment>varabs: )(?!agent |group |observe |/\* who sees)'
                  r'((?!</comment>).)*</comment></query>\n?', '', case.text, flags=re.S)


def judge_case(case, compare, varabs, seed, keep, timeout, counts):
    """Makes the mixed abstraction of the case, which compare judges."""
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/in.xml", 'w', encoding='utf-8') as file:
            file.write(without_queries(case) if seed % 6 == 5 else case.text)
        command = ['in.xml', '--mixed', *case.arguments, '-o', 'out.xml', '--report', 'out.json']
        if seed % 6 == 5:
            command += [word for formula, _ in case.formulas for word in ('--query', formula)]
        try:
            status, _, errors = run(varabs, command, folder, timeout)
            if status:
                is_refused = status in (2, 4) or 'not a scalar' in errors
                return 'refused' if is_refused else 'failed', f"status {status}: {errors}"
            wrong = compare(case, folder, varabs, timeout, counts)
        except (Budget, subprocess.TimeoutExpired):
            return 'large', ''
        except Problem:    # an observation of which fails in a state that only the output has
            return 'large', ''
        except ModelError as error:
            wrong = f"{type(error).__name__}: {error}"
        if wrong:
            seeds.keep_models(keep, folder, seed)
            return 'failed', f"{wrong}\n    {' '.join(command)}"
    return 'passed', ''


def judge_seed(varabs, seed, keep, timeout, counts):
    try:
        case = MixedCase(seed)
    except (Budget, ModelError):    # of an initial state that an invariant excludes
        return 'large', ''
    if not case.formulas or not case.arguments or names_meta(case):
        return 'large', ''
    return judge_case(case, compare, varabs, seed, keep, timeout, counts)


def judge(task):
    return seeds.counted(judge_seed, task)


if __name__ == '__main__':
    seeds.main(judge, __doc__, 0.3)
