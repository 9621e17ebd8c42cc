"""Merges: random ones, and what they mean.

A merge is written as for --merge, "T0.w0:int[0,1]=v16 > 0" for a local variable,
"w0:int[0,1]=x5[1] + x6" for a global one: a variable that replaces those that
the expression reads.  The expressions are arithmetic on slots without division,
so that they mean the same in Python, but for results of 32 bits.  Behind an @, with a + between them, stand the
locations where it is made, if not in all.
"""

import re

PATH = re.compile(r'[A-Za-z_]\w*(?:\[-?\d+\]|\.\w+)*')


class Merge:
    """The parts of a merge."""

    def __init__(self, text):
        text, _, where = text.partition('@')
        self.where = set(where.split('+')) if where else None
        head, self.value = text.split('=', 1)
        name, self.type = head.split(':', 1)
        self.owner, _, self.name = name.rpartition('.')
        self.paths = list(dict.fromkeys(PATH.findall(self.value)))

    def removed(self):
        """The names of what is removed."""
        at = '@' + '+'.join(sorted(self.where)) if self.where else ''
        return [f"{self.owner}.{path}{at}" if self.owner else path
                for path in self.paths]

    def slots(self, network):
        """{name of a slot of the abstract model: function of a state}"""
        if not self.owner:
            return {self.name: self.function(network, '')}
        return {f"{p.name}.{self.name}": self.function(network, p.name + '.')
                for p in network.processes if self.is_of(p)}

    def places(self, network):
        """{name of a slot: the number of its process and the locations where it follows}, if not everywhere"""
        if not self.where:
            return {}
        return {f"{p.name}.{self.name}": (number, {
            i for i in range(len(p.locations))
            if {p.location_name(i), p.locations[i].id} & self.where})
            for number, p in enumerate(network.processes) if self.is_of(p)}

    def is_of(self, process):
        """The owner is a template, a process, or what is instantiated by parameters that are left."""
        return self.owner in (process.template.name, process.name, process.name.partition('(')[0])

    def function(self, network, prefix):
        first = len(network.processes)
        number = {name: first + i for i, name in enumerate(network.slots)}
        code = PATH.sub(lambda found: f"s[{number[prefix + found[0]]}]",
                        self.value)
        code = code.replace('&&', ' and ').replace('||', ' or ')
        value = eval(f"lambda s: int({code})")  # pylint: disable=eval-used
        return lambda s: (value(s) + 2**31) % 2**32 - 2**31


def is_merge(name):
    return '=' in name


def removed_names(names):
    """Names of what is removed, merged or not."""
    found = []
    for name in names:
        found += Merge(name).removed() if is_merge(name) else [name]
    return found


def condition(rng, paths, low, high):
    path, value = rng.choice(paths), rng.randint(low, high)
    if len(paths) > 1 and rng.random() < 0.3:
        return f"{paths[0]} {rng.choice(('<', '==', '!='))} {paths[1]}"
    return f"{path} {rng.choice(('<', '>', '==', '!='))} {value}"


def value_of(rng, paths, low, high):
    """(type, expression) over the paths, whose values are low..high."""
    kind = rng.randrange(6 if -1000 <= low and high <= 1000 else 4)
    if kind < 2:
        return rng.choice(('bool', 'int[0,1]')), condition(rng, paths, low,
                                                           high)
    if kind == 2:
        both = f" {rng.choice(('&&', '||'))} ".join(
            condition(rng, paths, low, high) for _ in range(2))
        return 'bool', both
    if kind == 3:
        return 'int[0,2]', ' + '.join(
            f"({condition(rng, paths, low, high)})" for _ in range(2))
    total = ' + '.join(paths)
    if kind == 4:
        return 'int[-1000,1000]', total
    return 'int[-1000000,1000000]', f"({total}) * ({total})"


def asked(text, path):
    """The comparisons of a variable with a number in the text of a model."""
    return re.findall(
        rf'(?<![\w.])(?<!/ ){re.escape(path)} (?:[<>]=?|[=!]=) \d+', text)


def choose_merges(rng, names, network, explored, text=''):
    """Instead of some removals, merges of one or two of their slots; what is
    not a scalar is removed as it was.  With the text of the model, mostly what
    it asks of a slot."""
    slots, found, left = {}, [], []
    for number, slot in enumerate(network.slots):
        if slot not in network.metas:
            slots[slot] = number
    first = len(network.processes)
    for name in names:
        owner, dot, path = name.partition('.')
        places = [p for p in network.processes if p.template.name == owner]
        if not (dot and places):
            owner, path, places = '', name, []
        prefix = places[0].name + '.' if places else ''
        if prefix + path in slots and rng.random() < 0.9:
            left.append((owner, path, prefix))
        else:
            found.append(name)
    while left:
        owner, path, prefix = left.pop(0)
        paths = [path]
        for other in left[:]:
            if other[0] == owner and rng.random() < 0.6:
                paths.append(other[1])
                left.remove(other)
        values = {state[first + slots[prefix + each]]
                  for state in list(explored.states)[:500] for each in paths}
        for _ in range(rng.choice((1, 1, 1, 2))):
            kind, value = value_of(rng, paths, max(min(values) - 1, -2**31),
                                   min(max(values) + 1, 2**31 - 1))
            questions = asked(text, path)
            if questions and rng.random() < 0.6:
                kind, value = 'int[0,1]', rng.choice(questions)
            used = [each for each in paths if each in PATH.findall(value)]
            if not used:
                continue
            name = f"w{len(found)}"
            found.append(f"{owner + '.' if owner else ''}{name}:{kind}={value}")
        rest = set(paths) - {each for text in found if is_merge(text)
                             for each in Merge(text).paths}
        found += [f"{owner}.{each}" if owner else each for each in rest]
    return found
