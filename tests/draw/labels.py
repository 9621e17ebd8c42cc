"""Reads drawings and looks whether labels can be told apart and belong to their edges.

    labels.py DIRECTORY [--loops]     all files *.svg in it

No label of an edge may overlap another one, and none may be nearer to the loop of another edge than
to the line of its own; with --loops only labels of loops are looked at. The title of an edge says
how many labels it has; these follow in the same order. Widths of texts are those of Arial, for
letters roughly.
"""
import math
import pathlib
import re
import sys
import xml.etree.ElementTree

SVG = "{http://www.w3.org/2000/svg}"
TOLERANCE = 5  # so much may boxes overlap, as text does not fill its line
NEARER = 2
MOST_LOOPS = 11  # in a template; the labels of more have no room around their locations
KINDS = "select guard synchronisation update probability comments".split()


class Edge:
    def __init__(self, group):
        lines = group.find(SVG + "title").text.split("\n")
        ends = lines[0].removeprefix("new: ").removeprefix("removed: ").removeprefix("changed: ")
        self.is_loop = len(set(ends.split(" → "))) == 1
        self.kinds = [kind for line in lines[1:] for kind in KINDS
                      if re.match(rf"(new: |removed: |changed: )?{kind}: ", line)]
        path = next(child for child in group if child.tag == SVG + "path")
        self.points = [tuple(map(float, part[1:].split(" ")))
                       for part in re.findall("[ML][^ML]*", path.get("d"))]
        self.labels = []

    def distance(self, box):
        return min(distance(box, a, b) for a, b in zip(self.points, self.points[1:]))


def distance(box, a, b):
    """From a box to a straight line, by points of the line; at most a unit too much."""
    steps = max(1, int(math.dist(a, b) / 2))
    least = math.inf
    for i in range(steps + 1):
        x = a[0] + (b[0] - a[0]) * i / steps
        y = a[1] + (b[1] - a[1]) * i / steps
        least = min(least, math.hypot(max(box[0] - x, x - box[2], 0), max(box[1] - y, y - box[3], 0)))
    return least


def text_width(text, size):
    return sum(0.28 if c in " .,:;'|!()[]fijlrt" else 0.5 for c in text or "") * size


def box_of(element, size):
    boxes = []
    for row in element.findall(SVG + "tspan") or [element]:
        x, y = float(row.get("x")), float(row.get("y"))
        title = row.find(SVG + "title")
        width = text_width(row.text if title is None else title.tail, size)
        if element.get("text-anchor") == "end":
            x -= width
        boxes.append((x, y - size * 0.8, x + width, y + size * 0.2))
    return (min(b[0] for b in boxes), min(b[1] for b in boxes),
            max(b[2] for b in boxes), max(b[3] for b in boxes))


def overlap(a, b):
    return min(min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1]))


def read_panel(panel):
    """The edges of a template, with their labels."""
    groups = [child for child in panel.iter(SVG + "g") if child.find(SVG + "title") is not None]
    edges = [Edge(group) for group in groups if " → " in group.find(SVG + "title").text.split("\n")[0]]
    texts = [text for group in panel.iter(SVG + "g") if group.get("paint-order")
             for text in group if text.tag == SVG + "text"]
    owners = [(edge, kind) for edge in edges for kind in edge.kinds]
    for text in texts:
        title = text.find(f".//{SVG}title")
        if title is None or not owners or text.get("font-size"):
            continue  # of a node, or the text before a change
        edge, kind = owners.pop(0)
        if not title.text.startswith(kind):
            raise ValueError(f"a label of kind {kind} is missing")
        edge.labels.append((kind, box_of(text, 12)))
    if owners:
        raise ValueError(f"{len(owners)} labels are missing")
    return edges


def faults(edges, only_loops):
    """What is wrong in a template."""
    if sum(edge.is_loop for edge in edges) > MOST_LOOPS:
        return
    looked_at = [edge for edge in edges if edge.is_loop or not only_loops]
    labels = [(edge, kind, box) for edge in edges for kind, box in edge.labels]
    for edge in looked_at:
        for kind, box in edge.labels:
            for other, other_kind, other_box in labels:
                if other_box != box and overlap(box, other_box) > TOLERANCE:
                    yield f"{kind} at {box[:2]} overlaps {other_kind} at {other_box[:2]}"
        if not edge.labels:
            continue
        own = min(edge.distance(box) for _, box in edge.labels)
        for other in edges:
            if other is edge or not other.is_loop:
                continue
            far = min(other.distance(box) for _, box in edge.labels)
            if far + NEARER < own:
                yield f"{edge.labels[0][0]} at {edge.labels[0][1][:2]} is nearer to another loop: {far:.0f}, {own:.0f}"


def main():
    only_loops = "--loops" in sys.argv
    passed = failed = 0
    for path in sorted(pathlib.Path(sys.argv[1]).glob("*.svg")):
        root = xml.etree.ElementTree.parse(path).getroot()
        found = []
        for panel in root.findall(SVG + "g"):
            if (panel.get("transform") or "").startswith("translate"):
                found += faults(read_panel(panel), only_loops)
        passed += not found
        failed += bool(found)
        for fault in found[:3]:
            print(f"FAIL {path.name}: {fault}")
    print(f"{passed} passed, {failed} failed")
    return failed > 0


sys.exit(main())
