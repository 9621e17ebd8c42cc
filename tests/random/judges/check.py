"""Compare `varabs check` with the naive explorer and its verdicts.

Counts, verdicts of all queries under both semantics, bounds, traces and exit
statuses must be right, for runs that explore everything, that stop early, that
have two threads, that have too few states, that interpret expressions, that
choose a narrow layout after a few states, as is done for large models, and
that have a single query.
"""

import json
import os
import random
import re
import shlex
import subprocess
from oracle.equal import Equal
from tools.limit import run_limited
from judges.replay import Replay, Wrong, expects_trace
from oracle.uppaal_query import RANGES, SEMANTICS, Graph, Query, decide, queries_of

COUNTS = ('states', 'transitions', 'deadlocks', 'errors')


class Mismatch(Exception):
    """The program is wrong: (what, message)."""


class Refused(Exception):
    """The program refuses the model."""


def check_model(options, network, explored, path, case):
    """All runs on one model; the case says what came of it."""
    try:
        Checker(options, network, explored, path).check(case)
    except Refused as error:
        case.kind, case.message = 'refused', f"check: {error}"
    except Mismatch as error:
        case.fail('check: ' + error.args[0], error.args[1])
    return case


class Run:
    """One run of the program: arguments and what to expect."""

    def __init__(self, semantics, *more, only=None):
        self.semantics, self.args = semantics, list(more)
        self.only = only    # number of the only query
        self.full = '--full' in more
        self.trace = '--trace' in more
        self.limited = '--max-states' in more

    def words(self, path):
        words = ['check', path, '--json', '-'] + self.args
        if self.semantics != 'uppaal' or self.trace:    # the default
            words += ['--semantics', self.semantics]
        return words


def bare_text(query):
    """The text of a query, or of one that was not understood, without comments and blanks."""
    text = query.text if isinstance(query, Query) else query[0]
    return re.sub(r'/\*.*?\*/|\s', '', text, flags=re.DOTALL)


