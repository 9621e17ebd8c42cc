#!/usr/bin/env python3
"""postal.py V C [--kind K] [--promela] [-o FILE] — postal voting for V voters and C candidates.

A voter declares how she wants her election package (in person or by post), waits for it, and
sends a ballot and a signed or unsigned voting card back. The authority collects declarations,
dispatches packages, then collects votes and counts the ballots that are filled in and signed.

The system is the case study of W. Jamroga and Y. Kim, "Practical abstraction for model
checking of multi-agent systems" (2023), section 5. Reachable states, for comparison:
V,C = 1,1: 23 · 1,3: 31 · 2,2: 369 · 3,3: 10891 · 4,1: 39793 · 4,3: 235633.

The kinds are the concrete model and its exact abstractions a1, a2 and a3: a1 is without mem_vt and
mem_sg, a2 forgets mem_dec when a voter has her package and dec_recv when votes are collected, a3
does both. --promela writes the model for Spin instead, with as many states.
"""

import math

import nta
from nta import location, template, transition

KINDS = ("concrete", "a1", "a2", "a3")

GLOBALS = """\
// Postal voting with {voters} voters and {candidates} candidates.
const int N_V = {voters};
const int N_C = {candidates};

typedef int[1, N_V] voter_t;
typedef int[0, N_C] vote_t;      // 0 is a blank ballot
typedef int[0, 2] way_t;         // how a package travels, 0 is not declared
const int IN_PERSON = 1;
const int BY_POST = 2;

chan decl[voter_t];              // a voter declares the way of her package
chan coll[voter_t];              // a voter collects her package in person
chan vote[voter_t];              // a voter sends her ballot and voting card

// Values handed over by a synchronisation, 0 in between.
way_t sh_dec;
vote_t sh_vt;
int[0, 1] sh_sg;

int[0, 1] buff_mail[voter_t];    // packages in the mail"""

VOTER = """\
way_t mem_dec;       // the way she declared"""

BALLOT = """
vote_t mem_vt;       // the vote she cast
int[0, 1] mem_sg;    // whether she signed the voting card"""

AUTHORITY = """\
way_t dec_recv[voter_t];         // declarations received
int[0, 1] pack_sent[voter_t];    // packages dispatched
{tallies}"""

FORGET = """

void forget()
{
\tfor (v : voter_t)
\t\tdec_recv[v] = 0;
}"""

SYSTEM = "system Voter, Authority;"


def keeps_ballot(kind):
    return kind in ("concrete", "a2")


def keeps_way(kind):
    return kind in ("concrete", "a1")


def voter(kind):
    forget = [] if keeps_way(kind) else ["mem_dec = 0"]
    ballot = ["sh_vt = vt, sh_sg = sg"]
    if keeps_ballot(kind):
        ballot.append("mem_vt = vt, mem_sg = sg")
    return template(
        "Voter", "const voter_t id", VOTER + (BALLOT if keeps_ballot(kind) else ""),
        [location("idle", "id0", -340, 0, -34, 10),
         location("waits", "id1", -136, 0, -18, 17),
         location("has", "id2", 136, 0, -10, 17),
         location("voted", "id3", 374, 0, 10, 10)],
        "id0",
        [transition("id0", "id1",
                    [("select", "way : int[IN_PERSON, BY_POST]"),
                     ("synchronisation", "decl[id]!"),
                     ("assignment", "mem_dec = way,\nsh_dec = way")], -331, -85, []),
         transition("id1", "id2",
                    [("guard", "mem_dec == IN_PERSON"),
                     ("synchronisation", "coll[id]!")]
                    + [("assignment", text) for text in forget], -85, -110, [(0, -68)]),
         transition("id1", "id2",
                    [("guard", "mem_dec == BY_POST && buff_mail[id] == 1"),
                     ("assignment", ", ".join(["buff_mail[id] = 0"] + forget))], -127, 76, [(0, 68)]),
         transition("id2", "id3",
                    [("select", "vt : vote_t,\nsg : int[0, 1]"),
                     ("synchronisation", "vote[id]!"),
                     ("assignment", ",\n".join(ballot))],
                    170, -119, [])])


def authority(voters, candidates, kind):
    tallies = "\n".join(f"int[0, N_V] tally_{c};" for c in range(1, candidates + 1))
    count = ",\n".join(f"tally_{c} += sh_sg == 1 && sh_vt == {c} ? 1 : 0"
                       for c in range(1, candidates + 1))
    return template(
        "Authority", "",
        AUTHORITY.format(tallies=tallies) + ("" if keeps_way(kind) else FORGET),
        [location("coll_dec", "id4", -204, 0, -76, 10),
         location("send_ep", "id5", 34, 0, -59, 10),
         location("coll_vts", "id6", 272, 0, -68, 10)],
        "id4",
        [transition("id4", "id4",
                    [("select", "v : voter_t"),
                     ("synchronisation", "decl[v]?"),
                     ("assignment", "dec_recv[v] = sh_dec,\nsh_dec = 0")],
                    -272, -153, [(-238, -68), (-170, -68)]),
         transition("id4", "id5", [], 0, 0, []),
         transition("id5", "id5",
                    [("select", "v : voter_t"),
                     ("guard", "dec_recv[v] == IN_PERSON && pack_sent[v] == 0"),
                     ("synchronisation", "coll[v]?"),
                     ("assignment", "pack_sent[v] = 1")],
                    -68, -153, [(0, -68), (68, -68)]),
         transition("id5", "id5",
                    [("select", "v : voter_t"),
                     ("guard", "dec_recv[v] == BY_POST && pack_sent[v] == 0"),
                     ("assignment", "buff_mail[v] = 1,\npack_sent[v] = 1")],
                    -68, 76, [(68, 68), (0, 68)]),
         transition("id5", "id6", [] if keeps_way(kind) else [("assignment", "forget()")],
                    93, 8, []),
         transition("id6", "id6",
                    [("select", "v : voter_t"),
                     ("synchronisation", "vote[v]?"),
                     ("assignment", count + ",\nsh_vt = 0, sh_sg = 0")],
                    323, -136, [(340, -34), (340, 34)])])


