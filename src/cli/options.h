/* OPTIONS - the command line as one table that feeds parsing and --help. */
#ifndef VARABS_CLI_OPTIONS_H
#define VARABS_CLI_OPTIONS_H

#include "abstract/abstract.h"

/* name, argument (NULL = none), which command (A abstract, I info, B both), help */
#define OPTIONS(X)                                                                                 \
    X(REMOVE, "--remove", "VAR[,VAR...]", 'A',                                                     \
      "variables to remove: Template.name, or name where that is unambiguous, or .name for a "     \
      "global one; also one cell, name[2], or one field, name.f; may be repeated")                 \
    X(MAY, "--may", NULL, 'A', "write a may-abstraction: it has every step of the original")       \
    X(MUST, "--must", NULL, 'A', "must-abstractions are not available in this version")            \
    X(MUST_LOWER, "--must=lower", NULL, 'A', "likewise")                                           \
    X(APPROX, "--approx", "template|combined", 'B',                                                \
      "value analysis: each process on its own (default), or the product of all")                  \
    X(BUDGET, "--budget", "N", 'B',                                                                \
      "evaluations per edge, and location vectors of --approx combined (default 20000)")           \
    X(DROP_PRIORITIES, "--drop-priorities", NULL, 'A',                                             \
      "allow removals that are not exact in models with priorities")                               \
    X(OUTPUT, "-o", "OUT.xml", 'A', "the abstract model (default: IN.may.xml beside IN)")          \
    X(REPORT, "--report", "OUT.json", 'A', "the report (default: IN.may.json beside IN)")          \
    X(JSON, "--json", "FILE", 'I', "write the description as JSON instead of text")                \
    X(REWRITE, "--rewrite", "OUT.xml", 'I', "write the model back unchanged")                      \
    X(HELP, "--help", NULL, 'B', "show this text")                                                 \
    X(VERSION, "--version", NULL, 'B', "show the version")

enum option {
#define X(name, text, argument, command, help) OPTION_##name,
    OPTIONS(X)
#undef X
        OPTION_COUNT
};

struct options {
    bool is_info;
    const char *input;
    const char *values[OPTION_COUNT]; /* the last given; "" for options without argument */
    const char **removals;
    uint32_t removal_count;
    struct abstract_options abstract;
};

/* False after an error, which is printed. */
bool options_parse(struct options *options, int argc, char **argv, struct arena *arena);
void options_help(FILE *file);

int command_abstract(const struct options *options);
int command_info(const struct options *options);

/* What both commands start with: reads, parses, checks and instantiates a model. */
struct session {
    struct arena arena;
    struct interner names;
    struct document document;
    struct diag diag;
    struct model *model;
    struct network *network;
    double start, read, checked; /* clock_seconds */
};
bool session_open(struct session *session, const char *path);
/* Prints the diagnostics, frees everything, returns the exit status. */
int session_close(struct session *session);

#endif
