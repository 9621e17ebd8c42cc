#include "abstract/cells/reason.h"

#include "abstract/cells/mapping.h"
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
        if (field->removal == group->pointer) continue; /* the last one */
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

static bool has_name(struct symbol *const *symbols, uint32_t count, const char *name) {
    bool found = false;
    for (uint32_t i = 0; i < count && !found; i++)
        found = symbols[i]->name && !strcmp(symbols[i]->name, name);
    return found;
}

static bool is_taken(const struct cell_group *group, const char *name) {
    const struct model *model = group->context->network->model;
    bool found = has_name(model->symbols, model->symbol_count, name);
    for (uint32_t t = 0; t < model->template_count && !found; t++)
        found =
            has_name(model->templates[t]->symbols, model->templates[t]->symbol_count, name) ||
            has_name(model->templates[t]->parameters, model->templates[t]->parameter_count, name);
    return found;
}

/* A name for a merge with this definition: the same again for the same, and another one for
 * another. */
static const char *name_for(struct cell_group *group, const char *definition) {
    struct arena *arena = group->context->arena;
    uint32_t at = 0;
    while (at < group->proposals.count && strcmp(group->proposals.items[at], definition) != 0) at++;
    if (at == group->proposals.count) VEC_PUSH(arena, &group->proposals, definition);
    const char *name = NULL;
    uint32_t left = at + 1;
    for (uint32_t number = 1; left; number++) { /* few names are taken */
        name = number == 1 ? "t" : arena_printf(arena, "t%u", number);
        left -= !is_taken(group, name);
    }
    return name;
}

/* A count of the cells of one kind of a zone, as --merge takes it; NULL where the zone is no
 * range. */
static const char *proposal(struct cell_group *group, uint32_t zone, const struct cell_kind *kind) {
    const struct template *template = group->folds[0].ghost->template;
    struct arena *arena = group->context->arena;
    struct buffer out = {0};
    int32_t first = 0, last = 0;
    bool is_run = find_run(group, zone, &first, &last);
    if (!is_run && group->zones[zone].size < group->position_count) return NULL;
    bool is_one = is_run && first == last;
    buffer_printf(&out, ":int[0,%u]=", group->zones[zone].size);
    for (uint32_t d = 0; d < group->dimension_count && !is_one; d++)
        buffer_printf(&out, "sum(%s : int[%d,%d]) ", bound_names[d],
                      is_run ? first : group->lower[d],
                      is_run ? last : group->lower[d] + (int32_t)group->size[d] - 1);
    buffer_printf(&out, "(");
    print_kind(&out, group, kind, is_one ? &first : NULL);
    buffer_printf(&out, ")");
    const struct str scope = group->folds[0].ghost->definition->scope.content;
    if (group->scope) buffer_printf(&out, "@%.*s", (int)scope.size, scope.data);
    const char *definition = arena_copy(arena, out.data, out.size);
    buffer_close(&out);
    return arena_printf(arena, "%s%s%s%s", template ? template->symbol->name : "",
                        template ? "." : "", name_for(group, definition), definition);
}

/* What asks for more than the merges say: the part of the guard that is about cells, or the first
 * write. The text begins with its line. */
static struct cell_reason what_asks(const struct touched_edge *touched,
                                    enum cell_conjunct_kind kind) {
    struct context *context = touched->group->context;
    const struct expr *found = NULL;
    struct cell_reason reason = {.part = "guard"};
    for (uint32_t i = 0; i < touched->conjuncts.count && !found; i++)
        if (touched->conjuncts.items[i].kind == kind &&
            !cell_is_pointer(touched->group, touched->conjuncts.items[i].original))
            found = touched->conjuncts.items[i].original;
    for (uint32_t i = 0; i < touched->items.count && !found; i++)
        if (touched->items.items[i].kind == ITEM_WRITE)
            found = touched->items.items[i].original, reason.part = "update";
    if (!found && touched->quantifiers.count) found = touched->quantifiers.items[0].original;
    if (!found) {
        reason.part = "edge";
        reason.text = "the edge";
        reason.at = touched->edge->xml->element->at;
        return reason;
    }
    reason.expression = expr_text(found, context->arena);
    reason.at = found->span.begin;
    reason.text = arena_printf(context->arena, "line %u: %s '%s'",
                               source_locate(context->diag->source, reason.at).line, reason.part,
                               reason.expression);
    return reason;
}

/* Whether a merge counts the cells of one kind and no others. */
static bool is_counted(const struct cell_group *group, uint32_t zone, uint32_t kind) {
    bool found = false;
    for (uint32_t g = 0; g < group->fold_count && !found; g++) {
        found = cell_fold_is_sum(&group->folds[g]);
        for (uint32_t z = 0; z < group->zone_count && found; z++)
            for (uint32_t k = 0; k < group->zones[z].kinds.count && found; k++)
                found = (group->zones[z].operands[g] && group->zones[z].kinds.items[k].weights[g] !=
                                                            0) == (z == zone && k == kind);
    }
    return found;
}

/* A kind of the members that is not counted by itself, and one with equal weights that is no
 * member's, if there is one (else NO_SLOT). False if all are counted. */
