#!/bin/bash
# The library as its users have it: installed to a folder of its own, found by pkg-config, linked
# with a small program. Environment: CC the compiler, BUILD the directory of the build, FAULT_RUNS at
# most so many runs in which a call fails, for each case and kind (default 8), and as many in which all
# later ones fail, too; 0: each call (make faults); CASES_EVERY=N of these cases only each Nth, beginning where
# CASES_AT=K says.
# shellcheck source=tests/begin.sh
. "$(dirname "$0")/../begin.sh"
expect() { # NAME COMMAND...
    local name=$1
    shift
    if "$@" >"$work/out" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $name"
        head -n 5 "$work/out"
    fi
}
build() { # NAME
    # shellcheck disable=SC2046 # several flags
    ${CC:-cc} -std=c17 -pthread -Wall -Wextra -Wpedantic -Werror -o "$work/$1" \
        "$root/tests/library/$1.c" $(pkg-config --cflags --libs varabs)
}
example() { # STATUS PATTERN ARGUMENT...
    local status=$1 pattern=$2
    shift 2
    LD_LIBRARY_PATH=$prefix/lib "$root/tests/limit.sh" 60 "$work/example" "$@" >"$work/text" 2>&1
    [ $? -eq "$status" ] && grep -Eq "$pattern" "$work/text"
}
only_public() { # every symbol that the library exports is in the header, with a version
    nm -D --defined-only "$prefix/lib/libvarabs.so" | sed -n 's/.* T //p' | sort >"$work/symbols"
    grep -q '^varabs_open@@VARABS_0.1$' "$work/symbols" && ! grep -vq '@@VARABS_0' "$work/symbols" &&
        sed -n 's/^VARABS_API .*\<\(varabs_[a-z_]*\)(.*/\1/p' "$root/src/api/varabs.h" | sort |
        diff - <(sed 's/@.*//' "$work/symbols")
}
FAULT_RUNS=${FAULT_RUNS:-8}
fails=() # what makes the host fail
host() { # STATUS ARGUMENT... — the status of the run; what it says goes to json, text and made
    local status=$1
    shift
    rm -f "$work/made"
    LD_LIBRARY_PATH=$prefix/lib "$root/tests/limit.sh" 100 env "${fails[@]}" "$work/host" "$@" out="$work/made" \
        >"$work/json" 2>"$work/text" && grep -Eqx "status $status" "$work/json"
}
as_program() { # ARGUMENT... — the JSON of the last run is that of the program, but for times and names of files
    (cd "$work" && "$prefix/bin/varabs" "$@" --json program.json) >/dev/null
    same_json "$work/program.json"
}
same_json() { # FILE
    diff <(plain "$1") <(sed 1d "$work/json" | plain /dev/stdin)
}
plain() { grep -Ev '"(file|[a-z_]*(second|byte|memory|size)[a-z_]*)": |^ *[0-9]+\.[0-9]+,?$' "$1"; }
whatever_fails() { # EXPECTED ARGUMENT... — for calls that fail: an error, or what is expected
    local expected=$1 group count at status fails
    shift
    for group in memory pages open; do
        fails=(LD_PRELOAD="$work/fail.so" FAIL_GROUP="$group" FAIL_COUNT="$work/count")
        host "$expected" "$@" || return 1
        count=$(cat "$work/count")
        cp "$work/json" "$work/right"
        for ((at = 1; at <= count; at += FAULT_RUNS ? count / FAULT_RUNS + 1 : 1)); do
            for on in '' 1; do
                fails=(LD_PRELOAD="$work/fail.so" FAIL_GROUP="$group" FAIL_AT="$at" ${on:+FAIL_ON=1})
                host '[0-5]( exact)?' "$@" || { echo "$group call $at${on:+ and all later ones}" && return 1; }
                status=$(sed -n '1s/status //p' "$work/json")
                [ $group = memory ] || ! cmp -s <(sed 1q "$work/right") <(sed 1q "$work/json") || continue
                # where one engine has no memory, the other may answer
                diff <(plain "$work/right" | grep -v '"engine"') <(plain "$work/json" | grep -v '"engine"') \
                    >"$work/changes" && continue
                grep -Eiq 'memory|process|open files' "$work/text" || grep -q '"limit": "memory"' "$work/json" && [ "$status" != 0 ] ||
                    { echo "$group call $at${on:+ and all later ones}: status $status" && cat "$work/text" "$work/changes" && return 1; }
            done
        done
    done
}
taken() { # of the cases of calls that fail, those of a sample
    row=$((${row:-0} + 1)) && [ $((row % ${CASES_EVERY:-1})) = $((${CASES_AT:-0} % ${CASES_EVERY:-1})) ]
}
ends() { # PROCESS — soon
    local tries
    for ((tries = 0; tries < 1000; tries++)); do
        grep -q '^State:.[RSD]' "/proc/$1/status" 2>/dev/null || return 0
        sleep 0.01
    done
    kill -9 "$1"
    echo "run $1 goes on" && return 1
}
children() { cat "/proc/$1"/task/*/children 2>/dev/null; } # PROCESS
left_alone() { # RUN COUNT — no run goes on for a caller that was killed, though many began at once
    local host runs run
    for ((i = 0; i < 3; i++)); do
        : >"$work/worker"
        LD_LIBRARY_PATH=$prefix/lib "$work/host" "$1" "$large" >"$work/worker" 2>"$work/text" &
        host=$!
        until runs=$(children $host) && [ "$(wc -w <<<"$runs")" = "$2" ] && [ "$(wc -l <"$work/worker")" = $(($2 - 8)) ]; do
            kill -0 $host 2>/dev/null && sleep 0.01 || return 1
        done
        kill -9 $host && wait $host 2>/dev/null
        for run in $runs; do
            grep -qx "$run" "$work/worker" || ends "$run" || return 1
        done
        [ "$1" != worker ] || kill "$(cat "$work/worker")" || return 1
    done
}
merges() ( # the README's example of a merge, by what is installed
    cp -r "$prefix/share/doc/varabs/examples" "$work/try" && cd "$work/try" &&
        "$prefix/bin/varabs" transmission/model.xml --spec transmission/spec.json --may >"$work/text" 2>&1 &&
        grep -q 'exact: every verdict' "$work/text"
)
begins() ( # what the tutorial and the concepts begin with, in the same folder
    cd "$work/try" && python3 -B postal.py 2 1 -o small.xml && "$prefix/bin/varabs" info small.xml >"$work/text" &&
        "$prefix/bin/varabs" info door.xml >"$work/text"
)
as_cpp() { echo '#include <varabs.h>' | ${CXX:-c++} -Wall -Werror -I "$prefix/include" -x c++ -c -o /dev/null -; }

prefix=$work/usr
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
model=$root/benchmarks/models/postal_3_2.xml
expect 'it can be packed' make -C "$root" install DESTDIR="$work/stage" PREFIX=/usr ${CC:+CC="$CC"}
expect 'for its place' grep -qx prefix=/usr "$work/stage/usr/lib/pkgconfig/varabs.pc"
expect 'it can be installed' make -C "$root" install PREFIX="$prefix" ${CC:+CC="$CC"}
expect 'and says where' grep -qx "prefix=$prefix" "$PKG_CONFIG_PATH/varabs.pc"
expect 'with models for the examples' merges
expect 'and for the tutorial' begins
expect 'with a page for a command' grep -q '^\.Dt VARABS-DECIDE 1' "$prefix/share/man/man1/varabs-decide.1"
expect 'and one for a topic' grep -q '^\.Dt VARABS-QUERIES 7' "$prefix/share/man/man7/varabs-queries.7"
expect 'it exports its interface and no more' only_public
expect 'the example compiles' build example
expect 'and a host' build host
expect 'it runs' example 0 'exact: yes' "$model" mem_sg,mem_vt
expect 'with the states before' grep -q '"states": 6075,' "$work/text"
expect 'and after' grep -q '"states": 1619,' "$work/text"
sed 's/<declaration>/&broadcast chan step;/' "$root/tests/golden/CR1_prefixes_of_traces/model.xml" >"$work/steps.xml"
expect 'a model refines itself' example 0 '"refines": true' "$work/steps.xml"
expect 'without the channel' example 2 "has a channel or tag 'step'" "$model"
expect 'an argument that is wrong' example 2 'postal_3_2.xml: error: .*did you mean' "$model" mem_sgg
expect 'a file that is not there' example 3 'none.xml: error: cannot read the file' none.xml x

voting=$root/benchmarks/models/asv.xml
large=$work/large.xml
sed 's/N_V = 3/N_V = 30/; s/N_C = 2/N_C = 4/' "$root/benchmarks/models/postal_3_2.xml" >"$large"
cp "$model" "$voting" "$work"
expect 'check' host '[01]' check "$voting"
expect 'says what the program says' as_program check asv.xml --trace
expect 'with a query and a setting' host 0 check "$model" 'query=A<> Authority.coll_vts' set=6:2 set=9:0
expect 'as the program' as_program check postal_3_2.xml --query 'A<> Authority.coll_vts' --semantics kripke
expect 'a setting that is not there' host 1 check "$model" set=99:1
expect 'is refused' grep -q refused "$work/json"
expect 'fairness' host 0 check "$voting" 'query=A<> Coercer.informed || Coercer.refused' 'fair=0:*' fair=1:Voter set=9:0
expect 'is that of the program' as_program check asv.xml --query 'A<> Coercer.informed || Coercer.refused' --weak '*' \
    --strong Voter
expect 'of an unknown name' host 2 check "$voting" fair=0:nobody
expect 'is none' grep -q "no process, channel or tag 'nobody'" "$work/text"
expect 'nor of an unknown kind' host '[01]' check "$voting" fair=4:Voter
expect 'which is refused' grep -q refused "$work/json"
cp "$root"/tests/golden/CR7_unfair_cycle_is_no_run/{model,abstract}.xml "$work"
expect 'of another model' host 1 refines "$work/model.xml" second="$work/abstract.xml" fair=2:a set=9:0
expect 'as the program' as_program refines model.xml abstract.xml --abstract-weak a
expect 'or strongly' host 1 refines "$work/model.xml" second="$work/abstract.xml" fair=3:a set=9:0
expect 'as it' as_program refines model.xml abstract.xml --abstract-strong a
expect 'if runs are fair' host 0 refines "$work/model.xml" second="$work/abstract.xml" fair=2:a fair=1:@t set=9:0
expect 'as it does' as_program refines model.xml abstract.xml --abstract-weak a --strong @t
expect 'a limit' host 5 check "$model" set=8:1 set=7:1 states=100
expect 'keeps what is known' grep -q '"limit": "states"' "$work/json"
expect 'decide' host 1 decide "$model" 'query=A[] Authority.tally_1 < 2'
expect 'says so, too' as_program decide postal_3_2.xml --query 'A[] Authority.tally_1 < 2'
expect 'for which fairness means nothing' host 1 decide "$model" 'query=A[] Authority.tally_1 < 2' fair=0:nobody
expect 'a grid' host 0 grid "$voting" remove=mem_vt remove=sh_vt,learned 'query=E<> Voter.obeyed' set=15:1 how=2
expect 'as the program' as_program grid asv.xml --remove mem_vt --remove sh_vt,learned --auto --may --must --query 'E<> Voter.obeyed'
expect 'its rows have limits of their own' host 5 grid "$model" remove=mem_vt,mem_sg states=2000 set=7:1
expect 'as in the program' as_program grid postal_3_2.xml --remove mem_vt,mem_sg --max-states 2000 --engine explicit
expect 'not in modes that are not there' host 2 grid "$voting" remove=mem_vt how=7
expect 'nor of nothing' host 2 grid "$voting"
expect 'suggest' host 0 suggest "$voting" 'query=E<> Voter.obeyed'
expect 'and this' as_program suggest asv.xml --query 'E<> Voter.obeyed'
expect 'a drawing' host 0 draw "$model" draw=Voter
expect 'is SVG' grep -q '</svg>' "$work/made"
(cd "$work" && "$prefix/bin/varabs" draw postal_3_2.xml --template Voter -o drawn.svg >/dev/null)
expect 'that of the program' cmp "$work/drawn.svg" "$work/made"
expect 'no drawing' host 2 draw "$model" draw=None
expect 'makes nothing' test ! -e "$work/made"
expect 'what is made is certified' host 0 again "$model" remove=mem_vt how=2
expect 'by its report' grep -q '"mode": "exact"' "$work/json"
expect 'not without a second model' host 5 certify "$model"
expect 'which there was no memory for' grep -q 'out of memory' "$work/text"
expect 'nor in a mode that is not there' host 2 abstract "$model" remove=mem_vt how=9
expect 'as is said' grep -q 'no such mode' "$work/text"
expect 'with templates split' host 0 again "$model" 'remove=Voter(1).mem_vt' how=0
(cd "$work" && "$prefix/bin/varabs" postal_3_2.xml --remove mem_vt,mem_sg --may -o lean.xml --report lean.json >/dev/null)
expect 'a model' host '0 exact' abstract "$model" remove=mem_vt,mem_sg how=0
expect 'is the same' cmp "$work/lean.xml" "$work/made"
expect 'and its report' same_json "$work/lean.json"
cp "$work/lean.xml" "$work/bare.xml" # without a report beside it
expect 'certify' host 0 certify "$model" second="$work/bare.xml" how=2 ignore=mem_sg,mem_vt
expect 'is as it was' as_program certify postal_3_2.xml bare.xml --exact --ignore mem_sg,mem_vt
expect 'what is chosen by itself' host '0 exact' abstract "$model" set=15:1
(cd "$work" && "$prefix/bin/varabs" postal_3_2.xml --auto --may -o auto.xml --report auto.json >/dev/null)
expect 'is what the program chooses' cmp "$work/auto.xml" "$work/made"
expect 'for queries, too' host '0 exact' abstract "$model" set=15:1 'query=E<> Authority.coll_vts'
(cd "$work" && "$prefix/bin/varabs" postal_3_2.xml --auto --may -o auto.xml --query 'E<> Authority.coll_vts' >/dev/null)
expect 'those given' cmp "$work/auto.xml" "$work/made"
expect 'but not with removals' host 2 abstract "$model" set=15:1 remove=mem_vt
expect 'which are said' grep -q 'goes without removals' "$work/text"
cp -r "$root/tests/golden/normal_V5_spec_begins" "$work/normal"
expect 'values that a file names' host '0( exact)?' abstract "$work/normal/model.xml" spec="$work/normal/spec.json" how=0
(cd "$work" && "$prefix/bin/varabs" normal/model.xml --spec normal/spec.json --may -o normal.xml >/dev/null 2>&1)
expect 'are exchanged' cmp "$work/normal.xml" "$work/made"
(cd "$work" && "$prefix/bin/varabs" check asv.xml --full --json full.json >/dev/null)
coalition='<<Voter>> G !Coercer.informed'
expect 'a mixed abstraction' host 0 abstract "$voting" how=3 remove=sh_vt "query=$coalition"
(cd "$work" && "$prefix/bin/varabs" asv.xml --remove sh_vt --mixed --query "$coalition" -o mixed.xml --report mixed.json >/dev/null)
expect 'has the query in it' cmp "$work/mixed.xml" "$work/made"
expect 'one for a coalition' host 0 abstract "$voting" how=3 remove=sh_vt favour=Voter "query=$coalition"
(cd "$work" && "$prefix/bin/varabs" asv.xml --remove sh_vt --mixed --favour Voter --query "$coalition" -o for.xml --report for.json >/dev/null)
expect 'is that of the program' cmp "$work/for.xml" "$work/made"
expect 'with its report' same_json "$work/for.json"
expect 'of two agents' host 0 abstract "$voting" how=3 remove=sh_vt favour=Voter favour=Coercer
expect 'as they are named' grep -q '"favour": "Voter,Coercer"' "$work/json"
expect 'not of a may-abstraction' host 2 abstract "$voting" how=0 remove=sh_vt favour=Voter
expect 'nor of nobody' host 2 abstract "$voting" how=3 remove=sh_vt favour=Nobody
expect 'nor with a query that is none' host 3 abstract "$voting" how=3 remove=sh_vt 'query=E<> nobody'
cp "$root/tests/golden/X9_for_ever/model.xml" "$work/watched.xml"
expect 'processes' host '0 exact' abstract "$work/watched.xml" without=Z how=0
(cd "$work" && "$prefix/bin/varabs" watched.xml --without Z --may -o alone.xml --report alone.json >/dev/null 2>&1)
expect 'are taken out' cmp "$work/alone.xml" "$work/made"
expect 'and reported' same_json "$work/alone.json"
expect 'but not some that are needed' host 4 abstract "$voting" without=Coercer how=0
expect 'a result of check' host 0 abstract "$voting" remove=mem_vt checked="$work/full.json"
(cd "$work" && "$prefix/bin/varabs" asv.xml --remove mem_vt --may --checked full.json -o checked.xml --report checked.json) >/dev/null 2>&1
expect 'counts as for the program' same_json "$work/checked.json"
expect 'of another model' host 3 abstract "$model" remove=mem_vt checked="$work/full.json"
expect 'it does not' grep -q 'about another model' "$work/text"
(cd "$work" && "$prefix/bin/varabs" asv.xml --remove sh_vt --may -o coarse.xml) >/dev/null 2>&1
spurious='A[] Voter.obeyed imply Coercer.learned > 0'
expect 'a run in the original' host 1 concretize "$work/coarse.xml" second="$voting" query="$spurious"
expect 'is looked for as by the program' as_program check coarse.xml --concretize asv.xml --trace --query "$spurious"
expect 'with names that are not compared' host 2 concretize "$work/coarse.xml" second="$voting" query="$spurious" ignore=none
expect 'if they are there' grep -q "none" "$work/text"
expect 'a chart and a model of a run' host 1 check "$voting" 'query=A[] !Coercer.informed' set=19:1 set=20:1 \
    chart="$work/chart.svg" model="$work/run.xml"
(cd "$work" && "$prefix/bin/varabs" check asv.xml --query 'A[] !Coercer.informed' --msc a.svg --run-model a.xml >/dev/null)
expect 'the chart is that of the program' cmp "$work/a.svg" "$work/chart.svg"
expect 'and so is the model' cmp "$work/a.xml" "$work/run.xml"
page_of() { # RUN STATUS ARGUMENT... — the run has a page, of the right kind
    local run=$1 status=$2
    shift 2
    rm -f "$work/page.html"
    host "$status" "$run" "$@" set=18:1 page="$work/page.html" &&
        grep -q "\"kind\":\"${run/abstract/abstraction}\"" "$work/page.html"
}
expect 'a page of check' page_of check 1 "$voting" 'query=A[] !Coercer.informed'
expect 'of decide' page_of decide 1 "$model" 'query=A[] Authority.tally_1 < 2' set=16:1
expect 'with a drawing of what has the run' grep -q 'data-drawing="round-' "$work/page.html"
expect 'of suggest' page_of suggest 0 "$voting"
expect 'of an abstraction' page_of abstract '0 exact' "$model" remove=mem_vt,mem_sg
expect 'of certify' page_of certify 0 "$model" second="$work/lean.xml" ignore=mem_sg,mem_vt
expect 'of refines' page_of refines 0 "$work/steps.xml" second="$work/steps.xml"
expect 'and none if it is not asked for' host 0 suggest "$voting" page="$work/none.html"
expect 'is there' test ! -e "$work/none.html"
expect 'decide without looks' host 1 decide "$model" 'query=A[] Authority.tally_1 < 2' set=16:1
expect 'as without them' as_program decide postal_3_2.xml --query 'A[] Authority.tally_1 < 2' --no-look --trace
expect 'info' host 0 info "$model"
expect 'lists the same' as_program info postal_3_2.xml
expect 'of agents' host 0 info "$model" set=17:1
expect 'too' as_program info postal_3_2.xml --agents
expect 'a model for Spin' host 0 export "$model"
(cd "$work" && cp "$model" . && "$prefix/bin/varabs" export postal_3_2.xml --to promela -o - >spin.pml)
expect 'is that of the program' diff <(grep -v postal_3_2 "$work/spin.pml") <(grep -v postal_3_2 "$work/made")
python3 "$root/benchmarks/agents/tower.py" 3 mspec -o "$work/mspec.xml"
python3 "$root/benchmarks/agents/tower.py" 3 mimpl -o "$work/mimpl.xml"
expect 'what is hidden' host '[01]' refines "$work/mimpl.xml" second="$work/mspec.xml" hide=clean set=9:0
expect 'is hidden as by the program' as_program refines mimpl.xml mspec.xml --hide clean
echo '{"actions": [{"name": "move", "concrete": {"channel": "move"}, "abstract": {"channel": "move"}}]}' >"$work/actions.json"
expect 'actions from a file' host '[01]' refines "$work/mimpl.xml" second="$work/mspec.xml" actions="$work/actions.json" set=9:0
expect 'are those of the program' as_program refines mimpl.xml mspec.xml --actions actions.json
expect 'not with names of actions' host 2 refines "$work/mimpl.xml" second="$work/mspec.xml" actions="$work/actions.json" visible=move
(cd "$work" && "$prefix/bin/varabs" postal_3_2.xml --remove Voter.mem_dec@has,voted --may -o part.xml >/dev/null)
expect 'a report' host 0 certify "$model" second="$work/part.xml" report="$work/part.json" how=2
expect 'tells what is compared' as_program certify postal_3_2.xml part.xml --report part.json --exact
expect 'or is none' host 3 certify "$model" second="$work/part.xml" report="$work/full.json" how=2
for end in progress thread before; do
    expect "cancelled by $end" host 5 check "$large" end=$end
    expect "which is said by $end" grep -Eq 'interrupt' "$work/json" "$work/text"
done
expect 'a choice that is cancelled' host 5 abstract "$large" set=15:1 end=before
expect 'makes no model' grep -q 'there is no abstraction yet' "$work/text"
expect 'a look at an original, too' host 5 concretize "$large" second="$large" end=before
expect 'which says so' grep -Eq interrupt "$work/json" "$work/text"
expect 'and info' host 5 info "$large" end=before
expect 'a time' host 5 check "$large" seconds=1
expect 'a process that is killed' host 5 check "$large" end=9
expect 'had too much memory' grep -q 'out of memory' "$work/text"
expect 'or ended by a signal' host 5 check "$large" end=15
expect 'says so' grep -q 'a signal ended the process' "$work/text"
expect 'one that breaks down' host 6 check "$large" end=11
expect 'is a mistake' grep -q 'mistake in varabs; please report' "$work/text"
expect 'no caller, no runs' left_alone many 8
expect 'even if a process that it forked is there' left_alone worker 9
expect 'forks while runs begin' host 0 forks "$voting"
expect 'no run keeps a descriptor' host 0 thousand "$voting"
expect 'texts that are NULL' host 0 nothing "$voting"
expect 'that nobody waits for' host 1 check "$voting" children=ignored
expect 'does as much' as_program check asv.xml --trace
expect 'killed then' host 6 check "$large" end=9 children=ignored
expect 'for reasons unknown' grep -q 'SIGCHLD is ignored' "$work/text"
if ${CC:-cc} -shared -fPIC -O1 -o "$work/fail.so" "$root/tests/faults/fail.c" -ldl 2>/dev/null; then
    taken && expect 'no memory for an abstraction' whatever_fails '0 exact' abstract "$model" remove=mem_vt how=0
    taken && expect 'or a check' whatever_fails 0 check "$work/lean.xml" 'query=E<> Authority.coll_vts' set=11:1 set=7:1
    taken && expect 'or a certification' whatever_fails 0 certify "$work/lean.xml" second="$work/lean.xml" how=2
    taken && expect 'or a choice' whatever_fails '0 exact' abstract "$voting" 'query=E<> Voter.voted' set=15:1 set=18:1
    taken && expect 'or a run in the original' whatever_fails 1 concretize "$work/coarse.xml" second="$voting" query="$spurious" \
        set=18:1 set=19:1 set=20:1 set=11:1
    taken && expect 'or a decision' whatever_fails 0 decide "$voting" 'query=E<> Voter.obeyed' set=11:1
    taken && expect 'or a suggestion' whatever_fails 0 suggest "$voting" 'query=E<> Voter.obeyed'
    taken && expect 'or a refinement' whatever_fails 1 refines "$work/model.xml" second="$work/abstract.xml" fair=2:a set=11:1
    taken && expect 'or a list' whatever_fails 0 info "$voting"
    taken && expect 'or a drawing' whatever_fails 0 draw "$model"
    taken && expect 'or an export' whatever_fails 0 export "$voting"
fi
! command -v "${CXX:-c++}" >/dev/null || expect 'the header is C++, too' as_cpp
! command -v valgrind >/dev/null ||
    expect 'nothing leaks' env LD_LIBRARY_PATH="$prefix/lib" valgrind -q --leak-check=full \
        --child-silent-after-fork=yes --error-exitcode=9 "$work/example" "$model" mem_sg
tested() {
    PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$prefix/lib/python3/dist-packages \
        "$root/tests/limit.sh" 200 python3 "$root/tests/library/python_test.py" 2>&1 | tail -n 20 >"$work/text"
    grep -Eqx "OK( \\(skipped=[0-9]+\\))?" "$work/text" || { cat "$work/text" && return 1; }
}
typed() { (cd "$prefix/lib/python3/dist-packages" && mypy --strict --cache-dir=/dev/null -p varabs); }
! command -v python3 >/dev/null || expect 'Python has it' tested
! command -v mypy >/dev/null || expect 'with types' typed
# The package that pip installs, in an empty folder.
pip() { python3 -m pip --disable-pip-version-check --python "$work/venv/bin/python" install -q --no-index "$@"; }
wheel() {
    "$root/scripts/wheel.sh" "$work/dist" && python3 -m venv --without-pip "$work/venv" && pip "$work"/dist/*.whl
}
in_venv() ( # COMMAND... — with the wheel's Python, in a folder with nothing but a model
    unset PYTHONPATH VARABS_LIBRARY
    mkdir -p "$work/empty" && cp "$model" "$work/empty/postal.xml" && cp "$model" "$work/empty/postal_3_2.xml" && cd "$work/empty" && PATH=$work/venv/bin:$PATH "$@"
)
alone() ( # the source package has all that its build needs
    mkdir "$work/source" && tar -xzf "$work"/dist/*.tar.gz -C "$work/source" --strip-components=1 &&
        make -n -C "$work/source/source" shared build/varabs &&
        cd "$work/source" && diff <(python3 -c 'import backend; print(*sorted(backend.sources()))') \
        <(PYTHONPATH="$root/src/api/python" python3 -c 'import backend; print(*sorted(backend.sources()))')
)
same_wheel() { # from the same sources the same bytes
    "$root/scripts/wheel.sh" "$work/again" && cmp "$work"/dist/*.whl "$work"/again/*.whl && cmp "$work"/dist/*.gz "$work"/again/*.gz
}
if python3 -m pip help 2>/dev/null | grep -q -e --python && python3 -c 'import venv'; then
    expect 'a wheel' wheel
    expect 'has the program' in_venv varabs check postal.xml --query 'E<> Authority.coll_vts'
    expect 'does what its README says' in_venv python -m doctest "$root/src/api/python/README.md"
    lines=$(sed -n '/^    from varabs import/,/^$/s/^    //p' "$root/README.md")
    expect 'and what the first README says' in_venv python -c "$lines
assert (lean.is_exact, lean.model.check().states) == (True, 1619)"
    expect 'brings its libraries' in_venv python -c 'import ctypes, varabs
assert all("/venv/" in line for line in open("/proc/self/maps") if "libvarabs" in line or "libjansson" in line)'
    expect 'the source package builds alone' alone
    expect 'both can be made again' same_wheel
else
    echo 'skipped: the wheel, without pip'
fi
followed() { # without the sources
    VARABS=$prefix/bin/varabs EXAMPLES=$prefix/share/doc/varabs/examples python3 -B "$root/tests/readme/run.py" \
        "$root"/benchmarks/tutorial/README.md "$root"/benchmarks/tutorial/concepts.md >"$work/text" || {
        cat "$work/text" && return 1
    }
}
expect 'tutorial and concepts need nothing but what is installed' followed
expect 'it can be removed' make -C "$root" uninstall PREFIX="$prefix"
expect 'nothing is left' test -z "$(find "$prefix" -type f -o -type l)"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
