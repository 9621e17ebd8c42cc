# Cases of `varabs suggest` and --auto, read by run.sh; helpers are there.

if group suggest; then
    strange="it's (a) \$HOME & m.xml"
    cp model.xml "$strange"
    run 'a name with blanks and quotes' 0 'all of them: ' suggest "$strange"
    copied=$(eval "set -- $(sed -n 's/^.*all of them: //p' out)"; printf %s "$2")
    expect 'can be copied to a shell' test "$copied" = "$strange"
    postal() { python3 "$root/benchmarks/postal.py" "$@"; } # also the kinds that are made by hand
    states() { sed -n 's/^states  *//p' out; }
    # What the published abstraction 3 gives, found from the file and its queries.
    for size in '3 3 838' '4 3 5937'; do
        read -r voters candidates most <<<"$size"
        postal "$voters" "$candidates" >postal.xml
        run "--auto, postal $size" 0 'exact: every verdict' postal.xml --auto --may -o a.xml
        expect "shown by exploration, postal $size" grep -q '^  shown by exploration: ' out
        run "states, postal $size" '0|1' 'everything is explored' check a.xml --full
        expect "no more states, postal $size" test "$(states)" -le "$most"
        run "certified, postal $size" 0 'same steps' certify postal.xml a.xml --exact \
            --ignore Voter.mem_dec,Authority.dec_recv
        run "--must, postal $size" 0 'exact: every verdict' postal.xml --auto --must -o b.xml
        run "states of --must, postal $size" '0|1' 'everything is explored' check b.xml --full
        expect "no more states by --must, postal $size" test "$(states)" -le "$most"
    done
    run 'suggest' 0 'remove Voter.mem_dec@has,voted' suggest postal.xml
    run 'a query keeps variables' 0 'observed: Voter.mem_vt, Voter.mem_sg' suggest postal.xml \
        --query 'A[] Voter(1).mem_vt >= Voter(2).mem_sg'
    expect 'and they are not removed' eval '! grep -q "remove Voter.mem_[vs]" out'
    run '--auto keeps them, too' 0 'removed: [^V]*Voter.mem_dec' postal.xml --auto --may \
        --query 'A[] Voter(1).mem_vt >= Voter(2).mem_sg' -o a.xml
    run 'a query that is none' 3 "expected" suggest postal.xml --query 'A[] ('
    echo 'E<> Authority.coll_vts' >some.q
    run 'a file of queries' 0 '1 query' suggest postal.xml --queries some.q
    cp "$root/tests/golden/auto_nothing/model.xml" nothing.xml
    run 'no query' 0 'nothing is observed but the locations' suggest nothing.xml
    run 'nothing is dead' 0 'Nothing can be removed exactly' suggest nothing.xml
    run 'measured up to a limit' 0 '> [1-9]' suggest postal.xml --measure --max-states 100
    postal 5 3 >large.xml
    run 'measured by sets of states' 0 '^states of the model: 5161651; after exact removals: 19868$' suggest \
        large.xml --measure --timeout 60
    run '--auto decides' 0 'satisfied: every reachable state' postal.xml --auto --no-look --jobs 1 \
        --query 'A[] Authority.coll_vts imply Authority.tally_1 <= 4'
    { # h goes, and with it the only calls of the functions in upd and in an edge
        echo '<nta><declaration>int[0,3] g, h; int f(int v) { return v + 1; } void upd() { g = 1; h = f(0); }</declaration>'
        echo '<template><name>P</name><declaration>int[0,3] l; bool big() { return l &gt; 1; }</declaration>'
        echo '<location id="x"/><location id="y"/><init ref="x"/><transition><source ref="x"/><target ref="y"/>'
        echo '<label kind="select">s : int[0,3]</label><label kind="assignment">upd(), l = s, h = big()</label>'
        echo '</transition></template><system>system P;</system></nta>'
    } >called.xml
    run 'what functions say that only queries call' 0 'satisfied: ' decide called.xml --no-look \
        --query 'A[] f(g) <= 2' --query 'E<> P.big()' --query 'E<> g == 1'
    expect 'without reading errors' sh -c '! grep -q "not declared" out'
    run 'by must' 1 'must violated' postal.xml --auto --no-look --jobs 1 --query 'A[] not Authority.coll_vts'
    expect 'says how' grep -q 'decided by: varabs postal.xml --remove .* --must$' out
    run 'a limit ends it' 5 'unknown: ended by the limit on the number of states' postal.xml --auto \
        --max-states 2 --query 'A[] Authority.tally_1 <= 4'
    run 'no time' '0|5' '' postal.xml --auto --timeout 0.0001 --query 'A[] Authority.tally_1 <= 4'
    run 'as JSON' 1 '"way": "must"' postal.xml --auto --no-look --jobs 1 --query 'A[] not Authority.coll_vts' \
        --json -
    expect 'and nothing else' python3 -m json.tool out /dev/null
    run 'queries that remove the same' 0 '"verdict": "satisfied"' postal.xml --auto --no-look --jobs 1 \
        --query 'E<> Authority.coll_vts' --query 'E<> forall (v : voter_t) Voter(v).voted' --json -
    expect 'share a search' python3 -c 'import json
first, second = [query["rounds"][0]["may"] for query in json.load(open("out"))["queries"]]
assert first == second and first["states"] > 31' # as many states as the second needs
    cp nothing.xml kept.xml
    run 'a result over the input' 2 'choose another name' kept.xml --auto --query 'A[] true' \
        --json kept.xml
    expect 'leaves it alone' cmp -s kept.xml nothing.xml
    run 'a result over the queries' 2 'choose another name' suggest postal.xml --queries some.q \
        --json some.q
    run '--json without deciding' 2 '--json is only an option of' postal.xml --auto --may --json a.json
    run 'no query to decide' 2 'there is no query to decide' nothing.xml --auto
    run '--auto, no model' 2 'which writes no model' postal.xml --auto -o a.xml
    run '--auto and --remove' 2 '--auto chooses what to remove' postal.xml --auto --remove x --may
    run '--auto, lower' 2 '--auto goes with' postal.xml --auto --must=lower
    run '--query without --auto' 2 'go with --auto' postal.xml --remove x --may --query 'A[] true'
    run 'the input is no result' 2 'choose another name' suggest postal.xml --json postal.xml
    run '--json' 0 '' suggest postal.xml --json s.json
    expect 'is written' grep -q '"remove": "Voter.mem_dec@has,voted"' s.json
    expect 'timing adds up' python3 -c 'import json
timing = json.load(open("s.json"))["timing"]
seconds = {key: value for key, value in timing.items() if key.endswith("_seconds")}
total = seconds.pop("total_seconds")
assert abs(sum(seconds.values()) - total) < 1e-6 and seconds["other_seconds"] < total / 2
assert all(seconds[key + "_seconds"] > 0 for key in ("analysis", "exact", "states", "alone"))'
fi
