#include "abstract/fold/partition.h"

#include "abstract/edge/express.h"
#include "abstract/edge/open_edge.h"
#include "abstract/fold/residual.h"
#include "expr/build.h"
#include "expr/chain.h"
#include "expr/find.h"
#include "expr/simplify.h"

#include <assert.h>

struct partition_block {
    int32_t *values;          /* by side */
    const struct expr *first; /* what the first tuple said */
    const struct expr *some;  /* tuple says this */
    struct chain every;       /* tuple says this; empty where all say the same */
    bool is_same;
};

/* No joint values yet: partition_include brings them. */
void partition_init(struct partition *partition, struct context *context, struct arena *arena) {
    *partition = (struct partition){.context = context, .arena = arena, .joint = {.arena = arena}};
}

/* Sides */

static void add_side(struct partition *partition, struct partition_side side) {
    for (uint32_t i = 0; i < partition->sides.count; i++) {
        const struct partition_side *other = &partition->sides.items[i];
        if (side.ghost ? other->ghost && other->ghost->ghost == side.ghost->ghost
                       : !other->ghost && other->column == side.column)
            return;
    }
    VEC_PUSH(partition->arena, &partition->sides, side);
}

void partition_include(struct partition *partition, const struct open_edge *open) {
    assert(!partition->values); /* a side that came later would split blocks */
    joint_add(&partition->joint, open);
    for (uint32_t i = 0; i < open->ghost_values.count; i++)
        add_side(partition, (struct partition_side){&open->ghost_values.items[i], open, NO_SLOT});
    for (uint32_t i = 0; i < open->unknowns.count; i++) {
        const struct unknown *unknown = open->unknowns.items[i];
        if (!unknown->is_chosen && unknown->class_count > 1 &&
            !expr_has_unknown(unknown->access->child[1]))
            add_side(partition,
                     (struct partition_side){.column = joint_find(&partition->joint, unknown)});
    }
}

/* Where the side has one of the values that are in; only those listed occur. NULL = always. */
static const struct expr *side_test(const struct partition *partition,
                                    const struct partition_side *side, const int32_t *values,
                                    const bool *is_in, uint32_t count) {
    struct arena *arena = partition->arena;
    if (side->ghost) return ghost_test(arena, side->ghost->ghost->symbol, values, is_in, count);
    const struct unknown *unknown = partition->joint.list.items[side->column];
    const struct expr *in = build_bool(arena, false), *out = in;
    for (uint32_t i = 0; i < count; i++) {
        assert(values[i] >= 0 && (uint32_t)values[i] < unknown->class_count);
        const struct expr **list = is_in[i] ? &in : &out;
        *list = fold_or(arena, *list, unknown->classes[values[i]].condition);
    }
    if (!in || !out) return in; /* by conditions that are true wherever they are asked */
    const struct expr *not_out = build_not(arena, out);
    return expr_size(not_out, UINT32_MAX) < expr_size(in, UINT32_MAX) ? not_out : in;
}

/* Blocks */

void partition_begin(struct partition *partition) {
    partition->blocks.count = 0;
    partition->is_same = true;
    partition->values = ARENA_ARRAY(partition->arena, int32_t, partition->sides.count + 1);
    joint_restart(&partition->joint);
}

static struct partition_block *block_new(struct partition *partition) {
    struct arena *arena = partition->arena;
    uint32_t count = partition->sides.count;
    struct partition_block *block = ARENA_NEW(arena, struct partition_block);
    block->values = ARENA_ARRAY(arena, int32_t, count + 1);
    memcpy(block->values, partition->values, count * sizeof *block->values);
    VEC_PUSH(arena, &partition->blocks, block);
    return block;
}

/* The block of the current tuple, or NULL. */
static struct partition_block *find_block(struct partition *partition) {
    struct joint_values *joint = &partition->joint;
    uint32_t count = partition->sides.count;
    struct arena scratch; /* there may be very many tuples */
    assert(partition->values);
    arena_init(&scratch);
    for (uint32_t i = 0; i < count; i++) {
        const struct partition_side *side = &partition->sides.items[i];
        if (!side->ghost) partition->values[i] = (int32_t)joint->class_of[side->column];
        if (!side->ghost) continue;
        const struct expr *value =
            joint_substitute(joint, side->open, &scratch, side->ghost->value);
        partition->gave_up |= !closed_value(partition->context, value, &partition->values[i]);
    }
    arena_close(&scratch);
    partition->is_same &= !partition->gave_up;
    for (uint32_t i = 0; i < partition->blocks.count; i++)
        if (partition->gave_up || !memcmp(partition->blocks.items[i]->values, partition->values,
                                          count * sizeof *partition->values))
            return partition->blocks.items[i];
    return NULL;
}

/* Under: compares trees, so that a condition written in another way counts as another. */
bool partition_has_said(struct partition *partition, const struct expr *holds) {
    const struct partition_block *block = find_block(partition);
    return block && expr_equal(block->first, expr_is_true(holds) ? NULL : holds);
}

