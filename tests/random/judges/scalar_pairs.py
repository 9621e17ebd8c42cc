"""Do merges over arrays do what the same merges over scalars do?

usage: judges/scalar_pairs.py [--varabs PROGRAM] [--seeds FIRST..LAST] [--jobs N]

Small models that people would write, one for each seed: a tally, a hand of cards, records, rows,
two indices, quantifiers.  Each is written over an array, and over variables c_0, c_1, .. with an
edge for each index.  Both are merged: they must have the same states and steps, as many states as
is written here, and the both are exact where that is written here.  No output names cells.  The steps
are those of the coarsest abstraction, which has one for every tuple of cells.
"""

import io
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


def count(value):
    return f"int[0,3]=sum(k : {T}) (c[k] == {value})"


I, J = f"i : {T}", f"j : {T}"
CELLS = 'int[0,2] c[3];'
STAGES = CELLS + ' int[0,4] x;'
ONE, TWO = {'m': count(2)}, {'m': count(2), 't': count(1)}


def fill(guard, update):
    return 'a : int[0,2], b : int[0,2], d : int[0,2]', guard, 'c[0] = a, c[1] = b, c[2] = d' + update


BITS = ('bool c[3]; bool x;', [(I, '!c[i]', 'c[i] = true'), ('', f"forall(k : {T}) c[k]", 'x = true')])
TAKEN = [[(I, 'c[i] == 0', f"c[i] = {own}", 'lk'), (I, f"c[i] == {own}", 'c[i] = 0', 'kk'),
          ('', '', '', 'kl')] for own in (1, 2)]
SHARED = (CELLS, [*TAKEN[0], None, *TAKEN[1]])
POINTED = 'int[0,2] c[3]; int[0,2] k; int[0,3] x;'

# Declarations, edges (selects, guard, update, ends; those of Q behind None), merges, what is removed,
# states before, states of the coarsest merge, and whether it is exact
MODELS = [
    (STAGES, [fill('x == 0', ', x = 1'), (I, 'x == 1 && c[i] == 2', 'c[i] = 0, x = 2')],
     ONE, (), 47, 8, True),
    (CELLS, [(f"{I}, v : {T}", '', 'c[i] = v')], ONE, (), 27, 4, True),
    (STAGES, [fill('x == 0', ', x = 1'), (I, 'x > 0 && c[i] == 2', 'c[i] = 1, x++')],
     ONE, (), 55, 11, True),
    (CELLS + ' int[0,1] x;', [(I, 'c[i] > 0', 'c[i]--, x = 0'), (I, 'c[i] < 2', 'c[i]++, x = 1')],
     {'m': f"int[0,6]=sum(k : {T}) c[k]"}, (), 52, 12, True),
    (STAGES, [fill('x == 0', ', x = 1'), (I, 'x > 0 && x < 4 && c[i] == 2', 'c[i] = 0, x++'),
              (I, 'x > 0 && x < 4 && c[i] == 0', 'c[i] = 2, x++')],
     {'m': f"bool=exists(k : {T}) c[k] == 2"}, (), 106, 9, False),
    (*BITS, {'m': f"int[0,3]=sum(k : {T}) c[k]"}, (), 9, 5, True),
    (*BITS, {'m': f"bool=forall(k : {T}) c[k]"}, (), 9, 3, False),
    ('struct { bool u; int[0,2] v; } c[3]; int[0,3] x;',
     [(f"{I}, v : {T}", '!c[i].u', 'c[i].u = v == 2, c[i].v = v'),
      (I, 'x < 3 && c[i].u && c[i].v == 2', 'c[i].u = false, c[i].v = 0, x++')],
     {'m': f"int[0,3]=sum(k : {T}) (c[k].u && c[k].v == 2)"}, (), 108, 16, True),
    (CELLS + ' int[0,2] x;', [(I, 'c[i] == 0', 'c[i] = 1'), (I, 'c[i] == 1', 'c[i] = 2'),
                              (I, 'c[i] == 2', 'c[i] = 0, x = (x + 1) % 3')], TWO, (), 81, 30, True),
    (STAGES + ' int[0,2] last;',
     [fill('x == 0', ', x = 1'), (I, 'x > 0 && c[i] == 2', 'c[i] = 1, last = i, x++')],
     ONE, ('last',), 73, 11, True),
    ('bool c[2][3]; int[0,3] x;',
     [(f"i : int[0,1], {J}", '!c[i][j]', 'c[i][j] = true'),
      (f"i : int[0,1], {J}", 'x < 3 && c[i][j]', 'c[i][j] = false, x++')],
     {'m': f"int[0,6]=sum(r : int[0,1]) sum(k : {T}) c[r][k]"}, (), 256, 28, True),
    (*SHARED, TWO, (), 108, 40, True),
    (*SHARED, {'m': count(0)}, (), 108, 16, False),
    (POINTED, [fill('x == 0', ', x = 1'), (I, 'x == 1', 'k = i, x = 2'),
               ('v : int[0,1]', 'x == 2 && c[k] == 2', 'c[k] = v, x = 3')],
     {'m': 'bool=c[k] == 2', 's': count(2)}, (), 163, 16, True),
    (STAGES, [fill('x == 0', ', x = 1'),
              (f"{I}, {J}", 'x > 0 && c[i] == 2 && c[j] == 1', 'c[i] = 1, c[j] = 0, x++')],
     TWO, (), 43, 15, True),
    (CELLS + ' int[0,1] x;', [fill('x == 0', ''),
                              ('', f"x == 0 && forall(k : {T}) c[k] < 2",
                               ', '.join(f"c[{k}] = c[{k}] == 1 ? 2 : 0" for k in range(3)) + ', x = 1')],
     TWO, (), 35, 14, True),
    (CELLS + ' int[0,2] x; bool is_full;',
     [fill('!is_full', ', is_full = true'),
      (I, 'is_full && x == 0 && c[i] == 2', 'c[i] = 0, x = i')], ONE, (), 46, 11, False),
]


