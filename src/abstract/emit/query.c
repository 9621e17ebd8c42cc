/* Queries that name removed variables, in terms of ghosts (rule S2). */
#include "abstract/emit/query.h"

#include "abstract/cells/plan.h"
#include "abstract/claim/removed_in.h"
#include "abstract/edge/express.h"
#include "abstract/request/request.h"
#include "expr/build.h"
#include "expr/find.h"
#include "lang/print/print.h"
#include "lang/syntax/ast.h"
#include "lang/syntax/walk.h"

#include <assert.h>

/* ---- where a process is known to be ---- */

/* Where a process is when a part of a query is evaluated (rule S7): in `P.l imply P.x > 1`,
 * what P.x is makes a difference at l only. */

/* What is so where an expression is evaluated, from the inside out. */
struct known_truth {
    const struct expr *expr;
    bool is_true;
    const struct known_truth *outer;
};

/* Locations, where an expression has a truth value. */
struct placing {
    const struct expr *process;
    const struct template *template;
    struct arena *arena;
};

static void narrow(const struct placing *placing, const struct expr *expr, bool is_true,
                   bool *places);

static bool is_unknown_to(const void *context, const struct expr *expr) {
    return expr->kind == EXPR_NAME && !expr_mentions(context, expr->symbol);
}

/* Two quantifiers may bind the same name, which then means different processes. */
static bool is_same_process(const struct expr *left, const struct expr *right) {
    return expr_equal(left, right) && !expr_any(left, is_unknown_to, right);
}

/* Where one of two can be so. */
static void narrow_to_either(const struct placing *placing, const struct expr *left, bool is_left,
                             const struct expr *right, bool is_right, bool *places) {
    uint32_t count = placing->template->location_count;
    bool *others = ARENA_ARRAY(placing->arena, bool, count + 1);
    memcpy(others, places, count * sizeof *others);
    narrow(placing, left, is_left, places);
    narrow(placing, right, is_right, others);
    for (uint32_t l = 0; l < count; l++) places[l] |= others[l];
}

static void narrow_by_operator(const struct placing *placing, const struct expr *expr, bool is_true,
                               bool *places) {
    const struct expr *left = expr->child[0], *right = expr->child[1];
    bool is_implication = expr->op == OP_IMPLY;
    bool is_left = is_implication ? !is_true : is_true;
    if (expr->op == OP_AND ? is_true : !is_true) { /* both have to be so */
        narrow(placing, left, is_left, places);
        narrow(placing, right, is_true, places);
    } else {
        narrow_to_either(placing, left, is_left, right, is_true, places);
    }
}

static void narrow(const struct placing *placing, const struct expr *expr, bool is_true,
                   bool *places) {
    if (expr->kind == EXPR_UNARY && expr->op == OP_NOT) {
        narrow(placing, expr->child[0], !is_true, places);
    } else if (expr->kind == EXPR_BINARY && op_is_connective(expr->op)) {
        narrow_by_operator(placing, expr, is_true, places);
    } else if (expr->kind == EXPR_FIELD && expr->symbol && expr->symbol->kind == SYMBOL_LOCATION &&
               is_same_process(expr->child[0], placing->process)) {
        for (uint32_t l = 0; l < placing->template->location_count; l++)
            places[l] &= (placing->template->locations[l].symbol == expr->symbol) == is_true;
    }
}

/* The locations of the template of a process where it can be; over. */
static bool *known_places(const struct known_truth *assumptions, const struct expr *process,
                          const struct template *template, struct arena *arena) {
    struct placing placing = {process, template, arena};
    bool *places = ARENA_ARRAY(arena, bool, template->location_count + 1);
    for (uint32_t l = 0; l < template->location_count; l++) places[l] = true;
    for (; assumptions; assumptions = assumptions->outer)
        narrow(&placing, assumptions->expr, assumptions->is_true, places);
    return places;
}

/* Whether a child of a node is evaluated in the same state, so that what is so outside is so
 * there. */
static bool is_of_same_state(const struct expr *expr) {
    return expr->kind == EXPR_UNARY || expr->kind == EXPR_BINARY || expr->kind == EXPR_COND ||
           expr->kind == EXPR_QUANTIFY || expr->kind == EXPR_INDEX || expr->kind == EXPR_FIELD ||
           expr->kind == EXPR_BUILTIN;
}

/* What makes a difference in a child besides, because of the children that are evaluated before it;
 * false if nothing does. Its outer is left open. */
