#include "abstract/claim/observation.h"

#include "abstract/claim/removed_in.h"
#include "agents/written.h"
#include "expr/build.h"
#include "expr/find.h"
#include "expr/substitute.h"
#include "lang/print/print.h"
#include "lang/syntax/frame.h"
#include "lang/syntax/walk.h"

#include <assert.h>
#include <string.h>

/* ---- where agents have lost something of what they observe (MX3) ---- */

/* What was removed tells states apart only where it may have several values. A guard of an edge
 * says nothing where its process is elsewhere; a variable, nothing where it has one value. So at
 * other locations an agent that sees the location has lost nothing.
 *
 * Invariants: over-approximates: elsewhere, states that look the same to the agent in the output
 *             are images of states that are the same to it.
 * Lifetime:   in the arena of the abstraction.
 */

static bool agent_sees_location(const struct agent *agent, const struct process *process) {
    for (uint32_t i = 0; i < agent->items.count; i++)
        if (agent->items.items[i].kind == OBSERVED_LOCATION &&
            agent->items.items[i].process == process)
            return true;
    return false;
}

/* Whether a variable may have several values in states with its process there that look the same.
 */
static bool varies_at(const struct abstraction *abstraction, const struct slot *slot,
                      uint32_t location) {
    const struct template *template = slot->process->template;
    const struct removal *removal = removed_ever(abstraction->request, slot->symbol);
    assert(removal && removal->is_removed[slot->offset]); /* or it was not lost */
    if (removal->scope && !removal->scope[location]) return false;
    const struct value_set *values = analysis_values(abstraction->analysis, template, location,
                                                     slot->symbol, slot->offset, false);
    return value_set_is_empty(values) || values->lower != values->upper;
}

static bool is_lost_at(const struct abstraction *abstraction, const struct observed_item *item,
                       uint32_t location) {
    if (item->kind == OBSERVED_GUARD) return location == item->edge->source;
    return varies_at(abstraction, &abstraction->network->slots[item->slot], location);
}

/* Whether an item is a variable that has one value in all states. */
static bool is_constant(const struct abstraction *abstraction, const struct observed_item *item) {
    int32_t lower, upper;
    return item->kind == OBSERVED_SLOT && !abstraction->classes &&
           analysis_slot_range(abstraction->analysis, item->slot, &lower, &upper) && lower == upper;
}

/* The process whose location says whether an item counts; NULL: it counts everywhere. */
static const struct process *owner_of(const struct abstraction *abstraction,
                                      const struct observed_item *item) {
    if (abstraction->classes) return NULL; /* some values stand for others */
    if (item->kind == OBSERVED_GUARD) return item->process;
    if (item->kind != OBSERVED_SLOT) return NULL;
    const struct slot *slot = &abstraction->network->slots[item->slot];
    return removed_ever(abstraction->request, slot->symbol) ? slot->process : NULL;
}

static void add_place(struct arena *arena, struct lost_places *places,
                      const struct process *process, uint32_t location) {
    const char *name = process->template->locations[location].name;
    const char *text = arena_printf(arena, "%s.%s", process->name, name);
    for (uint32_t i = 0; i < places->list.count; i++)
        if (!strcmp(places->list.items[i], text)) return;
    VEC_PUSH(arena, &places->list, text);
}

/* Adds where it counts that an agent has lost an item, which the output does not say. */
static void lost_at_add(const struct abstraction *abstraction, struct lost_places *places,
                        const struct agent *agent, const struct observed_item *item) {
    if (is_constant(abstraction, item)) return;
    const struct process *owner = owner_of(abstraction, item);
    if (!owner || !agent_sees_location(agent, owner)) {
        places->is_everywhere = true;
        return;
    }
    const struct template *template = owner->template;
    for (uint32_t i = 0; i < template->location_count; i++) {
        if (!analysis_reaches(abstraction->analysis, template, i) ||
            !is_lost_at(abstraction, item, i))
            continue;
        places->is_everywhere |= !template->locations[i].symbol; /* it has no name */
        add_place(abstraction->arena, places, owner, i);
    }
}

