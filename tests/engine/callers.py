"""`varabs verifyta` as programs in public call it: the command lines that they build, and what each looks for in what
is printed. Where varabs does not do what the caller wants, the caller has to notice.

uppaalpy is not among them: it reads and writes models, and starts no verifyta.
"""
import os
import pathlib
import re
import subprocess

import gui
from gui import expect

GOLDEN = gui.ROOT / "tests/golden"
os.symlink(gui.VARABS, "verifyta")
V = os.path.abspath("verifyta")


def put(name, text):
    pathlib.Path(name).write_text(text, encoding="utf-8")


def model_with(*queries):
    """A model without clocks, with these queries."""
    text = (GOLDEN / "G1_verdicts/model.xml").read_text(encoding="utf-8")
    rows = "".join(f"<query><formula>{query}</formula><comment/></query>" for query in queries)
    return re.sub(r"<queries>.*</queries>", lambda _: f"<queries>{rows}</queries>", text, flags=re.DOTALL)


HOLDS, FAILS = "A[] n &lt;= 2", "A[] n &lt; 2"
put("holds.xml", model_with(HOLDS))
put("fails.xml", model_with(FAILS))
put("both.xml", model_with(HOLDS, FAILS, "E&lt;&gt; n == 1"))
put("wrong.xml", model_with(HOLDS, "A[] absent == 1"))
put("timed.xml", (GOLDEN / "G2_clocks/model.xml").read_text(encoding="utf-8"))
put("deep.xml", pathlib.Path(gui.FAKE).with_name("deep.xml").read_text(encoding="utf-8"))
put("q_holds.q", "A[] n <= 2\n")
put("q_fails.q", "A[] n < 2\n")
put("three.q", "A[] n <= 2\n\nA[] n >= 0\n\nE<> n == 1\n")
put("learned.q", "strategy opt = minE (c) [<=10]: <> (n == 1)\n\nsimulate 1 [<=10] { n } under opt\n")


def run(words):
    """By a shell, as callers do."""
    done = subprocess.run(words, shell=True, capture_output=True, text=True, timeout=gui.PATIENCE)
    return done.returncode, done.stdout, done.stderr


def verdicts(text):
    """In their order, from the lines right behind those that number them."""
    return [match.group(1) == "" for match in
            re.finditer(r"^Verifying formula \d+ at \S+\n.*-- Formula is (NOT |)satisfied", text, re.MULTILINE)]


# ---- pyuppaal ----

EXCUSES = ("Writing example trace to", "Writing counter example", "[warning] Strict invariant.")


def accepted(stdout, stderr):
    """What it makes of the output: the text, or None where it raises an exception. The status is not looked at."""
    excused = any(text in stderr for text in EXCUSES) or "Showing" in stdout
    return stderr + stdout if not stderr or excused else None


def pyuppaal_verify(model, options="-t 1", kind="-f"):
    stem = os.path.splitext(model)[0]
    _, stdout, stderr = run(f"UPPAAL_COMPILE_ONLY=&&{V} {model} {kind} {stem}_xtr {options}")
    return accepted(stdout, stderr)


def pyuppaal_easy(model):
    """Whether it says that there is no trace; None where it raises an exception."""
    text = pyuppaal_verify(model)
    if text is None:
        return None
    if "Writing witness trace" not in text and "Writing counter example to" not in text:
        return True
    _, stdout, stderr = run(f"UPPAAL_COMPILE_ONLY=1 {V} {model} > {os.path.splitext(model)[0]}.if")
    return None if accepted(stdout, stderr) is None else False


def pyuppaal():
    status, stdout, stderr = run(f"{V} -v")
    words = stdout.split(" ")
    expect("pyuppaal: the version", status == 0 and not stderr and "UPPAAL" in words and
           words[words.index("UPPAAL") + 1].split(".")[0].isdigit(), stdout)
    for name, holds in (("holds", True), ("fails", False)):
        for options in ("-t 1", "-t 1 -o 0", "-t 0 -o 0", "-t 2 -o 2"):
            for kind in ("-f", "-X"):
                text = pyuppaal_verify(f"{name}.xml", options, kind)
                expect(f"pyuppaal: verify {name} {kind} {options}", text is not None and
                       ("is satisfied" in text) == holds and ("NOT" in text) != holds, text)
        _, stdout, stderr = run(f"UPPAAL_COMPILE_ONLY=&&{V} {name}.xml -t 1 -o 0")
        text = accepted(stdout, stderr)
        expect(f"pyuppaal: runs as text of {name}", text is not None and ("Transitions:" in text) != holds, text)
    expect("pyuppaal: no trace where there is none", pyuppaal_easy("holds.xml") is True)
    expect("pyuppaal: a trace is not taken for none", pyuppaal_easy("fails.xml") is None)
    expect("pyuppaal: nor is a file there", not list(pathlib.Path(".").glob("*_xtr*")))
    for name in ("timed", "wrong", "absent"):
        expect(f"pyuppaal: {name}: an exception", pyuppaal_verify(f"{name}.xml") is None)
    _, stdout, stderr = run(f"{V} -q --max-memory 20M -t 1 deep.xml")
    expect("pyuppaal: a run that is not found: an exception", verdicts(stdout) == [False] and
           accepted(stdout, stderr) is None, f"{stdout}{stderr}")
    for words in (f"{V} -t 1 -f fails fails.xml", f"{V} -t 1 -X fails fails.xml"):
        _, stdout, _ = run("UPPAAL_COMPILE_ONLY=&&" + words)  # as it was before, which reads standard output alone
        expect(f"pyuppaal, once: {words[len(V):]}", verdicts(stdout) == [False], stdout)


