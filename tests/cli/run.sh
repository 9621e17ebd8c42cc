#!/bin/bash
# The program as its users call it: bad files, bad arguments, bad places to write to. Each case
# checks the exit status (README, `varabs help check`) and a part of the message.
#
#   tests/cli/run.sh [NAME...]     only the groups of cases named
#
# Environment: VARABS the program; VALGRIND=1 runs a few cases under valgrind, too; of a sample
# GROUPS_EVERY=N only each Nth group of cases, CASES_EVERY=N of rows of cases that are alike only each Nth, beginning
# where CASES_AT=K says.
# shellcheck source=tests/begin.sh
. "$(dirname "$0")/../begin.sh"
cd "$work" || exit 1
seconds=60 # for one run
only=" $* "
every=${CASES_EVERY:-1}
groups_every=${GROUPS_EVERY:-1}
cases_at=${CASES_AT:-0}

report() { # OK NAME REASON
    if [ "$1" = yes ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAIL %s: %s\n' "$2" "$3"
        sed 's/^/    /' err | head -n 5
    fi
}

# As grep -E in both, but without a program for each of some thousand runs.
matches() { # PATTERN — a line that the last run wrote
    local line lines
    mapfile -t lines <out
    mapfile -t -O ${#lines[@]} lines <err
    for line in "${lines[@]}"; do
        [[ ! $line =~ $1 ]] || return 0
    done
    return 1
}

# run NAME STATUS PATTERN ARGUMENT... — standard input comes from the file `in`, if it is there.
# STATUS may be an extended regular expression.
# PATTERN is an extended regular expression for standard output and error together, '' for none.
run() {
    local name=$1 status=$2 pattern=$3 input=/dev/null got text
    shift 3
    [ ! -e in ] || input=in
    # tests/limit.sh, but sooner, as there are some thousand runs
    (ulimit -S -t "$seconds" && exec "$VARABS" "$@" <"$input" >out 2>err)
    got=$?
    read -r -d '' text <err
    if ! [[ $got =~ ^($status)$ ]]; then
        report no "$name" "status $got instead of $status"
    elif [ -n "$pattern" ] && ! matches "$pattern"; then
        report no "$name" "no message like /$pattern/"
    elif [[ $text =~ Sanitizer|runtime\ error|Assertion ]]; then
        report no "$name" "a fault of the program"
    else
        report yes "$name" ''
    fi
}

expect() { # NAME COMMAND... — a condition on what the last run left
    local name=$1
    shift
    if "$@"; then report yes "$name" ''; else report no "$name" "not so: $*"; fi
}

shows() { # FILE — standard input is what the file shows, but for what the machine adds
    diff <(sed '/^time  /d; /^memory /d' "$1") - >differences && return
    sed 's/^/    /' differences
    return 1
}
# Whether a file fits its schema, and what it says, is seen at the end, for all of them by one start of Python.
fits() { # SCHEMA FILE
    kept=$((${kept:-0} + 1))
    cp "$2" "$kept.kept" && printf '%s\t%s\t%s\n' "$root/schemas/$1.schema.json" "$kept.kept" \
        "${BASH_SOURCE[2]##*/}:${BASH_LINENO[1]}" >>kept.list
}
says() { # FILE EXPRESSION — of the object d in the file, its queries q and its counterexample c
    kept=$((${kept:-0} + 1))
    cp "$1" "$kept.kept" && printf '%s\n' "$2" >"$kept.expression" &&
        printf '%s\t%s\t%s\n' "$kept.expression" "$kept.kept" "${BASH_SOURCE[2]##*/}:${BASH_LINENO[1]}" >>kept.list
}
look_at_kept() { # a line for each file that does not fit, or says something else
    python3 - kept.list <<'END'
import json, sys
try:
    import jsonschema
except ImportError:
    jsonschema = None
known = {}
for line in open(sys.argv[1]):
    wanted, path, place = line.rstrip().split("\t")
    try:
        d = json.load(open(path))
        if wanted.endswith(".expression"):
            text = open(wanted).read()
            names = {"d": d, "q": d.get("queries"), "c": d.get("counterexample")}
            if not eval(f"({text})", names):
                print(f"{place}: not so: {' '.join(text.split())}")
        elif jsonschema:
            if wanted not in known:
                known[wanted] = jsonschema.Draft202012Validator(json.load(open(wanted)))
            known[wanted].validate(d)
    except Exception as error:
        print(f"{place}: {wanted}: {error!r}".splitlines()[0])
END
}
# Of rows of cases that are alike, those that there is time for.
taken() { row=$((${row:-0} + 1)) && [ $((row % every)) = $((cases_at % every)) ]; }
has() { [[ $1 =~ $2 ]]; } # TEXT PATTERN
no_temporary() { [ -z "$(find . -name '.*.??????' -type f)" ]; }
group() { # NAME — whether its cases are asked for; without names, whether the sample has them
    if [ "$only" != '  ' ]; then
        [[ $only == *" $1 "* ]]
    else
        group_number=$((${group_number:-0} + 1)) && [ $((group_number % groups_every)) = $((cases_at % groups_every)) ]
    fi
}

model() { # DECLARATIONS GUARD UPDATE [SYSTEM] — a model on standard output
    cat <<END
<?xml version="1.0" encoding="utf-8"?>
<nta>
<declaration>$1</declaration>
<template><name>P</name><parameter>const int[0,1] p</parameter>
<declaration>int[0,1] m; int[0,1] both; const int k = 1;</declaration>
<location id="id0"><name>A</name></location><location id="id1"><name>B</name></location>
<init ref="id0"/>
<transition><source ref="id0"/><target ref="id1"/>
<label kind="guard">$2</label><label kind="assignment">$3</label></transition>
</template>
<template><name>Q</name><declaration>int[0,1] both;</declaration>
<location id="id2"/><init ref="id2"/></template>
<template><name>Unused</name><declaration>int[0,1] u;</declaration>
<location id="id3"/><init ref="id3"/></template>
<system>${4:-system P, Q;}</system>
</nta>
END
}

plain='int[0,3] x; int[0,3] y; int[0,3] a[4]; const int N = 3; chan c; clock t;
typedef int[0,3] T; int f() { return 1; } struct { int[0,1] g; int[0,1] h; } s;'
make_model() { model "$plain" 'x == y' 'x = m, m = 1 - m'; }
make_model >model.xml
cp model.xml pristine.xml
cp "$root/tests/golden/lower_paper_counterexample/model.xml" lower.xml
untouched() { cmp -s model.xml pristine.xml; }
repeat() { # COUNT TEXT
    head -c "$1" /dev/zero | sed "s/\\x00/$2/g"
}

if group files; then
    run 'missing file' 3 'none.xml: error: cannot read the file: No such' none.xml --remove x --may
    : >empty.xml
    run 'empty file' 3 'empty.xml.*: error: ' empty.xml --remove x --may
    run 'directory' 3 'error: cannot read the file: Is a directory' . --remove x --may
    echo 'this is no XML' >text.xml
    run 'not XML' 3 'text.xml:1:[0-9]+: error: ' text.xml --remove x --may
    echo '<html><body/></html>' >other.xml
    run 'not Uppaal' 3 'other.xml:1:1: error: .*(html|nta)' other.xml --remove x --may
    echo '{"a": 1}' >object.xml
    run 'JSON' 3 'object.xml:1:1: error: ' object.xml --remove x --may
    head -c 65536 /dev/urandom >random.xml
    run 'random bytes' 3 'error: ' random.xml --remove x --may
    head -c 65536 /dev/zero >zero.xml
    run 'NUL bytes' 3 'error: ' zero.xml --remove x --may
    chmod 000 text.xml
    [ "$(id -u)" -eq 0 ] ||
        run 'unreadable file' 3 'cannot read the file: Permission denied' text.xml --remove x --may
    chmod 644 text.xml
    size=$(wc -c <model.xml)
    for ((n = 0; n < size - 1; n += 97)); do
        head -c "$n" model.xml >cut.xml
        run "truncated at $n" 3 'cut.xml(:[0-9]+:[0-9]+)?: error: ' cut.xml --remove x --may
    done
    mkfifo pipe
    sed 's|<declaration>|<declaration>import "./pipe" { int g(); };|' model.xml >pipe.xml
    run 'a library that is a pipe' 4 'external functions' info pipe.xml
    expect 'nothing is left of failed runs' test ! -e cut.may.xml -a ! -e empty.may.json
fi

if group encodings; then
    sed 's/utf-8/utf-16/' model.xml >wrong.xml
    run 'UTF-8 declared as UTF-16' 3 'error: ' wrong.xml --remove x --may
    sed 's/utf-8/klingon/' model.xml >wrong.xml
    run 'unknown encoding' 3 'error: .*encoding' wrong.xml --remove x --may
    iconv -f utf-8 -t utf-16 model.xml >wrong.xml
    run 'UTF-16 declared as UTF-8' 3 'error: ' wrong.xml --remove x --may
    printf '<nta><declaration>int \377x;</declaration></nta>' >wrong.xml
    run 'bytes that are no UTF-8' 3 'wrong.xml:1:[0-9]+: error: ' wrong.xml --remove x --may
    iconv -f utf-8 -t utf-16 model.xml | sed 's/x/x/' >wrong.xml
    head -c 301 wrong.xml >odd.xml
    run 'half a character' 3 'error: ' odd.xml --remove x --may
    sed 's/utf-8/iso-8859-1/' model.xml >latin.xml
    run 'Latin-1' 0 'may-abstraction' latin.xml --remove x --may
fi

# Nesting and size: an error in a moment, never a crash.
if group nesting; then
    many=200000
    hostile() { # NAME STATUS PATTERN DECLARATIONS GUARD UPDATE
        model "$4" "$5" "$6" >big.xml
        run "$1" "$2" "$3" big.xml --remove x --may -o big.out --report big.json
    }
    V='int[0,3] x; '
    hostile 'parentheses' 3 'nested more than' "$V" "$(repeat $many '(')x" ''
    hostile 'brackets' 3 'nested more than' "$V int a[4];" "$(repeat $many 'a[')0" ''
    hostile 'unary minuses' 3 'nested more than' "$V" "$(repeat $many '- ')x == 0" ''
    hostile 'negations' 3 'nested more than' "$V" "$(repeat $many '!')x" ''
    hostile 'decrements' 3 'nested more than' "$V" '' "$(repeat $many '--')x"
    hostile 'ifs' 3 'nested more than' "$V void g() { $(repeat $many 'if (x == 1) ') ; }" '' ''
    hostile 'elses' 3 'nested more than' \
        "$V void g() { $(repeat 100000 'if (x == 1) ; else ') ; }" '' ''
    hostile 'braces' 3 'nested more than' "$V void g() { $(repeat $many '{')" '' ''
    hostile 'initialisers' 3 'nested more than' "$V int a[2] = $(repeat $many '{')" '' ''
    hostile 'structs' 3 'nested more than' "$V $(repeat 100000 'struct { ') int a; " '' ''
    hostile 'conditions' 3 'nested more than' "$V" "$(repeat $many 'x == 1 ? ')" ''
    hostile 'assignments' 3 'nested more than' "$V" '' "$(repeat $many 'x = ')1"
    hostile 'quantifiers' 3 'nested more than' "$V" "$(repeat 100000 'forall (i : int[0,1]) ')x" ''
    hostile 'chain of additions' 3 'error: ' "$V" "0$(repeat 100000 ' + x') == 0" ''
    hostile 'chain of dots' 3 'error: ' "$V" "x$(repeat 100000 '.a') == 0" ''
    hostile 'dimensions' 3 'error: ' "$V int a$(repeat 100000 '[2]');" 'x == 1' ''
    chain=$(awk 'BEGIN { for (i = 0; i < 20000; i++) printf "typedef T%d T%d; ", i, i + 1 }')
    hostile 'chain of types' 5 'nested too deeply' "typedef int[0,1] T0; $chain $V T20000 q;" \
        'x == 1' ''
    hostile 'many declarations' 0 'may-abstraction' "$V $(repeat 100000 ';int[0,1] v' |
        awk -v RS=';' 'NF { printf "%s%d;", $0, NR }')" 'x == 1' ''
    seconds=4
    model "$V int[0,1] q[40000];" '' "$(seq 0 39999 | sed 's/.*/q[&] = x == 1, x = 1/' | paste -sd,)" >big.xml
    run 'no square of assignments' 0 'may-abstraction' big.xml --remove x --may -o big.out --report big.json
    run 'nor of instructions' 0 '' export big.xml --to promela -o big.pml
    seconds=60
    { printf '<nta>'; repeat $many '<a>'; } >big.xml
    run 'elements' 3 'error: ' big.xml --remove x --may
    { printf '<nta a="'; repeat $many 'b'; printf '"/>'; } >big.xml
    run 'long attribute' 3 'error: ' big.xml --remove x --may
    { printf '<!DOCTYPE nta [<!ENTITY a "xxxxxxxxxx">'
      for c in b c d e f g h i j k; do
          printf '<!ENTITY %s "&%s;&%s;&%s;&%s;&%s;&%s;&%s;&%s;&%s;&%s;">' $c ${p:-a} ${p:-a} \
              ${p:-a} ${p:-a} ${p:-a} ${p:-a} ${p:-a} ${p:-a} ${p:-a} ${p:-a}
          p=$c
      done
      printf ']><nta><declaration>&k;</declaration></nta>'; } >big.xml
    run 'entities that multiply' 3 'error: ' big.xml --remove x --may
fi

if group sizes; then
    hostile() { # NAME STATUS PATTERN DECLARATIONS GUARD UPDATE [SYSTEM]
        model "$4" "$5" "$6" "${7:-}" >big.xml
        run "$1" "$2" "$3" big.xml --remove x --may -o big.out --report big.json
        [ "$2" -ne 0 ] || run "$1, its result" 0 'valid|template' info big.out
    }
    V='int[0,3] x; int[0,3] y; '
    hostile 'array of 10^10 cells' 5 'error: ' "$V int a[100000][100000];" 'x == 1' ''
    hostile 'array of 2^31 cells' 5 'error: ' "$V int a[2147483647];" 'x == 1' ''
    hostile 'many cells' 5 'need more than' "$V int a[10000000];" 'x == 1' ''
    hostile 'widest range' 0 'may-abst' 'int[-2147483648,2147483647] x; int y;' 'x > y' 'x = x * 3'
    hostile 'range beyond 32 bits' 3 'error: ' 'int[0,99999999999] x;' 'x > 1' ''
    hostile 'quantifier over 2^32' 0 'may-abst' "$V" \
        'forall (i : int[-2147483648,2147483647]) i != x' ''
    hostile 'nested quantifiers' 0 'may-abst' "int[0,1] x[64];" \
        "$(for i in a b c d e f; do printf 'forall (%s : int[0,63]) ' $i; done) x[a] + x[f] > 0" ''
    hostile 'values that double' 0 'may-abst' "$V" '' "$(repeat 40 'x = (x + x) % 4, ')y = x"
    hostile 'effects that double' 0 'may-abst' "$V int f() { $(repeat 60 '++')x; return x; }" \
        'x == 1' 'y = 1'
    hostile 'calls that double' 0 'may-abst' "$V int f0() { return x; } $(
        for i in $(seq 0 40); do echo "int f$((i + 1))() { return f$i() + f$i(); }"; done)" \
        'f40() > 0' ''
    hostile 'endless loop' 0 'may-abst' "$V void g() { while (true) x = (x + 1) % 4; }" '' 'g()'
    hostile 'endless initialiser' 5 'too long' \
        "int g() { int i; while (true) i = 1 - i; return i; } const int q = g(); $V" 'x == q' ''
    hostile 'long conditions' 0 'may-abst' "$V" "x / y == 1$(repeat 300 ' imply x \/ y == 2')" ''
    hostile 'many disjuncts' 0 'may-abst' "int[0,999] x; int[0,999] y;" \
        "$(for i in $(seq 600); do printf '(x == %d \&amp;\&amp; y == %d) || ' $i $((i * 7 % 1000)); done |
        sed 's/\\//g')false" 'x = (x + 1) % 1000'
    model "$V" 'x == 1' '' >big.xml
    sed -i 's/const int\[0,1\] p/const int[0,2000] p, const int[0,2000] q/' big.xml
    run 'four million processes' 5 'need more than|processes' big.xml --remove x --may
    sed -i 's/2000\] p/2147483647] p/' big.xml
    run 'billions of processes' 5 'need more than|processes' big.xml --remove x --may
    { model "$V" 'y == 1' 'x = 1' | sed '/<\/template>/,$d'
      for i in $(seq 3000); do
          printf '<transition><source ref="id0"/><target ref="id1"/><label kind="guard">'
          printf 'y == %d</label><label kind="assignment">x = %d</label></transition>\n' \
              $((i % 4)) $((i % 3))
      done
      printf '</template><system>system P;</system></nta>\n'; } >big.xml
    run 'many edges' 0 'may-abst' big.xml --remove x --may -o big.out --report big.json
    run 'many edges, the result' 0 'template' info big.out
