"""Naive compiler: parsed declarations and expressions to Python source.

All values live in one flat list M of integers.  The first STATE_LIMIT cells
are slots of the state; behind them lie constants, function
locals and temporaries (recursion is not allowed, so these can be static).
Arrays, structs and channels are represented by the number of their first
cell or channel.  Quantifier and select variables are Python variables v1, v2,
...; so are the addresses bound to reference parameters of functions.
"""

import re
from oracle.uppaal_parse import ModelError
from oracle.uppaal_runtime import (AUX_LIMIT, BOOL, FULL, INT, STATE_LIMIT, VOID,
                                   EvalError, Type, array_of, make_runtime)

NEST_LIMIT = 40

# --- scope entries ----------------------------------------------------

class Scope:
    """A frame of names."""

    def __init__(self, parent=None):
        self.parent, self.own = parent, {}

    def find(self, name):
        scope = self
        while scope:
            if name in scope.own:
                return scope.own[name]
            scope = scope.parent
        raise ModelError(f"unknown name {name}")


class Entry:
    """kind: cell (where = address), ref (where = Python name of an address),
    value (where = Python name), lit (where = number), type, fun, loc, chan
    (where = first channel or Python name), template."""

    def __init__(self, kind, type_=None, where=None, **more):
        self.kind, self.type, self.where = kind, type_, where
        self.__dict__.update(more)


class Ex:
    """Compiled expression.  code: value (number), or first cell for arrays
    and structs, or channel; addr: address code of an lvalue or None."""

    def __init__(self, code, type_, addr=None, const=None):
        self.code, self.type, self.addr, self.const = code, type_, addr, const


def number(value):
    return str(value) if value >= 0 else f"({value})"


def paren_depth(code):
    depth = most = 0
    for char in code:
        if char == '(':
            depth += 1
            most = max(most, depth)
        elif char == ')':
            depth -= 1
    return most


COMPOUND = {'+': 'o_plus', '-': 'o_minus', '*': 'mul', '/': 'div',
            '%': 'mod', '&': 'o_and', '|': 'o_or', '^': 'o_xor',
            '<<': 'shl', '>>': 'shr'}
CALLED = {'*': 'mul', '/': 'div', '%': 'mod', '<<': 'shl', '>>': 'shr',
          '**': 'power', '<?': 'min', '>?': 'max'}
COMPARE = {'<', '<=', '>=', '>', '==', '!='}


def wrapped(sum_code):
    """The low 32 bits of a sum."""
    return f"(({sum_code} + 0x80000000 & 0xffffffff) - 0x80000000)"


