/* SCALARS - types of a model written as scalar sets, so that Uppaal itself may take values for each
 * other.
 *
 * A type `typedef int[1,N] T` becomes `typedef scalar[N] T`, and ranges and sizes that are written
 * out where values of T are meant become T. Nothing else is changed.
 *
 * Errors: none here. Whether the output is a model, and its values may change places, is for
 * whoever
 *         reads it again; so is what does not fit (Y17).
 */
#pragma once

#include "symmetry/symmetry.h"
#include "xml/splice.h"

enum { MOST_SCALARS = 16 };

/* Why a type cannot be a scalar set as far as the original shows, or NULL; *at is the place. */
const char *scalar_obstacle(const struct symmetry *symmetry, const struct symmetry_type *type,
                            struct span *at);

struct scalar_edits {
    VEC(struct text_edit) list; /* sorted */
};

/* The model with these types as scalar sets. */
struct str scalars_write(struct arena *arena, const struct symmetry *symmetry,
                         const struct symbol *const *types, uint32_t count,
                         struct scalar_edits *edits);

/* Where a place of the output stood before. */
position scalars_origin(const struct scalar_edits *edits, position at);
