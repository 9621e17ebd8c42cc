/* See search.h. */
#include "abstract/must/search.h"

#include "abstract/edge/open_edge.h"
#include "abstract/facts/context.h"
#include "abstract/facts/guards.h"
#include "abstract/must/count_states.h"
#include "abstract/must/kept.h"
#include "abstract/request/obstacle.h"
#include "abstract/request/request.h"
#include "expr/build.h"
#include "expr/chain.h"
#include "expr/find.h"

/* What is kept, in comparison with the original: false, NULL = all, or when. */
struct outcome {
    const struct expr ***edges, ***locations; /* by template index and edge, or its location */
};

/* What all searches of a run spend together. */
struct prune_limits {
    uint64_t spent;    /* expressions looked at */
    size_t first_size; /* of the arena */
};

struct pruner {
    struct abstraction *abstraction;
    const struct abstract_options *options;
    const struct model *model;
    const struct conditions *originals; /* of the document */
    const struct conditions *outside;   /* that the model has while nothing is tried */
    const struct conditions *base;      /* those to begin with */
    const struct analysis *analysis;    /* with these */
    struct conditions *accepted, *trial;
    struct outcome best, result; /* with these conditions */
    struct prune_limits *limits;
    uint64_t once;   /* what the first analysis took */
    uint64_t weight; /* of what was found */
    uint32_t trials;
};

static struct outcome new_outcome(const struct pruner *pruner) {
    struct arena *arena = pruner->abstraction->arena;
    const struct model *model = pruner->model;
    struct outcome outcome = {ARENA_ARRAY(arena, const struct expr **, model->template_count + 1),
                              ARENA_ARRAY(arena, const struct expr **, model->template_count + 1)};
    for (uint32_t t = 0; t < model->template_count; t++) {
        const struct template *template = model->templates[t];
        outcome.edges[t] = ARENA_ARRAY(arena, const struct expr *, template->edge_count + 1);
        outcome.locations[t] =
            ARENA_ARRAY(arena, const struct expr *, template->location_count + 1);
    }
    return outcome;
}

/* What an analysis and what follows it take. */
static uint64_t effort(const struct abstraction *abstraction) {
    return abstraction->analysis->evaluation_count + abstraction->edges_before +
           (uint64_t)16 * abstraction->network->process_count;
}

/* Whether there is room for one more, or for more than that. */
static bool may_spend(const struct pruner *pruner, uint64_t more) {
    const struct prune_limits *limits = pruner->limits;
    uint64_t most = pruner->options->analysis.budget * PRUNE_MAX_BUDGETS;
    return limits->spent <= most && more <= most - limits->spent &&
           pruner->abstraction->arena->used_size - limits->first_size <= PRUNE_MAX_SIZE;
}

static bool may_try(const struct pruner *pruner) {
    return pruner->trials < PRUNE_MAX_TRIALS && may_spend(pruner, 0);
}

static struct pruner *new_pruner(struct abstraction *abstraction,
                                 const struct abstract_options *options,
                                 const struct conditions *originals, struct prune_limits *limits) {
    struct pruner *pruner = ARENA_NEW(abstraction->arena, struct pruner);
    *pruner = (struct pruner){.abstraction = abstraction,
                              .options = options,
                              .model = abstraction->network->model,
                              .originals = originals,
                              .limits = limits};
    pruner->outside = pruner->base = conditions_of(abstraction->arena, abstraction->network);
    pruner->analysis = abstraction->analysis;
    pruner->accepted = conditions_of(abstraction->arena, abstraction->network);
    pruner->trial = conditions_of(abstraction->arena, abstraction->network);
    pruner->best = new_outcome(pruner);
    pruner->result = new_outcome(pruner);
    return pruner;
}

static bool is_reached(const struct pruner *pruner, uint32_t template, uint32_t location) {
    return analysis_reaches(pruner->abstraction->analysis, pruner->model->templates[template],
                            location);
}

/* Whether the first is at least as weak, as far as can be seen. */
static bool keeps(struct arena *arena, const struct expr *left, const struct expr *right) {
    if (expr_is_true(left) || left == right) return true;
    if (!right || expr_is_false(right)) return right != NULL;
    struct chain chain;
    chain_init(&chain, arena, OP_AND);
    chain_add(&chain, right);
    uint32_t count = chain.terms.count;
    chain_add(&chain, left);
    return chain.terms.count == count;
}

/* What is kept now. Where nobody gets any more, it is what was kept before: nothing is lost there,
 * and nothing gained. */
