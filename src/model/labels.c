#include "model/labels.h"

#include "lang/syntax/walk.h"

#include <string.h>

static struct network_labels new_labels(struct arena *arena, const struct model *model) {
    struct network_labels labels = {
        ARENA_ARRAY(arena, struct edge_labels *, model->template_count + 1),
        ARENA_ARRAY(arena, const struct expr **, model->template_count + 1)};
    for (uint32_t t = 0; t < model->template_count; t++) {
        const struct template *template = model->templates[t];
        labels.edges[t] = ARENA_ARRAY(arena, struct edge_labels, template->edge_count + 1);
        labels.invariants[t] =
            ARENA_ARRAY(arena, const struct expr *, template->location_count + 1);
    }
    return labels;
}

static bool note_call(void *found, const struct expr *expr) {
    if (expr->kind == EXPR_CALL && expr->symbol && expr->symbol->function) *(bool *)found = true;
    return true;
}

static bool has_call(const struct edge *edge) {
    bool found = false;
    walk_labels(edge, note_call, &found);
    return found;
}

struct network_labels labels_of_model(struct arena *arena, const struct model *model,
                                      struct effects_table *table) {
    struct network_labels labels = new_labels(arena, model);
    for (uint32_t t = 0; t < model->template_count; t++) {
        const struct template *template = model->templates[t];
        for (uint32_t i = 0; i < template->edge_count; i++) {
            const struct edge *edge = &template->edges[i];
            labels.edges[t][i].guard = edge->written_guard;
            labels.edges[t][i].has_call = has_call(edge);
            effects_add_expr(table, &labels.edges[t][i].sync_effects, edge->sync);
            effects_add_list(table, &labels.edges[t][i].update_effects, &edge->updates);
        }
        for (uint32_t i = 0; i < template->location_count; i++)
            labels.invariants[t][i] = template->locations[i].written_invariant;
    }
    labels_find_effects(model, &labels, table);
    return labels;
}

void labels_assign(const struct model *model, struct network_labels *to,
                   const struct network_labels *from) {
    for (uint32_t t = 0; t < model->template_count; t++) {
        const struct template *template = model->templates[t];
        memcpy(to->edges[t], from->edges[t], template->edge_count * sizeof *to->edges[t]);
        memcpy(to->invariants[t], from->invariants[t],
               template->location_count * sizeof *to->invariants[t]);
    }
}

struct network_labels labels_copy(struct arena *arena, const struct model *model,
                                  const struct network_labels *labels) {
    struct network_labels copy = new_labels(arena, model);
    labels_assign(model, &copy, labels);
    return copy;
}

void labels_find_effects(const struct model *model, struct network_labels *labels,
                         struct effects_table *table) {
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t i = 0; i < model->templates[t]->edge_count; i++) {
            struct edge_labels *edge = &labels->edges[t][i];
            if (!edge->has_guard_effects)
                effects_add_expr(table, &edge->guard_effects, edge->guard);
            edge->has_guard_effects = true;
        }
}
