"""Tests of benchmarks/evaluate.py: small families run as users run them, killed, resumed, given wrong
figures and broken files; its scheduler, number formats and plots on their own."""

import copy
import csv
import glob
import json
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import types
import unittest
import xml.etree.ElementTree as ElementTree

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
BENCHMARKS = os.path.join(ROOT, "benchmarks")
sys.path[:0] = [BENCHMARKS, os.path.join(ROOT, "tests", "page")]

from browser import Browser  # noqa: E402
from evaluation import family as families  # noqa: E402
from evaluation import plot, results, runner  # noqa: E402
import growth  # noqa: E402

try:
    import jsonschema
except ImportError:
    jsonschema = None

VARABS = os.environ["VARABS"]
EVERY = int(os.environ.get("CASES_EVERY", 1))  # of what takes long, each Nth,
SAMPLED = slice(int(os.environ.get("CASES_AT", 0)) % EVERY, None, EVERY)  # beginning where CASES_AT=K says
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))),
                None)
TINY = {
    "name": "tiny", "title": "Tiny & small", "about": "One voter < two.",
    "generator": [sys.executable, os.path.join(BENCHMARKS, "postal.py"), "{V}", "{C}"],
    "parameters": [{"name": "V", "title": "voters", "values": [1, 2]},
                   {"name": "C", "values": [1]}],
    "abstractions": [{"name": "concrete", "arguments": []},
                     {"name": "may", "arguments": ["--remove", "mem_sg,mem_vt", "--may"]},
                     {"name": "coarse", "arguments": ["--remove", "mem_dec", "--may"]}],
    "queries": [{"name": "stuffing", "position": 1, "expected": "satisfied"},
                {"name": "sent", "formula": "E<> Authority.pack_sent[{V}] == 1"},
                {"name": "chosen", "formula": "A[] Voter({V}).waits imply Voter({V}).mem_dec > 0"}],
    "expected": "counts.csv",
    "tables": [{"title": "Table", "abstractions": ["concrete", "may"], "query": "sent",
                "published": "published.csv"}],
    "cells": {"first": {"V": [1]}, "all": {}},
}
COUNTS = "V,C,concrete,may\n1,1,23,19\n2,1,241,141\n"
PUBLISHED = ("# a comment\nV,C,concrete.states,concrete.tv,may.states,may.ta,may.tv\n"
             "1,1,2.30e+1,0,19,0.03,0\n2,1,memout,,1.41e+2,0.5,0.25\n")
FAKE_VERIFYTA = """#!/bin/sh
case $1 in --version) echo "Uppaal fake"; exit ;; esac
for file; do query=$file; done
echo " -- States explored : 7 states"
grep -q 'A\\[\\]' "$query" || VERDICT=satisfied.
echo " -- Formula is $VERDICT"
"""


def validate(data, name):
    if jsonschema:
        jsonschema.validate(data, families.load_json(os.path.join(ROOT, "schemas",
                                                                  f"{name}.schema.json")))


class Case(unittest.TestCase):
    """A folder of its own, and evaluate.py."""

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.out = os.path.join(self.folder, "out", "tiny")

    def file(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text if isinstance(text, str) else json.dumps(text))
        return path

    def tiny(self, counts=COUNTS, published=PUBLISHED, **changes):
        self.file("counts.csv", counts)
        self.file("published.csv", published)
        return self.file("tiny.json", {**TINY, **changes})

    def command(self, *words):
        return [sys.executable, os.path.join(BENCHMARKS, "evaluate.py"), "--out",
                os.path.join(self.folder, "out"), *words]

    def run_it(self, *words, status=0, says="", **environment):
        environment = {**os.environ, "PATH": "/usr/bin:/bin", **environment}
        run = subprocess.run(self.command(*words), capture_output=True, text=True, timeout=120,
                             env=environment, check=False)
        everything = run.stdout + run.stderr
        self.assertEqual(run.returncode, status, everything)
        self.assertNotIn("Traceback", everything)
        self.assertNotIn("\r", everything, "progress is for terminals")
        for text in [says] if isinstance(says, str) else says:
            self.assertIn(text, everything)
        return everything

    def result(self, name="tiny"):
        result = families.load_json(os.path.join(self.folder, "out", name, "results.json"))
        validate(result, "evaluation")
        return result

    def cells(self):
        return {(*cell["parameters"].values(), cell["abstraction"]): cell
                for cell in self.result()["cells"]}

    def logging_varabs(self):
        """A varabs that writes down its calls; and a function that counts and forgets them."""
        log = os.path.join(self.folder, "calls")
        path = self.file("varabs", f'#!/bin/sh\necho "$1" >>"{log}"\nexec "{VARABS}" "$@"\n')
        os.chmod(path, 0o755)

        def calls():
            if not os.path.exists(log):
                return []
            with open(log, encoding="utf-8") as file:
                words = file.read().split()
            os.remove(log)
            return [word for word in words if word not in ("--version", "draw")]
        return path, calls


