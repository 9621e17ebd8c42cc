/* Updates that become functions (rule M2). */
#include "abstract/edge/update_function.h"

#include "abstract/edge/frame.h"
#include "abstract/edge/unknown.h"
#include "abstract/edge/update_known.h"
#include "abstract/facts/context.h"
#include "abstract/facts/function.h"
#include "abstract/facts/names.h"
#include "abstract/prepare/ghost.h"
#include "abstract/request/request.h"
#include "approx/labels/label_run.h"
#include "expr/build.h"
#include "expr/find.h"
#include "lang/print/print.h"
#include "lang/syntax/walk.h"

#include <assert.h>
#include <ctype.h>

/* The text of an expression with the arguments that changed functions want, and with values in
 * place of what is known. */
struct call_edit {
    position at, end; /* what the text takes the place of */
    const char *text;
};

/* A removed variable as a local of a generated function. */
struct local {
    const struct removal *removal;
    const char *name;
};

struct call_edits {
    struct context *context;
    const struct function_text *text;
    VEC(struct call_edit) list;
};

struct function_text {
    struct buffer parameters, body;
    VEC(const struct expr *) arguments;
    VEC(struct local) locals;
    struct known_values known;
    struct update_frame frame; /* the locals at first */
};

static const char *local_name(void *user, const struct symbol *symbol) {
    const struct call_edits *edits = user;
    for (uint32_t i = 0; i < edits->text->locals.count; i++)
        if (edits->text->locals.items[i].removal->symbol == symbol)
            return edits->text->locals.items[i].name;
    return NULL;
}

static bool edit_call(void *user, const struct expr *expr) {
    struct call_edits *edits = user;
    const struct known_values *known = &edits->text->known;
    for (uint32_t i = 0; i < known->list.count; i++)
        if (known->list.items[i].expr == expr) {
            struct call_edit edit = {expr->span.begin, expr->span.end, known->list.items[i].text};
            VEC_PUSH(edits->context->arena, &edits->list, edit);
            return false;
        }
    if (expr->kind != EXPR_CALL) return true;
    const char *text =
        passed_arguments(edits->context->functions, expr, local_name, edits, edits->context->arena);
    if (*text)
        VEC_PUSH(edits->context->arena, &edits->list,
                 (struct call_edit){expr->span.end - 1, expr->span.end - 1, text});
    return true;
}

/* An expression of a ghost, with the names that removed variables have in the generated
 * function. */
static const struct expr *with_locals(struct arena *arena, const struct function_text *text,
                                      const struct expr *expr) {
    if (!expr) return NULL;
    struct expr *copy = build_copy(arena, expr);
    for (uint32_t i = 0; expr->kind == EXPR_NAME && i < text->locals.count; i++)
        if (text->locals.items[i].removal->symbol == expr->symbol) {
            copy->name = text->locals.items[i].name;
            copy->symbol = NULL;
        }
    for (int i = 0; i < 3; i++)
        copy->child[i] = (struct expr *)with_locals(arena, text, expr->child[i]);
    if (expr->argument_count)
        copy->arguments = ARENA_ARRAY(arena, struct expr *, expr->argument_count);
    for (uint32_t i = 0; i < expr->argument_count; i++)
        copy->arguments[i] = (struct expr *)with_locals(arena, text, expr->arguments[i]);
    return copy;
}

static void print_with_calls(struct context *context, const struct function_text *text,
                             struct buffer *out, const struct expr *expr) {
    if (is_ghost_update(expr)) { /* it stands nowhere in the document */
        print_expr(out, with_locals(context->arena, text, expr));
        return;
    }
    struct call_edits edits = {.context = context, .text = text};
    walk_expr(expr, edit_call, &edits);
    position at = expr->span.begin;
    while (at < expr->span.end) { /* nested calls come outermost first: take the next by place */
        const struct call_edit *next = NULL;
        for (uint32_t i = 0; i < edits.list.count; i++) {
            const struct call_edit *edit = &edits.list.items[i];
            if (edit->at >= at && edit->text && (!next || edit->at < next->at)) next = edit;
        }
        position to = next ? next->at : expr->span.end;
        assert(to >= at && to <= expr->span.end);
        buffer_add(out, document_text_at(context->network->model->document, at), to - at);
        if (next) buffer_add_text(out, next->text);
        if (next) ((struct call_edit *)next)->text = NULL;
        at = next ? next->end : to;
    }
}

static bool names_location(void *found, const struct expr *expr) {
    if (expr->kind == EXPR_NAME && expr->symbol && expr->symbol->kind == SYMBOL_LOCATION)
        *(bool *)found = true;
    return true;
}

static bool refuse_update(struct context *context, const struct open_edge *open,
                          const struct symbol *symbol, const char *why) {
    return diag_error(context->diag, STATUS_UNSUPPORTED, open->edge->updates.items[0]->span.begin,
                      "this update cannot be rewritten without '%s': %s; remove less", symbol->name,
                      why);
}

