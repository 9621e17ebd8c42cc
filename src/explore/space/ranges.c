#include "explore/space/ranges.h"

#include "approx/analysis.h"
#include "base/map.h"
#include "explore/space/worker.h"

#include <assert.h>
#include <stdlib.h>

enum {
    NARROW_BITS = 6, /* a field of so many bits gets all that its slot may need, */
    WIDE_BITS = 16,  /* or of so many, where programs take long to make: */
    MANY_INSTANCES = 1 << 15,
    ANALYSIS_BUDGET = 2000
};

/* Symbols by what is known of them in any process. */
struct symbol_sets {
    struct map changed; /* they have other values than at first */
    struct map fired;   /* some step has written them */
    struct map written; /* some edge may write them */
    bool writes_reference;
};

/* Takes in what slots of a word hold in a state. */
static void learn_word(struct search *search, const uint64_t *state, uint32_t word) {
    const struct layout *layout = search->layout;
    for (uint32_t i = layout->first_of[word]; i < layout->first_of[word + 1]; i++) {
        uint32_t slot = layout->by_word[i];
        if (slot >= search->network->slot_count) continue; /* a location */
        struct guess *guess = &search->guesses[slot];
        int32_t value = field_get(&layout->fields[slot], state);
        if (guess->is_transient) continue;
        if (value < guess->lower) guess->lower = value;
        if (value > guess->upper) guess->upper = value;
    }
}

/* Most words are as in the row before. Slots without bits have their initial value. */
static void learn_ranges(struct search *search) {
    const struct network *network = search->network;
    const struct layout *layout = search->layout;
    uint64_t *state = search->workers[0].state;
    uint64_t *seen = layout_state(layout, NULL);
    uint32_t next = atomic_load(&search->store.next);
    for (uint32_t i = 0; i < network->slot_count; i++) {
        int32_t initial = network->slots[i].initial;
        search->guesses[i] = (struct guess){initial, initial, network->slots[i].is_meta};
    }
    for (uint32_t row = 0; row < next; row++) {
        store_load(&search->store, row, state);
        for (uint32_t w = 0; w < layout->word_count; w++) {
            if (state[w] == seen[w]) continue;
            learn_word(search, state, w);
            seen[w] = state[w];
        }
    }
    free(seen);
}

static void add_written(struct map *set, const struct effects *effects) {
    for (uint32_t i = 0; i < effects->list.count; i++)
        if (effects->list.items[i].writes)
            map_put(set, map_key(effects->list.items[i].symbol), set);
}

static void add_fired(const struct search *search, struct arena *arena, struct symbol_sets *sets) {
    const struct network *network = search->network;
    bool **is_known = ARENA_ARRAY(arena, bool *, network->model->template_count + 1);
    for (uint32_t i = 0; i < search->program->instances.count; i++) {
        const struct edge_instance *instance = &search->program->instances.items[i];
        const struct template *template = instance->process->template;
        bool **known = &is_known[template->index];
        if (!search->workers[0].is_fired[i]) continue;
        if (!*known) *known = ARENA_ARRAY(arena, bool, template->edge_count + 1);
        for (uint32_t k = 0; k < instance->edge_count; k++) {
            uint32_t edge = edge_index(template, instance->edges[k]);
            if (!(*known)[edge])
                add_written(&sets->fired,
                            &network->labels.edges[template->index][edge].update_effects);
            (*known)[edge] = true;
        }
    }
}

static void find_sets(const struct search *search, struct arena *arena, struct symbol_sets *sets) {
    const struct network *network = search->network;
    map_init(&sets->changed, arena);
    map_init(&sets->fired, arena);
    map_init(&sets->written, arena);
    for (uint32_t i = 0; i < network->slot_count; i++)
        if (search->guesses[i].lower != search->guesses[i].upper)
            map_put(&sets->changed, map_key(network->slots[i].symbol), sets);
    add_fired(search, arena, sets);
    add_written(&sets->written, &network->before_update);
    add_written(&sets->written, &network->after_update);
    for (uint32_t t = 0; t < network->model->template_count; t++)
        for (uint32_t i = 0; i < network->model->templates[t]->edge_count; i++) {
            const struct effects *update = &network->labels.edges[t][i].update_effects;
            add_written(&sets->written, update);
            for (uint32_t k = 0; k < update->list.count; k++)
                sets->writes_reference |=
                    update->list.items[k].writes && update->list.items[k].symbol->is_reference;
        }
}

