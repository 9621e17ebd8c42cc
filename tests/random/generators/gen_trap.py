"""Small models for what is rare in models of gen_flow.py: values that must not be
taken for others although nearly everything says that they may be."""

from generators.small_models import xml

SAME = ['{0} == {1}', '!({0} < {1} || {0} > {1})', '{0} - {1} == 0',
        'not ({0} != {1})', '{0} >= {1} && {1} >= {0}']
FAILING = [('6 / h > v', 0), ('6 / (h - 1) < 7', 1), ('(v + 1) % h < 3', 0),
           ('a[h - 1] == 0', 0), ('a[h] + v < 4', 2), ('v == 0 || 2 / h > 0', 0)]
COPIES = ['h', '2 - h', '(h + 1) % 3', 'h > 1', 'h > 0 ? 2 : 0']


def twins(rng):
    """Two variables that are always the same, so that what is computed of them
    never is what it would be for others (C12)."""
    most = rng.choice([1, 1, 2])
    usual, other = rng.randint(0, 1), rng.randint(4, 5)
    kept = rng.randint(0, most)
    same = rng.choice(SAME).format(*rng.sample(['x', 'k'], 2))
    reset = {'assignment': 'x = 0, k = 0, y = 0'}
    edges = [
        ('A', 'B', {'select': f"i : int[0,{most}]", 'assignment': 'x = i, k = x'}),
        ('B', 'C', {'assignment': f"y = {same} ? {usual} : {other}"}),
        ('B', 'C', {'select': "j : int[0,3]", 'assignment': 'y = j'}),
        ('C', 'D', {'guard': f"k == {kept}", 'assignment': 'v = 0'}),
        ('C', 'D', {'guard': 'y == 2', 'assignment': 'v = 1 - v'}),
        ('C', 'C', {'guard': 'y == 3', 'assignment': 'v = 1 - v'}),
        ('D', 'A', dict(reset))]
    if rng.random() < 0.5:
        edges.append(('C', 'D', {'guard': f"y == {other}", 'assignment': 'v = 1'}))
    edges.append(('C', 'A', dict(reset)))
    if rng.random() < 0.3:
        edges.append(('B', 'A', {'guard': f"v == {rng.randint(0, 1)}",
                                 **reset}))
    local = f"int[0,{most}] x; int[0,{most}] k;"
    formulas = ['A[] v == 0', f"E<> T0.k == {kept}"]
    return xml("int[0,5] y; int[0,1] v;",
               [("T0", "", local, list('ABCD'), edges)], "system T0;",
               formulas), ['T0.x']


def relays(rng):
    """What does not matter here is copied to where it does (V2)."""
    test = rng.choice(['w == v', 'w > 0', 'w != 1', 'w + v == 2'])
    edges = [('A', 'A', {'select': 'i : int[0,2]', 'assignment': 'h = i'}),
             ('A', 'B', {'assignment': f"w = {rng.choice(COPIES)}"}),
             ('B', 'A', {'guard': test, 'assignment': 'v = 1 - v'}),
             ('B', rng.choice('AB'), {'assignment': 'h = 0'})]
    if rng.random() < 0.5:
        edges.append(('A', 'A', {'assignment': 'w = 0'}))
    local = f"int[0,2] h = {rng.randint(0, 2)}; int[0,2] w;"
    return xml("int[0,1] v;", [("T0", "", local, ['A', 'B'], edges)],
               "system T0;"), ['T0.h', 'T0.w@A']


def failing(rng):
    """Guards that cannot be evaluated for some value, and hold for others (V7)."""
    guard, value = rng.choice(FAILING)
    edges = [('A', 'A', {'select': 'i : int[0,2]', 'assignment': 'h = i'}),
             ('A', 'B', {'guard': guard, 'assignment': 'v = 1 - v'}),
             ('B', 'A', {})]
    if rng.random() < 0.5:
        edges.append(('B', 'B', {'assignment': 'h = h > 1 ? 0 : h + 1'}))
    local = f"int[0,2] h = {rng.choice([value, value, 1])};"
    return xml("const int a[2] = {0, 0}; int[0,1] v;",
               [("T0", "", local, ['A', 'B'], edges)], "system T0;"), ['T0.h']


