"""Is nothing said of models with meta variables that keep their values that depends on which states Uppaal finds first?

usage: judges/metas.py --varabs PROGRAM --seeds FIRST..LAST [--jobs N] [--keep DIR]

Random models with meta variables that a step may read before it writes them, single ones and arrays, global and
local.  Uppaal takes states that differ in these alone for one, and goes on from the one that it finds first.  So a
model is explored here in many orders, each of which leaves verdicts.  Variables are removed or merged, also cells and
at some locations, values are exchanged, processes go; by --may, --must, --mixed and --auto.  A verdict that is said
to carry over must be that of the original in all orders, if the output has it in some order; one of `check`, of a
mixed abstraction as well, and of `decide`, must be so in all orders.  So must one be that `certify` says to carry
over where processes are gone.
"""

import collections
import io
import json
import os
import random
import subprocess
import tempfile
from generators.small_models import xml
from judges.claims import claims_some, renamed, rewritten
from judges.check import plain
from judges.lacking import strike
from oracle.equal import bare_of
from oracle.uppaal_parse import ModelError
from oracle.uppaal_query import SEMANTICS, Graph, decide, queries_of
from oracle.uppaal_run import Exploration, explore, load_network
from oracle.uppaal_runtime import Budget
from tools import seeds
from tools.limit import run_limited

MOST_STATES, ORDERS = 1500, 14
REFUSALS = ('does not keep its value', 'whose values can be exchanged')  # of meta variables
CHANGED = ('removed', 'without', 'normalised', 'split')
WORDS = ('satisfied', 'violated')


# What writes a meta variable on some ways only, what reads it again, and what writes it in each step.
FUNCTIONS = '''void some() { if (h == 0) m = 1; }
void set(int[0,2] &x) { int i; for (i = 0; i < h; i++) x = 1; }
int[0,1] taken() { int[0,1] had = m > 0 ? 1 : 0; m = 0; return had; }
int[0,1] put(int[0,1] value) { m = value; return m == value ? 1 : 0; }
'''
HOOKS = ('before_update { m = 0 }\n', 'before_update { some() }\n', 'after_update { m = h > 0 ? 1 : 0 }\n')


