#include "suggest/alike.h"

#include "lang/syntax/walk.h"

/* A number is compared with the first ones of so many sets of its kind. */
enum { MAX_TRIED = 8 };

/* An edge, or an invariant. */
struct place {
    const struct template *template;
    const struct edge *edge; /* NULL: an invariant */
    uint32_t location;
};

struct use {
    const struct cut_variable *variable;
    VEC(struct place) places;
    int32_t initial;
    bool is_elsewhere; /* in functions and the like */
    bool is_in_set;
};

struct finder {
    struct arena *arena;
    const struct network *network;
    struct map uses; /* by symbol */
    VEC(struct use *) list;
    const struct place *place; /* that is looked at, NULL elsewhere */
};

/* What names which number */

static bool note_name(void *context, const struct expr *expr) {
    struct finder *finder = context;
    bool is_name = expr->kind == EXPR_NAME || expr->kind == EXPR_FIELD;
    struct use *use =
        is_name && expr->symbol ? map_get(&finder->uses, map_key(expr->symbol)) : NULL;
    if (!use) return true;
    const struct place *own = finder->place;
    const struct place *last = use->places.count ? &use->places.items[use->places.count - 1] : NULL;
    bool is_known = own && last && last->template == own->template && last->edge == own->edge &&
                    last->location == own->location;
    use->is_elsewhere |= !own;
    if (own && !is_known) VEC_PUSH(finder->arena, &use->places, *own);
    return true;
}

static void note_template(struct finder *finder, const struct template *template) {
    struct place place = {.template = template};
    walk_functions_and_hooks(&template->declarations, note_name, finder);
    finder->place = &place;
    for (; place.location < template->location_count; place.location++)
        walk_expr(invariant_at(finder->network, template, place.location), note_name, finder);
    for (uint32_t i = 0; i < template->edge_count; i++) {
        const struct edge *edge = &template->edges[i];
        place.edge = edge;
        walk_expr(guard_of_edge(finder->network, template, edge), note_name, finder);
        walk_expr(edge->sync, note_name, finder);
        walk_list(&edge->updates, note_name, finder);
    }
    finder->place = NULL;
}

static void note_model(struct finder *finder) {
    const struct model *model = finder->network->model;
    walk_functions_and_hooks(&model->declarations, note_name, finder);
    walk_functions_and_hooks(&model->system_declarations, note_name, finder);
    for (uint32_t i = 0; i < model->template_count; i++) note_template(finder, model->templates[i]);
}

/* A place, two numbers swapped */

struct swap {
    const struct symbol *left, *right;
};

static uint64_t swapped(const struct swap *swap, const struct expr *expr);

static bool has_any_order(enum op op) {
    return op == OP_AND || op == OP_OR || op == OP_ADD || op == OP_MUL;
}

/* Of a chain of one operator: the sum of what its operands are. */
static uint64_t swapped_chain(const struct swap *swap, const struct expr *expr, enum op op) {
    if (expr->kind == EXPR_BINARY && expr->op == op)
        return swapped_chain(swap, expr->child[0], op) + swapped_chain(swap, expr->child[1], op);
    return hash_mix(op, swapped(swap, expr));
}

static uint64_t swapped_name(const struct swap *swap, const struct expr *expr) {
    const struct symbol *symbol = expr->symbol;
    if (symbol && symbol == swap->left)
        symbol = swap->right;
    else if (symbol && symbol == swap->right)
        symbol = swap->left;
    return map_key(symbol ? symbol->name : expr->name);
}

static uint64_t swapped(const struct swap *swap, const struct expr *expr) {
    if (!expr) return 0;
    uint64_t hash = hash_mix((uint64_t)expr->kind, (uint64_t)expr->op);
    if (expr->kind == EXPR_BINARY && has_any_order(expr->op))
        return hash_mix(hash, swapped_chain(swap, expr, expr->op));
    if (expr->kind == EXPR_BINARY && (expr->op == OP_EQ || expr->op == OP_NE))
        return hash_mix(hash, hash_mix(0, swapped(swap, expr->child[0])) +
                                  hash_mix(0, swapped(swap, expr->child[1])));
    hash = hash_mix(hash, (uint64_t)expr->value);
    if (expr->kind == EXPR_NAME || expr->kind == EXPR_FIELD)
        hash = hash_mix(hash, swapped_name(swap, expr));
    for (int i = 0; i < 3; i++) hash = hash_mix(hash, swapped(swap, expr->child[i]));
    for (uint32_t i = 0; i < expr->argument_count; i++)
        hash = hash_mix(hash, swapped(swap, expr->arguments[i]));
    return hash;
}

