"""Small networks for questions about knowledge: agents that share a few
variables, remember some of them, and often get stuck; and atoms about them.

The three agents are processes of their own, or two of them a set, and there is
a variable for nearly everything, so that states differ in little.
"""

from generators.small_models import xml

ORDER = 'select', 'guard', 'synchronisation', 'assignment'
VALUES = {'bool': ('0', '1'), 'int[0,1]': ('0', '1'), 'int[0,2]': ('0', '1', '2')}


class Small:
    """A random network as XML, and the names in it."""

    def __init__(self, rng):
        self.rng = rng
        self.types = {name: rng.choice(sorted(VALUES))
                      for name in 'xyz'[:rng.randint(1, 3)]}
        self.channels = [name for name in 'cd' if rng.random() < 0.5]
        self.is_set = rng.random() < 0.3
        lines = [f"{kind} {name};" for name, kind in self.types.items()]
        for name in self.channels:
            word = 'broadcast chan' if rng.random() < 0.3 else 'chan'
            lines.append(f"{word} {name};")
        names = ['P', 'Q'] if self.is_set else ['P', 'Q', 'S']
        templates = [self.template(name) for name in names]
        self.processes = ['P(0)', 'P(1)', 'Q'] if self.is_set else names
        self.sets = ['P'] if self.is_set else []
        self.parts = ('\n'.join(lines), templates,
                      f"system {', '.join(names)};")
        self.text = xml(*self.parts)

    def value(self, name, types):
        return self.rng.choice(VALUES[types[name]])

    def guard(self, types):
        rng, name = self.rng, self.rng.choice(sorted(types))
        op = rng.choice(['==', '!='])
        if rng.random() < 0.25:
            return f"{name} {op} {rng.choice(sorted(types))}"
        return f"{name} {op} {self.value(name, types)}"

    def update(self, types, labels):
        """One or two assignments: constants, choices, copies."""
        rng, items = self.rng, []
        for name in rng.sample(sorted(types),
                               min(len(types), rng.randint(1, 2))):
            way = rng.random()
            if way < 0.35 and 'select' not in labels:
                labels['select'] = f"i : int[0,{VALUES[types[name]][-1]}]"
                items.append(f"{name} = i")
            elif way < 0.6:    # remember, if it fits
                other = rng.choice([n for n in sorted(types) if
                                    VALUES[types[n]][-1] <= VALUES[types[name]][-1]])
                items.append(f"{name} = {other}")
            else:
                items.append(f"{name} = {self.value(name, types)}")
        labels['assignment'] = ', '.join(items)

    def template(self, name):
        rng = self.rng
        types = dict(self.types)
        local = ''
        if rng.random() < 0.6:
            types['m'] = rng.choice(sorted(VALUES))
            local = f"{types['m']} m;"
        locations = [place + ('!' if place != 'A' and rng.random() < 0.1
                              else '') for place in 'ABC'[:rng.randint(2, 3)]]
        edges = []
        for _ in range(rng.randint(2, 4)):
            labels = {}
            if rng.random() < 0.45:
                labels['guard'] = self.guard(types)
            if self.channels and rng.random() < 0.4:
                labels['synchronisation'] = \
                    rng.choice(self.channels) + rng.choice('!?')
            if rng.random() < 0.65:
                self.update(types, labels)
            ends = rng.choice(locations)[0], rng.choice(locations)[0]
            edges.append((*ends, {kind: labels[kind] for kind in ORDER
                                  if kind in labels}))
        edges[0] = ('A', *edges[0][1:])
        parameter = 'int[0,1] n' if self.is_set and name == 'P' else ''
        return name, parameter, local, locations, edges


class Atoms:
    """Atoms about the states of a network in which every slot has a name."""

    def __init__(self, rng, network, explored):
        self.rng, self.network = rng, network
        self.states = list(explored.states)
        self.count = len(network.processes)

    def fact(self, state, place):
        """What a state says of a process or a slot."""
        if place < self.count:
            process = self.network.processes[place]
            return f"{process.name}.{process.location_name(state[place])}"
        name = self.network.slots[place - self.count]
        return f"{name} == {int(state[place])}"

    def places(self):
        """But for parameters, which say nothing."""
        return [p for p in range(len(self.states[0])) if p < self.count or
                self.network.slots[p - self.count]
                not in self.network.parameters]

    def whole(self, state):
        """True in this state alone."""
        return ' && '.join(self.fact(state, p) for p in self.places())

    def predicate(self):
        rng, places = self.rng, self.places()
        state = rng.choice(self.states)
        some = rng.sample(places, min(len(places), rng.choice([1, 1, 2])))
        text = rng.choice([' && ', ' || ']).join(self.fact(state, p)
                                                 for p in some)
        return f"!({text})" if rng.random() < 0.3 else text

    def integer(self):
        slots = [self.network.slots[p - self.count] for p in self.places()
                 if p >= self.count]
        one, other = self.rng.choice(slots), self.rng.choice(slots)
        return one if self.rng.random() < 0.7 else f"{one} + {other}"
