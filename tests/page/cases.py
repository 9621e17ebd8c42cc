"""Pages of each kind of result: the JSON in them, and what a reader can do with them."""

import html.parser
import json
import os
import subprocess
import sys
import tempfile

from browser import PROGRAM, Browser

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
VARABS = os.path.abspath(os.environ["VARABS"])
ASV = os.path.join(ROOT, "benchmarks/models/asv.xml")
TOWER = os.path.join(ROOT, "benchmarks/agents/tower.py")
POSTAL = os.path.join(ROOT, "benchmarks/models/postal_3_2.xml")
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "layout.js"), encoding="utf-8") as script:
    LAYOUT = script.read()
VARYING = ("seconds", "peak_bytes", "bytes_per_state", "jobs", "timing", "query_seconds")
NASTY = """<nta><declaration>int[0,2] x;</declaration><template>
<name>P</name><location id="a"><name>here</name></location><location id="b"/><init ref="a"/>
<transition><source ref="a"/><target ref="b"/><label kind="guard">x &lt; 2</label>
<label kind="assignment">x = x + 1 /* </label><label kind="comments">&lt;/script&gt;&lt;b
 id="injected"&gt;&amp;amp; "quoted" &lt;!--</label></transition></template>
<system>system P;</system>
<queries><query><formula>A[] P.here &amp;&amp; x &lt; 1 /* &lt;/script&gt;&lt;b id="injected"&gt; */</formula>
<comment/></query></queries></nta>""".replace("x + 1 /* ", "x + 1")
# Z goes round, and nobody cares.
ONLOOKER = """<nta><declaration/><template><name>P</name><location id="a"><name>here</name></location>
<init ref="a"/></template><template><name>Z</name><location id="b"/><init ref="b"/>
<transition><source ref="b"/><target ref="b"/></transition></template><system>system P, Z;</system>
<queries><query><formula>A[] P.here</formula><comment/></query></queries></nta>"""
# Where time may pass for ever or, with a mark, may not.
TIME = """<nta><declaration/><template><name>P</name><location id="a"><name>here</name>MARK</location>
<init ref="a"/><transition><source ref="a"/><target ref="a"/></transition></template>
<system>system P;</system></nta>"""
# An abstraction without v has a run to the bad location, in a broadcast whose guard is false in the original.
BARRED = """<nta><declaration>int[0,3] v; int[0,5] w; broadcast chan all;</declaration><template><name>P</name>
<location id="a"><name>s</name></location><location id="b"><name>m</name></location><location id="c"><name>bad</name>
</location><init ref="a"/><transition><source ref="a"/><target ref="b"/><label kind="assignment">v = 1</label></transition>
<transition><source ref="b"/><target ref="c"/><label kind="guard">v == 2 &amp;&amp; w &lt; 3</label>
<label kind="synchronisation">all!</label></transition></template><template><name>Q</name>
<parameter>const int[1,7] id</parameter><location id="d"><name>q</name></location><location id="e"><name>r</name></location>
<init ref="d"/><transition><source ref="d"/><target ref="e"/><label kind="synchronisation">all?</label>
<label kind="assignment">v = 2</label></transition></template><system>system P, Q;</system><queries><query>
<formula>A[] not P.bad</formula><comment/></query></queries></nta>"""
# Name of a page, its kind, status, where its JSON is asked for, arguments.
PAGES = [
    ("may", "abstraction", 0, "--report", [ASV, "--remove", "mem_vt", "--may", "-o", "may.xml"]),
    ("merge", "abstraction", 0, "--report",
     [ASV, "--merge", "Voter.voted_any:int[0,1]=mem_vt>0", "--may", "-o", "merge.xml"]),
    ("auto", "abstraction", 0, "--report", [POSTAL, "--auto", "--may", "-o", "auto.xml"]),
    ("must", "abstraction", 0, "--report", [POSTAL, "--remove", "dec_recv", "--must", "-o",
                                            "must.xml"]),
    ("check", "check", 1, "--json", ["check", ASV, "--trace", "--query",
                                     "A[] not Coercer.informed"]),
    ("bounds", "check", 0, "--json", ["check", ASV, "--query", "sup: Coercer.learned"]),
    ("knows", "check", 1, "--json", ["check", ASV, "--trace", "--query",
                                     "A[] K(Coercer, Voter.idle)"]),
    ("plain", "check", 1, "--json", ["check", ASV]),
    ("loop", "check", 1, "--json", ["check", ASV, "--trace", "--query", "A<> Coercer.informed",
                                    "--semantics", "uppaal"]),
    ("real", "check", 0, "--json", ["check", "may.xml", "--concretize", ASV, "--trace", "--query",
                                    "E<> Voter.obeyed && Coercer.learned == 3"]),
    ("spurious", "check", 1, "--json", ["check", "coarse.xml", "--concretize", ASV, "--trace",
                                        "--query", "A[] Voter.obeyed imply Coercer.learned > 0"]),
    ("barred", "check", 1, "--json", ["check", "barred.may.xml", "--concretize", "barred.xml", "--trace"]),
    ("decide", "decide", 1, "--json", ["decide", ASV, "--no-look"]),
    ("rounds", "decide", 1, "--json", ["decide", POSTAL, "--no-look"]),
    ("suggest", "suggest", 0, "--json", ["suggest", ASV]),
    ("info", "info", 0, "--json", ["info", POSTAL]),
    ("grid", "grid", 0, "--json", ["grid", POSTAL, "--remove", "mem_vt", "--remove", "sh_vt", "--auto"]),
    ("mixed", "abstraction", 0, "--report", [ASV, "--remove", "sh_vt", "--mixed", "-o", "mixed.xml"]),
    ("three", "check", 5, "--json", ["check", "mixed.xml"]),
    ("certify", "certify", 0, "--json", ["certify", ASV, "may.xml", "--may"]),
    ("fails", "certify", 1, "--json", ["certify", ASV, "may.xml", "--must"]),
    ("refines", "refines", 1, "--json", ["refines", "agent.xml", "spec.xml"]),
    ("unfair", "refines", 1, "--json", ["refines", "guarded.xml", "spec.xml", "--strong", "@r1,@r2",
                                        "--abstract-weak", "clean,move"]),
    ("refined", "refines", 0, "--json", ["refines", "spec.xml", "spec.xml", "--model", "failures"]),
    ("time", "certify", 0, "--json", ["certify", "plain.xml", "urgent.xml", "--may"]),
    ("without", "abstraction", 0, "--report", ["onlooker.xml", "--without", "Z", "--may", "-o", "without.xml"]),
    ("lacking", "certify", 0, "--json", ["certify", "onlooker.xml", "without.xml", "--exact"]),
    ("nasty", "check", 1, "--json", ["check", "nasty.xml", "--trace"]),
    ("nasty-may", "abstraction", 0, "--report", ["nasty.xml", "--remove", "x", "--may", "-o",
                                                 "nasty.may.xml"]),
]

