#!/bin/sh
# The static site (make site): every document has its page, and every link leads to a file and a place that are there.
# Without pandoc nothing is looked at, and it says so. Environment: VARABS.
. "$(dirname "$0")/../begin.sh"
if ! command -v pandoc >/dev/null; then
    echo "skipped: no pandoc here (scripts/install-deps.sh site)"
    echo "0 passed, 0 failed"
    exit 0
fi
expect() { # NAME COMMAND...
    name=$1
    shift
    if "$@" >"$work/out" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $name"
        head -n 5 "$work/out"
    fi
}
links() { python3 -B "$root/tests/site/links.py" "$1"; }
has() { [ -e "$work/site/$1" ] || { echo "no $1" && return 1; }; }
every_document() {
    for file in $(cd "$root" && echo src/manual/*.md benchmarks/*.md benchmarks/tutorial/*.md); do
        page=${file%.md}.html
        has "$(echo "$page" | sed 's/README.html$/index.html/')" || return 1
    done
    has index.html && has CHANGELOG.html && has schemas/report.schema.json
}
expect 'the site is built' env VARABS="$VARABS" python3 -B "$root/scripts/site.py" "$work/site"
expect 'every document has a page' every_document
expect 'every link leads somewhere' links "$work/site"
expect 'the page of a command has its options' grep -q -e '--semantics' "$work/site/src/manual/check.html"
expect 'and the tutorial its pictures' has benchmarks/tutorial/postal.svg

# What is looked at is found.
mkdir "$work/wrong"
cat >"$work/wrong/index.html" <<PAGE
<a href="gone.html">gone</a> <a href="#nowhere">nowhere</a> <img src="https://example.org/x.png">
PAGE
links "$work/wrong" >"$work/found"
expect 'a file that is not there is found' grep -q 'no file for gone.html' "$work/found"
expect 'a place that is not there is found' grep -q 'no place for #nowhere' "$work/found"
expect 'what comes from elsewhere is found' grep -q 'loads https' "$work/found"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