static void add_parameter(struct context *context, struct function_text *text,
                          const struct type *type, const char *name, const struct expr *argument) {
    assert(type && name && argument);
    if (text->arguments.count) buffer_add_text(&text->parameters, ", ");
    print_local_type(&text->parameters, type);
    buffer_printf(&text->parameters, " %s", name);
    VEC_PUSH(context->arena, &text->arguments, argument);
}

/* A quantifier whose variable has the name of a removed one, which functions called in it want. */
struct capture {
    const struct context *context;
    const struct symbol *symbol;
    uint32_t depth; /* of such quantifiers */
    bool found;
};

static bool find_capture(void *user, const struct expr *expr) {
    struct capture *capture = user;
    const struct function *function =
        expr->kind == EXPR_CALL && expr->symbol ? expr->symbol->function : NULL;
    if (capture->depth && function &&
        passed_name(function_change_of(capture->context->functions, function), capture->symbol))
        capture->found = true;
    if (expr->kind != EXPR_QUANTIFY || expr->bound->name != capture->symbol->name)
        return !capture->found;
    capture->depth++;
    walk_expr(expr->child[0], find_capture, capture);
    capture->depth--;
    return false;
}

/* Its own name where the update names it; else, only functions use it, and where its name means
 * something else here, another one. NULL if neither will do. */
static const char *name_of_local(struct context *context, const struct open_edge *open,
                                 const struct symbol *symbol) {
    const struct edge *edge = open->edge;
    struct capture capture = {context, symbol, 0, false};
    walk_list(&edge->updates, find_capture, &capture);
    for (uint32_t i = 0; i < edge->updates.count; i++)
        if (!is_ghost_update(edge->updates.items[i]) &&
            expr_mentions(edge->updates.items[i], symbol))
            return capture.found ? NULL : symbol->name;
    return capture.found || is_hidden(open->template, open->edge, symbol)
               ? unhidden_name(context->network, symbol, context->arena)
               : symbol->name;
}

static void declare_local(struct function_text *text, const struct symbol *symbol,
                          const char *name) {
    buffer_add_text(&text->body, "    ");
    print_local_type(&text->body, symbol->type);
    buffer_add_text(&text->body, " ");
    print_declarator(&text->body, name, symbol->type);
    buffer_add_text(&text->body, ";\n");
}

/* An array or struct: its cells are set from parameters. Locals start with 0. */
static bool fill_local(struct context *context, struct open_edge *open, struct function_text *text,
                       const struct removal *removal, const char *name) {
    struct symbol *local = ARENA_NEW(context->arena, struct symbol);
    uint32_t unknowns = 0;
    assert(removal->is_whole); /* a variable that stays declared is set by its own name */
    *local = *removal->symbol;
    local->name = name;
    for (uint32_t i = 0; i < removal->shape->cell_count && unknowns <= FRAME_MAX_CELLS; i++)
        unknowns += frame_set(&text->frame, removal, local, i, 0);
    return unknowns <= FRAME_MAX_CELLS ||
           refuse_update(context, open, removal->symbol,
                         "it reads more than 16 cells whose value is not known");
}

/* Whether the names in the type of a removed variable, or of a cell of it, are the same ones at the
 * edge; else the update is refused. */
static bool types_mean_the_same(struct context *context, const struct open_edge *open,
                                const struct symbol *symbol, const struct type *type) {
    const struct symbol *hidden = hidden_in_type(open->template, open->edge, type);
    return !hidden ||
           refuse_update(context, open, symbol,
                         arena_printf(context->arena, "the '%s' of its type is something else here",
                                      hidden->name));
}

/* The removed variable as a local or parameter, holding what it may hold. */
static bool add_local(struct context *context, struct open_edge *open, struct function_text *text,
                      const struct removal *removal) {
    const struct symbol *symbol = removal->symbol;
    const char *name = name_of_local(context, open, symbol);
    if (!name)
        return refuse_update(context, open, symbol,
                             "a quantifier in it has a variable of this name");
    if (!types_mean_the_same(context, open, symbol, symbol->type)) return false;
    bool is_cell = removal->shape->kind == SHAPE_CELL;
    bool has_scalar = type_has_scalar(symbol->type);
    bool is_read = effects_reads(open_edge_effects(context, open), symbol);
    VEC_PUSH(context->arena, &text->locals, (struct local){removal, name});
    if (has_scalar && !is_cell)
        return refuse_update(context, open, symbol, "functions have no locals with scalars");
    is_read = is_read && !frame_sets_first(open, removal);
    bool is_parameter =
        is_read && !names_type(context->network, name); /* else it is set from one */
    if (is_cell && (is_parameter || has_scalar)) {
        add_parameter(context, text, symbol->type, name, frame_value(context, open, removal, 0));
        return true;
    }
    declare_local(text, symbol, name);
    return !is_read || fill_local(context, open, text, removal, name);
}

/* The scalar that a placeholder stands for must not have the name of the local it fills. */
static void rename_placeholders(struct context *context, struct open_edge *open,
                                const struct function_text *text) {
    for (uint32_t i = 0; i < open->unknowns.count; i++) {
        struct symbol *symbol = open->unknowns.items[i]->placeholder;
        const struct removal *removal = open->unknowns.items[i]->removal;
        bool clashes = false;
        for (uint32_t k = 0; k < text->locals.count; k++)
            clashes |= str_is(str_of(symbol->name), text->locals.items[k].name);
        if (!clashes) continue;
        symbol->name = fresh_name(
            context, open, arena_printf(context->arena, "%s_old", removal->symbol->name), NULL);
    }
}

