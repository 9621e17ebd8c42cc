#include "agents/agents.h"

#include "agents/reads.h"
#include "lang/print/print.h"
#include "lang/syntax/query_text.h"
#include "lang/syntax/walk.h"

#include <assert.h>
#include <string.h>

/* Borrows the network; close it. */
void agents_init(struct agents *agents, struct arena *arena, const struct network *network) {
    *agents = (struct agents){.arena = arena, .network = network};
    map_init(&agents->left_out, arena);
    network_environment(network, &agents->environment, arena);
}

/* Frees the heap memory of the evaluator; agents stay in the arena. */
void agents_close(struct agents *agents) { eval_close(&agents->environment); }

/* Names */

/* A number that does not depend on the state. */
static bool constant(struct agents *agents, const struct expr *expr, int32_t *value) {
    struct environment *environment = &agents->environment;
    struct effects_table table;
    struct effects effects = {0};
    effects_table_init(&table, agents->arena);
    effects_add_expr(&table, &effects, expr);
    for (uint32_t i = 0; i < effects.list.count; i++) {
        const struct symbol *symbol = effects.list.items[i].symbol;
        if (symbol_is_variable(symbol) || symbol->kind == SYMBOL_BOUND) return false;
    }
    environment->locals = NULL;
    environment->frame = NULL;
    environment->fault = (struct fault){0};
    *value = eval_int(environment, expr);
    bool is_fine = environment->fault.kind == FAULT_NONE;
    environment->fault = (struct fault){0};
    return is_fine;
}

bool agents_range(struct agents *agents, const struct type *type, int32_t *lower, int32_t *upper) {
    const struct shape *shape = eval_shape_in(&agents->environment, NULL, type);
    if (!shape || shape->kind != SHAPE_CELL || shape->is_scalar) return false;
    assert(shape->lower <= shape->upper);
    *lower = shape->lower;
    *upper = shape->upper;
    return true;
}

static const struct process *process_named(const struct network *network, const char *name) {
    for (uint32_t i = 0; i < network->process_count; i++)
        if (!strcmp(network->processes[i].name, name)) return &network->processes[i];
    return NULL;
}

/* Of Voter(2), or NULL. */
static const struct process *process_of_call(struct agents *agents, const struct expr *call,
                                             const char **problem) {
    struct buffer name = {0};
    const struct symbol *symbol = call->child[0]->symbol;
    assert(call->kind == EXPR_CALL && symbol);
    buffer_add_text(&name, symbol->name);
    for (uint32_t i = 0; i < call->argument_count; i++) {
        int32_t value;
        if (!constant(agents, call->arguments[i], &value)) {
            *problem = "which agent is meant depends on the state; use constants, or variables of "
                       "forall and exists";
            buffer_close(&name);
            return NULL;
        }
        buffer_printf(&name, "%s%d", i ? "," : "(", value);
    }
    buffer_add_text(&name, ")");
    const struct process *process = process_named(agents->network, name.data);
    if (!process) *problem = arena_printf(agents->arena, "there is no process %s", name.data);
    buffer_close(&name);
    return process;
}

struct process_list {
    VEC(const struct process *) list;
};

static const char *add_processes(struct agents *agents, const struct expr *expr,
                                 struct process_list *processes) {
    const struct network *network = agents->network;
    const char *problem = NULL;
    if (expr->kind == EXPR_CALL) {
        const struct process *process = process_of_call(agents, expr, &problem);
        if (process) VEC_PUSH(agents->arena, &processes->list, process);
        return problem;
    }
    assert(expr->kind == EXPR_NAME && expr->symbol->template);
    for (uint32_t i = 0; i < network->process_count; i++)
        if (network->processes[i].symbol == expr->symbol)
            VEC_PUSH(agents->arena, &processes->list, &network->processes[i]);
    return processes->list.count ? NULL : "there is no process of this name";
}

/* x, x[1], x.f: indices are constant. */
static bool is_fixed_place(struct agents *agents, const struct expr *expr) {
    int32_t index;
    for (; expr->kind != EXPR_NAME; expr = expr->child[0]) {
        if (expr->kind != EXPR_INDEX && (expr->kind != EXPR_FIELD || expr->symbol)) return false;
        if (expr->kind == EXPR_INDEX && !constant(agents, expr->child[1], &index)) return false;
    }
    return symbol_is_variable(expr->symbol) && expr->symbol->scope == SCOPE_GLOBAL;
}

