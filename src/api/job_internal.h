/* JOB - what a job of the library holds, and what the files of this folder share.
 *
 * Lifetime: a job owns plain heap memory, as arenas end the process where there is none. What a run
 *           does is done in a process of its own (api/apart.h), by a function that
 *           leaves its results there.
 */
#ifndef VARABS_API_JOB_INTERNAL_H
#define VARABS_API_JOB_INTERNAL_H

#include "api/varabs.h"

#include "abstract/fold/model.h"
#include "api/apart.h"
#include "explore/verdict/verify.h"
#include "page/page.h"
#include "report/json.h"
#include "session/queries.h"

#include <stdatomic.h>

enum { SETTING_COUNT = VARABS_EXPLORE + 1, FAIR_KINDS = VARABS_ABSTRACT_STRONG + 1 };

/* Copies of texts. */
struct text_list {
    const char **items;
    uint32_t count, capacity;
};

struct varabs {
    char *name, *bytes; /* bytes: NULL if the name is that of a file */
    size_t size;
    char *report; /* of the abstraction that made it; or NULL */
    char *report_path;
    struct text_list removals, merges, specs, ignored, visible, hidden, actions, checked;
    struct text_list queries, query_files; /* in this order */
    struct text_list fair[FAIR_KINDS];     /* by enum varabs_fairness */
    long long settings[SETTING_COUNT];
    struct search_options limits;
    bool lacks_memory; /* for some argument: no run is right without it */
    varabs_progress *progress;
    void *context;
    atomic_bool is_cancelled;
    struct made made; /* by the last run */
};

#define NO_MEMORY "varabs: error: out of memory\n"

/* Leaves nothing of the last run but a note, which is static, for the messages. */
enum varabs_status job_refuse(varabs *job, enum varabs_status status, const char *note);
/* Does some work for a job, apart from this process, and takes over what it leaves; the messages
 * about the second model go to the second job, if there is one. */
enum varabs_status job_run(varabs *job, varabs *second, apart_work *work, const void *request);

/* ---- what works have in common, in their process ---- */

/* Two models, and how they are compared; or one. */
struct models {
    const varabs *job, *second;
    int how;
    const char *name;
};

/* Loads the model of a job. False (reported); close the session in any case. */
bool job_load(const varabs *job, struct session *session);
const struct query_source *job_queries(const varabs *job, struct arena *arena, uint32_t *count);
struct verify_options job_verify_options(const varabs *job);
/* What runs are fair to, of the model or else of the abstract one. */
struct fair_names job_fair_names(const varabs *job, bool is_abstract);
struct abstract_options job_abstract_options(const varabs *job);
/* For work that minds interrupts, and no limit of its own. */
void job_begin_time(const varabs *job);

/* Leaves a result, which is given up. */
void job_leave_json(json_t *result);
/* The same, and if asked for a page of it, with the other members of the page. */
void job_leave_result(const varabs *job, json_t *result, struct result_page page,
                      struct session *session);
struct page_model job_page_model(const varabs *job, const struct session *session);
/* Adds one of several to a part. */
void job_pack(struct buffer *parts, uint32_t number, struct str bytes);
/* Leaves the messages of a session, and closes it. What its errors are, or else the status. */
enum varabs_status job_finish(struct session *session, enum made_part part,
                              enum varabs_status status);

#endif
