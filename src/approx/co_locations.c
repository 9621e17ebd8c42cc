#include "approx/co_locations.h"

#include "approx/analysis.h"
#include "approx/labels/label_run.h"
#include "approx/labels/path.h"

#include <assert.h>

/* Bits of the channels of all edges; evaluations of one index; bits of one pair; moves that are
 * looked at for all pairs together; ways of one process through branchpoints. */
enum {
    MOST_BITS = 1 << 25,
    MOST_RUNS = 256,
    MOST_LOCATIONS = 1 << 20,
    MOST_WORK = 1 << 22,
    MOST_MOVES = 4096
};

/* Of two processes, some other one can be found among three. */
enum { PARTY_COUNT = 3 };

#define NO_CHANNEL UINT32_MAX

/* Processes that send or receive on a channel, as many as are told apart. */
struct parties {
    uint32_t processes[2][PARTY_COUNT]; /* by whether they send */
    uint32_t count[2];
    bool is_broadcast;
};

/* What a process does in one step. */
struct way {
    uint32_t target;
    const struct edge *sync; /* that synchronises; NULL: none */
};

struct move_list {
    VEC(struct way) list;
    uint32_t *first_from; /* by location: its first in the list, which is ordered by it */
};

/* Locations that go together: a bit for each two. */
struct location_pairs {
    uint64_t *bits; /* NULL: all do */
};

struct co_locations {
    struct arena *arena;
    struct analysis *analysis;
    const struct network *network;
    bool is_known;       /* else all goes with all */
    uint32_t *number_of; /* by address: of the channel, plus 1 */
    uint32_t channel_count, word_count;
    uint64_t ***channels; /* by process, by edge: a bit for each channel that it may mean */
    struct parties *parties;
    struct move_list *moves; /* by process */
    uint32_t **first_edge;   /* by template, by location or branchpoint: plus 1 */
    uint32_t **next_edge;    /* by template, by edge: from the same location, plus 1 */
    struct map by_processes; /* pair */
    uint64_t work;
};

/* ---- channels ---- */

static void number_channels(void *context, const struct symbol *symbol,
                            const struct binding *binding) {
    struct co_locations *pairs = context;
    (void)symbol;
    for (uint32_t k = 0; k < binding->shape->cell_count; k++) {
        assert(!pairs->number_of[binding->address + k]);
        pairs->number_of[binding->address + k] = ++pairs->channel_count;
    }
}

static void mark_broadcasts(void *context, const struct symbol *symbol,
                            const struct binding *binding) {
    struct co_locations *pairs = context;
    bool is_broadcast = (type_prefixes(symbol->type) & PREFIX_BROADCAST) != 0;
    for (uint32_t k = 0; k < binding->shape->cell_count; k++)
        pairs->parties[pairs->number_of[binding->address + k] - 1].is_broadcast = is_broadcast;
}

static void add_channel(const struct co_locations *pairs, uint64_t *channels, uint32_t address) {
    uint32_t number = pairs->number_of[address];
    assert(number && number <= pairs->channel_count);
    channels[(number - 1) / 64] |= (uint64_t)1 << (number - 1) % 64;
}

/* The least channel from a number on that is in both sets; NO_CHANNEL: there is none. */
static uint32_t next_channel(const struct co_locations *pairs, const uint64_t *left,
                             const uint64_t *right, uint32_t number) {
    uint64_t rest = ~(uint64_t)0 << number % 64;
    for (uint32_t w = number / 64; w < pairs->word_count; w++, rest = ~(uint64_t)0) {
        uint64_t both = left[w] & right[w] & rest;
        if (!both) continue;
        number = w * 64 + (uint32_t)__builtin_ctzll(both);
        return number < pairs->channel_count ? number : NO_CHANNEL;
    }
    return NO_CHANNEL;
}