passed = failed = 0


def expect(name, problem):
    """Counts one check; the problem is None, or what is wrong."""
    global passed, failed
    passed += problem is None
    failed += problem is not None
    if problem is not None:
        print(f"FAIL {name}: {problem}")


def varabs(*words):
    return subprocess.run([VARABS, *words], capture_output=True, text=True, timeout=120)


def without_times(data):
    if isinstance(data, dict):
        return {key: without_times(value) for key, value in data.items() if key not in VARYING}
    return [without_times(item) for item in data] if isinstance(data, list) else data


class Reader(html.parser.HTMLParser):
    """Texts of the scripts with an id, and whatever would be fetched from elsewhere."""

    def __init__(self):
        super().__init__()
        self.scripts, self.fetched, self.names, self.open = {}, [], set(), None

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.fetched += [value for name, value in attrs.items() if name in ("src", "href")]
        self.names.add(attrs.get("id"))
        self.open = attrs.get("id") if tag == "script" else None

    def handle_data(self, data):
        if self.open:
            self.scripts[self.open] = self.scripts.get(self.open, "") + data

    def handle_endtag(self, tag):
        self.open = None


def make_pages():
    """All pages; looks at what is in them."""
    with open("nasty.xml", "w", encoding="utf-8") as file:
        file.write(NASTY)
    with open("barred.xml", "w", encoding="utf-8") as file:
        file.write(BARRED)
    varabs("barred.xml", "--remove", "v", "--may", "-o", "barred.may.xml")
    varabs(ASV, "--remove", "sh_vt", "--may", "-o", "coarse.xml")
    for kind, *more, path in (("mspec", "spec.xml"), ("mimpl", "guarded.xml"),
                              ("mimpl", "--unguarded", "agent.xml")):
        subprocess.run([sys.executable, TOWER, "3", kind, *more, "-o", path], check=True)
    with open("onlooker.xml", "w", encoding="utf-8") as file:
        file.write(ONLOOKER)
    for name, mark in (("plain.xml", ""), ("urgent.xml", "<urgent/>")):
        with open(name, "w", encoding="utf-8") as file:
            file.write(TIME.replace("MARK", mark))
    for name, kind, status, option, words in PAGES:
        done = varabs(*words, option, f"{name}.json", "--html", f"{name}.html")
        if done.returncode != status:
            expect(name, f"status {done.returncode}: {done.stderr}")
            continue
        reader = Reader()
        with open(f"{name}.html", encoding="utf-8") as file:
            reader.feed(file.read())
        with open(f"{name}.json", encoding="utf-8") as file:
            result = json.load(file)
        about = json.loads(reader.scripts["about"])
        problem = None
        if without_times(json.loads(reader.scripts["result"])) != without_times(result):
            problem = f"its JSON is not that of {option}"
        elif reader.fetched:
            problem = f"it refers to {reader.fetched}"
        elif "injected" in reader.names:
            problem = "text of the model became an element"
        elif about["kind"] != kind:
            problem = f"its kind is {about['kind']}"
        expect(f"{name}: contents", problem)


