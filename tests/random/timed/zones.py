#!/usr/bin/env python3
"""Zones with local lower and upper bounds: a second opinion beside regions, and
counts to compare models by.

usage: zones.py MODEL.xml [--no-inclusion] [--max-zones N]

Prints the zones that are stored in the end, those that were visited on the way,
transitions, and discrete states.  Extrapolation is ExtraLU+; a model that
compares clocks with each other is refused.
"""

import above  # noqa: F401
import argparse
import sys
from collections import deque
from network import load_timed
from oracle.uppaal_compile import Scope
from oracle.uppaal_parse import ModelError
from oracle.uppaal_runtime import Budget, EvalError, exit_on_error

INF = 1 << 40
NONE = -(1 << 40)                # no bound at all
ZERO = 1                         # <= 0


def add(a, b):
    return INF if a >= INF or b >= INF else a + b - ((a & 1) | (b & 1)) \
        if not a & b & 1 else a + b - 1


class Bounds:
    """L and U of a process at a location, of all clocks."""

    def __init__(self, count):
        self.lower, self.upper = [NONE] * count, [NONE] * count

    def raise_to(self, other, without=()):
        changed = False
        for mine, theirs in ((self.lower, other.lower), (self.upper, other.upper)):
            for clock, value in enumerate(theirs):
                if clock not in without and value > mine[clock]:
                    mine[clock], changed = value, True
        return changed


class Later(Exception):
    """A bound was larger than was thought: begin again."""


