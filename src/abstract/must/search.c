#include "abstract/must/search.h"

#include "abstract/edge/open_edge.h"
#include "abstract/facts/context.h"
#include "abstract/must/count_states.h"
#include "abstract/must/kept.h"
#include "abstract/request/obstacle.h"
#include "abstract/request/request.h"
#include "base/interrupt.h"
#include "expr/build.h"
#include "expr/chain.h"
#include "expr/find.h"

#include <assert.h>

/* What is kept, in comparison with the original: false, NULL = all, or when. */
struct must_outcome {
    const struct expr ***edges, ***locations; /* by template index and edge, or its location */
};

/* What all searches of a run spend together. */
struct must_limits {
    uint64_t spent;    /* expressions looked at */
    size_t first_size; /* of the arena */
};

struct must_search {
    struct abstraction *abstraction;
    const struct abstract_options *options;
    const struct model *model;
    const struct network *outside;     /* the network while nothing is tried */
    const struct network_labels *base; /* those to begin with */
    const struct analysis *analysis;   /* with these */
    struct analysis *first;            /* of the network outside */
    struct network_labels *accepted, *trial;
    struct must_outcome best, result; /* with these labels */
    struct must_limits *limits;
    uint64_t once;   /* what the first analysis took */
    uint64_t states; /* that what was found has */
    uint32_t trials;
};

static struct must_outcome new_outcome(const struct must_search *search) {
    struct arena *arena = search->abstraction->arena;
    const struct model *model = search->model;
    struct must_outcome outcome = {
        ARENA_ARRAY(arena, const struct expr **, model->template_count + 1),
        ARENA_ARRAY(arena, const struct expr **, model->template_count + 1)};
    for (uint32_t t = 0; t < model->template_count; t++) {
        const struct template *template = model->templates[t];
        outcome.edges[t] = ARENA_ARRAY(arena, const struct expr *, template->edge_count + 1);
        outcome.locations[t] =
            ARENA_ARRAY(arena, const struct expr *, template->location_count + 1);
    }
    return outcome;
}

/* The work that an analysis and the folds after it take. */
static uint64_t effort(const struct abstraction *abstraction) {
    return abstraction->analysis->evaluation_count + abstraction->edges_before +
           (uint64_t)16 * abstraction->network->process_count;
}

/* Whether the limits leave room for so much more work. */
static bool may_spend(const struct must_search *search, uint64_t more) {
    const struct must_limits *limits = search->limits;
    assert(search->abstraction->arena->used_size >= limits->first_size);
    uint64_t most = search->options->analysis.budget * MUST_MAX_BUDGETS;
    return !interrupt_is_asked() && limits->spent <= most && more <= most - limits->spent &&
           search->abstraction->arena->used_size - limits->first_size <= MUST_MAX_SIZE;
}

static bool may_try(const struct must_search *search) {
    return search->trials < MUST_MAX_TRIALS && may_spend(search, 0);
}

/* A copy of the labels of the network that the abstraction is of, to be changed. */
static struct network_labels *new_labels(const struct abstraction *abstraction) {
    const struct network *network = abstraction->network;
    struct network_labels *labels = ARENA_NEW(abstraction->arena, struct network_labels);
    *labels = labels_copy(abstraction->arena, network->model, &network->labels);
    return labels;
}

static struct must_search *new_search(struct abstraction *abstraction,
                                      const struct abstract_options *options,
                                      struct must_limits *limits) {
    struct must_search *search = ARENA_NEW(abstraction->arena, struct must_search);
    *search = (struct must_search){.abstraction = abstraction,
                                   .options = options,
                                   .model = abstraction->network->model,
                                   .outside = abstraction->network,
                                   .base = &abstraction->network->labels,
                                   .analysis = abstraction->analysis,
                                   .first = abstraction->analysis,
                                   .limits = limits};
    search->accepted = new_labels(abstraction);
    search->trial = new_labels(abstraction);
    search->best = new_outcome(search);
    search->result = new_outcome(search);
    return search;
}

static bool is_reached(const struct must_search *search, uint32_t template, uint32_t location) {
    return analysis_reaches(search->abstraction->analysis, search->model->templates[template],
                            location);
}

/* Whether the left condition is at least as weak as the right one, as far as can be seen. NULL =
 * true. */
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

/* Takes what the present folds keep as the result. At locations that are no longer reached the
 * earlier result stays. */
