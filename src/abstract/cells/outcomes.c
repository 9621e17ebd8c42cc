#include "abstract/cells/outcomes.h"

#include "abstract/cells/kinds.h"
#include "abstract/cells/own.h"
#include "abstract/cells/quantified.h"

#include "expr/build.h"
#include "expr/chain.h"
#include "expr/find.h"
#include "expr/simplify.h"

#include <assert.h>

struct finder {
    const struct touched_edge *touched;
    const struct cell_group *group;
    struct arena *arena;
    const struct counts *counts;
    const struct totals *totals;
    VEC(struct cell_class *) classes;
    struct outcome_list *outcomes;
    int32_t *after;                    /* a state, for a moment */
    struct quantified_test quantified; /* by counts */
    bool *is_open;                     /* by totals: whether quantifiers hold, by state */
};

/* Classes */

/* Where a visible index leads to a cell of the zone; NULL = always. */
static const struct expr *zone_test(const struct finder *finder, const struct expr *index,
                                    uint32_t zone) {
    const struct cell_group *group = finder->group;
    int32_t *members = ARENA_ARRAY(finder->arena, int32_t, group->position_count + 1);
    uint32_t count = 0;
    assert(group->dimension_count == 1);
    for (uint32_t p = 0; p < group->position_count; p++)
        if (group->zone_of[p] == zone) members[count++] = group->lower[0] + (int32_t)p;
    assert(count); /* a zone has cells */
    return build_member(finder->arena, index, members, count, group->lower[0],
                        group->lower[0] + (int32_t)group->size[0] - 1);
}

/* What is known of visible indices in the case of a member. */
static const struct expr *index_guard(const struct finder *finder,
                                      const struct cell_member *member) {
    const struct touched_edge *touched = finder->touched;
    const struct expr *guard = NULL;
    for (uint32_t t = 0; t < touched->term_count; t++) {
        const struct expr *index = touched->terms[t].seen;
        uint32_t c = member->of->cell_of[t];
        if (!index) continue;
        guard = build_and(finder->arena, guard, zone_test(finder, index, member->of->zone[c]));
        for (uint32_t k = 0; k < t; k++) {
            const struct expr *other = touched->terms[k].seen;
            enum op op = member->of->cell_of[k] == c ? OP_EQ : OP_NE;
            if (other)
                guard =
                    build_and(finder->arena, guard, build_binary(finder->arena, op, index, other));
        }
    }
    return guard;
}

static bool is_same(const struct expr *left, const struct expr *right) {
    return left == right || (left && right && expr_equal(left, right));
}

static bool class_is_same(const struct finder *finder, const struct cell_class *left,
                          const struct cell_class *right) {
    bool same = is_same(left->guard, right->guard);
    for (uint32_t i = 0; i < finder->touched->items.count && same; i++)
        same = is_same(left->items[i], right->items[i]);
    for (uint32_t g = 0; g < finder->group->fold_count && same; g++)
        same = left->deltas[g] == right->deltas[g] && is_same(left->parts[g], right->parts[g]);
    return same;
}

/* What the sums change by. */
static void find_deltas(const struct finder *finder, const struct cell_member *member,
                        struct cell_class *class) {
    const struct cell_group *group = finder->group;
    for (uint32_t g = 0; g < group->fold_count; g++)
        for (uint32_t c = 0; c < member->of->cell_count; c++) {
            uint32_t z = member->of->zone[c];
            const struct cell_zone *zone = &group->zones[z];
            if (!cell_fold_is_sum(&group->folds[g]) || !zone->operands[g]) continue;
            class->deltas[g] -= zone->kinds.items[member->kind[c]].weights[g];
            if (member->becomes[c] != NO_SLOT) {
                class->deltas[g] += zone->kinds.items[member->becomes[c]].weights[g];
                continue;
            }
            const struct expr *part = cell_operand(group, g, z, member->becomes_values[c]);
            class->parts[g] =
                class->parts[g] ? build_binary(finder->arena, OP_ADD, class->parts[g], part) : part;
        }
}

