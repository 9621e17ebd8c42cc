# Cases of `varabs verifyta`, read by run.sh; helpers are there. What it prints of models: golden/G1_*, G2_*.

if group verifyta; then
    G=$root/tests/golden
    cp "$G/G1_verdicts/model.xml" small.xml
    cp "$G/G2_clocks/model.xml" timed.xml
    cp "$G/G2_other_queries/model.xml" others.xml
    cp "$G/G2_undocumented/model.xml" open.xml
    cp "$G/G1_runtime_error/model.xml" fails.xml
    sed 's/int\[0,3\] n;/int[0,1000003] n = 1;/; s/n &lt; 2/true/; s/n++/n = (n * 1021 + 7) % 1000003/' small.xml >large.xml
    # In place of the real one: says how it was called.
    cat >real <<'END'
#!/bin/sh
printf 'real'
printf ' <%s>' "$@"
printf ' %s\n' "${VARABS_VERIFYTA-alone}"
exit 7
END
    chmod +x real
    called() { [ "$(cat out)" = "real $1 alone" ] && [ ! -s err ]; } # only that, and nothing before
    ln -s "$VARABS" verifyta
    ln -s "$VARABS" my-verifyta
    (VARABS=./verifyta run 'by the name of a link' 0 'Formula is NOT satisfied' small.xml) >link
    (VARABS=./my-verifyta run 'that ends in verifyta' 0 'Formula is NOT satisfied' -q small.xml) >>link
    expect 'a link is enough' test ! -s link

    run 'help' 0 '^Usage: verifyta \[OPTION\]\.\.\. MODEL QUERY$' verifyta -h
    cp out help.txt
    expect 'help has what old scripts look for' grep -qF -- '-h [ --help ]' help.txt
    expect 'help is at most 80 columns wide' test -z "$(grep '.\{81\}' help.txt)"
    run 'help by its word' 0 '' help verifyta
    expect 'is the same' cmp -s out help.txt
    run 'version' 0 'UPPAAL [0-9]+\.[0-9]+' verifyta --version
    run 'version by a letter' 0 'UPPAAL 5' verifyta -v

    # Options, together and apart.
    run 'letters together' 0 'Formula is satisfied' verifyta -squ small.xml
    expect 'without the options' eval '! grep -q "^Options" out'
    for line in 'Formula is (NOT )?satisfied\.$' 'States stored : [0-9]+ states$' \
        'States explored : [0-9]+ states$' 'CPU user time used : [0-9]+ ms$' \
        'Virtual memory used : [0-9]+ KiB$' 'Resident memory used : [0-9]+ KiB$' 'varabs: .*$'; do
        expect "figures: $line" test "$(grep -cE "^ -- $line" out)" = 6
    done
    expect 'no escapes' eval '! grep -q "$(printf "\033")" out'
    run 'values apart and together' 0 'Generating some trace' verifyta -t 0 -o0 --search-order 2 \
        --diagnostic=0 -S 1 -C -T -b -y -s -r 3 --seed=4 small.xml
    expect 'the last order counts' grep -q 'Search order is random depth first' out
    expect 'and seed' grep -q 'Seed is 4' out
    for option in -A -Z -Dx --alpha --csv -O --key --lease --stdc-version -t3 -o4 -S3 -x --trace; do
        run "refuses $option" 1 'name the real verifyta with --engine' verifyta $option 1 small.xml
        expect "and says nothing else: $option" test ! -s out
        run "hands over $option" 7 '' verifyta --engine ./real $option 1 small.xml
        expect "as it stands: $option" called "<$option> <1> <small.xml>"
    done
    run 'no model' 1 'name of a model is missing' verifyta -q
    run 'three files' 1 "also 'c'" verifyta a b c
    run 'standard input' 1 '-: name a file' verifyta -
    run 'a value missing' 1 "'-t' needs a value" verifyta small.xml -t
    run 'a value too many' 1 'takes no value' verifyta --help=1
    run 'no seed' 1 'write a number' verifyta --seed x small.xml
    run 'own queries and others' 1 'without a query file' verifyta --embedded-queries small.xml q.q
    run 'no such model' 1 'absent.xml: \[error\] cannot read the file' verifyta absent.xml
    run 'no such query file' 1 "cannot read the query file 'none.q'" verifyta small.xml none.q
    run 'a model for a query file' 1 "'small.xml' is a model, not a query file" verifyta small.xml small.xml
    echo '// nothing' >nothing.q
    run 'no query' 1 'there is no query' verifyta small.xml nothing.q
    (UPPAAL_COMPILE_ONLY=1 run 'intermediate format' 1 'writes no .if files' verifyta small.xml) >compile
    (UPPAAL_COMPILE_ONLY='' run 'and not' 0 'satisfied' verifyta small.xml) >>compile
    expect 'UPPAAL_COMPILE_ONLY' test ! -s compile
    for option in --engine --engine= --timeout --timeout=x --timeout=0 --jobs=x --max-memory=-1; do
        run "wrong: $option" 1 'see .varabs verifyta -h.' verifyta small.xml $option
    done
    run 'limits' 0 'satisfied' verifyta --timeout 50 --max-memory=1G --jobs 1 small.xml

    run 'errors that are not known of' 0 '^ -- varabs: .*; if the model has no runtime errors$' \
        verifyta -q "$root/tests/engine/may_fail.xml"
    expect 'and the verdict' grep -q '^ -- Formula is NOT satisfied\.$' out

    # What is not answered is left to the real one, as a whole.
    for model in timed others open fails absent; do
        run "$model: handed over" 7 '' verifyta --engine=./real -q -t 1 $model.xml --jobs 1
        expect "$model: as verifyta would be called" called "<-q> <-t> <1> <$model.xml>"
    done
    (VARABS_VERIFYTA=./real run 'named in the environment' 7 '' verifyta timed.xml
     expect 'which it does not see' called '<timed.xml>') >environment
    expect 'VARABS_VERIFYTA' test ! -s environment
    run 'a trace file' 7 '' verifyta --engine ./real -t1 -f x small.xml
    run 'without a trace' 0 '' verifyta --engine ./real -f x small.xml
    run 'a run that is not found' 7 '' verifyta --engine ./real -t0 --max-memory 20M "$root/tests/engine/deep.xml"
    run 'which is an error' 1 '^ -- varabs: no trace was found' verifyta -q -t0 --max-memory 20M "$root/tests/engine/deep.xml"
    expect 'on standard error, too' grep -q 'deep.xml::1: \[error\] no trace was found within the limits\.$' err
    run 'what is answered' 0 'Formula is NOT satisfied' verifyta --engine ./real small.xml
    run 'no such program' 127 "cannot start the real verifyta './none'" verifyta --engine ./none timed.xml
    run 'refused where none is named' 1 '\[error\] .*clock' verifyta timed.xml
    expect 'and no verdict' eval '! grep -q Formula out'
    run 'statuses of varabs: clocks' 4 '' verifyta --exit-varabs timed.xml
    run 'violated' 1 '' verifyta --exit-varabs small.xml
    run 'usage' 2 '' verifyta --exit-varabs -Z small.xml
    run 'a limit' 5 '' verifyta --exit-varabs --timeout 0.05 large.xml
    run 'a limit, as verifyta' 1 '\[error\] not decided: .*time' verifyta --timeout 0.05 large.xml

    # As packages in public call it; engine/callers.py has more of that.
    rm -f trace*
    run 'pyuppaal, verify' 0 '^ -- Formula is' verifyta small.xml
    run 'pyuppaal, with options' 0 '^Showing counter example' verifyta small.xml -t 1 -o 0
    expect 'runs on standard error' grep -q '^  P.idle->P.busy { n < 2, c!, n++ }$' err
    run 'pyuppaal, simple_verify' 1 'Formula is NOT satisfied' verifyta -t 1 -X trace small.xml
    expect 'which takes no other message' test ! -s err
    expect 'and no file is there' eval '! ls trace* 2>/dev/null'
    run 'a scheduler' 0 'Formula is satisfied' verifyta -u -t0 -o1 -S2 small.xml "$G/G1_query_file/asked.q"
fi
