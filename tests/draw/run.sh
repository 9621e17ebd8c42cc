#!/bin/bash
# Runs the cases here (see ../run_cases.py), then draws every model of tests, benchmarks and, if it
# is there, ../shared/models, and golden cases before and after, and looks at the drawings: see
# extents.py. The models without their coordinates, and what abstracting adds to those that have
# them, are looked at by labels.py, too. With arguments runs the cases only.
# Environment: VARABS the program, CASES_EVERY=N only each Nth golden case and GROUPS_EVERY=N
# each Nth other model, beginning where CASES_AT=K says.
set -u
cd "$(dirname "$0")/../.." || exit 1
VARABS=${VARABS:-build/varabs}
[ $# -eq 0 ] || exec tests/run_cases.py tests/draw "$@"
work=$(mktemp -d)
mkdir "$work/free" "$work/loops"
trap 'rm -rf "$work"' EXIT
failed=0
count=0
sample() { awk -v n="$1" -v at="${CASES_AT:-0}" 'NR % n == at % n'; } # EVERY — of the lines that are read
cases=$(printf '%s\n' tests/golden/*/ | sample "${CASES_EVERY:-1}")

folder=
draw() { # MODEL [AFTER]
    count=$((count + 1))
    (ulimit -S -t 20; exec "$VARABS" draw "$@" -o "$work$folder/${1//\//_}.svg") >"$work/err" 2>&1 && return
    failed=$((failed + 1))
    echo "FAIL draw $*: status $?: $(grep error "$work/err" | head -n 1)"
}

models=../shared/models
[ -d $models ] || echo "skipped: no $models"
find tests/models benchmarks/models $models -name '*.xml' 2>/dev/null | sort |
    sample "${GROUPS_EVERY:-1}" >"$work/list"
while IFS= read -r model; do draw "$model"; done <"$work/list"
for case in $cases; do
    [ ! -e "$case/expected.xml" ] || draw "$case/model.xml" "$case/expected.xml"
done
look() { # SCRIPT ARGUMENT...
    python3 -B "$@" >"$work/result"
    grep -v '^[0-9]* passed' "$work/result" | head -n 20
    bad=$(sed -n 's/^[1-9][0-9]* passed, \([0-9]*\) failed$/\1/p' "$work/result")
    failed=$((failed + ${bad:-1}))
}

folder=/free
free() { # MODEL — draws it as if it had no coordinates
    bare=$work/${1//\//_}
    sed 's/ [xy]="-\{0,1\}[0-9]*"//g' "$1" >"$bare"
    draw "$bare"
}
# Models that varabs does not abstract keep their coordinates: one has 90 loops at a location.
grep -v '/timed/' "$work/list" >"$work/untimed"
while IFS= read -r model; do free "$model"; done <"$work/untimed"
for case in $cases; do [ ! -e "$case/expected.xml" ] || free "$case/expected.xml"; done

folder=/loops
abstract() { # NAME MODEL ARGUMENT...
    name=$1
    shift
    count=$((count + 1))
    "$VARABS" "$@" --may -o "$work/$name.xml" --report "$work/$name.json" >/dev/null 2>&1
    draw "$work/$name.xml"
}
for case in $cases; do [ ! -e "$case/expected.xml" ] || draw "$case/expected.xml"; done
postal=benchmarks/models/postal_3_2.xml
all=dec_recv,sh_dec,sh_vt,sh_sg,buff_mail
abstract tallies $postal --remove $all
# the same with longer updates
sed 's/\(tally_[12]\) += \(sh_sg == 1[^?]*\)? 1 : 0/\1 = \2? \1 + 1 : \1/' $postal >"$work/long.xml"
abstract long "$work/long.xml" --remove $all
abstract long_waiting "$work/long.xml" --remove $all --stutter
abstract waiting $postal --remove Voter.mem_dec,sh_dec,tally_1 --stutter
abstract given benchmarks/models/asv.xml --remove mem_vt --stutter
for example in benchmarks/examples/*; do
    abstract "$(basename "$example")" "$example/model.xml" --spec "$example/spec.json" --stutter
done

look tests/draw/extents.py "$work"
look tests/draw/extents.py "$work/free"
look tests/draw/labels.py "$work/free"
look tests/draw/labels.py "$work/loops" --loops
tests/run_cases.py tests/draw >"$work/cases"
grep -v '^[0-9]* passed' "$work/cases"
count=$((count + $(ls -d tests/draw/*/ | wc -l)))
bad=$(sed -n 's/^[0-9]* passed, \([0-9]*\) failed$/\1/p' "$work/cases")
failed=$((failed + ${bad:-1}))
echo "$((count - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
