#!/usr/bin/env python3
"""election.py N T [--promela] [-o FILE] — N servers elect a leader per term, T terms, as in Raft.

A server that hears of no leader may stand for election: it enters the next term, votes for itself and
asks the others. Whoever has not voted in that term grants the vote. More than half of the votes
make a leader, who tells the others. From each server to each other there is room for one message; a
newer one replaces one that was not read, which stands for loss. Functions, loops, records and arrays
of them, selects and quantifiers are all used. --promela writes the model for Spin instead, with as
many states.
"""

import nta
from nta import location, template, transition

GLOBALS = """\
// {servers} servers elect leaders in {terms} terms.
const int N = {servers};
const int T = {terms};

typedef int[0, N - 1] id_t;
typedef int[0, T] term_t;
typedef int[0, 3] kind_t;
const kind_t NONE = 0, REQUEST = 1, GRANT = 2, BEAT = 3;

typedef struct {{
	kind_t kind;
	term_t term;
}} message_t;

typedef struct {{
	term_t term;
	int[0, N] vote;              // whom it voted for in this term, 0 for nobody, k + 1 for k
	bool ballot[id_t];           // who voted for it
}} server_t;

message_t box[id_t][id_t];       // box[to][from]
server_t server[id_t];

void send(id_t to, id_t from, kind_t kind)
{{
	box[to][from].kind = kind;
	box[to][from].term = server[from].term;
}}

void send_all(id_t from, kind_t kind)
{{
	for (to : id_t)
		if (to != from)
			send(to, from, kind);
}}

void drop(id_t to, id_t from)
{{
	box[to][from].kind = NONE;
	box[to][from].term = 0;
}}

void forget_ballots(id_t me)
{{
	int k;
	for (k = 0; k < N; k++)
		server[me].ballot[k] = false;
}}

void enter(id_t me, term_t term, int[0, N] vote)
{{
	server[me].term = term;
	server[me].vote = vote;
	forget_ballots(me);
}}

bool is_led(id_t me)
{{
	return exists (k : id_t) box[me][k].kind == BEAT;
}}

bool elected(id_t me)
{{
	int votes = 1;
	int k = 0;
	while (k < N) {{
		if (server[me].ballot[k])
			votes++;
		k++;
	}}
	return 2 * votes > N;
}}"""

SERVER = """\
void stand()
{
	enter(me, server[me].term + 1, me + 1);
	send_all(me, REQUEST);
}

// Enters the newer term of a request, and grants it.
void follow(id_t from)
{
	enter(me, box[me][from].term, from + 1);
	drop(me, from);
	send(from, me, GRANT);
}

// A request that is not of a newer term.
void answer(id_t from)
{
	if (box[me][from].term == server[me].term
			&& (server[me].vote == 0 || server[me].vote == from + 1)) {
		server[me].vote = from + 1;
		send(from, me, GRANT);
	}
	drop(me, from);
}

void collect(id_t from)
{
	if (box[me][from].term == server[me].term)
		server[me].ballot[from] = true;
	drop(me, from);
}

// A leader of this term or a newer one.
void obey(id_t from)
{
	if (box[me][from].term > server[me].term)
		enter(me, box[me][from].term, 0);
	else
		forget_ballots(me);
	drop(me, from);
}"""

RULE = "forall (i : id_t) forall (j : id_t) "
QUERIES = [
    ("A[] " + RULE + "i != j && Server(i).leader && Server(j).leader imply "
     "server[i].term != server[j].term", "No term has two leaders. Holds."),
    ("A[] " + RULE + "not (i != j && Server(i).leader && Server(j).leader)",
     "Never are there two leaders. Does not hold."),
    ("E<> exists (i : id_t) Server(i).leader && server[i].term == T",
     "The last term can have a leader. Holds."),
]


