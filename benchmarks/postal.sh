#!/bin/sh
# postal.sh [--voters RANGE] [OPTION...] — rerun the evaluation of the publication on postal voting:
# tables 2 and 3, for 1 to 6 voters, or others: --voters 1-4, --cells large (1 to 10).
# The other options are those of evaluate.py. Builds varabs if it is not there.
set -eu
cd "$(dirname "$0")/.."
[ -n "${VARABS:-}" ] || [ -x build/varabs ] || { echo 'Building varabs ...'; make >/dev/null; }
if [ "${1:-}" = --voters ]; then
    voters=${2:?postal.sh: --voters needs a range, such as 1-6}
    shift 2
    set -- --where "V=$voters" "$@"
fi
exec python3 benchmarks/evaluate.py benchmarks/families/postal.json "$@"
