# Cases of `varabs grid`, read by run.sh; helpers are there.

table() { sed -E 's/ +[0-9]+\.[0-9]{2}  / T /; s/ +/ /g' out; } # without times and widths
row() { table | grep -Fxq -- "$1"; }
column() { cut -d , -f "$1" "$2" | tr -d '\r' | tr '\n' ' '; }
quiet() { ! pgrep -P $$ varabs >/dev/null; }

if group grid; then
    mkdir -p gridded && cp "$root/benchmarks/models/asv.xml" gridded/ && cd gridded || exit 1
    cat >few.json <<'END'
{"remove": ["Voter.mem_vt@voted", "Coercer.learned"], "mode": "must"}
END
    run 'a grid' 0 '^q4: A<> Coercer.informed$' grid asv.xml --remove mem_vt --remove sh_vt,learned --spec few.json --auto
    expect 'begins with the original' row 'original - - 10 9 T satisfied satisfied satisfied violated'
    expect 'has a row for a removal' row 'mem_vt may no 6 5 T - satisfied satisfied (violated)'
    expect 'for two at once' grep -q '^sh_vt,learned  *may  *yes  *10 ' out
    expect 'for a spec, whose kind counts' grep -q '^few  *must ' out
    expect 'and for what is chosen' grep -q '^auto  *may  *yes' out
    expect 'which are all' test "$(grep -cE ' (may|must) ' out)" = 4
    run 'of both kinds' 0 '^mem_vt +must +' grid asv.xml --remove mem_vt --may --must --query 'E<> Coercer.informed' \
        --json both.json --csv both.csv --latex both.tex --html both.html
    expect 'with one query' row 'mem_vt may no 6 5 T (satisfied)'
    expect 'of which the must-abstraction says more' row 'mem_vt must no 3 2 T (violated)'
    expect 'as JSON' fits grid both.json
    expect 'as CSV' test "$(head -n 1 both.csv | tr -d '\r')" = "model,abstraction,kind,exact,states,transitions,$(
    )abstract_seconds,explore_seconds,peak_bytes,problem,no_runtime_errors,E<> Coercer.informed,E<> Coercer.informed carries over"
    expect 'with a line for each row' test "$(column 2,3,5,12,13 both.csv)" = "$(
    )abstraction,kind,states,E<> Coercer.informed,E<> Coercer.informed carries over $(
    )original,original,10,satisfied, mem_vt,may,6,satisfied,no mem_vt,must,3,violated,no "
    expect 'for LaTeX' grep -Fqx 'original & -- & -- & 10 & 9 & 0.00 & \varabsSatisfied \\' <(sed 's/0\.[0-9]*/0.00/' both.tex)
    expect 'with escapes' grep -q '^mem\\_vt & may & no & 6 & .*\\varabsOnly{\\varabsSatisfied} \\\\$' both.tex
    expect 'as a page' grep -q '"kind":"grid"' both.html
    run 'to standard output alone' 0 '^model,abstraction' grid asv.xml --remove mem_vt --csv -
    expect 'alone' test "$(wc -l <out)" = 3
    expect 'with fields in quotes' grep -q ',"A\[\] Voter' <(sed 's/,A\[/,"A[/' out)
    cp asv.xml in
    run 'standard input' 0 '^original ' grid - --remove mem_vt
    rm in
    cp "$root/tests/golden/O1_declared_in_a_formula/model.xml" declared.xml
    run 'what a formula declares of agents' 0 '^original ' grid declared.xml --remove z --query 'E<> (v == 1 && !K(Q, v == 1))'
    expect 'counts' row 'original - - 3 4 T violated'
    expect 'in each row' row 'z may yes 2 3 T violated'
    run 'kripke' 0 '' grid asv.xml --remove mem_vt --semantics kripke --json kripke.json
    expect 'is said' grep -q '"semantics": "kripke"' kripke.json
    expect 'and the reason of each' grep -q '"reason": "it names a removed variable"' kripke.json
    sed 's/<query>.*//; s/<queries>/<!-- &/; s|</queries>|& -->|' asv.xml >none.xml
    run 'queries given where the model has none' 0 '\(satisfied\)$' grid none.xml --remove mem_vt --query 'E<> Coercer.informed && 1 < 2'
    run 'no queries' 0 '^original +- +- +10 +9 +[0-9.]+$' grid none.xml --remove mem_vt
    run 'a bound' 0 '^original .*[0-9]  3$' grid asv.xml --remove learned --query 'sup: Voter.mem_vt' --latex bound.tex
    expect 'is a value' grep -q '& 3 \\\\$' bound.tex
    cp "$root/benchmarks/models/postal_3_2.xml" p.xml
    run 'a limit of states' 5 '^original: not all explored: the limit on states was reached' grid p.xml --remove mem_vt,mem_sg \
        --max-states 2000
    expect 'leaves a dash' row 'original - - - - T unknown unknown violated unknown'
    expect 'and ends its row alone' row 'mem_vt,mem_sg may yes 1619 5769 T satisfied 3, 3 violated satisfied'
    sed 's/N_V = 3/N_V = 30/; s/N_C = 2/N_C = 4/' p.xml >large.xml
    run 'a limit on time' 5 'not all explored: the limit on time was reached' grid large.xml --remove mem_vt --timeout 0.2 \
        --engine explicit --query 'A[] false'
    expect 'after which a verdict is known' test "$(grep -c 'violated' out)" = 2
    sed 's/<declaration>/<declaration>clock x;/; 0,/<label kind="assignment"/s//<label kind="guard">x \&gt; 1<\/label>&/' p.xml >timed.xml
    run 'a model with time' 4 'clock' grid timed.xml --remove mem_vt
    run 'a removal that is refused' 5 '^P.m: not abstracted: the model has priorities' grid "$root/tests/golden/M5_drop_priorities/model.xml" --remove P.m
    run 'nothing to compare' 2 'nothing to compare: name abstractions' grid asv.xml
    run 'an unknown variable' 2 '^asv.xml: error: --remove mem_vtt: .*did you mean Voter.mem_vt' grid asv.xml --remove mem_vt \
        --remove mem_vtt --csv w.csv
    expect 'and nothing is written' test ! -e w.csv
    run 'a spec that is not there' 3 'no.json' grid asv.xml --spec no.json
    cp "$root/tests/golden/decide_merges_with_given_observe/model.xml" seen.xml
    run 'what agents observe is given, too' 0 '^original .* satisfied$' grid seen.xml --remove c --query 'observe A: Z.s;' \
        --query 'E<> W.b and K(A, Z.s == 1)'
    run 'a query that is none' 3 'error: ' grid asv.xml --remove mem_vt --query 'E<> nowhere'
    run 'two tables in one file' 2 "named for the table and the table for LaTeX" grid asv.xml --remove mem_vt --csv t --latex t
    run 'a table over the model' 2 "'asv.xml' is an input; choose another name for the table" grid asv.xml --remove mem_vt \
        --csv asv.xml
    run 'two on standard output' 2 "'-' is named for" grid asv.xml --remove mem_vt --csv - --json -
    run 'a table nowhere' 2 'cannot write' grid asv.xml --remove mem_vt --latex no/where.tex
    run 'no kinds but these' 2 'no option of `varabs grid`' grid asv.xml --remove mem_vt --mixed
    run 'only one model' 2 'only one model' grid asv.xml p.xml --remove mem_vt
    run 'no model' 2 'the name of a model is missing' grid --remove mem_vt
    run 'limits of states for sets of states' 2 'not for --engine symbolic' grid asv.xml --remove mem_vt --engine symbolic \
        --max-states 5
    run 'a table elsewhere' 2 'csv is no option of' check asv.xml --csv t.csv
    run 'grid --help' 0 'usage: varabs grid' grid --help
    expect 'no process stays' quiet
    expect 'no temporary file stays' no_temporary
    cd .. || exit 1
fi
