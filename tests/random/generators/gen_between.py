"""Small models in which an update reads what its guard has read, and somebody else,
an update hook, or nobody has written it in between (A2)."""

from generators.small_models import xml

GUARDS = ['k == 1', 'k == 1', 'k > 0', 'k != 2', 'k < 2', 'm == 0']
COPIES = ['x = k == 2 ? h : 0', 'x = k > 1 ? h : x', 'x = k == 2 && h > 0', 'x = a[k - 1]', 'x = k == 0 ? h : 1',
          'x = h * (k - 1) > 0', 'x = k == 2 ? m : 0', 'm = k == 2 ? h : m', 'k = k - 1', 'k = k + 1', 'x = a[k]']
WRITES = ['k = 2', 'k = 2', 'k = 1', 'k = 3 - k', 'm = 1 - m', 'm = h > 0', 'k = h', 'set(k)']
HOOKS = ['before_update { k = 2 }\nafter_update { k = 1 }', 'before_update { k = 3 - k }', 'after_update { m = 1 - m }']


def labels_of(rng, guards, sync, items):
    labels = {}
    if guards:
        labels['guard'] = rng.choice(guards)
    if sync:
        labels['synchronisation'] = sync
    if items:
        labels['assignment'] = ', '.join(items)
    return labels


def receiver(rng, name, channels, listens, most):
    """Copies h, or not, by what it finds."""
    edges = []
    for _ in range(rng.randint(1, most)):
        sync = rng.choice(channels) + '?' if listens and rng.random() < 0.85 else ''
        items = rng.sample(COPIES, rng.choice([1, 1, 2]))
        edges.append((rng.choice('AB'), rng.choice('AB'), labels_of(rng, GUARDS, sync, items)))
    edges.append(('B', 'A', {}))
    return name, '', '', ['A', 'B'], edges


def pointed(rng):
    """Somebody writes k, and who comes behind copies h if that is seen."""
    copy = {'guard': rng.choice(['k == 1', 'k < 2']), 'assignment': rng.choice(['x = k == 2 ? h : 0', 'x = k > 1 ? h : x'])}
    write, way = {'assignment': rng.choice(['k = 2', 'set(k)'])}, rng.choice(['receiver', 'branch', 'parameter', 'twin', 'nobody'])
    edges = [('A', 'A', {'select': 'i : int[0,2]', 'assignment': 'h = i'}), ('A', 'A', {'assignment': 'k = 1'})]
    places, channel = ['A'], 'e' if way == 'receiver' else 'c'
    send = {'synchronisation': channel + '!'}
    if way == 'branch':
        places.append('X^')
        edges += [('A', 'X', send), ('X', 'A', write), ('X', 'A', {})]
    else:
        edges.append(('A', 'A', {**send, **(write if way == 'parameter' else {})}))
    first = ('T1', 'chan &r', '', ['A'], [('A', 'A', {'synchronisation': 'e?', **write})])
    second = ('T2', 'chan &r', '', ['A'],
              [('A', 'A', {'synchronisation': ('r' if way == 'parameter' else channel) + '?', **copy})])
    others = [first, second] if way == 'receiver' else [second]
    names = ['T0'] + [name for name, *_ in others]
    system = ''.join(f"P{name} = {name}(c); " for name in names)
    if way == 'twin': # the first of two writes, and the second finds that
        second[4].append(('A', 'A', {'synchronisation': 'r!', **write}))
        names, system = names + ['T3'], system + 'PT3 = T2(d); '
    if way == 'parameter': # the first of two listens where nobody speaks
        names, system = names + ['T3'], 'PT3 = T2(d); ' + system
        names.sort(key=lambda name: name != 'T3')
    return xml("chan c, d; broadcast chan e; int[0,2] k = 1; int[0,2] h, x; void set(int[0,2] &v) { v = 2; }",
               [('T0', 'chan &r', '', places, edges), *others],
               system + f"system {', '.join('P' + name for name in names)};", ['A[] x < 2']), ['h']


def between(rng):
    """(XML text, hidden variables)."""
    if rng.random() < 0.3:
        return pointed(rng)
    channels = rng.sample(['c', 'd', 'e', 'r'], rng.choice([1, 1, 2]))
    edges = [('A', 'A', {'select': 'i : int[0,2]', 'assignment': 'h = i'})]
    places, writes = ['A'], rng.sample(WRITES, 2)
    for channel in channels:
        items = rng.sample(writes, 1) if rng.random() < 0.4 else []
        edges.append(('A', 'A', labels_of(rng, [], channel + '!', items)))
        if rng.random() < 0.15:
            places.append('X^')
            edges[-1] = ('A', 'X', labels_of(rng, [], channel + '!', []))
            edges += [('X', 'A', labels_of(rng, [], '', items)), ('X', 'A', {})]
            break
    if rng.random() < 0.4:
        edges.append(('A', 'A', labels_of(rng, [], '', rng.sample(WRITES, 1))))
    templates = [('T0', 'chan &r', '', places, edges), receiver(rng, 'T1', channels, rng.random() < 0.8, 2)]
    if rng.random() < 0.6:
        templates.append(receiver(rng, 'T2', channels, True, 1))
    listener = rng.choice(['c', 'c', 'd'])
    templates[1:] = [(name, 'chan &r', *rest) for name, _, *rest in templates[1:]]
    hook = rng.choice(HOOKS) if rng.random() < 0.25 else ''
    names = [name for name, *_ in templates]
    system = ''.join(f"P{name} = {name}({listener}); " for name in names)
    return xml(f"chan c, d; {rng.choice(['', '', 'broadcast '])}chan e; int[0,2] k = 1; int[0,2] h, x; int[0,1] m;"
               f" const int a[3] = {{0, 1, 1}}; void set(int[0,2] &v) {{ v = 2; }}\n{hook}",
               templates, system + f"system {', '.join('P' + name for name in names)};",
               [f"A[] {rng.choice(['x < 2', 'x == 0', 'x + k < 3'])}"]), rng.sample(['h', 'm', 'k'], rng.choice([1, 1, 2]))
