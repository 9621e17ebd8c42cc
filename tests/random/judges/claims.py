"""Confirm what the report of an abstraction claims to carry over.

The naive explorer decides the queries of the original and of the abstraction
under both semantics; a verdict that is claimed to carry over must be that of the original, and bounds must lie
as is claimed.  That is done for the report as it is, for one that was handed
the result of an exploration (--checked), and for an abstraction with --stutter,
which besides must be certified.  Claims of models with runtime errors are left
out where the report says that it relies on there being none.
"""

import collections
import json
import os
import types
from judges.check import plain
from judges.judge import Projection
from tools.limit import run_limited
from judges.merges import is_merge
from tools.naive_check import show_query
from judges.processes import rename
from oracle.equal import Equal
from oracle.uppaal_parse import ModelError
from oracle.uppaal_query import SEMANTICS, Graph, queries_of
from oracle.uppaal_run import explore, load_network
from oracle.uppaal_runtime import Budget

MAX_STATES = 12000


class Wrong(Exception):
    """A claim is wrong."""


class Claims:
    """One removal on one model, and the claims that were confirmed."""

    def __init__(self, options, words, folder, case, concrete, explored):
        self.options, self.words = options, words
        self.names, self.mode = case.names, case.mode
        self.concrete, self.explored = concrete, explored
        self.model = os.path.join(folder, 'model.xml')
        self.out = os.path.join(folder, 'out.xml')
        self.report = os.path.join(folder, 'out.json')
        self.result = os.path.join(folder, 'checked.json')
        self.confirmed = collections.Counter()

    def run(self, *words):
        done = run_limited([self.options.varabs, *words], self.options.timeout,
                           capture_output=True, text=True)
        if done.returncode < 0 or done.returncode > 5:
            raise Wrong(f"status {done.returncode}: {done.stderr}")
        return done

    @staticmethod
    def decide(network, explored):
        """The answers to all queries, by semantics."""
        graph = Graph(network, explored)
        queries = queries_of(network)
        return {semantics: [show_query(
            types.SimpleNamespace(graph=graph), query,
            types.SimpleNamespace(semantics=semantics, trace=False))
                            for query in queries] for semantics in SEMANTICS}

    def count(self, path):
        """Leaves the result of a full check for --checked."""
        self.run('check', path, '--full', '--max-states', str(MAX_STATES),
                 '--json', self.result)

    def abstract(self, *more):
        done = self.run(*self.words[1:], *more)
        if done.returncode:
            return None
        with open(self.report, encoding='utf-8') as file:
            return json.load(file)

    def all(self):
        originals = self.decide(self.concrete, self.explored)
        report = self.abstract()
        self.compare(report, originals, 'plain')
        self.compare_shares(report, originals)
        if self.mode == 'auto':
            return
        self.count(self.out if self.mode == 'must' else self.model)
        self.compare(self.abstract('--checked', self.result), originals,
                     'checked')
        if self.mode == 'may':
            report = self.abstract('--stutter')
            self.compare(report, originals, 'stutter')
            self.stays(report)
            self.certify(report)

    def compare_shares(self, report, originals):
        """The models for some of the queries, each with its own report: they
        are for these queries, and have fewer states."""
        shares = (report or {}).get('by_query', {'models': []})
        folder = os.path.dirname(self.out)
        for share in shares['models']:
            self.out = os.path.join(folder, share['output']['file'])
            with open(self.out[:-3] + 'json', encoding='utf-8') as file:
                own = json.load(file)
            for query in share['queries']:
                if not own['guarantees'][query]['kripke']['satisfied'] and \
                        not own['guarantees'][query].get('bound'):
                    raise Wrong(f"{self.out} is not for query {query}")
            network = load_network(self.out)
            equal = Equal(network, explore(network, MAX_STATES))
            states, together = equal.counts[0], shares['together']
            if equal.same_ends and (share['measured']['states'] != states or
                                    states >= together['states']):
                raise Wrong(f"{self.out}: {states} states, not {shares}")
            self.compare(own, originals, 'by query')
            self.confirmed['by query'] += len(share['queries'])
        self.out = os.path.join(folder, 'out.xml')

    def stays(self, report):
        """Where a run of the original may end, --stutter lets one end, too."""
        if report is None or is_excused(report, self.explored):
            return
        abstract = load_network(self.out)
        rename(abstract, self.concrete, report)
        alpha = Projection(self.concrete, abstract, self.names)
        try:
            explored = explore(abstract, MAX_STATES)
        except Budget:
            return
        theirs = Graph(self.concrete, self.explored)
        ours = Graph(abstract, explored)
        for number, state in enumerate(theirs.states):
            image = explored.states.get(alpha(state))
            for semantics in SEMANTICS:
                if image is None or not theirs.ends(number, semantics):
                    continue
                if image not in ours.next[image] \
                        and not ours.ends(image, semantics):
                    raise Wrong(
                        f"a run ends here ({semantics}):"
                        f" {self.concrete.show(state)}, but goes on with"
                        f" --stutter: {abstract.show(ours.states[image])}")
                self.confirmed[f"ends {semantics}"] += 1

    def certify(self, report):
        """With the steps that --stutter added there are no hidden ends."""
        if report is None or not report['options'].get('stutter') or \
                is_excused(report, self.explored):
            return
        ignored = []
        for name in self.names:
            if is_merge(name):
                continue                  # both sides have what they have
            name = name.partition('@')[0]
            ignored += ['--ignore', name if name[0] == 'T' else '.' + name]
        done = self.run('certify', self.model, self.out, '--may', '--stutter',
                        '--names-from', self.report,
                        '--max-states', str(MAX_STATES), *ignored)
        if done.returncode == 1:
            raise Wrong("--stutter is not certified\n" + done.stdout)
        self.confirmed['certified'] += done.returncode == 0

    def compare(self, report, originals, way):
        if report is None or is_excused(report, self.explored):
            return
        if report['exact'] and way != 'by query':
            way = 'exact'
        abstract = load_network(self.out)
        try:
            answers = self.decide(abstract, explore(abstract, MAX_STATES))
        except Budget:
            return
        for semantics, original in originals.items():
            known = {plain(q['formula']): q for q in answers[semantics]}
            for claim, theirs in zip(report['guarantees'], original):
                formula = renamed(report, theirs['formula'])
                if plain(claim['formula']) != plain(formula):
                    raise Wrong(f"entry of {claim['formula']}, not of"
                                f" {formula}")
                ours = known.get(plain(rewritten(report, claim['formula'])))
                if theirs.get('problem'):
                    continue
                if ours and not ours.get('problem'):
                    self.compare_query(claim, semantics, ours, theirs, way)
                elif claims_some(claim, semantics):
                    raise Wrong(f"{claim['formula']} is not asked in the output: {ours}")

    def compare_query(self, claim, semantics, ours, theirs, way):
        verdict = ours['verdict']
        told = f"{claim['formula']} ({semantics}, {way}): "
        if claim[semantics].get(verdict):
            if theirs['verdict'] != verdict:
                raise Wrong(told + f"{verdict} is claimed to carry over, but"
                            f" is {theirs['verdict']}: {claim['reason']}")
            kind = claim['formula'].split()[0][:3]
            is_live = '-->' in claim['formula'] or kind in ('A<>', 'E[]')
            self.confirmed[f"{way} {semantics}" if is_live else 'safety'] += 1
        if claim.get('bound') and 'bounds' in ours:
            for one, two in zip(ours['bounds'], theirs['bounds']):
                if not fits(claim['bound'], one, two):
                    raise Wrong(told + f"{claim['bound']}, but {one} here and"
                                f" {two} in the original")
                self.confirmed['bounds'] += 1