class Checker:
    """Everything that is known about one model."""

    def __init__(self, options, network, explored, path):
        self.options, self.network, self.path = options, network, path
        self.explored, self.graph = explored, Graph(network, explored)
        self.replay = Replay(network, explored, self.graph)
        self.queries = queries_of(network)
        self.given = self.path + '.q'
        self.equal = Equal(network, explored)
        self.answers = {
            semantics: [self.equal.settle(decide(self.graph, query, semantics),
                                          query)
                        if isinstance(query, Query) else None
                        for query in self.queries]
            for semantics in SEMANTICS}

    def runs(self):
        count = len(self.explored.states)
        half = str((count + 1) // 2)
        few, many = '3', str(random.Random(count).randrange(1, count + 1))
        yield Run('uppaal', '--full', '--trace')
        yield Run('kripke', '--full', '--trace')
        yield Run('uppaal', '--trace')
        yield Run('kripke', '--trace')
        yield Run('uppaal', '--jobs', '2', '--full')
        yield Run('kripke', '--jobs', '2', '--trace', '--queries', self.given)
        yield Run('uppaal', '--full', '--trace', '--interpret')
        if count > 1:
            yield Run('uppaal', '--max-states', half)
            yield Run('uppaal', '--full', '--trace', '--first-look', few)
            yield Run('kripke', '--full', '--trace', '--first-look', many)
            yield Run('uppaal', '--trace', '--first-look', many)
            yield Run('kripke', '--trace', '--first-look', few, '--interpret')
            yield Run('kripke', '--max-states', half, '--trace',
                      '--first-look', few)
        for number, query in enumerate(self.queries):
            if isinstance(query, Query):
                yield Run(SEMANTICS[(number + count) % 2], '--trace',
                          '--first-look', (few, many, '1')[number % 3],
                          '--query', query.text, only=number)

    def check(self, case):
        self.write_queries()
        try:
            for run in self.runs():
                self.check_run(run)
                case.steps += 1
        finally:
            os.remove(self.given)

    def write_queries(self):
        """The queries as a file of their own."""
        with open(self.given, 'w', encoding='utf-8') as file:
            for query in self.queries:
                text = query.text if isinstance(query, Query) else query[0]
                file.write(text + '\n')

    def check_run(self, run):
        words = run.words(self.path)
        try:
            done = run_limited([self.options.varabs] + words,
                               self.options.timeout, capture_output=True,
                               text=True, errors='replace')
        except subprocess.TimeoutExpired as error:
            raise Mismatch('timeout', self.told(run, "no answer")) from error
        if done.returncode == 4 and not done.stdout or done.returncode == 3 and not done.stdout:
            if done.returncode == 3 and not any(
                    'unknown' in answer.verdicts if answer else True
                    for answer in self.answers[run.semantics]):
                raise Mismatch('status 3', self.told(run, done.stderr))
            raise Refused(done.stderr.strip())
        try:
            self.check_output(run, json.loads(done.stdout), done.returncode)
        except (Mismatch, Wrong) as error:
            what = error.args[0] if isinstance(error, Mismatch) else 'trace'
            raise Mismatch(what, self.told(run, error.args[-1])) from error
        except (ValueError, KeyError, TypeError, AttributeError,
                IndexError) as error:
            raise Mismatch('output', self.told(
                run, f"{type(error).__name__}: {error}; status"
                     f" {done.returncode}\n{done.stderr}")) from error

    def told(self, run, message):
        return f"{message}\nwith {shlex.join(run.words('MODEL')[2:])}"

    def check_output(self, run, output, status):
        self.check_counts(run, output)
        # Of formulas in comments, and of those about agents, there is knowledge.py.
        shown = [entry for entry in output['queries'] if 'observations' not in entry]
        texts = [bare_text(query) for query in self.queries]
        if len(shown) > len(texts):
            shown = [entry for entry in shown if bare_text((entry['formula'],)) in texts]
        numbers = [n for n, text in enumerate(texts) if not re.search(r'\bK\(', text)]
        if run.only is not None:
            numbers = [n for n in numbers if n == run.only]
        if len(shown) != len(numbers):
            raise Mismatch('queries', f"{len(shown)} queries, expected"
                                      f" {len(numbers)}")
        for number, entry in zip(numbers, shown):
            self.check_query(run, number, self.queries[number], entry)
        self.check_status(output['is_complete'], output['queries'], status)

    # --- counts -----------------------------------------------------------

    def check_counts(self, run, output):
        ours = dict(zip(COUNTS, (
            len(self.explored.states), self.explored.transitions,
            self.explored.deadlocks, self.explored.error_count)))
        theirs = {key: output[key] for key in COUNTS}
        if output['is_complete'] and not self.equal.same_steps:
            if any(bool(theirs[key]) != bool(ours[key]) for key in COUNTS):
                raise Mismatch('counts', f"expected {ours}, got {theirs}")
        elif output['is_complete']:
            ours = dict(zip(COUNTS, self.equal.counts))
            if ours != theirs:
                raise Mismatch('counts', f"expected {ours}, got {theirs}")
        elif run.full and not run.limited:
            raise Mismatch('counts', "--full did not explore everything")
        elif any(theirs[key] > ours[key] for key in COUNTS):
            raise Mismatch('counts', f"at most {ours} exist, got {theirs}")
        limit = output['limit']
        if limit is not None and not (run.limited and limit == 'states'):
            raise Mismatch('limit', f"limit {limit}")
        first = output['first_error']
        if bool(first) != bool(theirs['errors']):
            raise Mismatch('errors', f"{theirs['errors']} errors, but"
                                     f" first_error is {first}")
        if first and run.trace:
            self.replay.check_error(first['trace'])

    # --- queries ----------------------------------------------------------

    def check_query(self, run, number, query, shown):
        answer, verdict = self.answers[run.semantics][number], shown['verdict']
        formula = query.text if answer else query[0]

        def complain(what, message):
            raise Mismatch(what, f"{formula}: {message}")
        if plain(shown['formula']) != plain(formula):
            complain('queries', f"is shown as {shown['formula']}")
        if not answer and shown['semantics'] == 'any':
            return                  # operators in each other: see nested.py
        if shown['semantics'] != run.semantics:
            complain('queries', f"semantics {shown['semantics']}")
        verdicts = answer.verdicts if answer else {'unknown'}
        if run.limited and not shown.get('problem'):
            verdicts = verdicts | {'unknown'}
        elif verdict == 'unknown' and not shown.get('problem'):
            complain('verdict', f"{verdict} without a problem, expected"
                                f" {' or '.join(sorted(verdicts))}")
        if verdict not in verdicts:
            reason = shown.get('problem') or ''
            complain('verdict', f"{verdict} {reason}, expected"
                                f" {' or '.join(sorted(verdicts))}")
        if answer and query.kind in RANGES and verdict != 'unknown':
            got = [(bound.get('lower'), bound.get('upper'))
                   for bound in shown['bounds']]
            if got != answer.bounds:
                complain('bounds', f"{got}, expected {answer.bounds}")
        if not run.trace or not answer:
            return
        trace = shown.get('trace')
        if bool(trace) != expects_trace(query, verdict):
            complain('trace', f"{verdict} {'with' if trace else 'without'} a"
                              " trace")
        if trace:
            try:
                self.replay.check(query, answer, run.semantics, verdict, trace)
            except Wrong as error:
                complain('trace', str(error))

    @staticmethod
    def check_status(is_complete, shown, status):
        """The exit status goes with the verdicts."""
        verdicts = {query['verdict'] for query in shown}
        allowed = set()
        for query in shown:
            if query.get('problem'):
                allowed.update((4,) if 'found first' in query['problem'] else (3, 4))
        if any(query['verdict'] == 'unknown' and not query.get('problem')
               for query in shown):
            allowed.add(5)
        if 'violated' in verdicts:
            allowed.add(1)
        if not allowed:
            allowed.add(0 if shown or is_complete else 5)
        if status not in allowed:
            raise Mismatch('status', f"status {status} with verdicts"
                                     f" {sorted(verdicts)}")


def plain(text):
    """A formula without comments and blanks."""
    text = re.sub(r'//[^\n]*|/\*.*?\*/|\\[ \t]*\n', ' ', text, flags=re.S)
    return ''.join(text.split())
