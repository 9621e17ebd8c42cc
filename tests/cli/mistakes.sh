# What users are most likely to get wrong, read by run.sh; helpers are there.
#
# Each case is a command line, quoted as for a shell, and below it the exit status and all that
# goes to standard error, to the byte but for " ... ". The cases are in mistakes.txt.

mistakes() { # standard input: the cases
    local line command='' status='' expected=''
    judge() {
        [ -z "$command" ] && return
        eval "$root/tests/limit.sh $seconds \"\$VARABS\" $command" >out 2>err </dev/null
        local got=$?
        if [ "$got" -ne "$status" ]; then
            report no "varabs $command" "status $got instead of $status"
        elif [ "$(cat err)" != "$expected" ] &&
            [[ $expected != *' ... '* || $(cat err) != "${expected%% ... *}"*"${expected##* ... }" ]]; then
            report no "varabs $command" "another message than: $expected"
        else
            report yes '' ''
        fi
    }
    while IFS= read -r line; do
        case $line in
        '    '[0-9]' '*) status=${line:4:1} expected=${line:6} ;;
        '      '*) expected+=$'\n'${line:6} ;;
        *) judge; command=$line ;;
        esac
    done
    judge
}

if group mistakes; then
    rm -f m.json # of another group, which would be taken for a report
    cat >m.xml <<'END_MODEL'
<nta>
<declaration>int[0,3] x; int[0,3] vote; int[0,3] a[4]; const int N = 3; chan c; int T0;
typedef int[0,3] T; int f() { return 1; } struct { int[0,1] flag; } s;</declaration>
<template><name>Voter</name><parameter>const int[0,1] p</parameter>
<declaration>int[0,1] memory; int[0,1] both;</declaration>
<location id="id0"><name>idle</name></location><location id="id1"><name>voted</name></location>
<init ref="id0"/>
<transition><source ref="id0"/><target ref="id1"/><label kind="select">i : int[0,1]</label>
<label kind="guard">x == vote</label>
<label kind="assignment">x = memory, memory = i</label></transition>
</template>
<template><name>Box</name><declaration>int[0,1] both;</declaration>
<location id="id2"/><init ref="id2"/></template>
<system>system Voter, Box;</system>
<queries><query><formula>E&lt;&gt; Voter(0).memory == 1</formula><comment/></query></queries>
</nta>
END_MODEL
    sed 's/int T0;/clock t;/' m.xml >idle.xml
    sed 's/x == vote/t \&lt; 3/' idle.xml >timed.xml
    sed 's/int T0;/int[0,99999999999] T0;/' m.xml >overflow.xml
    sed '1i <?xml version="1.0" encoding="utf-16"?>' m.xml >encoding.xml
    head -c 300 m.xml >cut.xml
    : >empty.xml
    : >empty.q
    gzip -c m.xml >m.xml.gz
    echo 'clock x; process P() { state s; init s; } system P;' >m.xta
    echo 'A[] x < (3' >bad.q
    echo 'A[] x < 3' >good.q
    echo '{"remove": ["x"' >broken.json
    echo '{"remove": "x"}' >type.json
    echo '{"removes": ["x"]}' >key.json
    echo '{"remove": ["x"], "mode": "maybe"}' >mode.json
    echo '{"remove": ["x"], "mode": "must"}' >must.json
    mkdir -p folder
    "$VARABS" m.xml --remove memory --may >out 2>err
    mistakes <"$root/tests/cli/mistakes.txt"
fi
