/* DOMAIN - the value sets of the groups of one process (rule A3), and what an edge adds to them. */
#pragma once

#include "approx/labels/fact.h"

enum { GROUP_MAX_DIMENSION = 6, LIST_LIMIT = 256, LIST_LIMIT_VISIBLE = 32 };

/* Slots that other processes can change, or, being meta, that start each step anew: they have a
 * set M and no set by location. */
static inline bool slot_is_shared(const struct network *network, uint32_t slot) {
    return !network->slots[slot].process || network->slots[slot].is_meta;
}

/* Whether an update hook writes the slot. */
static inline bool slot_is_hooked(const struct network *network, uint32_t slot) {
    const struct symbol *symbol = network->slots[slot].symbol;
    return effects_writes(&network->before_update, symbol) ||
           effects_writes(&network->after_update, symbol);
}

/* The bounds within which the set of a slot may grow. */
struct bounds slot_bounds(const struct analysis *analysis, uint32_t slot);

/* For uniting sets that do not grow any more: nothing is widened. */
struct bounds slot_union_bounds(const struct analysis *analysis, uint32_t slot);

void group_domain_init(struct arena *arena, const struct group *group, struct group_domain *domain);

/* The values of the cells of a group, as an enumerator takes them. */
struct cell_domain group_cell(const struct group *group, const struct group_domain *domain);

/* Adds the current values of the group's cells. True if it grew. */
bool group_add_cells(struct analysis *analysis, struct arena *arena, struct group *group,
                     struct group_domain *domain, const int32_t *cells);

/* Adds all of another domain of the same group. True if it grew. */
bool group_join(struct analysis *analysis, struct arena *arena, struct group *group,
                struct group_domain *domain, const struct group_domain *other);

/* Adds all of another domain without widening: for domains that do not grow any more. */
void group_unite(struct analysis *analysis, struct arena *arena, struct group *group,
                 struct group_domain *domain, const struct group_domain *other);

/* Whether the domain has all values of the other. */
bool group_covers(const struct group *group, const struct group_domain *domain,
                  const struct group_domain *other);

/* Adds what two domains have in common. */
void group_add_common(struct analysis *analysis, struct arena *arena, struct group *group,
                      struct group_domain *domain, const struct group_domain *left,
                      const struct group_domain *right);

/* Adds every value between two; a relation overflows. */
void group_add_range(struct analysis *analysis, struct arena *arena, struct group *group,
                     struct group_domain *domain, int32_t lower, int32_t upper);
