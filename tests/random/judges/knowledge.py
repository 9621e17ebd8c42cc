#!/usr/bin/env python3
"""Random test: operators over states, and knowledge, against the oracle.

usage: knowledge.py --varabs PROGRAM --seeds A..B [--jobs N] [--keep DIR]

For every seed a random model, of the general kind or a small network of
agents, is explored by the oracle, and random formulas
of CTL and knowledge are decided on its graph by plain fixpoints: what agents
observe is read from the model here, states are compared item by item, common
knowledge goes step by step along chains of states.  `varabs check` must give
the same verdicts, with several threads and other layouts as well, and show
states that really are the same to the agent. Sets of states must give the same
verdicts and witnesses, where they are for the model.
"""

import json
import os
import random
import re
import subprocess
import tempfile
from generators.gen_declared import WAYS, with_declarations
from generators.gen_fail import failing
from generators.gen_knowledge import Atoms, Small
from generators.gen_query import QueryGen
from generators.generate import build
from generators.gen_xml import text_of
from judges.replay import Replay
from oracle.uppaal_compile import Entry, Scope
from oracle.uppaal_parse import ModelError
from oracle.uppaal_query import Graph, parse_query
from oracle.uppaal_run import explore, load_network
from oracle.uppaal_runtime import Budget, EvalError
import io
from tools import seeds

MOST_STATES = 600
FORMULAS = 12
UNARY = ('AX', 'A[]', 'A<>', 'EX', 'E[]', 'E<>')
BINARY = ('U', 'W', 'R')


# --- what agents observe ----------------------------------------------------

class Observer:
    """Tuples of what processes observe, by state."""

    def __init__(self, graph):
        self.graph, self.network = graph, graph.network
        self.guards = {}

    def own_slots(self, number):
        """Places in a state of the variables of a process; None: global."""
        network = self.network
        names = [process.name + '.' for process in network.processes]
        start = len(network.processes)
        for place, slot in enumerate(network.slots):
            owner = [n for n, name in enumerate(names)
                     if slot.startswith(name)]
            if owner == ([] if number is None else [number]):
                yield start + place

    def local(self, number):
        """By state: the location and the variables of a process."""
        places = [number, *self.own_slots(number)]
        return [tuple(state[p] for p in places)
                for state in self.graph.states]

    def shared(self):
        places = list(self.own_slots(None))
        return [tuple(state[p] for p in places)
                for state in self.graph.states]

    def read(self, number):
        """By state: the global variables that the guards, channels and selects
        of a process of a small network name."""
        places = list(self.own_slots(None))
        texts = [edge.text.get(kind, '') for edge in
                 self.network.processes[number].template.edges
                 for kind in ('guard', 'synchronisation', 'select')]
        places = [p for p in places if any(re.search(
            rf"\b{self.network.slots[p - len(self.network.processes)]}\b", t)
            for t in texts)]
        return [tuple(state[p] for p in places)
                for state in self.graph.states]

    def tests(self, number):
        """(source, function, values of selects) of all guards."""
        if number in self.guards:
            return self.guards[number]
        network, found = self.network, []
        process = network.processes[number]
        for edge in process.template.edges:
            if edge.source not in process.number or edge.guard is None:
                continue
            scope, names, ranges = Scope(process.scope), [], []
            for name, tree in edge.selects:
                kind = network.range_type(tree, scope)
                names.append(network.fresh('v'))
                ranges.append(range(kind.low, kind.high + 1))
                scope.own[name] = Entry('value', kind, names[-1])
            test = network.fresh('f')
            network.run_source(
                f"def {test}({', '.join(names)}):\n"
                f" return {network.truth(edge.guard, scope)}\n")
            values = [()]
            for span in ranges:
                values = [v + (i,) for v in values for i in span]
            found.append((process.number[edge.source], network.env[test],
                          values))
        self.guards[number] = found
        return found

    def enabled(self, number):
        """By state: which guards hold at the location of a process."""
        seen = []
        for state in self.graph.states:
            bits = []
            for source, test, values in self.tests(number):
                for value in values if state[number] == source else ():
                    self.network.load(state)
                    try:
                        bits.append(bool(test(*value)))
                    except EvalError:
                        bits.append(False)
            seen.append(tuple(bits))
        return seen


def joined(parts, count):
    """By state: the tuple of all parts."""
    return [tuple(part[n] for part in parts) for n in range(count)]


# --- formulas ---------------------------------------------------------------

