"""What the generators of models share: pieces of the file format, and their command line."""

import argparse
import functools
import html
import sys


escape = functools.partial(html.escape, quote=False)


def location(name, key, x, y, dx, dy, invariant=""):
    label = (f'\t\t\t<label kind="invariant" x="{x + dx}" y="{y + dy + 17}">'
             f"{escape(invariant)}</label>\n" if invariant else "")
    return f"""\
\t\t<location id="{key}" x="{x}" y="{y}">
\t\t\t<name x="{x + dx}" y="{y + dy}">{name}</name>
{label}\t\t</location>
"""


def transition(source, target, labels, x, y, nails):
    """An edge; its labels stand below each other from (x, y) on."""
    text = f'\t\t<transition>\n\t\t\t<source ref="{source}"/>\n\t\t\t<target ref="{target}"/>\n'
    for kind, content in labels:
        text += f'\t\t\t<label kind="{kind}" x="{x}" y="{y}">{escape(content)}</label>\n'
        y += 17 * (1 + content.count("\n"))
    for nx, ny in nails:
        text += f'\t\t\t<nail x="{nx}" y="{ny}"/>\n'
    return text + "\t\t</transition>\n"


def template(name, parameter, declaration, locations, initial, transitions):
    text = f'\t<template>\n\t\t<name x="5" y="5">{name}</name>\n'
    if parameter:
        text += f"\t\t<parameter>{parameter}</parameter>\n"
    text += f"\t\t<declaration>{escape(declaration)}</declaration>\n"
    text += "".join(locations) + f'\t\t<init ref="{initial}"/>\n' + "".join(transitions)
    return text + "\t</template>\n"


def document(declaration, templates, system, queries):
    """A whole file; queries are pairs of formula and comment."""
    asked = "".join(f"\t\t<query>\n\t\t\t<formula>{escape(formula)}</formula>\n"
                    f"\t\t\t<comment>{escape(comment)}</comment>\n\t\t</query>\n"
                    for formula, comment in queries)
    return ('<?xml version="1.0" encoding="utf-8"?>\n'
            "<!DOCTYPE nta PUBLIC '-//Uppaal Team//DTD Flat System 1.6//EN' "
            "'http://www.it.uu.se/research/group/darts/uppaal/flat-1_6.dtd'>\n<nta>\n"
            f"\t<declaration>{escape(declaration)}</declaration>\n{''.join(templates)}"
            f"\t<system>{system}</system>\n\t<queries>\n{asked}\t</queries>\n</nta>\n")


def asked(queries):
    """Queries that Uppaal does not know stand in the comments of empty ones."""
    return [("", f"varabs: {formula}\n\n{comment}") for formula, comment in queries]


def main(about, parameters, model, promela, kinds=()):
    """The command line of a generator: parameters are (name, what it counts, least value), or
    (name, what it counts, least value, value if it is not given), perhaps with the name of another that
    is not less; model and promela, which may be None,
    take their values, and the kind if there are kinds, and give a text."""
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    for name, what, least, *default in parameters:
        parser.add_argument(name, type=int, help=f"{what}, {least} or more",
                            **({"nargs": "?", "default": default[0]} if default else {}))
    if kinds:
        parser.add_argument("--kind", choices=kinds, default=kinds[0])
    if promela:
        parser.add_argument("--promela", action="store_true", help="for Spin")
    parser.add_argument("-o", metavar="FILE", help="write to FILE, not to standard output")
    options = vars(parser.parse_args())
    values = [options[name] for name, *_ in parameters]
    for value, (_, what, least, *more) in zip(values, parameters):
        if value < least:
            parser.error(f"{what}: {least} or more, not {value}")
        if len(more) > 1 and value > options[more[1]]:
            parser.error(f"{what}: no more than {more[1]}, not {value}")
    text = (promela if options.get("promela") else model)(*values,
                                                      *([options["kind"]] if kinds else []))
    if options["o"]:
        with open(options["o"], "w", encoding="utf-8", newline="\n") as out:
            out.write(text)
    else:
        sys.stdout.write(text)
