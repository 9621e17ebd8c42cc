#!/usr/bin/env python3
"""Would Uppaal's parser take the labels of a timed model?

usage: label_kinds.py MODEL.xml...

A type checker of its own, after what libutap says: every expression is an
integer, a clock, a difference of clocks, or a condition that may be an invariant,
a guard, or neither.  What is legal there and refused here all the same (rates, a
clock in the test of `?:`, clocks set to clocks, clock guards on urgent channels)
is named too: see REFUSED.
"""

import above  # noqa: F401
import sys
from network import CLOCK, element
from oracle.uppaal_compile import Entry, Scope
from oracle.uppaal_parse import ModelError
from oracle.uppaal_run import Network, load_network  # noqa: F401

INT, CLOCK_, DIFF, INV, GUARD, CON, OTHER = \
    'int', 'clock', 'difference', 'invariant', 'guard', 'constraint', 'other'
INVARIANTS = (INT, INV)
GUARDS = (INT, INV, GUARD)
CONSTRAINTS = (INT, INV, GUARD, CON)


class Kinds:
    """The kinds of expressions of a network."""

    def __init__(self, network):
        self.network, self.wrong = network, []

    def fail(self, text):
        self.wrong.append(text)
        return OTHER

    def is_bool(self, tree, scope):
        try:
            return self.network.ex(tree, scope).type.kind == 'bool'
        except ModelError:
            return False

    def of(self, tree, scope):
        """The kind of an expression."""
        tag = tree[0]
        if tag in ('num', 'true', 'false'):
            return INT
        if tag == 'name':
            if tree[1] == 'abs':
                return INT
            return self.named(scope.find(tree[1]))
        if tag == 'idx':
            if self.of(tree[2], scope) != INT:
                self.fail("an index that is no integer")
            return self.of(tree[1], scope)
        if tag == 'dot':
            return INT
        if tag == 'call':
            return self.call(tree, scope)
        if tag == 'quant':
            return self.quantifier(tree, scope)
        if tag == 'cond':
            return self.choice(tree, scope)
        if tag == 'asg':
            return self.assignment(tree, scope)
        if tag in ('pre', 'post'):
            return INT if self.of(tree[2], scope) == INT else \
                self.fail("a clock is counted up or down")
        if tag == 'un':
            return self.unary(tree, scope)
        return self.binary(tree, scope)

    def named(self, entry):
        kind = element(entry.type)
        if entry.kind == 'loc':
            return INT
        if kind is CLOCK:
            return CLOCK_
        return OTHER if kind is not None and kind.kind == 'chan' else INT

    def call(self, tree, scope):
        if tree[1] == 'abs':
            return INT if self.of(tree[2][0], scope) == INT else \
                self.fail("abs of no integer")
        entry = scope.find(tree[1])
        for argument, (kind, mode) in zip(tree[2], entry.params):
            found = self.of(argument, scope)
            if (element(kind) is CLOCK) != (found == CLOCK_):
                self.fail("an argument that is no clock, or a clock")
        return INT

    def quantifier(self, tree, scope):
        inner = Scope(scope)
        inner.own[tree[2]] = Entry(
            'value', self.network.range_type(tree[3], scope), 'q')
        found = self.of(tree[4], inner)
        if tree[1] == 'sum':
            return INT if found == INT else self.fail("a sum of no integers")
        if found == INT or tree[1] == 'forall' and found in CONSTRAINTS:
            return found
        return CON if found in (CON,) else self.fail(
            f"a clock below {tree[1]}")

    def choice(self, tree, scope):
        if self.of(tree[1], scope) != INT:
            self.fail("a clock in the test of ?:")
        one, other = self.of(tree[2], scope), self.of(tree[3], scope)
        if one == other == INT:
            return INT
        if one == other == CLOCK_:
            return CLOCK_
        return self.fail("clocks in the branches of ?:")

    def assignment(self, tree, scope):
        target, value = self.of(tree[2], scope), self.of(tree[3], scope)
        if target == CLOCK_:
            if tree[1] != '=':
                return self.fail("a clock is counted")
            return CLOCK_ if value == INT else \
                self.fail("a clock is set to no integer")
        return INT if value in (INT, OTHER) else \
            self.fail("a clock in an integer expression")

    def unary(self, tree, scope):
        found = self.of(tree[2], scope)
        if found == INT:
            return INT
        if tree[1] == '!' and found in CONSTRAINTS:
            return CON
        return self.fail("a clock in an integer expression")

    def binary(self, tree, scope):
        op = tree[1]
        a, b = self.of(tree[2], scope), self.of(tree[3], scope)
        if OTHER in (a, b):
            return INT if op in ('==', '!=') else OTHER
        if a == b == INT:
            return INT
        if op == '&&':
            for kinds, result in ((INVARIANTS, INV), (GUARDS, GUARD),
                                  (CONSTRAINTS, CON)):
                if a in kinds and b in kinds:
                    return result
        elif op in ('||', 'imply'):
            if op == 'imply' and a != INT:
                a = CON
            for kinds, result in ((INVARIANTS, INV), (GUARDS, GUARD)):
                if INT in (a, b) and a in kinds and b in kinds:
                    return result
            if a in CONSTRAINTS and b in CONSTRAINTS:
                return CON
        elif op in ('+', '-'):
            if (a, b) == (CLOCK_, INT) or (a, b, op) == (INT, CLOCK_, '+'):
                return CLOCK_
            if {a, b} == {DIFF, INT} or (a, b, op) == (CLOCK_, CLOCK_, '-'):
                return DIFF
        elif op in ('<', '<=', '==', '!=', '>=', '>'):
            return self.comparison(tree, a, b, scope)
        return self.fail(f"a clock is no operand of {op}")

    def comparison(self, tree, a, b, scope):
        op = tree[1]
        if not (a == b == CLOCK_ or INT in (a, b) and (a in (CLOCK_, DIFF)
                                                       or b in (CLOCK_, DIFF))):
            return self.fail(f"bad operands of {op}")
        if op == '!=':
            return self.fail("!= on clocks") if a == b else CON
        bound = tree[3] if b == INT else tree[2] if a == INT else None
        if bound is not None and self.is_bool(bound, scope):
            return GUARD if DIFF not in (a, b) else \
                self.fail("a difference with a bool")
        return GUARD if op == '==' else INV


