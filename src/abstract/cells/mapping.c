#include "abstract/cells/mapping.h"

#include "abstract/cells/kinds.h"
#include "abstract/edge/express.h"
#include "abstract/facts/cells.h"
#include "expr/build.h"
#include "expr/find.h"
#include "expr/substitute.h"
#include "lang/syntax/walk.h"

#include <assert.h>

/* One assignment to a cell, over the placeholders of the group, which stand for what it holds
 * then. */
struct map_step {
    const struct expr *condition; /* NULL = always */
    uint32_t field;
    const struct expr *value;
};

struct map_steps {
    VEC(struct map_step) list;
};

struct cell_mapping {
    struct map_steps *of; /* by position */
    VEC(const struct expr *) items;
};

struct mapping_reader {
    struct cell_group *group;
    struct arena *arena;
    struct cell_mapping *mapping;
    uint32_t left; /* steps */
};

/* A loop variable and its value now. */
struct known {
    const struct symbol *symbol;
    int64_t value;
    const struct known *outer;
};

static const struct expr *put_known(struct arena *arena, const struct expr *expr,
                                    const struct known *known) {
    for (; known; known = known->outer)
        expr = expr_substitute(arena, expr, known->symbol, build_int(arena, known->value));
    return expr;
}

/* A name that is neither a constant of the model nor a cell. */
static bool is_foreign(const void *context, const struct expr *expr) {
    const struct cell_group *group = context;
    const struct symbol *symbol = expr->symbol;
    if (expr->kind != EXPR_NAME || !symbol || symbol->has_value) return false;
    for (uint32_t f = 0; f < group->fields.count; f++)
        if (group->fields.items[f].placeholder == symbol) return false;
    return symbol->kind != SYMBOL_VARIABLE || symbol->scope != SCOPE_GLOBAL ||
           !symbol->is_compile_time;
}

/* The expression over placeholders, if it reads the cell at a position and no other, and otherwise
 * constants; NULL if not. */
static const struct expr *over_cell(struct mapping_reader *reader, const struct expr *expr,
                                    const struct known *known, uint32_t place) {
    uint32_t found = place;
    expr = cell_over_record(reader->group, put_known(reader->arena, expr, known), &found);
    return expr && !expr_any(expr, is_foreign, reader->group) ? expr : NULL;
}

static bool add_step(struct mapping_reader *reader, const struct expr *target,
                     const struct expr *value, const struct known *known,
                     const struct expr *condition) {
    struct cell_group *group = reader->group;
    struct record_path path;
    int64_t index[CELLS_MAX_DIMENSIONS];
    uint32_t place;
    if (!reader->left || !record_path_parse(group, put_known(reader->arena, target, known), &path))
        return false;
    reader->left--;
    for (uint32_t d = 0; d < group->dimension_count; d++)
        if (!constant_value(group->context, path.index[d], &index[d])) return false;
    if (!cell_position(group, index, &place)) return false;
    assert(place < group->position_count && path.field < group->fields.count);
    struct map_step step = {.field = path.field, .value = over_cell(reader, value, known, place)};
    if (condition) step.condition = over_cell(reader, condition, known, place);
    if (!step.value || (condition && !step.condition)) return false;
    VEC_PUSH(reader->arena, &reader->mapping->of[place].list, step);
    return true;
}

static bool read_assignment(struct mapping_reader *reader, const struct expr *expr,
                            const struct known *known, const struct expr *condition) {
    if (!expr_assigns(expr)) return false;
    const struct symbol *root = expr_root(expr->child[0]);
    if (!root || !cell_group_has(reader->group, root)) return false;
    struct arena *arena = reader->arena;
    const struct expr *value = expr->child[1];
    if (expr->kind == EXPR_STEP) {
        bool is_up = expr->op == OP_PRE_INC || expr->op == OP_POST_INC;
        value = build_binary(arena, is_up ? OP_ADD : OP_SUB, expr->child[0], build_int(arena, 1));
    } else if (expr_has_effect(value)) {
        return false;
    } else if (expr->op != OP_ASSIGN) {
        value = build_binary(arena, op_of_assignment(expr->op), expr->child[0], value);
    }
    return add_step(reader, expr->child[0], value, known, condition);
}

