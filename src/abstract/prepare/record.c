/* See record.h: the greatest set of cells whose readers go with them. */
#include "abstract/prepare/record_internal.h"

#include "abstract/request/obstacle.h"
#include "approx/analysis.h"
#include "base/digest.h"
#include "base/interrupt.h"
#include "lang/syntax/walk.h"

#include <assert.h>
#include <string.h>

/* ---- what is left out ---- */

bool record_item_goes(struct record *record, const struct expr *item) {
    return record_effect_of(record, item) == RECORD_UNSEEN;
}

static enum record_effect effect_of_initialiser(struct record *record,
                                                const struct initialiser *initialiser) {
    if (!initialiser) return RECORD_NONE;
    enum record_effect effect = record_effect_of(record, initialiser->expr);
    for (uint32_t i = 0; i < initialiser->item_count; i++) {
        enum record_effect inner = effect_of_initialiser(record, initialiser->items[i]);
        if (inner > effect) effect = inner;
    }
    return effect;
}

static void join(enum record_effect *effect, enum record_effect other) {
    if (other > *effect) *effect = other;
}

static enum record_effect effect_of_statement(struct record *record,
                                              const struct statement *statement);

static enum record_effect effect_of_block(struct record *record, const struct statement *block) {
    enum record_effect effect = RECORD_NONE;
    for (uint32_t i = 0; i < block->declaration_count; i++) {
        const struct declaration *declaration = block->declarations[i];
        for (uint32_t k = 0; k < declaration->declarator_count; k++)
            join(&effect,
                 effect_of_initialiser(record, declaration->declarators[k].symbol->initialiser));
    }
    for (uint32_t i = 0; i < block->statement_count && effect != RECORD_SEEN; i++)
        join(&effect, effect_of_statement(record, block->statements[i]));
    return effect;
}

/* Where a function ends, and what it asserts, counts as seen. */
static enum record_effect effect_of_statement(struct record *record,
                                              const struct statement *statement) {
    if (!statement) return RECORD_NONE;
    if (statement->kind == STATEMENT_RETURN || statement->kind == STATEMENT_ASSERT)
        return RECORD_SEEN;
    if (statement->kind == STATEMENT_BLOCK) return effect_of_block(record, statement);
    enum record_effect effect = record_effect_of(record, statement->expr);
    join(&effect, record_effect_of_list(record, &statement->first));
    join(&effect, record_effect_of_list(record, &statement->condition));
    join(&effect, record_effect_of_list(record, &statement->step));
    if (effect == RECORD_SEEN) return effect;
    join(&effect, effect_of_statement(record, statement->body));
    join(&effect, effect_of_statement(record, statement->other));
    return effect;
}

bool record_statement_goes(struct record *record, const struct statement *statement) {
    return effect_of_statement(record, statement) == RECORD_UNSEEN;
}

/* ---- what is seen ---- */

static void see_expr(struct record *record, const struct expr *expr);

static void see(struct record *record, struct record_unit *unit, uint32_t field) {
    assert(field < unit->count);
    if (unit->is_seen[field]) return;
    unit->is_seen[field] = true;
    record->has_changed = true;
}

static void see_part(struct record *record, const struct record_part *part) {
    for (uint32_t i = 0; i < part->count; i++) see(record, part->unit, part->first + i);
}

static void see_indices(struct record *record, const struct expr *place) {
    for (; place->kind == EXPR_INDEX || place->kind == EXPR_FIELD; place = place->child[0])
        if (place->kind == EXPR_INDEX) see_expr(record, place->child[1]);
}

static void reach(struct record *record, const struct function *function) {
    static bool is_reached = true;
    if (record->is_whole && !map_get(&record->whole, map_key(function))) {
        map_put(&record->whole, map_key(function), &is_reached);
        record->has_changed = true;
    }
    if (map_get(&record->reached, map_key(function))) return;
    map_put(&record->reached, map_key(function), &is_reached);
    VEC_PUSH(record->arena, &record->reached_list, function);
    record->has_changed = true;
}

/* Fields of what is copied are seen where those of the copy are. */
static void see_copied(struct record *record, const struct record_part *copy,
                       const struct record_part *from) {
    assert(copy->count == from->count); /* field by field */
    for (uint32_t i = 0; i < copy->count; i++)
        if (copy->unit->is_seen[copy->first + i]) see(record, from->unit, from->first + i);
}

