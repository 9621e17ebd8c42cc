/* What is left of memory. */
#include "command/limits.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/resources.h"

void limits_complete_memory(struct search_options *search) {
    size_t most = memory_for_search();
    if (!search->max_size || search->max_size > most) search->max_size = most;
}

void limits_complete(struct search_options *search) {
    limits_complete_memory(search);
    if (!search->jobs) search->jobs = resources_processors();
}

void limits_take_time(struct search_options *search) {
    const double least = 1e-9; /* 0 would be no limit */
    if (search->max_seconds <= 0) return;
    double left = interrupt_take_time(); /* in whole milliseconds */
    if (left < search->max_seconds) search->max_seconds = left > least ? left : least;
}
