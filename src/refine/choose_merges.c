#include "refine/choose_merges.h"

#include "base/interrupt.h"
#include "refine/exact_by_exploring.h"
#include "refine/key_trial.h"
#include "refine/states.h"
#include "suggest/candidate.h"

#include <assert.h>
#include <string.h>

enum {
    MAX_PROPOSALS = 8,        /* that are tried */
    MIN_VALUES = 64,          /* of merges of numbers alone: the others are exchanged (V1 to V15) */
    MANY_VALUES = 5000,       /* from here on, exchanging them takes too long */
    TRIAL_MAX_STATES = 30000, /* limits of exploring one output: */
    TRIAL_MAX_WORK = 2000000,
    TRIAL_MAX_SIZE = 1 << 28, /* bytes */
    TRIAL_MAX_SECONDS = 10
};

struct chooser {
    struct suggestion *suggestion;
    const struct observed *observed;
    const struct query_source *given;
    uint32_t given_count;
    const char **removals;
    bool is_looked_at;    /* the best so far: */
    struct normal normal; /* values exchanged in it */
    struct measured measured;
};

static struct merge_trial try_with(const struct chooser *chooser, const char *const *merges,
                                   uint32_t count, bool is_alone,
                                   const struct abstract_options *options) {
    const struct suggestion *suggestion = chooser->suggestion;
    const struct merge_request request = {.removals = chooser->removals,
                                          .removal_count = is_alone ? 0 : suggestion->exact.count,
                                          .merges = merges,
                                          .merge_count = count,
                                          .given = chooser->observed->items,
                                          .given_count =
                                              chooser->given_count ? chooser->observed->count : 0};
    if (suggestion->tell) suggestion->tell(suggestion->trial_count, SUGGEST_MAX_TRIALS);
    return merge_trial_run(suggestion->network, &request, options, suggestion->arena);
}

/* The states that are left if what exploring shows to be exact goes as well. */
static void look_further(const struct chooser *chooser, const struct normal *normal,
                         struct str model, struct measured *measured) {
    struct suggestion *suggestion = chooser->suggestion;
    struct explored_removals explored = {.arena = suggestion->arena,
                                         .model = model,
                                         .normal = normal,
                                         .original = suggestion->network,
                                         .queries = chooser->given,
                                         .query_count = chooser->given_count,
                                         .options = suggestion->options};
    explored.merges = suggestion_merges(suggestion, suggestion->arena, &explored.merge_count);
    explored_removals_find(&explored);
    if (explored.list.count)
        measured->states.value = explored.list.items[explored.list.count - 1].states;
}

/* The model as --auto would leave it, and its states. */
static void look_at(struct chooser *chooser, struct str model, struct normal *normal,
                    struct measured *measured) {
    struct suggestion *suggestion = chooser->suggestion;
    const struct abstract_options quick = suggest_quick_options(suggestion->options);
    const struct verify_options limits = {.search = {.max_states = TRIAL_MAX_STATES,
                                                     .max_work = TRIAL_MAX_WORK,
                                                     .max_size = TRIAL_MAX_SIZE,
                                                     .max_seconds = TRIAL_MAX_SECONDS,
                                                     .jobs = 1}};
    *normal = (struct normal){.output = {0}};
    struct normaliser *normaliser = normaliser_new(suggestion->arena, model, chooser->given,
                                                   chooser->given_count, &quick.analysis);
    if (normaliser) key_trial_run(normaliser, NULL, normal, suggestion->arena);
    normaliser_free(normaliser);
    if (normal->points.count) model = normal->output;
    *measured = measure_model(suggestion->arena, model, &limits);
    if (measured->is_complete && measured->states.is_known)
        look_further(chooser, normal, model, measured);
}

/* Whether values of it are exchanged. */
static bool is_exchanged(const struct normal *normal, const struct merge_proposal *proposal) {
    for (uint32_t i = 0; i < normal->points.count; i++)
        for (uint32_t k = 0; k < proposal->variables.count; k++) {
            const char *name = proposal->variables.items[k]->symbol->name;
            const char *found = strstr(normal->points.items[i].variable, name);
            if (found) return true; /* perhaps another one of such a name */
        }
    return false;
}

