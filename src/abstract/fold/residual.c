/* See residual.h. */
#include "abstract/fold/residual.h"

#include "abstract/edge/open_edge.h"
#include "abstract/facts/range.h"
#include "expr/build.h"
#include "expr/chain.h"
#include "expr/find.h"
#include "expr/simplify.h"
#include "lang/print/print.h"

#include <assert.h>

void fold_add_reason(struct folder *folder, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_vprintf(folder->arena, format, arguments);
    va_end(arguments);
    folder->context->has_other_reasons = true;
    for (uint32_t i = 0; i < folder->fold->inexact.count; i++)
        if (str_is(str_of(folder->fold->inexact.items[i]), text)) return;
    VEC_PUSH(folder->arena, &folder->fold->inexact, text);
}

/* Whether some access that the edge certainly makes is outside its array. */
static bool is_outside(const struct open_edge *open, const struct joint_values *joint) {
    for (uint32_t i = 0; i < open->unknowns.count; i++) {
        const struct unknown *unknown = open->unknowns.items[i];
        if (unknown->is_chosen || !unknown->access || !unknown->is_certain) continue;
        uint32_t column = joint_find(joint, unknown);
        assert(column != NO_SLOT && joint->class_of[column] < unknown->class_count);
        if (joint->list.items[column]->classes[joint->class_of[column]].is_outside) return true;
    }
    return false;
}

const struct expr *fold_guard_here(const struct joint_values *joint, const struct open_edge *open,
                                   struct arena *arena) {
    return is_outside(open, joint) ? build_bool(arena, false)
                                   : joint_substitute(joint, open, arena, open->guard);
}

const struct expr *fold_or(struct arena *arena, const struct expr *left, const struct expr *right) {
    const struct expr *result = build_or(arena, left, right);
    return expr_is_true(result) ? NULL : result;
}

/* NULL for true in the argument; the result is never NULL. */
const struct expr *fold_not(struct arena *arena, const struct expr *expr) {
    return expr_is_true(expr) ? build_bool(arena, false) : build_not(arena, expr);
}

/* For reasons, in the words of the file: branchpoints are not told apart from locations. */
const char *fold_edge_name(const struct folder *folder, const struct open_edge *open) {
    const struct template *template = open->template;
    assert(open->edge);
    return arena_printf(folder->arena, "%s: edge %u from %s to %s", template->symbol->name,
                        open->edge_index + 1, template->locations[open->edge->source].name,
                        template->locations[open->edge->target].name);
}

/* Whether the output edge needs a select: some label names it, or its range may be empty, which
 * disables the edge. In a must-abstraction all do: there, an edge that others stand in for would
 * not be left out any more for the sake of more (must/search.h). */
static bool select_matters(struct folder *folder, const struct open_edge *open,
                           const struct symbol *select) {
    bool matters = folder->context->rules->is_searched || expr_mentions(open->guard, select) ||
                   expr_mentions(open->passed, select) || expr_mentions(open->sync, select) ||
                   expr_mentions(open->condition, select);
    for (uint32_t i = 0; i < open->unknowns.count && !matters; i++)
        matters = expr_mentions(open->unknowns.items[i]->access, select);
    for (uint32_t i = 0; i < open->items.count && !matters; i++)
        matters = expr_mentions(open->items.items[i].expr, select);
    return matters || !range_is_nonempty(folder->context, select->type);
}

static bool select_is_like(const struct context *context, const struct symbol *left,
                           const struct symbol *right) {
    const struct data_kind *mine = narrowed_range(&context->narrowed, left);
    const struct data_kind *other = narrowed_range(&context->narrowed, right);
    bool are_alike = !mine == !other && (!mine || !memcmp(mine, other, sizeof *mine));
    if (left->name != right->name || !are_alike) return false;
    struct buffer a = {0}, b = {0};
    print_base_type(&a, left->type);
    print_base_type(&b, right->type);
    bool equal = str_equal((struct str){a.data, a.size}, (struct str){b.data, b.size});
    buffer_close(&a);
    buffer_close(&b);
    return equal;
}

bool fold_selects_alike(struct folder *folder, const struct open_edge *left,
                        const struct open_edge *right) {
    if (left == right) return true;
    const struct edge *a = left->edge, *b = right->edge;
    assert(a && b && left->template == right->template);
    for (uint32_t i = 0, k = 0;; i++, k++) {
        while (i < a->select_count && !select_matters(folder, left, a->selects[i])) i++;
        while (k < b->select_count && !select_matters(folder, right, b->selects[k])) k++;
        if (i == a->select_count || k == b->select_count)
            return i == a->select_count && k == b->select_count;
        if (!select_is_like(folder->context, a->selects[i], b->selects[k])) return false;
    }
}
