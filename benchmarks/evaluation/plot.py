"""Line plots on a logarithmic scale, as SVG text: one panel beside the other, one line a series. Each mark
says its value where the pointer is over it."""

import math
from html import escape

COLOURS = ("#444444", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8c6d1f", "#56b4e9", "#7a4fa3")
WIDTHS, HEIGHT = (480, 340, 250), 230    # of the area of a panel: one, two or more of them
LEFT, TOP, GAP, BOTTOM = 62, 20, 22, 46
LINE, SAMPLE = 20, 26            # of the legend: height of a line, length of a sample


class Series:
    """A line: title, the number of its colour, whether it was published, and its values: a list a
    panel, None where there is none."""

    def __init__(self, title, colour, panels, is_published=False):
        self.title, self.colour, self.panels = title, colour, panels
        self.is_published = is_published


def number(value):
    return f"{value:.1f}".rstrip("0").rstrip(".")


def marker(shape, x, y, colour, is_hollow):
    """Circle, square, triangle and diamond tell lines apart without colours, too."""
    fill = "#ffffff" if is_hollow else colour
    style = f'fill="{fill}" stroke="{colour}" stroke-width="1.2"'
    if shape % 4 == 0:
        return f'<circle cx="{number(x)}" cy="{number(y)}" r="3" {style}/>'
    corners = (((-2.7, -2.7), (2.7, -2.7), (2.7, 2.7), (-2.7, 2.7)),
               ((0, -3.8), (3.5, 2.7), (-3.5, 2.7)),
               ((0, -4), (4, 0), (0, 4), (-4, 0)))[shape % 4 - 1]
    points = " ".join(f"{number(x + dx)},{number(y + dy)}" for dx, dy in corners)
    return f'<polygon points="{points}" {style}/>'


def named(mark, x, y, name):
    """A mark that says its name; what the pointer has to meet is larger than what is seen."""
    if not name:
        return mark
    return (f'<g><title>{escape(name)}</title>{mark}'
            f'<circle cx="{number(x)}" cy="{number(y)}" r="10" fill="transparent"/></g>')


def line(points, series, names=None):
    """Through neighbouring values: a missing one interrupts the line."""
    colour = COLOURS[series.colour % len(COLOURS)]
    dash = ' stroke-dasharray="4 3" stroke-opacity="0.75"' if series.is_published else ""
    parts, run = [], []
    for point in [*points, None]:
        if point:
            run.append(point)
            continue
        if len(run) > 1:
            path = " ".join(f"{number(x)},{number(y)}" for x, y in run)
            parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}"'
                         f' stroke-width="1.5"{dash}/>')
        run = []
    return parts + [named(marker(series.colour, *point, colour, series.is_published), *point,
                          names[k] if names else None)
                    for k, point in enumerate(points) if point]


def text(x, y, content, anchor="middle"):
    return f'<text x="{number(x)}" y="{number(y)}" text-anchor="{anchor}">{content}</text>'


def rule(x1, y1, x2, y2, colour):
    return (f'<line x1="{number(x1)}" y1="{number(y1)}" x2="{number(x2)}" y2="{number(y2)}"'
            f' stroke="{colour}"/>')


def power(exponent):
    """A power of ten, with a raised exponent unless it is short."""
    if -3 <= exponent <= 3:
        return f"{10.0 ** exponent:g}"
    return f'10<tspan dy="-4" font-size="8">{exponent}</tspan>'


def value_text(value):
    return f"{value:,}" if isinstance(value, int) else f"{value:.4g}"


def legend(series, width):
    """(Elements, height): samples with their titles, in lines of the width; published ones begin
    another line."""
    parts, x, y, last = [], LEFT, 14, False
    for one in series:
        wide = SAMPLE + 8 + 6.2 * len(one.title) + 16
        if x > LEFT and (x + wide > width or one.is_published != last):
            x, y = LEFT, y + LINE
        last = one.is_published
        parts += line([(x, y - 4), (x + SAMPLE, y - 4)], one)
        parts.append(text(x + SAMPLE + 8, y, escape(one.title), "start"))
        x += wide
    return parts, y + 14


class Frame:
    """Where a panel is: left, top and width; what its vertical axis spans: powers of ten."""

    def __init__(self, left, top, width, powers):
        self.left, self.top, self.width, self.powers = left, top, width, powers
        self.right, self.bottom = left + width, top + HEIGHT

    def y(self, value):
        lowest, highest = self.powers
        return self.top + HEIGHT * (highest - math.log10(value)) / (highest - lowest)

    def x(self, number_of_tick, ticks):
        return self.left + self.width * (number_of_tick + 0.5) / len(ticks)

    def axes(self, ticks, x_title, title, has_numbers):
        parts = []
        lowest, highest = self.powers
        for exponent in range(lowest, highest + 1):
            y = self.y(10.0 ** exponent)
            parts.append(rule(self.left, y, self.right, y, "#e3e3e3"))
            if has_numbers and (highest - lowest <= 10 or (exponent - lowest) % 2 == 0):
                parts.append(text(self.left - 7, y + 4, power(exponent), "end"))
        parts.append(f'<rect x="{self.left}" y="{self.top}" width="{self.width}" height="{HEIGHT}"'
                     ' fill="none" stroke="#999999"/>')
        middle = (self.left + self.right) / 2
        parts.append(text(middle, self.top - 7, escape(title)) if title else "")
        parts.append(text(middle, self.bottom + 34, escape(x_title)))
        for k, tick in enumerate(ticks):
            x = self.x(k, ticks)
            parts.append(rule(x, self.bottom, x, self.bottom + 4, "#999999"))
            parts.append(text(x, self.bottom + 16, escape(tick)))
        return parts


def plot(title, series, ticks, x_title, panel_titles, y_title, least=0):
    """SVG text of the panels; None if no value is as large as least. ticks are the texts below the
    horizontal axis, at equal distances. What is not positive is left out."""
    values = [value for one in series for panel in one.panels for value in panel if value]
    if not values or max(values) < least:
        return None
    powers = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    powers = powers[0], max(powers[1], powers[0] + 1)
    wide = WIDTHS[min(len(panel_titles), len(WIDTHS)) - 1]
    width = LEFT + len(panel_titles) * (wide + GAP)
    parts, top = legend(series, width)
    top += TOP if any(panel_titles) else 4
    for panel, panel_title in enumerate(panel_titles):
        frame = Frame(LEFT + panel * (wide + GAP), top, wide, powers)
        parts += frame.axes(ticks, x_title, panel_title, panel == 0)
        for one in sorted(series, key=lambda one: not one.is_published):
            where = f"{panel_title}, " if panel_title else ""
            parts += line([(frame.x(k, ticks), frame.y(value)) if value else None
                           for k, value in enumerate(one.panels[panel])], one,
                          [f"{one.title}, {where}{x_title} {tick}: {value_text(value)}"
                           if value else None
                           for tick, value in zip(ticks, one.panels[panel])])
    middle = number(top + HEIGHT / 2)
    parts.append(f'<text x="14" y="{middle}" text-anchor="middle"'
                 f' transform="rotate(-90 14 {middle})">{escape(y_title)}</text>')
    height = top + HEIGHT + BOTTOM
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
            f' width="{width}" height="{height}" role="img" font-family="Helvetica, Arial,'
            f' sans-serif" font-size="11" fill="#222222">\n<title>{escape(title)}</title>\n'
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>\n'
            + "\n".join(filter(None, parts)) + "\n</svg>\n")
