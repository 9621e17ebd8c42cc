#!/usr/bin/env python3
"""Random test of varabs on timed models: generate, abstract, judge.

usage: timed.py --varabs PROGRAM --seeds A..B [--mode M]... [--jobs N] [--keep DIR]
       timed.py --varabs PROGRAM --model FILE --mode M [--remove NAMES] ...

Modes: exact (--may, of which outputs that are not exact are judged as may),
must, auto (--auto --may), untime (--untime --may), clock (a clock is removed),
same (nothing is: the output is the input to the byte), and only where it is
asked for decide (decide --untime).  Every output must be
valid for Uppaal's parser (label_kinds) and what it claims to be (timed_judge).
What is refused is counted by its reason.  Exit status: 0 all right, 1 not; with
--model 0 passed, 1 failed, 2 unusable, 3 a limit, 4 refused: for shrink.py.
"""

import above  # noqa: F401
import argparse
import collections
import json
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from gen_timed import generate_timed
from label_kinds import check
from tools.limit import run_limited
from judges.check import plain
from judges.merges import choose_merges, is_merge
from network import load_timed
from judges.processes import select
from regions import explored
from run import add_scopes, chosen_names, run_all, short
from timed_claims import verdicts_of, wrong_claim
from timed_judge import compare_timed
from oracle.uppaal_parse import ModelError
from oracle.uppaal_runtime import Budget

ATTEMPTS = 8
MODES = ('exact', 'must', 'auto', 'untime', 'clock', 'same', 'decide')
SHARES = (6, 4, 3, 2, 2, 1, 1)


class Case:
    """One run of the program and what came of it."""

    def __init__(self, seed, mode, names, more=()):
        self.seed, self.mode, self.names = seed, mode, names
        self.more = list(more)           # further options
        self.kind, self.failure, self.message = 'passed', '', ''
        self.exact = self.is_really_exact = False
        self.words, self.regions, self.claims = [], 0, 0

    def fail(self, failure, message):
        self.kind, self.failure, self.message = 'failed', failure, message
        return self


def command_of(varabs, model, out, report, case):
    if case.mode == 'same':
        return [varabs, 'info', model, '--rewrite', out]
    if case.mode == 'decide':
        return [varabs, 'decide', model, '--untime', '--json', report]
    words = [varabs, model, '--must' if case.mode == 'must' else '--may',
             '-o', out, '--report', report, *case.more]
    if case.mode == 'auto':
        words.append('--auto')
    if case.mode == 'untime':
        words.append('--untime')
    for name in case.names:
        if is_merge(name):
            words += ['--merge', name]
        else:
            name = name.replace('+', ',')
            words += ['--remove', name if '.' in name else '.' + name]
    return words


def ask_places(model, asked):
    """Write the model with a query for each location, and for pairs of them."""
    with open(model, encoding='utf-8') as file:
        text = file.read()
    places = []
    for name, body in re.findall(r'<template>\s*<name>(\w+)</name>(.*?)'
                                 r'</template>', text, re.S):
        if '<parameter>' not in body:
            places += [f"{name}.{place}" for place in re.findall(
                r'<location [^>]*>\s*<name>(\w+)</name>', body)]
    queries = [f"E&lt;&gt; {place}" for place in places]
    queries += [f"A[] not ({one} and {other})" for one, other
                in zip(places, places[1:] + places[:1])]
    lines = [f"<query><formula>{query}</formula></query>" for query in queries]
    with open(asked, 'w', encoding='utf-8') as file:
        file.write(text.replace('</queries>', '\n'.join(lines) + '</queries>'))


