"""Changes to a generated model that make rare things common: invariants that
tell values of a local variable apart, and values that are handed over within a
step and gone behind it."""

from gen_expr import Type, Var
from gen_pad import add_label

LIKELY = 0.25    # of each


def plain_edges(template):
    """Edges that no branchpoint is part of."""
    return [edge for edge in template.edges
            if edge.source not in template.branchpoints
            and edge.target not in template.branchpoints]


def local(rng, model, template):
    """A local number, a new one where there is none."""
    found = [var for var in template.locals
             if var.type.kind == 'int' and not var.meta
             and var.type.high - var.type.low < 4]
    if found and rng.random() < 0.7:
        return rng.choice(found)
    name, high = model.fresh('w'), rng.randint(1, 2)
    kind = Type('int', f"int[0,{high}]", 0, high)
    template.decls.append(f"{kind.text} {name};")
    template.locals.append(template.scope.add(Var(name, kind, start=0)))
    return template.locals[-1]


def visible(rng, model, template, var):
    """Something else to compare with, or a number."""
    others = [v.name for v in model.globals
              if v.type.kind == 'int' and not v.meta
              and template.scope.vars.get(v.name, v) is v]
    if others and rng.random() < 0.6:
        return rng.choice(others)
    return str(rng.randint(var.type.low, var.type.high))


def set_on_edge(rng, model, edge, var):
    """Some value, known or not, for a variable behind the update."""
    if rng.random() < 0.5:
        value = model.fresh('s')
        add_label(edge, 'select', ', ',
                  f"{value} : int[{var.type.low},{var.type.high}]")
    else:
        value = str(rng.randint(var.type.low, var.type.high))
    add_label(edge, 'assignment', ', ', f"{var.name} = {value}")


def add_invariant(rng, model):
    """A location with an invariant over a local variable that is set on the
    edges to it, or long before."""
    template = rng.choice(model.templates)
    places = [i for i, loc in enumerate(template.locations)
              if i and loc.invariant is None]
    if not places:
        return None
    place, var = rng.choice(places), local(rng, model, template)
    for edge in plain_edges(template):
        if rng.random() < (0.5 if edge.target == place else 0.25):
            set_on_edge(rng, model, edge, var)
    test = f"{var.name} {rng.choice(['<=', '!=', '=='])}" \
           f" {visible(rng, model, template, var)}"
    if rng.random() < 0.4:
        test += rng.choice([' || ', ' && ']) + \
            f"{visible(rng, model, template, var)} {rng.choice(['<=', '>='])} 1"
    template.locations[place].invariant = test
    return f"{template.name}.{var.name}"


def add_transfer(rng, model):
    """A global variable that senders on some channel write and receivers take
    over and reset."""
    pairs = [(template, edge) for template in model.templates
             for edge in plain_edges(template)
             if edge.sync and not edge.sync[0].broadcast]
    if not pairs:
        return None
    channel = rng.choice(pairs)[1].sync[0]
    name, high = model.fresh('h'), rng.randint(1, 2)
    kind = Type('int', f"int[0,{high}]", 0, high)
    model.decls.insert(0, f"{kind.text} {name};")
    var = Var(name, kind, start=0)
    model.globals.append(var)
    for template, edge in pairs:
        if edge.sync[0] is not channel:
            continue
        if edge.sync[1] == '!':
            set_on_edge(rng, model, edge, var)
            continue
        taker = local(rng, model, template)
        if taker.type.low <= 0 and taker.type.high >= high:
            add_label(edge, 'assignment', ', ', f"{taker.name} = {name}")
        if rng.random() < 0.9:
            add_label(edge, 'assignment', ', ', f"{name} = 0")
    return name


def add_rare(rng, model):
    """Perhaps one of these changes: the variable it is about, or None."""
    way = rng.random()
    if way < LIKELY:
        return add_invariant(rng, model)
    return add_transfer(rng, model) if way < 2 * LIKELY else None
