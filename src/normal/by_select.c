#include "normal/by_select.h"

#include "lang/syntax/lex.h"

#include <assert.h>
#include <string.h>

/* ---- selects that nothing reads any more ---- */

static bool label_names(const struct edge *edge, enum label_kind kind, const char *name) {
    const struct element *label = edge->xml->labels.of[kind];
    return label && label->text.content.size && text_names(label->text.content.data, name);
}

static struct str written(const struct document *document, const struct symbol *select) {
    return document_text(document, (struct span){select->span.begin, select->type->span.end});
}

/* How many values a select has in all processes of the template together; over: all between the
 * least and the greatest. 0: in some process it has none, and disables the edge. */
static uint64_t select_size(const struct network *network, const struct template *template,
                            const struct symbol *select) {
    struct process_range range = network->processes_of[template->index];
    struct environment environment;
    struct arena scratch;
    int64_t lower = INT64_MAX, upper = INT64_MIN;
    bool has_all = true;
    arena_init(&scratch);
    network_environment(network, &environment, &scratch);
    for (uint32_t p = range.first; p < range.end && has_all; p++) {
        if (network->processes[p].template != template) continue;
        environment.locals = network->processes[p].locals;
        const struct shape *shape = eval_shape(&environment, select->type);
        has_all = shape && shape->kind == SHAPE_CELL;
        if (has_all && shape->lower < lower) lower = shape->lower;
        if (has_all && shape->upper > upper) upper = shape->upper;
    }
    eval_close(&environment);
    arena_close(&scratch);
    return has_all && lower <= upper ? (uint64_t)(upper - lower + 1) : 0;
}

/* Whether no label names a select any more. */
static bool is_lost(const struct document *document, const struct edge *edge, uint32_t index,
                    const char *update) {
    const char *name = edge->selects[index]->name;
    if (!label_names(edge, LABEL_UPDATE, name) || text_names(update, name)) return false;
    for (int kind = 0; kind < LABEL_KINDS; kind++)
        if (kind != LABEL_SELECT && kind != LABEL_UPDATE &&
            label_names(edge, (enum label_kind)kind, name))
            return false;
    for (uint32_t i = 0; i < edge->select_count; i++) { /* in the type of another one */
        struct str other = written(document, edge->selects[i]);
        const char *type = other.data + strlen(edge->selects[i]->name);
        const char *found = strstr(type, name);
        if (i != index && found && found < other.data + other.size) return false;
    }
    return true;
}

void lost_selects_drop(struct splices *splices, const struct network *network,
                       const struct template *template, const struct edge *edge,
                       const char *update) {
    const struct element *label = edge->xml->labels.of[LABEL_SELECT];
    struct buffer out = {0};
    uint32_t kept = 0;
    if (edge->target >= template->location_count)
        return; /* after a branchpoint they may be named */
    for (uint32_t i = 0; i < edge->select_count; i++) {
        if (is_lost(splices->document, edge, i, update) &&
            select_size(network, template, edge->selects[i]))
            continue;
        struct str text = written(splices->document, edge->selects[i]);
        buffer_printf(&out, "%s%.*s", kept++ ? ", " : "", (int)text.size, text.data);
    }
    assert(kept <= edge->select_count && (!edge->select_count || label));
    if (edge->select_count && !kept)
        splice_remove_element(splices, label);
    else if (kept < edge->select_count)
        splice_set_text(splices, label, str_of(buffer_take(&out, splices->arena)));
    buffer_close(&out);
}

/* ---- one assignment in place of several ---- */

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
    return buffer_finish(&out, arena);
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
    return buffer_finish(&out, all->arena);
}
