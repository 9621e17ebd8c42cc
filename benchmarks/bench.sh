#!/bin/sh
# bench.sh [--install] [GROUP...] — time varabs; see bench.py for the groups and the environment.
# --install gets hyperfine, GNU time and Spin first, where they are missing; all are optional.
set -eu
cd "$(dirname "$0")/.."

if [ "${1:-}" = --install ]; then
    shift
    missing=
    command -v hyperfine >/dev/null 2>&1 || missing="$missing hyperfine"
    [ -x /usr/bin/time ] || missing="$missing time"
    command -v spin >/dev/null 2>&1 || missing="$missing spin"
    if [ -n "$missing" ]; then
        as_root=
        [ "$(id -u)" -eq 0 ] || as_root=sudo
        # shellcheck disable=SC2086 # the packages are separate words
        $as_root env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y --no-install-recommends $missing >&2
    fi
fi
exec python3 benchmarks/bench.py "$@"