static void add_to_class(struct finder *finder, const struct cell_member *member) {
    struct cell_class found = {.items = member->items};
    found.guard = build_and(finder->arena, index_guard(finder, member), member->guard);
    find_deltas(finder, member, &found);
    uint32_t i = 0;
    while (i < finder->classes.count && !class_is_same(finder, finder->classes.items[i], &found))
        i++;
    if (i == finder->classes.count) {
        struct cell_class *class = ARENA_NEW(finder->arena, struct cell_class);
        *class = found;
        VEC_PUSH(finder->arena, &finder->classes, class);
    }
    VEC_PUSH(finder->arena, &finder->classes.items[i]->members, member);
}

/* Whether an edge may touch any cells of the zones of a case: none is known by its index, unless it
 * is the process's own (F15). */
static bool is_free(const struct finder *finder, const struct cell_case *of) {
    bool is_seen = false;
    for (uint32_t c = 0; c < of->cell_count; c++)
        is_seen |= of->is_seen[c] && !own_kinds(finder->touched, of, c);
    return of->is_closed && !is_seen;
}

static const struct expr *either(struct arena *arena, const struct expr *left,
                                 const struct expr *right) {
    if (!left || !right) return NULL;
    if (expr_is_false(left) || expr_equal(left, right)) return right;
    return expr_is_false(right) ? left : build_or(arena, left, right);
}

/* By counts (F8) */

/* Edges of one cell: the kinds of each zone with which it is enabled. Those that the cell of the
 * process cannot have there are not asked for (F15). */
static void count_single(const struct finder *finder, struct cell_outcome *outcome) {
    const struct cell_group *group = finder->group;
    const struct counts *counts = finder->counts;
    for (uint32_t z = 0; z < group->zone_count; z++) {
        bool some[CELLS_MAX_KINDS] = {false}, sure[CELLS_MAX_KINDS] = {false};
        bool any[CELLS_MAX_KINDS] = {false}, other[CELLS_MAX_KINDS] = {false};
        bool all[CELLS_MAX_KINDS], has_some = false, is_seen = false, is_exact = true;
        const bool *own = NULL;
        for (uint32_t i = 0; i < outcome->class->members.count; i++) {
            const struct cell_member *member = outcome->class->members.items[i];
            if (member->of->cell_count != 1 || member->of->zone[0] != z) continue;
            has_some = some[member->kind[0]] = true;
            is_seen |= member->of->is_seen[0];
            sure[member->kind[0]] |= member->of->is_closed;
            own = own_kinds(finder->touched, member->of, 0);
        }
        if (!has_some) continue;
        for (uint32_t a = 0; a < counts->atom_count[z]; a++) all[a] = true;
        for (uint32_t k = 0; k < group->zones[z].kinds.count; k++) {
            uint32_t atom = counts->atom_of[z][k];
            any[atom] |= some[k];
            all[atom] &= sure[k];
            other[atom] |= !sure[k] && (!own || own[k]);
        }
        bool has_other = false;
        for (uint32_t a = 0; a < counts->atom_count[z]; a++) {
            is_exact &= any[a] == all[a];
            has_other |= other[a];
        }
        const struct expr *may = counts_at_least(counts, z, any, 1);
        const struct expr *must =
            is_seen || own ? counts_none(counts, z, other) : counts_at_least(counts, z, all, 1);
        /* one cell, or all atoms: that it is one of them says that it is all */
        if (is_seen) is_exact = (is_exact && group->zones[z].size == 1) || (!may && !must);
        if (own && !has_other) is_exact = true, must = may;
        outcome->may = either(finder->arena, outcome->may, may);
        outcome->must = either(finder->arena, outcome->must, must);
        outcome->is_exact &= is_exact;
    }
}

static bool atoms_are_same(const struct finder *finder, const struct cell_member *left,
                           const struct cell_member *right) {
    bool same = left->of == right->of;
    for (uint32_t c = 0; c < left->of->cell_count && same; c++) {
        const uint32_t *atom_of = finder->counts->atom_of[left->of->zone[c]];
        same = atom_of[left->kind[c]] == atom_of[right->kind[c]];
    }
    return same;
}

