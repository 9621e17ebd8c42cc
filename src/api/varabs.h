/* varabs.h - libvarabs: abstract and check Uppaal models without clocks, as the program varabs
 * does.
 *
 * A job holds a model and what is to be done with it. Its functions may be called several times and
 * in any order; each run reads the model anew. Arguments are those of the program's options,
 * results are the JSON of its reports (see schemas/).
 *
 * Ownership: what a function takes is copied. What it returns belongs to the job, and is valid
 * until the next run or varabs_close.
 *
 * Errors: a status; the messages say what is wrong, with line and column of the model. Where memory
 * runs out, the process ends with status 5, as the program does.
 *
 * Threads: different jobs may be used in different threads. The first job makes Jansson allocate in
 * this way, too (json_set_alloc_funcs).
 */
#ifndef VARABS_H
#define VARABS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined __GNUC__
#define VARABS_API __attribute__((visibility("default")))
#else
#define VARABS_API
#endif

typedef struct varabs varabs;

/* As the exit statuses of the program. */
enum varabs_status {
    VARABS_DONE = 0,
    VARABS_VIOLATED = 1,    /* some query is violated, or it is no refinement */
    VARABS_USAGE = 2,       /* an argument is wrong */
    VARABS_INVALID = 3,     /* the model cannot be read or is not valid Uppaal */
    VARABS_UNSUPPORTED = 4, /* valid, but not supported: clocks and the like */
    VARABS_LIMIT = 5        /* a budget, memory or time limit, or a full disk, ended the run */
};

enum varabs_mode { VARABS_MAY, VARABS_MUST, VARABS_MUST_LOWER };

/* "0.1.0" */
VARABS_API const char *varabs_version(void);

/* A job for the model in a file, which each run reads. Never NULL. */
VARABS_API varabs *varabs_open(const char *path);
/* The same for bytes in memory; the name is used in messages. */
VARABS_API varabs *varabs_open_bytes(const char *name, const void *bytes, size_t size);
VARABS_API void varabs_close(varabs *job); /* NULL is fine */

/* As --remove, --merge and --query; may be called several times. */
VARABS_API void varabs_remove(varabs *job, const char *variables);
VARABS_API void varabs_merge(varabs *job, const char *definition);
VARABS_API void varabs_query(varabs *job, const char *query);
/* As --visible of varabs refines, one name; may be called several times. */
VARABS_API void varabs_visible(varabs *job, const char *name);
/* As --max-states, --max-memory (bytes) and --timeout; 0 = no limit of this kind. */
VARABS_API void varabs_limit(varabs *job, unsigned long long states, size_t memory, double seconds);

/* Makes an abstraction: varabs_output has the new model, varabs_json its report. */
VARABS_API enum varabs_status varabs_abstract(varabs *job, enum varabs_mode mode);
/* Explores the model and answers the queries given or else its own: varabs_json has the result. */
VARABS_API enum varabs_status varabs_check(varabs *job);

/* Whether what a model does, seen by its actions, is done by another one, too (varabs refines):
 * VARABS_VIOLATED if not; varabs_json of the first job has the result. Actions and limits are those
 * of the first job; two jobs are needed for one model, too. */
VARABS_API enum varabs_status varabs_refines(varabs *job, varabs *abstract);

/* What the last run made; NULL if it made none. */
VARABS_API const char *varabs_output(const varabs *job, size_t *size);
VARABS_API const char *varabs_json(const varabs *job);
/* Errors and warnings of the last run, a line each; "" without any. */
VARABS_API const char *varabs_messages(const varabs *job);
/* Whether the abstraction of the last run is exact: every verdict about states and runs
 * carries over, but none about what a process knows that sees what was removed. */
VARABS_API int varabs_is_exact(const varabs *job);

#ifdef __cplusplus
}
#endif

#endif
