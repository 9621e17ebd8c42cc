#include "symmetry/receivers.h"

#include "model/step_path.h"
#include "symmetry/access.h"
#include "symmetry/fail.h"

#include <assert.h>

/* Over: whether a channel may be a broadcast one; NULL: one of several, or chosen. */
static bool may_be_broadcast(const struct symbol *channel) {
    unsigned prefixes = channel ? type_prefixes(channel->type) : PREFIX_BROADCAST;
    /* a reference to an urgent channel may be given an urgent broadcast one */
    return prefixes & PREFIX_BROADCAST || (channel->is_reference && prefixes & PREFIX_URGENT);
}

static bool receives(const struct edge *edge) {
    return edge->sync && !edge->is_send && may_be_broadcast(expr_root(edge->sync));
}

/* Whether one step may have both edges as receivers. */
static bool may_meet(const struct edge *left, const struct edge *right) {
    if (!receives(left) || !receives(right)) return false;
    const struct symbol *one = expr_root(left->sync), *other = expr_root(right->sync);
    return !one || !other || one == other || one->is_reference || other->is_reference;
}

struct receiver_pair {
    struct arena *scratch;
    const struct network *network;
    const struct process *left, *right;
};

static bool constant_of(const struct network *network, const struct process *process,
                        const struct symbol *symbol, int32_t *value) {
    if (symbol->kind != SYMBOL_PARAMETER || symbol->scope != SCOPE_TEMPLATE ||
        symbol->is_reference || symbol->index >= process->template->symbol_count ||
        process->template->symbols[symbol->index] != symbol)
        return false;
    const struct binding *binding = &process->locals[symbol->index];
    if (!binding->shape || binding->shape->kind != SHAPE_CELL ||
        network->slot_of[binding->address] != NO_SLOT)
        return false;
    *value = network->cells[binding->address];
    return true;
}

static bool differ(const void *context, const struct symbol *left, const struct symbol *right) {
    const struct receiver_pair *pair = context;
    int32_t one, other;
    return constant_of(pair->network, pair->left, left, &one) &&
           constant_of(pair->network, pair->right, right, &other) && one != other;
}

/* What a step by the edge does: branchpoints may lead to it, or onward. */
static void add_path(struct text_accesses *accesses, const struct template *template,
                     const struct edge *receiver, struct arena *scratch, struct span *at) {
    for (uint32_t i = 0; i < template->edge_count; i++) {
        const struct edge *edge = &template->edges[i];
        if (!edge->updates.count || !edges_share_path(scratch, template, receiver, edge)) continue;
        accesses_add_list(accesses, &edge->updates);
        if (at) *at = edge->updates.items[0]->span;
    }
}

static bool edges_commute(const struct sorts *sorts, const struct receiver_pair *pair,
                          const struct edge *left, const struct edge *right, struct span *at) {
    struct text_accesses one, other;
    accesses_init(&one, pair->scratch, sorts->network);
    accesses_init(&other, pair->scratch, sorts->network);
    add_path(&one, pair->left->template, left, pair->scratch, at);
    add_path(&other, pair->right->template, right, pair->scratch, NULL);
    return accesses_commute(&one, &other, differ, pair);
}

static bool processes_commute(const struct sorts *sorts, const struct receiver_pair *pair,
                              struct span *at) {
    const struct template *left = pair->left->template, *right = pair->right->template;
    assert(pair->left->index < pair->right->index); /* in the order in which they receive */
    for (uint32_t i = 0; i < left->edge_count; i++)
        for (uint32_t k = 0; k < right->edge_count; k++) {
            const struct edge *one = &left->edges[i], *other = &right->edges[k];
            if (may_meet(one, other) && !edges_commute(sorts, pair, one, other, at)) return false;
        }
    return true;
}

static bool may_receive(const struct template *template) {
    for (uint32_t i = 0; i < template->edge_count; i++)
        if (receives(&template->edges[i])) return true;
    return false;
}

/* Whether some process of the orbit of one comes after one of the orbit of the other. */
static bool may_change_order(const struct network *network, const uint32_t *orbit_of, uint32_t left,
                             uint32_t right) {
    uint32_t last = left, first = right;
    for (uint32_t p = 0; p < network->process_count; p++) {
        if (orbit_of[p] == orbit_of[left] && p > last) last = p;
        if (orbit_of[p] == orbit_of[right] && p < first) first = p;
    }
    return last > first;
}

const enum receiver_order *receivers_orders(struct arena *arena, const struct sorts *sorts,
                                            const uint32_t *orbit_of) {
    const struct network *network = sorts->network;
    uint32_t count = network->process_count;
    enum receiver_order *orders =
        ARENA_ARRAY(arena, enum receiver_order, (size_t)count * count + 1);
    struct arena scratch;
    struct span at;
    arena_init(&scratch);
    for (uint32_t p = 0; p < count; p++)
        for (uint32_t q = p + 1; q < count; q++) {
            struct receiver_pair pair = {&scratch, network, &network->processes[p],
                                         &network->processes[q]};
            if (!may_receive(pair.left->template) || !may_receive(pair.right->template) ||
                processes_commute(sorts, &pair, &at))
                continue;
            orders[(size_t)p * count + q] =
                may_change_order(network, orbit_of, p, q) ? RECEIVERS_TRIED : RECEIVERS_KEPT;
        }
    arena_close(&scratch);
    return orders;
}

bool receivers_commute(struct arena *scratch, const struct sorts *sorts, const uint32_t *process_of,
                       struct span *at) {
    const struct network *network = sorts->network;
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct process *left = &network->processes[p];
        assert(process_of[p] < network->process_count);
        if (!may_receive(left->template)) continue;
        for (uint32_t q = p + 1; q < network->process_count; q++) {
            struct receiver_pair pair = {scratch, network, left, &network->processes[q]};
            if (process_of[p] < process_of[q] || !may_receive(pair.right->template)) continue;
            if (!processes_commute(sorts, &pair, at)) return false;
        }
    }
    return true;
}

bool invariants_commute(struct arena *scratch, const struct network *network,
                        const uint32_t *process_of, struct span *at) {
    const struct model *model = network->model;
    bool *has = ARENA_ARRAY(scratch, bool, model->template_count + 1); /* by template */
    const struct expr **failing =
        ARENA_ARRAY(scratch, const struct expr *, model->template_count + 1);
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t i = 0; i < model->templates[t]->location_count; i++) {
            const struct expr *invariant = invariant_at(network, model->templates[t], i);
            has[t] |= invariant != NULL;
            if (invariant && !expr_cannot_fail(invariant)) failing[t] = invariant;
        }
    for (uint32_t p = 0; p < network->process_count; p++)
        for (uint32_t q = p + 1; q < network->process_count; q++) {
            uint32_t left = network->processes[p].template->index;
            uint32_t right = network->processes[q].template->index;
            const struct expr *first = failing[left] ? failing[left] : failing[right];
            if (process_of[p] < process_of[q] || !has[left] || !has[right] || !first) continue;
            *at = first->span;
            return false;
        }
    return true;
}