class Compiler:
    """Expressions, statements, types and variables; one per network."""

    # Whether a constant reference gets the place of `c ? v : w` and of an assignment, or the value,
    # which nothing says.
    binds_chosen = True

    def __init__(self):
        self.M, self.L = [0] * STATE_LIMIT, []
        self.env, self.budget = make_runtime(self.M, self.L)
        self.slots = []              # names of the state slots
        self.terms = []              # what queries call them
        self.parameters = set()      # those that are parameters by value
        self.channels = []           # (name, urgent, broadcast)
        self.metas = set()           # slots of meta variables, see equal.py
        self.stateless = set()       # full names of constants
        self.counter = 0
        self.reading_const = False

    def fresh(self, stem):
        self.counter += 1
        return f"{stem}{self.counter}"

    def run_source(self, source):
        exec(compile(source, '<model>', 'exec'), self.env)

    # --- memory -------------------------------------------------------

    def alloc_state(self, name, kind):
        addr = len(self.slots)
        if addr + kind.size > STATE_LIMIT:
            raise ModelError("too many variables")
        self.slots.extend(kind.names(name))
        self.terms.extend(kind.terms(name))
        return addr

    def alloc_aux(self, size):
        addr = len(self.M)
        if addr + size > AUX_LIMIT:
            raise ModelError("too many constants and locals")
        self.M.extend([0] * size)
        return addr

    # --- types --------------------------------------------------------

    def type(self, tree, scope, dims=()):
        """Type and set of prefixes."""
        _, prefixes, base = tree
        quals = set(prefixes)
        if base[0] == 'int':
            if base[1]:
                low = self.const_value(base[1][0], scope)
                high = self.const_value(base[1][1], scope)
                if low > high:
                    raise ModelError("empty range")
                kind = Type('int', low, high)
            else:
                kind = FULL if 'const' in quals else INT
        elif base[0] == 'bool':
            kind = BOOL
        elif base[0] == 'void':
            kind = VOID
        elif base[0] == 'chan':
            kind = Type('chan', urgent='urgent' in quals,
                        broadcast='broadcast' in quals)
        elif base[0] == 'scalar':
            size = self.const_value(base[1], scope)
            if size < 1:
                raise ModelError("empty scalar set")
            kind = Type('scalar', 0, size - 1)
        elif base[0] == 'struct':
            fields = []
            for field_type, name, field_dims in base[1]:
                if name in [other for other, _ in fields]:
                    raise ModelError(f"duplicate field {name}")
                fields.append(
                    (name, self.type(field_type, scope, field_dims)[0]))
            kind = Type('struct', size=sum(t.size for _, t in fields),
                        fields=fields)
        else:
            entry = scope.find(base[1])
            if entry.kind != 'type':
                raise ModelError(f"{base[1]} is not a type")
            kind, more = entry.type, entry.where
            if kind.kind == 'chan' and quals & {'urgent', 'broadcast'}:
                kind = Type('chan', urgent=kind.urgent or 'urgent' in quals,
                            broadcast=kind.broadcast or 'broadcast' in quals)
            quals |= more
        for dim in reversed(dims):
            if dim[0] == 'by':
                index, _ = self.type(dim[1], scope)
                if index.kind not in ('int', 'scalar'):
                    raise ModelError("bad index type")
                kind = array_of(index.low, index.high, kind,
                                index.kind == 'scalar')
            else:
                kind = array_of(0, self.const_value(dim[1], scope) - 1, kind)
        return kind, quals

    def range_type(self, tree, scope):
        """The type of a select, quantifier or iteration variable."""
        kind, _ = self.type(tree, scope)
        if kind.kind not in ('int', 'scalar'):
            raise ModelError("a range needs an int or scalar type")
        return kind if kind is not FULL else INT

    # --- compile-time values --------------------------------------------

    def const_ex(self, tree, scope):
        """Compile an expression that may read constants only."""
        outer, self.reading_const = self.reading_const, True
        try:
            return self.ex(tree, scope)
        finally:
            self.reading_const = outer

    def const_value(self, tree, scope):
        found = self.const_ex(tree, scope)
        if found.const is not None:
            return found.const
        if not found.type.scalar_like:
            raise ModelError("a number is expected")
        try:
            return int(eval(found.code, self.env))
        except (EvalError, NameError) as error:
            raise ModelError(f"compile-time value: {error}") from error

    # --- expressions ----------------------------------------------------

    def make(self, code, kind, addr=None, parts=None):
        """An Ex; folds when all parts are constant; limits nesting."""
        if parts is not None and all(p.const is not None for p in parts):
            try:
                value = int(eval(code, self.env))
                return Ex(number(value), kind, None, value)
            except EvalError:
                pass
        return Ex(self.flat(code), kind,
                  self.flat(addr) if addr is not None else None)

    def flat(self, code):
        """Move deeply nested code into a function of its own."""
        if len(code) < 200 or paren_depth(code) < NEST_LIMIT:
            return code
        bound = set(re.findall(r'\bfor (q?v\d+) in ', code))
        free = set(re.findall(r'\bq?v\d+\b', code)) - bound
        free = ', '.join(sorted(free))
        name = self.fresh('h')
        self.run_source(f"def {name}({free}):\n return {code}\n")
        return f"{name}({free})"

    def num(self, tree, scope):
        """Code of a numeric expression."""
        found = self.ex(tree, scope)
        if not found.type.scalar_like:
            raise ModelError("a number is expected")
        return found

    def truth(self, tree, scope):
        """Code whose Python truth value is the expression's."""
        if tree[0] == 'bin' and tree[1] in ('&&', '||'):
            op, items = tree[1], []
            while tree[0] == 'bin' and tree[1] == op:
                items.append(tree[3])
                tree = tree[2]
            items.append(tree)
            word = ' and ' if op == '&&' else ' or '
            return self.flat('(' + word.join(
                self.truth(item, scope) for item in reversed(items)) + ')')
        if tree[0] == 'bin' and tree[1] == 'imply':
            return self.flat(f"(not {self.truth(tree[2], scope)}"
                             f" or {self.truth(tree[3], scope)})")
        if tree[0] == 'un' and tree[1] == '!':
            return self.flat(f"(not {self.truth(tree[2], scope)})")
        return self.num(tree, scope).code

    def ex(self, tree, scope):
        """Compile an expression tree."""
        return getattr(self, 'ex_' + tree[0])(tree, scope)

    def ex_num(self, tree, scope):
        return Ex(number(tree[1]), FULL, None, tree[1])

    def ex_true(self, tree, scope):
        return Ex('1', BOOL, None, 1)

    def ex_false(self, tree, scope):
        return Ex('0', BOOL, None, 0)

    def ex_name(self, tree, scope):
        entry = scope.find(tree[1])
        kind = entry.type
        if entry.kind == 'lit':
            return Ex(number(entry.where), kind, None, entry.where)
        if entry.kind == 'value':
            if self.reading_const and entry.where.startswith('v'):
                raise ModelError(f"{tree[1]} is not a compile-time value")
            return Ex(entry.where, kind)
        if entry.kind in ('cell', 'ref'):
            if self.reading_const and not getattr(entry, 'const', False):
                raise ModelError(f"{tree[1]} is not a compile-time value")
            return self.at(str(entry.where), kind)
        if entry.kind == 'chan':
            return Ex(str(entry.where), kind, str(entry.where))
        if entry.kind == 'loc':
            return Ex(f"(L[{entry.where[0]}] == {entry.where[1]})", BOOL)
        raise ModelError(f"{tree[1]} is not a value")

    def at(self, addr, kind):
        """The lvalue of a type at an address."""
        if kind.scalar_like:
            return Ex(f"M[{addr}]", kind, addr)
        return Ex(addr, kind, addr)

    def ex_un(self, tree, scope):
        if tree[1] == '!':
            return self.make(self.truth(tree, scope), BOOL)
        found = self.num(tree[2], scope)
        return self.make(wrapped(f"-{found.code}"), FULL, parts=[found])

    def ex_pre(self, tree, scope):
        by = 1 if tree[1] == '++' else -1
        target = self.lvalue(tree[2], scope)
        args = f"({target.addr}, o_plus, {by}, {self.limits(target.type)})"
        return self.make('stop' + args, target.type, 'stopa' + args)

    def ex_post(self, tree, scope):
        by = 1 if tree[1] == '++' else -1
        target = self.lvalue(tree[2], scope)
        return self.make(
            f"post({target.addr}, {by}, {self.limits(target.type)})",
            target.type)

    def limits(self, kind):
        return f"{kind.low}, {kind.high}"

    def lvalue(self, tree, scope):
        target = self.ex(tree, scope)
        if target.addr is None or target.type.kind == 'chan':
            raise ModelError("not assignable")
        return target

    def ex_asg(self, tree, scope):
        _, op, left, right = tree
        target = self.lvalue(left, scope)
        kind, value = target.type, self.ex(right, scope)
        if not kind.scalar_like:
            if op != '=' or len(value.type.cells()) != len(kind.cells()):
                raise ModelError("incompatible assignment")
            code = f"cp({target.addr}, {value.code}, {self.checks(kind)})"
            return self.make(code, kind, code)
        if not value.type.scalar_like:
            raise ModelError("incompatible assignment")
        code = value.code
        if op == '=':
            if kind.kind == 'bool':
                code = f"(1 if {code} else 0)"
            args = f"({target.addr}, {code}, {self.limits(kind)})"
            return self.make('st' + args, kind, 'sta' + args)
        args = f"({target.addr}, {COMPOUND[op]}, {code}"
        if kind.kind == 'bool':
            return self.make('stopb' + args + ')', kind, 'stopba' + args + ')')
        args += f", {self.limits(kind)})"
        return self.make('stop' + args, kind, 'stopa' + args)

    def checks(self, kind):
        """Python name of the list of cell ranges of a type."""
        if not hasattr(kind, 'checks_name'):
            kind.checks_name = self.fresh('c')
            self.env[kind.checks_name] = [(c.low, c.high)
                                          for c in kind.cells()]
        return kind.checks_name

    def ex_bin(self, tree, scope):
        _, op, left, right = tree
        if op in ('&&', '||', 'imply'):
            return self.make(f"(1 if {self.truth(tree, scope)} else 0)", BOOL)
        if op == 'xor':
            return self.make(f"((not {self.truth(left, scope)})"
                             f" != (not {self.truth(right, scope)}))", BOOL)
        if op in ('+', '-'):
            return self.sum_chain(tree, scope)
        a, b = self.ex(left, scope), self.ex(right, scope)
        if op in ('==', '!=') and not a.type.scalar_like:
            size = len(a.type.cells())
            if len(b.type.cells()) != size:
                raise ModelError("incompatible comparison")
            if a.type.kind == 'chan':
                return self.make(f"({a.code} {op} {b.code})", BOOL)
            word = '' if op == '==' else 'not '
            return self.make(f"({word}eq({a.code}, {b.code}, {size}))", BOOL)
        if not (a.type.scalar_like and b.type.scalar_like):
            raise ModelError(f"bad operands of {op}")
        if op in COMPARE:
            return self.make(f"({a.code} {op} {b.code})", BOOL, parts=[a, b])
        if op in CALLED:
            return self.make(f"{CALLED[op]}({a.code}, {b.code})", FULL,
                             parts=[a, b])
        return self.make(f"({a.code} {op} {b.code})", FULL, parts=[a, b])

    def sum_chain(self, tree, scope):
        """a + b - c ... without one pair of parentheses per operator."""
        words, parts = [], []
        while tree[0] == 'bin' and tree[1] in ('+', '-'):
            parts.append(self.num(tree[3], scope))
            words.append(f" {tree[1]} {parts[-1].code}")
            tree = tree[2]
        parts.append(self.num(tree, scope))
        words.append(parts[-1].code)
        return self.make(wrapped(''.join(reversed(words))), FULL,
                         parts=parts)

    def ex_cond(self, tree, scope):
        a, b = self.ex(tree[2], scope), self.ex(tree[3], scope)
        if len(a.type.cells()) != len(b.type.cells()):
            raise ModelError("incompatible branches of ?:")
        test = self.truth(tree[1], scope)
        kind = a.type
        if kind.scalar_like and (kind.kind, kind.low, kind.high) != \
                (b.type.kind, b.type.low, b.type.high):
            return self.make(f"({a.code} if {test} else {b.code})", FULL)
        addr = None
        if a.addr is not None and b.addr is not None:
            addr = f"({a.addr} if {test} else {b.addr})"
        return self.make(f"({a.code} if {test} else {b.code})", kind, addr)

    def ex_idx(self, tree, scope):
        base, index = self.ex(tree[1], scope), self.num(tree[2], scope)
        if base.type.kind != 'array':
            raise ModelError("indexing something that is no array")
        elem = base.type.elem
        if index.const is not None \
                and base.type.low <= index.const <= base.type.high:
            offset = number((index.const - base.type.low) * elem.size)
        else:
            offset = f"ix({index.code}, {self.limits(base.type)})"
            if elem.size != 1:
                offset += f" * {elem.size}"
        return self.offset(base, offset, elem)

    def offset(self, base, offset, kind):
        """Element or field at an offset in an array or struct."""
        if base.code.isdigit() and offset.isdigit():
            addr = str(int(base.code) + int(offset))
        else:
            addr = f"({base.code} + {offset})"
        addr = self.flat(addr)
        if kind.kind == 'chan':
            return Ex(addr, kind, addr)
        found = self.at(addr, kind)
        if base.addr is None:
            found.addr = None
        return found

    def ex_dot(self, tree, scope):
        base = self.ex(tree[1], scope)
        if base.type.kind != 'struct':
            raise ModelError("'.' on something that is no struct")
        offset = 0
        for name, kind in base.type.fields:
            if name == tree[2]:
                return self.offset(base, str(offset), kind)
            offset += kind.size
        raise ModelError(f"no field {tree[2]}")

    def ex_quant(self, tree, scope):
        _, kind, name, range_tree, body = tree
        range_ = self.range_type(range_tree, scope)
        inner, var = Scope(scope), self.fresh('v')
        inner.own[name] = Entry('value', range_, 'q' + var)
        # 'qv1' may be read while computing constants; 'v1' may not.
        var = 'q' + var
        span = f"for {var} in range({range_.low}, {range_.high + 1})"
        if kind == 'sum':
            code = f"sum({self.num(body, inner).code} {span})"
            return self.make(wrapped(code), FULL)
        word = 'all' if kind == 'forall' else 'any'
        return self.make(f"{word}({self.truth(body, inner)} {span})", BOOL)

    def ex_call(self, tree, scope):
        _, name, args = tree
        if name == 'abs':
            if len(args) != 1:
                raise ModelError("abs takes one argument")
            found = self.num(args[0], scope)
            return self.make(wrapped(f"abs({found.code})"), FULL,
                             parts=[found])
        fun = scope.find(name)
        if fun.kind != 'fun':
            raise ModelError(f"{name} is not a function")
        if len(args) != len(fun.params):
            raise ModelError(f"wrong number of arguments of {name}")
        if self.reading_const and not fun.pure:
            raise ModelError(f"{name} is not computable at compile time")
        codes = [self.argument(arg, scope, *param)
                 for arg, param in zip(args, fun.params)]
        code = f"{fun.where}({', '.join(codes)})"
        if not fun.type.scalar_like and fun.type is not VOID:
            temp = self.alloc_aux(fun.type.size)
            code = f"cp({temp}, {code}, {self.checks(fun.type)})"
        return self.make(code, fun.type)

    def argument(self, tree, scope, kind, mode):
        found = self.ex(tree, scope)
        if mode == 'val':
            if found.type.scalar_like != kind.scalar_like:
                raise ModelError("incompatible argument")
            if kind.kind == 'bool':
                return f"(1 if {found.code} else 0)"
            return found.code
        is_plain = tree[0] in ('name', 'idx', 'dot')
        if found.type.kind == 'chan' or found.addr is not None and (
                is_plain or mode == 'ref' or self.binds_chosen):
            if is_plain and kind.scalar_like:
                self.need_same_type(tree, found.type, kind, scope)
            return found.addr
        if mode == 'ref':
            raise ModelError("a reference needs a variable")
        if not kind.scalar_like:
            if found.addr is None:
                return found.code
            temp = self.alloc_aux(kind.size)
            return f"cp({temp}, {found.code}, {self.checks(kind)})"
        temp = self.alloc_aux(1)
        return f"sta({temp}, {found.code}, {self.limits(kind)})"

    @staticmethod
    def need_same_type(tree, given, wanted, scope):
        """A variable that may be written is bound to a reference to its very type only."""
        while tree[0] in ('idx', 'dot'):
            tree = tree[1]
        if tree[0] != 'name':
            return
        entry = scope.find(tree[1])
        wanted = INT if wanted is FULL else wanted
        if entry.kind == 'cell' and not getattr(entry, 'const', False) and given.kind in ('int', 'bool') and \
                (given.kind, given.low, given.high) != (wanted.kind, wanted.low, wanted.high):
            raise ModelError("a reference to a variable of another type")

    # --- statements -----------------------------------------------------

    def statement(self, tree, scope, out, pad, result=None):
        """Append Python lines for a statement to out."""
        kind = tree[0]
        if kind == 'block':
            self.block(tree, Scope(scope), out, pad, result)
        elif kind == 'empty':
            out.append(pad + 'pass')
        elif kind == 'expr':
            out.append(pad + self.ex(tree[1], scope).code)
        elif kind == 'return':
            out.append(pad + self.return_code(tree[1], scope, result))
        elif kind == 'assert':
            out.append(f"{pad}if not {self.truth(tree[1], scope)}:"
                       " bad('assertion failed')")
        elif kind == 'if':
            out.append(f"{pad}if {self.list_truth(tree[1], scope)}:")
            self.statement(tree[2], scope, out, pad + ' ', result)
            if tree[3]:
                out.append(pad + 'else:')
                self.statement(tree[3], scope, out, pad + ' ', result)
        elif kind == 'iter':
            range_, inner = self.range_type(tree[2], scope), Scope(scope)
            var = self.fresh('v')
            inner.own[tree[1]] = Entry('value', range_, var)
            out.append(f"{pad}for {var} in range({range_.low},"
                       f" {range_.high + 1}):")
            out.append(pad + ' tick()')
            self.statement(tree[3], inner, out, pad + ' ', result)
        else:
            self.loop(tree, scope, out, pad, result)

    def loop(self, tree, scope, out, pad, result):
        if tree[0] == 'for':
            out.extend(pad + self.ex(item, scope).code for item in tree[1])
            out.append(f"{pad}while {self.list_truth(tree[2], scope)}:")
            out.append(pad + ' tick()')
            self.statement(tree[4], scope, out, pad + ' ', result)
            out.extend(pad + ' ' + self.ex(item, scope).code
                       for item in tree[3])
        elif tree[0] == 'while':
            out.append(f"{pad}while {self.list_truth(tree[1], scope)}:")
            out.append(pad + ' tick()')
            self.statement(tree[2], scope, out, pad + ' ', result)
        else:
            out.append(f"{pad}while True:")
            out.append(pad + ' tick()')
            self.statement(tree[1], scope, out, pad + ' ', result)
            out.append(f"{pad} if not {self.list_truth(tree[2], scope)}:"
                       " break")

    def list_truth(self, items, scope):
        """Truth of the last of several expressions, all evaluated."""
        if len(items) == 1:
            return self.truth(items[0], scope)
        codes = [self.ex(item, scope).code for item in items[:-1]]
        codes.append(self.truth(items[-1], scope))
        return f"({', '.join(codes)})[-1]"

    def return_code(self, tree, scope, result):
        if tree is None:
            return 'return'
        found = self.ex(tree, scope)
        if result.kind == 'bool':
            return f"return 1 if {found.code} else 0"
        if result.scalar_like:
            return f"return rk({found.code}, {self.limits(result)})"
        return f"return {found.code}"

    def block(self, tree, scope, out, pad, result):
        out.append(pad + 'pass')
        for decl in tree[1]:
            self.local(decl, scope, out, pad)
        for stmt in tree[2]:
            self.statement(stmt, scope, out, pad, result)

    def local(self, decl, scope, out, pad):
        """A declaration inside a function."""
        if decl[0] == 'typedef':
            scope.own[decl[2]] = Entry('type', *self.type(decl[1], scope,
                                                          decl[3]))
            return
        _, tree, name, dims, init = decl
        kind, quals = self.type(tree, scope, dims)
        if kind.kind == 'chan':
            raise ModelError("local channel")
        if 'const' in quals and init is None:
            raise ModelError(f"constant {name} without a value")
        addr = self.alloc_aux(kind.size)
        if init is None:
            out.append(f"{pad}setcells({addr},"
                       f" {[cell.default() for cell in kind.cells()]})")
        else:
            out.extend(pad + line
                       for line in self.init_lines(kind, addr, init, scope))
        scope.own[name] = Entry('cell', kind, addr)

    def init_lines(self, kind, addr, init, scope):
        """Python lines that store an initialiser at an address."""
        if init[0] != 'list':
            value = self.ex(init, scope)
            if not kind.scalar_like:
                if value.type.size != kind.size or value.type.scalar_like:
                    raise ModelError("incompatible initialiser")
                return [f"cp({addr}, {value.code}, {self.checks(kind)})"]
            code = value.code
            if kind.kind == 'bool':
                code = f"(1 if {code} else 0)"
            return [f"st({addr}, {code}, {self.limits(kind)})"]
        items, lines = init[1], []
        if kind.kind == 'array':
            if len(items) != kind.high - kind.low + 1 \
                    or any(field for field, _ in items):
                raise ModelError("bad array initialiser")
            for number_, (_, item) in enumerate(items):
                lines += self.init_lines(
                    kind.elem, addr + number_ * kind.elem.size, item, scope)
            return lines
        if kind.kind != 'struct':
            raise ModelError("bad initialiser")
        names, offsets, at = [n for n, _ in kind.fields], [], 0
        for _, field in kind.fields:
            offsets.append(at)
            at += field.size
        seen, position = set(), 0
        for field, item in items:
            if field is not None:
                if field not in names:
                    raise ModelError(f"no field {field}")
                position = names.index(field)
            if position >= len(names) or position in seen:
                raise ModelError("bad struct initialiser")
            seen.add(position)
            lines += self.init_lines(kind.fields[position][1],
                                     addr + offsets[position], item, scope)
            position += 1
        if len(seen) != len(names):
            raise ModelError("incomplete struct initialiser")
        return lines

    # --- declarations of the network and of processes ---------------------

    def variable(self, decl, scope, prefix):
        """A global or process variable, initialised at once."""
        _, tree, name, dims, init = decl
        kind, quals = self.type(tree, scope, dims)
        base = kind
        while base.kind == 'array':
            base = base.elem
        if base.kind == 'chan':
            entry = Entry('chan', kind, len(self.channels))
            if len(self.channels) + kind.size > STATE_LIMIT:
                raise ModelError("too many channels")
            for cell in kind.names(prefix + name):
                self.channels.append((cell, base.urgent, base.broadcast))
            scope.own[name] = entry
            return
        if 'const' in quals and init is None:
            raise ModelError(f"constant {name} without a value")
        if 'const' in quals:
            self.stateless.add(prefix + name)
            addr = self.alloc_aux(kind.size)
        else:
            addr = self.alloc_state(prefix + name, kind)
            if 'meta' in quals:
                self.metas.update(self.slots[addr:])
        self.M[addr:addr + kind.size] = [c.default() for c in kind.cells()]
        if init is not None:
            outer, self.reading_const = self.reading_const, True
            lines = self.init_lines(kind, addr, init, scope)
            self.reading_const = outer
            try:
                self.run_source('\n'.join(lines))
            except EvalError as error:
                raise ModelError(f"initial value of {name}: {error}") \
                    from error
        if 'const' in quals and kind.scalar_like:
            scope.own[name] = Entry('lit', kind, self.M[addr])
            return
        scope.own[name] = Entry('cell', kind, addr, const='const' in quals)

    def function(self, decl, scope):
        """Compile a function; its name goes into the scope."""
        _, result_tree, name, params, body = decl
        result, _ = self.type(result_tree, scope)
        inner, modes, args, lines = Scope(scope), [], [], []
        for tree, reference, param, dims in params:
            kind, quals = self.type(tree, inner, dims)
            var = self.fresh('v')
            args.append(var)
            if kind.kind == 'chan' or (kind.kind == 'array' and
                                       kind.cells()[0].kind == 'chan'):
                inner.own[param] = Entry('chan', kind, var)
                modes.append((kind, 'ref'))
                continue
            if reference:
                inner.own[param] = Entry('ref', kind, var)
                modes.append((kind, 'cref' if 'const' in quals else 'ref'))
                continue
            addr = self.alloc_aux(kind.size)
            if kind.scalar_like:
                lines.append(f" st({addr}, {var}, {self.limits(kind)})")
            else:
                lines.append(f" cp({addr}, {var}, {self.checks(kind)})")
            inner.own[param] = Entry('cell', kind, addr)
            modes.append((kind, 'val'))
        outer, self.reading_const = self.reading_const, False
        self.block(body, inner, lines, ' ', result)
        self.reading_const = outer
        if result is not VOID:
            lines.append(" bad('no return value')")
        where = self.fresh('f')
        self.run_source(f"def {where}({', '.join(args)}):\n"
                        + '\n'.join(lines) + '\n')
        # Whether a function is computable at compile time is not analysed:
        # no valid model depends on a refusal here.
        scope.own[name] = Entry('fun', result, where, params=modes, pure=True)
