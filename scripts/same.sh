#!/bin/sh
# same.sh BEFORE AFTER [A..B] — do two programs answer alike?
#
# Runs both on every case of tests/golden and tests/invalid, on each model of benchmarks/ and of
# tests/models with --auto --may and with --auto --must, and on random models of the seeds A..B, 1..300
# by default, with removals of all kinds (tests/random/write_cases.py; ten minutes on two processors,
# 1..30 takes one or two). Compares the model, the report without timing and version, standard output,
# messages and exit status, to the byte. Prints where they differ; the exit status is 1 if they do.
# Random cases are kept in build/same, so that they are made once.
set -u

compare_case() { # DIRECTORY, prints what differs
    rm -rf "$work/case"
    for program in before after; do
        cp -R "$1" "$work/case"
        # shellcheck disable=SC2154 # before and after, from the environment
        (eval "cd \"$work/case\" && timeout 60 \"\$$program\" $(cat "$1/args")") \
            >"$work/$program.out" 2>"$work/$program.err" </dev/null
        echo "status $?" >>"$work/$program.out"
        sed -i '/^time  *[0-9.]* s/d' "$work/$program.out"
        for file in out.xml out.json; do
            echo "== $file"
            [ ! -e "$work/case/$file" ] || sed -z 's/,\n    "version": "[^"]*"//
                s/,\n  "timing": {[^}]*}//' "$work/case/$file"
        done >>"$work/$program.out"
        rm -rf "$work/case"
    done
    cmp -s "$work/before.err" "$work/after.err" && cmp -s "$work/before.out" "$work/after.out" && return
    echo "DIFFERS $1"
    diff "$work/before.err" "$work/after.err" | head -n 6
    diff "$work/before.out" "$work/after.out" | head -n 20
}
if [ "$1" = --batch ]; then
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    shift
    for directory in "$@"; do compare_case "$directory"; done
    exit 0
fi

before=$(realpath "$1")
after=$(realpath "$2")
seeds=${3:-1..300}
export before after
cd "$(dirname "$0")/.." || exit 1
cases=$PWD/build/same
mkdir -p "$cases/models"
[ -e "$cases/$seeds.done" ] || {
    python3 -B tests/random/write_cases.py "$cases/$seeds" "$seeds" && : >"$cases/$seeds.done"
} || exit 1
for model in tests/models/*.xml benchmarks/models/*.xml; do
    for mode in may must; do
        folder=$cases/models/$(basename "$model" .xml)-$mode
        mkdir -p "$folder"
        cp "$model" "$folder/model.xml"
        echo "model.xml --auto --$mode -o out.xml --report out.json" >"$folder/args"
    done
done
found=$(mktemp)
trap 'rm -f "$found"' EXIT
find "$PWD/tests/golden" "$PWD/tests/invalid" "$cases/models" "$cases/$seeds" -name args -exec dirname {} + |
    sort | xargs -P "$(getconf _NPROCESSORS_ONLN)" -n 25 scripts/same.sh --batch >"$found"
cat "$found"
echo "$(find "$PWD/tests/golden" "$PWD/tests/invalid" "$cases/models" "$cases/$seeds" -name args | wc -l) compared," \
    "$(grep -c '^DIFFERS' "$found") differ"
! grep -q '^DIFFERS' "$found"
