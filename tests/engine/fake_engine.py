#!/usr/bin/env python3
"""In the place of Uppaal's engine, of which only this is known: objects with `cmd` and `args` come in, and
answers go out as far as public clients have them (src/manual/gui.md). What is not known has variants.

    fake_engine.py SETTINGS       a JSON object: see Settings

Uploads are taken if the text in them has "<nta>" and is not said to be wrong. Verdicts are those of the
settings: T, F, M, or E for a query with a mistake.
"""
import hashlib
import json
import os
import re
import signal
import sys
import threading
import time


class Settings:
    """How this engine differs from others."""

    verdicts = {}         # by query; others get M
    seen = ""             # a file for the arguments of all commands
    half = []             # the n-th object: half an object follows its answer, and some seconds later the rest
    letters = {"T": "T", "F": "F", "M": "M"}
    order = ["status", "stat", "message", "result", "plots", "cyclelen", "trace"]
    extra = {}            # more members of an answer's info
    counts = False        # the message has a number of its own each time
    ticks = False         # so has a member of the info
    end = ""              # behind each object
    greeting = ""         # before everything
    progress = 0          # objects without `res` during a check
    trace = "null"        # of verdicts that have one
    delay = 0.0           # of each check
    silent = []           # names of commands without an answer
    on = {}               # what happens at the n-th object: kill, close, exitN, sayTEXT, dieTEXT
    write = ""            # a file that is written at once, in pieces
    read = ""             # a file for all that is read, and looked at no further
    piece = 65536
    reads_after = 0.0     # seconds before the first read
    ignores = []          # signals, and "end" of the input
    linger = 0.0          # seconds behind the end of the input
    skips = 0             # so many bytes are an upload that is taken without a look; their digest goes to a file
    facts = ""            # a file for arguments, environment and so on

    def __init__(self, text):
        self.__dict__.update(json.loads(text))


MARK = re.compile(rb'[{}"\\]')


def objects(stream):
    """The objects of a stream of bytes, as the real one finds them: braces outside of strings balance."""
    depth, inside, escaped, found = 0, False, False, bytearray()
    while True:
        chunk = os.read(stream, 65536)
        if not chunk:
            return
        begin, at = 0, int(escaped)
        while mark := MARK.search(chunk, at):
            at, c = mark.end(), mark.group()
            if inside:
                inside = c != b'"'
                at += c == b"\\"
            elif c == b"{":
                begin = begin if depth else mark.start()
                depth += 1
            elif c == b"}" and depth:
                depth -= 1
                if not depth:
                    found += chunk[begin:at]
                    yield bytes(found)
                    found.clear()
            else:
                inside = depth > 0 and c == b'"'
        escaped = at > len(chunk)
        if depth:
            found += chunk[begin:]


