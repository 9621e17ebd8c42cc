#!/usr/bin/env python3
"""Random test: fairness of `varabs refines` and `varabs check`, against the oracle.

usage: fairness.py --varabs PROGRAM --seeds A..B [--jobs N] [--keep DIR]

For every seed a small random model and another that does less, with hidden
steps and a process of its own, are explored by the oracle.  Where a fair run
ends is found by going through all sets of states that a run may visit for
ever, with all steps between them, and by what the words say: weakly fair
unless enabled in all of them and not taken, strongly fair unless enabled in
some and not taken.  `varabs refines` and `varabs check` must say the same, and
the runs that they show must be such runs.
"""

import json
import os
import random
import re
import subprocess
import tempfile
from tools import seeds
from generators.gen_fail import fail_in
from generators.gen_fair import Rich, arguments
from judges.refinement import Edge, run, write_network
from oracle.uppaal_parse import ModelError
from oracle.uppaal_query import Graph
from oracle.uppaal_run import explore, load_network
from oracle.uppaal_runtime import Budget, EvalError

MOST_STATES = 400
MOST_TOGETHER = 12
TAG = re.compile(r'@(\w+)')
TAG_VALUES = re.compile(r'@(\w+)(?:\(([^)]*)\))?')


# --- models -----------------------------------------------------------------

def tagged(rng, labels, least):
    """With tags in the comments, sometimes."""
    if rng.random() < least:
        labels['comments'] = ' '.join(
            text + (arguments(rng) if text[0] == '@' else '') for text in
            rng.sample(('@t0', '@t1', '@t2', 'free text'), rng.randint(1, 2)))
    return labels


def abstract_edges(rng, count):
    """Of a process whose actions are different in each location."""
    edges = []
    for source in range(count):
        for channel in rng.sample(('a', 'b', 'c[0]', 'c[1]', 'c[n]'),
                                  rng.randint(1, 3)):
            labels = {'synchronisation': channel + '!'}
            if rng.random() < 0.3:
                labels['guard'] = rng.choice(('n == 0', 'n == 1'))
            if rng.random() < 0.4:
                labels['assignment'] = rng.choice(('n = 1 - n', 'n = 0'))
            edges.append(Edge(source, rng.randrange(count),
                              **tagged(rng, labels, 0.4)))
    if rng.random() < 0.06:
        edges.append(Edge(0, 0))
    return edges


def concrete_edges(rng, edges, count):
    """Some of the edges, some of them where k allows it; hidden ones."""
    found = []
    for edge in edges:
        labels = dict(edge.labels)
        labels.pop('comments', None)
        if rng.random() < 0.08:
            continue
        if rng.random() < 0.4:
            more = rng.choice(('k == 0', 'k == 1'))
            labels['guard'] = ' && '.join(
                filter(None, (labels.get('guard'), more)))
        found.append(Edge(edge.source, edge.target,
                          **tagged(rng, labels, 0.4)))
    for _ in range(rng.randint(0, 2)):
        source = rng.randrange(count)
        target = source if rng.random() < 0.9 else rng.randrange(count)
        labels = {'assignment': rng.choice(('k = 1 - k', 'k = 0', 'k = k'))}
        found.append(Edge(source, target, **tagged(rng, labels, 0.7)))
    return found


def other_edges(rng, count):
    """Of a process that has no actions: hidden steps, and it may listen."""
    edges = []
    for _ in range(rng.randint(1, 3)):
        labels = {}
        if rng.random() < 0.4:
            labels['synchronisation'] = rng.choice(('a?', 'c[0]?', 'b?'))
        if rng.random() < 0.5:
            labels['assignment'] = rng.choice(('k = 1 - k', 'k = 1', 'k = 0'))
        if rng.random() < 0.3:
            labels['guard'] = rng.choice(('k == 0', 'k == 1', 'n == 0'))
        edges.append(Edge(rng.randrange(count), rng.randrange(count),
                          **tagged(rng, labels, 0.5)))
    return edges


