/* Functions: statements, local names, and loops (Y8, Y10). */
#include "symmetry/infer_internal.h"

#include "lang/syntax/walk.h"
#include "symmetry/access.h"

#include <assert.h>

/* ---- loops that count ---- */

static bool is_name(const struct expr *expr, const struct symbol *symbol) {
    return expr->kind == EXPR_NAME && expr->symbol == symbol;
}

/* The variable and the constant of `v = constant`. */
static const struct symbol *read_start(const struct expr *start, int64_t *value) {
    bool is_one = start->kind == EXPR_ASSIGN && start->op == OP_ASSIGN &&
                  start->child[0]->kind == EXPR_NAME && number_in_text(start->child[1], value);
    return is_one ? start->child[0]->symbol : NULL;
}

static bool is_step_of(const struct expr *step, const struct symbol *symbol) {
    return step->kind == EXPR_STEP && is_name(step->child[0], symbol) &&
           (step->op == OP_PRE_INC || step->op == OP_POST_INC);
}

/* The variable and the end of `v < constant`. */
static bool read_condition(const struct expr_list *list, struct count_loop *count) {
    const struct expr *condition = list->count == 1 ? list->items[0] : NULL;
    if (!condition || condition->kind != EXPR_BINARY || condition->child[0]->kind != EXPR_NAME ||
        (condition->op != OP_LT && condition->op != OP_LE) ||
        !number_in_text(condition->child[1], &count->upper))
        return false;
    count->upper -= condition->op == OP_LT;
    count->symbol = condition->child[0]->symbol;
    return count->symbol && count->symbol->kind == SYMBOL_VARIABLE &&
           count->symbol->scope == SCOPE_FRAME && type_strip(count->symbol->type)->kind == TYPE_INT;
}

static bool read_for(const struct statement *loop, struct count_loop *count) {
    return loop->kind == STATEMENT_FOR && loop->first.count == 1 && loop->step.count == 1 &&
           read_condition(&loop->condition, count) &&
           read_start(loop->first.items[0], &count->lower) == count->symbol &&
           is_step_of(loop->step.items[0], count->symbol) && count->lower <= count->upper;
}

static bool declares(const struct statement *block, const struct symbol *symbol) {
    for (uint32_t i = 0; block && i < block->declaration_count; i++)
        for (uint32_t k = 0; k < block->declarations[i]->declarator_count; k++)
            if (block->declarations[i]->declarators[k].symbol == symbol) return true;
    return false;
}

/* `int v = constant; while (v < constant) { ... v++; }`, or with `v = constant;` right before. A
 * block further out may come here again, where v is not as it was declared. */
static bool read_while(const struct statement *loop, const struct statement *before,
                       const struct statement *block, struct count_loop *count) {
    const struct statement *body = loop->body;
    if (loop->kind != STATEMENT_WHILE || !read_condition(&loop->condition, count) || !body ||
        body->kind != STATEMENT_BLOCK || !body->statement_count)
        return false;
    const struct statement *last = body->statements[body->statement_count - 1];
    const struct initialiser *initialiser = count->symbol->initialiser;
    if (last->kind != STATEMENT_EXPR || !is_step_of(last->expr, count->symbol)) return false;
    count->step = last;
    if (before && before->kind == STATEMENT_EXPR &&
        read_start(before->expr, &count->lower) == count->symbol)
        count->start = before;
    else if (!initialiser || !initialiser->expr || !declares(block, count->symbol) ||
             !number_in_text(initialiser->expr, &count->lower))
        return false;
    return count->lower <= count->upper;
}

struct mentions {
    const struct symbol *symbol;
    uint32_t count;
    bool is_changed;
};

static bool count_mention(void *context, const struct expr *expr) {
    struct mentions *mentions = context;
    mentions->count += is_name(expr, mentions->symbol);
    if (expr_assigns(expr)) mentions->is_changed |= is_name(expr->child[0], mentions->symbol);
    if (expr->kind == EXPR_CALL && expr->symbol && expr->symbol->kind == SYMBOL_FUNCTION)
        for (uint32_t i = 0; i < expr->argument_count; i++)
            mentions->is_changed |= expr->symbol->function->parameters[i]->is_reference &&
                                    is_name(expr->arguments[i], mentions->symbol);
    return true;
}

static struct mentions mentions_in(const struct statement *statement, const struct symbol *symbol) {
    struct mentions mentions = {.symbol = symbol};
    if (statement) walk_statement(statement, count_mention, &mentions);
    return mentions;
}

