"""Removals in some processes only: `P(1;3).x`, `Q(2..).x`, `P1.x`.

The program gives such processes a template of their own, so that names of
processes change; its report says how. The processes must keep their order,
and what is left of a query must mean the same: see check_names.
"""

import re
from oracle.uppaal_parse import ModelError
from oracle.uppaal_query import Binder, Graph, queries_of
from oracle.uppaal_run import load_network


def split_name(name):
    """What stands before and behind the dot of P(1;3).x; ('', name) if there
    is no dot."""
    match = re.match(r'(\w+(?:\([^()]*\))?)\.(.*)', name)
    return match.groups() if match else ('', name)


def owners(network, owner):
    """The processes that the part of a removal before the first dot means;
    None if it is neither a template nor a process."""
    base, _, selection = owner.rstrip(')').partition('(')
    if not selection and base in {t.name for t in network.model.templates}:
        return [p for p in network.processes if p.template.name == base]
    found, known = [], False
    for process in network.processes:
        name, _, rest = process.name.rstrip(')').partition('(')
        values = [int(v) for v in rest.split(',')] if rest else []
        if name != base:
            continue
        known = True
        if not selection or all(
                any(holds(each, value) for each in part.split(';'))
                for part, value in zip(selection.split(','), values)):
            found.append(process)
    return found if known else None


def holds(selector, value):
    """Whether a value, a range or `..` covers a value."""
    low, dots, high = selector.partition('..')
    if not dots:
        return value == int(low)
    return (not low or value >= int(low)) and (not high or value <= int(high))


def select(rng, network, names):
    """Local variables of some processes in place of those of templates."""
    found = []
    for name in names:
        owner, rest = split_name(name)
        sets = {}
        for process in network.processes:
            if process.template.name == owner:
                base, _, values = process.name.rstrip(')').partition('(')
                sets.setdefault(base, []).append(
                    [int(v) for v in values.split(',')] if values else [])
        if not sets or rng.random() < 0.1:
            found.append(name)
            continue
        base = rng.choice(sorted(sets))
        parts = [selector(rng, sorted(set(column)))
                 for column in zip(*sets[base])]
        found.append(f"{base}({','.join(parts)}).{rest}" if parts
                     else f"{base}.{rest}")
    return found


def selector(rng, values):
    """One argument; values of scalars, which all sets of the generator have
    from 0 on, cannot be told apart: the program says so."""
    low, high = sorted((rng.choice(values), rng.choice(values)))
    return rng.choice([str(low), str(low), f"{low}..{high}", f"{low}..",
                       f"..{high}", '..', f"{low};{high}"])


def rename(abstract, concrete, report):
    """Gives the processes of an output the names that they had before."""
    new = report.get('split', {}).get('processes', {})
    if len(concrete.processes) != len(abstract.processes):
        raise ModelError("the number of processes differs")
    for before, after in zip(concrete.processes, abstract.processes):
        if new.get(before.name, before.name) != after.name:
            raise ModelError(f"{before.name} became {after.name}")
        if len(before.locations) != len(after.locations):
            raise ModelError(f"{before.name} has other locations")
        prefix = after.name + '.'
        abstract.slots[:] = [
            before.name + '.' + slot[len(prefix):]
            if slot.startswith(prefix) else slot for slot in abstract.slots]
        after.name, after.is_renamed = before.name, True


def values_of(network, states, query):
    """What the expressions of a query say in some states."""
    graph = Graph.__new__(Graph)
    graph.network, graph.states, graph.binder = network, states, Binder(network)
    graph.dead = [False] * len(states)
    return [graph.evaluate(tree, True) for tree in query.predicates] \
        + [graph.evaluate(tree, False) for tree in query.values]


def check_names(concrete, explored, out, alpha):
    """Queries that are left say of the image of a state what they said of the
    state: what is wrong, or None."""
    abstract = load_network(out)
    states = list(explored.states)
    images = [alpha(state) for state in states]
    old, new = (network.model.formulas for network in (concrete, abstract))
    if len(old) != len(new):
        return f"{len(old)} queries became {len(new)}"
    for before, after in zip(old, new):
        if not after.strip() or 'deadlock' in before:
            continue
        for left, right in zip(queries_of(concrete, [before]),
                               queries_of(abstract, [after])):
            try:
                if values_of(concrete, states, left) \
                        != values_of(abstract, images, right):
                    return f"{before} became {after}"
            except (ModelError, SyntaxError, AttributeError) as error:
                if isinstance(left, tuple):    # it could never be read
                    continue
                return f"{before} became {after}: {error}"
    return None
