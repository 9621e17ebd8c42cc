#!/usr/bin/env python3
"""Random test: generate models, abstract them, judge the result.

usage: run.py --varabs PROGRAM --seeds A..B [--jobs N] [--keep DIR] ...
       run.py --varabs PROGRAM --model FILE --remove NAMES [--mode M] ...
       run.py --varabs PROGRAM --mode check (--seeds A..B | FILE...)

For every seed a random model is generated (another attempt is made if its
state space is too small or too large), some removals are chosen, and PROGRAM
is run on each of them.  The output is judged against the original by an
independent explorer.  Exit status 4 of PROGRAM, a refusal, is accepted and
counted; so is 5, a budget; anything else but 0 is a failure.  With --check and
--certify two more subcommands of PROGRAM are compared with the explorer and
with the judge.  --mode check does nothing but --check: it compares the counts,
verdicts and traces of `PROGRAM check` for models with random queries, or for
given files.

The run depends on the seeds and options alone.  Failing cases are kept in
DIR, each with a one-line command that repeats it.  With --model one case is
run on a given file; the exit status then is 0 passed, 1 failed, 2 the model
is not usable, 3 a limit, 4 refused: made for shrink.py.
"""

import argparse
import collections
import html
import io
import json
import multiprocessing
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from judges.certify import check_certify, check_exchanged
from judges.chain import check_chain
from judges.check import check_model
from judges.decide import check_decisions
from judges.claims import check_claims
from judges.concretize import check_concretize
from generators.gen_count import BUDGETS
from generators.gen_fail import failing, failing_guards
from generators.gen_idle import with_idle
from generators.generate import HIDING, HIDING_FAILURES, add_feature_options, generate, generate_counting, \
    generate_flowing, generate_queried, generate_waiting, generate_wide
from judges.judge import compare, covers, Projection, removed_slots, restless
from tools.limit import run_limited
from judges.lower import judge_lower
from judges.merges import choose_merges, is_merge
from judges.processes import check_names, owners, rename, select, split_name
from judges.said import wrong_of
from oracle.equal import Equal
from oracle.uppaal_parse import ModelError
from oracle.uppaal_run import explore, load_network
from oracle.uppaal_runtime import Budget

sys.setrecursionlimit(20000)
ATTEMPTS = 4
HERE = os.path.dirname(os.path.abspath(__file__))


class Case:
    """One removal on one model and what came of it."""

    def __init__(self, seed, attempt, names, mode, approx):
        self.seed, self.attempt = seed, attempt
        self.names, self.mode, self.approx = names, mode, approx
        self.kind = 'passed'          # passed, refused, budget, failed
        self.failure = self.message = ''
        self.budget = None            # of the analysis
        self.kept = []                # --auto: slots that queries name
        self.atoms = []               # by query: (slot, its term, the value
                                      # that it is compared with)
        self.exact = self.really_exact = False
        self.shown = False            # exact, as exploring has shown
        self.relies = False           # if there are no runtime errors
        self.asked = {}               # verdicts of certify: how often
        self.claims = {}              # that were confirmed: how many
        self.lower = collections.Counter()
        self.warnings, self.steps, self.seconds = [], 0, 0.0

    def fail(self, failure, message):
        self.kind, self.failure, self.message = 'failed', failure, message
        return self


def choose_removals(rng, candidates, count):
    """Random removals: mostly whole variables, one or several at once."""
    whole = [n for n in candidates
             if not any(o != n and covers(o, n) for o in candidates)]
    parts = [n for n in candidates if n not in whole]
    found = []
    for _ in range(count):
        pool = parts if parts and rng.random() < 0.25 else whole or parts
        names = [rng.choice(pool)]
        while rng.random() < 0.4 and len(names) < 3:
            other = rng.choice(candidates)
            if not any(covers(a, other) or covers(other, a) for a in names):
                names.append(other)
            elif rng.random() < 0.5:
                break
        names = list(dict.fromkeys(','.join(names).split(',')))
        names = [n for n in names
                 if not any(o != n and covers(o, n) for o in names)]
        if names not in found:
            found.append(names)
    return found


def choose_together(rng, candidates):
    """All of them, and mostly all but one."""
    found = [candidates]
    if len(candidates) > 1 and rng.random() < 0.7:
        one = rng.choice(candidates)
        found.append([n for n in candidates if n != one])
    return found


def choose_kept(rng, network):
    """One slot or two; parameters may be scalars."""
    slots = [s for s in network.slots
             if '(' not in s and s not in network.metas]
    kept = [rng.choice(slots)] if slots else []
    if len(slots) > 1 and rng.random() < 0.6:
        kept.append(rng.choice([s for s in slots if s not in kept]))
    return kept


