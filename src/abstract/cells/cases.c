#include "abstract/cells/cases.h"

#include "abstract/cells/kinds.h"
#include "abstract/edge/express.h"
#include "abstract/facts/cells.h"
#include "abstract/facts/range.h"
#include "base/interrupt.h"
#include "expr/build.h"
#include "expr/chain.h"
#include "expr/find.h"
#include "expr/substitute.h"
#include "lang/syntax/walk.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Cases */

/* What is enumerated: listed selects, then the indices that visible expressions stand for. */
struct index_trial {
    const struct touched_edge *touched;
    struct cell_group *group;
    struct arena *arena;
    struct case_list *cases;
    int32_t lower[TOUCHED_MAX_SELECTS + TOUCHED_MAX_TERMS];
    int32_t upper[TOUCHED_MAX_SELECTS + TOUCHED_MAX_TERMS];
    int32_t value[TOUCHED_MAX_SELECTS + TOUCHED_MAX_TERMS];
    bool is_tried[TOUCHED_MAX_SELECTS + TOUCHED_MAX_TERMS];
    uint32_t select_count, count;
    uint32_t trials;
    bool is_bijective; /* each way to touch cells comes once */
    bool has_conditions;
    const char *why_not;
};

static const struct expr *put_selects(const struct index_trial *trial, struct arena *arena,
                                      const struct expr *expr) {
    const struct edge *edge = trial->touched->edge;
    for (uint32_t s = 0; s < trial->select_count; s++)
        if (trial->is_tried[s])
            expr =
                expr_substitute(arena, expr, edge->selects[s], build_int(arena, trial->value[s]));
    return expr;
}

static bool conditions_hold(struct index_trial *trial) {
    const struct touched_edge *touched = trial->touched;
    struct arena scratch;
    bool holds = true;
    if (!trial->has_conditions) return true;
    arena_init(&scratch);
    for (uint32_t i = 0; i < touched->conjuncts.count && holds; i++) {
        const struct cell_conjunct *conjunct = &touched->conjuncts.items[i];
        int32_t value = 1;
        if (conjunct->kind != CONJUNCT_OF_SELECTS) continue;
        if (!closed_value(trial->group->context, put_selects(trial, &scratch, conjunct->expr),
                          &value))
            trial->why_not = "a condition on selects cannot be computed";
        holds = value != 0;
    }
    arena_close(&scratch);
    return holds;
}

/* The value of one index of a term with what is tried. */
static bool index_value(struct index_trial *trial, uint32_t t, uint32_t d, int64_t *value) {
    const struct cell_term *term = &trial->touched->terms[t];
    assert(t < trial->touched->term_count && d < trial->group->dimension_count);
    const struct edge *edge = trial->touched->edge;
    const struct expr *index = term->index[d];
    if (index->kind == EXPR_NAME)
        for (uint32_t s = 0; s < trial->select_count; s++)
            if (edge->selects[s] == index->symbol) {
                *value = trial->value[s];
                return trial->is_tried[s];
            }
    if (term->seen || term->is_pointed) {
        *value = trial->value[trial->select_count + t];
        return true;
    }
    if (constant_value(trial->group->context, index, value)) return true;
    struct arena scratch;
    int32_t found;
    arena_init(&scratch);
    bool ok = closed_value(trial->group->context, put_selects(trial, &scratch, index), &found);
    arena_close(&scratch);
    *value = found;
    return ok;
}

static bool case_is_same(const struct index_trial *trial, const struct cell_case *left,
                         const struct cell_case *right) {
    uint32_t terms = trial->touched->term_count;
    return left->cell_count == right->cell_count &&
           !memcmp(left->cell_of, right->cell_of, terms * sizeof *left->cell_of) &&
           !memcmp(left->zone, right->zone, left->cell_count * sizeof *left->zone) &&
           !memcmp(left->values, right->values, sizeof left->values) &&
           !memcmp(left->others, right->others, sizeof left->others);
}

/* What other merges become with what is tried. */
static bool find_others(struct index_trial *trial, struct cell_case *of) {
    const struct touched_edge *touched = trial->touched;
    struct arena scratch;
    uint32_t count = 0;
    bool ok = true;
    arena_init(&scratch);
    for (uint32_t i = 0; i < touched->items.count && ok; i++) {
        if (!touched->items.items[i].is_by_case) continue;
        assert(count < TOUCHED_MAX_VALUES);
        ok = closed_value(trial->group->context,
                          put_selects(trial, &scratch, touched->items.items[i].expr->child[1]),
                          &of->others[count++]);
    }
    arena_close(&scratch);
    return ok;
}

