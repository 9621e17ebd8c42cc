/* Queries that name removed variables, in terms of ghosts (rule S2). */
#include "abstract/emit/query.h"

#include "abstract/claim/removed_in.h"
#include "abstract/edge/express.h"
#include "abstract/request/request.h"
#include "expr/build.h"
#include "expr/find.h"
#include "lang/print/print.h"
#include "lang/syntax/walk.h"

#include <assert.h>
#include <stdlib.h>

struct rewriting {
    struct abstraction *abstraction;
    const struct query *query;
    VEC(struct text_edit) edits;
};

/* An expression about one process as that process itself would write it. */
struct inside {
    struct arena *arena;
    const struct expr *process; /* NULL: about none so far */
    bool is_about_several;
};

static const struct expr *from_inside(struct inside *inside, const struct expr *expr) {
    if (!expr) return NULL;
    if (expr->kind == EXPR_FIELD && expr->symbol) {
        if (inside->process && !expr_equal(inside->process, expr->child[0]))
            inside->is_about_several = true;
        inside->process = expr->child[0];
        return build_name(inside->arena, expr->symbol);
    }
    struct expr *copy = build_copy(inside->arena, expr);
    for (int i = 0; i < 3; i++) copy->child[i] = (struct expr *)from_inside(inside, expr->child[i]);
    if (expr->argument_count)
        copy->arguments = ARENA_ARRAY(inside->arena, struct expr *, expr->argument_count);
    for (uint32_t i = 0; i < expr->argument_count; i++)
        copy->arguments[i] = (struct expr *)from_inside(inside, expr->arguments[i]);
    return copy;
}

/* The way back: v is Process.v. */
static const struct expr *from_outside(struct arena *arena, const struct expr *expr,
                                       const struct expr *process) {
    if (!expr) return NULL;
    struct expr *copy = build_copy(arena, expr);
    if (expr->kind == EXPR_NAME && expr->symbol->scope == SCOPE_TEMPLATE) {
        assert(process); /* a variable of a template is one of some process */
        copy->kind = EXPR_FIELD;
        copy->child[0] = (struct expr *)process;
        return copy;
    }
    for (int i = 0; i < 3; i++)
        copy->child[i] = (struct expr *)from_outside(arena, expr->child[i], process);
    return copy;
}

static char char_at(const struct rewriting *rewriting, position at) {
    const struct text *text = &rewriting->query->xml->formula->text;
    bool is_inside = at >= text->begin && at < text->begin + text->content.size;
    return is_inside ? text->content.data[at - text->begin] : ' ';
}

/* Whether the new expression needs parentheses in place of the old one. */
static bool needs_parentheses(const struct rewriting *rewriting, const struct expr *parent,
                              struct span span, const struct expr *expr) {
    if (!parent || (expr->kind != EXPR_BINARY && expr->kind != EXPR_COND)) return false;
    bool is_comparison = expr->kind == EXPR_BINARY && expr->op >= OP_LT && expr->op <= OP_NE;
    if (is_comparison && parent->kind == EXPR_BINARY && parent->op >= OP_AND) return false;
    return char_at(rewriting, span.begin - 1) != '(' || char_at(rewriting, span.end) != ')';
}

static const struct expr *express(struct rewriting *rewriting, const struct expr *expr) {
    struct abstraction *abstraction = rewriting->abstraction;
    const struct network *network = abstraction->network;
    assert(network->process_count);
    struct inside inside = {.arena = abstraction->arena};
    const struct expr *own = from_inside(&inside, expr);
    if (inside.is_about_several) return NULL;
    const struct template *template =
        inside.process ? inside.process->symbol->template : network->processes[0].template;
    const struct expr *result = express_everywhere(&abstraction->context, template, own);
    return result ? from_outside(abstraction->arena, result, inside.process) : NULL;
}

static bool rewrite(struct rewriting *rewriting, const struct expr *expr,
                    const struct expr *parent) {
    struct abstraction *abstraction = rewriting->abstraction;
    if (!expr || !abstraction_removed_in(abstraction, expr)) return true;
    const struct expr *result = express(rewriting, expr);
    if (result) {
        struct buffer text = {0};
        bool is_open = needs_parentheses(rewriting, parent, expr->span, result);
        if (is_open) buffer_add_text(&text, "(");
        print_expr(&text, result);
        if (is_open) buffer_add_text(&text, ")");
        struct text_edit edit = {expr->span, str_of(buffer_take(&text, abstraction->arena))};
        VEC_PUSH(abstraction->arena, &rewriting->edits, edit);
        buffer_close(&text);
        return true;
    }
    bool is_path = expr->kind == EXPR_NAME || expr->kind == EXPR_INDEX || expr->kind == EXPR_FIELD;
    if (is_path || (expr->kind == EXPR_CALL && expr->symbol && expr->symbol->function))
        return false;
    for (int i = 0; i < 3; i++)
        if (!rewrite(rewriting, expr->child[i], expr)) return false;
    for (uint32_t i = 0; i < expr->argument_count; i++)
        if (!rewrite(rewriting, expr->arguments[i], expr)) return false;
    return true;
}

bool query_rewrite(struct abstraction *abstraction, uint32_t index) {
    assert(index < abstraction->network->model->query_count);
    const struct query *query = &abstraction->network->model->queries[index];
    struct rewriting rewriting = {.abstraction = abstraction, .query = query};
    if (!abstraction->request->ghosts.count) return false;
    bool ok = rewrite(&rewriting, query->predicate, NULL);
    for (uint32_t i = 0; i < query->expr_count && ok; i++)
        ok = rewrite(&rewriting, query->exprs[i], NULL);
    if (!ok) return false;
    text_edits_sort(rewriting.edits.items, rewriting.edits.count);
    struct str formula = text_edited(abstraction->arena, &query->xml->formula->text,
                                     rewriting.edits.items, rewriting.edits.count);
    VEC_PUSH(abstraction->arena, &abstraction->rewritten_queries,
             (struct rewritten_query){index, rewriting.edits.items, rewriting.edits.count,
                                      formula.data});
    return true;
}
