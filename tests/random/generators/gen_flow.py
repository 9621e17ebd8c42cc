"""Small models in which variables are copied, tested and computed with, mostly
to no effect on what is visible: hidden ones (named h) are asked about together,
and only what guards and updates do for all of their values, at every location
and in every cell, tells whether they matter."""

import re
from generators.gen_expr import Type, Var
from generators.gen_model import Channel, Edge, Location, ModelGen
from generators.gen_pad import add_label

# Conditions on a hidden h and a visible v that h makes no difference to, for
# values up to 2; and such that it does for some values only.
IDLE = ['h + v >= 0', 'v - h <= 2', '(h + 1) * (v + 1) > 0', 'h + v < 5',
        'h <= 2 || v == 1', '(h > 0 ? v : v + 0) == 1', 'h * 0 == v', 'a[h] == v',
        'v == 1 && h >= 0', 'same(h, v) > 0', 'h != 3', '(h == 1 || h != 1) && v < 2']
NEAR = ['h + v < 4', 'v - h <= 1', 'h <= 1 || v != 2', 'same(h, v) > v', 'a[h] == h',
        'b[h] == v', 'h == v', 'h > 0', '6 / (h + 1) > v + 1', 'h + v != 4']
IDLE_VALUES = ['v', 'v * (h + 1) > 0', '(v + 3 * h + 1) % 3', 'a[h]',
               'same(h, v) > 1', '(h + 2) / 4', 'h > 2 ? 2 : v']
NEAR_VALUES = ['(v + h) % 3', 'h', 'a[h] + h / 2', '(h + 2) / 3', 'b[h]',
               'v * h > 3', '2 - h']
HIDDEN_VALUES = ['h', 'h', '2 - h', '(h + 1) % 3', 'h2', 'h2 > 0', 'h > h2', 'v',
                 'h + 1', 's', 's', 'same(h, h2)']
FUNCTIONS = '''const int a[3] = {1, 1, 1};
const int b[3] = {1, 1, 0};
int same(int x, int y) { return x - x + y + 1 > 2 ? 2 : 1; }'''
PREFIXES = ['', '', 'urgent ', 'broadcast ', 'broadcast ']


class FlowGen(ModelGen):
    """One such model."""

    def __init__(self, seed):
        super().__init__(seed, ())
        self.likely_near = self.pick([0, 0.05, 0.15])

    def build(self):
        self.separators, self.progress, self.queries = None, '', []
        self.decls += FUNCTIONS.split('\n')
        self.hidden, self.arrays = {None: []}, set()
        self.visible = [self.variable(self.decls, self.globals, 'v')]
        for _ in range(self.pick([0, 1, 1, 2])):
            self.hidden[None].append(
                self.variable(self.decls, self.globals, 'h'))
        for _ in range(self.pick([1, 1, 2])):
            channel = Channel(self.fresh('c'), self.pick(PREFIXES), [], '')
            self.channels.append(channel)
            self.decls.append(f"{channel.prefix}chan {channel.name};")
        for number in range(self.pick([1, 2, 2])):
            self.templates.append(self.template(f"T{number}"))
        return self

    def variable(self, decls, found, stem):
        name, start = self.fresh(stem), self.rng.randint(0, 2)
        var = Var(name, Type('int', 'int[0,2]', 0, 2), start=start)
        if stem == 'h' and self.chance(0.2):
            self.arrays.add(name)
            decls.append(f"int[0,2] {name}[3];")
        else:
            decls.append(f"int[0,2] {name} = {start};")
        found.append(var)
        return var

    def template(self, name):
        template = self.small_template(name)
        self.hidden[name] = [
            self.variable(template.decls, template.locals, 'h')
            for _ in range(self.pick([1, 1, 2]))]
        count = self.pick([2, 3, 3, 4])
        for i in range(count):
            loc = Location(f"id{self.fresh('')}", 'ABCD'[i], 200 * i, 0)
            loc.mark = 'committed' if self.chance(0.1) else None
            template.locations.append(loc)
        for i in range(count):
            for _ in range(self.pick([1, 1, 2])):
                template.edges.append(self.edge(template, i, count))
        for loc in template.locations[1:]:
            if self.chance(0.15):
                loc.invariant = self.condition(template)
        return template

    def edge(self, template, source, count):
        edge = Edge(source, self.rng.randrange(count))
        if self.chance(0.5):
            add_label(edge, 'guard', '', self.condition(template))
        for _ in range(self.pick([0, 1, 1, 2])):
            self.update(template, edge)
        if self.chance(0.4):
            edge.sync = (self.pick(self.channels), self.pick('!?'))
            add_label(edge, 'synchronisation', '',
                      edge.sync[0].name + edge.sync[1])
        return edge

    def own(self, template):
        """A hidden variable, or a cell of it."""
        var = self.pick(self.hidden[None] + self.hidden[template.name])
        if var.name not in self.arrays:
            return var.name
        index = self.pick(['0', '1', '2', self.pick(self.visible).name])
        return f"{var.name}[{index}]"

    def fill(self, template, text):
        """The letters stand for variables of the kind."""
        names = {'h': self.own(template), 'h2': self.own(template),
                 'v': self.pick(self.visible).name}
        for old, new in (('h2', '\0'), ('h', names['h']), ('v', names['v'])):
            text = replace_word(text, old, new)
        return text.replace('\0', names['h2'])

    def condition(self, template):
        near = self.chance(self.likely_near)
        return self.fill(template, self.pick(NEAR if near else IDLE))

    def update(self, template, edge):
        if self.chance(0.35):
            near = self.chance(self.likely_near)
            name = self.pick(self.visible).name
            text = self.fill(template,
                             self.pick(NEAR_VALUES if near else IDLE_VALUES))
        else:
            name = self.own(template)
            text = self.fill(template, self.pick(HIDDEN_VALUES))
        if text == 's':
            text = self.fresh('s')
            add_label(edge, 'select', ', ', f"{text} : int[0,2]")
        write = f"{name} = {text}"
        if self.chance(0.08):       # only some runs write
            function = self.fresh('f')
            template.decls.append(f"void {function}(int x, int y)"
                                  f" {{ if (y > 0) {name} = x; }}")
            other = self.fill(template, self.pick(['h', 'v']))
            write = f"{function}({text}, {other})"
        add_label(edge, 'assignment', ', ', write)


def replace_word(text, old, new):
    """Words are letters, digits and underscores."""
    return re.sub(rf"\b{old}\b", lambda _: new, text)


def flowing(seed):
    """(model, names of its hidden variables)"""
    model = FlowGen(seed).build()
    return model, [v.name for v in model.hidden[None]] + [
        f"{t.name}.{v.name}" for t in model.templates
        for v in model.hidden[t.name]]
