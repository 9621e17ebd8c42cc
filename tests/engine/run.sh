#!/bin/sh
# `varabs engine` between a GUI and an engine, both of which are played: what goes through is unchanged in
# every mode, no process is left, and nothing is answered but where that is allowed. And `varabs verifyta` as programs
# in public call it. Environment: VARABS the program, BUILD the directory with replay_engine.
# shellcheck source=tests/begin.sh
. "$(dirname "$0")/../begin.sh"
export VARABS
for mode in pass shadow answer; do
    MODES=--mode=$mode python3 -B "$root/tests/engine/passing.py" >"$work/$mode.log" &
done
for script in deciding replay sizes callers killed streams; do
    python3 -B "$root/tests/engine/$script.py" >"$work/$script.log"
done
wait
cat "$work"/*.log >"$work/log"
sed '/^[0-9]* passed, [0-9]* failed$/d' "$work/log"
awk '/^[0-9]+ passed, [0-9]+ failed$/ { p += $1; f += $3; n++ }
     END { print p + 0 " passed, " f + (n < 9) " failed"; exit f > 0 || n < 9 }' "$work/log"