/* Whether there are different cells of the atoms of a member. */
static const struct expr *atoms_test(const struct finder *finder,
                                     const struct cell_member *member) {
    const struct expr *test = NULL;
    for (uint32_t c = 0; c < member->of->cell_count; c++) {
        uint32_t z = member->of->zone[c], least = 0;
        uint32_t atom = finder->counts->atom_of[z][member->kind[c]];
        bool is_in[CELLS_MAX_KINDS] = {false}, is_first = true;
        for (uint32_t k = 0; k < member->of->cell_count; k++) {
            if (member->of->zone[k] != z || finder->counts->atom_of[z][member->kind[k]] != atom)
                continue;
            least++;
            is_first &= k >= c;
        }
        is_in[atom] = true;
        if (is_first)
            test = build_and(finder->arena, test, counts_at_least(finder->counts, z, is_in, least));
    }
    return test;
}

/* Edges of several cells: the atoms of each combination. */
static void count_several(const struct finder *finder, struct cell_outcome *outcome) {
    const struct cell_class *class = outcome->class;
    for (uint32_t i = 0; i < class->members.count; i++) {
        const struct cell_member *member = class->members.items[i];
        uint64_t all = 1, count = 0;
        bool is_first = true;
        if (member->of->cell_count == 1) continue;
        for (uint32_t k = 0; k < class->members.count; k++) {
            if (!atoms_are_same(finder, member, class->members.items[k])) continue;
            count++;
            is_first &= k >= i;
        }
        if (!is_first) continue;
        bool is_sure = is_free(finder, member->of);
        for (uint32_t c = 0; c < member->of->cell_count; c++) {
            const struct cell_zone *zone = &finder->group->zones[member->of->zone[c]];
            const uint32_t *atom_of = finder->counts->atom_of[member->of->zone[c]];
            const bool *own = own_kinds(finder->touched, member->of, c);
            uint32_t size = 0;
            for (uint32_t k = 0; k < zone->kinds.count; k++) {
                bool is_same_atom = atom_of[k] == atom_of[member->kind[c]];
                size += is_same_atom && (!own || own[k]);
                is_sure &= !own || !own[k] || is_same_atom;
            }
            all *= size;
        }
        const struct expr *test = atoms_test(finder, member);
        is_sure &= count == all;
        outcome->may = either(finder->arena, outcome->may, test);
        if (is_sure) outcome->must = either(finder->arena, outcome->must, test);
        outcome->is_exact &= is_sure;
    }
}

static void find_by_counts(struct finder *finder, const struct cell_class *class) {
    struct cell_outcome outcome = {.class = class,
                                   .may = build_bool(finder->arena, false),
                                   .must = build_bool(finder->arena, false),
                                   .is_exact = true};
    count_single(finder, &outcome);
    count_several(finder, &outcome);
    outcome.is_exact |= is_same(outcome.may, outcome.must);
    outcome.may = build_and(finder->arena, outcome.may, finder->quantified.may);
    outcome.must = build_and(finder->arena, outcome.must, finder->quantified.must);
    outcome.is_exact &= finder->quantified.is_exact;
    if (!outcome.may || !expr_is_false(outcome.may))
        VEC_PUSH(finder->arena, &finder->outcomes->list, outcome);
}

/* By totals (F9) */

struct tally {
    struct cell_outcome outcome;
    bool *may, *must;      /* by value */
    uint32_t *sure_states; /* by value */
    uint32_t sure_at;      /* the last state that is sure, from 1 */
};

/* Whether a state has the cells of a member. */
static bool state_has(const struct finder *finder, const int32_t *state,
                      const struct cell_member *member) {
    for (uint32_t c = 0; c < member->of->cell_count; c++) {
        int32_t needed = 0;
        for (uint32_t k = 0; k < member->of->cell_count; k++)
            needed +=
                member->of->zone[k] == member->of->zone[c] && member->kind[k] == member->kind[c];
        if (state[finder->totals->first_kind[member->of->zone[c]] + member->kind[c]] < needed)
            return false;
    }
    return true;
}

