#!/usr/bin/env python3
"""Compare what `varabs decide --untime` says with the verdicts over regions.

usage: decide.py --varabs PROGRAM --seeds A..B ...   (as timed.py --mode decide)
"""

import above  # noqa: F401
import sys
from timed import main

if __name__ == '__main__':
    sys.argv += ['--mode', 'decide']
    sys.exit(main())