const struct process *agents_process(struct agents *agents, const struct expr *expr) {
    struct process_list processes = {0};
    bool is_found = !add_processes(agents, expr, &processes);
    return is_found && processes.list.count == 1 ? processes.list.items[0] : NULL;
}

/* P.x, P(1).x: where the variable is. */
static struct binding place_of_member(struct agents *agents, const struct expr *member) {
    bool is_place = symbol_is_variable(member->symbol);
    const struct process *process = is_place ? agents_process(agents, member->child[0]) : NULL;
    return process ? process->locals[member->symbol->index] : (struct binding){0, NULL};
}

uint32_t agents_slot(struct agents *agents, const struct expr *expr) {
    const struct network *network = agents->network;
    struct environment *environment = &agents->environment;
    struct binding place = {0, NULL};
    if (expr->kind == EXPR_FIELD && expr->symbol)
        place = place_of_member(agents, expr);
    else if (is_fixed_place(agents, expr))
        eval_lvalue(environment, expr, &place);
    bool is_fine = environment->fault.kind == FAULT_NONE && place.shape;
    environment->fault = (struct fault){0};
    for (uint32_t i = 0; is_fine && place.shape->kind == SHAPE_CELL && i < network->slot_count; i++)
        if (network->slots[i].address == place.address) return i;
    return NO_SLOT;
}

/* Observations */

static bool is_same(const struct observed_item *left, const struct observed_item *right) {
    return left->kind == right->kind && left->process == right->process &&
           left->slot == right->slot && left->edge == right->edge && left->expr == right->expr &&
           left->selects == right->selects;
}

static void add_item(struct agents *agents, struct agent *agent, struct observed_item item) {
    assert(item.kind != OBSERVED_SLOT || item.slot < agents->network->slot_count);
    assert((item.kind == OBSERVED_VALUE) == (item.expr != NULL));
    for (uint32_t i = 0; i < agent->items.count; i++)
        if (is_same(&agent->items.items[i], &item)) return;
    if (agent->items.count < AGENT_MAX_ITEMS)
        VEC_PUSH(agents->arena, &agent->items, item);
    else
        agent->lacks_items = true;
}

static void add_slots(struct agents *agents, struct agent *agent, const struct process *owner) {
    const struct network *network = agents->network;
    for (uint32_t i = 0; i < network->slot_count; i++)
        if (network->slots[i].process == owner && !slot_is_unseen(&network->slots[i]))
            add_item(agents, agent, (struct observed_item){.kind = OBSERVED_SLOT, .slot = i});
}

static void add_location(struct agents *agents, struct agent *agent,
                         const struct process *process) {
    add_item(agents, agent, (struct observed_item){.kind = OBSERVED_LOCATION, .process = process});
}

static void add_local(struct agents *agents, struct agent *agent, const struct process *process) {
    add_location(agents, agent, process);
    add_slots(agents, agent, process);
}

/* Whether what a guard says is known to who knows location and variables of the process. */
static bool is_own(struct agents *agents, const struct expr *guard) {
    struct effects_table table;
    struct effects effects = {0};
    effects_table_init(&table, agents->arena);
    effects_add_expr(&table, &effects, guard);
    for (uint32_t i = 0; i < effects.list.count; i++) {
        const struct symbol *symbol = effects.list.items[i].symbol;
        bool is_shared = symbol_is_variable(symbol) && symbol->scope == SCOPE_GLOBAL;
        if (is_shared || symbol->is_reference) return false;
    }
    return true;
}

