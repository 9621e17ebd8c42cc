/* See learnt.h. */
#include "refine/learnt.h"

#include "base/interrupt.h"
#include "suggest/candidate.h"
#include "suggest/trial.h"

#include <string.h>

void learnt_open(struct learnt *learnt, struct arena *arena, const struct network *network,
                 const struct abstract_options *abstract) {
    *learnt = (struct learnt){.arena = arena, .network = network, .abstract = abstract};
}

struct analysis *learnt_values(struct learnt *learnt) {
    if (!learnt->has_values)
        learnt->values = suggest_values(learnt->network, learnt->abstract, learnt->arena);
    learnt->has_values = !interrupt_is_asked();
    return learnt->values;
}

bool learnt_refuses(struct learnt *learnt, const char *argument) {
    for (uint32_t i = 0; i < learnt->trials.count; i++)
        if (!strcmp(learnt->trials.items[i].argument, argument))
            return learnt->trials.items[i].is_refused;
    struct abstract_options short_look = suggest_short_look(learnt->abstract);
    short_look.known = learnt_values(learnt);
    struct trial trial = trial_run(learnt->network, &argument, 1, &short_look, learnt->arena);
    bool is_refused = trial.outcome == TRIAL_REFUSED || trial.chooses_widely;
    if (!interrupt_is_asked())
        VEC_PUSH(learnt->arena, &learnt->trials, (struct learnt_trial){argument, is_refused});
    return is_refused;
}

void learnt_add_wide(struct learnt *learnt, const struct live_variable *variable) {
    if (!learnt_is_wide(learnt, variable)) VEC_PUSH(learnt->arena, &learnt->wide, variable->symbol);
}

bool learnt_is_wide(const struct learnt *learnt, const struct live_variable *variable) {
    for (uint32_t i = 0; i < learnt->wide.count; i++)
        if (learnt->wide.items[i] == variable->symbol) return true;
    return false;
}
