#include "abstract/function.h"

#include "lang/print.h"
#include "lang/walk.h"

struct planner {
    struct function_plan *plan;
    const struct network *network;
    const struct request *request;
    struct diag *diag;
    bool ok;
};

void print_local_type(struct buffer *out, const struct type *type) {
    struct type plain = *type_base(type);
    plain.prefix = 0;
    print_base_type(out, &plain);
}

const struct function_change *function_change_of(const struct function_plan *plan,
                                                 const struct function *function) {
    return map_get(&plan->by_function, map_key(function));
}

static const struct effects *effects_of(struct planner *planner,
                                        const struct function *function) {
    return effects_of_function((struct effects_table *)&planner->network->effects, function);
}

static void for_all_functions(struct planner *planner, const struct symbol *symbol,
                              void (*visit)(struct planner *, const struct function *,
                                            const struct symbol *, void *),
                              void *context) {
    const struct model *model = planner->network->model;
    for (uint32_t i = 0; i < model->template_count + 2; i++) {
        const struct declaration_list *list = i == 0   ? &model->declarations
                                              : i == 1 ? &model->system_declarations
                                                       : &model->templates[i - 2]->declarations;
        for (uint32_t k = 0; k < list->count; k++)
            if (list->items[k]->kind == DECLARATION_FUNCTION)
                visit(planner, list->items[k]->function, symbol, context);
    }
}

struct use {
    bool is_read, is_written;
};

static void note_use(struct planner *planner, const struct function *function,
                     const struct symbol *symbol, void *context) {
    struct use *use = context;
    const struct effect *effect = effects_find(effects_of(planner, function), symbol);
    if (!effect) return;
    use->is_read |= effect->reads;
    use->is_written |= effect->writes;
}

/* Whether some update that may call a writer also reads the variable. */
static bool is_read_in_updates(const struct network *network, const struct symbol *symbol) {
    const struct model *model = network->model;
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t i = 0; i < model->templates[t]->edge_count; i++) {
            const struct effects *update = &network->edge_effects[t][i].update;
            if (effects_reads(update, symbol) && effects_writes(update, symbol)) return true;
        }
    return false;
}

struct pass {
    bool is_local;
};

static bool is_scalar(const struct symbol *symbol) {
    enum type_kind kind = type_strip(symbol->type)->kind;
    return kind != TYPE_ARRAY && kind != TYPE_STRUCT;
}

static void add_passed(struct planner *planner, const struct function *function,
                       const struct symbol *symbol, void *context) {
    const struct pass *pass = context;
    const struct effect *effect = effects_find(effects_of(planner, function), symbol);
    if (!effect) return;
    bool hides = statement_declares(function->body, symbol->name);
    for (uint32_t i = 0; i < function->parameter_count; i++)
        hides |= function->parameters[i]->name == symbol->name;
    if (hides) {
        diag_error(planner->diag, STATUS_UNSUPPORTED, function->symbol->span.begin,
                   "'%s' cannot be removed: function '%s' uses it, directly or through a call, "
                   "and has a '%s' of its own; rename that",
                   symbol->name, function->symbol->name, symbol->name);
        planner->ok = false;
        return;
    }
    struct function_change *change = map_get(&planner->plan->by_function, map_key(function));
    if (!change) {
        change = ARENA_NEW(planner->plan->arena, struct function_change);
        change->function = function;
        map_put(&planner->plan->by_function, map_key(function), change);
        VEC_PUSH(planner->plan->arena, &planner->plan->changes, change);
    }
    enum passing passing = pass->is_local ? PASS_LOCAL
                           : effect->writes || !is_scalar(symbol) ? PASS_REFERENCE
                                                                  : PASS_VALUE;
    VEC_PUSH(planner->plan->arena, &change->passed, (struct passed){symbol, passing});
}

bool function_plan_make(struct function_plan *plan, struct arena *arena,
                        const struct network *network, const struct request *request,
                        struct diag *diag) {
    *plan = (struct function_plan){.arena = arena};
    map_init(&plan->by_function, arena);
    struct planner planner = {plan, network, request, diag, true};
    for (uint32_t i = 0; i < request->removals.count; i++) {
        const struct removal *removal = &request->removals.items[i];
        if (!removal->is_whole) continue;
        struct use use = {false, false};
        for_all_functions(&planner, removal->symbol, note_use, &use);
        struct pass pass = {use.is_written && !use.is_read &&
                            !is_read_in_updates(network, removal->symbol)};
        for_all_functions(&planner, removal->symbol, add_passed, &pass);
    }
    return planner.ok;
}
