#include "abstract/prepare/ghost_internal.h"

#include "abstract/request/named.h"
#include "expr/find.h"
#include "lang/check/check.h"
#include "lang/syntax/frame.h"
#include "lang/syntax/lex.h"
#include "lang/syntax/parse.h"
#include "lang/syntax/walk.h"

#include <assert.h>

/* Ghosts' updates stand nowhere in the document. */
bool is_ghost_update(const struct expr *item) {
    return item->kind == EXPR_ASSIGN && !item->span.begin;
}

/* Names */

static bool is_name(struct str name) {
    for (size_t i = 0; i < name.size; i++) {
        char c = name.data[i];
        bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!is_letter && !(i && c >= '0' && c <= '9')) return false;
    }
    return name.size > 0;
}

struct str ghost_owner(const struct ghost_definition *definition, struct str *name) {
    const struct text *apart = &definition->template;
    struct str all = str_trim(definition->name.content);
    size_t end = apart->begin ? 0 : all.size;
    while (end && all.data[end - 1] != '.') end--; /* the last, as in Voter(2..).m */
    struct str owner = {all.data, end ? end - 1 : 0};
    *name = (struct str){all.data + end, all.size - end};
    return apart->begin ? str_trim(apart->content) : owner;
}

static bool read_name(struct ghost_adder *adder, const char **name) {
    const struct text *text = &adder->ghost->definition->name;
    const struct text *apart = &adder->ghost->definition->template;
    struct str own, owner = ghost_owner(adder->ghost->definition, &own);
    for (uint32_t i = 0; owner.size && i < adder->model->template_count; i++)
        if (str_is(owner, adder->model->templates[i]->symbol->name))
            adder->ghost->template = adder->model->templates[i];
    if (owner.size && !adder->ghost->template)
        return diag_error(adder->diag, STATUS_USAGE, apart->begin ? apart->begin : text->begin,
                          "there is no template '%.*s'", (int)owner.size, owner.data);
    position at = text->begin + (position)(own.data - text->content.data);
    if (own.size && memchr(own.data, '@', own.size))
        return diag_error(adder->diag, STATUS_USAGE, at,
                          "'%.*s': write '@' and the locations of a merge after its expression",
                          (int)own.size, own.data);
    if (!is_name(own))
        return diag_error(
            adder->diag, STATUS_USAGE, at,
            "'%.*s' is no name for a variable; write Template.name, or name for a global "
            "one",
            (int)own.size, own.data);
    *name = intern(adder->model->names, own.data, own.size);
    if (is_reserved_word(*name) || is_query_word(*name))
        return diag_error(adder->diag, STATUS_USAGE, at, "'%s' is a keyword; choose another name",
                          *name);
    return true;
}

/* S4: the locations of the scope; what they rest at is for the request to read. */
static bool read_scope(struct ghost_adder *adder) {
    struct ghost *ghost = adder->ghost;
    const struct text *text = &ghost->definition->scope;
    const struct template *template = ghost->template;
    if (!template)
        return diag_error(adder->diag, STATUS_USAGE, text->begin,
                          "a global variable is merged in all locations; leave out '@'");
    ghost->scope =
        ARENA_ARRAY(adder->arena, bool, template->location_count + template->branchpoint_count);
    struct str list = text->content, name, rest;
    if (!str_trim(list).size)
        return diag_error(adder->diag, STATUS_USAGE, text->begin,
                          "the locations of the merge are missing");
    while (request_next_location(&list, &name, &rest)) {
        uint32_t location = location_named(template, name);
        if (location == UINT32_MAX)
            return diag_error(adder->diag, STATUS_USAGE, text->begin,
                              "template '%s' has no location '%.*s'", template->symbol->name,
                              (int)name.size, name.data);
        ghost->scope[location] = true;
    }
    return true;
}

struct bound_search {
    const char *name;
    bool found;
};

static bool find_bound(void *context, const struct expr *expr) {
    struct bound_search *search = context;
    search->found |= expr->bound && expr->bound->name == search->name;
    return !search->found;
}

/* Whether a name means something of its own in a label of the template or in a query. */
static bool is_bound_in_labels(const struct model *model, const struct template *template,
                               const char *name) {
    struct bound_search search = {name, false};
    for (uint32_t i = 0; i < template->edge_count && !search.found; i++) {
        const struct edge *edge = &template->edges[i];
        for (uint32_t k = 0; k < edge->select_count; k++)
            search.found |= edge->selects[k]->name == name;
        walk_labels(edge, find_bound, &search);
    }
    for (uint32_t i = 0; i < template->location_count && !search.found; i++)
        walk_expr(template->locations[i].written_invariant, find_bound, &search);
    for (uint32_t i = 0; i < model->query_count && !search.found; i++)
        walk_query(&model->queries[i], find_bound, &search);
    return search.found;
}