def server():
    places = {"follower": "id0", "candidate": "id1", "leader": "id2"}
    edges = []

    def edge(source, target, update, guard, select=True):
        labels = [("select", "from : id_t")] if select else []
        labels += [("guard", guard), ("assignment", update)]
        edges.append(transition(places[source], places[target], labels, 0, 80 * len(edges), []))

    edge("follower", "candidate", "stand()", "server[me].term < T && !is_led(me)", False)
    edge("candidate", "candidate", "stand()", "server[me].term < T && !is_led(me)", False)
    edge("candidate", "leader", "forget_ballots(me), send_all(me, BEAT)", "elected(me)", False)
    for place in places:
        newer = "box[me][from].term {} server[me].term"
        kind = "box[me][from].kind == {} && "
        edge(place, "follower", "follow(from)", kind.format("REQUEST") + newer.format(">"))
        edge(place, place, "answer(from)", kind.format("REQUEST") + newer.format("<="))
        edge(place, "follower", "obey(from)", kind.format("BEAT") + newer.format(">="))
        edge(place, place, "drop(me, from)", kind.format("BEAT") + newer.format("<"))
        edge(place, place, "collect(from)" if place == "candidate" else "drop(me, from)",
             "box[me][from].kind == GRANT")
    return template("Server", "const id_t me", SERVER,
                    [location(name, key, 272 * number, -120, -20, 17)
                     for number, (name, key) in enumerate(places.items())], "id0", edges)


def model(servers, terms):
    return nta.document(GLOBALS.format(servers=servers, terms=terms), [server()],
                        "system Server;", QUERIES)


def promela(servers, terms):
    """One process, the fields bit-sized, the loops unrolled. What arrives over a box is one
    d_step, whatever it is; role_i is 0, 1 or 2, the location of server i."""
    ids = range(servers)
    width = terms.bit_length()
    lines = [f"/* {servers} servers elect leaders in {terms} terms. */"]
    for i in ids:
        lines += [f"unsigned role_{i} : 2, term_{i} : {width}, vote_{i} : {servers.bit_length()};"]
        for k in ids:
            if k != i:
                lines += [f"bit ballot_{i}_{k};", f"unsigned kind_{i}_{k} : 2,"
                          f" when_{i}_{k} : {width};"]

    def send_all(i, kind):
        return "; ".join(f"kind_{k}_{i} = {kind}; when_{k}_{i} = term_{i}" for k in ids if k != i)

    lines += ["active proctype election() {", "end: do"]
    for i in ids:
        others = [k for k in ids if k != i]
        forget = "; ".join(f"ballot_{i}_{k} = 0" for k in others)
        quiet = " && ".join(f"kind_{i}_{k} != 3" for k in others)
        votes = " + ".join(f"ballot_{i}_{k}" for k in others)
        lines += [f":: d_step {{ role_{i} != 2 && term_{i} < {terms} && {quiet} -> role_{i} = 1;"
                  f" term_{i}++; vote_{i} = {i + 1}; {forget}; {send_all(i, 1)} }}",
                  f":: d_step {{ role_{i} == 1 && 2 * (1 + {votes}) > {servers} -> role_{i} = 2;"
                  f" {forget}; {send_all(i, 3)} }}"]
        for k in others:
            kind, when = f"kind_{i}_{k}", f"when_{i}_{k}"
            grant = f"kind_{k}_{i} = 2; when_{k}_{i} = term_{i}"
            done = f"{kind} = 0; {when} = 0"
            lines += [
                f":: d_step {{ {kind} == 1 -> if",
                f"   :: {when} > term_{i} -> role_{i} = 0; term_{i} = {when}; vote_{i} = {k + 1};"
                f" {forget}; {grant}",
                f"   :: {when} == term_{i} && (vote_{i} == 0 || vote_{i} == {k + 1}) ->"
                f" vote_{i} = {k + 1}; {grant}",
                f"   :: else fi; {done} }}",
                f":: d_step {{ {kind} == 2 -> if",
                f"   :: role_{i} == 1 && {when} == term_{i} -> ballot_{i}_{k} = 1",
                f"   :: else fi; {done} }}",
                f":: d_step {{ {kind} == 3 -> if",
                f"   :: {when} > term_{i} -> role_{i} = 0; term_{i} = {when}; vote_{i} = 0; {forget}",
                f"   :: {when} == term_{i} -> role_{i} = 0; {forget}",
                f"   :: else fi; {done} }}"]
    return "\n".join(lines + ["od", "}"]) + "\n"


if __name__ == "__main__":
    nta.main(__doc__, [("N", "servers", 2), ("T", "terms", 1)], model, promela)