def flat(text):
    """c[1].u as c_1_u."""
    return re.sub(r'c\[(\d)\](?:\[(\d)\])?(?:\.(\w))?',
                  lambda found: '_'.join(['c', *filter(None, found.groups())]), text)


def written_out(text):
    """A quantifier over the rest of a text as a chain."""
    found = re.search(r'(sum|forall|exists)\(([kr]) : int\[0,(\d)\]\) ', text)
    if not found:
        return flat(text.replace('c[k]', '(k == 0 ? c[0] : k == 1 ? c[1] : c[2])'))
    join = {'sum': ' + ', 'forall': ' && ', 'exists': ' || '}[found[1]]
    body = text[found.end():]
    return flat(text[:found.start()]) + '(' + join.join(
        '(' + written_out(body.replace(f"[{found[2]}]", f"[{k}]")) + ')'
        for k in range(int(found[3]) + 1)) + ')'


def declared(text):
    array, rest = text.split(';', 1) if 'struct' not in text else text.split('} ', 1)[1].split(';', 1)
    if 'struct' in text:
        return ''.join(f"bool c_{k}_u; int[0,2] c_{k}_v;" for k in range(3)) + rest
    kind, sizes = array.split(' c')
    places = itertools.product(*(range(int(size)) for size in re.findall(r'\d+', sizes)))
    return ''.join(f"{kind} c_{'_'.join(map(str, place))};" for place in places) + rest


def one_for_each_index(edge):
    selects, guard, update, *ends = edge
    if 'c[k]' in guard + update and '(k' not in guard + update: # a variable of the model
        for value in range(3):
            texts = [text.replace('c[k]', f"c[{value}]") for text in (f"k == {value} && {guard}", update)]
            yield selects, *map(flat, texts), *ends
        return
    parts = [part.split(' : ') for part in re.findall(r'\w : int\[\d,\d\]', selects)]
    indices = [part for part in parts if f"[{part[0]}]" in guard + update]
    kept = ', '.join(' : '.join(part) for part in parts if part not in indices)
    ranges = [range(int(kind[4]), int(kind[6]) + 1) for _, kind in indices]
    for values in itertools.product(*ranges):
        texts = [guard, update]
        for (name, _), value in zip(indices, values):
            texts = [re.sub(rf"\b{name}\b", str(value), text) for text in texts]
        yield kept, written_out(texts[0]), flat(texts[1]), *ends


