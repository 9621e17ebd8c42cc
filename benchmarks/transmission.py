#!/usr/bin/env python3
"""transmission.py D [-o FILE] — a sender gives a receiver one of D data over a lossy channel.

The sender repeats the datum until an acknowledgement arrives; the receiver, once it has the datum,
keeps sending acknowledgements, which may be lost as well. After M. Cohen, M. Dam, A. Lomuscio and
F. Russo, "Abstraction in model checking multi-agent systems" (AAMAS 2009), section 8; for D = 2 it
is the bit transmission protocol.
"""

import nta
from nta import location, template, transition

GLOBALS = """\
// {data} data; `this` is any one of them.
const int D = {data};
const int this = 1;
typedef int[1,D] data_t;
typedef int[0,D] seen_t;       // 0 is nothing
chan send, acknowledge;
seen_t message;                // handed over within a step"""

SENDER = [
    transition("choose", "sending", [("select", "d : data_t"), ("assignment", "value = d")],
               -140, -40, []),
    transition("sending", "sending", [("synchronisation", "send!"),
                                      ("assignment", "message = value")], 120, -110,
               [(170, -60), (230, -60)]),
    transition("sending", "sending", [], 0, 0, [(170, 60), (230, 60)]),
    transition("sending", "done", [("synchronisation", "acknowledge?")], 260, -20, []),
    transition("done", "done", [("synchronisation", "acknowledge?")], 360, -90,
               [(370, -60), (430, -60)])]

RECEIVER = [
    transition("nothing", "nothing", [("synchronisation", "send?"), ("assignment", "message = 0")],
               -30, -110, [(-30, -60), (30, -60)]),
    transition("nothing", "seen", [("synchronisation", "send?"),
                                   ("assignment", "value = message, message = 0")], 52, -40, []),
    transition("seen", "seen", [("synchronisation", "send?"), ("assignment", "message = 0")],
               300, -110, [(290, -60), (350, -60)]),
    transition("seen", "seen", [("synchronisation", "acknowledge!")], 300, 70,
               [(290, 60), (350, 60)]),
    transition("seen", "seen", [], 0, 0, [(380, -30), (380, 30)])]

QUERIES = (
    ("A[] S.done && S.value == this imply R.value == this",
     "The sender who has got an acknowledgement knows that the receiver has this datum."),
    ("A[] S.done && S.value != this imply R.value != this && R.value != 0",
     "Or another one, if it was another one."),
    ("E<> S.done && S.value == this", "And that can be."),
    ("A[] R.seen imply R.value == S.value",
     "For all data at once: not a question about this one and the others."),
)


def model(data):
    sender = template("S", "", "seen_t value;",
                      [location("choose", "choose", -160, 0, -20, 17),
                       location("sending", "sending", 200, 0, 14, 6),
                       location("done", "done", 400, 0, -20, 17)], "choose", SENDER)
    receiver = template("R", "", "seen_t value;",
                        [location("nothing", "nothing", 0, 0, -20, 17),
                         location("seen", "seen", 320, 0, -52, 6)], "nothing", RECEIVER)
    return nta.document(GLOBALS.format(data=data), [sender, receiver], "system S, R;", QUERIES)


if __name__ == "__main__":
    nta.main(__doc__, [("data", "data", 1)], model, None)
