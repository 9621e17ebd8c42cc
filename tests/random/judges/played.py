"""Plays strategies of mixed abstractions in the original, as `varabs check --concretize` and `varabs
decide` say that they did.

Rules are read as text. A move is that of the original's edges with its places and selects; those that
it cannot tell apart are left out. Where a player has no such move, whatever it has is tried.
"""

import itertools
import re
from judges import plans
from judges.plans import Unclear, Wrong
from judges.strategies import Play, fixpoint


class OriginalPlan(plans.Plan):
    """The rules of a strategy of an abstraction; choices(n) are all that may be meant at state n."""

    def origins(self, process, entry):
        """Edges of the original that the move may be, and whether it is one action of them."""
        it = self.network.processes[process]
        action = entry.get('action', '')
        edges = [edge for edge in it.template.edges if edge.source in it.number and
                 it.location_name(it.number[edge.source]) == entry['source']]
        named = [edge for edge in edges if ['@action', action] in edge.marks]
        if named:
            return named, True
        number = re.fullmatch(r'edge_(\d+)', action)
        if number:
            return [edge for edge in edges if edge.index == int(number[1]) - 1], False
        way = entry.get('channel', '')[-1:]
        return [edge for edge in edges if edge.target in it.number and
                it.location_name(it.number[edge.target]) == entry['target'] and
                (edge.text.get('synchronisation') or '').strip()[-1:] == way], False

    def move(self, process, entry):
        """Its names as the game has them."""
        if entry is None:
            return None
        edges, named = self.origins(process, entry)
        if not named and len(edges) != 1:
            raise Unclear(str(entry))
        names = {(edge.source, entry['action']) if named else edge.index for edge in edges}
        return names, set(entry['selects'].items())

    def pick(self, decider, said, options):
        """What is chosen, one of the options, or any of several."""
        if said is None:
            return [None] if None in options else options
        names, selects = said
        found = [move for move in options if move and move[1] in names]
        found = [move for move in found if selects == set(move[2])] or \
            [move for move in found if selects < set(move[2])]
        if found:
            return found[:1]
        return [None] if None in options and decider[1] is None else options

    def choices(self, n):
        result = {(process, None): [None] for process in self.play.players}
        same = self.same(n)
        options = self.play.options(lambda player: same[player])
        for decider in options:
            if self.offered(decider, n):
                result[decider] = self.pick(decider, self.say(decider, n), options[decider])
        for values in itertools.product(*result.values()):
            yield dict(zip(result, values))

    def outcomes(self, starts, is_over, is_next):
        targets, todo = {}, list(starts)
        while todo:
            n = todo.pop()
            if n in targets:
                continue
            if is_over(n) or is_next and n not in starts:
                targets[n] = [n]
                continue
            targets[n] = sorted({m for choice in self.choices(n)
                                 for m in self.play.outcome(n, choice)})
            todo += targets[n]
        return targets


def inner(tree):
    """The coalition that a formula is about, or is the negation of; None if it is another formula."""
    while tree[0] == 'not':
        tree = tree[1]
    return tree if tree[0] == 'able' else None


def why_not(found, tree, judge):
    """What is wrong with what is said of a strategy, or None; and what is said, to be counted."""
    said = found.get('in_original')
    if said is None:
        return None, 'nothing'
    if said['outcome'] == 'not checked':
        return None, said.get('reason') or said['limit']
    if said['outcome'] == 'fails':
        return 'the strategy is said to fail in the original', 'fails'
    tree = inner(tree)
    if tree is None:
        return 'there is a strategy of no coalition', 'wins'
    op, parts, _ = judge.goal(tree)
    names, modes = tree[2:4]
    players = {number: name for name in names for number in judge.minds[name]}
    p, q = parts[0], parts[-1]
    over = {'X': lambda n: False, 'F': lambda n: p[n], 'G': lambda n: False, 'U': lambda n: q[n],
            'W': lambda n: q[n], 'R': lambda n: q[n] and p[n]}[op]
    try:
        plan = OriginalPlan(found['strategy'], Play(judge.game, players, modes), judge.agents)
        starts = sorted(judge.same(names, False)[0]) if 'subjective' in modes and names else [0]
        targets = plan.outcomes(starts, over, op == 'X')
    except (Unclear, KeyError):    # KeyError: processes have other names in the abstraction
        return None, 'wins, unclear to the judge'
    except Wrong as wrong:
        return f"strategy in the original: {wrong}", 'wins'

    def step(now, n):
        return all(now[m] for m in targets.get(n, [n]))
    holds = fixpoint(op, parts, len(p), step)
    if not all(holds[n] for n in starts):
        return 'the strategy does not do in the original what it is for', 'wins'
    return None, 'wins'