static void take_result(const struct must_search *search, struct must_outcome *result) {
    const struct abstraction *abstraction = search->abstraction;
    for (uint32_t t = 0; t < search->model->template_count; t++) {
        const struct template *template = search->model->templates[t];
        for (uint32_t i = 0; i < template->edge_count; i++)
            result->edges[t][i] =
                is_reached(search, t, template->edges[i].source) ? NULL : search->best.edges[t][i];
        for (uint32_t i = 0; i < template->location_count; i++)
            result->locations[t][i] =
                is_reached(search, t, i) ? NULL : search->best.locations[t][i];
    }
    for (uint32_t i = 0; i < abstraction->folds.count; i++) {
        const struct location_fold *fold = abstraction->folds.items[i];
        uint32_t t = fold->template->index;
        if (!is_reached(search, t, fold->location)) continue;
        for (uint32_t k = 0; k < fold->open_edge_count; k++) {
            const struct open_edge *open = fold->open_edges[k];
            assert(open->edge_index < fold->template->edge_count);
            const struct expr *guard = fold->template->edges[open->edge_index].written_guard;
            bool keeps_all = open->folded.keeps_all && !open->is_restricted;
            result->edges[t][open->edge_index] =
                keeps_all || keeps(abstraction->arena, open->folded.kept, guard)
                    ? NULL
                    : open->folded.kept;
        }
    }
    for (uint32_t i = 0; i < abstraction->invariants.count; i++) {
        const struct invariant_fold *fold = &abstraction->invariants.items[i];
        if (fold->is_stricter && is_reached(search, fold->template->index, fold->location))
            result->locations[fold->template->index][fold->location] = fold->invariant;
    }
}

static bool analyse_and_fold(struct must_search *search) {
    struct abstraction *abstraction = search->abstraction;
    struct analysis_options options = abstraction->analysis->options;
    struct analysis *analysis =
        analyse(abstraction->arena, abstraction->network, abstraction->request->slot_is_removed,
                &options, abstraction->context.diag);
    if (!analysis) return false;
    abstraction->analysis = abstraction->context.analysis = analysis;
    search->limits->spent += effort(abstraction);
    return abstraction_fold(abstraction, search->options);
}

/* From now on the abstraction is one of this network, or view of it. */
static void look_at(struct abstraction *abstraction, const struct network *network) {
    abstraction->network = abstraction->context.network = network;
    abstraction->analysis->network = network;
}

/* Analyses and folds the network with these labels; and counts the states that are left unless
 * states is NULL. */
static bool fold_with(struct must_search *search, const struct network_labels *labels,
                      uint64_t *states) {
    struct abstraction *abstraction = search->abstraction;
    assert(abstraction->network == search->outside); /* nothing else is tried now */
    const struct network *view = network_with_labels(abstraction->arena, search->outside, labels);
    abstraction->network = abstraction->context.network = view;
    bool ok = analyse_and_fold(search);
    if (ok && states) *states = count_visible_states(view, abstraction->request->slot_is_removed);
    look_at(abstraction, search->outside);
    return ok;
}

static bool labels_are_same(const struct must_search *search, const struct network_labels *left,
                            const struct network_labels *right) {
    for (uint32_t t = 0; t < search->model->template_count; t++) {
        const struct template *template = search->model->templates[t];
        for (uint32_t i = 0; i < template->edge_count; i++)
            if (left->edges[t][i].guard != right->edges[t][i].guard) return false;
        for (uint32_t i = 0; i < template->location_count; i++)
            if (left->invariants[t][i] != right->invariants[t][i]) return false;
    }
    return true;
}

/* Folds the network with what was found. If that is nothing, the first analysis is of it; but one
 * that tried more than a trial does would have more to tell. */
static bool fold_accepted(struct must_search *search) {
    struct abstraction *abstraction = search->abstraction;
    if (search->first->trial != TRIAL_NONE ||
        !labels_are_same(search, search->accepted, &search->outside->labels))
        return fold_with(search, search->accepted, NULL);
    assert(abstraction->network == search->outside);
    abstraction->analysis = abstraction->context.analysis = search->first;
    return abstraction_fold(abstraction, search->options);
}

static bool keeps_all_of(const struct must_search *search, const struct must_outcome *left,
                         const struct must_outcome *right) {
    struct arena *arena = search->abstraction->arena;
    for (uint32_t t = 0; t < search->model->template_count; t++) {
        for (uint32_t i = 0; i < search->model->templates[t]->edge_count; i++)
            if (!keeps(arena, left->edges[t][i], right->edges[t][i])) return false;
        for (uint32_t i = 0; i < search->model->templates[t]->location_count; i++)
            if (!keeps(arena, left->locations[t][i], right->locations[t][i])) return false;
    }
    return true;
}

static bool guards_differ(const struct must_search *search, const struct network_labels *left,
                          const struct network_labels *right) {
    for (uint32_t t = 0; t < search->model->template_count; t++)
        for (uint32_t i = 0; i < search->model->templates[t]->edge_count; i++) {
            const struct expr *a = left->edges[t][i].guard, *b = right->edges[t][i].guard;
            if (a != b && (!a || !b || !expr_equal(a, b))) return true;
        }
    return false;
}

