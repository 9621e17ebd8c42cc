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
    LIMIT_EVALUATION, /* an evaluation takes more than EVAL_MAX_STEPS */
    LIMIT_SELECTS     /* selects have more than PROGRAM_MAX_INSTANCES combinations of values */
};

/* The reason to end work whose time is over: a limit, or an interrupt. */
static inline enum search_limit limit_of_time(void) {
    if (interrupt_is_for_memory()) return LIMIT_MEMORY;
    return interrupt_is_asked() && !interrupt_is_timeout() ? LIMIT_INTERRUPT : LIMIT_TIME;
}

/* Whether another attempt, with other fields or for other queries, would meet it as well. */
static inline bool limit_stays(enum search_limit limit) {
    return limit == LIMIT_TIME || limit == LIMIT_INTERRUPT || limit == LIMIT_EVALUATION;
}

/* Why a machine was late. */
static inline enum search_limit limit_of_machine(const struct machine *machine) {
    return machine->is_too_long ? LIMIT_EVALUATION : limit_of_time();
}
