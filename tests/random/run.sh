#!/bin/sh
# Random models, abstracted and judged by an explorer that shares nothing with varabs: see
# README.md. A bounded run over a fixed range of seeds, half a minute long.
# Environment: VARABS the program, RANDOM_SEEDS (1..300).
set -u
here=$(cd "$(dirname "$0")" && pwd)
VARABS=${VARABS:-$here/../../build/varabs}
export PYTHONDONTWRITEBYTECODE=1

log=$(mktemp)
trap 'rm -f "$log"' EXIT
python3 "$here/run.py" --varabs "$VARABS" --seeds "${RANDOM_SEEDS:-1..300}" --jobs 2 \
    >"$log" 2>&1
status=$?
sed 's/^seed [0-9]*: [^w]/FAIL &/' "$log"
grep -q '^[0-9]* passed, [0-9]* failed$' "$log" || echo "0 passed, 1 failed" # it died
exit "$status"
