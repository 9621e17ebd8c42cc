#!/bin/sh
# npm.sh — pack the program as WebAssembly for npm, as build/varabs-VERSION.tgz, and test it. It needs what
# scripts/web.sh installs.
set -eu
cd "$(dirname "$0")/.."

command -v npm >/dev/null || {
    echo "npm.sh: no npm here" >&2
    exit 1
}
scripts/install-deps.sh web
make npm
exec tests/npm/run.sh
