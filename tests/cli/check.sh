# Cases of `varabs check`, read by run.sh; helpers are there.

system() { # DECLARATIONS QUERIES... — two processes that shake hands, and a counter
    local declarations=$1 formula
    shift
    cat <<END
<?xml version="1.0" encoding="utf-8"?>
<nta>
<declaration>chan c[2]; $declarations</declaration>
<template><name>P</name><parameter>const int[0,1] id</parameter>
<location id="id0"><name>idle</name></location><location id="id1"><name>busy</name></location>
<init ref="id0"/>
<transition><source ref="id0"/><target ref="id1"/>
<label kind="select">k : int[1,2]</label><label kind="synchronisation">c[id]!</label>
<label kind="assignment">n += k</label></transition>
</template>
<template><name>Q</name><location id="id2"/><init ref="id2"/>
<transition><source ref="id2"/><target ref="id2"/><label kind="select">i : int[0,1]</label>
<label kind="guard">n &lt; 4</label><label kind="synchronisation">c[i]?</label></transition>
</template>
<system>system P, Q;</system>
<queries>
END
    for formula in "$@"; do
        formula=$(sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g' <<<"$formula")
        printf '<query><formula>%s</formula><comment/></query>\n' "$formula"
    done
    printf '</queries>\n</nta>\n'
}

system 'int[0,9] n;' 'A[] n <= 4' 'sup: n' >good.xml
system 'int[0,9] n;' 'A[] n <= 4' 'A[] n < 4' >bad.xml
system 'int[0,9] n;' >none.xml
system 'int[0,9] n;' 'A[] n == m' 'A[] n < 4' >half.xml
system 'int[0,3] n;' 'A[] n <= 3' >range.xml
cat >queries.q <<'END'
//This file was written by hand
/*
what is never
*/
P(0).busy and
    n == 4
    --> P(1).idle
A[] n <= 4

/* two lines */ E<> n == 4 &&
    P(0).busy // and a comment
E<> n == 3 \
    && P(1).idle
E<> n == 1
E<> n == 2
END

if group check; then
    run 'all satisfied' 0 '^satisfied  A\[\] n <= 4$' check good.xml
    run 'one violated' 1 '^violated   A\[\] n < 4$' check bad.xml
    run 'no queries' 0 '^states +8$' check none.xml
    run 'everything is explored' 0 'everything is explored' check none.xml
    run 'decided early' 0 'ended as soon as' check none.xml --query 'E<> n == 1'
    run 'and yet everything' 0 'everything is explored' check none.xml --query 'E<> n == 1' --full
    run 'in place of those of the model' 0 'queries 1,' check bad.xml --query 'E<> P(0).busy'
    run 'several' 1 'queries 3,' check bad.xml --query 'E<> n == 4' --query 'A[] n == 0' \
        --query 'bounds: n, n * n'
    expect 'bounds' grep -q 'n \* n: from 0 to 16' out
    run 'bounds of nothing' 0 'n: no such state' check none.xml --query 'sup{n == 9}: n'
    run 'a deadlock' 1 '^violated   A\[\] not deadlock' check none.xml --query 'A[] not deadlock'
    for semantics in uppaal kripke; do
        run "semantics $semantics" 0 "semantics $semantics" check good.xml --semantics $semantics
    done
    run 'no such model' 3 'cannot read' check nothing.xml
    cp good.xml in
    run 'from standard input' 0 '<stdin>: queries 2' check -
    rm -f in
    run 'clocks' 4 'clock' check <(system 'int[0,9] n; clock x;' | sed 's/n &lt; 4/x == 1/')
fi

# Both engines say the same; the symbolic one counts what no list of states could hold.
if group check_engines; then
    for model in good bad none half; do
        for more in '' --trace; do
            "$VARABS" check $model.xml --full $more --json one.json >one 2>&1
            one=$?
            "$VARABS" check $model.xml --engine symbolic $more --json other.json >other 2>&1
            other=$?
            expect "statuses of $model $more" [ $one = $other ]
            grep -v '^memory\|^time' one >one.kept
            expect "text of $model $more" sh -c \
                'grep -v "^memory\|^time" other | diff one.kept - >&2'
            expect "result of $model" fits check other.json
        done
    done
    for size in '3 10891' '6 113427289' '10 26559983316649'; do
        python3 "$root/benchmarks/postal.py" ${size% *} 3 -o postal.xml
        run "postal ${size% *}" 1 "^states +${size#* }$" check postal.xml --engine symbolic \
            --json postal.json
    done
    expect 'numbers' says postal.json 'd["states"] == 26559983316649
        and d["states_text"] == "26559983316649" and d["engine"] == "symbolic"
        and d["transitions_text"] and d["deadlocks"] < d["states"] and d["is_complete"]'
    python3 "$root/benchmarks/postal.py" 13 3 -o postal.xml
    run 'more than 2^53' 1 '^states +282810070945371091$' check postal.xml --engine symbolic \
        --json postal.json
    expect 'more than numbers hold' says postal.json 'd["states"] is None
        and d["states_text"] == "282810070945371091"'
    expect 'result of postal' fits check postal.json
    run 'no time' 5 'ended by' check postal.xml --engine symbolic --timeout 0.01 --json late.json
    expect 'nothing is known' says late.json 'd["states"] is None and d["states_text"] is None
        and not d["is_complete"] and q[0]["verdict"] == "unknown"'
    expect 'result without time' fits check late.json
    run 'no memory' 5 'ended by .*memory' check postal.xml --engine symbolic \
        --max-memory 100K
    run 'no bounds yet' 5 '1: no such state so far' check postal.xml --max-memory 1K --query 'sup: 1'
    for semantics in uppaal kripke; do
        for engine in explicit symbolic; do
            "$VARABS" check half.xml --full --trace --engine $engine --semantics $semantics \
                --query 'A<> n == 4' --query 'E[] n < 3' --query 'n == 1 --> n == 3' \
                --query 'E[] n < 9' 2>&1 | grep -v '^memory\|^time' >$engine
        done
        expect "liveness under $semantics" diff explicit symbolic
    done
    run 'auto, small' 0 'jobs' check good.xml --json auto.json
    expect 'explicitly' says auto.json 'd["engine"] == "explicit"'
    for growth in 'deep 30000 4 480016 explicit' 'counters 3 60 226981 symbolic' \
        'wide 6 8 262144 symbolic' 'sums 3 60 226981 explicit' 'sums 4 30 923521 explicit' 'few 6 12 326592 symbolic' \
        'learner 6 8 299593 explicit' 'learner 13 3 2391484 symbolic' 'learner 22 2 8388607 symbolic' \
        'deep 3000 6 192064 explicit'; do
        # shellcheck disable=SC2086 # several words
        set -- $growth
        python3 "$root/benchmarks/directions.py" $2 $3 --kind $1 -o growth.xml
        run "auto, $growth" 0 "^states +$4$" check growth.xml --jobs 1 --json auto.json
        expect 'by the better engine' says auto.json "d['engine'] == '$5'"
    done
    python3 "$root/benchmarks/postal.py" 6 3 -o postal.xml
    for more in '' '--jobs 2' '--timeout 100' '--max-memory 100M'; do
        # shellcheck disable=SC2086 # two words
        run "auto, large $more" 1 '^states +113427289$' check postal.xml --json auto.json $more
        expect 'symbolically' says auto.json 'd["engine"] == "symbolic" and d["is_complete"]'
    done
    # States do not fit, nor do sets beside them; sets alone do.
    python3 "$root/benchmarks/postal.py" 5 3 -o postal.xml
    run 'auto, out of memory' 1 '^states +5161651$' check postal.xml --full --max-memory 4M \
        --symmetry off --json auto.json
    expect 'sets alone' says auto.json 'd["engine"] == "symbolic" and d["is_complete"]
        and d["peak_bytes"] <= 4 << 20'
    python3 "$root/benchmarks/postal.py" 6 3 -o postal.xml
    python3 "$root/benchmarks/election.py" 3 4 -o election.xml
    run 'auto, tangled' '[01]' '^states +49283$' check election.xml --full --json auto.json
    expect 'explicitly' says auto.json 'd["engine"] == "explicit" and d["transitions"] == 219900'
    expect 'by orbits' says auto.json 'd["symmetry"]["orbits"] == 8324'
    run 'without symmetry' '[01]' '^transitions +219900$' check election.xml --full --symmetry off --json off.json
    expect 'by states' says off.json '"symmetry" not in d'
    python3 "$root/tests/random" symmetry/cases cases
    run 'queries apart' 1 '^apart +11: id_t \{1,4\}, for queries 3, 4$' check cases/queries_apart_4.xml --full \
        --symmetry report --json apart.json
    expect 'by numbers' says apart.json '[own["queries"] for own in d["symmetry"]["apart"]] == [[3, 4]]'
    python3 "$root/benchmarks/caches.py" 3 1 -o caches.xml
    run 'receivers in all orders' 1 '^orbits +160: cache_t \{0,1,2\}$' check caches.xml --full \
        --symmetry report --json caches.json
    expect 'tried' says caches.json 'd["states"] == 670 and d["symmetry"]["blocks"][0]["is_tried"]'
    run 'receivers that differ' 0 '^orbits +of one state each' check cases/tried_in_vain_3.xml --full \
        --symmetry report --json vain.json
    expect 'nobody is alike' says vain.json 'd["states"] == 152 and not d["symmetry"]["blocks"]'
    python3 "$root/benchmarks/simultaneous.py" 5 3 >cards.xml
    run 'auto, alike at first only' '[01]' '^states +344401$' check cards.xml --full --jobs 1 --json auto.json
    expect 'explicitly' says auto.json 'd["engine"] == "explicit"'
    python3 "$root/benchmarks/simple_voting.py" 8 -o voting.xml
    run 'auto, at first all is new' 0 '^states +33665821$' check voting.xml --full --json auto.json
    expect 'symbolically' says auto.json 'd["engine"] == "symbolic"'
    run 'auto with a limit of states' 5 '"engine": "explicit"' check postal.xml --max-states 50000 \
        --json -
    run 'a limit of states' 2 '--max-states is not for --engine symbolic' check good.xml \
        --engine symbolic --max-states 3
    run 'no such engine' 2 'write auto, explicit or symbolic' check good.xml --engine fast
    run 'priorities' 4 'it has priorities' check <(system 'int[0,9] n; chan priority c[0] &lt; default;
        ' 'A[] n < 9') --engine symbolic
fi

if group check_arguments; then
    run 'check without model' 2 'the name of a model is missing' check
    run 'check help' 0 'usage: varabs check' check --help
    expect 'of this command only' sh -c '! grep -q "^    --remove" out && grep -q -e --jobs out'
    run 'info help' 0 'usage: varabs info' info --help
    expect 'of this command only' sh -c '! grep -q -e --jobs out && grep -q -e --json out'
    run 'help on all' 0 'check    explore' --help
    run 'check with --remove' 2 '--remove is no option of `varabs check`' check none.xml --remove n
    run 'info with --full' 2 '--full is no option of `varabs info`' info none.xml --full
    run '--full without check' 2 '--full is only an option of `varabs check`' none.xml --full
    run '--json without command' 2 '--json is only an option of' none.xml \
        --json j
    run 'check of two models' 2 'only one model' check none.xml good.xml
    run 'bad --semantics' 2 'write uppaal or kripke' check none.xml --semantics ctl
    for number in 0 -1 abc '' 1x ' 1' 1.5 99999999999999999999; do
        run "--max-states '$number'" 2 'write a number' check none.xml --max-states \
            "$number"
        run "--jobs '$number'" 2 'write a number from 1 to' check none.xml --jobs "$number"
        run "--first-look '$number'" 2 'write a number' check none.xml --first-look \
            "$number"
    done
    for number in 1M 1m 0.5K 1.25K 12 18446744073709551615; do
        run "--max-states $number" 0 '^states +8$' check none.xml --max-states $number
        run "--first-look $number" 0 '^states +8$' check none.xml --first-look $number
    done
    run '--max-states .005K' 5 'limit on the number of states' check good.xml --max-states 0.005K
    run '--max-states 1.1K' 2 'such as 20000 or 1.5M' check good.xml --max-states 1.1x
    for size in 0 -1 abc '' 1x '1 ' 1.5 .5G 0.0G 1.5.5G 1MM 1e9 99999999T 16777216.5T \
        99999999999999999999 M; do
        run "--max-memory '$size'" 2 'such as 512M or 1.5G' check none.xml --max-memory "$size"
    done
    for size in 64M 64m 1G 1.5G 0.25g 2000000k 100000000 1T; do
        run "--max-memory $size" 0 '^states +8$' check none.xml --max-memory $size
    done
    for time in 0 -1 abc '' 1s 1e3 . inf nan 0x10 ' 1'; do
        run "--timeout '$time'" 2 'number of seconds' check none.xml --timeout "$time"
    done
    for aid in '--first-look 1' '--first-look 3' '--first-look 9' --interpret; do
        run "$aid" 0 '^states +8$' check none.xml $aid
    done
    for time in 60 .5 100.5; do
        run "--timeout $time" 0 '^states +8$' check none.xml --timeout $time
    done
    run '--jobs 2' 0 '^states +8$' check none.xml --jobs 2
    run '--full=yes' 2 'takes no value' check none.xml --full=yes
fi

if group check_queries; then
    cat >words.xml <<'END_OF_MODEL'
<nta><declaration>bool deadlock; struct { int[0,1] control; } s; int[0,1] sup;</declaration>
<template><name>P</name><declaration>int[0,1] under;</declaration><location id="a"><name>A</name></location>
<init ref="a"/></template><system>system P;</system></nta>
END_OF_MODEL
    run 'a variable called deadlock' 1 '^violated +A\[\] not deadlock' check words.xml --query 'A[] not deadlock'
    for query in 'P.under == 1' 's.control == 1'; do
        run "a variable called like a word: $query" 3 'is a word of the query language' check words.xml \
            --query "E<> $query"
    done
    run 'a variable called sup' 1 '^violated' check words.xml --query 'E<> sup == 1'
    run 'bad query' 3 '^--query:1:5: error: ' check none.xml --query 'A[] = 1'
    expect 'no verdict' test ! -s out
    run 'unknown name' 3 "^--query:1:10: error: .*'m'" check none.xml --query 'A[] n == m'
    run 'wrong type' 3 '^--query:1:5: error: ' check none.xml --query 'A[] c'
    run 'a side effect' 3 '^--query:1:5: error: ' check none.xml --query 'A[] n++'
    run 'no quantifier' 3 "^--query:1:1: error: a query begins with " check none.xml --query 'n == 1'
    run 'the second one' 3 '^--query 2:1:5: error: ' check none.xml --query 'A[] n >= 0' --query 'A[] )'
    run 'on the second line' 3 '^--query:2:5: error: ' check none.xml \
        --query $'A[] n >= 0\nA[] )'
    run 'foreign query' 4 '^--query:1:1: error: .*not supported' check none.xml \
        --query 'Pr[<=10](<> n == 1)'
    run 'empty query' 3 "no query in ''" check none.xml --query ''
    run 'only a comment' 3 'no query in' check none.xml --query '// none'
    run 'bytes that are no UTF-8' 3 '^--query:1:5: error: ' check none.xml --query $'A[] \377'
    run 'a comment that never ends' 3 '^--query:1:12: error: .*comment' check none.xml \
        --query 'A[] n >= 0 /* and'
    run 'parentheses' 3 'nested more than' check none.xml --query "A[] $(repeat 90000 '(')n"
    run 'query file' '[01]|3' 'queries 6,' check none.xml --queries queries.q
    expect 'joined lines' grep -q 'satisfied  E<> n == 4 && P(0).busy$' out
    expect 'a backslash' grep -q '  E<> n == 3 && P(1).idle$' out
    expect 'an arrow on a line of its own' grep -q '  P(0).busy and n == 4 --> P(1).idle$' out
    run 'query file and query' 0 'queries 2,' check none.xml --queries <(echo 'A[] n <= 4') \
        --query 'E<> n == 4'
    printf '\357\273\277E<> n == 4\r\nE<> n == 3\r\n' >dos.q
    run 'as other systems write it' 0 'queries 2,' check none.xml --queries dos.q
    printf 'A[] n >= 0\n\n  A[] n == m\n' >wrong.q
    run 'bad query in a file' 3 "^wrong.q:3:12: error: .*'m'" check none.xml --queries wrong.q
    run 'no query file' 3 "cannot read the query file 'no.q': No such file" check none.xml \
        --queries no.q
    run 'a directory' 3 "cannot read the query file '.': Is a directory" check none.xml --queries .
    : >empty.q
    run 'empty query file' 0 'queries 0,' check good.xml --queries empty.q
    cp queries.q in
    run 'queries from standard input' '[01]|3' 'queries 6,' check none.xml --queries -
    cp none.xml in
    run 'all from standard input' 2 'only once' check - --queries -
    rm -f in
    run 'bad query of the model' 3 'half.xml:[0-9]+:[0-9]+: warning: .*cannot be used' check half.xml
    expect 'its verdict' grep -q '^unknown    A\[\] n == m$' out
    expect 'the others have one' grep -q '^violated   A\[\] n < 4$' out
    system 'int[0,9] n;' $'A[] n <= 4\nA[] n < 4' >lines.xml
    run 'two queries in one' 1 'queries 2,' check lines.xml
    system 'int[0,9] n; int[0,3] a[4];' 'E<> a[n] > 0' >index.xml
    run 'query that fails' 3 'index.xml:[0-9]+:[0-9]+: error: .*index out of bounds' check index.xml
    run 'given query that fails' 3 '^--query:1:[0-9]+: error: .*division by zero' check none.xml \
        --query 'A[] 8 / (4 - n) > 0'
    expect 'its problem' grep -q 'because: division by zero' out
fi

if group check_errors; then
    run 'a range violation' 0 'range.xml:[0-9]+:[0-9]+: warning: range violation.*[0-9]+ such' check \
        range.xml --full
    expect 'errors are counted' grep -q '^errors  *2$' out
    expect 'it says what to do' grep -q -e '--trace' err
fi

if group check_traces; then
    run 'traces' 1 'range violation in a step of P\(1\) from idle to busy' check range.xml --trace \
        --semantics kripke --query 'E<> n == 3' --query 'A[] n < 2' --query 'A<> n == 3' --full \
        --query 'E<> n == 9'
    expect 'as text' shows out <<'END'
range.xml: queries 4, semantics kripke

satisfied  E<> n == 3
violated   A[] n < 2
violated   A<> n == 3
violated   E<> n == 9

states       7
transitions  10
deadlocks    2
errors       2
everything is explored

witness: E<> n == 3
  0  P(0).idle, P(1).idle, Q._id2
     all 0
      -> P(0): idle -> busy, k = 1, c[0]!
      -> Q: _id2 -> _id2, i = 0, c[0]?
  1  n = 1
      -> P(1): idle -> busy, k = 2, c[1]!
      -> Q: _id2 -> _id2, i = 1, c[1]?
  2  n = 3

counterexample: A[] n < 2
  0  P(0).idle, P(1).idle, Q._id2
     all 0
      -> P(0): idle -> busy, k = 2, c[0]!
      -> Q: _id2 -> _id2, i = 0, c[0]?
  1  n = 2

counterexample: A<> n == 3
  0  P(0).idle, P(1).idle, Q._id2
     all 0
      -> P(0): idle -> busy, k = 1, c[0]!
      -> Q: _id2 -> _id2, i = 0, c[0]?
  1  n = 1
      -> P(1): idle -> busy, k = 1, c[1]!
      -> Q: _id2 -> _id2, i = 1, c[1]?
  2  n = 2
      deadlock: no step is possible here

error: range violation
  0  P(0).idle, P(1).idle, Q._id2
     all 0
      -> P(0): idle -> busy, k = 2, c[0]!
      -> Q: _id2 -> _id2, i = 0, c[0]?
  1  n = 2
      -> P(1): idle -> busy, k = 2, c[1]!
      -> Q: _id2 -> _id2, i = 1, c[1]?
      fails at range.xml:9:26
END
    run 'traces in JSON' 1 '' check range.xml --trace --semantics kripke --json - \
        --query 'A<> n == 3' --query 'E<> n == 0'
    expect 'JSON fits its schema' fits check out
    expect 'a deadlock' says out "q[0]['trace']['end'] == 'deadlock' and
        q[0]['trace']['kind'] == 'counterexample' and q[0]['trace']['loop'] is None"
    expect 'states' says out "[s['values'] for s in q[0]['trace']['states']] ==
        [{'n': 0}, {'n': 1}, {'n': 2}] and
        q[0]['trace']['states'][1]['locations'] == {'P(0)': 'busy', 'P(1)': 'idle', 'Q': '_id2'}"
    expect 'steps' says out "q[0]['trace']['steps'][0] == [
        {'process': 'P(0)', 'edges': [0], 'source': 'idle', 'target': 'busy', 'selects': {'k': 1},
         'channel': 'c[0]!'},
        {'process': 'Q', 'edges': [0], 'source': '_id2', 'target': '_id2', 'selects': {'i': 0},
         'channel': 'c[0]?'}]"
    expect 'a state alone' says out "q[1]['trace']['kind'] == 'witness' and
        len(q[1]['trace']['states']) == 1 and q[1]['trace']['steps'] == []"
    expect 'the error' says out "len(d['first_error']['trace']['steps']) ==
        len(d['first_error']['trace']['states']) and d['first_error']['trace']['kind'] == 'error'"
    run 'time passes' 1 '^      time may pass here for ever$' check range.xml --trace \
        --query 'A<> n == 3'
    run 'time passes, in JSON' 1 '"end": "idle"' check range.xml --trace --query 'A<> n == 3' --json -
    expect 'JSON fits its schema' fits check out
    system 'int[0,3] n;' | sed 's|"id0"/><target ref="id1"|"id0"/><target ref="id0"|
        s|n += k|n = 1|; s|<init ref="id0"/>|<init ref="id0"/>|' >loop.xml
    run 'a loop' 1 '^      as in state 1, and so on for ever$' check loop.xml --trace \
        --semantics kripke --query 'A<> n == 2'
    run 'a loop in JSON' 1 '"loop": 1' check loop.xml --trace --semantics kripke --json - \
        --query 'A<> n == 2'
    expect 'JSON fits its schema' fits check out
    system 'int[0,4] n;' | sed 's|n &lt; 4|4 / n|' >guard.xml
    run 'a guard of a receiver that fails' 0 '^      -> Q: _id2 -> _id2, i = 0, c\[0\]\?$' check \
        guard.xml --trace
    run 'no traces unless asked for' 1 '' check range.xml --query 'A[] n < 2' --json -
    expect 'indeed' says out "'trace' not in q[0]"
fi

if group check_limits; then
    model 'int[0,9] x;' 'true' 'x = i' | sed 's|<label kind="guard">|<label kind="select">i : int[p + 2,p]</label>&|' >empty.xml
    run 'a select without values' 0 '^empty.xml:.*warning: .i. has no values' check empty.xml
    sed 's|p + 2,p|1,p|' empty.xml >empty.in && mv empty.in empty.xml
    run 'and one that has some in a process' 0 '^states +[2-9]' check empty.xml
    expect 'does not warn' sh -c '! grep -q warning err'
    model 'typedef int[0,2] T; int[0,2] x;' 'T != 1' 'x = T, m = 1' | sed 's|<label kind="guard">|<label kind="select">T : T</label>&|' >like.xml
    run 'a select named like its type' 0 '^states +7$' check like.xml --query 'A[] x != 1' --full
    run 'which is renamed where something is removed' 0 '' like.xml --remove P.m --may -o unlike.xml
    run 'so that it hides no type' 0 '' certify like.xml unlike.xml --may
    run 'suggest takes it' 0 '' suggest like.xml
    run 'and decide' 0 '' decide like.xml --query 'A[] x != 1'
    model 'int x, n = 1;' 'true' 'x = 2 ** (-n)' >power.xml
    run 'a negative exponent is an error' 0 '^power.xml:9:62: warning: negative exponent' check power.xml
    run 'limit of states' 5 '^unknown    A\[\] n <= 4$' check good.xml --max-states 3
    expect 'which it says' grep -q 'limit on the number of states' out
    run 'limit without queries' 5 'limit on the number of states' check none.xml --max-states 3
    run 'limit after the verdict' 1 '' check none.xml --query 'A[] n == 0' --max-states 7
    run 'a bad query and a limit' 3 '' check half.xml --max-states 1
    # 2^40 states
    system 'int[0,9] n; int[0,1] b[40];' 'A[] n <= 9' | sed 's|</queries>|&|
        s|<template><name>Q|<template><name>R</name><location id="id9"/><init ref="id9"/>\
<transition><source ref="id9"/><target ref="id9"/><label kind="select">i : int[0,39]</label>\
<label kind="assignment">b[i] = 1 - b[i]</label></transition></template>\n&|
        s|system P, Q|system P, Q, R|' >large.xml
    run 'limit of time' 5 'limit on time' check large.xml --timeout 0.3 --engine explicit
    # four million edges with fixed values
    sed 's|i : int\[0,39\]|i : int[0,39], k : int[0,99999]|' large.xml >wide.xml
    run 'a limit of memory before preparing' 5 '^wide.xml:.*more than [0-9]{6} edges.*--max-memory allows' \
        check wide.xml --max-memory 9M
    run 'too many edges' 5 '^wide.xml:.*more than 1048576 edges' check wide.xml
    run 'which is a limit of its own' 5 '"limit": "selects"' check wide.xml --json -
    expect 'which fits its schema' fits check out
    expect 'which takes no memory' sh -c "ulimit -v 300000; \"$VARABS\" check wide.xml >out 2>&1; test \$? -eq 5"
    # Nor does a look at whether a must-abstraction stands still.
    echo '<nta><declaration>int a[100000]; int x;</declaration><template><name>P</name>
        <location id="A"/><location id="B"/><init ref="A"/>
        <transition><source ref="A"/><target ref="B"/><label kind="select">i : int[0,99999]</label>
        <label kind="assignment">a[i] = i % 100, x = a[i]</label></transition>
        <transition><source ref="B"/><target ref="A"/><label kind="guard">x &gt; 5</label></transition>
        </template><system>system P;</system></nta>' >still.xml
    expect 'nor does must' sh -c "ulimit -v 1500000; \"$VARABS\" still.xml --remove x --must -o o.xml >out 2>&1"
    run 'too many edges, decide' 5 'more than 1048576 edges' decide wide.xml --query 'A[] b[n] == 0'
    sed 's|99999|9999|' wide.xml >wide2.xml
    run 'limit of memory while preparing' 5 'takes more than --max-memory' check wide2.xml \
        --max-memory 60M
    run 'limit of memory' 5 'limit on memory' check large.xml --engine explicit \
        --max-memory 4M
    run 'in JSON' 5 '"limit": "memory"' check large.xml --engine explicit \
        --max-memory 4M --json -
    expect 'which fits its schema' fits check out
    for jobs in 1 2; do
        run "limit of states, jobs $jobs" 5 '"limit": "states"' check large.xml \
            --max-states 100000 --json - --jobs $jobs
    done
    expect 'which fits its schema' fits check out
    run 'violated before a limit' 1 '' check large.xml --query 'A[] n < 1'
    interrupted() { # what is known so far is there
        timeout --preserve-status -s INT 1 "$VARABS" check large.xml --engine explicit --json limited.json >out 2>err
        [ $? -eq 5 ] && grep -q '^ended by an interrupt; there are more states$' out &&
            grep -q '"limit": "interrupt"' limited.json && fits check limited.json
    }
    expect 'interrupted' interrupted
    # A guard with 2,500 nested calls: no error of the model.
    {
        echo '<nta><declaration>int[0,1] v; int f0() { return v; }'
        for ((i = 1; i <= 2500; i++)); do echo "int f$i() { return f$((i - 1))(); }"; done
        echo '</declaration><template><name>P</name><location id="a"/><location id="b"><name>b</name></location>'
        echo '<init ref="a"/><transition><source ref="a"/><target ref="b"/><label kind="guard">f2500() == 0</label>'
        echo '</transition></template><system>system P;</system></nta>'
    } >deep.xml
    run 'a query that is too long' 5 'cannot be decided: too long' check none.xml \
        --query 'A[] forall (i : int[0,5000]) forall (j : int[0,5000]) n < i + j + 99' --query 'A[] true'
    expect 'and another one' grep -q '^satisfied  A\[\] true' out
    run 'calls that are too deep' 5 'deep.xml:.*6000 nested calls' check deep.xml --query 'A[] not P.b'
    expect 'nothing is known' grep -q '^unknown    A' out
fi

if group check_refused; then
    cat >twice.xml <<'END'
<nta><declaration>chan a, b;</declaration>
<template><name>P</name><location id="l0"><name>A</name></location><branchpoint id="b0"/>
<init ref="l0"/>
<transition><source ref="l0"/><target ref="b0"/><label kind="synchronisation">a!</label></transition>
<transition><source ref="b0"/><target ref="l0"/><label kind="synchronisation">b!</label></transition>
</template><system>system P;</system></nta>
END
    run 'two synchronisations in one step' 4 '^twice.xml:5:79: error: a second synchronisation' \
        check twice.xml
fi

if group json_header; then
    headed() { # NAME FILE MODEL — the header of a result about a model
        python3 -c "import hashlib, json, sys
name, file, model = sys.argv[1:]
d, data = json.load(open(file)), open(model, 'rb').read()
sys.exit(list(d)[:3] != ['\$schema', 'format', 'tool'] or d['\$schema'] != f'urn:varabs:{name}:1'
         or d['format'] != 1 or d['tool']['name'] != 'varabs' or d['input'] != {
             'file': model, 'bytes': len(data), 'sha256': hashlib.sha256(data).hexdigest()})" "$@"
    }
    run 'a report' 0 '' good.xml --remove n --may -o headed.xml --report report.head
    run 'a check' 0 '' check good.xml --json check.head
    run 'a certification' 0 '' certify good.xml none.xml --may --json certify.head
    run 'a decision' 0 '' decide good.xml --json decide.head
    run 'a suggestion' 0 '' suggest good.xml --json suggest.head
    run 'a description' 0 '' info good.xml --json info.head
    for name in report check certify decide suggest info; do
        expect "header of $name" headed $name $name.head good.xml
        expect "$name fits its schema" fits $name $name.head
        expect "which has that name" grep -q "\"\$id\": \"urn:varabs:$name:1\"" \
            "$root/schemas/$name.schema.json"
    done
fi

if group check_json; then
    run 'JSON' 1 '' check bad.xml --full --json -
    expect 'and nothing else' says out "d['states'] == 8 and d['transitions'] == 12"
    expect 'nothing to say' test ! -s err
    expect 'verdicts' says out "[x['verdict'] for x in q] == ['satisfied', 'violated']"
    expect 'complete' says out "d['is_complete'] and d['limit'] is None and not d['first_error']"
    expect 'no traces' says out "not any('trace' in x for x in q)"
    expect 'JSON fits its schema' fits check out
    run 'JSON into a file' 1 '^violated ' check bad.xml --json result.json
    expect 'it is there' says result.json "len(q) == 2"
    expect 'JSON fits its schema' fits check result.json
    run 'bounds' 0 '' check none.xml --json - --query 'bounds{P(0).busy}: n + 1, n' \
        --query 'sup: n' --query 'inf{n == 9}: n'
    expect 'JSON fits its schema' fits check out
    expect 'all bounds' says out "[x['bounds'] for x in q] == [
        [{'expression': 'n + 1', 'lower': 2, 'upper': 5}, {'expression': 'n', 'lower': 1, 'upper': 4}],
        [{'expression': 'n', 'lower': None, 'upper': 4}],
        [{'expression': 'n', 'lower': None, 'upper': None}]]"
    run 'problems' 3 '' check half.xml --json -
    expect 'JSON fits its schema' fits check out
    expect 'a problem' says out "'m' in q[0]['problem'] and q[0]['verdict'] == 'unknown'"
    run 'errors' 0 '' check range.xml --full --json -
    expect 'JSON fits its schema' fits check out
    expect 'the first error' says out "d['first_error']['position'].startswith('range.xml:') and
        d['first_error']['message'] == 'range violation' and d['errors'] > 0"
    run 'result over the model' 2 'is an input' check model.xml --json ./model.xml
    expect 'the input is untouched' untouched
    run 'result over the queries' 2 'is an input' check none.xml --queries queries.q \
        --json queries.q
    expect 'the queries are untouched' grep -q 'what is never' queries.q
    run 'no directory for the result' 2 'cannot write' check none.xml --json no/x.json
    if [ -c /dev/full ]; then
        run 'full disk' 5 'cannot write .*No space left' check bad.xml --json /dev/full
        expect 'and yet a verdict' grep -q '^violated   A\[\] n < 4$' out
        run 'full disk, certify' 5 'No space left' certify none.xml none.xml --may --json /dev/full
        expect 'and yet a verdict' grep -q '^holds: ' out
        run 'full disk, decide' 5 'No space left' bad.xml --auto --json /dev/full
        expect 'and yet a verdict' grep -q '^  violated' out
        run 'full disk, suggest' 5 'No space left' suggest bad.xml --json /dev/full
        expect 'and yet a result' test -s out
        "$root/tests/limit.sh" 60 "$VARABS" check none.xml >/dev/full 2>err
        expect 'full standard output' test $? -eq 5
        "$root/tests/limit.sh" 60 "$VARABS" check bad.xml --json - >/dev/full 2>err
        expect 'full standard output for JSON' test $? -eq 5
        expect 'and yet a verdict' grep -q '^violated   A\[\] n < 4$' err
    fi
fi
