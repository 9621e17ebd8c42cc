#!/usr/bin/env python3
"""caches.py N L [F] [--promela] [-o FILE] — N caches of L lines, coherent by the MESI protocol.

A cache that misses puts the line on the bus, where all others snoop: broadcasts with committed
locations, records in arrays of two dimensions, functions and quantifiers. A datum is 0 or 1. The last F
lines, none if not given, are never written.
--promela writes the model for Spin instead, with as many states.
"""

import nta
from nta import location, template, transition

GLOBALS = """\
// {caches} caches of {lines} lines, MESI.
const int N = {caches};
const int L = {lines};

typedef int[0, N - 1] cache_t;
typedef int[0, L - 1] line_t;
typedef int[0, 1] value_t;
typedef int[0, 3] mode_t;
const mode_t INVALID = 0, SHARED = 1, EXCLUSIVE = 2, MODIFIED = 3;

typedef struct {{
	mode_t mode;
	value_t value;
}} entry_t;

entry_t entry[cache_t][line_t];
value_t memory[line_t];
line_t bus_line;                 // 0 when the bus is free

broadcast chan bus_read, bus_write;

// No other cache has the line.
bool is_alone(cache_t me, line_t line)
{{
	return forall (k : cache_t) k == me || entry[k][line].mode == INVALID;
}}

void write_back(cache_t me, line_t line)
{{
	if (entry[me][line].mode == MODIFIED)
		memory[line] = entry[me][line].value;
}}

void drop(cache_t me, line_t line)
{{
	write_back(me, line);
	entry[me][line].mode = INVALID;
	entry[me][line].value = 0;
}}"""

CACHE = """\
line_t wanted;                   // the line that was missed, 0 when none

void snoop_read()
{
	write_back(me, bus_line);
	if (entry[me][bus_line].mode != INVALID)
		entry[me][bus_line].mode = SHARED;
}

void put(mode_t mode, value_t value)
{
	entry[me][wanted].mode = mode;
	entry[me][wanted].value = value;
	wanted = 0;
	bus_line = 0;
}

void store(line_t line, value_t value)
{
	entry[me][line].mode = MODIFIED;
	entry[me][line].value = value;
}"""

SAME = ("A[] forall (l : line_t) forall (i : cache_t) forall (j : cache_t) "
        "entry[i][l].mode != INVALID && entry[j][l].mode != INVALID imply "
        "entry[i][l].value == entry[j][l].value")
QUERIES = [
    (SAME, "Caches that have a line agree about its value. Holds."),
    ("A[] forall (l : line_t) forall (i : cache_t) entry[i][l].mode >= EXCLUSIVE imply "
     "is_alone(i, l)", "A line that a cache owns is nowhere else. Holds."),
    ("E<> forall (i : cache_t) forall (l : line_t) entry[i][l].mode == MODIFIED",
     "All caches can have modified all lines. Does not hold."),
]


def cache(fixed):
    places = ["ready", "wants_read", "wants_write", "reads", "writes"]
    edges = []

    def edge(source, target, **labels):
        kinds = ("select", "guard", "synchronisation", "assignment")
        edges.append(transition(
            f"id{places.index(source)}", f"id{places.index(target)}",
            [(kind, labels[kind]) for kind in kinds if kind in labels], 0, 80 * len(edges), []))

    mode, may_write = "entry[me][line].mode", f" && line < L - {fixed}" if fixed else ""
    edge("ready", "ready", select="line : line_t, value : value_t",
         guard=mode + " >= EXCLUSIVE" + may_write, assignment="store(line, value)")
    edge("ready", "ready", select="line : line_t", guard=mode + " != INVALID",
         assignment="drop(me, line)")
    edge("ready", "wants_read", select="line : line_t", guard=mode + " == INVALID",
         assignment="wanted = line")
    edge("ready", "wants_write", select="line : line_t", guard=mode + " < EXCLUSIVE" + may_write,
         assignment="wanted = line")
    edge("wants_read", "reads", synchronisation="bus_read!", assignment="bus_line = wanted")
    edge("wants_write", "writes", synchronisation="bus_write!", assignment="bus_line = wanted")
    edge("reads", "ready",
         assignment="put(is_alone(me, wanted) ? EXCLUSIVE : SHARED, memory[wanted])")
    edge("writes", "ready", select="value : value_t", assignment="put(MODIFIED, value)")
    for place in places[:3]:
        edge(place, place, synchronisation="bus_read?", assignment="snoop_read()")
        edge(place, place, synchronisation="bus_write?", assignment="drop(me, bus_line)")
    locations = [location(name, f"id{number}", 200 * number, -120, -20, 17)
                 for number, name in enumerate(places)]
    for number in (3, 4):
        locations[number] = locations[number].replace("\t\t</location>",
                                                      "\t\t\t<committed/>\n\t\t</location>")
    return template("Cache", "const cache_t me", CACHE, locations, "id0", edges)


