# Cases of the limit on memory, read by run.sh; helpers are there.

if group memory_limits; then
    # Four hundred bytes that are a million processes: more than any of these limits.
    echo '<nta><declaration/><template><name>P</name><parameter>int[0,999999] id</parameter>
<location id="a"/><location id="b"/><init ref="a"/><transition><source ref="a"/><target ref="b"/></transition>
</template><system>system P;</system></nta>' >crowd.xml
    rm -f o.*
    for command in info suggest check decide 'export --to promela -o o.pml' 'refines crowd.xml' \
        'certify crowd.xml --exact'; do
        # shellcheck disable=SC2086 # several arguments
        run "a crowd, ${command%% *}" 5 'limit on memory' ${command%% *} crowd.xml \
            $(expr "$command" : '[^ ]* \(.*\)') --max-memory 80M
    done
    run 'a crowd, abstract' 5 'limit on memory' crowd.xml --auto --may --max-memory 80M -o o.xml
    expect 'nothing is written' test ! -e o.xml -a ! -e o.json -a ! -e o.pml
    # A model as large as that takes its time to be read, and memory.
    python3 "$root/benchmarks/large.py" 12 -o long.xml
    for command in info draw; do
        run "a long model, $command" 5 'limit on memory' $command long.xml --max-memory 1k
    done
    expect 'which is less than it takes' sh -c "ulimit -v 400000; ! \"$VARABS\" info long.xml >out 2>&1"
    # An edge with very many values, which states do not count.
    model 'int[0,999999] x;' 'true' 'x = i' |
        sed 's|<label kind="guard">|<label kind="select">i : int[0,399999]</label>&|' >values.xml
    run 'many values' 5 'limit on memory|--max-memory' check values.xml --max-memory 150M
    # An abstraction that would choose from all numbers, of a model that is small.
    cat >choice.xml <<'END'
<nta><declaration>int[0,3] zn; int[0,1] zs; typedef int[0,2] t1; int x3; int[-1,0] x4 = 0; 
int f9(const int &amp;p8) { int[0,1] l10 = p8 / 3 &lt;? 1; { } l10 = (x4 &lt;? 1) &gt;? 0; return (p8 + l10) % 2; }</declaration>
<template><name>T0</name><parameter>int[0,1] id13</parameter><declaration>bool v14; int[0,1] v15;</declaration>
<location id="id16"><name>A</name></location><location id="id17"></location><location id="id18"><name>C</name></location><init ref="id16"/>
<transition><source ref="id16"/><target ref="id18"/><label kind="select">s27 : t1</label><label kind="assignment">v15 = f9(x3) / 2</label></transition></template>
<template><name>T1</name><declaration>int[0,3] v19 = 0; int[1,2] v20 = 2; int[0,34] w31; int[0,1] w32; int[0,1] w33;</declaration><location id="id21"></location><location id="id22"><name>B</name></location><location id="id23"></location><init ref="id21"/>
<transition><source ref="id21"/><target ref="id22"/><label kind="select">s30 : int[0,34]</label><label kind="assignment">v20 -= 1, w31 = s30, w33 = w32</label></transition>
<transition><source ref="id23"/><target ref="id21"/><label kind="assignment">v20 := (v19 &lt;? 2) &gt;? 1, v19 = v20, w32 = 1</label></transition>
<transition><source ref="id22"/><target ref="id23"/><label kind="assignment">x4 = -1</label></transition></template>
<system>system T0, T1;</system></nta>
END
    run 'a wide abstraction' 0 'satisfied' choice.xml --auto --no-look --jobs 1 --max-memory 400M \
        --query 'E<> T0(1).C && T1.B && T0(0).v15 == 0'
    # A run that comes back to an orbit after many states, of which there might be a thousand rounds.
    cat >rounds.xml <<'END'
