# Cases of --manual, read by run.sh; helpers are there.

if group manual; then
    commands=$("$VARABS" help | sed -n 's/^    \([a-z]*\)  .*/\1/p')
    run 'manual page' 0 '^\.Sh EXIT STATUS' --manual man
    tr -d '\\' <out >manual.txt
    for shell in bash zsh fish; do
        run "completions for $shell" 0 varabs --manual $shell
        mv out completion.$shell
        ! command -v $shell >/dev/null || expect "$shell reads them" $shell -n completion.$shell
    done
    for command in abstract $commands; do
        for option in $("$VARABS" help "$command" | sed -n 's/^    \(-[^ ]\{1,\}\).*/\1/p'); do
            expect "manual page: $option" grep -q -- "^\.It Fl ${option#-}\( \|\$\)" manual.txt
            expect "bash: $option" grep -q -- " ${option}[ ']" completion.bash
        done
    done
    expect 'no option for tests' \
        test -z "$(grep -l -e '--*interpret' -e '--*first-look' manual.txt completion.*)"
    complete_bash() ( # WORD... — what bash offers for the last one
        . ./completion.bash
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _varabs
        echo "${COMPREPLY[*]}"
    )
    offers() { # WANTED WORD...
        local wanted=$1
        shift
        [ "$(complete_bash "$@")" = "$wanted" ]
    }
    expect 'a command' offers 'certify' varabs cert
    expect 'an option of a command' offers '--semantics' varabs check --se
    expect 'no option of another one' offers '' varabs info --se
    expect 'a choice' offers 'kripke' varabs check --semantics k
    : >zebra.xml
    expect 'a model' offers 'zebra.xml' varabs zeb
    run 'another format' 2 '--manual html: write one of man\|bash' --manual html
    run 'no format' 2 "option '--manual' needs a value" --manual
fi
