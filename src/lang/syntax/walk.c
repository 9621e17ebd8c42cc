#include "lang/syntax/walk.h"

/* Stops at the first one; false for NULL. */
bool expr_any(const struct expr *expr, expr_test is, const void *context) {
    if (!expr) return false;
    if (is(context, expr)) return true;
    for (int i = 0; i < 3; i++)
        if (expr_any(expr->child[i], is, context)) return true;
    for (uint32_t i = 0; i < expr->argument_count; i++)
        if (expr_any(expr->arguments[i], is, context)) return true;
    return false;
}

static bool is_of_kind(const void *kind, const struct expr *expr) {
    return expr->kind == *(const enum expr_kind *)kind;
}

bool expr_has(const struct expr *expr, enum expr_kind kind) {
    return expr_any(expr, is_of_kind, &kind);
}

bool query_has(const struct query *query, enum expr_kind kind) {
    bool has = expr_has(query->predicate, kind);
    for (uint32_t i = 0; i < query->expr_count; i++) has |= expr_has(query->exprs[i], kind);
    return has;
}

void walk_type(const struct type *type, expr_visitor visit, void *context) {
    if (!type || type->kind == TYPE_NAMED) return;
    walk_expr(type->lower, visit, context);
    walk_expr(type->upper, visit, context);
    walk_expr(type->size, visit, context);
    walk_type(type->index, visit, context);
    walk_type(type->element, visit, context);
    for (uint32_t i = 0; i < type->field_count; i++)
        walk_type(type->fields[i].type, visit, context);
}

/* Outermost first; what is below is left out where visit gives false. NULL is fine. */
void walk_expr(const struct expr *expr, expr_visitor visit, void *context) {
    if (!expr || !visit(context, expr)) return;
    if (expr->bound) walk_type(expr->bound->type, visit, context);
    for (int i = 0; i < 3; i++) walk_expr(expr->child[i], visit, context);
    for (uint32_t i = 0; i < expr->argument_count; i++)
        walk_expr(expr->arguments[i], visit, context);
}

/* In order. */
void walk_list(const struct expr_list *list, expr_visitor visit, void *context) {
    for (uint32_t i = 0; i < list->count; i++) walk_expr(list->items[i], visit, context);
}

void walk_initialiser(const struct initialiser *initialiser, expr_visitor visit, void *context) {
    if (!initialiser) return;
    walk_expr(initialiser->expr, visit, context);
    for (uint32_t i = 0; i < initialiser->item_count; i++)
        walk_initialiser(initialiser->items[i], visit, context);
}

void walk_statement(const struct statement *statement, expr_visitor visit, void *context) {
    if (!statement) return;
    walk_expr(statement->expr, visit, context);
    walk_list(&statement->first, visit, context);
    walk_list(&statement->condition, visit, context);
    walk_list(&statement->step, visit, context);
    if (statement->bound) walk_type(statement->bound->type, visit, context);
    walk_statement(statement->body, visit, context);
    walk_statement(statement->other, visit, context);
    for (uint32_t i = 0; i < statement->declaration_count; i++) {
        const struct declaration *declaration = statement->declarations[i];
        for (uint32_t k = 0; k < declaration->declarator_count; k++) {
            walk_type(declaration->declarators[k].symbol->type, visit, context);
            walk_initialiser(declaration->declarators[k].symbol->initialiser, visit, context);
        }
    }
    for (uint32_t i = 0; i < statement->statement_count; i++)
        walk_statement(statement->statements[i], visit, context);
}

void walk_functions(const struct declaration_list *list, expr_visitor visit, void *context) {
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i]->function)
            walk_statement(list->items[i]->function->body, visit, context);
}

void walk_functions_and_hooks(const struct declaration_list *list, expr_visitor visit,
                              void *context) {
    walk_functions(list, visit, context);
    for (uint32_t i = 0; i < list->count; i++) walk_list(&list->items[i]->hook, visit, context);
}

void walk_labels(const struct edge *edge, expr_visitor visit, void *context) {
    walk_expr(edge->written_guard, visit, context);
    walk_expr(edge->sync, visit, context);
    walk_list(&edge->updates, visit, context);
}

void walk_query(const struct query *query, expr_visitor visit, void *context) {
    walk_expr(query->predicate, visit, context);
    for (uint32_t i = 0; i < query->expr_count; i++) walk_expr(query->exprs[i], visit, context);
}

void walk_progress(const struct model *model, expr_visitor visit, void *context) {
    for (uint32_t i = 0; i < model->progress_count; i++) {
        walk_expr(model->progress[i].guard, visit, context);
        walk_expr(model->progress[i].measure, visit, context);
    }
}

void walk_gantt(const struct model *model, expr_visitor visit, void *context) {
    for (uint32_t i = 0; i < model->gantt_count; i++)
        for (uint32_t k = 0; k < model->gantt[i].expr_count; k++)
            walk_expr(model->gantt[i].exprs[k], visit, context);
}

struct name_search {
    const char *name;
    bool found;
};

static bool binds_name(void *context, const struct expr *expr) {
    struct name_search *search = context;
    if (expr->bound && expr->bound->name == search->name) search->found = true;
    return !search->found;
}

bool statement_declares(const struct statement *statement, const char *name) {
    if (!statement) return false;
    struct name_search search = {name, false};
    walk_statement(statement, binds_name, &search);
    if (search.found || (statement->bound && statement->bound->name == name)) return true;
    for (uint32_t i = 0; i < statement->declaration_count; i++)
        for (uint32_t k = 0; k < statement->declarations[i]->declarator_count; k++)
            if (statement->declarations[i]->declarators[k].symbol->name == name) return true;
    for (uint32_t i = 0; i < statement->statement_count; i++)
        if (statement_declares(statement->statements[i], name)) return true;
    return statement_declares(statement->body, name) || statement_declares(statement->other, name);
}

struct type_search {
    bool (*is_wanted)(const void *context, const struct symbol *symbol);
    const void *context;
    const struct symbol *found;
};

static bool offer_name(void *user, const struct expr *expr) {
    struct type_search *search = user;
    if ((expr->kind == EXPR_NAME || expr->kind == EXPR_CALL) && expr->symbol && !search->found &&
        search->is_wanted(search->context, expr->symbol))
        search->found = expr->symbol;
    return !search->found;
}

static void search_type(struct type_search *search, const struct type *type) {
    if (!type || search->found) return;
    if (type->kind == TYPE_NAMED && search->is_wanted(search->context, type->symbol))
        search->found = type->symbol;
    if (type->kind == TYPE_NAMED) return;
    walk_expr(type->lower, offer_name, search);
    walk_expr(type->upper, offer_name, search);
    walk_expr(type->size, offer_name, search);
    search_type(search, type->index);
    search_type(search, type->element);
    for (uint32_t i = 0; i < type->field_count; i++) search_type(search, type->fields[i].type);
}

const struct symbol *type_find_name(const struct type *type,
                                    bool (*is_wanted)(const void *context,
                                                      const struct symbol *symbol),
                                    const void *context) {
    struct type_search search = {is_wanted, context, NULL};
    search_type(&search, type);
    return search.found;
}
