#!/usr/bin/env python3
"""Compare regions with zones, and with random runs whose clocks have rational
values, on random models.

usage: walks.py [--seeds A..B]
"""

import above  # noqa: F401
import argparse
import collections
import io
import random
import sys
from fractions import Fraction
from gen_timed import generate_timed
from network import load_timed
from regions import explored
from oracle.uppaal_parse import ModelError
from oracle.uppaal_runtime import Budget
from zones import explore_zones


def holds(values, condition):
    """Of values of clocks, of which the first is 0."""
    return any(all(values[i] - values[j] <= b // 2 if b & 1 else
                   values[i] - values[j] < b // 2 for i, j, b in conjunction)
               for conjunction in condition)


def region_of(space, values):
    """Written anew from the definition of regions."""
    own = list(zip(values[1:], space.top))
    classes = [min(2 * int(x) + (x != int(x)), top) for x, top in own]
    rest = [c != top for c, (_, top) in zip(classes, own)]
    fractions = [x - int(x) for x, _ in own]
    order = sorted({f for f, is_below in zip(fractions, rest) if f and is_below})
    ranks = [(order.index(f) + 1 if f else 0) if is_below else -1
             for f, is_below in zip(fractions, rest)]
    differences = []
    for x, y, most in space.pairs:
        d = values[x + 1] - values[y + 1]
        whole = d.numerator // d.denominator
        differences.append(max(-most, min(most, 2 * whole + (d != whole))))
    return tuple(classes), tuple(ranks), tuple(differences)


def delayed(rng, spot, values):
    """Values after a random delay, or the same."""
    if spot.is_still or not holds(values, spot.invariant):
        return values
    by = Fraction(rng.randint(1, 16), rng.choice((1, 2, 3, 4, 5, 8)))
    later = values[:1] + [x + by for x in values[1:]]
    return later if holds(later, spot.invariant) else values


def walk(rng, network, dense, found, length=25):
    """What is wrong with a random run, or None."""
    values, state = [Fraction(0)] * len(network.clocks), network.initial
    for _ in range(length):
        at = (state, region_of(dense.space, values))
        if at not in found.numbers:
            return f"not reached: {dense.show(at)}"
        spot = network.spot(state)
        if rng.random() < 0.5:
            values = delayed(rng, spot, values)
            continue
        steps = []
        for step in spot.steps:
            after = list(values)
            for clock, value in step.sets:
                after[clock] = Fraction(value)
            if holds(values, step.condition) \
                    and holds(after, network.spot(step.target).invariant):
                steps.append((step, after))
        if network.has_priorities and steps:
            best = max(step.rank for step, _ in steps)
            steps = [each for each in steps if each[0].rank == best]
        if len(steps) != len(found.actions[found.numbers[at]]):
            return f"other steps: {dense.show(at)}"
        if steps:
            step, values = rng.choice(steps)
            state = step.target
    return None


def compare_seed(seed, walks=10, max_regions=3000):
    """(what is wrong or None, kind of comparison that was made)."""
    try:
        network = load_timed(io.StringIO(generate_timed(seed).text()))
        dense, found = explored(network, max_regions)
    except (ModelError, Budget) as error:
        return None, type(error).__name__
    for number in range(walks):
        wrong = walk(random.Random(f"{seed} {number}"), network, dense, found)
        if wrong:
            return wrong, 'wrong'
    try:
        zones = explore_zones(network)
    except ModelError:
        return None, 'no zones'
    if set(zones.spaces) != found.discrete():
        return "zones reach other states", 'wrong'
    return None, 'same'


def main():
    parser = argparse.ArgumentParser(description="Compare on random models.")
    parser.add_argument('--seeds', default='1..200')
    options = parser.parse_args()
    first, last = map(int, options.seeds.split('..'))
    kinds = collections.Counter()
    for seed in range(first, last + 1):
        wrong, kind = compare_seed(seed)
        kinds[kind] += 1
        if wrong:
            print(f"seed {seed}: {wrong}")
    print(dict(kinds))
    return 1 if kinds['wrong'] else 0


if __name__ == '__main__':
    sys.exit(main())
