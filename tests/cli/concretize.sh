# Cases of `varabs check --concretize`, read by run.sh; helpers are there and in check.sh.

chain() { # FIRST SECOND QUERY — edges in a row, two of them with these guards; m is 1 or 2
    cat <<END_OF_MODEL
<?xml version="1.0" encoding="utf-8"?>
<nta>
<declaration>int[0,2] m;</declaration>
<template><name>P</name>
<location id="id0"><name>A</name><urgent/></location>
<location id="id1"><name>B</name><urgent/></location>
<location id="id2"><name>C</name><urgent/></location>
<location id="id3"><name>D</name><urgent/></location>
<location id="id4"><name>E</name><urgent/></location>
<init ref="id0"/>
<transition><source ref="id0"/><target ref="id1"/>
<label kind="select">i : int[1,2]</label><label kind="assignment">m = i</label></transition>
<transition><source ref="id1"/><target ref="id2"/><label kind="guard">$1</label></transition>
<transition><source ref="id2"/><target ref="id3"/><label kind="guard">$2</label></transition>
<transition><source ref="id3"/><target ref="id3"/><label kind="guard">m == 2</label>
<label kind="assignment">m = 1</label></transition>
<transition><source ref="id3"/><target ref="id4"/></transition>
</template>
<system>system P;</system>
<queries><query><formula>$3</formula><comment/></query></queries>
</nta>
END_OF_MODEL
}

chain 'm == 1' 'm == 1' 'A[] not P.D' >through.xml
chain 'm == 1' 'm == 2' 'A[] not P.D' >broken.xml
chain 'true' 'true' 'E[] not P.E' >loop.xml

if group concretize; then
    sed 's/>P</>R</; s/system P/system R/; s/P\././' through.xml >other.xml
    for model in through broken loop; do
        run "abstract $model" 0 '' $model.xml --remove m --may -o a.$model.xml
    done
    run 'a real counterexample' 1 'so it is in the original: a run of 3 steps' \
        check a.through.xml --concretize through.xml
    expect 'is not shown' sh -c '! grep -q "counterexample: " out'
    run 'unless it is asked for' 1 'the same counterexample in the original' \
        check a.through.xml --concretize through.xml --trace
    expect 'with the removed variable' grep -q 'm = 1' out
    run 'a spurious one' 1 'the original cannot take step 3 \(P: C -> D\)' \
        check a.broken.xml --concretize broken.xml --json c.json
    expect 'because of what' grep -q 'it depends on m' out
    expect 'fits the schema' fits check c.json
    expect 'the same as JSON' says c.json "q[0]['original']['outcome'] == 'spurious' and
        q[0]['original']['step'] == 2 and q[0]['original']['depends_on'] == ['m']"
    expect 'the guard that is false, with its values' says c.json "[(g['process'], g['source'], g['target'], g['values'])
        for g in q[0]['original']['false_guards']] == [('P', 'C', 'D', {'m': 1})]"
    run 'a loop that ends' 0 'cannot take step 4 after 1 more round' check a.loop.xml \
        --concretize loop.xml --json l.json
    expect 'as JSON' says l.json "q[0]['original']['round'] == 1"
    run 'traces' 0 'the same witness' check a.through.xml --concretize through.xml \
        --query 'E<> P.D' --trace --json t.json
    expect 'fit the schema' fits check t.json
    run 'nothing to look for' 0 '^satisfied' check a.through.xml --concretize through.xml \
        --query 'A[] not P.E imply P.A or P.B or P.C or P.D'
    run 'a query on what is ignored' 0 'there it proves nothing' check loop.xml \
        --concretize through.xml --ignore m --query 'E<> P.C and m == 2'
    run 'a limit' 5 'ended by the limit on the number of states' check a.through.xml \
        --concretize through.xml --max-states 4
    run 'abstract by a merge' 0 '' broken.xml --merge 'mg:bool=m>1' --may -o a.merge.xml
    run 'a query over a merge' 1 'not known of the original: the query means nothing there' \
        check a.merge.xml --concretize broken.xml --query 'A[] not mg' --json m.json
    expect 'fits the schema, too' fits check m.json
    run 'another original' 2 'the models have different processes' check a.through.xml --concretize other.xml
    onlooker='<template><name>Z<\/name><location id="z"\/><location id="w"\/><init ref="z"\/><transition><source ref="z"\/><target ref="w"\/><\/transition><\/template>'
    sed "s/<system>system P;/$onlooker<system>system P, Z;/" through.xml >watched.xml
    run 'a process less' 0 'so it is in the original: a run of 3 steps' check a.through.xml --concretize watched.xml \
        --query 'E<> P.D'
    sed "s/<system>system P;/$onlooker<system>system P, Z;/" broken.xml >watched.xml
    run 'which may have to step' 0 'not known of the original: the abstract model lacks processes' check \
        a.broken.xml --concretize watched.xml --query 'E<> P.D' --json m.json
    expect 'fits the schema as well' fits check m.json
    cp "$root/benchmarks/models/postal_3_2.xml" postal.xml
    run 'abstract with exchanged values' 0 '' postal.xml --auto --may -o a.postal.xml --report a.postal.json
    run 'which its report has' 1 'so it is in the original: a run of 11 steps' check a.postal.xml \
        --concretize postal.xml
    expect 'with nothing to warn of' sh -c '! grep -q warning err'
    cp a.postal.json kept.json
    sed 's/"sha256": "/"sha256": "0/' kept.json >a.postal.json
    run 'a report of others' 1 'was not taken for its report' check a.postal.xml --concretize postal.xml
    expect 'is said with a run that seems spurious' grep -q 'spurious: the original cannot take' out
    rm a.postal.json
    run 'no report' 1 'as there is no report of this abstraction' check a.postal.xml --concretize postal.xml
    echo '{}' >a.postal.json
    run 'what is no report' 1 'is no report of an abstraction' check a.postal.xml --concretize postal.xml
    run 'no original' 3 'cannot read' check a.through.xml --concretize nowhere.xml
    run 'an ignored name alone' 2 'goes with --concretize' check a.through.xml --ignore m
    run 'the result in its place' 2 'choose another name' check a.through.xml \
        --concretize through.xml --json through.xml
fi
