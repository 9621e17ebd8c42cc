# Cases of `varabs certify`, read by run.sh; helpers are there and in check.sh.

pair() { # DECLARATIONS GUARD UPDATE [SYSTEM] — a process that counts n up and remembers it in h
    cat <<END
<?xml version="1.0" encoding="utf-8"?>
<nta>
<declaration>$1</declaration>
<template><name>P</name><declaration>int[0,9] h; int[0,3] twice;</declaration>
<location id="id0"><name>idle</name></location><location id="id1"><name>busy</name></location>
<init ref="id0"/>
<transition><source ref="id0"/><target ref="id1"/>
<label kind="select">k : int[1,2]</label><label kind="guard">$2</label>
<label kind="assignment">$3</label></transition>
<transition><source ref="id1"/><target ref="id0"/></transition>
</template>
<template><name>Q</name><declaration>int[0,3] twice;</declaration>
<location id="id2"/><init ref="id2"/></template>
<system>${4:-system P, Q;}</system>
</nta>
END
}

pair 'int[0,9] n;' 'n + k &lt; 5' 'n += k, h = n' >full.xml
pair 'int[0,9] n;' 'n + k &lt; 5' 'n += k' >lean.xml
pair 'int[0,9] n;' 'n + k &lt; 7' 'n += k' >wide.xml
pair 'int[0,9] n;' 'n + k &lt; 3' 'n += k' >narrow.xml
pair 'int[0,9] n = 1;' 'n + k &lt; 5' 'n += k' >late.xml
pair 'int[0,9] n;' 'n + k &lt; 5' 'n += k' 'system P;' >alone.xml
pair 'int[0,9] n;' 'true' 'n += k' >endless.xml

if group certify; then
    for mode in may must exact; do
        run "itself, $mode" 0 '^holds: ' certify full.xml full.xml --$mode --stutter
        run "$mode with something ignored" 0 '^holds: ' certify full.xml lean.xml --$mode --ignore h
        run "$mode with something different" 1 '^fails: ' certify full.xml lean.xml --$mode
    done
    pair 'int[0,9] n; clock x;' 'n + k &lt; 5' 'n += k, x = 0' >reset.xml
    sed 's/x = 0/x = 5/' reset.xml >later.xml
    run 'clocks that nothing tests' 0 '^not compared   what clocks are set to, as x:' certify reset.xml later.xml \
        --exact --json clock.json
    expect 'in JSON' says clock.json "d['holds'] and d['idle_clock'] == 'x'"
    expect 'as the schema says' fits certify clock.json
    cat >set.xml <<END
<nta><declaration>int[0,9] n;</declaration>
<template><name>P</name><parameter>const int[1,2] id</parameter><declaration>int[0,9] h;</declaration>
<location id="id0"/><location id="id1"/><init ref="id0"/>
<transition><source ref="id0"/><target ref="id1"/>
<label kind="guard">n + id &lt; 5</label><label kind="assignment">n += id, h = n</label></transition>
<transition><source ref="id1"/><target ref="id0"/></transition></template>
<system>system P;</system></nta>
END
    run 'some processes' 0 'P_abstract' set.xml --remove 'P(2).h' --may
    cp set.may.xml bare.xml
    run 'which have other names' 2 'only the concrete one has P.2.;' certify set.xml bare.xml --exact
    run 'as the report beside it says' 0 '^holds' certify set.xml set.may.xml --exact
    run 'and of which kind it is' 0 '^set.xml, set.may.xml: mode (may|exact)$' certify set.xml set.may.xml
    expect 'which it says' grep -q '^report  *set.may.json, found beside' out
    run 'a kind that is said counts' 0 ': mode may$' certify set.xml set.may.xml --may
    run 'a must-abstraction' 0 'P_abstract' set.xml --remove 'P(2).h' --must -o set.must.xml
    run 'by its report' 0 ': mode (must|exact)$' certify set.xml set.must.xml
    run 'with loops' 0 'may-abst' set.xml --remove 'P(2).h' --may --stutter -o loops.xml
    run 'as its report says' 0 ': mode (may, stutter|exact)$' certify set.xml loops.xml
    run 'a loop is no deadlock' 1 '^fails' certify "$root/tests/golden/X6_exact_loop_for_deadlock/model.xml" \
        "$root/tests/golden/X6_exact_loop_for_deadlock/abstract.xml" --exact --stutter
    run 'but ends runs as well' 0 'where being stuck is a step that changes nothing$' certify \
        "$root/tests/golden/X6_exact_loop_for_deadlock/model.xml" \
        "$root/tests/golden/X6_exact_loop_for_deadlock/abstract.xml" --must --stutter
    run 'of no kind' 2 'say what kind' certify set.xml bare.xml
    sed 's/"mode": "may"/"mode": "mixed"/' loops.json >other.json
    run 'of a kind that is not compared' 2 'say what kind' certify set.xml loops.xml --report other.json
    run 'as the report says' 0 '^holds' certify set.xml set.may.xml --exact --names-from set.may.json
    run 'a report of another abstraction' 3 'about another abstract model' certify set.xml set.xml \
        --may --report set.may.json
    run 'a report of another model' 3 'about another concrete model' certify full.xml set.may.xml \
        --may --report set.may.json
    run 'no report' 3 'is no report' certify set.xml set.xml --may --names-from set.xml
    run 'no file' 3 'cannot read' certify set.xml set.xml --may --report none.json
    # What is removed in part is in both models: the report says so, and a failure asks for it.
    cat >part.xml <<END
