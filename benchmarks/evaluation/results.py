"""What came out, beside what was published and what is known: results as JSON, CSV and Markdown."""

import csv
import io
import json
import re

from . import refinements
from .family import FIGURES

STATUS = {"memory": "memory limit", "time": "time limit", "not run": "not run", "failed": "failed",
          "not available": "not available"}
LARGE = 100_000_000  # states
SLOWEST = 20         # of those in a table
KNOWS = re.compile(r"\b(K|Kw|GK|GCK|DK)\s*\(")  # of which exactness says nothing


def seconds(value):
    """Seconds with about three digits."""
    if value is None:
        return ""
    return f"{value:.3f}" if value < 1 else f"{value:.2f}" if value < 100 else f"{value:.0f}"


def printed_equals(text, states):
    """Whether a printed number such as 1.90e+1 or 2987 means this one; None where it has one digit
    only (a bound such as 1e+8), or is no number."""
    if re.fullmatch(r"\d+", text):
        return int(text) == states
    if re.fullmatch(r"\d\.\d\de\+\d+", text):
        mantissa, _, power = f"{states:.2e}".partition("e")
        return text == f"{mantissa}e+{int(power)}"
    return None


def judge(cell, query, of_model):
    """What is wrong with a verdict. of_model: that on the model itself, checked or expected."""
    verdict = query["verdict"]
    if verdict == "unknown" or not of_model or verdict == of_model or not query["carries_over"]:
        return None
    return f"'{query['name']}' is {verdict}, on the model itself {of_model}"


def make_cell(runner, point, name):
    """One entry of /cells, but for what is wrong with it."""
    family, abstract = runner.family, runner.abstract[point, name]
    check = runner.checks.get((point, name))
    other = runner.others.get((point, name), {})
    is_model = family.is_model(name)
    status = abstract["status"]
    if status == "done":
        status = check["status"] if check else "not run"
    cell = {"parameters": dict(zip(family.names, point)), "abstraction": name, "status": status,
            "message": abstract["message"] or (check or {}).get("message", ""),
            "states": None, "expected_states": family.expected_states(point, name)}
    check = check or {}
    if check.get("status") == "done":
        cell["states"] = check["states"]
    for key in ("transitions", "deadlocks", "errors"):
        cell[key] = check.get(key) if check.get("status") == "done" else None
    for key in ("edges_before", "edges_after", "exact", "ta", "ta_processor", "ta_peak_bytes"):
        cell[key] = abstract.get(key)
    for key in ("tv", "processor", "threads", "engine", "peak_bytes", "store_bytes"):
        cell[key] = check.get(key)
    cell["model"] = f"models/{family.file_name(point, name)}" if "sha256" in abstract else None
    guarantees = {row["formula"]: row for row in abstract.get("guarantees", [])}
    others = {row["formula"]: row for row in other.get("queries", [])}
    answers = {row["formula"]: row for row in check.get("queries", [])}
    cell["queries"] = []
    for (label, formula, _), asked in zip(runner.queries[point], runner.asked(point, name)):
        answer = answers.get(asked, {"verdict": "unknown", "tv": None})
        verdict, known = answer["verdict"], guarantees.get(formula, {})
        is_exact = abstract.get("exact") and not KNOWS.search(formula)
        carries = is_model or bool(known.get(verdict) if known else is_exact)
        row = {"name": label, "formula": asked, "verdict": verdict, "tv": answer["tv"],
               "carries_over": carries and verdict != "unknown"}
        if asked in others:
            row["verifyta"] = {key: others[asked][key]
                               for key in ("verdict", "tv", "explored", "peak_bytes")}
        cell["queries"].append(row)
    return cell


