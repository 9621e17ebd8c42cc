/* Reads guard and update of an edge item by item; a group is refused at the first part that fits no
 * form. Selects come last, as the other labels say whether their values count. */
#include "abstract/cells/touched.h"

#include "abstract/cells/deal.h"
#include "abstract/cells/mapping.h"
#include "abstract/cells/other.h"
#include "abstract/edge/call.h"
#include "abstract/edge/frame.h"
#include "abstract/facts/cells.h"
#include "abstract/facts/channel.h"
#include "abstract/facts/range.h"
#include "abstract/prepare/ghost.h"
#include "explore/fair/tag.h"
#include "expr/build.h"
#include "expr/find.h"
#include "expr/substitute.h"
#include "lang/print/print.h"
#include "lang/syntax/walk.h"

#include <assert.h>

struct reader {
    struct touched_edge *touched;
    struct cell_group *group;
    struct context *context;
    struct arena *arena;
    position at;
    bool has_pointed;  /* the update has set the pointer */
    bool has_replaced; /* it has given cells values that they keep (S6) */
};

static bool refuse(struct reader *reader, const char *why) {
    return cell_group_refuse(reader->group, reader->at, "%s", why);
}

static bool is_edge_select(const struct edge *edge, const struct symbol *symbol) {
    for (uint32_t i = 0; i < edge->select_count; i++)
        if (edge->selects[i] == symbol) return true;
    return false;
}

/* Names */

/* The removal of a variable that is removed where the edge begins (S1); NULL if there is none. */
static const struct removal *removed_here(const struct reader *reader,
                                          const struct symbol *symbol) {
    const struct touched_edge *touched = reader->touched;
    return removed_at(reader->context->request, symbol,
                      where_guard(touched->template, touched->edge));
}

struct name_search {
    const struct reader *reader;
    bool has_select, has_visible, has_cell, has_removed;
};

static bool is_placeholder(const struct touched_edge *touched, const struct symbol *symbol) {
    for (uint32_t t = 0; t < touched->term_count; t++)
        for (uint32_t f = 0; f < touched->group->fields.count; f++)
            if (touched->terms[t].placeholders[f] == symbol) return true;
    return false;
}

static bool visit_name(void *context, const struct expr *expr) {
    struct name_search *search = context;
    const struct symbol *symbol = expr->symbol;
    if (expr->kind == EXPR_CALL) search->has_visible = true;
    if (expr->kind != EXPR_NAME || !symbol) return true;
    if (is_placeholder(search->reader->touched, symbol))
        search->has_cell = true;
    else if (is_edge_select(search->reader->touched->edge, symbol))
        search->has_select = true;
    else if (symbol->kind == SYMBOL_BOUND || symbol->has_value || symbol->is_compile_time)
        search->has_visible |= symbol->kind == SYMBOL_PARAMETER;
    else
        search->has_visible = true;
    search->has_removed |= removed_here(search->reader, symbol) != NULL;
    return true;
}

static struct name_search names_in(const struct reader *reader, const struct expr *expr) {
    struct name_search search = {.reader = reader};
    walk_expr(expr, visit_name, &search);
    return search;
}

/* Over: whether evaluating reads or writes what is removed. */
static bool has_removed(const struct reader *reader, const struct expr *expr) {
    struct where where = where_guard(reader->touched->template, reader->touched->edge);
    return expr && (expr_reads_removed(reader->context, expr, where) ||
                    expr_writes_removed(reader->context, expr, where) ||
                    names_in(reader, expr).has_removed);
}

/* Terms */

static bool index_equal(const struct cell_group *group, const struct expr *const *left,
                        const struct expr *const *right) {
    for (uint32_t d = 0; d < group->dimension_count; d++)
        if (!expr_equal(left[d], right[d])) return false;
    return true;
}

