/* varabs.h - libvarabs: abstract, check and draw Uppaal models, as the program
 * varabs does.
 *
 * A job holds a model, and what is to be done with it: variables to remove, queries, settings and
 * limits. Its runs (varabs_abstract and the functions after it) may be called several times and in
 * any order. Each run reads the model anew. Results are the JSON that the program writes (see
 * schemas/). Models and drawings are bytes.
 *
 * Ownership: arguments of functions are copied, except jobs, which are borrowed for the call. What
 * a function returns belongs to the job, and is valid until its next run or varabs_close. A job
 * that a function returns belongs to the caller. A text that is NULL counts as an empty one, which
 * is wrong for most arguments and is then found by the run.
 *
 * Errors: functions return a status. Messages say what is wrong, with line and column of the model.
 * Each run is a separate process, a child of the caller. If it crashes, the caller continues. If it
 * has no memory left, or is killed for that or by a signal from elsewhere, the status is
 * VARABS_LIMIT. A job may be NULL everywhere, and is NULL if there was no memory for it. Its runs
 * then have the status VARABS_LIMIT, and its results are NULL.
 *
 * Threads: different jobs may be used in different threads. One job may be used in one thread at a
 * time, also as the second one of a run; only varabs_cancel may be called from any thread. The
 * child has copies of the descriptors that are open in the caller, and runs no signal handlers of
 * the caller. Its end is a SIGCHLD for the caller, which should leave waiting for it to the
 * library. Otherwise runs still have their results, but the status of every crash is VARABS_DEFECT.
 * The caller may fork at any time. Runs continue in the process that called them, and end with it.
 * The new process may call runs, too.
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

/* Up to VARABS_LIMIT as the exit statuses of the program. */
enum varabs_status {
    VARABS_DONE = 0,
    VARABS_VIOLATED = 1,    /* some query is violated, or it is no abstraction or refinement */
    VARABS_USAGE = 2,       /* an argument is wrong */
    VARABS_INVALID = 3,     /* the model cannot be read or is not valid Uppaal */
    VARABS_UNSUPPORTED = 4, /* valid, but not supported: clocks and the like */
    VARABS_LIMIT = 5,       /* a limit or varabs_cancel ended the run, or there was no memory */
    VARABS_DEFECT = 6       /* the run broke down by a mistake in varabs; please report it */
};

/* "0.2.0" */
VARABS_API const char *varabs_version(void);

/* ---- jobs ---- */

/* A job for the model in a file, which each run reads. NULL if there is no memory. */
VARABS_API varabs *varabs_open(const char *path);
/* The same for bytes in memory; the name is used in messages. */
VARABS_API varabs *varabs_open_bytes(const char *name, const void *bytes, size_t size);
/* A new job for the model that the last run of varabs_abstract made, without arguments. It
 * remembers the report for varabs_certify. NULL if there is no such model, or no memory. */
VARABS_API varabs *varabs_open_output(const varabs *job);
/* The same from bytes in memory: the model, and its report as varabs_json had it. */
VARABS_API varabs *varabs_open_made(const char *name, const void *bytes, size_t size,
                                    const char *report);
VARABS_API void varabs_close(varabs *job);

/* ---- arguments ---- */

/* As the options --remove, --merge, --spec (a file), --query, --queries (a file), --ignore,
 * --visible, --hide, --actions (a file) and --checked (a file); each may be called several times,
 * but of --actions the last one counts. An argument that is wrong is found by the run. */
VARABS_API void varabs_remove(varabs *job, const char *variables);
VARABS_API void varabs_merge(varabs *job, const char *definition);
VARABS_API void varabs_spec(varabs *job, const char *path);
VARABS_API void varabs_query(varabs *job, const char *query);
VARABS_API void varabs_queries(varabs *job, const char *path);
VARABS_API void varabs_ignore(varabs *job, const char *variables);
VARABS_API void varabs_visible(varabs *job, const char *name);
VARABS_API void varabs_hide(varabs *job, const char *name);
VARABS_API void varabs_actions(varabs *job, const char *path);
VARABS_API void varabs_checked(varabs *job, const char *path);
/* As the options --favour and --without, of abstract; may be called several times. */
VARABS_API void varabs_favour(varabs *job, const char *agents);
VARABS_API void varabs_without(varabs *job, const char *processes);
/* Of the abstract job of varabs_certify: as the option --report (a file); the last one counts. */
VARABS_API void varabs_report(varabs *job, const char *path);

enum varabs_fairness { VARABS_WEAK, VARABS_STRONG, VARABS_ABSTRACT_WEAK, VARABS_ABSTRACT_STRONG };
/* As the options --weak, --strong, --abstract-weak and --abstract-strong with one name, of check
 * and, in the first job, of refines; may be called several times. VARABS_USAGE for another kind. */
VARABS_API enum varabs_status varabs_fair(varabs *job, enum varabs_fairness kind, const char *name);

