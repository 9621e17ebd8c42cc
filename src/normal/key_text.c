/* See key_text.h. */
#include "normal/key_text.h"

#include "normal/value_text.h"

#include <assert.h>
#include <string.h>

/* Values of a key in the conditions of an expression. */
enum { MOST_CONDITIONS = 8 };

/* What is done most often comes last, and needs no condition. Texts may be NULL, but not all. */
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

static void add_condition(struct buffer *out, const struct process_places *places, uint32_t index,
                          const char *key_name, bool key_is_bool) {
    int32_t value = places->key->values[index];
    if (key_is_bool)
        buffer_printf(out, "%s%s", value ? "" : "!", key_name);
    else
        buffer_printf(out, "%s == %d", key_name, value);
}

/* The values of the key for which a text counts, once: at the first of them. */
static void add_case(struct buffer *out, const struct process_places *places,
                     const char *const *texts, uint32_t index, const char *key_name,
                     bool key_is_bool) {
    for (uint32_t i = 0; i < index; i++)
        if (!strcmp(texts[i], texts[index])) return;
    for (uint32_t i = index; i < places->count; i++) {
        if (strcmp(texts[i], texts[index]) != 0) continue;
        if (i != index) buffer_add_text(out, " || ");
        add_condition(out, places, i, key_name, key_is_bool);
    }
    buffer_printf(out, strchr(texts[index], '?') ? " ? (%s) : " : " ? %s : ", texts[index]);
}

/* Whether what another place has standing for a value leaves as they are those that stand for
 * others here: no others come there. */
static bool is_right(const struct class_place *own, const struct class_place *other) {
    if (own->is_one) return place_normal(other, own->representative) == own->representative;
    uint64_t count = value_set_size(own->values);
    if (count > MOST_PARTED) return false;
    for (uint64_t i = 0; i < count; i++) {
        int32_t normal = place_normal(own, value_set_at(own->values, i));
        if (place_normal(other, normal) != normal) return false;
    }
    return true;
}

/* Where nothing has to be exchanged, what is right for that: what comes last, or nothing. */
static void settle_rest(const struct process_places *places, const char **texts, const char *name) {
    const struct process_place *shown = NULL;
    const char *last = commonest(texts, places->count);
    for (uint32_t i = 0; i < places->count && !shown; i++)
        if (texts[i] && !strcmp(texts[i], last)) shown = &places->items[i];
    for (uint32_t i = 0; i < places->count; i++)
        if (!texts[i])
            texts[i] = shown && is_right(places->items[i].place, shown->place) ? last : name;
}

const char *key_text(struct arena *arena, const struct process_places *places, const char *name,
                     bool is_bool, const char *key_name, bool key_is_bool) {
    const char *texts[MOST_KEY_VALUES];
    uint32_t conditions = 0;
    assert(places->count == places->key->count && places->count > 1);
    for (uint32_t i = 0; i < places->count; i++) {
        const struct process_place *own = &places->items[i];
        texts[i] = own->is_exchanged ? value_text(arena, own->place, name, is_bool) : NULL;
        if (own->is_exchanged && !texts[i]) return NULL;
    }
    settle_rest(places, texts, name);
    const char *last = commonest(texts, places->count);
    struct buffer out = {0};
    for (uint32_t i = 0; i < places->count; i++) {
        if (!strcmp(texts[i], last)) continue;
        conditions++;
        add_case(&out, places, texts, i, key_name, key_is_bool);
    }
    buffer_printf(&out, strchr(last, '?') && conditions ? "(%s)" : "%s", last);
    const char *text = conditions <= MOST_CONDITIONS ? buffer_take(&out, arena) : NULL;
    buffer_close(&out);
    return text;
}