static uint32_t term_of(struct reader *reader, const struct record_path *path) {
    struct touched_edge *touched = reader->touched;
    assert(touched->term_count <= TOUCHED_MAX_TERMS);
    bool is_pointed = cell_is_pointer(reader->group, path->index[0]);
    if (is_pointed && reader->has_pointed) {
        refuse(reader, "it reads by an index that it has set before");
        return NO_SLOT;
    }
    for (uint32_t t = 0; t < touched->term_count; t++)
        if (index_equal(reader->group, touched->terms[t].index, path->index)) return t;
    if (touched->term_count == TOUCHED_MAX_TERMS) {
        refuse(reader, "the edge names more than three cells");
        return NO_SLOT;
    }
    struct cell_term *term = &touched->terms[touched->term_count];
    assert(reader->group->dimension_count <= CELLS_MAX_DIMENSIONS);
    term->is_pointed = is_pointed;
    for (uint32_t d = 0; d < reader->group->dimension_count; d++) {
        if (!is_pointed &&
            (has_removed(reader, path->index[d]) || expr_has_effect(path->index[d]))) {
            refuse(reader, "an index names a removed variable");
            return NO_SLOT;
        }
        term->index[d] = path->index[d];
    }
    for (uint32_t f = 0; f < reader->group->fields.count; f++) {
        struct symbol *symbol = ARENA_NEW(reader->arena, struct symbol);
        *symbol = *reader->group->fields.items[f].placeholder;
        symbol->name = cell_placeholder_name(reader->group);
        term->placeholders[f] = symbol;
    }
    return touched->term_count++;
}

/* Whether the pointer leads to the cell of a term. */
static const struct expr *is_pointed_at(const struct reader *reader, uint32_t t) {
    return build_name(reader->arena,
                      reader->touched->terms[t].placeholders[reader->group->fields.count - 1]);
}

/* i == k and i != k, where k is the pointer, are about the cell at i; NULL if it is something
 * else. */
static const struct expr *over_pointer(struct reader *reader, const struct expr *expr) {
    if (expr->kind != EXPR_BINARY || (expr->op != OP_EQ && expr->op != OP_NE)) return NULL;
    uint32_t side = cell_is_pointer(reader->group, expr->child[1]);
    if (!cell_is_pointer(reader->group, expr->child[side]) || reader->has_pointed ||
        has_removed(reader, expr->child[1 - side]))
        return NULL;
    uint32_t t = term_of(reader, &(struct record_path){.index = {expr->child[1 - side]}});
    if (t == NO_SLOT) return NULL;
    const struct expr *yes = is_pointed_at(reader, t);
    return expr->op == OP_EQ ? yes
                             : build_binary(reader->arena, OP_EQ, yes, build_int(reader->arena, 0));
}

/* The expression over placeholders; NULL where the group is refused. */
static const struct expr *over_terms(struct reader *reader, const struct expr *expr) {
    struct record_path path;
    if (!has_removed(reader, expr)) return expr;
    if (expr_is_path(expr) && record_path_parse(reader->group, expr, &path)) {
        uint32_t t = term_of(reader, &path);
        return t == NO_SLOT
                   ? NULL
                   : build_name(reader->arena, reader->touched->terms[t].placeholders[path.field]);
    }
    const struct expr *by_pointer = over_pointer(reader, expr);
    if (by_pointer) return by_pointer;
    const char *why = NULL;
    if (expr->kind == EXPR_NAME) why = "it names a removed variable that is not merged with it";
    if (expr->kind == EXPR_NAME && cell_group_has(reader->group, expr->symbol))
        why = "it names the whole array";
    if (expr->kind == EXPR_QUANTIFY) why = "a quantifier goes over cells";
    if (expr->kind == EXPR_CALL) why = "a function reads or writes cells";
    if (expr_has_effect(expr)) why = "cells change inside an expression";
    if (why) {
        refuse(reader, why);
        return NULL;
    }
    struct expr *copy = build_copy(reader->arena, expr);
    for (int i = 0; i < 3; i++)
        if (expr->child[i] && !(copy->child[i] = (struct expr *)over_terms(reader, expr->child[i])))
            return NULL;
    if (expr->argument_count)
        copy->arguments = ARENA_ARRAY(reader->arena, struct expr *, expr->argument_count);
    for (uint32_t i = 0; i < expr->argument_count; i++)
        if (!(copy->arguments[i] = (struct expr *)over_terms(reader, expr->arguments[i])))
            return NULL;
    return copy;
}

