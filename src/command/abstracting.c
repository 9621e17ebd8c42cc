#include "command/abstracting.h"

#include "base/clock.h"
#include "suggest/candidate.h"

#include "refine/key_trial.h"
#include "refine/states.h"
#include "xml/output.h"

/* Limits of exploring an output to see whether it has one state only. */
enum { STILL_MAX_WORK = 4000000, STILL_MAX_SIZE = 1 << 28, STILL_MAX_SECONDS = 10 };

static bool has_one_state(struct arena *arena, struct str model) {
    const struct verify_options two = {.search = {.max_states = 2,
                                                  .max_work = STILL_MAX_WORK,
                                                  .max_size = STILL_MAX_SIZE,
                                                  .max_seconds = STILL_MAX_SECONDS,
                                                  .jobs = 1}};
    struct measured measured = measure_model(arena, model, &two);
    return measured.is_complete && measured.states.is_known && measured.states.value == 1;
}

/* Limits of exploring an output to see whether it has more than twice as many states. */
enum {
    GROWN_MAX_STATES = 10000,
    GROWN_MIN_STATES = 1000,
    GROWN_MAX_WORK = 200000,
    GROWN_MAX_SIZE = 1 << 25,  /* what takes more to prepare has more states, or takes too long */
    GROWN_MAX_BYTES = 1 << 18, /* larger models take too long to be read again */
    GROWN_MAX_PROCESSES = 256
};

static struct measured measure_up_to(struct arena *arena, struct str model, uint64_t states) {
    const struct verify_options limits = {.search = {.max_states = states,
                                                     .max_work = GROWN_MAX_WORK,
                                                     .max_size = GROWN_MAX_SIZE,
                                                     .max_seconds = STILL_MAX_SECONDS,
                                                     .jobs = 1}};
    return measure_model(arena, model, &limits);
}

/* F2: in a state that only the abstraction reaches, an update that stays as it is may fail. */
static void warn_failing(const struct measured *before, const struct measured *after,
                         struct session *session) {
    if (before->has_errors || !after->has_errors) return;
    diag_warning(
        &session->diag, session->network->model->system_span.begin,
        "this abstraction fails at runtime, which the original does not: Uppaal stops in a "
        "step that is none of the original's; `varabs check` of the output leaves it out, and "
        "shows it with `--trace`");
}

/* Small outputs are not worth a word. */
static void warn_grown(const struct job *job, struct session *session) {
    struct arena *arena = &session->arena;
    if (session->document.bytes.size > GROWN_MAX_BYTES ||
        session->network->process_count > GROWN_MAX_PROCESSES)
        return;
    struct measured before = measure_up_to(arena, session->document.bytes, GROWN_MAX_STATES);
    if (!before.is_complete) return;
    uint64_t least = before.states.value * 2 + 1;
    if (least < GROWN_MIN_STATES) least = GROWN_MIN_STATES;
    struct measured after = measure_up_to(arena, job->abstraction.output, least);
    warn_failing(&before, &after, session);
    if (!after.states.is_known || after.states.value < least) return;
    diag_warning(&session->diag, session->network->model->system_span.begin,
                 "this abstraction has %s%s states, the original %s: what is removed keeps it "
                 "small; remove something else, or less; `varabs suggest` lists what pays",
                 after.is_complete ? "" : "at least ", after.states.text, before.states.text);
}

void abstracting_warn(const struct job *job, struct session *session) {
    struct arena *arena = &session->arena;
    if (job->options.mode == MODE_MAY && !job->abstraction.is_exact) warn_grown(job, session);
    if (job->options.mode == MODE_MAY || job->abstraction.is_exact ||
        !has_one_state(arena, job->abstraction.output) ||
        has_one_state(arena, session->document.bytes))
        return;
    diag_warning(
        &session->diag, session->network->model->system_span.begin,
        "this must-abstraction keeps the initial state only, as each step from there depends "
        "on what is removed: remove less; `varabs suggest` says which removals do so");
}

const char *abstracting_share_name(struct arena *arena, const char *output, uint32_t number) {
    return file_beside(arena, output, arena_printf(arena, ".%u.xml", number));
}

struct job abstracting_before(const struct job *job) {
    struct job before = *job;
    before.abstraction.dropped_queries.capacity = before.abstraction.dropped_queries.count;
    before.abstraction.dropped_entries.capacity = before.abstraction.dropped_entries.count;
    return before;
}

static bool exchange(const struct exchanging *exchanging, struct job *job,
                     struct session *session) {
    const struct abstract_options quick = suggest_quick_options(&job->options);
    struct str model = job->abstraction.output;
    struct normaliser *normaliser = normaliser_new(&session->arena, model, exchanging->queries,
                                                   exchanging->query_count, &quick.analysis);
    const struct spec *spec = &job->spec;
    struct normal *normal = exchanging->normal;
    bool is_auto = exchanging->is_auto;
    if (!normaliser && !is_auto)
        diag_warning(&session->diag, spec->exchanges.items[0].variable.begin,
                     "nothing is normalised: the values in the output cannot be analysed%s",
                     exchanging->query_count ? ", or a query names what is removed" : "");
    bool ok = !normaliser || is_auto || normaliser_request(normaliser, spec, &session->diag);
    if (normaliser && ok && is_auto) key_trial_run(normaliser, NULL, normal, &session->arena);
    if (normaliser && ok && !is_auto) normaliser_run(normaliser, NULL, KEYS_ANY, normal);
    if (normaliser && is_auto && exchanging->by_query)
        by_query_make(exchanging->by_query, &session->arena, normaliser, model, normal);
    if (normaliser && is_auto && exchanging->by_query && !exchanging->query_count)
        by_query_number(exchanging->by_query, &session->arena, &job->abstraction);
    normaliser_free(normaliser);
    return ok;
}

bool abstracting_exchange(struct exchanging *exchanging, struct job *job, struct session *session) {
    double start = clock_seconds();
    bool is_auto = exchanging->is_auto && !session->network->persistent.count; /* N9 */
    if (!is_auto && !job->spec.exchanges.count) return true;
    bool ok = exchange(exchanging, job, session);
    normal_apply(exchanging->normal, &job->abstraction, &session->diag);
    job->exchange_seconds = clock_seconds() - start;
    return ok;
}
