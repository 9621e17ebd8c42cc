"""Naive queries: parse the formulas of a model and decide them.

A formula is compiled to Python functions over the state that is loaded into
the network; its verdict comes from plain fixpoints on the explored graph.
"""

import itertools
import re
from oracle.uppaal_compile import Entry, Scope
from oracle.uppaal_parse import ModelError, Names, Parser
from oracle.uppaal_runtime import BOOL, EvalError

PATHS = ('A[]', 'E<>', 'A<>', 'E[]')
RANGES = ('sup', 'inf', 'bounds')
SEMANTICS = ('kripke', 'uppaal')
BLANK = r'(?:\s|\\[ \t]*\n|//[^\n]*|/\*.*?\*/)*'
HEAD = re.compile(rf"{BLANK}(?:(A\[\]|E<>|A<>|E\[\])"
                  rf"|(sup|inf|bounds)(?={BLANK}[:{{]))", re.S)


class Query:
    """A parsed formula: predicates are trees (two for '-->', at most one for
    sup, inf and bounds); values are the trees after the colon."""

    def __init__(self, text, kind, predicates, values=()):
        self.text, self.kind = text, kind
        self.predicates, self.values = predicates, values


# --- syntax -------------------------------------------------------------

class QueryParser(Parser):
    """Expressions of queries: functions of processes can be called."""

    def postfix(self, value):
        while True:
            if value[0] == 'dot' and self.accept('('):
                args = [] if self.has(')') else self.expr_list()
                self.expect(')')
                value = ('member', value, args)
            elif self.has('(', '[', '.', '++', '--'):
                value = self.postfix_once(value)
            else:
                return value

    def postfix_once(self, value):
        if self.accept('['):
            value = ('idx', value, self.expr())
            self.expect(']')
            return value
        if self.accept('.'):
            return ('dot', value, self.identifier())
        if self.accept('('):
            if value[0] != 'name':
                self.fail("only a name can be called")
            args = [] if self.has(')') else self.expr_list()
            self.expect(')')
            return ('call', value[1], args)
        return self.fail("no side effects in queries")


def parse_query(text, names):
    """The Query of one formula; raises ModelError."""
    head = HEAD.match(text)
    word = head and (head.group(1) or head.group(2))
    rest = ' ' * head.end() + text[head.end():] if head else text
    parser = QueryParser(rest, 'query', Names(names))
    if word in PATHS:
        query = Query(text, word, [parser.expr()])
    elif word:
        predicates = []
        if parser.accept('{'):
            predicates = [parser.expr()]
            parser.expect('}')
        parser.expect(':')
        query = Query(text, word, predicates, parser.expr_list())
    else:
        first = parser.expr()
        parser.expect('-->')
        query = Query(text, '-->', [first, parser.expr()])
    parser.done()
    for tree in query.predicates + list(query.values):
        refuse_effects(tree)
    return query


def refuse_effects(tree):
    """No assignments anywhere in a query."""
    if isinstance(tree, (list, tuple)):
        if tree and tree[0] in ('asg', 'pre', 'post'):
            raise ModelError("no side effects in queries")
        for part in tree:
            refuse_effects(part)


def parse_formula(text, names):
    """The queries of a formula text: usually one; else each of as few lines
    as are one; none if the text is empty."""
    text = text.replace('\r', '')
    if re.fullmatch(BLANK, text, re.S):
        return []
    lines = [line for line in re.split(r'(?<!\\)\n', text)
             if not re.fullmatch(BLANK, line, re.S)]
    found, begun = [], ''
    for line in lines:
        begun = f'{begun}\n{line}'.strip()
        try:
            found.append(parse_query(begun, names))
            begun = ''
        except ModelError:
            continue
    return [parse_query(text.strip(), names)] if begun else found


# --- names of processes ---------------------------------------------------

def process_table(network):
    """{name on the system line: [(argument values, process number)]}"""
    table = {}
    for number, process in enumerate(network.processes):
        name, _, args = process.name.partition('(')
        values = tuple(int(v) for v in args.rstrip(')').split(',') if v)
        table.setdefault(name, []).append((values, number))
    return table


