/* LABEL - labels of steps: actions with their values, as numbers that both models share (R2.1).
 *
 * Label 0 is that of hidden steps. Indices of channels and arguments of tags are those before the
 * step, where the sender has chosen them; other values are those after it.
 *
 * Lifetime: labels in the arena given; a labeller in that of its search, for one layout.
 * Errors:   an argument that cannot be evaluated: labeller_key gives false, and the fault is the
 *           machine's.
 */
#pragma once

#include "base/index.h"
#include "explore/refine/alphabet.h"
#include "explore/space/search.h"

enum { LABEL_HIDDEN = 0 };
#define NO_LABEL UINT32_MAX

struct action_label {
    uint32_t action, count;
    const int32_t *values;
};

struct label_table {
    struct arena *arena;
    const struct alphabet *alphabet;
    VEC(struct action_label) list; /* list.items[0] is that of hidden steps */
    struct index index;
};

void labels_init(struct label_table *labels, struct arena *arena, const struct alphabet *alphabet);
/* "move(3,1,0)"; "hidden" for the label of hidden steps. */
const char *label_name(const struct label_table *labels, uint32_t label, struct arena *arena);

/* The name of a step, without a number for it. */
struct label_key {
    uint32_t label; /* its number if that is known; otherwise NO_LABEL */
    uint32_t action, count;
    int32_t values[ACTION_MAX_VALUES];
};

/* The number of a key, which may be new. */
uint32_t labels_add(struct label_table *labels, const struct label_key *key);
/* The label with this key, NO_LABEL if it is new. */
uint32_t labels_find(const struct label_table *labels, const struct label_key *key);

/* One value of a label. */
struct label_value {
    bool is_index;
    uint32_t index;
    struct unit unit;
};

struct label_source {
    uint32_t action;
    bool has_values; /* otherwise all indices, or all arguments of the tag */
    struct label_value *values;
    uint32_t count;
};

/* The action of an edge instance without channel. */
struct tagged {
    const struct label_source *source; /* NULL: it is hidden */
    struct unit *arguments;            /* of its tag, before the step */
    uint32_t count;
    uint32_t label; /* if there are none; otherwise NO_LABEL */
};

struct cell_label {
    const struct label_source *source; /* NULL: hidden */
    int32_t *indices;
    uint32_t count;
    uint32_t label; /* if it is always the same; otherwise NO_LABEL */
};

struct labeller {
    enum side side;
    struct label_table *labels;
    const struct program *program;
    struct cell_label *cells;     /* by address of a channel */
    struct tagged *tagged;        /* by instance */
    uint64_t *words;              /* a state with scratch words: each thread needs its own */
    const struct edge *ambiguous; /* one of a path of edges with two visible tags, or NULL */
    const struct edge *overruled; /* one with a visible tag, of a path that synchronises, or NULL */
};

/* Compiles what is needed: before an expander of the program is made. */
void labeller_init(struct labeller *labeller, struct label_table *labels, struct search *search,
                   enum side side);

/* The name of a step from one state of stored words to another; false if a value cannot be
 * evaluated. */
bool labeller_key(const struct labeller *labeller, struct machine *machine, const uint32_t *parts,
                  const uint64_t *from, const uint64_t *to, struct label_key *key);