/* Every cell of the variable that the expression leads to; else every channel. */
static void add_root(const struct co_locations *pairs, const struct process *process,
                     const struct expr *sync, uint64_t *channels) {
    if (sync->kind == EXPR_COND) {
        add_root(pairs, process, sync->child[1], channels);
        add_root(pairs, process, sync->child[2], channels);
        return;
    }
    const struct symbol *root = expr_root(sync);
    const struct binding *binding = root ? relevance_binding(pairs->network, process, root) : NULL;
    if (!binding) {
        memset(channels, 0xff, pairs->word_count * sizeof *channels);
        return;
    }
    for (uint32_t k = 0; k < binding->shape->cell_count; k++)
        add_channel(pairs, channels, binding->address + k);
}

static struct cell_domain known_value(void *context, uint32_t slot) {
    const struct label_run *run = context;
    const struct slot *own = &run->network->slots[slot];
    return (struct cell_domain){.set = analysis_values(run->analysis, run->process->template,
                                                       run->at, own->symbol, own->offset, false)};
}

/* False if there are too many values to try. Where the expression fails, there is no step. */
static bool run_channel(struct co_locations *pairs, struct label_run *run, const struct leg *leg,
                        uint64_t *channels) {
    uint32_t address;
    if (!label_run_bind(run, leg, 0)) return true; /* an edge that nothing takes */
    if (pairs->work > MOST_WORK / 2) return false;
    run->enumerator.budget = MOST_RUNS;
    enumerator_start(&run->enumerator);
    do {
        pairs->work++;
        if (label_run_channel(run, leg, 0, &address)) add_channel(pairs, channels, address);
    } while (enumerator_next(&run->enumerator));
    return !enumerator_failed(&run->enumerator);
}

/* Notes the channels that an edge may mean. After a branchpoint they are those of the variable, as
 * it is not settled when an index is read. */
static void find_channels(struct co_locations *pairs, struct label_run *run, struct leg leg,
                          uint64_t *channels) {
    if (leg.edge->leaves_branchpoint || !run_channel(pairs, run, &leg, channels))
        add_root(pairs, leg.process, leg.edge->sync, channels);
}

/* Whether the guard of the edge holds in no reachable state. An edge that only an invariant may
 * keep out is not dead. */
static bool is_dead(const struct co_locations *pairs, const struct process *process,
                    const struct edge *edge) {
    const struct template *template = process->template;
    const struct analysis *analysis = pairs->analysis;
    return edge_is_off(analysis->network, template, edge) ||
           !analysis->processes[process->index].locations[edge->source].is_reached ||
           (!analysis->edges[template->index][edge_index(template, edge)].is_reached &&
            edge->target < template->location_count &&
            !invariant_at(analysis->network, template, edge->target));
}

static void add_party(struct parties *parties, uint32_t process, bool is_sender) {
    uint32_t *count = &parties->count[is_sender];
    for (uint32_t i = 0; i < *count; i++)
        if (parties->processes[is_sender][i] == process) return;
    assert(*count <= PARTY_COUNT);
    if (*count < PARTY_COUNT) parties->processes[is_sender][(*count)++] = process;
}

static void find_channels_of(struct co_locations *pairs, struct label_run *run,
                             const struct process *process) {
    const struct template *template = process->template;
    uint64_t **channels = ARENA_ARRAY(pairs->arena, uint64_t *, template->edge_count + 1);
    pairs->channels[process->index] = channels;
    for (uint32_t i = 0; i < template->edge_count; i++) {
        const struct edge *edge = &template->edges[i];
        if (!edge->sync) continue;
        channels[i] = ARENA_ARRAY(pairs->arena, uint64_t, pairs->word_count + 1);
        if (is_dead(pairs, process, edge)) continue;
        find_channels(
            pairs, run,
            (struct leg){.process = process,
                         .edge = edge,
                         .guard = guard_of_edge(pairs->analysis->network, template, edge)},
            channels[i]);
        const uint64_t *own = channels[i];
        for (uint32_t c = next_channel(pairs, own, own, 0); c != NO_CHANNEL;
             c = next_channel(pairs, own, own, c + 1))
            add_party(&pairs->parties[c], process->index, edge->is_send);
    }
}

