#!/usr/bin/env python3
"""Decide over regions whether a timed model is an abstraction of another.

usage: timed_judge.py CONCRETE.xml ABSTRACT.xml [--remove NAME...] [--untime]
                      [--exact | --must] [--report FILE] [--max-states N]

The abstraction map is the one of judge.py on states, and leaves clocks out that
were removed; those that stay have the same values on both sides.

  may    every step of a reachable (state, region) has its counterpart, and time
         can pass in the image wherever it can in the original, as far
  exact  besides the other way round: projection is a strong timed bisimulation
  must   every run of the abstract model, steps and delays, is one of the original

Exit status: 0 holds, 1 fails, 2 unusable input, 3 a limit ended the run.
"""

import above  # noqa: F401
import argparse
import json
import sys
from oracle.equal import bare_of
from judges.judge import Projection, Verdict, covers
from judges.merges import is_merge
from network import load_timed
from judges.processes import owners, rename, split_name
from regions import Caps, Dense, Grow, explore_dense
from oracle.uppaal_parse import ModelError
from oracle.uppaal_runtime import Budget


def clocks_of(network, name):
    """The clocks that a name stands for: x, Template.x, Process.x, a cell."""
    if is_merge(name) or '@' in name:
        return []
    owner, rest = split_name(name)
    full, places = [name], owners(network, owner)
    if places is not None:
        full = [f"{p.name}.{rest}" for p in places]
    return [clock for clock in network.clocks[1:]
            if any(covers(each, clock) for each in full)]


def rename_timed(abstract, concrete, report):
    """Names of processes, with those of their clocks, as they were before."""
    if len(concrete.processes) == len(abstract.processes):
        for before, after in zip(concrete.processes, abstract.processes):
            prefix = after.name + '.'
            abstract.clocks[:] = [
                f"{before.name}.{clock[len(prefix):]}"
                if clock.startswith(prefix) else clock
                for clock in abstract.clocks]
    rename(abstract, concrete, report)