static void note_pair(const struct index_trial *trial, struct cell_case *of,
                      const uint32_t *positions) {
    uint32_t size = trial->group->position_count;
    if (of->cell_count != 2 || (uint64_t)size * size > CASES_MAX_PAIRS) return;
    if (!of->pairs) of->pairs = ARENA_ARRAY(trial->arena, bool, size *size);
    of->pairs[positions[0] * size + positions[1]] = true;
}

static void note_case(struct index_trial *trial) {
    const struct touched_edge *touched = trial->touched;
    struct cell_case found = {.count = 1};
    uint32_t positions[TOUCHED_MAX_TERMS];
    for (uint32_t t = 0; t < touched->term_count; t++) {
        int64_t index[CELLS_MAX_DIMENSIONS];
        uint32_t at, c = 0;
        for (uint32_t d = 0; d < trial->group->dimension_count; d++)
            if (!index_value(trial, t, d, &index[d])) {
                trial->why_not = "an index cannot be computed";
                return;
            }
        if (!cell_position(trial->group, index, &at)) {
            trial->why_not = "an index may lie outside the array";
            return;
        }
        while (c < found.cell_count && positions[c] != at) c++;
        if (c == found.cell_count) {
            positions[found.cell_count++] = at;
            found.zone[c] = trial->group->zone_of[at];
        }
        found.cell_of[t] = c;
        found.is_seen[c] |= touched->terms[t].seen != NULL;
    }
    for (uint32_t s = 0; s < trial->select_count; s++)
        if (touched->is_listed[s] && touched->is_data[s]) found.values[s] = trial->value[s];
    if (!find_others(trial, &found)) {
        trial->why_not = "what another merge becomes cannot be computed";
        return;
    }
    struct case_list *cases = trial->cases;
    for (uint32_t i = 0; i < cases->list.count; i++)
        if (case_is_same(trial, cases->list.items[i], &found)) {
            cases->list.items[i]->count++;
            note_pair(trial, cases->list.items[i], positions);
            return;
        }
    if (cases->list.count == CASES_MAX) {
        trial->why_not = "there are too many cases";
        return;
    }
    assert(found.cell_count <= touched->term_count);
    struct cell_case *copy = ARENA_NEW(trial->arena, struct cell_case);
    *copy = found;
    note_pair(trial, copy, positions);
    VEC_PUSH(trial->arena, &cases->list, copy);
}

static void go_through(struct index_trial *trial, uint32_t from) {
    if (trial->why_not) return;
    if (from == trial->count) {
        if (trial->trials++ == CASES_MAX_TRIALS || interrupt_is_asked())
            trial->why_not = "there are too many values of selects";
        else if (conditions_hold(trial))
            note_case(trial);
        return;
    }
    if (!trial->is_tried[from]) {
        go_through(trial, from + 1);
        return;
    }
    for (int64_t v = trial->lower[from]; v <= trial->upper[from] && !trial->why_not; v++) {
        trial->value[from] = (int32_t)v;
        go_through(trial, from + 1);
    }
}

static bool start(struct index_trial *trial) {
    const struct touched_edge *touched = trial->touched;
    struct context *context = trial->group->context;
    trial->select_count = touched->edge->select_count;
    trial->count = trial->select_count + touched->term_count;
    assert(trial->count <= TOUCHED_MAX_SELECTS + TOUCHED_MAX_TERMS); /* or it was refused */
    trial->is_bijective = true;
    for (uint32_t s = 0; s < trial->select_count; s++) {
        if (!touched->is_listed[s]) continue;
        const struct shape *shape = context_shape(context, touched->edge->selects[s]->type);
        if (!shape || shape->kind != SHAPE_CELL || shape->is_scalar) return false;
        trial->is_tried[s] = true;
        trial->lower[s] = shape->lower;
        trial->upper[s] = shape->upper;
    }
    for (uint32_t t = 0; t < touched->term_count; t++) {
        const struct cell_term *term = &touched->terms[t];
        bool is_select = false;
        for (uint32_t s = 0; term->seen && s < trial->select_count; s++)
            is_select |=
                term->seen->kind == EXPR_NAME && term->seen->symbol == touched->edge->selects[s];
        uint32_t at = trial->select_count + t;
        trial->is_tried[at] = (term->seen && !is_select) || term->is_pointed;
        trial->lower[at] = trial->group->lower[0];
        trial->upper[at] = trial->group->lower[0] + (int32_t)trial->group->size[0] - 1;
        if (term->is_pointed) {
            trial->lower[at] = trial->group->pointer->shape->lower;
            trial->upper[at] = trial->group->pointer->shape->upper;
        }
        for (uint32_t d = 0; d < trial->group->dimension_count; d++) {
            int64_t value;
            trial->is_bijective &= term->index[d]->kind == EXPR_NAME || term->seen ||
                                   constant_value(context, term->index[d], &value);
        }
    }
    for (uint32_t i = 0; i < touched->conjuncts.count; i++)
        trial->has_conditions |= touched->conjuncts.items[i].kind == CONJUNCT_OF_SELECTS;
    return true;
}

