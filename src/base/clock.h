/* CLOCK - seconds that only go forward. */
#ifndef VARABS_BASE_CLOCK_H
#define VARABS_BASE_CLOCK_H

double clock_seconds(void);

/* Adds the seconds since a start, and starts again. */
void clock_add(double *seconds, double *start);

#endif
