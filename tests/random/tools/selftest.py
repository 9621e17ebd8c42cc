#!/usr/bin/env python3
"""Tests of the oracle itself.

usage: selftest.py [--models DIR] [unittest arguments]

With --models, the folder of the published postal-voting models, their state
and transition counts are checked too.
"""

import io
import os
import sys
import unittest
import xml.etree.ElementTree as ET
from oracle.equal import Equal
from generators.generate import generate
from tools.havoc import Havoc, Refusal
from judges.judge import compare
from generators.small_models import EMPTY, counts, guard, network, sync, update
from oracle.uppaal_parse import ModelError, Names, Parser
from oracle.uppaal_run import Network, explore, load_network, parse_model
from oracle.uppaal_runtime import Budget
# Found by unittest when they are names of this module:
from tools.selftest_query import (Checking, FormulaNames, Formulas, QueriesGenerated,
                                  Replaying, Verdicts)

sys.setrecursionlimit(20000)
MODELS = None
QUERY_TESTS = (Checking, FormulaNames, Formulas, QueriesGenerated, Replaying,
               Verdicts)


class Expressions(unittest.TestCase):
    """Values of compile-time expressions, precedence above all."""

    TABLE = [
        ('1 + 2 * 3', 7), ('-2 ** 2', 4), ('2 ** 3 ** 2', 64),
        ('7 / 2', 3), ('-7 / 2', -3), ('-7 % 3', -1), ('7 % -3', 1),
        ('1 << 2 + 1', 8), ('5 <? 3 + 1', 4), ('1 < 2 <? 0', 0),
        ('3 & 1 == 1', 1), ('2 & 1 == 1', 0), ('1 | 2 ^ 3 & 1', 3),
        ('not 2 == 0', 1), ('not 1 == 1', 0), ('1 < 2 < 3', 1),
        ('3 > 2 > 1', 0), ('0 imply 0 imply 0', 0), ('1 or 1 imply 0', 0),
        ('0 imply 0 or 1', 1), ('1 xor 1', 0), ('2 xor 0', 1),
        ('1 ? 2 : 0 ? 3 : 4', 2), ('5 == true', 0), ('5 && 3', 1),
        ('forall(i : int[0,2]) i < 3', 1), ('exists(i : int[0,2]) i > 2', 0),
        ('sum(i : int[1,3]) i * i', 14), ('abs(-3)', 3), ('010', 10),
        ('1 and forall(i : int[0,1]) i < 1 or 1', 1), ('-2147483648 + 0',
                                                       -2147483648),
        ('-2147483648 % -1', 0), ('2 - 1 - 1', 0), ('2 - (1 - 1)', 2), ('!0 + 1', 2),
        ('4 >> 1 << 1', 4), ('true + true', 2), ('1 >? 2 <? 1', 1)]

    def test_values(self):
        net = network('', [EMPTY], 'system P;')
        for text, value in self.TABLE:
            parser = Parser(text, text, Names())
            tree = parser.expr()
            parser.done()
            self.assertEqual(net.const_value(tree, net.globals), value, text)

    def test_syntax_errors(self):
        for text in ('x-->0', 'x =< 1', '1 2', 'f(1,)', 'a[]', '2147483648',
                     'x -2147483648', "1'", '(1', '1.5'):
            with self.assertRaises(ModelError, msg=text):
                parser = Parser(text, text, Names())
                parser.expr()
                parser.done()

    def test_wide_and_deep(self):
        wide = ' || '.join(f"x == {i}" for i in range(3000))
        deep = '(' * 300 + 'x' + ' + 1)' * 300
        self.assertEqual(counts('int x = 7;', [
            ('P', '', '', ['A', 'B'], [
                ('A', 'B', guard(wide)), ('A', 'B', guard(f"{deep} == 307")),
                ('A', 'B', guard(f"!({wide}) && {deep} == 307"))])],
            'system P;'), (2, 2, 1, 0))


