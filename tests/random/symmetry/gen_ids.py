"""Random models of processes with ids, symmetric or nearly so: at most one twist.

    python3 tests/random symmetry/gen_ids SEED    writes the model to standard output

From seed 1000000 on, queries name single processes, so that they are answered apart from others; from
2000000 on, there are more permutations than tables are made for; from 3000000 on, ids of two
kinds name each other and are related in all ways, and there are more permutations than are tried one by one.
"""

import random
import sys

from cases import model, template

RELATED = 3000000  # the first seed of these
TWISTS = ('none', 'none', 'none', 'literal', 'table', 'range', 'less', 'step', 'first', 'last',
          'default', 'meta', 'initial', 'shift', 'sum', 'query', 'argument', 'order', 'priority',
          'guard', 'channel', 'local')


class Maker:
    """One model."""

    def __init__(self, seed, has_formulas=False):
        self.has_formulas = has_formulas
        self.random = random.Random(seed)
        self.twist = self.random.choice(TWISTS)
        self.most_queries = 4
        if 1000000 <= seed < 2000000:
            self.twist, self.most_queries = 'query', 7
        self.n = self.random.choice((2, 2, 3, 3, 3, 4))
        self.low = self.random.choice((0, 1, 1))
        self.m = self.random.choice((2, 3))
        self.has_data = self.random.random() < .4
        if seed >= 2000000:
            self.twist, self.has_data, self.m, self.n = 'none', True, 3, max(self.n, 3)
        self.declarations, self.functions = [], []
        self.features = set()

    def chance(self, probability):
        return self.random.random() < probability

    def pick(self, *items):
        return self.random.choice(items)

    @property
    def high(self):
        return self.low + self.n - 1

    # --- declarations

    def declare(self):
        more = self.declarations
        more.append('const int N = %d;' % self.n)
        more.append('typedef int[%d,%d] id_t;' % (self.low, self.high))
        if self.has_data:
            more.append('typedef int[0,%d] data_t;' % (self.m - 1))
        more.append('bool x[id_t];')
        if self.chance(.5):
            self.features.add('leader')
            if self.low == 1 and self.chance(.6):
                initial, self.nobody = '', '0'
                more.append('int[0,%d] leader;' % self.high)
            else:
                self.nobody = str(self.high + 1)
                initial = ' = ' + self.nobody
                more.append('int[%d,%d] leader%s;' % (self.low, self.high + 1, initial))
        if self.twist == 'initial':
            self.features.add('owner')
            more.append('id_t owner = %d;' % self.random.randint(self.low, self.high))
        if self.chance(.3):
            self.features.add('next')
            more.append('int[%d,%d] next[id_t];' % (self.low - 1, self.high)
                        if self.low == 1 else
                        'int[%d,%d] next[id_t];' % (0, self.n))
        if self.chance(.3):
            self.features.add('matrix')
            more.append('bool e[id_t][id_t];')
        if self.has_data and self.chance(.7):
            self.features.add('data')
            more.append('data_t d[id_t];')
        if self.chance(.4):
            self.features.add('count')
            more.append('int[0,%d] n;' % self.pick(self.n, self.n, 1))
        if self.chance(.3):
            self.features.add('struct')
            more.append('struct { bool on; int[0,1] level; } s[id_t];')
        if self.chance(.4):
            self.features.add('broadcast')
            more.append('broadcast chan all;')
        if self.chance(.4) or self.twist == 'channel':
            self.features.add('chan')
            more.append('chan c[id_t];')
        if self.chance(.2) or self.twist == 'meta':
            self.features.add('meta')
            more.append('meta %s tmp%s;' % (('id_t', '') if self.twist == 'meta' else
                                            ('bool', '')))
        if self.twist == 'table':
            weights = [self.random.randint(0, 1) for _ in range(self.n)]
            more.append('const int weight[id_t] = {%s};' % ', '.join(map(str, weights)))
        if self.twist == 'range':
            more.append('int[%d,%d] part = %d;' % (self.low, self.high - 1, self.low))
        if self.twist == 'last':
            self.features.add('broadcast')
            if 'broadcast chan all;' not in more:
                more.append('broadcast chan all;')
            more.append('int[%d,%d] last = %d;' % (self.low - 1, self.high, self.low - 1))
        self.define()

    def loop(self, name):
        """The head of a loop over all ids, and what to declare and do at its end."""
        kind = self.pick('iterate', 'iterate', 'for', 'while')
        if kind == 'iterate':
            return '', 'for (%s : id_t)' % name, ''
        if kind == 'for':
            return ('int %s; ' % name,
                    'for (%s = %d; %s <= %d; %s++)' % (name, self.low, name, self.high, name), '')
        return ('int %s = %d; ' % (name, self.low), 'while (%s <= %d)' % (name, self.high),
                ' %s++;' % name)

    def define(self):
        functions = self.functions
        before, head, after = self.loop('k')
        if self.chance(.5) or self.twist in ('first', 'local'):
            self.features.add('any')
            if self.twist == 'first':
                body = 'if (x[k]) return k;' if self.chance(.5) else \
                    'if (x[k] && found == %d) found = k;' % (self.low - 1)
                functions.append('int[%d,%d] first() { int[%d,%d] found = %d; for (k : id_t) { %s } '
                                 'return found; }' % (self.low - 1, self.high, self.low - 1,
                                                      self.high, self.low - 1, body))
            functions.append('bool any() { %s%s { %s%s } return false; }'
                             % (before, head, 'if (x[k]) return true;', after))
        before, head, after = self.loop('k')
        if 'count' in self.features:
            functions.append('void recount() { %sn = 0; %s { if (x[k]) n++;%s } }'
                             % (before, head, after))
        before, head, after = self.loop('k')
        if self.chance(.4):
            self.features.add('clear')
            functions.append('void clear() { %s%s { x[k] = false;%s } }' % (before, head, after))
        if self.twist == 'order':
            functions.append('void push() { for (k : id_t) if (k < %d) x[k] = x[k + 1]; }' % self.high)
        if self.twist == 'default':
            functions.append('bool vague(id_t i) { id_t k; if (x[i]) k = i; return k == i; }')
        if 'next' in self.features and self.chance(.5):
            self.features.add('find')
            shift = 0 if self.low == 1 else 1
            functions.append('bool pointed(id_t i) { return exists (k : id_t) next[k] == i%s; }'
                             % (' + 1' if shift else ''))

    # --- edges

    def shifted(self, name):
        """An id as `next` names it, which has 0 for nobody."""
        return name if self.low == 1 else name + ' + 1'

    def guards(self):
        items = ['x[i]', '!x[i]', 'forall (k : id_t) !x[k]', 'exists (k : id_t) x[k] && k != i']
        if 'leader' in self.features:
            items += ['leader == i', 'leader == %s' % self.nobody, 'leader != i']
        if 'next' in self.features:
            items += ['next[i] == 0', 'next[i] == ' + self.shifted('i')]
        if 'matrix' in self.features:
            items += ['!e[i][i]', 'exists (k : id_t) e[k][i]']
        if 'data' in self.features:
            items += ['d[i] == 0', 'exists (k : id_t) k != i && d[k] == d[i]']
        if 'count' in self.features:
            items += ['n < %d' % self.n, 'n == 0']
        if 'struct' in self.features:
            items += ['s[i].on', 's[i].level == 0']
        if 'any' in self.features:
            items += ['any()', '!any()']
        if 'owner' in self.features:
            items += ['owner == i', 'x[owner]']
        if 'find' in self.features:
            items += ['pointed(i)']
        if self.twist == 'default':
            items += ['vague(i)'] * 4
        if self.twist == 'guard':
            items += ['i == %d' % self.random.randint(self.low, self.high), 'x[%d]' % self.low] * 3
        if self.twist == 'less':
            items += ['exists (k : id_t) k < i && x[k]', 'i < %d' % (self.low + 1)] * 3
        return items

    def updates(self):
        items = ['x[i] = true', 'x[i] = !x[i]', 'x[i] = false']
        if 'leader' in self.features:
            items += ['leader = i', 'leader = %s' % self.nobody]
        if 'next' in self.features:
            items += ['next[i] = 0', 'next[i] = ' + self.shifted('i'), 'next[i] = ' + self.shifted('j')]
        if 'matrix' in self.features:
            items += ['e[i][j] = true', 'e[j][i] = !e[j][i]', 'e[i][i] = true']
        if 'data' in self.features:
            items += ['d[i] = v', 'd[i] = d[j]']
        if 'count' in self.features:
            items += ['recount()', 'n++', 'n = 0']
        if 'struct' in self.features:
            items += ['s[i].on = true', 's[i].level = 1 - s[i].level', 's[j] = s[i]']
        if 'clear' in self.features:
            items += ['clear()']
        if 'owner' in self.features:
            items += ['owner = i']
        if 'meta' in self.features and self.twist != 'meta':
            items += ['tmp = x[j], x[i] = tmp']
        if self.twist == 'meta':
            items += ['tmp = j, x[tmp] = true', 'x[tmp] = true, tmp = i'] * 2
        if self.twist == 'literal':
            items += ['x[%d] = true' % self.random.randint(self.low, self.high),
                      'x[%d] = true, x[%d] = true' % (self.low, self.high)] * 3
        if self.twist == 'table':
            items += ['x[i] = weight[i] == 1'] * 4
        if self.twist == 'range':
            items += ['part = i'] * 4
        if self.twist == 'step' and 'leader' in self.features:
            items += ['leader++'] * 4
        if self.twist == 'shift' and self.low == 1 and 'leader' in self.features:
            items += ['leader = i - 1'] * 4
        if self.twist == 'sum' and 'count' in self.features:
            items += ['n = sum (k : id_t) x[k] * (k - %d)' % self.low] * 4
        if self.twist == 'first' and 'leader' in self.features and self.low == 1 \
                and self.nobody == '0':
            items += ['leader = first()'] * 4
        if self.twist == 'order':
            items += ['push()'] * 4
        if self.twist == 'local':
            items += ['x[i] = %s' % self.pick('any() && x[j]', 'x[j] || any()')] * 3
        return items

    def edge(self, places, sync):
        source, target = self.random.choice(places), self.random.choice(places)
        labels, selects = {}, []
        update = ', '.join(self.random.sample(self.updates(), self.pick(0, 1, 1, 1, 2)))
        guards = self.random.sample(self.guards(), self.pick(0, 1, 1, 1, 2))
        guard = self.pick(' && ', ' || ').join(guards)
        if '[j]' in update or '= j' in update:
            selects.append('j : id_t')
        if '= v' in update:
            selects.append('v : data_t')
        if sync and '[k]' in sync:
            selects.append('k : id_t')
        if sync and sync.endswith('?') and sync.startswith('all'):
            update = self.pick('x[i] = true', 'x[i] = !x[i]', '',
                               *(['n++'] if 'count' in self.features else []),
                               *(['last = i'] * 6 if self.twist == 'last' else []),
                               *(['leader = i'] if 'leader' in self.features else []),
                               *(['s[i].on = true'] if 'struct' in self.features else []))
            selects, guard = [], self.pick('', 'x[i]', '!x[i]')
        for kind, value in (('select', ', '.join(selects)), ('guard', guard),
                            ('synchronisation', sync or ''), ('assignment', update)):
            if value:
                labels[kind] = value
        return source, target, labels

    def edges(self, places):
        edges = [self.edge(places, None) for _ in range(self.pick(1, 2, 2, 3))]
        if 'broadcast' in self.features:
            edges.append(self.edge(places, 'all?'))
            if self.chance(.5):
                edges.append(self.edge(places, 'all!'))
        if 'chan' in self.features:
            edges.append(self.edge(places, 'c[i]?'))
            edges.append(self.edge(places, self.pick('c[k]!', 'c[k]!', 'c[i]!')))
            if self.twist == 'channel':
                edges.append(self.edge(places, 'c[%d]!' % self.random.randint(self.low, self.high)))
        return edges

    def queries(self):
        queries = ['E<> ' + self.plain(), 'A[] ' + self.plain(), 'A<> ' + self.plain(),
                   'E[] ' + self.plain(), '%s --> %s' % (self.plain(), self.plain())]
        if self.twist == 'query':
            first, second = self.low, self.high
            queries += ['E<> P(%d).b && %sP(%d).b' % (first, self.pick('', '!'), second),
                        'A[] x[%d] || x[%d] || true' % (first, second), 'A<> P(%d).b' % first]
            if self.most_queries > 4:
                return queries[:2] + self.random.sample(
                    ['E<> P(%d).b && !P(%d).b' % (first, second), 'E<> P(%d).b && !P(%d).b' % (second, first),
                     'E<> x[%d] && !x[%d]' % (first, second), 'E<> x[%d] && !x[%d]' % (second, first),
                     'A<> P(%d).b || x[%d]' % (first, second), 'P(%d).b --> x[%d]' % (first, second),
                     'E[] !P(%d).b' % second, 'sup: x[%d]' % first, 'sup: x[%d]' % second], 4)
        if 'count' in self.features:
            queries.append('sup: n')
        if 'leader' in self.features and self.twist == 'query':
            queries.append('sup: leader')
        if self.twist != 'priority':
            queries.append('E<> deadlock')
        self.random.shuffle(queries)
        formulas = []
        if self.has_formulas:
            formulas = ['A[] E<> ' + self.plain(), 'E<> A[] ' + self.plain(),
                        'A[] (%s imply A<> %s)' % (self.plain(), self.plain())]
        return queries[:self.most_queries] + formulas

    def plain(self):
        items = ['forall (k : id_t) x[k]', 'exists (k : id_t) P(k).b', 'exists (k : id_t) P(k).a && x[k]',
                 'forall (k : id_t) !P(k).b || x[k]']
        if 'leader' in self.features:
            items += ['leader == %s' % self.nobody, 'exists (k : id_t) leader == k && P(k).b']
        if 'data' in self.features:
            items += ['exists (k : id_t) d[k] == 0', 'forall (k : id_t) d[k] == d[k]']
        if 'matrix' in self.features:
            items += ['exists (k : id_t) exists (l : id_t) k != l && e[k][l] && e[l][k]']
        return self.random.choice(items)

    def make(self):
        self.declare()
        places = ('a', 'b') if self.chance(.7) else ('a', 'b', 'q')
        committed = ('q',) if self.chance(.3) else ()
        locals_ = self.pick('', '', 'bool own;')
        edges = self.edges(places)
        if locals_:
            edges.append((self.random.choice(places), self.random.choice(places),
                          {'guard': '!own', 'assignment': 'own = true'}))
        templates = [template('P', 'const id_t i', edges, places, locals_, committed)]
        system, names = '', ['P']
        if self.twist == 'argument':
            system = ''.join('P%d = P(%d);\n' % (k, self.random.randint(self.low, self.high))
                             for k in range(3))
            names = ['P', 'P0', 'P1'] if self.chance(.3) else ['P']
        if self.chance(.35) or 'broadcast' in self.features:
            sync = {'synchronisation': 'all!'} if 'broadcast' in self.features else {}
            copy_edges = [('s', 't', dict(sync)), ('t', 's', {})]
            if 'count' in self.features:
                copy_edges.append(('s', 't', {'assignment': 'n++'}))
            templates.append(template('W', '', copy_edges, ('s', 't')))
            copies = self.pick(1, 2, 3)
            system += ''.join('W%d = W();\n' % k for k in range(copies))
            names += ['W%d' % k for k in range(copies)]
        separator = ', '
        if self.twist == 'priority' and len(names) > 1:
            separator = ' < '
        system += 'system %s;' % separator.join(names)
        if self.twist == 'priority' and 'chan' in self.features:
            self.functions.append('chan priority c[%d] < default;' % self.low)
        return model('\n'.join(self.declarations + self.functions), templates, system,
                     self.queries())


