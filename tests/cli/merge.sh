# Cases of --merge and --spec, read by run.sh; helpers are there.

merge_model() { # GUARD UPDATE
    cat <<END
<?xml version="1.0" encoding="utf-8"?>
<nta>
<declaration>const int N = 2; int[0,3] g; meta int[0,3] temporary;
typedef scalar[2] who_t; who_t who;
int[0,3] twice(int n) { return g + n; }
bool is_even(int n) { return n % 2 == 0; }</declaration>
<template><name>P</name><parameter>const int[0,1] p</parameter>
<declaration>int[0,3] x; int[0,3] y = 3, z = 1; const int k = p; int[0,3] a[2];</declaration>
<location id="id0"><name>idle</name></location><location id="id1"><name>busy</name></location>
<init ref="id0"/>
<transition><source ref="id0"/><target ref="id1"/>
<label kind="select">s : int[0,3]</label><label kind="guard">$1</label>
<label kind="assignment">$2</label></transition>
<transition><source ref="id1"/><target ref="id0"/><label kind="guard">x == 1</label></transition>
</template>
<system>system P;</system>
</nta>
END
}
merge_model 'forall (q : int[0,1]) a[q] &lt; 3' 'x = s, g = x, y = 0, z = 0' >merge.xml

merges() { # NAME STATUS PATTERN DEFINITION...
    local name=$1 status=$2 pattern=$3 arguments=() definition
    shift 3
    for definition in "$@"; do arguments+=(--merge "$definition"); done
    run "merge: $name" "$status" "$pattern" merge.xml "${arguments[@]}" --may -o out.xml --report out.json
}
if group merge; then
    merges 'no equals sign' 2 '^--merge:1:1: error: write VARIABLE:TYPE=EXPRESSION' 'P.v:bool'
    merges 'no type' 3 '^--merge:1:5: error: ' 'P.v:=x>1'
    merges 'no expression' 3 '^--merge:1:10: error: ' 'P.v:bool='
    merges 'unknown template' 2 "^--merge:1:1: error: there is no template 'Q'" 'Q.v:bool=x>1'
    merges 'no name' 2 '^--merge:1:3: error: .* is no name' 'P.1:bool=x>1'
    merges 'keyword' 2 '^--merge:1:3: error: .*keyword' 'P.int:bool=x>1'
    merges 'taken by a location' 2 "'busy' is already declared" 'P.busy:bool=x>1'
    merges 'taken by Uppaal' 2 "'int8_t' is already declared; choose" 'P.int8_t:bool=x>1'
    merges 'taken by a global' 2 "'g' is already declared" 'P.g:bool=x>1'
    merges 'taken by a select' 2 "'s' means something else in template 'P'" 'P.s:bool=x>1'
    merges 'taken by a quantifier' 2 "'q' means something else in template 'P'" 'P.q:bool=x>1'
    merges 'taken by a local' 2 "'x' means something else in template 'P'" 'x:bool=g>1'
    merges 'taken by a merge' 2 "'v' is already declared; choose" 'P.v:bool=x>1' 'P.v:bool=y>1'
    merges 'unknown variable' 3 "^--merge:1:10: error: 'zz' is not declared" 'P.v:bool=zz>1'
    merges 'parameter' 2 "^--merge:1:10: error: 'p' is no variable" 'P.v:bool=p>x'
    merges 'constant of a template' 2 "'k' is a constant of a template" 'P.v:bool=x>k'
    merges 'location' 2 "'busy' is no variable" 'P.v:bool=busy'
    merges 'global in a template' 2 "'g' is global" 'P.v:bool=x>g'
    merges 'local in a global one' 3 "'x' is not declared" 'v:bool=x>1'
    merges 'meta' 2 "'temporary' is a meta variable" 'v:bool=temporary>1'
    merges 'scalar' 2 "'who' is a scalar" 'v:bool=who==who'
    merges 'merged one' 2 "'v' is merged itself" 'P.v:bool=x>1' 'P.w:bool=v'
    merges 'function that reads' 2 "the function 'twice' reads variables" 'v:int[0,6]=twice(g)'
    merges 'no variable' 2 'reads no variable' 'P.v:int[0,3]=N'
    merges 'side effect' 3 'must not change variables' 'P.v:int[0,3]=x++'
    merges 'bool of an int' 2 'is no bool' 'P.v:bool=x'
    merges 'const type' 2 'must be a plain type' 'P.v:const int[0,3]=x'
    merges 'channel type' 2 '^--merge:1:5: error: this must be an int or bool type' 'P.v:chan=x'
    merges 'clock type' 2 '^--merge:1:5: error: this must be an int or bool type' 'P.v:clock=x'
    for named in 'P(1).x' twice; do
        sed "s|</nta>|<queries><query><formula>Pr[\&lt;=9](\&lt;\&gt; $named > 1)</formula></query></queries>&|" \
            merge.xml >unread.xml
        run "a query that is not read names $named" 0 'this query names .*, which is removed' unread.xml \
            --remove P.x,g --may -o out.xml --report out.json
    done
    merges 'initial value' 2 'initial value of this is 3, which does not fit' 'P.v:int[0,1]=y'
    merges 'later value' 4 'for x = 3 the value of this is 3, which does not fit' 'P.v:int[0,2]=x'
    merges 'division by what may be 0' 4 'for z = 0 the value of this cannot be computed' 'P.v:int[0,9]=3/z'
    merges 'functions of values' 0 '' 'P.v:bool=is_even(x)'
    merges 'quantifier' 0 '' 'P.v:bool=exists (i : int[0,1]) a[i] > N'
    run 'merge: lower' 2 'must=lower knows no merges' merge.xml --merge 'P.v:bool=x>1' --must=lower
    run 'merge: nothing to do' 2 'nothing to do' merge.xml --may

    spec() { # NAME STATUS PATTERN TEXT ARGUMENT...
        printf '%s' "$4" >spec.json
        local name=$1 status=$2 pattern=$3
        shift 4
        run "spec: $name" "$status" "$pattern" merge.xml --spec spec.json -o out.xml --report out.json "$@"
    }
    spec 'says the mode' 0 'must-abstraction' '{"mode": "must", "remove": ["P.x"]}'
    spec 'no mode' 2 'say what kind' '{"remove": ["P.x"]}'
    spec 'another mode' 2 '^spec.json:1:11: error: .*another kind' '{"mode": "must", "remove": ["P.x"]}' --may
    spec 'unknown mode' 3 '^spec.json:1:11: error: mode is' '{"mode": "most"}' --may
    spec 'with arguments' 0 'exact' '{"merge": [{"name": "v", "template": "P", "type": "bool",
        "expression": "x == 1"}]}' --remove P.y --may
    spec 'empty' 2 'nothing to remove, merge or normalise' '{}' --may
    spec 'a list' 3 '^spec.json:1:1: error: a spec is an object' '[]' --may
    spec 'removal is no string' 3 '^spec.json:1:13: error: what to remove is a string' '{"remove": [1]}' --may
    spec 'no list' 3 "^spec.json:1:12: error: 'remove' is a list" '{"remove": "P.x"}' --may
    spec 'merge is no object' 3 '^spec.json:1:12: error: a merge is an object' '{"merge": ["P.x"]}' --may
    spec 'no expression' 3 "^spec.json:1:12: error: this merge has no 'expression'" \
        '{"merge": [{"name": "v", "type": "bool"}]}' --may
    spec 'unknown member' 3 "^spec.json:1:14: error: there is no 'value' in a merge" \
        '{"merge": [{"value": "x"}]}' --may
    spec 'unknown template' 2 "^spec.json:2:15: error: there is no template 'Q'" '{"merge": [{"name": "v",
 "template": "Q", "type": "bool", "expression": "x"}]}' --may
    spec 'normalise' 0 'exact' '{"normalise": ["P.x", {"variable": "P.y", "classes": [{"values": [0, 1]}]}]}' --may
    spec 'normalise: a query that names what is removed' 0 'nothing is normalised: .* a query names what is removed' \
        '{"remove": ["P.x"], "normalise": ["P.y"]}' --may --query 'E<> P(0).x == 1'
    spec 'a query, and nothing to normalise' 2 'with a --spec that normalises' '{"remove": ["P.x"]}' --may \
        --query 'E<> P(0).y == 1'
    spec 'normalise: unknown variable' 3 "^spec.json:1:17: error: the output has no variable 'P.q'" \
        '{"normalise": ["P.q"]}' --may
    spec 'normalise: removed' 3 "error: the output has no variable 'P.x'" \
        '{"remove": ["P.x"], "normalise": ["P.x"]}' --may
    spec 'normalise: unknown location' 3 "^spec.json:1:49: error: P has no location 'nowhere'" \
        '{"normalise": [{"variable": "P.x", "location": "nowhere"}]}' --may
    spec 'normalise: unknown process' 3 "^spec.json:1:51: error: no process 'R' has a variable 'P.x'" \
        '{"normalise": [{"variable": "P.x", "processes": ["R"]}]}' --may
    spec 'normalise: no variable' 3 "^spec.json:1:16: error: this entry has no 'variable'" \
        '{"normalise": [{}]}' --may
    spec 'normalise: value twice' 3 '^spec.json:1:77: error: 1 is in a class before' \
        '{"normalise": [{"variable": "P.x", "classes": [{"values": [1]}, {"values": [1]}]}]}' --may
    spec 'normalise: no number' 3 '^spec.json:1:60: error: a value is a whole number' \
        '{"normalise": [{"variable": "P.x", "classes": [{"values": [1.5]}]}]}' --may
    spec 'normalise: while of nothing' 3 "^spec.json:1:45: error: 'while' has a variable and some values" \
        '{"normalise": [{"variable": "P.x", "while": {"values": [1]}}]}' --may
    spec 'normalise: no values' 3 "^spec.json:1:45: error: 'while' has a variable and some values" \
        '{"normalise": [{"variable": "P.x", "while": {"variable": "P.x", "values": []}}]}' --may
    spec 'normalise: unknown while' 3 "^spec.json:1:47: error: there is no 'value' in 'while'" \
        '{"normalise": [{"variable": "P.x", "while": {"value": 1}}]}' --may
    spec 'normalise: unknown key' 3 "^spec.json:1:59: error: 'P.none' is no single cell" \
        '{"normalise": [{"variable": "P.x", "while": {"variable": "P.none", "values": [1]}}]}' --may
    spec 'normalise: too large' 3 'no variable has this value' \
        '{"normalise": [{"variable": "P.x", "classes": [{"values": [9999999999]}]}]}' --may
    spec 'normalise: unknown member' 3 "^spec.json:1:37: error: there is no 'class' here" \
        '{"normalise": [{"variable": "P.x", "class": []}]}' --may
    spec 'normalise: lower' 2 'normalises nothing' '{"normalise": ["P.x"]}' --must=lower
    spec 'key twice' 3 '^spec.json:1:[0-9]+: error: ' '{"remove": [], "remove": []}' --may
    spec 'NUL' 3 '^spec.json:1:[0-9]+: error: ' '{"remove": ["P.x\u0000"]}' --may
    spec 'not UTF-8' 3 '^spec.json:1:[0-9]+: error: ' "$(printf '{"remove": ["\303"]}')" --may
    spec 'cut off' 3 '^spec.json:[12]:[0-9]+: error: ' '{"remove": ["P.x"' --may
    rm -f spec.json
    run 'spec: no file' 3 'cannot read .spec.json.' merge.xml --spec spec.json --may
    printf '{"remove": ["P.x"]}' >spec.json
    cp spec.json kept.json
    run 'spec: is the output' 2 'is an input' merge.xml --spec spec.json --may -o spec.json
    expect 'spec: kept' cmp -s kept.json spec.json

    # What the golden cases claim, certified; `may` and `must` as the arguments say.
    for case in "$root"/tests/golden/S[23]_*; do
        [ -e "$case/expected.xml" ] || continue
        mode=--may
        ! grep -q -- '--must\|"must"' "$case/args" "$case"/spec.json 2>/dev/null || mode=--must
        ! grep -q '"exact": true' "$case/expected.json" || mode=--exact
        # shellcheck disable=SC2046 # two arguments
        run "certify ${case##*/}" 0 '^holds' certify "$case/model.xml" "$case/expected.xml" $mode \
            $(! [ "${case##*/}" = S2_array_cell ] || echo --ignore 'P.m[1]')
    done
