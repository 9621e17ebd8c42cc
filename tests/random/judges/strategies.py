#!/usr/bin/env python3
"""Random test: what coalitions can bring about, against the oracle.

usage: strategies.py --varabs PROGRAM --seeds A..B [--jobs N] [--keep DIR]

For every seed a small network of agents, for every fifth one of a kind in
which it matters what a failure is due to, is explored by the oracle.  With
imperfect information all uniform strategies are played, one after the other,
and whether all runs of one do what the formula wants is a plain fixpoint; with
perfect information every choice of every state is tried in each round.
`varabs check` must give the same verdicts, in every mode, and the strategies
that it shows must win here, too.  By sets of states it may refuse a formula that
its bounds leave open, but must say the same of all others.
"""

import io
import itertools
import math
import os
import random
import subprocess
import tempfile
import re
from generators.gen_knowledge import Atoms, Small
from generators.gen_moves import Detour
from judges.knowledge import BINARY, FormulaGen, Judge, Observer, Problem, joined, \
    make_agents, run
from judges import plans
from tools import seeds
from generators.small_models import xml
from oracle.uppaal_query import Graph
from oracle.uppaal_run import explore, load_network
from oracle.uppaal_runtime import Budget

MOST_STATES = 40
MOST_STRATEGIES = 3000
FORMULAS = 10
MODES = ('Ir', 'subjective', 'wait', 'active')


class Large(Exception):
    """Too many strategies to try them all."""


# --- moves ------------------------------------------------------------------

class Game:
    """What processes can do in each state, and what comes of it."""

    def __init__(self, graph, explored):
        self.graph, self.network = graph, graph.network
        self.steps = explored.steps
        self.numbers = explored.states
        self.offers = [self.offer(state) for state in graph.states]

    def move(self, path, values):
        """What an agent chooses when it takes an edge; None: nature does. What is selected
        behind a branchpoint is nature's, too."""
        edge = path.edges[0]
        name, natural = edge.index, []
        for mark in edge.marks:
            if mark == ['@nature']:
                return None
            if mark[0] == '@nature':
                natural.append(mark[1])
            if mark[0] == '@action':
                name = edge.source, mark[1]
        selects = dict(zip(path.select_names[:len(edge.selects)], values))
        return path.process, name, tuple(sorted(
            item for item in selects.items() if item[0] not in natural))

    def offer(self, state):
        """{process: moves that are possible}, and what it can receive by
        channel."""
        network = self.network
        network.load(state)
        own, received = {}, {}
        for number, process in enumerate(network.processes):
            for path in process.paths[state[number]]:
                found = []
                path.enabled(found, [], path)
                for _, values, channel in found:
                    move = self.move(path, values)
                    if move is None:
                        continue
                    if path.mark == '?':
                        received.setdefault((number, channel),
                                            set()).add(move)
                    else:
                        own.setdefault(number, set()).add(move)
        return own, received


class Play:
    """One coalition with its modes."""

    def __init__(self, game, players, modes):
        self.game, self.players, self.modes = game, players, modes
        self.count = len(game.offers)

    def options(self, states):
        """By decider: what can be chosen, if these states are one to it."""
        found = {}
        for player in self.players:
            moves, channels = set(), {}
            for state in states(player):
                own, received = self.game.offers[state]
                moves |= own.get(player, set())
                for (number, channel), some in received.items():
                    if number == player and 'active' in self.modes:
                        moves |= some
                    elif number == player:
                        channels.setdefault(channel, set()).update(some)
            if not moves or 'wait' in self.modes:
                moves = moves | {None}
            found[player, None] = sorted(moves, key=str)
            for channel, some in channels.items():
                if len(some) > 1:
                    found[player, channel] = sorted(some, key=str)
        return found

    def agrees(self, state, parts, choice):
        """Whether a step can happen, given {decider: choice}."""
        for place, (path, values, channel) in enumerate(parts):
            move = self.game.move(path, values)
            if path.process not in self.players or move is None:
                continue
            if place == 0 or 'active' in self.modes:
                if choice[path.process, None] != move:
                    return False
                continue
            chosen = choice.get((path.process, channel))
            possible = self.game.offers[state][1][path.process, channel]
            if chosen is not None and chosen in possible and chosen != move:
                return False
        return True

    def outcome(self, state, choice):
        targets = [self.game.numbers[target]
                   for parts, target in self.game.steps[state]
                   if self.agrees(state, parts, choice)]
        return targets or [state]

    def profiles(self, options):
        keys = list(options)
        for values in itertools.product(*options.values()):
            yield dict(zip(keys, values))


