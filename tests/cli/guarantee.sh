# Cases of the table of what carries over and of --checked, read by run.sh; helpers are there.

dead_end() { # GUARD — m is 1 or 2 at B, where nothing but a step with the guard is possible
    cat <<END_OF_MODEL
<?xml version="1.0" encoding="utf-8"?>
<nta>
<template><name>P</name><declaration>int[0,2] m;</declaration>
<location id="id0"><name>A</name><urgent/></location>
<location id="id1"><name>B</name><urgent/></location>
<init ref="id0"/>
<transition><source ref="id0"/><target ref="id1"/>
<label kind="select">i : int[1,2]</label><label kind="assignment">m = i</label></transition>
<transition><source ref="id1"/><target ref="id0"/><label kind="guard">m == 1</label></transition>
<transition><source ref="id1"/><target ref="id1"/><label kind="guard">$1</label></transition>
</template>
<system>system P;</system>
<queries><query><formula>A&lt;&gt; P.B</formula><comment/></query>
<query><formula>A[] P.A or P.B</formula><comment/></query></queries>
</nta>
END_OF_MODEL
}
row() { # KRIPKE UPPAAL QUERY — the table of the last run has this row
    grep -Eq "^ +$1 +$2 +$3" out
}

dead_end 'm == 2' >moves.xml
dead_end 'm == 0' >stuck.xml

if group guarantee; then
    run 'the table' 0 'kripke +uppaal +query' moves.xml --remove m --may -o a.xml
    expect 'reachability' row satisfied satisfied 'A\[\] P.A or P.B'
    expect 'liveness, shown on its states' row satisfied satisfied 'A<> P.B'
    run 'one that gets stuck' 0 'the original may get stuck where this model goes on' stuck.xml --remove m \
        --may -o a.xml
    expect 'liveness' row - - 'A<> P.B'
    run 'nothing beside the model' 0 '' moves.xml --remove m --may -o - --report a.json
    expect 'but the model' sh -c '! grep -q query$ out'
    run 'nothing beside the report' 0 '' moves.xml --remove m --may -o a.xml --report -
    expect 'but the report' python3 -m json.tool out /dev/null

    run 'an exploration' 0 '' check moves.xml --full --json moves.json
    run 'without deadlocks' 0 '' moves.xml --remove m --may -o a.xml --checked moves.json \
        --report a.json
    expect 'liveness carries over' row satisfied satisfied 'A<> P.B'
    expect 'the report tells so' grep -q '"model": "original"' a.json
    run 'of the other model' 3 'moves.json. is about another model' stuck.xml --remove m --may \
        -o a.xml --checked moves.json
    run 'with a deadlock' 0 '' check stuck.xml --full --json stuck.json
    cp "$root/tests/golden/X5_stays_where_the_original_fails/model.xml" fails.xml
    "$VARABS" check fails.xml --full --json fails.json >/dev/null 2>&1
    run 'relies on what is not so' 0 'fails.out.xml: may-abstraction, not exact$' fails.xml --remove .n \
        --may -o fails.out.xml --max-states 1 --checked fails.json
    expect 'nothing carries over' row - - 'P.A --> P.B'
    run 'liveness needs more' 0 '' stuck.xml --remove m --may -o a.xml --checked stuck.json
    expect 'than that' row - - 'A<> P.B'
    run 'one that ended early' 0 '' check moves.xml --query 'E<> P.A' --json early.json
    run 'is not enough' 3 'did not explore everything' moves.xml --remove m --may -o a.xml \
        --checked early.json
    run 'no result at all' 3 'is no result of' moves.xml --remove m --may -o a.xml \
        --checked moves.xml
    run 'no such file' 3 "cannot read 'none.json'" moves.xml --remove m --may -o a.xml \
        --checked none.json

    run 'assumed' 0 'assumed: the original is never stuck' stuck.xml --remove m --may \
        --assume-live -o a.xml --report a.json
    expect 'liveness rests on it' row satisfied satisfied 'A<> P.B  \[1\]'
    expect 'as the report says' grep -q '"assumed": "live"' a.json
    run 'refuted' 0 'assumed to be never stuck, and exploring found that it is' stuck.xml --remove m --may \
        --assume-live --checked stuck.json -o a.xml
    expect 'so nothing rests on it' row - - 'A<> P.B'
    run 'not beside loops' 2 'leave out one' stuck.xml --remove m --may --assume-live --stutter
    run 'not for must' 2 '--assume-live goes with --may only' stuck.xml --remove m --must --assume-live
    echo '{"remove": ["m"], "mode": "may", "assume": ["live"]}' >live.json
    run 'in a spec' 0 'assumed: the original is never stuck' stuck.xml --spec live.json -o a.xml
    echo '{"remove": ["m"], "mode": "may", "assume": ["luck"]}' >luck.json
    run 'nothing else' 3 'what can be assumed is live' stuck.xml --spec luck.json -o a.xml
    run 'loops' 0 '' stuck.xml --remove m --may --stutter -o a.xml
    expect 'liveness carries over with them' row satisfied satisfied 'A<> P.B'
    run 'no dead end is hidden' 0 '^holds' certify stuck.xml a.xml --may --stutter
    run 'without loops' 0 '' stuck.xml --remove m --may -o a.xml
    run 'one is' 1 '^fails' certify stuck.xml a.xml --may --stutter
    run 'no loops for must' 2 '--stutter goes with --may only' stuck.xml --remove m --must --stutter
    run 'nor for its lower form' 2 '--stutter goes with --may only' stuck.xml --remove m \
        --must=lower --stutter

    run 'must' 0 'this model may get stuck' moves.xml --remove m --must -o must.xml
    run 'a must-abstraction is stuck' 0 '^deadlocks +1$' check must.xml --full --json must.json
    run 'which is known then' 0 '' moves.xml --remove m --must -o must.xml --checked must.json \
        --report must.report
    expect 'and said' grep -q '"model": "output"' must.report
    run 'a result of the original is no help' 0 'this model may get stuck' moves.xml --remove m \
        --must -o must.xml --checked moves.json
fi
