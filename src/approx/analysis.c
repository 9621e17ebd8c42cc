/* The front of the value analysis: runs it and answers for locations. */
#include "approx/analysis.h"

#include "approx/combined/combined.h"
#include "approx/labels/domain.h"
#include "approx/labels/interference.h"
#include "approx/labels/relevance.h"
#include "approx/local_domain.h"
#include "approx/shared_relation.h"
#include "approx/threshold.h"

#include <assert.h>

/* Of --approx combined; and of a trial, beside a part of the budget. */
enum { EVALUATIONS_PER_VECTOR = 1000, TRIAL_EVALUATIONS = 5000 };

static void allocate_facts(struct analysis *analysis) {
    struct arena *arena = analysis->arena;
    const struct model *model = analysis->network->model;
    memset(&analysis->notes, 0, sizeof analysis->notes);
    analysis->invariant_blocks = ARENA_ARRAY(arena, bool *, model->template_count + 1);
    analysis->edges = ARENA_ARRAY(arena, struct edge_fact *, model->template_count + 1);
    for (uint32_t t = 0; t < model->template_count; t++) {
        const struct template *template = model->templates[t];
        analysis->edges[t] = ARENA_ARRAY(arena, struct edge_fact, template->edge_count + 1);
        analysis->invariant_blocks[t] = ARENA_ARRAY(arena, bool, template->location_count + 1);
        for (uint32_t i = 0; i < template->edge_count; i++)
            analysis->edges[t][i].item_faults =
                ARENA_ARRAY(arena, bool, template->edges[i].updates.count + 1);
    }
    map_init(&analysis->cache, arena);
}

static void allocate(struct analysis *analysis) {
    const struct network *network = analysis->network;
    struct arena *arena = analysis->arena;
    analysis->is_tracked = ARENA_ARRAY(arena, bool, network->slot_count + 1);
    analysis->shared = ARENA_ARRAY(arena, struct value_set, network->slot_count + 1);
    analysis->group_of = ARENA_ARRAY(arena, uint32_t, network->slot_count + 1);
    analysis->processes = ARENA_ARRAY(arena, struct process_domain, network->process_count + 1);
    allocate_facts(analysis);
}

/* Whether some tracked slot may have more values than a list. */
static bool has_wide_slot(const struct analysis *analysis) {
    const struct network *network = analysis->network;
    for (uint32_t i = 0; i < network->slot_count; i++)
        if (analysis->is_tracked[i] &&
            (int64_t)network->slots[i].upper - network->slots[i].lower >= LIST_LIMIT_VISIBLE)
            return true;
    return false;
}

/* Slots with many values */

/* Whether an update item reads the variable for something else than to write it. */
static bool is_read_by_item(const struct effects *item, const struct symbol *symbol) {
    if (!effects_reads(item, symbol)) return false;
    for (uint32_t i = 0; i < item->list.count; i++)
        if (item->list.items[i].writes && item->list.items[i].symbol != symbol) return true;
    return false;
}

static bool is_read_in(const struct analysis *analysis, const struct template *template,
                       const struct symbol *symbol) {
    const struct edge_labels *edges = analysis->network->labels.edges[template->index];
    const struct summary *summary = analysis->summary;
    for (uint32_t i = 0; i < template->edge_count; i++) {
        if (effects_reads(&edges[i].guard_effects, symbol) ||
            effects_reads(&edges[i].sync_effects, symbol))
            return true;
        for (uint32_t k = 0; k < template->edges[i].updates.count; k++)
            if (is_read_by_item(&summary->items[template->index][i][k], symbol)) return true;
    }
    for (uint32_t i = 0; i < template->location_count; i++)
        for (uint32_t k = 0; k < conjunct_count(invariant_at(analysis->network, template, i)); k++)
            if (effects_reads(&summary->invariants[template->index][i][k], symbol)) return true;
    return false;
}

