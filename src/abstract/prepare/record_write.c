/* The edits that take the record out: statements, items of updates, locals and functions. */
#include "abstract/prepare/cut.h"
#include "abstract/prepare/record_internal.h"
#include "lang/print/print.h"
#include "lang/syntax/lex.h"
#include "lang/syntax/walk.h"

#include <assert.h>

struct writer {
    struct record *record;
    struct splices *splices;
    struct text_cuts cuts;
    struct map named;  /* locals that left out text names */
    struct map gone;   /* locals that are left out */
    struct map called; /* functions that left out text calls */
    struct map kept;   /* functions that kept text calls or names, though not in steps */
    VEC(const struct function *) calls; /* in left out text of the current function or item */
    struct map followed;                /* reference parameters, to what is passed to them */
    VEC(const struct symbol *) removed; /* variables to be removed that it has to do with */
    const struct text *text;
};

static bool yes = true;

static bool has(const struct map *map, const void *key) {
    return map_get(map, map_key(key)) != NULL;
}

static bool is_any_unseen(struct record *record, const struct symbol *symbol) {
    const struct record_unit *unit = map_get(&record->units, map_key(symbol));
    for (uint32_t i = 0; unit && i < unit->count; i++)
        if (!unit->is_seen[i]) return true;
    return false;
}

static bool is_all_unseen(struct record *record, const struct symbol *symbol) {
    const struct record_unit *unit = map_get(&record->units, map_key(symbol));
    for (uint32_t i = 0; unit && i < unit->count; i++)
        if (unit->is_seen[i]) return false;
    return unit != NULL;
}

static bool is_own(const struct symbol *symbol) { return symbol->scope == SCOPE_FRAME; }

/* ---- what is left out ---- */

/* A reference parameter is what is passed to it. */
static void note_removed(struct writer *writer, const struct symbol *symbol) {
    struct record *record = writer->record;
    if (!is_any_unseen(record, symbol)) return;
    if (!is_own(symbol)) VEC_PUSH(record->arena, &writer->removed, symbol);
    if (!is_own(symbol) || !symbol->is_reference || has(&writer->followed, symbol)) return;
    map_put(&writer->followed, map_key(symbol), &yes);
    for (uint32_t i = 0; i < record->passed.count; i++)
        if (record->passed.items[i].parameter == symbol)
            note_removed(writer, record->passed.items[i].part.unit->symbol);
}

static bool note(void *context, const struct expr *expr) {
    struct writer *writer = context;
    struct record *record = writer->record;
    const struct symbol *symbol = expr->symbol;
    if (!symbol) return true;
    if (expr->kind == EXPR_NAME) note_removed(writer, symbol);
    if (expr->kind == EXPR_NAME && is_own(symbol)) map_put(&writer->named, map_key(symbol), &yes);
    if (expr->kind != EXPR_CALL || !symbol->function) return true;
    const struct effects *effects = network_effects(record->network, symbol->function);
    for (uint32_t i = 0; i < effects->list.count; i++)
        note_removed(writer, effects->list.items[i].symbol);
    VEC_PUSH(record->arena, &writer->calls, symbol->function);
    return true;
}

/* Begins with another function or item, of which nothing is noted yet. */
static void begin(struct writer *writer) {
    writer->calls.count = writer->removed.count = 0;
    map_init(&writer->followed, writer->record->arena);
}

/* All that was noted goes indeed. */
static void take(struct writer *writer) {
    for (uint32_t i = 0; i < writer->calls.count; i++)
        map_put(&writer->called, map_key(writer->calls.items[i]), &yes);
}

static bool is_gone(const void *context, const struct symbol *symbol) {
    const struct writer *writer = context;
    return has(&writer->gone, symbol);
}

struct value_source {
    struct writer *writer;
    bool goes;
};

static bool find_source(void *context, const struct expr *expr) {
    struct value_source *source = context;
    const struct symbol *symbol = expr->symbol;
    if (expr->kind == EXPR_CALL ||
        (expr->kind == EXPR_NAME && symbol &&
         (has(&source->writer->named, symbol) ||
          (!is_own(symbol) && is_any_unseen(source->writer->record, symbol)))))
        source->goes = true;
    return !source->goes;
}

