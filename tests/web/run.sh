#!/bin/sh
# The program as WebAssembly (make web): the same bytes as the native one (same.js), and the page in a browser. Where it
# is not built, nothing is looked at, and it says so. Environment: VARABS; WEB, where it was built.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
VARABS=${VARABS:-$root/build/varabs}
WEB=${WEB:-$root/build/web}
export VARABS WEB
if [ ! -e "$WEB/run.js" ] || ! command -v node >/dev/null; then
    echo "skipped: no $WEB/varabs.wasm or no node here (scripts/web.sh)"
    echo "0 passed, 0 failed"
    exit 0
fi
exec node "$root/tests/web/same.js"
