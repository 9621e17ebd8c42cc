# Cases of `varabs refines`, read by run.sh; helpers are there.

steps() { # DECLARATIONS EDGES... — one process; an edge is "FROM TO SYNC GUARD UPDATE COMMENT", _ for none
    local declarations=$1 edge from to sync guard update comment
    shift
    printf '<nta>\n<declaration>%s</declaration>\n<template><name>P</name>\n' "$declarations"
    for from in 0 1 2 3; do
        printf '<location id="id%s"><name>s%s</name></location>\n' $from $from
    done
    printf '<init ref="id0"/>\n'
    for edge; do
        read -r from to sync guard update comment <<<"$edge"
        printf '<transition><source ref="id%s"/><target ref="id%s"/>' "$from" "$to"
        [ "$guard" = _ ] || printf '<label kind="guard">%s</label>' "$guard"
        [ "$sync" = _ ] || printf '<label kind="synchronisation">%s</label>' "$sync"
        [ "$update" = _ ] || printf '<label kind="assignment">%s</label>' "$update"
        [ -z "$comment" ] || printf '<label kind="comments">%s</label>' "$comment"
        printf '</transition>\n'
    done
    printf '</template>\n<system>system P;</system>\n</nta>\n'
}
actions() { # CONCRETE ABSTRACT — a file with one action
    printf '{"actions": [{"name": "go", "concrete": %s, "abstract": %s}]}\n' "$1" "$2" >actions.json
}

steps 'broadcast chan a, b;' '0 1 a! _ _' '1 0 b! _ _' >ab.xml
steps 'broadcast chan a, b;' '0 1 a! _ _' '1 2 a! _ _' >aa.xml
steps 'broadcast chan a[3]; int[0,2] n;' '0 0 a[n]! n&lt;2 n++' '0 0 a[n]! n==2 n=0' >round.xml
steps 'broadcast chan a[3]; int[0,2] n;' '0 0 a[n]! n&lt;2 n++' '0 0 a[1]! n==2 n=0' >other.xml
steps 'broadcast chan go; int[0,2] n;' '0 0 go! n&lt;2 n++' '0 0 go! n==2 n=0' >values.xml
steps 'broadcast chan a[3]; int[0,2] n;' '0 0 _ n&lt;2 n++ first @a(n), then @b' '0 0 _ n==2 n=0 @a(n)' \
    >tagged.xml
steps 'broadcast chan a; int[0,2] n;' '0 0 a! _ n++' >endless.xml
steps 'broadcast chan a; int[0,2] n;' '0 0 a! _ _' >loop.xml

