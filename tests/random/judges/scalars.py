"""Are merges of variables that are no array what they say, where selects only say what merges become?

usage: judges/scalars.py [--varabs PROGRAM] [--seeds FIRST..LAST] [--jobs N]

Random models with two or three alike variables, one that says which of them is meant, and edges
that choose by selects what some of them become, alone or with a partner that does as well.  Merged are how
many have some value, and whether the one that is meant has it.  Each is abstracted by --may and
--must, and judged: has it all steps, only such as the original has, and is what is called exact so?
"""

import json
import os
import random
import subprocess
import tempfile
from generators.gen_idle import with_idle
from generators.small_models import xml
from judges.judge import compare
from oracle.uppaal_parse import ModelError
from oracle.uppaal_run import explore, load_network
from oracle.uppaal_runtime import Budget
from tools import seeds

MOST_STATES = 4000
AIMED = 100000 # from this seed on, a receiver sets all of them in the step in which a sender has set some


class Scalars:
    """A model and its merges."""

    def __init__(self, seed):
        rng = self.rng = random.Random(seed)
        self.size, self.top = rng.choice((2, 2, 3)), rng.choice((1, 2, 2))
        if seed > AIMED:
            self.size, self.top = 2, rng.choice((1, 1, 2))
        self.is_aimed = seed > AIMED
        self.is_pair = rng.random() < 0.5 or self.is_aimed
        self.names = [f"c_{i}" for i in range(self.size)]
        self.merges = []
        for name in ('s', 't')[:rng.choice((1, 1, 2))]:
            value = rng.randint(0, self.top)
            parts = ' + '.join(f"({c} == {value})" for c in self.names)
            self.merges.append((f"{name}:int[0,{self.size}]={parts}",) * 2)
        if rng.random() < 0.7:
            value, last = rng.randint(0, self.top), self.names[-1]
            read, meant = last, f"(k >= {self.size - 1}) * ({last} == {value})"
            for i in reversed(range(self.size - 1)):
                read = f"(k == {i} ? {self.names[i]} : {read})"
                meant += f" + (k == {i}) * ({self.names[i]} == {value})"
            self.merges.append((f"m:int[0,1]={read} == {value}", f"m:int[0,1]={meant}"))

    def value(self, selects):
        kind = self.rng.randrange(10)
        if kind < 5:
            selects['v'] = f"int[0,{self.top}]"
            return self.rng.choice(('v', 'v', f"{self.top} - v"))
        return self.rng.choice(self.names) if kind == 5 else str(self.rng.randint(0, self.top))

    def edges(self):
        """An edge, or one for each variable."""
        rng, selects, guards, updates = self.rng, {}, [], []
        which = ['{}'] if rng.random() < 0.6 else [rng.choice(self.names)]
        is_pointed = rng.random() < 0.4
        if rng.random() < 0.7:
            guards.append(f"{which[0]} {rng.choice(('==', '==', '!=', '<='))} {self.value(selects)}")
        if rng.random() < 0.7:
            updates.append(f"{which[0]} = {self.value(selects)}")
        if rng.random() < 0.25:
            updates.append(f"{rng.choice(self.names)} = {self.value(selects)}")
        if rng.random() < 0.4:
            selects['i'] = f"int[0,{self.size - 1}]"
            updates.append('k = i')
            if rng.random() < 0.3:
                guards.append('i != k')
        if rng.random() < 0.3:
            guards.append(f"x == {rng.randint(0, 2)}")
        if rng.random() < 0.5:
            updates.append(f"x = {rng.choice(('0', '1', '2', '(x + 1) % 3'))}")
        rng.shuffle(updates)
        for number, name in enumerate(self.names if which == ['{}'] else which):
            asked = ([f"k == {number}"] if is_pointed else []) + guards
            labels = {'select': ', '.join(f"{n} : {t}" for n, t in selects.items()),
                      'guard': ' && '.join(asked), 'assignment': ', '.join(updates)}
            yield {kind: text.replace('{}', name) for kind, text in labels.items() if text}

    def template(self, name, channel):
        rng, edges = self.rng, []
        places = ['a', 'b'][:rng.choice((1, 2))]
        for _ in range(rng.choice((1, 2, 2, 3)) if not self.is_aimed else rng.choice((0, 0, 1))):
            ends = rng.choice(places), rng.choice(places)
            is_together = channel and rng.random() < 0.5
            for labels in self.edges():
                if is_together:
                    labels['synchronisation'] = channel
                edges.append((*ends, labels))
        if self.is_aimed:
            edges += self.together(channel, places)
        return name, '', '', places, edges

    def together(self, channel, places):
        """The sender sets one or all, the receiver all; and one moves alone, by the variable that is meant."""
        names = self.names if channel == 'go?' or self.rng.random() < 0.3 else self.names[:1]
        selects = [f"v{i} : int[0,{self.top}]" for i in range(len(names))]
        value, rest = self.rng.randint(0, self.top), self.rng.choice(('', ', x = 0'))
        labels = {'synchronisation': channel,
                  'assignment': ', '.join(f"{name} = v{i}" for i, name in enumerate(names)) + rest}
        guards = [{'guard': f"{name} == {self.top}"} for name in self.names]
        if channel == 'go!' or self.rng.random() < 0.2:
            guards = [{}]
        edges = [(places[0], places[0], {'select': ', '.join(selects), **guard, **labels})
                 for guard in guards]
        if channel == 'go?' and self.rng.random() < 0.8:
            edges.append((places[0], places[-1], {'select': f"i : int[0,{self.size - 1}]", 'assignment': 'k = i'}))
            edges += [(places[-1], places[0], {'guard': f"k == {i} && {name} == {self.top}",
                                               'assignment': f"{name} = {value}"})
                      for i, name in enumerate(self.names)]
        return edges

    def asked(self):
        return ' '.join(text for text, _ in self.merges)

    def model(self):
        rng = self.rng
        first = [f"int[0,{self.top}] {name} = {rng.randint(0, self.top)}" for name in self.names]
        declarations = '; '.join([*first, f"int[0,{self.size - 1}] k", 'int[0,2] x', 'chan go']) + ';'
        templates = [self.template('P', 'go!' if self.is_pair else '')]
        if self.is_pair:
            templates.append(self.template('Q', 'go?'))
        return xml(declarations, templates, 'system ' + ', '.join(t[0] for t in templates) + ';')


