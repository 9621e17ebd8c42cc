"""Compare the verdicts of `varabs certify` with those of the judge.

It is asked about an output and about broken copies of it, in all modes, with
and without --stutter.  Where the judge asks less (states with runtime errors)
or more (removed slots must rest) than the program, only one direction is
compared.  Counterexamples are replayed.  Where the program says that there is
a simulation, it is looked for here, too, with time compared and without.

Sets of states are asked the same, with the variables in some order, short
turns and a collection wherever there may be one, alone or in turns with the
other engine: they must say the same, or refuse the models.  Their runs may be
others, and are replayed as well.
"""

import copy
import hashlib
import json
import os
import random
import re
import time
import xml.etree.ElementTree as tree
from judges.judge import Projection, compare, removed_slots
from tools.limit import run_limited
from judges.processes import owners, rename, split_name
from judges.replay import Replay, Wrong, need
from oracle.uppaal_parse import ModelError
from oracle.uppaal_run import load_network
from oracle.uppaal_runtime import Budget

MOVERS = {'may': ['concrete'], 'must': ['abstract'],
          'exact': ['concrete', 'abstract']}
SIDES = ('concrete', 'abstract')
MODES = tuple(MOVERS)
MAX_STATES = 20000
MAX_PAIRS = 300
OWN = 'own_of_copy'
PAIRS = ('pairs', 'pairs_text')


# --- broken copies ------------------------------------------------------

def set_label(edge, kind, text):
    for label in edge.findall('label'):
        if label.get('kind') == kind:
            label.text = text
            return
    label = tree.Element('label', kind=kind)
    label.text = text
    edge.insert(2, label)


def mark_urgent(place):
    """An urgent location, or one that is no longer."""
    found = place.find('urgent')
    if found is not None:
        place.remove(found)
    elif place.find('committed') is None:
        tree.SubElement(place, 'urgent')


def mutate(rng, source, target):
    """Write a copy with one or two changes; False if nothing can change."""
    document = tree.parse(source)
    edges = [(template, edge) for template in document.iter('template')
             for edge in template.findall('transition')]
    if not edges:
        return False
    for _ in range(rng.choice((1, 1, 2))):
        template, edge = rng.choice(edges)
        kind = rng.randrange(8)
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
        elif kind < 7:
            mark_urgent(rng.choice(template.findall('location')))
        else:
            place = rng.choice(template.findall('location'))
            template.find('init').set('ref', place.get('id'))
    document.write(target, encoding='utf-8', xml_declaration=True)
    return True


def add_to_label(edge, kind, joint, text):
    """Adds to a label; selects stay before the others, and nails behind them."""
    labels = edge.findall('label')
    for label in labels:
        if label.get('kind') == kind:
            label.text = f"{label.text}{joint}{text}" if joint == ', ' else f"({label.text}){joint}{text}"
            return
    before = [label for label in labels if kind == 'assignment' or label.get('kind') == 'select']
    label = tree.Element('label', kind=kind)
    label.text = text
    edge.insert(2 + len(before), label)


def remember(rng, source, target):
    """Write a copy that has a variable of its own, so that states of it look the same and do something else; False
    if it has no edges for that."""
    document = tree.parse(source)
    root = document.getroot()
    branches = {branch.get('id') for branch in document.iter('branchpoint')}
    edges = [edge for edge in document.iter('transition') if edge.find('source').get('ref') not in branches]
    if len(edges) < 2:
        return False
    declaration = root.find('declaration')
    if declaration is None:
        declaration = tree.Element('declaration')
        root.insert(0, declaration)
    declaration.text = f"int[0,1] {OWN} = {rng.randint(0, 1)};\n{declaration.text or ''}"
    for edge in edges:
        if rng.random() < 0.5:
            add_to_label(edge, 'assignment', ', ', f"{OWN} = {rng.randint(0, 1)}")
    for edge in rng.sample(edges, rng.choice((1, 1, 2))):
        add_to_label(edge, 'guard', ' && ', f"{OWN} == {rng.randint(0, 1)}")
    document.write(target, encoding='utf-8', xml_declaration=True)
    return True


