#!/bin/sh
# `varabs engine` between a GUI and an engine, both of which are played: what goes through is unchanged, and
# no process is left. Environment: VARABS the program.
# shellcheck source=tests/begin.sh
. "$(dirname "$0")/../begin.sh"
export VARABS
python3 -B "$root/tests/engine/passing.py" >"$work/log"
sed '/^[0-9]* passed, [0-9]* failed$/d' "$work/log"
awk '/^[0-9]+ passed, [0-9]+ failed$/ { p += $1; f += $3; n++ }
     END { print p + 0 " passed, " f + (n < 1) " failed"; exit f > 0 || n < 1 }' "$work/log"
