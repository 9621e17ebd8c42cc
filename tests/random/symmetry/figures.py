#!/usr/bin/env python3
"""The quick part of judge.py: runs with and without --symmetry."""

import sys

from judge import main

if __name__ == '__main__':
    sys.exit(main(['--quick']))