/* Numbers after the meaning are the values that a setting may have; the first is what holds if it
 * is not set. */
enum varabs_setting {
    VARABS_STUTTER = 1,     /* --stutter, of abstract and certify: 0, 1 */
    VARABS_DROP_PRIORITIES, /* --drop-priorities, of abstract and decide: 0, 1 */
    VARABS_COMMENTS,        /* --comments, of abstract: 0, 1 */
    VARABS_COMBINED,        /* --approx combined, of abstract, suggest, decide and info: 0, 1 */
    VARABS_BUDGET,          /* --budget, evaluations per edge: 20000, 1 .. 10^9 */
    VARABS_SEMANTICS,       /* --semantics, of check and decide: 0 not named, 1 uppaal, 2 kripke */
    VARABS_ENGINE,          /* --engine, of check and certify: 0 auto, 1 explicit, 2 symbolic */
    VARABS_FULL,            /* --full, of check and refines: 0, 1 */
    VARABS_TRACES,          /* --trace, of check, decide and refines: 1, 0 */
    VARABS_TRIES,           /* --tries, of check: 0 = 1 million, 1 .. 2^62 */
    VARABS_JOBS,            /* --jobs, of all that explore: 0 = processors, 1 .. 1024 */
    VARABS_OBSERVE,         /* --observe, of certify: 0, 1 */
    VARABS_FAILURES,        /* --model failures, of refines: 0, 1 */
    VARABS_MEASURE,         /* --measure, of suggest: 0, 1 */
    VARABS_AUTO,            /* --auto, of grid, and of abstract without anything to remove: 0, 1 */
    VARABS_NO_LOOK,         /* --no-look, of decide: 0, 1 */
    VARABS_AGENTS,          /* --agents, of info: 0, 1 */
    VARABS_PAGE,            /* --html, of all runs but draw, info and export: 0, 1 */
    VARABS_CHARTS,          /* --msc, of check: 0, 1 */
    VARABS_RUN_MODELS,      /* --run-model, of check: 0, 1 */
    VARABS_EXPLORE,         /* --explore, of abstract, without VARABS_AUTO: 0, 1 */
    VARABS_UNTIME,          /* --untime, of abstract and decide: 0, 1 */
    VARABS_SYMMETRY,        /* --symmetry: 0 off, 1 auto (default), 2 report */
    VARABS_TIKZ,            /* draw: for LaTeX, in place of SVG: 0, 1 */
    VARABS_ASSUME_LIVE,     /* --assume-live, of abstract: 0, 1 */
    VARABS_INEXACT          /* --inexact, of abstract, with VARABS_AUTO: 0, 1 */
};
/* Settings that a run does not name mean nothing to it. VARABS_USAGE, and nothing is changed, for
 * an unknown setting or a value that it cannot have. */
VARABS_API enum varabs_status varabs_set(varabs *job, enum varabs_setting setting, long long value);
/* As --max-states, --max-memory (bytes) and --timeout; 0 = no limit of this kind, but
 * for memory, where it is 90 % of what is available. Negative seconds are as 0. */
VARABS_API void varabs_limit(varabs *job, unsigned long long states, size_t memory, double seconds);

/* ---- while it runs ---- */

/* What a run is at; 0 where that is not known. */
struct varabs_figures {
    const char *stage;         /* in a few words; valid during the call only */
    unsigned long long states; /* explored so far */
    unsigned long long queue;  /* of these, not yet expanded */
    unsigned long long nodes;  /* of sets of states, where there are no single ones */
    unsigned long long bytes;  /* that these need */
    double seconds;            /* since the run began */
};
/* Called some times a second during runs, in the thread that called them; a value other than 0
 * ends the run as varabs_cancel does. It must not use the job for anything but varabs_cancel. */
typedef int varabs_progress(void *context, const struct varabs_figures *figures);
/* NULL for none. */
VARABS_API void varabs_on_progress(varabs *job, varabs_progress *progress, void *context);
/* Ends the run of the job that is going on, or else the next one: soon, and with what is known by
 * then. In any thread, and in handlers of signals. */
VARABS_API void varabs_cancel(varabs *job);

/* ---- runs ---- */

enum varabs_mode { VARABS_MAY, VARABS_MUST, VARABS_MUST_LOWER, VARABS_MIXED };
/* Makes an abstraction (varabs IN.xml): varabs_output has the new model, varabs_json its report.
 * VARABS_MIXED: varabs_check of the output gives verdicts of the original, or "unknown"; with
 * varabs_favour the output is for one coalition, and other tools can check it.
 * What carries over to the original is said there, and whether that has runtime errors, which is
 * the condition of all of it (`condition`); rules A, M, U, S, X and V. Queries count only with
 * VARABS_AUTO, or where a file of varabs_spec normalises: what they ask is kept; and with
 * VARABS_MIXED, which writes them into the output. */
VARABS_API enum varabs_status varabs_abstract(varabs *job, enum varabs_mode mode);

