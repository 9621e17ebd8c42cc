"""Truth in three values on a mixed model: what holds for certain in the original, and what may.

By the definitions alone, as fixpoints over lists of states; shares nothing with the program.
"""

from judges.knowledge import Judge, Problem, joined

MAY, SURE, MUST = range(3)


def strength_of_edge(edge):
    words = {mark[0] for mark in edge.marks}
    return MAY if '@may' in words else SURE if '@sure' in words else MUST


def is_either(edge):
    """Whether the process has some step of its own where this edge has one."""
    return ['@either'] in edge.marks and strength_of_edge(edge) == MAY


def strength_of_step(parts, players=()):
    """To who does not choose it: a player may choose what is not there."""
    return min(SURE if is_either(edge) and path.process not in players else strength_of_edge(edge)
               for path, _, _ in parts for edge in path.edges)


class ThreeValues:
    """A mixed model that was explored; agents by name, as tuples by state; by name of those that
    have lost something of what they observe of the original, in which states that counts."""

    def __init__(self, graph, explored, agents, lost):
        self.graph, self.agents, self.lost = graph, agents, lost
        self.all = range(len(graph.states))
        self.over, self.under = [], []
        for n in self.all:
            steps = [(strength_of_step(parts), explored.states[target])
                     for parts, target in explored.steps[n]]
            over = [target for _, target in steps]
            under = [target for strength, target in steps if strength == MUST]
            if not any(strength >= SURE for strength, _ in steps):
                over.append(n)
            if not steps:
                under.append(n)
            self.over.append(over)
            self.under.append(under)
        self.real = self.reached(self.under)
        self.judge = Judge(graph, agents)

    @staticmethod
    def reached(steps):
        """The states that steps lead to from the first one."""
        found, layer = {0}, [0]
        while layer:
            layer = [m for m in {m for n in layer for m in steps[n]} if m not in found]
            found.update(layer)
        return found

    def holds(self, tree):
        """(for certain, perhaps), each by state; raises Problem."""
        kind = tree[0]
        if kind == 'atom':
            found = self.graph.evaluate(tree[2], True)
            if None in found:
                raise Problem(tree[1])
            return found, found
        if kind == 'Kw':
            return self.knows_value(tree[1], tree[3])
        if kind in ('K', 'GK', 'GCK', 'DK'):
            return self.knows(kind, tree[1], self.holds(tree[2]))
        parts = [self.holds(part) for part in tree[1:]]
        sure, perhaps = [p[0] for p in parts], [p[1] for p in parts]
        if kind == 'not':
            return [not p for p in perhaps[0]], [not p for p in sure[0]]
        if kind == '&&':
            return tuple([p and q for p, q in zip(*side)] for side in (sure, perhaps))
        if kind == '||':
            return tuple([p or q for p, q in zip(*side)] for side in (sure, perhaps))
        if kind == 'imply':
            return [not p or q for p, q in zip(perhaps[0], sure[1])], \
                [not p or q for p, q in zip(sure[0], perhaps[1])]
        for_all = kind[0] == 'A'
        return self.path(kind, sure, self.over if for_all else self.under), \
            self.path(kind, perhaps, self.under if for_all else self.over)

    def path(self, kind, parts, steps):
        self.judge.next = steps
        return self.judge.path(kind, parts)

    def classes(self, names, joint):
        """By state: the sets of those that some agent, or all together, take it for; and of those
        that the original agents do as well, if these are real."""
        groups = [names] if joint else [[name] for name in names]
        found = []
        for group in groups:
            seen = joined([self.agents[name] for name in group], len(self.all))
            same = {}
            for n in self.all:
                same.setdefault(seen[n], set()).add(n)
            lost = {n for name in group for n in self.all
                    if name in self.lost and self.lost[name][n]}
            found.append(([same[seen[n]] for n in self.all],
                          [set() if n in lost else same[seen[n]] - lost for n in self.all]))
        return found

    def knows(self, kind, names, part):
        sure, perhaps = part
        classes = self.classes(names, kind == 'DK')
        known, may_know = [], []
        for n in self.all:
            here, real = {n}, {n}
            for same, full in classes:
                here |= same[n]
                real |= full[n] & self.real
            if kind == 'GCK':
                here, real = self.chains(n, classes, False), self.chains(n, classes, True)
            known.append(all(sure[m] for m in here))
            may_know.append(all(perhaps[m] for m in real))
        return known, may_know

    def chains(self, first, classes, is_real):
        """All that is reached from one state by being the same to some agent."""
        found, layer = {first}, {first}
        while layer:
            after = set()
            for same, full in classes:
                for n in layer:
                    after |= full[n] & self.real if is_real else same[n]
            layer = after - found
            found |= layer
        return found

    def knows_value(self, names, tree):
        values = self.graph.evaluate(tree, False)
        if None in values:
            raise Problem('value')
        (same, full), = self.classes(names, False)
        return [len({values[m] for m in same[n]}) == 1 for n in self.all], \
            [len({values[m] for m in {n} | full[n] & self.real}) == 1 for n in self.all]
