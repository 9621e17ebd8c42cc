"""Changes to a generated model about what is easily mistaken: items of updates
with side effects on what they read, names that mean something else where a
type or a value would be written, updates before a branch that receives, tests
that keep failures away from a receiver, the least number, processes behind a
scalar parameter, and variables of which only some cells are removed."""

from generators.gen_expr import Type, Var
from generators.gen_model import Channel, Edge
from generators.gen_pad import add_label
from generators.gen_rare import plain_edges, set_on_edge

# how often each is made, if any is
LIKELY = {'effects': 0.3, 'hidden': 0.3, 'branch': 0.06, 'tested': 0.08,
          'least': 0.06, 'scalar': 0.03, 'parts': 0.17}
BIT = Type('int', 'int[0,1]', 0, 1)
PAIR = Type('array', 'int[0,1]', 0, 1, elem=BIT, suffix='[2]')
ANY = Type('int', 'int[0,3]', 0, 3)


class Place:
    """A template with edges to change, and new variables there."""

    def __init__(self, rng, model, template=None):
        self.rng, self.model = rng, model
        self.template = template or rng.choice(model.templates)
        self.edges = plain_edges(self.template)

    def chance(self, p):
        return self.rng.random() < p

    def edge(self):
        return self.rng.choice(self.edges)

    def new(self, kind, is_global=None, start=None):
        """(name, name for its removal) of a variable, which starts with 0 if
        nothing is said."""
        name = self.model.fresh('w')
        text = f"{kind.text} {name}{kind.suffix}" \
               f"{f' = {start}' if start else ''};"
        if is_global or is_global is None and self.chance(0.4):
            self.model.decls.insert(0, text)
            self.model.globals.append(Var(name, kind, start=0))
            return name, name
        self.template.decls.insert(0, text)
        self.template.locals.append(Var(name, kind, start=0))
        return name, f"{self.template.name}.{name}"

    def choose(self, edge, name, kind):
        """Lets an edge set a number to any value."""
        set_on_edge(self.rng, self.model, edge, Var(name, kind))

    def update(self, edge, text):
        add_label(edge, 'assignment', ', ', text)

    def guard(self, edge, text):
        add_label(edge, 'guard', ' && ', text)


class Items:
    """Items over a few new variables, with side effects inside."""

    def __init__(self, place):
        self.place, self.rng = place, place.rng
        self.high, self.guards = self.rng.choice([1, 1, 3]), []
        self.kind = Type('int', f"int[0,{self.high}]", 0, self.high)
        made = [place.new(self.kind) for _ in range(3)]
        cells = place.new(PAIR, start=self.rng.choice([None, '{0, 1}']))
        still = place.new(BIT, start=self.rng.choice([None, None, '1']))
        self.names = [name for name, _ in made]
        self.cells, self.still = cells[0], still[0]   # which seldom change
        self.removable = [path for _, path in made + [cells, still, still]]

    def name(self):
        return self.rng.choice(self.names)

    def simple(self):
        """A value that fits all the numbers."""
        name = self.name()
        return self.rng.choice([name, name, f"{self.high} - {name}", '0', '1',
                                str(self.high)])

    def effect(self, most):
        """A side effect with a value that is at most this, mostly."""
        name = self.name()
        if self.rng.random() < 0.4:
            self.guards.append(f"{name} < {min(self.high, most + 1)}")
            return self.rng.choice([f"{name}++", f"++{name}"])
        if most < self.high:
            return f"{name} = {self.rng.randint(0, most)}"
        return f"{name} = {self.simple()}"

    def index(self):
        way = self.rng.random()
        if way < 0.4:
            return self.effect(1)
        name = self.name()
        return str(self.rng.randint(0, 1)) if way < 0.5 else \
            name if self.high == 1 else f"{name} & 1"

    def value(self, depth):
        way = self.rng.random()
        if depth <= 0 or way < 0.15:
            return self.rng.choice([self.simple(), self.name(), self.still,
                                    f"{self.cells}[{self.index()}]"])
        if way < 0.4:
            return f"({self.effect(self.high)})"
        if way < 0.45:
            return f"(2 / {self.name()})"
        a, b = self.value(depth - 1), self.value(depth - 1)
        if way < 0.55:
            return f"({a} > 0 ? {b} : {self.value(depth - 1)})"
        op = self.rng.choice(['+', '-', '&&', '&&', '||', '==', '<', '+'])
        return f"({a} {op} {b})"

    def copies(self):
        """Items that take a number over and use it when it has changed."""
        one, other, seen = self.rng.sample(self.names, 3)
        change = self.rng.choice([f"({other} = {self.high} - {other})",
                                  f"({other} = {self.rng.randint(0, 1)})"])
        op = self.rng.choice(['+', '-', '&&', '=='])
        return f"{one} = {other}, {seen} = ({change} {op} {one})" \
               f" & {self.high}"

    def item(self):
        way, name = self.rng.random(), self.name()
        if way < 0.2:
            return f"{name} = {self.simple()}"
        if way < 0.3:
            return f"{self.cells}[{self.index()}] = {self.value(1)} & 1"
        if way < 0.4:
            return self.copies()
        if way < 0.5:
            change = self.effect(1)
            part = self.rng.choice([f"{self.cells}[{name} & 1]",
                                    f"{self.cells}[{self.index()}]"])
            return f"{self.name()} = (({change}) + {part}) & {self.high}"
        if way < 0.65:
            op = self.rng.choice(['&&', '&&', '&&', '||', '=='])
            return f"{name} = ({self.effect(1)}) {op} {self.still}"
        return f"{name} = {self.value(2)} & {self.high}"


