#!/bin/sh
# run-tests.sh PART... — run parts of the tests on a program that is already built.
#
# Parts: unit models golden invalid cli draw faults explore threads random bench corpus fuzz. Each is a command whose
# output ends with a line `N passed, N failed`. Its output goes to build/log/PART.log; here comes one
# line a part and, at the end, the sum. Environment: VARABS the program, BUILD the directory of the unit tests.
set -u
cd "$(dirname "$0")/.." || exit 1

VARABS=${VARABS:-build/varabs}
BUILD=${BUILD:-build/release}
case $VARABS in /*) ;; *) VARABS=$PWD/$VARABS ;; esac
export VARABS BUILD
# A busy machine is no failure; under the sanitizers the tests share one process.
export CK_TIMEOUT_MULTIPLIER=10
case $BUILD in */asan) export CK_FORK=no ;; esac
logs=build/log/${BUILD##*/}
mkdir -p "$logs"

passed=0
failed=0
for part in "$@"; do
    log=$logs/$part.log
    case $part in
    unit) set -- "$BUILD/unit_tests" ;;
    *) set -- "tests/$part/run.sh" ;;
    esac
    if [ ! -x "$1" ]; then
        printf '%-8s not there: %s\n' "$part" "$1"
        failed=$((failed + 1))
        continue
    fi
    "$@" >"$log" 2>&1
    status=$?
    last=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1)
    p=${last%% *}
    f=$(echo "$last" | sed 's/^[0-9]* passed, \([0-9]*\) failed.*/\1/')
    if [ -z "$last" ] || { [ "$status" -ne 0 ] && [ "$f" -eq 0 ]; }; then
        f=$((${f:-0} + 1)) # died without counting
        last="ended with status $status"
    fi
    printf '%-8s %s%s\n' "$part" "$last" "$([ "$f" -eq 0 ] || echo " (see $log)")"
    [ "$f" -eq 0 ] || grep -E '^(FAIL|ERROR|.*:[FE]:)' "$log" | head -n 20 | sed 's/^/    /'
    passed=$((passed + ${p:-0}))
    failed=$((failed + f))
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
