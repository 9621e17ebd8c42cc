#!/usr/bin/env python3
"""Generate a small random Uppaal model that is valid by construction.

usage: generate.py SEED [-o FILE] [--vars FILE] [--queries] [--no-FEATURE]...

Writes the model to FILE or standard output.  --vars writes the names of all
variables, array cells and struct fields that could be removed, one per line
(`x` for globals, `Template.x` for locals).  --queries adds queries about
reachable states.  The same seed and options always give the same model.
"""

import argparse
import io
import random
import re
import sys
from generators.gen_between import between
from generators.gen_branch import add_branches
from generators.gen_count import counting
from generators.gen_cut import cut
from generators.gen_expr import FEATURES
from generators.gen_flow import flowing
from generators.gen_hide import add_hiding
from generators.gen_key import keyed
from generators.gen_model import ModelGen
from generators.gen_pad import add_padding
from generators.gen_partner import lonely
from generators.gen_query import add_urgency, insert_queries, make_queries
from generators.gen_rare import add_handover, add_rare, add_table
from generators.gen_host import hosted
from generators.gen_trap import NAMED, SHIFTED, TRAPS, aliased, apart, outside, received
from generators.gen_twist import add_twist
from generators.gen_wait import waiting
from generators.gen_xml import text_of
from judges.judge import removed_slots
from oracle.uppaal_parse import ModelError
from oracle.uppaal_query import SEMANTICS, Graph
from oracle.uppaal_run import explore, load_network
from oracle.uppaal_runtime import Budget

WAITING_ATTEMPTS = 30
COUNTING_ATTEMPTS = 10
TWISTED = 0.5          # how often what is easily mistaken is added
BRANCHING = 0.1        # how often updates behind a branchpoint are
HIDING = 0.05
HIDING_FAILURES = 0.3  # in models that fail, where conditions are read in the original (X7)


def build(seed, disabled=(), way='plain', hiding=HIDING):
    """(model, names of variables worth removing) for a seed"""
    model = ModelGen(seed, set(FEATURES) - set(disabled))
    model.is_wide = way in ('wide', 'passing')
    model.is_passing = way == 'passing'
    model.build()
    name, names = None, []
    if 'rare' not in disabled:
        name = add_rare(random.Random(seed * 15485863 + 3), model)
        rng = random.Random(seed * 49979687 + 11)
        if way == 'merging' and rng.random() < 0.15:
            name = add_handover(rng, model) or name
        rng = random.Random(seed * 86028157 + 17)
        if way == 'merging' and rng.random() < 0.2:
            name = add_table(rng, model) or name
    rng = random.Random(seed * 86028121 + 7)
    if 'twist' not in disabled and rng.random() < TWISTED:
        names = add_twist(rng, model)
    rng = random.Random(seed * 67867967 + 13)
    if 'branchpoints' not in disabled and rng.random() < BRANCHING:
        names = add_branches(rng, model) or names
    if random.Random(seed * 141650939 + 37).random() < hiding:
        add_hiding(model)
    return model, names or ([name] if name else [])


def generate(seed, disabled=(), way='plain', hiding=HIDING):
    """(XML text, removable names, some more than once or two in one) for a
    seed."""
    model, worth = build(seed, disabled, way, hiding)
    names = model.candidates()
    return text_of(model), names + (worth * len(names))[:len(names)]


def generate_queried(seed, disabled=(), max_states=3000, way='plain', hiding=HIDING):
    """(XML text, network, exploration) of a model with queries about what it
    does; raises Budget.  Locations are made urgent, too, and every other model
    gets more variables if its state space allows."""
    return build_queried(seed, disabled, max_states, way, hiding)[1:]


def generate_wide(seed, disabled=(), max_states=3000, way='wide', hiding=HIDING):
    """(XML text, removable names) of a model with several processes of some
    templates, and queries; (None, []) if it gets too large.  With way
    'passing' they get variables by reference, and mostly these are named."""
    try:
        model, text, _, _ = build_queried(seed, disabled, max_states, way, hiding)
    except Budget:
        return None, []
    names = model.candidates()
    passed = [n for n in names if re.match(r'\w+', n)[0] in model.passed]
    return text, passed * 4 + names if way == 'passing' else names


def generate_waiting(seed, max_states=3000, way='plain'):
    """(XML text, removable names) of a small model in which some removals hide
    where runs end; their names come several times.  (None, []) if none is
    found.  With way 'merging' guards divide, too."""
    for number in range(WAITING_ATTEMPTS):
        model = waiting(seed * 1000 + number, way == 'merging')
        text = text_of(model)
        try:
            network = load_network(io.StringIO(text))
            explored = explore(network, max_states)
        except (Budget, ModelError):
            continue
        names = model.candidates()
        hiding = [name for name in names
                  if hides_ends(network, explored, name)]
        if hiding:
            return text, names + hiding * 4
    return None, []


