#include "command/showing.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "command/command.h"
#include "command/reported.h"
#include "command/sink.h"
#include "refine/exact_by_exploring.h"
#include "report/abstraction/abstraction_report.h"
#include "suggest/irrelevant.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- further removals ---- */

/* With other removals, from the original on. */
static bool make_anew(struct further_job *showing, const struct job *job,
                      const struct session *session, const struct exchanging *exchanging) {
    struct session *own = &showing->session;
    struct observed observed;
    struct str bytes = document_file_bytes(&session->document);
    struct exchanging again = *exchanging;
    const char *const *removals = showing->job.removals;
    const char *const *merges = job->merges;
    uint32_t count = showing->job.removal_count, merge_count = job->merge_count;
    again.normal = &showing->normal;
    if (again.by_query) again.by_query = &showing->by_query;
    showing->has_session = true;
    bool is_loaded = session_load_bytes(own, session->document.source.name, bytes);
    own->is_stdin = session->is_stdin;
    own->start = session->start;
    own->read = session->read;
    showing->job = (struct job){.removals = removals,
                                .removal_count = count,
                                .merges = merges,
                                .merge_count = merge_count,
                                .options = job->options,
                                .has_mode = job->has_mode,
                                .taken_out = job->taken_out,
                                .may_be_empty = job->may_be_empty,
                                .choose_seconds = job->choose_seconds};
    showing->job.options.memo = NULL;
    showing->job.options.stutters = false; /* an exact abstraction stays where the original does */
    if (!is_loaded ||
        !session_build_observed(own, exchanging->queries, exchanging->query_count, &observed) ||
        (job->taken_out &&
         (!irrelevant_take_out(own, job->taken_out) ||
          !session_build_observed(own, exchanging->queries, exchanging->query_count, &observed))) ||
        !job_read(&showing->job, own) || !job_make(&showing->job, own))
        return false;
    showing->job.options.stutters = job->options.stutters; /* as the report has them */
    showing->base = abstracting_before(&showing->job);
    return abstracting_exchange(&again, &showing->job, own) && !own->diag.error_count;
}

static void mark(struct abstraction *abstraction, const struct explored_exact *proof) {
    if (abstraction->is_exact) return;
    struct explored_exact *own = ARENA_NEW(abstraction->arena, struct explored_exact);
    *own = *proof;
    abstraction->explored = own;
    abstraction->is_exact = true;
}

/* What a job has to say of itself, in its phases of the report. */
static double seconds_of(const struct job *job, const struct session *session) {
    const struct abstraction *abstraction = &job->abstraction;
    return session->check_seconds + abstraction->analysis_seconds + abstraction->fold_seconds +
           abstraction->write_seconds + job->exchange_seconds;
}

static bool go_on(struct further_job *showing, const struct job *job, const struct session *session,
                  const struct str *base, const struct exchanging *exchanging) {
    struct explored_exact proof;
    double start = clock_seconds();
    struct explored_removals explored = {.arena = job->abstraction.arena,
                                         .model = job->abstraction.output,
                                         .normal = exchanging->normal,
                                         .split = job->abstraction.split,
                                         .queries = exchanging->queries,
                                         .query_count = exchanging->query_count,
                                         .merges = job->merges,
                                         .merge_count = job->merge_count,
                                         .options = &job->options,
                                         .tell = tell_trial};
    explored_removals_find(&explored);
    if (!explored.list.count || interrupt_is_asked()) return false;
    showing->job.removals = explored_removals_arguments(
        &explored, job->removals, job->removal_count, &showing->job.removal_count);
    if (!make_anew(showing, job, session, exchanging)) return false;
    /* A merge that is folded by values then may say less of cells. */
    if (showing->job.abstraction.dropped_queries.count > job->abstraction.dropped_queries.count)
        return false;
    const struct compared_models models = {.before = *base,
                                           .after = showing->base.abstraction.output,
                                           .exchanged_after = showing->job.abstraction.output,
                                           .normal = &showing->normal};
    if (!explored_removals_hold(&explored, &models, &proof)) return false;
    if (proof.is_exchanged) showing->by_query.list.count = 0; /* of the base nothing is shown */
    mark(&showing->job.abstraction, &proof);
    mark(&showing->base.abstraction, &proof);
    showing->job.choose_seconds += clock_seconds() - start + seconds_of(job, session) -
                                   seconds_of(&showing->job, &showing->session);
    return true;
}

