#include "abstract/fold/doubt.h"

#include "abstract/edge/frame.h"
#include "abstract/edge/open.h"
#include "abstract/edge/open_edge.h"
#include "abstract/fold/guard.h"
#include "abstract/fold/output.h"
#include "expr/find.h"

#include <assert.h>

/* An invariant that is not exact. */
struct doubt {
    const struct template *template;
    uint32_t location;
    bool is_alone; /* its process is the only one of the template */
    struct effects reads;
};

struct doubts {
    VEC(struct doubt) list;
    struct effects reads; /* of all invariants */
};

static bool is_inexact(struct context *context, const struct template *template,
                       uint32_t location) {
    struct open_edge open;
    struct fold fold = {0};
    open_invariant_make(context, template, location, &open);
    if (!open.is_concerned) return false;
    fold_invariant(context, &open, &fold);
    return fold.inexact.count || open.is_restricted ||
           context->analysis->invariant_blocks[template->index][location];
}

static uint32_t count_processes(const struct network *network, const struct template *template) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < network->process_count; i++)
        count += network->processes[i].template == template;
    return count;
}

const struct doubts *doubts_find(struct context *context) {
    struct doubts *doubts = ARENA_NEW(context->arena, struct doubts);
    const struct model *model = context->network->model;
    struct effects_table table = context->network->effects;
    table.arena = context->arena;
    map_init(&table.functions, context->arena);
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t i = 0; i < model->templates[t]->location_count; i++) {
            const struct expr *invariant = invariant_at(context->network, model->templates[t], i);
            if (invariant) effects_add_expr(&table, &doubts->reads, invariant);
            if (!invariant || !is_inexact(context, model->templates[t], i)) continue;
            struct doubt doubt = {.template = model->templates[t], .location = i};
            doubt.is_alone = count_processes(context->network, model->templates[t]) < 2;
            effects_add_expr(&table, &doubt.reads, invariant);
            VEC_PUSH(context->arena, &doubts->list, doubt);
        }
    return doubts;
}

/* Over: whether something that is written is something that is read. */
static bool reads_written(const struct effects *reads, const struct effects *writes) {
    for (uint32_t i = 0; i < writes->list.count; i++) {
        const struct effect *written = &writes->list.items[i];
        for (uint32_t k = 0; k < reads->list.count && written->writes; k++)
            if (symbols_may_alias(written->symbol, reads->list.items[k].symbol)) return true;
    }
    return false;
}

bool edge_is_doubted(const struct context *context, const struct template *template,
                     const struct edge *edge) {
    const struct doubts *doubts = context->doubts;
    assert(template_has_edge(template, edge));
    uint32_t index = (uint32_t)(edge - template->edges);
    for (uint32_t i = 0; doubts && i < doubts->list.count; i++) {
        const struct doubt *doubt = &doubts->list.items[i];
        const struct edge_labels *labels = &context->network->labels.edges[template->index][index];
        if (doubt->template == template && doubt->location == edge->target) return true;
        if (doubt->template == template && doubt->is_alone) continue; /* nobody stays there */
        if (reads_written(&doubt->reads, &labels->guard_effects) ||
            reads_written(&doubt->reads, &labels->sync_effects) ||
            reads_written(&doubt->reads, &labels->update_effects))
            return true;
    }
    return false;
}

/* Whether only the process itself ever reads a variable. */
static bool is_own(const struct symbol *symbol) {
    return symbol->scope == SCOPE_FRAME ||
           (symbol->scope == SCOPE_TEMPLATE && !symbol->is_reference);
}

/* Whether an invariant reads a variable whose scope the edge leaves: it may have any value
 * there. */
static bool brings_back_read(const struct context *context, const struct template *template,
                             const struct edge *edge) {
    for (uint32_t i = 0; i < context->request->removals.count; i++) {
        const struct removal *removal = &context->request->removals.items[i];
        if (edge_leaves_scope(removal, template, edge) &&
            effects_reads(&context->doubts->reads, removal->symbol))
            return true;
    }
    return false;
}

bool effects_are_free(const struct context *context, const struct template *template,
                      const struct edge *edge) {
    const struct network *network = context->network;
    assert(template_has_edge(template, edge));
    uint32_t index = (uint32_t)(edge - template->edges);
    const struct effects *update = &network->labels.edges[template->index][index].update_effects;
    assert(context->doubts);
    if (network->before_update.list.count || network->after_update.list.count ||
        reads_written(&context->doubts->reads, update) || brings_back_read(context, template, edge))
        return false;
    for (uint32_t i = 0; edge->sync && i < update->list.count; i++)
        if (update->list.items[i].writes && !is_own(update->list.items[i].symbol)) return false;
    return true;
}

bool hooks_are_doubted(const struct context *context) {
    const struct doubts *doubts = context->doubts;
    for (uint32_t i = 0; doubts && i < doubts->list.count; i++)
        if (reads_written(&doubts->list.items[i].reads, &context->network->before_update) ||
            reads_written(&doubts->list.items[i].reads, &context->network->after_update))
            return true;
    return false;
}
