/* SIGNALS - what SIGINT (Ctrl-C), SIGTERM (`timeout`, batch systems) and SIGHUP (the terminal is
 * closed) do.
 *
 * At first such a signal ends the program at once, with a message and STATUS_LIMIT, as nothing is
 * known yet. Commands that can say something half-way defer signals: then the first one asks
 * for the end (base/interrupt.h) and the next one kills. No temporary file is left in either case.
 * A signal that is ignored stays ignored.
 *
 * The limit on time is looked at wherever work may take long (base/interrupt.h). SIGALRM gives
 * another moment of the clock to what looks, and to what is known to be said; then it ends the
 * program. Where the program waits for its input, the first signal of either kind ends it.
 */
#pragma once

/* Catches signals, and says how the program ends where memory is over. */
void signals_catch(void);
/* From now on the first one only asks. */
void signals_defer(void);

/* Ends what has not come to an end by itself long after its limit on time. */
void signals_end_after(double seconds);
/* It has come to an end. */
void signals_end_no_more(void);
