"""Naive front end: Uppaal XML and its textual language to plain tuples.

One method per grammar rule, no type checking.  Expressions and statements
become nested tuples whose first item is a tag:

  ('num', n) ('true',) ('false',) ('name', id) ('un', op, e)
  ('pre', op, e) ('post', op, e) ('bin', op, a, b) ('cond', c, a, b)
  ('asg', op, target, value) ('call', name, args) ('idx', a, i)
  ('dot', a, field) ('quant', kind, var, type, body)

Hybrid and dynamic features are refused, and so are clocks, unless timed/ asks
for them: their type is then the name `clock`.
"""

import re
import xml.etree.ElementTree as ET


class ModelError(Exception):
    """The input is not usable: not valid, or not supported here."""


KEYWORDS = set("""const select guard sync assign probability process state
branchpoint init trans urgent commit broadcast system true false and or xor
not imply for while do if else default return typedef struct import meta
before_update after_update progress gantt assert IO forall exists sum priority
bool int double string chan clock void scalar hybrid dynamic spawn exit query
location abs fabs fmod fma fmax fmin fdim exp exp2 expm1 ln log log10 log2
log1p pow sqrt cbrt hypot sin cos tan asin acos atan atan2 sinh cosh tanh asinh
acosh atanh erf erfc tgamma lgamma ceil floor trunc round fint ldexp ilogb logb
nextafter copysign fpclassify isfinite isinf isnan isnormal signbit isunordered
random random_arcsine random_beta random_gamma random_normal random_poisson
random_tri random_weibull""".split())

TOKEN = re.compile(r"""
    (?P<skip> (?: [ \t\r\n]+ | \\[ \t]*\n | //[^\n]* | /\*.*?\*/ )+ )
  | (?P<num>  \d+(?:\.\d+)? )
  | (?P<id>   [A-Za-z_][A-Za-z0-9_$\#]* )
  | (?P<op>   -u-> | --> | <<= | >>= | -> | := | \+= | -= | \*= | /= | %= | \|=
            | &= | \^= | <= | >= | == | != | <\? | >\? | << | >> | \|\| | &&
            | \+\+ | -- | \*\* | <> | \[\] | [-.,;:{}\[\]()?'!=+*/%|&^<>\#] )
""", re.X | re.S)

# Binding strength of the binary operators; a higher one binds tighter.
BINARY = {'**': 12, '*': 11, '/': 11, '%': 11, '+': 10, '-': 10, '<<': 9,
          '>>': 9, '<?': 8, '>?': 8, '<': 7, '<=': 7, '>=': 7, '>': 7,
          '==': 6, '!=': 6, '&': 5, '^': 4, '|': 3, '&&': 2, 'and': 2,
          '||': 1, 'or': 1, 'imply': 1, 'xor': 1}
SAME = {'and': '&&', 'or': '||', 'not': '!'}
ASSIGN = {'=', ':=', '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<=',
          '>>='}
EDGE_LABELS = ('select', 'guard', 'synchronisation', 'assignment',
               'probability')
PREDECLARED_TYPES = ('int8_t', 'uint8_t', 'int16_t', 'uint16_t', 'int32_t')


def tokenize(text, where):
    """Tokens as (kind, text, offset); kind is num, id, key, op or end."""
    tokens, at = [], 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise ModelError(f"{where}: unknown character {text[at]!r}"
                             f" at {place(text, at)}")
        kind, word = match.lastgroup, match.group()
        if kind == 'num' and '.' in word:
            raise ModelError(f"{where}: floating point is not supported")
        if kind == 'id' and word in KEYWORDS:
            kind = 'key'
        if kind != 'skip':
            tokens.append((kind, word, at))
        at = match.end()
    tokens.append(('end', '', len(text)))
    return tokens


def place(text, at):
    """Line and column, from 1, of an offset."""
    line = text.count('\n', 0, at) + 1
    return f"{line}:{at - (text.rfind(chr(10), 0, at) + 1) + 1}"


class Names:
    """Name spaces while parsing: which identifiers are types."""

    def __init__(self, parent=None, has_clocks=False):
        self.parent, self.own = parent, {}
        self.has_clocks = parent.has_clocks if parent else has_clocks

    def declare(self, name, is_type=False):
        if name in self.own:
            raise ModelError(f"duplicate name {name}")
        self.own[name] = is_type

    def is_type(self, name):
        scope = self
        while scope:
            if name in scope.own:
                return scope.own[name]
            scope = scope.parent
        return False


