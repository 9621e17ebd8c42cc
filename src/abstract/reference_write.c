/* The edits that put variables in place of reference parameters. */
#include "abstract/form.h"
#include "abstract/generate.h"
#include "abstract/reference.h"

#include "lang/lex.h"
#include "lang/scope.h"
#include "lang/walk.h"

#include <assert.h>
#include <stdlib.h>

/* What becomes of a parameter. */
struct change {
    bool is_any;          /* it goes, */
    const char *form;     /* for a part of this form (of a template's parameter) */
    const char *text;     /* which is this everywhere, or NULL: parameters for the indices come */
    const char **types;   /* of the indices */
    const char **names;   /* of these parameters */
    uint32_t index_count; /* 0 if text is known */
};

struct changes {
    struct change *of; /* by parameter */
    bool is_any;
};

struct replacer {
    struct arena *arena;
    struct references *references;
    const struct network *network;
    const struct model *model;
    struct diag *diag;
    struct map change_of;    /* by parameter of a template: its change */
    struct map name_of;      /* by symbol: its new name */
    struct map changes_of;   /* by symbol of a template or instantiation */
    struct map used, gone;   /* instantiations: that processes come from, that are left out */
    VEC(const char *) roots; /* names that must not be hidden where the walk goes on */
    VEC(struct text_edit) edits;
};

static void add_edit(struct replacer *replacer, struct span span, const char *text) {
    if (span.begin < span.end)
        VEC_PUSH(replacer->arena, &replacer->edits, (struct text_edit){span, str_of(text)});
}

/* Uses */

static void rename_symbol(struct replacer *replacer, const struct symbol *symbol) {
    if (map_get(&replacer->name_of, map_key(symbol))) return;
    const char *name = intern_fresh(replacer->model->names, symbol->name);
    map_put(&replacer->name_of, map_key(symbol), (void *)(uintptr_t)name);
    add_edit(replacer, symbol->span, name);
}

/* Gives what a function, an edge or a quantifier declares another name if it hides a variable. */
static void declare(struct replacer *replacer, const struct symbol *symbol) {
    for (uint32_t i = 0; symbol && i < replacer->roots.count; i++)
        if (symbol->name == replacer->roots.items[i]) rename_symbol(replacer, symbol);
}

/* The part of a variable, with the parameters for its indices, also of a process from outside. */
static const char *part_text(struct replacer *replacer, const struct change *change,
                             struct str process) {
    struct buffer text = {0};
    uint32_t i = 0;
    if (change->text) return change->text;
    for (const char *c = change->form; *c; c++) {
        buffer_add(&text, c, 1);
        if (*c == '[')
            buffer_printf(&text, "%.*s%s%s", (int)process.size, process.data,
                          process.size ? "." : "", change->names[i++]);
    }
    const char *copy = buffer_take(&text, replacer->arena);
    buffer_close(&text);
    return copy;
}

static bool visit(void *context, const struct expr *expr) {
    struct replacer *replacer = context;
    if (expr->kind == EXPR_QUANTIFY) declare(replacer, expr->bound);
    if (!expr->symbol || (expr->kind != EXPR_NAME && expr->kind != EXPR_FIELD)) return true;
    const struct change *change = map_get(&replacer->change_of, map_key(expr->symbol));
    const char *name = map_get(&replacer->name_of, map_key(expr->symbol));
    if (change) {
        struct str process = {NULL, 0};
        if (expr->kind == EXPR_FIELD)
            process = source_text(replacer->model->document, expr->child[0]->span);
        const char *text = part_text(replacer, change, process);
        if (expr->kind == EXPR_FIELD || strcmp(text, expr->name) != 0)
            add_edit(replacer, expr->span, text);
    }
    if (name) /* behind the dot of Process.name */
        add_edit(
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

static void visit_template(struct replacer *replacer, const struct template *template) {
    const struct declaration_list *list = &template->declarations;
    for (uint32_t k = 0; k < template->parameter_count; k++)
        if (!map_get(&replacer->change_of, map_key(template->parameters[k])))
            walk_type(template->parameters[k]->type, visit, replacer);
    struct statement variables = {.declarations = list->items, .declaration_count = list->count};
    walk_statement(&variables, visit, replacer);
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i]->kind == DECLARATION_FUNCTION)
            visit_function(replacer, list->items[i]->function);
    for (uint32_t l = 0; l < template->location_count; l++)
        walk_expr(template->locations[l].invariant, visit, replacer);
    for (uint32_t e = 0; e < template->edge_count; e++) {
        const struct edge *edge = &template->edges[e];
        for (uint32_t k = 0; k < edge->select_count; k++) {
            declare(replacer, edge->selects[k]);
            walk_type(edge->selects[k]->type, visit, replacer);
        }
        walk_expr(edge->guard, visit, replacer);
        walk_expr(edge->sync, visit, replacer);
        walk_list(&edge->updates, visit, replacer);
        walk_expr(edge->weight, visit, replacer);
    }
}

