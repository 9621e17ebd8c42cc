/* The varabs command. */
#include "cli/options.h"

#include <stdlib.h>

int main(int argc, char **argv) {
    struct arena arena;
    struct options options;
    int status = STATUS_USAGE;
    arena_init(&arena);
    if (argc < 2) {
        options_help(stderr);
    } else if (options_parse(&options, argc, argv, &arena)) {
        if (options.values[OPTION_HELP]) {
            options_help(stdout);
            status = STATUS_DONE;
        } else if (options.values[OPTION_VERSION]) {
            puts("varabs " VARABS_VERSION);
            status = STATUS_DONE;
        } else {
            status = options.is_info ? command_info(&options) : command_abstract(&options);
        }
    }
    arena_close(&arena);
    if (fflush(stdout) || ferror(stdout)) {
        fputs("varabs: error: cannot write to standard output\n", stderr);
        if (status == STATUS_DONE) status = STATUS_USAGE;
    }
    return status;
}