def write(processes, path, committed):
    write_network(path, 'broadcast chan a, b, c[2]; int[0,1] n, k;',
                  processes, dict([committed] if committed else []))


# --- the oracle -------------------------------------------------------------

def instance_of(text, scope):
    """The values of the arguments of a tag, as varabs writes them."""
    return ','.join(str(eval(part, {}, scope))       # our own text
                    for part in text.split(',') if part)


class System:
    """Per state the steps: (action or None, target, what they are of,
    participants); what fails is none."""

    def __init__(self, path):
        self.network = load_network(path)
        found = explore(self.network, MOST_STATES)
        self.graph = Graph(self.network, found)
        self.states = list(found.states)
        self.steps = []
        for state, steps in zip(found.states, found.steps):
            self.steps.append([self.step(parts, state, found.states[target])
                               for parts, target in steps])
        self.marks = set().union(*(step[2] for steps in self.steps
                                   for step in steps))

    def step(self, parts, state, target):
        """What a step is of: an instance is a mark with its values."""
        action, marks, who = None, set(), []
        values = dict(zip(self.network.slots,
                          state[len(self.network.processes):]))
        base = None
        channel = parts[0][2]
        if channel is not None and channel >= 0:
            name = self.network.channels[channel][0]
            base, _, rest = name.partition('[')
            action = base + (f'({rest[:-1]})' if rest else '')
            marks |= {base, f'{base}({rest[:-1]})'}
        for path, selected, _ in parts:
            name = self.network.processes[path.process].name
            marks.add(name)
            chosen = dict(zip(path.select_names, selected))
            who.append((name, tuple(edge.index for edge in path.edges),
                        tuple(sorted(chosen.items()))))
            scope = dict(values, **chosen)
            for edge in path.edges:
                marks |= {'@' + tag for tag in TAG.findall(edge.comments)}
                marks |= {f'@{tag}({instance_of(text, scope)})' for tag, text
                          in TAG_VALUES.findall(edge.comments)}
        return action, target, frozenset(marks), tuple(who)

    def enabled(self, state):
        return frozenset().union(*(step[2] for step in self.steps[state]))

    def find(self, shown):
        """The number of a state as varabs shows it."""
        place = tuple(
            [next(i for i, loc in enumerate(process.locations)
                  if loc.name == shown['locations'][process.name])
             for process in self.network.processes]
            + [shown['values'][name] for name in self.network.slots])
        return self.states.index(place)


class Runs:
    """A graph: per node what is enabled, and the edges (target, taken)."""

    def __init__(self, enabled, edges):
        self.enabled, self.edges = enabled, edges

    def components(self):
        """Sets of nodes that lead to each other."""
        after = []
        for node in range(len(self.edges)):
            seen, queue = set(), [node]
            while queue:
                for target, _ in self.edges[queue.pop()]:
                    if target not in seen:
                        seen.add(target)
                        queue.append(target)
            after.append(seen)
        return {frozenset(m for m in after[n] if n in after[m])
                for n in range(len(self.edges)) if n in after[n]}

    def is_fair(self, nodes, taken, fair):
        """Whether a run is that visits these nodes for ever."""
        for name, kind in fair:
            if name in taken:
                continue
            on = [name in self.enabled[node] for node in nodes]
            if all(on) if kind == 'weak' else any(on):
                return False
        return True

    def has_run(self, fair, unfair=None):
        """Whether a run is fair to all of some, and not to another."""
        avoid = unfair[0] if unfair else None
        for component in self.components():
            nodes = sorted(component)
            if len(nodes) > MOST_TOGETHER:
                raise Budget('too many states together')
            for bits in range(1, 1 << len(nodes)):
                chosen = {n for i, n in enumerate(nodes) if bits >> i & 1}
                edges = {n: [(target, taken) for target, taken in self.edges[n]
                             if target in chosen and avoid not in taken]
                         for n in chosen}
                if not is_strong(edges):
                    continue
                taken = frozenset().union(
                    *(taken for n in chosen for _, taken in edges[n]))
                if self.is_fair(chosen, taken, fair) and not (
                        unfair and self.is_fair(chosen, taken, [unfair])):
                    return True
        return False


