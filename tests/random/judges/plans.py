"""Plays strategies that `varabs check --json` prints, by their rules alone.

Nothing is taken from how they were found: rules are read as text, each choice
must be one that the player has, the same wherever the player observes the same,
and the runs that are left must do what the formula wants.
"""

import re
from judges.knowledge import Observer
from oracle.uppaal_query import parse_query


class Wrong(Exception):
    """What is wrong with a strategy."""


class Unclear(Exception):
    """A condition that could mean the guards of several processes."""


class Plan:
    """The rules of a strategy; choice(n) is {decider: move} at state n."""

    def __init__(self, entries, play, agents):
        self.play, self.game, self.agents = play, play.game, agents
        self.graph, self.network = play.game.graph, play.game.network
        self.observer = Observer(self.graph)
        self.numbers = {p.name: i for i, p in enumerate(self.network.processes)}
        self.parts, self.known = {}, {}
        for entry in entries:
            process = self.numbers[entry['process']]
            if play.players.get(process) != entry['agent']:
                raise Wrong(f"{entry['process']} is no player of {entry['agent']}")
            self.parts[process, entry.get('receives')] = entry['rules']

    # conditions

    def guard(self, match, process, state):
        """Whether a guard of a player's agent holds, and the player is where
        it counts."""
        word, location, values, text = match.groups()
        values = [v.split(' = ') for v in (values or '').split(', ') if v]
        found = set()
        for number, agent in self.play.players.items():
            if agent != self.play.players[process]:
                continue
            it = self.network.processes[number]
            edges = [e for e in it.template.edges
                     if e.source in it.number and e.guard is not None]
            for edge, (source, test, _) in zip(edges, self.observer.tests(number)):
                if it.location_name(source) != location or \
                        plain(edge.text['guard']) != plain(text) or \
                        [name for name, _ in edge.selects] != [v[0] for v in values]:
                    continue
                is_here = state[number] == source
                self.network.load(state)
                found.add(is_here and bool(test(*(int(v[1]) for v in values))))
        if len(found) != 1:
            raise Unclear(text)
        return found.pop() == (word == 'yes')

    def fits(self, condition, process, n):
        state = self.graph.states[n]
        match = re.fullmatch(r'(yes|no) to the guard from (\w+)(?: with (.*?))?'
                             r': (.*)', condition)
        if match:
            return self.guard(match, process, state)
        if condition not in self.known:
            tree = parse_query('sup: ' + condition,
                               self.network.model.names).values[0]
            self.known[condition] = self.graph.evaluate(tree, False)
        return bool(self.known[condition][n])

    # moves

    def move(self, process, entry):
        if entry is None:
            return None
        it = self.network.processes[process]
        edge = next(e for e in it.template.edges if e.index == entry['edge'])
        names = it.location_name(it.number[edge.source])
        if names != entry['source']:
            raise Wrong(f"edge {entry['edge']} does not leave {entry['source']}")
        name = (edge.source, entry['action']) if 'action' in entry else edge.index
        return process, name, tuple(sorted(entry['selects'].items()))

    def say(self, decider, n):
        """What the rules say, or a player can do without any."""
        process, channel = decider
        name = None if channel is None else \
            self.network.channels[channel][0]
        for rule in self.parts.get((process, name), []):
            if all(self.fits(text, process, n) for text in rule['when']):
                return self.move(process, rule['move'])
        raise Wrong(f"no rule for {self.network.processes[process].name} in "
                    f"state {n}")

    def offered(self, decider, n):
        process, channel = decider
        own, received = self.game.offers[n]
        if channel is not None:
            return received.get((process, channel), set())
        moves = set(own.get(process, ()))
        if 'active' in self.play.modes:
            for (number, _), some in received.items():
                moves |= some if number == process else set()
        return moves

    def choice(self, n):
        """What is chosen at a state; wrong if no player could choose so."""
        result = {(process, None): None for process in self.play.players}
        same = self.same(n)
        options = self.play.options(lambda player: same[player])
        for decider in options:
            if not self.offered(decider, n):
                continue
            result[decider] = self.say(decider, n)
            if result[decider] not in options[decider]:
                raise Wrong(f"{result[decider]} cannot be chosen in state {n}")
        return result

    def same(self, n):
        """By player: the states that are one to it."""
        if 'Ir' in self.play.modes:
            return {player: [n] for player in self.play.players}
        return {player: [m for m in range(len(self.graph.states))
                         if self.agents[name][m] == self.agents[name][n]]
                for player, name in self.play.players.items()}

    def outcomes(self, starts, is_over, is_next):
        """{state: next states} of what is reached; over: it goes nowhere."""
        targets, todo, chosen = {}, list(starts), {}
        while todo:
            n = todo.pop()
            if n in targets:
                continue
            if is_over(n) or is_next and n not in starts:
                targets[n] = [n]
                continue
            choice = self.choice(n)
            for (process, channel), move in choice.items():
                if 'Ir' in self.play.modes or not self.offered((process, channel), n):
                    continue
                seen = self.agents[self.play.players[process]][n]
                if chosen.setdefault((process, channel, seen), move) != move:
                    raise Wrong(f"two choices of {process} that observes {seen}")
            targets[n] = self.play.outcome(n, choice)
            todo += targets[n]
        return targets


def plain(text):
    return re.sub(r'[\s()]', '', text)


def why_not(entries, play, agents, op, parts, starts, fixpoint):
    """What is wrong with a strategy for a goal, or None."""
    p, q = parts[0], parts[-1]
    over = {'X': lambda n: False, 'F': lambda n: p[n], 'G': lambda n: False,
            'U': lambda n: q[n], 'W': lambda n: q[n],
            'R': lambda n: q[n] and p[n]}[op]
    try:
        plan = Plan(entries, play, agents)
        targets = plan.outcomes(starts, over, op == 'X')
    except Wrong as wrong:
        return f"strategy: {wrong}"
    except Unclear:
        return None

    def step(now, n):
        return all(now[m] for m in targets.get(n, [n]))
    holds = fixpoint(op, parts, len(p), step)
    lost = [n for n in starts if not holds[n]]
    return f"strategy: it does not do from state {lost[0]}" if lost else None
