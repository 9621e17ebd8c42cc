/* The time of the first interrupt. */
#include "base/interrupt.h"

#include "base/clock.h"

#include <assert.h>
#include <stdatomic.h>

static atomic_bool is_asked;
static atomic_llong asked_at; /* milliseconds of the clock; set before */
static atomic_llong due_at;   /* likewise; 0 = never */
static atomic_bool is_waiting, is_for_memory;

static long long now(void) { return (long long)(clock_seconds() * 1000); }

void interrupt_ask(void) {
    if (atomic_load(&is_asked)) return;
    atomic_store(&asked_at, now());
    atomic_store(&is_asked, true);
}

void interrupt_ask_for_memory(void) {
    if (!atomic_load(&is_asked)) atomic_store(&is_for_memory, true);
    interrupt_ask();
}

void interrupt_after(double seconds) {
    const double most = 1e12; /* milliseconds; some years are for ever */
    double due = (double)now() + seconds * 1000;
    assert(seconds > 0);
    atomic_store(&due_at, due < most ? (long long)due + 1 : 0);
}

double interrupt_take_time(void) {
    long long left = atomic_exchange(&due_at, 0) - now();
    return left > 0 ? (double)left / 1000 : 0;
}

static bool is_due(void) {
    long long due = atomic_load_explicit(&due_at, memory_order_relaxed);
    return due && now() >= due;
}

/* By a signal, or because the time of the command is over. Safe in every thread. */
bool interrupt_is_asked(void) {
    return atomic_load_explicit(&is_asked, memory_order_relaxed) || is_due();
}

bool interrupt_is_timeout(void) { return !atomic_load(&is_asked) && is_due(); }

bool interrupt_is_for_memory(void) { return atomic_load(&is_for_memory); }

const char *interrupt_reason(void) {
    if (interrupt_is_for_memory()) return "the limit on memory was reached";
    return interrupt_is_timeout() ? "the time limit was reached" : "it was interrupted";
}

bool interrupt_is_over(double seconds) {
    if (!interrupt_is_asked()) return false;
    long long since = atomic_load(&is_asked) ? atomic_load(&asked_at) : atomic_load(&due_at);
    return (double)(now() - since) >= seconds * 1000;
}

double interrupt_grace(double limit) {
    const double least = 3, most = 60;
    return limit < (most - least) * 4 ? least + limit / 4 : most;
}

void interrupt_wait(bool waits) { atomic_store(&is_waiting, waits); }

bool interrupt_is_waiting(void) { return atomic_load(&is_waiting); }
