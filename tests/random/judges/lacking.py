#!/usr/bin/env python3
"""Random test: `varabs certify` of models that lack processes of the original.

usage: lacking.py --varabs PROGRAM --seeds A..B [--jobs N] [--keep DIR]

For every seed a network of without.py, and what is left of it without the processes that look on: as `--without`
leaves it, or, mostly where something depends on them, as it is when they are struck from the system line; and a copy
with a change or two. In each mode, with --stutter and without, the program has to say whether there is a simulation
as a plain fixpoint over pairs of states finds it, in which steps of those processes alone that are not seen
leave the other model where it is; whether there are such steps, and whether they may go on for ever. Verdicts that
it says carry over must be so in the original, of queries about what is left. Counterexamples are replayed. Sets of
states must say the same, or leave it to the other engine. A seed passes if models held and failed.
"""

import io
import json
import os
import random
import re
import tempfile
from judges.certify import Duel, MODES, MOVERS, Simulation, mutate, other_side, differing, replay_runs
from judges.knowledge_claims import run
from judges.replay import Replay, Wrong, need
from judges.without import Onlookers
from oracle.uppaal_parse import ModelError
from oracle.uppaal_query import Graph, decide, queries_of
from oracle.uppaal_run import explore, load_network
from oracle.uppaal_runtime import Budget
from tools import seeds

MOST_STATES = 150
WAYS = (['symbolic'], ['symbolic', '--shuffle', '7'], ['auto', '--first-look', '1'])  # to ask sets


class Lacking(Duel):
    """A pair of models, of which the abstract one lacks processes, and what was said of them."""

    def __init__(self, concrete, abstract, answer, is_stuttering):
        self.networks = {'concrete': concrete, 'abstract': abstract}
        self.answer, self.is_stuttering = answer, is_stuttering
        self.found = answer['counterexample']
        theirs = {p.name: p for p in abstract.processes}
        self.gone = {n for n, p in enumerate(concrete.processes) if p.name not in theirs}
        self.maps = {}
        for process in concrete.processes:
            if process.name in theirs:
                other = theirs[process.name]
                numbers = {other.location_name(i): i for i in range(len(other.locations))}
                self.maps[process.name] = {i: numbers[process.location_name(i)]
                                           for i in range(len(process.locations))}

    def visible(self, side, state):
        network = self.networks[side]
        places = {p.name: self.maps[p.name][at] if side == 'concrete' else at
                  for p, at in zip(network.processes, state) if p.name in self.maps}
        values = dict(zip(network.slots, state[len(network.processes):]))
        return places, [values.get(name) for name in self.answer['compared']]

    def is_silent(self, state, parts, target):
        """Of a step of the concrete model."""
        return bool(parts) and all(path.process in self.gone for path, _, _ in parts) and \
            self.visible('concrete', state) == self.visible('concrete', target)

    def ordinary(self, side, state):
        """Steps that the other side has to follow."""
        return [(parts, to) for parts, to in self.steps(side, state)
                if side == 'abstract' or not self.is_silent(state, parts, to)]

    def follow(self, mode):
        pairs = [{side: self.state(side, pair[side]) for side in pair} for pair in self.found['states']]
        for side, network in self.networks.items():
            need(pairs[0][side] == network.initial, f"{side} starts wrong")
        need(all(self.visible('concrete', pair['concrete']) == self.visible('abstract', pair['abstract'])
                 for pair in pairs), "pairs look different")
        need(len(self.found['steps']) + 1 == len(pairs), "numbers of steps")
        for i, step in enumerate(self.found['steps']):
            need(step['mover'] in MOVERS[mode], "the wrong model moves")
            silent = step.get('is_silent', False)
            need(not silent or step['mover'] == 'concrete' and step['abstract'] == []
                 and pairs[i]['abstract'] == pairs[i + 1]['abstract'], "the abstract model has to stay")
            for side in ('concrete',) if silent else self.networks:
                self.step(side, pairs[i][side], step[side], pairs[i + 1][side])
            if silent or step['mover'] == 'concrete':
                need(any(self.is_silent(pairs[i]['concrete'], parts, to) == silent
                         and to == pairs[i + 1]['concrete'] and self.matches(parts, step['concrete'])
                         for parts, to in self.steps('concrete', pairs[i]['concrete'])), "is the step silent?")
        return pairs

    def matches(self, parts, shown):
        replay = Replay.__new__(Replay)
        replay.network = self.networks['concrete']
        return replay.matches(parts, shown)

    def run(self, mode):
        last = self.found['unmatched']
        super().run(mode)
        if last and last['mover'] == 'concrete':
            pair = self.follow(mode)[-1]
            target = self.state('concrete', last['state'])
            need(any(to == target and self.matches(parts, last['step'])
                     for parts, to in self.ordinary('concrete', pair['concrete'])),
                 "the last step need not be followed")