def shuffled(rng, entry):
    """A member of `normalised` with other classes."""
    values = list(range(entry['lower'], entry['upper'] + 1)[:50])
    rng.shuffle(values)
    at = rng.randint(1, len(values))
    return {**{key: entry[key] for key in ('variable', 'template', 'location', 'processes')
               if key in entry},
            'classes': [{'values': part} for part in (values[:at], values[at:])
                        if part]}


SAME = ('removed', 'values', 'edges')


def is_fresh(options, model, out, report, told, words):
    """Whether the same is made of the removals that --auto has chosen, without
    the trials before, whose value analyses it uses; what differs, or None."""
    done = run_limited(words, options.timeout, capture_output=True, text=True,
                       errors='replace')
    if done.returncode != 0:
        return f"--spec: status {done.returncode}: {done.stderr}"
    with open(told, encoding='utf-8') as file:
        own = json.load(file)
    for key in SAME:
        if own[key] != report[key]:
            return f"another {key} without --auto"
    shown = report.get('shown')
    if own['exact'] != (not shown) or own['inexact_because'] != \
            (shown['otherwise_because'] if shown else []):
        return "other reasons without --auto"
    with open(words[words.index('-o') + 1], 'rb') as one, \
            open(out, 'rb') as other:
        if not report.get('lost') and one.read() != other.read():
            return "another model without --auto"
    return None


def judge_spec(options, concrete, explored, model, out, case, report):
    """What --auto does as a spec, and other values that a spec lets be
    exchanged, which may make a difference; what is wrong, or None."""
    found = report.get('normalised', [])
    removed = report['options']['remove']
    if (case.kept and found) or not (found or removed):
        return None
    rng = random.Random(f"{case.seed} spec")
    spec, again, told = (os.path.join(os.path.dirname(out), name) for name in
                         ('spec.json', 'again.xml', 'again.json'))
    words = [options.varabs, model, '--spec', spec, '-o', again,
             '--report', told,
             *(['--approx', case.approx] if case.approx else []),
             *(['--budget', str(case.budget)] if case.budget else []),
             *(['--max-states', '1'] if is_unknown(options, case) else [])]
    is_bound = report.get('shown', {}).get('exchanged')  # to these values
    for attempt in range(3 if found and not is_bound else 1):
        entries = [shuffled(rng, entry) for entry in found] if attempt \
            else found
        with open(spec, 'w', encoding='utf-8') as file:
            json.dump({'mode': 'may', 'remove': removed,
                       'normalise': entries}, file)
        if not attempt:
            wrong = is_fresh(options, model, out, report, told, words)
            if wrong:
                return f"{wrong}: {removed} {entries}"
            continue
        done = run_limited(words, options.timeout, capture_output=True,
                           text=True, errors='replace')
        if done.returncode != 0:
            return f"--spec: status {done.returncode}: {done.stderr}"
        with open(told, encoding='utf-8') as file:
            own = json.load(file)
        failures = compare(concrete, explored, load_network(again),
                           case.names, 'exact',
                           time.monotonic() + options.max_seconds,
                           own.get('normalised', ()),
                           'relies_on' in own).failures
        if set(failures) - {'new-error'}:
            return f"{', '.join(failures)} with {entries}"
    return None


def judge_auto(options, concrete, explored, out, case, report):
    """What else --auto writes, and the same as a spec."""
    model = os.path.join(os.path.dirname(out), 'model.xml')
    return judge_shares(options, concrete, explored, out, case, report) \
        or judge_spec(options, concrete, explored, model, out, case, report)


def add_scopes(rng, names, network):
    """Some of the whole local variables only in some locations."""
    found = []
    for name in names:
        owner, dot, rest = name.partition('.')
        places = [p for p in network.processes if p.template.name == owner]
        if not dot or set('.[@') & set(rest) or not places \
                or rng.random() < 0.3:
            found.append(name)
            continue
        process = places[0]
        inside = [process.location_name(i)
                  for i in range(len(process.locations))
                  if rng.random() < 0.5]
        found.append(f"{name}@{'+'.join(inside)}" if inside else name)
    return found


def query_of(term, value):
    """It has the same value in different forms."""
    form = ("E<> {}", "E<> 0 == 1 || {}",
            "E<> forall (zz : int[0,1]) zz == 0 || {}")
    return form[(len(term) + len(str(value))) % 3].format(f"{term} == {value}")


def is_unknown(options, case):
    """Whether the program must not find out if the original fails."""
    return case.seed % 3 == 0 and not options.explore


