#!/bin/sh
# Explores models that are large enough to be shared between threads: figures and verdicts must not
# depend on the number of jobs, and limits must end the search, also where it starts over with
# wider fields. Made for the build with ThreadSanitizer (`make tsan`), which says where two threads
# meet; quick in others. Environment: VARABS.
# shellcheck source=tests/begin.sh
. "$(dirname "$0")/../begin.sh"
cd "$work" || exit 1

run() { # NAME WANTED-STATUS ARGUMENT...; the result, without what differs between runs, is in out
    label=$1
    wanted=$2
    shift 2
    rm -f out.json
    "$root/tests/limit.sh" 300 "$VARABS" check "$@" --engine explicit --json out.json >/dev/null 2>err
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
    run "$name, 1 job" "$@" --jobs 1
    mv out one
    for jobs in 3; do
        run "$name, $jobs jobs" "$@" --jobs "$jobs"
        expect "$name, as with 1 job" diff one out
    done
}

python3 -B "$root/benchmarks/postal.py" 4 2 -o postal.xml
python3 -B "$root/benchmarks/postal.py" 5 1 -o large.xml
python3 -B "$root/benchmarks/caches.py" 3 2 -o caches.xml
python3 -B "$root/benchmarks/election.py" 3 2 -o election.xml
for model in postal caches election; do
    same "$model" 1 $model.xml --full
    same "$model, stops early" 1 $model.xml --trace --semantics kripke
done
same 'fields start narrow' 1 postal.xml --full --first-look 2
for jobs in 1 3; do
    run "as many states as there are, $jobs jobs" 1 postal.xml --full --max-states 106353 \
        --jobs $jobs
    for states in 20000 70001; do
        run "$states states, $jobs jobs" 5 postal.xml --full --max-states $states --jobs $jobs
        expect "$states states, $jobs jobs" grep -q "\"states\": $states," out
    done
    run "memory, $jobs jobs" 5 large.xml --full --max-memory 5M --jobs $jobs
    run "time, $jobs jobs" 5 large.xml --full --timeout .05 --jobs $jobs
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
