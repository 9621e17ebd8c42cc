/* The runs of a job: the request that it makes, and the sink that leaves parts of a result. All but
 * job_run goes on in the child. */
#define _POSIX_C_SOURCE 200809L

#include "api/job_internal.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "report/json.h"
#include "session/name_list.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)VARABS_LIMIT == (int)STATUS_LIMIT && (int)VARABS_USAGE == (int)STATUS_USAGE,
               "statuses are the same inside and outside");
_Static_assert((int)VARABS_MIXED == (int)MODE_MIXED && (int)VARABS_MUST_LOWER == (int)MODE_LOWER &&
                   (int)VARABS_MUST == (int)MODE_MUST &&
                   (int)VARABS_IS_EXACT == (int)SIMULATE_EXACT &&
                   (int)VARABS_IS_MUST == (int)SIMULATE_MUST,
               "and so are kinds of abstractions");
_Static_assert(LIST_WEAK + VARABS_ABSTRACT_STRONG == LIST_ABSTRACT_STRONG, "and of fairness");

/* ---- the request ---- */

struct asked {
    enum command command;
    const varabs *job, *second; /* second: or NULL */
    int how;                    /* the mode or relation */
    const char *name;           /* of the code of export, or the template of draw */
};

static struct model_source source_of(const varabs *job) {
    return job ? (struct model_source){job->name, {job->bytes, job->size}}
               : (struct model_source){0};
}

static struct model_source report_of(const varabs *job) {
    if (!job) return (struct model_source){0};
    if (job->report_path) return (struct model_source){.name = job->report_path};
    if (!job->report) return (struct model_source){0};
    return (struct model_source){"the report of the abstract model", str_of(job->report)};
}

static void take_queries(struct command_request *request, const varabs *job, struct arena *arena) {
    uint32_t own = job->queries.count;
    request->query_count = own + job->query_files.count;
    request->queries = ARENA_ARRAY(arena, struct query_source, request->query_count + 1);
    for (uint32_t i = 0; i < request->query_count; i++)
        request->queries[i] =
            i < own ? (struct query_source){job->queries.items[i], false, NULL}
                    : (struct query_source){job->query_files.items[i - own], true, NULL};
}

/* Several lists of names as one; NULL without any. */
static const char *joined(const struct text_list *texts, struct arena *arena) {
    const char *all = texts->count ? texts->items[0] : NULL;
    for (uint32_t i = 1; i < texts->count; i++)
        all = arena_printf(arena, "%s,%s", all, texts->items[i]);
    return all;
}

static struct verify_options verify_options_of(const varabs *job, enum command command) {
    static const enum engine engines[] = {ENGINE_AUTO, ENGINE_EXPLICIT, ENGINE_SYMBOLIC};
    const long long *settings = job->settings;
    assert(settings[VARABS_ENGINE] >= 0 &&
           (size_t)settings[VARABS_ENGINE] < sizeof engines / sizeof *engines); /* varabs_set */
    struct verify_options options = {
        .search = job->limits,
        .semantics = settings[VARABS_SEMANTICS] == 2 ? SEMANTICS_KRIPKE : SEMANTICS_UPPAAL,
        .wants_traces = settings[VARABS_TRACES] != 0,
        .engine = engines[settings[VARABS_ENGINE]],
        .symmetry = (enum symmetry_use)settings[VARABS_SYMMETRY]};
    options.search.progress = run_figures;
    if (command == COMMAND_CERTIFY) return options;
    options.search.is_full = settings[VARABS_FULL] != 0;
    options.search.max_tries = (uint64_t)settings[VARABS_TRIES];
    options.search.jobs = (uint32_t)settings[VARABS_JOBS];
    return options;
}

static struct abstract_options abstract_options_of(const varabs *job, int mode) {
    const long long *settings = job->settings;
    return (struct abstract_options){
        .mode = (enum mode)mode,
        .analysis = {.approximation = settings[VARABS_COMBINED] ? APPROX_COMBINED : APPROX_TEMPLATE,
                     .budget = settings[VARABS_BUDGET] ? (uint64_t)settings[VARABS_BUDGET]
                                                       : ANALYSIS_DEFAULT_BUDGET},
        .drops_priorities = settings[VARABS_DROP_PRIORITIES] != 0,
        .explains = settings[VARABS_COMMENTS] != 0,
        .untimes = settings[VARABS_UNTIME] != 0,
        .stutters = settings[VARABS_STUTTER] != 0,
        .assumes_live = settings[VARABS_ASSUME_LIVE] != 0};
}