class Binder:
    """Rewrites the trees of a query so that the model's compiler takes them:
    what a process contains gets one name in the scope of the query."""

    def __init__(self, network):
        self.network, self.table = network, process_table(network)
        self.scope = Scope(network.system_scope)
        self.deadlocked = [False]
        network.env['deadlocked'] = self.deadlocked
        self.scope.own['deadlock'] = Entry('value', BOOL,
                                           '(1 if deadlocked[0] else 0)')
        self.failures = 0

    def bind(self, tree, bound=frozenset()):
        """A tree without process names; bound: quantified variables."""
        if not isinstance(tree, tuple):
            return tree
        if tree[0] in ('idx', 'dot', 'member'):
            found = self.process_of(tree, bound)
            if found:
                return self.chosen(tree, *found, bound)
        if tree[0] == 'member':
            raise ModelError("only a name can be called")
        if tree[0] == 'quant':
            _, kind, name, range_tree, body = tree
            return ('quant', kind, name, range_tree,
                    self.bind(body, bound | {name}))
        if tree[0] == 'call':
            return tree[:2] + ([self.bind(a, bound) for a in tree[2]],)
        return tree[:1] + tuple(self.bind(part, bound) for part in tree[1:])

    def process_of(self, tree, bound):
        """(name, argument trees) of the process at the root of x.y[z]..."""
        while tree[0] in ('idx', 'dot', 'member'):
            tree = tree[1]
        args = tree[2] if tree[0] == 'call' else []
        if tree[0] in ('name', 'call') and tree[1] in self.table \
                and tree[1] not in bound:
            return tree[1], args
        return None

    def chosen(self, tree, name, args, bound):
        """The same thing of whichever process the arguments select."""
        instances = self.table[name]
        if len(args) != len(instances[0][0]):
            raise ModelError(f"wrong number of arguments of {name}")
        args = [self.bind(arg, bound) for arg in args]
        trees = [self.of_process(tree, number, bound)
                 for _, number in instances]
        if not args:
            return trees[0]
        # No process has these arguments: an error when it is evaluated.
        self.failures += 1
        result = ('name', f".fail{self.failures}")
        kind = self.network.ex(trees[0], self.quantified(bound)).type
        self.scope.own[result[1]] = Entry('value', kind,
                                          "bad('no such process')")
        for (values, _), inner in zip(reversed(instances), reversed(trees)):
            test = ('true',)
            for arg, value in zip(args, values):
                test = ('bin', '&&', test, ('bin', '==', arg, ('num', value)))
            result = ('cond', test, inner, result)
        return result

    def quantified(self, bound):
        """A scope for learning a type: variables are any number."""
        scope = Scope(self.scope)
        for name in bound:
            scope.own[name] = Entry('value', BOOL, '0')
        return scope

    def of_process(self, tree, number, bound):
        """Replace the root of a chain by a member of one process."""
        if tree[0] == 'member':
            inner = self.of_process(tree[1], number, bound)
            if inner[0] != 'name':
                raise ModelError("only a name can be called")
            return ('call', inner[1], [self.bind(a, bound) for a in tree[2]])
        if tree[0] == 'idx':
            return ('idx', self.of_process(tree[1], number, bound),
                    self.bind(tree[2], bound))
        if tree[1][0] in ('name', 'call'):
            return ('name', self.member(number, tree[2]))
        return ('dot', self.of_process(tree[1], number, bound), tree[2])

    def member(self, number, name):
        """Name, in the scope of queries, of a member of a process."""
        process = self.network.processes[number]
        full = f"{process.name}.{name}"
        entry = process.scope.own.get(name)
        for place, loc in enumerate(process.locations):
            if not loc.name and name == '_' + loc.id:
                entry = Entry('loc', None, (number, place))
        if entry is None or entry.kind == 'type':
            raise ModelError(f"unknown name {full}")
        self.scope.own[full] = entry
        return full


# --- evaluation -----------------------------------------------------------

