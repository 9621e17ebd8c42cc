#!/bin/sh
# Random models, abstracted and judged by an explorer that shares nothing with varabs, and random
# models and queries, checked and compared with that explorer: see README.md. A bounded run over
# fixed ranges of seeds, minutes long.
# Environment: VARABS the program, RANDOM_SEEDS (1..200) of may-abstractions, MUST_SEEDS (401..450),
# SCOPE_SEEDS (501..560) of removals in some locations only, PROCESS_SEEDS (601..630) in some
# processes only, REFERENCE_SEEDS (216..230) of what is passed by reference, LOWER_SEEDS (601..640) of
# --must=lower, CERTIFY_SEEDS (301..315) of abstractions that are certified, CLAIM_SEEDS (601..640) of
# those whose reports are confirmed, WAITING_SEEDS (1..40) of the same in models that wait,
# MERGE_SEEDS (2385..2424) of merges, CONCRETIZE_SEEDS (641..655) of those whose runs are followed in
# the original, AUTO_SEEDS (641..680) of what --auto removes, DECIDE_SEEDS (701..712) of queries that
# it decides, CHECK_SEEDS (1..120),
# ENGINE_SEEDS (1..24) of models that both engines explore.
set -u
here=$(cd "$(dirname "$0")" && pwd)
VARABS=${VARABS:-$here/../../build/varabs}
export PYTHONDONTWRITEBYTECODE=1
passed=0
failed=0

log=$(mktemp)
trap 'rm -f "$log"' EXIT

judge() { # ARGUMENTS...
    python3 "$here/run.py" --varabs "$VARABS" --jobs 2 "$@" >"$log" 2>&1
    sed 's/^seed [0-9]*: [^w]/FAIL &/' "$log"
    counts=$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$log")
    # shellcheck disable=SC2086 # two numbers
    set -- ${counts:-0 1} # it died
    passed=$((passed + $1))
    failed=$((failed + $2))
}

# The oracle itself.
if python3 "$here/selftest.py" >"$log" 2>&1; then
    passed=$((passed + 1))
else
    sed 's/^/FAIL selftest: /' "$log"
    failed=$((failed + 1))
fi

judge --seeds "${RANDOM_SEEDS:-1..200}"
judge --mode must --seeds "${MUST_SEEDS:-401..450}"
judge --scopes --chain --mode may --mode must --seeds "${SCOPE_SEEDS:-501..560}"
judge --mode lower --seeds "${LOWER_SEEDS:-601..640}"
judge --certify --mode may --mode must --seeds "${CERTIFY_SEEDS:-301..315}"
judge --claims --scopes --mode may --mode must --seeds "${CLAIM_SEEDS:-601..640}"
judge --claims --waiting --mode may --seeds "${WAITING_SEEDS:-1..40}"
judge --processes --scopes --mode may --mode must --seeds "${PROCESS_SEEDS:-601..630}"
judge --references --mode may --mode must --seeds "${REFERENCE_SEEDS:-216..230}"
judge --merges --chain --mode may --mode must --seeds "${MERGE_SEEDS:-2385..2424}"
judge --together --scopes --strict-errors --mode may --mode must --seeds "${TOGETHER_SEEDS:-1..30}"
judge --mode auto --seeds "${AUTO_SEEDS:-641..680}"
judge --mode decide --seeds "${DECIDE_SEEDS:-701..712}"
judge --concretize --scopes --mode may --seeds "${CONCRETIZE_SEEDS:-641..655}"
judge --mode check --seeds "${CHECK_SEEDS:-1..120}"

# Both engines of varabs check say the same.
python3 "$here/engines.py" --varabs "$VARABS" --jobs 2 --seeds "${ENGINE_SEEDS:-1..24}" \
    >"$log" 2>&1
sed -n 's/^seed [0-9]*: [^w]/FAIL engines: &/p' "$log"
counts=$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$log")
# shellcheck disable=SC2086 # two numbers
set -- ${counts:-0 1} # it died
passed=$((passed + $1))
failed=$((failed + $2))
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
