#include "model/data.h"

#include "base/sort.h"
#include "lang/syntax/walk.h"

#include <assert.h>
#include <stdlib.h>

/* Beyond these no constant is looked at; sums and products of two of them fit. */
enum { MAX_CONSTANT = 1 << 30 };

struct finder {
    struct data *data;
    struct data_class *unused; /* takes what is said of what is no variable */
    bool is_in_query;
    uint32_t query; /* then its number */
};

/* Classes */

static struct data_class *whole(struct data_class *class) {
    while (class->joined) class = class->joined;
    return class;
}

/* Queries do not make steps: only they cannot be answered. */
static void note_query(struct finder *finder, struct data_class *class) {
    class = whole(class);
    if (!class->asking.count || class->asking.items[class->asking.count - 1] != finder->query)
        VEC_PUSH(finder->data->arena, &class->asking, finder->query);
}

static void spoil(struct finder *finder, struct data_class *class, position at,
                  const char *why_not) {
    class = whole(class);
    if (finder->is_in_query) note_query(finder, class);
    if (finder->is_in_query || class->why_not) return;
    class->why_not = why_not;
    class->at = at;
}

static void cut_at(struct finder *finder, struct data_class *class, int64_t least) {
    VEC_PUSH(finder->data->arena, &whole(class)->cuts, least);
}

/* A value is a kind of its own. */
static void cut_out(struct finder *finder, struct data_class *class, int64_t value) {
    cut_at(finder, class, value);
    cut_at(finder, class, value + 1);
}

/* The constant may be another one of the data, if it is not NULL. */
static void cut_out_by(struct finder *finder, struct data_class *class, const struct expr *constant,
                       int64_t value) {
    cut_out(finder, class, value);
    if (constant && constant->kind == EXPR_NAME)
        VEC_PUSH(finder->data->arena, &whole(class)->named, constant);
}

static void join(struct finder *finder, struct data_class *left, struct data_class *right) {
    struct arena *arena = finder->data->arena;
    left = whole(left);
    right = whole(right);
    if (left == right) return;
    for (uint32_t i = 0; i < right->cuts.count; i++)
        VEC_PUSH(arena, &left->cuts, right->cuts.items[i]);
    for (uint32_t i = 0; i < right->named.count; i++)
        VEC_PUSH(arena, &left->named, right->named.items[i]);
    for (uint32_t i = 0; i < right->asking.count; i++)
        VEC_PUSH(arena, &left->asking, right->asking.items[i]);
    left->enough += right->enough;
    left->is_compared |= right->is_compared;
    if (right->why_not) spoil(finder, left, right->at, right->why_not);
    right->joined = left;
}

bool data_fixed_value(const struct expr *expr, int64_t *value) {
    int64_t left, right;
    bool ok = false;
    switch (expr->kind) {
    case EXPR_INT:
    case EXPR_BOOL:
        *value = expr->value;
        ok = true;
        break;
    case EXPR_NAME:
        ok = expr->symbol && expr->symbol->has_value;
        if (ok) *value = expr->symbol->value;
        break;
    case EXPR_UNARY:
        ok = expr->op == OP_NEG && data_fixed_value(expr->child[0], &left);
        if (ok) *value = -left;
        break;
    case EXPR_BINARY:
        ok = (expr->op == OP_ADD || expr->op == OP_SUB || expr->op == OP_MUL) &&
             data_fixed_value(expr->child[0], &left) && data_fixed_value(expr->child[1], &right);
        if (ok)
            *value = expr->op == OP_ADD   ? left + right
                     : expr->op == OP_SUB ? left - right
                                          : left * right;
        break;
    default: break;
    }
    return ok && *value > -MAX_CONSTANT && *value < MAX_CONSTANT;
}

bool data_range_of(const struct type *type, int64_t *lower, int64_t *upper) {
    type = type_strip(type);
    *lower = type->kind == TYPE_BOOL ? 0 : INT16_MIN;
    *upper = type->kind == TYPE_BOOL ? 1 : INT16_MAX;
    if (type->kind == TYPE_BOOL) return true;
    if (type->kind != TYPE_INT) return false;
    return !type->lower ||
           (data_fixed_value(type->lower, lower) && data_fixed_value(type->upper, upper));
}

static bool can_be_data(const struct symbol *symbol) {
    if (symbol->kind == SYMBOL_SELECT || symbol->kind == SYMBOL_BOUND) return true;
    return symbol->kind == SYMBOL_VARIABLE && !symbol_is_const(symbol) && symbol_has_value(symbol);
}

