#!/usr/bin/env python3
"""Exact dense time by regions, and exploration with them.

usage: regions.py MODEL.xml [--max-states N] [--list]

A region is (classes, ranks, differences).  The class of a clock is 2k for the
value k, 2k + 1 for those between k and k + 1; above its greatest constant the
class stays the same.  Ranks order the fractions of those that are not above,
0 for none.  Differences are the classes of the differences that the model
compares, which the rest does not tell of clocks that are above.  Clocks that are
ignored are always above; none of their conditions may be asked.
"""

import above  # noqa: F401
import argparse
import sys
from collections import deque
from network import load_timed
from oracle.uppaal_parse import ModelError
from oracle.uppaal_runtime import Budget, exit_on_error


class Grow(Exception):
    """A constant was larger than was thought: begin again."""


class Caps:
    """The greatest constants of clocks and differences, by name; shared by
    models that are compared."""

    def __init__(self):
        self.clocks, self.pairs, self.reset = {}, {}, 0

    def see(self, network, spot):
        """Note the constants of a discrete state."""
        grown = False
        conditions = [step.condition for step in spot.steps + spot.errors]
        for condition in conditions + [spot.invariant]:
            for conjunction in condition:
                for i, j, b in conjunction:
                    grown |= self.atom(network.clocks[i], network.clocks[j],
                                       abs(b // 2))
        for step in spot.steps:
            for clock, value in step.sets:
                grown |= self.raise_to(network.clocks[clock], value)
                if value > self.reset:
                    self.reset, grown = value, True
        if grown:
            raise Grow

    def raise_to(self, name, value):
        if value <= self.clocks.get(name, -1):
            return False
        self.clocks[name] = value
        return True

    def atom(self, one, other, value):
        if one == '0' or other == '0':
            return self.raise_to(other if one == '0' else one, value)
        key, grown = tuple(sorted((one, other))), False
        if value > self.pairs.get(key, -1):
            self.pairs[key], grown = value, True
        return grown

    def cap(self, name):
        """Clocks that are compared with others are told apart further."""
        found = self.clocks.get(name, 0)
        for key, value in self.pairs.items():
            if name in key:
                found = max(found, value + self.reset + 1)
        return found


class Space:
    """The regions of the clocks of a network."""

    def __init__(self, network, caps, ignored=()):
        self.names = network.clocks[1:]
        self.top = [0 if name in ignored else 2 * caps.cap(name) + 1
                    for name in self.names]
        at = {name: i for i, name in enumerate(self.names)}
        self.pairs = [(at[a], at[b], 2 * d + 1) for (a, b), d
                      in sorted(caps.pairs.items())
                      if a in at and b in at and not {a, b} & set(ignored)]
        self.pair = {(a, b): n for n, (a, b, _) in enumerate(self.pairs)}
        self.holding, self.delays = {}, {}

    def initial(self):
        zeros = (0,) * len(self.names)
        return zeros, self.normal(zeros, zeros), (0,) * len(self.pairs)

    def is_above(self, classes, clock):
        return classes[clock] == self.top[clock]

    def normal(self, classes, ranks):
        """Ranks without gaps; -1 for what is above."""
        used = sorted({rank for clock, rank in enumerate(ranks)
                       if rank > 0 and not self.is_above(classes, clock)})
        new = {rank: number + 1 for number, rank in enumerate(used)}
        return tuple(-1 if self.is_above(classes, clock) else new.get(rank, 0)
                     for clock, rank in enumerate(ranks))

    def is_open(self, region):
        """Whether time can pass within the region."""
        return all(c % 2 or c == top for c, top in zip(region[0], self.top))

    def delay(self, region):
        """The next region, or None if there is no other."""
        if region in self.delays:
            return self.delays[region]
        classes, ranks, differences = region
        classes, ranks = list(classes), list(ranks)
        rest = [i for i in range(len(classes)) if not self.is_above(classes, i)]
        still = [i for i in rest if ranks[i] == 0]
        if not rest:
            found = None
        elif still:
            for i in rest:
                ranks[i] += 1
            for i in still:
                classes[i] += 1
        else:
            last = max(ranks[i] for i in rest)
            for i in rest:
                if ranks[i] == last:
                    classes[i] += 1
                    ranks[i] = 0
        if rest:
            found = (tuple(classes), self.normal(classes, ranks), differences)
        self.delays[region] = found
        return found

    def difference(self, classes, ranks, pair):
        """The class of x - y, or None if one of them is above."""
        x, y, most = pair
        if self.is_above(classes, x) or self.is_above(classes, y):
            return None
        found = 2 * (classes[x] // 2 - classes[y] // 2)
        found += (ranks[x] > ranks[y]) - (ranks[x] < ranks[y])
        return max(-most, min(most, found))

    def set(self, region, sets):
        """The region after clocks, numbered from 1, are set to values."""
        if not sets:
            return region
        classes, ranks, differences = map(list, region)
        for clock, value in sets:
            classes[clock - 1] = min(2 * value, self.top[clock - 1])
            ranks[clock - 1] = 0
        ranks = self.normal(classes, ranks)
        changed = {clock - 1 for clock, _ in sets}
        for number, (x, y, most) in enumerate(self.pairs):
            if x in changed or y in changed:
                found = self.difference(classes, ranks, self.pairs[number])
                if found is None:     # the one that was not set is above
                    found = -most if x in changed else most
                differences[number] = found
        return tuple(classes), ranks, tuple(differences)

    def holds(self, region, condition):
        key = (region, condition)
        if key not in self.holding:
            self.holding[key] = any(all(self.bound(region, *each)
                                        for each in conjunction)
                                    for conjunction in condition)
        return self.holding[key]

    def bound(self, region, i, j, b):
        """x_i - x_j below the bound b of constraints."""
        classes, _, differences = region
        if j == 0:
            value = classes[i - 1]
        elif i == 0:
            value = -classes[j - 1]
        elif (i - 1, j - 1) in self.pair:
            value = differences[self.pair[i - 1, j - 1]]
        else:
            value = -differences[self.pair[j - 1, i - 1]]
        if any(clock and not self.top[clock - 1] for clock in (i, j)):
            raise ModelError("a clock that is gone is tested")
        limit = 2 * (b // 2)
        return value <= limit if b & 1 else value < limit

    def kept(self, names, ignored=()):
        """The numbers of the clocks of these names."""
        return [None if name in ignored else self.names.index(name)
                for name in names]

    def project(self, region, kept, onto):
        """The region of some of the clocks, in the space `onto`."""
        classes, ranks, differences = region
        classes = tuple(0 if i is None else classes[i] for i in kept)
        found = []
        for x, y, _ in onto.pairs:
            found.append(differences[self.pair[kept[x], kept[y]]]
                         if (kept[x], kept[y]) in self.pair else
                         -differences[self.pair[kept[y], kept[x]]])
        return classes, onto.normal(classes, [
            0 if i is None else ranks[i] for i in kept]), \
            tuple(found)

    def show(self, region):
        """As text: x=1, 1<y<2, z>3, and the order of fractions."""
        classes, ranks, differences = region
        words = []
        for name, c, top in zip(self.names, classes, self.top):
            words.append(f"{name}>{c // 2}" if c == top else
                         f"{c // 2}<{name}<{c // 2 + 1}" if c % 2 else
                         f"{name}={c // 2}")
        order = sorted((rank, name) for rank, name in zip(ranks, self.names)
                       if rank > 0)
        if len(order) > 1:
            text = order[0][1]
            for (before, _), (rank, name) in zip(order, order[1:]):
                text += (' = ' if rank == before else ' < ') + name
            words.append(f"fractions {text}")
        words += [f"{self.names[x]}-{self.names[y]}~{d / 2}"
                  for (x, y, _), d in zip(self.pairs, differences)]
        return ' '.join(words)


class Dense:
    """A network with its regions: what is possible in (state, region)."""

    def __init__(self, network, caps, ignored=()):
        self.network, self.caps = network, caps
        self.space = Space(network, caps, ignored)
        self.seen = set()
        self.initial = (network.initial, self.space.initial())

    def spot(self, state):
        spot = self.network.spot(state)
        if state not in self.seen:
            self.caps.see(self.network, spot)
            self.seen.add(state)
        return spot

    def actions(self, at):
        """Steps [(Step, (target, region))] and errors [Step]."""
        state, region = at
        spot, space = self.spot(state), self.space
        found = []
        for step in spot.steps:
            if space.holds(region, step.condition):
                after = space.set(region, step.sets)
                if space.holds(after, self.spot(step.target).invariant):
                    found.append((step, (step.target, after)))
        if self.network.has_priorities and found:
            best = max(step.rank for step, _ in found)
            found = [each for each in found if each[0].rank == best]
        return found, [step for step in spot.errors
                       if space.holds(region, step.condition)]

    def delays(self, at):
        """(whether time can pass within the region, the next region where it
        can pass until then, or None)."""
        state, region = at
        spot = self.spot(state)
        if spot.is_still or not self.space.holds(region, spot.invariant):
            return False, None
        after = self.space.delay(region)
        if after is not None and not self.space.holds(after, spot.invariant):
            after = None
        return self.space.is_open(region), after

    def show(self, at):
        return f"{self.network.show(at[0])} | {self.space.show(at[1])}"


class TimedExploration:
    """Reachable (state, region), what is possible there, and counts."""

    def __init__(self):
        self.numbers, self.parents = {}, []
        self.actions, self.delays, self.errors = [], [], []
        self.error_count = self.transitions = 0

    def discrete(self):
        return {state for state, _ in self.numbers}

    def trace(self, number):
        found = [number]
        while self.parents[found[-1]] is not None:
            found.append(self.parents[found[-1]])
        return found[::-1]


def explore_dense(dense, max_states=200000, max_discrete=None):
    """Breadth-first search; raises Budget, and Grow."""
    result = TimedExploration()
    result.numbers[dense.initial] = 0
    result.parents.append(None)
    queue = deque([dense.initial])

    def add(at, number):
        if at not in result.numbers:
            if len(result.numbers) >= max_states:
                raise Budget(f"more than {max_states} regions")
            result.numbers[at] = len(result.numbers)
            result.parents.append(number)
            queue.append(at)

    while queue:
        at = queue.popleft()
        number = result.numbers[at]
        steps, errors = dense.actions(at)
        passing = dense.delays(at)
        result.actions.append(steps)
        result.delays.append(passing)
        result.errors.append(errors)
        result.error_count += len(errors)
        result.transitions += len(steps)
        for _, target in steps:
            add(target, number)
        if passing[1] is not None:
            add((at[0], passing[1]), number)
    return result


def explored(network, max_states=200000, caps=None):
    """The same, with constants as large as need be: (Dense, exploration)."""
    caps = caps or Caps()
    while True:
        try:
            dense = Dense(network, caps)
            return dense, explore_dense(dense, max_states)
        except Grow:
            continue


def main():
    parser = argparse.ArgumentParser(description="Explore a timed model.")
    parser.add_argument('model')
    parser.add_argument('--max-states', type=int, default=1000000)
    parser.add_argument('--list', action='store_true')
    options = parser.parse_args()
    with exit_on_error(options.model):
        dense, result = explored(load_timed(options.model), options.max_states)
    if options.list:
        for at, number in result.numbers.items():
            print(f"{number}: {dense.show(at)} {result.delays[number]}")
            for step, target in result.actions[number]:
                print(f"  to {result.numbers[target]}\n"
                      f"{dense.network.show_step(step.parts)}")
    print(f"regions {len(result.numbers)}\n"
          f"discrete {len(result.discrete())}\n"
          f"transitions {result.transitions}\nerrors {result.error_count}")
    return 0


if __name__ == '__main__':
    sys.exit(main())
