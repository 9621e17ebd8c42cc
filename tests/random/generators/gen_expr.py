"""Random types, variables and expressions of Uppaal that are valid by
construction.

An expression carries its text, its precedence level (1 binds tightest, as in
the language's operator table) and an interval that contains its values, so
that assignments can be kept inside ranges unless the model is meant to be
risky.
"""

FEATURES = """
aggregates arrays arrays2 assert bool branchpoints broadcast chained
chanarrays comments committed constref consts defaultint dynindex rotation
functions hooks invariants localfun locguard loops meta nails params
partial power priorities processset progress quantifiers queries refparams
risky scalars selects shadow sidefx structs sysvars ternary typedefs
unnamed unused urgent urgentchan wide
""".split()

LIMIT = 3000           # intervals beyond this are not built


class Type:
    """kind: int, bool, scalar, array, struct."""

    def __init__(self, kind, text, low=0, high=1, **more):
        self.kind, self.text, self.low, self.high = kind, text, low, high
        self.suffix = more.get('suffix', '')    # array declared in place
        self.elem = more.get('elem')
        self.index = more.get('index')          # scalar type of the index
        self.fields = more.get('fields')        # [(name, type)]

    @property
    def count(self):
        return self.high - self.low + 1

    def bits(self):
        """log2-ish size of one value of the type, as a product of ranges."""
        if self.kind == 'array':
            return self.elem.bits() ** self.count
        if self.kind == 'struct':
            product = 1
            for _, kind in self.fields:
                product *= kind.bits()
            return product
        return self.count

    def has_scalar(self):
        if self.kind == 'array':
            return self.index is not None or self.elem.has_scalar()
        if self.kind == 'struct':
            return any(kind.has_scalar() for _, kind in self.fields)
        return self.kind == 'scalar'

    def named(self):
        """Shareable by name: two variables of it are compatible."""
        return not self.suffix and not self.text.startswith('struct')


class Var:
    """A variable, constant, parameter, select or quantifier variable."""

    def __init__(self, name, type_, const=False, meta=False, start=None,
                 writable=None):
        self.name, self.type, self.const, self.meta = name, type_, const, meta
        self.start = start
        self.writable = (not const) if writable is None else writable


class Fun:
    """A function: params are (name, type, mode), mode val, ref or cref."""

    def __init__(self, name, params, result, pure):
        self.name, self.params, self.result = name, params, result
        self.pure = pure


class E:
    """An expression."""

    def __init__(self, text, prec, low, high, boolean=False):
        self.text, self.prec, self.low, self.high = text, prec, low, high
        self.boolean = boolean

    def inside(self, low, high):
        return low <= self.low and self.high <= high


class Scope:
    """What can be named at a place; inner scopes hide outer names."""

    def __init__(self, parent=None):
        self.parent = parent
        self.vars = dict(parent.vars) if parent else {}
        self.funs = dict(parent.funs) if parent else {}
        self.types = list(parent.types) if parent else []
        self.locations = list(parent.locations) if parent else []
        self.own_names = frozenset()  # declared in this very frame
        self.reserved = set()         # not assignable here (loop counters)
        if parent:
            self.reserved |= parent.reserved

    def add(self, var):
        self.vars[var.name] = var
        self.funs.pop(var.name, None)
        self.types = [t for t in self.types if t.text != var.name]
        return var

    def readable(self):
        return [v for v in self.vars.values() if not v.meta]

    def writable(self):
        return [v for v in self.vars.values()
                if v.writable and not v.meta and v.name not in self.reserved]


