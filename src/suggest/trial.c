#include "suggest/trial.h"

static const char *first_error(const struct diag *diag, struct arena *arena) {
    for (uint32_t i = 0; i < diag->items.count; i++)
        if (diag->items.items[i].status != STATUS_DONE)
            return arena_printf(arena, "%s", diag->items.items[i].message);
    return "it is refused";
}

static struct trial result_of(const struct abstraction *abstraction, struct arena *arena) {
    struct trial trial = {.outcome = abstraction->is_exact ? TRIAL_EXACT : TRIAL_INEXACT,
                          .reason_count = abstraction->inexact.count};
    struct str output = abstraction->output;
    trial.output = (struct str){arena_copy(arena, output.data, output.size), output.size};
    if (abstraction->inexact.count)
        trial.message = arena_printf(arena, "%s", abstraction->inexact.items[0]);
    return trial;
}

struct trial trial_run(const struct network *network, const char *const *arguments, uint32_t count,
                       const struct abstract_options *options, struct arena *arena) {
    struct model *model = (struct model *)network->model; /* whose diag is in our way */
    struct arena scratch;
    struct diag diag, *outer = model->diag;
    struct abstraction abstraction = {0};
    struct trial trial = {.outcome = TRIAL_REFUSED};
    arena_init(&scratch);
    diag_init(&diag, &scratch, &model->document->source);
    model->diag = &diag;
    struct request request = {.arena = &scratch};
    bool ok = true;
    for (uint32_t i = 0; i < count; i++)
        ok = ok && request_add(&request, network, arguments[i], &diag);
    ok = ok && request_finish(&request, network, &diag) &&
         abstraction_make(&abstraction, &scratch, network, &request, options, &diag);
    if (ok)
        trial = result_of(&abstraction, arena);
    else
        trial.message = first_error(&diag, arena);
    abstraction_close(&abstraction);
    model->diag = outer;
    arena_close(&scratch);
    return trial;
}
