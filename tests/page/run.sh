#!/bin/sh
# Pages that --html writes: what is in them, and how they behave in a browser (cases.py). Without
# Chromium only what is in them is looked at. Environment: VARABS; PICTURES, a folder for pictures of
# each page in several sizes.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
VARABS=${VARABS:-$root/build/varabs}
export VARABS
exec python3 -B "$root/tests/page/cases.py" "$@"
