#include "suggest/trial.h"

#include "abstract/fold/choice.h"
#include "abstract/prepare/record.h"
#include "abstract/request/obstacle.h"
#include "base/interrupt.h"
#include "session/job.h"
#include "session/prepare.h"
#include "session/queries.h"

#include <assert.h>

const char *trial_problem(const struct diag *diag) {
    for (uint32_t i = 0; i < diag->items.count; i++) {
        const struct diagnostic *item = &diag->items.items[i];
        if (item->status == STATUS_DONE) continue;
        if (!item->at || !diag->source) return item->message;
        struct source_location place = source_locate(diag->source, item->at);
        return arena_printf(diag->arena, "%s:%u:%u: %s", source_name(diag->source, item->at),
                            place.line, place.column, item->message);
    }
    return "it cannot be made";
}

static bool make(struct trial_work *work, const struct network *network,
                 const char *const *arguments, uint32_t count,
                 const struct abstract_options *options, struct diag *diag) {
    struct request *request = ARENA_NEW(&work->arena, struct request);
    request->arena = &work->arena;
    for (uint32_t i = 0; i < count; i++)
        if (!request_add(request, network, arguments[i], diag)) return false;
    return request_finish(request, network, diag) &&
           abstraction_make(&work->abstraction, &work->arena, network, request, options, diag);
}

bool trial_build(struct session *session, const struct query *queries, uint32_t count) {
    VEC(struct query_source) sources = {0};
    for (uint32_t i = 0; i < count; i++) {
        if (queries[i].quantifier == QUERY_EMPTY) continue;
        struct str formula = queries[i].xml->formula->text.content;
        VEC_PUSH(&session->arena, &sources,
                 (struct query_source){arena_copy(&session->arena, formula.data, formula.size),
                                       false, "(query)"});
    }
    return sources.count ? session_build_asked(session, sources.items, sources.count)
                         : session_build_with(session, NULL, 0);
}

/* The same for a copy of the model, in which processes are told apart, what is removed is passed to
 * no template, and nothing is only for the record of it. */
static bool make_apart(struct trial_work *work, const struct network *network,
                       const char *const *arguments, uint32_t count, bool names_processes,
                       const struct abstract_options *options) {
    const struct document *document = network->model->document;
    struct session *session = &work->session;
    struct split split = {.keeps_record = options->mode == MODE_LOWER,
                          .errors = options->analysis.errors,
                          .asked = options->asked};
    uint32_t asked = 0;
    for (uint32_t i = 0; i < network->model->query_count; i++)
        asked += is_asked_query(&network->model->queries[i]);
    work->has_session = true;
    bool follows = names_processes || network->model->agents.count; /* queries what is renamed */
    bool ok = session_load_bytes(session, document->source.name, document->bytes) &&
              session_build(session) &&
              (!follows || session_write_queries(session, network->model)) &&
              session_prepare(session, &split, arguments, NULL, count);
    if (ok && split.processes.count && !names_processes)
        return diag_error(
            &session->diag, STATUS_UNSUPPORTED, 0,
            "it is passed to templates in ways that would rename processes; remove it with "
            "--remove");
    ok = ok &&
         (follows ? session_build_last(session, asked)
                  : trial_build(session, network->model->queries, network->model->query_count)) &&
         make(work, session->network, split.removals, split.removal_count, options, &session->diag);
    if (!work->abstraction.may_fail) work->abstraction.may_fail = split.record.may_fail;
    return ok;
}

static void begin(struct trial_work *work, const struct network *network,
                  const char *const *arguments, uint32_t count,
                  const struct abstract_options *wanted) {
    struct references references = {0};
    struct abstract_options own = *wanted, *options = &own;
    *work = (struct trial_work){.problem = NULL};
    arena_init(&work->arena);
    own.asked = queries_as_text(&work->arena, network->model->queries, network->model->query_count);
    diag_init(&work->diag, &work->arena, &network->model->document->source);
    bool names_processes =
        references_want_arguments(&references, network, arguments, count, &work->arena);
    if (names_processes || references.wanted.count || network->model->hides_types ||
        (options->mode != MODE_LOWER && record_is_kept(network, arguments, count, &work->arena))) {
        if (!make_apart(work, network, arguments, count, names_processes, options))
            work->problem = trial_problem(&work->session.diag);
        return;
    }
    if (!make(work, network, arguments, count, options, &work->diag))
        work->problem = trial_problem(&work->diag);
}

bool trial_begin(struct trial_work *work, const struct network *network,
                 const char *const *arguments, uint32_t count,
                 const struct abstract_options *options) {
    begin(work, network, arguments, count, options);
    /* Interrupted, it was broken off somewhere, and what it says is coarse. */
    if (interrupt_is_asked()) work->problem = interrupt_reason();
    return !work->problem;
}

