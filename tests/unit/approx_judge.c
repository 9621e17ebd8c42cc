#include "approx_judge.h"

#include "approx_explore.h"

static void complain(struct judge *judge, const char *what, uint32_t slot, int32_t value,
                     const struct process *process, uint32_t location) {
    if (judge->complaint) return;
    judge->complaint = arena_printf(
        judge->arena, "%s: %s = %d with %s at %u (%s)", what,
        slot == NO_SLOT ? ""
                        : slot_name(judge->network, &judge->network->slots[slot], judge->arena),
        value, process ? process->name : "-", location,
        process && process->template->locations[location].name
            ? process->template->locations[location].name
            : "?");
}

/* Value of the slot at an address in the state that is looked at. */
static int32_t value_at(const struct judge *judge, uint32_t address) {
    return judge->values[judge->network->slot_of[address]];
}

static bool has_row(const struct judge *judge, const struct tuple_set *tuples,
                    const uint32_t *addresses) {
    for (uint32_t i = 0; i < tuples->count; i++) {
        bool is_same = true;
        for (uint32_t k = 0; k < tuples->dimension && is_same; k++)
            is_same =
                tuples->values[(size_t)i * tuples->dimension + k] == value_at(judge, addresses[k]);
        if (is_same) return true;
    }
    return false;
}

static void check_groups(struct judge *judge, const struct process *process, uint32_t location) {
    const struct process_domain *domain = &judge->analysis->processes[process->index];
    const struct location_domain *at = &domain->locations[location];
    if (!at->is_reached) complain(judge, "location not reached", NO_SLOT, 0, process, location);
    for (uint32_t g = 0; g < domain->group_count; g++) {
        const struct group *group = &domain->groups[g];
        uint32_t slot = judge->network->slot_of[group->addresses[0]];
        bool is_in = group->dimension > 1 ? has_row(judge, at->groups[g].tuples, group->addresses)
                                          : value_set_has(&at->groups[g].set, judge->values[slot]);
        if (!is_in) complain(judge, "not in D", slot, judge->values[slot], process, location);
    }
}

/* What users of the analysis ask for: one cell over all processes of the template. */
static void check_cells(struct judge *judge, const struct process *process, uint32_t location) {
    const struct network *network = judge->network;
    const struct model *model = network->model;
    for (uint32_t i = 0; i < network->slot_count; i++) {
        const struct slot *slot = &network->slots[i];
        if (slot->process && slot->process != process) continue;
        const struct value_set *set = analysis_values(judge->analysis, process->template, location,
                                                      slot->symbol, slot->offset, false);
        if (!value_set_has(set, judge->values[i]))
            complain(judge, "not among values", i, judge->values[i], process, location);
    }
    (void)model;
}

static void on_state(void *context, const int32_t *locations, const int32_t *values) {
    struct judge *judge = context;
    const struct network *network = judge->network;
    judge->values = values;
    judge->state_count++;
    for (uint32_t i = 0; i < network->slot_count; i++)
        if (!network->slots[i].process && !value_set_has(&judge->analysis->shared[i], values[i]))
            complain(judge, "not in M", i, values[i], NULL, 0);
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct process *process = &network->processes[p];
        check_groups(judge, process, (uint32_t)locations[p]);
        check_cells(judge, process, (uint32_t)locations[p]);
    }
}

static void on_write(void *context, uint32_t slot, int32_t value) {
    struct judge *judge = context;
    const struct slot *of = &judge->network->slots[slot];
    if ((!of->process || of->is_meta) && !value_set_has(&judge->analysis->shared[slot], value))
        complain(judge, "written, but not in M", slot, value, NULL, 0);
}

static void on_branchpoint(void *context, const struct process *process, uint32_t location,
                           const int32_t *values) {
    struct judge *judge = context;
    judge->values = values;
    check_groups(judge, process, location);
}

static struct edge_fact *fact_of(struct judge *judge, const struct process *process,
                                 const struct edge *edge) {
    const struct template *template = process->template;
    return &judge->analysis->edges[template->index][edge - template->edges];
}

static void on_edge(void *context, const struct process *process, const struct edge *edge) {
    struct judge *judge = context;
    if (!fact_of(judge, process, edge)->is_reached)
        complain(judge, "edge not reached", NO_SLOT, 0, process, edge->source);
}

static void on_fault(void *context, const struct process *process, const struct edge *edge,
                     int item) {
    struct judge *judge = context;
    const struct edge_fact *fact = fact_of(judge, process, edge);
    if (!fact->is_incomplete && !(item < 0 ? fact->guard_faults : fact->item_faults[item]))
        complain(judge, "fault not noticed", NO_SLOT, item, process, edge->source);
}

bool judge(struct judge *judge, uint32_t limit) {
    judge->network = judge->analysis->network;
    struct explorer explorer = {.network = judge->network,
                                .arena = judge->arena,
                                .context = judge,
                                .on_state = on_state,
                                .on_edge = on_edge,
                                .on_write = on_write,
                                .on_branchpoint = on_branchpoint,
                                .on_fault = on_fault};
    return explore(&explorer, limit);
}

static bool is_within(const struct value_set *fine, const struct value_set *coarse) {
    for (uint64_t i = 0; i < value_set_size(fine); i++)
        if (!value_set_has(coarse, value_set_at(fine, i))) return false;
    return true;
}

const char *judge_inclusion(struct arena *arena, struct analysis *fine, struct analysis *coarse) {
    const struct network *network = fine->network;
    for (uint32_t i = 0; i < network->slot_count; i++)
        if (!is_within(&fine->shared[i], &coarse->shared[i]))
            return arena_printf(arena, "M of %s", slot_name(network, &network->slots[i], arena));
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct template *template = network->processes[p].template;
        uint32_t locations = template->location_count + template->branchpoint_count;
        for (uint32_t l = 0; l < locations; l++) {
            if (analysis_reaches(fine, template, l) && !analysis_reaches(coarse, template, l))
                return arena_printf(arena, "location %u of %s", l, template->symbol->name);
            for (uint32_t i = 0; i < network->slot_count; i++) {
                const struct slot *slot = &network->slots[i];
                if (slot->process && slot->process != &network->processes[p]) continue;
                if (!is_within(
                        analysis_values(fine, template, l, slot->symbol, slot->offset, false),
                        analysis_values(coarse, template, l, slot->symbol, slot->offset, false)))
                    return arena_printf(arena, "%s at %u", slot_name(network, slot, arena), l);
            }
        }
    }
    return NULL;
}
