# Cases of what a person sees: verdicts in colour, --quiet, and a query file behind the model; read by run.sh.

# shown COMMAND... — what it writes to a terminal, in the file seen
shown() {
    python3 - "$@" >seen <<'END'
import os, pty, sys
child, terminal = pty.fork()
if child == 0:
    os.execv(sys.argv[1], sys.argv[1:])
while True:
    try:
        some = os.read(terminal, 65536)
    except OSError:
        break
    if not some:
        break
    sys.stdout.buffer.write(some)
os.waitpid(child, 0)
END
}

if group terminal; then
    cp "$root/tests/golden/G1_verdicts/model.xml" small.xml
    escape=$(printf '\033')
    unset NO_COLOR
    export TERM=xterm
    (shown "$VARABS" check small.xml --query 'A[] n <= 2' --query 'A[] n < 2'
     expect 'satisfied is green' grep -q "^$escape\[32msatisfied$escape\[0m  A\[\] n <= 2" seen
     expect 'violated is red' grep -q "^$escape\[31mviolated$escape\[0m   A\[\] n < 2" seen
     shown "$VARABS" decide small.xml --query 'A[] n <= 2'
     expect 'decide has colours' grep -q "$escape\[32msatisfied$escape\[0m" seen
     shown "$VARABS" check small.xml --query 'A[] n <= 2' --max-states 1
     expect 'unknown is yellow' grep -q "^$escape\[33munknown$escape\[0m " seen) >colours
    for plain in NO_COLOR=1 TERM=dumb; do
        (export "${plain?}"; shown "$VARABS" check small.xml --query 'A[] n <= 2'
         expect "$plain: no colours" grep -q '^satisfied  A\[\] n <= 2' seen) >>colours
    done
    (NO_COLOR='' shown "$VARABS" check small.xml --query 'A[] n <= 2'
     expect 'NO_COLOR that is empty' grep -q "^$escape\[32msatisfied" seen) >>colours
    "$VARABS" check small.xml --query 'A[] n <= 2' >piped
    expect 'none in a file' eval '! grep -q "$escape" piped'
    expect 'colours' test ! -s colours

    # Queries in a file behind the model, as verifyta takes it.
    printf 'A[] n < 2\n' >asked.q
    run 'a query file' 1 '^violated   A\[\] n < 2$' check small.xml asked.q
    run 'the same as by its option' 1 '' check small.xml asked.q --json by-name.json
    "$VARABS" check small.xml --queries asked.q --json by-option.json >/dev/null
    alike() { [ "$(grep -c '"verdict": "violated"' "$1")" = 1 ] && [ "$(grep -c '"formula"' "$1")" = "$(grep -c '"formula"' "$2")" ]; }
    expect 'in the result, too' alike by-name.json by-option.json
    run 'decide' 1 'violated' decide small.xml asked.q
    run 'no such query file' 3 'absent\.q' check small.xml absent.q
    run 'where there are no queries' 2 'only one model at a time' info small.xml asked.q
    run 'a model of that name' 2 'only one model' check asked.q small.xml

    # --quiet: the exit status says it.
    for words in 'check small.xml asked.q' 'decide small.xml asked.q' 'check small.xml --query E<>true --full'; do
        # shellcheck disable=SC2086 # words
        "$VARABS" $words >loud 2>err
        status=$?
        # shellcheck disable=SC2086
        "$VARABS" $words --quiet >out 2>err
        expect "quiet: $words: the status" test $? = "$status"
        expect "quiet: $words: nothing else" eval '[ ! -s out ] && [ ! -s err ] && [ -s loud ]'
    done
    run 'quiet: messages stay' 3 '' check small.xml --query 'A[] absent' --quiet
    expect 'on standard error' grep -q 'not declared' err
    run 'quiet: a result that is named' 1 '"verdict": "violated"' check small.xml asked.q --quiet --json -
    "$VARABS" small.xml --remove n --may --quiet -o - >model-of-it 2>/dev/null
    expect 'quiet: a model that is named' grep -q '</nta>' model-of-it
    "$VARABS" - --remove n --may --quiet <small.xml >model-of-it 2>/dev/null
    expect 'quiet: a model that goes there' grep -q '</nta>' model-of-it
    "$VARABS" small.xml --remove n --may --quiet -o file.xml >out 2>err
    expect 'quiet: a model in a file' eval '[ ! -s out ] && [ -s file.xml ]'
fi
