#include "normal/by_select.h"

#include "normal/lost_select.h"

#include <string.h>

/* The assignment with the select in place of its value as an index; NULL if it does not name it. */
static const char *with_select(struct arena *arena, const struct cell_text *item, int32_t value,
                               const char *select) {
    const char *index = arena_printf(arena, "[%d]", value);
    const char *text = arena_printf(arena, "%s = %s", item->name, item->value);
    struct buffer out = {0};
    if (!strstr(item->name, index)) return NULL;
    for (const char *found; (found = strstr(text, index)); text = found + strlen(index))
        buffer_printf(&out, "%.*s[%s]", (int)(found - text), text, select);
    buffer_add_text(&out, text);
    const char *result = buffer_take(&out, arena);
    buffer_close(&out);
    return result;
}

/* Of an item, if all that is exchanged in it is so for one value of the select. */
static const char *text_for(struct arena *arena, const struct edge *edge,
                            const struct cell_text *item, uint32_t select) {
    if (!item->selects || !item->selects[select].is_only) return NULL;
    return with_select(arena, item, item->selects[select].value, edge->selects[select]->name);
}

/* One text for as many items as the select has values, which are done then; or NULL. */
static const char *join(const struct edge_exchanges *all, uint32_t first, bool *is_done) {
    const struct edge *edge = all->edge;
    const struct cell_text *items = all->items;
    for (uint32_t s = 0; s < edge->select_count; s++) {
        const char *text = text_for(all->arena, edge, &items[first], s);
        uint32_t found = 0;
        bool *is_like = ARENA_ARRAY(all->arena, bool, all->count + 1);
        for (uint32_t i = first; text && i < all->count; i++) {
            const char *other = is_done[i] ? NULL : text_for(all->arena, edge, &items[i], s);
            is_like[i] = other && !strcmp(text, other);
            found += is_like[i];
        }
        if (!text || found != select_size(all->network, all->template, edge->selects[s])) continue;
        for (uint32_t i = first; i < all->count; i++) is_done[i] |= is_like[i];
        return text;
    }
    return NULL;
}

bool cell_value_is_constant(const char *value) {
    return !strcmp(value, "true") || !strcmp(value, "false") ||
           value[strspn(value, "-0123456789")] == '\0';
}

/* Items that stand as they are, for whatever values selects have, and are constants. */
static const struct cell_assignment *assignments_of(const struct edge_exchanges *all) {
    struct cell_assignment *result =
        ARENA_ARRAY(all->arena, struct cell_assignment, all->count + 1);
    for (uint32_t i = 0; i < all->count; i++) {
        const struct cell_text *item = &all->items[i];
        bool is_plain = cell_value_is_constant(item->value);
        for (uint32_t s = 0; item->selects && s < all->edge->select_count; s++)
            is_plain &= !item->selects[s].is_only;
        size_t size = strlen(item->name) + strlen(" = ") + strlen(item->value);
        result[i] = (struct cell_assignment){is_plain ? item->variable : NULL, item->index,
                                             item->value, size};
    }
    return result;
}

void by_select_count(const struct edge_exchanges *all, struct cell_loops *loops) {
    cell_loops_count(loops, all->template, assignments_of(all), all->count);
}

const char *by_select_text(const struct edge_exchanges *all, const struct cell_loops *loops) {
    const struct cell_assignment *assignments = assignments_of(all);
    struct buffer out = {0};
    bool *is_done = ARENA_ARRAY(all->arena, bool, all->count + 1);
    for (uint32_t i = 0; i < all->count; i++) {
        const struct cell_text *own = &all->items[i];
        uint32_t covered;
        if (is_done[i]) continue;
        const char *text =
            cell_loops_call(loops, all->template, &assignments[i], all->count - i, &covered);
        for (uint32_t k = 0; text && k < covered; k++) is_done[i + k] = true;
        if (!text) text = join(all, i, is_done);
        if (!text) text = arena_printf(all->arena, "%s = %s", own->name, own->value);
        buffer_printf(&out, "%s%s", out.size ? ", " : "", text);
    }
    const char *text = buffer_take(&out, all->arena);
    buffer_close(&out);
    return text;
}