def queries(candidates):
    tally = " + ".join(f"Authority.tally_{c}" for c in range(1, candidates + 1))
    sent = "sum(v : voter_t) Authority.pack_sent[v]"
    return [
        (f"A[] {tally} <= ({sent}) && ({sent}) <= N_V",
         "No ballot stuffing: no more votes are counted than packages were sent, and no more\n"
         "packages than there are voters. Holds."),
        (f"sup: {tally}, {sent}",
         "The same as bounds: neither number exceeds N_V."),
        (f"A[] Authority.coll_vts imply ({sent}) == N_V",
         "Every package is dispatched before votes are collected. Does not hold."),
        ("E<> forall (v : voter_t) Voter(v).voted",
         "Everybody can vote. Holds."),
    ]


def model(voters, candidates, kind="concrete"):
    return nta.document(GLOBALS.format(voters=voters, candidates=candidates),
                        [voter(kind), authority(voters, candidates, kind)], SYSTEM,
                        queries(candidates))


def states(voters, candidates, kind="concrete"):
    """How many are reachable. Given the phase of the authority voters are independent of each
    other, but for the tallies where those do not follow from the votes the voters remember."""
    waiting = 6 if keeps_way(kind) else 5     # local states of a voter who has not voted, at the end
    ways = 2 if keeps_way(kind) else 1
    total = 3**voters + 6**voters
    if keeps_ballot(kind):
        return total + (waiting + ways * 2 * (candidates + 1))**voters
    return total + sum(math.comb(voters, voted) * waiting**(voters - voted) * ways**voted
                       * math.comb(voted + candidates, candidates)
                       for voted in range(voters + 1))


def promela(voters, candidates, kind="concrete"):
    """One process whose control is the authority's location. What is handed over by a
    synchronisation needs no variable here, a step being one d_step."""
    people = range(1, voters + 1)
    lines = [f"/* Postal voting with {voters} voters and {candidates} candidates, {kind}. */"]
    for v in people:
        lines += [f"unsigned at_{v} : 2, mem_dec_{v} : 2, dec_recv_{v} : 2;",
                  f"bit mail_{v}, sent_{v};"]
        if keeps_ballot(kind):
            lines += [f"unsigned mem_vt_{v} : {candidates.bit_length()};", f"bit mem_sg_{v};"]
    lines += [f"unsigned tally_{c} : {voters.bit_length()};" for c in range(1, candidates + 1)]
    forget = {v: "" if keeps_way(kind) else f"; mem_dec_{v} = 0" for v in people}
    mail = [f":: d_step {{ at_{v} == 1 && mem_dec_{v} == 2 && mail_{v} ->"
            f" mail_{v} = 0; at_{v} = 2{forget[v]} }}" for v in people]
    lines += ["active proctype postal() {", "coll_dec: do"]
    lines += [f":: d_step {{ at_{v} == 0 -> at_{v} = 1; mem_dec_{v} = {way}; dec_recv_{v} = {way} }}"
              for v in people for way in (1, 2)]
    lines += [":: goto send_ep", "od;", "send_ep: do"] + mail
    for v in people:
        lines += [f":: d_step {{ at_{v} == 1 && mem_dec_{v} == 1 && dec_recv_{v} == 1 && !sent_{v} ->"
                  f" at_{v} = 2; sent_{v} = 1{forget[v]} }}",
                  f":: d_step {{ dec_recv_{v} == 2 && !sent_{v} -> mail_{v} = 1; sent_{v} = 1 }}"]
    if keeps_way(kind):
        lines += [":: goto coll_vts"]
    else:
        lines += [":: d_step { " + "; ".join(f"dec_recv_{v} = 0" for v in people)
                  + " }; goto coll_vts"]
    lines += ["od;", "coll_vts: do"] + mail
    for v in people:
        for vote in range(candidates + 1):
            for sign in (0, 1):
                ballot = (f"; mem_vt_{v} = {vote}; mem_sg_{v} = {sign}" if keeps_ballot(kind)
                          else "")
                count = f"; tally_{vote}++" if vote and sign else ""
                lines.append(f":: d_step {{ at_{v} == 2 -> at_{v} = 3{ballot}{count} }}")
    return "\n".join(lines + ["od", "}"]) + "\n"


if __name__ == "__main__":
    nta.main(__doc__, [("V", "voters", 1), ("C", "candidates", 1)], model, promela, KINDS)
