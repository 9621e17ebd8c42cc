"""varabs.html in a browser: models opened by keys and by dropping, made smaller, compared, downloaded; runs stepped
through and cancelled; hostile models. Environment: VARABS the native program, WEB; PICTURES, a folder for pictures."""

import json
import os
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests/page"))
from browser import PROGRAM, Browser  # pylint: disable=wrong-import-position

VARABS, WEB = os.environ["VARABS"], os.environ["WEB"]
PAGE = os.path.join(WEB, "varabs.html")
MODELS = os.path.join(ROOT, "benchmarks/models")
with open(os.path.join(ROOT, "tests/page/layout.js"), encoding="utf-8") as script:
    LAYOUT = script.read()
PATIENCE = 120  # seconds
# More states than anybody waits for, of which no set has a small diagram.
LONG = """<nta><declaration>int[0,1020] x = 1, y = 2, z = 3;</declaration><template><name>P</name>
<location id="a"><name>a</name></location><init ref="a"/>""" + "".join(
    f'<transition><source ref="a"/><target ref="a"/><label kind="assignment">{update}</label></transition>'
    for update in ("x = (x * y + z) % 1009", "y = (y * z + x + 1) % 1013", "z = (z * x + y + 2) % 1019")) + """
</template><system>system P;</system><queries><query><formula>A[] P.a</formula></query><query><formula>E&lt;&gt; x == 5</formula></query></queries></nta>"""
EVIL = "&lt;/script&gt;&lt;img src=x onerror=document.title=1&gt;&lt;!--"
NASTY = f"""<nta><declaration>int[0,2] x;</declaration><template><name>P</name><location id="a"><name>here</name>
<label kind="comments">{EVIL}</label></location><init ref="a"/><transition><source ref="a"/><target ref="a"/>
<label kind="assignment">x = 1 - x</label><label kind="comments">{EVIL}</label></transition></template><system>system P;</system>
<queries><query><formula>A[] x &lt; 3 /* {EVIL} */</formula><comment>{EVIL}</comment></query></queries></nta>"""
LAUGHS = '<!DOCTYPE nta [<!ENTITY a0 "ha">' + "".join(
    f'<!ENTITY a{i + 1} "{f"&a{i};" * 10}">' for i in range(12)) + "]><nta><declaration>&a12;</declaration></nta>"

passed = failed = 0


def expect(name, problem):
    """Counts one check; the problem is None, or what is wrong."""
    global passed, failed
    passed += problem is None
    failed += problem is not None
    if problem is not None:
        print(f"FAIL {name}: {' '.join(str(problem).split())[:500]}")


def wait(browser, expression):
    end = time.time() + PATIENCE
    while time.time() < end:
        if browser.value(expression):
            return True
        time.sleep(0.1)
    return False


def is_idle(steps):
    return f"document.querySelectorAll('.step').length >= {steps} && !document.querySelector('[aria-busy]')"


def say(browser):
    return browser.value("document.getElementById('app').innerText")


def is_clean(browser, name):
    others = [url for url in browser.requests if not url.startswith("blob:null/") and not url.endswith("/varabs.html")]
    expect(f"{name}: requests", others or None)
    expect(f"{name}: the console", browser.complaints or None)


def drop(browser, name, text):
    browser.value("for (const step of document.getElementById('main')?.children || []) step.dataset.old = 'yes';"
                  "(() => { const data = new DataTransfer();"
                  f"data.items.add(new File([{json.dumps(text)}], {json.dumps(name)}));"
                  "document.dispatchEvent(new DragEvent('drop', { dataTransfer: data })); })()")
    wait(browser, "!document.querySelector('[data-old]') && document.getElementById('main').children.length")


def go_to(browser, text):
    """By Tab alone, to what has this text."""
    for _ in range(400):
        browser.press("Tab")
        if browser.value("(document.activeElement.textContent || document.activeElement.value || '').trim()") == text:
            return True
    return False


def native(*words):
    return subprocess.run([VARABS, *words], capture_output=True, timeout=PATIENCE)


