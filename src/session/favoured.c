/* See favoured.h. */
#include "session/favoured.h"

#include "abstract/request/named.h"
#include "agents/agents.h"

/* Whether a declared agent or group is called so; its processes are added. */
static bool add_declared(struct session *session, struct str name, bool *favoured) {
    const struct model *model = session->model;
    bool is_found = false;
    struct agents agents;
    if (model->lost_agents) return false;
    agents_init(&agents, &session->arena, session->network);
    for (uint32_t i = 0; i < model->agents.count; i++) {
        struct symbol *symbol = model->agents.items[i]->symbol;
        struct expr expr = {.kind = EXPR_NAME, .symbol = symbol};
        struct agent_list list = {0};
        if (!symbol || !str_is(name, symbol->name) || agents_add(&agents, &expr, &list)) continue;
        is_found = true;
        for (uint32_t a = 0; a < list.list.count; a++)
            for (uint32_t k = 0; k < list.list.items[a]->process_count; k++)
                favoured[list.list.items[a]->processes[k]->index] = true;
    }
    agents_close(&agents);
    return is_found;
}

const bool *favoured_find(struct session *session, const char *names) {
    const struct network *network = session->network;
    bool *favoured = ARENA_ARRAY(&session->arena, bool, network->process_count + 1);
    struct str rest = str_of(names), name;
    while (request_next_word(&rest, &name)) {
        bool is_found = add_declared(session, name, favoured);
        for (uint32_t i = 0; i < network->process_count; i++) {
            const struct process *process = &network->processes[i];
            if (!str_is(name, process->name) && !str_is(name, process->symbol->name)) continue;
            favoured[i] = is_found = true;
        }
        if (is_found) continue;
        diag_error(&session->diag, STATUS_USAGE, 0,
                   "--favour '%.*s': there is no such process, agent or group", (int)name.size,
                   name.data);
        return NULL;
    }
    return favoured;
}