static void start_variable(struct finder *finder, struct data_class *class,
                           const struct symbol *symbol) {
    const struct network *network = finder->data->network;
    if (type_prefixes(symbol->type) & PREFIX_META) spoil(finder, class, 0, "it is a meta variable");
    if (handed_instance(&network->handed, symbol)) spoil(finder, class, 0, "a template gets it");
    if (symbol->scope == SCOPE_FRAME)
        spoil(finder, class, symbol->span.begin, "a function declares it");
}

static void start_select(struct finder *finder, struct data_class *class,
                         const struct symbol *symbol) {
    int64_t lower, upper;
    if (data_range_of(symbol->type, &lower, &upper)) {
        cut_at(finder, class, lower);
        cut_at(finder, class, upper + 1);
    } else {
        spoil(finder, class, symbol->span.begin, "its range is not the same for all processes");
    }
}

static struct data_class *class_of(struct finder *finder, const struct symbol *symbol) {
    struct data *data = finder->data;
    if (!can_be_data(symbol)) return finder->unused;
    struct data_class *class = map_get(&data->of, map_key(symbol));
    if (class) return whole(class);
    class = ARENA_NEW(data->arena, struct data_class);
    class->own = symbol;
    map_put(&data->of, map_key(symbol), class);
    VEC_PUSH(data->arena, &data->classes, class);
    if (symbol->kind == SYMBOL_VARIABLE)
        start_variable(finder, class, symbol);
    else
        start_select(finder, class, symbol);
    return class;
}

/* Slots come by variables, so those of one are neighbours or nearly. */
static void cut_by_slots(struct finder *finder) {
    const struct network *network = finder->data->network;
    for (uint32_t i = 0; i < network->slot_count; i++) {
        const struct slot *slot = &network->slots[i];
        struct data_class *class = class_of(finder, slot->symbol);
        if (slot->is_scalar) spoil(finder, class, 0, "it is a scalar");
        cut_at(finder, class, slot->lower);
        cut_at(finder, class, (int64_t)slot->upper + 1);
        cut_out(finder, class, slot->initial);
        whole(class)->enough++; /* for now: cells */
    }
}

/* Labels */

static void visit(struct finder *finder, const struct expr *expr);

static void visit_all(struct finder *finder, const struct expr *expr) {
    for (int i = 0; i < 3; i++) visit(finder, expr->child[i]);
    for (uint32_t i = 0; i < expr->argument_count; i++) visit(finder, expr->arguments[i]);
}

/* The variable or select that a name, or an element of an array, is; NULL if it is something else.
 * Indices are visited. */
static struct data_class *class_at(struct finder *finder, const struct expr *expr) {
    const struct expr *root = expr;
    while (root->kind == EXPR_INDEX) root = root->child[0];
    bool is_name = root->kind == EXPR_NAME || root->kind == EXPR_FIELD; /* x, P.x */
    if (!is_name || !root->symbol || !can_be_data(root->symbol)) return NULL;
    if (root->kind == EXPR_FIELD) visit(finder, root->child[0]);
    for (; expr->kind == EXPR_INDEX; expr = expr->child[0]) visit(finder, expr->child[1]);
    return class_of(finder, root->symbol);
}

/* A value that a class gets. */
static void visit_value(struct finder *finder, struct data_class *into, const struct expr *expr) {
    int64_t value;
    if (data_fixed_value(expr, &value)) {
        cut_out_by(finder, into, expr, value);
        return;
    }
    if (expr->kind == EXPR_COND) {
        visit(finder, expr->child[0]);
        visit_value(finder, into, expr->child[1]);
        visit_value(finder, into, expr->child[2]);
        return;
    }
    struct data_class *from = class_at(finder, expr);
    if (from) {
        join(finder, into, from);
        return;
    }
    spoil(finder, into, expr->span.begin, "a value is computed here");
    visit(finder, expr);
}

static void visit_comparison(struct finder *finder, const struct expr *expr) {
    const struct expr *left = expr->child[0], *right = expr->child[1];
    struct data_class *first = class_at(finder, left), *second = class_at(finder, right);
    bool is_order = expr->op != OP_EQ && expr->op != OP_NE;
    int64_t value;
    if (first && second && finder->is_in_query) {
        note_query(finder, first);
        note_query(finder, second);
        return;
    }
    if (first && second) {
        join(finder, first, second);
        whole(first)->is_compared = true;
        if (is_order)
            spoil(finder, first, expr->span.begin, "two values are compared by size here");
        return;
    }
    struct data_class *class = first ? first : second;
    const struct expr *other = first ? right : left;
    if (class && data_fixed_value(other, &value))
        cut_out_by(finder, class, is_order ? NULL : other, value);
    else if (class)
        spoil(finder, class, expr->span.begin, "it is compared with what is no constant here");
    if (!first) visit(finder, left);
    if (!second) visit(finder, right);
}

