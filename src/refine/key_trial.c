/* See key_trial.h. */
#include "refine/key_trial.h"

#include "refine/states.h"

enum { MOST_STATES = 100000 };

static bool has_keys(const struct normal *normal) {
    for (uint32_t i = 0; i < normal->points.count; i++)
        if (normal->points.items[i].key_count) return true;
    return false;
}

static struct measured measure(struct arena *arena, struct str model, uint64_t most_states) {
    const struct verify_options limits = {.search = {.max_states = most_states, .jobs = 1}};
    return measure_model(arena, model, &limits);
}

void key_trial_run(struct normaliser *normaliser, const bool *is_asked, struct normal *normal,
                   struct arena *arena) {
    struct normal without;
    normaliser_run(normaliser, is_asked, true, normal);
    if (!has_keys(normal)) return;
    struct measured with = measure(arena, normal->output, MOST_STATES);
    normaliser_run(normaliser, is_asked, false, &without);
    struct str model = without.points.count ? without.output : normaliser_model(normaliser);
    bool is_fewer = with.is_complete && with.states.is_known;
    if (is_fewer) {
        struct measured other = measure(arena, model, with.states.value + 1);
        is_fewer = !other.is_complete || other.states.value > with.states.value;
    }
    if (!is_fewer) *normal = without;
}