/* A local that nothing names any more goes if something did, or where its value comes from does.
 * Whether that is news. */
static bool note_local(struct writer *writer, const struct symbol *symbol) {
    struct value_source source = {writer, has(&writer->named, symbol)};
    if (!is_all_unseen(writer->record, symbol) || has(&writer->gone, symbol)) return false;
    walk_initialiser(symbol->initialiser, find_source, &source);
    if (!source.goes) return false;
    map_put(&writer->named, map_key(symbol), &yes);
    map_put(&writer->gone, map_key(symbol), &yes);
    walk_initialiser(symbol->initialiser, note, writer);
    return true;
}

static void note_statements(struct writer *writer, const struct statement *statement);

static void note_statement(struct writer *writer, const struct statement *statement) {
    if (!statement) return;
    if (record_statement_goes(writer->record, statement))
        walk_statement(statement, note, writer);
    else
        note_statements(writer, statement);
}

/* Notes the statements that are left out of a kept statement. */
static void note_statements(struct writer *writer, const struct statement *statement) {
    for (uint32_t i = 0; i < statement->statement_count; i++)
        note_statement(writer, statement->statements[i]);
    note_statement(writer, statement->body);
    note_statement(writer, statement->other);
}

/* Notes the locals that are left out of a kept statement. Returns whether some of them were not
 * known to go. */
static bool note_locals(struct writer *writer, const struct statement *statement) {
    bool is_news = false;
    for (uint32_t i = 0; i < statement->declaration_count; i++)
        for (uint32_t k = 0; k < statement->declarations[i]->declarator_count; k++)
            is_news |= note_local(writer, statement->declarations[i]->declarators[k].symbol);
    for (uint32_t i = 0; i < statement->statement_count; i++)
        if (!record_statement_goes(writer->record, statement->statements[i]))
            is_news |= note_locals(writer, statement->statements[i]);
    const struct statement *parts[] = {statement->body, statement->other};
    for (uint32_t i = 0; i < 2; i++)
        if (parts[i] && !record_statement_goes(writer->record, parts[i]))
            is_news |= note_locals(writer, parts[i]);
    return is_news;
}

/* One local may be declared by another that is left out, wherever that is declared. */
static void note_body(struct writer *writer, const struct statement *body) {
    bool is_news = true;
    note_statements(writer, body);
    while (is_news) is_news = note_locals(writer, body);
}

/* ---- statements ---- */

static void edit_locals(struct writer *writer, const struct declaration *declaration) {
    uint32_t gone = 0, count = declaration->declarator_count;
    if (declaration->kind != DECLARATION_VARIABLES) return;
    for (uint32_t i = 0; i < count; i++)
        gone += is_gone(writer, declaration->declarators[i].symbol);
    if (gone == count)
        cut_whole(&writer->cuts, writer->text, declaration->span);
    else if (gone)
        cut_declarators(&writer->cuts, declaration, is_gone, writer);
}

static void edit_statement(struct writer *writer, const struct statement *statement,
                           bool may_dangle);

static void edit_block(struct writer *writer, const struct statement *block) {
    struct record *record = writer->record;
    for (uint32_t i = 0; i < block->statement_count; i++) {
        struct span span = block->statements[i]->span;
        if (!record_statement_goes(record, block->statements[i])) {
            edit_statement(writer, block->statements[i], false);
            continue;
        }
        while (i + 1 < block->statement_count &&
               record_statement_goes(record, block->statements[i + 1]))
            span.end = block->statements[++i]->span.end;
        cut_whole(&writer->cuts, writer->text, span);
    }
    for (uint32_t i = 0; i < block->declaration_count; i++)
        edit_locals(writer, block->declarations[i]);
}

/* A kept statement. An `else` that comes after it may dangle: it would be that of an `if` at its
 * end that loses its own. */
