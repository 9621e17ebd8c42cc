"""Runs rows of a table, each a judge with ranges of seeds, in processes that are forked from one which has read
what they share: starting Python and reading modules takes longer than judging a few seeds.

usage: batch.py --varabs PROGRAM [--jobs N] [--times N] [--every N] < TABLE

A row is `SCRIPT ARGUMENT...`; there `seeds FIRST COUNT` becomes --seeds, with as many times the seeds, or the
first Nth of them: what a judge wants to have seen in all, the first ones show.
Failures are said in the order of the table, and last what passed and failed in all.
"""

import argparse
import importlib
import os
import re
import runpy
import shlex
import sys
import tempfile
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
COUNTS = re.compile(r'^(\d+) passed, (\d+) failed$', re.MULTILINE)


def words_of(row, options):
    """The script and its arguments."""
    script, *words = shlex.split(row, comments=True)
    if 'seeds' in words:
        at = words.index('seeds')
        first, count = map(int, words[at + 1:at + 3])
        count *= options.times
        count = -(-count // options.every)
        words[at:at + 3] = ['--seeds', f'{first}..{first + count - 1}']
    return script, words


def read_modules(scripts):
    """Those that scripts import; the scripts themselves are run from the beginning each time."""
    sys.path[:1] = [HERE]
    importlib.import_module('run')
    for script in sorted(set(scripts)):
        if script.startswith('judges/'):
            importlib.import_module(script.replace('/', '.'))


def run_script(script, words, log):
    """In a process of its own: its number."""
    process = os.fork()
    if process:
        return process
    status = 1
    try:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
        path = os.path.join(HERE, script + '.py')
        sys.path.insert(0, os.path.dirname(path))
        sys.argv = [path, *words]
        runpy.run_path(path, run_name='__main__')
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # pylint: disable=broad-except
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except (OSError, ValueError):
                status = 1
        os._exit(status)


def say(row, text, status):
    """What failed; the numbers passed and failed."""
    counts = COUNTS.findall(text)
    passed, failed = map(int, counts[-1]) if counts else (0, 0)
    lines = text.splitlines()
    if not counts or (status and not failed):
        failed += 1
        print(*(f'FAIL {row}: died: {line}' for line in lines[-5:] or ['']), sep='\n')
    for line in lines if failed else ():
        is_said = line.startswith('FAIL') or re.match(r'seed \S+: (?!was refused: |warning: )', line)
        print(f"FAIL {row}: {line.removeprefix('FAIL ')}" if is_said else f'    {line}')
    sys.stdout.flush()
    return passed, failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--varabs', required=True)
    parser.add_argument('--jobs', type=int, default=os.cpu_count(), help='rows at a time')
    parser.add_argument('--times', type=int, default=1, help='as many seeds as the rows say')
    parser.add_argument('--every', type=int, default=1, help='an Nth part of them')
    options = parser.parse_args()
    rows = [words_of(row, options) for row in sys.stdin if row.split('#')[0].strip()]
    read_modules(script for script, _ in rows)
    running, ended, next_said = {}, {}, 0
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix='varabs-batch-') as folder:
        logs = [os.path.join(folder, str(at)) for at in range(len(rows))]
        begun = 0
        while next_said < len(rows):
            while begun < len(rows) and len(running) < options.jobs:
                script, words = rows[begun]
                with open(logs[begun], 'wb') as log:
                    running[run_script(script, ['--varabs', options.varabs, *words], log)] = begun
                begun += 1
            process, status = os.wait()
            if process in running:
                ended[running.pop(process)] = status
            while next_said in ended:
                script, words = rows[next_said]
                with open(logs[next_said], encoding='utf-8', errors='replace') as log:
                    counts = say(' '.join([script, *words]), log.read(), ended[next_said])
                passed, failed = passed + counts[0], failed + counts[1]
                next_said += 1
    print(f'{passed} passed, {failed} failed')
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