/* A global variable may be passed to parameters by reference, which are not looked up. */
static bool is_read(const struct analysis *analysis, uint32_t slot) {
    const struct model *model = analysis->network->model;
    const struct slot *of = &analysis->network->slots[slot];
    if (of->process) return is_read_in(analysis, of->process->template, of->symbol);
    for (uint32_t i = 0; i < model->template_count; i++)
        if (is_read_in(analysis, model->templates[i], of->symbol)) return true;
    return false;
}

/* The most values that a slot has anywhere. */
static uint64_t most_values(const struct analysis *analysis, uint32_t slot) {
    const struct slot *of = &analysis->network->slots[slot];
    if (slot_is_shared(analysis->network, slot)) return value_set_size(&analysis->shared[slot]);
    const struct process_domain *domain = &analysis->processes[of->process->index];
    uint32_t group = analysis->group_of[slot];
    uint64_t most = 0;
    if (domain->groups[group].dimension > 1) return 0; /* its tuples are listed */
    for (uint32_t i = 0; i < of->process->template->location_count; i++) {
        if (!domain->locations[i].is_reached) continue;
        uint64_t size = value_set_size(&domain->locations[i].groups[group].set);
        if (size > most) most = size;
    }
    return most;
}

/* How many removed slots have more than ANALYSIS_WIDE_VALUES values somewhere, and are read by what
 * is more than an update of themselves; the one with the most values, if there are any. */
static uint32_t wide_slots(const struct analysis *analysis, struct wide_slot *widest) {
    uint32_t count = 0;
    *widest = (struct wide_slot){.slot = NO_SLOT};
    for (uint32_t i = 0; i < analysis->network->slot_count; i++) {
        if (!analysis->is_removed[i] || !analysis->is_tracked[i]) continue;
        uint64_t values = most_values(analysis, i);
        if (values <= ANALYSIS_WIDE_VALUES || !is_read(analysis, i)) continue;
        count++;
        if (values > widest->values) *widest = (struct wide_slot){i, values};
    }
    return count;
}

/* The whole */

static struct analysis *analyse_alone(struct arena *arena, const struct network *network,
                                      const bool *is_removed,
                                      const struct analysis_options *options, bool is_combined) {
    struct analysis *analysis = ARENA_NEW(arena, struct analysis);
    analysis->arena = arena;
    analysis->network = network;
    analysis->is_removed = is_removed;
    analysis->options = *options;
    analysis->is_combined = is_combined;
    analysis->widest.slot = NO_SLOT;
    if (!options->budget) analysis->options.budget = ANALYSIS_DEFAULT_BUDGET;
    allocate(analysis);
    relevance_summarise(analysis);
    analysis->interference = interference_find(analysis->arena, analysis->network);
    relevance_compute(analysis);
    if (has_wide_slot(analysis)) analysis->thresholds = thresholds_of(network, arena);
    local_domain_compute(analysis);
    return analysis;
}

/* A copy that the product can refine, with facts of its own. */
static struct analysis *copy_for_product(const struct analysis *modular) {
    struct arena *arena = modular->arena;
    const struct model *model = modular->network->model;
    uint32_t count = modular->network->process_count;
    struct analysis *copy = ARENA_NEW(arena, struct analysis);
    *copy = *modular;
    copy->is_combined = true;
    copy->processes = ARENA_ARRAY(arena, struct process_domain, count + 1);
    memcpy(copy->processes, modular->processes, count * sizeof *copy->processes);
    allocate_facts(copy);
    for (uint32_t t = 0; t < model->template_count; t++)
        memcpy(copy->invariant_blocks[t], modular->invariant_blocks[t],
               model->templates[t]->location_count * sizeof(bool));
    return copy;
}

/* Rule A6: where one process at a time leaves a removed slot too many values, the product within
 * small limits, if that is better. Where it is, it mostly is small. */
