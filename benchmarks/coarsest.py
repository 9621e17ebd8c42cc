#!/usr/bin/env python3
"""coarsest.py [TEXT...] — how small could an exact abstraction of a model be at all?

The coarsest bisimulation that tells apart the locations of all processes and the truth of queries,
by comparing all states that are reached. An exact abstraction keeps both, and has at least as many
states as that has classes. Models are those of corpus.py, with one of these texts in their name;
they are explored by the judge of tests/random, which shares nothing with varabs: minutes for a
hundred thousand states, hours where one way through them is long. Writes the classes for each
query, and for all queries of a model ("all"), into by_query.json.
"""

import json
import os
import sys
import tempfile

import by_query
import corpus

sys.path.insert(0, os.path.join(corpus.ROOT, "tests", "random"))
from oracle.uppaal_parse import ModelError  # noqa: E402
from oracle.uppaal_query import Graph, Query, queries_of  # noqa: E402
from oracle.uppaal_run import explore, load_network  # noqa: E402
from oracle.uppaal_runtime import Budget  # noqa: E402

MOST_STATES = 200_000


def numbered(keys):
    """The same number for the same key."""
    numbers = {}
    return [numbers.setdefault(key, len(numbers)) for key in keys]


def classes(labels, successors):
    """How many classes the coarsest bisimulation has that tells labels apart."""
    found, count = numbered(labels), 0
    while max(found) + 1 > count:
        count = max(found) + 1
        found = numbered((own, frozenset(found[other] for other in others))
                         for own, others in zip(found, successors))
    return count


def study(path):
    """{number of a query, or "all": classes}; None if the model is too small or too large."""
    network = load_network(path)
    graph = Graph(network, explore(network, MOST_STATES))
    if len(graph.states) <= by_query.LEAST_STATES:
        return None
    successors = [set(others) for others in graph.next]
    places = [tuple(state[:len(network.processes)]) for state in graph.states]
    told = []
    for query in queries_of(network):
        if not isinstance(query, Query):  # varabs cannot read it either
            continue
        told.append(list(zip(places, *(graph.evaluate(tree, True) for tree in query.predicates),
                             *(graph.evaluate(tree, False) for tree in query.values))))
    found = {str(at): {"bisimulation": classes(labels, successors)}
             for at, labels in enumerate(told, 1)}
    return {"all": {"bisimulation": classes(zip(places, *told), successors)}, **found}


def main():
    known, texts = by_query.studied(), sys.argv[1:]
    with tempfile.TemporaryDirectory() as scratch:
        for name, path in corpus.models(os.path.join(corpus.SHARED, "models", "corpus"), scratch):
            if texts and not any(text in name for text in texts):
                continue
            try:
                found = study(path)
            except (ModelError, Budget) as error:
                print(f"{name}: {error}", flush=True)
                continue
            if found:
                print(f"{name}: {found}", flush=True)
                for number, figures in found.items():
                    known.setdefault(name, {}).setdefault(number, {}).update(figures)
                by_query.keep(known)


if __name__ == "__main__":
    main()
