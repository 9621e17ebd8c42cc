"""Random models: declarations, templates, edges and the system section."""

import random
import re
from generators.gen_expr import E, FEATURES, Scope, Type, Var
from generators.gen_stmt import StmtGen

SPACE = 20000          # bound on the product of all ranges, roughly


class Channel:
    """A channel or an array of channels; dims are index types."""

    def __init__(self, name, prefix, dims, text):
        self.name, self.prefix, self.dims, self.text = name, prefix, dims, text

    @property
    def broadcast(self):
        return 'broadcast' in self.prefix


class Location:
    def __init__(self, ident, name, x, y):
        self.id, self.name, self.x, self.y = ident, name, x, y
        self.invariant, self.mark = None, None


class Edge:
    def __init__(self, source, target, ring=False):
        self.source, self.target, self.ring = source, target, ring
        self.sync = None                  # (channel, '!' or '?')
        self.before, self.after, self.guards = [], [], []
        self.handed = []                  # variables that receivers read
        self.labels = []


class Template:
    def __init__(self, name):
        self.name, self.params, self.decls = name, [], []
        self.locations, self.branchpoints, self.edges = [], [], []
        self.scope, self.locals = None, []
        self.copies, self.way, self.processes = 1, 'plain', []
        self.channels = {}                # parameter name -> [channel texts]
        self.values = []                  # value parameters bound by instances
        self.free = None                  # type of the parameter left open
        self.is_behind_scalar = False     # which another one stands before


