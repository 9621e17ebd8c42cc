/* ARGUMENTS - of `varabs engine`. Lifetime: texts are borrowed from the command line. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum engine_mode {
    ENGINE_SHADOWS, /* varabs decides beside the engine */
    ENGINE_ANSWERS, /* and in its place, where that is allowed */
    ENGINE_PASSES   /* nothing is looked at */
};

enum { HARMLESS_MOST = 64 };

struct engine_arguments {
    enum engine_mode mode;
    double seconds;     /* for varabs, a query */
    const char *memory; /* as for --max-memory; NULL = the default */
    uint32_t jobs;      /* threads */
    const char *log;    /* a file, or NULL */
    const char *record; /* a file, or NULL */
    bool redacts;
    bool assumes_no_trace;                   /* that the GUI wants none */
    bool is_strict;                          /* no answer where there may be runtime errors */
    const char *harmless[HARMLESS_MOST + 1]; /* commands that change nothing for verdicts */
    uint32_t harmless_count;
    bool tests; /* --selftest: without a GUI */
    bool wants_help;
    char **command; /* of the engine, NULL after */
};

/* argv[0] is not looked at. False (printed) if the command line is wrong. */
bool engine_arguments_read(struct engine_arguments *arguments, int argc, char **argv);
