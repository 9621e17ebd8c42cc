#include "refine/exact_by_exploring.h"

#include "abstract/claim/fragment.h"
#include "base/debug.h"
#include "base/interrupt.h"
#include "explore/states/without.h"
#include "refine/exchanged.h"
#include "refine/states.h"
#include "suggest/candidate.h"
#include "suggest/live.h"
#include "suggest/trial.h"

#include <assert.h>
#include <string.h>

/* Of the model, of comparing it, and of everything: so many times what exploring it takes. */
enum {
    MOST_STATES = 100000,
    MOST_WORK = 3000000,
    MOST_SIZE = 1 << 27,
    MOST_TIMES = 8,
    WORK_OF_SMALL = 300000, /* and that in any case */
    LOSS = 2000,            /* more work than that a model with fewer states should not be */
    GLANCE = 8,             /* states and steps that are looked at for one that is explored */
    MOST_CANDIDATES = 400
};

/* Removing one variable of the current model. */
struct removal_trial {
    const char *argument;
    uint32_t states; /* that there may be without it */
};

struct explored_finder {
    struct explored_removals *explored;
    struct arena arena; /* of a round */
    struct session session;
    struct observed observed;
    struct str model; /* the current one, in the arena of the result */
    uint64_t states;  /* that it has */
    uint64_t work;    /* of exploring it */
    uint64_t left;    /* of all work */
    VEC(struct removal_trial) tries;
};

static struct search_options limits_of(uint64_t max_states, uint64_t max_work) {
    return (struct search_options){
        .max_states = max_states, .max_work = max_work, .max_size = MOST_SIZE, .jobs = 1};
}

static void spend(struct explored_finder *finder, uint64_t work) {
    finder->left -= work < finder->left ? work : finder->left;
}

/* ---- the model ---- */

/* What coalitions can achieve depends on moves, and what queries observe that were not asked for is
 * not looked at. */
static bool asks_too_much(const struct query *query, bool is_asked_for) {
    if (query->quantifier != QUERY_FORMULA) return false;
    const struct fragment fragment = fragment_of(query->predicate);
    return fragment.is_about_coalitions || (!is_asked_for && (fragment.knows || fragment.doubts));
}

static bool open_model(struct explored_finder *finder) {
    struct session *session = &finder->session;
    struct observed *observed = &finder->observed;
    const struct explored_removals *explored = finder->explored;
    bool is_asked = false;
    if (!session_load_bytes(session, "(abstraction)", finder->model) ||
        !session_build_observed(session, explored->queries, explored->query_count, observed))
        return false;
    if (session->network->persistent.count) return false; /* N9: no removal is exact */
    is_asked = network_idle_clock(session->network) != NULL;
    for (uint32_t i = 0; i < observed->count; i++)
        is_asked |= asks_too_much(&observed->items[i], true);
    for (uint32_t i = 0; i < session->model->query_count; i++)
        is_asked |= asks_too_much(&session->model->queries[i], !explored->query_count);
    return !is_asked;
}

/* ---- what may go ---- */

/* By states, then in the order of candidates. */
static void add_try(struct explored_finder *finder, struct removal_trial try) {
    VEC_PUSH(&finder->arena, &finder->tries, try);
    struct removal_trial *list = finder->tries.items;
    uint32_t at = finder->tries.count - 1;
    for (; at && try.states < list[at - 1].states; at--) list[at] = list[at - 1];
    list[at] = try;
}

static uint32_t count_processes(const struct network *network, const char *template) {
    uint32_t count = 0;
    for (uint32_t p = 0; p < network->process_count; p++)
        count += !strcmp(network->processes[p].template->symbol->name, template);
    return count;
}

/* Whether its template stands for some processes only of what it is called in the original, where a
 * removal goes for all of them. */
static bool is_told_apart(const struct explored_finder *finder,
                          const struct live_variable *variable) {
    const struct explored_removals *explored = finder->explored;
    const struct split *split = explored->split;
    if (!variable->template) return false;
    const char *name = variable->template->symbol->name;
    bool is = explored->original && count_processes(finder->session.network, name) !=
                                        count_processes(explored->original, name);
    for (uint32_t i = 0; split && i < split->copies.count; i++) {
        const struct split_copy *copy = &split->copies.items[i];
        is |= !strcmp(copy->template, name) || !strcmp(copy->name, name);
    }
    return is;
}

/* Whether it is a variable that a merge has made: the original does not have it. */
static bool is_merged(const struct explored_removals *explored, const char *argument) {
    bool is = false;
    size_t size = strlen(argument += *argument == '.');
    for (uint32_t i = 0; i < explored->merge_count && !is; i++)
        is = !strncmp(explored->merges[i], argument, size) && explored->merges[i][size] == ':';
    return is;
}

