"""Confirm what the report of an abstraction claims to carry over.

The original and the abstraction are checked under both semantics; a verdict
that is claimed to carry over must be that of the original, and bounds must lie
as is claimed.  That is done for the report as it is, for one that was handed
the result of an exploration (--checked), and for an abstraction with --stutter,
which besides must be certified.  Models with runtime errors are left out: the
claims are not about them.
"""

import collections
import json
import os
import subprocess
from check import plain

SEMANTICS = ('kripke', 'uppaal')
MAX_STATES = '60000'


class Wrong(Exception):
    """A claim is wrong."""


class Claims:
    """One removal on one model, and the claims that were confirmed."""

    def __init__(self, options, words, folder, case):
        self.options, self.words = options, words
        self.names, self.mode = case.names, case.mode
        self.model = os.path.join(folder, 'model.xml')
        self.out = os.path.join(folder, 'out.xml')
        self.report = os.path.join(folder, 'out.json')
        self.result = os.path.join(folder, 'checked.json')
        self.confirmed = collections.Counter()

    def run(self, *words):
        done = subprocess.run([self.options.varabs, *words],
                              capture_output=True, text=True, check=False,
                              timeout=self.options.timeout)
        if done.returncode < 0 or done.returncode > 5:
            raise Wrong(f"status {done.returncode}: {done.stderr}")
        return done

    def check(self, path, semantics):
        """The result of a full check, or None if there is none."""
        done = self.run('check', path, '--full', '--semantics', semantics,
                        '--max-states', MAX_STATES, '--json', self.result)
        if done.returncode > 3 or not os.path.exists(self.result):
            return None
        with open(self.result, encoding='utf-8') as file:
            return json.load(file)

    def abstract(self, *more):
        done = self.run(*self.words[1:], *more)
        if done.returncode:
            return None
        with open(self.report, encoding='utf-8') as file:
            return json.load(file)

    def all(self):
        originals = [self.check(self.model, s) for s in SEMANTICS]
        if None in originals or originals[0]['errors']:
            return
        report = self.abstract()
        self.compare(report, originals, 'plain')
        if self.mode == 'must':
            self.check(self.out, 'kripke')
        else:
            self.check(self.model, 'kripke')
        self.compare(self.abstract('--checked', self.result), originals,
                     'checked')
        if self.mode == 'may':
            report = self.abstract('--stutter')
            self.compare(report, originals, 'stutter')
            self.certify(report)

    def certify(self, report):
        """With the steps that --stutter added there are no hidden ends."""
        if report is None or not report['options'].get('stutter'):
            return
        ignored = []
        for name in self.names:
            name = name.partition('@')[0]
            ignored += ['--ignore', name if name[0] == 'T' else '.' + name]
        done = self.run('certify', self.model, self.out, '--may', '--stutter',
                        '--max-states', MAX_STATES, *ignored)
        if done.returncode == 1:
            raise Wrong("--stutter is not certified\n" + done.stdout)
        self.confirmed['certified'] += done.returncode == 0

    def compare(self, report, originals, way):
        if report is None:
            return
        if report['exact']:
            way = 'exact'
        for semantics, original in zip(SEMANTICS, originals):
            abstract = self.check(self.out, semantics)
            if abstract is None:
                return
            known = {plain(q['formula']): q for q in abstract['queries']}
            for claim, theirs in zip(report['guarantees'],
                                     original['queries']):
                if plain(claim['formula']) != plain(theirs['formula']):
                    raise Wrong(f"entry of {claim['formula']}, not of"
                                f" {theirs['formula']}")
                ours = known.get(plain(claim['formula']))
                if ours and not theirs.get('problem'):
                    self.compare_query(claim, semantics, ours, theirs, way)

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


def check_claims(options, words, folder, case):
    """(message about a wrong claim or None, numbers of confirmed ones)."""
    claims = Claims(options, words, folder, case)
    try:
        claims.all()
    except Wrong as error:
        return str(error), claims.confirmed
    return None, claims.confirmed