static void take_result(const struct pruner *pruner, struct outcome *result) {
    const struct abstraction *abstraction = pruner->abstraction;
    for (uint32_t t = 0; t < pruner->model->template_count; t++) {
        const struct template *template = pruner->model->templates[t];
        for (uint32_t i = 0; i < template->edge_count; i++)
            result->edges[t][i] =
                is_reached(pruner, t, template->edges[i].source) ? NULL : pruner->best.edges[t][i];
        for (uint32_t i = 0; i < template->location_count; i++)
            result->locations[t][i] =
                is_reached(pruner, t, i) ? NULL : pruner->best.locations[t][i];
    }
    for (uint32_t i = 0; i < abstraction->folds.count; i++) {
        const struct location_fold *fold = abstraction->folds.items[i];
        uint32_t t = fold->template->index;
        if (!is_reached(pruner, t, fold->location)) continue;
        for (uint32_t k = 0; k < fold->open_edge_count; k++) {
            const struct open_edge *open = fold->open_edges[k];
            const struct expr *guard = pruner->originals->guards[t][open->edge_index].expr;
            bool is_whole = open->is_whole && !open->is_restricted;
            result->edges[t][open->edge_index] =
                is_whole || keeps(abstraction->arena, open->kept, guard) ? NULL : open->kept;
        }
    }
    for (uint32_t i = 0; i < abstraction->invariants.count; i++) {
        const struct invariant_fold *fold = &abstraction->invariants.items[i];
        if (fold->is_lost && is_reached(pruner, fold->template->index, fold->location))
            result->locations[fold->template->index][fold->location] = fold->invariant;
    }
}

/* Folds the model with the conditions that it has now. */
static bool fold_restricted(struct pruner *pruner) {
    struct abstraction *abstraction = pruner->abstraction;
    abstraction->context.originals = pruner->originals;
    bool ok = abstraction_fold(abstraction, pruner->options);
    abstraction->context.originals = NULL;
    return ok;
}

static bool analyse_and_fold(struct pruner *pruner) {
    struct abstraction *abstraction = pruner->abstraction;
    struct analysis_options options = abstraction->analysis->options;
    struct analysis *analysis =
        analyse(abstraction->arena, abstraction->network, abstraction->request->slot_is_removed,
                &options, abstraction->context.diag);
    if (!analysis) return false;
    abstraction->analysis = abstraction->context.analysis = analysis;
    pruner->limits->spent += effort(abstraction);
    return fold_restricted(pruner);
}

/* Analyses and folds with these conditions. If weight is not NULL, it becomes that of what is left.
 */
static bool fold_with(struct pruner *pruner, const struct conditions *conditions,
                      uint64_t *weight) {
    const struct network *network = pruner->abstraction->network;
    conditions_enter(network, pruner->outside, conditions);
    bool ok = analyse_and_fold(pruner);
    if (ok && weight)
        *weight = weigh_network(network, pruner->abstraction->request->slot_is_removed);
    conditions_leave(network, pruner->outside, conditions);
    return ok;
}

static bool keeps_all_of(const struct pruner *pruner, const struct outcome *left,
                         const struct outcome *right) {
    struct arena *arena = pruner->abstraction->arena;
    for (uint32_t t = 0; t < pruner->model->template_count; t++) {
        for (uint32_t i = 0; i < pruner->model->templates[t]->edge_count; i++)
            if (!keeps(arena, left->edges[t][i], right->edges[t][i])) return false;
        for (uint32_t i = 0; i < pruner->model->templates[t]->location_count; i++)
            if (!keeps(arena, left->locations[t][i], right->locations[t][i])) return false;
    }
    return true;
}

static bool guards_differ(const struct pruner *pruner, const struct conditions *left,
                          const struct conditions *right) {
    for (uint32_t t = 0; t < pruner->model->template_count; t++)
        for (uint32_t i = 0; i < pruner->model->templates[t]->edge_count; i++) {
            const struct expr *a = left->guards[t][i].expr, *b = right->guards[t][i].expr;
            if (a != b && (!a || !b || !expr_equal(a, b))) return true;
        }
    return false;
}

/* Tries the conditions of the trial, and accepts them if strictly more is kept. */
static bool try_conditions(struct pruner *pruner) {
    conditions_make_sound(&pruner->abstraction->context, pruner->analysis, pruner->trial,
                          pruner->base);
    if (!guards_differ(pruner, pruner->trial, pruner->accepted)) return true;
    pruner->trials++;
    if (!fold_with(pruner, pruner->trial, NULL)) return false;
    take_result(pruner, &pruner->result);
    if (!keeps_all_of(pruner, &pruner->result, &pruner->best) ||
        keeps_all_of(pruner, &pruner->best, &pruner->result))
        return true;
    struct conditions *accepted = pruner->accepted;
    struct outcome best = pruner->best;
    pruner->accepted = pruner->trial;
    pruner->trial = accepted;
    pruner->best = pruner->result;
    pruner->result = best;
    return true;
}