/* Variables that nothing tells apart in the states of the model. */
static void look_at_states(struct explored_finder *finder, struct without *without) {
    struct candidate_list dead = {0}, lossy = {0};
    struct arena *arena = &finder->arena;
    const struct network *network = finder->session.network;
    uint64_t cost = (without->row_count + without->rows.step_count) / GLANCE;
    bool *is_left_out = ARENA_ARRAY(arena, bool, network->slot_count + 1);
    struct live *live = live_new(arena, network, finder->observed.items, finder->observed.count);
    candidates_find(live, NULL, false, arena, &dead, &lossy);
    for (uint32_t i = 0; i < lossy.list.count && i < MOST_CANDIDATES && finder->left; i++) {
        const struct candidate_removal *candidate = &lossy.list.items[i];
        if (is_told_apart(finder, candidate->variable)) continue;
        if (is_merged(finder->explored, candidate->argument)) continue;
        for (uint32_t s = 0; s < network->slot_count; s++)
            is_left_out[s] = network->slots[s].symbol == candidate->variable->symbol;
        uint32_t states = without_slots(without, is_left_out);
        if (states) add_try(finder, (struct removal_trial){candidate->argument, states});
        spend(finder, cost);
    }
}

static void find_tries(struct explored_finder *finder) {
    struct without without;
    struct search search;
    struct explored_removals *explored = finder->explored;
    struct search_options limits = limits_of(MOST_STATES, MOST_WORK);
    limits.is_full = limits.only_small = true;
    bool is_prepared = search_run(&search, finder->session.network, &limits, NULL, 0);
    if (is_prepared && search.is_complete && !search.errors) {
        finder->states = store_count(&search.store);
        finder->work = search.work;
        if (!explored->states) {
            explored->states = finder->states;
            finder->left = search.work * MOST_TIMES + WORK_OF_SMALL;
        }
        spend(finder, 2 * search.work);
        if (without_open(&without, &search)) look_at_states(finder, &without);
        without_close(&without);
    }
    search_close(&search);
}

/* ---- a round ---- */

/* Whether it has the same steps as the current model, as long as there is work left. */
static bool is_same(struct explored_finder *finder, struct str model) {
    struct session after;
    struct same_steps same = {.problem = "it cannot be read"};
    struct search_options limits = limits_of(finder->states + 1, MOST_WORK);
    if (!finder->left || interrupt_is_asked()) return false;
    if (session_load_bytes(&after, "(abstraction)", model) && session_build(&after))
        same = same_steps_compare(&finder->arena, &finder->session, &after, NULL, 0, &limits);
    session_drop(&after);
    spend(finder, 2 * same.work); /* each state is expanded once more, for the comparison */
    return !same.problem;
}

/* The model without the variable, if it has no more states than expected and the same steps; else
 * an empty text. */
static struct str remove_variable(struct explored_finder *finder, struct removal_trial *try,
                                  const struct abstract_options *options) {
    struct str none = {NULL, 0};
    struct trial trial =
        trial_run(finder->session.network, &try->argument, 1, options, &finder->arena);
    if (trial.outcome == TRIAL_REFUSED || trial.chooses_widely || !trial.output.size) return none;
    uint64_t most = finder->work + LOSS < finder->left ? finder->work + LOSS : finder->left;
    struct verify_options limits = {.search = limits_of(try->states + 1, most)};
    struct measured measured = measure_model(&finder->arena, trial.output, &limits);
    spend(finder, measured.work);
    if (!measured.is_complete || measured.has_errors || measured.states.value > try->states)
        return none;
    try->states = (uint32_t)measured.states.value; /* fewer if it is not the only one to go */
    return is_same(finder, trial.output) ? trial.output : none;
}

static void take(struct explored_finder *finder, const struct removal_trial *try,
                 struct str model) {
    struct explored_removals *explored = finder->explored;
    struct arena *arena = explored->arena;
    finder->model = (struct str){arena_copy(arena, model.data, model.size), model.size};
    VEC_PUSH(arena, &explored->list,
             (struct explored_removal){arena_printf(arena, "%s", try->argument), try->states});
    DEBUG_LOG("explored: %s, %u states", try->argument, try->states);
}

/* Tries the removals in their order, and takes the first one that can go; false if none can. */
static bool try_all(struct explored_finder *finder) {
    struct explored_removals *explored = finder->explored;
    struct abstract_options options = suggest_quick_options(explored->options);
    assert(options.mode == MODE_MAY);
    options.writes_nothing = options.stutters = options.explains = false;
    options.memo = NULL;
    options.tell = NULL;
    if (finder->tries.count)
        options.known = suggest_values(finder->session.network, &options, &finder->arena);
    for (uint32_t i = 0; i < finder->tries.count; i++) {
        if (!finder->left || interrupt_is_asked()) return false;
        if (explored->tell) explored->tell(i + 1, finder->tries.count);
        struct str model = remove_variable(finder, &finder->tries.items[i], &options);
        if (!model.size) continue;
        take(finder, &finder->tries.items[i], model);
        return true;
    }
    return false;
}

static bool go_on(struct explored_finder *finder) {
    bool has_taken = false;
    arena_init(&finder->arena);
    finder->tries.items = NULL;
    finder->tries.count = finder->tries.capacity = 0;
    if (open_model(finder)) {
        find_tries(finder);
        has_taken = try_all(finder);
    }
    session_drop(&finder->session);
    arena_close(&finder->arena);
    return has_taken;
}

