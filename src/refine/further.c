/* See further.h. */
#include "refine/further.h"

#include "abstract/claim/fragment.h"
#include "base/debug.h"
#include "base/interrupt.h"
#include "refine/states.h"
#include "suggest/candidate.h"
#include "suggest/live.h"
#include "suggest/trial.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Of the model, of comparing it, and of everything: so many times what exploring it takes. */
enum {
    MOST_STATES = 100000,
    MOST_WORK = 3000000,
    MOST_SIZE = 1 << 27,
    MOST_TIMES = 6,
    WORK_OF_SMALL = 600000, /* and that in any case */
    LOSS = 2000,            /* more work than that a model with fewer states should not be */
    MOST_CANDIDATES = 32    /* the most promising ones */
};

/* Removing one variable of the model at hand. */
struct further_try {
    const char *argument;
    struct str output;
    struct measured measured;
};

struct further_finder {
    struct further *further;
    struct arena arena; /* of a round */
    struct str model;   /* at hand, in the arena of the result */
    uint64_t states;    /* that it has */
    uint64_t work;      /* of exploring it, at most */
    uint64_t left;      /* of all work */
    VEC(struct further_try) tries;
};

static struct search_options limits_of(uint64_t max_states, uint64_t max_work) {
    return (struct search_options){
        .max_states = max_states, .max_work = max_work, .max_size = MOST_SIZE, .jobs = 1};
}

static void spend(struct further_finder *finder, uint64_t work) {
    finder->left -= work < finder->left ? work : finder->left;
}

/* ---- the model ---- */

static bool is_about_agents(const struct query *query) {
    if (query->quantifier != QUERY_FORMULA) return false;
    const struct fragment fragment = fragment_of(query->predicate);
    return fragment.knows || fragment.doubts || fragment.is_about_coalitions;
}

static bool open_model(const struct further *further, struct str model, struct session *session,
                       struct observed *observed) {
    bool is_asked = false;
    if (!session_load_bytes(session, "(abstraction)", model) ||
        !session_build_observed(session, further->queries, further->query_count, observed))
        return false;
    for (uint32_t i = 0; i < observed->count; i++) is_asked |= is_about_agents(&observed->items[i]);
    for (uint32_t i = 0; i < session->model->query_count; i++)
        is_asked |= is_about_agents(&session->model->queries[i]);
    return !is_asked;
}

/* ---- a round ---- */

static bool is_before(const struct further_try *left, const struct further_try *right) {
    return left->measured.states.value < right->measured.states.value;
}

/* By states, then in the order in which they are promising. */
static void add_try(struct further_finder *finder, struct further_try try) {
    VEC_PUSH(&finder->arena, &finder->tries, try);
    struct further_try *list = finder->tries.items;
    uint32_t at = finder->tries.count - 1;
    for (; at && is_before(&try, &list[at - 1]); at--) list[at] = list[at - 1];
    list[at] = try;
}

/* What is left without a variable, if that is explored completely within the states at hand. */
static void try_variable(struct further_finder *finder, const struct network *network,
                         const char *argument, const struct abstract_options *options) {
    struct trial trial = trial_run(network, &argument, 1, options, &finder->arena);
    if (trial.outcome == TRIAL_REFUSED || trial.chooses_widely || !trial.output.size) return;
    uint64_t most = finder->work + LOSS < finder->left ? finder->work + LOSS : finder->left;
    struct verify_options limits = {.search = limits_of(finder->states, most)};
    struct measured measured = measure_model(&finder->arena, trial.output, &limits);
    spend(finder, measured.work);
    if (!measured.is_complete || measured.has_errors || measured.states.value >= finder->states)
        return;
    add_try(finder, (struct further_try){argument, trial.output, measured});
}

static void find_tries(struct further_finder *finder, const struct session *session,
                       const struct observed *observed) {
    struct candidate_list dead = {0}, lossy = {0};
    struct further *further = finder->further;
    struct abstract_options options = suggest_short_look(further->options);
    struct arena *arena = &finder->arena;
    assert(options.mode == MODE_MAY);
    options.writes_nothing = options.stutters = options.explains = false;
    options.memo = NULL;
    options.tell = NULL;
    struct live *live = live_new(arena, session->network, observed->items, observed->count);
    options.known = suggest_values(session->network, &options, arena);
    candidates_find(live, options.known, false, arena, &dead, &lossy);
    uint32_t count = lossy.list.count < MOST_CANDIDATES ? lossy.list.count : MOST_CANDIDATES;
    for (uint32_t i = 0; i < count && finder->left && !interrupt_is_asked(); i++) {
        if (further->tell) further->tell(i + 1, count);
        try_variable(finder, session->network, lossy.list.items[i].argument, &options);
    }
}

