#!/bin/sh
# wheel.sh [FOLDER] — build a wheel of the Python package, with library and program inside, and a source package, both in
# build/ or the folder. They are installed by: pip install --no-index build/varabs-VERSION-*.whl
# The same sources and tools give the same bytes: times are those of the last commit.
set -eu
cd "$(dirname "$0")/.."

scripts/install-deps.sh build
: "${SOURCE_DATE_EPOCH:=$(git log -1 --format=%ct 2>/dev/null || date +%s)}"
export SOURCE_DATE_EPOCH
for what in wheel sdist; do
    PYTHONDONTWRITEBYTECODE=1 python3 src/api/python/backend.py $what "${1:-build}" 2>"build/$what.log" || {
        cat "build/$what.log" >&2
        exit 1
    }
done
