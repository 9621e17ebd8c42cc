"""Small random models of processes with ids that have one thing which may or may not be symmetric, and
nothing else. Seeds from 1001 on: assignments next to each other; from 2001 on: receivers of broadcasts;
from 3001 on: invariants; from 4001 on: sums that wrap, and loops in loops; from 5001 on: the ends of an int
without bounds; from 6001 on: receivers that lead to branchpoints, or choose their channel.

    python3 tests/random symmetry/gen_twists SEED    writes the model to standard output
"""

import random
import re
import sys

from cases import ids, model, template


class Twist:
    """One model; each method named after a twist gives declarations, functions, updates, guards and queries."""

    def __init__(self, seed, has_formulas=False):
        self.has_formulas = has_formulas
        self.seed, self.random = seed, random.Random(seed)
        self.n = self.random.choice((2, 3, 3, 4))
        self.locals, self.system, self.more = '', 'system P;', []
        self.places, self.edges, self.held = ('a', 'b'), [], {}

    def pick(self, *items):
        return self.random.choice(items)

    def id(self):
        return self.random.randint(1, self.n)

    def loop(self, body):
        """A loop over all ids, in one of its forms."""
        return self.pick('for (k : id_t) { %s }' % body,
                         'for (k = 1; k <= N; k++) { %s }' % body,
                         'k = 1; while (k <= N) { %s k++; }' % body)

    def function(self, name, body, end=''):
        counted = self.loop(body)
        local = '' if counted.startswith('for (k :') else 'int[0,N+1] k; '
        return '%s { %s%s%s }' % (name, local, counted, end)

    def loops(self):
        """What is found by a loop, in order or not."""
        body = self.pick('if (x[k]) return k;', 'if (x[k] && got == 0) got = k;', 'if (x[k]) got = k;',
                         'if (x[k] && k != 1) got = 1;', 'if (!x[k]) return 0;')
        end = ' return 0;' if 'return' in body else ''
        head = 'int[0,N] found()' if end else 'void found()'
        call = 'got = found()' if end else 'found()'
        return ('int[0,N] got;', [self.function(head, body, end)], ['x[i] = true', call], ['', 'got == 0'],
                ['E<> got == %d && x[%d]' % (self.id(), self.id()), 'E<> exists (k : id_t) got == k && !x[k]'])

    def rounds(self):
        """Loops whose rounds write what others read."""
        body = self.pick('if (k < N) x[k] = x[k + 1];', 'x[k] = n > 0; n++;', 'if (x[k]) n++;',
                         'if (n == 0 && x[k]) { n = 1; x[k] = false; }', 'x[k] = x[1];', 'x[k] = !x[k];')
        return ('int[0,20] n;', [self.function('void all()', body)], ['x[i] = true', 'x[i] = true, all()'],
                ['n < 9', 'n < 9 && !x[i]'], ['E<> x[%d] && !x[%d]' % (self.id(), self.id()), 'E<> n == 2'])

    def defaults(self):
        """Locals that begin at some id, and numbers in functions."""
        body = self.pick('id_t k; if (x[i]) k = i; return k == i;', 'id_t k = %d; return x[k];' % self.id(),
                         'return x[%d];' % self.id(), 'return i == %d || x[i];' % self.id(),
                         'id_t k = i; return x[k];', 'return true;')
        return ('int[0,3] n;', ['bool some(id_t i) { %s }' % body], ['x[i] = true', 'n++'],
                ['some(i)', '!some(i) && n < 3', 'n < 2'], ['E<> n == 3', 'A[] n < 2'])

    def shifts(self):
        """Ids under other numbers."""
        more = self.pick('i + 1', 'j + 1', 'i', 'N + 1 - i')
        guard = self.pick('vote[i] == 0', 'vote[i] <= 1', 'vote[i] == i + 1', 'vote[i] == i', 'vote[i] != j + 1')
        return ('int[0,N+1] vote[id_t];', [], ['vote[i] = ' + more, 'vote[i] = 0, x[i] = true'], [guard, ''],
                ['E<> exists (k : id_t) vote[k] == k + 1', 'E<> forall (k : id_t) vote[k] == %d' % (self.id() + 1)])

    def queries(self):
        """Queries that name some processes."""
        one, other = self.id(), self.id()
        return ('', [], ['x[i] = !x[i]', 'x[i] = true'], ['', '!x[i]'],
                [self.pick('E<> P(%d).b && !P(%d).b', 'A[] P(%d).b || !x[%d]', 'A<> P(%d).b || x[%d]',
                           'P(%d).b --> x[%d]', 'E[] !P(%d).b && !x[%d]') % (one, other),
                 'E<> P(%d).a && x[%d]' % (other, one)])

    def priorities(self):
        """Copies, perhaps of different priorities, arguments or reference."""
        self.more = [template('W', '', [('s', 't', {'assignment': 'n++'}), ('t', 's', {'guard': 'n < 3'})],
                              ('s', 't'))]
        mark = self.pick(',', '<')
        self.system = 'W0 = W(); W1 = W();\nsystem W0 %s W1, P;' % mark
        return ('int[0,9] n;', [], ['x[i] = n > 0'], ['n < 4'],
                [self.pick('E<> W0.t && !W1.t', 'E<> W1.t && W0.s', 'A[] W0.t || W1.s', 'sup: n'),
                 'E<> n == 4'])

    def local(self):
        """What processes keep of their own."""
        self.locals = 'id_t mate = %s; bool own;' % self.pick('i', 'N + 1 - i', '1')
        return ('', [], ['own = true, mate = j', 'x[mate] = true', 'mate = i'],
                ['!own', 'mate != i', 'mate == %d' % self.id(), 'x[mate]'],
                ['E<> exists (k : id_t) P(k).own && P(k).mate == k', 'E<> P(%d).own && x[%d]'
                 % (self.id(), self.id())])

    def assignments(self):
        """To cells with fixed indices, which may read each other."""
        shift, array = self.pick(0, 0, 1), self.pick('x', 'y')
        form = self.pick('y[%d] = {0}[%d] ? false : y[%d]', 'y[%d] = {0}[%d] && !x[%d]',
                         'y[%d] = {0}[%d] || y[%d]', 'y[%d] = {0}[%d] == y[%d]').format(array)
        items = [form % (k, (k - 1 + shift) % self.n + 1, k) for k in range(1, self.n + 1)]
        if self.pick(0, 0, 1):
            items[self.pick(0, -1)] = self.pick('x[1] = y[1]', 'y[1] = y[2]', 'x[%d] = false' % self.n)
        self.random.shuffle(items)
        more = self.pick([', '.join(items), 'y[i] = !y[i]', 'x[i] = !x[i]'],
                         [('forall (k : id_t) x[k]', ', '.join(items)), ('!x[i]', 'x[i] = true, y[i] = true')])
        return ('bool y[id_t];', [], more,
                ['', 'x[i]', '!y[i]'],
                ['E<> y[1] && !x[1] && x[2]', 'A[] exists (k : id_t) !y[k] || x[k]'][self.pick(0, 1, 1):])

    def receivers(self):
        """Updates of receivers that commute, or in some states, or not; sums that wrap, or leave their range."""
        kind = self.pick(('int[0,9]', '0'), ('int[0,9]', '0'), ('int[0,2]', '0'), ('bool', 'true'), ('bool', 'true'),
                            ('int[-2147483648,2147483646]', '2147483645'),
                            ('int[-2147483647,2147483647]', '2147483646'),
                            ('int[-2147483647,2147483640]', '-2147483646'))
        forms = ['n = n + w[i]', 'n = n - w[i]', 'n = w[i]', 'last = i', 'if_last(i)', 'first(i)', 'x[i] = !x[i]',
                 'w[i] = w[last == 0 ? i : last]', 'x[last == 0 ? i : last] = false', 'n = 1', 'n = x[i] ? 1 : 2',
                 'got = x[i] || got', 'if_any(i)', 'n = n < 2 ? n + 1 : n']
        if kind[0] == 'bool':
            forms = ['n = n - w[i]'] * len(forms) + forms
        else:
            forms += ['n += w[i]', 'n -= w[i]', 'n++', 'n--', 'n += w[i] - 1', 'n = n * 2', 'n += w[i]']
        update = ', '.join(self.random.sample(forms, self.pick(1, 1, 1, 2)))
        functions = ['void if_last(id_t i) { if (x[i]) last = i; }',
                     'void first(id_t i) { if (last == 0) last = i; }',
                     'void if_any(id_t i) { if (exists (k : id_t) x[k] && k != i) { last = 0; w[i] = 0; } }']
        labels = {'synchronisation': 'go?', 'assignment': update}
        guard = self.pick('', '', '', 'x[i]', 'w[i] > 0', 'n != 1')
        if guard:
            labels['guard'] = guard
        self.edges = [('b', self.pick('a', 'c', 'c'), labels),
                      ('a', 'b', {'select': 'j : int[0,%d]' % self.pick(1, 2), 'assignment': self.pick(
                          'w[i] = j', 'w[i] = j', 'x[i] = j > 0', 'w[i] = j, x[i] = j == 1')})]
        if self.pick(0, 0, 1):
            self.edges.append(('b', 'c', {'synchronisation': 'go?', 'assignment': self.pick('n = 1', 'last = 0')}))
        if self.pick(0, 0, 1):
            self.edges.append(('a', 'c', {'synchronisation': 'go!', 'assignment': self.pick('last = i', 'x[i] = true')}))
        self.places = ('a', 'b', 'c')
        back = [('t', 's', {})] if self.pick(0, 1) else []
        self.more = [template('S', '', [('s', 't', {'synchronisation': 'go!'}), *back], ('s', 't'))]
        self.system = self.pick('system P, S;', 'system S, P;')
        if self.pick(0, 0, 0, 1):
            self.more.append(template('V', '', [('s', 't', {'synchronisation': 'go?', 'assignment': self.pick(
                'n = 1', 'last = 0', 'x[1] = true, x[2] = true', 'got = true')})], ('s', 't')))
            self.system = self.pick('system P, V, S;', 'system V, P, S;')
            if self.pick(0, 1):
                self.system = 'V1 = V(); V2 = V();\n' + self.pick('system P, V1, V2, S;', 'system V1, P, S, V2;')
        queries = ['E<> last != 0 && !x[last]', 'E<> last == %d && P(%d).c' % (self.id(), self.id()),
                   'A[] forall (k : id_t) last == k imply w[k] > 0', 'E<> n == 1 && exists (k : id_t) P(k).c',
                   'E<> n == %d && (sum (k : id_t) w[k]) == 3 && forall (k : id_t) P(k).c' % self.pick(0, 1),
                   'E<> exists (k : id_t) exists (l : id_t) k != l && P(k).c && P(l).c && w[k] != w[l] && n == 0']
        return ('%s n = %s; int[0,N] last; bool got; int[0,3] w[id_t]; broadcast chan go;' % kind, functions, [], [],
                [self.pick(*queries[:2]), *self.random.sample(queries[2:], 2), self.pick(
                    'A<> exists (k : id_t) P(k).c', 'E[] last == 0', 'last != 0 --> n == 1',
                    'A[] (A<> last != 0)' if self.has_formulas else 'A<> last != 0')])

    def invariants(self):
        """Invariants that may be false, or fail, of several processes at once."""
        one = self.pick('w[i] != 2', 'n < 2', 'w[i] < 3', 'x[i] || w[i] < 2')
        other = self.pick('4 / (w[i] - 1) > -9', 't[w[i]] > 0', 'w[i] < 4', 'exists (k : id_t) w[k] < 3', '2 / w[i] >= 0')
        self.held = {'a': self.pick('%s && %s', 'w[i] == 0 || %s && %s') % self.pick((one, other), (other, one))}
        if self.pick(0, 1):
            self.held['b'] = self.pick(one, other, 'true')
        self.system = self.pick('system P;', 'Q = P(2);\nsystem P, Q;')
        updates = ['w[i] = %d, w[j] = %d' % (self.pick(0, 1, 2), self.pick(1, 2, 3)), 'w[j] = w[i], w[i] = %d' % self.pick(1, 2),
                   'w[i] = %d' % self.pick(1, 2, 3), 'n = 2 - n']
        return ('int[0,2] n; int[0,3] w[id_t] = {%s}; const int t[3] = {1, 0, 1};' % ', '.join([str(self.pick(0, 0, 1))] * self.n), [],
                [('x[i] && j != i', updates[0]), self.pick(*updates)],
                ['', 'x[i]', 'n < 2'], ['E<> exists (k : id_t) w[k] == %d' % self.id(), 'E<> n == 1 && P(%d).b' % self.id()])

    def nested(self):
        """Loops in a loop over ids that begin once or anew, and ids with a number added that may wrap."""
        if self.pick(0, 1):
            most = 2147483647 - self.pick(0, 1, 2, 9)
            guard = self.pick('i + %d < 0', 'i + %d < i', '%d + i > 0', 'i - (-%d) < 0') % most
            return ('int[0,20] n;', [], [(guard, 'x[i] = true'), 'n = x[i]'], ['', 'n < 2'],
                    ['E<> forall (k : id_t) x[k]', 'E<> n == 1 && exists (k : id_t) !x[k]'])
        form = self.pick('int[0,9] q = 1; for (k : id_t) { while (q <= %d) { %s q++; } }',
                         'int[0,9] q = 2; for (k : id_t) { q = 1; while (q <= %d) { %s q++; } }',
                         'for (k : id_t) { int[0,9] q = 1; while (q <= %d) { %s q++; } }',
                         'int[0,9] q = 1, k; for (q = 2; q < 3; q++) { n = n; } while (q <= %d) { k = q; %s q++; }',
                         'int[0,9] q = 1; if (n == 0) while (q <= %d) { for (k : id_t) { %s } q++; }')
        body = self.pick('x[k] = true;', 'if (x[k]) n++;', 'n = n < 3;', 'x[k] = !x[k];')
        return ('int[0,20] n;', ['void all() { %s }' % (form % (self.n, body))], ['x[i] = true', 'all()'], ['', 'n < 2'],
                ['E<> n == 1 && exists (k : id_t) !x[k]', 'E<> n == 0 && exists (k : id_t) x[k]'])

    def plain(self):
        """Ids under numbers at the ends of what an int without bounds holds."""
        n, id_ = self.n, self.pick('i', 'j')
        more = self.pick('%s + %d' % (id_, 32767 - n + self.pick(0, 1, 1, 2)),
                         '%s - %d' % (id_, 32768 + self.pick(0, 1, 2, 3)))
        if self.pick(0, 0, 1):
            return ('', ['void put(int k) { x[1] = true; }', 'int get(id_t i) { return %s; }' % more.replace('j', 'i')],
                    [self.pick('put(%s)' % more, 'x[i] = get(i) > 0'), 'x[i] = true'], ['', '!x[i]'], [])
        return (self.pick('int', 'int', 'typedef int t; t', 'int[-40000,40000]') + ' last;', [],
                ['last = %s%s' % (more, self.pick('', ', last = 0')), 'x[i] = true'], ['', '!x[i]', 'last == 0'],
                ['E<> last != 0', 'E<> exists (k : id_t) x[k] && last != 0'])

    def twist(self):
        if self.seed > 6000:
            return self.receivers()
        if self.seed > 5000:
            return self.plain()
        if self.seed > 4000:
            return self.nested()
        if self.seed > 3000:
            return self.invariants()
        if self.seed > 2000:
            return self.receivers()
        if self.seed > 1000:
            return self.assignments()
        return self.pick(
            self.loops, self.rounds, self.defaults, self.shifts, self.queries, self.priorities, self.local)()

    def behind(self, text):
        """The updates of receivers behind branchpoints, or their channel one of two."""
        if self.random.random() < 0.3:
            return text.replace('broadcast chan go;', 'broadcast chan go, put; bool late;').replace(
                '>go?<', '>(late ? put : go)?<')
        edge = re.compile(r'<transition><source ref="(P_\w+)"/><target ref="(P_\w+)"/>((?:(?!</transition>).)*>go\?<'
                          r'(?:(?!</transition>).)*)(<label kind="assignment">.*?</label>)(.*?)</transition>')
        points = []

        def split(found):
            source, target, before, update, after = found.groups()
            points.append('P_%d' % len(points))
            return ('<transition><source ref="%s"/><target ref="%s"/>%s%s</transition>\n'
                    '<transition><source ref="%s"/><target ref="%s"/>%s</transition>'
                    % (source, points[-1], before, after, points[-1], target, update))
        text = edge.sub(split, text)
        marks = ''.join('<branchpoint id="%s"/>\n' % point for point in points)
        return text.replace('<init ref="P_a"/>', marks + '<init ref="P_a"/>')

    def make(self):
        declaration, functions, updates, guards, queries = self.twist()
        edges = self.edges or [('a', 'b', {'assignment': 'x[i] = true'})]
        for update in updates:
            guard, update = update if isinstance(update, tuple) else (self.pick(*guards), update)
            labels = {'select': 'j : id_t'} if 'j' in update + guard else {}
            if guard:
                labels['guard'] = guard
            labels['assignment'] = update
            edges.append((self.pick('a', 'b'), self.pick('a', 'b'), labels))
        text = model(ids(self.n) + 'bool x[id_t];\n' + '\n'.join([declaration, *functions]),
                     [template('P', 'const id_t i', edges, self.places, self.locals, (), self.held), *self.more],
                     self.system, queries)
        return self.behind(text) if self.seed > 6000 else text


def main():
    sys.stdout.write(Twist(int(sys.argv[1])).make())


if __name__ == '__main__':
    main()