def judge_mode(case, folder, varabs, mode, concrete, explored):
    arguments = [varabs, 'in.xml', f"--{mode}", '-o', 'out.xml', '--report', 'out.json']
    for text, _ in case.merges:
        arguments += ['--merge', text]
    done = subprocess.run(arguments, cwd=folder, timeout=60, capture_output=True, text=True,
                          check=False)
    if done.returncode:
        return None if done.returncode == 4 else f"status {done.returncode}: {done.stderr}"
    with open(f"{folder}/out.json", encoding='utf-8') as file:
        report = json.load(file)
    judged = 'exact' if report['exact'] else mode
    verdict = compare(concrete, explored, load_network(f"{folder}/out.xml"),
                      [meant for _, meant in case.merges], judged, None, (),
                      judged == 'exact' and bool(report.get('relies_on')))
    for kind, failure in verdict.failures.items():
        return f"{judged}: {kind}: {failure.text}"
    return None


def judge_both(task, make, judge_mode):
    """(seed, outcome, message) of a case by --may and --must; make(seed) gives the case."""
    varabs, seed = os.path.abspath(task[0]), task[1]
    case, wrong = make(seed), None
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/in.xml", 'w', encoding='utf-8') as file:
            file.write(with_idle(random.Random(f"idle {seed}"), case.model()))
        try:
            concrete = load_network(f"{folder}/in.xml")
            explored = explore(concrete, MOST_STATES)
            for mode in ('may', 'must'):
                wrong = wrong or judge_mode(case, folder, varabs, mode, concrete, explored)
        except (Budget, subprocess.TimeoutExpired):
            return seed, 'large', ''
        except ModelError as error:
            wrong = f"unusable: {error}"
    if wrong:
        return seed, 'failed', f"{wrong}\n    {case.asked()}"
    return seed, 'passed', ''


def judge(task):
    return judge_both(task, Scalars, judge_mode)


if __name__ == '__main__':
    seeds.main(judge, __doc__, 1 / 2)