/* Conjuncts */

/* Whether it has one value in a state, whatever cells and selects are. */
static bool stays(const struct reader *reader, const struct expr *expr) {
    struct name_search names = names_in(reader, expr);
    return !names.has_select && !names.has_removed && !has_removed(reader, expr) &&
           !expr_has_effect(expr) && !expr_can_fault(expr) && !expr_names_clock(expr);
}

/* F13: false if it is no such condition; then nothing is refused. */
static bool read_quantifier(struct reader *reader, const struct expr *guard) {
    struct cell_quantifier found = {.original = guard};
    for (; guard->kind == EXPR_UNARY && guard->op == OP_NOT; guard = guard->child[0])
        found.is_negated = !found.is_negated;
    if (guard->kind == EXPR_BINARY && guard->op >= OP_LT && guard->op <= OP_NE) {
        found.comparison = guard;
        found.side = guard->child[0]->kind == EXPR_QUANTIFY ? 0 : 1;
        if (!stays(reader, guard->child[1 - found.side])) return false;
        guard = guard->child[found.side];
    }
    if (guard->kind != EXPR_QUANTIFY || (guard->op == OP_SUM) != (found.comparison != NULL) ||
        !quantifier_read(reader->group, guard, &found))
        return false;
    VEC_PUSH(reader->arena, &reader->touched->quantifiers, found);
    return true;
}

static bool read_guard(struct reader *reader, const struct expr *guard) {
    if (!guard) return true;
    if (guard->kind == EXPR_BINARY && guard->op == OP_AND)
        return read_guard(reader, guard->child[0]) && read_guard(reader, guard->child[1]);
    if (guard->span.begin) reader->at = guard->span.begin;
    if (reader->touched->deal && deal_asks(reader->touched->deal, guard)) return true;
    if (!reader->touched->deal && has_removed(reader, guard) && read_quantifier(reader, guard))
        return true;
    const struct expr *expr =
        other_says(reader->group, reader->touched->template, reader->touched->edge, guard);
    if (!expr) expr = over_terms(reader, guard);
    if (!expr) return false;
    struct name_search names = names_in(reader, expr);
    enum cell_conjunct_kind kind = names.has_cell                           ? CONJUNCT_OF_CELLS
                                   : names.has_select && !names.has_visible ? CONJUNCT_OF_SELECTS
                                                                            : CONJUNCT_VISIBLE;
    bool is_after = false;
    for (uint32_t i = 0; i < reader->touched->conjuncts.count; i++)
        is_after |= reader->touched->conjuncts.items[i].kind != CONJUNCT_VISIBLE;
    is_after |= reader->touched->quantifiers.count > 0;
    if (expr_names_clock(expr)) return refuse(reader, "a condition on clocks stands beside it");
    if (expr_can_fault(expr) && (is_after || kind != CONJUNCT_VISIBLE))
        return refuse(reader, "a part of the guard may fail, where cells keep failures away");
    VEC_PUSH(reader->arena, &reader->touched->conjuncts, (struct cell_conjunct){kind, expr, guard});
    return true;
}

/* Items */

static bool read_write(struct reader *reader, const struct expr *item) {
    struct record_path path;
    uint32_t t = NO_SLOT;
    if (!record_path_parse(reader->group, item->child[0], &path))
        return refuse(reader, "it assigns more than one cell at once");
    if ((t = term_of(reader, &path)) == NO_SLOT) return false;
    struct arena *arena = reader->arena;
    const struct expr *now = build_name(arena, reader->touched->terms[t].placeholders[path.field]);
    const struct expr *value;
    if (item->kind == EXPR_STEP) {
        bool is_up = item->op == OP_PRE_INC || item->op == OP_POST_INC;
        value = build_binary(arena, is_up ? OP_ADD : OP_SUB, now, build_int(arena, 1));
    } else {
        if (expr_has_effect(item->child[1]))
            return refuse(reader, "the value that it assigns has side effects");
        value = over_terms(reader, item->child[1]);
        if (!value) return false;
        if (item->op != OP_ASSIGN)
            value = build_binary(arena, op_of_assignment(item->op), now, value);
    }
    reader->touched->writes = true;
    VEC_PUSH(arena, &reader->touched->items,
             (struct cell_item){ITEM_WRITE, item, value, t, path.field, false});
    return true;
}

