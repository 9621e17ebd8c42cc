/* Fields as units count them, and what expressions write. */
#include "abstract/prepare/record_internal.h"

#include "lang/syntax/walk.h"

#include <assert.h>

enum { MAX_FIELDS = 64, MAX_DEPTH = 16, MAX_WRITES = 200 };

static uint32_t count_fields(const struct type *type, uint32_t depth) {
    type = type_strip(type);
    if (depth > MAX_DEPTH) return MAX_FIELDS + 1;
    if (type->kind == TYPE_ARRAY) return count_fields(type->element, depth + 1);
    if (type->kind != TYPE_STRUCT) return 1;
    uint32_t count = 0;
    for (uint32_t i = 0; i < type->field_count && count <= MAX_FIELDS; i++)
        count += count_fields(type->fields[i].type, depth + 1);
    return count ? count : 1;
}

uint32_t record_field_count(const struct type *type) { return count_fields(type, 0); }

/* Locals and parameters of functions are unseen until they are found to be seen; so are cells that
 * are to be removed, which are here before. */
struct record_unit *record_unit_of(struct record *record, const struct symbol *symbol) {
    struct record_unit *unit = map_get(&record->units, map_key(symbol));
    if (unit) return unit;
    bool is_own = symbol->scope == SCOPE_FRAME &&
                  (symbol->kind == SYMBOL_VARIABLE || symbol->kind == SYMBOL_PARAMETER);
    unit = ARENA_NEW(record->arena, struct record_unit);
    *unit = (struct record_unit){.symbol = symbol, .count = record_field_count(symbol->type)};
    unit->is_flat = unit->count > MAX_FIELDS;
    if (unit->is_flat) unit->count = 1;
    assert(unit->count && unit->count <= MAX_FIELDS);
    unit->is_seen = ARENA_ARRAY(record->arena, bool, unit->count);
    for (uint32_t i = 0; i < unit->count; i++) unit->is_seen[i] = !is_own;
    map_put(&record->units, map_key(symbol), unit);
    return unit;
}

static bool find_field(struct record *record, const struct expr *expr, struct record_part *part) {
    if (expr->symbol || !record_find_part(record, expr->child[0], part)) return false;
    const struct type *type = type_strip(expr->child[0]->type);
    if (type->kind != TYPE_STRUCT) return false;
    if (part->unit->is_flat) return true;
    assert(expr->field_index < type->field_count);
    for (uint32_t i = 0; i < expr->field_index; i++)
        part->first += record_field_count(type->fields[i].type);
    part->count = record_field_count(type->fields[expr->field_index].type);
    assert(part->count && part->first + part->count <= part->unit->count);
    return true;
}

/* False for what is no variable, or perhaps one of several. */
bool record_find_part(struct record *record, const struct expr *expr, struct record_part *part) {
    switch (expr->kind) {
    case EXPR_NAME:
        if (!expr->symbol || !expr->symbol->type ||
            (expr->symbol->kind != SYMBOL_VARIABLE && expr->symbol->kind != SYMBOL_PARAMETER))
            return false;
        *part = (struct record_part){.unit = record_unit_of(record, expr->symbol)};
        part->count = part->unit->count;
        return true;
    case EXPR_INDEX: return record_find_part(record, expr->child[0], part);
    case EXPR_FIELD: return find_field(record, expr, part);
    default: return false;
    }
}

bool record_is_part_seen(const struct record_part *part) {
    for (uint32_t i = 0; i < part->count; i++)
        if (part->unit->is_seen[part->first + i]) return true;
    return false;
}

/* ---- what functions write ---- */

struct collector {
    struct record *record;
    struct record_writes *writes;
};

static bool is_own(const struct symbol *symbol) {
    return symbol->scope == SCOPE_FRAME &&
           !(symbol->kind == SYMBOL_PARAMETER && symbol->is_reference);
}

static void add(struct collector *collector, const struct record_part *part) {
    struct record_writes *writes = collector->writes;
    assert(part->count && part->first + part->count <= part->unit->count);
    if (is_own(part->unit->symbol)) return;
    for (uint32_t i = 0; i < writes->list.count; i++) {
        const struct record_part *other = &writes->list.items[i];
        if (other->unit == part->unit && other->first == part->first && other->count == part->count)
            return;
    }
    if (writes->list.count >= MAX_WRITES)
        writes->is_unknown = true;
    else
        VEC_PUSH(collector->record->arena, &writes->list, *part);
}

