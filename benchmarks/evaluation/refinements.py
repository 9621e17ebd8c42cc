"""Refinements of a family: whether models are refined by others, by their actions (`varabs refines`)."""

import json

from measure import Run

FIGURES = ("product", "transitions")


def of_point(family, point):
    """The refinements that a model is asked for."""
    values = dict(zip(family.names, point))
    return [row for row in family.data.get("refinements", [])
            if all(values[name] in some for name, some in row.get("models", {}).items())]


def tasks(runner, digests, task):
    """{(point, name): task}; task(key, run) makes one."""
    family, found = runner.family, {}
    for point in runner.points:
        for row in of_point(family, point):
            name, words = row["name"], [family.fill(word, point) for word in row["arguments"]]
            text = family.generate(row["abstract"], point)
            path = runner.write(runner.path(point, name, ".abstract.xml"), text)
            key = "refines-" + digests(runner.tools.sha256, words, text, runner.inputs[point])
            found[point, name] = task(key, lambda memory, _, paths=(runner.inputs[point], path),
                                      words=words: refine(runner, paths, words, memory))
    return found


def refine(runner, paths, words, memory):
    """The record of one."""
    run = Run([runner.tools.varabs, "refines", *paths, "--json", "-", "--max-memory", str(memory),
               "--timeout", f"{runner.limits.seconds:g}", *words], limit=runner.limits.seconds + 60)
    record = runner.record("failed", memory, message=run.errors.strip().split("\n")[-1][:300],
                           wall=run.wall, processor=run.processor, peak_bytes=run.peak)
    try:
        data = json.loads(run.text)
    except ValueError:
        return {**record, "status": "time" if run.status is None else "failed"}
    limits = {None: "done", "time": "time", "memory": "memory"}
    actions = [step["action"] for step in (data["counterexample"] or {"steps": []})["steps"]]
    return {**record, "status": limits.get(data["limit"], "failed"), "message": "",
            "refines": data["refines"], "product": data["product"]["nodes"],
            "transitions": data["product"]["transitions"],
            "fair": [row["verdict"] for row in data["fairness"]["abstract"]],
            "actions": [action for action in actions if action]}


def problems(row, record, sizes):
    """What differs from what is known; sizes: those of the concrete model, or None."""
    if record["status"] != "done":
        return [record["message"] or record["status"]] if record["status"] == "failed" else []
    expected = dict(row["expected"])
    if expected.pop("product_is_concrete", False) and sizes:
        expected.update(zip(FIGURES, sizes))
    return [f"{name} is {json.dumps(record[name])}, expected {json.dumps(value)}"
            for name, value in expected.items() if record[name] != value]


def gather(runner, cells):
    """Entries of /refinements; cells: those of the models as they are, by point."""
    entries = []
    for (point, name), record in runner.refinements.items():
        row = next(r for r in runner.family.data["refinements"] if r["name"] == name)
        cell = cells.get(point)
        sizes = (cell["states"], cell["transitions"]) if cell and cell["states"] else None
        entry = {"parameters": dict(zip(runner.family.names, point)), "refinement": name}
        entry.update({key: record.get(key) for key in (
            "status", "message", "refines", *FIGURES, "fair", "actions", "wall", "processor",
            "peak_bytes")})
        entry["problems"] = problems(row, record, sizes)
        entries.append(entry)
    return entries


COLUMNS = ["", "refinement", "", "fair to", "states", "transitions", "s", "processor", "MiB"]
WORDS = {True: "refines", False: "does not", None: "unknown"}


def rows(family, result):
    """As texts, for tables."""
    for entry in result.get("refinements", []):
        last = f": action {len(entry['actions'])} is {entry['actions'][-1]}" if entry["actions"] else ""
        fair = ", ".join({"satisfied": "yes", "violated": "no"}.get(word, word)
                         for word in entry["fair"] or [])
        figures = [format(entry[key], ",") if entry[key] is not None else "" for key in FIGURES]
        times = [f"{entry[key]:.2f}" if entry[key] is not None else "" for key in ("wall", "processor")]
        peak = f"{entry['peak_bytes'] / 2**20:.1f}" if entry["peak_bytes"] else ""
        yield [family.label(entry["parameters"].values()), entry["refinement"],
               (WORDS[entry["refines"]] if entry["status"] == "done" else entry["status"])
               + ("" if entry["fair"] else last), fair, *figures, *times, peak]