def check(network):
    """What is wrong with the labels of a network."""
    found = []
    for process in network.processes:
        for location in process.template.locations:
            if location.invariant is None:
                continue
            kinds = Kinds(network)
            kind = kinds.of(location.invariant, process.scope)
            if kind not in INVARIANTS:
                kinds.fail(f"an invariant that is no {kind}" if kind == OTHER
                           else f"a {kind} as invariant")
            found += [f"{process.name}.{location.name or location.id}: {text}"
                      for text in kinds.wrong]
        for edge in process.template.edges:
            found += [f"{process.name}: {edge.source} -> {edge.target}: {text}"
                      for text in wrong_of_edge(network, process, edge)]
    return list(dict.fromkeys(found))


def wrong_of_edge(network, process, edge):
    kinds, scope = Kinds(network), Scope(process.scope)
    for name, tree in edge.selects:
        scope.own[name] = Entry('value', network.range_type(tree, scope), 'v')
    guard = INT
    if edge.guard is not None:
        guard = kinds.of(edge.guard, scope)
        if guard not in GUARDS:
            kinds.fail(f"a {guard} as guard")
    for item in edge.update:
        kinds.of(item, scope)
    if edge.sync is not None:
        kinds.of(edge.sync[0], scope)
        channel = element(network.ex(edge.sync[0], scope).type)
        if channel.kind != 'chan':
            kinds.fail("no channel")
        elif channel.urgent and guard != INT:
            kinds.fail("a clock guard on an urgent channel")
    return kinds.wrong


def main():
    from network import load_timed
    status = 0
    for path in sys.argv[1:]:
        try:
            wrong = check(load_timed(path))
        except ModelError as error:
            wrong = [str(error)]
        for text in wrong:
            print(f"{path}: {text}")
            status = 1
    return status


if __name__ == '__main__':
    sys.exit(main())
