#!/usr/bin/env python3
"""Plants bugs in what stands in the place of Uppaal's programs, and sees that the tests find them.

    planted.py [NAME...]      all, or those named; the program has to be built

planted.txt has a block for each: its name and the command that has to fail, the file in src/, the text, and the
text instead. Only that file is compiled, and linked in front of the library.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build/release"


def bugs():
    for block in (ROOT / "tests/engine/planted.txt").read_text(encoding="utf-8").split("\n=== ")[1:]:
        head, rest = block.split("\n", 1)
        name, *command = head.split()
        file, rest = rest.split("\n", 1)
        text, _, instead = rest.partition("\n---")
        yield name, command, file, text, instead.strip("\n")


def plant(folder, file, text, instead, test):
    """The program with the bug; for some tests the unit tests, or what prints the objects of a stream."""
    is_unit = test == "unit"
    source = (ROOT / "src" / file).read_text(encoding="utf-8")
    assert source.count(text) == 1, f"{file}: {source.count(text)} times: {text}"
    (folder / "planted.c").write_text(source.replace(text, instead), encoding="utf-8")
    flags = ["-std=c17", "-O1", "-pthread", f"-I{ROOT}/src", f"-I{BUILD}", '-DVARABS_VERSION="0"', '-DVARABS_DATE="0"']
    main = [BUILD / "src/cli/main.o"]
    if is_unit:
        main = sorted(BUILD.glob("tests/unit/*.o"))
    if test == "streams.py":
        main = [BUILD / "tests/fuzz/replay.o", BUILD / "tests/fuzz/fuzz_engine.o"]
    wraps = [f"-Wl,--wrap={name}" for name in ("_mark_point", "expr_equal", "expr_hash")] if is_unit else []
    checks = subprocess.run(["pkg-config", "--libs", "check"], capture_output=True, text=True).stdout.split()
    program = folder / "replay_engine"
    subprocess.run(["gcc", *flags, "-w", "-o", program, folder / "planted.c", *main, BUILD / "libvarabs.a", *wraps,
                    "-lexpat", "-ljansson", "-lm", *(checks if is_unit else [])], check=True)
    return program


def is_found(command, program):
    environment = {**os.environ, "VARABS": str(program), "FIRST": "1", "PATIENCE": "20"}
    if command[0] == "streams.py":
        environment.update(VARABS=str(ROOT / "build/varabs"), BUILD=str(program.parent))
    if command[0] == "unit":
        words = [program]
        environment["CK_RUN_SUITE"] = command[1]
    elif command[0].endswith(".py"):
        words = [sys.executable, "-B", ROOT / "tests/engine" / command[0], *command[1:]]
        environment.setdefault("MODES", "--mode=pass")
    else:
        words = [ROOT / "tests" / command[0], *command[1:]]
    return subprocess.run(words, env=environment, capture_output=True, timeout=900).returncode != 0


def main():
    found = missed = 0
    for name, command, file, text, instead in bugs():
        if sys.argv[1:] and name not in sys.argv[1:]:
            continue
        with tempfile.TemporaryDirectory() as folder:
            program = plant(pathlib.Path(folder), file, text, instead, command[0])
            ok = is_found(command, program)
        found, missed = found + ok, missed + (not ok)
        print(f"{'found' if ok else 'FAIL not found'}: {name}", flush=True)
    print(f"{found} passed, {missed} failed")
    return missed > 0


if __name__ == "__main__":
    sys.exit(main())
