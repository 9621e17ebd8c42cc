#include "model/data_size.h"

#include "lang/syntax/walk.h"

#include <assert.h>

struct size_search {
    const struct data *data;
    const struct data_class *const *classes;
    uint32_t class_count;
    const struct symbol *size;      /* or the name of one of the data */
    const struct data_class *named; /* that names may stand for a value of; NULL for a size */
    bool is_used_otherwise;
};

/* Types that mention the size */

static bool mentions(const struct size_search *search, const struct type *type);

static bool is_size(const void *context, const struct symbol *symbol) {
    const struct size_search *search = context;
    return symbol == search->size ||
           (symbol->kind == SYMBOL_TYPE && symbol->type && mentions(search, symbol->type));
}

static bool mentions(const struct size_search *search, const struct type *type) {
    return type && type_find_name(type, is_size, search);
}

static bool is_data(const struct size_search *search, const struct symbol *symbol) {
    const struct data_class *class = data_class_of(search->data, symbol);
    for (uint32_t i = 0; class && i < search->class_count; i++)
        if (search->classes[i] == class) return true;
    return false;
}

static bool is_value(const struct size_search *search, const struct expr *name) {
    bool is = false;
    for (uint32_t i = 0; search->named && i < search->named->named.count; i++)
        is |= search->named->named.items[i] == name;
    return is;
}

static bool names_size(void *context, const struct expr *expr) {
    struct size_search *search = context;
    bool is_name = expr->kind == EXPR_NAME && expr->symbol == search->size;
    search->is_used_otherwise |= is_name && !is_value(search, expr);
    search->is_used_otherwise |= expr->bound && mentions(search, expr->bound->type); /* it counts */
    for (int i = 0; i < 3; i++) walk_expr(expr->child[i], names_size, search);
    for (uint32_t i = 0; i < expr->argument_count; i++)
        walk_expr(expr->arguments[i], names_size, search);
    return false;
}

/* Whether a type of the class has the size at most as the upper end of its range. */
static bool is_bounded_by(const struct size_search *search, const struct type *type) {
    if (!mentions(search, type)) return true;
    switch (type->kind) {
    case TYPE_NAMED: return is_bounded_by(search, type->symbol->type);
    case TYPE_ARRAY: {
        struct size_search other = *search;
        if (type->size) walk_expr(type->size, names_size, &other);
        return !other.is_used_otherwise && !mentions(search, type->index) &&
               is_bounded_by(search, type->element);
    }
    case TYPE_INT: {
        struct size_search other = *search;
        walk_expr(type->lower, names_size, &other);
        return !other.is_used_otherwise && type->upper->kind == EXPR_NAME;
    }
    default: return false;
    }
}

static void look_at_symbol(struct size_search *search, const struct symbol *symbol) {
    if (symbol == search->size) return;
    bool is_own = is_data(search, symbol);
    walk_initialiser(symbol->initialiser, names_size, search);
    search->is_used_otherwise |= symbol->type && (is_own ? !is_bounded_by(search, symbol->type)
                                                         : mentions(search, symbol->type));
}

/* Everything else */

static void look_at_function(struct size_search *search, const struct statement *statement) {
    if (!statement) return;
    for (uint32_t i = 0; i < statement->declaration_count; i++)
        for (uint32_t k = 0; k < statement->declarations[i]->declarator_count; k++)
            look_at_symbol(search, statement->declarations[i]->declarators[k].symbol);
    if (statement->bound) look_at_symbol(search, statement->bound);
    look_at_function(search, statement->body);
    look_at_function(search, statement->other);
    for (uint32_t i = 0; i < statement->statement_count; i++)
        look_at_function(search, statement->statements[i]);
}

static void look_at_declarations(struct size_search *search, const struct declaration_list *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        const struct declaration *declaration = list->items[i];
        const struct function *function = declaration->function;
        walk_list(&declaration->hook, names_size, search);
        for (uint32_t k = 0; k < declaration->priority_count; k++)
            walk_expr(declaration->priorities[k].channel, names_size, search);
        for (uint32_t k = 0; declaration->instance && k < declaration->instance->argument_count;
             k++)
            walk_expr(declaration->instance->arguments[k], names_size, search);
        if (declaration->kind == DECLARATION_VARIABLES)
            for (uint32_t k = 0; k < declaration->declarator_count; k++)
                look_at_symbol(search, declaration->declarators[k].symbol);
        if (!function) continue;
        search->is_used_otherwise |= mentions(search, function->result);
        for (uint32_t k = 0; k < function->parameter_count; k++)
            look_at_symbol(search, function->parameters[k]);
        walk_statement(function->body, names_size, search);
        look_at_function(search, function->body);
    }
}

static void look_at_template(struct size_search *search, const struct template *template) {
    const struct network *network = search->data->network;
    for (uint32_t i = 0; i < template->parameter_count; i++)
        look_at_symbol(search, template->parameters[i]);
    look_at_declarations(search, &template->declarations);
    for (uint32_t i = 0; i < template->symbol_count; i++) /* those that are added, too */
        if (template->symbols[i]) look_at_symbol(search, template->symbols[i]);
    for (uint32_t i = 0; i < template->location_count; i++)
        walk_expr(invariant_at(network, template, i), names_size, search);
    for (uint32_t i = 0; i < template->edge_count; i++) {
        const struct edge *edge = &template->edges[i];
        for (uint32_t s = 0; s < edge->select_count; s++) look_at_symbol(search, edge->selects[s]);
        walk_expr(guard_of_edge(network, template, edge), names_size, search);
        walk_expr(edge->sync, names_size, search);
        walk_expr(edge->weight, names_size, search);
        walk_list(&edge->updates, names_size, search);
    }
}

