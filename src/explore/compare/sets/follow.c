#include "explore/compare/sets/follow_internal.h"

#include <assert.h>

enum {
    ROW_STORES = 1,
    LOOKS = 2 /* actions that may follow all steps of another one alone */
};

void follow_init(struct follow *follow, struct arena *arena) {
    uint32_t count = follow->level_count;
    follow->alone = NOBODY;
    follow->written = ARENA_ARRAY(arena, uint32_t, count + 1);
    follow->is_written = ARENA_ARRAY(arena, bool, count + 1);
    follow->list = ARENA_ARRAY(arena, uint32_t, count + 1);
    follow->touched = ARENA_ARRAY(arena, uint32_t, count + 1);
    follow->kinds = ARENA_ARRAY(arena, unsigned char, count + 1);
    follow->reads = ARENA_ARRAY(arena, unsigned char, count + 1);
    follow->needs = ARENA_ARRAY(arena, unsigned char, count + 1);
    follow->shown = ARENA_ARRAY(arena, unsigned char, count + 1);
    follow->row = ARENA_ARRAY(arena, uint32_t, count * 2 + 1);
}

/* Actions */

static uint32_t row_length(const struct vector_action *action) {
    uint32_t length = 0;
    for (uint32_t i = 0; i < action->level_count; i++)
        length += (uint32_t)mark_reads(action->kinds[i]) + mark_writes(action->kinds[i]);
    return length;
}

static void add_rows(struct vector_action *action, struct ldd *ldd, uint32_t relation,
                     uint32_t *row, uint32_t length) {
    if (length == action->rows.length) {
        uint32_t *values = set_rows_add(&action->rows);
        if (length) memcpy(values, row, length * sizeof *row);
        ldd_work(ldd, ROW_STORES);
        return;
    }
    assert(length < action->rows.length);
    for (; relation && !ldd_is_over(ldd); relation = ldd->nodes[relation].right) {
        row[length] = ldd->nodes[relation].value;
        add_rows(action, ldd, ldd->nodes[relation].down, row, length + 1);
    }
}

void action_of_event(struct vector_action *action, struct reach *reach, const struct event *event,
                     uint32_t relation) {
    const struct deed *deed = &reach->deeds[event->index];
    assert(!event->stage_count && !deed->is_stage);
    *action = (struct vector_action){
        .levels = deed->levels, .kinds = deed->kinds, .level_count = deed->level_count};
    action->rows.length = row_length(action);
    if (relation == LDD_NONE) return;
    uint32_t *row = ARENA_ARRAY(&reach->arena, uint32_t, action->rows.length + 1);
    add_rows(action, &reach->ldd, relation, row, 0);
}

void action_close(struct vector_action *action) { set_rows_close(&action->rows); }

/* Steps */

/* A set without what is stuck in the other system, which follows by a step to itself, and what the
 * step leaves as it is. */
static uint32_t leave_stuck(struct follow *follow, uint32_t stuck, uint32_t set) {
    struct ldd *ldd = follow->ldd;
    memset(follow->kinds, MARK_SKIP, follow->level_count);
    for (uint32_t i = 0; i < follow->list_count; i++) {
        follow->kinds[follow->list[i]] = MARK_READ;
        follow->row[i] = follow->written[follow->list[i]];
    }
    uint32_t chain = marks_chain(follow->marks, follow->kinds, 0, follow->level_count);
    uint32_t same = set_of(ldd, follow->row, follow->list_count);
    uint32_t still = set_match(ldd, follow->marks, set_intersect(ldd, set, stuck), same, chain);
    return set_minus(ldd, set, still);
}