/* Functions */

static bool run(struct mapping_reader *reader, const struct statement *statement,
                const struct known *known);

/* if (condition) assignment; */
static bool run_if(struct mapping_reader *reader, const struct statement *statement,
                   const struct known *known) {
    const struct statement *body = statement->body;
    const struct expr *condition =
        statement->condition.count == 1 ? statement->condition.items[0] : NULL;
    if (body->kind == STATEMENT_BLOCK && body->statement_count == 1 && !body->declaration_count)
        body = body->statements[0];
    if (!condition || expr_has_effect(condition) || statement->other ||
        body->kind != STATEMENT_EXPR)
        return false;
    return read_assignment(reader, body->expr, known, condition);
}

static bool run_rounds(struct mapping_reader *reader, const struct statement *body,
                       const struct symbol *symbol, int64_t first, int64_t last,
                       const struct known *outer) {
    struct known known = {symbol, first, outer};
    for (; known.value <= last; known.value++) {
        if (!reader->left) return false;
        reader->left--;
        if (!run(reader, body, &known)) return false;
    }
    return true;
}

static bool is_name_of(const struct expr *expr, const struct symbol *symbol) {
    return expr->kind == EXPR_NAME && expr->symbol == symbol;
}

static bool is_counting(const struct known *known, const struct symbol *symbol) {
    while (known && known->symbol != symbol) known = known->outer;
    return known != NULL;
}

/* for (i = 0; i < N; i++) with a variable of the function, which no loop around this one counts
 * by. */
static bool run_for(struct mapping_reader *reader, const struct statement *statement,
                    const struct known *known) {
    if (statement->first.count != 1 || statement->condition.count != 1 ||
        statement->step.count != 1)
        return false;
    const struct expr *first = statement->first.items[0], *step = statement->step.items[0];
    const struct expr *condition = statement->condition.items[0];
    int64_t from, to;
    if (first->kind != EXPR_ASSIGN || first->op != OP_ASSIGN ||
        first->child[0]->kind != EXPR_NAME || !first->child[0]->symbol)
        return false;
    const struct symbol *symbol = first->child[0]->symbol;
    bool is_counter = symbol->scope == SCOPE_FRAME && symbol->kind == SYMBOL_VARIABLE &&
                      step->kind == EXPR_STEP && is_name_of(step->child[0], symbol) &&
                      (step->op == OP_PRE_INC || step->op == OP_POST_INC) &&
                      condition->kind == EXPR_BINARY &&
                      (condition->op == OP_LT || condition->op == OP_LE) &&
                      is_name_of(condition->child[0], symbol);
    if (!is_counter || is_counting(known, symbol) ||
        !constant_value(reader->group->context, first->child[1], &from) ||
        !constant_value(reader->group->context, condition->child[1], &to))
        return false;
    const struct shape *shape = context_shape(reader->group->context, symbol->type);
    if (condition->op == OP_LT) to--;
    return shape && shape->kind == SHAPE_CELL && from >= shape->lower && from <= shape->upper &&
           to + 1 <= shape->upper && run_rounds(reader, statement->body, symbol, from, to, known);
}

static bool run_iterate(struct mapping_reader *reader, const struct statement *statement,
                        const struct known *known) {
    const struct shape *range = context_shape(reader->group->context, statement->bound->type);
    return range && range->kind == SHAPE_CELL && !range->is_scalar &&
           run_rounds(reader, statement->body, statement->bound, range->lower, range->upper, known);
}

