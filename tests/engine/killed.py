"""One side dies, at every object of recorded sessions and at many bytes of them: what was said before it arrives,
varabs ends as designed, and no process is left.

With EVERY in the environment, at every byte of the smallest session, and at many more of the others.
"""
import os
import pathlib
import random
import signal
import sys
import time

import gui
from gui import Connection, check, expect, upload
from replay import SESSIONS, messages

MODES = os.environ.get("MODES", "--mode=pass,--mode=shadow,--mode=answer").split(",")
EVERY = bool(os.environ.get("EVERY"))


def ends_of_objects(data):
    depth, inside, escaped = 0, False, False
    for at, c in enumerate(data):
        if inside:
            inside = escaped or c != ord('"')
            escaped = c == ord("\\") and not escaped
        elif c == ord('"'):
            inside = depth > 0
        else:
            depth += (c == ord("{")) - (c == ord("}") and depth > 0)
            if c == ord("}") and not depth:
                yield at + 1


def places(name, data):
    """Where to cut: at, before and behind the ends of all objects, and anywhere; of that a part, if it is long."""
    rng = random.Random(name)
    found = {0, len(data)}
    if EVERY and name == "small":
        return range(len(data) + 1)
    for at in ends_of_objects(data):
        found.update((at - 1, at, at + 1))
    found.update(rng.randrange(len(data)) for _ in range(300 if EVERY else 4))
    found = sorted(at for at in found if at <= len(data))
    return found if EVERY or name == "small" else sorted(rng.sample(found, 8))


def options_of(mode):
    return [mode] if mode == "--mode=pass" else [mode, "--limit=5"]


def told(mode, data):
    """A connection whose engine says what it is told, once all of it has come back."""
    connection = Connection(options_of(mode), ["cat"])
    connection.send(data)
    connection.wait_for(lambda got: len(got) >= len(data))
    return connection


def engine_of(connection):
    """What varabs starts first; until its name is another one it is not started yet."""
    name = pathlib.Path(f"/proc/{connection.process.pid}/comm").read_text(encoding="utf-8")
    end_at = time.monotonic() + gui.PATIENCE
    while time.monotonic() < end_at:
        for pid in gui.children(connection.process.pid)[:1]:
            if pathlib.Path(f"/proc/{pid}/comm").read_text(encoding="utf-8") != name:
                return pid
        connection.step(seconds=0.01)
    sys.exit(f"varabs has no engine: {connection.process.poll()}")


def ends(name, connection, statuses, wanted):
    status = connection.finish(20)
    expect(f"{name}: status", status in statuses, f"{status}")
    expect(f"{name}: what was said before", connection.received == wanted,
           f"{len(connection.received)} of {len(wanted)} bytes")
    expect(f"{name}: nothing is left", connection.leaves_nothing())


def engine_is_killed(mode, name, data, at):
    connection = told(mode, data[:at])
    engine = engine_of(connection)
    connection.step(seconds=0)
    os.kill(engine, signal.SIGKILL)
    ends(f"{mode} {name}: the engine is killed at {at}", connection, (128 + signal.SIGKILL,), data[:at])


def engine_ends(mode, name, data, at):
    """Though more is sent: it reads so many bytes, says them, and ends."""
    connection = Connection(options_of(mode), ["head", "-c", str(at)])
    connection.send(data)
    ends(f"{mode} {name}: the engine ends at {at}", connection, (0,), data[:at])


def gui_is_killed(mode, name, data, at):
    """Both of its ends close at once."""
    connection = told(mode, data[:at])
    connection.step(seconds=0)
    connection.process.stdin.close()
    connection.process.stdout.close()
    begin = time.monotonic()
    status = connection.process.wait(20)
    connection.process.stderr.close()
    expect(f"{mode} {name}: the GUI is killed at {at}", status in (0, 128 + signal.SIGTERM) and
           time.monotonic() - begin < 10, f"{status}")
    expect(f"{mode} {name}: the GUI is killed at {at}: nothing is left", connection.leaves_nothing())


def gui_says_no_more(mode, name, data, at):
    connection = told(mode, data[:at])
    connection.close()
    ends(f"{mode} {name}: the GUI ends its input at {at}", connection, (0,), data[:at])


def varabs_is_killed(mode, name, data, at):
    """Then the engine reads the end of its input."""
    connection = told(mode, data[:at])
    connection.step(seconds=0)
    connection.process.kill()
    connection.wait_for(lambda got: False, 10)
    expect(f"{mode} {name}: varabs is killed at {at}", connection.is_over and connection.received == data[:at])
    connection.finish()
    end_at = time.monotonic() + 10  # what decides ends at its limit
    while any(gui.is_there(pid) for pid in connection.seen) and time.monotonic() < end_at:
        time.sleep(0.02)
    expect(f"{mode} {name}: varabs is killed at {at}: nothing is left", connection.leaves_nothing())


def at_bytes(mode):
    for name in SESSIONS if EVERY or mode == "--mode=shadow" else ["small"]:
        data = b"".join(data for _, data in messages(name))
        for at in places(name, data):
            for way in (engine_is_killed, engine_ends, gui_is_killed, gui_says_no_more, varabs_is_killed):
                way(mode, name, data, at)


def at_objects(mode):
    """In place of an answer, in the middle of it, and behind it: the answers before arrive, and so does the half."""
    model = (gui.ROOT / "tests/models/minimal.xml").read_text(encoding="utf-8")
    said = [upload(model), *[check(query) for query in ("A[] true", "E<> false", "A[] 1 == 1", "A[] 2 == 2")]]
    verdicts = {"A[] true": "T", "E<> false": "F", "A[] 1 == 1": "T", "A[] 2 == 2": "T"}
    half = '{"res":"ok","info":{"status":"T","message":"sat'
    for count in range(1, len(said) + 1):
        for what, status in (("kill", 128 + signal.SIGKILL), ("exit3", 3), ("die" + half, 128 + signal.SIGKILL)):
            connection = Connection(options_of(mode), settings={"verdicts": verdicts, "on": {str(count): what}})
            for data in said[:count - 1]:
                connection.ask(data)
            before = connection.received
            connection.send(said[count - 1])
            ends(f"{mode}: {what[:5]} in place of answer {count}", connection, (status,),
                 before + (half.encode() if what.startswith("die") else b""))
        connection = Connection(options_of(mode), settings={"verdicts": verdicts})
        for data in said[:count]:
            connection.ask(data)
        before = connection.received
        os.kill(engine_of(connection), signal.SIGKILL)
        ends(f"{mode}: killed behind answer {count}", connection, (128 + signal.SIGKILL,), before)


if __name__ == "__main__":
    only = sys.argv[1:]
    for mode in MODES:
        for part in (at_bytes, at_objects):
            if not only or part.__name__ in only:
                part(mode)
    gui.end()
