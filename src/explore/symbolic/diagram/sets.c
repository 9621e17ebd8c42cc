/* Operations on sets of vectors. All recurse downwards only: along lists they loop. */
#include "explore/symbolic/diagram/sets.h"

#include "base/arena.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Vectors */

uint32_t set_of(struct ldd *ldd, const uint32_t *values, uint32_t count) {
    uint32_t set = LDD_UNIT;
    while (count-- > 0) set = ldd_make(ldd, values[count], set, LDD_NONE);
    return set;
}

uint32_t *set_rows_add(struct set_rows *rows) {
    size_t needed = ((size_t)rows->count + 1) * rows->length;
    assert(rows->count < UINT32_MAX);
    if (needed > rows->capacity || !rows->values) {
        rows->capacity = needed * 2 + 1;
        rows->values = heap_resize(rows->values, rows->capacity, sizeof *rows->values);
    }
    return rows->values + (size_t)rows->count++ * rows->length;
}

void set_rows_close(struct set_rows *rows) {
    free(rows->values);
    free(rows->order);
}

static const uint32_t *row_at(const struct set_rows *rows, uint32_t row) {
    return rows->values + (size_t)row * rows->length;
}

static uint32_t value_at(const struct set_rows *rows, uint32_t row, uint32_t column) {
    return row_at(rows, row)[column];
}

/* Sorts a part of the order by one column. Most parts are in order. */
static void sort_part(const struct set_rows *rows, uint32_t *order, uint32_t *spare, uint32_t count,
                      uint32_t column) {
    uint32_t sorted = 1, half = count / 2, left = 0, right = half;
    while (sorted < count &&
           value_at(rows, order[sorted - 1], column) <= value_at(rows, order[sorted], column))
        sorted++;
    if (sorted >= count) return;
    sort_part(rows, order, spare, half, column);
    sort_part(rows, order + half, spare, count - half, column);
    memcpy(spare, order, count * sizeof *order);
    for (uint32_t i = 0; i < count; i++) {
        bool is_left = right == count || (left < half && value_at(rows, spare[left], column) <=
                                                             value_at(rows, spare[right], column));
        order[i] = spare[is_left ? left++ : right++];
    }
}

/* Of the vectors of a part of the order, from a column on. */
static uint32_t make_list(struct ldd *ldd, const struct set_rows *rows, uint32_t *order,
                          uint32_t *spare, uint32_t count, uint32_t column) {
    if (column == rows->length) return LDD_UNIT;
    if (count == 1) return set_of(ldd, row_at(rows, order[0]) + column, rows->length - column);
    size_t mark = ldd_mark(ldd);
    sort_part(rows, order, spare, count, column);
    for (uint32_t i = 0, next; i < count; i = next) {
        uint32_t value = value_at(rows, order[i], column);
        for (next = i + 1; next < count && value_at(rows, order[next], column) == value;) next++;
        ldd_push(ldd, value, make_list(ldd, rows, order + i, spare, next - i, column + 1));
    }
    return ldd_list(ldd, mark, LDD_NONE);
}

/* None of them waits any more. */
uint32_t set_of_rows(struct ldd *ldd, struct set_rows *rows) {
    uint32_t count = rows->count;
    size_t needed = (size_t)count * 2;
    rows->count = 0;
    if (!count) return LDD_NONE;
    if (needed > rows->order_capacity) {
        rows->order_capacity = needed;
        rows->order = heap_resize(rows->order, needed, sizeof *rows->order);
    }
    for (uint32_t i = 0; i < count; i++) rows->order[i] = i;
    return make_list(ldd, rows, rows->order, rows->order + count, count, 0);
}

/* The item of a list with this value, or LDD_NONE. */
static uint32_t find_value(const struct ldd *ldd, uint32_t list, uint32_t value) {
    while (list && ldd->nodes[list].value < value) list = ldd->nodes[list].right;
    return list && ldd->nodes[list].value == value ? list : LDD_NONE;
}

