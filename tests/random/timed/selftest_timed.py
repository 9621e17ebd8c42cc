#!/usr/bin/env python3
"""Tests of the oracle for timed models: figures that are known, cases of its
semantics that are easily mistaken, and the labels that Uppaal takes.

usage: selftest_timed.py [unittest arguments]
"""

import above  # noqa: F401
import io
import unittest
from families import csma_cd, fischer, timed, train_gate
from folds import judge_fold
from gen_timed import generate_timed
from label_kinds import check
from network import load_timed
from regions import explored
from generators.small_models import guard, sync, update, xml
from timed_claims import TimedGraph
from timed_judge import compare_timed
from oracle.uppaal_parse import ModelError
from walks import compare_seed
from zones import explore_zones


def one(locations, edges, decls='clock x;', system='system P;', more=()):
    """A network of a process P, and other templates."""
    return timed(decls, [('P', '', '', locations, edges), *more], system)


def reached(network):
    """The names of the locations that the first process reaches."""
    process = network.processes[0]
    dense, found = explored(network)
    return {process.location_name(state[0]) for state in found.discrete()}


class Figures(unittest.TestCase):
    """Counts that TChecker and an older prototype agree on."""

    def zones(self, parts, *expected):
        for inclusion, figures in zip((True, False), expected):
            found = explore_zones(timed(*parts), inclusion)
            self.assertEqual((found.stored, found.visited, found.transitions,
                              found.discrete), figures)

    def test_fischer(self):
        self.zones(fischer(2), (18, 18, 26, 18), (18, 18, 26, 18))
        self.zones(fischer(3), (65, 71, 126, 65), (71, 71, 126, 65))
        self.zones(fischer(4), (220, 268, 552, 220), (292, 292, 576, 220))

    def test_train_gate(self):
        self.zones(train_gate(2), (56, 56, 84, 56), (56, 56, 84, 56))
        self.zones(train_gate(3), (765, 765, 1503, 765))

    def test_csma_cd(self):
        self.zones(csma_cd(2), (16, 16, 28, 12), (56, 56, 72, 12))
        self.zones(csma_cd(3), (70, 70, 147, 47), (391, 391, 757, 47))
        self.zones(csma_cd(4), (258, 258, 583, 166), (1979, 1979, 5103, 166))

    def test_regions(self):
        for n, regions, discrete in ((2, 241, 18), (3, 3458, 65)):
            _, found = explored(timed(*fischer(n, 2)))
            self.assertEqual((len(found.numbers), len(found.discrete())),
                             (regions, discrete))

    def test_strict_bound_excludes(self):
        for strictly, both in ((True, False), (False, True)):
            _, found = explored(timed(*fischer(2, 2, strictly)))
            self.assertEqual(any(state[:2] == (3, 3)
                                 for state in found.discrete()), both)


