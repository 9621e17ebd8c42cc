"""What `--auto --may` makes of a model for each of its queries by itself, for corpus.py.

A model for one query sees fewer differences between values than a model for all of them. Beside
these figures stand those of by_query.json, of models that were studied more closely: what was left
when the names of a query kept their values, and the coarsest bisimulation, which nothing that keeps
locations and the truth of the query is smaller than.
"""

import json
import os
import statistics

LEAST_STATES = 20  # of models that count for the summary


def studied():
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "by_query.json"),
              encoding="utf-8") as file:
        return json.load(file)


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
        if together == alone and not study:
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
    found = [entry for entry in entries(rows) if entry[3] > LEAST_STATES and entry[4]]
    studied_too = [entry for entry in found if entry[6]]
    yield "one model for all queries", [entry[3] / entry[4] for entry in found]
    yield "a model for each query", [entry[3] / entry[5] for entry in found]
    yield ("studied queries: their names keep all values",
           [entry[3] / entry[6]["names"] for entry in studied_too])
    yield "studied queries: a model for each", [entry[3] / entry[5] for entry in studied_too]
    yield ("studied queries: coarsest bisimulation",
           [entry[3] / entry[6]["bisimulation"] for entry in studied_too])


def summary_table(rows):
    lines = ["| queries of models with more than 20 states | | at least 2 times smaller | geometric mean |",
             "|---|---:|---:|---:|"]
    for what, factors in summary(rows):
        if factors:
            lines.append(f"| {what} | {len(factors)} | {sum(value >= 2 for value in factors)} |"
                         f" {statistics.geometric_mean(factors):.2f} |")
    return lines


def worse(rows):
    """Those that are larger than classes can make them."""
    return [f"{entry[0]}, query {entry[1]}: {entry[5]} states, {entry[6]['classes']} are enough"
            for entry in entries(rows) if entry[6] and entry[5] > entry[6]["classes"]]


def lines_of(rows):
    return [*summary_table(rows), "", *table(rows)]
