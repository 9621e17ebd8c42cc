#!/bin/sh
# Runs every fuzzing harness in build/fuzz for FUZZ_SECONDS on its corpus tests/fuzz/corpus/NAME, as
# many at a time as there are processors. Seeds of those that take whole documents are the models of
# tests/models and benchmarks/models, too.
# What it finds new stays in build/fuzz/corpus/NAME; an input that crashes goes to build/fuzz/crash.
#
# Called again by itself as `run.sh --one NAME`.
set -u
cd "$(dirname "$0")/../.." || exit 1

one() { # NAME
    name=$1
    found=build/fuzz/corpus/$name
    mkdir -p "$found"
    set -- "$found"
    [ ! -d "tests/fuzz/corpus/$name" ] || set -- "$@" "tests/fuzz/corpus/$name"
    quiet=0
    case $name in
    command) quiet=3 && set -- "$@" build/fuzz/seeds ;;
    draw | explore | pipeline) set -- "$@" tests/models benchmarks/models ;;
    esac
    if "build/fuzz/fuzz_$name" -max_total_time="${FUZZ_SECONDS:-30}" -timeout=600 \
        -close_fd_mask="$quiet" -rss_limit_mb=2048 -dict=tests/fuzz/uppaal.dict \
        -artifact_prefix="build/fuzz/crash/$name-" "$@" >"build/fuzz/$name.log" 2>&1; then
        echo "ok   $name: $(grep -E 'Done|stat::number' "build/fuzz/$name.log" | head -n 1)"
    else
        echo "FAIL $name: $(grep -E 'SUMMARY|ERROR' "build/fuzz/$name.log" | tail -n 1)"
    fi
}

if [ "${1:-}" = --one ]; then
    one "$2"
    exit 0
fi
mkdir -p build/fuzz/crash build/fuzz/seeds
# Golden cases as archives, see fuzz_command.c.
for case in tests/golden/*/; do
    seed=build/fuzz/seeds/$(basename "$case")
    : >"$seed"
    for file in "$case"args "$case"model*.xml "$case"*.json; do
        case $file in
        *'*'* | */expected*) continue ;;
        esac
        printf '@ %s\n' "$(basename "$file")" >>"$seed"
        cat "$file" >>"$seed"
    done
done
results=$(printf '%s\n' tests/fuzz/fuzz_*.c | sed 's/.*fuzz_\(.*\)\.c$/\1/' |
    xargs -P "$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)" -n 1 tests/fuzz/run.sh --one)
echo "$results"
failed=$(echo "$results" | grep -c '^FAIL')
echo "$(echo "$results" | grep -c '^ok') passed, $failed failed"
[ "$failed" -eq 0 ]
