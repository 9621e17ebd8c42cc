/* libvarabs: the functions of varabs.h over session/ and explore/. */
#define _POSIX_C_SOURCE 200809L

#include "api/varabs.h"

#include "base/resources.h"
#include "report/abstraction_report.h"
#include "report/check_report.h"
#include "report/json.h"
#include "report/refines/refines_report.h"
#include "session/actions.h"
#include "session/queries.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)VARABS_LIMIT == (int)STATUS_LIMIT && (int)VARABS_USAGE == (int)STATUS_USAGE,
               "statuses are the same inside and outside");

struct varabs {
    struct arena arena; /* the model and the arguments */
    const char *name;
    bool has_bytes; /* otherwise the name is that of a file */
    struct str bytes;
    VEC(const char *) removals, merges, visible;
    VEC(struct query_source) queries;
    struct search_options limits;
    /* of the last run */
    struct buffer output;
    char *json, *messages;
    bool is_exact, has_output;
};

const char *varabs_version(void) { return VARABS_VERSION; }

static varabs *job_new(const char *name) {
    varabs *job = heap_resize(NULL, 1, sizeof *job);
    *job = (varabs){0};
    arena_init(&job->arena);
    job->name = arena_copy(&job->arena, name, strlen(name));
    return job;
}

varabs *varabs_open(const char *path) { return job_new(path); }

varabs *varabs_open_bytes(const char *name, const void *bytes, size_t size) {
    varabs *job = job_new(name);
    job->bytes = (struct str){arena_copy(&job->arena, bytes, size), size};
    job->has_bytes = true;
    return job;
}

static void forget(varabs *job) {
    buffer_close(&job->output);
    free(job->json);
    free(job->messages);
    job->output = (struct buffer){0};
    job->json = job->messages = NULL;
    job->is_exact = job->has_output = false;
}

void varabs_close(varabs *job) {
    if (!job) return;
    forget(job);
    arena_close(&job->arena);
    free(job);
}

void varabs_remove(varabs *job, const char *variables) {
    const char *copy = arena_copy(&job->arena, variables, strlen(variables));
    VEC_PUSH(&job->arena, &job->removals, copy);
}

void varabs_merge(varabs *job, const char *definition) {
    const char *copy = arena_copy(&job->arena, definition, strlen(definition));
    VEC_PUSH(&job->arena, &job->merges, copy);
}

void varabs_query(varabs *job, const char *query) {
    struct query_source source = {arena_copy(&job->arena, query, strlen(query)), false, NULL};
    VEC_PUSH(&job->arena, &job->queries, source);
}

void varabs_visible(varabs *job, const char *name) {
    const char *copy = arena_copy(&job->arena, name, strlen(name));
    VEC_PUSH(&job->arena, &job->visible, copy);
}

void varabs_limit(varabs *job, unsigned long long states, size_t memory, double seconds) {
    job->limits.max_states = states;
    job->limits.max_size = memory;
    job->limits.max_seconds = seconds;
}

/* ---- runs ---- */

static bool start(varabs *job, struct session *session) {
    forget(job);
    return job->has_bytes ? session_load_bytes(session, job->name, job->bytes)
                          : session_load(session, job->name);
}

/* Keeps the messages of a session and closes it. */
static enum varabs_status finish(varabs *job, struct session *session) {
    size_t size;
    FILE *stream = open_memstream(&job->messages, &size);
    enum status status = session->diag.status;
    if (stream) {
        diag_print(&session->diag, stream);
        fclose(stream);
    }
    arena_close(&session->arena);
    return (enum varabs_status)status;
}

static void keep_json(varabs *job, json_t *result) {
    job->json = report_dump(result);
    json_decref(result);
}

enum varabs_status varabs_abstract(varabs *job, enum varabs_mode mode) {
    struct session session;
    struct job work = {
        .removals = job->removals.items,
        .removal_count = job->removals.count,
        .merges = job->merges.items,
        .merge_count = job->merges.count,
        .options = {.mode = mode == VARABS_MUST         ? MODE_MUST
                            : mode == VARABS_MUST_LOWER ? MODE_LOWER
                                                        : MODE_MAY,
                    .analysis = {.approximation = APPROX_TEMPLATE,
                                 .budget = ANALYSIS_DEFAULT_BUDGET}},
        .has_mode = true,
    };
    if (start(job, &session) && session_build(&session) && job_read(&work, &session) &&
        job_make(&work, &session)) {
        guarantees_make(&work.guarantees, &work.abstraction);
        diag_sort(&session.diag);
        buffer_add(&job->output, work.abstraction.output.data, work.abstraction.output.size);
        job->has_output = true;
        job->is_exact = work.abstraction.is_exact;
        struct abstraction_report report = abstraction_report_of(&work, &session);
        keep_json(job, report_abstraction(&report));
    }
    job_close(&work);
    return finish(job, &session);
}

