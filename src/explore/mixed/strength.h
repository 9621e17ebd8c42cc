/* STRENGTH - how certain an edge of a mixed model is (MX1).
 *
 * A mixed model is a may-abstraction whose edges say in their comments what they are of the
 * original: `@may`, its steps may be there; `@sure`, some step of the edge that it comes from is
 * there, but what that does depends on what was removed; without a mark, its steps are there for
 * all values of what was removed. A line `//varabs: mixed` in the global declarations says that
 * marks count.
 */
#pragma once

#include "lang/syntax/ast.h"

struct expander;
struct program;
struct step_record;

/* In this order: the weakest participant decides about a step. */
enum strength { STRENGTH_MAY, STRENGTH_SURE, STRENGTH_MUST };

/* The strength that the comments of an edge say: the weaker one where there are several marks. */
enum strength strength_of_edge(const struct edge *edge);
/* Whether an edge stands besides for several that are no certain ones alone (MX1). */
bool edge_is_joint(const struct edge *edge);
/* Whether its process certainly has some internal step where this edge has one (MX1). To all but
 * the process itself, which may choose one, such a step is a sure one. */
bool edge_is_either(const struct edge *edge);

/* By instance, in the arena given: the weakest of its edges. */
const enum strength *strengths_of_program(struct arena *arena, const struct program *program);
/* Of a step that the expander has recorded. */
enum strength strength_of_step(const enum strength *strengths, const struct expander *expander,
                               const struct step_record *record);
