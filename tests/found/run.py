#!/usr/bin/env python3
"""Run the cases of cases.txt (see there) and compare verdicts.

usage: run.py VARABS FOUND CASES
"""

import html
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

COUNTS = ('states', 'transitions', 'errors')
SEMANTICS = ('kripke', 'uppaal')


class Case:
    """One line of the table, run in a directory of its own."""

    def __init__(self, varabs, line):
        self.varabs = varabs
        self.text, _, facts = line.partition('=>')
        self.facts = [fact.strip() for fact in facts.split(';')]
        self.arguments = shlex.split(self.text)
        self.abstracts = bool({'--may', '--must'} & set(self.arguments)
                              and self.arguments[0].endswith('.xml'))
        self.output = self.report = None
        self.status, self.said = 0, ''

    def varabs_run(self, *words):
        return subprocess.run([self.varabs, *words], capture_output=True,
                              text=True, timeout=120, check=False)

    def run(self):
        """Lines that say what is wrong."""
        words = list(self.arguments)
        if self.abstracts:
            words += ['-o', 'out.xml', '--report', 'out.json']
        run = self.varabs_run(*words)
        self.status, self.said = run.returncode, run.stdout + run.stderr
        wrong = []
        if not any(fact.startswith('status ') for fact in self.facts):
            self.facts.append('status 0')
        if self.abstracts and self.status == 0:
            with open('out.xml', encoding='utf-8') as file:
                self.output = html.unescape(file.read())
            with open('out.json', encoding='utf-8') as file:
                self.report = json.load(file)
            wrong += self.false_claims()
        return wrong + [fact for fact in self.facts if not self.holds(fact)]

    # Facts

    def holds(self, fact):
        name, _, rest = fact.partition(' ')
        if name == 'status':
            return self.status == int(rest)
        if name in ('exact', 'inexact'):
            return self.report and self.report['exact'] == (name == 'exact')
        if name == 'certified':
            words = shlex.split(rest)
            mode = '--' + self.report['mode']
            return self.varabs_run('certify', self.arguments[0], 'out.xml',
                                   mode, *words).returncode == 0
        if name in COUNTS:
            return self.check('out.xml', '--full')[name] == int(rest)
        if name == 'has':
            return self.output is not None and rest in self.output
        if name == 'lacks':
            return self.output is not None and rest not in self.output
        if name == 'says':
            return rest in self.said
        if name in ('satisfied', 'violated'):
            queries = self.check('out.xml', '--query', rest)['queries']
            return queries[0]['verdict'] == name
        raise ValueError(f"there is no fact '{name}'")

    def check(self, model, *words):
        return json.loads(self.varabs_run('check', model, *words,
                                          '--json', '-').stdout)

    def false_claims(self):
        """Verdicts that the report says to carry over, and that do not."""
        found = []
        for semantics in SEMANTICS:
            both = [self.check(model, '--semantics', semantics)
                    for model in (self.arguments[0], 'out.xml')]
            answers = [{query['formula']: query['verdict']
                        for query in one['queries']} for one in both]
            for entry in self.report['guarantees']:
                before, after = (one.get(entry['formula']) for one in answers)
                claims = entry.get(semantics)
                if after and claims and claims.get(after) and before != after:
                    found.append(f"{semantics}: {entry['formula']} is {after} "
                                 f"in out.xml, but {before}")
        return found


def read_cases(path):
    lines = []
    with open(path, encoding='utf-8') as file:
        for line in file:
            if line.startswith('#') or not line.strip():
                continue
            if line[0] in ' \t':
                lines[-1] += ' ' + line.strip()
            else:
                lines.append(line.strip())
    return lines


def main():
    varabs, found, cases = map(os.path.abspath, sys.argv[1:])
    passed = failed = 0
    for line in read_cases(cases):
        with tempfile.TemporaryDirectory() as folder:
            for name in os.listdir(found):
                shutil.copy(os.path.join(found, name), folder)
            os.chdir(folder)
            case = Case(varabs, line)
            try:
                wrong = case.run()
            except (OSError, ValueError, KeyError, TypeError,
                    subprocess.TimeoutExpired) as error:
                wrong = [f"{type(error).__name__}: {error}"]
            os.chdir(os.path.dirname(cases))
        passed += not wrong
        failed += bool(wrong)
        if wrong:
            print(f"FAIL {case.text.strip()}")
            for text in wrong:
                print(f"    {text}")
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