/* The guards of an edge for all values of its selects, counting like an odometer. */
static void add_guards(struct agents *agents, struct agent *agent, const struct process *process,
                       const struct edge *edge) {
    uint32_t count = edge->select_count;
    assert(edge->written_guard && edge->source < process->template->location_count);
    const struct shape **shapes = ARENA_ARRAY(agents->arena, const struct shape *, count + 1);
    int32_t *values = ARENA_ARRAY(agents->arena, int32_t, count + 1);
    for (uint32_t k = 0; k < count; k++) {
        shapes[k] = eval_shape_in(&agents->environment, process->locals, edge->selects[k]->type);
        if (!shapes[k]) return; /* no value: no move */
        values[k] = shapes[k]->lower;
    }
    for (bool more = true; more;) {
        agent->lacks_items |= agent->items.count >= AGENT_MAX_ITEMS;
        if (agent->lacks_items) return;
        int32_t *copy = ARENA_ARRAY(agents->arena, int32_t, count + 1);
        if (count) memcpy(copy, values, count * sizeof *copy);
        VEC_PUSH(agents->arena, &agent->items,
                 (struct observed_item){
                     .kind = OBSERVED_GUARD, .process = process, .edge = edge, .selects = copy});
        more = false;
        for (uint32_t k = count; k-- > 0 && !more;) {
            more = values[k] < shapes[k]->upper;
            values[k] = more ? values[k] + 1 : shapes[k]->lower;
        }
    }
}

static void add_enabled(struct agents *agents, struct agent *agent, const struct process *process) {
    const struct template *template = process->template;
    for (uint32_t i = 0; i < template->edge_count; i++) {
        const struct edge *edge = &template->edges[i];
        bool is_at_location = edge->source < template->location_count;
        if (is_at_location && edge->written_guard && !is_own(agents, edge->written_guard))
            add_guards(agents, agent, process, edge);
    }
}

static void add_read(struct agents *agents, struct agent *agent, const struct process *process) {
    const struct network *network = agents->network;
    const bool *is_read = reads_of_process(network, process, &agents->environment, agents->arena);
    for (uint32_t i = 0; i < network->slot_count; i++)
        if (is_read[i] && !slot_is_unseen(&network->slots[i]))
            add_item(agents, agent, (struct observed_item){.kind = OBSERVED_SLOT, .slot = i});
}

/* Whether some guard of the process says more than location and variables. */
static bool has_shared_guards(struct agents *agents, const struct process *process) {
    const struct template *template = process->template;
    for (uint32_t i = 0; i < template->edge_count; i++)
        if (template->edges[i].written_guard && !is_own(agents, template->edges[i].written_guard))
            return true;
    return false;
}

/* Whether a slot belongs to the variable that an expression names: x, P.x, P(1).x. */
static bool is_of_variable(struct agents *agents, const struct observed_item *item,
                           const struct expr *expr) {
    if (item->kind != OBSERVED_SLOT) return false;
    const struct slot *slot = &agents->network->slots[item->slot];
    if (slot->symbol != expr->symbol) return false;
    if (expr->kind == EXPR_NAME || !slot->process) return true;
    const struct expr *owner = expr->child[0];
    return owner->kind == EXPR_CALL ? agents_process(agents, owner) == slot->process
                                    : slot->process->symbol == owner->symbol;
}

static void leave_out(struct agents *agents, struct agent *agent, struct expr *expr) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < agent->items.count; i++)
        if (!is_of_variable(agents, &agent->items.items[i], expr))
            agent->items.items[kept++] = agent->items.items[i];
    if (kept < agent->items.count) map_put(&agents->left_out, map_key(expr), expr);
    agent->items.count = kept;
}

static void observe(struct agents *agents, struct agent *agent,
                    const struct observation_item *item) {
    struct observed_item value = {.kind = OBSERVED_VALUE, .expr = item->expr};
    for (uint32_t i = 0; i < agent->process_count; i++) {
        bool is_local = item->kind == OBSERVE_LOCAL || item->kind == OBSERVE_ENABLED ||
                        item->kind == OBSERVE_SHARED || item->kind == OBSERVE_GUARDS;
        if (item->kind == OBSERVE_LOCATION) add_location(agents, agent, agent->processes[i]);
        if (is_local) add_local(agents, agent, agent->processes[i]);
        if (item->kind == OBSERVE_ENABLED) add_enabled(agents, agent, agent->processes[i]);
        if (item->kind == OBSERVE_GUARDS) add_read(agents, agent, agent->processes[i]);
    }
    if (item->kind == OBSERVE_SHARED) add_slots(agents, agent, NULL);
    if (item->kind == OBSERVE_EXPR) add_item(agents, agent, value);
    if (item->kind == OBSERVE_EXCEPT) leave_out(agents, agent, item->expr);
    agent->sees_reads |= item->kind == OBSERVE_GUARDS;
    agent->sees_reads &= item->kind != OBSERVE_EXCEPT;
}

