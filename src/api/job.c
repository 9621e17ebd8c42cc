/* Jobs, their arguments and their results. */
#define _POSIX_C_SOURCE 200809L

#include "api/job_internal.h"

#include "base/interrupt.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)VARABS_LIMIT == (int)STATUS_LIMIT && (int)VARABS_USAGE == (int)STATUS_USAGE,
               "statuses are the same inside and outside");

const char *varabs_version(void) { return VARABS_VERSION; }

/* ---- memory that may not be there ---- */

static char *copy_bytes(const void *bytes, size_t size) {
    char *copy = malloc(size + 1);
    if (!copy) return NULL;
    if (size) memcpy(copy, bytes, size);
    copy[size] = 0;
    return copy;
}

static bool add_text(struct text_list *texts, const char *text) {
    if (texts->count == texts->capacity) {
        uint32_t capacity = texts->capacity ? 2 * texts->capacity : 4;
        const char **items = realloc(texts->items, capacity * sizeof *items);
        if (!items) return false;
        texts->items = items;
        texts->capacity = capacity;
    }
    const char *copy = copy_bytes(text, strlen(text));
    if (copy) texts->items[texts->count++] = copy;
    return copy != NULL;
}

static void close_texts(struct text_list *texts) {
    for (uint32_t i = 0; i < texts->count; i++) free((char *)texts->items[i]);
    free(texts->items);
}

/* ---- jobs ---- */

varabs *varabs_open(const char *path) {
    varabs *job = calloc(1, sizeof *job);
    if (!job) return NULL;
    job->settings[VARABS_TRACES] = 1;
    job->name = copy_bytes(path, strlen(path));
    if (job->name) return job;
    free(job);
    return NULL;
}

varabs *varabs_open_bytes(const char *name, const void *bytes, size_t size) {
    varabs *job = varabs_open(name);
    if (!job) return NULL;
    job->bytes = copy_bytes(bytes, size);
    job->size = size;
    if (job->bytes) return job;
    varabs_close(job);
    return NULL;
}

varabs *varabs_open_made(const char *name, const void *bytes, size_t size, const char *report) {
    varabs *job = varabs_open_bytes(name, bytes, size);
    if (!job) return NULL;
    job->report = copy_bytes(report, strlen(report));
    if (job->report) return job;
    varabs_close(job);
    return NULL;
}

varabs *varabs_open_output(const varabs *job) {
    if (!job || !job->made.parts[PART_OUTPUT] || !job->made.parts[PART_EXACT]) return NULL;
    return varabs_open_made(job->name, job->made.parts[PART_OUTPUT], job->made.sizes[PART_OUTPUT],
                            job->made.parts[PART_JSON]);
}

void varabs_close(varabs *job) {
    if (!job) return;
    struct text_list *all[] = {&job->removals, &job->merges,     &job->specs,   &job->ignored,
                               &job->visible,  &job->hidden,     &job->actions, &job->checked,
                               &job->queries,  &job->query_files};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) close_texts(all[i]);
    for (int i = 0; i < FAIR_KINDS; i++) close_texts(&job->fair[i]);
    made_close(&job->made);
    free(job->name);
    free(job->bytes);
    free(job->report);
    free(job->report_path);
    free(job);
}

/* ---- arguments ---- */

void varabs_remove(varabs *job, const char *variables) {
    if (job && !add_text(&job->removals, variables)) job->lacks_memory = true;
}

void varabs_merge(varabs *job, const char *definition) {
    if (job && !add_text(&job->merges, definition)) job->lacks_memory = true;
}

void varabs_spec(varabs *job, const char *path) {
    if (job && !add_text(&job->specs, path)) job->lacks_memory = true;
}

void varabs_query(varabs *job, const char *query) {
    if (job && !add_text(&job->queries, query)) job->lacks_memory = true;
}

void varabs_queries(varabs *job, const char *path) {
    if (job && !add_text(&job->query_files, path)) job->lacks_memory = true;
}

void varabs_ignore(varabs *job, const char *variables) {
    if (job && !add_text(&job->ignored, variables)) job->lacks_memory = true;
}

void varabs_visible(varabs *job, const char *name) {
    if (job && !add_text(&job->visible, name)) job->lacks_memory = true;
}

void varabs_hide(varabs *job, const char *name) {
    if (job && !add_text(&job->hidden, name)) job->lacks_memory = true;
}

void varabs_actions(varabs *job, const char *path) {
    if (job && !add_text(&job->actions, path)) job->lacks_memory = true;
}

void varabs_checked(varabs *job, const char *path) {
    if (job && !add_text(&job->checked, path)) job->lacks_memory = true;
}

void varabs_report(varabs *job, const char *path) {
    if (!job) return;
    free(job->report_path);
    job->report_path = copy_bytes(path, strlen(path));
    if (!job->report_path) job->lacks_memory = true;
}

