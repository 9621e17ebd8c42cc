"""Compare the verdicts of `varabs certify` with those of the judge.

It is asked about an output and about broken copies of it, in all modes, with
and without --stutter.  Where the judge asks less (states with runtime errors)
or more (removed slots must rest) than the program, only one direction is
compared.  Counterexamples are replayed.
"""

import copy
import json
import os
import random
import time
import xml.etree.ElementTree as tree
from judge import Projection, compare, removed_slots
from limit import run_limited
from processes import owners, rename, split_name
from replay import Replay, Wrong, need
from uppaal_parse import ModelError
from uppaal_run import load_network
from uppaal_runtime import Budget

MODES = ('may', 'must', 'exact')
MAX_STATES = 20000


# --- broken copies ------------------------------------------------------

def set_label(edge, kind, text):
    for label in edge.findall('label'):
        if label.get('kind') == kind:
            label.text = text
            return
    label = tree.Element('label', kind=kind)
    label.text = text
    edge.insert(2, label)


def mutate(rng, source, target):
    """Write a copy with one or two changes; False if nothing can change."""
    document = tree.parse(source)
    edges = [(template, edge) for template in document.iter('template')
             for edge in template.findall('transition')]
    if not edges:
        return False
    for _ in range(rng.choice((1, 1, 2))):
        template, edge = rng.choice(edges)
        kind = rng.randrange(6)
        if kind == 0 and edge in template.findall('transition'):
            template.remove(edge)
        elif kind == 1:
            set_label(edge, 'guard', rng.choice(('true', 'false')))
        elif kind == 2:
            for label in edge.findall('label'):
                if label.get('kind') == 'assignment':
                    edge.remove(label)
        elif kind == 3:
            place = rng.choice(template.findall('location'))
            edge.find('target').set('ref', place.get('id'))
        elif kind == 4:
            other = copy.deepcopy(edge)
            set_label(other, 'guard', 'true')
            template.append(other)
        else:
            place = rng.choice(template.findall('location'))
            template.find('init').set('ref', place.get('id'))
    document.write(target, encoding='utf-8', xml_declaration=True)
    return True


# --- stuttering ---------------------------------------------------------

def stuttering(explored):
    """The same graph with a step from each deadlock to itself."""
    more = copy.copy(explored)
    more.steps = [steps or [((), state)] for state, steps
                  in zip(explored.states, explored.steps)]
    return more


def stuttering_network(network):
    more = copy.copy(network)

    def successors(state):
        steps, errors = network.successors(state)
        return steps or [((), state)], errors

    more.successors = successors
    return more


# --- verdicts -----------------------------------------------------------

def judge(sides, names, mode, is_stuttering, deadline):
    """The judge's verdict: (holds, whether it skipped states)."""
    concrete, explored, abstract = sides
    if is_stuttering:
        explored = stuttering(explored)
        abstract = stuttering_network(abstract)
    verdict = compare(concrete, explored, abstract, names, mode, deadline)
    wrong = set(verdict.failures) - {'new-error'}
    return not wrong, mode != 'may' and explored.error_count > 0


class Certifier:
    """One pair of models: concrete (network, exploration), and a file."""

    def __init__(self, options, model, concrete, explored, names, report):
        self.report = report
        self.options, self.model, self.names = options, model, names
        self.concrete, self.explored = concrete, explored
        self.asked = {True: 0, False: 0}

    def ignored(self, abstract):
        """Removed names that the abstract model still has, as arguments."""
        found = []
        for name in self.names:
            name = name.split('@')[0]
            slots = {self.concrete.slots[i] for i in
                     removed_slots(self.concrete, [name])}
            if slots & set(abstract.slots):
                owner, rest = split_name(name)
                places = owners(self.concrete, owner)
                if places is None:            # a part of a global variable
                    places, rest = [], name
                places = sorted({after.template.name for before, after
                                 in zip(self.concrete.processes,
                                        abstract.processes)
                                 if before in places})
                for text in [f"{template}.{rest}" for template in places] \
                        or ['.' + name]:
                    found += ['--ignore', text]
        return found

    def ask(self, path, mode, is_stuttering, is_broken=False):
        """A message about what is wrong, or None."""
        deadline = time.monotonic() + self.options.max_seconds
        try:
            abstract = load_network(path)
            with open(self.report, encoding='utf-8') as file:
                rename(abstract, self.concrete, json.load(file))
            holds, is_lenient = judge(
                (self.concrete, self.explored, abstract), self.names, mode,
                is_stuttering, deadline)
        except (ModelError, Budget):
            return None
        ignored = self.ignored(abstract)
        command = [self.options.varabs, 'certify', self.model, path,
                   '--' + mode, '--json', '-', '--max-states',
                   str(MAX_STATES), '--names-from',
                   self.report] + ['--stutter'] * is_stuttering + ignored
        done = run_limited(command, self.options.timeout, capture_output=True,
                           text=True)
        shown = ' '.join(command) + '\n' + done.stderr
        if done.returncode in (4, 5) or done.returncode == 3 and is_broken:
            return None
        if done.returncode not in (0, 1):
            return f"status {done.returncode}: {shown}"
        answer = json.loads(done.stdout)
        if answer['holds'] != (done.returncode == 0):
            return f"holds is {answer['holds']}: {shown}"
        right = [holds]
        if is_lenient:
            right = [False, True] if holds else [False]
        if ignored:
            right = [False, True] if is_lenient or not holds else [True]
        if answer['holds'] not in right:
            return f"holds is {answer['holds']}, judge: {holds}: {shown}"
        self.asked[answer['holds']] += 1
        try:
            self.replay(answer, abstract, mode, is_stuttering)
        except Wrong as error:
            return f"counterexample: {error}: {shown}"
        return None

    def replay(self, answer, abstract, mode, is_stuttering):
        found = answer['counterexample']
        need((found is None) == answer['holds'], "there is one, or is none")
        if found:
            Duel(self.concrete, abstract, answer, is_stuttering).run(mode)


