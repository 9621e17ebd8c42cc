#include "explore/knowledge/in_mixed.h"

#include "lang/syntax/kinds.h"

#include <assert.h>
#include <string.h>

/* Queries that are not answered */

static const char *refusal_of(const struct labelling *labels, const struct formula *node) {
    if (node->kind == FORMULA_ABLE && node->agents.list.count &&
        labels->states->search->network->model->hides_moves)
        return "the edges of this mixed model are not the moves of its original: put the query "
               "into the original, and make the abstraction again";
    if (node->kind == FORMULA_ATOM && expr_is_beyond_state(node->expr))
        return "'deadlock' is not answered on a mixed model: ask the original";
    for (uint32_t i = 0; i < node->agents.list.count; i++) {
        const struct agent *agent = node->agents.list.items[i];
        if (!agent->is_declared)
            return arena_printf(labels->states->arena,
                                "what %s observes of the original is not said in this mixed model: "
                                "ask for it with a query or `observe` in the original",
                                agent->name);
    }
    return NULL;
}

void in_mixed_refuse(struct labelling *labels) {
    for (uint32_t i = 0; i < labels->formulas->nodes.count && !labels->problem; i++) {
        const struct formula *node = &labels->formulas->nodes.items[i];
        labels->problem = refusal_of(labels, node);
        labels->span = node->expr->span;
    }
}

bool in_mixed_knows(const struct formula *node) {
    return node->kind == FORMULA_KNOWS || node->kind == FORMULA_KNOWS_WHAT ||
           node->kind == FORMULA_COMMON || node->kind == FORMULA_DISTRIBUTED;
}

bool in_mixed_is_open(const struct formula *node) {
    return in_mixed_knows(node) || node->kind == FORMULA_EX || node->kind == FORMULA_EF ||
           node->kind == FORMULA_EU || node->kind == FORMULA_EG;
}

/* Knowledge */

bool in_mixed_have_lost(const struct formula *node) {
    for (uint32_t i = 0; i < node->agents.list.count; i++) {
        const struct agent *agent = node->agents.list.items[i];
        if (agent->has_lost || agent->lost_at.count) return true;
    }
    return false;
}

/* One that has lost something in the row; or NULL. */
static const struct agent *loser_at(const struct labelling *labels, const struct formula *node,
                                    uint64_t row) {
    for (uint32_t i = 0; i < node->agents.list.count; i++) {
        const struct agent *agent = node->agents.list.items[i];
        if (indistinguishable_has_lost(label_classes(labels, agent), row)) return agent;
    }
    return NULL;
}

/* Takes the rows out of a set whose class has a real row that is not in the part, where none of the
 * agents that the classes are of has lost something. */
static void leave_real(const struct labelling *labels, const struct indistinguishable *classes,
                       const struct indistinguishable *const *parts, uint32_t count,
                       const uint64_t *part, uint64_t *set) {
    struct all_states *states = labels->states;
    size_t size = label_set_size(labels);
    uint64_t *or_spurious = states_take(states, size, sizeof *or_spurious);
    if (!or_spurious) return;
    for (size_t i = 0; i < size; i++) or_spurious[i] = part[i] | ~labels->mixed.is_real[i];
    for (uint32_t i = 0; i < count; i++)
        EACH_ROW_IN_TIME (states, row)
            if (indistinguishable_has_lost(parts[i], row)) bit_set(or_spurious, row);
    indistinguishable_leave(classes, states, or_spurious, set);
    STATES_GIVE(states, or_spurious);
}

static void may_know(struct labelling *labels, const struct formula *node, const uint64_t *part,
                     uint64_t *set) {
    for (uint32_t i = 0; i < node->agents.list.count; i++) {
        const struct indistinguishable *classes = label_classes(labels, node->agents.list.items[i]);
        leave_real(labels, classes, &classes, 1, part, set);
    }
}

static void may_know_jointly(struct labelling *labels, const struct formula *node,
                             const uint64_t *part, uint64_t *set) {
    struct indistinguishable joint;
    uint32_t count = node->agents.list.count;
    const struct indistinguishable **parts =
        ARENA_ARRAY(labels->states->arena, const struct indistinguishable *, count + 1);
    for (uint32_t i = 0; i < count; i++)
        parts[i] = label_classes(labels, node->agents.list.items[i]);
    indistinguishable_join(&joint, labels->states, parts, count);
    if (joint.of_row) leave_real(labels, &joint, parts, count, part, set);
    indistinguishable_close(&joint, labels->states);
}

/* Takes the rows out of a set whose class with some agent has a real row out of it; says whether
 * that was one. */
static bool leave_by_some(struct labelling *labels, const struct formula *node, uint64_t *set) {
    const struct all_states *states = labels->states;
    uint64_t before = 0, after = 0;
    EACH_ROW (states, row) before += bit_get(set, row);
    for (uint32_t i = 0; i < node->agents.list.count; i++) {
        const struct indistinguishable *classes = label_classes(labels, node->agents.list.items[i]);
        leave_real(labels, classes, &classes, 1, set, set);
    }
    EACH_ROW (states, row) after += bit_get(set, row);
    assert(after <= before); /* so that it ends */
    return after < before;
}

/* A chain goes through real rows; it begins wherever it does. */
static void may_have_in_common(struct labelling *labels, const struct formula *node,
                               uint64_t *set) {
    while (states_go_on(labels->states) && leave_by_some(labels, node, set)) continue;
}

