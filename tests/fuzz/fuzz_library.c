/* Calls the library: the first file of an archive, `args`, has a call in each line, as the names of
 * varabs.h without their beginning and one argument, and the others are what calls may read. Runs
 * happen here, not in a process of their own, so that the fuzzer sees them. Whatever was called
 * before, results are complete and can be read. */
#define _DEFAULT_SOURCE /* mkdtemp, strndup */
#include "archive.h"

#include "api/apart.h"
#include "base/interrupt.h"

#include <jansson.h>

enum { MAX_CALLS = 40 };

/* In place of api/apart.c. */

static struct made *made_now;

void made_close(struct made *made) {
    for (int i = 0; i < PART_COUNT; i++) free(made->parts[i]);
    *made = (struct made){.note = NULL};
}

void run_leave(enum made_part part, const char *bytes, size_t size) {
    require(part < PART_COUNT && !made_now->parts[part]);
    char *copy = malloc(size + 1);
    require(copy != NULL);
    if (size) memcpy(copy, bytes, size);
    copy[size] = 0;
    made_now->parts[part] = copy;
    made_now->sizes[part] = size;
}

void run_say(const char *text) { require(*text != 0); }

void run_figures(void *context, const struct search_figures *figures) {
    (void)context;
    require(figures->seconds >= 0);
}

enum varabs_status apart(struct made *made, apart_work *work, const void *request,
                         const struct watch_run *watch) {
    made_now = made;
    interrupt_take_time();
    require(!atomic_load(watch->is_cancelled));
    return work(request);
}

/* Calls */

/* Jobs that calls are about; the second is that of a run with two. */
static varabs *jobs[2];

static const struct argument {
    const char *name;
    void (*call)(varabs *job, const char *text);
} arguments[] = {
    {"remove", varabs_remove},   {"merge", varabs_merge},     {"spec", varabs_spec},
    {"query", varabs_query},     {"queries", varabs_queries}, {"ignore", varabs_ignore},
    {"visible", varabs_visible}, {"hide", varabs_hide},       {"actions", varabs_actions},
    {"checked", varabs_checked}, {"report", varabs_report},
};

static bool call_argument(const char *name, const char *text) {
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++) {
        if (strcmp(name, arguments[i].name) != 0) continue;
        /* No file but those of the archive. */
        if (!strchr(text, '/') && text[0] != '.') arguments[i].call(jobs[0], text);
        return true;
    }
    return false;
}

static void limit(varabs *job) {
    varabs_limit(job, 2000, 64 << 20, 10);
    varabs_set(job, VARABS_JOBS, 1);
}

static void replace(int index, varabs *job) {
    varabs_close(jobs[index]);
    jobs[index] = job;
    limit(job);
}

static bool call_job(const char *name, const char *text) {
    if (!strcmp(name, "set")) {
        char *end;
        long setting = strtol(text, &end, 10);
        if (setting != VARABS_JOBS)
            varabs_set(jobs[0], (enum varabs_setting)setting, strtoll(end, NULL, 10));
    } else if (!strcmp(name, "fair")) {
        varabs_fair(jobs[0], (enum varabs_fairness)(*text - '0'), *text ? text + 1 : text);
    } else if (!strcmp(name, "open") && !strchr(text, '/')) {
        replace(0, varabs_open(text));
    } else if (!strcmp(name, "open_bytes")) {
        replace(0, varabs_open_bytes("bytes", text, strlen(text)));
    } else if (!strcmp(name, "open_output")) {
        replace(1, varabs_open_output(jobs[0]));
    } else if (!strcmp(name, "swap")) {
        varabs *first = jobs[0];
        jobs[0] = jobs[1];
        jobs[1] = first;
    } else {
        return false;
    }
    return true;
}

/* Runs */

static void check_bytes(const char *bytes, size_t size) { require(bytes ? !bytes[size] : !size); }

static void check_results(enum varabs_status status) {
    const varabs *job = jobs[0];
    size_t size;
    const char *json = varabs_json(job), *bytes = varabs_output(job, &size);
    require(status <= VARABS_LIMIT && varabs_messages(job) != NULL);
    check_bytes(bytes, size);
    bytes = varabs_page(job, &size);
    check_bytes(bytes, size);
    bytes = varabs_code(job, &size);
    check_bytes(bytes, size);
    for (unsigned i = 0; i < 3; i++) {
        bytes = varabs_chart(job, i, &size);
        check_bytes(bytes, size);
        bytes = varabs_run_model(job, i, &size);
        check_bytes(bytes, size);
    }
    require(status != VARABS_VIOLATED || json);
    bool is_silent = !*varabs_messages(job) && !*varabs_messages(jobs[1]);
    require(!job || status == VARABS_DONE || json || !is_silent);
    if (!json) return;
    json_t *parsed = json_loads(json, JSON_REJECT_DUPLICATES, NULL);
    require(parsed != NULL);
    json_decref(parsed);
}

/* A model that was written can be read. */
static void check_model(enum varabs_status status) {
    varabs *output = varabs_open_output(jobs[0]);
    require(status != VARABS_DONE || !jobs[0] || output);
    if (!output) return;
    limit(output);
    require(varabs_info(output) == VARABS_DONE);
    varabs_close(output);
}

static bool run(const char *name, int how) {
    varabs *job = jobs[0], *other = jobs[1];
    enum varabs_status status;
    if (!strcmp(name, "abstract")) {
        status = varabs_abstract(job, (enum varabs_mode)how);
        if (status <= VARABS_VIOLATED) check_model(status);
    } else if (!strcmp(name, "check")) {
        status = varabs_check(job);
    } else if (!strcmp(name, "concretize")) {
        status = varabs_concretize(job, other);
    } else if (!strcmp(name, "decide")) {
        status = varabs_decide(job);
    } else if (!strcmp(name, "suggest")) {
        status = varabs_suggest(job);
    } else if (!strcmp(name, "certify")) {
        status = varabs_certify(job, other, (enum varabs_relation)how);
    } else if (!strcmp(name, "refines")) {
        status = varabs_refines(job, other);
    } else if (!strcmp(name, "info")) {
        status = varabs_info(job);
    } else if (!strcmp(name, "export")) {
        status = varabs_export(job, "code.c");
    } else if (!strcmp(name, "draw")) {
        status = varabs_draw(job, other, NULL);
    } else {
        return false;
    }
    check_results(status);
    return true;
}

static void call_all(char *calls) {
    char *at, *line = strtok_r(calls, "\n", &at);
    for (int i = 0; line && i < MAX_CALLS; i++, line = strtok_r(NULL, "\n", &at)) {
        char *text = strchr(line, ' ');
        if (text) *text++ = 0;
        if (!text) text = "";
        if (!call_argument(line, text) && !call_job(line, text)) run(line, atoi(text));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = strndup((const char *)data, size);
    int home = enter_folder();
    char *calls = unpack(text);
    free(text);
    if (calls) call_all(calls);
    free(calls);
    for (int i = 0; i < 2; i++) {
        varabs_close(jobs[i]);
        jobs[i] = NULL;
    }
    check_folder();
    require(!fchdir(home) && !close(home));
    return 0;
}