# --- counterexamples ----------------------------------------------------

class Duel:
    """A counterexample that is replayed."""

    def __init__(self, concrete, abstract, answer, is_stuttering):
        self.networks = {'concrete': concrete, 'abstract': abstract}
        self.answer, self.is_stuttering = answer, is_stuttering
        self.found = answer['counterexample']
        theirs = {p.name: p for p in abstract.processes}
        self.maps = {p.name: Projection.location_map(p, theirs[p.name])
                     for p in concrete.processes}

    def state(self, side, shown):
        """The tuple of a state that is shown; slots left out are initial."""
        network = self.networks[side]
        count, found = len(network.processes), []
        for process in network.processes:
            name = shown['locations'][process.name]
            found += [i for i in range(len(process.locations))
                      if process.location_name(i) == name][:1]
        need(len(found) == count, f"a location of {side} is unknown")
        values = zip(network.slots, network.initial[count:])
        return tuple(found) + tuple(shown['values'].get(name, value)
                                    for name, value in values)

    def visible(self, side, state):
        network = self.networks[side]
        places = {p.name: self.maps[p.name][at] if side == 'concrete' else at
                  for p, at in zip(network.processes, state)}
        values = dict(zip(network.slots, state[len(network.processes):]))
        return places, [values.get(name) for name in self.answer['compared']]

    def steps(self, side, state):
        steps = self.networks[side].successors(state)[0]
        return steps or [((), state)] * self.is_stuttering

    def step(self, side, state, shown, target):
        replay = Replay.__new__(Replay)
        replay.network = self.networks[side]
        need(any(to == target and replay.matches(parts, shown)
                 for parts, to in self.steps(side, state)),
             f"{side} cannot step so: {shown}")

    def run(self, mode):
        movers = {'may': ['concrete'], 'must': ['abstract']}.get(
            mode, ['concrete', 'abstract'])
        pairs = [{side: self.state(side, pair[side]) for side in pair}
                 for pair in self.found['states']]
        looks = [[self.visible(side, pair[side]) for side in pair]
                 for pair in pairs]
        for side, network in self.networks.items():
            need(pairs[0][side] == network.initial, f"{side} starts wrong")
        last = self.found['unmatched']
        if last is None:
            need(looks[0][0] != looks[0][1], "initial states look the same")
            return
        need(all(one == two for one, two in looks), "pairs look different")
        need(len(self.found['steps']) + 1 == len(pairs), "numbers of steps")
        for i, step in enumerate(self.found['steps']):
            need(step['mover'] in movers, "the wrong model moves")
            for side in self.networks:
                self.step(side, pairs[i][side], step[side],
                          pairs[i + 1][side])
        mover = last['mover']
        other = 'abstract' if mover == 'concrete' else 'concrete'
        target = self.state(mover, last['state'])
        need(mover in movers, "the wrong model moves")
        self.step(mover, pairs[-1][mover], last['step'], target)
        wanted = self.visible(mover, target)
        need(all(self.visible(other, to) != wanted
                 for _, to in self.steps(other, pairs[-1][other])),
             "the last step can be followed")


def check_certify(options, concrete, explored, out, names):
    """Asks about an output and two broken copies: (message, numbers)."""
    with open(out, encoding='utf-8') as file:
        rng = random.Random(file.read())
    folder = os.path.dirname(out)
    broken = os.path.join(folder, 'broken.xml')
    certifier = Certifier(options, os.path.join(folder, 'model.xml'),
                          concrete, explored, names,
                          os.path.join(folder, 'out.json'))
    message = None
    for mode in MODES:
        message = message or certifier.ask(out, mode, False)
    message = message or certifier.ask(out, rng.choice(MODES), True)
    for _ in range(2):
        if message is None and mutate(rng, out, broken):
            for mode in MODES:
                is_stuttering = rng.random() < 0.3
                message = message or certifier.ask(broken, mode,
                                                   is_stuttering, True)
    return message, certifier.asked
