#include "refine/removal_candidates.h"

#include "base/interrupt.h"
#include "suggest/candidate.h"
#include "suggest/trial.h"

#include <assert.h>
#include <string.h>

/* ---- what is known from other queries ---- */

void trial_memo_open(struct trial_memo *memo, struct arena *arena, const struct network *network,
                     const struct abstract_options *abstract) {
    *memo = (struct trial_memo){.arena = arena, .network = network, .abstract = abstract};
}

/* The values by an analysis with a small budget (suggest/candidate.h). */
static struct analysis *trial_memo_values(struct trial_memo *memo) {
    if (!memo->has_values)
        memo->values = suggest_values(memo->network, memo->abstract, memo->arena);
    memo->has_values = !interrupt_is_asked();
    return memo->values;
}

/* Whether a removal alone is refused, or leaves a choice of very many values. */
static bool trial_memo_refuses(struct trial_memo *memo, const char *argument) {
    for (uint32_t i = 0; i < memo->trials.count; i++)
        if (!strcmp(memo->trials.items[i].argument, argument))
            return memo->trials.items[i].is_refused;
    struct abstract_options quick = suggest_quick_options(memo->abstract);
    quick.known = trial_memo_values(memo);
    struct trial trial = trial_run(memo->network, &argument, 1, &quick, memo->arena);
    bool is_refused = trial.outcome == TRIAL_REFUSED || trial.chooses_widely;
    if (!interrupt_is_asked())
        VEC_PUSH(memo->arena, &memo->trials, (struct trial_memo_entry){argument, is_refused});
    return is_refused;
}

static bool trial_memo_is_wide(const struct trial_memo *memo,
                               const struct live_variable *variable) {
    for (uint32_t i = 0; i < memo->wide.count; i++)
        if (memo->wide.items[i] == variable->symbol) return true;
    return false;
}

/* A variable that came back because of such a choice. */
static void trial_memo_add_wide(struct trial_memo *memo, const struct live_variable *variable) {
    if (!trial_memo_is_wide(memo, variable)) VEC_PUSH(memo->arena, &memo->wide, variable->symbol);
}

static void lower(struct removal_candidate *item) {
    assert(item->level != REMOVED_NOTHING);
    item->level = item->level == REMOVED_WHOLE && item->dead ? REMOVED_DEAD : REMOVED_NOTHING;
}

static const char *argument_of(const struct removal_candidate *item) {
    if (item->level == REMOVED_NOTHING) return NULL;
    return item->level == REMOVED_WHOLE ? item->whole : item->dead;
}

/* Without what is not dead. */
static const char *finest_of(const struct removal_candidate *item) {
    return item->level == REMOVED_WHOLE && !item->is_dead ? item->dead : argument_of(item);
}

/* ---- what is removed at first ---- */

static struct removal_candidate *item_of(struct removal_candidates *candidates,
                                         const struct live_variable *variable) {
    for (uint32_t i = 0; i < candidates->list.count; i++)
        if (candidates->list.items[i].variable == variable) return &candidates->list.items[i];
    return NULL;
}

static void add_item(struct removal_candidates *candidates, const struct candidate_removal *removal,
                     bool is_dead, struct arena *arena) {
    VEC_PUSH(arena, &candidates->list,
             (struct removal_candidate){.variable = removal->variable,
                                        .level = REMOVED_WHOLE,
                                        .whole = removal->argument,
                                        .is_dead = is_dead,
                                        .estimate = removal->estimate});
}

static void drop_refused(struct removal_candidates *candidates, struct trial_memo *memo) {
    for (uint32_t i = 0; i < candidates->list.count; i++) {
        struct removal_candidate *item = &candidates->list.items[i];
        for (const char *argument; (argument = argument_of(item)) && !interrupt_is_asked();) {
            if (!trial_memo_refuses(memo, argument)) break;
            lower(item);
        }
    }
}