/* The template in which a global name, or one of the ghost's template, means something else. */
static const struct template *hiding_template(const struct ghost_adder *adder, const char *name) {
    const struct model *model = adder->model;
    const struct template *own = adder->ghost->template;
    for (uint32_t i = 0; i < model->template_count; i++) {
        const struct template *template = model->templates[i];
        if (own && own != template) continue;
        if ((!own && frame_find_here(template->frame, name)) ||
            is_bound_in_labels(model, template, name))
            return template;
    }
    return NULL;
}

static bool check_name(struct ghost_adder *adder, const char *name) {
    position at = adder->ghost->definition->name.begin;
    struct template *template = adder->ghost->template;
    const struct symbol *other = frame_find(template ? template->frame : adder->model->frame, name);
    if (other) {
        struct source_location place = source_locate(adder->diag->source, other->span.begin);
        if (!place.line) /* another merge, or Uppaal itself */
            return diag_error(adder->diag, STATUS_USAGE, at,
                              "'%s' is already declared; choose another name", name);
        return diag_error(adder->diag, STATUS_USAGE, at,
                          "'%s' is already declared in the model, at %u:%u; choose another name",
                          name, place.line, place.column);
    }
    const struct template *hiding = hiding_template(adder, name);
    if (!hiding) return true;
    return diag_error(adder->diag, STATUS_USAGE, at,
                      "'%s' means something else in template '%s'; choose another name", name,
                      hiding->symbol->name);
}

/* What f may name */

static bool is_hidden(struct ghost_adder *adder, const char *name, position at) {
    const struct template *hiding = hiding_template(adder, name);
    if (hiding)
        diag_error(adder->diag, STATUS_USAGE, at,
                   "'%s' means something else in a label of template '%s'", name,
                   hiding->symbol->name);
    return hiding != NULL;
}

static bool has_scalar(const struct type *type) {
    type = type_strip(type);
    bool found = type->kind == TYPE_SCALAR;
    for (uint32_t i = 0; i < type->field_count && !found; i++)
        found = has_scalar(type->fields[i].type);
    return found || (type->kind == TYPE_ARRAY &&
                     (has_scalar(type->element) || (type->index && has_scalar(type->index))));
}

static const char *why_not_scalar(const struct type *type, enum status *status) {
    type = type_strip(type);
    for (; type->kind == TYPE_ARRAY; type = type_strip(type->element))
        if (type->index && has_scalar(type->index)) {
            *status = STATUS_UNSUPPORTED;
            return "has a scalar set as its index, and a merge cannot name its cells; declare it "
                   "with a range, as int[0,2] for scalar[3]";
        }
    return type->kind == TYPE_SCALAR ? "is a scalar, which cannot be merged"
                                     : "holds scalars, which cannot be merged";
}

static struct declaration *declaration_in(const struct declaration_list *list,
                                          const struct symbol *symbol) {
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i] == symbol->declaration ||
            (list->items[i]->kind == DECLARATION_FUNCTION &&
             list->items[i]->function == symbol->function))
            return list->items[i];
    return NULL;
}

/* Templates have to see what v is made of. */
static bool check_place(struct ghost_adder *adder, const struct symbol *symbol, position at) {
    bool is_theirs = !declaration_in(&adder->model->system_declarations, symbol);
    if (!is_theirs)
        diag_error(adder->diag, STATUS_USAGE, at,
                   "'%s' is declared in the system section, where templates do not see it",
                   symbol->name);
    return is_theirs;
}

