"""Writes the documents as one static site: site.py [FOLDER], by default build/site. It needs pandoc.

The site has the folders of the sources, so that links between documents stay as they are: README.md becomes
index.html of its folder, each other X.md becomes X.html. The page of a command ends with the options that `varabs help`
lists. CHANGELOG and the schemas are pages, too, and varabs.html comes along if it is built.
"""
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
VARABS = os.environ.get("VARABS", ROOT / "build/varabs")
TOPICS = ("gui", "language", "queries")  # manual pages that are about no command
STYLE = """
body { font: 16px/1.55 system-ui, sans-serif; max-width: 52rem; margin: 0 auto; padding: 0 1rem 4rem; color: #222; background: #fff; }
nav { border-bottom: 1px solid #ccc; padding: .8rem 0; margin-bottom: 1.5rem; }
nav a { margin-right: 1.1rem; }
a { color: #0b57a4; }
h1, h2, h3 { line-height: 1.25; }
pre { background: #f5f5f2; padding: .7rem .9rem; overflow-x: auto; font-size: 13px; line-height: 1.4; }
code { font-size: .9em; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border-bottom: 1px solid #ddd; padding: .3rem .7rem .3rem 0; text-align: left; vertical-align: top; }
img { max-width: 100%; background: #fff; }
@media (prefers-color-scheme: dark) {
  body { color: #ddd; background: #1b1b1b; } a { color: #7db8f0; } pre { background: #262626; }
  th, td { border-color: #444; } nav { border-color: #444; } }
"""
TEMPLATE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="stylesheet" href="{up}style.css">
</head>
<body>
<nav>{nav}</nav>
<main>
{body}
</main>
</body>
</html>
"""


def target_of(document):
    """Where the page of a document goes, from the top of the site."""
    path = document.relative_to(ROOT)
    return path.with_name("index.html") if path.name == "README.md" else path.with_suffix(".html")


def with_pages(text):
    """Links to documents become links to their pages."""
    def page(match):
        target = re.sub(r"(^|/)README\.md$", r"\1index.html", match[1])
        target = re.sub(r"(^|/)schemas$", r"\1schemas/index.html", target)
        return "](" + re.sub(r"\.md$", ".html", target) + (match[2] or "") + ")"
    return re.sub(r"\]\(([^)#:\s]+)(#[^)\s]*)?\)", page, text)


def as_html(text):
    """Markdown as HTML, by pandoc."""
    return subprocess.run(["pandoc", "-f", "gfm", "-t", "html5"], input=text, stdout=subprocess.PIPE, check=True,
                          text=True).stdout


def text_of(document):
    """A document; that of a command with what `varabs help` says: first what it is for, and last its options."""
    text = document.read_text()
    if document.parent.name != "manual" or document.stem in TOPICS:
        return text
    known = subprocess.run([VARABS, "help", document.stem], stdout=subprocess.PIPE, check=True, text=True).stdout
    title, rest = text.split("\n", 1)
    return (title + "\n\n" + known.split("\n\n")[1] + "\n" + rest + "\n## Options\n\n" +
            "".join(f"    {line}".rstrip() + "\n" for line in known.splitlines()))


def schema_index(folder):
    """A table of the schemas, as Markdown; copies them into the folder."""
    rows = ["# Schemas", "", "These files describe what `--json` and `--report` write, and what varabs reads. "
            "What stays stable in them, [a manual page](../src/manual/abstract.html#what-stays-stable-in-json) says.",
            "", "| schema | title |", "|---|---|"]
    for schema in sorted(ROOT.glob("schemas/*.json")):
        shutil.copy(schema, folder)
        rows.append(f"| [{schema.name}]({schema.name}) | {json.loads(schema.read_text())['title']} |")
    return "\n".join(rows) + "\n"


def write_page(site, target, text, places):
    """One page, below links to the main ones."""
    up = "../" * (len(target.parts) - 1)
    title = re.search(r"^# (.*)", text, re.M)
    nav = " ".join(f'<a href="{up}{place}">{html.escape(name)}</a>' for name, place in places)
    (site / target).parent.mkdir(parents=True, exist_ok=True)
    (site / target).write_text(TEMPLATE.format(title=html.escape(title[1] if title else "varabs"), up=up, nav=nav,
                                               body=as_html(with_pages(text))))


def manual_index(documents):
    """A list of the manual pages, as Markdown."""
    rows = ["# Manual", ""]
    for document in documents:
        title = re.search(r"^# (.*)", document.read_text())[1]
        rows.append(f"- [{title}]({document.stem}.html)")
    return "\n".join(rows) + "\n"


def main():
    site = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/site")
    shutil.rmtree(site, ignore_errors=True)
    (site / "schemas").mkdir(parents=True)
    (site / "style.css").write_text(STYLE.lstrip())
    manual = sorted(ROOT.glob("src/manual/*.md"))
    documents = [ROOT / "README.md", ROOT / "src/README.md", ROOT / "src/RULES.md", *manual,
                 *sorted(ROOT.glob("benchmarks/*.md")), *sorted(ROOT.glob("benchmarks/*/*.md")),
                 *sorted(ROOT.glob("benchmarks/examples/*/*.md")), ROOT / "src/api/python/README.md"]
    places = [("varabs", "index.html"), ("Tutorial", "benchmarks/tutorial/index.html"),
              ("Concepts", "benchmarks/tutorial/concepts.html"), ("Manual", "src/manual/index.html"),
              ("Benchmarks", "benchmarks/index.html"), ("Schemas", "schemas/index.html"), ("Changes", "CHANGELOG.html")]
    page = ROOT / "build/web/varabs.html"
    if page.exists():
        shutil.copy(page, site)
        places.insert(1, ("Try it here", "varabs.html"))
    for document in documents:
        if document.exists():
            write_page(site, target_of(document), text_of(document), places)
    write_page(site, pathlib.Path("src/manual/index.html"), manual_index(manual), places)
    write_page(site, pathlib.Path("schemas/index.html"), schema_index(site / "schemas"), places)
    write_page(site, pathlib.Path("CHANGELOG.html"), (ROOT / "CHANGELOG").read_text(), places)
    for picture in ROOT.glob("benchmarks/**/*.svg"):
        shutil.copy(picture, site / picture.relative_to(ROOT).parent)
    print(f"site: {site}, {sum(1 for _ in site.rglob('*.html'))} pages")


main()