def hidden(rng):
    """A removed variable that functions read, in a template that hides its name."""
    edges = [('A', 'A', {'select': 'i : int[0,1]', 'assignment': 'put(i), w = 2'}),
             ('A', 'B', {'guard': 'w == 2', 'assignment': 'v = get(), w = 1'}),
             ('A', 'B', {'guard': 'w == 1', 'assignment': 'v = get() ? 1 - v : v'}),
             ('B', 'A', {'assignment': f"w = {rng.choice(['0', 'v + 1', '2'])}"})]
    if rng.random() < 0.5:
        edges.append(('B', 'B', {'guard': 'get() == 1 && w > v', 'assignment': 'v = 1'}))
    return xml("int[0,1] w; int[0,1] v; int get() { return w; } void put(int i) { w = i; }",
               [("T0", "", "int[0,2] w;", ['A', 'B'], edges)], "system T0;"), ['w']


def changing(rng):
    """What was assigned to a removed variable changes before it is read (M2)."""
    value = rng.choice(['x', '2 - x', 'x > 0 ? 1 : 2'])
    change = rng.choice(['(x = 1)', '(x = 0)', '(x = 2 - x)'])
    edges = [('A', 'B', {'select': 'i : int[0,2]', 'assignment': 'x = i'}),
             ('B', 'C', {'assignment': f"h = {value}, y = {change} + h"}),
             ('C', 'A', {'guard': f"y == {rng.randint(1, 3)}", 'assignment': 'v = 1 - v, y = 0'}),
             ('C', 'A', {'assignment': 'y = 0'})]
    return xml("int[0,4] y; int[0,1] v;",
               [("T0", "", "int[0,2] h; int[0,2] x;", list('ABC'), edges)], "system T0;"), ['T0.h']


def behind(rng):
    """A test of a removed variable keeps what stands behind it from failing (M3)."""
    test, guard = rng.choice([('h == 0', '4 / x > 1'), ('h != 1', '6 % x < 3'),
                              ('h < 1', 'a[2 * x - 2] == 0')])
    edges = [('A', 'A', {'select': 'i : int[0,1]', 'assignment': 'h = i, x = i == 1 ? 0 : 2'}),
             ('A', 'B', {'guard': f"{test} && {guard}", 'assignment': 'v = 1 - v'}),
             ('B', 'A', {'assignment': f"h = 0, x = {rng.randint(1, 2)}"})]
    return xml("const int a[4] = {0, 0, 0, 0}; int[0,2] x = 1; int[0,1] v;",
               [("T0", "", "int[0,1] h;", ['A', 'B'], edges)],
               "system T0;"), ['T0.h']


def outside(rng):
    """An array that is read outside of its bounds, where evaluation does not always get to (F2)."""
    index = rng.choice(['x', 'x', 'x - 1', '2 - x', '2'])
    read = f"h[{index}] {rng.choice(['< 9', '< 2', '> 0'])}"
    guard = rng.choice([f"x == {rng.choice('0123')} || {read}", f"x != 3 imply {read}",
                        f"x == 3 ? v == 0 : {read}", f"exists (j : int[0,1]) h[j + {index}] > 0",
                        f"forall (j : int[0,1]) h[j + {index}] < 9", f"!(x < 2 && h[{index}] == 7)", read])
    edges = [('A', 'A', {'select': 'i : int[0,1]', 'assignment': rng.choice(['h[i] = 1', 'h[0] = i', 'v = i'])}),
             ('A', 'A', {'assignment': 'x = (x + 1) % 4'}),
             ('A', 'B', {'guard': guard, 'assignment': rng.choice(['v = 1 - v', ''])}),
             ('B', 'A', {'assignment': rng.choice(['h[1] = 2', 'v = 0', ''])})]
    if rng.random() < 0.4:
        edges[2][2].update(guard='', assignment=f"v = h[{index}] > 0")
    return xml("int[0,3] x; int[0,1] v;", [("T0", "", "int[0,2] h[2];", ['A', 'B'], edges)],
               "system T0;"), ['T0.h']


