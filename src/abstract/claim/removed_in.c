#include "abstract/claim/removed_in.h"

#include "abstract/facts/cells.h"
#include "abstract/request/request.h"
#include "lang/syntax/frame.h"
#include "lang/syntax/lex.h"
#include "lang/syntax/walk.h"

#include <assert.h>

struct name_search {
    struct abstraction *abstraction;
    const char *variable;
};

static const char *name_of(const struct abstraction *abstraction, const struct symbol *symbol) {
    const struct removal *removal = removed_ever(abstraction->request, symbol);
    assert(removal);
    return variable_name(abstraction->arena, removal->template, symbol);
}

/* A removed variable that a function reads or writes, or NULL. */
static const char *removed_in_function(const struct abstraction *abstraction,
                                       const struct function *function) {
    const struct effects *effects = network_effects(abstraction->network, function);
    const char *variable = NULL;
    for (uint32_t i = 0; i < effects->list.count; i++)
        if (removed_ever(abstraction->request, effects->list.items[i].symbol))
            variable = name_of(abstraction, effects->list.items[i].symbol);
    return variable;
}

static bool names_removed(void *user, const struct expr *expr) {
    struct name_search *search = user;
    const struct request *request = search->abstraction->request;
    if (expr->kind == EXPR_CALL && expr->symbol && expr->symbol->function) {
        const char *variable = removed_in_function(search->abstraction, expr->symbol->function);
        if (variable) search->variable = variable;
    }
    if (!expr_is_path(expr)) return !search->variable;
    const struct symbol *root = expr_root(expr);
    if (clock_is_removed(request, root)) {
        search->variable = root->name;
        return false;
    }
    const struct removal *removal = root ? removed_ever(request, root) : NULL;
    if (!removal) return !search->variable;
    /* A visible part of a partly removed variable may stay. */
    const struct expr *bottom = expr;
    for (; bottom->kind == EXPR_INDEX || (bottom->kind == EXPR_FIELD && !bottom->symbol);
         bottom = bottom->child[0])
        if (bottom->kind == EXPR_INDEX) walk_expr(bottom->child[1], names_removed, search);
    bool is_name = bottom->kind == EXPR_NAME || bottom->kind == EXPR_FIELD;
    if (removal->is_whole || !is_name ||
        path_may_be_removed(&search->abstraction->context, removal, expr, NULL))
        search->variable = name_of(search->abstraction, root);
    return false;
}

const char *abstraction_removed_in(struct abstraction *abstraction, const struct expr *expr) {
    struct name_search search = {abstraction, NULL};
    walk_expr(expr, names_removed, &search);
    return search.variable;
}

/* ---- in texts that cannot be read ---- */

/* What it names if it means the symbol. */
static const char *removed_by_name(const struct abstraction *abstraction,
                                   const struct symbol *symbol) {
    if (!symbol) return NULL;
    if (symbol->function) return removed_in_function(abstraction, symbol->function);
    if (clock_is_removed(abstraction->request, symbol)) return symbol->name;
    return removed_ever(abstraction->request, symbol) ? name_of(abstraction, symbol) : NULL;
}

/* The template of the process in front of '.': P, or Set(arguments). NULL if it is not known. */
static const struct template *template_before(const struct model *model, const struct token *first,
                                              const struct token *dot) {
    enum { MOST_STEPS = 1000 };
    const struct token *at = dot - 1;
    uint32_t depth = at->kind == TOKEN_RIGHT_PAREN;
    for (uint32_t i = 0; depth && at > first && i < MOST_STEPS; i++) {
        at--;
        depth += at->kind == TOKEN_RIGHT_PAREN;
        depth -= at->kind == TOKEN_LEFT_PAREN;
        if (!depth && at > first) at--;
    }
    bool is_name = !depth && at->kind == TOKEN_NAME;
    const struct symbol *process = is_name ? frame_find(model->frame, at->name) : NULL;
    return process ? process->template : NULL;
}

const char *abstraction_removed_in_text(struct abstraction *abstraction, const struct text *text) {
    const struct model *model = abstraction->network->model;
    struct diag unheard;
    struct tokens tokens = {0};
    const char *variable = NULL;
    diag_init(&unheard, abstraction->arena, model->diag->source);
    lex(abstraction->arena, model->names, text, &tokens, &unheard); /* as far as it goes */
    for (uint32_t i = 0; i < tokens.list.count && !variable; i++) {
        const struct token *token = &tokens.list.items[i];
        bool is_member = i > 1 && token[-1].kind == TOKEN_DOT;
        const struct template *owner =
            is_member ? template_before(model, tokens.list.items, token - 1) : NULL;
        if (token->kind != TOKEN_NAME) continue;
        if (!is_member)
            variable = removed_by_name(abstraction, frame_find(model->frame, token->name));
        for (uint32_t t = 0; is_member && t < model->template_count && !variable; t++)
            if (!owner || owner == model->templates[t])
                variable = removed_by_name(
                    abstraction, frame_find_here(model->templates[t]->frame, token->name));
    }
    return variable;
}