static void see_argument(struct record *record, const struct symbol *parameter,
                         const struct expr *argument) {
    struct record_unit *unit = record_unit_of(record, parameter);
    struct record_part own = {unit, 0, unit->count}, part;
    bool is_place = (parameter->is_reference || unit->count > 1) &&
                    record_find_part(record, argument, &part) && part.count == own.count;
    if (!is_place) {
        see_expr(record, argument);
        if (parameter->is_reference) see_part(record, &own);
        return;
    }
    see_indices(record, argument);
    see_copied(record, &own, &part);
    if (parameter->is_reference) see_copied(record, &part, &own);
    VEC_PUSH(record->arena, &record->passed, (struct record_passed){parameter, part});
}

static void see_call(struct record *record, const struct expr *call) {
    const struct function *function = call->symbol ? call->symbol->function : NULL;
    if (function) reach(record, function);
    for (uint32_t i = 0; i < call->argument_count; i++)
        if (function && i < function->parameter_count)
            see_argument(record, function->parameters[i], call->arguments[i]);
        else
            see_expr(record, call->arguments[i]);
}

static bool see_inside(void *context, const struct expr *expr) {
    struct record *record = context;
    struct record_part part;
    if (expr->kind == EXPR_CALL) {
        see_call(record, expr);
        return false;
    }
    if (!record_find_part(record, expr, &part)) return true;
    see_part(record, &part);
    see_indices(record, expr);
    return false;
}

/* Sees all variables that an expression names, and the functions that it calls. */
static void see_expr(struct record *record, const struct expr *expr) {
    walk_expr(expr, see_inside, record);
}

static void see_list(struct record *record, const struct expr_list *list) {
    for (uint32_t i = 0; i < list->count; i++) see_expr(record, list->items[i]);
}

static void see_type(struct record *record, const struct type *type) {
    walk_type(type, see_inside, record);
}

/* An assignment of something with fields is looked at field by field. */
static void see_effect(struct record *record, const struct expr *expr) {
    struct record_part target, value;
    bool is_copy = expr->kind == EXPR_ASSIGN && expr->op == OP_ASSIGN &&
                   record_find_part(record, expr->child[0], &target) &&
                   record_find_part(record, expr->child[1], &value) && target.count > 1 &&
                   target.count == value.count && record_is_part_seen(&target);
    if (!is_copy) {
        see_expr(record, expr);
        return;
    }
    see_indices(record, expr->child[0]);
    see_indices(record, expr->child[1]);
    see_copied(record, &target, &value);
}

static void see_initialiser(struct record *record, const struct initialiser *initialiser) {
    if (!initialiser) return;
    see_expr(record, initialiser->expr);
    for (uint32_t i = 0; i < initialiser->item_count; i++)
        see_initialiser(record, initialiser->items[i]);
}

static void see_local(struct record *record, const struct symbol *symbol) {
    const struct initialiser *initialiser = symbol->initialiser;
    struct record_unit *unit = record_unit_of(record, symbol);
    struct record_part own = {unit, 0, unit->count}, value;
    see_type(record, symbol->type);
    bool has_effect = effect_of_initialiser(record, initialiser) == RECORD_SEEN;
    if (has_effect) see_part(record, &own);
    if (!initialiser || !record_is_part_seen(&own)) return;
    if (initialiser->expr && own.count > 1 && record_find_part(record, initialiser->expr, &value) &&
        value.count == own.count) {
        see_indices(record, initialiser->expr);
        see_copied(record, &own, &value);
    } else {
        see_initialiser(record, initialiser);
    }
}

static void see_statement(struct record *record, const struct statement *statement);

static void see_block(struct record *record, const struct statement *block) {
    for (uint32_t i = 0; i < block->declaration_count; i++) {
        const struct declaration *declaration = block->declarations[i];
        for (uint32_t k = 0; k < declaration->declarator_count; k++) {
            struct symbol *symbol = declaration->declarators[k].symbol;
            if (declaration->kind == DECLARATION_VARIABLES)
                see_local(record, symbol);
            else
                see_type(record, symbol->type);
        }
    }
    for (uint32_t i = 0; i < block->statement_count; i++)
        see_statement(record, block->statements[i]);
}