class Semantics(unittest.TestCase):
    """What is easily mistaken."""

    def test_between_integers(self):
        self.assertEqual(reached(one(['A', 'B'], [
            ('A', 'B', guard('x > 0 && x < 1'))])), {'A', 'B'})

    def test_bounds_contradict(self):
        self.assertEqual(reached(one(['A', 'B'], [
            ('A', 'B', guard('x > 1 && x < 1'))])), {'A'})

    def test_invariant_of_target(self):
        self.assertEqual(reached(one(['A', 'B:x <= 2'], [
            ('A', 'B', guard('x > 2'))])), {'A'})
        self.assertEqual(reached(one(['A', 'B:x <= 2'], [
            ('A', 'B', {**guard('x > 2'), **update('x = 1')})])), {'A', 'B'})

    def test_urgent_location(self):
        self.assertEqual(reached(one(['A~', 'B'], [
            ('A', 'B', guard('x > 0'))])), {'A'})

    def test_urgent_channel(self):
        other = ('Q', '', '', ['A', 'B'], [('A', 'B', sync('u?'))])
        edges = [('A', 'B', sync('u!')), ('A', 'C', guard('x > 0'))]
        for receiver, expected in ((other, {'A', 'B'}), (
                ('Q', '', '', ['A', 'B'], []), {'A', 'C'})):
            self.assertEqual(reached(one(
                ['A', 'B', 'C'], edges, 'clock x; urgent chan u;',
                'system P, Q;', [receiver])), expected)

    def test_urgent_asks_guards_only(self):
        """An edge whose target invariant fails still stops time."""
        other = ('Q', '', '', ['A', 'B:x < 0'], [('A', 'B', sync('u?'))])
        self.assertEqual(reached(one(
            ['A', 'B', 'C'], [('A', 'B', sync('u!')),
                              ('A', 'C', guard('x > 0'))],
            'clock x; urgent chan u;', 'system P, Q;', [other])), {'A'})

    def test_receiver_takes_part_if_its_clock_allows(self):
        other = ('Q', '', '', ['A', 'B'], [('A', 'B', {
            **guard('x >= 1'), **sync('b?'), **update('v = 1')})])
        network = one(['A', 'B', 'C'], [
            ('A', 'B', {**guard('x <= 1'), **sync('b!')}),
            ('B', 'C', guard('v == 0'))],
            'clock x; broadcast chan b; int[0,1] v;', 'system P, Q;', [other])
        _, found = explored(network)
        ends = {(state[0], state[2]) for state in found.discrete()}
        self.assertEqual(ends, {(0, 0), (1, 0), (1, 1), (2, 0)})
        network.spots.clear()
        self.assertEqual(set(explore_zones(network).spaces), found.discrete())

    def test_last_set_wins(self):
        self.assertEqual(reached(one(['A', 'B', 'C'], [
            ('A', 'B', update('x = 3, x = 1')),
            ('B', 'C', guard('x < 3 && x == y + 1'))],
            'clock x, y;')), {'A', 'B', 'C'})

    def test_arrays_and_parameters(self):
        template = ('T', 'clock &c, const int k', '', ['A:c <= k', 'B'],
                    [('A', 'B', {**guard('c >= k'), **update('reset(c, k)')})])
        network = timed(
            'clock x[2]; void reset(clock &c, int k) { c = k + 1; }', [template],
            'P = T(x[0], 1); Q = T(x[1], 2); system P, Q;')
        self.assertEqual(network.clocks, ['0', 'x[0]', 'x[1]'])
        _, found = explored(network)
        self.assertEqual({state[:2] for state in found.discrete()},
                         {(0, 0), (1, 0), (1, 1)})

    def test_differences_of_clocks_that_are_above(self):
        network = one(['A', 'B', 'C'], [
            ('A', 'B', {**guard('x > 2'), **update('y = 0')}),
            ('B', 'C', guard('y > 9 && x - y < 3 && x - y > 2'))],
            'clock x, y;')
        self.assertEqual(reached(network), {'A', 'B', 'C'})
        self.assertEqual(reached(one(['A', 'B', 'C'], [
            ('A', 'B', {**guard('x > 2'), **update('y = 0')}),
            ('B', 'C', guard('y > 9 && x - y <= 2'))], 'clock x, y;')),
            {'A', 'B'})

    def test_quantifier(self):
        self.assertEqual(reached(one(['A', 'B'], [
            ('A', 'B', guard('forall (i : int[0,1]) b[i] imply x[i] > 1'))],
            'clock x[2]; bool b[2] = {false, true};')), {'A', 'B'})


class Judging(unittest.TestCase):
    """Simulation in dense time."""

    def verdict(self, left, right, mode, **more):
        return set(compare_timed(one(*left, **more), one(*right), (), mode,
                                 ).failures)

    def test_same_at_integers_only(self):
        """At 0 or 1 is not at most 1: integer points see no difference."""
        left = ['A', 'B'], [('A', 'B', guard('x <= 1'))]
        right = ['A', 'B'], [('A', 'B', guard('x == 0')),
                             ('A', 'B', guard('x == 1'))]
        self.assertEqual(self.verdict(left, right, 'may'), {'may'})
        self.assertEqual(self.verdict(right, left, 'may'), set())
        self.assertEqual(self.verdict(right, left, 'exact'), {'exact'})
        self.assertEqual(self.verdict(left, right, 'must'), set())
        self.assertEqual(self.verdict(right, left, 'must'), {'must'})

    def test_delays_are_compared(self):
        left, right = (['A'], []), (['A:x <= 2'], [])
        self.assertEqual(self.verdict(left, right, 'may'), {'delay'})
        self.assertEqual(self.verdict(right, left, 'may'), set())
        self.assertEqual(self.verdict(right, left, 'exact'), {'exact-delay'})
        self.assertEqual(self.verdict(right, left, 'must'), {'must'})
        self.assertEqual(self.verdict(left, right, 'must'), set())
        self.assertEqual(self.verdict((['A~'], []), left, 'must'), {'must'})
        self.assertEqual(self.verdict(left, (['A~'], []), 'may'), {'delay'})
        self.assertEqual(self.verdict((['A:x < 2'], []), right, 'exact'),
                         {'exact-delay'})

    def test_clock_that_is_gone(self):
        left = one(['A:x < 1', 'B'], [('A', 'B', guard('y > 0'))], 'clock x, y;')
        right = one(['A', 'B'], [('A', 'B', guard('y > 0'))], 'clock y;')
        self.assertFalse(compare_timed(left, right, ['x']).failures)
        self.assertEqual(set(compare_timed(left, right, ['x'], 'exact').failures),
                         {'exact-delay'})
        right = one(['A', 'B'], [('A', 'B', {})], '')
        self.assertFalse(compare_timed(left, right, untime=True).failures)
        right = one(['A~', 'B'], [('A', 'B', {})], '')
        self.assertEqual(set(compare_timed(left, right, untime=True).failures),
                         {'delay'})

    def test_clock_that_nothing_tests(self):
        left = one(['A:x < 1', 'B'], [('A', 'B', update('y = 0'))], 'clock x, y;')
        right = one(['A:x < 1', 'B'], [('A', 'B', {})], 'clock x;')
        self.assertFalse(compare_timed(left, right, ['y'], 'exact').failures)