static const uint64_t *channels_of(const struct co_locations *pairs, const struct process *process,
                                   const struct edge *edge) {
    assert(edge->sync);
    return pairs->channels[process->index][edge_index(process->template, edge)];
}

/* ---- moves ---- */

/* Goes on after a branchpoint. False if there are too many ways. */
static bool add_moves(struct co_locations *pairs, const struct process *process, struct way move,
                      const struct edge *edge, uint32_t depth) {
    const struct template *template = process->template;
    struct move_list *moves = &pairs->moves[process->index];
    if (is_dead(pairs, process, edge)) return true;
    if (depth == PATH_MAX_EDGES || moves->list.count == MOST_MOVES) return false;
    if (edge->sync) move.sync = edge;
    move.target = edge->target;
    if (edge->target < template->location_count) {
        VEC_PUSH(pairs->arena, &moves->list, move);
        return true;
    }
    const uint32_t *next = pairs->next_edge[template->index];
    for (uint32_t i = pairs->first_edge[template->index][edge->target]; i; i = next[i - 1])
        if (!add_moves(pairs, process, move, &template->edges[i - 1], depth + 1)) return false;
    return true;
}

static void sort_edges(struct co_locations *pairs) {
    const struct model *model = pairs->network->model;
    pairs->first_edge = ARENA_ARRAY(pairs->arena, uint32_t *, model->template_count + 1);
    pairs->next_edge = ARENA_ARRAY(pairs->arena, uint32_t *, model->template_count + 1);
    for (uint32_t t = 0; t < model->template_count; t++) {
        const struct template *template = model->templates[t];
        uint32_t places = template->location_count + template->branchpoint_count;
        uint32_t *first = ARENA_ARRAY(pairs->arena, uint32_t, places + 1);
        uint32_t *next = ARENA_ARRAY(pairs->arena, uint32_t, template->edge_count + 1);
        for (uint32_t i = 0; i < template->edge_count; i++) {
            next[i] = first[template->edges[i].source];
            first[template->edges[i].source] = i + 1;
        }
        pairs->first_edge[t] = first;
        pairs->next_edge[t] = next;
    }
}

static bool find_moves(struct co_locations *pairs, const struct process *process) {
    const struct template *template = process->template;
    struct move_list *moves = &pairs->moves[process->index];
    const uint32_t *first = pairs->first_edge[template->index];
    const uint32_t *next = pairs->next_edge[template->index];
    moves->first_from = ARENA_ARRAY(pairs->arena, uint32_t, template->location_count + 1);
    for (uint32_t l = 0; l < template->location_count; l++) {
        moves->first_from[l] = moves->list.count;
        for (uint32_t i = first[l]; i; i = next[i - 1])
            if (!add_moves(pairs, process, (struct way){0}, &template->edges[i - 1], 0))
                return false;
    }
    assert(moves->list.count <= MOST_MOVES);
    moves->first_from[template->location_count] = moves->list.count;
    return true;
}

/* ---- pairs ---- */

/* Two processes whose locations are found. */
struct pair_walk {
    struct co_locations *pairs;
    const struct process *left, *right;
    uint64_t *bits;
    VEC(uint32_t) pending;
};

static void add_locations(struct pair_walk *walk, uint32_t left, uint32_t right) {
    uint32_t at = left * walk->right->template->location_count + right;
    assert(left < walk->left->template->location_count);
    assert(right < walk->right->template->location_count);
    uint64_t bit = (uint64_t)1 << at % 64;
    if (walk->bits[at / 64] & bit) return;
    walk->bits[at / 64] |= bit;
    VEC_PUSH(walk->pairs->arena, &walk->pending, at);
}

static bool has_third(const struct pair_walk *walk, const struct parties *parties, bool is_sender) {
    for (uint32_t i = 0; i < parties->count[is_sender]; i++) {
        uint32_t process = parties->processes[is_sender][i];
        if (process != walk->left->index && process != walk->right->index) return true;
    }
    return false;
}

