# Cases of SIGINT, SIGTERM and SIGHUP, read by run.sh; helpers are there, vast.xml in group outputs of it.

# Models that take for ever to explore, and one that takes seconds to analyse.
vast() {
    model 'int[0,9] x[40]; int[0,9] goal;' 'true' 'x[i] = v' |
        sed 's|<target ref="id1"/>|<target ref="id0"/>|
            s|<label kind="guard">|<label kind="select">i : int[0,39], v : int[0,9]</label>&|'
}
heavy() {
    local i next later
    echo "<nta><declaration>int[0,63] s; $(printf 'int[0,63] a%d; ' {0..39})</declaration>
<template><name>P</name><location id=\"l0\"/><init ref=\"l0\"/>"
    for i in {0..39}; do
        next=a$(((i + 1) % 40)) later=a$(((i + 2) % 40))
        echo "<transition><source ref=\"l0\"/><target ref=\"l0\"/>
<label kind=\"guard\">a$i * $next + $later * s != 77</label>
<label kind=\"assignment\">a$i = (a$i + $next * $later + 1) % 64, s = (a$i + s) % 64</label></transition>"
    done
    echo '</template><system>system P;</system></nta>'
}

# Its values jump about: hard for states one by one, and for sets of them.
jumps() {
    echo '<nta><declaration>int[0,10006] x, y; int[0,9] goal;</declaration><template><name>P</name>
<location id="l"/><init ref="l"/><transition><source ref="l"/><target ref="l"/>
<label kind="select">v : int[0,9]</label><label kind="assignment">x = (x * 31 + y * 17 + v) % 10007,
y = (y * 13 + x) % 10007</label></transition></template><system>system P;</system></nta>'
}

# interrupted NAME SECONDS ARGUMENT... — ends with status 5 in a moment; the signals take turns, as there
# is one handler for all
signal=HUP
interrupted() {
    local name=$1 after=$2 got
    shift 2
    case $signal in
    INT) signal=TERM ;;
    TERM) signal=HUP ;;
    HUP) signal=INT ;;
    esac
    timeout --preserve-status -k 20 -s "$signal" "$after" "$VARABS" "$@" >out 2>err
    got=$?
    expect "$name, SIG$signal: status" test "$got" -eq 5
    expect "$name, SIG$signal: no fault" sh -c "! grep -Eq 'Sanitizer|runtime error:|Assertion' err"
}

