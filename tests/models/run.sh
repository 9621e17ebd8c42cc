#!/bin/sh
# Small models, one for each feature of the language or the file format: each must be read, be
# written back to the byte, and lose each of its variables in turn. See ../corpus/run.sh.
# Environment: VARABS the program, CASES_EVERY=N only each Nth model, beginning where
# CASES_AT=K says.
set -u
VARABS=${VARABS:-$(dirname "$0")/../../build/varabs}
case $VARABS in /*) ;; *) VARABS=$PWD/$VARABS ;; esac
export VARABS
cd "$(dirname "$0")" || exit 1
results=$(mktemp)
trap 'rm -f "$results"' EXIT
printf '%s\n' "$PWD"/*.xml | awk -v n="${CASES_EVERY:-1}" -v at="${CASES_AT:-0}" 'NR % n == at % n' | tr '\n' '\0' | xargs -0 -P 2 -n 1 ../corpus/run.sh --one timed_free >"$results"
grep -v '^ok' "$results"
passed=$(grep -c '^ok' "$results")
failed=$(grep -c '^FAIL' "$results")
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
