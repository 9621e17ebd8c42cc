#!/bin/sh
# bench.sh [V...] — time varabs on the postal voting family with three candidates.
#
# One line for each number of voters and each removal: wall-clock seconds, peak memory and the
# size of the result. The removals are those of the family's publication (see postal.py) and, as
# the hardest case, all voter-indexed memory of the authority. A run longer than LIMIT seconds is
# ended. Memory below that of the Python that measures (some 14 MiB) shows as such.
# Environment: VARABS the program, LIMIT.
set -eu
cd "$(dirname "$0")/.."
VARABS=${VARABS:-build/varabs}
LIMIT=${LIMIT:-60}
[ $# -gt 0 ] || set -- 3 6 9 30 100 300 1000

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

measure() { # VOTERS TITLE REMOVAL...
    voters=$1
    title=$2
    shift 2
    python3 - "$voters" "$title" "$LIMIT" "$work/out.xml" "$VARABS" "$work/in.xml" "$@" --may \
        -o "$work/out.xml" --report "$work/out.json" <<'PYTHON'
import os, resource, subprocess, sys, time
voters, title, limit, out, *command = sys.argv[1:]
start = time.perf_counter()
try:
    done = subprocess.run(command, timeout=float(limit), capture_output=True)
    result = "" if os.path.exists(out) else f"no result, status {done.returncode}"
except subprocess.TimeoutExpired:
    result = "too long"
seconds = time.perf_counter() - start
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
size = f"{os.path.getsize(out)} bytes" if not result else result
print(f"{voters:>6}  {title:<22} {seconds:8.3f} s {peak:8.1f} MiB  {size}")
PYTHON
    rm -f "$work/out.xml"
}

echo "voters  removal                   time        memory  result"
for voters in "$@"; do
    benchmarks/postal.py "$voters" 3 -o "$work/in.xml"
    measure "$voters" "mem_sg, mem_vt" --remove Voter.mem_sg,Voter.mem_vt
    measure "$voters" "scoped declarations" --remove Voter.mem_dec@has,voted \
        --remove Authority.dec_recv@coll_vts
    measure "$voters" "both" --remove Voter.mem_sg,Voter.mem_vt \
        --remove Voter.mem_dec@has,voted --remove Authority.dec_recv@coll_vts
    measure "$voters" "dec_recv" --remove Authority.dec_recv
done