if group refines; then
    run 'a model refines itself' 0 '^refines$' refines ab.xml ab.xml
    run 'what is blocked' 1 'after 1 action the concrete model does what the abstract cannot' \
        refines aa.xml ab.xml --json r.json
    expect 'is in the JSON' says r.json \
        "d['refines'] is False and c['kind'] == 'blocked' and c['steps'][-1]['action'] == 'a' and \
            c['offered'] == ['b'] and len(c['abstract_counts']) == 2"
    expect 'which fits' fits refines r.json
    run 'JSON alone' 1 '^\{$' refines aa.xml ab.xml --json -
    expect 'without text' fits refines out
    run 'indices before the update' 0 '^refines$' refines round.xml round.xml
    run 'are told apart' 1 'a\(2\) +P: s0 -> s0  blocked' refines round.xml other.xml
    run 'the arguments of a tag too' 0 '^refines$' refines tagged.xml round.xml --visible a
    run 'if the tag is named' 2 'no visible action in common' refines tagged.xml round.xml --visible @b
    run 'a channel of both models' 0 '^visible +a$' refines round.xml round.xml --visible a --full
    run 'no model' 2 'name of the abstract model is missing' refines ab.xml
    for option in --visible --hide --weak --strong --abstract-weak --abstract-strong; do
        run "$option without names" 2 "$option ',': there is no name" refines ab.xml ab.xml $option ,
        run "$option without anything" 2 "$option '': there is no name" refines ab.xml ab.xml $option ''
    done
    run 'three models' 2 'only two models' refines ab.xml ab.xml ab.xml
    steps 'broadcast chan a, b, c; int[0,30] x, y, z;' '0 0 a! x&lt;30 x++' '0 0 b! y&lt;30 y++' '0 0 c! z&lt;30 z++' >cube.xml
    steps 'broadcast chan a, b, c; int[0,30] x, y, z;' '0 0 a! x&lt;30 x++' '0 0 b! y&lt;20 y++' '0 0 c! z&lt;30 z++' \
        >less.xml
    for jobs in 1 2 3; do
        run "$jobs jobs" 1 '"kind": "blocked"' refines cube.xml less.xml --full --json - --jobs $jobs
        grep -v '"seconds"' out >jobs$jobs
    done
    expect 'the same with 2 jobs' cmp jobs1 jobs2
    expect 'and with 3' cmp jobs1 jobs3
    run 'two sources of actions' 2 'leave only one' refines ab.xml ab.xml --visible a --actions x.json
    run 'a model that is none' 2 'write traces or failures' refines ab.xml ab.xml --model tests
    run 'an unknown channel' 2 "no.*channel or tag 'c'|has a channel or tag 'c'" refines ab.xml ab.xml --hide c
    run 'no action at all' 2 'no visible action in common' refines ab.xml ab.xml --hide a,b
    run 'different numbers of values' 2 "action 'a' has 1 values in the concrete model and 0" refines \
        round.xml ab.xml --visible a
    run 'errors of the concrete model' 0 'if the concrete model has no runtime errors' refines endless.xml loop.xml
    expect 'are counted' grep -Eq '^errors +1 in the concrete model' out
    for more in '--model failures' '--abstract-weak a'; do
        run "errors are no ends: $more" 0 'if the concrete model has no runtime errors' refines endless.xml loop.xml $more
    done
    run 'errors of the abstract model' 5 'unknown: the abstract model has runtime errors' refines loop.xml endless.xml
    run 'a limit on states' 5 '^unknown: ended by the limit on the number of states' refines round.xml round.xml \
        --max-states 2 --json r.json
    expect 'and in JSON' fits refines r.json
    run 'a limit on memory' 5 '^unknown: ended by the limit on memory' refines round.xml round.xml --max-memory 100
    run 'the result is no input' 2 'is an input' refines ab.xml aa.xml --json aa.xml

    actions '{"channel": "a", "args": ["i0"]}' '{"channel": "go", "args": ["(n + 2) % 3"]}'
    run 'values of variables, behind the step' 0 '^refines$' refines round.xml values.xml --actions actions.json
    expect 'the file fits' fits actions actions.json
    actions '{"channel": "a"}' '{"channel": "go", "args": ["n"]}'
    run 'are not those before it' 1 'go\(0\) .*blocked' refines round.xml values.xml --actions actions.json
    actions '{"tag": "a"}' '{"channel": "a"}'
    run 'tags and channels' 0 '^visible +go$' refines tagged.xml round.xml --actions actions.json
    actions '{"tag": "a", "args": ["P.s0 + n * 0"]}' '{"channel": "go", "args": ["1"]}'
    run 'locations as values' 0 '^refines' refines tagged.xml values.xml --actions actions.json
    actions '{"channel": "a"}' '{"channel": "go", "args": ["q"]}'
    run 'an unknown variable' 3 "'q' is no value" refines round.xml values.xml --actions actions.json
    actions '{"channel": "a", "args": ["i1"]}' '{"channel": "go", "args": ["n"]}'
    run 'an index that is not there' 2 'has no i1' refines round.xml values.xml --actions actions.json
    actions '{"channel": "a", "args": ["1 / (1 - i0)", "i0"]}' '{"channel": "go", "args": ["n", "n"]}'
    run 'indices in expressions' 3 'is no value' refines round.xml values.xml --actions actions.json
    actions '{"channel": "a"}' '{"channel": "go", "args": ["2 / (1 - n)"]}'
    run 'a value that cannot be evaluated' 3 'a value of an action cannot be evaluated: division by zero' \
        refines round.xml values.xml --actions actions.json
    actions '{"channel": "a"}' '{"tag": "go"}'
    run 'no such tag' 2 "the abstract model has no tag 'go'" refines round.xml values.xml --actions actions.json
    for text in '' '[]' '{}' '{"actions": []}' '{"actions": [{}]}' '{"actions": [{"name": ""}]}' \
        '{"actions": [{"name": "a"}]}' '{"actions": [{"name": "a", "concrete": {}}]}' \
        '{"actions": [{"name": "a", "concrete": {"channel": "a", "tag": "b"}}]}' \
        '{"actions": [{"name": "a", "concrete": {"channel": 1}}]}' \
        '{"actions": [{"name": "a", "concrete": {"channel": "a", "args": "i0"}}]}' \
        '{"actions": [{"name": "a", "concrete": {"channel": "a", "args": [0]}}]}' \
        '{"actions": [{"name": "a\u0000b", "concrete": {"channel": "a"}}]}' \
        '{"actions": [{"name": "a", "concrete": {"channel": "a"}, "more": 1}]}' \
        '{"actions": [{"name": "a", "concrete": {"channel": "a"}}], "weak": "a"}' \
        '{"actions": [{"name": "a", "concrete": {"channel": "a"}}], "strong": [""]}' \
        '{"actions": [{"name": "a", "concrete": {"channel": "a"}}], "abstract-weak": [1]}' \
        '{"actions": [{"name": "a", "concrete": {"channel": "a"}}], "actions": []}'; do
        printf '%s' "$text" >actions.json
        run "actions '$text'" 3 'actions.json: ' refines ab.xml ab.xml --actions actions.json
    done
    run 'no file of actions' 3 'cannot be read' refines ab.xml ab.xml --actions none.json

    steps 'broadcast chan a;' '0 1 _ _ _' '1 0 _ _ _' '1 2 _ _ _ @t' '2 0 a! _ _' >back.xml
    run 'what is fair in the end' 1 'a run takes a no more' refines back.xml loop.xml --abstract-weak a \
        --json r.json
    expect 'is in the JSON' says r.json \
        "c['kind'] == 'unfair' and c['loop'] == 0 and c['states'][-1] == c['states'][0] and c['enabled_at'] == 0 and \
            c['constraint'] == {'name': 'a', 'kind': 'weak'} and \
            d['fairness'] == {'concrete': [], 'abstract': [{'name': 'a', 'kind': 'weak', 'verdict': 'violated'}]}"
    expect 'which fits' fits refines r.json
    steps 'broadcast chan a;' '0 1 _ _ _' >end.xml
    run 'what ends' 1 'and nothing more' refines end.xml loop.xml --abstract-strong a --weak '*' --json r.json
    expect 'has no loop' says r.json "c['kind'] == 'unfair' and c['loop'] is None and len(c['steps']) == 1"
    expect 'and fits' fits refines r.json
    printf '{"actions": [{"name": "a", "concrete": {"channel": "a"}, "abstract": {"channel": "a"}}],
        "strong": ["@t"], "abstract-weak": ["a"]}\n' >actions.json
    run 'fairness from a file' 0 '^refines$' refines back.xml loop.xml --actions actions.json --json r.json
    expect 'is in JSON' says r.json "d['fairness']['concrete'] == [{'name': '@t', 'kind': 'strong'}]"
    expect 'the file fits' fits actions actions.json
    run 'and from options' 0 '@t \(weak\), @t \(strong\)' refines back.xml loop.xml --actions actions.json --weak @t
    run 'each process' 0 '^fair +P \(weak\)$' refines ab.xml ab.xml --weak '*' --weak P
    run 'an unknown tag' 2 "there is no process, channel or tag '@a'" refines ab.xml ab.xml --strong @a
    run 'errors of the abstract model and fairness' 5 'unknown: the abstract model has runtime errors' refines loop.xml \
        endless.xml --abstract-weak a
    run 'a limit and fairness' 5 '^unknown: ended by the limit on memory' refines round.xml round.xml --abstract-weak a \
        --max-memory 100
    run 'nothing to abstract' 2 'no option of' check ab.xml --abstract-weak a

    steps 'broadcast chan a;' '0 0 _ _ _ @a @b' >two.xml
    sed 's|, then @b||; s|<init ref="id0"/>|<branchpoint id="b"/>&|
        s|<transition><source ref="id0"/><target ref="id0"/>|<transition><source ref="b"/><target ref="id0"/><label kind="comments">@b</label></transition>\n<transition><source ref="id0"/><target ref="b"/>|' \
        tagged.xml >legs.xml
    run 'in one step through a branchpoint' 2 'edges in one step through a branchpoint have two visible tags' \
        refines legs.xml legs.xml --visible a,b
    run 'one of which is hidden' 0 '^refines$' refines legs.xml legs.xml --visible a
    run 'two visible tags' 3 'two.xml:.*this edge has two visible tags' refines two.xml ab.xml --visible a,b
    steps 'broadcast chan a;' '0 0 _ _ _ @a(1' >open.xml
    run 'an open tag' 3 'open.xml:.*never closed' refines open.xml ab.xml --visible a
    steps 'broadcast chan a;' '0 0 _ _ _ @a(1+)' >broken.xml
    run 'a broken tag' 3 'broken.xml:.*error' refines broken.xml ab.xml --visible a
    run 'which nobody asks for' 0 '' check broken.xml
    steps 'broadcast chan a, c;' '0 0 c! _ _ @a' >channel.xml
    run 'a tag beside a channel' 0 'channel alone says which action' refines channel.xml ab.xml --visible a
    steps 'broadcast chan a;' '0 0 _ _ _ mail me@a.org' >mail.xml
    run 'what is no tag' 2 'neither model has a channel or tag' refines mail.xml ab.xml --visible @a
    expect 'sizes and verdicts of agents' env VARABS="$VARABS" "$root/benchmarks/agents/check.sh"
    for i in 1 2; do "$VARABS" refines aa.xml ab.xml --json r$i.json >t$i; done
    expect 'two runs say the same' cmp -s t1 t2
fi
