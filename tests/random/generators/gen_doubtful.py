"""Small networks in which it depends on what is removed what happens, and often something does all
the same.

A process P, and Q beside it, ask for variables that go: edges that do the same for complementary
values, or whose effect differs; receivers, also of broadcasts, that may stay away; invariants that some
values break, which others write; branchpoints behind such edges. C and D look at what stays.
"""

import re
from generators.small_models import xml

GUARDS = ['m == 0', 'm == 1', 'm != 0', 'm != 2', 'm == w', 'm + w > 1', 'm == 0 || w == 1',
          'w < 2', 'm != n', 'n == 1', 'm < 2 && w > 0']
UPDATES = ['w = 0', 'w = 1', 'w = m', 'm = w', 'm = 1', 'n = m', 'm = (m + 1) % 3', 'w = n',
           'w = (w + 1) % 3', 'v = 1', 'v = 1 - v', 'm = 0, w = 1']


class Doubtful:
    """One such network: its text, {agent: items that it observes}, arguments that remove something,
    and what may be asked: predicates and values."""

    def __init__(self, rng, has_branches=False):
        self.rng, self.mode, self.has_branches = rng, '--mixed', has_branches
        self.channels = {'a': rng.choice(['chan', 'broadcast chan']),
                         'b': rng.choice(['chan', 'broadcast chan'])}
        declarations = 'int[0,2] m, n, w; int[0,1] v; ' + ' '.join(
            f"{kind} {name};" for name, kind in self.channels.items())
        places = {'P': 'stu', 'Q': 'xy'}
        templates = [(name, '', '', self.locations(names), self.edges(names))
                     for name, names in places.items()]
        templates += [(name, '', '', ['r'], []) for name in 'CD']
        rng.shuffle(templates)
        self.observed = {name: rng.choice([['w'], ['v'], ['P.s', 'v'], ['Q.x'], ['w', 'Q.x'],
                                           ['m'], ['P.t', 'n']]) for name in 'CD'}
        self.arguments = ['--remove', '.m'] + rng.choice([[], ['--remove', '.n']])
        if rng.random() < 0.2:
            self.arguments = ['--merge', f".g:int[0,1]={rng.choice(['m == 1', 'm < n', 'm != 0'])}"]
        self.predicates = ['w == 0', 'w == 1', 'v == 1', 'P.t', 'P.u', 'Q.y', 'P.s && Q.x']
        self.values = ['w', 'v']
        names = ', '.join(template[0] for template in templates)
        self.text = xml(declarations, templates, f"system {names};")

    def locations(self, names):
        rng = self.rng
        return [name + (rng.choice([': m < 2', ': m + w < 3', ': m != w', ': w < 2'])
                        if rng.random() < 0.15 else '')
                for name in names] + ['k^'] * self.has_branches

    def edges(self, names):
        """Some come in pairs that do the same."""
        rng, found = self.rng, []
        for _ in range(rng.randint(3, 5)):
            labels, ends = {}, (rng.choice(names), rng.choice(names))
            if rng.random() < 0.2:
                labels['select'] = 'i : int[0,2]'
            if rng.random() < 0.6:
                labels['guard'] = rng.choice(GUARDS)
            if rng.random() < 0.4:
                labels['synchronisation'] = rng.choice(sorted(self.channels)) + rng.choice('!?')
            if 'select' in labels:
                labels['assignment'] = rng.choice(['m = i', 'm = i, w = i', 'w = i', 'n = i'])
            elif rng.random() < 0.6:
                labels['assignment'] = rng.choice(UPDATES)
            found.append((*ends, labels))
            if 'guard' in labels and rng.random() < 0.4:
                labels = dict(labels)
                labels['guard'] = f"!({labels['guard']})"
                if rng.random() < 0.2:
                    labels['assignment'] = rng.choice(UPDATES)
                found.append((*ends, labels))
        found[0] = (names[0], *found[0][1:])
        if self.has_branches:
            found[0] = (names[0], 'k', found[0][2])
            found += [('k', name, {'assignment': rng.choice(UPDATES)}) for name in names[:2]]
        return found

    def declared(self):
        """Declarations of what agents observe, and of a group."""
        lines = [f"observe {name}: {', '.join(items)};" for name, items in self.observed.items()]
        return lines + [f"group all_of_them = {{{', '.join(self.observed)}}};"]

    def part(self, depth, parsed, value):
        """(text, tree) of a random formula."""
        rng = self.rng
        if not depth or rng.random() < 0.15:
            return parsed(rng.choice(self.predicates))
        way = rng.random()
        if way < 0.15:
            name, text = rng.choice(sorted(self.observed)), rng.choice(self.values)
            return f"Kw({name}, {text})", ('Kw', [name], text, value(text))
        text, tree = self.part(depth - 1, parsed, value)
        if way < 0.4:
            op = rng.choice(['K', 'K', 'GK', 'GCK', 'DK'])
            names = [rng.choice(sorted(self.observed))] if op == 'K' else sorted(self.observed)
            who = names[0] if op == 'K' else 'all_of_them'
            return f"{op}({who}, {text})", (op, names, tree)
        if way < 0.5:
            return f"not ({text})", ('not', tree)
        if way < 0.75:
            op = rng.choice(['AX', 'EX', 'A[]', 'A<>', 'E[]', 'E<>'])
            return f"({op} {text})", (op, tree)
        other, second = self.part(depth - 1, parsed, value)
        if way < 0.85:
            quantifier, op = rng.choice('AE'), rng.choice('UWR')
            return f"{quantifier}[{text} {op} {other}]", (quantifier + op, tree, second)
        op = rng.choice(['&&', '||', 'imply'])
        return f"({text} {op} {other})", (op, tree, second)

    def formula(self, parsed, value):
        """Often A[] or E<> from outside."""
        text, tree = self.part(self.rng.randint(1, 3), parsed, value)
        op = self.rng.choice(['A[]', 'E<>', 'A<>', 'E[]'])
        return f"{op} ({text})", (op, tree)