def is_strong(edges):
    """Whether there is an edge, and all nodes lead to each other."""
    if not any(edges.values()):
        return False
    for turned in (False, True):
        nearby = {n: set() for n in edges}
        for n, found in edges.items():
            for target, _ in found:
                nearby[target if turned else n].add(n if turned else target)
        start = next(iter(edges))
        seen, queue = {start}, [start]
        while queue:
            for other in nearby[queue.pop()] - seen:
                seen.add(other)
                queue.append(other)
        if len(seen) < len(edges):
            return False
    return True


# --- refines ----------------------------------------------------------------

ABSTRACT = 'abstract '    # before what is of the abstract model


def with_instances(system, fair):
    """With the instances that steps have in place of `name(*)`."""
    found = []
    for name, kind in fair:
        if name.endswith('(*)'):
            found += [(mark, kind) for mark in sorted(system.marks)
                      if mark.startswith(name[:-2])]
        else:
            found.append((name, kind))
    return list(dict.fromkeys(found))


def product(concrete, abstract, asked):
    """(runs, whether a step is blocked, whether the abstract model has a
    choice); nodes are pairs of states."""
    numbers, queue, enabled, edges = {(0, 0): 0}, [(0, 0)], [], []
    is_blocked, is_open = False, False
    for state, other in queue:
        ways = {}
        for action, target, marks, _ in abstract.steps[other]:
            ways.setdefault(action, set()).add((target, marks & asked))
        is_open |= None in ways or any(len(w) > 1 for w in ways.values())
        found = []
        for action, target, marks, _ in concrete.steps[state]:
            after = other
            if action is not None:
                if action not in ways:
                    is_blocked = True
                    continue
                after, more = next(iter(ways[action]))
                marks = marks | {ABSTRACT + mark for mark in more}
            if (target, after) not in numbers:
                numbers[target, after] = len(numbers)
                queue.append((target, after))
            found.append((numbers[target, after], marks))
        if not concrete.steps[state]:
            found.append((numbers[state, other], frozenset()))
        edges.append(found)
        enabled.append(concrete.enabled(state) | {
            ABSTRACT + mark for mark in abstract.enabled(other)})
    return Runs(enabled, edges), is_blocked, is_open


def names_of(rng, names, most):
    """Random constraints: (name, kind)."""
    return list(dict.fromkeys((rng.choice(names), rng.choice(('weak', 'strong')))
                              for _ in range(rng.randint(0, most))))


def options_of(fair, prefix=''):
    """As arguments; those that are weak come first in results."""
    words = []
    for name, kind in fair:
        words += [f'--{prefix}{kind}', name]
    return words


def in_order(fair):
    return [pair for kind in ('weak', 'strong') for pair in fair
            if pair[1] == kind]


def wrong_lasso(counter, system, runs_of, fair, unfair):
    """What is wrong with a run of the concrete model that goes on for ever, or
    nothing; runs_of gives what else its steps are of."""
    states = [system.find(state) for state in counter['states']]
    if states[0] != 0:
        return 'it does not begin in the initial state'
    steps = []
    for here, there, step in zip(states, states[1:], counter['steps']):
        who = tuple((part['process'], tuple(part['edges']),
                     tuple(sorted(part['selects'].items())))
                    for part in step['participants'])
        same = [s for s in system.steps[here] if s[1] == there and s[3] == who]
        if not same:
            return f'no step from {here} to {there}'
        steps.append(same[0])
    loop = counter['loop']
    if loop is None:
        nodes, steps_round = [len(states) - 1], []
    else:
        if states[-1] != states[loop] or loop + 1 == len(states):
            return 'it is no loop'
        nodes, steps_round = list(range(loop, len(states) - 1)), steps[loop:]
    enabled, taken = runs_of(states, steps)
    around = frozenset().union(*taken[len(steps) - len(steps_round):]) \
        if steps_round else frozenset()
    local = Runs({i: enabled[i] for i in nodes}, {})
    if not local.is_fair(nodes, around, fair):
        return 'it is not fair'
    if unfair and local.is_fair(nodes, around, [unfair]):
        return f'it is fair to {unfair}'
    return None