/* Variables that are declared without a value. */
static bool is_plain(const struct statement *block) {
    for (uint32_t i = 0; i < block->declaration_count; i++) {
        const struct declaration *declaration = block->declarations[i];
        if (declaration->kind != DECLARATION_VARIABLES) return false;
        for (uint32_t k = 0; k < declaration->declarator_count; k++)
            if (declaration->declarators[k].symbol->initialiser) return false;
    }
    return true;
}

static bool run(struct mapping_reader *reader, const struct statement *statement,
                const struct known *known) {
    switch (statement->kind) {
    case STATEMENT_EMPTY: return true;
    case STATEMENT_EXPR: return read_assignment(reader, statement->expr, known, NULL);
    case STATEMENT_IF: return run_if(reader, statement, known);
    case STATEMENT_ITERATE: return run_iterate(reader, statement, known);
    case STATEMENT_FOR: return run_for(reader, statement, known);
    case STATEMENT_BLOCK:
        for (uint32_t i = 0; i < statement->statement_count; i++)
            if (!run(reader, statement->statements[i], known)) return false;
        return is_plain(statement);
    default: return false;
    }
}

static bool read_call(struct mapping_reader *reader, const struct expr *call) {
    const struct function *function = call->symbol ? call->symbol->function : NULL;
    return function && function->body && !call->argument_count && run(reader, function->body, NULL);
}

/* Edges */

const struct cell_mapping *mapping_read(struct cell_group *group, const struct edge *edge,
                                        uint32_t most) {
    struct arena *arena = group->context->arena;
    struct cell_mapping *mapping = ARENA_NEW(arena, struct cell_mapping);
    struct mapping_reader reader = {group, arena, mapping, MAPPING_MAX_STEPS};
    uint32_t calls = 0, places = 0;
    mapping->of = ARENA_ARRAY(arena, struct map_steps, group->position_count + 1);
    for (uint32_t i = 0; i < edge->updates.count; i++) {
        const struct expr *item = edge->updates.items[i];
        const struct symbol *root = expr_assigns(item) ? expr_root(item->child[0]) : NULL;
        bool is_call = item->kind == EXPR_CALL && expr_has_effect(item);
        if (!is_call && !(root && cell_group_has(group, root))) continue;
        bool ok = is_call ? read_call(&reader, item) : read_assignment(&reader, item, NULL, NULL);
        if (ok) VEC_PUSH(arena, &mapping->items, item);
        if (!ok && !is_call) return NULL;
        calls += ok && is_call;
    }
    for (uint32_t p = 0; p < group->position_count; p++) places += mapping->of[p].list.count > 0;
    return places && (calls || places > most) ? mapping : NULL;
}

bool mapping_has(const struct cell_mapping *mapping, const struct expr *item) {
    bool found = false;
    for (uint32_t i = 0; i < mapping->items.count; i++) found |= mapping->items.items[i] == item;
    return found;
}

bool mapping_replaces(const struct cell_group *group, const struct cell_mapping *mapping) {
    bool ok = true;
    for (uint32_t p = 0; p < group->position_count && ok; p++) {
        bool is_given[CELLS_MAX_FIELDS] = {false};
        for (uint32_t i = 0; i < mapping->of[p].list.count && ok; i++) {
            const struct map_step *step = &mapping->of[p].list.items[i];
            const struct cell_field *field = &group->fields.items[step->field];
            int32_t value;
            ok = !step->condition && closed_value(group->context, step->value, &value) &&
                 (field->is_bool || (value >= field->lower && value <= field->upper));
            is_given[step->field] = true;
        }
        for (uint32_t f = 0; f < group->fields.count; f++) ok &= is_given[f];
    }
    return ok;
}

static bool steps_are_same(const struct map_steps *left, const struct map_steps *right) {
    bool same = left->list.count == right->list.count;
    for (uint32_t i = 0; i < left->list.count && same; i++) {
        const struct map_step *one = &left->list.items[i], *other = &right->list.items[i];
        same = one->field == other->field && expr_equal(one->value, other->value) &&
               !one->condition == !other->condition &&
               (!one->condition || expr_equal(one->condition, other->condition));
    }
    return same;
}

