/* See info_report.h. */
#include "report/info_report.h"

const char *outcome_text(const struct tried *tried) {
    static const char *const texts[] = {[TRIED_NOT] = "unknown",
                                        [TRIED_EXACT] = "exact",
                                        [TRIED_INEXACT] = "not exact",
                                        [TRIED_REFUSED] = "refused"};
    return texts[tried->outcome];
}

const struct slot *first_slot(const struct network *network,
                              const struct listed_variable *variable) {
    for (uint32_t i = 0; i < network->slot_count; i++)
        if (network->slots[i].symbol == variable->symbol) return &network->slots[i];
    return NULL;
}

bool edge_reads(const struct edge_effects *effects, const struct symbol *symbol) {
    return effects_reads(&effects->guard, symbol) || effects_reads(&effects->sync, symbol) ||
           effects_reads(&effects->update, symbol);
}

bool edge_writes(const struct edge_effects *effects, const struct symbol *symbol) {
    return effects_writes(&effects->update, symbol);
}

uint32_t list_variables(const struct network *network, struct listed_variable **list,
                        struct arena *arena) {
    const struct model *model = network->model;
    VEC(struct listed_variable) all = {0};
    for (uint32_t t = 0; t <= model->template_count; t++) {
        const struct template *template = t ? model->templates[t - 1] : NULL;
        struct symbol *const *symbols = template ? template->symbols : model->symbols;
        uint32_t count = template ? template->symbol_count : model->symbol_count;
        for (uint32_t i = 0; i < count; i++)
            if (is_listed_variable(symbols[i]))
                VEC_PUSH(arena, &all,
                         (struct listed_variable){
                             template, symbols[i], network_shape(network, template, symbols[i]),
                             variable_argument(network, template, symbols[i], arena)});
    }
    *list = all.items;
    return all.count;
}
