#!/usr/bin/env python3
"""simple_voting.py N [M] [--kind plain|fakes] [-o FILE] — N voters, and a coercer who punishes or not.

Each voter casts one of two votes, and then gives the coercer a proof of it, or refuses to; with
fakes the proof may be of any vote. The coercer hears the voters in order, and then decides in
order whom to punish. The model of the test suite of STV, the strategic verifier of D. Kurpiewski
and others, as a network. M voters more, none if not given, cannot refuse: models between N and N + M.
"""

import nta
from nta import location, template, transition

GLOBALS = """\
const int N = {voters};
typedef int[0,N-1] voter_t;
typedef int[1,2] vote_t;
typedef int[0,2] shown_t;      // 0 is nothing
chan give[N][3];               // a proof of a vote; 0: refuses to
chan punish[N], spare[N];"""



def voter(kind, free, obedient):
    may_refuse = [("guard", f"i < {free}")] if obedient else []
    guard = [] if kind == "fakes" else [("guard", "p == vote")]
    edges = [
        transition("start", "voted", [("select", "v : vote_t"), ("assignment", "vote = v")],
                   30, -40, []),
        transition("voted", "told", [("select", "p : vote_t"), *guard,
                                     ("synchronisation", "give[i][p]!"),
                                     ("assignment", "shown = p")], 230, -90, [(280, -40)]),
        transition("voted", "told", [*may_refuse, ("synchronisation", "give[i][0]!")], 230, 60,
                   [(280, 40)]),
        transition("told", "done", [("synchronisation", "punish[i]?"),
                                    ("assignment", "punished = true")], 430, -60, [(480, -20)]),
        transition("told", "done", [("synchronisation", "spare[i]?")], 430, 40, [(480, 20)])]
    return template("V", "voter_t i", "shown_t vote, shown; bool punished;",
                    [location(name, name, 200 * number, 0, -20, 17)
                     for number, name in enumerate(("start", "voted", "told", "done"))],
                    "start", edges)


COERCER = [
    transition("here", "here", [("select", "p : shown_t"), ("guard", "next < N"),
                                ("synchronisation", "give[next % N][p]?"),
                                ("assignment", "heard[next] = p, next = next + 1")],
               -60, -120, [(-40, -40), (40, -40)]),
    transition("here", "here", [("guard", "N <= next && next < 2 * N"),
                                ("synchronisation", "punish[next % N]!"),
                                ("assignment", "next = next + 1")],
               160, -120, [(160, -40), (240, -40)]),
    transition("here", "here", [("guard", "N <= next && next < 2 * N"),
                                ("synchronisation", "spare[next % N]!"),
                                ("assignment", "next = next + 1")],
               160, 60, [(160, 40), (240, 40)])]


def model(free, obedient, kind):
    coercer = template("Coercer", "", "shown_t heard[N]; int[0,2*N] next;",
                       [location("here", "here", 0, 0, -20, 17)], "here", COERCER)
    return nta.document(GLOBALS.format(voters=free + obedient), [voter(kind, free, obedient), coercer],
                        "system V, Coercer;", [])


if __name__ == "__main__":
    nta.main(__doc__, [("voters", "voters", 1), ("obedient", "more who cannot refuse", 0, 0)], model,
             None, kinds=("plain", "fakes"))
