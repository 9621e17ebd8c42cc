/* See reason.h. */
#include "abstract/cells/reason.h"

#include "lang/print/print.h"

#include <assert.h>

static const char *const bound_names[] = {"i", "j", "k"};

/* The cell of a field, with an index for each dimension: names, or the numbers of a position. */
static void print_cell(struct buffer *out, const struct cell_group *group,
                       const struct cell_field *field, const int32_t *index) {
    const struct symbol *symbol = field->removal->symbol;
    struct buffer path = {0};
    shape_path(&path, symbol->type, field->removal->shape, field->offset);
    const char *rest = path.size ? path.data : "";
    for (uint32_t d = 0; d < group->dimension_count && rest; d++) { /* "[0]" goes */
        rest = strchr(rest, ']');
        rest = rest ? rest + 1 : NULL;
    }
    buffer_printf(out, "%s", symbol->name);
    for (uint32_t d = 0; d < group->dimension_count; d++) {
        if (index)
            buffer_printf(out, "[%d]", index[d]);
        else
            buffer_printf(out, "[%s]", bound_names[d]);
    }
    buffer_printf(out, "%s", rest ? rest : "");
    buffer_close(&path);
}

static void print_kind(struct buffer *out, const struct cell_group *group,
                       const struct cell_kind *kind, const int32_t *index) {
    assert(group->dimension_count <= sizeof bound_names / sizeof *bound_names);
    for (uint32_t f = 0; f < group->fields.count; f++) {
        const struct cell_field *field = &group->fields.items[f];
        buffer_printf(out, "%s%s", f ? " && " : "", field->is_bool && !kind->values[f] ? "!" : "");
        print_cell(out, group, field, index);
        if (!field->is_bool) buffer_printf(out, " == %d", kind->values[f]);
    }
}

/* Whether the zone is a run of indices, or all of them. */
static bool find_run(const struct cell_group *group, uint32_t zone, int32_t *first, int32_t *last) {
    uint32_t from = 0, size = group->zones[zone].size;
    while (group->zone_of[from] != zone) from++;
    if (size == group->position_count) return false; /* bounds by dimension will do */
    for (uint32_t p = from; p < from + size; p++)
        if (p == group->position_count || group->zone_of[p] != zone) return false;
    *first = group->lower[0] + (int32_t)from;
    *last = *first + (int32_t)size - 1;
    return group->dimension_count == 1;
}

/* A count of the cells of one kind of a zone, as an option; NULL where the zone is no range. */
static const char *proposal(const struct cell_group *group, uint32_t zone,
                            const struct cell_kind *kind) {
    const struct template *template = group->folds[0].ghost->template;
    struct arena *arena = group->context->arena;
    struct buffer out = {0};
    int32_t first = 0, last = 0;
    bool is_run = find_run(group, zone, &first, &last);
    if (!is_run && group->zones[zone].size < group->position_count) return NULL;
    bool is_one = is_run && first == last;
    buffer_printf(&out, "--merge '%s%st:int[0,%u]=", template ? template->symbol->name : "",
                  template ? "." : "", group->zones[zone].size);
    for (uint32_t d = 0; d < group->dimension_count && !is_one; d++)
        buffer_printf(&out, "sum(%s : int[%d,%d]) ", bound_names[d],
                      is_run ? first : group->lower[d],
                      is_run ? last : group->lower[d] + (int32_t)group->size[d] - 1);
    buffer_printf(&out, "(");
    print_kind(&out, group, kind, is_one ? &first : NULL);
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
    if (!found && touched->quantifiers.count) found = touched->quantifiers.items[0].original;
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

/* That an index which stays tells the cell from others; NULL if none does. */
static const char *about_one_cell(const struct touched_edge *touched) {
    struct arena *arena = touched->group->context->arena;
    const struct cell_term *seen = NULL;
    for (uint32_t t = 0; t < touched->term_count && !seen; t++)
        if (touched->terms[t].seen) seen = &touched->terms[t];
    if (!seen) return NULL;
    const char *asks = what_asks(touched, CONJUNCT_OF_CELLS);
    if (seen->seen_in)
        return arena_printf(arena,
                            "%s is about one cell that is known, since its index is seen in "
                            "'%s', and the merges do not tell this cell from others",
                            asks, seen->seen_in);
    struct buffer index = {0};
    print_expr(&index, seen->seen);
    const char *reason = arena_printf(arena,
                                      "%s is about the one cell at index '%s', and neither the "
                                      "location nor the merges say what it holds",
                                      asks, index.data);
    buffer_close(&index);
    return reason;
}

const char *outcome_reason(const struct touched_edge *touched, const struct cell_outcome *outcome) {
    const struct cell_group *group = touched->group;
    struct arena *arena = group->context->arena;
    const struct cell_kind *in = NULL, *out = NULL;
    const struct cell_member *first = outcome->class->members.items[0];
    assert(outcome->class->members.count); /* a deal is exact */
    assert(!outcome->is_exact);
    const char *about = about_one_cell(touched);
    if (about) return about;
    if (!first->of->is_closed)
        return arena_printf(arena,
                            "%s depends on which cells have which index, and the merges do not say "
                            "so",
                            what_asks(touched, CONJUNCT_OF_SELECTS));
    if (!first->of->cell_count)
        return arena_printf(arena, "%s asks about all cells, of kinds that no merge counts",
                            what_asks(touched, CONJUNCT_OF_CELLS));
    const struct cell_zone *zone = &group->zones[first->of->zone[0]];
    const char *count = proposal(group, first->of->zone[0], &zone->kinds.items[first->kind[0]]);
    count = count ? arena_printf(arena, "; count it, too: %s", count) : "";
    if (!find_pair(group, outcome->class, &in, &out))
        return arena_printf(
            arena, "%s depends on how many cells there are of a kind that no merge counts%s",
            what_asks(touched, CONJUNCT_OF_CELLS), count);
    struct buffer text = {0};
    print_kind(&text, group, out, NULL);
    const char *reason =
        arena_printf(arena, "%s asks for a kind that no merge counts (merged with: %s)%s",
                     what_asks(touched, CONJUNCT_OF_CELLS), text.data, count);
    buffer_close(&text);
    return reason;
}
