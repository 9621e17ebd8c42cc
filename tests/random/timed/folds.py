#!/usr/bin/env python3
"""Naive folds of the models of `gen_timed --plain`, with bugs to plant, to try
the judge on.

usage: folds.py [--seeds A..B] [--bug NAME]...

The local variable v of P goes.  Its values are those of its type, and every edge
is written out for each of them; nothing is joined.  For each kind of fold the
summary says how many outputs are right, and in how many the judge finds each of
the bugs.
"""

import above  # noqa: F401
import argparse
import collections
import copy
import io
import itertools
import re
import sys
from gen_timed import Bound, Edge, Int, generate_timed
from network import load_timed
from regions import explored
from timed_judge import compare_timed
from oracle.uppaal_parse import ModelError
from oracle.uppaal_runtime import Budget

VALUES = (0, 1, 2)
BUGS = {
    'may': ('no-decline', 'urgency-kept', 'invariant-strongest',
            'invariant-not-read', 'bound-not-read', 'reset-not-read',
            'lower-bounds-largest', 'clock-is-integer', 'equal-is-upper'),
    'must': ('send-kept', 'time-passes', 'invariant-weakest', 'some-value',
             'one-guard'),
    'untime': ('no-decline', 'channel-urgent')}


class Refused(Exception):
    """A fold that is not made."""


def put(text, value):
    """A text with a value for v; what is constant is computed."""
    text = re.sub(r'\bv\b', str(value), text)
    if text and not re.search(r'[A-Za-z]', text):
        code = re.sub(r'\(([^()?]*)\?([^():]*):([^()]*)\)', r'((\2) if (\1) else (\3))',
                      text)
        code = code.replace('&&', ' and ').replace('||', ' or ')
        return str(int(eval(code)))   # pylint: disable=eval-used
    return text


def reads(text):
    return re.search(r'\bv\b', text) is not None


def part_of(part, value):
    """A conjunct with a value for v: a conjunct, True or False."""
    if isinstance(part, Int):
        text = put(part.text, value)
        return bool(int(text)) if text.isdigit() else Int(text)
    if part.quantified:
        return Bound('', '', '', quantified=re.sub(r'\bv\b', str(value),
                                                   part.quantified))
    unless = part.unless and put(part.unless, value)
    if unless and unless.isdigit():
        if int(unless):
            return True
        unless = None
    return Bound(part.clock, part.op, put(part.bound, value), unless)


def parts_of(parts, value):
    """Conjuncts with a value, or None if they never hold."""
    found = [part_of(part, value) for part in parts]
    if False in found:
        return None
    return [part for part in found if part is not True]


def render(parts):
    return sorted(part.render() for part in parts)


