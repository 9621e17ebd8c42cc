/* See ranges.h. */
#include "explore/space/ranges.h"

#include "approx/analysis.h"
#include "base/map.h"
#include "explore/space/worker.h"

#include <assert.h>

enum {
    NARROW_BITS = 6, /* a field of so many bits gets all that its slot may need */
    ANALYSIS_BUDGET = 2000
};

static bool writes(const struct search *search, const struct edge_instance *instance,
                   const struct symbol *symbol) {
    const struct template *template = instance->process->template;
    for (uint32_t i = 0; i < instance->edge_count; i++) {
        const struct effects *update =
            &labels_of_edge(search->network, template, instance->edges[i])->update_effects;
        if (effects_writes(update, symbol)) return true;
    }
    return false;
}

static void learn_ranges(struct search *search) {
    const struct network *network = search->network;
    uint64_t *state = search->workers[0].state;
    uint32_t next = atomic_load(&search->store.next);
    for (uint32_t i = 0; i < network->slot_count; i++) {
        int32_t initial = network->slots[i].initial;
        search->guesses[i] = (struct guess){initial, initial, network->slots[i].is_meta};
    }
    for (uint32_t row = 0; row < next; row++) {
        store_load(&search->store, row, state);
        for (uint32_t i = 0; i < network->slot_count; i++) {
            struct guess *guess = &search->guesses[i];
            int32_t value = field_get(&search->layout->fields[i], state);
            if (guess->is_transient) continue;
            if (value < guess->lower) guess->lower = value;
            if (value > guess->upper) guess->upper = value;
        }
    }
}

/* Symbols that have changed, in some process. */
static void find_changed(const struct search *search, struct arena *arena, struct map *changed) {
    map_init(changed, arena);
    for (uint32_t i = 0; i < search->network->slot_count; i++)
        if (search->guesses[i].lower != search->guesses[i].upper)
            map_put(changed, map_key(search->network->slots[i].symbol), changed);
}

/* Symbols that some step has written and none has changed: nor in another process, as what one does
 * the others will do. */
static bool is_transient(const struct search *search, const struct symbol *symbol,
                         const struct map *changed) {
    if (map_get(changed, map_key(symbol))) return false;
    for (uint32_t i = 0; i < search->program->instances.count; i++)
        if (search->workers[0].is_fired[i] &&
            writes(search, &search->program->instances.items[i], symbol))
            return true;
    return false;
}

/* The range by the value analysis (rules A1 to A4), with the initial value. */
static struct guess analysed_range(const struct analysis *analysis, uint32_t index) {
    const struct slot *slot = &analysis->network->slots[index];
    struct guess guess = {.is_transient = slot->is_meta};
    if (!analysis_slot_range(analysis, index, &guess.lower, &guess.upper))
        return guess_declared(slot);
    if (slot->initial < guess.lower) guess.lower = slot->initial;
    if (slot->initial > guess.upper) guess.upper = slot->initial;
    return guess;
}

/* Whether some edge, or a hook, may write the variable. */
static bool is_written(const struct network *network, const struct slot *slot) {
    if (effects_writes(&network->before_update, slot->symbol) ||
        effects_writes(&network->after_update, slot->symbol))
        return true;
    for (uint32_t t = 0; t < network->model->template_count; t++) {
        const struct template *template = network->model->templates[t];
        for (uint32_t i = 0; i < template->edge_count; i++) {
            const struct effects *update = &network->labels.edges[t][i].update_effects;
            for (uint32_t k = 0; k < update->list.count; k++)
                if (update->list.items[k].writes && (update->list.items[k].symbol == slot->symbol ||
                                                     update->list.items[k].symbol->is_reference))
                    return true;
        }
    }
    return false;
}

static void choose_slot(struct search *search, uint32_t index, bool transient,
                        const struct analysis *analysis) {
    const struct slot *slot = &search->network->slots[index];
    struct guess *guess = &search->guesses[index];
    if (slot->is_meta || transient) {
        *guess = guess_declared(slot);
        guess->is_transient = true;
        return;
    }
    struct guess known = analysis ? analysed_range(analysis, index) : guess_declared(slot);
    if (((int64_t)known.upper - known.lower) >> NARROW_BITS)
        guess_widen(guess, slot, guess->upper); /* a little more than what was seen */
    if (((int64_t)known.upper - known.lower) >> NARROW_BITS == 0) *guess = known;
}

void choose_ranges(struct search *search) {
    const struct network *network = search->network;
    const struct slot *slots = network->slots;
    struct arena arena;
    struct diag diag;
    struct map changed;
    arena_init(&arena);
    diag_init(&diag, &arena, NULL);
    bool *is_removed = ARENA_ARRAY(&arena, bool, network->slot_count + 1);
    struct analysis_options options = {.budget = ANALYSIS_BUDGET};
    struct analysis *analysis = analyse(&arena, network, is_removed, &options, &diag);
    uint32_t end;
    learn_ranges(search);
    find_changed(search, &arena, &changed);
    for (uint32_t first = 0; first < network->slot_count; first = end) {
        for (end = first + 1; end < network->slot_count &&
                              slots[end].symbol == slots[first].symbol &&
                              slots[end].process == slots[first].process;)
            end++;
        bool transient = is_transient(search, slots[first].symbol, &changed);
        bool written = is_written(network, &slots[first]);
        for (uint32_t i = first; i < end; i++) {
            const struct guess *guess = &search->guesses[i];
            if (written)
                choose_slot(search, i, transient, analysis);
            else
                search->guesses[i] =
                    (struct guess){slots[i].initial, slots[i].initial, slots[i].is_meta};
            assert(guess->lower <= slots[i].initial && slots[i].initial <= guess->upper);
            assert(slots[i].lower <= guess->lower && guess->upper <= slots[i].upper);
        }
    }
    arena_close(&arena);
}
