"""Another reader of what goes between GUI and engine, written from its description and with Python's own JSON: where
objects begin and end, their members, and what strings say. Both have to agree about random and mutated streams,
wherever these are cut. The program passes such streams on, both ways at once.

    streams.py [SEED...]      seeds of streams; environment: BUILD with replay_engine, VARABS the program
"""
import json
import os
import pathlib
import random
import re
import subprocess
import sys

import gui
from gui import expect
from passing import MODES, transparent
from replay import SESSIONS, messages

REPLAY = pathlib.Path(os.environ.get("BUILD", gui.ROOT / "build/release"))
REPLAY = (REPLAY if REPLAY.is_absolute() else gui.ROOT / REPLAY) / "replay_engine"
OBJECT_MOST, DEPTH_MOST = 1 << 16, 64  # of what is looked at
STRING = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)


# ---- the other reader ----

def objects(stream):
    """Where each object begins and ends: braces outside of strings balance, and there are strings in objects only."""
    mark = re.compile(rb'[{}"]')
    at, depth, begin = 0, 0, 0
    while found := mark.search(stream, at):
        at = found.end()
        if found.group() == b"{":
            begin = begin if depth else found.start()
            depth += 1
        elif found.group() == b"}" and depth:
            depth -= 1
            if not depth:
                yield begin, at
        elif found.group() == b'"' and depth:
            string = STRING.match(stream, found.start())
            if not string:
                return
            at = string.end()


def decoded(value):
    """What a string says, or None: bytes stay as they are, and only escapes that JSON has are replaced."""
    def replace(match):
        text = match.group(1)
        if len(text) == 1:
            return dict(zip(b'"\\/bfnrt', b'"\\/\b\f\n\r\t'))[text[0]].to_bytes(1, "little")
        return json.loads(f'"\\{text.decode()}"').encode("utf-8")  # UnicodeEncodeError for half a character

    pair = rb'u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}'
    escape = rb'\\(' + pair + rb'|u[0-9a-fA-F]{4}|["\\/bfnrt]|.)'
    try:
        return re.sub(escape, replace, value[1:-1], flags=re.DOTALL)
    except (KeyError, UnicodeEncodeError):
        return None


def no_constant(_):
    raise ValueError


DECODER = json.JSONDecoder(strict=False, parse_constant=no_constant)


def members(data):
    """Names and values as they are written, or None for what is no JSON; line ends may stand in strings."""
    text, found, at = data.decode("latin-1"), [], 1
    blank = re.compile(r"[ \t\n\r]*")
    skip = lambda at: blank.match(text, at).end()
    try:
        at = skip(at)
        while text[at] != "}":
            if found:
                if text[at] != ",":
                    return None
                at = skip(at + 1)
            name = STRING.match(data, at)
            if not name:
                return None
            json.decoder.scanstring(text, at + 1, False)
            at = skip(name.end())
            if text[at] != ":":
                return None
            at = skip(at + 1)
            _, end = DECODER.raw_decode(text, at)
            found.append((name.group()[1:-1], data[at:end]))
            at = skip(end)
    except (ValueError, IndexError, RecursionError):
        return None
    return found if at == len(data) - 1 else None


def depth_of(value):
    depth = most = 0
    for c in STRING.sub(b"", value):
        depth += (c in b"{[") - (c in b"}]")
        most = max(most, depth)
    return most


# ---- streams ----

def some_text(rng):
    parts = ["A[] n <= 2", "\n", "\r\n", '\\"', "\\\\", "\\n", "{", "}", "é", "\\u00e9", "\\ud83d\\ude00", "\\ud800", "\\x",
             "\0", "<nta>", " ", "\\/", "\t", "//"]
    return '"' + "".join(rng.choice(parts) for _ in range(rng.randrange(6))) + '"'


def some_value(rng, depth):
    kind = rng.randrange(8 if depth else 4)
    if kind < 2:
        return some_text(rng)
    if kind < 4:
        return rng.choice(["0", "-1.5e+3", "null", "true", "false", "12"])
    blank = rng.choice(["", "", " ", "\n"])
    if kind < 6:
        return "[" + f",{blank}".join(some_value(rng, depth - 1) for _ in range(rng.randrange(4))) + "]"
    return some_object(rng, depth - 1)


def some_object(rng, depth):
    names = ['"cmd"', '"args"', '"res"', '"info"', '"trace"', '"status"', '"a\\"}b"', some_text(rng)]
    blank = rng.choice(["", "", "", " ", "\n\t"])
    return "{" + blank + ",".join(f"{rng.choice(names)}{blank}:{blank}{some_value(rng, depth)}{blank}"
                                  for _ in range(rng.randrange(4))) + "}"


