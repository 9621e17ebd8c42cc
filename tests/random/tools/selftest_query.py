"""Tests of the oracle's queries and of the checks of `varabs check`."""

import copy
import io
import os
import random
import tempfile
import types
import unittest
from judges.check import check_model
from generators.generate import generate_queried
from tools.naive_check import report
from judges.replay import Replay, Wrong
from generators.small_models import EMPTY, network, sync, update
from oracle.uppaal_parse import ModelError
from oracle.uppaal_query import (SEMANTICS, Graph, decide, parse_formula,
                                 parse_query, queries_of)
from oracle.uppaal_run import explore, load_network
from oracle.uppaal_runtime import Budget

NAIVE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
                     'tools/naive_check.py')


def line(*locations, loop=None, **more):
    """One process that walks along locations, setting x to their number."""
    names = [name.rstrip('!~') for name in locations]
    edges = [(a, b, update(f"x = {i + 1}"))
             for i, (a, b) in enumerate(zip(names, names[1:]))]
    if loop:
        edges.append((names[-1], loop, update(f"x = {names.index(loop)}")))
    return (more.get('decls', 'int[0,9] x;'),
            [('P', '', '', list(locations), edges)], 'system P;')


def graph_of(*parts):
    net = network(*parts)
    return net, Graph(net, explore(net))


def verdict(parts, formula):
    """Verdicts under kripke and uppaal, as one word: s, v or u each."""
    net, graph = graph_of(*parts)
    query = parse_query(formula, net.model.names)
    answers = [decide(graph, query, semantics) for semantics in SEMANTICS]
    return ''.join('|'.join(sorted(v[0] for v in answer.verdicts))
                   for answer in answers)


def bounds(parts, formula):
    net, graph = graph_of(*parts)
    query = parse_query(formula, net.model.names)
    return decide(graph, query, 'kripke').bounds


class Formulas(unittest.TestCase):
    """Texts of formulas."""

    def kinds(self, text):
        net = network('int x, A, sup; typedef int[0,1] t;', [EMPTY],
                      'system P;')
        return [query.kind for query in parse_formula(text, net.model.names)]

    def test_forms(self):
        for text, kinds in [
                ('A[] x == 1', ['A[]']), ('E<>x', ['E<>']),
                ('A<> x', ['A<>']), ('E[] not x', ['E[]']),
                ('x --> x imply x', ['-->']), ('sup: x', ['sup']),
                ('inf {x > 1} : x, A', ['inf']), ('bounds{x}: x', ['bounds']),
                ('sup --> A', ['-->']), ('A --> sup', ['-->']),
                ('A[] A', ['A[]']), ('  // nothing\n', []), ('', []),
                ('/* a */ A[] x // b', ['A[]']), ('A[] x\nE<> x',
                                                  ['A[]', 'E<>']),
                ('A[] x and\n x', ['A[]']), ('A[] x and \\\n x', ['A[]']),
                ('A[] forall(i : t) i <= x', ['A[]']),
                ('/* two\nlines */ E<> x', ['E<>'])]:
            self.assertEqual(self.kinds(text), kinds, text)

    def test_errors(self):
        for text in ('x == 1', 'A[] x;', 'A [] x', 'E <> x', '(x --> x)',
                     'A[] A[] x', 'E<> x or E<> x', 'E<> x = 1', 'E<> x++',
                     'A[](x imply A<> x)', 'sup{x} x', 'sup x', 'A[]',
                     'x -->'):
            with self.assertRaises(ModelError, msg=text):
                self.kinds(text)

    def test_document(self):
        formulas = ['E<> P.A', 'E<> nothing', 'E<> (']
        net = network('', [EMPTY], 'system P;', formulas)
        self.assertEqual(net.model.formulas, formulas)
        found = queries_of(net)
        self.assertEqual(found[0].kind, 'E<>')
        self.assertEqual(found[2][0], 'E<> (')
        graph = Graph(net, explore(net))
        answer = decide(graph, found[1], 'kripke')
        self.assertEqual(answer.verdicts, {'unknown'})
        self.assertIn('nothing', answer.problem)