class ExprGen:
    """Random expressions over a scope."""

    def __init__(self, rng, features, risky):
        self.rng, self.features, self.risky = rng, features, risky
        self.counter = 0

    # --- chance ---------------------------------------------------------

    def chance(self, p):
        return self.rng.random() < p

    def has(self, feature, p):
        """Whether to use a feature here."""
        return feature in self.features and self.chance(p)

    def pick(self, items):
        return items[self.rng.randrange(len(items))]

    def fresh(self, stem):
        self.counter += 1
        return f"{stem}{self.counter}"

    # --- building blocks --------------------------------------------------

    def paren(self, e, most):
        """Text of e, in parentheses if it binds looser than most."""
        if e.prec > most or (e.prec > 1 and self.chance(0.1)):
            return f"({e.text})"
        return e.text

    def binary(self, a, op, b, prec, low, high, boolean=False):
        return E(f"{self.paren(a, prec)} {op} {self.paren(b, prec - 1)}",
                 prec, low, high, boolean)

    def literal(self, low, high):
        value = self.rng.randint(low, high)
        return E(str(value), 1 if value >= 0 else 3, value, value)

    def const_text(self, scope, low, high):
        """A compile-time expression with a given value range, often a name."""
        names = [v for v in scope.vars.values()
                 if v.const and isinstance(v.start, int)
                 and v.type.kind == 'int' and low <= v.start <= high]
        if names and self.chance(0.5):
            var = self.pick(names)
            return var.name, var.start
        value = self.rng.randint(low, high)
        return str(value), value

    # --- lvalues and reads ------------------------------------------------

    def index_text(self, scope, type_, static=False, depth=1):
        """An index for an array type, or None if there is no way."""
        if type_.index is not None:
            options = self.scalar_reads(scope, type_.index, depth > 0)
            return self.pick(options) if options else None
        if static or 'dynindex' not in self.features or self.chance(0.25):
            return str(self.rng.randint(type_.low, type_.high))
        if self.chance(0.6):
            names = [v.name for v in scope.readable()
                     if v.type.kind == 'int'
                     and type_.low <= v.type.low and v.type.high <= type_.high]
            if names:
                return self.pick(names)
        if depth <= 0:
            return str(self.rng.randint(type_.low, type_.high))
        return self.clamp(scope, self.integer(scope, depth - 1), type_.low,
                          type_.high).text

    def path(self, scope, var, static=False, depth=1, stop=0.0):
        """(text, type) of a cell of a variable; None if not indexable.

        With probability stop an array or struct itself is taken."""
        text, type_ = var.name, var.type
        while type_.kind in ('array', 'struct'):
            if self.chance(stop):
                break
            if type_.kind == 'array':
                index = self.index_text(scope, type_, static, depth)
                if index is None:
                    return None
                text, type_ = f"{text}[{index}]", type_.elem
            else:
                field, type_ = self.pick(type_.fields)
                text = f"{text}.{field}"
        return text, type_

    def scalar_reads(self, scope, kind, arrays=True):
        """Texts of readable values of a scalar type."""
        found = [v.name for v in scope.readable() if v.type is kind]
        if arrays:
            for var in scope.readable():
                if var.type.kind in ('array', 'struct') \
                        and var.type.index is None:
                    got = self.path(scope, var, True, 0)
                    if got and got[1] is kind:
                        found.append(got[0])
        return found

    def read(self, scope, depth=1, kinds=('int', 'bool')):
        """Read some cell as a number; None if there is none."""
        options = [v for v in scope.readable() if v.type.kind != 'scalar']
        for _ in range(4):
            if not options:
                break
            got = self.path(scope, self.pick(options), depth=depth)
            if got and got[1].kind in kinds:
                return E(got[0], 1, got[1].low, got[1].high,
                         got[1].kind == 'bool')
        return None

    # --- integers ---------------------------------------------------------

    def integer(self, scope, depth=2):
        """A side-effect-free number."""
        for _ in range(5):
            e = self.integer_once(scope, depth)
            if e is not None and e.inside(-LIMIT, LIMIT):
                return e
        return self.literal(0, 3)

    def integer_once(self, scope, depth):
        if depth <= 0 or self.chance(0.3):
            if self.chance(0.2):
                return self.literal(-1 if self.chance(0.1) else 0, 3)
            return self.read(scope, depth) or self.literal(0, 2)
        make = self.pick([
            self.int_sum, self.int_sum, self.int_sum, self.int_product,
            self.int_extreme, self.int_extreme, self.int_choice,
            self.int_division, self.int_division, self.int_shift,
            self.int_bits, self.int_unary, self.int_call, self.int_call,
            self.int_quantifier, self.int_boolean, self.int_power])
        return make(scope, depth - 1)

    def int_sum(self, scope, depth):
        a, b = self.integer(scope, depth), self.integer(scope, depth)
        if self.chance(0.55):
            return self.binary(a, '+', b, 6, a.low + b.low, a.high + b.high)
        return self.binary(a, '-', b, 6, a.low - b.high, a.high - b.low)

    def int_product(self, scope, depth):
        a, b = self.integer(scope, depth), self.integer(scope, 0)
        ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
        return self.binary(a, '*', b, 5, min(ends), max(ends))

    def int_extreme(self, scope, depth):
        a, b = self.integer(scope, depth), self.integer(scope, depth)
        if self.chance(0.5):
            return self.binary(a, '<?', b, 8, min(a.low, b.low),
                               min(a.high, b.high))
        return self.binary(a, '>?', b, 8, max(a.low, b.low),
                           max(a.high, b.high))

    def int_choice(self, scope, depth):
        if 'ternary' not in self.features:
            return None
        c = self.boolean(scope, depth)
        a, b = self.integer(scope, depth), self.integer(scope, depth)
        return E(f"{self.paren(c, 15)} ? {self.paren(a, 17)}"
                 f" : {self.paren(b, 16)}", 16, min(a.low, b.low),
                 max(a.high, b.high))

    def int_division(self, scope, depth):
        a, b = self.integer(scope, depth), self.integer(scope, 0)
        if b.low <= 0 <= b.high and not (self.risky and self.chance(0.3)):
            b = self.literal(2, 3)
        most = max(abs(a.low), abs(a.high))
        if self.chance(0.5):
            return self.binary(a, '/', b, 5, -most if a.low < 0 or b.low < 0
                               else 0, most)
        rest = min(most, max(abs(b.low), abs(b.high), 1) - 1)
        return self.binary(a, '%', b, 5, -rest if a.low < 0 else 0, rest)

    def int_shift(self, scope, depth):
        a = self.integer(scope, depth)
        if a.low < 0:
            return None
        b = self.literal(0, 2)
        if self.chance(0.4):
            got = self.read(scope, 0)
            if got and got.inside(0, 4):
                b = got
        if self.chance(0.5):
            return self.binary(a, '<<', b, 7, 0, a.high << b.high)
        return self.binary(a, '>>', b, 7, 0, a.high)

    def int_bits(self, scope, depth):
        a, b = self.integer(scope, depth), self.integer(scope, depth)
        if a.low < 0 or b.low < 0:
            return None
        most = (1 << max(a.high, b.high).bit_length()) - 1
        op, prec = self.pick([('&', 11), ('^', 12), ('|', 13)])
        return self.binary(a, op, b, prec, 0,
                           min(a.high, b.high) if op == '&' else most)

    def int_unary(self, scope, depth):
        a = self.integer(scope, depth)
        most = max(abs(a.low), abs(a.high))
        if self.chance(0.5):
            return E(f"abs({a.text})", 1, 0, most)
        text = a.text if a.prec <= 3 and not a.text.startswith(('-', '+')) \
            else f"({a.text})"
        if self.chance(0.15):
            return E('+' + text, 3, a.low, a.high)
        return E('-' + text, 3, -a.high, -a.low)

    def int_power(self, scope, depth):
        if not self.has('power', 0.3):
            return None
        a = self.integer(scope, 0)
        if a.low < 0:
            return None
        return self.binary(a, '**', E('2', 1, 2, 2), 4, 0, a.high ** 2)

    def int_boolean(self, scope, depth):
        a = self.boolean(scope, depth)
        return E(a.text, a.prec, 0, 1, True)

    def int_call(self, scope, depth):
        """Call of a pure function with a number as result."""
        options = [f for f in scope.funs.values()
                   if f.pure and f.result and f.result.kind in ('int', 'bool')]
        if not options:
            return None
        fun = self.pick(options)
        text = self.call(scope, fun, depth)
        return text and E(text, 1, fun.result.low, fun.result.high,
                          fun.result.kind == 'bool')

    def int_quantifier(self, scope, depth):
        if not self.has('quantifiers', 0.5):
            return None
        name, inner, text, count = self.quantified(scope)
        e = self.integer(inner, min(depth, 1))
        return E(f"sum({name}:{text}) {e.text}", 18, min(0, e.low * count),
                 max(0, e.high * count))

    def quantified(self, scope):
        """(name, inner scope, range text, number of values)."""
        kind = self.range_type(scope)
        name = self.fresh('q')
        if self.has('shadow', 0.15) and scope.vars:
            name = self.pick(sorted(scope.vars))
            if name == kind.text or any(t.text == name for t in scope.types):
                name = self.fresh('q')
        inner = Scope(scope)
        inner.add(Var(name, kind, const=True))
        inner.vars[name].start = None
        return name, inner, kind.text, kind.count

    def range_type(self, scope, most=4):
        """A type for selects, quantifiers and iterations."""
        named = [t for t in scope.types
                 if t.kind in ('int', 'scalar') and t.count <= most]
        if named and self.chance(0.5):
            return self.pick(named)
        low = self.pick([0, 0, 0, 1])
        text, high = self.const_text(scope, low, low + self.pick([1, 1, 2]))
        return Type('int', f"int[{low},{text}]", low, high)

    # --- conditions -------------------------------------------------------

    def boolean(self, scope, depth=2):
        """A side-effect-free condition with value 0 or 1."""
        for _ in range(4):
            e = self.boolean_once(scope, depth)
            if e is not None:
                return e
        return E('true', 1, 0, 1, True)

    def boolean_once(self, scope, depth):
        if depth <= 0 or self.chance(0.15):
            if self.chance(0.05):
                return E(self.pick(['true', 'false']), 1, 0, 1, True)
            if self.chance(0.5):
                return self.bool_compare(scope, 0)
            return self.read(scope, 0, ('bool',)) \
                or self.bool_compare(scope, 0)
        make = self.pick([
            self.bool_compare, self.bool_compare, self.bool_compare,
            self.bool_compare, self.bool_logic, self.bool_logic,
            self.bool_logic, self.bool_not, self.bool_quantifier,
            self.bool_aggregate, self.bool_scalar, self.bool_choice,
            self.bool_location, self.bool_chain])
        return make(scope, depth - 1)

    def bool_compare(self, scope, depth):
        a = self.read(scope, depth) if self.chance(0.8) else None
        a = a or self.integer(scope, depth)
        if self.chance(0.6):
            b = self.literal(max(a.low, -2), max(min(a.high, 4),
                                                 max(a.low, -2)))
        else:
            b = self.integer(scope, depth)
        if a.boolean and b.low == b.high and self.chance(0.5):
            return E(a.text, a.prec, 0, 1, True)
        op, prec = self.pick([('==', 10), ('==', 10), ('!=', 10), ('<', 9),
                              ('<=', 9), ('>', 9), ('>=', 9)])
        return self.binary(a, op, b, prec, 0, 1, True)

    def bool_chain(self, scope, depth):
        """1 < x < 3 compares the truth value of the first comparison."""
        if not self.chance(0.15):
            return None
        a = self.bool_compare(scope, 0)
        return self.binary(a, self.pick(['<', '>=']), self.literal(0, 1), 9,
                           0, 1, True)

    def bool_logic(self, scope, depth):
        op, prec = self.pick([('&&', 14), ('and', 14), ('&&', 14), ('||', 15),
                              ('or', 15), ('imply', 15), ('xor', 15)])
        a, b = self.condition(scope, depth), self.condition(scope, depth)
        return self.binary(a, op, b, prec, 0, 1, True)

    def condition(self, scope, depth):
        """A condition that may also be a number."""
        if self.chance(0.1):
            return self.integer(scope, min(depth, 1))
        return self.boolean(scope, depth)

    def bool_not(self, scope, depth):
        a = self.condition(scope, depth)
        return E(self.pick(['!', 'not ']) + self.paren(a, 3), 3, 0, 1, True)

    def bool_quantifier(self, scope, depth):
        if not self.has('quantifiers', 0.5):
            return None
        name, inner, text, _ = self.quantified(scope)
        word = self.pick(['forall', 'exists'])
        e = self.boolean(inner, min(depth, 1))
        return E(f"{word}({name}:{text}) {e.text}", 18, 0, 1, True)

    def bool_choice(self, scope, depth):
        if not self.has('ternary', 0.4):
            return None
        a, b, c = (self.boolean(scope, depth) for _ in range(3))
        return E(f"{self.paren(a, 15)} ? {self.paren(b, 17)}"
                 f" : {self.paren(c, 16)}", 16, 0, 1, True)

    def bool_aggregate(self, scope, depth):
        """Comparison of whole arrays or structs of one named type."""
        pair = self.pair(scope, scope.readable())
        if not pair:
            return None
        return E(f"{pair[0]} {self.pick(['==', '!='])} {pair[1]}", 10, 0, 1,
                 True)

    def pair(self, scope, firsts):
        """Names of two variables of one named array or struct type."""
        if 'aggregates' not in self.features:
            return None
        firsts = [v for v in firsts if v.type.kind in ('array', 'struct')
                  and v.type.named()]
        if not firsts:
            return None
        a = self.pick(firsts)
        others = [v for v in scope.readable()
                  if v.type is a.type and v.name != a.name]
        return (a.name, self.pick(others).name) if others else None

    def bool_scalar(self, scope, depth):
        """Comparison of two values of one scalar type."""
        kinds = [t for t in scope.types if t.kind == 'scalar']
        if not kinds:
            return None
        texts = self.scalar_reads(scope, self.pick(kinds))
        if len(texts) < 2:
            return None
        a, b = self.rng.sample(texts, 2)
        return E(f"{a} {self.pick(['==', '!='])} {b}", 10, 0, 1, True)

    def bool_location(self, scope, depth):
        if not scope.locations or not self.has('locguard', 0.15):
            return None
        name = self.pick(scope.locations)
        return None if name in scope.vars else E(name, 1, 0, 1, True)

    # --- calls and ranges -------------------------------------------------

    def call(self, scope, fun, depth=1):
        """Text of a call, or None if an argument cannot be found."""
        args = []
        for _, kind, mode in fun.params:
            arg = self.argument(scope, kind, mode, depth)
            if arg is None:
                return None
            args.append(arg)
        return f"{fun.name}({', '.join(args)})"

    def argument(self, scope, kind, mode, depth):
        if mode == 'ref':
            return self.same_type(scope, scope.writable(), kind)
        if mode == 'cref' or kind.kind in ('array', 'struct', 'scalar'):
            found = self.same_type(scope, scope.readable(), kind)
            if found or kind.kind not in ('int', 'bool') or mode == 'cref':
                return found
        if kind.kind == 'bool':
            return self.boolean(scope, depth).text
        e = self.clamp(scope, self.integer(scope, depth), kind.low, kind.high)
        return e.text

    def same_type(self, scope, options, kind):
        """A cell or variable of exactly this type, or None."""
        found = []
        for var in options:
            if var.type is kind:
                found.append(var.name)
            elif var.type.kind in ('array', 'struct') \
                    and kind.kind not in ('array', 'struct'):
                got = self.path(scope, var, depth=0)
                if got and self.equal(got[1], kind):
                    found.append(got[0])
            elif self.equal(var.type, kind):
                found.append(var.name)
        return self.pick(found) if found else None

    @staticmethod
    def equal(a, b):
        """Equivalent types for a reference: written the same way."""
        return a is b or (a.kind == b.kind and a.kind in ('int', 'bool')
                          and (a.text, a.low, a.high)
                          == (b.text, b.low, b.high))

    def clamp(self, scope, e, low, high):
        """An expression with values in a range (unless taking a risk)."""
        if e.inside(low, high):
            return e
        if self.risky and self.chance(0.35) and e.low <= high \
                and e.high >= low:
            return E(e.text, e.prec, max(e.low, low), min(e.high, high))
        ways = [self.literal(low, high)]
        if e.low >= low:
            ways.append(self.binary(e, '<?', E(str(high), 1, high, high), 8,
                                    max(low, min(e.low, high)), high))
            if e.low >= 0 and low <= 0 and high >= 1:
                ways.append(self.binary(
                    e, '%', E(str(high + 1), 1, 0, 0), 5, 0, high))
            if 'ternary' in self.features and e.low <= high:
                other = self.literal(low, high)
                ways.append(E(f"{self.paren(e, 8)} <= {high} ?"
                              f" {self.paren(e, 16)}"
                              f" : {self.paren(other, 16)}",
                              16, low, high))
        elif low >= 0 or e.high > high:
            inner = self.binary(e, '<?', self.shown(high), 8, e.low, high)
            ways.append(E(f"({inner.text}) >? {low}", 8, low, high))
        else:
            ways.append(self.binary(e, '>?', self.shown(low), 8, low, high))
        return self.pick(ways[1:]) if len(ways) > 1 and self.chance(0.8) \
            else ways[0]

    @staticmethod
    def shown(value):
        return E(str(value), 1 if value >= 0 else 3, value, value)
