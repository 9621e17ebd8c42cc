/* Keys of rows, numbered. */
#include "explore/states/indistinguishable.h"

#include "explore/graph/lists.h"

#include <assert.h>
#include <string.h>

/* The part of a state that an agent sees: bits of the words of the state, a bit for each guard, a
 * word for each value. */
struct sight {
    const struct indistinguishable *classes;
    struct all_states *states;
    uint64_t *mask;
    uint32_t state_words, guard_words, value_words;
    uint64_t *key;
};

static void see_field(struct sight *view, uint32_t field) {
    const struct packed *packed = &view->states->search->layout->fields[field];
    if (!packed->is_scratch) view->mask[packed->word] |= packed->mask << packed->shift;
}

static void view_open(struct sight *view, const struct indistinguishable *classes,
                      struct all_states *states) {
    const struct layout *layout = states->search->layout;
    uint32_t guards = 0;
    *view =
        (struct sight){.classes = classes, .states = states, .state_words = layout->stored_words};
    view->mask = ARENA_ARRAY(states->arena, uint64_t, layout->word_count + 1);
    for (uint32_t i = 0; i < classes->agent->items.count; i++) {
        const struct observed_item *item = &classes->agent->items.items[i];
        if (item->kind == OBSERVED_LOCATION)
            see_field(view, layout_location(layout, item->process->index));
        if (item->kind == OBSERVED_SLOT) see_field(view, item->slot);
        guards += item->kind == OBSERVED_GUARD;
        view->value_words += item->kind == OBSERVED_VALUE;
    }
    view->guard_words = (guards + 63) / 64;
    view->key = ARENA_ARRAY(states->arena, uint64_t,
                            view->state_words + view->guard_words + view->value_words + 1);
}

static bool is_at_source(const struct all_states *states, const struct observed_item *item) {
    const struct layout *layout = states->search->layout;
    uint32_t field = layout_location(layout, item->process->index);
    return field_get(&layout->fields[field], states->state) == (int32_t)item->edge->source;
}

/* The key of the state that was loaded. A guard that cannot be evaluated does not hold. */
static void see(struct sight *view) {
    struct all_states *states = view->states;
    const struct agent *agent = view->classes->agent;
    uint64_t *guards = view->key + view->state_words, *values = guards + view->guard_words;
    uint32_t guard = 0;
    for (uint32_t i = 0; i < view->state_words; i++)
        view->key[i] = states->state[i] & view->mask[i];
    memset(guards, 0, view->guard_words * sizeof *guards);
    for (uint32_t i = 0; i < agent->items.count; i++) {
        const struct observed_item *item = &agent->items.items[i];
        const struct unit *unit = &view->classes->units[i];
        if (item->kind == OBSERVED_GUARD) {
            if (is_at_source(states, item) && states_run(states, unit) == RUN_TRUE)
                bit_set(guards, guard);
            guard++;
        } else if (item->kind == OBSERVED_VALUE) {
            enum outcome outcome = states_run(states, unit);
            if (outcome == RUN_FAULT) states->fault = states->machine.fault;
            *values++ = outcome == RUN_TRUE ? (uint32_t)states->machine.registers[0] : 0;
        }
    }
    assert(guard <= 64 * view->guard_words);
    assert(values == guards + view->guard_words + view->value_words);
}

int32_t indistinguishable_value(const struct indistinguishable *classes, struct all_states *states,
                                uint32_t index) {
    const struct layout *layout = states->search->layout;
    assert(index < classes->agent->items.count);
    const struct observed_item *item = &classes->agent->items.items[index];
    switch (item->kind) {
    case OBSERVED_LOCATION:
        return field_get(&layout->fields[layout_location(layout, item->process->index)],
                         states->state);
    case OBSERVED_SLOT: return field_get(&layout->fields[item->slot], states->state);
    case OBSERVED_GUARD:
        return is_at_source(states, item) && states_run(states, &classes->units[index]) == RUN_TRUE;
    case OBSERVED_VALUE: break;
    }
    return states_run(states, &classes->units[index]) == RUN_TRUE ? states->machine.registers[0]
                                                                  : 0;
}

void indistinguishable_compile(struct indistinguishable *classes, struct all_states *states,
                               const struct agent *agent) {
    struct compiler *compiler = states->search->program->compiler;
    *classes = (struct indistinguishable){.agent = agent};
    classes->units = ARENA_ARRAY(states->arena, struct unit, agent->items.count + 1);
    for (uint32_t i = 0; i < agent->items.count; i++) {
        const struct observed_item *item = &agent->items.items[i];
        if (item->kind != OBSERVED_GUARD && item->kind != OBSERVED_VALUE) continue;
        struct leg_labels leg = {item->process, item->edge, item->selects};
        unit_begin(compiler);
        if (item->kind == OBSERVED_GUARD)
            unit_guard(compiler, &leg);
        else
            unit_value(compiler, item->expr);
        unit_end(compiler, &classes->units[i]);
    }
    classes->losses = ARENA_ARRAY(states->arena, struct unit, agent->lost_at.count + 1);
    for (uint32_t i = 0; i < agent->lost_at.count; i++) {
        unit_begin(compiler);
        unit_value(compiler, agent->lost_at.items[i]);
        unit_end(compiler, &classes->losses[i]);
    }
}

static bool take_rows(struct indistinguishable *classes, struct all_states *states) {
    assert(!classes->of_row);
    classes->of_row = states_take(states, states->row_count, sizeof *classes->of_row);
    if (!classes->of_row) return false;
    memset(classes->of_row, 0xFF, states->row_count * sizeof *classes->of_row);
    return true;
}

