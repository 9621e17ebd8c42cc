/* The product of all processes (--approx combined): which steps there are from each node. */
#include "approx/combined/combined.h"

#include "approx/combined/step.h"

#include <assert.h>

enum { PRODUCT_MAX_BYTES = 1 << 30 };

struct reaction { /* how a process can react to a broadcast */
    bool can_decline;
    VEC(const struct path *) paths;
};

struct combined_worker {
    struct step step;
    const struct network *network;
    struct arena *arena;
    struct diag *diag;
    bool **can_pass;            /* by process, by edge */
    struct reaction *reactions; /* by process */
    uint64_t budget, node_limit, evaluations, evaluation_limit;
};

static bool fail(struct combined_worker *worker, uint64_t limit, const char *what,
                 const char *advice) {
    return diag_error(worker->diag, STATUS_LIMIT, 0,
                      "the combined graph has more than %llu %s; use --approx template%s",
                      (unsigned long long)limit, what, advice);
}

/* Rule of committed locations: if there are any, one of them is left. */
static bool is_allowed(const struct step *step) {
    const struct network *network = step->network;
    bool is_needed = false;
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct process *process = &network->processes[p];
        if (!process->template->locations[step->node->locations[p]].is_committed) continue;
        if (step_has(step, process)) return true;
        is_needed = true;
    }
    return !is_needed;
}

/* False if a limit ends the analysis. */
static bool run(struct combined_worker *worker) {
    struct step *step = &worker->step;
    if (is_allowed(step)) step_run(step);
    if (step->product.nodes.count > worker->node_limit)
        return fail(worker, worker->node_limit, "location vectors",
                    worker->node_limit == worker->budget ? " or raise --budget" : "");
    if (step->analysis->evaluation_count > worker->evaluation_limit)
        return fail(worker, worker->evaluations, "evaluations", " or raise --budget");
    return true;
}

static bool may_meet(const struct channels *left, const struct channels *right) {
    return left->first <= right->last && right->first <= left->last;
}

/* Whether a path of another process may receive what the sender, which has been added, sends. */
static bool may_receive(const struct combined_worker *worker, const struct process *process,
                        const struct path *path) {
    const struct step *step = &worker->step;
    assert(step->part_count); /* the sender */
    const struct part *sender = &step->parts[0];
    ptrdiff_t first = path->edges[0] - process->template->edges;
    return path_receives(path) && worker->can_pass[process->index][first] &&
           may_meet(paths_channels(&step->paths, sender->process, sender->path),
                    paths_channels(&step->paths, process, path));
}

static bool run_binary(struct combined_worker *worker) {
    struct step *step = &worker->step;
    bool ok = true;
    step->is_broadcast = false;
    for (uint32_t p = 0; p < worker->network->process_count && ok; p++) {
        const struct process *process = &worker->network->processes[p];
        if (step_has(step, process)) continue;
        const struct path_list *paths = step_paths(step, process);
        for (uint32_t i = 0; i < paths->list.count && ok; i++) {
            const struct path *path = &paths->list.items[i];
            if (!may_receive(worker, process, path)) continue;
            step_add(step, process, path);
            ok = run(worker);
            step_drop(step);
        }
    }
    return ok;
}

/* Looks at each process alone with the sender, so that most combinations never come up. */
static bool find_reactions(struct combined_worker *worker) {
    struct step *step = &worker->step;
    uint64_t combinations = 1;
    for (uint32_t p = 0; p < worker->network->process_count; p++) {
        const struct process *process = &worker->network->processes[p];
        struct reaction *reaction = &worker->reactions[p];
        reaction->paths.count = 0;
        reaction->can_decline = true;
        if (step_has(step, process)) continue;
        const struct path_list *paths = step_paths(step, process);
        for (uint32_t i = 0; i < paths->list.count; i++) {
            const struct path *path = &paths->list.items[i];
            if (!may_receive(worker, process, path)) continue;
            step_add(step, process, path);
            bool is_feasible = step_is_feasible(step, NULL);
            step_drop(step);
            if (is_feasible) VEC_PUSH(worker->arena, &reaction->paths, path);
        }
        if (reaction->paths.count) reaction->can_decline = step_is_feasible(step, process);
        combinations *= reaction->paths.count + reaction->can_decline;
        if (combinations > worker->budget)
            return fail(worker, worker->budget, "combinations of receivers of one broadcast",
                        " or raise --budget");
    }
    return true;
}

/* Every way to choose receivers from process p on. */
static bool run_receivers(struct combined_worker *worker, uint32_t p) {
    assert(worker->step.is_broadcast);
    struct step *step = &worker->step;
    while (p < worker->network->process_count && !worker->reactions[p].paths.count) p++;
    if (p == worker->network->process_count) return run(worker);
    const struct reaction *reaction = &worker->reactions[p];
    if (reaction->can_decline && !run_receivers(worker, p + 1)) return false;
    bool ok = true;
    for (uint32_t i = 0; i < reaction->paths.count && ok; i++) {
        step_add(step, &worker->network->processes[p], reaction->paths.items[i]);
        ok = run_receivers(worker, p + 1);
        step_drop(step);
    }
    return ok;
}

