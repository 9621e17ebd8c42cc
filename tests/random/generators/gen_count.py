"""Small models that count: integers with many values, plain ones too, which only comparisons of
sums, differences and multiples bound, in guards on both sides of a synchronisation that writes
between them, with hooks, disjunctions and numbers that are reset elsewhere."""

from generators.gen_expr import Type, Var
from generators.gen_model import Channel, Edge, Location, ModelGen, Template
from generators.gen_pad import add_label

RANGES = [(-40, 40), (0, 60), (-9, 90), (-200, 200), None, None]     # None: plain
COMPARED = ['<', '<', '<=', '<=', '>', '>=', '==', '!=']
BUDGETS = [1, 4, 12, 60, None]


class CountGen(ModelGen):
    """One such model."""

    def __init__(self, seed):
        super().__init__(seed, ())

    def build(self):
        self.separators, self.progress, self.queries = None, '', []
        self.worth = []                   # names to remove rather than others
        for _ in range(self.pick([1, 2, 2, 3])):
            self.globals.append(self.declare_counter(self.decls, 'x'))
        for _ in range(self.pick([0, 1, 1])):
            channel = Channel(self.fresh('c'),
                              self.pick(['', '', 'broadcast ']), [], '')
            self.channels.append(channel)
            self.decls.append(f"{channel.prefix}chan {channel.name};")
        if self.chance(0.15):
            name = self.declare_counter(self.decls, 'x').name
            self.decls.append(f"after_update {{ {name} = {name} >= 4 ? 0 :"
                              f" {name} + {self.pick([1, 2, 3])} }}")
            self.globals.append(Var(name, Type('int', 'int', 0, 6), start=0))
        for number in range(self.pick([1, 2, 2])):
            self.templates.append(self.small_template(f"T{number}"))
        if self.channels and len(self.templates) > 1 and self.chance(0.7):
            self.handing()
        if self.chance(0.4):
            self.branching()
        return self

    def handing(self):
        """What a receiver's guard has read, the sender has written since."""
        sender, taker = self.rng.sample(self.templates, 2)
        var, own = self.pick(self.globals), self.pick(taker.locals)
        one, two = Edge(0, 0), Edge(0, 0)
        for edge, mark in ((one, '!'), (two, '?')):
            edge.sync = (self.channels[0], mark)
            add_label(edge, 'synchronisation', '',
                      self.channels[0].name + mark)
        add_label(one, 'assignment', '', f"{var.name} = {self.bound()} + 4")
        add_label(two, 'guard', '', f"{var.name} < 5")
        add_label(two, 'assignment', '', f"{own.name} = {var.name}")
        sender.edges.append(one)
        taker.edges.append(two)
        self.leave(taker, own)

    def branching(self):
        """Either of two conditions lets a number pass."""
        template = self.pick(self.templates)
        own, edge, name = self.pick(template.locals), Edge(0, 0), self.fresh('s')
        add_label(edge, 'select', '', f"{name} : int[0,30]")
        add_label(edge, 'guard', '', self.pick([
            f"{name} < 2 || {name} > 25", f"{name} == 3 || 2 * {name} == 12",
            f"{name} <= 4 imply {name} == 1"]))
        add_label(edge, 'assignment', '', f"{own.name} = {name}")
        template.edges.append(edge)
        self.leave(template, own)

    def leave(self, template, own):
        """A step that tells great values of a number."""
        edge, var = Edge(0, len(template.locations) - 1), self.pick(self.globals)
        add_label(edge, 'guard', '', f"{own.name} > {self.pick([4, 5, 9])}")
        add_label(edge, 'assignment', '', f"{var.name} = 1")
        template.edges.append(edge)
        self.worth.append(f"{template.name}.{own.name}")

    def declare_counter(self, decls, stem):
        """A variable; low and high are where its values mostly are."""
        ends, name = self.pick(RANGES), self.fresh(stem)
        text = f"int[{ends[0]},{ends[1]}]" if ends else 'int'
        start = self.pick([0, 0, 0, 1, 5])
        decls.append(f"{text} {name} = {start};")
        return Var(name, Type('int', text, 0, 6), start=start)

    def small_template(self, name):
        template = Template(name)
        template.system = template.processes = [name]
        for _ in range(self.pick([1, 1, 2])):
            template.locals.append(self.declare_counter(template.decls, 'v'))
        count = self.pick([1, 2, 2, 3])
        for i in range(count):
            loc = Location(f"id{self.fresh('')}", 'ABC'[i], 200 * i, 0)
            template.locations.append(loc)
        for loc in template.locations[1:]:
            if self.chance(0.15):
                loc.invariant = f"{self.some(template)} <= {self.bound()}"
        for i in range(count):
            for _ in range(self.pick([1, 2, 2, 3])):
                template.edges.append(self.edge(template, i, count))
        return template

    def edge(self, template, source, count):
        edge = Edge(source, self.rng.randrange(count))
        if self.channels and self.chance(0.4):
            edge.sync = (self.channels[0], self.pick('!?'))
            add_label(edge, 'synchronisation', '',
                      edge.sync[0].name + edge.sync[1])
        var = self.pick(template.locals + self.globals)
        step, most = self.pick([1, 1, 1, 2, -1, -1, -2]), self.bound()
        known = f"{var.name} < {most}" if step > 0 else f"{var.name} > 0"
        if self.chance(0.4):
            known = self.pick([f"{var.name} + {self.some(template)} < {most}",
                               f"2 * {var.name} - 1 <= {most}"]) \
                if step > 0 else f"{var.name} - {self.some(template)} > -2"
        tests = [known] if self.chance(0.9) else []
        while self.chance(0.4):
            tests.append(self.test(template))
        if tests:
            add_label(edge, 'guard', '', ' && '.join(tests))
        texts = [f"{var.name} {'+' if step > 0 else '-'}= {abs(step)}"]
        while self.chance(0.4):
            texts.append(self.other_update(template, edge))
        self.rng.shuffle(texts)
        add_label(edge, 'assignment', '', ', '.join(texts))
        return edge

    def other_update(self, template, edge):
        var = self.pick(template.locals + self.globals)
        other, most = self.some(template), self.bound()
        if self.chance(0.25):
            name = self.fresh('s')
            add_label(edge, 'select', ', ', f"{name} : int[0,{most}]")
            return f"{var.name} = {name}"
        return self.pick([
            f"{var.name} = {other}", f"{var.name} = {most} - {other}",
            f"{var.name} = 0", f"{var.name} = {other} % 5",
            f"{var.name} = {other} > {most} ? {most} : {other} + 1"])

    def bound(self):
        return self.pick([2, 3, 4, 6, 9, 36])

    def some(self, template):
        return self.pick(template.locals + template.locals + self.globals).name

    def comparison(self, template):
        one, two = self.some(template), self.some(template)
        left = self.pick([one, one, f"{one} + {two}", f"{one} - {two}",
                          f"3 * {one}", f"-{one}"])
        right = self.pick([str(self.bound()), str(self.bound()), two,
                           f"{two} + 1", str(-self.bound())])
        if self.chance(0.3):
            left, right = right, left
        return f"{left} {self.pick(COMPARED)} {right}"

    def test(self, template):
        text = self.comparison(template)
        if self.chance(0.25):
            word = self.pick(['||', '||', '&&', 'imply'])
            text = f"({text} {word} {self.comparison(template)})"
        if self.chance(0.15):
            text = f"!({text})"
        return text


def counting(seed):
    """The model for a seed."""
    return CountGen(seed).build()
