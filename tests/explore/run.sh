#!/bin/sh
# Explores every model of this repository that is small enough, with all kinds of options, and
# compares figures, verdicts and traces with the naive explorer of ../random.
# Environment: VARABS, MODELS (files), CASES_EVERY=N only each Nth golden case and GROUPS_EVERY=N each
# Nth other model, beginning where CASES_AT=K says.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
VARABS=${VARABS:-$root/build/varabs}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
cd "$root" || exit 1
sample() { awk -v n="$1" -v at="${CASES_AT:-0}" 'NR % n == at % n'; } # EVERY — of the lines that are read
cases=$(printf '%s\n' tests/golden/*/model.xml | sample "${CASES_EVERY:-1}")
others=$(printf '%s\n' tests/models/*.xml benchmarks/models/*.xml | sample "${GROUPS_EVERY:-1}")
MODELS=${MODELS:-$others $cases}
# shellcheck disable=SC2086 # patterns
python3 -B tests/random/run.py --varabs "$VARABS" --mode check --jobs 2 $MODELS \
    >"$log" 2>&1
status=$?
sed 's/^seed [^:]*: [^w]/FAIL &/' "$log"
grep -q '^[0-9]* passed, [0-9]* failed$' "$log" || echo "0 passed, 1 failed" # it died
exit "$status"