class FormulaNames(unittest.TestCase):
    """What a query can name."""

    PARTS = ('int[0,9] x = 3; typedef int[0,1] t; typedef scalar[2] S;'
             'int f(int a) { return a + x; } int a[t] = { 5, 6 };', [
                 ('T', 'const t i, const int[5,6] k', """
                    int[0,9] v = i; struct { int[0,9] e; } s = { k };
                    t w[2] = { 1, 0 };
                    int g(int b) { return v + b; }""", ['A', 'B'],
                  [('A', 'B', {})]),
                 ('U', 'const S p', 'int[0,3] z = 2;', ['L'], []),
                 ('P', 'int[0,9] &r', '', ['A'], [])],
             'int y = 7; Q = P(x); system T, U, Q;')

    def holds(self, text):
        return verdict(self.PARTS, 'A[] ' + text)

    def test_names(self):
        for text in ('x == 3', 'y == 7', 'f(4) == 7', 'a[1] == 6', 'Q.A',
                     'T(1,5).v == 1', 'T(0,6).s.e == 6', 'T(1,6).k == 6',
                     'T(1,6).i == 1', 'T(1,5).g(x) == 4', 'Q.r == 3',
                     'T(0,5).w[0] == 1', 'T(a[0] - 5, 6).v == 0',
                     'T(0,5).w == T(1,6).w', 'f(T(1,5).v) == 4',
                     'forall(i : t) T(i,5).v == i', 'a[T(1,5).i] == 6',
                     'sum(i : t) T(i,5).g(i) == 2',
                     'forall(s : S) U(s).L', 'exists(s : S) U(s).z == 2',
                     'forall(x : t) T(x,6).w[x] == 1 - x'):
            self.assertEqual(self.holds(text), 'ss', text)
            self.assertEqual(self.holds(f"not ({text})"), 'vv', text)

    def test_unknown(self):
        for text in ('T.A', 'T(1).v', 'T(1,5).nothing', 'P.A', 'Q', 'Q.A()',
                     'nothing', 'Q(1).A', 'T(1,5).x', 'f', 'a'):
            self.assertEqual(self.holds(text), 'uu', text)

    def test_no_such_process(self):
        self.assertEqual(self.holds('T(x,5).v == 0'), 'uu')
        self.assertEqual(self.holds('T(x,5).v == 0 and false'), 'uu')
        self.assertEqual(self.holds('false and T(x,5).v == 0'), 'vv')

    def test_anonymous_location(self):
        text = """<nta><template><name>P</name><location id="id7"/>
          <location id="id8"/><init ref="id7"/><transition><source ref="id7"/>
          <target ref="id8"/></transition></template>
          <system>system P;</system></nta>"""
        net = load_network(io.StringIO(text))
        graph = Graph(net, explore(net))
        for formula, found in (('E<> P._id8', 'satisfied'),
                               ('A[] P._id7', 'violated')):
            query = parse_query(formula, net.model.names)
            self.assertEqual(decide(graph, query, 'kripke').verdicts, {found})