bool mapping_split(struct cell_group *group, const struct cell_mapping *mapping) {
    struct arena *arena = group->context->arena;
    bool *is_in = ARENA_ARRAY(arena, bool, group->position_count + 1);
    bool *is_done = ARENA_ARRAY(arena, bool, group->position_count + 1);
    for (uint32_t p = 0; p < group->position_count; p++) {
        if (is_done[p]) continue;
        for (uint32_t q = 0; q < group->position_count; q++) {
            is_in[q] = q >= p && steps_are_same(&mapping->of[p], &mapping->of[q]);
            is_done[q] |= is_in[q];
        }
        if (!cell_group_split(group, is_in)) return false;
    }
    return true;
}

/* What a cell of a zone becomes; false if it cannot be computed, or does not fit. */
static bool map_kind(const struct cell_group *group, const struct cell_mapping *mapping,
                     uint32_t zone, const int32_t *kind, int32_t *values) {
    assert(zone < group->zone_count);
    uint32_t p = 0;
    bool ok = true;
    struct arena scratch;
    arena_init(&scratch);
    while (group->zone_of[p] != zone) p++;
    memcpy(values, kind, group->fields.count * sizeof *values);
    for (uint32_t i = 0; i < mapping->of[p].list.count && ok; i++) {
        const struct map_step *step = &mapping->of[p].list.items[i];
        const struct expr *value = step->value, *condition = step->condition;
        int32_t holds = 1, now = 0;
        for (uint32_t f = 0; f < group->fields.count; f++) {
            const struct expr *old = group->fields.items[f].is_bool
                                         ? build_bool(&scratch, values[f] != 0)
                                         : build_int(&scratch, values[f]);
            const struct symbol *placeholder = group->fields.items[f].placeholder;
            value = expr_substitute(&scratch, value, placeholder, old);
            if (condition) condition = expr_substitute(&scratch, condition, placeholder, old);
        }
        const struct cell_field *field = &group->fields.items[step->field];
        ok = (!condition || closed_value(group->context, condition, &holds)) &&
             (!holds || closed_value(group->context, value, &now));
        if (!ok || !holds) continue;
        if (field->is_bool) now = now != 0;
        ok = now >= field->lower && now <= field->upper;
        values[step->field] = now;
    }
    arena_close(&scratch);
    return ok;
}

bool mapping_add_kinds(struct cell_group *group, const struct cell_mapping *mapping) {
    for (uint32_t z = 0; z < group->zone_count; z++)
        for (uint32_t k = 0; k < group->zones[z].kinds.count; k++) { /* new ones, too */
            int32_t values[CELLS_MAX_FIELDS] = {0};
            const char *why = NULL;
            if (!map_kind(group, mapping, z, group->zones[z].kinds.items[k].values, values))
                why = "what a cell gets may not fit, or depends on more than the cell";
            else if (!cell_zone_add(group, z, values))
                why = "cells may have too many values";
            if (!why) continue;
            return cell_group_refuse(group, mapping->items.items[0]->span.begin, "%s", why);
        }
    return true;
}

/* Merged values */

struct changer {
    const struct cell_group *group;
    const struct cell_mapping *mapping;
    uint32_t images[CELLS_MAX_ZONES][CELLS_MAX_KINDS]; /* by kind: what it becomes */
};

static void find_images(struct changer *changer) {
    const struct cell_group *group = changer->group;
    for (uint32_t z = 0; z < group->zone_count; z++) {
        const struct cell_zone *zone = &group->zones[z];
        for (uint32_t k = 0; k < zone->kinds.count; k++) {
            int32_t values[CELLS_MAX_FIELDS] = {0};
            uint32_t image = 0;
            bool ok = map_kind(group, changer->mapping, z, zone->kinds.items[k].values, values);
            assert(ok); /* or it was refused */
            (void)ok;
            while (memcmp(zone->kinds.items[image].values, values,
                          group->fields.count * sizeof *values))
                image++;
            assert(image < zone->kinds.count);
            changer->images[z][k] = image;
        }
    }
}

