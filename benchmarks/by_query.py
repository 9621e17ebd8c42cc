"""What `--auto --may` makes of a model for each of its queries by itself, for corpus.py.

A model for one query sees fewer differences between values than a model for all of them. Beside
these figures stand those of by_query.json, of models that were studied more closely: what was left
when the names of a query kept their values, and, of all models that coarsest.py could explore, the
coarsest bisimulation, which nothing that keeps locations and the truth of the query is smaller than.
"""

import json
import os
import statistics

LEAST_STATES = 20  # of models that count for the summary


PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "by_query.json")


def studied():
    with open(PATH, encoding="utf-8") as file:
        return json.load(file)


def keep(study):
    lines = []
    for name, figures in study.items():
        if isinstance(figures, dict):
            rows = (f"  {json.dumps(number)}: {json.dumps(row)}" for number, row in figures.items())
            lines.append(f" {json.dumps(name)}: {{\n" + ",\n".join(rows) + "\n }")
        else:
            lines.append(f" {json.dumps(name)}: {json.dumps(figures)}")
    with open(PATH, "w", encoding="utf-8") as file:
        file.write("{\n" + ",\n".join(lines) + "\n}\n")


def entries(rows):
    """(model, number, query, states before, for all queries, for it alone, what the study says)."""
    study = studied()
    for name, row in rows.items():
        for number, query in enumerate(row.get("queries", []), 1):
            if row["before"] and query["after"]:
                yield (name, number, query["formula"], row["before"], row["after"], query["after"],
                       study.get(name, {}).get(str(number), {}))


def table(rows):
    """Of those that a model of their own is smaller for, or that were studied."""
    lines = ["| model | query | states | all queries | this one | names kept | classes | bisimulation |",
             "|---|---|---:|---:|---:|---:|---:|---:|"]
    for name, number, formula, before, together, alone, study in entries(rows):
        if together == alone and "names" not in study:
            continue
        formula = formula if len(formula) <= 50 else formula[:47] + "..."
        formula = formula.replace("|", "\\|")
        figures = [before, together, alone, *(study.get(key) for key in
                                              ("names", "classes", "bisimulation"))]
        cells = " | ".join("" if value is None else f"{value:,d}" for value in figures)
        lines.append(f"| {name} | {number}: `{formula}` | {cells} |")
    return lines


def summary(rows):
    """(what, factors), of models with more than some states."""
    study = studied()
    models = [(row["before"], row["after"], study.get(name, {}).get("all"))
              for name, row in rows.items() if row["after"] and row["before"] > LEAST_STATES]
    models = [(before, after, known["bisimulation"]) for before, after, known in models if known]
    yield "explored models: one for all queries", [before / after for before, after, _ in models]
    yield "explored models: coarsest bisimulation", [before / least for before, _, least in models]
    found = [entry for entry in entries(rows) if entry[3] > LEAST_STATES and entry[4]]
    yield "queries: one model for all", [entry[3] / entry[4] for entry in found]
    yield "queries: a model for each", [entry[3] / entry[5] for entry in found]
    known = [entry for entry in found if "bisimulation" in entry[6]]
    yield "explored queries: a model for each", [entry[3] / entry[5] for entry in known]
    yield ("explored queries: coarsest bisimulation",
           [entry[3] / entry[6]["bisimulation"] for entry in known])
    known = [entry for entry in known if "names" in entry[6]]
    yield ("studied queries: their names keep all values",
           [entry[3] / entry[6]["names"] for entry in known])
    yield "studied queries: a model for each", [entry[3] / entry[5] for entry in known]
    yield ("studied queries: coarsest bisimulation",
           [entry[3] / entry[6]["bisimulation"] for entry in known])


def summary_table(rows):
    lines = ["| with more than 20 states | | at least 2 times smaller | geometric mean |",
             "|---|---:|---:|---:|"]
    for what, factors in summary(rows):
        if factors:
            lines.append(f"| {what} | {len(factors)} | {sum(value >= 2 for value in factors)} |"
                         f" {statistics.geometric_mean(factors):.2f} |")
    return lines


def worse(rows):
    """Those that are larger than classes can make them, or smaller than is possible."""
    known = studied()
    wrong = [(f"{name}, query {number}", alone, study["bisimulation"])
             for name, number, _, _, _, alone, study in entries(rows) if "bisimulation" in study]
    wrong += [(name, row["after"], known[name]["all"]["bisimulation"])
              for name, row in rows.items() if row["after"] and "all" in known.get(name, {})]
    return [f"{what}: {after} states, an exact abstraction has {least} at least"
            for what, after, least in wrong if after < least] + \
           [f"{entry[0]}, query {entry[1]}: {entry[5]} states, {entry[6]['classes']} are enough"
            for entry in entries(rows) if entry[5] > entry[6].get("classes", entry[5])]


def lines_of(rows):
    return [*summary_table(rows), "", *table(rows)]