fi

if group merge_starts; then
    for case in S2_bool_starts_apart_refused S2_initialiser_captured_refused S2_initialiser_hidden_later_refused; do
        merge=$(sed 's/.*--merge \([^ ]*\) .*/\1/' "$root/tests/golden/$case/args")
        run "merge: $case" 4 'processes start with different values' "$root/tests/golden/$case/model.xml" \
            --merge "$merge" --may -o out.xml
    done
fi

if group examples; then
    examples=$root/benchmarks/examples
    states() { sed -n 's/^states  *//p' out; }
    for data in 3 4000; do
        python3 -B "$root/benchmarks/transmission.py" $data -o data.xml
        run "one of $data data" 0 'normalised: S.value' data.xml --auto --may --budget 100000 -o out.xml \
            --query 'E<> S.done && S.value == this'
        run "one of $data data: explored" 0 '^states  *7$' check out.xml --full
    done
    # Any number of data gives one abstraction: 7 states, 20 transitions and, from 4 data on, the same
    # file but for D.
    for data in 2 4 8 16 32 64 100000; do
        python3 -B "$root/benchmarks/transmission.py" $data -o data.xml
        run "transmission $data" 0 'exact: every verdict about states and runs carries over' data.xml \
            --spec "$examples/transmission/spec.json" --may -o out.xml --report out.json
        sed 's/const int D = .*//; s/.*data; `this.*//' out.xml >rest.xml
        [ "$data" -ne 4 ] || cp rest.xml first.xml
        [ "$data" -lt 4 ] || expect "transmission $data: one file" cmp -s rest.xml first.xml
        run "transmission $data: explored" 0 '^transitions  20$' check out.xml --full
        expect "transmission $data: 7 states" test "$(states)" = 7
        [ "$data" -gt 64 ] ||
            run "transmission $data: certified" 0 '^holds' certify data.xml out.xml --exact
        expect "transmission $data: queries" grep -q '"rewritten": "A\[\] S.done && S.has == 1 imply R.has == 1"' \
            out.json
    done
    # Cards of a colour are alike, whatever the deck.
    while read -r ranks abstract; do
        python3 -B "$root/benchmarks/cards.py" "$ranks" $((ranks - 1)) -o cards.xml
        python3 -B "$root/benchmarks/cards.py" "$ranks" $((ranks - 1)) --kind spec -o cards.json
        run "cards $ranks" 0 'edges: [0-9]+ before, 11 after' cards.xml --spec cards.json --may -o out.xml \
            --report out.json
        expect "cards $ranks: only the score" python3 -c "import json
