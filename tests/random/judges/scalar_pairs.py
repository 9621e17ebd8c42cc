"""Do merges over arrays do what the same merges over scalars do?

usage: judges/scalar_pairs.py [--varabs PROGRAM] [--seeds FIRST..LAST] [--jobs N]

Small models that people would write, one for each seed: a tally, a hand of cards, records, rows,
two indices, quantifiers.  Each is written over an array, and over variables c_0, c_1, .. with an
edge for each index.  Both are merged: they must have the same states and steps, as many states as
is written here, and the array version is exact where that is written here.  No output names cells.
"""

import itertools
import json
import os
import re
import subprocess
import tempfile
from generators.small_models import xml
from oracle.uppaal_run import explore, load_network
from tools import seeds

T = 'int[0,2]'
FILL = ('a : int[0,2], b : int[0,2], d : int[0,2]', 'x == 0', 'c[0] = a, c[1] = b, c[2] = d, x = 1')


def count(value):
    return f"int[0,3]=sum(k : {T}) (c[k] == {value})"


I, J = f"i : {T}", f"j : {T}"
CELLS = 'int[0,2] c[3];'
TWO = {'m': count(2), 't': count(1)}

# Declarations, edges (selects, guard, update; those of Q behind None), merges, what is removed, states,
# whether it is exact
MODELS = [
    (CELLS + ' int[0,2] x;', [FILL, (I, 'x == 1 && c[i] == 2', 'c[i] = 0, x = 2')],
     {'m': count(2)}, (), 8, True),
    (CELLS, [(f"{I}, v : {T}", '', 'c[i] = v')], {'m': count(2)}, (), 4, True),
    (CELLS + ' int[0,2] x;', [FILL, (I, 'x == 1 && c[i] == 2', 'c[i] = 1, x = 2')],
     {'m': count(2)}, (), 8, True),
    (CELLS + ' int[0,1] x;', [(I, 'c[i] > 0', 'c[i]--, x = 0'), (I, 'c[i] < 2', 'c[i]++, x = 1')],
     {'m': f"int[0,6]=sum(k : {T}) c[k]"}, (), 12, True),
    (CELLS + ' int[0,3] x;', [FILL, (I, 'x >= 1 && c[i] == 2', 'c[i] = 0, x = 2'),
                              (I, 'x >= 1 && c[i] == 0', 'c[i] = 2, x = 3')],
     {'m': f"bool=exists(k : {T}) c[k] == 2"}, (), 6, False),
    ('bool c[3]; bool x;', [(I, '!c[i]', 'c[i] = true'), ('', f"forall(k : {T}) c[k]", 'x = true')],
     {'m': f"int[0,3]=sum(k : {T}) c[k]"}, (), 5, True),
    ('bool c[3]; bool x;', [(I, '!c[i]', 'c[i] = true'), ('', f"forall(k : {T}) c[k]", 'x = true')],
     {'m': f"bool=forall(k : {T}) c[k]"}, (), 3, False),
    ('struct { bool u; int[0,2] v; } c[3]; int[0,1] x;',
     [(I, '!c[i].u', 'c[i].u = true, c[i].v = 2, x = 0'),
      (I, 'c[i].u && c[i].v == 2', 'c[i].u = false, c[i].v = 0, x = 1')],
     {'m': f"int[0,3]=sum(k : {T}) (c[k].u && c[k].v == 2)"}, (), 7, True),
    (CELLS + ' int[0,2] x;', [(I, 'c[i] == 0', 'c[i] = 1, x = 0'), (I, 'c[i] == 1', 'c[i] = 2, x = 1'),
                              (I, 'c[i] == 2', 'c[i] = 0, x = 2')], TWO, (), 19, True),
    (CELLS + ' int[0,2] x; int[0,2] last;',
     [FILL, (I, 'x >= 1 && c[i] == 2', 'c[i] = 1, last = i, x = 2')], {'m': count(2)}, ('last',), 8, True),
    ('bool c[2][3]; bool x; bool y;',
     [(J, '!c[0][j]', 'c[0][j] = true, x = !x'), (J, '!c[1][j]', 'c[1][j] = true, y = !y'),
      (f"i : int[0,1], {J}", 'c[i][j] && x', 'c[i][j] = false, x = false')],
     {'m': f"int[0,3]=sum(k : {T}) c[0][k]", 't': f"int[0,3]=sum(k : {T}) c[1][k]"}, (), 28, True),
    (CELLS, [(I, 'c[i] == 0', 'c[i] = 1'), (I, 'c[i] == 2', 'c[i] = 0'), None,
             (I, 'c[i] == 1', 'c[i] = 2'), (I, 'c[i] == 0', 'c[i] = 2')], TWO, (), 10, True),
    (CELLS, [(I, 'c[i] == 0', 'c[i] = 1'), (I, 'c[i] == 2', 'c[i] = 0'), None,
             (I, 'c[i] == 1', 'c[i] = 2'), (I, 'c[i] == 0', 'c[i] = 2')], {'m': count(0)}, (), 4, False),
    (CELLS + ' int[0,2] x;',
     [FILL, (f"{I}, {J}", 'x == 1 && c[i] == 2 && c[j] == 1', 'c[i] = 1, c[j] = 0, x = 2')],
     TWO, (), 14, True),
    (CELLS + ' int[0,1] x;', [(FILL[0], 'x == 0', FILL[2].replace(', x = 1', '')),
                              ('', f"x == 0 && forall(k : {T}) c[k] < 2",
                               ', '.join(f"c[{k}] = c[{k}] == 1 ? 2 : 0" for k in range(3)) + ', x = 1')],
     TWO, (), 14, True),
    (CELLS + ' int[0,2] x;', [(I, 'c[i] == 0', 'c[i] = 2, x = i'), (I, 'c[i] == 2', 'c[i] = 0')],
     {'m': count(2)}, (), 12, False),
]


