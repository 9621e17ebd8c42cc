/* Rows of one action that follow a step, and where. */
#include "explore/compare/sets/follow_internal.h"

#include <assert.h>

enum { PAIR_PART = 8 /* rows that are compared for one result */ };
#define UNUSED UINT32_MAX     /* an index that was not asked for yet, */
#define USED (UINT32_MAX - 1) /* or once: it is made when it is asked for again */

/* Whether the action writes a level to what the step writes there, or does not follow. */
static bool is_key(const struct follow *follow, const struct vector_action *action, uint32_t k) {
    uint32_t level = action->levels[k];
    return mark_writes(action->kinds[k]) && follow->is_written[level] && follow->is_visible[level];
}

/* The numbers of the rows, each after what it writes as key. */
static uint32_t make_index(struct follow *follow, const struct vector_action *action) {
    struct set_rows keys = {.length = 1};
    for (uint32_t k = 0; k < action->level_count; k++) keys.length += is_key(follow, action, k);
    ldd_work(follow->ldd, action->rows.count);
    for (uint32_t i = 0; i < action->rows.count; i++) {
        const uint32_t *value = action->rows.values + (size_t)i * action->rows.length;
        uint32_t *key = set_rows_add(&keys);
        for (uint32_t k = 0; k < action->level_count; k++) {
            value += mark_reads(action->kinds[k]);
            if (is_key(follow, action, k)) *key++ = *value;
            value += mark_writes(action->kinds[k]);
        }
        *key = i;
    }
    uint32_t index = set_of_rows(follow->ldd, &keys);
    set_rows_close(&keys);
    return index;
}

/* Rows that may follow the step: all of an action, until it pays to list them. */
struct row_walk {
    const struct vector_action *action;
    bool is_listed;
    uint32_t at; /* the next row, or its place in a list */
    uint32_t looked;
};

static struct row_walk walk_rows(struct follow *follow, const struct vector_system *follows,
                                 uint32_t number) {
    const struct vector_action *action = &follows->actions[number];
    struct row_walk walk = {.action = action};
    uint32_t *index = &follow->indexes[number];
    if (*index == UNUSED) {
        *index = USED;
        return walk;
    }
    if (*index == USED) *index = make_index(follow, action);
    walk.is_listed = true;
    walk.at = *index;
    for (uint32_t k = 0; k < action->level_count && walk.at; k++) {
        if (!is_key(follow, action, k)) continue;
        const struct ldd_node *nodes = follow->ldd->nodes;
        uint32_t value = follow->written[action->levels[k]];
        while (walk.at && nodes[walk.at].value < value) walk.at = nodes[walk.at].right;
        walk.at = walk.at && nodes[walk.at].value == value ? nodes[walk.at].down : LDD_NONE;
    }
    return walk;
}

/* The values of the next row, or NULL. */
static const uint32_t *next_row(const struct follow *follow, struct row_walk *walk) {
    const struct set_rows *rows = &walk->action->rows;
    uint32_t row = walk->at;
    if (walk->is_listed ? !row : row == rows->count) return NULL;
    walk->looked++;
    walk->at = walk->is_listed ? follow->ldd->nodes[row].right : row + 1;
    if (walk->is_listed) row = follow->ldd->nodes[row].value;
    return rows->values + (size_t)row * rows->length;
}

/* Actions have other keys for the next action of steps. */
void rows_forget(struct follow *follow, const struct vector_system *follows) {
    if (follow->index_count < follows->count) {
        follow->index_count = follows->count;
        follow->indexes = ARENA_ARRAY(follow->marks->arena, uint32_t, follows->count);
    }
    for (uint32_t i = 0; i < follows->count; i++) follow->indexes[i] = UNUSED;
}

/* One row that may follow */

