#include "approx/labels/relevance.h"

#include <assert.h>

/* Variables are told apart by symbol; a template's reference parameter makes what it is bound to
 * relevant through the slots of its binding. */
struct closure {
    struct analysis *analysis;
    struct map symbols; /* relevant ones */
    bool changed;
};

static void mark(struct closure *closure, const struct symbol *symbol) {
    if (map_get(&closure->symbols, map_key(symbol))) return;
    map_put(&closure->symbols, map_key(symbol), closure);
    closure->changed = true;
}

static bool is_marked(const struct closure *closure, const struct symbol *symbol) {
    return map_get(&closure->symbols, map_key(symbol)) != NULL;
}

static void mark_reads(struct closure *closure, const struct effects *effects) {
    for (uint32_t i = 0; i < effects->list.count; i++)
        if (effects->list.items[i].reads) mark(closure, effects->list.items[i].symbol);
}

static bool writes_marked(const struct closure *closure, const struct effects *effects) {
    for (uint32_t i = 0; i < effects->list.count; i++)
        if (effects->list.items[i].writes && is_marked(closure, effects->list.items[i].symbol))
            return true;
    return false;
}

static void close_template(struct closure *closure, const struct template *template) {
    struct effects *const *items = closure->analysis->summary->items[template->index];
    for (uint32_t i = 0; i < template->edge_count; i++)
        for (uint32_t k = 0; k < template->edges[i].updates.count; k++)
            if (writes_marked(closure, &items[i][k])) mark_reads(closure, &items[i][k]);
}

/* Guards and invariants cut edges; in the product, channels do too. */
static void seed_template(struct closure *closure, const struct template *template) {
    const struct analysis *analysis = closure->analysis;
    const struct edge_labels *edges = analysis->network->labels.edges[template->index];
    for (uint32_t i = 0; i < template->edge_count; i++) {
        mark_reads(closure, &edges[i].guard_effects);
        if (analysis->is_combined) mark_reads(closure, &edges[i].sync_effects);
    }
    for (uint32_t i = 0; i < template->location_count; i++)
        for (uint32_t k = 0; k < conjunct_count(invariant_at(analysis->network, template, i)); k++)
            mark_reads(closure, &analysis->summary->invariants[template->index][i][k]);
}

/* A marked reference parameter marks the variables it is bound to, and the other way round. */
static void close_references(struct closure *closure) {
    const struct network *network = closure->analysis->network;
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct process *process = &network->processes[p];
        for (uint32_t i = 0; i < process->template->symbol_count; i++) {
            const struct symbol *symbol = process->template->symbols[i];
            if (!symbol->is_reference || !process->locals[i].shape) continue;
            uint32_t slot = network->slot_of[process->locals[i].address];
            if (slot == NO_SLOT) continue;
            const struct symbol *bound = network->slots[slot].symbol;
            if (is_marked(closure, symbol)) mark(closure, bound);
            if (is_marked(closure, bound)) mark(closure, symbol);
        }
    }
}

uint32_t conjunct_count(const struct expr *condition) {
    if (!condition) return 0;
    if (condition->kind != EXPR_BINARY || condition->op != OP_AND) return 1;
    return conjunct_count(condition->child[0]) + conjunct_count(condition->child[1]);
}

static uint32_t add_conjuncts(struct effects_table *table, struct effects *effects,
                              const struct expr *invariant) {
    if (!invariant) return 0;
    if (invariant->kind != EXPR_BINARY || invariant->op != OP_AND) {
        effects_add_expr(table, effects, invariant);
        return 1;
    }
    uint32_t first = add_conjuncts(table, effects, invariant->child[0]);
    return first + add_conjuncts(table, effects + first, invariant->child[1]);
}

