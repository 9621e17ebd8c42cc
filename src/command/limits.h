/* LIMITS - what a search may take where nobody said: most of the memory that is left, and all
 * processors. */
#ifndef VARABS_COMMAND_LIMITS_H
#define VARABS_COMMAND_LIMITS_H

#include "explore/space/space.h"

/* Both get their values if they are 0; memory never more than is left. */
void limits_complete(struct search_options *search);
/* Behind the reading, which has taken some of the time; from now on the search looks at the clock.
 */
void limits_take_time(struct search_options *search);
/* Memory alone, for what works on one processor. */
void limits_complete_memory(struct search_options *search);

#endif
