#include "normal/lost_select.h"

#include "lang/syntax/lex.h"

#include <assert.h>
#include <string.h>

static bool label_names(const struct edge *edge, enum label_kind kind, const char *name) {
    const struct element *label = edge->xml->labels.of[kind];
    return label && label->text.content.size && text_names(label->text.content.data, name);
}

static struct str written(const struct document *document, const struct symbol *select) {
    return document_text(document, (struct span){select->span.begin, select->type->span.end});
}

uint64_t select_size(const struct network *network, const struct template *template,
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
        return; /* behind a branchpoint they may be named */
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
