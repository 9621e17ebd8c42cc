#!/bin/sh
# Golden cases: a model, the arguments, and what must come out. See ../run_cases.py.
# Without arguments, the JSON that varabs writes is checked as well: see ../schema/check.py. Environment:
# SCHEMAS=no leaves that out.
set -u
here=$(cd "$(dirname "$0")" && pwd)
[ $# -eq 0 ] && [ "${SCHEMAS:-}" != no ] || exec "$here/../run_cases.py" "$here" "$@"

log=$(mktemp)
trap 'rm -f "$log"' EXIT
"$here/../run_cases.py" "$here" >"$log"
python3 -B "$here/../schema/check.py" >>"$log" ||
    grep -q '^[0-9]* passed, [1-9][0-9]* failed$' "$log" || echo "0 passed, 1 failed" >>"$log"
sed '/^[0-9]* passed, [0-9]* failed$/d' "$log"
awk '/^[0-9]+ passed, [0-9]+ failed$/ { p += $1; f += $3 }
     END { print p + 0 " passed, " f + 0 " failed"; exit f > 0 }' "$log"
