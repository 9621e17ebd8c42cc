/* INTERRUPT - whether the run is to end early, with what is known by then.
 *
 * The program asks when a signal comes (cli/signals.h), the library when a job is cancelled
 * (api/apart.h), and both set the time by which a command has to end. Whatever may take long looks
 * here where it looks at the clock, in any thread.
 */
#pragma once

#include <stdbool.h>

/* May be called by a signal handler. */
void interrupt_ask(void);
/* Asks, after so many seconds from now. */
void interrupt_after(double seconds);

/* Asks at no time any more; the seconds that were left, at least 0; many if it asked at no time.
 * For what looks at a clock of its own. */
double interrupt_take_time(void);

bool interrupt_is_asked(void);
/* Asks, as memory is nearly over (base/memory.h). */
void interrupt_ask_for_memory(void);
/* Much was freed since, and other work goes on; what a signal or the time asks for stays. In no
 * other thread at that time. */
void interrupt_withdraw_memory(void);
/* Whether it was time that asked, or memory, and no signal. */
bool interrupt_is_timeout(void);
bool interrupt_is_for_memory(void);
/* What to say of work that was ended: "it was interrupted", "the time limit was reached", or that
 * memory was. */
const char *interrupt_reason(void);
/* Whether the end was asked for, or due, more than so many seconds ago: to say what is known may
 * take a little longer. */
bool interrupt_is_over(double seconds);
/* For how many seconds of the clock what is known may be said after such a limit on time. */
double interrupt_grace(double limit);

/* Around what may wait for others without end, as for a model from a pipe: an interrupt cannot be
 * seen there, and nothing is known yet. */
void interrupt_wait(bool waits);
bool interrupt_is_waiting(void);
