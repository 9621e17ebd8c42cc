#!/bin/sh
# run-tests.sh [MODE/]PART... — run parts of the tests on programs that are already built.
#
# A part is a folder of tests/ with a run.sh, or `unit`; MODE is that of the build (see the Makefile),
# release if it is not said. Each is a command whose output ends with a line `N passed, N failed`, and
# which has no business with the others: there is one more at a time than processors, as some parts
# wait for signals and clocks, in the order given.
# Their output goes to build/log/MODE/PART.log; here comes a line when a part starts, one with its time
# when it ends, and last the sum.
#
# With SAMPLE=NUMBER, of many parts only some cases run, below each Nth; which, the number says. It is the same for
# all parts, and each case is in the sample of some number: with 0 to 23 all of them run.
set -u
cd "$(dirname "$0")/.." || exit 1

# Under the sanitizers the unit tests share one process, and the status of what they find is none of
# varabs. Limits count processor time (see tests/limit.sh): those of Check, and that of a part, only end
# what hangs.
export CK_TIMEOUT_MULTIPLIER=100 ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99

log_of() { # [MODE/]PART — build/log/MODE/PART
    case $1 in
    */*) echo "build/log/$1" ;;
    *) echo "build/log/release/$1" ;;
    esac
}
processor_time() { # FILE — seconds that children have taken, of what `times` said
    sed -n '2s/[ms]/ /gp' "$1" | awk '{ printf "%.0f", 60 * ($1 + $3) + $2 + $4 }'
}
sample() { # [MODE/]PART — of all cases, those that a run of all parts has time for
    export CASES_AT="$SAMPLE"
    case $1 in
    asan/golden) export CASES_EVERY=24 ;;
    corpus | draw | explore) export CASES_EVERY=24 GROUPS_EVERY=3 ;;
    cli) export CASES_EVERY=12 GROUPS_EVERY=5 ;;
    asan/invalid | asan/models) export CASES_EVERY=12 ;;
    golden) export REPORTS_EVERY=24 READ_EVERY=4 ;;
    random) export SEEDS_EVERY=8 ;;
    library | faults) export CASES_EVERY=3 FAULT_RUNS=2 ;;
    bench) export CASES_EVERY=8 ;;
    pins | asan/pins | threads) export CASES_EVERY=3 ;;
    tsan/threads | export) export CASES_EVERY=2 ;;
    asan/fuzz) export GROUPS_EVERY=3 ;;
    esac
}
run_part() { # [MODE/]PART — a line before and one behind it, and what failed
    log=$(log_of "$1")
    part=${log##*/}
    mode=$(basename "$(dirname "$log")")
    export BUILD="build/$mode" VARABS="$PWD/build/$mode/varabs"
    [ "$mode" != release ] || VARABS=$PWD/build/varabs
    case $mode in
    asan | fuzz) export CK_FORK=no SCHEMAS=no READ=no MODELS="${MODELS-tests/models/*.xml}" ;;
    esac
    [ -z "${SAMPLE:-}" ] || sample "$1"
    echo "     $1 ..."
    command="tests/$part/run.sh"
    [ "$part" != unit ] || command="tests/limit.sh 600 $BUILD/unit_tests"
    begin=$(date +%s)
    timeout 14400 $command >"$log.log" 2>&1
    status=$?
    seconds=$(($(date +%s) - begin))
    last=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$log.log" | tail -n 1)
    passed=${last%% *}
    failed=${last#* passed, }
    failed=${failed% failed}
    if [ -z "$last" ] || { [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; }; then
        failed=$((${failed:-0} + 1)) # died without counting
        last="ended with status $status"
    fi
    echo "${passed:-0} $failed" >"$log.count"
    where=
    [ "$failed" -eq 0 ] || where=" (see $log.log)
$(grep -E '^(FAIL|ERROR|.*:[FE]:)' "$log.log" | head -n 20 | sed 's/^/    /')"
    times >"$log.times"
    printf '%-4s %s: %s in %s s, %s s of processor time%s\n' \
        "$([ "$failed" -eq 0 ] && echo ok || echo FAIL)" "$1" "$last" "$seconds" \
        "$(processor_time "$log.times")" "$where"
}

if [ "${1:-}" = --one ]; then
    run_part "$2"
    exit 0
fi
for name in "$@"; do
    mkdir -p "$(dirname "$(log_of "$name")")"
    rm -f "$(log_of "$name").count"
done
# Python itself, not a script that looks for it at each of several hundred starts.
python=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null)
[ "$python" = "$(command -v python3)" ] || PATH=$(dirname "$python"):$PATH
processors=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
printf '%s\n' "$@" | xargs -P $((processors + 1)) -n 1 scripts/run-tests.sh --one
for name in "$@"; do
    cat "$(log_of "$name").count" || echo 0 1
done | awk '{ passed += $1; failed += $2 } END {
        print passed + 0 " passed, " failed + 0 " failed"; exit failed > 0 }'
