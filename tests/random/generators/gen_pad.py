"""More variables for a generated model, so that states are several words long
and have fields that change within steps only, or that grow slowly; and meta
variables that invariants read."""

# text of a type, its least value, and a value far off
KINDS = [('bool', 0, 1), ('int', 0, 30000), ('int[-3,100000]', -3, 70000),
         ('int[0,2000000000]', 0, 1999999999), ('int[0,1]', 0, 1),
         ('int[-2147483647,2147483647]', -1, 2147483647)]


class Padding:
    """An array, global or of one template."""

    def __init__(self, rng, model, number):
        self.kind, self.low, self.far = rng.choice(KINDS)
        self.name, self.rng = f"pad{number}", rng
        self.count = rng.randint(1, 40 if self.far == 1 else 5)
        text = f"{self.kind} {self.name}[{self.count}];"
        self.template = None
        self.is_meta = rng.random() < 0.2
        decls = model.decls
        if self.is_meta:
            text = 'meta ' + text
        if rng.random() < (0.6 if self.is_meta else 0.3):
            self.template = rng.choice(model.templates)
            decls = self.template.decls
        decls.insert(rng.randrange(len(decls) + 1), text)

    def cell(self):
        return f"{self.name}[{self.rng.randrange(self.count)}]"

    def idle(self):
        """Assignments that leave a cell as it was."""
        cell, far = self.cell(), self.rng.choice([self.low, self.far])
        if self.is_meta:
            return f"{cell} = {far}"
        return self.rng.choice([
            f"{cell} = {cell}", f"{cell} = {far}, {cell} = 0",
            f"{cell} = {self.far} - {cell}, {cell} = {self.far} - {cell}"])

    def change(self):
        """(guard, assignment) that change a cell: two or three values."""
        cell, far = self.cell(), self.far
        if self.is_meta:
            return f"{cell} == 0", f"{cell} = {far}"
        ways = [('', f"{cell} = {far} - {cell}"),
                (f"{cell} == 0", f"{cell} = {far}"),
                ('', f"{cell} = {cell} == 0 ? {far} : 0")]
        if self.far > 1:
            ways += [(f"{cell} < 2", f"{cell}++"),
                     (f"{cell} <= 1", f"++{cell}"),
                     ('', f"{cell} = ({cell} + 1) % 3"),
                     (f"{cell} < {far}", f"{cell} += {far // 2}")]
        if self.low < 0:
            ways.append((f"{cell} >= 0", f"{cell}--"))
        return self.rng.choice(ways)


def add_label(edge, kind, join, text):
    """Adds to a label of an edge, or adds it."""
    if not text:
        return
    for number, (found, old) in enumerate(edge.labels):
        if found == kind:
            if kind == 'guard':
                old = f"({old})"
            edge.labels[number] = (kind, old + join + text)
            return
    edge.labels.insert(0 if kind == 'select' else len(edge.labels),
                       (kind, text))


def add_padding(rng, model):
    """More variables, and edges that write them."""
    paddings = [Padding(rng, model, number)
                for number in range(rng.randint(1, 5))]
    changes = rng.randint(0, 3)
    for template in model.templates:
        edges = [edge for edge in template.edges
                 if edge.source not in template.branchpoints
                 and edge.target not in template.branchpoints]
        usable = [padding for padding in paddings
                  if padding.template in (None, template)]
        for loc in template.locations:
            meta = [padding for padding in usable if padding.is_meta]
            if meta and rng.random() < 0.5:
                text = f"{rng.choice(meta).cell()} == 0"
                loc.invariant = f"({loc.invariant}) && {text}" \
                    if loc.invariant else text
        for edge in rng.sample(edges, len(edges)):
            if not usable or rng.random() < 0.5:
                continue
            padding = rng.choice(usable)
            if changes and rng.random() < 0.5:
                changes -= 1
                guard, text = padding.change()
                add_label(edge, 'guard', ' && ', guard)
                add_label(edge, 'assignment', ', ', text)
            else:
                add_label(edge, 'assignment', ', ', padding.idle())