def add_effects(place):
    """Items with side effects inside, in some updates."""
    items = Items(place)
    for edge in place.rng.sample(place.edges, min(2, len(place.edges))):
        for _ in range(place.rng.randint(1, 2)):
            place.update(edge, items.item())
        for guard in dict.fromkeys(items.guards):
            if place.chance(0.8):
                place.guard(edge, guard)
        items.guards = []
    if place.chance(0.5):
        place.choose(place.edge(), items.name(), items.kind)
    if place.chance(0.3):
        place.choose(place.edge(), items.still, BIT)
    return items.removable


def declare_hidden(place, edges):
    """(type, name, greatest value) of a new global variable in whose type a
    name stands that is something else in the template, or at the edges."""
    rng, model = place.rng, place.model
    hidden, name = model.fresh('N'), model.fresh('w')
    high, other = rng.sample(range(1, 4), 2)
    kind, text = rng.choice(
        [(f"int[0,{hidden}]", f"const int {hidden} = %d;"),
         (f"int[0,{hidden}[1]]", f"const int {hidden}[2] = {{0, %d}};"),
         (hidden, f"typedef int[0,%d] {hidden};")])
    model.decls.insert(0, f"{text % high}\n{kind} {name};")
    model.globals.append(Var(name, Type('int', kind, 0, high), start=0))
    if kind == f"int[0,{hidden}]" and place.chance(0.3):
        for edge in edges:
            add_label(edge, 'select', ', ', f"{hidden} : int[0,{other}]")
    elif place.chance(0.8):
        place.template.decls.insert(0, text % other)
    return kind, name, high


def use_hidden(place, kind, name, high):
    """An item that reads or writes the variable, with what it calls."""
    rng, model = place.rng, place.model
    seen, function = model.fresh('y'), model.fresh('f')
    bound = rng.choice([name, name, 'q'])
    total = f"(sum({bound} : int[0,1]) {function}())"
    text, calls = rng.choice(
        [(f"{name} = {seen}", None), (f"{name} = {seen}", None),
         (f"{name} = 3 - {seen}", None), (f"{seen} = {name}", None),
         (f"{seen} = {name}--, {name} = {seen}", None),
         (f"{seen} = ({name} = {high}), {name} = {high} - {seen}", None),
         (f"{seen} = {function}()", 'local'), (f"{function}({name})", 'copy'),
         (f"{seen} = {function}() & 1", 'local'),
         (f"{seen} = {total} & 3", 'read'),
         (f"{seen} = ({total} + ({name} = 1)) & 3", 'read'),
         (f"{seen} = (({name} = 1) + {total}) & 3", 'read')])
    declared = f"int[0,3] {seen};"
    if calls == 'copy':
        declared += f"\nvoid {function}(const {kind} &p) {{ {seen} = p; }}"
    elif calls == 'read':
        declared += f"\nint[0,3] {function}() {{ return {name}; }}"
    elif calls == 'local':
        place.template.decls.append(
            f"int[0,3] {function}() {{ int[0,3] r = 0; r = {name};"
            f" return r; }}")
    model.decls.insert(1, declared)
    value, edge = model.fresh('s'), place.edge()
    add_label(edge, 'select', ', ', f"{value} : int[0,3]")
    place.update(edge, f"{seen} = {value}")
    return text


