#!/bin/sh
# run-tests.sh PART... — run parts of the tests on a program that is already built.
#
# Parts: order unit models found golden invalid cli readme library faults draw bench explore threads random
# corpus fuzz. Each is a command whose output ends with a line `N passed, N failed`, and which has no business
# with the others: there are as many at a time as processors. Their output goes to build/log/MODE/PART.log;
# here comes one line a part and, at the end, the sum. Environment: VARABS the program, BUILD the
# directory of the unit tests.
set -u
cd "$(dirname "$0")/.." || exit 1

VARABS=${VARABS:-build/varabs}
BUILD=${BUILD:-build/release}
case $VARABS in /*) ;; *) VARABS=$PWD/$VARABS ;; esac
export VARABS BUILD
# A busy machine is no failure; under the sanitizers the tests share one process, and the status of what
# they find is none of varabs.
export CK_TIMEOUT_MULTIPLIER=10 ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99
case $BUILD in */asan) export CK_FORK=no ;; esac
logs=build/log/${BUILD##*/}
mkdir -p "$logs"

run_part() { # PART — its line, as a whole, and what failed
    log=$logs/$1.log
    command=tests/$1/run.sh
    [ "$1" != unit ] || command=$BUILD/unit_tests
    "$command" >"$log" 2>&1
    status=$?
    last=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$log" | tail -n 1)
    passed=${last%% *}
    failed=${last#* passed, }
    failed=${failed% failed}
    if [ -z "$last" ] || { [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; }; then
        failed=$((${failed:-0} + 1)) # died without counting
        last="ended with status $status"
    fi
    echo "${passed:-0} $failed" >"$logs/$1.count"
    where=
    [ "$failed" -eq 0 ] || where=" (see $log)
$(grep -E '^(FAIL|ERROR|.*:[FE]:)' "$log" | head -n 20 | sed 's/^/    /')"
    printf '%-8s %s%s\n' "$1" "$last" "$where"
}

if [ "${1:-}" = --one ]; then
    run_part "$2"
    exit 0
fi
for part in "$@"; do rm -f "$logs/$part.count"; done
printf '%s\n' "$@" | xargs -P "$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)" -n 1 \
    scripts/run-tests.sh --one
for part in "$@"; do cat "$logs/$part.count" || echo 0 1; done |
    awk '{ passed += $1; failed += $2 } END {
        print passed + 0 " passed, " failed + 0 " failed"; exit failed > 0 }'