class Problem(Exception):
    """An atom that cannot be evaluated in some state."""


class Judge:
    """Truth by state, by plain fixpoints."""

    def __init__(self, graph, agents):
        self.graph, self.agents = graph, agents    # {name: tuples by state}
        self.all = range(len(graph.states))
        self.next = [targets or [n] for n, targets in enumerate(graph.next)]

    def holds(self, tree):
        kind = tree[0]
        if kind == 'atom':
            found = self.graph.evaluate(tree[2], True)
            if None in found:
                raise Problem(tree[1])
            return found
        if kind in ('K', 'GK', 'GCK', 'DK'):
            return self.knows(kind, tree[1], self.holds(tree[2]))
        if kind == 'Kw':
            return self.knows_value(tree[1], tree[3])
        parts = [self.holds(part) for part in tree[1:]]
        if kind == 'not':
            return [not p for p in parts[0]]
        if kind == '&&':
            return [p and q for p, q in zip(*parts)]
        if kind == '||':
            return [p or q for p, q in zip(*parts)]
        if kind == 'imply':
            return [not p or q for p, q in zip(*parts)]
        return self.path(kind, parts)

    def path(self, kind, parts):
        """Each operator by its own equation, as a least or greatest set."""
        quantify = all if kind[0] == 'A' else any

        def step(now, n):
            return quantify(now[other] for other in self.next[n])
        p, name = parts[0], kind[1:]
        q = parts[-1]
        if name == 'X':
            return [step(p, n) for n in self.all]
        equations = {
            '[]': (True, lambda now, n: p[n] and step(now, n)),
            '<>': (False, lambda now, n: p[n] or step(now, n)),
            'U': (False, lambda now, n: q[n] or p[n] and step(now, n)),
            'W': (True, lambda now, n: q[n] or p[n] and step(now, n)),
            'R': (True, lambda now, n: q[n] and (p[n] or step(now, n)))}
        first, rule = equations[name]
        now, before = [first] * len(p), None
        while now != before:
            before = now
            now = [rule(before, n) for n in self.all]
        return now

    def same(self, names, joint):
        """By state: those that some agent, or all together, take it for."""
        tuples = [self.agents[name] for name in names]
        if joint:
            tuples = [joined(tuples, len(self.all))]
        return [{m for seen in tuples for m in self.all if seen[m] == seen[n]}
                for n in self.all]

    def knows(self, kind, names, p):
        same = self.same(names, kind == 'DK')
        if kind == 'GCK':    # chains of any length
            for n in self.all:
                reached, layer = {n}, {n}
                while layer:
                    layer = set().union(*(same[m] for m in layer)) - reached
                    reached |= layer
                same[n] = reached
        return [all(p[m] for m in same[n]) for n in self.all]

    def knows_value(self, names, tree):
        values = self.graph.evaluate(tree, False)
        if None in values:
            raise Problem('value')
        return [len({values[m] for m in others}) == 1
                for others in self.same(names, False)]


class Names:
    """Atoms of models of the general kind."""

    def __init__(self, rng, model, network, explored):
        self.gen, self.rng = QueryGen(rng, model, network, explored), rng
        self.states = self.gen.states

    def whole(self, state):
        """What has a name."""
        facts = [text if state[process] == place else f"!{text}"
                 for text, process, place in self.gen.places]
        facts += [f"{text} == {int(state[slot])}"
                  for text, _, slot in self.gen.cells]
        return ' && '.join(facts[:20] or ['true'])

    def predicate(self):
        if self.rng.random() < 0.7:
            return self.gen.facts(self.rng.choice(self.states), 2).text
        return self.gen.predicate().text

    def integer(self):
        return self.gen.integer(self.gen.scope, 1).text


