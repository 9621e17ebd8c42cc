"""Does a report say what is so: which edges are unchanged, and whether the original has runtime errors?"""

import collections
import xml.etree.ElementTree as ElementTree


def edges_of(path):
    """By template: what each transition says, whatever ids and places are."""
    found = {}
    for template in ElementTree.parse(path).getroot().iter('template'):
        nodes = [node.get('id') for node in template if node.tag in ('location', 'branchpoint')]
        found[template.findtext('name').strip()] = [
            (nodes.index(edge.find('source').get('ref')), nodes.index(edge.find('target').get('ref')),
             tuple(sorted((label.get('kind'), (label.text or '').strip()) for label in edge.iter('label')
                          if label.get('kind') != 'comments')))
            for edge in template.iter('transition')]
    return found


def changed_edge(report, model, out):
    """An edge that is called unchanged and is not there as it was, or None."""
    before, after = edges_of(model), edges_of(out)
    wanted = collections.Counter()
    for entry in report.get('split', {}).get('templates', []):
        before[entry['copy']] = before[entry['template']]
    for entry in report['edges']['output']:
        name = entry['template']
        if entry['kind'] == 'unchanged':
            wanted[name, before[name][entry['origins'][0]['edge'] - 1]] += 1
    for (name, edge), count in wanted.items():
        if after[name].count(edge) < count:
            return f"{name}: {edge} is called unchanged, and is not there"
    return None


def wrong_condition(report, explored):
    """What is wrong of what is said about runtime errors, or None."""
    state = report['condition']['no_runtime_errors']
    if explored.error_count and state in ('cannot fail', 'met'):
        return f"'{state}', and the original has runtime errors"
    if not explored.error_count and state == 'broken':
        return "'broken', and the original has no runtime errors"
    if report['condition']['may_fail'] == [] and state != 'cannot fail':
        return f"nothing may fail, and the condition is '{state}'"
    return None


def wrong_of(report, model, out, explored):
    """What is wrong, or None."""
    return changed_edge(report, model, out) or wrong_condition(report, explored)