static bool is_nothing_else(struct size_search *search) {
    const struct model *model = search->data->network->model;
    look_at_declarations(search, &model->declarations);
    look_at_declarations(search, &model->system_declarations);
    for (uint32_t i = 0; i < model->symbol_count; i++)
        if (model->symbols[i]) look_at_symbol(search, model->symbols[i]);
    for (uint32_t i = 0; i < model->template_count; i++)
        look_at_template(search, model->templates[i]);
    for (uint32_t i = 0; i < model->query_count; i++)
        walk_query(&model->queries[i], names_size, search);
    for (uint32_t i = 0; i < model->agents.count; i++)
        for (uint32_t k = 0; k < model->agents.items[i]->item_count; k++)
            walk_expr(model->agents.items[i]->items[k].expr, names_size, search);
    walk_progress(model, names_size, search);
    return !search->is_used_otherwise;
}

static bool has_size(const struct size_search *search, const struct data_class *class) {
    bool has = false;
    for (uint32_t i = 0; i < class->variables.count; i++)
        has |= mentions(search, class->variables.items[i]->type);
    for (uint32_t i = 0; i < class->selects.count; i++)
        has |= mentions(search, class->selects.items[i]->type);
    return has;
}

/* Whether some other type of the class ends there, too: greater values would not fit it. */
static bool others_end_there(const struct size_search *search, const struct data_class *class) {
    const struct network *network = search->data->network;
    int64_t end = search->size->value, lower, upper;
    for (uint32_t i = 0; i < network->slot_count; i++) {
        const struct slot *slot = &network->slots[i];
        if (slot->upper == end && data_class_of(search->data, slot->symbol) == class &&
            !mentions(search, slot->symbol->type))
            return true;
    }
    for (uint32_t i = 0; i < class->selects.count; i++) {
        const struct type *type = class->selects.items[i]->type;
        if (!mentions(search, type) && data_range_of(type, &lower, &upper) && upper == end)
            return true;
    }
    return false;
}

/* From which size on all classes have enough values of the kind that it ends; false if one has
 * not. */
static bool find_least(const struct size_search *search, int32_t *least) {
    *least = INT32_MIN;
    for (uint32_t i = 0; i < search->class_count; i++) {
        const struct data_class *class = search->classes[i];
        const struct data_kind *last = &class->kinds.items[class->kinds.count - 1];
        int64_t from = (int64_t)last->lower + class->enough - 1;
        if (!has_size(search, class)) continue;
        bool may_be_named = last->lower == last->upper; /* greater ones are no such values */
        if (last->upper != search->size->value || from > last->upper || may_be_named ||
            others_end_there(search, class))
            return false;
        if (from > *least) *least = (int32_t)from;
    }
    return true;
}

const struct symbol *data_size_of(const struct data *data, const struct data_class *const *classes,
                                  uint32_t count, const struct data_class *class, int32_t *least) {
    const struct model *model = data->network->model;
    assert(!class->why_not && class->kinds.count);
    for (uint32_t i = 0; i < model->symbol_count; i++) {
        const struct symbol *symbol = model->symbols[i];
        bool is_number = symbol && symbol->has_value && type_strip(symbol->type)->kind == TYPE_INT;
        struct size_search search = {data, classes, count, symbol, NULL, false};
        if (is_number && has_size(&search, class) && find_least(&search, least) &&
            is_nothing_else(&search))
            return symbol;
    }
    return NULL;
}

/* The values that the kind of a constant would have, were it not for its name. */
static struct data_kind kind_without(const struct data_class *class, const struct symbol *symbol) {
    int64_t value = symbol->value, lower = INT32_MIN, upper = INT32_MAX;
    uint32_t begins = 0, ends = 0;
    for (uint32_t i = 0; i < class->named.count; i++) {
        begins -= class->named.items[i]->symbol == symbol;
        ends -= class->named.items[i]->symbol == symbol;
    }
    for (uint32_t i = 0; i < class->cuts.count; i++) {
        int64_t cut = class->cuts.items[i];
        begins += cut == value;
        ends += cut == value + 1;
        if (cut < value && cut > lower) lower = cut;
        if (cut > value + 1 && cut - 1 < upper) upper = cut - 1;
    }
    return (struct data_kind){(int32_t)(begins ? value : lower), (int32_t)(ends ? value : upper)};
}

const struct symbol *data_any_of(const struct data *data, const struct data_class *class,
                                 struct data_kind *range) {
    assert(!class->why_not && class->kinds.count);
    if (data->network->model->agents.count) return NULL; /* may see which value it is */
    for (uint32_t i = 0; i < class->named.count; i++) {
        const struct symbol *symbol = class->named.items[i]->symbol;
        struct size_search search = {data, NULL, 0, symbol, class, false};
        int64_t lower, upper;
        bool is_number =
            symbol->scope == SCOPE_GLOBAL && data_range_of(symbol->type, &lower, &upper);
        if (!is_number) continue;
        *range = kind_without(class, symbol);
        bool has_range = type_strip(symbol->type)->lower != NULL;
        if (has_range && lower > range->lower) range->lower = (int32_t)lower;
        if (has_range && upper < range->upper) range->upper = (int32_t)upper;
        if (range->lower < range->upper && is_nothing_else(&search)) return symbol;
    }
    return NULL;
}
