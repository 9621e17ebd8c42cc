"""Runs of varabs that may take so much processor time: a busy machine is no failure."""

import math
import signal
import subprocess

WALL_SECONDS = 1800  # ends what waits for ever


def run_limited(words, seconds, **options):
    """As subprocess.run. TimeoutExpired after so many seconds of processor time."""
    limit = ['sh', '-c', 'ulimit -S -t "$0" && exec "$@"', str(math.ceil(seconds))]
    run = subprocess.run(limit + list(words), timeout=WALL_SECONDS, check=False, **options)
    if run.returncode == -signal.SIGXCPU:
        raise subprocess.TimeoutExpired(words, seconds, output=b'')
    run.args = words
    return run
