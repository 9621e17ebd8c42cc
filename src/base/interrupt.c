/* The time of the first interrupt. */
#include "base/interrupt.h"

#include "base/clock.h"

#include <stdatomic.h>

static atomic_bool is_asked;
static atomic_llong asked_at; /* milliseconds of the clock; set before */

static long long now(void) { return (long long)(clock_seconds() * 1000); }

void interrupt_ask(void) {
    if (atomic_load(&is_asked)) return;
    atomic_store(&asked_at, now());
    atomic_store(&is_asked, true);
}

/* Safe in every thread. */
bool interrupt_is_asked(void) { return atomic_load_explicit(&is_asked, memory_order_relaxed); }

bool interrupt_is_over(double seconds) {
    return interrupt_is_asked() && (double)(now() - atomic_load(&asked_at)) >= seconds * 1000;
}
