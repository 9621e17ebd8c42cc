# Cases of `varabs check` with --weak and --strong, read by run.sh; helpers are there.

fair_model() { # EDGES... — an edge is "FROM TO COMMENT [SYNC]"; P may listen, Q sends a for ever
    local edge from to comment sync
    printf '<nta><declaration>broadcast chan a, c[2]; int[0,3] n;</declaration>\n<template><name>P</name>\n'
    for from in 0 1 2; do printf '<location id="p%s"><name>s%s</name></location>\n' $from $from; done
    printf '<init ref="p0"/>\n'
    for edge; do
        read -r from to comment sync <<<"$edge"
        printf '<transition><source ref="p%s"/><target ref="p%s"/><label kind="comments">%s</label>%s</transition>\n' \
            "$from" "$to" "$comment" "${sync:+<label kind=\"synchronisation\">$sync</label>}"
    done
    printf '</template>\n<template><name>Q</name><location id="q0"><name>on</name></location><init ref="q0"/>\n'
    printf '<transition><source ref="q0"/><target ref="q0"/><label kind="synchronisation">a!</label></transition>\n'
    printf '</template>\n<system>system P, Q;</system></nta>\n'
}
fair() { # NAME VERDICT QUERY MODEL OPTION... — under kripke and uppaal
    local name=$1 verdict=$2 query=$3 model=$4 semantics
    shift 4
    for semantics in kripke uppaal; do
        run "$name, $semantics" '0|1' "^$verdict +.*" check "$model" --query "$query" --semantics $semantics "$@"
    done
}

fair_model '0 1 _' '1 0 _' '1 2 @t' >back.xml
fair_model '0 0 _' '0 1 _' '1 0 _' '1 2 @t' >apart.xml
fair_model '0 1 @t a?' '1 2 _' >listens.xml
fair_model '0 0 @t' '0 1 @u' >still.xml

{ # P can move at every other turn
    printf '<nta><declaration>int[0,1] n;</declaration>\n<template><name>P</name>\n'
    printf '<location id="p0"><name>s0</name></location><location id="p1"><name>s1</name></location><init ref="p0"/>\n'
    printf '<transition><source ref="p0"/><target ref="p1"/><label kind="guard">n == 1</label></transition></template>\n'
    printf '<template><name>Q</name><location id="q0"/><init ref="q0"/><transition><source ref="q0"/><target ref="q0"/>\n'
    printf '<label kind="assignment">n = 1 - n</label></transition></template><system>system P, Q;</system></nta>\n'
} >turns.xml

{ # one of two processes is at b; they may exchange that, or the one there leaves once
    printf '<nta><declaration>typedef int[1,2] id_t; bool busy, gone; chan swap;</declaration>\n<template><name>P</name>\n'
    printf '<parameter>const id_t i</parameter>'
    for at in a b c; do printf '<location id="%s"><name>%s</name></location>' $at $at; done
    printf '<init ref="a"/>\n'
    while read -r from to kind text; do
        printf '<transition><source ref="%s"/><target ref="%s"/><label kind="%s">%s</label>' $from $to $kind "$text"
        case $text in !busy) printf '<label kind="assignment">busy = true</label>' ;; esac
        case $text in !gone) printf '<label kind="assignment">gone = true, busy = false</label><label kind="comments">@leave(i)</label>' ;; esac
        printf '</transition>\n'
    done <<<$'a b guard !busy\nb a synchronisation swap!\na b synchronisation swap?\nb c guard !gone'
    printf '</template><system>system P;</system></nta>\n'
} >swap.xml