class Verdicts(unittest.TestCase):
    """Both verdicts of every form under both semantics."""

    def test_reachability(self):
        parts = line('A', 'B', 'C')
        for formula, found in [
                ('E<> P.C', 'ss'), ('E<> P.A', 'ss'), ('E<> x > 2', 'vv'),
                ('A[] x <= 2', 'ss'), ('A[] x <= 1', 'vv'),
                ('A[] not P.A', 'vv'), ('A[] x', 'vv'), ('E<> x', 'ss')]:
            self.assertEqual(verdict(parts, formula), found, formula)

    def test_deadlock(self):
        parts = line('A', 'B', 'C')
        for formula, found in [
                ('E<> deadlock', 'ss'), ('A[] not deadlock', 'vv'),
                ('A[] deadlock imply P.C', 'ss'),
                ('E<> deadlock and P.B', 'vv')]:
            self.assertEqual(verdict(parts, formula), found, formula)
        self.assertEqual(verdict(line('A', 'B', loop='A'),
                                 'A[] !deadlock'), 'ss')

    def test_liveness(self):
        """In kripke the run goes on; in uppaal it may wait anywhere."""
        parts = line('A', 'B', 'C')
        for formula, found in [
                ('A<> P.C', 'sv'), ('A<> P.A', 'ss'), ('A<> x == 3', 'vv'),
                ('E[] P.A', 'vs'), ('E[] x < 2', 'vs'), ('E[] x <= 2', 'ss'),
                ('E[] P.B', 'vv'), ('P.A --> P.C', 'sv'),
                ('P.C --> P.B', 'vv'), ('P.B --> P.B', 'ss'),
                ('x == 5 --> P.A', 'ss'), ('P.A --> P.A or P.B', 'ss')]:
            self.assertEqual(verdict(parts, formula), found, formula)

    def test_urgency(self):
        """Urgent and committed locations and channels forbid to wait."""
        for mark in '!~':
            parts = line('A' + mark, 'B' + mark, 'C')
            self.assertEqual(verdict(parts, 'A<> P.C'), 'ss')
            self.assertEqual(verdict(parts, 'P.A --> P.B'), 'ss')
            self.assertEqual(verdict(parts, 'E[] x < 2'), 'vv')
            self.assertEqual(verdict(line('A' + mark, 'B', 'C'), 'A<> P.C'),
                             'sv')
        for mark in '!~':    # deadlocked there: the run ends
            parts = line('A', 'B' + mark)
            self.assertEqual(verdict(parts, 'E[] x <= 1'), 'ss')
            self.assertEqual(verdict(parts, 'P.B --> P.A'), 'vv')

    def test_urgent_channel(self):
        def parts(prefix, guarded, broadcast=''):
            return (f"{prefix} {broadcast} chan c; int x;", [
                ('P', '', '', ['A', 'B'], [('A', 'B', sync('c!'))]),
                ('Q', '', '', ['A', 'B'], [
                    ('A', 'B', sync('c?', guard=guarded)), ('A', 'A', {})])],
                'system P, Q;')
        for prefix, guarded, found in [('', 'true', 'vv'),
                                       ('urgent', 'true', 'vv'),
                                       ('urgent', 'x == 1', 'vv')]:
            # Q may go round for ever anyway
            self.assertEqual(verdict(parts(prefix, guarded), 'A<> P.B'),
                             found)

        def waiting(prefix, guarded, broadcast=''):
            decls, templates, system = parts(prefix, guarded, broadcast)
            templates[1][4].pop()
            return verdict((decls, templates, system), 'A<> P.B')
        self.assertEqual(waiting('', 'true'), 'sv')
        self.assertEqual(waiting('urgent', 'true'), 'ss')
        self.assertEqual(waiting('urgent', 'x == 1'), 'vv')
        self.assertEqual(waiting('urgent', 'x == 1', 'broadcast'), 'ss')
        self.assertEqual(waiting('', 'x == 1', 'broadcast'), 'sv')

    def test_urgent_and_impossible(self):
        """An invariant that keeps out a step lets no time pass."""
        def waiting(prefix, guarded='true', invariant='x == 1'):
            return verdict((f"{prefix} chan c; int x;", [
                ('P', '', '', ['A', 'B:' + invariant],
                 [('A', 'B', sync('c!'))]),
                ('Q', '', '', ['A'], [('A', 'A', sync('c?', guard=guarded))]),
                ('R', '', '', ['A', 'B'], [('A', 'B', {})])],
                'system P, Q, R;'), 'A<> R.B')
        self.assertEqual(waiting(''), 'sv')
        self.assertEqual(waiting('urgent'), 'ss')
        self.assertEqual(waiting('urgent', 'x == 1'), 'sv')
        self.assertEqual(waiting('urgent', invariant='1 / x == 0'), 'ss')
        self.assertEqual(waiting('urgent broadcast', 'x == 1'), 'ss')

    def test_cycle(self):
        parts = line('A~', 'B~', 'C~', loop='B')
        for formula, found in [
                ('A<> P.C', 'ss'), ('E[] P.A or P.B', 'vv'),
                ('E[] not (x == 3)', 'ss'), ('P.B --> P.A', 'vv'),
                ('P.C --> P.B', 'ss'), ('A<> x == 3', 'vv')]:
            self.assertEqual(verdict(parts, formula), found, formula)

    def test_branches(self):
        """Some run, or all runs."""
        parts = ('int x;', [('P', '', '', ['A~', 'B~', 'C~', 'D~'], [
            ('A', 'B', {}), ('A', 'C', {}), ('B', 'B', {}),
            ('C', 'D', {})])], 'system P;')
        for formula, found in [
                ('E[] P.A or P.B', 'ss'), ('A<> P.C', 'vv'),
                ('A<> P.B or P.D', 'ss'), ('P.C --> P.D', 'ss'),
                ('P.A --> P.D', 'vv'), ('E[] not P.D', 'ss')]:
            self.assertEqual(verdict(parts, formula), found, formula)

    def test_ranges(self):
        parts = line('A', 'B', 'C')
        for formula, found in [
                ('sup: x', [(None, 2)]), ('inf: x', [(0, None)]),
                ('bounds: x, -x', [(0, 2), (-2, 0)]),
                ('bounds{P.B}: x', [(1, 1)]),
                ('bounds{x > 5}: x', [(None, None)]),
                ('sup{not P.C}: x + 1, P.A', [(None, 2), (None, 1)])]:
            self.assertEqual(bounds(parts, formula), found, formula)
            self.assertEqual(verdict(parts, formula), 'ss')

    def test_failing_evaluation(self):
        """1 / x fails in the initial state only."""
        parts = line('A', 'B')
        for formula, found in [
                ('E<> 1 / x == 1', 's|us|u'), ('E<> 1 / x == 2', 'uu'),
                ('A[] 1 / x == 1', 'uu'), ('A[] x == 0 or 1 / x == 1', 'ss'),
                ('A[] 1 / x == 2', 'u|vu|v'), ('sup: 1 / x', 'uu'),
                ('sup{x > 0}: 1 / x', 'ss'), ('sup{1 / x > 0}: x', 'uu')]:
            self.assertEqual(verdict(parts, formula), found, formula)

    def test_shortest(self):
        net, graph = graph_of('', [('P', '', '', ['A', 'B', 'C', 'D'], [
            ('A', 'B', {}), ('B', 'D', {}), ('A', 'C', {}), ('C', 'B', {})])],
            'system P;')
        for formula, steps in (('E<> P.D', 2), ('A[] P.A', 1),
                               ('E<> P.A', 0), ('E<> false', None)):
            query = parse_query(formula, net.model.names)
            self.assertEqual(decide(graph, query, 'uppaal').shortest, steps)