static struct analysis *try_product(struct analysis *modular) {
    uint64_t budget = modular->options.budget;
    struct combined_limits limits = {budget / 10 + 1, budget / 4 + TRIAL_EVALUATIONS};
    struct diag unheard;
    uint32_t count = wide_slots(modular, &modular->widest);
    if (!count || (modular->network->process_count == 1 && /* and it is its own */
                   modular->network->slots[modular->widest.slot].process))
        return modular;
    diag_init(&unheard, modular->arena, NULL);
    struct analysis *combined = copy_for_product(modular);
    struct wide_slot widest;
    modular->trial = TRIAL_TOO_LARGE;
    modular->options.stays_modular = true; /* who asks again with the same options need not try */
    bool is_done = combined_compute(combined, &limits, &unheard);
    modular->evaluation_count = combined->evaluation_count;
    if (!is_done) return modular;
    modular->trial = TRIAL_NO_BETTER;
    if (wide_slots(combined, &widest) >= count) return modular;
    combined->trial = TRIAL_BETTER;
    return combined;
}

struct analysis *analyse(struct arena *arena, const struct network *network, const bool *is_removed,
                         const struct analysis_options *options, struct diag *diag) {
    bool is_combined = options->approximation == APPROX_COMBINED;
    struct analysis *analysis = analyse_alone(arena, network, is_removed, options, is_combined);
    uint64_t budget = analysis->options.budget;
    const struct combined_limits limits = {budget, budget * EVALUATIONS_PER_VECTOR};
    if (is_combined) return combined_compute(analysis, &limits, diag) ? analysis : NULL;
    return options->stays_modular ? analysis : try_product(analysis);
}

bool analysis_reaches(const struct analysis *analysis, const struct template *template,
                      uint32_t location) {
    assert(location < template->location_count + template->branchpoint_count);
    const struct network *network = analysis->network;
    for (uint32_t p = 0; p < network->process_count; p++)
        if (network->processes[p].template == template &&
            analysis->processes[p].locations[location].is_reached)
            return true;
    return false;
}

static void widen_to(const struct value_set *set, int32_t *lower, int32_t *upper) {
    if (value_set_is_empty(set)) return;
    if (set->lower < *lower) *lower = set->lower;
    if (set->upper > *upper) *upper = set->upper;
}

bool analysis_slot_range(const struct analysis *analysis, uint32_t slot, int32_t *lower,
                         int32_t *upper) {
    const struct process *process = analysis->network->slots[slot].process;
    assert(slot < analysis->network->slot_count);
    if (!analysis->is_tracked[slot]) return false;
    *lower = INT32_MAX;
    *upper = INT32_MIN;
    if (!process) {
        widen_to(&analysis->shared[slot], lower, upper);
        return true;
    }
    const struct process_domain *domain = &analysis->processes[process->index];
    uint32_t group = analysis->group_of[slot];
    if (domain->groups[group].dimension != 1 || domain->groups[group].has_overflowed) return false;
    for (uint32_t l = 0; l < process->template->location_count; l++)
        if (domain->locations[l].is_reached)
            widen_to(&domain->locations[l].groups[group].set, lower, upper);
    return true;
}

/* The set of a single slot of a process at a location. */
static const struct value_set *slot_values(const struct analysis *analysis, uint32_t process,
                                           uint32_t location, uint32_t slot, bool is_within_step) {
    assert(process < analysis->network->process_count);
    assert(slot < analysis->network->slot_count);
    const struct location_domain *domain = &analysis->processes[process].locations[location];
    if (!analysis->is_tracked[slot]) return &analysis->shared[slot];
    if (slot_is_shared(analysis->network, slot)) {
        bool is_stable =
            domain->shared && !is_within_step && !analysis->network->slots[slot].process;
        return is_stable ? &domain->shared[slot] : &analysis->shared[slot];
    }
    uint32_t group = analysis->group_of[slot];
    if (analysis->processes[process].groups[group].dimension > 1) return NULL;
    return &domain->groups[group].set;
}

static void add_slot_values(struct analysis *analysis, struct value_set *all, uint32_t process,
                            uint32_t location, uint32_t slot, bool is_within_step) {
    struct bounds bounds = slot_union_bounds(analysis, slot);
    const struct value_set *set = slot_values(analysis, process, location, slot, is_within_step);
    if (set) {
        value_set_join(analysis->arena, all, set, &bounds);
        return;
    }
    uint32_t group = analysis->group_of[slot];
    const struct location_domain *domain = &analysis->processes[process].locations[location];
    assert(domain->groups);
    const struct tuple_set *tuples = domain->groups[group].tuples;
    uint32_t column = 0;
    while (tuples->addresses[column] != analysis->network->slots[slot].address) column++;
    assert(column < tuples->dimension);
    for (uint32_t i = 0; i < tuples->count; i++)
        value_set_add(analysis->arena, all, tuples->values[(size_t)i * tuples->dimension + column],
                      &bounds);
}

