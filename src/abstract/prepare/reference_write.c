/* The edits that put variables in place of reference parameters. */
#include "abstract/prepare/reference_write.h"

#include "abstract/prepare/reference_internal.h"
#include "lang/syntax/frame.h"
#include "lang/syntax/walk.h"

#include <assert.h>
#include <stdlib.h>

void reference_edit(struct replacer *replacer, struct span span, const char *text) {
    assert(text && span.begin <= span.end);
    if (span.begin < span.end)
        VEC_PUSH(replacer->arena, &replacer->edits, (struct text_edit){span, str_of(text)});
}

/* Uses */

static void rename_symbol(struct replacer *replacer, const struct symbol *symbol) {
    if (map_get(&replacer->name_of, map_key(symbol))) return;
    const char *name = intern_fresh(replacer->model->names, symbol->name);
    map_put(&replacer->name_of, map_key(symbol), (void *)(uintptr_t)name);
    reference_edit(replacer, symbol->span, name);
}

/* Whether something is named like a type, which may have to be named there, or which no parameter
 * or local of a function can hide once a variable of the template that does is gone. */
static bool hides_type(const struct replacer *replacer, const struct symbol *symbol) {
    if (symbol->kind == SYMBOL_TYPE) return false;
    const struct symbol *hidden = frame_find(replacer->frame, symbol->name);
    const struct symbol *outer = frame_find(replacer->model->frame, symbol->name);
    return (hidden && hidden->kind == SYMBOL_TYPE) || (outer && outer->kind == SYMBOL_TYPE);
}

/* Gives what a function, an edge or a quantifier declares another name if it hides a variable or a
 * type. */
static void declare(struct replacer *replacer, const struct symbol *symbol) {
    bool hides = symbol && hides_type(replacer, symbol);
    for (uint32_t i = 0; symbol && i < replacer->roots.count; i++)
        hides |= symbol->name == replacer->roots.items[i];
    if (hides && symbol->kind != SYMBOL_TYPE) {
        rename_symbol(replacer, symbol);
    } else if (hides) {
        diag_error(replacer->diag, STATUS_UNSUPPORTED, symbol->span.begin,
                   "'%s' cannot be removed: it is passed to a template that has a type of that "
                   "name here; rename one of them",
                   symbol->name);
        replacer->is_refused = true;
    }
}

/* The part of a variable, with the parameters for its indices, also of a process from outside. */
static const char *part_text(struct replacer *replacer, const struct change *change,
                             struct str process) {
    struct buffer text = {0};
    uint32_t i = 0;
    if (change->text) return change->text;
    for (const char *c = change->form; *c; c++) {
        buffer_add(&text, c, 1);
        assert(*c != '[' || i < change->index_count);
        if (*c == '[')
            buffer_printf(&text, "%.*s%s%s", (int)process.size, process.data,
                          process.size ? "." : "", change->names[i++]);
    }
    assert(i == change->index_count); /* a parameter for each bracket */
    return buffer_finish(&text, replacer->arena);
}

static bool visit(void *context, const struct expr *expr);

/* The process of Process.parameter after the edits that its arguments need. */
static struct str process_text(struct replacer *replacer, const struct expr *process) {
    struct text text = {.content = document_text(replacer->model->document, process->span),
                        .begin = process->span.begin};
    uint32_t before = replacer->edits.count;
    walk_expr(process, visit, replacer);
    uint32_t count = replacer->edits.count - before;
    if (!count) return text.content;
    struct text_edit *edits = replacer->edits.items + before;
    text_edits_sort(edits, count);
    replacer->edits.count = before;
    return text_edited(replacer->arena, &text, edits, count);
}

