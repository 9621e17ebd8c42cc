#!/bin/sh
# Random models, abstracted and judged by an explorer that shares nothing with varabs, and random
# models and queries, checked and compared with that explorer: see README.md. A bounded run over
# fixed ranges of seeds, minutes long.
# Environment: VARABS the program, TIMES (1) as many seeds of each kind, SEEDS_EVERY=N
# an Nth part of them.
set -u
here=$(cd "$(dirname "$0")" && pwd)
VARABS=${VARABS:-$here/../../build/varabs}
passed=0
failed=0

work=$(mktemp -d)
log=$work/log
export PYTHONPYCACHEPREFIX="$work" # read once, and nothing is left beside the sources
trap 'rm -rf "$work"' EXIT

seeds() { # FIRST COUNT
    echo "$1..$(($1 + ($2 * ${TIMES:-1} + ${SEEDS_EVERY:-1} - 1) / ${SEEDS_EVERY:-1} - 1))"
}
count() { # adds what the log says
    counts=$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$log")
    # shellcheck disable=SC2086 # two numbers
    set -- ${counts:-0 1}
    [ -n "$counts" ] || tail -n 5 "$log" | sed 's/^/FAIL died: /'
    passed=$((passed + $1))
    failed=$((failed + $2))
}
judge() { # ARGUMENTS...
    python3 "$here/run.py" --varabs "$VARABS" --jobs 2 "$@" >"$log" 2>&1
    sed '/^seed [0-9]*: warning: /!s/^seed /FAIL &/' "$log"
    count
}
compare() { # NAME SEEDS
    python3 "$here" "$1" --varabs "$VARABS" --jobs 2 --seeds "$2" >"$log" 2>&1
    sed -n "/^seed [0-9]*: was refused/!s|^seed |FAIL $1: &|p" "$log"
    count
}

# The bugs to plant are still where they were: planted.py looks whether they are found.
"$here/planted.py" --dry >"$log" 2>&1
grep '^FAIL' "$log"
count

# The oracle itself.
for test in tools/selftest timed/selftest_timed; do
    if python3 "$here" "$test" >"$log" 2>&1; then
        passed=$((passed + 1))
    else
        sed "s|^|FAIL $test: |" "$log"
        failed=$((failed + 1))
    fi
done

judge --seeds "$(seeds 1 12)"
judge --mode must --seeds "$(seeds 401 5)"
judge --scopes --chain --mode may --mode must --seeds "$(seeds 501 5)"
judge --mode lower --seeds "$(seeds 601 5)"
judge --certify --mode may --mode must --seeds "$(seeds 301 2)"
judge --certify --waiting --mode may --seeds "$(seeds 1 5)"
judge --claims --scopes --mode may --mode must --seeds "$(seeds 601 5)"
judge --claims --waiting --mode may --seeds "$(seeds 1 5)"
judge --claims --waiting --merges --mode may --seeds "$(seeds 1 5)"
judge --processes --scopes --mode may --mode must --seeds "$(seeds 601 5)"
judge --references --mode may --mode must --seeds "$(seeds 216 3)"
judge --merges --chain --mode may --mode must --seeds "$(seeds 2385 5)"
judge --counting --mode may --mode must --seeds "$(seeds 1 5)"
judge --together --scopes --strict-errors --mode may --mode must --seeds "$(seeds 1 6)"
judge --mode auto --seeds "$(seeds 641 6)"
judge --claims --certify --mode auto --seeds "$(seeds 1 6)"
judge --certify --together --strict-errors --mode auto --seeds "$(seeds 1 18)"
judge --certify --together --failing --mode auto --seeds "$(seeds 1 6)"
judge --claims --waiting --failing --mode may --mode must --seeds "$(seeds 1 3)"
judge --counting --mode auto --seeds "$(seeds 41 6)"
judge --explore --claims --mode may --seeds "$(seeds 11 4)"
judge --mode decide --seeds "$(seeds 701 3)"
judge --concretize --scopes --mode may --seeds "$(seeds 641 4)"
judge --mode check --seeds "$(seeds 1 8)"

