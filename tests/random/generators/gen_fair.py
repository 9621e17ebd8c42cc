"""Small networks for questions about fairness: all kinds of channels, one of a
process among them, urgent and committed locations, invariants, priorities,
branchpoints, tags on each edge of a step, and a set of processes.
"""

from generators.small_models import xml

ORDER = ('select', 'guard', 'synchronisation', 'assignment', 'probability',
         'comments')
CHANNELS = ('a', 'b', 'c[0]', 'c[1]', 'c[n]')


def arguments(rng, has_select=False):
    """Of a tag: none, or values before the step."""
    ways = ['', '', '(n)', '(k, 1)', '(n + k)', '(1 - k)', '()']
    return rng.choice(['(i)', '(n, i)'] if has_select else ways)


class Rich:
    """A random network as XML, and the names that fairness may be about."""

    def __init__(self, rng):
        self.rng = rng
        self.tags = set()
        kinds = ('chan', 'broadcast chan', 'urgent chan',
                 'urgent broadcast chan')
        lines = ['int[0,1] n, k;'] + [
            f'{rng.choice(kinds)} {name};' for name in ('a', 'b', 'c[2]')]
        if rng.random() < 0.2:
            lines.append('chan priority ' + rng.choice(
                ('a < default', 'default < b', 'a < default < b, c')) + ';')
        self.is_set = rng.random() < 0.4
        templates = [self.template(f'P{i}') for i in range(3)]
        between = ' < ' if rng.random() < 0.15 else ', '
        self.text = xml('\n'.join(lines), templates,
                        f'system P0{between}P1, P2;')
        self.names = ['*', 'a', 'b', 'c', 'P0', 'P1', 'P2', 'P1.d']
        self.names += sorted(self.tags)
        self.names += [name + '(*)' for name in ['c'] + sorted(self.tags)]

    def template(self, name):
        rng = self.rng
        places = 'ABC'[:rng.randint(1, 3)]
        edges = [self.edge(name, places) for _ in range(rng.randint(1, 4))]
        locations = [self.location(place) for place in places]
        if rng.random() < 0.25:
            labels = self.tagged({'guard': 'n == 0'})
            edges.append((rng.choice(places), 'X', labels))
            edges += [('X', rng.choice(places), self.tagged(
                {'probability': '1'})) for _ in range(2)]
            locations.append('X^')
        parameter = 'const int[0,1] id' if self.is_set and name == 'P2' else ''
        local = 'broadcast chan d;' if name == 'P1' else ''
        return name, parameter, local, locations, edges

    def location(self, place):
        way = self.rng.random()
        if way < 0.08:
            return place + '!'
        if way < 0.2:
            return place + '~'
        if way < 0.3:
            return f'{place}:{self.rng.choice("nk")} == 0'
        return place

    def edge(self, name, places):
        rng, labels = self.rng, {}
        way = rng.random()
        if name == 'P1' and way < 0.1:
            labels['synchronisation'] = 'd!'
        elif way < 0.5:
            labels['synchronisation'] = rng.choice(CHANNELS) + rng.choice('!?')
        elif way < 0.62:
            labels['select'] = 'i : int[0,1]'
            labels['synchronisation'] = 'c[i]' + rng.choice('!?')
        if rng.random() < 0.4:
            labels['guard'] = rng.choice(
                ('n == 0', 'n == 1', 'k == 0', 'k == 1', 'n != k'))
        if rng.random() < 0.5:
            labels['assignment'] = rng.choice(
                ('n = i', 'k = i') if 'select' in labels else
                ('n = 1 - n', 'k = 1 - k', 'n = 0', 'k = 1', 'n = k'))
        return rng.choice(places), rng.choice(places), self.tagged(labels)

    def tagged(self, labels):
        if self.rng.random() < (0.8 if 'select' in labels else 0.4):
            found = self.rng.sample(('@t0', '@t1', '@t2'),
                                    self.rng.randint(1, 2))
            self.tags |= set(found)
            labels['comments'] = ' and '.join(
                tag + arguments(self.rng, 'select' in labels) for tag in found)
        return {kind: labels[kind] for kind in ORDER if kind in labels}