# --- runs of both engines -----------------------------------------------

def has_runs(answer):
    """Whether there is a run to where models differ."""
    return bool(answer['counterexample'] or (answer['time'] or {}).get('counterexample'))


def differing(answer, other, own):
    """What answers of both engines say differently, but for some keys; each has its own run, and counts the pairs
    that it looked at."""
    if other['engine'] == 'symbolic' and has_runs(answer) and has_runs(other):
        own = [*own, *PAIRS, 'counterexample', 'time', 'symmetry']
        runs = [(one['counterexample'] is None, (one['time'] or {}).get('is_alike')) for one in (answer, other)]
        if runs[0] != runs[1]:
            return ['runs']
    return [key for key in answer if key not in own and answer[key] != other.get(key)]


def replay_runs(duel, simulation):
    """Raises Wrong if a run is none, or has a pair of states that a simulation may have."""
    answer = duel.answer
    for found, run in ((answer['counterexample'], lambda found: duel.run(answer['mode'])),
                       ((answer['time'] or {}).get('counterexample'), lambda found: duel.run_time(answer['mode'], found))):
        if not found:
            continue
        run(found)
        if answer['counterexample'] and not answer['counterexample']['unmatched']:
            continue  # initial states that look different
        try:
            good = simulation(duel, answer['mode']).good_pairs(not answer['counterexample'])
        except Budget:
            continue
        pairs = [tuple(duel.state(side, pair[side]) for side in duel.networks) for pair in found['states']]
        need(not good.intersection(pairs), "a pair of the run is good")


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
        self.asked = {True: 0, False: 0, 'time True': 0, 'time False': 0,
                      'sets': 0, 'no sets': 0, 'runs by sets': 0, 'runs by states': 0}

    def ignored(self, abstract):
        """Removed names that the abstract model still has, as arguments."""
        found = []
        for name in sorted(self.concrete.metas | abstract.metas):
            owner, rest = split_name(re.sub(r'\[.*', '', name))
            places = owners(self.concrete, owner)
            found += ['--ignore', '.' + name if places is None else
                      f"{places[0].template.name}.{rest}"]
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
        counts = is_stuttering and mode != 'exact'
        try:
            abstract = load_network(path)
            with open(self.report, encoding='utf-8') as file:
                rename(abstract, self.concrete, json.load(file))
            holds, is_lenient = judge(
                (self.concrete, self.explored, abstract), self.names, mode,
                counts, deadline)
        except (ModelError, Budget):
            return None
        ignored = self.ignored(abstract)
        command = self.command_of(path, mode, is_stuttering, ignored)
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
        message = self.ask_sets(command, answer, abstract)
        if message:
            return message
        try:
            self.replay(answer, abstract, mode, counts)
        except Wrong as error:
            return f"counterexample: {error}: {shown}"
        return None

    def command_of(self, path, mode, is_stuttering, ignored):
        return [self.options.varabs, 'certify', self.model, path, '--' + mode, '--json', '-', '--max-states',
                str(MAX_STATES), '--names-from', self.report_on(path)] + ['--stutter'] * is_stuttering + ignored

    def report_on(self, path):
        """The report, or one that says the same of a copy of the output: certify wants to see which file it is about."""
        with open(self.report, encoding='utf-8') as file:
            report = json.load(file)
        with open(path, 'rb') as file:
            digest = hashlib.sha256(file.read()).hexdigest()
        if report['output']['sha256'] == digest:
            return self.report
        report['output']['sha256'] = digest
        own = path.replace('.xml', '.report.json')
        with open(own, 'w', encoding='utf-8') as file:
            json.dump(report, file)
        return own

    def ask_own(self, path, mode, is_stuttering):
        """The same of a copy with a variable of its own: there is a simulation, or is none."""
        try:
            abstract = load_network(path)
            with open(self.report, encoding='utf-8') as file:
                rename(abstract, self.concrete, json.load(file))
            ignored = self.ignored(abstract)
        except (ModelError, Budget):
            return None
        if self.explored.error_count or ignored:
            return None
        command = self.command_of(path, mode, is_stuttering, ignored)
        done = run_limited(command, self.options.timeout, capture_output=True, text=True)
        if done.returncode not in (0, 1):
            return None if done.returncode in (3, 4, 5) else f"own: status {done.returncode}: {done.stderr}"
        answer = json.loads(done.stdout)
        try:
            counts = is_stuttering and mode != 'exact'
            found = Simulation(Duel(self.concrete, abstract, answer, counts), mode)
        except (Budget, Wrong):
            return None
        if self.looks_alike(abstract, answer, counts) and found.is_good(False) != answer['holds']:
            return f"holds is {answer['holds']}, with an own variable: {' '.join(command)}"
        self.asked[answer['holds']] += 1
        return self.ask_sets(command, answer, abstract, True)

    def looks_alike(self, abstract, answer, is_stuttering):
        """Whether initial states do; a simulation asks nothing of that."""
        duel = Duel(self.concrete, abstract, answer, is_stuttering)
        return duel.visible('concrete', self.concrete.initial) == duel.visible('abstract', abstract.initial)

    def ask_sets(self, command, answer, abstract, are_chosen=False):
        """What is wrong with the answer of sets to the same, or None."""
        at = command.index('--max-states')
        command = command[:at] + command[at + 2:]
        seed = sum(answer[side]['states'] for side in SIDES)
        ways = (['symbolic', '--shuffle', str(seed % 97 + 1)], ['symbolic'],
                ['auto', '--first-look', str(seed % 3 + 1)])
        command += ['--engine'] + ways[seed % len(ways)]
        done = run_limited(command, self.options.timeout, capture_output=True,
                           text=True)
        if done.returncode in (4, 5):
            self.asked['no sets'] += 1
            return None
        shown = ' '.join(command) + '\n' + done.stderr
        if done.returncode not in (0, 1):
            return f"sets: status {done.returncode}: {shown}"
        other = json.loads(done.stdout)
        own = ['seconds', 'peak_bytes', 'engine']
        is_by_sets = other['engine'] == 'symbolic'
        # sets take all pairs, not only those that are chosen
        if is_by_sets and (are_chosen or answer['mode'] == 'must' or '--ignore' in command):
            own += PAIRS
        wrong = differing(answer, other, own)
        if wrong:
            return f"sets say something else, {', '.join(wrong)}: {shown}"
        try:
            replay_runs(Duel(self.concrete, abstract, other, other['is_stuttering']), Simulation)
        except Wrong as error:
            return f"counterexample of sets: {error}: {shown}"
        self.asked['sets'] += is_by_sets
        self.asked['runs by sets'] += is_by_sets and has_runs(other)
        self.asked['runs by states'] += not is_by_sets and has_runs(other)
        return None

    def replay(self, answer, abstract, mode, is_stuttering):
        found = answer['counterexample']
        need((found is None) == answer['holds'], "there is one, or is none")
        duel = Duel(self.concrete, abstract, answer, is_stuttering)
        if found:
            duel.run(mode)
        need((answer['time'] is not None) == answer['holds'],
             "time is compared where there is a simulation")
        if answer['time']:
            self.replay_time(duel, answer['time'], mode)

    def replay_time(self, duel, told, mode):
        alike, found = told['is_alike'], told['counterexample']
        need((found is None) == alike, "there is a run to it, or is none")
        if found:
            duel.run_time(mode, found)
        try:
            needs = Simulation(duel, mode)
        except Budget:
            return
        need(needs.is_good(False), "there is no simulation")
        need(needs.is_good(True) == alike, f"time is not alike: {not alike}")
        self.asked['time ' + str(alike)] += 1