bool cases_find(const struct touched_edge *touched, struct case_list *cases) {
    struct index_trial trial = {.touched = touched,
                                .group = touched->group,
                                .arena = touched->group->context->arena,
                                .cases = cases};
    assert(!touched->deal && !cases->list.count);
    if (!start(&trial)) trial.why_not = "the range of a select cannot be computed";
    go_through(&trial, 0);
    for (uint32_t i = 0; i < cases->list.count; i++) {
        struct cell_case *of = cases->list.items[i];
        uint64_t all = 1;
        uint32_t used[CELLS_MAX_ZONES] = {0};
        for (uint32_t c = 0; c < of->cell_count; c++)
            all *= touched->group->zones[of->zone[c]].size - used[of->zone[c]]++;
        assert(!trial.is_bijective || of->count <= all || trial.why_not);
        of->is_closed = trial.is_bijective && of->count == all;
    }
    if (trial.why_not)
        cell_group_refuse(touched->group, touched->edge->xml->element->at, "%s", trial.why_not);
    return !trial.why_not;
}

/* Members */

struct evaluation {
    const struct touched_edge *touched;
    struct cell_group *group;
    struct arena *arena;
    const struct cell_case *of;
    struct cell_member *member;
    const struct expr *now[TOUCHED_MAX_TERMS][CELLS_MAX_FIELDS]; /* by cell, field */
    const char *why_not;
};

enum run_end { RUN_GOES_ON, RUN_FAILS, RUN_UNCLEAR };

static const struct expr *constant_of(struct arena *arena, const struct cell_field *field,
                                      int32_t value) {
    assert(value >= field->lower && value <= field->upper);
    return field->is_bool ? build_bool(arena, value != 0) : build_int(arena, value);
}

/* The expression with what is known put in. */
static const struct expr *put_in(struct evaluation *run, const struct expr *expr) {
    const struct touched_edge *touched = run->touched;
    for (uint32_t s = 0; s < touched->edge->select_count; s++)
        if (touched->is_listed[s] && touched->is_data[s])
            expr = expr_substitute(run->arena, expr, touched->edge->selects[s],
                                   build_int(run->arena, run->of->values[s]));
    for (uint32_t t = 0; t < touched->term_count; t++)
        for (uint32_t f = 0; f < run->group->fields.count; f++)
            expr = expr_substitute(run->arena, expr, touched->terms[t].placeholders[f],
                                   run->now[run->of->cell_of[t]][f]);
    return expr;
}

/* A name that has no value where there is no edge. */
static bool is_open(const void *context, const struct expr *expr) {
    (void)context;
    return expr->kind == EXPR_NAME && expr->symbol &&
           (expr->symbol->kind == SYMBOL_SELECT || expr->symbol->kind == SYMBOL_PARAMETER);
}

static bool is_variable(const void *context, const struct expr *expr) {
    (void)context;
    return expr->kind == EXPR_CALL ||
           (expr->kind == EXPR_NAME && expr->symbol && !expr->symbol->has_value);
}

/* A constant in place of what names no variable; RUN_FAILS if computing it does. */
static enum run_end settle(struct evaluation *run, const struct expr **expr) {
    int64_t constant;
    int32_t value;
    if (expr_is_constant(*expr, &constant)) return RUN_GOES_ON;
    if (!expr_any(*expr, is_open, NULL) && closed_value(run->group->context, *expr, &value)) {
        *expr = build_int(run->arena, value);
        return RUN_GOES_ON;
    }
    if (!expr_any(*expr, is_variable, NULL)) return RUN_FAILS;
    if (!expr_can_fault(*expr)) return RUN_GOES_ON;
    run->why_not = "a part that reads cells and visible variables may fail";
    return RUN_UNCLEAR;
}

