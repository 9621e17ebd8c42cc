#!/bin/sh
# src/ is in the order that src/ORDER says, and scripts/order.sh would tell if it were not: in a tree of
# three folders it finds each kind of mistake.
# shellcheck source=tests/begin.sh
. "$(dirname "$0")/../begin.sh"

expect() { # TITLE MESSAGE — what order.sh says of the tree, nothing for none
    if got=$("$root/scripts/order.sh" "$work"); [ "$got" = "${2:+order: $2}" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $1: $got"
    fi
}
fresh() { # a tree in order
    rm -rf "$work/src"
    mkdir -p "$work/src/low" "$work/src/high/inner" "$work/src/high"
    printf 'low\nhigh/inner # a comment\nhigh\n' >"$work/src/ORDER"
    echo 'int low(void);' >"$work/src/low/low.h"
    echo 'struct low {' >>"$work/src/low/low.h"
    printf '#include "low/low.h"\nint low(void) {\n' >"$work/src/low/low.c"
    printf '#include "low/low.h"\nint inner(\n' >"$work/src/high/inner/inner.h"
    printf '#include "high/inner/inner.h"\n' >"$work/src/high/high.h"
    printf '#include "high/high.h"\n    return low();\n' >"$work/src/high/high.c"
}
add() { # FILE LINE
    echo "$2" >>"$work/src/$1"
}

if "$root/scripts/order.sh"; then
    passed=$((passed + 1))
else
    failed=$((failed + 1))
    echo "FAIL src"
fi
fresh
expect "a tree in order" ""
add low/low.c '#include "high/high.h"'
expect "up" "low/low.c:3: high/high.h is further down
order: these include each other in a circle: high/high high/inner/inner low/low"
add ORDER "up low/low.c high"
expect "allowed up" "these include each other in a circle: high/high high/inner/inner low/low"
add ORDER "circle low/low high/.*"
expect "allowed circle" ""
fresh
add ORDER "circle low/.*"
expect "circle that is none" "not needed in src/ORDER: circle low/.*"
fresh
add high/other.c 'const char *inner(void) {'
expect "speaks" "high/inner/inner.h: inner is defined in high/other.c"
add ORDER "speaks high/inner/inner.h"
expect "allowed to speak" ""
fresh
mv "$work/src/low/low.h" "$work/src/low/low_internal.h"
for file in low/low.c high/inner/inner.h; do sed -i 's/low\.h/low_internal.h/' "$work/src/$file"; done
add low/other.c 'int other(int value) {'
add high/high.c '    return other(1);'
add low/low_internal.h 'int other('
expect "internal header" ""
add low/other.c '#include "low/low_internal.h"'
expect "file of an internal header" ""
fresh
add low/low.h 'int own(int number);'
add low/low.c 'int own(int number) { return own(number); }'
expect "own" "low/low.h: own is called in its own file only"
mkdir -p "$work/tests"
echo '    own(1);' >"$work/tests/own_test.c"
expect "called by a test" ""
rm -r "$work/tests"
fresh
add high/high.c '    struct low {'
expect "tag" "low/low.h: struct low has the tag of another in high/high.c"
fresh
mkdir "$work/src/new"
add new/new.c ''
expect "folder that is not named" "new: this folder is not in src/ORDER"
fresh
add ORDER old
expect "folder that is gone" "old: src/ORDER names it, and it is not there"
fresh
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19; do add "low/f$i.c" ''; done
expect "20 files" ""
add low/f20.c ''
expect "21 files" "low: has 21 .c files; 20 are a chapter"
add ORDER "wide low"
expect "allowed to be wide" ""
fresh
add ORDER "wide low"
expect "wide that is not" "not needed in src/ORDER: wide low"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
