#include "abstract/edge/open_edge.h"

#include "abstract/facts/channel.h"
#include "abstract/request/request.h"
#include "expr/chain.h"
#include "expr/find.h"
#include "model/step_path.h"

#include <assert.h>

static bool has_conjunct(const struct open_edge *open, enum conjunct_class class) {
    for (uint32_t i = 0; i < open->conjuncts.count; i++)
        if (open->conjuncts.items[i].class == class && open->conjuncts.items[i].expr) return true;
    return false;
}

void open_edge_check(const struct open_edge *open) {
    assert(!open->guard || has_conjunct(open, CONJUNCT_FOLDED));
    assert(!open->fixed || has_conjunct(open, CONJUNCT_FIXED));
    assert(!open->passed || has_conjunct(open, CONJUNCT_PASSED));
    assert(!open->guard || !expr_names_clock(open->guard));
    for (uint32_t i = 0; i < open->unknowns.count; i++) {
        const struct unknown *unknown = open->unknowns.items[i];
        assert(unknown->open == open && unknown->placeholder->kind == SYMBOL_SELECT);
        assert(!unknown->access == !unknown->class_count);
        for (uint32_t k = 0; k < i; k++)
            assert(!str_is(str_of(unknown->placeholder->name),
                           open->unknowns.items[k]->placeholder->name));
    }
}

static const struct expr **together(struct open_edge *open, enum conjunct_class class) {
    switch (class) {
    case CONJUNCT_FOLDED: return &open->guard;
    case CONJUNCT_FIXED: return &open->fixed;
    case CONJUNCT_PASSED: break;
    }
    return &open->passed;
}

void open_edge_add_conjunct(struct context *context, struct open_edge *open,
                            struct conjunct conjunct) {
    assert(conjunct.expr);
    const struct expr **all = together(open, conjunct.class);
    VEC_PUSH(context->arena, &open->conjuncts, conjunct);
    *all = build_and(context->arena, *all, conjunct.expr);
}

void open_edge_set_guard(struct context *context, struct open_edge *open,
                         const struct expr *guard) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < open->conjuncts.count; i++)
        if (open->conjuncts.items[i].class != CONJUNCT_FOLDED)
            open->conjuncts.items[count++] = open->conjuncts.items[i];
    open->conjuncts.count = count;
    open->guard = NULL;
    if (guard) open_edge_add_conjunct(context, open, (struct conjunct){.expr = guard});
}

bool open_edge_has_new_guard(const struct open_edge *open) {
    bool is_new = open->fixed != NULL;
    for (uint32_t i = 0; i < open->conjuncts.count && !is_new; i++)
        is_new = open->conjuncts.items[i].expr != open->conjuncts.items[i].original;
    return is_new;
}

void open_edge_add_reason(struct context *context, struct open_edge *open, const char *format,
                          ...) {
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_vprintf(context->arena, format, arguments);
    va_end(arguments);
    assert(*text);
    for (uint32_t i = 0; i < open->inexact.count; i++)
        if (str_is(str_of(open->inexact.items[i]), text)) return;
    VEC_PUSH(context->arena, &open->inexact, text);
}

void open_edge_add_failure(struct context *context, struct open_edge *open, uint32_t item,
                           const char *why) {
    assert(open->edge && item < open->edge->updates.count);
    open_edge_add_reason(
        context, open, "the original may fail in update item %u (%s), where the step remains here",
        item + 1, why);
}

const struct effects *open_edge_effects(const struct context *context,
                                        const struct open_edge *open) {
    assert(open->edge);
    assert(&open->template->edges[open->edge_index] == open->edge);
    return &context->network->labels.edges[open->template->index][open->edge_index].update_effects;
}

bool open_edge_is_branch(const struct open_edge *open) {
    return open->edge && open->edge->leaves_branchpoint;
}

static bool is_uniform(const struct context *context, const struct open_edge *open,
                       const struct unknown *unknown) {
    const struct removal *removal = unknown->removal;
    uint32_t first = unknown->access ? 0 : unknown->offset;
    uint32_t end = unknown->access ? removal->shape->cell_count : first + 1;
    bool ok = true;
    assert(first < end && end <= removal->shape->cell_count);
    for (uint32_t i = first; i < end && ok; i++)
        ok = analysis_is_uniform(context->analysis, open->template, open->location, removal->symbol,
                                 i);
    return ok;
}

bool facts_hold_for_unknowns(const struct context *context, const struct open_edge *open) {
    uint64_t count = 1;
    if (context->analysis->is_combined) return false;
    for (uint32_t i = 0; i < open->unknowns.count; i++) {
        const struct unknown *unknown = open->unknowns.items[i];
        for (uint32_t k = 0; k < open->unknowns.count && unknown->access; k++)
            if (k != i && open->unknowns.items[k]->removal == unknown->removal) return false;
        uint64_t size = value_set_size(&unknown->values);
        if (size > FOLD_MAX_TUPLES || (count *= size) > FOLD_MAX_TUPLES) return false;
        if (!is_uniform(context, open, unknown)) return false;
    }
    return true;
}

bool open_edge_receives_broadcast(const struct context *context, const struct open_edge *open) {
    assert(open->edge);
    return !open->edge->is_send && sync_is_broadcast(context, open->template, open->edge->sync);
}

bool open_edge_is_of_receiver(const struct context *context, const struct open_edge *open) {
    const struct template *template = open->template;
    struct step_path path;
    bool is_of_receiver = false;
    step_path_open(&path, template, open->edge);
    for (uint32_t i = 0; i < template->edge_count && !is_of_receiver; i++)
        is_of_receiver = path.has[i] && !template->edges[i].is_send &&
                         sync_is_broadcast(context, template, template->edges[i].sync);
    step_path_close(&path);
    return is_of_receiver;
}

enum { MAX_EXPANDED_NODES = 1 << 16 }; /* that the quantifiers of an edge are written out to */

bool open_edge_may_expand(struct open_edge *open, const struct expr *expr, uint32_t count) {
    assert(count > 0 && open->expanded_nodes <= MAX_EXPANDED_NODES);
    uint32_t limit = (MAX_EXPANDED_NODES - open->expanded_nodes) / count;
    uint32_t size = expr_size(expr, limit);
    if (size > limit) return false;
    open->expanded_nodes += size * count;
    assert(open->expanded_nodes <= MAX_EXPANDED_NODES);
    return true;
}

bool open_edge_mentions(const struct open_edge *open, const struct symbol *symbol) {
    if (expr_mentions(open->guard, symbol) || expr_mentions(open->passed, symbol) ||
        expr_mentions(open->sync, symbol) || expr_mentions(open->condition, symbol))
        return true;
    for (uint32_t i = 0; i < open->items.count; i++)
        if (expr_mentions(open->items.items[i].expr, symbol)) return true;
    for (uint32_t i = 0; i < open->ghost_values.count; i++)
        if (expr_mentions(open->ghost_values.items[i].value, symbol)) return true;
    for (uint32_t i = 0; i < open->unknowns.count; i++)
        if (expr_mentions(open->unknowns.items[i]->access, symbol)) return true;
    return false;
}

bool open_edge_has_chosen(const struct open_edge *open) {
    for (uint32_t i = 0; i < open->unknowns.count; i++)
        if (open->unknowns.items[i]->is_chosen) return true;
    return false;
}

bool open_edge_has_scalar(const struct open_edge *open) {
    for (uint32_t i = 0; i < open->unknowns.count; i++)
        if (type_strip(open->unknowns.items[i]->placeholder->type)->kind == TYPE_SCALAR)
            return true;
    return false;
}