static void edit_statement(struct writer *writer, const struct statement *statement,
                           bool may_dangle) {
    const struct statement *body = statement->body, *other = statement->other;
    if (statement->kind == STATEMENT_BLOCK) {
        edit_block(writer, statement);
        return;
    }
    assert(body || !other);
    bool other_goes = other && record_statement_goes(writer->record, other);
    bool has_else = other && (!other_goes || may_dangle);
    if (body && record_statement_goes(writer->record, body))
        cut_replace(&writer->cuts, body->span.begin, body->span.end, "{ }");
    else if (body)
        edit_statement(writer, body, has_else || may_dangle);
    if (other_goes && has_else)
        cut_replace(&writer->cuts, other->span.begin, other->span.end, "{ }");
    else if (other_goes)
        cut_replace(&writer->cuts, body->span.end, other->span.end, "");
    else if (other)
        edit_statement(writer, other, may_dangle);
}

/* ---- functions ---- */

static void keep(struct writer *writer, const struct function *function);

static bool keep_called(void *context, const struct expr *expr) {
    if (expr->kind == EXPR_CALL && expr->symbol && expr->symbol->function)
        keep(context, expr->symbol->function);
    return true;
}

static void walk_function(const struct function *function, expr_visitor visit, void *context) {
    walk_type(function->result, visit, context);
    for (uint32_t i = 0; i < function->parameter_count; i++)
        walk_type(function->parameters[i]->type, visit, context);
    walk_statement(function->body, visit, context);
}

static void keep(struct writer *writer, const struct function *function) {
    if (has(&writer->kept, function)) return;
    map_put(&writer->kept, map_key(function), &yes);
    walk_function(function, keep_called, writer);
}

static void edit_function(struct writer *writer, const struct function *function) {
    uint32_t count = writer->cuts.list.count;
    if (has(&writer->record->whole, function)) return;
    writer->text = element_text_at(writer->splices->document->root, function->body->span.begin);
    assert(writer->text); /* where its statements are cut */
    begin(writer);
    note_body(writer, function->body);
    edit_block(writer, function->body);
    if (writer->removed.count) {
        take(writer);
        return;
    }
    writer->cuts.list.count = count; /* it has nothing to do with what is removed */
    for (uint32_t i = 0; i < writer->calls.count; i++) keep(writer, writer->calls.items[i]);
}

/* ---- updates ---- */

/* Whether an item of an update is taken out here. One that has to do with variables removed as a
 * whole is left to the fold. */
static bool item_goes(struct writer *writer, const struct expr *item) {
    bool is_partial = false;
    if (!record_item_goes(writer->record, item)) return false;
    begin(writer);
    walk_expr(item, note, writer);
    for (uint32_t i = 0; i < writer->removed.count; i++)
        is_partial |= !is_all_unseen(writer->record, writer->removed.items[i]);
    if (is_partial)
        take(writer);
    else
        walk_expr(item, keep_called, writer);
    return is_partial;
}

static void remove_label(struct writer *writer, const struct edge *edge) {
    const struct element *transition = edge->xml->element;
    for (const struct element *e = transition->first_child; e; e = e->next) {
        const char *kind = element_attribute(e, "kind");
        if (str_is(str_of(e->name), "label") && kind && str_is(str_of(kind), "assignment"))
            splice_remove_element(writer->splices, e);
    }
}

/* Over: whether an item with such effects goes. */
static bool may_go(struct record *record, const struct effects *effects) {
    for (uint32_t i = 0; i < effects->list.count; i++)
        if (effects->list.items[i].writes && is_any_unseen(record, effects->list.items[i].symbol))
            return true;
    return false;
}

static void edit_update(struct writer *writer, const struct edge *edge) {
    struct buffer text = {0};
    uint32_t kept = 0;
    for (uint32_t i = 0; i < edge->updates.count; i++) {
        const struct expr *item = edge->updates.items[i];
        if (item_goes(writer, item)) continue;
        if (kept++) buffer_add_text(&text, ", ");
        print_expr(&text, item);
    }
    const struct element *label = edge->xml->labels.of[LABEL_UPDATE];
    assert(label || !edge->updates.count);
    if (edge->updates.count && !kept)
        remove_label(writer, edge);
    else if (kept < edge->updates.count)
        splice_set_text(writer->splices, label, str_of(buffer_take(&text, writer->record->arena)));
    buffer_close(&text);
}

/* ---- functions that are left out ---- */

typedef void (*function_visitor)(struct writer *writer, const struct declaration *declaration);

static void for_each_in(struct writer *writer, const struct declaration_list *list,
                        function_visitor visit) {
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i]->kind == DECLARATION_FUNCTION) visit(writer, list->items[i]);
}