# --- counterexamples ----------------------------------------------------

def other_side(side):
    return 'abstract' if side == 'concrete' else 'concrete'


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

    def shown(self, side, state):
        """A state without the slots that are left out: they hold nothing from one step to the next."""
        network = self.networks[side]
        count, values = len(network.processes), self.found['states'][0][side]['values']
        return state[:count] + tuple(value for name, value in zip(network.slots, state[count:])
                                     if name in values)

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
        seen = self.shown(side, target)
        need(any(self.shown(side, to) == seen and replay.matches(parts, shown)
                 for parts, to in self.steps(side, state)),
             f"{side} cannot step so: {shown}")

    def can_idle(self, side, state):
        network = self.networks[side]
        places = [process.locations[at] for process, at
                  in zip(network.processes, state)]
        return not any(place.committed or place.urgent for place in places) \
            and not network.hurries(state)

    def differs(self, pair, movers):
        """The movers in whose state of a pair alone time may pass."""
        idle = {side: self.can_idle(side, pair[side]) for side in pair}
        return [side for side in movers if idle[side]
                and not idle[other_side(side)]]

    def run_time(self, mode, found):
        self.found = dict(found, unmatched=None)
        pairs = self.follow(mode)
        need(found['passes'] in self.differs(pairs[-1], MOVERS[mode]),
             "time may pass alike")

    def run(self, mode):
        last = self.found['unmatched']
        if last is None:
            pair = {side: self.state(side, state) for side, state
                    in self.found['states'][0].items()}
            looks = [self.visible(side, pair[side]) for side in pair]
            need(looks[0] != looks[1], "initial states look the same")
            for side, network in self.networks.items():
                need(pair[side] == network.initial, f"{side} starts wrong")
            return
        pair, mover = self.follow(mode)[-1], last['mover']
        other = other_side(mover)
        target = self.state(mover, last['state'])
        need(mover in MOVERS[mode], "the wrong model moves")
        self.step(mover, pair[mover], last['step'], target)
        wanted = self.visible(mover, target)
        need(all(self.visible(other, to) != wanted
                 for _, to in self.steps(other, pair[other])),
             "the last step can be followed")

    def follow(self, mode):
        """The pairs of states of the run, which is one of both models."""
        pairs = [{side: self.state(side, pair[side]) for side in pair}
                 for pair in self.found['states']]
        looks = [[self.visible(side, pair[side]) for side in pair]
                 for pair in pairs]
        for side, network in self.networks.items():
            need(pairs[0][side] == network.initial, f"{side} starts wrong")
        need(all(one == two for one, two in looks), "pairs look different")
        need(len(self.found['steps']) + 1 == len(pairs), "numbers of steps")
        for i, step in enumerate(self.found['steps']):
            need(step['mover'] in MOVERS[mode], "the wrong model moves")
            for side in self.networks:
                self.step(side, pairs[i][side], step[side],
                          pairs[i + 1][side])
            self.count(pairs[i], pairs[i + 1], step)
        return pairs

    def count(self, pair, after, step):
        """So many states may follow the step."""
        other = other_side(step['mover'])
        wanted = self.visible(other, after[other])
        found = {to for _, to in self.steps(other, pair[other]) if self.visible(other, to) == wanted}
        need(len(found) == step['choices'], f"{len(found)} choices, not {step['choices']}")


