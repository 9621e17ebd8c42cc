"""Families of models: a JSON file (schemas/family.schema.json) says how to generate them, what to
remove from them, what to ask and what is known of the answers."""

import csv
import itertools
import json
import os
import re
import subprocess

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
FIGURES = ("transitions", "deadlocks")  # that may be known besides states
TYPES = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool}


class Bad(Exception):
    """What is wrong with a family, for its author."""


def load_json(path):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except OSError as error:
        raise Bad(f"{path}: cannot read it: {error.strerror}") from error
    except ValueError as error:
        raise Bad(f"{path}: no JSON: {error}") from error


def complaint(value, schema, root, where=""):
    """The first thing in which value does not fit schema, or None. Knows what the schemas of this
    project use."""
    if "$ref" in schema:
        schema = {**root["$defs"][schema["$ref"].rsplit("/", 1)[1]], **schema}
    here = where or "the file"
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    is_strange = isinstance(value, bool) and "boolean" not in kinds
    if kinds and (is_strange or not isinstance(value, tuple(TYPES[k] for k in kinds))):
        return f"{here}: should be of type {' or '.join(kinds)}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{here}: should be one of {', '.join(schema['enum'])}"
    if isinstance(value, int) and value < schema.get("minimum", value):
        return f"{here}: should be at least {schema['minimum']}"
    if isinstance(value, str):
        if len(value) < schema.get("minLength", 0):
            return f"{here}: should not be empty"
        if not re.search(schema.get("pattern", ""), value):
            return f"{here}: '{value}' should consist of letters, digits, _ and -"
    if isinstance(value, list):
        if len(value) < schema.get("minItems", 0):
            return f"{here}: should not be empty"
        if schema.get("uniqueItems") and len(set(map(str, value))) < len(value):
            return f"{here}: has a value twice"
    if isinstance(value, dict):
        for name in schema.get("required", []):
            if name not in value:
                return f"{here}: '{name}' is missing"
        if schema.get("additionalProperties") is False:
            for name in value:
                if name not in schema["properties"]:
                    return (f"{here}: '{name}' is unknown; known are "
                            + ", ".join(schema["properties"]))
    inner = ([(f"{where}/{k}", item, schema.get("items", {})) for k, item in enumerate(value)]
             if isinstance(value, list) else
             [(f"{where}/{name}", item,
               schema.get("properties", {}).get(name, schema.get("additionalProperties", {})))
              for name, item in value.items()] if isinstance(value, dict) else [])
    return next(filter(None, (complaint(item, rule, root, place) for place, item, rule in inner)),
                None)


