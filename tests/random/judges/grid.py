#!/usr/bin/env python3
"""Random test: the tables of `varabs grid` say what the oracle finds.

usage: grid.py --varabs PROGRAM --seeds A..B [--jobs N] [--keep DIR]

A random model with queries gets a grid of some removals, of both kinds. The numbers of states and errors and the verdicts of
its first row are those that the oracle finds in the original, those of each other row what it finds in the abstraction, which
`varabs IN.xml --remove` writes; and a verdict that is said to carry over is that of the original. Of models with runtime errors
only the figures count.
"""

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from generators.generate import generate_queried
from oracle.equal import Equal
from oracle.uppaal_parse import ModelError
from oracle.uppaal_query import SEMANTICS, Graph, Query, decide, queries_of
from oracle.uppaal_run import explore, load_network
from oracle.uppaal_runtime import Budget
from tools import seeds
from tools.limit import run_limited

MOST_STATES = 3000


class Wrong(Exception):
    """What the table says is not so."""


class Refused(Exception):
    """There is no table of such a model."""


class Found:
    """What the oracle finds in a model."""

    def __init__(self, network, explored, semantics):
        graph, equal = Graph(network, explored), Equal(network, explored)
        self.states, _, _, self.errors = equal.counts
        self.is_settled = equal.same_steps
        self.answers = []
        for query in queries_of(network):
            if isinstance(query, Query):
                self.answers.append(equal.settle(decide(graph, query, semantics), query))
            else:
                self.answers.append(None)  # it cannot be parsed or evaluated


def shown(bounds):
    """The bounds of an answer as the table has them."""
    texts = []
    for low, high in bounds:
        values = [str(value) for value in (low, high) if value is not None]
        texts.append('..'.join(values) or 'none')
    return ', '.join(texts)


class Table:
    """One model and its grid."""

    def __init__(self, varabs, folder, rng, timeout):
        self.varabs, self.folder, self.timeout = varabs, folder, timeout
        self.semantics = rng.choice(SEMANTICS)
        self.compared = 0
        names = [v['name'] for v in json.loads(self.run('info', 'model.xml', '--json', '-').stdout)
                 ['variables'] if v['removable']]
        rng.shuffle(names)
        self.removals = names[:2] + ([','.join(names[:2])] if len(names) > 1 else [])
        if not self.removals:
            raise Refused('nothing can be removed')

    def run(self, *words):
        done = run_limited([self.varabs, *words], self.timeout, cwd=self.folder,
                           capture_output=True, text=True)
        if done.returncode < 0 or done.returncode > 5:
            raise Wrong(f"status {done.returncode}: {done.stderr}")
        return done

    def rows(self):
        words = [word for name in self.removals for word in ('--remove', name)]
        done = self.run('grid', 'model.xml', *words, '--may', '--must', '--jobs', '1', '--semantics',
                        self.semantics, '--json', '-')
        if not done.stdout:
            raise Refused(done.stderr)
        return json.loads(done.stdout)['rows']

    def output_of(self, row):
        """What the oracle finds in the abstraction of a row, with the removal alone."""
        done = self.run('model.xml', '--remove', row['name'], f"--{row['mode']}", '-o', 'out.xml',
                        '--report', 'out.json')
        if done.returncode:
            return None
        network = load_network(os.path.join(self.folder, 'out.xml'))
        return Found(network, explore(network, MOST_STATES), self.semantics)

    def figures(self, row, found):
        said = (int(row['states_text']), int(row['errors_text']))
        if found.is_settled and said != (found.states, found.errors):
            raise Wrong(f"{row['name']}: {said} states and errors, not "
                        f"{(found.states, found.errors)}")
        self.compared += found.is_settled

    def answers(self, row, answers):
        """Those of the model of the row; queries that it lost have none."""
        entries = [entry for entry in row['queries'] if entry['verdict'] is not None]
        if len(entries) != len(answers):
            raise Wrong(f"{row['name']}: {len(entries)} verdicts, not {len(answers)}")
        for entry, answer in zip(entries, answers):
            self.answer(row, entry, answer)

    def answer(self, row, entry, answer):
        if answer is None:
            return
        if entry['verdict'] not in answer.verdicts:
            raise Wrong(f"{row['name']}: {entry['verdict']}, not {answer.verdicts}")
        if entry['verdict'] != 'unknown' and answer.bounds and \
                entry.get('value') != shown(answer.bounds):
            raise Wrong(f"{row['name']}: {entry.get('value')}, not {shown(answer.bounds)}")
        self.compared += 1

    def judge(self, original):
        rows = self.rows()
        if [row['name'] for row in rows] != \
                ['original'] + [name for name in self.removals for _ in range(2)]:
            raise Wrong('other rows than those asked for')
        for row in rows:
            if row['problem']:
                continue
            found = original if row['mode'] is None else self.output_of(row)
            if found is None:
                raise Wrong(f"{row['name']}: there is such a row, and no such abstraction")
            self.figures(row, found)
            self.answers(row, found.answers)
            if row['mode'] is not None and not original.errors:
                self.claims(row, original)

    def claims(self, row, original):
        """What carries over is so of the original."""
        if row['no_runtime_errors'] == 'broken':
            raise Wrong(f"{row['name']}: the original has no runtime errors")
        for entry, answer in zip(row['queries'], original.answers):
            if entry['carries_over']:
                self.answer(row, entry, answer)


def judge(task):
    varabs, seed, keep, timeout = task
    rng = random.Random(seed)
    folder = tempfile.mkdtemp()
    try:
        text, network, explored = generate_queried(seed)
        with open(os.path.join(folder, 'model.xml'), 'w', encoding='utf-8') as file:
            file.write(text)
        table = Table(os.path.abspath(varabs), folder, rng, timeout)
        table.judge(Found(network, explored, table.semantics))
    except Budget:
        return seed, 'too large', ''
    except subprocess.TimeoutExpired:
        return seed, 'slow', ''
    except (Refused, ModelError) as error:
        return seed, 'refused', str(error)
    except Wrong as error:
        if keep:
            shutil.copy(os.path.join(folder, 'model.xml'), os.path.join(keep, f'{seed}.xml'))
        return seed, 'failed', str(error)
    finally:
        shutil.rmtree(folder)
    return seed, 'passed' if table.compared else 'nothing to compare', ''


if __name__ == '__main__':
    sys.exit(seeds.main(judge, __doc__, 0.5))
