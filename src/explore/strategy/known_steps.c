#include "explore/strategy/known_steps.h"

#include "explore/mixed/strength.h"

#include <assert.h>

enum {
    FEW_BYTES = 1 << 20, /* of lists: so many are fine in any case, */
    PART_OF_STEPS = 4,   /* or a part of what the steps take */
    LIST_BYTES = 40      /* of each: where it begins, here and in games, and how it is found */
};

struct finder {
    struct known_steps *known;
    struct all_states *states;
    const struct coalition *coalition; /* NULL: all processes */
    step_strength *strength;
    const void *context;
    VEC(struct taker) list; /* of a step */
};

/* The channel of an instance in the state that was loaded, where it depends on that. */
static uint32_t channel_of(struct finder *finder, const struct edge_instance *instance) {
    struct all_states *states = finder->states;
    if (instance->channel != ANY_CHANNEL) return NO_SLOT;
    if (states_run(states, &instance->channel_code) != RUN_TRUE) return NO_SLOT;
    return (uint32_t)states->machine.registers[0];
}

static bool counts(const struct finder *finder, const struct process *process) {
    return !finder->coalition || finder->coalition->player_of[process->index] != NO_PLAYER;
}

static uint32_t number_of(struct finder *finder, const struct step_record *record) {
    const struct expander *expander = finder->states->expander;
    finder->list.count = 0;
    for (uint32_t i = 0; i < record->part_count; i++) {
        assert(record->first_part + i < expander->parts.count);
        uint32_t number = expander->parts.items[record->first_part + i];
        const struct edge_instance *instance = &expander->program->instances.items[number];
        if (!counts(finder, instance->process)) continue;
        struct taker taker = {number, channel_of(finder, instance)};
        VEC_PUSH(finder->states->arena, &finder->list, taker);
    }
    return lists_number(&finder->known->takers, finder->list.items, finder->list.count);
}

static uint32_t label_of(void *context, uint32_t step, uint32_t target) {
    struct finder *finder = context;
    (void)target;
    const struct step_record *record = &finder->states->expander->records.items[step];
    uint32_t number = number_of(finder, record);
    if (number >= UINT32_MAX / 4) finder->states->ledger.limit = LIMIT_MEMORY;
    return number * 4 +
           (finder->strength ? finder->strength(finder->context, record) : (uint32_t)STRENGTH_MUST);
}

/* Searches for strategies count steps in 32 bits. */
static bool look_at_size(void *context, uint32_t row) {
    struct finder *finder = context;
    struct known_steps *known = finder->known;
    (void)row;
    if (known->rows.step_count > UINT32_MAX) finder->states->ledger.limit = LIMIT_MEMORY;
    uint64_t steps = known->rows.step_count * 2 * sizeof(uint32_t);
    uint64_t lists = known->takers.first[known->takers.count] * sizeof(struct taker) +
                     known->takers.count * (uint64_t)LIST_BYTES;
    known->is_given_up = !finder->coalition && lists > FEW_BYTES && lists > steps / PART_OF_STEPS;
    return finder->states->ledger.limit == LIMIT_NONE && !known->is_given_up;
}

static bool explore(struct finder *finder) {
    struct all_states *states = finder->states;
    struct known_steps *known = finder->known;
    struct rows_plan plan = {.search = states->search,
                             .expander = states->expander,
                             .state = states->state,
                             .label = label_of,
                             .finish = look_at_size,
                             .context = finder};
    known->rows = (struct row_steps){.ledger = &states->ledger, .has_labels = true};
    known->back = (struct row_steps){.ledger = &states->ledger};
    if (!lists_open(&known->takers, &states->ledger, sizeof(struct taker))) return false;
    states->expander->is_recording = true;
    bool is_fine = rows_explore(&known->rows, &plan);
    states->expander->is_recording = false;
    assert(!is_fine || known->rows.count == states->row_count);
    index_close(&known->takers.index); /* no more lists come */
    return is_fine && (known->is_given_up || rows_turn(&known->back, &known->rows));
}

bool known_steps_find(struct known_steps *known, struct all_states *states,
                      const struct coalition *coalition, step_strength *strength,
                      const void *context) {
    struct finder finder = {.known = known,
                            .states = states,
                            .coalition = coalition,
                            .strength = strength,
                            .context = context};
    size_t before = states->ledger.used;
    if (known->is_known || known->is_given_up) return true;
    known->is_known = true;
    bool is_fine = explore(&finder);
    known->size = states->ledger.used - before;
    if (known->is_given_up) {
        known_steps_close(known);
        known->is_given_up = true;
    }
    return is_fine;
}

void known_steps_move(struct known_steps *known, struct ledger *ledger) {
    if (!known->is_known) return;
    if (known->rows.ledger) known->rows.ledger->used -= known->size;
    if (ledger) ledger->used += known->size;
    known->rows.ledger = known->back.ledger = known->takers.ledger = ledger;
    known->takers.index.memory = ledger_memory(ledger);
}

/* May be called where nothing is known, and where no ledger counts it. */
void known_steps_close(struct known_steps *known) {
    struct ledger none = {.limit = LIMIT_NONE};
    if (known->is_known && !known->rows.ledger) known_steps_move(known, &none);
    if (known->is_known) {
        rows_close(&known->rows);
        rows_close(&known->back);
        lists_close(&known->takers);
    }
    *known = (struct known_steps){.is_known = false};
}
