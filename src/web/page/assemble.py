"""assemble.py WEB EXAMPLE... - puts varabs.html together of what `make web` has built in the folder WEB."""

import base64
import gzip
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PAGE = os.path.join(HERE, "../../page")


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def script(text):
    """As the content of a <script>, which only its end tag and comments could end."""
    if re.search(r"</script|<!--", text, re.IGNORECASE):
        sys.exit("assemble.py: a script ends itself")
    return text


def main(web, *examples):
    with open(os.path.join(web, "varabs.wasm"), "rb") as file:
        packed = gzip.compress(file.read(), 9, mtime=0)
    parts = {
        "page.css": read(PAGE, "page.css"),
        "page.js": script(read(PAGE, "page.js")),
        "app.css": read(HERE, "app.css"),
        "app.js": script(read(HERE, "app.js")),
        "program": base64.b64encode(packed).decode(),
        "worker": script("\n".join((read(web, "varabs.js"), read(web, "run.js"), read(HERE, "worker.js")))),
        "licences": script(read(web, "licences.txt").replace("</", "< /")),
        "examples": json.dumps({os.path.basename(name): read(name) for name in examples}).replace("<", "\\u003c"),
    }
    made = re.sub(r"{{([a-z.]+)}}", lambda match: parts[match[1]], read(HERE, "index.html"))
    with open(os.path.join(web, "varabs.html"), "w", encoding="utf-8") as file:
        file.write(made)


main(*sys.argv[1:])
