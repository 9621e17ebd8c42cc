/* Nodes of the product, breadth first. */
#include "explore/refine/product.h"

#include "base/clock.h"

#include <assert.h>

enum {
    TICK = 1 << 10,
    AHEAD_EFFORT = 1 << 18 /* edges of the abstract side that are looked at, at once */
};

/* Looking nodes up */

static uint64_t hash_node(uint32_t state, uint32_t set, bool is_tainted) {
    return index_mix(is_tainted, (uint64_t)state << 32 | set);
}

static uint32_t find(const struct trace_product *product, uint32_t state, uint32_t set,
                     bool is_tainted) {
    struct index_probe probe = index_begin(hash_node(state, set, is_tainted));
    while (index_next(&product->index, &probe)) {
        const struct product_node *node = &product->nodes[probe.number];
        if (node->state == state && node->set == set && node->is_tainted == is_tainted)
            return probe.number;
    }
    return NO_NODE;
}

/* The antichain */

/* Whether a kept node has the same state and one member of the set alone. */
static bool has_member(const struct trace_product *product, uint32_t state, uint32_t set,
                       bool is_tainted) {
    const struct state_sets *sets = &product->sets;
    const uint32_t *members = set_members(sets, set), count = sets->items[set].count;
    size_t known = LEDGER_COUNT(sets->closure);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t row = members[i], single = row < known ? sets->closure[row] : 0;
        if (single && sets->items[single - 1].count == 1 &&
            find(product, state, single - 1, is_tainted) != NO_NODE)
            return true;
    }
    return false;
}

/* Whether a kept node has the same state and a part of the set. */
static bool is_covered(const struct trace_product *product, uint32_t state, uint32_t set,
                       bool is_tainted) {
    if (product->sets.items[set].count < 2) return false; /* it would be the node itself */
    if (has_member(product, state, set, is_tainted)) return true;
    for (uint32_t i = product->lists[state]; i; i = product->nodes[i - 1].next)
        if (product->nodes[i - 1].is_tainted == is_tainted &&
            state_sets_include(&product->sets, product->nodes[i - 1].set, set))
            return true;
    return false;
}

/* Takes nodes off the list whose sets include that of a new one. Those of the same depth need not
 * be expanded; others are, so that runs stay shortest. */
static void drop_larger(struct trace_product *product, const struct product_node *fresh) {
    uint32_t *link = &product->lists[fresh->state];
    while (*link) {
        struct product_node *node = &product->nodes[*link - 1];
        if (node->is_tainted == fresh->is_tainted &&
            state_sets_include(&product->sets, fresh->set, node->set)) {
            node->is_dropped = node->depth == fresh->depth;
            *link = node->next;
        } else {
            link = &node->next;
        }
    }
}

static bool cover_states(struct trace_product *product) {
    return LEDGER_ROOM_ZEROED(product->ledger, product->lists,
                              lts_count(product->sides[SIDE_CONCRETE]));
}

static bool append(struct trace_product *product, struct product_node node) {
    if (product->count == NO_NODE - 1) {
        product->ledger->limit = LIMIT_MEMORY;
        return false;
    }
    if (!LEDGER_ROOM(product->ledger, product->nodes, (size_t)product->count + 1) ||
        !index_add(&product->index, hash_node(node.state, node.set, node.is_tainted),
                   product->count))
        return false;
    assert(node.parent == NO_NODE || node.parent < product->count);
    assert(node.set < product->sets.count && node.state < LEDGER_COUNT(product->lists));
    if (node.set != SET_EMPTY) {
        drop_larger(product, &node);
        if (product->sets.items[node.set].count > 1) {
            node.next = product->lists[node.state];
            product->lists[node.state] = product->count + 1;
        }
    }
    product->nodes[product->count++] = node;
    product->after += node.set == SET_EMPTY;
    product->is_tainted |= node.is_tainted;
    return true;
}

/* The node of a state and a set, which may be new; NO_NODE if it is left out. False at a limit. */
static bool add_node(struct trace_product *product, uint32_t state, uint32_t set, uint32_t parent,
                     uint32_t choice, uint32_t *number) {
    bool is_tainted = product->sets.items[set].has_error;
    uint32_t depth = 0;
    if (parent != NO_NODE) {
        is_tainted |= product->nodes[parent].is_tainted;
        depth = product->nodes[parent].depth + 1;
    }
    *number = find(product, state, set, is_tainted);
    if (*number != NO_NODE) return true;
    if (!cover_states(product)) return false;
    if (is_covered(product, state, set, is_tainted)) return true;
    *number = product->count;
    return append(product, (struct product_node){.state = state,
                                                 .set = set,
                                                 .parent = parent,
                                                 .choice = choice,
                                                 .depth = depth & 0x3fffffff,
                                                 .is_tainted = is_tainted});
}

