#include "explore/compare/observing.h"

#include "explore/states/indistinguishable.h"

#include <assert.h>
#include <string.h>

/* One agent in one model. */
struct observed_side {
    struct expander expander;
    struct all_states states;
    struct indistinguishable classes;
    struct agents agents;
    const struct agent *agent; /* NULL: there is none of this name */
};

/* The agent of a name: a process, or one that is declared. */
static struct agent *find_agent(struct agents *agents, const char *name) {
    const struct network *network = agents->network;
    for (uint32_t i = 0; i < network->process_count; i++)
        if (!strcmp(network->processes[i].name, name))
            return agent_of_process(agents, &network->processes[i]);
    for (uint32_t i = 0; i < network->model->agents.count; i++) {
        const struct agent_declaration *declaration = network->model->agents.items[i];
        struct expr expr = {.kind = EXPR_NAME, .symbol = declaration->symbol};
        struct agent_list list = {0};
        if (declaration->kind == DECLARE_AGENT && !strcmp(declaration->symbol->name, name))
            return agents_add(agents, &expr, &list) ? NULL : list.list.items[0];
    }
    return NULL;
}

/* A ghost only follows other variables: an agent that does not see these does not see it. */
static void drop_ghosts(struct agent *agent, const struct network *network) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < agent->items.count; i++) {
        const struct observed_item *item = &agent->items.items[i];
        if (item->kind != OBSERVED_SLOT || !network->slots[item->slot].symbol->is_ghost)
            agent->items.items[kept++] = *item;
    }
    agent->items.count = kept;
}

static void open_side(struct observed_side *side, struct search *search, struct arena *arena,
                      const char *name) {
    *side = (struct observed_side){.agent = NULL};
    agents_init(&side->agents, arena, search->network);
    struct agent *agent = find_agent(&side->agents, name);
    if (agent) drop_ghosts(agent, search->network);
    side->agent = agent;
    expander_init(&side->expander, search->program);
    if (search->options.max_seconds > 0)
        side->expander.machine.deadline = search->start + search->options.max_seconds;
    states_open(&side->states, search, &side->expander, arena);
    if (!side->agent) return;
    indistinguishable_compile(&side->classes, &side->states, side->agent);
    machine_init(&side->states.machine, &search->program->code);
    side->states.machine.deadline = side->expander.machine.deadline;
    indistinguishable_find(&side->classes, &side->states);
}

static void close_side(struct observed_side *side) {
    if (side->agent) indistinguishable_close(&side->classes, &side->states);
    states_close(&side->states);
    expander_close(&side->expander);
    agents_close(&side->agents);
}

static const char *problem_of(const struct observed_side *side) {
    if (!side->agent) return "only one of the models has this agent";
    if (side->states.fault.kind != FAULT_NONE) return fault_name(side->states.fault.kind);
    return side->states.ledger.limit != LIMIT_NONE ? "a limit was met" : NULL;
}

/* Notes what a class goes with; false if it went with another one before. */
static bool goes_with(uint32_t *of, uint32_t class, uint32_t other) {
    if (of[class] == NO_CLASS) of[class] = other;
    return of[class] == other;
}

static uint32_t *take_classes(struct all_states *states, uint32_t count) {
    uint32_t *classes = states_take(states, count, sizeof *classes);
    if (classes) memset(classes, 0xFF, count * sizeof *classes); /* NO_CLASS each */
    return classes;
}

static uint32_t most_class(const struct graph *graph) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < graph->count; i++)
        if (graph->classes[i] > most) most = graph->classes[i];
    return most;
}

/* The class to the agent of the abstract states that look like a concrete one; false if there are
 * several classes. */
static bool find_images(uint32_t *images, const struct observed_side *abstract,
                        const struct graph *graph) {
    assert(abstract->agent && graph->classes);
    for (uint32_t row = 0; row < graph->count; row++)
        if (!goes_with(images, graph->classes[row], abstract->classes.of_row[row])) return false;
    return true;
}

static void compare(struct observer *observer, struct observed_side sides[SIDE_COUNT],
                    const struct graph graphs[SIDE_COUNT]) {
    struct observed_side *concrete = &sides[SIDE_CONCRETE], *abstract = &sides[SIDE_ABSTRACT];
    const struct graph *graph = &graphs[SIDE_CONCRETE];
    uint32_t one = most_class(graph), other = most_class(&graphs[SIDE_ABSTRACT]);
    uint32_t image_count = (one > other ? one : other) + 1;
    uint32_t *images = take_classes(&concrete->states, image_count);
    uint32_t *forth = take_classes(&concrete->states, concrete->classes.count);
    uint32_t *back = take_classes(&concrete->states, abstract->classes.count);
    if (!images || !forth || !back) {
        observer->problem = "a limit was met";
    } else if (!find_images(images, abstract, &graphs[SIDE_ABSTRACT])) {
        observer->problem = "it tells states apart by what only the abstract model has";
    } else {
        observer->sees_no_more = observer->sees_no_less = true;
        for (uint32_t row = 0; row < graph->count; row++) {
            uint32_t class = concrete->classes.of_row[row], image = images[graph->classes[row]];
            if (image == NO_CLASS) continue;
            assert(class < concrete->classes.count && image < abstract->classes.count);
            observer->sees_no_more &= goes_with(forth, class, image);
            observer->sees_no_less &= goes_with(back, image, class);
        }
    }
    STATES_GIVE(&concrete->states, images, forth, back);
}

static void look_at(struct observer_list *observers, struct arena *arena, const char *name,
                    struct search searches[SIDE_COUNT], const struct graph graphs[SIDE_COUNT]) {
    struct observed_side sides[SIDE_COUNT];
    struct observer observer = {.agent = name};
    assert(searches[SIDE_CONCRETE].is_complete && searches[SIDE_ABSTRACT].is_complete);
    for (uint32_t i = 0; i < observers->list.count; i++)
        if (!strcmp(observers->list.items[i].agent, name)) return;
    for (int side = 0; side < SIDE_COUNT; side++)
        open_side(&sides[side], &searches[side], arena, name);
    for (int side = 0; side < SIDE_COUNT && !observer.problem; side++)
        observer.problem = problem_of(&sides[side]);
    if (!observer.problem) compare(&observer, sides, graphs);
    for (int side = 0; side < SIDE_COUNT; side++) close_side(&sides[side]);
    VEC_PUSH(arena, &observers->list, observer);
}

/* Those that one of the models declares something of. */
static void look_at_declared(struct observer_list *observers, struct arena *arena,
                             const struct network *network, struct search searches[SIDE_COUNT],
                             const struct graph graphs[SIDE_COUNT]) {
    struct agents agents;
    agents_init(&agents, arena, network);
    for (uint32_t i = 0; i < network->process_count; i++) {
        const struct agent *agent = agent_of_process(&agents, &network->processes[i]);
        if (!agent || agent->is_declared)
            look_at(observers, arena, network->processes[i].name, searches, graphs);
    }
    for (uint32_t i = 0; i < network->model->agents.count; i++)
        if (network->model->agents.items[i]->kind == DECLARE_AGENT)
            look_at(observers, arena, network->model->agents.items[i]->symbol->name, searches,
                    graphs);
    agents_close(&agents);
}

void compare_observers(struct observer_list *observers, struct arena *arena,
                       struct search searches[SIDE_COUNT], const struct graph graphs[SIDE_COUNT]) {
    for (int side = SIDE_COUNT; side-- > 0;)
        look_at_declared(observers, arena, searches[side].network, searches, graphs);
}
