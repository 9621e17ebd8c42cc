#!/usr/bin/env python3
"""Check the JSON that varabs writes: schemas, digests, and the same bytes twice.

Runs $VARABS on the models of tests/models and tests/golden and on some random
ones: `info --json`, `check --json`, `suggest --json`, and the removal of each variable or what
the case asks for, `--auto --json` too.  Every report must fit its schema in schemas/, describe the
files that were read and written, and be the same in a second run, apart from
`timing` and the like. Of the golden cases every fourth is run twice. With REPORTS_EVERY=N only
each Nth model is looked at, beginning where CASES_AT=K says.
"""

import glob
import hashlib
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    print("0 passed, 0 failed")
    sys.exit(0)

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
VARABS = os.path.abspath(os.environ.get('VARABS', os.path.join(ROOT, 'build/varabs')))
RANDOM_SEEDS = range(1, 13)
EVERY = int(os.environ.get('REPORTS_EVERY', '1'))
SAMPLED = slice(int(os.environ.get('CASES_AT', '0')) % EVERY, None, EVERY)
VARYING = ('seconds', 'peak_bytes', 'bytes_per_state', 'jobs')
sys.path.insert(0, os.path.join(ROOT, 'tests', 'random'))


class Tally:
    def __init__(self):
        self.passed = self.failed = 0
        self.runs = 2  # of each command

    def note(self, label, wrong):
        """Counts one check; `wrong` says what is, or nothing."""
        if wrong:
            self.failed += 1
            print(f"FAIL {label}: {wrong}")
        else:
            self.passed += 1


def load_schema(name, tally):
    with open(os.path.join(ROOT, 'schemas', name), encoding='utf-8') as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    tally.note(name, ', '.join(loose_parts(schema, schema, name)))
    return jsonschema.Draft202012Validator(schema)


def loose_parts(node, schema, path):
    """Objects that take any member, and numbers that nothing describes."""
    if isinstance(node, list):
        for i, item in enumerate(node):
            yield from loose_parts(item, schema, f"{path}/{i}")
    if not isinstance(node, dict):
        return
    if node.get('type') == 'object' and 'additionalProperties' not in node:
        yield f"{path} is open"
    for name, item in node.get('properties', {}).items():
        target = item
        if '$ref' in item:
            target = schema['$defs'][item['$ref'].rsplit('/', 1)[1]]
        kind = target.get('type')
        if kind in ('integer', 'number') and not (
                item.get('description') or target.get('description')):
            yield f"{path}/{name} has no description"
    for key, item in node.items():
        yield from loose_parts(item, schema, f"{path}/{key}")


def run(arguments, folder):
    return subprocess.run([VARABS, *arguments], cwd=folder, timeout=1800,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          stdin=subprocess.DEVNULL, check=False)


def read(folder, name):
    with open(os.path.join(folder, name), 'rb') as file:
        return file.read()


def without_timing(report):
    """The bytes in front of the last member, which must be `timing`."""
    head, found, tail = report.rpartition(b'\n  "timing": {')
    return head if found and tail.endswith(b'}\n}\n') else None


def describes(entry, content):
    return (entry['bytes'] == len(content)
            and entry['sha256'] == hashlib.sha256(content).hexdigest())


def first_error(validator, value):
    for error in validator.iter_errors(value):
        return f"{error.json_path}: {error.message[:200]}"
    return ''


def check_report(folder, validator):
    """What is wrong with out.json, or nothing."""
    report = json.loads(read(folder, 'out.json'))
    wrong = first_error(validator, report)
    if wrong:
        return wrong
    if not describes(report['input'], read(folder, 'model.xml')):
        return "the digest of the input is wrong"
    if not describes(report['output'], read(folder, 'out.xml')):
        return "the digest of the output is wrong"
    if report['exact'] != (not report['inexact_because']):
        return "exact and inexact_because contradict each other"
    timing = report['timing']
    phases = sum(value for key, value in timing.items() if key.endswith('_seconds'))
    if abs(phases - 2 * timing['total_seconds']) > 1e-6 or timing['check_seconds'] <= 0:
        return "the phases do not add up to the total"
    return ''


def abstract(folder, label, arguments, validator, tally):
    """Runs a removal twice; a refusal is not this test's business."""
    results = []
    for _ in range(tally.runs):
        for name in ('out.xml', 'out.json'):
            if os.path.exists(os.path.join(folder, name)):
                os.remove(os.path.join(folder, name))
        done = run(arguments, folder)
        if done.returncode != 0:
            if done.returncode not in (4, 5):
                tally.note(label, f"status {done.returncode}")
            return
        results.append((read(folder, 'out.xml'), without_timing(read(folder, 'out.json')),
                        done.stdout, done.stderr))
    wrong = check_report(folder, validator)
    if not wrong and results[0][1] is None:
        wrong = "timing is not the last member"
    if not wrong and results[0] != results[-1]:
        wrong = "two runs differ"
    tally.note(label, wrong)


def describe(folder, label, validator, tally):
    """Checks `info --json` and returns the variables that can be removed."""
    runs = [run(['info', '--json', '-', 'model.xml'], folder) for _ in range(tally.runs)]
    first = runs[0]
    if first.returncode:
        tally.note(label, f"info: status {first.returncode}")
        return []
    info = json.loads(first.stdout)
    wrong = first_error(validator, info)
    if not wrong and first.stdout != runs[-1].stdout:
        wrong = "two runs differ"
    tally.note(label, wrong and f"info: {wrong}")
    return [v['name'] for v in info['variables'] if v['removable']]


