/* KEY - guards that differ by the values of the variables that merges keep (rule S2).
 *
 * The tuples of a fold fall into parts by their key, the values of v == f(r) for the merges that
 * take part. Each part has a guard of its own; together they say: for some part, v has its value
 * and its guard holds.
 *
 * Lifetime: in the arena of the joint values.
 */
#ifndef VARABS_ABSTRACT_FOLD_KEY_H
#define VARABS_ABSTRACT_FOLD_KEY_H

#include "abstract/fold/residual.h"
#include "expr/chain.h"

/* The tuples of one key. */
struct key_part {
    int32_t *values;          /* by key */
    const struct expr *may;   /* the guard for some tuple */
    struct chain clauses;     /* for all of them */
    const struct expr *first; /* what the first tuple said */
    bool is_new, is_same;     /* no tuple yet; all said the same */
    bool *is_member;          /* by member of a class: some tuple matches */
};

struct keyed {
    struct context *context;
    struct arena *arena;
    VEC(const struct merge_key *) keys;       /* one for each merge */
    VEC(const struct open_edge *) open_edges; /* by key: whose unknowns it mentions */
    VEC(struct key_part *) parts;
    uint32_t member_count;
    bool is_lost; /* some key could not be computed: the parts are not to be told apart */
};

void keyed_add(struct keyed *keyed, const struct open_edge *open);
/* The part of the current tuple; where it is new, may is false and there are no clauses. */
struct key_part *keyed_part(struct keyed *keyed, const struct joint_values *joint);
/* The guards of all parts, each where v says so. */
const struct expr *keyed_may(struct keyed *keyed);
const struct expr *keyed_must(struct keyed *keyed);

#endif
