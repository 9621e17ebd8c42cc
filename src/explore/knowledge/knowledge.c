/* The whole formula from outside, and why it has its value. */
#include "explore/knowledge/knowledge.h"

#include "explore/knowledge/in_mixed.h"
#include "explore/knowledge/label.h"
#include "explore/strategy/replay.h"

#include <assert.h>

#define NO_ROW UINT32_MAX

struct formula_decider {
    struct labelling labels;
    struct all_states states;
    struct decided_formula *known;
    struct search *search;
};

static const struct formula *node_of(const struct formula_decider *decider, uint32_t index) {
    assert(index < decider->labels.formulas->nodes.count);
    return &decider->labels.formulas->nodes.items[index];
}

static bool holds(const struct formula_decider *decider, uint32_t index, uint32_t row) {
    assert(row < decider->states.row_count);
    return bit_get(decider->labels.sets[index], row);
}

/* The first of the rows with a value for a node, by level and then by their states; in a class of
 * an agent alone if classes are given. */
static uint32_t first_row(struct formula_decider *decider, uint32_t index, bool value,
                          const struct indistinguishable *classes, uint32_t class) {
    struct all_states *states = &decider->states;
    uint32_t best = NO_ROW, level = 0;
    EACH_ROW (states, row) {
        if (best != NO_ROW && search_level(decider->search, row) != level) break;
        if (holds(decider, index, row) != value) continue;
        if (classes && classes->of_row[row] != class) continue;
        level = search_level(decider->search, row);
        if (best == NO_ROW || search_is_before(decider->search, row, best)) best = row;
    }
    return best;
}

/* Why */

static bool set_pair(struct formula_decider *decider, const struct formula *node,
                     const struct agent *agent, uint32_t row, uint32_t other) {
    struct decided_formula *known = decider->known;
    if (other == NO_ROW) return false;
    assert(other != row); /* the two differ in the value of the part */
    known->has_pair = true;
    known->pair = (struct epistemic){.agent = agent, .expr = node->expr, .other = other};
    return true;
}

static bool explain(struct formula_decider *decider, uint32_t index, uint32_t row);

/* Some agent takes the row for another one, in which the part does not hold. */
static bool explain_knows(struct formula_decider *decider, const struct formula *node,
                          uint32_t row) {
    if (!holds(decider, node->left, row)) return explain(decider, node->left, row);
    for (uint32_t i = 0; i < node->agents.list.count; i++) {
        const struct agent *agent = node->agents.list.items[i];
        const struct indistinguishable *classes = &decider->labels.classes[agent->index];
        uint32_t other = first_row(decider, node->left, false, classes, classes->of_row[row]);
        if (set_pair(decider, node, agent, row, other)) {
            decider->known->pair.expr = node->expr->child[0];
            return true;
        }
    }
    return false;
}

static bool explain_value(struct formula_decider *decider, uint32_t index, uint32_t row) {
    const struct formula *node = node_of(decider, index);
    assert(node->agents.list.count == 1); /* Kw is about one agent */
    const struct agent *agent = node->agents.list.items[0];
    const struct indistinguishable *classes = &decider->labels.classes[agent->index];
    struct all_states *states = &decider->states;
    int32_t value = label_value(&decider->labels, index, row), found = value;
    uint32_t best = NO_ROW, level = 0;
    EACH_ROW (states, other) {
        if (best != NO_ROW && search_level(decider->search, other) != level) break;
        if (classes->of_row[other] != classes->of_row[row]) continue;
        int32_t own = label_value(&decider->labels, index, other);
        if (own == value) continue;
        level = search_level(decider->search, other);
        if (best != NO_ROW && !search_is_before(decider->search, other, best)) continue;
        best = other;
        found = own;
    }
    if (!set_pair(decider, node, agent, row, best)) return false;
    decider->known->pair.is_value = true;
    decider->known->pair.values[0] = value;
    decider->known->pair.values[1] = found;
    return true;
}

/* A strategy of the coalition, from the initial state. */
static bool explain_able(struct formula_decider *decider, uint32_t index, uint32_t row) {
    assert(node_of(decider, index)->kind == FORMULA_ABLE);
    struct labelling *labels = &decider->labels;
    if (!node_of(decider, index)->is_outside || row != states_first(&decider->states)) return false;
    struct ability *ability = &labels->games[index].ability;
    const struct strategy_plan *plan = plan_make(ability, labels->classes, row);
    if (plan && replay_wins(plan, ability, labels->classes, row)) decider->known->plan = plan;
    decider->known->has_large_plan = !decider->known->plan;
    return decider->known->plan != NULL;
}

/* The first part whose value in a row is due to what an agent cannot tell apart. */
static bool explain(struct formula_decider *decider, uint32_t index, uint32_t row) {
    const struct formula *node = node_of(decider, index);
    bool value = holds(decider, index, row);
    switch (node->kind) {
    case FORMULA_NOT: return explain(decider, node->left, row);
    case FORMULA_AND:
    case FORMULA_OR: {
        bool decides = node->kind == FORMULA_OR; /* one part with this value does */
        bool is_joint = value != decides;
        return ((is_joint || holds(decider, node->left, row) == value) &&
                explain(decider, node->left, row)) ||
               ((is_joint || holds(decider, node->right, row) == value) &&
                explain(decider, node->right, row));
    }
    case FORMULA_KNOWS: return !value && explain_knows(decider, node, row);
    case FORMULA_KNOWS_WHAT: return !value && explain_value(decider, index, row);
    case FORMULA_ABLE: return value && explain_able(decider, index, row);
    default: return false;
    }
}