/* Likewise, where the step and the stay of the other system lead to a pair. */
static uint32_t leave_stuck_pairs(struct follow *follow, uint32_t stuck, uint32_t set) {
    struct ldd *ldd = follow->ldd;
    uint32_t chain;
    memset(follow->kinds, MARK_SKIP, follow->level_count);
    for (uint32_t i = 0; i < follow->list_count; i++) {
        uint32_t level = follow->list[i];
        follow->kinds[level] = follow->is_visible[level] ? MARK_READ : MARK_WRITE;
        follow->row[i] = follow->written[level];
    }
    if (!chain_of_kinds(follow, &chain)) return set;
    uint32_t relation = set_of(ldd, follow->row, follow->list_count);
    uint32_t still = set_intersect(ldd, set, stuck);
    return set_minus(ldd, set,
                     set_preimage(ldd, follow->marks, still, follow->states, relation, chain));
}

/* The subset of a set that no action follows. The actions have their turn from the one on that
 * followed the step before, for it is likely to follow this one, too. */
static uint32_t leave_all(struct follow *follow, const struct vector_system *follows,
                          uint32_t set) {
    uint32_t first = follow->likely < follows->count ? follow->likely : 0;
    bool is_found = false;
    for (uint32_t i = 0; i < follows->count && set != LDD_NONE && !ldd_is_over(follow->ldd); i++) {
        uint32_t at = first + i < follows->count ? first + i : first + i - follows->count;
        uint32_t left = rows_leave(follow, follows, at, set);
        if (left != set && !is_found) follow->likely = at;
        is_found |= left != set;
        set = left;
    }
    return set;
}

/* Whether the current step is followed from a whole set; or what is left of it is noted. */
static bool is_followed(struct follow *follow, const struct vector_system *follows, uint32_t set) {
    if (follow->is_silent) set = leave_stuck(follow, follow->states, set);
    set = leave_all(follow, follows, set);
    if (set != LDD_NONE && follows->stuck != LDD_NONE)
        set = follow->is_paired ? leave_stuck_pairs(follow, follows->stuck, set)
                                : leave_stuck(follow, follows->stuck, set);
    bool is_noted = follow->is_paired || follow->is_collecting;
    if (is_noted) follow->left = set_union(follow->ldd, follow->left, set);
    return set == LDD_NONE || is_noted;
}

/* The rows of an action, with what they write visibly before what they read. */
static uint32_t by_written(struct follow *follow, const struct vector_action *action) {
    struct set_rows rows = {0};
    uint32_t reads = 0;
    follow->list_count = 0;
    for (uint32_t k = 0; k < action->level_count; k++) {
        uint32_t level = action->levels[k];
        reads += mark_reads(action->kinds[k]);
        follow->is_written[level] =
            mark_writes(action->kinds[k]) && (follow->is_visible[level] || follow->is_paired);
        if (follow->is_written[level]) follow->list[follow->list_count++] = level;
    }
    assert(follow->list_count <= action->level_count && reads <= action->level_count);
    rows.length = follow->list_count + reads;
    for (uint32_t i = 0; i < action->rows.count; i++) {
        const uint32_t *value = action->rows.values + (size_t)i * action->rows.length;
        uint32_t *to = set_rows_add(&rows), *read = to + follow->list_count;
        for (uint32_t k = 0; k < action->level_count; k++) {
            if (mark_reads(action->kinds[k])) *read++ = *value++;
            if (!mark_writes(action->kinds[k])) continue;
            if (follow->is_written[action->levels[k]]) *to++ = *value;
            value++;
        }
    }
    uint32_t set =
        rows.length ? set_of_rows(follow->ldd, &rows) : (rows.count ? LDD_UNIT : LDD_NONE);
    set_rows_close(&rows);
    return set;
}

/* One action that follows all steps of another one */

/* A chain for vectors of the shown levels alone, which have other numbers there. */
static uint32_t chain_of_shown(struct follow *follow, const unsigned char *kinds) {
    uint32_t count = 0;
    for (uint32_t level = 0; level < follow->level_count; level++)
        if (follow->shown[level]) follow->kinds[count++] = kinds[level];
    return marks_chain(follow->marks, follow->kinds, 0, count);
}