/* A mixed abstraction says what up to so many agents observe, whether they are asked about or not.
 */
enum { MOST_UNASKED = 64 };
/* Terms of a sum that are looked at one by one. */
enum { MOST_TERMS = 1024 };

struct observing {
    struct observations *result;
    const struct abstraction *abstraction;
    struct arena *arena;
    struct agents agents;
};

/* Whether an expression is a variable of one slot: this one. */
static bool names_slot(const struct expr *expr, const struct slot *slot) {
    if (expr->kind == EXPR_NAME) return !slot->process && expr->symbol == slot->symbol;
    const struct expr *process = expr->kind == EXPR_FIELD ? expr->child[0] : NULL;
    return process && process->kind == EXPR_NAME && slot->process &&
           slot->process->symbol == process->symbol && expr->symbol == slot->symbol;
}

static bool slot_is_observed(const struct network *network, const struct agent *agent,
                             uint32_t slot) {
    assert(slot < network->slot_count);
    for (uint32_t i = 0; i < agent->items.count; i++) {
        const struct observed_item *item = &agent->items.items[i];
        if ((item->kind == OBSERVED_SLOT && item->slot == slot) ||
            (item->kind == OBSERVED_VALUE && names_slot(item->expr, &network->slots[slot])))
            return true;
    }
    return false;
}

static bool observes_value(const struct agent *agent, const struct expr *expr) {
    for (uint32_t i = 0; i < agent->items.count; i++)
        if (agent->items.items[i].kind == OBSERVED_VALUE &&
            expr_equal(agent->items.items[i].expr, expr))
            return true;
    return false;
}

static bool is_determined(const struct observing *observing, const struct agent *agent,
                          const struct expr *expr);

/* Whether the body of a quantifier or sum is determined, for each value of its variable. */
static bool all_are_determined(const struct observing *observing, const struct agent *agent,
                               const struct expr *expr) {
    struct context *context = (struct context *)&observing->abstraction->context;
    const struct shape *shape = context_shape(context, expr->bound->type);
    struct arena scratch;
    if (!shape || shape->kind != SHAPE_CELL || shape->is_scalar ||
        (int64_t)shape->upper - shape->lower >= MOST_TERMS)
        return false;
    bool all = true;
    arena_init(&scratch);
    for (int64_t v = shape->lower; v <= shape->upper && all; v++)
        all = is_determined(
            observing, agent,
            expr_substitute(&scratch, expr->child[0], expr->bound, build_int(&scratch, v)));
    arena_close(&scratch);
    return all;
}

/* Whether the value of an expression over global variables can be worked out from what an agent
 * observes. */
static bool is_determined(const struct observing *observing, const struct agent *agent,
                          const struct expr *expr) {
    int64_t value;
    if (!expr || expr_is_constant(expr, &value) || observes_value(agent, expr)) return true;
    if (expr->kind == EXPR_QUANTIFY) return all_are_determined(observing, agent, expr);
    if (expr->kind != EXPR_UNARY && expr->kind != EXPR_BINARY && expr->kind != EXPR_COND)
        return false;
    for (int i = 0; i < 3; i++)
        if (!is_determined(observing, agent, expr->child[i])) return false;
    return true;
}

/* What a ghost follows, in the process of the ghost: in all, if the ghost is global. */
static bool sees_cells(const struct observing *observing, const struct agent *agent,
                       const struct ghost *ghost, const struct process *process) {
    const struct network *network = observing->abstraction->network;
    if (!ghost->template && is_determined(observing, agent, ghost->value)) return true;
    if (ghost->scope && !agent_sees_location(agent, process)) return false; /* as in O4 */
    for (uint32_t c = 0; c < ghost->cells.count; c++)
        for (uint32_t i = 0; i < network->slot_count; i++) {
            const struct slot *slot = &network->slots[i];
            bool is_followed = slot->symbol == ghost->cells.items[c].symbol &&
                               slot->offset == ghost->cells.items[c].offset &&
                               (!slot->process || !process || slot->process == process);
            if (is_followed && !slot_is_observed(network, agent, i)) return false;
        }
    return true;
}

