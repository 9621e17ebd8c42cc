/* What a person in the GUI reads on an edge or location that changed (rule M8). */
#include "abstract/emit/comment.h"

#include "abstract/edge/open_edge.h"
#include "abstract/fold/output.h"
#include "abstract/request/request.h"
#include "explore/fair/tag.h"
#include "expr/find.h"

#include <assert.h>
#include <string.h>

enum { COMMENT_MAX_VALUES = 8, COMMENT_MAX_EDGES = 8 };

static bool edge_mentions(const struct edge *edge, const struct symbol *symbol) {
    bool found =
        expr_mentions_alias(edge->written_guard, symbol) || expr_mentions_alias(edge->sync, symbol);
    for (uint32_t i = 0; i < edge->updates.count && !found; i++)
        found = expr_mentions_alias(edge->updates.items[i], symbol);
    return found;
}

/* "without x, y": the removed variables that the edges it came from name. */
static void add_removed(struct buffer *text, const struct request *request,
                        const struct output_edge *out) {
    const char *before = "without ";
    for (uint32_t i = 0; i < request->removals.count; i++) {
        const struct symbol *symbol = request->removals.items[i].symbol;
        bool found = false;
        for (uint32_t k = 0; k < out->origin_count && !found; k++)
            found = edge_mentions(out->origins[k].open->edge, symbol);
        if (!found) continue;
        buffer_printf(text, "%s%s", before, symbol->name);
        before = ", ";
    }
}

static bool has_value(const struct origin *origin, const struct unknown *unknown, int32_t *value) {
    for (uint32_t i = 0; i < origin->value_count; i++)
        if (origin->values[i].unknown == unknown) {
            *value = origin->values[i].value;
            return true;
        }
    return false;
}

/* "x", or "(x, y)" for several. */
static void add_names(struct buffer *text, const struct open_edge *open) {
    bool is_tuple = open->unknowns.count > 1;
    for (uint32_t u = 0; u < open->unknowns.count; u++)
        buffer_printf(text, "%s%s",
                      u          ? ", "
                      : is_tuple ? "("
                                 : "",
                      open->unknowns.items[u]->removal->symbol->name);
    buffer_add_text(text, is_tuple ? ") = " : " = ");
}

/* Their values in an origin: "1", or "(1, 2)". What does not matter there is "any". */
static const char *values_of(struct arena *arena, const struct origin *origin) {
    const struct open_edge *open = origin->open;
    bool is_tuple = open->unknowns.count > 1;
    assert(open->edge);
    struct buffer text = {0};
    for (uint32_t u = 0; u < open->unknowns.count; u++) {
        int32_t value;
        buffer_add_text(&text, u ? ", " : is_tuple ? "(" : "");
        if (has_value(origin, open->unknowns.items[u], &value))
            buffer_printf(&text, "%d", value);
        else
            buffer_add_text(&text, "any");
    }
    buffer_add_text(&text, is_tuple ? ")" : "");
    return buffer_finish(&text, arena);
}

static bool has_some_value(const struct origin *origin) {
    int32_t value;
    for (uint32_t u = 0; u < origin->open->unknowns.count; u++)
        if (has_value(origin, origin->open->unknowns.items[u], &value)) return true;
    return false;
}

/* "; edge 2 for x = 1, 2": the values with which an edge of the input contributes. */
static void add_values(struct buffer *text, struct arena *arena, const struct output_edge *out,
                       const struct open_edge *open) {
    const char *last = NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; i < out->origin_count; i++) {
        if (out->origins[i].open != open || !has_some_value(&out->origins[i])) continue;
        const char *values = values_of(arena, &out->origins[i]);
        if (last && strcmp(values, last) == 0) continue;
        if (++count > COMMENT_MAX_VALUES) {
            buffer_add_text(text, ", ...");
            return;
        }
        buffer_add_text(text, last ? ", " : " for ");
        if (!last) add_names(text, open);
        buffer_add_text(text, values);
        last = values;
    }
}

/* MX1. Where an edge has become several, which of them happens is not for who takes it. */

static bool is_one_of_several(const struct generator *generator, const struct output_edge *out) {
    const struct abstraction *abstraction = generator->abstraction;
    uint32_t count = 0;
    for (uint32_t i = 0; i < abstraction->folds.count; i++) {
        const struct location_fold *at = abstraction->folds.items[i];
        const struct fold *fold = &at->fold;
        bool is_here = at->template == out->base->template && at->location == out->base->location;
        for (uint32_t k = 0; is_here && k < fold->edges.count; k++)
            count += fold->edges.items[k].base == out->base && !fold->edges.items[k].loop &&
                     !fold->edges.items[k].is_joint;
    }
    return count > 1;
}

static void add_strength(struct buffer *text, const struct output_edge *out) {
    if (out->strength != STRENGTH_MUST)
        buffer_printf(text, "@%s\n", out->strength == STRENGTH_SURE ? "sure" : "may");
    if (out->is_joint) buffer_add_text(text, "@some\n");
    if (out->is_either) buffer_add_text(text, "@either\n");
}

static void add_marks(struct buffer *text, const struct generator *generator,
                      const struct output_edge *out) {
    bool is_named = edge_has_tag(out->base->edge, STR("action"));
    assert(!out->is_joint || !out->loop);
    if (!generator->abstraction->favours) add_strength(text, out);
    if (!out->loop && !out->is_joint && !is_named && is_one_of_several(generator, out))
        buffer_printf(text, "@action edge_%u\n", out->base->edge_index + 1);
    if (out->loop || out->is_natures)
        buffer_add_text(text, "@nature\n"); /* nobody chooses to take no part */
    for (uint32_t i = 0; i < out->select_count; i++)
        buffer_printf(text, "@nature %s\n", out->selects[i].unknown->placeholder->name);
}

static void add_explanation(struct buffer *text, const struct generator *generator,
                            const struct output_edge *out) {
    buffer_add_text(text, "varabs: ");
    size_t begin = text->size;
    if (out->loop == LOOP_STUTTER)
        buffer_add_text(text, "stays here, where the original may be stuck");
    else if (out->loop == LOOP_DECLINE)
        buffer_add_text(text, "takes no part");
    else
        add_removed(text, generator->abstraction->request, out);
    uint32_t edges = 0;
    for (uint32_t i = 0; i < out->origin_count; i++) {
        const struct open_edge *open = out->origins[i].open;
        bool is_first = true;
        for (uint32_t k = 0; k < i && is_first; k++) is_first = out->origins[k].open != open;
        if (!is_first) continue;
        if (++edges > COMMENT_MAX_EDGES) {
            buffer_add_text(text, "; ...");
            break;
        }
        buffer_printf(text, "%sedge %u", text->size > begin ? "; " : "", open->edge_index + 1);
        add_values(text, generator->arena, out, open);
    }
}

const char *comment_of_edge(const struct generator *generator, const struct output_edge *out) {
    struct buffer text = {0};
    bool is_mixed = generator->abstraction->context.rules->is_mixed;
    if (is_mixed) add_marks(&text, generator, out);
    if (generator->abstraction->explains && (!is_mixed || out->base->is_concerned))
        add_explanation(&text, generator, out);
    else if (text.size)
        text.data[--text.size] = 0; /* the last line break */
    char *comment = text.size ? buffer_take(&text, generator->arena) : NULL;
    buffer_close(&text);
    return comment;
}
