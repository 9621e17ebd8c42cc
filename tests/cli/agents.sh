# Declarations about agents in a model, right ones and mistakes, read by run.sh; helpers are there.
#
# Each case is a declaration and what every command says of it, in agents.txt. Of a mistake all
# commands warn, in the same words and at the same place; those that need it end with an error there.
# `info --agents` sees all declarations, other commands every third, each another third; a sample of them has an Nth.

agents_model() { # DECLARATION, for an XML file
    cat <<END
<nta><declaration>int[0,3] x; bool b; int[0,1] board[2]; struct { int[0,1] k; } r; chan go; const int N = 2;
int[0,3] f() { return x; } void set() { x = 1; }
//varabs: $1
</declaration>
<template><name>P</name><declaration>int[0,2] t; int[0,2] u; int[0,1] g() { return t > 0; }</declaration>
<location id="id0"><name>a</name></location><location id="id1"><name>c</name></location><init ref="id0"/>
<transition><source ref="id0"/><target ref="id1"/><label kind="guard">x == 0</label>
<label kind="assignment">t = 1, u = 1, x = 1</label></transition>
<transition><source ref="id1"/><target ref="id0"/><label kind="assignment">t = 0, x = 0, b = !b</label></transition>
</template>
<template><name>Q</name><parameter>const int[0,1] i</parameter>
<location id="id2"/><init ref="id2"/>
<transition><source ref="id2"/><target ref="id2"/><label kind="guard">b</label>
<label kind="assignment">board[i] = x > 0</label></transition>
</template>
<system>system P, Q;</system></nta>
END
}

# Whether a command says what is wrong, and an error at the same place if it needs to know.
judge_agents() { # NAME STATUS WARNING COMMAND...
    local name=$1 status=$2 warning=$3 place=${3%%: *}
    shift 3
    turn=$((turn + 1))
    [ "${3:-}" = --agents ] || [ $((turn % 3)) = 0 ] || return
    run "$name: $1" "$status" '' "$@"
    expect "$name: $1 warns" test "$(grep ': warning: this declaration' err)" = "$warning"
    [ "$status" = 0 ] ||
        expect "$name: $1 needs it" grep -Eq "^($place|--query:1:[0-9]): error: .*not known what" err
}

if group agents; then
    turn=0
    agents_model 'observe P: default;' >plain.xml
    while IFS=$'\t' read -r declaration place message; do
        taken || continue
        agents_model "$(sed 's/&/\&amp;/g; s/</\&lt;/g' <<<"$declaration")" >agents.xml
        if [ -z "$message" ]; then
            run "$declaration" 0 '' info agents.xml --agents
            run "$declaration: certify" 0 '' certify agents.xml agents.xml --exact --observe
            expect 'and no warning' test ! -s err
            continue
        fi
        warning="agents.xml:$place: warning: this declaration of agents cannot be used: $message"
        judge_agents "$declaration" 3 "$warning" info agents.xml --agents
        judge_agents "$declaration" 3 "$warning" certify agents.xml plain.xml --exact --observe
        judge_agents "$declaration" 3 "$warning" certify plain.xml agents.xml --exact --observe
        judge_agents "$declaration" 3 "$warning" check agents.xml --query 'A[] Kw(P, x)'
        judge_agents "$declaration" 3 "$warning" suggest agents.xml --query 'A[] Kw(P, x)'
        judge_agents "$declaration" 3 "$warning" decide agents.xml --query 'A[] Kw(P, x)'
        judge_agents "$declaration" 0 "$warning" check agents.xml --query 'E<> x == 1'
        judge_agents "$declaration" 0 "$warning" info agents.xml
        judge_agents "$declaration" 0 "$warning" agents.xml --may --remove P.u -o agents.may.xml
        judge_agents "$declaration" 0 "$warning" decide agents.xml --query 'E<> x == 1'
        judge_agents "$declaration" 0 "$warning" suggest agents.xml
        judge_agents "$declaration" 0 "$warning" refines agents.xml plain.xml
        judge_agents "$declaration" 0 "$warning" certify plain.xml agents.xml --exact
        judge_agents "$declaration" 0 "$warning" export agents.xml --to promela -o agents.pml
        run "$declaration: draw" 0 '' draw agents.xml -o agents.svg
    done <"$root/tests/cli/agents.txt"

    for declaration in 'observe : local;' 'agnet A = {P};' 'watch P: x;' observe; do
        agents_model "$declaration" >agents.xml
        for command in info check decide suggest 'certify --exact plain.xml' 'export --to promela'; do
            # shellcheck disable=SC2086 # the words of a command
            run "$declaration $command" 3 "^agents.xml:3:10: error: after '//varabs:' stands no" \
                $command agents.xml
        done
    done

    # Also where only the original says what is observed.
    agents_model 'observe P: nothing;' >agents.xml
    run 'an agent that sees more' 1 '' certify agents.xml plain.xml --exact --observe
    agents_model 'group G = {P};' >grouped.xml
    run 'and where the other says nothing' 1 '' certify agents.xml grouped.xml --exact --observe
fi
