#!/bin/sh
# The commands of README.md print what it says.
exec python3 -B "$(dirname "$0")/run.py"
