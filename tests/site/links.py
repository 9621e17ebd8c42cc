"""Looks whether the links of a site lead to files and places that are there: check_links.py FOLDER."""
import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    """The links of a page, what it loads, and the places in it."""

    def __init__(self, text):
        super().__init__()
        self.links, self.loads, self.places = [], [], {""}
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        known = dict(attributes)
        self.places |= {known.get("id", ""), known.get("name", "")}
        if "src" in known or tag == "link":
            self.loads.append(known.get("src") or known["href"])
        elif "href" in known:
            self.links.append(known["href"])


def wrong_links(site):
    """What leads nowhere, page by page, and what would be loaded from elsewhere."""
    pages = {path.resolve(): Page(path.read_text()) for path in site.rglob("*.html")}
    for path, page in pages.items():
        for link in page.links + page.loads:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme:
                if link in page.loads and parts.scheme != "data":
                    yield f"{path.relative_to(site)}: loads {link}"
                continue
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file():
                yield f"{path.relative_to(site)}: no file for {link}"
            elif parts.fragment and target in pages and parts.fragment not in pages[target].places:
                yield f"{path.relative_to(site)}: no place for {link}"


def main():
    site = pathlib.Path(sys.argv[1]).resolve()
    wrong = list(wrong_links(site))
    print("\n".join(wrong))
    return bool(wrong)


sys.exit(main())
