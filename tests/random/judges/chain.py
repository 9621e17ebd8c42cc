"""Several removals at once against one after the other.

A may-abstraction made in one run must not have more states than the one that
single runs make, each from the output of the one before; a must-abstraction
not fewer, where these leave out nothing: else the next one sees less that
could go wrong.  A claim that relies on there being no runtime errors says
nothing about the states of a model that has some.
"""

import json
import os
from tools.limit import run_limited
from oracle.uppaal_parse import ModelError
from oracle.uppaal_run import explore, load_network
from oracle.uppaal_runtime import Budget


def check_chain(options, model, out, case, command):
    """What is wrong, or None; command(model, out, report, name) is a run."""
    folder = os.path.dirname(out)
    for number, name in enumerate(case.names):
        after = os.path.join(folder, f"chain{number}.xml")
        done = run_limited(command(model, after, after + '.json', name),
                           options.timeout, capture_output=True, text=True)
        if done.returncode != 0:
            return None
        with open(after + '.json', encoding='utf-8') as file:
            report = json.load(file)
        if case.mode == 'must' and not report['exact']:
            return None
        if 'relies_on' in report:
            return None
        model = after
    try:
        one, chain = (len(explore(load_network(path),
                                  options.max_states * 10).states)
                      for path in (out, model))
    except (ModelError, Budget):
        return None
    is_worse = one > chain if case.mode == 'may' else one < chain
    return f"{one} states, {chain} one by one" if is_worse else None
