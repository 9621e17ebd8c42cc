/* Who writes which shared variable in steps over which channels, and whether that is somebody else.
 */
#include "approx/labels/interference.h"

#include "approx/labels/domain.h"
#include "approx/labels/relevance.h"

#include <assert.h>

/* Processes that may write a variable in steps over a channel: one of them, or several. */
struct writers {
    const struct process *process;
    bool are_several;
};

struct interference {
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

static void number_channel(void *context, const struct symbol *symbol,
                           const struct binding *binding) {
    struct interference *interference = context;
    uint32_t number = ++interference->channel_count;
    for (uint32_t k = 0; k < binding->shape->cell_count; k++)
        interference->channel_of[binding->address + k] = number;
    interference->is_broadcast[number] = (type_prefixes(symbol->type) & PREFIX_BROADCAST) != 0;
}

static void number_channels(struct interference *interference) {
    const struct network *network = interference->network;
    interference->channel_of = ARENA_ARRAY(interference->arena, uint32_t, network->cell_count + 1);
    interference->is_broadcast = ARENA_ARRAY(interference->arena, bool, network->cell_count + 1);
    interference->is_branching = ARENA_ARRAY(interference->arena, bool, network->cell_count + 1);
    each_channel_variable(network, number_channel, interference);
}

/* An edge of a process that synchronises on a channel. */
struct use {
    struct interference *interference;
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
        root ? relevance_binding(use->interference->network, use->process, root) : NULL;
    use->channel = binding ? use->interference->channel_of[binding->address] : 0;
    if (!use->channel)
        use->interference->is_known = false;
    else
        found(use);
}

static const struct effects *update_of(const struct use *use) {
    const struct template *template = use->process->template;
    return &labels_of_edge(use->interference->network, template, use->edge)->update_effects;
}

static uint64_t key_of(const struct use *use, const struct binding *binding) {
    const struct network *network = use->interference->network;
    uint32_t slot = network->slot_of[binding->address];
    assert(slot != NO_SLOT && use->channel);
    return (uint64_t)use->channel << 32 | (slot - network->slots[slot].offset);
}

static void note_write(void *context, const struct binding *binding, const struct effect *effect) {
    const struct use *use = context;
    struct interference *interference = use->interference;
    const struct network *network = interference->network;
    if (!effect->writes || !slot_is_shared(network, network->slot_of[binding->address])) return;
    struct map *map = &interference->writers[use->edge->is_send];
    struct writers *writers = map_get(map, key_of(use, binding));
    if (!writers) {
        writers = ARENA_NEW(interference->arena, struct writers);
        writers->process = use->process;
        map_put(map, key_of(use, binding), writers);
    }
    writers->are_several |= use->is_several || writers->process != use->process;
}

static void note_use(struct use *use) {
    assert(use->channel <= use->interference->channel_count);
    struct interference *interference = use->interference;
    const struct template *template = use->process->template;
    interference->is_branching[use->channel] |=
        use->edge->leaves_branchpoint || use->edge->target >= template->location_count;
    if (use->edge->is_send || interference->is_broadcast[use->channel])
        each_variable(interference->network, use->process, update_of(use), note_write, use);
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
    if (slot_is_shared(use->interference->network,
                       use->interference->network->slot_of[binding->address]))
        use->is_disturbed |= is_written_by_another(use, &use->interference->writers[0], binding) ||
                             is_written_by_another(use, &use->interference->writers[1], binding);
}

static void look_at_use(struct use *use) {
    const struct interference *interference = use->interference;
    use->is_disturbed |= interference->is_branching[use->channel];
    if (!use->is_disturbed)
        each_variable(interference->network, use->process, update_of(use), look_at_variable, use);
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
static bool each_use(struct interference *interference, const struct template *template,
                     const struct edge *edge, use_found found) {
    const struct network *network = interference->network;
    struct process_range range = network->processes_of[template->index];
    bool is_each = is_apart(network, template, edge), is_disturbed = false;
    uint32_t count = 0;
    for (uint32_t p = range.first; p < range.end; p++)
        count += network->processes[p].template == template;
    for (uint32_t p = range.first; p < range.end && interference->is_known; p++) {
        if (network->processes[p].template != template) continue;
        struct use use = {.interference = interference,
                          .process = &network->processes[p],
                          .edge = edge,
                          .is_several = !is_each && count > 1};
        each_channel(&use, edge->sync, found);
        is_disturbed |= use.is_disturbed;
        if (!is_each) break;
    }
    return is_disturbed;
}

static void each_edge(struct interference *interference, use_found found) {
    const struct model *model = interference->network->model;
    for (uint32_t t = 0; t < model->template_count; t++) {
        const struct template *template = model->templates[t];
        for (uint32_t i = 0; i < template->edge_count; i++)
            if (template->edges[i].sync)
                interference->disturbs[t][i] =
                    each_use(interference, template, &template->edges[i], found);
    }
}

struct interference *interference_find(struct arena *arena, const struct network *network) {
    const struct model *model = network->model;
    struct interference *interference = ARENA_NEW(arena, struct interference);
    *interference = (struct interference){.arena = arena, .network = network, .is_known = true};
    map_init(&interference->writers[0], arena);
    map_init(&interference->writers[1], arena);
    number_channels(interference);
    interference->disturbs = ARENA_ARRAY(arena, bool *, model->template_count + 1);
    for (uint32_t t = 0; t < model->template_count; t++)
        interference->disturbs[t] = ARENA_ARRAY(arena, bool, model->templates[t]->edge_count + 1);
    each_edge(interference, note_use);
    each_edge(interference, look_at_use);
    return interference;
}

bool interference_disturbs(const struct interference *interference, const struct template *template,
                           const struct edge *edge) {
    assert(edge->sync && !edge->is_send);
    return !interference->is_known || edge->leaves_branchpoint ||
           edge->target >= template->location_count ||
           interference->disturbs[template->index][edge_index(template, edge)];
}
