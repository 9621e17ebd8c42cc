#!/usr/bin/env python3
"""Judge `varabs certify --symmetry` on pairs of random models with ids.

usage: pairs.py --varabs PROGRAM --seeds A..B [--jobs N] [--timeout SECONDS] [--keep DIR]

For every seed a model of gen_ids.py or gen_twists.py is compared with an abstraction of it by varabs, with a
copy in which something is changed, or in which a process writes the cell of another one, with a copy whose
processes have each other's names, or with itself while one cell is not compared.

What certify says must be the same with orbits of pairs, with small first looks, and without; the counterexample
of orbits is replayed. A seed passes if there were fewer orbits than pairs.
"""

import json
import os
import random
import re
import subprocess
import tempfile
import xml.etree.ElementTree as tree

from cases import ids, model, template
from gen_ids import Maker
from gen_twists import Twist
from judges.certify import Duel, mutate, set_label
from judges.replay import Wrong
from oracle.uppaal_parse import ModelError
from oracle.uppaal_run import load_network
from oracle.uppaal_runtime import Budget
from tools import seeds

KEPT = ('holds', 'concrete', 'abstract', 'limit')


def write(path, text):
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)


def abstract(varabs, rng, paths, report):
    """An abstraction by varabs; the arguments to compare it by, or None."""
    with open(paths[0], encoding='utf-8') as file:
        text = file.read()
    names = re.findall(r'\n(?:meta )?(?:bool|id_t|data_t|int\[[^]]*\]) (\w+)', text) or ['x']
    more = rng.choice((['--auto'], ['--remove', rng.choice(names)],
                       ['--remove', '%s[%d]' % (rng.choice(names), rng.randint(1, 3))]))
    mode = rng.choice(('--may', '--may', '--must'))
    done = subprocess.run([varabs, paths[0], *more, mode, '-o', paths[1], '--report', report],
                          capture_output=True, timeout=60)
    if done.returncode:
        return None
    return rng.choice((['--report', report], ['--report', report], ['--report', report, '--ignore', names[0]]))


def write_elsewhere(rng, paths):
    """A copy in which a process may write a cell of another one instead of its own."""
    document = tree.parse(paths[0])
    found = [edge for edge in document.iter('transition') for label in edge.findall('label')
             if label.get('kind') == 'assignment' and '[i] =' in (label.text or '')]
    if not found:
        return None
    edge = rng.choice(found)
    labels = {label.get('kind'): label.text for label in edge.findall('label')}
    select = labels.get('select')
    set_label(edge, 'select', (select + ', ' if select else '') + 'other : id_t')
    test = rng.choice(('other != i', 'other != i', 'other == i', 'true'))
    set_label(edge, 'guard', test + (' && (%s)' % labels['guard'] if 'guard' in labels else ''))
    set_label(edge, 'assignment', labels['assignment'].replace('[i] =', '[other] =', 1))
    document.write(paths[1], encoding='utf-8', xml_declaration=True)
    return []


def rename(rng, paths):
    """Processes by name, which are others in the second model, or come in another order."""
    with open(paths[0], encoding='utf-8') as file:
        text = file.read()
    count = re.search(r'N = (\d+);', text)
    low = re.search(r'id_t;', text) and re.search(r'typedef int\[(\d+),', text)
    line = re.search(r'\nsystem (.*);|<system>system (.*);', text)
    if not count or not low or 'const id_t i</parameter>' not in text or not line:
        return None
    if re.search(r'\bP\(', text.split('<queries>')[0]):
        return None
    numbers = list(range(int(low.group(1)), int(low.group(1)) + int(count.group(1))))
    for place, path in enumerate(paths):
        given, order = list(numbers), list(numbers)
        if place and rng.random() < .7:
            rng.shuffle(given)
        if place and rng.random() < .7:
            rng.shuffle(order)
        lines = ''.join('P_%d = P(%d);\n' % pair for pair in zip(numbers, given))
        system = re.sub(r'\bP\b', ', '.join('P_%d' % number for number in order),
                        line.group(1) or line.group(2))
        made = text.replace(line.group(0), line.group(0).split('system ')[0] + lines + 'system %s;' % system)
        write(path, re.sub('<queries>.*</queries>', '<queries></queries>', made, flags=re.S))
    return []


def late(rng, paths):
    """What a process does in its second step may differ, and one cell is not compared, or an id is stored."""
    count = rng.choice((2, 2, 3))
    first = {'assignment': 'h[i] = true'} if rng.random() < .4 else {}
    edges = [('a', 'b', first), ('b', 'c', {'assignment': 'x[i] = true'})]
    more = rng.choice(({}, {'assignment': 'x[i] = h[i]'}, {'assignment': 'h[i] = false'}))
    stores = rng.random() < .4
    if stores:
        more = {'assignment': 'last = %d' % rng.randint(1, count)}
        edges = [('a', 'b', {'guard': rng.choice(('!begun', '!begun', 'true')), 'assignment': 'begun = true'}),
                 ('b', 'c', {'assignment': 'last = i'})]
    for path in paths:
        write(path, model(ids(count) + 'bool x[id_t];\nbool h[id_t];\nbool begun;\nint[0,N] last;',
                          [template('P', 'const id_t i', edges, ('a', 'b', 'c'))], 'system P;'))
        edges = [*edges[:1 if stores else 2], ('b', 'c', more)]
    if rng.random() < .5:
        os.rename(paths[0], paths[1] + '~')
        os.rename(paths[1], paths[0])
        os.rename(paths[1] + '~', paths[1])
    return ['--ignore', 'x[%d]' % rng.randint(1, count) + rng.choice(('', ',h'))]


