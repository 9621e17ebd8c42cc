/* The varabs command. */
#include "base/build_version.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "cli/help.h"
#include "cli/manual.h"
#include "cli/names.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "cli/stand_in.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

static void begin_time(const struct command_request *request) {
    double seconds = request->verify.search.max_seconds;
    if (seconds <= 0) return;
    interrupt_after(seconds);
    signals_end_after(seconds);
}

static int run_command(const struct options *options) {
    const struct command_request *request = &options->request;
    struct output_sink output;
    bool is_late = options->command == COMMAND_CHECK; /* which reads the second one then */
    if (!is_late && name_is_standard(request->first.name) &&
        name_is_standard(request->second.name)) {
        fputs("varabs: error: standard input can be read only once\n", stderr);
        return STATUS_USAGE;
    }
    const char *progress = options->values[OPTION_PROGRESS];
    if (output_is_silent(options) && !freopen("/dev/null", "w", stdout)) {
        fprintf(stderr, "varabs: error: --quiet: cannot open /dev/null: %s\n", strerror(errno));
        return STATUS_LIMIT;
    }
    bool has_limit = options->command != COMMAND_GRID; /* whose limit is for each row */
    progress_begin(progress || !options->values[OPTION_QUIET] ? progress : "never",
                   has_limit ? request->verify.search.max_seconds : 0);
    if (has_limit) begin_time(request);
    memory_limit(request->verify.search.max_size);
    output_open(&output, options);
    int status = (int)command_run(options->command, request, &output.sink);
    signals_end_no_more();
    progress_end();
    return status;
}

int main(int argc, char **argv) {
    struct arena arena;
    struct options options;
    int status = STATUS_USAGE;
    arena_init(&arena);
    signals_catch();
    if (stand_in_run(argc, argv, &status)) {
        /* it is done */
    } else if (argc < 2) {
        help_overview(stderr);
    } else if (options_parse(&options, argc, argv, &arena)) {
        if (options.values[OPTION_HELP]) {
            if (options.wants_overview)
                help_overview(stdout);
            else
                help_command(stdout, options.command);
            status = STATUS_DONE;
        } else if (options.values[OPTION_VERSION]) {
            puts("varabs " VARABS_BUILD);
            status = STATUS_DONE;
        } else if (options.values[OPTION_MANUAL]) {
            bool is_there = manual_print(stdout, options.values[OPTION_MANUAL], options.command);
            assert(is_there); /* options_parse has looked */
            status = is_there ? STATUS_DONE : STATUS_USAGE;
        } else {
            status = run_command(&options);
        }
    }
    arena_close(&arena);
    if (fflush(stdout) || ferror(stdout)) {
        fputs("varabs: error: cannot write to standard output\n", stderr);
        if (status <= STATUS_VIOLATED) status = STATUS_LIMIT;
    }
    return status;
}