/* Whether a declaration is about an agent: by its name, or by that of one of its processes alone.
 */
static bool is_about(struct agents *agents, const struct agent_declaration *declaration,
                     const struct agent *agent, const struct symbol *name) {
    for (uint32_t i = 0; i < declaration->agent_count; i++) {
        const struct expr *expr = declaration->agents[i];
        struct process_list processes = {0};
        if (expr->kind == EXPR_NAME && expr->symbol->kind == SYMBOL_AGENT) {
            const struct agent_declaration *other = expr->symbol->agent;
            bool is_group = other->kind == DECLARE_GROUP;
            if (expr->symbol == name || (is_group && is_about(agents, other, agent, name)))
                return true;
            continue;
        }
        if (name || add_processes(agents, expr, &processes)) continue;
        assert(agent->process_count == 1); /* without a name of its own */
        for (uint32_t k = 0; k < processes.list.count; k++)
            if (processes.list.items[k] == agent->processes[0]) return true;
    }
    return false;
}

static void observe_declared(struct agents *agents, struct agent *agent,
                             const struct symbol *name) {
    static const struct observation_item usual = {.kind = OBSERVE_ENABLED};
    const struct model *model = agents->network->model;
    for (uint32_t i = 0; i < model->agents.count; i++) {
        const struct agent_declaration *declaration = model->agents.items[i];
        bool is_lost = declaration->kind == DECLARE_LOST;
        if ((declaration->kind != DECLARE_OBSERVATION && !is_lost) ||
            !is_about(agents, declaration, agent, name))
            continue;
        if (is_lost) {
            agent->has_lost |= !declaration->item_count;
            for (uint32_t k = 0; k < declaration->item_count; k++)
                VEC_PUSH(agents->arena, &agent->lost_at, declaration->items[k].expr);
            continue;
        }
        agent->is_declared = true;
        for (uint32_t k = 0; k < declaration->item_count; k++)
            observe(agents, agent, &declaration->items[k]);
    }
    if (!agent->is_declared && !name) observe(agents, agent, &usual);
}

/* Agents */

static struct agent *find_agent(const struct agents *agents, const char *name) {
    for (uint32_t i = 0; i < agents->list.count; i++)
        if (!strcmp(agents->list.items[i]->name, name)) return agents->list.items[i];
    return NULL;
}

static struct agent *agent_new(struct agents *agents, const char *name,
                               const struct process **processes, uint32_t count) {
    assert(count && !find_agent(agents, name) && !agents->network->model->lost_agents);
    struct agent *agent = ARENA_NEW(agents->arena, struct agent);
    *agent = (struct agent){.name = name, .processes = processes, .process_count = count};
    agent->index = agents->list.count;
    return agent;
}

/* Whether some of its guards are not observed, though they are part of what it may do. */
static bool is_blind(struct agents *agents, const struct agent *agent) {
    bool sees_guards = agent->sees_reads;
    for (uint32_t i = 0; i < agent->items.count; i++)
        sees_guards |= agent->items.items[i].kind == OBSERVED_GUARD;
    for (uint32_t i = 0; i < agent->process_count && !sees_guards; i++)
        if (has_shared_guards(agents, agent->processes[i])) return true;
    return false;
}

static struct agent *finish(struct agents *agents, struct agent *agent) {
    if (agent->lacks_items) return NULL;
    assert(agent->index == agents->list.count); /* where it will be */
    agent->is_blind = is_blind(agents, agent);
    VEC_PUSH(agents->arena, &agents->list, agent);
    return agent;
}

struct agent *agent_of_process(struct agents *agents, const struct process *process) {
    struct agent *agent = find_agent(agents, process->name);
    if (agent) return agent;
    const struct process **own = ARENA_NEW(agents->arena, const struct process *);
    *own = process;
    agent = agent_new(agents, process->name, own, 1);
    observe_declared(agents, agent, NULL);
    return finish(agents, agent);
}

