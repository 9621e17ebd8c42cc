#!/bin/sh
# What `varabs export` writes, run by Spin: as many states as `varabs check` counts, and the same
# verdicts (cases.py). Without Spin only the exports are made. Environment: VARABS.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
VARABS=${VARABS:-$root/build/varabs}
export VARABS
exec python3 -B "$root/tests/export/cases.py" "$@"