static void visit_assignment(struct finder *finder, const struct expr *expr) {
    struct data_class *into = class_at(finder, expr->child[0]);
    if (into && expr->op == OP_ASSIGN) {
        visit_value(finder, into, expr->child[1]);
        return;
    }
    if (into) spoil(finder, into, expr->span.begin, "a value is computed here");
    if (!into) visit(finder, expr->child[0]);
    visit(finder, expr->child[1]);
}

/* A value that is used in any way. */
static void visit(struct finder *finder, const struct expr *expr) {
    if (!expr) return;
    switch (expr->kind) {
    case EXPR_BINARY:
        if (expr->op >= OP_LT && expr->op <= OP_NE)
            visit_comparison(finder, expr);
        else
            visit_all(finder, expr);
        return;
    case EXPR_ASSIGN: {
        visit_assignment(finder, expr);
        struct data_class *into = class_at(finder, expr->child[0]);
        if (into)
            spoil(finder, into, expr->span.begin, "an assignment is part of an expression here");
        return;
    }
    case EXPR_QUANTIFY:
        class_of(finder, expr->bound);
        visit(finder, expr->child[0]);
        return;
    default: break;
    }
    struct data_class *class = class_at(finder, expr);
    if (class)
        spoil(finder, class, expr->span.begin,
              "it is used here for more than to be handed on or compared");
    else
        visit_all(finder, expr);
}

static void visit_update(struct finder *finder, const struct expr_list *items) {
    for (uint32_t i = 0; i < items->count; i++)
        if (items->items[i]->kind == EXPR_ASSIGN)
            visit_assignment(finder, items->items[i]);
        else
            visit(finder, items->items[i]);
}

/* Functions are not looked into. */
static bool visit_in_function(void *context, const struct expr *expr) {
    struct finder *finder = context;
    if ((expr->kind == EXPR_NAME || expr->kind == EXPR_FIELD) && expr->symbol &&
        expr->symbol->scope != SCOPE_FRAME)
        spoil(finder, class_of(finder, expr->symbol), expr->span.begin, "a function uses it here");
    return true;
}

static void visit_template(struct finder *finder, const struct template *template) {
    const struct network *network = finder->data->network;
    walk_functions_and_hooks(&template->declarations, visit_in_function, finder);
    for (uint32_t i = 0; i < template->location_count; i++)
        visit(finder, invariant_at(network, template, i));
    for (uint32_t i = 0; i < template->edge_count; i++) {
        const struct edge *edge = &template->edges[i];
        for (uint32_t s = 0; s < edge->select_count; s++) class_of(finder, edge->selects[s]);
        visit(finder, guard_of_edge(network, template, edge));
        visit(finder, edge->sync);
        visit(finder, edge->weight);
        visit_update(finder, &edge->updates);
    }
}

/* A template without processes takes no step, and its variables have no slots. */
static void visit_model(struct finder *finder) {
    const struct network *network = finder->data->network;
    const struct model *model = network->model;
    walk_functions_and_hooks(&model->declarations, visit_in_function, finder);
    walk_functions_and_hooks(&model->system_declarations, visit_in_function, finder);
    for (uint32_t i = 0; i < model->template_count; i++)
        if (network->processes_of[i].first < network->processes_of[i].end)
            visit_template(finder, model->templates[i]);
    for (uint32_t i = 0; i < model->progress_count; i++) {
        visit(finder, model->progress[i].guard);
        visit(finder, model->progress[i].measure);
    }
    finder->is_in_query = true;
    for (uint32_t i = 0; i < model->query_count; i++) {
        finder->query = i;
        visit(finder, model->queries[i].predicate);
        for (uint32_t k = 0; k < model->queries[i].expr_count; k++)
            visit(finder, model->queries[i].exprs[k]);
    }
    finder->is_in_query = false;
}

/* Kinds */

static void make_kinds(struct finder *finder, struct data_class *class) {
    assert(!class->joined && class->cuts.count >= 2);
    qsort(class->cuts.items, class->cuts.count, sizeof *class->cuts.items, compare_i64);
    for (uint32_t i = 1; i < class->cuts.count; i++) {
        int64_t lower = class->cuts.items[i - 1], upper = class->cuts.items[i] - 1;
        if (upper < lower) continue;
        if (lower < INT32_MIN || upper > INT32_MAX || class->kinds.count == DATA_MAX_KINDS) {
            spoil(finder, class, 0, "it has too many kinds of values");
            return;
        }
        VEC_PUSH(finder->data->arena, &class->kinds,
                 (struct data_kind){(int32_t)lower, (int32_t)upper});
    }
}