/* In the state that was loaded; what cannot be evaluated may be so. */
static bool has_lost_here(const struct indistinguishable *classes, struct all_states *states) {
    bool has_lost = false;
    for (uint32_t i = 0; i < classes->agent->lost_at.count && !has_lost; i++)
        has_lost = states_run(states, &classes->losses[i]) != RUN_TRUE ||
                   states->machine.registers[0] != 0;
    return has_lost;
}

bool indistinguishable_has_lost(const struct indistinguishable *classes, uint64_t row) {
    assert(classes->agent);
    return classes->agent->has_lost || !classes->of_row || classes->of_row[row] == NO_CLASS ||
           (classes->is_lost && bit_get(classes->is_lost, classes->of_row[row]));
}

/* Classes of all rows, numbered from 0; the ledger notes a limit. */
void indistinguishable_find(struct indistinguishable *classes, struct all_states *states) {
    struct sight view;
    struct lists keys;
    if (!take_rows(classes, states)) return;
    if (classes->agent->lost_at.count) {
        classes->is_lost = states_take(states, states->row_count / 64 + 1, sizeof(uint64_t));
        if (!classes->is_lost) return;
    }
    view_open(&view, classes, states);
    uint32_t words = view.state_words + view.guard_words + view.value_words;
    lists_open(&keys, &states->ledger, sizeof(uint64_t));
    EACH_ROW_IN_TIME (states, row) {
        states_load(states, row);
        see(&view);
        uint32_t number = lists_number(&keys, view.key, words);
        if (number == LISTS_FULL) break;
        classes->of_row[row] = number - 1;
        if (classes->is_lost && has_lost_here(classes, states))
            bit_set(classes->is_lost, classes->of_row[row]);
    }
    classes->count = keys.count ? keys.count - 1 : 0;
    assert(classes->count <= states->row_count);
    lists_close(&keys);
}

void indistinguishable_join(struct indistinguishable *joint, struct all_states *states,
                            const struct indistinguishable *const *parts, uint32_t count) {
    *joint = (struct indistinguishable){0};
    if (!take_rows(joint, states)) return;
    struct lists keys;
    lists_open(&keys, &states->ledger, sizeof(uint32_t));
    uint32_t *key = ARENA_ARRAY(states->arena, uint32_t, count + 1);
    EACH_ROW_IN_TIME (states, row) {
        for (uint32_t i = 0; i < count; i++) {
            assert(parts[i]->of_row[row] < parts[i]->count);
            key[i] = parts[i]->of_row[row];
        }
        joint->of_row[row] = lists_number(&keys, key, count) - 1;
    }
    joint->count = keys.count ? keys.count - 1 : 0;
    lists_close(&keys);
}

/* The first class that a class is joined with, in a forest. */
static uint32_t root_of(uint32_t *parents, uint32_t at) {
    while (parents[at] != at) {
        parents[at] = parents[parents[at]];
        at = parents[at];
    }
    return at;
}

void indistinguishable_chain(struct indistinguishable *chains, struct all_states *states,
                             const struct indistinguishable *const *parts, uint32_t count) {
    uint64_t total = 0;
    assert(count);
    uint32_t *offsets = ARENA_ARRAY(states->arena, uint32_t, count + 1);
    for (uint32_t i = 0; i < count; total += parts[i++]->count) offsets[i] = (uint32_t)total;
    if (total >= UINT32_MAX) states->ledger.limit = LIMIT_MEMORY;
    uint32_t *parents = states_take(states, total, sizeof *parents);
    uint32_t *numbers = states_take(states, total, sizeof *numbers);
    *chains = (struct indistinguishable){0};
    bool is_fine = take_rows(chains, states);
    for (uint32_t i = 0; is_fine && i < total; i++) parents[i] = i;
    EACH_ROW_IN_TIME (states, row)
        for (uint32_t i = 1; i < count; i++)
            parents[root_of(parents, offsets[i] + parts[i]->of_row[row])] =
                root_of(parents, parts[0]->of_row[row]);
    EACH_ROW_IN_TIME (states, row) {
        assert(parts[0]->of_row[row] < parts[0]->count);
        uint32_t *number = &numbers[root_of(parents, parts[0]->of_row[row])];
        if (!*number) *number = ++chains->count;
        chains->of_row[row] = *number - 1;
    }
    assert(chains->count <= parts[0]->count); /* a chain joins classes of each agent */
    STATES_GIVE(states, parents, numbers);
}

void indistinguishable_leave(const struct indistinguishable *classes, struct all_states *states,
                             const uint64_t *part, uint64_t *set) {
    uint64_t *is_bad = states_take(states, classes->count / 64 + 1, sizeof *is_bad);
    EACH_ROW_IN_TIME (states, row)
        if (!bit_get(part, row)) bit_set(is_bad, classes->of_row[row]);
    EACH_ROW_IN_TIME (states, row) {
        assert(classes->of_row[row] < classes->count);
        if (bit_get(is_bad, classes->of_row[row])) bit_clear(set, row);
    }
    STATES_GIVE(states, is_bad);
}

/* Gives the memory back to the ledger. */
void indistinguishable_close(struct indistinguishable *classes, struct all_states *states) {
    STATES_GIVE(states, classes->of_row, classes->is_lost);
    classes->of_row = NULL;
    classes->is_lost = NULL;
}