/* An assignment to another removed variable, which nothing here reads (M1). Out of its scope, the
 * variable gets the value (S6). */
static bool read_dropped(struct reader *reader, const struct expr *item,
                         const struct symbol *root) {
    const struct removal *removal = removed_here(reader, root);
    assert(removal && !cell_group_has(reader->group, root));
    bool is_plain = item->kind == EXPR_ASSIGN && item->op == OP_ASSIGN &&
                    item->child[0]->kind == EXPR_NAME && removal->is_whole;
    if (is_plain && !has_removed(reader, item->child[1]) && !expr_has_effect(item->child[1]) &&
        edge_leaves_scope(removal, reader->touched->template, reader->touched->edge)) {
        VEC_PUSH(reader->arena, &reader->touched->items,
                 (struct cell_item){.kind = ITEM_VISIBLE, .original = item, .expr = item});
        return true;
    }
    if (!is_plain || has_removed(reader, item->child[1]) || expr_has_effect(item->child[1]) ||
        expr_can_fault(item->child[1]) || item->child[0]->type->kind == TYPE_STRUCT ||
        range_condition(reader->context, NULL, item->child[1], root->type))
        return refuse(reader, "it writes another removed variable, and may fail");
    VEC_PUSH(reader->arena, &reader->touched->items,
             (struct cell_item){.kind = ITEM_DROPPED, .original = item});
    return true;
}

/* The expression with what other removed variables have got in this update; NULL if it reads one
 * that has got nothing. */
static const struct expr *after_dropped(struct reader *reader, const struct expr *expr) {
    for (uint32_t i = reader->touched->items.count; i-- > 0;) {
        const struct cell_item *item = &reader->touched->items.items[i];
        if (item->kind == ITEM_DROPPED)
            expr = expr_substitute(reader->arena, expr, item->original->child[0]->symbol,
                                   value_fitted(reader->context, NULL, item->original->child[1],
                                                item->original->child[0]->type));
    }
    return has_removed(reader, expr) ? NULL : expr;
}

/* F14: another merge that changes with it: what it becomes must follow from selects. */
static bool read_other(struct reader *reader, const struct expr *item) {
    const struct expr *value = after_dropped(reader, item->child[1]);
    uint32_t count = 0;
    for (uint32_t i = 0; i < reader->touched->items.count; i++)
        count += reader->touched->items.items[i].is_by_case;
    if (!value || names_in(reader, value).has_visible || expr_can_fault(value) ||
        reader->touched->deal || count == TOUCHED_MAX_VALUES)
        return refuse(reader, "another merge changes with it");
    struct expr *copy = build_copy(reader->arena, item);
    copy->child[1] = (struct expr *)value;
    VEC_PUSH(reader->arena, &reader->touched->items,
             (struct cell_item){
                 .kind = ITEM_VISIBLE, .original = item, .expr = copy, .is_by_case = true});
    return true;
}

/* F17: the pointer leaves its cell, and leads to another one. */
static bool read_point(struct reader *reader, const struct expr *item) {
    struct cell_group *group = reader->group;
    const struct expr *to = item->kind == EXPR_ASSIGN ? item->child[1] : NULL;
    if (!to || item->op != OP_ASSIGN || has_removed(reader, to) || expr_has_effect(to) ||
        reader->has_pointed ||
        range_condition(reader->context, NULL, to, group->pointer->symbol->type))
        return refuse(reader, "it sets an index by more than a value that always fits");
    const struct expr *indices[] = {item->child[0], to};
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t t = term_of(reader, &(struct record_path){.index = {indices[i]}});
        if (t == NO_SLOT) return false;
        struct cell_item write = {.kind = ITEM_WRITE, .original = item, .term = t};
        write.field = group->fields.count - 1;
        write.expr = build_bool(reader->arena, i > 0);
        VEC_PUSH(reader->arena, &reader->touched->items, write);
    }
    return reader->has_pointed = reader->touched->writes = true;
}

