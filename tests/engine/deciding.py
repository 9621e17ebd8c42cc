"""What varabs does beside the engine: it decides queries and writes a table, and answers where that is allowed,
and nowhere else."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import gui
from gui import Connection, check, command, expect, upload

MODEL = """<?xml version="1.0" encoding="utf-8"?>
<nta><declaration>chan c; int[0,3] n; %s</declaration>
<template><name>P</name><location id="id0"><name>idle</name></location><location id="id1"><name>busy</name></location>
<init ref="id0"/><transition><source ref="id0"/><target ref="id1"/><label kind="guard">n &lt; 2%s</label>
<label kind="synchronisation">c!</label><label kind="assignment">n++</label></transition>
<transition><source ref="id1"/><target ref="id0"/></transition></template>
<template><name>Q</name><location id="id2"/><init ref="id2"/>
<transition><source ref="id2"/><target ref="id2"/><label kind="synchronisation">c?</label></transition></template>
<system>system P, Q;</system></nta>
"""
PLAIN = MODEL % ("", "")
TIMED = MODEL % ("clock x;", " &amp;&amp; x &lt; 3")
OPEN = MODEL % ("int[1,2] m;", "")
FAILS = (MODEL % ("", "")).replace("int[0,3] n", "int[0,1] n")
LARGE = MODEL.replace("n &lt; 2%s", "true").replace("n++", "n = (n * 1021 + 7) % 1000003") \
    .replace("int[0,3] n;", "int[0,1000003] n = 1;").replace("%s", "")
MIDDLE = LARGE.replace("1000003", "300007")  # decided, but not at once
MAY_FAIL = pathlib.Path(gui.FAKE).with_name("may_fail.xml").read_text()
VERDICTS = {"A[] n <= 2": "T", "A[] n <= 3": "T", "A[] n >= 0": "T", "A[] n < 2": "F", "E<> n == 3": "F",
            "E<> n > 2": "F", "E<> n == 1": "T", "E<> n == 3 && n > 2": "F", "A<> P.busy": "F", "E[] P.idle": "T",
            "P.busy --> n > 0": "T", "P.busy --> P.idle": "F", "E[] P.busy": "F", "A<> P.idle": "T",
            'A[] n <= 2 || "a\\n" == "b"': "E", "A[] n<=2\n": "T"}
LEARN = ["A[] n <= 2", "A[] n <= 3", "E<> n == 3", "E<> n > 2"]
ASKED, DENIED = "A[] n >= 0", "E<> n == 3 && n > 2"


def is_checked(answer):
    return answer.startswith(b'{"res":"ok","info":{')


class Session:
    """A connection that has a log, and an engine that says what it has seen."""

    def __init__(self, mode="answer", options=(), verdicts=None, **settings):
        for name in ("log", "seen"):
            pathlib.Path(name).unlink(missing_ok=True)
        for path in pathlib.Path(".").glob("log.*.xml"):
            path.unlink()
        settings = {"verdicts": {**VERDICTS, **(verdicts or {})}, "seen": "seen", **settings}
        options = list(options)
        if not any(option.startswith("--limit") for option in options):
            options.append("--limit=20")
        self.connection = Connection([f"--mode={mode}", "--log=log", *options], settings=settings)

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        self.connection.close()
        self.status = self.connection.finish()
        expect("no process is left", self.connection.leaves_nothing())

    def take(self, model=PLAIN):
        return self.connection.ask(upload(model))

    def learn(self, model=PLAIN, queries=()):
        """Uploads a model, and checks queries so that the form of the answers is known."""
        self.take(model)
        for query in queries or LEARN:
            self.ask(query)

    def ask(self, query):
        """The answer to a check, once its line is in the log."""
        lines = len(self.rows())
        answer = self.connection.ask(check(query))
        self.connection.wait_for(lambda _: any(row["event"] in ("check", "answered", "DISAGREEMENT")
                                               or row["note"].startswith(("no model", "it is not", "the query"))
                                               for row in self.rows()[lines:]), 30)
        return answer

    def rows(self):
        if not os.path.exists("log"):
            return []
        lines = pathlib.Path("log").read_text(encoding="utf-8").split("\n")
        return [dict(zip(lines[0].split("\t"), line.split("\t"))) for line in lines[1:-1]]

    def events(self, *names):
        return [row for row in self.rows() if row["event"] in names]

    def seen(self):
        if not os.path.exists("seen"):
            return []
        return [json.loads(line)[1] for line in pathlib.Path("seen").read_text().splitlines()]

    def decider(self):
        """The process that decides, once it is there; or None."""
        end_at = time.monotonic() + 10
        while time.monotonic() < end_at:
            for pid in gui.children(self.connection.process.pid):
                try:
                    words = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
                except (FileNotFoundError, ProcessLookupError):
                    continue
                if b"decide" in words:
                    return pid
            self.connection.step(seconds=0.01)
        return None


def form(letter, message, end=""):
    return ('{"res":"ok","info":{"status":"' + letter + '","stat":false,"message":"' + message +
            '","result":"","plots":[],"cyclelen":0,"trace":null}}' + end).encode()


# ---- shadow ----

def shadow():
    with Session("shadow") as session:
        before = session.connection.received
        session.take()
        queries = [query for query, letter in VERDICTS.items() if letter in "TF" and "\n" not in query]
        for query in queries:
            answer = session.ask(query)
            letter = VERDICTS[query]
            message = "satisfied" if letter == "T" else "not satisfied"
            expect(f"shadow: {query}: the engine's answer", answer == form(letter, message), answer.decode())
        rows = session.events("check")
        expect("shadow: a line for each", [row["query"] for row in rows] == queries)
        for row in rows:
            wanted = "satisfied" if VERDICTS[row["query"]] == "T" else "violated"
            expect(f"shadow: {row['query']}: agrees", row["varabs"] == wanted and row["note"] == "agrees" and
                   row["engine"] == VERDICTS[row["query"]] and float(row["engine_seconds"]) >= 0 and
                   float(row["varabs_seconds"]) > 0 and int(row["states"]) > 0, f"{row}")
        expect("shadow: the engine has seen all", session.seen() == [PLAIN, *queries] and not before)
    expect("shadow: for the owner alone", os.stat("log").st_mode & 0o777 == 0o600)


def disagreement():
    for verdicts in ({"A[] n <= 2": "F"}, {"A[] n < 2": "T"}):
        query = next(iter(verdicts))
        with Session("answer", verdicts=verdicts) as session:
            session.learn()
            session.ask(query)
            rows = session.events("DISAGREEMENT")
            expect(f"disagreement: {query}", len(rows) >= 1 and rows[0]["query"] == query, f"{session.rows()}")
            expect("disagreement: the model", pathlib.Path("log.1.xml").read_text() == PLAIN)
            expect("disagreement: for the owner alone", os.stat("log.1.xml").st_mode & 0o777 == 0o600)
            session.ask(ASKED)
            expect("disagreement: no answer after it", ASKED in session.seen())
        expect("disagreement: said aloud", "DISAGREEMENT" in session.connection.said and
               "log.1.xml" in session.connection.said)


def not_compared():
    """Where varabs has no verdict there is a line that says why."""
    for name, model, query, note in (
            ("clocks", TIMED, "A[] n <= 2", "status 4"), ("statistics", PLAIN, "Pr[<=3](<> n == 1)", "status"),
            ("a mistake", PLAIN, "A[] m", "status 3"), ("two queries", PLAIN, "A[] n <= 2\nA[] n <= 3", "one query"),
            ("sup", PLAIN, "sup: n", "one query"), ("an error", FAILS, "A[] n <= 1", "runtime error")):
        with Session("shadow") as session:
            session.take(model)
            session.ask(query)
            rows = session.events("check")
            expect(f"not compared: {name}", len(rows) == 1 and note in rows[0]["note"] and
                   rows[0]["varabs"] == "unknown", f"{rows}")
    with Session("shadow", ["--limit=0.05"]) as session:
        session.take(LARGE)
        session.ask("A[] n >= 0")
        expect("not compared: a limit", session.events("check")[0]["varabs"] == "unknown", f"{session.rows()}")
    with Session("shadow", ["--limit=20"], verdicts={"A[] n >= 0": "T"}) as session:
        session.take(LARGE)
        session.connection.send(check("A[] n >= 0"))
        pid = session.decider()
        os.kill(pid, signal.SIGKILL)
        session.connection.wait_for(lambda _: session.events("check"))
        expect("not compared: varabs dies", "status 137" in session.events("check")[0]["note"], f"{session.rows()}")
    with Session("shadow") as session:
        session.take(PLAIN.replace("<nta>", "<nta><wrong/>"))
        session.ask("A[] n <= 2")
        expect("not compared: a model that was refused", not session.events("check") and
               session.events("refused") and session.events("passed"), f"{session.rows()}")


# ---- answers ----

def answers():
    for letter, query in (("T", ASKED), ("F", DENIED), ("T", "P.busy --> n > 0"), ("F", "E[] P.busy"),
                          ("T", "A<> P.idle"), ("T", "A[] n<=2\n")):
        if query == "A<> P.idle":
            continue  # it holds at once, and in both
        with Session() as session:
            session.learn()
            expect("nothing is answered before", not session.events("answered"))
            answer = session.ask(query)
            word = "satisfied" if letter == "T" else "not satisfied"
            states = session.events("answered")[-1]["states"] if session.events("answered") else "?"
            wanted = form(letter, f"varabs: {word} (the model itself, {states} states)")
            expect(f"answered: {query!r}", answer == wanted, f"{answer!r} {session.rows()[-2:]}")
            expect(f"answered: {query!r}: not by the engine", query not in session.seen())
            again = session.ask("A[] n <= 3")
            expect(f"answered: {query!r}: and the next", b"varabs" in again)
            after = session.connection.ask(command("other", "x"))
            expect("the connection goes on", after == b'{"res":"ok","info":"done"}', f"{after!r}")


def forms():
    """Answers follow the form of the engine's, whatever it is; where that is not known, there are none."""
    order = ["trace", "cyclelen", "message", "status", "result", "plots", "stat"]
    for name, settings in (("order", {"order": order}), ("more members", {"extra": {"z": '[1,{"message":"x"}]'}}),
                           ("a number in the message", {"counts": True}), ("progress", {"progress": 3})):
        with Session(**settings) as session:
            session.learn()
            theirs = session.connection.received.rsplit(b'{"res"', 1)[-1]
            answer = session.ask(DENIED).rsplit(b'{"res"', 1)[-1]
            at, end = theirs.index(b'"message":"not') + 11, theirs.index(b'"', theirs.index(b'"message":"not') + 11)
            expect(f"form: {name}", answer.startswith(theirs[:at]) and answer.endswith(theirs[end:]) and
                   b"varabs: not satisfied" in answer, f"{answer!r} {theirs!r}")
    with Session(end="\n") as session:
        session.learn()
        expect("form: nothing behind", session.ask(ASKED).endswith(b"}}"))
    for name, settings in (("letters", {"letters": {"T": "Y", "F": "N", "M": "M"}}),
                           ("exchanged", {"letters": {"T": "F", "F": "T", "M": "M"}}),
                           ("the same", {"letters": {"T": "T", "F": "T", "M": "M"}}),
                           ("not said", {"letters": {"T": "M", "F": "M", "M": "M"}}),
                           ("no message", {"order": ["status", "stat", "result", "trace"]}),
                           ("another number each time", {"ticks": True}),
                           ("a trace always", {"extra": {"trace": "[1]"}})):
        with Session(**settings) as session:
            session.learn()
            session.ask(ASKED)
            session.ask(DENIED)
            expect(f"form: {name}: no answer", not session.events("answered") and
                   DENIED in session.seen() and ASKED in session.seen(), f"{session.rows()[-3:]}")


