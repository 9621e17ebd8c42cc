"""Sessions that were recorded, played again with varabs between their two sides: what arrives is what was recorded.

    replay.py             plays transcripts/*.jsonl
    replay.py --record    records them anew, with the fake engine and models of this repository
"""
import json
import os
import pathlib
import random
import select
import sys

import gui
from gui import Connection, check, command, expect, upload

TRANSCRIPTS = pathlib.Path(__file__).resolve().with_name("transcripts")
ORDER = ["trace", "cyclelen", "message", "status", "result", "plots", "stat"]
# The model, settings of the engine, and what the GUI says: lists are said at once. Verdicts are known beforehand.
SESSIONS = {
    "small": ("tests/models/minimal.xml", {}, {"A[] true": "T"}, ["A[] true"]),
    "voting": ("benchmarks/models/asv.xml", {"end": "\n", "progress": 2, "greeting": "Engine 1\n"},
               {"A[] Voter.obeyed imply Coercer.learned == Voter.mem_vt": "T", "A<> Coercer.informed": "F",
                "E<> Voter.obeyed && Voter.disobeyed": "F", "E<> Coercer.refused": "T"}, None),
    "texts": ("tests/models/query.xml", {"order": ORDER, "extra": {"z": '[1,{"message":"x"}]'}, "counts": True},
              {"A[] n <= 4 && not late": "T", "A<> n == 4": "F", "P(0).B --> P(0)._id2": "F",
               "A[] s.f <= 1 and \\\nsum (i : id_t) a[i] <= 6": "T", "A[] \"\\n\" == absent": "E"},
              None),
    "clocks": ("tests/golden/T3_10_untime/model.xml", {"piece": 100, "trace": '[{"a":"}{"}]'}, {"A[] true": "T"},
              ["A[] true", command("setOptions", "--diagnostic 1"), [check("A[] true"), check("E<> false"), command("cancel", "")],
               upload("<nta><wrong/></nta>"), "A[] true"]),
}


def record(name):
    model, settings, verdicts, said = SESSIONS[name]
    path = TRANSCRIPTS / f"{name}.jsonl"
    path.unlink(missing_ok=True)
    connection = Connection(["--mode=pass", "--record", str(path)], settings={**settings, "verdicts": verdicts})
    connection.ask(upload((gui.ROOT / model).read_text(encoding="utf-8")))
    for words in said or verdicts:
        parts = [check(part) if isinstance(part, str) else part
                 for part in (words if isinstance(words, list) else [words])]
        answers = connection.received.count(b'{"res"') + len(parts)
        connection.send(b"".join(parts))
        connection.wait_for(lambda got: got.count(b'{"res"') == answers and gui.balanced(got))
    connection.close()
    assert connection.finish() == 0
    path.chmod(0o644)


def messages(name):
    """The direction and the bytes of each turn."""
    turns = []
    for line in (TRANSCRIPTS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        data = entry["bytes"].encode("latin-1")
        if turns and turns[-1][0] == entry["dir"]:
            turns[-1] = (entry["dir"], turns[-1][1] + data)
        else:
            turns.append((entry["dir"], data))
    return turns


class Wires:
    """varabs with both of its sides in this process: what the engine says and hears goes through named pipes."""

    def __init__(self, options):
        for name in ("there", "back"):
            pathlib.Path(name).unlink(missing_ok=True)
            os.mkfifo(name)
        self.there, self.back = os.open("there", os.O_RDWR), os.open("back", os.O_RDWR)
        self.connection = Connection(options, ["sh", "-c", "cat <back & exec cat >there"])
        self.ends = {"g": (self.connection.input, self.there), "e": (self.back, self.connection.output)}

    def carry(self, direction, data):
        """Writes on one side, and reads as much on the other one; what was read."""
        source, target = self.ends[direction]
        got = b""
        os.write(source, data)
        while len(got) < len(data) and select.select([target], [], [], gui.PATIENCE)[0]:
            chunk = os.read(target, 1 << 16)
            if not chunk:
                break
            got += chunk
        return got

    def end(self):
        """The exit status, if nothing more arrives."""
        self.connection.seen.update(gui.children(self.connection.process.pid))
        os.close(self.back)
        self.connection.close()
        status = self.connection.finish()
        is_more = bool(select.select([self.there], [], [], 0)[0])
        os.close(self.there)
        return -1 if is_more or self.connection.received or not self.connection.leaves_nothing() else status


def rows(*events):
    lines = pathlib.Path("log").read_text(encoding="utf-8").splitlines() if os.path.exists("log") else []
    return [line.split("\t") for line in lines if line.split("\t")[1] in events]


def whole(name, mode):
    """As it was; in the mode that decides, each verdict is the engine's before the session goes on."""
    pathlib.Path("log").unlink(missing_ok=True)
    decides = mode == "--mode=shadow"
    checks = 0
    wires = Wires([mode, *(["--log=log", "--limit=20"] if decides else [])])
    for turn, (direction, data) in enumerate(messages(name)):
        got = wires.carry(direction, data)
        expect(f"{name} {mode}: turn {turn}", got == data, f"{got[:200]!r} {data[:200]!r}")
        if decides and direction == "e" and data.count(b'"status"') == 1:
            checks += 1
            wires.connection.wait_for(lambda _, n=checks: len(rows("check", "passed", "DISAGREEMENT")) >= n, 30)
    expect(f"{name} {mode}: the end", wires.end() == 0)
    agreed = [row for row in rows("check") if row[8] == "agrees"]
    wanted = sum(letter in "TF" for letter in SESSIONS[name][2].values()) if name != "clocks" else 0
    expect(f"{name} {mode}: verdicts", not decides or (len(agreed) == wanted and not rows("DISAGREEMENT")),
           f"{rows('check')}")


def cut_everywhere(name, mode):
    """Each message in two reads, once for each place."""
    turns = messages(name)
    wires = Wires([mode])
    for at in range(1, max(len(data) for _, data in turns)):
        for direction, data in turns:
            got = wires.carry(direction, data[:at]) + wires.carry(direction, data[at:])
            if got != data:
                expect(f"{name} {mode}: cut at {at}", False, f"{got!r} {data!r}")
    expect(f"{name} {mode}: cut everywhere", wires.end() == 0)


def cut_at_random(name, mode):
    rng = random.Random(name)
    wires = Wires([mode])
    for direction, data in messages(name) * 2:
        got, at = b"", 0
        while at < len(data):
            size = rng.choice((1, 2, 7, 40, 300, 5000))
            got += wires.carry(direction, data[at:at + size])
            at += size
        expect(f"{name} {mode}: cut at random", got == data, f"{got!r} {data!r}")
    expect(f"{name} {mode}: cut at random: the end", wires.end() == 0)


if __name__ == "__main__":
    if sys.argv[1:] == ["--record"]:
        TRANSCRIPTS.mkdir(exist_ok=True)
        for session in SESSIONS:
            record(session)
        sys.exit(0)
    for mode in ("--mode=pass", "--mode=shadow"):
        for path in sorted(TRANSCRIPTS.glob("*.jsonl")):
            whole(path.stem, mode)
            cut_at_random(path.stem, mode)
        cut_everywhere("small", mode)
    gui.end()