static uint64_t cache_key(const struct template *template, uint32_t location,
                          const struct symbol *symbol, uint32_t offset, bool is_within_step) {
    uint64_t key = map_key(template);
    key = hash_mix(key, location * 2U + is_within_step);
    key = hash_mix(key, map_key(symbol));
    return hash_mix(key, offset);
}

struct cached {
    const struct template *template;
    const struct symbol *symbol;
    uint32_t location, offset;
    bool is_within_step;
    struct value_set set;
};

static bool is_cached(const struct cached *entry, const struct cached *wanted) {
    return entry->template == wanted->template && entry->symbol == wanted->symbol &&
           entry->location == wanted->location && entry->offset == wanted->offset &&
           entry->is_within_step == wanted->is_within_step;
}

const struct value_set *analysis_values(struct analysis *analysis, const struct template *template,
                                        uint32_t location, const struct symbol *symbol,
                                        uint32_t offset, bool is_within_step) {
    assert(location < template->location_count + template->branchpoint_count);
    const struct network *network = analysis->network;
    uint64_t key = cache_key(template, location, symbol, offset, is_within_step);
    struct cached wanted = {template, symbol, location, offset, is_within_step, value_set_empty()};
    struct cached *entry = map_get(&analysis->cache, key);
    if (entry && is_cached(entry, &wanted)) return &entry->set;
    entry = ARENA_NEW(analysis->arena, struct cached);
    *entry = wanted;
    struct process_range range = network->processes_of[template->index];
    for (uint32_t p = range.first; p < range.end; p++) {
        const struct process *process = &network->processes[p];
        if (process->template != template || !analysis->processes[p].locations[location].is_reached)
            continue;
        uint32_t slot = variable_slot(analysis->network, process, symbol, offset);
        if (slot != NO_SLOT)
            add_slot_values(analysis, &entry->set, p, location, slot, is_within_step);
    }
    map_put(&analysis->cache, key, entry);
    return &entry->set;
}

static const struct group *group_of_slot(const struct analysis *analysis, uint32_t slot) {
    uint32_t process = analysis->network->slots[slot].process->index;
    return &analysis->processes[process].groups[analysis->group_of[slot]];
}

static const struct group_domain *domain_of_slot(const struct analysis *analysis, uint32_t slot,
                                                 uint32_t location) {
    uint32_t process = analysis->network->slots[slot].process->index;
    return &analysis->processes[process].locations[location].groups[analysis->group_of[slot]];
}

/* Whether the groups of two slots have the same cells with the same values. */
static bool are_alike(const struct analysis *analysis, uint32_t left, uint32_t right,
                      uint32_t location) {
    const struct network *network = analysis->network;
    const struct group *a = group_of_slot(analysis, left), *b = group_of_slot(analysis, right);
    if (a->dimension != b->dimension) return false;
    for (uint32_t i = 0; i < a->dimension; i++) {
        const struct slot *slot = &network->slots[network->slot_of[a->addresses[i]]];
        const struct slot *other = &network->slots[network->slot_of[b->addresses[i]]];
        if (slot->symbol != other->symbol || slot->offset != other->offset) return false;
    }
    const struct group_domain *first = domain_of_slot(analysis, left, location);
    const struct group_domain *second = domain_of_slot(analysis, right, location);
    return group_covers(a, first, second) && group_covers(b, second, first);
}