static bool read_item(struct reader *reader, const struct expr *item) {
    bool is_assignment = expr_assigns(item);
    const struct symbol *root = is_assignment ? expr_root(item->child[0]) : NULL;
    if (item->span.begin) reader->at = item->span.begin;
    if (reader->touched->mapping && mapping_has(reader->touched->mapping, item)) {
        VEC_PUSH(reader->arena, &reader->touched->items,
                 (struct cell_item){.kind = ITEM_GIFT, .original = item});
        return true;
    }
    if (reader->touched->replacement && mapping_has(reader->touched->replacement, item)) {
        VEC_PUSH(reader->arena, &reader->touched->items,
                 (struct cell_item){.kind = ITEM_VISIBLE, .original = item, .expr = item});
        return reader->has_replaced = true;
    }
    bool is_own = is_ghost_update(item) && cell_group_follows(reader->group, root);
    if (is_own && !reader->touched->replacement) return true; /* else it rests */
    if (is_ghost_update(item) && has_removed(reader, item->child[1]))
        return read_other(reader, item);
    if (root && cell_group_has(reader->group, root)) {
        if (!reader->touched->deal) return read_write(reader, item);
        VEC_PUSH(reader->arena, &reader->touched->items,
                 (struct cell_item){.kind = ITEM_GIFT, .original = item});
        return true;
    }
    if (is_assignment && cell_is_pointer(reader->group, item->child[0]))
        return read_point(reader, item);
    if (root && removed_here(reader, root)) return read_dropped(reader, item, root);
    struct cell_item read = {.kind = ITEM_VISIBLE, .original = item, .expr = item};
    if (has_removed(reader, item)) {
        if (reader->has_replaced) return refuse(reader, "it reads cells that it has replaced");
        if (!is_assignment || item->kind == EXPR_STEP || expr_has_effect(item->child[1]) ||
            has_removed(reader, item->child[0]))
            return refuse(reader, "a visible item does more with cells than to read them");
        const struct expr *value = over_terms(reader, item->child[1]);
        if (!value) return false;
        struct expr *copy = build_copy(reader->arena, item);
        copy->child[1] = (struct expr *)value;
        read.expr = copy;
    }
    VEC_PUSH(reader->arena, &reader->touched->items, read);
    return true;
}

/* Selects */

static bool mentions_in_cells(const struct touched_edge *touched, const struct symbol *symbol) {
    bool found = false;
    for (uint32_t i = 0; i < touched->conjuncts.count; i++)
        found |= touched->conjuncts.items[i].kind == CONJUNCT_OF_CELLS &&
                 expr_mentions(touched->conjuncts.items[i].expr, symbol);
    for (uint32_t i = 0; i < touched->items.count; i++) {
        const struct cell_item *item = &touched->items.items[i];
        found |= item->kind == ITEM_WRITE && expr_mentions(item->expr, symbol);
        found |= item->kind == ITEM_VISIBLE && item->expr != item->original && !item->is_by_case &&
                 expr_mentions(item->expr, symbol);
    }
    return found;
}

/* The kept part of the edge that names the select, as text; NULL = none does. */
static const char *seen_in(const struct reader *reader, const struct symbol *symbol) {
    const struct touched_edge *touched = reader->touched;
    const struct expr *found =
        expr_mentions(touched->edge->sync, symbol) ? touched->edge->sync : NULL;
    for (uint32_t i = 0; i < touched->conjuncts.count; i++) {
        const struct cell_conjunct *conjunct = &touched->conjuncts.items[i];
        if (conjunct->kind == CONJUNCT_VISIBLE && expr_mentions(conjunct->expr, symbol))
            found = conjunct->original;
    }
    for (uint32_t i = 0; i < touched->items.count; i++) {
        const struct cell_item *item = &touched->items.items[i];
        if (item->kind == ITEM_VISIBLE && !item->is_by_case && expr_mentions(item->expr, symbol))
            found = item->original;
    }
    if (!found && edge_tags_mention(touched->edge, str_of(symbol->name))) return "a tag";
    return found ? expr_text(found, reader->arena) : NULL;
}

