#!/usr/bin/env python3
"""Random test: formulas that `varabs decide` decides by mixed abstractions.

usage: decide_formulas.py --varabs PROGRAM --seeds A..B [--jobs N] [--keep DIR]

For every seed a random model with formulas of knowledge (mixed.py), or for every other one of coalitions
(mixed_strategies.py). `varabs decide --no-look` must give the verdict that the oracle finds in the
original, and decide all but those that are too hard to search. Strategies that are said to have been
checked on the original are played there. How many were decided by an abstraction
with fewer variables is counted.
"""

import json
import os
import re
import shutil
import subprocess
import tempfile
from judges import mixed, mixed_strategies, played
from judges.knowledge import Judge, Problem
from judges.knowledge_claims import run
from judges.strategies import Game, Large, StrategyJudge
from oracle.uppaal_parse import ModelError
from oracle.uppaal_runtime import Budget
from tools import seeds


def truth_of(case):
    """The judge of the original's formulas."""
    if isinstance(case, mixed_strategies.MixedCase):
        return StrategyJudge(case.graph, case.agents, Game(case.graph, case.explored), case.minds)
    return Judge(case.graph, case.agents)


def names_processes(way, text):
    """Whether something is removed in some processes of a template only."""
    templates = re.findall(r'<template>\s*<name[^>]*>(\w+)', text)
    owners = [word.rpartition('.')[0] for word in (way or {}).get('remove', [])]
    return any(owner and owner not in templates for owner in owners)


def compare(case, folder, varabs, timeout, counts):
    """What is wrong, or None."""
    status, text, errors = run(varabs, ['decide', 'in.xml', '--no-look', '--semantics', 'kripke',
                                         '--json', '-'], folder, timeout)
    if not text:
        return None if status == 4 else f"status {status}: {errors}"
    decided = {q['formula']: q for q in json.loads(text)['queries']}
    judge = truth_of(case)
    for formula, tree in case.formulas:
        if formula not in decided:
            return f"it is not decided: {formula}"
        found = decided[formula]
        try:
            truth = judge.holds(tree)[0]
        except (Large, Problem, KeyError):
            continue
        if isinstance(judge, StrategyJudge):
            wrong, said = played.why_not(found, tree, judge)
            counts[f"original: {said}"] += said != 'nothing'
            if wrong:
                return f"{wrong}: {formula}: {found}"
        way = found['decided_by'] and found['decided_by']['way']
        counts[f"{way} {found['verdict']}"] += 1
        counts['in some processes'] += names_processes(found['decided_by'], case.text)
        if found['verdict'] == 'unknown':
            reason = found['reason'] or ''
            if found['limit'] is None and 'strategy' not in reason and 'found first' not in reason:
                return f"it is unknown: {formula}: {found}"
        elif (found['verdict'] == 'satisfied') != truth:
            return f"it is {truth} and not {found['verdict']}: {formula}: {found}"
    return None


def judge_seed(varabs, seed, keep, timeout, counts):
    kind = mixed_strategies if seed % 2 else mixed
    try:
        case = kind.MixedCase(seed)
    except (Budget, Large, ModelError):
        return 'large', ''
    if not case.formulas:
        return 'large', ''
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/in.xml", 'w', encoding='utf-8') as file:
            file.write(case.text)
        try:
            wrong = compare(case, folder, varabs, timeout, counts)
        except subprocess.TimeoutExpired:
            return 'large', ''
        if wrong and keep:
            shutil.copy(f"{folder}/in.xml", os.path.join(keep, f"{seed}.in.xml"))
        if wrong:
            return 'failed', wrong
    return 'passed', ''


def judge(task):
    return seeds.counted(judge_seed, task)


if __name__ == '__main__':
    seeds.main(judge, __doc__, 0.3)