def is_excused(report, explored):
    """Whether it relies on there being no runtime errors, and there are."""
    return 'relies_on' in report and explored.error_count > 0


def renamed(report, formula):
    """A formula with the names that processes and parameters have now."""
    for part in ('split', 'references'):
        changed = {plain(q['before']): q['after']
                   for q in report.get(part, {}).get('queries', [])}
        formula = changed.get(plain(formula), formula)
    return formula


def rewritten(report, formula):
    """A formula as the output asks it, of what was merged."""
    changed = {plain(q['formula']): q['rewritten'] for q in report.get('rewritten_queries', [])}
    return changed.get(plain(formula), formula)


def claims_some(claim, semantics):
    """Whether something carries over."""
    return claim[semantics]['satisfied'] or claim[semantics]['violated'] or 'bound' in claim


def at_most(low, high):
    return low is None or high is None or low <= high


def fits(bound, here, there):
    """Whether values here are to those of the original what is claimed."""
    if there['lower'] is None and there['upper'] is None:
        return bound != 'exact' or here == there
    above = at_most(there['upper'], here['upper'])
    below = at_most(here['lower'], there['lower'])
    if here['lower'] is None and here['upper'] is None:
        return bound in ('lower bound', 'upper bound', 'is enclosed')
    inner = at_most(here['upper'], there['upper']) and at_most(
        there['lower'], here['lower'])
    if bound == 'exact':
        return here == there
    if bound in ('encloses', 'is enclosed'):
        return above and below if bound == 'encloses' else inner
    if here['upper'] is not None:          # sup
        return above if bound == 'upper bound' else inner
    return below if bound == 'lower bound' else inner


def check_claims(options, words, folder, case, concrete, explored):
    """(message about a wrong claim or None, numbers of confirmed ones)."""
    claims = Claims(options, words, folder, case, concrete, explored)
    try:
        claims.all()
    except Wrong as error:
        return str(error), claims.confirmed
    except ModelError as error:
        return f"unusable output: {error}", claims.confirmed
    return None, claims.confirmed