class WholeRuns(Case):
    def test_everything_comes_out(self):
        self.run_it(self.tiny(), "--cells", "all", says="no verifyta")
        cells = self.cells()
        self.assertEqual({key: cell["states"] for key, cell in cells.items()},
                         {(1, 1, "concrete"): 23, (1, 1, "may"): 19, (1, 1, "coarse"): 23,
                          (2, 1, "concrete"): 241, (2, 1, "may"): 141, (2, 1, "coarse"): 241})
        self.assertEqual(cells[1, 1, "concrete"]["transitions"], 23)
        self.assertTrue(cells[2, 1, "may"]["exact"])
        verdicts = [query["verdict"] for query in cells[2, 1, "may"]["queries"]]
        self.assertEqual(verdicts, ["satisfied"] * 3)
        verdicts = [query["verdict"] for query in cells[2, 1, "coarse"]["queries"]]
        self.assertEqual(verdicts[2], "unknown", "it names what was removed")
        for cell in cells.values():
            self.assertLess(cell["ta"] or 0, 10)
            self.assertGreater(cell["peak_bytes"], 100000)
        with open(os.path.join(self.out, "results.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["states"] for row in rows], ["23", "19", "241", "141"])
        self.assertEqual([row["published_states"] for row in rows],
                         ["2.30e+1", "19", "memout", "1.41e+2"])
        with open(os.path.join(self.out, "results.md"), encoding="utf-8") as file:
            text = file.read()
        self.assertIn("**241** (memout)", text)
        self.assertIn("3 published counts come out as printed; 1 are filled", text)

    def test_pictures(self):
        self.run_it(self.tiny(), "--cells", "all")
        files = glob.glob(os.path.join(self.out, "*.svg"))
        self.assertEqual(sorted(map(os.path.basename, files)),
                         ["table1_states.svg", "table1_ta.svg", "table1_tv.svg"])
        for path in files:
            ElementTree.parse(path)
        page = os.path.join(self.out, "index.html")
        with open(page, encoding="utf-8") as file:
            text = file.read()
        self.assertNotIn("<script", text)
        self.assertFalse(re.findall(r"src=[\"']?(?!data:)\w", text), "needs other files")
        links = re.findall(r'href="([^"]*)"', text)
        self.assertEqual([link for link in links if not link.startswith("#")],
                         ["results.csv", "results.json", "results.md", "table1_states.svg",
                          "table1_tv.svg", "table1_ta.svg"])
        for link in links:
            if link.startswith("#"):
                self.assertIn(f"id={link[1:]}>", text)
            else:
                self.assertTrue(os.path.exists(os.path.join(self.out, link)), link)
        self.assertTrue("<title>may, C: 1, voters 2: 141</title>" in text, "a mark says its value")
        self.assertIn("Tiny &amp; small", text)
        self.assertIn("One voter &lt; two.", text)
        self.assertEqual(text.count("<svg"), 3)
        self.assertEqual(text.count("data:image/svg+xml"), 3, "templates before and after")
        if not CHROMIUM:
            self.skipTest("no Chromium to open the page")
        shot = os.path.join(self.folder, "page.png")
        subprocess.run([CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
                        "--disable-background-networking", "--disable-component-update",
                        "--disable-sync", "--disable-quic", "--user-data-dir=" + self.folder + "/c",
                        "--window-size=1100,1600", "--screenshot=" + shot, "file://" + page],
                       capture_output=True, timeout=60, check=True)
        self.assertGreater(os.path.getsize(shot), 40000, "an empty page is smaller")
        browser = Browser()
        try:
            for width in 400, 1000:
                browser.look(width, 900)
                browser.open(page)
                wide = browser.value("document.documentElement.scrollWidth")
                self.assertLessEqual(wide, width, "the page scrolls sideways")
                scale = browser.value("(() => { const svg = document.querySelector('.plot svg');"
                                      "return svg.getBoundingClientRect().width / svg.viewBox.baseVal.width; })()")
                self.assertGreaterEqual(scale, 1, "letters of plots are too small")
            self.assertEqual(browser.complaints, [])
        finally:
            browser.close()

    def test_bundled_families(self):
        paths = glob.glob(os.path.join(BENCHMARKS, "families", "*.json"))
        self.assertTrue(paths)
        for path in sorted(paths)[SAMPLED]:
            family = families.Family(path)
            self.assertTrue(family.selection())
            point = family.selection()[0]
            formulas = runner.formulas_of(family, point, family.generate(family.data["generator"], point))
            self.assertTrue(formulas, path)
            validate(families.load_json(path), "family")
            self.run_it(path, *[f"--where={name}={values[0]}"
                                for name, values in family.parameters.items()])
            result = self.result(family.name)
            self.assertFalse(result["problems"])
            self.assertIn("done", [cell["status"] for cell in result["cells"]])

    def test_refinements(self):
        """A model refines itself; what is known is compared, and what is not known is not."""
        rows = [{"name": "itself", "abstract": TINY["generator"], "arguments": [],
                 "expected": {"refines": True, "product_is_concrete": True}},
                {"name": "not", "abstract": TINY["generator"], "arguments": ["--model", "failures"],
                 "expected": {"refines": False}},
                {"name": "of-two", "models": {"V": [2]}, "abstract": TINY["generator"],
                 "arguments": [], "expected": {"refines": False}},
                {"name": "refused", "abstract": TINY["generator"], "arguments": ["--weak", "nobody"],
                 "expected": {"refines": True}}]
        self.run_it(self.tiny(refinements=rows), status=1, says=[
            "WRONG: 1,1 not: refines is true, expected false", "WRONG: 1,1 refused: ", "'nobody'"])
        result = self.result()
        found = {row["refinement"]: row for row in result["refinements"]}
        self.assertEqual(list(found), ["itself", "not", "refused"])
        self.assertEqual(found["itself"]["product"], 23)
        self.assertEqual(found["itself"]["problems"], [])
        self.assertEqual(len(result["problems"]), 2)

    def test_other_figures(self):
        """Transitions and deadlocks may be known, too."""
        counts = "V,C,concrete,concrete.transitions,may.deadlocks\n1,1,23,1,77\n"
        self.run_it(self.tiny(counts=counts), status=1, says=[
            "WRONG: 1,1 concrete: ", " transitions, expected 1", " deadlocks, expected 77"])

    def test_postal_counts_are_those_of_the_formulas(self):
        import postal
        family = families.Family(os.path.join(BENCHMARKS, "families", "postal.json"))
        for point, row in family.expected.items():
            for name in ("concrete", "a1-may", "a2-may", "a3-may", "a1-must", "a2-must", "a3-must"):
                self.assertEqual(int(row[name]), postal.states(*point, name.split("-")[0]))
        for table in family.tables:
            for point, figures in table["figures"].items():
                for name in table["abstractions"]:
                    self.assertIsNot(results.printed_equals(
                        figures[f"{name}.states"], int(family.expected[point][name])), False,
                        (point, name))

    def test_merged_queries(self):
        """The queries of the model are asked of an abstraction that merges as varabs rewrites them."""
        self.run_it(os.path.join(BENCHMARKS, "families", "transmission.json"), "--where", "D=4")
        cells = {cell["abstraction"]: cell for cell in self.result("transmission")["cells"]}
        for name, verdicts in (("concrete", "++++"), ("merged-may", "+++?")):
            letters = {"satisfied": "+", "violated": "-", "unknown": "?"}
            self.assertEqual("".join(letters[query["verdict"]] for query in
                                     cells[name]["queries"][:len(verdicts)]), verdicts)
        self.assertNotEqual(*[cells[name]["queries"][0]["formula"] for name in
                              ("concrete", "merged-may")])

    def test_specification(self):
        spec = self.file("spec.json", {"mode": "may", "remove": ["mem_sg"]})
        varabs, calls = self.logging_varabs()
        path = self.tiny(tables=[{"title": "T", "abstractions": ["concrete", "less"]}], abstractions=[
            {"name": "concrete", "arguments": []},
            {"name": "less", "arguments": [], "spec": ["sed", "s/sg/vt/", "spec.json"]}],
            counts="V,C,less\n1,1,21\n")
        self.run_it(path, VARABS=varabs)
        self.assertTrue(self.cells()[1, 1, "less"]["exact"])
        calls()
        with open(spec, "a", encoding="utf-8") as file:
            file.write("\n")
        self.run_it(path, VARABS=varabs)
        self.assertEqual(len(calls()), runner.ROUNDS, "another specification")

    def test_readme(self):
        readme = self.file("README.md", "a\n<!-- tiny:begin -->\nold\n<!-- tiny:end -->\nb\n")
        self.run_it(self.tiny(), "--readme", readme)
        with open(readme, encoding="utf-8") as file:
            text = file.read()
        self.assertTrue(text.startswith("a\n<!-- tiny:begin -->\n"))
        self.assertTrue(text.endswith("\n<!-- tiny:end -->\nb\n"))
        self.assertNotIn("old", text)
        self.assertIn("| 1,1 |", text)
        self.file("README.md", "nothing\n")
        self.run_it(self.tiny(), "--readme", readme, status=1, says="has no lines <!-- tiny:begin")


    def test_progress_on_a_terminal(self):
        varabs = self.file("slow", f'#!/bin/sh\nsleep 0.05\nexec "{VARABS}" "$@"\n')
        os.chmod(varabs, 0o755)
        ours, theirs = pty.openpty()
        run = subprocess.run(self.command(self.tiny(), "--cores=1"), stdout=subprocess.DEVNULL,
                             stderr=theirs, timeout=60, check=False,
                             env={**os.environ, "VARABS": varabs})
        os.close(theirs)
        text = os.read(ours, 100000).decode()
        os.close(ours)
        self.assertEqual(run.returncode, 0)
        self.assertRegex(text, r"tiny: abstractions: 1 of 3 in 0:0\d, 0:0\d left")
        # the line goes in the end, and what was done stands alone
        self.assertRegex(text, r"\r\033\[Ktiny: abstractions: 3 in 0:\d\d\r\n\r")
        self.assertRegex(text, r"left\033\[K\r\033\[Ktiny: states: 3 in 0:\d\d\r\n\Z")


class Resumed(Case):
    def test_nothing_is_done_twice(self):
        varabs, calls = self.logging_varabs()
        self.run_it(self.tiny(), VARABS=varabs)
        self.assertEqual(len([word for word in calls() if word != "check"]), 2 * runner.ROUNDS)
        before = self.result()
        self.run_it(self.tiny(), VARABS=varabs)
        self.assertEqual(calls(), [])
        self.assertEqual(self.result()["cells"], before["cells"])
        os.remove(os.path.join(self.out, before["cells"][1]["model"]))
        self.run_it(self.tiny(), VARABS=varabs)
        self.assertEqual(len(calls()), runner.ROUNDS, "the model is made again, but not explored")
        with open(varabs, "a", encoding="utf-8") as file:
            file.write("# another version\n")
        self.run_it(self.tiny(), VARABS=varabs)
        self.assertGreater(len(calls()), 2 * runner.ROUNDS, "another program, other figures")

    def test_workflow(self):
        """Jobs of Snakemake, some of which were ended, come to the results of a run."""
        snakemake = shutil.which("snakemake")
        if not snakemake:
            self.skipTest("there is no snakemake")
        path, flow = self.tiny(), os.path.join(self.folder, "flow")
        self.run_it(path, "--cells", "all")
        expected, store = self.cells(), os.path.join(self.out, "store")
        shutil.rmtree(self.out)
        self.run_it(path, "--cells", "all", "--memory", "1G", "--snakemake", flow)
        words = [snakemake, "--snakefile", flow, "--cores", "2", "--rerun-incomplete", "--nolock"]
        with subprocess.Popen(words, cwd=self.folder, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, start_new_session=True) as process:
            while len(glob.glob(store + "/*.json")) < 3 and process.poll() is None:
                time.sleep(0.01)
            os.killpg(process.pid, signal.SIGKILL)
        done = {(file, os.stat(file).st_mtime_ns) for file in glob.glob(store + "/*.json")}
        self.assertGreater(len(done), 2)
        run = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, timeout=300,
                             check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertLessEqual(done, {(file, os.stat(file).st_mtime_ns)
                                    for file in glob.glob(store + "/*.json")})
        figures = ("states", "transitions", "deadlocks", "status", "exact", "edges_after")
        for key, cell in self.cells().items():
            for figure in figures:
                self.assertEqual(cell.get(figure), expected[key].get(figure), (key, figure))
            self.assertEqual([query["verdict"] for query in cell["queries"]],
                             [query["verdict"] for query in expected[key]["queries"]])
        self.assertEqual(len(self.cells()), len(expected))

    def test_killed_at_several_moments(self):
        """What is stored is complete; what was done is not done again."""
        varabs, calls = self.logging_varabs()
        path = self.tiny()
        store = os.path.join(self.out, "store")
        environment = {**os.environ, "VARABS": varabs}
        done = set()
        for wanted, number in ((1, signal.SIGKILL), (4, signal.SIGTERM), (7, signal.SIGKILL)):
            with subprocess.Popen(self.command(path, "--cells=all", "--cores=1"), env=environment,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
                for _ in range(20000):
                    if len(glob.glob(store + "/*.json")) >= wanted or process.poll() is not None:
                        break
                    time.sleep(0.001)
                process.send_signal(number)
            for file in glob.glob(store + "/*.json"):
                families.load_json(file)
            now = {(file, os.stat(file).st_mtime_ns) for file in glob.glob(store + "/*.json")}
            self.assertLessEqual(done, now, "what was stored stays")
            done = now
        calls()
        self.run_it(path, "--cells", "all", "--cores=1", VARABS=varabs)
        self.assertLessEqual(done, {(file, os.stat(file).st_mtime_ns)
                                    for file in glob.glob(store + "/*.json")})
        self.assertEqual(self.cells()[2, 1, "may"]["states"], 141)
        self.assertLess(len(calls()), 4 * runner.ROUNDS + 12)

    def test_limits(self):
        path = self.tiny(parameters=[{"name": "V", "values": [4]}, {"name": "C", "values": [2]}],
                         cells={}, counts="V,C,concrete\n", published="V,C\n")
        self.run_it(path, "--memory", "100K", says="memory")
        self.assertEqual(self.cells()[4, 2, "concrete"]["status"], "memory")
        self.assertIsNone(self.cells()[4, 2, "concrete"]["states"])
        varabs, calls = self.logging_varabs()
        self.run_it(path, "--memory", "100K", VARABS=varabs)
        self.assertIn("check", calls())
        self.run_it(path, "--memory", "90K", VARABS=varabs)
        self.assertEqual(calls(), [], "not even less memory is tried")
        self.run_it(path, "--memory", "64M")
        self.assertEqual(self.cells()[4, 2, "concrete"]["states"], 106353)

    def test_time_limit(self):
        path = self.tiny(parameters=[{"name": "V", "values": [12]}, {"name": "C", "values": [3]}],
                         abstractions=[{"name": "concrete", "arguments": []}], tables=[
                             {"title": "T", "abstractions": ["concrete"]}],
                         cells={}, counts="V,C,concrete\n")
        varabs, calls = self.logging_varabs()
        self.run_it(path, "--timeout", "0.02", says="time limit: 1 concrete", VARABS=varabs)
        self.assertEqual(self.result()["cells"][0]["queries"][0]["verdict"], "unknown")
        calls()
        self.run_it(path, "--timeout", "0.01", says="time limit: 1 concrete", VARABS=varabs)
        self.assertEqual(calls(), [])

    def test_known_sizes(self):
        self.run_it(self.tiny(), "--cells", "all", "--largest", "100")
        self.assertEqual([cell["status"] for cell in self.result()["cells"]],
                         ["done", "done", "done", "not run", "not run", "done"])
        query = self.cells()[2, 1, "may"]["queries"][1]
        self.assertEqual(query["verdict"], "satisfied", "it is decided early")
        self.assertGreater(query["tv"], 0)


class WrongFigures(Case):
    def test_count(self):
        self.run_it(self.tiny(COUNTS.replace("19", "20")), status=1,
                    says="WRONG: 1,1 may: 19 states, expected 20")
        with open(os.path.join(self.out, "index.html"), encoding="utf-8") as file:
            self.assertIn("19 states, expected 20", file.read())

    def test_published_count(self):
        self.run_it(self.tiny(published=PUBLISHED.replace("2.30", "2.31")), status=1,
                    says="23 states, published 2.31e+1")

    def test_verdict(self):
        queries = copy.deepcopy(TINY["queries"])
        queries[0]["expected"] = "violated"
        self.run_it(self.tiny(queries=queries), status=1, says=[
            "1,1 concrete: 'stuffing' is satisfied, on the model itself violated",
            "1,1 may: 'stuffing'"])

    def test_failures(self):
        liar = self.file("liar", f"""#!/bin/sh
case $* in *check*) kill -SEGV $$ ;; *) exec "{VARABS}" "$@" ;; esac\n""")
        os.chmod(liar, 0o755)
        self.run_it(self.tiny(), status=1, says="WRONG: 1,1 concrete", VARABS=liar)

    def test_not_available(self):
        abstractions = TINY["abstractions"] + [{"name": "new", "arguments": ["--remove", "mem_sg",
                                                                             "--frobnicate"]}]
        self.run_it(self.tiny(abstractions=abstractions), says="not available: 1 new (varabs")


class Verifyta(Case):
    def setUp(self):
        super().setUp()
        self.verifyta = self.file("verifyta", FAKE_VERIFYTA)
        os.chmod(self.verifyta, 0o755)

    def test_agrees(self):
        text = self.run_it(self.tiny(), VERIFYTA=self.verifyta, VERDICT="satisfied.")
        self.assertNotIn("no verifyta", text)
        self.assertEqual(self.result()["tool"]["verifyta"], "Uppaal fake")
        query = self.cells()[1, 1, "may"]["queries"][0]["verifyta"]
        self.assertEqual((query["verdict"], query["explored"]), ("satisfied", 7))
        with open(os.path.join(self.out, "results.md"), encoding="utf-8") as file:
            self.assertRegex(file.read(), r"1,1 \| concrete .*verifyta: [\d.]+, [\d.]+, [\d.]+ s \|")

    def test_differs(self):
        self.run_it(self.tiny(), VERIFYTA=self.verifyta, VERDICT="NOT satisfied.", status=1,
                    says="'stuffing' is satisfied, for verifyta violated")

    def test_not_there(self):
        self.run_it(self.tiny(), VERIFYTA="/nowhere/verifyta", status=1,
                    says="/nowhere/verifyta: no such program")


class BadInput(Case):
    def refuses(self, says, **changes):
        path = self.tiny(**changes)
        self.run_it(path, status=1, says=["evaluate.py: error: ", says])

    def test_files(self):
        self.run_it("none.json", status=1, says="none.json: cannot read it")
        self.run_it(self.file("bad.json", "{"), status=1, says="bad.json: no JSON")
        self.run_it(self.tiny(), status=1, says="no such program; run `make`", VARABS="/nowhere")

    def test_schema(self):
        """What the schema forbids is refused as jsonschema refuses it."""
        schema = families.load_json(os.path.join(ROOT, "schemas", "family.schema.json"))
        cases = [("the file: 'generator' is missing", {"generator": None}),
                 ("/generator: should be of type array", {"generator": "postal.py"}),
                 ("/generator: should not be empty", {"generator": []}),
                 ("/parameters/0: 'values' is missing", {"parameters": [{"name": "V"}]}),
                 ("/parameters/0/values: has a value twice",
                  {"parameters": [{"name": "V", "values": [1, 1]}]}),
                 ("/parameters/0/values/0: should be of type integer or string",
                  {"parameters": [{"name": "V", "values": [True]}]}),
                 ("the file: 'colour' is unknown; known are name, title", {"colour": "red"}),
                 ("/abstractions/0/name: 'a b' should consist of letters",
                  {"abstractions": [{"name": "a b", "arguments": []}]}),
                 ("/queries/0/expected: should be one of satisfied, violated",
                  {"queries": [{"name": "q", "formula": "A[] true", "expected": "yes"}]}),
                 ("/queries/0/position: should be at least 1",
                  {"queries": [{"name": "q", "position": 0}]}),
                 ("/cells/small/V: should be of type array", {"cells": {"small": {"V": 1}}})]
        for says, changes in cases:
            data = {key: value for key, value in {**TINY, **changes}.items() if value is not None}
            self.assertIn(says, families.complaint(data, schema, schema) or "nothing")
            if jsonschema:
                with self.assertRaises(jsonschema.ValidationError):
                    jsonschema.validate(data, schema)
        self.assertIsNone(families.complaint(TINY, schema, schema))
        self.refuses("tiny.json: the file: 'colour' is unknown", colour="red")

    def test_meaning(self):
        for says, changes in [
                ("/queries: has a name twice", {"queries": [TINY["queries"][0]] * 2}),
                ("give either a formula or a position", {"queries": [{"name": "q"}]}),
                ("/tables/0: there is no abstraction 'none'",
                 {"tables": [{"title": "t", "abstractions": ["none"]}]}),
                ("/tables/0: there is no query 'none'",
                 {"tables": [{"title": "t", "abstractions": ["may"], "query": "none"}]}),
                ("/cells/small: there is no parameter 'W'", {"cells": {"small": {"W": [1]}}}),
                ("/example: 9 is no value of V", {"example": {"V": 9}}),
                ("counts.csv: the column 'C' is missing", {"counts": "V,may\n1,2\n"}),
                ("counts.csv: the column 'must' is neither", {"counts": "V,C,must\n1,1,2\n"}),
                ("'many' is no number of states", {"counts": "V,C,may\n1,1,many\n"}),
                ("none.csv: cannot read it", {"expected": "none.csv"})]:
            with self.subTest(says):
                with self.assertRaisesRegex(families.Bad, re.escape(says)):
                    family = families.Family(self.tiny(**changes))
                    family.expected_states((1, 1), "may")

    def test_generator(self):
        self.refuses("No such file", generator=["/nowhere/generator"])
        self.refuses("ended with status 7: sorry", generator=["sh", "-c", "echo sorry >&2; exit 7"])
        self.refuses("wrote nothing", generator=["true"])
        self.refuses("writes no XML for 1,1", generator=["echo", "hello"])
        self.refuses("query 'q': the model for 1,1 has 4 queries, not 9",
                     tables=[{"title": "t", "abstractions": ["may"]}],
                     queries=[{"name": "q", "position": 9}])

    def test_selection(self):
        family = families.Family(self.tiny())
        self.assertEqual(family.selection(), [(1, 1)])
        self.assertEqual(family.selection("all"), [(1, 1), (2, 1)])
        self.assertEqual(family.selection(None, ["V=2-9"]), [(2, 1)])
        for words, says in ((("none", []), "there are no cells 'none'; known are first, all"),
                            ((None, ["W=1"]), "there is no parameter 'W'; known are V, C"),
                            ((None, ["V=5-7"]), "V=5-7: no such value of V; known are 1, 2")):
            with self.assertRaisesRegex(families.Bad, re.escape(says)):
                family.selection(*words)


class Parts(unittest.TestCase):
    def test_scheduler_keeps_to_its_budget(self):
        with tempfile.TemporaryDirectory() as folder:
            limits = runner.Limits(1, 1 << 30, 3, 1e9)
            lock, now, most, order = threading.Lock(), [0, 0], [0, 0], []

            def task(number, states, needs=0):
                def run(memory, threads):
                    with lock:
                        now[0] += memory
                        now[1] += threads
                        most[:] = [max(pair) for pair in zip(most, now)]
                    time.sleep(0.01)
                    with lock:
                        now[0] -= memory
                        now[1] -= threads
                        order.append(number)
                    return {"status": "memory" if memory < needs else "done", "memory": memory}
                return runner.Task(f"key-{number}", run, limits, states)

            tasks = [task(k, 1000 * k) for k in range(9)] + [task(9, None, 1 << 29),
                                                            task(10, 30000000)]
            store = runner.Store(folder)
            records = runner.run_all(tasks, limits, store, runner.Progress("test"))
            self.assertEqual(len(records), 11)
            self.assertEqual(store.get("key-9"), {"status": "done", "memory": 1 << 30},
                             "tried again with all the memory")
            self.assertLessEqual(most[0], 1 << 30)
            self.assertEqual(most[1], 3)
            self.assertEqual(order[-2:], [10, 9], "large ones last")

    def test_scheduler_reports_errors(self):
        with tempfile.TemporaryDirectory() as folder:
            limits = runner.Limits(1, 1 << 30, 2, 1e9)

            def fail(*_):
                raise families.Bad("oh")
            with self.assertRaisesRegex(families.Bad, "oh"):
                runner.run_all([runner.Task("k", fail, limits)], limits, runner.Store(folder),
                               runner.Progress("test"))

    def test_printed_numbers(self):
        for text, states, result in (
                ("19", 19, True), ("19", 20, False), ("1.90e+1", 19, True), ("1.14e+3", 1139, True),
                ("1.14e+3", 1146, False), ("1.14e+3", 1134, False), ("5.16e+6", 5164321, True),
                ("1e+8", 612502155, None), ("memout", 5, None), ("", 5, None),
                ("1.21e+8", 120991401, True), ("1.00e+3", 999.6, True)):
            self.assertIs(results.printed_equals(text, states), result, text)

    def test_plots(self):
        series = [plot.Series("a<b", 0, [[1, 10, 100], [None, 3, 0]]),
                  plot.Series("published", 1, [[5, None, 7], [2, 2, 2]], True)]
        text = plot.plot("T", series, ["x", "y", "z"], "horizontal", ["p", "q"], "vertical")
        root = ElementTree.fromstring(text)
        lines = root.findall(".//{*}polyline")
        # Two samples of the legend; the values that are missing leave one line in each panel.
        self.assertEqual(len(lines), 4)
        heights = [float(pair.split(",")[1]) for line in lines
                   for pair in line.get("points").split() if len(line.get("points").split()) == 3]
        up = [heights[k] - heights[k + 1] for k in (0, 1)]
        self.assertAlmostEqual(up[0], up[1], delta=0.2, msg="1, 10, 100 rise evenly")
        self.assertGreater(up[0], 50)
        self.assertIsNone(plot.plot("T", [], [], "", [""], ""))
        self.assertIsNone(plot.plot("T", series, ["x"], "", ["p"], "", least=1000))


class Corpus(unittest.TestCase):
    """benchmarks/corpus.py on a folder with a model that gets smaller and one with a clock."""

    def corpus(self, folder, *arguments):
        ended = subprocess.run(
            [sys.executable, os.path.join(BENCHMARKS, "corpus.py"), "--folder", folder, "--out",
             os.path.join(folder, "out"), "--only", "own_", *arguments],
            capture_output=True, text=True, check=False)
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))
        with open(os.path.join(folder, "out", "results.json"), encoding="utf-8") as file:
            return ended.stdout, json.load(file)

    def test_studied_queries(self):
        name = "benchmarks/models/asv.xml"
        rows = {name: {"before": 10, "after": 8, "queries": [{"formula": "A", "after": after}
                                                             for after in (8, 5, None, 3)]},
                "benchmarks/models/ballot.xml": {"before": 27, "after": 7, "queries": []}}
        import by_query  # pylint: disable=import-outside-toplevel
        self.assertEqual(by_query.worse(rows), [
            f"{name}, query 4: 3 states, an exact abstraction has 4 at least",
            "benchmarks/models/ballot.xml: 7 states, an exact abstraction has 8 at least",
            f"{name}, query 2: 5 states, 4 are enough"])
        self.assertIn(f"| {name} | 1: `A` | 10 | 8 | 8 | 10 | 8 | 4 |", by_query.table(rows))

    def test_coarsest_bisimulation(self):
        import coarsest  # pylint: disable=import-outside-toplevel
        self.assertEqual(coarsest.classes("aaa", [{1}, {2}, {0}]), 1)
        self.assertEqual(coarsest.classes("aaaa", [{1, 2}, {3}, {3}, set()]), 3)
        self.assertEqual(coarsest.classes("aab", [{1}, {2}, {2}]), 3)
        # As a prototype with an explorer of its own found.
        found = coarsest.study(os.path.join(BENCHMARKS, "examples", "cards", "model.xml"))
        self.assertEqual([found[str(at)]["bisimulation"] for at in range(1, 6)],
                         [12, 40, 12, 46, 12])

    def test_corpus(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(os.path.join(BENCHMARKS, "models", "postal_3_2.xml"),
                        os.path.join(folder, "own_postal.xml"))
            with open(os.path.join(folder, "own_timed.xml"), "w", encoding="utf-8") as out:
                out.write("<nta><declaration>clock x;</declaration><template><name>T</name>"
                          "<location id=\"a\"><label kind=\"invariant\">x &lt; 3</label></location>"
                          "<init ref=\"a\"/></template><system>system T;</system></nta>")
            text, kept = self.corpus(folder)
            self.assertEqual(list(kept["rows"]), ["own_postal.xml"])
            row = kept["rows"]["own_postal.xml"]
            self.assertEqual((row["before"], row["after"]), (6075, 442))
            self.assertIn("| own_postal.xml | 6,075 | 442 | 13.7 |", text)
            self.assertIn("| at least 2 times smaller | 1 |", text)
            self.assertEqual([query["after"] for query in row["queries"]], [442, 442, 277, 277])
            self.assertIn("| queries: a model for each | 4 | 4 | 17.36 |", text)
            self.assertIn("| own_postal.xml | 4: `E<> forall (v : voter_t) Voter(v).voted` | 6,075 |"
                          " 442 | 277 |  |  |  |", text)
            # What is kept is not done again; what was before stands beside it.
            for kept_row in filter(None, kept["store"].values()):
                kept_row["after"] = 6076
            with open(os.path.join(folder, "out", "results.json"), "w", encoding="utf-8") as out:
                json.dump(kept, out)
            with open(os.path.join(folder, "before.json"), "w", encoding="utf-8") as out:
                json.dump({"rows": {"own_postal.xml": row, "gone.xml": row}}, out)
            readme = os.path.join(folder, "readme.md")
            with open(readme, "w", encoding="utf-8") as out:
                out.write("one\n<!-- corpus:begin -->\nold\n<!-- corpus:end -->\ntwo\n")
            text, _ = self.corpus(folder, "--against", os.path.join(folder, "before.json"),
                                  "--readme", readme)
            self.assertIn("| larger | 1 | 0 |", text)
            self.assertIn("| models | 1 | 1 |", text)
            with open(readme, encoding="utf-8") as file:
                lines = file.read().split("\n")
            self.assertEqual((lines[0], lines[-2]), ("one", "two"))
            self.assertNotIn("old", lines)
            self.assertTrue(any("own_postal.xml | 6,075 | 6,076 | 1.0 |" in line and "larger" in line
                                for line in lines))


class Growth(Case):
    """benchmarks/growth.py: no cliff in small families, by work that was counted and not by time."""

    def test_there_is_no_cliff(self):
        command = [sys.executable, "-B", os.path.join(BENCHMARKS, "growth.py"), "--work",
                   "--seconds", "1" if EVERY == 1 else "0.3", *["asv", "trains", "voters", "postal"][SAMPLED]]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("0 cliffs", run.stdout)

    @staticmethod
    def point(size, peak, count=0, states=0, **others):
        return growth.Point({"size": size, "bytes": peak << 20, "counted": count, "model_states": states,
                             "command": "info", "is_done": True, **others})

    def test_a_picture_has_all_families(self):
        point = types.SimpleNamespace(seconds=0.5, is_done=True)
        late = types.SimpleNamespace(seconds=9, is_done=False)
        text = growth.picture({family: {"info": [point, late], "remove": [point]}
                               for family in ("one", "two", "three", "four")})
        root = ElementTree.fromstring(text)
        titles = [at.text for at in root.iter("{http://www.w3.org/2000/svg}text")]
        marks = [at.text for at in root.iter("{http://www.w3.org/2000/svg}title")
                 if "0.5" in (at.text or "")]
        self.assertEqual([t for t in titles if t in ("one", "two", "three", "four")],
                         ["one", "two", "three", "four"])
        self.assertEqual(len(marks), 8)

    def test_a_cliff_is_found(self):
        cases = [  # before, after, what; twice the states and 21 times the memory, and so on
            (self.point(1000, 100), self.point(2000, 2100), "bytes", True),
            (self.point(1000, 100), self.point(2000, 400), "bytes", False),
            (self.point(1000, 10), self.point(20000, 200), "bytes", False),
            (self.point(1000, 1), self.point(1100, 30), "bytes", False),
            (self.point(15, 100, states=1000), self.point(16, 2100, states=9000), "bytes", False),
            (self.point(15, 100, states=1000), self.point(16, 2100, states=2000), "bytes", True),
            (self.point(1000, 1, 5000), self.point(2000, 1, 90000), "counted", True),
            (self.point(1000, 1, 1), self.point(2000, 1, 19000), "counted", False),
            (self.point(9, 0, seconds=5), self.point(10, 0, seconds=60, is_done=False), "seconds", True),
            (self.point(9, 0, seconds=7), self.point(10, 0, seconds=60, is_done=False), "seconds", False),
            (self.point(9, 0, states=9, seconds=5),
             self.point(2, 0, states=90, seconds=60, is_done=False), "seconds", False),
            (self.point(9, 0, states=9, seconds=5),
             self.point(90, 0, seconds=60, is_done=False, command="explicit"), "seconds", True)]
        for before, after, what, expected in cases:
            self.assertEqual(growth.is_cliff(before, after, what), expected)

    def test_a_run_before_is_read(self):
        path = os.path.join(self.folder, "figures.json")
        command = [sys.executable, "-B", os.path.join(BENCHMARKS, "growth.py")]
        tables = [subprocess.run([*command, *options], capture_output=True, text=True, check=True).stdout
                  for options in (["asv", "--seconds", "1", "--commands", "info,explicit", "--json", path],
                                  ["--read", path])]
        self.assertIn("| asv | explicit |", tables[0])
        self.assertEqual(*tables)


class Goals(unittest.TestCase):
    """benchmarks/goals.py: two programs in turns, which have to agree."""

    def rows(self, before, only, status):
        environment = {**os.environ, "BEFORE": before, "ROUNDS": "1"}
        run = subprocess.run([sys.executable, "-B", os.path.join(BENCHMARKS, "goals.py"), "--only", only],
                             env=environment, capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, status, run.stdout + run.stderr)
        return [line for line in run.stdout.split("\n") if line.startswith("| `")]

    def test_both_are_measured(self):
        rows = self.rows(VARABS, "trains 25", 0)
        self.assertEqual(len(rows), 1)
        self.assertEqual(len(re.findall(r"\d+\.\d\d s, \d+ MiB", rows[0])), 2)

    def test_what_differs_is_said(self):
        with tempfile.TemporaryDirectory() as folder:
            other = os.path.join(folder, "other")
            with open(other, "w", encoding="utf-8") as out:
                out.write(f'#!/bin/sh\n{VARABS} "$@"\nsed -i s/violated/satisfied/ out\n')
            os.chmod(other, 0o755)
            self.assertIn("DIFFERENT", self.rows(other, "trains 25", 1)[0])

    def test_what_fails_is_said(self):
        self.assertRegex(self.rows("/bin/false", "trains 25", 0)[0], r"\| status 1 \|")


class Engines(unittest.TestCase):
    """benchmarks/engines.py and jobs.py: all runs have to count the same states."""

    def run_on(self, program, model, **environment):
        return subprocess.run([sys.executable, "-B", os.path.join(BENCHMARKS, program), model],
                              env={**os.environ, "ROUNDS": "1", **environment}, capture_output=True, text=True,
                              check=False)

    def test_each_has_a_row(self):
        for program, cells in (("engines.py", 3), ("jobs.py", 5)):
            run = self.run_on(program, "queues 2 2")
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
            self.assertRegex(run.stdout, r"\| queues 2 2 \| 9( \| \d+\.\d\d){" + str(cells) + r"} \|")

    def test_what_differs_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            other = os.path.join(folder, "other")
            with open(other, "w", encoding="utf-8") as out:
                out.write(f"""#!/bin/sh
{VARABS} "$@"
case "$*" in *symbolic*|*"--jobs 2"*) for name; do :; done; sed -i 's/"states_text": "9"/"states_text": "8"/' "$name";; esac
""")
            os.chmod(other, 0o755)
            for program in ("engines.py", "jobs.py"):
                run = self.run_on(program, "queues 2 2", VARABS=other)
                self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
                self.assertRegex(run.stdout, r"\| queues 2 2 \| . . \|")

    def test_an_unknown_model_is_said(self):
        for program in ("engines.py", "jobs.py"):
            self.assertIn("there is no such program", self.run_on(program, "nope 2").stderr)


if __name__ == "__main__":
    program = unittest.main(exit=False, verbosity=1, argv=sys.argv)
    outcome = program.result
    for test, reason in outcome.skipped:
        print(f"skipped {test.id()}: {reason}")
    failed = len(outcome.failures) + len(outcome.errors)
    print(f"{outcome.testsRun - failed} passed, {failed} failed")
    sys.exit(failed > 0)