class Replaying(unittest.TestCase):
    """Right traces are accepted, wrong ones rejected."""

    def setUp(self):
        self.parts = ('chan c[2]; int[0,9] x;', [
            ('P', '', '', ['A', 'B', 'C'], [
                ('A', 'B', update('x = 1')), ('B', 'A', update('x = 0')),
                ('B', 'C', sync('c[i]!', select='i : int[0,1]',
                                assignment='x = 2 + i')),
                ('C', 'C', update('x = 10', guard='x == 4'))]),
            ('Q', '', '', ['A', 'B'], [
                ('A', 'B', sync('c[k]?', select='k : int[0,1]',
                                assignment='x = x + k'))])],
            'system P, Q;')

    def trace(self, formula, semantics='kripke'):
        """(function that checks a trace, the right trace)."""
        net = network(*self.parts, [formula])
        explored = explore(net)
        graph = Graph(net, explored)
        query = queries_of(net)[0]
        answer = decide(graph, query, semantics)
        found, _ = report(net, explored, types.SimpleNamespace(
            semantics=semantics, query=None, trace=True))
        shown = found['queries'][0]
        replay = Replay(net, explored, graph)

        def check(trace):
            replay.check(query, answer, semantics, shown['verdict'], trace)
        return check, shown['trace']

    def reject(self, check, trace, change):
        wrong = copy.deepcopy(trace)
        change(wrong)
        with self.assertRaises((Wrong, KeyError), msg=str(wrong)):
            check(wrong)

    def test_witness(self):
        check, trace = self.trace('E<> x == 4')
        check(trace)
        self.assertEqual(len(trace['steps']), 2)
        self.assertEqual([(part['process'], part['edges'], part['selects'],
                           part['channel']) for part in trace['steps'][1]],
                         [('P', [2], {'i': 1}, 'c[1]!'),
                          ('Q', [0], {'k': 1}, 'c[1]?')])

        def longer(wrong):
            states, steps = wrong['states'], wrong['steps']
            back = copy.deepcopy(steps[0])
            back[0].update(source='B', target='A', edges=[1])
            steps[:0] = [steps[0], back]
            states[:0] = states[:2]
        for change in (
                longer, lambda t: t.update(kind='counterexample'),
                lambda t: t['steps'].pop(), lambda t: t['states'].pop(0),
                lambda t: t['states'][2]['values'].update(x=3),
                lambda t: t['states'][2]['values'].pop('x'),
                lambda t: t['states'][0]['locations'].update(P='B'),
                lambda t: t['steps'][1].pop(),
                lambda t: t['steps'][1].reverse(),
                lambda t: t['steps'][1][0].update(edges=[0]),
                lambda t: t['steps'][1][0].update(selects={}),
                lambda t: t['steps'][1][1].update(selects={'k': 0}),
                lambda t: t['steps'][1][0].update(channel='c[0]!'),
                lambda t: t['steps'][1][0].update(target='A'),
                lambda t: t.update(end='idle'), lambda t: t.update(loop=0)):
            self.reject(check, trace, change)

    def test_lasso(self):
        check, trace = self.trace('A<> P.C')
        check(trace)
        self.assertEqual((trace['loop'], trace['end']), (0, None))
        for change in (lambda t: t.update(loop=None),
                       lambda t: t.update(loop=1), lambda t: t.update(loop=2),
                       lambda t: t.update(loop=None, end='deadlock'),
                       lambda t: t.update(loop=None, end='idle')):
            self.reject(check, trace, change)

    def test_idle(self):
        check, trace = self.trace('A<> P.C', 'uppaal')
        check(trace)
        self.assertEqual((trace['steps'], trace['end']), ([], 'idle'))
        self.reject(check, trace, lambda t: t.update(end='deadlock'))

    def test_deadlock(self):
        self.parts[1][0][4].pop(1)
        check, trace = self.trace('E[] x < 3')
        check(trace)
        self.assertEqual(trace['end'], 'deadlock')
        self.reject(check, trace, lambda t: t.update(end=None))

    def test_leads_to(self):
        for formula in ('x == 1 --> x == 2', 'P.B --> x > 9',
                        'P.B --> P.C and x > 9'):
            check, trace = self.trace(formula)
            check(trace)
            self.reject(check, trace, lambda t: t.update(kind='witness'))
        check, trace = self.trace('P.C --> P.A')
        check(trace)
        self.assertEqual(trace['end'], 'deadlock')

    def test_error(self):
        net = network(*self.parts)
        explored = explore(net)
        replay = Replay(net, explored, Graph(net, explored))
        found, _ = report(net, explored, types.SimpleNamespace(
            semantics='kripke', trace=True))
        trace = found['first_error']['trace']
        replay.check_error(trace)
        for change in (lambda t: t['steps'].pop(),
                       lambda t: t['steps'][-1][0].update(edges=[1])):
            wrong = copy.deepcopy(trace)
            change(wrong)
            with self.assertRaises(Wrong):
                replay.check_error(wrong)


