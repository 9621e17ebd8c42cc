#include "symmetry/receivers.h"

#include "model/step_path.h"
#include "symmetry/access.h"
#include "symmetry/fail.h"

#include <assert.h>

enum { MOST_ACCESSES = 1 << 8 }; /* of one receiver, which else is taken to commute with none */

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

struct receiver {
    const struct edge *edge;
    struct text_accesses accesses; /* of the whole path of its step */
    struct span at;                /* of an update on it */
};

struct receiver_pair {
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

/* What steps by the edge do: branchpoints may lead to it, or onward. */
static struct receiver *receiver_new(const struct receiving *receivers,
                                     const struct template *template, const struct edge *edge) {
    struct receiver *receiver = ARENA_NEW(receivers->arena, struct receiver);
    struct step_path path;
    receiver->edge = edge;
    accesses_init(&receiver->accesses, receivers->arena, receivers->network);
    step_path_open(&path, template, edge);
    for (uint32_t i = 0; i < template->edge_count; i++) {
        const struct expr_list *updates = &template->edges[i].updates;
        if (!path.has[i] || !updates->count || receiver->accesses.is_unknown) continue;
        accesses_add_list(&receiver->accesses, updates);
        receiver->at = updates->items[0]->span;
        receiver->accesses.is_unknown |= receiver->accesses.list.count > MOST_ACCESSES;
    }
    step_path_close(&path);
    return receiver;
}

void receivers_init(struct receiving *receivers, struct arena *arena,
                    const struct network *network) {
    *receivers = (struct receiving){.arena = arena, .network = network};
    receivers->of =
        ARENA_ARRAY(arena, struct template_receivers, network->model->template_count + 1);
}

static const struct template_receivers *receivers_of(struct receiving *receivers,
                                                     const struct template *template) {
    struct template_receivers *own = &receivers->of[template->index];
    for (uint32_t i = 0; i < template->edge_count && !own->is_listed; i++)
        if (receives(&template->edges[i]))
            VEC_PUSH(receivers->arena, &own->list,
                     receiver_new(receivers, template, &template->edges[i]));
    own->is_listed = true;
    return own;
}

static bool processes_commute(struct receiving *receivers, const struct process *left,
                              const struct process *right, struct span *at) {
    const struct receiver_pair pair = {receivers->network, left, right};
    const struct template_receivers *ones = receivers_of(receivers, left->template),
                                    *others = receivers_of(receivers, right->template);
    assert(left->index < right->index); /* in the order in which they receive */
    for (uint32_t i = 0; i < ones->list.count; i++)
        for (uint32_t k = 0; k < others->list.count; k++) {
            const struct receiver *one = ones->list.items[i], *other = others->list.items[k];
            if (!may_meet(one->edge, other->edge) ||
                accesses_commute(&one->accesses, &other->accesses, differ, &pair))
                continue;
            *at = one->at;
            return false;
        }
    return true;
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

const enum receiver_order *receivers_orders(struct receiving *receivers, const uint32_t *orbit_of) {
    const struct network *network = receivers->network;
    uint32_t count = network->process_count;
    enum receiver_order *orders =
        ARENA_ARRAY(receivers->arena, enum receiver_order, (size_t)count * count + 1);
    struct span at;
    for (uint32_t p = 0; p < count; p++)
        for (uint32_t q = p + 1; q < count; q++) {
            if (processes_commute(receivers, &network->processes[p], &network->processes[q], &at))
                continue;
            orders[(size_t)p * count + q] =
                may_change_order(network, orbit_of, p, q) ? RECEIVERS_TRIED : RECEIVERS_KEPT;
        }
    return orders;
}

bool receivers_commute(struct receiving *receivers, const uint32_t *process_of, struct span *at) {
    const struct network *network = receivers->network;
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct process *left = &network->processes[p];
        assert(process_of[p] < network->process_count);
        if (!receivers_of(receivers, left->template)->list.count) continue;
        for (uint32_t q = p + 1; q < network->process_count; q++)
            if (process_of[p] > process_of[q] &&
                !processes_commute(receivers, left, &network->processes[q], at))
                return false;
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