if group interrupts; then
    vast >vast.xml
    heavy >heavy.xml
    jumps >jumps.xml
    # A million edges with fixed values, each of which takes its time.
    model 'int[0,9] x, y;' "i * j % 17 == k % 3 $(repeat 100 'or x + i * j == y + k ')" 'x = (i + j + k) % 10' |
        sed 's|<label kind="guard">|<label kind="select">i : int[0,99], j : int[0,99], k : int[0,49]</label>&|' >selects.xml
    python3 "$root/benchmarks/caches.py" 5 3 -o caches.xml
    python3 "$root/benchmarks/caches.py" 30 6 -o many.xml
    sed 's|>true<|>x[i] \&lt; 9<|; s|x\[i\] = v|x[i] += 1|' vast.xml >upward.xml
    sed 's/<declaration>/&broadcast chan step; /; s/<label kind="assignment">/<label kind="synchronisation">step!<\/label>&/' vast.xml >vast_c.xml
    sed 's/<declaration>/&broadcast chan step; /' selects.xml >selects_c.xml
    python3 "$root/benchmarks/large.py" 30 -o huge.xml
    run 'no time to read all of it' 5 'error: (the model is not (read|checked) to its end: )?the time limit was reached' \
        info huge.xml --timeout 0.01
    run 'nor to draw it' 5 'the time limit was reached|--timeout allows' draw huge.xml --timeout 0.01 -o i.svg
    run 'nor to export it' 5 'the time limit was reached|--timeout allows' export huge.xml --to promela --timeout 0.01 -o i.pml
    expect 'nothing is written' test ! -e i.svg -a ! -e i.pml
    rm -f huge.xml
    rm -f i.*
    interrupted check 1 check vast.xml --engine explicit --jobs 1 \
        --query 'E<> x[0] + x[1] == 19 and goal == 1' --query 'A[] x[0] == 0' --full --json i.check
    expect 'says why' grep -q '^ended by an interrupt' out
    expect 'with what is known' grep -q '^violated   A\[\] x\[0\] == 0$' out
    expect 'and in JSON' fits check i.check
    for engine in auto symbolic; do
        interrupted "check, $engine" 1 check caches.xml --engine $engine --json i.check
        expect 'says why' grep -q '^ended by an interrupt' out
        expect 'and in JSON' fits check i.check
    done
    interrupted 'check while steps are put together' 0.4 check many.xml \
        --engine symbolic --json i.check
    expect 'says why' grep -Eq '^ended by an interrupt|interrupted before the search' out err
    expect 'and in JSON' fits check i.check
    interrupted 'check of liveness' 1 check upward.xml --json i.check --semantics kripke \
        --query 'A<> forall (i : int[0,39]) x[i] == 9'
    expect 'says why' grep -q '^ended by an interrupt' out
    expect 'and in JSON' fits check i.check
    interrupted 'check while edges are prepared' 0.3 check selects.xml --json i.check
    expect 'says so' grep -q 'interrupted before the search' err
    expect 'and in JSON' fits check i.check
    expect 'which says why' grep -q '"limit": "interrupt"' i.check
    interrupted 'certify while edges are prepared' 0.3 certify selects.xml selects.xml --may \
        --json i.certify
    expect 'and in JSON' fits certify i.certify
    interrupted certify 1 certify vast.xml vast.xml --may --engine explicit --json i.certify
    expect 'says so' grep -q '^unknown' out
    expect 'and in JSON' fits certify i.certify
    interrupted 'refines while edges are prepared' 0.3 refines selects_c.xml selects_c.xml \
        --json i.refines
    expect 'and in JSON' fits refines i.refines
    interrupted refines 1 refines vast_c.xml vast_c.xml --json i.refines
    expect 'says so' grep -q '^unknown: ended by an interrupt' out
    expect 'and in JSON' fits refines i.refines
    interrupted decide 1 jumps.xml --auto --no-look --query 'A[] x == 0' \
        --query 'E<> x == y and goal == 1' --query 'E<> goal == 1' \
        --json i.decide
    expect 'says so' grep -q 'unknown: ended by an interrupt' out
    expect 'with the verdict before it' grep -q '^  violated' out
    expect 'and in JSON' fits decide i.decide
    interrupted suggest 1 suggest heavy.xml --budget 1G --json i.suggest
    expect 'says so' grep -q 'Ended by an interrupt' out
    expect 'and in JSON' fits suggest i.suggest
    interrupted 'suggest with measures' 1 suggest vast.xml --measure --jobs 1 --timeout 60 \
        --max-states 1000000000 --json i.suggest
    expect 'and in JSON' fits suggest i.suggest
    interrupted info 1 info heavy.xml --budget 1G --json i.info
    expect 'and in JSON' fits info i.info
    interrupted abstract 1 heavy.xml --remove a1 --may --approx combined --budget 1000000000 \
        -o i.xml
    expect 'says so' grep -q 'interrupted before there was a result' err
    expect 'nothing is written' test ! -e i.xml -a ! -e i.json
    interrupted 'abstract with --auto' 1 heavy.xml --auto --may --budget 1G -o i.xml
    expect 'nothing is written' test ! -e i.xml -a ! -e i.json
    # --timeout is for whole commands, and ends what signals end.
    rm -f i.*
    seconds=20
    run 'suggest in time' 5 'Ended by the limit on time' suggest heavy.xml --budget 1G --timeout 0.5 \
        --json i.suggest
    expect 'JSON says so' grep -q '"limit": "time"' i.suggest
    expect 'as the schema wants it' fits suggest i.suggest
    run 'info in time' 5 'unknown' info heavy.xml --budget 1G --timeout 0.5
    run 'decide in time' 5 'unknown: ended by the limit on time' decide heavy.xml --no-look --budget 1G \
        --timeout 0.5 --query 'A[] a1 != 1' --query 'A[] a2 != 1'
    for more in '--remove a1 --may' '--remove a1,a2,a3 --must' '--remove a1 --may --approx combined' \
        '--auto --may'; do
        # shellcheck disable=SC2086 # several arguments
        run "$more in time" 5 'there is no abstraction yet: the time limit was reached' heavy.xml $more \
            --budget 1G --timeout 0.5 -o i.xml
        expect 'nothing is written' test ! -e i.xml -a ! -e i.json
    done
    # shellcheck disable=SC2034 # what run allows
    seconds=60
    # Where nothing listens any more, the second signal kills.
    mkfifo blocked
    timeout --foreground -s KILL 60 "$VARABS" check none.xml --json blocked >out 2>err &
    process=$!
    sleep 0.5
    kill -TERM $process
    sleep 1 # two signals within a moment are one
    expect 'the first signal lets it write what it knows' kill -0 $process
    kill -TERM $process
    wait $process
    expect 'the second kills' test $? -eq 143
    # A limit on time is kept while a reader does not come, or a writer.
    run 'in time, without a reader' 5 'the time limit was reached before there was a result' \
        check none.xml --json blocked --timeout 0.5
    run 'in time, without a writer' 5 'the time limit was reached before there was a result' \
        info blocked --timeout 0.5
    (exec 9<>blocked && exec timeout -s KILL 60 "$VARABS" check - --timeout 0.5 <&9 >out 2>err)
    expect 'in time, at standard input' test $? -eq 5
    run 'in time, at the original' 5 'the time limit was reached' check none.xml --query 'E<> n == 1' \
        --concretize blocked --timeout 0.5
    # A model that takes its time to come; who waits for a reader must not hold our output open.
    { cat none.xml >blocked; } >/dev/null 2>&1 &
    process=$!
    (trap '' TERM; exec timeout --preserve-status -k 60 -s TERM 0.2 "$VARABS" check blocked >out 2>err)
    expect 'a signal that is ignored stays ignored' test $? -eq 0
    kill $process 2>/dev/null # if it still waits
    expect 'no temporary file is left' no_temporary
fi