/* Sees what a statement of a kept function reads, but for the parts that are left out. */
static void see_statement(struct record *record, const struct statement *statement) {
    if (!statement || record_statement_goes(record, statement)) return;
    if (statement->kind == STATEMENT_BLOCK) {
        see_block(record, statement);
        return;
    }
    if (statement->kind == STATEMENT_EXPR)
        see_effect(record, statement->expr);
    else
        see_expr(record, statement->expr);
    see_list(record, &statement->first);
    see_list(record, &statement->condition);
    see_list(record, &statement->step);
    if (statement->bound) see_type(record, statement->bound->type);
    see_statement(record, statement->body);
    see_statement(record, statement->other);
}

static void see_function(struct record *record, const struct function *function) {
    see_type(record, function->result);
    assert(!record->is_whole);
    for (uint32_t i = 0; i < function->parameter_count; i++)
        see_type(record, function->parameters[i]->type);
    record->is_whole = map_get(&record->whole, map_key(function)) != NULL;
    if (record->is_whole)
        walk_statement(function->body, see_inside, record);
    else
        see_block(record, function->body);
    record->is_whole = false;
}

/* Sees a guard, an invariant or a channel, and all of the functions that it calls: agents
 * observe what these read. */
static void see_guard(struct record *record, const struct expr *expr) {
    assert(!record->is_whole); /* guards do not nest */
    record->is_whole = true;
    see_expr(record, expr);
    record->is_whole = false;
}

static void see_declarations(struct record *record, const struct declaration_list *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        const struct declaration *declaration = list->items[i];
        see_type(record, declaration->base);
        for (uint32_t k = 0; k < declaration->declarator_count; k++) {
            see_type(record, declaration->declarators[k].symbol->type);
            see_initialiser(record, declaration->declarators[k].symbol->initialiser);
        }
        for (uint32_t k = 0; k < declaration->priority_count; k++)
            see_expr(record, declaration->priorities[k].channel);
        for (uint32_t k = 0; declaration->instance && k < declaration->instance->argument_count;
             k++)
            see_expr(record, declaration->instance->arguments[k]);
        for (uint32_t k = 0; declaration->instance && k < declaration->instance->parameter_count;
             k++)
            see_type(record, declaration->instance->parameters[k]->type);
        see_list(record, &declaration->hook);
    }
}

/* Whether the labels of an edge name a variable that is to be removed, or call something. */
static bool is_concerned(const struct record *record, const struct edge_labels *labels) {
    const struct effects *all[] = {&labels->guard_effects, &labels->sync_effects,
                                   &labels->update_effects};
    for (int k = 0; k < 3; k++)
        for (uint32_t i = 0; i < all[k]->list.count; i++)
            if (removed_ever(&record->request, all[k]->list.items[i].symbol)) return true;
    return labels->has_call;
}

static void see_template(struct record *record, const struct template *template) {
    const struct edge_labels *labels = record->network->labels.edges[template->index];
    see_declarations(record, &template->declarations);
    for (uint32_t i = 0; i < template->parameter_count; i++)
        see_type(record, template->parameters[i]->type);
    for (uint32_t i = 0; i < template->location_count; i++)
        see_guard(record, template->locations[i].written_invariant);
    for (uint32_t i = 0; i < template->edge_count; i++) {
        const struct edge *edge = &template->edges[i];
        for (uint32_t k = 0; k < edge->select_count; k++) see_type(record, edge->selects[k]->type);
        see_expr(record, edge->weight);
        if (!is_concerned(record, &labels[i])) continue;
        see_guard(record, edge->written_guard);
        see_guard(record, edge->sync);
        for (uint32_t k = 0; k < edge->updates.count; k++)
            if (!record_item_goes(record, edge->updates.items[k]))
                see_effect(record, edge->updates.items[k]);
    }
}

static void see_round(struct record *record) {
    const struct model *model = record->model;
    record->passed.count = 0;
    see_declarations(record, &model->declarations);
    see_declarations(record, &model->system_declarations);
    for (uint32_t i = 0; i < model->template_count; i++)
        if (!record->is_within || record->is_within[i]) see_template(record, model->templates[i]);
    for (uint32_t i = 0; i < record->reached_list.count; i++)
        see_function(record, record->reached_list.items[i]);
}

/* Variables that are arguments of a kept call are kept. */
static void see_passed(struct record *record) {
    for (uint32_t i = 0; i < record->passed.count; i++)
        if (!record_is_part_seen(&record->passed.items[i].part))
            see_part(record, &record->passed.items[i].part);
}

