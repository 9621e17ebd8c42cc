/* See abstracting.h. */
#include "work/abstracting.h"

#include "base/clock.h"
#include "suggest/candidate.h"

#include "refine/fewest.h"
#include "refine/states.h"

/* Of the look at whether an output stands still. */
enum { LOOK_MAX_WORK = 4000000, LOOK_MAX_SIZE = 1 << 28, LOOK_MAX_SECONDS = 10 };

static bool has_one_state(struct arena *arena, struct str model) {
    const struct verify_options two = {.search = {.max_states = 2,
                                                  .max_work = LOOK_MAX_WORK,
                                                  .max_size = LOOK_MAX_SIZE,
                                                  .max_seconds = LOOK_MAX_SECONDS,
                                                  .jobs = 1}};
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

struct job abstracting_before(const struct job *job) {
    struct job before = *job;
    before.abstraction.dropped_queries.capacity = before.abstraction.dropped_queries.count;
    before.abstraction.dropped_entries.capacity = before.abstraction.dropped_entries.count;
    return before;
}

static bool exchange(const struct exchanging *exchanging, struct job *job,
                     struct session *session) {
    const struct abstract_options look = suggest_short_look(&job->options);
    struct str model = job->abstraction.output;
    struct normaliser *normaliser = normaliser_new(&session->arena, model, exchanging->queries,
                                                   exchanging->query_count, &look.analysis);
    const struct spec *spec = &job->spec;
    struct normal *normal = exchanging->normal;
    bool is_auto = exchanging->is_auto;
    if (!normaliser && !is_auto)
        diag_warning(&session->diag, spec->exchanges.items[0].variable.begin,
                     "nothing is normalised: the values in the output cannot be analysed%s",
                     exchanging->query_count ? ", or a query names what is removed" : "");
    bool ok = !normaliser || is_auto || normaliser_wish(normaliser, spec, &session->diag);
    if (normaliser && ok && is_auto) fewest_run(normaliser, NULL, normal, &session->arena);
    if (normaliser && ok && !is_auto) normaliser_run(normaliser, NULL, true, normal);
    if (normaliser && is_auto && exchanging->by_query)
        by_query_make(exchanging->by_query, &session->arena, normaliser, model, normal);
    normaliser_free(normaliser);
    return ok;
}

bool abstracting_exchange(struct exchanging *exchanging, struct job *job, struct session *session) {
    double start = clock_seconds();
    if (!exchanging->is_auto && !job->spec.exchanges.count) return true;
    bool ok = exchange(exchanging, job, session);
    normal_apply(exchanging->normal, &job->abstraction, &session->diag);
    job->exchange_seconds = clock_seconds() - start;
    return ok;
}
