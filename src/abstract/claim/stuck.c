#include "abstract/claim/stuck.h"

#include "abstract/edge/open_edge.h"
#include "abstract/facts/channel.h"
#include "abstract/fold/output.h"
#include "expr/find.h"
#include "model/errors.h"
#include "model/undocumented.h"

#include <assert.h>

/* Processes that can always move */

/* For the models before (input) or after (is_output); borrows the abstraction. */
void sure_steps_find(struct sure_steps *sure, const struct abstraction *abstraction,
                     bool is_output) {
    *sure = (struct sure_steps){.abstraction = abstraction, .is_output = is_output};
    hindrance_find(&sure->hindrance, abstraction->network);
}

static bool selects_are_possible(const struct abstraction *abstraction, const struct edge *edge) {
    struct environment environment;
    bool ok = true;
    struct arena scratch;
    if (!edge->select_count) return true;
    arena_init(&scratch);
    network_environment(abstraction->network, &environment, &scratch);
    for (uint32_t i = 0; i < edge->select_count && ok; i++)
        ok = eval_shape(&environment, edge->selects[i]->type) && !environment.fault.kind;
    eval_close(&environment);
    arena_close(&scratch);
    return ok;
}

bool edge_is_sure(const struct sure_steps *sure, const struct template *template, uint32_t index) {
    assert(index < template->edge_count);
    const struct edge *edge = &template->edges[index];
    return !edge->sync && edge->target < template->location_count &&
           !edge_is_hindered(&sure->hindrance, template, index) &&
           selects_are_possible(sure->abstraction, edge);
}

const struct location_fold *location_fold_of(const struct abstraction *abstraction,
                                             const struct template *template, uint32_t location) {
    assert(location < template->location_count + template->branchpoint_count);
    for (uint32_t i = 0; i < abstraction->folds.count; i++) {
        const struct location_fold *fold = abstraction->folds.items[i];
        if (fold->template == template && fold->location == location) return fold;
    }
    return NULL;
}

/* Whether a process can always leave the location, or loop there, by itself. */
static bool always_moves(const struct sure_steps *sure, const struct template *template,
                         uint32_t location) {
    const struct network *network = sure->abstraction->network;
    assert(location < template->location_count); /* no process stays at a branchpoint */
    const struct location_fold *fold =
        sure->is_output ? location_fold_of(sure->abstraction, template, location) : NULL;
    for (uint32_t i = 0; fold && i < fold->fold.edges.count; i++) {
        const struct output_edge *out = &fold->fold.edges.items[i];
        if (!out->loop && expr_is_true(output_guard(out, sure->abstraction->arena)) &&
            !out->select_count && edge_is_sure(sure, template, out->base->edge_index))
            return true;
    }
    for (uint32_t i = 0; !fold && i < template->edge_count; i++)
        if (template->edges[i].source == location &&
            expr_is_true(guard_of_edge(network, template, &template->edges[i])) &&
            edge_is_sure(sure, template, i))
            return true;
    return false;
}

enum location_kind { LOCATION_ANY, LOCATION_URGENT, LOCATION_COMMITTED };

static bool is_of_kind(const struct location *location, enum location_kind kind) {
    return kind == LOCATION_ANY ||
           (kind == LOCATION_URGENT ? location->is_urgent : location->is_committed);
}

/* Whether a process of the template can always move in all locations of a kind. */
static bool moves_in(const struct sure_steps *sure, const struct template *template,
                     enum location_kind kind) {
    for (uint32_t l = 0; l < template->location_count; l++)
        if (is_of_kind(&template->locations[l], kind) &&
            analysis_reaches(sure->abstraction->analysis, template, l) &&
            !always_moves(sure, template, l))
            return false;
    return true;
}

static bool all_move_in(const struct sure_steps *sure, enum location_kind kind) {
    const struct network *network = sure->abstraction->network;
    for (uint32_t p = 0; p < network->process_count; p++)
        if ((!p || network->processes[p].template != network->processes[p - 1].template) &&
            !moves_in(sure, network->processes[p].template, kind))
            return false;
    return true;
}

