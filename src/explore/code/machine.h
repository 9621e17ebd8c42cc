/* MACHINE - runs units on a packed state.
 *
 * Invariants: unless a run gives RUN_TRUE, the words are arbitrary afterwards.
 * Lifetime:   one machine per thread; machine_close frees its heap memory.
 * Errors:     an evaluation that is invalid (N5) is RUN_FAULT with the fault; one
 *             that runs past the deadline, or past EVAL_MAX_STEPS, is RUN_LATE.
 */
#pragma once

#include "explore/code/code.h"
#include "model/process_names.h"

enum outcome { RUN_FALSE, RUN_TRUE, RUN_FAULT, RUN_OVERFLOW, RUN_LATE };

/* Nothing is known of what was asked. */
static inline bool is_broken_off(enum outcome outcome) { return outcome >= RUN_OVERFLOW; }

struct machine {
    const struct code *code;
    const struct packed *fields;
    uint64_t *words;    /* of the current run */
    int32_t *registers; /* heap */
    uint32_t register_count;
    struct fault fault;
    uint32_t overflow_slot; /* RUN_OVERFLOW: this slot needs the value */
    int32_t overflow_value;
    bool has_overflowed;
    double deadline;  /* by clock_seconds; 0 = none */
    double grace;     /* seconds that it may go on after an interrupt */
    bool is_late;     /* the clock was past either when it was looked at last, or: */
    bool is_too_long; /* an evaluation took too many steps: the one of the fault; it stays so */
    uint64_t ticks;
    uint64_t rounds; /* ticks and steps of earlier runs; for the limits of the caller */
    /* The interpreter */
    struct arena arena;
    struct environment environment;
    struct binding *frame;
    uint32_t frame_size;
    uint32_t site_count;           /* of the code, for which the interpreter is ready */
    struct map *processes;         /* by hash of the name */
    bool is_stuck;                 /* what `deadlock` means: set before a predicate is run */
    const struct process *process; /* of the current site */
};

void machine_init(struct machine *machine, const struct code *code);
void machine_close(struct machine *machine);
/* Makes it ready for units that were added to the code. */
void machine_fit(struct machine *machine);

/* Looks at the clock, and sets is_late. */
bool machine_has_time(struct machine *machine);

/* Whether the tests of a unit hold. */
static inline bool unit_tests(const struct code *code, const struct unit *unit,
                              const uint64_t *words) {
    const struct test *test = &code->tests.items[unit->first_test];
    for (uint32_t i = 0; i < unit->test_count; i++, test++)
        if (((words[test->word] & test->mask) == test->value) == test->is_negated) return false;
    return true;
}

static inline void unit_puts(const struct code *code, const struct unit *unit, uint64_t *words) {
    const struct put *put = &code->puts.items[unit->first_put];
    for (uint32_t i = 0; i < unit->put_count; i++, put++)
        words[put->word] = (words[put->word] & put->keep) | put->value;
}

/* Runs bytecode from an entry on. */
enum outcome machine_run(struct machine *machine, uint32_t entry, uint64_t *words);

/* Runs a whole unit; its value is machine->registers[0] where it has code. */
static inline enum outcome machine_unit(struct machine *machine, const struct unit *unit,
                                        uint64_t *words) {
    if (!unit_tests(machine->code, unit, words)) return RUN_FALSE;
    if (unit->entry != NO_CODE) {
        enum outcome outcome = machine_run(machine, unit->entry, words);
        if (outcome != RUN_TRUE) return outcome;
    }
    unit_puts(machine->code, unit, words);
    return RUN_TRUE;
}

/* Likewise a unit of one query, which alone is not decided where its evaluation takes too long:
 * RUN_FAULT then, so that the search goes on for others. */
static inline enum outcome machine_ask(struct machine *machine, const struct unit *unit,
                                       uint64_t *words) {
    enum outcome outcome = machine_unit(machine, unit, words);
    if (outcome != RUN_LATE || !machine->is_too_long) return outcome;
    machine->is_too_long = machine->is_late = false;
    return RUN_FAULT;
}
