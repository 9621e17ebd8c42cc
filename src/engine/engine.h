/* ENGINE - `varabs engine`, which Uppaal's GUI starts in place of its engine. */
#pragma once

#include <stdio.h>

void engine_help(FILE *file);

/* The exit status: that of the engine, as proxy.h has it, or 2 for a wrong command line. argv[0] is
 * not looked at. */
int engine_run(int argc, char **argv, void (*defer)(void));