def goal(op, parts, now, step):
    """The equation of a goal at state n; step: whether the next one is in."""
    p, q = parts[0], parts[-1]
    return {'X': lambda n: step(p, n),
            'F': lambda n: p[n] or step(now, n),
            'G': lambda n: p[n] and step(now, n),
            'U': lambda n: q[n] or p[n] and step(now, n),
            'W': lambda n: q[n] or p[n] and step(now, n),
            'R': lambda n: q[n] and (p[n] or step(now, n))}[op]


def fixpoint(op, parts, count, step):
    now, before = [op in 'GWR'] * count, None
    while now != before:
        before = now
        rule = goal(op, parts, before, step)
        now = [rule(n) for n in range(count)]
    return now


class StrategyJudge(Judge):
    """Truth of formulas with coalitions."""

    def __init__(self, graph, agents, game, minds):
        super().__init__(graph, agents)
        self.game, self.minds = game, minds    # {agent: its processes}

    def goal(self, tree):
        """(operator, sets of states, whether it is to fail) of a coalition."""
        _, op, names, modes, is_dual, *parts = tree
        parts = [self.holds(part) for part in parts]
        if is_dual:
            parts = [[not p for p in part] for part in parts]
            p, q = parts[0], parts[-1]
            both = [a and b for a, b in zip(p, q)]
            op, parts = {'X': ('X', [p]), 'F': ('G', [p]),
                         'G': ('F', [p]), 'U': ('R', [p, q]),
                         'R': ('U', [p, q]), 'W': ('U', [q, both])}[op]
        return op, parts, is_dual

    def holds(self, tree):
        if tree[0] == 'able':
            op, parts, is_dual = self.goal(tree)
            able = self.able(op, *tree[2:4], parts)
            return [not v for v in able] if is_dual else able
        return super().holds(tree)

    def wrong_strategy(self, tree, entries):
        """What is wrong with a strategy that was printed, or None."""
        op, parts, _ = self.goal(tree)
        names, modes = tree[2:4]
        players = {number: name for name in names
                   for number in self.minds[name]}
        starts = [0]
        if 'subjective' in modes and names:
            starts = sorted(self.same(names, False)[0])
        return plans.why_not(entries, Play(self.game, players, modes),
                             self.agents, op, parts, starts, fixpoint)

    def able(self, op, names, modes, parts):
        players = {number: name for name in names
                   for number in self.minds[name]}
        play = Play(self.game, players, modes)
        same = [{n} for n in self.all]
        if 'subjective' in modes and names:
            same = self.same(names, False)
        if 'Ir' in modes or not players:
            found = self.perfect(op, play, parts)
            return [all(found[m] for m in same[n]) for n in self.all]
        found = [False] * len(self.all)
        for holds in self.uniform(op, play, parts):
            for n in self.all:
                found[n] = found[n] or all(holds[m] for m in same[n])
        return found

    def perfect(self, op, play, parts):
        profiles = []
        for n in self.all:
            options = play.options(lambda player: [n])
            if math.prod(map(len, options.values())) > MOST_STRATEGIES:
                raise Large
            profiles.append([play.outcome(n, choice)
                             for choice in play.profiles(options)])

        def step(now, n):
            return any(all(now[m] for m in targets) for targets in profiles[n])
        return fixpoint(op, parts, len(self.all), step)

    def uniform(self, op, play, parts):
        """By strategy: the states from which all its runs do it."""
        options, keys = {}, {}
        for player, name in play.players.items():
            seen = self.agents[name]
            for n in self.all:
                here = [m for m in self.all if seen[m] == seen[n]]
                one = play.options(lambda other: here if other == player
                                   else [])
                for (other, channel), moves in one.items():
                    if other == player:
                        options[player, channel, seen[n]] = moves
                        keys.setdefault((player, channel), seen)
        if math.prod(map(len, options.values())) > MOST_STRATEGIES:
            raise Large
        names = list(options)
        for values in itertools.product(*options.values()):
            chosen, targets = dict(zip(names, values)), []
            for n in self.all:
                choice = {key: chosen[(*key, seen[n])]
                          for key, seen in keys.items()
                          if (*key, seen[n]) in chosen}
                targets.append(play.outcome(n, choice))

            def step(now, n):
                return all(now[m] for m in targets[n])
            yield fixpoint(op, parts, len(self.all), step)