/* What folds that are no sums become. */
static void find_becomes(const struct finder *finder, const int32_t *state,
                         const struct cell_member *member, int32_t *becomes) {
    const struct totals *totals = finder->totals;
    const struct cell_group *group = finder->group;
    int32_t *after = finder->after;
    memcpy(after, state, totals->width * sizeof *after);
    for (uint32_t c = 0; c < member->of->cell_count; c++) {
        int32_t *kinds = after + totals->first_kind[member->of->zone[c]];
        assert(member->becomes[c] != NO_SLOT && kinds[member->kind[c]] > 0);
        kinds[member->kind[c]]--;
        kinds[member->becomes[c]]++;
    }
    for (uint32_t g = 0; g < group->fold_count; g++) {
        becomes[g] = OUTCOME_SAME;
        if (cell_fold_is_sum(&group->folds[g])) continue;
        int32_t value = state[g];
        for (uint32_t c = 0; c < member->of->cell_count && group->folds[g].op == OP_BIT_XOR; c++) {
            const struct cell_zone *zone = &group->zones[member->of->zone[c]];
            value ^= zone->kinds.items[member->kind[c]].weights[g] ^
                     zone->kinds.items[member->becomes[c]].weights[g];
        }
        if (group->folds[g].op != OP_BIT_XOR) value = totals_of_kinds(totals, g, after);
        if (value != state[g]) becomes[g] = value;
    }
}

/* Whether the cell that a visible index leads to has the outcome whatever kind it can be of. */
static bool all_kinds_do(const struct finder *finder, const int32_t *state,
                         const struct cell_class *class, const struct cell_member *member,
                         const int32_t *becomes) {
    uint32_t z = member->of->zone[0];
    const bool *own = own_kinds(finder->touched, member->of, 0);
    if (member->of->cell_count != 1) return false;
    for (uint32_t k = 0; k < finder->group->zones[z].kinds.count; k++) {
        bool found = !state[finder->totals->first_kind[z] + k] || (own && !own[k]);
        for (uint32_t i = 0; i < class->members.count && !found; i++) {
            const struct cell_member *other = class->members.items[i];
            int32_t others[CELLS_MAX_FOLDS];
            if (other->of != member->of || other->kind[0] != k) continue;
            find_becomes(finder, state, other, others);
            found = !memcmp(others, becomes, finder->group->fold_count * sizeof *others);
        }
        if (!found) return false;
    }
    return true;
}

struct tallies {
    VEC(struct tally *) list;
};

static struct tally *tally_of(struct finder *finder, struct tallies *tallies,
                              const struct cell_class *class, const int32_t *becomes) {
    size_t size = finder->group->fold_count * sizeof *becomes;
    uint32_t values = finder->totals->values.count;
    for (uint32_t i = 0; i < tallies->list.count; i++)
        if (!memcmp(tallies->list.items[i]->outcome.becomes, becomes, size))
            return tallies->list.items[i];
    struct tally *tally = ARENA_NEW(finder->arena, struct tally);
    tally->outcome.class = class;
    memcpy(tally->outcome.becomes, becomes, size);
    tally->may = ARENA_ARRAY(finder->arena, bool, values + 1);
    tally->must = ARENA_ARRAY(finder->arena, bool, values + 1);
    tally->sure_states = ARENA_ARRAY(finder->arena, uint32_t, values + 1);
    VEC_PUSH(finder->arena, &tallies->list, tally);
    return tally;
}

/* Whether every tuple of the state has a member with the outcome, if it has a cell for this one. */
static bool is_sure(const struct finder *finder, const int32_t *state,
                    const struct cell_class *class, const struct cell_member *member,
                    const int32_t *becomes) {
    const struct cell_case *of = member->of;
    if (!of->is_closed) return false;
    if (of->cell_count == 1 && of->is_seen[0])
        return all_kinds_do(finder, state, class, member, becomes);
    for (uint32_t c = 0; c < of->cell_count; c++) {
        const bool *own = own_kinds(finder->touched, of, c);
        uint32_t count = 0;
        if (!of->is_seen[c]) continue;
        for (uint32_t k = 0; own && k < CELLS_MAX_KINDS; k++) count += own[k];
        if (count != 1) return false;
    }
    return true;
}

