/* SELFTEST - says whether an engine speaks as this program takes engines to speak.
 *
 * Starts the engine, sends the two commands that are known, about a small model of its own, and
 * writes a line for each thing that is as known or not. No GUI takes part.
 */
#pragma once

#include "engine/arguments.h"

/* The exit status: 0 if everything is as known, 1 if not, 127 if the engine cannot be started. */
int selftest_run(const struct engine_arguments *arguments);
