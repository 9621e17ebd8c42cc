#!/bin/bash
# Every command, with every option, with calls of the C library that fail: memory, opening, writing, threads.
# Whatever fails, the program ends with a status and a message of its own, leaves no temporary file, and
# what it wrote is whole. What goes by `varabs engine` goes on all the same, or there is a message.
#
#   tests/faults/run.sh [RUNS]     at most so many runs for each case and kind of failure (default 6), and
#                                  as many in which all later calls fail, too; 0: each call (make faults)
#
# Environment: VARABS the program, CC the compiler for fail.c, FAULT_RUNS another default, CASES_EVERY=N
# only each Nth command, beginning where CASES_AT=K says.
# shellcheck source=tests/begin.sh
. "$(dirname "$0")/../begin.sh"
export VARABS FAIL=$work/fail.so
runs=${1:-${FAULT_RUNS:-6}}

if ! ${CC:-cc} -shared -fPIC -O1 -o "$FAIL" "$root/tests/faults/fail.c" -ldl 2>"$work/cc.log"; then
    echo 'skipped: cannot build a library to preload'
    echo '0 passed, 0 failed'
    exit 0
fi
{
    python3 -B "$root/tests/faults/faults.py" "$root/tests/faults/cases.txt" "$runs"
    python3 -B "$root/tests/faults/engine.py" "$runs"
} >"$work/log"
sed '/^[0-9]* passed, [0-9]* failed$/d' "$work/log"
awk '/^[0-9]+ passed, [0-9]+ failed$/ { p += $1; f += $3; n++ }
     END { print p + 0 " passed, " f + (n < 2) " failed"; exit f > 0 || n < 2 }' "$work/log"
