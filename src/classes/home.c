/* Who names what, from the effects of all labels. */
#include "classes/home.h"

#include "approx/domain.h"
#include "approx/relevance.h"

struct finder {
    const struct network *network;
    struct arena *arena;
    struct homes *homes;
    const struct process *process; /* that is looked at */
    const struct edge *edge;       /* likewise, with a channel that counts; or NULL */
    bool *is_shared;               /* by the first slot: several processes name it */
    bool *is_direct;               /* by index of a global symbol: a channel that counts */
    struct map received;           /* by key: some receiver reads the variable */
    struct map hands;              /* by key */
};

/* Once for each effect that names it. The cells of a variable are slots, or none of them is. */
void each_variable(const struct network *network, const struct process *process,
                   const struct effects *effects, variable_found found, void *context) {
    for (uint32_t i = 0; i < effects->list.count; i++) {
        const struct effect *effect = &effects->list.items[i];
        const struct binding *binding = relevance_binding(network, process, effect->symbol);
        if (binding && binding->shape->cell_count && network->slot_of[binding->address] != NO_SLOT)
            found(context, binding, effect);
    }
}

/* The first slot of the variable that a slot belongs to. */
static uint32_t first_of(const struct network *network, uint32_t slot) {
    return slot - network->slots[slot].offset;
}

/* ---- homes ---- */

static void name_variable(void *context, const struct binding *binding,
                          const struct effect *effect) {
    struct finder *finder = context;
    uint32_t slot = first_of(finder->network, finder->network->slot_of[binding->address]);
    struct variable_home *home = &finder->homes->list[slot];
    (void)effect;
    if (home->process && home->process != finder->process) finder->is_shared[slot] = true;
    home->process = finder->process;
}

static void name_expr(struct finder *finder, const struct expr *expr) {
    struct effects_table table = finder->network->effects;
    struct effects effects = {0};
    if (!expr) return;
    table.arena = finder->arena;
    effects_add_expr(&table, &effects, expr);
    each_variable(finder->network, finder->process, &effects, name_variable, finder);
}

static void name_all(struct finder *finder) {
    const struct template *template = finder->process->template;
    for (uint32_t l = 0; l < template->location_count; l++)
        name_expr(finder, template->locations[l].invariant);
    for (uint32_t i = 0; i < template->edge_count; i++) {
        const struct edge_effects *effects = &finder->network->edge_effects[template->index][i];
        const struct effects *labels[] = {&effects->guard, &effects->sync, &effects->update};
        for (int k = 0; k < 3; k++)
            each_variable(finder->network, finder->process, labels[k], name_variable, finder);
        name_expr(finder, template->edges[i].weight);
    }
}

static uint32_t process_count_of(const struct network *network, const struct template *template) {
    const struct process_range *range = &network->processes_of[template->index];
    return range->end - range->first;
}

/* Only what a process without others of its template has for itself is at home there: a place is
 * written in terms of the template (V9). */
static void settle_homes(struct finder *finder) {
    const struct network *network = finder->network;
    struct homes *homes = finder->homes;
    for (uint32_t p = 0; p < network->process_count; p++) homes->first_at[p] = NO_SLOT;
    for (uint32_t slot = network->slot_count; slot-- > 0;) {
        struct variable_home *home = &homes->list[slot];
        home->cell_count++;
        if (network->slots[slot].offset) {
            homes->list[slot - 1].cell_count += home->cell_count;
            continue;
        }
        const struct process *process = home->process;
        bool is_alone = process && !finder->is_shared[slot] && !network->slots[slot].process &&
                        process_count_of(network, process->template) == 1;
        home->process = is_alone ? process : NULL;
        if (!is_alone) continue;
        home->next = homes->first_at[process->index];
        homes->first_at[process->index] = slot;
    }
}

/* ---- hands ---- */

static bool leaves_doubt(const struct edge *edge, const struct template *template) {
    return edge->leaves_branchpoint || edge->target >= template->location_count;
}

/* False if some synchronisation leaves open which variable its channel is of. */
static bool find_direct(struct finder *finder) {
    const struct model *model = finder->network->model;
    for (uint32_t i = 0; i < model->symbol_count; i++) {
        const struct symbol *symbol = model->symbols[i];
        const struct binding *binding = &finder->network->globals[i];
        finder->is_direct[i] = symbol_is_channel(symbol) && binding->shape &&
                               !(type_prefixes(symbol->type) & PREFIX_BROADCAST) &&
                               !handed_parameter(&finder->network->handed, binding);
    }
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t i = 0; i < model->templates[t]->edge_count; i++) {
            const struct edge *edge = &model->templates[t]->edges[i];
            const struct symbol *channel = edge->sync ? expr_root(edge->sync) : NULL;
            if (edge->sync && !channel) return false;
            if (channel && channel->scope == SCOPE_GLOBAL &&
                leaves_doubt(edge, model->templates[t]))
                finder->is_direct[channel->index] = false;
        }
    return true;
}

