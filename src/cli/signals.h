/* SIGNALS - what SIGINT (Ctrl-C) and SIGTERM (`timeout`, batch systems) do.
 *
 * At first such a signal ends the program at once, with a message and STATUS_LIMIT, as nothing is
 * known yet. Commands that can say something half-way defer signals: then the first one asks
 * for the end (base/interrupt.h) and the next one kills. No temporary file is left in either case.
 * A signal that is ignored stays ignored.
 */
#ifndef VARABS_CLI_SIGNALS_H
#define VARABS_CLI_SIGNALS_H

void signals_catch(void);
/* From now on the first one only asks. */
void signals_defer(void);

#endif
