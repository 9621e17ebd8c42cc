"""Naive semantics: instantiate a parsed model and compute its steps.

A state is a flat tuple: the location number of every process, then the value
of every slot.  A step is a list of parts, one per participating process
(sender first, then receivers in system order); a part is (path, values) with
the edges taken (several if they pass branchpoints) and the select values.
"""

import itertools
import math
import time
from collections import deque
from oracle.uppaal_compile import Compiler, Entry, Scope
from oracle.uppaal_parse import ModelError, parse_model
from oracle.uppaal_runtime import (FULL, STEP_LIMIT, Budget, EvalError, Type)

STEPS_PER_STATE = 20000
STEPS_IN_ALL = 3000000  # as they are kept, with their names
SELECT_LIMIT = 1000000


class Process:
    """An instance of a template."""

    def __init__(self, name, template, priority):
        self.name, self.template, self.priority = name, template, priority
        self.is_renamed = False       # by processes.rename
        self.locations = template.locations
        self.number = {loc.id: i for i, loc in enumerate(template.locations)}
        self.paths = [[] for _ in template.locations]    # by source location
        self.invariants = [None] * len(template.locations)

    def location_name(self, number):
        loc = self.locations[number]
        return loc.name or '_' + loc.id


class Path:
    """An edge, or a chain of edges through branchpoints, of one process."""

    def __init__(self, process, edges):
        self.process, self.edges = process, edges
        self.target = None            # number of the target location
        self.mark = None              # None, '!' or '?'
        self.select_names = []
        self.enabled = self.update = None

    def describe(self, network, values):
        """One line: process, locations, select values and labels."""
        process = network.processes[self.process]
        source = process.location_name(process.number[self.edges[0].source])
        text = f"{process.name}: {source} -> " \
               f"{process.location_name(self.target)}"
        if values:
            text += ' [' + ', '.join(
                f"{n}={v}" for n, v in zip(self.select_names, values)) + ']'
        for edge in self.edges:
            for kind in ('guard', 'synchronisation', 'assignment'):
                if kind in edge.text:
                    text += f"\n      {kind}: {edge.text[kind]}"
        return text


def fits_channel(given, wanted):
    """Whether channels can be bound to a parameter: of an array the words have to be the same, a single one is at
    least what is wanted."""
    one, other = given.cells()[0], wanted.cells()[0]
    if given.kind == 'array':
        return (one.urgent, one.broadcast) == (other.urgent, other.broadcast)

    def capability(kind):
        return 0 if kind.urgent else 1 if kind.broadcast else 2
    return capability(one) >= capability(other)