def never(name, query=ASKED, model=PLAIN, between=(), options=(), raw=None, events=(), verdicts=None,
          first=PLAIN, **settings):
    """Whether a check goes to the engine, though the form of answers is known."""
    with Session(options=options, verdicts=verdicts, **settings) as session:
        session.learn(first)
        if model:
            session.take(model)
        for data in between:
            session.connection.ask(data)
        before = len(session.seen())
        answer = session.connection.ask(raw) if raw else session.ask(query)
        expect(f"never: {name}", not session.events("answered") and b"varabs" not in answer and answer,
               f"{answer!r} {session.rows()[-3:]}")
        expect(f"never: {name}: the engine has seen it", len(session.seen()) == before + 1)


def nevers():
    harmless = ["--harmless=setOptions"]
    with Session(options=harmless) as session:
        session.learn()
        session.connection.ask(command("setOptions", "order 0"))
        expect("harmless commands", b"varabs" in session.ask(ASKED), f"{session.rows()[-2:]}")
    never("clocks", "A[] n <= 2", TIMED)
    never("statistics", "Pr[<=3](<> n == 1)")
    never("sup", "sup: n")
    never("a trace: A[] violated", "A[] n < 2")
    never("a trace: E<> satisfied", "E<> n == 1")
    never("a trace: A<> violated", "A<> P.busy")
    never("a trace: E[] satisfied", "E[] P.idle")
    never("a trace: --> violated", "P.busy --> P.idle")
    never("a model with errors", model=PLAIN.replace("<nta>", "<nta><wrong/>"))
    never("no model that is known", between=[command("newXMLSystem4", PLAIN)])
    never("unknown options", between=[command("setOptions", "order 0")])
    never("--diagnostic 0 is no none", "A[] n < 2", between=[command("setOptions", "--diagnostic 0")], options=harmless)
    never("approximation", between=[command("setOptions", "--state-representation 2")], options=harmless)
    with Session(options=harmless) as session:
        session.learn()
        session.connection.ask(command("setOptions", "--state-representation 2"))
        session.take()
        expect("never: approximation before the upload", b"varabs" not in session.ask(ASKED) and
               not session.events("answered"), f"{session.rows()[-3:]}")
    never("a state to begin at", raw=b'{"cmd":"modelCheck","args":"A[] n <= 2","state":1}')
    never("other members", raw=b'{"cmd":"modelCheck","args":"A[] n <= 2","args":"A[] n < 2"}')
    never("arguments that are no text", raw=b'{"cmd":"modelCheck","args":["A[] n <= 2"]}')
    never("two queries", "A[] n <= 2\nA[] n <= 3")
    never("a comment", "A[] n <= 2 // x")
    never("a mistake", "A[] n <= m")
    never("knowledge", "A[] K(P, n <= 2)")
    never("deep", between=[b'{"cmd":"a","args":' + b'{"a":' * 500 + b"1" + b"}" * 500 + b"}"])
    never("a runtime error", "A[] n <= 1", FAILS)
    never("what is left open", model=OPEN)
    never("a limit", model=LARGE, options=["--limit=0.1"], verdicts={ASKED: "T"})
    never("memory", model=LARGE, options=["--max-memory=64M", "--limit=1"], verdicts={ASKED: "T"})
    never("an escape in the query", raw=b'{"cmd":"modelCheck","args":"A[] n\\u003e= 0"}')
    never("an escape in the model", raw=upload(PLAIN).replace(b"chan c", b"chan\\tc"), model=None)
    never("between objects", between=[b'x' + command("other", "1")])
    never("a long query", "A[] n >= 0" + " " * 100000)
    with Session() as session:
        session.learn()
        session.connection.ask(upload(PLAIN).replace(b"chan c", b"chan\\tc"))
        expect("never: an escape in the model, then", b"varabs" not in session.ask("A[] n <= 2"))
    with Session(options=["--assume-no-trace"]) as session:
        session.learn()
        for query in ("A[] n < 2", "E<> n == 1", "A<> P.busy"):
            expect(f"without traces: {query}", b"varabs" in session.ask(query), f"{session.rows()[-2:]}")
    with Session() as session:
        session.learn()
        session.take(TIMED)
        session.ask("A[] n <= 2")
        session.take(PLAIN)
        expect("a new model, and the old one again", b"varabs" in session.ask(ASKED))
    with Session(verdicts={"A[] n <= 1": "T", "A[] n >= 0": "T"}) as session:
        session.learn()
        session.take(PLAIN.replace("n &lt; 2", "n &lt; 1"))
        expect("the verdict of the new model", b"varabs: sat" in session.ask("A[] n <= 1"), f"{session.rows()[-2:]}")


