#!/bin/sh
# Runs every fuzzing harness in build/fuzz for FUZZ_SECONDS on its corpus tests/fuzz/corpus/NAME.
# Seeds of those that take whole documents are the models of tests/models and benchmarks/models,
# too.
# What it finds new stays in build/fuzz/corpus/NAME; an input that crashes goes to build/fuzz/crash.
set -u
cd "$(dirname "$0")/../.." || exit 1

seconds=${FUZZ_SECONDS:-30}
passed=0
failed=0
mkdir -p build/fuzz/crash
for source in tests/fuzz/fuzz_*.c; do
    [ -e "$source" ] || continue
    name=$(basename "$source" .c)
    name=${name#fuzz_}
    found=build/fuzz/corpus/$name
    mkdir -p "$found"
    set -- "$found"
    [ ! -d "tests/fuzz/corpus/$name" ] || set -- "$@" "tests/fuzz/corpus/$name"
    case $name in
    draw | explore | pipeline) set -- "$@" tests/models benchmarks/models ;;
    esac
    if "build/fuzz/fuzz_$name" -max_total_time="$seconds" -timeout=30 -rss_limit_mb=2048 \
        -dict=tests/fuzz/uppaal.dict \
        -artifact_prefix="build/fuzz/crash/$name-" "$@" >"build/fuzz/$name.log" 2>&1; then
        passed=$((passed + 1))
        echo "ok   $name: $(grep -E 'Done|stat::number' "build/fuzz/$name.log" | head -n 1)"
    else
        failed=$((failed + 1))
        echo "FAIL $name: $(grep -E 'SUMMARY|ERROR' "build/fuzz/$name.log" | tail -n 1)"
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