/* Whether it has the same steps as the model at hand, as long as there is work left. */
static bool is_same(struct further_finder *finder, const struct session *session,
                    const struct further_try *try) {
    struct session after;
    struct same_steps same = {.problem = "it cannot be read"};
    struct search_options limits = limits_of(finder->states + 1, MOST_WORK);
    if (!finder->left || interrupt_is_asked()) return false;
    if (session_load_bytes(&after, "(abstraction)", try->output) && session_build(&after))
        same = same_steps_compare(&finder->arena, session, &after, &limits);
    session_drop(&after);
    spend(finder, 2 * same.work); /* each state is expanded once more, for the comparison */
    return !same.problem;
}

static void take(struct further_finder *finder, const struct further_try *try) {
    struct further *further = finder->further;
    struct arena *arena = further->arena;
    size_t size = try->output.size;
    finder->model = (struct str){arena_copy(arena, try->output.data, size), size};
    finder->states = try->measured.states.value;
    VEC_PUSH(arena, &further->list,
             (struct further_removal){arena_printf(arena, "%s", try->argument), finder->states});
    DEBUG_LOG("further: %s, %llu states", try->argument, (unsigned long long)finder->states);
}

/* Whether one more went. */
static bool go_on(struct further_finder *finder) {
    struct session session;
    struct observed observed;
    bool has_taken = false;
    arena_init(&finder->arena);
    finder->tries.items = NULL;
    finder->tries.count = finder->tries.capacity = 0;
    if (open_model(finder->further, finder->model, &session, &observed)) {
        find_tries(finder, &session, &observed);
        for (uint32_t i = 0; i < finder->tries.count && !has_taken; i++) {
            has_taken = is_same(finder, &session, &finder->tries.items[i]);
            if (has_taken) take(finder, &finder->tries.items[i]);
        }
    }
    session_drop(&session);
    arena_close(&finder->arena);
    return has_taken;
}

/* ---- all of it ---- */

void further_find(struct further *further) {
    struct further_finder finder = {.further = further, .model = further->model};
    struct verify_options limits = {.search = limits_of(MOST_STATES, MOST_WORK)};
    struct measured measured = measure_model(further->arena, further->model, &limits);
    assert(!further->list.count);
    if (!measured.is_complete || measured.has_errors) return;
    further->states = finder.states = measured.states.value;
    finder.work = measured.work;
    finder.left = measured.work * MOST_TIMES + WORK_OF_SMALL;
    while (finder.states > 1 && go_on(&finder)) {
    }
}

/* Whether all that an argument removes is part of a variable. */
static bool is_part(const char *argument, const char *variable) {
    size_t size = strlen(variable);
    return !strncmp(argument, variable, size) &&
           (!argument[size] || strchr("@[.,", argument[size]));
}

const char **further_arguments(const struct further *further, const char *const *exact,
                               uint32_t exact_count, uint32_t *count) {
    const char **arguments =
        ARENA_ARRAY(further->arena, const char *, exact_count + further->list.count + 1);
    *count = 0;
    for (uint32_t i = 0; i < exact_count; i++) {
        bool is_needless = false;
        for (uint32_t k = 0; k < further->list.count; k++)
            is_needless |= is_part(exact[i], further->list.items[k].argument);
        if (!is_needless) arguments[(*count)++] = exact[i];
    }
    for (uint32_t i = 0; i < further->list.count; i++)
        arguments[(*count)++] = further->list.items[i].argument;
    return arguments;
}

bool further_holds(const struct further *further, const struct further_models *models,
                   struct shown_exact *shown) {
    struct arena *arena = further->arena;
    struct session before, after;
    struct same_steps same = {.problem = "it cannot be read"};
    const struct search_options limits = limits_of(MOST_STATES, MOST_WORK);
    const struct verify_options own = {.search = limits_of(further->states, MOST_WORK)};
    struct measured measured = measure_model(arena, models->exchanged_after, &own);
    if (!measured.is_complete || measured.has_errors || measured.states.value >= further->states)
        return false;
    bool is_open =
        session_load_bytes(&before, "(abstraction)", models->before) && session_build(&before);
    is_open = session_load_bytes(&after, "(abstraction)", models->after) && session_build(&after) &&
              is_open;
    if (is_open) same = same_steps_compare(arena, &before, &after, &limits);
    DEBUG_LOG("further: %s", same.problem ? same.problem : "the same steps");
    session_drop(&before);
    session_drop(&after);
    *shown = (struct shown_exact){.states_before = further->states,
                                  .states_after = measured.states.value,
                                  .compared_before = same.states[SIDE_CONCRETE],
                                  .compared_after = same.states[SIDE_ABSTRACT]};
    return !same.problem && !interrupt_is_asked();
}