/* Looks at the set by the levels alone that the step reads or that decide whether the other action
 * follows. */
static void look(struct follow *follow, const struct vector_action *other) {
    uint32_t touched = rows_touched(follow, other), k = 0;
    memset(follow->needs, MARK_SKIP, follow->level_count);
    for (uint32_t i = 0; i < touched; i++) {
        uint32_t level = follow->touched[i];
        bool has_level = k < other->level_count && other->levels[k] == level;
        enum mark_kind kind = has_level ? other->kinds[k++] : MARK_SKIP;
        if (is_level_needed(follow, level, mark_reads(kind), mark_writes(kind)))
            follow->needs[level] = MARK_READ;
    }
    for (uint32_t level = 0; level < follow->level_count; level++)
        follow->shown[level] = follow->reads[level] | follow->needs[level];
    uint32_t chain = marks_chain(follow->marks, follow->shown, 0, follow->level_count);
    follow->look = set_project(follow->ldd, follow->marks, follow->states, chain);
    follow->look_reads = chain_of_shown(follow, follow->reads);
    follow->look_needs = chain_of_shown(follow, follow->needs);
    follow->has_look = true;
}

/* Whether that action follows the current step, where the step reads one of the short vectors. */
static bool is_followed_alone(struct follow *follow, const struct vector_system *follows,
                              uint32_t read) {
    struct ldd *ldd = follow->ldd;
    uint32_t following = rows_following(follow, follows, follow->alone);
    if (following == LDD_NONE) return false;
    if (!follow->has_look) look(follow, &follows->actions[follow->alone]);
    uint32_t from = set_match(ldd, follow->marks, follow->look, read, follow->look_reads);
    return set_unmatch(ldd, follow->marks, from, following, follow->look_needs) == LDD_NONE;
}

/* For all values that are written, from a place of the list on; after them is what is read. */
static bool follow_written(struct follow *follow, const struct vector_system *follows, uint32_t set,
                           uint32_t place, uint32_t reads) {
    struct ldd *ldd = follow->ldd;
    if (ldd_is_over(ldd)) return false;
    if (place == follow->list_count)
        return follow->alone != NOBODY
                   ? is_followed_alone(follow, follows, set)
                   : is_followed(follow, follows,
                                 set_match(ldd, follow->marks, follow->states, set, reads));
    assert(place < follow->list_count);
    bool is_fine = true;
    for (; set && is_fine; set = ldd->nodes[set].right) {
        follow->written[follow->list[place]] = ldd->nodes[set].value;
        is_fine = follow_written(follow, follows, ldd->nodes[set].down, place + 1, reads);
    }
    return is_fine;
}

/* Whether one action follows all steps: only a few are tried for that, as the set is looked at in
 * another way for each. */
static bool is_followed_by_one(struct follow *follow, const struct vector_system *follows,
                               uint32_t rows) {
    uint32_t first = follow->likely < follows->count ? follow->likely : 0, looks = 0;
    bool is_fine = false;
    for (uint32_t i = 0; i < follows->count && looks < LOOKS && !is_fine; i++) {
        uint32_t at = first + i < follows->count ? first + i : first + i - follows->count;
        follow->alone = at;
        follow->has_look = false;
        is_fine = follow_written(follow, follows, rows, 0, MARKS_NONE);
        looks += follow->has_look;
        if (is_fine) follow->likely = at;
    }
    follow->alone = NOBODY;
    return is_fine;
}

