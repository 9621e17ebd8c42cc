"""The plots of a result, and one HTML page that shows everything and needs nothing else."""

import base64
import os
import tempfile
from html import escape

from measure import Run
from . import plot, results

STYLE = """
body { font: 15px/1.45 Georgia, "Times New Roman", serif; color: #222; background: #fff;
  max-width: 70rem; margin: 2rem auto; padding: 0 1.5rem; }
h1, h2, h3, table, summary, .facts { font-family: Helvetica, Arial, sans-serif; }
h1 { font-size: 1.7rem; margin-bottom: .3rem; }
h2 { font-size: 1.2rem; margin-top: 2.6rem; border-bottom: 1px solid #bbb; padding-bottom: .2rem; }
h3 { font-size: 1rem; margin: 1.6rem 0 .5rem; }
.facts, .note, caption { color: #555; font-size: .85rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .78rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; caption-side: bottom; padding-top: .5rem; line-height: 1.4; }
th, td { padding: .16rem .42rem; text-align: right; white-space: nowrap; }
th { font-weight: 600; border-bottom: 1px solid #999; }
thead tr:first-child th { border-bottom: none; text-align: left; }
td:first-child, th:first-child, td.text { text-align: left; }
td.first, th.first { border-left: 1px solid #ccc; padding-left: .7rem; }
tr.group td { border-top: 1px solid #ddd; }
small { color: #777; font-size: .9em; font-weight: normal; }
td.filled { background: #e6f2ea; font-weight: 600; }
td.missing { color: #888; font-style: italic; }
tr.wrong td { background: #fbe3e0; }
.wrong { color: #a3190b; }
.good { color: #1d6b3a; }
svg, img { max-width: 100%; height: auto; }
figure { margin: 1rem 0; }
figcaption { color: #555; font-size: .85rem; }
pre { background: #f6f6f4; padding: .6rem .8rem; overflow-x: auto; font-size: .8rem; }
details { margin: 1rem 0; }
summary { cursor: pointer; font-size: .85rem; }
@media print {
  body { max-width: none; margin: 0; font-size: 10pt; }
  .wide { overflow: visible; }
  table { font-size: 6pt; }
  th, td { padding: .08rem .2rem; }
  svg, img { max-height: 105mm; width: auto; }
  figure, tr { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
}
@page { size: A4; margin: 14mm; }
"""


def lines_of(family, result, table, figure):
    """(Series, ticks, titles of panels) for states, tv or ta of a table."""
    rows = dict(results.rows_of(family, result, table))
    ticks = list(dict.fromkeys(point[0] for point in rows))
    panels = list(dict.fromkeys(point[1:] for point in rows))
    ours, theirs = [], []

    def value(text):
        try:
            return float(text)
        except ValueError:
            return None

    for number, name in enumerate(table["abstractions"]):
        if figure == "ta" and family.is_model(name):
            continue
        lines = {True: [], False: []}
        for panel in panels:
            cells = [rows[(tick, *panel)][name] if (tick, *panel) in rows else None
                     for tick in ticks]
            lines[True].append([cell and value(cell[1][figure]) for cell in cells])
            lines[False].append([cell and (results.tv_of(cell[0], table) if figure == "tv"
                                           else cell[0][figure]) for cell in cells])
        title = family.abstractions[name].get("title", name)
        ours.append(plot.Series(title, number, lines[False]))
        if figure != "states" and any(value for line in lines[True] for value in line):
            theirs.append(plot.Series(title + ", published", number, lines[True], True))
    titles = [", ".join(f"{family.titles[name]}: {value}"
                        for name, value in zip(family.names[1:], panel)) for panel in panels]
    return ours + theirs, list(map(str, ticks)), titles


FIGURES = {"states": "Reachable states", "tv": "Verification time, seconds",
           "ta": "Time to generate the abstraction, seconds"}
SHORT = 0.05                     # seconds below which all programs mainly start and end


def plots(family, result):
    """{file name: SVG}; no plot of times that are all short."""
    files = {}
    for number, table in enumerate(family.tables, 1):
        for figure, title in FIGURES.items():
            series, ticks, panels = lines_of(family, result, table, figure)
            text = plot.plot(f"{table['title']}: {title}", series, ticks,
                             family.titles[family.names[0]], panels, title.split(", ")[-1].lower(),
                             0 if figure == "states" else SHORT)
            if text:
                files[f"table{number}_{figure}.svg"] = text
    return files


def drawings(run, tools):
    """[(abstraction, SVG)] of the templates before and after, or a text why there are none."""
    family, example = run.family, run.family.data.get("example", {})
    points = [point for point in run.points
              if all(dict(zip(family.names, point))[key] == value for key, value in example.items())]
    if not points:
        return f"The model for {example} is not among those that were run."
    found = []
    source = run.inputs[points[0]]
    for name in family.abstractions:
        record = run.abstract[points[0], name]
        if record["status"] != "done":
            continue
        files = [source] + ([] if family.is_model(name) else [run.path(points[0], name)])
        with tempfile.TemporaryDirectory() as own:
            out = os.path.join(own, "out.svg")
            drawn = Run([tools.varabs, "draw", *files, "-o", out], limit=60)
            if drawn.status != 0:
                return "This version of varabs does not draw templates."
            with open(out, "rb") as file:
                found.append((name, record["sha256"], file.read()))
    return ", ".join(f"{name} = {value}" for name, value in zip(family.names, points[0])), found


