#include "explore/knowledge/by_sets.h"

#include "explore/knowledge/by_sets_internal.h"
#include "explore/symbolic/facts.h"
#include "explore/symbolic/runs.h"

#include <assert.h>

/* The condition of an atom, where numbers are false if they are 0. */
static void compile_atom(struct seen_value *value, struct compiler *compiler,
                         const struct expr *expr) {
    *value = (struct seen_value){.expr = expr, .is_bool = true};
    unit_begin(compiler);
    unit_predicate(compiler, expr, false);
    unit_end(compiler, &value->unit);
}

/* Finds players and moves; of all states only what compiles is there yet. */
static void compile_coalition(struct set_formula *formula, struct search *search, uint32_t index) {
    const struct formula *node = &formula->formulas.nodes.items[index];
    struct all_states states = {.search = search, .arena = formula->arena};
    coalition_make(&formula->coalitions[index], &states, &node->agents, node->modes);
}

struct set_formula *set_formula_new(struct arena *arena, struct search *search,
                                    const struct expr *expr) {
    struct set_formula *formula = ARENA_NEW(arena, struct set_formula);
    struct compiler *compiler = search->program->compiler;
    *formula = (struct set_formula){.arena = arena};
    agents_init(&formula->agents, arena, search->network);
    formula->is_made = formulas_make(&formula->formulas, arena, &formula->agents, expr);
    if (!formula->is_made) {
        agents_close(&formula->agents);
        return formula;
    }
    uint32_t count = formula->formulas.nodes.count, agents = formula->agents.list.count;
    formula->values = ARENA_ARRAY(arena, struct seen_value, count + 1);
    formula->coalitions = ARENA_ARRAY(arena, struct coalition, count + 1);
    formula->units = ARENA_ARRAY(arena, struct sight_units, agents + 1);
    for (uint32_t i = 0; i < count; i++) {
        const struct formula *node = &formula->formulas.nodes.items[i];
        if (node->kind == FORMULA_ATOM) compile_atom(&formula->values[i], compiler, node->expr);
        if (node->kind == FORMULA_KNOWS_WHAT)
            seen_value_compile(&formula->values[i], compiler, node->expr);
        if (node->kind == FORMULA_ABLE) compile_coalition(formula, search, i);
    }
    for (uint32_t i = 0; i < agents; i++)
        sight_compile(&formula->units[i], compiler, &formula->agents,
                      formula->agents.list.items[i]);
    agents_close(&formula->agents);
    return formula;
}

/* A move is known by its first instance, which is the same for all coalitions. */
static bool tell_moves(const struct coalition *coalition, struct arena *arena, uint32_t *told,
                       uint32_t count) {
    uint32_t *number = ARENA_ARRAY(arena, uint32_t, coalition->moves.count + 1);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t move = coalition->move_of[i];
        if (move == NO_MOVE) continue;
        if (!number[move]) number[move] = i + 1;
        told[i] = number[move];
    }
    return coalition->moves.count > 0;
}

bool set_formula_tell(const struct set_formula *formula, uint32_t *told, uint32_t count) {
    bool has_moves = false;
    for (uint32_t i = 0; formula->is_made && i < formula->formulas.nodes.count; i++)
        if (formula->formulas.nodes.items[i].kind == FORMULA_ABLE)
            has_moves |= tell_moves(&formula->coalitions[i], formula->arena, told, count);
    return has_moves;
}

static void set_problem(struct decided_formula *known, const char *problem, struct span span) {
    if (known->problem) return;
    known->outcome = KNOWN_PROBLEM;
    known->problem = problem;
    known->span = span;
}

/* Evaluates what fails in one of the states where it does. */
static void report_failure(struct set_decision *decision, const struct seen_value *value,
                           uint32_t fails) {
    struct reach *reach = decision->reach;
    struct machine *machine = &reach->expander.machine;
    assert(fails != LDD_NONE);
    uint32_t free = set_minus(decision->ldd, fails, decision->decider->deadlocks);
    uint64_t *words =
        ARENA_ARRAY(decision->formula->arena, uint64_t, reach->program->layout->word_count + 1);
    if (ldd_is_over(decision->ldd)) return;
    machine->is_stuck = free == LDD_NONE;
    reach_least(reach, free == LDD_NONE ? fails : free, words);
    if (machine_unit(machine, &value->unit, words) == RUN_FAULT)
        set_problem(decision->known, fault_name(machine->fault.kind), machine->fault.span);
    else
        set_problem(decision->known, "it cannot be evaluated everywhere", value->expr->span);
}

