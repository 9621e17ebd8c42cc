"""Small models whose processes share variables that matter at some locations of
one process only, though others read and write them, too (V3, V4)."""

from generators.small_models import xml

READ = ['v > 1', 'v == 2', 'v == 0', 'w > 1', 'w == 2', 'v == w', 'v > w', 'f == 0', 'f == 1', 'x > 1']
SET = ['v = i', 'v = i', 'v = i', 'w = i', 'w = i', 'v = 0', 'w = 0', 'v = 2', 'v = i > 1 ? 2 : v', 'v = 3 - v',
       'w = v', 'v = w', 'w = f', 'v = (v + w) % 4']
USED = ['f = v > 1', 'f = v == 2', 'f = w > 1', 'x = v', 'x = w', 'f = 1 - f', 'x = 0', 'v = x', 'u[f] = v',
        'v = u[f]', 'u[1] = w', 'w = u[0] > 1']
ANSWERS = ['v = i', 'v = i', 'v = i', 'v = i > 1 ? i : v', 'v = 3 - v', 'x = v, v = i', 'f = 1 - f']
CHANNELS = ['c', 'c', 'd', 'd', 'e[0]', 'e[1]', 'e[f]', 'b']


def some(rng, choices, chance):
    return [rng.choice(choices)] if rng.random() < chance else []


def edge(rng, pools, source, target, ways):
    """One step: more often with a partner than alone. At few locations something is read."""
    channels, read, written, used, eyes = pools
    chance = 0.6 if source in eyes else 0.06
    steps = some(rng, written, 0.5) + some(rng, used, chance)
    labels = {'select': f"i : int[{rng.choice('01')},3]"} if any(' i' in step for step in steps) else {}
    for guard in some(rng, read, chance):
        labels['guard'] = guard
    for channel in some(rng, channels, 0.7):
        labels['synchronisation'] = channel + rng.choice(ways)
    if steps:
        labels['assignment'] = ', '.join(rng.sample(steps, len(steps)))
    return source, target, labels


def process(rng, pools, name, most, ways):
    """A ring of locations, and some edges more."""
    places = list('ABCDE')[:rng.randint(most // 2 + 1, most)]
    pools = *pools, rng.sample(places, 1)
    edges = [edge(rng, pools, place, places[(i + 1) % len(places)], ways) for i, place in enumerate(places)]
    edges += [edge(rng, pools, *rng.choices(places, k=2), ways) for _ in range(rng.randint(0, 2))]
    if rng.random() < 0.08:
        edges.append(edge(rng, pools, 'A', 'X', ways))
        edges += [('X', place, {'assignment': rng.choice(SET[5:8] + USED)}) for place in rng.choices(places, k=2)]
    if len(places) > 1 and rng.random() < 0.08:
        places[rng.randrange(1, len(places))] += f":{rng.choice(READ)}"
    return name, '', 'int[0,3] x;', places + ['X^'] * any(target == 'X' for _, target, _ in edges), edges


def ask(rng, found):
    """The first process asks for a value: whoever receives that gives one, mostly."""
    places, edges = found[0][3:]
    channel = rng.choice('cccb')
    edges[0] = (*edges[0][:2], {'synchronisation': channel + '!'})
    for _ in range(2):
        edges.append((edges[0][1], rng.choice(places)[0],
                      {'guard': rng.choice(['v > 1', 'v == 2', 'v == 0']), 'assignment': rng.choice(['f = 1 - f', 'v = 0'])}))
    found[1][4].append((*rng.choices(['A', found[1][3][0][0]], k=2), {'synchronisation': channel + '?'}))
    for *_, others in found[1:]:
        for number, (source, target, labels) in enumerate(others):
            if labels.get('synchronisation') == channel + '?' and rng.random() < 0.9:
                others[number] = (source, target, {'select': 'i : int[0,3]', 'synchronisation': channel + '?',
                                                   'assignment': rng.choice(ANSWERS)})


def hosted(rng):
    """Two or three processes, of which any may be the one that tells when they matter."""
    kinds = [('T0', 5, '!??'), ('T1', 3, '!!?'), ('T2', 2, '!?')][:rng.choice([2, 3, 3])]
    pools = [rng.sample(choices, count) for choices, count in ((CHANNELS, 3), (READ, 2), (SET, 4), (USED, 2))]
    found = [process(rng, pools, *kind) for kind in kinds]
    if rng.random() < 0.4:
        ask(rng, found)
    formulas = [f"A[] {rng.choice(['f == 0', 'T0.A', 'T1.A'])}"]
    if rng.random() < 0.4:
        name, *_, places, _ = rng.choice(found)
        formulas.append(f"A[] {name}.{places[0][0]} imply {rng.choice(READ[:7])}")
    return xml("chan c, d, e[2]; broadcast chan b; int[0,3] v; int[0,3] w; int[0,3] u[2]; int[0,1] f;",
               found, f"system {', '.join(name for name, *_ in found)};", formulas), \
        rng.sample(['v', 'w', 'u', 'T0.x'], rng.randint(1, 2))
