#!/bin/sh
# Models that must be refused, a directory for each rule broken, named for the rule: what is said,
# where, and the exit status (3 not valid, 4 valid but not supported, 5 too
# large). See ../run_cases.py.
exec "$(dirname "$0")/../run_cases.py" "$(dirname "$0")" "$@"