class FormulaGen:
    """Random formulas as text and as tree."""

    def __init__(self, rng, network, graph, atoms):
        self.rng, self.network, self.graph = rng, network, graph
        self.atoms, self.agents, self.groups = atoms, {}, []

    def parsed(self, text):
        query = parse_query('E<> ' + text, self.network.model.names)
        return f"({text})", ('atom', text, query.predicates[0])

    def atom(self):
        if self.rng.random() < 0.1 and not self.network.has_priorities:
            return 'deadlock', ('atom', 'deadlock', ('name', 'deadlock'))
        predicate = self.atoms.predicate()
        if self.rng.random() < 0.1:     # a number, which is a condition, too
            predicate = f"(({predicate}) ? 2 : 0)"
        return self.parsed(predicate)

    def whole_state(self, number):
        return self.parsed(self.atoms.whole(self.graph.states[number]))

    def alike(self, number, names, is_joint):
        """States that look like one to some of the agents, or to all."""
        look = all if is_joint else any
        return [n for n in range(len(self.graph.states))
                if look(self.agents[name][n] == self.agents[name][number]
                        for name in names)]

    def far(self, names):
        """Two states with as many in between as may be, each like the next
        to some of the agents; or a state that none of them leads to."""
        first = self.rng.randrange(len(self.graph.states))
        seen, layer = {first}, [first]
        while True:
            after = {m for n in layer for m in self.alike(n, names, False)}
            after = sorted(after - seen)
            if not after or self.rng.random() < 0.1:
                break
            seen.update(after)
            layer = after
        return first, self.rng.choice(layer)

    def directed(self):
        """Whether one state leads to another, for one of the operators."""
        rng, count = self.rng, len(self.graph.states)
        op = rng.choice(['K', 'GK', 'GCK', 'GCK', 'DK', 'DK', 'E<>', 'EX',
                         'AX', 'E[]', 'A<>'])
        one, other = rng.randrange(count), rng.randrange(count)
        if op[0] in 'AE':
            stuck = [n for n in range(count) if not self.graph.next[n]]
            if stuck and rng.random() < 0.6:
                one = other = rng.choice(stuck)
            elif self.graph.next[one] and rng.random() < 0.7:
                other = rng.choice(self.graph.next[one])
            (a, left), (b, right) = map(self.whole_state, (one, other))
            return f"E<> ({a} && {op} {b})", \
                ('E<>', ('&&', left, (op, right)))
        text, names = self.group()
        if op == 'K':
            names = [rng.choice(sorted(self.agents))]
            text = names[0]
        if op == 'GCK':
            one, other = self.far(names)
        elif rng.random() < 0.8:    # near, but for one of them
            other = rng.choice(self.alike(one, names, rng.random() < 0.5))
        (a, left), (b, right) = map(self.whole_state, (one, other))
        return f"A[] ({a} imply {op}({text}, !{b}))", \
            ('A[]', ('imply', left, (op, names, ('not', right))))

    def group(self):
        """(text, names)"""
        rng = self.rng
        if self.groups and rng.random() < 0.3:
            return rng.choice(self.groups)
        names = rng.sample(sorted(self.agents),
                           min(len(self.agents), rng.choice([1, 2, 2, 3])))
        return '{' + ', '.join(names) + '}', names

    def formula(self, depth):
        rng = self.rng
        if depth == 0 or rng.random() < 0.12:
            return self.atom()
        way = rng.random()
        if way < 0.18:
            text, tree = self.formula(depth - 1)
            return f"not ({text})", ('not', tree)
        if way < 0.4:
            op = rng.choice(['&&', '||', 'imply'])
            (a, left), (b, right) = (self.formula(depth - 1)
                                     for _ in range(2))
            return f"(({a}) {op} ({b}))", (op, left, right)
        if way < 0.58:
            op = rng.choice(UNARY)
            text, tree = self.formula(depth - 1)
            return f"{op} ({text})", (op, tree)
        if way < 0.66:
            path, op = rng.choice('AE'), rng.choice(BINARY)
            (a, left), (b, right) = (self.formula(depth - 1)
                                     for _ in range(2))
            return f"{path}({a} {op} {b})", (path + op, left, right)
        if way < 0.76:
            name = rng.choice(sorted(self.agents))
            text, tree = self.formula(depth - 1)
            return f"K({name}, {text})", ('K', [name], tree)
        if way < 0.82:
            name = rng.choice(sorted(self.agents))
            value = self.atoms.integer()
            query = parse_query('sup: ' + value, self.network.model.names)
            return f"Kw({name}, {value})", \
                ('Kw', [name], value, query.values[0])
        op = rng.choice(['GK', 'GCK', 'DK'])
        text, names = self.group()
        inner, tree = self.formula(depth - 1)
        return f"{op}({text}, {inner})", (op, names, tree)

    def whole(self):
        """Often A[] or E<> from outside, as people ask."""
        rng = self.rng
        if rng.random() < 0.3:
            return self.directed()
        text, tree = self.formula(rng.randint(1, 3))
        if rng.random() < 0.6:
            op = rng.choice(['A[]', 'E<>'])
            return f"{op} {text}", (op, tree)
        return text, tree


