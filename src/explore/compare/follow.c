#include "explore/compare/follow.h"

#include <assert.h>

enum { ROW_STORES = 1, PAIR_PART = 8 /* rows that are compared for one result */ };

void follow_init(struct follow *follow, struct arena *arena) {
    uint32_t count = follow->level_count;
    follow->written = ARENA_ARRAY(arena, uint32_t, count + 1);
    follow->is_written = ARENA_ARRAY(arena, bool, count + 1);
    follow->list = ARENA_ARRAY(arena, uint32_t, count + 1);
    follow->touched = ARENA_ARRAY(arena, uint32_t, count + 1);
    follow->kinds = ARENA_ARRAY(arena, unsigned char, count + 1);
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

/* One row that may follow */

/* The levels that the step writes or the other action looks at. */
static uint32_t find_touched(struct follow *follow, const struct vector_action *action) {
    uint32_t count = 0, i = 0, k = 0;
    while (i < follow->list_count || k < action->level_count) {
        bool is_own = k == action->level_count ||
                      (i < follow->list_count && follow->list[i] <= action->levels[k]);
        uint32_t level = is_own ? follow->list[i] : action->levels[k];
        if (i < follow->list_count && follow->list[i] == level) i++;
        if (k < action->level_count && action->levels[k] == level) k++;
        assert(count < follow->level_count); /* ascending, each once */
        follow->touched[count++] = level;
    }
    return count;
}

/* One level of a row: what it reads and writes there. */
struct touch {
    bool reads, writes;
    uint32_t read, written;
};

/* Whether the row may lead to the same value as the step; needed: only where the level has had the
 * value needed. */
static bool meets(const struct follow *follow, uint32_t level, const struct touch *touch,
                  bool *is_needed, uint32_t *needed) {
    bool is_written = follow->is_written[level];
    *is_needed = touch->reads;
    *needed = touch->read;
    if (!follow->is_visible[level] || (!is_written && !touch->writes)) return true;
    if (is_written && touch->writes) return touch->written == follow->written[level];
    uint32_t kept = is_written ? follow->written[level] : touch->written;
    if (touch->reads) return touch->read == kept;
    *is_needed = true;
    *needed = kept;
    return true;
}

/* The short vectors in which a row follows the step, into the row at hand: false if there are none.
 * The kinds say which levels they have. */
static bool take_row(struct follow *follow, const struct vector_action *action, uint32_t touched,
                     const uint32_t *values, uint32_t *length) {
    uint32_t k = 0;
    *length = 0;
    for (uint32_t i = 0; i < touched; i++) {
        uint32_t level = follow->touched[i], needed;
        struct touch touch = {0};
        bool is_needed;
        if (k < action->level_count && action->levels[k] == level) {
            touch.reads = mark_reads(action->kinds[k]);
            touch.writes = mark_writes(action->kinds[k++]);
            if (touch.reads) touch.read = *values++;
            if (touch.writes) touch.written = *values++;
        }
        if (!meets(follow, level, &touch, &is_needed, &needed)) return false;
        follow->kinds[level] = is_needed ? MARK_READ : MARK_SKIP;
        if (is_needed) follow->row[(*length)++] = needed;
    }
    assert(k == action->level_count); /* all that it looks at was touched */
    return true;
}

/* The subset of a set that an action does not follow. */
static uint32_t leave(struct follow *follow, const struct vector_action *action, uint32_t set) {
    struct set_rows found = {0};
    uint32_t touched = find_touched(follow, action), length;
    memset(follow->kinds, MARK_SKIP, follow->level_count);
    ldd_work(follow->ldd, action->rows.count / PAIR_PART + 1);
    for (uint32_t i = 0; i < action->rows.count; i++) {
        const uint32_t *values = action->rows.values + (size_t)i * action->rows.length;
        if (!take_row(follow, action, touched, values, &length)) continue;
        assert(!found.count || found.length == length);
        found.length = length;
        memcpy(set_rows_add(&found), follow->row, length * sizeof *follow->row);
    }
    if (found.count && !found.length) set = LDD_NONE; /* everywhere */
    if (found.count && found.length) {
        uint32_t chain = marks_chain(follow->marks, follow->kinds, 0, follow->level_count);
        set = set_unmatch(follow->ldd, follow->marks, set, set_of_rows(follow->ldd, &found), chain);
    }
    set_rows_close(&found);
    return set;
}

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

/* Whether the step at hand is followed from a whole set. */
static bool is_followed(struct follow *follow, const struct vector_system *follows, uint32_t set) {
    const struct ldd *ldd = follow->ldd;
    if (follow->is_silent) set = leave_stuck(follow, follow->states, set);
    for (uint32_t i = 0; i < follows->count && set != LDD_NONE && !ldd_is_over(ldd); i++)
        set = leave(follow, &follows->actions[i], set);
    if (set != LDD_NONE && follows->stuck != LDD_NONE)
        set = leave_stuck(follow, follows->stuck, set);
    return set == LDD_NONE;
}

/* The rows of an action, with what they write visibly before what they read. */
static uint32_t by_written(struct follow *follow, const struct vector_action *action) {
    struct set_rows rows = {0};
    uint32_t reads = 0;
    follow->list_count = 0;
    for (uint32_t k = 0; k < action->level_count; k++) {
        uint32_t level = action->levels[k];
        reads += mark_reads(action->kinds[k]);
        follow->is_written[level] = mark_writes(action->kinds[k]) && follow->is_visible[level];
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

/* For all values that are written, from a place of the list on; behind them is what is read. */
static bool follow_written(struct follow *follow, const struct vector_system *follows, uint32_t set,
                           uint32_t place, uint32_t reads) {
    struct ldd *ldd = follow->ldd;
    if (ldd_is_over(ldd)) return false;
    if (place == follow->list_count)
        return is_followed(follow, follows,
                           set_match(ldd, follow->marks, follow->states, set, reads));
    assert(place < follow->list_count);
    bool is_fine = true;
    for (; set && is_fine; set = ldd->nodes[set].right) {
        follow->written[follow->list[place]] = ldd->nodes[set].value;
        is_fine = follow_written(follow, follows, ldd->nodes[set].down, place + 1, reads);
    }
    return is_fine;
}

static bool follow_action(struct follow *follow, const struct vector_action *action,
                          const struct vector_system *follows) {
    uint32_t rows = by_written(follow, action);
    memset(follow->kinds, MARK_SKIP, follow->level_count);
    for (uint32_t k = 0; k < action->level_count; k++)
        if (mark_reads(action->kinds[k])) follow->kinds[action->levels[k]] = MARK_READ;
    uint32_t reads = marks_chain(follow->marks, follow->kinds, 0, follow->level_count);
    size_t held = ldd_hold(follow->ldd, rows);
    follow->is_silent = action->is_silent;
    bool is_fine = follow_written(follow, follows, rows, 0, reads);
    follow->is_silent = false;
    ldd_release(follow->ldd, held);
    for (uint32_t i = 0; i < follow->list_count; i++) follow->is_written[follow->list[i]] = false;
    return is_fine;
}

bool follow_all(struct follow *follow, const struct vector_system *moves,
                const struct vector_system *follows) {
    struct ldd *ldd = follow->ldd;
    bool is_fine = true;
    for (uint32_t i = 0; i < moves->count && is_fine && !ldd_is_over(ldd); i++) {
        is_fine = follow_action(follow, &moves->actions[i], follows);
        ldd_safe_point(ldd);
    }
    follow->list_count = 0; /* to itself */
    if (is_fine && !ldd_is_over(ldd)) is_fine = is_followed(follow, follows, moves->stuck);
    return is_fine && !ldd_is_over(ldd);
}

/* Silence */

/* A row of an action where it changes nothing that is visible, into the row at hand: false if it
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