static bool changes_inside(const struct count_loop *loop, const struct statement *body) {
    bool changes = false;
    if (!loop->step) return mentions_in(body, loop->symbol).is_changed;
    for (uint32_t i = 0; i + 1 < body->statement_count; i++)
        changes |= mentions_in(body->statements[i], loop->symbol).is_changed;
    return changes;
}

/* In a block, or NULL, after the statement before it there, or NULL. */
static void find_loops(struct sorts *sorts, const struct statement *statement,
                       const struct statement *block, const struct statement *before) {
    struct count_loop head = {0};
    if (read_for(statement, &head) || read_while(statement, before, block, &head)) {
        struct count_loop *loop = ARENA_NEW(sorts->arena, struct count_loop);
        *loop = head;
        if (!changes_inside(loop, statement->body))
            map_put(&sorts->loops, map_key(statement), loop);
    }
    if (statement->body) find_loops(sorts, statement->body, NULL, NULL);
    if (statement->other) find_loops(sorts, statement->other, NULL, NULL);
    for (uint32_t i = 0; i < statement->statement_count; i++)
        find_loops(sorts, statement->statements[i], statement,
                   i ? statement->statements[i - 1] : NULL);
}

/* How often a name stands in such loops of it. One that begins as it was declared has no other. */
static uint32_t count_in_loops(struct sorts *sorts, const struct statement *statement,
                               const struct symbol *symbol, uint32_t all) {
    const struct count_loop *loop = map_get(&sorts->loops, map_key(statement));
    uint32_t count = 0;
    if (loop && loop->symbol == symbol) {
        count = mentions_in(statement, symbol).count + (loop->start != NULL);
        return loop->step && !loop->start && count < all ? 0 : count;
    }
    if (statement->body) count += count_in_loops(sorts, statement->body, symbol, all);
    if (statement->other) count += count_in_loops(sorts, statement->other, symbol, all);
    for (uint32_t i = 0; i < statement->statement_count; i++)
        count += count_in_loops(sorts, statement->statements[i], symbol, all);
    return count;
}

/* Names that stand elsewhere, too, are variables like others. */
static void choose_loops(struct sorts *sorts, const struct statement *statement,
                         const struct statement *all) {
    const struct count_loop *loop = map_get(&sorts->loops, map_key(statement));
    uint32_t mentions = loop ? mentions_in(all, loop->symbol).count : 0;
    if (loop && count_in_loops(sorts, all, loop->symbol, mentions) == mentions) {
        map_put(&sorts->counting, map_key(loop->symbol), sorts);
        if (loop->start) map_put(&sorts->skipped, map_key(loop->start), sorts);
        if (loop->step) map_put(&sorts->skipped, map_key(loop->step), sorts);
    }
    if (statement->body) choose_loops(sorts, statement->body, all);
    if (statement->other) choose_loops(sorts, statement->other, all);
    for (uint32_t i = 0; i < statement->statement_count; i++)
        choose_loops(sorts, statement->statements[i], all);
}

/* ---- statements ---- */

void infer_initialiser(struct sorts *sorts, const struct sort_tree *tree,
                       const struct initialiser *initialiser) {
    if (initialiser->expr) {
        tree_join(sorts, tree, infer_expr(sorts, initialiser->expr), initialiser->span);
        return;
    }
    for (uint32_t i = 0; i < initialiser->item_count; i++) {
        const struct sort_tree *part = NULL;
        if (tree->kind == SORT_ARRAY) {
            part = tree->element;
        } else if (tree->kind == SORT_STRUCT && !initialiser->names[i] && i < tree->field_count) {
            part = tree->fields[i];
        }
        if (part)
            infer_initialiser(sorts, part, initialiser->items[i]);
        else
            tree_break(sorts, tree, "its initial value is given by fields", initialiser->span);
    }
}

/* Lists in braces give values by place, so the index of an array is no name of anything. */
static void break_indices(struct sorts *sorts, const struct sort_tree *tree, struct span span) {
    if (tree->kind == SORT_ARRAY) {
        sort_break(sorts, tree->variable, "a local array gets its values one by one", span);
        break_indices(sorts, tree->element, span);
    }
    for (uint32_t i = 0; i < tree->field_count; i++) break_indices(sorts, tree->fields[i], span);
}

/* A local name without initialiser starts at a value that is as if it were written (Y10). */
static void name_default(struct sorts *sorts, const struct sort_tree *tree, struct span span) {
    if (tree->kind == SORT_ARRAY) name_default(sorts, tree->element, span);
    for (uint32_t i = 0; i < tree->field_count; i++) name_default(sorts, tree->fields[i], span);
    if (tree->kind != SORT_CELL || tree->variable == sorts->plain->variable) return;
    int64_t value = 0;
    for (uint32_t i = 0; i < sorts->cuts.count; i++) { /* its own range */
        const struct sort_cut *cut = &sorts->cuts.items[i];
        if (cut->variable == tree->variable && cut->is_range && (cut->lower > 0 || cut->upper < 0))
            value = cut->lower;
    }
    sort_cut_at(sorts, tree->variable, value, value, span);
}

