"""Are removals of shared variables that guards read together right, whoever writes them in between?

usage: judges/related.py [--varabs PROGRAM] [--seeds FIRST..LAST] [--jobs N]

Random models with two or three global variables that are set together, or one after the other, by processes
that move alone, in pairs, in broadcasts and through branchpoints, and with guards that compare them.  All of
these variables are removed, or some merged.  Each model is abstracted by --may and --must, and judged: has it
all steps, only such as the original has, and is what is called exact so?
"""

import json
import random
import re
import subprocess
from generators.small_models import xml
from judges.judge import compare
from judges.scalars import judge_both
from oracle.uppaal_run import load_network
from tools import seeds

ORDER = ('select', 'guard', 'synchronisation', 'assignment')
FUNCTIONS = 'void put(int[0,2] a) { x = a; y = a; } bool agree() { return x == y; }'


class Related:
    """A model, and what is removed or merged."""

    def __init__(self, seed):
        rng = self.rng = random.Random(seed)
        self.names = ['x', 'y', 'z'][:rng.choice((2, 2, 3))]
        self.top = rng.choice((1, 2, 2))
        self.is_array = rng.random() < 0.2
        self.hands_over, self.channel = rng.random() < 0.25, rng.choice(('go', 'all'))
        self.is_apart = seed % 4 == 2 and not self.is_array
        self.removed, self.merges = list(self.names), []
        if not self.is_array and rng.random() < 0.4:
            text = rng.choice(('bool=x == y', 'bool=x == y && x > 0', f"int[0,{2 * self.top}]=x + y"))
            self.merges.append(f"m:{text}")
            self.removed = self.names[2:]
        if self.is_array:
            self.names, self.removed = [f"x[{i}]" for i in range(len(self.names))], ['x']

    def value(self, selects):
        rng = self.rng
        kind = rng.randrange(12)
        if kind < 4:
            selects['a'] = f"int[0,{self.top}]"
            return rng.choice(('a', 'a', 'a', f"{self.top} - a"))
        if kind < 7:
            return rng.choice(self.names)
        return rng.choice(('v', '0', '1', f"{self.top} - {rng.choice(self.names)}"))

    def guard(self, selects):
        rng = self.rng
        left, right = rng.sample(self.names, 2)
        text = rng.choice((f"{left} == {right}", f"{left} != {right}", f"{left} < {right}",
                           f"{left} == 1 && {right} == {rng.randint(0, self.top)}",
                           f"({left} == 0 || {right} == 1)", f"{left} + {right} == {self.top}",
                           f"{left} == {self.value(selects)} && {right} == {self.value(selects)}"))
        if not self.is_array and rng.random() < 0.1:
            text = 'agree()'
        return text + (f" && v == {rng.randint(0, 1)}" if rng.random() < 0.3 else '')

    def updates(self, selects):
        rng, updates = self.rng, []
        if rng.random() < 0.45: # they keep something in common
            value = self.value(selects)
            updates = [f"{name} = {value if rng.random() < 0.8 else self.value(selects)}"
                       for name in self.names]
        else:
            for name in rng.sample(self.names, rng.choice((0, 1, 1, 2))):
                updates.append(f"{name} = {self.value(selects)}")
        if not self.is_array and rng.random() < 0.1:
            updates.append(f"put({self.value(selects)})")
        if rng.random() < 0.4:
            updates.append(f"v = {self.rng.choice(('0', '1', '1 - v'))}")
        return updates

    def labels(self, guarded):
        selects, labels = {}, {}
        if self.rng.random() < guarded:
            labels['guard'] = self.guard(selects)
        updates = self.updates(selects)
        if updates:
            labels['assignment'] = ', '.join(updates)
        if selects:
            labels['select'] = ', '.join(f"{n} : {t}" for n, t in selects.items())
        return labels

    def apart(self, receives):
        """Each writes a variable that the other one does not name in its update, in the same step."""
        rng, (first, second) = self.rng, self.names[:2]
        guard = f"{first} == 0 && {second} == 0" if receives else f"{second} == 0"
        edges = [('a', 'b', {'guard': guard, 'synchronisation': self.channel + ('?' if receives else '!'),
                             'assignment': f"{second if receives else first} = 1"})]
        if receives or rng.random() < 0.5:
            edges.append(('b', rng.choice('ab'), {'guard': f"{first} == 1 && {second} == {rng.choice('011')}",
                                                  'assignment': 'v = 1 - v'}))
        if rng.random() < 0.3:
            edges.append(('b', 'a', {'guard': re.sub(r'\ba\b', '0', self.guard({})),
                                     'assignment': f"{rng.choice((first, second))} = {rng.choice('01')}"}))
        return edges

    def template(self, name, receives):
        rng, edges = self.rng, []
        if self.is_apart:
            return name, '', '', ['a', 'b'], self.apart(receives)
        places = ['a', 'b'][:rng.choice((1, 2, 2))]
        has_branch = rng.random() < 0.2
        for _ in range(rng.choice((2, 2, 3))):
            ends = rng.choice(places), rng.choice(places)
            labels = self.labels(0.7)
            channel = rng.choice(('', '', 'go', 'go', 'all'))
            if channel:
                does_receive = receives if rng.random() < 0.8 else not receives
                labels['synchronisation'] = channel + ('?' if does_receive else '!')
            if has_branch and 'a' not in labels.get('select', ''):
                edges.append((ends[0], 'X', labels))
                has_branch = False
                for target in places:
                    edges.append(('X', target, self.labels(0)))
            else:
                edges.append((*ends, labels))
        edges = [(*ends, {kind: labels[kind] for kind in ORDER if kind in labels})
                 for *ends, labels in edges]
        branches = ['X^'] if any(edge[1] == 'X' for edge in edges) else []
        if self.hands_over:
            edges[0] = self.handed(receives)
        return name, '', '', places + branches, edges

    def handed(self, receives):
        """One changes a variable, and the other one makes the next equal to it, in the same step."""
        first, second = self.names[:2]
        changed = self.rng.choice((f"{self.top} - {first}", f"{first} == 0 ? 1 : 0", 'a'))
        labels = {'guard': f"{first} == {second}",
                  'synchronisation': self.channel + ('?' if receives else '!'),
                  'assignment': f"{second} = {first}" if receives else f"{first} = {changed}"}
        if labels['assignment'].endswith('a'):
            labels = {'select': f"a : int[0,{self.top}]", **labels}
        return 'a', 'a', labels

    def asked(self):
        return ' '.join(self.merges + self.removed)

    def model(self):
        rng = self.rng
        kind = f"int[0,{self.top}]"
        if self.is_array:
            declared = f"{kind} x[{len(self.names)}]; "
        else:
            start = [rng.randint(0, self.top)] * len(self.names)
            if self.is_apart:
                start = [0] * len(self.names)
            elif rng.random() < 0.3:
                start = [rng.randint(0, self.top) for _ in self.names]
            declared = ' '.join(f"{kind} {n} = {s};" for n, s in zip(self.names, start)) + FUNCTIONS
        templates = [self.template('P', False), self.template('Q', True)]
        if rng.random() < 0.3:
            templates.append(self.template('R', True))
        processes = ', '.join(t[0] for t in templates)
        return xml(declared + ' int[0,1] v; chan go; broadcast chan all;', templates,
                   f"system {processes};")


def judge_mode(case, folder, varabs, mode, concrete, explored):
    arguments = [varabs, 'in.xml', f"--{mode}", '-o', 'out.xml', '--report', 'out.json']
    for text in case.merges:
        arguments += ['--merge', text]
    if case.removed:
        arguments += ['--remove', ','.join(case.removed)]
    done = subprocess.run(arguments, cwd=folder, timeout=60, capture_output=True, text=True,
                          check=False)
    if done.returncode:
        return None if done.returncode == 4 else f"status {done.returncode}: {done.stderr}"
    with open(f"{folder}/out.json", encoding='utf-8') as file:
        report = json.load(file)
    judged = 'exact' if report['exact'] else mode
    verdict = compare(concrete, explored, load_network(f"{folder}/out.xml"),
                      case.merges + case.removed, judged, None, (),
                      judged == 'exact' and bool(report.get('relies_on')))
    for kind, failure in verdict.failures.items():
        if kind == 'new-error' and judged == 'must':
            continue # in a state that it does not reach, perhaps
        return f"{judged}: {kind}: {failure.text}"
    return None


def judge(task):
    return judge_both(task, Related, judge_mode)


if __name__ == '__main__':
    seeds.main(judge, __doc__, 1 / 2)
