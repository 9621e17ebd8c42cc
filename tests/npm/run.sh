#!/bin/bash
# The package for npm (make npm), installed into an empty folder without a network: its README's examples, the promise API,
# and the program, whose bytes are those of the native one. Where it is not built, nothing is looked at, and it says so.
# Environment: VARABS the native program; PACKAGE, the package.
# shellcheck source=tests/begin.sh
. "$(dirname "$0")/../begin.sh"
export VARABS
version=$(sed -n 's/^VERSION := //p' "$root/Makefile")
PACKAGE=${PACKAGE:-$root/build/varabs-$version.tgz}
if [ ! -e "$PACKAGE" ] || ! command -v npm >/dev/null; then
    echo "skipped: no $PACKAGE or no npm here (scripts/npm.sh)"
    echo "0 passed, 0 failed"
    exit 0
fi
expect() { # NAME COMMAND...
    local name=$1
    shift
    if "$@" >"$work/out" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $name"
        head -n 8 "$work/out"
    fi
}
status() { # STATUS COMMAND...
    local wanted=$1
    shift
    "$@" >"$work/text" 2>"$work/err"
    [ $? -eq "$wanted" ] || { cat "$work/text" "$work/err" && return 1; }
}
no_dependencies() { [ "$(ls node_modules)" = varabs ]; }
example() { # the README's
    awk '/^```js/ { on = 1; next } /^```/ { on = 0 } on' node_modules/varabs/README.md >example.js
    node example.js | diff - <(printf '0 model.may.json model.may.xml\n6 states\n')
}
sessions() { # what the README types
    sed -n 's/^    \$ //p' node_modules/varabs/README.md | while read -r line; do
        bash -c "$line" >/dev/null 2>&1
        [ $? -le 1 ] || { echo "$line" && return 1; }
    done
}
plain() { grep -Ev "^(time|memory) " "$1"; }
same() { # ARGUMENT... — status, both streams and out.xml are those of the native program
    local own native
    rm -f out.xml
    npx --offline varabs "$@" >a.out 2>a.err
    own=$?
    mv out.xml a.xml 2>/dev/null
    "$VARABS" "$@" >b.out 2>b.err
    native=$?
    [ $own -eq $native ] && diff <(plain a.out) <(plain b.out) && diff a.err b.err && { [ ! -e out.xml ] || cmp a.xml out.xml; }
}
typed() { # Typescript accepts the types, and refuses another use
    echo 'import { run } from "varabs"; run(["info"]).then((done) => done.status + 1);' >use.ts
    echo 'import { run } from "varabs"; run("info");' >misuse.ts
    tsc --noEmit --lib es2020,dom use.ts && ! tsc --noEmit --lib es2020,dom misuse.ts
}

mkdir "$work/empty folder" && cd "$work/empty folder" || exit 1
cp "$root/benchmarks/models/asv.xml" model.xml
expect 'it is installed' npm install --offline --no-audit --no-fund "$PACKAGE"
expect 'with nothing else' no_dependencies
expect 'with the terms of what it contains' grep -q 'Expat maintainers' node_modules/varabs/licences.txt
expect 'the example of the README' example
expect 'and its sessions' sessions
expect 'an abstraction' same model.xml --remove mem_vt --may -o out.xml
expect 'a check' same check model.xml --query 'E<> Coercer.informed' --jobs 1
cp model.xml 'a model.xml'
expect 'of a file with a blank' same info 'a model.xml'
expect 'a mistake' same model.xml --remove mem_vtt --may
expect 'its status' status 2 npx --offline varabs model.xml --remove mem_vtt --may
expect 'a model that is none' status 3 npx --offline varabs check node_modules/varabs/README.md
expect 'standard input' status 0 bash -c 'npx --offline varabs info - <model.xml'
expect 'and output' bash -c 'npx --offline varabs model.xml --remove mem_vt --may -o - | diff - <("$VARABS" model.xml --remove mem_vt --may -o -)'
expect 'a table' status 0 npx --offline varabs grid model.xml --remove mem_vt --csv -
expect 'with its rows' test "$(wc -l <"$work/text")" = 3
expect 'the promise API' node "$root/tests/npm/api.js"
! command -v tsc >/dev/null || expect 'its types' typed

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