def run_case(options, model, case, folder):
    """Run the program and judge its output; the case."""
    out, told = (os.path.join(folder, name) for name in ('out.xml', 'out.json'))
    for path in (out, told):
        if os.path.exists(path):
            os.remove(path)
    if case.mode == 'decide':
        asked = os.path.join(folder, 'asked.xml')
        ask_places(model, asked)
        model = asked
    case.words = command_of(options.varabs, model, out, told, case)
    try:
        done = run_limited(case.words, options.timeout, capture_output=True,
                           text=True, errors='replace')
    except subprocess.TimeoutExpired:
        return case.fail('timeout', f"no answer in {options.timeout} s")
    case.message = done.stderr.strip()
    is_told = case.mode == 'decide' and os.path.exists(told)
    if done.returncode in (3, 4, 5) and not is_told or 'unknown option' in case.message \
            or 'as its parameter' in case.message:
        case.kind = 'budget' if done.returncode == 5 else 'refused'
        lines = [line for line in case.message.split('\n') if 'error:' in line]
        case.message = f"{done.returncode}: {short((lines or [''])[0])}"
        return case.fail('left output', out) if os.path.exists(out) else case
    if 'there is no query' in case.message:
        return case
    statuses = (0, 1, 4) if case.mode == 'decide' else (0,)
    if done.returncode not in statuses:
        return case.fail(f"status {done.returncode}", case.message)
    if case.mode == 'same':
        with open(model, 'rb') as one, open(out, 'rb') as other:
            same = one.read() == other.read()
        return case if same else case.fail('bytes', "another model")
    try:
        with open(told, encoding='utf-8') as file:
            report = json.load(file)
        if case.mode == 'decide':
            return judge_decided(options, model, report, case)
        case.exact = report['exact'] is True
        return judge(options, model, out, report, case)
    except (OSError, ValueError, KeyError, TypeError) as error:
        return case.fail('report', f"{type(error).__name__}: {error}")
    except ModelError as error:
        return case.fail('unusable output', str(error))
    except Budget as error:
        case.kind, case.message = 'budget', f"judge: {error}"
        return case


def judge(options, model, out, report, case):
    """Whether an output is what it claims to be."""
    concrete, abstract = load_timed(model), load_timed(out)
    wrong = check(abstract)
    if wrong:
        return case.fail('invalid output', '\n'.join(wrong[:5]))
    names = case.names
    if case.mode == 'auto':
        names = case.names = chosen_names(report)
        if not case.exact:
            return case.fail('auto', "what --auto removes is not exact")
    excuses = 'relies_on' in report

    def verdict(mode):
        return compare_timed(load_timed(model), load_timed(out), names, mode,
                             report, case.mode == 'untime',
                             options.max_regions * 4, excuses)

    del concrete, abstract
    found = verdict('exact')
    case.regions = found.states
    failures = {kind: each for kind, each in found.failures.items()
                if kind != 'new-error' or options.strict_errors}
    case.is_really_exact = not failures
    if not case.exact:
        if case.mode == 'must':
            failures = verdict('must').failures
        failures = {kind: each for kind, each in failures.items()
                    if kind not in ('exact', 'exact-delay', 'new-error')}
    if failures:
        claimed = 'exact ' if case.exact else ''
        return case.fail(claimed + sorted(failures)[0], '\n'.join(
            f"{kind}: {each.text}" for kind, each in failures.items()))
    if report.get('guarantees') and not (excuses and found.concrete_errors):
        wrong, case.claims = wrong_claim(model, out, report,
                                         options.max_regions * 4)
        if wrong:
            return case.fail('claim', wrong)
    return case


def judge_decided(options, model, report, case):
    """Whether every verdict that needs no time is that of the model."""
    _, found = explored(load_timed(model), options.max_regions * 4)
    fails = report['condition']['no_runtime_errors'] != 'cannot fail'
    if fails and found.error_count:
        return case
    verdicts = {plain(text): verdict for text, verdict
                in verdicts_of(model, options.max_regions * 4).items()}
    for query in report['queries']:
        said = query['verdict']
        right = verdicts.get(plain(query['formula']))
        if said == 'unknown' or right in (None, 'unknown'):
            continue
        case.claims += 1
        if said != right:
            return case.fail('decided', f"{query['formula']}: {said}, but it"
                                        f" is {right}: {query['reason']}")
    return case


class Discrete:
    """The discrete states of an exploration, for choose_merges."""

    def __init__(self, found):
        self.states = {state: None for state in found.discrete()}


def tests_a_clock(text):
    """Else time makes no difference to states, and is not compared."""
    names = set(re.findall(r'\bclock &amp;(\w+)', text))
    for each in re.findall(r'\bclock ([^;<&]*);', text):
        names |= set(re.findall(r'\b[a-z]\w*', each))
    labels = re.findall(r'<label kind="(?:guard|invariant)">([^<]*)', text)
    return any(names & set(re.findall(r'\w+', label)) for label in labels)


