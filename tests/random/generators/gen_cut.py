"""Small models with functions of which parts are only for the record of r: branches
without braces around them, and locals that rest on other locals (V14)."""

from generators.small_models import xml

CONDITIONS = ['a', 'b', '!a', 'j == 1', 'k > 0', 'a && b']
SEEN = ['x = 1;', 'x = 2;', 'x = 3;', 'x = a ? 1 : 2;', 'y = 1 - y;']
RECORD = ['r = b;', 'r = j;', 'r++;', 'r = k;', 'k = r;', 'k = 5;', 'm = k;', 'r = m;', 'm = r > 0;', 'if (r < 2) r++;']
STARTS = ['0', '1', 'k', 'r', 'm', 'k + 1', 'r > k']


def local(rng, names):
    kind, name = rng.choice(names)
    return f"{kind} {name} = {rng.choice([text for text in STARTS if name not in text])};"


def statement(rng, depth):
    way = rng.random()
    if not depth or way < 0.12:
        return rng.choice(SEEN if rng.random() < 0.5 else RECORD)
    if way < 0.7:
        text = f"if ({rng.choice(CONDITIONS)}) {statement(rng, depth - 1)}"
        return text + (f" else {statement(rng, depth - 1)}" if rng.random() < 0.75 else '')
    if way < 0.78:
        return f"for (j : int[0,1]) {statement(rng, depth - 1)}"
    return block(rng, depth - 1)


def block(rng, depth, names=(('int', 'k'), ('int', 'n'), ('int[0,1]', 'm'), ('bool', 'm'))):
    parts = [statement(rng, depth) for _ in range(rng.choice([1, 2, 2, 3]))]
    found = {}
    for text in [local(rng, names) for _ in range(rng.choice([0, 1, 2, 3]))]:
        found.setdefault(text.split()[1], text)
    return f"{{ {' '.join([*found.values(), *parts])} }}"


def cut(rng):
    """(XML text, hidden variables)."""
    function = f"void act(bool a, bool b, int k) {block(rng, 3, [('int', 'n'), ('int[0,1]', 'm')])}"
    edges = [('A', 'A', {'select': 'i : int[0,2]', 'assignment': 'act(i > 0, i > 1, 5)'}), ('A', 'A', {'assignment': 'x = 0'})]
    return xml(f"int[0,3] x, y; int r, j, k = {rng.choice('19')}, m; {function}", [('T0', '', '', ['A'], edges)],
               'system T0;', [f"A[] {rng.choice(['x < 2', 'x != 1', 'x < 3 && y == 0'])}"]), ['r']