/* Whether a process can move while the other one stays. */
static bool moves_alone(struct pair_walk *walk, const struct process *process,
                        const struct way *move) {
    const struct co_locations *pairs = walk->pairs;
    walk->pairs->work += 1 + pairs->word_count;
    if (!move->sync) return true;
    const uint64_t *channels = channels_of(pairs, process, move->sync);
    for (uint32_t c = next_channel(pairs, channels, channels, 0); c != NO_CHANNEL;
         c = next_channel(pairs, channels, channels, c + 1)) {
        const struct parties *parties = &pairs->parties[c];
        walk->pairs->work++;
        if ((move->sync->is_send && parties->is_broadcast) ||
            has_third(walk, parties, !move->sync->is_send))
            return true;
    }
    return false;
}

/* Whether both can move in one step, by themselves or with a third that sends. */
static bool move_together(struct pair_walk *walk, const struct way *left, const struct way *right) {
    const struct co_locations *pairs = walk->pairs;
    walk->pairs->work += 1 + pairs->word_count;
    if (!left->sync || !right->sync || (left->sync->is_send && right->sync->is_send)) return false;
    const uint64_t *a = channels_of(pairs, walk->left, left->sync);
    const uint64_t *b = channels_of(pairs, walk->right, right->sync);
    bool both_receive = !left->sync->is_send && !right->sync->is_send;
    for (uint32_t c = next_channel(pairs, a, b, 0); c != NO_CHANNEL;
         c = next_channel(pairs, a, b, c + 1)) {
        const struct parties *parties = &pairs->parties[c];
        walk->pairs->work++;
        if (!both_receive || (parties->is_broadcast && has_third(walk, parties, true))) return true;
    }
    return false;
}

static void walk_from(struct pair_walk *walk, uint32_t left, uint32_t right) {
    const struct move_list *a = &walk->pairs->moves[walk->left->index];
    const struct move_list *b = &walk->pairs->moves[walk->right->index];
    for (uint32_t i = a->first_from[left]; i < a->first_from[left + 1]; i++) {
        const struct way *move = &a->list.items[i];
        if (moves_alone(walk, walk->left, move)) add_locations(walk, move->target, right);
        for (uint32_t k = b->first_from[right]; k < b->first_from[right + 1]; k++)
            if (move_together(walk, move, &b->list.items[k]))
                add_locations(walk, move->target, b->list.items[k].target);
    }
    for (uint32_t k = b->first_from[right]; k < b->first_from[right + 1]; k++)
        if (moves_alone(walk, walk->right, &b->list.items[k]))
            add_locations(walk, left, b->list.items[k].target);
}

static struct location_pairs *find_pair(struct co_locations *pairs, const struct process *left,
                                        const struct process *right) {
    uint32_t count = right->template->location_count;
    uint64_t size = (uint64_t)left->template->location_count * count;
    struct pair_walk walk = {.pairs = pairs, .left = left, .right = right};
    assert(left->index < right->index);
    struct location_pairs *pair = ARENA_NEW(pairs->arena, struct location_pairs);
    if (size > MOST_LOCATIONS || pairs->work > MOST_WORK) return pair;
    walk.bits = ARENA_ARRAY(pairs->arena, uint64_t, size / 64 + 1);
    add_locations(&walk, left->template->initial, right->template->initial);
    while (walk.pending.count && pairs->work <= MOST_WORK) {
        uint32_t at = walk.pending.items[--walk.pending.count];
        walk_from(&walk, at / count, at % count);
    }
    if (!walk.pending.count) pair->bits = walk.bits;
    return pair;
}

