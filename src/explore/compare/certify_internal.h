/* CERTIFY INTERNAL - what certification and its refutations share.
 *
 * certify.c         both engines in turns
 * certify_refute.c  traces of both models to a step that is not followed
 */
#pragma once

#include "explore/compare/certify.h"

/* What it needs while it runs. */
struct certifier {
    struct certification *result;
    struct arena *arena;
    const struct visible *visible;
    const struct certify_options *options;
    struct ledger ledger;
    const struct joint_symmetry *joint; /* or NULL */
    bool uses_orbits;
    struct graph graphs[SIDE_COUNT];
    struct pair_orbits orbits;
    struct simulation simulation;
    struct refutation *refutation;            /* the current one, */
    const struct search *refuted[SIDE_COUNT]; /* and the searches whose states it has */
    struct set_certifier sets;
    struct refutation *shown;   /* by sets, why it fails, or that time differs; or NULL */
    bool has_sets, is_given_up; /* sets */
    bool is_plain;              /* joint permutations are of no use */
    bool owes_run;              /* that orbits do not show */
    bool has_images;            /* they show that it holds, */
    uint32_t image_count;       /* so many */
    enum set_outcome found;     /* by sets; SET_MORE: nothing */
};

/* Why the simulation fails; NULL past a limit. */
struct refutation *certify_refute(struct certifier *certifier);
/* The same by a duel between states of two searches. */
struct refutation *certify_refute_by(struct certifier *certifier, const struct duel *duel,
                                     const struct search searches[SIDE_COUNT]);
