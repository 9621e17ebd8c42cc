# Cases of --progress, read by run.sh; helpers are there, models in interrupts.sh.

# on_terminal WIDTH PATTERN ARGUMENT... — what the program writes to a terminal of so many columns, as it
# stands there in the end, in the file screen; all of it in the file typed. It is ended when it has written
# what the pattern says, or after a minute.
on_terminal() {
    VARABS=$VARABS python3 - "$@" <<'END'
import fcntl, os, pty, re, select, signal, struct, sys, termios, time
width, pattern = int(sys.argv[1]), sys.argv[2].encode()
child, terminal = pty.fork()
if child == 0:
    time.sleep(0.2)  # until the terminal has its size
    os.execv(os.environ['VARABS'], ['varabs', *sys.argv[3:]])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack('HHHH', 24, width, 0, 0))
typed, end, is_asked = b'', time.time() + 60, False
while True:
    if select.select([terminal], [], [], 0.1)[0]:
        try:
            some = os.read(terminal, 65536)
        except OSError:
            break
        if not some:
            break
        typed += some
    if not is_asked and (re.search(pattern, typed) or time.time() > end):
        os.kill(child, signal.SIGTERM)
        is_asked = True
os.waitpid(child, 0)
open('typed', 'wb').write(typed)
rows, column, at = [''], 0, 0
text = typed.decode()
while at < len(text):
    if text.startswith('\033[K', at):
        rows[-1] = rows[-1][:column]
        at += 3
        continue
    if text[at] == '\r':
        column = 0
    elif text[at] == '\n':
        rows.append('')
    else:
        if column == width:  # the terminal goes on in the next line
            rows.append('')
            column = 0
        rows[-1] = rows[-1][:column].ljust(column) + text[at] + rows[-1][column + 1:]
        column += 1
    at += 1
open('screen', 'w').write('\n'.join(rows))
END
}

if group progress; then
    vast >vast.xml
    heavy >heavy.xml
    jumps >jumps.xml
    said() { # PATTERN ARGUMENT... — on standard error, a line a second
        local pattern=$1 tenths
        shift
        "$VARABS" "$@" --progress always >out 2>err &
        for tenths in {1..600}; do
            sleep 0.1
            ! grep -Eq "^varabs: $pattern, [0-9]+( of at most [0-9]+)? s$" err || break
        done
        kill -TERM $!
        wait $!
        expect "$1 tells what it does" test "$tenths" -lt 600
    }
    turn=0
    told() { # as said; of these, which each run for a second or two, a sample has each third
        turn=$((turn + 1))
        [ "$every" != 1 ] && [ $((turn % 3)) != 1 ] || said "$@"
    }
    told '[0-9]+ states, [0-9]+/s, [0-9]+ to expand, [0-9]+ MiB' check vast.xml --engine explicit --jobs 1
    python3 "$root/benchmarks/caches.py" 5 3 -o caches.xml
    told 'sets of states, [0-9]+ nodes, [0-9]+ MiB' check caches.xml --engine symbolic
    told 'sets of states, [0-9]+ nodes, [0-9]+ MiB' certify caches.xml caches.xml --exact --engine symbolic
    told '[0-9]+ states, .* MiB' certify vast.xml vast.xml --may --engine explicit
    hard='E<> x == y and goal == 1'
    told 'query 1, round [0-9]+: ([0-9]+ states|sets of states), .*' decide jumps.xml --no-look --jobs 1 --query "$hard"
    told 'looking for removals' suggest heavy.xml --budget 1G
    told 'measuring: [0-9]+ states, .*' suggest vast.xml --measure --jobs 1 --timeout 60 --max-states 1G
    told 'finding values' info heavy.xml --budget 1G
    told 'making the abstraction: values' heavy.xml --remove a1 --may --approx combined --budget 1000000000 -o p.xml
    said 'finding values' info heavy.xml --budget 1G --timeout 50
    expect 'and when a limit ends it' grep -q ' of at most 50 s$' err
    for command in 'check vast.xml --jobs 1' 'info heavy.xml'; do
        # shellcheck disable=SC2086 # two words
        timeout -s TERM 1.6 "$VARABS" $command >out 2>err
        expect "$command is quiet for 30 s" sh -c '! grep -q "^varabs: .* s$" err'
    done
    run 'quick work says nothing' 0 '' check none.xml --progress always
    expect 'indeed' test ! -s err
    timeout -s TERM 1.6 "$VARABS" check vast.xml --engine explicit --jobs 1 --progress never >out 2>err
    expect 'nothing with --progress never' test ! -s err
    run 'bad --progress' 2 'write auto, always or never' check none.xml --progress sometimes
    for width in 30 80 200; do
        [ "$every" = 1 ] || [ $width = 30 ] || continue
        on_terminal $width ' states, ' check vast.xml --engine explicit --jobs 1 --query 'E<> x[0] + x[1] == 19 and goal == 1'
        expect "a line on a terminal of $width columns" grep -q ' states, ' typed
        expect 'of which nothing stays' sh -c '! grep -v "^time" screen | grep -Eq "states, |[0-9] s$"'
        expect 'and the result is there' grep -q 'unknown.*    E<> x' screen
    done
    on_terminal 60 'query 2, round [0-9]+: ([0-9]+|sets of) states' \
        decide jumps.xml --no-look --jobs 1 --query 'A[] x == 0' --query "$hard"
    expect 'the deciding form tells its rounds' grep -Eq 'query 2, round [0-9]+: ([0-9]+|sets of) states' typed
    expect 'of which nothing stays' sh -c '! grep -q "to expand" screen'
    expect 'and the rounds are there' grep -q '^  round 1: ' screen
    on_terminal 60 ', 2 s' heavy.xml --remove a1 --may --approx combined --budget 1000000000 -o p.xml
    expect 'a signal ends an abstraction' grep -q 'making the abstraction: values, 2 s' typed
    expect 'and only the message stays' sh -c \
        'test "$(grep -c . screen)" -eq 1 && grep -Eq "^varabs: error: interrupted before .* result *$" screen'
    on_terminal 60 nothing check vast.xml --engine explicit --jobs 1 --progress never --timeout 2
    expect 'none on a terminal with --progress never' sh -c '! grep -q " to expand" typed'
fi