bool analysis_is_uniform(const struct analysis *analysis, const struct template *template,
                         uint32_t location, const struct symbol *symbol, uint32_t offset) {
    const struct network *network = analysis->network;
    uint32_t first = NO_SLOT;
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct process *process = &network->processes[p];
        if (process->template != template || !analysis->processes[p].locations[location].is_reached)
            continue;
        uint32_t slot = variable_slot(analysis->network, process, symbol, offset);
        if (slot == NO_SLOT || slot_is_shared(network, slot)) continue;
        if (!analysis->is_tracked[slot]) return false;
        if (first == NO_SLOT) first = slot;
        if (slot != first && !are_alike(analysis, first, slot, location)) return false;
    }
    return true;
}

/* Joint values. */

struct joint {
    struct analysis *analysis;
    const struct process *process;
    uint32_t location, count, limit;
    uint32_t *slots;
    bool *is_within_step;
    int32_t *row;
    bool *is_set;
    struct tuple_set *tuples;
    struct arena *arena;
};

static bool add_rows(struct joint *joint, uint32_t at);

static bool add_rows_of_set(struct joint *joint, uint32_t at, const struct value_set *set) {
    uint64_t size = value_set_size(set);
    if (size > joint->limit) return false;
    joint->is_set[at] = true;
    for (uint64_t i = 0; i < size; i++) {
        joint->row[at] = value_set_at(set, i);
        if (!add_rows(joint, at + 1)) return false;
    }
    joint->is_set[at] = false;
    return true;
}

/* Whether the wanted cell is one of a relation: a shared slot is where it is read in a state. */
static bool is_related(const struct joint *joint, uint32_t wanted) {
    const struct network *network = joint->analysis->network;
    return !slot_is_shared(network, joint->slots[wanted]) || !joint->is_within_step[wanted];
}

/* Values that cells of a relation have together. False if a shared one has its value elsewhere only
 * (A6). */
static bool fill_in(struct joint *joint, const struct tuple_set *tuples, uint32_t row, uint32_t at,
                    bool *mine) {
    const struct analysis *analysis = joint->analysis;
    for (uint32_t k = at; k < joint->count; k++)
        for (uint32_t d = 0; d < tuples->dimension; d++) {
            uint32_t slot = joint->slots[k];
            if (tuples->addresses[d] != analysis->network->slots[slot].address ||
                !is_related(joint, k))
                continue;
            joint->row[k] = tuples->values[(size_t)row * tuples->dimension + d];
            joint->is_set[k] = mine[k] = true;
            const struct value_set *set =
                slot_values(analysis, joint->process->index, joint->location, slot, false);
            if (set && !value_set_has(set, joint->row[k])) return false;
        }
    return true;
}

/* Fills in every wanted cell of the group at once. */
static bool add_rows_of_tuples(struct joint *joint, uint32_t at, const struct tuple_set *tuples) {
    bool *mine = ARENA_ARRAY(joint->arena, bool, joint->count);
    bool ok = true;
    for (uint32_t i = 0; i < tuples->count && ok; i++)
        ok = !fill_in(joint, tuples, i, at, mine) || add_rows(joint, at + 1);
    for (uint32_t k = at; k < joint->count; k++)
        if (mine[k]) joint->is_set[k] = false;
    return ok;
}

static bool add_rows(struct joint *joint, uint32_t at) {
    while (at < joint->count && joint->is_set[at]) at++;
    if (at == joint->count) {
        tuple_set_add(joint->arena, joint->tuples, joint->row);
        assert(joint->tuples->dimension == joint->count);
        return joint->tuples->count <= joint->limit;
    }
    struct analysis *analysis = joint->analysis;
    uint32_t slot = joint->slots[at], process = joint->process->index;
    assert(slot < analysis->network->slot_count);
    const struct value_set *set =
        slot_values(analysis, process, joint->location, slot, joint->is_within_step[at]);
    struct tuple_set **related = is_related(joint, at) ? shared_relation_of(analysis, slot) : NULL;
    if (related) return add_rows_of_tuples(joint, at, *related);
    if (set) return add_rows_of_set(joint, at, set);
    return add_rows_of_tuples(joint, at,
                              analysis->processes[process]
                                  .locations[joint->location]
                                  .groups[analysis->group_of[slot]]
                                  .tuples);
}

