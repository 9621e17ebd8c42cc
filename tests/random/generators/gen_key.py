"""Small models in which a variable makes no difference while another one, its key,
has some value, though it is taken back, or read all the same."""

from generators.small_models import xml

FORMS = ['plain', 'plain', 'array', 'struct', 'reference']
OTHERS = ['x = 1 - x', 'x = 0', 'x = 1', '']


class Cells:
    """Which cells there are: (declaration, cell, its key) by an index."""

    def __init__(self, rng):
        self.form = rng.choice(FORMS)
        self.is_bool = rng.random() < 0.3
        self.values = 'false', 'true'
        if not self.is_bool:
            low = rng.choice([0, 0, 0, -1, 1])
            self.values = tuple(range(low, low + rng.choice([2, 2, 3])))
        self.untidy = rng.choice([0, 0.1, 0.3])
        self.live, *self.dead = rng.sample(self.values, len(self.values))
        kind = 'bool' if self.is_bool else f"int[{self.values[0]},{self.values[-1]}]"
        self.kind, first = kind, rng.choice(self.values)
        start = rng.randrange(3)
        self.decl = {
            'struct': f"struct {{ int[0,2] v; {kind} u; }} s = {{ {start}, {first} }};",
            'array': f"int[0,2] v[2]; {kind} u[2] = {{ {first}, {rng.choice(self.values)} }};",
            'reference': f"int[0,2] v; {kind} u[2] = {{ {self.live}, {first} }};",
        }.get(self.form, f"int[0,2] v = {start}; {kind} u = {first};")

    def names(self, index):
        return {'struct': ('s.v', 's.u'), 'array': (f"v[{index}]", f"u[{index}]"),
                'reference': ('v', 'u[1]')}.get(self.form, ('v', 'u'))

    def test(self, key, value):
        if self.is_bool:
            return key if value == 'true' else '!' + key
        return f"{key} == {value}"


def read(rng, cells, index):
    """What reads the cell, mostly while that matters only: (guard, update)."""
    cell, key = cells.names(index)
    lives = cells.test(key, cells.live)
    value = rng.choice([f"{cell} == {rng.randrange(3)}", f"{cell} > {rng.randrange(2)}"])
    way = rng.choice(['guard', 'guard', 'late', 'update', 'function', 'choice'])
    if rng.random() < cells.untidy / 4:
        return value, rng.choice(OTHERS)
    return {'guard': (f"{lives} && {value}", rng.choice(OTHERS)), 'late': (f"{value} && {lives}", 'x = 1 - x'),
            'update': (lives, f"x = {value}"), 'function': ('', f"x = uses({cell}, {key})"),
            'choice': ('', f"x = {lives} ? {value} : x")}[way]


def write(rng, cells, index):
    """What writes the cell, the key, or both: (guard, update)."""
    cell, key = cells.names(index)
    lives, ends = cells.test(key, cells.live), cells.test(key, rng.choice(cells.dead))
    name = 'r' if cells.form == 'reference' and rng.random() < 0.5 else key
    sets, dies, revives = (f"{name} = {value}" for value in
                           (rng.choice(cells.values), rng.choice(cells.dead), cells.live))
    value = rng.choice(['i', 'i', 'i', f"{cell} > 0 ? 0 : i", f"x + {rng.randrange(2)}"])
    both = ', '.join(rng.sample([f"{cell} = i", revives], 2))
    if rng.random() < cells.untidy:
        return rng.choice([('', sets), (ends, revives), ('', f"{cell} = i, {sets}"), (ends, f"{cell} = {value}"),
                           ('', f"{name} = {cell} == {rng.randrange(3)} ? {cells.live} : {cells.dead[0]}")])
    return rng.choice([(lives, f"{cell} = {value}"), (ends, both), ('', both), (lives, dies), (lives, dies), ('', dies),
                       (lives, f"reset({key})")])


