#!/usr/bin/env python3
"""Random small timed models.

usage: gen_timed.py SEED [-o FILE] [--plain]

A model is kept in parts, so that folds.py can take it apart: conjuncts of
guards and invariants are Int (a text) or Bound (a clock, or a difference, an
operator, the text of an integer, and a text that makes it hold anyhow).
--plain makes the models of folds.py: one process of each template, and a local
variable v that stays in its range.
"""

import above  # noqa: F401
import argparse
import random
import re
from xml.sax.saxutils import escape

OPERATORS = ('<', '<=', '==', '>=', '>')


class Int:
    """A conjunct without clocks."""

    def __init__(self, text):
        self.text = text

    def render(self):
        return self.text


class Bound:
    """x op bound, or `unless || x op bound`; or a whole text, `quantified`."""

    def __init__(self, clock, op, bound, unless=None, quantified=None):
        self.clock, self.op, self.bound = clock, op, bound
        self.unless, self.quantified = unless, quantified

    def render(self):
        if self.quantified:
            return self.quantified
        text = f"{self.clock} {self.op} {self.bound}"
        if not self.unless:
            return text
        return f"({text} || {self.unless})" if len(self.unless) % 2 \
            else f"({self.unless} || {text})"


class Location:
    def __init__(self, name):
        self.name, self.invariant, self.mark = name, [], ''


class Edge:
    def __init__(self, source, target):
        self.source, self.target = source, target
        self.selects, self.guard, self.sync, self.update = [], [], '', []

    def copy(self):
        other = Edge(self.source, self.target)
        other.selects, other.guard = list(self.selects), list(self.guard)
        other.sync, other.update = self.sync, list(self.update)
        return other


class Template:
    def __init__(self, name):
        self.name, self.params, self.decls = name, '', []
        self.locations, self.edges, self.branchpoints = [], [], []


class Channel:
    def __init__(self, name, is_urgent, is_broadcast, size=0):
        self.name, self.size = name, size
        self.is_urgent, self.is_broadcast = is_urgent, is_broadcast


class TimedModel:
    """decls are texts; removable are the names of variables that may go."""

    def __init__(self):
        self.decls, self.channels, self.templates = [], [], []
        self.system, self.removable, self.clock_names = '', [], []
        self.queries, self.locals_in = [], {}

    def text(self):
        decls = list(self.decls)
        for channel in self.channels:
            words = ('urgent ' if channel.is_urgent else '') \
                + ('broadcast ' if channel.is_broadcast else '')
            size = f"[{channel.size}]" if channel.size else ''
            decls.append(f"{words}chan {channel.name}{size};")
        out = ['<?xml version="1.0" encoding="utf-8"?>',
               "<!DOCTYPE nta PUBLIC '-//Uppaal Team//DTD Flat System 1.6//EN'"
               " 'http://www.it.uu.se/research/group/darts/uppaal/"
               "flat-1_6.dtd'>", '<nta>',
               f"  <declaration>{escape(chr(10).join(decls))}</declaration>"]
        for template in self.templates:
            template_text(template, out)
        out.append(f"  <system>{escape(self.system)}</system>")
        out.append('  <queries>')
        for query in self.queries:
            out.append(f"    <query><formula>{escape(query)}</formula>"
                       '<comment></comment></query>')
        out += ['  </queries>', '</nta>', '']
        return '\n'.join(out)


def template_text(template, out):
    out += ['  <template>', f"    <name>{template.name}</name>"]
    if template.params:
        out.append(f"    <parameter>{escape(template.params)}</parameter>")
    if template.decls:
        decls = escape('\n'.join(template.decls))
        out.append(f"    <declaration>{decls}</declaration>")
    for number, location in enumerate(template.locations):
        out.append(f'    <location id="{template.name}{number}" x="{number * 120}"'
                   ' y="0">')
        out.append(f"      <name>{location.name}</name>")
        if location.invariant:
            text = ' && '.join(part.render() for part in location.invariant)
            out.append(f'      <label kind="invariant">{escape(text)}</label>')
        if location.mark:
            out.append(f"      <{location.mark}/>")
        out.append('    </location>')
    out += [f'    <branchpoint id="{template.name}{name}" x="60" y="90"/>'
            for name in template.branchpoints]
    out.append(f'    <init ref="{template.name}0"/>')
    for edge in template.edges:
        out += ['    <transition>',
                f'      <source ref="{template.name}{edge.source}"/>',
                f'      <target ref="{template.name}{edge.target}"/>']
        labels = (('select', ', '.join(f"{n} : {t}" for n, t in edge.selects)),
                  ('guard', ' && '.join(part.render() for part in edge.guard)),
                  ('synchronisation', edge.sync),
                  ('assignment', ', '.join(edge.update)))
        out += [f'      <label kind="{kind}">{escape(text)}</label>'
                for kind, text in labels if text]
        out.append('    </transition>')
    out.append('  </template>')