/* The set's vectors have that length. */
bool set_has(const struct ldd *ldd, uint32_t set, const uint32_t *values, uint32_t count) {
    for (uint32_t i = 0; i < count && set; i++) {
        uint32_t at = find_value(ldd, set, values[i]);
        set = at ? ldd->nodes[at].down : LDD_NONE;
    }
    return set != LDD_NONE;
}

void set_first(const struct ldd *ldd, uint32_t set, uint32_t *values, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        assert(set > LDD_UNIT);
        values[i] = ldd->nodes[set].value;
        set = ldd->nodes[set].down;
    }
    assert(set == LDD_UNIT);
}

/* Union, difference, intersection */

static uint32_t below_two(struct ldd *ldd, enum ldd_operation operation, uint32_t a, uint32_t b) {
    switch (operation) {
    case LDD_UNION: return set_union(ldd, a, b);
    case LDD_MINUS: return set_minus(ldd, a, b);
    default: return set_intersect(ldd, a, b);
    }
}

/* Goes along two lists at once. */
static uint32_t merge_lists(struct ldd *ldd, enum ldd_operation operation, uint32_t a, uint32_t b) {
    uint32_t result, first = a, second = b;
    if (ldd_is_over(ldd)) return LDD_NONE;
    if (ldd_recall(ldd, operation, first, second, 0, &result)) return result;
    bool keeps_a = operation != LDD_INTERSECT, keeps_b = operation == LDD_UNION;
    size_t mark = ldd_mark(ldd);
    while (a && b) {
        struct ldd_node x = ldd->nodes[a], y = ldd->nodes[b];
        if (x.value == y.value) {
            ldd_push(ldd, x.value, below_two(ldd, operation, x.down, y.down));
        } else if (x.value < y.value ? keeps_a : keeps_b) {
            struct ldd_node *less = x.value < y.value ? &x : &y;
            ldd_push(ldd, less->value, less->down);
        }
        if (x.value <= y.value) a = x.right;
        if (y.value <= x.value) b = y.right;
    }
    uint32_t rest = a && keeps_a ? a : b && keeps_b ? b : LDD_NONE;
    result = ldd_list(ldd, mark, rest);
    ldd_store(ldd, operation, first, second, 0, result);
    return result;
}

/* Past a limit the result of this and of the next ones means nothing (ldd_is_over). */
uint32_t set_union(struct ldd *ldd, uint32_t a, uint32_t b) {
    if (a == b || b == LDD_NONE) return a;
    if (a == LDD_NONE) return b;
    return a < b ? merge_lists(ldd, LDD_UNION, a, b) : merge_lists(ldd, LDD_UNION, b, a);
}

/* The vectors of the first set that are not in the second. */
uint32_t set_minus(struct ldd *ldd, uint32_t a, uint32_t b) {
    if (a == b || a == LDD_NONE) return LDD_NONE;
    if (b == LDD_NONE) return a;
    return merge_lists(ldd, LDD_MINUS, a, b);
}

/* The vectors that are in both. */
uint32_t set_intersect(struct ldd *ldd, uint32_t a, uint32_t b) {
    if (a == b) return a;
    if (a == LDD_NONE || b == LDD_NONE) return LDD_NONE;
    return a < b ? merge_lists(ldd, LDD_INTERSECT, a, b) : merge_lists(ldd, LDD_INTERSECT, b, a);
}

/* Projection */

static uint32_t project_read(struct ldd *ldd, const struct marks *marks, uint32_t set,
                             uint32_t next) {
    size_t mark = ldd_mark(ldd);
    for (uint32_t at = set; at; at = ldd->nodes[at].right) {
        struct ldd_node node = ldd->nodes[at];
        ldd_push(ldd, node.value, set_project(ldd, marks, node.down, next));
    }
    return ldd_list(ldd, mark, LDD_NONE);
}

