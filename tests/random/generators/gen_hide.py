"""Selects and bound variables of edges that are named like their type, which
they hide where they hold."""

import re

from generators.gen_rare import plain_edges

BOUND = r'\b(forall|exists|sum)( ?\()(\w+)( ?: ?)([A-Za-z]\w*)\)'


def count(text, name):
    return len(re.findall(rf'\b{name}\b', text))


def rename(text, old, new):
    return re.sub(rf'\b{old}\b', new, text)


def hide_in_text(text, known):
    """A bound variable, which hides nothing and is not hidden, gets the name
    of its type if that is nowhere else."""
    for _, _, name, _, kind in re.findall(BOUND, text):
        bound = re.findall(rf'\( ?{name} ?:', text)
        if (kind not in ('int', 'bool') and count(text, kind) == 1
                and name not in known and len(bound) == 1):
            text = rename(text, name, kind)
    return text


def hide_on_edge(edge, known):
    selects = dict(edge.labels).get('select', '')
    text = '; '.join(text for _, text in edge.labels)
    for name, kind in re.findall(r'(\w+) : ([A-Za-z]\w*)(?:,|$)', selects):
        if (kind not in ('int', 'bool') and count(text, kind) == 1
                and name not in known):
            edge.labels = [(label, rename(old, name, kind))
                           for label, old in edge.labels]
            return


def add_hiding(model):
    for template in model.templates:
        known = template.scope.vars
        for edge in plain_edges(template):
            hide_on_edge(edge, known)
            edge.labels = [(label, hide_in_text(text, known))
                           for label, text in edge.labels]