def add_hidden(place):
    """A variable whose name, or one in whose type, means something else where
    it is used."""
    edges = place.rng.sample(place.edges, min(2, len(place.edges)))
    kind, name, high = declare_hidden(place, edges)
    for edge in edges:
        place.update(edge, use_hidden(place, kind, name, high))
    place.choose(place.edge(), name, Type('int', kind, 0, high))
    return [name]


def add_branch(place):
    """An edge through a branchpoint, behind which another process may send
    first, so that the update finds what that one has written."""
    rng, model, template = place.rng, place.model, place.template
    free = [edge for edge in place.edges if edge.sync is None]
    senders = [edge for other in model.templates for edge in
               plain_edges(other) if edge.sync is None and
               (other is not template or other.copies > 1)]
    if not free or not senders:
        return []
    edge, sender = rng.choice(free), rng.choice(senders)
    if edge is sender:
        return []
    name, path = place.new(BIT, True)
    seen, _ = place.new(ANY)
    prefix, channel = rng.choice(['', '', 'broadcast ']), model.fresh('c')
    model.decls.insert(0, f"{prefix}chan {channel};")
    sender.sync = (Channel(channel, prefix, [], ''), '!')
    add_label(sender, 'synchronisation', '', channel + '!')
    place.update(sender, f"{name} = {rng.choice(['1', f'1 - {name}'])}")
    if place.chance(0.7):
        place.guard(edge, f"{name} == {rng.randint(0, 1)}")
    place.update(edge, f"{seen} = {rng.choice(['', '1 - ', '1 + '])}{name}")
    ident, target = f"id{model.fresh('')}", edge.target
    template.branchpoints.append(ident)
    edge.target = ident
    for number in range(rng.randint(1, 2)):
        out = Edge(ident, target if not number else
                   rng.randrange(len(template.locations)))
        out.labels = [('probability', '1')]
        if not number or place.chance(0.5):
            out.labels.insert(0, ('synchronisation', channel + '?'))
        template.edges.append(out)
    place.choose(place.edge(), name, BIT)
    return [path]


def add_tested(place):
    """A receiver whose guard would fail if a test did not come before."""
    rng, model = place.rng, place.model
    free = [edge for edge in place.edges if edge.sync is None]
    senders = [edge for other in model.templates for edge in
               plain_edges(other) if edge.sync is None]
    if not free or len(senders) < 2:
        return []
    edge = rng.choice(free)
    sender = rng.choice([other for other in senders if other is not edge])
    name, path = place.new(BIT)
    index, _ = place.new(Type('int', 'int[0,2]', 0, 2))
    cells, _ = place.new(PAIR)
    prefix, channel = rng.choice(['', 'broadcast ', 'broadcast ']), \
        model.fresh('c')
    model.decls.insert(0, f"{prefix}chan {channel};")
    sender.sync = (Channel(channel, prefix, [], ''), '!')
    add_label(sender, 'synchronisation', '', channel + '!')
    edge.sync = (sender.sync[0], '?')
    add_label(edge, 'synchronisation', '', channel + '?')
    value, least = model.fresh('s'), rng.choice([1, 2])
    setter = place.edge()
    add_label(setter, 'select', ', ', f"{value} : int[0,1]")
    place.update(setter, f"{name} = {value}, {index} = {least} * {value}")
    failing = rng.choice([f"{cells}[{index}] == 0", f"!{cells}[{index}]",
                          f"2 / ({least} - {index}) > 0"])
    place.guard(edge, rng.choice(
        [f"{name} == 0 && {failing}", f"!{name} && {failing}",
         f"({name} == 0 ? {failing} : false)", f"{name} == 0 and {failing}",
         f"({name} == 1 || {failing})", f"({name} == 0 imply {failing})"]))
    if place.chance(0.3):
        place.update(place.edge(), f"{cells}[{rng.randint(0, 1)}] = 1")
    return [path]


