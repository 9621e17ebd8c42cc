"""Small models with known orbits; the golden cases of processes that may change places.

    python3 tests/random symmetry/cases DIRECTORY         writes NAME.xml for each
    python3 tests/random symmetry/cases --check VARABS    compares figures with and without symmetry, and the number of orbits

Each case says how many states, steps and orbits it has, or None where nothing is claimed.
"""

import json
import os
import subprocess
import sys
import tempfile
from xml.sax.saxutils import escape


def template(name, parameter, edges, places=('a', 'b'), declaration='', committed=(), invariants=None):
    lines = ['<template><name>%s</name>' % name]
    if parameter:
        lines.append('<parameter>%s</parameter>' % escape(parameter))
    if declaration:
        lines.append('<declaration>%s</declaration>' % escape(declaration))
    for place in places:
        mark = '<committed/>' if place in committed else ''
        if place in (invariants or {}):
            mark = '<label kind="invariant">%s</label>' % escape(invariants[place]) + mark
        lines.append('<location id="%s_%s"><name>%s</name>%s</location>' % (name, place, place, mark))
    lines.append('<init ref="%s_%s"/>' % (name, places[0]))
    for source, target, labels in edges:
        text = ''.join('<label kind="%s">%s</label>' % (kind, escape(value))
                       for kind, value in labels.items())
        lines.append('<transition><source ref="%s_%s"/><target ref="%s_%s"/>%s</transition>'
                     % (name, source, name, target, text))
    lines.append('</template>')
    return '\n'.join(lines)


def model(declaration, templates, system, queries=()):
    text = ''.join('<query><formula>%s</formula><comment></comment></query>' % escape(query)
                   for query in queries)
    return ('<?xml version="1.0" encoding="utf-8"?>\n<nta><declaration>%s</declaration>\n%s\n'
            '<system>%s</system>\n<queries>%s</queries></nta>\n'
            % (escape(declaration), '\n'.join(templates), escape(system), text))


def ids(count):
    return 'const int N = %d;\ntypedef int[1,N] id_t;\n' % count


def one(count, declaration, edges, queries=(), parameter='const id_t i', system='system P;',
        locals_='', places=('a', 'b'), committed=()):
    return model(ids(count) + declaration,
                 [template('P', parameter, edges, places, locals_, committed)], system, queries)


def up(kind, value, **more):
    return ('a', 'b', {kind: value, **more})


def step(update, **more):
    return ('a', 'b', {**more, 'assignment': update})


def loop(update, **more):
    return ('a', 'a', {**more, 'assignment': update})