/* A process that can move in every location, or NULL. */
static const struct process *process_that_always_moves(const struct sure_steps *sure) {
    const struct network *network = sure->abstraction->network;
    for (uint32_t p = 0; p < network->process_count; p++)
        if ((!p || network->processes[p].template != network->processes[p - 1].template) &&
            moves_in(sure, network->processes[p].template, LOCATION_ANY))
            return &network->processes[p];
    return NULL;
}

/* Whether a step on an urgent channel is possible wherever the guards of its participants hold, if
 * no process is committed: then some process can move where time may not pass because of them. */
static bool urgent_pairs_can_go(const struct sure_steps *sure) {
    const struct model *model = sure->abstraction->network->model;
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t i = 0; i < model->templates[t]->edge_count; i++)
            if (sync_may_be_urgent(model->templates[t]->edges[i].sync) &&
                edge_is_hindered(&sure->hindrance, model->templates[t], i))
                return false;
    return true;
}

/* A committed process can move; if there is none, a process that can always move, or one at an
 * urgent location, can. */
bool never_stuck(const struct abstraction *abstraction, bool is_output, bool is_uppaal,
                 const char **reason) {
    struct sure_steps sure;
    if (!initial_state_is_valid(abstraction->network)) return false;
    sure_steps_find(&sure, abstraction, is_output);
    if (!all_move_in(&sure, LOCATION_COMMITTED)) return false;
    const struct process *process = process_that_always_moves(&sure);
    if (!process &&
        (!is_uppaal || !all_move_in(&sure, LOCATION_URGENT) || !urgent_pairs_can_go(&sure)))
        return false;
    *reason = process ? arena_printf(abstraction->arena, "%s can always move, so %s is never stuck",
                                     process->name, is_output ? "this model" : "the original")
                      : "every process at an urgent or committed location can move";
    return true;
}

/* Urgent channels: the idle states of both models are the same if the guards of their edges are.
 */

bool model_has_urgent_channel(const struct model *model) {
    for (uint32_t i = 0; i < model->symbol_count; i++)
        if (symbol_is_channel(model->symbols[i]) &&
            type_prefixes(model->symbols[i]->type) & PREFIX_URGENT)
            return true;
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t i = 0; i < model->templates[t]->symbol_count; i++)
            if (symbol_is_channel(model->templates[t]->symbols[i]) &&
                type_prefixes(model->templates[t]->symbols[i]->type) & PREFIX_URGENT)
                return true;
    return false;
}

/* Whether an edge is not rendered exactly: its location is not, or the edge goes anyway, be it that
 * no process may send (U2) or that other edges stay without it (must/search.h). */
static bool may_differ(const struct abstraction *abstraction, const struct location_fold *fold,
                       const struct open_edge *open) {
    assert(open->edge && open->template == fold->template);
    bool fails = open->has_condition_of_urgent && errors_known(abstraction->errors) == ERRORS_SOME;
    return fold->fold.inexact.count || open->is_restricted || fails ||
           edge_is_blocked(&abstraction->context, &abstraction->blocked, fold->template,
                           open->edge);
}

bool changes_urgency(const struct abstraction *abstraction) {
    if (!model_has_urgent_channel(abstraction->network->model)) return false;
    for (uint32_t i = 0; i < abstraction->folds.count; i++) {
        const struct location_fold *fold = abstraction->folds.items[i];
        bool is_branch = fold->location >= fold->template->location_count;
        for (uint32_t f = 0; f < fold->open_edge_count; f++) {
            const struct edge *edge = fold->open_edges[f]->edge;
            if (may_differ(abstraction, fold, fold->open_edges[f]) &&
                (is_branch || edge->target >= fold->template->location_count ||
                 sync_may_be_urgent(edge->sync)))
                return true;
        }
    }
    return false;
}

bool stuck_states_are_idle(const struct abstraction *abstraction) {
    const struct network *network = abstraction->network;
    struct sure_steps sure;
    sure_steps_find(&sure, abstraction, false);
    if (model_has_urgent_channel(network->model) &&
        !(urgent_pairs_can_go(&sure) && initial_state_is_valid(network)))
        return false;
    for (uint32_t p = 0; p < network->process_count; p++)
        for (uint32_t l = 0; l < network->processes[p].template->location_count; l++) {
            const struct location *location = &network->processes[p].template->locations[l];
            if (location->is_urgent || location->is_committed) return false;
        }
    return true;
}
