/* What the passes of the analysis note about edges. */
#include "approx/labels/fact.h"

#include <assert.h>
#include <string.h>

bool edge_is_off(const struct network *network, const struct template *template,
                 const struct edge *edge) {
    const struct expr *guard = guard_of_edge(network, template, edge);
    return guard && guard->kind == EXPR_BOOL && !guard->value;
}

void analysis_clear_facts(struct analysis *analysis) {
    const struct model *model = analysis->network->model;
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t i = 0; i < model->templates[t]->edge_count; i++) {
            struct edge_fact *fact = &analysis->edges[t][i];
            bool *faults = fact->item_faults;
            uint32_t count = model->templates[t]->edges[i].updates.count;
            memset(faults, 0, count * sizeof *faults);
            *fact = (struct edge_fact){.item_faults = faults};
        }
    analysis->notes.count = 0;
}

/* Once for each edge, however often its budget is used up. */
void analysis_add_note(struct analysis *analysis, const struct template *template, uint32_t edge) {
    assert(edge < template->edge_count);
    struct edge_fact *fact = &analysis->edges[template->index][edge];
    if (fact->is_noted) return;
    fact->is_noted = true;
    VEC_PUSH(analysis->arena, &analysis->notes,
             (struct analysis_note){template, edge, "more combinations of values than the budget"});
}