fi

if group choices; then
    { # 40 receivers that each choose one of two edges: 2^40 steps from the initial state
        echo '<nta><declaration>broadcast chan go; int[0,1] w;</declaration><template><name>R</name>'
        echo '<parameter>const int[1,40] id</parameter><location id="r"/><init ref="r"/>'
        echo '<transition><source ref="r"/><target ref="r"/><label kind="synchronisation">go?</label></transition>'
        echo '<transition><source ref="r"/><target ref="r"/><label kind="synchronisation">go?</label>'
        echo '<label kind="assignment">w = 1</label></transition></template><template><name>S</name>'
        echo '<location id="s"/><init ref="s"/><transition><source ref="s"/><target ref="s"/>'
        echo '<label kind="synchronisation">go!</label></transition></template><system>system R, S;</system></nta>'
    } >choices.xml
    run 'too many steps at once' 5 'ended by the limit on memory' check choices.xml --engine explicit
    run 'are not waited for' 0 '' suggest choices.xml
    run 'nor by itself' 0 '' choices.xml --auto --may -o out.xml
fi

if group variables; then
    run 'unknown variable' 2 "--remove z: there is no such variable" model.xml --remove z --may
    run 'did you mean' 2 'Template.name|both' model.xml --remove boht --may
    run 'ambiguous variable' 2 'P.both.*Q.both|ambiguous' model.xml --remove both --may
    run 'constant' 2 "'N' is a constant" model.xml --remove N --may
    run 'local constant' 2 "'k' is a constant" model.xml --remove P.k --may
    run 'channel' 2 "'c' is a channel" model.xml --remove c --may
    run 'clock' 0 'exact: every verdict' model.xml --remove t --may
    run 'part of a clock' 2 'removed as a whole' model.xml --remove 't[1]' --may
    run 'parameter' 2 "'p' is a parameter" model.xml --remove P.p --may
    run 'function' 2 "f" model.xml --remove f --may
    run 'type' 2 "T" model.xml --remove T --may
    run 'location' 2 "A" model.xml --remove P.A --may
    run 'template' 2 "P" model.xml --remove P --may
    run 'unknown template' 2 'R' model.xml --remove R.x --may
    run 'no process' 4 "no process" model.xml --remove Unused.u --may
    run 'one process' 0 'template P_abstract: 1 process of P' model.xml --remove 'P(1).m' --may
    run 'all processes' 0 'may-abstraction' model.xml --remove 'P(..).m' --may
    run 'a value outside' 2 "'p' goes from 0 to 1 only" model.xml --remove 'P(2).m' --may
    run 'a list with a value outside' 2 'goes from' model.xml --remove 'P(0;7).m' --may
    run 'an empty range' 2 'the range 1..0 is empty' model.xml --remove 'P(1..0).m' --may
    run 'no range' 2 'write a value' model.xml --remove 'P(x).m' --may
    run 'no value' 2 'write a value' model.xml --remove 'P().m' --may
    run 'a value and more' 2 'write a value' model.xml --remove 'P(1.5).m' --may
    run 'a value too large' 2 'write a value' model.xml --remove 'P(99999999999999999999).m' --may
    run 'open parenthesis' 2 'closing parenthesis' model.xml --remove 'P(1.m' --may
    run 'process without variable' 2 'variable is missing' model.xml --remove 'P(1)' --may
    run 'unknown variable of a process' 2 'no such variable' model.xml --remove 'P(1).zz' --may
    run 'parentheses of a single process' 2 'one process' model.xml --remove 'Q(1).both' --may
    run 'too many parts' 0 'may-abstraction' model.xml --remove 'P(0,1).m' --may
    run 'process that is no process' 2 'not on the system line' model.xml --remove 'R(1).m' --may
    run 'unknown location of a process' 2 "has no location 'Z'" model.xml --remove 'P(1).m@Z' --may
    run 'processes to ignore' 2 '--ignore P.1..m: neither model has such a variable' certify model.xml model.xml --may --ignore 'P(1).m'
    model 'int[0,3] x;' 'x == 1' '' >many.xml
    sed -i 's/int\[0,1\] p/int[0,9999] p/' many.xml
    run 'many ranges' 5 'more than 4096 ranges' many.xml \
        --remove "P($(seq -s ';' 0 2 9999)).m" --may
    run 'scope of a global variable' 2 'is global' model.xml --remove 'x@A' --may
    run 'scope without locations' 2 "has no location ''" model.xml --remove 'P.m@' --may
    run 'unknown location' 2 "has no location 'Nowhere'" model.xml --remove 'P.m@A,Nowhere' --may
    run 'two variables with locations' 2 "a --remove of its own" model.xml --remove 'P.m@A,P.both@A' --may
    run 'no name' 2 'a name is missing' model.xml --remove '' --may
    run 'a comma too much' 2 'a name is missing' model.xml --remove 'x,' --may
    run 'a comma too much behind processes' 2 'P.1..m,: a name is missing' model.xml \
        --remove 'P(1).m,' --may
    run 'only a comma' 2 'a name is missing' model.xml --remove ',' --may
    run 'only a dot' 2 'error: ' model.xml --remove '.' --may
    run 'index too large' 2 'outside 0..3' model.xml --remove 'a[4]' --may
    run 'index negative' 2 'outside 0..3' model.xml --remove 'a[-1]' --may
    run 'index huge' 2 'outside 0..3' model.xml --remove 'a[99999999999999999999]' --may
    run 'index open' 2 'number in brackets' model.xml --remove 'a[1' --may
    run 'index no number' 2 'number in brackets' model.xml --remove 'a[y]' --may
    run 'index of an int' 2 'leave brackets out' model.xml --remove 'x[0]' --may
    run 'unknown field' 2 "no field 'z'" model.xml --remove 's.z' --may
    run 'blanks around names' 0 'may-abstraction' model.xml --remove ' x , P.m ' --may
    run 'twice the same' 0 'may-abstraction' model.xml --remove x,x --remove x --may
    run 'a long name' 2 'error: ' model.xml --remove "$(repeat 100000 q)" --may
    run 'bytes that are no UTF-8' 2 'error: ' model.xml --remove $'\377\376' --may
    run 'a format' 2 '--remove %s%n' model.xml --remove '%s%n' --may
    expect 'the input is untouched' untouched
