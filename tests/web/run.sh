#!/bin/sh
# The program as WebAssembly (make web): the same bytes as the native one (same.js), and varabs.html in a
# browser (page.py). Where it is not built, nothing is looked at, and it says so. Environment: VARABS; WEB,
# where it was built; PICTURES, a folder for pictures.
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
{
    node "$root/tests/web/same.js"
    python3 -B "$root/tests/web/page.py"
} | awk '/^[0-9]+ passed, [0-9]+ failed$/ { p += $1; f += $3; parts++; next } { print }
     END { if (parts < 2) f++; print p + 0 " passed, " f + 0 " failed"; exit f > 0 }'
