/* One step of several processes from a node of the product (A6). */
#include "approx/combined/step.h"

#include "base/str.h"

#include "expr/find.h"

#include <assert.h>

/* Enumerator hook: what is known of a slot at the node. */
static struct cell_domain slot_domain(void *context, uint32_t slot) {
    struct step *step = context;
    uint32_t item = step->product.item_of[slot];
    if (item == NO_SLOT || !step->node)
        return (struct cell_domain){.set = &step->product.modular[slot]};
    return group_cell(&step->product.groups[item], &step->node->items[item]->domain);
}

bool step_init(struct step *step, struct analysis *analysis, struct diag *diag) {
    const struct network *network = analysis->network;
    struct arena *arena = analysis->arena;
    *step = (struct step){.analysis = analysis, .network = network};
    product_init(&step->product, analysis);
    uint32_t legs = network->process_count * PATH_MAX_EDGES + 1;
    label_run_init(&step->run, analysis, legs);
    step->run.domain = slot_domain;
    step->run.context = step;
    step->run.item_of = step->product.item_of;
    step->run.groups = step->product.groups;
    if (!paths_init(&step->paths, &step->run, diag)) return false;
    step->plans = ARENA_ARRAY(arena, struct edge_plan *, network->process_count + 1);
    for (uint32_t p = 0; p < network->process_count; p++)
        step->plans[p] = label_run_plans(analysis, &network->processes[p], false);
    step->parts = ARENA_ARRAY(arena, struct part, network->process_count + 1);
    step->legs = ARENA_ARRAY(arena, struct leg, legs);
    step->branch_deltas = ARENA_ARRAY(arena, struct delta, legs);
    step->target = ARENA_ARRAY(arena, uint32_t, network->process_count + 1);
    delta_init(&step->delta, arena, step->product.item_count);
    map_init(&step->given_up, arena);
    return true;
}

/* Frees the run of labels. */
void step_close(struct step *step) { label_run_close(&step->run); }

/* Setting up */

static struct leg make_leg(const struct step *step, const struct process *process,
                           const struct edge *edge) {
    uint32_t index = edge_index(process->template, edge);
    return (struct leg){process, edge,
                        guard_of_edge(step->analysis->network, process->template, edge),
                        &step->plans[process->index][index],
                        &step->analysis->edges[process->template->index][index]};
}

/* One more participant with a path from the node; undone by step_drop. */
void step_add(struct step *step, const struct process *process, const struct path *path) {
    assert(!step_has(step, process));
    step->parts[step->part_count++] = (struct part){process, path, step->leg_count};
    for (uint32_t i = 0; i < path->count; i++) {
        uint32_t number = step->leg_count++;
        step->legs[number] = make_leg(step, process, path->edges[i]);
        if (i + 1 < path->count && !step->branch_deltas[number].added)
            delta_init(&step->branch_deltas[number], step->analysis->arena,
                       step->product.item_count);
    }
}

/* Takes back the last participant. */
void step_drop(struct step *step) {
    assert(step->part_count);
    step->leg_count = step->parts[--step->part_count].first_leg;
}

/* Whether the process takes part already: it has one leg at most. */
bool step_has(const struct step *step, const struct process *process) {
    for (uint32_t i = 0; i < step->part_count; i++)
        if (step->parts[i].process == process) return true;
    return false;
}

const struct path_list *step_paths(const struct step *step, const struct process *process) {
    assert(step->node && step->node->locations);
    return &step->paths.of[process->template->index][step->node->locations[process->index]];
}

static bool bind_legs(struct step *step) {
    for (uint32_t i = 0; i < step->leg_count; i++)
        if (!label_run_bind(&step->run, &step->legs[i], i)) return false;
    return true;
}

/* Guards */

bool step_can_pass(struct step *step, const struct process *process, const struct edge *edge) {
    struct label_run *run = &step->run;
    struct enumerator *enumerator = &run->enumerator;
    struct leg leg = make_leg(step, process, edge);
    bool found = false;
    if (!label_run_bind(run, &leg, 0)) return false;
    enumerator_start(enumerator);
    do { /* to the end, for the sake of faults */
        step->analysis->evaluation_count++;
        found |= label_run_guard(run, &leg, 0);
    } while (enumerator_next(enumerator));
    if (!enumerator_failed(enumerator)) return found;
    leg.fact->is_incomplete = true;
    return true;
}

/* Guards and channels of all parts. */
static bool is_enabled(struct step *step, uint32_t *channel) {
    struct label_run *run = &step->run;
    for (uint32_t i = 0; i < step->part_count; i++) {
        const struct part *part = &step->parts[i];
        uint32_t first = part->first_leg, sync = first + part->path->sync, address;
        if (!label_run_guard(run, &step->legs[first], first)) return false;
        if (!path_synchronises(part->path)) continue;
        if (!label_run_channel(run, &step->legs[sync], sync, &address)) return false;
        if (i == 0)
            *channel = address;
        else if (address != *channel)
            return false;
    }
    return true;
}

/* Whether a process certainly can receive in this run; only paths without a choice are tried, so
 * some are missed. False as well if the run broke off. */
