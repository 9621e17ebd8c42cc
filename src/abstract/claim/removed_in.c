#include "abstract/claim/removed_in.h"

#include "abstract/facts/cells.h"
#include "abstract/request/request.h"
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

static bool names_removed(void *user, const struct expr *expr) {
    struct name_search *search = user;
    const struct request *request = search->abstraction->request;
    if (expr->kind == EXPR_CALL && expr->symbol && expr->symbol->function) {
        const struct effects *effects =
            network_effects(search->abstraction->network, expr->symbol->function);
        for (uint32_t i = 0; i < effects->list.count; i++)
            if (removed_ever(request, effects->list.items[i].symbol))
                search->variable = name_of(search->abstraction, effects->list.items[i].symbol);
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
