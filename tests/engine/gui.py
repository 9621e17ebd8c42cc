"""Plays the GUI: starts varabs with a fake engine, writes and reads bytes, and counts what goes wrong."""
import json
import os
import pathlib
import select
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
VARABS = os.path.abspath(os.environ.get("VARABS", ROOT / "build/varabs"))
FAKE = str(pathlib.Path(__file__).resolve().with_name("fake_engine.py"))
PATIENCE = float(os.environ.get("PATIENCE", 60))  # seconds until something counts as hanging, on a busy machine, too
IS_SANITIZED = b"__asan_init" in pathlib.Path(VARABS).read_bytes()
ROOM = (64 << 10) if IS_SANITIZED else 0  # KiB that a sanitizer has for itself
if IS_SANITIZED:  # memory that is free is free soon
    os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=4"

passed = failed = 0


def expect(name, ok, reason=""):
    global passed, failed
    if ok:
        passed += 1
    else:
        failed += 1
        print(f"FAIL {name}{': ' if reason else ''}{reason}", flush=True)
        if os.environ.get("FIRST"):  # one is enough
            sys.exit(1)
    return ok


def end():
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


def string(text):
    """A string as Uppaal's GUI writes it: line ends stay."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def command(name, text):
    return ('{"cmd":"' + name + '","args":' + string(text) + "}").encode()


def upload(model):
    return command("newXMLSystem3", model)


def check(query):
    return command("modelCheck", query)


def is_there(pid):
    """Whether a process runs: one that is over and not waited for yet is none."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="utf-8") as file:
            return [int(child) for child in file.read().split()]
    except FileNotFoundError:
        return []


class Connection:
    """varabs between this and an engine."""

    def __init__(self, options=(), engine=None, settings=None, **how):
        argv = engine or [sys.executable, "-B", "-S", FAKE, json.dumps(settings or {})]
        how.setdefault("stderr", subprocess.PIPE)
        self.process = subprocess.Popen([VARABS, "engine", *options, "--", *argv], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, **how)
        self.input, self.output = self.process.stdin.fileno(), self.process.stdout.fileno()
        os.set_blocking(self.input, False)
        os.set_blocking(self.output, False)
        self.received = b""
        self.is_over = False
        self.seen = set()

    def step(self, data=b"", limit=1 << 16, seconds=1.0):
        """Reads what is there and writes what can be; what is left to write."""
        readable, writable, _ = select.select([] if self.is_over or not limit else [self.output],
                                              [self.input] if data else [], [], seconds)
        if readable:
            chunk = os.read(self.output, limit)
            self.received += chunk
            self.is_over = not chunk
        if writable:
            try:
                data = data[os.write(self.input, data):]
            except BrokenPipeError:
                return b""
        self.seen.update(children(self.process.pid))
        return data

    def send(self, data, piece=0):
        """Writes all, in pieces of that size if it is not 0, and reads meanwhile."""
        end_at = time.monotonic() + PATIENCE
        data = memoryview(data)
        while data and time.monotonic() < end_at:
            now, data = (data[:piece], data[piece:]) if piece else (data, b"")
            while now and time.monotonic() < end_at:
                now = self.step(now)
        return not data

    def wait_for(self, condition, seconds=PATIENCE):
        """Reads until it holds of what was received, or all is over."""
        end_at = time.monotonic() + seconds
        while not condition(self.received) and not self.is_over and time.monotonic() < end_at:
            self.step(seconds=0.05)
        return condition(self.received)

    def ask(self, data, seconds=PATIENCE):
        """Writes, and waits for a whole object with `res`; that object."""
        before = self.received
        self.send(data)

        def is_answered(received):
            new = received[len(before):]
            return b'"res"' in new and new.rstrip().endswith(b"}") and balanced(new)

        self.wait_for(is_answered, seconds)
        return self.received[len(before):]

    def close(self):
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass

    def finish(self, seconds=PATIENCE):
        """Reads the rest; the exit status, or None if it does not end."""
        self.wait_for(lambda received: False, seconds)
        try:
            status = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            status = None
            self.process.kill()
        if self.process.stderr:
            self.said = self.process.stderr.read().decode(errors="replace")
            self.process.stderr.close()
        self.process.stdout.close()
        return status

    def leaves_nothing(self):
        end_at = time.monotonic() + 5
        while any(is_there(pid) for pid in self.seen) and time.monotonic() < end_at:
            time.sleep(0.02)
        left = [pid for pid in self.seen if is_there(pid)]
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        return not left

    def largest(self):
        """The most memory it had, in KiB."""
        with open(f"/proc/{self.process.pid}/status", encoding="utf-8") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))


def balanced(data):
    """Whether objects are whole."""
    depth, inside, escaped = 0, False, False
    for c in data.decode(errors="replace"):
        if inside:
            inside = escaped or c != '"'
            escaped = c == "\\" and not escaped
        elif c == '"':
            inside = depth > 0
        else:
            depth += (c == "{") - (c == "}" and depth > 0)
    return depth == 0


folder = tempfile.TemporaryDirectory(prefix="varabs-engine-")
os.chdir(folder.name)
