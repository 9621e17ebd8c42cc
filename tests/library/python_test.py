"""The Python package, as its users have it; run by tests/library/run.sh.

    PYTHONPATH=DIRECTORY python3 tests/library/python_test.py
"""

import base64
import copy
import doctest
import gc
import json
import multiprocessing
import os
import pathlib
import pickle
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import types
import unittest
import unittest.mock
import xml.etree.ElementTree

import varabs
from varabs import Model

MODELS = pathlib.Path(__file__).resolve().parents[2] / "benchmarks" / "models"
GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden"
POSTAL, VOTING = MODELS / "postal_3_2.xml", MODELS / "asv.xml"
LARGE = POSTAL.read_text().replace("N_V = 3", "N_V = 30").replace("N_C = 2", "N_C = 4")
STEPS = POSTAL.read_text().replace("chan decl", "broadcast chan decl")


class Abstractions(unittest.TestCase):
    def test_chain(self) -> None:
        model = Model(POSTAL)
        lean = model.remove("mem_vt", "mem_sg").may()
        self.assertTrue(lean.is_exact)
        self.assertEqual(lean.json["$schema"], "urn:varabs:report:1")
        self.assertEqual(len(lean.json["removed"]), 2)
        self.assertTrue(lean.certify().holds)
        self.assertLess(lean.model.check().states, model.check().states)
        self.assertEqual(repr(model), f"Model({str(POSTAL)!r})")  # it is as it was

    def test_model_of_model(self) -> None:
        once = Model(POSTAL).remove("mem_vt").may()
        twice = once.model.remove("mem_sg").may()
        del once
        gc.collect()
        self.assertTrue(twice.is_exact)
        self.assertNotIn(b"mem_vt = ", twice.xml)

    def test_split_templates(self) -> None:
        """The report says which process is which."""
        lean = Model(POSTAL).remove("Voter(1).mem_vt").may()
        self.assertTrue(lean.certify().holds)

    def test_must(self) -> None:
        lean = Model(POSTAL).remove("mem_vt").must()
        self.assertEqual(lean.json["mode"], "must")

    def test_mixed(self) -> None:
        """Two of three values are verdicts of the original."""
        mixed = Model(VOTING).remove("sh_vt").mixed()
        self.assertEqual(mixed.json["mode"], "mixed")
        self.assertTrue(mixed.original.certify(mixed.model, "may").holds)
        secret = "A[] Coercer.refused imply not Kw(Coercer, Voter.mem_vt)"
        checked = mixed.model.query(secret, "E<> Coercer.learned == 2").check()
        self.assertEqual([q["verdict"] for q in checked.json["queries"]], ["satisfied", "unknown"])

    def test_favour(self) -> None:
        """A model for one coalition; queries are written into it."""
        query = "<<Voter>> G !Coercer.informed"
        model = Model(VOTING).remove("sh_vt").query(query)
        self.assertEqual(model.mixed().model.check().json["queries"][-1]["formula"], query)
        for favour in "Voter", ["Voter"]:
            favoured = model.mixed(favour=favour)
            self.assertEqual(favoured.json["options"]["favour"], "Voter")
            self.assertTrue(favoured.model.check().answers[-1].holds)
        self.assertNotIn("favour", model.mixed().json["options"])
        with self.assertRaises(varabs.UsageError):
            model.mixed(favour="Nobody")

    def test_without(self) -> None:
        watched = Model(GOLDEN / "X9_for_ever" / "model.xml").without("Z").may()
        self.assertTrue(watched.json["without"]["processes"])
        with self.assertRaises(varabs.UnsupportedError):
            Model(VOTING).without("Coercer").may()

    def test_files(self) -> None:
        lean = Model(POSTAL).remove("mem_vt").may()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "lean.xml"
            lean.write(path)
            self.assertEqual(Model(path).check().states, lean.model.check().states)
            spec = pathlib.Path(folder) / "spec.json"
            spec.write_text(json.dumps({"remove": ["mem_vt"]}))
            self.assertEqual(Model(POSTAL).spec(spec).may().json["options"]["remove"], ["mem_vt"])

    def test_bytes(self) -> None:
        lean = Model.from_bytes(POSTAL.read_bytes(), "postal").remove("mem_vt").may()
        self.assertIn("mem_vt", lean.json["options"]["remove"])


