"""Models that a host of our own explores with the module for LTSmin (host.c), beside what `varabs check`
says of them. Two threads load it at once; the host sees itself that the matrices are true. Where LTSmin is
installed its tools explore the larger ones, too. With CASES_EVERY=N in the environment each Nth of the models,
beginning where CASES_AT=K says."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from xml.sax.saxutils import escape

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
VARABS, MODULE, HOST = (os.environ[name] for name in ("VARABS", "MODULE", "HOST"))
sys.path.insert(0, os.path.join(ROOT, "tests", "random"))
from generators.gen_cells import cells  # noqa: E402

FAMILIES = [("postal", 2, 2), ("postal", 3, 2), ("caches", 2, 1), ("caches", 2, 2), ("puzzle", 2, 3),
            ("election", 2, 2), ("election", 3, 2), ("cards", 3, 2), ("transmission", 3), ("asv", 2)]
RANDOM = range(1, 25)  # seeds
EVERY = int(os.environ.get("CASES_EVERY", 1))
AT = int(os.environ.get("CASES_AT", 0)) % EVERY
TOOLS = {tool: options for tool, options in {
    "pins2lts-seq": [], "pins2lts-mc": [], "pins2lts-dist": [],
    "pins2lts-sym": ["--saturation=sat", "--vset=lddmc", "--lace-workers=1"]}.items() if shutil.which(tool)}
HAS_RANKS = "pins2lts-dist" in TOOLS and shutil.which("mpirun")


COUNTER = '''<template><name>Q</name><location id="q"/><init ref="q"/><transition><source ref="q"/>
<target ref="q"/><label kind="guard">n &lt; 3</label><label kind="assignment">n++</label></transition></template>'''


def model(declaration, *edges, queries=(), flag="", beside=""):
    """Two processes of a template with locations a and b; an edge goes from the first to the second
    letter of its first word and has labels, such as ("ab", "guard n < 2"). Beside them is one of a template
    Q, if that is given."""
    def tag(name, text):
        return f"<{name}>{text}</{name}>"

    def label(text):
        kind, text = text.split(" ", 1)
        return f'<label kind="{kind}">{escape(text)}</label>'
    parts = "".join(tag("transition", f'<source ref="{ends[0]}"/><target ref="{ends[1]}"/>'
                        + "".join(map(label, labels))) for ends, *labels in edges)
    asked = "".join(tag("query", tag("formula", escape(query))) for query in queries)
    return tag("nta", tag("declaration", escape(declaration)) + tag(
        "template", f'<name>P</name><location id="a">{flag}</location><location id="b"/>'
        f'<init ref="a"/>{parts}') + beside + tag(
            "system", f"A = P(); B = P(); system A, B{', Q' if beside else ''};")
        + tag("queries", asked))


# name: model, words on standard error
SMALL = {
    "nothing happens": (model("", ("ab", "guard false"), queries=["A[] true"]), ""),
    "priorities": (model("chan c; chan d; chan priority c < d;", ("ab", "synchronisation c!"),
                         ("ab", "synchronisation c?"), ("ab", "synchronisation d?"),
                         ("ba", "synchronisation d!")), "it has priorities: all steps are one group"),
    "computed channels": (model("chan c[2]; int[0,1] i;", ("ab", "synchronisation c[i]!"),
                                ("ab", "synchronisation c[i]?"), ("ba", "assignment i = 1 - i")), ""),
    "broadcast": (model("broadcast chan c; int[0,3] n;", ("ab", "synchronisation c!"),
                        ("ab", "guard n < 2", "synchronisation c?", "assignment n++"), ("ba",),
                        queries=["A[] n < 2", "E<> n == 2"]), ""),
    "steps that fail": (model("int[0,2] n;", ("ab", "assignment n++"), ("ba",),
                              queries=["A[] not deadlock", "E<> deadlock"]),
                        "a step fails and is left out"),
    "committed": (model("int[-3,3] n;", ("ab", "assignment n = -3"),
                        ("ba", "guard n < 3", "assignment n++"), queries=["E<> n == 3"],
                        flag="<committed/>"), ""),
    "committed for ever": (model("int[0,3] n;", ("aa",), queries=["A[] n == 0"], flag="<committed/>",
                                 beside=COUNTER), ""),
    "stuck where it is committed": (model("int[0,3] n;", queries=["A[] n == 0"], flag="<committed/>",
                                          beside=COUNTER), ""),
}
BROKEN = {
    "clocks": (model("clock x;", ("ab", "guard x > 1")), "clock"),
    "not XML": ("<nta", "error: "),
    "query that fails": (model("int[0,2] n;", ("ab", "assignment n = 2"),
                               queries=["A[] 1 / (2 - n) < 9"]),
                         "query 1 cannot be evaluated in some state"),
}


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, timeout=300)


def checked(path):
    """What the host should print, for labels whether all states or some have it."""
    data = json.loads(run(VARABS, "check", path, "--full", "--json", "-").stdout)
    lines = {key: data[key] for key in ("states", "transitions", "deadlocks")}
    for number, query in enumerate(data["queries"], 1):
        if query["formula"][:3] in ("A[]", "E<>"):
            lines[f"query_{number}"] = query["verdict"] == "satisfied"
    return lines, {number: query["formula"][:3] for number, query in enumerate(data["queries"], 1)}


def explored(path, threads=2):
    done = run(HOST, MODULE, path, str(threads))
    lines = dict(line.split() for line in done.stdout.splitlines() if not line.startswith("FAIL"))
    return done, {key: int(value) for key, value in lines.items()}


def problem_of(path, words=""):
    """What is wrong, or None."""
    expected, quantifiers = checked(path)
    done, found = explored(path)
    if done.returncode:
        return f"exit status {done.returncode}: {done.stdout}{done.stderr}"
    if words is not None and (words not in done.stderr or bool(words) != bool(done.stderr)):
        return f"it says {done.stderr!r}"
    for key in ("groups", "length", "actions"):
        del found[key]
    for number, quantifier in quantifiers.items():
        key = f"query_{number}"
        if key in found:
            found[key] = found[key] == found["states"] if quantifier == "A[]" else found[key] > 0
    return None if expected == found else f"{expected} by varabs, {found} by the host"


def problem_of_tools(path):
    """What is wrong with what the tools of LTSmin count, or None."""
    expected, _ = checked(path)
    for tool, options in TOOLS.items():
        done = run(tool, f"--loader={MODULE}", *options, path)
        counts = re.findall(r"(?:xplored|state space).* ([0-9]+) states", done.stdout + done.stderr)
        if not counts or int(counts[-1]) != expected["states"]:
            return f"{expected['states']} states by varabs, {counts[-1:]} by {tool}"
    return None


def problem_of_ranks(path, folder):
    """What is wrong where two processes share the states by MPI, and write them; or None."""
    expected, _ = checked(path)
    done = run("env", "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
               "OMPI_MCA_rmaps_base_oversubscribe=1", "mpirun", "-np", "2", "pins2lts-dist", "--mpi",
               "-v", f"--loader={MODULE}", path, os.path.join(folder, "states.dir"))
    said = done.stdout + done.stderr
    shares = [int(share) for share in re.findall(r"My share is ([0-9]+) states", said)]
    if done.returncode or len(shares) != 2 or sum(shares) != expected["states"]:
        return f"{expected['states']} states by varabs, {shares} by two processes: {said[-500:]}"
    return None if min(shares) > expected["states"] / 4 else f"the shares are {shares}"


def models(folder):
    """(name, path, words) of everything that is compared."""
    path = os.path.join(folder, "model.xml")

    def put(text):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path
    for name, *arguments in FAMILIES[AT::EVERY]:
        done = run(sys.executable, os.path.join(ROOT, "benchmarks", f"{name}.py"),
                   *map(str, arguments))
        assert done.returncode == 0, done.stderr
        yield f"{name} {arguments}", put(done.stdout), ""
    for name, (text, words) in list(SMALL.items())[AT::EVERY]:
        yield name, put(text), words
    for seed in RANDOM[AT::EVERY]:
        yield f"random {seed}", put(cells(seed)), None


def main():
    passed = failed = 0

    def note(name, problem):
        nonlocal passed, failed
        passed += not problem
        failed += bool(problem)
        if problem:
            print(f"FAIL {name}: {problem}")
    if len(TOOLS) < 4:
        print("not all tools of LTSmin are installed: what is not is left out")
    with tempfile.TemporaryDirectory() as folder:
        for name, path, words in models(folder):
            note(name, problem_of(path, words) or (problem_of_tools(path) if words == "" else None))
            if name == f"{FAMILIES[1][0]} {list(FAMILIES[1][1:])}" and HAS_RANKS:
                note("two processes", problem_of_ranks(path, folder))
        for name, (text, words) in BROKEN.items():
            path = os.path.join(folder, "broken.xml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            done, _ = explored(path)
            note(name, None if done.returncode == 255 and words in done.stderr
                 else f"exit status {done.returncode}: {done.stdout}{done.stderr}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


main()
