#!/usr/bin/env python3
"""registry.py V M [-o FILE] — V voters hand in votes, and a registrar mixes a seal of M values.

The votes are secret: the public sees who has handed in, and nothing else. The registrar renews the
seal from time to time, if its value allows it, and voters may then be called back once. Whether the
seal is renewed depends on all that happened before, so that nothing can be removed exactly, and the
values of the seal multiply the states. `--remove seal --mixed` leaves what the votes are.
"""

import nta
from nta import location, template, transition

GLOBALS = """\
// {voters} voters; the seal has {seals} values.
const int V = {voters};
const int M = {seals};
typedef int[0,V-1] id_t;
int[0,M-1] seal = 1;
chan hand[id_t], back[id_t];
//varabs: observe Public: {seen};"""

VOTER = [
    transition("idle", "chosen", [("select", "c : int[1,3]"), ("assignment", "vote = c")],
               35, -40, []),
    transition("chosen", "sent", [("synchronisation", "hand[id]!")], 230, -20, []),
    transition("sent", "called", [("synchronisation", "back[id]?")], 400, -20, []),
    transition("called", "sent", [("synchronisation", "hand[id]!")], 400, 60,
               [(510, 50), (350, 50)])]

REGISTRAR = [
    transition("open", "open", [("select", "i : id_t"), ("synchronisation", "hand[i]?"),
                                ("assignment", "seal = (5 * seal + i) % M")],
               -40, -110, [(-30, -60), (30, -60)]),
    transition("open", "open", [("guard", "seal % 3 != 1"),
                                ("assignment", "seal = (3 * seal + 1) % M")],
               80, 0, [(60, -20), (60, 20)]),
    transition("open", "open", [("select", "i : id_t"), ("guard", "seal % 7 == 2"),
                                ("synchronisation", "back[i]!"),
                                ("assignment", "seal = (2 * seal + i) % M")],
               -40, 80, [(-30, 60), (30, 60)])]


def model(voters, seals):
    voter = template("Voter", "const id_t id", "int[0,3] vote;",
                     [location("idle", "idle", 0, 0, -20, 17),
                      location("chosen", "chosen", 170, 0, -20, 17),
                      location("sent", "sent", 340, 0, -20, 17),
                      location("called", "called", 510, 0, -20, 17)], "idle", VOTER)
    registrar = template("Registrar", "", "", [location("open", "open", 0, 0, -20, 17)], "open",
                         REGISTRAR)
    public = template("Public", "", "", [location("looks", "looks", 0, 0, -20, 17)], "looks", [])
    seen = ", ".join(f"Voter({i}).sent" for i in range(voters))
    queries = nta.asked([
        ("A[] (Voter(0).sent imply not Kw(Public, Voter(0).vote))", "The votes are secret."),
        ("A[] (Voter(0).sent imply K(Public, Voter(0).vote > 0))", "That there is one is not."),
        ("E<> Kw(Public, Voter(0).vote == 1)", "Nor is it found out by some other way."),
        ("<<Voter(0)>> G (Voter(0).vote != 1 && not Kw(Public, Voter(0).vote))",
         "Who is told to vote 1 can vote otherwise, and nobody knows."),
        ("<<Public, Registrar>> F Kw(Public, Voter(0).vote)", "The registrar cannot help it.")])
    return nta.document(GLOBALS.format(voters=voters, seals=seals, seen=seen),
                        [voter, registrar, public], "system Voter, Registrar, Public;", queries)


if __name__ == "__main__":
    nta.main(__doc__, [("voters", "voters", 1), ("seals", "values of the seal", 2)], model, None)
