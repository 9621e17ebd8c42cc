/* See engine.h. */
#include "engine/engine.h"

#include "base/diag.h"
#include "engine/proxy.h"
#include "engine/selftest.h"

void engine_help(FILE *file) {
    fputs("usage: varabs engine [options] -- COMMAND [ARG]...\n"
          "       varabs engine --selftest [--record FILE [--redact]] -- COMMAND [ARG]...\n"
          "\n"
          "Stands between Uppaal's GUI and its engine: the command of an entry in the\n"
          "GUI's list of engines, with the engine's own command behind `--`. What goes over\n"
          "the connection goes through unchanged, byte for byte; varabs decides queries\n"
          "beside the engine, and answers in its place where that is asked for and\n"
          "allowed. `man varabs-gui` has more.\n"
          "\n"
          "examples:\n"
          "    varabs engine --log checks.log -- bin/server\n"
          "    varabs engine --mode pass --record session.jsonl -- bin/server\n"
          "\n"
          "options:\n"
          "    --mode shadow|answer|pass\n"
          "        decide beside the engine (shadow, the default), and in its place where\n"
          "        that is allowed (answer), or look at nothing (pass, or --never-answer)\n"
          "    --limit SECONDS, --max-memory SIZE, --jobs N\n"
          "        for varabs, a query (default: 2 seconds, 1 thread)\n"
          "    --strict\n"
          "        with --mode answer: only where there are no runtime errors\n"
          "    --assume-no-trace\n"
          "        with --mode answer: Options > Diagnostic Trace is None\n"
          "    --harmless COMMAND\n"
          "        a command of the GUI that makes no difference to verdicts; may be\n"
          "        repeated. Behind any other one nothing is answered until the next model\n"
          "    --log FILE\n"
          "        add a line for each check to a table; a model on which the engine and\n"
          "        varabs disagree goes to FILE.1.xml and so on\n"
          "    --record FILE\n"
          "        write what goes over the connection to a file, which must not be there\n"
          "    --redact\n"
          "        with --record: hide the letters and digits of all texts\n"
          "    --selftest\n"
          "        ask the engine about a small model, without a GUI, and say what is as\n"
          "        varabs knows it\n"
          "    --help\n"
          "        show this text\n"
          "\n"
          "The exit status is that of the engine, or 128 and the signal that ended it; 127\n"
          "if it cannot be started, and 2 for wrong usage. With --selftest: 0 if all is as\n"
          "known, and 1 if not.\n",
          file);
}

int engine_run(int argc, char **argv, void (*defer)(void)) {
    struct engine_arguments arguments;
    (void)defer; /* signals are the proxy's own */
    if (!engine_arguments_read(&arguments, argc, argv)) return STATUS_USAGE;
    if (arguments.wants_help)
        engine_help(stdout);
    else
        return arguments.tests ? selftest_run(&arguments) : proxy_run(&arguments);
    return STATUS_DONE;
}
