#include "suggest/trial.h"

const char *trial_problem(const struct diag *diag) {
    for (uint32_t i = 0; i < diag->items.count; i++)
        if (diag->items.items[i].status != STATUS_DONE) return diag->items.items[i].message;
    return "it cannot be made";
}

static bool make(struct trial_work *work, const struct network *network,
                 const char *const *arguments, uint32_t count,
                 const struct abstract_options *options) {
    struct request *request = ARENA_NEW(&work->arena, struct request);
    request->arena = &work->arena;
    for (uint32_t i = 0; i < count; i++)
        if (!request_add(request, network, arguments[i], &work->diag)) return false;
    return request_finish(request, network, &work->diag) &&
           abstraction_make(&work->abstraction, &work->arena, network, request, options,
                            &work->diag);
}

bool trial_begin(struct trial_work *work, const struct network *network,
                 const char *const *arguments, uint32_t count,
                 const struct abstract_options *options) {
    struct model *model = (struct model *)network->model; /* whose diag is in our way */
    struct diag *outer = model->diag;
    *work = (struct trial_work){.problem = NULL};
    arena_init(&work->arena);
    diag_init(&work->diag, &work->arena, &model->document->source);
    model->diag = &work->diag;
    if (!make(work, network, arguments, count, options)) work->problem = trial_problem(&work->diag);
    model->diag = outer;
    return !work->problem;
}

void trial_end(struct trial_work *work) {
    abstraction_close(&work->abstraction);
    arena_close(&work->arena);
}

struct trial trial_run(const struct network *network, const char *const *arguments, uint32_t count,
                       const struct abstract_options *options, struct arena *arena) {
    struct trial_work work;
    struct trial trial = {.outcome = TRIAL_REFUSED};
    const char *message = NULL;
    if (trial_begin(&work, network, arguments, count, options)) {
        const struct abstraction *abstraction = &work.abstraction;
        struct str output = abstraction->output;
        trial.outcome = abstraction->is_exact ? TRIAL_EXACT : TRIAL_INEXACT;
        trial.reason_count = abstraction->inexact.count;
        trial.output = (struct str){arena_copy(arena, output.data, output.size), output.size};
        if (!abstraction->is_exact) message = abstraction->inexact.items[0];
    } else {
        message = work.problem;
    }
    if (message) trial.message = arena_printf(arena, "%s", message);
    trial_end(&work);
    return trial;
}
