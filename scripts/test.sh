#!/bin/sh
# test.sh — install what is missing, build, run the tests; some ten minutes on two idle processors.
# It says what it is doing. The last line is `N passed, N failed`, summed over all parts; logs are kept
# under build/log/, that of a part as build/log/MODE/PART.log.
set -u
cd "$(dirname "$0")/.." || exit 1
if [ $# -gt 0 ]; then
    echo "test.sh takes no arguments: it runs all tests. For some: make test PARTS='unit golden'" >&2
    exit 2
fi
mkdir -p build/log

fail() {
    echo "test.sh: $1"
    echo "0 passed, 1 failed"
    exit 1
}
build() { # MODE TARGET...
    mode=$1
    shift
    log=build/log/build-$mode.log
    begin=$(date +%s)
    echo "     build of mode $mode ..."
    make -j "$jobs" MODE="$mode" "$@" >"$log" 2>&1 || {
        grep -E 'error|Error|\*\*\*' "$log" | head -n 20
        fail "could not build MODE=$mode, see $log"
    }
    echo "ok   build of mode $mode: $(($(date +%s) - begin)) s"
}

scripts/install-deps.sh test || fail "something needed is missing"
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
# Which cases the sample has, see run-tests.sh.
export SAMPLE="${SAMPLE:-0}"
echo "     sample $SAMPLE; of one part: SAMPLE=$SAMPLE scripts/run-tests.sh PART"
replays=$(GROUPS_EVERY=3 CASES_AT=$SAMPLE tests/fuzz/run.sh --names | sed 's|^|build/asan/replay_|')
build release all pins pins-host build/release/replay_engine CFLAGS='-O2 -g1' # all that debuggers could know takes a fifth longer
# Hardly optimised, the builds for sanitizers take half the time, which is more than their tests lose by it: the unit
# tests do much, and the others little but begin. Of warnings the first build has told.
# shellcheck disable=SC2086 # several targets
build asan all unit pins pins-host $replays CFLAGS='-Og -g1 -w' # address and undefined behaviour sanitizers
build tsan all CC=clang CFLAGS='-O0 -g1 -w' # by the other compiler

# All at once, so that no processor waits for the end of a mode; the longest first. Of some parts a
# sample of the cases: `make asan` and `make test` look at all.
exec scripts/run-tests.sh cli random engine library asan/unit golden bench corpus explore export tsan/threads \
    page asan/models asan/pins asan/fuzz pins draw asan/golden faults models found readme site \
    asan/invalid invalid threads order