def write_pair(varabs, seed, paths, report):
    """Both models; the arguments to compare them by, or None if there is no pair."""
    rng = random.Random(seed * 7 + 1)
    kind = seed % 6
    maker = Twist(seed % 1000) if rng.random() < .4 else Maker(seed)
    write(paths[0], maker.make())
    if kind == 0:
        return abstract(varabs, rng, paths, report)
    if kind == 1:
        return [] if mutate(rng, paths[0], paths[1]) else None
    if kind == 2:
        return rename(rng, paths)
    if kind == 3 and rng.random() < .4:
        return late(rng, paths)
    if kind == 3:
        cell = rng.choice(('x[%d]' % rng.randint(1, 3), 'x'))
        if rng.random() < .5 or write_elsewhere(rng, paths) is None:
            if not mutate(rng, paths[0], paths[1]):
                return None
        return ['--ignore', cell]
    return write_elsewhere(rng, paths)


def ask(varabs, timeout, paths, *more):
    done = subprocess.run([varabs, 'certify', *paths, '--json', '-', '--engine', 'explicit', '--max-states', '4000',
                           *more], capture_output=True, text=True, timeout=timeout)
    if done.returncode not in (0, 1):
        return done.returncode, None, done.stderr
    return done.returncode, json.loads(done.stdout), done.stderr


def told(result):
    """What must not depend on symmetry."""
    found = {key: result[key] for key in KEPT}
    found['time'] = result['time'] and result['time']['is_alike']
    return found


def replay(paths, result, mode, is_stuttering):
    """What is wrong with the run that is shown, or None; values of meta variables are not shown."""
    try:
        with open(paths[0], encoding='utf-8') as file:
            if re.search(r'^meta', file.read(), re.M):
                return None
        networks = [load_network(path) for path in paths]
    except (ModelError, Budget):
        return None
    duel = Duel(*networks, result, is_stuttering)
    try:
        if result['counterexample']:
            duel.run(mode)
        elif result['time'] and result['time']['counterexample']:
            duel.run_time(mode, result['time']['counterexample'])
    except Wrong as error:
        return str(error)
    return None


def judge_once(varabs, timeout, paths, mode, is_stuttering, names):
    """What is wrong, or None; and how many pairs and orbits there are."""
    arguments = ['--' + mode, *['--stutter'] * is_stuttering, *names]
    plain = ask(varabs, timeout, paths, *arguments, '--symmetry', 'off')
    least = (0, 0)
    for more in (['report'], ['report', '--first-look', '2'], ['auto', '--first-look', '7']):
        found = ask(varabs, timeout, paths, *arguments, '--symmetry', *more)
        if found[0] == 5 or plain[0] == 5:
            continue
        shown = '%s %s' % (' '.join(arguments), more)
        if found[0] != plain[0]:
            return '%s: status %d, %d without: %s' % (shown, found[0], plain[0], found[2]), least
        if not plain[1]:
            continue
        if told(found[1]) != told(plain[1]):
            return '%s: %s, %s without' % (shown, told(found[1]), told(plain[1])), least
        symmetry = found[1].get('symmetry')
        if not symmetry or symmetry['orbits'] is None:
            continue
        pairs = found[1]['pairs']
        least = max(least, (pairs or 0, symmetry['orbits']))
        if pairs is not None and pairs < symmetry['orbits']:
            return '%s: more orbits than pairs' % shown, least
        wrong = not found[1]['by_class'] and replay(paths, found[1], mode, is_stuttering)
        if wrong:
            return '%s: %s' % (shown, wrong), least
    return None, least


def judge(task):
    varabs, seed, keep, timeout = task
    is_smaller = False
    with tempfile.TemporaryDirectory() as own:
        paths = [os.path.join(keep or own, f'{seed}-{side}.xml') for side in ('concrete', 'abstract')]
        names = write_pair(varabs, seed, paths, os.path.join(keep or own, f'{seed}.json'))
        if names is None:
            return seed, 'no pair', ''
        rng = random.Random(seed)
        for mode in ('may', 'must', 'exact'):
            try:
                wrong, (pairs, orbits) = judge_once(varabs, timeout, paths, mode, rng.random() < .3, names)
            except subprocess.TimeoutExpired:
                return seed, 'too slow', ''
            if wrong:
                return seed, 'failed', wrong
            is_smaller |= orbits < pairs
        for path in paths if keep else ():
            os.remove(path)
    return seed, 'passed' if is_smaller else 'without orbits', ''


if __name__ == '__main__':
    seeds.main(judge, __doc__, 0.2)
