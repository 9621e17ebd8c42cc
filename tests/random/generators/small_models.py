"""Small models for tests of the oracle, written as tuples."""

import io
from xml.sax.saxutils import escape
from oracle.uppaal_run import explore, load_network


def xml(decls, templates, system, formulas=()):
    """A model: templates are (name, parameters, declarations, locations,
    edges); a location 'A', 'A!' (committed), 'A~' (urgent) or 'A:invariant',
    behind them branchpoints 'X^'; an edge (source, target, {label kind:
    text})."""
    out = [f"<nta><declaration>{escape(decls)}</declaration>"]
    for name, params, local, locations, edges in templates:
        out.append(f"<template><name>{name}</name><parameter>"
                   f"{escape(params)}</parameter><declaration>"
                   f"{escape(local)}</declaration>")
        for loc in locations:
            if loc[-1] == '^':
                out.append(f'<branchpoint id="{name}_{loc[:-1]}"/>')
                continue
            loc, _, invariant = loc.partition(':')
            mark = {'!': '<committed/>', '~': '<urgent/>'}.get(loc[-1], '')
            loc = loc.rstrip('!~')
            label = f'<label kind="invariant">{escape(invariant)}</label>' \
                if invariant else ''
            out.append(f'<location id="{name}_{loc}"><name>{loc}</name>'
                       f"{label}{mark}</location>")
        first = locations[0].partition(':')[0].rstrip('!~')
        out.append(f'<init ref="{name}_{first}"/>')
        for source, target, labels in edges:
            out.append(f'<transition><source ref="{name}_{source}"/>'
                       f'<target ref="{name}_{target}"/>')
            out += [f'<label kind="{kind}">{escape(text)}</label>'
                    for kind, text in labels.items()]
            out.append('</transition>')
        out.append('</template>')
    out.append(f"<system>{escape(system)}</system><queries>")
    out += [f"<query><formula>{escape(text)}</formula><comment/></query>"
            for text in formulas]
    out.append('</queries></nta>')
    return ''.join(out)


def network(*parts):
    return load_network(io.StringIO(xml(*parts)))


def counts(*parts):
    result = explore(network(*parts))
    return (len(result.states), result.transitions, result.deadlocks,
            result.error_count)


def guard(text):
    return {'guard': text}


def update(text, **more):
    return {'assignment': text, **more}


def sync(text, **more):
    return {'synchronisation': text, **more}


EMPTY = ('P', '', '', ['A'], [])