/* Whether the cells of the process have kinds in the state that they can have there (F15). */
static bool state_is_possible(const struct finder *finder, const int32_t *state,
                              const struct cell_case *of) {
    for (uint32_t c = 0; c < of->cell_count; c++) {
        const bool *own = own_kinds(finder->touched, of, c);
        bool has_one = !own;
        for (uint32_t k = 0; k < finder->group->zones[of->zone[c]].kinds.count; k++)
            has_one |= own && own[k] && state[finder->totals->first_kind[of->zone[c]] + k];
        if (!has_one) return false;
    }
    return true;
}

static void tally_state(struct finder *finder, struct tallies *tallies,
                        const struct cell_class *class, uint32_t s) {
    const int32_t *state = finder->totals->states.items[s];
    uint32_t value = finder->totals->value_of[s];
    for (uint32_t i = 0; i < class->members.count; i++) {
        const struct cell_member *member = class->members.items[i];
        int32_t becomes[CELLS_MAX_FOLDS];
        if (!state_has(finder, state, member)) continue;
        find_becomes(finder, state, member, becomes);
        struct tally *tally = tally_of(finder, tallies, class, becomes);
        tally->may[value] = true;
        if (is_sure(finder, state, class, member, becomes) && tally->sure_at != s + 1) {
            tally->sure_states[value]++;
            tally->sure_at = s + 1;
        }
    }
}

static void find_by_totals(struct finder *finder, const struct cell_class *class) {
    struct tallies tallies = {{0}};
    uint32_t *possible = ARENA_ARRAY(finder->arena, uint32_t, finder->totals->values.count + 1);
    for (uint32_t s = 0; s < finder->totals->states.count; s++) {
        /* the guard of a class says in which zone a cell of the process is: all members agree */
        possible[finder->totals->value_of[s]] +=
            state_is_possible(finder, finder->totals->states.items[s], class->members.items[0]->of);
        if (finder->is_open[s]) tally_state(finder, &tallies, class, s);
    }
    for (uint32_t i = 0; i < tallies.list.count; i++) {
        struct tally *tally = tallies.list.items[i];
        tally->outcome.is_exact = true;
        for (uint32_t v = 0; v < finder->totals->values.count; v++) {
            tally->must[v] = tally->may[v] && tally->sure_states[v] == possible[v];
            assert(tally->may[v] || !tally->must[v]);
            tally->outcome.is_exact &= tally->may[v] == tally->must[v];
        }
        tally->outcome.may = totals_test(finder->totals, tally->may);
        tally->outcome.must = totals_test(finder->totals, tally->must);
        VEC_PUSH(finder->arena, &finder->outcomes->list, tally->outcome);
    }
}

void outcomes_find(const struct touched_edge *touched, const struct member_list *members,
                   const struct counts *counts, const struct totals *totals,
                   struct outcome_list *outcomes) {
    struct finder finder = {.touched = touched,
                            .group = touched->group,
                            .arena = touched->group->context->arena,
                            .counts = counts,
                            .totals = totals,
                            .outcomes = outcomes,
                            .after = ARENA_ARRAY(touched->group->context->arena, int32_t,
                                                 totals ? totals->width + 1 : 1)};
    assert(counts || totals);
    if (counts) finder.quantified = quantified_by_counts(touched, counts);
    if (totals) finder.is_open = ARENA_ARRAY(finder.arena, bool, totals->states.count + 1);
    for (uint32_t s = 0; totals && s < totals->states.count; s++)
        finder.is_open[s] = quantified_holds(touched, totals, totals->states.items[s]);
    for (uint32_t i = 0; i < members->list.count; i++)
        if (own_admits(touched, members->list.items[i]))
            add_to_class(&finder, members->list.items[i]);
    for (uint32_t i = 0; i < finder.classes.count; i++) {
        if (counts)
            find_by_counts(&finder, finder.classes.items[i]);
        else
            find_by_totals(&finder, finder.classes.items[i]);
    }
}
