#include "model/step_path.h"

/* Whether branchpoints lead from the end of one edge to the start of the other. */
static bool leads_to(struct arena *scratch, const struct template *template,
                     const struct edge *first, const struct edge *later) {
    uint32_t count = template->location_count;
    if (first->target < count || later->source < count) return false;
    bool *is_met = ARENA_ARRAY(scratch, bool, count + template->branchpoint_count + 1);
    is_met[first->target] = true;
    for (bool is_new = true; is_new;) {
        is_new = false;
        for (uint32_t i = 0; i < template->edge_count; i++) {
            const struct edge *edge = &template->edges[i];
            if (edge->source < count || !is_met[edge->source] || is_met[edge->target]) continue;
            is_new = is_met[edge->target] = true;
        }
    }
    return is_met[later->source];
}

bool edges_share_path(struct arena *scratch, const struct template *template,
                      const struct edge *left, const struct edge *right) {
    return left == right || leads_to(scratch, template, left, right) ||
           leads_to(scratch, template, right, left);
}