class Meta:
    """A model, and what is asked of it."""

    def __init__(self, rng):
        self.rng = rng
        self.values = ['h', 'm'] + rng.choice(([], ['v'], ['n'], ['v', 'n']))  # m and n are meta
        self.top = {name: rng.choice((1, 1, 2)) for name in self.values}
        self.cells = rng.choice(('', '', '', 'meta ', 'plain'))
        self.locals = rng.choice(([], [], ['k'], ['w'], ['k', 'w']))           # w is meta
        self.looks_on = rng.random() < 0.15
        self.is_scratch = rng.random() < 0.2  # only what a step may not have written keeps a value

    def declared(self):
        text = ''.join(f"{'meta ' * (name in 'mn')}int[0,{self.top[name]}] {name};\n" for name in self.values)
        if self.cells:
            text += f"{self.cells.replace('plain', '')}int[0,1] d[3];\n"
        text += 'chan go; broadcast chan all;\n' + FUNCTIONS
        return text + self.rng.choice(HOOKS) if self.rng.random() < 0.2 else text

    def variables(self, is_first):
        found = [(name, self.top[name]) for name in self.values]
        if not self.is_scratch or self.cells == 'plain':
            found += [(f"d[{self.rng.randrange(3)}]", 1)] * bool(self.cells)
        found += [(name, 1) for name in self.locals] * is_first
        return [one for one in found if not self.is_scratch or one[0] not in ('m', 'n', 'w')]

    def guard(self, is_first):
        rng = self.rng
        found = self.variables(is_first)
        name, top = rng.choice(found)
        if rng.random() < 0.4:
            name, top = next(((n, t) for n, t in found if n[0] in 'mnwd'), (name, top))
        if self.cells and not self.is_scratch and rng.random() < 0.25:
            return rng.choice(('exists (i : int[0,2]) d[i] == 1', 'forall (i : int[0,2]) d[i] == 0',
                               'd[0] + d[1] + d[2] == 1', 'd[e] == 0'))
        return rng.choice((f"{name} == {rng.randint(0, top)}", f"{name} == {rng.randint(0, top)}", f"{name} > 0",
                           f"{name} == {rng.choice(found)[0]}"))

    def updates(self, is_first):
        rng, found = self.rng, []
        all_of = self.variables(is_first)
        for name, top in rng.sample(all_of, min(len(all_of), rng.choice((0, 1, 1, 2)))):
            others = [n for n, t in all_of if t <= top]
            found.append(f"{name} = {rng.choice((*map(str, range(top + 1)), f'{top} - {name}', rng.choice(others)))}")
        if self.is_scratch and rng.random() < 0.8:
            cells = ('d[0] = 1, h = d[1]', 'd[1] = 1', 'd[0] = 0, h = d[1]') * (self.cells == 'meta ')
            found = [rng.choice(('some(), h = m > 0 ? 1 : 0', 'some(), h = m > 0 ? 1 : 0', 'h = put(1)', 'h = 0', 'm = 1',
                                 'm = h > 0 ? 0 : 1, h = m') + cells)]
        if not self.is_scratch and rng.random() < 0.2:
            found.append(rng.choice(('some()', f"{rng.choice('hm')} = taken()", f"h = put({rng.choice('01')})",
                                     'm = h > 0 ? 0 : 1, h = m')))
        if self.top['m'] == 2 and not self.is_scratch and rng.random() < 0.1:
            found.append('set(m)')
        if self.cells and not self.is_scratch and rng.random() < 0.3:
            found.append(rng.choice(('d[e] = 1', 'd[e] = 1 - d[e]', 'd[e] = 0')))
        return ', '.join(found)

    def edges(self, places, is_first):
        rng, found = self.rng, []
        for at in range(rng.choice((3, 4, 5))):
            source = places[0] if at < 2 else rng.choice(places)
            labels = {'guard': self.guard(is_first)} if at and rng.random() < 0.6 else {}
            if at and rng.random() < 0.3:
                labels['synchronisation'] = rng.choice(('go', 'go', 'all')) + rng.choice('!?' if is_first else '??!')
            labels['assignment'] = self.updates(is_first)
            if any('[e]' in text for text in labels.values()):
                labels = {'select': 'e : int[0,2]', **labels}
            labels = {kind: labels[kind] for kind in ('select', 'guard', 'synchronisation', 'assignment')
                      if labels.get(kind)}
            found.append((source, rng.choice([p for p in places if p != source] or places), labels))
            if at == 1 and rng.random() < 0.5:  # two ways to one place, with other values
                found[1] = (source, found[0][1], labels)
        return found

    def chase(self, places):
        """Two states that Uppaal takes for one, or that the abstraction makes one, and a place behind one of them."""
        rng = self.rng
        if self.is_scratch:  # a value is left that a step may read again
            is_array = self.cells == 'meta ' and rng.random() < 0.5
            left, read = ('d[1] = 1', 'd[0] = 1, h = d[1]') if is_array else ('m = 1', 'some(), h = m > 0 ? 1 : 0')
            return [(places[0], places[1], {'assignment': left + ', h = 1'}),
                    (places[1], places[-1], {'assignment': read})]
        meta = rng.choice([name for name in ('m', 'n', 'w') if name in self.values + self.locals])
        other = rng.choice([name for name in ('h', 'v', 'k') if name in self.values + self.locals])
        first, last = rng.sample((0, 1), 2)
        labels = [f"{meta} = {first}" + rng.choice((f", {other} = 1", '')), f"{meta} = {last}"]
        return [(places[0], places[1], {'assignment': text}) for text in rng.sample(labels, 2)] + \
            [(places[1], places[-1], {'guard': f"{meta} == {rng.choice((first, last))}"})]

    def template(self, name, is_first):
        rng = self.rng
        places = ['a', 'b', 'c'][:rng.choice((2, 3))]
        edges = self.edges(places, is_first)
        if is_first and rng.random() < 0.6:
            edges = self.chase(places) + rng.sample(edges, rng.choice((0, 1, 2)))
        declared = ''.join(f"{'meta ' * (n == 'w')}int[0,1] {n};\n" for n in self.locals) * is_first
        return name, '', declared, [p + rng.choice(('', '', '', '', '~', '!') if p != 'a' else ('',))
                                    for p in places], edges

    def formulas(self, places):
        rng, names = self.rng, [n for n, _ in self.variables(False)]
        atoms = [f"P.{place}" for place in places] + [f"{n} == {rng.randint(0, 1)}" for n in names]
        found = []
        for kind in ('E<>', 'E<>', 'A[]', 'A[]', 'A<>', 'E[]', '-->'):
            one, other = rng.choice(atoms), rng.choice(atoms)
            text = rng.choice((one, one, f"not {one}", f"({one} and not {other})"))
            found.append(f"{text} --> {other}" if kind == '-->' else f"{kind} {text}")
        return [*found, f"E<> P.{places[-1]}", 'A[] not deadlock', rng.choice(('E<> deadlock', 'sup: h', 'inf: h'))]

    def model(self):
        rng = self.rng
        templates = [self.template('P', True)]
        self.places = [place.rstrip('~!') for place in templates[0][3]]
        if rng.random() < 0.5:
            templates.append(self.template('Q', False))
        names = [t[0] for t in templates]
        if self.looks_on:
            templates.append(('Z', '', 'int[0,1] z;', ['a', 'b'],
                              [('a', 'b', {'guard': self.guard(False).replace('d[e]', 'd[0]'),
                                           'assignment': 'z = 1'}), ('b', 'a', {})]))
            names.append('Z')
        return xml(self.declared(), templates, f"system {', '.join(names)};", self.formulas(self.places))

    def request(self):
        """What is removed, as arguments and a spec or None."""
        rng = self.rng
        names = self.values + ['d'] * bool(self.cells) + [f"P.{n}" for n in self.locals]
        words, spec = [], None
        kind = rng.randrange(14)
        if self.looks_on and kind < 8:
            return ['--without', 'Z'] + (['--remove', rng.choice(names)] if kind < 3 else []), None
        if kind == 0:
            return ['--auto'], None
        if kind in (8, 9, 10) and 'w' in self.locals:  # all that are meta go, one of them in some locations only
            names = [n for n in names if n in ('h', 'm', 'n') or n == 'd' and self.cells == 'meta ']
            return sum((['--remove', name] for name in [*names, f"P.w@{rng.choice(self.places)}"]), []), None
        if kind == 1:
            spec = {'normalise': [rng.choice([n for n in names if n[-1] in 'hvk' or rng.random() < 0.1])]}
        if kind in (2, 3):
            left = ['h', rng.choice(self.values[1:] if rng.random() < 0.2 or 'v' not in self.values else ['v'])]
            text = rng.choice(('int[0,4]={} + {}', 'bool={} == {}', 'bool={} > 0', 'bool={} > 0 && {} == 0'))
            words += ['--merge', 'x:' + text.format(*left)]  # which is refused if one is meta
            names = [n for n in names if n not in left]
        if kind in (4, 5, 6) and self.cells:
            words += ['--merge', 'x:' + rng.choice(('bool=exists (i : int[0,2]) d[i] == 1',
                                                    'int[0,3]=sum (i : int[0,2]) d[i]',
                                                    'bool=forall (i : int[0,2]) d[i] == 0'))]
            names = [n for n in names if n != 'd']
        removed = rng.sample(names, min(len(names), rng.choice((1, 1, 1, 2, 3)))) if not words or rng.random() < 0.4 \
            else []
        for name in removed if not spec else []:
            if name[:2] == 'P.' and rng.random() < 0.5:
                name += '@' + ','.join(rng.sample(self.places, rng.choice((1, 1, 2)) if len(self.places) > 2 else 1))
            words += ['--remove', name]
        return words, spec


