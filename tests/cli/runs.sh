# Cases of files with runs (`varabs check --msc --run-model`), read by run.sh; helpers are there.

twins() { # two processes that nothing tells apart, where one stops
    cat <<'END'
<?xml version="1.0" encoding="utf-8"?>
<nta><declaration>broadcast chan all; int n; int[0,3] left = 3; int f(int k) { n = k; return k; }</declaration>
<template><name>T</name><location id="a"><name>on</name></location><location id="b"><name>off</name></location>
<init ref="a"/><transition><source ref="a"/><target ref="b"/>
<label kind="synchronisation" x="3" y="4">all?</label></transition>
<transition><source ref="a"/><target ref="a"/><label kind="guard">left &gt; 0 // some are left</label>
<label kind="assignment">left--</label></transition></template>
<template><name>S</name><location id="c"><committed/></location><location id="d"><urgent/></location>
<init ref="c"/><transition><source ref="c"/><target ref="d"/><label kind="select">k : int[1,2]</label>
<label kind="synchronisation">all!</label><label kind="assignment">f(k)</label></transition></template>
<system>A = T(); B = T(); system A, B, S;</system></nta>
END
}
has_run() { # FILE STATES — explored, it is a run of so many states
    "$VARABS" check "$1" --full --query 'E<> true' --json states.json >/dev/null
    grep -q "\"states\": $2," states.json && grep -q "\"transitions\": $(($2 - 1))," states.json
}

if group runs; then
    cp "$root/benchmarks/models/postal_3_2.xml" post.xml
    run 'a run in two forms' 0 '^model of the run: post.run.xml$' check post.xml \
        --query 'E<> Authority.tally_1 == 2' --msc post.svg --run-model post.run.xml
    expect 'a chart' xmllint --noout post.svg
    expect 'with channels' grep -q '>decl\[1\]</text>' post.svg
    expect 'and moves' grep -q '>coll_dec → send_ep</text>' post.svg
    expect 'a model of eight steps' has_run post.run.xml 9
    expect 'with all that is drawn' test "$(grep -c '<location\|<nail' post.xml)" -eq "$(grep -c '<location\|<nail' post.run.xml)"
    run 'of several queries' 1 '^chart: post.3.svg$' check post.xml --msc post.svg
    expect 'another one' test -s post.4.svg
    run 'a run for ever' 1 'model of the run' check post.xml --query 'A<> Authority.tally_1 == 3' --run-model post.run.xml
    run 'to standard output' 0 '^<svg' check post.xml --query 'E<> Authority.tally_1 == 2' --msc -
    run 'several there' 2 'several queries have runs' check post.xml --msc -
    run 'no run' 0 'warning: no query has a run' check post.xml --query 'A[] true' --msc none.svg --run-model none.xml
    run 'one name for two' 2 'named for the chart and the model' check post.xml --msc x --run-model x
    run 'the input' 2 'is an input' check post.xml --run-model post.xml
    twins >twins.xml
    run 'everybody hears a broadcast' 0 'model of the run' check twins.xml --query 'E<> n == 2' --run-model run.xml
    expect 'in the run, too' has_run run.xml 2
    expect 'by all its receivers' grep -q 'x="3" y="4">all?</label>' run.xml
    sed 's/<committed\/>//; s/<urgent\/>//' twins.xml >loose.xml
    run 'processes that are the same' 0 'model of the run' check loose.xml \
        --query 'E<> left == 1 and A.on and B.on' --run-model run.xml
    expect 'get numbers' grep -q 'A = T(0); B = T(1);' run.xml
    expect 'for the run' has_run run.xml 3
    sed 's/<name>T<\/name>/&<parameter>int \&amp;m \/\/ its own<\/parameter>/; s/left--/&, m = 1/
        s/int n;/&int p; int q;/; s/T()/T(p)/; s/T()/T(q)/; s/system A/C(const int[1,2] k) = T(p); system C, A/' \
        loose.xml >more.xml
    run 'of references' 0 'model of the run' check more.xml --query 'E<> q == 1 and A.on and B.on' --run-model run.xml
    expect 'too' grep -q 'A = T(p, 0); B = T(q, 1); C(const int\[1,2\] k) = T(p, 2);' run.xml
    expect 'and forced' has_run run.xml 2
    sed 's/A = T(); B = T(); system A, B/A = T(); system A, T/' loose.xml >listed.xml
    rm -f run.xml
    run 'a template that is listed itself' 4 'this run cannot be forced' check listed.xml \
        --query 'E<> left == 2' --run-model run.xml
    expect 'makes no model' test ! -e run.xml
fi