uint32_t set_project(struct ldd *ldd, const struct marks *marks, uint32_t set, uint32_t chain) {
    uint32_t result = LDD_NONE;
    if (chain == MARKS_NONE) return set ? LDD_UNIT : LDD_NONE;
    if (set == LDD_NONE || ldd_is_over(ldd)) return LDD_NONE;
    if (ldd_recall(ldd, LDD_PROJECT, set, chain, 0, &result)) return result;
    struct mark mark = marks->items.items[chain];
    if (mark_reads(mark.kind))
        result = project_read(ldd, marks, set, mark.next);
    else
        for (uint32_t at = set; at && !ldd_is_over(ldd); at = ldd->nodes[at].right)
            result =
                set_union(ldd, result, set_project(ldd, marks, ldd->nodes[at].down, mark.next));
    ldd_store(ldd, LDD_PROJECT, set, chain, 0, result);
    return result;
}

/* Selection by short vectors */

/* What is below a value of a list, which is moved on to that value; values ascend. */
static inline uint32_t below_from(const struct ldd *ldd, uint32_t *list, uint32_t value) {
    while (*list && ldd->nodes[*list].value < value) *list = ldd->nodes[*list].right;
    bool has_value = *list && ldd->nodes[*list].value == value;
    return has_value ? ldd->nodes[*list].down : LDD_NONE;
}

static uint32_t match_level(struct ldd *ldd, const struct marks *marks,
                            enum ldd_operation operation, uint32_t set, uint32_t of_short,
                            struct mark mark) {
    bool is_match = operation == LDD_MATCH, reads = mark_reads(mark.kind);
    size_t begin = ldd_mark(ldd);
    for (uint32_t at = set; at; at = ldd->nodes[at].right) {
        struct ldd_node node = ldd->nodes[at];
        uint32_t with = reads ? below_from(ldd, &of_short, node.value) : of_short;
        ldd_push(ldd, node.value,
                 (is_match ? set_match : set_unmatch)(ldd, marks, node.down, with, mark.next));
    }
    return ldd_list(ldd, begin, LDD_NONE);
}

uint32_t set_match(struct ldd *ldd, const struct marks *marks, uint32_t set, uint32_t of_short,
                   uint32_t chain) {
    uint32_t result;
    if (of_short == LDD_NONE || set == LDD_NONE || ldd_is_over(ldd)) return LDD_NONE;
    if (chain == MARKS_NONE) return set;
    if (ldd_recall(ldd, LDD_MATCH, set, of_short, chain, &result)) return result;
    result = match_level(ldd, marks, LDD_MATCH, set, of_short, marks->items.items[chain]);
    ldd_store(ldd, LDD_MATCH, set, of_short, chain, result);
    return result;
}

/* The counterpart of set_match. */
uint32_t set_unmatch(struct ldd *ldd, const struct marks *marks, uint32_t set, uint32_t of_short,
                     uint32_t chain) {
    uint32_t result;
    if (of_short == LDD_NONE) return set;
    if (set == LDD_NONE || chain == MARKS_NONE || ldd_is_over(ldd)) return LDD_NONE;
    if (ldd_recall(ldd, LDD_UNMATCH, set, of_short, chain, &result)) return result;
    result = match_level(ldd, marks, LDD_UNMATCH, set, of_short, marks->items.items[chain]);
    ldd_store(ldd, LDD_UNMATCH, set, of_short, chain, result);
    return result;
}

/* Images, put onto another set at once: what both have is not made twice. */

/* Pushes the items of a list that come before a value, moves it on past that value, and gives what
 * is below it there. */
static uint32_t take_value(struct ldd *ldd, uint32_t *list, uint32_t value) {
    for (; *list && ldd->nodes[*list].value < value; *list = ldd->nodes[*list].right)
        ldd_push(ldd, ldd->nodes[*list].value, ldd->nodes[*list].down);
    if (!*list || ldd->nodes[*list].value > value) return LDD_NONE;
    uint32_t down = ldd->nodes[*list].down;
    *list = ldd->nodes[*list].right;
    return down;
}