if group fairness; then
    while read -r verdict options; do # the two are alike, and yet fairness tells them apart
        run "exchanged for ever, $options" '0|1' "^$verdict +A<> gone" \
            check swap.xml --query 'A<> gone' --semantics kripke --symmetry report $options
    done <<<$'violated\nviolated --weak @leave(*)\nsatisfied --weak @leave\nsatisfied --strong @leave(*)\nsatisfied --strong @leave'
    fair 'an unfair cycle is no run' satisfied 'A<> P.s2' back.xml --strong @t,P
    fair 'weakly fair it is one' violated 'A<> P.s2' back.xml --weak @t,P
    fair 'a part of a component' violated 'A<> P.s2' apart.xml --strong @t,P
    fair 'processes take turns' satisfied 'A<> P.s1' back.xml --weak '*'
    fair 'unless nobody says so' violated 'A<> P.s1' back.xml
    run 'which is said then' 1 "^             satisfied if every process is weakly fair \(--weak '\*'\)" \
        check back.xml --query 'A<> P.s1' --json r.json
    expect 'fits' fits check r.json
    expect 'says what fair runs do' grep -q '"if_fair"' r.json
    run 'or strongly fair' 1 "^             satisfied if every process is strongly fair \(--strong '\*'\)" \
        check turns.xml --query 'A<> P.s1' --semantics kripke
    run 'where a run is a witness' 0 "^             violated if every process is weakly fair" \
        check back.xml --query 'E[] P.s0'
    sed 's/system P, Q;/R(const int[1,64] i) = Q(); system P, R;/' back.xml >many.xml
    run 'or not known in so many processes' 1 '^             not known for fair processes: there are more than 63 of them$' \
        check many.xml --query 'A<> P.s1'
    expect 'not if they violate it, too' test "$("$VARABS" check back.xml --query 'A<> P.s2 && n == 1' | grep -c fair)" = 0
    expect 'not if fairness is asked for' \
        test "$("$VARABS" check back.xml --query 'A<> P.s1' --weak a | grep -c 'if every')" = 0
    sed 's/int\[0,1\] n/int[0,40000] n/; s/n = 1 - n/n = (n + 1) % 40001/' turns.xml >states.xml
    choice='<label kind="select">i : int[0,1200]<\/label><label kind="assignment">n = i'
    sed "s/int\[0,1\] n/int[0,1200] n/; s/n == 1/n != 1201/; s/<label kind=\"assignment\">n = 1 - n/$choice/" turns.xml >steps.xml
    for model in states steps; do
        run "$model" 1 '^violated' check $model.xml --query 'A<> P.s1' --semantics kripke
        expect "not if there are too many $model" test "$(grep -c 'if every' out)" = 0
        expect "which is said of too many $model" grep -q "^             not known for fair processes" out
        run "which are fair, $model" 0 '^satisfied' check $model.xml --query 'A<> P.s1' --semantics kripke --strong '*'
    done
    for options in '--engine symbolic' '--engine explicit --jobs 2' '--full --trace'; do
        # shellcheck disable=SC2086 # words
        run "the same with $options" 1 '^             satisfied if every process is weakly fair' \
            check back.xml --query 'A<> P.s1' $options
    done
    fair 'what stays inside' satisfied 'E[] !P.s2' back.xml --weak '*'
    fair 'and does not for ever' violated 'E[] !P.s2' back.xml --strong @t,P
    fair 'from states where something holds' satisfied 'P.s1 --> P.s2' back.xml --strong t --weak P
    fair 'or not' violated 'P.s1 --> P.s2' apart.xml --strong @t --weak P
    fair 'receivers have tags' satisfied 'A<> P.s1' listens.xml --weak @t
    fair 'and are processes' satisfied 'A<> P.s1' listens.xml --weak P
    fair 'and channels have steps' satisfied 'A<> P.s1' listens.xml --weak a
    fair 'a step that changes nothing is taken' violated 'A<> P.s1' still.xml --weak P
    fair 'unlike another' satisfied 'A<> P.s1' still.xml --weak @u
    fair 'reachability does not mind' satisfied 'E<> P.s1' still.xml --weak @t --strong Q
    run 'which is said' 0 'fairness matters to A<>, E\[\] and --> only' check still.xml --query 'E<> P.s1' --weak @t
    run 'a run that is fair' 1 'fair to P \(weak\), Q \(weak\)' check back.xml --query 'A<> P.s2' --trace --weak '*' \
        --json r.json
    expect 'fits' fits check r.json
    expect 'says what is fair' grep -q '"fairness"' r.json
    run 'an unknown name' 2 "no process, channel or tag '@v'" check still.xml --query 'A<> P.s1' --weak @v
    run 'not by sets of states' 4 'fairness is for the explicit engine' check still.xml --query 'A<> P.s1' --weak @t \
        --engine symbolic
    run 'not of formulas' 4 'answered without fairness' check still.xml --query 'A[] E<> P.s1' --weak @t
    run 'not in the original' 2 '\-\-concretize goes without' check still.xml --weak @t --concretize still.xml
    run 'a limit' 5 '^unknown' check back.xml --query 'A<> P.s2' --strong @t,P --max-states 1
    run 'a limit on memory' 5 'limit on memory' check back.xml --query 'A<> P.s2' --strong @t,P --max-memory 100
    for jobs in 1 2; do
        "$VARABS" check apart.xml --query 'P.s1 --> P.s2' --query 'A[] true' --strong @t --weak P --trace --jobs $jobs |
            sed '/^time  /d; /^memory /d' >jobs$jobs
    done
    expect 'the same run whatever jobs' cmp -s jobs1 jobs2
    each_model() { # TAG
        printf '<nta><declaration>broadcast chan c[2], d; bool seen;</declaration>\n<template><name>P</name>\n'
        printf '<location id="l"><name>on</name></location><init ref="l"/>\n<transition><source ref="l"/><target ref="l"/>'
        printf '<label kind="select">i : int[0,1]</label><label kind="synchronisation">c[i]!</label>'
        printf '<label kind="assignment">seen = seen || i == 1</label><label kind="comments">%s</label></transition>' "$1"
        printf '</template>\n<system>system P;</system></nta>\n'
    }
    each_model '@t(seen, i) @c' >each.xml
    fair 'a channel may be one of its cells' violated 'A<> seen' each.xml --weak c --strong @t
    fair 'unless each is fair' satisfied 'A<> seen' each.xml --weak 'c(*)'
    fair 'or each value of a tag' satisfied 'A<> seen' each.xml --strong '@t(*)'
    run 'which are listed' 0 'fair to t\(0,0\) \(weak\), t\(0,1\) \(weak\)$' check each.xml --query 'A<> seen' \
        --weak 't(*)' --json r.json
    expect 'fits' fits check r.json
    run 'a tag without arguments beside its channel' 0 'fair to c\(0\) \(weak\), c\(1\) \(weak\)$' check each.xml \
        --query 'A<> seen' --weak 'c(*)'
    run 'a tag alone' 1 'fair to @c\(\) \(weak\)$' check each.xml --query 'A<> seen' --weak '@c(*)'
    run 'without steps' 1 ', no step of d\(\*\)$' check each.xml --query 'A<> seen' --weak 'd(*)'
    run 'no process' 2 "no process, channel or tag 'P\(\*\)'" check each.xml --query 'A<> seen' --weak 'P(*)'
    for tag in '@t(1 / (1 - i))' '@t(none)' '@t(c)' '@t(i'; do
        each_model "$tag" >wrong.xml
        run "$tag" 3 '^wrong.xml:4:[0-9]+: error: ' check wrong.xml --query 'A<> seen' --weak '@t(*)'
        run "$tag that nobody asks for" 1 '^violated' check wrong.xml --query 'A<> seen' --weak '@t'
    done
    for side in '' abstract-; do
        run "the same of --${side}weak" 3 '^wrong.xml:4:[0-9]+: error: ' refines wrong.xml wrong.xml --"${side}weak" 't(*)'
    done
    each_model '@t(i)' | sed 's/int\[0,1\]/int[0,63]/; s/c\[2\]/c[64]/' >many.xml
    run 'too many instances' 5 "'c\(\*\)' has too many instances" check many.xml --query 'A<> !P.on' --weak 'c(*)'
    sed 's/int\[0,63\]/int[0,62]/' many.xml >fewer.xml
    run 'as many as there may be' 1 '^violated' check fewer.xml --query 'A<> !P.on' --weak 'c(*)'
    run 'of two models' 5 "'c\(\*\)' has too many instances" refines many.xml many.xml --abstract-weak 'c(*)'
    expect 'no verdict' test ! -s out
    # Cells of a channel are told apart by all of their indices.
    one=$(printf '[1]%.0s' {1..16}) zero=$(printf '[0]%.0s' {1..16})
    sed "s/c\[64\]/c[64]$one/; s/c\[i\]/c[i]$zero/g" fewer.xml >deep.xml
    run 'too many indices' 5 "channel 'c' has more than 16 indices" check deep.xml --query 'A<> !P.on' --weak 'c(*)'
fi
