/* Jobs, their arguments and their results. */
#include "api/job_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

const char *varabs_version(void) { return VARABS_VERSION; }

/* ---- memory that may not be there ---- */

static char *copy_bytes(const void *bytes, size_t size) {
    assert(bytes || !size);
    char *copy = malloc(size + 1);
    if (!copy) return NULL;
    if (size) memcpy(copy, bytes, size);
    copy[size] = 0;
    return copy;
}

/* NULL is as an empty text, which the run finds wrong. */
static char *copy_text(const char *text) { return copy_bytes(text, text ? strlen(text) : 0); }

static bool add_text(struct text_list *texts, const char *text) {
    assert(texts->count <= texts->capacity);
    if (texts->count == texts->capacity) {
        uint32_t capacity = texts->capacity ? 2 * texts->capacity : 4;
        const char **items = realloc(texts->items, capacity * sizeof *items);
        if (!items) return false;
        texts->items = items;
        texts->capacity = capacity;
    }
    const char *copy = copy_text(text);
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
    job->settings[VARABS_SYMMETRY] = 1;
    job->name = copy_text(path);
    if (job->name) return job;
    free(job);
    return NULL;
}

varabs *varabs_open_bytes(const char *name, const void *bytes, size_t size) {
    varabs *job = varabs_open(name);
    if (!job) return NULL;
    job->size = bytes ? size : 0;
    job->bytes = copy_bytes(bytes, job->size);
    if (job->bytes) return job;
    varabs_close(job);
    return NULL;
}

varabs *varabs_open_made(const char *name, const void *bytes, size_t size, const char *report) {
    varabs *job = varabs_open_bytes(name, bytes, size);
    if (!job) return NULL;
    job->report = copy_text(report);
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
    for (int i = 0; i < LIST_COUNT; i++) close_texts(&job->lists[i]);
    close_texts(&job->queries);
    close_texts(&job->query_files);
    close_texts(&job->actions);
    close_texts(&job->favoured);
    close_texts(&job->without);
    made_close(&job->made);
    free(job->name);
    free(job->bytes);
    free(job->report);
    free(job->report_path);
    free(job);
}

/* ---- arguments ---- */

static void add(varabs *job, struct text_list *texts, const char *text) {
    if (!add_text(texts, text)) job->lacks_memory = true;
}

static void list(varabs *job, int number, const char *text) {
    if (job) add(job, &job->lists[number], text);
}

void varabs_remove(varabs *job, const char *variables) { list(job, LIST_REMOVE, variables); }
void varabs_merge(varabs *job, const char *definition) { list(job, LIST_MERGE, definition); }
void varabs_spec(varabs *job, const char *path) { list(job, LIST_SPEC, path); }
void varabs_ignore(varabs *job, const char *variables) { list(job, LIST_IGNORE, variables); }
void varabs_visible(varabs *job, const char *name) { list(job, LIST_VISIBLE, name); }
void varabs_hide(varabs *job, const char *name) { list(job, LIST_HIDE, name); }
void varabs_checked(varabs *job, const char *path) { list(job, LIST_CHECKED, path); }

void varabs_query(varabs *job, const char *query) {
    if (job) add(job, &job->queries, query);
}

void varabs_queries(varabs *job, const char *path) {
    if (job) add(job, &job->query_files, path);
}

void varabs_actions(varabs *job, const char *path) {
    if (job) add(job, &job->actions, path);
}

void varabs_favour(varabs *job, const char *agents) {
    if (job) add(job, &job->favoured, agents);
}

void varabs_without(varabs *job, const char *processes) {
    if (job) add(job, &job->without, processes);
}

void varabs_report(varabs *job, const char *path) {
    if (!job) return;
    free(job->report_path);
    job->report_path = copy_text(path);
    if (!job->report_path) job->lacks_memory = true;
}

enum varabs_status varabs_fair(varabs *job, enum varabs_fairness kind, const char *name) {
    if (!job) return VARABS_LIMIT;
    if ((int)kind < 0 || (int)kind >= FAIR_KINDS) return VARABS_USAGE;
    add(job, &job->lists[LIST_WEAK + kind], name);
    return VARABS_DONE;
}

enum varabs_status varabs_set(varabs *job, enum varabs_setting setting, long long value) {
    static const struct {
        long long least, most;
    } ranges[SETTING_COUNT] = {
        [VARABS_STUTTER] = {0, 1},     [VARABS_DROP_PRIORITIES] = {0, 1},
        [VARABS_COMMENTS] = {0, 1},    [VARABS_COMBINED] = {0, 1},
        [VARABS_FULL] = {0, 1},        [VARABS_BUDGET] = {1, 1000000000},
        [VARABS_TRACES] = {0, 1},      [VARABS_SEMANTICS] = {0, 2},
        [VARABS_ENGINE] = {0, 2},      [VARABS_TRIES] = {0, 1LL << 62},
        [VARABS_JOBS] = {0, 1024},     [VARABS_OBSERVE] = {0, 1},
        [VARABS_FAILURES] = {0, 1},    [VARABS_MEASURE] = {0, 1},
        [VARABS_AUTO] = {0, 1},        [VARABS_NO_LOOK] = {0, 1},
        [VARABS_AGENTS] = {0, 1},      [VARABS_PAGE] = {0, 1},
        [VARABS_CHARTS] = {0, 1},      [VARABS_RUN_MODELS] = {0, 1},
        [VARABS_EXPLORE] = {0, 1},     [VARABS_UNTIME] = {0, 1},
        [VARABS_SYMMETRY] = {0, 2},    [VARABS_TIKZ] = {0, 1},
        [VARABS_ASSUME_LIVE] = {0, 1}, [VARABS_INEXACT] = {0, 1},
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

/* ---- results ---- */

/* One of several, whose sizes are not trusted. */
static const char *unpack(const varabs *job, enum made_part part, unsigned number, size_t *size) {
    assert(part == PART_CHARTS || part == PART_RUN_MODELS);
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

static const char *part_of(const varabs *job, enum made_part part, size_t *size) {
    assert(part != PART_CHARTS && part != PART_RUN_MODELS); /* several in one: unpack */
    if (size) *size = job ? job->made.sizes[part] : 0;
    return job ? job->made.parts[part] : NULL;
}

const char *varabs_output(const varabs *job, size_t *size) {
    return part_of(job, PART_OUTPUT, size);
}

const char *varabs_page(const varabs *job, size_t *size) { return part_of(job, PART_PAGE, size); }

const char *varabs_code(const varabs *job, size_t *size) { return part_of(job, PART_CODE, size); }

const char *varabs_csv(const varabs *job, size_t *size) { return part_of(job, PART_CSV, size); }

const char *varabs_latex(const varabs *job, size_t *size) { return part_of(job, PART_LATEX, size); }

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