class Generator:
    """The choices of one seed."""

    def __init__(self, seed, is_plain=False):
        self.seed, self.passed = seed, {}
        self.rng = random.Random(f"timed {seed}")
        self.is_plain = is_plain
        self.model = TimedModel()
        self.shared, self.arrays = [], []     # names of integers in all scopes
        self.has_reset = False

    def chance(self, probability):
        return self.rng.random() < probability

    def pick(self, items):
        return self.rng.choice(list(items))

    # --- declarations -------------------------------------------------------

    def globals_(self):
        rng, model = self.rng, self.model
        self.clocks = ['x']
        if self.chance(0.6):
            self.clocks.append('y')
        model.clock_names = list(self.clocks)
        model.decls.append(f"clock {', '.join(self.clocks)};")
        if not self.is_plain and len(self.clocks) == 1 and self.chance(0.35):
            model.decls.append('clock c[2];')
            model.clock_names.append('c')
            self.clocks += ['c[0]', 'c[1]']
            self.clock_array = True
        else:
            self.clock_array = False
        for name in ('g', 'h')[:rng.randint(0 if self.is_plain else 1, 2)]:
            model.decls.append(f"int[0,2] {name}"
                               f"{self.pick(['', '', ' = 1', ' = 2'])};")
            self.shared.append(name)
            model.removable.append(name)
        if self.chance(0.3):
            model.decls.append('bool b[2];')
            self.arrays.append('b')
            model.removable.append('b')
        if self.chance(0.3):
            model.decls.append(f"const int K = {rng.randint(1, 3)};")
            self.shared_consts = ['K']
        else:
            self.shared_consts = []
        if not self.is_plain and self.chance(0.12):
            model.decls.append('void put(clock &z, int k) { z = k; }')
            self.has_reset = True
        for name, urgent, broadcast in (('a', False, False), ('bc', False, True),
                                        ('u', True, False), ('ub', True, True)):
            if self.chance(0.8 if self.is_plain else 0.55):
                size = 2 if not self.is_plain and self.chance(0.15) else 0
                model.channels.append(Channel(name, urgent, broadcast, size))

    # --- expressions ----------------------------------------------------------

    def number(self, scope):
        """An integer from 0 to 3."""
        if self.chance(0.5) or not scope:
            return str(self.rng.randint(0, 3))
        name = self.pick(scope)
        return self.pick([name, name, name, f"{name} + 1", f"3 - {name}",
                          f"({name} == 1 ? 1 : 2)"])

    def test(self, scope):
        name = self.pick(scope)
        if self.arrays and self.chance(0.25):
            index = self.pick(['0', '1', f"{name} % 2"])
            return self.pick(['', '!']) + f"b[{index}]"
        other = self.pick(scope) if self.chance(0.15) \
            else str(self.rng.randint(0, 2))
        return f"{name} {self.pick(['==', '==', '!=', '<', '>', '<='])} {other}"

    def clock(self, own, scope=()):
        if self.clock_array and scope and self.chance(0.3):
            name = self.pick(scope)
            return 'c[id]' if 'id' in scope else f"c[{name} % 2]"
        return self.pick(self.clocks + own)

    def bound(self, scope, own, operators=OPERATORS, differences=0.06):
        clock = self.clock(own, scope)
        if self.clock_array and self.chance(0.1):
            bound = f"c[i] {self.pick(operators)} {self.number(scope)}"
            other = f"i {self.pick(['==', '!='])} {self.number(scope)}"
            return Bound('', '', '', quantified="forall (i : int[0,1]) "
                         + self.pick([f"{other} imply {bound}",
                                      f"({bound} || {other})"]))
        unless = self.test(scope) if scope and self.chance(0.12) else None
        if len(self.clocks) > 1 and self.chance(differences):
            other = self.pick([c for c in self.clocks if c != clock])
            return Bound(f"{clock} - {other}", self.pick(operators),
                         self.number(scope), unless)
        return Bound(clock, self.pick(operators), self.number(scope), unless)

    # --- templates --------------------------------------------------------------

    def template(self, name):
        template, rng = Template(name), self.rng
        scope, own = self.shared + self.shared_consts, []
        if self.is_plain:
            if name == 'P':
                template.decls.append(f"int[0,2] v{self.pick(['', ' = 1'])};")
                scope = scope + ['v'] * 4
        else:
            for local in ('v', 'w')[:rng.randint(0, 2)]:
                start = self.pick(['', '', ' = 1'])
                template.decls.append(f"int[0,2] {local}{start};")
                scope = scope + [local] * 2
                self.model.removable.append(f"{name}.{local}")
            if self.chance(0.3):
                cells = self.pick([['z'], ['z'], ['z'], ['z[0]', 'z[1]']])
                template.decls.append('clock z;' if len(cells) == 1
                                      else 'clock z[2];')
                own += cells
                self.model.clock_names.append(f"{name}.z")
        if template_parameter := (not self.is_plain and self.parameter(template)):
            own += [template_parameter] if template_parameter == 'k' else []
            scope = scope + (['id'] if 'id' in template.params else [])
        count = rng.randint(2, 4)
        writable = [n for n in scope if n not in ('K', 'id')]
        for number in range(count):
            location = Location(f"L{number}")
            if self.chance(0.1):
                location.mark = self.pick(['committed', 'urgent', 'urgent'])
            if self.chance(0.3):
                location.invariant.append(self.invariant(scope, own, number == 0))
                if self.chance(0.15):
                    location.invariant.append(
                        self.invariant(scope, own, number == 0))
            template.locations.append(location)
        for number in range(rng.randint(count, count + 4)):
            source = number if number < count - 1 and self.chance(0.8) \
                else rng.randrange(count)
            target = rng.randrange(count)
            if target == source and self.chance(0.7):
                target = (target + 1) % count
            template.edges.append(self.edge(source, target, scope, own,
                                            writable))
        if not self.is_plain and self.chance(0.12):
            self.branch(template, scope, own, writable)
        return template

    def branch(self, template, scope, own, writable):
        """Two ends of an edge, which may set something more."""
        edge = self.pick(template.edges)
        template.branchpoints.append('b')
        targets = [edge.target, self.rng.randrange(len(template.locations))]
        edge.target = 'b'
        for target in targets:
            other = Edge('b', target)
            if self.chance(0.6):
                other.update.append(self.update(scope, own, writable))
            template.edges.append(other)

    def parameter(self, template):
        """A parameter, sometimes: id for two processes, or a clock."""
        if self.chance(0.25):
            template.params = 'int[0,1] id'
            return 'id'
        if self.chance(0.15):
            template.params = self.pick(['clock &k', 'clock &k, const int id'])
            return 'k'
        return None

    def invariant(self, scope, own, is_initial):
        if scope and self.chance(0.1):
            name = self.pick(scope)
            return Int(f"{name} <= {self.rng.randint(1, 2)}")
        if not is_initial and self.chance(0.06):
            return self.bound(scope, own, ('>=', '>'), 0.03)
        found = self.bound(scope, own, ('<=',) if is_initial else
                           ('<', '<=', '<='), 0.03)
        return found

    def edge(self, source, target, scope, own, writable):
        edge = Edge(source, target)
        if not self.is_plain and self.chance(0.12):
            edge.selects.append(('i', 'int[0,1]'))
            scope, writable = scope + ['i'] * 2, list(writable)
        urgent = False
        if self.model.channels and self.chance(0.5):
            channel = self.pick(self.model.channels)
            index = f"[{self.pick([str(self.rng.randint(0, 1))] + [f'{n} % 2' for n in scope])}]" \
                if channel.size else ''
            edge.sync = channel.name + index + self.pick('!?')
            urgent = channel.is_urgent
        if scope and self.chance(0.3):
            edge.guard.append(Int(self.test(scope)))
        if not urgent and self.chance(0.5):
            edge.guard.append(self.bound(scope, own))
            if self.chance(0.12):     # between two integers
                clock, low = self.clock(own), self.rng.randint(0, 2)
                edge.guard += [Bound(clock, '>', str(low)),
                               Bound(clock, '<', str(low + 1))]
            elif self.chance(0.25):
                edge.guard.append(self.bound(scope, own))
        self.rng.shuffle(edge.guard)
        for _ in range(self.pick([0, 1, 1, 2])):
            edge.update.append(self.update(scope, own, writable))
        if self.is_plain:             # folds.py takes v for what it was before
            edge.update.sort(key=lambda text: text.startswith('v '))
        return edge

    def update(self, scope, own, writable):
        if not writable or self.chance(0.45):
            clock = self.clock(own, scope)
            value = '0' if self.chance(0.6) else self.number(scope)
            if self.has_reset and self.chance(0.3):
                return f"put({clock}, {value})"
            return f"{clock} = {value}"
        if self.arrays and self.chance(0.2):
            return f"b[{self.rng.randint(0, 1)}] = {self.pick(['true', 'false', self.test(scope)])}"
        name, other = self.pick(writable), self.pick(scope)
        return self.pick([f"{name} = {self.rng.randint(0, 2)}",
                          f"{name} = {self.rng.randint(0, 2)}",
                          f"{name} = ({other} + 1) % 3",
                          f"{name} = {other} % 3",
                          f"{name} = ({name} + {other}) % 3"])

    # --- the whole ----------------------------------------------------------------

    def generate(self):
        self.globals_()
        names = ('P', 'Q', 'R')[:self.pick([1, 2, 2, 2, 3])]
        if not self.is_plain and self.chance(0.6):
            names = names[:2]
        for name in names:
            self.model.templates.append(self.template(name))
        if not self.is_plain:
            self.more = random.Random(f"timed more {self.seed}")
            self.pass_urgent()
            self.bound_by_bool()
        self.system()
        self.queries()
        return self.model

    def pass_urgent(self):
        """Sometimes a template gets urgent channels by a parameter that is an array of them."""
        rng, model = self.more, self.model
        found = [(template, channel) for template in model.templates for channel in model.channels
                 if channel.is_urgent and not template.params
                 and any(edge.sync.startswith(channel.name + sign) for edge in template.edges for sign in '!?[')]
        if not found or rng.random() > 0.2:
            return
        template, channel = rng.choice(found)
        if not channel.size:
            channel.size = 2
            for edge in (edge for other in model.templates for edge in other.edges):
                if edge.sync[:-1] == channel.name:
                    edge.sync = f"{channel.name}[{rng.choice('0001')}]{edge.sync[-1]}"
        for edge in template.edges:
            edge.sync = re.sub(rf"^{channel.name}\[", 'd[', edge.sync)
        template.params = f"urgent {'broadcast ' * channel.is_broadcast}chan &d[2]"
        self.passed[template.name] = channel.name

    def bound_by_bool(self):
        """Sometimes a clock is compared with a bool and a number that may vanish."""
        rng, model = self.more, self.model
        bounds = [bound for template in model.templates
                  for labels in [each.invariant for each in template.locations] + [e.guard for e in template.edges]
                  for bound in labels if isinstance(bound, Bound) and not bound.quantified]
        if not bounds or not self.shared or rng.random() > 0.12:
            return
        model.decls.append(f"bool o{rng.choice(('', ' = true'))};")
        for bound in rng.sample(bounds, min(len(bounds), 2)):
            name = rng.choice(self.shared)
            bound.bound = rng.choice((f"o + {name}", f"o + {name}", f"{name} + o", f"o * ({name} + 1)",
                                      f"({name} == 0 ? o : 2)"))
        edges = [edge for template in model.templates for edge in template.edges]
        for edge in rng.sample(edges, min(len(edges), 2)):
            edge.update.append(rng.choice(('o = !o', 'o = true', 'o = false')))

    def system(self):
        lines, processes = [], []
        for template in self.model.templates:
            if 'clock' in template.params:
                second = 'const' in template.params
                for number, clock in enumerate(self.rng.sample(
                        self.clocks, min(2, len(self.clocks)))):
                    name = f"{template.name}{number + 1}"
                    args = clock + (f", {number}" if second else '')
                    lines.append(f"{name} = {template.name}({args});")
                    processes.append(name)
            elif template.name in self.passed:
                lines.append(f"{template.name}1 = {template.name}({self.passed[template.name]});")
                processes.append(template.name + '1')
            else:
                processes.append(template.name)
        priority = ' < ' if not self.is_plain and len(processes) > 1 \
            and self.chance(0.02) else ', '
        lines.append(f"system {priority.join(processes)};")
        self.model.system = '\n'.join(lines)
        self.processes = processes

    def queries(self):
        for _ in range(self.rng.randint(0, 3)):
            template = self.pick(self.model.templates)
            if template.params:
                continue
            place = f"{template.name}.{self.pick(template.locations).name}"
            more = self.pick([f"x <= {self.rng.randint(0, 3)}", 'true'] + [
                f"{name} != {self.rng.randint(0, 2)}" for name in self.shared])
            self.model.queries.append(self.pick([
                f"A[] {place} imply {more}", f"E<> {place} && {more}",
                f"A<> {place}", f"E[] not {place}", f"{more} --> {place}",
                'A[] not deadlock']))


def generate_timed(seed, is_plain=False):
    return Generator(seed, is_plain).generate()


def main():
    parser = argparse.ArgumentParser(description="Write a random timed model.")
    parser.add_argument('seed')
    parser.add_argument('-o', metavar='FILE')
    parser.add_argument('--plain', action='store_true')
    options = parser.parse_args()
    text = generate_timed(options.seed, options.plain).text()
    if options.o:
        with open(options.o, 'w', encoding='utf-8') as file:
            file.write(text)
    else:
        print(text, end='')


if __name__ == '__main__':
    main()
