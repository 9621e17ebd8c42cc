#include "approx/labels/path.h"

#include <assert.h>

static bool add_paths(struct paths *paths, const struct analysis *analysis, struct diag *diag,
                      const struct template *template, const struct path *path,
                      const struct edge *edge) {
    if (path->count == PATH_MAX_EDGES)
        return diag_error(diag, STATUS_UNSUPPORTED, edge->xml->element->at,
                          "more than %d branchpoints in a row", PATH_MAX_EDGES - 1);
    if (edge->sync && path_synchronises(path))
        return diag_error(
            diag, STATUS_UNSUPPORTED, edge->sync->span.begin,
            "a second synchronisation in one step, after the one before the branchpoint");
    if (edge_is_off(analysis->network, template, edge)) return true;
    struct path longer = *path;
    longer.edges[longer.count++] = edge;
    longer.is_plain = path->is_plain && !edge->select_count &&
                      (!path->count || !guard_of_edge(analysis->network, template, edge));
    if (!path_synchronises(path)) longer.sync = edge->sync ? path->count : longer.count;
    if (!template->locations[edge->target].is_branchpoint) {
        VEC_PUSH(analysis->arena, &paths->of[template->index][longer.edges[0]->source].list,
                 longer);
        return true;
    }
    for (uint32_t i = 0; i < template->edge_count; i++)
        if (template->edges[i].source == edge->target &&
            !add_paths(paths, analysis, diag, template, &longer, &template->edges[i]))
            return false;
    return true;
}

static void mark_broadcast(struct paths *paths, const struct symbol *symbol,
                           const struct binding *binding) {
    if (!binding->shape || symbol->is_reference || !symbol_is_channel(symbol)) return;
    if (type_prefixes(symbol->type) & PREFIX_BROADCAST)
        memset(paths->is_broadcast + binding->address, true, binding->shape->cell_count);
}

static void mark_broadcasts(struct paths *paths, const struct network *network) {
    const struct model *model = network->model;
    for (uint32_t i = 0; i < model->symbol_count; i++)
        mark_broadcast(paths, model->symbols[i], &network->globals[i]);
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct process *process = &network->processes[p];
        for (uint32_t i = 0; i < process->template->symbol_count; i++)
            mark_broadcast(paths, process->template->symbols[i], &process->locals[i]);
    }
}

/* One address if the expression reads nothing that varies, else those of the whole variable. */
static struct channels find_channels(const struct paths *paths, struct label_run *run,
                                     const struct leg *leg) {
    assert(leg->edge->sync);
    const struct network *network = run->network;
    struct channels channels = {0, UINT32_MAX, true, true};
    const struct symbol *root = expr_root(leg->edge->sync);
    const struct binding *binding = root ? relevance_binding(network, leg->process, root) : NULL;
    uint32_t address;
    if (!binding) return channels;
    channels.first = binding->address;
    channels.last = binding->address + binding->shape->cell_count - 1;
    if (label_run_bind(run, leg, 0)) {
        enumerator_start(&run->enumerator);
        if (label_run_channel(run, leg, 0, &address) && !run->enumerator.touched.count)
            channels.first = channels.last = address;
    }
    channels.may_be_broadcast = paths->is_broadcast[channels.first];
    channels.may_be_binary = !channels.may_be_broadcast;
    return channels;
}

static bool find_paths(struct paths *paths, const struct analysis *analysis, struct diag *diag) {
    const struct model *model = analysis->network->model;
    struct arena *arena = analysis->arena;
    paths->of = ARENA_ARRAY(arena, struct path_list *, model->template_count + 1);
    for (uint32_t t = 0; t < model->template_count; t++) {
        const struct template *template = model->templates[t];
        const struct path nothing = {.is_plain = true};
        paths->of[t] = ARENA_ARRAY(arena, struct path_list, template->location_count + 1);
        for (uint32_t i = 0; i < template->edge_count; i++)
            if (!template->edges[i].leaves_branchpoint &&
                !add_paths(paths, analysis, diag, template, &nothing, &template->edges[i]))
                return false;
    }
    return true;
}

bool paths_init(struct paths *paths, struct label_run *run, struct diag *diag) {
    const struct network *network = run->network;
    struct arena *arena = run->analysis->arena;
    *paths = (struct paths){0};
    if (!find_paths(paths, run->analysis, diag)) return false;
    paths->is_broadcast = ARENA_ARRAY(arena, bool, network->cell_count + 1);
    mark_broadcasts(paths, network);
    paths->channels = ARENA_ARRAY(arena, struct channels *, network->process_count + 1);
    for (uint32_t p = 0; p < network->process_count; p++) {
        struct leg leg = {.process = &network->processes[p]};
        const struct template *template = leg.process->template;
        paths->channels[p] = ARENA_ARRAY(arena, struct channels, template->edge_count + 1);
        for (uint32_t i = 0; i < template->edge_count; i++) {
            leg.edge = &template->edges[i];
            leg.guard = guard_of_edge(network, template, leg.edge);
            if (leg.edge->sync) paths->channels[p][i] = find_channels(paths, run, &leg);
        }
    }
    return true;
}

/* Addresses that the path may synchronise on; over where an index is not known. */
const struct channels *paths_channels(const struct paths *paths, const struct process *process,
                                      const struct path *path) {
    assert(path->sync < path->count && path->edges[path->sync]->sync);
    ptrdiff_t edge = path->edges[path->sync] - process->template->edges;
    return &paths->channels[process->index][edge];
}
