#include "refine/key_trial.h"

#include "refine/states.h"

#include <assert.h>

enum { MOST_STATES = 100000 };

static bool has_keys(const struct normal *normal) {
    for (uint32_t i = 0; i < normal->points.count; i++)
        if (normal->points.items[i].key_count) return true;
    return false;
}

/* The states that Uppaal stores, times those that are stored where who may change places is known;
 * 0 = not known. */
static double size_of(struct arena *arena, struct str model, uint64_t most_states) {
    const struct verify_options limits = {.search = {.max_states = most_states, .jobs = 1},
                                          .symmetry = SYMMETRY_REPORT};
    struct measured measured = measure_model(arena, model, &limits);
    if (!measured.is_complete || !measured.states.is_known) return 0;
    assert(measured.orbits <= measured.states.value);
    return (double)measured.states.value * (double)measured.orbits;
}

/* Keys that tell apart what may change places, or fewer. */
static void keep_orbits(struct normaliser *normaliser, const bool *is_asked, struct normal *normal,
                        struct arena *arena) {
    struct normal kept;
    normaliser_run(normaliser, is_asked, KEYS_IN_ORBITS, &kept);
    struct str model = kept.points.count ? kept.output : normaliser_model(normaliser);
    double own = size_of(arena, normal->output, MOST_STATES);
    double other = own > 0 ? size_of(arena, model, MOST_STATES) : 0;
    if (other > 0 && other < own) *normal = kept;
}

static struct measured measure(struct arena *arena, struct str model, uint64_t most_states) {
    const struct verify_options limits = {.search = {.max_states = most_states, .jobs = 1}};
    return measure_model(arena, model, &limits);
}

void key_trial_run(struct normaliser *normaliser, const bool *is_asked, struct normal *normal,
                   struct arena *arena) {
    struct normal without;
    normaliser_run(normaliser, is_asked, KEYS_ANY, normal);
    if (has_keys(normal) && normal->tells_apart) keep_orbits(normaliser, is_asked, normal, arena);
    if (!has_keys(normal)) return;
    struct measured with = measure(arena, normal->output, MOST_STATES);
    normaliser_run(normaliser, is_asked, KEYS_NONE, &without);
    struct str model = without.points.count ? without.output : normaliser_model(normaliser);
    bool is_fewer = with.is_complete && with.states.is_known;
    if (is_fewer) {
        struct measured other = measure(arena, model, with.states.value + 1);
        is_fewer = !other.is_complete || other.states.value > with.states.value;
    }
    if (!is_fewer) *normal = without;
}