static void infer_locals(struct sorts *sorts, const struct statement *block) {
    for (uint32_t i = 0; i < block->declaration_count; i++) {
        const struct declaration *declaration = block->declarations[i];
        if (declaration->kind != DECLARATION_VARIABLES) continue;
        for (uint32_t k = 0; k < declaration->declarator_count; k++) {
            const struct symbol *symbol = declaration->declarators[k].symbol;
            const struct sort_tree *tree = tree_of_symbol(sorts, symbol);
            if (map_get(&sorts->counting, map_key(symbol))) continue;
            if (!symbol->initialiser) {
                name_default(sorts, tree, symbol->span);
                continue;
            }
            infer_initialiser(sorts, tree, symbol->initialiser);
            if (!symbol->initialiser->expr) break_indices(sorts, tree, symbol->span);
        }
    }
}

static void infer_conditions(struct sorts *sorts, const struct expr_list *list) {
    for (uint32_t i = 0; i < list->count; i++)
        if (i + 1 < list->count)
            infer_expr(sorts, list->items[i]);
        else
            infer_truth(sorts, list->items[i]);
}

/* Rounds that come to something else in another order break the sort of what they run over. */
static void judge_rounds(struct sorts *sorts, const struct statement *loop,
                         const struct symbol *bound) {
    struct text_accesses accesses;
    assert(loop->body && bound);
    struct span at = loop->span;
    accesses_init(&accesses, sorts->arena, sorts->network);
    accesses.counting = &sorts->counting;
    accesses.skipped = &sorts->skipped;
    accesses_add_statement(&accesses, loop->body);
    if (!accesses_are_rounds(&accesses, bound, &at))
        tree_break(sorts, tree_of_symbol(sorts, bound), "the order of the rounds of a loop matters",
                   at);
}

static void infer_statement(struct sorts *sorts, const struct statement *statement,
                            const struct sort_tree *result);

static void infer_loop(struct sorts *sorts, const struct statement *statement,
                       const struct sort_tree *result) {
    const struct count_loop *loop = map_get(&sorts->loops, map_key(statement));
    if (loop && map_get(&sorts->counting, map_key(loop->symbol))) {
        assert(loop->lower <= loop->upper);
        struct sort_cut cut = {.variable = tree_of_symbol(sorts, loop->symbol)->variable,
                               .lower = loop->lower,
                               .upper = loop->upper,
                               .is_range = true,
                               .is_source = true,
                               .span = statement->span};
        VEC_PUSH(sorts->arena, &sorts->cuts, cut);
        judge_rounds(sorts, statement, loop->symbol);
    } else if (statement->kind == STATEMENT_ITERATE) {
        tree_of_symbol(sorts, statement->bound);
        judge_rounds(sorts, statement, statement->bound);
    } else {
        infer_effects(sorts, &statement->first);
        infer_conditions(sorts, &statement->condition);
        infer_effects(sorts, &statement->step);
    }
    if (statement->body) infer_statement(sorts, statement->body, result);
    if (statement->other) infer_statement(sorts, statement->other, result);
}

static void infer_statement(struct sorts *sorts, const struct statement *statement,
                            const struct sort_tree *result) {
    if (map_get(&sorts->skipped, map_key(statement))) return;
    switch (statement->kind) {
    case STATEMENT_BLOCK:
        infer_locals(sorts, statement);
        for (uint32_t i = 0; i < statement->statement_count; i++)
            infer_statement(sorts, statement->statements[i], result);
        return;
    case STATEMENT_EMPTY: return;
    case STATEMENT_EXPR: infer_expr(sorts, statement->expr); return;
    case STATEMENT_RETURN:
        if (statement->expr)
            tree_join(sorts, result, infer_expr(sorts, statement->expr), statement->span);
        return;
    case STATEMENT_ASSERT: infer_truth(sorts, statement->expr); return;
    case STATEMENT_IF:
    case STATEMENT_FOR:
    case STATEMENT_ITERATE:
    case STATEMENT_WHILE:
    case STATEMENT_DO: infer_loop(sorts, statement, result); return;
    }
}

void infer_function(struct sorts *sorts, const struct function *function) {
    if (!function->body) return;
    find_loops(sorts, function->body, NULL, NULL);
    choose_loops(sorts, function->body, function->body);
    infer_statement(sorts, function->body, tree_of_result(sorts, function));
}