/* Failures */

/* Notes the labels of a concrete state's steps. */
static bool mark_labels(struct trace_product *product, uint32_t state) {
    const struct lts *lts = product->sides[SIDE_CONCRETE];
    if (!LEDGER_ROOM_ZEROED(product->ledger, product->label_marks,
                            lts->finder.labeller.labels->list.count))
        return false;
    if (!++product->mark_round) {
        memset(product->label_marks, 0, ledger_bytes(product->label_marks));
        product->mark_round = 1;
    }
    for (uint32_t i = 0; i < lts->nodes[state].count; i++)
        product->label_marks[lts_edges(lts, state)[i].label] = product->mark_round;
    return true;
}

/* Whether a stable abstract state offers nothing but what is marked. */
static bool offers_marked(const struct trace_product *product, uint32_t row) {
    const struct lts *lts = product->sides[SIDE_ABSTRACT];
    if (!lts->nodes[row].is_stable) return false;
    for (uint32_t i = 0; i < lts->nodes[row].count; i++)
        if (product->label_marks[lts_edges(lts, row)[i].label] != product->mark_round) return false;
    return true;
}

/* False at a limit. Whether the concrete state refuses more than any state of the set: *fails. What
 * it refuses because of a runtime error says nothing. */
static bool look_at_refusals(struct trace_product *product, const struct product_node *node,
                             bool *fails) {
    const struct lts_node *state = &product->sides[SIDE_CONCRETE]->nodes[node->state];
    *fails = false;
    if (!state->is_stable || state->has_error) return true;
    if (!mark_labels(product, node->state)) return false;
    const struct state_set *set = &product->sets.items[node->set];
    *fails = node->set != SET_EMPTY;
    for (uint32_t i = 0; i < set->count && *fails; i++)
        *fails = !offers_marked(product, set_members(&product->sets, node->set)[i]);
    return true;
}

/* Steps */

static void note_failure(struct trace_product *product, enum product_failure failure, uint32_t node,
                         uint32_t choice) {
    assert(node < product->count);
    if (product->nodes[node].is_tainted || product->failure != FAILURE_NONE) return;
    product->failure = failure;
    product->failed_node = node;
    product->failed_choice = choice;
}

/* Where the abstract model can be after an edge; NO_SET at a limit. */
static uint32_t set_after(struct trace_product *product, uint32_t set, struct lts_edge edge) {
    if (edge.label != LABEL_HIDDEN && set != SET_EMPTY)
        set = state_sets_step(&product->sets, set, edge.label);
    return set;
}

static bool follow(struct trace_product *product, uint32_t number, uint32_t choice) {
    const struct lts *lts = product->sides[SIDE_CONCRETE];
    struct product_node node = product->nodes[number];
    assert(choice < lts->nodes[node.state].count);
    struct lts_edge edge = lts_edges(lts, node.state)[choice];
    uint32_t set = set_after(product, node.set, edge), target;
    if (set == NO_SET) return false;
    if (set == SET_EMPTY && node.set != SET_EMPTY) {
        note_failure(product, FAILURE_BLOCKED, number, choice);
        if (node.is_tainted || !product->options.is_full) return true;
    }
    if (!add_node(product, edge.target, set, number, choice, &target)) return false;
    product->transitions++;
    return true;
}

static bool expand(struct trace_product *product, uint32_t number) {
    struct lts *lts = product->sides[SIDE_CONCRETE];
    uint32_t state = product->nodes[number].state;
    assert(number < product->count && !product->nodes[number].is_dropped);
    bool fails = false;
    if (!lts_expand(lts, state)) return false;
    if (product->options.has_failures &&
        !look_at_refusals(product, &product->nodes[number], &fails))
        return false;
    if (fails) note_failure(product, FAILURE_REFUSED, number, 0);
    for (uint32_t i = 0; i < lts->nodes[state].count; i++) {
        if (product->failure != FAILURE_NONE && !product->options.is_full) return true;
        if (!follow(product, number, i)) return false;
    }
    return true;
}

/* Looking ahead: what the next nodes need is asked for before they are expanded */

/* Where the abstract states of a set go with a label, as far as the effort lasts. */
static void ask_after(struct trace_product *product, uint32_t set, uint32_t label,
                      uint32_t *effort) {
    struct lts *lts = product->sides[SIDE_ABSTRACT];
    const uint32_t *members = set_members(&product->sets, set);
    for (uint32_t i = 0; i < product->sets.items[set].count && *effort; i++) {
        uint32_t count;
        const struct lts_edge *edges = lts_edges_of(lts, members[i], label, &count);
        --*effort;
        for (uint32_t k = 0; k < count && *effort; k++, --*effort)
            if (!lts_is_expanded(lts, edges[k].target)) ahead_ask(&lts->ahead, edges[k].target);
    }
    if (ahead_is_full(&lts->ahead)) *effort = 0;
}