def received(rng):
    """An array that is read outside of its bounds in arguments, channels, guards and updates of
    who synchronises (F2)."""
    word, name = rng.choice([('chan', 'c'), ('broadcast chan', 'b'), ('broadcast chan', 'b')])
    read = f"h[{rng.choice(['x', 'x', 'x - 1', '1 - x'])}]"
    updates = [f"v = {read}", f"put({read})", f"{read} == 0 ? v = 1 : v = 0", f"v = look({read})", f"v = {read}, x = 0",
               f"g[{read}] = 1"]
    edge = {'synchronisation': rng.choice([f"{name}[0]", f"{name}[{read}]"])}
    if rng.random() < 0.5:
        edge['guard'] = f"{read} {rng.choice(['== 0', '>= 1', '< 5'])}"
    if rng.random() < 0.6 or not read in ''.join(edge.values()):
        edge['assignment'] = rng.choice(updates)
    other = {'synchronisation': f"{name}[{rng.choice('001')}]"}
    if rng.random() < 0.6:
        other['assignment'] = rng.choice(['x = 2 - x', 'set()', 'x = 2', 'x = y, x++'])
    marks = rng.choice(['?!', '?!', '!?'])
    edge['synchronisation'] += marks[0]
    other['synchronisation'] += marks[1]
    if rng.random() < 0.2:
        del edge['synchronisation']
    first = [('A', 'B', edge), ('B', 'A', {'assignment': rng.choice(['', 'x = 0', 'h[0] = 1 - h[0]'])})]
    second = [('A', 'A', {'assignment': 'y = 1 - y'}), ('A', 'A', {'assignment': 'g[0] = 1 - g[0]'}), ('A', 'B', other),
              ('B', 'A', {'assignment': rng.choice(['', 'x = x == 2 ? 0 : x + 1', 'y = 1 - y'])})]
    return xml(f"int[0,1] h[2]; int[0,2] x = {rng.randint(0, 2)}; int[0,1] v; int[0,1] y; int[0,1] g[2]; {word} {name}[2];"
               "void put(int i) { v = i; } int look(int i) { y = i; return i; } void set() { x = y + 1; }",
               [("T0", "", "", ['A', 'B'], first), ("T1", "", "", ['A', 'B'], second)], "system T0, T1;"), ['h']


def aliased(rng):
    """Functions that name what their reference parameter stands for, which is removed (M2)."""
    write = rng.choice(['p = i', 'p = i', 'p = 1 - p', 'p = 1', 'p = v > 0 ? 0 : 1'])
    see = rng.choice(['x = v', 'x = v', 'x = 1 - v', 'x = v == y ? 1 : 0', 'if (v > 0) x = 1 - x'])
    more = rng.choice(['', '', 'y = p;', 'y = v;', 'v = i;'])
    functions = (f"void f(int[0,1] &p, int i) {{ {write}; {see}; {more} }}"
                 "int g(int[0,1] &p) { p = 1 - p; return v; } void h(int[0,1] &q) { y = g(q); x = v; }"
                 "int k(int p) { return v + p; } int look(const int[0,1] &p) { return p + v; }")
    calls = ['f(v, i)', 'f(v, i)', 'f(v, i)', 'h(v)', 'h(v)', 'x = g(v)', 'y = g(v), x = 1 - y',
             'f(u, i)', 'h(u)', 'x = k(i) % 2', 'x = look(v) > 1', 'v = i, f(v, 1)']
    resting = rng.choice([', v = 0', ', v = 0', ', v = 1', ''])
    edges = [('A', 'B', {'select': 'i : int[0,1]', 'assignment': rng.choice(calls)}),
             ('B', 'A', {'select': 'i : int[0,1]', 'assignment': rng.choice(calls) + resting}),
             ('B', 'C', {'guard': rng.choice(['x == 1', 'y == 0', 'x == y']), 'assignment': 'y = 0'}),
             ('C', 'A', {'assignment': rng.choice(['', 'x = 0, ', 'u = 1 - u, ']) + (resting[2:] or 'y = 0')})]
    start = rng.choice(['', '', ' = 1'])
    return xml("int[0,1] x; int[0,1] y; int[0,1] u;",
               [("T0", "", f"int[0,1] v{start}; {functions}", list('ABC'), edges)], "system T0;"), ['T0.v']