class Fold:
    """One fold of one model; bugs are names."""

    def __init__(self, model, bugs=()):
        self.model, self.bugs = copy.deepcopy(model), set(bugs)
        self.channels = {c.name: c for c in self.model.channels}
        self.folded = self.model.templates[0]
        self.initial = next(int('= 1' in text) for text in self.folded.decls
                            if re.search(r'\bv\b', text))
        self.folded.decls = [text for text in self.folded.decls
                             if not re.search(r'\bv\b', text)]

    def channel(self, edge):
        return self.channels[re.match(r'\w+', edge.sync)[0]] if edge.sync else None

    def residual(self, edge, value):
        """The edge for a value, or None."""
        other = edge.copy()
        other.guard = parts_of(edge.guard, value)
        if 'bound-not-read' in self.bugs and other.guard is not None:
            parts = [part if isinstance(part, Int) else part_of(part, self.initial)
                     for part in edge.guard]
            other.guard = parts_of([p for p in parts if p is not True], value)
        if other.guard is None:
            return None
        other.sync = put(edge.sync, value)
        reset = self.initial if 'reset-not-read' in self.bugs else value
        other.update = []
        for text in edge.update:
            name, _, right = text.partition(' = ')
            if name == 'v':
                continue
            is_clock = name in ('x', 'y')
            right = put(right, reset if is_clock else value)
            other.update.append(f"{name} = {right}")
        return other

    def residuals(self, edge):
        return [self.residual(edge, value) for value in VALUES]

    def differs(self, edge):
        """Whether it depends on v if the edge is enabled."""
        found = self.residuals(edge)
        keys = {None if e is None else (tuple(render(e.guard)), e.sync)
                for e in found}
        return len(keys) > 1

    def invariants(self, location, mode):
        found = []
        for part in location.invariant:
            if not reads(part.render()):
                found.append(part)
                continue
            values = [part_of(part, value) for value in VALUES]
            if 'invariant-not-read' in self.bugs:
                values = [values[self.initial]] * 3
            wide = (mode == 'may') != ('invariant-strongest' in self.bugs
                                       or 'invariant-weakest' in self.bugs)
            found += self.weakest(values) if wide else self.all_of(values)
        location.invariant = found

    @staticmethod
    def all_of(values):
        if False in values:
            return [Int('false')]
        parts = {part.render(): part for part in values if part is not True}
        return list(parts.values())

    def weakest(self, values):
        if True in values:
            return []
        rest = [part for part in values if part is not False]
        if not rest:
            return [Int('false')]
        if len({part.render() for part in rest}) == 1:
            return rest[:1]
        if all(isinstance(part, Int) for part in rest):
            return [Int('(' + ' || '.join(dict.fromkeys(
                f"({part.text})" for part in rest)) + ')')]
        if any(isinstance(part, Int) or part.quantified or part.unless
               or not part.bound.isdigit() for part in rest):
            return []
        first, bounds = rest[0], [int(part.bound) for part in rest]
        lower = first.op in ('>', '>=')
        return [Bound(first.clock, first.op,
                      str(min(bounds) if lower else max(bounds)))]

    def add(self, edges, edge):
        key = (edge.target, edge.sync, edge.selects, edge.update,
               render(edge.guard))
        if all(key != (e.target, e.sync, e.selects, e.update, render(e.guard))
               for e in edges if e.source == edge.source):
            edges.append(edge)

    # --- may ------------------------------------------------------------------

    def may(self):
        edges = []
        for edge in self.folded.edges:
            found = [e for e in self.residuals(edge) if e is not None]
            if self.bugs & {'lower-bounds-largest', 'equal-is-upper'}:
                found = self.joined(found)
            for each in found:
                if 'clock-is-integer' not in self.bugs \
                        or not self.no_integer(each):
                    self.add(edges, each)
            channel = self.channel(edge)
            if channel is None or not self.differs(edge):
                continue
            if channel.is_broadcast and edge.sync.endswith('?'):
                if 'no-decline' not in self.bugs:
                    for value in VALUES:
                        loop = Edge(edge.source, edge.source)
                        loop.sync, loop.selects = put(edge.sync, value), \
                            list(edge.selects)
                        self.add(edges, loop)
                continue              # receivers do not make haste
            if channel.is_urgent and 'urgency-kept' not in self.bugs:
                channel.is_urgent = False
        for location in self.folded.locations:
            self.invariants(location, 'may')
        self.folded.edges = edges
        return self.model

    def joined(self, edges):
        """One edge for all, with wrong bounds, where only one bound differs."""
        if len(edges) < 2:
            return edges
        first = edges[0]
        for at, part in enumerate(first.guard):
            if isinstance(part, Int) or part.quantified:
                continue
            same = all(len(e.guard) == len(first.guard) and [
                p.render() for n, p in enumerate(e.guard) if n != at] == [
                p.render() for n, p in enumerate(first.guard) if n != at]
                and isinstance(e.guard[at], Bound) and e.guard[at].bound.isdigit()
                and e.guard[at].clock == part.clock and e.sync == first.sync
                and e.update == first.update for e in edges)
            if not same:
                continue
            bounds = [int(e.guard[at].bound) for e in edges]
            if len(set(bounds)) < 2:
                continue
            other = first.copy()
            if part.op in ('>', '>=') and 'lower-bounds-largest' in self.bugs:
                other.guard[at] = Bound(part.clock, part.op, str(max(bounds)),
                                        part.unless)
                return [other]
            if part.op == '==' and 'equal-is-upper' in self.bugs:
                other.guard[at] = Bound(part.clock, '==', str(max(bounds)),
                                        part.unless)
                return [other]
        return edges

    @staticmethod
    def no_integer(edge):
        """Whether its bounds on single clocks have no integer solution."""
        low, high = collections.Counter(), {}
        for part in edge.guard:
            if isinstance(part, Int) or part.quantified or part.unless \
                    or '-' in part.clock or not part.bound.isdigit():
                continue
            value = int(part.bound)
            if part.op in ('>', '>=', '=='):
                low[part.clock] = max(low[part.clock], value + (part.op == '>'))
            if part.op in ('<', '<=', '=='):
                high[part.clock] = min(high.get(part.clock, 99),
                                       value - (part.op == '<'))
        return any(low[clock] > most for clock, most in high.items())

    # --- must -------------------------------------------------------------------

    def must(self):
        edges, silent = [], set()
        template = self.folded
        for edge in template.edges:
            channel = self.channel(edge)
            if channel is None or not self.differs(edge) \
                    and not self.updates_differ(edge):
                continue
            if channel.is_urgent and not (channel.is_broadcast
                                          and edge.sync.endswith('?')):
                self.stop_time(template, edge.source)
            if channel.is_broadcast and edge.sync.endswith('?'):
                silent.add(channel.name)
        for source in range(len(template.locations)):
            self.classes(source, edges)
        for location in template.locations:
            self.invariants(location, 'must')
        template.edges = edges
        if 'send-kept' not in self.bugs:
            for each in self.model.templates:
                for edge in list(each.edges):
                    channel = self.channel(edge)
                    if channel and channel.name in silent and edge.sync[-1] == '!':
                        each.edges.remove(edge)
                        if channel.is_urgent:
                            self.stop_time(each, edge.source)
        return self.model

    def updates_differ(self, edge):
        return len({tuple(e.update) for e in self.residuals(edge)
                    if e is not None}) > 1

    def stop_time(self, template, source):
        if 'time-passes' not in self.bugs \
                and template.locations[source].mark != 'committed':
            template.locations[source].mark = 'urgent'

    def classes(self, source, edges):
        """The edges of a location: for every value some edge of a class."""
        found = {}
        for edge in self.folded.edges:
            if edge.source != source:
                continue
            for value, each in zip(VALUES, self.residuals(edge)):
                if each is None:
                    continue
                key = (each.target, each.sync, tuple(each.selects),
                       tuple(each.update))
                found.setdefault(key, {}).setdefault(value, []).append(each)
        for by_value in found.values():
            if len(by_value) < len(VALUES) and 'some-value' not in self.bugs:
                continue
            choices = list(itertools.islice(itertools.product(
                *by_value.values()), 64))
            for chosen in choices:
                edge = chosen[0].copy()
                parts = {p.render(): p for each in chosen for p in each.guard}
                if 'one-guard' not in self.bugs:
                    edge.guard = list(parts.values())
                self.add(edges, edge)

    # --- without clocks -----------------------------------------------------------

    def untime(self):
        model = self.model
        model.decls = [text for text in model.decls
                       if not text.startswith(('clock', 'void put'))]
        for template in model.templates:
            if template is self.folded:
                template.decls.insert(0, f"int[0,2] v = {self.initial};")
            template.decls = [text for text in template.decls
                              if not text.startswith('clock')]
            loops = []
            for edge in template.edges:
                timed = [p for p in edge.guard if isinstance(p, Bound)]
                edge.guard = [p for p in edge.guard if isinstance(p, Int)]
                edge.update = [text for text in edge.update if not re.match(
                    r'(x|y|z|k|c\[.*?\]) = |put\(', text)]
                channel = self.channel(edge)
                if timed and channel and channel.is_broadcast \
                        and edge.sync.endswith('?') \
                        and 'no-decline' not in self.bugs:
                    loop = Edge(edge.source, edge.source)
                    loop.sync, loop.selects = edge.sync, list(edge.selects)
                    loops.append(loop)
            template.edges += loops
            for location in template.locations:
                location.invariant = [p for p in location.invariant
                                      if isinstance(p, Int)]
        if 'channel-urgent' in self.bugs:
            for channel in model.channels:
                channel.is_urgent = True
        model.queries = []
        return model


