#include "explore/mixed/mixed_steps.h"

#include <assert.h>
#include <string.h>

#define NO_DOUBT UINT32_MAX

struct explorer {
    struct all_states *states;
    const enum strength *strengths;
};

static uint32_t label_of(void *context, uint32_t step, uint32_t target) {
    const struct explorer *explorer = context;
    const struct expander *expander = explorer->states->expander;
    (void)target;
    assert(step < expander->records.count);
    return strength_of_step(explorer->strengths, expander, &expander->records.items[step]);
}

/* All steps, with their strength. */
static bool find_all(struct row_steps *rows, struct explorer *explorer) {
    struct all_states *states = explorer->states;
    const struct rows_plan plan = {.search = states->search,
                                   .expander = states->expander,
                                   .state = states->state,
                                   .is_sorted = true,
                                   .label = label_of,
                                   .context = explorer};
    states->expander->is_recording = true;
    bool is_fine = rows_explore(rows, &plan);
    states->expander->is_recording = false;
    return is_fine;
}

/* The steps of one row that are at least as strong, and the one to itself where it may stay: if no
 * step is as strong as `stays`. */
static bool take_row(struct row_steps *to, const struct row_steps *all, uint32_t row,
                     enum strength least, enum strength stays) {
    bool goes_on = false, is_fine = true;
    for (uint64_t i = all->first[row]; i < all->first[row + 1] && is_fine; i++) {
        enum strength strength = (enum strength)all->labels[i];
        goes_on |= strength >= stays;
        if (strength >= least) is_fine = rows_add_step(to, all->targets[i], 0);
    }
    if (!goes_on && is_fine) is_fine = rows_add_step(to, row, 0);
    return is_fine;
}

/* Rows of gaps have no steps. */
static bool take_steps(struct steps *steps, const struct row_steps *all, struct all_states *states,
                       enum strength least, enum strength stays) {
    struct row_steps rows = {.ledger = &states->ledger};
    uint32_t next = states_first(states);
    bool is_fine = true;
    for (uint32_t row = 0; row < all->count && is_fine; row++) {
        if (row == next) {
            is_fine = states_go_on(states) && take_row(&rows, all, row, least, stays);
            next = states_next(states, row);
        }
        is_fine = is_fine && rows_add_row(&rows);
    }
    return steps_of_rows(steps, states, &rows) && is_fine;
}

/* The rows that `under` reaches, and those that have steps there. */
static bool find_real(struct mixed_steps *mixed, struct all_states *states) {
    const struct row_steps *rows = &mixed->under.rows;
    uint32_t count = 0;
    uint32_t *queue = states_take(states, states->row_count, sizeof *queue);
    mixed->is_moving = states_take(states, states->row_count / 64 + 1, sizeof(uint64_t));
    mixed->is_real = states_take(states, states->row_count / 64 + 1, sizeof(uint64_t));
    bool is_fine = queue && mixed->is_moving && mixed->is_real;
    for (uint32_t row = 0; is_fine && row < rows->count; row++)
        if (rows_degree(rows, row)) bit_set(mixed->is_moving, row);
    if (is_fine) {
        queue[count++] = states_first(states);
        bit_set(mixed->is_real, queue[0]);
    }
    while (count && states_go_on(states)) {
        uint32_t row = queue[--count];
        for (uint64_t i = rows->first[row]; i < rows->first[row + 1]; i++) {
            uint32_t target = rows->targets[i];
            if (bit_get(mixed->is_real, target)) continue;
            bit_set(mixed->is_real, target);
            assert(count < states->row_count); /* each row once */
            queue[count++] = target;
        }
    }
    STATES_GIVE(states, queue);
    return states->ledger.limit == LIMIT_NONE;
}

/* The participant that a step's strength is due to. */
static const struct edge_instance *weakest(const struct explorer *explorer,
                                           const struct step_record *record) {
    const struct expander *expander = explorer->states->expander;
    uint32_t found = expander->parts.items[record->first_part];
    for (uint32_t i = 1; i < record->part_count; i++) {
        uint32_t part = expander->parts.items[record->first_part + i];
        if (explorer->strengths[part] < explorer->strengths[found]) found = part;
    }
    return &expander->program->instances.items[found];
}

/* The first row in the order of the search that is real and has a step that is not certain, one to
 * another row if that is asked for; NO_DOUBT if there is none. */
static uint32_t find_doubted(const struct mixed_steps *mixed, const struct row_steps *all,
                             struct all_states *states, bool moves) {
    uint32_t best = NO_DOUBT, level = 0;
    EACH_ROW (states, row) {
        if (best != NO_DOUBT && search_level(states->search, row) != level) break;
        bool is_doubted = false;
        for (uint64_t i = all->first[row]; i < all->first[row + 1]; i++)
            is_doubted |= all->labels[i] != STRENGTH_MUST && (!moves || all->targets[i] != row);
        if (!is_doubted || !bit_get(mixed->is_real, row)) continue;
        level = search_level(states->search, row);
        if (best == NO_DOUBT || search_is_before(states->search, row, best)) best = row;
    }
    return best;
}

/* The same in every run. Steps that change nothing are the last ones to matter. */
static bool find_doubt(struct mixed_steps *mixed, const struct row_steps *all,
                       const struct explorer *explorer) {
    struct all_states *states = explorer->states;
    struct expander *expander = states->expander;
    uint32_t row = find_doubted(mixed, all, states, true);
    bool moves = row != NO_DOUBT;
    if (!moves) row = find_doubted(mixed, all, states, false);
    if (row == NO_DOUBT) return true;
    size_t size = expander->word_count * sizeof(uint64_t);
    store_load(&states->search->store, row, states->state);
    expander_clear(expander);
    expander->is_recording = true;
    bool is_fine = expander_run(expander, states->state);
    expander->is_recording = false;
    for (uint32_t i = 0; is_fine && i < expander_degree(expander) && !mixed->doubt; i++) {
        const struct step_record *record = &expander->records.items[i];
        if (strength_of_step(explorer->strengths, expander, record) == STRENGTH_MUST) continue;
        if (!moves || memcmp(expander_state(expander, i), states->state, size) != 0)
            mixed->doubt = weakest(explorer, record);
    }
    assert(!is_fine || mixed->doubt); /* the row has a step that is not certain */
    mixed->has_doubt = mixed->doubt != NULL;
    return is_fine;
}

bool mixed_steps_find(struct mixed_steps *mixed, struct all_states *states) {
    struct explorer explorer = {.states = states};
    struct row_steps all = {.ledger = &states->ledger, .has_labels = true};
    *mixed = (struct mixed_steps){.has_doubt = false};
    explorer.strengths = strengths_of_program(states->arena, states->search->program);
    bool is_fine = find_all(&all, &explorer) &&
                   take_steps(&mixed->over, &all, states, STRENGTH_MAY, STRENGTH_SURE) &&
                   take_steps(&mixed->under, &all, states, STRENGTH_MUST, STRENGTH_MAY) &&
                   find_real(mixed, states) && find_doubt(mixed, &all, &explorer);
    rows_close(&all);
    return is_fine;
}

/* Gives the memory back to the states; may be called where nothing was found. */
void mixed_steps_close(struct mixed_steps *mixed) {
    struct all_states *states = mixed->over.states;
    if (!states) return;
    STATES_GIVE(states, mixed->is_moving, mixed->is_real);
    steps_close(&mixed->over);
    steps_close(&mixed->under);
    *mixed = (struct mixed_steps){.has_doubt = false};
}