def edge(rng, cells, makers, ways):
    """(labels) of one edge."""
    index = rng.choice('01k') if cells.form == 'array' else '0'
    guard, update = rng.choice(makers)(rng, cells, index)
    if rng.random() < 0.15:
        update = ', '.join(filter(None, [update, rng.choice(makers)(rng, cells, index)[1]]))
    selects = [f"{name} : int[0,{most}]" for name, most in (('k', 1), ('i', 2))
               if f"[{name}]" in guard + update or f" {name}" in update.replace('int', '')]
    labels = {'select': ', '.join(selects), 'guard': guard, 'assignment': update}
    if ways and rng.random() < 0.4:
        labels['synchronisation'] = rng.choice('ccbd') + rng.choice(ways)
    return {kind: text for kind, text in labels.items() if text}


def process(rng, cells, name, makers, most, ways):
    places = list('ABC')[:rng.randint(1, most)]
    edges = [(rng.choice(places), rng.choice(places), edge(rng, cells, [maker], ways))
             for maker in makers + [rng.choice(makers) for _ in range(rng.randint(0, 3))]]
    edges += [(place, rng.choice(places), {}) for place in places[1:]]
    if rng.random() < 0.1:
        edges += [('A', 'X', {}), ('X', 'A', {}), ('X', rng.choice(places), {'assignment': rng.choice(OTHERS[:3])})]
        places.append('X^')
    return name, f"{cells.kind} &r", '', places, edges


def received(rng):
    """Who receives reads, or not, what makes no difference behind the step."""
    channel, dies = rng.choice('cb'), rng.choice(['u = 1', 'u = 1', 'u = 1, v = 0'])
    moves = [('A', 'A', {'select': 'i : int[0,2]', 'guard': 'u == 0', 'assignment': 'v = i'}),
             ('A', 'A', {'guard': 'u == 0', 'synchronisation': channel + '!', 'assignment': dies}),
             ('A', 'A', {'guard': 'u == 1', 'assignment': rng.choice(['u = 0, v = 0', 'u = 0, v = 0', 'u = 0'])})]
    reads = [('A', 'A', {'guard': rng.choice(['u == 0', 'u == 0', 'u == 0 && v > 0']), 'synchronisation': channel + '?',
                         'assignment': rng.choice(['x = v == 1', 'x = v > 1', 'x = u == 1 && v == 1'])})]
    return xml('chan c; broadcast chan b; int[0,1] x; int[0,2] v; int[0,1] u;',
               [('T0', '', '', ['A'], moves), ('T1', '', '', ['A'], reads)], 'system T0, T1;', ['E<> x == 1'])


def entered(rng):
    """The key has one value only where the cell is written, and is set on the way to where it counts."""
    dead, low = rng.sample([1, 2, 3], 2), rng.choice(['int[0,3]', 'int[0,3]', 'int'])
    sets = rng.choice(['u = k', 'u = k', f"u = k, x = v == {rng.randrange(3)}", 'set(k)'])
    edges = [('A', 'B', {'select': 'k : int[1,3]', 'assignment': sets}),
             ('B', 'A', {'guard': f"u == {dead[0]}", 'assignment': 'v = 0, u = 0'}),
             ('B', 'A', {'guard': f"u == {dead[1]}", 'assignment': rng.choice(['v = 0, u = 0', 'u = 0, v = 1'])}),
             ('B', 'A', {'guard': f"u == {6 - sum(dead)}",
                         'assignment': rng.choice(['v = v < 2 ? v + 1 : 0', 'x = v == 1', 'x = 1 - x, v = 2 - v']) + ', u = 0'}),
             ('A', 'A', {'guard': f"v == {rng.randrange(1, 3)}", 'assignment': rng.choice(['x = 0', 'v = 0'])})]
    local = f"int[0,2] v; {low} u; void set(int k) {{ u = k; }}"
    return xml('int[0,1] x;', [('T0', '', local, ['A', 'B'], edges)], 'system T0;', ['A[] x == 0'])


