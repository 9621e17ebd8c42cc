/* SELECTS - the select variables of output edges: those that are kept, those that unknowns become,
 * and those that need fewer values (S2). */
#pragma once

#include "abstract/fold/residual.h"

/* Finishes an output edge: adds selects that it needs, and takes away those that it does not. */
void fold_add_selects(struct folder *folder, struct output_edge *out);
/* The first half of fold_add_selects: selects for the chosen unknowns of the open edge that the
 * output edge mentions. */
void fold_add_chosen(struct folder *folder, struct output_edge *out);
/* The second half: a select that nothing mentions any more goes, if something mentioned it before,
 * or it hides a name from another edge, and its range cannot be empty; an empty range disables the
 * edge. */
void fold_keep_selects(struct folder *folder, struct output_edge *out);

/* An expression of an edge that is like the base: of selects that go by the same name, those of the
 * base are meant. */
const struct expr *fold_with_selects(struct folder *folder, const struct open_edge *base,
                                     const struct open_edge *other, const struct expr *expr);
/* Whether a name in an expression from another place would mean a select of the edge. */
bool fold_hides(const struct output_edge *out, const struct expr *expr);

/* Cuts the ranges of selects with many values to those that the guard allows. The guard must be
 * complete. */
void fold_narrow_chosen(struct folder *folder, struct output_edge *out);

/* One more select, for an unknown with a set of values. */
void fold_add_select(struct output_edge *out, const struct unknown *unknown,
                     const struct value_set *set);
/* Multiplies with the values of a set, and with those that its select goes through (up to 2^64). */
void fold_add_width(const struct value_set *set, uint64_t *values, uint64_t *width);
/* Whether some edges enumerate far fewer values than one edge with selects of that width. */
bool fold_is_sparse(uint64_t edges, uint64_t width);
/* That the select of an unknown is in the set; NULL = its range says so. */
const struct expr *fold_membership(struct folder *folder, const struct unknown *unknown,
                                   const struct value_set *set);
/* Edges that have become several keep the same selects in all of them, whole, as do those of an
 * action: what an agent chooses is known by its values (ST8). */
void fold_align_selects(struct fold *fold);
/* Asserts that names mean in an edge that the fold gives what they are to mean. */
void fold_check_names(const struct output_edge *out);
