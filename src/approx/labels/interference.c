/* Who writes which shared variable in steps over which channels, and whether that is somebody else.
 */
#include "approx/labels/others.h"

#include "approx/labels/domain.h"
#include "approx/labels/relevance.h"

#include <assert.h>

/* Processes that may write a variable in steps over a channel: one of them, or several. */
struct writers {
    const struct process *process;
    bool are_several;
};

struct others {
    struct arena *arena;
    const struct network *network;
    bool is_known;        /* else they change all */
    uint32_t *channel_of; /* by address: the number of the variable, from 1 */
    bool *is_broadcast;   /* by that number */
    bool *is_branching;   /* likewise: an edge next to a branchpoint uses it */
    uint32_t channel_count;
    struct map writers[2]; /* by channel and variable: that receive, that send */
    bool **disturbs;       /* by template, by edge */
};

static void number_channel(struct others *others, const struct symbol *symbol,
                           const struct binding *binding) {
    if (!binding->shape || symbol->is_reference || !symbol_is_channel(symbol)) return;
    uint32_t number = ++others->channel_count;
    for (uint32_t k = 0; k < binding->shape->cell_count; k++)
        others->channel_of[binding->address + k] = number;
    others->is_broadcast[number] = (type_prefixes(symbol->type) & PREFIX_BROADCAST) != 0;
}

static void number_channels(struct others *others) {
    const struct network *network = others->network;
    others->channel_of = ARENA_ARRAY(others->arena, uint32_t, network->cell_count + 1);
    others->is_broadcast = ARENA_ARRAY(others->arena, bool, network->cell_count + 1);
    others->is_branching = ARENA_ARRAY(others->arena, bool, network->cell_count + 1);
    for (uint32_t i = 0; i < network->model->symbol_count; i++)
        number_channel(others, network->model->symbols[i], &network->globals[i]);
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct process *process = &network->processes[p];
        for (uint32_t i = 0; i < process->template->symbol_count; i++)
            number_channel(others, process->template->symbols[i], &process->locals[i]);
    }
}

/* An edge of a process that synchronises on a channel. */
struct use {
    struct others *others;
    const struct process *process;
    const struct edge *edge;
    uint32_t channel;
    bool is_several; /* other processes of its template do the same: it stands for all of them */
    bool is_disturbed;
};

typedef void (*use_found)(struct use *use);

/* Calls back with each variable of channels that the expression may mean. */
static void each_channel(struct use *use, const struct expr *sync, use_found found) {
    if (sync->kind == EXPR_COND) {
        each_channel(use, sync->child[1], found);
        each_channel(use, sync->child[2], found);
        return;
    }
    const struct symbol *root = expr_root(sync);
    const struct binding *binding =
        root ? relevance_binding(use->others->network, use->process, root) : NULL;
    use->channel = binding ? use->others->channel_of[binding->address] : 0;
    if (!use->channel)
        use->others->is_known = false;
    else
        found(use);
}

static const struct effects *update_of(const struct use *use) {
    const struct template *template = use->process->template;
    return &labels_of_edge(use->others->network, template, use->edge)->update_effects;
}

static uint64_t key_of(const struct use *use, const struct binding *binding) {
    const struct network *network = use->others->network;
    uint32_t slot = network->slot_of[binding->address];
    return (uint64_t)use->channel << 32 | (slot - network->slots[slot].offset);
}

static void note_write(void *context, const struct binding *binding, const struct effect *effect) {
    const struct use *use = context;
    struct others *others = use->others;
    const struct network *network = others->network;
    if (!effect->writes || !slot_is_shared(network, network->slot_of[binding->address])) return;
    struct map *map = &others->writers[use->edge->is_send];
    struct writers *writers = map_get(map, key_of(use, binding));
    if (!writers) {
        writers = ARENA_NEW(others->arena, struct writers);
        writers->process = use->process;
        map_put(map, key_of(use, binding), writers);
    }
    writers->are_several |= use->is_several || writers->process != use->process;
}

