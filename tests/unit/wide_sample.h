/* WIDE SAMPLE - random models of one template over variables of many values. */
#pragma once

#include "base/str.h"

#include <stdint.h>

enum { WIDE_LOCATIONS = 4, WIDE_VARIABLES = 4 };

/* The first two are of the model, the others of the template P. */
extern const char *const wide_names[WIDE_VARIABLES];

/* Adds the text of the model of this number. */
void wide_write(struct buffer *text, int number);
/* From 0 to count - 1, by the number of the last model. */
int wide_pick(int count);