static const struct ghost *ghost_of(const struct observing *observing,
                                    const struct symbol *symbol) {
    const struct request *request = observing->abstraction->request;
    for (uint32_t i = 0; i < request->ghosts.count; i++)
        if (request->ghosts.items[i]->symbol == symbol) return request->ghosts.items[i];
    return NULL;
}

/* O4: a variable that rests in some locations tells which. That is no news to who observes it as
 * one of the variables of its process, since locations come with them. */
static bool is_removed_from(const struct observing *observing, const struct agent *agent,
                            const struct slot *slot, bool *is_lost) {
    const struct removal *removal = removed_ever(observing->abstraction->request, slot->symbol);
    assert(!removal || slot->offset < removal->shape->cell_count);
    *is_lost = removal && removal->is_removed[slot->offset];
    assert(!*is_lost || !removal->scope || agent_sees_location(agent, slot->process));
    return *is_lost && !removal->scope;
}

/* Whether the output still has an observed item, so that it says the same there. An expression over
 * a variable that rests in some locations does not: who observes it need not see the location (O4).
 */
static bool is_kept(const struct observing *observing, const struct agent *agent,
                    const struct observed_item *item, bool *is_lost) {
    struct abstraction *abstraction = (struct abstraction *)observing->abstraction;
    const struct slot *slot =
        item->kind == OBSERVED_SLOT ? &abstraction->network->slots[item->slot] : NULL;
    *is_lost = false;
    if (slot) return !is_removed_from(observing, agent, slot, is_lost);
    if (item->kind == OBSERVED_LOCATION) return true;
    const struct expr *expr = item->kind == OBSERVED_GUARD ? item->edge->written_guard : item->expr;
    *is_lost = abstraction_removed_in(abstraction, expr) != NULL;
    return !*is_lost;
}

/* Edges next to each other often have the same guard. */
static void keep(struct observing *observing, struct watcher *watcher, const char *text) {
    enum { LATEST = 16 };
    uint32_t count = watcher->kept.count, first = count > LATEST ? count - LATEST : 0;
    for (uint32_t i = first; i < count; i++)
        if (!strcmp(watcher->kept.items[i], text)) return;
    VEC_PUSH(observing->arena, &watcher->kept, text);
}

static void look_at(struct observing *observing, struct watcher *watcher,
                    const struct observed_item *item) {
    const struct network *network = observing->abstraction->network;
    const struct agent *agent = watcher->agent;
    const struct slot *slot = item->kind == OBSERVED_SLOT ? &network->slots[item->slot] : NULL;
    const struct ghost *ghost = slot ? ghost_of(observing, slot->symbol) : NULL;
    struct buffer text = {0};
    bool is_lost = false;
    if (ghost && !sees_cells(observing, agent, ghost, slot->process)) return; /* O3 */
    bool is_written = is_kept(observing, agent, item, &is_lost) &&
                      observed_write(&text, network, item, observing->arena);
    if (is_written) keep(observing, watcher, buffer_take(&text, observing->arena));
    buffer_close(&text);
    if (!is_lost && is_written) return;
    VEC_PUSH(observing->arena, &watcher->lost, observed_text(observing->arena, network, item));
    if (is_lost)
        lost_at_add(observing->abstraction, &watcher->lost_at, agent, item);
    else
        watcher->lost_at.is_everywhere = true;
}

/* A ghost that the agent does not observe by itself, but could work out. */
static void add_ghosts(struct observing *observing, struct watcher *watcher) {
    const struct network *network = observing->abstraction->network;
    for (uint32_t i = 0; i < network->slot_count; i++) {
        const struct slot *slot = &network->slots[i];
        const struct ghost *ghost = ghost_of(observing, slot->symbol);
        if (ghost && !slot_is_observed(network, watcher->agent, i) &&
            sees_cells(observing, watcher->agent, ghost, slot->process))
            VEC_PUSH(observing->arena, &watcher->kept, slot_name(network, slot, observing->arena));
    }
}

