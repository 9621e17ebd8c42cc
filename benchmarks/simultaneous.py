#!/usr/bin/env python3
"""simultaneous.py N H [R] [--kind KIND] [-o FILE] — the card game of cards.py, played at once.

All cards are dealt in one step, and in each round both players put down a card without seeing that
of the other. The game ends after R rounds: with all cards played if R is not given. Each player sees
the own hand and what was played so far. After M. Cohen, M. Dam, A.
Lomuscio and F. Russo, "Abstraction in model checking multi-agent systems" (AAMAS 2009), section 7.
--kind spec writes what merges the cards of a colour and forgets what was played, for --spec; --kind
colours a model of colours alone, for as many cards as in the paper (N = 10, H = 9). --kind array writes
the game for any N: who holds a card is in an array, and the deal and each outcome of a round are one edge; what was
played is not kept. --kind merges writes what merges the cards of a colour in it, for --spec.
"""

import itertools
import json

import nta
from cards import cards, names
from nta import location, template, transition

GLOBALS = """\
// {cards} cards, {hand} for each player. Who holds a card: 0 nobody, 1 A, 2 B.
const int N = {ranks};
const int H = {hand};
int[0,2] {red};
int[0,2] {black};
bool dealt;
int[0,2*N] played_a[H], played_b[H];   // 1 to N black, N + 1 to 2 N red
int[0,H] rounds, won_a, won_b;
//varabs: observe A: dealt, {seen_a}, {played};
//varabs: observe B: dealt, {seen_b}, {played};"""

COLOURS = """\
// {cards} cards, {hand} for each player, of which only the colours are known.
const int N = {ranks};
const int H = {hand};
int[0,H] red_a, black_a, red_b, black_b;
bool dealt;
int[0,H] rounds, won_a, won_b;
//varabs: observe A: dealt, red_a, black_a;
//varabs: observe B: dealt, red_b, black_b;"""

ARRAY = """\
// {cards} cards, {hand} for each player. Who holds a card: 0 nobody, 1 A, 2 B; red ones come last.
const int N = {ranks};
const int H = {hand};
typedef int[0,2*N-1] card;
int[0,2] owner[2*N];
bool dealt;
int[0,H] rounds, won_a, won_b;
//varabs: observe Table: local;
//varabs: observe A: dealt, {seen_a};
//varabs: observe B: dealt, {seen_b};"""


def queries(only_red, most):
    win = f"rounds == {most or 'H'} && won_b > won_a"
    first = f"dealt && rounds == 0 && {only_red} == H"
    return nta.asked((
        (f"A[] ({first} imply\n    K(B, (A<> ({win})) && K(A, A<> ({win}))))",
         "With red cards only, B knows that B will win, and that A knows it."),
        (f"A[] ({first} imply (A<> K(B, {win})))",
         "In the end B knows it of the game that was.")))


def player(name):
    return template(name, "", "", [location("plays", f"plays_{name}", 0, 0, -20, 17)],
                    f"plays_{name}", [])


def table(edges):
    return template("Table", "", "", [location("table", "table", 0, 0, -60, -8)], "table", edges)


def loops(labels):
    return [transition("table", "table", labels[k], 132, 48 * k - 17,
                       [(120, 48 * k - 12), (120, 48 * k + 12)]) for k in range(len(labels))]


def deals(ranks, hand):
    """Who gets which cards, one edge each."""
    for own in itertools.combinations(cards(ranks), hand):
        rest = [card for card in cards(ranks) if card not in own]
        for other in itertools.combinations(rest, hand):
            given = [f"{card} = {1 if card in own else 2}" for card in cards(ranks)
                     if card in own + other]
            yield [("guard", "!dealt"), ("assignment", ", ".join(given + ["dealt = true"]))]


def playing(most):
    return f"dealt && rounds < {most}" if most else "dealt"


def rounds(ranks, most):
    for (i, one), (j, other) in itertools.permutations(enumerate(cards(ranks), 1), 2):
        winner = "a" if i > j else "b"
        yield [("guard", f"{playing(most)} && {one} == 1 && {other} == 2"),
               ("assignment", f"{one} = 0, {other} = 0, played_a[rounds] = {i}, "
                              f"played_b[rounds] = {j}, won_{winner}++, rounds++")]


def held(letter, number, ranks):
    return " + ".join(f"({card} == {number})" for card in names(letter, ranks))


