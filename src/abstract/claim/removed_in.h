/* REMOVED IN - names of removed variables in expressions that the output may keep (M9). */
#pragma once

#include "abstract/fold/model.h"

/* The removed variable that an expression names, itself or in a function, or NULL. */
const char *abstraction_removed_in(struct abstraction *abstraction, const struct expr *expr);
/* The same of the text of a query that cannot be read: as far as names tell, so it may be none. */
const char *abstraction_removed_in_text(struct abstraction *abstraction, const struct text *text);