def found_first(network, rng, way):
    """The states that Uppaal keeps in one order, as an Exploration."""
    bare, found = bare_of(network), Exploration()
    kept, waiting, steps = {}, [network.initial], {}
    kept[bare(network.initial)] = network.initial
    while waiting:
        state = waiting.pop(0 if way == 'breadth' else -1 if way == 'depth' else rng.randrange(len(waiting)))
        steps[state] = network.successors(state)
        targets = list(steps[state][0])
        if way != 'breadth':
            rng.shuffle(targets)
        for _, target in targets:
            if bare(target) not in kept:
                kept[bare(target)] = target
                waiting.append(target)
        if len(kept) > MOST_STATES:
            raise Budget("too many states")
    for state in kept.values():
        found.states[state] = len(found.states)
    for state in found.states:
        ways, errors = steps[state]
        found.steps.append([(parts, kept[bare(target)]) for parts, target in ways])
        found.errors.append(errors)
        found.error_count += len(errors)
    return found


class Verdicts:
    """What the orders leave of queries: answers(formula, semantics) is a set of words, or of values."""

    def __init__(self, path, rng):
        self.network = load_network(path)
        explored = explore(self.network, MOST_STATES)  # also that no order fails
        self.fails = explored.error_count > 0
        ways = ['breadth'] * 2 + ['depth'] * 4 + ['any'] * (ORDERS - 6)
        self.graphs = [Graph(self.network, found_first(self.network, rng, way)) for way in ways]
        self.known = {plain(q.text): q for q in queries_of(self.network) if not isinstance(q, tuple)}
        self.asked = {}

    def answers(self, formula, semantics):
        query = self.known.get(plain(formula))
        key = plain(formula), semantics
        if query and key not in self.asked:
            self.asked[key] = {self.decided(graph, query, semantics) for graph in self.graphs}
        return self.asked.get(key, set())

    def decided(self, graph, query, semantics):
        self.network.env['deadlocked'] = graph.binder.deadlocked  # the graphs share it
        answer = decide(graph, query, semantics)
        if len(answer.verdicts) != 1:
            return 'unknown'
        return str(answer.bounds) if answer.bounds else next(iter(answer.verdicts))