class Merged(Doubtful):
    """A network in which what P has of its own is merged in some of its locations."""

    def __init__(self, rng):
        super().__init__(rng)
        scope = ','.join(rng.choice((('t',), ('s',), ('t', 'u'), ('s', 't'), ('u',))))
        self.arguments = ['--merge', f"P.g:int[0,1]={rng.choice(['m == 1', 'm < n', 'm != 0', 'm > n'])}@{scope}"]
        if 'n' not in self.arguments[1].partition('=')[2].partition('@')[0]:
            self.arguments += rng.choice([[], [], ['--remove', 'P.n'], ['--remove', f"P.n@{rng.choice('stu')}"]])
        self.observed = {name: rng.choice([['w'], ['v'], ['P.s', 'v'], ['Q.x'], ['w', 'Q.x'], ['P.m'], ['P.t', 'P.n'],
                                           ['P.s', 'P.t', 'P.u', 'P.m'], ['P.s', 'P.t', 'P.u', 'P.m', 'P.n']])
                         for name in 'CD'}
        edges = [(source, target, {kind: re.sub(r'\b[mn]\b', 'w', text) for kind, text in labels.items()})
                 for source, target, labels in self.edges('xy')]
        templates = [('P', '', 'int[0,2] m, n;', self.locations('stu'), self.edges('stu')),
                     ('Q', '', '', ['x', 'y'], edges)]
        templates += [(name, '', '', ['r'], []) for name in 'CD']
        rng.shuffle(templates)
        channels = ' '.join(f"{kind} {name};" for name, kind in self.channels.items())
        self.text = xml(f"int[0,2] w; int[0,1] v; {channels}", templates, 'system P, Q, C, D;')


class Divided(Doubtful):
    """A network in which P often has some step whatever is removed, by one of several edges that do
    different things; of which guards may read cells by an index that is selected."""

    def __init__(self, rng):
        super().__init__(rng)
        self.arguments = ['--remove', '.h']
        self.observed = {name: rng.choice([['w'], ['v'], ['P.s', 'v'], ['Q.x']]) for name in 'CD'}
        self.predicates = ['w == 0', 'v == 1', 'P.t', 'P.u', 'P.s', 'Q.y', 'P.t || P.u']
        guards = rng.choice([['h[0] == 0', 'h[0] == 1'], ['h[0] == 0', 'h[0] == 1', 'h[1] == 1'],
                             ['h[k] == 0', 'v == 1'], *[['h[k] == 0', 'h[0] == 1']] * 3,
                             ['h[0] == h[1]', 'h[1] != h[0]'], ['h[0] + 1 == k', 'v == 1 && h[1] == 0']])
        edges = []
        for number, guard in enumerate(guards):
            labels = {'select': 'k : int[0,1]', 'guard': guard} if 'k' in guard else {'guard': guard}
            if rng.random() < 0.4:
                labels['assignment'] = rng.choice(['w = 1', 'v = 1', 'v = 1 - v', 'w = 0'])
            edges.append(('s', 'tu'[number % 2], labels))
        edges += [(place, 's', {}) for place in 'tu' if rng.random() < 0.3]
        hides = [('x', rng.choice('xy'), {
            'select': 'i : int[0,1]', 'assignment': rng.choice(['h[0] = i', 'h[1] = i', 'h[i] = 1'])})]
        places = ['s', 't' + rng.choice(['', '', ': w == 0', ': v == 0']), 'u']
        templates = [('P', '', '', places, edges), ('Q', '', '', ['x', 'y'], hides)]
        templates += [(name, '', '', ['r'], []) for name in 'CD']
        first = rng.choice(['0, 0', '0, 1', '1, 1'])
        self.text = xml(f"int[0,1] h[2] = {{{first}}}; int[0,2] w; int[0,1] v;", templates,
                        'system P, Q, C, D;')