/* How many processes of the template may be at the location. */
static uint32_t count_there(const struct analysis *analysis, const struct template *template,
                            uint32_t location) {
    const struct process_range range = analysis->network->processes_of[template->index];
    uint32_t count = 0;
    for (uint32_t p = range.first; p < range.end; p++)
        count += analysis->network->processes[p].template == template &&
                 analysis->processes[p].locations[location].is_reached;
    return count;
}

/* Whether each wanted cell has a set of its own. */
static bool are_apart(const struct joint *joint) {
    for (uint32_t i = 0; i < joint->count; i++) {
        bool is_in_relation =
            is_related(joint, i) && shared_relation_of(joint->analysis, joint->slots[i]);
        if (is_in_relation || !slot_values(joint->analysis, joint->process->index, joint->location,
                                           joint->slots[i], joint->is_within_step[i]))
            return false;
    }
    return true;
}

/* Every combination of the values of sets, the last of which goes fastest. False past the limit. */
static bool add_product(struct joint *joint) {
    const struct value_set **sets =
        ARENA_ARRAY(joint->arena, const struct value_set *, joint->count);
    uint64_t rows = 1, before = joint->tuples->count, repeated = 1;
    for (uint32_t i = 0; i < joint->count; i++) {
        sets[i] = slot_values(joint->analysis, joint->process->index, joint->location,
                              joint->slots[i], joint->is_within_step[i]);
        uint64_t size = value_set_size(sets[i]);
        if (!size) return true;
        if (size > joint->limit) return false;
        rows = rows <= joint->limit ? rows * size : rows;
    }
    assert(!before); /* of one process */
    if (rows > joint->limit) return false;
    struct tuple_set *tuples = joint->tuples;
    tuples->values = ARENA_ARRAY(joint->arena, int32_t, rows * joint->count);
    tuples->count = tuples->capacity = (uint32_t)rows;
    for (uint32_t i = joint->count; i-- > 0;) {
        uint64_t size = value_set_size(sets[i]);
        for (uint64_t row = 0, at = 0, times = 0; row < rows; row++) {
            tuples->values[row * joint->count + i] = value_set_at(sets[i], at);
            if (++times < repeated) continue;
            times = 0;
            at = at + 1 < size ? at + 1 : 0;
        }
        repeated *= size;
    }
    return true;
}

bool analysis_tuples(struct analysis *analysis, const struct template *template, uint32_t location,
                     const struct variable_cell *cells, uint32_t count, uint32_t limit,
                     struct tuple_set *tuples, struct arena *arena) {
    assert(count && location < template->location_count + template->branchpoint_count);
    const struct network *network = analysis->network;
    *tuples = (struct tuple_set){.dimension = count};
    struct joint joint = {.analysis = analysis,
                          .location = location,
                          .count = count,
                          .limit = limit,
                          .tuples = tuples,
                          .arena = arena};
    joint.slots = ARENA_ARRAY(arena, uint32_t, count);
    joint.is_within_step = ARENA_ARRAY(arena, bool, count);
    joint.is_set = ARENA_ARRAY(arena, bool, count);
    joint.row = ARENA_ARRAY(arena, int32_t, count);
    for (uint32_t i = 0; i < count; i++) joint.is_within_step[i] = cells[i].is_within_step;
    bool is_one = count_there(analysis, template, location) == 1;
    for (uint32_t p = 0; p < network->process_count; p++) {
        joint.process = &network->processes[p];
        if (joint.process->template != template ||
            !analysis->processes[p].locations[location].is_reached)
            continue;
        bool exists = true;
        for (uint32_t i = 0; i < count && exists; i++) {
            joint.slots[i] =
                variable_slot(analysis->network, joint.process, cells[i].symbol, cells[i].offset);
            exists = joint.slots[i] != NO_SLOT;
        }
        memset(joint.is_set, 0, count * sizeof *joint.is_set);
        bool is_product = is_one && exists && are_apart(&joint);
        if (exists && !(is_product ? add_product(&joint) : add_rows(&joint, 0))) return false;
    }
    return true;
}
