#!/usr/bin/env python3
"""cards.py N H [--kind model|spec|array|merges] [-o FILE] — a card game with N red and N black cards, H in a hand.

Cards are dealt to players A and B, who then play one card each in every round. The better card wins
the round: red beats black, and within a colour the higher card wins. After M. Cohen, M. Dam, A.
Lomuscio and F. Russo, "Abstraction in model checking multi-agent systems" (AAMAS 2009), section 7,
where 2 N is 20 and H is 9. --kind spec writes what merges all cards of a colour, for --spec. --kind array writes
the game with an array of who holds a card, and --kind merges what merges the cards of a colour in it.
"""

import json

import nta
from nta import location, template, transition

GLOBALS = """\
// {cards} cards, {hand} for each player. Who holds a card: 0 nobody, 1 A, 2 B.
const int N = {ranks};
const int H = {hand};
int[0,2] {red};
int[0,2] {black};
int[0,H] dealt_a, dealt_b;
bool playing;
bool b_only_red;               // B was dealt red cards only
int[0,2*N] card_a, card_b;     // on the table; 1 to N black, N + 1 to 2 N red, 0 none
int[0,H] won_a, won_b;         // rounds"""


ARRAY = """\
// {cards} cards, {hand} for each player. Who holds a card: 0 nobody, 1 A, 2 B; red ones come last.
const int N = {ranks};
const int H = {hand};
typedef int[0,2*N-1] card;
int[0,2] owner[2*N];
int[0,H] dealt_a, dealt_b;
bool playing;
bool b_only_red;               // B was dealt red cards only
int[0,2*N] card_a, card_b;     // on the table; 1 to N black, N + 1 to 2 N red, 0 none
int[0,H] won_a, won_b;         // rounds"""


def names(colour, ranks):
    return [f"{colour}{i}" for i in range(1, ranks + 1)]


def cards(ranks):
    """Names of the cards, the worst first."""
    return names("b", ranks) + names("r", ranks)


def loop(node, labels, index, count):
    """One of so many loops, which fan out to the right with their labels beyond them."""
    y = 48 * index - 24 * (count - 1)
    return transition(node, node, labels, 132, y - 17, [(120, y - 12), (120, y + 12)])


def dealer(ranks, hand):
    edges = []
    deals = [(card, player, letter) for card in cards(ranks)
             for player, letter in ((1, "a"), (2, "b"))]
    for index, (card, player, letter) in enumerate(deals):
        edges.append(loop("deal", [("guard", f"{card} == 0 && dealt_{letter} < H"),
                                   ("assignment", f"{card} = {player}, dealt_{letter}++")],
                          index, len(deals)))
    edges.append(transition("deal", "done", [
        ("guard", "dealt_a == H && dealt_b == H"),
        ("assignment", "playing = true,\nb_only_red = "
         + " && ".join(f"{card} != 2" for card in names("b", ranks)))], -320, 17, []))
    return template("Dealer", "", "",
                    [location("deal", "deal", 0, 0, -50, -20),
                     location("done", "done", -340, 0, -20, -30)], "deal", edges)


def player(ranks, name, number, turn):
    edges = []
    for value, card in enumerate(cards(ranks), 1):
        edges.append(loop(f"hand_{name}", [("guard", f"playing && {turn} && {card} == {number}"),
                                           ("assignment", f"{card} = 0, card_{name} = {value}")],
                          value - 1, 2 * ranks))
    return template(name.upper(), "", "", [location("hand", f"hand_{name}", 0, 0, -50, -8)],
                    f"hand_{name}", edges)


def score():
    edges = []
    for index, (winner, guard) in enumerate((("a", "card_a > card_b"), ("b", "card_b > card_a"))):
        edges.append(loop("count", [("guard", f"card_a > 0 && card_b > 0 && {guard}"),
                                    ("assignment", f"won_{winner}++, card_a = 0, card_b = 0")],
                          index, 2))
    return template("Score", "", "", [location("count", "count", 0, 0, -60, -8)], "count", edges)


