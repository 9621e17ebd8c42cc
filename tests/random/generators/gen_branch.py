"""Branchpoints in front of updates of every kind: what the edge in front of one
writes is what the update behind it fits, finds an index in or divides by, so
that nothing about it can be said before the step."""

from generators.gen_expr import Type, Var
from generators.gen_model import Edge
from generators.gen_twist import Place

SMALL = Type('int', 'int[0,2]', 0, 2)
LARGE = Type('int', 'int[0,4]', 0, 4)
CELLS = Type('array', 'int[0,2]', 0, 2, elem=SMALL, suffix='[3]')


class Branch:
    """An edge through a branchpoint, and variables on both sides of it."""

    def __init__(self, place, edge):
        self.place, self.rng, self.edge = place, place.rng, edge
        is_local = place.chance(0.6)   # so that nobody else changes them
        self.given, self.given_path = place.new(
            LARGE, not is_local, self.rng.choice([None, '3', '4']))
        self.taken, self.taken_path = place.new(SMALL)
        self.seen, _ = place.new(self.rng.choice([SMALL, LARGE]))
        self.cells, self.cells_path = place.new(
            CELLS, not is_local, self.rng.choice([None, '{0, 1, 2}',
                                                  '{0, 2, 0}']))
        self.has_function = False

    def write(self):
        """In front: what is written fits behind, mostly; what was, may not."""
        place, rng, name = self.place, self.rng, self.given
        way = rng.randint(0, 4)
        if way == 0:
            place.choose(self.edge, name, SMALL)
        elif way == 1:
            parts = [place.new(SMALL, start=start)[0] for start in ('2', None)]
            for values in ((2, 0), (0, 2)):
                items = [f"{part} = {value}"
                         for part, value in zip(parts, values)]
                place.update(place.edge(), ', '.join(items))
            place.update(self.edge, f"{name} = {' + '.join(parts)}")
        elif way == 2:
            place.update(self.edge, f"{name} = {rng.randint(0, 3)}")
        elif way == 3:
            place.guard(self.edge, f"{name} >= {rng.randint(1, 2)}")
            place.update(self.edge, f"{name}--")
        else:
            place.update(self.edge, f"{name} = {name} > 2 ? 1 : {name}")
        for edge in rng.sample(place.edges, rng.randint(0, 1)):
            place.choose(edge, name, LARGE)

    def function(self):
        """Assigns what was given, inside."""
        name = f"take{self.taken}"
        if not self.has_function:
            self.has_function = True
            self.place.template.decls.append(
                f"void {name}() {{ {self.taken} = {self.given}; }}")
        return name + '()'

    def item(self):
        """An item of an update behind the branchpoint."""
        given, taken, seen, cells = \
            self.given, self.taken, self.seen, self.cells
        return self.rng.choice([
            f"{taken} = {given}", f"{taken} = {given}", f"{taken} += {given}",
            f"{taken} = {cells}[{given}]", f"{cells}[{given}] = 1",
            f"{cells}[{given}] = {taken}", f"{taken} = 2 / {given}",
            f"{seen} = 2 % {given}", self.function(),
            f"{seen} = {cells}[{given}]", f"{seen} = {cells}[{given}]",
            f"{seen} = {cells}[{given}]", f"{seen} = {taken} + {given}",
            f"{seen} = {taken} + 1", f"{seen} = {taken}",
            f"{seen} = {given} > 1 ? {taken} : 0",
            f"{taken} = {given}, {seen} = {taken}",
            f"{seen} = {cells}[{taken}]", f"{taken}++",
            f"{seen} = 2 / {given} > {taken} && {taken} > 1 ? 1 : 0"])

    def out(self, source, target):
        """An edge behind the branchpoint."""
        edge = Edge(source, target)
        edge.labels = [('probability', str(self.rng.randint(1, 3)))]
        items = [self.item() for _ in range(self.rng.choice([0, 1, 1, 2]))]
        if items:
            edge.labels.insert(0, ('assignment', ', '.join(items)))
        if self.rng.random() < 0.05:
            edge.labels.insert(0, ('guard', f"{self.given} > 1"))
        self.place.template.edges.append(edge)

    def branchpoint(self):
        ident = f"id{self.place.model.fresh('')}"
        self.place.template.branchpoints.append(ident)
        return ident

    def make(self):
        """What is worth removing."""
        template, rng = self.place.template, self.rng
        self.write()
        first, target = self.branchpoint(), self.edge.target
        self.edge.target = first
        ways = [(first, target)]
        if rng.random() < 0.15:
            second = self.branchpoint()
            ways = [(first, second), (second, target)]
        if rng.random() < 0.6:
            ways.append((first, rng.randrange(len(template.locations))))
        for way in ways:
            self.out(*way)
        if rng.random() < 0.4:
            self.place.choose(self.place.edge(), self.taken, SMALL)
        if rng.random() < 0.3:
            self.place.guard(self.place.edge(), f"{self.taken} < 2")
        if rng.random() < 0.3:
            self.place.update(
                self.place.edge(), f"{self.cells}[1] = {rng.randint(0, 2)}")
        return [self.taken_path, self.taken_path, self.cells_path,
                self.given_path, f"{self.taken_path},{self.cells_path}"]


def add_branches(rng, model):
    """Sends an edge through a branchpoint; what is worth removing then."""
    place = Place(rng, model)
    free = [edge for edge in place.edges
            if not edge.sync or edge.sync[1] == '!'
            or not edge.sync[0].broadcast]
    if not free:
        return []
    return Branch(place, rng.choice(free)).make()
