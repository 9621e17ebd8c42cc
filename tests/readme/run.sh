#!/bin/sh
# The commands of README.md, of the manual pages and of the tutorial print what these say. NAME.md...:
# only of these.
exec python3 -B "$(dirname "$0")/run.py" "$@"
