/* LIVE INTERNAL - what live.c and live_flow.c share: the flow through labels. */
#pragma once

#include "suggest/live.h"

/* A template as one process of it sees it, or all of them together. */
struct live_view {
    const struct template *template;
    const struct process *const *processes;
    uint32_t process_count;
};

struct live_place {
    const struct live_variable *variable; /* NULL: not followed */
    const struct shape *shape;
    uint32_t begin, end; /* bits, counted from the first of the variable */
    bool is_exact;       /* all of these bits, rather than some */
};

struct live_alias { /* what a reference parameter of a function stands for */
    const struct symbol *parameter;
    struct live_place place;
};

/* Sets are bits of global variables, then those of the local ones. */
struct live_flow {
    const struct live *live;
    const struct live_view *view;
    struct arena arena; /* of sets */
    struct environment environment;
    uint32_t words;
    uint64_t *exit; /* live after the function that is looked at */
    VEC(struct live_alias) aliases;
    VEC(const struct symbol *) known; /* variables of iterations, and their current values */
    VEC(int32_t) values;
    uint32_t depth;
    uint64_t effort;
};

enum { LIVE_MAX_EFFORT = 30000000, LIVE_MAX_CALLS = 30, LIVE_MAX_UNROLL = 64 };

/* From what is live after an expression to what is live before it. */
void live_before_expr(struct live_flow *flow, const struct expr *expr, uint64_t *set);
void live_before_update(struct live_flow *flow, const struct expr_list *items, uint64_t *set);
void live_before_type(struct live_flow *flow, const struct type *type, uint64_t *set);

static inline bool live_is_exhausted(const struct live_flow *flow) {
    return flow->effort > LIVE_MAX_EFFORT;
}
