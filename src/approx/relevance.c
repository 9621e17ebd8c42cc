#include "approx/relevance.h"

/* Variables are told apart by symbol; a template's reference parameter makes what it is bound to
 * relevant through the slots of its binding. */
struct closure {
    struct analysis *analysis;
    struct effects_table *effects;
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

static void item_effects(struct closure *closure, const struct expr *item,
                         struct effects *effects) {
    *effects = (struct effects){0};
    effects_add_expr(closure->effects, effects, item);
}

static void close_template(struct closure *closure, const struct template *template) {
    for (uint32_t i = 0; i < template->edge_count; i++) {
        const struct edge *edge = &template->edges[i];
        for (uint32_t k = 0; k < edge->updates.count; k++) {
            struct effects effects;
            item_effects(closure, edge->updates.items[k], &effects);
            if (writes_marked(closure, &effects)) mark_reads(closure, &effects);
        }
    }
}

static void seed_template(struct closure *closure, const struct template *template) {
    const struct network *network = closure->analysis->network;
    for (uint32_t i = 0; i < template->edge_count; i++)
        mark_reads(closure, &network->edge_effects[template->index][i].guard);
    for (uint32_t i = 0; i < template->location_count; i++) {
        struct effects effects;
        item_effects(closure, template->locations[i].invariant, &effects);
        mark_reads(closure, &effects);
    }
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

void relevance_compute(struct analysis *analysis) {
    const struct network *network = analysis->network;
    const struct model *model = network->model;
    struct arena scratch;
    arena_init(&scratch);
    struct effects_table table;
    effects_table_init(&table, &scratch);
    struct closure closure = {.analysis = analysis, .effects = &table};
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

bool relevance_of_item(const struct analysis *analysis, struct effects_table *table,
                       const struct process *process, const struct expr *item) {
    const struct network *network = analysis->network;
    struct effects effects = {0};
    effects_add_expr(table, &effects, item);
    for (uint32_t i = 0; i < effects.list.count; i++) {
        const struct effect *effect = &effects.list.items[i];
        if (!effect->writes) continue;
        const struct binding *binding = effect->symbol->scope == SCOPE_GLOBAL
                                            ? &network->globals[effect->symbol->index]
                                        : effect->symbol->scope == SCOPE_TEMPLATE
                                            ? &process->locals[effect->symbol->index]
                                            : NULL;
        if (!binding || !binding->shape) continue;
        for (uint32_t k = 0; k < binding->shape->cell_count; k++) {
            uint32_t slot = network->slot_of[binding->address + k];
            if (slot != NO_SLOT && analysis->is_tracked[slot]) return true;
        }
    }
    return false;
}
