#!/usr/bin/env python3
"""Judge `varabs check --symmetry` on random models with ids.

    python3 tests/random symmetry/judge [--varabs PROGRAM] [--seeds FIRST..LAST] [--jobs N] [--quick] [--general] [MODEL...]

With --quick only runs of the program with and without --symmetry are compared. Else every model is explored
by the naive explorer, without any symmetry. Then with --symmetry figures,
verdicts and bounds have to be the same, for one job and two, with small first looks, interpreted;
traces have to be runs of the model that prove their verdicts; and there are at least as many orbits as
the coarsest bisimulation that keeps the queries has classes. The summary counts models with fewer
orbits than states.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from multiprocessing.pool import ThreadPool

from gen_ids import RELATED, make
from gen_twists import Twist
from generators.generate import generate, generate_queried
from judges.check import Checker, Mismatch, Refused, Run
from oracle.uppaal_parse import ModelError
from oracle.uppaal_query import Query
from oracle.uppaal_run import explore, load_network
from oracle.uppaal_runtime import Budget

sys.setrecursionlimit(20000)
MOST_STATES = 3000


class SymmetricChecker(Checker):
    """All runs with --symmetry."""

    def runs(self):
        more = ['--symmetry', 'report']
        yield Run('uppaal', '--full', '--trace', *more)
        yield Run('kripke', '--full', '--trace', *more)
        yield Run('uppaal', '--trace', '--jobs', '2', *more)
        yield Run('kripke', '--full', '--jobs', '2', '--first-look', '3', *more)
        yield Run('uppaal', '--full', '--trace', '--first-look', '2', '--interpret', *more)
        yield Run('uppaal', '--full', '--first-look', '5', '--symmetry', 'auto')
        for number, query in enumerate(self.queries):
            if isinstance(query, Query):
                yield Run(('uppaal', 'kripke')[number % 2], '--trace', '--first-look', '3', *more,
                          '--query', query.text, only=number)


def classes(explored, marks):
    """How many classes the coarsest bisimulation has that keeps the marks."""
    count = len(explored.states)
    block = list(marks)
    number = -1
    while True:
        names = {}
        fresh = []
        for state in range(count):
            targets = frozenset(block[explored.states[target]]
                                for _, target in explored.steps[state])
            fresh.append(names.setdefault((block[state], targets), len(names)))
        if len(names) == number:
            return number
        number, block = len(names), fresh


class Case:
    """What came of one seed."""

    def __init__(self, seed):
        self.seed, self.kind, self.message = seed, 'ok', ''
        self.states = self.orbits = self.steps = 0

    def fail(self, kind, message):
        self.kind, self.message = kind, message


def ask(options, path, *more):
    done = subprocess.run([options.varabs, 'check', '--full', '--json', '-', path, *more],
                          capture_output=True, text=True, errors='replace', timeout=60)
    if done.returncode < 0 or not done.stdout:
        raise Mismatch('crash', done.stderr.strip()[:300] + ' status %d' % done.returncode) \
            if done.returncode < 0 else Refused(done.stderr.strip()[:300])
    return json.loads(done.stdout)


def judge_figures(options, path, explored, checker, case):
    """Figures of both kinds of runs, and the number of orbits."""
    off = ask(options, path, '--symmetry', 'off')
    for jobs in ('1', '2'):
        got = ask(options, path, '--symmetry', 'report', '--jobs', jobs)
        for key in ('states', 'transitions', 'deadlocks', 'errors'):
            if got[key] != off[key]:
                case.fail('figures', '%s: %s with, %s without' % (key, got[key], off[key]))
                return
        symmetry = got.get('symmetry')
        if symmetry is None:
            return
        orbits = symmetry['orbits'] or off['states']
        if case.orbits and case.orbits != orbits:
            case.fail('jobs', 'orbits depend on the number of jobs')
        case.orbits = orbits
    case.states = off['states']
    graph = checker.graph
    apart = {number for own in symmetry.get('apart', ()) for number in own['queries']}
    values = [graph.evaluate(tree, True) for number, query in enumerate(checker.queries, 1)
              if isinstance(query, Query) and number not in apart for tree in query.predicates]
    marks = list(zip(*values)) if values else [()] * len(explored.states)
    least = classes(explored, [(mark, len(explored.errors[number]))
                               for number, mark in enumerate(marks)])
    if case.orbits < least:
        case.fail('orbits', '%d orbits, but %d classes' % (case.orbits, least))


def told(result):
    """What must not depend on symmetry."""
    found = [result[key] for key in ('states', 'transitions', 'deadlocks', 'errors')]
    found += [(query['verdict'], query.get('bounds')) for query in result['queries']]
    return found


def judge_quickly(options, path, case):
    """Only by comparing runs with each other."""
    try:
        most = 2000000 if isinstance(case.seed, int) and case.seed >= RELATED else 20000
        off = ask(options, path, '--symmetry', 'off', '--max-states', str(most))
        if not off['is_complete']:
            case.kind = 'large'
            return case
        for more in (['--jobs', '1'], ['--jobs', '2', '--first-look', '3'],
                     ['--semantics', 'kripke', '--trace']):
            got = ask(options, path, '--symmetry', 'report', *more)
            if '--semantics' in more:
                off = ask(options, path, '--symmetry', 'off', *more)
            if told(got) != told(off):
                case.fail('figures', '%s with, %s without' % (told(got), told(off)))
                return case
            case.orbits = got.get('symmetry', {}).get('orbits') or got['states']
        case.states = off['states']
    except Refused as error:
        case.kind, case.message = 'refused', str(error)
    except Mismatch as error:
        case.fail(error.args[0], error.args[1])
    except subprocess.TimeoutExpired:
        case.fail('timeout', 'no answer')
    return case


def judge(options, path, case):
    if options.quick:
        return judge_quickly(options, path, case)
    try:
        network = load_network(path)
        explored = explore(network, MOST_STATES)
    except ModelError as error:
        case.fail('unusable', str(error))
        return case
    except Budget:
        case.kind = 'large'
        return case
    try:
        checker = SymmetricChecker(options, network, explored, path)
        checker.check(case)
        judge_figures(options, path, explored, checker, case)
    except Refused as error:
        case.kind, case.message = 'refused', str(error)
    except Mismatch as error:
        case.fail(error.args[0], error.args[1])
    except subprocess.TimeoutExpired:
        case.fail('timeout', 'no answer')
    return case


def general_model(seed):
    """One that need not have any ids, with queries if it is small."""
    try:
        return generate_queried(seed)[0]
    except Budget:
        return generate(seed)[0]


def judge_seed(options, seed, folder):
    case = Case(seed)
    path = os.path.join(folder, '%d.xml' % seed)
    with open(path, 'w', encoding='utf-8') as file:
        file.write(general_model(seed) if options.general else
                   Twist(seed, options.quick).make() if options.twists else make(seed, options.quick))
    judge(options, path, case)
    if case.kind in ('ok', 'large'):
        os.remove(path)
    return case


def main(more=()):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--varabs', default='build/varabs')
    parser.add_argument('--seeds', default='1..100')
    parser.add_argument('--jobs', type=int, default=1)
    parser.add_argument('--quick', action='store_true')
    parser.add_argument('--general', action='store_true',
                        help="models of ../generate.py, most of them without any symmetry")
    parser.add_argument('--twists', action='store_true', help="models of gen_twists.py")
    parser.add_argument('--keep', default='')
    parser.add_argument('--timeout', type=int, default=60)
    parser.add_argument('--quiet', action='store_true')
    parser.add_argument('models', nargs='*')
    options = parser.parse_args([*more, *sys.argv[1:]])
    folder = options.keep or tempfile.mkdtemp()
    os.makedirs(folder, exist_ok=True)
    if options.models:
        cases = [judge(options, path, Case(path)) for path in options.models]
    else:
        first, last = (int(word) for word in options.seeds.split('..'))
        with ThreadPool(options.jobs) as pool:
            cases = list(pool.imap(lambda seed: judge_seed(options, seed, folder),
                                   range(first, last + 1)))
    kinds = {}
    smaller = 0
    for case in cases:
        kinds[case.kind] = kinds.get(case.kind, 0) + 1
        smaller += case.kind == 'ok' and case.orbits < case.states
        if case.kind not in ('ok', 'large', 'refused'):
            print('seed %s: %s: %s' % (case.seed, case.kind, case.message[:400]))
        elif case.kind == 'refused' and not options.quiet:
            print('seed %s: was refused: %s' % (case.seed, case.message[:200]))
    bad = sum(count for kind, count in kinds.items() if kind not in ('ok', 'large', 'refused'))
    print(', '.join('%s %d' % item for item in sorted(kinds.items())),
          '; fewer orbits than states: %d' % smaller)
    print('%d passed, %d failed' % (kinds.get('ok', 0), bad))
    return bad > 0


if __name__ == '__main__':
    sys.exit(main())