def unread(rng):
    """An edge reads another variable, and writes the cell, whatever the key has."""
    live = rng.randrange(2)
    edges = [('A', 'A', {'select': 'i : int[0,2]', 'assignment': 'w = i'}),
             ('A', 'A', {'guard': rng.choice(['x == 0', 'w > 0', 'true']), 'assignment': rng.choice(['v = w', 'v = 2 - w'])}),
             ('A', 'A', {'guard': f"u == {live} && v == {rng.randrange(1, 3)}", 'assignment': 'x = 1 - x'}),
             ('A', 'A', {'guard': f"u != {live}", 'assignment': rng.choice([f"u = {live}, v = 0", f"u = {live}"])}),
             ('A', 'A', {'guard': f"u == {live}", 'assignment': f"u = {1 - live}"})]
    return xml('int[0,1] x;', [('T0', '', 'int[0,2] v, w; int[0,1] u;', ['A'], edges)], 'system T0;', ['A[] x == 0'])


def passed(rng):
    """The key is always the same on the way to where it counts."""
    live, dead = rng.sample([0, 1, 2], 2)
    edges = [('A', 'B', {'select': 'i : int[0,2]', 'assignment': rng.choice(['v = i', 'v = i', 'v = i > 0'])}), ('B', 'C', {}),
             ('C', 'C', {'guard': f"u == {live} && v == {rng.randrange(1, 3)}", 'assignment': 'x = 1 - x'}),
             ('C', 'C', {'assignment': f"u = {dead}"}),
             ('C', 'A', {'guard': f"u == {dead}", 'assignment': rng.choice([f"u = {live}, v = 0", f"v = 0, u = {live}"])})]
    return xml('int[0,1] x;', [('T0', '', f"int[0,2] v, u = {live};", ['A', 'B', 'C'], edges)], 'system T0;', ['A[] x == 0'])


def referred(rng):
    """The key is a cell of an array, and revived by who has it by reference."""
    edges = [('A', 'A', {'select': 'i : int[0,2]', **rng.choice([{}, {'guard': '!u[1]'}]), 'assignment': 'v = i'}),
             ('A', 'A', {'guard': '!u[1] && v == 2', 'assignment': 'x = 1 - x'}),
             ('A', 'A', {'guard': rng.choice(['', '!u[1]']), 'assignment': 'u[1] = true'}),
             ('A', 'A', {'assignment': rng.choice(['r = false', 'r = !r', 'r = x == 1'])})]
    return xml('int[0,1] x; int[0,2] v; bool u[2];', [('T0', 'bool &r', '', ['A'], edges)],
               'P = T0(u[1]); system P;', ['E<> x == 1'])


def keyed(rng):
    """(XML text, hidden variables)."""
    if rng.random() < 0.3:
        return rng.choice([received, entered, unread, passed, referred])(rng), ['x']
    cells = Cells(rng)
    is_local = rng.random() < 0.5 and cells.form != 'reference'
    key = 'u[1]' if cells.form == 'reference' else 'q'
    functions = (f" bool uses(int[0,2] a, {cells.kind} b) {{ if ({cells.test('b', cells.live)}) return a == 1;"
                 f" return false; }} void reset({cells.kind} &b) {{ b = {cells.dead[0]}; }}")
    ways = rng.choice(['', '!?', '!?', '?'])
    found = [process(rng, cells, 'T0', [write, write, write, read], rng.choice([1, 1, 2, 3]), ways)]
    makers = [lambda rng, *_: (rng.choice(['', 'x == 0']), rng.choice(OTHERS))] if is_local else [read, read, write]
    found += [process(rng, cells, f"T{number}", makers, 2, '!?') for number in range(1, rng.choice([2, 2, 3]))]
    decl = f"chan c, d; broadcast chan b; int[0,1] x; {cells.kind} q = {cells.values[0]};"
    if is_local:
        found[0] = (*found[0][:2], cells.decl + functions, *found[0][3:])
    else:
        decl += ' ' + cells.decl + functions
    names = [name for name, *_ in found]
    system = ''.join(f"P{name} = {name}({key}); " for name in names)
    return xml(decl, found, system + f"system {', '.join('P' + name for name in names)};",
               [f"A[] {rng.choice(['x == 0', 'PT0.A', 'x == 1 imply PT0.A'])}"]), \
        ['T0.v' if is_local and cells.form != 'struct' else 'x']
