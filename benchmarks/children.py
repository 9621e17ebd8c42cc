#!/usr/bin/env python3
"""children.py N [-o FILE] — N children have played; some of them have mud on their foreheads.

Each sees the foreheads of the others. The father says that at least one is muddy, and asks again and
again who knows about the own. As long as nobody knows all stay silent, which says more each time: of k muddy
children each speaks up in round k.
After R. Fagin, J. Halpern, Y. Moses and M. Vardi, "Reasoning about knowledge" (1995).
"""

import nta
from nta import location, template, transition

GLOBALS = """\
// {n} children.
const int N = {n};
typedef int[0,N-1] child_t;
bool muddy[N];
int[0,N] rounds;               // the father has asked so often
bool told;
void mark(int bits) {{
    for (k : child_t) muddy[k] = (bits / (1 << k)) % 2;
}}
int count() {{
    return sum (k : child_t) muddy[k];
}}
int spoke() {{                   // in which round somebody did, 0 so far
    return rounds >= count() ? count() : 0;
}}
{seen}"""

QUERIES = (
    ("A[] (told imply GCK(Child, count() > 0))", "All know that all know, and so on."),
    ("A[] forall (i : child_t) (told && muddy[i] && rounds >= count() - 1 imply\n"
     "    K(Child(i), muddy[i]))", "Of k muddy children each knows after k - 1 rounds,"),
    ("A[] forall (i : child_t) (told && muddy[i] && rounds < count() - 1 imply\n"
     "    not Kw(Child(i), muddy[i]))", "and not before."))


def seen(n):
    return "\n".join(f"//varabs: observe Child({i}): local, told, rounds, spoke()"
                     + "".join(f", muddy[{k}]" for k in range(n) if k != i) + ";"
                     for i in range(n))


def model(n):
    father = template("Father", "", "",
                      [location("start", "start", 0, 0, -20, 17),
                       location("asks", "asks", 200, 0, -20, 17)], "start",
                      [transition("start", "asks", [
                          ("select", "bits : int[1,(1<<N)-1]"),
                          ("assignment", "mark(bits), told = true")], 20, -50, []),
                       transition("asks", "asks", [
                           ("guard", "rounds < N"),
                           ("assignment", "rounds++")], 230, -50, [(240, -30), (240, 30)])])
    child = template("Child", "child_t i", "", [location("here", "here", 0, 0, -20, 17)], "here",
                     [])
    return nta.document(GLOBALS.format(n=n, seen=seen(n)), [father, child],
                        "system Father, Child;", nta.asked(QUERIES))


if __name__ == "__main__":
    nta.main(__doc__, [("n", "children", 1)], model, None)
