#!/usr/bin/env python3
"""Explore a timed-free Uppaal model: a deliberately naive oracle.

usage: uppaal.py MODEL.xml [--max-states N] [--list]

Prints the numbers of reachable states, transitions, deadlocks and runtime
errors.  Shares nothing with the program under test.  Exit status: 0 done,
2 the input is not usable, 3 a limit ended the run.
"""

import argparse
import sys
from oracle.uppaal_run import explore, load_network
from oracle.uppaal_runtime import exit_on_error

sys.setrecursionlimit(20000)


def main():
    parser = argparse.ArgumentParser(
        description="Explore a timed-free Uppaal model.")
    parser.add_argument('model')
    parser.add_argument('--max-states', type=int, default=1000000)
    parser.add_argument('--list', action='store_true',
                        help="print every state, its steps and errors")
    options = parser.parse_args()
    with exit_on_error(options.model):
        network = load_network(options.model)
        result = explore(network, options.max_states)
    if options.list:
        for state, number in result.states.items():
            print(f"{number}: {network.show(state)}")
            for parts, target in result.steps[number]:
                print(f"  to {result.states[target]}\n"
                      f"{network.show_step(parts)}")
            for parts, error in result.errors[number]:
                print(f"  error: {error}\n{network.show_step(parts)}")
    print(f"states {len(result.states)}")
    print(f"transitions {result.transitions}")
    print(f"deadlocks {result.deadlocks}")
    print(f"errors {result.error_count}")
    return 0


if __name__ == '__main__':
    sys.exit(main())
