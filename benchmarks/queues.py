#!/usr/bin/env python3
"""queues.py N K [S] [-o FILE] — N stations in a ring, each with a queue of K messages at most.

A station sends messages to others, takes those out that are for it, and passes the others on. Queues
are arrays that are shifted: a step looks at all of two queues. The queues of the first S stations, none
if not given, take one message less.
"""

import nta
from nta import location, template, transition

GLOBALS = """\
// {stations} stations in a ring, queues of {length} messages. A message is who it is for.
const int N = {stations};
const int K = {length};
typedef int[0, N - 1] station_t;

station_t queue[station_t][K];   // the first {length} entries that are filled; others are 0
int[0, K] filled[station_t];

void put(station_t at, station_t message)
{{
	queue[at][filled[at]] = message;
	filled[at]++;
}}

void take(station_t at)
{{
	for (i : int[0, K - 2])
		queue[at][i] = queue[at][i + 1];
	queue[at][K - 1] = 0;
	filled[at]--;
}}"""

STATION = """\
station_t next()
{
	return (me + 1) % N;
}"""


def model(stations, length, shorter):
    has_room = "filled[next()] < K" + (f" - (next() < {shorter})" if shorter else "")
    labels = [
        [("select", "to : station_t"), ("guard", f"to != me && {has_room}"),
         ("assignment", "put(next(), to)")],
        [("guard", "filled[me] > 0 && queue[me][0] == me"), ("assignment", "take(me)")],
        [("guard", f"filled[me] > 0 && queue[me][0] != me && {has_room}"),
         ("assignment", "put(next(), queue[me][0]), take(me)")]]
    edges = [transition("id0", "id0", own, 136, 85 * number,
                        [(120, 85 * number), (120, 85 * number + 40)])
             for number, own in enumerate(labels)]
    station = template("Station", "const station_t me", STATION,
                       [location("works", "id0", 0, 0, -60, -20)], "id0", edges)
    text = GLOBALS.format(stations=stations, length=length)
    return nta.document(text, [station], "system Station;", [
        ("E<> deadlock", "All queues are full, and nothing at their heads has arrived. Holds."),
        ("A[] forall (i : station_t) filled[i] == 0 imply queue[i][0] == 0",
         "Empty queues are cleared. Holds."),
    ])


if __name__ == "__main__":
    nta.main(__doc__, [("N", "stations", 2), ("K", "messages", 2), ("S", "shorter queues", 0, 0, "N")], model,
             None)