/* Where its processes are has a word of its own, if the agent knows it of each. */
static bool sees_own_locations(const struct agent *agent) {
    for (uint32_t i = 0; i < agent->process_count; i++)
        if (!agent_sees_location(agent, agent->processes[i])) return false;
    return agent->process_count > 0;
}

static void watch(struct observing *observing, const struct agent *agent) {
    struct watcher *watcher = ARENA_NEW(observing->arena, struct watcher);
    bool is_located = sees_own_locations(agent);
    assert(agent->process_count); /* an agent is somebody */
    *watcher = (struct watcher){.agent = agent};
    if (is_located) VEC_PUSH(observing->arena, &watcher->kept, "location");
    for (uint32_t i = 0; i < agent->items.count; i++)
        if (!is_located || agent->items.items[i].kind != OBSERVED_LOCATION)
            look_at(observing, watcher, &agent->items.items[i]);
    add_ghosts(observing, watcher);
    VEC_PUSH(observing->arena, &observing->result->list, watcher);
}

/* Who is asked about */

/* By symbol: which agents an operator names, whatever the arguments are. */
static bool is_named(const struct agent *agent, const struct expr *name) {
    const struct expr *base = name->kind == EXPR_CALL ? name->child[0] : name;
    const struct symbol *symbol = base->symbol;
    if (!symbol) return false;
    if (symbol->kind != SYMBOL_AGENT)
        return !agent->symbol && agent->processes[0]->symbol == symbol;
    if (symbol->agent->kind == DECLARE_AGENT) return agent->symbol == symbol;
    for (uint32_t i = 0; i < symbol->agent->agent_count; i++)
        if (is_named(agent, symbol->agent->agents[i])) return true;
    return false;
}

static uint32_t roles_in(const struct expr *expr) {
    if (expr->kind == EXPR_KNOW) return ROLE_KNOWS;
    if (expr->kind != EXPR_ABLE && expr->kind != EXPR_ABLE_UNTIL) return 0;
    bool sees_all = (expr->modes & MODE_PERFECT) && !(expr->modes & MODE_SUBJECTIVE);
    return sees_all ? ROLE_PLAYS : ROLE_PLAYS | ROLE_CHOOSES;
}

struct named_search {
    const struct agent *agent;
    uint32_t roles;
    bool is_found;
};

static bool find_named(void *context, const struct expr *expr) {
    struct named_search *search = context;
    bool has_role = (roles_in(expr) & search->roles) != 0;
    for (uint32_t i = 0; has_role && i < expr->argument_count; i++)
        search->is_found |= is_named(search->agent, expr->arguments[i]);
    return !search->is_found;
}

static bool is_asked(const struct agent *agent, const struct expr *formula, uint32_t roles) {
    struct named_search search = {agent, roles, false};
    walk_expr(formula, find_named, &search);
    return search.is_found;
}

static bool is_asked_by_some(const struct model *model, const struct agent *agent) {
    for (uint32_t i = 0; i < model->query_count; i++)
        if (model->queries[i].quantifier == QUERY_FORMULA &&
            is_asked(agent, model->queries[i].predicate, ROLE_ANY))
            return true;
    return false;
}

static bool has_agents(const struct model *model) {
    for (uint32_t i = 0; i < model->query_count; i++)
        if (model->queries[i].quantifier == QUERY_FORMULA &&
            expr_any(model->queries[i].predicate, expr_is_about_agents, NULL))
            return true;
    return model->agents.count > 0;
}

