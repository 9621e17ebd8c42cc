#!/usr/bin/env python3
"""Decide whether one model is a may (or exact, or must) abstraction of
another.

usage: judge.py CONCRETE.xml ABSTRACT.xml --remove NAME... [--exact | --must]
                [--strict-errors] [--excuse-errors] [--max-states N] [--max-seconds S]

NAME is `x` for a global, `Template.x` for a local, or a cell of one: `x[2]`,
`s.f`, `Template.a[1].f`; `Template.x@A+B` means x in the locations A and B only,
where it rests at its initial value; `Template.w:TYPE=EXPRESSION` that the new
variable w replaces what the expression reads and has its value.  Removed slots have vanished from the abstract model
or stay in it, frozen at their initial value.  The abstraction map alpha is
therefore the projection on the other slots and on the locations.

  may    every step s -> t of every reachable concrete state s has an abstract
         step alpha(s) -> alpha(t), and the initial states correspond
  exact  besides, every abstract step from alpha(s) is matched by a step of s
         (a step that fails is none)
  must   instead, every run of the abstract model is one of the concrete: the
         initial state is in the greatest set of concrete states s such that
         every abstract step from alpha(s) is matched by a step of s into the
         set
  With --excuse-errors, a claim that holds if the concrete model has no runtime
  errors: states in which one is possible count as matching.
  error  if the concrete model has no runtime error, the abstract model should
         have none in any alpha(s): a warning, a failure with --strict-errors

What is kept of meta variables is part of the states, but no step is asked to leave the same of it.

Exit status: 0 holds, 1 fails, 2 unusable input, 3 a limit ended the run.
"""

import argparse
import sys
import time
from oracle.equal import bare_of
from judges.merges import Merge, is_merge, removed_names
from judges.processes import owners, split_name
from oracle.uppaal_parse import ModelError
from oracle.uppaal_run import explore, load_network
from oracle.uppaal_runtime import Budget

sys.setrecursionlimit(20000)


class Failure:
    """What went wrong: kind (initial, may, exact, must, new-error), text."""

    def __init__(self, kind, text):
        self.kind, self.text = kind, text


class Verdict:
    """Failures (one of each kind at most) and figures of a comparison."""

    def __init__(self):
        self.failures, self.counts = {}, {}
        self.states = self.steps = self.abstract_states = 0
        self.abstract_steps = self.concrete_errors = self.skipped = 0

    def add(self, kind, text):
        """Keep the first failure of a kind; text is called only then."""
        self.counts[kind] = self.counts.get(kind, 0) + 1
        if kind not in self.failures:
            self.failures[kind] = Failure(kind, text())


def covers(name, slot):
    """Whether a removed name covers a slot name."""
    return slot == name or slot.startswith((name + '[', name + '.'))


def removed_slots(network, names):
    """Numbers of the concrete slots that the names stand for."""
    found = set()
    for name in removed_names(names):
        if '@' in name:               # in some locations only: see scopes
            continue
        owner, rest = split_name(name)
        full, places = [name], owners(network, owner)
        if places is not None:
            full = [f"{p.name}.{rest}" for p in places]
        hits = {i for i, slot in enumerate(network.slots)
                if any(covers(each, slot) for each in full)}
        stateless = any(covers(each, name) or covers(name, each)
                        for each in network.stateless for name in full)
        unused = places == []
        if not hits and not stateless and not unused:
            raise ModelError(f"--remove {name}: no such variable")
        found |= hits
    return found


def scopes(network, names):
    """{slot number: (process number, locations)} of names with a scope."""
    found = {}
    for name in removed_names(names):
        variable, at, where = name.partition('@')
        if not at:
            continue
        owner, rest = split_name(variable)
        places = owners(network, owner) or []
        for number, process in enumerate(network.processes):
            if process not in places:
                continue
            inside = {i for i in range(len(process.locations))
                      if {process.location_name(i), process.locations[i].id}
                      & set(where.split('+'))}
            for slot in removed_slots(network, [variable]):
                if covers(f"{process.name}.{rest}", network.slots[slot]):
                    found[slot] = (number, inside)
    return found