fi

if group outputs; then
    run 'no directory' 2 "cannot write 'no/out.xml': there is no directory 'no/'" model.xml \
        --remove x --may -o no/out.xml
    mkdir -p dir locked beside
    rm -f model.may.xml model.may.json
    run 'output elsewhere' 0 'report: beside/o.json' model.xml --remove x --may -o beside/o.xml
    expect 'the report stands beside it' test -s beside/o.json
    run 'a report of its own' 0 'report: beside/r' model.xml --remove x --may -o beside/o.x \
        --report beside/r
    run 'an output with another ending' 0 'report: beside/o.x.json' model.xml --remove x --may \
        -o beside/o.x
    run 'output to standard output' 0 '<nta>' model.xml --remove x --may -o -
    run 'output to a device' 0 'may-abst' model.xml --remove x --may -o /dev/null
    expect 'which has no report' sh -c '! grep -q report: out'
    expect 'nothing stands beside the model' test ! -e model.may.xml -a ! -e model.may.json
    run 'default names' 0 'report: model.may.json' model.xml --remove x --may
    rm -f model.may.xml model.may.json
    # Names are tried before the work: a model whose exploration takes for ever.
    { model 'int[0,9] x[40];' 'x[0] == 1' 'x[0] = k' | sed 's|<label kind="guard">x\[0\] == 1|<label kind="select">i : int[0,39], k : int[0,9]</label><label kind="guard">true|; s|x\[0\] = k|x[i] = k|; s|<target ref="id1"/>|<target ref="id0"/>|'
    } >vast.xml
    for name in dir no/j.json vast.xml "$(repeat 300 n)"; do
        seconds=10 run "check: '$name' is tried first" 2 'cannot write|is an input' check vast.xml \
            --query 'A[] true' --full --json "$name"
        seconds=10 run "certify: '$name' is tried first" 2 'cannot write|is an input' certify vast.xml \
            vast.xml --may --json "$name"
        seconds=10 run "decide: '$name' is tried first" 2 'cannot write|is an input' vast.xml --auto \
            --query 'E<> x[0] + x[1] == 20' --json "$name"
        seconds=10 run "suggest: '$name' is tried first" 2 'cannot write|is an input' suggest vast.xml \
            --measure --timeout 60 --json "$name"
    done
    run 'a directory' 2 "cannot write 'dir': Is a directory" model.xml --remove x --may -o dir
    run 'report into a directory' 2 "cannot write 'dir': Is a directory" model.xml --remove x \
        --may --report dir
    chmod 500 locked
    if [ "$(id -u)" -ne 0 ]; then
        run 'locked directory' 2 'cannot write .*Permission denied' model.xml --remove x --may \
            -o locked/out.xml
        echo old >readonly.xml
        chmod 400 readonly.xml
        run 'read-only file' 2 'cannot write .*Permission denied' model.xml --remove x --may \
            -o readonly.xml
        expect 'it is as before' grep -qx old readonly.xml
    fi
    chmod 700 locked
    if [ -c /dev/full ]; then
        run 'full disk' 5 'cannot write .*No space left' model.xml --remove x --may -o /dev/full
        run 'full disk, report' 5 'cannot write .*No space left' model.xml --remove x --may \
            -o out.xml --report /dev/full
        expect 'and yet what carries over is said' grep -q 'carries over' out
        run 'full disk, description' 5 'cannot write .*No space left' info model.xml --json \
            /dev/full
        "$root/tests/limit.sh" 60 "$VARABS" model.xml --remove x --may -o - >/dev/full 2>err
        expect 'full standard output' test $? -eq 5
        "$root/tests/limit.sh" 60 "$VARABS" info model.xml >/dev/full 2>err
        expect 'full standard output of info' test $? -eq 5
        expect 'which says so' grep -q 'cannot write' err
        "$root/tests/limit.sh" 60 "$VARABS" --help >/dev/full 2>err
        expect 'full standard output of help' test $? -eq 5
        expect '/dev/full is still a device' test -c /dev/full
    fi
    run 'output to /dev/null' 0 '' model.xml --remove x --may -o /dev/null --report r.json
    expect '/dev/null is still a device' test -c /dev/null
    ln -sf model.xml link.xml
    ln -f model.xml hard.xml
    for same in model.xml ./model.xml "$work/model.xml" dir/../model.xml link.xml hard.xml; do
        run "output is the input: $same" 2 'is an input' model.xml --remove x --may -o "$same"
        run "report is the input: $same" 2 'is an input' model.xml --remove x --may --report "$same"
        run "rewriting the input: $same" 2 'is an input' info model.xml --rewrite "$same"
        expect 'the input is untouched' untouched
    done
    run 'description over the input' 2 'is an input' info model.xml --json model.xml
    expect 'the input is untouched' untouched
    run 'output is the report' 2 'named for the output and the report' model.xml --remove x --may -o o.xml --report o.xml
    run 'output is the report: ./' 2 'named for the output and the report' model.xml --remove x --may -o n.xml \
        --report ./n.xml
    run 'output is the report: dir/..' 2 'named for the output and the report' model.xml --remove x --may \
        -o dir/../n2.xml --report "$work/n2.xml"
    expect 'nothing is written' test ! -e n.xml -a ! -e n2.xml -a ! -e o.xml
    echo old >target.xml
    ln -sf target.xml alias.xml
    run 'output through a link' 0 'may-abst' model.xml --remove x --may -o alias.xml
    expect 'the link stays' test -L alias.xml
    expect 'its target is new' grep -q '<nta>' target.xml
    ln -sf nowhere/at.all dangling.xml
    run 'output through a link to no folder' 2 "there is no directory 'nowhere/'" model.xml --remove x \
        --may -o dangling.xml
    expect 'that link stays' test -L dangling.xml
    ln -sf beyond.xml dangling.xml
    run 'output through a dangling link' 0 'may-abst' model.xml --remove x --may -o dangling.xml
    expect 'it is there' grep -q '<nta>' beyond.xml
    expect 'the dangling link stays' test -L dangling.xml
    chmod 640 target.xml
    run 'output that is there' 0 'may-abst' model.xml --remove x --may -o target.xml
    expect 'it keeps its permissions' test "$(stat -c %a target.xml)" = 640
    run 'names with blanks' 0 'may-abst' model.xml --remove x --may -o 'a b (1).xml' \
        --report 'a b (1).json'
    expect 'they are there' test -s 'a b (1).xml' -a -s 'a b (1).json'
    cp model.xml 'in put (2).xml'
    run 'input with blanks' 0 'may-abst' 'in put (2).xml' --remove x --may
    expect 'default names' test -s 'in put (2).may.xml' -a -s 'in put (2).may.json'
    cp model.xml '%s%n.xml'
    run 'input named like a format' 0 'may-abst' '%s%n.xml' --remove x --may
    expect 'default names of a format' test -s '%s%n.may.xml'
    cp model.xml ./--remove.xml
    run 'input that begins with a dash' 0 'may-abst' --remove x --may -- --remove.xml
    long=$(repeat 250 n).xml
    cp model.xml "$long"
    run 'a name as long as can be' 2 'cannot write .*too long' "$long" --remove x --may
    expect 'no temporary file is left' no_temporary
    run 'the report fails' 2 'cannot write' model.xml --remove x --may -o done.xml \
        --report no/r.json
    expect 'and nothing is written' test ! -e done.xml
    ulimit_run() { (ulimit -f 1; exec "$root/tests/limit.sh" 60 "$VARABS" "$@"); }
    model "$plain $(repeat 4000 '\/\/ a comment\n')" 'x == 1' '' >large.xml
    ulimit_run large.xml --remove x --may -o limited.xml >out 2>err
    expect 'file size limit' test $? -eq 5
    expect 'which says so' grep -q 'cannot write' err
    expect 'nothing is left' test ! -e limited.xml
    expect 'no temporary file is left' no_temporary
