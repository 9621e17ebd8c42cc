/* NORMAL - exchanges values that make no difference for one that stands for them all, at the ends
 * of updates: x = x > 3 ? 3 : x (V1 to V15).
 *
 * The variable, its type, guards, invariants and queries stay as they are, so that a model never
 * gets larger. The new model is bisimilar to the one before as far as the queries given, names of
 * locations and whatever has no classes are concerned, if that has no runtime errors (V14).
 *
 * Lifetime: in the arena given.
 * Errors:   none; where the analysis is past its budget, the model stays as it is.
 */
#pragma once

#include "abstract/fold/model.h"
#include "session/queries.h"
#include "session/spec.h"

/* Values of a variable at a location of which one stands for others. */
struct normal_point {
    const char *variable; /* or a cell of it: "P.x[2]" */
    const char *template; /* of the location, if the variable is global: of its owner (owner.h) */
    const char *location; /* NULL: everywhere */
    VEC(const char *) processes; /* in these only; none: in all of the template */
    const char *key;             /* while this cell of the same process, or a global one, */
    const int32_t *key_values;   /* has one of these values (key.h); */
    uint32_t key_count;          /* none: whatever others have */
    bool is_one;                 /* all values have the same one standing for them */
    int32_t representative;
    int32_t lower, upper;
    uint32_t count;
    const int32_t *values, *normal; /* count values, and what stands for each; NULL: too many */
};

/* A query of the document that was not asked for and that names such a variable. */
struct normal_loss {
    uint32_t query; /* in the document */
    const char *variable;
};

/* A requested exchange (normal/requested_classes.h) that is refused because it makes a
 * difference. */
struct normal_refusal {
    position at;
    const char *text;
};

struct normal {
    struct str output;    /* the new model; empty if it stays as it is */
    const char *may_fail; /* what may fail where it relies on there being no runtime errors
                             (classes_may_fail), or NULL */
    bool tells_apart;     /* its keys tell apart what may change places in the model (Y18) */
    VEC(struct normal_refusal) refusals;
    VEC(struct normal_point) points;
    VEC(struct normal_loss) losses;
};

/* A model whose values are analysed, for one set of its queries after another. */
struct normaliser;

/* The queries are those that are observed: those given, or else those of the model. NULL if the
 * model stays as it is; else to be freed. */
struct normaliser *normaliser_new(struct arena *arena, struct str model,
                                  const struct query_source *queries, uint32_t query_count,
                                  const struct analysis_options *options);
/* From now on no other values are exchanged than these; requests are borrowed. False (reported) if
 * one names what the model does not have. */
bool normaliser_request(struct normaliser *normaliser, const struct spec *spec, struct diag *diag);
/* NULL is not freed. */
void normaliser_free(struct normaliser *normaliser);

/* The queries that are observed. */
const struct observed *normaliser_queries(const struct normaliser *normaliser);

/* The model as it is. */
struct str normaliser_model(const struct normaliser *normaliser);

/* Keys that cells may have (classes/key.h): none, those that keep who may change places (Y18), or
 * any. */
enum normal_keys { KEYS_NONE, KEYS_IN_ORBITS, KEYS_ANY };

/* For some of the queries: by number, or all of them for NULL. Those of operators in each other, or
 * about knowledge, always count. */
void normaliser_run(struct normaliser *normaliser, const bool *is_asked, enum normal_keys keys,
                    struct normal *normal);

/* Whether values are exchanged in both while the same key has the same values. */
bool normal_has_same_key(const struct normal_point *left, const struct normal_point *right);

/* Whether both exchange the same values. */
bool normal_is_same(const struct normal *left, const struct normal *right);

/* Makes the new model the output of the abstraction; queries that were not asked for go. */
void normal_apply(const struct normal *normal, struct abstraction *abstraction, struct diag *diag);