static enum run_end hold_guard(struct evaluation *run) {
    for (uint32_t i = 0; i < run->touched->conjuncts.count; i++) {
        const struct cell_conjunct *conjunct = &run->touched->conjuncts.items[i];
        if (conjunct->kind != CONJUNCT_OF_CELLS) continue;
        const struct expr *expr = put_in(run, conjunct->expr);
        enum run_end outcome = settle(run, &expr);
        if (outcome != RUN_GOES_ON) return outcome;
        if (expr_is_false(expr)) return RUN_FAILS;
        if (!expr_is_true(expr))
            run->member->guard = build_and(run->arena, run->member->guard, expr);
    }
    return RUN_GOES_ON;
}

/* What a cell gets must fit its type (F2). */
static enum run_end write_cell(struct evaluation *run, const struct cell_item *item) {
    const struct cell_field *field = &run->group->fields.items[item->field];
    assert(item->field < run->group->fields.count && item->term < run->touched->term_count);
    const struct expr *value = put_in(run, item->expr);
    enum run_end outcome = settle(run, &value);
    int64_t constant;
    if (outcome != RUN_GOES_ON) return outcome;
    if (expr_is_constant(value, &constant)) {
        if (field->is_bool) constant = constant != 0;
        if (constant < field->lower || constant > field->upper) return RUN_FAILS;
        value = constant_of(run->arena, field, (int32_t)constant);
    } else if (field->is_bool && !expr_is_boolean(value)) {
        run->why_not = "a bool cell gets a number that depends on what is visible";
        return RUN_UNCLEAR;
    } else {
        const struct expr *condition =
            range_condition(run->group->context, NULL, value, field->placeholder->type);
        run->member->guard = build_and(run->arena, run->member->guard, condition);
    }
    run->now[run->of->cell_of[item->term]][item->field] = value;
    return RUN_GOES_ON;
}

/* What another merge becomes in the case. */
static const struct expr *other_becomes(const struct evaluation *run, const struct cell_item *item,
                                        int32_t value) {
    const struct expr *target = item->expr->child[0];
    bool is_bool = type_strip(target->symbol->type)->kind == TYPE_BOOL;
    return build_assignment(run->arena, target,
                            is_bool ? build_bool(run->arena, value != 0)
                                    : build_int(run->arena, value));
}

static enum run_end update(struct evaluation *run) {
    uint32_t others = 0;
    for (uint32_t i = 0; i < run->touched->items.count; i++) {
        const struct cell_item *item = &run->touched->items.items[i];
        if (item->kind == ITEM_DROPPED || item->kind == ITEM_GIFT) continue;
        if (item->is_by_case) {
            run->member->items[i] = other_becomes(run, item, run->of->others[others++]);
            continue;
        }
        if (item->kind == ITEM_WRITE) {
            enum run_end outcome = write_cell(run, item);
            if (outcome != RUN_GOES_ON) return outcome;
            continue;
        }
        run->member->items[i] = item->expr;
        if (item->expr == item->original) continue;
        const struct expr *value = put_in(run, item->expr->child[1]);
        enum run_end outcome = settle(run, &value);
        if (outcome != RUN_GOES_ON) return outcome;
        struct expr *copy = build_copy(run->arena, item->expr);
        copy->child[1] = (struct expr *)value;
        run->member->items[i] = copy;
    }
    return RUN_GOES_ON;
}

/* Adds all kinds that a cell may become, where it depends on what is visible. */
static bool add_kinds(struct evaluation *run, uint32_t c, uint32_t field, int32_t *values) {
    struct cell_group *group = run->group;
    if (field == group->fields.count) return cell_zone_add(group, run->of->zone[c], values);
    const struct cell_field *of = &group->fields.items[field];
    int64_t constant;
    bool is_constant = expr_is_constant(run->now[c][field], &constant);
    int64_t low = is_constant ? constant : of->lower, high = is_constant ? constant : of->upper;
    if (high - low >= CELLS_MAX_KINDS) return false;
    for (int64_t v = low; v <= high; v++) {
        values[field] = (int32_t)v;
        if (!add_kinds(run, c, field + 1, values)) return false;
    }
    return true;
}

