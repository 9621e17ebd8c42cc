"""Random queries for a generated model: valid Uppaal, in all forms, about
values that really occur, some satisfied and some violated."""

import collections
import re
from xml.sax.saxutils import escape
from generators.gen_expr import E, ExprGen, Fun, Scope, Var
from oracle.uppaal_query import SEMANTICS, Graph, decide, parse_query

CANDIDATES = 24


class QueryGen(ExprGen):
    """Queries of one model (ModelGen), given what it does."""

    def __init__(self, rng, model, network, explored):
        super().__init__(rng, model.features, False)
        self.counter = model.counter
        self.model, self.network = model, network
        self.states = list(explored.states)
        self.slots = {name: len(network.processes) + i
                      for i, name in enumerate(network.slots)
                      if name not in network.metas}
        self.numbers = {p.name: i for i, p in enumerate(network.processes)}
        self.scope, self.cells, self.places = Scope(model.top), [], []
        for var in model.globals + model.sysvars:
            self.scope.add(var)
            self.add_cells(var.name, var.type)
        for template in model.templates:
            for name in template.processes:
                if not self.scalar_set(template):
                    self.add_process(self.scope, template, name, True)

    @staticmethod
    def scalar_set(template):
        """Its processes can only be named with a quantified variable."""
        return template.is_behind_scalar or \
            template.free is not None and template.free.kind == 'scalar'

    def add_process(self, scope, template, name, atoms=False):
        """Make what a process contains readable."""
        for var in template.scope.vars.values():
            if self.model.top.vars.get(var.name) is var:
                continue
            full = Var(f"{name}.{var.name}", var.type, var.const, var.meta,
                       writable=False)
            scope.add(full)
            if atoms:
                self.add_cells(full.name, var.type)
        for fun in template.scope.funs.values():
            if self.model.top.funs.get(fun.name) is not fun:
                full = f"{name}.{fun.name}"
                scope.funs[full] = Fun(full, fun.params, fun.result, fun.pure)
        for place, loc in enumerate(template.locations):
            text = f"{name}.{loc.name or '_' + loc.id}"
            scope.locations.append(text)
            if atoms:
                self.places.append((text, self.numbers[name], place))

    def add_cells(self, name, kind):
        """Cells that are in the state and have a number as value."""
        if kind.kind == 'array' and kind.index is None:
            for i in range(kind.low, kind.high + 1):
                self.add_cells(f"{name}[{i}]", kind.elem)
        elif kind.kind == 'struct':
            for field, inner in kind.fields:
                self.add_cells(f"{name}.{field}", inner)
        elif kind.kind in ('int', 'bool') and name in self.slots:
            self.cells.append((name, kind, self.slots[name]))

    # --- overrides: what differs in queries -------------------------------

    def const_text(self, scope, low, high):
        """Only names that are constants for the type checker, too."""
        inner = Scope()
        inner.vars = {name: var for name, var in scope.vars.items()
                      if name.isidentifier()}
        return super().const_text(inner, low, high)

    def quantified(self, scope):
        kind, name = self.range_type(scope), self.fresh('q')
        inner = Scope(scope)
        inner.add(Var(name, kind, const=True))
        return name, inner, kind.text, kind.count

    def bool_logic(self, scope, depth):
        op, prec = self.pick([('&&', 14), ('and', 14), ('||', 15),
                              ('or', 15), ('imply', 15)])
        a, b = self.condition(scope, depth), self.condition(scope, depth)
        return self.binary(a, op, b, prec, 0, 1, True)

    def bool_location(self, scope, depth):
        if not scope.locations:
            return None
        return E(self.pick(scope.locations), 1, 0, 1, True)

    # --- predicates -------------------------------------------------------

    def fact(self, state):
        """Something that is true in a state."""
        if self.places and (not self.cells or self.chance(0.4)):
            text, process, place = self.pick(self.places)
            if state[process] != place:
                return E(self.pick(['not ', '!']) + text, 3, 0, 1, True)
            return E(text, 1, 0, 1, True)
        if not self.cells:
            return E('true', 1, 0, 1, True)
        text, kind, slot = self.pick(self.cells)
        value = state[slot]
        if kind.kind == 'bool' and self.chance(0.8):
            return E(text, 1, 0, 1, True) if value \
                else E('!' + text, 3, 0, 1, True)
        op, prec = self.pick([('==', 10), ('==', 10), ('<=', 9), ('>=', 9)])
        return self.binary(E(text, 1, 0, 0), op, self.shown(value), prec,
                           0, 1, True)

    def facts(self, state, most=3):
        """Some facts of a state at once."""
        e = self.fact(state)
        for _ in range(self.rng.randint(0, most - 1)):
            e = self.binary(e, self.pick(['&&', 'and']), self.fact(state), 14,
                            0, 1, True)
        return e

    def negated(self, e):
        return E(self.pick(['!', 'not ']) + self.paren(e, 3), 3, 0, 1, True)

    def either(self, a, b):
        return self.binary(a, self.pick(['||', 'or']), b, 15, 0, 1, True)

    def limit(self):
        """A bound on a cell that all states keep, or nearly all."""
        if not self.cells:
            return self.facts(self.pick(self.states))
        text, _, slot = self.pick(self.cells)
        found = [state[slot] for state in self.states]
        if self.chance(0.5):
            return self.binary(E(text, 1, 0, 0), '<=', self.shown(
                max(max(found) - self.chance(0.3), -2**31)), 9, 0, 1, True)
        return self.binary(E(text, 1, 0, 0), '>=', self.shown(
            min(min(found) + self.chance(0.3), 2**31 - 1)), 9, 0, 1, True)

    def over_processes(self):
        """A quantifier over a set of processes."""
        sets = [t for t in self.model.templates if t.free and t.processes
                and not t.is_behind_scalar]
        if not sets:
            return None
        template, name = self.pick(sets), self.fresh('q')
        base, _, rest = template.processes[0].partition('(')
        _, comma, more = rest.rstrip(')').partition(',')
        inner = Scope(self.scope)
        inner.add(Var(name, template.free, const=True))
        alone = Scope()
        alone.vars[name], alone.types = inner.vars[name], inner.types
        self.add_process(inner, template, f"{base}({name}{comma}{more})")
        self.add_process(alone, template, f"{base}({name}{comma}{more})")
        word = self.pick(['forall', 'exists', 'sum'])
        e = self.boolean(alone if self.chance(0.7) else inner, 1)
        text = f"{word}({name} : {template.free.text}) {e.text}"
        if word == 'sum':
            return E(f"({text}) {self.pick(['==', '<=', '>='])}"
                     f" {self.rng.randint(0, template.free.count)}", 10, 0, 1,
                     True)
        return E(text, 18, 0, 1, True)

    def predicate(self):
        """A predicate, often about some reachable state."""
        way, state = self.rng.random(), self.pick(self.states)
        if way < 0.3:
            return self.facts(state)
        if way < 0.4:
            return self.facts(self.states[0])
        if way < 0.5:
            return self.negated(self.facts(state))
        if way < 0.6:
            return self.either(self.facts(state),
                               self.facts(self.pick(self.states)))
        if way < 0.7:
            return self.limit()
        if way < 0.82:
            return self.over_processes() or self.boolean(self.scope, 2)
        return self.boolean(self.scope, 2)

    def with_deadlock(self):
        """A predicate that contains deadlock."""
        p = self.predicate()
        return self.pick([
            lambda: 'deadlock', lambda: 'not deadlock',
            lambda: f"deadlock imply {self.paren(p, 14)}",
            lambda: f"deadlock and {self.paren(p, 13)}",
            lambda: f"{self.paren(p, 15)} or !deadlock",
            lambda: f"not (deadlock && {self.paren(p, 13)})"])()

    # --- queries ----------------------------------------------------------

    def formula(self):
        """One formula."""
        kind = self.pick(['A[]', 'E<>', 'A<>', 'A<>', 'E[]', 'E[]', '-->',
                          '-->', 'range'])
        if kind == 'range':
            word = self.pick(['sup', 'inf', 'bounds'])
            where = f"{{{self.predicate().text}}}" if self.chance(0.6) else ''
            values = [self.integer(self.scope, 1).text
                      for _ in range(self.pick([1, 1, 2]))]
            return f"{word}{where}: {', '.join(values)}"
        if kind == '-->':
            return f"{self.paren(self.predicate(), 17)} -->" \
                   f" {self.paren(self.predicate(), 17)}"
        if kind in ('A[]', 'E<>') and not self.network.has_priorities \
                and self.chance(0.25):
            return f"{kind} {self.with_deadlock()}"
        if kind == 'A[]' and self.chance(0.5):
            state = self.pick(self.states)
            return 'A[] ' + self.pick([
                lambda: self.negated(self.facts(state)),
                self.limit,
                lambda: self.binary(self.facts(state), 'imply',
                                    self.predicate(), 15, 0, 1, True)])().text
        return f"{kind} {self.predicate().text}"

    def formulas(self, graph):
        """Some formulas, chosen so that all verdicts occur."""
        groups, seen = collections.defaultdict(list), set()
        for _ in range(CANDIDATES):
            text = self.formula()
            if text in seen:
                continue
            seen.add(text)
            query = parse_query(text, self.network.model.names)
            answers = [decide(graph, query, s) for s in SEMANTICS]
            if answers[0].problem:
                raise ValueError(f"{text}: {answers[0].problem}")
            if 'unknown' in answers[0].verdicts and self.chance(0.8):
                continue
            key = query.kind, *(tuple(sorted(a.verdicts)) for a in answers)
            groups[key].append(text)
        wanted, found = self.rng.randint(4, 8), []
        keys = sorted(groups, key=lambda k: (k[1] == k[2], self.chance(0.5)))
        while len(found) < wanted and any(groups.values()):
            for key in keys:
                if groups[key] and len(found) < wanted:
                    found.append(groups[key].pop())
        return found


def add_urgency(rng, model):
    """Make locations, and perhaps all channels, urgent, which changes no step
    but what can idle."""
    likely = rng.choice([0, 0.3, 0.7, 0.9])
    if rng.random() < 0.4:
        likely /= 3
        for texts in [model.decls] + [t.params for t in model.templates]:
            texts[:] = [re.sub(r'^(broadcast )?chan (?!priority)',
                               r'urgent \g<0>', text) for text in texts]
    for template in model.templates:
        for loc in template.locations:
            if loc.mark is None and rng.random() < likely:
                loc.mark = 'urgent'


def make_queries(rng, model, network, explored):
    """Random formulas about an explored model."""
    return QueryGen(rng, model, network, explored) \
        .formulas(Graph(network, explored))


def insert_queries(text, formulas):
    """The text of a model with more queries."""
    lines = []
    for formula in formulas:
        lines += ['    <query>',
                  f"      <formula>{escape(formula)}</formula>",
                  '      <comment/>', '    </query>']
    more = '\n'.join(lines) + '\n'
    if '</queries>' in text:
        return re.sub(r' *</queries>', lambda m: more + m.group(), text)
    return text.replace('</nta>', f"  <queries>\n{more}  </queries>\n</nta>")
