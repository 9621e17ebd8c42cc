#!/usr/bin/env python3
"""puzzle.py R C [-o FILE] — the sliding puzzle: R C - 1 tiles and a gap on a board of R rows.

All states are permutations of the board, half of those that there are: every variable depends on all
others, which is hard on sets of states.
"""

import nta
from nta import location, template, transition

GLOBALS = """\
// Tiles 1 to {last} and the gap, 0, on a board of {rows} rows and {columns} columns.
const int R = {rows};
const int C = {columns};
typedef int[0, R * C - 1] place_t;

place_t board[place_t] = {{ {board} }};
place_t gap;

void slide(place_t from)
{{
	board[gap] = board[from];
	board[from] = 0;
	gap = from;
}}"""

MOVES = [("gap % C > 0", "slide(gap - 1)"), ("gap % C < C - 1", "slide(gap + 1)"),
         ("gap >= C", "slide(gap - C)"), ("gap < (R - 1) * C", "slide(gap + C)")]


def model(rows, columns):
    places = range(rows * columns)
    edges = [transition("id0", "id0", [("guard", guard), ("assignment", update)], 136, 68 * number,
                        [(120, 68 * number), (120, 68 * number + 30)])
             for number, (guard, update) in enumerate(MOVES)]
    text = GLOBALS.format(rows=rows, columns=columns, last=len(places) - 1,
                          board=", ".join(map(str, places)))
    hand = template("Hand", "", "", [location("plays", "id0", 0, 0, -60, -20)], "id0", edges)
    return nta.document(text, [hand], "system Hand;", [
        ("E<> board[0] == R * C - 1", "The last tile can come to the first place. Holds."),
        ("A[] board[gap] == 0", "The gap is where it is said to be. Holds."),
    ])


if __name__ == "__main__":
    nta.main(__doc__, [("R", "rows", 1), ("C", "columns", 2)], model, None)