def find_problems(family, cells, expected):
    """expected: {(point, query name): verdict}. Marks cells and returns the list."""
    problems, models = [], {}
    for cell in cells:
        point = tuple(cell["parameters"].values())
        if family.is_model(cell["abstraction"]):
            for query in cell["queries"]:
                models[point, query["name"]] = query["verdict"]
    for cell in cells:
        point = tuple(cell["parameters"].values())
        wrong = []
        states = cell["states"]
        if cell["status"] == "failed":
            wrong.append(cell["message"] or "failed")
        if cell["errors"]:
            wrong.append(cell["message"] or f"{cell['errors']} runtime errors")
        if None not in (states, cell["expected_states"]) and states != cell["expected_states"]:
            wrong.append(f"{states:,} states, expected {cell['expected_states']:,}")
        for figure in FIGURES:
            known = family.expected_states(point, cell["abstraction"], figure)
            if None not in (known, cell[figure]) and known != cell[figure]:
                wrong.append(f"{cell[figure]:,} {figure}, expected {known:,}")
        for table in family.tables:
            text = table["figures"].get(point, {}).get(f"{cell['abstraction']}.states", "")
            if states is not None and printed_equals(text, states) is False:
                wrong.append(f"{states:,} states, published {text}")
        for query in cell["queries"]:
            known = models.get((point, query["name"]), "unknown")
            for verdict in (expected.get((point, query["name"])), known):
                if verdict in ("satisfied", "violated"):
                    wrong.append(judge(cell, query, verdict))
            other = query.get("verifyta", {}).get("verdict", "unknown")
            if "unknown" not in (other, query["verdict"]) and other != query["verdict"]:
                wrong.append(f"'{query['name']}' is {query['verdict']}, for verifyta {other}")
        cell["problems"] = list(dict.fromkeys(filter(None, wrong)))
        problems += [f"{family.label(point)} {cell['abstraction']}: {text}"
                     for text in cell["problems"]]
    return problems


def gather(runner, tools, limits, machine):
    """The whole result, as schemas/evaluation.schema.json describes it."""
    family = runner.family
    cells = [make_cell(runner, point, name) for point in runner.points
             for name in family.abstractions]
    expected = {(point, name): verdict for point in runner.points
                for name, _, verdict in runner.queries[point]}
    problems = find_problems(family, cells, expected)
    refined = refinements.gather(runner, {tuple(cell["parameters"].values()): cell for cell in cells
                                          if family.is_model(cell["abstraction"])})
    problems += [f"{family.label(row['parameters'].values())} {row['refinement']}: {text}"
                 for row in refined for text in row["problems"]]
    return {"format": 1, "family": family.name, "title": family.title,
            "tool": {"version": tools.version, "sha256": tools.sha256,
                     "verifyta": tools.verifyta_version or None},
            "machine": machine,
            "limits": {"seconds": limits.seconds, "memory_bytes": limits.memory,
                       "cores": limits.cores},
            "parameters": family.names, "abstractions": list(family.abstractions),
            "problems": problems, "cells": cells,
            **({"refinements": refined} if "refinements" in family.data else {})}


def rows_of(family, result, table):
    """For a table: [(point, {abstraction: (cell, figures)})]; figures are what was published."""
    cells = {(tuple(cell["parameters"].values()), cell["abstraction"]): cell
             for cell in result["cells"]}
    rows = []
    for point in dict.fromkeys(point for point, _ in cells):
        known = table["figures"].get(point, {})
        rows.append((point, {name: (cells[point, name],
                                    {key: known.get(f"{name}.{key}") or ""
                                     for key in ("states", "ta", "tv")})
                             for name in table["abstractions"]}))
    return rows


def tv_of(cell, table):
    """Seconds of the query of a table, or of the whole exploration."""
    if "query" not in table:
        return cell["tv"] if cell["status"] == "done" else None
    return next(query["tv"] for query in cell["queries"] if query["name"] == table["query"])


def states_text(cell):
    return STATUS[cell["status"]] if cell["states"] is None else f"{cell['states']:,}"


def is_filled(cell, figures):
    """Whether a count is new: the publication ran out of memory."""
    return cell["states"] is not None and figures["states"] == "memout"


def count_line(family, result):
    """How the counts compare, in a sentence or two."""
    agree, filled, exact, missing, seen = 0, 0, 0, 0, set()
    for table in family.tables:
        for point, row in rows_of(family, result, table):
            for name, (cell, figures) in row.items():
                same = (cell["states"] is not None
                        and printed_equals(figures["states"], cell["states"]))
                agree += bool(same)
                filled += is_filled(cell, figures)
                if (point, name) not in seen:
                    seen.add((point, name))
                    exact += cell["states"] is not None and cell["states"] == cell["expected_states"]
                    missing += cell["states"] is None
    text = f"{len(seen)} cells, {len(seen) - missing} of them with all states explored"
    text += f", {exact} counts as known" if exact else ""
    if agree or filled:
        text += (f". {agree} published counts come out as printed; {filled} are filled where the"
                 " publication ran out of memory")
    return text + "."


