#include "abstract/fold/timing_choice.h"

#include "abstract/fold/classify.h"
#include "abstract/fold/guard.h"
#include "abstract/fold/timing_fold.h"
#include "base/map.h"
#include "expr/find.h"

#include <assert.h>

enum { MAX_SETS_OF = 5, MAX_CONDITIONS = 32, MAX_FOLDS = 256 };

/* Classes that differ in their condition on clocks only. */
struct family {
    struct class *classes[MAX_CONDITIONS];
    uint32_t count; /* more than there is room for: none is added */
    bool is_exact;  /* all of them: nothing can be gained */
    struct family *next;
};

/* A set of the classes of a family, as a mask, whose conditions have an edge. */
struct condition_set {
    uint64_t set;
    const struct expr *guard;
};

/* Families of one location, by hash of what they do. */
struct families {
    struct map by_hash;
    VEC(struct family *) list;
};

static const struct expr *condition_of(const struct class *class) {
    assert(class->members.count > 0);
    return class->members.items[0]->passed;
}

/* Not what may fail for other values than its own (M8), nor receivers on a channel on which nobody
 * sends any more (U2). */
static bool may_join(const struct folder *folder, const struct class *class) {
    const struct expr *condition = condition_of(class);
    return !(condition && expr_can_fault(condition)) &&
           !open_edge_receives_broadcast(folder->context, class->members.items[0]->open);
}

static void add_to_family(struct folder *folder, struct families *families, struct class *class) {
    const struct residual *residual = class->members.items[0];
    uint64_t key = hash_mix(residual->open->edge->target, expr_hash(residual->sync));
    for (uint32_t i = 0; i < residual->open->items.count; i++)
        key = hash_mix(key, expr_hash(residual->items[i]));
    struct family *first = map_get(&families->by_hash, key), *family = first;
    while (family && !residuals_act_alike(folder, family->classes[0]->members.items[0], residual))
        family = family->next;
    if (!family) {
        family = ARENA_NEW(folder->arena, struct family);
        *family = (struct family){.is_exact = true, .next = first};
        map_put(&families->by_hash, key, family);
        VEC_PUSH(folder->arena, &families->list, family);
    }
    if (family->count < MAX_CONDITIONS) family->classes[family->count] = class;
    family->count++;
    family->is_exact &= class->is_exact;
}

/* One class for the classes of a set; NULL if there is no time at which it can be taken. */
static struct class *join_classes(struct folder *folder, const struct family *family,
                                  uint64_t set) {
    const struct expr *condition = NULL;
    struct class *joined = ARENA_NEW(folder->arena, struct class);
    for (uint32_t i = 0; i < family->count; i++)
        if (set >> i & 1)
            condition = timing_join(folder->arena, condition, condition_of(family->classes[i]));
    assert(set && family->count <= MAX_CONDITIONS);
    if (condition && expr_is_false(condition)) return NULL;
    for (uint32_t i = 0; i < family->count; i++) {
        const struct class *class = family->classes[i];
        for (uint32_t k = 0; k < class->members.count && (set >> i & 1); k++) {
            struct residual *member = ARENA_NEW(folder->arena, struct residual);
            *member = *class->members.items[k];
            member->passed = condition;
            VEC_PUSH(folder->arena, &joined->members, member);
        }
    }
    return joined;
}

/* Adds the class of a set, unless some of its conditions are enough for the same guard. */
static void add_set(struct folder *folder, const struct family *family, uint64_t set,
                    struct condition_set *sets, uint32_t *count) {
    struct class *joined = join_classes(folder, family, set);
    if (!joined) return;
    fold_guard_of(folder, joined);
    if (expr_is_false(joined->guard)) return;
    for (uint32_t i = 0; i < *count; i++)
        if ((sets[i].set & ~set) == 0 && expr_equal(sets[i].guard, joined->guard)) return;
    sets[(*count)++] = (struct condition_set){set, joined->guard};
    joined->is_exact = false;
    VEC_PUSH(folder->arena, &folder->classes, joined);
}

static uint32_t size_of(uint64_t set) {
    uint32_t size = 0;
    for (; set; set &= set - 1) size++;
    return size;
}

/* By size, so that smaller sets are there when greater ones ask. */
static void choose(struct folder *folder, const struct family *family, uint32_t *folds) {
    struct condition_set sets[MAX_CONDITIONS + (1 << MAX_SETS_OF)];
    uint32_t count = 0;
    uint64_t all = (UINT64_C(1) << family->count) - 1;
    assert(family->count > 1 && family->count <= MAX_CONDITIONS);
    for (uint32_t i = 0; i < family->count; i++)
        if (!expr_is_false(family->classes[i]->guard))
            sets[count++] = (struct condition_set){UINT64_C(1) << i, family->classes[i]->guard};
    for (uint32_t size = 2; size < family->count && family->count <= MAX_SETS_OF; size++)
        for (uint64_t set = 0; set < all && *folds < MAX_FOLDS; set++)
            if (size_of(set) == size) {
                add_set(folder, family, set, sets, &count);
                (*folds)++;
            }
    add_set(folder, family, all, sets, &count);
    (*folds)++;
}

void fold_timing_choices(struct folder *folder) {
    assert(folder->context->rules->is_universal);
    struct families families = {0};
    uint32_t classes = folder->classes.count, folds = 0;
    bool has_condition = false;
    map_init(&families.by_hash, folder->arena);
    for (uint32_t i = 0; i < folder->residuals.count && !has_condition; i++)
        has_condition = folder->residuals.items[i]->passed;
    for (uint32_t i = 0; i < classes && has_condition; i++)
        if (may_join(folder, folder->classes.items[i]))
            add_to_family(folder, &families, folder->classes.items[i]);
    for (uint32_t i = 0; i < families.list.count && folds < MAX_FOLDS; i++) {
        const struct family *family = families.list.items[i];
        if (!family->is_exact && family->count > 1 && family->count <= MAX_CONDITIONS)
            choose(folder, family, &folds);
    }
}
