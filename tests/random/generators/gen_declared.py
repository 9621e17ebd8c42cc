"""Where a model says what agents there are, and what they observe: at the end of the global
declaration, in the comment of a query, in one that is written with CDATA or behind another comment,
or as a formula.
"""

import re
from xml.sax.saxutils import escape

WAYS = 'comment', 'behind', 'cdata', 'formula'


def query(formula, comment):
    return f"<query><formula>{formula}</formula><comment>{comment}</comment></query>"


def unheard(lines):
    """A line of a comment that says more of some agent, and counts only where there is no formula."""
    for line in lines:
        name = re.match(r'observe (\w+):', line)
        if name:
            return f"varabs: observe {name[1]}: shared, local;"
    return ''


def entry(lines, way):
    text = ' '.join(lines)
    if way == 'formula':
        return query(escape(text), f"Who sees what.\n{escape(unheard(lines))}")
    if way == 'cdata':
        return query('', f"<![CDATA[varabs: {text}]]>")
    if way == 'behind':
        return query('', f"varabs: /* who sees what */ {escape(text)}")
    return query('', f"varabs: {escape(text)}")


def with_entries(text, entries):
    if '</queries>' in text:
        return text.replace('</queries>', '\n'.join(entries) + '</queries>')
    return text.replace('</nta>', '<queries>' + '\n'.join(entries) + '</queries></nta>')


def with_declarations(text, lines, way):
    """The model with them."""
    if not lines:
        return text
    if way == 'global':
        comments = ''.join(f"\n//varabs: {escape(line)}" for line in lines)
        return re.sub(r'</declaration>', lambda m: comments + m.group(), text, count=1)
    return with_entries(text, [entry(lines, way)])
