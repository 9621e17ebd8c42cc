"""Changes to a generated model that make rare things common: invariants that
tell values of a local variable apart, values that are handed over within a
step and gone behind it, updates that go on with what a function has written,
variables with so many values that the analysis keeps intervals, locations
where a process waits for another one, updates that would fail if what is
removed did not go with something visible, functions that go through an array,
and indices that are outside an array where nothing is read.  For merges alone:
values that do not fit until they are handed over, and rows of tables."""

from generators.gen_expr import Type, Var
from generators.gen_model import Channel
from generators.gen_pad import add_label

# how often each is tried
LIKELY = {'invariant': 0.25, 'transfer': 0.25, 'call': 0.1, 'many': 0.05,
          'wait': 0.1, 'stack': 0.05, 'loop': 0.05, 'offer': 0.05,
          'outside': 0.1}
KEPT_APART = 32  # values of a visible variable that the analysis tells apart


def plain_edges(template):
    """Edges that no branchpoint is part of."""
    return [edge for edge in template.edges
            if edge.source not in template.branchpoints
            and edge.target not in template.branchpoints]


def declare(model, template, kind):
    """The name of a new local variable, which starts with 0."""
    name = model.fresh('w')
    template.decls.append(f"{kind.text} {name};")
    template.locals.append(template.scope.add(Var(name, kind, start=0)))
    return name


def local(rng, model, template):
    """A local number, a new one where there is none."""
    found = [var for var in template.locals
             if var.type.kind == 'int' and not var.meta
             and var.type.high - var.type.low < 4]
    if found and rng.random() < 0.7:
        return rng.choice(found)
    high = rng.randint(1, 2)
    declare(model, template, Type('int', f"int[0,{high}]", 0, high))
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
        if rng.random() < 0.3:
            add_label(edge, 'guard', ' && ', f"{name} == 0")
        if rng.random() < 0.9:
            add_label(edge, 'assignment', ', ', f"{name} = 0")
    return name


def add_call(rng, model):
    """A function that writes a variable, itself or through a parameter, in
    updates that need the value before or behind it, and where the variable that
    is not kept is back at 0 in the end."""
    template = rng.choice(model.templates)
    edges = plain_edges(template)
    if not edges:
        return None
    high, function = rng.randint(1, 2), model.fresh('f')
    kind = Type('int', f"int[0,{high}]", 0, high)
    one, two, three = (declare(model, template, kind) for _ in range(3))
    if rng.random() < 0.5:
        value = rng.choice([str(high), f"{high} - {two}"])
        template.decls.append(f"void {function}() {{ {one} = {value}; }}")
        text = f"{function}(), {three} = {one}"
    else:
        template.decls.append(
            f"void {function}({kind.text} &p) {{ p = {high} - p; }}")
        text = f"{one} = {two}, {function}({two}), {three} = {one}"
    for edge in rng.sample(edges, min(len(edges), 2)):
        add_label(edge, 'assignment', ', ', f"{text}, {one} = 0")
    return f"{template.name}.{one}"


def add_many(rng, model):
    """A variable with just too many values to tell them apart, the greatest of
    which let another one change."""
    template = rng.choice(model.templates)
    edges = plain_edges(template)
    if not edges:
        return None
    high, value = KEPT_APART + rng.randint(0, 2), model.fresh('s')
    bit = Type('int', 'int[0,1]', 0, 1)
    many = declare(model, template,
                   Type('int', f"int[0,{high}]", 0, high))
    one, copy = (declare(model, template, bit) for _ in range(2))
    edge = rng.choice(edges)
    add_label(edge, 'select', ', ', f"{value} : int[0,{high}]")
    add_label(edge, 'assignment', ', ', f"{many} = {value}")
    edge = rng.choice(edges)
    add_label(edge, 'guard', ' && ', f"{many} >= {KEPT_APART}")
    add_label(edge, 'assignment', ', ', f"{one} = 1")
    add_label(rng.choice(edges), 'assignment', ', ', f"{copy} = {one}")
    return f"{template.name}.{one}"