def command_of(options, model, out, report, case):
    mode = {'lower': 'must=lower', 'auto': 'may'}.get(case.mode, case.mode)
    words = [options.varabs, model, f'--{mode}',
             *(['--auto'] if case.mode == 'auto' else []),
             *(word for _, term, value in case.atoms
               for word in ('--query', query_of(term, value))),
             '-o', out, '--report', report]
    if case.budget:
        words += ['--budget', str(case.budget)]
    for name in case.names:
        if is_merge(name):
            words += ['--merge', name]
        elif '@' in name:
            words += ['--remove', name.replace('+', ',')]
        else:
            if not re.match(r'T\d+\.', name) and not is_of_processes(name):
                name = '.' + name         # .name is global
            if words[-2] == '--remove' and '@' not in words[-1]:
                words[-1] += ',' + name
            else:
                words += ['--remove', name]
    if is_unknown(options, case):
        words += ['--max-states', '1']
    if case.approx:
        words += ['--approx', case.approx]
    return words


def chosen_names(report):
    """What --auto has removed, from its report, as names of a case."""
    names = []
    for argument in report['options']['remove']:
        variable, at, where = argument.lstrip('.').partition('@')
        names += [f"{variable}@{where.replace(',', '+')}"] if at \
            else variable.split(',')
    return names


def run_case(options, concrete, explored, model, case, folder):
    """Run the program on one removal and judge its output."""
    out = os.path.join(folder, 'out.xml')
    report = os.path.join(folder, 'out.json')
    for path in (out, report):
        if os.path.exists(path):
            os.remove(path)
    case.atoms = [atom_of(concrete, explored, slot, case.seed)
                  for slot in case.kept]
    started = time.monotonic()
    words = command_of(options, model, out, report, case)
    if options.waiting and case.mode == 'may':
        words.append('--drop-priorities')
    if options.explore and case.mode == 'may' and \
            not any(map(is_merge, case.names)):
        words.append('--explore')
    try:
        done = run_limited(words, options.timeout, capture_output=True,
                           text=True, errors='replace')
        if case.kept and "needs an int or a bool" in done.stderr:
            case.atoms = [(slot, term, term) for slot, term, _ in case.atoms]
            words = command_of(options, model, out, report, case)
            done = run_limited(words, options.timeout, capture_output=True,
                               text=True, errors='replace')
    except subprocess.TimeoutExpired:
        return case.fail('timeout', f"no answer in {options.timeout} s")
    case.seconds = time.monotonic() - started
    case.message = done.stderr.strip()
    case.words = done.args
    if done.returncode in (4, 5):
        case.kind = 'refused' if done.returncode == 4 else 'budget'
        if os.path.exists(out):
            return case.fail('left output', "an output file was left behind")
        return case
    if done.returncode in (2, 3) and any(map(is_merge, case.names)) \
            and re.search('scalar|in the system section', case.message):
        case.kind = 'refused'         # a variable that cannot be merged
        return case
    if done.returncode != 0:
        name = f"signal {-done.returncode}" if done.returncode < 0 \
            else f"status {done.returncode}"
        return case.fail(name, case.message)
    try:
        with open(report, encoding='utf-8') as file:
            written = json.load(file)
        exact = written['exact']
        if 'without' in written and exact:
            return case  # judges/without.py knows what is left then
        if case.mode == 'auto':
            case.names = chosen_names(written)
            gone = {concrete.slots[i] for i in removed_slots(
                concrete, [n.split('@')[0] for n in case.names])}
            if gone & set(case.kept):
                return case.fail('auto', f"{gone & set(case.kept)} are gone")
    except (OSError, ValueError, KeyError, TypeError) as error:
        return case.fail('report', f"{type(error).__name__}: {error}")
    case.exact, case.shown = exact is True, 'shown' in written
    case.relies = 'relies_on' in written
    if case.mode == 'auto' and not case.exact:
        return case.fail('auto', "what --auto removes is not exact")
    said = wrong_of(written, model, out, explored)
    if said:
        return case.fail('said', said)
    if options.validator:
        checked = subprocess.run(options.validator.split() + [out],
                                 capture_output=True, text=True, check=False)
        if checked.returncode != 0:
            return case.fail('invalid output',
                             checked.stdout + checked.stderr)
    return judge_case(options, concrete, explored, out, case, written)


def is_of_processes(name):
    """Whether a removal names processes rather than a template."""
    return bool(re.match(r'[PQ]\d+[a-z]?\.|\w+\(', name))


def certify(options, concrete, explored, out, case):
    """Compare what certify says with the judge; the case.  What a variable
    of a merge holds is no business of certify."""
    if options.certify and not any(map(is_merge, case.names)):
        message, case.asked = check_certify(options, concrete, explored, out,
                                            case.names)
        if message is not None:
            case.fail('certify', message)
    return case


