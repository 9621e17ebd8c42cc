"""What the lower construction of the paper (--must=lower) does, beside --must.

Nothing is claimed of it, so nothing can fail but the claim of exactness.  The
judge says whether its output is sound, that is a must-abstraction, and which
steps of reachable states the one output has and the other lacks.
"""

import os
from judges.judge import compare
from tools.limit import run_limited
from oracle.uppaal_parse import ModelError
from oracle.uppaal_run import explore, load_network


def steps_of(network, explored, slots):
    """Reachable steps, as pairs of states, on the given slots."""
    first = len(network.processes)
    keep = list(range(first)) + [first + network.slots.index(s)
                                 for s in slots]

    def seen(state):
        return tuple(state[i] for i in keep)
    return {(seen(state), seen(target))
            for state, number in explored.states.items()
            for _, target in explored.steps[number]}


def judge_lower(options, concrete, explored, out, words, case, deadline):
    """Judge the output of --must=lower; case.lower gets what was found."""
    lower = load_network(out)
    verdict = compare(concrete, explored, lower, case.names, 'must', deadline)
    sound = not {'must', 'initial'} & set(verdict.failures)
    case.lower['sound' if sound else 'unsound'] += 1
    other = os.path.join(os.path.dirname(out), 'must.xml')
    words = ['--must' if word == '--must=lower' else
             other if word == out else word for word in words]
    done = run_limited(words, options.timeout, capture_output=True, text=True)
    if done.returncode:
        case.lower['--must refused'] += 1
        return verdict
    must = load_network(other)
    most = options.max_states * 4
    slots = [slot for slot in must.slots if slot in lower.slots]
    ours = steps_of(must, explore(must, most, deadline), slots)
    theirs = steps_of(lower, explore(lower, most, deadline), slots)
    if ours - theirs:
        case.lower['--must kept steps that it lost'] += 1
    if theirs - ours:
        case.lower['it kept steps that --must lost, ' +
                   ('sound' if sound else 'unsound')] += 1
    if ours == theirs:
        case.lower['the same steps'] += 1
    return verdict
