/* INTERRUPT - whether the run was asked to end early, with what is known by then.
 *
 * The program asks when a signal comes (cli/signals.h); the library never does. Whatever may take
 * long looks here where it looks at the clock, in any thread.
 */
#ifndef VARABS_BASE_INTERRUPT_H
#define VARABS_BASE_INTERRUPT_H

#include <stdbool.h>

/* May be called by a signal handler. */
void interrupt_ask(void);
bool interrupt_is_asked(void);
/* Whether that was more than so many seconds ago: what has to be said may take a little longer. */
bool interrupt_is_over(double seconds);

#endif
