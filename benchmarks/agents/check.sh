#!/bin/sh
# check.sh — are the sizes and verdicts that README.md here has those of varabs? Environment: VARABS.
set -u
here=$(cd "$(dirname "$0")" && pwd)
VARABS=${VARABS:-$here/../../build/varabs}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

note() { # NAME FOUND EXPECTED
    if [ "$2" = "$3" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $1: $2, not $3"
    fi
}
write() { # N KIND [--unguarded]
    python3 "$here/tower.py" "$@" -o "$work/$2_$1${3:+_u}.xml"
}
fair() { # RULES PLANS EXPECTED — is it fair to clean, to move; of 3, 4 and 5 blocks
    for n in 3 4 5; do
        # shellcheck disable=SC2086 # words
        "$VARABS" refines "$work/mimpl_$n.xml" "$work/mspec_$n.xml" --abstract-weak clean,move \
            ${1:+--$1 @r1,@r2} ${2:+--$2 @plan_clean,@plan_rearrange} >"$work/out" 2>&1
        note "fair, $n blocks, rules ${1:-none}, plans ${2:-none}" \
            "$? $(sed -n 's/^abstract fair clean (weak: \([a-z]*\)), move (weak: \([a-z]*\))$/\1 \2/p' "$work/out")" "$3"
    done
}
size() { # NAME EXPECTED — states/transitions/deadlocks
    note "size of $1" "$("$VARABS" check --full --engine explicit "$work/$1.xml" |
        sed -n 's/^\(states\|transitions\|deadlocks\)  *//p' | paste -sd/)" "$2"
}
verdict() { # CONCRETE ABSTRACT EXPECTED [OPTION...] — status, states and transitions of the product
    concrete=$1 abstract=$2 expected=$3
    shift 3
    "$VARABS" refines "$work/$concrete.xml" "$work/$abstract.xml" "$@" >"$work/out" 2>&1
    note "$concrete, $abstract $*" \
        "$? $(sed -n 's/.*product \([0-9]*\) with \([0-9]*\) .*/\1\/\2/p' "$work/out")" "$expected"
}

for n in 3 4 5; do
    for kind in spec mspec impl mimpl; do write $n $kind; done
    size impl_$n 7/6/1
    size mimpl_$n 24/31/0
    verdict impl_$n spec_$n '0 7/6'
    verdict mimpl_$n mspec_$n '0 24/31'
done
write 3 mimpl --unguarded
size mimpl_3_u 40/62/0
for row in '3 13/29/1 26/71/1' '4 72/235/2 144/542/2' '5 495/2107/7 990/4709/7'; do
    # shellcheck disable=SC2086 # words
    set -- $row
    size "spec_$1" "$2"
    size "mspec_$1" "$3"
    verdict "spec_$1" "mspec_$1" "0 ${2%/*}"
    verdict "mspec_$1" "spec_$1" "0 ${3%/*}" --visible move,clean --hide clean
done
verdict mimpl_3_u mspec_3 '1 58/92' --full
note 'after the error' "$(grep -o '[0-9]* of them after' "$work/out")" '30 of them after'
note 'the fourth action' "$(grep -c '^  4  move(3,2,0) .*blocked' "$work/out")" 1
verdict mspec_3 spec_3 '1 4/3' --visible move,clean
note 'clean at once' "$(grep -c '^  1  clean .*blocked' "$work/out")" 1
for rules in '' weak; do
    fair "$rules" '' '1 violated violated'
    fair "$rules" weak '1 violated violated'
    fair "$rules" strong '1 satisfied violated'
done
fair strong '' '1 violated satisfied'
fair strong weak '1 violated satisfied'
fair strong strong '0 satisfied satisfied'
"$VARABS" refines "$work/mimpl_3_u.xml" "$work/mspec_3.xml" --abstract-weak clean,move --strong @r1,@r2 \
    --strong @plan_clean,@plan_rearrange >"$work/out"
note 'unguarded is never fair' "$? $(grep -c '^  4  move(3,2,0) .*blocked' "$work/out")" '1 1'
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
