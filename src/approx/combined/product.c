/* The graph of location vectors of the combined analysis (A6). */
#include "approx/combined/product.h"

#include "base/str.h"

#include <assert.h>

static void add_item(struct product *product, struct group group, uint32_t process) {
    assert(group.dimension && product->item_count < product->network->slot_count);
    uint32_t item = product->item_count++;
    product->groups[item] = group;
    product->process_of[item] = process;
    for (uint32_t k = 0; k < group.dimension; k++)
        product->item_of[product->network->slot_of[group.addresses[k]]] = item;
    if (process == NO_SLOT) product->shared_items[product->shared_item_count++] = item;
}

/* What update hooks write changes in every step, and meta variables start each step anew: M says
 * all that is known of them. */
static bool has_item(const struct product *product, uint32_t slot) {
    const struct slot *of = &product->network->slots[slot];
    return !of->process && !of->is_meta && product->analysis->is_tracked[slot] &&
           !slot_is_hooked(product->network, slot);
}

static void init_items(struct product *product) {
    struct analysis *analysis = product->analysis;
    const struct network *network = product->network;
    struct arena *arena = analysis->arena;
    uint32_t slots = network->slot_count;
    product->groups = ARENA_ARRAY(arena, struct group, slots + 1);
    product->process_of = ARENA_ARRAY(arena, uint32_t, slots + 1);
    product->item_of = ARENA_ARRAY(arena, uint32_t, slots + 1);
    product->shared_items = ARENA_ARRAY(arena, uint32_t, slots + 1);
    product->first_item = ARENA_ARRAY(arena, uint32_t, network->process_count + 1);
    for (uint32_t i = 0; i < slots; i++) product->item_of[i] = NO_SLOT;
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct process_domain *domain = &analysis->processes[p];
        product->first_item[p] = product->item_count;
        for (uint32_t g = 0; g < domain->group_count; g++) add_item(product, domain->groups[g], p);
    }
    for (uint32_t i = 0; i < slots; i++) {
        if (!has_item(product, i)) continue;
        struct group group = {.addresses = ARENA_NEW(arena, uint32_t), .dimension = 1};
        group.addresses[0] = network->slots[i].address;
        add_item(product, group, NO_SLOT);
    }
}

/* No nodes; borrows the analysis. */
void product_init(struct product *product, struct analysis *analysis) {
    const struct network *network = analysis->network;
    struct arena *arena = analysis->arena;
    *product = (struct product){.analysis = analysis, .network = network};
    product->index.memory = memory_of_arena(arena);
    product->modular = analysis->shared;
    product->shared = ARENA_ARRAY(arena, struct value_set, network->slot_count + 1);
    product->locations = ARENA_ARRAY(arena, struct location_domain *, network->process_count + 1);
    product->branches = ARENA_ARRAY(arena, struct node **, network->process_count + 1);
    for (uint32_t p = 0; p < network->process_count; p++) {
        product->locations[p] = analysis->processes[p].locations;
        product->branches[p] = ARENA_ARRAY(arena, struct node *,
                                           network->processes[p].template->branchpoint_count + 1);
    }
    for (uint32_t i = 0; i < network->slot_count; i++) {
        struct bounds bounds = slot_bounds(analysis, i);
        bool is_known = analysis->is_tracked[i] && !slot_is_hooked(network, i);
        product->shared[i] = is_known ? value_set_empty() : product->modular[i];
        value_set_add(arena, &product->shared[i], network->slots[i].initial, &bounds);
    }
    init_items(product);
}

/* Nodes */

static struct node *new_node(struct product *product) {
    struct node *node = ARENA_NEW(product->analysis->arena, struct node);
    node->items =
        ARENA_ARRAY(product->analysis->arena, struct node_values *, product->item_count + 1);
    return node;
}

struct node *product_node(struct product *product, const uint32_t *locations) {
    struct arena *arena = product->analysis->arena;
    size_t size = product->network->process_count * sizeof *locations;
    uint64_t hash = hash_bytes(locations, size);
    for (struct index_probe probe = index_begin(hash); index_next(&product->index, &probe);)
        if (!memcmp(product->nodes.items[probe.number]->locations, locations, size))
            return product->nodes.items[probe.number];
    struct node *node = new_node(product);
    node->locations = arena_alloc(arena, size);
    memcpy(node->locations, locations, size);
    index_add(&product->index, hash, product->nodes.count);
    VEC_PUSH(arena, &product->nodes, node);
    return node;
}

/* The one node of a branchpoint of a process, wherever the others are; made if it is new. */
struct node *product_branch(struct product *product, uint32_t process, uint32_t location) {
    uint32_t first = product->network->processes[process].template->location_count;
    assert(location >= first);
    assert(location - first < product->network->processes[process].template->branchpoint_count);
    struct node **node = &product->branches[process][location - first];
    if (!*node) *node = new_node(product);
    return *node;
}

void product_push(struct product *product, struct node *node) {
    assert(node->locations); /* branchpoints are passed within a step */
    if (node->is_pending) return;
    node->is_pending = true;
    VEC_PUSH(product->analysis->arena, &product->queue, node);
}

/* Nodes whose domains grew, each once at a time. */
struct node *product_take(struct product *product) {
    if (product->next_pending == product->queue.count) return NULL;
    struct node *node = product->queue.items[product->next_pending++];
    if (product->next_pending * 2 > product->queue.capacity) { /* use the front again */
        product->queue.count -= product->next_pending;
        memmove(product->queue.items, product->queue.items + product->next_pending,
                product->queue.count * sizeof(struct node *));
        product->next_pending = 0;
    }
    node->is_pending = false;
    node->is_expanded = true;
    return node;
}

