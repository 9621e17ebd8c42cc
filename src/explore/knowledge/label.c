/* Sets of rows, part by part. */
#include "explore/knowledge/label.h"

#include "base/debug.h"
#include "explore/knowledge/in_mixed.h"
#include "lang/syntax/kinds.h"

#include <assert.h>
#include <string.h>

static bool has_parts(enum formula_kind kind) {
    return kind != FORMULA_ATOM && kind != FORMULA_KNOWS_WHAT;
}

/* Atoms */

static void find_atom(struct labelling *labels, uint32_t node, uint64_t *set) {
    struct all_states *states = labels->states;
    assert(labels->formulas->nodes.items[node].kind == FORMULA_ATOM);
    bool is_beyond_state = expr_is_beyond_state(labels->formulas->nodes.items[node].expr);
    EACH_ROW_IN_TIME (states, row) {
        states_load(states, row);
        if (is_beyond_state) states->machine.is_stuck = bit_get(labels->steps.stuck, row);
        enum outcome outcome = states_run(states, &labels->units[node]);
        if (outcome == RUN_FAULT) states->fault = states->machine.fault;
        if (outcome == RUN_TRUE) bit_set(set, row);
    }
}

/* Knowledge */

static void find_knows(struct labelling *labels, const struct formula *node, const uint64_t *part,
                       uint64_t *set) {
    assert(node->agents.list.count);
    memset(set, 0xFF, label_set_size(labels) * sizeof *set);
    for (uint32_t i = 0; i < node->agents.list.count; i++)
        indistinguishable_leave(label_classes(labels, node->agents.list.items[i]), labels->states,
                                part, set);
}

/* Knowledge of several agents together, or common knowledge of them. */
static void find_joint(struct labelling *labels, const struct formula *node, const uint64_t *part,
                       uint64_t *set) {
    struct indistinguishable joint;
    uint32_t count = node->agents.list.count;
    const struct indistinguishable **parts =
        ARENA_ARRAY(labels->states->arena, const struct indistinguishable *, count + 1);
    for (uint32_t i = 0; i < count; i++)
        parts[i] = label_classes(labels, node->agents.list.items[i]);
    if (node->kind == FORMULA_COMMON)
        indistinguishable_chain(&joint, labels->states, parts, count);
    else
        indistinguishable_join(&joint, labels->states, parts, count);
    memset(set, 0xFF, label_set_size(labels) * sizeof *set);
    if (joint.of_row) indistinguishable_leave(&joint, labels->states, part, set);
    indistinguishable_close(&joint, labels->states);
}

/* The agent knows a value where it is the same all over the class. */
static void find_values(struct labelling *labels, uint32_t index, uint64_t *set) {
    struct all_states *states = labels->states;
    const struct formula *node = &labels->formulas->nodes.items[index];
    const struct indistinguishable *classes = label_classes(labels, node->agents.list.items[0]);
    int32_t *values = states_take(states, classes->count, sizeof *values);
    uint64_t *seen = states_take(states, classes->count / 64 + 1, sizeof *seen);
    uint64_t *several = states_take(states, classes->count / 64 + 1, sizeof *several);
    EACH_ROW_IN_TIME (states, row) {
        uint32_t class = classes->of_row[row];
        assert(class < classes->count);
        int32_t value = label_value(labels, index, row);
        if (bit_get(seen, class) && values[class] != value) bit_set(several, class);
        bit_set(seen, class);
        values[class] = value;
    }
    EACH_ROW_IN_TIME (states, row)
        if (!bit_get(several, classes->of_row[row])) bit_set(set, row);
    STATES_GIVE(states, values, seen, several);
}

/* From the initial state all rows can be reached; of others nothing is asked where the steps are
 * not known. */
static void find_somewhere(const struct labelling *labels, const uint64_t *part, uint64_t *set) {
    const struct all_states *states = labels->states;
    uint32_t first = states_first(states), row = first;
    while (row < states->row_count && !bit_get(part, row)) row = states_next(states, row);
    if (row < states->row_count) bit_set(set, first);
}

/* Strategies */

static void compile_game(struct labelling *labels, uint32_t index) {
    const struct formula *node = &labels->formulas->nodes.items[index];
    struct labelled_game *game = &labels->games[index];
    game->coalition = ARENA_NEW(labels->states->arena, struct coalition);
    coalition_make(game->coalition, labels->states, &node->agents, node->modes);
    if (game->coalition->problem && !labels->problem) {
        labels->problem = game->coalition->problem;
        labels->span = game->coalition->span.begin ? game->coalition->span : node->expr->span;
    }
}