static void find(struct record *record) {
    do {
        do {
            record->has_changed = false;
            see_round(record);
        } while (record->has_changed);
        see_passed(record);
    } while (record->has_changed);
}

/* ---- what is asked for ---- */

/* Fields are unseen at first if all their cells are to be removed. */
static void take_fields(struct record_unit *unit, const struct type *type,
                        const struct shape *shape, const bool *is_removed, uint32_t first) {
    type = type_strip(type);
    assert(first < unit->count);
    if (unit->is_flat || shape->kind == SHAPE_CELL) {
        for (uint32_t i = 0; i < shape->cell_count; i++)
            if (!is_removed[i]) unit->is_seen[first] = true;
        return;
    }
    for (uint32_t i = 0; shape->kind == SHAPE_ARRAY && i < shape->cell_count;
         i += shape->element->cell_count)
        take_fields(unit, type->element, shape->element, is_removed + i, first);
    for (uint32_t i = 0; shape->kind == SHAPE_STRUCT && i < shape->field_count; i++) {
        take_fields(unit, type->fields[i].type, shape->fields[i], is_removed + shape->offsets[i],
                    first);
        first += record_field_count(type->fields[i].type);
    }
}

static void take_removal(struct record *record, const struct removal *removal) {
    const struct symbol *symbol = removal->symbol;
    if (removal->scope || removal_obstacle(record->network, removal->template, symbol) ||
        (!removal->template && variable_is_passed(record->network, symbol)))
        return;
    struct record_unit *unit = record_unit_of(record, symbol);
    for (uint32_t i = 0; i < unit->count; i++) unit->is_seen[i] = false;
    take_fields(unit, symbol->type, removal->shape, removal->is_removed, 0);
}

/* False if there is nothing that could go. */
static bool open(struct record *record, struct arena *arena, const struct network *network,
                 const char *const *arguments, uint32_t count) {
    struct request *request = &record->request;
    struct diag unheard;
    *record = (struct record){
        .arena = arena, .network = network, .model = network->model, .request.arena = arena};
    if (network->has_priorities) return false;
    map_init(&record->units, arena);
    map_init(&record->writes, arena);
    map_init(&record->reached, arena);
    map_init(&record->whole, arena);
    diag_init(&unheard, arena, NULL);
    for (uint32_t i = 0; i < count; i++)
        if (!request_add(request, network, arguments[i], &unheard)) return false;
    for (uint32_t i = 0; i < request->removals.count; i++)
        take_removal(record, &request->removals.items[i]);
    return request->removals.count > 0;
}

struct record *record_find(const struct network *network, const char *const *arguments,
                           uint32_t count, struct arena *arena) {
    struct record *record = ARENA_NEW(arena, struct record);
    if (!open(record, arena, network, arguments, count)) return NULL;
    find(record);
    assert(!record->has_changed && !record->is_whole);
    return record;
}

bool record_is_unseen(struct record *record, const struct symbol *symbol, const struct shape *shape,
                      uint32_t offset) {
    const struct record_unit *unit = record_unit_of(record, symbol);
    const struct type *type = type_strip(symbol->type);
    uint32_t first = 0;
    while (shape->kind != SHAPE_CELL && !unit->is_flat) {
        if (shape->kind == SHAPE_ARRAY) {
            shape = shape->element;
            type = type_strip(type->element);
            offset %= shape->cell_count;
            continue;
        }
        uint32_t field = 0;
        for (; field + 1 < shape->field_count && shape->offsets[field + 1] <= offset; field++)
            first += record_field_count(type->fields[field].type);
        offset -= shape->offsets[field];
        shape = shape->fields[field];
        type = type_strip(type->fields[field].type);
    }
    assert(first < unit->count && offset < shape->cell_count);
    return !unit->is_seen[first];
}

/* ---- what may fail ---- */

static uint32_t item_count(const struct model *model) {
    uint32_t count = 0;
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t e = 0; e < model->templates[t]->edge_count; e++)
            count += model->templates[t]->edges[e].updates.count;
    return count;
}

