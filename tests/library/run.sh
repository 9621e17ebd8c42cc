#!/bin/bash
# The library as its users have it: installed to a folder of its own, found by pkg-config, linked
# with a small program. Environment: CC the compiler, BUILD the directory of the build.
# shellcheck source=tests/begin.sh
. "$(dirname "$0")/../begin.sh"
expect() { # NAME COMMAND...
    local name=$1
    shift
    if "$@" >"$work/out" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $name"
        head -n 5 "$work/out"
    fi
}
build() {
    # shellcheck disable=SC2046 # several flags
    ${CC:-cc} -std=c17 -Wall -Wextra -Wpedantic -Werror "$@" -o "$work/example" \
        "$root/tests/library/example.c" $(pkg-config --cflags --libs varabs)
}
example() { # STATUS PATTERN ARGUMENT...
    local status=$1 pattern=$2
    shift 2
    LD_LIBRARY_PATH=$prefix/lib "$root/tests/limit.sh" 60 "$work/example" "$@" >"$work/text" 2>&1
    [ $? -eq "$status" ] && grep -Eq "$pattern" "$work/text"
}
only_public() { # every symbol that the library exports is in the header, with its version
    nm -D --defined-only "$prefix/lib/libvarabs.so" | sed -n 's/.* T //p' | sort >"$work/symbols"
    grep -o 'varabs_[a-z_]*(' "$root/src/api/varabs.h" | sed 's/(/@@VARABS_0.1/' | sort -u |
        diff - "$work/symbols"
}
merges() ( # the README's example of a merge, by what is installed
    cp -r "$prefix/share/doc/varabs/examples" "$work/try" && cd "$work/try" &&
        "$prefix/bin/varabs" transmission/model.xml --spec transmission/spec.json --may >"$work/text" 2>&1 &&
        grep -q 'exact: every verdict' "$work/text"
)
as_cpp() { echo '#include <varabs.h>' | ${CXX:-c++} -Wall -Werror -I "$prefix/include" -x c++ -c -o /dev/null -; }

prefix=$work/usr
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
model=$root/benchmarks/models/postal_3_2.xml
expect 'it can be packed' make -C "$root" install DESTDIR="$work/stage" PREFIX=/usr ${CC:+CC="$CC"}
expect 'for its place' grep -qx prefix=/usr "$work/stage/usr/lib/pkgconfig/varabs.pc"
expect 'it can be installed' make -C "$root" install PREFIX="$prefix" ${CC:+CC="$CC"}
expect 'and says where' grep -qx "prefix=$prefix" "$PKG_CONFIG_PATH/varabs.pc"
expect 'with models for the examples' merges
expect 'it exports its interface and no more' only_public
expect 'the example compiles' build
expect 'it runs' example 0 'exact: yes' "$model" mem_sg,mem_vt
expect 'with the states before' grep -q '"states": 6075,' "$work/text"
expect 'and after' grep -q '"states": 1619,' "$work/text"
sed 's/<declaration>/&broadcast chan step;/' "$root/tests/golden/CR1_prefixes_of_traces/model.xml" >"$work/steps.xml"
expect 'a model refines itself' example 0 '"refines": true' "$work/steps.xml"
expect 'without the channel' example 2 "has a channel or tag 'step'" "$model"
expect 'an argument that is wrong' example 2 'postal_3_2.xml: error: .*did you mean' "$model" mem_sgg
expect 'a file that is not there' example 3 'none.xml: error: cannot read the file' none.xml x
! command -v "${CXX:-c++}" >/dev/null || expect 'the header is C++, too' as_cpp
! command -v valgrind >/dev/null ||
    expect 'nothing leaks' env LD_LIBRARY_PATH="$prefix/lib" valgrind -q --leak-check=full \
        --error-exitcode=9 "$work/example" "$model" mem_sg
expect 'it can be removed' make -C "$root" uninstall PREFIX="$prefix"
expect 'nothing is left' test -z "$(find "$prefix" -type f -o -type l)"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
