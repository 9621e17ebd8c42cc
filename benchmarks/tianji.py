#!/usr/bin/env python3
"""tianji.py N [--kind seen|hidden] [-o FILE] — the horse races of Tian Ji and the King, N horses each.

In each of N rounds the King chooses one of his horses and Tian Ji one of his; horse i beats horse j
if i < j; of equal horses the King's wins. Tian Ji sees the scores, his own horses, and, unless it is
hidden, which horse the King has chosen. After a model that comes with STV, the strategic
verifier of D. Kurpiewski and others.
"""

import nta
from nta import location, template, transition

GLOBALS = """\
const int N = {horses};
typedef int[0,N-1] horse_t;
int[0,N] king = N;             // the horse that runs; N is none
int[0,N] score, other;         // of Tian Ji, of the King
void run(int mine) {{
    if (mine < king) score++;
    if (king <= mine) other++;
    king = N;
}}
{declaration}"""

KING = [transition("king", "king", [("select", "h : horse_t"),
                                    ("guard", "king == N && !used[h]"),
                                    ("assignment", "used[h] = true, king = h")],
                   -60, -120, [(-40, -60), (40, -60)])]

TIAN = [transition("tian", "tian", [("select", "h : horse_t"),
                                    ("guard", "king != N && !used[h]"),
                                    ("assignment", "used[h] = true, run(h)")],
                   -60, -120, [(-40, -60), (40, -60)])]


def model(horses, kind):
    seen = "king == N" if kind == "hidden" else "king"
    declaration = f"//varabs: observe Tian: local, score, other, {seen};"
    king = template("King", "", "bool used[N];", [location("here", "king", 0, 0, -20, 17)],
                    "king", KING)
    tian = template("Tian", "", "bool used[N];", [location("here", "tian", 0, 0, -20, 17)],
                    "tian", TIAN)
    return nta.document(GLOBALS.format(horses=horses, declaration=declaration), [king, tian],
                        "system King, Tian;", [])


if __name__ == "__main__":
    nta.main(__doc__, [("horses", "horses", 1)], model, None, kinds=("seen", "hidden"))
