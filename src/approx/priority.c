#include "approx/priority.h"

#include <assert.h>
#include <stdlib.h>

enum { MAX_WORDS = 1 << 21 }; /* of all sets of reachable locations */

struct component_search { /* Tarjan's algorithm without recursion */
    const struct edge_graph *graph;
    uint32_t *number, *low, *component, *edge, *stack, *calls;
    uint32_t next, stack_count, component_count;
};

static void open_node(struct component_search *search, uint32_t node, uint32_t *depth) {
    assert(!search->number[node] && search->next < search->graph->node_count);
    search->number[node] = search->low[node] = ++search->next;
    search->stack[search->stack_count++] = node;
    search->edge[node] = search->graph->first[node];
    search->calls[(*depth)++] = node;
}

static void close_node(struct component_search *search, uint32_t node) {
    if (search->low[node] != search->number[node]) return;
    uint32_t member;
    do {
        member = search->stack[--search->stack_count];
        search->component[member] = search->component_count + 1;
    } while (member != node);
    search->component_count++;
    assert(search->component_count <= search->graph->node_count);
}

static void visit(struct component_search *search, uint32_t root) {
    uint32_t depth = 0;
    open_node(search, root, &depth);
    while (depth) {
        uint32_t node = search->calls[depth - 1];
        if (search->edge[node] < search->graph->first[node + 1]) {
            uint32_t next = search->graph->target[search->edge[node]++];
            if (!search->number[next])
                open_node(search, next, &depth);
            else if (!search->component[next] && search->number[next] < search->low[node])
                search->low[node] = search->number[next];
            continue;
        }
        close_node(search, node);
        depth--;
        if (depth && search->low[node] < search->low[search->calls[depth - 1]])
            search->low[search->calls[depth - 1]] = search->low[node];
    }
}

struct ranked {
    uint32_t node, reachable;
};

static int compare(const void *left, const void *right) {
    const struct ranked *a = left, *b = right;
    if (a->reachable != b->reachable) return a->reachable > b->reachable ? -1 : 1;
    return a->node < b->node ? -1 : a->node > b->node;
}

/* Components are numbered in reverse topological order, so successors come first. Where there are
 * too many for sets, that number is taken: it grows, too, from a component to what reaches it. */
static void count_reachable(struct arena *arena, const struct component_search *search,
                            struct ranked *ranked) {
    const struct edge_graph *graph = search->graph;
    uint32_t words = (graph->node_count + 63) / 64;
    if ((uint64_t)words * search->component_count > MAX_WORDS) {
        for (uint32_t i = 0; i < graph->node_count; i++) ranked[i].reachable = search->component[i];
        return;
    }
    uint64_t **sets = ARENA_ARRAY(arena, uint64_t *, search->component_count + 1);
    uint32_t *order = ARENA_ARRAY(arena, uint32_t, graph->node_count + 1);
    uint32_t *start = ARENA_ARRAY(arena, uint32_t, search->component_count + 3);
    for (uint32_t i = 0; i < graph->node_count; i++) start[search->component[i] + 1]++;
    for (uint32_t c = 1; c < search->component_count + 2; c++) start[c + 1] += start[c];
    for (uint32_t i = 0; i < graph->node_count; i++) order[start[search->component[i]]++] = i;
    uint32_t from = 0;
    for (uint32_t c = 1; c <= search->component_count; c++) {
        uint64_t *set = sets[c] = ARENA_ARRAY(arena, uint64_t, words);
        uint32_t to = start[c];
        for (uint32_t k = from; k < to; k++) {
            uint32_t node = order[k];
            for (uint32_t e = graph->first[node]; e < graph->first[node + 1]; e++) {
                uint32_t next = graph->target[e];
                set[next / 64] |= UINT64_C(1) << (next % 64);
                assert(search->component[next] <= c); /* successors come first */
                const uint64_t *other = sets[search->component[next]];
                if (other != set)
                    for (uint32_t w = 0; w < words; w++) set[w] |= other[w];
            }
        }
        uint32_t count = 0;
        for (uint32_t w = 0; w < words; w++) count += (uint32_t)__builtin_popcountll(set[w]);
        for (uint32_t k = from; k < to; k++) ranked[order[k]].reachable = count;
        from = to;
    }
}

uint32_t *priority_ranks(struct arena *arena, const struct edge_graph *graph) {
    uint32_t count = graph->node_count;
    uint32_t *ranks = ARENA_ARRAY(arena, uint32_t, count + 1);
    if (!count) return ranks;
    struct arena scratch;
    arena_init(&scratch);
    struct component_search search = {.graph = graph};
    uint32_t **arrays[] = {&search.number, &search.low,   &search.component,
                           &search.edge,   &search.stack, &search.calls};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        *arrays[i] = ARENA_ARRAY(&scratch, uint32_t, count + 1);
    for (uint32_t i = 0; i < count; i++)
        if (!search.number[i]) visit(&search, i);
    struct ranked *ranked = ARENA_ARRAY(&scratch, struct ranked, count);
    for (uint32_t i = 0; i < count; i++) ranked[i].node = i;
    count_reachable(&scratch, &search, ranked);
    qsort(ranked, count, sizeof *ranked, compare);
    assert(search.component_count && search.component_count <= count && !search.stack_count);
    for (uint32_t i = 0; i < count; i++) ranks[ranked[i].node] = i;
    arena_close(&scratch);
    return ranks;
}

/* Locations and branchpoints by rank, both ways, and the edges sorted by their source. */
void rank_template(const struct template *template, struct arena *arena, struct ranking *ranking) {
    uint32_t count = template->location_count + template->branchpoint_count;
    uint32_t *target = ARENA_ARRAY(arena, uint32_t, template->edge_count + 1);
    uint32_t *fill = ARENA_ARRAY(arena, uint32_t, count + 1);
    ranking->first = ARENA_ARRAY(arena, uint32_t, count + 2);
    ranking->edges = ARENA_ARRAY(arena, uint32_t, template->edge_count + 1);
    for (uint32_t i = 0; i < template->edge_count; i++)
        ranking->first[template->edges[i].source + 1]++;
    for (uint32_t i = 0; i < count; i++) ranking->first[i + 1] += ranking->first[i];
    for (uint32_t i = 0; i < template->edge_count; i++) {
        uint32_t source = template->edges[i].source;
        uint32_t at = ranking->first[source] + fill[source]++;
        assert(at < ranking->first[source + 1]);
        ranking->edges[at] = i;
        target[at] = template->edges[i].target;
    }
    struct edge_graph graph = {count, ranking->first, target};
    ranking->rank = priority_ranks(arena, &graph);
    ranking->by_rank = ARENA_ARRAY(arena, uint32_t, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        assert(ranking->rank[i] < count); /* a permutation */
        ranking->by_rank[ranking->rank[i]] = i;
    }
}