static bool check_variable(struct ghost_adder *adder, const struct expr *expr) {
    const struct symbol *symbol = expr->symbol;
    const struct template *template = adder->ghost->template;
    position at = expr->span.begin;
    const char *what = NULL;
    enum status status = STATUS_USAGE;
    if (!check_place(adder, symbol, at)) return false;
    if (symbol->scope == SCOPE_FRAME || (symbol_is_const(symbol) && symbol->scope == SCOPE_GLOBAL))
        return symbol->scope == SCOPE_FRAME || !is_hidden(adder, symbol->name, at);
    if (symbol->kind == SYMBOL_VARIABLE && symbol_is_const(symbol))
        what = "is a constant of a template; use a global one";
    else if (symbol->kind != SYMBOL_VARIABLE || !symbol_is_variable(symbol))
        what = "is no variable";
    else if (has_scalar(symbol->type))
        what = why_not_scalar(symbol->type, &status);
    else if (type_prefixes(symbol->type) & PREFIX_META)
        what = "is a meta variable, which does not keep its value";
    else if (template && symbol->scope == SCOPE_GLOBAL)
        what = "is global; variables of a template and global ones cannot be merged into one";
    else if (symbol->declaration && !symbol->declaration->span.begin)
        what = "is merged itself; write what it stands for";
    if (!what) return true;
    return diag_error(adder->diag, status, at, "'%s' %s", symbol->name, what);
}

static bool visit_value(void *context, const struct expr *expr) {
    struct ghost_adder *adder = context;
    uint32_t before = adder->diag->error_count;
    if (expr->kind == EXPR_NAME && expr->symbol && expr->symbol->kind != SYMBOL_FUNCTION)
        check_variable(adder, expr);
    const struct symbol *other =
        expr->bound ? frame_find(adder->model->frame, expr->bound->name) : NULL;
    if (other && other->kind == SYMBOL_TYPE)
        diag_error(adder->diag, STATUS_USAGE, expr->span.begin,
                   "a bound variable cannot be named like the type '%s' here; rename it",
                   other->name);
    if (expr->bound && expr->bound->type->kind == TYPE_NAMED &&
        check_place(adder, expr->bound->type->symbol, expr->span.begin))
        is_hidden(adder, expr->bound->type->name, expr->span.begin);
    if (expr->kind == EXPR_CALL && expr->symbol && expr->symbol->function) {
        if (!expr->symbol->function->is_compile_time)
            diag_error(adder->diag, STATUS_USAGE, expr->span.begin,
                       "the function '%s' reads variables; write out what it computes",
                       expr->symbol->name);
        if (check_place(adder, expr->symbol, expr->span.begin))
            is_hidden(adder, expr->symbol->name, expr->span.begin);
    }
    return adder->diag->error_count == before;
}

/* What the type of v names. */
static bool visit_type(void *context, const struct expr *expr) {
    struct ghost_adder *adder = context;
    bool is_named = expr->kind == EXPR_NAME || expr->kind == EXPR_CALL;
    return !is_named || !expr->symbol || check_place(adder, expr->symbol, expr->span.begin);
}

/* Cells */

static bool find_open(void *context, const struct expr *expr) {
    bool *is_open = context;
    *is_open |= expr->kind == EXPR_NAME && expr->symbol &&
                (expr->symbol->scope == SCOPE_FRAME || symbol_is_variable(expr->symbol)) &&
                !symbol_is_const(expr->symbol);
    return !*is_open;
}

static void add_cell(struct ghost_adder *adder, const struct symbol *symbol, uint32_t offset) {
    assert(symbol->kind == SYMBOL_VARIABLE);
    struct ghost *ghost = adder->ghost;
    for (uint32_t i = 0; i < ghost->cells.count; i++)
        if (ghost->cells.items[i].symbol == symbol && ghost->cells.items[i].offset == offset)
            return;
    VEC_PUSH(adder->arena, &ghost->cells, (struct ghost_cell){symbol, offset});
}

struct cell_search {
    struct ghost_adder *adder;
    struct environment *environment;
    const struct process *process;
};

/* The cells of a path: of the whole variable where an index is not constant. */
static bool visit_path(void *context, const struct expr *expr) {
    struct cell_search *search = context;
    if (!expr_is_path(expr)) return true;
    const struct symbol *root = expr_root(expr);
    if (!root || root->scope == SCOPE_FRAME || root->kind != SYMBOL_VARIABLE ||
        symbol_is_const(root))
        return true;
    const struct binding *all = variable_binding(search->adder->network, search->process, root);
    struct binding place = *all;
    bool is_open = false;
    for (const struct expr *at = expr; at->kind != EXPR_NAME; at = at->child[0])
        if (at->kind == EXPR_INDEX) walk_expr(at->child[1], find_open, &is_open);
    if (!is_open && !eval_lvalue(search->environment, expr, &place)) place = *all;
    search->environment->fault = (struct fault){0};
    assert(place.address >= all->address &&
           place.address - all->address + place.shape->cell_count <= all->shape->cell_count);
    for (uint32_t i = 0; i < place.shape->cell_count; i++)
        add_cell(search->adder, root, place.address - all->address + i);
    for (const struct expr *at = expr; at->kind != EXPR_NAME; at = at->child[0])
        if (at->kind == EXPR_INDEX) walk_expr(at->child[1], visit_path, search);
    return false;
}

