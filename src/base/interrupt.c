/* The time of the first interrupt. */
#include "base/interrupt.h"

#include "base/clock.h"

#include <assert.h>
#include <stdatomic.h>

enum { BY_SIGNAL = 1, BY_MEMORY = 2 };

#define MOST_DUE 1e12 /* milliseconds; some years are for ever */

static atomic_uint asked;     /* by whom */
static atomic_llong asked_at; /* milliseconds of the clock; set before */
static atomic_llong due_at;   /* likewise; 0 = never */
static atomic_bool is_waiting, is_for_memory;

static long long now(void) { return (long long)(clock_seconds() * 1000); }

static void ask(unsigned by) {
    if (!atomic_load(&asked)) atomic_store(&asked_at, now());
    atomic_fetch_or(&asked, by);
}

void interrupt_ask(void) { ask(BY_SIGNAL); }

void interrupt_ask_for_memory(void) {
    if (!atomic_load(&asked)) atomic_store(&is_for_memory, true);
    ask(BY_MEMORY);
}

void interrupt_withdraw_memory(void) {
    atomic_store(&is_for_memory, false);
    atomic_fetch_and(&asked, ~(unsigned)BY_MEMORY);
}

void interrupt_after(double seconds) {
    double due = (double)now() + seconds * 1000;
    assert(seconds > 0);
    atomic_store(&due_at, due < MOST_DUE ? (long long)due + 1 : 0);
}

double interrupt_take_time(void) {
    long long due = atomic_exchange(&due_at, 0), left = due - now();
    if (!due) return MOST_DUE / 1000;
    return left > 0 ? (double)left / 1000 : 0;
}

static bool is_due(void) {
    long long due = atomic_load_explicit(&due_at, memory_order_relaxed);
    return due && now() >= due;
}

/* By a signal, or because the time of the command is over. Safe in every thread. */
bool interrupt_is_asked(void) {
    return atomic_load_explicit(&asked, memory_order_relaxed) || is_due();
}

bool interrupt_is_timeout(void) { return !atomic_load(&asked) && is_due(); }

bool interrupt_is_for_memory(void) { return atomic_load(&is_for_memory); }

const char *interrupt_reason(void) {
    if (interrupt_is_for_memory()) return "the limit on memory was reached";
    return interrupt_is_timeout() ? "the time limit was reached" : "it was interrupted";
}

bool interrupt_is_over(double seconds) {
    if (!interrupt_is_asked()) return false;
    long long since = atomic_load(&asked) ? atomic_load(&asked_at) : atomic_load(&due_at);
    return (double)(now() - since) >= seconds * 1000;
}

double interrupt_grace(double limit) {
    const double least = 3, most = 60;
    return limit < (most - least) * 4 ? least + limit / 4 : most;
}

void interrupt_wait(bool waits) { atomic_store(&is_waiting, waits); }

bool interrupt_is_waiting(void) { return atomic_load(&is_waiting); }
