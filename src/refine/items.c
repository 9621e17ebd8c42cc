/* See items.h. */
#include "refine/items.h"

#include "base/interrupt.h"
#include "suggest/candidate.h"

#include <assert.h>
#include <string.h>

static void lower(struct refine_item *item) {
    assert(item->level != REMOVED_NOTHING);
    item->level = item->level == REMOVED_WHOLE && item->dead ? REMOVED_DEAD : REMOVED_NOTHING;
}

static const char *argument_of(const struct refine_item *item) {
    if (item->level == REMOVED_NOTHING) return NULL;
    return item->level == REMOVED_WHOLE ? item->whole : item->dead;
}

/* Without what is not dead. */
static const char *finest_of(const struct refine_item *item) {
    return item->level == REMOVED_WHOLE && !item->is_dead ? item->dead : argument_of(item);
}

/* ---- what goes at first ---- */

static struct refine_item *item_of(struct refine_items *items,
                                   const struct live_variable *variable) {
    for (uint32_t i = 0; i < items->list.count; i++)
        if (items->list.items[i].variable == variable) return &items->list.items[i];
    return NULL;
}

static void add_item(struct refine_items *items, const struct candidate_removal *removal,
                     bool is_dead, struct arena *arena) {
    VEC_PUSH(arena, &items->list,
             (struct refine_item){.variable = removal->variable,
                                  .level = REMOVED_WHOLE,
                                  .whole = removal->argument,
                                  .is_dead = is_dead,
                                  .estimate = removal->estimate});
}

static void drop_refused(struct refine_items *items, struct learnt *learnt) {
    for (uint32_t i = 0; i < items->list.count; i++) {
        struct refine_item *item = &items->list.items[i];
        for (const char *argument; (argument = argument_of(item)) && !interrupt_is_asked();) {
            if (!learnt_refuses(learnt, argument)) break;
            lower(item);
        }
    }
}

void items_find(struct refine_items *items, const struct network *network, struct learnt *learnt,
                struct arena *arena) {
    assert(network->model->query_count == 1);
    struct candidate_list dead = {0}, lossy = {0};
    struct live *live = live_new(arena, network, network->model->queries, 1);
    candidates_find(live, learnt_values(learnt), false, arena, &dead, &lossy);
    for (uint32_t i = 0; i < lossy.list.count; i++)
        add_item(items, &lossy.list.items[i], false, arena);
    for (uint32_t i = 0; i < dead.list.count; i++) {
        const struct candidate_removal *removal = &dead.list.items[i];
        struct refine_item *item = item_of(items, removal->variable);
        if (item)
            item->dead = removal->argument;
        else
            add_item(items, removal, true, arena);
    }
    items_drop_wide(items, learnt);
    drop_refused(items, learnt);
}

void items_drop_wide(struct refine_items *items, const struct learnt *learnt) {
    for (uint32_t i = 0; i < items->list.count; i++) {
        struct refine_item *item = &items->list.items[i];
        if (item->level == REMOVED_WHOLE && learnt_is_wide(learnt, item->variable)) lower(item);
    }
}

/* ---- in a round ---- */

struct removals items_removals(const struct refine_items *items, bool is_finest,
                               struct arena *arena) {
    struct removals removals = {ARENA_ARRAY(arena, const char *, items->list.count + 1), 0};
    for (uint32_t i = 0; i < items->list.count; i++) {
        const struct refine_item *item = &items->list.items[i];
        const char *argument = is_finest ? finest_of(item) : argument_of(item);
        if (argument) removals.arguments[removals.count++] = argument;
    }
    return removals;
}

bool removals_are_same(const struct removals *left, const struct removals *right) {
    if (left->count != right->count) return false;
    for (uint32_t i = 0; i < left->count; i++)
        if (strcmp(left->arguments[i], right->arguments[i]) != 0) return false;
    return true;
}

bool items_lose(const struct refine_items *items) {
    for (uint32_t i = 0; i < items->list.count; i++) {
        const struct refine_item *item = &items->list.items[i];
        if (item->level == REMOVED_WHOLE && !item->is_dead) return true;
    }
    return false;
}

void items_clear(struct refine_items *items) {
    for (uint32_t i = 0; i < items->list.count; i++) items->list.items[i].is_suspect = false;
}

bool items_has_suspect(const struct refine_items *items) {
    for (uint32_t i = 0; i < items->list.count; i++)
        if (items->list.items[i].is_suspect) return true;
    return false;
}

/* ---- what comes back ---- */

static const char *name_of(const struct refine_item *item, struct arena *arena) {
    return variable_name(arena, item->variable->template, item->variable->symbol);
}

struct put_back items_put_back(struct refine_items *items, struct arena *arena) {
    struct refine_item *least = NULL;
    for (int pass = 0; pass < 3 && !least; pass++)
        for (uint32_t i = 0; i < items->list.count; i++) {
            struct refine_item *item = &items->list.items[i];
            bool is_suspect = pass == 0   ? item->is_suspect
                              : pass == 1 ? !item->is_dead && item->level == REMOVED_WHOLE
                                          : true;
            if (item->level != REMOVED_NOTHING && is_suspect &&
                (!least || item->estimate < least->estimate))
                least = item;
        }
    if (!least) return (struct put_back){0};
    lower(least);
    assert(least->level != REMOVED_WHOLE);
    return (struct put_back){name_of(least, arena), argument_of(least)};
}

struct put_back items_put_wide_back(struct refine_items *items, struct learnt *learnt,
                                    struct arena *arena) {
    struct buffer names = {0};
    struct put_back back = {0};
    for (uint32_t i = 0; i < items->list.count; i++) {
        struct refine_item *item = &items->list.items[i];
        if (!item->is_suspect || item->level == REMOVED_NOTHING) continue;
        lower(item);
        learnt_add_wide(learnt, item->variable);
        buffer_printf(&names, "%s%s", names.size ? ", " : "", name_of(item, arena));
    }
    if (names.size) back.names = buffer_take(&names, arena);
    buffer_close(&names);
    return back;
}

struct put_back items_put_all_back(struct refine_items *items) {
    struct put_back back = {0};
    for (uint32_t i = 0; i < items->list.count; i++) {
        struct refine_item *item = &items->list.items[i];
        if (item->is_dead || item->level != REMOVED_WHOLE) continue;
        lower(item);
        back.names = "all that is not dead";
    }
    return back;
}

struct put_back items_put_back_for_equal(struct refine_items *items) {
    struct put_back back = items_put_all_back(items);
    if (back.names) return back;
    for (uint32_t i = 0; i < items->list.count; i++) {
        struct refine_item *item = &items->list.items[i];
        if (item->level != REMOVED_NOTHING) back.names = "all";
        item->level = REMOVED_NOTHING;
    }
    return back;
}
