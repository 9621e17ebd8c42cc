#include "explore/knowledge/why_by_sets.h"

#include "explore/knowledge/by_sets_internal.h"
#include "explore/knowledge/plan_by_sets.h"

#include <assert.h>
#include <string.h>

/* A state for which a reason is looked for. */
struct looking {
    const struct set_decision *decision;
    const uint64_t *words;
    uint32_t one;    /* it alone, as a set */
    uint32_t others; /* result */
};

static const struct formula *node_of(const struct looking *looking, uint32_t index) {
    assert(index < looking->decision->formula->formulas.nodes.count);
    return &looking->decision->formula->formulas.nodes.items[index];
}

static bool holds(const struct looking *looking, uint32_t index) {
    const struct set_decision *decision = looking->decision;
    return set_intersect(decision->ldd, looking->one, decision->sets[index]) != LDD_NONE;
}

static bool set_pair(struct looking *looking, const struct agent *agent, const struct expr *expr,
                     uint32_t others) {
    struct decided_formula *known = looking->decision->known;
    if (others == LDD_NONE || ldd_is_over(looking->decision->ldd)) return false;
    looking->others = others;
    known->has_pair = true;
    known->pair = (struct epistemic){.agent = agent, .expr = expr};
    return true;
}

static bool explain(struct looking *looking, uint32_t index);

/* Some agent takes the state for another one, in which the part does not hold. */
static bool explain_knows(struct looking *looking, const struct formula *node) {
    const struct set_decision *decision = looking->decision;
    if (!holds(looking, node->left)) return explain(looking, node->left);
    for (uint32_t i = 0; i < node->agents.list.count; i++) {
        const struct agent *agent = node->agents.list.items[i];
        uint32_t same = sight_same(&decision->sights[agent->index], decision->reach, looking->one);
        uint32_t others = set_minus(decision->ldd, same, decision->sets[node->left]);
        if (set_pair(looking, agent, node->expr->child[0], others)) return true;
    }
    return false;
}

static int32_t value_in(const struct set_decision *decision, const struct seen_value *value,
                        const uint64_t *words) {
    struct machine *machine = &decision->reach->expander.machine;
    uint32_t size = decision->reach->program->layout->word_count;
    uint64_t *state = ARENA_ARRAY(decision->formula->arena, uint64_t, size + 1);
    memcpy(state, words, size * sizeof *state);
    machine->is_stuck = false; /* no value asks */
    enum outcome outcome = machine_unit(machine, &value->unit, state);
    assert(outcome != RUN_OVERFLOW); /* nothing is written */
    if (value->is_bool) return outcome == RUN_TRUE;
    return outcome == RUN_TRUE ? machine->registers[0] : 0;
}

/* The subset of a set that has a value; false where that is too complex. */
static bool with_value(const struct set_decision *decision, const struct seen_value *value,
                       uint32_t set, int32_t wanted, uint32_t *found) {
    struct verdicts verdicts;
    if (value->is_bool) {
        if (!decide(decision->decider, &value->unit, set, false, &verdicts)) return false;
        *found = wanted ? verdicts.holds : set_minus(decision->ldd, set, verdicts.holds);
        return true;
    }
    if (!support_decide(decision->reach, &value->unit, set, false, &wanted, &verdicts))
        return false;
    *found = verdicts.holds;
    return true;
}

static bool explain_value(struct looking *looking, uint32_t index) {
    const struct set_decision *decision = looking->decision;
    const struct formula *node = node_of(looking, index);
    const struct seen_value *value = &decision->formula->values[index];
    const struct agent *agent = node->agents.list.items[0];
    assert(node->kind == FORMULA_KNOWS_WHAT && node->agents.list.count == 1);
    struct epistemic *pair = &decision->known->pair;
    int32_t own = value_in(decision, value, looking->words);
    uint32_t same = sight_same(&decision->sights[agent->index], decision->reach, looking->one);
    uint32_t alike;
    if (!with_value(decision, value, same, own, &alike) ||
        !set_pair(looking, agent, node->expr, set_minus(decision->ldd, same, alike)))
        return false;
    pair->is_value = true;
    pair->values[0] = own;
    return true;
}

/* A strategy of the coalition, from the initial state. */
static bool explain_able(struct looking *looking, uint32_t index) {
    const struct set_decision *decision = looking->decision;
    struct set_able *able = &decision->able[index];
    if (!node_of(looking, index)->is_outside) return false;
    decision->known->plan =
        plan_by_sets(&able->game, &able->goal, &able->ability, decision->formula->units);
    decision->known->has_large_plan = !decision->known->plan;
    return decision->known->plan != NULL;
}

/* The first part whose value is due to what an agent cannot tell apart, or to a strategy. */
static bool explain(struct looking *looking, uint32_t index) {
    const struct formula *node = node_of(looking, index);
    bool value = holds(looking, index);
    switch (node->kind) {
    case FORMULA_NOT: return explain(looking, node->left);
    case FORMULA_AND:
    case FORMULA_OR: {
        bool decides = node->kind == FORMULA_OR; /* one part with this value does */
        bool is_joint = value != decides;
        return ((is_joint || holds(looking, node->left) == value) &&
                explain(looking, node->left)) ||
               ((is_joint || holds(looking, node->right) == value) &&
                explain(looking, node->right));
    }
    case FORMULA_KNOWS: return !value && explain_knows(looking, node);
    case FORMULA_KNOWS_WHAT: return !value && explain_value(looking, index);
    case FORMULA_ABLE: return value && explain_able(looking, index);
    default: return false;
    }
}

bool set_formula_explain(const struct set_formula *formula, const uint64_t *words,
                         uint32_t *others) {
    const struct set_decision *decision = &formula->decision;
    struct reach *reach = decision->reach;
    struct level_state point = {(uint64_t *)words, count_committed(reach->program, words)};
    uint32_t whole = set_formula_whole(formula);
    const struct formula *node = &formula->formulas.nodes.items[whole];
    levels_vector(&reach->levels, &point, reach->tuple);
    struct looking looking = {.decision = decision, .words = words};
    looking.one = set_of(&reach->ldd, reach->tuple, reach->levels.count);
    bool is_found = explain(&looking, node->kind == FORMULA_EF ? node->left : whole);
    decision->known->has_pair &= !ldd_is_over(&reach->ldd);
    *others = looking.others;
    return is_found && decision->known->has_pair;
}

void set_formula_choose(const struct set_formula *formula, const uint64_t *words) {
    const struct set_decision *decision = &formula->decision;
    struct epistemic *pair = &decision->known->pair;
    for (uint32_t i = 0; pair->is_value && i < formula->formulas.nodes.count; i++)
        if (formula->formulas.nodes.items[i].kind == FORMULA_KNOWS_WHAT &&
            formula->formulas.nodes.items[i].expr == pair->expr)
            pair->values[1] = value_in(decision, &formula->values[i], words);
}