void relevance_summarise(struct analysis *analysis) {
    struct network const *network = analysis->network;
    const struct model *model = network->model;
    struct arena *arena = analysis->arena;
    struct effects_table table = network->effects; /* knows all functions */
    struct summary *summary = ARENA_NEW(arena, struct summary);
    table.arena = arena;
    summary->items = ARENA_ARRAY(arena, struct effects **, model->template_count + 1);
    summary->invariants = ARENA_ARRAY(arena, struct effects **, model->template_count + 1);
    summary->has_receiving_branch = ARENA_ARRAY(arena, bool, model->template_count + 1);
    for (uint32_t t = 0; t < model->template_count; t++) {
        const struct template *template = model->templates[t];
        summary->items[t] = ARENA_ARRAY(arena, struct effects *, template->edge_count + 1);
        summary->invariants[t] = ARENA_ARRAY(arena, struct effects *, template->location_count + 1);
        for (uint32_t i = 0; i < template->location_count; i++) {
            const struct expr *invariant = invariant_at(network, template, i);
            summary->invariants[t][i] =
                ARENA_ARRAY(arena, struct effects, conjunct_count(invariant) + 1);
            add_conjuncts(&table, summary->invariants[t][i], invariant);
        }
        for (uint32_t i = 0; i < template->edge_count; i++) {
            const struct edge *edge = &template->edges[i];
            if (edge->leaves_branchpoint && edge->sync && !edge->is_send)
                summary->has_receiving_branch[t] = true;
            summary->items[t][i] = ARENA_ARRAY(arena, struct effects, edge->updates.count + 1);
            for (uint32_t k = 0; k < edge->updates.count; k++)
                effects_add_expr(&table, &summary->items[t][i][k], edge->updates.items[k]);
        }
    }
    analysis->summary = summary;
}

void relevance_compute(struct analysis *analysis) {
    const struct network *network = analysis->network;
    const struct model *model = network->model;
    struct arena scratch;
    arena_init(&scratch);
    struct closure closure = {.analysis = analysis};
    map_init(&closure.symbols, &scratch);
    for (uint32_t i = 0; i < network->slot_count; i++)
        if (analysis->is_removed[i]) mark(&closure, network->slots[i].symbol);
    for (uint32_t i = 0; i < model->template_count; i++)
        seed_template(&closure, model->templates[i]);
    do {
        closure.changed = false;
        for (uint32_t i = 0; i < model->template_count; i++)
            close_template(&closure, model->templates[i]);
        close_references(&closure);
    } while (closure.changed);
    for (uint32_t i = 0; i < network->slot_count; i++)
        analysis->is_tracked[i] = is_marked(&closure, network->slots[i].symbol);
    arena_close(&scratch);
}

const struct binding *relevance_binding(const struct network *network,
                                        const struct process *process,
                                        const struct symbol *symbol) {
    if (symbol->scope == SCOPE_FRAME) return NULL;
    const struct binding *binding = variable_binding(network, process, symbol);
    return binding->shape ? binding : NULL;
}

/* Once for each effect that names it. The cells of a variable are slots, or none of them is. */
void each_variable(const struct network *network, const struct process *process,
                   const struct effects *effects, variable_found found, void *context) {
    for (uint32_t i = 0; i < effects->list.count; i++) {
        const struct effect *effect = &effects->list.items[i];
        const struct binding *binding = relevance_binding(network, process, effect->symbol);
        if (binding && binding->shape->cell_count && network->slot_of[binding->address] != NO_SLOT)
            found(context, binding, effect);
    }
}

static void find_channels(struct symbol *const *symbols, uint32_t count,
                          const struct binding *bindings, channels_found found, void *context) {
    for (uint32_t i = 0; i < count; i++)
        if (bindings[i].shape && !symbols[i]->is_reference && symbol_is_channel(symbols[i]))
            found(context, symbols[i], &bindings[i]);
}

void each_channel_variable(const struct network *network, channels_found found, void *context) {
    const struct model *model = network->model;
    find_channels(model->symbols, model->symbol_count, network->globals, found, context);
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct process *process = &network->processes[p];
        find_channels(process->template->symbols, process->template->symbol_count, process->locals,
                      found, context);
    }
}

/* The cells of a variable are tracked together, so one of them answers for all. */
bool relevance_of_item(const struct analysis *analysis, const struct process *process,
                       const struct effects *item) {
    const struct network *network = analysis->network;
    for (uint32_t i = 0; i < item->list.count; i++) {
        const struct effect *effect = &item->list.items[i];
        if (!effect->writes) continue;
        const struct binding *binding = relevance_binding(network, process, effect->symbol);
        uint32_t slot = binding ? network->slot_of[binding->address] : NO_SLOT;
        if (slot != NO_SLOT && analysis->is_tracked[slot]) return true;
    }
    return false;
}