def use_by_keys(browser, folder):
    browser.look(1400, 900)
    browser.open(PAGE)
    expect("keys: an example", None if go_to(browser, "postal voting") else "not reached")
    browser.press("Enter", "\r")
    expect("keys: it is shown", None if wait(browser, is_idle(3)) else say(browser))
    text = say(browser)
    for words in ("4 processes, 11 variables", "6,075 \u2192 442 states", "3 satisfied", "1 violated"):
        expect(f"the model: {words}", None if words in text else text)
    expect("keys: make it smaller", None if go_to(browser, "Make it smaller") else "not reached")
    browser.press("Enter", "\r")
    expect("keys: it is smaller", None if wait(browser, is_idle(4)) else say(browser))
    text = say(browser)
    for words in ("postal_3_2.xml without 4 variables: 6,075 \u2192 442 states", "all 4 queries carry over",
                  "varabs postal_3_2.xml --auto --may"):
        expect(f"the smaller model: {words}", None if words in text else text)
    browser.ask("Page.setDownloadBehavior", behavior="allow", downloadPath=folder)
    expect("keys: download", None if go_to(browser, "Download the model") else "not reached")
    browser.press("Enter", "\r")
    path, end = os.path.join(folder, "postal_3_2.may.xml"), time.time() + PATIENCE
    while not os.path.exists(path) and time.time() < end:
        browser.value("1")
        time.sleep(0.1)
    time.sleep(0.2)
    native(os.path.join(MODELS, "postal_3_2.xml"), "--auto", "--may", "-o", os.path.join(folder, "native.xml"))
    with open(path, "rb") as one, open(os.path.join(folder, "native.xml"), "rb") as other:
        expect("the download has the native bytes", None if one.read() == other.read() else "others")
    expect("keys: compare", None if go_to(browser, "Decide its queries, and look for its runs in the original") else "not reached")
    browser.press("Enter", "\r")
    expect("keys: it is compared", None if wait(browser, is_idle(5)) else say(browser))
    text = browser.value("document.querySelectorAll('.step')[4].innerText")
    expect("the runs of the smaller model are real", None if "in the original: real" in text and "spurious" not in text else text)
    is_clean(browser, "keys")


def use_run(browser):
    browser.value("document.querySelectorAll('.step')[1].querySelector('td button').click()")
    label = "document.activeElement.querySelector('strong')?.textContent"
    expect("the button of a query goes to its run", None if browser.value(label) == "state 0 of 2" else browser.value(label))
    browser.press("ArrowRight")
    expect("the run goes on", None if browser.value(label) == "state 1 of 2" else browser.value(label))
    browser.press("f", "f")
    expect("it fills the screen", None if browser.value("document.activeElement.classList.contains('is-full')") else "it does not")
    browser.press("ArrowRight")
    expect("and goes on there", None if browser.value(label) == "state 2 of 2" else browser.value(label))
    browser.press("Escape")
    expect("and comes back", None if browser.value("document.querySelector('.is-full') === null") else "it does not")


def use_choices(browser):
    """What is not exact, and must."""
    drop(browser, "asv.xml", read_model("asv.xml"))
    expect("a dropped model", None if wait(browser, is_idle(3)) else say(browser))
    browser.value("document.querySelector('.choices input[value=sh_vt]').click()")
    browser.value("[...document.querySelectorAll('.actions button')][1].click()")
    expect("what is ticked is removed", None if wait(browser, is_idle(4)) else say(browser))
    text = browser.value("document.querySelectorAll('.step')[3].innerText")
    for words in ("asv.xml without sh_vt", "not exact", "varabs asv.xml --remove sh_vt --may"):
        expect(f"ticked: {words}", None if words in text else text)
    browser.value("[...document.querySelectorAll('.actions button')].find((one) => one.textContent.startsWith('Decide')).click()")
    expect("spurious runs are found", None if wait(browser, is_idle(5)) else say(browser))
    text = browser.value("document.querySelectorAll('.step')[4].innerText")
    expect("a spurious run stands beside the original", None if "This run is spurious" in text and "the original, asv.xml" in text else text)
    browser.value("document.querySelector('input[value=must]').click()")
    browser.value("[...document.querySelectorAll('.actions button')][1].click()")
    time.sleep(0.3)
    expect("must", None if wait(browser, is_idle(4)) else say(browser))
    text = browser.value("document.querySelectorAll('.step')[3].innerText")
    expect("must: its command", None if "varabs asv.xml --remove sh_vt --must" in text else text)
    is_clean(browser, "choices")


