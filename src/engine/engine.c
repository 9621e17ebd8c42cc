/* See engine.h. */
#include "engine/engine.h"

#include "base/diag.h"
#include "engine/proxy.h"

void engine_help(FILE *file) {
    fputs("usage: varabs engine [options] -- COMMAND [ARG]...\n"
          "\n"
          "Stands between Uppaal's GUI and its engine: the command of an entry in the\n"
          "GUI's list of engines, with the engine's own command behind `--`. What goes over\n"
          "the connection goes through unchanged, byte for byte. `man varabs-gui` has more.\n"
          "\n"
          "example:\n"
          "    varabs engine --record session.jsonl -- bin/server\n"
          "\n"
          "options:\n"
          "    --record FILE\n"
          "        write what goes over the connection to a file, which must not be there\n"
          "    --redact\n"
          "        with --record: hide the letters and digits of all texts\n"
          "    --help\n"
          "        show this text\n"
          "\n"
          "The exit status is that of the engine, or 128 and the signal that ended it; 127\n"
          "if it cannot be started, and 2 for wrong usage.\n",
          file);
}

int engine_run(int argc, char **argv, void (*defer)(void)) {
    struct engine_arguments arguments;
    (void)defer; /* signals are the proxy's own */
    if (!engine_arguments_read(&arguments, argc, argv)) return STATUS_USAGE;
    if (!arguments.wants_help) return proxy_run(&arguments);
    engine_help(stdout);
    return STATUS_DONE;
}
