#include "refine/blame.h"

#include <string.h>

void blame_text(struct refine_items *items, const char *message) {
    for (uint32_t i = 0; i < items->list.count; i++) {
        struct refine_item *item = &items->list.items[i];
        const char *name = item->variable->symbol->name;
        size_t size = strlen(name);
        for (const char *at = message; (at = strstr(at, name)) && !item->is_blamed; at += size)
            item->is_blamed = at > message && at[-1] == '\'' && at[size] == '\'';
    }
}

/* ---- without following the run: what guards and updates of its edges read ---- */

static const struct template *template_named(const struct network *network, const char *name) {
    for (uint32_t t = 0; t < network->model->template_count; t++)
        if (!strcmp(network->model->templates[t]->symbol->name, name))
            return network->model->templates[t];
    return NULL;
}

static bool blame_effects(struct blamed *blamed, const struct effects *effects) {
    bool is_any = false;
    for (uint32_t i = 0; i < blamed->items->list.count; i++) {
        struct refine_item *item = &blamed->items->list.items[i];
        if (item->level != REMOVED_WHOLE || !effects_reads(effects, item->variable->symbol))
            continue;
        item->is_blamed = is_any = true;
    }
    return is_any;
}

/* Edges of the original between the locations of a participant. */
static bool blame_part(struct blamed *blamed, const struct network *network,
                       const struct edge_instance *part, bool is_update) {
    const struct template *theirs = part->process->template,
                          *own = template_named(network, theirs->symbol->name);
    bool is_any = false;
    for (uint32_t i = 0; own && i < own->edge_count; i++) {
        const struct edge *edge = &own->edges[i];
        const struct edge_effects *effects = &network->edge_effects[own->index][i];
        if (strcmp(own->locations[edge->source].name, theirs->locations[part->source].name) != 0 ||
            strcmp(own->locations[edge->target].name, theirs->locations[part->target].name) != 0)
            continue;
        is_any |= blame_effects(blamed, is_update ? &effects->update : &effects->guard);
        if (!is_update) is_any |= blame_effects(blamed, &effects->sync);
    }
    return is_any;
}

static void blame_edges(struct blamed *blamed, const struct network *network,
                        const struct trace *trace) {
    for (int is_update = 0; is_update < 2; is_update++)
        for (uint32_t s = 0; s < trace->step_count; s++) {
            bool is_any = false;
            for (uint32_t p = 0; p < trace->steps[s].part_count; p++)
                is_any |= blame_part(blamed, network, trace->steps[s].parts[p], is_update);
            if (is_any) return;
        }
}

enum refine_finding blame_run(struct blamed *blamed, const struct network *network,
                              struct attempt *attempt, const struct verify_options *options,
                              struct arena *arena) {
    (void)options;
    (void)arena;
    blame_edges(blamed, network, attempt->answer->trace);
    return FINDING_NONE;
}
