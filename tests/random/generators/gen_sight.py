"""Small networks in which agents lose sight of what is removed.

A process P changes what other agents C and D observe in part: a variable that
rests somewhere, one of two that are merged, one that remembers.  Or what is
removed makes states possible that are not, or loses some, which agents take
others for.  In what is asked of them that makes a difference.
"""

from generators.small_models import xml


def chosen(text, **more):
    return {'select': 'i : int[1,2]', **more, 'assignment': text}


class Sight:
    """One such network: its text, {agent: items that it observes}, arguments
    that remove something, and what may be asked: predicates and values."""

    def __init__(self, rng):
        self.rng, self.mode = rng, rng.choice(['--may', '--may', '--must'])
        self.declarations, self.local, self.more = '', '', []
        self.values = []
        kinds = self.resting, self.merged, self.forgotten, self.alibi, self.sure
        locations, edges, sights = rng.choice(kinds)()
        rng.shuffle(edges)
        self.observed = {name: rng.choice(sights) for name in 'CD'}
        if rng.random() < 0.4:
            self.observed['P'] = ['local']
        templates = [('P', '', self.local, locations, edges), *self.more,
                     *((name, '', '', ['r'], []) for name in 'CD')]
        rng.shuffle(templates)
        names = ', '.join(template[0] for template in templates)
        self.text = xml(self.declarations, templates, f"system {names};")

    def maybe(self, labels):
        return labels if self.rng.random() < 0.5 else {}

    def resting(self):
        """A variable rests in some locations, which its value would betray."""
        self.local, self.predicates = 'int[0,2] x;', ['P.t', '!P.s', 'P.t || P.u']
        self.arguments = ['--remove', self.rng.choice(['P.x@t', 'P.x@t,u'])]
        return ['a', 's', 't', 'u'], [
            ('a', 's', self.rng.choice([chosen('x = i'), {'assignment': 'x = 1'}])),
            ('s', 't', self.maybe({'guard': 'x != 2'})),
            ('t', 'u', self.maybe({'assignment': 'x = 2'})),
            ('u', 's', self.maybe({'guard': 'x != 0'}))], [['P.x'], ['P.x', 'P.u']]

    def merged(self):
        """Two variables become one, of which an agent observes a part."""
        rng, owner = self.rng, self.rng.choice(['P.', ''])
        x, y = rng.sample(['x', 'y'], 2)
        variables = 'int[0,1] x, y;'
        if owner:
            self.local = variables
        else:
            self.declarations = variables
        self.arguments = ['--merge', f"{owner or '.'}g:int[0,1]="
                          f"{x} {rng.choice(['==', '!=', '<'])} {y}"]
        self.predicates, self.values = ['P.b', 'P.c', 'w == 1'], ['w']
        self.declarations += ' int[0,1] w;'
        test = self.arguments[1].partition('=')[2]
        return ['a', 'b', 'c'], [
            ('a', 'b', {'select': 'i : int[0,1], j : int[0,1]',
                        'assignment': 'x = i, y = j'}),
            ('b', 'c', {'guard': test, 'assignment': 'w = 1'}),
            ('b', 'c', {'guard': f"!({test})"})], [
                [owner + 'x'], [owner + 'y'], [owner + 'x', 'P.b'], [owner + 'x', owner + 'y']]

    def forgotten(self):
        """An agent remembers what nobody reads."""
        self.local, self.declarations = 'int[0,2] m;', 'int[0,2] w;'
        self.arguments = ['--remove', 'P.m']
        self.predicates, self.values = ['w == 1', 'w == 2', 'P.b'], ['w']
        return ['a', 'b'], [
            ('a', 'b', chosen(f"w = i, m = {self.rng.choice(['i', '3 - i', '1'])}")),
            ('b', 'b', self.maybe(chosen('w = i, m = i')))], [
                ['P.m'], ['P.m', 'P.b'], ['w'], ['P.b']]

    def alibi(self):
        """What cannot be seems to be possible."""
        self.declarations = 'int[0,1] w, a, b, m, n;'
        self.arguments = ['--remove', '.m', '--remove', '.n']
        self.predicates, self.values = ['w == 0', 'w == 1', 'P.t'], ['w']
        self.mode = self.rng.choice(['--may', '--may', '--must'])
        return ['s', 't', 'u'], [
            ('s', 's', {'select': 'i : int[0,1]', 'assignment': 'a = i, b = i'}),
            ('s', 's', {'assignment': 'm = a * (1 - b), n = a'}),
            ('s', 't', {'assignment': 'w = 0'}),
            ('s', 't', {'guard': 'm == 1', 'assignment': 'w = 1'}),
            ('t', 'u', {'assignment': 'w = 1'})], [['P.t'], ['m'], ['P.t', 'n'], ['w']]

    def sure(self):
        """What is possible for some values only seems not to be."""
        self.local, self.declarations = 'int[0,2] m;', 'int[0,2] w;'
        self.arguments = ['--remove', 'P.m']
        self.predicates, self.values = ['w == 1', 'w == 2', 'P.u'], ['w']
        self.mode = self.rng.choice(['--may', '--must', '--must'])
        remembered = self.rng.choice(['w = i, m = i', 'w = i, m = 1', 'w = 1, m = i'])
        return ['s', 't', 'u'], [
            ('s', 't', chosen(remembered)),
            ('t', 'u', {'guard': 'm == 1', **self.maybe({'assignment': 'w = 0'})}),
            ('t', 'u', {'assignment': 'w = 1'})], [
                ['P.u'], ['P.m', 'P.u'], ['P.m', 'P.t'], ['P.m'], ['w']]

    def declared(self):
        """Declarations of what agents observe, and of a group."""
        lines = [f"observe {name}: {', '.join(items)};"
                 for name, items in self.observed.items()]
        return lines + [f"group all_of_them = {{{', '.join(self.observed)}}};"]

    def knowing(self):
        """(text, operator, names, text that is known) of what is known."""
        rng, names = self.rng, sorted(self.observed)
        if rng.random() < 0.3:
            op = rng.choice(['GK', 'GK', 'GCK', 'DK'])
            some = rng.sample(names, 2)
            known = rng.choice(self.predicates)
            if rng.random() < 0.5:
                return f"{op}(all_of_them, {known})", op, names, known
            return f"{op}({{{', '.join(some)}}}, {known})", op, some, known
        op = 'Kw' if self.values and rng.random() < 0.5 else 'K'
        name, known = rng.choice(names), rng.choice(
            self.values if op == 'Kw' else self.predicates)
        return f"{op}({name}, {known})", op, [name], known

    def formula(self, parsed, value):
        """(text, tree); parsed and value make trees of texts."""
        rng = self.rng
        known, op, names, text = self.knowing()
        tree = (op, names, text, value(text)) if op == 'Kw' else \
            (op, names, parsed(text)[1])
        if rng.random() < 0.5:
            known, tree = f"not {known}", ('not', tree)
        asked, when = parsed(rng.choice(self.predicates))
        way = rng.random()
        if way < 0.4:
            return f"A[] ({asked} imply {known})", ('A[]', ('imply', when, tree))
        if way < 0.8:
            return f"E<> ({asked} && {known})", ('E<>', ('&&', when, tree))
        if way < 0.9:
            return f"A[] ({known} imply {asked})", ('A[]', ('imply', tree, when))
        return f"E<> ({known})", ('E<>', tree)
