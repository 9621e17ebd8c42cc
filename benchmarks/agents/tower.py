#!/usr/bin/env python3
"""Agents that build a tower of blocks, as Uppaal models: see README.md here.

    tower.py N KIND [--unguarded] [-o FILE]

N blocks lie on the floor, but for block 3 on block 1; block 2 is to stand on 1 and 3 on 2.  KIND is
spec     what may be done: any block that is free may be moved to another place that is free, in any order
impl     a plan agent: a plan of two moves, and a repair rule that moves a block out of the way
mspec    as spec, and the floor may be cleaned once
mimpl    as impl, with a mission that chooses between cleaning and rearranging; with --unguarded its repair
         rule also takes down a tower that is finished
"""

import argparse
import sys
from xml.sax.saxutils import escape

KINDS = ('spec', 'impl', 'mspec', 'mimpl')


def declarations(count, has_mission):
    """Beliefs, the goal and the one action that moves a block."""
    places = [0] * (count + 1)
    places[3] = 1  # C on A
    free = [1] * (count + 1)
    free[1] = 0  # so A is covered
    mission = 'broadcast chan clean;\nbool cleaned;\n' if has_mission else ''
    return f"""const int N = {count};
typedef int[1,N] block_t;           // A = 1, B = 2, C = 3, ...
typedef int[0,N] place_t;           // 0 is the floor
const block_t A = 1, B = 2, C = 3;
broadcast chan move[N+1][N+1][N+1]; // move[x][y][z]: x from y to z
place_t on[N+1] = {{ {', '.join(map(str, places))} }};
bool free[N+1] = {{ {', '.join(map(str, free))} }};
bool goal() {{ return on[B] == A && on[C] == B; }}
bool can(block_t x, place_t y, place_t z) {{
    return on[x] == y && free[x] && free[z] && x != z && y != z;
}}
void shift(block_t x, place_t y, place_t z) {{
    on[x] = z; free[y] = true; free[z] = false; free[0] = true;
}}
{mission}"""


def edge(source, target, select='', guard='', sync='', update='', tag=''):
    """One <transition>."""
    labels = (('select', select), ('guard', guard), ('synchronisation', sync),
              ('assignment', update), ('comments', tag))
    text = ''.join(f'<label kind="{kind}">{escape(value)}</label>' for kind, value in labels if value)
    return f'<transition><source ref="{source}"/><target ref="{target}"/>{text}</transition>\n'


def specification(has_mission):
    """Every action in a loop of its own: locations, edges."""
    edges = edge('idle', 'idle', 'x : block_t, y : place_t, z : place_t',
                 'can(x, y, z) && !goal()', 'move[x][y][z]!', 'shift(x, y, z)', '@move')
    if has_mission:
        edges += edge('idle', 'idle', '', '!cleaned', 'clean!', 'cleaned = true', '@clean')
    return ['idle'], edges


def plans(has_mission, is_guarded):
    """Plans as chains of locations, and repair rules from each that is about to act."""
    start, done = ('call_mission', 'call_mission') if has_mission else ('call_plan', 'done')
    plan = 'call_rearrange' if has_mission else 'call_plan'
    edges = ''
    if has_mission:
        locations = ['call_mission', 'choice', 'cleaning', 'move1', 'move2', 'fetch', 'call_rearrange']
        edges += edge('call_mission', 'choice')
        edges += edge('choice', 'cleaning', tag='@plan_clean')
        edges += edge('choice', 'move1', tag='@plan_rearrange')
        edges += edge('cleaning', 'call_mission', '', '!cleaned', 'clean!', 'cleaned = true')
    else:
        locations = ['call_plan', 'move1', 'move2', 'fetch', 'done']
    edges += edge(plan, 'move1')
    edges += edge('move1', 'move2', '', 'can(B, 0, A)', 'move[B][0][A]!', 'shift(B, 0, A)')
    edges += edge('move2', done, '', 'can(C, 0, B)', 'move[C][0][B]!', 'shift(C, 0, B)')
    edges += edge('fetch', plan, '', 'can(rx, ry, 0)', 'move[rx][ry][0]!',
                  'shift(rx, ry, 0), rx = 0, ry = 0')
    fails = {'cleaning': 'cleaned', 'move1': '!can(B, 0, A)', 'move2': '!can(C, 0, B)',
             'fetch': '!can(rx, ry, 0)'}
    for location, fail in fails.items():
        if location not in locations:
            continue
        guard = f'{fail} && on[x] != 0' + (' && !goal()' if has_mission and is_guarded else '')
        edges += edge(location, 'fetch', 'x : block_t', guard, '', 'rx = x, ry = on[x]', '@r1')
        if has_mission:
            edges += edge(location, start, '', fail, '', 'rx = 0, ry = 0', '@r2')
    return locations, edges


def tower(count, kind, is_guarded=True):
    """The model as XML."""
    has_mission = kind.startswith('m')
    is_spec = kind.endswith('spec')
    name = 'BUnity' if is_spec else 'BUpL'
    local = '' if is_spec else 'place_t rx, ry;   // what the repair rule matched\n'
    locations, edges = (specification(has_mission) if is_spec
                        else plans(has_mission, is_guarded))
    nodes = ''.join(f'<location id="{l}" x="{i * 150}" y="0"><name>{l}</name></location>\n'
                    for i, l in enumerate(locations))
    return f"""<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE nta PUBLIC '-//Uppaal Team//DTD Flat System 1.6//EN' 'http://www.it.uu.se/research/group/darts/uppaal/flat-1_6.dtd'>
<nta><declaration>{escape(declarations(count, has_mission))}</declaration>
<template><name>{name}</name><declaration>{escape(local)}</declaration>
{nodes}<init ref="{locations[0]}"/>
{edges}</template>
<system>system {name};</system>
<queries><query><formula>E&lt;&gt; goal()</formula><comment/></query></queries></nta>
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('count', type=int, metavar='N')
    parser.add_argument('kind', choices=KINDS)
    parser.add_argument('--unguarded', action='store_true')
    parser.add_argument('-o', '--output', metavar='FILE')
    options = parser.parse_args()
    if not 3 <= options.count <= 20:
        parser.error('N is from 3 to 20')
    text = tower(options.count, options.kind, not options.unguarded)
    if options.output:
        with open(options.output, 'w', encoding='utf-8') as file:
            file.write(text)
    else:
        sys.stdout.write(text)


if __name__ == '__main__':
    main()