# --- simulations --------------------------------------------------------

class Simulation:
    """All pairs of states that look the same, and what each of them needs:
    for every step of a side that moves, some of several pairs."""

    def __init__(self, duel, mode):
        self.duel, self.movers = duel, MOVERS[mode]
        self.steps = {}                       # by side and state: by look
        self.start = tuple(network.initial
                           for network in duel.networks.values())
        self.needs, waiting = {}, [self.start]
        while waiting:
            pair = waiting.pop()
            if pair in self.needs:
                continue
            self.needs[pair] = self.needs_of(pair)
            if len(self.needs) > MAX_PAIRS:
                raise Budget("too many pairs")
            waiting += [q for choices in self.needs[pair] for q in choices]

    def by_look(self, side, state):
        if (side, state) not in self.steps:
            found = {}
            for _, to in self.duel.steps(side, state):
                look = repr(self.duel.visible(side, to))
                found.setdefault(look, set()).add(to)
            self.steps[side, state] = found
        return self.steps[side, state]

    def needs_of(self, pair):
        steps = {side: self.by_look(side, state) for side, state
                 in zip(self.duel.networks, pair)}
        found = []
        for side in self.movers:
            for look, targets in steps[side].items():
                others = steps[other_side(side)].get(look, ())
                found += [[(to, other) if side == 'concrete' else (other, to)
                           for other in others] for to in targets]
        return found

    def is_good(self, is_timed):
        return self.start in self.good_pairs(is_timed)

    def good_pairs(self, is_timed):
        good = {pair for pair in self.needs if not is_timed or not
                self.duel.differs(dict(zip(self.duel.networks, pair)),
                                  self.movers)}
        count = None
        while count != len(good):
            count = len(good)
            good = {pair for pair in good
                    if all(any(q in good for q in choices)
                           for choices in self.needs[pair])}
        return good