void removal_candidates_find(struct removal_candidates *candidates, const struct network *network,
                             struct trial_memo *memo, struct arena *arena) {
    assert(network->model->query_count == 1);
    struct candidate_list dead = {0}, lossy = {0};
    struct live *live = live_new(arena, network, network->model->queries, 1);
    candidates_find(live, trial_memo_values(memo), false, arena, &dead, &lossy);
    if (network->model->queries[0].quantifier == QUERY_FORMULA)
        candidates_find_elsewhere(live, trial_memo_values(memo), arena, &dead, &lossy);
    for (uint32_t i = 0; i < lossy.list.count; i++)
        add_item(candidates, &lossy.list.items[i], false, arena);
    for (uint32_t i = 0; i < dead.list.count; i++) {
        const struct candidate_removal *removal = &dead.list.items[i];
        struct removal_candidate *item = item_of(candidates, removal->variable);
        if (item)
            item->dead = removal->argument;
        else
            add_item(candidates, removal, true, arena);
    }
    removal_candidates_drop_wide(candidates, memo);
    drop_refused(candidates, memo);
}

void removal_candidates_drop_wide(struct removal_candidates *candidates,
                                  const struct trial_memo *memo) {
    for (uint32_t i = 0; i < candidates->list.count; i++) {
        struct removal_candidate *item = &candidates->list.items[i];
        if (item->level == REMOVED_WHOLE && trial_memo_is_wide(memo, item->variable)) lower(item);
    }
}

/* ---- in a round ---- */

struct removals removal_candidates_removals(const struct removal_candidates *candidates,
                                            bool removes_dead_only, struct arena *arena) {
    struct removals removals = {ARENA_ARRAY(arena, const char *, candidates->list.count + 1), 0};
    for (uint32_t i = 0; i < candidates->list.count; i++) {
        const struct removal_candidate *item = &candidates->list.items[i];
        const char *argument = removes_dead_only ? finest_of(item) : argument_of(item);
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

bool removal_candidates_lose(const struct removal_candidates *candidates) {
    for (uint32_t i = 0; i < candidates->list.count; i++) {
        const struct removal_candidate *item = &candidates->list.items[i];
        if (item->level == REMOVED_WHOLE && !item->is_dead) return true;
    }
    return false;
}

void removal_candidates_clear(struct removal_candidates *candidates) {
    for (uint32_t i = 0; i < candidates->list.count; i++)
        candidates->list.items[i].is_suspect = false;
}

bool removal_candidates_have_suspect(const struct removal_candidates *candidates) {
    for (uint32_t i = 0; i < candidates->list.count; i++)
        if (candidates->list.items[i].is_suspect) return true;
    return false;
}

/* ---- what comes back ---- */

static const char *name_of(const struct removal_candidate *item, struct arena *arena) {
    return variable_name(arena, item->variable->template, item->variable->symbol);
}

struct put_back removal_candidates_put_back(struct removal_candidates *candidates,
                                            struct arena *arena) {
    struct removal_candidate *least = NULL;
    for (int pass = 0; pass < 3 && !least; pass++)
        for (uint32_t i = 0; i < candidates->list.count; i++) {
            struct removal_candidate *item = &candidates->list.items[i];
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

struct put_back removal_candidates_put_wide_back(struct removal_candidates *candidates,
                                                 struct trial_memo *memo, struct arena *arena) {
    struct buffer names = {0};
    struct put_back back = {0};
    for (uint32_t i = 0; i < candidates->list.count; i++) {
        struct removal_candidate *item = &candidates->list.items[i];
        if (!item->is_suspect || item->level == REMOVED_NOTHING) continue;
        lower(item);
        trial_memo_add_wide(memo, item->variable);
        buffer_printf(&names, "%s%s", names.size ? ", " : "", name_of(item, arena));
    }
    if (names.size) back.names = buffer_take(&names, arena);
    buffer_close(&names);
    return back;
}

struct put_back removal_candidates_put_all_back(struct removal_candidates *candidates) {
    struct put_back back = {0};
    for (uint32_t i = 0; i < candidates->list.count; i++) {
        struct removal_candidate *item = &candidates->list.items[i];
        if (item->is_dead || item->level != REMOVED_WHOLE) continue;
        lower(item);
        back.names = "all that is not dead";
    }
    return back;
}

struct put_back removal_candidates_put_back_for_equal(struct removal_candidates *candidates) {
    struct put_back back = removal_candidates_put_all_back(candidates);
    if (back.names) return back;
    for (uint32_t i = 0; i < candidates->list.count; i++) {
        struct removal_candidate *item = &candidates->list.items[i];
        if (item->level != REMOVED_NOTHING) back.names = "all";
        item->level = REMOVED_NOTHING;
    }
    return back;
}