class Parser:
    """Recursive descent over one text (a declaration block or a label)."""

    def __init__(self, text, where, names):
        self.text, self.where, self.names = text, where, names
        self.tokens, self.at = tokenize(text, where), 0

    # --- tokens -------------------------------------------------------

    def fail(self, message):
        kind, word, at = self.tokens[self.at]
        near = word if kind != 'end' else 'the end'
        raise ModelError(f"{self.where}: {place(self.text, at)}: {message}"
                         f" near '{near}'")

    def peek(self, ahead=0):
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)][1]

    def kind(self, ahead=0):
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)][0]

    def take(self):
        word = self.tokens[self.at][1]
        self.at += 1
        return word

    def has(self, *words):
        """True if the next token is one of the words (never an id or end)."""
        return self.kind() in ('op', 'key') and self.peek() in words

    def accept(self, *words):
        return self.take() if self.has(*words) else None

    def expect(self, word):
        if not self.has(word):
            self.fail(f"expected '{word}'")
        return self.take()

    def done(self):
        if self.kind() != 'end':
            self.fail("unexpected text")

    def identifier(self):
        """An identifier that is no type name here."""
        if self.kind() != 'id' or self.names.is_type(self.peek()):
            self.fail("expected an identifier")
        return self.take()

    def new_name(self):
        """An identifier being declared; a type name may be re-declared."""
        if self.kind() != 'id':
            self.fail("expected an identifier")
        return self.take()

    def declare(self, name, is_type=False):
        try:
            self.names.declare(name, is_type)
        except ModelError as error:
            self.fail(str(error))

    def at_typename(self):
        return self.kind() == 'id' and self.names.is_type(self.peek())

    def at_type(self):
        return self.at_typename() or self.has(
            'urgent', 'broadcast', 'const', 'meta', 'int', 'bool', 'chan',
            'scalar', 'struct', 'void', 'clock', 'double', 'string', 'hybrid')

    # --- types --------------------------------------------------------

    def type(self):
        """('type', prefixes, base)"""
        prefixes = []
        if self.has('urgent', 'broadcast', 'const', 'meta'):
            prefixes.append(self.take())
            if prefixes == ['urgent'] and self.has('broadcast'):
                prefixes.append(self.take())
        if self.at_typename():
            return ('type', tuple(prefixes), ('named', self.take()))
        word = self.peek()
        if self.names.has_clocks and self.accept('clock'):
            return ('type', tuple(prefixes), ('named', 'clock'))
        if self.has('clock', 'double', 'string', 'hybrid'):
            self.fail(f"{word} is not supported")
        if self.accept('int'):
            bounds = None
            if self.accept('['):
                low = self.expr()
                self.expect(',')
                bounds = (low, self.expr())
                self.expect(']')
            return ('type', tuple(prefixes), ('int', bounds))
        if self.accept('scalar'):
            self.expect('[')
            size = self.expr()
            self.expect(']')
            return ('type', tuple(prefixes), ('scalar', size))
        if self.accept('struct'):
            self.expect('{')
            fields = []
            while not fields or not self.has('}'):
                kind = self.type()
                while True:
                    name = self.new_name()
                    fields.append((kind, name, self.dimensions()))
                    if not self.accept(','):
                        break
                self.expect(';')
            self.expect('}')
            return ('type', tuple(prefixes), ('struct', tuple(fields)))
        if self.has('bool', 'chan', 'void'):
            return ('type', tuple(prefixes), (self.take(),))
        self.fail("expected a type")

    def dimensions(self):
        """Array suffixes: ('size', expr) or ('by', type)."""
        found = []
        while self.accept('['):
            if self.at_type():
                found.append(('by', self.type()))
            else:
                found.append(('size', self.expr()))
            self.expect(']')
        return tuple(found)

    # --- declarations -------------------------------------------------

    def declarations(self, top):
        """Declarations up to the end, or up to 'system' when top."""
        found = []
        while self.kind() != 'end' and not self.has('system'):
            found.extend(self.declaration(top))
        return found

    def declaration(self, top=False, in_function=False):
        """One declaration; a list, since 'int a, b;' declares two."""
        if self.has('process', 'dynamic', 'import'):
            self.fail(f"'{self.peek()}' is not supported")
        if self.accept('typedef'):
            kind, found = self.type(), []
            while True:
                name = self.new_name()
                found.append(('typedef', kind, name, self.dimensions()))
                self.declare(name, True)
                if not self.accept(','):
                    break
            self.expect(';')
            return found
        if self.has('chan') and self.peek(1) == 'priority':
            return [self.channel_priority()]
        if self.has('before_update', 'after_update'):
            hook = self.take()
            self.expect('{')
            items = self.expr_list()
            self.expect('}')
            return [('hook', hook, items)]
        if not self.at_type():
            if top and self.kind() == 'id':
                return [self.instantiation()]
            self.fail("expected a declaration")
        kind = self.type()
        if self.kind() == 'id' and self.peek(1) == '(' and not in_function:
            return [self.function(kind)]
        if kind[2] == ('void',):
            self.fail("a variable cannot be void")
        found = []
        while True:
            name = self.new_name()
            dims = self.dimensions()
            init = None
            self.declare(name)
            if self.accept('=', ':='):
                init = self.initialiser()
            found.append(('var', kind, name, dims, init))
            if not self.accept(','):
                break
        self.expect(';')
        return found

    def initialiser(self):
        """An expression, or ('list', ((field or None, init), ...))."""
        if not self.accept('{'):
            return self.expr()
        items = []
        while True:
            field = None
            if self.kind() == 'id' and self.peek(1) == ':':
                field = self.take()
                self.take()
            items.append((field, self.initialiser()))
            if not self.accept(','):
                break
        self.expect('}')
        return ('list', tuple(items))

    def channel_priority(self):
        self.take(), self.take()
        levels = [[]]
        while True:
            if self.accept('default'):
                levels[-1].append('default')
            else:
                channel = ('name', self.identifier())
                while self.accept('['):
                    channel = ('idx', channel, self.expr())
                    self.expect(']')
                levels[-1].append(channel)
            if self.accept('<'):
                levels.append([])
            elif not self.accept(','):
                break
        self.expect(';')
        return ('chanprio', levels)

    def instantiation(self):
        """Q(params) = P(args);"""
        name, params = self.identifier(), []
        inner = Names(self.names)
        if self.accept('('):
            self.names, outer = inner, self.names
            if not self.has(')'):
                params = self.parameters()
            self.names = outer
            self.expect(')')
        if not self.accept('=', ':='):
            self.fail("expected '='")
        target = self.identifier()
        self.expect('(')
        self.names, outer = inner, self.names
        args = [] if self.has(')') else self.expr_list()
        self.names = outer
        self.expect(')')
        self.expect(';')
        self.declare(name)
        return ('inst', name, params, target, args)

    def parameters(self):
        """Items (type, is reference, name, dimensions)."""
        found = []
        while True:
            kind = self.type()
            reference = bool(self.accept('&'))
            name = self.identifier()
            self.declare(name)
            found.append((kind, reference, name, self.dimensions()))
            if not self.accept(','):
                return found

    def function(self, result):
        name = self.new_name()
        self.declare(name)
        self.names = Names(self.names)
        self.expect('(')
        params = [] if self.has(')') else self.parameters()
        self.expect(')')
        body = self.block(own_scope=False)
        self.names = self.names.parent
        return ('fun', result, name, params, body)

    # --- statements ---------------------------------------------------

    def block(self, own_scope=True):
        if own_scope:
            self.names = Names(self.names)
        self.expect('{')
        decls, stmts = [], []
        while self.at_type() or self.has('typedef'):
            decls.extend(self.declaration(in_function=True))
        while not self.has('}'):
            stmts.append(self.statement())
        self.expect('}')
        if own_scope:
            self.names = self.names.parent
        return ('block', decls, stmts)

    def statement(self):
        if self.has('{'):
            return self.block()
        if self.accept(';'):
            return ('empty',)
        if self.accept('return'):
            value = None if self.has(';') else self.expr()
            self.expect(';')
            return ('return', value)
        if self.accept('assert'):
            value = self.expr()
            self.expect(';')
            return ('assert', value)
        if self.accept('if'):
            cond = self.condition()
            then = self.statement()
            other = self.statement() if self.accept('else') else None
            return ('if', cond, then, other)
        if self.accept('while'):
            cond = self.condition()
            return ('while', cond, self.statement())
        if self.accept('do'):
            body = self.statement()
            self.expect('while')
            cond = self.condition()
            self.expect(';')
            return ('do', body, cond)
        if self.accept('for'):
            return self.for_statement()
        value = self.expr()
        self.expect(';')
        return ('expr', value)

    def condition(self):
        self.expect('(')
        items = self.expr_list()
        self.expect(')')
        return items

    def for_statement(self):
        self.expect('(')
        if self.kind() == 'id' and self.peek(1) == ':':
            name = self.take()
            self.expect(':')
            kind = self.type()
            self.expect(')')
            self.names = Names(self.names)
            self.declare(name)
            body = self.statement()
            self.names = self.names.parent
            return ('iter', name, kind, body)
        first = self.expr_list()
        self.expect(';')
        cond = self.expr_list()
        self.expect(';')
        step = self.expr_list()
        self.expect(')')
        return ('for', first, cond, step, self.statement())

    # --- expressions --------------------------------------------------

    def expr_list(self):
        items = [self.expr()]
        while self.accept(','):
            items.append(self.expr())
        return items

    def expr(self):
        """Assignment level; right associative."""
        left = self.ternary()
        if self.kind() == 'op' and self.peek() in ASSIGN:
            op = self.take()
            op = '=' if op in ('=', ':=') else op[:-1]
            return ('asg', op, left, self.expr())
        return left

    def ternary(self):
        cond = self.binary(1)
        if not self.accept('?'):
            return cond
        then = self.expr()
        self.expect(':')
        return ('cond', cond, then, self.expr())

    def binary(self, least):
        left = self.unary()
        while self.kind() in ('op', 'key') \
                and BINARY.get(self.peek(), 0) >= least:
            # 'c ?' in a synchronisation never gets here: '?' is no operator
            op = self.take()
            right = self.binary(BINARY[op] + 1)
            left = ('bin', SAME.get(op, op), left, right)
        return left

    def unary(self):
        if self.has('!', 'not'):
            self.take()
            return ('un', '!', self.unary())
        if self.accept('-'):
            if self.kind() == 'num' and int(self.peek()) == 2147483648:
                self.take()
                return ('num', -2147483648)
            return ('un', '-', self.unary())
        if self.accept('+'):
            return self.unary()
        if self.has('++', '--'):
            return ('pre', self.take(), self.unary())
        if self.has('forall', 'exists', 'sum'):
            return self.quantifier()
        return self.postfix(self.primary())

    def quantifier(self):
        kind = self.take()
        self.expect('(')
        name = self.new_name()
        self.expect(':')
        range_type = self.type()
        self.expect(')')
        self.names = Names(self.names)
        self.declare(name)
        body = self.expr()
        self.names = self.names.parent
        return ('quant', kind, name, range_type, body)

    def primary(self):
        if self.kind() == 'num':
            value = int(self.take())
            if value > 2147483647:
                self.at -= 1
                self.fail("integer literal too large")
            return ('num', value)
        if self.has('true', 'false'):
            return (self.take(),)
        if self.accept('('):
            inside = self.expr()
            self.expect(')')
            return inside
        if self.accept('abs'):
            if not self.has('('):
                self.fail("expected '('")
            return ('name', 'abs')
        return ('name', self.identifier())

    def postfix(self, value):
        while True:
            if self.accept('('):
                if value[0] != 'name':
                    self.fail("only a name can be called")
                args = [] if self.has(')') else self.expr_list()
                self.expect(')')
                value = ('call', value[1], args)
            elif self.accept('['):
                value = ('idx', value, self.expr())
                self.expect(']')
            elif self.accept('.'):
                value = ('dot', value, self.identifier())
            elif self.has('++', '--'):
                value = ('post', self.take(), value)
            else:
                return value

    # --- labels and the system section --------------------------------

    def selects(self):
        """Items (name, type)."""
        found = []
        while True:
            name = self.new_name()
            self.expect(':')
            found.append((name, self.type()))
            if not self.accept(','):
                return found

    def synchronisation(self):
        channel = self.binary(1)
        mark = self.accept('!', '?')
        if not mark:
            self.fail("expected '!' or '?'")
        return (channel, mark)

    def system(self):
        """Declarations and [(name, process priority)]."""
        decls = self.declarations(top=True)
        self.expect('system')
        level, found = 0, []
        while True:
            found.append((self.identifier(), level))
            if self.accept('<'):
                level += 1
            elif not self.accept(','):
                break
        self.expect(';')
        if not (self.has('progress', 'gantt') or self.kind() == 'end'):
            self.fail("unexpected text")
        return decls, found


