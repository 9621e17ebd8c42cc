/* OUTPUT - the sink of the program: files, text on standard output, messages and progress on
 * standard error. */
#pragma once

#include "cli/options.h"
#include "command/sink.h"

struct output_sink {
    struct sink sink;
    const struct options *options;
    /* private */
    struct arena *arena;       /* of the session */
    bool has_code, is_written; /* the output has code of its own; it is written */
    bool has_run, has_more;    /* a run was written, number `run`; and there was one too many */
    uint32_t run;
};

/* Whether --quiet leaves nothing for standard output: no result was named for it. */
bool output_is_silent(const struct options *options);
/* The options are borrowed. */
void output_open(struct output_sink *output, const struct options *options);