/* Finds the states that each agent tells apart; false where that is too complex. */
static bool find_sights(struct set_decision *decision) {
    const struct set_formula *formula = decision->formula;
    for (uint32_t i = 0; i < formula->agents.list.count; i++) {
        const struct sight_units *units = &formula->units[i];
        struct set_sight *sight = &decision->sights[i];
        if (!sight_find(sight, decision->decider, formula->arena, &units, 1)) return false;
        if (sight->fails == LDD_NONE) continue;
        report_failure(decision, sight->failing, sight->fails);
        return true;
    }
    return true;
}

/* Knowledge */

static uint32_t known_to_all(struct set_decision *decision, const struct formula *node,
                             uint32_t part) {
    uint32_t known = decision->reach->states;
    for (uint32_t i = 0; i < node->agents.list.count; i++) {
        const struct set_sight *sight = &decision->sights[node->agents.list.items[i]->index];
        known = set_intersect(decision->ldd, known, sight_known(sight, decision->reach, part));
    }
    return known;
}

/* The greatest set inside the part of which all know. */
static uint32_t known_in_common(struct set_decision *decision, const struct formula *node,
                                uint32_t part) {
    assert(node->kind == FORMULA_COMMON);
    uint32_t before = LDD_NONE;
    while (part != before && !ldd_is_over(decision->ldd)) {
        before = part;
        part = set_intersect(decision->ldd, part, known_to_all(decision, node, part));
    }
    return part;
}

static bool known_together(struct set_decision *decision, const struct formula *node, uint32_t part,
                           uint32_t *set) {
    const struct set_formula *formula = decision->formula;
    uint32_t count = node->agents.list.count;
    struct set_sight sight;
    const struct sight_units **units =
        ARENA_ARRAY(formula->arena, const struct sight_units *, count + 1);
    for (uint32_t i = 0; i < count; i++)
        units[i] = &formula->units[node->agents.list.items[i]->index];
    if (!sight_find(&sight, decision->decider, formula->arena, units, count)) return false;
    *set = sight_known(&sight, decision->reach, part);
    return true;
}

/* Where no two values are possible. */
static bool known_value(struct set_decision *decision, uint32_t index, uint32_t *set) {
    const struct formula *node = &decision->formula->formulas.nodes.items[index];
    assert(node->agents.list.count == 1); /* Kw is about one agent */
    const struct set_sight *sight = &decision->sights[node->agents.list.items[0]->index];
    const struct seen_value *value = &decision->formula->values[index];
    struct set_list values = {0};
    uint32_t fails = LDD_NONE;
    if (!split_by_value(decision->decider, decision->formula->arena, value, decision->reach->states,
                        &values, &fails))
        return false;
    if (fails != LDD_NONE) report_failure(decision, value, fails);
    *set = decision->reach->states;
    for (uint32_t i = 0; i < values.list.count; i++)
        *set = set_minus(decision->ldd, *set,
                         sight_mixed(sight, decision->reach, values.list.items[i]));
    return true;
}

/* Runs: a state without steps stays as it is */

static uint32_t ends_in(struct set_decision *decision, uint32_t set) {
    return set_intersect(decision->ldd, set, decision->decider->deadlocks);
}

static uint32_t before(struct set_decision *decision, uint32_t set) {
    uint32_t found = runs_before(decision->reach, decision->reach->states, set);
    return set_union(decision->ldd, found, ends_in(decision, set));
}

/* Through p to q. */
static uint32_t until(struct set_decision *decision, uint32_t p, uint32_t q) {
    struct ldd *ldd = decision->ldd;
    size_t held = ldd_hold(ldd, q), newest = ldd_hold(ldd, q);
    while (ldd->held[newest] != LDD_NONE && !ldd_is_over(ldd)) {
        uint32_t rest = set_minus(ldd, p, ldd->held[held]);
        uint32_t found = runs_before(decision->reach, rest, ldd->held[newest]);
        ldd->held[held] = set_union(ldd, ldd->held[held], found);
        ldd->held[newest] = found;
        ldd_safe_point(ldd);
    }
    uint32_t result = ldd->held[held];
    ldd_release(ldd, held);
    return result;
}

static bool always(struct set_decision *decision, uint32_t p, uint32_t *set) {
    struct ldd *ldd = decision->ldd;
    uint32_t ends = ends_in(decision, p);
    size_t held = ldd_hold(ldd, ends);
    bool is_fine = runs_inside(decision->reach, p, ends, set);
    ldd_release(ldd, held);
    return is_fine;
}