/* The values are as they were. */
static uint32_t image_kept(struct ldd *ldd, const struct marks *marks, uint32_t set,
                           uint32_t relation, struct mark mark, uint32_t onto) {
    size_t begin = ldd_mark(ldd);
    uint32_t rest = onto;
    bool is_more = false;
    for (uint32_t at = set; at && relation; at = ldd->nodes[at].right) {
        struct ldd_node node = ldd->nodes[at];
        uint32_t with = relation;
        if (mark.kind == MARK_READ) with = below_from(ldd, &relation, node.value);
        if (with == LDD_NONE) continue;
        uint32_t below = take_value(ldd, &rest, node.value);
        uint32_t both = set_image_onto(ldd, marks, node.down, with, mark.next, below);
        is_more |= both != below;
        ldd_push(ldd, node.value, both);
    }
    return ldd_list_onto(ldd, begin, rest, onto, is_more);
}

/* The image of one value: all values that are written, each with the image of the rest below. */
static uint32_t image_value(struct ldd *ldd, const struct marks *marks, uint32_t down,
                            uint32_t written, uint32_t next, uint32_t onto) {
    size_t begin = ldd_mark(ldd);
    uint32_t rest = onto;
    bool is_more = false;
    for (uint32_t at = written; at; at = ldd->nodes[at].right) {
        struct ldd_node node = ldd->nodes[at];
        uint32_t below = take_value(ldd, &rest, node.value);
        uint32_t both = set_image_onto(ldd, marks, down, node.down, next, below);
        is_more |= both != below;
        ldd_push(ldd, node.value, both);
    }
    return ldd_list_onto(ldd, begin, rest, onto, is_more);
}

/* The values change. */
static uint32_t image_written(struct ldd *ldd, const struct marks *marks, uint32_t set,
                              uint32_t relation, struct mark mark, uint32_t onto) {
    for (uint32_t at = set; at && relation && !ldd_is_over(ldd); at = ldd->nodes[at].right) {
        struct ldd_node node = ldd->nodes[at];
        uint32_t written = relation;
        if (mark.kind == MARK_READ_WRITE) written = below_from(ldd, &relation, node.value);
        onto = image_value(ldd, marks, node.down, written, mark.next, onto);
    }
    return onto;
}

uint32_t set_image_onto(struct ldd *ldd, const struct marks *marks, uint32_t set, uint32_t relation,
                        uint32_t chain, uint32_t onto) {
    uint32_t result, operation = LDD_IMAGE | chain << 8;
    assert(chain < SETS_MAX_CHAINS);
    if (set == LDD_NONE || relation == LDD_NONE || ldd_is_over(ldd)) return onto;
    if (chain == MARKS_NONE) return set_union(ldd, set, onto);
    if (ldd_recall(ldd, operation, set, relation, onto, &result)) return result;
    struct mark mark = marks->items.items[chain];
    result = mark_writes(mark.kind) ? image_written(ldd, marks, set, relation, mark, onto)
                                    : image_kept(ldd, marks, set, relation, mark, onto);
    ldd_store(ldd, operation, set, relation, onto, result);
    return result;
}

uint32_t set_image(struct ldd *ldd, const struct marks *marks, uint32_t set, uint32_t relation,
                   uint32_t chain) {
    return set_image_onto(ldd, marks, set, relation, chain, LDD_NONE);
}

/* Predecessors */

/* The node below a value of a list, or LDD_NONE. */
static uint32_t below_value(const struct ldd *ldd, uint32_t list, uint32_t value) {
    uint32_t at = find_value(ldd, list, value);
    return at ? ldd->nodes[at].down : LDD_NONE;
}

/* The subset below one value that leads to one of the values that are written instead. */
static uint32_t preimage_value(struct ldd *ldd, const struct marks *marks, uint32_t down,
                               uint32_t target, uint32_t written, uint32_t next) {
    uint32_t result = LDD_NONE;
    for (uint32_t at = written; at && !ldd_is_over(ldd); at = ldd->nodes[at].right) {
        struct ldd_node node = ldd->nodes[at];
        uint32_t found =
            set_preimage(ldd, marks, down, below_value(ldd, target, node.value), node.down, next);
        result = set_union(ldd, result, found);
    }
    return result;
}