def restless(concrete, abstract, names, max_states):
    """A state of the abstract model in which a variable does not rest at its
    initial value although it is removed there, as text; or None."""
    count, found = len(abstract.processes), []
    own = [process.name for process in abstract.processes]
    for slot, (number, inside) in scopes(concrete, names).items():
        name, process = concrete.slots[slot], concrete.processes[number]
        if name in abstract.slots and process.name in own:
            found.append((name, count + abstract.slots.index(name),
                          own.index(process.name), inside,
                          concrete.initial[len(concrete.processes) + slot]))
    for state in explore(abstract, max_states).states if found else ():
        for name, at, process, inside, rest in found:
            if state[process] in inside and state[at] != rest:
                return f"{name} does not rest in {abstract.show(state)}"
    return None


class While:
    """Values that are exchanged while another slot has one of some values."""

    def __init__(self, values, at, keys):
        self.values, self.at, self.keys = values, at, set(keys)


class Any(dict):
    """All values become the same one."""

    def __init__(self, value):
        super().__init__()
        self.value = value

    def get(self, _key, _default=None):
        return self.value


def owners_in_both(concrete, abstract, owner):
    """The concrete processes of a template of the abstract model, which may be a
    copy for some of them."""
    names = {p.name for p in owners(abstract, owner)}
    return [p for p in concrete.processes if p.name in names]


def normal_values(concrete, abstract, normalised):
    """[(position of an abstract slot, number of a concrete process or None,
    its location, {value: what stands for it} or While)] of a member of the
    report."""
    found = []
    for entry in normalised:
        values = Any(entry['representative']) if 'representative' in entry \
            else {value: each['representative'] for each in entry['classes']
                  for value in each['values']}
        owner, rest = split_name(entry['variable'])
        if 'template' in entry:  # a global variable
            process, = owners_in_both(concrete, abstract, entry['template'])
            places = [process]
        else:
            places = owners_in_both(concrete, abstract, owner) \
                if 'location' in entry else [None]
            if 'processes' in entry:
                places = [p for p in places if p.name in entry['processes']]
        for process in places:
            is_local = process and 'template' not in entry
            name = f"{process.name}.{rest}" if is_local else entry['variable']
            at = len(abstract.processes) + abstract.slots.index(name)
            number = location = None
            if process:
                number = concrete.processes.index(process)
                location, = [i for i in range(len(process.locations))
                             if entry['location'] in (
                                 process.location_name(i),
                                 process.locations[i].id)]
            key = entry.get('while')
            if key:
                key_name = f"{process.name}.{split_name(key['variable'])[1]}" \
                    if is_local else key['variable']
                found.append((at, number, location, While(
                    values, len(concrete.processes) + concrete.slots.index(key_name),
                    key['values'])))
            else:
                found.append((at, number, location, values))
    return found


def rest_outside(function, process, places, rest):
    """The function of a state where a process is at some places, and else a value."""
    return lambda state: function(state) if state[process] in places else rest