def add_wait(rng, model):
    """A location that is left only together with a process that a local
    variable lets in or keeps out; committed, urgent, or on an urgent channel."""
    template, other = (rng.choice(model.templates) for _ in range(2))
    place = rng.randrange(len(template.locations))
    waiting = [edge for edge in plain_edges(template)
               if edge.source == place and edge.sync is None]
    edges = plain_edges(other)
    free = [edge for edge in edges
            if edge.sync is None and edge not in waiting]
    if not waiting or not free:
        return None
    channel = Channel(model.fresh('c'), rng.choice(['', 'urgent ']), [], '')
    model.decls.insert(0, f"{channel.prefix}chan {channel.name};")
    if template.locations[place].mark is None:
        template.locations[place].mark = rng.choice(
            ['committed', 'committed', 'urgent', None])
    var = local(rng, model, other)
    for edge in edges:
        if rng.random() < 0.4:
            set_on_edge(rng, model, edge, var)
    for edge in waiting:
        add_label(edge, 'synchronisation', '', channel.name + '!')
        edge.sync = (channel, '!')
    for edge in rng.sample(free, min(len(free), 2)):
        add_label(edge, 'synchronisation', '', channel.name + '?')
        add_label(edge, 'guard', ' && ', f"{var.name} =="
                  f" {rng.randint(var.type.low, var.type.high)}")
        edge.sync = (channel, '?')
    return f"{other.name}.{var.name}"


def declare_anywhere(rng, model, template, text):
    """A new variable, local or global; its name."""
    name = model.fresh('w')
    if rng.random() < 0.5:
        template.decls.append(text.format(name))
    else:
        model.decls.insert(0, text.format(name))
    return name


def add_stack(rng, model):
    """An array that is a stack, its height, and another variable with the same
    value, which guards look at."""
    template = rng.choice(model.templates)
    edges = plain_edges(template)
    if len(edges) < 2:
        return None
    size, function = rng.randint(1, 3), model.fresh('f')
    cells = declare_anywhere(rng, model, template,
                             f"int[0,1] {{}}[{size}];")
    number, seen = (declare_anywhere(rng, model, template,
                                     f"int[0,{size}] {{}};") for _ in '12')
    body = rng.choice([f"{cells}[{number}++] = 1;",
                       f"{number}++; {cells}[{number} - 1] = 1;"])
    template.decls.append(f"void {function}() {{ {body} }}")
    template.decls.append(f"void {function}a(int[0,{size - 1}] at)"
                          f" {{ {cells}[at] = 1; }}")
    template.decls.append(
        f"void {function}b() {{ int i; {number} -= 1;"
        f" for (i = 0; i < {number}; i++) {cells}[i] = {cells}[i + 1];"
        f" {cells}[{number}] = 0; }}")
    pushes = [f"{cells}[{number}++] = 1", f"{function}()",
              f"{function}a({number}), {number}++",
              f"{cells}[{number}] = 1, {number} = {number} + 1"]
    pops = [f"{cells}[--{number}] = 0", f"{function}b()",
            f"{number}--, {cells}[{number}] = 0"]
    push, pop = rng.sample(edges, 2)
    add_label(push, 'guard', ' && ', f"{seen} < {size}")
    add_label(push, 'assignment', ', ', f"{rng.choice(pushes)}, {seen}++")
    add_label(pop, 'guard', ' && ', f"{seen} > 0")
    add_label(pop, 'assignment', ', ', f"{rng.choice(pops)}, {seen}--")
    return number if f"int[0,{size}] {number};" in model.decls \
        else f"{template.name}.{number}"