def table(count):
    """By name: text, states, steps, orbits."""
    cases = {}

    def add(name, text, states, steps, orbits):
        cases[name] = (text, states, steps, orbits)

    flags = 'bool x[id_t];\n'
    add('flags_3', one(3, flags, [step('x[i] = true')]), 8, 12, 4)
    add('flags_4', one(4, flags, [step('x[i] = true')]), 16, 32, 5)
    for n, states, orbits in ((3, 64, 16), (4, 4096, 218)):
        add('digraph_%d' % n,
            one(n, 'bool e[id_t][id_t];\n',
                [loop('e[i][j] = !e[i][j]', select='j : id_t', guard='i != j')], places=('a',)),
            states, None, orbits)
    for n, states, orbits in ((3, 27, 7), (4, 256, 19)):
        add('endomap_%d' % n,
            one(n, 'id_t next[id_t];\n',
                [loop('next[i] = j', select='j : id_t', guard='i != j || i == j')], places=('a',)),
            states, None, 15 if n == 3 else 52)
    add('map_3', one(3, 'id_t next[id_t];\n', [loop('next[i] = j', select='j : id_t')],
                     places=('a',)), 27, None, 6)
    for n, m, states, orbits in ((2, 3, 64, 13), (3, 3, 512, 36)):
        add('bipartite_%d_%d' % (n, m),
            one(n, 'typedef int[1,%d] other_t;\nbool e[id_t][other_t];\n' % m,
                [loop('e[i][j] = !e[i][j]', select='j : other_t')], places=('a',)),
            states, None, orbits)
    # some states are kept by permutations, but by no exchange of two ids
    add('related_3_4',
        one(3, 'typedef int[0,3] other_t;\nbool has[id_t][other_t];\nint[-1,3] name[id_t] = {-1, -1, -1};\n',
            [loop('has[i][k] = true', select='k : other_t'),
             loop('name[i] = k', select='k : other_t', guard='name[i] == -1'),
             ('a', 'a', {'guard': 'name[i] != -1 && has[i][name[i]]'})], places=('a',)),
        512000, 7987200, 4579)
    add('matrix_3',
        one(3, 'bool e[id_t][id_t];\n', [loop('e[i][j] = !e[i][j]', select='j : id_t')],
            places=('a',)), 512, None, 36)
    add('leader_3',
        one(3, 'int[0,N] leader;\nbool x[id_t];\n',
            [step('leader = i', guard='leader == 0'),
             step('x[leader] = true', guard='leader != 0')]), 13, 15, 4)
    add('shift_3',
        one(3, 'int[0,N] vote[id_t];\n',
            [step('vote[i] = j + 1', select='j : int[0,N-1]',
                  guard='j + 1 == i || vote[j + 1] != i')]), 52, 111, 13)
    add('literal_guard_3', one(3, flags, [step('x[i] = true', guard='x[1] || i == 1')]), 5, 5, 4)
    add('constant_too_large_3',
        one(3, 'int[0,1] x[id_t];\nconst int table[2] = {3, 100000};\n'
               'bool low(int n) { return n < 5; }\n',
            [loop('x[i] = k', select='k : int[0,1]'),
             step('x[i] = 0', guard='exists (j : id_t) low(table[x[j]])')]), None, None, None)
    add('query_names_all_2',
        one(2, flags, [step('x[i] = true')], ['E<> P(1).b && P(2).b', 'A[] !x[1] || !x[2] || true']),
        4, 4, 3)
    add('query_names_both_differently_2',
        one(2, flags, [step('x[i] = true')], ['E<> P(1).b && P(2).a']), 4, 4, 4)
    add('queries_apart_4',
        one(4, flags, [step('x[i] = true')],
            ['A[] (sum (k : id_t) x[k]) < N', 'A<> forall (k : id_t) P(k).b',
             'E<> P(2).b and P(3).a', 'A[] x[2] imply not x[3]']), 16, 32, 5)
    add('query_names_one_3',
        one(3, flags, [step('x[i] = true')], ['E<> P(1).b && !P(2).b']), 8, 12, 8)
    add('table_4',
        one(4, flags + 'const int weight[id_t] = {2, 1, 1, 2};\nint total;\n',
            [step('x[i] = true, total += weight[i]')]), 16, 32, 9)
    add('part_of_range_4',
        one(4, 'bool x[int[1,3]];\n',
            [step('x[j] = true', select='j : int[1,3]', guard='!x[j]')]), 35, 120, 4)
    add('part_of_processes_4',
        one(4, 'int[1,3] last = 1;\nbool x[id_t];\n',
            [step('x[i] = true, last = i', guard='i <= 3'), step('x[i] = true', guard='i > 3')]),
        26, 43, 16)
    add('count_loop_3',
        one(3, flags + 'int[0,N] n;\nvoid count() { n = 0; for (k : id_t) if (x[k]) n++; }\n',
            [step('x[i] = true, count()')]), 8, 12, 4)
    add('c_loop_3',
        one(3, flags + 'int[0,N] n;\n'
            'void count() { int k; n = 0; for (k = 1; k <= N; k++) if (x[k]) n++; }\n',
            [step('x[i] = true, count()')]), 8, 12, 4)
    add('first_found_3',
        one(3, flags + 'int[0,N] got;\n'
            'int[0,N] first() { for (k : id_t) if (x[k]) return k; return 0; }\n',
            [step('x[i] = true, got = first()', guard='got == 0 || true')],
            ['E<> got == 1 && x[3]', 'E<> got == 3 && x[1]']), 8, 12, 8)
    add('order_3', one(3, flags, [step('x[i] = true', guard='i == 1 || x[i - 1 == 0 ? 1 : i - 1]')]),
        4, None, 4)
    add('ring_3', one(3, 'int[1,N] turn = 1;\n', [loop('turn = i % N + 1', guard='turn == i')],
                      places=('a',)), 3, 3, 3)
    last = ('broadcast chan go;\nint[0,N] last;\nint[0,N] n;\n')
    sender = template('S', '', [('s', 't', {'synchronisation': 'go!'})], ('s', 't'))
    for name, update, orbits in (('counted_receivers_3', 'n++', 14), ('last_receiver_3', 'last = i', 35)):
        add(name, model(ids(3) + last,
                        [template('P', 'const id_t i',
                                  [('a', 'b', {}),
                                   ('b', 'c', {'synchronisation': 'go?', 'assignment': update})],
                                  ('a', 'b', 'c')), sender], 'system P, S;'),
            35, 47, orbits)
    for name, guard, orbits in (('tried_receivers_3', 'forall (k : id_t) !x[k]', 29),
                                ('tried_in_vain_3', 'true', 152)):
        add(name, model(ids(3) + last + 'bool x[id_t];\nvoid mark(id_t i) { if (x[i]) last = i; }\n',
                        [template('P', 'const id_t i',
                                  [('a', 'b', {}), ('a', 'b', {'guard': guard, 'assignment': 'x[i] = true'}),
                                   ('b', 'c', {'synchronisation': 'go?', 'assignment': 'mark(i)'})],
                                  ('a', 'b', 'c')), sender], 'system P, S;'),
            None, None, orbits)
    add('anonymous_3',
        model('int[0,3] n;\n', [template('P', '', [step('n++')])],
              'P1 = P();\nP2 = P();\nP3 = P();\nsystem P1, P2, P3;'), 8, 12, 4)
    add('committed_3',
        one(3, 'bool taken;\n',
            [('a', 'c', {'guard': '!taken', 'assignment': 'taken = true'}), ('c', 'b', {})],
            places=('a', 'c', 'b'), committed=('c',)), 7, 6, 3)
    add('committed_in_turn_3',
        one(3, '', [('a', 'c', {}), ('c', 'b', {})], places=('a', 'c', 'b'), committed=('c',)),
        20, 24, 7)
    add('priorities_3',
        one(3, 'chan go[id_t];\nbool x[id_t];\nchan priority go[1] < default;\n',
            [step('x[i] = true', guard='x[1] || i == 1')]), 5, 5, 4)
    add('sup_of_id_3', one(3, 'int[0,N] leader;\n', [step('leader = i', guard='leader == 0')],
                           ['sup: leader']), 4, 3, 4)
    chosen = [step('leader = i, chosen = true', guard='!chosen'),
              step('x[leader] = true', guard='chosen')]
    add('initial_value_3',
        one(3, 'id_t leader = 2;\nbool chosen, x[id_t];\n', chosen), 13, 15, 8)
    add('scalar_3',
        model('typedef scalar[3] id_t;\nid_t leader;\nbool chosen, x[id_t];\n',
              [template('P', 'const id_t i', chosen)], 'system P;'), 13, 15, 8)
    add('data_5',
        model('typedef int[1,5] data_t;\ndata_t kept = 1, sent = 1;\n',
              [template('P', '', [('a', 'b', {'select': 'd : data_t', 'assignment': 'sent = d'}),
                                  ('b', 'c', {'select': 'd : data_t', 'assignment': 'kept = d',
                                              'guard': 'd == sent || d != sent'})],
                        ('a', 'b', 'c'))], 'system P;'), 31, 30, 8)
    add('swap_2',
        one(2, 'bool busy, gone;\nchan swap;\n',
            [('a', 'b', {'guard': '!busy', 'assignment': 'busy = true'}),
             ('b', 'a', {'synchronisation': 'swap!'}), ('a', 'b', {'synchronisation': 'swap?'}),
             ('b', 'c', {'guard': '!gone', 'assignment': 'gone = true, busy = false'})],
            ['A<> gone'], places=('a', 'b', 'c')), 7, 8, 4)
    return cases