/* The goal of a node, given where its parts hold. G p is p W false, F p is true U p. */
static struct goal goal_of(const struct formula *node, const uint64_t *left, const uint64_t *right,
                           uint64_t *both, size_t size) {
    struct goal goal = {.is_next = node->goal == OP_ABLE_X,
                        .is_least = node->goal == OP_ABLE_F || node->goal == OP_ABLE_U};
    goal.base = node->goal == OP_ABLE_X || node->goal == OP_ABLE_F ? left : right;
    goal.stay = node->goal == OP_ABLE_X || node->goal == OP_ABLE_F ? NULL : left;
    if (node->goal == OP_ABLE_G) goal.base = NULL;
    if (node->goal == OP_ABLE_R) {
        for (size_t i = 0; i < size; i++) both[i] = left[i] & right[i];
        goal.base = both;
        goal.stay = right;
    }
    return goal;
}

/* Whether players choose by the state. */
static bool sees_all(const struct formula *node) {
    return node->modes & MODE_PERFECT && !(node->modes & MODE_SUBJECTIVE);
}

/* Whether it matters what is the same to an agent: not to those who choose by the state, unless
 * they observe a value that might not be there. */
static bool needs_classes(const struct labelling *labels, const struct agent *agent) {
    bool is_needed = labels->is_mixed;
    for (uint32_t i = 0; i < agent->items.count; i++)
        is_needed |= agent->items.items[i].kind == OBSERVED_VALUE;
    for (uint32_t i = 0; i < labels->formulas->nodes.count && !is_needed; i++) {
        const struct formula *node = &labels->formulas->nodes.items[i];
        bool is_perfect = node->kind == FORMULA_ABLE && sees_all(node);
        for (uint32_t k = 0; k < node->agents.list.count && !is_perfect; k++)
            is_needed |= node->agents.list.items[k] == agent;
    }
    return is_needed;
}

static uint64_t tries_of(const struct all_states *states) {
    uint64_t most = states->search->options.max_tries;
    return most ? most : TRIES_BY_DEFAULT;
}

/* Where the coalition can, for sure and perhaps, given where the parts hold. */
static void find_ability(struct labelling *labels, uint32_t index, const uint64_t *left,
                         const uint64_t *right) {
    struct all_states *states = labels->states;
    const struct formula *node = &labels->formulas->nodes.items[index];
    struct labelled_game *game = &labels->games[index];
    bool has_views = game->views.game != NULL;
    if (!game->both) game->both = states_take(states, label_set_size(labels), sizeof(uint64_t));
    if (!game->both) return;
    struct goal goal = goal_of(node, left, right, game->both, label_set_size(labels));
    ability_close(&game->ability);
    ability_find(&game->ability, &game->game, has_views ? &game->views : NULL, &goal,
                 node->is_outside ? states_first(states) : ALL_ROWS, tries_of(states));
    labels->tries += game->ability.tries;
}

static void find_able(struct labelling *labels, uint32_t index, uint64_t *set) {
    struct all_states *states = labels->states;
    const struct formula *node = &labels->formulas->nodes.items[index];
    struct labelled_game *game = &labels->games[index];
    uint32_t left = node->left, right = node->right;
    size_t bytes = label_set_size(labels) * sizeof(uint64_t);
    assert(game->coalition && !game->game.states);
    if (!game_open(&game->game, states, game->coalition, labels->shared)) return;
    if (!sees_all(node) && game->coalition->players.count &&
        !views_open(&game->views, &game->game, labels->classes))
        return;
    if (labels->is_mixed && game->views.game &&
        !views_find_certain(&game->views, labels->mixed.is_real))
        return;
    labels->possible[index] = states_take(states, label_set_size(labels), sizeof(uint64_t));
    if (!labels->possible[index]) return;
    if (labels->is_mixed) { /* what is sure comes last: a plan is made of it */
        bool is_exact = game_is_certain(&game->game) && !in_mixed_have_lost(node);
        game->game.outlook = is_exact ? OUTLOOK_EXACT : OUTLOOK_POSSIBLE;
        find_ability(labels, index, labels->possible[left], labels->possible[right]);
        if (states->ledger.limit != LIMIT_NONE) return;
        memcpy(labels->possible[index], game->ability.possible, bytes);
        if (!is_exact && node->modes & MODE_SUBJECTIVE)
            in_mixed_leave(labels, node, labels->possible[index]);
        game->game.outlook = OUTLOOK_SURE;
    }
    find_ability(labels, index, labels->sets[left], labels->sets[right]);
    if (states->ledger.limit != LIMIT_NONE) return;
    memcpy(set, game->ability.sure, bytes);
    if (labels->is_mixed) return;
    if (label_is_open(labels, left) ||
        label_is_open(labels, right)) /* sure of less, and perhaps of more */
        find_ability(labels, index, labels->possible[left], labels->possible[right]);
    if (states->ledger.limit != LIMIT_NONE) return;
    memcpy(labels->possible[index], game->ability.possible, bytes);
    if (node->is_outside || memcmp(set, labels->possible[index], bytes)) return;
    STATES_GIVE(states, labels->possible[index]);
    labels->possible[index] = labels->sets[index];
}