FEEDING = ['r++', 'r += k', 'r = r > 2 ? 0 : r + 1', 'q = q + r', 'q += i', 'q = v + i', 'note(i)',
           'a[i] += r', 'a[k % 2]++', 'q = a[1] + 1', 'seen = r', 'shown = i']
SEEING = ['', '', 'v = r % 2', 'v = r', 'v = q > 1', 'v = a[1] > 1', 'v = look()', 'put(i)',
          'shown = q % 3', 'v = (r++) % 2', 'seen = q, v = seen > 2', 'seen = r, v = seen > 0']


def recorded(rng):
    """Records that only updates name, and now and then something that sees them (V14)."""
    kind, seeing = rng.choice(['int', 'int', 'int[0,9]', 'int[-9,9]']), rng.choice(SEEING)
    turns, is_local = rng.random() < 0.4, rng.random() < 0.6
    feeding = FEEDING[3:] if turns else FEEDING
    updates = []
    for _ in range(2):
        items = rng.sample(feeding, rng.randint(1, 4)) + ['k++', 'r = 1 - r'][:2 if turns else 1]
        rng.shuffle(items)
        items += [seeing] if seeing and rng.random() < 0.8 else []
        updates.append(', '.join(items))
    guards = [rng.choice(['k < 3'] * 5 + ['k < 3 && r < 2', 'k < 3 && q != 1']) for _ in range(2)]
    edges = [('A', 'B', {'select': 'i : int[0,1]', 'guard': guards[0], 'assignment': updates[0]}),
             ('B', 'A', {'select': 'i : int[0,1]', 'guard': guards[1], 'assignment': updates[1]}),
             ('A', 'A', {'guard': 'v == 1 && k < 3', 'assignment': 'k++, v = 0'})]
    functions = ("void note(int i) { q = q + i; a[0] = q; } int look() { return a[0] % 2; }"
                 "void put(int i) { a[i] = a[i] + 1; v = a[0] > 1; }")
    record = f"{kind} r = 1;"
    names = rng.sample(['T0.r' if is_local else 'r', 'q', 'a', 'T0.seen'], rng.randint(1, 4))
    return xml(f"{'' if is_local else record} {kind} q; {kind} a[2]; int[0,3] k; int[0,1] v;"
               f"int shown; {functions}",
               [("T0", "", f"{record if is_local else ''} {kind} seen;", ['A', 'B'], edges)],
               "system T0;"), names


WORKING = ['r++;', 'q += i;', 'a[i]++;', 's.n++;', 's.n = s.n + r;', 'b[i].n += s.n;', 'm = i;',
           'if (q > m) m = q;', 'if (s.w > m) { m = s.w; r++; }', 'note(i);', 'note(i + q);',
           'for (j : int[0,1]) a[j] += i;', 'for (c = 0; c < 2; c++) q++;', 'q = both(s) + 1;',
           'c = i; while (c > 0) { c--; r++; }', 'do { c++; q += c; } while (c < 2);',
           't = q; q = t + i;', 'if (i == 1) { r++; v = 1 - v; } else q++;', 'q = inc();',
           'if (v == 1) q++; else s.w = (s.w + 1) % 4;', 'if (i == 1) b[i].w = v; else r++;',
           'b[1] = b[0];', 's = b[i];', 'b[i] = s;', 'bump(r);', 'bump(q);', 'bump(s.n);',
           'both(s);', 'both(b[i]);', 'b[i].w = v;', 'if (i == 0) bump(c); r += c;',
           '{ kind x = q, y = i; r = x + y; }', '{ rec l = s; l.n += r; s = l; }',
           '{ rec l; l.w = 1; l.n = q; b[i] = l; }', 'v = pop(i);', 'v = take(b[i]);']
PEEKING = ['v = q % 2;', 'if (m > 2) v = 0;', 's.w = r % 4;', 'if (r > 2) return;',
           'for (c = 0; c < r; c++) v = 1 - v;', 's.w = b[0].n > 1;', 'v = inc() % 2;',
           'v = s.n > 1;', 'b[m % 2].w = 1;', 'c = q; v = c > 1;',
           '{ rec l = s; v = l.n > 1; }', 'if (a[0] > 1) { if (v == 0) s.w = 1; }',
           'c = 0; while (c < q) { c++; s.w = 1 - s.w % 2; }', 'v = b[0] == b[1];', 'v = get(q, 1);',
           't = m; if (t > 1) v = 1 - v;', 'v = get(1, r) % 2;', 'b[q % 2] = s;']


