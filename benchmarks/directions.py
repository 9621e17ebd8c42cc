#!/usr/bin/env python3
"""directions.py N V [--kind KIND] [-o FILE] — small models that grow in one direction, for the choice of engines.

deep      a counter to N beside V processes that toggle: long runs, few values of all but one variable
wide      N processes, each of which takes any of V values at any time
counters  N counters to V, each by itself
sums      the same with their sum in a global variable, which ties them together
few       N processes in circles of V locations, with one shared bit
learner   N features of V values, chosen one after the other, and a weighted score of them
"""

import nta
from nta import location, template, transition


def process(name, parameter, declaration, names, edges):
    places = [location(key, f"{name}_{key}", 150 * i, 0, -10, -30) for i, key in enumerate(names)]
    return template(name, parameter, declaration, places, f"{name}_{names[0]}",
                    [transition(f"{name}_{source}", f"{name}_{target}", labels, 75, 60 * i, [])
                     for i, (source, target, labels) in enumerate(edges)])


def counter(most, update="x++"):
    return [("a", "a", [("guard", f"x < {most}"), ("assignment", update)])]


def model(count, values, family):
    declaration, system = "", "system P;"
    each = f"const int[0, {count - 1}] id"
    if family == "deep":
        templates = [process("P", "", "int x;", "a", counter(count)),
                     process("Q", f"const int[0, {values - 1}] id", "", "cd",
                             [("c", "d", []), ("d", "c", [])])]
        system = "system P, Q;"
    elif family == "wide":
        templates = [process("P", each, f"int[0, {values - 1}] x;", "a", [
            ("a", "a", [("select", f"i : int[0, {values - 1}]"), ("assignment", "x = i")])])]
    elif family in ("counters", "sums"):
        declaration = "int total;" if family == "sums" else ""
        update = "x++, total++" if family == "sums" else "x++"
        templates = [process("P", each, f"int[0, {values}] x;", "a", counter(values, update))]
    elif family == "few":
        names = [f"l{i}" for i in range(values)]
        declaration = "bool b;"
        templates = [process("P", each, "", names, [
            (names[i], names[(i + 1) % values],
             [("guard", "b" if i % 2 else "!b"), ("assignment", "b = !b")])
            for i in range(values)])]
    else:
        names = [f"l{i}" for i in range(count + 1)]
        declaration = f"int[0, {values - 1}] f[{count}]; int score;"
        templates = [process("P", "", "", names, [
            (names[i], names[i + 1],
             [("select", f"v : int[0, {values - 1}]"),
              ("assignment", f"f[{i}] = v, score += v * {(i * 37 + 11) % 23 + 1}")])
            for i in range(count)])]
    return nta.document(declaration, templates, system, [])


if __name__ == "__main__":
    nta.main(__doc__, [("N", "what grows", 1), ("V", "values or processes", 1)], model, None,
             ["deep", "wide", "counters", "sums", "few", "learner"])