# Those of benchmarks/: program, arguments, states, steps, orbits.
FAMILIES = (('postal.py', ('3', '3'), 10891, 25305, 2090), ('postal.py', ('4', '2'), 106353, None, 6126),
            ('election.py', ('2', '2'), 43, None, 24), ('election.py', ('3', '2'), 3897, 13707, 678),
            ('caches.py', ('2', '1'), 130, 364, 70), ('caches.py', ('3', '1'), 670, 2334, 160),
            ('caches.py', ('2', '2'), 6720, 22432, 3392), ('trains.py', ('3',), 20, None, 7), ('trains.py', ('8',), 1280, None, 17))
HERE = os.path.dirname(os.path.abspath(__file__))
COUNTS = ('states', 'transitions', 'deadlocks', 'errors')


def all_cases():
    yield from table(0).items()
    folder = os.path.join(HERE, '..', '..', '..', 'benchmarks')
    for name, arguments, *figures in FAMILIES:
        text = subprocess.run([sys.executable, os.path.join(folder, name), *arguments],
                              capture_output=True, text=True, check=True).stdout
        yield ' '.join((name,) + arguments), (text, *figures)


def ask(varabs, path, *more):
    done = subprocess.run([varabs, 'check', '--full', '--json', '-', path, *more],
                          capture_output=True, text=True)
    return json.loads(done.stdout)


def wrong_figures(varabs, path, states, steps, orbits):
    """What is not as it should be, in words."""
    off = ask(varabs, path, '--symmetry', 'off')
    got = ask(varabs, path, '--symmetry', 'report')
    wrong = ['%s is %s with symmetry, %s without' % (key, got[key], off[key])
             for key in COUNTS if got[key] != off[key]]
    wrong += ['a verdict differs' for one, other in zip(off['queries'], got['queries'])
              if one['verdict'] != other['verdict']]
    for what, expected, found in (('states', states, off['states']), ('steps', steps, off['transitions']),
                                  ('orbits', orbits, got['symmetry']['orbits'] or off['states'])):
        if expected is not None and expected != found:
            wrong.append('%s %s, not %s' % (what, expected, found))
    return '; '.join(wrong)


def check(varabs):
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'model.xml')
        for name, (text, *figures) in all_cases():
            with open(path, 'w', encoding='utf-8') as file:
                file.write(text)
            wrong = wrong_figures(varabs, path, *figures)
            if wrong:
                print('FAIL %s: %s' % (name, wrong))
            passed, failed = passed + (not wrong), failed + bool(wrong)
    print('%d passed, %d failed' % (passed, failed))
    return failed > 0


def main():
    if sys.argv[1] == '--check':
        sys.exit(check(sys.argv[2]))
    target = sys.argv[1]
    os.makedirs(target, exist_ok=True)
    for name, (text, *figures) in table(0).items():
        with open(os.path.join(target, name + '.xml'), 'w', encoding='utf-8') as file:
            file.write(text)
        print(name, *figures)


if __name__ == '__main__':
    main()