static bool can_receive(struct step *step, const struct process *process, uint32_t channel) {
    struct label_run *run = &step->run;
    const struct path_list *paths = step_paths(step, process);
    uint32_t spare = step->leg_count, address;
    for (uint32_t i = 0; i < paths->list.count; i++) {
        const struct path *path = &paths->list.items[i];
        if (!path->is_plain || !path_receives(path)) continue;
        const struct channels *channels = paths_channels(&step->paths, process, path);
        if (channel < channels->first || channel > channels->last) continue;
        struct leg leg = make_leg(step, process, path->edges[0]);
        struct leg sync = make_leg(step, process, path->edges[path->sync]);
        leg.fact = &step->unused;
        if (expr_names_clock(leg.guard)) continue; /* it may be too early, or too late (T2) */
        if (label_run_guard(run, &leg, spare) && label_run_channel(run, &sync, spare, &address) &&
            address == channel)
            return true;
        if (run->enumerator.has_failed || run->enumerator.is_empty) return false;
        run->environment.fault = (struct fault){0}; /* an error makes no instance */
    }
    return false;
}

static bool others_decline(struct step *step, uint32_t channel, const struct process *only) {
    for (uint32_t p = 0; p < step->network->process_count; p++) {
        const struct process *process = &step->network->processes[p];
        if (only && process != only) continue;
        if (!step_has(step, process) && can_receive(step, process, channel)) return false;
    }
    return enumerator_is_valid(&step->run.enumerator);
}

static bool run_guards(struct step *step, bool refuses, const struct process *only) {
    assert(step->part_count && !path_receives(step->parts[0].path)); /* the mover comes first */
    uint32_t channel = 0;
    step->analysis->evaluation_count++;
    if (!is_enabled(step, &channel)) return false;
    if (!path_synchronises(step->parts[0].path)) return true;
    if (step->paths.is_broadcast[channel] != step->is_broadcast) return false;
    return !step->is_broadcast || !refuses || others_decline(step, channel, only);
}

bool step_is_feasible(struct step *step, const struct process *only) {
    struct enumerator *enumerator = &step->run.enumerator;
    bool found = false;
    if (!bind_legs(step)) return false;
    enumerator_start(enumerator);
    do {
        found = run_guards(step, only != NULL, only);
    } while (!found && enumerator_next(enumerator));
    return found || enumerator_failed(enumerator);
}

/* Running */

static bool run_once(struct step *step, bool refuses) {
    struct label_run *run = &step->run;
    if (!run_guards(step, refuses, NULL)) return false;
    for (uint32_t i = 0; i < step->leg_count; i++) {
        const struct leg *leg = &step->legs[i];
        label_run_forget(run, FORGET_HOOKED);
        if (!label_run_updates(run, leg, i)) return false;
        if (leg->process->template->locations[leg->edge->target].is_branchpoint)
            label_run_collect(run, &step->branch_deltas[i]);
    }
    label_run_forget(run, FORGET_HOOKED | FORGET_META);
    for (uint32_t i = 0; i < step->leg_count; i++)
        if (!label_run_invariant(run, &step->legs[i])) return false;
    return true;
}

static void clear(struct step *step) {
    delta_clear(&step->delta);
    for (uint32_t i = 0; i < step->leg_count; i++)
        if (step->branch_deltas[i].added) delta_clear(&step->branch_deltas[i]);
    label_run_clear(&step->run);
}

/* False past the budget. */
static bool enumerate(struct step *step, bool refuses) {
    struct enumerator *enumerator = &step->run.enumerator;
    enumerator_start(enumerator);
    do {
        if (run_once(step, refuses)) label_run_collect(&step->run, &step->delta);
    } while (enumerator_next(enumerator));
    if (enumerator_failed(enumerator)) clear(step);
    return !enumerator_failed(enumerator);
}

static uint32_t target_of(const struct step *step, uint32_t item) {
    uint32_t process = step->product.process_of[item];
    return process == NO_SLOT ? 0 : step->target[process];
}

/* Past the budget: whatever a leg may write gets what the thread-modular analysis found (A5). */
static void add_modular(struct label_run *run, uint32_t slot, void *context) {
    struct step *step = context;
    struct product *product = &step->product;
    uint32_t item = product->item_of[slot];
    struct group_domain space;
    if (slot_is_shared(run->network, slot)) product_write(product, slot, &product->modular[slot]);
    if (item == NO_SLOT) return;
    group_join(run->analysis, &run->scratch, &run->groups[item], delta_of(run, &step->delta, item),
               product_modular(product, item, target_of(step, item), &space));
}

static void add_modular_branch(struct step *step, const struct leg *leg) {
    struct product *product = &step->product;
    uint32_t location = leg->edge->target, process = leg->process->index;
    if (!leg->process->template->locations[location].is_branchpoint) return;
    struct node *branch = product_branch(product, process, location);
    struct group_domain space;
    for (uint32_t item = 0; item < product->item_count; item++)
        if (product->process_of[item] == process || product->process_of[item] == NO_SLOT)
            product_join(product, branch, item, location,
                         product_modular(product, item, location, &space));
}