/* Frees the abstraction and all it was made of. */
void trial_end(struct trial_work *work) {
    abstraction_close(&work->abstraction);
    if (work->has_session) session_drop(&work->session);
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
        if (output.size)
            trial.output = (struct str){arena_copy(arena, output.data, output.size), output.size};
        assert(abstraction->is_exact || abstraction->inexact.count); /* a reason for each (X1) */
        if (!abstraction->is_exact) message = abstraction->inexact.items[0];
        const struct wide_choice choice = choice_widest(abstraction);
        trial.chooses_widely = choice.open && !abstraction->is_exact;
        if (trial.chooses_widely)
            message = arena_printf(arena, "an edge would choose from %s of '%s'",
                                   choice_values(&choice, arena), choice.variable);
    } else {
        message = work.problem;
    }
    assert(message || trial.outcome == TRIAL_EXACT);
    if (work.abstraction.may_fail)
        trial.may_fail = arena_printf(arena, "%s", work.abstraction.may_fail);
    if (message) trial.message = arena_printf(arena, "%s", message);
    trial_end(&work);
    return trial;
}

/* ---- by removals and merges ---- */

static void take(struct merge_trial *result, const struct job *job, struct arena *arena) {
    const struct abstraction *abstraction = &job->abstraction;
    struct trial *trial = &result->trial;
    trial->outcome = abstraction->is_exact ? TRIAL_EXACT : TRIAL_INEXACT;
    trial->reason_count = abstraction->inexact.count;
    assert(abstraction->is_exact || abstraction->inexact.count); /* a reason for each (X1) */
    for (uint32_t i = 0; i < abstraction->inexact.count && i < MERGE_TRIAL_REASONS; i++)
        VEC_PUSH(arena, &result->reasons, arena_printf(arena, "%s", abstraction->inexact.items[i]));
    if (result->reasons.count) trial->message = result->reasons.items[0];
    struct str output = abstraction->output;
    if (output.size)
        trial->output = (struct str){arena_copy(arena, output.data, output.size), output.size};
    const struct wide_choice choice = choice_widest(abstraction);
    trial->chooses_widely = choice.open && !abstraction->is_exact;
    for (uint32_t i = 0; i < abstraction->dropped_queries.count; i++) {
        const struct query *query =
            &abstraction->network->model->queries[abstraction->dropped_queries.items[i]];
        struct str text = str_trim(query->xml->formula->text.content);
        VEC_PUSH(arena, &result->lost, arena_copy(arena, text.data, text.size));
    }
    result->rewrites = abstraction->rewritten_queries.count > 0;
    result->is_about_agents = abstraction->observations != NULL;
    if (abstraction->may_fail) trial->may_fail = arena_printf(arena, "%s", abstraction->may_fail);
}

static struct merge_trial run(const struct network *network, const struct merge_request *request,
                              const struct abstract_options *options, struct arena *arena) {
    const struct document *document = network->model->document;
    struct merge_trial result = {.trial = {.outcome = TRIAL_REFUSED}};
    struct session session;
    struct job job = {.removals = request->removals,
                      .removal_count = request->removal_count,
                      .merges = request->merges,
                      .merge_count = request->merge_count,
                      .options = *options,
                      .has_mode = true};
    job.options.memo = NULL; /* which is of another network */
    job.options.known = NULL;
    job.options.tell = NULL;
    job.options.by_cells_only = true; /* by values it may take very long */
    assert(request->merge_count);
    bool ok = session_load_bytes(&session, document->source.name, document->bytes) &&
              (request->given_count ? trial_build(&session, request->given, request->given_count)
                                    : session_build(&session)) &&
              job_read(&job, &session) && job_make(&job, &session);
    if (ok && !interrupt_is_asked()) /* interrupted, what it says is coarse */
        take(&result, &job, arena);
    else
        result.trial.message =
            arena_printf(arena, "%s", ok ? interrupt_reason() : trial_problem(&session.diag));
    job_close(&job);
    session_drop(&session);
    return result;
}

struct merge_trial merge_trial_run(const struct network *network,
                                   const struct merge_request *request,
                                   const struct abstract_options *options, struct arena *arena) {
    struct abstract_options look = *options;
    if (!request->given_count || options->writes_nothing)
        return run(network, request, options, arena);
    look.writes_nothing = true;
    const struct merge_trial first = run(network, request, &look, arena);
    bool is_kept = first.trial.outcome != TRIAL_REFUSED && !first.lost.count && !first.rewrites;
    return is_kept ? run(network, request, options, arena) : first;
}