<nta><declaration>int[0,3] b[3]; struct { int[0,3] f; int[0,3] g; } s; int[0,3] m;</declaration>
<template><name>P</name><declaration>int[0,3] a[2]; int[0,3] v;</declaration>
<location id="id0"><name>A</name></location><location id="id1"><name>B</name></location>
<init ref="id0"/>
<transition><source ref="id0"/><target ref="id1"/><label kind="select">i : int[1,3]</label>
<label kind="assignment">a[1] = i, b[2] = i, v = i, s.f = i, m = i</label></transition>
<transition><source ref="id1"/><target ref="id0"/><label kind="guard">m != 2</label>
<label kind="assignment">a[0] = (a[0] + 1) % 4, v = 0, b[2] = 0</label></transition></template>
<system>system P;</system></nta>
END
    for removed in 'P.a[1]' v@B s.f 'P.a[1],b[2]'; do
        run "removed in part: $removed" 0 'exact' part.xml --remove "$removed" --may -o part.may.xml
        run 'with the report' 0 '^holds' certify part.xml part.may.xml --exact --report part.may.json
    done
    run 'a merge' 0 'may-abst' part.xml --merge 'w:bool=m!=2' --may -o part.may.xml
    run 'with the report' 0 '^holds' certify part.xml part.may.xml --may --report part.may.json
    run 'a cell and a scope' 0 'exact' part.xml --remove 'P.a[1]' --remove v@B --may -o part.may.xml
    cp part.may.xml bare.xml
    run 'without the report' 1 'or hand over the report of the abstraction with --report' certify \
        part.xml bare.xml --exact
    expect 'which names what it may be' grep -q '^in both models .*P.v' out
    run 'with --ignore' 0 '^holds' certify part.xml part.may.xml --exact --ignore 'P.a[1]' --ignore v
    run 'with the report' 0 '^holds' certify part.xml part.may.xml --exact --names-from part.may.json
    expect 'which names what is ignored' grep -q '^ignored .*P.a\[1\], P.v' out
    # Values that are exchanged are compared by the one that stands for them, as the report says.
    cp "$root/benchmarks/examples/transmission/model.xml" sent.xml
    run 'values exchanged' 0 'exact' sent.xml --auto --may -o sent.may.xml \
        --query 'A[] S.done && S.value == this imply R.value == this'
    cp sent.may.xml bare.xml
    run 'are others' 1 '^fails' certify sent.xml bare.xml --exact
    run 'also as sets' 1 '^fails' certify sent.xml bare.xml --exact --engine symbolic
    # The report is taken where it lies, if it is about both models as they are.
    for engine in explicit symbolic; do
        run "but as said beside it, $engine" 0 '^report         ./sent.may.json, found beside the abstract model$' \
            certify sent.xml ./sent.may.xml --exact --engine $engine --json beside.json
        expect 'in JSON, too' grep -q '"report": "./sent.may.json"' beside.json
        expect 'which fits' fits certify beside.json
    done
    run 'which is an input' 2 "'sent.may.json' is an input" certify sent.xml sent.may.xml --exact --json sent.may.json
    sed 's/<\/nta>/& /' sent.xml >other.xml
    run 'of another original' 1 "warning: 'sent.may.json', beside .* not taken .* is about another concrete" \
        certify other.xml sent.may.xml --exact
    sed 's/<\/nta>/& /' sent.may.xml >bare.xml && cp sent.may.json bare.json
    run 'of another abstraction' 1 "warning: 'bare.json', beside .* not taken .* is about another abstract" \
        certify sent.xml bare.xml --exact
    echo '[' >bare.json
    run 'or of none' 1 "warning: 'bare.json', .* is no report" certify sent.xml bare.xml --exact
    run 'which matters where it fails only' 0 '^holds' certify bare.xml bare.xml --exact
    expect 'and is not said else' test ! -s err
    mkfifo fifo.json && cp bare.xml fifo.xml
    run 'a pipe is not read' 1 '^fails' certify sent.xml fifo.xml --exact
    rm fifo.json
    run 'but for the report' 0 '^holds' certify sent.xml sent.may.xml --exact --stutter \
        --report sent.may.json --json sent.certified.json
    run 'which sets know, too' 0 '^holds' certify sent.xml sent.may.xml --exact --stutter \
        --report sent.may.json --engine symbolic
    expect 'which names them' grep -qx 'by class  *S.value, R.value' out
    expect 'in the result, too' grep -qF '"by_class": ["S.value", "R.value"]' \
        <(tr -d '\n' <sent.certified.json | sed 's/  */ /g; s/\[ /[/; s/ ]/]/g; s/\[ /[/g')
    sed 's/"representative": 0/"representative": 2/' sent.may.json >wrong.json
    for engine in explicit symbolic; do
        run "another value stands for them, $engine" 1 '^fails' certify sent.xml sent.may.xml \
            --exact --report wrong.json --engine $engine
    done
    sed 's/"variable": "S.value"/"variable": "S.valve"/' sent.may.json >wrong.json
    run 'of no variable' 2 "exchanged of 'S.valve'" certify sent.xml sent.may.xml --exact \
        --report wrong.json
    sed 's/"representative": 0/"representative": "no"/' sent.may.json >wrong.json
    run 'for no value' 3 'lacks values that are exchanged' certify sent.xml sent.may.xml --exact \
        --report wrong.json
    # edited REPORT STATEMENT: wrong.json has other exchanged values, its list `values`
    edited() {
        python3 - "$@" <<'END' >wrong.json
import json, sys
report = json.load(open(sys.argv[1]))
values = report["normalised"]
exec(sys.argv[2])
print(json.dumps(report))
END
    }
    edited sent.may.json 'report["normalised"] = {}'
    run 'that are no list' 3 'lacks values that are exchanged' certify sent.xml sent.may.xml --exact --report wrong.json
    edited sent.may.json 'values.append(dict(values[0], representative=1))'
    for engine in auto explicit symbolic; do
        run "twice, $engine" 2 "exchanged of '[SR].value', but .* two entries are about one place" certify sent.xml \
            sent.may.xml --exact --report wrong.json --engine $engine
    done
    cp "$root/tests/golden/normal_key_taken_back/model.xml" gone.xml
    "$VARABS" gone.xml --auto --may >/dev/null 2>&1
    sed 's/"P.gone"/"P.none"/' gone.may.json >wrong.json
    run 'while no cell has a value' 2 "lacks it, its location or the cell of its 'while'" certify gone.xml gone.may.xml \
        --exact --report wrong.json
    cat >counted.xml <<'END'