/* Tries the labels of the trial, and accepts them if strictly more is kept. */
static bool try_labels(struct must_search *search) {
    labels_make_sound(&search->abstraction->context, search->analysis, search->trial, search->base);
    if (!guards_differ(search, search->trial, search->accepted)) return true;
    search->trials++;
    if (!fold_with(search, search->trial, NULL)) return false;
    take_result(search, &search->result);
    if (!keeps_all_of(search, &search->result, &search->best) ||
        keeps_all_of(search, &search->best, &search->result))
        return true;
    struct network_labels *accepted = search->accepted;
    struct must_outcome best = search->best;
    search->accepted = search->trial;
    search->trial = accepted;
    assert(search->trial != search->accepted);
    search->best = search->result;
    search->result = best;
    return true;
}

static void keep_of_edge(struct must_search *search, uint32_t template, uint32_t edge) {
    labels_keep_of_edge(search->abstraction, search->trial, search->model->templates[template],
                        edge, search->best.edges[template][edge]);
}

static bool reads(const struct must_search *search, uint32_t template, uint32_t edge,
                  const struct symbol *symbol) {
    const struct edge_labels *effects = &search->abstraction->network->labels.edges[template][edge];
    return effects_reads(&effects->guard_effects, symbol) ||
           effects_reads(&effects->sync_effects, symbol) ||
           effects_reads(&effects->update_effects, symbol);
}

static bool try_variables(struct must_search *search) {
    const struct request *request = search->abstraction->request;
    for (uint32_t r = 0; r < request->removals.count && may_try(search); r++) {
        labels_assign(search->model, search->trial, search->accepted);
        for (uint32_t t = 0; t < search->model->template_count; t++)
            for (uint32_t i = 0; i < search->model->templates[t]->edge_count; i++)
                if (reads(search, t, i, request->removals.items[r].symbol))
                    keep_of_edge(search, t, i);
        if (!try_labels(search)) return false;
    }
    return true;
}

/* Tries the restriction to what is kept of all edges but a few: those with the source of one
 * edge, or that edge alone. */
static bool try_others(struct must_search *search, uint32_t template, uint32_t edge,
                       bool is_single) {
    const struct edge *edges = search->model->templates[template]->edges;
    assert(edge < search->model->templates[template]->edge_count);
    labels_assign(search->model, search->trial, search->accepted);
    for (uint32_t t = 0; t < search->model->template_count; t++)
        for (uint32_t i = 0; i < search->model->templates[t]->edge_count; i++)
            if (t == template && (is_single ? i == edge : edges[i].source == edges[edge].source))
                search->trial->edges[t][i] = search->base->edges[t][i];
            else
                keep_of_edge(search, t, i);
    return try_labels(search);
}

/* Whether there is something to gain by trying an edge alone, or with all edges of its source if
 * it is the first of them. */
static bool is_worth_trying(const struct must_search *search, uint32_t template, uint32_t edge,
                            bool is_single) {
    const struct edge *edges = search->model->templates[template]->edges;
    if (!search->best.edges[template][edge] ||
        expr_is_false(search->base->edges[template][edge].guard))
        return false;
    for (uint32_t i = 0; !is_single && i < edge; i++)
        if (edges[i].source == edges[edge].source && is_worth_trying(search, template, i, true))
            return false;
    return true;
}

static bool try_edges(struct must_search *search, bool is_single) {
    for (uint32_t t = 0; t < search->model->template_count; t++)
        for (uint32_t i = 0; i < search->model->templates[t]->edge_count; i++)
            if (may_try(search) && is_worth_trying(search, t, i, is_single) &&
                !try_others(search, t, i, is_single))
                return false;
    return true;
}

static bool try_all(struct must_search *search) {
    return try_variables(search) && try_edges(search, false) && try_edges(search, true);
}

/* Strengthens labels by all that is kept at best, and nothing at locations that are not
 * reached. */
static void keep_all(const struct must_search *search, struct network_labels *labels) {
    const struct abstraction *abstraction = search->abstraction;
    assert(labels != search->accepted);
    const struct expr *no = build_bool(abstraction->arena, false);
    labels_assign(search->model, labels, search->accepted);
    for (uint32_t t = 0; t < search->model->template_count; t++) {
        const struct template *template = search->model->templates[t];
        for (uint32_t i = 0; i < template->edge_count; i++) {
            bool goes = analysis_reaches(search->analysis, template, template->edges[i].source);
            labels_keep_of_edge(abstraction, labels, template, i,
                                goes ? search->best.edges[t][i] : no);
        }
        for (uint32_t i = 0; i < template->location_count; i++)
            labels_keep_of_invariant(abstraction, labels, template, i,
                                     search->best.locations[t][i]);
    }
    labels_make_sound(&abstraction->context, search->analysis, labels, search->base);
}

