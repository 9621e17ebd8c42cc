"""What coalitions can bring about on a mixed model, in three values.

For certain, all uniform strategies on the mixed model are played, one after the other. Where a chosen
move is certain, it is taken; elsewhere the player takes any, or none if it may wait. A state may stay
unless some step that was let happen is certain. Perhaps, in each state by itself, some choice lets all
steps that are certain lead on, and one that may be there. Shares nothing with the program.
"""

import itertools
import math
from judges import strategies
from judges.strategies import Game, Large, StrategyJudge, fixpoint
from judges.three_values import MUST, SURE, ThreeValues, strength_of_edge, strength_of_step


class MixedGame(Game):
    """Moves by state, and how certain each of them is there; an edge that stands for several is no
    move, and its steps are none of its player's."""

    def __init__(self, graph, explored):
        self.strength = []
        super().__init__(graph, explored)

    def offer(self, state):
        """As before, and {(process, channel or None, move): strength}."""
        network, own, received, strength = self.network, {}, {}, {}
        network.load(state)
        for number, process in enumerate(network.processes):
            for path in process.paths[state[number]]:
                edge, found = path.edges[0], []
                if ['@some'] in edge.marks:
                    continue
                path.enabled(found, [], path)
                for _, values, channel in found:
                    move = self.move(path, values)
                    if move is None:
                        continue
                    place = received if path.mark == '?' else own
                    key = (number, channel) if path.mark == '?' else number
                    place.setdefault(key, set()).add(move)
                    key = number, channel if path.mark == '?' else None, move
                    strength[key] = max(strength.get(key, 0), strength_of_edge(edge))
        self.strength.append(strength)
        return own, received


class MixedPlay(strategies.Play):
    """One coalition on a mixed model."""

    def __init__(self, game, players, modes, failing):
        super().__init__(game, players, modes)
        self.failing = failing
        self.can_choose = lambda state, process, move: False
        self.is_active = 'active' in modes

    def may_options(self, states):
        """What may be chosen in the original, also what is no move here."""
        found = self.options(states)
        for player in self.players:
            if player in self.failing:
                for state in states(player):
                    for number, channel in self.game.offers[state][1]:
                        if number == player and not self.is_active:
                            some = self.game.offers[state][1][number, channel]
                            kept = set(found.get((player, channel), ())) | some | {None}
                            found[player, channel] = sorted(kept, key=str)
                found[player, None] = sorted({*found[player, None], None}, key=str)
        return found

    def offered(self, state, process, channel, move):
        """The strength of a move here, or None; in an active coalition, on any channel."""
        strength = self.game.strength[state]
        if channel is None and self.is_active:
            return max((s for (p, _, m), s in strength.items() if p == process and m == move),
                       default=None)
        return strength.get((process, channel, move))

    def look(self, state, choice, is_for_certain):
        """[(target, happens perhaps, happens certainly, goes on)] of the steps here."""
        found = []
        for parts, target in self.game.steps[state]:
            strength = strength_of_step(parts, self.players)
            if any(path.process in self.players and ['@some'] in path.edges[0].marks
                   for path, _, _ in parts):
                continue
            perhaps, certainly, goes_on = True, strength == MUST, strength >= SURE
            for place, (path, values, channel) in enumerate(parts):
                process, move = path.process, self.game.move(path, values)
                if process not in self.players or move is None:
                    continue
                if place == 0 or self.is_active:
                    if choice[process, None] == move:
                        continue
                    certainly = goes_on = False
                    here = self.offered(state, process, None, choice[process, None])
                    if not is_for_certain or 'wait' in self.modes or \
                            self.can_choose(state, process, choice[process, None]) or \
                            (here is not None and here >= SURE):
                        perhaps = False
                    continue
                chosen = choice.get((process, channel), move)
                if chosen == move:
                    continue
                here = self.offered(state, process, channel, chosen)
                perhaps &= here is None or here < SURE
                certainly &= here is None and process not in self.failing
                goes_on &= process not in self.failing and \
                    len(self.game.offers[state][1][process, channel]) == 1
            found.append((target, perhaps, certainly and perhaps, goes_on and perhaps))
        return [(self.game.numbers[target], *rest) for target, *rest in found]

    def outcome_for_certain(self, state, choice):
        steps = self.look(state, choice, True)
        targets = [target for target, perhaps, _, _ in steps if perhaps]
        return targets if any(goes_on for *_, goes_on in steps) else targets + [state]

    def may_lead(self, state, choices, now):
        """Whether some choice may lead to where it holds."""
        for choice in choices:
            steps = self.look(state, choice, False)
            if any(certainly and not now[target] for target, _, certainly, _ in steps):
                continue
            if any(perhaps and now[target] for target, perhaps, _, _ in steps) or \
                    now[state] and not any(goes_on for *_, goes_on in steps):
                return True
        return False


DUALS = {'X': 'X', 'F': 'G', 'G': 'F', 'U': 'R', 'R': 'U'}