def look(browser, name):
    """In several sizes and colours: no complaint, no request, nothing wider than the window, and
    what layout.js has to say."""
    for width in (400, 1000, 1600):
        for scheme in ("light", "dark"):
            browser.look(width, 900, scheme)
            browser.open(f"{name}.html")
            problem = None
            wide = browser.value("document.documentElement.scrollWidth - innerWidth")
            others = [url for url in browser.requests if not url.endswith(f"/{name}.html")]
            if browser.complaints:
                problem = f"the console has {browser.complaints[0]}"
            elif others:
                problem = f"it asks for {others}"
            elif wide > 0:
                problem = f"it is {wide} points wider than the window"
            elif browser.value("document.querySelectorAll('main section').length") < 1:
                problem = "it shows nothing"
            elif "[object" in browser.value("main.innerText"):
                problem = "it shows an object in place of text"
            elif browser.value("main.innerText.includes('undefined')"):
                problem = "it shows what is undefined"
            expect(f"{name}: {width}, {scheme}", problem)
            problems = browser.value(LAYOUT)
            expect(f"{name}: {width}, {scheme}: layout", "; ".join(problems[:4]) or None)
            if os.environ.get("PICTURES"):
                browser.picture(f"{os.environ['PICTURES']}/{name}-{width}-{scheme}.png")


def focus(browser, selector):
    return browser.value(f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
                         "e?.focus(); return document.activeElement === e; })()")


