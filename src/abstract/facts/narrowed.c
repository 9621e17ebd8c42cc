#include "abstract/facts/narrowed.h"

#include "explore/fair/tag.h"
#include "expr/find.h"
#include "model/data_size.h"

#include <assert.h>

static bool asks_about_moves(const struct model *model) {
    bool does = false;
    for (uint32_t i = 0; i < model->query_count; i++)
        does |= expr_asks_coalition(model->queries[i].predicate);
    return does;
}

static bool all_are_removed(const struct context *context, const struct data_class *class) {
    for (uint32_t i = 0; i < class->variables.count; i++) {
        const struct removal *removal = removed_ever(context->request, class->variables.items[i]);
        if (!removal || !removal->is_whole || removal->scope) return false;
    }
    return true;
}

static bool is_tagged(const struct model *model, const struct symbol *select) {
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t e = 0; e < model->templates[t]->edge_count; e++) {
            const struct edge *edge = &model->templates[t]->edges[e];
            for (uint32_t s = 0; s < edge->select_count; s++)
                if (edge->selects[s] == select && edge_tags_mention(edge, str_of(select->name)))
                    return true;
        }
    return false;
}

static bool narrow(struct context *context, const struct data_class *class,
                   const struct symbol *select) {
    const struct shape *shape = context_shape(context, select->type);
    if (select->kind != SYMBOL_SELECT || !shape || shape->kind != SHAPE_CELL) return false;
    struct data_kind part = data_enough_of(class, (struct data_kind){shape->lower, shape->upper});
    assert(part.lower >= shape->lower && part.upper <= shape->upper);
    if ((int64_t)shape->upper - shape->lower < NARROWED_MIN_VALUES ||
        (part.lower == shape->lower && part.upper == shape->upper))
        return false;
    struct data_kind *kept = ARENA_NEW(context->arena, struct data_kind);
    *kept = part;
    map_put(&context->narrowed.of, map_key(select), kept);
    return true;
}

/* All selects of a class, and no tag of an edge tells what they take. */
static bool can_narrow(const struct context *context, const struct data_class *class) {
    bool is_tagless = true;
    for (uint32_t i = 0; i < class->selects.count; i++)
        is_tagless &= !is_tagged(context->network->model, class->selects.items[i]);
    return is_tagless && !class->why_not && all_are_removed(context, class);
}

static void add_classes(struct context *context, const struct data *data,
                        const struct data_class *const *classes, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        struct removed_data found = {.class = classes[i]};
        for (uint32_t k = 0; k < classes[i]->selects.count; k++)
            found.is_narrowed |= narrow(context, classes[i], classes[i]->selects.items[k]);
        found.size = data_size_of(data, classes, count, classes[i], &found.least);
        found.any = data_any_of(data, classes[i], &found.any_of);
        if (found.is_narrowed || found.size || found.any)
            VEC_PUSH(context->arena, &context->data, found);
    }
}

void narrow_selects(struct context *context) {
    const struct fold_rules *rules = context->rules;
    VEC(const struct data_class *) classes = {0};
    assert(!context->data.count); /* once for a context */
    if (!context->request->ghosts.count || rules->is_mixed || rules->is_confined) return;
    if (asks_about_moves(context->network->model)) return;
    map_init(&context->narrowed.of, context->arena);
    const struct data *data = data_find(context->arena, context->network);
    for (uint32_t i = 0; i < data->classes.count; i++)
        if (can_narrow(context, data->classes.items[i]))
            VEC_PUSH(context->arena, &classes, data->classes.items[i]);
    add_classes(context, data, classes.items, classes.count);
}

bool narrowing_loses(const struct context *context, uint32_t query) {
    bool does = false;
    assert(query < context->network->model->query_count);
    for (uint32_t i = 0; i < context->data.count; i++)
        does |= context->data.items[i].is_narrowed &&
                !data_answers(context->data.items[i].class, query);
    return does;
}

void settle_sizes(struct context *context, const uint32_t *dropped, uint32_t count) {
    bool is_asked = false;
    assert(count <= context->network->model->query_count);
    for (uint32_t i = 0; i < context->data.count; i++) {
        const struct data_class *class = context->data.items[i].class;
        for (uint32_t k = 0; k < class->asking.count; k++) {
            bool is_dropped = false;
            for (uint32_t d = 0; d < count; d++) is_dropped |= dropped[d] == class->asking.items[k];
            is_asked |= !is_dropped;
        }
    }
    for (uint32_t i = 0; i < context->data.count && is_asked; i++)
        context->data.items[i].size = context->data.items[i].any = NULL;
}
