#include "normal/normal_internal.h"

#include "explore/knowledge/formula.h"

/* Of all formulas together: past them, names are kept. */
enum { MOST_LOOKS = 2000 };

static bool look_at(struct looks *looks, struct arena *arena, const struct expr *expr) {
    struct query query = {.quantifier = QUERY_ALWAYS, .predicate = (struct expr *)expr};
    if (looks->list.count >= MOST_LOOKS) return false;
    VEC_PUSH(arena, &looks->list, query);
    return true;
}

static void note_players(struct normaliser *normaliser, const struct agent_list *agents) {
    struct looks *looks = &normaliser->looks;
    const struct network *network = normaliser->session.network;
    if (!looks->plays)
        looks->plays = ARENA_ARRAY(&normaliser->session.arena, bool, network->process_count + 1);
    for (uint32_t i = 0; i < agents->list.count; i++)
        for (uint32_t k = 0; k < agents->list.items[i]->process_count; k++)
            looks->plays[agents->list.items[i]->processes[k]->index] = true;
}

bool looks_add(struct normaliser *normaliser, const struct query *formula) {
    struct looks *looks = &normaliser->looks;
    struct arena *arena = &normaliser->session.arena;
    uint32_t before = looks->list.count;
    struct formulas formulas;
    bool is_said = formulas_make(&formulas, arena, &looks->agents, formula->predicate);
    for (uint32_t i = 0; is_said && i < formulas.nodes.count; i++) {
        const struct formula *node = &formulas.nodes.items[i];
        if (node->kind == FORMULA_ATOM || node->kind == FORMULA_KNOWS_WHAT)
            is_said = look_at(looks, arena, node->expr);
        if (node->kind == FORMULA_ABLE) note_players(normaliser, &node->agents);
    }
    if (!is_said) looks->list.count = before;
    return is_said;
}

static void keep_read(struct looks *looks, struct arena *arena, const struct effects *effects) {
    for (uint32_t i = 0; i < effects->list.count; i++)
        if (effects->list.items[i].reads)
            VEC_PUSH(arena, &looks->kept, effects->list.items[i].symbol);
}

void looks_add_agents(struct normaliser *normaliser) {
    struct looks *looks = &normaliser->looks;
    struct arena *arena = &normaliser->session.arena;
    struct effects_table table;
    effects_table_init(&table, arena);
    for (uint32_t i = 0; i < looks->agents.list.count; i++) {
        const struct agent *agent = looks->agents.list.items[i];
        for (uint32_t k = 0; k < agent->items.count; k++) {
            const struct observed_item *item = &agent->items.items[k];
            struct effects effects = {0};
            if (item->kind == OBSERVED_LOCATION ||
                (item->kind == OBSERVED_VALUE && look_at(looks, arena, item->expr)))
                continue;
            observed_effects(&table, &effects, normaliser->session.network, item);
            keep_read(looks, arena, &effects);
        }
    }
}

/* What is never a step is nevertheless a move that a player may choose, and wait. */
static void keep_guards(struct normaliser *normaliser) {
    struct looks *looks = &normaliser->looks;
    const struct network *network = normaliser->session.network;
    for (uint32_t p = 0; looks->plays && p < network->process_count; p++) {
        const struct template *template = network->processes[p].template;
        const bool *is_alone = normaliser->analysis->processes[p].is_alone;
        for (uint32_t i = 0; looks->plays[p] && i < template->edge_count; i++) {
            const struct edge_labels *labels = &network->labels.edges[template->index][i];
            if (!is_alone[i]) continue;
            keep_read(looks, &normaliser->session.arena, &labels->guard_effects);
            keep_read(looks, &normaliser->session.arena, &labels->sync_effects);
        }
    }
}

void looks_keep(struct normaliser *normaliser) {
    const struct looks *looks = &normaliser->looks;
    keep_guards(normaliser);
    for (uint32_t i = 0; i < looks->kept.count; i++) {
        const struct live_variable *variable = live_find(normaliser->live, looks->kept.items[i]);
        if (variable) normaliser->is_looked_at[normal_number(normaliser->live, variable)] = true;
    }
}
