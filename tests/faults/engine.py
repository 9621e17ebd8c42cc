"""`varabs engine` with calls of the C library that fail: what goes through goes through all the same, or the end has
a message; see run.sh.

    engine.py RUNS     RUNS at most for each mode and kind of failure, as in faults.py. FAIL names the library to
                       preload: it lets calls of this process fail, and none of the engine's.
"""

import json
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "engine"))
import gui  # noqa: E402

GROUPS = ("memory", "open", "write")
QUERY = "A[] true"
SETTINGS = {"verdicts": {QUERY: "T"}}


def run(options: list[str], **settings: str) -> tuple[int, bytes, str, bool]:
    """The status, what the GUI reads, messages, and whether no process is left."""
    for name in ("out.jsonl", "out.log"):
        pathlib.Path(name).unlink(missing_ok=True)
    model = (gui.ROOT / "tests/models/minimal.xml").read_text(encoding="utf-8")
    connection = gui.Connection(options, settings=SETTINGS, env={
        **os.environ, **settings, "LD_PRELOAD": os.environ["FAIL"], "FAIL_ONLY": pathlib.Path(gui.VARABS).name})
    for words in (gui.upload(model), gui.check(QUERY)):
        connection.ask(words, 30)
    if "--mode=shadow" in options and "FAIL_AT" not in settings:
        connection.wait_for(lambda _: "agrees" in pathlib.Path("out.log").read_text(encoding="utf-8"), 30)
    connection.close()
    status = connection.finish()
    return status if status is not None else -1, connection.received, connection.said, connection.leaves_nothing()


def recorded() -> bytes:
    lines = pathlib.Path("out.jsonl").read_text(encoding="utf-8").splitlines()
    entries = [json.loads(line) for line in lines]
    return b"".join(entry["bytes"].encode("latin-1") for entry in entries if entry["dir"] == "e")


def wrong(options: list[str], answer: bytes, **settings: str) -> str:
    """What is wrong with a run in which that call fails; or nothing."""
    status, received, said, is_clean = run(options, **settings)
    if not is_clean:
        return "a process is left"
    if status not in (0, 1, 2, 3, 4, 5, 127):
        return f"status {status}: {said[-200:]}"
    if "error: " in said:
        return "" if answer.startswith(received) else "other bytes"
    if status or received != answer:
        return f"status {status}, {len(received)} bytes, and no message"
    if options[0] == "--mode=pass" and recorded() != answer:
        return "the recording is not whole, and nothing says so"
    if settings["FAIL_GROUP"] == "write":
        return "not all is written, and nothing says so"
    return ""


def main() -> None:
    runs = int(sys.argv[1])
    for options in (["--mode=pass", "--record=out.jsonl"], ["--mode=shadow", "--log=out.log"]):
        for group in GROUPS:
            status, answer, said, _ = run(options, FAIL_GROUP=group, FAIL_COUNT="count")
            gui.expect(f"engine {options}: nothing fails", status == 0 and answer.endswith(b"null}}"), said)
            count = int(pathlib.Path("count").read_text())
            gui.expect(f"engine {options}: calls of {group}", count > 0 or group == "open")
            step = count // runs + 1 if runs else 1
            for at in range(1, count + 1, step):
                for later in ({}, {"FAIL_ON": "1"}):
                    reason = wrong(options, answer, FAIL_GROUP=group, FAIL_AT=str(at), **later)
                    gui.expect(f"engine {options}: {group} call {at} of {count} {later}", not reason, reason)
    gui.end()


if __name__ == "__main__":
    main()
