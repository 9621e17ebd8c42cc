#include "refine/trial_memo.h"

#include "base/interrupt.h"
#include "suggest/candidate.h"
#include "suggest/trial.h"

#include <string.h>

void trial_memo_open(struct trial_memo *memo, struct arena *arena, const struct network *network,
                     const struct abstract_options *abstract) {
    *memo = (struct trial_memo){.arena = arena, .network = network, .abstract = abstract};
}

struct analysis *trial_memo_values(struct trial_memo *memo) {
    if (!memo->has_values)
        memo->values = suggest_values(memo->network, memo->abstract, memo->arena);
    memo->has_values = !interrupt_is_asked();
    return memo->values;
}

bool trial_memo_refuses(struct trial_memo *memo, const char *argument) {
    for (uint32_t i = 0; i < memo->trials.count; i++)
        if (!strcmp(memo->trials.items[i].argument, argument))
            return memo->trials.items[i].is_refused;
    struct abstract_options short_look = suggest_short_look(memo->abstract);
    short_look.known = trial_memo_values(memo);
    struct trial trial = trial_run(memo->network, &argument, 1, &short_look, memo->arena);
    bool is_refused = trial.outcome == TRIAL_REFUSED || trial.chooses_widely;
    if (!interrupt_is_asked())
        VEC_PUSH(memo->arena, &memo->trials, (struct trial_memo_entry){argument, is_refused});
    return is_refused;
}

void trial_memo_add_wide(struct trial_memo *memo, const struct live_variable *variable) {
    if (!trial_memo_is_wide(memo, variable)) VEC_PUSH(memo->arena, &memo->wide, variable->symbol);
}

bool trial_memo_is_wide(const struct trial_memo *memo, const struct live_variable *variable) {
    for (uint32_t i = 0; i < memo->wide.count; i++)
        if (memo->wide.items[i] == variable->symbol) return true;
    return false;
}