def some_stream(rng, size):
    """Objects, what was recorded, what is nested deep or large, and noise between."""
    recorded = [data for name in SESSIONS for _, data in messages(name)]
    out = bytearray()
    while len(out) < size:
        what = rng.randrange(12)
        if what < 8:
            out += some_object(rng, rng.randrange(5)).encode("utf-8")
        elif what < 9:
            out += rng.choice(recorded)
        elif what < 10:
            count = rng.choice((60, 63, 64, 65, 66, 300))
            out += b'{"a":' + b"[" * count + b"]" * count + b"}"
        elif what < 11:
            out += b'{"a":"' + b"x" * rng.choice((10, OBJECT_MOST - 8, OBJECT_MOST - 7, 70000)) * (not rng.randrange(20)) + b'"}'
        else:
            out += rng.choice((b"\n", b" ", b"}", b'"', b"\\", b"Engine 1\n", bytes(rng.randrange(256) for _ in range(9))))
    return bytes(out)


def mutated(rng, stream, share):
    """Bytes are lost, doubled, exchanged, or become marks, one in so many."""
    out = bytearray(stream)
    for _ in range(len(out) // share):
        at = rng.randrange(len(out))
        what = rng.randrange(4)
        if what == 0:
            del out[at]
        elif what == 1:
            out.insert(at, out[at])
        elif what == 2:
            out[at] = rng.choice(b'{}"\\:,[] \n\0\xff')
        else:
            out[at] = rng.randrange(256)
    return bytes(out)


# ---- the two readers ----

def found_by_varabs(pieces):
    done = subprocess.run([REPLAY, "stream"], capture_output=True, text=True, env={**os.environ, "PIECES": str(pieces)})
    return done.stdout.splitlines() if done.returncode == 0 else [f"status {done.returncode}: {done.stderr[-2000:]}"]


def fields(line):
    end, size, *rest = line.split(" ")
    *rest, word = rest
    triples = [(bytes.fromhex(rest[i][1:]), bytes.fromhex(rest[i + 1]),
                None if rest[i + 2] == "-" else bytes.fromhex(rest[i + 2][1:])) for i in range(0, len(rest), 3)]
    return int(end), int(size), triples, word


def agree(name, stream):
    """Whether both find the same; how many objects could be read."""
    pathlib.Path("stream").write_bytes(stream)
    lines = found_by_varabs(1 << 30)
    for pieces in (1, 7, 4096):
        expect(f"{name}: in pieces of {pieces}", found_by_varabs(pieces) == lines)
    wanted = list(objects(stream))
    if not expect(f"{name}: as many objects", len(lines) == len(wanted), f"{len(lines)} {len(wanted)} {lines[:1]}"):
        return 0
    count, wrong = 0, []
    for line, (begin, end) in zip(lines, wanted):
        got_end, got_size, got, word = fields(line)
        data = stream[begin:end]
        is_kept = len(data) <= OBJECT_MOST
        read = members(data) if is_kept else None
        is_right = (got_end, got_size) == (end, end - begin if is_kept else 0)
        is_right &= all(text == (decoded(value) if STRING.fullmatch(value) else None) for _, value, text in got)
        if read is not None:
            is_deep = any(depth_of(value) > DEPTH_MOST for _, value in read)
            count += not is_deep
            is_right &= word == ("broken" if is_deep else "whole")
            is_right &= is_deep or read == [(name, value) for name, value, _ in got]
        if not is_right:
            wrong.append(f"{data[:200]!r}: {line[:200]}")
    expect(f"{name}: the same objects", not wrong, "; ".join(wrong[:2]))
    return count


def main():
    seeds = [int(seed) for seed in sys.argv[1:]] or [1]
    for seed in seeds:
        rng = random.Random(seed)
        stream = some_stream(rng, 150000)
        count = agree(f"stream {seed}", stream)
        expect(f"stream {seed}: most objects can be read", count > 100, f"{count}")
        for share in (3000, 300, 40):
            agree(f"stream {seed}, one byte in {share}", mutated(rng, stream, share))
        both = [b"".join(data for name in SESSIONS for side, data in messages(name) if side == direction)
                for direction in "ge"]
        for mode in MODES if MODES != [[]] else (["--mode=shadow"], ["--mode=answer"]):
            there, back = (mutated(rng, data * 4, rng.choice((50, 500, 5000))) for data in both)
            transparent(f"mutated sessions {seed} {mode}", mode, there, back, rng.choice((0, 100, 5000)), 777)


if __name__ == "__main__":
    main()
    gui.end()