def model(ranks, hand, most):
    seen = [", ".join(f"{card} == {number}" for card in cards(ranks)) for number in (1, 2)]
    played = ", ".join(f"played_{name}[{k}]" for name in "ab" for k in range(hand))
    text = GLOBALS.format(cards=2 * ranks, ranks=ranks, hand=hand, played=played,
                          red=", ".join(names("r", ranks)), black=", ".join(names("b", ranks)),
                          seen_a=seen[0], seen_b=seen[1])
    edges = loops([*deals(ranks, hand), *rounds(ranks, most)])
    return nta.document(text, [table(edges), player("A"), player("B")], "system Table, A, B;",
                        queries(f"({held('r', 2, ranks)})", most))


def colours(ranks, hand, most):
    labels = [[("select", "i : int[0,H], j : int[0,H]"),
               ("guard", "!dealt && i + j <= N && 2 * H - i - j <= N"),
               ("assignment", "red_a = i, black_a = H - i, red_b = j, black_b = H - j, "
                              "dealt = true")]]
    for one, other, winners in (("red", "red", "ab"), ("red", "black", "a"),
                                ("black", "red", "b"), ("black", "black", "ab")):
        labels += [[("guard", f"{playing(most)} && {one}_a > 0 && {other}_b > 0"),
                    ("assignment", f"{one}_a--, {other}_b--, won_{winner}++, rounds++")]
                   for winner in winners]
    text = COLOURS.format(cards=2 * ranks, ranks=ranks, hand=hand)
    return nta.document(text, [table(loops(labels)), player("A"), player("B")],
                        "system Table, A, B;", queries("red_b", most))


def array(ranks, hand, most):
    count, numbers = 2 * ranks, range(2 * ranks)
    who = [" + ".join(f"(o{card} == {number})" for card in numbers) for number in (1, 2)]
    given = ", ".join(f"owner[{card}] = o{card}" for card in numbers)
    labels = [[("select", ", ".join(f"o{card} : int[0,2]" for card in numbers)),
               ("guard", f"!dealt && {who[0]} == H && {who[1]} == H"),
               ("assignment", f"{given}, dealt = true")]]
    for winner, order in (("a", "i > j"), ("b", "i < j")):
        labels.append([("select", "i : card, j : card"),
                       ("guard", f"{playing(most)} && owner[i] == 1 && owner[j] == 2 && {order}"),
                       ("assignment", f"owner[i] = 0, owner[j] = 0, won_{winner}++, rounds++")])
    seen = [", ".join(f"owner[{card}] == {number}" for card in numbers) for number in (1, 2)]
    text = ARRAY.format(cards=count, ranks=ranks, hand=hand, seen_a=seen[0], seen_b=seen[1])
    return nta.document(text, [table(loops(labels)), player("A"), player("B")],
                        "system Table, A, B;",
                        queries(f"(sum(c : int[{ranks},{count - 1}]) owner[c] == 2)", most))


def merges(ranks, *_):
    """Numbers of cards by colour and player, of the array."""
    colours_of = (("black", 0), ("red", ranks))
    return json.dumps({"merge": [
        {"name": f"{colour}_{name}", "type": "int[0,N]",
         "expression": f"sum(c : int[{first},{first + ranks - 1}]) owner[c] == {number}"}
        for colour, first in colours_of
        for number, name in ((1, "a"), (2, "b"))]}, indent=2) + "\n"


def spec(ranks, *_):
    """Numbers of cards by colour and player; what was played goes."""
    merges = [{"name": f"{colour}_{name}", "type": "int[0,N]",
               "expression": held(letter, number, ranks)}
              for colour, letter in (("red", "r"), ("black", "b"))
              for number, name in ((1, "a"), (2, "b"))]
    return json.dumps({"remove": ["played_a", "played_b"], "merge": merges}, indent=2) + "\n"


def write(ranks, hand, most, kind):
    kinds = {"spec": spec, "model": model, "colours": colours, "array": array, "merges": merges}
    return kinds[kind](ranks, hand, most)


if __name__ == "__main__":
    nta.main(__doc__, [("ranks", "cards of a colour", 1), ("hand", "cards in a hand", 1),
                       ("rounds", "rounds, 0 for all", 0, 0, "hand")], write, None,
             ("model", "spec", "colours", "array", "merges"))
