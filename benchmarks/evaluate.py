#!/usr/bin/env python3
"""evaluate.py FAMILY.json... — run the evaluation of families of models and show it.

A family file says how models are generated, what is removed from them, what is asked and what is
known of the answers: schemas/family.schema.json; families/ has some. Every model is abstracted by
varabs and explored by `varabs check` (and by verifyta, where it is on the PATH or VERIFYTA names it);
refinements of models by others are decided by `varabs refines`.
Results are written to DIR/NAME: results.json (schemas/evaluation.schema.json), .csv and .md, plots
(.svg), and index.html, a page that has all of it. What is done is kept in DIR/NAME/store: a run that
was ended goes on where it was. --snakemake writes a workflow instead, with one job for each cell, for one
machine or many that share DIR; its results are the same. Status 1: a count or verdict differs from what is known, or something
failed. Environment: VARABS, VERIFYTA.
"""

import argparse
import os
import signal
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import measure  # noqa: E402
from evaluation import page, results, runner, workflow  # noqa: E402
from evaluation.family import Bad, Family  # noqa: E402

UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def size(text):
    try:
        value = int(float(text.rstrip("KMG")) * UNITS.get(text[-1:], 1))
    except ValueError:
        value = 0
    if value <= 0:
        raise argparse.ArgumentTypeError(f"'{text}' is no size; write 512M or 20G")
    return value


def positive(text):
    try:
        value = float(text)
    except ValueError:
        value = 0
    if not 0 < value < 1e18:
        raise argparse.ArgumentTypeError(f"'{text}' is no positive number")
    return value


def parse():
    text = __doc__.split("\n\n", 1)
    parser = argparse.ArgumentParser(description=text[0].split(" — ")[1], epilog=text[1],
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("families", nargs="+", metavar="FAMILY.json")
    parser.add_argument("--cells", metavar="NAME", help="a selection that the family names")
    parser.add_argument("--where", action="append", default=[], metavar="PARAMETER=VALUES",
                        help="only these values, such as V=1-6 or C=1,3")
    parser.add_argument("--largest", type=positive, metavar="STATES",
                        help="do not explore what is known to have more states")
    parser.add_argument("--timeout", type=positive, default=900, metavar="SECONDS",
                        help="for each model (900)")
    parser.add_argument("--memory", type=size, metavar="SIZE",
                        help="for all that runs at a time (80%% of what is available)")
    parser.add_argument("--cores", type=int, choices=range(1, 257), metavar="N",
                        help="all of them by default")
    parser.add_argument("--out", default="build/evaluation", metavar="DIR",
                        help="where results go (build/evaluation)")
    parser.add_argument("--snakemake", metavar="FILE",
                        help="write a workflow for Snakemake; --cores and --memory are those of each"
                        " job then (1 core, 80%% of the memory for each)")
    parser.add_argument("--abstraction", metavar="NAME",
                        help="do only this one and write no results, as jobs of a workflow do")
    parser.add_argument("--readme", metavar="FILE",
                        help="write the tables between <!-- NAME:begin --> and <!-- NAME:end -->")
    options = parser.parse_args()
    cores = len(os.sched_getaffinity(0))
    options.cores = options.cores or (1 if options.snakemake else cores)
    if not options.memory:
        options.memory = int(measure.system_memory("MemAvailable") * 0.8) or 1 << 30
        options.memory //= -(-cores // options.cores) if options.snakemake else 1
    return options


def evaluate(path, options, tools, limits):
    """Whether everything is as known."""
    family = Family(path)
    points = family.selection(options.cells, options.where)
    folder = os.path.join(options.out, family.name)
    family.demand(options.abstraction in (None, *family.abstractions),
                  f"there is no abstraction '{options.abstraction}'")
    chosen = [options.abstraction] if options.abstraction else None
    run = runner.Runner(family, points, tools, limits, folder, chosen)
    run.run()
    if chosen:
        return True
    result = results.gather(run, tools, limits, measure.machine())
    files = {"results.json": results.as_json(result), "results.csv": results.as_csv(family, result),
             "results.md": results.as_markdown(family, result),
             **page.plots(family, result)}
    files["index.html"] = page.page(family, result, page.drawings(run, tools))
    for name, text in files.items():
        measure.write(os.path.join(folder, name), text)
    if options.readme:
        block = results.markdown_tables(family, result)
        if not results.rewrite_between(options.readme, family.name, block):
            raise Bad(f"{options.readme}: has no lines <!-- {family.name}:begin --> and"
                      f" <!-- {family.name}:end -->")
    for line in results.summary(family, result):
        print(f"{family.name}: {line}")
    print(f"{family.name}: {os.path.join(folder, 'index.html')}")
    return not result["problems"]


def main():
    options = parse()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    limits = runner.Limits(options.timeout, options.memory, options.cores, options.largest)
    try:
        tools = runner.Tools()
        if options.snakemake:
            families = [Family(path) for path in options.families]
            measure.write(options.snakemake, workflow.text(families, options, tools))
            return 0
        if not tools.verifyta:
            print("no verifyta on the PATH: explored by varabs alone")
        is_right = [evaluate(path, options, tools, limits) for path in options.families]
    except Bad as error:
        sys.exit(f"evaluate.py: error: {error}")
    finally:
        measure.Run.stop_all()
    return 0 if all(is_right) else 1


if __name__ == "__main__":
    sys.exit(main())