def atom_of(concrete, explored, slot, seed):
    """What a query asks of a slot, which may be so in some state."""
    number = concrete.slots.index(slot)
    at = len(concrete.processes) + number
    values = sorted({state[at] for state in explored.states})
    return slot, concrete.terms[number], values[seed % len(values)]


def is_blurred(concrete, explored, abstract, names, normalised, atom):
    """Whether a query has another value in some state's image."""
    alpha = Projection(concrete, abstract, names, normalised)
    slot, _, value = atom
    at = len(concrete.processes) + concrete.slots.index(slot)
    there = len(abstract.processes) + abstract.slots.index(slot)
    return any((state[at] == value) != (alpha(state)[there] == value)
               for state in explored.states)


def judge_shares(options, concrete, explored, out, case, report):
    """The models for some of the queries alone; what is wrong, or None."""
    for model in report.get('by_query', {}).get('models', ()):
        if 'merges' in model:
            continue # judges/proposed.py knows what these are
        path = os.path.join(os.path.dirname(out), model['output']['file'])
        with open(path.replace('.xml', '.json'), encoding='utf-8') as file:
            own = json.load(file)
        abstract = load_network(path)
        rename(abstract, concrete, own)
        normalised = own.get('normalised', ())
        found = compare(concrete, explored, abstract, case.names, 'exact',
                        time.monotonic() + options.max_seconds,
                        normalised, 'relies_on' in own).failures
        found = {kind: found[kind] for kind in found if kind != 'new-error'}
        if found:
            return f"{path}: {', '.join(found)}"
        for query in model['queries'] if case.atoms else ():
            if is_blurred(concrete, explored, abstract, case.names, normalised,
                          case.atoms[query]):
                return f"{path}: query {query}"
        equal = Equal(abstract, explore(abstract, options.max_states))
        states = equal.counts[0]
        if model['measured']['is_complete'] and equal.same_ends \
                and states != model['measured']['states']:
            return f"{path}: {states} states"
    return None


def judge_case(options, concrete, explored, out, case, report):
    """Compare the output with the original."""
    deadline = time.monotonic() + options.max_seconds
    try:
        if case.mode == 'lower':
            verdict = judge_lower(options, concrete, explored, out,
                                  case.words, case, deadline)
            case.steps = verdict.steps
            return case.fail('exact', "claimed") if case.exact \
                else certify(options, concrete, explored, out, case)
        abstract = load_network(out)
        rename(abstract, concrete, report)
        verdict = compare(concrete, explored, abstract, case.names, 'exact',
                          deadline, report.get('normalised', ()),
                          case.relies)
        failures = dict(verdict.failures)
        for atom in case.atoms:
            if is_blurred(concrete, explored, abstract, case.names,
                          report.get('normalised', ()), atom):
                return case.fail('auto', f"whether {atom[1]} == {atom[2]}")
        wrong = case.mode == 'auto' and judge_auto(
            options, concrete, explored, out, case, report)
        if wrong:
            return case.fail('auto', wrong)
        case.really_exact = not {'may', 'exact', 'initial'} & set(failures)
        if not case.exact:
            failures.pop('exact', None)
        if case.mode == 'must' and not case.exact:
            failures = dict(compare(concrete, explored, abstract, case.names,
                                    'must', deadline,
                                    excuses=case.relies).failures)
    except ModelError as error:
        return case.fail('unusable output', str(error))
    except Budget as error:
        case.kind, case.message = 'budget', f"judge: {error}"
        return case
    case.steps = verdict.steps
    if 'new-error' in failures and not options.strict_errors:
        case.warnings.append(failures.pop('new-error').text)
    for name in case.names:
        if not failures and '@' not in name and not is_merge(name) \
                and is_whole(name, concrete):
            numbers = removed_slots(concrete, [name])
            if {concrete.slots[i] for i in numbers} & set(abstract.slots):
                return case.fail('not removed', f"{name} is still there")
    if failures:
        kind = sorted(failures)[0]
        return case.fail(kind, '\n'.join(f"{failure.kind}: {failure.text}"
                                         for failure in failures.values()))
    try:
        message = restless(concrete, abstract, case.names, options.max_states)
    except Budget:
        message = None
    if message is not None:
        return case.fail('rest', message)
    if 'split' in report or options.references:
        message = check_names(concrete, explored, out,
                              Projection(concrete, abstract, case.names))
        if message is not None:
            return case.fail('query', message)
    if options.chain and case.mode != 'auto' and len(case.names) > 1:
        message = check_chain(
            options, os.path.join(os.path.dirname(out), 'model.xml'), out,
            case, lambda before, after, report, name: command_of(
                options, before, after, report,
                Case(0, 0, [name], case.mode, case.approx)))
        if message is not None:
            return case.fail('chain', message)
    if case.mode == 'auto' and options.certify:
        message = check_exchanged(options, concrete, explored, abstract, out,
                                  case.names, report)
        if message is not None:
            return case.fail('certify', message)
    elif case.mode != 'auto':
        certify(options, concrete, explored, out, case)
    if options.concretize and case.kind == 'passed':
        folder = os.path.dirname(out)
        message, case.claims = check_concretize(
            options, folder, load_network(os.path.join(folder, 'model.xml')),
            explored, case)
        if message is not None:
            return case.fail('concretize', message)
    if options.claims and case.kind == 'passed':
        folder = os.path.dirname(out)
        message, case.claims = check_claims(
            options, case.words, folder, case, concrete, explored)
        if message is not None:
            return case.fail('claim', message)
    return case