def as_json(result):
    return json.dumps(result, indent=1) + "\n"


def as_csv(family, result):
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["table", *family.names, "abstraction", "status", "states", "expected_states",
                     "published_states", "transitions", "edges_before", "edges_after", "exact",
                     "ta_seconds", "published_ta_seconds", "query", "verdict", "tv_seconds",
                     "published_tv_seconds", "verifyta_seconds", "peak_bytes", "threads"])
    for table in family.tables:
        for point, row in rows_of(family, result, table):
            for name, (cell, figures) in row.items():
                asked = next((query for query in cell["queries"]
                              if query["name"] == table.get("query")), {})
                time = tv_of(cell, table)
                writer.writerow([
                    table["title"], *point, name, cell["status"], cell["states"],
                    cell["expected_states"], figures["states"], cell["transitions"],
                    cell["edges_before"], cell["edges_after"],
                    "" if cell["exact"] is None else str(cell["exact"]).lower(),
                    seconds(cell["ta"]), figures["ta"], asked.get("name"), asked.get("verdict"),
                    seconds(time), figures["tv"],
                    seconds(asked.get("verifyta", {}).get("tv")), cell["peak_bytes"],
                    cell["threads"]])
    return out.getvalue()


def head_and_rows(family, result, table):
    """A table like the published one: (names above, columns, rows); each entry of a row is
    (our text, published text, mark). A mark is "filled", "missing" or ""."""
    above = [("", 1)]
    columns = [",".join(family.names)]
    for name in table["abstractions"]:
        row = family.abstractions[name]
        figures = ["states", "tv"] if family.is_model(name) else ["states", "ta", "tv"]
        figures += ["MiB"] * table.get("memory", False)
        above.append((row.get("title", name), len(figures)))
        columns += figures
    rows = []
    for point, entries in rows_of(family, result, table):
        line = [(family.label(point), "", "")]
        for name in table["abstractions"]:
            cell, figures = entries[name]
            mark = ("missing" if cell["states"] is None else
                    "filled" if is_filled(cell, figures) else "")
            same = printed_equals(figures["states"], cell["states"] or 0)
            line.append((states_text(cell), "" if same else figures["states"], mark))
            if not family.is_model(name):
                line.append((seconds(cell["ta"]), figures["ta"], ""))
            line.append((seconds(tv_of(cell, table)), figures["tv"], ""))
            if table.get("memory", False):
                line.append((mebibytes(cell["peak_bytes"]), "", ""))
        rows.append(line)
    return above, columns, rows


def summary(family, result):
    """Lines of text: what was run, how it compares, what is missing."""
    limits = result["limits"]
    lines = [f"{result['tool']['version']}; {result['machine']}; {limits['memory_bytes'] / 2**30:.1f}"
             f" GiB and {limits['seconds']:g} s for each model.", count_line(family, result)]
    times = [(cell["ta"], cell) for cell in result["cells"] if cell["ta"] is not None]
    if times:
        worst, cell = max(times, key=lambda pair: pair[0])
        lines.append(f"Generating an abstraction took {worst * 1000:.1f} ms at most"
                     f" ({family.label(cell['parameters'].values())} {cell['abstraction']}).")
    missing = {}
    for cell in result["cells"]:
        if cell["status"] not in ("done", "failed"):
            missing.setdefault((cell["status"], cell["message"]), []).append(cell["abstraction"])
    for (status, message), names in missing.items():
        counts = ", ".join(f"{names.count(name)} {name}" for name in dict.fromkeys(names))
        lines.append(f"{STATUS[status]}: {counts}{message and f' ({message})'}.")
    return lines + [f"WRONG: {text}" for text in result["problems"]]


def largest_lines(family, result):
    """What took most time and memory, each model once, as a table."""
    runs = {}
    for cell in result["cells"]:
        if (cell["states"] or 0) >= LARGE:
            runs.setdefault((cell["states"], cell["tv"], cell["peak_bytes"]), cell)
    if not runs:
        return []
    lines = ["#### The largest models", "",
             f"Complete explorations of a hundred million states and more: the {SLOWEST} that took"
             " longest. Peaks of the whole process.", "",
             "| " + ",".join(family.names) + " | abstraction | engine | states | transitions | s | MiB |",
             "|---|---|---|" + "---:|" * 4]
    slowest = sorted(runs.items(), key=lambda item: -(item[0][1] or 0))[:SLOWEST]
    for (states, time, peak), cell in sorted(slowest):
        lines.append(f"| {family.label(cell['parameters'].values())} | {cell['abstraction']}"
                     f" | {cell['engine']} | {states:,} | {cell['transitions']:,} | {seconds(time)}"
                     f" | {mebibytes(peak)} |")
    return lines + [""]