class Network(Compiler):
    """All processes and all slots of a model."""

    def __init__(self, model):
        super().__init__()
        self.model, self.processes = model, []
        self.hooks = {'before_update': [], 'after_update': []}
        self.env['product'] = itertools.product
        self.pending = []                    # source of the edge functions
        self.priority_trees = None
        self.globals = Scope()
        for name, low, high in (('int8_t', -128, 127), ('uint8_t', 0, 255),
                                ('int16_t', -32768, 32767),
                                ('uint16_t', 0, 65535),
                                ('int32_t', -2147483648, 2147483647)):
            self.globals.own[name] = Entry('type', Type('int', low, high),
                                           set())
        for name, value in (('INT8_MIN', -128), ('INT8_MAX', 127),
                            ('UINT8_MAX', 255), ('INT16_MIN', -32768),
                            ('INT16_MAX', 32767), ('UINT16_MAX', 65535),
                            ('INT32_MIN', -2147483648),
                            ('INT32_MAX', 2147483647)):
            self.globals.own[name] = Entry('lit', FULL, value)
        self.declare_all(model.decls, self.globals, '')
        for template in model.templates:
            self.globals.own[template.name] = Entry('template',
                                                    template=template)
        system = Scope(self.globals)
        self.declare_all(model.system_decls, system, '')
        self.instantiate_all(system)
        self.system_scope = system           # what queries can name
        self.run_source('\n'.join(self.pending) or 'pass')
        for path in self.all_paths():
            path.enabled = self.env[path.enabled]
            path.update = self.env[path.update] if path.update else None
        for process in self.processes:
            process.invariants = [inv and self.env[inv]
                                  for inv in process.invariants]
        self.channel_priorities()
        self.initial = tuple(p.number[p.template.init]
                             for p in self.processes) \
            + tuple(self.M[:len(self.slots)])
        self.check_initial()

    def all_paths(self):
        return (path for process in self.processes
                for paths in process.paths for path in paths)

    # --- building -------------------------------------------------------

    def declare_all(self, decls, scope, prefix):
        for decl in decls:
            if decl[0] == 'var':
                self.variable(decl, scope, prefix)
            elif decl[0] == 'typedef':
                scope.own[decl[2]] = Entry('type', *self.type(decl[1], scope,
                                                              decl[3]))
            elif decl[0] == 'fun':
                self.function(decl, scope)
            elif decl[0] == 'inst':
                scope.own[decl[1]] = Entry('template', inst=decl, scope=scope)
            elif decl[0] == 'hook':
                self.hook(decl, scope)
            elif prefix:
                raise ModelError("priorities inside a template")
            else:
                self.priority_trees = (decl[1], scope)

    def hook(self, decl, scope):
        name = self.fresh('f')
        lines = [' ' + self.ex(item, scope).code for item in decl[2]]
        self.run_source(f"def {name}():\n" + '\n'.join(lines) + '\n')
        self.hooks[decl[1]].append(self.env[name])

    def channel_priorities(self):
        """Priority of every channel; internal steps have 'default'."""
        self.default_priority = 0
        self.channel_priority = [0] * len(self.channels)
        self.has_priorities = len({p.priority for p in self.processes}) > 1
        if self.priority_trees is None:
            return
        self.has_priorities = True
        levels, scope = self.priority_trees
        given = {}
        for level, items in enumerate(levels):
            for item in items:
                if item == 'default':
                    self.default_priority = level
                    continue
                found = self.ex(item, scope)
                first = eval(found.code, self.env)
                for channel in range(first, first + found.type.size):
                    given[channel] = level
        self.channel_priority = [
            given.get(channel, self.default_priority)
            for channel in range(len(self.channels))]

    def instantiate_all(self, system):
        seen = set()
        for name, priority in self.model.processes:
            if name in seen:
                raise ModelError(f"{name} is twice on the system line")
            seen.add(name)
            entry = system.find(name)
            if entry.kind != 'template':
                raise ModelError(f"{name} is not a template")
            free = entry.inst[2] if hasattr(entry, 'inst') \
                else entry.template.params
            spans, scope = [], Scope(system)
            for tree, reference, _, dims in free:
                kind, _ = self.type(tree, scope, dims)
                if reference or kind.kind not in ('int', 'scalar'):
                    raise ModelError(f"unbound parameter of {name}")
                spans.append(range(kind.low, kind.high + 1))
            for values in itertools.product(*spans):
                full = name
                if values:
                    full += '(' + ','.join(map(str, values)) + ')'
                self.instantiate(full, entry, [('num', v) for v in values],
                                 system, priority)
                if len(self.processes) > 200:
                    raise ModelError("too many processes")

    def instantiate(self, name, entry, args, args_scope, priority):
        """Bind arguments along the chain of instantiations."""
        while hasattr(entry, 'inst'):
            _, _, params, target, next_args = entry.inst
            scope = Scope(entry.scope)
            self.bind(params, args, args_scope, scope, None)
            entry, args, args_scope = entry.scope.find(target), next_args, \
                scope
            if entry.kind != 'template':
                raise ModelError(f"{target} is not a template")
        scope = Scope(self.globals)
        self.bind(entry.template.params, args, args_scope, scope, name)
        self.process(name, entry.template, scope, priority)

    def bind(self, params, args, args_scope, scope, name):
        """Bind template parameters; name is None inside a chain."""
        if len(params) != len(args):
            raise ModelError("wrong number of template arguments")
        for (tree, reference, param, dims), arg in zip(params, args):
            kind, quals = self.type(tree, scope, dims)
            if kind.cells()[0].kind == 'chan':
                found = self.ex(arg, args_scope)
                if not fits_channel(found.type, kind):
                    raise ModelError(f"parameter {param} needs other channels")
                scope.own[param] = Entry('chan', kind, eval(found.code, self.env))
                continue
            found = self.ex(arg, args_scope)
            if reference and found.addr is not None:
                # the address itself must be a compile-time value
                try:
                    where = eval(found.addr, self.env)
                except EvalError as error:
                    raise ModelError(f"argument of {param}: {error}") \
                        from error
                scope.own[param] = Entry('cell', kind, where,
                                         const=self.is_constant(arg,
                                                                args_scope))
                continue
            if reference and 'const' not in quals:
                raise ModelError(f"reference parameter {param} needs a"
                                 " variable")
            scope.own[param] = self.bind_value(kind, quals, param, arg,
                                               args_scope, name)

    def is_constant(self, tree, scope):
        try:
            self.const_ex(tree, scope)
            return True
        except ModelError:
            return False

    def bind_value(self, kind, quals, param, arg, args_scope, name):
        """A value parameter: a literal, constant cells or state slots."""
        found = self.const_ex(arg, args_scope)
        values = eval(found.code, self.env)
        values = [int(values)] if kind.scalar_like \
            else self.M[values:values + kind.size]
        for value, cell in zip(values, kind.cells()):
            if cell.kind != 'bool' and not cell.low <= value <= cell.high:
                raise ModelError(f"argument of {param} out of range")
        if kind.kind == 'bool':
            values = [1 if values[0] else 0]
        if name is not None and 'const' not in quals:
            addr = self.alloc_state(f"{name}.{param}", kind)
            self.parameters.update(self.slots[addr:])
            self.M[addr:addr + kind.size] = values
            return Entry('cell', kind, addr)
        if kind.scalar_like:
            return Entry('lit', kind, values[0])
        addr = self.alloc_aux(kind.size)
        self.M[addr:addr + kind.size] = values
        return Entry('cell', kind, addr, const=True)

    def process(self, name, template, scope, priority):
        index = len(self.processes)
        process = Process(name, template, priority)
        process.scope = scope
        self.processes.append(process)
        self.L.append(0)
        self.declare_all(template.decls, scope, name + '.')
        for i, loc in enumerate(template.locations):
            if loc.name:
                scope.own[loc.name] = Entry('loc', None, (index, i))
        for i, loc in enumerate(template.locations):
            if loc.invariant is not None:
                process.invariants[i] = self.fresh('f')
                code = self.condition(loc.invariant, scope)
                self.pending.append(
                    f"def {process.invariants[i]}():\n return {code}")
        for edge in template.edges:
            if edge.source in process.number:
                for edges in self.chains(template, [edge]):
                    path = self.path(index, process, edges, scope)
                    process.paths[process.number[edge.source]].append(path)

    def chains(self, template, edges):
        """All ways to end an edge at a location, through branchpoints."""
        end = edges[-1].target
        if end not in template.branchpoints:
            return [edges]
        if len(edges) > 8:
            raise ModelError("branchpoints in a cycle")
        return [chain for edge in template.edges if edge.source == end
                for chain in self.chains(template, edges + [edge])]

    def path(self, index, process, edges, scope):
        """Compile the functions of a path (defined later, all at once)."""
        path = Path(index, edges)
        path.target = process.number[edges[-1].target]
        spans, guards, updates, variables = [], [], [], []
        channel = '-1'
        for edge in edges:
            inner = Scope(scope)
            for name, tree in edge.selects:
                kind = self.range_type(tree, scope)
                variables.append(self.fresh('v'))
                path.select_names.append(name)
                spans.append((variables[-1], kind.low, kind.high))
                inner.own[name] = Entry('value', kind, variables[-1])
            if edge.guard is not None:
                guards.append(self.condition(edge.guard, inner))
            if edge.sync is not None:
                if path.mark:
                    raise ModelError("two synchronisations on one step")
                path.mark = edge.sync[1]
                found = self.ex(edge.sync[0], inner)
                if found.type.kind != 'chan':
                    raise ModelError("synchronisation on no channel")
                channel = found.code
            updates += [self.ex(item, inner).code for item in edge.update]
        values = ''.join(v + ', ' for v in variables)
        path.enabled = self.fresh('f')
        lines = [f"def {path.enabled}(out, errors, path):"]
        if math.prod(high - low + 1 for _, low, high in spans) > SELECT_LIMIT:
            raise Budget("too many select values")
        if spans:
            ranges = ', '.join(f"range({low}, {high + 1})"
                               for _, low, high in spans)
            lines.append(f" for {values}in product({ranges}):")
        pad = '  ' if spans else ' '
        lines += [f"{pad}try:",
                  f"{pad} {self.offer(guards, values, channel)}",
                  f"{pad}except EvalError as e:",
                  f"{pad} try: c = {channel}",
                  f"{pad} except EvalError: c = None",
                  f"{pad} errors.append((path, ({values}), c, e))"]
        self.pending.append('\n'.join(lines))
        if updates:
            path.update = self.fresh('f')
            self.pending.append(
                f"def {path.update}({', '.join(variables)}):\n "
                + '\n '.join(updates))
        return path

    def condition(self, tree, scope):
        """Code of a guard or an invariant."""
        return self.truth(tree, scope)

    def offer(self, guards, values, channel):
        """Code that appends a path to `out` if it is enabled."""
        guard = ' and '.join(guards) or 'True'
        return f"if {guard}: out.append((path, ({values}), {channel}))"

    # --- steps ------------------------------------------------------------

    def load(self, state):
        """Put a state into the memory."""
        count = len(self.processes)
        self.L[:] = state[:count]
        self.M[0:len(self.slots)] = state[count:]
        self.budget[0] = STEP_LIMIT

    def invariants_hold(self):
        for process, location in zip(self.processes, self.L):
            invariant = process.invariants[location]
            if invariant is not None and not invariant():
                return False
        return True

    def check_initial(self):
        self.load(self.initial)
        try:
            if not self.invariants_hold():
                raise ModelError("the initial state violates an invariant")
        except EvalError as error:
            raise ModelError(f"initial invariant: {error}") from error

    def apply(self, state, parts):
        """The state after a step, or None if an invariant forbids it."""
        self.load(state)
        for hook in self.hooks['before_update']:
            hook()
        for path, values, _ in parts:
            if path.update is not None:
                path.update(*values)
        for hook in self.hooks['after_update']:
            hook()
        for path, _, _ in parts:
            self.L[path.process] = path.target
        slots = tuple(self.M[:len(self.slots)])
        if not self.invariants_hold():
            return None
        return tuple(self.L) + slots

    def enabled_parts(self, state):
        """Enabled parts (internal, sending, by channel and process) and errors."""
        self.load(state)
        silent, senders, receivers, broken = [], [], {}, []
        for number, process in enumerate(self.processes):
            for path in process.paths[state[number]]:
                found = []
                path.enabled(found, broken, path)
                if path.mark is None:
                    silent += found
                elif path.mark == '!':
                    senders += found
                else:
                    for part in found:
                        receivers.setdefault(part[2], {}) \
                            .setdefault(number, []).append(part)
        return silent, senders, receivers, broken

    def candidates(self, state, committed, errors):
        """Combinations of enabled edge instances, before committed rule."""
        silent, senders, receivers, broken = self.enabled_parts(state)
        errors += [((part[:3],), part[3]) for part in broken
                   if part[0].mark or not committed
                   or part[0].process in committed]
        for part in silent:
            yield (part,)
        for sender in senders:
            me, channel = sender[0].process, sender[2]
            others = receivers.get(channel, {})
            if not self.channels[channel][2]:
                for number, parts in others.items():
                    if number != me:
                        for part in parts:
                            yield (sender, part)
                continue
            if any(path.mark == '?' and path.process != me
                   and c in (None, channel) for path, _, c, _ in broken):
                # who takes part is an error: no step
                continue
            groups = [parts for number, parts in sorted(others.items())
                      if number != me]
            for chosen in itertools.product(*groups):
                yield (sender,) + chosen

    def hurries(self, state):
        """Whether guards let a pair synchronise on an urgent channel, or a
        sender alone if it is broadcast; what becomes of the step, by updates,
        invariants of targets and priorities, is not asked."""
        self.load(state)
        parts = []
        for number, process in enumerate(self.processes):
            for path in process.paths[state[number]]:
                if path.mark is not None:
                    path.enabled(parts, [], path)
        for sender, _, channel in parts:
            _, urgent, broadcast = self.channels[channel]
            if sender.mark == '!' and urgent and (broadcast or any(
                    other.mark == '?' and at == channel
                    and other.process != sender.process
                    for other, _, at in parts)):
                return True
        return False

    def committed(self, state):
        """The processes in a committed location."""
        return {i for i, p in enumerate(self.processes)
                if p.locations[state[i]].committed}

    def rank(self, parts):
        """Priority of a step: by channel, then by process."""
        channel = parts[0][2]
        return (self.default_priority if channel == -1
                else self.channel_priority[channel],
                max(self.processes[path.process].priority
                    for path, _, _ in parts))

    def successors(self, state):
        """Steps [(parts, target)] and errors [(parts, message)]."""
        steps, errors = self.offers(state)
        if self.has_priorities and steps:
            best = max(self.rank(parts) for parts, _ in steps)
            steps = [step for step in steps if self.rank(step[0]) == best]
        return steps, errors

    def offers(self, state):
        """The same without priorities."""
        steps, errors, committed = [], [], self.committed(state)
        for parts in self.candidates(state, committed, errors):
            if committed and not any(path.process in committed
                                     for path, _, _ in parts):
                continue
            try:
                target = self.apply(state, parts)
            except EvalError as error:
                errors.append((parts, error))
                continue
            if target is not None:
                steps.append((parts, target))
            if len(steps) + len(errors) > STEPS_PER_STATE:
                raise Budget("too many steps in one state")
        return steps, errors

    # --- printing -----------------------------------------------------------

    def show(self, state, before=None):
        """A state as readable text, or what differs from another state."""
        count = len(self.processes)
        words = [f"{p.name}.{p.location_name(state[i])}"
                 for i, p in enumerate(self.processes)]
        words += [f"{name}={value}"
                  for name, value in zip(self.slots, state[count:])]
        if before is not None:
            words = [word for word, old, new in zip(words, before, state)
                     if old != new] or ['(the same)']
            return '... ' + ' '.join(words)
        return ' '.join(words)

    def show_step(self, parts):
        lines = []
        for path, values, channel in parts:
            name = '' if channel is None or channel < 0 \
                else ' ' + self.channels[channel][0] + (path.mark or '')
            lines.append('    ' + path.describe(self, values) + name)
        return '\n'.join(lines)


