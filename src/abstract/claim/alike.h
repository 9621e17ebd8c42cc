/* ALIKE - whether the original has no step only where the abstraction has none (L2), as a question
 * to the abstraction: which is answered by exploring it (refine/ends_alike.h).
 *
 *     A[] deadlock or not (Table.table and not (dealt and a >= 1 and b >= 1))
 *
 * In a state without steps of the original, of which the abstract one has a step, some process is
 * at a doubtful place (stutter.h), and no process can move by itself for certain.
 *
 * Lifetime: the question is in the arena of the abstraction.
 */
#pragma once

#include "abstract/fold/model.h"

/* The question, to a may-abstraction; NULL if it cannot be written. *may_fail: what is relied on
 * not to fail where that is not known, or NULL. */
const char *alike_question(struct abstraction *abstraction, const char **may_fail);