bool partition_say(struct partition *partition, const struct expr *holds) {
    struct arena *arena = partition->arena;
    struct partition_block *block = find_block(partition);
    if (expr_is_true(holds)) holds = NULL;
    if (!block) {
        block = block_new(partition);
        block->first = block->some = holds;
        block->is_same = true;
        return true;
    }
    if (expr_equal(block->first, holds)) return false;
    const struct expr *before = block->is_same ? NULL : block->every.expr, *some = block->some;
    bool is_new = block->is_same;
    if (block->is_same) chain_init(&block->every, arena, OP_AND);
    if (block->is_same) chain_add(&block->every, block->first);
    partition->is_same = block->is_same = false;
    block->some = fold_or(arena, block->some, holds);
    if (!expr_is_false(block->every.expr)) chain_add(&block->every, holds);
    return is_new || block->every.expr != before || !expr_equal(block->some, some);
}

/* Tests */

struct rows { /* blocks alike in the sides before, and which of them are meant */
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
    assert(at == count || value < values[at + 1]);
    return count + 1;
}

/* The test that the sides from one on are those of a block that is meant. NULL = always. */
static const struct expr *block_test(struct partition *partition, uint32_t side,
                                     const struct rows *rows) {
    struct arena *arena = partition->arena;
    uint32_t in = 0, count = 0;
    for (uint32_t i = 0; i < rows->count; i++) in += rows->is_in[i];
    if (in == rows->count) return NULL;
    if (!in) return build_bool(arena, false);
    assert(side < partition->sides.count);
    int32_t *values = ARENA_ARRAY(arena, int32_t, rows->count);
    for (uint32_t i = 0; i < rows->count; i++)
        count = add_value(values, count, rows->blocks[i]->values[side]);
    const struct expr **tests = ARENA_ARRAY(arena, const struct expr *, count);
    for (uint32_t v = 0; v < count; v++) {
        struct partition_block **blocks = ARENA_ARRAY(arena, struct partition_block *, rows->count);
        struct rows inner = {blocks, ARENA_ARRAY(arena, bool, rows->count), 0};
        for (uint32_t i = 0; i < rows->count; i++) {
            if (rows->blocks[i]->values[side] != values[v]) continue;
            inner.is_in[inner.count] = rows->is_in[i];
            blocks[inner.count++] = rows->blocks[i];
        }
        assert(inner.count && inner.count <= rows->count);
        tests[v] = block_test(partition, side + 1, &inner);
    }
    const struct expr *result = build_bool(arena, false);
    bool *is_done = ARENA_ARRAY(arena, bool, count), *is_in = ARENA_ARRAY(arena, bool, count);
    for (uint32_t v = 0; v < count; v++) {
        if (is_done[v] || expr_is_false(tests[v])) continue;
        for (uint32_t i = 0; i < count; i++) {
            is_in[i] = expr_equal(tests[i], tests[v]);
            is_done[i] |= is_in[i];
        }
        const struct expr *here =
            side_test(partition, &partition->sides.items[side], values, is_in, count);
        result = fold_or(arena, result, build_and(arena, here, tests[v]));
    }
    return result;
}

enum said { SAID_OF_SOME, SAID_OF_EVERY, SAID_WHERE_DIFFERING };

static const struct expr *said_by(const struct partition_block *block, enum said what,
                                  const struct expr *no) {
    if (block->is_same) return what == SAID_WHERE_DIFFERING ? no : block->first;
    return what == SAID_OF_EVERY ? block->every.expr : block->some;
}

/* What blocks say, each on its side. No test is needed where all others are true, unless its
 * evaluation could fail there. */
static const struct expr *join(struct partition *partition, enum said what) {
    struct arena *arena = partition->arena;
    uint32_t count = partition->blocks.count;
    const struct expr *result = build_bool(arena, false);
    const struct expr **said = ARENA_ARRAY(arena, const struct expr *, count + 1);
    struct rows rows = {partition->blocks.items, ARENA_ARRAY(arena, bool, count + 1), count};
    bool *is_done = ARENA_ARRAY(arena, bool, count + 1);
    for (uint32_t i = 0; i < count; i++) said[i] = said_by(rows.blocks[i], what, result);
    for (uint32_t i = 0; i < count; i++) {
        if (is_done[i] || expr_is_false(said[i])) continue;
        bool is_alone = !expr_is_true(said[i]) && !expr_can_fault(said[i]);
        for (uint32_t k = 0; k < count; k++) {
            rows.is_in[k] = expr_equal(said[i], said[k]);
            is_done[k] |= rows.is_in[k];
            is_alone &= rows.is_in[k] || expr_is_true(said[k]);
        }
        const struct expr *test = partition->gave_up ? NULL : block_test(partition, 0, &rows);
        const struct expr *here = build_and(arena, test, said[i]);
        result = fold_or(arena, result, is_alone && !expr_is_false(here) ? said[i] : here);
    }
    return result;
}

const struct expr *partition_may(struct partition *partition) {
    return join(partition, SAID_OF_SOME);
}

/* False where the partition gave up: it has lost what some block says. */
const struct expr *partition_must(struct partition *partition) {
    return partition->gave_up ? build_bool(partition->arena, false)
                              : join(partition, SAID_OF_EVERY);
}

const struct expr *partition_differing(struct partition *partition) {
    return join(partition, partition->gave_up ? SAID_OF_SOME : SAID_WHERE_DIFFERING);
}
