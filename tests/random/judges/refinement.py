#!/usr/bin/env python3
"""Random test: pairs of models compared by their actions, against the oracle.

usage: refinement.py --varabs PROGRAM --seeds A..B [--jobs N] [--keep DIR]

For every seed a small random network and a variant of it, with edges dropped,
guards weakened, steps hidden or renamed, are explored by the oracle.  Whether
one refines the other is decided twice here: by words up to a length, as sets,
and by plain subset construction without any pruning.  `varabs refines` must
say the same of both directions, of traces and of failures, and its runs must
be shortest ones that the other model cannot follow.  Abstractions that varabs
makes of the model must refine, or be refined, as they promise.
"""

import html
import json
import os
import random
import subprocess
import tempfile
from tools import seeds
from generators.gen_fail import fail_in
from oracle.uppaal_parse import ModelError
from oracle.uppaal_run import explore, load_network
from oracle.uppaal_runtime import Budget, EvalError
from collections import deque

MOST_STATES = 300
MOST_SETS = 4000
WORDS = 7
TAGGED = 'act'


# --- models -----------------------------------------------------------------

class Edge:
    """One edge as texts by kind of label; with legs, one to a branchpoint that
    leads on to (target, labels) each."""

    def __init__(self, source, target, legs=(), **labels):
        self.source, self.target, self.labels = source, target, labels
        self.legs = legs


