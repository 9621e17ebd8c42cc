"""Small networks in which a player receives, and it depends on what is removed in which way.

Q sends on a channel, P has several edges that receive on it: some for certain, some only for values
of what goes, some into a location whose invariant the step may break.  So it matters whether what P
has chosen is possible, and whether it makes a step.
"""

from generators.small_models import xml

DOUBTS = ['m == 0', 'm == 1', 'm != 0', 'm < 2', 'm == v', 'm > 0 || v == 1']
SEEN = ['', '', 'v == 0', 'v == 1', 'w < 2']
UPDATES = ['w = m', 'v = 1 - v', 'w = 1', 'm = 0', 'w = 2 - m']


class Receivers:
    """One such network: its text, {agent: items that it observes}, arguments that remove something,
    and predicates that may be asked for."""

    def __init__(self, rng):
        self.rng, self.mode, self.is_blocked = rng, '--mixed', rng.random() < 0.2
        kind = rng.choice(['chan', 'chan', 'chan', 'broadcast chan'])
        declarations = f"int[0,2] m, w; int[0,1] v; {kind} a;"
        templates = [('P', '', '', self.places(), self.receiving()),
                     ('Q', '', '', ['x', 'y'], self.sending()),
                     ('N', '', '', ['n', 'o'], self.nature())]
        templates += [(name, '', '', ['r'], []) for name in 'CD']
        rng.shuffle(templates)
        self.observed = {name: rng.choice([['w'], ['v'], ['P.s'], ['Q.x', 'v']]) for name in 'CD'}
        self.arguments = ['--remove', '.m']
        self.predicates = ['P.t', 'P.u', 'P.s', 'P.t || P.u', 'P.s || P.t', 'P.t && w == 0', 'v == 1']
        self.values = ['w', 'v']
        names = ', '.join(template[0] for template in templates)
        self.text = xml(declarations, templates, f"system {names};")

    def places(self):
        """Some of which a step may not enter."""
        if self.is_blocked:
            return ['s', 't: ' + self.rng.choice(['v == 0', 'w > 0', 'm < 2']), 'u']
        return ['s'] + [name + (self.rng.choice([': v == 0', ': m < 2', ': w < 2', ': m != v'])
                                if self.rng.random() < 0.3 else '') for name in 'tu']

    def nature(self):
        return [('n', 'o', {'select': 'i : int[0,2]', 'assignment': 'm = i'})]

    def sending(self):
        rng = self.rng
        edges = [('x', rng.choice('xy'), {'synchronisation': 'a!'})]
        if rng.random() < 0.3:
            edges[0][2]['guard'] = rng.choice(DOUBTS[:4] + ['v == 0'])
        if rng.random() < 0.3:
            edges.append(('x', 'y', {'synchronisation': 'a!', 'assignment': rng.choice(UPDATES)}))
        if rng.random() < 0.3:
            edges.append(('y', 'x', {}))
        return edges

    def receiving(self):
        rng, edges = self.rng, []
        if self.is_blocked:
            return [('s', 't', {'synchronisation': 'a?', 'guard': rng.choice(DOUBTS)}),
                    ('s', 'u', {'synchronisation': 'a?'})]
        for target in rng.sample('tus', rng.randint(2, 3)) + rng.choice([[], ['t'], ['u']]):
            labels = {'synchronisation': 'a?'}
            guard = rng.choice(DOUBTS) if rng.random() < 0.5 else rng.choice(SEEN)
            if guard:
                labels['guard'] = guard
            if rng.random() < 0.3:
                labels['assignment'] = rng.choice(UPDATES)
            edges.append(('s', target, labels))
        for source in rng.choice(['', '', 't', 'tu']):
            edges.append((source, 's', {}))
        return edges
