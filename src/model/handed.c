#include "model/handed.h"

#include "lang/syntax/walk.h"

struct naming {
    struct map *map;
    const struct instance *instance;
};

static bool note_name(void *user, const struct expr *expr) {
    struct naming *naming = user;
    if (expr->kind == EXPR_NAME && expr->symbol && !map_get(naming->map, map_key(expr->symbol)))
        map_put(naming->map, map_key(expr->symbol), (void *)naming->instance->symbol->name);
    return true;
}

static void note_instances(struct handed *handed, const struct declaration_list *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        struct naming naming = {&handed->instances, list->items[i]->instance};
        for (uint32_t a = 0; naming.instance && a < naming.instance->argument_count; a++)
            walk_expr(naming.instance->arguments[a], note_name, &naming);
    }
}

void handed_init(struct handed *handed, struct arena *arena, const struct model *model,
                 uint32_t cell_count) {
    map_init(&handed->instances, arena);
    note_instances(handed, &model->declarations);
    note_instances(handed, &model->system_declarations);
    handed->parameters = ARENA_ARRAY(arena, const struct symbol *, cell_count + 1);
}

void handed_add(struct handed *handed, const struct symbol *parameter,
                const struct binding *binding) {
    for (uint32_t k = 0; k < binding->shape->cell_count; k++)
        if (!handed->parameters[binding->address + k])
            handed->parameters[binding->address + k] = parameter;
}

const char *handed_instance(const struct handed *handed, const struct symbol *symbol) {
    return map_get(&handed->instances, map_key(symbol));
}

const struct symbol *handed_parameter(const struct handed *handed, const struct binding *variable) {
    for (uint32_t k = 0; k < variable->shape->cell_count; k++)
        if (handed->parameters[variable->address + k])
            return handed->parameters[variable->address + k];
    return NULL;
}