/* The name of a location that has none is made of its id, in which there may be any character. */
static const char *as_part_of_name(struct arena *arena, const char *text) {
    char *name = arena_copy(arena, text, strlen(text));
    for (char *at = name; *at; at++)
        if (!isalnum((unsigned char)*at)) *at = '_';
    return name;
}

static void finish_function(struct context *context, struct open_edge *open,
                            struct function_text *text, struct buffer *items) {
    assert(open->edge && items->size);
    const char *base = arena_printf(
        context->arena, "update_%s_%s_%u", open->template->symbol->name,
        as_part_of_name(context->arena, open->template->locations[open->location].name),
        open->edge_index + 1);
    struct symbol *symbol = ARENA_NEW(context->arena, struct symbol);
    symbol->kind = SYMBOL_FUNCTION;
    symbol->name = fresh_name(context, open, base, NULL);
    VEC_PUSH(context->arena, &context->taken, symbol->name);
    const char *code =
        arena_printf(context->arena, "void %s(%s) {\n%s%s}", symbol->name,
                     text->parameters.data ? text->parameters.data : "",
                     text->body.data ? text->body.data : "", items->data ? items->data : "");
    VEC_PUSH(context->arena, &context->generated,
             (struct generated_function){open->template, symbol->name, code});
    struct expr *call = ARENA_NEW(context->arena, struct expr);
    call->kind = EXPR_CALL;
    call->symbol = symbol;
    call->child[0] = build_name(context->arena, symbol);
    call->arguments = (struct expr **)text->arguments.items;
    call->argument_count = text->arguments.count;
    open->items.count = 0;
    VEC_PUSH(context->arena, &open->items, (struct item){NULL, call, false});
}

static bool mentions_select(const struct edge *edge, const struct symbol *select) {
    for (uint32_t i = 0; i < edge->updates.count; i++)
        if (expr_mentions(edge->updates.items[i], select)) return true;
    return false;
}

/* The values that removed variables get before the update, from parameters or constants. */
static bool write_before(struct context *context, struct open_edge *open,
                         struct function_text *text, struct buffer *items) {
    for (uint32_t i = 0; i < text->frame.before.count; i++) {
        const struct expr *set = text->frame.before.items[i].expr, *value = set->child[1];
        assert(set->kind == EXPR_ASSIGN && value);
        buffer_add_text(items, "    ");
        print_expr(items, set);
        buffer_add_text(items, ";\n");
        if (value->kind != EXPR_NAME) continue;
        bool ok = types_mean_the_same(context, open, expr_root(set->child[0]), value->symbol->type);
        add_parameter(context, text, value->symbol->type, value->symbol->name, value);
        if (!ok) return false;
    }
    return true;
}

bool update_as_function(struct context *context, struct open_edge *open) {
    const struct edge *edge = open->edge;
    const struct request *request = context->request;
    assert(request->removals.count && edge->updates.count);
    bool is_within_step = label_run_is_within_step(context->analysis, open->template, edge);
    struct function_text text = {.frame = {.context = context, .open = open}};
    struct buffer items = {0};
    struct idle_items idle = idle_items_find(context, open);
    bool ok = true, has_location = false;
    const struct symbol *any = request->removals.items[0].symbol;
    for (uint32_t i = 0; i < edge->select_count; i++) {
        const struct type *type = edge->selects[i]->type;
        if (mentions_select(edge, edge->selects[i]))
            add_parameter(context, &text, type, edge->selects[i]->name,
                          build_name(context->arena, edge->selects[i]));
    }
    for (uint32_t i = 0; i < request->removals.count && ok; i++) {
        const struct removal *removal = &request->removals.items[i];
        if (!removal->is_whole || !removal_counts(removal, open->involved.within) ||
            !idle_items_rest_involves(&idle, removal->symbol))
            continue;
        any = removal->symbol;
        if (known_values_find(context, open, removal, is_within_step, &text.known)) continue;
        ok = add_local(context, open, &text, removal);
    }
    walk_list(&edge->updates, names_location, &has_location);
    if (ok && has_location)
        ok = refuse_update(context, open, any, "it names a location, which a function cannot do");
    rename_placeholders(context, open, &text);
    ok = ok && write_before(context, open, &text, &items);
    for (uint32_t i = 0; i < edge->updates.count && ok; i++) {
        const struct expr *item = edge->updates.items[i];
        if (idle.is_idle[i] || item->kind == EXPR_INT || item->kind == EXPR_BOOL) continue;
        buffer_add_text(&items, "    ");
        print_with_calls(context, &text, &items, item);
        buffer_add_text(&items, ";\n");
    }
    if (ok && items.size) finish_function(context, open, &text, &items);
    buffer_close(&text.parameters);
    buffer_close(&text.body);
    buffer_close(&items);
    return ok;
}
