#include "abstract/fold/classify.h"

#include "base/map.h"
#include "explore/fair/tag.h"
#include "expr/find.h"

#include <assert.h>

/* Put together, a guard that fails would take the steps of the others (N5). */
static bool fail_alike(const struct open_edge *a, const struct open_edge *b) {
    return !a->is_safe_unsaid && !b->is_safe_unsaid && expr_equal(a->safe_where, b->safe_where);
}

bool residuals_act_alike(struct folder *folder, const struct residual *left,
                         const struct residual *right) {
    const struct open_edge *a = left->open, *b = right->open;
    assert(a->edge && b->edge && a->template == b->template);
    if (a->edge->target != b->edge->target || a->edge->is_send != b->edge->is_send) return false;
    if (a != b && folder->context->rules->is_mixed && !folder->is_joining) return false;
    if (a != b && (open_edge_has_chosen(a) || open_edge_has_chosen(b))) return false;
    if (a != b && !folder->is_joining && !fail_alike(a, b)) return false;
    if (!expr_equal(left->sync, right->sync) || a->items.count != b->items.count) return false;
    for (uint32_t i = 0; i < a->items.count; i++)
        if (!expr_equal(left->items[i], right->items[i])) return false;
    if (a->edge->xml->is_controllable != b->edge->xml->is_controllable) return false;
    if (a != b && !edge_tags_are_same(a->edge, b->edge)) return false; /* R2.2 */
    return fold_selects_alike(folder, a, b);
}

bool residuals_are_alike(struct folder *folder, const struct residual *left,
                         const struct residual *right) {
    return expr_equal(left->passed, right->passed) && residuals_act_alike(folder, left, right);
}

/* Hashes of expressions by where they stand in an edge: most do not depend on the values, so that
 * they are those of the residual before. */
struct known_hashes {
    const struct expr **exprs;
    uint64_t *hashes;
};

static uint64_t hash_at(struct known_hashes *known, uint32_t at, const struct expr *expr) {
    if (!expr || known->exprs[at] != expr) known->hashes[at] = expr_hash(expr);
    known->exprs[at] = expr;
    return known->hashes[at];
}

/* The same for all that are alike. */
static uint64_t effect_hash(struct known_hashes *known, const struct residual *residual) {
    const struct open_edge *open = residual->open;
    uint64_t hash = hash_mix(open->edge->target, hash_at(known, 0, residual->sync));
    hash = hash_mix(hash, hash_at(known, 1, residual->passed));
    for (uint32_t i = 0; i < open->items.count; i++)
        hash = hash_mix(hash, hash_at(known, i + 2, residual->items[i]));
    return hash;
}

static struct known_hashes no_hashes(const struct folder *folder) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < folder->open_edge_count; i++)
        if (folder->open_edges[i]->items.count > most) most = folder->open_edges[i]->items.count;
    return (struct known_hashes){ARENA_ARRAY(folder->scratch, const struct expr *, most + 2),
                                 ARENA_ARRAY(folder->scratch, uint64_t, most + 2)};
}

/* The class of those that are alike, which may be a new one. */
static struct class *class_of(struct folder *folder, struct map *by_hash,
                              struct known_hashes *known, const struct residual *residual) {
    uint64_t hash = effect_hash(known, residual);
    struct class *first = map_get(by_hash, hash), *last = first;
    for (struct class *class = first; class; class = class->next) {
        if (residuals_are_alike(folder, class->members.items[0], residual)) return class;
        last = class;
    }
    struct class *class = ARENA_NEW(folder->scratch, struct class);
    VEC_PUSH(folder->scratch, &folder->classes, class);
    if (last)
        last->next = class;
    else
        map_put(by_hash, hash, class);
    return class;
}

/* Values that make no difference to an effect share it, and mostly follow each other. */
void residuals_classify(struct folder *folder) {
    struct map by_hash;
    struct class *class = NULL;
    const struct residual *before = NULL;
    struct known_hashes known = no_hashes(folder);
    map_init(&by_hash, folder->scratch);
    for (uint32_t i = 0; i < folder->residuals.count; i++) {
        struct residual *residual = folder->residuals.items[i];
        bool is_shared = before && before->open == residual->open &&
                         before->items == residual->items && before->sync == residual->sync &&
                         before->passed == residual->passed;
        if (!is_shared) class = class_of(folder, &by_hash, &known, residual);
        VEC_PUSH(folder->scratch, &class->members, residual);
        before = residual;
    }
    assert(folder->classes.count <= folder->residuals.count);
}