static bool find_cells(struct ghost_adder *adder) {
    struct environment environment;
    const struct network *network = adder->network;
    struct cell_search search = {adder, &environment, NULL};
    network_environment(network, &environment, adder->arena);
    for (uint32_t p = 0; p < network->process_count && !search.process; p++)
        if (network->processes[p].template == adder->ghost->template)
            search.process = &network->processes[p];
    const struct text *text = &adder->ghost->definition->value;
    bool ok = !adder->ghost->template || search.process;
    if (!ok)
        diag_error(adder->diag, STATUS_USAGE, text->begin,
                   "template '%s' has no process in the system line",
                   adder->ghost->template->symbol->name);
    environment.locals = search.process ? search.process->locals : NULL;
    if (ok) walk_expr(adder->ghost->value, visit_path, &search);
    eval_close(&environment);
    if (ok && !adder->ghost->cells.count)
        return diag_error(adder->diag, STATUS_USAGE, text->begin, "this reads no variable");
    return ok;
}

/* Types */

bool ghost_refuse_type(struct ghost_adder *adder) {
    return diag_error(adder->diag, STATUS_USAGE, adder->ghost->definition->type.begin,
                      "this must be an int or bool type whose range can be computed");
}

/* A clock would run by itself, a meta variable lose its value. */
static bool check_type(struct ghost_adder *adder, const struct type *type) {
    enum type_kind kind = type_strip(type)->kind;
    if (type_prefixes(type))
        return diag_error(adder->diag, STATUS_USAGE, adder->ghost->definition->type.begin,
                          "this must be a plain type");
    return kind == TYPE_INT || kind == TYPE_BOOL || ghost_refuse_type(adder);
}

/* Edges */

/* v gets the value of f at the end of the edge, or rests (S4, S6). */
enum ghost_change { GHOST_STAYS, GHOST_FOLLOWS, GHOST_RESTS };

static enum ghost_change change_on(const struct ghost *ghost, const struct edge *edge,
                                   struct effects_table *table) {
    bool is_before = !ghost->scope || ghost->scope[edge->source];
    bool is_after = !ghost->scope || ghost->scope[edge->target];
    if (is_before != is_after) return is_after ? GHOST_FOLLOWS : GHOST_RESTS;
    struct effects effects = {0};
    effects_add_list(table, &effects, &edge->updates);
    bool writes = false;
    for (uint32_t i = 0; i < ghost->cells.count && is_after && !writes; i++)
        writes = effects_writes(&effects, ghost->cells.items[i].symbol);
    return writes ? GHOST_FOLLOWS : GHOST_STAYS;
}

static bool adds_to_edge(struct ghost_adder *adder, struct edge *edge,
                         struct effects_table *table) {
    struct ghost *ghost = adder->ghost;
    assert(ghost->cells.count && ghost->symbol); /* or nothing would ever set it */
    enum ghost_change change = change_on(ghost, edge, table);
    if (change == GHOST_STAYS) return true;
    struct model *model = adder->model;
    struct expr *update = ARENA_NEW(adder->arena, struct expr);
    struct expr *target = ARENA_NEW(adder->arena, struct expr);
    bool is_bool = type_strip(ghost->symbol->type)->kind == TYPE_BOOL;
    struct expr *value = change == GHOST_RESTS
                             ? ghost_constant(adder, ghost->rest, is_bool)
                             : model_parse_expr(model, ghost->template, &ghost->definition->value,
                                                &edge->frame_size);
    if (!value) return false;
    *target = (struct expr){
        .kind = EXPR_NAME, .name = ghost->symbol->name, .symbol = ghost->symbol, .depth = 1};
    *update = (struct expr){
        .kind = EXPR_ASSIGN, .op = OP_ASSIGN, .child = {target, value}, .depth = value->depth + 1};
    struct expr **items = ARENA_ARRAY(adder->arena, struct expr *, edge->updates.count + 1);
    for (uint32_t i = 0; i < edge->updates.count; i++) items[i] = edge->updates.items[i];
    items[edge->updates.count++] = update;
    edge->updates.items = items;
    return model_check_update(model, update);
}

