#include "refine/same_steps.h"

#include "explore/visible/visible_exchange.h"

struct certify_options same_steps_options(const struct search_options *limits) {
    /* Without --stutter: there, a loop would be as good as a deadlock. */
    struct certify_options options = {.mode = SIMULATE_EXACT,
                                      .engine = ENGINE_EXPLICIT,
                                      .symmetry = SYMMETRY_AUTO,
                                      .search = *limits};
    return options;
}

static const char *problem_of(const struct certification *certification) {
    static const char *const limits[] = {[LIMIT_NONE] = "they cannot be compared",
                                         [LIMIT_STATES] = "the limit on states was met",
                                         [LIMIT_MEMORY] = "the memory was used up",
                                         [LIMIT_TIME] = "the time limit was reached",
                                         [LIMIT_INTERRUPT] = "it was interrupted",
                                         [LIMIT_EVALUATION] = "an evaluation takes too long",
                                         [LIMIT_SELECTS] = "selects have too many values"};
    if (certification->outcome == SIMULATION_UNKNOWN) return limits[certification->limit];
    for (int side = 0; side < SIDE_COUNT; side++)
        if (!certification->is_searched[side] || certification->searches[side].first_error.is_found)
            return "there are runtime errors, at which Uppaal would stop";
    if (certification->outcome == SIMULATION_FAILS) return "the two do not have the same steps";
    if (certification->time == SIMULATION_UNKNOWN) return limits[certification->limit];
    if (certification->time == SIMULATION_FAILS)
        return "time may pass for ever in states of one of the two only";
    return NULL;
}

struct same_steps same_steps_of(const struct certification *certification) {
    struct same_steps same = {.problem = problem_of(certification)};
    same.work = certification->pairs.is_known ? certification->pairs.value : 0;
    for (int side = 0; side < SIDE_COUNT; side++) {
        same.states[side] = certification->figures[side].states.value;
        if (certification->is_searched[side]) same.work += certification->searches[side].work;
    }
    return same;
}

struct same_steps same_steps_compare(struct arena *arena, const struct session *before,
                                     const struct session *after, const struct exchange *exchanges,
                                     uint32_t count, const struct search_options *limits) {
    struct visible visible;
    struct certification certification;
    const struct certify_options options = same_steps_options(limits);
    struct same_steps same = {.problem = "one of them cannot be explored"};
    const char *problem = visible_init(&visible, arena, before->network, after->network, NULL, 0);
    for (uint32_t i = 0; i < count && !problem; i++)
        if (!visible_exchange(&visible, arena, &exchanges[i]))
            problem = "values are exchanged of a variable that is not there";
    if (problem) {
        same.problem = problem;
        return same;
    }
    if (certify(&certification, arena, &visible, &options)) same = same_steps_of(&certification);
    certify_close(&certification);
    return same;
}