def use_abstraction(browser):
    browser.open("may.html")
    edge = '[data-template="Voter"] [data-old-edge="2"]'
    expect("an edge gets the focus", None if focus(browser, edge) else "it does not")
    browser.press("Enter")
    details = browser.value("document.querySelector('.overlay').innerText")
    for words in ("voted \u2192 obeyed", "mem_vt : int[1,3]", "mem_vt = 3", "line 35",
                  "depends on 'mem_vt'"):
        expect(f"what an edge says: {words}", None if words in details else details)
    focus(browser, '[data-template="Voter"] [data-node="voted"]')
    browser.press("Enter")
    details = browser.value("document.querySelector('.overlay').innerText")
    expect("what a location says", None if "1, 2, 3" in details else details)
    view = "document.querySelector('.drawing svg').getAttribute('viewBox')"
    focus(browser, ".drawing svg")
    seen = [browser.value(view)]
    for key in "+", "ArrowLeft", "ArrowUp", "-", "0":
        browser.press(key, key if len(key) == 1 else "")
        expect(f"{key} moves the drawing", None if browser.value(view) != seen[-1] else "it stays")
        seen.append(browser.value(view))
    whole = browser.value("(() => { const r = document.querySelector('.drawing svg > g > rect');"
                          "return `0 0 ${r.getAttribute('width')} ${r.getAttribute('height')}`; })()")
    expect("0 shows it whole", None if seen[-1] == whole else seen[-1])
    browser.press("Escape")
    expect("Escape closes what stands over it", None if browser.value(
        "document.querySelector('.overlay').hidden") else "it does not")
    browser.press("Escape")
    expect("Escape leaves it", None if browser.value(
        "document.activeElement.classList.contains('hint')") else "it does not")
    browser.press("f", "f")
    first = browser.value("document.querySelector('.is-full')?.dataset.card")
    browser.press("ArrowRight")
    second = browser.value("document.querySelector('.is-full')?.dataset.card")
    expect("F fills the screen, arrows go on", None if first and second and first != second else (first, second))
    browser.press("f", "f")
    expect("F comes back", None if not browser.value("document.querySelector('.is-full') !== null") else "it does not")
    line = browser.value("document.querySelector('h1').innerText")
    expect("the first line", None if line == "asv.xml without Voter.mem_vt: 10 → 6 states" else line)
    last = browser.value("document.querySelector('footer').innerText")
    expect("the footer", None if "sha256" in last and "--remove mem_vt --may" in last else last)
    focus(browser, "input[type=search]")
    browser.ask("Input.insertText", text="mem_vt")
    found = browser.value("document.querySelector('.search span').textContent")
    expect("the search says what it found", None if found.startswith("2 in") else found)
    browser.press("Enter")
    details = browser.value("document.querySelector('.overlay').innerText")
    expect("the search shows it", None if "mem_vt" in details else details)
    expect("the search finds rows", None if browser.value(
        "[...document.querySelectorAll('tbody tr')].some((r) => r.classList.contains('is-hidden'))")
        else "none is left out")
    tabs = "[...document.querySelectorAll('section .bar button')].map((b) => b.textContent)"
    browser.value("[...document.querySelectorAll('section .bar button')][2].focus()")
    browser.press("Enter", "\r")
    shown = browser.value("document.querySelector('.cards').dataset.drawing")
    expect("a button shows the model after", None if shown == "second" else
           f"{shown}, {browser.value(tabs)}")


def use_run(browser, name, last):
    browser.open(f"{name}.html")
    expect(f"{name}: the run gets the focus", None if focus(browser, ".run") else "it does not")
    label = "document.querySelector('.run strong').textContent"
    marks = "document.querySelectorAll('svg .now').length"
    for key, wanted in (("ArrowRight", f"state 1 of {last}"), ("ArrowLeft", f"state 0 of {last}"),
                        ("End", f"state {last} of {last}")):
        browser.press(key)
        text = browser.value(label)
        expect(f"{name}: {key}", None if text.startswith(wanted) else text)
    expect(f"{name}: what changed is marked", None if browser.value(
        "document.querySelectorAll('.run .changed').length") else "nothing is")
    expect(f"{name}: locations are marked", None if browser.value(marks) else "none is")
    expect(f"{name}: a chart", None if browser.value(
        "document.querySelectorAll('.run svg.chart').length") else "there is none")


def use_duel(browser, name, last, words):
    """Two models side by side: the keys go through both, and the words stand somewhere."""
    browser.open(f"{name}.html")
    expect(f"{name}: the run gets the focus", None if focus(browser, ".run") else "it does not")
    expect(f"{name}: two drawings", None if browser.value(
        "document.querySelectorAll('.pair .cards').length") == 2 else "not two")
    columns = "[...document.querySelectorAll('.pair > div')].map((d) => d.innerText)"
    browser.press("Home")
    begin = browser.value(columns)
    expect(f"{name}: locations are marked in both", None if browser.value(
        "[...document.querySelectorAll('.pair .cards')].every((d) => d.querySelector('.now'))")
        else "not in both")
    browser.press("End")
    text = browser.value("document.querySelector('.run strong').textContent")
    expect(f"{name}: End", None if text.startswith(f"state {last} of {last}") else text)
    for _ in range(last):
        browser.press("ArrowLeft")
    expect(f"{name}: and back", None if browser.value(columns) == begin else browser.value(columns))
    seen = list(begin)
    for _ in range(last):
        browser.press("ArrowRight")
        seen += browser.value(columns)
    for word in words:
        expect(f"{name}: {word}", None if any(word in text for text in seen) else seen)


