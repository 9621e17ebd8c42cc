/* ERRORS - what is known of runtime errors of the original, where something hangs on it (V14).
 *
 * Where an update fails, the original has no step. What takes a step there all the same, as a value
 * stands for another one with which the update fails, or as what fails is gone, has the same
 * verdicts if the original has no runtime errors. Whoever relies on that asks first.
 *
 * Lifetime: of whoever has the original; what is found of the first error is his, too.
 */
#pragma once

#include "model/network.h"

enum known_errors {
    ERRORS_UNKNOWN, /* claims that rely on there being none are said with that condition */
    ERRORS_NONE,    /* they hold without it */
    ERRORS_SOME     /* nothing relies on that */
};

struct trace;

/* Which items of updates may fail, all of a model in the order of its edges; of the document that
 * was looked at last, which mostly is the original's. */
struct item_failures {
    char document[65]; /* its digest, "" = none */
    const bool *may_fail;
};

struct original_errors {
    /* Finds out, at most once; NULL = nothing is known, ever. */
    enum known_errors (*find)(struct original_errors *errors);
    void *context;
    struct arena *arena; /* of what is remembered; NULL = nothing is */
    /* made */
    bool is_asked;
    enum known_errors known;
    uint64_t states;         /* ERRORS_NONE: so many were explored, all there are; */
    struct fault first;      /* ERRORS_SOME: the first error, */
    const struct trace *run; /* and a run to it, or NULL */
    struct item_failures failures;
};

/* NULL: nothing is known. */
enum known_errors errors_known(struct original_errors *errors);

/* Whether it is known already that there are some. */
bool errors_are_found(const struct original_errors *errors);

/* An evaluation that may fail, in words: "P: a -> b: n++". */
const char *failure_text(struct arena *arena, const struct template *template,
                         const struct edge *edge, const struct expr *item);
