"""Compare the verdicts of `varabs --auto` with those of the naive explorer.

Every query of a model is decided alone, by the program's abstractions, and then
all of them in one run, where what is learnt for one serves the next. A step
that fails is none.
"""

import json
import re
import subprocess
from oracle.equal import Equal
from tools.limit import run_limited
from oracle.uppaal_query import SEMANTICS, Graph, Query, decide, queries_of

# With no look at the model as it is, with one, and with one that stops again and
# again; then, and where the last are to be short, abstractions are cut short.
LOOKS = (['--no-look'], [], ['--look', '2'], ['--no-look', '--look', '3'], ['--look', '7'])
VERDICTS = {0: 'satisfied', 1: 'violated', 3: 'unknown', 4: 'unknown', 5: 'unknown'}


def check_decisions(options, network, explored, path, case):
    """The case says what came of deciding all queries of a model."""
    graph, equal = Graph(network, explored), Equal(network, explored)
    for number, query in enumerate(queries_of(network)):
        if not isinstance(query, Query):
            continue
        semantics = SEMANTICS[(number + len(explored.states)) % 2]
        answer = equal.settle(decide(graph, query, semantics), query)
        looks = LOOKS[(number + len(explored.states)) % len(LOOKS)]
        words = [options.varabs, path, '--auto', *looks, '--jobs', '1', '--max-memory',
                 '200M', '--semantics', semantics, '--query', query.text]
        try:
            done = run_limited(words, options.timeout * 3, capture_output=True,
                               text=True, errors='replace')
        except subprocess.TimeoutExpired as error:
            return case.fail('decide: timeout', f"{query.text}\n"
                             f"{(error.stdout or b'').decode()}")
        verdict = VERDICTS.get(done.returncode)
        told = f"{query.text}, {semantics}: status {done.returncode}" \
               f"\n{done.stdout}{done.stderr}"
        if verdict is None:
            return case.fail('decide: status', told)
        if verdict not in answer.verdicts:
            return case.fail('decide: verdict', told)
        if verdict == 'satisfied' and bounds_of(done.stdout) != \
                [b for pair in answer.bounds for b in pair if b is not None]:
            return case.fail('decide: bounds', told)
        case.steps += 1
    return check_together(options, graph, equal, path, case)


def check_together(options, graph, equal, path, case):
    """All queries that can be decided, in one run."""
    semantics = SEMANTICS[len(graph.states) % 2]
    queries = [query for query in queries_of(graph.network)
               if isinstance(query, Query)]
    if len(queries) < 2:
        return case
    looks = LOOKS[len(graph.states) % len(LOOKS)]
    words = [options.varabs, path, '--auto', *looks, '--jobs', '1',
             '--max-memory', '200M', '--semantics', semantics, '--json', '-']
    for query in queries:
        words += ['--query', query.text]
    try:
        done = run_limited(words, options.timeout * 3 * len(queries),
                           capture_output=True, text=True, errors='replace')
    except subprocess.TimeoutExpired:
        return case.fail('decide: timeout', "all queries in one run")
    if done.returncode not in VERDICTS:
        return case.fail('decide: status', f"all queries: {done.stderr}")
    found = json.loads(done.stdout)['queries']
    if len(found) != len(queries):
        return case.fail('decide: status', f"{len(found)} verdicts")
    for query, entry in zip(queries, found):
        answer = equal.settle(decide(graph, query, semantics), query)
        told = f"{query.text} beside others: {json.dumps(entry)}"
        if entry['verdict'] not in answer.verdicts:
            return case.fail('decide: verdict', told)
        bounds = [value for bound in entry.get('bounds', [])
                  for value in (bound['lower'], bound['upper'])]
        if entry['verdict'] == 'satisfied' and bounds != \
                [b for pair in answer.bounds for b in pair]:
            return case.fail('decide: bounds', told)
        case.steps += 1
    return case


def bounds_of(text):
    """Values of sup, inf and bounds, beside the verdict."""
    text = text.partition('\n  satisfied')[2].partition('decided by')[0]
    return [int(value) for value in re.findall(r'at (?:least|most) (-?\d+)',
                                               text)]
