#!/usr/bin/env python3
"""cryptographers.py N [--kind turns] [-o FILE] — N cryptographers dine; one or their master has paid.

Each tosses a coin that the right neighbour sees, too, and says whether the two coins seen are equal,
or the opposite if the own purse has paid. An odd number of "different" says that one of them has
paid, and nothing about who. After D. Chaum, "The dining cryptographers problem" (1988).
All coins are tossed at once, or in turns: for many coins a select of all of them has too many values.
"""

import nta
from nta import location, template, transition

GLOBALS = """\
// {n} cryptographers round a table.
const int N = {n};
typedef int[0,N-1] seat_t;
int[0,N] pay;                  // who has paid; N is the master
bool coin[N];
int[0,2] said[N];              // 0 nothing so far, 1 equal, 2 different
bool dealt;
{tossing}bool all() {{
    return forall (k : seat_t) said[k] > 0;
}}
{seen}"""

AT_ONCE = """\
void toss(int bits) {
    for (k : seat_t) coin[k] = (bits / (1 << k)) % 2;
}
"""
IN_TURNS = """\
int[0,N] tossed;               // coins
"""

QUERIES = (
    ("A[] (all() && pay != 0 imply\n"
     "    K(C(0), pay == N) ||\n"
     "    (K(C(0), pay != N) && forall (k : seat_t) (k == 0 || not K(C(0), pay == k))))",
     "Who has not paid learns whether one of the others has, and not who."),
    ("A[] (all() && (sum (k : seat_t) said[k] == 2) % 2 == 1 imply GCK(C, pay < N))",
     "If an odd number differs, all know that all know, and so on."),
    ("E<> (dealt && DK({C(1), C(N - 1)}, pay == 0))",
     "Both neighbours together can find somebody out."))


def seen(n):
    """What each observes: the own purse, two coins, and all that is said."""
    said = ", ".join(["dealt"] + [f"said[{k}]" for k in range(n)])
    return "\n".join(f"//varabs: observe C({i}): local, pay == {i}, coin[{i}], coin[{(i - 1) % n}], "
                     f"{said};" for i in range(n))


def dealer_at_once():
    return template("Dealer", "", "",
                    [location("start", "start", 0, 0, -20, 17),
                     location("done", "done", 200, 0, -20, 17)], "start",
                    [transition("start", "done", [
                        ("select", "p : int[0,N], bits : int[0,(1<<N)-1]"),
                        ("assignment", "pay = p, toss(bits), dealt = true")], 20, -50, [])])


def dealer_in_turns():
    return template("Dealer", "", "",
                    [location("start", "start", 0, 0, -20, 17),
                     location("paid", "paid", 200, 0, -20, 17),
                     location("done", "done", 400, 0, -20, 17)], "start",
                    [transition("start", "paid", [("select", "p : int[0,N]"),
                                                  ("assignment", "pay = p")], 20, -50, []),
                     transition("paid", "paid", [
                         ("select", "side : int[0,1]"), ("guard", "tossed < N"),
                         ("assignment", "coin[tossed] = side, tossed++")], 180, 90,
                         [(170, 80), (230, 80)]),
                     transition("paid", "done", [
                         ("guard", "tossed == N"),
                         ("assignment", "tossed = 0, dealt = true")], 220, -50, [])])


def model(n, kind):
    in_turns = kind == "turns"
    dealer = dealer_in_turns() if in_turns else dealer_at_once()
    speaker = template("C", "seat_t i", "",
                       [location("waits", "waits", 0, 0, -20, 17),
                        location("spoke", "spoke", 200, 0, -20, 17)], "waits",
                       [transition("waits", "spoke", [
                           ("guard", "dealt"),
                           ("assignment", "said[i] = 1 + ((coin[i] != coin[(i+N-1)%N]) != (pay == i))")], 20, -50, [])])
    declarations = GLOBALS.format(n=n, seen=seen(n), tossing=IN_TURNS if in_turns else AT_ONCE)
    return nta.document(declarations, [dealer, speaker], "system Dealer, C;", nta.asked(QUERIES))


if __name__ == "__main__":
    nta.main(__doc__, [("n", "cryptographers", 3)], model, None, kinds=("once", "turns"))
