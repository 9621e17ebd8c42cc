"""Adds something to a model that fails at last, so that some steps are runtime errors."""

import random
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


DOUBTFUL_GUARDS = ['zf[zk] == 0', 'zf[zk] &lt;= zx', 'zfail(zk)', 'exists (z : int[0,1]) zf[zk + z] == 0',
                   'zf[zk] == 0 &amp;&amp; zx &lt; 2', 'zk &lt; 2 &amp;&amp; zf[zk] == 0',
                   'zx &lt; 2 &amp;&amp; 2 / (zk - 2) &lt; 0']
DOUBTFUL = """int[0,1] zf[2]; int[0,1] zx; int[0,2] zk = %d; broadcast chan zc[2];
bool zfail(int i) { return zf[i] == 0; }
"""


def label(block, kind):
    found = re.search(rf'<label kind="{kind}"[^>]*>(.*?)</label>', block, re.DOTALL)
    return found[1].strip() if found else ''


def with_label(block, kind, text):
    """The same transition with this guard or synchronisation."""
    block = re.sub(rf'<label kind="{kind}"[^>]*>.*?</label>', '', block, flags=re.DOTALL)
    before = 'select|guard' if kind == 'synchronisation' else 'select'
    at = max(found.end() for found in re.finditer(
        rf'<target [^>]*/>|<label kind="(?:{before})".*?</label>', block, re.DOTALL))
    return f'{block[:at]}<label kind="{kind}">{text}</label>{block[at:]}'


def with_twin(rng, edge):
    """The edge with another one, mostly before it, that does the same apart from zx, and whose
    guard may fail."""
    guard = rng.choice(DOUBTFUL_GUARDS)
    own = label(edge, 'guard')
    if not own:
        edge = with_label(edge, 'guard', rng.choice(['zf[0] == 0', 'zk != 1', 'zf[1] == 0']))
    elif rng.random() < 0.3:
        guard = f'{guard} &amp;&amp; ({own}\n)'  # it may end with a comment
    twin = with_label(edge, 'guard', guard)
    both = [twin, with_update(edge, f'zx = {rng.randint(0, 1)}')]
    if rng.random() < 0.2:
        both.reverse()
    return ''.join(both)


def with_receiver(rng, template):
    """The template with an edge that receives on a channel whose index may fail."""
    at = rng.choice(re.findall(r'<location id="([^"]*)"', template))
    guard = rng.choice(['zx == 1', 'zx == 0', 'zx &lt; 2', 'zx == 1 || zk == 0', 'zf[0] == 0', ''])
    sync = rng.choice(['zc[zk]?', 'zc[zk]?', 'zc[2 - zk]?', 'zc[zk == 2 ? 5 : 0]?', 'zc[0]?'])
    edge = f'<transition><source ref="{at}"/><target ref="{at}"/>'
    edge += f'<label kind="guard">{guard}</label>' if guard else ''
    edge += f'<label kind="synchronisation">{sync}</label></transition>\n'
    end = template.rindex('</template>')
    template = template[:end] + edge + template[end:]
    other = random.Random(template)
    return behind_branchpoint(other, template, edge, at) if other.random() < 0.5 else template


def behind_branchpoint(rng, template, edge, at):
    """The template with that edge through a branchpoint, whose branches read what may be removed, or fail."""
    point = f'zb_{at}'
    edges = edge.replace(f'<target ref="{at}"/>', f'<target ref="{point}"/>')
    if rng.random() < 0.6:  # it listens to what others send
        edges = re.sub(r'>zc\[.*?\]\?<', f'>zc[{rng.randint(0, 1)}]?<', edges)
    for _ in range(rng.choice([1, 1, 2])):
        update = rng.choice(['zf[0] = zx', 'zf[1] = zx', 'zf[0] = 1 - zx', 'zf[zk] = zx', 'zf[zk] = 1', 'zx = 1 - zx', ''])
        more = f'<label kind="assignment">{update}</label>' if update else ''
        edges += f'<transition><source ref="{point}"/><target ref="{at}"/>{more}</transition>\n'
    template = template.replace(edge, edges)
    first = template.index('<init ')
    return f'{template[:first]}<branchpoint id="{point}"/>\n{template[first:]}'


def changed_edges(rng, template, most, change):
    """The template with some edges changed that synchronise with nobody and touch no branchpoint."""
    branches = re.findall(r'<branchpoint id="([^"]*)"', template)
    edges = [found for found in re.finditer(r'<transition\b.*?</transition>', template, re.DOTALL)
             if not any(f'ref="{branch}"' in found[0] for branch in branches)
             and not re.search(r'<label kind="assignment"[^>]*>\s*</label>', found[0])
             and 'kind="synchronisation"' not in found[0]]
    for edge in sorted(rng.sample(edges, min(len(edges), rng.randint(1, most))),
                       key=lambda found: -found.start()):
        template = template[:edge.start()] + change(edge[0]) + template[edge.end():]
    return template


def failing_guards(rng, text):
    """(the model with guards and channels that may fail, names of variables that tell them apart)."""
    def change(template):
        kind = rng.random()
        if kind < 0.6:
            template = changed_edges(rng, template, 2, lambda edge: with_twin(rng, edge))
        if 0.4 < kind:
            template = with_receiver(rng, template)
        if 0.3 < kind < 0.9:
            template = changed_edges(rng, template, 1, lambda edge: with_label(
                edge, 'synchronisation', f'zc[{rng.randint(0, 1)}]!'))
        return changed_edges(rng, template, 1, lambda edge: with_update(edge, rng.choice(
            ['zk = (zk + 1) % 3', 'zx = 1 - zx', 'zf[0] = 1 - zf[0]'])))

    text = re.sub(r'<template>.*?</template>', lambda found: change(found[0]), text, flags=re.DOTALL)
    declarations = DOUBTFUL % rng.choice([0, 1, 2, 2])
    first = text.find('<declaration>')
    if 0 <= first < text.find('<template'):
        first += len('<declaration>')
        return text[:first] + declarations + text[first:], ['zx'] * 4 + ['zk']
    first = text.index('<template')
    return f'{text[:first]}<declaration>{declarations}</declaration>\n{text[first:]}', ['zx'] * 4 + ['zk']


def fail_in(path, rng, seed):
    """The same of a file, if models of this seed fail."""
    if not is_failing(seed):
        return
    with open(path, encoding='utf-8') as file:
        text, _ = failing(rng, file.read())
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)