/* Joining */

const struct group_domain *product_modular(const struct product *product, uint32_t item,
                                           uint32_t location, struct group_domain *space) {
    uint32_t process = product->process_of[item];
    if (process != NO_SLOT)
        return &product->locations[process][location].groups[item - product->first_item[process]];
    const struct group *group = &product->groups[item];
    assert(group->dimension == 1); /* shared slots are on their own */
    *space = (struct group_domain){
        .set = product->modular[product->network->slot_of[group->addresses[0]]]};
    return space;
}

/* A widened interval need not be wider than what was known before. */
static void clip(struct value_set *set, const struct value_set *to) {
    if (!set->is_interval || value_set_is_empty(to)) return;
    if (set->lower < to->lower) set->lower = to->lower;
    if (set->upper > to->upper) set->upper = to->upper;
}

static struct node_values *copy_item(struct product *product, uint32_t item,
                                     const struct group_domain *domain) {
    struct analysis *analysis = product->analysis;
    struct node_values *copy = ARENA_NEW(analysis->arena, struct node_values);
    group_domain_init(analysis->arena, &product->groups[item], &copy->domain);
    group_join(analysis, analysis->arena, &product->groups[item], &copy->domain, domain);
    if (product->groups[item].dimension == 1) copy->domain.set.widenings = domain->set.widenings;
    return copy;
}

bool product_join(struct product *product, struct node *node, uint32_t item, uint32_t location,
                  const struct group_domain *added) {
    assert(item < product->item_count && node->items);
    struct analysis *analysis = product->analysis;
    struct group *group = &product->groups[item];
    struct node_values **at = &node->items[item];
    if (!*at) {
        *at = copy_item(product, item, added);
    } else {
        if (group_covers(group, &(*at)->domain, added)) return false;
        if ((*at)->is_common) *at = copy_item(product, item, &(*at)->domain);
        group_join(analysis, analysis->arena, group, &(*at)->domain, added);
    }
    struct group_domain space;
    if (group->dimension == 1)
        clip(&(*at)->domain.set, &product_modular(product, item, location, &space)->set);
    assert(!group->has_overflowed); /* within a relation that did not */
    return true;
}

bool product_inherit(struct product *product, struct node *node, uint32_t item, uint32_t location,
                     struct node_values *source) {
    assert(item < product->item_count && source);
    if (node->items[item] == source) return false;
    if (node->items[item]) return product_join(product, node, item, location, &source->domain);
    source->is_common = true;
    node->items[item] = source;
    return true;
}

void product_write(struct product *product, uint32_t slot, const struct value_set *values) {
    struct analysis *analysis = product->analysis;
    struct bounds bounds = slot_bounds(analysis, slot);
    value_set_join(analysis->arena, &product->shared[slot], values, &bounds);
    clip(&product->shared[slot], &product->modular[slot]);
}

/* Projection */

static void add_node(struct product *product, const struct node *node, uint32_t process,
                     struct location_domain *domain) {
    struct analysis *analysis = product->analysis;
    struct process_domain *of = &analysis->processes[process];
    domain->is_reached = true;
    for (uint32_t g = 0; g < of->group_count; g++) {
        const struct node_values *item = node->items[product->first_item[process] + g];
        assert(item); /* a node has values for all that it speaks of */
        if (!group_covers(&of->groups[g], &domain->groups[g], &item->domain))
            group_unite(analysis, analysis->arena, &of->groups[g], &domain->groups[g],
                        &item->domain);
    }
    for (uint32_t i = 0; i < product->shared_item_count; i++) {
        uint32_t item = product->shared_items[i];
        uint32_t slot = product->network->slot_of[product->groups[item].addresses[0]];
        struct bounds bounds = slot_union_bounds(analysis, slot);
        const struct value_set *set = &node->items[item]->domain.set;
        if (!value_set_covers(&domain->shared[slot], set))
            value_set_join(analysis->arena, &domain->shared[slot], set, &bounds);
    }
}

static void init_location(struct product *product, const struct process_domain *of,
                          struct location_domain *domain) {
    struct arena *arena = product->analysis->arena;
    const struct network *network = product->network;
    uint32_t globals = 0; /* slots of globals come first */
    while (globals < network->slot_count && !network->slots[globals].process) globals++;
    domain->groups = ARENA_ARRAY(arena, struct group_domain, of->group_count + 1);
    for (uint32_t g = 0; g < of->group_count; g++)
        group_domain_init(arena, &of->groups[g], &domain->groups[g]);
    domain->shared = ARENA_ARRAY(arena, struct value_set, globals + 1);
    for (uint32_t i = 0; i < globals; i++)
        domain->shared[i] = product->item_of[i] == NO_SLOT ? product->shared[i] : value_set_empty();
}

void product_project(struct product *product) {
    struct analysis *analysis = product->analysis;
    const struct network *network = product->network;
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct template *template = network->processes[p].template;
        struct process_domain *of = &analysis->processes[p];
        uint32_t count = template->location_count + template->branchpoint_count;
        of->locations = ARENA_ARRAY(analysis->arena, struct location_domain, count + 1);
        for (uint32_t l = 0; l < count; l++) init_location(product, of, &of->locations[l]);
        for (uint32_t i = 0; i < product->nodes.count; i++) {
            const struct node *node = product->nodes.items[i];
            add_node(product, node, p, &of->locations[node->locations[p]]);
        }
        for (uint32_t b = 0; b < template->branchpoint_count; b++)
            if (product->branches[p][b])
                add_node(product, product->branches[p][b], p,
                         &of->locations[template->location_count + b]);
    }
    analysis->shared = product->shared;
}
