#!/bin/sh
# run-cases.sh DIRECTORY [--accept] [CASE...] — run cases that are directories of plain files.
#
# A case is a directory holding
#   model.xml      the input, and any other file the arguments name
#   args           one line: the arguments of varabs, quoted as for a shell
# and any of
#   expected.xml   the model written to out.xml, to the byte
#   expected.json  the report written to out.json, without `timing` and the version of the tool
#   expected.out   standard output
#   expected.err   standard error
#   expected.states  states, transitions and deadlocks of the model that is written
#   status         the exit status, 0 if there is no such file
#   position       LINE:COLUMN at which the first error must be reported
# The case is copied to a temporary directory and varabs runs there, so messages name model.xml
# and nothing else. What is not expected by a file is not compared; expecting nothing is a mistake, and
# so is a directory without arguments. A model that is written must be one that varabs reads.
#
# --accept writes the expected files from what varabs does now. Read the difference before
# committing. Standard output and error are recorded where they were before, or where there is no
# model to compare, and states where they were. Environment: VARABS the program; CASES_EVERY=N only each Nth case; READ=no if
# another run has read the models that are expected.
set -u
directory=$1
shift
accept=
[ "${1:-}" = --accept ] && accept=yes && shift
root=$(cd "$(dirname "$0")/.." && pwd)
VARABS=${VARABS:-$root/build/varabs}
case $VARABS in /*) ;; *) VARABS=$PWD/$VARABS ;; esac
cd "$directory" || exit 1
[ $# -gt 0 ] || set -- */

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The report without what differs from run to run: the last member of `tool` and the last of all.
plain_json() { # FILE
    sed -z 's/\n  "$schema": "[^"]*",//; s/,\n    "version": "[^"]*"//; s/,\n  "timing": {[^}]*}//' "$1"
}
states() { # MODEL
    "$root/tests/limit.sh" 60 "$VARABS" check --full "$1" 2>&1 |
        sed -n 's/^\(states\|transitions\|deadlocks\)  */\1 /p'
}
record() { # PRODUCT EXPECTED
    if [ -s "$1" ]; then cp "$1" "$2"; else rm -f "$2"; fi
}
accept_case() { # CASE
    record got/out.xml "$1/expected.xml"
    record got/plain.json "$1/expected.json"
    for stream in out err; do
        if [ -e "$1/expected.$stream" ] || [ ! -e got/out.xml ]; then
            record "got/$stream" "$1/expected.$stream"
        fi
    done
    [ ! -e "$1/expected.states" ] || record got/states "$1/expected.states"
    rm -f "$1/status"
    [ "$status" -eq 0 ] || echo "$status" >"$1/status"
}
differs() { # EXPECTED PRODUCT
    [ -e "$1" ] || return 1
    ! diff -au "$1" "$2" 2>&1
}
expects_something() { # CASE
    for file in "$1"/expected.* "$1/position" "$1/status"; do
        [ ! -e "$file" ] || return 0
    done
    return 1
}
accepts() { # MODEL
    "$root/tests/limit.sh" 60 "$VARABS" info --budget 1 "$1" >got/refusal 2>&1
}
compare_case() { # CASE, prints what is wrong
    differs "$1/expected.xml" got/out.xml
    differs "$1/expected.json" got/plain.json
    differs "$1/expected.out" got/out
    differs "$1/expected.err" got/err
    differs "$1/expected.states" got/states
    expected=$(cat "$1/status" 2>/dev/null || echo 0)
    [ "$status" -eq "$expected" ] || echo "status $status, expected $expected"
    if [ -e "$1/position" ]; then
        error=$(grep ': error:' got/err | head -n 1)
        case $error in
        "model.xml:$(cat "$1/position"): error:"*) ;;
        *) echo "first error is not at $(cat "$1/position"): ${error:-no error line}" ;;
        esac
    fi
    [ ! -e got/out.xml ] || { [ "${READ:-}" = no ] && [ -e "$1/expected.xml" ]; } || accepts got/out.xml ||
        echo "out.xml is refused: $(tail -n 1 got/refusal)"
    expects_something "$1" || echo "the case expects nothing"
}

passed=0
failed=0
here=$PWD
number=0
for case in "$@"; do
    case=${case%/}
    number=$((number + 1))
    [ $((number % ${CASES_EVERY:-1})) -eq 0 ] || continue
    if [ ! -e "$here/$case/args" ]; then
        failed=$((failed + 1))
        echo "FAIL $case: it has no file args"
        continue
    fi
    rm -rf "$work/case" "$work/got"
    cp -R "$here/$case" "$work/case"
    mkdir "$work/got"
    cd "$work/case" || exit 1
    rm -f expected.* status position
    eval "\"\$root/tests/limit.sh\" 60 \"\$VARABS\" $(cat args)" \
        >"$work/got/out" 2>"$work/got/err" </dev/null
    status=$?
    [ ! -e out.xml ] || cp out.xml "$work/got/out.xml"
    [ ! -e out.json ] || plain_json out.json >"$work/got/plain.json"
    [ ! -e "$here/$case/expected.states" ] || states out.xml >"$work/got/states"
    cd "$work" || exit 1
    [ -z "$accept" ] || accept_case "$here/$case"
    if wrong=$(compare_case "$here/$case") && [ -z "$wrong" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $case"
        echo "$wrong" | sed 's/^/    /'
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
