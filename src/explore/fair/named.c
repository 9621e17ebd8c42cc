#include "explore/fair/named.h"

#include "explore/fair/tag.h"

const char *channel_name_of(struct arena *arena, const struct symbol *symbol,
                            const struct process *process, const struct binding *binding) {
    if (!symbol || !symbol_is_channel(symbol) || symbol->is_reference || !binding->shape)
        return NULL;
    return process ? arena_printf(arena, "%s.%s", process->name, symbol->name) : symbol->name;
}

struct channel_names channel_names_of(const struct network *network, struct arena *arena) {
    const struct model *model = network->model;
    VEC(const char *) list = {0};
    for (uint32_t i = 0; i < model->symbol_count; i++) {
        const char *name = channel_name_of(arena, model->symbols[i], NULL, &network->globals[i]);
        if (name) VEC_PUSH(arena, &list, name);
    }
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct process *process = &network->processes[p];
        for (uint32_t i = 0; i < process->template->symbol_count; i++) {
            const char *name =
                channel_name_of(arena, process->template->symbols[i], process, &process->locals[i]);
            if (name) VEC_PUSH(arena, &list, name);
        }
    }
    return (struct channel_names){list.items, list.count};
}

bool channel_is_named(const struct channel_names *names, struct str name) {
    for (uint32_t i = 0; i < names->count; i++)
        if (str_is(name, names->items[i])) return true;
    return false;
}

bool network_has_tag(const struct network *network, struct str name) {
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct template *template = network->processes[p].template;
        for (uint32_t i = 0; i < template->edge_count; i++)
            if (edge_has_tag(&template->edges[i], name)) return true;
    }
    return false;
}

void similar_offer_actions(struct similar *similar, struct arena *arena,
                           const struct network *network, const struct channel_names *names) {
    const struct model *model = network->model;
    struct tag tag;
    for (uint32_t i = 0; i < names->count; i++) similar_offer(similar, names->items[i]);
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t i = 0; i < model->templates[t]->edge_count; i++)
            for (size_t at = 0; tag_next(&model->templates[t]->edges[i], &at, &tag);)
                similar_offer(similar,
                              arena_printf(arena, "%.*s", (int)tag.name.size, tag.name.data));
}