static bool add_to_edges(struct ghost_adder *adder) {
    struct model *model = adder->model;
    struct effects_table table;
    effects_table_init(&table, adder->arena);
    for (uint32_t t = 0; t < model->template_count; t++) {
        struct template *template = model->templates[t];
        if (adder->ghost->template && adder->ghost->template != template) continue;
        for (uint32_t i = 0; i < template->edge_count; i++)
            if (!adds_to_edge(adder, &template->edges[i], &table)) return false;
    }
    return true;
}

/* The last of the declarations that v has to come after. */
static void raise_anchor(struct ghost_adder *adder, const struct symbol *symbol) {
    struct ghost *ghost = adder->ghost;
    const struct declaration_list *list =
        ghost->template ? &ghost->template->declarations : &adder->model->declarations;
    struct declaration *own = symbol ? declaration_in(list, symbol) : NULL;
    if (own && (!ghost->anchor || own->span.begin > ghost->anchor->span.begin)) ghost->anchor = own;
}

static bool find_declaration(void *context, const struct expr *expr) {
    if (expr->kind == EXPR_NAME || expr->kind == EXPR_CALL) raise_anchor(context, expr->symbol);
    if (expr->bound) raise_anchor(context, expr->bound->type->symbol);
    return true;
}

static void find_anchor(struct ghost_adder *adder) {
    struct ghost *ghost = adder->ghost;
    const struct type *type = ghost->symbol->type;
    for (uint32_t i = 0; i < ghost->cells.count; i++) {
        const struct symbol *symbol = ghost->cells.items[i].symbol;
        if (!i || symbol != ghost->cells.items[i - 1].symbol) raise_anchor(adder, symbol);
    }
    raise_anchor(adder, type->symbol);
    walk_type(type, find_declaration, adder);
    if (ghost->symbol->initialiser)
        walk_expr(ghost->symbol->initialiser->expr, find_declaration, adder);
    assert(ghost->anchor && ghost->anchor != ghost->symbol->declaration);
}

static bool add(struct ghost_adder *adder) {
    struct ghost *ghost = adder->ghost;
    struct model *model = adder->model;
    const struct ghost_definition *definition = ghost->definition;
    const char *name = NULL;
    uint32_t frame_size = 0;
    if (!read_name(adder, &name) || !check_name(adder, name)) return false;
    if (definition->scope.begin && !read_scope(adder)) return false;
    struct type *type = model_parse_type(model, ghost->template, &definition->type);
    struct expr *value =
        type ? model_parse_expr(model, ghost->template, &definition->value, &frame_size) : NULL;
    if (!value || !model_check_value(model, value, "a merged value")) return false;
    uint32_t before = adder->diag->error_count;
    walk_expr(value, visit_value, adder);
    if (type->symbol) check_place(adder, type->symbol, definition->type.begin);
    walk_type(type, visit_type, adder);
    if (adder->diag->error_count > before) return false;
    const struct symbol *parameter =
        ghost_parameter_behind(adder->arena, ghost->template, value, type);
    if (parameter)
        return diag_error(
            adder->diag, STATUS_USAGE, definition->value.begin,
            "this depends on the parameter '%s', by a function, a type or a constant, "
            "and differs from process to process; write out what it stands for",
            parameter->name);
    ghost->value = value;
    if (!check_type(adder, type)) return false;
    if (type_strip(type)->kind == TYPE_BOOL && type_strip(value->type)->kind != TYPE_BOOL)
        return diag_error(adder->diag, STATUS_USAGE, definition->value.begin,
                          "this is no bool as the type says; write it as a condition");
    ghost->symbol = model_add_variable(model, ghost->template, name, type);
    assert((ghost->symbol->scope == SCOPE_TEMPLATE) == (ghost->template != NULL));
    ghost->symbol->is_ghost = true;
    if (!model_check_variable(model, ghost->symbol) || !find_cells(adder) ||
        !ghost_initialise(adder))
        return false;
    find_anchor(adder);
    return add_to_edges(adder);
}

bool ghosts_add(struct ghost_list *ghosts, struct model *model, const struct network *network,
                const struct ghost_definition *definitions, uint32_t count) {
    struct ghost_adder adder = {model, network, model->arena, model->diag, NULL, false};
    assert(network->model == model);
    for (uint32_t i = 0; i < count; i++) {
        adder.ghost = ARENA_NEW(adder.arena, struct ghost);
        adder.ghost->definition = &definitions[i];
        if (!add(&adder)) return false;
        VEC_PUSH(adder.arena, &ghosts->list, adder.ghost);
    }
    return true;
}
