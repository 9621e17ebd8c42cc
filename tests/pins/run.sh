#!/bin/sh
# The module for LTSmin, loaded by a small program in its place: see cases.py and host.c. Environment:
# VARABS, BUILD (the folder of the build that has the host), MODULE.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
BUILD=${BUILD:-$root/build/release}
VARABS=${VARABS:-$root/build/varabs}
MODULE=${MODULE:-$(dirname "$VARABS")/varabs-pins.so}
export VARABS MODULE HOST="$BUILD/pins_host"
exec python3 -B "$root/tests/pins/cases.py" "$@"