# Operators in each other, and knowledge; what is claimed of both; coalitions; both engines of check.
compare judges/knowledge "$(seeds 1 9)"
compare judges/knowledge_claims "$(seeds 1 12)"
compare judges/knowledge_claims "$(seeds 1000001 12)" # from a million on, models fail
compare judges/mixed "$(seeds 1 30)"
compare judges/mixed "$(seeds 1000001 6)"
compare judges/mixed "$(seeds 3000001 10)" # merges in some locations
compare judges/mixed_strategies "$(seeds 1 20)"
compare judges/favour "$(seeds 1 15)"
compare judges/without "$(seeds 1 20)"
compare judges/lacking "$(seeds 1 20)"
compare judges/exchanged "$(seeds 1 15)"
compare judges/mixed_strategies "$(seeds 11321 1)" # of one edge a marked one and then itself
compare judges/mixed_strategies "$(seeds 1000001 4)"
compare judges/mixed_strategies "$(seeds 3000001 6)" # merges in some locations
compare judges/nested "$(seeds 1 6)"
compare judges/nested "$(seeds 1000001 3)"
compare judges/strategies "$(seeds 1 9)"
compare judges/strategy_claims "$(seeds 1 24)"
compare judges/renamed "$(seeds 1 6)"
compare judges/scoped "$(seeds 1 40)"
compare judges/scoped "$(seeds 100001 10)" # removals
compare judges/scoped "$(seeds 200001 10)" # in one process
compare judges/scoped_cells "$(seeds 1 30)"
compare judges/scoped_cells "$(seeds 100001 8)" # removals
compare judges/scoped_cells "$(seeds 500001 30)" # arrays with a scope
compare judges/scoped_cells "$(seeds 700001 8)" # in one of two processes
compare judges/cells "$(seeds 1 40)"
compare judges/cells "$(seeds 100001 20)"
compare judges/cells "$(seeds 300001 6)" # weights whose products reach 2^31
compare judges/cells "$(seeds 400001 20)" # all cells get new values at once
compare judges/cells "$(seeds 500001 6)" # loops in each other
compare judges/cells "$(seeds 600001 6)" # a bool gets numbers
compare judges/aimed_cells "$(seeds 1 48)"
compare judges/aimed_cells "$(seeds 10001 12)" # guards add cells up
compare judges/scalar_pairs 1..17
compare judges/scalars "$(seeds 1 40)"
compare judges/scalars "$(seeds 100001 20)" # received where a sender has written
compare judges/related "$(seeds 1 40)"
compare judges/proposed "$(seeds 1 50)"
compare judges/proposed "$(seeds 100001 20)" # of merges that are often worth it
compare judges/proposed "$(seeds 200001 20)" # and that some queries cannot be asked of
compare judges/proposed "$(seeds 300001 12)" # of records and rows
compare judges/own_cells "$(seeds 1 40)"
compare judges/data "$(seeds 1 40)"
compare judges/refinement "$(seeds 1 24)"
compare judges/fairness "$(seeds 1 18)"
compare judges/fairness "$(seeds 1000001 6)"
compare judges/engines "$(seeds 1 5)"
compare judges/grid "$(seeds 1 6)"
compare judges/certified "$(seeds 1 10)"
compare judges/forced "$(seeds 1 9)"
compare timed/timed "$(seeds 7001 24)"
compare timed/timed "$(seeds 7048 3)"
compare timed/decide "$(seeds 7201 10)"
compare symmetry/judge "$(seeds 1 6)"
compare symmetry/figures "$(seeds 101 100)"
compare symmetry/twists "$(seeds 1 60)"
compare symmetry/twists "$(seeds 1001 20)"
compare symmetry/twists "$(seeds 2101 50)"
compare symmetry/twists "$(seeds 3050 20)"
compare symmetry/figures "$(seeds 1000001 20)"
compare symmetry/figures "$(seeds 2000001 10)"
compare symmetry/scalars "$(seeds 1 30)"
compare symmetry/pairs "$(seeds 1 30)"
python3 "$here" symmetry/cases --check "$VARABS" >"$log" 2>&1
grep '^FAIL' "$log"
count
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
