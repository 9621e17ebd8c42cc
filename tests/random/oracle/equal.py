"""States that differ in meta variables only are one to Uppaal, which goes on
from the one that it finds first.  Here they are told apart, and compared.
"""


def bare_of(network):
    """A function from states to what is left without meta variables."""
    if not network.metas:
        return lambda state: state
    count = len(network.processes)
    places = [*range(count), *(count + i for i, name
                               in enumerate(network.slots)
                               if name not in network.metas)]
    return lambda state: tuple(state[place] for place in places)


class Equal:
    """Whether equal states go on alike: same_ends, and by the same edges:
    same_steps.  The counts take equal states for one."""

    def __init__(self, network, explored):
        self.explored, self.bare = explored, bare_of(network)
        self.same_ends = self.same_steps = True
        self.counts = [0, 0, 0, 0]    # states, transitions, deadlocks, errors
        first, states = {}, list(explored.states)
        for state, number in explored.states.items():
            steps, errors = explored.steps[number], explored.errors[number]
            other = first.setdefault(self.bare(state), number)
            if other == number:
                for i, count in enumerate((1, len(steps), not steps,
                                           len(errors))):
                    self.counts[i] += count
            else:
                self.compare(other, number)
                self.same_ends &= network.hurries(state) \
                    == network.hurries(states[other])
        self.same_steps &= self.same_ends

    def compare(self, first, other):
        """Look at the steps of two states."""
        ends, edges = [], []
        for number in first, other:
            steps = self.explored.steps[number]
            ends.append(({self.bare(target) for _, target in steps},
                         len(self.explored.errors[number])))
            edges.append([(parts, self.bare(target))
                          for parts, target in steps])
        self.same_ends &= ends[0] == ends[1]
        self.same_steps &= ends[0] == ends[1] and edges[0] == edges[1]

    def settle(self, answer, query):
        """Leave verdicts that do not depend on which state is found first."""
        safe = {'E<>': 'violated', 'A[]': 'satisfied'}.get(query.kind)
        if not self.same_ends:
            answer.verdicts = {verdict if verdict == safe else 'unknown'
                               for verdict in answer.verdicts}
        return answer
