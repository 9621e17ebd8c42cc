#include "normal/key_text.h"

#include "normal/value_text.h"

#include <assert.h>
#include <string.h>

/* Values of a key in the conditions of an expression. */
enum { MOST_CONDITIONS = 8 };

/* The text that occurs most often: it comes last and needs no condition. Texts may be NULL, but not
 * all of them. */
static const char *commonest(const char *const *texts, uint32_t count) {
    uint32_t most = 0;
    const char *found = NULL;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t own = 0;
        for (uint32_t k = 0; texts[i] && k < count; k++)
            own += texts[k] && !strcmp(texts[i], texts[k]);
        if (own > most) found = texts[i];
        if (own > most) most = own;
    }
    return found;
}

static void add_condition(struct buffer *out, const struct process_points *points, uint32_t index,
                          const char *key_name, bool key_is_bool) {
    int32_t value = points->key->values[index];
    if (key_is_bool)
        buffer_printf(out, "%s%s", value ? "" : "!", key_name);
    else
        buffer_printf(out, "%s == %d", key_name, value);
}

/* The values of the key for which a text counts, once: at the first of them. */
static void add_case(struct buffer *out, const struct process_points *points,
                     const char *const *texts, uint32_t index, const char *key_name,
                     bool key_is_bool) {
    for (uint32_t i = 0; i < index; i++)
        if (texts[i] && !strcmp(texts[i], texts[index])) return;
    for (uint32_t i = index; i < points->count; i++) {
        if (!texts[i] || strcmp(texts[i], texts[index]) != 0) continue;
        if (i != index) buffer_add_text(out, " || ");
        add_condition(out, points, i, key_name, key_is_bool);
    }
    buffer_printf(out, strchr(texts[index], '?') ? " ? (%s) : " : " ? %s : ", texts[index]);
}

static const char *point_text(struct arena *arena, const struct class_point *point,
                              const char *name, bool is_bool) {
    return point_is_merged(point) ? value_text(arena, point, name, is_bool) : name;
}

/* The text for each value of the key: the name itself where nothing has to be exchanged, unless one
 * text is right for all; NULL for a value that the key cannot have. False if it would be too long.
 */
static bool find_texts(struct arena *arena, const struct process_points *points, const char *name,
                       bool is_bool, const char **texts) {
    const char *first = NULL;
    bool is_same = true;
    for (uint32_t i = 0; i < points->count; i++) {
        const struct class_point *point = points->items[i].point;
        texts[i] = point ? point_text(arena, point, name, is_bool) : NULL;
        if (point && !texts[i]) return false;
        if (!first) first = texts[i];
        is_same &= !texts[i] || !strcmp(texts[i], first);
    }
    for (uint32_t i = 0; i < points->count && !is_same; i++)
        if (texts[i] && !points->items[i].is_exchanged) texts[i] = name;
    return first != NULL;
}

const char *key_text(struct arena *arena, const struct process_points *points, const char *name,
                     bool is_bool, const char *key_name, bool key_is_bool) {
    const char *texts[MOST_KEY_VALUES];
    uint32_t conditions = 0;
    assert(points->count == points->key->count && points->count > 1);
    if (!find_texts(arena, points, name, is_bool, texts)) return NULL;
    const char *last = commonest(texts, points->count);
    assert(last); /* the key has some value */
    struct buffer out = {0};
    for (uint32_t i = 0; i < points->count; i++) {
        if (!texts[i] || !strcmp(texts[i], last)) continue;
        conditions++;
        add_case(&out, points, texts, i, key_name, key_is_bool);
    }
    buffer_printf(&out, strchr(last, '?') && conditions ? "(%s)" : "%s", last);
    const char *text = conditions <= MOST_CONDITIONS ? buffer_take(&out, arena) : NULL;
    buffer_close(&out);
    return text;
}