/* Strategies */

/* The goal of a node; G p is p W false, F p is true U p. */
static struct set_goal goal_of(struct set_decision *decision, const struct formula *node) {
    uint32_t left = decision->sets[node->left], right = decision->sets[node->right];
    uint32_t all = decision->reach->states;
    switch (node->goal) {
    case OP_ABLE_X: return (struct set_goal){true, false, left, all};
    case OP_ABLE_F: return (struct set_goal){false, true, left, all};
    case OP_ABLE_G: return (struct set_goal){false, false, LDD_NONE, left};
    case OP_ABLE_U: return (struct set_goal){false, true, right, left};
    case OP_ABLE_R:
        return (struct set_goal){false, false, set_intersect(decision->ldd, left, right), right};
    default: return (struct set_goal){false, false, right, left};
    }
}

/* False where it is too complex, or where bounds leave it open. */
static bool find_able(struct set_decision *decision, uint32_t index, uint32_t *set) {
    const struct set_formula *formula = decision->formula;
    const struct formula *node = &formula->formulas.nodes.items[index];
    const struct coalition *coalition = &formula->coalitions[index];
    const struct set_sight **sights =
        ARENA_ARRAY(formula->arena, const struct set_sight *, coalition->players.count + 1);
    for (uint32_t i = 0; i < coalition->players.count; i++)
        sights[i] = &decision->sights[coalition->players.items[i].agent->index];
    struct set_able *able = &decision->able[index];
    able->goal = goal_of(decision, node);
    ldd_hold(decision->ldd, able->goal.base);
    if (!set_game_open(&able->game, formula->arena, decision->decider, coalition, sights) ||
        !able_by_sets(&able->game, &able->goal, &able->ability))
        return false;
    uint32_t open = set_minus(decision->ldd, able->ability.possible, able->ability.sure);
    if (node->is_outside) open = set_intersect(decision->ldd, open, decision->reach->initial);
    *set = able->ability.sure;
    decision->known->is_left_open = open != LDD_NONE;
    return open == LDD_NONE;
}

/* All parts */

static bool find_atom(struct set_decision *decision, uint32_t index, uint32_t *set) {
    assert(index < decision->formula->formulas.nodes.count);
    const struct seen_value *value = &decision->formula->values[index];
    struct verdicts verdicts;
    if (!decide(decision->decider, &value->unit, decision->reach->states, false, &verdicts))
        return false;
    if (verdicts.fails != LDD_NONE) report_failure(decision, value, verdicts.fails);
    *set = verdicts.holds;
    return true;
}

/* Of what is asked from outside only the initial state matters, and all can be reached from there.
 */
static uint32_t somewhere(struct set_decision *decision, const struct formula *node,
                          uint32_t part) {
    if (!node->is_outside) return until(decision, decision->reach->states, part);
    return part == LDD_NONE ? LDD_NONE : decision->reach->initial;
}

static bool find_set(struct set_decision *decision, uint32_t index, uint32_t *set) {
    const struct formula *node = &decision->formula->formulas.nodes.items[index];
    assert(node->left <= index && node->right <= index); /* nodes stand after their parts */
    uint32_t left = decision->sets[node->left], right = decision->sets[node->right];
    struct ldd *ldd = decision->ldd;
    switch (node->kind) {
    case FORMULA_ATOM: return find_atom(decision, index, set);
    case FORMULA_NOT: *set = set_minus(ldd, decision->reach->states, left); break;
    case FORMULA_AND: *set = set_intersect(ldd, left, right); break;
    case FORMULA_OR: *set = set_union(ldd, left, right); break;
    case FORMULA_EX: *set = before(decision, left); break;
    case FORMULA_EF: *set = somewhere(decision, node, left); break;
    case FORMULA_EU: *set = until(decision, left, right); break;
    case FORMULA_EG: return always(decision, left, set);
    case FORMULA_KNOWS: *set = known_to_all(decision, node, left); break;
    case FORMULA_KNOWS_WHAT: return known_value(decision, index, set);
    case FORMULA_COMMON: *set = known_in_common(decision, node, left); break;
    case FORMULA_DISTRIBUTED: return known_together(decision, node, left, set);
    case FORMULA_ABLE: return find_able(decision, index, set);
    }
    return true;
}

/* The last part without the negations around it. */
uint32_t set_formula_whole(const struct set_formula *formula) {
    const struct formula *nodes = formula->formulas.nodes.items;
    uint32_t whole = formula->formulas.nodes.count - 1;
    while (nodes[whole].kind == FORMULA_NOT) {
        assert(nodes[whole].left < whole); /* nodes stand after their parts */
        whole = nodes[whole].left;
    }
    return whole;
}

