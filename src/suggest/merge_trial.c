#include "suggest/merge_trial.h"

#include "abstract/fold/choice.h"
#include "base/interrupt.h"
#include "session/job.h"

#include <assert.h>

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
