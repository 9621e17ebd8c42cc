#include "model/seal.h"

#include "base/str.h"
#include "lang/syntax/walk.h"

static void add(uint64_t *sum, const void *bytes, size_t size) {
    *sum = hash_mix(*sum, hash_bytes(bytes, size));
}

static bool add_expr(void *context, const struct expr *expr) {
    add(context, expr, sizeof *expr);
    return true;
}

static void add_list(uint64_t *sum, const struct expr_list *list) {
    walk_list(list, add_expr, sum);
}

static void add_declarations(uint64_t *sum, const struct declaration_list *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        const struct declaration *declaration = list->items[i];
        add(sum, declaration, sizeof *declaration);
        if (declaration->base) walk_type(declaration->base, add_expr, sum);
        if (declaration->function) {
            add(sum, declaration->function, sizeof *declaration->function);
            walk_statement(declaration->function->body, add_expr, sum);
        }
        add_list(sum, &declaration->hook);
    }
}

static void add_template(uint64_t *sum, const struct template *template) {
    add(sum, template, sizeof *template);
    add_declarations(sum, &template->declarations);
    for (uint32_t i = 0; i < template->location_count; i++) {
        const struct location *location = &template->locations[i];
        add(sum, location, sizeof *location);
        if (location->written_invariant) walk_expr(location->written_invariant, add_expr, sum);
    }
    for (uint32_t i = 0; i < template->edge_count; i++) {
        const struct edge *edge = &template->edges[i];
        add(sum, edge, sizeof *edge);
        if (edge->written_guard) walk_expr(edge->written_guard, add_expr, sum);
        if (edge->sync) walk_expr(edge->sync, add_expr, sum);
        add_list(sum, &edge->updates);
        if (edge->weight) walk_expr(edge->weight, add_expr, sum);
    }
}

uint64_t model_seal(const struct model *model) {
    uint64_t sum = 0;
    add_declarations(&sum, &model->declarations);
    add_declarations(&sum, &model->system_declarations);
    for (uint32_t i = 0; i < model->template_count; i++) add_template(&sum, model->templates[i]);
    return sum;
}