def model(declarations, edges):
    rows = [[]]
    for edge in edges:
        if edge is None:
            rows.append([])
            continue
        labels = {'select': edge[0], 'guard': edge[1], 'assignment': edge[2]}
        ends = edge[3] if len(edge) > 3 else 'll'
        rows[-1].append((*ends, {kind: text for kind, text in labels.items() if text}))
    templates = [(name, '', '', sorted({end for row in row for end in row[:2]}, reverse=True), row)
                 for name, row in zip('PQ', rows)]
    return xml(declarations, templates, f"system {', '.join('PQ'[:len(rows)])};")


def value_of(text, values):
    """What a merge is for values of slots by name."""
    found = re.search(r'(sum|forall|exists)\(([kr]) : int\[0,(\d)\]\) ', text)
    if found:
        parts = [value_of(text[found.end():].replace(f"[{found[2]}]", f"[{k}]"), values)
                 for k in range(int(found[3]) + 1)]
        return int({'sum': sum, 'forall': all, 'exists': any}[found[1]](parts))
    if 'c[k]' in text:
        text = text.replace('c[k]', f"c[{values['k']}]")
    text = re.sub(r'c\[\d\](?:\[\d\])?(?:\.\w)?', lambda path: str(values[path[0]]), text)
    return int(eval(text.replace('&&', ' and ')))  # pylint: disable=eval-used


class Coarsest:
    """The abstraction with a step for every tuple of what goes."""

    def __init__(self, text, merges, removed):
        self.network, self.merges = load_network(io.StringIO(text)), merges
        self.first, self.are_bits = len(self.network.processes), 'bool c[' in text
        self.gone = [n for n, slot in enumerate(self.network.slots)
                     if slot.startswith('c[') or slot in removed or
                     (slot == 'k' and any('c[k] ' in merge and '(k' not in merge for merge in merges.values()))]
        self.names = sorted({slot for n, slot in enumerate(self.network.slots) if n not in self.gone} | set(merges))

    def image(self, state):
        values = dict(zip(self.network.slots, state[self.first:]))
        return state[:self.first] + tuple(
            value_of(self.merges[name].partition('=')[2], values) if name in self.merges else values[name]
            for name in self.names)

    def members(self, state):
        ranges = [range(2 if self.are_bits or self.network.slots[n].endswith('.u') else 3) for n in self.gone]
        for values in itertools.product(*ranges):
            other = list(state)
            for n, value in zip(self.gone, values):
                other[self.first + n] = value
            if self.image(tuple(other)) == self.image(state):
                yield tuple(other)

    def steps(self):
        known = {self.image(self.network.initial): self.network.initial}
        left, found = list(known), set()
        while left:
            image = left.pop()
            for state in self.members(known[image]):
                for _, target in self.network.successors(state)[0]:
                    found.add((image, self.image(target)))
                    if self.image(target) not in known:
                        known[self.image(target)] = target
                        left.append(self.image(target))
        return found


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
    declarations, edges, merges, removed, before, states, is_exact = MODELS[(seed - 1) % len(MODELS)]
    scalars = [edge and list(one_for_each_index(edge)) for edge in edges]
    scalars = [edge for part in scalars for edge in (part or [None])]
    original = model(declarations, edges)
    size = len(explore(load_network(io.StringIO(original)), 10000).states)
    if size != before:
        return seed, 'failed', f"original: {size} states, not {before}"
    with tempfile.TemporaryDirectory() as folder:
        array = merged(varabs, folder, original, merges, removed)
        scalar = merged(varabs, folder, model(declared(declarations), scalars),
                        {name: written_out(text) for name, text in merges.items()}, removed)
    if array[1] != states or array[3] != is_exact:
        return seed, 'failed', f"states: {array[1]}, exact: {array[3]}, not {states}, {is_exact}"
    if re.search(r'kind="select"[^>]*>[^<]*\bc_', array[0]) or re.search(r'\bc\b', array[0]):
        return seed, 'failed', 'cells: the output still names cells'
    if array[2] != Coarsest(original, merges, removed).steps():
        return seed, 'failed', 'steps: they are not those of the coarsest abstraction'
    if array[1:3] != scalar[1:3] or scalar[3] != array[3]:
        return seed, 'failed', f"scalars: {scalar[1]} states, {len(scalar[2])} steps, " \
            f"{len(array[2])} with an array; exact: {scalar[3]}, {array[3]}"
    return seed, 'passed', ''


if __name__ == '__main__':
    seeds.main(judge, __doc__, 1)