def strict():
    """A model that is too large to be searched, and might have a runtime error as far as its values show."""
    for options, is_answered in (([], True), (["--strict"], False)):
        with Session(options=["--limit=60", *options]) as session:
            session.learn()
            session.take(MAY_FAIL)
            answer = session.ask("E<> n == 3")
            clause = b"varabs: not satisfied (an abstraction, 5 states); if the model has no runtime errors"
            expect(f"strict: {options}", (clause in answer) == is_answered and
                   (b"varabs" in answer) == is_answered, f"{answer!r} {session.rows()[-2:]}")
    with Session(options=["--strict"]) as session:
        session.learn()
        expect("strict: without errors", b"varabs" in session.ask(ASKED))


# ---- while a check is kept back ----

def slow_session(**settings):
    session = Session(verdicts={"A[] n >= 0": "T", "A[] n >= -1": "T"}, **settings)
    session.learn()
    session.take(LARGE)
    return session


def held():
    others = {"cancel": command("cancel", "x"), "an upload": upload(PLAIN), "a check": check("A[] n >= -1"),
              "a byte": b" ", "half a command": b'{"cmd":"'}
    for name, data in others.items():
        with slow_session() as session:
            session.connection.send(check(ASKED))
            expect(f"held: {name}: it is decided", session.decider() is not None)
            expect(f"held: {name}: the engine has not seen it", ASKED not in session.seen())
            begin, before = time.monotonic(), session.connection.received
            session.connection.send(data)
            wanted = 2 if data.endswith(b"}") else 1
            session.connection.wait_for(lambda got: got[len(before):].count(b'{"res"') == wanted)
            expect(f"held: {name}: goes on at once", time.monotonic() - begin < 10)
            expect(f"held: {name}: in order", ASKED in session.seen() and
                   session.seen().index(ASKED) == len(session.seen()) - wanted)
            session.connection.wait_for(lambda _: False, 0.5)
            answer = session.connection.received[len(before):]
            expect(f"held: {name}: one answer", answer.count(b'"status"') == 1 + (name == "a check") and
                   b"varabs" not in answer, f"{answer!r}")
    with slow_session() as session:
        session.connection.send(check(ASKED) + b"\n")
        session.connection.wait_for(lambda got: got.endswith(form("T", "satisfied")))
        expect("held: bytes behind a check", session.seen()[-1] == ASKED)
    with slow_session() as session:
        session.connection.send(check(ASKED))
        session.decider()
    expect("held: the GUI ends", ASKED in session.seen() and session.status == 0)
    with slow_session() as session:
        session.connection.send(check(ASKED))
        pid = session.decider()
        os.kill(pid, signal.SIGKILL)
        expect("held: varabs dies", session.connection.wait_for(
            lambda got: got.endswith(form("T", "satisfied"))) and ASKED in session.seen())
    with slow_session() as session:
        session.connection.send(check(ASKED))
        decider = session.decider()
        engine = next(pid for pid in gui.children(session.connection.process.pid) if pid != decider)
        os.kill(engine, signal.SIGKILL)
    expect("held: the engine dies", session.status == 128 + signal.SIGKILL)
    with Session(half=[6, 2.0], options=["--harmless=setOptions"]) as session:
        session.learn()
        session.connection.send(command("setOptions", "order 0"))
        session.connection.wait_for(lambda got: got.endswith(b'{"half":"'))
        before = session.connection.received
        session.connection.send(check(ASKED))
        session.connection.wait_for(lambda got: got[len(before):].count(b'"status"') == 1 and got.endswith(b"}}"))
        answer = session.connection.received[len(before):]
        expect("held: the engine is in an object", answer.startswith(b'a}"}{"res"') and b"varabs" in answer,
               f"{answer!r}")
    with Session(progress=2) as session:
        session.learn()
        expect("held: pieces", session.connection.send(check(ASKED), 1) and session.connection.wait_for(
            lambda got: b"varabs" in got))


