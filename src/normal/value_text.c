#include "normal/value_text.h"

#include <assert.h>

enum { MOST_PIECES = 8 };

/* Neighbours among the values of a point that stay as they are, or have the same one standing for
 * them. */
struct value_piece {
    int32_t last;
    bool is_same;  /* each stands for itself */
    int32_t value; /* else: what does */
    uint32_t size;
};

struct pieces {
    struct value_piece items[MOST_PIECES];
    uint32_t count;
};

/* Adds the next value, which may do both. */
static bool add_value(struct pieces *pieces, int32_t value, int32_t normal) {
    struct value_piece *last = pieces->count ? &pieces->items[pieces->count - 1] : NULL;
    assert(!last || last->last < value); /* in ascending order */
    if (last && last->is_same && value == normal) {
        last->last = value;
        last->size++;
        return true;
    }
    bool joins =
        last && (last->is_same ? last->size == 1 && last->last == normal : last->value == normal);
    if (joins) {
        last->is_same = false;
        last->value = normal;
        last->last = value;
        last->size++;
        return true;
    }
    if (pieces->count == MOST_PIECES) return false;
    pieces->items[pieces->count++] = (struct value_piece){value, value == normal, normal, 1};
    return true;
}

/* Values of a point, and what stands for them, by how many of each kind there are. A comparison
 * with one value keeps others alike, which `<=` would tell apart (Y18). */
struct value_kinds {
    uint64_t changed_count; /* that another one stands for */
    int32_t changed, left;  /* the last of them; the only one that stays and stands for no other */
    int32_t common;         /* what stands for the last of them */
    bool is_left;           /* there is such a one, and all else have the same one */
};

static struct value_kinds kinds_of(const struct class_point *point) {
    struct value_kinds kinds = {0};
    uint64_t count = value_set_size(point->values), left_count = 0;
    bool has_others = false;
    for (uint64_t i = 0; i < count; i++) {
        int32_t value = value_set_at(point->values, i), normal = point_normal(point, value);
        if (value == normal) continue;
        has_others |= kinds.changed_count && normal != kinds.common;
        kinds.changed_count++;
        kinds.changed = value;
        kinds.common = normal;
    }
    assert(kinds.changed_count);
    for (uint64_t i = 0; i < count; i++) {
        int32_t value = value_set_at(point->values, i);
        if (point_normal(point, value) != value || value == kinds.common) continue;
        kinds.left = value;
        left_count++;
    }
    kinds.is_left = left_count == 1 && !has_others;
    return kinds;
}

static const char *piece_text(struct arena *arena, const struct value_piece *piece,
                              const char *name) {
    return piece->is_same ? name : arena_printf(arena, "%d", piece->value);
}

static const char *chain_text(struct arena *arena, const struct pieces *pieces, const char *name) {
    assert(pieces->count);
    const char *text = piece_text(arena, &pieces->items[pieces->count - 1], name);
    for (uint32_t i = pieces->count - 1; i-- > 0;) {
        const struct value_piece *piece = &pieces->items[i];
        text = arena_printf(arena, "%s <= %d ? %s : %s", name, piece->last,
                            piece_text(arena, piece, name), text);
    }
    return text;
}

const char *value_text(struct arena *arena, const struct class_point *point, const char *name,
                       bool is_bool) {
    struct pieces pieces = {.count = 0};
    if (point->is_one)
        return is_bool ? (point->representative ? "true" : "false")
                       : arena_printf(arena, "%d", point->representative);
    uint64_t count = value_set_size(point->values);
    assert(point_is_merged(point) && count > 1);
    struct value_kinds kinds = kinds_of(point);
    if (kinds.is_left)
        return arena_printf(arena, "%s == %d ? %d : %d", name, kinds.left, kinds.left,
                            kinds.common);
    if (kinds.changed_count == 1)
        return arena_printf(arena, "%s == %d ? %d : %s", name, kinds.changed, kinds.common, name);
    for (uint64_t i = 0; i < count; i++) {
        int32_t value = value_set_at(point->values, i);
        if (!add_value(&pieces, value, point_normal(point, value))) return NULL;
    }
    return chain_text(arena, &pieces, name);
}