static bool follow_action(struct follow *follow, const struct vector_action *action,
                          const struct vector_system *follows) {
    uint32_t rows = by_written(follow, action);
    rows_forget(follow, follows);
    memset(follow->reads, MARK_SKIP, follow->level_count);
    for (uint32_t k = 0; k < action->level_count; k++)
        if (mark_reads(action->kinds[k])) follow->reads[action->levels[k]] = MARK_READ;
    uint32_t reads = marks_chain(follow->marks, follow->reads, 0, follow->level_count);
    size_t held = ldd_hold(follow->ldd, rows);
    follow->is_silent = action->is_silent;
    bool is_fine = (!follow->is_paired && is_followed_by_one(follow, follows, rows)) ||
                   follow_written(follow, follows, rows, 0, reads);
    follow->is_silent = false;
    ldd_release(follow->ldd, held);
    for (uint32_t i = 0; i < follow->list_count; i++) follow->is_written[follow->list[i]] = false;
    return is_fine;
}

/* Likewise a step of each state of a set to itself. */
static bool is_stay_followed(struct follow *follow, const struct vector_system *follows,
                             uint32_t set) {
    follow->list_count = 0;
    rows_forget(follow, follows);
    return is_followed(follow, follows, set);
}

bool follow_all(struct follow *follow, const struct vector_system *moves,
                const struct vector_system *follows) {
    struct ldd *ldd = follow->ldd;
    bool is_fine = true;
    for (uint32_t i = 0; i < moves->count && is_fine && !ldd_is_over(ldd); i++) {
        is_fine = follow_action(follow, &moves->actions[i], follows);
        ldd_safe_point(ldd);
    }
    if (is_fine && !ldd_is_over(ldd)) is_fine = is_stay_followed(follow, follows, moves->stuck);
    return is_fine && !ldd_is_over(ldd);
}

uint32_t follow_left(struct follow *follow, const struct vector_system *moves,
                     const struct vector_system *follows) {
    struct ldd *ldd = follow->ldd;
    size_t at = ldd_hold(ldd, LDD_NONE);
    follow->is_collecting = true;
    follow->left = LDD_NONE;
    for (uint32_t i = 0; i < moves->count && !ldd_is_over(ldd); i++) {
        follow_action(follow, &moves->actions[i], follows);
        ldd->held[at] = follow->left;
        ldd_safe_point(ldd);
    }
    is_stay_followed(follow, follows, moves->stuck);
    follow->is_collecting = false;
    ldd_release(ldd, at);
    return follow->left;
}

/* Pairs */

/* Takes what is left of an action from the pairs, which are held at a place. */
static void take_left(struct follow *follow, size_t at) {
    uint32_t states = set_minus(follow->ldd, follow->states, follow->left);
    if (states != follow->states && follow->layers) set_layers_add(follow->layers, states);
    follow->has_fewer |= states != follow->states;
    follow->states = follow->ldd->held[at] = states;
    follow->left = LDD_NONE;
    ldd_safe_point(follow->ldd);
}

/* Takes the pairs from which steps of one system are not followed to others. */
static void narrow(struct follow *follow, const struct vector_system *moves,
                   const struct vector_system *follows, size_t at) {
    struct ldd *ldd = follow->ldd;
    for (uint32_t i = 0; i < moves->count && !ldd_is_over(ldd); i++) {
        follow_action(follow, &moves->actions[i], follows);
        take_left(follow, at);
    }
    is_stay_followed(follow, follows, set_intersect(ldd, moves->stuck, follow->states));
    take_left(follow, at);
}

bool follow_pairs(struct follow *follow, const struct vector_system systems[SIDE_COUNT],
                  const bool moves[SIDE_COUNT], const uint32_t *vector) {
    struct ldd *ldd = follow->ldd;
    size_t at = ldd_hold(ldd, follow->states);
    assert(follow->derived == UINT32_MAX || follow->derived + 1 == follow->level_count);
    follow->is_paired = true;
    follow->left = LDD_NONE;
    follow->has_overrun = false;
    do {
        follow->has_fewer = false; /* numbers of sets that are gone may come again */
        for (int side = 0; side < SIDE_COUNT; side++)
            if (moves[side])
                narrow(follow, &systems[side], &systems[other_side((enum side)side)], at);
    } while (follow->has_fewer && !follow->has_overrun && !ldd_is_over(ldd) &&
             set_has(ldd, follow->states, vector, follow->level_count));
    follow->is_paired = false;
    return !follow->has_overrun;
}