enum varabs_status varabs_fair(varabs *job, enum varabs_fairness kind, const char *name) {
    if (!job) return VARABS_LIMIT;
    if ((int)kind < 0 || (int)kind >= FAIR_KINDS) return VARABS_USAGE;
    if (!add_text(&job->fair[kind], name)) job->lacks_memory = true;
    return VARABS_DONE;
}

enum varabs_status varabs_set(varabs *job, enum varabs_setting setting, long long value) {
    static const struct {
        long long least, most;
    } ranges[SETTING_COUNT] = {
        [VARABS_STUTTER] = {0, 1},  [VARABS_DROP_PRIORITIES] = {0, 1},
        [VARABS_COMMENTS] = {0, 1}, [VARABS_COMBINED] = {0, 1},
        [VARABS_FULL] = {0, 1},     [VARABS_BUDGET] = {1, 1000000000},
        [VARABS_TRACES] = {0, 1},   [VARABS_SEMANTICS] = {0, 2},
        [VARABS_ENGINE] = {0, 2},   [VARABS_TRIES] = {0, 1LL << 62},
        [VARABS_JOBS] = {0, 1024},  [VARABS_OBSERVE] = {0, 1},
        [VARABS_FAILURES] = {0, 1}, [VARABS_MEASURE] = {0, 1},
        [VARABS_AUTO] = {0, 1},     [VARABS_NO_LOOK] = {0, 1},
        [VARABS_AGENTS] = {0, 1},   [VARABS_PAGE] = {0, 1},
        [VARABS_CHARTS] = {0, 1},   [VARABS_RUN_MODELS] = {0, 1},
        [VARABS_EXPLORE] = {0, 1},
    };
    if (!job) return VARABS_LIMIT;
    if ((int)setting < 1 || (int)setting >= SETTING_COUNT || value < ranges[setting].least ||
        value > ranges[setting].most)
        return VARABS_USAGE;
    job->settings[setting] = value;
    return VARABS_DONE;
}

void varabs_limit(varabs *job, unsigned long long states, size_t memory, double seconds) {
    if (!job) return;
    job->limits.max_states = states;
    job->limits.max_size = memory;
    job->limits.max_seconds = seconds > 0 ? seconds : 0;
}

void varabs_on_progress(varabs *job, varabs_progress *progress, void *context) {
    if (!job) return;
    job->progress = progress;
    job->context = context;
}

void varabs_cancel(varabs *job) {
    if (job) atomic_store(&job->is_cancelled, true);
}

/* ---- runs ---- */

enum varabs_status job_refuse(varabs *job, enum varabs_status status, const char *note) {
    if (!job) return VARABS_LIMIT;
    made_close(&job->made);
    job->made.note = note;
    return status;
}

enum varabs_status job_run(varabs *job, varabs *second, apart_work *work, const void *request) {
    if (!job) return VARABS_LIMIT;
    made_close(&job->made);
    if (second) made_close(&second->made);
    if (job->lacks_memory || (second && second->lacks_memory))
        return job_refuse(job, VARABS_LIMIT, NO_MEMORY);
    struct watch_run watch = {job->progress, job->context, &job->is_cancelled,
                              job->limits.max_seconds, job->limits.max_size};
    enum varabs_status status = apart(&job->made, work, request, &watch);
    if (second && second != job) {
        second->made.parts[PART_MESSAGES] = job->made.parts[PART_SECOND_MESSAGES];
        job->made.parts[PART_SECOND_MESSAGES] = NULL;
    }
    return status;
}

bool job_load(const varabs *job, struct session *session) {
    const struct str bytes = {job->bytes, job->size};
    return job->bytes ? session_load_bytes(session, job->name, bytes)
                      : session_load(session, job->name);
}

const struct query_source *job_queries(const varabs *job, struct arena *arena, uint32_t *count) {
    uint32_t own = job->queries.count;
    *count = own + job->query_files.count;
    struct query_source *queries = ARENA_ARRAY(arena, struct query_source, *count + 1);
    for (uint32_t i = 0; i < *count; i++)
        queries[i] = i < own ? (struct query_source){job->queries.items[i], false, NULL}
                             : (struct query_source){job->query_files.items[i - own], true, NULL};
    return queries;
}

struct fair_names job_fair_names(const varabs *job, bool is_abstract) {
    const struct text_list *weak = &job->fair[is_abstract ? VARABS_ABSTRACT_WEAK : VARABS_WEAK];
    const struct text_list *strong =
        &job->fair[is_abstract ? VARABS_ABSTRACT_STRONG : VARABS_STRONG];
    return (struct fair_names){weak->items, weak->count, strong->items, strong->count, NULL};
}

