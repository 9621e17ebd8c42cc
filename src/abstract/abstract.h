/* ABSTRACT - the abstraction of a model: from a request to the bytes of the new model.
 *
 *     request   what the user asks for
 *     prepare   model -> model, same steps: processes apart, references replaced
 *        |      value analysis (approx/)
 *     facts     questions about model and request
 *     edge      one edge -> one with unknowns for what is removed
 *     fold      those of one location -> classes -> output edges      <--+
 *        |                                                              | tries again with
 *     must      keeps what a must-fold kept as stronger guards       ---+ what is kept
 *     claim     loops for --stutter, what carries over
 *     emit      edits of the document
 *
 * Each folder includes only those above it.
 *
 * Lifetime: everything lives in the arena given.
 * Errors:   what cannot be abstracted soundly is refused with STATUS_UNSUPPORTED.
 */
#pragma once

#include "abstract/fold/model.h"

/* False after an error, which is reported. */
bool abstraction_make(struct abstraction *abstraction, struct arena *arena,
                      const struct network *network, const struct request *request,
                      const struct abstract_options *options, struct diag *diag);