def model(caches, lines, fixed):
    return nta.document(GLOBALS.format(caches=caches, lines=lines), [cache(fixed)],
                        "system Cache;", QUERIES)


def promela(caches, lines, fixed):
    """One process; after a broadcast its control says which cache is in which committed location.
    The line on the bus is the one that cache wants, so there is no variable for it."""
    ids, numbers = range(caches), range(lines)
    width = max(1, (lines - 1).bit_length())
    text = [f"/* {caches} caches of {lines} lines, MESI. */"]
    for i in ids:
        text += [f"unsigned at_{i} : 2, wanted_{i} : {width};"]
        for n in numbers:
            text += [f"unsigned state_{i}_{n} : 2;", f"bit value_{i}_{n};"]
    text += [f"bit memory_{n};" for n in numbers]
    text += ["active proctype caches() {", "ready: do"]
    after = []

    def write_back(k, n):
        return f"memory_{n} = (state_{k}_{n} == 3 -> value_{k}_{n} : memory_{n})"

    for i in ids:
        others = [k for k in ids if k != i]
        for n in numbers:
            state, value = f"state_{i}_{n}", f"value_{i}_{n}"
            writes = [f":: d_step {{ at_{i} == 0 && {state} >= 2 -> {state} = 3; {value} = {bit} }}"
                      for bit in (0, 1)]
            writes += [f":: d_step {{ at_{i} == 0 && {state} < 2 -> at_{i} = 2; wanted_{i} = {n} }}"]
            text += writes if n < lines - fixed else []
            text += [f":: d_step {{ at_{i} == 0 && {state} != 0 ->"
                     f" {write_back(i, n)}; {state} = 0; {value} = 0 }}",
                     f":: d_step {{ at_{i} == 0 && {state} == 0 -> at_{i} = 1; wanted_{i} = {n} }}"]
            snoop_read, snoop_write = [], []
            for k in others:
                snoop_read += [write_back(k, n), f"state_{k}_{n} = (state_{k}_{n} -> 1 : 0)"]
                snoop_write += [write_back(k, n), f"state_{k}_{n} = 0", f"value_{k}_{n} = 0"]
            text += [f":: d_step {{ at_{i} == 1 && wanted_{i} == {n} -> {'; '.join(snoop_read)} }};"
                     f" goto reads_{i}_{n}",
                     f":: d_step {{ at_{i} == 2 && wanted_{i} == {n} -> {'; '.join(snoop_write)} }};"
                     f" goto writes_{i}_{n}"]
            alone = " && ".join(f"state_{k}_{n} == 0" for k in others) or "1"
            reset = f"at_{i} = 0; wanted_{i} = 0"
            after += [f"reads_{i}_{n}: if :: d_step {{ {state} = ({alone} -> 2 : 1);"
                      f" {value} = memory_{n}; {reset} }}; goto ready fi;",
                      f"writes_{i}_{n}: if"]
            after += [f":: d_step {{ {state} = 3; {value} = {bit}; {reset} }}; goto ready"
                      for bit in (0, 1)]
            after += ["fi;"]
    return "\n".join(text + ["od;"] + after) + "\n}\n"


if __name__ == "__main__":
    nta.main(__doc__, [("N", "caches", 1), ("L", "lines", 1), ("F", "fixed lines", 0, 0, "L")], model, promela)
