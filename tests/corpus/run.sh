#!/bin/sh
# Runs varabs on models that other people wrote, which are not part of this repository: they are
# looked for in ../shared beside it, or in $VARABS_SHARED. Skips where there are none.
#
#   models/corpus/index.csv   FILE,CLASS,...: timed_free models must be read and some of their
#                             variables removed in turn (or refused with a reason), timed ones, too,
#                             unless they are refused with status 4, invalid ones with status 3
#   models/postal             must be read and written back to the byte; its concrete models
#                             abstracted
#
# All are explored, too: see explore.py. The abstractions of the paper are made: see tables.py.
#
# Called again by itself, in parallel, as `run.sh --one CLASS FILE`. Environment: VARABS, REMOVALS
# (of a model: 1; each of its variables where there are fewer), CASES_EVERY=N only each Nth model to
# remove something and GROUPS_EVERY=N each Nth postal one, beginning where CASES_AT=K says.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
shared=${VARABS_SHARED:-$root/../shared}
VARABS=${VARABS:-$root/build/varabs}
case $VARABS in /*) ;; *) VARABS=$PWD/$VARABS ;; esac
export VARABS

bad() { # REASON, also shows what was said
    echo "FAIL $label: $1"
    [ ! -s "$work/err" ] || head -n 3 "$work/err" | sed 's/^/    /'
}
run() { # ARGUMENT..., sets $status
    "$root/tests/limit.sh" 60 "$VARABS" "$@" >"$work/out" 2>"$work/err" </dev/null
    status=$?
}
info_gives() { # STATUS, also asks for a reason
    run info --budget 200 "$file"
    if [ "$status" -ne "$1" ]; then
        bad "info: status $status, expected $1"
    elif [ "$1" -ne 0 ] && ! grep -q ': error: ' "$work/err"; then
        bad "info: status $status without a message"
    else
        echo ok
    fi
}
timed_gives() { # with clocks it is read, but for what is not supported
    run info --budget 200 "$file"
    if [ "$status" -eq 4 ] && grep -q ': error: ' "$work/err"; then
        echo ok
        exit 0
    fi
    info_gives 0 && rewrites
}
rewrites() {
    run info --rewrite "$work/copy.xml" "$file"
    if [ "$status" -ne 0 ]; then
        bad "rewrite: status $status"
    elif ! cmp -s "$file" "$work/copy.xml"; then
        bad "rewrite: not the same bytes"
    else
        echo ok
    fi
}
removes() { # VARIABLES
    rm -f "$work/out.xml" "$work/out.json"
    run "$file" --remove "$1" --may --budget 2000 -o "$work/out.xml" --report "$work/out.json"
    case $status in
    0)
        if ! xmllint --noout "$work/out.xml" 2>"$work/err"; then
            bad "$1: the output is not well-formed"
        elif ! "$VARABS" info --rewrite "$work/again.xml" "$work/out.xml" >/dev/null 2>"$work/err"; then
            bad "$1: the output is not accepted"
        else
            echo ok
        fi
        ;;
    4)
        if ! grep -q ': error: ' "$work/err"; then
            bad "$1: refused without a message"
        elif [ -e "$work/out.xml" ]; then
            bad "$1: refused, but an output was written"
        else
            echo "ok refused"
        fi
        ;;
    *) bad "$1: status $status" ;;
    esac
}
removable() {
    "$VARABS" info --budget 200 --json - "$file" 2>"$work/err" | awk -F '"' -v most="${REMOVALS:-1}" '
        /^  "variables": / { is_there = 1 }
        /^      "name": / { name = $4 }
        /^      "removable": true/ { names[count++] = name }
        END {
            step = int((count + most - 1) / most)
            for (i = 0; i < count; i += step) print names[i]
            exit !is_there
        }'
}
one() { # CLASS FILE
    file=$2
    label=${file#"$shared"/models/}
    label=${label#"$root"/tests/models/}
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    case $1 in
    timed) timed_gives ;;
    invalid) info_gives 3 ;;
    *) info_gives 0 && rewrites ;;
    esac
    case $1 in
    timed_free | timed)
        removable >"$work/names" || bad "no list of variables"
        while read -r name; do removes "$name"; done <"$work/names"
        ;;
    concrete)
        removes Voter.mem_sg,Voter.mem_vt
        removes Voter.mem_dec
        removes Authority.dec_recv
        ;;
    esac
}

if [ "${1:-}" = --one ]; then
    one "$2" "$3"
    exit 0
fi
if [ ! -e "$shared/models/corpus/index.csv" ]; then
    echo "skipped: no models in $shared"
    echo "0 passed, 0 failed"
    exit 0
fi
results=$(mktemp)
trap 'rm -f "$results"' EXIT
{
    python3 -c '
import csv, sys
for row in list(csv.DictReader(open(sys.argv[1] + "/index.csv")))[int(sys.argv[3]) % int(sys.argv[2])::int(sys.argv[2])]:
    print(row["class"], sys.argv[1] + "/" + row["file"], sep="\0", end="\0")' \
        "$shared/models/corpus" "${CASES_EVERY:-1}" "${CASES_AT:-0}"
    number=0
    for file in "$shared"/models/postal/*/*.xml; do
        number=$((number + 1))
        [ $((number % ${GROUPS_EVERY:-1})) = $((${CASES_AT:-0} % ${GROUPS_EVERY:-1})) ] || continue
        case $file in
        */c/*) printf 'concrete\0%s\0' "$file" ;;
        *) printf 'postal\0%s\0' "$file" ;;
        esac
    done
} | xargs -0 -P 2 -n 2 "$0" --one >"$results"
python3 -B "$root/tests/corpus/explore.py" "$VARABS" "$shared" >>"$results" 2>&1 ||
    echo "FAIL explore.py" >>"$results"
python3 -B "$root/tests/corpus/tables.py" "$VARABS" "$shared" >>"$results" 2>&1 ||
    echo "FAIL tables.py" >>"$results"
grep -v '^ok' "$results"
passed=$(grep -c '^ok' "$results")
failed=$(grep -c '^FAIL' "$results")
echo "$(grep -c '^ok refused' "$results") removals refused with a reason"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
