/* OPTIONS - a command line that was read, as a request. Lifetime: in the arena given. */
#pragma once

#include "cli/table.h"

struct options {
    enum command command;
    bool wants_overview;              /* help without a command */
    const char *values[OPTION_COUNT]; /* the last given; "" for options without argument */
    struct command_request request;
    int argc; /* as they were given */
    char **argv;
};

/* False after an error, which is printed. */
bool options_parse(struct options *options, int argc, char **argv, struct arena *arena);