def use_barred(browser):
    browser.open("barred.html")
    words = browser.value("main.innerText")
    for word in ("P, m \u2192 bad: v == 2 && w < 3 is false, as v is 1", "sends to 7"):
        expect(f"barred: {word}", None if word in words else words)
    expect("barred: the edge", None if browser.value("document.querySelectorAll('.pair > div + div .barred').length") == 1 else "is not marked")
    token = browser.value("[...document.querySelectorAll('.token')].map((one) => one.textContent).join()")
    expect("barred: seven processes at a location are counted", None if token == "7 \u00d7,7 \u00d7" else token)
    expect("barred: the sender", None if browser.value("document.querySelectorAll('.sends').length") == 1 else "is not marked")


def use_rounds(browser):
    """Runs of rounds: beside the original, at the step that it cannot take; opened by keys."""
    use_duel(browser, "rounds", 5, ["the step that the original cannot take",
                                    "no step here that looks like that", "is false, as Voter(1).mem_dec is", "does not come here"])
    browser.open("rounds.html")
    text = browser.value("document.querySelector('.run strong').textContent")
    expect("rounds: it begins at the break", None if text == "state 1 of 5" else text)
    state = browser.value("[...document.querySelectorAll('.pair .cards')].map((d) =>"
                          " d.querySelectorAll('.taken').length)")
    expect("rounds: the step is marked on the abstraction", None if state[0] and not state[1] else
           state)
    for number, words in ((2, "cannot take step 2"), (5, "the witness, in the original")):
        browser.value(f"document.querySelectorAll('details.round')[{number - 1}]"
                      ".firstElementChild.focus()")
        browser.press("Enter", "\r")
        text = browser.value("new Promise((done) => setTimeout(() => done(document"
                             f".querySelectorAll('details.round')[{number - 1}].innerText), 100))")
        expect(f"rounds: {words}", None if words in text else text)
    browser.value("dispatchEvent(new Event('beforeprint'))")
    closed = ("[...document.querySelectorAll('details.round')].filter((d) => "
              "!d.querySelector('.run')).length")
    expect("rounds: all are printed", None if browser.value(closed) == 0 else browser.value(closed))
    expect("rounds: a drawing for each", None if browser.value(
        "document.querySelectorAll('.drawing svg').length") >= 6 else "too few")
    expect("rounds: the console", browser.complaints[0] if browser.complaints else None)


def large_model():
    """1000 edges."""
    templates = []
    for t in range(5):
        places = "".join(f'<location id="t{t}_{i}" x="{i % 10 * 200}" y="{i // 10 * 160}">'
                         f'<name>l{i}</name></location>' for i in range(60))
        edges = "".join(
            f'<transition><source ref="t{t}_{k * 7 % 60}"/><target ref="t{t}_{k * k % 60}"/>'
            f'<label kind="guard">x &lt; {k % 4}</label><label kind="assignment">x = {k % 4}, '
            f'y = {k % 3}</label></transition>' for k in range(200))
        templates.append(f'<template><name>T{t}</name>{places}<init ref="t{t}_0"/>{edges}'
                         '</template>')
    names = ", ".join(f"T{t}" for t in range(5))
    return ("<nta><declaration>int[0,3] x; int[0,2] y;</declaration>" + "".join(templates) +
            f"<system>system {names};</system></nta>")


def use_large(browser):
    """A model of 1000 edges, before and after, is there within a second of processor time."""
    with open("large.xml", "w", encoding="utf-8") as file:
        file.write(large_model())
    varabs("large.xml", "--remove", "y", "--may", "-o", "larger.xml", "--html", "large.html")
    browser.ask("Performance.enable", timeDomain="threadTicks")
    browser.look(1600, 900)
    browser.open("large.html")
    browser.ask("Page.captureScreenshot")
    metrics = {m["name"]: m["value"] for m in browser.ask("Performance.getMetrics")["metrics"]}
    expect("a large page: time", None if 0 < metrics["ThreadTime"] < 1 else metrics)
    edges = "document.querySelectorAll('main [data-edge], main [data-old-edge]').length"
    expect("a large page: edges", None if browser.value(edges) >= 1000 else browser.value(edges))