fi

if group signals; then
    # Killed at many moments, as nothing holds the program just while it writes.
    { model "$plain" 'x == 1' '' | sed '/<\/nta>/d'; repeat 3000000 '\n'
      echo '</nta>'; } >slow.xml
    cp slow.xml slow.keep
    for signal in TERM INT HUP; do
        for delay in 0.002 0.005 0.01 0.015 0.02 0.03 0.05; do
            rm -f slow.out
            timeout -s "$signal" "$delay" "$VARABS" slow.xml --remove x --may -o slow.out \
                --report slow.json >out 2>err
            if [ -e slow.out ]; then
                expect "whole after SIG$signal" grep -q '</nta>' slow.out
            else
                report yes "nothing after SIG$signal" ''
            fi
        done
    done
    expect 'no temporary file is left' no_temporary
    expect 'the input is untouched' cmp -s slow.xml slow.keep
    run_closed() { "$VARABS" slow.xml --remove x --may -o - --report /dev/null | head -c 10; }
    run_closed >out 2>err
    expect 'a reader that stops' test "$(wc -c <out)" -eq 10
fi

if group streams; then
    cp model.xml in
    run 'from standard input' 0 '<nta>' - --remove x --may
    cp out piped.xml
    run 'to standard output' 0 '<nta>' - --remove x --may -o -
    expect 'the same' cmp -s out piped.xml
    run 'from standard input to a file' 0 'may-abst' - --remove x --may -o s.xml --report s.json
    expect 'the same' cmp -s s.xml piped.xml
    run 'report to standard output' 0 '"exact"' - --remove x --may -o s.xml --report -
    run 'both to standard output' 2 'named for the output and the report' - --remove x --may -o - --report -
    run 'info from standard input' 0 'P' info -
    run 'description to standard output' 0 '\{' info - --json -
    echo broken >in
    run 'bad standard input' 3 '<stdin>:1:[0-9]+: error: ' - --remove x --may
    : >in
    run 'empty standard input' 3 '<stdin>.*: error: ' - --remove x --may
    rm -f in
