#!/usr/bin/env python3
"""The oracle in the role of the program: explore a model, decide its queries
and print what `varabs check --json -` would print.

usage: naive_check.py check MODEL.xml [--semantics S] [--trace] [--query Q]
       [ignored...]

It always explores everything.  Made for trying run.py on, and for looking at
what the oracle thinks.
"""

import os
import argparse
import json
import sys
from collections import deque
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))  # a program
from judges.replay import Replay, expects_trace
from oracle.uppaal_query import (RANGES, SEMANTICS, Graph, Query, decide,
                                 queries_of)
from oracle.uppaal_parse import ModelError
from oracle.uppaal_run import explore, load_network
from oracle.uppaal_runtime import Budget

sys.setrecursionlimit(20000)


class Tracer:
    """Makes traces from the explored graph."""

    def __init__(self, network, explored, graph):
        self.network, self.explored, self.graph = network, explored, graph
        self.replay = Replay(network, explored, graph)

    def path(self, start, allowed, goal):
        """States on a shortest way from start to a goal, inside a set; with
        a goal equal to start, a way of at least one step."""
        parents, queue = {}, deque([start])
        while queue:
            number = queue.popleft()
            for other in self.graph.next[number]:
                if other not in parents and other in allowed:
                    parents[other] = number
                    queue.append(other)
                    if other in goal:
                        way = [other]
                        while len(way) == 1 or way[-1] != start:
                            way.append(parents[way[-1]])
                        return way[::-1]
        return None

    def to(self, goal):
        """From the initial state to a goal."""
        return [0] if 0 in goal else self.path(0, self.graph.depth, goal)

    def endless(self, start, inside, semantics):
        """(states, loop, end) of a run that stays inside."""
        graph = self.graph
        dead = {n for n in inside if graph.dead[n]}
        idle = {n for n in inside if graph.idle[n] and semantics == 'uppaal'}
        for end, goal in (('deadlock', dead), ('idle', idle)):
            way = [start] if start in goal else self.path(start, inside, goal)
            if way:
                return way, None, end
        for first in sorted(inside):
            way = [start] if start == first \
                else self.path(start, inside, {first})
            ring = self.path(first, inside, {first})
            if way and ring:
                return way + ring[1:], len(way) - 1, None
        return None

    def trace(self, query, answer, semantics, verdict):
        """The trace that proves a verdict."""
        graph, holds = self.graph, answer.holds
        kind = 'witness' if verdict == 'satisfied' else 'counterexample'
        if query.kind in ('E<>', 'A[]'):
            wanted = query.kind == 'E<>'
            way = self.to({n for n, ok in enumerate(holds[0])
                           if ok is wanted})
            return self.json(kind, way, None, None)
        avoid = holds[-1] if query.kind == 'E[]' \
            else [not ok for ok in holds[-1]]
        inside = graph.lasting(avoid, semantics)
        before = [0]
        if query.kind == '-->':
            before = self.to({n for n in inside if holds[0][n]})
        way, loop, end = self.endless(before[-1], inside, semantics)
        loop = None if loop is None else loop + len(before) - 1
        return self.json(kind, before + way[1:], loop, end)

    def json(self, kind, way, loop, end):
        steps = []
        for number, other in zip(way, way[1:]):
            target = self.graph.states[other]
            steps.append(next(
                self.step(parts) for parts, reached
                in self.explored.steps[number] if reached == target))
        return {'kind': kind, 'steps': steps, 'loop': loop, 'end': end,
                'states': [self.replay.state_text(n) for n in way]}

    def step(self, parts):
        """A step as the program writes it."""
        return [self.part(*part) for part in parts]

    def part(self, path, values, channel):
        process = self.network.processes[path.process]
        name = process.location_name
        part = {'process': process.name,
                'edges': [edge.index for edge in path.edges],
                'source': name(process.number[path.edges[0].source]),
                'target': name(path.target),
                'selects': dict(zip(path.select_names, values))}
        if path.mark:
            part['channel'] = self.network.channels[channel][0] + path.mark \
                if channel is not None else '?'
        return part

    def first_error(self):
        """The first runtime error, or None."""
        for number in range(len(self.graph.states)):
            for parts, error in self.explored.errors[number]:
                trace = self.json('error', self.to({number}), None, None)
                trace['steps'].append(self.step(parts))
                return {'message': str(error), 'position': '',
                        'trace': trace}
        return None


def show_query(tracer, query, options):
    """The JSON object of a query."""
    if not isinstance(query, Query):
        return {'formula': query[0], 'verdict': 'unknown',
                'semantics': options.semantics, 'problem': query[1]}
    answer = decide(tracer.graph, query, options.semantics)
    verdict = min(answer.verdicts - {'unknown'}, default='unknown')
    shown = {'formula': query.text, 'verdict': verdict,
             'semantics': options.semantics}
    if verdict == 'unknown':
        shown['problem'] = answer.problem or 'evaluation fails'
    if query.kind in RANGES:
        shown['bounds'] = [{'lower': low, 'upper': high}
                           for low, high in answer.bounds]
    if options.trace and expects_trace(query, verdict):
        shown['trace'] = tracer.trace(query, answer, options.semantics,
                                      verdict)
    return shown


def report(network, explored, options):
    """(JSON object, exit status) of a check."""
    tracer = Tracer(network, explored, Graph(network, explored))
    shown = [show_query(tracer, query, options)
             for query in queries_of(network)
             if not options.query or query.text == options.query]
    verdicts = {query['verdict'] for query in shown}
    return {'states': len(explored.states),
            'transitions': explored.transitions,
            'deadlocks': explored.deadlocks, 'errors': explored.error_count,
            'is_complete': True, 'limit': None,
            'first_error': tracer.first_error(), 'queries': shown}, \
        3 if 'unknown' in verdicts else 1 if 'violated' in verdicts else 0


def main():
    parser = argparse.ArgumentParser(
        description="Explore a model and decide its queries.")
    parser.add_argument('command', choices=['check'])
    parser.add_argument('model')
    parser.add_argument('--semantics', choices=SEMANTICS, default='uppaal')
    parser.add_argument('--trace', action='store_true')
    parser.add_argument('--query', help="one of those of the model")
    options, _ = parser.parse_known_args()
    try:
        network = load_network(options.model)
        output, status = report(network, explore(network), options)
    except ModelError as error:
        print(f"{options.model}: {error}", file=sys.stderr)
        return 3
    except Budget as error:
        print(f"{options.model}: {error}", file=sys.stderr)
        return 5
    print(json.dumps(output, indent=1))
    return status


if __name__ == '__main__':
    sys.exit(main())
