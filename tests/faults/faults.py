"""Runs the cases of a file with calls of the C library that fail; see run.sh.

    faults.py CASES RUNS     RUNS at most for each case and kind of failure, and as many where all later
                             calls fail, too; 0: each call. FAIL names the library to preload.
                             CASES_EVERY=N only each Nth case, beginning where CASES_AT=K says.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
VARABS = os.environ["VARABS"]
GROUPS = ("memory", "pages", "open", "write", "thread")
BESIDES = ("pages", "open")  # without these, what is said besides the result may be less
COMMANDS = re.findall(r"^    X\(\w+, '.', (\w+), ", (ROOT / "src/command/command.h").read_text(), re.MULTILINE)
SECONDS = 300  # until a run counts as one that hangs, on a busy machine, too

# What differs from run to run, and which engine had memory enough to end.
VOLATILE = re.compile(r'"(?:[a-z_]*(?:second|byte|memory)[a-z_]*|engine)": ?(?:\[[^]]*|[^,}\n]*)|'
                      r"\b[0-9]+\.[0-9]{2,3}(?:,[0-9]+(?![0-9.]))?\b|^(?:time|memory) .*|[0-9.]+ (?:s|ms|seconds|KiB)\b", re.MULTILINE)
# How a result or a message says that it is not all that could be known.
EXCUSE = re.compile(r'error: |\[error\]|no trace was found|out of memory|limit on memory|'
                    '"limit": ?"memory"|memory was used up|a limit ended')


def same(text: str) -> str:
    return VOLATILE.sub("", text)


class Case:
    """A command line in folders of its own, with what it does where nothing fails."""

    def __init__(self, line: str, models: dict[str, pathlib.Path]) -> None:
        self.name = line
        folder, *self.arguments = shlex.split(line)
        self.models = models.get(folder, ROOT / "tests" / "golden" / folder)
        self.counts: dict[str, int] = {}

    def run(self, **settings: str) -> tuple[int, str, str, dict[str, str]]:
        """The status, what it says on both outputs, and the files that it writes."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for path in self.models.iterdir():
                (folder / path.name).symlink_to(path)
            before = {path.name for path in folder.iterdir()}
            process = subprocess.run([VARABS, *self.arguments], cwd=folder, capture_output=True,
                                     text=True, errors="replace", timeout=SECONDS,
                                     env={**os.environ, **settings})
            made = {path.name: path.read_text(errors="replace") for path in folder.iterdir()
                    if path.name not in before}
        return process.returncode, process.stdout, process.stderr, made

    def learn(self) -> None:
        self.status, self.text, said, self.made = self.run()
        assert self.status in (0, 1), f"{self.name}: status {self.status}: {said}"
        with tempfile.NamedTemporaryFile() as count:
            for group in GROUPS:
                self.run(LD_PRELOAD=os.environ["FAIL"], FAIL_GROUP=group, FAIL_COUNT=count.name)
                self.counts[group] = int(pathlib.Path(count.name).read_text())

    def failures(self, runs: int) -> list[tuple[str, int, bool]]:
        result = []
        for group, count in self.counts.items():
            step = count // runs + 1 if runs else 1
            first = 1 + sum(map(ord, self.name)) % min(step, count) if count else 1
            result += [(group, at, goes_on) for at in range(first, count + 1, step)
                       for goes_on in (False, True)]
        return result

    def is_whole(self, name: str, text: str, may_differ: bool) -> bool:
        """A result that says that memory, as a limit, ended the run is another one."""
        if same(text) == same(self.made.get(name, "")):
            return True
        if name.endswith(".json"):
            json.loads(text)
        elif name.endswith((".xml", ".svg")):
            xml.etree.ElementTree.fromstring(text)
        return (may_differ or bool(EXCUSE.search(text))) and \
            text.endswith("\n" if name.endswith(".csv") else (">", "}\n", ">\n"))

    def wrong(self, group: str, at: int, goes_on: bool) -> str:
        """What is wrong with a run where that call fails; or nothing."""
        try:
            status, text, said, made = self.run(LD_PRELOAD=os.environ["FAIL"], FAIL_GROUP=group,
                                                FAIL_AT=str(at), **({"FAIL_ON": "1"} if goes_on else {}))
            if status < 0 or status > 5:
                return f"status {status}: {said[-200:]}"
            left = [name for name in made if not name.startswith("out.") and name not in self.made]
            broken = [name for name in made
                      if not left and not self.is_whole(name, made[name], group in BESIDES)]
        except (subprocess.TimeoutExpired, json.JSONDecodeError,
                xml.etree.ElementTree.ParseError) as error:
            return str(error)
        if left:
            return f"{left[0]} is left"
        if broken:
            return f"{broken[0]} is not whole"
        is_excused = EXCUSE.search(said) or EXCUSE.search(text) or \
            ("--quiet" in self.arguments and status == 5)  # a limit, which the result would say
        if status != self.status and not is_excused:
            return f"status {status} without a message"
        if group in BESIDES or is_excused or status != self.status:
            return ""
        if made.keys() != self.made.keys():
            return "a file is missing"
        if same(text) != same(self.text):
            return "it says something else"
        return ""


def prepared(folder: pathlib.Path) -> pathlib.Path:
    """Models and results of the voting example, for other commands."""
    def varabs(arguments: str) -> None:
        subprocess.run([VARABS, *shlex.split(arguments)], cwd=folder, capture_output=True)

    shutil.copy(ROOT / "benchmarks" / "models" / "asv.xml", folder)
    (folder / "asked.q").write_text("E<> Voter.obeyed\n\nsup: Voter.mem_vt\n\nA<> Coercer.informed\n")
    varabs("asv.xml --remove mem_vt --may -o lean.xml")
    varabs("asv.xml --remove sh_vt --may -o coarse.xml")
    varabs("asv.xml --remove mem_vt@voted --may -o scoped.xml")
    varabs("check asv.xml --full --json full.json")
    return folder


def options_without_case(cases: list[Case]) -> list[str]:
    """Every option of every command is in some case."""
    missing = []
    for command in COMMANDS:
        text = subprocess.run([VARABS, "help", command], capture_output=True, text=True).stdout
        own = [case.name for case in cases
               if (case.arguments[0] if case.arguments[0] in COMMANDS else "abstract") == command]
        for option in re.findall(r"^    (-[-a-z]+)", text, re.MULTILINE):
            if option not in ("--help", "--version", "--manual") and \
                    not any(re.search(f" {option}( |=|$)", name) for name in own):
                missing.append(f"{command} {option}")
    return missing


def main() -> int:
    lines = pathlib.Path(sys.argv[1]).read_text().splitlines()
    runs, passed, failed = int(sys.argv[2]), 0, 0
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(2) as pool:
        models = {"asv": prepared(pathlib.Path(name))}
        cases = [Case(line, models) for line in lines if line and not line.startswith("#")]
        for option in options_without_case(cases):
            print(f"FAIL no case has {option}")
            failed += 1
        every = int(os.environ.get("CASES_EVERY", 1))
        cases = cases[int(os.environ.get("CASES_AT", 0)) % every::every]
        list(pool.map(Case.learn, cases))
        todo = [(case, failure) for case in cases for failure in case.failures(runs)]
        for (case, failure), reason in zip(todo, pool.map(lambda item: item[0].wrong(*item[1]), todo)):
            passed, failed = passed + (not reason), failed + bool(reason)
            if reason:
                group, at, goes_on = failure
                print(f"FAIL {case.name}: {group} call {at} of {case.counts[group]}"
                      f"{' and all later ones' if goes_on else ''}: {reason}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
