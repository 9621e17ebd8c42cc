/* VISIBLE - what two models have in common.
 *
 * The visible part of a state is the location of every process and the value of every slot that
 * both models have under the same name, but for slots that are to be ignored and those of meta
 * variables. Processes that only the concrete model has may be gone: then they are not part of it.
 * A value that another one stands for in the abstract model counts as that one, where it is said so
 * (explore/visible/exchange.h). Locations are matched by name, those that are left by id; in
 * templates whose names differ, those without a name by their order. One that only one model has is
 * like no other.
 *
 * Lifetime: in the arena given; networks and layouts are borrowed.
 * Errors:   visible_init says what is wrong in words.
 */
#pragma once

#include "explore/code/layout.h"
#include "explore/visible/exchange.h"

enum side { SIDE_CONCRETE, SIDE_ABSTRACT, SIDE_COUNT };

static inline enum side other_side(enum side side) {
    return side == SIDE_CONCRETE ? SIDE_ABSTRACT : SIDE_CONCRETE;
}

enum slot_role { ROLE_META, ROLE_VISIBLE, ROLE_IGNORED, ROLE_ALONE /* only in this model */ };

/* A field that both models have, by side. */
struct pairing {
    uint32_t index[SIDE_COUNT];
};

struct visible {
    const struct network *networks[SIDE_COUNT];
    enum slot_role *roles[SIDE_COUNT]; /* by slot */
    char **names[SIDE_COUNT];          /* by slot */
    struct pairing *slots;             /* the visible ones, in the order of the concrete model */
    uint32_t slot_count;
    const struct exchange_at **exchanges; /* by slot of the abstract model: of concrete values */
    struct pairing *processes;            /* in the order of the concrete model */
    uint32_t process_count;
    bool *is_gone; /* by process of the concrete model: only that has it; NULL: there is none */
    uint32_t **codes[SIDE_COUNT]; /* of locations, by place in processes */
    uint32_t *code_counts;
};

/* Ignored names are Template.name, .name of a global variable, or name where that is unambiguous,
 * with [2] or .f after it for a cell or field. NULL, or what is wrong. */
const char *visible_init(struct visible *visible, struct arena *arena,
                         const struct network *concrete, const struct network *abstract,
                         const char *const *ignored, uint32_t ignored_count);
/* The same where the abstract model may lack processes, but not all. */
const char *visible_init_without(struct visible *visible, struct arena *arena,
                                 const struct network *concrete, const struct network *abstract,
                                 const char *const *ignored, uint32_t ignored_count);
/* The same where processes have other names in the abstract model, as some were told apart
 * (abstract/prepare/split.h): they are matched by their order, and slots by what is after the
 * names of their processes. */
const char *visible_init_in_order(struct visible *visible, struct arena *arena,
                                  const struct network *concrete, const struct network *abstract,
                                  const char *const *ignored, uint32_t ignored_count);
/* A meta variable that keeps its value between steps in one of the models, so that Uppaal may find
 * other states than those that are compared (N9); or NULL. */
const struct symbol *visible_kept_meta(const struct network *concrete,
                                       const struct network *abstract);
/* That of a process, by its place in the processes that are compared. */
const struct template *visible_template(const struct visible *visible, enum side side,
                                        uint32_t place);
/* The name of a slot after that of its process. */
const char *visible_local_name(const struct slot *slot, const char *name);

typedef bool location_test(const struct location *location);

/* Whether the test has the same answer for locations of both models that look the same, and is
 * false for those of processes that are gone. */
bool visible_agrees(const struct visible *visible, location_test *test);

/* The abstract state that a concrete one looks like, of so many words as its layout has; slots that
 * are not compared have their initial values. NULL, or why there is none. Values that stand for
 * others are not known here. */
const char *visible_image(const struct visible *visible, const struct layout *concrete,
                          const uint64_t *state, const struct layout *abstract, uint64_t *words);