def generate_counting(seed, max_states=3000):
    """(XML text, removable names) of a small model with counters; (None, []) if none with a few states is found."""
    for number in range(COUNTING_ATTEMPTS):
        model = counting(seed * 1000 + number)
        text = text_of(model)
        try:
            explored = explore(load_network(io.StringIO(text)), max_states)
        except (Budget, ModelError):
            continue
        if len(explored.states) > 3:
            return text, model.candidates() + model.worth * 4
    return None, []


def generate_flowing(seed):
    """(XML text, hidden variables, which are to be removed together)."""
    trap, rest = divmod(seed, 10)
    if rest == 9 and trap % 4 < len(TRAPS):
        return TRAPS[trap % 4](random.Random(seed * 15487469 + 23))
    if rest == 8 and trap % 4 < len(NAMED):
        return NAMED[trap % 4](random.Random(seed * 32452867 + 29))
    if rest == 7:
        return SHIFTED[trap % len(SHIFTED)](random.Random(seed * 15487469 + 31))
    if rest == 2 and trap % 4 == 1:
        return hosted(random.Random(seed * 15487469 + 41))
    if rest == 2 and trap % 4 == 3:
        return apart(random.Random(seed * 15487469 + 37))
    if rest == 2 and trap % 16 == 8:
        return aliased(random.Random(seed * 15487469 + 59))
    if rest == 2 and trap % 16 == 0 and trap > 16:
        return outside(random.Random(seed * 15487469 + 61))
    if rest == 2 and trap % 8 == 2:
        return cut(random.Random(seed * 15487469 + 47))
    if rest == 2 and trap % 8 == 4:
        return keyed(random.Random(seed * 15487469 + 53))
    if rest == 2 and trap % 8 == 6:
        return between(random.Random(seed * 15487469 + 43))
    if rest == 5 and trap % 16 == 8:
        return received(random.Random(seed * 15487469 + 67))
    if rest == 5 and trap % 2:
        return lonely(random.Random(seed * 15487469 + 41))
    model, names = flowing(seed)
    return text_of(model), names


def hides_ends(network, explored, name):
    """Whether runs end in some, not all of the states that look alike without
    a variable.  With priorities, which go then, other steps count, too."""
    removed = {len(network.processes) + slot
               for slot in removed_slots(network, [name])}

    def look(state):
        return tuple(v for i, v in enumerate(state) if i not in removed)
    graph, seen = Graph(network, explored), {}
    for number, (state, steps) in enumerate(zip(graph.states,
                                                explored.steps)):
        ends = [graph.ends(number, semantics) for semantics in SEMANTICS]
        if network.has_priorities:
            ends.append({look(target) for _, target in steps})
        if seen.setdefault(look(state), ends) != ends:
            return True
    return False


def build_queried(seed, disabled, max_states, way, hiding):
    """(model, XML text, network, exploration)."""
    rng = random.Random(seed * 104729 + 5)
    for pads in (True, False) if seed % 2 else (False,):
        model, _ = build(seed, disabled, way, hiding)
        add_urgency(rng, model)
        if pads:
            add_padding(rng, model)
        text = text_of(model)
        try:
            network = load_network(io.StringIO(text))
            explored = explore(network, max_states)
            break
        except Budget:
            if not pads:
                raise
    text = insert_queries(text, make_queries(rng, model, network, explored))
    network = load_network(io.StringIO(text))
    return model, text, network, explore(network, max_states)


def add_feature_options(parser):
    """One --no-FEATURE option each; the result is in options.disabled."""
    for feature in FEATURES + ['rare', 'twist']:
        parser.add_argument(f"--no-{feature}", dest='disabled',
                            action='append_const', const=feature,
                            help=argparse.SUPPRESS)
    parser.epilog = 'features: ' + ' '.join(FEATURES + ['rare', 'twist'])


def main():
    parser = argparse.ArgumentParser(
        description="Generate a small random Uppaal model.")
    parser.add_argument('seed', type=int)
    parser.add_argument('-o', '--output', metavar='FILE')
    parser.add_argument('--vars', metavar='FILE')
    parser.add_argument('--queries', action='store_true')
    add_feature_options(parser)
    options = parser.parse_args()
    text, names = generate(options.seed, options.disabled or ())
    if options.queries:
        text = generate_queried(options.seed, options.disabled or ())[0]
    if options.output:
        with open(options.output, 'w', encoding='utf-8') as file:
            file.write(text)
    else:
        sys.stdout.write(text)
    if options.vars:
        with open(options.vars, 'w', encoding='utf-8') as file:
            file.write(''.join(name + '\n' for name in dict.fromkeys(names)))
    elif options.output:
        print('\n'.join(dict.fromkeys(names)))
    return 0


if __name__ == '__main__':
    sys.exit(main())