/* A step must find a value that neither a cell holds nor another select takes. */
static uint32_t values_at_once(const struct data *data, const struct data_class *class) {
    const struct model *model = data->network->model;
    uint64_t total = class->enough;
    for (uint32_t t = 0; t < model->template_count; t++) {
        const struct process_range *processes = &data->network->processes_of[t];
        uint64_t most = 0;
        for (uint32_t e = 0; e < model->templates[t]->edge_count; e++) {
            const struct edge *edge = &model->templates[t]->edges[e];
            uint64_t count = 0;
            for (uint32_t s = 0; s < edge->select_count; s++)
                count += data_class_of(data, edge->selects[s]) == class;
            if (count > most) most = count;
        }
        total += most * (processes->end - processes->first);
    }
    return total < UINT32_MAX ? (uint32_t)total : UINT32_MAX;
}

/* As classes were made: variables in the order of declaration. */
static void add_members(const struct data *data) {
    for (uint32_t i = 0; i < data->classes.count; i++) {
        const struct symbol *own = data->classes.items[i]->own;
        struct data_class *class = whole(data->classes.items[i]);
        if (own->kind == SYMBOL_VARIABLE)
            VEC_PUSH(data->arena, &class->variables, own);
        else
            VEC_PUSH(data->arena, &class->selects, own);
    }
}

const struct data *data_find(struct arena *arena, const struct network *network) {
    struct data *data = ARENA_NEW(arena, struct data);
    *data = (struct data){.arena = arena, .network = network};
    map_init(&data->of, arena);
    struct finder finder = {.data = data, .unused = ARENA_NEW(arena, struct data_class)};
    cut_by_slots(&finder);
    visit_model(&finder);
    add_members(data);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < data->classes.count; i++)
        if (!data->classes.items[i]->joined && data->classes.items[i]->variables.count)
            data->classes.items[kept++] = data->classes.items[i];
    data->classes.count = kept;
    for (uint32_t i = 0; i < kept; i++) make_kinds(&finder, data->classes.items[i]);
    for (uint32_t i = 0; i < kept; i++) {
        struct data_class *class = data->classes.items[i];
        class->enough = class->is_compared ? values_at_once(data, class) : 1;
    }
    return data;
}

const struct data_class *data_class_of(const struct data *data, const struct symbol *symbol) {
    struct data_class *class = map_get(&data->of, map_key(symbol));
    if (class) class = whole(class);
    return class && !class->why_not && class->variables.count ? class : NULL;
}

bool data_answers(const struct data_class *class, uint32_t query) {
    bool is_asking = false;
    for (uint32_t i = 0; i < class->asking.count; i++) is_asking |= class->asking.items[i] == query;
    return !is_asking;
}

/* Whether the range of some select ends with a kind, of which it takes the least values. */
static bool ends_a_select(const struct data_class *class, const struct data_kind *kind) {
    bool ends = false;
    for (uint32_t i = 0; i < class->selects.count && !ends; i++) {
        const struct symbol *select = class->selects.items[i];
        int64_t lower, upper;
        ends = select->kind == SYMBOL_SELECT && data_range_of(select->type, &lower, &upper) &&
               upper == kind->upper;
    }
    return ends;
}

struct data_kind data_enough_of(const struct data_class *class, struct data_kind range) {
    struct data_kind part = range;
    const struct data_kind *first = NULL, *last = NULL;
    for (uint32_t i = 0; i < class->kinds.count; i++) {
        const struct data_kind *kind = &class->kinds.items[i];
        if (kind->upper < range.lower || kind->lower > range.upper) continue;
        assert(kind->lower >= range.lower && kind->upper <= range.upper);
        if (!first) first = kind;
        last = kind;
    }
    if (!first) return range;
    int64_t enough = class->enough;
    /* values that are compared have to be ones that other selects take, too */
    bool can_begin_later = !class->is_compared || !ends_a_select(class, first);
    if (first != last && can_begin_later && (int64_t)first->upper - enough >= first->lower)
        part.lower = (int32_t)(first->upper - enough + 1);
    if ((int64_t)last->lower + enough <= last->upper)
        part.upper = (int32_t)(last->lower + enough - 1);
    assert(part.lower <= part.upper);
    return part;
}
