#!/usr/bin/env python3
"""Shrink a failing model while a command keeps failing in the same way.

usage: shrink.py MODEL.xml -o SMALL.xml [--match TEXT] -- COMMAND...

COMMAND is run with every `{}` replaced by the name of a candidate file.  A
candidate is kept if the exit status is the one that COMMAND has on MODEL.xml
(which must not be 0) and, with --match, if the output contains TEXT.  Removes
templates, edges, locations and labels, then lines, items and words of texts.
Candidates that the oracle's own front end refuses are not even tried, unless
--all is given.  SMALL.xml always holds the best model so far.
For example, from a case kept by run.py:

  shrink.py model.xml -o small.xml --match 'failed may' -- \\
      python3 run.py --varabs build/varabs --model {} --remove x
"""

import argparse
import copy
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from oracle.uppaal_parse import TOKEN, ModelError
from oracle.uppaal_run import load_network


sys.setrecursionlimit(20000)


class Shrinker:
    """Holds the best tree so far and tries smaller ones."""

    def __init__(self, tree, options):
        self.tree, self.command = tree, options.command
        self.match, self.timeout = options.match, options.timeout
        self.output, self.filter, self.tries = options.output, False, 0
        self.folder = tempfile.TemporaryDirectory(prefix='varabs-shrink-')
        self.status, self.seen = None, set()

    def run(self, tree):
        """(exit status, output) of the command on a tree."""
        path = os.path.join(self.folder.name, 'model.xml')
        tree.write(path, encoding='utf-8', xml_declaration=True)
        if self.filter:
            try:
                load_network(path)
            except ModelError:
                return 'unusable', ''
        self.tries += 1
        words = [word.replace('{}', path) for word in self.command]
        try:
            done = subprocess.run(words, capture_output=True, text=True,
                                  errors='replace', timeout=self.timeout,
                                  check=False)
        except subprocess.TimeoutExpired:
            return 'timeout', ''
        return done.returncode, done.stdout + done.stderr

    def fails(self, tree):
        text = ET.tostring(tree.getroot())
        if text in self.seen:
            return False
        self.seen.add(text)
        status, output = self.run(tree)
        return status == self.status and (self.match or '') in output

    def attempt(self, change):
        """Apply a change to a copy; keep the copy if it still fails."""
        candidate = copy.deepcopy(self.tree)
        if change(candidate.getroot()) is False:
            return False
        if not self.fails(candidate):
            return False
        self.tree = candidate
        self.tree.write(self.output, encoding='utf-8', xml_declaration=True)
        return True

    # --- elements ---------------------------------------------------------

    def drop_elements(self, tags):
        """Try to drop each element with one of the tags, last first."""
        changed = False
        count = sum(1 for e in self.tree.getroot().iter() if e.tag in tags)
        for index in reversed(range(count)):
            changed |= self.attempt(lambda root: drop(root, tags, index))
        return changed

    # --- texts ------------------------------------------------------------

    def shrink_texts(self, split, join, largest):
        """Drop runs of pieces of every text."""
        changed = False
        root = self.tree.getroot()
        count = sum(1 for e in root.iter() if has_text(e))
        for index in range(count):
            changed |= self.shrink_text(index, split, join, largest)
        return changed

    def shrink_text(self, index, split, join, largest):
        changed, size = False, largest
        while size >= 1:
            at = 0
            while True:
                texts = [e for e in self.tree.getroot().iter() if has_text(e)]
                if index >= len(texts):
                    return changed
                pieces = split(texts[index].text)
                if at + size > len(pieces):
                    break
                new = join(pieces[:at] + pieces[at + size:])
                if self.attempt(lambda root: set_text(root, index, new)):
                    changed = True
                else:
                    at += 1
            size //= 2
        return changed


def has_text(element):
    return bool(element.text and element.text.strip()) and not len(element) \
        and element.tag in ('declaration', 'label', 'system', 'parameter',
                            'instantiation')


def set_text(root, index, text):
    element = [e for e in root.iter() if has_text(e)][index]
    element.text = text


def drop(root, tags, index):
    seen = 0
    for parent in root.iter():
        for child in list(parent):
            if child.tag in tags:
                if seen == index:
                    parent.remove(child)
                    return True
                seen += 1
    return False


def lines_of(text):
    return text.split('\n')


def items_of(text):
    """Parts between top-level commas and semicolons, which they keep; a
    function is a part too."""
    found, depth, start = [], 0, 0
    for match in re.finditer(r'[(\[{}\])]|,|;|&&', text):
        sign = match.group()
        if sign in '([{':
            depth += 1
        elif sign in ')]}':
            depth -= 1
            if depth or sign != '}' \
                    or not re.match(r'[^{=]*\)\s*{', text[start:]):
                continue
        if depth == 0 and sign not in '([{)]':
            found.append(text[start:match.end()])
            start = match.end()
    found.append(text[start:])
    return found


def join_items(items):
    text = ''.join(items).strip()
    for sign in (',', '&&'):
        if text.endswith(sign):
            text = text[:-len(sign)].strip()
    return text


def words_of(text):
    return [m.group() for m in TOKEN.finditer(text)
            if m.lastgroup != 'skip']


def main():
    parser = argparse.ArgumentParser(
        description="Shrink a model while a command keeps failing.")
    parser.add_argument('model')
    parser.add_argument('-o', '--output', required=True)
    parser.add_argument('--match', metavar='TEXT')
    parser.add_argument('--timeout', type=float, default=60)
    parser.add_argument('--rounds', type=int, default=4)
    parser.add_argument('--all', action='store_true',
                        help="also try models that the oracle cannot read")
    parser.add_argument('command', nargs='+')
    options = parser.parse_args()
    shrinker = Shrinker(ET.parse(options.model), options)
    shrinker.status, output = shrinker.run(shrinker.tree)
    if shrinker.status == 0 or (options.match or '') not in output:
        print(f"the command does not fail on {options.model}:"
              f" status {shrinker.status}\n{output}", file=sys.stderr)
        return 2
    shrinker.filter = not options.all
    for _ in range(options.rounds):
        changed = shrinker.drop_elements({'queries'})
        changed |= shrinker.drop_elements({'transition'})
        changed |= shrinker.drop_elements({'template'})
        changed |= shrinker.drop_elements({'location', 'branchpoint'})
        changed |= shrinker.drop_elements({'label', 'parameter', 'committed',
                                           'urgent'})
        changed |= shrinker.drop_elements({'nail', 'query', 'name'})
        changed |= shrinker.shrink_texts(items_of, join_items, 2)
        changed |= shrinker.shrink_texts(lines_of, '\n'.join, 8)
        changed |= shrinker.shrink_texts(words_of, ' '.join, 8)
        if not changed:
            break
    shrinker.tree.write(options.output, encoding='utf-8',
                        xml_declaration=True)
    print(f"{shrinker.tries} tries, {os.path.getsize(options.output)} bytes")
    return 0


if __name__ == '__main__':
    sys.exit(main())
