#!/bin/sh
# Runs the cases here (see ../run-cases.sh), then draws every model of tests, benchmarks and, if it
# is there, ../shared/models, and golden cases before and after, and looks at the drawings: see
# extents.py. With arguments runs the cases only. Environment: VARABS the program.
set -u
cd "$(dirname "$0")/../.." || exit 1
VARABS=${VARABS:-build/varabs}
[ $# -eq 0 ] || exec tests/run-cases.sh tests/draw "$@"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
count=0

draw() { # MODEL [AFTER]
    count=$((count + 1))
    name=$(echo "$1" | tr / _)
    timeout 20 "$VARABS" draw "$@" -o "$work/$name.svg" >"$work/err" 2>&1 && return
    failed=$((failed + 1))
    echo "FAIL draw $*: status $?: $(grep error "$work/err" | head -n 1)"
}

models=../shared/models
[ -d $models ] || echo "skipped: no $models"
find tests/models benchmarks/models $models -name '*.xml' 2>/dev/null | sort >"$work/list"
while IFS= read -r model; do draw "$model"; done <"$work/list"
for case in tests/golden/*/; do
    [ ! -e "$case/expected.xml" ] || draw "$case/model.xml" "$case/expected.xml"
done
python3 -B tests/draw/extents.py "$work" >"$work/result"
grep -v '^[0-9]* passed' "$work/result" | head -n 20
bad=$(sed -n 's/^[0-9]* passed, \([0-9]*\) failed$/\1/p' "$work/result")
failed=$((failed + ${bad:-1}))
tests/run-cases.sh tests/draw >"$work/cases"
grep -v '^[0-9]* passed' "$work/cases"
count=$((count + $(ls -d tests/draw/*/ | wc -l)))
bad=$(sed -n 's/^[0-9]* passed, \([0-9]*\) failed$/\1/p' "$work/cases")
failed=$((failed + ${bad:-1}))
echo "$((count - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
