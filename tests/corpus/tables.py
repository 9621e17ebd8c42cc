#!/usr/bin/env python3
"""Make the abstractions of the paper's tables 2 and 3 with varabs.

usage: tables.py VARABS SHARED

Abstractions 1, 2 and 3 of the postal models, made with --may and with --must,
must have the state counts of table 2, as they are exact, and those made with
--must=lower the counts of table 3, up to TABLE_STATES of them (environment,
100000), or of each Nth of them where GROUPS_EVERY=N is set, beginning where CASES_AT=K says.  Prints a line `ok` or `FAIL ...` for each abstraction.
"""

import csv
import json
import os
import subprocess
import sys
import tempfile
from multiprocessing.pool import ThreadPool

MEMORIES = ('--remove', 'Voter.mem_sg,Voter.mem_vt')
DECISIONS = ('--remove', 'Voter.mem_dec@id0,end',
             '--remove', 'Authority.dec_recv@coll_vts')
REMOVALS = {'a1': MEMORIES, 'a2': DECISIONS, 'a3': MEMORIES + DECISIONS}
MODES = (('may', 'table2_may'), ('must', 'table2_may'),
         ('must=lower', 'table3_must'))


def jobs(postal, most):
    """(size, abstraction, mode, printed count)"""
    for mode, table in MODES:
        with open(f'{postal}/{table}.csv', encoding='ascii') as file:
            for row in csv.DictReader(file):
                size = f"{row['voters']}_{row['candidates']}"
                for name in REMOVALS:
                    count = row[name + '_states']
                    if count != 'memout' and float(count) < most:
                        yield size, name, mode, float(count)


def states(varabs, model, name, mode, folder):
    """The number of states of an abstraction."""
    out = f'{folder}/out.xml'
    made = subprocess.run(
        [varabs, model, *REMOVALS[name], f'--{mode}', '-o', out,
         '--report', f'{folder}/out.json'],
        capture_output=True, text=True, timeout=60, check=False)
    if made.returncode:
        return made.stderr.strip()
    with open(f'{folder}/out.json', encoding='utf-8') as file:
        exact = json.load(file)['exact']
    if exact != (mode != 'must=lower'):
        return f'exact is {exact}'
    run = subprocess.run([varabs, 'check', out, '--full', '--json', '-'],
                         capture_output=True, text=True, timeout=120,
                         check=False)
    return json.loads(run.stdout)['states']


def line(varabs, postal, size, name, mode, count):
    with tempfile.TemporaryDirectory() as folder:
        found = states(varabs, f'{postal}/c/c_{size}.xml', name, mode, folder)
    if isinstance(found, int) and f'{found:.2e}' == f'{count:.2e}':
        return 'ok'
    return f"FAIL {name} of {size}, --{mode}: {found}, printed {count:g}"


def main():
    varabs, shared = sys.argv[1:]
    postal = os.path.join(shared, 'models/postal')
    most = int(os.environ.get('TABLE_STATES', 100000))
    every = int(os.environ.get('GROUPS_EVERY', 1))
    sampled = list(jobs(postal, most))[int(os.environ.get('CASES_AT', 0)) % every::every]
    with ThreadPool(2) as pool:
        for text in pool.imap(lambda job: line(varabs, postal, *job),
                              sampled):
            print(text, flush=True)


if __name__ == '__main__':
    main()