class Semantics(unittest.TestCase):
    """Steps of small models."""

    def test_update_order(self):
        net = network('int[0,3] x = 1, y = 2, z;', [
            ('P', '', '', ['A', 'B'],
             [('A', 'B', update('x = y, y = 0, z = x'))])], 'system P;')
        final = list(explore(net).states)[1]
        self.assertEqual(net.show(final), 'P.B x=2 y=0 z=2')

    def test_sender_before_receiver(self):
        net = network('chan c; int[0,3] s, r;', [
            ('P', '', '', ['A', 'B'], [
                ('A', 'B', sync('c!', assignment='s = 2'))]),
            ('Q', '', '', ['A', 'B'], [('A', 'B', sync(
                'c?', guard='s == 0', assignment='r = s, s = 0'))])],
            'system Q, P;')
        final = list(explore(net).states)[1]
        self.assertEqual(net.show(final), 'Q.B P.B s=0 r=2')

    def test_broadcast(self):
        """Every enabled receiver takes part; guards are read before."""
        receiver = ('Q', 'const int[0,2] id', '', ['A', 'B'], [
            ('A', 'B', sync('c?', guard='x >= id', assignment='x = 0'))])
        sender = ('P', '', '', ['A', 'B'], [('A', 'B', sync('c!'))])
        net = network('broadcast chan c; int[0,3] x = 1;', [sender, receiver],
                      'system P, Q;')
        final = list(explore(net).states)[1]
        self.assertEqual(net.show(final), 'P.B Q(0).B Q(1).B Q(2).A x=0')

    def test_committed(self):
        self.assertEqual(counts('', [
            ('P', '', '', ['A!', 'B'], [('A', 'B', {})]),
            ('Q', '', '', ['A', 'B'], [('A', 'B', {})])], 'system P, Q;'),
            (3, 2, 1, 0))

    def test_invariant_filters(self):
        self.assertEqual(counts('int[0,3] x;', [
            ('P', '', '', ['A', 'B:x <= 1'], [
                ('A', 'B', {'select': 'i : int[0,3]', 'assignment': 'x = i'}),
            ])], 'system P;'), (3, 2, 2, 0))

    def test_errors_are_no_steps(self):
        self.assertEqual(counts('int[0,1] x, a[2];', [
            ('P', '', '', ['A', 'B'], [
                ('A', 'B', update('x = 2')), ('A', 'B', guard('1 / x == 1')),
                ('A', 'B', update('a[x + 2] = 1')),
                ('A', 'B', guard('x == 1 && 1 / x == 1'))])], 'system P;'),
            (1, 0, 1, 3))

    def test_functions(self):
        decls = """
          typedef struct { int[0,3] f; bool g; } st; st s = { g: true, 2 };
          typedef int[1,2] t; int[0,9] a[t] = { 4, 5 }; int r;
          void inc(int[0,3] &x, int n) { while (n > 0) { x++; n--; } }
          int first(int[0,9] b[t], const st &q) {
            int s = 0;
            for (i : t) { if (b[i] > 4) return s + q.f; s += b[i]; }
            do { int s = 7; s--; } while (false);
            return s;
          }"""
        decls = decls.replace('g: true, 2', 'f: 1, g: true')
        net = network(decls, [('P', '', '', ['A', 'B'], [
            ('A', 'B', update('inc(s.f, 2), r = first(a, s)'))])],
            'system P;')
        final = list(explore(net).states)[1]
        self.assertEqual(net.show(final),
                         'P.B s.f=3 s.g=1 a[1]=4 a[2]=5 r=7')

    def test_instances(self):
        net = network('int[0,1] g[2]; chan c[2];', [
            ('T', 'const int[0,1] i, int[0,1] &r, chan &d', 'int[0,1] v;',
             ['A', 'B'], [('A', 'B', sync('d!', assignment='r = i, v = 1'))]),
            ('U', '', '', ['A'], [('A', 'A', {
                'select': 'k : int[0,1]', 'synchronisation': 'c[k]?'})])],
            'Q(const int[0,1] j) = T(j, g[1], c[0]); R = T(1, g[0], c[1]);'
            'system Q, R, U;')
        self.assertEqual([p.name for p in net.processes],
                         ['Q(0)', 'Q(1)', 'R', 'U'])
        self.assertEqual(net.slots, ['g[0]', 'g[1]', 'Q(0).v', 'Q(1).v',
                                     'R.v'])
        self.assertEqual(len(explore(net).states), 10)

    def test_priorities(self):
        self.assertEqual(counts('broadcast chan a, b; chan priority a <'
                                ' default < b;', [
            ('P', '', '', ['A', 'B', 'C', 'D'], [
                ('A', 'B', sync('a!')), ('A', 'C', sync('b!')),
                ('A', 'D', {})])], 'system P;'), (2, 1, 1, 0))

    def test_meta_is_no_state(self):
        update = {'select': 'i : int[1,2]', 'assignment': 'm = i, x = m'}
        for more, found in (([], [3, 6, 0, 0]),
                            ([('A', 'A', guard('m > 0'))], [3, 8, 0, 0])):
            model = network('meta int[0,3] m; int[0,3] x;', [
                ('P', '', '', ['A'], [('A', 'A', update)] + more)],
                'system P;')
            equal = Equal(model, explore(model))
            self.assertTrue(equal.same_steps)
            self.assertEqual(equal.counts, found)

    def test_meta_found_first(self):
        model = network('meta int[0,1] m;', [
            ('P', '', '', ['A', 'B', 'C'], [
                ('A', 'B', {'select': 'i : int[0,1]', 'assignment': 'm = i'}),
                ('B', 'C', guard('m == 1'))])], 'system P;')
        self.assertFalse(Equal(model, explore(model)).same_ends)

    def test_endless_loop_is_bounded(self):
        with self.assertRaises(Budget):
            counts('void f() { while (true) ; }', [
                ('P', '', '', ['A'], [('A', 'A', update('f()'))])],
                'system P;')