/* Queries, progress measures and gantt entries may say Process.parameter. */
static void visit_outside(struct replacer *replacer) {
    const struct model *model = replacer->model;
    for (uint32_t i = 0; i < model->query_count; i++) {
        const struct query *query = &model->queries[i];
        if (query->quantifier == QUERY_INVALID) continue;
        walk_expr(query->predicate, visit, replacer);
        for (uint32_t k = 0; k < query->expr_count; k++)
            walk_expr(query->exprs[k], visit, replacer);
    }
    for (uint32_t i = 0; i < model->progress_count; i++) {
        walk_expr(model->progress[i].guard, visit, replacer);
        walk_expr(model->progress[i].measure, visit, replacer);
    }
    for (uint32_t i = 0; i < model->gantt_count; i++)
        for (uint32_t k = 0; k < model->gantt[i].expr_count; k++)
            walk_expr(model->gantt[i].exprs[k], visit, replacer);
}

/* Parameters */

static bool refuse(struct replacer *replacer, const struct template *template,
                   const struct symbol *parameter, position at, const char *name, const char *why) {
    diag_error(replacer->diag, STATUS_UNSUPPORTED, at,
               "'%s' cannot be removed: it is passed to the reference parameter '%s' of '%s', %s",
               name, parameter->name, template->symbol->name, why);
    return false;
}

static bool is_of_system(const struct model *model, const struct symbol *symbol) {
    const struct declaration_list *list = &model->system_declarations;
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i] == symbol->declaration) return true;
    return false;
}

/* Whether what a parameter stands for can be said in the template, once names that nobody misses
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

/* Names of parameters for the indices; the first takes that of the parameter unless it hides what
 * is to stand there. */
static void name_indices(struct replacer *replacer, struct change *change,
                         const struct symbol *parameter) {
    bool is_free = true;
    for (uint32_t i = 0; i < replacer->references->wanted.count; i++)
        is_free &= replacer->references->wanted.items[i] != parameter->name;
    change->names = ARENA_ARRAY(replacer->arena, const char *, change->index_count + 1);
    for (uint32_t i = 0; i < change->index_count; i++)
        change->names[i] =
            !i && is_free ? parameter->name : intern_fresh(replacer->model->names, parameter->name);
}

/* What all processes of a template bind a parameter to; false if that is nothing wanted. */
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
    name_indices(replacer, change, parameter);
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
    if (!changes->is_any) return true;
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
    map_put(&replacer->changes_of, map_key(template->symbol), changes);
    visit_template(replacer, template);
    return true;
}

/* Lists of parameters and arguments */

static const struct element *element_of(const struct replacer *replacer, position at) {
    const struct document *document = replacer->model->document;
    const struct element *elements[] = {document->instantiation, document->system};
    for (int i = 0; i < 2; i++)
        if (elements[i] && at >= elements[i]->text.begin &&
            at < elements[i]->text.begin + (position)elements[i]->text.content.size)
            return elements[i];
    return NULL;
}

static void lex_element(struct replacer *replacer, const struct element *element,
                        struct tokens *tokens) {
    struct diag unheard;
    diag_init(&unheard, replacer->arena, NULL);
    if (element) lex(replacer->arena, replacer->model->names, &element->text, tokens, &unheard);
}

