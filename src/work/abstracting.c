/* See abstracting.h. */
#include "work/abstracting.h"

#include "refine/states.h"

static bool has_one_state(struct arena *arena, struct str model) {
    const struct verify_options two = {.search = {.max_states = 2, .jobs = 1}};
    struct measured measured = measure_model(arena, model, &two);
    return measured.is_complete && measured.states.is_known && measured.states.value == 1;
}

void abstracting_warn(const struct job *job, struct session *session) {
    struct arena *arena = &session->arena;
    if (job->options.mode == MODE_MAY || job->abstraction.is_exact ||
        !has_one_state(arena, job->abstraction.output) ||
        has_one_state(arena, session->document.bytes))
        return;
    diag_warning(
        &session->diag, session->network->model->system_span.begin,
        "this must-abstraction keeps the initial state only, as each step from there depends "
        "on what is removed: remove less; `varabs suggest` says which removals do so");
}