class Projection:
    """The abstraction map from concrete states to abstract ones."""

    def __init__(self, concrete, abstract, names, normalised=()):
        removed = removed_slots(concrete, names)
        processes = {p.name: i for i, p in enumerate(concrete.processes)}
        theirs = [p.name for p in abstract.processes]
        if sorted(processes) != sorted(theirs):
            raise ModelError("the models have different processes: "
                             f"{sorted(processes)} and {sorted(theirs)}")
        self.locations = []           # (concrete index, {number: number})
        for process in abstract.processes:
            index = processes[process.name]
            self.locations.append((index, self.location_map(
                concrete.processes[index], process)))
        slots = {name: i for i, name in enumerate(concrete.slots)}
        first = len(concrete.processes)
        initial = abstract.initial[len(theirs):]
        self.sources = []             # (concrete position or None, value)
        self.scopes = {}              # concrete position: (process, places)
        for slot, scope in scopes(concrete, names).items():
            self.scopes[first + slot] = scope
        merged, places = {}, {}       # slot of the abstract model: function, where it follows that
        for name in filter(is_merge, names):
            merged.update(Merge(name).slots(concrete))
            places.update(Merge(name).places(concrete))
        self.merged = []              # functions, in the order of sources
        for number, name in enumerate(abstract.slots):
            self.merged.append(merged.pop(name, None))
            if self.merged[-1] and name in places:
                self.merged[-1] = rest_outside(self.merged[-1], *places[name], initial[number])
            if self.merged[-1]:
                self.sources.append((None, 0))
            elif name not in slots:
                raise ModelError(f"the abstract model has a new slot {name}")
            elif slots[name] in removed:
                self.sources.append((None, initial[number]))
            else:
                self.sources.append((first + slots[name], initial[number]))
        if merged:
            raise ModelError(f"the abstract model lacks {', '.join(merged)}")
        self.normal = normal_values(concrete, abstract, normalised)
        for name, index in slots.items():
            if index not in removed and name not in abstract.slots:
                raise ModelError(f"the abstract model lacks the slot {name}")

    @staticmethod
    def location_map(concrete, abstract):
        """Match locations by id, by name where the ids differ; those of
        renamed processes, and of copies those without a name, by order, as
        their ids are new."""
        if abstract.is_renamed:
            return {i: i for i in range(len(abstract.locations))}
        if set(concrete.number) == set(abstract.number):
            return {i: abstract.number[ident]
                    for ident, i in concrete.number.items()}
        names = {abstract.location_name(i): i
                 for i in range(len(abstract.locations))}
        is_copy = len(concrete.locations) == len(abstract.locations)
        found = {}
        for ident, i in concrete.number.items():
            name = concrete.location_name(i)
            if name not in names and not is_copy:
                raise ModelError(f"the abstract model lacks the location "
                                 f"{concrete.name}.{name}")
            found[i] = names.get(name, i)
        return found

    def __call__(self, state):
        found = [table[state[index]] for index, table in self.locations]
        found += [merge(state) if merge else
                  value if at is None or self.rests(state, at) else state[at]
                  for (at, value), merge in zip(self.sources, self.merged)]
        for at, process, location, values in self.normal:
            if isinstance(values, While):
                if state[values.at] not in values.keys:
                    continue
                values = values.values
            if process is None or state[process] == location:
                found[at] = values.get(found[at], found[at])
        return tuple(found)

    def rests(self, state, at):
        """Whether the slot at a position is in the scope of its removal."""
        if at not in self.scopes:
            return False
        process, places = self.scopes[at]
        return state[process] in places


