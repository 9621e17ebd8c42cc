"""Running programs and measuring them: what all benchmarks share."""

import os
import platform
import shutil
import signal
import subprocess
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
VARABS = os.path.abspath(os.environ.get("VARABS", os.path.join(HERE, "..", "build", "varabs")))
TIME = next((path for path in ("/usr/bin/time", "/bin/time") if os.path.exists(path)), None)


class Run:
    """A finished process: output, errors, seconds, processor seconds, peak bytes, exit status; None as
    status if it took too long. A process starts as large as its parent, so a small program measures
    the peak if there is one."""

    running, lock = set(), threading.Lock()   # process groups that stop_all() would end
    is_stopping = False                       # what ends now was ended

    def __init__(self, command, folder=None, limit=600, address_space=None):
        with tempfile.TemporaryDirectory(prefix="varabs-run-", dir=folder) as own, \
                open(os.path.join(own, "out"), "w+b") as out, \
                open(os.path.join(own, "err"), "w+b") as err:
            log = os.path.join(own, "peak")
            if address_space:
                command = ["sh", "-c", f'ulimit -v {address_space >> 10}; exec "$@"', "sh", *command]
            if TIME:
                command = [TIME, "-q", "-f", "%M", "-o", log, *command]
            started = time.perf_counter()
            with subprocess.Popen(command, stdout=out, stderr=err, cwd=folder,
                                  stdin=subprocess.DEVNULL, start_new_session=True) as process:
                with Run.lock:
                    Run.running.add(process.pid)
                ended = []

                def end():
                    ended.append(True)
                    os.killpg(process.pid, signal.SIGKILL)

                timer = threading.Timer(limit, end)
                timer.start()
                _, status, used = os.wait4(process.pid, 0)
                self.wall = time.perf_counter() - started
                timer.cancel()
                with Run.lock:
                    Run.running.discard(process.pid)
                process.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            err.seek(0)
            self.text = out.read().decode("utf-8", "replace")
            self.errors = err.read().decode("utf-8", "replace").strip()
            self.status = None if ended else process.returncode
            self.processor = used.ru_utime + used.ru_stime
            self.peak = used.ru_maxrss * 1024
            if TIME and os.path.exists(log) and os.path.getsize(log):
                with open(log, encoding="utf-8") as file:
                    self.peak = int(file.read().split()[-1]) * 1024

    @classmethod
    def stop_all(cls):
        with cls.lock:
            cls.is_stopping = True
            for group in cls.running:
                os.killpg(group, signal.SIGKILL)


def write(path, text):
    with open(path, "w", encoding="utf-8", newline="\n") as out:
        out.write(text)


def system_memory(key):
    """MemTotal or MemAvailable, in bytes; 0 where the system does not say."""
    try:
        with open("/proc/meminfo", encoding="utf-8") as file:
            line = next((line for line in file if line.startswith(key + ":")), "x 0")
    except OSError:
        return 0
    return int(line.split()[1]) * 1024


def machine():
    model, compiler = platform.processor() or platform.machine(), ""
    if shutil.which("cc"):
        compiler = subprocess.run(["cc", "--version"], capture_output=True, text=True,
                                  check=False).stdout.split("\n")[0]
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            model = next((line.split(":")[1].strip() for line in file
                          if line.startswith("model name")), "") or model
    return (f"{len(os.sched_getaffinity(0))} cores of {model},"
            f" {round(system_memory('MemTotal') / 2**30)} GiB, {compiler}")
