/* Whether what is requested can be removed, and which slots that are. */
#include "abstract/request/obstacle.h"

#include "expr/find.h"
#include "lang/syntax/walk.h"

#include <assert.h>

/* The first process of a template, or NULL if it has none. */
static const struct process *first_process(const struct network *network,
                                           const struct template *template) {
    for (uint32_t p = 0; p < network->process_count; p++)
        if (network->processes[p].template == template) return &network->processes[p];
    return NULL;
}

/* A removed cell of a variable that stays declared rests at its initial value. */
static const char *start_obstacle(const struct network *network, const struct removal *removal) {
    assert(removal->initial);
    for (uint32_t p = 0; removal->template && p < network->process_count; p++) {
        const struct process *process = &network->processes[p];
        if (process->template != removal->template) continue;
        const int32_t *cells = &network->cells[process->locals[removal->symbol->index].address];
        for (uint32_t k = 0; k < removal->shape->cell_count; k++)
            if (removal->is_removed[k] && cells[k] != removal->initial[k])
                return "processes start with different values of it";
    }
    return NULL;
}

/* S7: why a variable cannot rest at the values that are said, or NULL. */
static const char *rest_obstacle(const struct network *network, const struct removal *removal) {
    const struct template *template = removal->template;
    assert(removal->initial && removal->has_rest);
    if (removal->scope[template->initial] &&
        removal_rest(removal, template->initial, 0) != removal->initial[0])
        return "where its process begins it has its initial value; leave out ':=' there";
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct process *process = &network->processes[p];
        if (process->template != template) continue;
        const struct shape *shape = process->locals[removal->symbol->index].shape;
        for (uint32_t l = 0; l < template->location_count; l++)
            if (removal->has_rest[l] &&
                (removal->rests[l] < shape->lower || removal->rests[l] > shape->upper))
                return "its type does not have the value after ':='; write one that it has";
    }
    return NULL;
}

/* Limits of scopes: why one cannot be used; NULL if it can. */
static const char *scope_obstacle(const struct removal *removal) {
    const struct template *template = removal->template;
    assert(template && removal->scope); /* only local variables have scopes (S1) */
    if (!removal->is_whole) return "scopes are for whole variables";
    if (type_has_scalar(removal->symbol->type)) return "scopes are not for scalars";
    for (uint32_t i = 0; i < template->edge_count; i++) {
        const struct edge *edge = &template->edges[i];
        if ((edge->source >= template->location_count && removal->scope[edge->target]) ||
            (edge->target >= template->location_count && removal->scope[edge->source]))
            return "a branchpoint is next to its scope";
        for (uint32_t k = 0; k < edge->select_count; k++)
            if (edge_changes_rest(removal, template, edge) &&
                edge->selects[k]->name == removal->symbol->name)
                return "a select variable of an edge into or out of its scope has the same name; "
                       "rename that";
    }
    return NULL;
}

static void find_initial(const struct network *network, struct removal *removal,
                         struct arena *arena) {
    const struct process *first =
        removal->template ? first_process(network, removal->template) : NULL;
    assert(first || !removal->template); /* who has no process is not removed */
    const struct binding *bindings = first ? first->locals : network->globals;
    uint32_t address = bindings[removal->symbol->index].address;
    assert(address + removal->shape->cell_count <= network->cell_count);
    removal->initial = ARENA_ARRAY(arena, int32_t, removal->shape->cell_count);
    for (uint32_t k = 0; k < removal->shape->cell_count; k++)
        removal->initial[k] = network->cells[address + k];
}

/* Functions that use a scoped variable would have to be there twice. */
struct call_search {
    const struct network *network;
    const struct symbol *symbol;
    const struct expr *call;
};

static bool find_call(void *user, const struct expr *expr) {
    struct call_search *search = user;
    if (expr->kind == EXPR_CALL && expr->symbol && expr->symbol->function &&
        effects_find(network_effects(search->network, expr->symbol->function), search->symbol))
        search->call = expr;
    return !search->call;
}

static bool check_calls(const struct network *network, const struct removal *removal,
                        struct diag *diag) {
    const struct template *template = removal->template;
    struct call_search search = {network, removal->symbol, NULL};
    assert(template && removal->scope);
    for (uint32_t i = 0; i < template->edge_count; i++) {
        const struct edge *edge = &template->edges[i];
        if (!removal->scope[edge->source]) continue;
        walk_expr(edge->written_guard, find_call, &search);
        walk_expr(edge->sync, find_call, &search);
        if (removal->scope[edge->target]) walk_list(&edge->updates, find_call, &search);
    }
    for (uint32_t l = 0; l < template->location_count; l++)
        if (removal->scope[l])
            walk_expr(template->locations[l].written_invariant, find_call, &search);
    if (!search.call) return true;
    return diag_error(
        diag, STATUS_UNSUPPORTED, search.call->span.begin,
        "'%s' cannot be removed in some locations only: the function '%s' uses it there; "
        "remove it everywhere",
        removal->symbol->name, search.call->symbol->name);
}