class ModelGen(StmtGen):
    """One random model."""

    is_wide = False                       # several processes a template
    is_passing = False                    # mostly reference parameters

    def __init__(self, seed, allowed):
        rng = random.Random(seed)
        features = {f for f in FEATURES if f in allowed
                    and rng.random() < (0.3 if f == 'risky' else 0.75)}
        super().__init__(rng, features, 'risky' in features)
        self.space, self.decls, self.globals = 1, [], []
        self.top, self.channels, self.templates = Scope(), [], []
        self.structs, self.system_decls, self.sysvars = 0, [], []
        self.passed = []                  # bound to reference parameters

    def build(self):
        """Generate; then see gen_xml.text_of and candidates()."""
        self.plan()
        self.constants()
        self.typedefs()
        for _ in range(self.rng.randint(1, 4)):
            self.global_variable()
        if self.has('meta', 0.3):
            name, high = self.fresh('m'), self.rng.randint(1, 2)
            kind = Type('int', f"int[0,{high}]", 0, high)
            self.decls.append(f"meta {kind.text} {name};")
            self.globals.append(self.top.add(Var(name, kind, meta=True)))
        self.declare_channels()
        if 'functions' in self.features:
            for _ in range(self.rng.randint(0, 2)):
                self.add_function(self.top, self.decls)
        self.system_variables()
        for template in self.templates:
            self.declare_template(template)
        self.synchronise()
        for template in self.templates:
            self.label_template(template)
        self.extras()
        return self

    # --- global declarations ----------------------------------------------

    def plan(self):
        """How many templates, each how often and how instantiated."""
        total = 0
        for number in range(self.pick([1, 2, 2, 2, 3])):
            template = Template(f"T{number}")
            ways = ['plain', 'plain']
            if 'processset' in self.features:
                ways += ['set', 'set']
            if 'params' in self.features:
                ways += ['named', 'named']
            if 'partial' in self.features:
                ways.append('partial')
            if self.is_passing:
                ways = ['named', 'named', 'partial']
            template.way = self.pick(ways)
            if template.way != 'plain':
                template.copies = self.pick([1, 2, 2]) if total < 3 else 1
                if self.is_wide:
                    template.copies = self.pick([2, 3])
            total += template.copies
            self.templates.append(template)
            count = self.rng.randint(2, 4)
            self.space *= count ** template.copies / 2
            template.locations = [None] * count

    def small_template(self, name):
        """Of one process, or of one for each value of a parameter."""
        template = Template(name)
        template.system = template.processes = [name]
        if self.chance(0.15):
            template.params.append(f"const int[0,1] {self.fresh('id')}")
            template.processes = [f"{name}(0)", f"{name}(1)"]
        return template

    def constants(self):
        if 'consts' not in self.features:
            return
        for _ in range(self.rng.randint(0, 2)):
            name, value = self.fresh('N'), self.rng.randint(1, 2)
            text = self.pick([str(value), f"{value + 1} - 1",
                              f"{value} <? 9"])
            prefix = self.pick(['const int', 'const int',
                                f"const int[0,{value + 1}]"])
            self.decls.append(f"{prefix} {name} = {text};")
            self.top.add(Var(name, Type('int', prefix, value, value), True,
                             start=value))
        if self.chance(0.3):
            name = self.fresh('N')
            values = [self.rng.randint(0, 2) for _ in range(2)]
            elem = Type('int', 'const int', min(values), max(values))
            self.decls.append(f"const int {name}[2] ="
                              f" {{{values[0]}, {values[1]}}};")
            self.top.add(Var(name, Type('array', 'const int', 0, 1, elem=elem,
                                        suffix='[2]'), True))

    def typedefs(self):
        if 'typedefs' not in self.features:
            return
        for _ in range(self.rng.randint(0, 2)):
            low = self.pick([0, 0, 0, 1, -1])
            text, high = self.const_text(self.top, low + 1, low + 2)
            name = self.fresh('t')
            self.decls.append(f"typedef int[{low},{text}] {name};")
            self.top.types.append(Type('int', name, low, high))
        if self.has('scalars', 0.3):
            name = self.fresh('S')
            text, size = self.const_text(self.top, 2, 2)
            self.decls.append(f"typedef scalar[{text}] {name};")
            self.top.types.append(Type('scalar', name, 0, size - 1))
        for _ in range(self.pick([1, 1, 2])
                       if self.has('structs', 0.35) else 0):
            kind = self.struct_type()
            name = self.fresh('st')
            self.decls.append(f"typedef {kind.text} {name};")
            self.top.types.append(Type('struct', name, fields=kind.fields))
        if self.has('arrays', 0.35):
            elem, name = self.cell_type(self.top, 2), self.fresh('ar')
            suffix, low, high, index = self.dimension(self.top)
            self.decls.append(f"typedef {elem.text} {name}{suffix};")
            self.top.types.append(Type('array', name, low, high, elem=elem,
                                       index=index))

    def struct_type(self):
        fields, words = [], []
        for _ in range(self.rng.randint(1, 2)):
            kind, name = self.cell_type(self.top, 2), self.fresh('e')
            structs = [t for t in self.top.types if t.kind == 'struct']
            if structs and self.chance(0.2):
                kind = self.pick(structs)
            fields.append((name, kind))
            words.append(f"{kind.text} {name};")
        if self.has('arrays', 0.2):
            elem, name = Type('int', 'int[0,1]', 0, 1), self.fresh('e')
            words.append(f"{elem.text} {name}[2];")
            fields.append((name, Type('array', elem.text, 0, 1, elem=elem,
                                      suffix='[2]')))
        return Type('struct', 'struct { ' + ' '.join(words) + ' }',
                    fields=fields)

    def cell_type(self, scope, most=3):
        """A random one-cell type."""
        named = [t for t in scope.types if t.kind in ('int', 'scalar')]
        if named and self.chance(0.35):
            return self.pick(named)
        if self.has('bool', 0.25):
            return Type('bool', 'bool')
        low = self.pick([0, 0, 0, 0, 0, 1, -1])
        text, high = self.const_text(scope, low + 1,
                                     low + self.rng.randint(1, most))
        return Type('int', f"int[{low},{text}]", low, high)

    def dimension(self, scope):
        """(suffix, low, high, scalar index type)"""
        named = [t for t in scope.types if t.kind in ('int', 'scalar')
                 and t.count <= 3]
        if named and self.chance(0.4):
            kind = self.pick(named)
            index = kind if kind.kind == 'scalar' else None
            return f"[{kind.text}]", kind.low, kind.high, index
        text, size = self.const_text(scope, 2, self.pick([2, 2, 3]))
        if self.chance(0.15):
            return f"[int[0,{size - 1}]]", 0, size - 1, None
        return f"[{text}]", 0, size - 1, None

    def variable_type(self, scope):
        named = [t for t in scope.types if t.kind in ('array', 'struct')]
        if named and self.chance(0.35):
            return self.pick(named)
        if self.has('structs', 0.08):
            return self.struct_type()
        if self.has('arrays', 0.25):
            elem = self.cell_type(scope, 2)
            structs = [t for t in scope.types if t.kind == 'struct']
            if structs and self.chance(0.4):
                elem = self.pick(structs)
            suffix, low, high, index = self.dimension(scope)
            kind = Type('array', elem.text, low, high, elem=elem, index=index,
                        suffix=suffix)
            if self.has('arrays2', 0.15) and elem.bits() == 2 \
                    and elem.kind != 'struct':
                kind = Type('array', elem.text, 0, 1, elem=kind,
                            suffix='[2]' + suffix)
            return kind
        if self.has('defaultint', 0.08):
            return Type('int', 'int', 0, self.rng.randint(1, 3))
        if self.has('wide', 0.03):
            high = self.pick([40, 300])
            return Type('int', f"int[0,{high}]", 0, high)
        return self.cell_type(scope)

    def start_value(self, kind):
        """Random initial value; nested lists for arrays and structs."""
        if kind.kind == 'array':
            return [self.start_value(kind.elem) for _ in range(kind.count)]
        if kind.kind == 'struct':
            return [self.start_value(t) for _, t in kind.fields]
        return self.rng.randint(kind.low, kind.high)

    def start_text(self, kind, value):
        if kind.kind == 'array':
            return '{' + ', '.join(self.start_text(kind.elem, v)
                                   for v in value) + '}'
        if kind.kind == 'struct':
            named = self.chance(0.3)
            return '{' + ', '.join(
                (f"{name}: " if named else '') + self.start_text(t, v)
                for (name, t), v in zip(kind.fields, value)) + '}'
        if kind.kind == 'bool':
            return 'true' if value else self.pick(['false', '0'])
        return str(value)

    @staticmethod
    def zero_inside(kind):
        """Whether 0 is a value of every cell."""
        if kind.kind == 'array':
            return ModelGen.zero_inside(kind.elem)
        if kind.kind == 'struct':
            return all(ModelGen.zero_inside(t) for _, t in kind.fields)
        return kind.low <= 0 <= kind.high

    def declare(self, scope, name, kind, copies):
        """Declare a variable if the state space allows; (text, Var)."""
        grown = self.space * kind.bits() ** copies
        if grown > SPACE:
            kind = Type('int', 'int[0,1]', 0, 1)
            grown = self.space * 2 ** copies
            if grown > SPACE * 4 and scope.writable():
                return None, None
        self.space = grown
        text, start = f"{kind.text} {name}{kind.suffix}", None
        if not kind.has_scalar():
            start = 0 if kind.kind in ('int', 'bool') else None
            if not self.zero_inside(kind) or self.chance(0.4):
                start = self.start_value(kind)
                text += f" {self.equals()} {self.start_text(kind, start)}"
        elif not self.zero_inside(kind):
            return None, None
        return text + ';', scope.add(Var(name, kind, start=start))

    def global_variable(self):
        text, var = self.declare(self.top, self.fresh('x'),
                                 self.variable_type(self.top), 1)
        if var:
            self.decls.append(text)
            self.globals.append(var)

    def system_variables(self):
        """A variable declared in the system text, for reference arguments."""
        if not self.has('sysvars', 0.08):
            return
        name = self.fresh('y')
        kind = Type('int', 'int[0,1]', 0, 1)
        self.space *= 2
        self.system_decls.append(f"{kind.text} {name};")
        self.sysvars.append(Var(name, kind))

    def declare_channels(self):
        for _ in range(self.rng.randint(1, 3)):
            prefix = ''
            if self.has('urgentchan', 0.12):
                prefix = 'urgent '
            if self.has('broadcast', 0.45):
                prefix += 'broadcast '
            name, dims, suffix = self.fresh('c'), [], ''
            if self.has('chanarrays', 0.4):
                for _ in range(2 if self.chance(0.1) else 1):
                    text, low, high, index = self.dimension(self.top)
                    suffix += text
                    dims.append(Type('array', '', low, high, index=index))
            self.decls.append(f"{prefix}chan {name}{suffix};")
            self.channels.append(Channel(name, prefix, dims, suffix))

    def add_function(self, scope, decls):
        made = self.function(scope, self.chance(0.45))
        if made:
            decls.append(made[0])
            scope.funs[made[1].name] = made[1]

    # --- templates ----------------------------------------------------------

    def declare_template(self, template):
        scope = template.scope = Scope(self.top)
        self.template_params(template, scope)
        if self.has('consts', 0.15):
            name, value = self.fresh('K'), self.rng.randint(1, 2)
            template.decls.append(f"const int {name} = {value};")
            scope.add(Var(name, Type('int', 'const int', value, value), True,
                          start=value))
        if self.has('typedefs', 0.12):
            name = self.fresh('t')
            text, high = self.const_text(scope, 1, 2)
            template.decls.append(f"typedef int[0,{text}] {name};")
            scope.types.append(Type('int', name, 0, high))
        taken = {name for name, var in scope.vars.items()
                 if self.top.vars.get(name) is not var}
        for _ in range(self.rng.randint(0, 3)):
            name = self.fresh('v')
            if self.has('shadow', 0.08):
                names = [v.name for v in self.globals if v.name not in taken]
                name = self.pick(names) if names else name
            text, var = self.declare(scope, name, self.variable_type(scope),
                                     template.copies)
            if var:
                taken.add(name)
                template.decls.append(text)
                template.locals.append(var)
        if 'localfun' in self.features:
            for _ in range(self.pick([0, 0, 1, 2])):
                self.add_function(scope, template.decls)
        count = len(template.locations)
        used = set(scope.vars) | set(scope.funs)
        for i in range(count):
            ident = f"id{self.fresh('')}"
            name = 'ABCD'[i] if 'ABCD'[i] not in used else None
            if self.has('unnamed', 0.12):
                name = None
            template.locations[i] = Location(ident, name, 200 * (i % 2),
                                             150 * (i // 2))
            if name:
                scope.locations.append(name)
        for i in range(count):
            template.edges.append(Edge(i, (i + 1) % count, self.chance(0.85)))
        for _ in range(self.rng.randint(1, 4)):
            template.edges.append(Edge(self.rng.randrange(count),
                                       self.rng.randrange(count)))

    def template_params(self, template, scope):
        """Parameters, and one process definition per copy."""
        args = [[] for _ in range(template.copies)]
        free = None
        if template.way in ('set', 'partial'):
            free = self.free_param(template, scope)
        if template.way in ('named', 'partial'):
            for _ in range(self.rng.randint(1, 2)):
                self.bound_param(template, scope, args)
        if template.way in ('plain', 'set'):
            more = ''
            if free and self.chance(0.1):
                name = self.fresh('id')
                template.params.append(f"int[1,1] {name}")
                scope.add(Var(name, Type('int', 'int[1,1]', 1, 1),
                              writable=False))
                more = ',1'
            template.processes = [template.name] if not free else \
                [f"{template.name}({v}{more})"
                 for v in range(free.low, free.high + 1)]
            self.system_names(template, [template.name])
        elif template.way == 'named':
            names = [f"P{template.name[1:]}{'abc'[i]}"
                     for i in range(template.copies)]
            base = template.name
            if self.is_passing and self.chance(0.4):
                base = self.handing_on(template)
            for name, values in zip(names, args):
                self.system_decls.append(
                    f"{name} {self.equals()} {base}"
                    f"({', '.join(values)});")
            template.processes = names
            self.system_names(template, names)
        else:
            name = f"Q{template.name[1:]}"
            self.system_decls.append(
                f"{name}(const {free.text} j) = {template.name}"
                f"({', '.join(['j'] + args[0])});")
            template.processes = [f"{name}({v})" for v in range(
                free.low, free.high + 1)]
            self.system_names(template, [name])

    def handing_on(self, template):
        """An instantiation that hands all its parameters on."""
        name, own, params = f"M{template.name[1:]}", [], []
        for text in template.params:
            if 'chan ' in text:           # which may become urgent
                return template.name
            own.append(re.match(r'\w+', text.split('&')[1])[0]
                       if '&' in text else text.split()[-1])
            params.append(text if re.search('^const|&', text)
                          else f"const {text}")
        self.system_decls.append(f"{name}({', '.join(params)})"
                                 f" = {template.name}({', '.join(own)});")
        return name

    def system_names(self, template, names):
        template.system = names

    def free_param(self, template, scope):
        """A parameter left open at the system line."""
        count, name = template.copies, self.fresh('id')
        kinds = [t for t in scope.types if t.kind in ('int', 'scalar')
                 and t.count == count]
        if kinds and self.chance(0.5):
            kind = self.pick(kinds)
        else:
            low = self.pick([0, 0, 1])
            kind = Type('int', f"int[{low},{low + count - 1}]", low,
                        low + count - 1)
        const = 'const ' if self.chance(0.6) else ''
        template.params.append(f"{const}{kind.text} {name}")
        scope.add(Var(name, kind, const=bool(const), writable=False))
        template.free = kind
        return kind

    def bound_param(self, template, scope, args):
        """A parameter that every process definition binds."""
        name = self.fresh('p')
        way = self.pick(['value', 'ref', 'ref', 'chan', 'chan'])
        if self.is_passing and self.chance(0.6):
            way = 'ref'
        if way == 'ref' and ('refparams' in self.features or self.is_passing):
            cells = self.bindable() + self.bindable_by(template.free)
            if cells:
                if self.is_passing:       # rather several than one
                    cells = [c for c in cells if any(
                        d[0] != c[0] and self.equal(c[1], d[1])
                        for d in cells)] or cells
                _, kind = first = self.pick(cells)
                same = [c for c in cells if self.equal(c[1], kind)]
                bound = [(first if not i else self.pick(same))[0]
                         for i in range(len(args))]
                roots = [re.match(r'\w+', text)[0] for text in bound]
                self.passed += roots
                hidden = [root for root in self.passed
                          if scope.vars.get(root) in self.globals]
                if self.is_passing and hidden and self.chance(0.25):
                    name = self.pick(hidden)
                template.params.append(f"{kind.text} &{name}{kind.suffix}")
                for values, text in zip(args, bound):
                    values.append(text)
                scope.add(Var(name, kind))
                return
        if way == 'chan':
            channel = self.pick(self.channels)
            same = [c for c in self.channels if c.prefix == channel.prefix]
            bound = []
            for values in args:
                other = self.pick(same)
                text = other.name
                for dim in other.dims:
                    if dim.index is not None:
                        text = None
                        break
                    text += f"[{self.rng.randint(dim.low, dim.high)}]"
                if text is None:
                    break
                bound.append((text, other))
            if len(bound) == len(args):
                template.params.append(f"{channel.prefix}chan &{name}")
                for values, (text, _) in zip(args, bound):
                    values.append(text)
                template.channels[name] = [other for _, other in bound]
                return
        high = self.rng.randint(1, 2)
        const = 'const ' if self.chance(0.6) else ''
        kind = Type('int', f"int[0,{high}]", 0, high)
        template.params.append(f"{const}{kind.text} {name}")
        for values in args:
            values.append(self.const_text(self.top, 0, high)[0])
        var = scope.add(Var(name, kind, const=bool(const), writable=False))
        if const:
            template.values.append(var)

    def bindable_by(self, free):
        """The same for elements picked by the free parameter j."""
        if not self.is_passing or free is None or free.kind != 'int':
            return []
        return [(f"{var.name}[j]", var.type.elem) for var in self.globals
                if var.type.kind == 'array' and not var.type.has_scalar()
                and not var.meta and var.type.low <= free.low
                and free.high <= var.type.high
                and var.type.elem.kind in ('int', 'bool')] * 3

    def bindable(self):
        """(text, type) of what a reference parameter can be bound to."""
        found = [(v.name, v.type) for v in self.sysvars]
        for var in self.globals:
            if var.meta or var.type.has_scalar():
                continue
            if var.type.kind in ('int', 'bool') or var.type.named():
                found.append((var.name, var.type))
            elif var.type.kind in ('array', 'struct'):
                got = self.path(self.top, var, static=True)
                if got:
                    found.append(got)
        return found

    # --- synchronisation ------------------------------------------------

    def synchronise(self):
        """Give edges senders and receivers that can meet."""
        for channel in self.channels:
            for _ in range(self.pick([1, 1, 2])):
                free = [(t, e) for t in self.templates for e in t.edges
                        if e.sync is None
                        and (not e.ring or self.chance(0.1))]
                if not free:
                    return
                sender = self.pick(free)
                others = [(t, e) for t, e in free if e is not sender[1]
                          and (t is not sender[0] or t.copies > 1)]
                if not others and not channel.broadcast:
                    continue
                sender[1].sync = (channel, '!')
                count = self.pick([1, 2, 3] if channel.broadcast else [1, 1,
                                                                       2])
                receivers = self.rng.sample(others, min(count, len(others)))
                for template, edge in list(receivers):
                    edge.sync = (channel, '?')
                    if self.chance(0.5):
                        # a second place where this one can be received
                        place = self.rng.randrange(len(template.locations))
                        other = Edge(place, self.pick([place, edge.target]))
                        other.sync = edge.sync
                        template.edges.append(other)
                        receivers.append((template, other))
                if receivers and self.chance(0.7):
                    self.handshake(sender, receivers)

    def handshake(self, sender, receivers):
        """The sender writes a shared variable that receivers read."""
        names = [v for v in self.globals if v.type.kind in ('int', 'bool')
                 and all(t.scope.vars.get(v.name) is v
                         for t, _ in [sender] + receivers)]
        if not names:
            return
        var = self.pick(names)
        sender[1].after.append(('send', var))
        sender[1].handed.append(var)
        for _, edge in receivers:
            edge.before.append(('receive', var))

    # --- labels -----------------------------------------------------------

    def label_template(self, template):
        for edge in list(template.edges):
            self.label_edge(template, edge)
        if self.has('branchpoints', 0.1):
            self.branchpoint(template)
        for i, loc in enumerate(template.locations):
            if i and self.has('committed', 0.12):
                loc.mark = 'committed'
            elif self.has('urgent', 0.1):
                loc.mark = 'urgent'
            handed = [v for e in template.edges if e.target == i
                      for v in e.handed if not v.meta]
            if i and handed and self.has('invariants', 0.4):
                loc.invariant = self.shared_invariant(template, handed)
            elif i and self.has('invariants', 0.12):
                loc.invariant = self.invariant(template.scope)
            elif not i and self.has('invariants', 0.05):
                loc.invariant = self.initial_invariant(template.scope)

    def invariant(self, scope):
        scope = self.without_locations(scope)    # declared one by one
        risky, self.risky = self.risky, self.risky and self.chance(0.3)
        a, b = self.boolean(scope, 1), self.boolean(scope, 1)
        self.risky = risky
        return self.binary(a, self.pick(['||', 'or']), b, 15, 0, 1).text

    def shared_invariant(self, template, handed):
        """What the sender handed over or has of its own is restricted, when
        the receivers have had their say."""
        own = [v for v in template.locals if v.type.kind in ('int', 'bool')]
        parts = [self.condition_on(self.pick(handed))]
        if own:
            parts.append(self.condition_on(self.pick(own)))
        return self.pick([' || ', ' or ', ' || ', ' && ']).join(parts)

    def initial_invariant(self, scope):
        """A condition that holds in the initial state."""
        known = [v for v in scope.writable() if v.type.kind == 'int'
                 and isinstance(v.start, int)]
        if not known:
            return None
        var = self.pick(known)
        return f"{var.name} <= {max(var.start, var.type.high - 1)}"

    def selects(self, template, scope, edge):
        """Items of the select label; the names go into the scope."""
        items = []
        wanted = self.pick([1, 1, 2]) if self.has('selects', 0.35) else 0
        if edge.sync and edge.sync[0].dims and self.has('selects', 0.6):
            # one select that fits the first index of the channel
            dim, name = edge.sync[0].dims[0], self.fresh('s')
            kind = dim.index or Type('int', f"int[{dim.low},{dim.high}]",
                                     dim.low, dim.high)
            items.append((name, kind))
        while len(items) < wanted:
            kind = self.range_type(scope, 3)
            bound = [v for v in template.values]
            if bound and self.chance(0.2):
                var = self.pick(bound)
                kind = Type('int', f"int[0,{var.name}]", 0, var.type.high)
            items.append((self.fresh('s'), kind))
        for name, kind in items:
            scope.add(Var(name, kind, const=True))
        return [f"{name} : {kind.text}" for name, kind in items]

    def sync_text(self, template, scope, edge):
        channel, mark = edge.sync
        names = [n for n, bound in template.channels.items()
                 if channel in bound]
        if names and self.chance(0.6):
            return self.pick(names) + mark
        text = channel.name
        for dim in channel.dims:
            index = self.index_text(scope, dim)
            if index is None:
                return None
            text += f"[{index}]"
        return text + self.pick(['', '', ' ']) + mark

    def label_edge(self, template, edge):
        scope = Scope(template.scope)
        selects = self.selects(template, scope, edge)
        sync = self.sync_text(template, scope, edge) if edge.sync else None
        guards = []
        likely = 0.1 if edge.ring else 0.45
        if edge.sync and edge.sync[0].broadcast and edge.sync[1] == '?':
            likely = 0.6
        if self.chance(likely):
            guards.append(self.condition(scope, 2))
        receiving = sync and edge.sync[1] == '?'
        items = self.updates(scope, edge, guards, receiving)
        labels = []
        if selects:
            labels.append(('select', ', '.join(selects)))
        if guards:
            texts = [g if isinstance(g, str) else self.paren(g, 14)
                     for g in guards]
            labels.append(('guard', self.pick([' && ', ' and ']).join(texts)
                           if len(texts) > 1 else
                           texts[0] if isinstance(guards[0], str)
                           else guards[0].text))
        if sync:
            labels.append(('synchronisation', sync))
        if items:
            labels.append(('assignment',
                           self.pick([', ', ', ', ',\n']).join(items)))
        edge.labels = labels

    def updates(self, scope, edge, guards, receiving):
        """Update items; guards may grow."""
        scope = Scope(scope)
        scope.locations = []      # old or new location is not settled
        items = []
        for _, var in edge.before:
            got = self.target(scope, kinds=(var.type.kind,))
            if got and got[2] != var.name:
                text = var.name
                if got[1].kind == 'int':
                    whole = Var(var.name, var.type)
                    e = self.clamp(scope, self.reading(whole), got[1].low,
                                   got[1].high)
                    text = e.text
                items.append(f"{got[0]} {self.equals()} {text}")
            if not var.meta and self.chance(0.5):
                guards.append(self.condition_on(var))
            if self.chance(0.4):
                items.append(f"{var.name} ="
                             f" {self.value(scope, var.type, 0).text}"
                             if not self.zero_inside(var.type)
                             else f"{var.name} = 0")
        if not items and self.has('rotation', 0.12):
            items += self.rotation(scope)
        for number in range(self.pick([0, 1, 1, 1, 2, 3])):
            own = guards if not receiving and not items else None
            text = self.effect(scope, own)
            if text:
                items.append(text)
        for _, var in edge.after:
            items.append(f"{var.name} {self.equals()}"
                         f" {self.value(scope, var.type, 1).text}")
        return items

    def reading(self, var):
        return E(var.name, 1, var.type.low, var.type.high,
                 var.type.kind == 'bool')

    def condition_on(self, var):
        value = self.rng.randint(var.type.low, var.type.high)
        return f"{var.name} {self.pick(['==', '!=', '<=', '>='])} {value}"

    def rotation(self, scope):
        """x = y, y = 0, z = x: the order of the items matters."""
        names = [v for v in scope.writable() if v.type.kind == 'int'
                 and v.type.low == 0]
        if len(names) < 2:
            return []
        x, y = self.rng.sample(names, 2)
        z = self.pick(names)
        found = []
        for a, b in ((x, y), (y, None), (z, x)):
            if b is None:
                found.append(f"{a.name} = 0")
            elif a is not b:
                e = self.clamp(scope, self.reading(b), a.type.low,
                               a.type.high)
                found.append(f"{a.name} = {e.text}")
        return found

    def branchpoint(self, template):
        """Send one edge through a branchpoint with two ways out."""
        edge = self.pick(template.edges)
        if edge.sync and edge.sync[1] == '?' and edge.sync[0].broadcast:
            return
        ident = f"id{self.fresh('')}"
        template.branchpoints.append(ident)
        targets = [edge.target, self.rng.randrange(len(template.locations))]
        edge.target = ident
        for target in targets:
            out = Edge(ident, target)
            text = self.effect(self.without_locations(template.scope))
            out.labels = [('probability', str(self.rng.randint(1, 3)))]
            if text and self.chance(0.7):
                out.labels.insert(0, ('assignment', text))
            template.edges.append(out)

    def without_locations(self, scope):
        inner = Scope(scope)
        inner.locations = []
        return inner

    # --- the rest -----------------------------------------------------------

    def extras(self):
        """Hooks, priorities, progress measures and queries."""
        if len(self.templates) > 1 and self.has('unused', 0.04):
            self.templates[-1].system = []
            self.templates[-1].processes = []
        if self.has('hooks', 0.1):
            text = self.plain(self.top)
            if text:
                hook = self.pick(['before_update', 'after_update'])
                self.decls.append(f"{hook} {{ {text} }}")
        self.separators = None
        if self.has('priorities', 0.06):
            if self.chance(0.6):
                words = ['default', self.channel_element()]
                self.rng.shuffle(words)
                self.decls.append(f"chan priority {' < '.join(words)};")
            else:
                self.separators = True
        self.progress = ''
        if self.has('progress', 0.05):
            got = self.read(self.top, 0)
            if got:
                self.progress = f"\nprogress {{ {got.text}; }}"
        self.queries = []
        if self.has('queries', 0.4):
            self.make_queries()

    def channel_element(self):
        channel = self.pick(self.channels)
        text = channel.name
        if channel.dims and channel.dims[0].index is None \
                and self.chance(0.5):
            for dim in channel.dims:
                if dim.index is not None:
                    return channel.name
                text += f"[{dim.low}]"
        return text

    def make_queries(self):
        names = [v.name for v in self.globals
                 if v.type.kind in ('int', 'bool') and not v.meta]
        for _ in range(self.rng.randint(1, 2)):
            template = self.pick([t for t in self.templates if t.processes])
            process = self.pick(template.processes)
            if template.scope.locations and '(' not in process:
                atom = f"{process}.{self.pick(template.scope.locations)}"
            elif names:
                atom = f"{self.pick(names)} >= 1"
            else:
                atom = 'true'
            other = f"{self.pick(names)} <= 1" if names else 'true'
            self.queries.append(self.pick([
                f"A[] {atom} imply {other}", f"E<> {atom} and {other}",
                f"{atom} --> {other}", f"A<> {atom}", f"E[] {other}"]))

    def system_line(self):
        names = [n for t in self.templates for n in t.system]
        if self.separators and len(names) > 1:
            text = names[0]
            for name in names[1:]:
                text += self.pick([' < ', ', ']) + name
            return f"system {text};"
        return f"system {', '.join(names)};"

    # --- what can be removed ------------------------------------------------

    def candidates(self):
        """Names of everything that could be removed."""
        found = []
        for var in self.globals + self.sysvars:
            found += self.parts(var.name, var.type)
        for template in self.templates:
            for var in template.locals:
                found += self.parts(f"{template.name}.{var.name}", var.type)
        return found

    def parts(self, name, kind):
        """A variable, its cells and its fields."""
        found = [name]
        if kind.kind == 'array' and kind.index is None:
            for i in range(kind.low, kind.high + 1):
                found += self.parts(f"{name}[{i}]", kind.elem)
        elif kind.kind == 'struct':
            for field, inner in kind.fields:
                found += self.parts(f"{name}.{field}", inner)
        return found