def follow_abstract(abstract):
    """What a run of the concrete model does in the abstract one."""
    def runs_of(states, steps):
        other, enabled, taken = 0, [], []
        for i in range(len(states)):
            enabled.append(runs_of.concrete.enabled(states[i]) | {
                ABSTRACT + mark for mark in abstract.enabled(other)})
            if i == len(steps):
                break
            action, _, marks, _ = steps[i]
            if action is not None:
                other, more = next((target, m) for name, target, m, _
                                   in abstract.steps[other] if name == action)
                marks = marks | {ABSTRACT + mark for mark in more}
            taken.append(marks)
        return enabled, taken
    return runs_of


def judge_refines(varabs, paths, systems, rng):
    """What is wrong, or nothing."""
    concrete, abstract = systems
    fair = in_order(names_of(rng, ('a', 'c', '@t0', '@t1', 'P0', 'P1', 'c(*)',
                                   '@t0(*)'), 3))
    asked = in_order(names_of(rng, ('a', 'b', 'c', '@t0', 'P0', 'c(*)',
                                    '@t0(*)'), 2))
    present = [present_in(system) for system in systems]
    fair = [pair for pair in fair if plain(pair[0]) in present[0]]
    asked = [pair for pair in asked if plain(pair[0]) in present[1]]
    words = options_of(fair) + options_of(asked, 'abstract-')
    fair, asked = map(with_instances, systems, (fair, asked))
    is_asked = any(word.startswith('--abstract') for word in words)
    status, text, messages = run(varabs, 'refines', *paths, '--json', '-',
                                 '--visible', 'a,b,c', *words)
    told = f"refines {' '.join(words)}: "
    runs, is_blocked, is_open = product(
        concrete, abstract, {name for name, _ in asked})
    if is_open:
        if status == 4 and (is_asked or not is_blocked):
            return None
        return None if is_blocked or not is_asked else \
            f'{told}status {status}, but it is nondeterministic'
    if status not in (0, 1):
        return f'{told}status {status}: {messages}'
    result = json.loads(text)
    if is_blocked:
        if result['refines'] or result['counterexample']['kind'] != 'blocked':
            return f'{told}it is blocked'
        return None
    right = {pair: runs.has_run(fair, (ABSTRACT + pair[0], pair[1]))
             for pair in asked}
    said = {(entry['name'], entry['kind']): entry['verdict'] == 'violated'
            for entry in result['fairness']['abstract']}
    for pair in [pair for pair in right if pair not in said]:
        if '(' not in pair[0] or right.pop(pair):   # no step where both are
            return f'{told}nothing of {pair}'
    if said != right or result['refines'] == any(right.values()):
        return f"{told}{result['refines']}, {said}, not {right}"
    counter = result['counterexample']
    if not counter:
        return None
    first = counter['constraint']
    if (first['name'], first['kind']) != next(p for p in said if right[p]):
        return f'{told}{first} is not the first'
    follow = follow_abstract(abstract)
    follow.concrete = concrete
    wrong = wrong_lasso(counter, concrete, follow, fair,
                        (ABSTRACT + first['name'], first['kind']))
    return wrong and told + wrong


def plain(name):
    """What `name(*)` is about."""
    return name.removesuffix('(*)')


def present_in(system):
    """What may be named: the whole model counts, not only what is reached."""
    names = {process.name for process in system.network.processes}
    return names | {'a', 'b', 'c'} | system.tags


