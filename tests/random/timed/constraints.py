"""Conditions on clocks, as disjunctions of conjunctions of bounds.

A bound (i, j, b) says x_i - x_j < c if b == 2c, and <= c if b == 2c + 1; clock 0
is the constant 0.  A conjunction is a sorted tuple of bounds with one of each
pair, a condition a tuple of conjunctions: (()) holds always, () never.
"""

TRUE, FALSE = ((),), ()
PLACES = 400                     # conjunctions in one condition


class TooWide(Exception):
    """A condition has too many conjunctions."""


def meet(one, other):
    """The conjunction of two conjunctions, or None if it is plainly empty."""
    if not one:
        return other
    if not other:
        return one
    found = {(i, j): b for i, j, b in one}
    for i, j, b in other:
        found[i, j] = min(b, found.get((i, j), b))
    for (i, j), b in found.items():
        back = found.get((j, i))
        if back is not None and b // 2 + back // 2 < (0 if b & back & 1 else 1):
            return None
    return tuple(sorted((i, j, b) for (i, j), b in found.items()))


def d_and(one, other):
    """other is a function: it is not asked if one never holds."""
    if not one:
        return FALSE
    other = other()
    found = {m: None for a in one for b in other
             if (m := meet(a, b)) is not None}
    if () in found:
        return TRUE
    if len(found) > PLACES:
        raise TooWide
    return tuple(found)


def d_or(one, other):
    """other is a function: it is not asked if one always holds."""
    if () in one:
        return TRUE
    found = dict.fromkeys(one + other())
    return TRUE if () in found else tuple(found)


def d_not(one):
    found = TRUE
    for conjunction in one:
        found = d_and(found, lambda: tuple(
            ((j, i, 1 - b),) for i, j, b in conjunction))
    return found


def d_cond(test, then, other):
    return d_or(d_and(test, then), lambda: d_and(d_not(test), other))


def d_forall(body, low, high):
    found = TRUE
    for value in range(low, high + 1):
        found = d_and(found, lambda: body(value))
    return found


def d_exists(body, low, high):
    found = FALSE
    for value in range(low, high + 1):
        found = d_or(found, lambda: body(value))
    return found


def atom(op, i, j, c):
    """x_i - x_j op c."""
    if i == j:
        return TRUE if {'<': 0 < c, '<=': 0 <= c, '==': c == 0, '!=': c != 0,
                        '>=': 0 >= c, '>': 0 > c}[op] else FALSE
    up, strictly = (i, j, 2 * c + 1), (i, j, 2 * c)
    down, below = (j, i, -2 * c + 1), (j, i, -2 * c)
    if op == '==':
        return (tuple(sorted((up, down))),)
    if op == '!=':
        return ((strictly,), (below,))
    return (({'<': strictly, '<=': up, '>=': down, '>': below}[op],),)
