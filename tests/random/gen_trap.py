"""Small models for what is rare in models of gen_flow.py: values that must not be
taken for others although nearly everything says that they may be."""

from small_models import xml

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


TRAPS = [twins, relays, failing]