def logged(rng):
    """Functions that do their work and keep records of it, which mostly nothing sees (V14)."""
    kind = rng.choice(['int', 'int[0,200]', 'int[0,200]'])
    bodies = []
    for _ in range(2):
        body = rng.sample(WORKING, rng.randint(2, 6)) + rng.sample(PEEKING, rng.random() < 0.3)
        rng.shuffle(body)
        bodies.append(' '.join(body).replace('kind', kind))
    common = f"{kind} c = 0; {kind} t; {kind} u = q;"
    updates = [rng.choice(['work(i), k++', 'k++, work(i)', 'r += i, work(i), k++', 'k++, s.n++, work(1)',
                           'work(i), k++, b[i].n = s.n']),
               rng.choice(['rest(i), k++', 'k++, rest(1 - i)', 'k++, q++', 'k++, both(s)', 'k++, s.n += q'])]
    mark = rng.choice(['', 'm = x.w;', 'r += x.n;'])
    guard = rng.choice(['k < 3'] * 6 + ['k < 3 && s.n < 2', 'k < 3 && q != 1', 'k < 3 && inside()'])
    edges = [('A', 'B', {'select': 'i : int[0,1]', 'guard': guard, 'assignment': updates[0]}),
             ('B', 'A', {'select': 'i : int[0,1]', 'guard': 'k < 3', 'assignment': updates[1]}),
             ('A', 'A', {'guard': 'v == 1 && s.w != 2 && k < 3', 'assignment': 'k++, v = 0'}),
             ('B', 'B', {'guard': 'b[0].w == b[1].w && k < 3', 'assignment': 'k++, b[0].w = 2'})]
    functions = (f"void note(int x) {{ q = q + x; a[0] = q; }} void bump({kind} &x) {{ x++; }}"
                 f"int both(rec &x) {{ x.n++; x.w = (x.w + 1) % 4; {mark} return x.w; }}"
                 f"int take(rec x) {{ x.n = 0; return x.w % 2; }} int get(int x, int y) {{ r += x; return y; }}"
                 f"int inc() {{ r++; return r; }} bool inside() {{ return a[1] < 2; }}"
                 f"int pop(int x) {{ if (x == 1) {{ q++; return 0; }} r += x; return 1; }}"
                 f"void work(int i) {{ {common} {bodies[0]} }}")
    names = rng.sample([['r'], ['q'], ['a'], ['m'], ['s.n'], ['b[0].n', 'b[1].n'], ['b[0].n']], rng.randint(2, 6))
    return xml(f"typedef struct {{ {kind} n; int[0,3] w; }} rec; {kind} r = 1, q; {kind} a[2]; {kind} m;"
               f"rec s, b[2]; int[0,3] k; int[0,1] v; {functions}",
               [("T0", "", f"void rest(int i) {{ {common} {bodies[1]} }}", ['A', 'B'], edges)],
               "system T0;"), sorted(set(sum(names, [])))


def ranges(rng):
    """Ranges that a parameter shifts: a value of one process need not fit into the variable
    of another (V9), nor the one that its cells start with."""
    name, local = rng.choice([
        ('m', 'int[low, 4] m = {0};'), ('m', 'int[low, 4] m = {0};'),
        ('c[1]', 'int[low, 4] c[2] = {{4, {0}}};')])
    first, test = rng.choice(['low', 'low + 1', 'v + low']), rng.choice(['> 9', '< low', '> low'])
    edges = [('A', 'B', {'assignment': f"{name} = {first}"}),
             ('B', 'C', {'assignment': f"{name} = {name} {test} ? 3 : 4"}),
             ('C', 'A', {'guard': f"{name} {rng.choice(['== 4', '>= 3', '> low'])}",
                         'assignment': 'v = 1 - v'})]
    if rng.random() < 0.5:
        edges.append(('B', 'B', {'assignment': f"{name} = low == {name} ? low + 1 : low"}))
    scope = rng.choice(['', '', '@B']) if name == 'm' else ''
    start = rng.choice(['4', '4', 'low', 'low + 1'])
    if scope:                           # mostly it can be removed
        start = rng.choice(['4', '4', '4', start])
    return xml("int[0,1] v;",
               [("T0", "const int[0,2] low", local.format(start), list('ABC'), edges)],
               "P1 = T0(0); P2 = T0(2); system P1, P2;"), [f"T0.{name}{scope}"]


