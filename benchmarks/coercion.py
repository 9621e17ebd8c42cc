#!/usr/bin/env python3
"""coercion.py NV NC RV CTYPE [-o FILE] — voting over days by mail, internet and at a station, with a coercer.

NV voters choose among NC candidates. A voter registers for one way to vote, gets her package, votes
while that way is open, or not at all, and may show her vote to the coercer, who punishes her or not.
RV = 1 lets her vote again. CTYPE = 1: who shows what was forbidden is punished; CTYPE = 2: who does
not show what was demanded is. Both are about abstaining. Time is counted by a clock in days.

The system is the case study of Y. Kim, W. Jamroga, W. Penczek and L. Petrucci on abstraction of
timed multi-agent systems (AAMAS 2025), written anew: it has the same zones as their model, which
aamas.py counts.
"""

import nta
from nta import location, template, transition

GLOBALS = """\
// {voters} voters, {candidates} candidates. A vote is a candidate, 0 if it is invalid, -1 if there is none.
const int NV = {voters};
const int NC = {candidates};
const int NONE = -1;

const int MAIL = 1, INET = 2, POLL = 3;      // the ways to vote

chan reg[4], pack[4], vote[4];               // by way
chan show[NC + 2];                           // by vote; NC + 1 shows that there is none
chan pun, npun;                              // punished, and not

clock t;                                     // days since registration began
clock x, y;                                  // the authority and the coercer answer at once

// Handed over with a vote, 0 in between.
int[-1, NC] sh, prev;"""

VOTER = """\
int[0, 3] mode;                              // the way she registered for
int[-1, NC] voted = NONE;
int[0, 1] p, np;                             // punished, known not to be"""

AUTHORITY = """\
int[0, NV + 1] freq;                         // voters who voted
int[-NV - 1, NV + 1] tally[NC + 1];"""

COUNT = """\
freq += prev == NONE ? 1 : 0,
prev = prev == NONE ? 0 : prev,
tally[prev] -= 1,
prev = 0,
tally[sh] += 1,
sh = 0,
tally[0] = 0"""

END = "p = p || np ? p : 1"


def voter(again):
    edges = [
        transition("v3", "v6", [("guard", "t > 10"), ("assignment", END)], -20, 300, [(-60, 330)]),
        transition("v5", "v6", [("assignment", END)], 520, 330, []),
        transition("v2", "v5", [], 0, 0, [(300, 150)]),
        transition("v3", "v2", [("guard", "voted == NONE")], 40, 180, [(60, 240)]),
        transition("v4", "v5", [("synchronisation", "npun?"), ("assignment", "np = 1")],
                   470, 170, [(540, 200)]),
        transition("v4", "v5", [("synchronisation", "pun?"), ("assignment", "p = 1")],
                   340, 170, [(420, 200)]),
        transition("v2", "v4", [("guard", "!p && !np"), ("synchronisation",
                                                         "show[voted == NONE ? NC + 1 : voted]!")],
                   160, 60, []),
        transition("v3", "v2", [("select", "vi : int[0, NC]"), ("synchronisation", "vote[mode]!"),
                                ("assignment", "prev = voted,\nvoted = vi,\nsh = voted")],
                   -120, 130, [(-60, 200)])]
    if again:
        edges.append(transition("v5", "v0", [("guard", "t <= 10")], 260, -90, [(420, -70)]))
    edges.append(transition("v1", "v3", [("synchronisation", "pack[mode]?")], -240, 150, []))
    for way, y in (("POLL", -110), ("MAIL", -60), ("INET", 30)):
        edges.append(transition("v0", "v1", [("synchronisation", f"reg[{way}]!"),
                                             ("assignment", f"mode = {way}")],
                                -300, y, [(-270, y + 20)]))
    return template("Voter", "int[1, NV] id", VOTER,
                    [location("starts", "v0", -340, 0, -30, -30),
                     location("waits", "v1", -200, 0, -20, -30),
                     location("decided", "v2", 100, 120, -20, -30),
                     location("has", "v3", -100, 240, -30, 10),
                     location("shown", "v4", 420, 100, -10, -30),
                     location("done", "v5", 420, 260, 15, -10),
                     location("end", "v6", 420, 380, 15, -10)], "v0", edges)


def authority():
    edges = [transition("a0", "a0", [("guard", guard), ("synchronisation", f"vote[{way}]?"),
                                     ("assignment", COUNT)], x, y, [(x - 20, y), (x - 20, y + 60)])
             for way, guard, x, y in (("MAIL", "1 <= t && t <= 7", 180, -60),
                                      ("INET", "6 <= t && t <= 9", 60, 90),
                                      ("POLL", "10 <= t && t <= 11", -240, 60))]
    for key, way, days, x, y in (("a2", "MAIL", 1, -240, -100), ("a3", "POLL", 10, 120, -140),
                                 ("a1", "INET", 6, -40, -200)):
        edges += [transition(key, "a0", [("synchronisation", f"pack[{way}]!")], x, y, [(x, y + 10)]),
                  transition("a0", key, [("guard", f"t <= {days}"), ("synchronisation", f"reg[{way}]?"),
                                         ("assignment", "x = 0")], x - 20, y + 40, [(x, y + 60)])]
    edges.append(transition("a0", "a4", [("guard", "t == 11")], -40, 200, []))
    return template("Authority", "", AUTHORITY,
                    [location("open", "a0", 0, 0, 15, 10, "t <= 11"),
                     location("sends_inet", "a1", 0, -200, 15, -10, "x <= 0"),
                     location("sends_mail", "a2", -200, -100, -80, -20, "x <= 0"),
                     location("sends_poll", "a3", 200, -100, 15, -10, "x <= 0"),
                     location("closed", "a4", 0, 240, 15, 0)], "a0", edges)


def coercer(kind):
    """What is forbidden (1) or demanded (2) is to abstain."""
    if kind == 2:
        seen = [("c1", [("select", "ci : int[0, NC]")], "show[ci]?", -200, 110),
                ("c2", [], "show[NC + 1]?", 80, 110)]
    else:
        seen = [("c1", [], "show[NC + 1]?", -200, -120),
                ("c2", [("select", "ci : int[0, NC]")], "show[ci]?", 80, -120)]
    edges = [transition("c0", key, select + [("synchronisation", channel), ("assignment", "y = 0")],
                        x, y, [(x + 60, y)]) for key, select, channel, x, y in seen]
    edges += [transition("c2", "c0", [("synchronisation", "npun!")], 100, -25, []),
              transition("c1", "c0", [("synchronisation", "pun!")], -140, -25, [])]
    return template("Coercer", "", "",
                    [location("watches", "c0", 0, 0, -20, -30),
                     location("spares", "c2", 230, 0, 15, 0, "y <= 0"),
                     location("punishes", "c1", -230, 0, -70, 0, "y <= 0")], "c0", edges)


def query(kind):
    return ("A[] Voter(1).np imply Voter(1).voted " + ("!=" if kind == 1 else "==") + " NONE",
            "A voter who is known not to be punished has " +
            ("voted, which" if kind == 1 else "abstained, as") + " the coercer wanted.")


def model(voters, candidates, again, kind):
    return nta.document(GLOBALS.format(voters=voters, candidates=candidates),
                        [voter(again), authority(), coercer(kind)],
                        "system Voter, Authority, Coercer;", [query(kind)])


if __name__ == "__main__":
    nta.main(__doc__, [("NV", "voters", 1), ("NC", "candidates", 1), ("RV", "voting again, 0 or 1", 0),
                       ("CTYPE", "kind of coercer, 1 or 2", 1)], model, None)
