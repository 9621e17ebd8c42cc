#!/usr/bin/env python3
"""messengers.py N [-o FILE] — N agents A(0) ... and B, who passes on what they know.

A(0) knows a secret. In each round every A that knows it may send a message to B, and B may let one of
them know, by rules that depend on who has sent something so far (heard) and in the round
before (latest). The example of M. Koester and P. Lohmann, Abstraction for model checking modular
interpreted systems over ATL, for N = 4 and without their second B. The As choose one after
the other and B last, which ends the round: what coalitions of As can bring about with perfect
information (Ir) is what they can where all choose at once.
"""

import nta
from nta import location, template, transition

GLOBALS = """\
const int N = {agents};
typedef int[0,N-1] agent_t;
bool knows[N] = {{{knows}}};
bool sends[N];                     // in this round
int[0,N] turn;                     // N: of B"""

AGENT = [
    transition("here", "here", [("guard", "turn == i"), ("assignment", "turn = i + 1")],
               -220, -90, [(-120, -40), (-120, 40)]),
    transition("here", "here", [("guard", "turn == i && knows[i]"),
                                ("assignment", "sends[i] = true, turn = i + 1")],
               60, -90, [(120, -40), (120, 40)])]

DECLARATION = """\
bool heard[N], latest[N];

/* Whether nobody from i on has just sent something while a later one is still unheard. */
bool may_send(agent_t i) {
    if (forall (k : agent_t) !heard[k]) return false;
    if (exists (k : agent_t) k == i && heard[k]) return false;
    return !exists (k : agent_t) latest[k] && k >= i && exists (l : agent_t) l > k && !heard[l];
}

bool may_rest() {
    if (forall (k : agent_t) !heard[k]) return true;
    return (forall (k : agent_t) !latest[k]) || (forall (k : agent_t) heard[k]);
}

void end_round() {
    for (k : agent_t) {
        heard[k] = heard[k] || sends[k];
        latest[k] = sends[k];
        sends[k] = false;
    }
    turn = 0;
}"""

B = [
    transition("last", "last", [("guard", "turn == N && may_rest()"),
                                ("assignment", "end_round()")],
               -220, -90, [(-120, -40), (-120, 40)]),
    transition("last", "last", [("select", "i : agent_t"),
                                ("guard", "turn == N && may_send(i)"),
                                ("assignment", "knows[i] = true, end_round()")],
               60, -90, [(120, -40), (120, 40)])]


def model(agents):
    knows = ", ".join(["true"] + ["false"] * (agents - 1))
    return nta.document(GLOBALS.format(agents=agents, knows=knows),
                        [template("A", "agent_t i", "",
                                  [location("here", "here", 0, 0, -20, 17)], "here", AGENT),
                         template("B", "", DECLARATION,
                                  [location("here", "last", 0, 0, -20, 17)], "last", B)],
                        "system A, B;", [])


if __name__ == "__main__":
    nta.main(__doc__, [("agents", "agents", 2)], model, None)