<nta>
<declaration>typedef int[-1,2] idx; int[0,3] x; chan ch; broadcast chan bc;bool c[idx];</declaration>
<template><name>T</name>
<location id="T_l0" x="0" y="0"><name>l0</name></location>
<init ref="T_l0"/>
<transition><source ref="T_l0"/><target ref="T_l0"/><label kind="select">i:idx</label><label kind="guard">(c[i] &lt;= 1)</label><label kind="assignment">c[i] = 1</label></transition>
<transition><source ref="T_l0"/><target ref="T_l0"/><label kind="select">i:idx</label><label kind="guard">(c[i] == 0)</label><label kind="synchronisation">bc!</label><label kind="assignment">c[i] = 1, x = 1</label></transition>
</template>
<system>P0 = T(); system P0;</system>
<queries><query><formula>E&lt;&gt; x == 2</formula><comment/></query><query><formula>A&lt;&gt; (sum(k:idx) c[k] == 0) == 2</formula><comment/></query><query><formula>E&lt;&gt; (sum(k:idx) c[k] == 0) == 1 &amp;&amp; x == 1</formula><comment/></query></queries></nta>
END
    "$VARABS" counted.xml --auto --may >/dev/null 2>&1
    expect 'a merge is a key' grep -q '"variable": "c_1"' counted.may.json
    run 'what is exchanged while a merge has a value' 0 '^holds' certify counted.xml counted.may.xml --exact
    edited gone.may.json 'values[1]["while"], values[2]["while"] = values[2]["while"], values[1]["while"]'
    for engine in explicit symbolic; do
        run "while the cell has another value, $engine" 1 '^fails' certify gone.xml gone.may.xml --exact \
            --report wrong.json --engine $engine
        run "while it has that, $engine" 0 '^holds' certify gone.xml gone.may.xml --exact \
            --report gone.may.json --engine $engine
    done
    run 'more steps are may' 0 'every step of the concrete' certify lean.xml wide.xml --may
    run 'but not must' 1 'lacks one of its steps' certify lean.xml wide.xml --must
    run 'fewer steps are must' 0 'the concrete model has its every step' certify lean.xml \
        narrow.xml --must
    run 'but not may' 1 'it lacks a step' certify lean.xml narrow.xml --may
    run 'neither is exact' 1 'one model lacks a step' certify lean.xml narrow.xml --exact
    run 'a dead end is hidden' 1 '^fails' certify lean.xml wide.xml --may --stutter
    run 'other initial states' 1 'the initial states look different' certify lean.xml late.xml --may
    expect 'with what is different' grep -q '^ *abstract: n = 1$' out
    run 'other processes' 2 'different processes; only the abstract one has Q$' certify alone.xml \
        lean.xml --may
    for mode in may must exact; do
        run "a process less, $mode" 0 '^without  *Q$' certify lean.xml alone.xml --$mode --json result
        expect 'which makes no step' says result 'd["without"]["processes"] == ["Q"] and
not d["without"]["own_steps"] and not d["without"]["may_diverge"]'
    done
    run 'also by sets' 0 '^time .* by sets of states' certify lean.xml alone.xml --may --engine symbolic
    run 'nor by permutations' 0 '^  orbits .*the abstract model lacks processes$' certify lean.xml alone.xml \
        --may --symmetry report
    watched() { # SYSTEM TARGET [P Z] — P makes a step, Z goes from k to l, and on to the target; their labels
        cat <<END
<nta><declaration>int[0,3] x; chan c;</declaration>
<template><name>P</name><location id="s"/><location id="t"/><init ref="s"/>
<transition><source ref="s"/><target ref="t"/>${3:-}<label kind="assignment">x = 1</label></transition></template>
<template><name>Z</name><location id="k"/><location id="l"/><location id="m"/><init ref="k"/>
<transition><source ref="k"/><target ref="l"/></transition>
<transition><source ref="l"/><target ref="$2"/>${4:-}</transition></template>
<system>system $1;</system></nta>
END
    }
    watched 'P, Z' m >ends.xml
    watched 'P, Z' k >for_ever.xml
    watched P k >watched.xml
    run 'steps that nobody sees' 0 'same steps, but for those of processes that it lacks$' certify ends.xml \
        watched.xml --exact --stutter
    expect 'verdicts carry over' grep -q '^carries over   A.., E<>, A<>, E.., -->; sup and inf$' out
    expect 'but not about deadlocks' grep -q '^  *nothing about deadlocks and next steps: ' out
    run 'without an end' 0 'nothing about A<>, .* of all runs of the original: .* step for ever$' \
        certify for_ever.xml watched.xml --may --stutter --json result
    expect 'is said of each query' says result '{row["query"] for row in d["without"]["carries_over"]
