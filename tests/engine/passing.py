"""What goes through goes through unchanged, and ends as it would without varabs: bytes, sizes, deaths,
recordings."""
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import time

import gui
from gui import Connection, expect


MODES = [mode.split() for mode in os.environ.get("MODES", "").split(",")] or [[]]


def hostile(size, seed):
    """Bytes with much of what a reader of objects may stumble over; of many, parts come again in another order."""
    rng = random.Random(seed)
    parts = [b'{', b'}', b'"', b'\\', b'\n', b'\r', b'\\n', b'\\"', b'\xc3\xa9', b'\xff\x00', b'[', b',',
             b'{"cmd":"modelCheck","args":"', b'{"cmd":"newXMLSystem3","args":"', b'{"res":"ok","info":{',
             b'{' * 300, b'\\u00e9', bytes(rng.randrange(256) for _ in range(20))]
    out = bytearray()
    while len(out) < min(size, 200000):
        out += rng.choice(parts)
    begins = [rng.randrange(200000) for _ in range(size // 100000)]
    return b"".join([bytes(out), *(bytes(out[at:]) + bytes(out[:at]) for at in begins)])[:size]


def transparent(name, mode, there, back, piece=0, engine_piece=65536, **settings):
    pathlib.Path("there").unlink(missing_ok=True)
    pathlib.Path("back").write_bytes(back)
    connection = Connection(mode, settings={"write": "back", "read": "there", "piece": engine_piece,
                                            **settings})
    connection.send(there, piece)
    connection.close()
    status = connection.finish()
    got = pathlib.Path("there").read_bytes() if os.path.exists("there") else b""
    expect(f"{name}: to the engine", got == there, f"{len(got)} of {len(there)} bytes")
    expect(f"{name}: to the GUI", connection.received == back,
           f"{len(connection.received)} of {len(back)} bytes")
    expect(f"{name}: status", status == 0, f"{status}")
    expect(f"{name}: no process is left", connection.leaves_nothing())


def bytes_go_through(mode):
    for seed in range(3):
        transparent(f"random bytes {seed}", mode, hostile(1000003, seed), hostile(1500001, seed + 10))
    transparent("small pieces", mode, hostile(3000, 5), hostile(3000, 6), 1, 7)
    small = gui.upload('<nta>"\\\\n\r\n\\" é}{</nta>') + gui.check("A[] x\n// T")
    for at in range(0, len(small), 9):
        connection = Connection(mode, ["cat"])
        connection.send(small[:at])
        connection.wait_for(lambda received: len(received) >= at)
        connection.send(small[at:])
        connection.close()
        expect(f"cut at {at}", connection.finish() == 0 and connection.received == small)


def large_and_slow(mode):
    """Both queues fill, nobody waits for ever, and memory stays small."""
    back, there = hostile(5 << 20, 1), hostile(5 << 20, 2)
    pathlib.Path("back").write_bytes(back)
    connection = Connection(mode, settings={"write": "back", "read": "there", "reads_after": 3.0})
    left, end_at = there, time.monotonic() + 1.5
    while time.monotonic() < end_at:  # nothing is read
        left = connection.step(left, limit=0, seconds=0.05)
    expect("a queue has an end", len(left) > 2 << 20, f"{len(there) - len(left)} bytes were taken")
    for _ in range(20):  # slowly
        connection.step(limit=1, seconds=0.05)
    while left and not connection.is_over:
        left = connection.step(left)
    memory = connection.largest()
    connection.close()
    status = connection.finish()
    expect("slow: all of it", connection.received == back and
           pathlib.Path("there").read_bytes() == there)
    expect("slow: status", status == 0, f"{status}")
    expect("slow: memory", memory < (16 << 10) + gui.ROOM, f"{memory} KiB")


def model_of(size):
    return "<nta><declaration>" + "// \"x\\ é\n" * (size // 10) + "</declaration></nta>"


def many(mode):
    """A thousand checks in a row, and a large model: answers arrive, memory does not grow."""
    connection = Connection(mode, settings={"verdicts": {"A[] true": "T"}})
    large = gui.upload(model_of(5 << 20))
    got = connection.ask(large)
    expect("a model of 5 MB is taken", got.startswith(b'{"res":"ok"'), got[:60].decode())
    for _ in range(20):
        connection.ask(gui.check("A[] true"))
    before = connection.largest()
    answers = len(connection.received)
    for _ in range(1000):
        connection.send(gui.check("A[] true"))
    one = len(b'{"res":"ok","info":{"status":"T","stat":false,"message":"satisfied","result":"",'
              b'"plots":[],"cyclelen":0,"trace":null}}')
    expect("a thousand answers", connection.wait_for(lambda got: len(got) == answers + 1000 * one))
    after = connection.largest()
    expect("memory does not grow", after - before < 1024 + gui.ROOM // 4, f"{before} KiB, then {after} KiB")
    connection.close()
    expect("and all ends", connection.finish() == 0)
    expect("no process is left", connection.leaves_nothing())


def engine_dies(mode):
    for what, status in (("exit0", 0), ("exit3", 3), ("kill", 128 + signal.SIGKILL)):
        for at in ("0", "1", "2"):
            connection = Connection(mode, settings={"on": {at: what}})
            connection.send(gui.upload("<nta>"))
            if at == "2":
                connection.wait_for(lambda received: received)
            connection.send(gui.check("A[] true"))
            got = connection.finish()
            expect(f"engine: {what} at {at}", got == status, f"{got}")
            expect(f"engine: {what} at {at}: nothing is left", connection.leaves_nothing())
    pathlib.Path("back").write_bytes(hostile(1 << 20, 3))
    connection = Connection(mode, ["sh", "-c", "cat back; exit 5"])
    time.sleep(0.2)
    expect("last words", connection.finish() == 5 and
           connection.received == pathlib.Path("back").read_bytes())
    connection = Connection(mode, settings={"on": {"1": "close"}})
    connection.send(gui.upload("<nta>"))
    connection.wait_for(lambda received: False)
    expect("engine closes its output", connection.is_over and connection.process.poll() is None)
    connection.close()
    expect("and ends later", connection.finish() is not None)
    connection = Connection(mode, ["sh", "-c", "exec <&-; sleep 0.5; echo x; exit 4"])
    connection.send(hostile(1 << 19, 4))
    expect("engine closes its input", connection.finish() == 4 and connection.received == b"x\n")
    connection = Connection(mode, ["sh", "-c", "sleep 20 2>/dev/null & echo $! >sleeper; exit 6"])
    begin = time.monotonic()
    expect("somebody keeps the pipe", connection.finish() == 6 and time.monotonic() - begin < 15)
    os.kill(int(pathlib.Path("sleeper").read_text()), signal.SIGKILL)


def gui_dies(mode):
    connection = Connection(mode, settings={"linger": 1.0, "on": {"1": "say{1}"}})
    connection.send(gui.check("x"))
    connection.close()
    expect("GUI: the end of its input", connection.finish() == 0 and b"{1}" in connection.received)
    begin = time.monotonic()
    connection = Connection(mode, settings={"ignores": ["end"]})
    connection.send(gui.upload("<nta>"))
    connection.wait_for(lambda received: received)
    connection.close()
    stubborn = Connection(mode, settings={"ignores": ["end", "SIGTERM"]})
    stubborn.send(gui.upload("<nta>"))
    stubborn.wait_for(lambda received: received)
    stubborn.close()
    expect("GUI: an engine that does not end", connection.finish() == 128 + signal.SIGTERM)
    expect("GUI: nor by SIGTERM", stubborn.finish() == 128 + signal.SIGKILL)
    expect("GUI: in time", 4 < time.monotonic() - begin < 25)
    expect("GUI: nothing is left", connection.leaves_nothing() and stubborn.leaves_nothing())
    pathlib.Path("back").write_bytes(hostile(3 << 20, 3))
    connection = Connection(mode, settings={"write": "back", "ignores": ["end"]})
    connection.wait_for(lambda received: len(received) > 1000)
    os.close(os.dup(connection.output))
    connection.process.stdout.close()
    expect("GUI: reads no more", connection.process.wait(20) in (128 + signal.SIGTERM, 9))
    expect("GUI: and is gone", connection.leaves_nothing())
    for number in (signal.SIGTERM, signal.SIGHUP):
        connection = Connection(mode, settings={"linger": 0.2})
        connection.ask(gui.upload("<nta>"))
        connection.process.send_signal(number)
        expect(f"signal {number}: the engine ends by itself", connection.finish() == 0)
        expect(f"signal {number}: nothing is left", connection.leaves_nothing())


def start(mode):
    words = ["a b", "$HOME", "'", '"', "\\", "--", ""]
    connection = Connection(mode, [sys.executable, "-B", "-S", gui.FAKE, '{"facts":"facts"}', *words],
                            env={**os.environ, "ODD": "x\ny"}, pass_fds=())
    connection.close()
    expect("starts", connection.finish() == 0)
    facts = json.loads(pathlib.Path("facts").read_text())
    expect("arguments", facts["argv"][2:] == words, f"{facts['argv']}")
    expect("environment and folder", facts["environment"].get("ODD") == "x\ny" and facts["cwd"] == os.getcwd())
    expect("no descriptors but three, and that of the list", len(facts["fds"]) <= 4 and
           facts["fds"][:3] == [0, 1, 2], f"{facts['fds']}")
    connection = Connection(mode, ["./absent"])
    expect("a command that is not there", connection.finish() == 127 and "cannot start" in connection.said)
    for words, status in ((["engine"], 2), (["engine", "--"], 2), (["engine", "--redact", "--", "cat"], 2),
                          (["engine", "--what", "--", "cat"], 2), (["engine", "cat"], 2),
                          (["engine", "--record"], 2), (["engine", "--help"], 0),
                          (["help", "engine"], 0)):
        done = subprocess.run([gui.VARABS, *words], capture_output=True, stdin=subprocess.DEVNULL)
        expect(" ".join(words), done.returncode == status, f"{done.returncode} {done.stderr!r}")
    pathlib.Path("back").write_bytes(hostile(100000, 3))
    with open("back", "rb") as there, open("out", "wb") as out:
        done = subprocess.run([gui.VARABS, "engine", *mode, "--", "cat"], stdin=there, stdout=out)
    expect("with files", done.returncode == 0 and
           pathlib.Path("out").read_bytes() == pathlib.Path("back").read_bytes())


def recorded(name):
    """The bytes of each direction."""
    found = {"g": b"", "e": b"", "err": b""}
    for line in pathlib.Path(name).read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        found[entry["dir"]] += entry["bytes"].encode("latin-1")
    return found


def recording(mode):
    there, back = hostile(20000, 7), hostile(30000, 8)
    pathlib.Path("back").write_bytes(back)
    pathlib.Path("session").unlink(missing_ok=True)
    engine = ["sh", "-c", "echo no \\'licence\\' é >&2; cat back; cat >there"]
    connection = Connection([*mode, "--record", "session"], engine)
    connection.send(there)
    connection.close()
    expect("recording", connection.finish() == 0)
    found = recorded("session")
    expect("all bytes are recorded", found["g"] == there and found["e"] == back)
    said = "no 'licence' é\n"
    expect("standard error, too", found["err"] == said.encode() and connection.said == said)
    expect("for the owner alone", os.stat("session").st_mode & 0o777 == 0o600)
    connection = Connection([*mode, "--record", "session"], ["cat"])
    expect("not over a file", connection.finish() == 2 and "cannot make the file" in connection.said)
    expect("which stays", recorded("session") == found)
    secret = "<nta><name>Secret</name>\nclock c7 = 12; é \\\"q\\\"</nta>"
    connection = Connection([*mode, "--record", "red", "--redact"],
                            ["sh", "-c", "echo 'Licence of Ann 77'; echo key Ann5 >&2; cat"])
    sent = gui.upload(secret) + b'{"res":"ok","info":{"status":"T","n":42,"list":["Ann",{"k":"Bob"}]}}'
    connection.send(sent, 5)
    connection.close()
    expect("redacting", connection.finish() == 0)
    found = recorded("red")
    text = "".join(part.decode("latin-1") for part in found.values())
    expect("hides texts", not any(word in text for word in ("Secret", "clock", "Ann", "Bob", "12", "77", "Licence")),
           text)
    for kept in ('{"cmd":"newXMLSystem3","args":"<xxx><xxxx>', '"status":"T"', '"n":42', '"list":["xxx",{"k":"xxx"}]'):
        expect(f"keeps {kept}", kept in found["g"].decode("latin-1"), found["g"].decode("latin-1"))
    expect("keeps sizes", len(found["g"]) == len(sent))
    expect("passes all on", connection.received == b"Licence of Ann 77\n" + sent)


if __name__ == "__main__":
    only = sys.argv[1:]
    for mode in MODES:
        for part in (bytes_go_through, large_and_slow, many, engine_dies, gui_dies, start, recording):
            if not only or part.__name__ in only:
                part(mode)
    gui.end()
