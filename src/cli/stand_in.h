/* STAND IN - programs in the place of Uppaal's own.
 *
 * They are words of the command line like commands, but what stands after them is a command line
 * of Uppaal's, so that options.h does not read it.
 */
#pragma once

#include <stdbool.h>

/* word, what runs it, what explains it */
#define STAND_INS(X)                                                                               \
    X("verifyta", verifyta_run, verifyta_help)                                                     \
    X("engine", engine_run, engine_help)

/* Whether the command line is for one of them, by its first word or by the name of the program
 * itself, as a link may have it; then it was run, with that
 * status. */
bool stand_in_run(int argc, char **argv, int *status);
