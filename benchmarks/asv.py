#!/usr/bin/env python3
"""asv.py C — Asynchronous Simple Voting with C candidates, on standard output.

A voter casts a vote for one of the candidates; then she gives a coercer a proof of it, or refuses to.
Running example of W. Jamroga and Y. Kim, "Practical abstraction for model checking of multi-agent
systems" (2023), section 2: locations, select, synchronisations and the number of candidates as
parameter are theirs, the three requirements are queries. models/asv.xml is the model for 3.
"""

import os
import sys

MODEL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "models", "asv.xml")


def main():
    if len(sys.argv) != 2 or not sys.argv[1].isdigit() or int(sys.argv[1]) < 1:
        sys.exit("usage: asv.py C, a number of candidates from 1 on")
    with open(MODEL, encoding="utf-8") as file:
        before, constant, after = file.read().partition("const int NC = 3;")
    assert constant
    sys.stdout.write(f"{before}const int NC = {sys.argv[1]};{after}")


if __name__ == "__main__":
    main()