/* All parts */

/* Where a node holds, given where its parts do, and the steps. */
static void find_set(struct labelling *labels, uint32_t index, const struct steps *steps,
                     const uint64_t *left, const uint64_t *right, uint64_t *set) {
    const struct formula *node = &labels->formulas->nodes.items[index];
    size_t size = label_set_size(labels);
    assert(!has_parts(node->kind) || (node->left < index && node->right < index));
    switch (node->kind) {
    case FORMULA_ATOM: find_atom(labels, index, set); break;
    case FORMULA_NOT:
        for (size_t i = 0; i < size; i++) set[i] = ~left[i];
        break;
    case FORMULA_AND:
        for (size_t i = 0; i < size; i++) set[i] = left[i] & right[i];
        break;
    case FORMULA_OR:
        for (size_t i = 0; i < size; i++) set[i] = left[i] | right[i];
        break;
    case FORMULA_EX: steps_before(steps, left, set); break;
    case FORMULA_EF:
        if (labels->formulas->needs_steps || labels->is_mixed)
            steps_until(steps, NULL, left, set);
        else
            find_somewhere(labels, left, set);
        break;
    case FORMULA_EU: steps_until(steps, left, right, set); break;
    case FORMULA_EG: steps_always(steps, left, set); break;
    case FORMULA_KNOWS: find_knows(labels, node, left, set); break;
    case FORMULA_KNOWS_WHAT: find_values(labels, index, set); break;
    case FORMULA_COMMON:
    case FORMULA_DISTRIBUTED: find_joint(labels, node, left, set); break;
    case FORMULA_ABLE: find_able(labels, index, set); break;
    }
}

static bool is_over(const struct all_states *states) {
    return states->ledger.limit != LIMIT_NONE || states->fault.kind != FAULT_NONE;
}

/* Whether all rows of a set are in another one; true past a limit. */
static bool is_part(const struct labelling *labels, const uint64_t *part, const uint64_t *whole) {
    EACH_ROW (labels->states, row)
        if (bit_get(part, row) && !bit_get(whole, row)) return is_over(labels->states);
    return true;
}

/* A part that is known holds, for a state is the same as itself; a run begins where it is. */
static void check_set(const struct labelling *labels, const struct formula *node,
                      const uint64_t *left, const uint64_t *right, const uint64_t *set) {
    bool is_known = node->kind == FORMULA_KNOWS || node->kind == FORMULA_COMMON ||
                    node->kind == FORMULA_DISTRIBUTED;
    if (is_known || node->kind == FORMULA_EG) assert(is_part(labels, set, left));
    if (node->kind == FORMULA_EU) assert(is_part(labels, right, set));
}

/* Where a node holds for sure, and if some part is open, where it may hold: all operators but
 * negation hold in more states if their parts do. */