def html_table(family, result, table):
    above, columns, rows = results.head_and_rows(family, result, table)
    edges, place = set(), 0
    for _, width in above:
        edges.add(place)
        place += width
    parts = ["<div class=wide><table>", "<thead><tr>"]
    parts += [f'<th class="{"first" if k else ""}" colspan={width}>{escape(text)}</th>'
              for k, (text, width) in enumerate(above)]
    parts.append("</tr><tr>")
    parts += [f'<th class="{"first" if k in edges and k else ""}">{escape(text)}</th>'
              for k, text in enumerate(columns)]
    parts.append("</tr></thead><tbody>")
    last = None
    for row in rows:
        first = row[0][0].split(",")[0]
        parts.append("<tr class=group>" if first != last and last is not None else "<tr>")
        last = first
        for k, (text, published, mark) in enumerate(row):
            names = " ".join(filter(None, (mark, "first" if k in edges and k else "")))
            more = f" <small>({escape(published)})</small>" if published else ""
            parts.append(f'<td class="{names}">{escape(text)}{more}</td>')
        parts.append("</tr>")
    parts.append("</tbody><caption>ta: seconds to generate the abstraction; tv: seconds to verify."
                 + (" In brackets: published, where it differs or is a time. Green: the publication"
                    " ran out of memory." if table["figures"] else "")
                 + "</caption></table></div>")
    return "\n".join(parts)


def details(family, result):
    parts = ["<details><summary>All cells: edges, transitions, memory, verdicts</summary>"
             "<div class=wide><table><thead><tr>"]
    parts += [f"<th>{escape(text)}</th>" for text in results.DETAILS]
    parts.append("</tr></thead><tbody>")
    for cell, row in zip(result["cells"], results.detail_rows(family, result)):
        parts.append("<tr class=wrong>" if cell["problems"] else "<tr>")
        parts += [f'<td class="{"text" if k in (1, len(row) - 1) else ""}">{escape(text)}</td>'
                  for k, text in enumerate(row)]
        parts.append("</tr>")
    names = [query["name"] for query in result["cells"][0]["queries"]] if result["cells"] else []
    parts.append(f"</tbody><caption>edges: of all templates, before and after. verdicts: + satisfied,"
                 f" - violated, ? unknown, of {escape(', '.join(names) or 'no query')}. MiB: peak of"
                 " the process that explored.</caption></table></div></details>")
    return "\n".join(parts)


def before_and_after(family, drawn):
    if isinstance(drawn, str):
        return f"<p class=note>{escape(drawn)}</p>"
    label, found = drawn
    parts, shown = [f"<p>{escape(label)}</p>"], {}
    for name, sha256, data in found:
        title = family.abstractions[name].get("title", name)
        if sha256 in shown:
            parts.append(f"<p class=note>{escape(name)}: the same model as {shown[sha256]}.</p>")
            continue
        shown[sha256] = escape(name)
        image = base64.b64encode(data).decode()
        parts.append(f"<figure><h3>{escape(title)} <small>{escape(name)}</small></h3><img"
                     f" alt=\"templates, {escape(title)}\" src=\"data:image/svg+xml;base64,{image}\">"
                     f"<figcaption><code>{escape(family.words(name))}</code></figcaption></figure>")
    return "\n".join(parts)


def page(family, result, drawn):
    """HTML text."""
    files = plots(family, result)
    body = [f"<h1>{escape(result['title'])}</h1>"]
    if "about" in family.data:
        body.append(f"<p>{escape(family.data['about'])}</p>")
    body.append("<ul class=facts>")
    body += [f"<li class=wrong>{escape(line)}" if line.startswith("WRONG") else f"<li>{escape(line)}"
             for line in results.summary(family, result)]
    body.append("</ul>")
    if not result["problems"]:
        body.append("<p class=good>Nothing differs from what is known.</p>")
    if family.data.get("source"):
        body.append(f"<p class=note>Published figures: {escape(family.data['source'])}</p>")
    for number, table in enumerate(family.tables, 1):
        body.append(f"<h2>{escape(table['title'])}</h2>")
        if "about" in table:
            body.append(f"<p>{escape(table['about'])}</p>")
        body.append(html_table(family, result, table))
        for figure, title in FIGURES.items():
            name = f"table{number}_{figure}.svg"
            if name in files:
                body.append(f"<figure><h3>{title}</h3>{files[name]}</figure>")
    body += [f"<h2>Templates before and after</h2>{before_and_after(family, drawn)}",
             "<h2>What was run</h2>", details(family, result), "<h3>Queries</h3><ul>"]
    seen = {}
    for cell in result["cells"]:
        for query in cell["queries"]:
            seen.setdefault(query["name"], query["formula"])
    body += [f"<li>{escape(name)}: <code>{escape(formula)}</code></li>"
             for name, formula in seen.items()]
    body += ["</ul><h3>Abstractions</h3><ul>"]
    body += [f"<li>{escape(name)}: <code>{escape(family.words(name))}</code></li>"
             for name in family.abstractions]
    body.append("</ul>")
    return ("<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8>"
            f"<title>{escape(result['title'])}</title>"
            "<meta name=viewport content=\"width=device-width, initial-scale=1\">"
            f"<style>{STYLE}</style></head>\n<body>\n" + "\n".join(body) + "\n</body></html>\n")
