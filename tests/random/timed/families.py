"""Families of timed models with known figures, as tuples (see small_models)."""

import above  # noqa: F401
import io
from network import load_timed
from generators.small_models import guard, sync, update, xml


def timed(*parts):
    """A network from the parts of a model."""
    return load_timed(io.StringIO(xml(*parts)))


def fischer(n, k=10, strictly=True):
    more = '>' if strictly else '>='
    return (f"int[0,{n}] id; const int K = {k};", [
        ('P', f"int[1,{n}] pid", 'clock x;',
         ['A', 'req:x <= K', 'wait', 'cs'], [
             ('A', 'req', {**guard('id == 0'), **update('x = 0')}),
             ('req', 'wait', {**guard('x <= K'), **update('x = 0, id = pid')}),
             ('wait', 'req', {**guard('id == 0'), **update('x = 0')}),
             ('wait', 'cs', guard(f"x {more} K && id == pid")),
             ('cs', 'A', update('id = 0'))])], 'system P;')


def train_gate(n):
    return (f"chan appr[{n}], stop[{n}], leave[{n}], go[{n}];", [
        ('Gate', '', f"int[0,{n}] buffer[{n}]; int[0,{n - 1}] head;"
                     f" int[0,{n}] length;", ['Free', 'Occ', 'Busy!'], [
             ('Free', 'Occ', {'select': f"i : int[0,{n - 1}]", **guard(
                 'length > 0 && buffer[head] == i'), **sync('go[i]!')}),
             ('Free', 'Occ', {'select': f"i : int[0,{n - 1}]", **guard(
                 'length == 0'), **sync('appr[i]?'), **update(
                 f"buffer[(head + length) % {n}] = i, length++")}),
             ('Occ', 'Busy', {'select': f"i : int[0,{n - 1}]",
                              **sync('appr[i]?'), **update(
                 f"buffer[(head + length) % {n}] = i, length++")}),
             ('Occ', 'Free', {'select': f"i : int[0,{n - 1}]", **guard(
                 'length > 0 && buffer[head] == i'), **sync('leave[i]?'),
                 **update(f"head = (head + 1) % {n}, length--")}),
             ('Busy', 'Occ', {'select': f"i : int[0,{n - 1}]", **guard(
                 f"length > 0 && buffer[(head + length - 1) % {n}] == i"),
                 **sync('stop[i]!')})]),
        ('Train', f"int[0,{n - 1}] id", 'clock x;',
         ['Safe', 'Appr:x <= 20', 'Stop', 'Start:x <= 15', 'Cross:x <= 5'], [
             ('Safe', 'Appr', {**sync('appr[id]!'), **update('x = 0')}),
             ('Appr', 'Cross', {**guard('x >= 10'), **update('x = 0')}),
             ('Appr', 'Stop', {**guard('x <= 10'), **sync('stop[id]?')}),
             ('Stop', 'Start', {**sync('go[id]?'), **update('x = 0')}),
             ('Start', 'Cross', {**guard('x >= 7'), **update('x = 0')}),
             ('Cross', 'Safe', {**guard('x >= 3'), **sync('leave[id]!')})])],
        'system Gate, Train;')


def csma_cd(n, whole=808, detect=26):
    return (f"const int L = {whole}; const int S = {detect};"
            f" chan begin, busy, end, cd[{n}];", [
        ('Bus', '', f"clock y; int[0,{n}] j;",
         ['Idle', 'Active', 'Collision:y < S', 'Loop!'], [
             ('Idle', 'Active', {**sync('begin?'), **update('y = 0')}),
             ('Active', 'Collision', {**guard('y < S'), **sync('begin?'),
                                      **update('y = 0')}),
             ('Active', 'Active', {**guard('y >= S'), **sync('busy!')}),
             ('Active', 'Idle', {**sync('end?'), **update('y = 0')}),
             ('Collision', 'Loop', {**guard('y < S'), **update('j = 0')}),
             ('Loop', 'Idle', {**guard(f"j == {n} && y < S"),
                               **update('y = 0, j = 0')}),
             ('Loop', 'Loop', {**guard(f"j < {n}"), **sync('cd[j]!'),
                               **update('j++')})]),
        ('Station', f"int[0,{n - 1}] id", 'clock x;',
         ['Wait', 'Start:x <= L', 'Retry:x < 2 * S'], [
             ('Wait', 'Start', {**sync('begin!'), **update('x = 0')}),
             ('Wait', 'Retry', {**sync('busy?'), **update('x = 0')}),
             ('Wait', 'Wait', {**sync('cd[id]?'), **update('x = 0')}),
             ('Wait', 'Retry', {**sync('cd[id]?'), **update('x = 0')}),
             ('Start', 'Wait', {**guard('x == L'), **sync('end!'),
                                **update('x = 0')}),
             ('Start', 'Retry', {**guard('x < S'), **sync('cd[id]?'),
                                 **update('x = 0')}),
             ('Retry', 'Start', {**guard('x < 2 * S'), **sync('begin!'),
                                 **update('x = 0')}),
             ('Retry', 'Retry', {**guard('x < 2 * S'), **sync('busy?'),
                                 **update('x = 0')}),
             ('Retry', 'Retry', {**guard('x < 2 * S'), **sync('cd[id]?'),
                                 **update('x = 0')})])],
        'system Bus, Station;')
