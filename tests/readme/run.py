"""Runs the commands that README.md shows, in their order, and compares what it says they print.

A line `...` in the README stands for any lines. Standard output and error are taken together. What
stands in backquotes and names a bundled model is run, too, and only has to work.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


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


def main():
    varabs = pathlib.Path(os.environ.get("VARABS", ROOT / "build/varabs")).resolve()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        (work / "bin").mkdir()
        (work / "bin/varabs").symlink_to(varabs)
        for model in (ROOT / "benchmarks/models").glob("*.xml"):
            (work / model.name).write_bytes(model.read_bytes())
        for example in (ROOT / "benchmarks/examples").iterdir():
            shutil.copytree(example, work / example.name)
        shutil.copy(ROOT / "benchmarks/agents/tower.py", work)
        environment = dict(os.environ, PATH=f"{work}/bin:{os.environ['PATH']}")
        text = (ROOT / "README.md").read_text()
        shown = [(command, wanted) for command, wanted in sessions(text)
                 if command.startswith(("varabs ", "python3 tower.py "))]
        for command, wanted in shown + [(command, None) for command in mentioned(text)]:
            run = subprocess.run(command, shell=True, cwd=work, env=environment, timeout=60,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            got = [line.rstrip() for line in run.stdout.rstrip().splitlines()]
            if wanted is None:
                is_right = run.returncode == 0
            else:
                is_right = matches([line.rstrip() for line in wanted], got)
            if is_right:
                passed += 1
            else:
                failed += 1
                print(f"FAIL {command}\n    now:")
                print("\n".join("    " + line for line in got[:40]))
    if not passed + failed:
        failed = 1
        print("FAIL there is no command in README.md")
    print(f"{passed} passed, {failed} failed")
    return failed > 0


sys.exit(main())
