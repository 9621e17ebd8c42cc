#include "abstract/prune.h"

/* Edges by template index and edge. */
typedef bool *const *edge_marks;

struct pruner {
    struct abstraction *abstraction;
    const struct abstract_options *options;
    const struct model *model;
    bool **left_out; /* accepted so far */
    bool **dropped;  /* then; those left out are among them */
    bool **trial, **result;
    uint32_t lost_invariants; /* then */
    uint32_t trials;
    uint64_t evaluations;
};

static bool **new_marks(struct pruner *pruner) {
    struct arena *arena = pruner->abstraction->arena;
    bool **marks = ARENA_ARRAY(arena, bool *, pruner->model->template_count + 1);
    for (uint32_t t = 0; t < pruner->model->template_count; t++)
        marks[t] = ARENA_ARRAY(arena, bool, pruner->model->templates[t]->edge_count + 1);
    return marks;
}

static void copy_marks(const struct pruner *pruner, bool **to, edge_marks from) {
    for (uint32_t t = 0; t < pruner->model->template_count; t++)
        memcpy(to[t], from[t], pruner->model->templates[t]->edge_count * sizeof(bool));
}

/* What is dropped now. Where nobody gets without the edges left out, nothing is lost, as they are
 * dropped in any case, and nothing gained. */
static void mark_dropped(struct pruner *pruner, bool **marks) {
    const struct abstraction *abstraction = pruner->abstraction;
    for (uint32_t t = 0; t < pruner->model->template_count; t++) {
        const struct template *template = pruner->model->templates[t];
        for (uint32_t i = 0; i < template->edge_count; i++)
            marks[t][i] =
                pruner->dropped[t][i] &&
                !analysis_reaches(abstraction->analysis, template, template->edges[i].source);
    }
    for (uint32_t i = 0; i < abstraction->folds.count; i++) {
        const struct location_fold *fold = abstraction->folds.items[i];
        if (!analysis_reaches(abstraction->analysis, fold->template, fold->location)) continue;
        for (uint32_t k = 0; k < fold->fold.dropped.count; k++)
            marks[fold->template->index][fold->fold.dropped.items[k]->edge_index] = true;
    }
}

/* Analyses and folds without some edges. */
static bool fold_without(struct pruner *pruner, edge_marks left_out) {
    struct abstraction *abstraction = pruner->abstraction;
    struct form_context *context = &abstraction->context;
    struct analysis_options options = abstraction->analysis->options;
    options.is_left_out = left_out;
    struct analysis *analysis =
        analyse(abstraction->arena, abstraction->network, abstraction->request->slot_is_removed,
                &options, context->diag);
    if (!analysis) return false;
    abstraction->analysis = context->analysis = analysis;
    context->blocked.count = 0;
    context->blocks_all = false;
    pruner->trials++;
    pruner->evaluations +=
        analysis->evaluation_count + (uint64_t)16 * abstraction->network->process_count;
    return abstraction_fold(abstraction, pruner->options);
}

/* Whether fewer edges are dropped or fewer invariants lost than before, and none more. */
static bool is_better(const struct pruner *pruner) {
    uint32_t lost = pruner->abstraction->lost_invariants;
    bool is_strict = lost < pruner->lost_invariants;
    if (lost > pruner->lost_invariants) return false;
    for (uint32_t t = 0; t < pruner->model->template_count; t++)
        for (uint32_t i = 0; i < pruner->model->templates[t]->edge_count; i++) {
            if (pruner->result[t][i] && !pruner->dropped[t][i]) return false;
            is_strict |= pruner->dropped[t][i] && !pruner->result[t][i];
        }
    return is_strict;
}

/* Whether the original without the edge has only steps of the original. */
static bool can_leave_out(const struct pruner *pruner, uint32_t template, uint32_t edge) {
    const struct template *of = pruner->model->templates[template];
    const struct edge *it = &of->edges[edge];
    if (it->leaves_branchpoint) return false; /* it may belong to a receiver */
    return !it->sync || it->is_send ||
           !sync_is_broadcast(&pruner->abstraction->context, of, it->sync);
}