static bool find_missing(const struct cell_group *group, const struct cell_class *class,
                         struct kind_place *in, uint32_t *out) {
    bool found = false;
    *out = NO_SLOT;
    for (uint32_t i = 0; i < class->members.count && *out == NO_SLOT; i++) {
        const struct cell_member *member = class->members.items[i];
        for (uint32_t c = 0; c < member->of->cell_count && *out == NO_SLOT; c++) {
            uint32_t z = member->of->zone[c], own = member->kind[c];
            const struct cell_zone *zone = &group->zones[z];
            if (is_counted(group, z, own)) continue;
            if (!found) *in = (struct kind_place){z, own};
            found = true;
            for (uint32_t k = 0; k < zone->kinds.count && *out == NO_SLOT; k++) {
                bool is_member = false;
                for (uint32_t m = 0; m < class->members.count; m++) {
                    const struct cell_member *other = class->members.items[m];
                    is_member |= other->of == member->of && other->kind[c] == k;
                }
                if (!is_member &&
                    !memcmp(zone->kinds.items[k].weights, zone->kinds.items[own].weights,
                            group->fold_count * sizeof *zone->kinds.items[k].weights))
                    *in = (struct kind_place){z, own}, *out = k;
            }
        }
    }
    return found;
}

/* All kinds of the zone that are not counted, but for one that is no matter then: the missing one
 * first. False if edges that map all cells do not follow from these counts, whichever is left
 * out. */
static bool find_followed(const struct cell_group *group, struct kind_place missing,
                          struct kind_place *counted, uint32_t *count) {
    const struct cell_zone *zone = &group->zones[missing.zone];
    for (uint32_t left_out = zone->kinds.count; left_out--;) {
        if (left_out == missing.kind || is_counted(group, missing.zone, left_out)) continue;
        *count = 1;
        for (uint32_t k = 0; k < zone->kinds.count; k++)
            if (k != missing.kind && k != left_out && !is_counted(group, missing.zone, k))
                counted[(*count)++] = (struct kind_place){missing.zone, k};
        if (mappings_follow(group, counted, *count)) return true;
    }
    return false;
}

/* The count of the missing kind; with edges that map all cells, as many more as it takes to say
 * what becomes of it (F16). What is said of them. */
static const char *propose(struct cell_group *group, struct kind_place missing,
                           struct cell_reason *asks) {
    struct arena *arena = group->context->arena;
    struct kind_place counted[CELLS_MAX_KINDS] = {missing};
    uint32_t count = 1;
    if (!mappings_follow(group, counted, 1) && !find_followed(group, missing, counted, &count))
        return "; if it were counted, too, what becomes of that count on an edge that gives all "
               "cells new values would not follow";
    const char **merges = ARENA_ARRAY(arena, const char *, count);
    const char *text = "";
    for (uint32_t i = 0; i < count; i++) {
        merges[i] =
            proposal(group, missing.zone, &group->zones[missing.zone].kinds.items[counted[i].kind]);
        if (!merges[i]) return "";
        text = arena_printf(arena, "%s --merge '%s'", text, merges[i]);
    }
    asks->merges = merges;
    asks->merge_count = count;
    return arena_printf(arena, "; count it, too:%s", text);
}

/* The reason with what comes after the part that asks. */
static struct cell_reason because(const struct touched_edge *touched, struct cell_reason reason,
                                  const char *rule, const char *rest) {
    reason.rule = rule;
    reason.text = arena_printf(touched->group->context->arena, "%s %s", reason.text, rest);
    return reason;
}

/* That a kept index tells the cell from others. */
static struct cell_reason about_one_cell(const struct touched_edge *touched,
                                         const struct cell_term *seen) {
    struct arena *arena = touched->group->context->arena;
    struct cell_reason asks = what_asks(touched, CONJUNCT_OF_CELLS);
    if (seen->seen_in)
        return because(touched, asks, "F10",
                       arena_printf(arena,
                                    "is about one cell that is known, since its index is seen in "
                                    "'%s', and the merges do not tell this cell from others",
                                    seen->seen_in));
    const char *rest = arena_printf(arena,
                                    "is about the one cell at index '%s', and neither the location "
                                    "nor the merges say what it holds",
                                    expr_text(seen->seen, arena));
    return because(touched, asks, "F15", rest);
}

struct cell_reason outcome_reason(const struct touched_edge *touched,
                                  const struct cell_outcome *outcome) {
    struct cell_group *group = touched->group;
    struct arena *arena = group->context->arena;
    const struct cell_member *first = outcome->class->members.items[0];
    assert(outcome->class->members.count); /* a deal is exact */
    assert(!outcome->is_exact);
    for (uint32_t t = 0; t < touched->term_count; t++)
        if (touched->terms[t].seen) return about_one_cell(touched, &touched->terms[t]);
    if (!first->of->is_closed)
        return because(touched, what_asks(touched, CONJUNCT_OF_SELECTS), "F10",
                       "depends on which cells have which index, and the merges do not say so");
    struct cell_reason asks = what_asks(touched, CONJUNCT_OF_CELLS);
    if (!first->of->cell_count)
        return because(touched, asks, "F13", "asks about all cells, of kinds that no merge counts");
    struct kind_place in = {0, 0};
    uint32_t out = NO_SLOT;
    bool is_missing = !group->pointer && find_missing(group, outcome->class, &in, &out);
    const struct cell_zone *zone = &group->zones[in.zone];
    const char *count = is_missing ? propose(group, in, &asks) : "";
    bool are_all_sums = true;
    for (uint32_t g = 0; g < group->fold_count; g++)
        are_all_sums &= cell_fold_is_sum(&group->folds[g]);
    const char *rule = are_all_sums ? "F8" : "F9";
    if (out == NO_SLOT)
        return because(touched, asks, rule,
                       arena_printf(arena,
                                    "depends on how many cells there are of a kind that no merge "
                                    "counts%s",
                                    count));
    struct buffer text = {0};
    print_kind(&text, group, &zone->kinds.items[out], NULL);
    const char *rest = arena_printf(
        arena, "asks for a kind that no merge counts (merged with: %s)%s", text.data, count);
    buffer_close(&text);
    return because(touched, asks, rule, rest);
}
