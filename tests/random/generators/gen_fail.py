"""Adds something to a model that fails at last, so that some steps are runtime errors."""

import re

FAILING = 1000000     # from this seed on, scripts without an option for it add that


def is_failing(seed):
    return seed >= FAILING


def failures(rng):
    """(declarations, update, names): most are never read but there, so that
    removing them hides the error."""
    most = rng.randint(1, 3)
    return rng.choice([
        (f"int[0,{most}] zn;", "zn++", ['zn']),
        (f"int[0,{most}] zn;", "zn += 2", ['zn']),
        (f"int[-{most},1] zn = 1;", "zn = zn - 1", ['zn']),
        (f"int[0,{most}] zn; int[0,9] zs;", "zs = zn, zn++", ['zn', 'zs']),
        (f"int[0,{most + 1}] zn; bool zc[{most}];",
         f"zc[zn] = true, zn = (zn + 1) % {most + 2}", ['zn', 'zc']),
        (f"int[0,3] zn; int[0,{most}] zs;", f"zs = zn, zn = {most + 1} &gt; zn ? zn + 1 : 0",
         ['zn', 'zs']),
        (f"int[0,{most + 1}] zn = {most}; int[0,9] zs;", "zs = 6 / zn, zn = zn ? zn - 1 : 0",
         ['zn', 'zs']),
    ])


def with_update(block, update):
    """A transition that does that first."""
    label = re.search(r'<label kind="assignment"[^>]*>', block)
    if label and not block.startswith('</label>', label.end()):
        return block[:label.end()] + update + ', ' + block[label.end():]
    at = [found.end() for found in re.finditer(r'<target [^>]*/>|</label>', block)][-1]
    return f'{block[:at]}<label kind="assignment">{update}</label>{block[at:]}'


def failing(rng, text):
    """(the model with a failure, names of variables that may hide it); as it is
    where no edge can do it."""
    branches = re.findall(r'<branchpoint id="([^"]*)"', text)
    edges = [found for found in re.finditer(r'<transition\b.*?</transition>', text, re.DOTALL)
             if not any(f'<target ref="{branch}"' in found[0] for branch in branches)
             and not re.search(r'<label kind="assignment"[^>]*>\s*</label>', found[0])]
    declarations, update, names = failures(rng)
    if not edges:
        return text, []
    for edge in sorted(rng.sample(edges, min(len(edges), rng.randint(1, 2))),
                       key=lambda found: -found.start()):
        text = text[:edge.start()] + with_update(edge[0], update) + text[edge.end():]
    first = text.find('<declaration>')
    if 0 <= first < text.find('<template'):
        first += len('<declaration>')
        return text[:first] + declarations + '\n' + text[first:], names
    first = text.index('<template')
    return f'{text[:first]}<declaration>{declarations}</declaration>\n{text[first:]}', names


def fail_in(path, rng, seed):
    """The same of a file, if models of this seed fail."""
    if not is_failing(seed):
        return
    with open(path, encoding='utf-8') as file:
        text, _ = failing(rng, file.read())
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)
