#!/bin/sh
# Explores models that are large enough to be shared between threads: figures and verdicts must not
# depend on the number of jobs, and limits must end the search, also where it starts over with
# wider fields. Made for the build with ThreadSanitizer (`make tsan`), which says where two threads
# meet; quick in others. Environment: VARABS; BUILD, CC, for a host of the
# library; CASES_EVERY=N of what must be the same only each Nth, beginning where CASES_AT=K says.
# shellcheck source=tests/begin.sh
. "$(dirname "$0")/../begin.sh"
cd "$work" || exit 1

run() { # NAME WANTED-STATUS ARGUMENT...; the result, without what differs between runs, is in out:
    # of check, or of what the first argument names
    label=$1
    wanted=$2
    shift 2
    rm -f out.json
    case $1 in
        refines) "$root/tests/limit.sh" 300 "$VARABS" "$@" --json out.json >/dev/null 2>err ;;
        *) "$root/tests/limit.sh" 300 "$VARABS" check "$@" --engine explicit --symmetry "$symmetry" --json out.json >/dev/null 2>err ;;
    esac
    status=$?
    if [ "$status" -ne "$wanted" ] || grep -q 'Sanitizer' err; then
        failed=$((failed + 1))
        echo "FAIL $label: status $status, expected $wanted"
        grep -v '^$' err | head -n 12 | sed 's/^/    /'
    else
        passed=$((passed + 1))
    fi
    grep -v -e '"seconds"' -e '"peak_bytes"' -e '"bytes_per_state"' -e '"jobs"' out.json >out 2>&1
}
expect() { # NAME COMMAND...
    label=$1
    shift
    if "$@" >differences; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $label"
        head -n 6 differences | sed 's/^/    /'
    fi
}
same() { # NAME WANTED-STATUS ARGUMENT... — the same for each number of jobs
    name=$1
    shift
    row=$((${row:-0} + 1))
    [ $((row % ${CASES_EVERY:-1})) = $((${CASES_AT:-0} % ${CASES_EVERY:-1})) ] || return
    run "$name, 1 job" "$@" --jobs 1
    mv out one
    run "$name, 3 jobs" "$@" --jobs 3
    expect "$name, as with 1 job" diff one out
}

symmetry=off
python3 -B "$root/benchmarks/postal.py" 4 2 -o postal.xml
python3 -B "$root/benchmarks/postal.py" 5 1 -o large.xml
python3 -B "$root/benchmarks/caches.py" 3 2 -o caches.xml
python3 -B "$root/benchmarks/election.py" 3 2 -o election.xml
for model in postal caches election; do
    same "$model" 1 $model.xml --full
    same "$model, stops early" 1 $model.xml --trace --semantics kripke
done
symmetry=auto
same 'postal, by orbits' 1 postal.xml --full
symmetry=off
same 'fields start narrow' 1 postal.xml --full --first-look 2
for jobs in 1 3; do
    run "as many states as there are, $jobs jobs" 1 postal.xml --full --max-states 106353 \
        --jobs $jobs
    for states in 20000 70001; do
        run "$states states, $jobs jobs" 5 postal.xml --full --max-states $states --jobs $jobs
        expect "$states states, $jobs jobs" grep -q "\"states\": $states," out
    done
    run "memory, $jobs jobs" 5 large.xml --full --max-memory 5M --jobs $jobs
    run "time, $jobs jobs" 5 large.xml --full --timeout .005 --jobs $jobs
done

# Refinement: what threads expand ahead must come out as if there were none, errors, labels that are
# computed, values that do not fit their fields and all.
python3 -B "$root/benchmarks/agents/tower.py" 6 mspec -o mspec.xml
python3 -B "$root/benchmarks/agents/tower.py" 6 spec -o spec.xml
sed 's/can(x, y, z) \&amp;\&amp; !goal()/& \&amp;\&amp; !(x == 4 \&amp;\&amp; on[5] == 6)/' mspec.xml >fewer.xml
sed 's/cleaned = true/cleaned = false/' mspec.xml >hidden.xml
cat >grid.xml <<'EOM'
<nta><declaration>int x, y, z; bool late; broadcast chan a[3], b;</declaration>
<template><name>P</name><location id="l"/><init ref="l"/>
<transition><source ref="l"/><target ref="l"/><label kind="guard">x &lt; 30</label><label kind="synchronisation">a[x % 2]!</label><label kind="assignment">x++</label></transition>
<transition><source ref="l"/><target ref="l"/><label kind="guard">y &lt; 30</label><label kind="assignment">y++</label><label kind="comments">@a(1 + x % 2)</label></transition>
<transition><source ref="l"/><target ref="l"/><label kind="guard">z &lt; 30</label><label kind="assignment">z++</label></transition>
<transition><source ref="l"/><target ref="l"/><label kind="guard">1 / (20 - z) &gt; 0</label><label kind="synchronisation">b!</label><label kind="assignment">late = true</label></transition>
</template><system>system P;</system></nta>
EOM
python3 -c 'import sys
sys.exit("fewer.xml is mspec.xml" if open("fewer.xml").read() == open("mspec.xml").read() else 0)' || failed=$((failed + 1))
same 'a model refines itself' 0 refines mspec.xml mspec.xml
same 'what is blocked' 1 refines mspec.xml fewer.xml
same 'what is behind it' 1 refines mspec.xml fewer.xml --full
same 'hidden steps' 0 refines hidden.xml hidden.xml --hide clean --model failures
same 'fairness' 1 refines mspec.xml mspec.xml --weak move --abstract-weak clean
same 'sets of states' 1 refines mspec.xml spec.xml --visible move,clean
same 'narrow fields' 5 refines grid.xml grid.xml --visible a,b
same 'a limit of states' 5 refines mspec.xml mspec.xml --max-states 5000

# The library: what begins to run in one thread while another one forks.
BUILD=$root/${BUILD:-build/release}
forks() {
    # shellcheck disable=SC2046 # several flags, or none
    ${CC:-cc} -std=c17 -pthread -I "$root/src/api" -o host "$root/tests/library/host.c" \
        "$BUILD/libvarabs.a" $(pkg-config --libs expat jansson) -lm || return 1
    "$root/tests/limit.sh" 300 ./host forks "$root/benchmarks/models/asv.xml" >text 2>&1
    grep -qx 'status 0' text && ! grep Sanitizer text
}
# Allocators of sanitizers do not take forks amid threads: the child may wait for a lock for ever.
case $(basename "$BUILD") in
    asan | tsan) ;;
    *) expect 'forks while runs begin' forks ;;
esac
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