if row["satisfied"] or row["violated"]} == {"A[]", "E<>"} and d["without"]["may_diverge"]'
    run 'which a must-abstraction can do without' 0 '^carries over   .*E.. if satisfied; .*A<>, --> if violated;' \
        certify for_ever.xml watched.xml --must --stutter
    run 'ends of runs are compared if asked for' 0 'A<>, E.., -->: --stutter compares how' certify ends.xml \
        watched.xml --may
    sync='<label kind="synchronisation">c'
    watched 'P, Z' m "$sync?</label>" "$sync!</label>" >waits.xml
    run 'steps that wait for them' 1 'the concrete model lacks one of its steps' certify waits.xml watched.xml \
        --must
    expect 'which come later' grep -q 'abstract -> P: ' out
    run 'have to be followed' 0 'every step of the concrete' certify waits.xml watched.xml --may
    sed 's/x = 1/x = 2/' watched.xml >other.xml
    run 'steps behind silent ones, too' 1 '^fails' certify waits.xml other.xml --may --json result
    expect 'which are shown' grep -q 'abstract -> stays, for it lacks these processes$' out
    expect 'as silent ones' says result 'c["steps"][0]["is_silent"] and c["steps"][0]["abstract"] == []'
    sed 's/<name>Q<.name>/&<parameter>const int[1,12] id<\/parameter>/' full.xml >dozen.xml
    run 'a dozen other processes' 2 'only the abstract one has Q.1., .*, Q.10. and 2 more$' certify \
        full.xml dozen.xml --may
    sed 's/int.0,9. n;/chan c, d; &/; s/<label kind="assignment">/<label kind="synchronisation">(n == 0 ? c : d)!<\/label>&/' \
        full.xml >computed.xml
    run 'computed channels are not urgent' 0 '^holds' certify computed.xml computed.xml --exact \
        --engine symbolic
    sed 's/chan c, d/urgent &/' computed.xml >urgent.xml
    run 'unless some are' 0 '^holds' certify urgent.xml urgent.xml --exact --engine symbolic
    run 'abstract states that look the same' 1 '^fails: ' certify \
        "$root/tests/golden/X6_images_that_look_the_same/model.xml" \
        "$root/tests/golden/X6_images_that_look_the_same/abstract.xml" --may --engine explicit
    run 'errors are no steps' 1 'endless.xml:[0-9]+:[0-9]+: warning: range violation; Uppaal' \
        certify lean.xml endless.xml --exact
    cp lean.xml in
    run 'from standard input' 0 '^full.xml, <stdin>: mode may' certify full.xml - --may --ignore h
    run 'only once' 2 'only once' certify - - --may
    rm -f in
fi

if group certify_arguments; then
    run 'no model' 2 'name of a model is missing' certify --may
    run 'one model' 2 'name of the abstract model is missing' certify lean.xml --may
    run 'three models' 2 "only two models, but there is also 'full.xml'" certify lean.xml lean.xml \
        full.xml --may
    run 'no mode' 2 '--may, --must or --exact' certify lean.xml full.xml
    run 'two modes' 2 'exclude each other' certify lean.xml full.xml --may --exact
    run '--exact elsewhere' 2 'only an option of `varabs certify`' lean.xml --exact
    run '--jobs' 2 'no option of `varabs certify`' certify lean.xml lean.xml --may --jobs 2
    run 'certify help' 0 'usage: varabs certify CONCRETE.xml ABSTRACT.xml' certify --help
    expect 'of this command only' sh -c '! grep -q "^    --remove" out && grep -q -e --stutter out'
    run 'no such model' 3 'nothing.*cannot read' certify lean.xml nothing.xml --may
    run 'nor such' 3 'nothing.*cannot read' certify nothing.xml lean.xml --may
    run 'clocks' 4 'clock' certify lean.xml \
        <(pair 'int[0,9] n; clock x;' 'x &lt; 5' 'n += k') --may
    for name in h P.h h,n ".n," n,P.h; do
        run "--ignore $name" '[01]' 'compared  ' certify full.xml lean.xml --may --ignore $name
    done
    run 'several times' 0 '^ignored  *n, P.h' certify full.xml wide.xml --may --ignore h --ignore n
    run 'ignore nothing' 2 '--ignore m: neither model has such a variable' certify full.xml lean.xml --may --ignore m
    run 'ignore a global that is none' 2 '--ignore .h: neither model has such a variable' certify full.xml lean.xml \
        --may --ignore .h
    run 'ambiguous' 2 'twice is ambiguous: write P.twice or Q.twice' certify full.xml lean.xml \
        --may --ignore twice
fi

timed() { # KIND GUARD — n counts to 2; the kind of the location, the guard of an urgent channel
    cat <<END
<nta><declaration>int[0,3] n; int h; urgent broadcast chan go;</declaration>
<template><name>P</name><location id="id0"><name>A</name>$1</location><init ref="id0"/>
<transition><source ref="id0"/><target ref="id0"/>
<label kind="guard">n &lt; 2</label><label kind="assignment">n++</label></transition>
<transition><source ref="id0"/><target ref="id0"/>
<label kind="guard">$2</label><label kind="synchronisation">go!</label></transition></template>
<system>system P;</system></nta>
END
}

if group certify_time; then
    timed '' 'n == 3' >free.xml
    timed '' 'n == 2' >end.xml
    timed '<urgent/>' 'n == 3' >urgent.xml
    timed '<committed/>' 'n == 2' >committed.xml
    run 'time alike' 0 'wherever it may in the concrete model: yes$' certify end.xml end.xml --may
    run 'less time, must' 0 'only where it may in the concrete model: yes$' certify free.xml \
        urgent.xml --must
    run 'less time, exact' 0 'exactly where it may in the concrete model: no$' certify free.xml \
        urgent.xml --exact
    expect 'there is a bisimulation all the same' grep -q '^holds: ' out
    expect 'with what follows' grep -q '^A<>, E\[\] and --> may differ' out
    run 'JSON of time alike' 0 '' certify free.xml urgent.xml --must --json -
    expect 'fits its schema' fits certify out
    expect 'yes' says out "d['time'] == {'is_alike': True, 'counterexample': None}"
    run 'JSON of time' 0 '' certify committed.xml end.xml --exact --json -
    expect 'fits its schema' fits certify out
    expect 'it passes in the abstract model' says out "d['holds'] is True and c is None and
        d['time']['counterexample']['passes'] == 'abstract' and
        len(d['time']['counterexample']['states']) == 1"
    run 'JSON of what fails' 1 '' certify end.xml free.xml --may --json -
    expect 'fits its schema' fits certify out
    expect 'time is not compared' says out "d['holds'] is False and d['time'] is None"
    run 'a guard on an urgent channel' 0 '' certify free.xml end.xml --may
    expect 'as text' shows out <<'END'
free.xml, end.xml: mode may

holds: the abstraction is a may-abstraction: it has every step of the concrete model
time may pass in the abstraction wherever it may in the concrete model: no
A<>, E[] and --> may differ under the semantics uppaal

compared       1 processes, 2 variables

                   concrete     abstract
states                    3            3
transitions               2            3
deadlocks                 1            0
errors                    0            0
pairs          3

