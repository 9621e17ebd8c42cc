/* Why an edge over cells is not exact, and the merge that would make it so (F11). */
#include "abstract/cells/outcomes.h"

#include "lang/print/print.h"

#include <assert.h>

static void print_kind(struct buffer *out, const struct cell_group *group,
                       const struct cell_kind *kind) {
    for (uint32_t f = 0; f < group->fields.count; f++) {
        const struct cell_field *field = &group->fields.items[f];
        const struct symbol *symbol = field->removal->symbol;
        static const char *const names[] = {"i", "j", "k"};
        struct buffer path = {0};
        shape_path(&path, symbol->type, field->removal->shape, field->offset);
        const char *rest = path.size ? path.data : "";
        for (uint32_t d = 0; d < group->dimension_count && rest; d++) { /* "[0]" goes */
            rest = strchr(rest, ']');
            rest = rest ? rest + 1 : NULL;
        }
        buffer_printf(out, "%s%s%s", f ? " && " : "", field->is_bool && !kind->values[f] ? "!" : "",
                      symbol->name);
        for (uint32_t d = 0; d < group->dimension_count; d++) buffer_printf(out, "[%s]", names[d]);
        buffer_printf(out, "%s", rest ? rest : "");
        if (!field->is_bool) buffer_printf(out, " == %d", kind->values[f]);
        buffer_close(&path);
    }
}

/* A count of the cells of one kind, as an option. */
static const char *proposal(const struct cell_group *group, const struct cell_kind *kind) {
    static const char *const names[] = {"i", "j", "k"};
    const struct template *template = group->folds[0].ghost->template;
    struct arena *arena = group->context->arena;
    struct buffer out = {0};
    buffer_printf(&out, "--merge '%s%st:int[0,%u]=", template ? template->symbol->name : "",
                  template ? "." : "", group->position_count);
    for (uint32_t d = 0; d < group->dimension_count; d++)
        buffer_printf(&out, "sum(%s : int[%d,%d]) ", names[d], group->lower[d],
                      group->lower[d] + (int32_t)group->size[d] - 1);
    buffer_printf(&out, "(");
    print_kind(&out, group, kind);
    buffer_printf(&out, ")'");
    const char *text = arena_copy(arena, out.data, out.size);
    buffer_close(&out);
    return text;
}

/* The part of the guard that is about cells, with its line; or the first write. */
static const char *what_asks(const struct touched_edge *touched, enum cell_conjunct_kind kind) {
    struct context *context = touched->group->context;
    const struct expr *found = NULL;
    const char *what = "guard";
    for (uint32_t i = 0; i < touched->conjuncts.count && !found; i++)
        if (touched->conjuncts.items[i].kind == kind) found = touched->conjuncts.items[i].original;
    for (uint32_t i = 0; i < touched->items.count && !found; i++)
        if (touched->items.items[i].kind == ITEM_WRITE)
            found = touched->items.items[i].original, what = "update";
    if (!found) return "the edge";
    struct buffer text = {0};
    print_expr(&text, found);
    const char *result =
        arena_printf(context->arena, "line %u: %s '%s'",
                     source_locate(context->diag->source, found->span.begin).line, what, text.data);
    buffer_close(&text);
    return result;
}

/* A kind of the members, and one with equal weights that is no member's. */
static bool find_pair(const struct cell_group *group, const struct cell_class *class,
                      const struct cell_kind **in, const struct cell_kind **out) {
    for (uint32_t i = 0; i < class->members.count; i++) {
        const struct cell_member *member = class->members.items[i];
        for (uint32_t c = 0; c < member->of->cell_count; c++) {
            const struct cell_zone *zone = &group->zones[member->of->zone[c]];
            const struct cell_kind *of = &zone->kinds.items[member->kind[c]];
            for (uint32_t k = 0; k < zone->kinds.count; k++) {
                bool is_member = false;
                for (uint32_t m = 0; m < class->members.count; m++) {
                    const struct cell_member *other = class->members.items[m];
                    is_member |= other->of == member->of && other->kind[c] == k;
                }
                if (is_member || memcmp(zone->kinds.items[k].weights, of->weights,
                                        group->fold_count * sizeof *of->weights) != 0)
                    continue;
                *in = of, *out = &zone->kinds.items[k];
                return true;
            }
        }
    }
    return false;
}

const char *outcome_reason(const struct touched_edge *touched, const struct cell_outcome *outcome) {
    const struct cell_group *group = touched->group;
    struct arena *arena = group->context->arena;
    const struct cell_kind *in = NULL, *out = NULL;
    const struct cell_member *first = outcome->class->members.items[0];
    assert(!outcome->is_exact);
    for (uint32_t t = 0; t < touched->term_count; t++)
        if (touched->terms[t].seen)
            return arena_printf(arena,
                                "%s is about one cell that is known, since its index is seen in "
                                "'%s', and the merges do not tell this cell from others",
                                what_asks(touched, CONJUNCT_OF_CELLS), touched->terms[t].seen_in);
    if (!first->of->is_closed)
        return arena_printf(arena,
                            "%s depends on which cells have which index, and the merges do not say "
                            "so",
                            what_asks(touched, CONJUNCT_OF_SELECTS));
    if (find_pair(group, outcome->class, &in, &out)) {
        struct buffer text = {0};
        print_kind(&text, group, out);
        const char *reason = arena_printf(
            arena, "%s asks for a kind that no merge counts (merged with: %s); count it, too: %s",
            what_asks(touched, CONJUNCT_OF_CELLS), text.data,
            proposal(group, &group->zones[first->of->zone[0]].kinds.items[first->kind[0]]));
        buffer_close(&text);
        return reason;
    }
    return arena_printf(
        arena,
        "%s depends on how many cells there are of a kind that no merge counts; count it: %s",
        what_asks(touched, CONJUNCT_OF_CELLS),
        proposal(group, &group->zones[first->of->zone[0]].kinds.items[first->kind[0]]));
}
