/* RECORD - takes out of the model what is only for the record of variables that are removed.
 *
 * Counters, statistics and logs are written by functions that do other work, too, or are fields
 * beside others. What is unseen goes (V14): a statement, a function or an item of an update that
 * changes nothing but cells that are to be removed and that nothing else reads, and what computes
 * only for these. Wherever the original has no runtime errors every step stays as it is, so what
 * results is the input, but for what these cells hold. With priorities everything stays: a step
 * that fails would keep others away.
 *
 * A cell is seen if kept text reads it: a guard, an invariant, what is written into a
 * cell that is seen, a condition or an index of that. Elements of an array count as one, fields as
 * several. Nothing else stands for a cell: reference parameters of templates are replaced before
 * (prepare/reference.h), those of functions are seen as what is passed to them is.
 *
 * Items of updates that change nothing else but variables that are removed whole are left to the
 * fold (facts/unseen.h).
 *
 * Lifetime: texts and names live in the arena of the splices.
 */
#pragma once

#include "model/errors.h"
#include "xml/splice.h"

/* Variables that are unseen, or have fields that are, as --remove names them; none if nothing was
 * taken out. */
struct record_taken {
    VEC(const char *) variables;
    const char *may_fail; /* what was taken out and may fail (errors.h), or NULL */
};

/* Adds the edits that take out what serves only the variables of these --remove arguments, which
 * name no processes; none if something of that may fail and the original is known to have runtime
 * errors. Functions that the text asked names stay. Whether there are any. */
bool record_take_out(struct record_taken *taken, struct splices *splices,
                     const struct network *network, const char *const *arguments, uint32_t count,
                     struct original_errors *errors, const char *asked);

/* Finds the cells that would be unseen if the variables of these --remove arguments were removed;
 * in the arena; NULL if there are none. */
struct record *record_find(const struct network *network, const char *const *arguments,
                           uint32_t count, struct arena *arena);
/* Whether a cell of a variable would be unseen. */
bool record_is_unseen(struct record *record, const struct symbol *symbol, const struct shape *shape,
                      uint32_t offset);

/* Whether any cell would be unseen if the variables of these arguments were removed. */
bool record_is_kept(const struct network *network, const char *const *arguments, uint32_t count,
                    struct arena *arena);
