#!/bin/sh
# version.sh VERSION — the version that a build shows: with the commit in a clone that is not at the tag of that version,
# so that two builds can be told apart, and else as it is.
cd "$(dirname "$0")/.." || exit 1
version=$1
commit=$(git rev-parse --short=10 HEAD 2>/dev/null) || commit=
# Sources that were unpacked below a clone are not of its commit.
[ -z "$(git rev-parse --show-prefix 2>/dev/null)" ] || commit=
[ -z "$(git tag --points-at HEAD --list "v$version" 2>/dev/null)" ] || commit=
echo "$version${commit:+-dev+g$commit}"