/* Asks for all labels of the concrete state, as far as they are known. */
static void ask_abstract(struct trace_product *product, const struct product_node *node,
                         uint32_t *effort) {
    const struct lts *lts = product->sides[SIDE_CONCRETE];
    const struct step_finder *finder;
    struct label_key key;
    uint32_t label = LABEL_HIDDEN;
    const bool is_expanded = lts_is_expanded(lts, node->state);
    const struct found_row *found = ahead_find(&lts->ahead, node->state, &finder);
    uint32_t count = is_expanded ? lts->nodes[node->state].count : found ? found->count : 0;
    for (uint32_t i = 0; i < count && *effort; i++) {
        uint32_t before = label;
        if (is_expanded) {
            label = lts_edges(lts, node->state)[i].label;
        } else {
            finder_key(finder, &finder->steps.items[found->first + i], &key);
            label = labels_find(lts->finder.labeller.labels, &key);
        }
        if (label != LABEL_HIDDEN && label != NO_LABEL && label != before)
            ask_after(product, node->set, label, effort);
    }
}

/* Nodes from here on, as many as are there and can be asked for at once. */
static void look_ahead(struct trace_product *product, uint32_t first) {
    struct lts *concrete = product->sides[SIDE_CONCRETE], *abstract = product->sides[SIDE_ABSTRACT];
    uint32_t last = first, effort = AHEAD_EFFORT;
    for (; last < product->count && last - first < AHEAD_ROWS; last++)
        if (!product->nodes[last].is_dropped &&
            !lts_is_expanded(concrete, product->nodes[last].state))
            ahead_ask(&concrete->ahead, product->nodes[last].state);
    assert(last > first); /* so that it goes on */
    product->ahead_end = last;
    if (last - first < AHEAD_LEAST) return;
    ahead_run(&concrete->ahead);
    for (uint32_t i = first; i < last; i++)
        if (!product->nodes[i].is_dropped) ask_abstract(product, &product->nodes[i], &effort);
    ahead_run(&abstract->ahead);
}

/* The whole */

static bool tick(struct trace_product *product) {
    double now = clock_seconds();
    if (product->options.progress && now >= product->next_progress) {
        product->next_progress = now + 1;
        product->options.progress(product->options.context, product->count);
    }
    return ledger_has_time(product->ledger);
}

/* False at a limit, which the ledger notes. Borrows both sides; close it either way. */
bool product_open(struct trace_product *product, struct lts *concrete, struct lts *abstract,
                  const struct product_options *options, struct ledger *ledger) {
    *product = (struct trace_product){.sides = {concrete, abstract},
                                      .options = *options,
                                      .ledger = ledger,
                                      .index.memory = ledger_memory(ledger),
                                      .next_progress = clock_seconds() + 1};
    return state_sets_open(&product->sets, abstract, ledger);
}

/* False at a limit; else all nodes are there. */
bool product_run(struct trace_product *product) {
    uint32_t number, first = state_sets_closure(&product->sets, 0);
    if (first == NO_SET || !add_node(product, 0, first, NO_NODE, 0, &number)) return false;
    for (uint32_t i = 0; i < product->count; i++) {
        if (i % TICK == 0 && !tick(product)) return false;
        if (product->options.looks_ahead && i == product->ahead_end) look_ahead(product, i);
        if (product->nodes[i].is_dropped) continue;
        if (!expand(product, i)) return false;
        if (product->failure != FAILURE_NONE && !product->options.is_full) return true;
    }
    return true;
}

bool product_follow(struct trace_product *product, uint32_t number, uint32_t choice,
                    uint32_t *target) {
    struct product_node node = product->nodes[number];
    assert(number < product->count &&
           choice < product->sides[SIDE_CONCRETE]->nodes[node.state].count);
    struct lts_edge edge = lts_edges(product->sides[SIDE_CONCRETE], node.state)[choice];
    uint32_t set = set_after(product, node.set, edge);
    if (set == NO_SET) return false;
    *target =
        find(product, edge.target, set, node.is_tainted || product->sets.items[set].has_error);
    return true;
}

/* Gives its memory back to the ledger. */
void product_close(struct trace_product *product) {
    struct ledger *ledger = product->ledger;
    LEDGER_GIVE(ledger, product->nodes);
    index_close(&product->index);
    LEDGER_GIVE(ledger, product->lists, product->label_marks);
    state_sets_close(&product->sets);
}