def is_whole(name, network):
    """Whether a name is a whole variable, not a cell or a field."""
    owner, rest = split_name(name)
    if owners(network, owner) is not None:
        name = rest
    return '.' not in name and '[' not in name


def find_model(options, seed, folder):
    """A model of usable size: (attempt, path, names, network, states)."""
    for attempt in range(ATTEMPTS):
        number = seed + attempt * 1000000
        way = 'merging' if options.merges else 'plain'
        hiding = HIDING_FAILURES if options.failing else HIDING
        text, names = generate(number, options.disabled, way, hiding)
        if options.together:
            text, names = generate_flowing(number)
        elif options.counting:
            text, names = generate_counting(number, options.max_states)
        elif options.waiting:
            text, names = generate_waiting(number, options.max_states, way)
        elif options.claims or options.concretize:
            try:
                text = generate_queried(number, options.disabled, options.max_states, way,
                                        hiding)[0]
            except Budget:
                continue
        if options.processes or options.references:
            text, names = generate_wide(
                number, options.disabled, options.max_states,
                'passing' if options.references else 'wide', hiding)
        if text is None:
            continue
        if options.failing:
            text, more = failing(random.Random(number * 15485867 + 3), text)
            names += more * (1 + len(names) // 4)
        if options.failing_guards:
            text, more = failing_guards(random.Random(number * 15485867 + 5), text)
            names += more * (1 + len(names) // 4)
        text = with_idle(random.Random(number * 15485917 + 11), text)
        path = os.path.join(folder, 'model.xml')
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)
        try:
            network = load_network(path)
            explored = explore(network, options.max_states)
        except Budget:
            continue
        if len(explored.states) >= options.min_states and names:
            return attempt, path, names, network, explored
    return None


def text_of(path):
    """The text of a model, without XML entities."""
    with open(path, encoding='utf-8') as file:
        return html.unescape(file.read())


def run_job(job):
    """All cases of one seed or file: (seed, model facts or None, cases)."""
    options, seed = job
    return check_file(options, seed) if options.files \
        else run_seed(options, seed)


def run_seed(options, seed):
    """All cases of one seed."""
    rng = random.Random(seed * 7919 + 17)
    with tempfile.TemporaryDirectory(prefix='varabs-random-') as folder:
        found = find_model(options, seed, folder)
        if found is None:
            return seed, None, []
        attempt, path, candidates, network, explored = found
        cases = []
        if options.check:
            cases.append(check_seed(options, seed, attempt, folder))
            keep(options, path, cases[-1], folder)
        if 'lower' in options.mode:   # has nothing to say of others
            candidates = [n for n in candidates if re.match(r'T\d+\.', n)]
        removals = choose_removals(rng, candidates, rng.randint(1, 3)) \
            if options.mode and candidates else []
        if options.together:
            removals = choose_together(rng, candidates)
        if 'auto' in (options.mode or ()):
            removals = [[]]
        for names in removals:
            if options.scopes and not (options.together and rng.random() < 0.6):
                names = add_scopes(rng, names, network)
            if options.processes:
                names = select(rng, network, names)
            if options.merges:
                names = choose_merges(rng, names, network, explored,
                                      text_of(path) if options.waiting else '')
            approx = 'combined' if rng.random() < 0.15 else None
            mode = rng.choice(options.mode)
            case = Case(seed, attempt, names, mode,
                        mode != 'lower' and (options.approx or approx))
            case.budget = options.budget
            if options.counting:
                case.budget = random.Random(f"{seed} {names}").choice(BUDGETS)
            if case.mode == 'auto' and not options.claims \
                    and rng.random() < 0.5:
                case.kept = choose_kept(rng, network)
            run_case(options, network, explored, path, case, folder)
            keep(options, path, case, folder)
            cases.append(case)
        facts = (len(explored.states), explored.transitions,
                 explored.error_count)
        return seed, facts, cases


def check_seed(options, seed, attempt, folder):
    """The check of the model of a seed, with random queries."""
    case = Case(seed, attempt, [], None, None)
    path = os.path.join(folder, 'check.xml')
    try:
        text, network, explored = generate_queried(
            seed + attempt * 1000000, options.disabled, options.max_states,
            'passing' if options.references else 'plain',
            HIDING_FAILURES if options.failing else HIDING)
    except Budget as error:
        case.kind, case.message = 'budget', f"queries: {error}"
        return case
    if options.failing:
        text, _ = failing(random.Random(seed * 15485867 + 3), text)
        network = load_network(io.StringIO(text))
        try:
            explored = explore(network, options.max_states)
        except Budget as error:
            case.kind, case.message = 'budget', f"oracle: {error}"
            return case
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)
    return options.judge(options, network, explored, path, case)


