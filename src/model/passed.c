/* See passed.h. */
#include "model/passed.h"

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

static void note_instances(struct network *network, const struct declaration_list *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        struct naming naming = {&network->named_by, list->items[i]->instance};
        for (uint32_t a = 0; naming.instance && a < naming.instance->argument_count; a++)
            walk_expr(naming.instance->arguments[a], note_name, &naming);
    }
}

static void note_references(struct network *network, const struct process *process) {
    for (uint32_t i = 0; i < process->template->symbol_count; i++) {
        const struct symbol *parameter = process->template->symbols[i];
        const struct binding *binding = &process->locals[i];
        for (uint32_t k = 0;
             parameter->is_reference && binding->shape && k < binding->shape->cell_count; k++)
            if (!network->seen_as[binding->address + k])
                network->seen_as[binding->address + k] = parameter;
    }
}

void passed_init(struct network *network, struct arena *arena) {
    map_init(&network->named_by, arena);
    note_instances(network, &network->model->declarations);
    note_instances(network, &network->model->system_declarations);
    network->seen_as = ARENA_ARRAY(arena, const struct symbol *, network->cell_count + 1);
    for (uint32_t p = 0; p < network->process_count; p++)
        note_references(network, &network->processes[p]);
}

const char *passed_instance(const struct network *network, const struct symbol *symbol) {
    return map_get(&network->named_by, map_key(symbol));
}

const struct symbol *passed_parameter(const struct network *network, const struct symbol *symbol) {
    const struct binding *variable = &network->globals[symbol->index];
    for (uint32_t k = 0; k < variable->shape->cell_count; k++)
        if (network->seen_as[variable->address + k]) return network->seen_as[variable->address + k];
    return NULL;
}
