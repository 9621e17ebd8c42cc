#!/usr/bin/env python3
"""rings.py N M [--kind KIND] [-o FILE] — N processes, each of a template of its own: a ring of M locations.

Each process counts to five and begins again, and has nothing to do with the others. So a model
of twice as many has twice as much to look at, whatever is asked of it. By kind:

    shared     what it counts in is a global variable, which nobody else names
    local      ... is a local variable
    array      ... is a cell of a global array, which all of them share
    function   ... is a global variable, which functions of its own compare and write
    channel    ... is a global variable, and a second process answers each step on a channel of theirs
    variables  ... are M global variables, one for each edge
"""

import nta

KINDS = ("shared", "local", "array", "function", "channel", "variables")
FUNCTIONS = """
bool is_less() {{ return {name} < 5; }}
void count(bool again) {{ {name} = again ? 0 : {name} + 1; }}"""


def counter(number, kind, edge):
    return {"local": "g", "array": f"g[{number}]", "variables": f"g_{number}_{edge}"}.get(
        kind, f"g_{number}")


def labels(number, kind, edge):
    name = counter(number, kind, edge)
    guard, update = f"{name} < 5", f"{name} = {name} + 1"
    if edge % 5 == 4:
        guard, update = "", f"{name} = 0"
    if kind == "function":
        guard, update = guard and "is_less()", f"count({'false' if guard else 'true'})"
    found = [("guard", guard)] if guard else []
    if kind == "channel":
        found.append(("synchronisation", f"step_{number}!"))
    return [*found, ("assignment", update)]


def place(k):
    return k % 10 * 150, k // 10 * 120


def ring(number, m, kind):
    declaration = "int[0, 5] g;" if kind == "local" else ""
    if kind == "function":
        declaration = FUNCTIONS.format(name=counter(number, kind, 0))
    first = number * m
    locations = [nta.location(f"L{k}", f"id{first + k}", *place(k), 8, 8) for k in range(m)]
    edges = []
    for k in range(m):
        x, y = place(k)
        edges.append(nta.transition(f"id{first + k}", f"id{first + (k + 1) % m}",
                                    labels(number, kind, k), x + 30, y + 20, []))
    return nta.template(f"T{number}", "", declaration, locations, f"id{first}", edges)


def answers(number):
    edge = nta.transition(f"a{number}", f"a{number}", [("synchronisation", f"step_{number}?")],
                          30, 20, [(60, 60), (60, 90)])
    return nta.template(f"A{number}", "", "", [nta.location("L", f"a{number}", 0, 0, 8, 8)],
                        f"a{number}", [edge])


def declarations(n, m, kind):
    if kind == "local":
        return ""
    if kind == "array":
        return f"int[0, 5] g[{n}];"
    names = sorted({counter(number, kind, edge) for number in range(n) for edge in range(m)})
    lines = [f"int[0, 5] {name};" for name in names]
    if kind == "channel":
        lines += [f"chan step_{number};" for number in range(n)]
    return "\n".join(lines)


def model(n, m, kind):
    templates = [ring(number, m, kind) for number in range(n)]
    names = [f"T{number}" for number in range(n)]
    if kind == "channel":
        templates += [answers(number) for number in range(n)]
        names += [f"A{number}" for number in range(n)]
    return nta.document(declarations(n, m, kind), templates, f"system {', '.join(names)};",
                        [("E<> T0.L1", "The first process moves.")])


if __name__ == "__main__":
    nta.main(__doc__, (("n", "processes", 1), ("m", "locations of each", 1)), model, None, KINDS)