class TimedJudge:
    """One comparison."""

    def __init__(self, concrete, abstract, names, normalised=(), untime=False,
                 max_states=60000):
        self.concrete, self.abstract = concrete, abstract
        gone = set(concrete.clocks[1:]) if untime else \
            {clock for name in names for clock in clocks_of(concrete, name)}
        names = [name for name in names if not clocks_of(concrete, name)]
        self.alpha = Projection(concrete, abstract, names, normalised)
        self.bare, self.max_states = bare_of(abstract), max_states
        rest = [clock for clock in concrete.clocks[1:] if clock not in gone]
        self.idle = gone & set(abstract.clocks)  # not tested: see Space
        if sorted(rest) != sorted(set(abstract.clocks[1:]) - gone):
            raise ModelError(f"the clocks {rest} became {abstract.clocks[1:]}")
        self.images, self.sides = {}, {}

    def run(self, mode='may', excuses=False):
        """The verdict; constants are found on the way."""
        caps = Caps()
        while True:
            try:
                return self.judge(caps, mode, excuses)
            except Grow:
                continue

    def judge(self, caps, mode, excuses):
        self.verdict = verdict = Verdict()
        self.images, self.sides = {}, {}
        self.mine = Dense(self.concrete, caps)
        self.theirs = Dense(self.abstract, caps, self.idle)
        self.kept = self.mine.space.kept(self.theirs.space.names, self.idle)
        self.explored = explore_dense(self.mine, self.max_states)
        self.states = list(self.explored.numbers)
        verdict.states = len(self.states)
        verdict.concrete_errors = self.explored.error_count
        if self.image(self.mine.initial) != self.theirs.initial:
            verdict.add('initial', lambda: (
                f"{self.theirs.show(self.image(self.mine.initial))}\n"
                f"  is not {self.theirs.show(self.theirs.initial)}"))
        for number in range(len(self.states)):
            self.state(number, mode, excuses)
        if mode == 'must':
            self.must(excuses)
        verdict.abstract_states = len(self.sides)
        return verdict

    def image(self, at):
        if at not in self.images:
            self.images[at] = (self.alpha(at[0]), self.mine.space.project(
                at[1], self.kept, self.theirs.space))
        return self.images[at]

    def key(self, image):
        return self.bare(image[0]), image[1]

    def side(self, image):
        """What is possible in an image: steps, their targets, delays, errors."""
        if image not in self.sides:
            steps, errors = self.theirs.actions(image)
            is_open, after = self.theirs.delays(image)
            self.sides[image] = (
                steps, {self.key(target) for _, target in steps},
                (is_open, after and (image[0], after)), errors)
        return self.sides[image]

    def delays(self, number):
        """Delays of an original state as its image sees them: whether time can
        pass with the same image, the next one and its number, and whether
        nothing stops time as long as the image is the same."""
        is_open, after = self.explored.delays[number]
        image, seen = self.image(self.states[number]), number
        while after is not None:
            at = (self.states[seen][0], after)
            if self.image(at) != image:
                return is_open, self.image(at), self.explored.numbers[at], True
            is_open, seen = True, self.explored.numbers[at]
            after = self.explored.delays[seen][1]
        state, region = self.states[seen]
        later = self.mine.space.delay(region)
        return is_open, None, None, \
            later is None or self.image((state, later)) != image

    def state(self, number, mode, excuses):
        """What a state and its image can do."""
        verdict, image = self.verdict, self.image(self.states[number])
        steps, targets, (is_open, after), errors = self.side(image)
        mine_open, mine_after, _, is_whole = self.delays(number)
        matched = set()
        for step, target in self.explored.actions[number]:
            verdict.steps += 1
            wanted = self.image(target)
            matched.add(self.key(wanted))
            if mode != 'must' and self.key(wanted) not in targets:
                verdict.add('may', lambda: self.text(
                    number, "step without counterpart", step, wanted))
        if mode != 'must' and (mine_open and not is_open
                               or mine_after is not None and mine_after != after):
            verdict.add('delay', lambda: self.text(
                number, "time cannot pass in the image"))
        if errors and not self.explored.error_count:
            verdict.add('new-error', lambda: self.text(
                number, f"new error {errors[0].error}", errors[0],
                network=self.abstract))
        if mode != 'exact' or excuses and self.explored.errors[number]:
            return
        for step, target in steps:
            if self.key(target) not in matched:
                verdict.add('exact', lambda: self.text(
                    number, "abstract step without counterpart", step, target,
                    self.abstract))
        if is_open and not (mine_open and is_whole) \
                or after is not None and after != mine_after:
            verdict.add('exact-delay', lambda: self.text(
                number, "time can pass in the image only"))

    def must(self, excuses):
        """Shrink the set of simulating states until nothing changes."""
        count, explored = len(self.states), self.explored
        steps = [[(self.key(self.image(target)), explored.numbers[target])
                  for _, target in found] for found in explored.actions]
        passing = [self.delays(number) for number in range(count)]
        lost, changed = {}, True

        def unmatched(number):
            theirs = self.side(self.image(self.states[number]))
            matched = {key for key, target in steps[number]
                       if target not in lost}
            for step, target in theirs[0]:
                if self.key(target) not in matched:
                    return step, target
            is_open, after = theirs[2]
            mine_open, mine_after, where, _ = passing[number]
            if is_open and not mine_open or after is not None and (
                    after != mine_after or where in lost):
                return 'delay', after
            return None

        while changed:
            changed = False
            for number in reversed(range(count)):
                if number in lost or excuses and explored.errors[number]:
                    continue
                found = unmatched(number)
                if found:
                    lost[number], changed = found, True
        if 0 in lost:
            self.verdict.add('must', lambda: self.must_text(lost, steps, passing))

    # --- counterexamples ------------------------------------------------------

    def text(self, number, what, step=None, target=None, network=None):
        lines = [what, 'path of the original:']
        for each in self.explored.trace(number):
            lines.append('  ' + self.mine.show(self.states[each]))
        image = self.image(self.states[number])
        if step is not None:
            network = network or self.concrete
            lines.append(f"step:\n{network.show_step(step.parts)}")
        if target is not None:
            lines.append(f"  => {self.theirs.show(target)}")
        steps, _, delays, _ = self.side(image)
        lines.append(f"image: {self.theirs.show(image)}\n  delays {delays}")
        for each, after in steps[:8]:
            lines += [self.abstract.show_step(each.parts),
                      f"    => {self.theirs.show(after)}"]
        lines.append(f"original: delays {self.explored.delays[number]}")
        for each, after in self.explored.actions[number][:8]:
            lines += [self.concrete.show_step(each.parts),
                      f"    => {self.mine.show(after)}"]
        return '\n'.join(lines)

    def must_text(self, lost, steps, passing):
        number, lines = 0, ["an abstract run has no counterpart"]
        for _ in range(len(self.states)):
            step, target = lost[number]
            lines.append('  ' + self.mine.show(self.states[number]))
            if step == 'delay':
                lines.append(f"  delay to {target and self.theirs.show(target)}")
                after = passing[number][2]
                if target is None or passing[number][1] != target:
                    break
            else:
                lines.append(self.abstract.show_step(step.parts))
                after = [where for key, where in steps[number]
                         if key == self.key(target)]
                if not after:
                    break
                after = min(after, key=list(lost).index)
            number = after
        return '\n'.join(lines + ["no counterpart"])


