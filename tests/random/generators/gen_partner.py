"""Small models with edges that nobody synchronises with, or hardly anybody: their
guards are evaluated all the same, and fail unless two variables go together."""

from generators.small_models import xml

# On x and y, which are the same at B, and u, which get() fails for unless they are 1.
FAILING = ['a[x - y] == 0', 'a[y - x] == 0', '6 / (1 + x - y) > 2',
           'a[x > y ? 3 : y - x] == 0', '!(b[x][2 - y] > 2)', 'x < 3 && a[x - y] < 2',
           'a[2 - x + y] + v < 2', 'x == v || a[x - y] == 0',
           'x == 1 && get(u) == 0']
FINE = ['x == y', 'x > 0', 'y != 1', 'x + y == 2', 'v == 0']
EFFECTS = ['x = 1', 'y = 2 - y', 'v = 1 - v', 'z = x', 'x = 0, y = v', 'w = x > y']
TO = {'chan': ['c', 'c', 'c', 'e[1]', 'e[x - y]', '(v == 0 ? c : d)'],
      'broadcast chan': ['c', 'c', 'd', 'e[0]']}


def lonely(rng):
    """(XML text, hidden variables) of such a model."""
    kind = rng.choice(['chan', 'chan', 'broadcast chan'])
    prefix = rng.choice(['', '', 'urgent ']) + kind

    def waits(side, risky=True):
        labels = {'synchronisation': rng.choice(TO[kind]) + side}
        if rng.random() < 0.8:
            labels['guard'] = rng.choice(FAILING if risky else FINE)
        if rng.random() < 0.7:
            labels['assignment'] = rng.choice(EFFECTS)
        return labels

    side = rng.choice('!?')
    other = '?' if side == '!' else '!'
    both = {'select': 's : int[0,2]', 'assignment': 'x = s, y = s, u = s == 1 ? 2 : 5'}
    edges = [('A', 'B', both), ('B', rng.choice('BD'), waits(side)),
             ('B', 'A', {'assignment': rng.choice(['x = 1', 'y = 0', 'x = 0, y = 0'])}),
             ('A', 'A', {'guard': rng.choice(['x == 2', 'y > 0', 'x + z > 1']),
                         'assignment': rng.choice(['w = 1 - w', 'v = 1 - v', 'z = 1'])})]
    if rng.random() < 0.5:
        edges.append(('A', 'A', {'select': 's : int[0,2]', 'assignment': 'x = s'}))
    if rng.random() < 0.4:
        edges.append(('B', rng.choice('AD'), waits(rng.choice('!?'))))
    if rng.random() < 0.5:
        edges.append(('D', rng.choice('AB'), {'assignment': rng.choice(EFFECTS),
                                              'guard': rng.choice(FINE)}))
    if rng.random() < 0.4:      # the one guard tells x and y apart, and nobody else does
        kind = prefix = 'chan'
        edges = [('A', 'B', {'select': 's : int[0,2]', 'assignment': 'x = s, y = s'}),
                 ('B', 'A', {'assignment': 'x = 1'}),
                 ('A', 'A', {'guard': 'x == 2', 'assignment': 'v = 1'}),
                 ('A', 'A', {'select': 's : int[0,2]', 'assignment': 'x = s'}),
                 ('B', 'D', {'guard': rng.choice(FAILING[:5]), 'synchronisation': 'c' + side})]
    # The other process gets to where it synchronises, or it does not.
    way = rng.choice([{'guard': 'v > 1'}, {'guard': 'false'}, {'synchronisation': 'd?'},
                      {'synchronisation': 'd!'}, {'guard': 'w == 1'}, {}])
    others = [('P', 'Q', way), ('Q', rng.choice('PQ'), {
        'synchronisation': rng.choice(TO[kind][:2] + ['e[0]']) + rng.choice([other, other, side])})]
    if rng.random() < 0.4:
        others.append(('P', 'P', {'assignment': rng.choice(['v = 1 - v', 'w = 0', 'z = 0'])}))
    if rng.random() < 0.3:
        others.append(('Q', 'P', {'guard': 'a[x - x] == 0', 'assignment': 'v = 0'}))
    declarations = (f"int[0,1] a[3]; int get(int i) {{ int k = 0; while (k != i) k++; return a[k]; }}"
                    f" int[0,5] u; int[0,1] b[3][3]; int[0,2] x, y; int[0,2] z;"
                    f" int[0,1] v; int[0,1] w; {prefix} c; {prefix} d; {prefix} e[2];")
    templates = [('T0', '', '', list('ABD'), edges), ('T1', '', '', list('PQ'), others)]
    rng.shuffle(templates)
    system = 'system T0, T1;' if rng.random() < 0.8 else 'system T0;'
    return xml(declarations, templates, system, ['A[] v == 0', 'E<> T0.D']), \
        ['x', 'y'] + rng.choice([[], ['z'], ['w']])
