/* CLOSE - the least set that has a given one and all successors of its own: saturation.
 *
 * An event has a relation over the levels from its top on. A node at a level is closed when no
 * event with its top at this level or below leads out of it. Of a set, what is below is closed
 * first; then each event of its level is fired once, on what the ones before it have made; and so
 * on in turns, until nothing is new. To close the successors of each step by themselves would be
 * the finer iteration of the literature; it makes several times as many nodes.
 *
 * Relations are learned on the way: before an event is fired on a node, whatever the node has of
 * short vectors that the event has not met is given to a function that adds what the event does
 * with them. Every such vector is part of a vector that belongs to the result.
 *
 * Lifetime: events are borrowed; their sets are roots from closer_init to closer_close.
 * Errors:   past a limit of the diagrams the result means nothing; to call it again after
 *           ldd_resume goes on where it was.
 * Source:   Ciardo, Luettgen, Siminiceanu: Saturation: an efficient iteration strategy for symbolic
 *           state-space generation, 2001; Kant, Laarman, Meijer, van de Pol, Blom, van Dijk:
 *           LTSmin: high-performance language-independent model checking, 2015 (what is below
 *           first, then the events of a level in turns). Relations learned inside: own.
 */
#pragma once

#include "explore/symbolic/diagram/sets.h"

struct event {
    uint32_t top;   /* level of the first mark, 0 if there is none */
    uint32_t chain; /* of marks, from the top */
    /* the same from level 0; MARKS_UNMADE until all states are known, as many levels above the
     * top take room */
    uint32_t whole;
    uint32_t reads;      /* of marks, from the top, as if the event wrote nothing */
    uint32_t read_count; /* values of a short vector */
    uint32_t known;      /* short vectors that were met */
    uint32_t enabled;    /* those of the known ones that have a successor */
    uint32_t relation;   /* from the enabled ones to their successors */
    uint32_t index;      /* for the function that learns */
    /* follow this one, from the same top; vectors between stages are not in the set */
    struct event *stages;
    uint32_t stage_count;
};

struct closer {
    struct ldd *ldd;
    const struct marks *marks;
    struct event *events; /* ascending by top */
    uint32_t *first;      /* event, by level; level_count + 1 of them */
    uint32_t level_count;
    uint32_t *vector; /* short, as long as the longest */
    /* Short vectors that were met and are not known yet. few_met of them become known together; of
     * a large set, more and more. */
    struct set_rows met;
    uint32_t few_met, most_met;
    /* Adds the vector to enabled and its successors to the relation, at the latest when settle is
     * called; nothing past a limit of the diagrams. False ends the run. */
    bool (*learn)(void *context, struct event *event, const uint32_t *vector);
    void (*settle)(void *context, struct event *event);
    void *context;
    bool is_ended; /* by learn */
};

/* The events must have ascending tops; the other parts of the closer that are named above without
 * first, vector and met are set by the caller. */
void closer_init(struct closer *closer, struct arena *arena, uint32_t event_count);
void closer_close(struct closer *closer);

/* The set must be held or a root. */
uint32_t close_set(struct closer *closer, uint32_t set);

/* Successors of a set by an event, from level 0; what of the set has successors in another one. */
uint32_t event_image(struct ldd *ldd, const struct marks *marks, const struct event *event,
                     uint32_t set);
uint32_t event_preimage(struct ldd *ldd, const struct marks *marks, const struct event *event,
                        uint32_t set, uint32_t target);
