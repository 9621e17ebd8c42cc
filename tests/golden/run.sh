#!/bin/sh
# Golden cases: a model, the arguments, and what must come out. See ../run-cases.sh.
exec "$(dirname "$0")/../run-cases.sh" "$(dirname "$0")" "$@"
