/* MANUAL - the tables of options.h and help.h as a manual page (mdoc) or completions. */
#ifndef VARABS_CLI_MANUAL_H
#define VARABS_CLI_MANUAL_H

#include <stdio.h>

enum { MANUAL_COUNT = 4 };
extern const struct manual_format {
    const char *name;
    void (*print)(FILE *file);
} manual_formats[MANUAL_COUNT];

#endif
