#!/bin/sh
# Runs every fuzzing harness, as many at a time as there are processors.
#
# With BUILD=build/fuzz a fuzzer makes inputs for FUZZ_SECONDS, beginning with the corpus
# tests/fuzz/corpus/NAME; for harnesses that take whole documents also with the models of tests/models
# and benchmarks/models. What it finds new stays in build/fuzz/corpus/NAME; an input that crashes goes to
# build/fuzz/crash. Without FUZZ_SECONDS this is a test: it takes a second, if the corpus does not take
# more, and begins and ends without what was found. With another build the files are given to the harness,
# once each.
#
# GROUPS_EVERY=N only each Nth harness, beginning where CASES_AT=K says; `run.sh --names` lists which.
#
# Called again by itself as `run.sh --one NAME`.
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-build/fuzz}
export BUILD

fuzz() { # FOLDER...
    found=build/fuzz/corpus/$name
    [ -n "${FUZZ_SECONDS:-}" ] || found=build/fuzz/forgotten/$name
    mkdir -p "$found"
    quiet=0
    case $name in
    command | library | pins) quiet=3 ;;
    esac
    "build/fuzz/fuzz_$name" -max_total_time="${FUZZ_SECONDS:-1}" -timeout=600 \
        -close_fd_mask="$quiet" -rss_limit_mb=2048 -dict=tests/fuzz/uppaal.dict \
        -artifact_prefix="$PWD/build/fuzz/crash/$name-" "$found" "$@" >"$log" 2>&1
}
replay() { # FOLDER...
    find "$@" -type f -print0 | xargs -0 "$BUILD/replay_$name" >"$log" 2>&1
}
one() { # NAME
    name=$1
    log=$BUILD/fuzz-$name.log
    set --
    [ ! -d "tests/fuzz/corpus/$name" ] || set -- "$@" "tests/fuzz/corpus/$name"
    case $name in
    command) [ "$BUILD" != build/fuzz ] || set -- "$@" "$BUILD/seeds" ;; # else tests/golden has run them
    draw | explore | pipeline | pins) set -- "$@" tests/models benchmarks/models ;;
    esac
    how=replay
    [ "$BUILD" != build/fuzz ] || how=fuzz
    if $how "$@"; then
        echo "ok   $name: $(grep -E 'Done|stat::number' "$log" | head -n 1)"
    else
        echo "FAIL $name: $(grep -E 'SUMMARY|ERROR|Assertion' "$log" | tail -n 1)"
    fi
}

if [ "${1:-}" = --one ]; then
    one "$2"
    exit 0
fi
harnesses() {
    printf '%s\n' tests/fuzz/fuzz_*.c | sed 's/.*fuzz_\(.*\)\.c$/\1/' |
        awk -v n="${GROUPS_EVERY:-1}" -v at="${CASES_AT:-0}" 'NR % n == at % n'
}
if [ "${1:-}" = --names ]; then
    harnesses
    exit 0
fi
rm -rf build/fuzz/forgotten
mkdir -p build/fuzz/crash "$BUILD/seeds"
# Golden cases as archives, see fuzz_command.c; only a fuzzer begins with them.
for case in $([ "$BUILD" != build/fuzz ] || echo tests/golden/*/); do
    seed=$BUILD/seeds/$(basename "$case")
    : >"$seed"
    for file in "$case"args "$case"model*.xml "$case"*.json; do
        case $file in
        *'*'* | */expected*) continue ;;
        esac
        printf '@ %s\n' "$(basename "$file")" >>"$seed"
        cat "$file" >>"$seed"
    done
done
results=$(harnesses |
    xargs -P "$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)" -n 1 tests/fuzz/run.sh --one)
echo "$results"
failed=$(echo "$results" | grep -c '^FAIL')
echo "$(echo "$results" | grep -c '^ok') passed, $failed failed"
[ "$failed" -eq 0 ]
