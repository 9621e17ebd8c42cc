/* GUARD - the two folds of guards and invariants (F3, F4), and whether they agree (X1).
 */
#pragma once

#include "abstract/fold/residual.h"

/* Sets guard and is_exact of all classes. */
void fold_guards(struct folder *folder);
/* MX1: where a class of several edges is there for every tuple; false = nowhere. Under. */
const struct expr *fold_certain_guard(struct folder *folder, const struct class *class);
/* Of one class. */
void fold_guard_of(struct folder *folder, struct class *class);

struct folded_invariant {
    const struct expr *evaluated; /* NULL = true */
    const struct expr *passed;    /* conditions on clocks, never evaluated (open_edge.h) */
};

/* Folds an invariant. Adds reasons where it is not exact. */
struct folded_invariant fold_invariant(struct context *context, struct open_edge *open,
                                       struct fold *fold);
