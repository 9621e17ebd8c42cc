/* See measure.h. */
#include "refine/measure.h"

#include "session/session.h"

enum { MEASURE_MOST = 10 }; /* of the removals that are not exact */

/* The states of a network; without a figure if it cannot be explored. */
static struct measured measure_network(struct arena *arena, const struct network *network,
                                       const struct verify_options *limits) {
    struct measured measured = {0};
    struct verification verification;
    struct verify_options options = *limits;
    struct arena scratch;
    struct diag diag; /* whose messages are not of interest */
    arena_init(&scratch);
    diag_init(&diag, &scratch, &network->model->document->source);
    options.search.is_full = true;
    options.search.diag = &diag;
    if (verify(&verification, &scratch, network, NULL, 0, &options)) {
        measured.states = verification.states;
        measured.is_complete = verification.search->is_complete;
    }
    if (measured.states.is_known)
        measured.states.text = arena_printf(arena, "%s", measured.states.text);
    verify_close(&verification);
    arena_close(&scratch);
    return measured;
}

struct measured measure_model(struct arena *arena, struct str model,
                              const struct verify_options *limits) {
    struct measured measured = {0};
    struct session session;
    if (session_load_bytes(&session, "(abstraction)", model) && session_build(&session))
        measured = measure_network(arena, session.network, limits);
    session_drop(&session);
    return measured;
}

void measure_suggestion(struct suggestion *suggestion, const struct verify_options *limits) {
    struct arena *arena = suggestion->arena;
    suggestion->is_measured = true;
    suggestion->original = measure_network(arena, suggestion->network, limits);
    if (suggestion->exact.count) {
        struct trial trial = trial_run(suggestion->network, suggestion_arguments(suggestion, arena),
                                       suggestion->exact.count, suggestion->options, arena);
        suggestion->together = measure_model(arena, trial.output, limits);
    }
    for (uint32_t i = 0, k = 0; i < suggestion->lossy.count && k < MEASURE_MOST; i++) {
        struct suggested *suggested = &suggestion->lossy.items[i];
        if (suggested->is_refused) continue;
        k++;
        struct trial trial = trial_run(suggestion->network, &suggested->removal.argument, 1,
                                       suggestion->options, arena);
        suggested->measured = measure_model(arena, trial.output, limits);
    }
}