static bool term_mentions(const struct touched_edge *touched, uint32_t t,
                          const struct symbol *symbol) {
    bool found = false;
    for (uint32_t d = 0; d < touched->group->dimension_count; d++)
        found |= expr_mentions(touched->terms[t].index[d], symbol);
    return found;
}

/* A select that is seen: its cell is known as one of a zone (F10). */
static bool see_index(struct reader *reader, uint32_t t, const struct symbol *symbol,
                      const char *where) {
    struct cell_term *term = &reader->touched->terms[t];
    assert(t < reader->touched->term_count && where);
    const struct expr *index = term->index[0];
    assert(t < reader->touched->term_count && index);
    if (reader->group->dimension_count > 1 || index->kind != EXPR_NAME || index->symbol != symbol)
        return refuse(reader, "an index that stays visible is no plain name");
    term->seen = index;
    term->seen_in = where;
    return true;
}

static bool sort_select(struct reader *reader, uint32_t s) {
    struct touched_edge *touched = reader->touched;
    const struct symbol *symbol = touched->edge->selects[s];
    assert(s < TOUCHED_MAX_SELECTS && !touched->deal); /* values in cases are by select */
    const char *seen = seen_in(reader, symbol);
    bool is_index = false, is_data = mentions_in_cells(touched, symbol);
    for (uint32_t t = 0; t < touched->term_count; t++)
        is_index |= term_mentions(touched, t, symbol);
    touched->is_listed[s] = is_index || (is_data && !seen);
    touched->is_data[s] = is_data;
    if (is_data && seen && is_index)
        return refuse(reader, "a select is an index, compared with cells, and seen elsewhere");
    for (uint32_t t = 0; t < touched->term_count && seen && is_index; t++)
        if (term_mentions(touched, t, symbol) && !see_index(reader, t, symbol, seen)) return false;
    return true;
}

/* Conditions on selects alone: of listed ones, they are tried; of others, they stay. */
static bool sort_conditions(struct reader *reader) {
    struct touched_edge *touched = reader->touched;
    for (uint32_t i = 0; i < touched->conjuncts.count; i++) {
        struct cell_conjunct *conjunct = &touched->conjuncts.items[i];
        bool has_hidden = false, has_kept = false;
        if (conjunct->kind != CONJUNCT_OF_SELECTS) continue;
        for (uint32_t s = 0; s < touched->edge->select_count; s++) {
            const struct symbol *symbol = touched->edge->selects[s];
            if (!expr_mentions(conjunct->expr, symbol)) continue;
            bool is_seen = false;
            for (uint32_t t = 0; t < touched->term_count; t++)
                is_seen |= touched->terms[t].seen && touched->terms[t].seen->symbol == symbol;
            *(touched->is_listed[s] && !is_seen ? &has_hidden : &has_kept) = true;
        }
        reader->at = conjunct->original->span.begin;
        if (has_hidden && has_kept)
            return refuse(reader, "an index that stays visible is compared with one that goes");
        if (!has_hidden) conjunct->kind = CONJUNCT_VISIBLE;
    }
    return true;
}

/* Indices by visible variables and parameters are seen; they must lie in the array. */
static bool sort_term(struct reader *reader, struct cell_term *term) {
    struct cell_group *group = reader->group;
    bool has_visible = false, has_select = false;
    if (term->is_pointed) return true;
    for (uint32_t d = 0; d < group->dimension_count; d++) {
        struct name_search names = names_in(reader, term->index[d]);
        int64_t value;
        if (constant_value(reader->context, term->index[d], &value)) continue;
        has_visible |= names.has_visible;
        has_select |= names.has_select;
        has_visible |= !names.has_select;
    }
    if (!has_visible) return true;
    if (has_select || group->dimension_count > 1 || expr_can_fault(term->index[0]) ||
        !index_fits(reader->context, term->index[0], group->lower[0],
                    group->lower[0] + (int64_t)group->size[0] - 1))
        return refuse(reader, "an index by a variable may lie outside, or is not the only one");
    term->seen = term->index[0];
    return true;
}