SENT = ['v = x', 'v = x', 'v = x', 'v = (x + 1) % 4', 'v = x > 1 ? x : v', 'v = x, x = 0', 'x = 0', 'x = v']
TAKEN = ['y = v', 'y = v', 'y = v > 1', 'y = v == 2 ? 2 : 0', 'y = v, v = 0', 'v = 3 - v', 'y = x_of, v = 1']
SEEN = ['v > 1', 'v == 3', 'v == 0', 'g == 1', 'g > 1']
KEPT = ['g = x', 'g = x', 'g = i', 'g = (g + 1) % 4', 'h = g', 'g = h', 'x = g > 1', 'g = 0']


def kinds(rng, processes):
    """An array of channels in place of two, so that one carries several kinds of messages."""
    index = rng.choice([{'c': '0', 'd': '1'}, {'c': 'x_or_y', 'd': '1'}, {'c': '0', 'd': '(f == 1 ? 0 : 1)'}])
    for number, edges in enumerate(processes):
        for _, _, labels in edges:
            name, way = labels.get('synchronisation', '  ')
            if name in index:
                cell = index[name].replace('x_or_y', ['(x > 1 ? 1 : 0)', '0', 'f'][number])
                labels['synchronisation'] = f"e[{cell}]{way}" if rng.random() < 0.9 else f"(f == 0 ? e[{cell}] : d){way}"


def called(edges, start):
    """What the edges ask and do, in functions that a constant argument leads through; from a number on."""
    asks, acts = '', ''
    for number, (_, _, labels) in enumerate(edges, start):
        chosen = 'i' if 'select' in labels else '0'
        if labels.get('guard'):
            asks += f"if (e == {number}) return {labels['guard']}; else "
            labels['guard'] = f"can({number})"
        if labels.get('assignment'):
            steps = labels['assignment'].replace(', ', '; ')
            acts += f"if (e == {number}) {{ {steps}; }} else "
            labels['assignment'] = f"act({number}, {chosen})"
    return f" bool can(int[0,99] e) {{ {asks}return true; }} void act(int[0,99] e, int[0,3] i) {{ {acts}{{}} }}" \
        .replace('&&', 'and')