/* Symbols that some step has written and none has changed: nor in another process, as what one does
 * the others will do. */
static bool is_transient(const struct symbol_sets *sets, const struct symbol *symbol) {
    return !map_get(&sets->changed, map_key(symbol)) && map_get(&sets->fired, map_key(symbol));
}

/* Whether some edge, or a hook, may write the variable. */
static bool is_written(const struct symbol_sets *sets, const struct symbol *symbol) {
    return sets->writes_reference || map_get(&sets->written, map_key(symbol));
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
    uint32_t enough = search->program->instances.count < MANY_INSTANCES ? NARROW_BITS : WIDE_BITS;
    if (((int64_t)known.upper - known.lower) >> enough)
        guess_widen(guess, slot, guess->upper); /* a little more than what was seen */
    else
        *guess = known;
}

static uint32_t bits_of(const struct guess *guess) {
    uint64_t span = (uint64_t)((int64_t)guess->upper - guess->lower);
    return span ? 64 - (uint32_t)__builtin_clzll(span) : 0;
}

/* Whether the analysis may be of use: it tells a range that is declared as a large one, or makes
 * states smaller. By orbits, where few states are stored, whole words are what counts. */
static bool needs_analysis(const struct search *search, const struct symbol_sets *sets) {
    const struct network *network = search->network;
    const struct layout *layout = search->layout;
    uint64_t saved = 0, used = 0;
    if (!search->symmetry) return true;
    for (uint32_t i = 0; i < network->slot_count; i++) {
        struct guess declared = guess_declared(&network->slots[i]);
        if (!is_written(sets, network->slots[i].symbol) || network->slots[i].is_meta) continue;
        if (bits_of(&declared) > NARROW_BITS) return true;
        saved += bits_of(&declared) - bits_of(&search->guesses[i]);
    }
    for (uint32_t i = 0; i < layout->field_count; i++)
        if (!layout->fields[i].is_scratch)
            used += (uint32_t)__builtin_popcountll(layout->fields[i].mask);
    return (used - saved + 63) / 64 < layout->stored_words;
}

uint64_t count_changed(const struct search *search) {
    const struct layout *layout = search->layout;
    uint32_t next = atomic_load(&search->store.next);
    uint64_t count = 0;
    uint64_t *changed = heap_resize(NULL, layout->word_count + 1, sizeof *changed);
    uint64_t *state = layout_state(layout, NULL);
    memset(changed, 0, layout->word_count * sizeof *changed);
    for (uint32_t row = 0; row < next; row++) {
        store_load(&search->store, row, state);
        for (uint32_t w = 0; w < layout->stored_words; w++)
            changed[w] |= state[w] ^ layout->initial[w];
    }
    for (uint32_t i = 0; i < layout->field_count; i++) {
        const struct packed *field = &layout->fields[i];
        if (!field->is_scratch) count += (changed[field->word] >> field->shift & field->mask) != 0;
    }
    free(state);
    free(changed);
    return count;
}

uint64_t count_chosen(const struct search *search) {
    const struct network *network = search->network;
    uint64_t count = 0;
    for (uint32_t i = 0; i < network->slot_count; i++) {
        const struct guess *guess = &search->guesses[i];
        count += !guess->is_transient && guess->lower < guess->upper;
    }
    for (uint32_t p = 0; p < network->process_count; p++)
        count += network->processes[p].template->location_count > 1;
    return count;
}

void choose_ranges(struct search *search) {
    const struct network *network = search->network;
    const struct slot *slots = network->slots;
    struct arena arena;
    struct diag diag;
    struct symbol_sets sets = {.writes_reference = false};
    arena_init(&arena);
    diag_init(&diag, &arena, NULL);
    bool *is_removed = ARENA_ARRAY(&arena, bool, network->slot_count + 1);
    struct analysis_options options = {.budget = ANALYSIS_BUDGET};
    struct analysis *analysis = NULL;
    uint32_t end;
    learn_ranges(search);
    find_sets(search, &arena, &sets);
    if (needs_analysis(search, &sets))
        analysis = analyse(&arena, network, is_removed, &options, &diag);
    for (uint32_t first = 0; first < network->slot_count; first = end) {
        for (end = first + 1; end < network->slot_count &&
                              slots[end].symbol == slots[first].symbol &&
                              slots[end].process == slots[first].process;)
            end++;
        bool transient = is_transient(&sets, slots[first].symbol);
        bool written = is_written(&sets, slots[first].symbol);
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