def judge(concrete, abstract, names, mode='may'):
    """Kinds of failure of an abstraction."""
    concrete, abstract = network(*concrete), network(*abstract)
    verdict = compare(concrete, explore(concrete), abstract, names, mode)
    return sorted(verdict.failures)


class Judging(unittest.TestCase):
    """Right abstractions are accepted, wrong ones rejected."""

    def model(self, decls, edges, more=(), system='system P;'):
        return (decls, [('P', '', '', ['A', 'B', 'C'], edges), *more], system)

    def test_lost_branch(self):
        concrete = self.model('int[0,1] x;', [
            ('A', 'B', {'select': 'i : int[0,1]', 'assignment': 'x = i'}),
            ('B', 'C', guard('x == 1')), ('B', 'A', guard('x == 0'))])
        right = self.model('', [('A', 'B', {}), ('B', 'C', {}),
                                ('B', 'A', {})])
        wrong = self.model('', [('A', 'B', {}), ('B', 'C', {})])
        self.assertEqual(judge(concrete, right, ['x']), [])
        self.assertEqual(judge(concrete, right, ['x'], 'exact'), ['exact'])
        self.assertEqual(judge(concrete, wrong, ['x']), ['may'])

    def test_must(self):
        concrete = self.model('int[0,1] x; int[0,1] y;', [
            ('A', 'B', {'select': 'i : int[0,1]', 'assignment': 'x = i'}),
            ('B', 'C', guard('x == 1')),
            ('B', 'C', update('y = 1', guard='x == 0'))])
        for target in ('y = 0', 'y = 1', None):
            edges = [('A', 'B', {})]
            if target:
                edges.append(('B', 'C', update(target)))
            abstract = self.model('int[0,1] y;', edges)
            # for each target alone some value of x serves
            found = judge(concrete, abstract, ['x'], 'must')
            self.assertEqual(found, [], target)
        both = self.model('int[0,1] y;', [
            ('A', 'B', {}), ('B', 'C', {}), ('B', 'C', update('y = 1'))])
        self.assertEqual(judge(concrete, both, ['x'], 'must'), ['must'])

    def test_value_within_a_step(self):
        """Stable states have s == 0 only, the receiver reads 1 or 2."""
        def system(decls, send, receive):
            return (decls, [
                ('P', '', '', ['A'], [('A', 'A', sync('c!', **send))]),
                ('Q', '', '', ['A'], [('A', 'A', sync('c?', **receive))])],
                'system P, Q;')
        concrete = system('chan c; int[0,2] s, r;',
                          {'select': 'i : int[1,2]', 'assignment': 's = i'},
                          {'assignment': 'r = s, s = 0'})
        right = system('chan c; int[0,2] r;', {},
                       {'select': 'k : int[1,2]', 'assignment': 'r = k'})
        wrong = system('chan c; int[0,2] r;', {}, {'assignment': 'r = 0'})
        self.assertEqual(judge(concrete, right, ['s'], 'exact'), [])
        self.assertEqual(judge(concrete, wrong, ['s']), ['may'])

    def test_broadcast_receiver_declines(self):
        sender = ('S', '', '', ['A'], [('A', 'A', sync('c!'))])

        def receiver(decls, *edges):
            return (decls, [sender, ('P', '', '', ['A', 'B'], edges)],
                    'system S, P;')
        flip = ('A', 'A', {'select': 'i : int[0,1]', 'assignment': 'x = i'})
        concrete = receiver('broadcast chan c; int[0,1] x;', flip,
                            ('A', 'B', sync('c?', guard='x == 1')))
        wrong = receiver('broadcast chan c;', ('A', 'A', {}),
                         ('A', 'B', sync('c?')))
        right = receiver('broadcast chan c;', ('A', 'A', {}),
                         ('A', 'B', sync('c?')), ('A', 'A', sync('c?')))
        # the silent loop would hide the difference
        slow = receiver('broadcast chan c; int[0,1] x;',
                        ('A', 'B', sync('c?', guard='x == 1')))
        fast = receiver('broadcast chan c;', ('A', 'B', sync('c?')))
        self.assertEqual(judge(concrete, right, ['x']), [])
        self.assertEqual(judge(concrete, wrong, ['x']), [])
        self.assertEqual(judge(slow, fast, ['x']), ['may'])

    def test_frozen_cell(self):
        concrete = self.model('int[0,2] a[2] = {1, 0};', [
            ('A', 'B', update('a[0] = 2, a[1] = 1'))])
        right = self.model('int[0,2] a[2] = {1, 0};', [
            ('A', 'B', update('a[1] = 1'))])
        self.assertEqual(judge(concrete, right, ['a[0]'], 'exact'), [])
        self.assertEqual(judge(concrete, concrete, ['a[0]']), ['may'])

    def test_initial_state(self):
        concrete = self.model('int[0,1] x, y = 1;', [])
        abstract = self.model('int[0,1] y;', [])
        self.assertIn('initial', judge(concrete, abstract, ['x']))

    def test_new_error(self):
        concrete = self.model('int[0,2] x; int[0,1] y;', [
            ('A', 'B', guard('x == 0 || 1 / (x - 1) == 0'))])
        abstract = self.model('int[0,1] y;', [
            ('A', 'B', {}), ('A', 'B', update('y = 2'))])
        self.assertEqual(judge(concrete, abstract, ['x'], 'exact'),
                         ['new-error'])

    def test_other_names(self):
        concrete = self.model('int[0,1] x, y;', [])
        with self.assertRaises(ModelError):
            judge(concrete, self.model('int[0,1] z;', []), ['x'])
        with self.assertRaises(ModelError):
            judge(concrete, concrete, ['nothing'])

    def test_local_names(self):
        concrete = ('', [('P', 'const int[0,1] i', 'int[0,1] x, y;', ['A'], [
            ('A', 'A', update('x = i, y = x'))])], 'system P;')
        abstract = ('', [('P', 'const int[0,1] i', 'int[0,1] y;', ['A'], [
            ('A', 'A', update('y = i'))])], 'system P;')
        self.assertEqual(judge(concrete, abstract, ['P.x'], 'exact'), [])


