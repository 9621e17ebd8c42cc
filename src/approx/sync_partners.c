#include "approx/sync_partners.h"

#include "approx/labels/fact.h"
#include "approx/labels/relevance.h"

#include <assert.h>

static void add_variable(void *context, const struct symbol *symbol,
                         const struct binding *binding) {
    struct sync_partners *partners = context;
    struct partner_uses uses = {.is_broadcast =
                                    (type_prefixes(symbol->type) & PREFIX_BROADCAST) != 0};
    VEC_PUSH(partners->arena, &partners->variables, uses);
    for (uint32_t k = 0; k < binding->shape->cell_count; k++)
        partners->variable_of[binding->address + k] = partners->variables.count;
}

/* NULL: it may be any. */
static struct partner_uses *uses_of(const struct sync_partners *partners,
                                    const struct process *process, const struct expr *sync) {
    const struct symbol *root = expr_root(sync);
    const struct binding *binding =
        root ? relevance_binding(partners->network, process, root) : NULL;
    uint32_t number = binding ? partners->variable_of[binding->address] : 0;
    return number ? &partners->variables.items[number - 1] : NULL;
}

static bool is_any(const struct sync_partners *partners, const struct process *process,
                   const struct expr *sync) {
    if (sync->kind == EXPR_COND)
        return is_any(partners, process, sync->child[1]) ||
               is_any(partners, process, sync->child[2]);
    return !uses_of(partners, process, sync);
}

static bool is_any_in(const struct sync_partners *partners, const struct process *process) {
    const struct template *template = process->template;
    for (uint32_t i = 0; i < template->edge_count; i++)
        if (template->edges[i].sync && is_any(partners, process, template->edges[i].sync))
            return true;
    return false;
}

/* Nothing is reached. */
void sync_partners_init(struct sync_partners *partners, struct arena *arena,
                        const struct network *network) {
    *partners = (struct sync_partners){.arena = arena, .network = network, .is_known = true};
    partners->variable_of = ARENA_ARRAY(arena, uint32_t, network->cell_count + 1);
    each_channel_variable(network, add_variable, partners);
    for (uint32_t p = 0; p < network->process_count && partners->is_known; p++)
        partners->is_known = !is_any_in(partners, &network->processes[p]);
}

/* Whether a process other than this one is there. */
static bool is_met(const struct partner_uses *uses, uint32_t process, bool by_sender) {
    uint32_t count = uses->process_count[by_sender];
    assert(count <= 2 && (!count || uses->list[by_sender].count));
    return count > 1 || (count == 1 && uses->list[by_sender].items[0].process != process);
}

static bool has(const struct sync_partners *partners, const struct process *process,
                const struct edge *edge, const struct expr *sync) {
    if (sync->kind == EXPR_COND)
        return has(partners, process, edge, sync->child[1]) ||
               has(partners, process, edge, sync->child[2]);
    const struct partner_uses *uses = uses_of(partners, process, sync);
    assert(uses); /* all are known */
    return (edge->is_send && uses->is_broadcast) || is_met(uses, process->index, !edge->is_send);
}

bool sync_partners_has(const struct sync_partners *partners, const struct process *process,
                       const struct edge *edge) {
    bool is_next_to_branchpoint =
        edge->leaves_branchpoint || edge->target >= process->template->location_count;
    return !edge->sync || !partners->is_known || is_next_to_branchpoint ||
           has(partners, process, edge, edge->sync);
}

/* A process that is there for the first time is new to all others; one that comes second, to the
 * first. */
static void add(struct sync_partners *partners, const struct process *process,
                const struct edge *edge, const struct expr *sync, partner_found found,
                void *context) {
    if (sync->kind == EXPR_COND) {
        add(partners, process, edge, sync->child[1], found, context);
        add(partners, process, edge, sync->child[2], found, context);
        return;
    }
    struct partner_uses *uses = uses_of(partners, process, sync);
    bool sends = edge->is_send;
    assert(uses);
    struct partner_use use = {process->index, edge->source};
    uint32_t *count = &uses->process_count[sends];
    bool is_new = *count < 2 && !(*count && uses->list[sends].items[0].process == use.process);
    VEC_PUSH(partners->arena, &uses->list[sends], use);
    if (!is_new) return;
    (*count)++;
    for (uint32_t i = 0; i < uses->list[!sends].count; i++)
        found(context, uses->list[!sends].items[i]);
}

void sync_partners_add(struct sync_partners *partners, const struct process *process,
                       const struct edge *edge, partner_found found, void *context) {
    if (edge->sync && partners->is_known &&
        !edge_is_off(partners->network, process->template, edge))
        add(partners, process, edge, edge->sync, found, context);
}
