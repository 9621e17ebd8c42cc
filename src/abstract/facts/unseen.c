/* See unseen.h: the largest set of removed variables whose readers change nothing else. */
#include "abstract/facts/unseen.h"

#include "model/errors.h"

#include <assert.h>

struct unseen {
    struct map symbols; /* removed -> whether it is unseen, over until all is looked at */
    struct map failing; /* items that may fail, where nothing relies on their not failing */
    const char *may_fail;
};

struct finder {
    struct unseen *unseen;
    struct effects_table table;
    bool has_changed;
};

static bool *find(const struct unseen *unseen, const struct symbol *symbol) {
    return map_get(&unseen->symbols, map_key(symbol));
}

bool unseen_has(const struct unseen *unseen, const struct symbol *symbol) {
    const bool *found = find(unseen, symbol);
    return found && *found;
}

/* Whether all that evaluating does is to change unseen variables. */
static bool is_all(const struct unseen *unseen, const struct effects *effects) {
    bool writes = false;
    for (uint32_t i = 0; i < effects->list.count; i++) {
        if (!effects->list.items[i].writes) continue;
        if (!unseen_has(unseen, effects->list.items[i].symbol)) return false;
        writes = true;
    }
    return writes;
}

bool unseen_goes(const struct context *context, const struct expr *item,
                 const struct effects *effects, bool reads_removed) {
    assert(context->unseen); /* found before the first edge is made */
    return reads_removed && is_all(context->unseen, effects) &&
           !map_get(&context->unseen->failing, map_key(item));
}

const char *unseen_may_fail(const struct unseen *unseen) { return unseen->may_fail; }

static void see(struct finder *finder, const struct symbol *symbol) {
    bool *found = find(finder->unseen, symbol);
    if (!found || !*found) return;
    *found = false;
    finder->has_changed = true;
}

static void see_effects(struct finder *finder, const struct effects *effects) {
    for (uint32_t i = 0; i < effects->list.count; i++) see(finder, effects->list.items[i].symbol);
}

static void see_expr(struct finder *finder, const struct expr *expr) {
    struct effects effects = {0};
    if (!expr) return;
    effects_add_expr(&finder->table, &effects, expr);
    see_effects(finder, &effects);
}

/* Sees the variables that an update item reads, if it changes more than unseen variables. */
static void see_item(struct finder *finder, const struct expr *item) {
    struct effects effects = {0};
    effects_add_expr(&finder->table, &effects, item);
    if (is_all(finder->unseen, &effects)) return;
    for (uint32_t i = 0; i < effects.list.count; i++)
        if (effects.list.items[i].reads) see(finder, effects.list.items[i].symbol);
}

/* Whether a template may name what is removed. */
static bool is_asked(const struct context *context, uint32_t template) {
    return !context->templates || context->templates[template];
}

/* Sees the variables that are read where reading always matters: by hooks, merges, invariants,
 * guards, channels and weights. */
static void see_all(struct finder *finder, const struct context *context) {
    const struct network *network = context->network;
    const struct model *model = network->model;
    const struct request *request = context->request;
    see_effects(finder, &network->before_update);
    see_effects(finder, &network->after_update);
    for (uint32_t i = 0; i < request->ghosts.count; i++)
        for (uint32_t k = 0; k < request->ghosts.items[i]->cells.count; k++)
            see(finder, request->ghosts.items[i]->cells.items[k].symbol);
    for (uint32_t t = 0; t < model->template_count; t++) {
        const struct template *template = model->templates[t];
        if (!is_asked(context, t)) continue;
        for (uint32_t l = 0; l < template->location_count; l++)
            see_expr(finder, invariant_at(network, template, l));
        for (uint32_t e = 0; e < template->edge_count; e++) {
            see_effects(finder, &network->labels.edges[t][e].guard_effects);
            see_effects(finder, &network->labels.edges[t][e].sync_effects);
            see_expr(finder, template->edges[e].weight);
        }
    }
}

/* Whether the update of an edge has to do with a removed variable. */
static bool names_removed(const struct finder *finder, const struct context *context, uint32_t t,
                          uint32_t e) {
    const struct effects *effects = &context->network->labels.edges[t][e].update_effects;
    for (uint32_t i = 0; i < effects->list.count; i++)
        if (find(finder->unseen, effects->list.items[i].symbol)) return true;
    return false;
}

static void see_updates(struct finder *finder, const struct context *context) {
    const struct model *model = context->network->model;
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t e = 0; is_asked(context, t) && e < model->templates[t]->edge_count; e++) {
            const struct expr_list *updates = &model->templates[t]->edges[e].updates;
            if (!names_removed(finder, context, t, e)) continue;
            for (uint32_t i = 0; i < updates->count; i++) see_item(finder, updates->items[i]);
        }
}

/* Over: whether an item is left out that may fail. */
static bool is_failing(const struct finder *finder, const struct context *context,
                       const struct effects *effects, const struct edge_fact *fact,
                       uint32_t index) {
    bool reads_removed = false;
    for (uint32_t i = 0; i < effects->list.count; i++)
        reads_removed |= effects->list.items[i].reads &&
                         removed_ever(context->request, effects->list.items[i].symbol);
    return reads_removed && is_all(finder->unseen, effects) &&
           (fact->is_incomplete || fact->item_faults[index]);
}

/* Items that are left out and may fail: they are left out if the original has no runtime errors. If
 * it is known to have some they stay, and there are conditions for them. */
static void find_failing(struct finder *finder, const struct context *context) {
    const struct model *model = context->network->model;
    struct unseen *unseen = finder->unseen;
    struct original_errors *errors = context->analysis->options.errors;
    static bool yes = true;
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t e = 0; is_asked(context, t) && e < model->templates[t]->edge_count; e++) {
            const struct edge *edge = &model->templates[t]->edges[e];
            const struct edge_fact *fact = &context->analysis->edges[t][e];
            if (!names_removed(finder, context, t, e)) continue;
            for (uint32_t i = 0; i < edge->updates.count; i++) {
                const struct expr *item = edge->updates.items[i];
                struct effects effects = {0};
                effects_add_expr(&finder->table, &effects, item);
                if (!is_failing(finder, context, &effects, fact, i)) continue;
                enum known_errors known = errors_known(errors);
                if (known == ERRORS_SOME) map_put(&unseen->failing, map_key(item), &yes);
                if (known == ERRORS_UNKNOWN && !unseen->may_fail)
                    unseen->may_fail =
                        failure_text(context->arena, model->templates[t], edge, item);
            }
        }
}

const struct unseen *unseen_find(const struct context *context) {
    struct unseen *unseen = ARENA_NEW(context->arena, struct unseen);
    struct finder finder = {.unseen = unseen, .table = context->network->effects};
    const struct request *request = context->request;
    bool is_possible = !context->rules->is_confined && !context->network->has_priorities;
    finder.table.arena = context->arena;
    map_init(&unseen->symbols, context->arena);
    map_init(&unseen->failing, context->arena);
    for (uint32_t i = 0; i < request->removals.count; i++) {
        const struct removal *removal = &request->removals.items[i];
        bool *is_one = ARENA_NEW(context->arena, bool);
        *is_one = is_possible && removal->is_whole && !removal->scope;
        map_put(&unseen->symbols, map_key(removal->symbol), is_one);
    }
    see_all(&finder, context);
    do {
        finder.has_changed = false;
        if (is_possible) see_updates(&finder, context);
    } while (finder.has_changed);
    assert(!finder.has_changed);
    find_failing(&finder, context);
    return unseen;
}