class Case:
    """As in run.py."""
    kind, failure, message, steps = 'passed', '', '', 0

    def fail(self, failure, message):
        self.kind, self.failure, self.message = 'failed', failure, message


class Checking(unittest.TestCase):
    """The comparison, with the oracle in the role of the program."""

    def outcome(self, program, seed=2):
        text, net, explored = generate_queried(seed)
        options = types.SimpleNamespace(varabs=program, timeout=60)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'check.xml')
            with open(path, 'w', encoding='utf-8') as file:
                file.write(text)
            case = Case()
            check_model(options, net, explored, path, case)
        return case

    def test_right(self):
        case = self.outcome(NAIVE)
        self.assertEqual(case.kind, 'passed', case.message)

    def test_wrong(self):
        for change, failure in [
                ('s/"states": [0-9]+/"states": 1/', 'check: counts'),
                ('s/"violated"/"satisfied"/', 'check: verdict'),
                ('s/"(low|upp)er": [0-9]+/"\\1er": 77/', 'check: bounds'),
                ('s/"(P|T)[^"]*": "[A-Z]"/"P": "Z"/', 'check: trace')]:
            with tempfile.TemporaryDirectory() as folder:
                program = os.path.join(folder, 'program')
                with open(program, 'w', encoding='utf-8') as file:
                    file.write(f"#!/bin/sh\n'{NAIVE}' \"$@\""
                               f" | sed -E '{change}'\n")
                os.chmod(program, 0o755)
                self.assertEqual(self.outcome(program).failure, failure)