bool co_locations_has(struct co_locations *pairs, const struct process *left,
                      uint32_t left_location, const struct process *right,
                      uint32_t right_location) {
    if (left->index > right->index)
        return co_locations_has(pairs, right, right_location, left, left_location);
    if (!pairs->is_known || left_location >= left->template->location_count ||
        right_location >= right->template->location_count)
        return true;
    assert(left != right);
    uint64_t key = ((uint64_t)left->index << 32 | right->index) + 1;
    struct location_pairs *pair = map_get(&pairs->by_processes, key);
    if (!pair) {
        pair = find_pair(pairs, left, right);
        map_put(&pairs->by_processes, key, pair);
    }
    uint32_t at = left_location * right->template->location_count + right_location;
    return !pair->bits || (pair->bits[at / 64] >> at % 64 & 1);
}

bool co_locations_can_sync(const struct co_locations *pairs, const struct process *left,
                           const struct edge *left_edge, const struct process *right,
                           const struct edge *right_edge) {
    if (left == right || !left_edge->sync || !right_edge->sync ||
        (left_edge->is_send && right_edge->is_send))
        return false;
    if (!pairs->is_known) return true;
    bool both_receive = !left_edge->is_send && !right_edge->is_send;
    const uint64_t *a = channels_of(pairs, left, left_edge);
    const uint64_t *b = channels_of(pairs, right, right_edge);
    for (uint32_t c = next_channel(pairs, a, b, 0); c != NO_CHANNEL;
         c = next_channel(pairs, a, b, c + 1))
        if (!both_receive || pairs->parties[c].is_broadcast) return true;
    return false;
}

bool co_locations_is_binary(const struct co_locations *pairs, const struct process *process,
                            const struct edge *edge) {
    if (!pairs->is_known) return false;
    const uint64_t *own = channels_of(pairs, process, edge);
    for (uint32_t c = next_channel(pairs, own, own, 0); c != NO_CHANNEL;
         c = next_channel(pairs, own, own, c + 1))
        if (pairs->parties[c].is_broadcast) return false;
    return true;
}

/* ---- all of it ---- */

static uint64_t sync_count(const struct network *network) {
    uint64_t count = 0;
    for (uint32_t p = 0; p < network->process_count; p++)
        for (uint32_t i = 0; i < network->processes[p].template->edge_count; i++)
            count += network->processes[p].template->edges[i].sync != NULL;
    return count;
}

/* False past the budget. */
static bool find_all(struct co_locations *pairs) {
    const struct network *network = pairs->network;
    struct label_run run;
    pairs->number_of = ARENA_ARRAY(pairs->arena, uint32_t, network->cell_count + 1);
    each_channel_variable(network, number_channels, pairs);
    pairs->word_count = (pairs->channel_count + 63) / 64;
    if (pairs->word_count * (sync_count(network) + 1) > MOST_BITS / 64) return false;
    pairs->parties = ARENA_ARRAY(pairs->arena, struct parties, pairs->channel_count + 1);
    each_channel_variable(network, mark_broadcasts, pairs);
    pairs->channels = ARENA_ARRAY(pairs->arena, uint64_t **, network->process_count + 1);
    pairs->moves = ARENA_ARRAY(pairs->arena, struct move_list, network->process_count + 1);
    sort_edges(pairs);
    label_run_init(&run, pairs->analysis, 1);
    run.domain = known_value;
    run.context = &run;
    bool ok = true;
    for (uint32_t p = 0; p < network->process_count && ok; p++) {
        find_channels_of(pairs, &run, &network->processes[p]);
        ok = find_moves(pairs, &network->processes[p]);
    }
    label_run_close(&run);
    return ok;
}

bool co_locations_is_over(const struct co_locations *pairs) { return pairs->work > MOST_WORK; }

struct co_locations *co_locations_new(struct arena *arena, struct analysis *analysis) {
    struct co_locations *pairs = ARENA_NEW(arena, struct co_locations);
    *pairs =
        (struct co_locations){.arena = arena, .analysis = analysis, .network = analysis->network};
    map_init(&pairs->by_processes, arena);
    pairs->is_known = find_all(pairs);
    return pairs;
}
