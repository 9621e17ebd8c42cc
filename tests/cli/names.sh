# Names of files that are written: nothing is read and written, or written twice, under whatever
# names. Read by run.sh; helpers are there.

# names INPUTS OPTIONS COMMAND... — each output option with each input, and with each other one.
names() {
    local inputs=$1 options=$2 input option other same
    shift 2
    rm -rf names
    mkdir -p names/d
    for input in $inputs; do cp "$input" "names/$input"; done
    pushd names >/dev/null || return
    for input in $inputs; do
        ln -s "$input" symbolic
        ln "$input" hard
        for option in $options; do
            for same in "$input" "./d/../$input" "$PWD/$input" symbolic hard; do
                run "$* $option $same" 2 "'$same' is an input; choose another name" "$@" "$option" "$same"
            done
        done
        rm -f symbolic hard
    done
    ln -s new link
    for option in $options; do
        for other in $options; do
            for same in ./d/../new link; do
                [ "$option" = "$other" ] ||
                    run "$* $option $other $same" 2 "is named for the .* and the .*; choose" \
                        "$@" "$option" new "$other" "$same"
            done
        done
    done
    expect "$*: nothing is written" test ! -e new
    for input in $inputs; do
        expect "$*: $input is untouched" cmp -s "$input" "../$input"
    done
    popd >/dev/null || return
}

if group names; then
    model 'int[0,1] x; chan c;' 'x == 0' 'x = 1' |
        sed 's|</system>|&<queries><query><formula>E\&lt;\&gt; x == 1</formula></query><query><formula>E\&lt;\&gt; P(0).m == 0</formula></query></queries>|' >two.xml
    cp two.xml other.xml
    printf 'E<> x == 1\nE<> x == 0\n' >two.q
    echo '{"remove": ["P.m"]}' >two.json
    "$VARABS" check two.xml --full --json checked.json >out 2>err
    "$VARABS" two.xml --remove P.m --may -o removed.xml --report removed.json >out 2>err
    echo '{"actions": [{"name": "c", "concrete": {"channel": "c"}, "abstract": {"channel": "c"}}]}' >actions.json
    names 'two.xml two.json checked.json' '-o --report --html' two.xml --may --spec two.json --checked checked.json
    names 'two.xml two.q' '-o --report --html' two.xml --auto --may --queries two.q
    names 'two.xml two.q other.xml' '--json --html --msc --run-model' check two.xml --queries two.q --concretize other.xml
    names 'two.xml removed.xml removed.json' '--json --html' certify two.xml removed.xml --may --report removed.json
    names 'two.xml other.xml actions.json' '--json --html' refines two.xml other.xml --actions actions.json
    names 'two.xml two.q' '--json --html' decide two.xml --queries two.q
    names 'two.xml two.q' '--json --html' suggest two.xml --queries two.q
    names 'two.xml other.xml' '-o' draw two.xml other.xml
    names 'two.xml' '-o' export two.xml --to promela
    names 'two.xml' '--json --rewrite' info two.xml
    names 'two.xml' '--json' info two.xml --agents

    # Names that a command makes of the one that is given.
    for name in a.1.xml a.2.xml a.2.svg a.1.json a.pml.h a.xml.h; do cp two.xml "$name"; done
    run 'a run over the input' 2 "'a.2.xml' is an input" check a.2.xml --run-model a.xml
    run 'a chart over the input' 2 "'a.2.svg' is an input" check a.2.svg --msc a.svg
    run 'a run over the original' 2 'is an input' check two.xml --concretize a.1.xml --run-model a.xml
    run 'a run over the result' 2 "'mine.1.xml' is named for the result and the model" check two.xml \
        --json mine.1.xml --run-model mine.xml
    run 'a run over the page' 2 "named for the page and the chart" check two.xml --html mine.2.svg --msc mine.svg
    run 'a run over a chart' 2 'named for' check two.xml --msc mine.2 --run-model mine
    run 'a model for a query over the input' 2 "'a.1.xml' is an input" a.1.xml --auto --may -o a.xml
    run 'its report' 2 "'a.1.json' is an input" a.1.json --auto --may -o a.xml
    run 'and over the report' 2 'named for the report and the output for' two.xml --auto --may -o mine.xml --report mine.2.xml
    run 'and over the page' 2 'named for the page and the report of' two.xml --auto --may -o mine.xml --html mine.2.json
    run 'the report over the input' 2 "'a.1.json' is an input" a.1.json --remove P.m --may -o a.1.xml
    run 'code over the input' 2 "'a.pml.h' is an input" export a.pml.h --to promela -o a.pml
    for name in a.1.xml a.2.xml a.2.svg a.1.json a.pml.h; do
        expect "$name is untouched" cmp -s two.xml "$name"
    done
    expect 'nothing is written' test -z "$(find . -maxdepth 1 -name 'mine*')"
    cp two.xml in
    run 'standard input' 2 "'in' is an input" check - --json in
    run 'standard input as the model' 2 "'in' is an input" - --remove P.m --may -o in
    rm in
    run 'standard output' 2 'named for the result and the text on standard output' check two.xml --json out
fi
