#include "abstract/refine.h"

/* Edges by template index and edge. */
typedef bool *const *edge_marks;

struct refiner {
    struct abstraction *abstraction;
    const struct abstract_options *options;
    const struct model *model;
    bool **left_out; /* accepted so far */
    bool **dropped;  /* then; those left out are among them */
    bool **trial, **result;
    uint32_t trials;
    uint64_t evaluations;
};

static bool **new_marks(struct refiner *refiner) {
    struct arena *arena = refiner->abstraction->arena;
    bool **marks = ARENA_ARRAY(arena, bool *, refiner->model->template_count + 1);
    for (uint32_t t = 0; t < refiner->model->template_count; t++)
        marks[t] = ARENA_ARRAY(arena, bool, refiner->model->templates[t]->edge_count + 1);
    return marks;
}

static void copy_marks(const struct refiner *refiner, bool **to, edge_marks from) {
    for (uint32_t t = 0; t < refiner->model->template_count; t++)
        memcpy(to[t], from[t], refiner->model->templates[t]->edge_count * sizeof(bool));
}

/* What is dropped now. Where nobody gets without the edges left out, nothing is lost, as they are
 * dropped in any case, and nothing gained. */
static void mark_dropped(struct refiner *refiner, bool **marks) {
    const struct abstraction *abstraction = refiner->abstraction;
    for (uint32_t t = 0; t < refiner->model->template_count; t++) {
        const struct template *template = refiner->model->templates[t];
        for (uint32_t i = 0; i < template->edge_count; i++)
            marks[t][i] =
                refiner->dropped[t][i] &&
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
static bool fold_without(struct refiner *refiner, edge_marks left_out) {
    struct abstraction *abstraction = refiner->abstraction;
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
    refiner->trials++;
    refiner->evaluations +=
        analysis->evaluation_count + (uint64_t)16 * abstraction->network->process_count;
    return abstraction_fold(abstraction, refiner->options);
}

/* Whether strictly fewer edges are dropped than before. */
static bool is_better(const struct refiner *refiner) {
    bool is_strict = false;
    for (uint32_t t = 0; t < refiner->model->template_count; t++)
        for (uint32_t i = 0; i < refiner->model->templates[t]->edge_count; i++) {
            if (refiner->result[t][i] && !refiner->dropped[t][i]) return false;
            is_strict |= refiner->dropped[t][i] && !refiner->result[t][i];
        }
    return is_strict;
}

/* Whether the original without the edge has only steps of the original. */
static bool can_leave_out(const struct refiner *refiner, uint32_t template, uint32_t edge) {
    const struct template *of = refiner->model->templates[template];
    const struct edge *it = &of->edges[edge];
    if (it->leaves_branchpoint) return false; /* it may belong to a receiver */
    return !it->sync || it->is_send ||
           !sync_is_broadcast(&refiner->abstraction->context, of, it->sync);
}

/* Tries to leave out what is marked as trial, as far as it is dropped in any case. */
static bool try_marks(struct refiner *refiner) {
    bool is_new = false;
    uint64_t most = refiner->options->analysis.budget * REFINE_MAX_BUDGETS;
    for (uint32_t t = 0; t < refiner->model->template_count; t++)
        for (uint32_t i = 0; i < refiner->model->templates[t]->edge_count; i++) {
            refiner->trial[t][i] &= refiner->dropped[t][i] && can_leave_out(refiner, t, i);
            is_new |= refiner->trial[t][i] != refiner->left_out[t][i];
        }
    if (!is_new || refiner->trials >= REFINE_MAX_TRIALS || refiner->evaluations > most) return true;
    if (!fold_without(refiner, refiner->trial)) return false;
    mark_dropped(refiner, refiner->result);
    if (!is_better(refiner)) return true;
    copy_marks(refiner, refiner->left_out, refiner->trial);
    copy_marks(refiner, refiner->dropped, refiner->result);
    return true;
}

static bool reads(const struct refiner *refiner, uint32_t template, uint32_t edge,
                  const struct symbol *symbol) {
    const struct edge_effects *effects =
        &refiner->abstraction->network->edge_effects[template][edge];
    return effects_reads(&effects->guard, symbol) || effects_reads(&effects->sync, symbol) ||
           effects_reads(&effects->update, symbol);
}

static bool try_variables(struct refiner *refiner) {
    const struct request *request = refiner->abstraction->request;
    for (uint32_t r = 0; r < request->removals.count; r++) {
        for (uint32_t t = 0; t < refiner->model->template_count; t++)
            for (uint32_t i = 0; i < refiner->model->templates[t]->edge_count; i++)
                refiner->trial[t][i] = refiner->left_out[t][i] ||
                                       reads(refiner, t, i, request->removals.items[r].symbol);
        if (!try_marks(refiner)) return false;
    }
    return true;
}

/* All edges that are dropped but those like one: with the same source, or itself. */
static bool try_others(struct refiner *refiner, uint32_t template, uint32_t edge, bool is_single) {
    const struct edge *edges = refiner->model->templates[template]->edges;
    copy_marks(refiner, refiner->trial, refiner->dropped);
    for (uint32_t i = 0; i < refiner->model->templates[template]->edge_count; i++)
        if (is_single ? i == edge : edges[i].source == edges[edge].source)
            refiner->trial[template][i] = false;
    return try_marks(refiner);
}

static bool try_edges(struct refiner *refiner, bool is_single) {
    for (uint32_t t = 0; t < refiner->model->template_count; t++)
        for (uint32_t i = 0; i < refiner->model->templates[t]->edge_count; i++)
            if (refiner->dropped[t][i] && !try_others(refiner, t, i, is_single)) return false;
    return true;
}

bool refine_must(struct abstraction *abstraction, const struct abstract_options *options) {
    struct refiner refiner = {
        .abstraction = abstraction, .options = options, .model = abstraction->network->model};
    const char **reasons = abstraction->inexact.items; /* they are about the original */
    uint32_t count = abstraction->inexact.count;
    if (!count) return true;
    refiner.left_out = new_marks(&refiner);
    refiner.dropped = new_marks(&refiner);
    refiner.trial = new_marks(&refiner);
    refiner.result = new_marks(&refiner);
    mark_dropped(&refiner, refiner.result);
    copy_marks(&refiner, refiner.dropped, refiner.result);
    memset(&abstraction->inexact, 0, sizeof abstraction->inexact);
    if (!try_variables(&refiner) || !try_edges(&refiner, false) || !try_edges(&refiner, true))
        return false;
    if (refiner.trials && !fold_without(&refiner, refiner.left_out)) return false;
    abstraction->inexact.items = reasons;
    abstraction->inexact.count = abstraction->inexact.capacity = count;
    return true;
}