static bool visit(void *context, const struct expr *expr) {
    struct replacer *replacer = context;
    if (expr->kind == EXPR_QUANTIFY) declare(replacer, expr->bound);
    if (!expr->symbol || (expr->kind != EXPR_NAME && expr->kind != EXPR_FIELD)) return true;
    const struct change *change = map_get(&replacer->change_of, map_key(expr->symbol));
    const char *name = map_get(&replacer->name_of, map_key(expr->symbol));
    if (change) {
        struct str process = {NULL, 0};
        if (expr->kind == EXPR_FIELD) process = process_text(replacer, expr->child[0]);
        const char *text = part_text(replacer, change, process);
        if (expr->kind == EXPR_FIELD || strcmp(text, expr->name) != 0)
            reference_edit(replacer, expr->span, text);
    }
    if (name) /* after the dot of Process.name */
        reference_edit(
            replacer,
            (struct span){expr->span.end - (position)strlen(expr->symbol->name), expr->span.end},
            name);
    return !change;
}

static void declare_in(struct replacer *replacer, const struct statement *statement) {
    if (!statement) return;
    declare(replacer, statement->bound);
    for (uint32_t i = 0; i < statement->declaration_count; i++)
        for (uint32_t k = 0; k < statement->declarations[i]->declarator_count; k++)
            declare(replacer, statement->declarations[i]->declarators[k].symbol);
    for (uint32_t i = 0; i < statement->statement_count; i++)
        declare_in(replacer, statement->statements[i]);
    declare_in(replacer, statement->body);
    declare_in(replacer, statement->other);
}

static void visit_function(struct replacer *replacer, const struct function *function) {
    for (uint32_t k = 0; k < function->parameter_count; k++) {
        declare(replacer, function->parameters[k]);
        walk_type(function->parameters[k]->type, visit, replacer);
    }
    declare_in(replacer, function->body);
    walk_statement(function->body, visit, replacer);
}

/* The global ones, which see no parameters. */
static void visit_functions(struct replacer *replacer) {
    const struct declaration_list *list = &replacer->model->declarations;
    replacer->frame = replacer->model->frame;
    for (uint32_t i = 0; i < list->count && replacer->model->hides_types; i++)
        if (list->items[i]->kind == DECLARATION_FUNCTION)
            visit_function(replacer, list->items[i]->function);
}

static void visit_template(struct replacer *replacer, const struct template *template) {
    const struct declaration_list *list = &template->declarations;
    replacer->frame = template->frame;
    for (uint32_t k = 0; k < template->parameter_count; k++)
        if (!map_get(&replacer->change_of, map_key(template->parameters[k])))
            walk_type(template->parameters[k]->type, visit, replacer);
    struct statement variables = {.declarations = list->items, .declaration_count = list->count};
    walk_statement(&variables, visit, replacer);
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i]->kind == DECLARATION_FUNCTION)
            visit_function(replacer, list->items[i]->function);
    for (uint32_t l = 0; l < template->location_count; l++)
        walk_expr(template->locations[l].written_invariant, visit, replacer);
    for (uint32_t e = 0; e < template->edge_count; e++) {
        const struct edge *edge = &template->edges[e];
        for (uint32_t k = 0; k < edge->select_count; k++) {
            declare(replacer, edge->selects[k]);
            walk_type(edge->selects[k]->type, visit, replacer);
        }
        walk_labels(edge, visit, replacer);
        walk_expr(edge->weight, visit, replacer);
    }
}

static bool finds_change(void *context, const struct expr *expr) {
    struct replacer *replacer = context;
    replacer->is_found |= expr->symbol && (map_get(&replacer->change_of, map_key(expr->symbol)) ||
                                           map_get(&replacer->name_of, map_key(expr->symbol)));
    return !replacer->is_found;
}

/* An expression where nothing is declared; it stays as it is unless it says Process.parameter. */
static void visit_whole(struct replacer *replacer, const struct expr *expr) {
    replacer->is_found = false;
    walk_expr(expr, finds_change, replacer);
    if (replacer->is_found) walk_expr(expr, visit, replacer);
}

