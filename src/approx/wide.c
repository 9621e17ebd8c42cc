/* See wide.h. */
#include "approx/wide.h"

#include "approx/domain.h"
#include "approx/relevance.h"

/* Whether an update item reads the variable for something else than to write it. */
static bool is_read_by_item(const struct effects *item, const struct symbol *symbol) {
    if (!effects_reads(item, symbol)) return false;
    for (uint32_t i = 0; i < item->list.count; i++)
        if (item->list.items[i].writes && item->list.items[i].symbol != symbol) return true;
    return false;
}

static bool is_read_in(const struct analysis *analysis, const struct template *template,
                       const struct symbol *symbol) {
    const struct edge_effects *edges = analysis->network->edge_effects[template->index];
    const struct summary *summary = analysis->summary;
    for (uint32_t i = 0; i < template->edge_count; i++) {
        if (effects_reads(&edges[i].guard, symbol) || effects_reads(&edges[i].sync, symbol))
            return true;
        for (uint32_t k = 0; k < template->edges[i].updates.count; k++)
            if (is_read_by_item(&summary->items[template->index][i][k], symbol)) return true;
    }
    for (uint32_t i = 0; i < template->location_count; i++)
        for (uint32_t k = 0; k < conjunct_count(template->locations[i].invariant); k++)
            if (effects_reads(&summary->invariants[template->index][i][k], symbol)) return true;
    return false;
}

/* A global variable may be passed to parameters by reference, which are not looked up. */
static bool is_read(const struct analysis *analysis, uint32_t slot) {
    const struct model *model = analysis->network->model;
    const struct slot *of = &analysis->network->slots[slot];
    if (of->process) return is_read_in(analysis, of->process->template, of->symbol);
    for (uint32_t i = 0; i < model->template_count; i++)
        if (is_read_in(analysis, model->templates[i], of->symbol)) return true;
    return false;
}

/* The most values that a slot has anywhere. */
static uint64_t most_values(const struct analysis *analysis, uint32_t slot) {
    const struct slot *of = &analysis->network->slots[slot];
    if (slot_is_shared(analysis->network, slot)) return value_set_size(&analysis->shared[slot]);
    const struct process_domain *domain = &analysis->processes[of->process->index];
    uint32_t group = analysis->group_of[slot];
    uint64_t most = 0;
    if (domain->groups[group].dimension > 1) return 0; /* its tuples are listed */
    for (uint32_t i = 0; i < of->process->template->location_count; i++) {
        if (!domain->locations[i].is_reached) continue;
        uint64_t size = value_set_size(&domain->locations[i].groups[group].set);
        if (size > most) most = size;
    }
    return most;
}

uint32_t wide_slots(const struct analysis *analysis, struct wide_slot *widest) {
    uint32_t count = 0;
    *widest = (struct wide_slot){.slot = NO_SLOT};
    for (uint32_t i = 0; i < analysis->network->slot_count; i++) {
        if (!analysis->is_removed[i] || !analysis->is_tracked[i]) continue;
        uint64_t values = most_values(analysis, i);
        if (values <= WIDE_VALUES || !is_read(analysis, i)) continue;
        count++;
        if (values > widest->values) *widest = (struct wide_slot){i, values};
    }
    return count;
}
