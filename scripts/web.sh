#!/bin/sh
# web.sh [sources] — the program for browsers and node: installs what is missing, builds with `make web`,
# and tests what came of it.
#
# build/web/ has then
#   varabs.wasm       the program as WebAssembly,
#   varabs.js         what starts it: a module for require(), for workers too, with files in memory,
#   varabs-node.js    the same for node alone, with the files of the machine: instantiateWasm is given varabs.wasm,
#   run.js            runs one command: see src/web/run.js,
#   licences.txt      the terms of what is linked with it,
#   varabs.html       all of it as one page, which opens from the disk: see src/web/page.
#
# `web.sh sources` gets the sources of the two libraries that the program is linked with, expat and jansson, into
# build/web/deps: Debian's packages of these names, with Debian's patches. Elsewhere, put them there by hand: folders
# expat (with lib/xmlparse.c) and jansson (with src/jansson.h).
set -eu
cd "$(dirname "$0")/.."
deps=build/web/deps

fail() {
    echo "web.sh: $1" >&2
    exit 1
}
# A list of sources like the list of packages that the system has, apart from its own.
get_sources() {
    mkdir -p $deps/apt/parts $deps/apt/lists/partial
    cat /etc/apt/sources.list.d/*.sources 2>/dev/null |
        sed 's/^Types:.*/Types: deb-src/' >$deps/apt/parts/all.sources
    cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
        sed -n 's/^deb /deb-src /p' >$deps/apt/parts/all.list
    options="-q -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts=$PWD/$deps/apt/parts
             -o Dir::State::Lists=$PWD/$deps/apt/lists"
    release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
    # shellcheck disable=SC2086 # several options
    (cd $deps && apt-get $options update && for name in expat jansson; do
        # A list of security updates may be newer than what is there to be got.
        apt-get $options source "$name" || apt-get $options -t "$release" source "$name/$release" || exit 1
    done) >$deps/apt/log 2>&1 || {
        tail -n 5 $deps/apt/log >&2
        fail "no sources of expat and jansson: see $deps/apt/log"
    }
}
sources() {
    if [ -e $deps/expat/lib/xmlparse.c ] && [ -e $deps/jansson/src/jansson.h ]; then return; fi
    mkdir -p $deps
    command -v apt-get >/dev/null || fail "no apt-get here: put the sources of expat and jansson into $deps"
    get_sources
    rm -rf $deps/expat $deps/jansson
    mv $deps/expat-*/expat $deps/expat
    mv $deps/jansson-*[0-9] $deps/jansson
    [ -e $deps/expat/COPYING ] || cp $deps/expat-*/COPYING $deps/expat/
}

case ${1:-all} in
sources) sources ;;
all)
    scripts/install-deps.sh web
    sources
    make web web-test
    ;;
*)
    echo "usage: web.sh [sources]" >&2
    exit 2
    ;;
esac
