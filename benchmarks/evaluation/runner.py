"""Runs what a family asks for: abstracts every model, explores every model that results, once for
equal ones. What is done is stored at once, under a digest of everything it depends on, so that a run
that was killed goes on where it was."""

import hashlib
import json
import os
import re
import shutil
import statistics
import sys
import tempfile
import threading
import time
import xml.etree.ElementTree as ElementTree

from measure import VARABS, Run
from . import family as families
from . import refinements

ROUNDS = 5                       # runs of the abstraction; their median counts
LEAST, PER_STATE = 64 << 20, 32  # bytes reserved for a model with a known number of states
MANY = 10000000                  # states from which on sets of them are what counts
PARALLEL = 1000000               # states from which a model has all processors for itself
FORMAT = 3                       # of what is stored


def digest(*parts):
    """Of texts, bytes and lists of them."""
    total = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else json.dumps(part).encode()
        total.update(len(data).to_bytes(8, "big") + data)
    return total.hexdigest()


def file_digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def first_line(text):
    return next((line for line in text.split("\n") if line.strip()), "")[:300]


class Store:
    """One file a result, complete or absent."""

    def __init__(self, folder):
        self.folder = folder
        os.makedirs(folder, exist_ok=True)

    def get(self, key):
        try:
            with open(os.path.join(self.folder, key + ".json"), encoding="utf-8") as file:
                return json.load(file)
        except (OSError, ValueError):
            return None

    def put(self, key, record):
        descriptor, path = tempfile.mkstemp(dir=self.folder, suffix=".tmp")
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(record, file, indent=1)
        os.replace(path, os.path.join(self.folder, key + ".json"))


class Tools:
    """varabs, and verifyta if there is one."""

    def __init__(self):
        self.varabs = VARABS
        if not os.access(VARABS, os.X_OK):
            raise families.Bad(f"{VARABS}: no such program; run `make`, or set VARABS")
        self.version = Run([VARABS, "--version"]).text.strip()
        self.sha256 = file_digest(VARABS)
        name = os.environ.get("VERIFYTA", "verifyta")
        self.verifyta = shutil.which(name)
        if not self.verifyta and "VERIFYTA" in os.environ:
            raise families.Bad(f"{name}: no such program; VERIFYTA should name Uppaal's verifier")
        self.verifyta_version = ""
        if self.verifyta:
            run = Run([self.verifyta, "--version"], limit=60)
            self.verifyta_version = first_line(run.text + run.errors)


class Limits:
    """For one model each: seconds and bytes; cores and bytes for all that run at a time."""

    def __init__(self, seconds, memory, cores, largest):
        self.seconds, self.memory, self.cores, self.largest = seconds, memory, cores, largest


class Task:
    """Something to do: run(memory, threads) gives a record, which is stored under the key. states is
    how many the model is known to have, None if that is not known."""

    def __init__(self, key, run, limits, states=None, is_short=False):
        self.key, self.run = key, run
        self.work = 1 if is_short else 20000 + min(1000000 if states is None else states, MANY)
        share = limits.memory // limits.cores
        self.memory = (share if states is None else
                       min(limits.memory, LEAST + PER_STATE * states))
        self.threads = limits.cores if (states or 0) >= PARALLEL or self.memory > share else 1


class Progress:
    """On standard error: a line that is rewritten on a terminal, one every 30 seconds elsewhere, and in
    the end how many there were and how long it took."""

    def __init__(self, name):
        self.name, self.is_terminal = name, sys.stderr.isatty()
        self.started = self.said = time.monotonic()

    def show(self, done, count, work, all_work):
        now = time.monotonic()
        passed = now - self.started
        left = "" if not work else f", {clock(passed * (all_work - work) / work)} left"
        line = f"{self.name}: {done} of {count} in {clock(passed)}{left}"
        if self.is_terminal:
            width = max(shutil.get_terminal_size().columns - 1, 1)
            print(f"\r{line[:width]}\033[K", end="", file=sys.stderr, flush=True)
        elif now - self.said >= 30:
            self.said = now
            print(line, file=sys.stderr, flush=True)

    def end(self, count):
        if count:
            if self.is_terminal:
                print("\r\033[K", end="", file=sys.stderr)
            passed = time.monotonic() - self.started
            print(f"{self.name}: {count} in {clock(passed)}", file=sys.stderr, flush=True)


def clock(seconds):
    minutes, seconds = divmod(round(seconds), 60)
    return f"{minutes}:{seconds:02}"