where time differs:
  0  P.A
     all 0
      concrete -> P: A -> A
      abstract -> P: A -> A
  1  n = 1
      concrete -> P: A -> A
      abstract -> P: A -> A
  2  n = 2
      concrete: time may pass here
      abstract: time may not pass here
END
fi

# Runs that are found by sets of states, as those that are found state by state.
if group certify_runs; then
    cases=$root/tests/golden
    same_run() { # MODEL ABSTRACT ARGUMENTS: the only shortest run
        for engine in explicit symbolic; do
            "$VARABS" certify "$@" --engine $engine | sed -n '/^counterexample\|^where time/,$p' >run.$engine
        done
        [ -s run.symbolic ] && cmp -s run.explicit run.symbolic
    }
    expect 'a step too many' same_run "$cases/X6_sets_committed_in_one_fails/model.xml" \
        "$cases/X6_sets_committed_in_one_fails/abstract.xml" --may
    expect 'behind silent steps' same_run "$cases/X6_sets_behind_silent_steps/model.xml" \
        "$cases/X6_sets_behind_silent_steps/abstract.xml" --may
    expect 'where time differs' same_run "$cases/X6_sets_show_time/model.xml" "$cases/X6_sets_show_time/abstract.xml" \
        --exact
    run 'silent steps' 1 '^fails' certify "$cases/X6_sets_behind_silent_steps/model.xml" \
        "$cases/X6_sets_behind_silent_steps/abstract.xml" --may --engine symbolic --json sets.json
    expect 'are marked' says sets.json "d['engine'] == 'symbolic' and d['counterexample']['steps'][0]['is_silent']"
    run 'a choice of two states' 1 'to one of 2 states that look like that; the others fail, too' certify \
        "$cases/X6_sets_show_choices/model.xml" "$cases/X6_sets_show_choices/abstract.xml" --may --engine symbolic \
        --json sets.json
    expect 'by sets' says sets.json "d['engine'] == 'symbolic' and d['counterexample']['steps'][0]['choices'] == 2"
    expect 'as the schema says' fits certify sets.json
    # h says where it goes on; with 0, nowhere
    sed 's/x;/x, h;/; s|^</template>|<transition><source ref="t"/><target ref="u"/></transition>&|' \
        "$cases/X6_sets_show_time/model.xml" >onward.xml
    sed 's|>t</name>|&<urgent/>|; s|<target ref="u"/>|&<label kind="guard">h == 1</label>|' onward.xml |
        sed 's|<target ref="t"/>|&<label kind="select">i : int[0,1]</label><label kind="assignment">h = i</label>|' \
            >pressed.xml
    run 'where time differs, by a choice that follows all steps' 0 '^     abstract: h = 1$' certify onward.xml \
        pressed.xml --may --ignore .h --engine symbolic --json sets.json
    expect 'by sets' says sets.json "d['engine'] == 'symbolic' and d['time']['counterexample']['steps'][0]['choices'] == 2"
    own='<transition><source ref="k"/><target ref="l"/></transition>'
    both='<transition><source ref="k"/><target ref="l"/><label kind="synchronisation">c!</label></transition>'
    for order in "$own$both" "$both$own"; do
        cat >twice.xml <<END
<nta><declaration>chan c;</declaration><template><name>P</name><location id="s"><name>s</name></location><init ref="s"/>
<transition><source ref="s"/><target ref="s"/><label kind="synchronisation">c?</label></transition></template>
<template><name>Z</name><location id="k"><name>k</name></location><location id="l"><name>l</name></location>
<init ref="k"/>$order</template><system>system P, Z;</system></nta>
END
        sed 's/P, Z;/P;/' twice.xml >once.xml
        run 'two steps to a state, of which one is silent' 1 '^      concrete -> P: s -> s, c[?]$' certify twice.xml \
            once.xml --may --engine symbolic --json sets.json
        expect 'by sets' says sets.json "d['engine'] == 'symbolic'"
    done
    sed 's/int.0,3. x/int[0,3] x = 1/' "$cases/X6_sets_show_time/model.xml" >other.xml
    run 'initial states' 1 '^counterexample' certify "$cases/X6_sets_show_time/model.xml" other.xml --may \
        --engine symbolic --json sets.json
    expect 'that look different' says sets.json "d['engine'] == 'symbolic' and d['counterexample']['unmatched'] is None"
    expect 'as the schema says' fits certify sets.json
    python3 "$root/benchmarks/postal.py" 6 3 -o postal.xml
    "$VARABS" postal.xml --remove Voter.mem_vt --may -o lighter.xml >/dev/null 2>&1
    sed 's/buff_mail.id. == 1</buff_mail[id] == 1 \&amp;\&amp; id != 2</' lighter.xml >strict.xml
    for engine in auto symbolic; do
        run "many states, $engine" 1 '^states +113427289 +[0-9]+$' certify postal.xml strict.xml --may --engine $engine \
            --symmetry off --max-memory 64M --timeout 100 --json sets.json
        expect 'the shortest run' says sets.json "d['engine'] == 'symbolic' and len(d['counterexample']['steps']) == 3
            and d['counterexample']['unmatched']['step'][0]['process'] == 'Voter(2)'"
    done
fi