/* The token behind the one that begins at a position. */
static uint32_t token_behind(const struct tokens *tokens, position at) {
    uint32_t low = 0, high = tokens->list.count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (tokens->list.items[middle].span.begin <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Changes items of the comma list whose first token is given, but for those whose text is NULL;
 * with an empty text they go. */
static void change_items(struct replacer *replacer, const struct tokens *tokens, uint32_t t,
                         const char *const *texts, uint32_t count) {
    struct span *items = ARENA_ARRAY(replacer->arena, struct span, count);
    bool is_kept_before = false;
    for (uint32_t k = 0, depth = 0; k < count; t++) {
        const struct token *token = &tokens->list.items[t];
        bool opens = token->kind == TOKEN_LEFT_PAREN || token->kind == TOKEN_LEFT_BRACKET ||
                     token->kind == TOKEN_LEFT_BRACE;
        bool closes = token->kind == TOKEN_RIGHT_PAREN || token->kind == TOKEN_RIGHT_BRACKET ||
                      token->kind == TOKEN_RIGHT_BRACE;
        bool ends = token->kind == TOKEN_END || (closes && !depth);
        if (ends || (token->kind == TOKEN_COMMA && !depth)) {
            k++;
            assert(!ends || k == count);
            continue;
        }
        if (!items[k].begin) items[k].begin = token->span.begin;
        items[k].end = token->span.end;
        depth = opens ? depth + 1 : closes ? depth - 1 : depth;
    }
    for (uint32_t k = 0; k < count; k++) {
        position next = k + 1 < count ? items[k + 1].begin : items[k].end;
        bool goes = texts[k] && !*texts[k];
        if (goes && is_kept_before)
            add_edit(replacer, (struct span){items[k - 1].end, items[k].end}, "");
        else if (goes)
            add_edit(replacer, (struct span){items[k].begin, next}, "");
        else if (texts[k])
            add_edit(replacer, items[k], texts[k]);
        is_kept_before |= !goes;
    }
}

/* "const int[0,3] box, const S box2" for each parameter that changes. */
static void change_parameters(struct replacer *replacer, const struct tokens *tokens, uint32_t t,
                              const struct changes *changes, uint32_t count) {
    const char **texts = ARENA_ARRAY(replacer->arena, const char *, count + 1);
    struct buffer text = {0};
    for (uint32_t k = 0; k < count; k++) {
        const struct change *change = &changes->of[k];
        if (!change->is_any) continue;
        buffer_add_text(&text, "");
        for (uint32_t i = 0; i < change->index_count; i++)
            buffer_printf(&text, "%sconst %s %s", i ? ", " : "", change->types[i],
                          change->names[i]);
        texts[k] = buffer_take(&text, replacer->arena);
    }
    buffer_close(&text);
    change_items(replacer, tokens, t, texts, count);
}

static uint32_t count_indices(const struct expr *argument) {
    uint32_t count = 0;
    for (; argument->kind == EXPR_INDEX || argument->kind == EXPR_FIELD;
         argument = argument->child[0])
        count += argument->kind == EXPR_INDEX;
    return count;
}

/* An own parameter at the bottom of an argument. */
static uint32_t parameter_below(const struct instance *instance, const struct expr *argument) {
    uint32_t k = 0;
    const struct symbol *root = expr_root(argument);
    while (k < instance->parameter_count && instance->parameters[k] != root) k++;
    return k;
}

/* Adds what picks the part: indices of the own parameter below, then those that are written. */
static uint32_t add_indices(struct replacer *replacer, const struct instance *instance,
                            const struct changes *own, const struct expr *argument,
                            struct buffer *out) {
    uint32_t count = 0, k = parameter_below(instance, argument);
    if (argument->kind == EXPR_NAME) {
        for (; k < instance->parameter_count && count < own->of[k].index_count; count++)
            buffer_printf(out, "%s%s", count ? ", " : "", own->of[k].names[count]);
        return count;
    }
    count = add_indices(replacer, instance, own, argument->child[0], out);
    if (argument->kind != EXPR_INDEX) return count;
    struct str index = source_text(replacer->model->document, argument->child[1]->span);
    buffer_printf(out, "%s%.*s", count ? ", " : "", (int)index.size, index.data);
    return count + 1;
}

/* Own parameters that are only handed on change with those of the base. */
static struct changes *own_changes(struct replacer *replacer, const struct instance *instance,
                                   const struct changes *base) {
    struct changes *own = ARENA_NEW(replacer->arena, struct changes);
    own->of = ARENA_ARRAY(replacer->arena, struct change, instance->parameter_count + 1);
    for (uint32_t a = 0; a < instance->argument_count; a++) {
        const struct expr *argument = instance->arguments[a];
        const struct change *change = &base->of[a];
        uint32_t k = change->is_any ? parameter_below(instance, argument) : UINT32_MAX;
        if (k >= instance->parameter_count || !instance->parameters[k]->is_reference) continue;
        uint32_t written = count_indices(argument);
        own->of[k].is_any = own->is_any = true;
        if (change->index_count <= written + own->of[k].index_count) continue;
        own->of[k].index_count = change->index_count - written;
        own->of[k].types = change->types;
        name_indices(replacer, &own->of[k], instance->parameters[k]);
    }
    for (uint32_t k = 0; k < instance->parameter_count; k++)
        for (uint32_t a = 0; a < instance->argument_count; a++)
            if (!base->of[a].is_any &&
                expr_mentions(instance->arguments[a], instance->parameters[k]))
                own->of[k] = (struct change){.is_any = false};
    return own;
}

/* The arguments for parameters of the base that change; false if they do not fit, as may be where
 * no process comes from the instantiation. */
static bool new_arguments(struct replacer *replacer, const struct instance *instance,
                          const struct changes *base, const struct changes *own,
                          const char **texts) {
    struct buffer text = {0};
    bool ok = true;
    for (uint32_t a = 0; a < instance->argument_count && ok; a++) {
        const struct change *change = &base->of[a];
        if (!change->is_any) continue;
        buffer_add_text(&text, "");
        if (change->index_count)
            ok = add_indices(replacer, instance, own, instance->arguments[a], &text) ==
                 change->index_count;
        texts[a] = buffer_take(&text, replacer->arena);
    }
    buffer_close(&text);
    return ok;
}

static bool names_wanted(const struct replacer *replacer, const struct instance *instance,
                         const struct changes *base) {
    const struct references *references = replacer->references;
    for (uint32_t a = 0; a < instance->argument_count; a++)
        for (uint32_t i = 0; i < references->wanted.count && !(base && base->of[a].is_any); i++)
            if (expr_mentions(instance->arguments[a],
                              frame_find_here(replacer->model->frame, references->wanted.items[i])))
                return true;
    return false;
}

/* Instantiations that no process comes from go if they cannot be changed like those of processes.
 */
static void leave_out(struct replacer *replacer, const struct declaration *declaration) {
    const struct instance *instance = declaration->instance;
    diag_warning(replacer->diag, declaration->span.begin,
                 "the instantiation '%s' is left out: no process comes from it, and it passes what "
                 "is removed",
                 instance->symbol->name);
    map_put(&replacer->gone, map_key(instance->symbol), (void *)(uintptr_t)instance);
    add_edit(replacer, declaration->span, "");
}

static bool replace_in_instance(struct replacer *replacer, const struct declaration *declaration,
                                const struct tokens *tokens) {
    const struct instance *instance = declaration->instance;
    const struct changes *base = map_get(&replacer->changes_of, map_key(instance->base));
    struct changes *own = base ? own_changes(replacer, instance, base) : NULL;
    uint32_t count = instance->argument_count;
    const char **texts = ARENA_ARRAY(replacer->arena, const char *, count + 1);
    bool fits = !base || new_arguments(replacer, instance, base, own, texts);
    bool is_used = map_get(&replacer->used, map_key(instance->symbol)) != NULL;
    if (!fits || map_get(&replacer->gone, map_key(instance->base)) ||
        names_wanted(replacer, instance, base)) {
        if (!is_used)
            leave_out(replacer, declaration);
        else
            diag_error(
                replacer->diag, STATUS_UNSUPPORTED, declaration->span.begin,
                "'%s' passes what is removed to a parameter of '%s' that nothing uses; leave "
                "that parameter out",
                instance->symbol->name, instance->base->name);
        return !is_used;
    }
    if (!base) return true;
    change_items(replacer, tokens, token_behind(tokens, instance->base_span.begin) + 1, texts,
                 count);
    if (!own->is_any) return true;
    map_put(&replacer->changes_of, map_key(instance->symbol), own);
    change_parameters(replacer, tokens, token_behind(tokens, instance->symbol->span.begin) + 1, own,
                      instance->parameter_count);
    return true;
}

static void find_used(struct replacer *replacer) {
    const struct model *model = replacer->model;
    for (uint32_t i = 0; i < model->process_count; i++) {
        const struct symbol *symbol = model->processes[i].symbol;
        for (; symbol->kind == SYMBOL_INSTANCE; symbol = symbol->instance->base)
            map_put(&replacer->used, map_key(symbol), (void *)(uintptr_t)symbol);
    }
}

static bool replace_in_lists(struct replacer *replacer) {
    const struct model *model = replacer->model;
    struct tokens tokens = {0};
    const struct element *lexed = NULL;
    bool ok = true;
    find_used(replacer);
    for (uint32_t t = 0; t < model->template_count; t++) {
        const struct template *template = model->templates[t];
        const struct changes *changes = map_get(&replacer->changes_of, map_key(template->symbol));
        if (!changes) continue;
        tokens.list.count = 0;
        lex_element(replacer, template->xml->parameter, &tokens);
        change_parameters(replacer, &tokens, 0, changes, template->parameter_count);
    }
    for (uint32_t i = 0; i < model->system_declarations.count; i++) {
        const struct instance *instance = model->system_declarations.items[i]->instance;
        if (!instance) continue;
        const struct element *element = element_of(replacer, instance->base_span.begin);
        if (element != lexed) {
            tokens.list.count = 0;
            lex_element(replacer, lexed = element, &tokens);
        }
        ok &= replace_in_instance(replacer, model->system_declarations.items[i], &tokens);
    }
    return ok;
}

/* Edits */

static int compare(const void *left, const void *right) {
    const struct text_edit *a = left, *b = right;
    return a->span.begin < b->span.begin ? -1 : a->span.begin > b->span.begin;
}

/* In order, and once: declarators share their types. */
static void sort_edits(struct replacer *replacer) {
    struct text_edit *edits = replacer->edits.items;
    uint32_t count = 0;
    if (replacer->edits.count) qsort(edits, replacer->edits.count, sizeof *edits, compare);
    for (uint32_t i = 0; i < replacer->edits.count; i++)
        if (!count || edits[i].span.begin != edits[count - 1].span.begin) edits[count++] = edits[i];
    replacer->edits.count = count;
}

/* Those that lie in the text of an element. */
static const struct text_edit *edits_of(const struct replacer *replacer,
                                        const struct element *element, uint32_t *count) {
    const struct text_edit *edits = replacer->edits.items;
    uint32_t low = 0, high = replacer->edits.count;
    position begin = element->text.begin, end = begin + (position)element->text.content.size;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (edits[middle].span.begin < begin)
            low = middle + 1;
        else
            high = middle;
    }
    *count = 0;
    while (begin && low + *count < replacer->edits.count && edits[low + *count].span.begin < end)
        ++*count;
    return edits + low;
}

static void apply(const struct replacer *replacer, struct splices *splices,
                  const struct element *element) {
    uint32_t count;
    const struct text_edit *edits = edits_of(replacer, element, &count);
    if (count) splice_edit_text(splices, element, edits, count);
    for (const struct element *e = element->first_child; e; e = e->next)
        apply(replacer, splices, e);
}

static void note_queries(struct replacer *replacer) {
    const struct model *model = replacer->model;
    for (uint32_t i = 0; i < model->query_count; i++) {
        uint32_t count;
        const struct query *query = &model->queries[i];
        const struct element *formula = query->xml->formula;
        if (!formula) continue;
        const struct text_edit *edits = edits_of(replacer, formula, &count);
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
    for (uint32_t t = 0; t < network->model->template_count; t++)
        ok &= replace_in_template(&replacer, network->model->templates[t]);
    if (!ok) return false;
    replacer.roots.count = 0;
    for (uint32_t i = 0; i < references->wanted.count; i++)
        VEC_PUSH(splices->arena, &replacer.roots, references->wanted.items[i]);
    visit_outside(&replacer);
    if (!replace_in_lists(&replacer)) return false;
    sort_edits(&replacer);
    note_queries(&replacer);
    apply(&replacer, splices, splices->document->root);
    return true;
}
