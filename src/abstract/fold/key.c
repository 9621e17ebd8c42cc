/* See key.h. */
#include "abstract/fold/key.h"

#include "abstract/edge/merge.h"
#include "abstract/edge/open_edge.h"
#include "abstract/fold/joint.h"
#include "expr/build.h"
#include "expr/find.h"

void keyed_add(struct keyed *keyed, const struct open_edge *open) {
    for (uint32_t i = 0; i < open->keys.count; i++) {
        const struct merge_key *key = &open->keys.items[i];
        bool is_known = false;
        for (uint32_t k = 0; k < keyed->keys.count; k++)
            is_known |= keyed->keys.items[k]->ghost == key->ghost;
        if (is_known) continue;
        VEC_PUSH(keyed->arena, &keyed->keys, key);
        VEC_PUSH(keyed->arena, &keyed->open_edges, open);
    }
}

struct key_part *keyed_part(struct keyed *keyed, const struct joint_values *joint) {
    uint32_t count = keyed->keys.count;
    int32_t *values = ARENA_ARRAY(keyed->arena, int32_t, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        const struct expr *value = joint_substitute(joint, keyed->open_edges.items[i], keyed->arena,
                                                    keyed->keys.items[i]->value);
        keyed->is_lost |= !merge_constant(keyed->context, value, &values[i]);
    }
    for (uint32_t i = 0; i < keyed->parts.count; i++)
        if (keyed->is_lost ||
            !memcmp(keyed->parts.items[i]->values, values, count * sizeof *values))
            return keyed->parts.items[i];
    struct key_part *part = ARENA_NEW(keyed->arena, struct key_part);
    *part = (struct key_part){
        .values = values, .may = build_bool(keyed->arena, false), .is_new = true, .is_same = true};
    chain_init(&part->clauses, keyed->arena, OP_AND);
    part->is_member = ARENA_ARRAY(keyed->arena, bool, keyed->member_count + 1);
    VEC_PUSH(keyed->arena, &keyed->parts, part);
    return part;
}

/* Tests */

struct rows { /* parts that agree in the keys looked at before, and which of them are meant */
    struct key_part *const *parts;
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

/* The test that the keys from one on are those of a part that is meant. NULL = always. */
static const struct expr *key_test(struct keyed *keyed, uint32_t key, const struct rows *rows) {
    struct arena *arena = keyed->arena;
    uint32_t in = 0, count = 0;
    for (uint32_t i = 0; i < rows->count; i++) in += rows->is_in[i];
    if (in == rows->count) return NULL;
    if (!in) return build_bool(arena, false);
    int32_t *values = ARENA_ARRAY(arena, int32_t, rows->count);
    for (uint32_t i = 0; i < rows->count; i++)
        count = add_value(values, count, rows->parts[i]->values[key]);
    const struct expr **tests = ARENA_ARRAY(arena, const struct expr *, count);
    for (uint32_t v = 0; v < count; v++) {
        struct key_part **parts = ARENA_ARRAY(arena, struct key_part *, rows->count);
        struct rows inner = {parts, ARENA_ARRAY(arena, bool, rows->count), 0};
        for (uint32_t i = 0; i < rows->count; i++) {
            if (rows->parts[i]->values[key] != values[v]) continue;
            inner.is_in[inner.count] = rows->is_in[i];
            parts[inner.count++] = rows->parts[i];
        }
        tests[v] = key_test(keyed, key + 1, &inner);
    }
    const struct symbol *symbol = keyed->keys.items[key]->ghost->symbol;
    const struct expr *result = build_bool(arena, false);
    bool *is_done = ARENA_ARRAY(arena, bool, count), *is_in = ARENA_ARRAY(arena, bool, count);
    for (uint32_t v = 0; v < count; v++) {
        if (is_done[v] || expr_is_false(tests[v])) continue;
        for (uint32_t i = 0; i < count; i++) {
            is_in[i] = expr_equal(tests[i], tests[v]);
            is_done[i] |= is_in[i];
        }
        const struct expr *here = merge_test(arena, symbol, values, is_in, count);
        result = fold_or(arena, result, build_and(arena, here, tests[v]));
    }
    return result;
}

static const struct expr *join(struct keyed *keyed, const struct expr *const *guards) {
    struct arena *arena = keyed->arena;
    uint32_t count = keyed->parts.count;
    const struct expr *result = build_bool(arena, false);
    struct rows rows = {keyed->parts.items, ARENA_ARRAY(arena, bool, count + 1), count};
    bool *is_done = ARENA_ARRAY(arena, bool, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        if (is_done[i] || expr_is_false(guards[i])) continue;
        for (uint32_t k = 0; k < count; k++) {
            bool is_true = expr_is_true(guards[i]) && expr_is_true(guards[k]);
            rows.is_in[k] = is_true || expr_equal(guards[i], guards[k]);
            is_done[k] |= rows.is_in[k];
        }
        const struct expr *test = keyed->is_lost ? NULL : key_test(keyed, 0, &rows);
        result = fold_or(arena, result, build_and(arena, test, guards[i]));
    }
    return result;
}

const struct expr *keyed_may(struct keyed *keyed) {
    const struct expr **guards =
        ARENA_ARRAY(keyed->arena, const struct expr *, keyed->parts.count + 1);
    for (uint32_t i = 0; i < keyed->parts.count; i++) guards[i] = keyed->parts.items[i]->may;
    return join(keyed, guards);
}

const struct expr *keyed_must(struct keyed *keyed) {
    const struct expr **guards =
        ARENA_ARRAY(keyed->arena, const struct expr *, keyed->parts.count + 1);
    if (keyed->is_lost) return build_bool(keyed->arena, false);
    for (uint32_t i = 0; i < keyed->parts.count; i++)
        guards[i] = keyed->parts.items[i]->clauses.expr;
    return join(keyed, guards);
}