def flat(text):
    """c[1].u as c_1_u."""
    return re.sub(r'c\[(\d)\](?:\[(\d)\])?(?:\.(\w))?',
                  lambda found: '_'.join(['c', *filter(None, found.groups())]), text)


def written_out(text):
    """A quantifier over the rest of a text as a chain."""
    found = re.search(r'(sum|forall|exists)\(k : int\[0,2\]\) ', text)
    if not found:
        return flat(text)
    join = {'sum': ' + ', 'forall': ' && ', 'exists': ' || '}[found[1]]
    body = text[found.end():]
    return flat(text[:found.start()]) + '(' + join.join(
        '(' + flat(body.replace('[k]', f"[{k}]")) + ')' for k in range(3)) + ')'


def declared(text):
    array, rest = text.split(';', 1) if 'struct' not in text else text.split('} ', 1)[1].split(';', 1)
    if 'struct' in text:
        return ''.join(f"bool c_{k}_u; int[0,2] c_{k}_v;" for k in range(3)) + rest
    kind, sizes = array.split(' c')
    places = itertools.product(*(range(int(size)) for size in re.findall(r'\d+', sizes)))
    return ''.join(f"{kind} c_{'_'.join(map(str, place))};" for place in places) + rest


def one_for_each_index(edge):
    selects, guard, update = edge
    parts = [part.split(' : ') for part in re.findall(r'\w : int\[\d,\d\]', selects)]
    indices = [part for part in parts if f"[{part[0]}]" in guard + update]
    kept = ', '.join(' : '.join(part) for part in parts if part not in indices)
    ranges = [range(int(kind[4]), int(kind[6]) + 1) for _, kind in indices]
    for values in itertools.product(*ranges):
        texts = [guard, update]
        for (name, _), value in zip(indices, values):
            texts = [re.sub(rf"\b{name}\b", str(value), text) for text in texts]
        yield kept, written_out(texts[0]), flat(texts[1])


def model(declarations, edges):
    rows = [[]]
    for edge in edges:
        if edge is None:
            rows.append([])
            continue
        labels = {'select': edge[0], 'guard': edge[1], 'assignment': edge[2]}
        rows[-1].append(('l', 'l', {kind: text for kind, text in labels.items() if text}))
    templates = [(name, '', '', ['l'], row) for name, row in zip('PQ', rows)]
    return xml(declarations, templates, f"system {', '.join('PQ'[:len(rows)])};")


def merged(varabs, folder, text, merges, removed):
    """Text, states, steps and whether it is exact."""
    with open(f"{folder}/in.xml", 'w', encoding='utf-8') as file:
        file.write(text)
    arguments = [varabs, 'in.xml', '--may', '-o', 'out.xml', '--report', 'out.json']
    for name, merge in merges.items():
        arguments += ['--merge', f"{name}:{merge}"]
    for name in removed:
        arguments += ['--remove', name]
    subprocess.run(arguments, cwd=folder, timeout=60, check=True, capture_output=True)
    network = load_network(f"{folder}/out.xml")
    first = len(network.processes)
    order = sorted(range(len(network.slots)), key=lambda slot: network.slots[slot])

    def named(state):
        return state[:first] + tuple(state[first + slot] for slot in order)
    states = explore(network, 10000).states
    steps = {(named(state), named(target)) for state in states
             for _, target in network.successors(state)[0]}
    with open(f"{folder}/out.json", encoding='utf-8') as file:
        report = json.load(file)
    with open(f"{folder}/out.xml", encoding='utf-8') as file:
        return file.read(), len(states), steps, report['exact']


def judge(task):
    """(seed, outcome, message)"""
    varabs, seed = os.path.abspath(task[0]), task[1]
    declarations, edges, merges, removed, states, is_exact = MODELS[(seed - 1) % len(MODELS)]
    scalars = [edge and list(one_for_each_index(edge)) for edge in edges]
    scalars = [edge for part in scalars for edge in (part or [None])]
    with tempfile.TemporaryDirectory() as folder:
        array = merged(varabs, folder, model(declarations, edges), merges, removed)
        scalar = merged(varabs, folder, model(declared(declarations), scalars),
                        {name: written_out(text) for name, text in merges.items()}, removed)
    if array[1] != states or array[3] != is_exact:
        return seed, 'failed', f"states: {array[1]}, exact: {array[3]}, not {states}, {is_exact}"
    if re.search(r'kind="select"[^>]*>[^<]*\bc_', array[0]) or re.search(r'\bc\b', array[0]):
        return seed, 'failed', 'cells: the output still names cells'
    if array[1:3] != scalar[1:3] or (scalar[3] and not array[3]):
        return seed, 'failed', f"scalars: {scalar[1]} states, {len(scalar[2])} steps, " \
            f"{len(array[2])} with an array; exact: {scalar[3]}, {array[3]}"
    return seed, 'passed', ''


if __name__ == '__main__':
    seeds.main(judge, __doc__, 1)
