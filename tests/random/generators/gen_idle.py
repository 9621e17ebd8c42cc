"""A template without processes, whose variables have no values: what it does with them says nothing."""

LIKELY = 0.08
MOVES = ('{0} = {1}', '{0} = {1}', '{1} = {0}, {0} = 0', '{0} = ({1} + 1) % 2', '{0} = {1}, {2} = {0}', '{2} = {0}',
         '{0} = {2}', 'int k; {0} = {1}')


def idle(rng):
    """The template, as text; its edges are between names of its own, and write no others."""
    names = ['idle0', 'idle1', 'idle2']
    update = rng.choice(MOVES[:-1]).format(*names)
    function = ''
    if rng.random() < 0.3:
        function, update = f" void move() {{ {rng.choice(MOVES).format(*names).replace(', ', '; ')}; }}", 'move()'
    guard = rng.choice(('', '', f"{names[0]} == {names[1]}", f"{names[1]} > 0"))
    parameter = rng.choice(('', '', 'const int[0,1] id'))
    return (f"<template><name>Idle</name><parameter>{parameter}</parameter>"
            f"<declaration>int[0,1] {', '.join(names)};{function}</declaration>"
            '<location id="idle_a"/><location id="idle_b"/><init ref="idle_a"/>'
            '<transition><source ref="idle_a"/><target ref="idle_b"/>'
            f"<label kind=\"guard\">{guard.replace('>', '&gt;')}</label>"
            f'<label kind="assignment">{update}</label></transition></template>')


def with_idle(rng, text, likely=LIKELY):
    """A model, to which such a template is added sometimes."""
    if rng.random() >= likely or '<name>Idle</name>' in text or '<system>' not in text:
        return text
    return text.replace('<system>', idle(rng) + '<system>', 1)
