"""Small networks in which players lose moves or sight with what is removed.

A player P stands beside N, which chooses a number x that P does not see.  In
what is asked of them it matters whether P can wait for the right x, can choose
by what it saw before, or has two moves or one.  What is removed makes no
difference to states and runs, so that all depends on moves and sight.  In
others, of which nothing is removed, it is hard to see which move is wrong.
"""

from generators.small_models import xml

GLOBALS = 'int[0,2] x, y; int[0,2] w;'
NATURE = 'N', '', '', ['n', 'o'], [
    ('n', 'o', {'select': 'i : int[1,2]', 'assignment': 'x = i'})]


class Moves:
    """One such network: its text, who observes what of itself alone (others
    see whether their guards hold), agents of several processes, what is
    removed, and formulas as (coalition, modes, operator, predicate)."""

    def __init__(self, rng):
        self.rng = rng
        self.local, self.joint, self.removed = ['P'], None, '.w'
        self.declarations, self.more = GLOBALS, [NATURE]
        self.modes, self.players = [[], [], ['Ir'], ['wait']], 'P'
        kinds = self.merged, self.failing, self.action, self.forgetful, \
            self.subjective, self.together
        self.locations, self.variables, edges, self.asked = rng.choice(kinds)()
        edges += self.idle() * (rng.random() < 0.2)
        rng.shuffle(edges)
        player = 'P', '', self.variables, self.locations, edges
        templates = [player, *self.more]
        if rng.random() < 0.3:
            templates.append(self.bystander())
        if rng.random() < 0.15:
            self.local = []
        names = ', '.join(template[0] for template in templates)
        self.text = xml(self.declarations, templates, f"system {names};")

    def idle(self):
        """An edge that leads nowhere."""
        return [('B', 'B', {'guard': f"x != {self.rng.randint(0, 2)}"})]

    def bystander(self):
        return 'S', '', '', ['r', 's'], [
            ('r', 's', {'guard': f"x == {self.rng.randint(1, 2)}",
                        'assignment': f"y = {self.rng.randint(0, 2)}"})]

    def numbers(self):
        return self.rng.sample([1, 2], 2)

    def merged(self):
        """Two edges that become one, and are not possible together."""
        edges = [('A', 'B', {'guard': f"x == {value}",
                             'assignment': f"w = {self.rng.choice([value, 0])}"})
                 for value in (1, 2)]
        edges[0][2]['assignment'] = 'w = 2'
        value = self.rng.randint(1, 2)
        return ['A', 'B'], '', edges, [
            ('G', f"!P.B || x == {value}"), ('F', f"P.B && x == {value}"), ('F', 'P.B')]

    def failing(self):
        """A move that fails as long as nobody lets it happen."""
        self.declarations = 'int[0,2] x, y; int[0,1] w[2]; int[0,2] k = 2; chan e;'
        self.more = [('N', '', '', ['n', 'o'], [
            ('n', 'o', {'assignment': 'k = 0'}), ('o', 'o', {'synchronisation': 'e?'})])]
        return ['A', 'B', 'C'], '', [
            ('A', 'B', {'synchronisation': 'e!', 'assignment': 'w[k] = 1'}),
            ('A', 'C', {})], [('F', 'P.B'), ('G', '!P.C'), ('G', '!P.B')]

    def action(self):
        """Values of a select tell moves of one name apart."""
        one, other = self.numbers()
        last = {'assignment': f"x = {other}"} if self.rng.random() < 0.3 else \
            {'select': 'i : int[1,2]', 'assignment': 'x = i'}
        self.modes.append(['Ir'])
        return ['A', 'B', 'C'], '', [
            ('A', 'B', {'select': 'i : int[1,2]', 'assignment': 'w = i',
                        'comments': '@action go'}),
            ('A', 'C', {**last, 'comments': '@action go'})], [
                ('F', 'P.B'), ('G', '!P.B'), ('F', f"P.B || x == {one}")]

    def forgetful(self):
        """It chooses by what it saw."""
        one, other = self.numbers()
        self.removed = 'P.m'
        return ['A', 'B', 'C', 'D'], 'int[0,2] m;', [
            ('A', 'B', {'guard': 'x != 0', 'assignment': 'm = x'}),
            ('B', 'C', {}), ('B', 'D', {})], [
                ('F', f"P.C && x == {one} || P.D && x == {other}"),
                ('G', f"(!P.C || x == {one}) && (!P.D || x == {other})")]

    def subjective(self):
        """It takes the state for a later one."""
        self.removed = 'P.m'
        self.modes = [['Ir', 'subjective'], ['subjective'], ['Ir']]
        return ['A', 'B'], 'int[0,2] m;', [
            ('A', 'A', {}), ('A', 'B', {'assignment': 'm = 1, y = 1'}), ('B', 'A', {})], [
                ('G', 'y == 0'), ('G', '!P.B || y == 0')]

    def together(self):
        """Two processes are one mind; it is the other one that moves."""
        *rest, edges, asked = self.rng.choice([self.merged, self.action])()
        asked = [(op, text.replace('P.', 'Q.')) for op, text in asked]
        self.more = [*self.more, ('Q', '', '', rest[0], edges)]
        self.joint = ['P', 'Q']
        self.local, self.players = ['P', 'Q'], 'both'
        return ['B', 'A'], '', [], asked

    def formula(self):
        """(coalition, modes, operator, text of the predicate)"""
        op, text = self.rng.choice(self.asked)
        return self.players, self.rng.choice(self.modes), op, text


class Detour:
    """A network in which one way fails whatever is chosen behind it, so that it
    is the choice before it that has to be changed.

    N chooses x, which P does not see.  At L, P has to guess it and cannot; at R
    the right move does not depend on it, but on how P came there, which it has
    forgotten, too.  So no bound shows that P gets to G."""

    def __init__(self, rng):
        self.rng = rng
        ways = [('A', 'L', {}), ('A', 'R', {}), ('A', 'R', {'assignment': 'y = 1'})]
        if rng.random() < 0.3:
            ways.append(('A', 'S', {}))
        edges = ways + self.guess('L', 'x') + self.guess('R', 'y')
        locations = ['A', 'L', 'R', 'S', 'G']
        if rng.random() < 0.3:    # nothing is chosen on the way to where it fails
            edges += [('M', 'L', {})]
            edges[0] = ('A', 'M', {})
            locations.append('M')
        rng.shuffle(edges)
        nature = 'N', '', '', ['n!', 'o'], [
            ('n', 'o', {'select': 'i : int[0,1]', 'assignment': 'x = i'})]
        self.text = xml('int[0,1] x, y;', [('P', '', '', locations, edges), nature],
                        'system P, N;')

    def guess(self, place, variable):
        """Two moves, of which one is right for each value."""
        return [(place, 'G' if value == right else 'S', {
            'guard': f"{variable} == {value}", 'comments': f"@action m{right}"})
                for right in range(2) for value in range(2)]

    def formula(self):
        """(operator, text of the predicate)"""
        return self.rng.choice([('F', 'P.G'), ('G', '!P.S'), ('G', '!(P.L || P.S)'),
                                ('F', 'P.G && y == 0'), ('F', 'P.G && y == 1')])