static bool look_without(struct chooser *chooser) {
    struct suggestion *suggestion = chooser->suggestion;
    if (chooser->is_looked_at) return true;
    suggestion->merges.count--; /* the one that is tried */
    struct str model = suggestion->network->model->document->bytes;
    struct abstract_options options = *suggestion->options;
    options.writes_nothing = false;
    if (suggestion->exact.count)
        model = trial_run(suggestion->network, chooser->removals, suggestion->exact.count, &options,
                          suggestion->arena)
                    .output;
    if (model.size) look_at(chooser, model, &chooser->normal, &chooser->measured);
    suggestion->merges.count++;
    chooser->is_looked_at = model.size > 0;
    return chooser->is_looked_at;
}

/* How many values a number has somewhere, as far as is known. */
static uint64_t most_values(const struct suggestion *suggestion,
                            const struct cut_variable *variable) {
    const struct network *network = suggestion->network;
    const struct template *template = variable->template;
    uint64_t most = 0;
    if (!template && network->process_count) template = network->processes[0].template;
    if (!template || !suggestion->values) return 0;
    uint32_t count = variable->template ? template->location_count : 1;
    for (uint32_t l = 0; l < count; l++) {
        uint64_t size = value_set_size(
            analysis_values(suggestion->values, template, l, variable->symbol, 0, false));
        if (size > most) most = size;
    }
    return most;
}

static bool has_many_values(const struct chooser *chooser, const struct merge_proposal *proposal,
                            uint64_t many) {
    bool is_many = false;
    for (uint32_t i = 0; i < proposal->variables.count; i++)
        is_many |= most_values(chooser->suggestion, proposal->variables.items[i]) >= many;
    return is_many;
}

/* Whether the output is smaller than the best so far; then it is that. */
static bool is_smaller(struct chooser *chooser, const struct merge_proposal *proposal,
                       struct str output) {
    struct normal normal;
    struct measured measured;
    look_at(chooser, output, &normal, &measured);
    /* To exchange so many values takes long. It would find no fewer kinds: labels do not tell
     * values of one kind apart, and kinds that make no difference are exchanged all the same. */
    bool is_less = !proposal->counts && has_many_values(chooser, proposal, MANY_VALUES);
    if (!is_less && look_without(chooser)) {
        const struct measured *before = &chooser->measured;
        is_less = measured.is_complete
                      ? !before->is_complete || measured.states.value < before->states.value
                      : !before->is_complete && !is_exchanged(&chooser->normal, proposal);
    }
    if (!is_less) return false;
    chooser->is_looked_at = true;
    chooser->normal = normal;
    chooser->measured = measured;
    return true;
}

static bool loses_all(const struct chooser *chooser, const struct merge_trial *tried) {
    return tried->lost.count && tried->lost.count == chooser->observed->count;
}

static bool is_kept(const struct chooser *chooser, const struct merge_trial *tried, bool exactly) {
    if (chooser->given_count && tried->rewrites) return false;
    if (exactly)
        return tried->trial.outcome == TRIAL_EXACT && !tried->lost.count && !tried->is_about_agents;
    return tried->trial.outcome != TRIAL_REFUSED && !tried->trial.chooses_widely &&
           !loses_all(chooser, tried);
}

/* What would be exact, and asked in other words by some queries, but not by all. */
static void note_withheld(const struct chooser *chooser, const struct suggested_merges *own) {
    struct suggestion *suggestion = chooser->suggestion;
    const struct merge_trial *tried = &own->tried;
    if (tried->trial.outcome != TRIAL_EXACT || !tried->lost.count || loses_all(chooser, tried) ||
        tried->is_about_agents || chooser->given_count)
        return;
    VEC_PUSH(suggestion->arena, &suggestion->withheld,
             ((struct withheld_merges){own->proposal.arguments.items, own->proposal.arguments.count,
                                       tried->lost.items, tried->lost.count}));
}