class ThreeValuesAble(ThreeValues):
    """Also of formulas with coalitions; minds: {agent: its processes}."""

    def __init__(self, graph, explored, agents, lost, minds, failing):
        super().__init__(graph, explored, agents, lost)
        self.game, self.minds = MixedGame(graph, explored), minds
        self.failing = failing
        self.is_certain = not failing and all(
            strength_of_step(parts) == MUST for steps in explored.steps for parts, _ in steps) \
            and all(s == MUST for found in self.game.strength for s in found.values())

    def holds(self, tree):
        if tree[0] != 'able':
            return super().holds(tree)
        _, op, names, modes, is_dual, *parts = tree
        values = [self.holds(part) for part in parts]
        sure, perhaps = [v[0] for v in values], [v[1] for v in values]
        if not is_dual:
            return self.able(op, names, modes, sure), self.able(op, names, modes, perhaps, True)
        sure, perhaps = ([[not p for p in part] for part in side] for side in (perhaps, sure))
        if op == 'W':
            sure, perhaps = ([q, [a and b for a, b in zip(p, q)]] for p, q in (sure, perhaps))
        op = DUALS.get(op, 'U')
        return [not p for p in self.able(op, names, modes, perhaps, True)], \
            [not p for p in self.able(op, names, modes, sure)]

    def able(self, op, names, modes, parts, is_perhaps=False):
        players = {number: name for name in names for number in self.minds[name]}
        play = MixedPlay(self.game, players, modes, self.failing)
        sees_all = 'Ir' in modes or not players
        same = [{n} for n in self.all]
        if is_perhaps and self.is_certain and not any(name in self.lost for name in names):
            truth = StrategyJudge(self.graph, self.agents, self.game, self.minds)
            return truth.able(op, names, modes, parts)
        if is_perhaps:
            found = self.perhaps(op, play, parts, sees_all)
            if 'subjective' in modes:
                for _, full in self.classes(names, False):
                    same = [same[n] | full[n] & self.real for n in self.all]
            return [all(found[m] for m in same[n]) for n in self.all]
        if 'subjective' in modes and names:
            groups = [entry for entry, _ in self.classes(names, False)]
            same = [set().union(*(group[n] for group in groups)) for n in self.all]
        if sees_all:
            found = self.perfect(op, play, parts)
            return [all(found[m] for m in same[n]) for n in self.all]
        found = [False] * len(self.all)
        for holds in self.uniform(op, play, parts):
            found = [found[n] or all(holds[m] for m in same[n]) for n in self.all]
        return found

    def alike(self, player, name, n):
        seen = self.agents[name]
        return [m for m in self.all if seen[m] == seen[n]]

    def can_choose(self, play, state, process, move):
        """Whether a move can be chosen in the original wherever this is observed: it is enabled for
        certain in a real state that the player takes for this one, and it sees as much there."""
        name = play.players[process]
        lost = self.lost.get(name, [False] * len(self.all))
        return any((play.offered(m, process, None, move) or 0) >= SURE and not lost[m]
                   for m in self.alike(process, name, state) if m in self.real)

    def perhaps(self, op, play, parts, sees_all):
        choices = []
        for n in self.all:
            options = play.may_options(lambda player: [n] if sees_all else self.alike(
                player, play.players[player], n))
            if math.prod(map(len, options.values())) > strategies.MOST_STRATEGIES:
                raise Large
            choices.append(list(play.profiles(options)))
        return fixpoint(op, parts, len(self.all),
                        lambda now, n: play.may_lead(n, choices[n], now))

    def perfect(self, op, play, parts):
        outcomes = []
        for n in self.all:
            options = play.options(lambda player: [n])
            if math.prod(map(len, options.values())) > strategies.MOST_STRATEGIES:
                raise Large
            outcomes.append([play.outcome_for_certain(n, choice)
                             for choice in play.profiles(options)])
        return fixpoint(op, parts, len(self.all), lambda now, n: any(
            all(now[m] for m in targets) for targets in outcomes[n]))

    def uniform(self, op, play, parts):
        """By strategy: the states from which all its runs do it."""
        options, keys = {}, {}
        play.can_choose = lambda state, process, move: self.can_choose(play, state, process, move)
        for player, name in play.players.items():
            for n in self.all:
                here = self.alike(player, name, n)
                one = play.options(lambda other: here if other == player else [])
                for (other, channel), moves in one.items():
                    if other == player:
                        options[player, channel, self.agents[name][n]] = moves
                        keys.setdefault((player, channel), self.agents[name])
        if math.prod(map(len, options.values())) > strategies.MOST_STRATEGIES:
            raise Large
        names = list(options)
        for values in itertools.product(*options.values()):
            chosen, targets = dict(zip(names, values)), []
            for n in self.all:
                choice = {key: chosen[(*key, seen[n])] for key, seen in keys.items()
                          if (*key, seen[n]) in chosen}
                targets.append(play.outcome_for_certain(n, choice))
            yield fixpoint(op, parts, len(self.all),
                           lambda now, n: all(now[m] for m in targets[n]))
