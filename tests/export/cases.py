"""Models that Spin explores, beside what `varabs check` says of them; with CASES_EVERY=N each Nth of the models,
beginning where CASES_AT=K says."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
VARABS = os.environ["VARABS"]
sys.path.insert(0, os.path.join(ROOT, "tests", "random"))
from generators.gen_cells import cells  # noqa: E402

FAMILIES = [("postal", 2, 2), ("postal", 3, 1), ("caches", 2, 1), ("caches", 2, 2),
            ("election", 2, 2), ("election", 3, 2), ("cards", 3, 2), ("transmission", 3), ("asv", 2)]
RANDOM = range(1, 10)  # seeds
EVERY = int(os.environ.get("CASES_EVERY", 1))
AT = int(os.environ.get("CASES_AT", 0)) % EVERY
REFUSED = {"priorities": ("chan c; chan priority c;", "it has priorities"),
           "computed channels": ("chan c[2]; int[0,1] i;", "a channel with an index"),
           "a meta variable that is read first": (
               "chan c; meta int m; int x; before_update { x = m, m = 1 - m }", "the meta variable 'm'")}
ONE = """<nta><declaration>%s</declaration><template><name>P</name><location id="a"/>
<location id="b"/><init ref="a"/><transition><source ref="a"/><target ref="b"/>
<label kind="synchronisation">%s!</label></transition><transition><source ref="a"/>
<target ref="b"/><label kind="synchronisation">%s?</label></transition></template>
<system>A = P(); B = P(); system A, B;</system></nta>"""

TABLE = """<nta><declaration>const int next[3] = {1, 2, 0}; int[0,2] x;</declaration><template>
<name>P</name><location id="a"/><init ref="a"/><transition><source ref="a"/><target ref="a"/>
<label kind="assignment">x = next[x]</label></transition></template><system>system P;</system>
<queries><query><formula>A[] x &lt; 2</formula><comment/></query></queries></nta>"""

WIDE = """<nta><declaration>int wide[600]; int[0,2] n;</declaration><template><name>P</name>
<location id="a"/><init ref="a"/><transition><source ref="a"/><target ref="a"/>
<label kind="guard">n &lt; 2</label><label kind="assignment">wide[n * 500] = n - 30000, n++</label>
</transition></template><system>system P;</system>
<queries><query><formula>A[] wide[1] == 0</formula><comment/></query></queries></nta>"""


def run(*words, folder=None):
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=120)


def checked(path):
    """(states, {number of a query: verdict})"""
    done = run(VARABS, "check", path, "--full", "--json", "-")
    data = json.loads(done.stdout)
    verdicts = {i + 1: query["verdict"] for i, query in enumerate(data["queries"])
                if query["formula"][:3] in ("A[]", "E<>")}
    return data["states"], verdicts


def build(folder, *options):
    with open(os.path.join(folder, "m.pml"), encoding="utf-8") as file:
        said = re.search(r"cc -O2 (.*?) -o pan", file.read())[1].replace("-DNOCLAIM", "").split()
    done = run("cc", "-O0", "-w", *said, *options, "-o", "pan", "pan.c", folder=folder)
    assert done.returncode == 0, done.stderr[:500]


def searched(folder, *options):
    """What Spin says. By itself it takes memory for a thousand times as many states."""
    text = run("./pan", *options, "-m100000", "-w20", folder=folder).stdout
    assert "max search depth too small" not in text
    return text


def explored(folder):
    """The same, by Spin."""
    done = run("spin", "-a", "m.pml", folder=folder)
    assert done.returncode == 0, done.stdout
    build(folder, "-DNOCLAIM", "-DSAFETY")
    text = searched(folder, "-E")
    states = int(re.search(r"(\d+) states, stored", text)[1])
    with open(os.path.join(folder, "m.pml"), encoding="utf-8") as file:
        claims = re.findall(r"^ltl query_(\d+) \{ \[\] (!?)", file.read(), re.M)
    verdicts = {}
    if claims:
        build(folder)
    for number, negation in claims:
        text = searched(folder, "-a", "-N", f"query_{number}")
        is_violated = re.search(r"errors: (\d+)", text)[1] != "0"
        verdicts[int(number)] = "satisfied" if is_violated == bool(negation) else "violated"
    return states, verdicts


def models(folder):
    """(name, path) of everything that is compared."""
    for name, *arguments in FAMILIES[AT::EVERY]:
        path = os.path.join(folder, f"{name}.xml")
        done = run(sys.executable, os.path.join(ROOT, "benchmarks", f"{name}.py"),
                   *map(str, arguments))
        assert done.returncode == 0, done.stderr
        with open(path, "w", encoding="utf-8") as file:
            file.write(done.stdout)
        yield f"{name} {arguments}", path
    for name, text in (("a constant array at an index that varies", TABLE), ("large states", WIDE)):
        path = os.path.join(folder, "small.xml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        yield name, path
    for seed in RANDOM[AT::EVERY]:
        path = os.path.join(folder, "random.xml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(cells(seed))
        yield f"random {seed}", path


def problem_of(path, folder, has_spin):
    """(What is wrong with the export of a model, or None; whether there is one: what is refused in
    words is not wrong)"""
    out = os.path.join(folder, "m.pml")
    done = run(VARABS, "export", path, "--to", "promela", "-o", out)
    if done.returncode == 4 and "this model cannot be exported: " in done.stderr:
        return None, False
    if done.returncode:
        return f"exit status {done.returncode}: {done.stderr}", False
    if not has_spin:
        return None, True
    expected, found = checked(path), explored(folder)
    return (None if expected == found else f"{expected} by varabs, {found} by Spin"), True


def main():
    has_spin = bool(shutil.which("spin"))
    passed = failed = refused = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, path in models(folder):
            problem, is_exported = problem_of(path, folder, has_spin)
            refused += not is_exported and not problem
            failed += bool(problem)
            passed += is_exported and not problem
            if problem:
                print(f"FAIL {name}: {problem}")
        for name, (declaration, words) in REFUSED.items():
            path = os.path.join(folder, "refused.xml")
            channel = "c[i]" if "i;" in declaration else "c"
            with open(path, "w", encoding="utf-8") as file:
                file.write(ONE % (declaration, channel, channel))
            done = run(VARABS, "export", path, "-o", os.path.join(folder, "r.pml"))
            is_fine = done.returncode == 4 and words in done.stderr
            passed += is_fine
            failed += not is_fine
            if not is_fine:
                print(f"FAIL {name}: exit status {done.returncode}: {done.stderr}")
    if passed < 12 // EVERY:
        print(f"FAIL only {passed} models were compared, {refused} refused")
        failed += 1
    if not has_spin:
        print("there is no spin: exports were made, but not run")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


main()
