"""Timed models: clocks, conditions on them, and steps of the discrete part.

A part of a step is (path, select values, channel, condition); a Step says under
what condition on the clocks it is possible, and what clocks it sets.  Clocks
are numbered from 1; their values are no business of this module, see regions
and zones.
"""

import above  # noqa: F401
import itertools
from constraints import (FALSE, TRUE, atom, d_and, d_cond, d_exists, d_forall,
                         d_not, d_or)
from oracle.uppaal_compile import Entry, Ex, Scope
from oracle.uppaal_parse import ModelError, parse_model
from oracle.uppaal_run import STEPS_PER_STATE, Network
from oracle.uppaal_runtime import Budget, EvalError, Type

CLOCK = Type('clock')
COMPARE = ('<', '<=', '==', '!=', '>=', '>')


class Step:
    """parts, condition on the clocks, target state, what clocks it sets as
    ((clock, value), ...), priority; error: why it fails, or None."""

    def __init__(self, parts, condition, target, sets, rank, error=None):
        self.parts, self.condition, self.target = parts, condition, target
        self.sets, self.rank, self.error = sets, rank, error


class Spot:
    """What is known of a discrete state."""

    def __init__(self, steps, errors, is_still, invariant):
        self.steps, self.errors = steps, errors
        self.is_still = is_still      # time may not pass
        self.invariant = invariant


def element(kind):
    while kind is not None and kind.kind == 'array':
        kind = kind.elem
    return kind


