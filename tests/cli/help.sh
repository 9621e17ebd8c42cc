# Cases of `varabs help` and `varabs decide`, read by run.sh; helpers are there.

if group help; then
    "$VARABS" help >first.txt
    expect 'the first screen fits a terminal' test "$(wc -l <first.txt)" -le 24
    expect 'and three examples' test "$(sed -n '/^examples/,/^$/p' first.txt | grep -c varabs)" = 3
    run 'no argument' 2 '^usage: '
    expect 'is the first screen' cmp -s err first.txt
    run '--help' 0 '' --help
    expect 'the same' cmp -s out first.txt
    commands=$(sed -n 's/^    \([a-z]*\)  .*/\1/p' first.txt)
    expect 'it lists the commands' test "$(echo "$commands" | wc -w)" -ge 6
    cp "$root"/benchmarks/models/*.xml .
    for kind in spec mspec mimpl; do
        python3 "$root/benchmarks/agents/tower.py" 3 $kind -o ${kind}_3.xml
    done
    its_own() { ! has "$(<err)" 'is no option|only an option|unknown'; }
    for command in abstract $commands; do
        run "help $command" 0 '^usage: varabs ' help "$command"
        cp out help.txt
        expect "$command: nothing is wider than 80 columns but synopsis and examples" \
            test -z "$(sed '/^usage/,/^$/d; /^examples/,/^$/d' help.txt | grep '.\{81\}')"
        [ "$command" = abstract ] || run "$command --help" 0 '' "$command" --help
        [ "$command" = abstract ] || expect "$command: the same" cmp -s out help.txt
        [ "$command" = abstract ] || run "--help $command" 0 '' --help "$command"
        [ "$command" = abstract ] || expect "$command: the same again" cmp -s out help.txt
        expect "$command: no option for tests" \
            test -z "$(grep -e '--interpret' -e '--first-look' -e '--rewrite' help.txt)"
        # Each option that is listed is known to the command, and each example runs.
        for option in $(sed -n 's/^    \(--[^ =]*\)$/\1/p' help.txt); do
            case $option in --help | --version) continue ;; esac
            run "$command knows $option" '0|2|3' '' ${command#abstract} absent.xml "$option"
            expect "$command: $option is its own" its_own
        done
        sed -n '/^examples/,/^$/s/^    varabs //p' help.txt >examples.txt
        expect "$command: there are examples" test -s examples.txt
        while IFS= read -r example; do
            eval "run 'example: $(printf %s "$example" | tr -d \'\" )' '0|1' '' $example"
        done <examples.txt
    done
    run 'a model and --help' 0 'which kind of abstraction' model.xml --help
    run 'an option and --help' 0 'which kind of abstraction' --remove x --help
    run 'a command and help' 0 'usage: varabs check' check help
    run 'help on nothing' 2 "there is no command 'foo'; see .varabs help." help foo
    run 'help on what is misspelt' 2 "there is no command 'chekc'; did you mean 'check'" help chekc
    run 'an option for tests' 0 'states' check postal_3_2.xml --interpret --query 'A[] true'
fi

if group decide; then
    cp "$root"/benchmarks/models/asv.xml .
    query='A[] Voter.obeyed imply Coercer.learned > 0'
    run 'decide' 0 'decided by: varabs asv.xml --remove Voter.mem_vt@obeyed,disobeyed --may' \
        decide asv.xml --no-look --query "$query" --json decided.json
    expect 'fits its schema' fits decide decided.json
    cp out decide.txt
    run 'runs of rounds' 0 '-> Coercer: waits -> informed, sh_vt = 0, give' \
        decide asv.xml --no-look --trace --query "$query" --json traced.json
    expect 'fit the schema' fits decide traced.json
    expect 'one for each' test "$(grep -c '"trace"' traced.json)" -eq 2
    expect 'but only then' test "$(grep -c '"trace"' decided.json)" -eq 0
    cp "$root"/benchmarks/models/postal_3_2.xml rounds.xml
    run 'runs that are real' 0 'the original has the run, too' decide rounds.xml --no-look --trace \
        --query 'E<> forall (v : voter_t) Voter(v).voted' --json real.json
    expect 'fit it, too' fits decide real.json
    expect 'are that of the original' grep -q '"original_trace"' real.json
    run '--auto without a mode' 0 '' asv.xml --auto --no-look --query "$query" --json auto.json
    expect 'says the same' cmp -s out decide.txt
    same_but_time() { diff <(sed 's/[0-9]*\.[0-9].*/T/' "$1") <(sed 's/[0-9]*\.[0-9].*/T/' "$2"); }
    expect 'writes the same' same_but_time auto.json decided.json
    run 'the command that decided is one' 0 'exact' asv.xml --remove Voter.mem_vt@obeyed,disobeyed --may
    run 'all queries of the model' '0|1' 'A<> Coercer.informed' decide asv.xml
    run 'a limit' 5 'unknown' decide asv.xml --max-states 1 --query "$query"
    run 'a model that is soon explored' 0 'round 1: the model as it is, satisfied in 10 states' \
        decide asv.xml --query "$query" --json looked.json
    expect 'is not abstracted' grep -q '^  decided by: varabs asv.xml (the model as it is)' out
    expect 'a look fits the schema' fits decide looked.json
    python3 "$root/benchmarks/election.py" 4 2 >election.xml
    run 'a look that ends before' 0 'round 1: the model as it is, unknown in 100000 states .the limit' \
        decide election.xml --jobs 1 --symmetry off --query 'A[] true'
    run 'a look at orbits' 0 'round 1: the model as it is, satisfied in 474165 states' \
        decide election.xml --jobs 1 --query 'A[] true'
    python3 "$root/benchmarks/postal.py" 5 3 >regular.xml
    run 'sets look, too' 0 'round 1: the model as it is, satisfied in 5161651 states' \
        decide regular.xml --jobs 1 --query 'A[] Authority.tally_1 <= 9'
    cp "$root/tests/golden/decide_same_locations_of_templates/model.xml" owners.xml
    run 'other locations of one name' 0 '' decide owners.xml --no-look
    expect 'are told apart' test "$(grep -c '^  satisfied' out)" -eq 2
    run 'no model is written' 2 '-o is no option of .varabs decide.' decide asv.xml -o a.xml
    run 'nor by --auto' 2 'needs --may or --must: --auto alone is .varabs decide.' asv.xml --auto -o a.xml
    run 'nothing to name' 2 '--remove is no option of .varabs decide.' decide asv.xml --remove x
fi