/* Not by arguments of scalar types, of which no value can be written. */
static bool can_be_named(const struct process *process) {
    const struct symbol *symbol = process->symbol;
    const struct instance *instance = symbol->instance;
    struct symbol *const *parameters =
        instance ? instance->parameters : process->template->parameters;
    uint32_t count = instance ? instance->parameter_count : process->template->parameter_count;
    for (uint32_t i = 0; i < count && strchr(process->name, '('); i++)
        if (type_strip(parameters[i]->type)->kind == TYPE_SCALAR) return false;
    return true;
}

/* Processes and declared agents that are asked about, or that a declaration says more of. */
static const char *find_agents(struct observing *observing) {
    const struct network *network = observing->abstraction->network;
    const struct model *model = network->model;
    for (uint32_t i = 0; i < network->process_count; i++)
        if (!agent_of_process(&observing->agents, &network->processes[i]))
            return "an agent would observe more than 16384 items";
    for (uint32_t i = 0; i < model->agents.count; i++) {
        const struct agent_declaration *declaration = model->agents.items[i];
        struct expr name = {.kind = EXPR_NAME, .symbol = declaration->symbol};
        struct agent_list unused = {0};
        if (declaration->kind != DECLARE_AGENT) continue;
        const char *problem = agents_add(&observing->agents, &name, &unused);
        if (problem) return problem;
    }
    return NULL;
}

/* Texts for the output */

static void write_collection(struct buffer *out, const struct agent_declaration *declaration) {
    buffer_printf(out, "//varabs: %s %s = {",
                  declaration->kind == DECLARE_GROUP ? "group" : "agent",
                  declaration->symbol->name);
    for (uint32_t i = 0; i < declaration->agent_count; i++) {
        if (i) buffer_add_text(out, ", ");
        print_expr(out, declaration->agents[i]);
    }
    buffer_add_text(out, "};\n");
}

/* What sees nothing, where the word might be a variable of the model: a constant tells nothing. */
static const char *nothing_of(const struct model *model) {
    const char *name = intern_find(model->names, "nothing");
    return name && frame_find(model->frame, name) ? "true" : "nothing";
}

static void write_watcher(struct buffer *out, const struct model *model,
                          const struct watcher *watcher) {
    buffer_printf(out, "//varabs: observe %s: ", watcher->agent->name);
    for (uint32_t i = 0; i < watcher->kept.count; i++)
        buffer_printf(out, "%s%s", i ? ", " : "", watcher->kept.items[i]);
    buffer_printf(out, "%s;\n", watcher->kept.count ? "" : nothing_of(model));
}

static bool is_mixed(const struct abstraction *abstraction) {
    return abstraction->context.rules->is_mixed;
}

/* MX3: who observes more of the original, everywhere or where a process is at some location. */
static void write_lost(struct buffer *out, const struct observations *observations) {
    const char *before = "//varabs: lost ";
    for (uint32_t i = 0; i < observations->list.count; i++) {
        const struct watcher *watcher = observations->list.items[i];
        if (!watcher->lost_at.is_everywhere) continue;
        buffer_printf(out, "%s%s", before, watcher->agent->name);
        before = ", ";
    }
    if (before[0] == ',') buffer_add_text(out, ";\n");
    for (uint32_t i = 0; i < observations->list.count; i++) {
        const struct watcher *watcher = observations->list.items[i];
        if (watcher->lost_at.is_everywhere || !watcher->lost_at.list.count) continue;
        buffer_printf(out, "//varabs: lost %s: ", watcher->agent->name);
        for (uint32_t k = 0; k < watcher->lost_at.list.count; k++)
            buffer_printf(out, "%s%s", k ? ", " : "", watcher->lost_at.list.items[k]);
        buffer_add_text(out, ";\n");
    }
}

/* How far marks go: moves are those of the original, but where values were exchanged (ST8). */
static void write_mixed(struct buffer *text, const struct abstraction *abstraction) {
    const struct context *context = &abstraction->context;
    const char *word = abstraction->classes     ? MIXED_HIDES_MOVES
                       : context->failing.count ? MIXED_MOVES_OF
                                                : MIXED_TEXT;
    buffer_printf(text, "//varabs: %s", word);
    for (uint32_t i = 0; !abstraction->classes && i < context->failing.count; i++)
        buffer_printf(text, "%s%s", i ? ", " : "", context->failing.items[i]->symbol->name);
    buffer_add_text(text, "\n");
}

