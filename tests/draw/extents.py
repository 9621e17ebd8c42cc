"""Reads drawings and looks whether they are well-formed and everything in them is inside.

    extents.py DIRECTORY     all files *.svg in it

Every text, circle, rectangle and line has to be inside the view box and inside the rectangle of
its template. Widths of texts are estimated.
"""
import pathlib
import re
import sys
import xml.etree.ElementTree

SVG = "{http://www.w3.org/2000/svg}"
MARGIN = 0.11  # coordinates are rounded


def number(text):
    if not re.fullmatch(r"-?[0-9]+(\.[0-9])?", text):
        raise ValueError(f"{text!r} is no number")
    return float(text)


def numbers(element, *names):
    return [number(element.get(name)) for name in names]


def text_width(text, size):
    return sum(0.28 if c in " .,:;'|!()[]fijlrt" else 0.5 for c in text or "") * size


def text_points(element, size):
    """Corners of the lines of a text."""
    rows = element.findall(SVG + "tspan") or [element]
    for row in rows:
        x, y = numbers(row, "x", "y")
        title = row.find(SVG + "title")
        width = text_width(row.text if title is None else title.tail, size)
        if element.get("text-anchor"):
            width = 0
        yield x, y - size * 0.8
        yield x + width, y


def points(element, size):
    """Points that have to be inside, in the coordinates of the element."""
    if element.tag == SVG + "text":
        yield from text_points(element, size)
    elif element.tag == SVG + "circle":
        x, y, r = numbers(element, "cx", "cy", "r")
        yield from ((x - r, y - r), (x + r, y + r))
    elif element.tag == SVG + "rect":
        x, y, width, height = numbers(element, "x", "y", "width", "height")
        yield from ((x, y), (x + width, y + height))
    elif element.tag == SVG + "path":
        for command in re.findall("[ML][^ML]*", element.get("d")):
            yield tuple(number(part) for part in command[1:].split(" "))


def check(element, x, y, size, box):
    move = re.fullmatch(r"translate\((\S+) (\S+)\)", element.get("transform", ""))
    if move:
        x, y = x + number(move[1]), y + number(move[2])
    size = number(element.get("font-size", "%.0f" % size))
    for px, py in points(element, size):
        if not (box[0] - MARGIN <= x + px <= box[2] + MARGIN and
                box[1] - MARGIN <= y + py <= box[3] + MARGIN):
            raise ValueError(f"<{element.tag.removeprefix(SVG)}> at {px}, {py} is outside")
    children = list(element)
    if element.tag == SVG + "g" and children and children[0].tag == SVG + "rect":
        width, height = numbers(children[0], "width", "height")
        if children[0].get("stroke") == "#d0d0d0":  # a template
            box = (x, y, x + width, y + height)
    for child in children:
        if child.tag not in (SVG + "title", SVG + "tspan"):
            check(child, x, y, size, box)


def check_file(path):
    root = xml.etree.ElementTree.parse(path).getroot()
    left, top, right, bottom = (number(part) for part in root.get("viewBox").split(" "))
    if numbers(root, "width", "height") != [right - left, bottom - top]:
        raise ValueError("size and view box differ")
    check(root, 0, 0, 12, (left, top, right, bottom))


def main():
    passed = failed = 0
    for path in sorted(pathlib.Path(sys.argv[1]).glob("*.svg")):
        try:
            check_file(path)
            passed += 1
        except (ValueError, TypeError, xml.etree.ElementTree.ParseError) as error:
            failed += 1
            print(f"FAIL {path.name}: {error}")
    print(f"{passed} passed, {failed} failed")
    return failed > 0


sys.exit(main())
