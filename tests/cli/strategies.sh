# Cases of queries about what coalitions can bring about, read by run.sh; helpers are there.

# Verdicts of a model: lines of verdict|formula on standard input.
answers() { # MODEL ARGUMENTS...
    local model=$1 verdict formula
    shift
    while IFS='|' read -r verdict formula; do
        run "$model: $formula" '0|1' "^$verdict" check "$model" --query "$formula" "$@"
    done
}
# Two processes: what stands before, templates as (name, declaration, locations, edges), the system.
part() { # NAME DECLARATION LOCATIONS EDGES — an edge is SOURCE>TARGET;KIND=TEXT;..., with ~ for a blank
    local place edge label
    printf '<template><name>%s</name><declaration>%s</declaration>' "$1" "$2"
    for place in $3; do printf '<location id="%s%s"><name>%s</name></location>' "$1" "$place" "$place"; done
    printf '<init ref="%s%s"/>' "$1" "${3%% *}"
    for edge in $4; do
        IFS=';' read -ra label <<<"$edge"
        printf '<transition><source ref="%s%s"/><target ref="%s%s"/>' "$1" "${label[0]%>*}" "$1" "${label[0]#*>}"
        for place in "${label[@]:1}"; do
            printf '<label kind="%s">%s</label>' "${place%%=*}" "$(sed 's/~/ /g' <<<"${place#*=}")"
        done
        printf '</transition>'
    done
    printf '</template>'
}
network() { # DECLARATION SYSTEM, templates on standard input
    printf '<nta><declaration>%s</declaration>%s<system>system %s;</system></nta>' "$1" "$(cat)" "$2"
}

if group coalitions; then
    cp "$root/benchmarks/models/asv.xml" asv.xml
    answers asv.xml <<'END'
satisfied|<<Voter>> F Coercer.informed
satisfied|<<Voter>> G !Coercer.informed
satisfied|<<Voter>> F (Voter.mem_vt == 1 && Coercer.refused)
satisfied|<<Voter>> G not Kw(Coercer, Voter.mem_vt)
violated|<<Coercer>> F Coercer.informed
satisfied|<<Coercer; active>> F Coercer.informed
violated|<<Coercer>> G !Coercer.informed
satisfied|<<Coercer; active>> G !Coercer.informed
violated|<<Voter>> G Voter.idle
satisfied|<<Voter; wait>> G Voter.idle
satisfied|<<>> F (Coercer.informed || Coercer.refused)
satisfied|<<Voter, Coercer>> F K(Coercer, Voter.mem_vt == 1)
violated|<<Voter, Coercer; subjective>> F K(Coercer, Voter.mem_vt == 1)
satisfied|<<Voter; Ir>> F Coercer.informed
violated|[[Voter]] <> Coercer.informed
satisfied|[[Coercer]] [] (Coercer.informed imply Kw(Coercer, Voter.mem_vt))
satisfied|<<Voter>> (!Coercer.informed U Coercer.refused)
satisfied|<<Voter>> [!Coercer.informed W Coercer.refused]
violated|<<Coercer>> (Coercer.informed R Voter.idle)
violated|A[] <<Voter>> F Coercer.informed
satisfied|A[] Voter.voted imply <<Voter>> F Coercer.informed
END
fi

if group coalition_mistakes; then
    cp "$root/benchmarks/models/asv.xml" asv.xml
    while IFS='|' read -r status message formula; do
        run "$formula" "$status" "$message" check asv.xml --query "$formula"
    done <<'END'
3|query:1:13: error: a coalition has one temporal operator|<<Voter>> F G Voter.idle
3|query:1:11: error: a coalition has one temporal operator|<<Voter>>F<>Voter.idle
3|query:1:3: error: 'Nobody' is not declared|<<Nobody>> F Voter.idle
3|query:1:3: error: this is no agent|<<NC>> F Voter.idle
3|query:1:12: error: expected the name of an agent, found '}'|group g = {}; <<g>> F Voter.idle
3|query:1:11: error: expected X, F or G|<<Voter>> Voter.idle
3|query:1:14: error: expected one mode of each kind|<<Voter; ir, Ir>> F Voter.idle
3|query:1:10: error: expected a mode|<<Voter; blind>> F Voter.idle
4|query:1:10: error: 'fair' is not for coalitions|<<Voter; fair>> F Voter.idle
END
    run 'one process, two minds' 3 'two agents of the coalition' check asv.xml \
        --query 'agent Both = {Voter, Coercer};' --query '<<Both, Voter>> F Voter.idle'
    run 'no runs of other kinds' 4 'kripke only' check asv.xml --semantics uppaal \
        --query '<<Voter>> F Voter.voted'
    part P '' 'a b' 'a>b;comments=@nature~x' | network '' P >nature.xml
    run 'nature of no select' 3 'names no select' check nature.xml --query '<<P>> F P.b'
    part P '' 'a b' 'a>b' | network 'chan c; chan priority c; ' P >priorities.xml
    run 'no priorities' 4 'in models with priorities' check priorities.xml --query '<<P>> F P.b'
fi

if group moves; then
    # P chooses where to go, and i; what @nature, @action and branchpoints leave open is not its choice.
    plain='s>t;select=i~:~int[0,1];assignment=v~=~i s>u'
    part P 'int v;' 's t u' "$plain" | network '' P >own.xml
    sed 's|<label kind="assignment">|<label kind="comments">seen to\n@nature i</label>&|' own.xml >select.xml
    sed 's|<label kind="select">|<label kind="comments">@nature</label>&|' own.xml >edge.xml
    part P '' 's t u' 's>t;comments=@action~go s>u;comments=@action~go' | network '' P >action.xml
    answers own.xml <<'END'
satisfied|<<P>> F P.v == 1
satisfied|<<P>> G !P.t
satisfied|<<P>> F P.u
END
    answers select.xml <<'END'
violated|<<P>> F P.v == 1
satisfied|<<P>> F P.t
satisfied|<<P>> F P.u
END
    answers edge.xml <<'END'
violated|<<P>> F P.v == 1
violated|<<P>> F P.u
violated|<<P>> G !P.t
END
    answers action.xml <<'END'
violated|<<P>> F P.t
violated|<<P>> F P.u
satisfied|<<P>> F (P.t || P.u)
END
    # Only on e[0] P has a choice, though the edges of the other move receive on e[0] and on e[1].
    {
        part P '' 's t u' 's>t;synchronisation=e[x]?;comments=@action~a s>u;synchronisation=e[y]?;comments=@action~a s>u;synchronisation=e[0]?'
        part N '' 's t' 's>t;synchronisation=e[0]! s>t;synchronisation=e[1]! t>t;guard=x==2;assignment=x=y,y=x'
    } | network 'chan e[2]; int[0,1] x = 0, y = 1;' 'P, N' >received.xml
    answers received.xml <<'END'
satisfied|<<P>> F P.u
satisfied|<<P; Ir>> F P.u
satisfied|<<P; Ir>> X P.u
satisfied|<<P; Ir>> G !P.t
satisfied|<<P; active>> F P.u
END
fi

if group races; then
    wins='(forall (h : horse_t) Tian.used[h]) && king == N && score > other'
    for case in '2 seen 13 violated violated' '3 seen 64 satisfied satisfied' \
        '4 seen 321 satisfied satisfied' '3 hidden 64 violated satisfied'; do
        read -r horses kind states uniform perfect <<<"$case"
        python3 -B "$root/benchmarks/tianji.py" "$horses" --kind "$kind" >races.xml
        run "$case" '0|1' "^$uniform *<<Tian>> F" check races.xml --full \
            --query "<<Tian>> F ($wins)" --query "<<Tian; Ir>> F ($wins)"
        expect "$case, seeing all" grep -q "^$perfect *<<Tian; Ir>> F" out
        expect "$case, states" grep -qx "states       $states" out
    done
    python3 -B "$root/benchmarks/tianji.py" 4 >races.xml
    run 'a search that is given up' 5 '^unknown .*<<Tian>> F' check races.xml --tries 3 \
        --query "<<Tian>> F ($wins)"
    expect 'which is said' grep -q '^ *open: no strategy was found among those tried' out
    run 'bounds need no search' '0|1' '' check races.xml --tries 1 --query '<<Tian>> G other <= N' \
        --json -
    expect 'as JSON' fits check out
    expect 'without tries' says out "'tries' not in q[0]"
    run 'nested in others' 5 '^unknown' check races.xml --tries 3 --query "not <<Tian>> F ($wins)" \
        --query "E<> K(King, <<Tian>> F ($wins))"
fi

# As published and computed by others: who makes a secret known, who defeats a castle.
if group rounds; then
    python3 -B "$root/benchmarks/messengers.py" 4 >messengers.xml
    answers messengers.xml <<'END'
satisfied|<<A; Ir>> F knows[3]
satisfied|<<A(0), A(1), A(2); Ir>> F knows[3]
violated|<<A(0), A(1); Ir>> F knows[3]
violated|<<A(0); Ir>> F knows[3]
violated|<<B; Ir>> F knows[3]
violated|<<>> F knows[3]
satisfied|<<A(0); Ir>> G !knows[3]
violated|<<B; Ir>> G !knows[3]
END
    # On classes of what B has heard, in all rounds and the last one: those that were published leave it
    # open, as the state before the first message is in the last class. With a class of its own it is shown.
    one='heard[0] && !heard[1] && !heard[2] && !heard[3] && latest[0]'
    two='(heard[0] || heard[1]) && !heard[2] && !heard[3] && latest[1]'
    three='(heard[0] || heard[1] || heard[2]) && !heard[3] && latest[2]'
    some='exists (k : agent_t) heard[k] || latest[k]'
    five="B.c:int[0,4]=$one ? 1 : $two ? 2 : $three ? 3 : ($some) ? 4 : 0"
    four="B.c:int[1,4]=$one ? 1 : $two ? 2 : $three ? 3 : 4"
    while read -r states verdict removals; do
        IFS=';' read -ra words <<<"$removals"
        words=("${words[@]/FIVE/"$five"}") words=("${words[@]/FOUR/"$four"}")
        run "classes: $removals" 0 'not exact' messengers.xml "${words[@]}" --mixed -o classes.xml
        run "$verdict, $removals" '0|5' "^$verdict *<<A; Ir>> F" check classes.xml \
            --query '<<A; Ir>> F knows[3]'
        expect "states, $removals" grep -qx "states       $states" out
    done <<'END'
577 satisfied --merge;FIVE
526 unknown --merge;FOUR
138 unknown --remove;B.heard;--remove;B.latest
1142 unknown --remove;B.latest
1142 unknown --remove;B.heard
END
    run 'the others, too' 0 '' messengers.xml --merge "$five" --mixed -o classes.xml
    answers classes.xml <<'END'
satisfied|<<A(0), A(1), A(2); Ir>> F knows[3]
violated|<<B; Ir>> F knows[3]
violated|<<>> F knows[3]
satisfied|<<A(0); Ir>> G !knows[3]
END
    while read -r lives workers one two; do
        python3 -B "$root/benchmarks/castles.py" "$lives" "$workers" 1 1 >castles.xml
        answers castles.xml <<END
$one|<<castle1; Ir>> F lives[2] == 0
$two|<<castle1, castle2; Ir>> F lives[2] == 0
END
    done <<'END'
1 1 violated satisfied
3 1 violated satisfied
2 2 satisfied satisfied
END
    # Without who has defended: who attacks does so for certain, and the others may defend as they like.
    while read -r lives workers states one two none; do
        python3 -B "$root/benchmarks/castles.py" "$lives" "$workers" 1 1 >castles.xml
        run "castles, $lives $workers" 0 'not exact' castles.xml --remove defended --mixed -o lean.xml
        run "their states, $lives $workers" '0|1|5' "^states       $states\$" check lean.xml --full \
            --query '<<castle1; Ir>> F lives[2] == 0'
        while IFS='|' read -r verdict formula; do
            run "castles, $lives $workers: $formula" '0|1|5' "^$verdict" check lean.xml --query "$formula"
        done <<END
$one|<<castle1; Ir>> F lives[2] == 0
$two|<<castle1, castle2; Ir>> F lives[2] == 0
$none|<<castle3; Ir>> G lives[2] > 0
END
    done <<'END'
1 1 76 unknown satisfied unknown
3 1 946 violated satisfied unknown
2 2 1293 satisfied satisfied unknown
END
    python3 -B "$root/benchmarks/castles.py" 2 2 1 1 >castles.xml
    run 'a strategy of one castle' 0 'checked on the original' check lean.xml --concretize castles.xml \
        --query '<<castle1; Ir>> F lives[2] == 0'
fi

if group simple_voting; then
    python3 -B "$root/benchmarks/simple_voting.py" 1 >voting.xml
    python3 -B "$root/benchmarks/simple_voting.py" 2 >two.xml
    for model in voting two; do
        answers $model.xml <<'END'
satisfied|<<V(0)>> F V(0).vote == 2
violated|<<V(0)>> G ((V(0).vote == 1 && V(0).done && !V(0).punished) || (V(0).vote == 2 && V(0).punished))
violated|<<Coercer>> G (V(0).vote == 1 || V(0).punished)
satisfied|<<V(0)>> F K(Coercer, V(0).vote == 1)
violated|<<Coercer>> F K(Coercer, V(0).vote == 1)
satisfied|<<Coercer>> F V(0).punished
violated|<<V(0)>> F (V(0).vote == 1 && V(0).done && !V(0).punished)
satisfied|<<V(0), Coercer>> F (V(0).vote == 1 && V(0).done && !V(0).punished)
violated|<<V(0), Coercer; subjective>> F (V(0).vote == 1 && V(0).done && !V(0).punished)
END
    done
    # Six voters, of whom only one is remembered: 14420 states in place of 530293, and all carries over.
    python3 -B "$root/benchmarks/simple_voting.py" 6 >voting.xml
    words=()
    for name in vote shown punished; do words+=(--remove "V(1..5).$name"); done
    sed 's|</queries>|<query><formula/><comment>varabs: \&lt;\&lt;V(0)>> F K(Coercer, V(0).done)</comment></query>&|' \
        voting.xml >six.xml
    run 'six voters' 0 'not exact' six.xml "${words[@]}" --mixed -o some.xml
    run 'their states' 0 '^states       14420$' check some.xml
    answers some.xml <<'END'
satisfied|<<V(0)>> F V(0).vote == 2
violated|<<Coercer>> G (V(0).vote == 1 || V(0).punished)
satisfied|<<V(0)>> F K(Coercer, V(0).vote == 1)
violated|<<Coercer>> F K(Coercer, V(0).vote == 1)
satisfied|<<Coercer>> F V(0).punished
violated|<<V(0)>> F (V(0).vote == 1 && V(0).done && !V(0).punished)
satisfied|<<V(0), Coercer>> F (V(0).vote == 1 && V(0).done && !V(0).punished)
END
fi

if group tunnel; then
    python3 -B "$root/benchmarks/trains.py" 5 >trains.xml
    answers trains.xml <<'END'
violated|<<T(0)>> G T(0).tunnel
violated|<<T(0)>> F T(0).tunnel
satisfied|<<T(0)>> G (T(0).tunnel || !T(0).tunnel)
violated|<<T>> G !T(0).tunnel
satisfied|<<T; wait>> G !T(0).tunnel
END
    run 'by sets of states' 1 '^time .* by sets' \
        check trains.xml --engine symbolic --query '<<T(0)>> F T(0).tunnel'
    python3 -B "$root/benchmarks/trains.py" 13 >trains.xml
    run 'in turns' 1 '^time .* by sets' check trains.xml --query '<<T(0)>> F T(0).tunnel'
    run 'no memory for games' 5 '^everything is explored; what is unknown ended by the limit on memory$' \
        check trains.xml --jobs 1 --max-memory 5M --engine explicit --query '<<T(0)>> F T(0).tunnel'
    run 'sets go on' 1 '^time .* by sets' \
        check trains.xml --jobs 1 --max-memory 5M --query '<<T(0)>> F T(0).tunnel'
    python3 -B "$root/benchmarks/trains.py" 25 >trains.xml
    run 'more than fit into memory' 0 '^states       452984832$' \
        check trains.xml --engine symbolic --query '<<T; wait>> G !T(0).tunnel'
fi

if group shown_strategies; then
    cp "$root/benchmarks/models/asv.xml" asv.xml
    run 'rules' 0 '^ *strategy of Voter .2 rules, 2 information sets.$' check asv.xml \
        --query '<<Voter>> F (Voter.mem_vt == 2 && Coercer.refused)' --json result.json
    expect 'what to choose' grep -qx ' *when Voter.idle -> voted with i = 2' out
    expect 'what to send' grep -qx ' *otherwise -> disobeyed, refuse!' out
    expect 'as JSON' fits check result.json
    expect 'with moves' says result.json \
        "q[0]['strategy'][0]['rules'][0]['move']['selects'] == {'i': 2} and q[0]['strategy'][0]['choices'] == 2"
    run 'by sets of states' 0 '^ *when Voter.idle -> voted with i = 2$' check asv.xml \
        --engine symbolic --query '<<Voter>> F (Voter.mem_vt == 2 && Coercer.refused)'
    run 'with perfect information' 0 '^ *strategy of Voter .2 rules, 2 states.$' check asv.xml \
        --engine symbolic --query '<<Voter; Ir>> F (Voter.mem_vt == 2 && Coercer.refused)'
    python3 -B "$root/benchmarks/trains.py" 15 >trains.xml
    run 'one that is too large' 0 'its strategy is not shown: over 65536 states, or 256 choices' \
        check trains.xml --engine symbolic --query '<<T(0); Ir, wait>> G !T(0).tunnel'
    run 'against a claim' 1 '^ *when Voter.idle -> voted' check asv.xml \
        --query '[[Voter]] G !Coercer.informed'
    run 'waiting' 0 '^ *always -> wait$' check asv.xml --query '<<Voter; wait>> G Voter.idle'
    run 'receiving on purpose' 0 '^ *always -> refused, refuse.$' check asv.xml \
        --query '<<Coercer; active>> G !Coercer.informed'
    part P 'int v;' 's t' 's>t;assignment=v~=~1 s>t;assignment=v~=~2' | network '' P >twins.xml
    run 'which of two edges that look the same' 0 '^ *always -> t, edge 2$' check twins.xml \
        --query '<<P>> F P.v == 2'
    python3 -B "$root/benchmarks/tianji.py" 3 >races.xml
    run 'a strategy that is searched for' 0 '^ *strategy of Tian .3 rules, 12 information sets.$' \
        check races.xml --query \
        '<<Tian>> F ((forall (h : horse_t) Tian.used[h]) && king == N && score > other)'
    cp out one
    run 'the same with more threads' 0 '' check races.xml --jobs 3 --first-look 3 --query \
        '<<Tian>> F ((forall (h : horse_t) Tian.used[h]) && king == N && score > other)'
    expect 'rule for rule' cmp <(grep -e '->' one) <(grep -e '->' out)
    # A channel that there is not is no move: P cannot stay by it.
    for sign in '!' '?'; do
        {
            part P '' 's t' "s>t s>s;synchronisation=e[i]$sign"
            part N '' 'n' 'n>n;assignment=f~=~!f'
        } | network 'chan e[2]; int[0,2] i = 2; bool f;' 'P, N' >no_channel.xml
        run "no move over a channel that there is not: $sign" 1 '^violated' \
            check no_channel.xml --query '<<P; active>> G not P.t'
    done
fi

# Words of operators stand where no name can, whatever the model calls so.
if group words_as_names; then
    for name in R U W F G; do
        part "$name" '' 'p q' 'p>q'
    done | network '' 'R, U, W, F, G' >words.xml
    answers words.xml <<'END'
violated|A(R.q R R.p)
satisfied|A(R.p R U.p || U.q)
satisfied|A(R.p W U.q || U.p)
satisfied|E(R.p U R.q)
satisfied|<<R>> F (R.p || F.q)
violated|<<R>> G G.p
satisfied|<<R>> X (F.p || F.q)
satisfied|<<R>> (R.p W R.q)
END
    run 'but not two of them' 3 'error: ' check words.xml --query '<<R>> G F R.p'
fi

# Tempting claims about strategies that are wrong.
if group tempting_strategies; then
    # What P can do depends on g, which N turns on. Who does not see g can choose what is done when g is on, and wait.
    {
        part N '' 'off on' 'off>on;assignment=g~=~1'
        part P '' 's s1 s2' 's>s2;guard=g~==~0 s>s1;guard=g~==~1'
    } | network 'int[0,1] g;' 'N, P' >CE8.xml
    run 'CE8: who sees less may do more' 0 '^satisfied  <<P>> F P.s1' check CE8.xml \
        --query 'observe P: local;' --query '<<P>> F P.s1'
    run 'CE8: who sees all does less' 1 '^violated   <<P; Ir>> F P.s1' check CE8.xml \
        --query 'observe P: local;' --query '<<P; Ir>> F P.s1'
    run 'CE8: nor if it sees what it can do' 1 '^violated   <<P>> F P.s1' check CE8.xml \
        --query '<<P>> F P.s1'
    # N has hidden on which side the good is. In each state by itself there is a choice that is right.
    {
        part N '' 'idle ready' 'idle>ready;select=i~:~int[1,2];assignment=h~=~i'
        part P '' 's good mid bad' "s>good;guard=h~==~1;comments=@action~left \
            s>mid;guard=h~==~2;comments=@action~left s>good;guard=h~==~2;comments=@action~right \
            s>mid;guard=h~==~1;comments=@action~right mid>bad"
    } | network 'int[0,2] h;' 'N, P' >CE9.xml
    run 'CE9: one choice for all that look alike' 1 '^violated   <<P>> F P.good' check CE9.xml \
        --query 'observe P: local;' --query '<<P>> F P.good' --json result.json
    expect 'CE9: the bounds do not say it' says result.json "q[0]['tries'] > 1"
    run 'CE9: not in a state that is known' 0 '^satisfied  <<P; Ir>> F P.good' check CE9.xml \
        --query 'observe P: local;' --query '<<P; Ir>> F P.good'
    # C does not see that nothing has happened yet.
    {
        part V 'int[0,2] m;' 's g' 's>g;select=i~:~int[1,2];assignment=m~=~i'
        part C '' 'c' ''
    } | network '' 'V, C' >CE10.xml
    run 'CE10: from where it is' 0 '^satisfied' check CE10.xml --query '<<V, C>> F (V.g && V.m == 1)'
    run 'CE10: and from where it may be' 1 '^violated' check CE10.xml \
        --query '<<V, C; subjective>> F (V.g && V.m == 1)'
    run 'CE10: alone it knows' 0 '^satisfied' check CE10.xml \
        --query '<<V; subjective>> F (V.g && V.m == 1)'
    # x decides where P goes, and Q may receive what P sends; x can go.
    {
        part N '' 'idle done' 'idle>done;select=i~:~int[0,2];assignment=x~=~i'
        part P '' 's a b' 's>a;guard=x~==~1 s>b;guard=x~!=~1'
        part Q '' 'q r' 'q>r;guard=n~>~0'
    } | network 'int[0,2] x; int n;' 'N, P, Q' |
        sed 's|</nta>|<queries><query><formula/><comment>varabs: \&lt;\&lt;P>> G !Q.r</comment></query></queries></nta>|' >ST10.xml
    run 'ST10: a mixed abstraction' 0 '' ST10.xml --remove x --mixed -o ST10.mixed.xml
    run 'ST10: its strategy in the original' 0 'checked on the original: [0-9]* states' check ST10.mixed.xml \
        --concretize ST10.xml --query '<<P>> G !Q.r' --json result.json
    expect 'ST10: in JSON' says result.json "q[0]['in_original']['outcome'] == 'wins'"
    run 'ST10: a goal of more than one state' 0 'checked on the original: [0-9]* states' \
        check ST10.mixed.xml --concretize ST10.xml --query '<<P>> G K(P, !Q.r)'
    run 'ST10: with a scope' 0 '' "$root/tests/golden/ST10_scope/model.xml" --remove P.x@c --mixed -o scope.xml
    run 'ST10: which strategies look at' 0 'checked on the original: 5 states' check scope.xml \
        --concretize "$root/tests/golden/ST10_scope/model.xml" --query '<<P>> F (P.c && y == 1)'
    run 'ST10: not all of it' 5 'not checked on the original: ended by the limit on the number of states' check ST10.mixed.xml \
        --concretize ST10.xml --query '<<P>> G !Q.r' --max-states 7
    sed 's/int n;/int n = 1;/' ST10.xml >other.xml
    run 'ST10: of another model' 3 'it does not do that in the original' check ST10.mixed.xml \
        --concretize other.xml --query '<<P>> G !Q.r' --json result.json
    expect 'ST10: is said' says result.json "q[0]['in_original']['outcome'] == 'fails'"
    # B may send on c or on d; which of them N receives is hidden.
    {
        part N '' 'idle at_c at_d end' \
            'idle>at_c idle>at_d at_c>end;synchronisation=c? at_d>end;synchronisation=d?'
        part B '' 's sent' 's>sent;synchronisation=c! s>sent;synchronisation=d!'
    } | network 'chan c, d;' 'N, B' >CE11.xml
    answers CE11.xml <<'END'
satisfied|<<>> F B.sent
violated|<<B>> F B.sent
satisfied|<<B; Ir>> F B.sent
END
    cat >alike.xml <<'END'
<nta><declaration>typedef int[1,4] T; broadcast chan c; int[0,1] g;</declaration><template><name>P</name><parameter>const T id</parameter><declaration>int[0,1] x;</declaration><location id="idP0"><name>a</name></location><location id="idP1"><name>b</name></location>
<init ref="idP0"/>
<transition><source ref="idP0"/><target ref="idP1"/><label kind="synchronisation">c!</label></transition>
<transition><source ref="idP1"/><target ref="idP0"/></transition></template>
<template><name>Q</name><location id="idQ0"><name>l</name></location><location id="idQ1"><name>m</name></location><location id="idQ2"><name>n</name></location>
<init ref="idQ0"/>
<transition><source ref="idQ0"/><target ref="idQ1"/><label kind="synchronisation">c?</label></transition>
<transition><source ref="idQ0"/><target ref="idQ2"/><label kind="synchronisation">c?</label></transition></template>
<system>system P,Q;</system></nta>
END
    run 'a strategy found apart from orbits' 0 '^ *strategy of Q where it receives on c ' check alike.xml \
        --symmetry report --query '<<Q>> G !Q.m' --query 'A[] g == 0' --json alike.json --html alike.html
    expect 'fits' fits check alike.json
    expect 'says the channel' grep -q '"receives": "c"' alike.json
fi
