/* See value_text.h. */
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

/* The only piece of one value that stays, if all others have the same one standing for them. */
static const struct value_piece *single_piece(const struct pieces *pieces) {
    const struct value_piece *single = NULL;
    int32_t other = 0;
    bool has_other = false;
    for (uint32_t i = 0; i < pieces->count; i++) {
        const struct value_piece *piece = &pieces->items[i];
        bool is_single = piece->is_same && piece->size == 1;
        if (piece->is_same && (!is_single || single)) return NULL;
        if (is_single) {
            single = piece;
            continue;
        }
        if (has_other && piece->value != other) return NULL;
        has_other = true;
        other = piece->value;
    }
    return has_other ? single : NULL;
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
    for (uint64_t i = 0; i < count; i++) {
        int32_t value = value_set_at(point->values, i);
        if (!add_value(&pieces, value, point_normal(point, value))) return NULL;
    }
    const struct value_piece *single = single_piece(&pieces);
    if (!single) return chain_text(arena, &pieces, name);
    const struct value_piece *other = &pieces.items[single == &pieces.items[0]];
    assert(pieces.count > 1 && !other->is_same);
    return arena_printf(arena, "%s == %d ? %d : %d", name, single->last, single->last,
                        other->value);
}