static void find_sets(struct labelling *labels, uint32_t index) {
    const struct formula *node = &labels->formulas->nodes.items[index];
    uint32_t left = node->left, right = node->right;
    bool is_not = node->kind == FORMULA_NOT;
    assert(!labels->sets[index]);
    uint64_t *set = states_take(labels->states, label_set_size(labels), sizeof(uint64_t));
    labels->sets[index] = labels->possible[index] = set;
    if (!set) return;
    uint64_t *const *lower = is_not ? labels->possible : labels->sets;
    uint64_t *const *upper = is_not ? labels->sets : labels->possible;
    bool is_mixed = labels->is_mixed;
    find_set(labels, index, is_mixed ? &labels->mixed.under : &labels->steps, lower[left],
             lower[right], set);
    DEBUG_CHECK(check_set(labels, node, lower[left], lower[right], set));
    bool is_known =
        !has_parts(node->kind) || (!label_is_open(labels, left) && !label_is_open(labels, right));
    bool is_settled = is_mixed ? is_known && !in_mixed_is_open(node) : is_known;
    if (is_settled || node->kind == FORMULA_ABLE) return;
    labels->possible[index] = states_take(labels->states, label_set_size(labels), sizeof(uint64_t));
    if (labels->possible[index] && is_mixed && in_mixed_knows(node))
        in_mixed_find(labels, index, upper[left], labels->possible[index]);
    else if (labels->possible[index])
        find_set(labels, index, is_mixed ? &labels->mixed.over : &labels->steps, upper[left],
                 upper[right], labels->possible[index]);
    if (labels->possible[index]) DEBUG_CHECK(assert(is_part(labels, set, labels->possible[index])));
}

static void compile(struct labelling *labels) {
    struct all_states *states = labels->states;
    const struct formulas *formulas = labels->formulas;
    struct compiler *compiler = states->search->program->compiler;
    for (uint32_t i = 0; i < formulas->nodes.count; i++) {
        const struct formula *node = &formulas->nodes.items[i];
        if (node->kind == FORMULA_ABLE) compile_game(labels, i);
        if (has_parts(node->kind)) continue;
        unit_begin(compiler);
        if (node->kind == FORMULA_ATOM)
            unit_predicate(compiler, node->expr, false);
        else
            unit_value(compiler, node->expr);
        unit_end(compiler, &labels->units[i]);
    }
    for (uint32_t i = 0; i < labels->agent_count; i++)
        indistinguishable_compile(&labels->classes[i], states, formulas->agents->list.items[i]);
    machine_init(&states->machine, &states->search->program->code);
    states->machine.deadline = states->expander->machine.deadline;
    states->machine.grace = states->expander->machine.grace;
}

void labels_make(struct labelling *labels, struct all_states *states,
                 const struct formulas *formulas, struct known_steps *shared) {
    uint32_t count = formulas->nodes.count;
    *labels = (struct labelling){.states = states, .formulas = formulas, .shared = shared};
    labels->agent_count = formulas->agents->list.count;
    labels->sets = ARENA_ARRAY(states->arena, uint64_t *, count + 1);
    labels->possible = ARENA_ARRAY(states->arena, uint64_t *, count + 1);
    labels->games = ARENA_ARRAY(states->arena, struct labelled_game, count + 1);
    labels->units = ARENA_ARRAY(states->arena, struct unit, count + 1);
    labels->classes = ARENA_ARRAY(states->arena, struct indistinguishable, labels->agent_count + 1);
    labels->is_mixed = states->search->network->model->is_mixed;
    if (labels->is_mixed) in_mixed_refuse(labels);
    if (labels->problem) return;
    compile(labels);
    if (labels->problem) return;
    if (labels->is_mixed)
        mixed_steps_find(&labels->mixed, states);
    else if (formulas->needs_steps)
        steps_find(&labels->steps, states);
    for (uint32_t i = 0; i < labels->agent_count && !is_over(states); i++)
        if (needs_classes(labels, formulas->agents->list.items[i]))
            indistinguishable_find(&labels->classes[i], states);
    for (uint32_t i = 0; i < count && !is_over(states); i++) find_sets(labels, i);
}

/* Gives the sets, the classes and the steps back to the ledger. */
void labels_close(struct labelling *labels) {
    for (uint32_t i = 0; i < labels->formulas->nodes.count; i++) {
        struct labelled_game *game = &labels->games[i];
        ability_close(&game->ability);
        views_close(&game->views);
        game_close(&game->game);
        STATES_GIVE(labels->states, game->both);
        if (labels->possible[i] != labels->sets[i])
            STATES_GIVE(labels->states, labels->possible[i]);
        STATES_GIVE(labels->states, labels->sets[i]);
    }
    for (uint32_t i = 0; i < labels->agent_count; i++)
        indistinguishable_close(&labels->classes[i], labels->states);
    steps_close(&labels->steps);
    mixed_steps_close(&labels->mixed);
}
