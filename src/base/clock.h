/* CLOCK - seconds that only go forward. */
#pragma once

double clock_seconds(void);

/* Adds the seconds since a start, and starts again. */
void clock_add(double *seconds, double *start);