/* What could not be decided comes before what is violated. */
static enum varabs_status judge(const struct verification *verification) {
    enum varabs_status status = VARABS_DONE;
    for (uint32_t i = 0; i < verification->answer_count; i++) {
        const struct answer *answer = &verification->answers[i];
        if (answer->problem) return VARABS_INVALID;
        if (answer->verdict == VERDICT_UNKNOWN) status = VARABS_LIMIT;
        if (answer->verdict == VERDICT_VIOLATED && status == VARABS_DONE) status = VARABS_VIOLATED;
    }
    if (!verification->answer_count && !verification->search->is_complete) return VARABS_LIMIT;
    return status;
}

enum varabs_status varabs_check(varabs *job) {
    struct session session;
    enum varabs_status status = VARABS_DONE;
    if (start(job, &session) &&
        session_build_for(&session, job->queries.items, job->queries.count)) {
        const struct model *model = session.model;
        struct verification verification;
        struct verify_options options = {
            .search = job->limits, .wants_traces = true, .engine = ENGINE_AUTO};
        options.search.is_full = !model->query_count;
        options.search.jobs = resources_processors();
        if (!options.search.max_size) options.search.max_size = resources_memory() / 10 * 8;
        if (verify(&verification, &session.arena, session.network, model->queries,
                   model->query_count, &options)) {
            struct check_report report = {.network = session.network,
                                          .verification = &verification,
                                          .semantics = options.semantics,
                                          .arena = &session.arena,
                                          .shows_traces = true};
            keep_json(job, report_check(&report));
            status = judge(&verification);
        }
        verify_close(&verification);
    }
    enum varabs_status of_session = finish(job, &session);
    return of_session == VARABS_DONE ? status : of_session;
}

/* Both models are built. */
static enum varabs_status refine_models(varabs *job, struct session *concrete,
                                        struct session *abstract) {
    static const enum varabs_status statuses[] = {[REFINE_UNKNOWN] = VARABS_LIMIT,
                                                  [REFINE_HOLDS] = VARABS_DONE,
                                                  [REFINE_FAILS] = VARABS_VIOLATED};
    struct alphabet alphabet;
    struct alphabet_request request = {.visible = job->visible.items,
                                       .visible_count = job->visible.count};
    struct trace_refinement refinement;
    struct trace_options options = {.search = job->limits};
    enum varabs_status status = VARABS_DONE;
    if (!options.search.max_size) options.search.max_size = resources_memory() / 10 * 8;
    if (!actions_name(&alphabet, concrete, abstract, &request)) return status;
    if (refine(&refinement, &concrete->arena, &alphabet, &options)) {
        struct refines_report report = {.alphabet = &alphabet,
                                        .refinement = &refinement,
                                        .options = &options,
                                        .arena = &concrete->arena};
        keep_json(job, report_refines(&report));
        status = statuses[refinement.outcome];
    }
    refinement_close(&refinement);
    return status;
}

enum varabs_status varabs_refines(varabs *job, varabs *abstract) {
    struct session sessions[SIDE_COUNT];
    enum varabs_status status = VARABS_DONE;
    assert(job != abstract);
    bool is_ready = start(job, &sessions[SIDE_CONCRETE]);
    is_ready = start(abstract, &sessions[SIDE_ABSTRACT]) && is_ready;
    if (is_ready && session_build_with(&sessions[SIDE_CONCRETE], NULL, 0) &&
        session_build_with(&sessions[SIDE_ABSTRACT], NULL, 0))
        status = refine_models(job, &sessions[SIDE_CONCRETE], &sessions[SIDE_ABSTRACT]);
    enum varabs_status of_abstract = finish(abstract, &sessions[SIDE_ABSTRACT]);
    enum varabs_status of_concrete = finish(job, &sessions[SIDE_CONCRETE]);
    if (of_concrete != VARABS_DONE) return of_concrete;
    return of_abstract == VARABS_DONE ? status : of_abstract;
}

/* ---- results ---- */

const char *varabs_output(const varabs *job, size_t *size) {
    if (size) *size = job->output.size;
    return job->has_output ? job->output.data : NULL;
}

const char *varabs_json(const varabs *job) { return job->json; }

const char *varabs_messages(const varabs *job) { return job->messages ? job->messages : ""; }

int varabs_is_exact(const varabs *job) { return job->is_exact; }
