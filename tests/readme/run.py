"""Runs the commands that documents show, in their order, and compares what they say these print.

The documents are README.md, those that the manual pages are made of, and the tutorial; or those that are
named, also for who has the package alone (EXAMPLES, the folder of its examples). A line `...` in them
stands for any lines. Standard output and error are taken together. What stands in backquotes and names a
bundled model is run, too, and only has to work. README.md, the tutorial and the concepts are followed one
after the other in one folder, which has only what they say is to be copied; each other document has a
folder of its own with copies of the bundled models. Each picture is what the commands draw under its name;
--accept copies those that are not. Of these and of all other documents files that links name have to be
there, and no row of a table may be there twice, or have another number of cells.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PACKAGED = "/usr/share/doc/varabs/examples"  # where documents say that a package has its examples
ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLLOWED = [ROOT / name for name in ("README.md", "benchmarks/tutorial/README.md",
                                     "benchmarks/tutorial/concepts.md")]
RUN = ("varabs ", "python3 tower.py ", "python3 postal.py ", "python3 coercion.py ",
       "python3 cards.py ", "python3 transmission.py ", "python3 simultaneous.py ", "python3 registry.py ", "cut ")


def sessions(text):
    """The commands of the indented blocks with the lines that follow them."""
    command, lines, found = None, [], []
    for line in text.splitlines() + ["end"]:
        inside = line.startswith("    ") or (not line and command)
        if command and (not inside or line.startswith("    $ ")):
            found.append((command, lines))
            command = None
        if inside and line.startswith("    $ "):
            command, lines = line[6:], []
        elif command:
            lines.append(line[4:])
    for command, lines in found:
        while lines and not lines[-1]:
            lines.pop()
        yield command, lines


def setting_up(text):
    """The commands by which a document that is followed fills the folder try, in which they are run: with EXAMPLES, a
    folder, those for who has the package alone, which has its examples there."""
    if os.environ.get("EXAMPLES"):
        for line in re.findall(rf"^    (cp {PACKAGED}[^#\n]*)", text, re.M):
            yield line.replace(PACKAGED, os.environ["EXAMPLES"])
        return
    for line in re.findall(r"^    ((?:mkdir -p try|cp \.\./)[^#\n]*)", text, re.M):
        yield re.sub(r"^mkdir -p try && cd try *(&& )?", "", line) or "true"


def mentioned(text):
    """The commands on bundled models in the running text."""
    for span in re.findall(r"`(varabs [^`]*\.xml[^`]*)`", text):
        command = " ".join(span.split())
        if not re.search(r"\b(IN|model|AFTER|ABSTRACT)\.xml", command.replace("/model.xml", "")):
            yield command


def matches(wanted, got):
    """Whether the lines are the same, where `...` in those wanted is any number of lines."""
    if not wanted:
        return not got
    if wanted[0] == "...":
        return any(matches(wanted[1:], got[i:]) for i in range(len(got) + 1))
    return bool(got) and wanted[0] == got[0] and matches(wanted[1:], got[1:])


def dead_links(document, text):
    """What links name that is not there, from the folder of the document."""
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", re.sub(r"`[^`]*`", "", text)):
        if not (document.parent / target).exists():
            yield target


def wrong_rows(text):
    """Rows of tables that have not as many cells as the first one, or are there twice."""
    rows = []
    for line in text.splitlines():
        if not line.startswith("|"):
            rows = []
            continue
        cells = re.sub(r"\\\||`[^`]*`", "", line).count("|")
        if line in [row for _, row in rows] or any(cells != count for count, _ in rows[:1]):
            yield f"the row {line[:60]}"
        rows.append((cells, line))


def wrong_pictures(document, text, work, accepts):
    """The pictures that the commands of the document have not drawn like that."""
    for target in re.findall(r"!\[[^]]*\]\(([^)]+\.svg)\)", text):
        kept, drawn = document.parent / target, work / pathlib.Path(target).name
        if not drawn.exists():
            yield f"nothing draws {target}"
        elif accepts:
            shutil.copy(drawn, kept)
        elif not kept.exists() or kept.read_bytes() != drawn.read_bytes():
            yield f"{target} is drawn differently now: look at it, and run with --accept"


def prepare(work):
    for model in (ROOT / "benchmarks/models").glob("*.xml"):
        (work / model.name).write_bytes(model.read_bytes())
    for example in (ROOT / "benchmarks/examples").iterdir():
        shutil.copytree(example, work / example.name)
    for name in ("agents/tower.py", "postal.py", "coercion.py", "cards.py", "transmission.py", "simultaneous.py",
                 "registry.py", "nta.py", "tutorial/door.xml"):
        shutil.copy(ROOT / "benchmarks" / name, work)


def run_document(document, work, accepts):
    """How many commands there are, and the names of those that do not print what they should."""
    text = document.read_text()
    failed = []
    environment = dict(os.environ, PATH=f"{work.parent}/bin:{os.environ['PATH']}")
    work.mkdir(exist_ok=True)
    if document in FOLLOWED:
        failed += [command for command in setting_up(text)
                   if subprocess.run(command, shell=True, cwd=work).returncode]
    else:
        prepare(work)
    shown = list(sessions(text))
    failed += [f"{command}\n    is not run" for command, _ in shown if not command.startswith(RUN)]
    commands = shown + [(command, None) for command in mentioned(text)]
    for command, wanted in commands:
        run = subprocess.run(command, shell=True, cwd=work, env=environment, timeout=60,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        got = [line.rstrip() for line in run.stdout.rstrip().splitlines()]
        if wanted is None:
            is_right = run.returncode in (0, 1)  # 1: a query is violated
        else:
            is_right = matches([line.rstrip() for line in wanted], got)
        if not is_right:
            lines = "\n".join("    " + line for line in got[:40])
            failed.append(f"{command}\n    now:\n{lines}")
    failed += wrong_pictures(document, text, work, accepts)
    failed += [f"the link to {target}" for target in dead_links(document, text)]
    if document.parent.name == "manual" and not text.isascii():
        failed.append("a character that is not ASCII, which manual pages do not have")
    return len(commands), failed


def main():
    varabs = pathlib.Path(os.environ.get("VARABS", ROOT / "build/varabs")).resolve()
    passed = failures = 0
    accepts = "--accept" in sys.argv
    named = [pathlib.Path(name).resolve() for name in sys.argv[1:] if name != "--accept"]
    written = {ROOT / "README.md", *ROOT.glob("benchmarks/*.md"), *ROOT.glob("src/**/*.md")}
    for document in () if named else sorted(written):
        text = document.read_text()
        failed = [*wrong_rows(text), *(f"the link to {target}" for target in dead_links(document, text))]
        passed += not failed
        failures += len(failed)
        for failure in failed:
            print(f"FAIL {document.relative_to(ROOT)}: {failure}")
    others = sorted({*ROOT.glob("src/manual/*.md"), *ROOT.glob("benchmarks/tutorial/*.md")} - {*FOLLOWED})
    with tempfile.TemporaryDirectory() as folder:
        top = pathlib.Path(folder)
        (top / "bin").mkdir()
        (top / "bin/varabs").symlink_to(varabs)
        (top / "benchmarks").symlink_to(ROOT / "benchmarks")
        for document in named or FOLLOWED + others:
            work = top / ("try" if document in FOLLOWED else document.stem)
            count, failed = run_document(document, work, accepts)
            passed += max(count - len(failed), 0)
            failures += len(failed)
            for failure in failed:
                print(f"FAIL {document.relative_to(ROOT)}: {failure}")
    if not named and passed + failures < 30:
        failures += 1
        print("FAIL most commands of the documents are not found")
    print(f"{passed} passed, {failures} failed")
    return failures > 0


sys.exit(main())
