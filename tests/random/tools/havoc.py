#!/usr/bin/env python3
"""A deliberately coarse may-abstraction, to try the oracle on.

usage: havoc.py IN.xml --remove NAME[,NAME...] --may -o OUT.xml
                --report OUT.json [--mutant decline|update|range|guard]

Understands enough of the command line of varabs to stand in for it in run.py.
A removed variable becomes a meta variable, outside the state; every edge that
names it chooses any value of its type, for guard and update separately, and a
broadcast receiver that depends on it may decline.  Refuses (status 4) all but
whole int and bool variables that only labels name.  --mutant plants a bug that
the judge must find.
"""

import os
import argparse
import json
import re
import sys
import xml.etree.ElementTree as ET
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))  # a program
from oracle.uppaal_parse import TOKEN


class Refusal(Exception):
    """Not supported here."""


def words(text):
    return {m.group() for m in TOKEN.finditer(text or '')
            if m.lastgroup == 'id'}


def put(text, name, other):
    """Text with an identifier replaced."""
    return ''.join(other if m.lastgroup == 'id' and m.group() == name
                   else m.group() for m in TOKEN.finditer(text))


class Havoc:
    """Removes variables from a tree, one after the other."""

    def __init__(self, tree, mutant):
        self.root, self.mutant, self.count = tree.getroot(), mutant, 0
        self.broadcast = self.broadcast_names()

    def broadcast_names(self):
        """Channels and parameters that may be broadcast."""
        found = set()
        for node in self.root.iter():
            if node.tag in ('declaration', 'parameter') and node.text:
                found |= set(re.findall(r'broadcast chan &?(\w+)', node.text))
        return found

    def fresh(self):
        self.count += 1
        return f"havoc{self.count}"

    def remove(self, name):
        if '<' in self.root.findtext('system') or \
                'chan priority' in self.root.findtext('declaration'):
            raise Refusal("priorities")
        owner, dot, rest = name.partition('.')
        templates = self.root.findall('template')
        if dot:
            templates = [t for t in templates if t.findtext('name') == owner]
            if not templates:
                raise Refusal(f"{name} is no local variable")
            home = templates[0].find('declaration')
        else:
            rest, home = name, self.root.find('declaration')
        kind = self.make_meta(home, rest)
        self.refuse_uses(home, rest, templates)
        for template in templates:
            for label in template.iter('label'):
                if label.get('kind') == 'invariant' \
                        and rest in words(label.text):
                    new = self.fresh()
                    label.text = f"exists({new} : {kind})" \
                                 f" {put(label.text, rest, new)}"
            for edge in list(template.findall('transition')):
                self.edge(template, edge, rest, kind)

    def make_meta(self, home, name):
        """Turn the declaration into meta; the type for selects."""
        pattern = re.compile(rf'^(meta )?(int\[.*\]|bool|t\d+) {name}'
                             r'( :?= [^;]*)?;$', re.M)
        found = pattern.search(home.text or '') if home is not None else None
        if not found:
            raise Refusal(f"{name} is no plain variable")
        line = found.group()
        home.text = home.text.replace(
            line, line if found.group(1) else 'meta ' + line)
        return 'int[0,1]' if found.group(2) == 'bool' else found.group(2)

    def refuse_uses(self, home, name, templates):
        """Uses outside labels, and names that hide the variable."""
        for node in self.root.iter():
            if node.tag not in ('declaration', 'system', 'parameter'):
                continue
            count = len([m for m in TOKEN.finditer(node.text or '')
                         if m.group() == name])
            if count > (node is home) and (home in list(self.root)
                                           or node is home):
                raise Refusal(f"{name} is used in a {node.tag}")
        for template in templates:
            for label in template.iter('label'):
                hidden = rf'\({name} ?:[^=]' if label.get('kind') \
                    != 'select' else rf'\b{name} ?:'
                if re.search(hidden, label.text or ''):
                    raise Refusal(f"{name} is hidden in a label")

    def edge(self, template, edge, name, kind):
        labels = {label.get('kind'): label for label in edge.findall('label')}
        used = {k for k, label in labels.items() if name in words(label.text)}
        if not used:
            return
        selects = []
        if used & {'guard', 'synchronisation'}:
            new = self.fresh()
            selects.append(new)
            for key in used & {'guard', 'synchronisation'}:
                labels[key].text = put(labels[key].text, name, new)
            sync = labels.get('synchronisation')
            if sync is not None and sync.text.strip().endswith('?') \
                    and words(sync.text) & self.broadcast:
                self.decline(template, edge, sync, new, kind)
        if 'assignment' in used:
            new = self.fresh()
            selects.append(new)
            if self.mutant != 'update':
                labels['assignment'].text = f"{name} = {new}," \
                                            f" {labels['assignment'].text}"
        if self.mutant == 'guard' and 'guard' in used:
            labels['guard'].text = f"({labels['guard'].text}\n) && false"
        self.add_selects(edge, selects, kind)

    def add_selects(self, edge, names, kind):
        if self.mutant == 'range':
            kind = re.sub(r',\s*(\w+)\]$', r',\1 - 1]', kind)
        text = ', '.join(f"{name} : {kind}" for name in names)
        for label in edge.findall('label'):
            if label.get('kind') == 'select':
                label.text = f"{label.text}\n, {text}"
                return
        select = ET.Element('label', kind='select')
        select.text = text
        edge.insert(2, select)

    def decline(self, template, edge, sync, name, kind):
        """A self-loop that receives and does nothing."""
        if self.mutant == 'decline':
            return
        loop = ET.SubElement(template, 'transition')
        ref = edge.find('source').get('ref')
        ET.SubElement(loop, 'source', ref=ref)
        ET.SubElement(loop, 'target', ref=ref)
        for label in edge.findall('label'):
            if label.get('kind') == 'select':
                ET.SubElement(loop, 'label', kind='select').text = label.text
        ET.SubElement(loop, 'label', kind='synchronisation').text = sync.text
        if name in words(sync.text):
            self.add_selects(loop, [name], kind)


def main():
    parser = argparse.ArgumentParser(
        description="A coarse may-abstraction, to try the oracle on.")
    parser.add_argument('model')
    parser.add_argument('--remove', required=True)
    parser.add_argument('--may', action='store_true')
    parser.add_argument('--approx')
    parser.add_argument('-o', '--output', required=True)
    parser.add_argument('--report', required=True)
    parser.add_argument('--mutant', choices=['decline', 'update', 'range',
                                             'guard'])
    options = parser.parse_args()
    tree = ET.parse(options.model)
    try:
        havoc = Havoc(tree, options.mutant)
        for name in options.remove.split(','):
            havoc.remove(name)
    except Refusal as error:
        print(f"{options.model}: error: {error}", file=sys.stderr)
        return 4
    tree.write(options.output, encoding='utf-8', xml_declaration=True)
    with open(options.report, 'w', encoding='utf-8') as file:
        json.dump({'exact': False, 'mode': 'may'}, file)
    return 0


if __name__ == '__main__':
    sys.exit(main())