static int32_t image_weight(const struct changer *changer, uint32_t zone, uint32_t kind,
                            uint32_t fold) {
    const struct cell_zone *of = &changer->group->zones[zone];
    return of->kinds.items[changer->images[zone][kind]].weights[fold];
}

/* If all cells of a zone get the same weight. */
static bool find_constant(const struct changer *changer, uint32_t fold, int32_t *total) {
    const struct cell_group *group = changer->group;
    const struct cell_fold *of = &group->folds[fold];
    bool has_cell = of->has_base || cell_fold_is_sum(of);
    *total = of->base;
    for (uint32_t z = 0; z < group->zone_count; z++) {
        if (!group->zones[z].operands[fold]) continue;
        int32_t weight = image_weight(changer, z, 0, fold);
        for (uint32_t k = 1; k < group->zones[z].kinds.count; k++)
            if (image_weight(changer, z, k, fold) != weight) return false;
        for (uint32_t i = 0; i < group->zones[z].size; i++) {
            *total = has_cell ? cell_join(of->op, *total, weight) : weight;
            has_cell = true;
        }
    }
    return true;
}

/* constant + sum of weights[g] * merged value g; false if classes of equal weights are torn apart,
 * or it might not fit. */
static bool find_form(const struct changer *changer, const struct counts *counts, uint32_t fold,
                      struct count_form *form) {
    const struct cell_group *group = changer->group;
    int32_t weights[CELLS_MAX_KINDS];
    *form = (struct count_form){.constant = group->folds[fold].base, .divisor = 1};
    for (uint32_t z = 0; z < group->zone_count; z++) {
        if (!group->zones[z].operands[fold]) continue;
        for (uint32_t a = 0; a < counts->atom_count[z]; a++) {
            bool is_known = false;
            for (uint32_t k = 0; k < group->zones[z].kinds.count; k++) {
                int32_t weight = image_weight(changer, z, k, fold);
                if (counts->atom_of[z][k] != a) continue;
                if (is_known && weights[a] != weight) return false;
                weights[a] = weight, is_known = true;
            }
        }
        if (!counts_weigh(counts, z, weights, form)) return false;
    }
    return true;
}

/* Assignments in an order in which none reads what one before it has written; false if there is no
 * such order. */
static bool put_in_order(const struct cell_group *group, const struct expr *const *values,
                         struct mapped *mapped) {
    assert(group->fold_count <= CELLS_MAX_FOLDS);
    struct arena *arena = group->context->arena;
    bool is_done[CELLS_MAX_FOLDS] = {false};
    mapped->changes = ARENA_ARRAY(arena, const struct expr *, group->fold_count + 1);
    for (uint32_t round = 0; round < group->fold_count; round++)
        for (uint32_t g = 0; g < group->fold_count; g++) {
            const struct symbol *symbol = group->folds[g].ghost->symbol;
            bool is_free = !is_done[g];
            for (uint32_t k = 0; k < group->fold_count && is_free; k++)
                is_free = k == g || is_done[k] || !expr_mentions(values[k], symbol);
            if (!is_free) continue;
            is_done[g] = true;
            if (values[g]->kind != EXPR_NAME || values[g]->symbol != symbol)
                mapped->changes[mapped->change_count++] =
                    build_assignment(arena, build_name(arena, symbol), values[g]);
        }
    for (uint32_t g = 0; g < group->fold_count; g++)
        if (!is_done[g]) return false;
    return true;
}

