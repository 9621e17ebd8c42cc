/* KNOWN STEPS - the steps between the states of a complete search, and who takes part in them.
 *
 * A step has the number of the list of its parts: of those in a coalition, or of all. Games of
 * several coalitions (game.h) may share the steps with all parts, which are kept from one formula
 * to the next. Where these lists would take much of the memory, nothing is shared.
 *
 * Invariants: lists are numbered in the order in which the steps of the rows have them.
 * Lifetime:   memory of the ledger that counts it, given back by known_steps_close. Zeroed, nothing
 *             is known.
 * Errors:     false at a limit, which the ledger notes.
 */
#pragma once

#include "explore/graph/lists.h"
#include "explore/graph/rows.h"
#include "explore/strategy/coalition.h"

/* An edge that takes part in a step. */
struct taker {
    uint32_t instance;
    uint32_t channel; /* where it depends on the state; else NO_SLOT */
};

struct known_steps {
    struct row_steps rows, back; /* labels: four times the number of the list, and the strength */
    struct lists takers;
    bool is_known, is_given_up;
    size_t size; /* bytes */
};

/* How certain a step is that the expander has recorded, in a mixed model. */
typedef uint32_t step_strength(const void *context, const struct step_record *record);

/* Looks at every state, once. coalition: whose parts count; NULL: all do, and it may be given up.
 * strength: NULL if the model is not mixed. */
bool known_steps_find(struct known_steps *known, struct all_states *states,
                      const struct coalition *coalition, step_strength *strength,
                      const void *context);
/* From now on another ledger counts the memory; NULL: none. */
void known_steps_move(struct known_steps *known, struct ledger *ledger);
void known_steps_close(struct known_steps *known);