/* From outside */

static bool has_open_part(const struct formula_decider *decider) {
    for (uint32_t i = 0; i < decider->labels.formulas->nodes.count; i++)
        if (decider->labels.possible[i] != decider->labels.sets[i] &&
            !node_of(decider, i)->is_outside)
            return true;
    return false;
}

/* Where E<> that is the whole, or its negation, is decided; and why. */
static void show(struct formula_decider *decider, uint32_t index) {
    struct decided_formula *known = decider->known;
    const struct formula *node = node_of(decider, index);
    while (node->kind == FORMULA_NOT) {
        index = node->left;
        node = node_of(decider, index);
    }
    if (node->kind != FORMULA_EF) {
        explain(decider, index, states_first(&decider->states));
        return;
    }
    uint32_t row = first_row(decider, node->left, true, NULL, 0);
    if (row == NO_ROW) return;
    known->has_row = true;
    known->row = row;
    explain(decider, node->left, row);
}

/* In a mixed model a strategy is shown that does for certain; other reasons need not be those of
 * the original. */
static void show_strategy(struct formula_decider *decider, uint32_t index) {
    const struct formula *node = node_of(decider, index);
    uint32_t first = states_first(&decider->states);
    while (node->kind == FORMULA_NOT) {
        index = node->left;
        node = node_of(decider, index);
    }
    if (node->kind == FORMULA_ABLE && holds(decider, index, first))
        explain_able(decider, index, first);
}

static uint32_t count_games(const struct formulas *formulas) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < formulas->nodes.count; i++)
        count += formulas->nodes.items[i].kind == FORMULA_ABLE;
    return count;
}

/* What stays of an instance when its program is freed. */
static const struct edge_instance *without_program(struct arena *arena,
                                                   const struct edge_instance *instance) {
    if (!instance) return NULL;
    struct edge_instance *own = ARENA_NEW(arena, struct edge_instance);
    *own = (struct edge_instance){
        .process = instance->process, .source = instance->source, .target = instance->target};
    return own;
}

static void decide_formulas(struct decided_formula *known, struct search *search,
                            struct expander *expander, const struct formulas *formulas,
                            struct known_steps *kept, struct arena *arena) {
    struct formula_decider decider = {.known = known, .search = search};
    struct all_states *states = &decider.states;
    struct known_steps own = {.is_known = false};
    uint32_t games = count_games(formulas);
    struct known_steps *shared = games && kept ? kept : games > 1 ? &own : NULL;
    states_open(states, search, expander, arena);
    if (kept && !games) known_steps_close(kept); /* its memory may be needed */
    if (shared) known_steps_move(shared, &states->ledger);
    labels_make(&decider.labels, states, formulas, shared);
    known->tries = decider.labels.tries;
    if (decider.labels.problem) {
        known->outcome = KNOWN_PROBLEM;
        known->problem = decider.labels.problem;
        known->span = decider.labels.span;
        known->is_unsupported = decider.labels.is_mixed;
    } else if (states->ledger.limit != LIMIT_NONE) {
        known->outcome = KNOWN_LIMIT;
        if (search->limit == LIMIT_NONE) search->limit = states->ledger.limit;
    } else if (states->fault.kind != FAULT_NONE) {
        known->outcome = KNOWN_PROBLEM;
        known->problem = fault_name(states->fault.kind);
        known->span = states->fault.span;
    } else {
        uint32_t whole = formulas->nodes.count - 1;
        uint32_t first = states_first(states);
        bool is_sure = holds(&decider, whole, first);
        bool may_be = bit_get(decider.labels.possible[whole], first);
        assert(!is_sure || may_be);
        known->outcome = is_sure ? KNOWN_TRUE : may_be ? KNOWN_OPEN : KNOWN_FALSE;
        bool is_mixed = decider.labels.is_mixed;
        if (is_mixed && known->outcome == KNOWN_OPEN) {
            known->doubt = in_mixed_reason(&decider.labels, whole, first);
            known->doubted = without_program(states->arena, decider.labels.mixed.doubt);
        }
        if (is_mixed) show_strategy(&decider, whole);
        if (!is_mixed && known->outcome != KNOWN_OPEN && !has_open_part(&decider))
            show(&decider, whole);
    }
    labels_close(&decider.labels);
    if (shared && (!kept || states->ledger.limit != LIMIT_NONE)) known_steps_close(shared);
    if (shared) known_steps_move(shared, NULL);
    states_close(states);
}

void knowledge_decide(struct decided_formula *known, struct search *search,
                      struct expander *expander, const struct expr *expr, struct known_steps *kept,
                      struct arena *arena) {
    struct agents *agents = ARENA_NEW(arena, struct agents);
    struct formulas formulas;
    *known =
        (struct decided_formula){.outcome = KNOWN_PROBLEM, .span = expr->span, .agents = agents};
    agents_init(agents, arena, search->network);
    if (formulas_make(&formulas, arena, agents, expr)) {
        known->outcome = KNOWN_LIMIT;
        if (search->is_complete) decide_formulas(known, search, expander, &formulas, kept, arena);
    } else if (formulas.is_too_large) {
        known->outcome = KNOWN_LIMIT;
        known->problem = "with forall and exists written out it has more than 65536 parts";
    } else {
        known->problem = formulas.problem;
        known->span = formulas.span;
    }
    agents_close(agents);
}
