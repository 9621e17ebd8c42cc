# Cases of `suggest` on models with large states, read by run.sh; helpers are there: the first look goes
# on as it is, counts what is ahead, or ends for sets of states.

if group large; then
    # edges_of NAME DECLARATIONS LABELS: one location with an edge to itself for each line of labels, which
    # are a select, a guard and an update apart by |
    edges_of() {
        local name=$1 declarations=$2 select guard update
        {
            echo "<nta><declaration>$declarations int[0,1] unread;</declaration><template><name>P</name>"
            echo '<location id="a"><name>A</name></location><location id="b"><name>B</name></location><init ref="a"/>'
            while IFS='|' read -r select guard update; do
                echo '<transition><source ref="a"/><target ref="a"/>'
                echo "<label kind=\"select\">$select</label><label kind=\"guard\">$guard</label>"
                echo "<label kind=\"assignment\">$update</label></transition>"
            done
            echo '</template><system>system P;</system></nta>'
        } >"$name.xml"
    }
    ring='int[0,1] a[4500]; int[-1,4499] at = -1;'
    # One cell of 4500 is 1, and each state has many successors that others have, too.
    edges_of ring "$ring" <<'END'
i : int[0,4499]|at == -1|a[i] = 1, at = i
k : int[1,12]|at != -1|a[at] = 0, at = (at + k) % 4500, a[at] = 1
END
    run 'as many states as there are' 0 '^states of the model: 4501' suggest ring.xml
    # The same, with steps that fail behind the first look.
    edges_of fails "$ring int[0,1] small;" <<'END'
i : int[0,4499]|at == -1|a[i] = 1, at = i
k : int[1,12]|at != -1|a[at] = 0, at = (at + k) % 4500, a[at] = 1
k : int[0,0]|at == 4400|small = at
END
    run 'with an error' 0 '^states of the model: 4501' suggest fails.xml
    # Two cells are 1: more states than are looked at.
    edges_of pairs "$ring" <<'END'
i : int[0,4499]|at != 1|a[i] = 1, at = at == -1 ? 0 : 1
END
    run 'more than are looked at' 0 '^states of the model: > 20000' suggest pairs.xml
    # The same with a step that fails early.
    edges_of failing "$ring int[0,1] small;" <<'END'
i : int[0,4499]|at != 1|a[i] = 1, at = at == -1 ? 0 : 1
k : int[0,0]|at == 0 and a[2] == 1|small = a[2] + 1
END
    run 'more than are looked at, with an error' 0 '^But the original has runtime errors' suggest failing.xml \
        --query 'E<> forall (i : int[0,4499]) a[i] == 1'
    # As many states as sets can count, and few fields that change.
    {
        echo '<nta><declaration>int[0,1] unread;</declaration><template><name>P</name><parameter>const int[1,400] id</parameter>'
        echo '<declaration>int[0,1] n;</declaration>'
        echo '<location id="a"><name>A</name></location><init ref="a"/><transition><source ref="a"/><target ref="a"/>'
        echo '<label kind="assignment">n = 1 - n</label></transition></template><system>system P;</system></nta>'
    } >sets.xml
    run 'as many as sets of states count' 0 '^states of the model: 2582249878086908589655919172003011874329705792829223512830659356540647622016841194629645353280137831435903171972747493376' \
        suggest sets.xml

    # The first step of a must-abstraction: one that stays leads on through a branchpoint, and others leave
    # locations that are not the initial one.
    steps() { # TARGET GUARD UPDATE of the branch and before it
        echo '<nta><declaration>int[0,3] v, w; int[0,1] unread;</declaration><template><name>P</name>'
        echo '<location id="a"><name>A</name></location><location id="b"><name>B</name></location>'
        echo '<branchpoint id="c"/><init ref="a"/>'
        echo '<transition><source ref="a"/><target ref="c"/>'
        echo "<label kind=\"guard\">$2</label></transition>"
        echo "<transition><source ref=\"c\"/><target ref=\"$1\"/>"
        echo "<label kind=\"assignment\">$3</label></transition>"
        echo '<transition><source ref="b"/><target ref="a"/><label kind="guard">v == 1</label></transition>'
        echo '<transition><source ref="b"/><target ref="b"/>'
        echo '<label kind="assignment">v = (v + 1) % 4, w = (w + 1) % 4</label></transition>'
        echo '</template><system>system P;</system></nta>'
    }
    steps b true 'w = 0' >steps.xml
    run 'a step through a branchpoint' 0 'remove v$' suggest steps.xml
    expect 'stays by must' eval '! grep -q "keeps the initial state only" out'
    steps a 'v != 3' 'v = v + 1' >stands.xml
    run 'no other state' 0 'keeps the initial state only' suggest stands.xml
fi