static bool run_broadcast(struct combined_worker *worker) {
    worker->step.is_broadcast = true;
    return find_reactions(worker) && run_receivers(worker, 0);
}

static bool run_path(struct combined_worker *worker, const struct process *process,
                     const struct path *path) {
    struct step *step = &worker->step;
    bool ok = true;
    if (path_receives(path)) return true;
    step_add(step, process, path);
    step->is_broadcast = false;
    if (!path_synchronises(path)) {
        ok = run(worker);
    } else {
        const struct channels *channels = paths_channels(&step->paths, process, path);
        if (channels->may_be_binary) ok = run_binary(worker);
        if (channels->may_be_broadcast && ok) ok = run_broadcast(worker);
    }
    step_drop(step);
    return ok;
}

static void find_passable(struct combined_worker *worker) {
    struct step *step = &worker->step;
    for (uint32_t p = 0; p < worker->network->process_count; p++) {
        const struct process *process = &worker->network->processes[p];
        const struct template *template = process->template;
        for (uint32_t i = 0; i < template->edge_count; i++)
            if (template->edges[i].source == step->node->locations[p])
                worker->can_pass[p][i] = step_can_pass(step, process, &template->edges[i]);
    }
}

static bool expand(struct combined_worker *worker, struct node *node) {
    assert(node->locations && node->items && !worker->step.part_count);
    struct step *step = &worker->step;
    step->node = node;
    find_passable(worker);
    for (uint32_t p = 0; p < worker->network->process_count; p++) {
        const struct process *process = &worker->network->processes[p];
        const struct path_list *paths = step_paths(step, process);
        for (uint32_t i = 0; i < paths->list.count; i++) {
            const struct path *path = &paths->list.items[i];
            if (worker->can_pass[p][path->edges[0] - process->template->edges] &&
                !run_path(worker, process, path))
                return false;
        }
    }
    return true;
}

static void init_worker(struct combined_worker *worker, struct analysis *analysis,
                        const struct combined_limits *limits) {
    const struct network *network = worker->network;
    worker->arena = analysis->arena;
    worker->can_pass = ARENA_ARRAY(worker->arena, bool *, network->process_count + 1);
    worker->reactions = ARENA_ARRAY(worker->arena, struct reaction, network->process_count + 1);
    for (uint32_t p = 0; p < network->process_count; p++)
        worker->can_pass[p] =
            ARENA_ARRAY(worker->arena, bool, network->processes[p].template->edge_count + 1);
    uint64_t node_bytes = sizeof(struct node) +
                          worker->step.product.item_count * sizeof(struct node_values *) +
                          network->process_count * sizeof(uint32_t);
    worker->budget = limits->vectors;
    worker->evaluations = limits->evaluations;
    worker->node_limit = PRODUCT_MAX_BYTES / node_bytes;
    if (worker->node_limit > worker->budget) worker->node_limit = worker->budget;
    worker->evaluation_limit = analysis->evaluation_count + worker->evaluations;
}

/* The node of the initial locations, with the initial values. */
static void add_initial(struct combined_worker *worker) {
    struct product *product = &worker->step.product;
    const struct network *network = worker->network;
    uint32_t *initial = ARENA_ARRAY(worker->arena, uint32_t, network->process_count + 1);
    for (uint32_t p = 0; p < network->process_count; p++)
        initial[p] = network->processes[p].template->initial;
    struct node *node = product_node(product, initial);
    for (uint32_t item = 0; item < product->item_count; item++) {
        struct group_domain domain;
        uint32_t process = product->process_of[item];
        group_domain_init(worker->arena, &product->groups[item], &domain);
        group_add_cells(worker->step.analysis, worker->arena, &product->groups[item], &domain,
                        network->cells);
        product_join(product, node, item, process == NO_SLOT ? 0 : initial[process], &domain);
    }
    product_push(product, node);
}

bool combined_compute(struct analysis *analysis, const struct combined_limits *limits,
                      struct diag *diag) {
    struct combined_worker worker = {.network = analysis->network, .diag = diag};
    bool ok = step_init(&worker.step, analysis, diag);
    if (ok) {
        init_worker(&worker, analysis, limits);
        analysis_clear_facts(analysis);
        add_initial(&worker);
        for (struct node *node; ok && (node = product_take(&worker.step.product));)
            ok = expand(&worker, node);
        if (ok) product_project(&worker.step.product);
    }
    step_close(&worker.step);
    return ok;
}