static void note_use(struct use *use) {
    struct others *others = use->others;
    const struct template *template = use->process->template;
    others->is_branching[use->channel] |=
        use->edge->leaves_branchpoint || use->edge->target >= template->location_count;
    if (use->edge->is_send || others->is_broadcast[use->channel])
        each_variable(others->network, use->process, update_of(use), note_write, use);
}

static bool is_written_by_another(const struct use *use, const struct map *map,
                                  const struct binding *binding) {
    const struct writers *writers = map_get(map, key_of(use, binding));
    return writers && (use->is_several || writers->are_several || writers->process != use->process);
}

static void look_at_variable(void *context, const struct binding *binding,
                             const struct effect *effect) {
    struct use *use = context;
    (void)effect;
    if (slot_is_shared(use->others->network, use->others->network->slot_of[binding->address]))
        use->is_disturbed |= is_written_by_another(use, &use->others->writers[0], binding) ||
                             is_written_by_another(use, &use->others->writers[1], binding);
}

static void look_at_use(struct use *use) {
    const struct others *others = use->others;
    use->is_disturbed |= others->is_branching[use->channel];
    if (!use->is_disturbed)
        each_variable(others->network, use->process, update_of(use), look_at_variable, use);
}

static bool names_reference(const struct expr *sync) {
    if (sync->kind == EXPR_COND)
        return names_reference(sync->child[1]) || names_reference(sync->child[2]);
    const struct symbol *root = expr_root(sync);
    return !root || root->is_reference || root->scope == SCOPE_TEMPLATE;
}

/* Whether the processes of the template differ in what the edge names. */
static bool is_apart(const struct network *network, const struct template *template,
                     const struct edge *edge) {
    const struct effects *update = &labels_of_edge(network, template, edge)->update_effects;
    bool is_apart = names_reference(edge->sync);
    for (uint32_t i = 0; i < update->list.count && !is_apart; i++)
        is_apart = update->list.items[i].symbol->is_reference;
    return is_apart;
}

/* Whether some use of the edge is disturbed. */
static bool each_use(struct others *others, const struct template *template,
                     const struct edge *edge, use_found found) {
    const struct network *network = others->network;
    struct process_range range = network->processes_of[template->index];
    bool is_each = is_apart(network, template, edge), is_disturbed = false;
    uint32_t count = 0;
    for (uint32_t p = range.first; p < range.end; p++)
        count += network->processes[p].template == template;
    for (uint32_t p = range.first; p < range.end && others->is_known; p++) {
        if (network->processes[p].template != template) continue;
        struct use use = {.others = others,
                          .process = &network->processes[p],
                          .edge = edge,
                          .is_several = !is_each && count > 1};
        each_channel(&use, edge->sync, found);
        is_disturbed |= use.is_disturbed;
        if (!is_each) break;
    }
    return is_disturbed;
}

static void each_edge(struct others *others, use_found found) {
    const struct model *model = others->network->model;
    for (uint32_t t = 0; t < model->template_count; t++) {
        const struct template *template = model->templates[t];
        for (uint32_t i = 0; i < template->edge_count; i++)
            if (template->edges[i].sync)
                others->disturbs[t][i] = each_use(others, template, &template->edges[i], found);
    }
}

struct others *others_find(struct arena *arena, const struct network *network) {
    const struct model *model = network->model;
    struct others *others = ARENA_NEW(arena, struct others);
    *others = (struct others){.arena = arena, .network = network, .is_known = true};
    map_init(&others->writers[0], arena);
    map_init(&others->writers[1], arena);
    number_channels(others);
    others->disturbs = ARENA_ARRAY(arena, bool *, model->template_count + 1);
    for (uint32_t t = 0; t < model->template_count; t++)
        others->disturbs[t] = ARENA_ARRAY(arena, bool, model->templates[t]->edge_count + 1);
    each_edge(others, note_use);
    each_edge(others, look_at_use);
    return others;
}

bool others_disturb(const struct others *others, const struct template *template,
                    const struct edge *edge) {
    assert(edge->sync && !edge->is_send);
    return !others->is_known || edge->leaves_branchpoint ||
           edge->target >= template->location_count ||
           others->disturbs[template->index][edge - template->edges];
}