class Generated(unittest.TestCase):
    """Every generated model abstracts itself."""

    def test_identity(self):
        small = 0
        for seed in range(24):
            text, _ = generate(seed)
            net = load_network(io.StringIO(text))
            try:
                explored = explore(net, 1000)
            except Budget:
                continue
            small += 1
            verdict = compare(net, explored, net, [], 'exact')
            self.assertEqual(verdict.failures, {}, seed)
        self.assertGreater(small, 15)

    def test_same_seed_same_model(self):
        self.assertEqual(generate(5), generate(5))


class Planted(unittest.TestCase):
    """A coarse abstraction is accepted; with planted bugs it is not."""

    def outcomes(self, mutant, seeds):
        """Whether an abstraction is accepted, for single variables."""
        for seed in seeds:
            text, names = generate(seed, ('functions', 'localfun'))
            concrete = load_network(io.StringIO(text))
            try:
                explored = explore(concrete, 300)
            except Budget:
                continue
            for name in names:
                tree = ET.ElementTree(ET.fromstring(text))
                try:
                    Havoc(tree, mutant).remove(name)
                except Refusal:
                    continue
                source = ET.tostring(tree.getroot(), 'unicode')
                abstract = load_network(io.StringIO(source))
                try:
                    verdict = compare(concrete, explored, abstract, [name])
                except Budget:
                    continue
                yield not set(verdict.failures) & {'may', 'initial'}

    def test_right(self):
        accepted = list(self.outcomes(None, range(12)))
        self.assertGreater(len(accepted), 80)
        self.assertTrue(all(accepted))

    def test_planted_bugs(self):
        for mutant in ('decline', 'update', 'range', 'guard'):
            self.assertFalse(all(self.outcomes(mutant, range(15, 20))),
                             mutant)


class Published(unittest.TestCase):
    """Counts of published models, if they are at hand."""

    STATES = {'c/c_1_1': 23, 'c/c_1_3': 31, 'c/c_2_2': 369, 'c/c_3_3': 10891,
              'a1/a1_1_1_may': 19, 'a1/a1_1_3_may': 23, 'a1/a1_2_2_may': 177,
              'a1/a1_3_3_may': 2203, 'a2/a2_1_1_may': 18,
              'a2/a2_1_3_may': 22, 'a2/a2_2_2_may': 166,
              'a2/a2_3_3_may': 2440, 'a3/a3_1_1_may': 16,
              'a3/a3_1_3_may': 18, 'a3/a3_2_2_may': 106,
              'a3/a3_3_3_may': 838}
    STEPS = {'c/c_1_1': 23, 'c/c_2_2': 561, 'c/c_3_3': 25305}

    def test_counts(self):
        if MODELS is None:
            self.skipTest("no --models")
        for name, states in self.STATES.items():
            result = explore(Network(parse_model(
                os.path.join(MODELS, name + '.xml'))))
            self.assertEqual(len(result.states), states, name)
            if name in self.STEPS:
                self.assertEqual(result.transitions, self.STEPS[name], name)


if __name__ == '__main__':
    if '--models' in sys.argv:
        at = sys.argv.index('--models')
        MODELS = sys.argv[at + 1]
        del sys.argv[at:at + 2]
    unittest.main()
