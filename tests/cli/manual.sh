# Cases of --manual, read by run.sh; helpers are there.

if group manual; then
    commands=$("$VARABS" help | sed -n 's/^    \([a-z]*\)  .*/\1/p')
    lints() { # FILE — mandoc finds no fault but what is installed of the other pages
        ! mandoc -T lint "$1" 2>&1 | grep -v -e 'referenced manual not found' -e 'outdated mandoc.db'
    }
    formats() { ! LC_ALL=C.UTF-8 man --warnings -l "$1" 2>&1 >"$1.txt" | grep . && test -s "$1.txt"; }
    page() { # NAME ARGUMENT... — a page that is in order, in the file NAME
        local name=$1
        shift
        run "manual page $name" 0 '^\.Sh SEE ALSO' "$@"
        mv out "$name"
        ! command -v mandoc >/dev/null || expect "$name: nothing for mandoc to say" lints "$name"
        ! command -v man >/dev/null || expect "$name: nor for man" formats "$name"
    }
    page varabs-queries.7 --manual queries
    expect 'a page without a command' grep -q '^\.Dt VARABS-QUERIES 7' varabs-queries.7
    page varabs-language.7 --manual language
    page varabs-gui.7 --manual gui
    for command in abstract $commands; do
        # shellcheck disable=SC2086 # no word for the first
        page varabs-$command.1 ${command#abstract} --manual man
        tr -d '\\' <varabs-$command.1 >manual.$command
        text=$(<manual.$command)
        for section in NAME SYNOPSIS DESCRIPTION OPTIONS FILES 'EXIT STATUS' EXAMPLES; do
            expect "$command: $section" has "$text" $'\n'"\.Sh $section"$'\n'
        done
    done
    expect 'the first page leads to the others' \
        test "$(grep -c '^\.It Xr varabs-' varabs-abstract.1)" = "$(echo "$commands" | wc -w)"
    expect 'a page is about its command' grep -q '^\.Nm varabs check$' varabs-check.1
    for shell in bash zsh fish; do
        run "completions for $shell" 0 varabs --manual $shell
        mv out completion.$shell
        ! command -v $shell >/dev/null || expect "$shell reads them" $shell -n completion.$shell
    done
    completion=$(<completion.bash)
    for command in abstract $commands; do
        text=$(<manual.$command)
        for option in $("$VARABS" help "$command" | sed -n 's/^    \(-[^ ]\{1,\}\).*/\1/p'); do
            expect "manual page of $command: $option" has "$text"$'\n' $'\n'"\.It Fl ${option#-}"$'[ \n]'
            expect "bash: $option" has "$completion" " ${option}[ ']"
        done
    done
    expect 'no option for tests' \
        test -z "$(grep -l -e '--*interpret' -e '--*first-look' manual.* completion.*)"
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
    words() { # WANTED TYPED — what completes the name of a variable
        offers "$1" "$VARABS" model.xml --remove "$2"
    }
    expect 'a variable' words 'P.m' P.m
    expect 'without its template' words 'm' m
    expect 'behind others' words 'x,P.m' x,P.m
    expect 'of no model' offers '' "$VARABS" check --ignore P.
    ! command -v fish >/dev/null || expect 'a variable in fish' test x,P.m = "$(
        fish -c 'function varabs; $VARABS $argv; end; source completion.fish
            complete -C "varabs model.xml --remove x,P.m"' | cut -f1)"
    : >zebra.xml
    expect 'a model' offers 'zebra.xml' varabs zeb
    run 'another format' 2 '--manual html: write one of man\|queries' --manual html
    run 'no format' 2 "option '--manual' needs a value" --manual
fi