static const struct record_writes *writes_of(struct record *record,
                                             const struct function *function);

/* Names a variable that a function writes as the caller of the function does: an argument in
 * place of a parameter. False if that is not known. */
static bool map_part(struct record *record, const struct expr *call, struct record_part *part) {
    const struct function *function = call->symbol->function;
    const struct symbol *symbol = part->unit->symbol;
    if (symbol->scope != SCOPE_FRAME) return true;
    for (uint32_t i = 0; i < function->parameter_count && i < call->argument_count; i++) {
        struct record_part argument;
        if (function->parameters[i] != symbol) continue;
        if (!record_find_part(record, call->arguments[i], &argument)) return false;
        if (argument.count == part->unit->count && !argument.unit->is_flat) {
            argument.first += part->first;
            argument.count = part->count;
        }
        assert(argument.first + argument.count <= argument.unit->count);
        *part = argument;
        return true;
    }
    return false;
}

static bool collect(void *context, const struct expr *expr) {
    struct collector *collector = context;
    struct record *record = collector->record;
    struct record_part part;
    if (expr_assigns(expr)) {
        if (record_find_part(record, expr->child[0], &part))
            add(collector, &part);
        else
            collector->writes->is_unknown = true;
    }
    if (expr->kind != EXPR_CALL || !expr->symbol || !expr->symbol->function) return true;
    const struct record_writes *inner = writes_of(record, expr->symbol->function);
    collector->writes->is_unknown |= inner->is_unknown;
    for (uint32_t i = 0; i < inner->list.count; i++) {
        part = inner->list.items[i];
        if (map_part(record, expr, &part))
            add(collector, &part);
        else
            collector->writes->is_unknown = true;
    }
    return true;
}

static bool asserts(const struct statement *statement) {
    if (!statement) return false;
    if (statement->kind == STATEMENT_ASSERT || asserts(statement->body) ||
        asserts(statement->other))
        return true;
    for (uint32_t i = 0; i < statement->statement_count; i++)
        if (asserts(statement->statements[i])) return true;
    return false;
}

static const struct record_writes *writes_of(struct record *record,
                                             const struct function *function) {
    struct record_writes *writes = map_get(&record->writes, map_key(function));
    if (writes) return writes;
    writes = ARENA_NEW(record->arena, struct record_writes);
    map_put(&record->writes, map_key(function), writes);
    writes->is_unknown = true; /* ends a recursion, which the checker has refused */
    struct record_writes found = {.is_unknown = asserts(function->body)};
    struct collector collector = {record, &found};
    walk_statement(function->body, collect, &collector);
    *writes = found;
    return writes;
}

/* ---- effects ---- */

struct effect_search {
    struct record *record;
    enum record_effect effect;
};

static void meet(struct effect_search *search, bool is_known, const struct record_part *part) {
    enum record_effect effect =
        is_known && !record_is_part_seen(part) ? RECORD_UNSEEN : RECORD_SEEN;
    if (effect > search->effect) search->effect = effect;
}

static bool find_effect(void *context, const struct expr *expr) {
    struct effect_search *search = context;
    struct record_part part;
    if (expr_assigns(expr))
        meet(search, record_find_part(search->record, expr->child[0], &part), &part);
    if (expr->kind == EXPR_CALL && expr->symbol && expr->symbol->function) {
        const struct record_writes *inner = writes_of(search->record, expr->symbol->function);
        if (inner->is_unknown) search->effect = RECORD_SEEN;
        for (uint32_t i = 0; i < inner->list.count; i++) {
            part = inner->list.items[i];
            meet(search, map_part(search->record, expr, &part), &part);
        }
    }
    return search->effect != RECORD_SEEN;
}

enum record_effect record_effect_of(struct record *record, const struct expr *expr) {
    struct effect_search search = {record, RECORD_NONE};
    walk_expr(expr, find_effect, &search);
    return search.effect;
}

enum record_effect record_effect_of_list(struct record *record, const struct expr_list *list) {
    struct effect_search search = {record, RECORD_NONE};
    walk_list(list, find_effect, &search);
    return search.effect;
}