static const struct symbol *channel_of(const struct edge *edge) {
    const struct symbol *channel = edge->sync ? expr_root(edge->sync) : NULL;
    return channel && channel->scope == SCOPE_GLOBAL ? channel : NULL;
}

static uint64_t hand_key(uint32_t slot, const struct symbol *channel) {
    return (uint64_t)slot << 32 | (channel->index + 1);
}

static void note_received(void *context, const struct binding *binding,
                          const struct effect *effect) {
    struct finder *finder = context;
    uint32_t slot = first_of(finder->network, finder->network->slot_of[binding->address]);
    if (effect->reads)
        map_put(&finder->received, hand_key(slot, channel_of(finder->edge)), finder->homes);
}

static void note_handed(void *context, const struct binding *binding, const struct effect *effect) {
    struct finder *finder = context;
    const struct symbol *channel = channel_of(finder->edge);
    uint32_t slot = first_of(finder->network, finder->network->slot_of[binding->address]);
    struct variable_home *home = &finder->homes->list[slot];
    uint64_t key = hand_key(slot, channel);
    if (!effect->writes || finder->network->slots[slot].process ||
        !map_get(&finder->received, key) || map_get(&finder->hands, key))
        return;
    if (home->process) return; /* that one sends and receives, but not with itself */
    struct hand *hand = ARENA_NEW(finder->arena, struct hand);
    *hand = (struct hand){.channel = channel,
                          .slot = slot,
                          .cell_count = home->cell_count,
                          .number = home->hand_count++,
                          .next = home->hands,
                          .next_on_channel = finder->homes->on_channel[channel->index]};
    home->hands = finder->homes->on_channel[channel->index] = hand;
    map_put(&finder->hands, key, hand);
}

static void each_update(struct finder *finder, bool of_senders, variable_found found) {
    const struct network *network = finder->network;
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct template *template = network->processes[p].template;
        finder->process = &network->processes[p];
        for (uint32_t i = 0; i < template->edge_count; i++) {
            const struct symbol *channel = channel_of(&template->edges[i]);
            finder->edge = &template->edges[i];
            if (channel && finder->is_direct[channel->index] && finder->edge->is_send == of_senders)
                each_variable(network, finder->process,
                              &network->edge_effects[template->index][i].update, found, finder);
        }
    }
}

/* ---- all of it ---- */

struct homes *homes_find(struct arena *arena, const struct analysis *analysis) {
    const struct network *network = analysis->network;
    struct homes *homes = ARENA_NEW(arena, struct homes);
    uint32_t symbol_count = network->model->symbol_count;
    struct finder finder = {.network = network, .arena = arena, .homes = homes};
    homes->list = ARENA_ARRAY(arena, struct variable_home, network->slot_count + 1);
    homes->first_at = ARENA_ARRAY(arena, uint32_t, network->process_count + 1);
    homes->on_channel = ARENA_ARRAY(arena, const struct hand *, symbol_count + 1);
    finder.is_shared = ARENA_ARRAY(arena, bool, network->slot_count + 1);
    finder.is_direct = ARENA_ARRAY(arena, bool, symbol_count + 1);
    map_init(&finder.received, arena);
    map_init(&finder.hands, arena);
    for (uint32_t p = 0; p < network->process_count; p++) {
        finder.process = &network->processes[p];
        name_all(&finder);
    }
    settle_homes(&finder);
    if (!find_direct(&finder)) return homes;
    each_update(&finder, false, note_received);
    each_update(&finder, true, note_handed);
    return homes;
}

const struct hand *hands_of_edge(const struct homes *homes, const struct edge *edge) {
    const struct symbol *channel = channel_of(edge);
    return channel ? homes->on_channel[channel->index] : NULL;
}

const struct hand *hand_on(const struct variable_home *home, const struct edge *edge) {
    const struct symbol *channel = channel_of(edge);
    for (const struct hand *hand = home->hands; hand; hand = hand->next)
        if (hand->channel == channel) return hand;
    return NULL;
}