struct verify_options job_verify_options(const varabs *job) {
    static const enum engine engines[] = {ENGINE_AUTO, ENGINE_EXPLICIT, ENGINE_SYMBOLIC};
    const long long *settings = job->settings;
    struct verify_options options = {
        .search = job->limits,
        .semantics = settings[VARABS_SEMANTICS] == 2 ? SEMANTICS_KRIPKE : SEMANTICS_UPPAAL,
        .wants_traces = settings[VARABS_TRACES] != 0,
        .fair = job_fair_names(job, false),
        .engine = engines[settings[VARABS_ENGINE]]};
    options.search.is_full = settings[VARABS_FULL] != 0;
    options.search.max_tries = (uint64_t)settings[VARABS_TRIES];
    options.search.jobs = (uint32_t)settings[VARABS_JOBS];
    options.search.progress = run_figures;
    return options;
}

static void tell_stage(const char *stage) { run_tell("making the abstraction: %s", stage); }

struct abstract_options job_abstract_options(const varabs *job) {
    const long long *settings = job->settings;
    struct abstract_options options = {
        .analysis = {.approximation = settings[VARABS_COMBINED] ? APPROX_COMBINED : APPROX_TEMPLATE,
                     .budget = settings[VARABS_BUDGET] ? (uint64_t)settings[VARABS_BUDGET]
                                                       : ANALYSIS_DEFAULT_BUDGET},
        .drops_priorities = settings[VARABS_DROP_PRIORITIES] != 0,
        .explains = settings[VARABS_COMMENTS] != 0,
        .stutters = settings[VARABS_STUTTER] != 0,
        .tell = tell_stage,
    };
    return options;
}

void job_begin_time(const varabs *job) {
    if (job->limits.max_seconds > 0) interrupt_after(job->limits.max_seconds);
}

void job_leave_json(json_t *result) {
    char *text = report_dump(result);
    if (!text) memory_is_over();
    run_leave(PART_JSON, text, strlen(text));
    free(text);
    json_decref(result);
}

struct page_model job_page_model(const varabs *job, const struct session *session) {
    return (struct page_model){job->name, &session->document, session->network};
}

void job_leave_result(const varabs *job, json_t *result, struct result_page page,
                      struct session *session) {
    struct str bytes;
    page.result = result;
    if (job->settings[VARABS_PAGE] &&
        page_make(&bytes, &page, job->name, &session->arena, &session->diag))
        run_leave(PART_PAGE, bytes.data, bytes.size);
    job_leave_json(result);
}

/* In front of each of several; a NUL stands behind. */
struct pack_head {
    uint64_t number, size;
};

void job_pack(struct buffer *parts, uint32_t number, struct str bytes) {
    const struct pack_head head = {number, bytes.size};
    buffer_add(parts, (const char *)&head, sizeof head);
    buffer_add(parts, bytes.data, bytes.size);
    buffer_add(parts, "", 1);
}

/* One of several, whose sizes are not trusted. */
static const char *unpack(const varabs *job, enum made_part part, unsigned number, size_t *size) {
    const char *bytes = job ? job->made.parts[part] : NULL;
    size_t left = bytes ? job->made.sizes[part] : 0;
    struct pack_head head;
    if (size) *size = 0;
    for (; left > sizeof head; bytes += head.size + 1, left -= (size_t)head.size + 1) {
        memcpy(&head, bytes, sizeof head);
        bytes += sizeof head;
        left -= sizeof head;
        if (head.size >= left) return NULL;
        if (head.number != number) continue;
        if (size) *size = (size_t)head.size;
        return bytes;
    }
    return NULL;
}

enum varabs_status job_finish(struct session *session, enum made_part part,
                              enum varabs_status status) {
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
    return own == STATUS_DONE ? status : (enum varabs_status)own;
}

/* ---- results ---- */

static const char *part_of(const varabs *job, enum made_part part, size_t *size) {
    if (size) *size = job ? job->made.sizes[part] : 0;
    return job ? job->made.parts[part] : NULL;
}

const char *varabs_output(const varabs *job, size_t *size) {
    return part_of(job, PART_OUTPUT, size);
}

const char *varabs_page(const varabs *job, size_t *size) { return part_of(job, PART_PAGE, size); }

const char *varabs_code(const varabs *job, size_t *size) { return part_of(job, PART_CODE, size); }

const char *varabs_chart(const varabs *job, unsigned query, size_t *size) {
    return unpack(job, PART_CHARTS, query, size);
}

const char *varabs_run_model(const varabs *job, unsigned query, size_t *size) {
    return unpack(job, PART_RUN_MODELS, query, size);
}

const char *varabs_json(const varabs *job) { return job ? job->made.parts[PART_JSON] : NULL; }

const char *varabs_messages(const varabs *job) {
    const char *messages = job ? job->made.parts[PART_MESSAGES] : NULL;
    if (messages) return messages;
    return job && job->made.note ? job->made.note : "";
}

int varabs_is_exact(const varabs *job) {
    const char *exact = job ? job->made.parts[PART_EXACT] : NULL;
    return exact && *exact;
}
