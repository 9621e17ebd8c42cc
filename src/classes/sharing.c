#include "classes/sharing.h"

#include "expr/find.h"

#include <assert.h>

bool sharing_has_parameter(const struct process *process, const struct network *network,
                           const struct symbol *parameter) {
    const struct binding *binding = &process->locals[parameter->index];
    return parameter->kind == SYMBOL_PARAMETER && !parameter->is_reference &&
           !type_has_scalar(parameter->type) && binding->shape &&
           binding->shape->kind == SHAPE_CELL && network->slot_of[binding->address] == NO_SLOT;
}

int32_t sharing_argument(const struct process *process, const struct network *network,
                         const struct symbol *parameter) {
    assert(sharing_has_parameter(process, network, parameter));
    return network->cells[process->locals[parameter->index].address];
}

static bool has_equal_arguments(const struct network *network, const struct process *left,
                                const struct process *right) {
    const struct template *template = left->template;
    assert(template == right->template);
    for (uint32_t i = 0; i < template->parameter_count; i++) {
        const struct symbol *parameter = template->parameters[i];
        if (sharing_has_parameter(left, network, parameter) &&
            sharing_argument(left, network, parameter) !=
                sharing_argument(right, network, parameter))
            return false;
    }
    return true;
}

/* The processes of one template, from its first on. False if too many of them are told apart. */
static bool share_by_arguments(struct point_sharing *sharing, const struct network *network,
                               uint32_t first) {
    uint32_t firsts[MOST_SHARERS], count = 0;
    for (uint32_t p = first; p < network->process_count; p++) {
        uint32_t i = 0;
        if (sharing->of_template[p] != first) continue;
        while (i < count && !has_equal_arguments(network, &network->processes[firsts[i]],
                                                 &network->processes[p]))
            i++;
        if (i == MOST_SHARERS) return false;
        if (i == count) firsts[count++] = p;
        assert(firsts[i] >= first && firsts[i] <= p);
        sharing->of_arguments[p] = firsts[i];
    }
    return true;
}

struct point_sharing *sharing_find(struct arena *arena, const struct network *network) {
    struct point_sharing *sharing = ARENA_NEW(arena, struct point_sharing);
    uint32_t templates = network->model->template_count, processes = network->process_count;
    uint32_t *first = ARENA_ARRAY(arena, uint32_t, templates + 1); /* by template, plus 1 */
    sharing->of_template = ARENA_ARRAY(arena, uint32_t, processes + 1);
    sharing->of_arguments = ARENA_ARRAY(arena, uint32_t, processes + 1);
    for (uint32_t p = 0; p < processes; p++) {
        uint32_t *own = &first[network->processes[p].template->index];
        if (!*own) *own = p + 1;
        sharing->of_template[p] = *own - 1;
    }
    for (uint32_t t = 0; t < templates; t++) {
        if (!first[t] || share_by_arguments(sharing, network, first[t] - 1)) continue;
        for (uint32_t p = first[t] - 1; p < processes; p++)
            if (sharing->of_template[p] == first[t] - 1)
                sharing->of_arguments[p] = sharing->of_template[p];
    }
    return sharing;
}