class Labels:
    """Whether steps of two models have the same conditions on clocks and set the
    same clocks, in all states that are reached if clocks stop nothing: then one is
    an exact abstraction of the other.  For models of too many regions."""

    def __init__(self, concrete, abstract, names, normalised=()):
        names = [name for name in names if not clocks_of(concrete, name)]
        self.concrete, self.abstract = concrete, abstract
        self.alpha = Projection(concrete, abstract, names, normalised)
        self.bare = bare_of(abstract)

    def bounds(self, network, condition):
        names = network.clocks
        return frozenset(frozenset((names[i], names[j], b)
                                   for i, j, b in conjunction)
                         for conjunction in condition)

    def steps(self, network, spot, image):
        return {(self.bounds(network, step.condition), frozenset(
            (network.clocks[clock], value) for clock, value in step.sets),
                 self.bare(image(step.target))) for step in spot.steps}

    def run(self, max_states):
        """What differs, or None."""
        seen, queue = {self.concrete.initial}, [self.concrete.initial]
        while queue:
            state = queue.pop()
            mine, image = self.concrete.spot(state), self.alpha(state)
            theirs = self.abstract.spot(image)
            same = self.steps(self.concrete, mine, self.alpha) == self.steps(
                self.abstract, theirs, lambda target: target) \
                and mine.is_still == theirs.is_still \
                and self.bounds(self.concrete, mine.invariant) \
                == self.bounds(self.abstract, theirs.invariant)
            if not same:
                return self.concrete.show(state)
            for step in mine.steps:
                if step.target not in seen:
                    seen.add(step.target)
                    queue.append(step.target)
            if len(seen) > max_states:
                raise Budget(f"more than {max_states} states")
        return None


def compare_timed(concrete, abstract, names=(), mode='may', report=None,
                  untime=False, max_states=60000, excuses=False):
    """Judge an abstract network against a concrete one; report is the JSON of
    varabs or None."""
    if report is not None:
        rename_timed(abstract, concrete, report)
    normalised = report.get('normalised', ()) if report else ()
    return TimedJudge(concrete, abstract, list(names), normalised, untime,
                      max_states).run(mode, excuses)


def main():
    parser = argparse.ArgumentParser(
        description="Decide whether ABSTRACT is an abstraction of CONCRETE.")
    parser.add_argument('concrete')
    parser.add_argument('abstract')
    parser.add_argument('--remove', nargs='*', default=[], metavar='NAME')
    parser.add_argument('--untime', action='store_true')
    parser.add_argument('--exact', action='store_true')
    parser.add_argument('--must', action='store_true')
    parser.add_argument('--report')
    parser.add_argument('--max-states', type=int, default=200000)
    options = parser.parse_args()
    names = [n for name in options.remove for n in name.split(',') if n]
    mode = 'exact' if options.exact else 'must' if options.must else 'may'
    report = None
    if options.report:
        with open(options.report, encoding='utf-8') as file:
            report = json.load(file)
    try:
        verdict = compare_timed(load_timed(options.concrete),
                                load_timed(options.abstract), names, mode,
                                report, options.untime, options.max_states)
    except ModelError as error:
        print(error, file=sys.stderr)
        return 2
    except Budget as error:
        print(error, file=sys.stderr)
        return 3
    for kind, failure in verdict.failures.items():
        print(f"FAILED: {kind} ({verdict.counts[kind]} times): {failure.text}")
    print(f"regions {verdict.states}\nsteps {verdict.steps}\n"
          f"abstract-regions {verdict.abstract_states}")
    failed = set(verdict.failures) - {'new-error'}
    print('failed' if failed else 'holds')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
