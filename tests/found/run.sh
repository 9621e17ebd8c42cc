#!/bin/sh
# Models that varabs was once wrong about, which are not part of this repository: they are looked
# for in ../shared/models/found beside it, or in $VARABS_SHARED/models/found. Skips where there are
# none. What must come out is in cases.txt; run.py says how. Environment: VARABS the program.
set -u
here=$(cd "$(dirname "$0")" && pwd)
found=${VARABS_SHARED:-$here/../../../shared}/models/found
if [ ! -d "$found" ]; then
    echo "no models in $found: skipped"
    echo "0 passed, 0 failed"
    exit 0
fi
exec python3 -B "$here/run.py" "${VARABS:-$here/../../build/varabs}" "$found" "$here/cases.txt"
