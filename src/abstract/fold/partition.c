/* See partition.h. */
#include "abstract/fold/partition.h"

#include "abstract/edge/express.h"
#include "abstract/edge/open_edge.h"
#include "abstract/fold/joint.h"
#include "expr/build.h"
#include "expr/find.h"

void partition_add(struct partition *partition, const struct open_edge *open) {
    for (uint32_t i = 0; i < open->ghost_values.count; i++) {
        const struct ghost_value *value = &open->ghost_values.items[i];
        bool is_known = false;
        for (uint32_t k = 0; k < partition->ghost_values.count; k++)
            is_known |= partition->ghost_values.items[k]->ghost == value->ghost;
        if (is_known) continue;
        VEC_PUSH(partition->arena, &partition->ghost_values, value);
        VEC_PUSH(partition->arena, &partition->open_edges, open);
    }
}

struct partition_block *partition_block(struct partition *partition,
                                        const struct joint_values *joint) {
    uint32_t count = partition->ghost_values.count;
    int32_t *values = ARENA_ARRAY(partition->arena, int32_t, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        const struct expr *value =
            joint_substitute(joint, partition->open_edges.items[i], partition->arena,
                             partition->ghost_values.items[i]->value);
        partition->gave_up |= !closed_value(partition->context, value, &values[i]);
    }
    for (uint32_t i = 0; i < partition->blocks.count; i++)
        if (partition->gave_up ||
            !memcmp(partition->blocks.items[i]->values, values, count * sizeof *values))
            return partition->blocks.items[i];
    struct partition_block *block = ARENA_NEW(partition->arena, struct partition_block);
    *block = (struct partition_block){.values = values,
                                      .may = build_bool(partition->arena, false),
                                      .is_new = true,
                                      .is_same = true};
    chain_init(&block->clauses, partition->arena, OP_AND);
    block->is_member = ARENA_ARRAY(partition->arena, bool, partition->member_count + 1);
    VEC_PUSH(partition->arena, &partition->blocks, block);
    return block;
}

/* Tests */

struct rows { /* blocks alike in the ghosts before, and which of them are meant */
    struct partition_block *const *blocks;
    bool *is_in;
    uint32_t count;
};

static uint32_t add_value(int32_t *values, uint32_t count, int32_t value) {
    uint32_t at = 0;
    while (at < count && values[at] < value) at++;
    if (at < count && values[at] == value) return count;
    for (uint32_t i = count; i > at; i--) values[i] = values[i - 1];
    values[at] = value;
    return count + 1;
}

/* The test that the ghosts from one on have the values of a block that is meant. NULL = always. */
static const struct expr *block_test(struct partition *partition, uint32_t ghost,
                                     const struct rows *rows) {
    struct arena *arena = partition->arena;
    uint32_t in = 0, count = 0;
    for (uint32_t i = 0; i < rows->count; i++) in += rows->is_in[i];
    if (in == rows->count) return NULL;
    if (!in) return build_bool(arena, false);
    int32_t *values = ARENA_ARRAY(arena, int32_t, rows->count);
    for (uint32_t i = 0; i < rows->count; i++)
        count = add_value(values, count, rows->blocks[i]->values[ghost]);
    const struct expr **tests = ARENA_ARRAY(arena, const struct expr *, count);
    for (uint32_t v = 0; v < count; v++) {
        struct partition_block **blocks = ARENA_ARRAY(arena, struct partition_block *, rows->count);
        struct rows inner = {blocks, ARENA_ARRAY(arena, bool, rows->count), 0};
        for (uint32_t i = 0; i < rows->count; i++) {
            if (rows->blocks[i]->values[ghost] != values[v]) continue;
            inner.is_in[inner.count] = rows->is_in[i];
            blocks[inner.count++] = rows->blocks[i];
        }
        tests[v] = block_test(partition, ghost + 1, &inner);
    }
    const struct symbol *symbol = partition->ghost_values.items[ghost]->ghost->symbol;
    const struct expr *result = build_bool(arena, false);
    bool *is_done = ARENA_ARRAY(arena, bool, count), *is_in = ARENA_ARRAY(arena, bool, count);
    for (uint32_t v = 0; v < count; v++) {
        if (is_done[v] || expr_is_false(tests[v])) continue;
        for (uint32_t i = 0; i < count; i++) {
            is_in[i] = expr_equal(tests[i], tests[v]);
            is_done[i] |= is_in[i];
        }
        const struct expr *here = ghost_test(arena, symbol, values, is_in, count);
        result = fold_or(arena, result, build_and(arena, here, tests[v]));
    }
    return result;
}

static const struct expr *join(struct partition *partition, const struct expr *const *guards) {
    struct arena *arena = partition->arena;
    uint32_t count = partition->blocks.count;
    const struct expr *result = build_bool(arena, false);
    struct rows rows = {partition->blocks.items, ARENA_ARRAY(arena, bool, count + 1), count};
    bool *is_done = ARENA_ARRAY(arena, bool, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        if (is_done[i] || expr_is_false(guards[i])) continue;
        for (uint32_t k = 0; k < count; k++) {
            bool is_true = expr_is_true(guards[i]) && expr_is_true(guards[k]);
            rows.is_in[k] = is_true || expr_equal(guards[i], guards[k]);
            is_done[k] |= rows.is_in[k];
        }
        const struct expr *test = partition->gave_up ? NULL : block_test(partition, 0, &rows);
        result = fold_or(arena, result, build_and(arena, test, guards[i]));
    }
    return result;
}

const struct expr *partition_may(struct partition *partition) {
    const struct expr **guards =
        ARENA_ARRAY(partition->arena, const struct expr *, partition->blocks.count + 1);
    for (uint32_t i = 0; i < partition->blocks.count; i++)
        guards[i] = partition->blocks.items[i]->may;
    return join(partition, guards);
}

const struct expr *partition_must(struct partition *partition) {
    const struct expr **guards =
        ARENA_ARRAY(partition->arena, const struct expr *, partition->blocks.count + 1);
    if (partition->gave_up) return build_bool(partition->arena, false);
    for (uint32_t i = 0; i < partition->blocks.count; i++)
        guards[i] = partition->blocks.items[i]->clauses.expr;
    return join(partition, guards);
}