static const struct formula *whole_of(const struct set_decision *decision) {
    return &decision->formula->formulas.nodes.items[set_formula_whole(decision->formula)];
}

/* Why the whole holds or not: E<> that is all of it, or its negation. */
static uint32_t witness_of(const struct set_decision *decision) {
    const struct formula *whole = whole_of(decision);
    return whole->kind == FORMULA_EF ? decision->sets[whole->left] : LDD_NONE;
}

/* Whether there may be an agent that takes some state for another one, or a strategy, which says
 * why. */
static bool may_have_reason(const struct set_decision *decision, uint32_t witness) {
    const struct formula *nodes = decision->formula->formulas.nodes.items;
    bool has_knowledge = false;
    for (uint32_t i = 0; i < decision->formula->formulas.nodes.count; i++)
        has_knowledge |= nodes[i].kind == FORMULA_KNOWS || nodes[i].kind == FORMULA_KNOWS_WHAT ||
                         (nodes[i].kind == FORMULA_ABLE && nodes[i].is_outside);
    return has_knowledge && (whole_of(decision)->kind != FORMULA_EF || witness != LDD_NONE);
}

/* A coalition that is none. */
static void report_coalition(struct set_decision *decision, uint32_t index) {
    const struct coalition *coalition = &decision->formula->coalitions[index];
    const struct formula *node = &decision->formula->formulas.nodes.items[index];
    if (coalition->problem)
        set_problem(decision->known, coalition->problem,
                    coalition->span.begin ? coalition->span : node->expr->span);
}

/* Node by node; false where one is too complex. */
static bool find_sets(struct set_decision *decision) {
    for (uint32_t i = 0; i < decision->formula->formulas.nodes.count; i++)
        report_coalition(decision, i);
    if (decision->known->problem) return true;
    if (!find_sights(decision)) return false;
    uint32_t count = decision->formula->formulas.nodes.count;
    for (uint32_t i = 0; i < count && !decision->known->problem; i++) {
        uint32_t set = LDD_NONE;
        if (!find_set(decision, i, &set)) return false;
        decision->sets[i] = set;
        ldd_hold(decision->ldd, set);
        if (ldd_is_over(decision->ldd)) return true;
        ldd_safe_point(decision->ldd);
    }
    return true;
}

static bool decide_sets(struct set_decision *decision, uint32_t *witness) {
    struct ldd *ldd = decision->ldd;
    uint32_t count = decision->formula->formulas.nodes.count;
    if (decision->reach->marks.items.count > SETS_MAX_CHAINS) return false;
    size_t held = ldd_hold(ldd, decision->decider->deadlocks);
    bool is_fine = find_sets(decision);
    if (is_fine && !decision->known->problem && !ldd_is_over(ldd)) {
        uint32_t whole = set_intersect(ldd, decision->sets[count - 1], decision->reach->initial);
        decision->known->outcome = whole == LDD_NONE ? KNOWN_FALSE : KNOWN_TRUE;
        *witness = witness_of(decision);
        decision->known->may_have_reason = may_have_reason(decision, *witness);
    }
    if (!decision->known->may_have_reason) ldd_release(ldd, held);
    ldd_hold(ldd, *witness);
    return is_fine;
}

bool set_formula_decide(struct set_formula *formula, struct decider *decider,
                        struct decided_formula *known, uint32_t *witness) {
    const struct formulas *formulas = &formula->formulas;
    *known = (struct decided_formula){.outcome = KNOWN_LIMIT, .agents = &formula->agents};
    *witness = LDD_NONE;
    if (!formula->is_made) {
        if (formulas->problem) set_problem(known, formulas->problem, formulas->span);
        if (formulas->is_too_large)
            known->problem = "with forall and exists written out it has more than 65536 parts";
        return true;
    }
    struct set_decision *decision = &formula->decision;
    *decision = (struct set_decision){.formula = formula,
                                      .decider = decider,
                                      .reach = decider->reach,
                                      .ldd = &decider->reach->ldd,
                                      .known = known};
    decision->sights =
        ARENA_ARRAY(formula->arena, struct set_sight, formula->agents.list.count + 1);
    decision->sets = ARENA_ARRAY(formula->arena, uint32_t, formulas->nodes.count + 1);
    decision->able = ARENA_ARRAY(formula->arena, struct set_able, formulas->nodes.count + 1);
    return decide_sets(decision, witness);
}
