#!/bin/sh
# test.sh — install what is missing, build, run every test.
# The last line is `N passed, N failed`, summed over all parts; logs are kept under build/log/.
set -u
cd "$(dirname "$0")/.." || exit 1
mkdir -p build/log

fail() {
    echo "test.sh: $1"
    echo "0 passed, 1 failed"
    exit 1
}

scripts/install-deps.sh test || fail "something needed is missing"
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)

# Sum up the `N passed, N failed` lines that end each run.
passed=0
failed=0
run() { # TITLE COMMAND...
    echo "== $1"
    shift
    "$@" >build/log/run.txt 2>&1
    status=$?
    last=$(tail -n 1 build/log/run.txt)
    case $last in
    *" passed, "*" failed")
        sed '$d' build/log/run.txt
        p=${last%% *}
        f=${last#* passed, }
        f=${f%% *}
        ;;
    *)
        cat build/log/run.txt
        p=0
        f=0
        ;;
    esac
    [ "$status" -eq 0 ] || [ "$f" -ne 0 ] || f=1
    passed=$((passed + p))
    failed=$((failed + f))
}
build() { # MODE TARGET...
    mode=$1
    shift
    log=build/log/build-$mode.log
    if ! make -j "$jobs" MODE="$mode" "$@" >"$log" 2>&1; then
        grep -E 'error|Error|\*\*\*' "$log" | head -n 20
        echo "could not build MODE=$mode, see $log"
        echo "0 passed, 1 failed"
        return 1
    fi
}
release() {
    build release all unit &&
        scripts/run-tests.sh order unit models found golden invalid cli readme library faults draw explore threads random bench corpus
}
asan() {
    build asan all unit && VARABS=build/asan/varabs BUILD=build/asan MODELS='tests/models/*.xml' \
        scripts/run-tests.sh unit models golden invalid explore threads
}
tsan() {
    build tsan all && VARABS=build/tsan/varabs BUILD=build/tsan scripts/run-tests.sh threads
}
fuzz() {
    build fuzz fuzzers && BUILD=build/fuzz FUZZ_SECONDS=${FUZZ_SECONDS:-5} scripts/run-tests.sh fuzz
}

run "release build" release
run "address and undefined behaviour sanitizers" asan
run "thread sanitizer" tsan
run "fuzzing" fuzz
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
