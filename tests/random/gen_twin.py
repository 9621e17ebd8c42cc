"""Small models in which two variables are always the same, and what is computed
of them never is what it would be for others: a value that the analysis does not
expect is no reason to take it for one that it does."""

from small_models import xml

SAME = ['{0} == {1}', '!({0} < {1} || {0} > {1})', '{0} - {1} == 0',
        'not ({0} != {1})', '{0} >= {1} && {1} >= {0}']


def twins(rng):
    """(XML text, names of what is to be removed)"""
    most = rng.choice([1, 1, 2])
    usual, other = rng.randint(0, 1), rng.randint(4, 5)
    kept = rng.randint(0, most)
    same = rng.choice(SAME).format(*rng.sample(['x', 'k'], 2))
    reset = {'assignment': 'x = 0, k = 0, y = 0'}
    edges = [
        ('A', 'B', {'select': f"i : int[0,{most}]", 'assignment': 'x = i, k = x'}),
        ('B', 'C', {'assignment': f"y = {same} ? {usual} : {other}"}),
        ('B', 'C', {'select': "j : int[0,3]", 'assignment': 'y = j'}),
        ('C', 'D', {'guard': f"k == {kept}", 'assignment': 'v = 0'}),
        ('C', 'D', {'guard': 'y == 2', 'assignment': 'v = 1 - v'}),
        ('C', 'C', {'guard': 'y == 3', 'assignment': 'v = 1 - v'}),
        ('D', 'A', dict(reset))]
    if rng.random() < 0.5:
        edges.append(('C', 'D', {'guard': f"y == {other}", 'assignment': 'v = 1'}))
    edges.append(('C', 'A', dict(reset)))
    if rng.random() < 0.3:
        edges.append(('B', 'A', {'guard': f"v == {rng.randint(0, 1)}",
                                 **reset}))
    local = f"int[0,{most}] x; int[0,{most}] k;"
    formulas = ['A[] v == 0', f"E<> T0.k == {kept}"]
    return xml("int[0,5] y; int[0,1] v;",
               [("T0", "", local, list('ABCD'), edges)], "system T0;",
               formulas), ['T0.x']