class Location:
    """A location as written."""

    def __init__(self, ident, name, invariant, committed, urgent):
        self.id, self.name, self.invariant = ident, name, invariant
        self.committed, self.urgent = committed, urgent


class Edge:
    """An edge as written: ids of its ends and its parsed labels."""

    def __init__(self, source, target):
        self.source, self.target = source, target
        self.selects, self.guard, self.sync, self.update = [], None, None, []
        self.text, self.index = {}, None     # place among the transitions
        self.marks = []                      # lines @... of its comments
        self.comments = ''


class Template:
    """A template as written."""

    def __init__(self, name):
        self.name, self.params, self.decls = name, [], []
        self.locations, self.branchpoints, self.edges = [], [], []
        self.init = None


class Model:
    """A whole document as written."""

    def __init__(self):
        self.decls, self.templates = [], []
        self.system_decls, self.processes = [], []
        self.names, self.formulas = None, []     # for queries


def text_of(element):
    return (element.text or '') if element is not None else ''


def parse_location(node, where, names):
    ident, name = node.get('id'), text_of(node.find('name')).strip()
    if not ident:
        raise ModelError(f"{where}: location without id")
    if name:
        if not re.fullmatch(r'[A-Za-z_][A-Za-z0-9_$#]*', name) \
                or name in KEYWORDS:
            raise ModelError(f"{where}: bad location name {name}")
        names.declare(name)
    invariant = None
    for label in node.findall('label'):
        if label.get('kind') == 'invariant' and text_of(label).strip():
            parser = Parser(text_of(label), f"{where}: {ident}: invariant",
                            names)
            invariant = parser.expr()
            parser.done()
    committed = node.find('committed') is not None
    urgent = node.find('urgent') is not None
    if committed and urgent:
        raise ModelError(f"{where}: location both urgent and committed")
    return Location(ident, name, invariant, committed, urgent)


