#include "refine/states.h"

#include "session/session.h"

/* The states of a network; without a figure if it cannot be explored. */
struct measured measure_network(struct arena *arena, const struct network *network,
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
    options.only_counts = true;
    if (verify(&verification, &scratch, network, NULL, 0, &options)) {
        measured.states = verification.figures.states;
        const struct figures *figures = &verification.figures;
        measured.orbits = figures->has_orbits ? figures->orbits : figures->states.value;
        measured.is_complete = verification.search->is_complete;
        measured.has_errors = verification.has_error || verification.search->errors;
        measured.work = verification.search->work;
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
