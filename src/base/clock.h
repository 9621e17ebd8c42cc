/* CLOCK - seconds that only go forward. */
#ifndef VARABS_BASE_CLOCK_H
#define VARABS_BASE_CLOCK_H

double clock_seconds(void);

#endif