class QueriesGenerated(unittest.TestCase):
    """Generated queries are valid and of all kinds."""

    def test_variety(self):
        found, twice = set(), False
        for seed in range(30):
            try:
                _, net, explored = generate_queried(seed, (), 300)
            except Budget:
                continue
            graph = Graph(net, explored)
            for query in queries_of(net):
                answers = [decide(graph, query, s) for s in SEMANTICS]
                self.assertEqual(answers[0].problem, '', query.text)
                twice = twice or answers[0].verdicts != answers[1].verdicts
                found |= {(query.kind, verdict) for answer in answers
                          for verdict in answer.verdicts}
        self.assertTrue(twice)
        for kind in ('A[]', 'E<>', 'A<>', 'E[]', '-->'):
            for verdict_ in ('satisfied', 'violated'):
                self.assertIn((kind, verdict_), found)
        for kind in ('sup', 'inf', 'bounds'):
            self.assertIn((kind, 'satisfied'), found)

    def test_lasting_is_right(self):
        """The fixpoint agrees with a search for lassos and ends."""
        rng = random.Random(1)
        for _ in range(300):
            size = rng.randint(1, 6)
            graph = Graph.__new__(Graph)  # of no network
            graph.states = range(size)
            graph.next = [[rng.randrange(size) for _ in range(rng.choice(
                [0, 1, 1, 2]))] for _ in range(size)]
            graph.dead = [not other for other in graph.next]
            graph.idle = [rng.random() < 0.2 for _ in range(size)]
            holds = [rng.random() < 0.7 for _ in range(size)]
            for semantics in SEMANTICS:
                self.assertEqual(
                    graph.lasting(holds, semantics),
                    {n for n in range(size)
                     if self.stays(graph, holds, semantics, [n])})

    def stays(self, graph, holds, semantics, way):
        """Depth-first search for a run that stays in what holds."""
        last = way[-1]
        if not holds[last]:
            return False
        if last in way[:-1] or graph.dead[last] \
                or semantics == 'uppaal' and graph.idle[last]:
            return True
        return any(self.stays(graph, holds, semantics, way + [other])
                   for other in graph.next[last])