/* Explores the model and answers the queries given or else its own: varabs_json has the result.
 * VARABS_VIOLATED if all have an answer and one is violated. */
VARABS_API enum varabs_status varabs_check(varabs *job);
/* The same for a model that is an abstraction of another one, and looks for each run that answers
 * a query in that one, too (varabs check --concretize). Variables of varabs_ignore are not
 * compared. */
VARABS_API enum varabs_status varabs_concretize(varabs *job, varabs *original);

/* Decides the queries given or else its own by abstractions from coarse to fine; varabs_json has
 * the verdicts, which are those of the model if this has no runtime errors (`condition`).
 * VARABS_VIOLATED as
 * above; the seconds of varabs_limit are for all queries together. */
VARABS_API enum varabs_status varabs_decide(varabs *job);

/* Which variables could be removed such that the queries given or else its own keep their answers
 * (X1), and which others; what is worth how many states. varabs_json has it. */
VARABS_API enum varabs_status varabs_suggest(varabs *job);

enum varabs_relation { VARABS_IS_MAY, VARABS_IS_MUST, VARABS_IS_EXACT };
/* Whether one model is an abstraction of another, step by step: VARABS_VIOLATED if not; varabs_json
 * of the first job has the result. Variables to ignore, settings and limits are those of the first
 * job. What a report says of names is taken from an abstract job of varabs_open_output. */
VARABS_API enum varabs_status varabs_certify(varabs *job, varabs *abstract,
                                             enum varabs_relation relation);

/* Whether what a model does, seen by its actions, is done by another one, too (varabs refines):
 * VARABS_VIOLATED if not; varabs_json of the first job has the result. Actions, settings and limits
 * are those of the first job. */
VARABS_API enum varabs_status varabs_refines(varabs *job, varabs *abstract);

/* Lists the templates and variables of the model, and whether the removal of each, alone, would be
 * exact; or, with VARABS_AGENTS, what agents observe: varabs_json has it. */
VARABS_API enum varabs_status varabs_info(varabs *job);

/* Writes the model for Spin: varabs_output has it. What Spin does not take in one file is in
 * varabs_code, and is included by the name given. */
VARABS_API enum varabs_status varabs_export(varabs *job, const char *code_name);

/* Draws the templates of the model, or what changed between it and another one, which may be NULL:
 * varabs_output has the SVG, or with VARABS_TIKZ the document for LaTeX. Only the template of that
 * name unless it is NULL. The models need not be valid Uppaal. */
VARABS_API enum varabs_status varabs_draw(varabs *job, varabs *after, const char *template_name);

/* Which abstractions a grid has of each removal. */
enum varabs_grid_modes { VARABS_GRID_MAY, VARABS_GRID_MUST, VARABS_GRID_BOTH };
/* Compares abstractions with the original (varabs grid): each call of varabs_remove, varabs_merge
 * and varabs_spec names one by itself, and VARABS_AUTO one more. varabs_json has the table,
 * varabs_csv and varabs_latex have it in these forms. The limits are those of each row;
 * VARABS_LIMIT if a row is not complete. */
VARABS_API enum varabs_status varabs_grid(varabs *job, enum varabs_grid_modes modes);

/* ---- results ---- */

/* What the last run made, with a NUL after it; NULL if it made none. The size in bytes goes to
 * *size unless size is NULL. */
VARABS_API const char *varabs_output(const varabs *job, size_t *size);
VARABS_API const char *varabs_json(const varabs *job);
/* With VARABS_PAGE: a result as a page to look at, which needs nothing from elsewhere. */
VARABS_API const char *varabs_page(const varabs *job, size_t *size);
/* Of the run that answers a query, by its number in the result, from 0: with VARABS_CHARTS a
 * message sequence chart, as SVG; with VARABS_RUN_MODELS the model in which only that run is
 * possible. NULL where there is no run, or no such model; the messages say why. */
VARABS_API const char *varabs_chart(const varabs *job, unsigned query, size_t *size);
VARABS_API const char *varabs_run_model(const varabs *job, unsigned query, size_t *size);
/* Of varabs_grid: the table as comma-separated values, and for LaTeX. */
VARABS_API const char *varabs_csv(const varabs *job, size_t *size);
VARABS_API const char *varabs_latex(const varabs *job, size_t *size);
/* Of varabs_export; NULL if the model has all of it. */
VARABS_API const char *varabs_code(const varabs *job, size_t *size);
/* Errors and warnings of the last run, a line each; "" without any. Those about the second of two
 * models are that one's. */
VARABS_API const char *varabs_messages(const varabs *job);
/* Whether the abstraction of the last run is exact: every verdict about states and runs
 * carries over, but none about what a process knows that sees what was removed, and, where only
 * exploring has shown it (`shown` in the JSON), none about what processes know and can bring about.
 */
VARABS_API int varabs_is_exact(const varabs *job);

#ifdef __cplusplus
}
#endif

#endif