def parse_edge(node, where, names):
    edge = Edge(node.find('source').get('ref'), node.find('target').get('ref'))
    where = f"{where}: edge {edge.source} -> {edge.target}"
    scope = Names(names)
    for label in node.findall('label'):
        kind, text = label.get('kind'), text_of(label)
        if kind == 'comments':
            edge.comments = text
            edge.marks = [line.split() for line in text.split('\n')
                          if line.startswith('@')]
        if not text.strip() or kind not in EDGE_LABELS:
            continue
        parser = Parser(text, f"{where}: {kind}", scope)
        if kind == 'select':
            edge.selects = parser.selects()
            for name, _ in edge.selects:
                scope.own[name] = False
        elif kind == 'guard':
            edge.guard = parser.expr()
        elif kind == 'synchronisation':
            edge.sync = parser.synchronisation()
        elif kind == 'assignment':
            edge.update = parser.expr_list()
        else:
            parser.expr()
        parser.done()
        edge.text[kind] = ' '.join(text.split())
    return edge


def parse_template(node, globals_):
    template = Template(text_of(node.find('name')).strip())
    where = template.name
    if not re.fullmatch(r'[A-Za-z_][A-Za-z0-9_$#]*', where) \
            or where in KEYWORDS:
        raise ModelError(f"bad template name {where}")
    globals_.declare(where)
    names = Names(globals_)
    text = text_of(node.find('parameter'))
    if text.strip():
        parser = Parser(text, f"{where}: parameter", names)
        template.params = parser.parameters()
        parser.done()
    parser = Parser(text_of(node.find('declaration')),
                    f"{where}: declaration", names)
    template.decls = parser.declarations(top=False)
    parser.done()
    seen = set()
    for child in node:
        if child.tag == 'location':
            template.locations.append(parse_location(child, where, names))
            ident = child.get('id')
        elif child.tag == 'branchpoint':
            ident = child.get('id')
            template.branchpoints.append(ident)
        else:
            continue
        if ident in seen:
            raise ModelError(f"{where}: duplicate id {ident}")
        seen.add(ident)
    init = node.find('init')
    template.init = init.get('ref') if init is not None else None
    if template.init not in {loc.id for loc in template.locations}:
        raise ModelError(f"{where}: missing initial location")
    for index, child in enumerate(node.findall('transition')):
        if child.find('source') is None:
            continue
        edge = parse_edge(child, where, names)
        edge.index = index
        if edge.source not in seen or edge.target not in seen:
            raise ModelError(f"{where}: edge to an unknown id")
        template.edges.append(edge)
    return template


def parse_model(path, has_clocks=False):
    """Read an XML file into a Model; raises ModelError."""
    try:
        root = ET.parse(path).getroot()
    except (ET.ParseError, OSError, LookupError, ValueError) as error:
        raise ModelError(f"{path}: {error}") from error
    if root.tag not in ('nta', 'project'):
        raise ModelError(f"{path}: not an Uppaal model")
    model, names = Model(), Names(has_clocks=has_clocks)
    for name in PREDECLARED_TYPES:
        names.own[name] = True
    parser = Parser(text_of(root.find('declaration')), 'declaration', names)
    model.decls = parser.declarations(top=True)
    parser.done()
    for node in root.findall('template'):
        if node.find('name') is not None:
            model.templates.append(parse_template(node, names))
    text = text_of(root.find('instantiation')) + '\n' \
        + text_of(root.find('system'))
    model.names = Names(names)
    parser = Parser(text, 'system', model.names)
    model.system_decls, model.processes = parser.system()
    model.formulas = [text_of(node) for node
                      in root.findall('queries/query/formula')]
    return model