def add_offer(rng, model):
    """A number that a sender chooses so that it goes together with a local
    variable of the receiver."""
    edges = [(template, edge) for template in model.templates
             for edge in plain_edges(template) if edge.sync is None]
    if len(edges) < 2:
        return None
    (_, sender), (template, receiver) = rng.sample(edges, 2)
    channel = Channel(model.fresh('c'), '', [], '')
    offer, seen = model.fresh('h'), model.fresh('h')
    model.decls.insert(0, f"chan {channel.name}; int[0,2] {offer}, {seen};")
    name, cells = model.fresh('w'), model.fresh('w')
    template.decls.append(f"int[0,2] {name}; int[0,2] {cells}[3];")
    add_label(sender, 'synchronisation', '', channel.name + '!')
    add_label(sender, 'assignment', ', ', f"{offer} = 2 - {seen}")
    add_label(receiver, 'synchronisation', '', channel.name + '?')
    way = rng.choice([f"{cells}[{offer} + {name}] = {name}",
                      f"{cells}[0] = {offer} + {name}",
                      f"{cells}[{name}] = 2 / (3 - {offer} - {name})"])
    add_label(receiver, 'select', ', ', f"{name}s : int[0,2]")
    add_label(receiver, 'assignment', ', ',
              f"{way}, {name} = {name}s, {seen} = {name}s, {offer} = 0")
    sender.sync, receiver.sync = (channel, '!'), (channel, '?')
    return f"{template.name}.{name}"


def add_handover(rng, model):
    """A number that is too large for the receiver until the sender writes a
    smaller one in the same step."""
    edges = [(template, edge) for template in model.templates
             for edge in plain_edges(template) if edge.sync is None]
    if len(edges) < 2:
        return None
    (giver, sender), (template, receiver) = rng.sample(edges, 2)
    channel = Channel(model.fresh('c'), '', [], '')
    name, taker, high = model.fresh('h'), model.fresh('w'), rng.randint(1, 3)
    model.decls.insert(0, f"chan {channel.name}; int[0,{high}] {name};")
    template.decls.append(f"int[0,{high - 1}] {taker};")
    for edge in plain_edges(giver):
        if edge.target == sender.source and edge is not sender:
            add_label(edge, 'assignment', ', ', f"{name} = {high}")
    add_label(sender, 'synchronisation', '', channel.name + '!')
    add_label(sender, 'assignment', ', ', f"{name} = {rng.randrange(high)}")
    add_label(receiver, 'synchronisation', '', channel.name + '?')
    add_label(receiver, 'assignment', ', ', f"{taker} = {name}")
    sender.sync, receiver.sync = (channel, '!'), (channel, '?')
    return name


def add_table(rng, model):
    """A local number that picks a row of a table, of which a guard asks one column."""
    template = rng.choice(model.templates)
    edges = plain_edges(template)
    if not edges:
        return None
    table, row = model.fresh('t'), model.fresh('w')
    rows = list(zip(*(rng.sample(range(3), 3) for _ in range(2))))
    text = '{' + ', '.join(f"{{{a}, {b}}}" for a, b in rows) + '}'
    kind, column = rng.choice([('int', f"[{rng.randint(0, 1)}]"), ('struct', '.f'), ('struct', '.g')])
    model.decls.insert(0, f"const int {table}[3][2] = {text};" if kind == 'int' else
                       f"const struct {{ int[0,2] f; int[0,2] g; }} {table}[3] = {text};")
    template.decls.append(f"int[0,2] {row} = {rng.randint(0, 2)};")
    for edge in rng.sample(edges, min(len(edges), 2)):
        add_label(edge, 'assignment', ', ', f"{row} = {rng.choice(['0', '1', '2', f'({row} + 1) % 3'])}")
    add_label(rng.choice(edges), 'guard', ' && ',
              f"{table}[{row}]{column} {rng.choice(['==', '!=', '>'])} {rng.randint(0, 1)}")
    return f"{template.name}.{row}"


def loop_body(rng, name, size, other):
    """(result, statements) of a function that looks at every cell."""
    test = rng.choice([f"{name}[i] == p", f"!{name}[i]", f"{name}[i] < p",
                       f"{name}[i] + {other} > p"])
    head = rng.choice([f"for (i : int[0,{size - 1}])",
                       f"for (i = 0; i < {size}; i++)", 'while (i < K)'])
    declared = '' if head.startswith('for (i :') else 'int i = 0; '
    step = ' i++;' if head.startswith('while') else ''
    head = head.replace('K', str(size))
    last = rng.choice(['true', 'false', f"{other} > 0"])
    if rng.random() < 0.4:
        return 'bool', f"{declared}{head} {{ if ({test}) return" \
            f" {rng.choice(['true', 'false'])};{step} }} return {last};"
    if rng.random() < 0.4:
        text = f"if ({test}) n++; else if (n > 0) n--;"
        if rng.random() < 0.5:
            text = f"if ({test}) n = n + 1;"
        return f"int[0,{size}]", \
            f"int[0,{size}] n; {declared}{head} {{ {text}{step} }} return n;"
    return 'bool', f"bool b = {last}; {declared}{head} {{ if ({test})" \
        f" {{ if (b) return true; b = !b; }}{step} }} return !b;"


