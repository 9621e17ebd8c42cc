/* Fair runs that stay inside a predicate (rule R5.7).
 *
 * The graph has the states on the way to where a run may begin, and those inside the predicate from
 * there on; a state may be in it twice. It is built breadth first, so that it does not depend on
 * the order of the rows. Only what is inside enables INSIDE, and good parts have to.
 */
#include "explore/fair/lasso.h"
#include "explore/verdict/liveness_internal.h"

#include <assert.h>

#define INSIDE_BIT (UINT64_C(1) << FAIR_MAX) /* of no constraint */

struct fair_node {
    uint32_t row, parent;
    bool is_inside;     /* a run that began stays inside */
    enum trace_end end; /* TRACE_OPEN: no run ends here; otherwise its last edge idles */
};

struct fair_search {
    struct liveness *live;
    const struct watch *from; /* NULL: the initial state */
    struct fair_sets sets;
    struct fair_graph graph;
    struct block nodes;      /* fair_node */
    struct block numbers[2]; /* by row: node plus one, outside and inside */
};

/* Nodes */

static struct fair_node *node_at(const struct fair_search *fair, size_t number) {
    return &((struct fair_node *)fair->nodes.items)[number];
}

/* The row of a state, which may be new; NO_ROW at a limit. */
static uint32_t row_of(struct liveness *live, const uint64_t *state) {
    const struct store *store = &live->search->store;
    uint64_t hash = store_hash(store, state);
    uint32_t row = store_find(store, state, hash);
    return row != STORE_FULL ? row : liveness_add(live, state, hash);
}

/* The node of a row, which may be new; FAIR_OUT at a limit. */
static uint32_t number_of(struct fair_search *fair, uint32_t row, bool is_inside, uint32_t parent) {
    struct block *numbers = &fair->numbers[is_inside];
    if (!liveness_reserve(fair->live, numbers, (size_t)row + 1, sizeof(uint32_t))) return FAIR_OUT;
    uint32_t *number = &((uint32_t *)numbers->items)[row];
    assert(*number <= fair->nodes.count);
    if (*number) return *number - 1;
    if (fair->nodes.count >= FAIR_OUT / 4) {
        liveness_cut(fair->live, LIMIT_STATES);
        return FAIR_OUT;
    }
    if (!liveness_reserve(fair->live, &fair->nodes, fair->nodes.count + 1,
                          sizeof(struct fair_node)))
        return FAIR_OUT;
    *node_at(fair, fair->nodes.count) = (struct fair_node){row, parent, is_inside, TRACE_OPEN};
    *number = (uint32_t)++fair->nodes.count;
    return *number - 1;
}

/* The node that a step to a state leads to; FAIR_OUT: none. */
static uint32_t follow(struct fair_search *fair, const uint64_t *state, uint32_t parent) {
    bool is_inside = node_at(fair, parent)->is_inside;
    if (is_inside && !liveness_holds(fair->live, fair->live->inside, state)) return FAIR_OUT;
    uint32_t row = row_of(fair->live, state);
    return row == NO_ROW ? FAIR_OUT : number_of(fair, row, is_inside, parent);
}

/* The step by which a run begins in the state that was expanded; false at a limit. */
static bool add_beginning(struct fair_search *fair, uint32_t number) {
    struct liveness *live = fair->live;
    if (!liveness_holds(live, fair->from, live->state) ||
        !liveness_holds(live, live->inside, live->state))
        return true;
    uint32_t target = number_of(fair, node_at(fair, number)->row, true, number);
    return rows_add_step(&fair->graph.rows, target, 0);
}

/* The steps of the state that was expanded, in their order; false at a limit. */
static bool add_steps(struct fair_search *fair, uint32_t number, uint64_t *enabled) {
    struct liveness *live = fair->live;
    struct expander *expander = live->expander;
    for (uint32_t i = 0; i < expander_degree(expander); i++) {
        const struct step_record *record = &expander->records.items[i];
        uint64_t tags;
        if (!fair_mark(live->fair, &expander->machine, expander->parts.items + record->first_part,
                       record->part_count, live->state, &tags)) {
            liveness_stop(live, live->fair->constraints->problem
                                    ? LIMIT_MEMORY
                                    : limit_of_machine(&expander->machine));
            return false;
        }
        *enabled |= tags;
        uint32_t target = follow(fair, expander_state(expander, expander->first + i), number);
        if (live->is_stopped ||
            !rows_add_step(&fair->graph.rows, target, fair_sets_add(&fair->sets, tags)))
            return false;
    }
    return true;
}

/* Expands a node; false at a limit. */
static bool add_node(struct fair_search *fair, uint32_t number) {
    struct liveness *live = fair->live;
    struct fair_node node = *node_at(fair, number);
    uint64_t enabled = 0;
    enum trace_end end;
    assert(number == fair->graph.rows.count); /* nodes are expanded in their order */
    if (!liveness_expand(live, node.row)) return false;
    liveness_count(live, node.row);
    if (!add_steps(fair, number, &enabled)) return false;
    if (!node.is_inside) {
        if (!add_beginning(fair, number)) return false;
        return fair_graph_add_node(&fair->graph, 0);
    }
    if (liveness_is_end(live, &end)) {
        node_at(fair, number)->end = end;
        if (!rows_add_step(&fair->graph.rows, number, 0)) return false;
    }
    if (live->is_stopped) return false;
    return fair_graph_add_node(&fair->graph, fair_sets_add(&fair->sets, enabled | INSIDE_BIT));
}

