/* PROXY - between Uppaal's GUI, on standard input and output, and its engine, which is a child.
 *
 * Bytes go on as they come, in both directions, whatever they are. One thread waits for all
 * descriptors at once. What one side does not take is not read from the other (ring.h).
 *
 * The end of the GUI's input is the end of the engine's; the engine has some seconds to say what it
 * has still to say, then SIGTERM and SIGKILL follow. A signal to the proxy is the same. The end of
 * the engine is the end of the proxy: without an engine the GUI has to see that there is none.
 */
#pragma once

#include "engine/arguments.h"

/* The exit status: that of the engine, 128 and the signal that ended it, or 127 if it cannot be
 * started. */
int proxy_run(const struct engine_arguments *arguments);