def late():
    """A verdict that comes once the check has gone on is compared, and never said; nobody waits for a dead process."""
    for name, data, notes in (("a byte", b" ", ("agrees",)), ("an upload", upload(PLAIN), ("another command came first",))):
        with Session(verdicts={ASKED: "T"}) as session:
            session.learn()
            session.take(MIDDLE)
            before = session.connection.received
            session.connection.send(check(ASKED))
            expect(f"late: {name}: it is decided", session.decider() is not None)
            session.connection.send(data)
            session.connection.wait_for(lambda _: [row["note"] for row in session.events("check")[len(LEARN):]], 60)
            session.connection.wait_for(lambda _: False, 0.3)
            rows = session.events("check")[len(LEARN):]
            expect(f"late: {name}: the table", tuple(row["note"] for row in rows) == notes, f"{rows}")
            expect(f"late: {name}: one answer", session.connection.received[len(before):].count(b'"status"') == 1 and
                   b"varabs" not in session.connection.received and not session.events("answered"))
            expect(f"late: {name}: no process but the engine", len(gui.children(session.connection.process.pid)) == 1)


def twice():
    """Checks one behind the other are none that stand alone."""
    with Session(delay=0.3) as session:
        session.learn()
        before = session.connection.received
        session.connection.send(check("A[] n < 2"))
        session.connection.send(check(ASKED))
        session.connection.wait_for(lambda got: got[len(before):].count(b'"status"') == 2)
        expect("two at once", session.connection.received[len(before):].count(b"varabs") == 0 and
               session.seen()[-2:] == ["A[] n < 2", ASKED], f"{session.rows()[-3:]}")
    with Session(silent=["quiet"], options=["--harmless=quiet"]) as session:
        session.learn()
        session.connection.send(command("quiet", "x"))
        expect("a command without an answer", b"varabs" not in session.ask(ASKED))
        session.take()
        session.ask("A[] n <= 2")
        expect("until the next upload", b"varabs" in session.ask(ASKED), f"{session.rows()[-3:]}")