# --- check ------------------------------------------------------------------

def predicates(system, rng):
    """A random one: (text, by state whether it holds)."""
    ways = []
    for number, process in enumerate(system.network.processes):
        for i, location in enumerate(process.locations):
            ways.append((f'{process.name}.{location.name}', number, i))
    first = len(system.network.processes)
    for i, name in enumerate(system.network.slots):
        for value in (0, 1):
            ways.append((f'{name} == {value}', first + i, value))
    text, place, value = rng.choice(ways)
    holds = [state[place] == value for state in system.states]
    if rng.random() < 0.4:
        more, place, value = rng.choice(ways)
        if rng.random() < 0.5:
            return f'{text} || {more}', [
                h or s[place] == value for h, s in zip(holds, system.states)]
        return f'{text} && {more}', [
            h and s[place] == value for h, s in zip(holds, system.states)]
    if rng.random() < 0.3:
        return f'!({text})', [not h for h in holds]
    return text, holds


def stays_in(system, inside, starts, semantics):
    """Runs that stay in states that hold, from where some states lead to."""
    queue = [s for s in starts if inside[s]]
    numbers = {s: i for i, s in enumerate(queue)}
    enabled, edges = [], []
    for state in queue:
        found = []
        for _, target, marks, _ in system.steps[state]:
            if not inside[target]:
                continue
            if target not in numbers:
                numbers[target] = len(numbers)
                queue.append(target)
            found.append((numbers[target], marks))
        if system.graph.ends(state, semantics):
            found.append((numbers[state], frozenset()))
        edges.append(found)
        enabled.append(system.enabled(state))
    return Runs(enabled, edges)


def each(system, fair):
    """With processes in place of `*` and of sets of processes."""
    names = [process.name for process in system.network.processes]
    return list(dict.fromkeys(
        (one, kind) for name, kind in fair for one in (
            [n for n in names
             if name == '*' or n == name or n.startswith(name + '(')]
            or [name])))


def judge_check(varabs, path, system, rng, names):
    """What is wrong, or nothing."""
    asked = in_order(names_of(rng, names, 3))
    if not asked:
        return None
    fair = with_instances(system, each(system, asked))
    semantics = rng.choice(('uppaal', 'kripke'))
    form = rng.choice(('A<>', 'E[]', '-->', '-->'))
    text, holds = predicates(system, rng)
    if form == '-->':
        other, aim = predicates(system, rng)
        inside, query = [not h for h in aim], f'{text} --> {other}'
        starts = [s for s, h in enumerate(holds) if h]
    else:
        inside = holds if form == 'E[]' else [not h for h in holds]
        query, starts = f'{form} {text}', [0]
    runs = stays_in(system, inside, starts, semantics)
    if rng.random() < 0.2:
        return wrong_if_fair(varabs, path, system, runs, query, semantics)
    is_there = runs.has_run(fair)
    right = 'satisfied' if is_there == (form == 'E[]') else 'violated'
    words = options_of(asked) + ['--semantics', semantics, '--query', query]
    if rng.random() < 0.3:
        words += ['--full', '--jobs', '2']
    status, output, messages = run(varabs, 'check', path, '--json', '-',
                                   '--trace', *words)
    told = f"check {' '.join(words)}: "
    if status not in (0, 1):
        return f'{told}status {status}: {messages}'
    entry = json.loads(output)['queries'][0]
    if entry['verdict'] != right:
        return f"{told}{entry['verdict']}, not {right}"
    if is_there != ('trace' in entry):
        return f'{told}a run where there is none, or none'
    if not is_there:
        return None
    return wrong_run(entry['trace'], system, inside, starts, fair, semantics,
                     told)