<nta><declaration>int[0,99999] c = 0;</declaration><template><name>P</name><declaration>int[0,3] x = 0;</declaration><location id="a"/><init ref="a"/>
<transition><source ref="a"/><target ref="a"/><label kind="guard">c == 0 &amp;&amp; x &lt; 3</label><label kind="assignment">x = x + 1</label></transition></template>
<template><name>C</name><location id="b"/><init ref="b"/><transition><source ref="b"/><target ref="b"/><label kind="assignment">c = c == 99999 ? 0 : c + 1</label></transition></template>
<system>P1 = P(); P2 = P(); P3 = P(); P4 = P(); D = C(); system P1, P2, P3, P4, D;</system></nta>
END
    expect 'a long loop by orbits' sh -c "ulimit -v 2000000; \"$VARABS\" check rounds.xml --symmetry report --semantics kripke --trace --jobs 1 --query 'E[] c < 100000' >out 2>&1"
    # States fit, but not besides them those that are equal but for meta variables: there is a verdict
    # whose reason is the limit, and one that needs none of that.
    cat >equal.xml <<'END'
<nta><declaration>meta int[0,100] t; int[0,100] a, b; int[0,3] c;</declaration>
<template><name>P</name><location id="a"/><init ref="a"/>
<transition><source ref="a"/><target ref="a"/><label kind="guard">a &lt; 100</label><label kind="assignment">a++, c = t % 2</label></transition>
<transition><source ref="a"/><target ref="a"/><label kind="guard">b &lt; 100</label><label kind="assignment">b++, t = (t + a) % 101</label></transition></template>
<system>system P;</system></nta>
END
    run 'equal states' 5 'what is unknown ended by the limit on memory' check equal.xml --jobs 1 \
        --max-memory 24M --query 'E<> c == 1' --query 'A[] c < 2'
    # The fold of one edge comes to the limit, so that no value enables what the next one chooses.
    cat >fold.xml <<'END'
<nta><declaration>int[0,2] c[9]; void f() { if (c[0] == 1) c[0] = 2; else c[1] = 1; }</declaration>
<template><name>P</name><location id="a"/><init ref="a"/>
<transition><source ref="a"/><target ref="a"/><label kind="select">i : int[1,8], j : int[0,8], v : int[0,2]</label><label kind="guard">i != j &amp;&amp; c[j] &lt; v</label><label kind="assignment">c[i] = 2, c[j] = 0</label></transition>
<transition><source ref="a"/><target ref="a"/><label kind="select">i : int[1,8], j : int[0,8]</label><label kind="guard">c[0] &lt;= c[j] &amp;&amp; c[j] == 2 &amp;&amp; c[0] &lt; 0</label><label kind="assignment">c[0] = 1, c[j] = 0</label></transition>
<transition><source ref="a"/><target ref="a"/><label kind="assignment">f()</label></transition></template>
<system>system P;</system></nta>
END
    weigh() { # ONE TWO: the weights of 1 and of 2
        for k in 0 1 2 3 4 5 6 7 8; do
            printf '%s(c[%d] == 1 ? %d : (c[%d] == 2 ? %d : 0))' "${plus:-}" $k "$1" $k "$2"
            plus=' + '
        done
        plus=
    }
    for size in 20M 40M; do
        [ "$every" = 1 ] || [ $size = 40M ] || continue
        run "a fold with no value left, $size" 5 'limit on memory' fold.xml --may -o fold.may.xml --max-memory $size \
            --merge "m:int[0,1999999999]=$(weigh 3 110000000)" --merge "t:int[0,1999999999]=$(weigh 110000000 3)"
    done
    expect 'nothing is written of it' test ! -e fold.may.xml
    # A report has a bound for what it says of values.
    python3 "$root/benchmarks/rings.py" 1 400 --kind variables >rings.xml
    run 'very many sets of values' 0 'exact' rings.xml --auto --may -o o.xml --report o.json
    expect 'the rest is counted' grep -q '"values_left_out": 12000' o.json
fi