static uint32_t preimage_level(struct ldd *ldd, const struct marks *marks, uint32_t set,
                               uint32_t target, uint32_t relation, struct mark mark) {
    size_t begin = ldd_mark(ldd);
    for (uint32_t at = set; at; at = ldd->nodes[at].right) {
        struct ldd_node node = ldd->nodes[at];
        uint32_t with = mark_reads(mark.kind) ? below_value(ldd, relation, node.value) : relation;
        uint32_t found = mark_writes(mark.kind)
                             ? preimage_value(ldd, marks, node.down, target, with, mark.next)
                             : set_preimage(ldd, marks, node.down,
                                            below_value(ldd, target, node.value), with, mark.next);
        ldd_push(ldd, node.value, found);
    }
    return ldd_list(ldd, begin, LDD_NONE);
}

uint32_t set_preimage(struct ldd *ldd, const struct marks *marks, uint32_t set, uint32_t target,
                      uint32_t relation, uint32_t chain) {
    uint32_t result, operation = LDD_PREIMAGE | chain << 8;
    assert(chain < SETS_MAX_CHAINS);
    if (set == LDD_NONE || target == LDD_NONE || relation == LDD_NONE || ldd_is_over(ldd))
        return LDD_NONE;
    if (chain == MARKS_NONE) return set_intersect(ldd, set, target);
    if (ldd_recall(ldd, operation, set, target, relation, &result)) return result;
    result = preimage_level(ldd, marks, set, target, relation, marks->items.items[chain]);
    ldd_store(ldd, operation, set, target, relation, result);
    return result;
}

/* Predecessors of one vector */

#define UNMARKED ((uint32_t)1 << 31)

struct before {
    struct ldd *ldd;
    const struct marks *marks;
    const uint32_t *vector;
    uint32_t count, operation;
};

/* The part of a relation after the value that is read, if it is; LDD_NONE if there is none that
 * leads to the value after it. */
static uint32_t part_for(const struct before *before, uint32_t relation, enum mark_kind kind,
                         uint32_t value, uint32_t after) {
    const struct ldd *ldd = before->ldd;
    if (mark_reads(kind)) {
        uint32_t at = find_value(ldd, relation, value);
        relation = at ? ldd->nodes[at].down : LDD_NONE;
    }
    if (mark_writes(kind)) {
        uint32_t at = find_value(ldd, relation, after);
        return at ? ldd->nodes[at].down : LDD_NONE;
    }
    return value == after ? relation : LDD_NONE;
}

static uint32_t before_from(struct before *before, uint32_t set, uint32_t relation, uint32_t chain,
                            uint32_t level) {
    struct ldd *ldd = before->ldd;
    uint32_t result;
    if (set == LDD_NONE || relation == LDD_NONE || ldd_is_over(ldd)) return LDD_NONE;
    if (level == before->count) return set;
    uint32_t key = chain != MARKS_NONE ? chain : level | UNMARKED; /* a chain has its level */
    if (ldd_recall(ldd, before->operation, set, relation, key, &result)) return result;
    struct mark mark = {level, MARKS_NONE, MARK_SKIP};
    if (chain != MARKS_NONE) mark = before->marks->items.items[chain];
    assert(mark.level == level);
    size_t begin = ldd_mark(ldd);
    for (uint32_t at = set; at; at = ldd->nodes[at].right) {
        struct ldd_node node = ldd->nodes[at];
        uint32_t part = part_for(before, relation, mark.kind, node.value, before->vector[level]);
        ldd_push(ldd, node.value, before_from(before, node.down, part, mark.next, level + 1));
    }
    result = ldd_list(ldd, begin, LDD_NONE);
    ldd_store(ldd, before->operation, set, relation, key, result);
    return result;
}

uint32_t set_before(struct ldd *ldd, const struct marks *marks, uint32_t set, uint32_t relation,
                    uint32_t chain, const uint32_t *vector, uint32_t count, uint32_t serial) {
    assert(serial < SETS_MAX_CHAINS); /* as a part of the operation */
    struct before before = {ldd, marks, vector, count, LDD_BEFORE | serial << 8};
    return before_from(&before, set, relation, chain, 0);
}