class TimedNetwork(Network):
    """A network with clocks."""

    def __init__(self, model):
        self.clocks = ['0']           # names; the first is the constant
        self.sets, self.spots = {}, {}
        super().__init__(model)

    def declare_all(self, decls, scope, prefix):
        if scope is self.globals and 'clock' not in scope.own:
            scope.own['clock'] = Entry('type', CLOCK, set())
            self.env.update(d_and=d_and, d_or=d_or, d_not=d_not, TRUE_=TRUE,
                            FALSE_=FALSE, d_cond=d_cond, d_forall=d_forall,
                            d_exists=d_exists, atom=atom, set_clock=self.set_clock)
        super().declare_all(decls, scope, prefix)

    def set_clock(self, clock, value):
        if value < 0:
            raise EvalError(f"clock {self.clocks[clock]} set to {value}")
        self.sets[clock] = value
        return clock

    # --- declarations -----------------------------------------------------

    def type(self, tree, scope, dims=()):
        kind, quals = super().type(tree, scope, dims)
        if element(kind).kind == 'clock' and quals:
            raise ModelError("a clock with a prefix")
        if kind.kind == 'struct' and any(element(field).kind == 'clock'
                                         for _, field in kind.fields):
            raise ModelError("a clock in a struct")
        return kind, quals

    def variable(self, decl, scope, prefix):
        _, tree, name, dims, init = decl
        kind, _ = self.type(tree, scope, dims)
        if element(kind).kind != 'clock':
            super().variable(decl, scope, prefix)
            return
        if init is not None:
            raise ModelError(f"clock {name} with a value")
        scope.own[name] = Entry('cell', kind, len(self.clocks))
        self.clocks += kind.names(prefix + name)

    def local(self, decl, scope, out, pad):
        if decl[0] == 'var' and element(
                self.type(decl[1], scope, decl[3])[0]).kind == 'clock':
            raise ModelError("a clock of a function")
        super().local(decl, scope, out, pad)

    # --- expressions --------------------------------------------------------

    def has_clock(self, tree, scope):
        """Whether the value of an expression is about clocks."""
        tag = tree[0]
        if tag == 'name':
            if tree[1] == 'abs':
                return False
            kind = element(scope.find(tree[1]).type)
            return kind is not None and kind.kind == 'clock'
        if tag in ('idx', 'dot'):
            return self.has_clock(tree[1], scope)
        if tag == 'quant':
            inner = Scope(scope)
            inner.own[tree[2]] = Entry('value', self.range_type(tree[3], scope),
                                       'q')
            return self.has_clock(tree[4], inner)
        if tag in ('bin', 'asg'):
            return any(self.has_clock(part, scope) for part in tree[2:])
        if tag == 'un':
            return self.has_clock(tree[2], scope)
        if tag == 'cond':
            return any(self.has_clock(part, scope) for part in tree[1:])
        return False

    def condition(self, tree, scope):
        """Code of a condition, in the sense of constraints."""
        if not self.has_clock(tree, scope):
            return f"(TRUE_ if {self.truth(tree, scope)} else FALSE_)"
        tag, op = tree[0], tree[1]
        if tag == 'bin' and op in ('&&', '||', 'imply'):
            one = self.condition(tree[2], scope)
            other = self.condition(tree[3], scope)
            if op == 'imply':
                one = f"d_not({one})"
            return f"{'d_and' if op == '&&' else 'd_or'}({one}, lambda: {other})"
        if tag == 'un' and op == '!':
            return f"d_not({self.condition(tree[2], scope)})"
        if tag == 'cond':
            return "d_cond({}, lambda: {}, lambda: {})".format(
                *(self.condition(part, scope) for part in tree[1:]))
        if tag == 'bin' and op in COMPARE:
            return self.atom(op, tree[2], tree[3], scope)
        if tag == 'quant' and tree[1] in ('forall', 'exists'):
            kind = self.range_type(tree[3], scope)
            inner, var = Scope(scope), 'q' + self.fresh('v')
            inner.own[tree[2]] = Entry('value', kind, var)
            return f"d_{tree[1]}(lambda {var}: {self.condition(tree[4], inner)}," \
                   f" {self.limits(kind)})"
        raise ModelError("a clock where there should be none")

    def atom(self, op, left, right, scope):
        """Code of a comparison of clocks, differences of clocks, and numbers."""
        clocks, numbers = [], []
        self.sum(left, scope, 1, clocks, numbers)
        self.sum(right, scope, -1, clocks, numbers)
        plus = [code for sign, code in clocks if sign > 0]
        minus = [code for sign, code in clocks if sign < 0]
        if len(plus) > 1 or len(minus) > 1:
            raise ModelError("a sum of clocks")
        bound = ''.join(f"{'-' if sign > 0 else '+'} ({code}) "
                        for sign, code in numbers) or '0'
        return f"atom('{op}', {plus[0] if plus else 0}," \
               f" {minus[0] if minus else 0}, {bound})"

    def sum(self, tree, scope, sign, clocks, numbers):
        if not self.has_clock(tree, scope):
            numbers.append((sign, self.num(tree, scope).code))
        elif tree[0] == 'bin' and tree[1] in ('+', '-'):
            self.sum(tree[2], scope, sign, clocks, numbers)
            self.sum(tree[3], scope, sign if tree[1] == '+' else -sign, clocks,
                     numbers)
        else:
            found = self.ex(tree, scope)
            if found.type is not CLOCK:
                raise ModelError("a clock is expected")
            clocks.append((sign, found.code))

    def ex_asg(self, tree, scope):
        if not self.has_clock(tree[2], scope):
            return super().ex_asg(tree, scope)
        target = self.ex(tree[2], scope)
        if tree[1] != '=' or target.type is not CLOCK \
                or self.has_clock(tree[3], scope):
            raise ModelError("bad assignment to a clock")
        code = f"set_clock({target.code}, {self.num(tree[3], scope).code})"
        return Ex(code, CLOCK, code)

    def argument(self, tree, scope, kind, mode):
        if element(kind).kind == 'clock' and mode != 'ref':
            raise ModelError("a clock by value")
        return super().argument(tree, scope, kind, mode)

    def offer(self, guards, values, channel):
        code = 'TRUE_'
        for guard in guards:
            code = guard if code == 'TRUE_' else f"d_and({code}, lambda: {guard})"
        return f"if (g := {code}): out.append((path, ({values}), {channel}, g))"

    # --- steps ----------------------------------------------------------------

    def apply(self, state, parts):
        self.sets.clear()
        return super().apply(state, [part[:3] for part in parts])

    def check_initial(self):
        super().check_initial()
        if not any(all(b > 0 for _, _, b in conjunction)
                   for conjunction in self.invariant(self.initial)):
            raise ModelError("the initial state violates an invariant")

    def invariant(self, state):
        """The condition of all invariants in a state, whose clocks are 0."""
        self.load(state)
        found = TRUE
        for process, location in zip(self.processes, self.L):
            if process.invariants[location] is not None:
                found = d_and(found, process.invariants[location])
        return found

    def hurries(self, state):
        """See Network: clocks are not asked, as none may be on urgent channels."""
        self.load(state)
        parts = []
        for number, process in enumerate(self.processes):
            for path in process.paths[state[number]]:
                if path.mark is not None:
                    path.enabled(parts, [], path)
        return any(
            sender[0].mark == '!' and self.channels[sender[2]][1] and (
                self.channels[sender[2]][2] or any(
                    other[0].mark == '?' and other[2] == sender[2]
                    and other[0].process != sender[0].process
                    for other in parts))
            for sender in parts)

    def is_still(self, state):
        return any(p.locations[at].committed or p.locations[at].urgent
                   for p, at in zip(self.processes, state)) \
            or self.hurries(state)

    def combined(self, state):
        """(parts, condition on the clocks) of what guards allow; errors."""
        silent, senders, receivers, broken = self.enabled_parts(state)
        found = [((part,), part[3]) for part in silent]
        for sender in senders:
            me, channel = sender[0].process, sender[2]
            others = {number: parts for number, parts
                      in sorted(receivers.get(channel, {}).items())
                      if number != me}
            if not self.channels[channel][2]:
                found += [((sender, part), d_and(sender[3], lambda: part[3]))
                          for parts in others.values() for part in parts]
                continue
            if any(path.mark == '?' and path.process != me
                   and c in (None, channel) for path, _, c, _ in broken):
                continue              # who takes part is an error: no step
            choices = []
            for parts in others.values():
                none = TRUE           # every process that can receives
                for part in parts:
                    none = d_and(none, lambda: d_not(part[3]))
                choices.append([((part,), part[3]) for part in parts]
                               + ([((), none)] if none else []))
            for chosen in itertools.product(*choices):
                condition = sender[3]
                for _, each in chosen:
                    condition = d_and(condition, lambda: each)
                found.append((sum((part for part, _ in chosen), (sender,)),
                              condition))
        return [each for each in found if each[1]], broken

    def spot(self, state):
        """Steps, urgency and invariant of a discrete state, computed once."""
        if state in self.spots:
            return self.spots[state]
        steps, errors = [], []
        committed = self.committed(state)
        found, broken = self.combined(state)
        for part in broken:
            if part[0].mark or not committed or part[0].process in committed:
                errors.append(Step((part[:3],), TRUE, None, (), None, part[3]))
        for parts, condition in found:
            short = tuple(part[:3] for part in parts)
            if committed and not any(part[0].process in committed
                                     for part in parts):
                continue
            try:
                target = self.apply(state, parts)
            except EvalError as error:
                errors.append(Step(short, condition, None, (), None, error))
                continue
            if target is not None:
                steps.append(Step(short, condition, target,
                                  tuple(sorted(self.sets.items())),
                                  self.rank(short)))
            if len(steps) + len(errors) > STEPS_PER_STATE:
                raise Budget("too many steps in one state")
        spot = Spot(steps, errors, self.is_still(state), self.invariant(state))
        self.spots[state] = spot
        return spot


def load_timed(path):
    """Parse and instantiate a file; raises ModelError."""
    try:
        return TimedNetwork(parse_model(path, has_clocks=True))
    except (RecursionError, MemoryError, SyntaxError) as error:
        raise ModelError(f"beyond the limits here: {error}") from error
    except EvalError as error:
        raise ModelError(f"while building: {error}") from error
