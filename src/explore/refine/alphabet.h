/* ALPHABET - which steps of two models are actions, and under which names (rules R2.1 and R2.3).
 *
 * A step over a channel that is visible is the action of the channel, its indices after it; a step
 * without channel is the action of a visible tag of its edges. Every other step is hidden. Unless
 * asked otherwise, the channels of the abstract model are visible in both.
 *
 * Invariants: names of actions are different; at most one action of a side is that of a channel.
 * Lifetime:   in the arena given; networks and what was asked are borrowed.
 * Errors:     alphabet_init says what is wrong in words.
 */
#pragma once

#include "explore/visible/visible.h"

/* One value after the name of an action. */
struct action_argument {
    bool is_index;           /* i0, i1, ...: of the channel, or an argument of the tag */
    uint32_t index;          /* which; otherwise */
    const struct expr *expr; /* as in a query, in the state that the step leads to */
};

/* The source of an action in one model; without channel and tag there is none. */
struct action_source {
    const char *channel, *tag; /* channels of a process: "P.c" */
    bool has_arguments;        /* otherwise all indices of the channel, or those of the tag */
    struct action_argument *arguments;
    uint32_t argument_count;
};

struct visible_action {
    const char *name;
    struct action_source sources[SIDE_COUNT];
    uint32_t value_counts[SIDE_COUNT]; /* NO_COUNT where nothing does it; after reading tags */
};
#define NO_COUNT UINT32_MAX

/* A channel that is in some model and not visible. */
struct hidden_channel {
    const char *name;
    bool is_in[SIDE_COUNT];
};

struct alphabet_request {
    const char *const *visible; /* names of channels and tags; @name is a tag */
    uint32_t visible_count;
    const char *const *hidden;
    uint32_t hidden_count;
    const struct visible_action *actions; /* in place of all that; hidden ones still go */
    uint32_t action_count;
};

struct alphabet {
    const struct network *networks[SIDE_COUNT];
    VEC(struct visible_action) actions;
    VEC(struct hidden_channel) hidden;
    bool hides_internal; /* there are edges without channel, and none of their tags is visible */
    struct map tags[SIDE_COUNT]; /* by edge without channel: its visible tag */
};

/* The visible tag of an edge. */
struct visible_tag {
    uint32_t action;
    struct expr_list arguments; /* in the scope of the edge */
};

enum { ACTION_MAX_VALUES = 16 };
#define NO_ACTION UINT32_MAX

/* NULL, or what is wrong. */
const char *alphabet_init(struct alphabet *alphabet, struct arena *arena,
                          const struct network *concrete, const struct network *abstract,
                          const struct alphabet_request *request);

/* Reads the visible tags of a model, which is that of the side's network. False (reported to its
 * diag) if one of them cannot be read, if an edge has two, or if the values of an action differ in
 * number. */
bool alphabet_read_tags(struct alphabet *alphabet, struct arena *arena, enum side side,
                        struct model *model);
/* The visible tag of an edge without channel, or NULL. */
const struct visible_tag *alphabet_tag_of(const struct alphabet *alphabet, enum side side,
                                          const struct edge *edge);
/* NULL, or which action has different numbers of values in the two models. */
const char *alphabet_compare(const struct alphabet *alphabet, struct arena *arena);

/* The action of a channel by its name without indices; NO_ACTION if it is hidden. */
uint32_t alphabet_channel(const struct alphabet *alphabet, enum side side, struct str name);
