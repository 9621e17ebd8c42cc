"""Replay the traces that the program prints, step by step.

Every step must be one that the naive semantics has in that state, with the
same processes, edges, select values and target; and the trace must prove what
it is printed for.
"""


from oracle.equal import bare_of


class Wrong(Exception):
    """A trace is not right."""


def need(condition, message):
    if not condition:
        raise Wrong(message)


class Replay:
    """Replays traces of one model; graph is its Graph (uppaal_query)."""

    def __init__(self, network, explored, graph):
        self.network, self.explored, self.graph = network, explored, graph
        self.optional = self.idle_parameters() | network.metas
        self.bare = bare_of(network)

    def idle_parameters(self):
        """Parameters that no step changes: they need not be shown."""
        places = enumerate(self.network.slots, len(self.network.processes))
        return {name for place, name in places
                if name in self.network.parameters
                and len({state[place] for state in self.graph.states}) == 1}

    # --- one state, one step --------------------------------------------

    def state_text(self, number):
        """A state as the program writes it."""
        state, processes = self.graph.states[number], self.network.processes
        return {'locations': {p.name: p.location_name(place)
                              for p, place in zip(processes, state)},
                'values': dict(zip(self.network.slots,
                                   state[len(processes):]))}

    def same_state(self, number, shown, place):
        expected = self.state_text(number)
        for key in ('locations', 'values'):
            got = shown.get(key)
            need(isinstance(got, dict), f"state {place} has no {key}")
            wanted = {name: value for name, value in expected[key].items()
                      if name in got or name not in self.optional}
            names = set(wanted) ^ set(got)
            need(not names, f"state {place}: {key} differ in {sorted(names)}")
            for name, value in wanted.items():
                need(got[name] == value, f"state {place}: {name} is {value},"
                                         f" not {got[name]}")

    def matches_part(self, part, shown):
        """Whether a part of a step is the one that is printed."""
        path, values, channel = part
        process = self.network.processes[path.process]
        if shown['process'] != process.name \
                or shown['edges'] != [edge.index for edge in path.edges]:
            return False
        source = process.number[path.edges[0].source]
        if shown['source'] != process.location_name(source) \
                or shown['target'] != process.location_name(path.target):
            return False
        selects = shown.get('selects') or {}
        if set(selects) != set(path.select_names) or any(
                (name, selects[name]) not in zip(path.select_names, values)
                for name in selects):
            return False
        if path.mark is None:
            return not shown.get('channel')
        return channel is None \
            or shown['channel'] == self.network.channels[channel][0] \
            + path.mark

    def matches(self, parts, shown):
        return len(parts) == len(shown) and all(
            self.matches_part(part, one) for part, one in zip(parts, shown))

    def step(self, number, shown, following, place):
        """Number of the state after a printed step."""
        targets = [self.explored.states[target] for parts, target
                   in self.explored.steps[number]
                   if self.matches(parts, shown)]
        need(targets, f"step {place} is not possible: {shown}")
        for target in targets:
            try:
                self.same_state(target, following, place + 1)
                return target
            except Wrong as error:
                wrong = error
        raise wrong

    def error_step(self, number, shown, place):
        need(any(self.matches(parts, shown) for parts, _
                 in self.explored.errors[number]),
             f"step {place} is not an error: {shown}")

    # --- whole traces ---------------------------------------------------

    def run(self, trace):
        """Numbers of the states of a trace; checks loop and end."""
        states, steps = trace['states'], trace['steps']
        failing = trace['kind'] == 'error'
        need(len(states) == len(steps) + (0 if failing else 1),
             f"{len(states)} states but {len(steps)} steps")
        need(states, "no states")
        self.same_state(0, states[0], 0)
        found = [0]
        for place in range(len(states) - 1):
            found.append(self.step(found[-1], steps[place],
                                   states[place + 1], place))
        if failing:
            self.error_step(found[-1], steps[-1], len(steps) - 1)
        loop, end = trace.get('loop'), trace.get('end')
        need(loop is None or end is None, "both a loop and an end")
        if loop is not None:
            need(0 <= loop < len(found) - 1, f"loop to state {loop}")
            need(self.bare(self.graph.states[found[loop]])
                 == self.bare(self.graph.states[found[-1]]),
                 "the loop does not close")
        need(end in (None, 'deadlock', 'idle'), f"end {end}")
        if end == 'deadlock':
            need(self.graph.dead[found[-1]], "the last state has steps")
        elif end == 'idle':
            need(self.graph.idle[found[-1]], "the last state cannot idle")
        return found

    def check_error(self, trace):
        """A trace to a runtime error."""
        need(trace['kind'] == 'error', f"kind {trace['kind']}")
        self.run(trace)

    def check(self, query, answer, semantics, verdict, trace):
        """A trace proves the verdict on a query."""
        kind = 'witness' if verdict == 'satisfied' else 'counterexample'
        need(trace['kind'] == kind, f"{trace['kind']}, not {kind}")
        found, loop = self.run(trace), trace.get('loop')
        end = trace.get('end')
        need(end != 'idle' or semantics == 'uppaal', "idle in kripke")
        holds = answer.holds
        if query.kind in ('E<>', 'A[]'):
            need(holds[0][found[-1]] is (query.kind == 'E<>'),
                 "the last state proves nothing")
            need(len(found) - 1 == answer.shortest,
                 f"{len(found) - 1} steps, {answer.shortest} are enough")
            return
        need(loop is not None or end is not None, "the run just stops")
        if query.kind == '-->':
            starts = [i for i, number in enumerate(found)
                      if holds[0][number] and self.lasts(
                          found[min(i, len(found) if loop is None else loop):],
                          holds[1], False)]
            need(starts, "no state of the run is never answered")
            return
        need(self.lasts(found, holds[0], query.kind == 'E[]'),
             "the run does not stay where it should")

    @staticmethod
    def lasts(numbers, holds, wanted):
        return all(holds[number] is wanted for number in numbers)


def expects_trace(query, verdict):
    """Whether there is a trace for a verdict."""
    if query.kind in ('E<>', 'E[]'):
        return verdict == 'satisfied'
    return query.kind in ('A[]', 'A<>', '-->') and verdict == 'violated'