def check_file(options, path):
    """The check of a given file: (file, model facts or None, cases)."""
    case = Case(os.path.basename(path), 0, [], None, None)
    try:
        network = load_network(path)
        explored = explore(network, options.max_states * 10)
    except (ModelError, Budget) as error:
        case.kind, case.message = 'budget', f"oracle: {error}"
        return case.seed, (0, 0, 0), [case]
    with tempfile.TemporaryDirectory(prefix='varabs-random-') as folder:
        copy = os.path.join(folder, 'check.xml')
        shutil.copyfile(path, copy)
        options.judge(options, network, explored, copy, case)
        keep(options, path, case, folder)
    return case.seed, (len(explored.states), explored.transitions,
                       explored.error_count), [case]


def keep(options, model, case, folder):
    """Save a failing case with the command that repeats it."""
    if case.kind != 'failed' and not case.warnings:
        return
    name = f"{case.seed}-{'+'.join(case.names).replace('@', '_') or 'check'}"
    target = os.path.join(options.keep, re.sub(r'[^\w.+\[\]-]', '_', name))
    os.makedirs(target, exist_ok=True)
    files = ('model.xml', 'out.xml', 'out.json', 'broken.xml') \
        if case.names or case.mode == 'auto' else ('check.xml',)
    for file in files:
        source = os.path.join(folder, file)
        if os.path.exists(source):
            shutil.copyfile(source, os.path.join(target, file))
    case.command = repeat_command(options, os.path.join(target, 'model.xml'),
                                  case)
    with open(os.path.join(target, 'failure.txt'), 'w',
              encoding='utf-8') as file:
        texts = [case.message] if case.kind == 'failed' else case.warnings
        file.write(f"{case.failure or 'warning'}\n{case.command}\n\n"
                   + '\n'.join(texts) + '\n')


def repeat_command(options, model, case):
    words = ['python3', os.path.join(HERE, 'run.py'), '--varabs',
             options.varabs]
    if case.mode == 'auto':
        words += ['--model', model, '--mode', 'auto']
        for slot in case.kept:
            words += ['--kept', slot]
    elif case.names:
        words += ['--model', model, '--mode', case.mode, '--remove',
                  ','.join(n for n in case.names if not is_merge(n))]
        for name in filter(is_merge, case.names):
            words += ['--merge', name]
    else:
        check = os.path.join(os.path.dirname(model), 'check.xml')
        words += ['--mode', 'check' if options.judge is check_model
                  else 'decide', check]
    if case.mode and case.approx:
        words += ['--approx', case.approx]
    if case.mode and case.budget:
        words += ['--budget', str(case.budget)]
    if case.mode and options.certify:
        words.append('--certify')
    if case.mode and options.claims:
        words.append('--claims')
    if case.mode and options.waiting:
        words.append('--waiting')
    if case.mode and options.explore:
        words.append('--explore')
    if case.mode and options.concretize:
        words.append('--concretize')
    if case.mode and options.strict_errors:
        words.append('--strict-errors')
    return shlex.join(words)


def short(message):
    """A message without places, names and numbers, for the table."""
    line = message.split('\n')[0] if message else '(no message)'
    line = re.sub(r"^\S*?:(\d+:)*(\d+:)? *", '', line)
    line = re.sub(r"'[^']*'|`[^`]*`|\"[^\"]*\"", "'...'", line)
    line = re.sub(r' *\(.*', '', line)
    return re.sub(r'\b[A-Za-z]{0,3}\d+\b', 'N', line)[:100]


