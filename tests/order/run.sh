#!/bin/sh
# src/ is in the order that src/ORDER says, and scripts/order.sh would tell if it were not: in a tree of
# three folders it finds each kind of mistake. So does scripts/rules.sh, for rules that are cited. And
# scripts/release.sh tells what is in the way of a release.
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
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17; do add "low/f$i.c" ''; done
expect "18 files" ""
add low/f18.c ''
expect "19 files" "low: has 19 .c files; 18 are a chapter"
add ORDER "wide low"
expect "allowed to be wide" ""
fresh
add ORDER "wide low"
expect "wide that is not" "not needed in src/ORDER: wide low"

# Rules that are cited, in a tree of one file.
cite() { # TITLE MESSAGE — what rules.sh says of the tree, nothing for none
    if got=$("$root/scripts/rules.sh" "$work/cited"); [ "$got" = "${2:+rules: $2}" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL rules: $1: $got"
    fi
}
anew() { # a tree whose rules are in order
    rm -rf "$work/cited"
    mkdir -p "$work/cited/src" "$work/cited/tests/golden/A2_case"
    printf -- '- **A1** One. *Case* `A2_case`.\n- **A2** Two: **R2.1** a part.\n' >"$work/cited/src/RULES.md"
    printf '/* Rules A1 and R2.1. */\nint a = C17;\n' >"$work/cited/src/a.c"
}
cd "$work" || exit 1
if "$root/scripts/rules.sh"; then
    passed=$((passed + 1))
else
    failed=$((failed + 1))
    echo "FAIL rules of src"
fi
anew
cite "a tree in order" ""
echo '/* See V3. */' >>"$work/cited/src/a.c"
cite "cited" "src/a.c:3: V3 has no entry in src/RULES.md"
anew
mkdir "$work/cited/tests/golden/M7_case"
cite "golden" "tests/golden/M7_case: M7 has no entry"
anew
echo '- **A1** Again.' >>"$work/cited/src/RULES.md"
cite "twice" "A1 has two entries"
anew
rmdir "$work/cited/tests/golden/A2_case"
cite "case" "src/RULES.md: there is no golden case A2_case"
anew
echo '/* As DESIGN section 4 says. */' >>"$work/cited/src/a.c"
cite "source" "src/a.c:3:/* As DESIGN section 4 says. */"

# A release of a tree with what scripts/release.sh looks at.
tree=$work/tree
ask() { # TITLE PATTERN [VERSION] — what release.sh refuses with, '' if it does not
    if said=$("$tree/scripts/release.sh" "${3:-1.2.0}" 2>&1); then refuses=; else refuses=yes; fi
    if [ "${2:+yes}" = "$refuses" ] && echo "$said" | grep -q "$2"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL release: $1: $said"
    fi
}
commit() { # in the tree, with what was changed
    git -C "$tree" add -A
    git -C "$tree" -c user.name=test -c user.email=test@localhost commit -qm change
}
change() { # FILE SED TITLE PATTERN — commits a change, asks, and takes it back
    cp "$tree/$1" "$work/before"
    sed "$2" "$work/before" >"$tree/$1"
    commit
    ask "$3" "$4"
    cp "$work/before" "$tree/$1"
    commit
}
mkdir -p "$tree/scripts" "$tree/src/api" "$work/bin"
printf '#!/bin/sh\nexec %s -d @%s "$@"\n' "$(command -v date)" "$(date +%s)" >"$work/bin/date"
chmod +x "$work/bin/date"
PATH=$work/bin:$PATH # one day, also over midnight
cp "$root/scripts/release.sh" "$tree/scripts"
printf 'VERSION := 1.2.0\nDATE    := %s\n' "$(LC_ALL=C date -u '+%B %-d, %Y')" >"$tree/Makefile"
printf '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- This.\n\n## [1.1.0]\n\n- That.\n' >"$tree/CHANGELOG"
echo '/* "1.2.0" */' >"$tree/src/api/varabs.h"
printf 'VARABS_1.1 {\n};\nVARABS_1.2 {\n} VARABS_1.1;\n' >"$tree/src/api/libvarabs.map"
git -C "$tree" init -q
commit
ask "a tree that is ready" ""
ask "no version" "usage" new
ask "another version" "VERSION in the Makefile is 1.2.0" 1.3.0
echo >"$tree/more"
ask "a file that git does not know" "the tree has changes"
rm "$tree/more"
change CHANGELOG 's/- This.//' "nothing to release" "no entries below"
change CHANGELOG 's/1.1.0/1.2.0/' "a section of that version" "has a section for 1.2.0"
change src/api/varabs.h 's/1.2.0/1.1.0/' "another version in the header" "varabs.h says that it is of 1.1.0"
change src/api/libvarabs.map 's/VARABS_1.2 /VARABS_1.3 /' "newer symbols" "has symbols of 1.3"
change Makefile 's/, .*/, 1999/' "an old date" "DATE in the Makefile is"
# What a build says of its version: before a release, of an unpacked tree, and at the tag.
says() { # TITLE VERSION [FOLDER]
    if said=$("${3:-$tree}/scripts/version.sh" 1.2.0) && [ "$said" = "$2" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL version: $1: $said"
    fi
}
cp "$root/scripts/version.sh" "$tree/scripts"
commit
says "of a clone" "1.2.0-dev+g$(git -C "$tree" rev-parse --short=10 HEAD)"
mkdir -p "$tree/build/dist/scripts"
cp "$root/scripts/version.sh" "$tree/build/dist/scripts"
says "of a tree below a clone" 1.2.0 "$tree/build/dist"
rm -r "$tree/build"
sed -i 's/^## .Unreleased.*/&\n\n## [1.2.0] - 2000-01-01/' "$tree/CHANGELOG"
commit
export GIT_COMMITTER_NAME=test GIT_COMMITTER_EMAIL=test@localhost
if "$tree/scripts/release.sh" --tag 1.2.0 >/dev/null && git -C "$tree" show v1.2.0 | grep -q '^- This.$'; then
    passed=$((passed + 1))
else
    failed=$((failed + 1))
    echo "FAIL release: a tag with the section as its text"
fi
says "at the tag" 1.2.0
ask "a tag" "there is a tag v1.2.0"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