static void keep_of_edge(struct pruner *pruner, uint32_t template, uint32_t edge) {
    conditions_keep_of_edge(pruner->abstraction, pruner->trial, pruner->model->templates[template],
                            edge, pruner->best.edges[template][edge]);
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
    for (uint32_t r = 0; r < request->removals.count && may_try(pruner); r++) {
        conditions_copy(pruner->model, pruner->trial, pruner->accepted);
        for (uint32_t t = 0; t < pruner->model->template_count; t++)
            for (uint32_t i = 0; i < pruner->model->templates[t]->edge_count; i++)
                if (reads(pruner, t, i, request->removals.items[r].symbol))
                    keep_of_edge(pruner, t, i);
        if (!try_conditions(pruner)) return false;
    }
    return true;
}

/* To what is kept of all edges but those like one: with the same source, or itself. */
static bool try_others(struct pruner *pruner, uint32_t template, uint32_t edge, bool is_single) {
    const struct edge *edges = pruner->model->templates[template]->edges;
    conditions_copy(pruner->model, pruner->trial, pruner->accepted);
    for (uint32_t t = 0; t < pruner->model->template_count; t++)
        for (uint32_t i = 0; i < pruner->model->templates[t]->edge_count; i++)
            if (t == template && (is_single ? i == edge : edges[i].source == edges[edge].source))
                pruner->trial->guards[t][i] = pruner->base->guards[t][i];
            else
                keep_of_edge(pruner, t, i);
    return try_conditions(pruner);
}

/* Whether there is something to gain at an edge, or at its source, where it is the first. */
static bool is_worth_trying(const struct pruner *pruner, uint32_t template, uint32_t edge,
                            bool is_single) {
    const struct edge *edges = pruner->model->templates[template]->edges;
    if (!pruner->best.edges[template][edge] ||
        expr_is_false(pruner->base->guards[template][edge].expr))
        return false;
    for (uint32_t i = 0; !is_single && i < edge; i++)
        if (edges[i].source == edges[edge].source && is_worth_trying(pruner, template, i, true))
            return false;
    return true;
}

static bool try_edges(struct pruner *pruner, bool is_single) {
    for (uint32_t t = 0; t < pruner->model->template_count; t++)
        for (uint32_t i = 0; i < pruner->model->templates[t]->edge_count; i++)
            if (may_try(pruner) && is_worth_trying(pruner, t, i, is_single) &&
                !try_others(pruner, t, i, is_single))
                return false;
    return true;
}

static bool search(struct pruner *pruner) {
    return try_variables(pruner) && try_edges(pruner, false) && try_edges(pruner, true);
}

/* Strengthens conditions by all that is kept at best, and nothing where nobody gets. */
static void keep_all(const struct pruner *pruner, struct conditions *conditions) {
    const struct abstraction *abstraction = pruner->abstraction;
    const struct expr *no = build_bool(abstraction->arena, false);
    conditions_copy(pruner->model, conditions, pruner->accepted);
    for (uint32_t t = 0; t < pruner->model->template_count; t++) {
        const struct template *template = pruner->model->templates[t];
        for (uint32_t i = 0; i < template->edge_count; i++) {
            bool goes = analysis_reaches(pruner->analysis, template, template->edges[i].source);
            conditions_keep_of_edge(abstraction, conditions, template, i,
                                    goes ? pruner->best.edges[t][i] : no);
        }
        for (uint32_t i = 0; i < template->location_count; i++)
            conditions_keep_of_invariant(abstraction, conditions, template, i,
                                         pruner->best.locations[t][i]);
    }
    conditions_make_sound(&abstraction->context, pruner->analysis, conditions, pruner->base);
}

/* Searches with an abstraction of the model as it is now; NULL after an error. */
static struct pruner *search_prefix(const struct pruner *pruner, struct abstraction *prefix) {
    struct pruner *inner = new_pruner(prefix, pruner->options, pruner->originals, pruner->limits);
    bool ok = fold_restricted(inner);
    pruner->limits->spent += effort(prefix);
    if (ok) {
        take_result(inner, &inner->best);
        ok = search(inner);
    }
    return ok ? inner : NULL;
}

/* Restricts conditions to what is kept where only so many parts of the request are removed from the
 * model that has them. Where that cannot be done, it restricts nothing. */