static void for_each_function(struct writer *writer, function_visitor visit) {
    const struct model *model = writer->record->model;
    for_each_in(writer, &model->declarations, visit);
    for_each_in(writer, &model->system_declarations, visit);
    for (uint32_t i = 0; i < model->template_count; i++)
        for_each_in(writer, &model->templates[i]->declarations, visit);
}

static bool note_called(void *context, const struct expr *expr) {
    struct writer *writer = context;
    if (expr->kind == EXPR_CALL && expr->symbol && expr->symbol->function)
        map_put(&writer->called, map_key(expr->symbol->function), &yes);
    return true;
}

static void note_callees(struct writer *writer, const struct declaration *declaration) {
    walk_function(declaration->function, note_called, writer);
}

/* Nothing has ever called it, or it will be called. */
static void keep_unused(struct writer *writer, const struct declaration *declaration) {
    const struct function *function = declaration->function;
    const char *asked = writer->record->asked;
    bool is_unused = !has(&writer->record->reached, function) && !has(&writer->called, function);
    if (is_unused || (asked && text_names(asked, function->symbol->name))) keep(writer, function);
}

static void remove_uncalled(struct writer *writer, const struct declaration *declaration) {
    const struct function *function = declaration->function;
    if (has(&writer->record->reached, function) || has(&writer->kept, function)) return;
    const struct text *text =
        element_text_at(writer->splices->document->root, declaration->span.begin);
    assert(text);
    cut_whole(&writer->cuts, text, declaration->span);
}

/* Takes out the functions that nothing calls any more, as all that did is gone. */
static void remove_functions(struct writer *writer) {
    const struct model *model = writer->record->model;
    for (uint32_t i = 0; i < model->query_count; i++)
        walk_query(&model->queries[i], keep_called, writer);
    walk_progress(model, keep_called, writer);
    walk_gantt(model, keep_called, writer);
    for (uint32_t i = 0; i < model->agents.count; i++)
        for (uint32_t k = 0; k < model->agents.items[i]->item_count; k++)
            walk_expr(model->agents.items[i]->items[k].expr, keep_called, writer);
    for_each_function(writer, note_callees);
    for_each_function(writer, keep_unused);
    for_each_function(writer, remove_uncalled);
}

/* Where something goes, all that is unseen may have other values: it is copied. */
static void list_taken(struct writer *writer, struct record_taken *taken) {
    const struct request *request = &writer->record->request;
    struct arena *arena = writer->record->arena;
    for (uint32_t i = 0; i < request->removals.count; i++) {
        const struct removal *removal = &request->removals.items[i];
        if (is_any_unseen(writer->record, removal->symbol))
            VEC_PUSH(arena, &taken->variables,
                     variable_name(arena, removal->template, removal->symbol));
    }
}

bool record_write(struct record *record, struct record_taken *taken, struct splices *splices) {
    struct arena *arena = record->arena;
    struct writer writer = {.record = record, .splices = splices, .cuts.arena = arena};
    uint32_t count = splices->edits.count;
    assert(!record->has_changed); /* what is seen is known to its end */
    map_init(&writer.named, arena);
    map_init(&writer.gone, arena);
    map_init(&writer.called, arena);
    map_init(&writer.kept, arena);
    for (uint32_t i = 0; i < record->reached_list.count; i++)
        edit_function(&writer, record->reached_list.items[i]);
    for (uint32_t t = 0; t < record->model->template_count; t++) {
        const struct template *template = record->model->templates[t];
        const struct edge_labels *labels = record->network->labels.edges[t];
        bool is_asked = !record->is_within || record->is_within[t];
        for (uint32_t e = 0; is_asked && e < template->edge_count; e++)
            if (may_go(record, &labels[e].update_effects))
                edit_update(&writer, &template->edges[e]);
    }
    if (!writer.cuts.list.count && splices->edits.count == count) return false;
    remove_functions(&writer);
    text_edits_sort(writer.cuts.list.items, writer.cuts.list.count);
    splice_edit_texts(splices, writer.cuts.list.items, writer.cuts.list.count);
    list_taken(&writer, taken);
    return true;
}
