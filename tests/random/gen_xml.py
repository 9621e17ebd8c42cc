"""Write a generated model as an Uppaal file."""

from xml.sax.saxutils import escape


def text_of(model):
    """The XML file of a generated model."""
    out = ['<?xml version="1.0" encoding="utf-8"?>',
           "<!DOCTYPE nta PUBLIC '-//Uppaal Team//DTD Flat System 1.6//EN'"
           " 'http://www.it.uu.se/research/group/darts/uppaal/"
           "flat-1_6.dtd'>", '<nta>',
           f"  <declaration>{escape(chr(10).join(model.decls))}"
           "</declaration>"]
    for template in model.templates:
        template_text(template, 'nails' in model.features, out)
    system = '\n'.join(model.system_decls + [model.system_line()])
    out.append(f"  <system>{escape(system + model.progress)}</system>")
    if model.queries:
        out.append('  <queries>')
        for formula in model.queries:
            out += ['    <query>',
                    f"      <formula>{escape(formula)}</formula>",
                    '      <comment></comment>', '    </query>']
        out.append('  </queries>')
    out.append('</nta>')
    return '\n'.join(out) + '\n'


def template_text(template, nails, out):
    out += ['  <template>', f"    <name>{template.name}</name>"]
    if template.params:
        out.append(f"    <parameter>"
                   f"{escape(', '.join(template.params))}</parameter>")
    if template.decls:
        out.append(f"    <declaration>"
                   f"{escape(chr(10).join(template.decls))}"
                   "</declaration>")
    for loc in template.locations:
        out.append(f'    <location id="{loc.id}" x="{loc.x}"'
                   f' y="{loc.y}">')
        if loc.name:
            out.append(f'      <name x="{loc.x - 10}" y="{loc.y - 30}">'
                       f"{loc.name}</name>")
        if loc.invariant:
            out.append(f'      <label kind="invariant" x="{loc.x}"'
                       f' y="{loc.y + 15}">{escape(loc.invariant)}'
                       "</label>")
        if loc.mark:
            out.append(f"      <{loc.mark}/>")
        out.append('    </location>')
    for number, ident in enumerate(template.branchpoints):
        out.append(f'    <branchpoint id="{ident}" x="100"'
                   f' y="{60 + 10 * number}"></branchpoint>')
    out.append(f'    <init ref="{template.locations[0].id}"/>')
    for edge in template.edges:
        edge_text(template, edge, nails, out)
    out.append('  </template>')


def edge_text(template, edge, nails, out):
    def ident(end):
        return end if isinstance(end, str) else template.locations[end].id
    out += ['    <transition>',
            f'      <source ref="{ident(edge.source)}"/>',
            f'      <target ref="{ident(edge.target)}"/>']
    for number, (kind, text) in enumerate(edge.labels):
        out.append(f'      <label kind="{kind}" x="60"'
                   f' y="{20 + 15 * number}">{escape(text)}</label>')
    if edge.source == edge.target and nails:
        out += ['      <nail x="-30" y="-40"/>',
                '      <nail x="30" y="-40"/>']
    out.append('    </transition>')