def markdown_tables(family, result):
    """Compact tables for a README."""
    lines = ["- " + line for line in summary(family, result)] + [""]
    for table in family.tables:
        above, columns, rows = head_and_rows(family, result, table)
        names = [title for title, width in above for _ in range(width)]
        heads = [f"{name} {column}".strip() for name, column in zip(names, columns)]
        lines += [f"#### {table['title']}", ""] + ([table["about"], ""] if "about" in table else [])
        lines += ["| " + " | ".join(heads) + " |", "|---|" + "---:|" * (len(heads) - 1)]
        for row in rows:
            words = []
            for text, published, mark in row:
                text = f"**{text}**" if mark == "filled" else text
                words.append(" ".join(filter(None, (text, published and f"({published})"))))
            lines.append("| " + " | ".join(words) + " |")
        lines.append("")
    return "\n".join(lines + refinement_lines(family, result) + largest_lines(family, result))


def refinement_lines(family, result):
    """What refines what, as a table."""
    if not result.get("refinements"):
        return []
    lines = ["#### Refinements", "", "Sizes are those of the product.", "",
             "| " + " | ".join(refinements.COLUMNS) + " |", "|---|---|---|---|" + "---:|" * 5]
    return lines + ["| " + " | ".join(row) + " |" for row in refinements.rows(family, result)] + [""]


def mebibytes(value):
    """With a decimal if there are few."""
    return "" if value is None else format(value / 2**20, ",.1f" if value < 2**27 else ",.0f")


DETAILS = ["", "abstraction", "edges", "exact", "states", "transitions", "states/s", "MiB",
           "bytes/state", "threads", "verdicts", "remarks"]


def detail_rows(family, result):
    """One row a cell, with everything: for the long table."""
    letters = {"satisfied": "+", "violated": "-", "unknown": "?"}
    for cell in result["cells"]:
        states, peak = cell["states"], cell["peak_bytes"]
        rate = states / cell["tv"] if states and cell["tv"] and states > 10000 else None
        edges = cell["edges_after"]
        if edges is not None and edges != cell["edges_before"]:
            edges = f"{cell['edges_before']} to {edges}"
        verdicts = "".join(letters[query["verdict"]] for query in cell["queries"])
        others = [seconds(query["verifyta"]["tv"]) or "?" for query in cell["queries"]
                  if "verifyta" in query]
        remarks = cell["problems"][:] or [cell["message"]] * bool(cell["message"])
        remarks += ["verifyta: " + ", ".join(others) + " s"] if others else []
        yield [family.label(cell["parameters"].values()),
               cell["abstraction"], "" if edges is None else str(edges),
               {None: "", True: "yes", False: "no"}[cell["exact"]], states_text(cell),
               "" if cell["transitions"] is None else f"{cell['transitions']:,}",
               "" if rate is None else f"{rate:,.0f}", mebibytes(peak),
               f"{peak / states:.1f}" if states and peak and 100000 < states < peak * 10 else "",
               str(cell["threads"] or ""), verdicts if cell["states"] is not None else "",
               "; ".join(remarks)]


def as_markdown(family, result):
    text = [f"# {family.title}", "", markdown_tables(family, result), "## All cells", "",
            "| " + " | ".join(DETAILS) + " |", "|---" * len(DETAILS) + "|"]
    text += ["| " + " | ".join(row) + " |" for row in detail_rows(family, result)]
    return "\n".join(text) + "\n"


def rewrite_between(path, name, text):
    """Puts text between the lines <!-- NAME:begin --> and <!-- NAME:end --> of a file."""
    with open(path, encoding="utf-8") as file:
        old = file.read()
    begin, end = f"<!-- {name}:begin -->\n", f"<!-- {name}:end -->"
    head, found, rest = old.partition(begin)
    _, ends, tail = rest.partition(end)
    if not found or not ends:
        return False
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write(head + begin + text.strip("\n") + "\n" + end + tail)
    return True
