/* ENDS ALIKE - shows on all states of a may-abstraction that the original has no step only where it
 * has none (L2), so that liveness carries over.
 *
 * Lifetime: in the arena of the abstraction.
 */
#pragma once

#include "abstract/claim/guarantee.h"

/* If some query needs it: explores the output, within limits, and notes in the abstraction what
 * that shows. Guarantees were made without it. Where all that may fail in the
 * original is in the output as well (may_fail_visibly), and nothing fails there, nothing fails in
 * the original. */
void ends_alike_show(struct abstraction *abstraction, const struct guarantees *guarantees);
