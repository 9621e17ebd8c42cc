/* ARGUMENTS - of `varabs engine`. Lifetime: texts are borrowed from the command line. */
#ifndef VARABS_ENGINE_ARGUMENTS_H
#define VARABS_ENGINE_ARGUMENTS_H

#include <stdbool.h>

struct engine_arguments {
    const char *record; /* a file, or NULL */
    bool redacts;
    bool wants_help;
    char **command; /* of the engine, NULL behind */
};

/* argv[0] is not looked at. False (printed) if the command line is wrong. */
bool engine_arguments_read(struct engine_arguments *arguments, int argc, char **argv);

#endif
