#include "abstract/fold/classify.h"

#include "base/map.h"
#include "explore/fair/tag.h"
#include "expr/find.h"

#include <assert.h>

bool residuals_act_alike(struct folder *folder, const struct residual *left,
                         const struct residual *right) {
    const struct open_edge *a = left->open, *b = right->open;
    assert(a->edge && b->edge && a->template == b->template);
    if (a->edge->target != b->edge->target || a->edge->is_send != b->edge->is_send) return false;
    if (a != b && folder->context->rules->is_mixed && !folder->is_joining) return false;
    if (a != b && (open_edge_has_chosen(a) || open_edge_has_chosen(b))) return false;
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

/* The same for all that are alike. */
static uint64_t effect_hash(const struct residual *residual) {
    const struct open_edge *open = residual->open;
    uint64_t hash = hash_mix(open->edge->target, expr_hash(residual->sync));
    hash = hash_mix(hash, expr_hash(residual->passed));
    for (uint32_t i = 0; i < open->items.count; i++)
        hash = hash_mix(hash, expr_hash(residual->items[i]));
    return hash;
}

/* The class of those that are alike, which may be a new one. */
static struct class *class_of(struct folder *folder, struct map *by_hash,
                              const struct residual *residual) {
    uint64_t hash = effect_hash(residual);
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
    map_init(&by_hash, folder->scratch);
    for (uint32_t i = 0; i < folder->residuals.count; i++) {
        struct residual *residual = folder->residuals.items[i];
        bool is_shared = before && before->open == residual->open &&
                         before->items == residual->items && before->sync == residual->sync &&
                         before->passed == residual->passed;
        if (!is_shared) class = class_of(folder, &by_hash, residual);
        VEC_PUSH(folder->scratch, &class->members, residual);
        before = residual;
    }
    assert(folder->classes.count <= folder->residuals.count);
}
