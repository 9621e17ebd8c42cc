#!/usr/bin/env python3
"""large.py MEGABYTES [-o FILE] — a valid model of about that size, for reading.

Many templates with a function, a hundred locations and three hundred edges each; every template has
one process. Nothing about it is meant to be explored.
"""

import argparse
import sys

LOCATIONS = 100

HEAD = """\
<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE nta PUBLIC '-//Uppaal Team//DTD Flat System 1.6//EN' \
'http://www.it.uu.se/research/group/darts/uppaal/flat-1_6.dtd'>
<nta>
\t<declaration>// Many templates around a few shared variables.
const int N = 10;
typedef int[0, N] count_t;
chan request[count_t], answer[count_t];
broadcast chan stop;
count_t shared[count_t];
bool done;</declaration>
"""

TEMPLATE = """\
\t<template>
\t\t<name x="5" y="5">T{number}</name>
\t\t<declaration>count_t own, list[count_t];

count_t largest() {{
    count_t found = 0;
    for (i : count_t)
        if (list[i] &gt; found) found = list[i];
    return found;
}}</declaration>
"""

EDGE = """\
\t\t<transition>
\t\t\t<source ref="id{source}"/>
\t\t\t<target ref="id{target}"/>
"""

LABELS = ("""\
\t\t\t<label kind="select" x="{x}" y="{y}">i : count_t</label>
\t\t\t<label kind="guard" x="{x}" y="{y}">shared[i] &lt; N &amp;&amp; own != i</label>
\t\t\t<label kind="synchronisation" x="{x}" y="{y}">request[i]!</label>
\t\t\t<label kind="assignment" x="{x}" y="{y}">shared[i]++, list[i] = own</label>
""", """\
\t\t\t<label kind="guard" x="{x}" y="{y}">!done || largest() &gt;= {value}</label>
\t\t\t<label kind="assignment" x="{x}" y="{y}">own = (own + {value}) % (N + 1)</label>
\t\t\t<nail x="{x}" y="{y}"/>
""", """\
\t\t\t<label kind="synchronisation" x="{x}" y="{y}">answer[{value}]?</label>
\t\t\t<label kind="assignment" x="{x}" y="{y}">own = shared[{value}], done = own == N</label>
""")


def template(number):
    first = number * LOCATIONS
    text = TEMPLATE.format(number=number)
    for i in range(LOCATIONS):
        x, y = i % 10 * 150, i // 10 * 120
        text += f'\t\t<location id="id{first + i}" x="{x}" y="{y}">\n'
        text += f'\t\t\t<name x="{x + 8}" y="{y + 8}">place_{i}</name>\n'
        if i % 7 == 3:
            text += f'\t\t\t<label kind="invariant" x="{x}" y="{y}">own &lt;= N</label>\n'
        text += "\t\t</location>\n"
    text += f'\t\t<init ref="id{first}"/>\n'
    for i in range(LOCATIONS):
        for k, labels in enumerate(LABELS):
            text += EDGE.format(source=first + i, target=first + (i * 3 + k + 1) % LOCATIONS)
            text += labels.format(x=i % 10 * 150 + 30, y=i // 10 * 120 + 20 * k, value=i % 11)
            text += "\t\t</transition>\n"
    return text + "\t</template>\n"


def model(size):
    """The text of a model of about that many bytes."""
    parts, length, number = [HEAD], len(HEAD), 0
    while length < size or not number:
        parts.append(template(number))
        length += len(parts[-1])
        number += 1
    names = ", ".join(f"T{i}" for i in range(number))
    parts.append(f"\t<system>system {names};</system>\n</nta>\n")
    return "".join(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("megabytes", type=float, metavar="MEGABYTES")
    parser.add_argument("-o", metavar="FILE", help="write to FILE, not to standard output")
    options = parser.parse_args()
    text = model(options.megabytes * 1000000)
    if options.o:
        with open(options.o, "w", encoding="utf-8", newline="\n") as out:
            out.write(text)
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