def handed(rng, by_kind=False):
    """What a message hands over in a shared variable, which others see or do not, and shared
    variables that one process names, or nearly (V3, V4)."""
    def some(choices, chance):
        return rng.choice(choices) if rng.random() < chance else ''

    def joined(*items):
        return ', '.join(item for item in items if item)
    kind = rng.choice(['chan', 'chan', 'chan', 'broadcast chan'])
    take = rng.choice(TAKEN).replace('x_of', rng.choice(['v', 'v % 2', 'y']))
    send = {'synchronisation': 'c!', 'assignment': joined(rng.choice(SENT), some(KEPT, 0.3))}
    start = {'select': 'i : int[0,3]', 'assignment': joined('x = i', some(KEPT, 0.5))}
    for edge in (send, start):
        edge['assignment'] = edge['assignment'].replace('g = i', 'g = x')
    sender = [('A', 'B', start), ('B', rng.choice('AAC'), send),
              ('C', 'A', {'guard': rng.choice(['g < 2', 'g == x', 'true', 'h != 1']),
                          'assignment': joined(some(KEPT, 0.6).replace('g = i', 'g = 1'), 'x = 0')})]
    if rng.random() < 0.4:
        sender.append(('B', 'A', {'synchronisation': rng.choice(['c!', 'd!']), 'assignment': 'x = 0'}))
    places = list('ABC')
    if rng.random() < 0.2:
        places.append('X^')
        sender += [('B', 'X', {'synchronisation': 'c!', 'assignment': rng.choice(['', 'v = 0', 'v = x'])}),
                   ('X', 'A', {'assignment': rng.choice(SENT)}),
                   ('X', 'A', {'assignment': 'x = 0'})]
    receiver = [('A', 'B', {'synchronisation': 'c?', 'assignment': take}),
                ('B', 'A', {'guard': rng.choice(['y > 1', 'y == 0', 'y == 3', 'v == 1']),
                            'assignment': 'f = 1 - f, y = 0'}),
                ('B', 'A', {'assignment': rng.choice(['y = 0', 'y = 0', 'y = v % 2'])})]
    if rng.random() < 0.5:
        receiver.append(('A', 'A', {'synchronisation': 'd?', 'assignment': rng.choice(['y = v', 'f = 0', 'v = 2'])}))
    if rng.random() < 0.3:
        receiver.append(('B', 'A', {'guard': rng.choice(SEEN[3:]), 'assignment': 'f = 1 - f'}))
    seer = [('A', 'A', {'guard': f"{rng.choice(SEEN[:3])} && f == 0", 'assignment': 'f = 1'})
            if rng.random() < 0.4 else ('A', 'A', {'guard': 'f == 1', 'assignment': 'f = 0'})]
    if rng.random() < 0.2:
        seer.append(('A', 'A', {'guard': f"{rng.choice(SEEN[3:])} && f == 0", 'assignment': 'f = 1'}))
    if rng.random() < 0.3:
        seer.append(('A', 'A', {'synchronisation': 'c?', 'assignment': rng.choice(['f = v % 2', 'f = v > 2'])}))
    removed = rng.sample(['v', 'g', 'h', 'T0.x', 'T1.y'], rng.randint(1, 3))
    if by_kind:
        if rng.random() < 0.5:  # a second message, behind a step with a third process
            places.insert(3, 'D')
            sender += [(sender[1][1], 'D', {'synchronisation': 'k!'}),
                       ('D', 'A', {'synchronisation': 'c!', 'assignment': rng.choice(['', 'x = 0'])})]
            seer.append(('A', 'A', {'synchronisation': 'k?'}))
        kinds(rng, [sender, receiver, seer])
    own = [called(edges, 10 * n) if by_kind and rng.random() < 0.5 else ''
           for n, edges in enumerate([sender, receiver, seer])]
    return xml(f"{kind} c; chan d; {'chan e[2], k; ' if by_kind else ''}int[0,3] v; int[0,3] g; int[0,3] h; int[0,1] f;",
               [("T0", "", "int[0,3] x;" + own[0], places, sender),
                ("T1", "", "int[0,3] y;" + own[1], ['A', 'B'], receiver), ("T2", "", own[2], ['A'], seer)], "system T0, T1, T2;"), removed


def posted(rng):
    return handed(rng, True)


TESTS = ['h == id', 'h == id || id == 1', 'h > id', 'id * h < 2', 'id == 0 || h == 2', 'w >= id',
         'h + w == id', 'g[id] == h', 'h == v + id', 'on && h == 1', '!on || h < id', 'h != 1', 'r == 0 && h > 0']
PASSED = ['w = h', 'w = h', 'w = h * id', 'w = id > 1 ? h : w', 'w = h % 2', 'g[id] = h', 'h = w', 'v = h == id',
          'r = id == 0 ? h % 2 : r', 'w = on ? h : 0', 'h = id', 'put(h)', 'g[id] = g[0], g[0] = id']
STARTS = ['', ' = id', ' = 2', ' = id == 1 ? 2 : 0']
ALONE = ['P1 = T0({r}0, true); P2 = T0({r}1, true); {x}', 'P1 = T0({r}0, true); P2 = T0({r}2, false); {x}',
         'Q(const int[0,1] k) = T0({r}k + 1, k == 1); P1 = Q(0); P2 = Q(1); {x}',
         'Q(const bool b) = T0({r}1, b); P1 = Q(true); P2 = Q(false); {x}',
         'P1 = T0({r}1, true); P2 = T0({r}1, true); {x}']
MORE = ['', '', '', '', 'P3 = T0({r}1, true);', 'P3 = T0({r}0, false);', 'P3 = T0({r}2, true);']


CROWDED = ['h == id', 'h > id', 'id > 1 || h == 2', 'id % 2 == k || h > 0', 'h + k == id', 'id > k && h == 1',
           'id == k || h == id', 'id != 2 || h == 1', 'h == k || id == 1', 'h == 2 - id']