static bool assumption_of_child(const struct expr *expr, int child,
                                struct known_truth *assumption) {
    assert(child >= 0 && child < 3);
    bool is_choice = expr->kind == EXPR_COND && child > 0;
    bool is_second = expr->kind == EXPR_BINARY && child == 1 && op_is_connective(expr->op);
    if (!is_choice && !is_second) return false;
    assumption->expr = expr->child[0];
    assumption->is_true = is_choice ? child == 1 : expr->op != OP_OR;
    return true;
}

struct rewriting {
    struct abstraction *abstraction;
    const struct query *query;
    VEC(struct text_edit) edits;
};

/* A quantifier that an expression stands in. */
struct quantified {
    const struct symbol *bound;
    const struct quantified *outer;
};

/* An expression about one process as that process itself would write it. */
struct inside {
    struct arena *arena;
    const struct expr *process; /* NULL: about none so far */
    bool is_about_several;
};

static void note_process(struct inside *inside, const struct expr *process,
                         const struct quantified *within) {
    inside->is_about_several |= inside->process && !expr_equal(inside->process, process);
    for (; within; within = within->outer) /* it is another one for each value */
        inside->is_about_several |= expr_mentions(process, within->bound);
    inside->process = process;
}

static const struct expr *from_inside(struct inside *inside, const struct expr *expr,
                                      const struct quantified *within) {
    const struct quantified own = {.bound = expr ? expr->bound : NULL, .outer = within};
    if (!expr) return NULL;
    if (expr->kind == EXPR_FIELD && expr->symbol) {
        note_process(inside, expr->child[0], within);
        return build_name(inside->arena, expr->symbol);
    }
    struct expr *copy = build_copy(inside->arena, expr);
    if (own.bound) within = &own;
    for (int i = 0; i < 3; i++)
        copy->child[i] = (struct expr *)from_inside(inside, expr->child[i], within);
    if (expr->argument_count)
        copy->arguments = ARENA_ARRAY(inside->arena, struct expr *, expr->argument_count);
    for (uint32_t i = 0; i < expr->argument_count; i++)
        copy->arguments[i] = (struct expr *)from_inside(inside, expr->arguments[i], within);
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

static bool begins_with_minus(const struct expr *expr) {
    return (expr->kind == EXPR_INT && expr->value < 0) ||
           (expr->kind == EXPR_UNARY && expr->op == OP_NEG);
}

/* Whether the new expression needs parentheses in place of the old one. */
static bool needs_parentheses(const struct rewriting *rewriting, const struct expr *parent,
                              struct span span, const struct expr *expr) {
    char before = char_at(rewriting, span.begin - 1);
    if (begins_with_minus(expr)) return before == '-'; /* x--1 is no difference */
    if (!parent || (expr->kind != EXPR_BINARY && expr->kind != EXPR_COND)) return false;
    bool is_comparison = expr->kind == EXPR_BINARY && expr->op >= OP_LT && expr->op <= OP_NE;
    if (is_comparison && parent->kind == EXPR_BINARY && parent->op >= OP_AND) return false;
    return before != '(' || char_at(rewriting, span.end) != ')';
}

/* The removal of a variable with a scope that an expression names, or NULL. */
static const struct removal *scoped_in(const struct request *request, const struct expr *expr) {
    for (uint32_t i = 0; i < request->removals.count; i++)
        if (request->removals.items[i].scope &&
            expr_mentions(expr, request->removals.items[i].symbol))
            return &request->removals.items[i];
    return NULL;
}

/* S7: how many of the places are in the scope: none, all, or some. */
enum inside_scope { IN_NONE, IN_SOME, IN_ALL };

static enum inside_scope inside_scope(const struct removal *removal, const bool *places) {
    bool is_in = false, is_out = false;
    for (uint32_t l = 0; l < removal->template->location_count; l++) {
        is_in |= places[l] && removal->scope[l];
        is_out |= places[l] && !removal->scope[l];
    }
    return is_in && is_out ? IN_SOME : is_in ? IN_ALL : IN_NONE;
}

static const struct expr *express(struct rewriting *rewriting, const struct expr *expr,
                                  const struct known_truth *assumptions) {
    struct abstraction *abstraction = rewriting->abstraction;
    const struct network *network = abstraction->network;
    assert(network->process_count);
    struct inside inside = {.arena = abstraction->arena};
    const struct expr *own = from_inside(&inside, expr, NULL);
    if (inside.is_about_several ||
        (inside.process && abstraction_removed_in(abstraction, inside.process)))
        return NULL;
    const struct template *template =
        inside.process ? inside.process->symbol->template : network->processes[0].template;
    const struct removal *scoped = scoped_in(abstraction->request, own);
    const bool *places = NULL;
    if (scoped) {
        places = known_places(assumptions, inside.process, template, abstraction->arena);
        if (inside_scope(scoped, places) != IN_ALL) return NULL;
    }
    const struct expr *result = express_everywhere(&abstraction->context, template, places, own);
    if (!result) result = cells_plan_says(abstraction->context.cells, own, scoped);
    return result ? from_outside(abstraction->arena, result, inside.process) : NULL;
}

/* Whether a variable has its value wherever it makes a difference: outside of its scope (S7). */
static bool is_outside(struct rewriting *rewriting, const struct expr *path,
                       const struct known_truth *assumptions) {
    struct abstraction *abstraction = rewriting->abstraction;
    while (path->kind == EXPR_INDEX || (path->kind == EXPR_FIELD && !path->symbol)) {
        if (path->kind == EXPR_INDEX && abstraction_removed_in(abstraction, path->child[1]))
            return false;
        path = path->child[0];
    }
    const struct removal *removal =
        path->kind == EXPR_FIELD ? removed_ever(abstraction->request, path->symbol) : NULL;
    if (!removal || !removal->scope || abstraction_removed_in(abstraction, path->child[0]))
        return false;
    return inside_scope(removal, known_places(assumptions, path->child[0], removal->template,
                                              abstraction->arena)) == IN_NONE;
}

static void replace(struct rewriting *rewriting, const struct expr *expr, const struct expr *parent,
                    const struct expr *result) {
    struct arena *arena = rewriting->abstraction->arena;
    struct buffer text = {0};
    bool is_open = needs_parentheses(rewriting, parent, expr->span, result);
    if (is_open) buffer_add_text(&text, "(");
    print_expr(&text, result);
    if (is_open) buffer_add_text(&text, ")");
    struct text_edit edit = {expr->span, str_of(buffer_take(&text, arena))};
    VEC_PUSH(arena, &rewriting->edits, edit);
    buffer_close(&text);
}

static bool rewrite(struct rewriting *rewriting, const struct expr *expr, const struct expr *parent,
                    const struct known_truth *assumptions) {
    if (!expr || !abstraction_removed_in(rewriting->abstraction, expr)) return true;
    const struct expr *result = express(rewriting, expr, assumptions);
    if (result) {
        replace(rewriting, expr, parent, result);
        return true;
    }
    if (expr_is_path(expr)) return is_outside(rewriting, expr, assumptions);
    if (expr->kind == EXPR_CALL && expr->symbol && expr->symbol->function) return false;
    const struct known_truth *here = is_of_same_state(expr) ? assumptions : NULL;
    for (int i = 0; i < 3; i++) {
        struct known_truth own = {.outer = here};
        bool has_own = assumption_of_child(expr, i, &own);
        if (!rewrite(rewriting, expr->child[i], expr, has_own ? &own : here)) return false;
    }
    for (uint32_t i = 0; i < expr->argument_count; i++)
        if (!rewrite(rewriting, expr->arguments[i], expr, here)) return false;
    return true;
}

static bool can_rewrite(const struct request *request) {
    bool can = request->ghosts.count > 0;
    for (uint32_t i = 0; i < request->removals.count; i++)
        can |= request->removals.items[i].scope != NULL;
    return can;
}

bool query_rewrite(struct abstraction *abstraction, uint32_t index) {
    assert(index < abstraction->network->model->query_count);
    const struct query *query = &abstraction->network->model->queries[index];
    struct rewriting rewriting = {.abstraction = abstraction, .query = query};
    struct known_truth counts = {.expr = query->predicate, .is_true = true};
    bool is_of_values = query->quantifier == QUERY_SUP || query->quantifier == QUERY_INF ||
                        query->quantifier == QUERY_BOUNDS;
    if (!can_rewrite(abstraction->request)) return false;
    bool ok = rewrite(&rewriting, query->predicate, NULL, NULL);
    for (uint32_t i = 0; i < query->expr_count && ok; i++)
        ok = rewrite(&rewriting, query->exprs[i], NULL,
                     is_of_values && query->predicate ? &counts : NULL);
    if (!ok || !rewriting.edits.count) return ok;
    text_edits_sort(rewriting.edits.items, rewriting.edits.count);
    struct str formula = text_edited(abstraction->arena, &query->xml->formula->text,
                                     rewriting.edits.items, rewriting.edits.count);
    VEC_PUSH(abstraction->arena, &abstraction->rewritten_queries,
             (struct rewritten_query){index, rewriting.edits.items, rewriting.edits.count,
                                      formula.data});
    return true;
}