static struct command_request request_of(const struct asked *asked, struct arena *arena) {
    const varabs *job = asked->job;
    const long long *settings = job->settings;
    const struct text_list *actions = &job->actions;
    bool is_mixed = asked->command == COMMAND_ABSTRACT && asked->how == MODE_MIXED;
    struct command_request request = {
        .first = source_of(job),
        .second = source_of(asked->second),
        .report = report_of(asked->command == COMMAND_CERTIFY ? asked->second : job),
        .abstract = abstract_options_of(job, asked->command == COMMAND_ABSTRACT ? asked->how : 0),
        .verify = verify_options_of(job, asked->command),
        .wants_page = settings[VARABS_PAGE] != 0,
        .without = joined(&job->without, arena),
        .is_lenient = !is_mixed, /* queries are written into a mixed model */
        .has_mode = true,
        .is_auto = settings[VARABS_AUTO] != 0,
        .is_inexact = settings[VARABS_INEXACT] != 0,
        .wants_may = asked->command == COMMAND_GRID && asked->how != VARABS_GRID_MUST,
        .wants_must = asked->command == COMMAND_GRID && asked->how != VARABS_GRID_MAY,
        .explores = settings[VARABS_EXPLORE] != 0,
        .is_uppaal = settings[VARABS_SEMANTICS] == 1,
        .wants_charts = settings[VARABS_CHARTS] != 0,
        .wants_run_models = settings[VARABS_RUN_MODELS] != 0,
        .relation = (enum simulation_mode)asked->how,
        .observes = settings[VARABS_OBSERVE] != 0,
        .actions = actions->count ? actions->items[actions->count - 1] : NULL,
        .template_name = asked->name,
        .wants_tikz = settings[VARABS_TIKZ] != 0,
        .wants_failures = settings[VARABS_FAILURES] != 0,
        .is_long = settings[VARABS_MEASURE] != 0,
        .wants_agents = settings[VARABS_AGENTS] != 0,
        .has_no_look = settings[VARABS_NO_LOOK] != 0};
    request.abstract.favour = joined(&job->favoured, arena);
    for (int i = 0; i < LIST_COUNT; i++)
        request.lists[i] = (struct request_names){job->lists[i].items, job->lists[i].count};
    struct request_names *ignored = &request.lists[LIST_IGNORE];
    ignored->items = names_of_lists(arena, ignored->items, ignored->count, &ignored->count);
    take_queries(&request, job, arena);
    return request;
}

/* ---- the sink ---- */

struct job_sink {
    struct sink sink;
    const varabs *job;
    struct buffer packs[PART_COUNT]; /* of parts that have several */
};

static bool put(struct sink *sink, enum made_part part, uint32_t number, struct str bytes,
                struct diag *diag) {
    assert(part != PART_JSON && part != PART_MESSAGES && part != PART_PAGE); /* leave, end */
    struct buffer *pack = &((struct job_sink *)sink)->packs[part];
    const struct pack_head head = {number, bytes.size};
    (void)diag;
    if (part != PART_CHARTS && part != PART_RUN_MODELS) {
        run_leave(part, bytes.data, bytes.size);
        return true;
    }
    buffer_add(pack, (const char *)&head, sizeof head);
    buffer_add(pack, bytes.data, bytes.size);
    buffer_add(pack, "", 1);
    return true;
}

static bool leave(struct sink *sink, json_t *result, struct result_page page,
                  struct session *session) {
    const varabs *job = ((const struct job_sink *)sink)->job;
    struct str bytes;
    page.result = result;
    if (page.kind && job->settings[VARABS_PAGE] &&
        page_make(&bytes, &page, job->name, &session->arena, &session->diag))
        run_leave(PART_PAGE, bytes.data, bytes.size);
    char *text = report_dump(result);
    if (!text) memory_is_over();
    run_leave(PART_JSON, text, strlen(text));
    free(text);
    json_decref(result);
    return true;
}

/* Leaves the messages of a session, and closes it. What its errors are, or else the status. */
static enum status close_session(struct session *session, enum made_part part, enum status status) {
    size_t size = 0;
    char *messages = NULL;
    enum status own = session->diag.status;
    FILE *stream = open_memstream(&messages, &size);
    if (!stream) memory_is_over();
    diag_print(&session->diag, stream);
    bool has_failed = ferror(stream) != 0;
    if (fclose(stream) || has_failed || !messages) memory_is_over();
    run_leave(part, messages, size);
    free(messages);
    session_drop(session);
    return own == STATUS_DONE ? status : own;
}

static enum status end(struct sink *sink, struct session *first, struct session *second,
                       enum status status) {
    struct buffer *packs = ((struct job_sink *)sink)->packs;
    for (int part = 0; part < PART_COUNT; part++) {
        if (packs[part].size) run_leave((enum made_part)part, packs[part].data, packs[part].size);
        buffer_close(&packs[part]);
    }
    enum status of_second =
        second ? close_session(second, PART_SECOND_MESSAGES, STATUS_DONE) : STATUS_DONE;
    status = close_session(first, PART_MESSAGES, status);
    return status > STATUS_VIOLATED || of_second == STATUS_DONE ? status : of_second;
}