def crowd(rng):
    """Many processes, some of which are alike (V9)."""
    count = rng.choice([3, 4, 4, 5])
    edges = [('A', 'B', {'select': 'i : int[0,2]', 'assignment': 'h = i'}),
             ('B', 'A', {'guard': rng.choice(CROWDED), 'assignment': rng.choice(['v = 1 - v, h = 0', 'v = 0'])}),
             ('B', 'A', {'guard': rng.choice(CROWDED), 'assignment': rng.choice(['h = 0', 'h = 0, v = 1', ''])})]
    params, local = f"const int[0,{count - 1}] id", f"const int k = {rng.randint(0, 1)};"
    if rng.random() < 0.5:
        params, local = f"const int[0,{rng.choice('12')}] id, const int[0,1] k", ''
    return xml("int[0,1] v;", [("T0", params, f"{local} int[0,2] h;", ['A', 'B'], edges)],
               "system T0;", ['A[] v == 0']), ['T0.h']


def apart(rng):
    """Processes of a template for which other values make a difference, told apart by their
    parameters or not (V9)."""
    if rng.random() < 0.3:
        return crowd(rng)
    has_reference, is_changed = rng.random() < 0.3, rng.random() < 0.25
    tests = [t for t in TESTS if has_reference or 'r ' not in t]
    passed = [p for p in PASSED if has_reference or 'r =' not in p]
    edges = [('A', 'B', {'select': 'i : int[0,2]', 'assignment': 'h = i'}),
             ('B', rng.choice('BC'), {'assignment': rng.choice(passed)}),
             ('B', 'C', {'guard': rng.choice(tests), 'assignment': rng.choice(['', 'v = 1 - v'])}),
             ('C', 'A', {'guard': rng.choice(tests), 'assignment': rng.choice(['h = 0, w = 0', 'v = 1 - v', 'w = 0'])}),
             ('C', 'A', {'assignment': rng.choice(['h = 0', 'w = 0', 'h = id', ''])})]
    if rng.random() < 0.3:
        edges.append(('B', 'A', {'guard': 'id == 1', 'assignment': rng.choice(['h = 2', 'w = 2', 'v = w > 1'])}))
    if rng.random() < 0.2:
        edges.append(('B', 'B', {'select': f"{rng.choice(['id', 'j'])} : int[0,2]",
                                 'assignment': f"h = {rng.choice(['2', 'id'])}"}))
    if is_changed:
        edges.append(('A', 'A', {'assignment': 'id = 1 - id % 2'}))
    bound = '2' if is_changed else rng.choice(['2', '2', '2', 'id + 2'])
    first = rng.choice(STARTS[::2] if is_changed else STARTS)
    local = f"int[0,{bound}] h{first}; int[0,2] w{rng.choice(['', first])}; void put(int n) {{ w = n; }}"
    params = f"{'int[0,1] &r, ' if has_reference else ''}{'' if is_changed else 'const '}int[0,2] id, bool on"
    more = rng.choice(MORE)
    system = rng.choice(ALONE).format(r='{r}', x=more)
    names = ['P1', 'P2'] + ['P3'] * bool(more)
    while '{r}' in system:
        system = system.replace('{r}', rng.choice(['v, ', 'u, ']) if has_reference else '', 1)
    if not has_reference and not is_changed and rng.random() < 0.25:
        params = f"const int[0,{rng.choice('112')}] id"
        local += ' const bool on = true;'
        system, names = '', ['T0']
    formulas = [f"E<> {rng.choice(names[:2])}.h == 1"] if len(names) > 1 and (is_changed or rng.random() < 0.25) else []
    return xml("int[0,1] v; int[0,1] u; int[0,2] g[3];",
               [("T0", params, local, list('ABC'), edges)], f"{system} system {', '.join(names)};",
               formulas or ['A[] v == 0']), rng.sample(['T0.h', 'T0.w', 'g'], rng.randint(1, 2))


TRAPS = [twins, relays, failing, recorded]
NAMED = [hidden, changing, behind, recorded]  # by what a removed variable is read through
SHIFTED = [ranges, logged, logged, handed, ranges, logged, posted, handed]