def read_model(name):
    with open(os.path.join(MODELS, name), encoding="utf-8") as file:
        return file.read()


def use_cancel(browser):
    drop(browser, "long.xml", LONG)
    status = "[...document.querySelectorAll('.status')].map((one) => one.innerText).join(' ')"
    expect("a long run says where it is", None if wait(browser, f"/[0-9,]+ states/.test({status})") else browser.value(status))
    expect("and which verdicts are there already", None if wait(browser, "document.querySelector('.early .good')?.innerText === 'satisfied'")
           else say(browser))
    browser.value("for (const stop of document.querySelectorAll('[aria-busy] .status button')) stop.click()")
    expect("it is cancelled", None if wait(browser, is_idle(2)) else browser.value(status))
    expect("and says so", None if "Cancelled after" in browser.value(status) else browser.value(status))
    drop(browser, "asv.xml", read_model("asv.xml"))
    expect("a second model needs no new page", None if wait(browser, is_idle(3)) and "asv.xml: 10 states" in say(browser) else say(browser))
    is_clean(browser, "cancel")


def use_hostile(browser):
    drop(browser, "<img src=x onerror=document.title=1>.xml", NASTY)
    expect("a nasty model", None if wait(browser, is_idle(3)) else say(browser))
    expect("nothing of it became an element", None if browser.value(
        "document.title !== '1' && !document.querySelector('main img')") else "it did")
    for name, text, words in (("laughs.xml", LAUGHS, "error"), ("no.txt", "no model at all", "error"),
                              ("large.xml", "<nta><declaration>/*" + "x" * 5000000 + "*/</declaration></nta>", ""),
                              ("deep.xml", f"<nta><declaration>int x = {'(' * 50000}1{')' * 50000};</declaration></nta>", "error"),
                              ("wrong.xml", read_model("asv.xml").replace("sh_vt = mem_vt", "sh_vt = nothing"), "wrong.xml:39:")):
        drop(browser, name, text)
        time.sleep(0.3)
        is_over = wait(browser, is_idle(1))
        said = browser.value("document.querySelector('main').innerText")
        expect(f"{name} is told off", None if is_over and words in said and said else said)
    expect("the drawing of a wrong model", None if wait(browser, "document.querySelector('main img')?.naturalWidth > 0") else "none")
    is_clean(browser, "hostile")


def look(browser):
    for width in (400, 1400):
        for scheme in ("light", "dark"):
            browser.look(width, 900, scheme)
            browser.open(PAGE)
            drop(browser, "asv.xml", read_model("asv.xml"))
            wait(browser, is_idle(3))
            browser.value("document.querySelector('.primary').click()")
            time.sleep(0.3)
            wait(browser, is_idle(4))
            wide = browser.value("document.documentElement.scrollWidth - innerWidth")
            expect(f"{width}, {scheme}: width", f"{wide} points too wide" if wide > 0 else None)
            expect(f"{width}, {scheme}: layout", "; ".join(browser.value(LAYOUT)[:4]) or None)
            is_clean(browser, f"{width}, {scheme}")
            if os.environ.get("PICTURES"):
                browser.picture(f"{os.environ['PICTURES']}/varabs-{width}-{scheme}.png")


def main():
    if PROGRAM:
        browser = Browser()
        try:
            with tempfile.TemporaryDirectory() as folder:
                use_by_keys(browser, folder)
                use_run(browser)
                use_choices(browser)
                use_cancel(browser)
                use_hostile(browser)
                look(browser)
        finally:
            browser.close()
    else:
        print("there is no chromium: varabs.html was not looked at")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


main()