def use_words(browser):
    """What only some pages say, and is easily left out."""
    for name, *words in (("auto", "removed at coll_vts", "shown by exploration"),
                         ("merge", "new: mem_vt>0 in place of Voter.mem_vt"),
                         ("bounds", "Coercer.learned: at most 3"),
                         ("knows", "Coercer observes", "Coercer does not know that"),
                         ("loop", "time may pass here for ever"),
                         ("suggest", "estimate: times fewer values"),
                         ("certify", "only in the concrete model: Voter.mem_vt")):
        browser.open(f"{name}.html")
        shown = browser.value("main.innerText")
        for word in words:
            expect(f"{name}: {word}", None if word in shown else shown)


def use_refines(browser):
    browser.open("refines.html")
    words = browser.value("main.innerText")
    for word in ("does not refine", "cannot do the last action", "offers: clean"):
        expect(f"refines: {word}", None if word in words else words)
    focus(browser, ".run")
    browser.press("End")
    browser.press("ArrowLeft")
    text = browser.value("document.querySelector('.run .details').innerText")
    for word in ("the abstract model cannot do", "move(3,2,0)"):
        expect(f"refines: {word}", None if word in text else text)
    expect("refines: where the abstract model is", None if browser.value(
        "document.querySelectorAll('#the-abstract-model-there .now').length") == 1 else "not marked")
    browser.open("unfair.html")
    words = browser.value("main.innerText")
    expect("a run that is not fair", None if "takes clean no more" in words else words)
    expect("violated fairness", None if "weakly fair" in words else words)


def use_grid(browser):
    browser.open("grid.html")
    head = browser.value("document.querySelector('h1').innerText")
    expect("a grid begins with the least states", None if "6,075 \u2192 442 states" in head else head)
    rows = browser.value("[...document.querySelectorAll('main table')[0].rows].map((row) => row.innerText)")
    expect("a row for each abstraction", None if len(rows) == 5 else rows)
    lost = [row for row in rows if "does not carry over" in row]
    expect("verdicts that do not carry over", None if len(lost) == 1 and lost[0].startswith("sh_vt") else rows)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        make_pages()
        if not PROGRAM:
            print("there is no chromium: pages were made, but not looked at")
        else:
            browser = Browser()
            try:
                for name, *_ in PAGES:
                    look(browser, name)
                use_abstraction(browser)
                use_run(browser, "check", 2)
                use_run(browser, "real", 2)
                use_run(browser, "nasty", 1)
                use_duel(browser, "spurious", 2, ["the original cannot take", "does not come here"])
                use_duel(browser, "fails", 2, ["cannot be followed", "this model does not come here",
                                               "none to a state that looks like that"])
                use_duel(browser, "time", 0, ["time may pass for ever here", "it may not here"])
                use_rounds(browser)
                use_barred(browser)
                use_large(browser)
                use_words(browser)
                use_refines(browser)
                use_grid(browser)
                browser.open("mixed.html")
                words = browser.value("main.innerText")
                expect("a mixed abstraction says what check finds", None if "of varabs check" in words
                       and "mixed abstraction" in words and "all 4 queries carry over" in words else words)
                browser.open("three.html")
                words = browser.value("main.innerText")
                expect("an unknown verdict says why", None if "depends on what was removed" in words
                       and "With --trace" not in words else words)
                for name, wanted in (("without", "exact, but that processes are gone"), ("lacking", "A[]; E<>; A<> if violated; E[] if satisfied")):
                    browser.open(f"{name}.html")
                    words = browser.value("main.innerText")
                    expect(f"{name}: processes that are gone", None if wanted in words and
                           "these processes may make steps alone" in words and "Both models have" not in words else words)
                browser.open("info.html")
                words = browser.value("main.innerText")
                expect("who may change places", None if "voter_t 1, 2, 3" in words else words)
                browser.open("spurious.html")
                words = browser.value("main.innerText")
                expect("a spurious run says so", None if "cannot take step 2" in words else words)
            finally:
                browser.close()
        os.chdir("/")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


main()