static const char too_much[] = "an agent would observe more than 16384 items";

/* An agent of several processes: what is declared for it, or else what they observe each. */
static const char *add_joint(struct agents *agents, const struct agent_declaration *declaration,
                             struct agent_list *list) {
    struct agent *agent = find_agent(agents, declaration->symbol->name);
    struct process_list processes = {0};
    for (uint32_t i = 0; i < declaration->agent_count && !agent; i++) {
        const char *problem = add_processes(agents, declaration->agents[i], &processes);
        if (problem) return problem;
    }
    if (!agent) {
        agent = agent_new(agents, declaration->symbol->name, processes.list.items,
                          processes.list.count);
        agent->symbol = declaration->symbol;
        observe_declared(agents, agent, declaration->symbol);
        for (uint32_t i = 0; i < agent->process_count && !agent->is_declared; i++) {
            struct agent part = {.name = agent->processes[i]->name,
                                 .processes = &agent->processes[i],
                                 .process_count = 1};
            observe_declared(agents, &part, NULL);
            agent->lacks_items |= part.lacks_items;
            for (uint32_t k = 0; k < part.items.count; k++)
                add_item(agents, agent, part.items.items[k]);
        }
        if (!finish(agents, agent)) return too_much;
    }
    VEC_PUSH(agents->arena, &list->list, agent);
    return NULL;
}

/* The text says what is wrong for messages; what was added before stays in the list. */
const char *agents_add(struct agents *agents, const struct expr *expr, struct agent_list *list) {
    const struct symbol *symbol = expr->kind == EXPR_NAME ? expr->symbol : NULL;
    struct process_list processes = {0};
    const char *problem = NULL;
    assert(expr->kind == EXPR_NAME || expr->kind == EXPR_CALL);
    if (symbol && symbol->kind == SYMBOL_AGENT) {
        const struct agent_declaration *declaration = symbol->agent;
        if (declaration->kind == DECLARE_AGENT) return add_joint(agents, declaration, list);
        for (uint32_t i = 0; i < declaration->agent_count && !problem; i++)
            problem = agents_add(agents, declaration->agents[i], list);
        return problem;
    }
    problem = add_processes(agents, expr, &processes);
    for (uint32_t i = 0; i < processes.list.count && !problem; i++) {
        struct agent *agent = agent_of_process(agents, processes.list.items[i]);
        if (!agent) return too_much;
        VEC_PUSH(agents->arena, &list->list, agent);
    }
    return problem;
}

/* Declarations as a whole */

bool expr_is_about_agents(const void *unused, const struct expr *expr) {
    (void)unused;
    return expr->kind == EXPR_KNOW || expr->kind == EXPR_ABLE || expr->kind == EXPR_ABLE_UNTIL;
}

static const char lost[] = "some declaration about agents cannot be read, so it is not known what "
                           "is observed";

static void lose(struct model *model, struct query *query, position at, const char *message,
                 struct diag *diag) {
    query_reject(query, STATUS_INVALID, at, message, diag);
    model->lost_agents = query;
    for (uint32_t i = 0; i < model->query_count; i++) {
        struct query *other = &model->queries[i];
        if (other->quantifier != QUERY_FORMULA ||
            !expr_any(other->predicate, expr_is_about_agents, NULL))
            continue;
        query_reject(other, STATUS_INVALID, other->span.begin, lost, diag);
        other->quantifier = QUERY_INVALID;
    }
}

/* Whether all agents that there are could be made. */
static bool make_all(struct agents *agents) {
    const struct network *network = agents->network;
    bool is_fine = true;
    for (uint32_t i = 0; i < network->process_count; i++)
        is_fine &= agent_of_process(agents, &network->processes[i]) != NULL;
    for (uint32_t i = 0; i < network->model->agents.count; i++) {
        struct expr name = {.kind = EXPR_NAME, .symbol = network->model->agents.items[i]->symbol};
        struct agent_list list = {0};
        if (network->model->agents.items[i]->kind == DECLARE_AGENT)
            is_fine &= !agents_add(agents, &name, &list);
    }
    return is_fine;
}

