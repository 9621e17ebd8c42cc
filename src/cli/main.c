/* The varabs command. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "cli/command_internal.h"
#include "cli/help.h"
#include "cli/manual.h"
#include "cli/progress.h"
#include "cli/signals.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int (*const commands[COMMAND_COUNT])(const struct options *options) = {
    [COMMAND_ABSTRACT] = command_abstract, [COMMAND_INFO] = command_info,
    [COMMAND_CHECK] = command_check,       [COMMAND_CERTIFY] = command_certify,
    [COMMAND_DRAW] = command_draw,         [COMMAND_EXPORT] = command_export,
    [COMMAND_REFINES] = command_refines,   [COMMAND_SUGGEST] = command_suggest,
    [COMMAND_DECIDE] = command_decide,
};

static void begin_time(const struct options *options) {
    double seconds = options->verify.search.max_seconds;
    if (seconds <= 0) return;
    interrupt_after(seconds);
    signals_end_after(seconds);
}

int main(int argc, char **argv) {
    struct arena arena;
    struct options options;
    int status = STATUS_USAGE;
    arena_init(&arena);
    signals_catch();
    if (argc < 2) {
        help_overview(stderr);
    } else if (options_parse(&options, argc, argv, &arena)) {
        if (options.values[OPTION_HELP]) {
            if (options.wants_overview)
                help_overview(stdout);
            else
                help_command(stdout, options.command);
            status = STATUS_DONE;
        } else if (options.values[OPTION_VERSION]) {
            puts("varabs " VARABS_VERSION);
            status = STATUS_DONE;
        } else if (options.values[OPTION_MANUAL]) {
            bool is_there = manual_print(stdout, options.values[OPTION_MANUAL], options.command);
            assert(is_there); /* options_parse has looked */
            status = is_there ? STATUS_DONE : STATUS_USAGE;
        } else {
            progress_begin(options.values[OPTION_PROGRESS]);
            begin_time(&options);
            memory_limit(options.verify.search.max_size);
            status = commands[options.command](&options);
            signals_end_no_more();
            progress_end();
        }
    }
    arena_close(&arena);
    if (fflush(stdout) || ferror(stdout)) {
        fputs("varabs: error: cannot write to standard output\n", stderr);
        if (status <= STATUS_VIOLATED) status = STATUS_LIMIT;
    }
    return status;
}
