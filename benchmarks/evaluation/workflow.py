"""A workflow for Snakemake: one job for each cell of the families, and one that collects the results."""

import itertools
import json
import os
import shlex
import sys

HEAD = """# Made by evaluate.py; nothing in it depends on where it is. On one machine, and on a cluster that
# shares the folder of the results:
#
#     snakemake -s FILE -c N
#     snakemake -s FILE --slurm -j N
#
# What was done is kept: a run that was ended goes on with `--rerun-incomplete`.

COMMANDS = {commands}

JOBS = {jobs}

RESULTS = {results}


rule all:
    input: [row["done"] for row in RESULTS.values()]
"""

CELL = """

rule cell:
    output: touch({done})
    threads: {threads}
    resources: mem_mb={megabytes}, runtime={minutes}
    params:
        command=lambda wildcards: COMMANDS[wildcards.family],
        words=lambda wildcards: JOBS[wildcards.family][int(wildcards.number)]
    shell: "{{params.command}} {{params.words}}"


rule results:
    input: lambda wildcards: RESULTS[wildcards.family]["cells"]
    output: touch({results_done})
    params:
        command=lambda wildcards: COMMANDS[wildcards.family],
        words=lambda wildcards: RESULTS[wildcards.family]["words"]
    shell: "{{params.command}} {{params.words}}"
"""


def command(family, options, tools):
    """What all jobs run: with the same limits, so that nothing is done twice."""
    script = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "evaluate.py")
    variables = [f"VARABS={os.path.abspath(tools.varabs)}"]
    if tools.verifyta:
        variables.append(f"VERIFYTA={os.path.abspath(tools.verifyta)}")
    words = ["env", *variables, sys.executable, script, os.path.abspath(family.path),
             "--out", os.path.abspath(options.out), f"--timeout={options.timeout:g}",
             f"--memory={options.memory}", f"--cores={options.cores}"]
    if options.largest:
        words.append(f"--largest={options.largest:g}")
    return shlex.join(words)


def selected(options):
    return ([f"--cells={options.cells}"] if options.cells else []) + [
        f"--where={text}" for text in options.where] + (
            [f"--readme={os.path.abspath(options.readme)}"] if options.readme else [])


def text(families, options, tools):
    """The workflow for all families."""
    commands, jobs, results = {}, {}, {}
    for family in families:
        points = family.selection(options.cells, options.where)
        folder = os.path.join(os.path.abspath(options.out), family.name, "jobs")
        commands[family.name] = command(family, options, tools)
        jobs[family.name] = [
            shlex.join([f"--abstraction={name}", *(f"--where={parameter}={value}" for parameter, value
                                                   in zip(family.names, point))])
            for point, name in itertools.product(points, family.abstractions)]
        results[family.name] = {
            "cells": [os.path.join(folder, f"{number}.done")
                      for number in range(len(jobs[family.name]))],
            "done": os.path.join(folder, "results.done"), "words": shlex.join(selected(options))}
    head = HEAD.format(commands=json.dumps(commands, indent=4), jobs=json.dumps(jobs, indent=4),
                       results=json.dumps(results, indent=4))
    pattern = os.path.join(os.path.abspath(options.out), "{family}", "jobs")
    return head + CELL.format(done=json.dumps(os.path.join(pattern, "{number,[0-9]+}.done")),
                              results_done=json.dumps(os.path.join(pattern, "results.done")),
                              threads=options.cores, megabytes=-(-options.memory >> 20),
                              minutes=int(options.timeout * 10 // 60) + 1)