static const char *write_all(const struct observing *observing) {
    const struct model *model = observing->abstraction->network->model;
    struct buffer text = {0};
    bool is_marked = is_mixed(observing->abstraction) && !observing->abstraction->favours;
    if (is_marked) write_mixed(&text, observing->abstraction);
    for (uint32_t i = 0; i < model->agents.count; i++)
        if (model->agents.items[i]->symbol) write_collection(&text, model->agents.items[i]);
    for (uint32_t i = 0; i < observing->result->list.count; i++)
        write_watcher(&text, model, observing->result->list.items[i]);
    if (is_marked) write_lost(&text, observing->result);
    return buffer_finish(&text, observing->arena);
}

const struct observations *observations_make(const struct abstraction *abstraction) {
    const struct model *model = abstraction->network->model;
    struct observing observing = {.abstraction = abstraction, .arena = abstraction->arena};
    if (!has_agents(model) && !is_mixed(abstraction)) return NULL;
    observing.result = ARENA_NEW(abstraction->arena, struct observations);
    *observing.result = (struct observations){.text = NULL};
    if (model->lost_agents) {
        observing.result->problem = "some declaration about agents cannot be read";
        return observing.result;
    }
    agents_init(&observing.agents, abstraction->arena, abstraction->network);
    observing.result->problem = find_agents(&observing);
    for (uint32_t i = 0; i < observing.agents.list.count && !observing.result->problem; i++) {
        const struct agent *agent = observing.agents.list.items[i];
        bool is_any = is_mixed(abstraction) && observing.agents.list.count <= MOST_UNASKED &&
                      can_be_named(agent->processes[0]);
        if (is_any || agent->is_declared || agent->symbol || is_asked_by_some(model, agent))
            watch(&observing, agent);
    }
    agents_close(&observing.agents);
    if (!observing.result->problem) observing.result->text = write_all(&observing);
    assert(!observing.result->text == (observing.result->problem != NULL));
    return observing.result;
}

void observations_of(const struct observations *observations, const struct expr *formula,
                     uint32_t roles, struct arena *arena, struct watcher_list *watchers) {
    assert(observations && !observations->problem); /* or it is not known what they observe */
    for (uint32_t i = 0; i < observations->list.count; i++)
        if (is_asked(observations->list.items[i]->agent, formula, roles))
            VEC_PUSH(arena, &watchers->list, observations->list.items[i]);
}

static bool has_kept(const struct watcher *watcher, const char *name) {
    for (uint32_t i = 0; i < watcher->kept.count; i++)
        if (!strcmp(watcher->kept.items[i], name)) return true;
    return false;
}

/* Over cells: an index may depend on what is not observed. */
bool watcher_sees(const struct abstraction *abstraction, const struct watcher *watcher,
                  const struct process *process, const struct expr *expr) {
    const struct network *network = abstraction->network;
    struct arena *arena = abstraction->arena;
    struct effects_table table = network->effects;
    struct effects reads = {0};
    table.arena = arena;
    map_init(&table.functions, arena);
    if (expr) effects_add_expr(&table, &reads, expr);
    for (uint32_t i = 0; i < reads.list.count; i++) {
        const struct symbol *symbol = reads.list.items[i].symbol;
        if (symbol->is_reference) return false;
        for (uint32_t k = 0; k < network->slot_count; k++) {
            const struct slot *slot = &network->slots[k];
            bool is_read = slot->symbol == symbol && (!slot->process || slot->process == process);
            if (is_read && !has_kept(watcher, slot_name(network, slot, arena))) return false;
        }
    }
    return true;
}

bool watcher_sees_location(const struct watcher *watcher, const struct process *process) {
    return agent_sees_location(watcher->agent, process);
}