def add_loop(rng, model):
    """An array whose cells edges set, and a function over all of them that
    guards and updates call."""
    template = rng.choice(model.templates)
    edges = plain_edges(template)
    if not edges:
        return None
    size, high, function = rng.randint(1, 4), rng.randint(1, 2), model.fresh('f')
    name = declare_anywhere(rng, model, template,
                            f"int[0,{high}] {{}}[{size}];")
    seen = declare_anywhere(rng, model, template, f"int[0,{size}] {{}};")
    result, text = loop_body(rng, name, size, seen)
    template.decls.append(f"{result} {function}(int p) {{ {text} }}")
    template.decls.append(
        f"bool {function}a(int[0,{high}] p) {{ int n; if (p > 0) n ="
        f" {function}(p); else n = {function}(0) + 1; return n > {seen}; }}")
    for edge in rng.sample(edges, min(len(edges), 4)):
        way = rng.randint(0, 3)
        call = rng.choice([f"{function}({rng.randint(0, high)})",
                           f"{function}a({rng.randint(0, high)})"])
        if way == 0:
            add_label(edge, 'guard', ' && ', rng.choice(['!', '']) + call)
        elif way == 1:
            add_label(edge, 'assignment', ', ', f"{seen} = {call} ? 1 : 0")
        else:
            add_label(edge, 'assignment', ', ', f"{name}["
                      f"{rng.randrange(size)}] = {rng.randint(0, high)}")
    return name if f"int[0,{high}] {name}[{size}];" in model.decls \
        else f"{template.name}.{name}"


def add_outside(rng, model):
    """An array whose cells differ, read behind a test of its index, which
    perhaps goes with it."""
    template = rng.choice(model.templates)
    edges = plain_edges(template)
    if not edges:
        return None
    size, name = rng.randint(2, 3), model.fresh('a')
    cells = ', '.join(str(rng.randint(0, 2)) for _ in range(size))
    template.decls.append(f"int[0,2] {name}[{size}] = {{{cells}}};")
    index = model.fresh('i')
    template.decls.append(f"int[0,{size + 1}] {index};")
    inside, value = f"{index} < {size}", rng.randint(0, 2)
    cell = f"{name}[{index}]"
    if rng.random() < 0.5:
        edge = rng.choice(edges)
        add_label(edge, 'assignment', ', ',
                  f"{name}[{rng.randrange(size)}] = {value}")
    for edge in rng.sample(edges, min(len(edges), 2)):
        add_label(edge, 'guard', ' && ', rng.choice(
            [f"({index} >= {size} || {cell} == {value})",
             f"({inside} imply {cell} != {value})",
             f"!({inside} && {cell} > {value})",
             f"({inside} ? {cell} == {value} : {rng.randint(0, 1)})"]))
        if rng.random() < 0.5:
            add_label(edge, 'assignment', ', ',
                      f"{index} = {inside} ? {cell} : 0")
    add_label(rng.choice(edges), 'assignment', ', ',
              f"{index} = ({index} + 1) % {size + 2}")
    both = f",{template.name}.{index}" if rng.random() < 0.4 else ''
    return f"{template.name}.{name}{both}"


def add_rare(rng, model):
    """Perhaps one of these changes: the variable it is about, or None."""
    ways = {'invariant': add_invariant, 'transfer': add_transfer,
            'call': add_call, 'many': add_many, 'wait': add_wait,
            'stack': add_stack, 'loop': add_loop, 'offer': add_offer,
            'outside': add_outside}
    way = rng.random()
    for name, likely in LIKELY.items():
        if way < likely:
            return ways[name](rng, model)
        way -= likely
    return None
