#!/bin/bash
# Every subcommand with calls of the C library that fail: memory, writing, threads. Whatever fails, the
# program ends with a status and a message of its own, leaves no temporary file, and what it wrote is whole.
#
#   tests/faults/run.sh [RUNS]     at most so many runs for each command and kind of failure (default 40)
#
# Environment: VARABS the program, CC the compiler for fail.c.
# shellcheck source=tests/begin.sh
. "$(dirname "$0")/../begin.sh"
runs=${1:-40}
cd "$work" || exit 1

if ! ${CC:-cc} -shared -fPIC -O1 -o fail.so "$root/tests/faults/fail.c" -ldl 2>cc.log; then
    echo 'skipped: cannot build a library to preload'
    echo '0 passed, 0 failed'
    exit 0
fi
cp "$root/benchmarks/models/postal_3_2.xml" in.xml
cp "$root/benchmarks/models/asv.xml" asv.xml
"$VARABS" in.xml --remove mem_sg,mem_vt --may -o lean.xml --report lean.json >/dev/null || exit 1

same() { # FILE — without what differs from run to run, and which engine had memory enough to end
    grep -Ev '"([a-z_]*(second|byte|memory)[a-z_]*|engine)": ' "$1"
}

is_whole() { # FILE — a result that says that memory, as a limit, ended the run is another one
    same "$1" | cmp -s - "right.$1" ||
        { grep -q '"limit": "memory"' "$1" && python3 -m json.tool "$1" >/dev/null; }
}

judge() { # STATUS EXPECTED NAME
    local status=$1 expected=$2 name=$3 reason=''
    if [ "$status" -ge 124 ]; then
        reason="status $status"
    elif [ "$status" -ne "$expected" ] && ! grep -Eq 'error: |memory ended|unknown' err text; then
        reason="status $status without a message"
    elif [ -n "$(find . -name '.*.??????' -type f)" ]; then
        reason='a temporary file is left'
        find . -name '.*.??????' -type f -delete
    fi
    for file in out.*; do
        [ ! -e "$file" ] || is_whole "$file" || reason="$file is not whole"
    done
    if [ -z "$reason" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $name: $reason: $(tail -n 1 err)"
    fi
}

try() { # NAME ARGUMENT...
    local name=$1 group on count step at expected
    shift
    rm -f out.* right.*
    "$root/tests/limit.sh" 60 "$VARABS" "$@" >/dev/null 2>&1
    expected=$?
    for file in out.*; do
        [ ! -e "$file" ] || same "$file" >"right.$file"
    done
    for group in memory write thread; do
        "$root/tests/limit.sh" 60 env FAIL_GROUP=$group FAIL_COUNT="$work/count" \
            LD_PRELOAD="$work/fail.so" "$VARABS" "$@" >/dev/null 2>&1
        count=$(cat count)
        step=$((count / runs + 1))
        for ((at = 1; at <= count; at += step)); do
            for on in '' 1; do
                rm -f out.*
                "$root/tests/limit.sh" 60 env ${on:+FAIL_ON=1} FAIL_GROUP=$group FAIL_AT=$at \
                    LD_PRELOAD="$work/fail.so" "$VARABS" "$@" >text 2>err
                judge $? "$expected" "$name: $group call $at of $count${on:+ and all later ones}"
            done
        done
    done
}

try abstract in.xml --remove Authority.dec_recv,mem_sg --may -o out.xml --report out.json
try must asv.xml --remove mem_vt@voted --must -o out.xml --report out.json
try info info asv.xml --json out.json
try check check in.xml --full --trace --jobs 2 --first-look 20 --json out.json
try liveness check in.xml --semantics kripke --query 'A<> Authority.coll_vts' --trace --json out.json
try certify certify in.xml lean.xml --exact --stutter --json out.json

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
