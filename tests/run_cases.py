#!/usr/bin/env python3
"""run_cases.py DIRECTORY [--accept] [CASE...] — run cases that are directories of plain files.

A case is a directory holding
  model.xml      the input, and any other file the arguments name
  args           one line: the arguments of varabs, quoted as for a shell
and any of
  expected.xml   the model written to out.xml, to the byte
  expected.json  the report written to out.json, without `timing` and the version of the tool
  expected.out   standard output
  expected.err   standard error
  expected.states  states, transitions and deadlocks of the model that is written
  status         the exit status, 0 if there is no such file
  position       LINE:COLUMN at which the first error must be reported
The case is copied to a temporary directory and varabs runs there, so messages name model.xml
and nothing else. What is not expected by a file is not compared; expecting nothing is a mistake, and
so is a directory without arguments. A model that is written must be one that varabs reads.

--accept writes the expected files from what varabs does now. Read the difference before
committing. Standard output and error are recorded where they were before, or where there is no
model to compare, and states where they were. Environment: VARABS the program; CASES_EVERY=N only each
Nth case, beginning where CASES_AT=K says; READ_EVERY=N of the cases with an expected model only each Nth has
it read, too; READ=no if another run has read the models that are expected.
"""

import difflib
import os
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VARABS = os.path.abspath(os.environ.get('VARABS', os.path.join(ROOT, 'build/varabs')))
SECONDS = 60  # of processor time, for one run
OF_A_CASE = ('xml', 'json', 'out', 'err', 'states')
# What differs from run to run in a report: the last member of `tool` and the last of all.
VARYING = ((rb'\n  "\$schema": "[^"]*",', b''), (rb',\n    "version": "[^"]*"', b''),
           (rb',\n  "timing": \{[^}]*\}', b''))


def run(arguments, folder):
    """The status as a shell says it, standard output and error. Limits count processor time (see limit.sh)."""
    process = subprocess.Popen([VARABS, *arguments], cwd=folder, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        resource.prlimit(process.pid, resource.RLIMIT_CPU, (SECONDS, resource.RLIM_INFINITY))
    except ProcessLookupError:
        pass  # it has ended
    try:
        out, err = process.communicate(timeout=1800)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
    status = process.returncode
    return status if status >= 0 else 128 - status, out, err


def read(*path):
    """The bytes of a file, None if it is not there."""
    try:
        with open(os.path.join(*path), 'rb') as file:
            return file.read()
    except FileNotFoundError:
        return None


def plain_report(report):
    for pattern, text in VARYING:
        report = re.sub(pattern, text, report)
    return report


def states(folder):
    _, out, err = run(['check', '--full', 'out.xml'], folder)
    found = re.findall(rb'^(states|transitions|deadlocks) +(.*\n)', out + err, re.MULTILINE)
    return b''.join(name + b' ' + figure for name, figure in found)


def play(case, is_read=True):
    """Runs a case in a copy of it: the status, and what there is of each kind of file that can be expected."""
    with tempfile.TemporaryDirectory() as folder:
        for name in os.listdir(case):
            if name.startswith('expected.') or name in ('status', 'position'):
                continue
            path = os.path.join(case, name)
            copy = shutil.copytree if os.path.isdir(path) else shutil.copy
            copy(path, os.path.join(folder, name))
        with open(os.path.join(case, 'args'), encoding='utf-8') as file:
            arguments = shlex.split(file.read())
        status, out, err = run(arguments, folder)
        report = read(folder, 'out.json')
        got = {'xml': read(folder, 'out.xml'), 'json': report and plain_report(report), 'out': out, 'err': err}
        if os.path.exists(os.path.join(case, 'expected.states')):
            got['states'] = states(folder)
        known = not is_read and os.path.exists(os.path.join(case, 'expected.xml'))
        refusal = None
        if got['xml'] is not None and not known:
            refused, out, err = run(['info', '--budget', '1', 'out.xml'], folder)
            refusal = (out + err).decode(errors='replace').splitlines()[-1:] if refused else None
        return status, got, refusal


def accept(case, status, got):
    """Records what came out as what is expected."""
    for kind in OF_A_CASE:
        path = os.path.join(case, f'expected.{kind}')
        if kind in ('out', 'err') and got['xml'] is not None and not os.path.exists(path):
            continue
        if got.get(kind):
            with open(path, 'wb') as file:
                file.write(got[kind])
        elif os.path.exists(path):
            os.remove(path)
    path = os.path.join(case, 'status')
    if status:
        with open(path, 'w', encoding='utf-8') as file:
            file.write(f'{status}\n')
    elif os.path.exists(path):
        os.remove(path)


def difference(kind, expected, got):
    if got is None:
        return [f'there is no out.{kind}']
    lines = [text.decode(errors='replace').splitlines() for text in (expected, got)]
    return list(difflib.unified_diff(*lines, f'expected.{kind}', f'what is now its {kind}', lineterm='')) or [
        f'the ends of lines of expected.{kind} differ']


def look(case, status, got, refusal):
    """Lines that say what is wrong."""
    expected = {kind: read(case, f'expected.{kind}') for kind in OF_A_CASE}
    wrong = []
    for kind, text in expected.items():
        if text is not None and text != got.get(kind):
            wrong += difference(kind, text, got.get(kind))
    given = read(case, 'status')
    if status != int(given or 0):
        wrong.append(f'status {status}, expected {int(given or 0)}')
    position = read(case, 'position')
    if position is not None:
        place = f'model.xml:{position.decode().strip()}: error:'
        errors = [line for line in got['err'].decode(errors='replace').splitlines() if ': error:' in line]
        if not errors or not errors[0].startswith(place):
            wrong.append(f'the first error is not at {place}: {errors[:1] or "no error line"}')
    if refusal is not None:
        wrong.append(f'out.xml is refused: {refusal}')
    if position is None and given is None and all(text is None for text in expected.values()):
        wrong.append('the case expects nothing')
    return wrong


def main(arguments):
    directory = arguments.pop(0)
    accepting = arguments[:1] == ['--accept']
    names = arguments[accepting:] or sorted(entry.name for entry in os.scandir(directory) if entry.is_dir())
    cases = [os.path.join(directory, name.rstrip('/')) for name in names]
    every, at = int(os.environ.get('CASES_EVERY', 1)), int(os.environ.get('CASES_AT', 0))
    passed = failed = 0
    read_every = 0 if os.environ.get('READ') == 'no' else int(os.environ.get('READ_EVERY', 1))
    for number, case in enumerate(cases[at % every::every], at):
        if not os.path.exists(os.path.join(case, 'args')):
            wrong = ['it has no file args']
        else:
            status, got, refusal = play(case, read_every and number % read_every == 0)
            if accepting:
                accept(case, status, got)
            wrong = look(case, status, got, refusal)
        passed += not wrong
        failed += bool(wrong)
        if wrong:
            print(f'FAIL {os.path.basename(case)}', *wrong, sep='\n    ')
    print(f'{passed} passed, {failed} failed')
    return failed > 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