void in_mixed_leave(struct labelling *labels, const struct formula *node, uint64_t *set) {
    size_t size = label_set_size(labels);
    uint64_t *part = states_take(labels->states, size, sizeof *part);
    if (!part) return;
    memcpy(part, set, size * sizeof *part);
    may_know(labels, node, part, set);
    STATES_GIVE(labels->states, part);
}

/* Of a class: the value in a real row of it, and whether there are two. */
struct real_values {
    int32_t *value;
    uint64_t *is_seen, *are_several;
};

static void see_values(struct labelling *labels, uint32_t index,
                       const struct indistinguishable *classes, struct real_values *real) {
    struct all_states *states = labels->states;
    EACH_ROW_IN_TIME (states, row) {
        uint32_t class = classes->of_row[row];
        assert(class < classes->count);
        if (!bit_get(labels->mixed.is_real, row)) continue;
        int32_t value = label_value(labels, index, row);
        if (bit_get(real->is_seen, class) && real->value[class] != value)
            bit_set(real->are_several, class);
        bit_set(real->is_seen, class);
        real->value[class] = value;
    }
}

static void may_know_value(struct labelling *labels, uint32_t index, uint64_t *set) {
    struct all_states *states = labels->states;
    const struct formula *node = &labels->formulas->nodes.items[index];
    const struct indistinguishable *classes = label_classes(labels, node->agents.list.items[0]);
    struct real_values real = {states_take(states, classes->count, sizeof(int32_t)),
                               states_take(states, classes->count / 64 + 1, sizeof(uint64_t)),
                               states_take(states, classes->count / 64 + 1, sizeof(uint64_t))};
    if (states->ledger.limit == LIMIT_NONE) {
        see_values(labels, index, classes, &real);
        EACH_ROW_IN_TIME (states, row) {
            uint32_t class = classes->of_row[row];
            bool is_lost = indistinguishable_has_lost(classes, row);
            if (bit_get(real.are_several, class) && !is_lost) continue;
            if (is_lost || !bit_get(real.is_seen, class) ||
                real.value[class] == label_value(labels, index, row))
                bit_set(set, row);
        }
    }
    STATES_GIVE(states, real.value, real.is_seen, real.are_several);
}

void in_mixed_find(struct labelling *labels, uint32_t index, const uint64_t *part, uint64_t *set) {
    const struct formula *node = &labels->formulas->nodes.items[index];
    assert(labels->is_mixed && in_mixed_knows(node));
    if (node->kind == FORMULA_KNOWS_WHAT) {
        may_know_value(labels, index, set);
        return;
    }
    memcpy(set, part, label_set_size(labels) * sizeof *set); /* a state is the same as itself */
    if (node->kind == FORMULA_KNOWS) may_know(labels, node, part, set);
    if (node->kind == FORMULA_COMMON) may_have_in_common(labels, node, set);
    if (node->kind == FORMULA_DISTRIBUTED) may_know_jointly(labels, node, part, set);
}

/* Why */

static bool is_unknown(const struct labelling *labels, uint32_t index, uint32_t row) {
    return bit_get(labels->possible[index], row) && !bit_get(labels->sets[index], row);
}

static const char *reason_of_steps(const struct labelling *labels) {
    const struct edge_instance *doubt = labels->mixed.doubt;
    if (!labels->mixed.has_doubt) return "it depends on what was removed";
    const struct template *template = doubt->process->template;
    return arena_printf(labels->states->arena,
                        "whether %s has a step from %s to %s depends on what was removed",
                        doubt->process->name, template->locations[doubt->source].name,
                        template->locations[doubt->target].name);
}

static const char *reason_of_loss(const struct labelling *labels, const struct agent *agent) {
    return arena_printf(labels->states->arena,
                        "%s observes something of the original that was removed", agent->name);
}

static const char *reason_of_knowledge(const struct labelling *labels, const struct formula *node,
                                       uint32_t row) {
    const struct agent *loser = loser_at(labels, node, row);
    return loser ? reason_of_loss(labels, loser) : reason_of_steps(labels);
}

/* Somebody whose knowledge is open in some row in which it has lost something; or NULL. */
static const struct agent *loser_in(const struct labelling *labels, uint32_t index) {
    const struct formula *node = &labels->formulas->nodes.items[index];
    const struct all_states *states = labels->states;
    if (!in_mixed_knows(node) || !in_mixed_have_lost(node)) return NULL;
    EACH_ROW (states, row) {
        const struct agent *loser =
            is_unknown(labels, index, (uint32_t)row) ? loser_at(labels, node, row) : NULL;
        if (loser) return loser;
    }
    return NULL;
}

const char *in_mixed_reason(struct labelling *labels, uint32_t index, uint32_t row) {
    const struct formula *node = &labels->formulas->nodes.items[index];
    while (node->kind == FORMULA_NOT || node->kind == FORMULA_AND || node->kind == FORMULA_OR ||
           node->kind == FORMULA_KNOWS) {
        bool is_left = is_unknown(labels, node->left, row);
        if (node->kind == FORMULA_KNOWS && !is_left) break;
        assert(node->left < index && node->right < index);
        index = is_left ? node->left : node->right;
        node = &labels->formulas->nodes.items[index];
    }
    if (in_mixed_knows(node)) return reason_of_knowledge(labels, node, row);
    for (uint32_t i = 0; i < index; i++) { /* what helps if knowledge in it is open */
        const struct agent *loser = label_is_open(labels, i) ? loser_in(labels, i) : NULL;
        if (loser) return reason_of_loss(labels, loser);
    }
    return reason_of_steps(labels);
}
