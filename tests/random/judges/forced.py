#!/usr/bin/env python3
"""Random test: models of one run (`varabs check --run-model`) can do that run and nothing else.

usage: forced.py --varabs PROGRAM --seeds A..B [--jobs N] [--timeout SECONDS] [--keep DIR]

For every seed a random model with queries is generated, in turns with
broadcasts, values handed over, computed indices and functions.  Each model of a
run is explored naively: it must have the run that the result shows, with its
processes, edges, selects and values, and as many states and steps as that.
What is refused must be said to be; seeds of which nothing is forced are counted
apart.
"""

import json
import os
import subprocess
import tempfile
from judges.engines import OWN_WAYS, WAYS, formulas
from generators.generate import generate_queried
from judges.replay import Replay, Wrong, need
from oracle.uppaal_parse import ModelError
from oracle.uppaal_query import Graph
from oracle.uppaal_run import explore, load_network
from oracle.uppaal_runtime import Budget
from tools import seeds

OBSERVER = 'run_step'
REFUSED = 'this run cannot be forced'


def with_observer(trace):
    """The run as the model of it has it."""
    last, loop = len(trace['states']) - 1, trace.get('loop')
    for place, state in enumerate(trace['states']):
        back = loop is not None and place == last
        state['values'][OBSERVER] = loop if back else place
    return trace


def judge_model(path, trace):
    """Raises Wrong."""
    network = load_network(path)
    explored = explore(network, len(trace['states']) + 1)
    steps = len(trace['steps'])
    need(explored.transitions == steps and not explored.error_count,
         f'{explored.transitions} steps, not {steps}')
    need(len(explored.states) == steps + (trace.get('loop') is None),
         f"{len(explored.states)} states for {steps} steps")
    Replay(network, explored, Graph(network, explored)).run(with_observer(trace))


def run(varabs, folder, text, semantics, timeout):
    """(JSON, messages), and a file run.N.xml for each run"""
    path, queries = os.path.join(folder, 'model.xml'), os.path.join(folder, 'all.q')
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)
    with open(queries, 'w', encoding='utf-8') as file:
        file.write('\n'.join(formulas(text)) + '\n')
    done = subprocess.run(
        [varabs, 'check', path, '--queries', queries, '--json', '-', '--trace',
         '--semantics', semantics, '--msc', os.path.join(folder, 'run.svg'),
         '--run-model', os.path.join(folder, 'run.xml')],
        capture_output=True, text=True, timeout=timeout)
    return (json.loads(done.stdout) if done.stdout else None), done.stderr


def judge_all(result, messages, folder):
    """How many models were made; raises Wrong."""
    made = refused = 0
    for number, query in enumerate(result['queries'], 1):
        trace = query.get('trace')
        path = os.path.join(folder, f'run.{number}.xml')
        if not trace or not os.path.exists(path):
            need(not os.path.exists(path), f'query {number} has a model, but no run')
            refused += trace is not None
            continue
        need(os.path.exists(os.path.join(folder, f'run.{number}.svg')),
             f'query {number} has no chart')
        try:
            judge_model(path, trace)
        except (ModelError, Budget) as error:
            raise Wrong(f'query {number}: {error}') from error
        except Wrong as error:
            raise Wrong(f'query {number}: {error}') from error
        made += 1
    need(not refused or REFUSED in messages, f'{refused} missing: {messages}')
    return made, refused


def judge(task):
    """(seed, outcome, message)"""
    varabs, seed, keep, timeout = task
    way = WAYS[seed % len(WAYS)]
    try:
        text = (OWN_WAYS[way](seed) if way in OWN_WAYS else
                generate_queried(seed, way=way)[0])
    except Budget:
        return seed, 'large', ''
    with tempfile.TemporaryDirectory() as folder:
        if keep:
            folder = os.path.join(keep, str(seed))
            os.makedirs(folder, exist_ok=True)
        semantics = ('uppaal', 'kripke')[seed // len(WAYS) % 2]
        try:
            result, messages = run(varabs, folder, text, semantics, timeout)
        except subprocess.TimeoutExpired:
            return seed, 'slow', ''
        if not result:
            return seed, 'none', ''
        try:
            made, refused = judge_all(result, messages, folder)
        except Wrong as error:
            return seed, 'failed', str(error)
    return seed, 'passed' if made else 'unforced' if refused else 'none', ''


if __name__ == '__main__':
    seeds.main(judge, __doc__, 1 / 2)