/* Searches with an abstraction of the model as it is now; NULL after an error. */
static struct must_search *search_prefix(const struct must_search *search,
                                         struct abstraction *prefix) {
    struct must_search *inner = new_search(prefix, search->options, search->limits);
    bool ok = abstraction_fold(prefix, search->options);
    search->limits->spent += effort(prefix);
    if (ok) {
        take_result(inner, &inner->best);
        ok = try_all(inner);
    }
    return ok ? inner : NULL;
}

/* Restricts labels to what is kept where only so many parts of the request are removed from the
 * model that has them. Where that cannot be done, it restricts nothing. */
static void keep_of_prefix(const struct must_search *search, struct network_labels *labels,
                           uint32_t parts) {
    const struct abstraction *whole = search->abstraction;
    const struct must_search *inner = NULL;
    struct abstraction prefix;
    struct diag quiet;
    assert(parts && parts <= whole->request->parts.count);
    diag_init(&quiet, whole->arena, whole->context.diag->source);
    struct request *request = request_prefix(whole->request, parts);
    const struct network *network = network_with_labels(whole->arena, search->outside, labels);
    bool is_open =
        request_finish(request, network, &quiet) &&
        abstraction_open(&prefix, whole->arena, network, request, search->options, &quiet);
    if (is_open) inner = search_prefix(search, &prefix);
    if (inner) keep_all(inner, labels);
    if (is_open) abstraction_close(&prefix);
}

static void keep_nothing(const struct must_search *search, struct must_outcome *outcome) {
    const struct expr *no = build_bool(search->abstraction->arena, false);
    for (uint32_t t = 0; t < search->model->template_count; t++) {
        const struct template *template = search->model->templates[t];
        for (uint32_t i = 0; i < template->edge_count; i++) outcome->edges[t][i] = no;
        for (uint32_t i = 0; i < template->location_count; i++) outcome->locations[t][i] = no;
    }
}

/* Looks at the model with all that a search has found: how much of it is left, and what is kept,
 * with nothing of edges and locations that are not reached. */
static bool fold_rest(struct must_search *search) {
    keep_all(search, search->trial);
    if (!fold_with(search, search->trial, &search->states)) return false;
    keep_nothing(search, &search->best);
    take_result(search, &search->best);
    return true;
}

/* Searches from the labels that a chain of removals has left, and accepts what it finds if that
 * is more: if more states are left, or, where it follows the chain, as many but other edges. */
static bool search_chain(struct must_search *search, const struct network_labels *first,
                         bool follows) {
    struct abstraction *abstraction = search->abstraction;
    struct must_search *chain = new_search(abstraction, search->options, search->limits);
    labels_assign(search->model, chain->accepted, first);
    if (!fold_with(chain, first, NULL)) return false;
    if (follows) chain->base = first;
    chain->analysis = follows ? abstraction->analysis : search->analysis;
    if (abstraction_excludes_initial(abstraction)) return true;
    keep_nothing(chain, &chain->best); /* also what is not reached */
    take_result(chain, &chain->best);
    if (!try_all(chain) || !fold_rest(chain)) return false;
    if (chain->states > search->states || (follows && chain->states == search->states &&
                                           !keeps_all_of(search, &search->best, &chain->best))) {
        search->accepted = chain->accepted;
        search->states = chain->states;
    }
    return true;
}

/* Searches from the labels that a chain of removals leaves: one part of the request after the
 * other, and then its ghosts. */
static bool follow_chain(struct must_search *search) {
    const struct request *request = search->abstraction->request;
    uint32_t parts = request->parts.count + (request->ghosts.count > 0);
    if (parts < 2 || parts > MUST_MAX_PARTS || !may_spend(search, parts * search->once))
        return true;
    struct network_labels *labels = new_labels(search->abstraction);
    for (uint32_t i = 1; i < parts && may_spend(search, 0); i++) keep_of_prefix(search, labels, i);
    return fold_rest(search) && search_chain(search, labels, true) &&
           search_chain(search, labels, false);
}

bool must_search(struct abstraction *abstraction, const struct abstract_options *options) {
    const char **reasons = abstraction->inexact.items; /* they are about the original */
    uint32_t count = abstraction->inexact.count;
    if (!count || network_is_timed(abstraction->network)) return true; /* no states to count */
    assert(abstraction->context.rules->is_universal);
    struct must_limits limits = {0, abstraction->arena->used_size};
    struct must_search *search = new_search(abstraction, options, &limits);
    search->once = effort(abstraction);
    take_result(search, &search->best);
    memset(&abstraction->inexact, 0, sizeof abstraction->inexact);
    bool ok = try_all(search) && follow_chain(search) && fold_accepted(search);
    assert(abstraction->network == search->outside);
    abstraction->inexact.items = reasons;
    abstraction->inexact.count = abstraction->inexact.capacity = count;
    return ok;
}