/* A text that says what is wrong with a declaration, and where; or NULL. */
static const char *problem_of(struct agents *agents, const struct agent_declaration *declaration,
                              bool knows_left_out, position *at) {
    const char *problem = NULL;
    for (uint32_t i = 0; i < declaration->agent_count && !problem; i++) {
        struct process_list processes = {0};
        const struct expr *expr = declaration->agents[i];
        *at = expr->span.begin;
        if (expr->kind != EXPR_NAME || expr->symbol->kind != SYMBOL_AGENT)
            problem = add_processes(agents, expr, &processes);
    }
    for (uint32_t i = 0; i < declaration->item_count && !problem && knows_left_out; i++) {
        const struct observation_item *item = &declaration->items[i];
        *at = item->span.begin;
        if (item->kind == OBSERVE_EXCEPT && !map_get(&agents->left_out, map_key(item->expr)))
            problem = "this 'except' leaves nothing out: what stands before it does not observe "
                      "the variable";
    }
    return problem;
}

void agents_check(struct model *model, const struct network *network, struct diag *diag) {
    struct arena arena;
    struct agents agents;
    bool has_exceptions = false;
    if (!model->agents.count || model->lost_agents) return;
    for (uint32_t i = 0; i < model->agents.count; i++)
        for (uint32_t k = 0; k < model->agents.items[i]->item_count; k++)
            has_exceptions |= model->agents.items[i]->items[k].kind == OBSERVE_EXCEPT;
    arena_init(&arena);
    agents_init(&agents, &arena, network);
    bool knows_left_out = has_exceptions && make_all(&agents);
    for (uint32_t i = 0; i < model->agents.count && !model->lost_agents; i++) {
        const struct agent_declaration *declaration = model->agents.items[i];
        position at;
        const char *problem = problem_of(&agents, declaration, knows_left_out, &at);
        if (problem)
            lose(model, declaration->query, at, arena_printf(model->arena, "%s", problem), diag);
    }
    agents_close(&agents);
    arena_close(&arena);
}

bool agents_are_known(const struct model *model, struct diag *diag) {
    if (model->lost_agents)
        diag_error(diag, STATUS_INVALID, model->lost_agents->problem_at,
                   "it is not known what agents observe, as this declaration cannot be used");
    return !model->lost_agents;
}

/* Items */

void observed_effects(struct effects_table *table, struct effects *effects,
                      const struct network *network, const struct observed_item *item) {
    struct expr name = {.kind = EXPR_NAME};
    assert(item->kind != OBSERVED_SLOT || item->slot < network->slot_count);
    switch (item->kind) {
    case OBSERVED_LOCATION: break;
    case OBSERVED_SLOT:
        name.symbol = (struct symbol *)network->slots[item->slot].symbol;
        effects_add_expr(table, effects, &name);
        break;
    case OBSERVED_GUARD: effects_add_expr(table, effects, item->edge->written_guard); break;
    case OBSERVED_VALUE: effects_add_expr(table, effects, item->expr); break;
    }
}

const char *observed_text(struct arena *arena, const struct network *network,
                          const struct observed_item *item) {
    struct buffer text = {0};
    const struct edge *edge = item->edge;
    if (item->kind == OBSERVED_SLOT) return slot_name(network, &network->slots[item->slot], arena);
    if (item->kind == OBSERVED_LOCATION)
        return arena_printf(arena, "location of %s", item->process->name);
    if (item->kind == OBSERVED_GUARD) {
        const struct template *template = item->process->template;
        assert(edge->source < template->location_count); /* branches are not guarded */
        buffer_printf(&text, "guard from %s", template->locations[edge->source].name);
        for (uint32_t i = 0; i < edge->select_count; i++)
            buffer_printf(&text, "%s %s = %d", i ? "," : " with", edge->selects[i]->name,
                          item->selects[i]);
        buffer_add_text(&text, ": ");
    }
    print_expr(&text, item->kind == OBSERVED_GUARD ? edge->written_guard : item->expr);
    return buffer_finish(&text, arena);
}