/* Over: which items of updates may fail, by the values of all variables. */
static const bool *find_failing_items(const struct network *network, struct arena *arena) {
    const struct model *model = network->model;
    bool *may_fail = ARENA_ARRAY(arena, bool, item_count(model) + 1), *next = may_fail;
    struct arena scratch;
    arena_init(&scratch);
    bool *is_removed = ARENA_ARRAY(&scratch, bool, network->slot_count + 1);
    const struct analysis_options options = {.stays_modular = true, .is_must = true};
    struct diag unheard;
    diag_init(&unheard, &scratch, NULL);
    for (uint32_t i = 0; i < network->slot_count; i++) is_removed[i] = true;
    const struct analysis *values = analyse(&scratch, network, is_removed, &options, &unheard);
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t e = 0; e < model->templates[t]->edge_count; e++) {
            const struct edge_fact *fact = values ? &values->edges[t][e] : NULL;
            for (uint32_t i = 0; i < model->templates[t]->edges[e].updates.count; i++)
                *next++ = !fact || fact->is_incomplete || fact->item_faults[i];
        }
    arena_close(&scratch);
    return may_fail;
}

/* Kept for the next question about the same document: it does not depend on what is to be removed.
 */
static const bool *failing_items(const struct record *record, struct original_errors *errors) {
    if (!errors || !errors->arena) return find_failing_items(record->network, record->arena);
    struct item_failures *known = &errors->failures;
    char document[sizeof known->document];
    digest_sha256(record->model->document->bytes, document);
    if (!strcmp(document, known->document)) return known->may_fail;
    const bool *may_fail = find_failing_items(record->network, errors->arena);
    if (!interrupt_is_asked()) { /* what was broken off is coarse */
        known->may_fail = may_fail;
        memcpy(known->document, document, sizeof document);
    }
    return may_fail;
}

/* An item of an update that may fail where it goes or runs something of which a part may go; in
 * words, or NULL. */
static const char *failure_of(struct record *record, struct original_errors *errors) {
    const struct model *model = record->model;
    const bool *may_fail = failing_items(record, errors);
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t e = 0; e < model->templates[t]->edge_count; e++) {
            const struct edge *edge = &model->templates[t]->edges[e];
            for (uint32_t i = 0; i < edge->updates.count; i++) {
                const struct expr *item = edge->updates.items[i];
                if (*may_fail++ && (record_item_goes(record, item) || expr_has(item, EXPR_CALL)))
                    return failure_text(record->arena, model->templates[t], edge, item);
            }
        }
    return NULL;
}

bool record_take_out(struct record_taken *taken, struct splices *splices,
                     const struct network *network, const char *const *arguments, uint32_t count,
                     struct original_errors *errors, const char *asked) {
    struct record record;
    *taken = (struct record_taken){.may_fail = NULL};
    if (!open(&record, splices->arena, network, arguments, count)) return false;
    record.asked = asked;
    find(&record);
    struct splices all = *splices;
    if (!record_write(&record, taken, &all)) return false;
    if (errors_known(errors) != ERRORS_NONE) taken->may_fail = failure_of(&record, errors);
    if (taken->may_fail && errors_are_found(errors)) {
        *taken = (struct record_taken){.may_fail = NULL};
        return false;
    }
    *splices = all;
    return true;
}

/* Whether what is found has any edits. */
static bool has_edits(struct record *record) {
    struct record_taken taken = {.may_fail = NULL};
    struct splices splices;
    splices_init(&splices, record->model->document, record->arena);
    find(record);
    return record_write(record, &taken, &splices);
}

/* Whether something is left out although nothing is to be removed: then it is in any case. */
static bool has_dead_code(const struct network *network) {
    struct namers *namers = network->namers;
    if (namers->has_dead_code == NAMERS_UNKNOWN) {
        struct record record;
        struct arena scratch;
        arena_init(&scratch);
        open(&record, &scratch, network, NULL, 0);
        namers->has_dead_code = has_edits(&record) ? NAMERS_YES : NAMERS_NO;
        arena_close(&scratch);
    }
    return namers->has_dead_code == NAMERS_YES;
}

bool record_is_kept(const struct network *network, const char *const *arguments, uint32_t count,
                    struct arena *arena) {
    struct record record;
    if (!open(&record, arena, network, arguments, count)) return false;
    if (!network->namers->is_called_globally && !has_dead_code(network)) {
        /* elsewhere there is nothing that could go, and functions elsewhere are others */
        uint32_t template_count = network->model->template_count;
        bool *is_within = request_templates(&record.request, network, arena);
        if (is_within) namers_mark_groups(network->namers, template_count, is_within);
        record.is_within = is_within;
    }
    return has_edits(&record);
}