class LocalBounds:
    """Static bounds of a network, propagated backwards in each process; what is
    no constant is found while exploring (see)."""

    def __init__(self, network):
        self.network, self.count = network, len(network.clocks)
        self.own = {}                # (process, location): Bounds
        self.edges = []              # (process, source, target, clocks set)
        self.found = {}              # while exploring
        for number, process in enumerate(network.processes):
            for at, location in enumerate(process.locations):
                self.own[number, at] = Bounds(self.count)
                if location.invariant is not None:
                    self.read(location.invariant, process.scope,
                              self.own[number, at])
            for at, paths in enumerate(process.paths):
                for path in paths:
                    self.path(number, process, at, path)
        self.settle()

    def path(self, number, process, at, path):
        sets = set()
        for edge in path.edges:
            scope = Scope(process.scope)
            for name, tree in edge.selects:
                scope.own[name] = _free(self.network.range_type(tree, scope))
            if edge.guard is not None:
                self.read(edge.guard, scope, self.own[number, at])
            for item in edge.update:
                if item[0] == 'asg' and self.network.has_clock(item[2], scope):
                    clock = self.value(('addr', item[2]), scope)
                    if clock is not None:
                        sets.add(clock)
        self.edges.append((number, at, path.target, sets))

    def settle(self):
        changed = True
        while changed:
            changed = False
            for number, source, target, sets in self.edges:
                changed |= self.own[number, source].raise_to(
                    self.own[number, target], sets)

    def value(self, tree, scope):
        """A compile-time value, or None."""
        network = self.network
        try:
            if tree[0] == 'addr':
                return int(eval(network.ex(tree[1], scope).code, network.env))
            return network.const_value(tree, scope)
        except (ModelError, NameError, EvalError):
            return None

    def read(self, tree, scope, bounds):
        """Collect the bounds of a condition that are constants."""
        network = self.network
        if not network.has_clock(tree, scope):
            return
        if tree[0] == 'bin' and tree[1] in ('<', '<=', '==', '>=', '>', '!='):
            left, right, op = tree[2], tree[3], tree[1]
            if network.has_clock(right, scope):
                left, right = right, left
                op = {'<': '>', '<=': '>=', '>': '<', '>=': '<='}.get(op, op)
            if left[0] not in ('name', 'idx'):
                return
            clock = self.value(('addr', left), scope)
            value = self.value(right, scope)
            if clock is not None and value is not None:
                if op not in ('<', '<='):
                    bounds.lower[clock] = max(bounds.lower[clock], value)
                if op not in ('>', '>='):
                    bounds.upper[clock] = max(bounds.upper[clock], value)
            return
        if tree[0] == 'quant':
            inner = Scope(scope)
            inner.own[tree[2]] = _free(network.range_type(tree[3], scope))
            self.read(tree[4], inner, bounds)
            return
        for part in tree[1:]:
            if isinstance(part, tuple):
                self.read(part, scope, bounds)

    def of(self, state):
        lower, upper = [NONE] * self.count, [NONE] * self.count
        for number in range(len(self.network.processes)):
            own = self.own[number, state[number]]
            lower = list(map(max, lower, own.lower))
            upper = list(map(max, upper, own.upper))
        return lower, upper

    def see(self, state, spot):
        """Bounds that are needed in a state and were not known."""
        grown = False
        for step in spot.steps:
            for path, _, _ in step.parts:
                grown |= self.need(path.process, state[path.process],
                                   step.condition, state)
        for number in range(len(self.network.processes)):
            grown |= self.need(number, state[number], spot.invariant, state)
        if grown:
            self.settle()
            raise Later

    def need(self, process, location, condition, state):
        lower, upper = self.of(state)
        own, grown = self.own[process, location], False
        for conjunction in condition:
            for i, j, b in conjunction:
                if i and j:
                    raise ModelError("clocks are compared with each other")
                clock, value = (i, b // 2) if i else (j, -(b // 2))
                sets, known = (own.upper, upper) if i else (own.lower, lower)
                if value > known[clock]:
                    sets[clock], grown = value, True
        return grown


def _free(kind):
    from oracle.uppaal_compile import Entry
    return Entry('value', kind, 'v_free')


class Zones:
    """Operations on difference bound matrices, as flat tuples."""

    def __init__(self, count):
        self.count = count

    def close(self, z):
        n = self.count
        for k in range(n):
            for i in range(n):
                ik = z[i * n + k]
                if ik >= INF:
                    continue
                for j in range(n):
                    kj = z[k * n + j]
                    if kj < INF:
                        total = add(ik, kj)
                        if total < z[i * n + j]:
                            z[i * n + j] = total
            if z[k * n + k] < ZERO:
                return False
        return True

    def bound(self, z, i, j, b):
        """z with one more bound, closed; False if it is empty."""
        n = self.count
        if b >= z[i * n + j]:
            return True
        if add(z[j * n + i], b) < ZERO:
            return False
        z[i * n + j] = b
        for k in range(n):
            ki = z[k * n + i]
            if ki >= INF:
                continue
            kij = add(ki, b)
            for m in range(n):
                jm = z[j * n + m]
                if jm < INF:
                    total = add(kij, jm)
                    if total < z[k * n + m]:
                        z[k * n + m] = total
        return True

    def meet(self, z, conjunction):
        z = list(z)
        for i, j, b in conjunction:
            if not self.bound(z, i, j, b):
                return None
        return z

    def up(self, z):
        n = self.count
        for i in range(1, n):
            z[i * n] = INF

    def set(self, z, clock, value):
        n = self.count
        for j in range(n):
            if j != clock:
                z[clock * n + j] = add(z[j], 2 * value + 1)
                z[j * n + clock] = add(z[j * n], -2 * value + 1)
        z[clock * n + clock] = ZERO

    def extrapolate(self, z, lower, upper):
        n, old = self.count, list(z)
        changed = False
        for i in range(n):
            for j in range(n):
                if i == j:
                    continue
                c = old[i * n + j]
                low = -(old[i] // 2)  # of clock i: the bound of 0 - x_i
                below = -(old[j] // 2)
                if i and (c < INF and c // 2 > lower[i] or low > lower[i]
                          or j and below > upper[j]):
                    new = INF
                elif not i and below > upper[j]:
                    new = 2 * -upper[j] if upper[j] > NONE else ZERO
                else:
                    continue
                if new != c:
                    z[i * n + j], changed = new, True
        if changed:
            self.close(z)


def includes(large, small):
    return all(a >= b for a, b in zip(large, small))


class ZoneResult:
    """stored, visited, transitions, discrete: the published figures."""

    def __init__(self, stored, visited, transitions, spaces):
        self.stored, self.visited = stored, visited
        self.transitions, self.spaces = transitions, spaces
        self.discrete = len(spaces)


def explore_zones(network, inclusion=True, max_zones=100000):
    """Breadth-first; raises Budget, and ModelError for differences."""
    bounds = LocalBounds(network)
    while True:
        try:
            return _explore(network, bounds, inclusion, max_zones)
        except Later:
            continue


def _delayed(zones, bounds, network, spot, state, z):
    """The zone as it is stored: invariant, time, extrapolation; or None."""
    if len(spot.invariant) != 1:
        if not spot.invariant:
            return None
        raise ModelError("an invariant with a disjunction of clocks")
    z = zones.meet(z, spot.invariant[0])
    if z is None:
        return None
    if not spot.is_still:
        zones.up(z)
        z = zones.meet(z, spot.invariant[0])
    zones.extrapolate(z, *bounds.of(state))
    return tuple(z)


def _explore(network, bounds, inclusion, max_zones):
    if network.has_priorities:
        raise ModelError("priorities in a timed model")
    zones, spaces, seen = Zones(len(network.clocks)), {}, {}
    transitions = visited = stored = 0

    def spot_of(state):
        if state not in seen:
            seen[state] = network.spot(state)
            bounds.see(state, seen[state])
        return seen[state]

    first = [ZERO] * zones.count ** 2
    start = _delayed(zones, bounds, network, spot_of(network.initial),
                     network.initial, first)
    spaces[network.initial] = [start]
    queue = deque([(network.initial, start)])
    stored = 1
    while queue:
        state, z = queue.popleft()
        if not any(each is z for each in spaces[state]):
            continue                  # covered meanwhile
        visited += 1
        for step in spot_of(state).steps:
            for conjunction in step.condition:
                after = zones.meet(z, conjunction)
                if after is None:
                    continue
                for clock, value in step.sets:
                    zones.set(after, clock, value)
                after = _delayed(zones, bounds, network, spot_of(step.target),
                                 step.target, after)
                if after is None:
                    continue
                transitions += 1
                known = spaces.setdefault(step.target, [])
                if inclusion:
                    if any(includes(each, after) for each in known):
                        continue
                    kept = [each for each in known if not includes(after, each)]
                    stored -= len(known) - len(kept)
                    known[:] = kept
                elif after in known:
                    continue
                known.append(after)
                stored += 1
                if stored > max_zones:
                    raise Budget(f"more than {max_zones} zones")
                queue.append((step.target, after))
    return ZoneResult(stored, visited, transitions, spaces)


def main():
    parser = argparse.ArgumentParser(description="Count zones.")
    parser.add_argument('model')
    parser.add_argument('--no-inclusion', action='store_true')
    parser.add_argument('--max-zones', type=int, default=1000000)
    options = parser.parse_args()
    with exit_on_error(options.model):
        found = explore_zones(load_timed(options.model),
                              not options.no_inclusion, options.max_zones)
    print(f"zones {found.stored}\nvisited {found.visited}\n"
          f"transitions {found.transitions}\ndiscrete {found.discrete}")
    return 0


if __name__ == '__main__':
    sys.exit(main())
