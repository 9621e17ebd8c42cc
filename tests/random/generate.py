#!/usr/bin/env python3
"""Generate a small random Uppaal model that is valid by construction.

usage: generate.py SEED [-o FILE] [--vars FILE] [--no-FEATURE]...

Writes the model to FILE or standard output.  --vars writes the names of all
variables, array cells and struct fields that could be removed, one per line
(`x` for globals, `Template.x` for locals).  The same seed and options always
give the same model.
"""

import argparse
import sys
from gen_expr import FEATURES
from gen_model import ModelGen
from gen_xml import text_of


def generate(seed, disabled=()):
    """(XML text, removable names) for a seed."""
    model = ModelGen(seed, set(FEATURES) - set(disabled)).build()
    return text_of(model), model.candidates()


def add_feature_options(parser):
    """One --no-FEATURE option each; the result is in options.disabled."""
    for feature in FEATURES:
        parser.add_argument(f"--no-{feature}", dest='disabled',
                            action='append_const', const=feature,
                            help=argparse.SUPPRESS)
    parser.epilog = 'features: ' + ' '.join(FEATURES)


def main():
    parser = argparse.ArgumentParser(
        description="Generate a small random Uppaal model.")
    parser.add_argument('seed', type=int)
    parser.add_argument('-o', '--output', metavar='FILE')
    parser.add_argument('--vars', metavar='FILE')
    add_feature_options(parser)
    options = parser.parse_args()
    text, names = generate(options.seed, options.disabled or ())
    if options.output:
        with open(options.output, 'w', encoding='utf-8') as file:
            file.write(text)
    else:
        sys.stdout.write(text)
    if options.vars:
        with open(options.vars, 'w', encoding='utf-8') as file:
            file.write(''.join(name + '\n' for name in names))
    elif options.output:
        print('\n'.join(names))
    return 0


if __name__ == '__main__':
    sys.exit(main())
