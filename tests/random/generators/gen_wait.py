"""Small models whose runs end: processes that wait at committed, urgent and
other locations, for values, for partners on channels of all kinds, or for
invariants, with queries about where they wait."""

import random
from generators.gen_expr import Type, Var
from generators.gen_model import Channel, Edge, Location, ModelGen
from generators.gen_pad import add_label

PREFIXES = ['', '', 'urgent ', 'urgent ', 'broadcast ', 'urgent broadcast ']
MARKS = [None, None, 'committed', 'urgent']


class WaitGen(ModelGen):
    """One such model."""

    def __init__(self, seed, divides=False):
        super().__init__(seed, ())
        self.divides = divides            # mostly behind a condition: see there
        self.apart = random.Random(seed * 32452843 + 7)

    def build(self):
        self.separators, self.progress, self.queries = None, '', []
        self.staged = []                  # edges of the scene, if there is one
        self.likely_invariant = self.pick([0, 0, 0, 0.4])
        self.likely_branch = self.pick([0, 0, 0.6])
        self.likely_meeting = self.pick([0.1, 0.5, 0.8])
        self.prefixes = self.pick([PREFIXES, [self.pick(PREFIXES)]])
        self.marks = self.pick([MARKS, [None, self.pick(MARKS)], [None]])
        for _ in range(self.pick([0, 1, 1, 2])):
            self.globals.append(self.variable(self.decls, 'x'))
        for _ in range(self.pick([1, 1, 2])):
            suffix = self.pick(['', '', '', '[2]'])
            channel = Channel(self.fresh('c'), self.pick(self.prefixes), [],
                              suffix)
            self.channels.append(channel)
            self.decls.append(f"{channel.prefix}chan {channel.name}{suffix};")
        for number in range(self.pick([1, 1, 2, 2, 3])):
            self.templates.append(self.template(f"T{number}"))
        self.synchronise()
        scene = self.pick([self.meeting, self.meeting, self.handing,
                           self.outranked, self.listening])
        rare = self.apart.random()
        if rare < 0.1:
            scene = self.blocking
        elif rare < 0.3:
            scene = self.forbidden
        if self.divides and rare > 0.4:
            scene = self.dividing
        scene()
        for template in self.templates:
            if self.chance(self.likely_branch):
                self.branchpoint(template)
        self.about_locations()
        return self

    def variable(self, decls, stem):
        high, name = self.pick([1, 1, 2]), self.fresh(stem)
        kind = Type('int', f"int[0,{high}]", 0, high)
        start = self.rng.randint(0, high)
        decls.append(f"{kind.text} {name} = {start};")
        return self.top.add(Var(name, kind, start=start)) if stem == 'x' \
            else Var(name, kind, start=start)

    def template(self, name):
        template = self.small_template(name)
        for _ in range(self.pick([1, 1, 1, 2])):
            template.locals.append(self.variable(template.decls, 'v'))
        count = self.pick([2, 2, 3])
        for i in range(count):
            loc = Location(f"id{self.fresh('')}", 'ABC'[i], 200 * i, 0)
            loc.mark = self.pick(self.marks)
            template.locations.append(loc)
        for i in range(count):
            for _ in range(self.pick([0, 1, 1, 1, 2])):
                template.edges.append(self.edge(template, i, count))
        for loc in template.locations[1:]:
            if self.chance(self.likely_invariant):
                loc.invariant = self.test(template)
        return template

    def edge(self, template, source, count):
        """Edges are no rings, so that all of them may wait for partners."""
        target = source if self.chance(0.2) else self.rng.randrange(count)
        edge = Edge(source, target)
        if self.chance(0.5):
            add_label(edge, 'guard', '', self.guard(template, edge))
        if self.chance(0.7):
            self.update(template, edge)
        return edge

    def update(self, template, edge):
        """A variable gets some value, or that of another one."""
        known = template.locals + self.globals
        var, other = self.pick(template.locals + known), self.pick(known)
        text = self.source(edge, var)
        if other is not var and other.type.high <= var.type.high \
                and self.chance(0.4):
            text = other.name
        add_label(edge, 'assignment', ', ', f"{var.name} = {text}")

    def guard(self, template, edge):
        if self.chance(0.15):
            var = self.pick(template.locals)
            name = self.source(edge, var, 1)
            return f"{var.name} {self.pick(['==', '<', '>'])} {name}"
        text = self.test(template)
        if self.chance(0.2):
            text += self.pick([' && ', ' || ']) + self.test(template)
        return text

    def test(self, template):
        return self.condition_on(self.pick(
            template.locals + template.locals + self.globals))

    def source(self, edge, var, likely=0.5):
        """A value, or a select that is any."""
        if not self.chance(likely):
            return str(self.rng.randint(var.type.low, var.type.high))
        name = self.fresh('s')
        add_label(edge, 'select', ', ', f"{name} : {var.type.text}")
        return name

    def synchronise(self):
        """Some edges send, some receive."""
        for template in self.templates:
            for edge in template.edges:
                if self.chance(self.likely_meeting):
                    self.meet(template, edge)

    def meet(self, template, edge):
        channel = self.pick(self.channels)
        edge.sync = (channel, self.pick('!?'))
        add_label(edge, 'synchronisation', '', channel.name
                  + self.cell(template, channel) + edge.sync[1])

    def cell(self, template, channel):
        """Which channel of an array, if it is one."""
        if not channel.text:
            return ''
        bits = [v.name for v in template.locals + self.globals
                if v.type.high == 1]
        return f"[{self.pick(['0', '0', '1'] + bits)}]"

    def alone(self, template):
        """A location of which most edges go, and a new edge from there."""
        place = self.rng.randrange(len(template.locations))
        template.edges = [e for e in template.edges
                          if e.source != place or self.chance(0.2)]
        edge = Edge(place, self.rng.randrange(len(template.locations)))
        template.edges.append(edge)
        self.staged.append(edge)
        return edge

    def any_value(self, template, var, place):
        """An edge to a location, there or from elsewhere, that sets a variable
        to any value."""
        count = len(template.locations)
        source = place if self.chance(0.2) else \
            (place + self.rng.randint(1, count - 1)) % count
        edge = Edge(source, place)
        add_label(edge, 'assignment', '',
                  f"{var.name} = {self.source(edge, var, 1)}")
        template.edges.append(edge)

    def meeting(self):
        """A location that is left only together with a process that lets
        others in, or not."""
        mover, other = self.pick(self.templates), self.pick(self.templates)
        channel, mark = self.pick(self.channels), self.pick('!?')
        one, two = self.alone(mover), self.alone(other)
        mover.locations[one.source].mark = self.pick(
            ['committed', 'committed', 'urgent', None])
        self.on_channel(one, channel, mark)
        var = self.pick(other.locals)
        guard, by_index = self.condition_on(var), \
            channel.text and var.type.high == 1
        self.on_channel(two, channel, '?!'[mark == '?'],
                        var.name if by_index else 0)
        if not by_index:
            add_label(two, 'guard', '', guard)
        self.any_value(other, var, two.source)
        if self.chance(0.4):
            self.branchpoint(mover)

    def handing(self):
        """An invariant reads a variable, or a visible one that gets its value
        on the way."""
        template = self.pick(self.templates)
        if not self.globals:
            self.globals.append(self.variable(self.decls, 'x'))
        var, own = self.pick(self.globals), self.pick(template.locals)
        edge = self.alone(template)
        if own.type.high > var.type.high:
            var = own
        else:
            add_label(edge, 'assignment', '', f"{var.name} = {own.name}")
        template.locations[edge.target].invariant = \
            self.condition_on(var) if edge.target else None
        self.any_value(template, own, edge.source)
        if self.chance(0.5):
            self.branchpoint(template)

    def blocking(self):
        """Beside an edge that a variable lets go, one that goes nowhere, as
        an invariant forbids what it writes."""
        template, other = self.pick(self.templates), self.pick(self.templates)
        if not self.globals:
            self.globals.append(self.variable(self.decls, 'x'))
        shown, var = self.pick(self.globals), self.pick(template.locals)
        edge = self.alone(template)
        add_label(edge, 'guard', '', self.condition_on(var))
        self.any_value(template, var, edge.source)
        loop = Edge(edge.source, edge.source)
        add_label(loop, 'assignment', '', f"{shown.name} = "
                  f"{0 if shown.start else shown.type.high}")
        template.edges.append(loop)
        places = [edge.source] if other is template \
            else range(len(other.locations))
        for place in places:
            other.locations[place].invariant = f"{shown.name} == {shown.start}"

    def dividing(self):
        """A guard divides where a condition lets it: elsewhere that is an
        error, in some states of an abstraction that keeps the condition."""
        template = self.pick(self.templates)
        var = self.pick(template.locals)
        if var.type.high < 2:
            var.type = Type('int', 'int[0,2]', 0, 2)
            template.decls[template.locals.index(var)] = \
                f"int[0,2] {var.name} = {var.start};"
        edge, name = self.alone(template), var.name
        quotient = f"2 / {name} == {self.pick([1, 2])}"
        add_label(edge, 'guard', '', self.pick([
            f"{name} > 0 ? {quotient} : {self.pick(['true', 'false'])}",
            f"{name} == 0 || {quotient}", f"{name} > 0 && {quotient}"]))
        self.any_value(template, var, edge.source)

    def urgent(self, prefix='urgent broadcast '):
        """Some channel, urgent and broadcast from now on."""
        channel = self.pick(self.channels)
        channel.prefix = prefix
        end = f"chan {channel.name}{channel.text};"
        self.decls = [channel.prefix + end if text.endswith(end) else text
                      for text in self.decls]
        return channel

    @staticmethod
    def on_channel(edge, channel, mark, index=0):
        edge.sync = (channel, mark)
        add_label(edge, 'synchronisation', '', channel.name
                  + (f"[{index}]" if channel.text else '') + mark)

    def hurrying(self, template):
        """A variable says whether time may pass."""
        for loc in [loc for other in self.templates
                    for loc in other.locations]:
            loc.mark = None
        edge, var = self.alone(template), self.pick(template.locals)
        if edge.target and var.type.high == 2:
            template.locations[edge.target].invariant = \
                self.condition_on(var)
        else:
            add_label(edge, 'guard', '', self.condition_on(var))
        self.on_channel(edge, self.urgent(), '!')
        self.any_value(template, var, edge.source)
        if self.chance(0.5):
            self.branchpoint(template)

    def forbidden(self):
        """Guards let a pair meet on an urgent channel, or not, where an
        invariant forbids its step, or not, and time stands still."""
        sender, other = self.pick(self.templates), self.pick(self.templates)
        if self.chance(0.8):
            for loc in [loc for template in self.templates
                        for loc in template.locations]:
                loc.mark = None
        channel = self.urgent('urgent broadcast ' if sender is other
                              or self.chance(0.3) else 'urgent ')
        one, two = self.alone(sender), self.alone(other)
        self.on_channel(one, channel, '!')
        self.on_channel(two, channel, '?')
        for edge, template in self.pick([((one, sender),), ((two, other),),
                                         ((one, sender), (two, other))]):
            edge.target = (edge.source + 1) % len(template.locations)
            var = self.pick(template.locals + self.globals)
            if edge.target:
                template.locations[edge.target].invariant = self.pick(
                    [self.condition_on(var), f"{var.name} == {var.start}",
                     f"{var.name} != {var.start}"])
            if self.chance(0.5):
                add_label(edge, 'assignment', '',
                          f"{var.name} = {self.source(edge, var)}")
        edge, template = self.pick([(one, sender), (two, other)])
        var = self.pick(template.locals)
        if self.chance(0.7):
            add_label(edge, 'guard', '', self.condition_on(var))
        if self.chance(0.7):
            self.any_value(template, var, edge.source)

    def listening(self):
        """Perhaps a committed process that lets in who sends to it."""
        sender, other = self.pick(self.templates), self.pick(self.templates)
        found = [c for c in self.channels if c.broadcast and not c.text]
        if sender is other or not found or self.chance(0.3):
            self.hurrying(sender)
            return
        one, two, var = self.alone(sender), self.alone(other), \
            self.pick(other.locals)
        self.on_channel(one, found[0], '!')
        self.on_channel(two, found[0], '?')
        add_label(two, 'guard', '', self.condition_on(var))
        other.locations[two.source].mark = 'committed'
        self.any_value(other, var, two.source)

    def outranked(self):
        """A step on an urgent channel that steps of higher priority hide, and
        elsewhere one that may be possible."""
        mover, other = self.pick(self.templates), self.pick(self.templates)
        if mover is other:
            return
        channel = self.urgent()
        self.decls.append(f"chan priority {channel.name}"
                          f" {self.pick('<<<>')} default;")
        self.on_channel(self.alone(mover), channel, '!')
        edge, var = self.alone(other), self.pick(other.locals)
        edge.target = (edge.source + 1) % len(other.locations)
        back = Edge(edge.target, edge.source)
        add_label(back, 'guard', '', self.condition_on(var))
        other.edges.append(back)
        self.any_value(other, var, edge.target)

    def branchpoint(self, template):
        """Send one edge through a branchpoint."""
        edges = [e for e in template.edges if not isinstance(e.source, str)
                 and not isinstance(e.target, str)]
        if not edges:
            return
        edge, ident = self.pick(
            [e for e in edges if e in self.staged] or edges), self.fresh('id')
        template.branchpoints.append(ident)
        targets = [edge.target]
        if self.chance(0.5):
            targets.append(self.rng.randrange(len(template.locations)))
        edge.target = ident
        behind = [label for label in edge.labels if label[0] in
                  ('synchronisation', 'assignment')] \
            if self.chance(0.6) and 'select' not in dict(edge.labels) else []
        edge.labels = [label for label in edge.labels if label not in behind]
        for target in dict.fromkeys(targets):
            out = Edge(ident, target)
            out.labels = [('probability', '1')]
            if self.globals and self.chance(0.2):
                add_label(out, 'guard', '',
                          self.condition_on(self.pick(self.globals)))
            if target == targets[0] and behind:
                out.labels += behind
            elif not edge.sync and self.chance(0.4):
                self.meet(template, out)
            elif self.chance(0.6):
                self.update(template, out)
            template.edges.append(out)

    def about_locations(self):
        """Queries: is a location left, is it reached?"""
        for template in self.templates:
            for process in template.processes:
                for loc in template.locations:
                    at = f"{process}.{loc.name}"
                    self.queries += [f"{at} --> not {at}", f"A<> {at}",
                                     f"E[] not {at}"]
        for var in self.globals:
            self.queries.append(f"A<> {var.name} != {var.start}")


def waiting(seed, divides=False):
    """The model for a seed."""
    return WaitGen(seed, divides).build()
