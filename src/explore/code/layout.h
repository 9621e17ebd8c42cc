/* LAYOUT - how a state is packed into 64-bit words.
 *
 * Every slot and the location of every process is a field: some bits of one word. A state is
 * stored words first; after them come scratch words for slots that change within steps only
 * (meta variables, and slots that are back at their initial value after every step seen so far).
 *
 * Ranges start out as a guess: what the value analysis and a first look at the state space say.
 * A value outside its field is no error but an overflow: the search widens the field and starts
 * anew, so a wrong guess costs time, never a state.
 *
 * Invariants: fields do not straddle words; fields without bits hold their lower bound for ever.
 * Lifetime:   in the arena of the layout.
 */
#pragma once

#include "model/network.h"

struct packed {
    uint64_t mask; /* of the value before the shift */
    uint32_t word;
    uint32_t shift;
    int32_t lower; /* value of the bits 0 */
    int32_t declared_lower, declared_upper;
    bool is_bool;
    bool is_scratch;
};

/* The assumption about one slot. */
struct guess {
    int32_t lower, upper; /* neither over nor under: widened where a value is missing */
    bool is_transient;    /* only changes within steps */
};

struct layout {
    const struct network *network;
    struct packed *fields; /* slots, then the locations of processes */
    uint32_t field_count;
    uint32_t word_count;                 /* with scratch words */
    uint32_t stored_words, stored_bytes; /* of a state */
    uint32_t stored_bits;
    uint32_t *first_of; /* by word, and one more: where its fields begin in by_word */
    uint32_t *by_word;  /* fields with bits, in order */
    uint64_t *initial;  /* word_count words */
    uint32_t *scratch;  /* slots with scratch fields */
    uint32_t scratch_count;
};

/* Field of a process's location. */
static inline uint32_t layout_location(const struct layout *layout, uint32_t process) {
    return layout->network->slot_count + process;
}

static inline int32_t field_get(const struct packed *field, const uint64_t *words) {
    return (int32_t)((int64_t)(words[field->word] >> field->shift & field->mask) + field->lower);
}

/* Whether a value has a code in the field. */
static inline bool field_holds(const struct packed *field, int32_t value) {
    return (uint64_t)((int64_t)value - field->lower) <= field->mask;
}

static inline uint64_t field_bits(const struct packed *field, int32_t value) {
    return (uint64_t)((int64_t)value - field->lower) << field->shift;
}

static inline void field_set(const struct packed *field, uint64_t *words, int32_t value) {
    words[field->word] =
        (words[field->word] & ~(field->mask << field->shift)) | field_bits(field, value);
}

/* Packs by guesses, one a slot. A guess whose slot starts outside it is widened. */
struct layout *layout_new(struct arena *arena, const struct network *network,
                          const struct guess *guesses);

/* A state with scratch words, as it is initially. arena NULL: on the heap. */
uint64_t *layout_state(const struct layout *layout, struct arena *arena);

/* The range as declared. */
struct guess guess_declared(const struct slot *slot);
/* The smallest step towards the declared range that takes the value in. */
void guess_widen(struct guess *guess, const struct slot *slot, int32_t value);