void showing_go_on(struct further_job *showing, const struct job *job, struct session *session,
                   const struct str *base, const struct exchanging *exchanging) {
    *showing = (struct further_job){.is_taken = false};
    if (job->options.mode != MODE_MAY || !job->abstraction.is_exact) return;
    showing->is_taken = go_on(showing, job, session, base, exchanging);
    if (!showing->is_taken && interrupt_is_asked())
        diag_warning(&session->diag, session->network->model->system_span.begin,
                     "more may be exact, but it was not explored to the end: %s",
                     interrupt_reason());
}

void showing_close(struct further_job *showing) {
    if (!showing->has_session) return;
    job_close(&showing->job);
    if (!showing->is_taken) session_drop(&showing->session);
}

/* ---- what was asked for ---- */

bool showing_fits(const struct job *job, struct diag *diag) {
    const char *problem = NULL;
    if (job->options.mode != MODE_MAY)
        problem = "--explore goes with --may only: what is exact is a may-abstraction and a "
                  "must-abstraction alike";
    else if (job->options.stutters)
        problem = "--stutter adds steps, and --explore looks whether there are others: leave out "
                  "one of them";
    else if (job->spec.merges.count || job->spec.exchanges.count)
        problem = "--explore compares outputs of removals, not of merges and normalised values: "
                  "`varabs certify --exact --report` compares any output";
    if (problem) diag_error(diag, STATUS_USAGE, 0, "%s", problem);
    return !problem;
}

/* As `varabs certify --report` would do it, so that processes and variables are found by the same
 * rules. */
static bool take_report(const struct job *job, const struct session *session,
                        struct session *concrete, struct session *abstract,
                        struct reported *reported) {
    struct abstraction_report report = abstraction_report_of(job, session);
    json_t *object = report_abstraction(&report);
    char *text = json_dumps(object, JSON_COMPACT);
    const struct model_source source = {"report", str_of(text ? text : "")};
    bool ok = text && reported_take(concrete, abstract, &source, NULL, reported);
    free(text);
    json_decref(object);
    return ok && !reported->exchanges.count && !reported->merges.count;
}

/* After its scope a variable has a value again, which the comparison does not look at. */
static bool has_scope(const struct request *request) {
    for (uint32_t i = 0; i < request->removals.count; i++)
        if (request->removals.items[i].scope) return true;
    return false;
}

static struct same_steps compare(struct session *concrete, struct session *abstract,
                                 const struct reported *reported,
                                 const struct search_options *limits) {
    struct visible visible;
    struct certification certification;
    struct certify_options options = same_steps_options(limits);
    struct same_steps same = {.problem = "they cannot be explored"};
    limits_complete_memory(&options.search);
    const char *problem =
        visible_init_without(&visible, &concrete->arena, concrete->network, abstract->network,
                             reported->ignored.items, reported->ignored.count);
    if (problem) {
        same.problem = problem;
        return same;
    }
    if (certify(&certification, &concrete->arena, &visible, &options))
        same = same_steps_of(&certification);
    certify_close(&certification);
    return same;
}

void showing_compare(struct job *job, struct session *session,
                     const struct search_options *limits) {
    struct session concrete, abstract;
    struct reported reported = {0};
    struct same_steps same = {.problem = "the output cannot be read"};
    struct abstraction *abstraction = &job->abstraction;
    if (abstraction->is_exact) return;
    assert(job->options.mode == MODE_MAY && !abstraction->has_exchanges);
    bool is_open = session_load_bytes(&concrete, session->document.source.name,
                                      document_file_bytes(&session->document)) &&
                   session_build(&concrete);
    is_open = session_load_bytes(&abstract, "(abstraction)", abstraction->output) &&
              session_build(&abstract) && is_open;
    struct search_options own = *limits;
    limits_take_time(&own);
    const char *why_not =
        abstraction_keeps_persistent(abstraction) ? "a meta variable keeps its value between steps"
        : has_scope(&job->request) ? "what is removed in some locations only is not compared"
                                   : NULL;
    if (why_not) same.problem = why_not;
    if (is_open && !why_not && take_report(job, session, &concrete, &abstract, &reported))
        same = compare(&concrete, &abstract, &reported, &own);
    const struct explored_exact proof = {.states_before = same.states[SIDE_CONCRETE],
                                         .states_after = same.states[SIDE_ABSTRACT],
                                         .compared_before = same.states[SIDE_CONCRETE],
                                         .compared_after = same.states[SIDE_ABSTRACT],
                                         .is_to_original = true};
    if (same.problem)
        abstraction->not_shown = arena_printf(abstraction->arena, "%s", same.problem);
    else
        mark(abstraction, &proof);
    session_drop(&concrete);
    session_drop(&abstract);
}
