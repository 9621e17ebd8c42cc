#!/usr/bin/env python3
"""castles.py LIVES N1 N2 N3 [-o FILE] — three castles with so many workers, in rounds.

In each round every worker of a castle that stands attacks another castle, defends its own, which it
cannot do twice in a row, or is idle; so is a worker whose castle is defeated. A castle that more
workers attack than defend loses a life for each of them. The workers choose one after the other,
and the last one ends the round: what a coalition of the first ones can bring about with perfect
information (Ir) is what it can in the game where all choose at once. After a model that comes with STV,
the strategic verifier of D. Kurpiewski and others.
"""

import nta
from nta import location, template, transition

GLOBALS = """\
const int LIVES = {lives};
const int N = {workers};
typedef int[0,2] castle_t;
typedef int[0,N-1] worker_t;
typedef int[0,4] action_t;         // 0: idle, 1: defend, 2 and more: attack castle 0 and more
const castle_t home[N] = {{{home}}};
int[0,LIVES] lives[castle_t] = {{LIVES, LIVES, LIVES}};
bool defended[N];                  // in the round before
action_t chosen[N];
int[0,N-1] turn;

bool may_choose(worker_t w, action_t a) {{
    if (lives[0] + lives[1] + lives[2] == 0) return false;
    if (a == 0) return true;
    if (lives[home[w]] == 0) return false;
    return a == 1 ? !defended[w] : a - 2 != home[w];
}}

void end_round() {{
    int[-N,N] gain[castle_t];
    for (w : worker_t) {{
        if (chosen[w] == 1) gain[home[w]]++;
        if (chosen[w] > 1) gain[chosen[w] - 2]--;
        defended[w] = chosen[w] == 1;
        chosen[w] = 0;
    }}
    for (c : castle_t)
        if (gain[c] < 0) lives[c] = lives[c] + gain[c] > 0 ? lives[c] + gain[c] : 0;
    turn = 0;
}}

void choose(worker_t w, action_t a) {{
    chosen[w] = a;
    if (w == N - 1) end_round();
    else turn++;
}}
{groups}"""

WORKER = [transition("works", "works", [("select", "a : action_t"),
                                        ("guard", "turn == w && may_choose(w, a)"),
                                        ("assignment", "choose(w, a)")],
                     -60, -120, [(-40, -60), (40, -60)])]


def model(lives, *counts):
    home = [str(castle) for castle, count in enumerate(counts) for _ in range(count)]
    groups = "".join(f"\n//varabs: group castle{castle + 1} = {{{', '.join(members)}}};"
                     for castle in range(3)
                     for members in [[f"W({w})" for w, c in enumerate(home) if c == str(castle)]])
    worker = template("W", "worker_t w", "", [location("works", "works", 0, 0, -20, 17)],
                      "works", WORKER)
    return nta.document(GLOBALS.format(lives=lives, workers=len(home), home=", ".join(home),
                                       groups=groups),
                        [worker], "system W;", [])


if __name__ == "__main__":
    nta.main(__doc__, [("lives", "lives of a castle", 1), ("first", "workers", 1),
                       ("second", "workers", 1), ("third", "workers", 1)], model, None)