static uint64_t swapped_place(const struct finder *finder, const struct swap *swap,
                              const struct place *place) {
    const struct edge *edge = place->edge;
    uint64_t hash = map_key(place->template), updates = 0;
    if (!edge)
        return hash_mix(
            hash_mix(hash, place->location),
            swapped(swap, invariant_at(finder->network, place->template, place->location)));
    hash = hash_mix(hash_mix(hash, edge->source), edge->target);
    hash = hash_mix(hash, edge->select_count);
    hash = hash_mix(hash, swapped(swap, guard_of_edge(finder->network, place->template, edge)));
    hash = hash_mix(hash_mix(hash, edge->is_send), swapped(swap, edge->sync));
    for (uint32_t i = 0; i < edge->updates.count; i++)
        updates += hash_mix(1, swapped(swap, edge->updates.items[i]));
    return hash_mix(hash, updates);
}

/* All places of both, with what names both twice. */
static uint64_t swapped_places(const struct finder *finder, const struct swap *swap,
                               const struct use *left, const struct use *right) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < left->places.count; i++)
        sum += hash_mix(2, swapped_place(finder, swap, &left->places.items[i]));
    for (uint32_t i = 0; i < right->places.count; i++)
        sum += hash_mix(2, swapped_place(finder, swap, &right->places.items[i]));
    return sum;
}

/* Sets */

static bool are_of_one_kind(const struct use *left, const struct use *right) {
    const struct cut_variable *first = left->variable, *second = right->variable;
    return first->template == second->template && first->is_bool == second->is_bool &&
           first->values.lower == second->values.lower &&
           first->values.upper == second->values.upper && left->initial == right->initial &&
           left->places.count == right->places.count;
}

static bool are_alike(const struct finder *finder, const struct use *left,
                      const struct use *right) {
    const struct swap none = {NULL, NULL}, both = {left->variable->symbol, right->variable->symbol};
    return swapped_places(finder, &none, left, right) == swapped_places(finder, &both, left, right);
}

static void add_uses(struct finder *finder, const struct cut_list *cuts) {
    const struct network *network = finder->network;
    for (uint32_t i = 0; i < cuts->variables.count; i++) {
        const struct cut_variable *variable = cuts->variables.items[i];
        if (variable->is_array || variable->why_not) continue;
        struct use *use = ARENA_NEW(finder->arena, struct use);
        *use = (struct use){.variable = variable};
        map_put(&finder->uses, map_key(variable->symbol), use);
        VEC_PUSH(finder->arena, &finder->list, use);
    }
    for (uint32_t i = 0; i < network->slot_count; i++) {
        struct use *use = map_get(&finder->uses, map_key(network->slots[i].symbol));
        if (use) use->initial = network->slots[i].initial;
    }
}

void alike_find(struct alike_sets *sets, struct arena *arena, const struct network *network,
                const struct cut_list *cuts) {
    struct finder finder = {.arena = arena, .network = network};
    *sets = (struct alike_sets){.list = {0}};
    map_init(&finder.uses, arena);
    add_uses(&finder, cuts);
    note_model(&finder);
    for (uint32_t i = 0; i < finder.list.count; i++) {
        struct use *first = finder.list.items[i];
        struct alike set = {.list = {0}};
        uint32_t failures = 0;
        if (first->is_in_set || first->is_elsewhere || !first->places.count) continue;
        VEC_PUSH(arena, &set.list, first->variable);
        for (uint32_t k = i + 1; k < finder.list.count && failures < MAX_TRIED; k++) {
            struct use *other = finder.list.items[k];
            if (other->is_in_set || other->is_elsewhere || !are_of_one_kind(first, other)) continue;
            other->is_in_set = are_alike(&finder, first, other);
            failures += !other->is_in_set;
            if (other->is_in_set) VEC_PUSH(arena, &set.list, other->variable);
        }
        if (set.list.count > 1) VEC_PUSH(arena, &sets->list, set);
    }
}
