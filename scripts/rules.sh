#!/bin/sh
# rules.sh [ROOT] — does every rule that is cited have its entry in src/RULES.md?
#
# A rule is cited by its name: A1 to X8, R2.2, CE1, ST6, ... in comments of src/, as the beginning of the name of a
# golden case (R2_2_tags_of_may; words are in the table at the end of RULES.md), and as the beginning of the name of a
# planted bug. An entry begins with the name in bold type. It is a mistake
#   cited   to cite a rule without an entry,
#   twice   if a rule has two entries,
#   case    if an entry names a golden case that does not exist,
#   source  if a comment cites a document that is not part of the project, such as DESIGN section 4.
# Prints a line for each mistake; the exit status is 1 if there are any.
set -u
cd "${1:-$(dirname "$0")/..}" || exit 1
failed=$(mktemp)
trap 'rm -f "$failed" "$failed.entries" "$failed.words"' EXIT

grep -oE '\*\*[A-Z]{1,2}[0-9]*(\.[0-9])?\*\*' src/RULES.md | tr -d '*' | sort >"$failed.entries"
# Of lines that begin with a name, those whose name has no entry, nor is in any other FILE.
without_entry() { awk 'FILENAME != "-" { known[$1] = 1; next } !($1 in known)' "$failed.entries" "$@" -; }
wrong() { echo "rules: $*" | tee -a "$failed"; }

uniq -d "$failed.entries" | while read -r rule; do wrong "$rule has two entries"; done

# In comments of C alone: names in code, such as C17 in a string, are no rules.
rule='(A|C|CE|CR|F|G|K|M|N|O|RC|S|ST|T|U|V|X|Y)[0-9][0-9]?|R[0-9][.][0-9]|RC'
find src -name '*.[ch]' -exec awk -v rule="^($rule)\$" '
    { if (/^[^"]*\/\*/) inside = 1 }
    inside {
        text = $0
        gsub(/[^A-Za-z0-9_.\/]+/, " ", text)
        n = split(text, word, " ")
        for (i = 1; i <= n; i++) {
            sub(/\.$/, "", word[i])
            if (word[i] ~ rule) print word[i] " " FILENAME ":" FNR
        }
    }
    /\*\// { inside = 0 }' {} + | sort -u -k 1,1 | without_entry | while read -r name where; do
    wrong "$where: $name has no entry in src/RULES.md"
done
# shellcheck disable=SC2016 # backquotes of Markdown
grep '^|.*|' src/RULES.md | grep -o '`[^`]*`' | tr -d '`' >"$failed.words"
find tests/golden -mindepth 1 -maxdepth 1 -type d 2>/dev/null | sort |
    sed -E 's|.*/||; h; s/^R([0-9])_([0-9])_.*/R\1.\2/; s/_.*//; G; s/\n/ /' |
    without_entry "$failed.words" | while read -r word name; do
    wrong "tests/golden/$name: $word has no entry"
done
sed -nE 's/^=== ([A-Z]{1,2}[0-9]+)-.*/\1/p' tests/random/planted/*.txt 2>/dev/null | sort -u | without_entry |
    while read -r name; do wrong "tests/random: a planted bug cites $name, which has no entry"; done
# shellcheck disable=SC2016 # backquotes of Markdown
grep -oE '`[A-Z][A-Za-z0-9]*_[A-Za-z0-9_]+`|`(normal|guarantee|stutter|split|range|division|merged|value|unclear|initial|committed|broadcast)_[a-z_A-Z0-9]+`' src/RULES.md |
    tr -d '`' | sort -u | while read -r name; do
    [ -d "tests/golden/$name" ] || wrong "src/RULES.md: there is no golden case $name"
done
grep -rnE '(DESIGN|UPPAAL|VALUES|KNOWLEDGE|REFINEMENT|SYMBOLIC|MERGES|SYMMETRY|TIME)(\.md)?,? section|[^a-z./](DESIGN|UPPAAL)\.md' \
    src scripts benchmarks Makefile README.md 2>/dev/null | grep -v '^scripts/rules.sh' | while read -r line; do
    wrong "$line"
done
[ ! -s "$failed" ]
