#!/usr/bin/env python3
"""The quick part of judge.py on models of gen_twists.py."""

import sys

from judge import main

if __name__ == '__main__':
    sys.exit(main(['--quick', '--twists']))