def run_all(tasks, limits, store, progress):
    """{key: record} of tasks. Small ones first; as many at a time as cores and memory allow. One that
    needs more than its share of the memory is tried again with all of it."""
    records, running, lock = {}, {}, threading.Condition()
    pending = sorted(tasks, key=lambda task: task.work)
    count, work, all_work = len(tasks), 0, sum(task.work for task in tasks)
    failures = []

    def work_on(task):
        record, again = None, False
        try:
            record = task.run(task.memory, task.threads)
            again = record["status"] == "memory" and task.memory < limits.memory
            if not again and not Run.is_stopping:
                store.put(task.key, record)
        except BaseException as error:           # noqa: B902 — the main thread raises it again
            failures.append(error)
        with lock:
            running.pop(task.key)
            if again:
                task.memory, task.threads = limits.memory, limits.cores
                pending.append(task)
            else:
                records[task.key] = record
            lock.notify()

    with lock:
        while (pending or running) and not failures:
            memory = limits.memory - sum(task.memory for task in running.values())
            cores = limits.cores - sum(task.threads for task in running.values())
            task = pending[0] if pending else None
            if task and task.memory <= memory and task.threads <= cores:
                running[task.key] = pending.pop(0)
                threading.Thread(target=work_on, args=(task,), daemon=True).start()
                continue
            lock.wait(0.2)
            work = all_work - sum(task.work for task in [*pending, *running.values()])
            progress.show(len(records), count, work, all_work)
    progress.end(len(records))
    if failures:
        raise failures[0]
    return records


def own_formulas(tree):
    """All queries of a model, also those in comments of queries without a formula, each of which
    goes up to an empty line."""
    for query in tree.iter("query"):
        formula = query.findtext("formula") or ""
        if formula.split():
            yield formula
            continue
        for part in (query.findtext("comment") or "").split("varabs:")[1:]:
            yield part.split("\n\n")[0]


def formulas_of(family, point, text):
    """[(name, formula, expected verdict)] for a model."""
    try:
        tree = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise families.Bad(f"{family.path}: the generator writes no XML for"
                           f" {family.label(point)}: {error}") from error
    own = [" ".join(formula.split()) for formula in own_formulas(tree)]
    if family.queries is None:
        return [(str(number), formula, None) for number, formula in enumerate(own, 1)]
    rows = []
    for query in family.queries:
        position = query.get("position")
        family.demand(position is None or position <= len(own), f"query '{query['name']}': the model"
                      f" for {family.label(point)} has {len(own)} queries, not {position}")
        formula = own[position - 1] if position else family.fill(query["formula"], point)
        rows.append((query["name"], " ".join(formula.split()), query.get("expected")))
    return rows