void explored_removals_find(struct explored_removals *explored) {
    struct explored_finder finder = {.explored = explored, .model = explored->model};
    assert(!explored->list.count);
    while (!interrupt_is_asked() && go_on(&finder)) {
    }
}

/* ---- all of it ---- */

/* Whether all that an argument removes is part of a variable. */
static bool is_part(const char *argument, const char *variable) {
    size_t size = strlen(variable);
    return !strncmp(argument, variable, size) &&
           (!argument[size] || strchr("@[.,", argument[size]));
}

const char **explored_removals_arguments(const struct explored_removals *explored,
                                         const char *const *exact, uint32_t exact_count,
                                         uint32_t *count) {
    const char **arguments =
        ARENA_ARRAY(explored->arena, const char *, exact_count + explored->list.count + 1);
    *count = 0;
    for (uint32_t i = 0; i < exact_count; i++) {
        bool is_needless = false;
        for (uint32_t k = 0; k < explored->list.count; k++)
            is_needless |= is_part(exact[i], explored->list.items[k].argument);
        if (!is_needless) arguments[(*count)++] = exact[i];
    }
    for (uint32_t i = 0; i < explored->list.count; i++)
        arguments[(*count)++] = explored->list.items[i].argument;
    return arguments;
}

/* Whether a point is of a variable that queries name, whatever cell of it. */
static bool is_observed(const struct live *live, const struct normal_point *point,
                        struct arena *arena) {
    for (uint32_t i = 0; i < live->variable_count; i++) {
        const struct live_variable *variable = &live->variables[i];
        if (variable->is_observed &&
            is_part(point->variable, variable_name(arena, variable->template, variable->symbol)))
            return true;
    }
    return false;
}

/* Exchanged values, but for those of variables that queries name. */
static struct exchange *exchanges_of(const struct explored_removals *explored,
                                     const struct normal *normal, const struct network *network,
                                     const struct observed *observed, uint32_t *count) {
    struct arena *arena = explored->arena;
    const struct live *live = live_new(arena, network, observed->items, observed->count);
    struct exchange *list = ARENA_ARRAY(arena, struct exchange, normal->points.count + 1);
    *count = 0;
    for (uint32_t i = 0; i < normal->points.count; i++)
        if (!is_observed(live, &normal->points.items[i], arena))
            list[(*count)++] = exchange_of_point(arena, &normal->points.items[i]);
    return list;
}

/* NULL: no values are exchanged. */
static struct same_steps compare(const struct explored_removals *explored, struct str before,
                                 struct str after, const struct normal *normal) {
    struct session sessions[SIDE_COUNT];
    struct observed observed;
    struct same_steps same = {.problem = "it cannot be read"};
    const struct search_options limits = limits_of(MOST_STATES, MOST_WORK);
    bool is_open = session_load_bytes(&sessions[SIDE_CONCRETE], "(abstraction)", before) &&
                   session_build_observed(&sessions[SIDE_CONCRETE], explored->queries,
                                          explored->query_count, &observed);
    is_open = session_load_bytes(&sessions[SIDE_ABSTRACT], "(abstraction)", after) &&
              session_build(&sessions[SIDE_ABSTRACT]) && is_open;
    struct exchange *exchanges = NULL;
    uint32_t count = 0;
    if (is_open && normal) {
        exchanges =
            exchanges_of(explored, normal, sessions[SIDE_CONCRETE].network, &observed, &count);
        is_open = exchange_absorbs(explored->arena, explored->normal, normal,
                                   sessions[SIDE_ABSTRACT].network);
        same.problem = "other values are exchanged";
    }
    if (is_open)
        same = same_steps_compare(explored->arena, &sessions[SIDE_CONCRETE],
                                  &sessions[SIDE_ABSTRACT], exchanges, count, &limits);
    DEBUG_LOG("explored: %s", same.problem ? same.problem : "the same steps");
    session_drop(&sessions[SIDE_CONCRETE]);
    session_drop(&sessions[SIDE_ABSTRACT]);
    return same;
}

bool explored_removals_hold(const struct explored_removals *explored,
                            const struct compared_models *models, struct explored_exact *proof) {
    const struct verify_options limits = {.search = limits_of(explored->states, MOST_WORK)};
    struct measured measured = measure_model(explored->arena, models->exchanged_after, &limits);
    if (!measured.is_complete || measured.has_errors || measured.states.value >= explored->states)
        return false;
    struct same_steps same = compare(explored, models->before, models->after, NULL);
    bool is_exchanged = same.problem && !interrupt_is_asked();
    if (is_exchanged)
        same = compare(explored, explored->model, models->exchanged_after, models->normal);
    *proof = (struct explored_exact){.states_before = explored->states,
                                     .states_after = measured.states.value,
                                     .compared_before = same.states[SIDE_CONCRETE],
                                     .compared_after = same.states[SIDE_ABSTRACT],
                                     .is_exchanged = is_exchanged};
    return !same.problem && !interrupt_is_asked();
}