class Stays(Simulation):
    """Pairs, where the abstract side stays for silent steps."""

    def needs_of(self, pair):
        duel, found = self.duel, []
        steps = {side: self.by_look(side, state) for side, state in zip(duel.networks, pair)}
        for side in self.movers:
            own = pair[side == 'abstract']
            for _, to in duel.ordinary(side, own):
                others = steps[other_side(side)].get(repr(duel.visible(side, to)), ())
                found.append([(to, other) if side == 'concrete' else (other, to) for other in others])
        if 'concrete' in self.movers:
            for parts, to in duel.steps('concrete', pair[0]):
                if duel.is_silent(pair[0], parts, to):
                    found.append([(to, pair[1])])
        return found


def may_diverge(next_states):
    """Whether steps, as a list of targets by state, have a circle."""
    left = {n: set(targets) for n, targets in enumerate(next_states)}
    while True:
        ends = {n for n, targets in left.items() if not targets & left.keys()}
        if not ends:
            return bool(left)
        for n in ends:
            del left[n]


class Case:
    """One pair of models."""

    def __init__(self, varabs, folder, timeout, counts, concrete, explored):
        self.varabs, self.folder, self.timeout, self.counts = varabs, folder, timeout, counts
        self.concrete, self.explored = concrete, explored
        self.graph = Graph(concrete, explored)
        self.seen = set()
        self.asked = 0

    def ask(self, path, mode, is_stuttering, predicates):
        """What is wrong, or None."""
        abstract = load_network(f"{self.folder}/{path}")
        states = explore(abstract, MOST_STATES)
        command = ['certify', 'in.xml', path, '--' + mode, '--json', '-'] + ['--stutter'] * is_stuttering
        status, output, errors = run(self.varabs, command, self.folder, self.timeout)
        shown = ' '.join(command) + '\n' + errors
        if status in (3, 4, 5) and path != 'out.xml':
            return None
        if status not in (0, 1):
            return f"status {status}: {shown}"
        answer = json.loads(output)
        wrong = self.ask_sets(command, answer, abstract)
        if wrong:
            return wrong
        duel = Lacking(self.concrete, abstract, answer, is_stuttering and mode != 'exact')
        starts = [duel.visible(side, network.initial) for side, network in duel.networks.items()]
        simulation = Stays(duel, mode)
        holds = starts[0] == starts[1] and simulation.is_good(False)
        self.counts[f"{mode}{' stutter' * is_stuttering} {holds}"] += 1
        if answer['holds'] != holds or status != (not holds):
            return f"holds is {answer['holds']}, judge: {holds}: {shown}"
        self.seen.add(holds)
        try:
            if not holds:
                duel.run(mode)
                return None
            time = answer['time']
            need(time['is_alike'] == simulation.is_good(True), "time")
            if not time['is_alike']:
                duel.run_time(mode, time['counterexample'])
        except Wrong as error:
            return f"counterexample: {error}: {shown}"
        return self.compare_silence(duel, answer) or \
            self.compare_claims(answer, Graph(abstract, states), predicates, shown)

    def ask_sets(self, command, answer, abstract):
        """What is wrong with what sets say, or None."""
        self.asked += 1
        command = command + ['--engine', *WAYS[self.asked % len(WAYS)]]
        status, output, errors = run(self.varabs, command, self.folder, self.timeout)
        if status in (4, 5):
            self.counts['no sets'] += 1
            return None
        shown = ' '.join(command) + '\n' + errors
        if status not in (0, 1):
            return f"sets: status {status}: {shown}"
        other = json.loads(output)
        self.counts[f"by {other['engine']} {other['holds']}"] += 1
        own = ['seconds', 'peak_bytes', 'engine']
        if '--must' in command:  # sets take all pairs, not only those that are chosen
            own += ['pairs', 'pairs_text']
        wrong = differing(answer, other, own)
        if wrong:
            return f"sets say something else, {', '.join(wrong)}: {shown}"
        try:
            replay_runs(Lacking(self.concrete, abstract, other, other['is_stuttering']), Stays)
        except Wrong as error:
            return f"counterexample of sets: {error}: {shown}"
        return None

    def compare_silence(self, duel, answer):
        states = list(self.explored.states)
        silent = [[self.explored.states[to] for parts, to in steps if duel.is_silent(state, parts, to)]
                  for state, steps in zip(states, self.explored.steps)]
        for key, value in (('own_steps', any(silent)), ('may_diverge', may_diverge(silent))):
            self.counts[f"{key} {value}"] += 1
            if answer['without'][key] != value:
                return f"{key} is {answer['without'][key]}"
        return None

    def compare_claims(self, answer, graph, predicates, shown):
        rows = {row['query']: row for row in answer['without']['carries_over']}
        for kind, row in rows.items():
            for p, q in predicates:
                text = f"{p} --> {q}" if kind == '-->' else f"{kind} {p}"
                for semantics in ['kripke'] + ['uppaal'] * answer['time']['is_alike']:
                    here, there = [{*decide(one, queries_of(one.network, [text])[0], semantics).verdicts}
                                   for one in (graph, self.graph)]
                    if len(here) != 1 or len(there) != 1 or 'unknown' in here | there:
                        continue
                    word = here.pop()
                    self.counts[f"{kind} {word} {'carries' if row[word] else '-'}"] += 1
                    self.counts[f"{kind} differs"] += {word} != there
                    if row[word] and {word} != there:
                        return f"{text} is {word}, and not so in the original, {semantics}: {shown}"
        return None