/* The limit on time; in a grid it is for each row, and not for the whole. */
static double max_seconds_of(const struct asked *asked) {
    return asked->command == COMMAND_GRID ? 0 : asked->job->limits.max_seconds;
}

static enum varabs_status work(const void *given) {
    const struct asked *asked = given;
    struct arena arena;
    struct job_sink sink = {.sink = sink_silent(), .job = asked->job};
    sink.sink.say = run_say;
    sink.sink.search = run_figures;
    sink.sink.put = put;
    sink.sink.leave = leave;
    sink.sink.end = end;
    sink.sink.code = asked->name;
    arena_init(&arena);
    const struct command_request request = request_of(asked, &arena);
    if (max_seconds_of(asked) > 0) interrupt_after(max_seconds_of(asked));
    if (asked->command == COMMAND_CHECK) run_say("exploring");
    enum status status = command_run(asked->command, &request, &sink.sink);
    arena_close(&arena);
    return (enum varabs_status)status;
}

/* ---- in the caller ---- */

#define NO_MEMORY "varabs: error: out of memory\n"

/* Leaves nothing of the last run but a note, which is static, for the messages. */
static enum varabs_status refuse(varabs *job, enum varabs_status status, const char *note) {
    assert(note);
    if (!job) return VARABS_LIMIT;
    made_close(&job->made);
    job->made.note = note;
    return status;
}

/* Runs a command, apart from this process, and takes over what it leaves; the messages about the
 * second model go to the second job, if there is one. */
static enum varabs_status run(varabs *job, varabs *second, struct asked asked) {
    if (!job) return VARABS_LIMIT;
    made_close(&job->made);
    if (second) made_close(&second->made);
    if (job->lacks_memory || (second && second->lacks_memory))
        return refuse(job, VARABS_LIMIT, NO_MEMORY);
    asked.job = job;
    asked.second = second;
    struct watch_run watch = {job->progress, job->context, &job->is_cancelled,
                              max_seconds_of(&asked), job->limits.max_size};
    enum varabs_status status = apart(&job->made, work, &asked, &watch);
    if (second && second != job) {
        second->made.parts[PART_MESSAGES] = job->made.parts[PART_SECOND_MESSAGES];
        job->made.parts[PART_SECOND_MESSAGES] = NULL;
    }
    return status;
}

/* Runs a command on two models, of which the second one must be there, too. */
static enum varabs_status run_both(varabs *job, varabs *second, struct asked asked) {
    return second ? run(job, second, asked) : refuse(job, VARABS_LIMIT, NO_MEMORY);
}

/* Commands that take models and nothing else. */
#define LIBRARY_OWN(name, word)
#define LIBRARY_ALONE(name, word)                                                                  \
    enum varabs_status varabs_##word(varabs *job) {                                                \
        return run(job, NULL, (struct asked){.command = COMMAND_##name});                          \
    }
#define LIBRARY_BOTH(name, word)                                                                   \
    enum varabs_status varabs_##word(varabs *job, varabs *second) {                                \
        return run_both(job, second, (struct asked){.command = COMMAND_##name});                   \
    }
#define X(name, letter, word, library) LIBRARY_##library(name, word)
COMMANDS(X)
#undef X

enum varabs_status varabs_abstract(varabs *job, enum varabs_mode mode) {
    if ((int)mode < 0 || mode > VARABS_MIXED)
        return refuse(job, VARABS_USAGE, "varabs: error: there is no such mode\n");
    return run(job, NULL, (struct asked){.command = COMMAND_ABSTRACT, .how = (int)mode});
}

enum varabs_status varabs_certify(varabs *job, varabs *abstract, enum varabs_relation relation) {
    if ((int)relation < 0 || relation > VARABS_IS_EXACT)
        return refuse(job, VARABS_USAGE, "varabs: error: there is no such relation\n");
    return run_both(job, abstract,
                    (struct asked){.command = COMMAND_CERTIFY, .how = (int)relation});
}

enum varabs_status varabs_concretize(varabs *job, varabs *original) {
    return run_both(job, original, (struct asked){.command = COMMAND_CHECK});
}

enum varabs_status varabs_grid(varabs *job, enum varabs_grid_modes modes) {
    if ((int)modes < 0 || modes > VARABS_GRID_BOTH)
        return refuse(job, VARABS_USAGE, "varabs: error: there are no such modes\n");
    return run(job, NULL, (struct asked){.command = COMMAND_GRID, .how = (int)modes});
}

enum varabs_status varabs_export(varabs *job, const char *code_name) {
    if (!code_name) return refuse(job, VARABS_USAGE, "varabs: error: the code has no name\n");
    return run(job, NULL, (struct asked){.command = COMMAND_EXPORT, .name = code_name});
}

enum varabs_status varabs_draw(varabs *job, varabs *after, const char *template_name) {
    return run(job, after, (struct asked){.command = COMMAND_DRAW, .name = template_name});
}