# --- exchanged values ---------------------------------------------------

def spoil(rng, report):
    """Another report of the same output: one of its values stays as it is, or
    has another one standing for it. False if there is nothing to change."""
    if not report.get('normalised'):
        return False
    entry = rng.choice(report['normalised'])
    if rng.random() < 0.4:
        report['normalised'].remove(entry)
    elif 'while' in entry and rng.random() < 0.5:
        entry['while']['values'][0] += rng.choice((-1, 1))
    elif len(entry.get('processes', ())) > 1 and rng.random() < 0.5:
        entry['processes'].remove(rng.choice(entry['processes']))
    elif 'representative' in entry:
        entry['representative'] += rng.choice((-1, 1))
    else:
        wanted = rng.choice(entry['classes'])
        wanted['representative'] = rng.choice(wanted['values'])
    return True


def asks_exact(options, folder, out, report, *more):
    """What the program says of an output with a report: (status, output)."""
    done = run_limited(
        [options.varabs, 'certify', os.path.join(folder, 'model.xml'), out, '--exact',
         '--report', report, *more], options.timeout, capture_output=True, text=True,
        errors='replace')
    return done.returncode, done.stdout + done.stderr


def check_exchanged(options, concrete, explored, abstract, out, names, report):
    """Compare what certify says of an output in which values are exchanged
    with the judge, as the report says it is and with another one."""
    folder = os.path.dirname(out)
    path = os.path.join(folder, 'exchanged.json')
    if explored.error_count:
        return None
    with open(out, encoding='utf-8') as file:
        rng = random.Random(file.read())
    for attempt in range(1 if names else 3):  # what is removed is ignored
        if attempt and not spoil(rng, report):
            return None
        with open(path, 'w', encoding='utf-8') as file:
            json.dump(report, file)
        status, told = asks_exact(options, folder, out, path)
        verdict = compare(concrete, explored, abstract, names, 'exact', None,
                          report.get('normalised', ()))
        if status == 5:
            return None
        if (status == 0) == bool(verdict.failures) or status not in (0, 1):
            return f"attempt {attempt}: {sorted(verdict.failures)}\n{told}"
        sets, told = asks_exact(options, folder, out, path, '--engine', 'symbolic',
                                '--shuffle', str(rng.randrange(1, 100)))
        if sets not in (status, 4, 5):
            return f"attempt {attempt}, sets: {sorted(verdict.failures)}\n{told}"
    return None


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
    for mode in ('may', rng.choice(MODES)):
        if message is None and remember(rng, out, broken):
            message = certifier.ask_own(broken, mode, rng.random() < 0.2)
    return message, certifier.asked
