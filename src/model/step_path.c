#include "model/step_path.h"

/* Adds the edges behind a branchpoint, or those in front of it. */
static void add_from(struct step_path *path, const struct template *template, uint32_t point,
                     bool is_behind) {
    uint32_t count = template->location_count;
    bool *is_met = ARENA_ARRAY(&path->arena, bool, count + template->branchpoint_count + 1);
    is_met[point] = true;
    for (bool is_new = true; is_new;) {
        is_new = false;
        for (uint32_t i = 0; i < template->edge_count; i++) {
            const struct edge *edge = &template->edges[i];
            uint32_t here = is_behind ? edge->source : edge->target;
            uint32_t onward = is_behind ? edge->target : edge->source;
            if (here < count || !is_met[here]) continue;
            path->has[i] = true;
            if (onward < count || is_met[onward]) continue;
            is_new = is_met[onward] = true;
        }
    }
}

void step_path_open(struct step_path *path, const struct template *template,
                    const struct edge *edge) {
    uint32_t count = template->location_count;
    arena_init(&path->arena);
    path->has = ARENA_ARRAY(&path->arena, bool, template->edge_count);
    path->has[edge - template->edges] = true;
    if (edge->target >= count) add_from(path, template, edge->target, true);
    if (edge->source >= count) add_from(path, template, edge->source, false);
}

void step_path_close(struct step_path *path) { arena_close(&path->arena); }
