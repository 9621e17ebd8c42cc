"""Decide queries of timed models over regions, and confirm what reports claim
to carry over.

Runs are those of Uppaal: infinite ones, Zeno or not; those that end where time
may pass for ever, and where neither a step nor a delay is possible.  A verdict of
the abstraction that is claimed to carry over must be that of the original.
"""

import above  # noqa: F401
from judges.check import plain
from judges.claims import renamed
from network import load_timed
from regions import Caps, Dense, Grow, explore_dense
from oracle.uppaal_parse import ModelError
from oracle.uppaal_query import Binder, queries_of
from oracle.uppaal_runtime import EvalError

KINDS = ('A[]', 'E<>', 'A<>', 'E[]', '-->')


class TimedGraph:
    """Reachable (state, region) and the verdicts of queries there."""

    def __init__(self, network, max_states):
        self.network, self.max_states = network, max_states
        self.binder = Binder(network)
        self.functions = {}

    def verdicts(self):
        """{formula: satisfied, violated or unknown} of what can be decided."""
        caps = Caps()
        while True:
            try:
                self.dense = Dense(self.network, caps)
                self.found = explore_dense(self.dense, self.max_states)
                self.nodes = list(self.found.numbers)
                return {query.text: self.verdict(query)
                        for query in queries_of(self.network)
                        if not isinstance(query, tuple) and query.kind in KINDS}
            except Grow:
                self.functions.clear()

    def condition(self, tree):
        """The name of a compiled predicate."""
        code = self.network.condition(self.binder.bind(tree), self.binder.scope)
        name = self.network.fresh('f')
        self.network.run_source(f"def {name}():\n return {code}\n")
        return self.network.env[name]

    def where(self, tree):
        """For each node whether a predicate holds."""
        function, cache, found = self.condition(tree), {}, []
        stuck = self.deadlocked() if 'deadlock' in repr(tree) else None
        for number, (state, region) in enumerate(self.nodes):
            key = (state, bool(stuck and stuck[number]))
            if key not in cache:
                self.network.load(state)
                self.binder.deadlocked[0] = key[1]
                cache[key] = function()
                self.see(cache[key])
            found.append(self.dense.space.holds(region, cache[key]))
        return found

    def see(self, condition):
        caps, names, grown = self.dense.caps, self.network.clocks, False
        for conjunction in condition:
            for i, j, b in conjunction:
                grown |= caps.atom(names[i], names[j], abs(b // 2))
        if grown:
            raise Grow

    def next(self, number):
        """Nodes behind a step or a delay."""
        found = [self.found.numbers[target]
                 for _, target in self.found.actions[number]]
        after = self.found.delays[number][1]
        if after is not None:
            found.append(self.found.numbers[self.nodes[number][0], after])
        return found

    def deadlocked(self):
        """No step, now or after any delay."""
        found = [None] * len(self.nodes)
        for number in range(len(self.nodes)):
            chain = []
            at = number
            while at is not None and found[at] is None:
                chain.append(at)
                if self.found.actions[at]:
                    found[at] = False
                    break
                after = self.found.delays[at][1]
                at = None if after is None else \
                    self.found.numbers[self.nodes[at][0], after]
            value = True if at is None else found[at]
            for each in reversed(chain):
                if found[each] is None:
                    found[each] = value
        return found

    def ends(self, number):
        """Whether a run may end here, or stay for ever."""
        is_open, after = self.found.delays[number]
        return after is None and (
            not self.found.actions[number] or is_open
            and self.dense.space.delay(self.nodes[number][1]) is None)

    def forever(self, where):
        """The nodes from which some run stays where a predicate holds."""
        good = list(where)
        ends = [self.ends(number) for number in range(len(good))]
        nexts = [self.next(number) for number in range(len(good))]
        changed = True
        while changed:
            changed = False
            for number in reversed(range(len(good))):
                if good[number] and not ends[number] \
                        and not any(good[each] for each in nexts[number]):
                    good[number], changed = False, True
        return good

    def verdict(self, query):
        try:
            places = [self.where(tree) for tree in query.predicates]
        except (EvalError, ModelError):
            return 'unknown'
        first = places[0]
        if query.kind == 'E<>':
            holds = any(first)
        elif query.kind == 'A[]':
            holds = all(first)
        elif query.kind == 'E[]':
            holds = self.forever(first)[0]
        elif query.kind == 'A<>':
            holds = not self.forever([not each for each in first])[0]
        else:
            lost = self.forever([not each for each in places[1]])
            holds = not any(a and b for a, b in zip(first, lost))
        return 'satisfied' if holds else 'violated'


def verdicts_of(path, max_states):
    return TimedGraph(load_timed(path), max_states).verdicts()


def wrong_claim(model, out, report, max_states):
    """(what is wrong or None, how many claims were confirmed)."""
    originals = {plain(text): verdict for text, verdict
                 in verdicts_of(model, max_states).items()}
    theirs = {plain(text): verdict for text, verdict
              in verdicts_of(out, max_states).items()}
    before = {plain(renamed(report, text)): text for text in originals}
    confirmed = 0
    for claim in report['guarantees']:
        text = plain(claim['formula'])
        verdict = theirs.get(text)
        original = originals.get(before.get(text))
        told = claim.get('uppaal', {}).get(verdict)
        if verdict and original and told:
            if verdict != original:
                return (f"{text}: {verdict} is claimed to carry over, but is"
                        f" {original}: {claim.get('reason')}"), confirmed
            confirmed += 1
    return None, confirmed