def related(seed):
    """Ids of two kinds, or of one; each of the first kind sets what it has as long as it may."""
    pick = random.Random(seed)
    n, m, cells = pick.choice(((3, 3, 'set name'), (3, 4, 'set name'), (3, 4, 'set name'), (3, 3, 'set name more'),
                               (4, 3, 'set name'), (3, 4, 'name more'), (4, 3, 'set'), (3, 3, 'set more'),
                               (5, 2, 'own more'), (5, 3, 'name'), (6, 2, 'own')))
    cells = pick.sample(cells.split(), len(cells.split()))
    declarations = {'set': 'bool has[id_t][other_t];',
                    'name': 'int[-1,%d] name[id_t] = {%s};' % (m - 1, ', '.join(['-1'] * n)),
                    'more': 'bool more[id_t];',
                    'own': 'int[-1,%d] own[id_t] = {%s};' % (n - 1, ', '.join(['-1'] * n))}
    edges = {'set': [{'select': 'k : other_t', 'assignment': 'has[i][k] = true'}],
             'name': [{'select': 'k : other_t', 'assignment': 'name[i] = k', 'guard': 'name[i] == -1'}],
             'more': [{'assignment': 'more[i] = true'}],
             'own': [{'select': 'k : id_t', 'assignment': 'own[i] = k', 'guard': 'own[i] == -1'},
                     {'guard': 'own[i] == i'}]}
    if 'set' in cells and 'name' in cells: # or other_t would be two kinds
        edges['name'].append({'guard': 'name[i] != -1 && has[i][name[i]]'})
    text = 'typedef int[0,%d] id_t;\ntypedef int[0,%d] other_t;\n' % (n - 1, m - 1)
    return model(text + '\n'.join(declarations[cell] for cell in cells),
                 [template('P', 'const id_t i', [('a', 'a', edge) for cell in cells for edge in edges[cell]], ('a',))],
                 'system P;')


def make(seed, has_formulas=False):
    return related(seed) if seed >= RELATED else Maker(seed, has_formulas).make()


def main():
    sys.stdout.write(make(int(sys.argv[1])))


if __name__ == '__main__':
    main()
