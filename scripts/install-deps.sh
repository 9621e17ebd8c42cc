#!/bin/sh
# install-deps.sh — install what is missing to build varabs (`build`), to test it too (`test`), for
# browsers as well (`web`), or to write the documents as a site (`site`).
# Looks first, and calls apt-get only when something is not there.
set -eu

missing=
need_command() { # COMMAND PACKAGE
    command -v "$1" >/dev/null 2>&1 || missing="$missing $2"
}
need_library() { # PKG-CONFIG-NAME PACKAGE
    pkg-config --exists "$1" 2>/dev/null || missing="$missing $2"
}
install_missing() {
    [ -n "$missing" ] || return 0
    echo "installing:$missing"
    if ! command -v apt-get >/dev/null 2>&1; then
        echo "install-deps: no apt-get here; please install:$missing" >&2
        exit 1
    fi
    as_root=
    if [ "$(id -u)" -ne 0 ]; then
        as_root=sudo
    fi
    log=$(mktemp)
    # shellcheck disable=SC2086 # the packages are separate words
    if ! { $as_root env DEBIAN_FRONTEND=noninteractive apt-get update &&
        $as_root env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y --no-install-recommends $missing; } >"$log" 2>&1; then
        cat "$log" >&2
        echo "install-deps: could not install:$missing" >&2
        exit 1
    fi
    rm -f "$log"
    missing=
}

need_command gcc gcc
need_command make make
need_command pkg-config pkg-config
need_library expat libexpat1-dev
need_library jansson libjansson-dev
# gcc comes without the C library's headers where recommended packages are not installed.
[ -e /usr/include/stdio.h ] || missing="$missing libc6-dev"
case ${1:-build} in
build) ;;
test)
    need_library check check
    need_command clang clang
    need_command clang-format clang-format
    need_command python3 python3
    need_command mandoc mandoc
    need_command spin spin
    python3 -m pip --version >/dev/null 2>&1 || missing="$missing python3-pip"
    need_command xmllint libxml2-utils
    python3 -c 'import jsonschema' 2>/dev/null || missing="$missing python3-jsonschema"
    ;;
web)
    need_command emcc emscripten
    need_command node nodejs
    need_command python3 python3
    need_command dpkg-source dpkg-dev
    need_command chromium chromium
    [ -e /usr/share/nodejs/acorn ] || missing="$missing node-acorn"
    ;;
site)
    need_command pandoc pandoc
    need_command python3 python3
    ;;
*)
    echo "usage: install-deps.sh [build|test|web|site]" >&2
    exit 2
    ;;
esac
install_missing

# The fuzzing and sanitizer runtimes come in a package named after clang's version.
if [ "${1:-build}" = test ]; then
    version=$(clang -dumpversion | cut -d. -f1)
    echo 'int LLVMFuzzerTestOneInput(const char *d, unsigned long n);
          int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return d && n > 9 ? 0 : 0; }' |
        clang -fsanitize=fuzzer,address -x c - -o /dev/null 2>/dev/null ||
        missing=" libclang-rt-$version-dev"
    install_missing
fi