class Judge:
    """One model and a request."""

    def __init__(self, varabs, folder, timeout, rng, counts):
        self.varabs, self.folder, self.timeout = varabs, folder, timeout
        self.rng, self.counts = rng, counts

    def run(self, *words):
        done = run_limited([self.varabs, *words], self.timeout, cwd=self.folder, capture_output=True, text=True)
        if done.returncode < 0 or done.returncode > 5 or \
                done.returncode in (2, 3) and words[0] not in ('decide', 'check') and \
                not any(text in done.stderr for text in REFUSALS):
            raise AssertionError(f"status {done.returncode}: {' '.join(words)}: {done.stderr}")
        return done

    def original(self):
        with open(f"{self.folder}/in.xml", encoding='utf-8') as file:
            text = file.read()
        self.concrete = Verdicts(io.StringIO(text), self.rng)
        return not self.concrete.fails

    def agree(self, formula, semantics, verdict, told):
        """A verdict that is said to be that of the original."""
        there = self.concrete.answers(formula, semantics)
        if verdict in WORDS and there:
            self.counts[f"{told.split(':')[0]} {'depends' if len(there) > 1 else 'said'}"] += 1
            if there != {verdict}:
                raise AssertionError(f"{told}{formula} ({semantics}) is said to be {verdict}, but is {sorted(there)}")

    def checked(self, path, told):
        semantics = self.rng.choice(SEMANTICS)
        more = self.rng.choice((['--full'], [], ['--first-look', '2'], ['--engine', 'symbolic'], ['--interpret']))
        done = self.run('check', path, '--semantics', semantics, '--json', '-', *more)
        if not done.stdout:
            return
        for entry in json.loads(done.stdout)['queries']:
            if 'bounds' not in entry:
                self.agree(self.before.get(plain(entry['formula']), entry['formula']), semantics, entry['verdict'],
                           told)

    def decided(self):
        semantics = self.rng.choice(SEMANTICS)
        done = self.run('decide', 'in.xml', '--semantics', semantics, '--json', '-', '--jobs', '1',
                        *self.rng.choice((['--no-look'], [])))
        if not done.stdout:
            return
        for entry in json.loads(done.stdout)['queries']:
            if 'bounds' not in entry:
                self.agree(entry['formula'], semantics, entry['verdict'], 'decide: ')

    def abstract(self, words, mode):
        """The report, or None."""
        done = self.run('in.xml', *words, '--' + mode, '-o', 'out.xml', '--report', 'out.json')
        if done.returncode:
            self.counts['refused'] += 1
            return None
        with open(f"{self.folder}/out.json", encoding='utf-8') as file:
            return json.load(file)

    def carried(self, report):
        """What a report says to carry over."""
        try:
            here = Verdicts(f"{self.folder}/out.xml", self.rng)
        except ModelError as error:
            raise AssertionError(f"unusable output: {error}") from error
        if not any(report.get(key) for key in CHANGED):
            return  # Uppaal finds the same states
        self.counts['exact'] += report['exact']
        for claim in report['guarantees']:
            formula = claim['formula']
            for semantics in SEMANTICS:
                ours = here.answers(rewritten(report, formula), semantics)
                theirs = self.concrete.answers(formula, semantics)
                if not theirs or not claims_some(claim, semantics):
                    continue
                if claim.get('bound') == 'exact' and ours and (len(ours | theirs) > 1):
                    raise AssertionError(f"{formula}: values {sorted(ours)}, but {sorted(theirs)}")
                for word in WORDS:
                    if claim[semantics][word] and word in ours:
                        self.agree(formula, semantics, word, 'carries over: ')

    def certified(self):
        """Where processes are gone, verdicts about what is left carry over."""
        with open(f"{self.folder}/in.xml", encoding='utf-8') as file:
            text = strike(file.read(), ('Z',))
        with open(f"{self.folder}/out.xml", 'w', encoding='utf-8') as file:
            file.write(text)
        done = self.run('certify', 'in.xml', 'out.xml', '--' + self.rng.choice(('may', 'must', 'exact')), '--json', '-')
        if not done.stdout:
            return
        answer = json.loads(done.stdout)
        here = Verdicts(f"{self.folder}/out.xml", self.rng)
        for row in answer.get('without', {}).get('carries_over', []):
            for formula in here.known:
                if not formula.startswith(plain(row['query'])) or 'deadlock' in formula:
                    continue
                for word in WORDS:
                    if row[word] and word in here.answers(formula, 'kripke'):
                        self.agree(formula, 'kripke', word, 'certify: ')

    def judge(self, made):
        if not self.original():
            return 'fails'
        self.before = {}
        self.checked('in.xml', 'check: ')
        if self.rng.random() < 0.4:
            self.decided()
        if made.looks_on:
            self.certified()
        said = False
        for _ in range(4):
            words, spec = made.request()
            if spec:
                with open(f"{self.folder}/spec.json", 'w', encoding='utf-8') as file:
                    json.dump(spec, file)
                words = ['--spec', 'spec.json', *words]
            mode = 'may' if '--auto' in words or spec else self.rng.choice(('may',) * 8 + ('must',) * 4 + ('mixed',))
            more = self.rng.choice(([], [], ['--stutter'], ['--explore'])) if mode == 'may' and not spec and \
                words[0] == '--remove' else []
            report = self.abstract(words + more, mode)
            if not report:
                continue
            said = True
            self.words = words + more + ['--' + mode]
            if mode == 'mixed':
                self.before = {plain(q['rewritten']): q['formula'] for q in report.get('rewritten_queries', [])}
                self.checked('out.xml', 'mixed: ')
            else:
                self.carried(report)
        return 'passed' if said else 'nothing'


def judge_seed(varabs, seed, keep, timeout, counts):
    rng = random.Random(seed * 1299709 + 5)
    made = Meta(rng)
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/in.xml", 'w', encoding='utf-8') as file:
            file.write(made.model())
        judge_one = Judge(varabs, folder, timeout, rng, counts)
        judge_one.words = []
        try:
            return judge_one.judge(made), ''
        except AssertionError as error:
            seeds.keep_models(keep, folder, seed)
            return 'failed', f"{error}: {' '.join(judge_one.words)}"
        except (Budget, ModelError, subprocess.TimeoutExpired) as error:
            return 'large', str(error)


def judge(task):
    return seeds.counted(judge_seed, task)


if __name__ == '__main__':
    seeds.main(judge, __doc__, 1 / 2)
