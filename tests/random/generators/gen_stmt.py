"""Random assignments, statements and functions."""

from generators.gen_expr import E, ExprGen, Fun, Scope, Type, Var


class StmtGen(ExprGen):
    """Adds everything with side effects to random expressions."""

    # --- assignments ------------------------------------------------------

    def target(self, scope, static=False, kinds=('int', 'bool')):
        """(text, type, variable name) of an assignable cell, or None."""
        options = [v for v in scope.writable() if v.type.kind != 'scalar'
                   or 'scalar' in kinds]
        for _ in range(5):
            if not options:
                break
            var = self.pick(options)
            got = self.path(scope, var, static)
            if got and got[1].kind in kinds:
                return got[0], got[1], var.name
        return None

    def equals(self):
        return ':=' if self.chance(0.1) else '='

    def value(self, scope, kind, depth=2):
        """A right-hand side that fits a cell type (mostly)."""
        if kind.kind == 'bool':
            return self.boolean(scope, depth)
        if self.chance(0.3):
            return self.literal(kind.low, kind.high)
        return self.clamp(scope, self.integer(scope, depth), kind.low,
                          kind.high)

    def effect(self, scope, guards=None):
        """One expression that changes something, without a semicolon.

        guards, if given, may receive conditions that must hold before."""
        makers = [self.plain] * 8 + [
            self.compound, self.compound, self.step, self.step, self.chain,
            self.void_call, self.void_call, self.call_value, self.whole,
            self.either, self.embedded, self.scalar_copy, self.lvalue_choice]
        for _ in range(8):
            maker = self.pick(makers)
            text = maker(scope, guards) if maker == self.step \
                else maker(scope)
            if text is not None:
                return text
        return None

    def plain(self, scope):
        got = self.target(scope)
        if not got:
            return None
        text, kind, _ = got
        if kind.kind == 'int' and kind.count > 1 and self.chance(0.2):
            # count up and wrap around, in one of several spellings
            top, low = kind.high, kind.low
            if 'ternary' in self.features:
                return f"{text} {self.equals()} {text} < {top} ?" \
                       f" {text} + 1 : {low}"
        return f"{text} {self.equals()} {self.value(scope, kind).text}"

    def compound(self, scope):
        got = self.target(scope)
        if not got:
            return None
        text, kind, _ = got
        if kind.kind == 'bool':
            op = self.pick(['|=', '&=', '^='])
            return f"{text} {op} {self.boolean(scope, 1).text}"
        ways = []
        if kind.low >= 0:
            ways += [f"{text} %= {self.rng.randint(1, 3)}",
                     f"{text} /= {self.rng.randint(1, 2)}",
                     f"{text} >>= 1", f"{text} &= {self.rng.randint(0, 3)}",
                     f"{text} *= {self.literal(0, 1).text}"]
            if kind.low > 0:
                ways = []
            if kind.low == 0 and (kind.high & (kind.high + 1)) == 0:
                most = E(str(kind.high), 1, 0, kind.high)
                ways += [f"{text} |= {most.text}", f"{text} ^= {most.text}"]
        if self.risky:
            e = self.integer(scope, 1)
            op = self.pick(['+=', '-=', '*=', '|='])
            if op != '|=' or (e.low >= 0 and kind.low >= 0):
                ways.append(f"{text} {op} {e.text}")
            if e.low >= 0 and e.high <= 3 and kind.low >= 0:
                ways.append(f"{text} <<= {e.text}")
            ways.append(f"{text} %= {e.text}")
        return self.pick(ways) if ways else None

    def step(self, scope, guards):
        """x++ and x -= 1, guarded where the model is not risky."""
        got = self.target(scope, static=True, kinds=('int',))
        if not got:
            return None
        text, kind, _ = got
        up = self.chance(0.6)
        if guards is None and not self.risky:
            return None
        if guards is not None and not (self.risky and self.chance(0.3)):
            guards.append(f"{text} < {kind.high}" if up
                          else f"{text} > {kind.low}")
        if self.chance(0.3):
            return f"{text} {'+=' if up else '-='} 1"
        op = '++' if up else '--'
        return op + text if self.chance(0.3) else text + op

    def chain(self, scope):
        """x = y = e"""
        if not self.has('chained', 0.6):
            return None
        a, b = self.target(scope, static=True), self.target(scope)
        if not a or not b or a[2] == b[2] or a[1].kind != b[1].kind:
            return None
        low, high = max(a[1].low, b[1].low), min(a[1].high, b[1].high)
        if low > high:
            return None
        narrow = Type(b[1].kind, b[1].text, low, high)
        e = self.value(scope, narrow, 1)
        return f"{a[0]} {self.equals()} {b[0]} = {e.text}"

    def void_call(self, scope):
        """Call of a function for its effect."""
        options = [f for f in scope.funs.values() if not f.pure]
        if not options:
            return None
        return self.call(scope, self.pick(options))

    def call_value(self, scope):
        """Assign the result of any function."""
        options = [f for f in scope.funs.values() if f.result]
        got = self.target(scope, static=True)
        if not options or not got:
            return None
        fun = self.pick(options)
        if fun.result.kind == 'struct':
            names = [v for v in scope.writable() if v.type is fun.result]
            text = self.call(scope, fun)
            return text and names and \
                f"{self.pick(names).name} = {text}" or None
        if fun.result.kind == 'scalar':
            return None
        text = self.call(scope, fun)
        if text is None:
            return None
        low, high = got[1].low, got[1].high
        if got[1].kind == 'bool' and fun.result.kind != 'bool':
            return None
        if fun.result.low < low or fun.result.high > high:
            if fun.result.low < low:
                return None
            text = f"{text} <? {high}"
        return f"{got[0]} {self.equals()} {text}"

    def whole(self, scope):
        """Assign a whole array or struct."""
        pair = self.pair(scope, scope.writable())
        return pair and f"{pair[0]} {self.equals()} {pair[1]}"

    def either(self, scope):
        """b ? x = 1 : (y = 2)"""
        if not self.has('sidefx', 0.5):
            return None
        a, b = self.target(scope), self.target(scope)
        if not a or not b or a[1].kind != b[1].kind:
            return None
        cond = self.boolean(scope, 1)
        second = f"{b[0]} = {self.value(scope, b[1], 1).text}"
        if self.chance(0.5):
            second = f"({second})"
        return f"{self.paren(cond, 15)} ?" \
               f" {a[0]} = {self.value(scope, a[1], 1).text} : {second}"

    def lvalue_choice(self, scope):
        """(b ? x : y) = e"""
        if not self.has('sidefx', 0.4):
            return None
        a, b = self.target(scope), self.target(scope)
        if not a or not b or not self.equal(a[1], b[1]) or a[0] == b[0]:
            return None
        cond = self.boolean(scope, 1)
        return f"({self.paren(cond, 15)} ? {a[0]} : {b[0]}) =" \
               f" {self.value(scope, a[1], 1).text}"

    def embedded(self, scope):
        """x = y++, x = (y = e) + 1, a[y] = e with a side effect inside."""
        if not self.has('sidefx', 0.6):
            return None
        a = self.target(scope, static=True, kinds=('int',))
        b = self.target(scope, static=True, kinds=('int',))
        if not a or not b or a[2] == b[2]:
            return None
        top = a[1].high
        if a[1].low > 0 or b[1].low < 0:
            return None
        e = self.value(scope, b[1], 1)
        way = self.rng.randrange(3)
        if way == 0 and b[1].high <= top:
            return f"{a[0]} = ({b[0]} = {e.text})"
        if way == 1:
            return f"{a[0]} = ({b[0]} = {e.text}) % {top + 1}"
        if self.risky and b[1].high <= top:
            return f"{a[0]} = {b[0]}++"
        return f"{a[0]} = ({b[0]} = {e.text}) <? {top}"

    def scalar_copy(self, scope):
        """Assign a value of a scalar type."""
        kinds = [t for t in scope.types if t.kind == 'scalar']
        if not kinds:
            return None
        kind = self.pick(kinds)
        targets = [v.name for v in scope.writable() if v.type is kind]
        sources = self.scalar_reads(scope, kind)
        if not targets or not sources:
            return None
        a, b = self.pick(targets), self.pick(sources)
        return None if a == b else f"{a} = {b}"

    # --- statements -------------------------------------------------------

    def lines(self, scope, depth, pad, result=None, count=None):
        """Some statements as indented lines."""
        found = []
        for _ in range(self.rng.randint(1, 3) if count is None else count):
            found += self.stmt(scope, depth, pad, result)
        return found

    def stmt(self, scope, depth, pad, result):
        ways = ['effect'] * 6 + ['if', 'if', 'early', 'empty']
        if depth > 0:
            ways += ['for', 'iter', 'while', 'do', 'block', 'iter']
        way = self.pick(ways)
        if way in ('for', 'iter', 'while', 'do') \
                and 'loops' not in self.features:
            way = 'effect'
        if way == 'empty':
            if self.has('assert', 0.4):
                got = self.read(scope, 0)
                if got:
                    return [f"{pad}assert {got.text} <= {got.high};"]
            return [pad + ';'] if self.chance(0.3) else []
        if way == 'early':
            return self.early(scope, pad, result)
        if way == 'if' and depth > 0:
            return self.if_stmt(scope, depth - 1, pad, result)
        if way == 'block':
            inner = Scope(scope)
            found = self.local_decls(inner, pad + '    ', 1)
            return [pad + '{'] + found + self.lines(
                inner, depth - 1, pad + '    ', result) + [pad + '}']
        if way in ('for', 'iter', 'while', 'do'):
            return self.loop(scope, depth - 1, pad, result, way)
        text = self.effect(scope)
        return [f"{pad}{text};"] if text else []

    def early(self, scope, pad, result):
        """An early return."""
        cond = self.boolean(scope, 1).text
        if result is None:
            return [f"{pad}if ({cond}) return;"]
        value = self.result_text(scope, result)
        return [f"{pad}if ({cond}) return {value};"] if value else []

    def body(self, scope, depth, pad, result):
        """A statement as the body of if or a loop, braces or not."""
        found = self.lines(scope, depth, pad + '    ', result,
                           self.rng.randint(1, 2))
        if len(found) == 1 and self.chance(0.5) and \
                found[0].strip().startswith(('if', 'for', 'while')) is False:
            return found
        return [pad + '{'] + found + [pad + '}']

    def if_stmt(self, scope, depth, pad, result):
        cond = self.condition(scope, 2).text
        if self.has('sidefx', 0.08):
            text = self.plain(scope)
            cond = f"{text}, {cond}" if text else cond
        found = [f"{pad}if ({cond})"] + self.body(scope, depth, pad, result)
        if self.chance(0.5):
            found += [pad + 'else'] + self.body(scope, depth, pad, result)
        return found

    def loop(self, scope, depth, pad, result, way):
        inner = Scope(scope)
        if way == 'iter':
            kind = self.range_type(scope)
            name = self.fresh('i')
            inner.add(Var(name, kind, const=True))
            return [f"{pad}for ({name} : {kind.text})"] \
                + self.body(inner, depth, pad, result)
        name, top = self.fresh('k'), self.rng.randint(1, 3)
        kind = Type('int', f"int[0,{top}]", 0, top)
        inner.add(Var(name, kind))
        inner.reserved.add(name)
        open_ = [f"{pad}{{", f"{pad}    {kind.text} {name} = 0;"]
        deep = pad + '    '
        if way == 'for':
            head = [f"{deep}for ({name} = 0; {name} < {top}; {name}++)"]
            found = head + self.body(inner, depth, deep, result)
        else:
            stmts = self.lines(inner, depth, deep + '    ', result, 1)
            stmts.append(f"{deep}    {name}++;")
            if way == 'while':
                found = [f"{deep}while ({name} < {top})", deep + '{'] \
                    + stmts + [deep + '}']
            else:
                found = [deep + 'do', deep + '{'] + stmts \
                    + [f"{deep}}} while ({name} < {top});"]
        return open_ + found + [pad + '}']

    def local_decls(self, scope, pad, most=2):
        """Local variables; the first initialisers see the outer scope."""
        found = []
        for _ in range(self.rng.randint(0, most)):
            kind = self.local_type(scope)
            name = self.fresh('l')
            if self.has('shadow', 0.2):
                outer = [n for n, v in scope.vars.items() if not v.const
                         and n not in scope.reserved | scope.own_names]
                name = self.pick(sorted(outer)) if outer else name
            text = f"{pad}{kind.text} {name}{kind.suffix}"
            const = kind.kind in ('int', 'bool') and self.chance(0.1)
            if const:
                text = f"{pad}const {text.strip()}"
            if const or kind.kind in ('int', 'bool') and self.chance(0.7):
                outer = Scope(scope)
                outer.vars.pop(name, None)
                outer.funs.pop(name, None)
                text += f" = {self.value(outer, kind, 1).text}"
            found.append(text + ';')
            scope.add(Var(name, kind, const=const))
            scope.own_names = scope.own_names | {name}
        return found

    def local_type(self, scope):
        named = [t for t in scope.types if not t.has_scalar()
                 and t.bits() < 1000]
        if named and self.chance(0.4):
            return self.pick(named)
        if self.chance(0.25):
            return Type('bool', 'bool')
        if self.has('arrays', 0.15):
            elem = Type('int', 'int[0,2]', 0, 2)
            return Type('array', elem.text, 0, 1, elem=elem, suffix='[2]')
        high = self.rng.randint(1, 3)
        return Type('int', f"int[0,{high}]", 0, high)

    # --- functions --------------------------------------------------------

    def result_text(self, scope, kind):
        """An expression to return, or None."""
        if kind.kind in ('struct', 'scalar'):
            return self.same_type(scope, scope.readable(), kind)
        return self.value(scope, kind, 2).text

    def function(self, scope, pure):
        """(text, Fun) of a random function; pure ones change no non-local."""
        inner = Scope(scope)
        inner.locations = []
        if pure:
            for name, var in inner.vars.items():
                inner.vars[name] = Var(name, var.type, var.const, var.meta,
                                       var.start, writable=False)
            inner.funs = {n: f for n, f in inner.funs.items() if f.pure}
        params = self.params(inner, pure)
        result = self.result_type(scope, pure)
        name = self.fresh('f')
        lines = self.local_decls(inner, '    ')
        lines += self.lines(inner, 2, '    ', result,
                            self.rng.randint(0 if pure else 1, 3))
        if not pure and not any('ref' == mode for _, _, mode in params):
            text = self.outer_write(scope, inner)
            if text is None:
                return None
            lines.append(f"    {text};")
        if result:
            value = self.result_text(inner, result)
            if value is None:
                return None
            lines.append(f"    return {value};")
        shown = []
        for param, kind, mode in params:
            mark = '&' if mode in ('ref', 'cref') else ''
            const = 'const ' if mode == 'cref' else ''
            shown.append(f"{const}{kind.text} {mark}{param}{kind.suffix}")
        head = f"{result.text if result else 'void'} {name}" \
               f"({', '.join(shown)})"
        text = head + ' {\n' + '\n'.join(lines) + '\n}'
        return text, Fun(name, params, result, pure)

    def outer_write(self, scope, inner):
        """An assignment to a non-local that no inner name hides."""
        visible = Scope(scope)
        visible.vars = {n: v for n, v in scope.vars.items()
                        if inner.vars.get(n) is v}
        got = self.target(visible)
        return got and f"{got[0]} = {self.value(visible, got[1], 1).text}"

    def params(self, scope, pure):
        found = []
        for _ in range(self.pick([0, 1, 1, 2])):
            kind, mode = self.local_type(scope), 'val'
            shared = [v.type for v in scope.parent.vars.values()
                      if not v.const and v.type.named()]
            if shared and self.has('refparams', 0.5):
                kind = self.pick(shared)
                mode = 'ref' if not pure else 'cref'
                if mode == 'ref' and self.chance(0.2):
                    mode = 'cref'
            if mode == 'cref' and 'constref' not in self.features:
                mode = 'val'
            if kind.has_scalar():
                # references to scalars never match; by value they do
                mode = 'val' if kind.kind == 'scalar' else mode
            if kind.suffix or (kind.has_scalar() and kind.kind != 'scalar'):
                kind = Type('int', 'int[0,1]', 0, 1)
            name = self.fresh('p')
            found.append((name, kind, mode))
        for name, kind, mode in found:
            scope.add(Var(name, kind, const=mode == 'cref'))
            scope.own_names = scope.own_names | {name}
        return found

    def result_type(self, scope, pure):
        if not pure and self.chance(0.7):
            return None
        structs = [t for t in scope.types if t.kind == 'struct'
                   and all(f.kind in ('int', 'bool') for _, f in t.fields)]
        if structs and self.chance(0.2):
            return self.pick(structs)
        if self.chance(0.35):
            return Type('bool', 'bool')
        high = self.rng.randint(1, 3)
        return Type('int', self.pick([f"int[0,{high}]", 'int']), 0, high)