static void keep_of_prefix(const struct pruner *pruner, struct conditions *conditions,
                           uint32_t parts) {
    const struct abstraction *whole = pruner->abstraction;
    const struct network *network = whole->network;
    const struct pruner *inner = NULL;
    struct abstraction prefix;
    struct diag quiet;
    diag_init(&quiet, whole->arena, whole->context.diag->source);
    struct request *request = request_prefix(whole->request, parts);
    conditions_enter(network, pruner->outside, conditions);
    bool is_open =
        request_finish(request, network, &quiet) &&
        abstraction_open(&prefix, whole->arena, network, request, pruner->options, &quiet);
    if (is_open) inner = search_prefix(pruner, &prefix);
    conditions_leave(network, pruner->outside, conditions);
    if (inner) keep_all(inner, conditions);
    if (is_open) abstraction_close(&prefix);
}

static void lose_all(const struct pruner *pruner, struct outcome *outcome) {
    const struct expr *no = build_bool(pruner->abstraction->arena, false);
    for (uint32_t t = 0; t < pruner->model->template_count; t++) {
        const struct template *template = pruner->model->templates[t];
        for (uint32_t i = 0; i < template->edge_count; i++) outcome->edges[t][i] = no;
        for (uint32_t i = 0; i < template->location_count; i++) outcome->locations[t][i] = no;
    }
}

/* Looks at the model with all that a search has found: how much of it is left, and what is kept,
 * with nothing of the edges and locations that nobody gets to. */
static bool weigh_rest(struct pruner *pruner) {
    keep_all(pruner, pruner->trial);
    if (!fold_with(pruner, pruner->trial, &pruner->weight)) return false;
    lose_all(pruner, &pruner->best);
    take_result(pruner, &pruner->best);
    return true;
}

/* Searches from the conditions that a chain of removals has left, and accepts what it finds if that
 * is more: if more states are left, or, where it follows the chain, as many but other edges. */
static bool search_chain(struct pruner *pruner, const struct conditions *first, bool follows) {
    struct abstraction *abstraction = pruner->abstraction;
    struct pruner *chain =
        new_pruner(abstraction, pruner->options, pruner->originals, pruner->limits);
    conditions_copy(pruner->model, chain->accepted, first);
    if (!fold_with(chain, first, NULL)) return false;
    if (follows) chain->base = first;
    chain->analysis = follows ? abstraction->analysis : pruner->analysis;
    if (abstraction_excludes_initial(abstraction)) return true;
    lose_all(chain, &chain->best); /* also what nobody gets to */
    take_result(chain, &chain->best);
    if (!search(chain) || !weigh_rest(chain)) return false;
    if (chain->weight > pruner->weight || (follows && chain->weight == pruner->weight &&
                                           !keeps_all_of(pruner, &pruner->best, &chain->best))) {
        pruner->accepted = chain->accepted;
        pruner->weight = chain->weight;
    }
    return true;
}

/* What one part of the request after the other leaves, and then its merges. */
static bool follow_chain(struct pruner *pruner) {
    const struct request *request = pruner->abstraction->request;
    uint32_t parts = request->parts.count + (request->ghosts.count > 0);
    if (parts < 2 || parts > PRUNE_MAX_PARTS || !may_spend(pruner, parts * pruner->once))
        return true;
    struct conditions *conditions =
        conditions_of(pruner->abstraction->arena, pruner->abstraction->network);
    conditions_copy(pruner->model, conditions, pruner->originals);
    for (uint32_t i = 1; i < parts && may_spend(pruner, 0); i++)
        keep_of_prefix(pruner, conditions, i);
    return weigh_rest(pruner) && search_chain(pruner, conditions, true) &&
           search_chain(pruner, conditions, false);
}

bool prune_must(struct abstraction *abstraction, const struct abstract_options *options) {
    const struct network *network = abstraction->network;
    const char **reasons = abstraction->inexact.items; /* they are about the original */
    uint32_t count = abstraction->inexact.count;
    if (!count) return true;
    const struct conditions *originals = conditions_of(abstraction->arena, network);
    struct prune_limits limits = {0, abstraction->arena->used_size};
    struct pruner *pruner = new_pruner(abstraction, options, originals, &limits);
    pruner->once = effort(abstraction);
    take_result(pruner, &pruner->best);
    memset(&abstraction->inexact, 0, sizeof abstraction->inexact);
    bool ok = search(pruner) && follow_chain(pruner) && fold_with(pruner, pruner->accepted, NULL);
    abstraction->inexact.items = reasons;
    abstraction->inexact.count = abstraction->inexact.capacity = count;
    return ok;
}
