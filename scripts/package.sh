#!/bin/sh
# package.sh — build an installable Debian package, build/varabs_VERSION_ARCH.deb.
# The same sources and tools give the same bytes: times are those of the last commit.
set -eu
cd "$(dirname "$0")/.."

scripts/install-deps.sh build
command -v dpkg-deb >/dev/null 2>&1 || {
    echo "package.sh: no dpkg-deb here; use \`make install\`" >&2
    exit 1
}
stage=build/package
version=$(sed -n 's/^VERSION := //p' Makefile)
architecture=$(dpkg --print-architecture)
: "${SOURCE_DATE_EPOCH:=$(git log -1 --format=%ct 2>/dev/null || date +%s)}"
export SOURCE_DATE_EPOCH

rm -rf "$stage"
make -j "$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)" all >/dev/null
make install DESTDIR="$PWD/$stage" PREFIX=/usr >/dev/null
mv "$stage/usr/share/zsh/site-functions" "$stage/usr/share/zsh/vendor-completions" # as Debian's zsh
strip --strip-unneeded "$stage/usr/bin/varabs" "$stage"/usr/lib/libvarabs.so.*.*
gzip -n9 "$stage/usr/share/man/man1/varabs.1"
install -D -m 644 LICENSE "$stage/usr/share/doc/varabs/copyright"
install -m 644 README.md "$stage/usr/share/doc/varabs/README.md"
gzip -n9c CHANGELOG >"$stage/usr/share/doc/varabs/changelog.gz"

# The packages that hold the libraries which the program is linked with, at least as they are here.
depends=$(ldd "$stage/usr/bin/varabs" | sed -n 's/.* => \(\/[^ ]*\).*/\1/p' | while read -r library; do
    file=$(readlink -f "$library") # packages may name it without the /usr that it is found under
    dpkg -S "$file" 2>/dev/null || dpkg -S "${file#/usr}"
done | sed 's/:.*//' | sort -u | while read -r package; do
    dpkg-query -W -f '${Package} (>= ${source:Upstream-Version}), ' "$package"
done)
mkdir "$stage/DEBIAN"
cat >"$stage/DEBIAN/control" <<CONTROL
Package: varabs
Version: $version
Architecture: $architecture
Maintainer: the varabs authors <varabs@localhost>
Section: science
Priority: optional
Installed-Size: $(du -sk "$stage/usr" | cut -f 1)
Depends: ${depends%, }
Description: make Uppaal models smaller, and check them
 Removes variables from untimed Uppaal models such that verdicts carry over, explores
 models, answers their queries and certifies abstractions.
CONTROL
find "$stage" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
dpkg-deb --root-owner-group --build "$stage" "build/varabs_${version}_$architecture.deb" >/dev/null
echo "build/varabs_${version}_$architecture.deb"