def fold(model, mode, bugs=()):
    return getattr(Fold(model, bugs), mode)()


def judge_fold(model, mode, bugs=()):
    """'right', 'wrong' or why not: of the naive fold of a model."""
    try:
        abstract = load_timed(io.StringIO(fold(model, mode, bugs).text()))
    except ModelError as error:
        if 'initial state' in str(error):
            return 'refused'
        raise
    concrete = load_timed(io.StringIO(model.text()))
    verdict = compare_timed(concrete, abstract,
                            ['P.v'] if mode != 'untime' else [],
                            'must' if mode == 'must' else 'may',
                            untime=mode == 'untime', max_states=4000)
    return 'wrong' if set(verdict.failures) - {'new-error'} else 'right'


def main():
    parser = argparse.ArgumentParser(description="Judge naive folds.")
    parser.add_argument('--seeds', default='1..100')
    parser.add_argument('--bug', action='append')
    parser.add_argument('--show', action='store_true')
    options = parser.parse_args()
    first, last = map(int, options.seeds.split('..'))
    counts = collections.Counter()
    for seed in range(first, last + 1):
        model = generate_timed(seed, True)
        try:
            _, found = explored(load_timed(io.StringIO(model.text())), 2000)
        except (ModelError, Budget):
            continue
        if found.transitions < 4:
            continue
        counts['models'] += 1
        for mode, bugs in BUGS.items():
            for bug in (None, *bugs):
                if bug and options.bug and bug not in options.bug:
                    continue
                try:
                    answer = judge_fold(model, mode, [bug] if bug else [])
                except Budget:
                    answer = 'budget'
                counts[mode, bug or '', answer] += 1
                if options.show and answer == 'wrong':
                    print(f"seed {seed}: {mode} {bug or ''}")
                if answer == 'wrong' and not bug:
                    print(f"seed {seed}: the right {mode} is wrong")
    print(f"{counts.pop('models')} models")
    for (mode, bug, answer), count in sorted(counts.items()):
        if not bug or answer == 'wrong':
            print(f"{mode} {bug or 'as it should be'}: {answer} {count}")
    return any(not bug and answer == 'wrong' for _, bug, answer in counts)


if __name__ == '__main__':
    sys.exit(main())
