"""The plots of a result, and one HTML page that shows everything and needs nothing else."""

import base64
import os
import tempfile
from html import escape

from measure import Run
from . import plot, refinements, results

# The look is that of the pages of varabs; what only this page has comes behind it.
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "src", "page",
                       "page.css"), encoding="utf-8") as css:
    STYLE = css.read() + """
.facts, .note, caption, figcaption { color: var(--soft); font-size: 0.85rem; }
nav ul { display: flex; flex-wrap: wrap; gap: 2px 18px; padding: 0; margin: 8px 0; list-style: none; }
a { color: var(--accent); }
.wide { overflow-x: auto; }
.wide table { width: auto; font-size: 0.8rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; caption-side: bottom; padding-top: 8px; }
.wide th, .wide td { padding: 3px 7px; text-align: right; white-space: nowrap; }
thead tr:first-child th { border-bottom: none; text-align: left; }
.wide td:first-child, .wide th:first-child, .wide td.text { text-align: left; }
td.first, th.first { border-left: 1px solid var(--line); }
small { color: var(--soft); font-weight: normal; }
td.filled { background: rgba(10, 122, 51, 0.15); font-weight: 600; }
td.missing { color: var(--soft); font-style: italic; }
tr.wrong td { background: rgba(179, 38, 30, 0.15); }
.wrong { color: var(--bad); }
figure { margin: 12px 0; }
.plot, .templates { overflow-x: auto; }
.templates img { max-width: 100%; height: auto; background: #ffffff; }
@media (prefers-color-scheme: dark) { .plot svg, .templates img { filter: invert(1) hue-rotate(180deg); } }
@media (max-width: 800px) { .templates img { max-width: none; } }
@media print {
  .wide, .plot { overflow: visible; }
  .wide table { font-size: 6pt; }
  .plot svg, .templates img { max-width: 100%; max-height: 105mm; width: auto; }
  figure, tr { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
  nav { display: none; }
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
        parts.append(f"<figure><h3>{escape(title)} <small>{escape(name)}</small></h3>"
                     f"<div class=templates><img alt=\"templates, {escape(title)}\" src=\"data:image/svg+xml;base64,{image}\"></div>"
                     f"<figcaption><code>{escape(family.words(name))}</code></figcaption></figure>")
    return "\n".join(parts)


def refined(family, result):
    """What refines what."""
    if not result.get("refinements"):
        return []
    parts = [heading("refinements", "Refinements"), "<div class=wide><table><thead><tr>"]
    parts += [f"<th>{escape(text)}</th>" for text in refinements.COLUMNS]
    parts.append("</tr></thead><tbody>")
    for entry, row in zip(result["refinements"], refinements.rows(family, result)):
        parts.append("<tr class=wrong>" if entry["problems"] else "<tr>")
        parts += [f'<td class="{"text" if 0 < k < 4 else ""}">{escape(text)}</td>'
                  for k, text in enumerate(row)]
        parts.append("</tr>")
    parts.append("</tbody><caption>Whether the model refines another one, by their actions; sizes are"
                 " those of the product.</caption></table></div>")
    return ["\n".join(parts)]


def heading(name, title):
    return f"<h2 id={name}>{escape(title)}</h2>"


def contents(family):
    """Links to what is on the page, and to the files beside it."""
    links = [(f"#table{number}", table["title"]) for number, table in enumerate(family.tables, 1)]
    links += [("#templates", "Templates before and after"), ("#cells", "What was run"),
              ("results.csv", "CSV"), ("results.json", "JSON"), ("results.md", "Markdown")]
    return ("<nav aria-label=contents><ul>"
            + "".join(f'<li><a href="{target}">{escape(title)}</a></li>' for target, title in links)
            + "</ul></nav>")


def page(family, result, drawn):
    """HTML text."""
    files = plots(family, result)
    body = [f"<h1>{escape(result['title'])}</h1>", contents(family)]
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
        body.append(heading(f"table{number}", table["title"]))
        if "about" in table:
            body.append(f"<p>{escape(table['about'])}</p>")
        body.append(html_table(family, result, table))
        for figure, title in FIGURES.items():
            name = f"table{number}_{figure}.svg"
            if name in files:
                body.append(f"<figure><h3>{title}</h3><div class=plot>{files[name]}</div>"
                            f'<figcaption><a href="{name}">SVG</a></figcaption></figure>')
    body += refined(family, result)
    body += [heading("templates", "Templates before and after"), before_and_after(family, drawn),
             heading("cells", "What was run"), details(family, result), "<h3>Queries</h3><ul>"]
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