# --- networks and formulas --------------------------------------------------

class Marked(Small):
    """A small network in which some choices are left to nature, behind
    branchpoints, too, and some channels depend on the state."""

    is_rich = True

    def __init__(self, rng):
        self.array = None
        if self.is_rich and rng.random() < 0.3:
            self.array = rng.choice(('chan', 'broadcast chan'))
        super().__init__(rng)
        if self.array:
            first, *rest = self.parts
            self.text = xml(f"{first}\n{self.array} e[2];", *rest)

    def index(self):
        name = self.rng.choice(sorted(self.types))
        return self.rng.choice(('0', '1', f"({name} == 0 ? 0 : 1)", name))

    def template(self, name):
        name, parameter, local, locations, edges = super().template(name)
        rng = self.rng
        if self.is_rich and rng.random() < 0.15:
            places = [place[0] for place in locations]
            edges.append((rng.choice(places), 'X', {}))
            edges += [('X', rng.choice(places), {'probability': '1'})
                      for _ in range(2)]
            locations = [*locations, 'X^']
        for number, (source, target, labels) in enumerate(edges):
            marks = []
            if 'synchronisation' in labels and self.array \
                    and rng.random() < 0.6:
                way = labels['synchronisation'][-1]
                labels['synchronisation'] = f"e[{self.index()}]{way}"
            if rng.random() < 0.08:
                marks.append('@nature')
            if 'select' in labels and rng.random() < 0.2:
                marks.append('@nature i')
            if 'synchronisation' not in labels and rng.random() < 0.15:
                marks.append('@action a')
            if marks:
                labels = {**labels, 'comments': '\n'.join(marks)}
            edges[number] = source, target, labels
        return name, parameter, local, locations, edges


class StrategyGen(FormulaGen):
    """Formulas in which coalitions are frequent."""

    minds = {}
    detour = None    # the network, if it was made for a question

    def coalition(self):
        rng, names, taken = self.rng, [], set()
        for name in rng.sample(sorted(self.agents), len(self.agents)):
            if taken.isdisjoint(self.minds[name]) and \
                    (rng.random() < 0.5 or not names and rng.random() < 0.9):
                names.append(name)
                taken |= set(self.minds[name])
        modes = [mode for mode in MODES if rng.random() < 0.2]
        return names, modes

    def able(self, depth):
        rng = self.rng
        names, modes = self.coalition()
        is_dual = rng.random() < 0.15
        head = ', '.join(names) + ('; ' + ', '.join(modes) if modes else '')
        head = f"[[{head}]]" if is_dual else f"<<{head}>>"
        if rng.random() < 0.7:
            op = rng.choice('XFFFGGG')
            text, tree = self.formula(depth - 1)
            return f"{head} {op} ({text})", \
                ('able', op, names, modes, is_dual, tree)
        op = rng.choice(BINARY)
        (a, left), (b, right) = (self.formula(depth - 1) for _ in range(2))
        return f"{head} ({a} {op} {b})", \
            ('able', op, names, modes, is_dual, left, right)

    def formula(self, depth):
        if depth > 0 and self.rng.random() < 0.35:
            return self.able(depth)
        return super().formula(depth)

    def whole(self):
        if self.detour and self.rng.random() < 0.5:
            op, text = self.detour.formula()
            text, tree = self.parsed(text)
            return f"<<P>> {op} {text}", ('able', op, ['P'], [], False, tree)
        return self.able(self.rng.choice([1, 1, 1, 2, 2, 3]))


def minds_of(network, agents, lines):
    numbers = {p.name: i for i, p in enumerate(network.processes)}
    minds = {name: [numbers[name]] for name in agents if name in numbers}
    for line in lines:
        found = re.fullmatch(r'agent (\w+) = \{(.*)\};', line)
        if found:
            minds[found[1]] = [numbers[n] for n in found[2].split(', ')]
    return minds