fi

if group arguments; then
    run 'nothing' 2 'usage:'
    run 'help' 0 'usage:' --help
    run 'help in short' 0 'usage:' -h
    run 'help after others' 0 'usage:' model.xml --help
    run 'version' 0 '^varabs [0-9]' --version
    run 'no model' 2 'the name of a model is missing' --remove x --may
    run 'no variable' 2 'nothing to do' model.xml --may
    run 'no kind' 2 'say what kind' model.xml --remove x
    run 'may and must' 2 'exclude each other' model.xml --remove x --may --must
    run 'must drops no priorities' 2 'goes with --may only' model.xml --remove x --must \
        --drop-priorities
    run 'must and must=lower' 2 'exclude each other' model.xml --remove x --must --must=lower
    run 'must=lower drops no priorities' 2 'goes with --may only' model.xml --remove x \
        --must=lower --drop-priorities
    run 'must=lower, combined' 2 'leave out --approx' model.xml --remove x --must=lower \
        --approx combined
    run 'must=lower, 1 evaluation' 5 'raise --budget' lower.xml --remove P.x --must=lower --budget 1
    run 'must=lower' 0 'carries over: nothing' lower.xml --remove P.x --must=lower
    expect 'names of must=lower' test -s lower.must-lower.xml -a -s lower.must-lower.json
    run 'must=lower may have runs of its own' 1 'lacks one of its steps' certify lower.xml \
        lower.must-lower.xml --must
    expect 'and certify shows one' grep -q 'abstract -> P: b -> c' out
    run 'unknown option' 2 "unknown option '--frobnicate'" model.xml --frobnicate
    run 'misspelt template' 2 'no such variable; did you mean template Unused\?' model.xml \
        --remove Unusd.u --may
    run 'a location' 2 "'A' is a location of P; only variables" model.xml --remove A --may
    run 'misspelt location' 2 "has no location 'a'; did you mean 'A'|has no location 'a'\$" \
        model.xml --remove P.m@a --may
    run 'blanks between variables' 2 'separate variables by commas' model.xml --remove 'x y' --may
    run 'misspelt option' 2 "'--remov'; did you mean '--remove'\?$" --remov x
    run 'misspelt command' 2 "no command 'chek'; did you mean 'check'\?$" chek model.xml
    run 'help' 0 '^usage: varabs IN.xml' help
    run 'help on a command' 0 '^usage: varabs check' help check
    run 'misspelt member' 3 "'mm'; did you mean 'm'\?$|no location, variable or function 'mm'" \
        check model.xml --query 'E<> P(0).mm == 0'
    run 'misspelt process' 3 "'Q1' is not declared" check model.xml --query 'E<> Q1.both == 0'
    run 'unknown short option' 2 "unknown option '-q'" model.xml -q
    run 'empty argument' 2 'there is no command' '' --remove x --may
    run 'two models' 2 'only one model' model.xml pristine.xml --remove x --may
    echo '<nta><declaration>int[0,1] n;</declaration><template><name>P</name><location id="a"/><init ref="a"/>' \
        '<transition><source ref="a"/><target ref="a"/><label kind="assignment">n++</label></transition></template>' \
        '<system>system P;</system></nta>' >fails.xml
    run 'a runtime error for Spin' 0 'fails.xml:1:.*may leave int.0,1.: Uppaal would stop' export fails.xml --to promela
    run 'no value: --remove' 2 "'--remove' needs a value" model.xml --may --remove
    run 'no value: -o' 2 "'-o' needs a value" model.xml --remove x --may -o
    run 'no value: --report' 2 "'--report' needs a value" model.xml --remove x --may --report
    run 'no value: --budget' 2 "'--budget' needs a value" model.xml --remove x --may --budget
    run 'a value too much' 2 "takes no value" model.xml --remove x --may=yes
    run 'value behind =' 0 'may-abst' model.xml --remove=x --may --budget=5
    for budget in 0 -1 abc '' 1x ' 1' +1 1.5 1e3 0x10 99999999999999999999 1000000001; do
        run "--budget '$budget'" 2 'write a number from 1 to' model.xml --remove x --may \
            --budget "$budget"
    done
    for budget in 1 007 1000000000; do
        run "--budget $budget" 0 'may-abst' model.xml --remove x --may --budget "$budget"
    done
    run 'bad --approx' 2 'write template or combined' model.xml --remove x --may --approx both
    run 'empty --approx' 2 'write template or combined' model.xml --remove x --may --approx ''
    run 'options first' 0 'may-abst' --may --remove x model.xml
    run 'options around' 0 'may-abst' --remove x model.xml --may
    run 'everything behind --' 2 'only one model' model.xml --remove x --may -- --may
    run 'nothing behind --' 0 'may-abst' model.xml --remove x --may --
    run 'the last wins' 0 'last.xml' model.xml --remove x --may -o first.xml -o last.xml
    expect 'and only the last' test ! -e first.xml -a -s last.xml
    run '--may twice' 0 'may-abst' model.xml --remove x --may --may
    run 'info without model' 2 'the name of a model is missing' info
    run 'info with --remove' 2 'no option of' info model.xml --remove x
    run '--json without info' 2 '--json is only an option of' model.xml --remove x --may --json j
    run 'a file named info' 3 'cannot read' ./info --remove x --may
    run 'empty output name' 2 "cannot write|error: " model.xml --remove x --may -o ''
    model "$plain chan priority c &lt; default;" 'x == y' 'x = 1 - x' >levels.xml
    run 'priorities' 4 '--drop-priorities' levels.xml --remove x --may
    run 'priorities dropped' 0 'may-abst' levels.xml --remove x --may --drop-priorities
    cp "$root/benchmarks/models/asv.xml" because.xml
    run 'a reason has the place of its edge' 0 'because: because.xml:35:3: Voter: edge 2 from voted' \
        because.xml --remove mem_vt --may
    run 'info' 0 'P' info model.xml
    cp "$root/tests/golden/M2_quantifier_hides_name_refused/model.xml" hides.xml
    run 'info says why it is refused' 0 "refused: hides.xml:14:80: this update cannot be rewritten" info \
        hides.xml
    run 'in JSON, too' 0 '"because": "hides.xml:14:80: this update' info hides.xml --json -
    expect 'which fits its schema' fits info out
    cp "$root/tests/golden/M2_quantifier_hides_name_refused/model.xml" hides.xml
    run 'info says why it is refused' 0 "refused: hides.xml:14:80: this update cannot be rewritten" info \
        hides.xml
    run 'in JSON, too' 0 '"because": "hides.xml:14:80: this update' info hides.xml --json -
    expect 'which fits its schema' fits info out
    expect 'the input is untouched' untouched