def wrong_if_fair(varabs, path, system, runs, query, semantics):
    """What is wrong with what is said of fair runs without being asked."""
    right, is_there = None, runs.has_run([])
    kinds = [kind for kind in ('weak', 'strong') if is_there
             and not runs.has_run(each(system, [('*', kind)]))]
    if kinds:
        verdicts = 'satisfied', 'violated'
        right = {'kind': kinds[0], 'verdict': verdicts[query[:3] == 'E[]']}
    _, output, messages = run(varabs, 'check', path, '--json', '-', '--query',
                              query, '--semantics', semantics)
    told = f'check --semantics {semantics} --query {query}: '
    if not output:
        return told + messages
    said = json.loads(output)['queries'][0].get('if_fair')
    return None if said == right else f'{told}if fair {said}, not {right}'


def wrong_run(trace, system, inside, starts, fair, semantics, told):
    """What is wrong with a run that check shows, or nothing."""
    wrong = wrong_lasso(
        {'states': trace['states'], 'loop': trace['loop'],
         'steps': [{'participants': step} for step in trace['steps']]}, system,
        lambda states, steps: ([system.enabled(s) for s in states],
                               [s[2] for s in steps]), fair, None)
    if wrong:
        return told + wrong
    states = [system.find(state) for state in trace['states']]
    last = trace['loop']
    if last is None:
        last = len(states) - 1
        if not system.graph.ends(states[-1], semantics):
            return told + 'it does not end there'
    if not any(states[i] in starts and all(inside[s] for s in states[i:])
               for i in range(last + 1)):
        return told + 'it does not stay where it should'
    return None


# --- the whole --------------------------------------------------------------

def systems_of(rng, paths, seed):
    count = rng.randint(1, 3)
    edges = abstract_edges(rng, count)
    both = [[(count, concrete_edges(rng, edges, count))], [(count, edges)]]
    if rng.random() < 0.7:
        size = rng.randint(1, 2)
        both[0].append((size, other_edges(rng, size)))
    committed = (0, rng.randrange(count)) if rng.random() < 0.1 else None
    found = []
    for path, processes in zip(paths, both):
        write(processes, path, committed)
        if path == paths[0]:
            fail_in(path, rng, seed)
        system = System(path)
        system.tags = {'@' + tag for _, edges in processes for edge in edges
                       for tag in TAG.findall(edge.labels.get('comments', ''))}
        found.append(system)
    return found


def judge_pair(varabs, paths, rng, seed):
    """What is wrong, or nothing."""
    systems = systems_of(rng, paths, seed)
    names = sorted(present_in(systems[0]) & {
        'a', 'b', 'c', '@t0', '@t1', 'P0', 'P1'})
    names += [name + '(*)' for name in names if name in ('c', '@t0')]
    for _ in range(4):
        wrong = judge_refines(varabs, paths, systems, rng) \
            or judge_check(varabs, paths[0], systems[0], rng, names)
        if wrong:
            return wrong
    return None


def judge_rich(varabs, path, rng, seed):
    """The same of one model, for check."""
    model = Rich(rng)
    with open(path, 'w', encoding='utf-8') as file:
        file.write(model.text)
    fail_in(path, rng, seed)
    system = System(path)
    for _ in range(6):
        wrong = judge_check(varabs, path, system, rng, model.names)
        if wrong:
            return wrong
    return None


def judge(task):
    varabs, seed, keep, _ = task
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        where = keep or folder
        paths = [os.path.join(where, f'{seed}{end}.xml')
                 for end in ('', '.abstract')]
        outcome, wrong = 'passed', None
        try:
            if rng.random() < 0.5:
                wrong = judge_rich(varabs, paths[0], rng, seed)
            else:
                wrong = judge_pair(varabs, paths, rng, seed)
        except (Budget, ModelError, EvalError, subprocess.TimeoutExpired):
            outcome = 'slow'
        if wrong:
            return seed, 'failed', wrong
        if keep:
            for path in paths:
                if os.path.exists(path):
                    os.remove(path)
    return seed, outcome, ''


if __name__ == '__main__':
    seeds.main(judge, __doc__, 1 / 3)
