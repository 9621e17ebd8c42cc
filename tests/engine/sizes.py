"""What is larger or more than usual: a model and a query that go through without a look, and many at once."""
import hashlib
import os
import pathlib
import sys

import gui
from deciding import PLAIN, Session
from gui import Connection, check, expect, upload


def memory_now(connection):
    """In KiB."""
    with open(f"/proc/{connection.process.pid}/status", encoding="utf-8") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))


def too_large():
    """A model that is not kept: it goes through, memory is bounded and free again, and no verdict is compared."""
    text = b'// \\"x\\" \xc3\xa9 {[\n'
    large = b'{"cmd":"newXMLSystem3","args":"<nta>' + text * ((70 << 20) // len(text)) + b'</nta>"}'
    with Session("shadow", skips=len(large)) as session:
        connection = session.connection
        got = connection.ask(large)
        expect("too large: it is taken", got.startswith(b'{"res":"ok"'), f"{got[:60]!r}")
        expect("too large: unchanged", pathlib.Path("digest").read_text() == hashlib.sha256(large).hexdigest())
        expect("too large: memory is bounded", connection.largest() < (80 << 10) + 2 * gui.ROOM,
               f"{connection.largest()} KiB")
        expect("too large: and free again", memory_now(connection) < (16 << 10) + gui.ROOM,
               f"{memory_now(connection)} KiB")
        session.ask("A[] n <= 2")
        expect("too large: nothing is decided", not session.events("check") and
               [row["note"] for row in session.events("passed")] == ["no model is known"], f"{session.rows()}")
        session.take()
        session.ask("A[] n <= 2")
        expect("too large: the next one is known", session.rows()[-1]["note"] == "agrees", f"{session.rows()}")


def many_decided():
    """A model of 5 MB is decided; of many checks in a row nothing is kept but their lines."""
    large = PLAIN.replace("<system>", "<system>" + "// x\n" * (1 << 20))
    middle = PLAIN.replace("<system>", "<system>" + "// x\n" * (64 << 10))
    with Session("shadow") as session:
        session.take(large)
        session.ask("A[] n <= 2")
        expect("5 MB: decided", session.rows()[-1]["note"] == "agrees", f"{session.rows()[-1]}")
        session.take(middle)
        session.ask("A[] n <= 2")
        before = memory_now(session.connection)
        for _ in range(40):
            session.ask("A[] n <= 2")
        after = memory_now(session.connection)
        expect("many decided: all of them", len([row for row in session.rows() if row["note"] == "agrees"]) == 42)
        expect("many decided: memory does not grow", after - before < (4 << 10) + gui.ROOM, f"{before}, then {after} KiB")


def long_query():
    for mode in ("shadow", "answer"):
        longest, known = ("A[] n <= 2" + " " * (size << 10) for size in (100, 60))
        with Session(mode, verdicts={known: "T"}) as session:
            session.take()
            session.ask(longest)
            expect(f"100 KiB: {mode}", session.seen()[-1] == longest and
                   session.rows()[-1]["note"] == "the query cannot be read", f"{session.rows()[-1]}")
            session.ask(known)
            expect(f"60 KiB: {mode}", session.seen()[-1] == known and session.rows()[-1]["note"] == "agrees",
                   f"{session.rows()[-1]}")


def many_at_once():
    """Twenty that write to one table: each of its lines is whole."""
    count = 20
    pathlib.Path("table").unlink(missing_ok=True)
    settings = {"verdicts": {"A[] n <= 2": "T"}}
    connections = [Connection(["--log=table", "--limit=20"], settings=settings) for _ in range(count)]
    for words in (upload(PLAIN), check("A[] n <= 2")):
        before = [connection.received for connection in connections]
        for connection in connections:
            connection.send(words)
        for connection, old in zip(connections, before):
            expect("many: an answer", connection.wait_for(
                lambda got, n=len(old): got[n:].startswith(b'{"res":"ok"') and gui.balanced(got)))

    def lines():
        return [line.split("\t") for line in pathlib.Path("table").read_text(encoding="utf-8").splitlines()]

    connections[0].wait_for(lambda _: sum(line[-1] == "agrees" for line in lines()) == count, 30)
    for connection in connections:
        connection.close()
    expect("many: all end", [connection.finish() for connection in connections] == [0] * count)
    expect("many: nothing is left", all(connection.leaves_nothing() for connection in connections))
    expect("many: lines are whole", all(len(line) == 9 for line in lines()) and
           [line[1] for line in sorted(lines(), key=lambda line: line[1])] ==
           ["check"] * count + ["event"] * count + ["taken"] * count + ["upload"] * count)
    expect("many: all agree", sum(line[-1] == "agrees" for line in lines()) == count)
    expect("many: for the owner alone", os.stat("table").st_mode & 0o777 == 0o600)


if __name__ == "__main__":
    only = sys.argv[1:]
    for part in (too_large, many_decided, long_query, many_at_once):
        if not only or part.__name__ in only:
            part()
    gui.end()
