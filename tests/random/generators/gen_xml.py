"""Write a generated model as an Uppaal file."""

from xml.sax.saxutils import escape


def text_of(model):
    """The XML file of a generated model."""
    out = ['<?xml version="1.0" encoding="utf-8"?>',
           "<!DOCTYPE nta PUBLIC '-//Uppaal Team//DTD Flat System 1.6//EN'"
           " 'http://www.it.uu.se/research/group/darts/uppaal/"
           "flat-1_6.dtd'>", '<nta>',
           declaration(model, model.decls, '  ')]
    for template in model.templates:
        template_text(model, template, out)
    system = '\n'.join(model.system_decls + [model.system_line()])
    system = escape(system + model.progress)
    if model.has('comments', 0.1):
        system = '// Instances&#xD;\n' + system + '&#xD;\n'
    out.append(f"  <system>{system}</system>")
    if model.queries:
        out.append('  <queries>')
        for formula in model.queries:
            out += ['    <query>',
                    f"      <formula>{escape(formula)}</formula>",
                    '      <comment></comment>', '    </query>']
        out.append('  </queries>')
    out.append('</nta>')
    return '\n'.join(out) + '\n'


def declaration(model, decls, pad):
    """A declaration element, with some comments and sometimes as CDATA."""
    lines = list(decls)
    for number in reversed(range(len(lines))):
        if model.has('comments', 0.06):
            lines.insert(number, model.pick([
                '// next: \u00e4 comment; with = signs }', '/* two',
                '']))
            if lines[number] == '/* two':
                lines[number] += '\n   lines, x = 1; { */'
    if model.has('comments', 0.05):
        lines.append('// the last line has no end')
    text = '\n'.join(lines)
    if ']]>' not in text and model.has('comments', 0.03):
        return f"{pad}<declaration><![CDATA[{text}]]></declaration>"
    return f"{pad}<declaration>{escape(text)}</declaration>"


def template_text(model, template, out):
    out += ['  <template>', f"    <name>{template.name}</name>"]
    if template.params:
        out.append(f"    <parameter>"
                   f"{escape(', '.join(template.params))}</parameter>")
    if template.decls:
        out.append(declaration(model, template.decls, '    '))
    for loc in template.locations:
        color = ' color="#ffcc00"' if model.chance(0.05) else ''
        out.append(f'    <location id="{loc.id}" x="{loc.x}"'
                   f' y="{loc.y}"{color}>')
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
        edge_text(model, template, edge, out)
    out.append('  </template>')


def edge_text(model, template, edge, out):
    def ident(end):
        return end if isinstance(end, str) else template.locations[end].id
    color = ' color="#0000ff"' if model.chance(0.05) else ''
    labels = list(edge.labels)
    if model.has('comments', 0.05):
        number = model.rng.randrange(len(labels) + 1)
        if number < len(labels):
            kind, text = labels[number]
            labels[number] = (kind, model.pick([
                text + ' // why', '/* what */ ' + text, text + '\n']))
        else:
            labels.append(('comments', 'Just a remark: x = 1'))
    if not edge.labels and model.has('comments', 0.1):
        labels.append(('assignment', ' '))
    if model.chance(0.05) and labels and labels[0][0] != 'select':
        model.rng.shuffle(labels)
    out += [f'    <transition{color}>',
            f'      <source ref="{ident(edge.source)}"/>',
            f'      <target ref="{ident(edge.target)}"/>']
    for number, (kind, text) in enumerate(labels):
        out.append(f'      <label kind="{kind}" x="60"'
                   f' y="{20 + 15 * number}">{escape(text)}</label>')
    if edge.source == edge.target and 'nails' in model.features:
        out += ['      <nail x="-30" y="-40"/>',
                '      <nail x="30" y="-40"/>']
    out.append('    </transition>')
