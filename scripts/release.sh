#!/bin/sh
# release.sh VERSION — is everything there for a release of that version? Changes nothing.
# release.sh --tag VERSION — tags the release: CHANGELOG has the section, which becomes the text of the tag.
#
# Refuses a tree with changes or with files that git does not know, an [Unreleased] section of the CHANGELOG
# without entries or a section that the version has already, a version that differs (Makefile, varabs.h), symbols
# of the library that are newer than the version, a date that is not that of today, and a tag that exists. Says what is
# left to do.
set -eu
cd "$(dirname "$0")/.."

failed=0
wrong() {
    echo "release: $*" >&2
    failed=1
}
number_of() { # TEXT — 0.2.10 as a number
    echo "$1" | awk -F. '{ print $1 * 1000000 + $2 * 1000 + $3 }'
}

tags=
if [ "${1:-}" = --tag ]; then
    tags=yes
    shift
fi
version=${1:-}
echo "$version" | grep -Eqx '[0-9]+\.[0-9]+\.[0-9]+' || {
    echo "usage: scripts/release.sh [--tag] MAJOR.MINOR.PATCH" >&2
    exit 2
}

changes=$(git status --porcelain | head -n 3)
[ -z "$changes" ] || wrong "the tree has changes: commit them, or take them back:
$changes"

section=$(awk -v head="## [$version]" 'index($0, "## ") == 1 { inside = index($0, head) == 1; next } inside' CHANGELOG)
unreleased=$(awk '/^## / { inside = $2 == "[Unreleased]"; next } inside && /^- / { count++ } END { print count + 0 }' CHANGELOG)
if [ -n "$tags" ]; then
    [ -n "$section" ] || wrong "CHANGELOG has no section for $version"
    [ "$unreleased" -eq 0 ] || wrong 'CHANGELOG has entries below [Unreleased]'
else
    [ "$unreleased" -gt 0 ] || wrong 'CHANGELOG has no entries below [Unreleased]'
    ! grep -Fq "## [$version]" CHANGELOG || wrong "CHANGELOG has a section for $version already"
fi

own=$(sed -n 's/^VERSION := //p' Makefile)
[ "$own" = "$version" ] || wrong "VERSION in the Makefile is $own"
own=$(sed -n 's|^/\* "\([0-9.]*\)" \*/$|\1|p' src/api/varabs.h)
[ "$own" = "$version" ] || wrong "varabs.h says that it is of ${own:-no version}"
for own in $(sed -n 's/^VARABS_\([0-9.]*\) {$/\1/p' src/api/libvarabs.map); do
    [ "$(number_of "$own.0")" -le "$(number_of "$version")" ] ||
        wrong "libvarabs.map has symbols of $own"
done
today=$(LC_ALL=C date -u '+%B %-d, %Y')
own=$(sed -n 's/^DATE  *:= //p' Makefile)
[ "$own" = "$today" ] || wrong "DATE in the Makefile is $own, and today is $today"
! git rev-parse -q --verify "refs/tags/v$version" >/dev/null || wrong "there is a tag v$version"

[ "$failed" -eq 0 ] || exit 1
if [ -n "$tags" ]; then
    printf 'varabs %s\n\n%s\n' "$version" "$section" | git tag -a --cleanup=whitespace -F - "v$version"
    echo "release: v$version is tagged. What is left: make dist, git push origin v$version"
    exit
fi
cat <<END
release: $version can be made of $(git rev-parse --short HEAD). What is left:
  1. make lint test asan site wheel; scripts/web.sh; scripts/npm.sh
  2. CHANGELOG: "## [$version] - $(date -u +%F)" below [Unreleased]; commit it
  3. scripts/release.sh --tag $version: from then on, builds say $version and no longer name a commit
  4. make dist
END
