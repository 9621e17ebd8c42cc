/* See open_edge.h. */
#include "abstract/edge/open_edge.h"

#include "abstract/facts/channel.h"
#include "abstract/request/request.h"
#include "expr/find.h"

struct where form_before(const struct form *form) {
    return form->edge ? where_guard(form->template, form->edge)
                      : where_invariant(form->template, form->location);
}

struct where form_within(const struct form *form) {
    return where_update(form->template, form->edge);
}

void form_lose(struct form_context *context, struct form *form, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_vprintf(context->arena, format, arguments);
    va_end(arguments);
    for (uint32_t i = 0; i < form->losses.count; i++)
        if (str_is(str_of(form->losses.items[i]), text)) return;
    VEC_PUSH(context->arena, &form->losses, text);
}

void form_lose_failure(struct form_context *context, struct form *form, uint32_t item,
                       const char *why) {
    form_lose(context, form,
              "the original may fail in update item %u (%s), where the step remains here", item + 1,
              why);
}

bool form_is_branch(const struct form *form) {
    return form->edge && form->edge->leaves_branchpoint;
}

static bool is_uniform(const struct form_context *context, const struct form *form,
                       const struct unknown *unknown) {
    const struct removal *removal = unknown->removal;
    uint32_t first = unknown->access ? 0 : unknown->offset;
    uint32_t end = unknown->access ? removal->shape->cell_count : first + 1;
    bool ok = true;
    for (uint32_t i = first; i < end && ok; i++)
        ok = analysis_is_uniform(context->analysis, form->template, form->location, removal->symbol,
                                 i);
    return ok;
}

bool facts_hold_for_unknowns(const struct form_context *context, const struct form *form) {
    uint64_t count = 1;
    if (context->analysis->options.approximation == APPROX_COMBINED) return false;
    for (uint32_t i = 0; i < form->unknowns.count; i++) {
        const struct unknown *unknown = form->unknowns.items[i];
        for (uint32_t k = 0; k < form->unknowns.count && unknown->access; k++)
            if (k != i && form->unknowns.items[k]->removal == unknown->removal) return false;
        uint64_t size = value_set_size(&unknown->values);
        if (size > FOLD_MAX_TUPLES || (count *= size) > FOLD_MAX_TUPLES) return false;
        if (!is_uniform(context, form, unknown)) return false;
    }
    return true;
}

bool form_receives_broadcast(const struct form_context *context, const struct form *form) {
    return !form->edge->is_send && sync_is_broadcast(context, form->template, form->edge->sync);
}

enum { MAX_EXPANDED_NODES = 1 << 16 }; /* that the quantifiers of an edge are written out to */

bool form_may_expand(struct form *form, const struct expr *expr, uint32_t count) {
    uint32_t limit = (MAX_EXPANDED_NODES - form->expanded_nodes) / count;
    uint32_t size = expr_size(expr, limit);
    if (size > limit) return false;
    form->expanded_nodes += size * count;
    return true;
}

bool form_mentions(const struct form *form, const struct symbol *symbol) {
    if (expr_mentions(form->guard, symbol) || expr_mentions(form->sync, symbol) ||
        expr_mentions(form->condition, symbol))
        return true;
    for (uint32_t i = 0; i < form->items.count; i++)
        if (expr_mentions(form->items.items[i].expr, symbol)) return true;
    for (uint32_t i = 0; i < form->keys.count; i++)
        if (expr_mentions(form->keys.items[i].value, symbol)) return true;
    for (uint32_t i = 0; i < form->unknowns.count; i++)
        if (expr_mentions(form->unknowns.items[i]->access, symbol)) return true;
    return false;
}

bool form_has_chosen(const struct form *form) {
    for (uint32_t i = 0; i < form->unknowns.count; i++)
        if (form->unknowns.items[i]->is_chosen) return true;
    return false;
}