# ---- strategoutil ----

def strategoutil():
    for query, arguments, found in (("q_holds.q", "", True), ("q_fails.q", "", False), ("", "", True),
                                    ("q_holds.q", " --seed 5 --search-order 1", True)):
        status, stdout, _ = run(f"{V} holds.xml {query}{arguments}".replace("  ", " "))
        expect(f"strategoutil: {query}{arguments}", status == 0 and
               bool(re.search("Formula is satisfied", stdout)) == found, stdout)
    for query, arguments in (("learned.q", ""), ("q_holds.q", " --learning-method 4 --good-runs 5"),
                             ("q_holds.q", " --nodd"), ("learned.q", " --epsilon 0.1 --nodd")):
        status, stdout, stderr = run(f"{V} holds.xml {query}{arguments}")
        expect(f"strategoutil: strategies: {query}{arguments}", status == 1 and stderr and
               not re.search("Formula is satisfied", stdout), f"{stdout}{stderr}")


# ---- Gamma ----

def gamma():
    """It takes nothing on standard error for a verdict, so a verdict with a trace has to have one."""
    expect("gamma: it is there", run(f"{V} -h")[0] == 0)
    for options in ("-t0 -T", "-t1 -C -T", "-t0 -C -T -o1", "-t2 -S1 -T"):
        for name, has_trace in (("holds", False), ("fails", True)):
            _, stdout, stderr = run(f"{V} {options} both.xml q_{name}.q")
            expect(f"gamma: {options} {name}", bool(stderr) == has_trace and verdicts(stdout) == [not has_trace] and
                   (not has_trace or re.match(r"State:\n\( [^\n]* \)\n[^\n]*#depth=0\n\nTransitions:\n  \S+->\S+ \{",
                                              stderr)), f"{stdout}{stderr}")
    expect("gamma: without a verdict there is something", all(
        run(f"{V} -t0 {name}.xml")[2] for name in ("timed", "wrong", "absent")))


# ---- scripts ----

FIGURES = {"stored": r"(?<=States stored : )(\d+)(?= states)", "explored": r"(?<=States explored : )(\d+)(?= states)",
           "time": r"(?<=CPU user time used : )(\d+)(?= ms)", "memory": r"(?<=Virtual memory used : )(\d+)(?= KiB)",
           "resident": r"(?<=Resident memory used : )(\d+)(?= KiB)"}


def scripts():
    status, stdout, stderr = run(f"{V} -u both.xml")
    plain = re.sub(r"\x1b\[[0-?]*[ -/]*[@-~]", "", stdout)
    expect("a script: status, and nothing on standard error", status == 0 and not stderr and plain == stdout)
    expect("a script: verdicts by lines", verdicts(stdout) == [True, False, True], stdout)
    expect("a script: verdicts by parts", [not part.startswith("NOT") for part in stdout.split("Formula is ")[1:]] ==
           [True, False, True])
    expect("a script: no other line says it", len(re.findall("satisfied", stdout)) == 3)
    for name, pattern in FIGURES.items():
        expect(f"a script: {name}", len(re.findall(pattern, " ".join(stdout.split()))) == 3, stdout)
    end = run(f"{V} -u holds.xml q_holds.q 2>>log | tail -6")[1]
    expect("a script: the end of the output", all(re.search(FIGURES[name], end) for name in ("stored", "time")), end)
    status, stdout, _ = run(f"{V} -squ holds.xml three.q")
    places = re.findall(r"^Verifying formula (\d+) at three\.q:(\d+)$", stdout, re.MULTILINE)
    expect("a script: lines of a query file", places == [("1", "1"), ("2", "3"), ("3", "5")], stdout)
    expect("a script: as many as there are queries", status == 0 and
           sum("Formula is satisfied." in line for line in stdout.splitlines()) == 3)
    status, stdout, stderr = run(f"{V} wrong.xml")
    expect("an editor: a query with a mistake", status == 1 and verdicts(stdout) == [True] and
           re.fullmatch(r"wrong\.xml::2: \[error\] [^\n]+\.\n", stderr), f"{stdout}{stderr}")
    for words in ("-o0 -s -q -t1", "-t1 -S2", "-o 0 -t 0", "-q -s", "-s -f 1000"):
        stdout = run(f"{V} {words} fails.xml")[1]
        expect(f"a script: {words}", verdicts(stdout) == [False], stdout)
    for words in ("-O std", "--query-index 3", "--alpha 0.0005", "-E 0.1", "-D 0.01", "--print-strategies out",
                  "--good-runs 5", "-H 26", "-n 2", "-A"):
        status, stdout, stderr = run(f"{V} {words} holds.xml")
        expect(f"a script: {words}: refused", status == 1 and not stdout and "error" in stderr, f"{stdout}{stderr}")


if __name__ == "__main__":
    for part in (pyuppaal, strategoutil, gamma, scripts):
        part()
    gui.end()
