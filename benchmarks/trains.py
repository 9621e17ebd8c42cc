#!/usr/bin/env python3
"""trains.py N [-o FILE] — N trains and the controller of a tunnel that has room for one.

Each train waits, enters the tunnel, leaves it and is away until it waits again. The model of the
test suite of STV, the strategic verifier of D. Kurpiewski and others, as a network; it has
(N+2) * 2^(N-1) states.
"""

import nta
from nta import location, template, transition

GLOBALS = """\
const int N = {trains};
typedef int[0,N-1] train_t;
chan enter, leave;"""

TRAIN = [
    transition("wait", "tunnel", [("synchronisation", "enter!")], 40, -20, []),
    transition("tunnel", "away", [("synchronisation", "leave!")], 240, -20, []),
    transition("away", "wait", [], 0, 0, [(400, 80), (0, 80)])]

CONTROLLER = [
    transition("green", "red", [("synchronisation", "enter?")], 60, -60, [(80, -40)]),
    transition("red", "green", [("synchronisation", "leave?")], 60, 45, [(80, 40)])]


def model(trains):
    train = template("T", "train_t i", "",
                     [location("wait", "wait", 0, 0, -20, 17),
                      location("tunnel", "tunnel", 200, 0, -20, 17),
                      location("away", "away", 400, 0, -20, 17)], "wait", TRAIN)
    controller = template("Controller", "", "",
                          [location("green", "green", 0, 0, -20, 17),
                           location("red", "red", 160, 0, -20, 17)], "green", CONTROLLER)
    return nta.document(GLOBALS.format(trains=trains), [train, controller], "system T, Controller;", [])


if __name__ == "__main__":
    nta.main(__doc__, [("trains", "trains", 1)], model, None)
