#include "report/check/info_report.h"

#include <assert.h>

/* As in the report. */
const char *outcome_text(const struct tried *tried) {
    static const char *const texts[] = {[TRIED_NOT] = "unknown",
                                        [TRIED_EXACT] = "exact",
                                        [TRIED_INEXACT] = "not exact",
                                        [TRIED_REFUSED] = "refused"};
    assert((unsigned)tried->outcome < sizeof texts / sizeof texts[0]);
    return texts[tried->outcome];
}

const struct slot *first_slot(const struct network *network,
                              const struct listed_variable *variable) {
    for (uint32_t i = 0; i < network->slot_count; i++)
        if (network->slots[i].symbol == variable->symbol) return &network->slots[i];
    return NULL;
}

/* By guard, synchronisation or update; over, as effects are. */
bool edge_reads(const struct edge_labels *effects, const struct symbol *symbol) {
    return effects_reads(&effects->guard_effects, symbol) ||
           effects_reads(&effects->sync_effects, symbol) ||
           effects_reads(&effects->update_effects, symbol);
}

/* Only updates write. */
bool edge_writes(const struct edge_labels *effects, const struct symbol *symbol) {
    return effects_writes(&effects->update_effects, symbol);
}

/* Whether a parameter of the process stands for the variable, or for a part of it. */
static bool stands_for(const struct network *network, const struct process *process,
                       const struct symbol *parameter, const struct symbol *symbol) {
    const struct binding *binding = &process->locals[parameter->index];
    if (!binding->shape) return false;
    uint32_t slot = network->slot_of[binding->address];
    return slot != NO_SLOT && network->slots[slot].symbol == symbol;
}

static bool is_local_elsewhere(const struct template *template, const struct symbol *symbol) {
    return symbol->scope == SCOPE_TEMPLATE &&
           (symbol->index >= template->symbol_count || template->symbols[symbol->index] != symbol);
}

bool edge_uses(const struct network *network, uint32_t template, uint32_t edge,
               const struct symbol *symbol,
               bool (*uses)(const struct edge_labels *effects, const struct symbol *symbol)) {
    const struct edge_labels *effects = &network->labels.edges[template][edge];
    struct process_range range = network->processes_of[template];
    if (is_local_elsewhere(network->model->templates[template], symbol)) return false;
    if (uses(effects, symbol)) return true;
    for (uint32_t p = range.first; p < range.end; p++) {
        const struct process *process = &network->processes[p];
        if (process->template->index != template) continue;
        for (uint32_t i = 0; i < process->template->symbol_count; i++) {
            const struct symbol *parameter = process->template->symbols[i];
            if (parameter->is_reference && !symbol_is_channel(parameter) &&
                uses(effects, parameter) && stands_for(network, process, parameter, symbol))
                return true;
        }
    }
    return false;
}

/* The number; the list is in the arena. */
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

static void add_clocks(struct listed_clocks *clocks, const struct template *template,
                       struct symbol *const *symbols, uint32_t count, struct arena *arena) {
    for (uint32_t i = 0; i < count; i++) {
        const struct symbol *symbol = symbols[i];
        if (symbol->kind != SYMBOL_VARIABLE || !symbol_is_clock(symbol) || !symbol->is_used)
            continue;
        VEC_PUSH(arena, &clocks->names,
                 template ? arena_printf(arena, "%s.%s", template->symbol->name, symbol->name)
                          : symbol->name);
    }
}

struct listed_clocks list_clocks(const struct network *network, struct arena *arena) {
    const struct model *model = network->model;
    struct listed_clocks clocks = {0};
    if (!network_is_timed(network)) return clocks;
    add_clocks(&clocks, NULL, model->symbols, model->symbol_count, arena);
    for (uint32_t t = 0; t < model->template_count; t++)
        add_clocks(&clocks, model->templates[t], model->templates[t]->symbols,
                   model->templates[t]->symbol_count, arena);
    return clocks;
}
