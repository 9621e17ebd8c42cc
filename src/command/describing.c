/* See describing.h. */
#include "command/describing.h"

#include "base/interrupt.h"

enum { MAX_TRIALS = 200 };

static struct tried try_removal(struct session *session, const struct listed_variable *variable,
                                const struct abstract_options *short_look) {
    struct arena scratch;
    struct tried tried = {.outcome = TRIED_NOT};
    arena_init(&scratch);
    struct trial trial = trial_run(session->network, &variable->name, 1, short_look, &scratch);
    if (!interrupt_is_asked()) {
        tried.outcome = trial.outcome == TRIAL_REFUSED ? TRIED_REFUSED
                        : trial.outcome == TRIAL_EXACT ? TRIED_EXACT
                                                       : TRIED_INEXACT;
        if (trial.message) tried.because = arena_printf(&session->arena, "%s", trial.message);
    }
    arena_close(&scratch);
    return tried;
}

struct info_report describing_try(struct session *session, const struct abstract_options *options,
                                  void (*tell)(uint32_t removal, uint32_t count)) {
    struct listed_variable *list;
    uint32_t count = list_variables(session->network, &list, &session->arena);
    struct tried *tried = ARENA_ARRAY(&session->arena, struct tried, count + 1);
    struct abstract_options short_look = suggest_short_look(options);
    if (tell) tell(0, 0);
    short_look.drops_priorities = true;
    short_look.known = suggest_values(session->network, options, &session->arena);
    const struct claim_condition condition = condition_look(&session->arena, short_look.known);
    for (uint32_t i = 0; i < count && i < MAX_TRIALS && !interrupt_is_asked(); i++) {
        if (tell) tell(i + 1, count);
        tried[i] = try_removal(session, &list[i], &short_look);
    }
    return (struct info_report){session->network, tried, condition, &session->arena};
}

bool describing_agents(struct agents *agents, struct session *session) {
    const struct network *network = session->network;
    const struct model *model = session->model;
    struct agent_list list = {0};
    if (!agents_are_known(model, &session->diag)) return false;
    agents_init(agents, &session->arena, network);
    bool is_fine = true;
    for (uint32_t i = 0; i < network->process_count; i++)
        is_fine &= agent_of_process(agents, &network->processes[i]) != NULL;
    for (uint32_t i = 0; i < model->agents.count; i++) {
        const struct agent_declaration *declaration = model->agents.items[i];
        struct expr name = {.kind = EXPR_NAME, .symbol = declaration->symbol};
        if (declaration->kind == DECLARE_AGENT) is_fine &= !agents_add(agents, &name, &list);
    }
    agents_close(agents);
    if (!is_fine)
        diag_error(&session->diag, STATUS_LIMIT, 0,
                   "an agent observes more than %d items; declare what it observes",
                   AGENT_MAX_ITEMS);
    return is_fine;
}
