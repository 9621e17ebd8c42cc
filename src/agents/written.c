#include "agents/written.h"

#include "expr/build.h"
#include "lang/print/print.h"
#include "lang/syntax/lex.h"
#include "lang/syntax/walk.h"

#include <assert.h>

/* A guard as it is said from outside: v is Process.v, and selects have their values. */
struct outside {
    struct arena *arena;
    const struct observed_item *item;
    const struct expr *process; /* by its name */
    bool cannot;
};

static struct expr *value_of(struct outside *outside, const struct expr *name) {
    const struct edge *edge = outside->item->edge;
    for (uint32_t i = 0; i < edge->select_count; i++)
        if (edge->selects[i] == name->symbol) {
            outside->cannot |= type_strip(name->symbol->type)->kind == TYPE_SCALAR;
            return build_int(outside->arena, outside->item->selects[i]);
        }
    return NULL;
}

static bool is_local_type(const void *context, const struct symbol *symbol) {
    (void)context;
    return symbol->scope == SCOPE_TEMPLATE;
}

/* Whether Process.v would be something of another name. */
static bool hides_process(const struct outside *outside, const char *name) {
    const char *process = outside->process->name;
    size_t size = strcspn(process, "("); /* P of P(1) */
    return strlen(name) == size && !strncmp(name, process, size);
}

static struct expr *from_outside(struct outside *outside, const struct expr *expr) {
    if (!expr) return NULL;
    struct expr *value = expr->kind == EXPR_NAME ? value_of(outside, expr) : NULL;
    if (value) return value;
    struct expr *copy = build_copy(outside->arena, expr);
    if (expr->kind == EXPR_NAME && expr->symbol->scope == SCOPE_TEMPLATE) {
        outside->cannot |= expr->symbol->is_reference;
        copy->kind = EXPR_FIELD;
        copy->name = expr->symbol->name;
        copy->child[0] = (struct expr *)outside->process;
        return copy;
    }
    outside->cannot |= expr->kind == EXPR_BINARY && expr->op == OP_XOR; /* no word of queries */
    outside->cannot |= expr->symbol && hides_in_queries(expr->symbol->name);
    if (expr->kind == EXPR_QUANTIFY)
        outside->cannot |= hides_process(outside, expr->bound->name) ||
                           type_find_name(expr->bound->type, is_local_type, NULL) != NULL;
    for (int i = 0; i < 3; i++) copy->child[i] = from_outside(outside, expr->child[i]);
    if (expr->argument_count)
        copy->arguments = ARENA_ARRAY(outside->arena, struct expr *, expr->argument_count);
    for (uint32_t i = 0; i < expr->argument_count; i++)
        copy->arguments[i] = from_outside(outside, expr->arguments[i]);
    return copy;
}

/* False if that would be a variable: locations without a name are called by their ids. */
static bool write_location(struct buffer *out, const struct process *process, uint32_t number) {
    const struct template *template = process->template;
    const struct location *location = &template->locations[number];
    for (uint32_t i = 0; i < template->symbol_count && !location->symbol; i++)
        if (!strcmp(template->symbols[i]->name, location->name)) return false;
    buffer_printf(out, "%s.%s", process->name, location->name);
    return true;
}

static bool write_guard(struct buffer *out, const struct observed_item *item, struct arena *arena) {
    struct expr *process = ARENA_NEW(arena, struct expr);
    *process = (struct expr){.kind = EXPR_NAME, .name = item->process->name};
    struct outside outside = {.arena = arena, .item = item, .process = process};
    const struct expr *guard = from_outside(&outside, item->edge->written_guard);
    if (outside.cannot || !write_location(out, item->process, item->edge->source)) return false;
    buffer_add_text(out, " && (");
    print_expr(out, guard);
    buffer_add_text(out, ")");
    return true;
}

/* Elements of an array with scalars as indices have no names. */
static bool has_scalar_index(const struct type *type) {
    type = type_strip(type);
    bool has = type->kind == TYPE_ARRAY &&
               ((type->index && type_strip(type->index)->kind == TYPE_SCALAR) ||
                has_scalar_index(type->element));
    for (uint32_t i = 0; type->kind == TYPE_STRUCT && i < type->field_count && !has; i++)
        has = has_scalar_index(type->fields[i].type);
    return has;
}

static bool has_name(const struct slot *slot) {
    return !slot->is_scalar && !has_scalar_index(slot->symbol->type);
}

bool observed_write(struct buffer *out, const struct network *network,
                    const struct observed_item *item, struct arena *arena) {
    switch (item->kind) {
    case OBSERVED_LOCATION:
        for (uint32_t i = 0; i < item->process->template->location_count; i++) {
            if (i) buffer_add_text(out, ", ");
            if (!write_location(out, item->process, i)) return false;
        }
        return true;
    case OBSERVED_SLOT:
        if (!has_name(&network->slots[item->slot])) return false;
        if (!network->slots[item->slot].process &&
            hides_in_queries(network->slots[item->slot].symbol->name))
            return false;
        buffer_add_text(out, slot_name(network, &network->slots[item->slot], arena));
        return true;
    case OBSERVED_GUARD: return write_guard(out, item, arena);
    case OBSERVED_VALUE: print_expr(out, item->expr); return true;
    }
    assert(false);
    return false;
}