def find_model(options, seed, folder):
    """A model that moves and is small: path, model, network, exploration."""
    path = os.path.join(folder, 'model.xml')
    for attempt in range(ATTEMPTS):
        model = generate_timed(f"{seed}.{attempt}" if attempt else seed)
        with open(path, 'w', encoding='utf-8') as file:
            file.write(model.text())
        try:
            network = load_timed(path)
            _, found = explored(network, options.max_regions)
        except (ModelError, Budget):
            continue
        if found.transitions >= 6 and len(found.discrete()) >= 3 \
                and tests_a_clock(model.text()):
            return path, model, network, found
    return None


def choose(rng, options, seed, model, network, found):
    """The cases of a model."""
    modes = options.mode or MODES[:6]
    mode = rng.choices(modes, [SHARES[MODES.index(m)] for m in modes])[0]
    names, more = [], []
    if mode in ('exact', 'must'):
        pool = model.removable
        if not pool:
            return None
        names = rng.sample(pool, min(len(pool), rng.choice((1, 1, 1, 2, 2, 3))))
        what = rng.random()
        if what < 0.15:
            names = add_scopes(rng, names, network)
        elif what < 0.27:
            names = select(rng, network, names)
        elif what < 0.4:
            names = choose_merges(rng, names, network, Discrete(found))
    elif mode == 'clock':
        names = [rng.choice(model.clock_names)]
        if model.removable and rng.random() < 0.3:
            names.append(rng.choice(model.removable))
    elif mode == 'untime' and model.removable and rng.random() < 0.3:
        names = [rng.choice(model.removable)]
    if mode not in ('same', 'decide') and rng.random() < 0.15:
        more += ['--approx', 'combined']
    if mode not in ('same', 'auto', 'decide') and rng.random() < 0.1:
        more += ['--budget', str(rng.choice((1, 5, 50)))]
    if mode in ('exact', 'untime', 'clock') and rng.random() < 0.2:
        more.append('--drop-priorities')
    return Case(seed, mode, names, more)


def run_job(job):
    options, seed = job
    rng = random.Random(f"timed cases {seed}")
    with tempfile.TemporaryDirectory(prefix='varabs-timed-') as folder:
        found = find_model(options, seed, folder)
        if found is None:
            return seed, None, []
        path, model, network, exploration = found
        cases = []
        for _ in range(options.cases):
            case = choose(rng, options, seed, model, network, exploration)
            if case is None or any(other.mode == case.mode and (
                    case.mode == 'auto' or other.names == case.names)
                                   for other in cases):
                continue
            run_case(options, path, case, folder)
            keep(options, path, case, folder)
            case.message = case.message[:400]
            cases.append(case)
        return seed, len(exploration.numbers), cases


def keep(options, model, case, folder):
    """Save a failing case: NAME.xml, the output, NAME.txt with the command."""
    if case.kind != 'failed':
        return
    os.makedirs(options.keep, exist_ok=True)
    stem = os.path.join(options.keep, re.sub(
        r'[^\w.+\[\]-]', '_', f"{case.seed}-{case.mode}-{'+'.join(case.names)}"[:90]))
    words = [stem + '.xml' if word == model else word for word in case.words]
    words = [word if os.path.dirname(word) != folder else
             '/tmp/' + os.path.basename(word) for word in words]
    shutil.copyfile(model, stem + '.xml')
    out = os.path.join(folder, 'out.xml')
    if os.path.exists(out):
        shutil.copyfile(out, stem + '.out.xml')
    again = [sys.executable, os.path.abspath(__file__), '--varabs',
             options.varabs, '--model', stem + '.xml', '--mode', case.mode]
    for name in case.names if case.mode != 'auto' else ():
        again += ['--remove', name]
    again += [f"--more={word}" for word in case.more]
    case.again = shlex.join(again)
    with open(stem + '.txt', 'w', encoding='utf-8') as file:
        file.write(f"seed {case.seed}: {case.failure}\n{shlex.join(words)}\n"
                   f"{case.again}\n\n{case.message}\n")