/* The levels that the step writes or the other action looks at. */
uint32_t rows_touched(struct follow *follow, const struct vector_action *action) {
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

/* Whether it depends on the value of a level that a row follows. */
bool is_level_needed(const struct follow *follow, uint32_t level, bool reads, bool writes) {
    return reads || (follow->is_visible[level] && follow->is_written[level] != writes);
}

/* Whether the row may lead to the same value as the step; needed: only where the level has had the
 * value needed. */
static bool meets(const struct follow *follow, uint32_t level, const struct touch *touch,
                  bool *is_needed, uint32_t *needed) {
    bool is_written = follow->is_written[level];
    uint32_t kept = is_written ? follow->written[level] : touch->written;
    *is_needed = is_level_needed(follow, level, touch->reads, touch->writes);
    *needed = touch->reads ? touch->read : kept;
    if (!follow->is_visible[level] || (!is_written && !touch->writes)) return true;
    if (is_written && touch->writes) return touch->written == kept;
    return *needed == kept;
}

/* What a row of an action does to a level; levels come in ascending order, and both places move on
 * past what is looked at. */
static struct touch next_touch(const struct vector_action *action, uint32_t level, uint32_t *k,
                               const uint32_t **values) {
    struct touch touch = {0};
    if (*k == action->level_count || action->levels[*k] != level) return touch;
    touch.reads = mark_reads(action->kinds[*k]);
    touch.writes = mark_writes(action->kinds[(*k)++]);
    if (touch.reads) touch.read = *(*values)++;
    if (touch.writes) touch.written = *(*values)++;
    return touch;
}

/* The short vectors in which a row follows the step, into the current row: false if there are none.
 * The kinds say which levels they have. */
static bool take_row(struct follow *follow, const struct vector_action *action, uint32_t touched,
                     const uint32_t *values, uint32_t *length) {
    uint32_t k = 0;
    *length = 0;
    for (uint32_t i = 0; i < touched; i++) {
        uint32_t level = follow->touched[i], needed;
        struct touch touch = next_touch(action, level, &k, &values);
        bool is_needed;
        if (!meets(follow, level, &touch, &is_needed, &needed)) return false;
        follow->kinds[level] = is_needed ? MARK_READ : MARK_SKIP;
        if (is_needed) follow->row[(*length)++] = needed;
    }
    assert(k == action->level_count); /* all that it looks at was touched */
    return true;
}

/* What becomes of a level where both step: false if it stays as it is. */
static bool is_changed(const struct follow *follow, uint32_t level, const struct touch *touch,
                       uint32_t *after) {
    bool is_own = follow->is_written[level];
    *after = is_own ? follow->written[level] : touch->written;
    return follow->is_visible[level] ? is_own && touch->writes : is_own || touch->writes;
}

/* A row of the relation by which the step and a row that follows it lead to a pair, into the row at
 * hand, but for the derived level: false if there is none. The kinds say which levels it has. */
static bool take_both(struct follow *follow, const struct vector_action *action, uint32_t touched,
                      const uint32_t *values, uint32_t *length) {
    uint32_t k = 0;
    *length = 0;
    for (uint32_t i = 0; i < touched; i++) {
        uint32_t level = follow->touched[i], needed, after;
        struct touch touch = next_touch(action, level, &k, &values);
        bool is_needed;
        if (!meets(follow, level, &touch, &is_needed, &needed)) return false;
        bool writes = is_changed(follow, level, &touch, &after);
        follow->kinds[level] = writes ? (is_needed ? MARK_READ_WRITE : MARK_WRITE)
                                      : (is_needed ? MARK_READ : MARK_SKIP);
        if (is_needed) follow->row[(*length)++] = needed;
        if (writes) follow->row[(*length)++] = after;
    }
    return true;
}

/* Adds the current row, with any value of the derived level. */
static void add_both(struct follow *follow, struct set_rows *found, uint32_t length) {
    uint32_t count = follow->derived == UINT32_MAX ? 1 : 2;
    found->length = length + count - 1;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *row = set_rows_add(found);
        if (length) memcpy(row, follow->row, length * sizeof *row);
        if (count > 1) row[length] = i;
    }
}

/* The chain of the current kinds; false if there would be too many. */
bool chain_of_kinds(struct follow *follow, uint32_t *chain) {
    follow->has_overrun |= follow->marks->items.count > SETS_MAX_CHAINS - follow->level_count;
    if (follow->has_overrun) return false;
    *chain = marks_chain(follow->marks, follow->kinds, 0, follow->level_count);
    return true;
}

/* The subset of a set of pairs that an action does not follow to a pair. */
static uint32_t leave_pairs(struct follow *follow, const struct vector_system *follows,
                            uint32_t number, uint32_t set) {
    const struct vector_action *action = &follows->actions[number];
    struct row_walk walk = walk_rows(follow, follows, number);
    struct set_rows found = {0};
    uint32_t touched = rows_touched(follow, action), length, chain;
    memset(follow->kinds, MARK_SKIP, follow->level_count);
    for (const uint32_t *values; (values = next_row(follow, &walk));)
        if (take_both(follow, action, touched, values, &length)) add_both(follow, &found, length);
    ldd_work(follow->ldd, walk.looked / PAIR_PART + 1);
    if (found.count && follow->derived != UINT32_MAX)
        follow->kinds[follow->derived] =
            mark_reads(follow->kinds[follow->derived]) ? MARK_READ_WRITE : MARK_WRITE;
    if (found.count && chain_of_kinds(follow, &chain))
        set = set_minus(follow->ldd, set,
                        set_preimage(follow->ldd, follow->marks, set, follow->states,
                                     set_of_rows(follow->ldd, &found), chain));
    set_rows_close(&found);
    return set;
}

/* The short vectors in which an action follows the step. */
uint32_t rows_following(struct follow *follow, const struct vector_system *follows,
                        uint32_t number) {
    const struct vector_action *action = &follows->actions[number];
    struct row_walk walk = walk_rows(follow, follows, number);
    struct set_rows found = {0};
    uint32_t touched = rows_touched(follow, action), length;
    memset(follow->kinds, MARK_SKIP, follow->level_count);
    for (const uint32_t *values; (values = next_row(follow, &walk));) {
        if (!take_row(follow, action, touched, values, &length)) continue;
        assert(!found.count || found.length == length);
        found.length = length;
        memcpy(set_rows_add(&found), follow->row, length * sizeof *follow->row);
    }
    ldd_work(follow->ldd, walk.looked / PAIR_PART + 1);
    uint32_t following = set_of_rows(follow->ldd, &found);
    set_rows_close(&found);
    return following;
}

/* The subset of a set that an action does not follow. */
uint32_t rows_leave(struct follow *follow, const struct vector_system *follows, uint32_t number,
                    uint32_t set) {
    if (follow->is_paired) return leave_pairs(follow, follows, number, set);
    uint32_t following = rows_following(follow, follows, number);
    if (following == LDD_NONE) return set;
    uint32_t chain = marks_chain(follow->marks, follow->kinds, 0, follow->level_count);
    return set_unmatch(follow->ldd, follow->marks, set, following, chain);
}