/* Tries to leave out what is marked as trial, as far as it is dropped in any case. */
static bool try_marks(struct pruner *pruner) {
    bool is_new = false;
    uint64_t most = pruner->options->analysis.budget * PRUNE_MAX_BUDGETS;
    for (uint32_t t = 0; t < pruner->model->template_count; t++)
        for (uint32_t i = 0; i < pruner->model->templates[t]->edge_count; i++) {
            pruner->trial[t][i] &= pruner->dropped[t][i] && can_leave_out(pruner, t, i);
            is_new |= pruner->trial[t][i] != pruner->left_out[t][i];
        }
    if (!is_new || pruner->trials >= PRUNE_MAX_TRIALS || pruner->evaluations > most) return true;
    if (!fold_without(pruner, pruner->trial)) return false;
    mark_dropped(pruner, pruner->result);
    if (!is_better(pruner)) return true;
    copy_marks(pruner, pruner->left_out, pruner->trial);
    copy_marks(pruner, pruner->dropped, pruner->result);
    pruner->lost_invariants = pruner->abstraction->lost_invariants;
    return true;
}

static bool reads(const struct pruner *pruner, uint32_t template, uint32_t edge,
                  const struct symbol *symbol) {
    const struct edge_effects *effects =
        &pruner->abstraction->network->edge_effects[template][edge];
    return effects_reads(&effects->guard, symbol) || effects_reads(&effects->sync, symbol) ||
           effects_reads(&effects->update, symbol);
}

static bool try_variables(struct pruner *pruner) {
    const struct request *request = pruner->abstraction->request;
    for (uint32_t r = 0; r < request->removals.count; r++) {
        for (uint32_t t = 0; t < pruner->model->template_count; t++)
            for (uint32_t i = 0; i < pruner->model->templates[t]->edge_count; i++)
                pruner->trial[t][i] = pruner->left_out[t][i] ||
                                      reads(pruner, t, i, request->removals.items[r].symbol);
        if (!try_marks(pruner)) return false;
    }
    return true;
}

/* All edges that are dropped but those like one: with the same source, or itself. */
static bool try_others(struct pruner *pruner, uint32_t template, uint32_t edge, bool is_single) {
    const struct edge *edges = pruner->model->templates[template]->edges;
    copy_marks(pruner, pruner->trial, pruner->dropped);
    for (uint32_t i = 0; i < pruner->model->templates[template]->edge_count; i++)
        if (is_single ? i == edge : edges[i].source == edges[edge].source)
            pruner->trial[template][i] = false;
    return try_marks(pruner);
}

static bool try_edges(struct pruner *pruner, bool is_single) {
    for (uint32_t t = 0; t < pruner->model->template_count; t++)
        for (uint32_t i = 0; i < pruner->model->templates[t]->edge_count; i++)
            if (pruner->dropped[t][i] && !try_others(pruner, t, i, is_single)) return false;
    return true;
}

bool prune_must(struct abstraction *abstraction, const struct abstract_options *options) {
    struct pruner pruner = {
        .abstraction = abstraction, .options = options, .model = abstraction->network->model};
    const char **reasons = abstraction->inexact.items; /* they are about the original */
    uint32_t count = abstraction->inexact.count;
    if (!count) return true;
    pruner.left_out = new_marks(&pruner);
    pruner.dropped = new_marks(&pruner);
    pruner.trial = new_marks(&pruner);
    pruner.result = new_marks(&pruner);
    mark_dropped(&pruner, pruner.result);
    copy_marks(&pruner, pruner.dropped, pruner.result);
    pruner.lost_invariants = abstraction->lost_invariants;
    memset(&abstraction->inexact, 0, sizeof abstraction->inexact);
    if (!try_variables(&pruner) || !try_edges(&pruner, false) || !try_edges(&pruner, true))
        return false;
    if (pruner.trials && !fold_without(&pruner, pruner.left_out)) return false;
    abstraction->inexact.items = reasons;
    abstraction->inexact.count = abstraction->inexact.capacity = count;
    return true;
}
