# shellcheck shell=sh disable=SC2034 # used by the scripts
# begin.sh — what scripts of the folders here begin with: the root of the tree, the program to test, a
# folder to work in, which goes at the end, and counts. Environment: VARABS.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
VARABS=${VARABS:-$root/build/varabs}
case $VARABS in /*) ;; *) VARABS=$PWD/$VARABS ;; esac
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
passed=0
failed=0