def plain(text):
    """A text as a string with raw line ends."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


class Engine:
    def __init__(self, settings):
        self.settings = settings
        self.checks = 0

    def say(self, text):
        data = (text + self.settings.end).encode()
        while data:
            data = data[os.write(1, data[:self.settings.piece]):]

    def say_half(self, seconds):
        os.write(1, b'{"half":"')
        threading.Timer(seconds, lambda: os.write(1, b'a}"}')).start()

    def happen(self, what):
        if what == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if what == "close":
            os.close(1)
        if what.startswith("exit"):
            os._exit(int(what[4:]))
        if what.startswith("say"):
            self.say(what[3:])
        if what.startswith("die"):
            os.write(1, what[3:].encode())
            os.kill(os.getpid(), signal.SIGKILL)

    def answer(self, letter, query):
        has_trace = (letter == "T") == (query.lstrip()[:1] == "E")
        message = "satisfied" if letter == "T" else "not satisfied"
        if self.settings.counts:
            message += f" after {self.checks}"
        members = {"status": plain(self.settings.letters[letter]), "stat": "false",
                   "message": plain(message), "result": '""', "plots": "[]", "cyclelen": "0",
                   "trace": self.settings.trace if has_trace else "null"}
        members.update(self.settings.extra)
        members["ticks"] = str(self.checks)
        order = [*self.settings.order, *self.settings.extra, *(["ticks"] if self.settings.ticks else [])]
        return '{"res":"ok","info":{' + ",".join(f'"{name}":{members[name]}' for name in order) + "}}"

    def check(self, query):
        self.checks += 1
        for i in range(self.settings.progress):
            self.say(f'{{"progress":{{"load":{i}}}}}')
        time.sleep(self.settings.delay)
        letter = self.settings.verdicts.get(str(query), "M")
        if letter == "E":
            self.say('{"res":"ok","info":{"status":"E","error":{"path":"","begln":1,"begcol":1,"endln":1,'
                     '"endcol":2,"msg":"syntax error","ctx":""},"stat":false,"message":"","result":"",'
                     '"plots":[],"cyclelen":0,"trace":null}}')
        else:
            self.say(self.answer(letter, query))

    def upload(self, model):
        if "<nta>" in model and "<wrong/>" not in model:
            self.say('{"res":"ok","info":{"warnings":[],"procs":[{"name":"P","templ":"P","args":[]}],'
                     '"vars":[],"clocks":["#t(0)"]}}')
        else:
            self.say('{"res":"error","info":{"errors":[{"path":"/nta","begln":1,"begcol":1,"endln":1,'
                     '"endcol":2,"msg":"wrong","ctx":""}],"warnings":[]}}')

    def take(self, data):
        command = json.loads(data.decode(), strict=False)
        name, value = command.get("cmd"), command.get("args")
        if self.settings.seen:
            with open(self.settings.seen, "a", encoding="utf-8") as file:
                file.write(json.dumps([name, value]) + "\n")
        if name in self.settings.silent:
            return
        if name == "newXMLSystem3":
            self.upload(value)
        elif name == "modelCheck":
            self.check(str(value))
        else:
            self.say('{"res":"ok","info":"done"}')


def skip(engine, size):
    digest = hashlib.sha256()
    while size:
        chunk = os.read(0, min(size, 1 << 20))
        if not chunk:
            return
        digest.update(chunk)
        size -= len(chunk)
    with open("digest", "w", encoding="utf-8") as file:
        file.write(digest.hexdigest())
    engine.upload("<nta>")


def write_all(settings):
    with open(settings.write, "rb") as file:
        data = file.read()
    try:
        while data:
            data = data[os.write(1, data[:settings.piece]):]
    except BrokenPipeError:
        os._exit(9)


def tell_facts(settings):
    facts = {"argv": sys.argv, "cwd": os.getcwd(), "environment": dict(os.environ), "pid": os.getpid(),
             "fds": sorted(int(fd) for fd in os.listdir("/proc/self/fd")
                           if os.path.exists(f"/proc/self/fd/{fd}")),
             "ignored": next(line.split()[1] for line in open("/proc/self/status")
                             if line.startswith("SigIgn"))}
    with open(settings.facts + ".new", "w", encoding="utf-8") as file:
        json.dump(facts, file)
    os.rename(settings.facts + ".new", settings.facts)


def main():
    settings = Settings(sys.argv[1] if len(sys.argv) > 1 else "{}")
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    for name in settings.ignores:
        if name != "end":
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    if settings.facts:
        tell_facts(settings)
    engine = Engine(settings)
    if settings.greeting:
        engine.say(settings.greeting)
    writer = threading.Thread(target=write_all, args=(settings,)) if settings.write else None
    if writer:
        writer.start()
    time.sleep(settings.reads_after)
    keep = open(settings.read, "wb") if settings.read else None
    while keep and (data := os.read(0, 65536)):
        keep.write(data)
        keep.flush()
    count = 0
    if settings.on.get("0"):
        engine.happen(settings.on["0"])
    if settings.skips:
        skip(engine, settings.skips)
    for data in [] if keep else objects(0):
        count += 1
        engine.happen(settings.on.get(str(count), ""))
        engine.take(data)
        if settings.half and settings.half[0] == count:
            engine.say_half(settings.half[1])
    if writer:
        writer.join()
    time.sleep(settings.linger)
    while "end" in settings.ignores:
        time.sleep(1)


main()