class Spurious(Doubtful):
    """A network in which v is 1 in the output alone, mostly, and P moves by what v is, which it need not
    see: Z chooses values that always agree, which nobody knows of each by itself."""

    def __init__(self, rng):
        super().__init__(rng)
        self.arguments = ['--remove', '.m']
        self.observed = {name: rng.choice([['w'], ['v'], ['P.s', 'v'], ['Q.x']]) for name in 'CD'}
        self.predicates = ['v == 1', 'P.t', 'P.u', 'P.s', 'Q.y', 'P.t || P.u']
        edges = [('s', target, {'guard': guard} if guard else {}) for target, guard in zip(
            rng.sample('tu', 2), rng.choice([['v == 1', 'v == 0'], ['v == 1', ''], ['v == 0', 'v == 1']]))]
        edges += [(place, 's', {}) for place in 'tu' if rng.random() < 0.3]
        waits = [('x', 'y', {'guard': 'm == 1', 'assignment': 'v = 1'})]
        update = rng.choice(['m = a * (1 - b)', 'm = a * (1 - b)', 'm = a != b ? 1 : 0', 'm = a'])
        chooses = [('k', 'l', {'select': 'i : int[0,1]', 'assignment': 'a = i, b = i'}),
                   ('l', 'n', {'assignment': update})]
        templates = [('P', '', '', ['s', 't', 'u'], edges), ('Q', '', '', ['x', 'y'], waits),
                     ('Z', '', '', ['k', 'l', 'n'], chooses)]
        templates += [(name, '', '', ['r'], []) for name in 'CD']
        self.text = xml("int[0,1] a, b, m, v; int[0,2] w;", templates, 'system P, Q, Z, C, D;')


class Wide(Doubtful):
    """A network in which edges take over, or ask for, one of so many values that the output lets
    nature choose it."""

    def __init__(self, rng):
        super().__init__(rng)
        self.arguments = ['--remove', '.k']
        self.observed = {name: rng.choice([['w'], ['v'], ['P.t'], ['P.s', 'v']]) for name in 'CD'}
        self.predicates = ['w == 0', 'v == 1', 'P.t', 'P.u', 'P.s', 'P.u && v == 0']
        edges = [('s', 't', {'select': 'i : int[0,1030]', 'assignment': 'k = i'})]
        for target in rng.choice([['u'], ['u'], ['u', 's'], ['u', 'u']]):
            edges.append(('t', target, {
                'guard': rng.choice(['k > 3', 'k < 1030', 'v == 0', 'v == 0 && k != 7']),
                'assignment': rng.choice(['v = k % 2', 'w = k % 3', 'v = k > 3', 'w = 1']) + ', k = 0'}))
        templates = [('P', '', '', ['s', 't', 'u'], edges)]
        templates += [(name, '', '', ['r'], []) for name in 'CD']
        self.text = xml('int[0,2000] k; int[0,2] w; int[0,1] v;', templates, 'system P, C, D;')

    def formula(self, parsed, value):
        """Of runs alone: the original has many states."""
        text, tree = parsed(self.rng.choice(self.predicates))
        for _ in range(self.rng.randint(1, 2)):
            op = self.rng.choice(['AX', 'EX', 'A[]', 'A<>', 'E[]', 'E<>'])
            text, tree = f"{op} ({text})", (op, tree)
        return text, tree


class Scoped(Doubtful):
    """A network in which a variable of P rests in one location, and the invariant of another reads it."""

    def __init__(self, rng):
        super().__init__(rng)
        self.arguments = ['--remove', 'P.k@t']
        self.observed = {name: rng.choice([['w'], ['v'], ['P.t'], ['P.s', 'v']]) for name in 'CD'}
        self.predicates = ['w == 0', 'v == 1', 'P.t', 'P.u', 'P.s', 'P.u && v == 0']
        read = [': k != 2', ': k <= 1', ': k + w < 3', ': w < 2']
        locations = ['s', 't', 'u' + (rng.choice(read) if rng.random() < 0.8 else '')]
        edges = [('s', 't', {'select': 'i : int[0,2]', 'assignment': 'k = i'}), ('t', 'u', {})]
        for _ in range(rng.randint(1, 3)):
            labels = {}
            if rng.random() < 0.3:
                labels['guard'] = rng.choice(['w < 2', 'v == 0', 'k > 0', 'k == w'])
            if rng.random() < 0.6:
                labels['assignment'] = rng.choice(['v = 1 - v', 'w = (w + 1) % 3', 'w = k', 'k = 0',
                                                   'k = (k + 1) % 3', 'v = k > 0'])
            edges.append((rng.choice('stu'), rng.choice('stu'), labels))
        templates = [('P', '', 'int[0,2] k;', locations, edges)]
        templates += [(name, '', '', ['r'], []) for name in 'CD']
        self.text = xml('int[0,2] w; int[0,1] v;', templates, 'system P, C, D;')
