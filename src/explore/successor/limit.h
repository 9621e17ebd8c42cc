/* LIMIT - what can end work early. */
#pragma once

#include "base/interrupt.h"

enum search_limit { LIMIT_NONE, LIMIT_STATES, LIMIT_MEMORY, LIMIT_TIME, LIMIT_INTERRUPT };

/* The reason to end work whose time is over: a limit, or an interrupt. */
static inline enum search_limit limit_of_time(void) {
    if (interrupt_is_for_memory()) return LIMIT_MEMORY;
    return interrupt_is_asked() && !interrupt_is_timeout() ? LIMIT_INTERRUPT : LIMIT_TIME;
}
