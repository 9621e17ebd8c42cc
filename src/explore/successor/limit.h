/* LIMIT - what can end work early. */
#pragma once

#include "base/interrupt.h"
#include "explore/code/machine.h"

enum search_limit {
    LIMIT_NONE,
    LIMIT_STATES,
    LIMIT_MEMORY,
    LIMIT_TIME,
    LIMIT_INTERRUPT,
    LIMIT_EVALUATION, /* one takes more than EVAL_MAX_STEPS */
    LIMIT_SELECTS     /* there are more than PROGRAM_MAX_INSTANCES combinations of their values */
};

/* The reason to end work whose time is over: a limit, or an interrupt. */
static inline enum search_limit limit_of_time(void) {
    if (interrupt_is_for_memory()) return LIMIT_MEMORY;
    return interrupt_is_asked() && !interrupt_is_timeout() ? LIMIT_INTERRUPT : LIMIT_TIME;
}

/* The reason to end what a machine was late for. */
static inline enum search_limit limit_of_machine(const struct machine *machine) {
    return machine->is_too_long ? LIMIT_EVALUATION : limit_of_time();
}