bool mapping_find(const struct cell_group *group, const struct cell_mapping *mapping,
                  const struct counts *counts, struct mapped *mapped) {
    struct arena *arena = group->context->arena;
    struct changer *changer = ARENA_NEW(arena, struct changer);
    int32_t *totals = ARENA_ARRAY(arena, int32_t, group->fold_count + 1);
    const struct expr *values[CELLS_MAX_FOLDS] = {NULL};
    bool are_constant = true, ok = true;
    *mapped = (struct mapped){0};
    changer->group = group;
    changer->mapping = mapping;
    find_images(changer);
    for (uint32_t g = 0; g < group->fold_count; g++)
        are_constant &= find_constant(changer, g, &totals[g]);
    if (are_constant) {
        mapped->values = totals;
        return true;
    }
    for (uint32_t g = 0; g < group->fold_count && ok; g++) {
        struct count_form form;
        ok = counts && find_form(changer, counts, g, &form);
        values[g] = ok ? counts_value(counts, &form) : NULL;
        ok &= values[g] != NULL;
    }
    return ok && put_in_order(group, values, mapped);
}

/* A merge that counts cells, as far as it is looked at here. */
static struct cell_fold trial_fold(struct arena *arena) {
    struct symbol *symbol = ARENA_NEW(arena, struct symbol);
    struct ghost *ghost = ARENA_NEW(arena, struct ghost);
    *symbol = (struct symbol){.kind = SYMBOL_VARIABLE, .scope = SCOPE_GLOBAL, .name = "t"};
    *ghost = (struct ghost){.symbol = symbol};
    return (struct cell_fold){.ghost = ghost, .op = OP_ADD};
}

/* The zone with a weight for each fold of the trial. */
static struct cell_zone trial_zone(const struct cell_group *group, uint32_t zone,
                                   const struct kind_place *counted, uint32_t count) {
    struct arena *arena = group->context->arena;
    struct cell_zone trial = group->zones[zone];
    uint32_t kinds = trial.kinds.count, folds = group->fold_count;
    struct cell_kind *items = ARENA_ARRAY(arena, struct cell_kind, kinds + 1);
    trial.operands = ARENA_ARRAY(arena, const struct expr *, folds + count);
    memcpy(trial.operands, group->zones[zone].operands, folds * sizeof *trial.operands);
    for (uint32_t k = 0; k < kinds; k++) {
        items[k] = group->zones[zone].kinds.items[k];
        items[k].weights = ARENA_ARRAY(arena, int32_t, folds + count);
        memcpy(items[k].weights, group->zones[zone].kinds.items[k].weights,
               folds * sizeof *items[k].weights);
        for (uint32_t i = 0; i < count; i++)
            items[k].weights[folds + i] = counted[i].zone == zone && counted[i].kind == k;
    }
    for (uint32_t i = 0; i < count; i++)
        if (counted[i].zone == zone) trial.operands[folds + i] = build_bool(arena, true);
    trial.kinds.items = items;
    trial.kinds.capacity = kinds;
    return trial;
}

bool mappings_follow(const struct cell_group *group, const struct kind_place *counted,
                     uint32_t count) {
    struct arena *arena = group->context->arena;
    struct cell_group trial = *group;
    struct mapped mapped;
    if (!group->mappings.count) return true;
    trial.fold_count = group->fold_count + count;
    if (trial.fold_count > CELLS_MAX_FOLDS) return false;
    trial.folds = ARENA_ARRAY(arena, struct cell_fold, trial.fold_count);
    memcpy(trial.folds, group->folds, group->fold_count * sizeof *trial.folds);
    for (uint32_t i = 0; i < count; i++) trial.folds[group->fold_count + i] = trial_fold(arena);
    trial.zones = ARENA_ARRAY(arena, struct cell_zone, group->zone_count);
    for (uint32_t z = 0; z < group->zone_count; z++)
        trial.zones[z] = trial_zone(group, z, counted, count);
    const struct counts *counts = counts_solve(&trial);
    bool follow = true;
    for (uint32_t i = 0; i < group->mappings.count && follow; i++)
        follow = mapping_find(&trial, group->mappings.items[i], counts, &mapped);
    return follow;
}
