"""Small networks of players in which some values make no difference to steps, but may do to what
agents observe, to what is asked, or to which moves they have.

P and Q take over values that are selected, and compare few of them; an edge may wait for a partner that
there is not. C and D look at what comes of it.
"""

from generators.gen_doubtful import Doubtful
from generators.small_models import xml

ITEMS = ['x > 1', 'x == 3', 'x > 2', 'x % 2 == 0', 'y == 0', 'y > 1', 'x == y', 'x', 'P.t', 'Q.v && y > 1']
GUARDS = ['x > 1', 'x == 2', 'x < 3', 'y == 0', 'y > 2', 'm == 3', 'm > 1', 'x != y', 'x == m']
UPDATES = ['x = m', 'y = x', 'm = 0', 'x = 0', 'y = (y + 1) % 4', 'm = y', 'y = x > 1 ? 3 : 0', 'x = 3 - x']


class Exchange(Doubtful):
    """One such network; its arguments leave the choice to the program."""

    def __init__(self, rng):
        self.rng, self.mode, self.arguments = rng, '--may', ['--auto']
        self.has_bound = rng.random() < 0.4
        self.channels = {'a': rng.choice(['chan', 'chan', 'broadcast chan']), 'e': 'chan'}
        places = {'P': 'stu', 'Q': 'vw'}
        templates = [(name, '', 'int[0,3] m;', list(names), self.edges(name, names))
                     for name, names in places.items()]
        templates += [(name, '', '', ['r'], []) for name in 'CD']
        self.observed = {name: rng.sample(ITEMS, rng.randint(1, 2)) for name in 'CD'}
        self.seen_by = {name: rng.choice(['enabled', 'local', 'enabled', 'location', 'location, x > 1',
                                          'location, y == 0', 'location, x', 'location, m > 1'])
                        for name in 'PQ'}
        self.seen_by = {name: way.replace('m > 1', f"{name}.m > 1")
                        for name, way in self.seen_by.items()}
        self.predicates = ['x == 1', 'x > 1', 'y == 0', 'y > 1', 'P.t', 'P.u', 'Q.w', 'P.m == 2',
                           'Q.m > 1', 'P.s && x > 2']
        self.values = ['x', 'y > 1', 'P.m > 2', 'x % 2', 'P.m']
        channels = ' '.join(f"{kind} {name};" for name, kind in self.channels.items())
        self.text = xml(f"int[0,3] x, y, h; {channels}", templates, 'system P, Q, C, D;')

    def bounded(self, labels):
        """With h, which stays so small that it makes no difference; only exploring shows that."""
        labels = dict(labels)
        update = labels.get('assignment', '')
        if update == 'y = i':
            labels['select'] += ', j : int[0,3]'
            labels['guard'] = f"{labels['guard']} && i + j < 6" if 'guard' in labels else 'i + j < 6'
            labels['assignment'] = 'y = i, h = j'
        elif update.startswith('y = '):
            labels['assignment'] = 'x' + update[1:]
        elif 'h + y' not in labels.get('guard', '') and self.rng.random() < 0.3:
            labels['guard'] = f"{labels['guard']} && h + y < 6" if 'guard' in labels else 'h + y < 6'
        return labels

    def edges(self, name, places):
        rng, found = self.rng, []
        for _ in range(rng.randint(2, 4)):
            labels = {}
            if rng.random() < 0.45:
                labels['select'] = 'i : int[0,3]'
            if rng.random() < 0.45:
                labels['guard'] = rng.choice([*GUARDS, 'i < 2', 'i != x'] if 'select' in labels
                                             else GUARDS)
            way = rng.random()
            if way < 0.3:
                labels['synchronisation'] = 'a' + ('!' if name == 'P' else '?')
            elif way < 0.4:    # nobody receives that
                labels['synchronisation'] = 'e!'
            if 'select' in labels:
                labels['assignment'] = rng.choice(['x = i', 'm = i', 'x = i, m = i', 'y = i'])
                if rng.random() < 0.1:
                    labels['comments'] = rng.choice(['@nature i', '@action b'])
            elif rng.random() < 0.6:
                labels['assignment'] = rng.choice(UPDATES)
            found.append((rng.choice(places), rng.choice(places), labels))
        found[0] = (places[0], *found[0][1:])
        if self.has_bound and name == 'P':
            found[0] = (places[0], rng.choice(places), {'select': 'i : int[0,3]', 'assignment': 'y = i'})
        elif self.has_bound:
            found[0] = (places[0], rng.choice(places), {'guard': 'h + y < 6'})
        if self.has_bound:
            found = [(source, target, self.bounded(labels)) for source, target, labels in found]
        order = 'select', 'guard', 'synchronisation', 'assignment', 'comments'
        return [(source, target, {kind: labels[kind] for kind in order if kind in labels})
                for source, target, labels in found]