# Sets of states certify what holds, show why something fails, and leave the rest to the other engine, with the same
# answer.
if group certify_engines; then
    python3 "$root/benchmarks/postal.py" 6 3 -o postal.xml
    "$VARABS" postal.xml --remove Voter.mem_vt --may -o removed.xml >/dev/null 2>&1
    for mode in may must exact; do
        for engine in auto symbolic; do
            run "many states, $mode, $engine" 0 '^states +113427289 +6607385$' certify postal.xml \
                removed.xml --$mode --engine $engine --timeout 100 --json sets.json
            expect 'by sets' says sets.json "d['holds'] and d['engine'] == 'symbolic'
                and d['pairs'] == 113427289 and d['concrete']['states_text'] == '113427289'
                and d['abstract']['is_complete'] and d['time']['is_alike']"
            expect 'as the schema says' fits certify sets.json
        done
    done
    sed 's|<name>busy</name>|&<urgent/>|' full.xml >hasty.xml
    run 'where time differs' 0 '^      abstract: time may not pass here$' \
        certify full.xml hasty.xml --may --engine symbolic --json sets.json
    expect 'by sets' says sets.json "d['engine'] == 'symbolic' and 'not_by_sets' not in d
        and d['time']['counterexample']['passes'] == 'concrete'"
    expect 'as the schema says' fits certify sets.json
    run 'steps that fail' 0 '^time .* by sets of states' certify endless.xml endless.xml --exact --engine symbolic
    run 'one of these' 0 'endless.xml:[0-9]+:[0-9]+: warning: range violation; Uppaal .* left out 3 such' \
        certify endless.xml endless.xml --exact --engine symbolic
    for name in postal removed; do sed 's/^chan/urgent chan/' $name.xml >urgent.$name.xml; done
    run 'urgent channels' 0 '^time may pass .*: yes$' certify urgent.postal.xml urgent.removed.xml \
        --exact --engine symbolic --json sets.json
    expect 'by sets' says sets.json "d['engine'] == 'symbolic'"
    run 'in one model only' 0 '^time may pass .*: no$' certify postal.xml urgent.removed.xml --exact \
        --engine symbolic --symmetry off --max-memory 40M --json sets.json
    expect 'with a run by sets' says sets.json "d['holds'] and not d['time']['is_alike']
        and d['time']['counterexample'] and d['limit'] is None and d['engine'] == 'symbolic'
        and d['pairs_text'] == '113427289'"
    expect 'as the schema says' fits certify sets.json
    "$VARABS" postal.xml --auto --may -o removed.xml >/dev/null 2>&1
    for engine in auto symbolic; do
        run "forgotten in some locations, $engine" 0 '^states +113427289 +296649$' certify postal.xml \
            removed.xml --exact --report removed.json --engine $engine --timeout 100 --json sets.json
        expect 'by sets' says sets.json "d['holds'] and d['engine'] == 'symbolic' and d['ignored']"
    done
    python3 "$root/benchmarks/postal.py" 5 3 -o postal.xml
    "$VARABS" postal.xml --auto --may -o both.xml >/dev/null 2>&1
    expect 'in others exchanged by a key' grep -q '"while"' both.json
    run 'forgotten in some locations, exchanged in others' 0 '^pairs +5161651$' certify postal.xml \
        both.xml --exact --report both.json --engine symbolic --json sets.json
    expect 'by sets' says sets.json "d['engine'] == 'symbolic' and d['ignored']"
    python3 "$root/benchmarks/postal.py" 8 3 -o postal.xml
    "$VARABS" postal.xml --auto --may -o chosen.xml >/dev/null 2>&1
    expect 'values exchanged by location' grep -q '"location"' chosen.json
    run 'in very many states' 0 '^pairs +54877559713$' certify postal.xml chosen.xml --exact \
        --stutter --report chosen.json --timeout 100
    python3 "$root/benchmarks/caches.py" 3 2 -o caches.xml
    "$VARABS" caches.xml --auto --may -o lean.caches.xml >/dev/null 2>&1
    run 'committed locations' 0 '^time .* by sets of states' certify caches.xml lean.caches.xml --exact \
        --report lean.caches.json --engine symbolic
    python3 "$root/benchmarks/caches.py" 2 1 -o caches.xml
    sed 's/<committed/<urgent/' caches.xml >urgent.xml
    run 'in one model only' 0 '^time .* by sets of states' certify caches.xml urgent.xml --may --engine \
        symbolic
    run 'which is no may-abstraction of the other' 1 '^fails: ' certify urgent.xml caches.xml --may \
        --engine symbolic
    cat >bits.xml <<'END'
<nta><declaration>int[0,1] b[56];</declaration><template><name>P</name><location id="a"/><init ref="a"/>
<transition><source ref="a"/><target ref="a"/><label kind="select">i : int[0,55]</label>
<label kind="assignment">b[i] = 1 - b[i]</label></transition></template><system>system P;</system></nta>
END
    run 'more than 2^53' 0 '^states +72057594037927936 ' certify bits.xml bits.xml --may \
        --engine symbolic --timeout 100 --json sets.json
    expect 'in digits' says sets.json "d['pairs'] is None and d['concrete']['states'] is None
        and d['pairs_text'] == d['concrete']['states_text'] == '72057594037927936'"
    expect 'as the schema says' fits certify sets.json
    python3 "$root/benchmarks/postal.py" 5 3 -o few.xml
    "$VARABS" few.xml --remove Voter.mem_vt --may -o removed.xml >/dev/null 2>&1
    sed 's/tally_1 +=/tally_2 +=/' removed.xml >wrong.xml
    run 'one that is wrong' 1 '^fails: ' certify few.xml wrong.xml --may --engine symbolic \
        --max-memory 4M --json sets.json
    expect 'with a run by sets' says sets.json "d['holds'] is False and d['limit'] is None
        and d['engine'] == 'symbolic' and d['counterexample']['unmatched']['mover'] == 'concrete'"
    expect 'as the schema says' fits certify sets.json
    sed 's/int.0,9. h;//' lean.xml >bare.xml
    for mode in may must exact; do
        run "a small one, $mode" 0 '^holds: ' certify full.xml bare.xml --$mode --engine \
            symbolic --json sets.json
        expect 'by sets' says sets.json "d['engine'] == 'symbolic'"
    done
    sed 's/&lt; 5/\&lt; 3/' bare.xml >small.xml
    run 'a small one that fails' 1 '^counterexample:' certify full.xml small.xml --may \
        --engine symbolic --json sets.json
    expect 'by sets as well' says sets.json "d['engine'] == 'symbolic' and d['counterexample']"
    run 'by default' 0 '"engine": "explicit"' certify full.xml bare.xml --may --json -
    run 'a stutter that is not followed' 1 '^time .* by sets of states$' certify full.xml small.xml --must --stutter \
        --engine symbolic
    run 'a variable that only the abstract model has' 0 '^time .* by sets of states' certify bare.xml full.xml \
        --exact --engine symbolic
    sed 's/int.0,9. h;/int[0,999] h;/; s/h = /h = 90 * /' full.xml >wide.xml
    run 'not for sets' 4 'a variable .* has many values' certify bare.xml \
        wide.xml --may --engine symbolic
    python3 "$root/benchmarks/postal.py" 6 3 -o whole.xml
    "$VARABS" whole.xml --merge 'Voter.has_voted:int[0,1]=mem_vt>0' --may -o merged.xml >/dev/null 2>&1
    for engine in auto symbolic; do
        run "a merge, $engine" 0 '^states +113427289 +22789657$' certify whole.xml merged.xml --may \
            --engine $engine --timeout 100 --json sets.json
        expect 'by sets' says sets.json "d['engine'] == 'symbolic' and d['only_abstract']"
        expect 'as the schema says' fits certify sets.json
    done
    run 'nor agents' 4 '--observe is for the explicit engine' certify full.xml lean.xml --may \
        --engine symbolic --observe
    run 'nor a limit of states' 2 '--max-states is not for --engine symbolic' certify full.xml \
        lean.xml --may --engine symbolic --max-states 3
    # On a busy machine there may be no result at all.
    rm -f sets.json
    run 'no time' 5 'ended by|time limit was reached' certify postal.xml chosen.xml --exact --stutter --report chosen.json \
        --engine symbolic --timeout 0.01 --json sets.json
    if [ -e sets.json ]; then
        expect 'and nothing known' says sets.json "d['holds'] is None and d['pairs'] is None"
        expect 'as the schema says' fits certify sets.json
    fi