/* Where the pointer leads is part of the guard. */
static void ask_for_pointed(struct reader *reader) {
    struct touched_edge *touched = reader->touched;
    for (uint32_t t = 0; t < touched->term_count; t++)
        if (touched->terms[t].is_pointed)
            VEC_PUSH(reader->arena, &touched->conjuncts,
                     (struct cell_conjunct){CONJUNCT_OF_CELLS, is_pointed_at(reader, t),
                                            touched->terms[t].index[0]});
}

static bool cross_scopes(struct reader *reader) {
    struct rest_list rests = {{0}};
    const char *why_not =
        scopes_cross(reader->group, reader->touched->template, reader->touched->edge, &rests);
    for (uint32_t i = 0; i < rests.list.count; i++)
        VEC_PUSH(reader->arena, &reader->touched->items,
                 (struct cell_item){.kind = ITEM_VISIBLE,
                                    .original = rests.list.items[i],
                                    .expr = rests.list.items[i]});
    return !why_not || refuse(reader, why_not);
}

static bool check_edge(struct reader *reader) {
    const struct touched_edge *touched = reader->touched;
    const struct edge *edge = touched->edge;
    if (edge->leaves_branchpoint || edge->target >= touched->template->location_count ||
        edge->source >= touched->template->location_count)
        return refuse(reader, "a branchpoint is next to it");
    if (has_removed(reader, edge->sync)) return refuse(reader, "its channel reads a cell");
    if (edge->sync && !edge->is_send &&
        sync_is_broadcast(reader->context, touched->template, edge->sync))
        return refuse(reader, "it receives a broadcast");
    if (!touched->deal && edge->select_count > TOUCHED_MAX_SELECTS)
        return refuse(reader, "it has many selects");
    return true;
}

struct touched_edge *touched_edge_read(struct cell_group *group, const struct template *template,
                                       uint32_t index, const struct cell_deal *deal,
                                       const struct cell_mapping *mapping) {
    struct context *context = group->context;
    assert(index < template->edge_count && !group->why_not);
    const struct edge *edge = &template->edges[index];
    struct touched_edge *touched = ARENA_NEW(context->arena, struct touched_edge);
    *touched = (struct touched_edge){.group = group,
                                     .template = template,
                                     .edge = edge,
                                     .edge_index = index,
                                     .deal = deal,
                                     .mapping = mapping};
    if (!cell_group_counts(group, template, edge)) { /* it leaves the scope */
        touched->mapping = NULL;
        touched->replacement = mapping;
    }
    struct reader reader = {touched, group, context, context->arena, edge->xml->element->at,
                            false,   false};
    touched->is_listed = ARENA_ARRAY(context->arena, bool, edge->select_count + 1);
    touched->is_data = ARENA_ARRAY(context->arena, bool, edge->select_count + 1);
    if (!check_edge(&reader) ||
        !read_guard(&reader, guard_of_edge(context->network, template, edge)))
        return NULL;
    for (uint32_t i = 0; i < edge->updates.count; i++)
        if (!read_item(&reader, edge->updates.items[i])) return NULL;
    reader.at = edge->xml->element->at;
    if (!cross_scopes(&reader)) return NULL;
    bool has_cells = touched->term_count || touched->quantifiers.count;
    if (touched->mapping && touched->term_count) {
        refuse(&reader, "it gives all cells values, and names single ones");
        return NULL;
    }
    if (!mapping && has_cells == (deal != NULL)) {
        refuse(&reader, deal ? "it deals cells, and reads some" : "it names no single cell");
        return NULL;
    }
    for (uint32_t s = 0; s < edge->select_count && !deal; s++)
        if (!sort_select(&reader, s)) return NULL;
    for (uint32_t t = 0; t < touched->term_count; t++)
        if (!sort_term(&reader, &touched->terms[t])) return NULL;
    ask_for_pointed(&reader);
    if (!deal && !sort_conditions(&reader)) return NULL;
    assert(!deal || !touched->term_count);
    return touched;
}