static void build(struct fair_search *fair) {
    struct liveness *live = fair->live;
    const uint64_t *initial = live->search->layout->initial;
    if (!fair->from && !liveness_holds(live, live->inside, initial)) return;
    uint32_t row = row_of(live, initial);
    if (row == NO_ROW || number_of(fair, row, !fair->from, 0) == FAIR_OUT) return;
    for (uint32_t i = 0; i < fair->nodes.count && !live->is_stopped; i++) {
        if (!add_node(fair, i)) return;
        if (live->max_fair_steps && fair->graph.rows.step_count > live->max_fair_steps)
            liveness_stop(live, LIMIT_STATES);
    }
}

/* Runs */

/* How the run of a lasso ends: whether its last step idles. */
static enum trace_end end_of(const struct fair_search *fair, const struct fair_lasso *lasso) {
    uint32_t last = lasso->nodes[lasso->count - 1];
    assert(lasso->count > 1); /* the loop has a step */
    uint32_t degree = rows_degree(&fair->graph.rows, last);
    bool is_idling = node_at(fair, last)->end != TRACE_OPEN &&
                     lasso->nodes[lasso->count - 2] == last &&
                     lasso->choices[lasso->count - 2] + 1 == degree;
    return is_idling ? node_at(fair, last)->end : TRACE_LOOP;
}

/* The run of a lasso, without the step by which it begins. */
static void keep_run(struct fair_search *fair, const struct fair_lasso *lasso) {
    struct liveness *live = fair->live;
    struct fair_run *run = &live->fair_run;
    enum trace_end end = end_of(fair, lasso);
    uint32_t count = lasso->count - (end != TRACE_LOOP ? 1 : 0);
    *run = (struct fair_run){.path = {ARENA_ARRAY(live->arena, uint32_t, count + 1), 0},
                             .choices = ARENA_ARRAY(live->arena, uint32_t, count + 1),
                             .end = end};
    for (uint32_t i = 0; i < count; i++) {
        bool is_beginning = i && node_at(fair, lasso->nodes[i])->is_inside &&
                            !node_at(fair, lasso->nodes[i - 1])->is_inside;
        if (is_beginning) run->path.count--;
        if (i == lasso->loop) run->loop = run->path.count;
        run->path.rows[run->path.count] = node_at(fair, lasso->nodes[i])->row;
        if (i + 1 < lasso->count) run->choices[run->path.count] = lasso->choices[i];
        run->path.count++;
    }
    run->is_found = true;
}

/* How the error was reached that was met first. */
static void keep_error(struct fair_search *fair) {
    struct liveness *live = fair->live;
    uint32_t count = 1, number = 0;
    if (!live->has_new_error) return;
    live->has_new_error = false;
    while (node_at(fair, number)->row != live->search->first_error.row) number++;
    for (uint32_t i = number; i; i = node_at(fair, i)->parent) count++;
    live->error_path = (struct row_path){ARENA_ARRAY(live->arena, uint32_t, count), count};
    for (uint32_t i = number; count; i = node_at(fair, i)->parent)
        live->error_path.rows[--count] = node_at(fair, i)->row;
}

/* The whole */

static bool find(struct fair_search *fair) {
    struct liveness *live = fair->live;
    const struct fair_constraints *constraints = live->fair->constraints;
    struct fair_question question = {
        .weak = constraints->weak, .strong = constraints->strong, .keep = INSIDE_BIT};
    struct fair_parts parts;
    struct fair_lasso lasso;
    bool is_found = fair_find(&fair->graph, &question, &parts) && parts.has_any;
    if (is_found && live->wants_runs &&
        fair_lasso(&fair->graph, &question, &parts, live->arena, &lasso))
        keep_run(fair, &lasso);
    fair_parts_close(&fair->graph, &parts);
    return is_found;
}

enum liveness_outcome liveness_find_fair(struct liveness *live, const struct watch *from,
                                         const struct watch *inside) {
    struct fair_search fair = {.live = live, .from = from};
    assert(live->fair);
    live->fair_run = (struct fair_run){0};
    if (!liveness_begin(live, inside)) return LIVENESS_LIMIT;
    live->expander->is_recording = true;
    fair_sets_init(&fair.sets, live->arena);
    fair_graph_init(&fair.graph, &fair.sets, &live->ledger);
    live->ledger.deadline = live->expander->machine.deadline;
    live->ledger.grace = live->expander->machine.grace;
    build(&fair);
    liveness_note(live);
    if (!live->has_overflowed) keep_error(&fair);
    bool is_found = !live->has_overflowed && find(&fair);
    liveness_note(live);
    live->expander->is_recording = false;
    fair_graph_close(&fair.graph);
    LEDGER_GIVE(&live->ledger, fair.nodes.items, fair.numbers[0].items, fair.numbers[1].items);
    return liveness_outcome_of(live, is_found);
}