/* Beside all that was taken so far: a quick trial first, as most are not exact. */
static bool take(struct chooser *chooser, const struct merge_proposal *proposal, bool exactly) {
    struct suggestion *suggestion = chooser->suggestion;
    struct suggested_merges own = {.proposal = *proposal};
    struct abstract_options options = suggest_quick_options(suggestion->options);
    uint32_t count;
    options.ends_inexact = exactly;
    VEC_PUSH(suggestion->arena, &suggestion->merges, own);
    const char **merges = suggestion_merges(suggestion, suggestion->arena, &count);
    own.tried = try_with(chooser, merges, count, false, &options);
    if (exactly) note_withheld(chooser, &own);
    if (is_kept(chooser, &own.tried, exactly)) {
        options = *suggestion->options;
        options.ends_inexact = options.writes_exact_only = exactly;
        options.writes_nothing = false;
        own.tried = try_with(chooser, merges, count, false, &options);
    }
    struct str output = own.tried.trial.output;
    if (is_kept(chooser, &own.tried, exactly) && output.size &&
        is_smaller(chooser, proposal, output)) {
        suggestion->output = output;
        suggestion->may_fail = own.tried.trial.may_fail;
        suggestion->merges.items[suggestion->merges.count - 1] = own;
        return true;
    }
    suggestion->merges.count--;
    return false;
}

/* What is not exact, or loses a query, is proposed if indices of it are not seen (P5). */
static void take_lossy(struct chooser *chooser, const struct merge_proposal *proposal) {
    struct suggestion *suggestion = chooser->suggestion;
    struct abstract_options options = suggest_quick_options(suggestion->options);
    struct suggested_merges own = {.proposal = *proposal};
    options.writes_nothing = false;
    own.tried =
        try_with(chooser, proposal->arguments.items, proposal->arguments.count, true, &options);
    if (own.tried.trial.outcome == TRIAL_REFUSED || own.tried.trial.chooses_widely ||
        loses_all(chooser, &own.tried))
        return;
    VEC_PUSH(suggestion->arena, &suggestion->lossy_merges, own);
}

/* Whether something of it is removed already. */
static bool is_removed(const struct suggestion *suggestion, const struct merge_proposal *proposal) {
    for (uint32_t i = 0; i < suggestion->exact.count; i++)
        for (uint32_t k = 0; k < proposal->variables.count; k++)
            if (suggestion->exact.items[i].removal.variable->symbol ==
                proposal->variables.items[k]->symbol)
                return true;
    return false;
}

static bool may_be_tried(const struct chooser *chooser, const struct merge_proposals *proposals,
                         uint32_t number) {
    const struct merge_proposal *proposal = &proposals->list.items[number];
    return number < MAX_PROPOSALS && !interrupt_is_asked() &&
           !is_removed(chooser->suggestion, proposal) && !proposal->is_index_seen; /* P5 */
}

static bool is_taken(const struct suggestion *suggestion, const struct merge_proposal *proposal) {
    bool is = false;
    for (uint32_t i = 0; i < suggestion->merges.count; i++)
        is |= suggestion->merges.items[i].proposal.arguments.items == proposal->arguments.items;
    return is;
}

void suggestion_choose_merges(struct suggestion *suggestion, const struct observed *observed,
                              const struct query_source *given, uint32_t given_count) {
    struct chooser chooser = {.suggestion = suggestion,
                              .observed = observed,
                              .given = given,
                              .given_count = given_count,
                              .removals = suggestion_arguments(suggestion, suggestion->arena)};
    struct merge_proposals proposals;
    bool is_auto = suggestion->options->writes_nothing;
    if (suggestion->options->mode != MODE_MAY || suggestion->options->stutters) return;
    merges_propose(&proposals, suggestion->arena, suggestion->network, observed->items,
                   observed->count);
    for (uint32_t i = 0; i < proposals.list.count; i++) {
        const struct merge_proposal *proposal = &proposals.list.items[i];
        bool is_large = proposal->counts || has_many_values(&chooser, proposal, MIN_VALUES);
        if (!may_be_tried(&chooser, &proposals, i)) continue;
        if (is_large && take(&chooser, proposal, true)) continue;
        if (!is_auto) take_lossy(&chooser, proposal);
    }
    for (uint32_t i = 0; suggestion->takes_inexact && i < proposals.list.count; i++)
        if (may_be_tried(&chooser, &proposals, i) &&
            !is_taken(suggestion, &proposals.list.items[i]))
            take(&chooser, &proposals.list.items[i], false);
    assert(suggestion->merges.count <= MAX_PROPOSALS);
}