fi

if group certify_symmetry; then
    cat >flags.xml <<END
<nta><declaration>typedef int[1,3] id_t; bool x[id_t]; bool h[id_t];</declaration>
<template><name>P</name><parameter>const id_t i</parameter>
<location id="id0"><name>a</name></location><location id="id1"><name>b</name></location>
<location id="id2"><name>c</name></location><init ref="id0"/>
<transition><source ref="id0"/><target ref="id1"/><label kind="assignment">h[i] = true</label></transition>
<transition><source ref="id1"/><target ref="id2"/><label kind="assignment">x[i] = h[i]</label></transition>
</template><system>system P;</system></nta>
END
    sed 's/ bool h\[id_t\];//; s/h\[i\] = true/x[i] = false/; s/= h\[i\]/= true/' flags.xml >plain.xml
    sed 's/system P;/A = P(1); B = P(2); C = P(3); system A, B, C;/' flags.xml >named.xml
    sed 's/system P;/C = P(3); B = P(2); A = P(1); system C, A, B;/' plain.xml >turned.xml
    sed 's/system P;/A = P(2); B = P(1); C = P(3); system A, B, C;/' plain.xml >other.xml
    report='--symmetry report --exact'
    run 'pairs up to who is who' 0 '^  orbits  *10: id_t .1,2,3.$' certify flags.xml plain.xml $report
    expect 'states, too' grep -Eq '^  orbits +10 +10$' out
    expect 'all of which are counted' grep -Eq '^pairs +27$' out
    run 'by name, not by place' 0 '^  orbits  *10: id_t .1,2,3.$' certify named.xml turned.xml $report
    run 'other names' 1 'nothing may change places in both' certify named.xml other.xml $report
    run 'a cell that is not compared' 0 '^  orbits  *18: id_t .1,3.$' certify flags.xml plain.xml $report \
        --ignore 'x[2]'
    run 'without' 0 '^pairs  *27$' certify flags.xml plain.xml --exact --symmetry off --engine explicit
    expect 'nothing is said of it' sh -c '! grep -q orbits out'
    run 'by default, few states' 0 '^pairs  *27$' certify flags.xml plain.xml --exact
    expect 'nothing is said of it' sh -c '! grep -q orbits out'
    run 'after a small first look' 0 '^pairs  *27$' certify flags.xml plain.xml --exact --first-look 26 \
        --engine explicit
    run 'agents see single processes' 0 'of one pair each: agents' certify flags.xml plain.xml $report --observe
    run 'JSON' 0 '' certify flags.xml plain.xml $report --json -
    expect 'fits its schema' fits certify out
    expect 'orbits' says out "d['symmetry']['orbits'] == 10 and d['pairs'] == 27 and
        d['symmetry']['concrete'] == 10 and d['symmetry']['blocks'][0]['elements'] == [1, 2, 3]"
    sed 's/x\[i\] = true/x[i] = (sum (k : id_t) x[k]) \&lt; 2/' plain.xml >two.xml
    run 'a run of both models' 1 'abstract: 2 steps are possible here|abstract: 1 step' certify flags.xml two.xml $report
    expect 'of orbits' grep -Eq '^  orbits +[0-9]+: id_t' out
    run 'which is as long as without' 1 '^  5  ' certify flags.xml two.xml --exact --symmetry off
fi

if group certify_limits; then
    run 'states' 5 'ended by the limit on the number of states' certify full.xml lean.xml --may \
        --max-states 3
    run 'memory' 5 'ended by the limit on memory' certify full.xml lean.xml --may --max-memory 1k
    run 'time' 5 'ended by the limit on time|time limit was reached' certify full.xml lean.xml --may --timeout 0.0000001
    run 'limit in JSON' 5 '' certify full.xml lean.xml --may --max-states 3 --json -
    expect 'fits its schema' fits certify out
    expect 'open' says out "d['holds'] is None and d['limit'] == 'states' and c is None"
fi

if group certify_traces; then
    run 'a counterexample' 1 '' certify full.xml narrow.xml --may --ignore h
    expect 'as text' shows out <<'END'
full.xml, narrow.xml: mode may

fails: the abstraction is no may-abstraction: it lacks a step of the concrete model

compared       2 processes, 3 variables
ignored        P.h

                   concrete     abstract