def is_modal(tree):
    """Whether it has operators over states."""
    return tree[0] != 'atom' and (
        tree[0] not in ('not', '&&', '||', 'imply') or
        any(is_modal(part) for part in tree[1:]))


def is_formula(tree):
    """Not one of the queries that Uppaal has, too."""
    alone = tree[0] in ('A[]', 'E<>', 'A<>', 'E[]')
    return is_modal(tree[1] if alone else tree)


# --- agents -----------------------------------------------------------------

def make_agents(rng, graph, atoms, nameable):
    """(declarations, {name: tuples by state}, groups as (text, names))"""
    observer, network = Observer(graph), graph.network
    names = sorted(nameable)
    count = len(graph.states)
    agents, lines, groups = {}, [], []
    for name in names:
        number = nameable[name]
        if rng.random() < 0.4:
            agents[name] = joined([observer.local(number),
                                   observer.enabled(number)], count)
            continue
        items, parts = [], []
        kinds = ['local', 'shared', 'enabled', 'value', 'value', 'nothing']
        kinds += ['location', 'guards'] * isinstance(atoms, Atoms)
        for item in rng.sample(kinds, rng.randint(1, 3)):
            if item == 'value':
                text = atoms.integer()
                tree = parse_query('sup: ' + text,
                                   network.model.names).values[0]
                values = graph.evaluate(tree, False)
                if None in values:
                    continue
                items.append(text)
                parts.append(values)
                continue
            items.append(item)
            if item == 'location':
                parts.append([state[number] for state in graph.states])
                continue
            if item != 'nothing':
                parts.append(observer.local(number))
            if item == 'guards':
                parts.append(observer.read(number))
            if item == 'shared':
                parts.append(observer.shared())
            if item == 'enabled':
                parts.append(observer.enabled(number))
        if not items:
            items = ['nothing']
        lines.append(f"observe {name}: {', '.join(items)};")
        agents[name] = joined(parts, count)
    if len(names) > 1 and rng.random() < 0.4:
        some = rng.sample(names, 2)
        lines.insert(0, f"agent both_of_them = {{{', '.join(some)}}};")
        agents['both_of_them'] = joined([agents[n] for n in some], count)
    if names and rng.random() < 0.5:
        some = rng.sample(sorted(agents), rng.randint(1, len(agents)))
        lines.append(f"group some_of_them = {{{', '.join(some)}}};")
        groups.append(('some_of_them', some))
    return lines, agents, groups


# --- comparison -------------------------------------------------------------

def run(varabs, path, texts, *more):
    """(exit status, result, messages)"""
    given = [word for text in texts for word in ('--query', text)]
    done = subprocess.run([varabs, 'check', path, '--json', '-', *given,
                           *more], capture_output=True, text=True,
                          timeout=60)
    return done.returncode, \
        json.loads(done.stdout) if done.stdout else None, done.stderr


def state_number(replay, trace):
    """The last state of a trace, as a number of the oracle."""
    last = trace['states'][-1]
    for number in range(len(replay.graph.states)):
        state = replay.state_text(number)
        values = last['values'].items()    # without parameters
        if state['locations'] == last['locations'] and \
                all(state['values'][name] == value for name, value in values):
            return number
    return None


def wrong_pair(replay, agents, entry):
    """What is wrong with the states that are shown to be the same."""
    pair = entry.get('epistemic')
    if not pair or 'other' not in pair or 'trace' not in entry:
        return None
    one, other = (state_number(replay, trace)
                  for trace in (entry['trace'], pair['other']))
    if one is None or other is None:
        return 'a state is not reachable'
    seen = agents[pair['agent']]
    if seen[one] != seen[other]:
        return f"{pair['agent']} can tell the states apart"
    values = values_at(replay.graph, pair, (one, other))
    if values and values[0] == values[1]:
        return 'the values are the same'
    if values and values != pair.get('values', [True, False]):
        return f"the values are {values}"
    return None


def values_at(graph, pair, states):
    """Of what an agent does not know, in some states; None if that is no
    expression of the state."""
    kind = 'sup: ' if 'values' in pair else 'E<> '
    try:
        query = parse_query(kind + pair['expression'], graph.network.model.names)
        found = graph.evaluate((query.values or query.predicates)[0],
                               kind == 'E<> ')
    except ModelError:
        return None
    return [found[n] for n in states]