def add_least(place):
    """Numbers at the ends of what a machine word holds."""
    rng = place.rng
    least = Type('int', 'int32_t', -2 ** 31, 2 ** 31 - 1)
    name, path = place.new(least, start=rng.choice([None, '-2147483648']))
    seen, _ = place.new(BIT)
    ends = ['-2147483648', '(-2147483647 - 1)', '2147483647', '0']
    for edge in rng.sample(place.edges, rng.randint(0, 1)):
        place.update(edge, f"{name} = {rng.choice(ends)}")
    for edge in rng.sample(place.edges, min(2, len(place.edges))):
        test = rng.choice([f"-{name} < 0", f"-{name} > 0",
                           f"-{name} == {name}", f"abs({name}) >= 0",
                           f"{name} - 1 < {name}",
                           f"-{name} <= 2147483647", f"{name} * -1 > 0"])
        if place.chance(0.5):
            place.guard(edge, test)
        else:
            place.update(edge, f"{seen} = ({test} ? 1 : 0)")
    return [path]


def add_scalar(place):
    """A scalar parameter before another one that the system line binds."""
    fit = [template for template in place.model.templates
           if template.way == 'set' and template.locals
           and not template.free.has_scalar()]
    if not fit:
        return []
    template = place.rng.choice(fit)
    template.is_behind_scalar = True
    kind, name = place.model.fresh('S'), place.model.fresh('id')
    place.model.decls.insert(0, f"typedef scalar[2] {kind};")
    template.params.insert(0, f"const {kind} {name}")
    rest = [text[len(template.name) + 1:] for text in template.processes]
    template.processes = [f"{template.name}({value},{text}"
                          for value in range(2) for text in rest]
    return [f"{template.name}.{var.name}" for var in template.locals]


def add_parts(place):
    """Structs in an array, or rows, some cells of which may be removed."""
    rng, name = place.rng, place.model.fresh('w')
    if rng.random() < 0.6:
        text, one, other = f"struct {{ int[0,2] e, g; }} {name}[2]", '.e', '.g'
    else:
        text, one, other = f"int[0,2] {name}[2][2]", *rng.sample(
            ['[0]', '[1]'], 2)
    is_global = place.chance(0.5)
    if is_global:
        place.model.decls.insert(0, text + ';')
    else:
        place.template.decls.insert(0, text + ';')
    for edge in rng.sample(place.edges, min(3, len(place.edges))):
        index = place.model.fresh('s')
        add_label(edge, 'select', ', ', f"{index} : int[0,1]")
        old = f"{name}[{index}]"
        new = f"{name}[{rng.choice([index, index, '0', f'1 - {index}'])}]"
        first, second = rng.choice([(one, one), (one, other), (other, one)])
        guard, text = rng.choice(
            [(f"{old}{first} < 2", f"{old}{first}++"),
             (f"{old}{first} != 1", f"{new}{second} = 1"),
             (f"{old}{first} > 0", f"{old}{first}--"),
             ('', f"{new}{second} = {old}{first}"),
             (f"{old}{first} > 0", f"{new}{second} = 2 / {old}{first}")])
        place.guard(edge, guard)
        place.update(edge, text)
    prefix = '' if is_global else f"{place.template.name}."
    return [f"{prefix}{name}[{i}]{one}" for i in range(2)]


def add_twist(rng, model):
    """Makes one of these changes: what is worth removing then."""
    ways = {'effects': add_effects, 'hidden': add_hidden, 'tested': add_tested,
            'branch': add_branch, 'least': add_least, 'scalar': add_scalar,
            'parts': add_parts}
    way = rng.choices(list(LIKELY), list(LIKELY.values()))[0]
    if model.is_wide and rng.random() < 0.3:
        way = 'scalar'
    place = Place(rng, model)
    return ways[way](place) if place.edges else []
