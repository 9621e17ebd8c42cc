#!/usr/bin/env python3
"""wide.py TOP [-o FILE] — one template of 300 edges over variables with the values 0 to TOP.

Guards compare, updates add and copy, and one edge in three chooses a value. It is meant to be
abstracted, not to be explored: what values there are matters little to most of its edges.
"""

import argparse
import sys

LOCATIONS = 100

HEAD = """\
<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE nta PUBLIC '-//Uppaal Team//DTD Flat System 1.6//EN' \
'http://www.it.uu.se/research/group/darts/uppaal/flat-1_6.dtd'>
<nta>
\t<declaration>const int N = {top};
typedef int[0, N] value_t;
value_t shared;
bool done;</declaration>
\t<template>
\t\t<name>T</name>
\t\t<declaration>value_t own, last, other;</declaration>
"""


def edges(value, top):
    """Select, guard and update of the edges of a location."""
    return (("i : value_t", f"shared &lt; N &amp;&amp; own &gt;= {value}", "shared++, other = i"),
            ("", f"!done || own % 3 == {value % 3}", f"own = (own + {value}) % (N + 1)"),
            ("", f"last &lt; {top - value}", f"own = shared, last = last + {value}, done = own == N"))


def model(top):
    """The text of the model."""
    parts = [HEAD.format(top=top)]
    for i in range(LOCATIONS):
        parts.append(f'\t\t<location id="id{i}"><name>place_{i}</name></location>\n')
    parts.append('\t\t<init ref="id0"/>\n')
    for i in range(LOCATIONS):
        for k, (select, guard, update) in enumerate(edges(i % 11, top)):
            target = (i * 3 + k + 1) % LOCATIONS
            parts.append(f'\t\t<transition><source ref="id{i}"/><target ref="id{target}"/>')
            if select:
                parts.append(f'<label kind="select">{select}</label>')
            parts.append(f'<label kind="guard">{guard}</label>'
                         f'<label kind="assignment">{update}</label></transition>\n')
    parts.append("\t</template>\n\t<system>system T;</system>\n</nta>\n")
    return "".join(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("top", type=int, metavar="TOP")
    parser.add_argument("-o", metavar="FILE", help="write to FILE, not to standard output")
    options = parser.parse_args()
    if options.o:
        with open(options.o, "w", encoding="utf-8", newline="\n") as out:
            out.write(model(options.top))
    else:
        sys.stdout.write(model(options.top))


if __name__ == "__main__":
    main()
