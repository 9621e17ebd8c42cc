#!/usr/bin/env python3
"""Explore the models of tests/corpus/run.sh with `varabs check`.

usage: explore.py VARABS SHARED

The postal models must have the published numbers of states, up to
POSTAL_STATES of them (environment, 300000); other models must give the same
figures with one thread and with two, and small ones must agree with the naive
explorer of tests/random.  Of these it looks at each Nth where CASES_EVERY=N is
set (environment), of the postal models at each Nth where GROUPS_EVERY=N is, and
begins where CASES_AT=K says.  Prints a line `ok` or `FAIL ...` for each check.
"""

import csv
import json
import os
import re
import subprocess
import sys
from multiprocessing.pool import ThreadPool

HERE = os.path.dirname(os.path.abspath(__file__))
FIGURES = ('states', 'transitions', 'deadlocks', 'errors')
LIMITS = ('--max-states', '50000')
SMALL = 2000    # states that the naive explorer is asked about


def sample(cases, name):
    """Each Nth of the cases, if the environment says so."""
    every = int(os.environ.get(name, 1))
    return cases[int(os.environ.get('CASES_AT', 0)) % every::every]


class Wrong(Exception):
    """What is wrong with a model."""


class Explorer:
    """Checks files; each check gives lines."""

    def __init__(self, varabs, shared):
        self.varabs = varabs
        self.postal = os.path.join(shared, 'models/postal')
        self.corpus = os.path.join(shared, 'models/corpus')
        self.most = int(os.environ.get('POSTAL_STATES', 300000))
        self.small = []

    def check(self, path, *more):
        """The JSON object of a run that comes to an end."""
        words = [self.varabs, 'check', path, '--full', '--json', '-', *more]
        try:
            run = subprocess.run(words, capture_output=True, timeout=120,
                                 check=False)
        except subprocess.TimeoutExpired as error:
            raise Wrong("no answer") from error
        # 4 with an answer: a query that is none of ours; without, a refusal.
        if run.returncode not in (0, 1, 3, 4, 5) or not run.stdout:
            raise Wrong(f"status {run.returncode}: {run.stderr[-200:]}")
        return json.loads(run.stdout)

    # Postal voting

    def tables(self):
        """(file, printed count) of every model that is not too large."""
        for table, kind in (('table2_may', 'may'), ('table3_must', 'must')):
            with open(f'{self.postal}/{table}.csv', encoding='ascii') as file:
                for row in csv.DictReader(file):
                    size = f"{row['voters']}_{row['candidates']}"
                    names = {'concrete': f'c/c_{size}.xml'}
                    for name in ('a1', 'a2', 'a3'):
                        names[name] = f'{name}/{name}_{size}_{kind}.xml'
                    for name, path in names.items():
                        count = row[name + '_states']
                        if count != 'memout' and float(count) < self.most:
                            yield path, count

    def exact(self):
        """File: {figure: value}, of the figures that are known exactly."""
        known = {}
        with open(f'{self.postal}/../README.md', encoding='utf-8') as file:
            text = file.read()
        for row in re.findall(r'^\| (\d),(\d) \|(.*)\|$', text, re.M):
            counts = [int(cell) for cell in row[2].split('|')]
            names = ['c/c_{}_{}', 'a1/a1_{}_{}_may', 'a2/a2_{}_{}_may',
                     'a3/a3_{}_{}_may', 'a1/a1_{}_{}_must',
                     'a2/a2_{}_{}_must', 'a3/a3_{}_{}_must']
            for name, count in zip(names, counts + counts[-1:]):
                path = name.format(*row[:2]) + '.xml'
                known[path] = {'states': count}
        for size, count in re.findall(r'(\d,\d): (\d+)', text):
            path = f"c/c_{size.replace(',', '_')}.xml"
            known[path]['transitions'] = int(count)
        if len(known) < 42:
            raise Wrong("figures of the README are not found")
        return known

    def check_postal(self, job):
        path, count, known = job
        result = self.check(f'{self.postal}/{path}')
        if not result['is_complete']:
            raise Wrong(f"limit {result['limit']}")
        if result['errors']:
            raise Wrong(f"{result['errors']} errors")
        shown = f"{result['states']:.2e}"
        if float(shown) != float(f"{float(count):.2e}"):
            raise Wrong(f"{result['states']} states, printed {count}")
        for figure, value in known.items():
            if result[figure] != value:
                raise Wrong(f"{figure} {result[figure]}, not {value}")
        if any(query['verdict'] != 'satisfied'
               for query in result['queries']):
            raise Wrong("its own query is not satisfied")
        if not path.startswith('c/'):
            return
        given = self.check(f'{self.postal}/{path}', '--queries',
                           f'{self.postal}/queries.q')
        verdicts = [query['verdict'] for query in given['queries']]
        problems = [query.get('problem') for query in given['queries']]
        # the first one names tally_2 and tally_3
        wanted = 2 if path.endswith('_3.xml') else 1
        if problems.count(None) < wanted or 'unknown' in verdicts[-wanted:]:
            raise Wrong(f"queries.q: {verdicts} {problems}")

    # Other models

    def models(self):
        with open(f'{self.corpus}/index.csv', encoding='utf-8') as file:
            for row in csv.DictReader(file):
                if row['class'] == 'timed_free':
                    yield f"{self.corpus}/{row['file']}"

    def check_model(self, path):
        two = self.check(path, '--jobs', '2', *LIMITS)
        if not two['is_complete']:
            return
        one = self.check(path, '--jobs', '1', *LIMITS)
        for figure in FIGURES:
            if one[figure] != two[figure]:
                raise Wrong(f"{figure}: {one[figure]} {two[figure]}")
        if [(query['verdict'], query.get('bounds'))
                for query in one['queries']] != \
                [(query['verdict'], query.get('bounds'))
                 for query in two['queries']]:
            raise Wrong("verdicts differ")
        if one['states'] <= SMALL:
            self.small.append(path)

    def ask_oracle(self):
        """Lines of the comparison with the naive explorer."""
        if not self.small:
            return
        run = subprocess.run(
            [sys.executable, '-B', f'{HERE}/../random/run.py', '--varabs',
             self.varabs, '--mode', 'check', '--jobs', '2', '--max-states',
             str(SMALL), *self.small],
            capture_output=True, text=True, timeout=300, check=False)
        last = re.search(r'^(\d+) passed, (\d+) failed', run.stdout, re.M)
        if not last or int(last[1]) < len(self.small) // 2:
            yield f"FAIL naive explorer: {run.stdout[-500:]}{run.stderr}"
            return
        for line in re.findall(r'^seed (.*)', run.stdout, re.M):
            yield f"FAIL naive explorer: {line}"
        for _ in range(int(last[1])):
            yield 'ok'

    # All

    def line(self, job):
        function, argument = job
        try:
            function(argument)
        except Wrong as error:
            name = argument if isinstance(argument, str) else argument[0]
            return f"FAIL {os.path.basename(name)}: check: {error}"
        return 'ok'

    def run(self):
        jobs, known = [], self.exact()
        for path, count in self.tables():
            job = (path, count, known.get(path, {}))
            jobs.append((self.check_postal, job))
        jobs = sample(jobs, 'GROUPS_EVERY')
        jobs += [(self.check_model, path) for path in sample(list(self.models()), 'CASES_EVERY')]
        with ThreadPool(2) as pool:
            for line in pool.imap(self.line, jobs):
                print(line, flush=True)
        for line in self.ask_oracle():
            print(line)


if __name__ == '__main__':
    Explorer(*sys.argv[1:]).run()
