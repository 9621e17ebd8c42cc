#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "base/clock.h"

#include <time.h>

/* From an unknown beginning: differences count. */
double clock_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void clock_add(double *seconds, double *start) {
    double now = clock_seconds();
    *seconds += now - *start;
    *start = now;
}
