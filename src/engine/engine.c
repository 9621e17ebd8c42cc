#include "engine/engine.h"

#include "base/diag.h"
#include "engine/proxy.h"
#include "engine/selftest.h"

void engine_help(FILE *file) {
    fputs("usage: varabs engine [options] -- COMMAND [ARG]...\n"
          "       varabs engine --selftest [--record FILE [--redact]] -- COMMAND [ARG]...\n"
          "\n"
          "Stands between Uppaal's GUI and its engine. Enter this command in the GUI's list\n"
          "of engines, with the engine's own command after `--`. All bytes pass unchanged.\n"
          "varabs decides the same queries as the engine. With --mode answer, it answers\n"
          "in place of the engine if that is safe. `man varabs-gui` has more.\n"
          "\n"
          "examples:\n"
          "    varabs engine --log checks.log -- bin/server\n"
          "    varabs engine --mode pass --record session.jsonl -- bin/server\n"
          "\n"
          "options:\n"
          "    --mode shadow|answer|pass\n"
          "        decide in parallel to the engine (shadow, the default), answer in its\n"
          "        place if that is safe (answer), or only pass everything on (pass, or\n"
          "        --never-answer)\n"
          "    --limit SECONDS, --max-memory SIZE, --jobs N\n"
          "        limits of varabs for each query (default: 2 seconds, 1 thread)\n"
          "    --strict\n"
          "        with --mode answer: only if the model is known to have no runtime errors\n"
          "    --assume-no-trace\n"
          "        with --mode answer: Options > Diagnostic Trace is None\n"
          "    --harmless COMMAND\n"
          "        a command of the GUI that makes no difference to verdicts; may be\n"
          "        repeated. After other commands, the engine answers until the next model\n"
          "    --log FILE\n"
          "        add a line for each check to a table; a model on which the engine and\n"
          "        varabs disagree goes to FILE.1.xml and so on\n"
          "    --record FILE\n"
          "        write all that the GUI and the engine send to a file that must not exist\n"
          "    --redact\n"
          "        with --record: hide the letters and digits of all texts\n"
          "    --selftest\n"
          "        ask the engine about a small model, without a GUI, and say whether its\n"
          "        answers have the form that varabs expects\n"
          "    --help\n"
          "        show this text\n"
          "\n"
          "The exit status is that of the engine, or 128 and the signal that ended it; 127\n"
          "if it cannot be started, and 2 for wrong usage. With --selftest: 0 if all\n"
          "answers have that form, and 1 if not.\n",
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
