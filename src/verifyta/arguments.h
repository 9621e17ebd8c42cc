/* ARGUMENTS - a command line of verifyta, as far as varabs takes its place.
 *
 * Options of verifyta come with one or two dashes, letters may stand together (-squ), and values in
 * the same word or the next (-t0, -t 0). Only options whose meaning is known are taken: any other
 * one is refused, or left to the real verifyta where one is named.
 *
 * Lifetime: texts are borrowed from the command line; lists live in the arena given.
 */
#pragma once

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

enum { NOT_GIVEN = -1 };

struct verifyta_arguments {
    const char *model, *query_file; /* query_file: NULL = the queries of the model */
    int trace, order, space;        /* as numbers of verifyta's, or NOT_GIVEN */
    const char *seed;               /* or NULL */
    const char *trace_file;         /* -f and -X, or NULL */
    bool is_quiet;                  /* -q: without the options */
    bool has_figures;               /* -u */
    bool takes_own_queries;         /* --embedded-queries */
    bool wants_help, wants_version;
    /* options of varabs */
    const char *engine; /* the real verifyta, or NULL */
    bool exits_as_varabs;
    double max_seconds; /* 0 = no limit, here and below */
    size_t max_size;
    uint32_t jobs;
    /* why verifyta's place cannot be taken; NULL if it can. Then no more than the options of varabs
     * is known. */
    const char *refusal;
    bool is_refusal_usage; /* the command line is wrong for verifyta, too */
    char **passed;         /* without options of varabs, for execv */
};

/* argv[0] is not looked at. False if an option of varabs itself is wrong: the refusal says why. */
bool verifyta_arguments_read(struct verifyta_arguments *arguments, int argc, char **argv,
                             struct arena *arena);