class Runner:
    """Does everything for the points of a family, or only some abstractions of it."""

    def __init__(self, family, points, tools, limits, folder, chosen=None):
        self.family, self.points, self.tools, self.limits = family, points, tools, limits
        self.chosen = {name: row for name, row in family.abstractions.items()
                       if chosen is None or name in chosen}
        self.folder = os.path.abspath(folder)
        self.models = os.path.join(self.folder, "models")
        os.makedirs(self.models, exist_ok=True)
        self.store = Store(os.path.join(self.folder, "store"))
        self.queries, self.inputs, self.specs = {}, {}, {}
        self.abstract, self.checks, self.others, self.refinements = {}, {}, {}, {}
        self.is_whole = chosen is None

    def path(self, point, *name):
        return os.path.join(self.models, self.family.file_name(point, *name))

    def run(self):
        self.generate()
        self.make_abstract()
        self.check()
        if self.is_whole:
            self.refine()
        if self.tools.verifyta:
            self.verify()

    def write(self, path, data):
        """Complete or not at all: others may be reading what is there."""
        descriptor, own = tempfile.mkstemp(dir=self.models, suffix=".tmp")
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        os.replace(own, path)
        return path

    def generate(self):
        """Models, and what merges in them."""
        family = self.family
        for point in self.points:
            text = family.generate(family.data["generator"], point)
            self.queries[point] = formulas_of(family, point, text)
            self.inputs[point] = self.write(self.path(point, "input"), text)
            for name, row in self.chosen.items():
                if "spec" in row:
                    self.specs[point, name] = self.write(self.path(point, name, ".spec.json"),
                                                         family.generate(row["spec"], point))

    def do(self, what, tasks):
        """{key: record}, from the store or of a run. What failed is tried again; a limit that ended a
        run earlier counts only if it was not smaller than now."""
        records, missing = {}, {}
        for task in tasks:
            known = self.store.get(task.key)
            status = known and known["status"]
            if (status in ("done", "not available")
                    or status == "time" and known["limits"]["seconds"] >= self.limits.seconds
                    or status == "memory" and known["limits"]["memory"] >= self.limits.memory):
                records[task.key] = known
            else:
                missing[task.key] = task
        records.update(run_all(list(missing.values()), self.limits, self.store,
                               Progress(f"{self.family.name}: {what}")))
        return records

    def refine(self):
        tasks = refinements.tasks(self, lambda *parts: digest(
            FORMAT, *parts[:-1], file_digest(parts[-1]))[:32],
            lambda key, run: Task(key, run, self.limits))
        records = self.do("refinements", tasks.values())
        self.refinements = {cell: records[task.key] for cell, task in tasks.items()}

    def make_abstract(self):
        tasks = {}
        for point in self.points:
            for name, row in self.chosen.items():
                words = [self.family.fill(word, point) for word in row["arguments"]]
                spec = self.specs.get((point, name))
                key = "abstract-" + digest(FORMAT, self.tools.sha256, words,
                                           file_digest(self.inputs[point]),
                                           spec and file_digest(spec))[:32]
                words += ["--spec", spec] if spec else []
                tasks[point, name] = Task(key, lambda *_, point=point, name=name, words=words:
                                          self.abstract_one(point, name, words),
                                          self.limits, states=0, is_short=True)
        for (point, name), task in tasks.items():
            known = self.store.get(task.key)
            path = self.path(point, name)
            if known and known["status"] == "done" and not (
                    os.path.exists(path) and file_digest(path) == known["sha256"]):
                os.remove(os.path.join(self.store.folder, task.key + ".json"))
        records = self.do("abstractions", tasks.values())
        self.abstract = {cell: records[task.key] for cell, task in tasks.items()}

    def abstract_one(self, point, name, words):
        """The record of an abstraction; the model is left in its place."""
        source, path = self.inputs[point], self.path(point, name)
        record = self.record("done", self.limits.memory)
        if not words:
            edges = sum(1 for _ in ElementTree.parse(source).iter("transition"))
            shutil.copyfile(source, path)
            return {**record, "edges_before": edges, "edges_after": edges,
                    "sha256": file_digest(path)}
        with tempfile.TemporaryDirectory(dir=self.folder) as own:
            out, report = os.path.join(own, "out.xml"), os.path.join(own, "report.json")
            command = [self.tools.varabs, source, *words, "-o", out, "--report", report]
            runs = []
            for _ in range(ROUNDS):
                runs.append(Run(command, limit=self.limits.seconds))
                if runs[-1].status != 0:
                    kind = {None: "time", 2: "not available", 4: "not available"}
                    return {**record, "status": kind.get(runs[-1].status, "failed"),
                            "message": first_line(runs[-1].errors) or f"status {runs[-1].status}"}
            os.replace(out, path)
            data = families.load_json(report)
        return {**record, "sha256": file_digest(path), "exact": data["exact"],
                "edges_before": data["edges"]["before"], "edges_after": data["edges"]["after"],
                "guarantees": [{"formula": " ".join(row["formula"].split()), **row["uppaal"]}
                               for row in data["guarantees"]],
                "rewritten": {" ".join(row["formula"].split()): row["rewritten"]
                              for row in data.get("rewritten_queries", [])},
                "ta": statistics.median(run.wall for run in runs),
                "ta_processor": statistics.median(run.processor for run in runs),
                "ta_peak_bytes": max(run.peak for run in runs)}

    def asked(self, point, name):
        """The formulas of the queries, as the abstraction needs them."""
        rewritten = self.abstract[point, name].get("rewritten", {})
        return [rewritten.get(formula, formula) for _, formula, _ in self.queries[point]]

    def check(self):
        """Explores each different model once; those that are too large only as far as a query that
        is decided early needs."""
        tasks, cells, glimpses = {}, {}, {}
        for (point, name), record in self.abstract.items():
            if record["status"] != "done":
                continue
            path, states = self.path(point, name), self.family.expected_states(point, name)
            formulas = self.asked(point, name)
            key = digest(FORMAT, self.tools.sha256, record["sha256"], formulas)[:32]
            why = self.too_large(states)
            cells[point, name] = key = ("glimpse-" if why else "check-") + key
            if why:
                glimpses[key] = why
            run = self.glimpse if why else self.check_one
            tasks.setdefault(key, Task(key, lambda memory, threads, path=path, formulas=formulas,
                                       run=run: run(path, formulas, memory, threads),
                                       self.limits, None if why else states))
        records = self.do("states", tasks.values())
        for key, (status, message) in glimpses.items():
            records[key] = {**records[key], "status": status, "message": message}
        self.checks = {cell: records[key] for cell, key in cells.items()}

    def too_large(self, states):
        """(Status, why) of a number of states that is not tried."""
        if self.limits.largest and (states or 0) > self.limits.largest:
            return "not run", ""
        return None

    def explorer(self, path, memory, threads):
        """A function that runs `varabs check` with more arguments; (run, its JSON or None)."""
        words = [self.tools.varabs, "check", path, "--json", "-", "--jobs", str(threads),
                 "--timeout", f"{self.limits.seconds:g}", "--max-memory", str(memory)]

        def explore(*more, formulas=()):
            asked = [word for formula in formulas for word in ("--query", formula)]
            run = Run([*words, *more, *asked], limit=self.limits.seconds + 60)
            try:
                return run, json.loads(run.text)
            except ValueError:
                return run, None
        return explore

    def record(self, status, memory, **more):
        return {"status": status, "message": "",
                "limits": {"seconds": self.limits.seconds, "memory": memory}, **more}

    def glimpse(self, path, formulas, memory, threads):
        explore = self.explorer(path, memory, threads)
        queries = []
        for formula in formulas:
            run, data = explore("--max-states", str(PARALLEL), formulas=[formula])
            verdict = data["queries"][0]["verdict"] if data else "unknown"
            queries.append({"formula": formula, "verdict": verdict, "problem": "",
                            "tv": run.wall if verdict != "unknown" else None})
        return self.record("done", memory, queries=queries)

    def check_one(self, path, formulas, memory, threads):
        """One run that explores everything, and one for each query that is decided earlier."""
        explore = self.explorer(path, memory, threads)
        bad = {}
        run, data = explore("--full", formulas=formulas)
        if run.status == 3:                      # some query names what was removed
            probes = {formula: explore("--max-states", "1", formulas=[formula])[0]
                      for formula in formulas}
            bad = {formula: first_line(probe.errors).partition("error: ")[2]
                   for formula, probe in probes.items() if probe.status == 3}
            formulas = [formula for formula in formulas if formula not in bad]
            run, data = explore("--full", formulas=formulas) if bad else (run, data)
        record = self.record("failed", memory, threads=threads, tv=run.wall,
                             processor=run.processor, peak_bytes=run.peak, queries=[
                                 {"formula": formula, "verdict": "unknown", "problem": problem,
                                  "tv": None} for formula, problem in bad.items()])
        if data is None:
            record["status"] = "time" if run.status is None else "failed"
            record["message"] = first_line(run.errors) or f"status {run.status}"
            return record
        limit = {None: "done", "time": "time", "memory": "memory", "states": "memory"}
        record["status"] = limit[data["limit"]]
        if data["first_error"]:
            record["message"] = "runtime error: " + data["first_error"]["message"]
        for key in ("states", "transitions", "deadlocks", "errors"):
            text = data[key + "_text"]      # numbers of any size
            record[key] = None if text is None else int(text)
        record["engine"] = data["engine"]
        record["store_bytes"] = data["peak_bytes"]
        for formula, query in zip(formulas, data["queries"]):
            verdict, seconds = query["verdict"], run.wall
            is_early = (formula[:3], verdict) in (("A[]", "violated"), ("E<>", "satisfied"))
            if is_early:
                alone, answer = explore(formulas=[formula])
                is_early = bool(answer) and answer["queries"][0]["verdict"] == verdict
                seconds = alone.wall
            decided = verdict != "unknown" and (is_early or record["status"] == "done")
            record["queries"].append({"formula": formula, "verdict": verdict, "problem": "",
                                      "tv": seconds if decided else None})
        return record

    def verify(self):
        """The same with verifyta, query by query."""
        tasks, cells = {}, {}
        for (point, name), record in self.checks.items():
            formulas = [query["formula"] for query in record.get("queries", [])
                        if not query["problem"]]
            if record["status"] not in ("done", "memory", "time"):
                continue
            model = self.abstract[point, name]["sha256"]
            key = "verifyta-" + digest(FORMAT, self.tools.verifyta_version, model, formulas)[:32]
            cells[point, name] = key
            tasks[key] = Task(key, lambda memory, _, path=self.path(point, name), formulas=formulas:
                              self.verify_one(path, formulas, memory), self.limits)
        records = self.do("verifyta", tasks.values())
        self.others = {cell: records[key] for cell, key in cells.items()}

    def verify_one(self, path, formulas, memory):
        record = self.record("done", memory, queries=[])
        with tempfile.TemporaryDirectory(dir=self.folder) as own:
            asked = os.path.join(own, "query.q")
            for formula in formulas:
                with open(asked, "w", encoding="utf-8") as file:
                    file.write(formula + "\n")
                run = Run([self.tools.verifyta, "-s", "-q", "-u", path, asked],
                          limit=self.limits.seconds, address_space=memory)
                text = run.text + run.errors
                verdict = ("violated" if "is NOT satisfied" in text else
                           "satisfied" if "is satisfied" in text else "unknown")
                explored = re.search(r"States explored\s*:\s*(\d+)", text)
                record["queries"].append({
                    "formula": formula, "verdict": verdict, "peak_bytes": run.peak,
                    "tv": run.wall if verdict != "unknown" else None,
                    "explored": int(explored[1]) if explored else None})
                if verdict == "unknown":
                    record["message"] = first_line(run.errors) or first_line(run.text)
                    record["status"] = ("time" if run.status is None else
                                        "memory" if re.search("memory|bad_alloc", text, re.I)
                                        else "failed")
        return record