/* Queries, progress measures and gantt entries. */
static void visit_outside(struct replacer *replacer) {
    const struct model *model = replacer->model;
    for (uint32_t i = 0; i < model->query_count; i++) {
        const struct query *query = &model->queries[i];
        if (query->quantifier == QUERY_INVALID) continue;
        visit_whole(replacer, query->predicate);
        for (uint32_t k = 0; k < query->expr_count; k++) visit_whole(replacer, query->exprs[k]);
    }
    for (uint32_t i = 0; i < model->progress_count; i++) {
        visit_whole(replacer, model->progress[i].guard);
        visit_whole(replacer, model->progress[i].measure);
    }
    for (uint32_t i = 0; i < model->gantt_count; i++) {
        const struct gantt_entry *entry = &model->gantt[i];
        replacer->is_found = false;
        for (uint32_t k = 0; k < entry->expr_count; k++)
            walk_expr(entry->exprs[k], finds_change, replacer);
        for (uint32_t k = 0; k < entry->bound.count && replacer->is_found; k++)
            declare(replacer, entry->bound.items[k]);
        for (uint32_t k = 0; k < entry->expr_count; k++) visit_whole(replacer, entry->exprs[k]);
    }
}

/* Parameters */

static bool refuse(struct replacer *replacer, const struct template *template,
                   const struct symbol *parameter, position at, const char *name, const char *why) {
    return diag_error(
        replacer->diag, STATUS_UNSUPPORTED, at,
        "'%s' cannot be removed: it is passed to the reference parameter '%s' of '%s', %s", name,
        parameter->name, template->symbol->name, why);
}

static bool is_of_system(const struct model *model, const struct symbol *symbol) {
    const struct declaration_list *list = &model->system_declarations;
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i] == symbol->declaration) return true;
    return false;
}

/* Whether what a parameter stands for can be said in the template, once names that are not used
 * have changed. */
static bool can_say(struct replacer *replacer, const struct template *template, uint32_t k,
                    const struct changes *changes, const char *name) {
    const struct symbol *parameter = template->parameters[k];
    const struct model *model = replacer->model;
    const struct symbol *variable = frame_find_here(model->frame, name);
    const struct symbol *hiding = frame_find_here(template->frame, name);
    for (uint32_t i = 0; i < template->parameter_count && hiding; i++)
        if (changes->of[i].is_any && template->parameters[i] == hiding) hiding = NULL;
    VEC_PUSH(replacer->arena, &replacer->roots, name);
    if (is_of_system(model, variable))
        return refuse(replacer, template, parameter, variable->span.begin, name,
                      "which does not see the system section; declare it with the other global "
                      "variables");
    bool is_value = hiding && (hiding->kind == SYMBOL_PARAMETER || hiding->kind == SYMBOL_VARIABLE);
    if (hiding && (is_value ? !symbol_is_variable(hiding) : hiding->kind == SYMBOL_FUNCTION))
        rename_symbol(replacer, hiding);
    else if (hiding)
        return refuse(replacer, template, parameter, hiding->span.begin, name,
                      "which has something else of that name; rename one of them");
    return true;
}

/* Names of parameters for the indices; the first takes that of the parameter unless something
 * global has it, which may be what is to stand there, or be named as what is to be removed. */
void reference_name_indices(struct replacer *replacer, struct change *change,
                            const struct symbol *parameter) {
    bool is_free = !frame_find_here(replacer->model->frame, parameter->name);
    change->names = ARENA_ARRAY(replacer->arena, const char *, change->index_count + 1);
    for (uint32_t i = 0; i < change->index_count; i++)
        change->names[i] =
            !i && is_free ? parameter->name : intern_fresh(replacer->model->names, parameter->name);
}

/* Finds what all processes of a template bind a parameter to, and so what takes its place. False
 * if that is no variable that is wanted. */
static bool find_change(struct replacer *replacer, const struct template *template,
                        const struct symbol *parameter, struct change *change,
                        const char **variable) {
    const struct network *network = replacer->network;
    struct reference_path path;
    for (uint32_t p = 0; p < network->process_count; p++) {
        if (network->processes[p].template != template) continue;
        if (!reference_find(replacer->references, network, &network->processes[p], parameter, &path,
                            replacer->arena)) {
            assert(!change->is_any);
            return false;
        }
        assert(!change->is_any || !strcmp(change->form, path.form));
        if (!change->is_any || (change->text && strcmp(change->text, path.text) != 0))
            change->text = change->is_any || path.has_scalar ? NULL : path.text;
        change->is_any = true;
        change->form = path.form;
    }
    if (!change->is_any) return false;
    change->types = path.indices.items;
    change->index_count = change->text ? 0 : path.indices.count;
    reference_name_indices(replacer, change, parameter);
    assert(change->form && (change->text || change->index_count));
    *variable = path.variable;
    return true;
}