class Graph:
    """The explored states as numbers, and what holds in them."""

    def __init__(self, network, explored):
        self.network, self.states = network, list(explored.states)
        self.next = [[explored.states[target] for _, target in steps]
                     for steps in explored.steps]
        self.dead = [not steps for steps in explored.steps]
        self.idle = [self.can_idle(state) for state in self.states]
        self.depth = self.distances()
        self.binder = Binder(network)

    def can_idle(self, state):
        """Nothing urgent: time may pass for ever."""
        for process, place in zip(self.network.processes, state):
            location = process.locations[place]
            if location.committed or location.urgent:
                return False
        return not self.network.hurries(state)

    def distances(self):
        """Steps from the initial state to every state."""
        depth, layer = {0: 0}, [0]
        while layer:
            found = []
            for state in layer:
                for other in self.next[state]:
                    if other not in depth:
                        depth[other] = depth[state] + 1
                        found.append(other)
            layer = found
        return depth

    def evaluate(self, tree, truth):
        """Value of an expression in every state; None where it fails."""
        network, found = self.network, []
        bound = self.binder.bind(tree)
        code = network.truth(bound, self.binder.scope) if truth \
            else network.num(bound, self.binder.scope).code
        name = network.fresh('f')
        network.run_source(f"def {name}():\n return {code}\n")
        for number, state in enumerate(self.states):
            network.load(state)
            self.binder.deadlocked[0] = self.dead[number]
            try:
                value = network.env[name]()
                found.append(bool(value) if truth else int(value))
            except EvalError:
                found.append(None)
        return found

    def ends(self, number, semantics):
        """Whether a run may end in a state."""
        return self.dead[number] or \
            semantics == 'uppaal' and self.idle[number]

    def lasting(self, holds, semantics):
        """States from which a maximal run stays in states that hold: the
        greatest set whose members go on inside or may stay for ever."""
        ends = [self.ends(n, semantics) for n in range(len(self.states))]
        inside, smaller = {n for n, ok in enumerate(holds) if ok}, True
        while smaller:
            before = len(inside)
            for n in sorted(inside, reverse=True):
                if not ends[n] and not any(other in inside
                                           for other in self.next[n]):
                    inside.remove(n)
            smaller = len(inside) < before
        return inside


class Answer:
    """What may be said about a query: verdicts that are right, bounds as
    (lower, upper) per expression, predicates per state, shortest trace."""

    def __init__(self):
        self.verdicts, self.bounds = set(), []
        self.holds, self.shortest, self.problem = [], None, ''


def decide(graph, query, semantics):
    """The Answer to a query.

    A predicate that cannot be evaluated in some state allows 'unknown', and
    a verdict only if it does not depend on the value there."""
    answer = Answer()
    try:
        answer.holds = [graph.evaluate(tree, True)
                        for tree in query.predicates]
        values = [graph.evaluate(tree, False) for tree in query.values]
    except (ModelError, RecursionError, SyntaxError) as error:
        answer.verdicts, answer.problem = {'unknown'}, str(error)
        return answer
    if query.kind in RANGES:
        decide_range(graph, query, answer, values)
        return answer
    fails = any(None in holds for holds in answer.holds)
    cases = set()
    for choice in itertools.product((False, True),
                                    repeat=len(answer.holds) if fails else 0):
        filled = [[value if ok is None else ok for ok in holds]
                  for holds, value in zip(answer.holds, choice)] \
            if fails else answer.holds
        cases.add(holds_in(graph, query.kind, filled, semantics))
    answer.verdicts = {'unknown'} if fails else set()
    if len(cases) == 1:
        answer.verdicts.add('satisfied' if cases.pop() else 'violated')
    if query.kind in ('E<>', 'A[]'):
        wanted = query.kind == 'E<>'
        depths = [graph.depth[n] for n, ok in enumerate(answer.holds[0])
                  if ok is wanted]
        answer.shortest = min(depths) if depths else None
    return answer


def holds_in(graph, kind, holds, semantics):
    """Whether a formula with these predicates per state is satisfied."""
    if kind == 'E<>':
        return any(holds[0])
    if kind == 'A[]':
        return all(holds[0])
    if kind == 'E[]':
        return 0 in graph.lasting(holds[0], semantics)
    avoids = graph.lasting([not ok for ok in holds[-1]], semantics)
    if kind == 'A<>':
        return 0 not in avoids
    return not any(holds[0][n] for n in avoids)


def decide_range(graph, query, answer, values):
    """Extreme values over the states that meet the predicate."""
    holds = answer.holds[0] if answer.holds else [True] * len(graph.states)
    inside = [n for n, ok in enumerate(holds) if ok]
    if None in holds or any(found[n] is None for found in values
                            for n in inside):
        answer.verdicts = {'unknown'}
        return
    answer.verdicts = {'satisfied'}
    for found in values:
        chosen = [found[n] for n in inside]
        low, high = (min(chosen), max(chosen)) if chosen else (None, None)
        answer.bounds.append((None if query.kind == 'sup' else low,
                              None if query.kind == 'inf' else high))


def queries_of(network, formulas=None):
    """Queries of the document or of given texts; a text that cannot be
    parsed is kept as (text, problem). Declarations of agents are none."""
    found = []
    for text in network.model.formulas if formulas is None else formulas:
        if re.match(r'\s*(observe|agent|group)\b', text):
            continue
        try:
            found += parse_formula(text, network.model.names)
        except ModelError as error:
            found.append((text, str(error)))
    return found
