/* UNSEEN - removed variables that nothing but each other ever sees.
 *
 * Only updates name them, and what such an item changes is unseen, too: statistics, logs, copies of
 * copies. So the items that read them go as they are, without a condition that they do not fail:
 * wherever the original has no runtime errors they never do, and every step stays as it is (V14).
 * Where it is known to have some, items that may fail are no such items.
 * Nothing needs to be known of the values. With priorities none is unseen: a step that fails in the
 * original would keep others away here.
 *
 * Invariants: no other name stands for what is removed (prepare/reference.h).
 * Lifetime:   in the arena of the context.
 */
#pragma once

#include "abstract/facts/context.h"

struct unseen;

/* Finds which variables that are removed whole and everywhere are unseen (V14). */
const struct unseen *unseen_find(const struct context *context);

/* An item of the original that may fail, while the abstraction goes on without it: named where it
 * is not known whether the original has runtime errors (model/errors.h); NULL = there is none. */
const char *unseen_may_fail(const struct unseen *unseen);

bool unseen_has(const struct unseen *unseen, const struct symbol *symbol);

/* Whether an update item can go unseen: it changes unseen variables only, and whether it fails
 * depends on removed ones. effects: of the item; reads_removed: it reads a variable removed there.
 */
bool unseen_goes(const struct context *context, const struct expr *item,
                 const struct effects *effects, bool reads_removed);