states                    9            5
transitions              11            5
deadlocks                 1            1
errors                    0            0
pairs          5

counterexample:
  0  P.idle, Q._id2
     all 0
     concrete: all 0
     abstract: all 0
      concrete -> P: idle -> busy, k = 1
      abstract -> P: idle -> busy, k = 1
  1  n = 1
     concrete: P.h = 1
      concrete -> P: busy -> idle
      abstract -> P: busy -> idle
  2  no value changes
      concrete -> P: idle -> busy, k = 2
     n = 3
      abstract: 1 step is possible here, but not to a state that looks like that

in both models n, P.twice, Q.twice
If one of these was removed in part (in some locations or cells, or by a merge), leave it out with
--ignore, or hand over the report of the abstraction with --report.
END
    run 'a stutter' 1 'concrete -> stutters' certify narrow.xml lean.xml --may --stutter
    run 'JSON' 1 '' certify full.xml narrow.xml --exact --ignore h --json -
    expect 'and nothing else' test ! -s err
    expect 'fits its schema' fits certify out
    expect 'the verdict' says out "d['holds'] is False and d['mode'] == 'exact'"
    expect 'figures' says out "d['concrete']['states'] == 9 and d['abstract']['states'] == 5"
    expect 'names' says out "d['compared'] == ['n', 'P.twice', 'Q.twice'] and
        d['ignored'] == {'concrete': ['P.h'], 'abstract': ['P.h']}"
    expect 'the counterexample' says out "len(c['states']) == 3 and len(c['steps']) == 2 and
        c['unmatched']['mover'] == 'concrete' and c['unmatched']['state']['values']['n'] == 3"
    run 'JSON of a stutter' 1 '' certify narrow.xml lean.xml --may --stutter --json -
    expect 'fits its schema' fits certify out
    expect 'an empty step' says out "c['unmatched']['step'] == []"
    run 'JSON of initial states' 1 '' certify lean.xml late.xml --may --json -
    expect 'fits its schema' fits certify out
    expect 'nothing unmatched' says out "c['unmatched'] is None and len(c['states']) == 1"
    run 'JSON of an error' 1 '' certify endless.xml lean.xml --exact --json -
    expect 'fits its schema' fits certify out
    run 'JSON of what holds' 0 '' certify full.xml lean.xml --exact --ignore h --json -
    expect 'fits its schema' fits certify out
    expect 'nothing against it' says out "d['holds'] is True and c is None and d['pairs'] == 9"
    run 'JSON into a file' 0 '^holds' certify full.xml lean.xml --may --ignore h --json result.json
    expect 'fits its schema' fits certify result.json
    pair 'int[-128,127] g[200][1000]; int[0,9] n;' 'n + k &lt; 5' 'g[n][k] = n, n += k' >vast.xml
    seconds=4 run 'no square of what is visible' 0 '^holds' certify vast.xml vast.xml --exact
    cat >kept.xml <<'END'
<nta><declaration>meta int[0,1] m;</declaration>
<template><name>P</name><location id="a"/><location id="b"/><location id="c"/><init ref="a"/>
<transition><source ref="a"/><target ref="b"/><label kind="assignment">m = 0</label></transition>
<transition><source ref="a"/><target ref="b"/><label kind="assignment">m = 1</label></transition>
<transition><source ref="b"/><target ref="c"/><label kind="guard">m == 1</label></transition></template>
<template><name>Z</name><location id="z"/><init ref="z"/></template>
<system>system P, Z;</system></nta>
END
    sed 's/meta //; s/P, Z;/P;/' kept.xml >told.xml
    run 'N9: a meta variable that keeps its value' 0 'carries over   nothing: the meta variable .m. keeps' \
        certify kept.xml told.xml --must
    run 'JSON of it' 0 '' certify kept.xml told.xml --must --json -
    expect 'nothing is claimed' says out \
        "not any(q['satisfied'] or q['violated'] for q in d['without']['carries_over'])"
    sed 's/P, Z;/P;/' kept.xml >keeps.xml
    run 'the same processes' 0 'carries over   nothing: the meta variable' certify told.xml keeps.xml --exact
    run 'as JSON' 0 '"kept_meta": "m"' certify told.xml keeps.xml --exact --json -
    expect 'that fits the schema' fits certify out
    sed -i 's|<declaration>|&broadcast chan d; |; s|m == 1</label>|&<label kind="synchronisation">d!</label>|' told.xml keeps.xml
    run 'no refinement of Uppaal' 0 'nothing is shown for Uppaal: the meta variable' refines told.xml keeps.xml --json r.json
    expect 'which the JSON says' fits refines r.json
    cp lean.xml copy.xml
    run 'result over a model' 2 'is an input' certify full.xml copy.xml --may --json copy.xml
    expect 'it is untouched' cmp -s lean.xml copy.xml
fi

if group captured; then
    for case in M3_decline_select_captures M3_decline_select_of_other F3_unused_select_captures; do
        run "abstract: $case" 0 '' "$root/tests/golden/$case/model.xml" --remove T.r --may -o out.xml
        run "certified: $case" 0 '^holds' certify "$root/tests/golden/$case/model.xml" out.xml --may
    done
    case=$root/tests/golden/M2_quantifier_of_hidden_type/model.xml
    run 'abstract: a type that is hidden' 0 '' "$case" --remove r --may -o out.xml
    run 'certified: a type that is hidden' 0 '^holds' certify "$case" out.xml --may
    case=$root/tests/golden/R2_2_tag_of_select/model.xml
    run 'abstract: a select in a tag' 0 '' "$case" --remove T.r --may -o out.xml
    run 'an action is not lost' 0 '^refines' refines "$case" out.xml --visible @act
    run 'a parameter that is assigned' 0 'may get stuck' "$root/tests/golden/L2_assigned_parameter/model.xml" --remove x \
        --may -o out.xml
    run 'where nothing may pass but what fails' 0 ' - +- +A<> R.d' "$root/tests/golden/X7_idle_at_errors/model.xml" \
        --remove x --must -o out.xml
fi