assert all(r.startswith('Score: ') for r in json.load(open('out.json'))['inexact_because'])"
        run "cards $ranks: explored" 0 'satisfied  A\[\] b_only_red imply won_a <= N - H' check out.xml --full
        expect "cards $ranks: $abstract states" test "$(states)" = "$abstract"
        [ "$ranks" -gt 3 ] || run "cards $ranks: certified" 0 '^holds' certify cards.xml out.xml --may
    done <<END
2 25
3 103
4 278
5 605
END
    run 'cards: must' 0 'must-abstraction' "$examples/cards/model.xml" --spec "$examples/cards/spec.json" --must \
        -o out.xml --report out.json
    run 'cards: must certified' 0 '^holds' certify "$examples/cards/model.xml" out.xml --must
    python3 -B "$root/benchmarks/cards.py" 3 2 >cards.xml
    python3 -B "$root/benchmarks/cards.py" 3 2 --kind spec >cards.json
    python3 -B "$root/benchmarks/transmission.py" 4 >data.xml
    expect 'cards: as generated' cmp -s cards.xml "$examples/cards/model.xml"
    expect 'cards: spec as generated' cmp -s cards.json "$examples/cards/spec.json"
    expect 'transmission: as generated' cmp -s data.xml "$examples/transmission/model.xml"
    # Some queries can be asked of merges that others keep from being made for all.
    python3 -B "$root/benchmarks/transmission.py" 500 >data.xml
    run 'merged for some queries' 0 '^    7 states: out.1.xml, query 1, 2, 3, merged:$' \
        data.xml --auto --may -o out.xml --report out.json
    run 'merged for some queries: exact' 0 '^holds' certify data.xml out.1.xml --exact --report out.1.json
    expect 'merged for some queries: the rest is lost' test "$(grep -c '<formula/>\|<formula></formula>' out.1.xml)" = 1
    run 'merged for some queries, and no file' 0 'warning: a merge would be exact' data.xml --auto --may -o -
    # By values, with many tuples.
    python3 -B "$root/benchmarks/postal.py" 7 1 >postal.xml
    run 'beside a scope' 0 'may-abstraction' postal.xml --remove Authority.dec_recv@coll_vts \
        --merge 'mail:int[0,7]=sum(i:int[1,7])(buff_mail[i]==1)' --may --max-memory 200M -o out.xml
fi
