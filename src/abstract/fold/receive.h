/* RECEIVE - broadcast receivers whose guard was weakened.
 *
 * Where the abstract model could force one into a step that the original skips, a self-loop lets it
 * decline (rule M3). In a must-abstraction no process sends then (rule U2).
 */
#pragma once

#include "abstract/fold/residual.h"

/* U2: marks the broadcast channels on which sends have to go, as who receives depends on removed
 * values. */
void fold_blocks(struct folder *folder);

/* MX4: marks the broadcast channels on which no send is certain, as a receiver that fails may seem
 * to stay away. */
void fold_doubtful_sends(struct folder *folder);

/* M3: adds self-loops for broadcast receivers that may or may not be able to take part. */
void fold_declines(struct folder *folder);