def usage():
    for words in (["--mode=what"], ["--limit=0"], ["--limit=x"], ["--jobs=0"], ["--max-memory=x"], ["--strict"],
                  ["--assume-no-trace"], ["--mode=pass", "--log=log2"], ["--log=/nowhere/log"]):
        connection = Connection(words, ["cat"])
        connection.close()
        expect(f"usage: {words}", connection.finish() == 2 and "error" in connection.said, connection.said)
    connection = Connection(["--never-answer", "--mode", "pass"], ["cat"])
    connection.close()
    expect("usage: --never-answer", connection.finish() == 0)


def selftest():
    verdicts = {"A[] n <= 2": "T", "A[] n <= 3": "T", "E<> n == 3": "F", "E<> n > 2": "F", "A[] n < 2": "F",
                "E<> n == 2": "T", "A[] m": "E"}
    exchanged = {"letters": {"T": "F", "F": "T", "M": "M"}}
    for name, settings, status, text in (
            ("as known", {}, 0, "everything is as varabs knows it"), ("newlines", {"end": "\n"}, 0, "everything"),
            ("a greeting", {"greeting": "Hello {1}"}, 0, "everything"), ("pieces", {"piece": 1}, 0, "everything"),
            ("letters", exchanged, 1, "other  A[] n <= 2"), ("statistics", {"extra": {"t": "1.5"}}, 0, "everything"),
            ("no message", {"order": ["status", "trace"]}, 1, "other  answers without a trace"),
            ("death", {"on": {"3": "exit1"}}, 1, "no answer"), ("death at once", None, 1, "other  it ends at once")):
        # Python may take longer to start than the second in which an engine is seen to end; the shell, some time, does not.
        engine = ["sh", "-c", "exit 1"] if settings is None else \
            [sys.executable, "-B", "-S", gui.FAKE, json.dumps({"verdicts": verdicts, **settings})]
        for _ in range(20 if settings is None else 1):
            pathlib.Path("self").unlink(missing_ok=True)
            done = subprocess.run([gui.VARABS, "engine", "--selftest", "--record", "self", "--", *engine],
                                  capture_output=True, text=True, stdin=subprocess.DEVNULL)
            if text in done.stdout:
                break
        expect(f"selftest: {name}", done.returncode == status and text in done.stdout,
               f"{done.returncode} {done.stdout}{done.stderr}")
        expect(f"selftest: {name}: is recorded", "newXMLSystem3" in pathlib.Path("self").read_text())
    done = subprocess.run([gui.VARABS, "engine", "--selftest", "--", "./absent"], capture_output=True, text=True)
    expect("selftest: no engine", done.returncode == 127 and "cannot start" in done.stderr)


if __name__ == "__main__":
    only = sys.argv[1:]
    for part in (shadow, disagreement, not_compared, answers, forms, nevers, strict, held, late, twice, usage, selftest):
        if not only or part.__name__ in only:
            part()
    gui.end()