class Family:
    """A family that was read and is consistent. A point is a tuple of parameter values."""

    def __init__(self, path):
        self.path, self.folder = path, os.path.dirname(os.path.abspath(path))
        data = load_json(path)
        schema = load_json(os.path.join(ROOT, "schemas", "family.schema.json"))
        self.demand(not (wrong := complaint(data, schema, schema)), wrong)
        self.data = data
        self.name, self.title = data["name"], data["title"]
        self.parameters = {row["name"]: row["values"] for row in data["parameters"]}
        self.names = list(self.parameters)
        self.titles = {row["name"]: row.get("title", row["name"]) for row in data["parameters"]}
        self.abstractions = {row["name"]: row for row in data["abstractions"]}
        self.queries = data.get("queries")
        self.tables = data.get("tables") or [{"title": "All abstractions",
                                              "abstractions": list(self.abstractions)}]
        self.check_names()
        more = [f"{name}.{figure}" for name in self.abstractions for figure in FIGURES]
        self.expected = self.read_csv(data.get("expected"), [*self.abstractions, *more])
        for table in self.tables:
            columns = [f"{name}.{figure}" for name in table["abstractions"]
                       for figure in ("states", "ta", "tv")]
            table["figures"] = self.read_csv(table.get("published"), columns)

    def demand(self, condition, message):
        if not condition:
            raise Bad(f"{self.path}: {message}")

    def check_names(self):
        data = self.data
        for member in ("parameters", "abstractions", "queries", "refinements"):
            names = [row["name"] for row in data.get(member, [])]
            self.demand(len(set(names)) == len(names), f"/{member}: has a name twice")
        for number, query in enumerate(self.queries or []):
            self.demand(("formula" in query) != ("position" in query),
                        f"/queries/{number}: give either a formula or a position")
        asked = {query["name"] for query in self.queries or []}
        for number, table in enumerate(self.tables):
            where = f"/tables/{number}"
            for name in table["abstractions"]:
                self.demand(name in self.abstractions, f"{where}: there is no abstraction '{name}'")
            if "query" in table:
                self.demand(table["query"] in asked, f"{where}: there is no query"
                            f" '{table['query']}' in /queries")
        chosen = [(f"/cells/{name}", row) for name, row in data.get("cells", {}).items()]
        chosen += [(f"/refinements/{number}/models", row.get("models", {}))
                   for number, row in enumerate(data.get("refinements", []))]
        chosen += [("/example", {key: [value] for key, value in data.get("example", {}).items()})]
        for where, row in chosen:
            for name, values in row.items():
                self.demand(name in self.parameters, f"{where}: there is no parameter '{name}'")
                for value in values:
                    self.demand(value in self.parameters[name],
                                f"{where}: {value} is no value of {name}")

    def read_csv(self, name, known):
        """{point: {column: text}}"""
        if not name:
            return {}
        path, result = os.path.join(self.folder, name), {}
        try:
            with open(path, encoding="utf-8", newline="") as file:
                reader = csv.DictReader(line for line in file if not line.startswith("#"))
                columns, rows = reader.fieldnames or [], list(reader)
        except OSError as error:
            raise Bad(f"{path}: cannot read it: {error.strerror}") from error
        missing = [column for column in self.names if column not in columns]
        if missing:
            raise Bad(f"{path}: the column '{missing[0]}' is missing")
        strange = [column for column in columns if column not in self.names + known]
        if strange:
            raise Bad(f"{path}: the column '{strange[0]}' is neither a parameter nor one of "
                      + ", ".join(known))
        for row in rows:
            point = tuple(next((value for value in self.parameters[column]
                                if str(value) == row[column]), row[column])
                          for column in self.names)
            result[point] = row
        return result

    def expected_states(self, point, abstraction, figure=None):
        """How many there should be of states, or of a figure; None where that is not known."""
        name = f"{abstraction}.{figure}" if figure else abstraction
        text = self.expected.get(point, {}).get(name) or ""
        self.demand(not text or text.isdigit(),
                    f"{self.data.get('expected')}: '{text}' is no number of {figure or 'states'}")
        return int(text) if text else None

    def selection(self, cells=None, where=()):
        """The points of the named selection (the first, if not given), narrowed by where, a list of
        texts like V=1-6 or C=1,3."""
        named = self.data.get("cells", {})
        self.demand(cells is None or cells in named, f"there are no cells '{cells}'; known are "
                    + (", ".join(named) or "none"))
        chosen = dict(self.parameters)
        chosen.update(named[cells] if cells else next(iter(named.values()), {}) if not where else {})
        for text in where:
            name, _, wanted = text.partition("=")
            self.demand(name in self.parameters, f"there is no parameter '{name}'; known are "
                        + ", ".join(self.names))
            values = set()
            for part in wanted.split(","):
                ends = re.fullmatch(r"(\d+)-(\d+)", part)
                values |= (set(map(str, range(int(ends[1]), int(ends[2]) + 1))) if ends else {part})
            chosen[name] = [value for value in chosen[name] if str(value) in values]
            self.demand(chosen[name], f"{text}: no such value of {name}; known are "
                        + ", ".join(map(str, self.parameters[name])))
        return list(itertools.product(*chosen.values()))

    def fill(self, text, point):
        """The text with parameter values in place of {NAME}."""
        values = dict(zip(self.names, point))
        return re.sub(r"\{(\w+)\}", lambda m: str(values.get(m[1], m[0])), text)

    def label(self, point):
        return ",".join(map(str, point))

    def file_name(self, point, abstraction, ending=".xml"):
        words = [self.name, *map(str, point), abstraction]
        return re.sub(r"[^\w.-]", "_", "_".join(words)) + ending

    def is_model(self, name):
        """Whether this abstraction is the model itself."""
        row = self.abstractions[name]
        return not row["arguments"] and "spec" not in row

    def words(self, name):
        """What an abstraction does, for readers."""
        row = self.abstractions[name]
        spec = ["--spec", f"<({' '.join(row['spec'])})"] if "spec" in row else []
        return " ".join(row["arguments"] + spec) or "the model as it is"

    def generate(self, command, point):
        """What a command writes, in bytes."""
        command = [self.fill(word, point) for word in command]
        try:
            run = subprocess.run(command, cwd=self.folder, capture_output=True, timeout=600,
                                 stdin=subprocess.DEVNULL, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise Bad(f"{self.path}: the generator {command}: {error}") from error
        last = run.stderr.decode("utf-8", "replace").strip().split("\n")[-1]
        self.demand(run.returncode == 0, f"the generator {command} ended with status"
                    f" {run.returncode}: {last}")
        self.demand(run.stdout.strip(), f"the generator {command} wrote nothing")
        return run.stdout
