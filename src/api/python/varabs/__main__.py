"""The program varabs, as `python -m varabs` and as the command that pip installs."""

import os
import pathlib
import shutil
import sys
from typing import NoReturn


def main() -> NoReturn:
    inside = pathlib.Path(__file__).resolve().parent / "lib" / "varabs"
    program = str(inside) if inside.exists() else shutil.which("varabs")
    if program is None:
        sys.exit("varabs: error: the program is not installed")
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