static bool replace_in_template(struct replacer *replacer, const struct template *template) {
    struct changes *changes = ARENA_NEW(replacer->arena, struct changes);
    uint32_t count = template->parameter_count;
    const char **variables = ARENA_ARRAY(replacer->arena, const char *, count + 1);
    changes->of = ARENA_ARRAY(replacer->arena, struct change, count + 1);
    for (uint32_t k = 0; k < count; k++)
        changes->is_any |= find_change(replacer, template, template->parameters[k], &changes->of[k],
                                       &variables[k]);
    replacer->roots.count = 0;
    for (uint32_t k = 0; k < count; k++) {
        const struct symbol *parameter = template->parameters[k];
        if (!changes->of[k].is_any) continue;
        if (!can_say(replacer, template, k, changes, variables[k])) return false;
        map_put(&replacer->change_of, map_key(parameter), &changes->of[k]);
        VEC_PUSH(replacer->arena, &replacer->references->list,
                 (struct reference){template->symbol->name, parameter->name,
                                    part_text(replacer, &changes->of[k], (struct str){NULL, 0})});
    }
    if (changes->is_any) map_put(&replacer->changes_of, map_key(template->symbol), changes);
    if (changes->is_any || replacer->model->hides_types) visit_template(replacer, template);
    return true;
}

/* Edits */

/* In order, and once: declarators share their types. */
static void sort_edits(struct replacer *replacer) {
    struct text_edit *edits = replacer->edits.items;
    uint32_t count = 0;
    text_edits_sort(edits, replacer->edits.count);
    for (uint32_t i = 0; i < replacer->edits.count; i++)
        if (!count || edits[i].span.begin != edits[count - 1].span.begin) edits[count++] = edits[i];
    assert(count <= replacer->edits.count && (count || !replacer->edits.count));
    replacer->edits.count = count;
}

static void note_queries(struct replacer *replacer) {
    const struct model *model = replacer->model;
    for (uint32_t i = 0; i < model->query_count; i++) {
        uint32_t count;
        const struct query *query = &model->queries[i];
        const struct element *formula = query->xml->formula;
        if (!formula) continue;
        const struct text_edit *edits =
            text_edits_in(&formula->text, replacer->edits.items, replacer->edits.count, &count);
        if (!count) continue;
        struct str after = text_edited(replacer->arena, &formula->text, edits, count);
        VEC_PUSH(replacer->arena, &replacer->references->queries,
                 (struct changed_query){formula->text.content.data, after.data, query->span.begin});
    }
}

bool references_replace(struct references *references, struct splices *splices,
                        const struct network *network, struct diag *diag) {
    struct replacer replacer = {.arena = splices->arena,
                                .references = references,
                                .network = network,
                                .model = network->model,
                                .diag = diag};
    map_init(&replacer.change_of, splices->arena);
    map_init(&replacer.name_of, splices->arena);
    map_init(&replacer.changes_of, splices->arena);
    map_init(&replacer.used, splices->arena);
    map_init(&replacer.gone, splices->arena);
    bool ok = true;
    visit_functions(&replacer);
    for (uint32_t t = 0; t < network->model->template_count; t++)
        ok &= replace_in_template(&replacer, network->model->templates[t]);
    if (!ok || replacer.is_refused) return false;
    replacer.roots.count = 0;
    for (uint32_t i = 0; i < references->wanted.count; i++)
        VEC_PUSH(splices->arena, &replacer.roots, references->wanted.items[i]);
    replacer.frame = network->model->frame;
    visit_outside(&replacer);
    if (!references_replace_lists(&replacer)) return false;
    sort_edits(&replacer);
    note_queries(&replacer);
    splice_edit_texts(splices, replacer.edits.items, replacer.edits.count);
    return true;
}
