#!/bin/sh
# package.sh — build installable Debian packages, build/varabs_VERSION_ARCH.deb with program and library and
# build/python3-varabs_VERSION_all.deb.
# Where lintian is installed it must find no errors.
# The same sources and tools give the same bytes: times are those of the last commit.
set -eu
cd "$(dirname "$0")/.."

scripts/install-deps.sh build
command -v dpkg-deb >/dev/null 2>&1 || {
    echo "package.sh: no dpkg-deb here; use \`make install\`" >&2
    exit 1
}
stage=build/package
python=build/package-python
soname=$(sed -n 's/^SONAME := //p' scripts/install.mk)
version=$(sed -n 's/^VERSION := //p' Makefile)
architecture=$(dpkg --print-architecture)
: "${SOURCE_DATE_EPOCH:=$(git log -1 --format=%ct 2>/dev/null || date +%s)}"
export SOURCE_DATE_EPOCH

rm -rf "$stage" "$python"
# As Debian builds its own: most of what overruns a buffer ends the program.
build() {
    make CFLAGS='-O2 -g -D_FORTIFY_SOURCE=2 -fstack-protector-strong' LDFLAGS='-Wl,-z,relro,-z,now' \
        "$@" >/dev/null
}
build -j "$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)" all
build install DESTDIR="$PWD/$stage" PREFIX=/usr
mv "$stage/usr/share/zsh/site-functions" "$stage/usr/share/zsh/vendor-completions" # as Debian's zsh
mkdir -p "$python/usr/lib" "$python/usr/share/doc/python3-varabs"
mv "$stage/usr/lib/python3" "$python/usr/lib"
strip --strip-unneeded "$stage/usr/bin/varabs" "$stage"/usr/lib/libvarabs.so.*.*
gzip -n9 "$stage"/usr/share/man/man?/*
for folder in "$stage/usr/share/doc/varabs" "$python/usr/share/doc/python3-varabs"; do
    mkdir -p "$folder"
    gzip -n9c CHANGELOG >"$folder/changelog.gz"
    cat >"$folder/copyright" <<COPYRIGHT
Copyright the varabs authors

varabs is licensed under the Apache License, version 2.0, which is in
/usr/share/common-licenses/Apache-2.0 on Debian systems.
COPYRIGHT
done
# The README and what it links to, by the same links.
for file in README.md src/README.md src/manual/*.md benchmarks/*.md benchmarks/tutorial/*; do
    install -D -m 644 "$file" "$stage/usr/share/doc/varabs/$file"
done

# Which package programs need that are linked with the library, and that the linker looks at it.
mkdir "$stage/DEBIAN" "$python/DEBIAN"
echo "libvarabs ${soname##*.} varabs (>= $version)" >"$stage/DEBIAN/shlibs"
echo 'activate-noawait ldconfig' >"$stage/DEBIAN/triggers"

# The packages that hold the libraries which the program is linked with, at least as they are here.
depends=$(ldd "$stage/usr/bin/varabs" | sed -n 's/.* => \(\/[^ ]*\).*/\1/p' | while read -r library; do
    file=$(readlink -f "$library") # packages may name it without the /usr that it is found under
    dpkg -S "$file" 2>/dev/null || dpkg -S "${file#/usr}"
done | sed 's/:.*//' | sort -u | while read -r package; do
    dpkg-query -W -f '${Package} (>= ${source:Upstream-Version}), ' "$package"
done)

control() { # FOLDER NAME ARCHITECTURE SECTION DEPENDS — the description is read
    cat >"$1/DEBIAN/control" <<CONTROL
Package: $2
Version: $version
Architecture: $3
Maintainer: the varabs authors <varabs@example.org>
Section: $4
Priority: optional
Installed-Size: $(du -sk "$1/usr" | cut -f 1)
Depends: $5
$(cat)
CONTROL
    find "$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    dpkg-deb --root-owner-group --build "$1" "build/$2_${version}_$3.deb" >/dev/null
    echo "build/$2_${version}_$3.deb"
}
control "$stage" varabs "$architecture" science "${depends%, }" <<DESCRIPTION
Description: make Uppaal models smaller, and check them
 Removes variables from untimed Uppaal models such that verdicts carry over, explores
 models, answers their queries and certifies abstractions.
DESCRIPTION
control "$python" python3-varabs all python "python3 (>= 3.9), varabs (= $version)" <<DESCRIPTION
Description: make Uppaal models smaller, and check them (Python)
 The library of varabs for Python: abstractions, checks and drawings as objects that
 show themselves in notebooks.
DESCRIPTION
! command -v lintian >/dev/null || lintian --fail-on error "build/varabs_${version}_$architecture.deb" \
    "build/python3-varabs_${version}_all.deb" 2>/dev/null
