"""Judge what `varabs check --concretize` says of runs of an abstraction.

Every run is followed naively in the original, by sets of states.  What is real
must be so, and the run that is shown must prove the verdict in the original;
what is spurious must be so, and break off at the step that is named.
"""

import collections
import json
import os
from judges.judge import removed_slots
from tools.limit import run_limited
from judges.replay import Replay, Wrong, need
from oracle.uppaal_query import SEMANTICS, Graph, Query, decide, queries_of


class Follower:
    """One run in the original: nodes are (place, state, whether armed)."""

    def __init__(self, graph, query, answer, semantics, trace, numbers):
        self.graph, self.query, self.answer = graph, query, answer
        self.can_idle = semantics == 'uppaal'
        self.states, self.loop = trace['states'], trace.get('loop')
        self.numbers = numbers      # by place: the states that look like it
        self.last = len(self.states) - 1 - (self.loop is not None)
        still = [self.states[i] == self.states[i + 1]
                 for i in range(len(self.states) - 1)]
        self.stays = still
        if self.loop is not None and all(still[self.loop:]):
            self.stays = still[:self.loop] + [False] * len(still)

    def is_live(self):
        return self.query.kind in ('A<>', 'E[]', '-->')

    def arm(self, state, was_armed, is_first):
        """Whether what has to last, lasts since some state."""
        holds = self.answer.holds
        if self.query.kind == '-->':
            return (was_armed or holds[0][state]) and not holds[1][state]
        return (was_armed or is_first) \
            and holds[0][state] is (self.query.kind == 'E[]')

    def proves(self, place, state, armed):
        if not self.is_live():
            return place == self.last and \
                self.answer.holds[0][state] is (self.query.kind == 'E<>')
        return armed and (self.graph.dead[state]
                          or self.can_idle and self.graph.idle[state])

    def following(self, node, steps):
        place, state, armed = node
        if place == self.last and self.loop is None:
            return
        after = place + 1 if place < self.last else self.loop
        targets = {to for _, to in steps[state]} & self.numbers[after]
        if self.stays[place]:
            targets.add(state)
        for target in targets:
            yield after, target, self.arm(target, armed, False)

    def judge(self, steps):
        """('real' or 'spurious', the last place that is reached)."""
        first = (0, 0, self.arm(0, False, True)) if self.is_live() \
            else (0, 0, False)
        found, links, queue = {first}, {}, collections.deque([first])
        while queue:
            node = queue.popleft()
            if self.proves(*node):
                return 'real', None
            links[node] = list(self.following(node, steps)) \
                if self.is_live() else [(p, s, False) for p, s, _ in
                                        self.following_plain(node, steps)]
            for other in links[node]:
                if other not in found:
                    found.add(other)
                    queue.append(other)
        if self.loop is not None and self.has_loop(links):
            return 'real', None
        return 'spurious', max(place for place, _, _ in found)

    def following_plain(self, node, steps):
        place, state, _ = node
        if place < self.last:
            targets = {to for _, to in steps[state]} & self.numbers[place + 1]
            if self.stays[place]:
                targets.add(state)
            for target in targets:
                yield place + 1, target, False

    def has_loop(self, links):
        """Whether some armed nodes of the loop go on for ever."""
        alive = {n for n in links if n[2] and n[0] >= self.loop}
        while True:
            dying = {n for n in alive
                     if not any(other in alive for other in links[n])}
            if not dying:
                return bool(alive)
            alive -= dying


class Concretizer:
    """One abstraction and its original."""

    def __init__(self, options, folder, network, explored, case):
        self.options, self.network, self.explored = options, network, explored
        self.model = os.path.join(folder, 'model.xml')
        self.out = os.path.join(folder, 'out.xml')
        self.graph = Graph(network, explored)
        self.steps = [[(parts, explored.states[to]) for parts, to in steps]
                      for steps in explored.steps]
        self.replay = Replay(network, explored, self.graph)
        self.queries = {q.text: q for q in queries_of(network)
                        if isinstance(q, Query)}
        self.names = [name.partition('@')[0] for name in case.names]
        self.removed = {network.slots[i]
                        for i in removed_slots(network, self.names)}
        self.mode, self.confirmed = case.mode, collections.Counter()

    def looks(self, number, shown):
        state, processes = self.graph.states[number], self.network.processes
        return all(shown['locations'].get(p.name) == p.location_name(at)
                   for p, at in zip(processes, state)) and all(
            shown['values'].get(name, value) == value
            for name, value in zip(self.network.slots,
                                   state[len(processes):])
            if name not in self.removed)

    def run(self, semantics):
        words = [self.options.varabs, 'check', self.out, '--concretize',
                 self.model, '--trace', '--semantics', semantics, '--json',
                 '-']
        for name in self.names:
            words += ['--ignore', name if name[0] == 'T' else '.' + name]
        done = run_limited(words, self.options.timeout, capture_output=True,
                           text=True)
        if done.returncode not in (0, 1, 3):
            need(done.returncode in (4, 5),
                 f"status {done.returncode}: {done.stderr}")
            return
        if not done.stdout:
            return
        for entry in json.loads(done.stdout)['queries']:
            query = self.queries.get(entry['formula'])
            if query and 'original' in entry:
                try:
                    self.check(query, semantics, entry)
                except Wrong as error:
                    raise Wrong(f"{query.text} ({semantics}): {error}"
                                ) from error

    def check(self, query, semantics, entry):
        answer = decide(self.graph, query, semantics)
        if answer.problem or any(None in h for h in answer.holds):
            return
        claim, trace = entry['original'], entry['trace']
        everything = range(len(self.graph.states))
        numbers = [{n for n in everything if self.looks(n, shown)}
                   for shown in trace['states']]
        follower = Follower(self.graph, query, answer, semantics, trace,
                            numbers)
        outcome, place = follower.judge(self.steps)
        need(claim['outcome'] == outcome,
             f"{claim['outcome']}, but it is {outcome}: {claim}")
        self.confirmed[f"{outcome} {query.kind}"] += 1
        if outcome == 'real':
            answer.shortest = len(claim['trace']['states']) - 1
            self.replay.check(query, answer, semantics, entry['verdict'],
                              claim['trace'])
            return
        if claim['step'] is None:
            return
        if trace.get('loop') is None:
            need(claim['step'] == place, f"breaks off at {place}: {claim}")
        need(set(claim['depends_on']) <= self.removed, f"removed: {claim}")
        need(claim['depends_on'] or self.mode != 'may',
             f"depends on nothing: {claim}")


def check_concretize(options, folder, network, explored, case):
    """(message about what is wrong or None, numbers of what is right)."""
    concretizer = Concretizer(options, folder, network, explored, case)
    try:
        for semantics in SEMANTICS:
            concretizer.run(semantics)
    except Wrong as error:
        return str(error), concretizer.confirmed
    return None, concretizer.confirmed