def question(gen, checker):
    """(text, verdict, tree) of a formula; None if it is too much."""
    text, tree = gen.whole()
    if len(text) > 1500:
        return None
    try:
        return text, 'satisfied' if checker.holds(tree)[0] else 'violated', tree
    except Problem:
        return text, 'unknown', tree
    except Large:
        return None


def judge(task):
    """(seed, outcome, message)"""
    varabs, seed, keep, _ = task
    rng = random.Random(seed * 7368787 + 5)
    made = Marked(rng) if seed % 5 else Detour(rng)
    text = made.text
    try:
        network = load_network(io.StringIO(text))
        explored = explore(network, MOST_STATES)
    except Budget:
        return seed, 'large', ''
    graph = Graph(network, explored)
    atoms = Atoms(rng, network, explored)
    nameable = {p.name: i for i, p in enumerate(network.processes)}
    gen = StrategyGen(rng, network, graph, atoms)
    if seed % 5:
        lines, gen.agents, gen.groups = make_agents(rng, graph, atoms, nameable)
    else:
        gen.detour, lines = made, ['observe P: local;', 'observe N: local;']
        gen.agents = {name: joined([Observer(graph).local(number)], len(graph.states))
                      for name, number in nameable.items()}
    gen.minds = minds_of(network, gen.agents, lines)
    checker = StrategyJudge(graph, gen.agents, Game(graph, explored), gen.minds)
    found = [question(gen, checker) for _ in range(FORMULAS)]
    found = [entry for entry in found if entry]
    if not found:
        return seed, 'large', ''
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(keep or folder, f'{seed}.xml')
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)
        wrong = compare(varabs, path, lines, found, checker, rng)
        if keep and not wrong:
            os.remove(path)
    return (seed, 'failed', wrong) if wrong else (seed, 'passed', '')


def by_sets(rng):
    """Options of the symbolic engine."""
    return rng.choice([[], ['--shuffle', str(rng.randrange(1, 1 << 31))]])


def trials(rng):
    """Options, and whether a limit may leave formulas open."""
    yield [], False
    yield ['--jobs', '2', '--first-look', '3'], False
    limit = rng.choice([['--tries', '1'], ['--tries', '3'],
                        ['--max-memory', f"{rng.randrange(20, 2000)}K"],
                        ['--timeout', f"{rng.random() / 100:.5f}"]])
    yield ['--first-look', '1', *limit], True


def differs_by_sets(varabs, path, lines, found, checker, rng):
    """What the symbolic engine says that is wrong, formula by formula."""
    declared = [' '.join(lines)] if lines else []
    for text, verdict, tree in found:
        status, result, messages = run(
            varabs, path, declared + [text], '--engine', 'symbolic', *by_sets(rng))
        if not result and status == 4 and '--engine symbolic' in messages:
            continue
        said = result['queries'][0]['verdict'] if result else messages
        wrong = f"{said}, expected {verdict}" if said != verdict else \
            result and 'strategy' in result['queries'][0] and \
            checker.wrong_strategy(tree, result['queries'][0]['strategy'])
        if wrong:
            return f"by sets: {wrong}: {text}\n    with {' '.join(lines)}"
    return None


def compare(varabs, path, lines, found, checker, rng):
    declared = [' '.join(lines)] if lines else []
    for more, is_limited in trials(rng):
        try:
            status, result, messages = run(
                varabs, path, declared + [text for text, *_ in found], *more)
        except subprocess.TimeoutExpired:
            return 'takes too long'
        if not result and is_limited and status == 5:
            continue
        if not result:
            return f"status {status}: {messages}"
        for (text, verdict, tree), entry in zip(found, result['queries']):
            is_open = is_limited and entry['verdict'] == 'unknown'
            if entry['verdict'] != verdict and not is_open:
                return f"{' '.join(more)}: {entry['verdict']}, expected " \
                       f"{verdict}: {text}\n    with {' '.join(lines)}"
            wrong = 'strategy' in entry and '--jobs' not in more and \
                checker.wrong_strategy(tree, entry['strategy'])
            if wrong:
                return f"{wrong}: {text}\n    with {' '.join(lines)}"
    return differs_by_sets(varabs, path, lines, found, checker, rng)


if __name__ == '__main__':
    seeds.main(judge, __doc__, 1 / 3)