static bool reads_or_writes(const struct effects *effects, const struct symbol *symbol) {
    return effects_find(effects, symbol) != NULL;
}

bool variable_is_passed(const struct network *network, const struct symbol *symbol) {
    assert(symbol->scope == SCOPE_GLOBAL); /* what is local is passed to no process */
    return handed_parameter(&network->handed, &network->globals[symbol->index]) ||
           handed_instance(&network->handed, symbol);
}

static bool is_anonymous_scalar(const struct type *type) {
    bool is_named = false;
    for (;;) {
        if (type->kind == TYPE_NAMED)
            is_named = true, type = type->symbol->type;
        else if (type->kind == TYPE_ARRAY)
            type = type->element;
        else
            break;
    }
    return type->kind == TYPE_SCALAR && !is_named;
}

const char *removal_obstacle(const struct network *network, const struct template *template,
                             const struct symbol *symbol) {
    if (reads_or_writes(&network->before_update, symbol) ||
        reads_or_writes(&network->after_update, symbol))
        return "before_update or after_update uses it";
    if (is_anonymous_scalar(symbol->type)) return "its scalar type has no name";
    if (!network_shape(network, template, symbol))
        return "its template has no process in the system line";
    if (!network_has_one_shape(network, template, symbol))
        return "its size differs from process to process; name processes of one size";
    return NULL;
}

/* M7: what references_replace has not put in place. */
static const char *passing(const struct network *network, const struct symbol *symbol,
                           struct arena *arena) {
    const struct symbol *parameter =
        handed_parameter(&network->handed, &network->globals[symbol->index]);
    const char *instance = handed_instance(&network->handed, symbol);
    if (parameter)
        return arena_printf(arena, "it is passed to the reference parameter '%s'", parameter->name);
    return instance ? arena_printf(arena, "the instantiation of '%s' names it", instance) : NULL;
}

static void mark_slots(struct request *request, const struct network *network,
                       const struct removal *removal, const struct binding *binding) {
    assert(binding->shape->cell_count == removal->shape->cell_count); /* or it was refused */
    for (uint32_t i = 0; i < binding->shape->cell_count; i++) {
        uint32_t slot = network->slot_of[binding->address + i];
        assert(slot == NO_SLOT || slot < network->slot_count);
        if (slot != NO_SLOT && removal->is_removed[i]) request->slot_is_removed[slot] = true;
    }
}

bool request_finish(struct request *request, const struct network *network, struct diag *diag) {
    bool ok = true;
    if (!request->removals.count && request->is_partly_left)
        return diag_error(diag, STATUS_UNSUPPORTED, request->at,
                          "nothing is removed: no process has any of these variables");
    assert(!request->slot_is_removed);
    request->slot_is_removed = ARENA_ARRAY(request->arena, bool, network->slot_count + 1);
    for (uint32_t i = 0; i < request->removals.count; i++) {
        struct removal *removal = &request->removals.items[i];
        const char *obstacle = removal_obstacle(network, removal->template, removal->symbol);
        if (!obstacle && !removal->template)
            obstacle = passing(network, removal->symbol, request->arena);
        find_initial(network, removal, request->arena);
        if (removal->scope) {
            if (!obstacle) obstacle = scope_obstacle(removal);
            ok &= check_calls(network, removal, diag);
        }
        if (!obstacle && (removal->scope || !removal->is_whole))
            obstacle = start_obstacle(network, removal);
        if (!obstacle && removal->scope && removal->has_rest)
            obstacle = rest_obstacle(network, removal);
        if (!removal->is_whole && type_has_scalar(removal->symbol->type))
            obstacle = "parts of a variable with scalars cannot be named; remove all of it";
        if (obstacle) {
            diag_error(diag, STATUS_UNSUPPORTED, removal->symbol->span.begin,
                       "'%s' cannot be removed: %s", removal->symbol->name, obstacle);
            ok = false;
            continue;
        }
        if (!removal->template)
            mark_slots(request, network, removal, &network->globals[removal->symbol->index]);
        for (uint32_t p = 0; removal->template && p < network->process_count; p++)
            if (network->processes[p].template == removal->template)
                mark_slots(request, network, removal,
                           &network->processes[p].locals[removal->symbol->index]);
    }
    return ok;
}
