#!/bin/sh
# Random models, abstracted and judged by an explorer that shares nothing with varabs, and random
# models and queries, checked and compared with that explorer: see README.md. A bounded run over
# fixed ranges of seeds, minutes long.
# Environment: VARABS the program, TIMES (1) as many seeds of each kind, SEEDS_EVERY=N
# the first Nth of them.
set -u
here=$(cd "$(dirname "$0")" && pwd)
VARABS=${VARABS:-$here/../../build/varabs}
passed=0
failed=0

work=$(mktemp -d)
log=$work/log
unset PYTHONDONTWRITEBYTECODE
export PYTHONPYCACHEPREFIX="$work" # read once, and nothing is left beside the sources
trap 'rm -rf "$work"' EXIT

count() { # adds what the log says
    counts=$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$log")
    # shellcheck disable=SC2086 # two numbers
    set -- ${counts:-0 1}
    [ -n "$counts" ] || tail -n 5 "$log" | sed 's/^/FAIL died: /'
    passed=$((passed + $1))
    failed=$((failed + $2))
}

# The bugs to plant are still where they were: planted.py looks whether they are found.
"$here/planted.py" --dry >"$log" 2>&1
grep '^FAIL' "$log"
count

# The oracle itself.
for test in tools/selftest timed/selftest_timed; do
    if python3 "$here" "$test" >"$log" 2>&1; then
        passed=$((passed + 1))
    else
        sed "s|^|FAIL $test: |" "$log"
        failed=$((failed + 1))
    fi
done

python3 "$here" symmetry/cases --check "$VARABS" >"$log" 2>&1
grep '^FAIL' "$log"
count

# Each row is a script with its arguments; of some, seeds from a number on are models of another kind.
python3 "$here/batch.py" --varabs "$VARABS" --times "${TIMES:-1}" --every "${SEEDS_EVERY:-1}" >"$log" 2>&1 <<'END'
run seeds 1 12
run --mode must seeds 401 5
run --scopes --chain --mode may --mode must seeds 501 5
run --mode lower seeds 601 5
run --certify --mode may --mode must seeds 301 2
run --certify --waiting --mode may seeds 1 5
run --claims --scopes --mode may --mode must seeds 601 5
run --claims --waiting --mode may seeds 1 5
run --claims --waiting --merges --mode may seeds 1 5
run --processes --scopes --mode may --mode must seeds 601 5
run --references --mode may --mode must seeds 216 3
run --merges --chain --mode may --mode must seeds 2385 5
run --counting --mode may --mode must seeds 1 5
run --together --scopes --strict-errors --mode may --mode must seeds 1 6
run --mode auto seeds 641 6
run --claims --certify --mode auto seeds 1 6
run --certify --together --strict-errors --mode auto seeds 1 18
run --certify --together --failing --mode auto seeds 1 6
run --claims --waiting --failing --mode may --mode must seeds 1 3
run --failing-guards --mode may --mode must seeds 1 3
run --counting --mode auto seeds 41 6
run --explore --claims --mode may seeds 11 4
run --mode decide seeds 701 3
run --concretize --scopes --mode may seeds 641 4
run --mode check seeds 1 8

# Operators in each other, and knowledge; what is claimed of both; coalitions; both engines of check.
judges/knowledge seeds 1 9
judges/knowledge_claims seeds 1 12
judges/knowledge_claims seeds 1000001 12 # from a million on, models fail
judges/mixed seeds 1 30
judges/mixed seeds 1000001 6
judges/mixed seeds 3000001 10 # merges in some locations
judges/mixed_strategies seeds 1 20
judges/favour seeds 1 15
judges/without seeds 1 20
judges/lacking seeds 1 20
judges/exchanged seeds 1 15
judges/mixed_strategies seeds 11321 1 # of one edge a marked one and then itself
judges/mixed_strategies seeds 1000001 4
judges/mixed_strategies seeds 3000001 6 # merges in some locations
judges/nested seeds 1 6
judges/nested seeds 1000001 3
judges/strategies seeds 1 9
judges/strategy_claims seeds 1 24
judges/renamed seeds 1 6
judges/scoped seeds 1 40
judges/scoped seeds 100001 10 # removals
judges/scoped seeds 200001 10 # in one process
judges/scoped_cells seeds 1 30
judges/scoped_cells seeds 100001 8 # removals
judges/scoped_cells seeds 500001 30 # arrays with a scope
judges/scoped_cells seeds 700001 8 # in one of two processes
judges/cells seeds 1 40
judges/cells seeds 100001 20
judges/cells seeds 300001 6 # weights whose products reach 2^31
judges/cells seeds 400001 20 # all cells get new values at once
judges/cells seeds 500001 6 # loops in each other
judges/cells seeds 600001 6 # a bool gets numbers
judges/aimed_cells seeds 1 48
judges/aimed_cells seeds 10001 12 # guards add cells up
judges/scalar_pairs seeds 1 17
judges/scalars seeds 1 40
judges/scalars seeds 100001 20 # received where a sender has written
judges/related seeds 1 40
judges/metas seeds 1 60
judges/proposed seeds 1 50
judges/proposed seeds 100001 20 # of merges that are often worth it
judges/proposed seeds 200001 20 # and that some queries cannot be asked of
judges/proposed seeds 300001 12 # of records and rows
judges/own_cells seeds 1 40
judges/data seeds 1 40
judges/arguments seeds 1 40
judges/refinement seeds 1 24
judges/fairness seeds 1 18
judges/fairness seeds 1000001 6
judges/engines seeds 1 5
judges/engines seeds 700001 6
judges/grid seeds 1 6
judges/certified seeds 1 10
judges/looked_for seeds 15 14
judges/forced seeds 1 9
timed/timed seeds 7001 24
timed/timed seeds 7048 3
timed/decide seeds 7201 10
symmetry/judge seeds 1 6
symmetry/figures seeds 101 100
symmetry/twists seeds 1 60
symmetry/twists seeds 1001 20
symmetry/twists seeds 2101 50
symmetry/twists seeds 3050 20
symmetry/twists seeds 5001 20
symmetry/twists seeds 6111 20
symmetry/figures seeds 1000001 20
symmetry/figures seeds 2000001 10
symmetry/figures seeds 3000021 10
symmetry/scalars seeds 1 30
symmetry/pairs seeds 1 30
END
grep -v '^[0-9]* passed, [0-9]* failed$' "$log"
count

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