def question(rng, seed, fails=False):
    """(XML text, network, exploration, graph, atoms, numbers of processes
    that can be named)"""
    model = None
    if rng.random() < 0.6:
        text = Small(rng).text
    else:
        model, _ = build(seed)
        text = text_of(model)
    if fails:
        text, _ = failing(rng, text)
    network = load_network(io.StringIO(text))
    explored = explore(network, MOST_STATES)
    numbers = {p.name: i for i, p in enumerate(network.processes)}
    if not model:
        atoms = Atoms(rng, network, explored)
    else:
        atoms = Names(rng, model, network, explored)
        numbers = {name: numbers[name] for template in model.templates
                   for name in template.processes
                   if not QueryGen.scalar_set(template)}
    return text, network, explored, Graph(network, explored), atoms, numbers


def trials(seed, rng):
    """Options, those of the first trial with traces; those of the last may leave
    formulas open."""
    yield ['--trace']
    yield ['--jobs', '2', '--first-look', '3']
    yield ['--interpret', '--trace']
    yield ['--engine', 'symbolic', '--trace']
    yield ['--engine', 'symbolic', '--shuffle', str(seed + 1), '--trace']
    limit = rng.choice([['--max-memory', f"{rng.randrange(20, 3000)}K"],
                        ['--timeout', f"{rng.random() / 50:.5f}"]])
    yield ['--engine', rng.choice(['explicit', 'symbolic', 'auto']),
           '--first-look', '1', '--trace', *limit]


def is_limited(more):
    return '--timeout' in more or '--max-memory' in more


def other_witness(entry, first, more):
    """Whether sets show something else, where runs are wanted."""
    return '--trace' in more and not is_limited(more) and any(
        entry.get(key) != first.get(key) for key in ('trace', 'epistemic'))


def judge(task):
    """(seed, outcome, message)"""
    varabs, seed, keep, _ = task
    rng = random.Random(seed * 6700417 + 1)
    try:
        text, network, explored, graph, atoms, nameable = question(rng, seed)
    except Budget:
        return seed, 'large', ''
    gen = FormulaGen(rng, network, graph, atoms)
    lines, agents, groups = make_agents(rng, graph, atoms, nameable)
    gen.agents, gen.groups = agents, groups
    if not agents:
        return seed, 'large', ''
    checker = Judge(graph, agents)
    replay = Replay(network, explored, graph)
    texts, verdicts = [], []
    while len(texts) < FORMULAS:
        text_of_formula, tree = gen.whole()
        if not is_formula(tree) or len(text_of_formula) > 2000:
            continue
        texts.append(text_of_formula)
        try:
            verdicts.append('satisfied' if checker.holds(tree)[0]
                            else 'violated')
        except Problem:
            verdicts.append('unknown')
        except ModelError as error:
            return seed, 'large', str(error)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(keep or folder, f'{seed}.xml')
        with open(path, 'w', encoding='utf-8') as file:
            way = [None, 'global', *WAYS][seed % 6] # given, or in the model
            file.write(with_declarations(text, lines, way) if way else text)
        declared = [' '.join(lines)] if lines and not way else []
        outcome, first = 'passed', None
        for more in trials(seed, rng):
            try:
                status, result, messages = run(varabs, path, declared + texts,
                                               *more)
            except subprocess.TimeoutExpired:
                return seed, 'slow', ''
            if status == 4 and '--engine symbolic' in messages:
                outcome = 'explicit'
                continue
            if status == 4:
                return seed, 'refused', messages.strip()
            if not result and is_limited(more) and status == 5:
                continue
            if not result:
                return seed, 'failed', f"status {status}: {messages}"
            first = first or result['queries']
            for formula, verdict, entry, shown in zip(
                    texts, verdicts, result['queries'], first):
                wrong = None
                if 'symbolic' in more and other_witness(entry, shown, more):
                    wrong = 'another run is shown'
                if entry['verdict'] != verdict and not (
                        is_limited(more) and entry['verdict'] == 'unknown'):
                    wrong = f"{entry['verdict']}, expected {verdict}"
                wrong = wrong or wrong_pair(replay, agents, entry)
                if wrong:
                    return seed, 'failed', \
                        f"{' '.join(more)}: {wrong}: {formula}\n" \
                        f"    with {' '.join(lines)}"
        if keep:
            os.remove(path)
    return seed, outcome, ''


if __name__ == '__main__':
    seeds.main(judge, __doc__, 1 / 3)
