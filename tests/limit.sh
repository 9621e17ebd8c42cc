#!/bin/sh
# limit.sh SECONDS COMMAND... — run a command that may take so many seconds of processor time.
#
# What takes longer is killed by SIGXCPU (status 152). A busy machine is no failure: what waits for ever
# is ended with its part (scripts/run-tests.sh).
seconds=$1
shift
# shellcheck disable=SC3045 # dash and busybox know it, too
ulimit -S -t "$seconds" && exec "$@"