static bool find_becomes(struct evaluation *run) {
    struct cell_group *group = run->group;
    for (uint32_t c = 0; c < run->of->cell_count; c++) {
        int32_t values[CELLS_MAX_FIELDS] = {0};
        bool is_known = true;
        for (uint32_t f = 0; f < group->fields.count; f++) {
            int64_t constant;
            is_known &= expr_is_constant(run->now[c][f], &constant);
            run->member->becomes_values[c][f] = run->now[c][f];
        }
        if (!add_kinds(run, c, 0, values)) {
            run->why_not = "cells may have too many values";
            return false;
        }
        run->member->becomes[c] = NO_SLOT;
        const struct cell_zone *zone = &group->zones[run->of->zone[c]];
        for (uint32_t k = 0; is_known && k < zone->kinds.count; k++)
            if (!memcmp(zone->kinds.items[k].values, values, group->fields.count * sizeof *values))
                run->member->becomes[c] = k;
        assert(!is_known || run->member->becomes[c] != NO_SLOT); /* it has just been added */
    }
    return true;
}

/* Whether the pointer would lead to more than one cell. */
static bool leads_to_more(const struct evaluation *run) {
    uint32_t count = 0;
    for (uint32_t c = 0; c < run->of->cell_count; c++)
        count += cell_kind_is_pointed(
            run->group, &run->group->zones[run->of->zone[c]].kinds.items[run->member->kind[c]]);
    return count > 1;
}

static bool add_member(struct evaluation *run, const uint32_t *kind, struct member_list *members) {
    struct cell_group *group = run->group;
    run->member = ARENA_NEW(run->arena, struct cell_member);
    run->member->of = run->of;
    run->member->items =
        ARENA_ARRAY(run->arena, const struct expr *, run->touched->items.count + 1);
    for (uint32_t c = 0; c < run->of->cell_count; c++) {
        run->member->kind[c] = kind[c];
        assert(kind[c] < group->zones[run->of->zone[c]].kinds.count);
        for (uint32_t f = 0; f < group->fields.count; f++)
            run->now[c][f] =
                constant_of(run->arena, &group->fields.items[f],
                            group->zones[run->of->zone[c]].kinds.items[kind[c]].values[f]);
    }
    enum run_end outcome = leads_to_more(run) ? RUN_FAILS : hold_guard(run);
    if (outcome == RUN_GOES_ON) outcome = update(run);
    if (outcome == RUN_GOES_ON && !find_becomes(run)) outcome = RUN_UNCLEAR;
    if (outcome == RUN_GOES_ON) VEC_PUSH(run->arena, &members->list, run->member);
    if (members->list.count > CASES_MAX_MEMBERS || interrupt_is_asked()) {
        run->why_not = "there are too many combinations of kinds";
        return false;
    }
    return outcome != RUN_UNCLEAR;
}

/* is_new: some cell before has a kind that was not looked at. */
static bool add_members(struct evaluation *run, uint32_t c, bool is_new, uint32_t *kind,
                        const uint32_t *counts, struct member_list *members) {
    if (c == run->of->cell_count) return !is_new || add_member(run, kind, members);
    for (kind[c] = 0; kind[c] < counts[c]; kind[c]++)
        if (!add_members(run, c + 1, is_new || kind[c] >= run->of->tried[c], kind, counts, members))
            return false;
    return true;
}

bool members_find(const struct touched_edge *touched, const struct case_list *cases,
                  struct member_list *members) {
    for (uint32_t i = 0; i < cases->list.count; i++) {
        struct cell_case *own = cases->list.items[i];
        struct evaluation run = {.touched = touched,
                                 .group = touched->group,
                                 .arena = touched->group->context->arena,
                                 .of = own};
        uint32_t kind[TOUCHED_MAX_TERMS] = {0}, counts[TOUCHED_MAX_TERMS];
        for (uint32_t c = 0; c < own->cell_count; c++)
            counts[c] = run.group->zones[own->zone[c]].kinds.count;
        if (!add_members(&run, 0, !own->is_tried, kind, counts, members))
            return cell_group_refuse(touched->group, touched->edge->xml->element->at, "%s",
                                     run.why_not);
        memcpy(own->tried, counts, own->cell_count * sizeof *counts);
        own->is_tried = true;
        own->number = i;
    }
    return true;
}

static int compare_members(const void *left, const void *right) {
    const struct cell_member *a = *(struct cell_member *const *)left;
    const struct cell_member *b = *(struct cell_member *const *)right;
    if (a->of != b->of) return a->of->number < b->of->number ? -1 : 1;
    for (uint32_t c = 0; c < a->of->cell_count; c++)
        if (a->kind[c] != b->kind[c]) return a->kind[c] < b->kind[c] ? -1 : 1;
    return 0;
}

void members_sort(struct member_list *members) {
    if (members->list.count)
        qsort(members->list.items, members->list.count, sizeof *members->list.items,
              compare_members);
}