class Exploration:
    """Reachable states, steps out of each, and counts."""

    def __init__(self):
        self.states, self.parents = {}, []   # state -> number; BFS tree
        self.steps, self.errors = [], []     # per state
        self.transitions = self.deadlocks = self.error_count = 0

    def trace(self, number):
        """Numbers of the states on a shortest way from the initial one."""
        found = [number]
        while self.parents[found[-1]] is not None:
            found.append(self.parents[found[-1]])
        return found[::-1]


def explore(network, max_states=100000, deadline=None):
    """Breadth-first search over everything; raises Budget."""
    result = Exploration()
    result.states[network.initial] = 0
    result.parents.append(None)
    queue = deque([network.initial])
    while queue:
        state = queue.popleft()
        if deadline and time.monotonic() > deadline:
            raise Budget("out of time")
        number = len(result.steps)
        steps, errors = network.successors(state)
        result.steps.append(steps)
        result.errors.append(errors)
        result.transitions += len(steps)
        if result.transitions > STEPS_IN_ALL:
            raise Budget("too many steps in all")
        result.deadlocks += not steps
        result.error_count += len(errors)
        for _, target in steps:
            if target not in result.states:
                if len(result.states) >= max_states:
                    raise Budget(f"more than {max_states} states")
                result.states[target] = len(result.states)
                result.parents.append(number)
                queue.append(target)
    return result


def load_network(path):
    """Parse and instantiate a file; raises ModelError."""
    try:
        return Network(parse_model(path))
    except (RecursionError, MemoryError, SyntaxError) as error:
        raise ModelError(f"beyond the limits here: {error}") from error
    except EvalError as error:
        raise ModelError(f"while building: {error}") from error