class Questions(unittest.TestCase):
    def test_check(self) -> None:
        check = Model(VOTING).check()
        self.assertEqual([answer.holds for answer in check.answers], [True, True, True, False])
        self.assertFalse(check.holds)
        self.assertTrue(check.is_complete)
        self.assertEqual(check.states, 10)
        self.assertIn("trace", check.answers[3].json)

    def test_queries(self) -> None:
        model = Model(VOTING).query("E<> Voter.obeyed", "E<> false")
        self.assertEqual([a.verdict for a in model.check().answers], ["satisfied", "violated"])
        self.assertEqual([a.verdict for a in model.decide().answers], ["satisfied", "violated"])
        self.assertIsNone(Model(LARGE_FILE).query("E<> false").limit(states=10).check().holds)

    def test_settings(self) -> None:
        query = "A<> Voter.obeyed or Voter.disobeyed"
        model = Model(VOTING).query(query)
        self.assertFalse(model.check().holds)
        kripke = model.set(semantics="kripke", full=True).check()
        self.assertEqual(kripke.json["queries"][0]["semantics"], "kripke")
        self.assertEqual(model.set(engine="symbolic").check().json["engine"], "symbolic")
        for wrong in ({"speed": 1}, {"engine": "steam"}, {"jobs": -1}, {"jobs": 2.7}, {"full": "no"}):
            with self.assertRaises(varabs.UsageError):
                model.set(**wrong).check()
        with self.assertRaises(varabs.UsageError):
            model.limit(seconds=float("nan"))
        self.assertFalse(model.limit(seconds=1e12).check().holds)

    def test_suggest(self) -> None:
        suggestion = Model(VOTING).query("E<> Voter.obeyed").suggest()
        self.assertIn("Coercer.learned", suggestion.exact)
        self.assertTrue(suggestion.apply().may().is_exact)

    def test_relations(self) -> None:
        model, lean = Model(POSTAL), Model(POSTAL).remove("sh_vt").may().model
        self.assertTrue(model.certify(lean, "may").holds)
        self.assertFalse(model.certify(lean, "must").holds)
        steps = Model.from_bytes(STEPS)
        self.assertTrue(steps.visible("vote").refines(steps).holds)

    def test_original(self) -> None:
        voting = Model(VOTING)
        coarse = voting.remove("sh_vt").may().model
        query = "A[] Voter.obeyed imply Coercer.learned > 0"
        asked = coarse.query(query).set(charts=True, run_models=True, page=True)
        check = asked.check(original=voting)
        self.assertEqual(check.json["queries"][0]["original"]["outcome"], "spurious")
        self.assertIn("</svg>", check.charts[0].svg)
        run = Model.from_bytes(check.run_models[0]).query(query).check()
        self.assertEqual(run.states, len(check.json["queries"][0]["trace"]["states"]))
        self.assertIn('"kind":"check"', check.page.html)
        self.assertIn("srcdoc", check.page._repr_html_())
        plain = coarse.query(query).check()
        self.assertNotIn("original", plain.json["queries"][0])
        self.assertEqual((plain.page, plain.charts, plain.run_models), (None, [None], [None]))
        with self.assertRaises(varabs.UsageError):
            asked.ignore("nothing").check(original=voting)
        with self.assertRaises(varabs.InvalidError):
            coarse.check(original=Model("none.xml"))

    def test_grid(self) -> None:
        queries = ["E<> Voter.obeyed", "A[] Coercer.learned == Voter.mem_vt"]
        table = varabs.grid(VOTING, ["learned", ["mem_vt", "learned"]], queries, auto=True, both=True)
        self.assertEqual([(row["name"], row["mode"]) for row in table.json["rows"]],
                         [("original", None)] + [(name, mode) for name in ("learned", "mem_vt,learned", "auto")
                                                 for mode in ("may", "must")])
        rows = table.rows()
        self.assertEqual(rows[0]["states"], 10)
        self.assertEqual(rows[1][queries[0]], "satisfied")
        self.assertIs(rows[1][f"{queries[0]} carries over"], True)
        self.assertIsNone(rows[1][queries[1]])
        self.assertTrue(table.is_complete)
        self.assertIn("\\begin{tabular}", table.latex)
        self.assertEqual(len(table.csv.splitlines()), len(rows) + 1)
        self.assertIn("learned", table._repr_html_() + str(table))
        few = varabs.grid(Model(POSTAL).set(engine="explicit"), ["mem_vt,mem_sg"], states=2000)
        self.assertFalse(few.is_complete)
        self.assertEqual([row["states"] for row in few.rows()], [None, 1619])
        slow = varabs.grid(Model.from_bytes(LARGE).set(engine="explicit"), ["mem_vt"], ["A[] false"], seconds=0.2)
        self.assertEqual([row["A[] false"] for row in slow.rows()], ["violated", "violated"])
        for wrong in ("learned", []):
            with self.assertRaises(varabs.UsageError):
                Model(VOTING).grid(wrong)
        with self.assertRaisesRegex(varabs.UsageError, "did you mean"):
            varabs.grid(VOTING, ["learnt"])

    def test_auto(self) -> None:
        lean = Model(POSTAL).auto().may()
        self.assertTrue(lean.is_exact)
        self.assertIn("Voter.mem_vt", lean.json["options"]["remove"])
        self.assertLess(lean.model.check().states, 1000)
        few = Model(POSTAL).query("E<> Authority.coll_vts").auto().may()
        self.assertLess(few.model.set(full=True).check().states, lean.model.check().states)
        with self.assertRaises(varabs.UsageError):
            Model(POSTAL).remove("mem_vt").auto().may()

    def test_files(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            lean = Model(POSTAL).remove("Voter.mem_dec@has,voted").may()
            (folder / "full.json").write_text(json.dumps(Model(POSTAL).set(full=True).check().json))
            known = Model(POSTAL).remove("dec_recv").checked(folder / "full.json").may()
            self.assertEqual(known.json["mode"], "may")
            with self.assertRaises(varabs.InvalidError):
                Model(VOTING).remove("mem_vt").checked(folder / "full.json").may()
            lean.write(folder / "lean.xml")
            (folder / "lean.json").write_text(json.dumps(lean.json))
            read = Model(folder / "lean.xml").report(folder / "lean.json")
            self.assertTrue(Model(POSTAL).certify(read, "exact").holds)
            (folder / "actions.json").write_text(json.dumps({"actions": [{"name": "vote", **{
                side: {"channel": "vote"} for side in ("concrete", "abstract")}}]}))
            steps = Model.from_bytes(STEPS)
            same = steps.actions(folder / "actions.json").refines(steps)
            self.assertEqual([action["name"] for action in same.json["visible"]], ["vote"])
            hidden = steps.hide("vote").refines(steps)
            self.assertNotIn("vote", [action["name"] for action in hidden.json["visible"]])

    def test_info(self) -> None:
        info = Model(VOTING).info()
        self.assertIn("Voter.mem_vt", str(info))
        agents = Model(VOTING).agents()
        self.assertEqual([agent["agent"] for agent in agents.json["agents"]], ["Voter", "Coercer"])
        self.assertIn("Coercer.learned", agents._repr_html_())
        export = Model(VOTING).export()
        self.assertIn("c_decl", export.model)
        self.assertIsNone(export.code)

    def test_rounds(self) -> None:
        query = Model(VOTING).query("A[] Voter.obeyed imply Coercer.learned > 0").set(no_look=True)
        rounds = query.decide().answers[0].json["rounds"]
        self.assertEqual([entry["run"] for entry in rounds], ["spurious", "spurious", None])
        self.assertEqual(len(rounds[0]["trace"]["states"]), 3)
        page = query.set(page=True).decide().page
        self.assertIn('data-drawing="round-0-0"', page.html)

    def test_fairness(self) -> None:
        model = Model(VOTING).query("A<> Coercer.informed || Coercer.refused")
        self.assertFalse(model.check().holds)
        self.assertEqual(model.check().json["queries"][0]["if_fair"]["kind"], "weak")
        self.assertTrue(model.weak("*").check().holds)
        self.assertTrue(model.strong("Voter", "Coercer").check().holds)
        with self.assertRaises(varabs.UsageError):
            model.weak("Voters").check()
        folder = MODELS.parents[1] / "tests" / "golden" / "CR7_unfair_cycle_is_no_run"
        agent, rules = Model(folder / "model.xml"), Model(folder / "abstract.xml")
        self.assertTrue(agent.refines(rules).holds)
        self.assertFalse(agent.abstract_weak("a").refines(rules).holds)
        self.assertFalse(agent.abstract_strong("a").refines(rules).holds)
        self.assertTrue(agent.strong("@t").abstract_weak("a").refines(rules).holds)


class Errors(unittest.TestCase):
    def test_kinds(self) -> None:
        for error, ask in (
            (varabs.InvalidError, lambda: Model("none.xml").check()),
            (varabs.InvalidError, lambda: Model.from_bytes("<nta>").check()),
            (varabs.UsageError, lambda: Model(VOTING).remove("mem_vtt").may()),
            (varabs.UsageError, lambda: Model(VOTING).remove("a\0b")),
            (varabs.UsageError, lambda: Model(VOTING).check("A[] true")),  # type: ignore[arg-type]
            (varabs.UnsupportedError, lambda: Model.from_bytes(
                VOTING.read_text().replace("<declaration>", "<declaration>dynamic T();", 1)).check()),
            (varabs.LimitError, lambda: Model.from_bytes(LARGE).limit(seconds=0.001).remove(
                "sh_vt").may()),
        ):
            with self.assertRaises(error) as raised:
                ask()
            self.assertIn("error", str(raised.exception))

    def test_time_where_nobody_writes(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "model.xml")
            os.mkfifo(path)
            with self.assertRaisesRegex(varabs.LimitError, "the time limit was reached"):
                Model(path).limit(seconds=0.1).check()

    def test_places(self) -> None:
        with self.assertRaises(varabs.InvalidError) as raised:
            Model.from_bytes(VOTING.read_text().replace("sh_vt = mem_vt", "sh_vt = memory"), "v.xml").check()
        error = pickle.loads(pickle.dumps(raised.exception))
        lines = VOTING.read_text().splitlines()
        at = next(number for number, line in enumerate(lines, 1) if "sh_vt = mem_vt" in line)
        self.assertEqual((error.file, error.line), ("v.xml", at))
        self.assertEqual(error.column, lines[at - 1].index("sh_vt = mem_vt") + len("sh_vt = ") + 1)
        self.assertTrue(error.message.startswith("'memory' is not declared"), error.message)
        self.assertIn(error.message, error.messages)
        with self.assertRaises(varabs.UsageError) as raised:
            Model(VOTING).remove("mem_vtt").may()
        self.assertEqual((raised.exception.file, raised.exception.line), (str(VOTING), None))
        with self.assertRaises(varabs.MissingFileError) as raised:
            Model("none.xml").check()
        self.assertIsInstance(raised.exception, FileNotFoundError)
        self.assertEqual(raised.exception.file, "none.xml")
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaises(varabs.InvalidError) as raised:
                Model(folder).check()
            self.assertNotIsInstance(raised.exception, FileNotFoundError)

    def test_misspelt(self) -> None:
        model = Model(VOTING)
        for wrong, near in (({"engin": "explicit"}, "engine"), ({"engine": "explizit"}, "explicit"),
                            ({"job": 2}, "jobs"), ({"zzz": 1}, None)):
            with self.assertRaises(varabs.UsageError) as raised:
                model.set(**wrong)
            self.assertIn(f"did you mean '{near}'" if near else "there are", str(raised.exception))
        with self.assertRaisesRegex(varabs.UsageError, "did you mean 'exact'"):
            model.certify(model, "exakt")

    def test_second_model(self) -> None:
        with self.assertRaisesRegex(varabs.InvalidError, "none.xml"):
            Model(VOTING).certify(Model("none.xml"))
        with self.assertRaisesRegex(varabs.InvalidError, "none.xml"):
            Model(VOTING).draw(after=Model("none.xml"))


class Running(unittest.TestCase):
    def test_progress(self) -> None:
        seen = []

        def show(figures: varabs.Figures) -> bool:
            seen.append(figures)
            return figures.seconds > 1

        check = Model.from_bytes(LARGE).check(progress=show)
        self.assertFalse(check.is_complete)
        self.assertEqual(check.json["limit"], "interrupt")
        self.assertGreater(seen[-1].seconds, 1)
        self.assertTrue(seen[-1].stage)

    def test_exception(self) -> None:
        def fail(_: varabs.Figures) -> bool:
            raise KeyError("own")
        with self.assertRaisesRegex(KeyError, "own"):
            Model.from_bytes(LARGE).check(progress=fail)

    def test_control_c(self) -> None:
        program = "import sys, varabs; varabs.Model(sys.argv[1]).check()"
        with subprocess.Popen([sys.executable, "-c", program, LARGE_FILE],
                              stderr=subprocess.PIPE) as process:
            timer = threading.Timer(2, process.send_signal, [signal.SIGINT])
            timer.start()
            self.assertIn(b"KeyboardInterrupt", process.communicate(timeout=60)[1])

    def test_threads(self) -> None:
        results = []
        threads = [threading.Thread(target=lambda: results.append(Model(POSTAL).check().states))
                   for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(results, [6075] * 4)


def certified(lean: varabs.Abstraction) -> varabs.Certification:
    return lean.certify()


def parts(value: object) -> object:
    """What can be compared."""
    if isinstance(value, list):
        return [parts(item) for item in value]
    if hasattr(value, "__dict__"):
        return type(value), {name: parts(item) for name, item in vars(value).items()}
    return value


class Copies(unittest.TestCase):
    def test_all(self) -> None:
        """Models, and every class of results and errors."""
        model = Model(VOTING)
        lean = model.remove("mem_vt").may()
        run = model.query("A[] !Coercer.informed").set(charts=True, run_models=True, page=True).check()
        with self.assertRaises(varabs.UsageError) as raised:
            model.remove("mem_vtt").may()
        values = [model, lean, lean.model, lean.draw(), run, run.answers[0], run.charts[0], run.page,
                  model.decide(), model.suggest(), lean.certify(), model.info(), model.agents(), model.grid(["mem_vt"]),
                  model.export(), Model.from_bytes(STEPS).refines(Model.from_bytes(STEPS)),
                  run.answers[0].trace, run.answers[0].trace.states[0],
                  run.answers[0].trace.steps[0][0], raised.exception, varabs.Figures("", 1, 2, 3, 4, 5.0)]
        kinds = {type(value).__name__ for value in values}
        for name in varabs.__all__:
            if name not in kinds and name not in ("version", "grid") and not name.endswith("Error"):
                self.assertEqual(name, "Result")  # of which the others are
        for value in values:
            for copied in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
                self.assertEqual(parts(value), parts(copied))
        other = pickle.loads(pickle.dumps(lean))
        del lean
        gc.collect()
        self.assertTrue(other.certify().holds)
        self.assertEqual(copy.deepcopy(other.model).check().states, other.model.check().states)
        suggested = copy.deepcopy(model.query("E<> Voter.obeyed").suggest()).apply()
        self.assertTrue(suggested.may().is_exact)
        for duplicate in (copy.copy, copy.deepcopy, pickle.dumps):
            with self.assertRaises(TypeError):
                duplicate(model._job())

    def test_pools(self) -> None:
        lean = Model(POSTAL).remove("Voter(1).mem_vt").may()
        for method in ("spawn", "fork", "forkserver"):
            with multiprocessing.get_context(method).Pool(2) as pool:
                results = pool.map_async(certified, [lean] * 8).get(timeout=100)
            self.assertEqual([result.holds for result in results], [True] * 8)


class Documentation(unittest.TestCase):
    def test_example(self) -> None:
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(POSTAL, os.path.join(folder, "postal.xml"))
            os.chdir(folder)
            self.addCleanup(os.chdir, before)
            self.assertEqual(doctest.testmod(varabs), (0, 5))
            os.chdir(before)


class Shown(unittest.TestCase):
    def test_drawings(self) -> None:
        lean = Model(POSTAL).remove("mem_vt").may()
        for drawing in (Model(POSTAL).draw(template="Voter"), lean.draw()):
            self.assertTrue(xml.etree.ElementTree.fromstring(drawing.svg).tag.endswith("svg"))
            image = xml.etree.ElementTree.fromstring(drawing._repr_html_())
            data = image.get("src").split("data:image/svg+xml;base64,")[1]
            self.assertEqual(base64.b64decode(data).decode(), drawing.svg)
        self.assertIn("<img ", Model(POSTAL)._repr_html_())
        tikz = Model(POSTAL).tikz(lean.model, "Voter")
        self.assertEqual(tikz.count("\\begin{tikzpicture}"), 1)
        self.assertIn("mem\\_vt", tikz)

    def test_rows(self) -> None:
        check = Model(VOTING).query("E<> Voter.obeyed", "E<> false").check()
        rows = [{"query": "E<> Voter.obeyed", "verdict": "satisfied"},
                {"query": "E<> false", "verdict": "violated"}]
        self.assertEqual(check.rows(), rows)
        frame = check.to_dataframe()
        self.assertEqual(frame if isinstance(frame, list) else frame.to_dict("records"), rows)
        frames = types.SimpleNamespace(DataFrame=lambda rows, columns: (columns, rows))
        with unittest.mock.patch.dict(sys.modules, pandas=frames):
            self.assertEqual(check.to_dataframe(), (["query", "verdict"], rows))
        with unittest.mock.patch.dict(sys.modules, pandas=None):
            self.assertEqual(check.to_dataframe(), rows)

    def test_traces(self) -> None:
        trace = Model(VOTING).query("E<> Coercer.informed").check().answers[0].trace
        self.assertEqual((trace.kind, trace.loop, trace.end), ("witness", None, None))
        self.assertEqual([state.locations["Voter"] for state in trace.states],
                         ["idle", "voted", "obeyed"])
        self.assertEqual(trace.states[2].values["Coercer.learned"], 1)
        self.assertEqual([[move.process for move in step] for step in trace.steps],
                         [["Voter"], ["Voter", "Coercer"]])
        self.assertEqual(trace.steps[1][1], varabs.Move("Coercer", "waits", "informed", (0,), {}, "give?"))
        self.assertIsNone(Model(VOTING).query("E<> false").check().answers[0].trace)

    @unittest.skipIf(shutil.which("jupyter-nbconvert") is None, "there is no nbconvert")
    def test_notebook(self) -> None:
        """One with the outputs that these classes show themselves by is exported to HTML."""
        model = Model(VOTING)
        shown = [model, model.check(), model.remove("mem_vt").may().draw()]
        cells = [{"cell_type": "code", "metadata": {}, "source": "", "execution_count": 1, "outputs": [
            {"output_type": "execute_result", "execution_count": 1, "metadata": {},
             "data": {"text/html": value._repr_html_()}}]} for value in shown]
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "book.ipynb")
            path.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}))
            subprocess.run(["jupyter-nbconvert", "--to", "html", str(path)], check=True,
                           stderr=subprocess.DEVNULL)
            text = path.with_suffix(".html").read_text()
        for value in (shown[0].draw(), shown[2]):
            self.assertIn(base64.b64encode(value.svg.encode()).decode(), text)
        self.assertIn("10 states", text)

    def test_tables(self) -> None:
        model = Model(VOTING)
        for result, words in ((model.check(), "10 states"), (model.decide(), "decided without"),
                              (model.suggest(), "sh_vt"),
                              (model.remove("Coercer.learned").may(), "carries over"),
                              (model.certify(model), "concrete")):
            self.assertIn(words, result._repr_html_() + str(result))
            xml.etree.ElementTree.fromstring(f"<p>{result._repr_html_()}</p>")
            self.assertIn(result.summary(), repr(result))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as directory:
        LARGE_FILE = os.path.join(directory, "large.xml")
        pathlib.Path(LARGE_FILE).write_text(LARGE)
        unittest.main()