class Judge:
    """One comparison."""

    def __init__(self, concrete, explored, abstract, names, normalised=()):
        self.concrete, self.explored = concrete, explored
        self.abstract = abstract
        self.alpha = Projection(concrete, abstract, names, normalised)
        self.bare = bare_of(abstract)
        self.cache = {}               # abstract state -> (steps, errors)
        self.verdict = Verdict()

    def abstract_successors(self, state):
        if state not in self.cache:
            steps, errors = self.abstract.successors(state)
            self.cache[state] = (steps, {self.bare(t) for _, t in steps},
                                 errors)
        return self.cache[state]

    def run(self, mode='may', deadline=None, excuses=False):
        """mode: may, exact or must."""
        verdict, alpha = self.verdict, self.alpha
        explored = self.explored
        verdict.states = len(explored.states)
        verdict.concrete_errors = explored.error_count
        if alpha(self.concrete.initial) != self.abstract.initial:
            verdict.add('initial', self.initial_text)
        for state, number in explored.states.items():
            if deadline and time.monotonic() > deadline:
                raise Budget("out of time")
            image = alpha(state)
            steps, targets, errors = self.abstract_successors(image)
            matched = set()
            for step in explored.steps[number]:
                verdict.steps += 1
                wanted = alpha(step[1])
                matched.add(self.bare(wanted))
                if mode != 'must' and self.bare(wanted) not in targets:
                    verdict.add('may', lambda: self.may_text(
                        number, image, step, wanted))
            if errors and not explored.error_count:
                verdict.add('new-error', lambda: self.error_text(
                    number, image, errors[0]))
            if mode != 'exact':
                continue
            if excuses and explored.errors[number]:
                verdict.skipped += 1
                continue
            for step in steps:
                if self.bare(step[1]) not in matched:
                    verdict.add('exact', lambda: self.exact_text(
                        number, image, step))
        if mode == 'must':
            self.run_must(deadline, excuses)
        verdict.abstract_states = len(self.cache)
        verdict.abstract_steps = sum(len(steps) for steps, _, _
                                     in self.cache.values())
        return verdict

    def run_must(self, deadline, excuses):
        """Shrink the set of simulating states until nothing changes."""
        alpha, explored = self.alpha, self.explored
        states = list(explored.states)
        images = [alpha(state) for state in states]
        bare = self.bare
        steps = [[(bare(alpha(target)), explored.states[target])
                  for _, target in found] for found in explored.steps]
        lost, changed = {}, True      # number -> unmatched abstract step
        while changed:
            if deadline and time.monotonic() > deadline:
                raise Budget("out of time")
            changed = False
            for number in range(len(states)):
                if number in lost or excuses and explored.errors[number]:
                    continue
                matched = {image for image, target in steps[number]
                           if target not in lost}
                for step in self.abstract_successors(images[number])[0]:
                    if bare(step[1]) not in matched:
                        lost[number], changed = step, True
                        break
        if excuses:
            self.verdict.skipped = sum(map(bool, explored.errors))
        if 0 in lost:
            self.verdict.add('must', lambda: self.must_text(
                lost, states, steps))

    # --- counterexamples ------------------------------------------------

    def initial_text(self):
        image = self.alpha(self.concrete.initial)
        return ("the initial states differ\n"
                f"  projected: {self.abstract.show(image)}\n"
                f"  abstract:  {self.abstract.show(self.abstract.initial)}")

    def state(self, number):
        return list(self.explored.states)[number]

    def path_text(self, number):
        """The way to a concrete state."""
        states = list(self.explored.states)
        way, lines, before = self.explored.trace(number), [], None
        for here, after in zip(way, way[1:]):
            lines.append(f"  {self.concrete.show(states[here], before)}")
            before = states[here]
            parts = next(parts for parts, target in self.explored.steps[here]
                         if target == states[after])
            lines.append(self.concrete.show_step(parts))
        lines.append(f"  {self.concrete.show(states[number])}")
        return '\n'.join(lines)

    def abstract_text(self, image):
        steps, _, errors = self.abstract_successors(image)
        lines = [f"abstract state:\n  {self.abstract.show(image)}",
                 f"abstract steps ({len(steps)}):"]
        for parts, target in steps[:12]:
            lines += [self.abstract.show_step(parts),
                      f"    => {self.abstract.show(target, image)}"]
        for parts, error in errors[:4]:
            lines += [self.abstract.show_step(parts), f"    => error: {error}"]
        return '\n'.join(lines)

    def may_text(self, number, image, step, wanted):
        return ("a concrete step has no abstract counterpart\n"
                f"concrete path:\n{self.path_text(number)}\n"
                f"concrete step:\n{self.concrete.show_step(step[0])}\n"
                f"    => {self.concrete.show(step[1], self.state(number))}\n"
                f"wanted abstract state:\n"
                f"  {self.abstract.show(wanted, image)}\n"
                f"{self.abstract_text(image)}")

    def exact_text(self, number, image, step):
        lines = ["an abstract step has no concrete counterpart",
                 f"concrete path:\n{self.path_text(number)}",
                 f"abstract state:\n  {self.abstract.show(image)}",
                 f"abstract step:\n{self.abstract.show_step(step[0])}",
                 f"    => {self.abstract.show(step[1], image)}",
                 "concrete steps:"]
        here = self.state(number)
        for parts, target in self.explored.steps[number][:12]:
            lines += [self.concrete.show_step(parts),
                      f"    => {self.concrete.show(target, here)}"]
        return '\n'.join(lines)

    def must_text(self, lost, states, steps):
        """From the initial state to one that cannot follow at all."""
        number, lines = 0, ["an abstract run has no concrete counterpart"]
        for _ in range(len(states)):
            step = lost[number]
            lines += ["concrete state:",
                      f"  {self.concrete.show(states[number])}",
                      f"abstract step:\n{self.abstract.show_step(step[0])}",
                      f"    => {self.abstract.show(step[1])}"]
            after = [target for image, target in steps[number]
                     if image == step[1]]
            if not after:
                break
            # every match was lost earlier: follow the first
            number = min(after, key=list(lost).index)
        lines.append("no concrete step matches")
        return '\n'.join(lines)

    def error_text(self, number, image, error):
        return ("the abstract model has a runtime error, the concrete has none"
                f"\nconcrete path:\n{self.path_text(number)}\n"
                f"abstract state:\n  {self.abstract.show(image)}\n"
                f"abstract step:\n{self.abstract.show_step(error[0])}\n"
                f"    => error: {error[1]}")