/* What the process is left with where it goes: a guard may have cut it. */
static void add_kept(struct step *step, const struct process *process) {
    struct label_run *run = &step->run;
    struct product *product = &step->product;
    uint32_t first = product->first_item[process->index];
    for (uint32_t g = 0; g < step->analysis->processes[process->index].group_count; g++) {
        uint32_t item = first + g;
        struct group_domain space;
        group_add_common(step->analysis, &run->scratch, &run->groups[item],
                         delta_of(run, &step->delta, item), &step->node->items[item]->domain,
                         product_modular(product, item, target_of(step, item), &space));
        step->delta.touched[item] = 1;
    }
}

/* Whether the thread-modular analysis reaches the target, too. */
static bool is_target_possible(const struct step *step) {
    for (uint32_t i = 0; i < step->part_count; i++) {
        uint32_t process = step->parts[i].process->index;
        if (!step->product.locations[process][step->target[process]].is_reached) return false;
    }
    return true;
}

static void give_up(struct step *step) {
    for (uint32_t i = 0; i < step->leg_count; i++) {
        const struct leg *leg = &step->legs[i];
        const struct template *template = leg->process->template;
        leg->fact->is_incomplete = true;
        analysis_add_note(step->analysis, template, edge_index(template, leg->edge));
    }
    if (!is_target_possible(step)) return;
    for (uint32_t i = 0; i < step->part_count; i++) add_kept(step, step->parts[i].process);
    for (uint32_t i = 0; i < step->leg_count; i++) {
        const struct leg *leg = &step->legs[i];
        label_run_writes(&step->run, leg, add_modular, step);
        add_modular_branch(step, leg);
    }
    step->delta.runs = 1;
}

/* What the process of a leg has at a branchpoint, and the shared slots. */
static void commit_branch(struct step *step, uint32_t number) {
    struct product *product = &step->product;
    const struct leg *leg = &step->legs[number];
    const struct delta *delta = &step->branch_deltas[number];
    uint32_t location = leg->edge->target, process = leg->process->index;
    if (!leg->process->template->locations[location].is_branchpoint || !delta->runs) return;
    struct node *branch = product_branch(product, process, location);
    for (uint32_t item = 0; item < product->item_count; item++) {
        if (product->process_of[item] != process && product->process_of[item] != NO_SLOT) continue;
        if (delta->added[item]) product_join(product, branch, item, location, delta->added[item]);
        if (delta->touched[item] < delta->runs)
            product_inherit(product, branch, item, location, step->node->items[item]);
    }
}

static struct node *commit(struct step *step) {
    struct product *product = &step->product;
    const struct delta *delta = &step->delta;
    struct node *target = product_node(product, step->target);
    bool grew = !target->is_expanded;
    for (uint32_t item = 0; item < product->item_count; item++) {
        uint32_t location = target_of(step, item);
        if (delta->added[item])
            grew |= product_join(product, target, item, location, delta->added[item]);
        if (target != step->node && delta->touched[item] < delta->runs)
            grew |= product_inherit(product, target, item, location, step->node->items[item]);
    }
    if (grew) product_push(product, target);
    return target;
}

static void note_reached(struct step *step) {
    for (uint32_t i = 0; i < step->leg_count; i++) {
        const struct leg *leg = &step->legs[i];
        leg->fact->is_reached = true;
        if (leg->plan->ignores_guard && leg->guard) leg->fact->guard_faults = true;
    }
}

static void find_target(struct step *step) {
    memcpy(step->target, step->node->locations,
           step->network->process_count * sizeof *step->target);
    for (uint32_t i = 0; i < step->part_count; i++) {
        const struct path *path = step->parts[i].path;
        step->target[step->parts[i].process->index] = path->edges[path->count - 1]->target;
    }
}

/* What was too much at one node will be at others. */
static uint64_t hash_parts(const struct step *step) {
    uint64_t hash = step->part_count;
    for (uint32_t i = 0; i < step->part_count; i++) {
        hash = hash_mix(hash, map_key(step->parts[i].process));
        hash = hash_mix(hash, map_key(step->parts[i].path));
    }
    return hash;
}

struct node *step_run(struct step *step) {
    struct label_run *run = &step->run;
    if (!bind_legs(step)) return NULL;
    find_target(step);
    uint64_t key = hash_parts(step);
    bool ok = !map_get(&step->given_up, key) &&
              (enumerate(step, true) || (step->is_broadcast && enumerate(step, false)));
    if (!ok) {
        map_put(&step->given_up, key, step);
        give_up(step);
    }
    for (uint32_t i = 0; i < run->written_slots.count; i++) {
        uint32_t slot = run->written_slots.items[i];
        product_write(&step->product, slot, run->written[slot]);
    }
    for (uint32_t i = 0; i < step->leg_count && ok; i++) commit_branch(step, i);
    struct node *target = NULL;
    if (step->delta.runs) {
        note_reached(step);
        target = commit(step);
    }
    clear(step);
    return target;
}
