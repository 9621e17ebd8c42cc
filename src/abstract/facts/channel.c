#include "abstract/facts/channel.h"

#include "expr/find.h"

#include <assert.h>

static bool symbol_is_broadcast(const struct context *context, const struct template *template,
                                const struct symbol *symbol) {
    const struct model *model = context->network->model;
    assert(symbol_is_channel(symbol));
    if (!symbol->is_reference) return (type_prefixes(symbol->type) & PREFIX_BROADCAST) != 0;
    assert(template && symbol->scope == SCOPE_TEMPLATE); /* a parameter of the template */
    for (uint32_t p = 0; p < context->network->process_count; p++) {
        const struct process *process = &context->network->processes[p];
        if (process->template != template) continue;
        uint32_t address = process->locals[symbol->index].address;
        for (uint32_t i = 0; i < model->symbol_count; i++) {
            const struct binding *binding = &context->network->globals[i];
            if (!binding->shape || address < binding->address ||
                address >= binding->address + binding->shape->cell_count)
                continue;
            if (type_prefixes(model->symbols[i]->type) & PREFIX_BROADCAST) return true;
        }
    }
    return false;
}

bool sync_is_broadcast(const struct context *context, const struct template *template,
                       const struct expr *sync) {
    if (!sync) return false;
    if (sync->kind == EXPR_COND)
        return sync_is_broadcast(context, template, sync->child[1]) ||
               sync_is_broadcast(context, template, sync->child[2]);
    const struct symbol *root = expr_root(sync);
    return root && symbol_is_broadcast(context, template, root);
}

void blocked_channels_add(struct blocked_channels *blocked, const struct symbol *channel,
                          struct arena *arena) {
    assert(!channel || symbol_is_channel(channel));
    for (uint32_t i = 0; i < blocked->list.count; i++)
        if (blocked->list.items[i] == channel) return;
    if (channel)
        VEC_PUSH(arena, &blocked->list, channel);
    else
        blocked->has_all = true;
}

bool edge_is_blocked(const struct context *context, const struct blocked_channels *blocked,
                     const struct template *template, const struct edge *edge) {
    if (!blocked->has_all && !blocked->list.count) return false;
    if (!edge->sync || !edge->is_send || !sync_is_broadcast(context, template, edge->sync))
        return false;
    const struct symbol *root = expr_root(edge->sync);
    assert(!root || symbol_is_channel(root));
    bool found = blocked->has_all || !root;
    for (uint32_t i = 0; i < blocked->list.count && !found; i++)
        found = symbols_may_alias(root, blocked->list.items[i]);
    return found;
}