def strike(text, names):
    """A model without processes on its system line."""
    line = re.search(r'<system>\s*system ([^;]*);', text)
    kept = [name.strip() for name in line.group(1).split(',') if name.strip() not in names]
    return text[:line.start(1)] + ', '.join(kept) + text[line.end(1):]


def make(varabs, folder, made, rng, timeout):
    """Writes out.xml; whether that was possible."""
    if rng.random() < 0.5:
        status, _, _ = run(varabs, ['in.xml', '--may', '-o', 'out.xml', '--without', ','.join(made.onlookers)], folder,
                           timeout)
        if not status:
            return True
    with open(f"{folder}/out.xml", 'w', encoding='utf-8') as file:
        file.write(strike(made.text, made.onlookers))
    return True


def judge_seed(varabs, seed, keep, timeout, counts):
    rng = random.Random(seed * 7368787 + 11)
    made = Onlookers(rng)
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/in.xml", 'w', encoding='utf-8') as file:
            file.write(made.text)
        try:
            concrete = load_network(io.StringIO(made.text))
            case = Case(varabs, folder, timeout, counts, concrete, explore(concrete, MOST_STATES))
            make(varabs, folder, made, rng, timeout)
            predicates = [rng.sample(made.predicates, 2) for _ in range(3)]
            paths = ['out.xml'] + ['broken.xml'] * mutate(rng, f"{folder}/out.xml", f"{folder}/broken.xml")
            if os.path.exists(f"{folder}/out.json"):
                os.remove(f"{folder}/out.json")
            for path in paths:
                for mode in MODES:
                    wrong = case.ask(path, mode, rng.random() < 0.6, predicates)
                    if wrong:
                        seeds.keep_models(keep, folder, seed)
                        return 'failed', wrong
        except (Budget, ModelError, KeyError):
            return 'large', ''
    return 'passed' if len(case.seen) == 2 else 'nothing', ''


def judge(task):
    return seeds.counted(judge_seed, task)


if __name__ == '__main__':
    seeds.main(judge, __doc__, 0.15)
