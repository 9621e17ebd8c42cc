"""Runs a module of a folder here, so that it finds those of the other folders.

usage: python3 tests/random FOLDER/NAME ARGUMENT...
"""

import os
import runpy
import sys

HERE = os.path.dirname(os.path.abspath(__file__))

if __name__ == '__main__':
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    script = os.path.join(HERE, sys.argv.pop(1) + '.py')
    sys.path[:1] = [os.path.dirname(script), HERE]
    runpy.run_path(script, run_name='__main__')
