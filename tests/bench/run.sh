#!/bin/sh
# The runner of benchmarks/evaluate.py: see cases.py. Environment: VARABS.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
VARABS=${VARABS:-$root/build/varabs}
export VARABS
exec python3 -B "$root/tests/bench/cases.py" "$@"
