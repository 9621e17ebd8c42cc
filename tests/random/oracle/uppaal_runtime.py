"""Types, errors and the helper functions that compiled models call."""

import contextlib
import sys
from oracle.uppaal_parse import ModelError

STATE_LIMIT = 20000
AUX_LIMIT = 500000
STEP_LIMIT = 200000
LOW, HIGH = -2147483648, 2147483647


class EvalError(Exception):
    """A runtime error of the model: an invalid evaluation."""


class Budget(Exception):
    """A limit of this program ended the run."""


@contextlib.contextmanager
def exit_on_error(model):
    """Ends the program: 2 if the model is not usable, 3 if a limit ended the run."""
    try:
        yield
    except (ModelError, Budget) as error:
        print(f"{model}: {error}", file=sys.stderr)
        sys.exit(2 if isinstance(error, ModelError) else 3)


# --- types ------------------------------------------------------------

class Type:
    """kind: int, bool, scalar, array, struct, chan, void."""

    def __init__(self, kind, low=0, high=0, size=1, **more):
        self.kind, self.low, self.high, self.size = kind, low, high, size
        self.elem = more.get('elem')          # array: element type
        self.is_by_scalar = more.get('is_by_scalar', False)   # array
        self.fields = more.get('fields')      # struct: [(name, type)]
        self.urgent = more.get('urgent', False)
        self.broadcast = more.get('broadcast', False)
        if size > STATE_LIMIT:
            raise ModelError("variable too large")

    @property
    def scalar_like(self):
        """One cell that holds a number."""
        return self.kind in ('int', 'bool', 'scalar')

    def cells(self):
        """The types of the cells, in order."""
        if self.kind == 'array':
            return self.elem.cells() * (self.high - self.low + 1)
        if self.kind == 'struct':
            return [cell for _, kind in self.fields for cell in kind.cells()]
        return [self]

    def names(self, name):
        """The names of the cells, in order."""
        if self.kind == 'array':
            return [cell for i in range(self.low, self.high + 1)
                    for cell in self.elem.names(f"{name}[{i}]")]
        if self.kind == 'struct':
            return [cell for field, kind in self.fields
                    for cell in kind.names(f"{name}.{field}")]
        return [name]

    def terms(self, name):
        """For each cell what a query can say of it: no number is an index
        of a scalar type, and the whole array has to do."""
        if self.is_by_scalar:
            return [name] * self.size
        if self.kind == 'array':
            return [term for i in range(self.low, self.high + 1)
                    for term in self.elem.terms(f"{name}[{i}]")]
        if self.kind == 'struct':
            return [term for field, kind in self.fields
                    for term in kind.terms(f"{name}.{field}")]
        return [name]

    def default(self):
        """Value of an uninitialised cell."""
        return 0 if self.low <= 0 <= self.high else self.low


BOOL = Type('bool', 0, 1)
INT = Type('int', -32768, 32767)
FULL = Type('int', LOW, HIGH)
VOID = Type('void', size=0)


def array_of(low, high, elem, is_by_scalar=False):
    if high < low or high - low >= STATE_LIMIT:
        raise ModelError("array without elements or too large")
    return Type('array', low, high, elem.size * (high - low + 1), elem=elem,
                is_by_scalar=is_by_scalar)


# --- runtime helpers, visible to compiled code --------------------------

def make_runtime(M, L):
    """The globals of compiled code: memory M and current locations L."""
    budget = [STEP_LIMIT]

    def bad(message):
        raise EvalError(message)

    def tick():
        budget[0] -= 1
        if budget[0] < 0:
            raise Budget("a loop ran too long")

    def rk(value, low, high):
        if not low <= value <= high:
            raise EvalError(f"value {int(value)} outside [{low},{high}]")
        return int(value)

    def st(addr, value, low, high):
        if not low <= value <= high:
            raise EvalError(f"value {int(value)} outside [{low},{high}]")
        M[addr] = value = int(value)
        return value

    def sta(addr, value, low, high):
        st(addr, value, low, high)
        return addr

    def stop(addr, op, value, low, high):
        return st(addr, op(M[addr], value), low, high)

    def stopa(addr, op, value, low, high):
        st(addr, op(M[addr], value), low, high)
        return addr

    def stopb(addr, op, value):
        M[addr] = value = 1 if op(M[addr], value) else 0
        return value

    def stopba(addr, op, value):
        stopb(addr, op, value)
        return addr

    def post(addr, by, low, high):
        old = M[addr]
        st(addr, wrap(old + by), low, high)
        return old

    def ix(index, low, high):
        if not low <= index <= high:
            raise EvalError(f"index {int(index)} outside [{low},{high}]")
        return index - low

    def div(a, b):
        if b == 0:
            raise EvalError("division by zero")
        q = abs(a) // abs(b)
        return wrap(q if (a < 0) == (b < 0) else -q)

    def mod(a, b):
        if b == 0:
            raise EvalError("modulo by zero")
        return wrap(a - b * div(a, b))

    def wrap(value):
        return (value - LOW & 0xffffffff) + LOW

    def mul(a, b):
        return wrap(a * b)

    def shl(a, b):
        if not 0 <= b <= 31:
            raise EvalError("shift count")
        return wrap(a << b)

    def shr(a, b):
        if not 0 <= b <= 31:
            raise EvalError("shift count")
        return a >> b

    def power(a, b):
        if b < 0 or b > 31 and abs(a) > 1:
            raise EvalError("power")
        return wrap(int(a) ** int(b))

    def cp(to, source, checks):
        values = M[source:source + len(checks)]
        for value, (low, high) in zip(values, checks):
            rk(value, low, high)
        M[to:to + len(checks)] = values
        return to

    def eq(a, b, size):
        return M[a:a + size] == M[b:b + size]

    def setcells(to, values):
        M[to:to + len(values)] = values

    ops = {
        'o_plus': lambda a, b: wrap(a + b),
        'o_minus': lambda a, b: wrap(a - b),
        'o_and': lambda a, b: a & b, 'o_or': lambda a, b: a | b,
        'o_xor': lambda a, b: a ^ b, 'mul': mul, 'div': div, 'mod': mod,
        'shl': shl, 'shr': shr}
    env = dict(M=M, L=L, EvalError=EvalError, bad=bad, tick=tick, rk=rk, st=st,
               sta=sta, stop=stop, stopa=stopa, stopb=stopb, stopba=stopba,
               post=post, ix=ix, power=power, cp=cp, eq=eq, setcells=setcells)
    env.update(ops)
    return env, budget
