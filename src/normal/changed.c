/* See changed.h. */
#include "normal/changed.h"

#include <string.h>

/* The elements that a source edge becomes. */
static uint32_t outputs_of(const struct abstraction *abstraction, const struct template *template,
                           uint32_t edge) {
    for (uint32_t i = 0; i < abstraction->folds.count; i++) {
        const struct location_fold *fold = abstraction->folds.items[i];
        if (fold->template != template || fold->location != template->edges[edge].source) continue;
        uint32_t count = 0;
        for (uint32_t k = 0; k < fold->fold.edges.count; k++)
            count += fold->fold.edges.items[k].base->edge_index == edge;
        return count;
    }
    return 1;
}

/* The number of elements before that of the edge in the output: an edge keeps its element, copies
 * follow it, and what is not folded stays (emit/edge.c). */
static uint32_t index_in_output(const struct abstraction *abstraction, const struct fold *own,
                                uint32_t place) {
    const struct output_edge *out = &own->edges.items[place];
    uint32_t count = 0;
    for (uint32_t i = 0; i < out->base->edge_index; i++)
        count += outputs_of(abstraction, out->base->template, i);
    for (uint32_t k = 0; k < own->edges.count; k++) {
        const struct output_edge *other = &own->edges.items[k];
        bool is_before =
            !fold_keeps_element(own, place) && (k < place || fold_keeps_element(own, k));
        count += other->base == out->base && k != place && is_before;
    }
    return count;
}

bool normal_changes(const struct normal *normal, const struct abstraction *abstraction,
                    const struct fold *own, uint32_t place) {
    const char *template = own->edges.items[place].base->template->symbol->name;
    uint32_t index = normal && normal->edges.count ? index_in_output(abstraction, own, place) : 0;
    for (uint32_t i = 0; normal && i < normal->edges.count; i++)
        if (normal->edges.items[i].index == index &&
            !strcmp(normal->edges.items[i].template, template))
            return true;
    return false;
}
