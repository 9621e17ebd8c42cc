/* APPROX JUDGE - whether a value analysis covers everything that an exploration sees. */
#pragma once

#include "approx/analysis.h"

struct judge {
    struct analysis *analysis;
    const struct network *network;
    struct arena *arena;
    const int32_t *values; /* of the current state, by slot */
    uint32_t state_count;
    const char *complaint; /* the first, or NULL */
};

/* Explores up to limit states and fills in the complaint. False if there are more states. */
bool judge(struct judge *judge, uint32_t limit);

/* Whether a finer analysis of the same network and variables stays within a coarser one. */
const char *judge_inclusion(struct arena *arena, struct analysis *fine, struct analysis *coarse);