fi

for cases in "$root"/tests/cli/*.sh; do
    # shellcheck source=/dev/null
    [ "$cases" = "$root/tests/cli/run.sh" ] || . "$cases"
done

if group memory && [ -n "${VALGRIND:-}" ] && command -v valgrind >/dev/null; then
    leaks() { # NAME STATUS ARGUMENT...
        local name=$1 status=$2
        shift 2
        valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=all \
            "$VARABS" "$@" >out 2>err
        expect "$name" test $? -eq "$status"
    }
    leaks 'memory: abstract' 0 model.xml --remove x,P.m --may -o v.xml --report v.json
    leaks 'memory: combined' 0 model.xml --remove x --may --approx combined -o v.xml --report v.json
    leaks 'memory: merges' 0 merge.xml --merge 'P.v:bool=x>1' --may -o v.xml --report v.json
    leaks 'memory: info' 0 info model.xml
    leaks 'memory: description' 0 info model.xml --json v.json
    leaks 'memory: bad XML' 3 "$0" --remove x --may
    leaks 'memory: unknown variable' 2 model.xml --remove z --may
    leaks 'memory: unwritable' 2 model.xml --remove x --may -o no/v.xml
    leaks 'memory: help' 0 --help
    system 'int[0,3] n;' 'A[] n < 3' 'A[] m == 1' 'sup: n' >v.xml
    leaks 'memory: check' 3 check v.xml --trace --json v.json
    leaks 'memory: bad query' 3 check v.xml --query 'A[] )'
    leaks 'memory: certify' 1 certify full.xml narrow.xml --exact --json v.json
    leaks 'memory: other processes' 2 certify lean.xml alone.xml --may
    leaks 'memory: refines' 1 refines aa.xml ab.xml --json v.json
    actions '{"channel": "a"}' '{"channel": "go", "args": ["n"]}'
    leaks 'memory: actions' 1 refines round.xml values.xml --actions actions.json
    leaks 'memory: draw' 0 draw model.xml full.xml -o v.svg
    leaks 'memory: a limit' 5 certify lean.xml lean.xml --may --max-states 3
fi

if [ -e kept.list ]; then
    look_at_kept >misfits || echo "files that were kept were not looked at" >>misfits
    while IFS= read -r misfit; do
        failed=$((failed + 1))
        echo "FAIL $misfit"
    done <misfits
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