/* Silence */

/* A row of an action where it changes nothing that is visible, into the current row: false if it
 * does. What it writes there has been there before. */
static bool take_still(struct follow *follow, const struct vector_action *action,
                       const uint32_t *values) {
    uint32_t *to = follow->row;
    for (uint32_t i = 0; i < action->level_count; i++) {
        bool reads = mark_reads(action->kinds[i]), writes = mark_writes(action->kinds[i]);
        bool is_kept = writes && follow->is_visible[action->levels[i]];
        uint32_t read = reads ? *values++ : 0, written = writes ? *values++ : 0;
        if (is_kept && reads && read != written) return false;
        if (reads || is_kept) *to++ = reads ? read : written;
        if (writes) *to++ = written;
    }
    return true;
}

/* The relation of an action where it changes nothing that is visible. */
static uint32_t still_relation(struct follow *follow, const struct vector_action *action,
                               uint32_t *chain) {
    struct set_rows rows = {0};
    memset(follow->kinds, MARK_SKIP, follow->level_count);
    for (uint32_t i = 0; i < action->level_count; i++) {
        unsigned char kind = action->kinds[i];
        if (mark_writes(kind) && follow->is_visible[action->levels[i]]) kind = MARK_READ_WRITE;
        follow->kinds[action->levels[i]] = kind;
        rows.length += (uint32_t)mark_reads(kind) + mark_writes(kind);
    }
    for (uint32_t i = 0; i < action->rows.count; i++) {
        const uint32_t *values = action->rows.values + (size_t)i * action->rows.length;
        if (!take_still(follow, action, values)) continue;
        uint32_t *row = set_rows_add(&rows);
        if (rows.length) memcpy(row, follow->row, rows.length * sizeof *row);
    }
    ldd_work(follow->ldd, rows.count + 1);
    *chain = marks_chain(follow->marks, follow->kinds, 0, follow->level_count);
    uint32_t relation = set_of_rows(follow->ldd, &rows);
    set_rows_close(&rows);
    return relation;
}

/* The subset of a set from which a silent step leads to another one; chains and relations by place
 * among those that are held. */
static uint32_t before_silence(struct follow *follow, const uint32_t *chains, size_t held,
                               uint32_t count, uint32_t set, uint32_t target) {
    struct ldd *ldd = follow->ldd;
    uint32_t found = LDD_NONE;
    for (uint32_t i = 0; i < count && !ldd_is_over(ldd); i++)
        found = set_union(
            ldd, found,
            set_preimage(ldd, follow->marks, set, target, ldd->held[held + i], chains[i]));
    return found;
}

bool follow_silence(struct follow *follow, const struct vector_system *system,
                    struct silence *silence) {
    struct ldd *ldd = follow->ldd;
    uint32_t *chains = ARENA_ARRAY(follow->marks->arena, uint32_t, system->count + 1), count = 0;
    size_t held = ldd->held_count;
    for (uint32_t i = 0; i < system->count; i++)
        if (system->actions[i].is_silent)
            ldd_hold(ldd, still_relation(follow, &system->actions[i], &chains[count++]));
    bool is_fine = follow->marks->items.count <= SETS_MAX_CHAINS;
    size_t at = ldd_hold(ldd, follow->states);
    uint32_t left = LDD_NONE;
    *silence = (struct silence){.has_steps = false};
    while (is_fine && !ldd_is_over(ldd)) {
        left = ldd->held[at];
        ldd->held[at] = before_silence(follow, chains, held, count, left, left);
        silence->has_steps |= ldd->held[at] != LDD_NONE;
        if (ldd->held[at] == left) break;
        ldd_safe_point(ldd);
    }
    silence->may_diverge = left != LDD_NONE;
    ldd_release(ldd, held);
    return is_fine;
}