class Summary:
    """Counts over a run."""

    def __init__(self):
        self.models = self.unsuitable = self.states = self.with_errors = 0
        self.cases = self.exact = self.missed = self.steps = 0
        self.shown = 0
        self.kinds = collections.Counter()
        self.failures = collections.Counter()
        self.refusals = collections.Counter()
        self.warnings = self.combined = self.checked = 0
        self.asked = collections.Counter()
        self.claims = collections.Counter()
        self.lower = collections.Counter()
        self.slowest = 0.0

    def add(self, facts, cases):
        if facts is None:
            self.unsuitable += 1
            return
        self.models += 1
        self.states += facts[0]
        self.with_errors += facts[2] > 0
        for case in cases:
            self.kinds[case.kind] += 1
            self.cases += 1
            self.steps += case.steps
            self.asked.update(case.asked)
            self.claims.update(case.claims)
            self.lower.update(case.lower)
            self.combined += case.approx == 'combined'
            self.warnings += bool(case.warnings)
            self.slowest = max(self.slowest, case.seconds)
            if case.kind == 'passed' and case.names:
                self.exact += case.exact
                self.shown += case.shown
                self.missed += case.really_exact and not case.exact
            elif case.kind == 'passed' and not case.names:
                self.checked += 1
            elif case.kind in ('refused', 'budget'):
                self.refusals[f"{case.kind}: {short(case.message)}"] += 1
            elif case.kind == 'failed':
                self.failures[case.failure] += 1

    def show(self, seconds):
        print(f"models {self.models} (unsuitable {self.unsuitable}, with"
              f" runtime errors {self.with_errors}), states {self.states}")
        print(f"cases {self.cases}, refused {self.kinds['refused']}, budget"
              f" {self.kinds['budget']}, combined {self.combined}")
        print(f"exact {self.exact}, shown by exploration {self.shown},"
              f" exact but not claimed {self.missed},"
              f" new-error warnings {self.warnings}")
        print(f"steps compared {self.steps}, slowest run {self.slowest:.2f} s,"
              f" total {seconds:.1f} s")
        if self.asked:
            print(f"certified {self.asked[True]}, refuted"
                  f" {self.asked[False]}, time alike"
                  f" {self.asked['time True']}, not alike"
                  f" {self.asked['time False']}, by sets"
                  f" {self.asked['sets']}, not for sets"
                  f" {self.asked['no sets']}, runs by sets"
                  f" {self.asked['runs by sets']}, by states"
                  f" {self.asked['runs by states']}")
        for text, count in sorted(self.claims.items()):
            print(f"confirmed: {text} {count}")
        for text, count in sorted(self.lower.items()):
            print(f"lower construction: {text} {count}")
        if self.checked:
            print(f"explorations and queries right {self.checked}")
        for title, table in (('refusals', self.refusals),
                             ('failures', self.failures)):
            if table:
                print(f"{title}:")
            for text, count in table.most_common():
                print(f"  {count:6d}  {text}")
        passed = self.cases - self.kinds['failed']
        print(f"{passed} passed, {self.kinds['failed']} failed")


def run_one(options):
    """One case on a given model; the exit status tells what happened."""
    names = [name for name in re.split(r',(?![^()]*\))', options.remove or '')
             if name]
    case = Case(0, 0, names + options.merge, options.mode[0], options.approx)
    case.kept, case.budget = options.kept, options.budget
    try:
        network = load_network(options.model)
        explored = explore(network, options.max_states * 10)
    except ModelError as error:
        print(f"{options.model}: {error}", file=sys.stderr)
        return 2
    except Budget as error:
        print(f"{options.model}: {error}", file=sys.stderr)
        return 3
    with tempfile.TemporaryDirectory(prefix='varabs-random-') as folder:
        path = os.path.join(folder, 'model.xml')
        shutil.copyfile(options.model, path)
        run_case(options, network, explored, path, case, folder)
    print(f"{case.kind} {case.failure}\n{case.message}")
    for text in case.warnings:
        print(f"warning: {text}")
    if case.kind == 'failed':
        return 2 if case.failure in ('status 2', 'status 3') else 1
    return {'passed': 0, 'refused': 4, 'budget': 3}[case.kind]


def seed_range(text):
    first, _, last = text.partition('..')
    return range(int(first), int(last or first) + 1)