class Summary:
    """Counts over a run."""

    def __init__(self):
        self.models = self.unsuitable = self.regions = self.claims = 0
        self.kinds, self.modes = collections.Counter(), collections.Counter()
        self.reasons, self.failures = collections.Counter(), collections.Counter()

    def add(self, regions, cases):
        if regions is None:
            self.unsuitable += 1
            return
        self.models += 1
        self.regions += regions
        for case in cases:
            self.kinds[case.kind] += 1
            self.claims += case.claims
            what = case.kind if case.kind != 'passed' or case.mode == 'same' \
                else 'exact' if case.exact else \
                'exact but not claimed' if case.is_really_exact else 'right'
            self.modes[case.mode, what] += 1
            if case.kind in ('refused', 'budget'):
                self.reasons[f"{case.mode}: {case.kind} {case.message}"] += 1
            elif case.kind == 'failed':
                self.failures[f"{case.mode}: {case.failure}"] += 1

    def show(self, seconds):
        print(f"models {self.models} (unsuitable {self.unsuitable}), regions"
              f" {self.regions}, claims confirmed {self.claims},"
              f" {seconds:.0f} s")
        for (mode, what), count in sorted(self.modes.items()):
            print(f"  {mode}: {what} {count}")
        for title, table in (('refused', self.reasons),
                             ('failures', self.failures)):
            if table:
                print(f"{title}:")
            for text, count in table.most_common():
                print(f"  {count:6d}  {text}")
        count = sum(self.kinds.values())
        print(f"{count - self.kinds['failed']} passed,"
              f" {self.kinds['failed']} failed")


def run_one(options):
    """One case on a given model."""
    case = Case(0, options.mode[0], options.remove, options.more)
    with tempfile.TemporaryDirectory(prefix='varabs-timed-') as folder:
        path = os.path.join(folder, 'model.xml')
        shutil.copyfile(options.model, path)
        try:
            load_timed(path)
        except ModelError as error:
            print(error, file=sys.stderr)
            return 2
        run_case(options, path, case, folder)
        if options.output and os.path.exists(os.path.join(folder, 'out.xml')):
            shutil.copyfile(os.path.join(folder, 'out.xml'), options.output)
    print(f"{case.kind} {case.failure}{' exact' if case.exact else ''}\n"
          f"{case.message}")
    return {'passed': 0, 'failed': 1, 'budget': 3, 'refused': 4}[case.kind]


def options_of():
    parser = argparse.ArgumentParser(
        description="Generate timed models, abstract and judge them.")
    parser.add_argument('--varabs', required=True, metavar='PROGRAM')
    parser.add_argument('--seeds', metavar='A..B')
    parser.add_argument('--mode', action='append', choices=MODES)
    parser.add_argument('--jobs', type=int, default=1)
    parser.add_argument('--keep', metavar='DIR')
    parser.add_argument('--cases', type=int, default=3, metavar='N',
                        help="for each model")
    parser.add_argument('--model', metavar='FILE')
    parser.add_argument('--remove', action='append', default=[], metavar='NAME')
    parser.add_argument('--more', action='append', default=[], metavar='OPTION')
    parser.add_argument('-o', dest='output', metavar='FILE')
    parser.add_argument('--max-regions', type=int, default=2500)
    parser.add_argument('--timeout', type=float, default=20)
    parser.add_argument('--strict-errors', action='store_true')
    options = parser.parse_args()
    options.varabs = os.path.abspath(options.varabs)
    if options.keep is None:
        options.keep = os.path.join(os.path.dirname(options.varabs), 'timed')
    if not options.seeds and not (options.model and options.mode):
        parser.error("--seeds, or --model and --mode, are needed")
    return options


def tell_case(seed, case):
    if case.kind == 'failed':
        print(f"seed {seed}: {case.mode} {case.failure}:"
              f" {case.message.split(chr(10))[0][:100]}\n"
              f"  {case.again}", flush=True)


def main():
    options = options_of()
    if options.model:
        return run_one(options)
    first, _, last = options.seeds.partition('..')
    return run_all(options, range(int(first), int(last or first) + 1), run_job,
                   Summary(), tell_case)


if __name__ == '__main__':
    sys.exit(main())