class Pair:
    """A random network: per process the number of locations and the edges."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        rng = self.rng
        self.binary = rng.random() < 0.3
        self.committed = {}
        self.processes = []
        for number in range(2 if self.binary else rng.choice((1, 1, 2))):
            count = rng.randint(1, 4)
            edges = [self.edge(number, count)
                     for _ in range(rng.randint(count, 2 * count + 2))]
            self.processes.append((count, edges))
            if rng.random() < 0.15:
                self.committed[number] = rng.randrange(count)
        more = random.Random(f'{seed} more')
        if more.random() < 0.3:
            for count, edges in self.processes:
                for edge in more.sample(edges, min(len(edges), 2)):
                    self.branch(edge, count, more)
        self.priorities = [self.priority(more) for _ in range(2)]

    def branch(self, edge, count, rng):
        """Lets an edge lead to a branchpoint; a tag may move to its legs."""
        tags = ['']
        if 'synchronisation' not in edge.labels and rng.random() < 0.6:
            edge.labels.pop('comments', None)
            tags += [f'@{TAGGED}(n)', f'@{TAGGED}(2)', '@other']
        legs = []
        for _ in range(2):
            found = {'assignment': rng.choice(('n = 2 - n', 'm = 1 - m', '')),
                     'comments': rng.choice(tags)}
            legs.append((rng.randrange(count),
                         {kind: text for kind, text in found.items() if text}))
        edge.legs = tuple(legs)

    def priority(self, rng):
        """Of channels, and between processes."""
        if rng.random() < 0.8:
            return '', ', '
        return rng.choice(('', 'chan priority a < default;',
                           'chan priority default < b, c;',
                           'chan priority b < a < default;')), \
            rng.choice((', ', ' < '))

    def edge(self, number, count):
        rng = self.rng
        edge = Edge(rng.randrange(count), rng.randrange(count))
        labels, way = edge.labels, rng.random()
        if way < 0.4:
            labels['synchronisation'] = rng.choice('ab') + '!'
        elif way < 0.65:
            index = rng.choice(('0', '1', 'n % 2', 'k'))
            if index == 'k':
                labels['select'] = 'k : int[0,1]'
            labels['synchronisation'] = f'c[{index}]!'
        elif way < 0.85:
            labels['comments'] = rng.choice(
                (f'@{TAGGED}(n)', f'see @{TAGGED}(n)', f'@{TAGGED}(1), well',
                 '@other'))
        if self.binary and number == 1 and 'synchronisation' in labels:
            labels['synchronisation'] = \
                labels['synchronisation'][:-1] + '?'
        elif not self.binary and number == 1 and rng.random() < 0.3 \
                and 'synchronisation' in labels:
            labels['synchronisation'] = labels['synchronisation'][:-1] + '?'
        if rng.random() < 0.4:
            labels['guard'] = rng.choice(
                ('n == 0', 'n != 1', 'n < 2', 'm == 1', 'm == n'))
        if rng.random() < 0.5:
            labels['assignment'] = rng.choice(
                ('n = (n + 1) % 3', 'm = 1 - m', 'n = 0', 'm = n % 2',
                 'n = 2 - n'))
        return edge

    def variant(self):
        """The same with changes, as texts."""
        rng, processes = self.rng, []
        for number, (count, edges) in enumerate(self.processes):
            changed = []
            for edge in edges:
                labels, way = dict(edge.labels), rng.random()
                if way < 0.08:
                    continue
                if way < 0.16:
                    labels.pop('guard', None)
                elif way < 0.2 and 'synchronisation' in labels:
                    labels['synchronisation'] = \
                        rng.choice('ab') + labels['synchronisation'][-1]
                elif way < 0.24:
                    labels.pop('synchronisation', None)
                elif way < 0.28:
                    labels['guard'] = 'n == 1'
                legs = edge.legs if 0.3 < way or way < 0.2 else ()
                changed.append(Edge(edge.source, edge.target, legs, **labels))
                if way > 0.93:
                    changed.append(Edge(edge.source, rng.randrange(count)))
            if rng.random() < 0.3:
                changed.append(self.edge(number, count))
            processes.append((count, changed))
        return processes

    def write(self, processes, path, priority):
        kind = 'chan' if self.binary else 'broadcast chan'
        order, between = priority
        write_network(
            path, f'{kind} a, b, c[2]; int[0,2] n; int[0,1] m;{order}',
            processes, self.committed, between)


ORDER = ('select', 'guard', 'synchronisation', 'assignment', 'probability',
         'comments')


def transition(source, target, labels):
    texts = ''.join(f'<label kind="{kind}">{html.escape(labels[kind])}</label>'
                    for kind in ORDER if kind in labels)
    return f'<transition><source ref="{source}"/><target ref="{target}"/>' \
        f'{texts}</transition>'


def write_network(path, declaration, processes, committed, between=', '):
    """Processes are (number of locations, edges); committed has the location
    that is so by the number of its process."""
    lines = [f'<nta><declaration>{html.escape(declaration)}</declaration>']
    for number, (count, edges) in enumerate(processes):
        lines.append(f'<template><name>P{number}</name>')
        for i in range(count):
            mark = '<committed/>' if committed.get(number) == i else ''
            lines.append(f'<location id="p{number}l{i}"><name>l{i}</name>'
                         f'{mark}</location>')
        lines += [f'<branchpoint id="p{number}b{i}"/>'
                  for i, edge in enumerate(edges) if edge.legs]
        lines.append(f'<init ref="p{number}l0"/>')
        place = f'p{number}l'
        for i, edge in enumerate(edges):
            target = f'p{number}b{i}' if edge.legs else place + str(edge.target)
            lines.append(transition(f'{place}{edge.source}', target,
                                    edge.labels))
            lines += [transition(target, place + str(end),
                                 {'probability': '1', **labels})
                      for end, labels in edge.legs]
        lines.append('</template>')
    names = between.join(f'P{i}' for i in range(len(processes)))
    lines.append(f'<system>system {html.escape(names)};</system></nta>')
    with open(path, 'w', encoding='utf-8') as file:
        file.write('\n'.join(lines) + '\n')


# --- the oracle -------------------------------------------------------------

def label_of(network, state, parts, visible):
    """What a step is called, or None: by the channel of the sender, or by the
    tag of an edge without channel, or of a leg."""
    path, _, channel = parts[0]
    if channel is not None and channel >= 0:
        name = network.channels[channel][0]
        base, _, rest = name.partition('[')
        if base not in visible:
            return None
        return base + (f"({rest[:-1].replace('][', ',')})" if rest else '')
    comment = ' '.join(edge.comments or '' for edge in path.edges)
    if '@' + TAGGED not in comment or TAGGED not in visible:
        return None
    value = comment.split(f'@{TAGGED}(')[1].split(')')[0]
    if value == 'n':
        place = len(network.processes) + list(network.slots).index('n')
        value = state[place]
    return f'{TAGGED}({value})'


class System:
    """Labelled steps: by state a list of (label or None, target); what fails is
    none."""

    def __init__(self, path, visible):
        network = load_network(path)
        found = explore(network, MOST_STATES)
        self.fails = found.error_count > 0
        self.next = []
        for state, steps in zip(found.states, found.steps):
            self.next.append([(label_of(network, state, parts, visible),
                               found.states[target])
                              for parts, target in steps])

    def close(self, states):
        """With what hidden steps lead to."""
        found, queue = set(states), list(states)
        while queue:
            for label, target in self.next[queue.pop()]:
                if label is None and target not in found:
                    found.add(target)
                    queue.append(target)
        return frozenset(found)

    def after(self, states, label):
        return self.close({target for state in states
                           for name, target in self.next[state]
                           if name == label})

    def words(self, length):
        """All traces up to a length."""
        layer, found = {(): self.close({0})}, {()}
        for _ in range(length):
            later = {}
            for word, states in layer.items():
                for label in {name for state in states
                              for name, _ in self.next[state] if name}:
                    later[word + (label,)] = self.after(states, label)
            found |= set(later)
            layer = later
            if len(found) > 20000:
                raise Budget('too many words')
        return found

    def offers(self, state):
        return {name for name, _ in self.next[state] if name}

    def is_stable(self, state):
        return all(name for name, _ in self.next[state])


def decide(concrete, abstract, has_failures):
    """(refines, length of a shortest run that shows otherwise)."""
    start = (0, abstract.close({0}))
    depth, queue = {start: 0}, deque([start])
    while queue:
        node = queue.popleft()
        state, states = node
        if has_failures and concrete.is_stable(state) and not any(
                abstract.is_stable(other)
                and abstract.offers(other) <= concrete.offers(state)
                for other in states):
            return False, depth[node]
        for label, target in concrete.next[state]:
            after = states if label is None else abstract.after(states, label)
            if not after:
                # a refusal found at this depth would be shorter
                if has_failures:
                    return False, None
                return False, depth[node] + 1
            if (target, after) not in depth:
                depth[target, after] = depth[node] + 1
                queue.append((target, after))
                if len(depth) > MOST_SETS:
                    raise Budget('too many sets')
    return True, None


def states_behind(concrete, abstract):
    """How many concrete states there are behind what is blocked."""
    start = (0, abstract.close({0}))
    seen, queue = {start}, [start]
    while queue:
        state, states = queue.pop()
        for label, target in concrete.next[state]:
            after = states if label is None or not states else \
                abstract.after(states, label)
            if (target, after) not in seen:
                seen.add((target, after))
                queue.append((target, after))
                if len(seen) > MOST_SETS:
                    raise Budget('too many sets')
    return len({state for state, states in seen if not states})


# --- varabs -----------------------------------------------------------------

def run(varabs, *arguments):
    done = subprocess.run([varabs, *arguments], timeout=120, check=False,
                          stdin=subprocess.DEVNULL, capture_output=True,
                          encoding='utf-8')
    return done.returncode, done.stdout, done.stderr


def wrong_run(counter, concrete, abstract, length):
    """What is wrong with a counterexample of traces, or nothing."""
    states, here = abstract.close({0}), {0}
    for i, step in enumerate(counter['steps']):
        here = {target for state in here
                for name, target in concrete.next[state]
                if name == step['action']}
        if not here:
            return f'step {i} is none of the concrete model'
        if not states:
            return 'it goes on behind what is blocked'
        if counter['abstract_counts'][i] != len(states):
            return f'{len(states)} abstract states before step {i}'
        if step['action'] is not None:
            states = abstract.after(states, step['action'])
    if states:
        return 'the abstract model can follow it'
    if len(counter['steps']) != length:
        return f"{len(counter['steps'])} steps, but {length} are enough"
    return None


def compare(varabs, paths, systems, visible, has_failures, is_full):
    """What is wrong about one direction, or nothing."""
    concrete, abstract = systems
    expected, length = decide(concrete, abstract, has_failures)
    if not has_failures:
        words = concrete.words(WORDS) <= abstract.words(WORDS)
        if not words and expected or \
                words and not expected and length <= WORDS:
            return 'the oracle contradicts itself'
    extra = ['--model', 'failures'] if has_failures else []
    extra += ['--full'] if is_full else []
    status, text, messages = run(varabs, 'refines', *paths, '--visible',
                                 ','.join(visible), '--json', '-', *extra)
    if status not in (0, 1):
        return f'status {status}: {messages}'
    result = json.loads(text)
    if result['refines'] != expected:
        return f"{' '.join(extra)} {result['refines']}, not {expected}"
    behind = result['product']['behind_error']
    if is_full and behind != states_behind(concrete, abstract):
        return f'{behind} nodes behind what is blocked'
    counter = result['counterexample']
    if expected != (counter is None):
        return 'a counterexample where there is none, or none'
    if counter and counter['kind'] == 'blocked' and not has_failures:
        return wrong_run(counter, concrete, abstract, length)
    plain = all(abstract.is_stable(state)
                and len(abstract.next[state]) ==
                len({name for name, _ in set(abstract.next[state])})
                for state in range(len(abstract.next)))
    if expected and plain and not result['is_deterministic']:
        return 'the abstract side is deterministic'
    return None


def wrong_abstraction(varabs, folder, path, rng):
    """Whether an abstraction breaks its promise."""
    mode, out = rng.choice(('may', 'must')), os.path.join(folder, 'out.xml')
    removed, visible = rng.choice('nm'), 'a,b,c'
    status, _, _ = run(varabs, path, '--remove', removed, '--' + mode, '-o',
                       out)
    if status:
        return None
    with open(path, encoding='utf-8') as file:
        if removed == 'm' and '@' + TAGGED in file.read():
            visible += ',' + TAGGED         # whose values are those of n
    pair = (path, out) if mode == 'may' else (out, path)
    # What may fail in the original is no step of a must-abstraction, too.
    status, text, messages = run(varabs, 'refines', *pair, '--visible',
                                 visible)
    if status not in (0, 5) and 'no visible action' not in messages:
        return f'the {mode}-abstraction: {text}{messages}'
    return None


def judge(task):
    varabs, seed, keep, _ = task
    rng = random.Random(-seed)
    with tempfile.TemporaryDirectory() as folder:
        where = keep or folder
        paths = [os.path.join(where, f'{seed}{end}.xml')
                 for end in ('', '.variant')]
        pair = Pair(seed)
        both = pair.processes, pair.variant()
        for processes, path, priority in zip(both, paths, pair.priorities):
            pair.write(processes, path, priority)
        fail_in(paths[0], random.Random(seed), seed)
        visible = rng.choice((('a', 'b', 'c'), ('a', 'b'), ('a', 'c'),
                              ('a', 'b', 'c', TAGGED),
                              ('a', TAGGED)))
        with open(paths[0], encoding='utf-8') as file:
            texts = file.read()
        with open(paths[1], encoding='utf-8') as file:
            texts += file.read()
        if '@' + TAGGED not in texts:
            visible = tuple(v for v in visible if v != TAGGED)
        try:
            systems = [System(path, visible) for path in paths]
            for order in ((0, 1), (1, 0)):
                if systems[order[1]].fails:
                    continue    # what an abstract model does behind it is open
                for has_failures in (False, True):
                    wrong = compare(varabs, [paths[i] for i in order],
                                    [systems[i] for i in order], visible,
                                    has_failures, order[0] == 1)
                    if wrong:
                        return seed, 'failed', \
                            f"{order} {','.join(visible)}: {wrong}"
            wrong = wrong_abstraction(varabs, folder, paths[0], rng)
        except (Budget, ModelError, EvalError, subprocess.TimeoutExpired):
            return seed, 'slow', ''
        if wrong:
            return seed, 'failed', wrong
        if keep:
            for path in paths:
                os.remove(path)
    return seed, 'passed', ''


if __name__ == '__main__':
    seeds.main(judge, __doc__, 1 / 2)