def explore(folder, label, validator, tally):
    """Checks `check --json` with traces; what cannot be explored is left out."""
    found = []
    for _ in range(tally.runs):
        done = run(['check', '--json', '-', '--trace', '--max-states', '5000', '--jobs', '1',
                    'model.xml'], folder)
        if done.returncode not in (0, 1, 3, 5) or not done.stdout:
            if done.returncode not in (3, 4, 5):
                tally.note(label, f"check: status {done.returncode}")
            return
        found.append(json.loads(done.stdout))
    wrong = first_error(validator, found[0])
    for result in found:
        for key in VARYING:
            result.pop(key)
    if not wrong and found[0] != found[-1]:
        wrong = "two runs differ"
    tally.note(label, wrong and f"check: {wrong}")


def suggest(folder, label, validator, tally):
    """Checks `suggest --json`."""
    found = [run(['suggest', '--json', '-', '--measure', '--max-states', '1000', 'model.xml'],
                 folder) for _ in range(tally.runs)]
    if found[0].returncode:
        if found[0].returncode not in (3, 4, 5):
            tally.note(label, f"suggest: status {found[0].returncode}")
        return
    wrong = first_error(validator, json.loads(found[0].stdout))
    results = [without_timing(done.stdout) for done in found]
    if not wrong and results[0] is None:
        wrong = "timing is not the last member"
    if not wrong and results[0] != results[-1]:
        wrong = "two runs differ"
    tally.note(label, wrong and f"suggest: {wrong}")


def decide(folder, label, arguments, validator, tally):
    """Checks what `--auto` says of queries in out.json."""
    found = []
    for _ in range(tally.runs):
        done = run(arguments, folder)
        if done.returncode not in (0, 1, 3, 5):
            tally.note(label, f"--auto: status {done.returncode}")
            return
        found.append(read(folder, 'out.json'))
        os.remove(os.path.join(folder, 'out.json'))
    report = json.loads(found[0])
    wrong = first_error(validator, report)
    if not wrong and not describes(report['input'], read(folder, 'model.xml')):
        wrong = "the digest of the input is wrong"
    if not wrong and without_timing(found[0]) is None:
        wrong = "timing is not the last member"
    if not wrong and without_timing(found[0]) != without_timing(found[-1]):
        wrong = "two runs differ"
    for query in report['queries']:
        if (query['verdict'] == 'unknown') != (query['decided_by'] is None):
            wrong = wrong or "verdict and decided_by contradict each other"
    tally.note(label, wrong and f"--auto: {wrong}")


def compare(case, label, arguments, validator, actions, tally):
    """What `refines` says of two models, where it says something, and the file of actions."""
    done = run([*arguments, '--json', '-'], case)
    if os.path.exists(os.path.join(case, 'actions.json')):
        tally.note(f"{label} actions", first_error(actions, json.loads(read(case, 'actions.json'))))
    if done.returncode in (0, 1):
        tally.note(label, first_error(validator, json.loads(done.stdout)))


def main():
    tally = Tally()
    report = load_schema('report.schema.json', tally)
    info = load_schema('info.schema.json', tally)
    check = load_schema('check.schema.json', tally)
    suggestion = load_schema('suggest.schema.json', tally)
    decision = load_schema('decide.schema.json', tally)
    spec = load_schema('spec.schema.json', tally)
    refines = load_schema('refines.schema.json', tally)
    actions = load_schema('actions.schema.json', tally)

    def remove_all(folder, label):
        explore(folder, label, check, tally)
        suggest(folder, label, suggestion, tally)
        for name in describe(folder, label, info, tally):
            abstract(folder, f"{label} {name}",
                     ['model.xml', '--remove', name, '--may', '-o', 'out.xml',
                      '--report', 'out.json'], report, tally)

    cases = sorted(glob.glob(os.path.join(ROOT, 'tests/golden/*/args')))
    with tempfile.TemporaryDirectory(prefix='varabs-schema-') as folder:
        for path in sorted(glob.glob(os.path.join(ROOT, 'tests/models/*.xml')))[SAMPLED]:
            shutil.copyfile(path, os.path.join(folder, 'model.xml'))
            remove_all(folder, os.path.basename(path))
        for number, path in enumerate(cases[SAMPLED]):
            tally.runs = 2 if number % 4 == 0 else 1
            case = os.path.dirname(path)
            shutil.copyfile(os.path.join(case, 'model.xml'), os.path.join(folder, 'model.xml'))
            label = os.path.basename(case)
            describe(folder, label, info, tally)
            explore(folder, label, check, tally)
            with open(path, encoding='utf-8') as file:
                arguments = shlex.split(file.read())
            if '--auto' in arguments and '--json' in arguments:
                decide(folder, label, arguments, decision, tally)
            if arguments[0] == 'refines':
                compare(case, label, arguments, refines, actions, tally)
                continue
            if os.path.exists(os.path.join(case, 'status')):
                continue
            if os.path.exists(os.path.join(case, 'spec.json')):
                shutil.copyfile(os.path.join(case, 'spec.json'), os.path.join(folder, 'spec.json'))
                tally.note(f"{label} spec", first_error(spec, json.loads(read(folder, 'spec.json'))))
            if arguments[0] == 'suggest':
                suggest(folder, label, suggestion, tally)
            elif arguments[0] not in ('info', 'decide', 'check', 'verifyta', 'export'):
                abstract(folder, label, arguments, report, tally)
        tally.runs = 2
        from generators.generate import generate
        for seed in RANDOM_SEEDS[SAMPLED]:
            with open(os.path.join(folder, 'model.xml'), 'w', encoding='utf-8') as file:
                file.write(generate(seed)[0])
            remove_all(folder, f"seed {seed}")
    print(f"{tally.passed} passed, {tally.failed} failed")
    return 1 if tally.failed else 0


if __name__ == '__main__':
    sys.exit(main())
