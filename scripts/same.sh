#!/bin/sh
# same.sh BEFORE AFTER [A..B] — do two programs answer alike?
#
# Runs both on every case of tests/golden and tests/invalid; on random models of the seeds A..B, 1..300
# by default, with removals of all kinds (tests/random/tools/write_cases.py; ten minutes on two processors,
# 1..30 takes one or two); and on each model of benchmarks/ and of tests/models by all commands:
# --auto --may and --auto --must with `certify` of what comes of it, `check` by either engine,
# `suggest`, `decide`, and `refines`. Compares the model, the report, standard output, messages and exit
# status, to the byte, but for times, memory and version. Prints where they differ; the exit status is
# 1 if they do. Random cases are kept in build/same, so that they are made once.
set -u

compare_case() { # DIRECTORY, prints what differs
    rm -rf "$work/case"
    for program in before after; do
        cp -R "$1" "$work/case"
        while read -r arguments || [ -n "$arguments" ]; do
            # shellcheck disable=SC2154 # before and after, from the environment
            (eval "cd \"$work/case\" && timeout 60 \"\$$program\" $arguments") 2>&3 </dev/null
            echo "status $?"
        done <"$1/args" >"$work/$program.out" 3>"$work/$program.err"
        for file in out.xml out.json; do
            echo "== $file"
            [ ! -e "$work/case/$file" ] || cat "$work/case/$file"
        done >>"$work/$program.out"
        sed -i -E -e '/^(time|memory)  *[0-9.]+ /d' -e '/^ *"(version|[a-z_]*seconds|[a-z_]*bytes[a-z_]*)": /d' \
            "$work/$program.out"
        sed -i -z -e 's/,\n  "timing": {[^}]*}//g' "$work/$program.out"
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
    python3 -B tests/random tools/write_cases "$cases/$seeds" "$seeds" && : >"$cases/$seeds.done"
} || exit 1
add_case() { # MODEL NAME, the lines of arguments on standard input
    folder=$cases/models/$(basename "$1" .xml)-$2
    mkdir -p "$folder"
    cp "$1" "$folder/model.xml"
    cat >"$folder/args"
}
for model in tests/models/*.xml benchmarks/models/*.xml benchmarks/examples/*/*.xml; do
    for mode in may must; do
        add_case "$model" $mode <<END
model.xml --auto --$mode -o out.xml --report out.json
certify model.xml out.xml --$mode --report out.json --max-states 100000 --json -
END
    done
    add_case "$model" commands <<END
info model.xml --json -
check model.xml --full --engine explicit --max-states 100000 --trace --json -
check model.xml --full --engine symbolic --max-memory 1G --json -
suggest model.xml --json -
decide model.xml --max-states 100000 --json -
refines model.xml model.xml --max-states 100000 --json -
END
done
found=$(mktemp)
trap 'rm -f "$found"' EXIT
find "$PWD/tests/golden" "$PWD/tests/invalid" "$cases/models" "$cases/$seeds" -name args -exec dirname {} + |
    sort | xargs -P "$(getconf _NPROCESSORS_ONLN)" -n 25 scripts/same.sh --batch >"$found"
cat "$found"
echo "$(find "$PWD/tests/golden" "$PWD/tests/invalid" "$cases/models" "$cases/$seeds" -name args | wc -l) compared," \
    "$(grep -c '^DIFFERS' "$found") differ"
! grep -q '^DIFFERS' "$found"
