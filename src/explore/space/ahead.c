#include "explore/space/ahead.h"

#include "base/interrupt.h"
#include "explore/space/worker.h"

#include <assert.h>
#include <stdlib.h>

enum {
    MOST_NUMBERS = 1 << 20,
    SPARE = 2,   /* successors for each number that is needed, or it is not tried */
    BLOCK = 16,  /* words */
    BEYOND = 256 /* successors that are looked at for errors after that, as a search might do */
};

struct look_ahead {
    struct search *search;
    struct expander expander;
    uint64_t *state;
    uint64_t *numbers; /* heap: a table; 0 = free */
    uint32_t shift;
    uint64_t count, most;
};

static uint64_t mix_word(uint64_t word, uint32_t place) {
    return store_mix(word + (uint64_t)place * 0x9e3779b97f4a7c15u);
}

static uint64_t number_of(const struct look_ahead *ahead) {
    uint64_t number = 0;
    for (uint32_t w = 0; w < ahead->expander.word_count; w++)
        number += mix_word(ahead->state[w], w);
    return number;
}

/* The number of a successor, of whose words few are others: most blocks are passed over. */
static uint64_t number_after(const struct look_ahead *ahead, uint64_t number,
                             const uint64_t *state) {
    const uint64_t *from = ahead->state;
    uint32_t count = ahead->expander.word_count;
    for (uint32_t begin = 0; begin < count; begin += BLOCK) {
        uint32_t end = begin + BLOCK < count ? begin + BLOCK : count;
        if (!memcmp(state + begin, from + begin, (end - begin) * sizeof *state)) continue;
        for (uint32_t w = begin; w < end; w++)
            if (state[w] != from[w]) number += mix_word(state[w], w) - mix_word(from[w], w);
    }
    return number;
}

static void add(struct look_ahead *ahead, uint64_t number) {
    uint64_t mask = UINT64_MAX >> ahead->shift, own = number ? number : 1;
    uint64_t at = store_mix(own) >> ahead->shift;
    while (ahead->numbers[at] && ahead->numbers[at] != own) at = (at + 1) & mask;
    ahead->count += !ahead->numbers[at];
    ahead->numbers[at] = own;
}

/* Adds the successors of a row; false if it does not say what a search would find. */
static bool add_row(struct look_ahead *ahead, uint32_t row, uint64_t *beyond) {
    struct expander *expander = &ahead->expander;
    uint64_t most_work = ahead->search->options.max_work;
    store_load(&ahead->search->store, row, ahead->state);
    if (interrupt_is_asked() || !expander_run(expander, ahead->state) || expander->error_count)
        return false;
    if (most_work && expander_work(expander) > most_work / 2) return false;
    uint64_t number = number_of(ahead);
    for (uint32_t i = expander->first; i < expander->count; i++) {
        if (ahead->count > ahead->most) {
            ++*beyond;
            continue;
        }
        add(ahead,
            number_after(ahead, number, expander->states + (size_t)i * expander->word_count));
    }
    expander_clear(expander);
    return true;
}

/* Whether the rows have so many successors that it is worth a try. */
static bool has_enough(const struct search *search, uint64_t states, uint32_t rows) {
    const struct worker *worker = &search->workers[0];
    return worker->states && states < MOST_NUMBERS &&
           worker->transitions / worker->states * rows / SPARE >= states;
}

bool ahead_are_more(struct search *search, uint64_t states) {
    struct look_ahead ahead = {.search = search, .most = states, .shift = 63};
    uint32_t rows = atomic_load(&search->store.next);
    uint64_t beyond = 0;
    assert(search->is_profile && !search->program->canon);
    if (!has_enough(search, states, rows)) return false;
    while (UINT64_MAX >> ahead.shift < states * 2) ahead.shift--;
    size_t size = (size_t)(UINT64_MAX >> ahead.shift) + 1;
    ahead.numbers = heap_resize(NULL, size, sizeof *ahead.numbers);
    memset(ahead.numbers, 0, size * sizeof *ahead.numbers);
    ahead.state = layout_state(search->layout, NULL);
    expander_init(&ahead.expander, search->program);
    ahead.expander.machine.deadline = search->workers[0].expander.machine.deadline;
    ahead.expander.max_size = search->workers[0].expander.max_size;
    bool is_fine = true;
    store_load(&search->store, 0, ahead.state);
    add(&ahead, number_of(&ahead));
    for (uint32_t row = 0; row < rows && is_fine && beyond < BEYOND; row++)
        is_fine = add_row(&ahead, row, &beyond);
    expander_close(&ahead.expander);
    free(ahead.state);
    free(ahead.numbers);
    return is_fine && ahead.count > states;
}