def compare(concrete, explored, abstract, names, mode='may', deadline=None,
            normalised=(), excuses=False):
    """Judge an abstract network against an explored concrete one.  excuses:
    as far as there are no runtime errors."""
    return Judge(concrete, explored, abstract, names, normalised).run(
        mode, deadline, excuses)


def main():
    parser = argparse.ArgumentParser(
        description="Decide whether ABSTRACT is a may-abstraction of"
                    " CONCRETE.")
    parser.add_argument('concrete')
    parser.add_argument('abstract')
    parser.add_argument('--remove', nargs='*', default=[], metavar='NAME')
    parser.add_argument('--exact', action='store_true')
    parser.add_argument('--must', action='store_true')
    parser.add_argument('--strict-errors', action='store_true')
    parser.add_argument('--excuse-errors', action='store_true')
    parser.add_argument('--max-states', type=int, default=200000)
    parser.add_argument('--max-seconds', type=float, default=600)
    options = parser.parse_args()
    deadline = time.monotonic() + options.max_seconds
    path = options.concrete
    try:
        concrete = load_network(path)
        explored = explore(concrete, options.max_states, deadline)
        path = options.abstract
        abstract = load_network(path)
        names = [n for name in options.remove for n in name.split(',') if n]
        mode = 'exact' if options.exact else \
            'must' if options.must else 'may'
        verdict = compare(concrete, explored, abstract, names, mode, deadline,
                          excuses=options.excuse_errors)
    except ModelError as error:
        print(f"{path}: {error}", file=sys.stderr)
        return 2
    except Budget as error:
        print(f"{path}: {error}", file=sys.stderr)
        return 3
    failed = False
    for kind, failure in verdict.failures.items():
        warning = kind == 'new-error' and not options.strict_errors
        failed |= not warning
        print(f"{'warning' if warning else 'FAILED'}: {kind}"
              f" ({verdict.counts[kind]} times): {failure.text}")
    print(f"states {verdict.states}\nsteps {verdict.steps}\n"
          f"errors {verdict.concrete_errors}\n"
          f"abstract-states {verdict.abstract_states}\n"
          f"abstract-steps {verdict.abstract_steps}\n"
          f"exact-skipped {verdict.skipped}")
    print('failed' if failed else 'holds')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