class Verdicts(unittest.TestCase):
    """Queries over regions."""

    def verdicts(self, locations, edges, decls, formulas):
        network = load_timed(io.StringIO(xml(
            decls, [('P', '', '', locations, edges)], 'system P;', formulas)))
        return list(TimedGraph(network, 1000).verdicts().values())

    def test_stuck_between_integers(self):
        self.assertEqual(self.verdicts(
            ['A:x <= 1', 'B:x <= 1', 'goal'],
            [('A', 'B', update('y = 0')),
             ('B', 'goal', guard('x == 1 && y == 0')),
             ('B', 'goal', guard('x == 1 && y == 1'))], 'clock x, y;',
            ['A<> P.goal', 'E<> deadlock && not P.goal', 'E[] not P.goal',
             'P.A --> P.goal', 'A[] P.B imply y <= 1', 'A[] P.B imply y < 1']),
            ['violated', 'satisfied', 'satisfied', 'violated', 'satisfied',
             'violated'])

    def test_never_stuck(self):
        """Zones that are extrapolated see a deadlock here."""
        self.assertEqual(self.verdicts(
            ['A:x <= 1', 'B~'],
            [('A', 'B', guard('x <= 1')),
             ('B', 'A', {**guard('x <= 1'), **update('x = 0')})], 'clock x;',
            ['A[] not deadlock', 'A<> P.B', 'E[] P.A']),
            ['satisfied', 'satisfied', 'violated'])

    def test_waits_for_ever(self):
        self.assertEqual(self.verdicts(
            ['A', 'B'], [('A', 'B', guard('x > 2'))], 'clock x;',
            ['A<> P.B', 'E[] x >= 0', 'E[] x <= 3', 'A<> x > 3']),
            ['violated', 'satisfied', 'violated', 'satisfied'])
        self.assertEqual(self.verdicts(
            ['A:x <= 2', 'B'], [('A', 'B', guard('x >= 2'))], 'clock x;',
            ['A<> P.B', 'A[] not deadlock', 'E<> deadlock && P.A']),
            ['satisfied', 'violated', 'violated'])


class Random(unittest.TestCase):
    """Regions, zones and runs with rational values on random models."""

    def test_some(self):
        for seed in range(1, 25):
            self.assertIsNone(compare_seed(seed, 3, 800)[0], seed)

    def test_folds(self):
        for seed, mode, bug in ((1, 'may', ''), (1, 'must', ''), (1, 'untime', '')):
            self.assertEqual(judge_fold(generate_timed(seed, True), mode,
                                        [bug] if bug else []), 'right')


class Labels(unittest.TestCase):
    """What Uppaal's parser takes."""
    DECLS = 'clock x, y, c[2]; int[0,5] v; bool b; urgent chan u; chan a;' \
        ' void f(clock &z, int k) { z = k; }'

    def wrong(self, labels, invariant=''):
        return check(one([f"A:{invariant}" if invariant else 'A', 'B'],
                         [('A', 'B', labels)], self.DECLS))

    def test_taken(self):
        for text in ('x <= v', 'x < 3 && y >= 2 && v == 1', 'b || x <= 3',
                     'x - y < 3', 'x == 3', '3 < x', 'v < 3 imply x < 2',
                     'forall (i : int[0,1]) b imply c[i] <= 2', 'x <= (b ? 1 : 2)',
                     'x <= y', '(b && v > 1) || (x < 3 && y > 2)'):
            self.assertEqual(self.wrong(guard(text)), [], text)
        for text in ('x <= v', 'x >= 0', 'b || x < 1', 'x <= 1 && v < 3'):
            self.assertEqual(self.wrong({}, text), [], text)
        for text in ('x = 0', 'x = v + 1', 'f(x, v)', 'c[v > 0] = 2, v = 1'):
            self.assertEqual(self.wrong(update(text)), [], text)

    def test_refused(self):
        for text in ('x != 3', 'x < 1 || y < 2', '!(x < 1)', 'x < 1 imply b',
                     'x + y < 3', 'v + x', 'x', 'exists (i : int[0,1]) c[i] < 1',
                     'x < 1 ? b : v > 1', 'b ? x < 1 : y < 1', 'v == (x < 1)',
                     'c[x] < 1', 'x < 1 ^ b', 'x - y != 1'):
            with self.subTest(text):
                try:
                    self.assertNotEqual(self.wrong(guard(text)), [])
                except ModelError:
                    pass
        for text in ('x == 0', 'x <= 1 || y <= 1', 'x == 0 && v == 0'):
            self.assertNotEqual(self.wrong({}, text), [], text)
        for text in ('v = x', 'x = y', 'x += 1', 'x++', 'f(x, y)', 'f(v, 1)'):
            with self.subTest(text):
                try:
                    self.assertNotEqual(self.wrong(update(text)), [])
                except ModelError:
                    pass
        self.assertNotEqual(self.wrong({**guard('x < 1'), **sync('u!')}), [])
        self.assertEqual(self.wrong({**guard('x < 1'), **sync('a!')}), [])


if __name__ == '__main__':
    unittest.main()