QUERIES = (
    ("A[] b_only_red imply won_a <= N - H",
     "With red cards only, B loses at most to the red cards that are left."),
    ("E<> b_only_red && won_a == N - H && won_a + won_b == H", "And that can happen."),
    ("A[] card_a > N && card_b > 0 && card_b <= N imply won_a < H",
     "A will win a round with a red card against a black one."),
    ("E<> card_a > N && card_b > N", "Both may play red cards."),
    ("A[] card_a == card_b imply card_a == 0", "Nobody plays the same card."),
)


def model(ranks, hand):
    text = GLOBALS.format(cards=2 * ranks, ranks=ranks, hand=hand,
                          red=", ".join(names("r", ranks)), black=", ".join(names("b", ranks)))
    turns = ("card_a == 0", "card_a > 0 && card_b == 0")
    return nta.document(text, [dealer(ranks, hand), player(ranks, "a", 1, turns[0]),
                               player(ranks, "b", 2, turns[1]), score()],
                        "system Dealer, A, B, Score;", QUERIES)


def spec(ranks, _hand):
    """Numbers of cards by colour and player, and the colours of the cards on the table."""
    merges = []
    for colour, letter in (("red", "r"), ("black", "b")):
        for number, player_name in ((1, "a"), (2, "b")):
            total = " + ".join(f"({card} == {number})" for card in names(letter, ranks))
            merges.append({"name": f"{colour}_{player_name}", "type": "int[0,N]",
                           "expression": total})
    return json.dumps({"merge": merges + table_merges()}, indent=2) + "\n"


def array(ranks, hand):
    black = f"forall(c : int[0,{ranks - 1}]) owner[c] != 2"
    deals = [loop("deal", [("select", "c : card"),
                           ("guard", f"owner[c] == 0 && dealt_{letter} < H"),
                           ("assignment", f"owner[c] = {number}, dealt_{letter}++")], index, 2)
             for index, (number, letter) in enumerate(((1, "a"), (2, "b")))]
    deals += [transition("deal", "done", [
        ("guard", f"dealt_a == H && dealt_b == H && {sign}({black})"),
        ("assignment", f"playing = true,\nb_only_red = {word}")], -320, y, [(-180, y)])
        for sign, word, y in (("", "true", 17), ("!", "false", 117))]
    players = [template(name.upper(), "", "", [location("hand", f"hand_{name}", 0, 0, -50, -8)],
                        f"hand_{name}", [loop(f"hand_{name}", [
                            ("select", "c : card"),
                            ("guard", f"playing && {turn} && owner[c] == {number}"),
                            ("assignment", f"owner[c] = 0, card_{name} = c + 1")], 0, 1)])
               for name, number, turn in (("a", 1, "card_a == 0"),
                                          ("b", 2, "card_a > 0 && card_b == 0"))]
    dealer_of_all = template("Dealer", "", "", [location("deal", "deal", 0, 0, -50, -20),
                                                location("done", "done", -340, 0, -20, -30)],
                             "deal", deals)
    text = ARRAY.format(cards=2 * ranks, ranks=ranks, hand=hand)
    return nta.document(text, [dealer_of_all, *players, score()], "system Dealer, A, B, Score;",
                        QUERIES)


def table_merges():
    """The colours of the cards on the table."""
    return [{"name": f"colour_{name}", "type": "int[0,2]",
             "expression": f"card_{name} == 0 ? 0 : card_{name} <= N ? 1 : 2"} for name in "ab"]


def merges(ranks, _hand):
    """Numbers of cards by colour and player, of the array."""
    counts = [{"name": f"{colour}_{name}", "type": "int[0,N]",
               "expression": f"sum(c : int[{first},{first + ranks - 1}]) owner[c] == {number}"}
              for colour, first in (("black", 0), ("red", ranks))
              for number, name in ((1, "a"), (2, "b"))]
    return json.dumps({"merge": counts + table_merges()}, indent=2) + "\n"


def write(ranks, hand, kind):
    return {"spec": spec, "model": model, "array": array, "merges": merges}[kind](ranks, hand)


if __name__ == "__main__":
    nta.main(__doc__, [("ranks", "cards of a colour", 1), ("hand", "cards in a hand", 1)], write,
             None, ("model", "spec", "array", "merges"))