def options_of():
    parser = argparse.ArgumentParser(
        description="Generate random models, abstract and judge them.")
    parser.add_argument('--varabs', required=True, metavar='PROGRAM')
    parser.add_argument('--seeds', type=seed_range, metavar='A..B')
    parser.add_argument('--jobs', type=int, default=1)
    parser.add_argument('--keep', metavar='DIR',
                        help="where failing cases are kept"
                             " (default: random beside PROGRAM)")
    parser.add_argument('--model', metavar='FILE')
    parser.add_argument('--remove', metavar='NAMES')
    parser.add_argument('--kept', metavar='SLOT', action='append', default=[],
                        help="with --model and --mode auto")
    parser.add_argument('--merge', action='append', default=[],
                        metavar='MERGE', help="with --model: see merges.py")
    parser.add_argument('--approx', choices=['template', 'combined'])
    parser.add_argument('files', nargs='*', metavar='FILE',
                        help="with --mode check: models to check")
    parser.add_argument('--mode', action='append',
                        choices=['may', 'must', 'lower', 'check', 'auto',
                                 'decide'],
                        help="may (default), must or lower, several may be"
                             " given; auto: what --auto removes;"
                             " check: --check and nothing else; decide: what"
                             " --auto says of queries, alone")
    parser.add_argument('--scopes', action='store_true',
                        help="remove locals in some locations only")
    parser.add_argument('--processes', action='store_true',
                        help="remove locals in some processes only")
    parser.add_argument('--references', action='store_true',
                        help="remove globals passed to reference parameters")
    parser.add_argument('--merges', action='store_true',
                        help="merge scalars instead of removing them")
    parser.add_argument('--chain', action='store_true',
                        help="also compare several removals at once with one"
                             " after the other")
    parser.add_argument('--check', action='store_true',
                        help="also compare what 'varabs check' says")
    parser.add_argument('--certify', action='store_true',
                        help="also compare what 'varabs certify' says of the"
                             " outputs and of broken copies")
    parser.add_argument('--claims', action='store_true',
                        help="also confirm what reports say carries over")
    parser.add_argument('--waiting', action='store_true',
                        help="small models in which processes wait")
    parser.add_argument('--explore', action='store_true',
                        help="with --mode may: explore, to show that more is"
                             " exact")
    parser.add_argument('--counting', action='store_true',
                        help="small models with counters, and budgets that"
                             " are too small for them")
    parser.add_argument('--budget', type=int, metavar='N',
                        help="of the value analysis")
    parser.add_argument('--together', action='store_true',
                        help="small models with variables that may make no "
                        "difference, removed together")
    parser.add_argument('--concretize', action='store_true',
                        help="also judge what becomes of the runs of outputs"
                             " in the original")
    parser.add_argument('--failing', action='store_true',
                        help="models with something that fails at last")
    parser.add_argument('--failing-guards', action='store_true',
                        help="models with guards and channels that may fail")
    parser.add_argument('--strict-errors', action='store_true',
                        help="new runtime errors are failures")
    parser.add_argument('--validator', metavar='COMMAND',
                        help="run on every output; must exit with 0")
    parser.add_argument('--min-states', type=int, default=4)
    parser.add_argument('--max-states', type=int, default=3000)
    parser.add_argument('--timeout', type=float, default=20,
                        help="seconds of processor time for one run")
    parser.add_argument('--max-seconds', type=float, default=120,
                        help="seconds for judging one case")
    parser.add_argument('-q', '--quiet', action='store_true')
    add_feature_options(parser)
    options = parser.parse_args()
    options.mode = options.mode or ['may']
    options.judge = check_model
    if options.mode == ['decide']:
        options.mode, options.judge = ['check'], check_decisions
    if 'check' in options.mode:
        options.check, options.mode = True, []
    if not options.seeds and not (options.model and (
            options.remove is not None or options.merge
            or 'auto' in (options.mode or ()))) \
            and not (options.files and not options.mode):
        parser.error("--seeds, or --model and --remove, or --mode check and"
                     " files, are needed")
    options.disabled = tuple(options.disabled or ())
    options.varabs = os.path.abspath(options.varabs)
    if not os.access(options.varabs, os.X_OK):
        parser.error(f"{options.varabs} cannot be run")
    if options.keep is None:
        options.keep = os.path.join(os.path.dirname(options.varabs), 'random')
    return options


def run_all(options, seeds, run, summary, tell):
    """Runs each seed in one of several processes; tells each case. The exit status."""
    started = time.monotonic()
    jobs = ((options, seed) for seed in seeds)
    with multiprocessing.Pool(options.jobs) as pool:
        for seed, facts, cases in pool.imap(run, jobs, chunksize=4):
            summary.add(facts, cases)
            for case in cases:
                tell(seed, case)
    summary.show(time.monotonic() - started)
    return 1 if summary.kinds['failed'] else 0


def tell_case(seed, case):
    if case.kind == 'failed':
        first = case.message.split('\n')[0][:100]
        print(f"seed {seed}: {case.failure}: {first}\n"
              f"  {case.command}", flush=True)
    elif case.warnings:
        print(f"seed {seed}: warning: new-error\n"
              f"  {case.command}", flush=True)


def main():
    options = options_of()
    if options.model:
        return run_one(options)
    tell = (lambda seed, case: None) if options.quiet else tell_case
    return run_all(options, options.files or options.seeds, run_job, Summary(),
                   tell)


if __name__ == '__main__':
    sys.exit(main())
