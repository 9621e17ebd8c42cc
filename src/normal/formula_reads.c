/* What formulas read, as queries of which the classes keep the values. */
#include "normal/normal_internal.h"

#include "explore/knowledge/formula.h"

/* Of all formulas together: past them, names are kept. */
enum { MOST_READS = 2000 };

static bool add_read(struct formula_reads *reads, struct arena *arena, const struct expr *expr) {
    struct query query = {.quantifier = QUERY_ALWAYS, .predicate = (struct expr *)expr};
    if (reads->list.count >= MOST_READS) return false;
    VEC_PUSH(arena, &reads->list, query);
    return true;
}

static void note_players(struct normaliser *normaliser, const struct agent_list *agents) {
    struct formula_reads *reads = &normaliser->reads;
    const struct network *network = normaliser->session.network;
    if (!reads->plays)
        reads->plays = ARENA_ARRAY(&normaliser->session.arena, bool, network->process_count + 1);
    for (uint32_t i = 0; i < agents->list.count; i++)
        for (uint32_t k = 0; k < agents->list.items[i]->process_count; k++)
            reads->plays[agents->list.items[i]->processes[k]->index] = true;
}

bool formula_reads_add(struct normaliser *normaliser, const struct query *formula) {
    struct formula_reads *reads = &normaliser->reads;
    struct arena *arena = &normaliser->session.arena;
    uint32_t before = reads->list.count;
    struct formulas formulas;
    bool is_said = formulas_make(&formulas, arena, &reads->agents, formula->predicate);
    for (uint32_t i = 0; is_said && i < formulas.nodes.count; i++) {
        const struct formula *node = &formulas.nodes.items[i];
        if (node->kind == FORMULA_ATOM || node->kind == FORMULA_KNOWS_WHAT)
            is_said = add_read(reads, arena, node->expr);
        if (node->kind == FORMULA_ABLE) note_players(normaliser, &node->agents);
    }
    if (!is_said) reads->list.count = before;
    return is_said;
}

static void keep_read(struct formula_reads *reads, struct arena *arena,
                      const struct effects *effects) {
    for (uint32_t i = 0; i < effects->list.count; i++)
        if (effects->list.items[i].reads)
            VEC_PUSH(arena, &reads->kept, effects->list.items[i].symbol);
}

void formula_reads_add_agents(struct normaliser *normaliser) {
    struct formula_reads *reads = &normaliser->reads;
    struct arena *arena = &normaliser->session.arena;
    struct effects_table table;
    effects_table_init(&table, arena);
    for (uint32_t i = 0; i < reads->agents.list.count; i++) {
        const struct agent *agent = reads->agents.list.items[i];
        for (uint32_t k = 0; k < agent->items.count; k++) {
            const struct observed_item *item = &agent->items.items[k];
            struct effects effects = {0};
            if (item->kind == OBSERVED_LOCATION ||
                (item->kind == OBSERVED_VALUE && add_read(reads, arena, item->expr)))
                continue;
            observed_effects(&table, &effects, normaliser->session.network, item);
            keep_read(reads, arena, &effects);
        }
    }
}

/* What is never a step is nevertheless a move that a player may choose, and wait. */
static void keep_guards(struct normaliser *normaliser) {
    struct formula_reads *reads = &normaliser->reads;
    const struct network *network = normaliser->session.network;
    for (uint32_t p = 0; reads->plays && p < network->process_count; p++) {
        const struct template *template = network->processes[p].template;
        const bool *is_alone = normaliser->analysis->processes[p].is_alone;
        for (uint32_t i = 0; reads->plays[p] && i < template->edge_count; i++) {
            const struct edge_labels *labels = &network->labels.edges[template->index][i];
            if (!is_alone[i]) continue;
            keep_read(reads, &normaliser->session.arena, &labels->guard_effects);
            keep_read(reads, &normaliser->session.arena, &labels->sync_effects);
        }
    }
}

void formula_reads_keep(struct normaliser *normaliser) {
    const struct formula_reads *reads = &normaliser->reads;
    keep_guards(normaliser);
    for (uint32_t i = 0; i < reads->kept.count; i++) {
        const struct live_variable *variable = live_find(normaliser->live, reads->kept.items[i]);
        if (variable)
            normaliser->is_read_by_formula[normal_number(normaliser->live, variable)] = true;
    }
}
