/* Two searches, their product and what comes of it. */
#include "explore/refine/refinement.h"

#include "base/clock.h"
#include "base/sort.h"
#include "explore/fair/lasso.h"
#include "explore/refine/product.h"

#include <assert.h>

/* ---- what is fair in the concrete model only ---- */

/* Whether what is fair in the concrete model is fair in the abstract one (R5.3 to R5.6).
 *
 * For each constraint of the abstract model: is there a run of the product that is fair to all
 * those of the concrete model and not to this one? The abstract model moves with the visible steps
 * and stays where it is otherwise, so it has to be deterministic (R5.4).
 *
 * What failing evaluations leave open, nodes that are tainted, is not in the graph. Runs end where
 * nothing is possible, unless something fails there.
 *
 * Lifetime: the run in the arena given. Errors: false at a limit, which the ledger notes.
 */

struct unfair {
    uint64_t violated;       /* by number in the abstract model */
    uint32_t first;          /* of them */
    struct fair_lasso lasso; /* of that one: nodes of the product, choices among the edges of their
                                states; one choice more than there are is idling */
};

/* The graph */

/* The constraints that the abstract model takes with a step from its state. */
static uint32_t abstract_tags(const struct lts *abstract, uint32_t row, uint32_t label) {
    uint32_t count;
    if (label == LABEL_HIDDEN) return 0;
    const struct lts_edge *edges = lts_edges_of(abstract, row, label, &count);
    assert(count == 1);
    return edges->tags;
}

static uint32_t join(struct fair_sets *sets, uint32_t one, uint32_t other) {
    return fair_sets_add(sets, fair_set(sets, one) | fair_set(sets, other));
}

/* False at a limit. */
static bool add_node(struct fair_graph *graph, struct trace_product *product, uint32_t number) {
    const struct lts *concrete = product->sides[SIDE_CONCRETE];
    const struct lts *abstract = product->sides[SIDE_ABSTRACT];
    const struct product_node *node = &product->nodes[number];
    struct fair_sets *sets = concrete->options.sets;
    if (node->is_tainted) return fair_graph_add_node(graph, 0);
    assert(product->sets.items[node->set].count == 1);
    uint32_t row = *set_members(&product->sets, node->set), target;
    uint32_t count = concrete->nodes[node->state].count;
    bool is_end = !count && !concrete->nodes[node->state].has_error;
    for (uint32_t i = 0; i < count; i++) {
        const struct lts_edge *edge = &lts_edges(concrete, node->state)[i];
        uint32_t tags = join(sets, edge->tags, abstract_tags(abstract, row, edge->label));
        if (!product_follow(product, number, i, &target)) return false;
        assert(target != NO_NODE);
        if (!rows_add_step(&graph->rows, target, tags)) return false;
    }
    if (is_end && !rows_add_step(&graph->rows, number, 0)) return false;
    return fair_graph_add_node(
        graph, join(sets, lts_enabled(concrete, node->state), lts_enabled(abstract, row)));
}

static bool build(struct fair_graph *graph, struct trace_product *product) {
    enum { TICK = 1 << 12 };
    for (uint32_t i = 0; i < product->count; i++) {
        if (i % TICK == 0 && !ledger_has_time(product->ledger)) return false;
        if (!add_node(graph, product, i)) return false;
    }
    return true;
}

/* The whole */

/* Runs that are fair to the concrete model and not to one constraint of the abstract one. */
static bool ask(struct unfair *unfair, const struct fair_graph *graph, uint32_t number,
                struct fair_question question, bool is_strong, struct arena *arena) {
    struct fair_parts parts;
    assert(question.avoid && number < FAIR_MAX);
    *(is_strong ? &question.meet : &question.keep) = question.avoid;
    bool is_fine = fair_find(graph, &question, &parts);
    if (is_fine && parts.has_any) {
        if (!unfair->violated) {
            unfair->first = number;
            is_fine = fair_lasso(graph, &question, &parts, arena, &unfair->lasso);
        }
        unfair->violated |= UINT64_C(1) << number;
    }
    fair_parts_close(graph, &parts);
    return is_fine;
}

/* The product is complete, nothing in it is blocked, and its sides were marked: the abstract one
 * after the concrete one. */
static bool unfair_find(struct unfair *unfair, struct trace_product *product,
                        const struct fair_constraints *constraints, struct arena *arena) {
    const struct lts *concrete = product->sides[SIDE_CONCRETE];
    const struct fair_constraints *abstract = &constraints[SIDE_ABSTRACT];
    struct fair_question question = {.weak = constraints[SIDE_CONCRETE].weak,
                                     .strong = constraints[SIDE_CONCRETE].strong};
    struct fair_graph graph;
    *unfair = (struct unfair){0};
    assert(product->failure == FAILURE_NONE && product->sides[SIDE_ABSTRACT]->is_deterministic);
    fair_graph_init(&graph, concrete->options.sets, product->ledger);
    bool is_fine = build(&graph, product);
    for (uint32_t i = 0; i < abstract->list.count && is_fine; i++) {
        question.avoid = UINT64_C(1) << abstract->list.items[i].bit;
        is_fine = ask(unfair, &graph, i, question, abstract->list.items[i].is_strong, arena);
    }
    fair_graph_close(&graph);
    return is_fine;
}

enum { COUNTER_SECONDS = 1 }; /* and a tenth of those of the comparison */

/* The state of one comparison. */
struct refiner {
    struct trace_refinement *result;
    struct arena *arena;
    const struct alphabet *alphabet;
    const struct trace_options *options;
    struct ledger ledger;
    struct lts sides[SIDE_COUNT];
    struct trace_product product;
    struct fair_sets sets;
    bool is_open[SIDE_COUNT], is_product_open;
};

/* Preparation */

static bool wants_fairness(const struct refiner *refiner, enum side side) {
    return fair_is_asked(&refiner->options->fair[side]);
}

/* Finds what fairness is asked to; false (reported). */
static bool resolve_fairness(const struct refiner *refiner) {
    struct trace_refinement *result = refiner->result;
    for (int side = 0; side < SIDE_COUNT; side++) {
        const struct network *network = refiner->alphabet->networks[side];
        const char *problem =
            fair_resolve(&result->fair[side], refiner->arena, network,
                         &refiner->options->fair[side], &result->constraint_count);
        if (!problem && wants_fairness(refiner, (enum side)side) &&
            refiner->options->model == REFINE_FAILURES)
            problem = "fairness is about traces; leave out --model failures";
        if (!problem) continue;
        return diag_error(network->model->diag, STATUS_USAGE, 0, "%s", problem);
    }
    return true;
}

/* False if there is no program; a limit is noted. */
static bool prepare(struct refiner *refiner, enum side side) {
    struct trace_refinement *result = refiner->result;
    struct search_options options = refiner->options->search;
    struct ledger *ledger = &refiner->ledger;
    if (!ledger_has_time(ledger)) return true;
    if (ledger->deadline > 0) options.max_seconds = ledger->deadline - clock_seconds();
    options.jobs = 1;
    options.progress = NULL;
    options.pause = NULL;
    result->is_searched[side] = true;
    bool is_fine = search_prepare(&result->searches[side], refiner->alphabet->networks[side],
                                  &options, NULL, 0);
    ledger->limit = result->searches[side].limit;
    return is_fine || ledger->limit != LIMIT_NONE;
}

static bool prepare_again(struct refiner *refiner, enum side side, uint32_t slot, int32_t value) {
    struct search *search = &refiner->result->searches[side];
    search_widen(search, slot, value);
    bool is_fine = search_prepare_again(search);
    refiner->ledger.limit = search->limit;
    return is_fine || search->limit != LIMIT_NONE;
}

/* Reports a path of edges with two visible tags. */
static bool refuse_ambiguous(const struct refiner *refiner, enum side side) {
    const struct edge *edge = refiner->sides[side].finder.labeller.ambiguous;
    if (!edge) return false;
    diag_error(refiner->alphabet->networks[side]->model->diag, STATUS_USAGE, edge->xml->element->at,
               "edges in one step through a branchpoint have two visible tags; a step is one "
               "action");
    return true;
}

/* The channel is on another edge of the path: alphabet.c warns where it is on the same one. */
static void warn_of_overruled(const struct refiner *refiner, enum side side) {
    const struct edge *edge = refiner->sides[side].finder.labeller.overruled;
    if (edge)
        diag_warning(refiner->alphabet->networks[side]->model->diag, edge->xml->element->at,
                     "the tag of this edge does not make the step visible, as another edge of it "
                     "synchronises: the channel alone says which action it is");
}

/* Threads. Instances of constraints get their numbers in the order in which steps are found. */
static uint32_t jobs_of(const struct refiner *refiner) {
    const struct fair_constraints *fair = refiner->result->fair;
    bool has_schemas = fair[SIDE_CONCRETE].schemas.count || fair[SIDE_ABSTRACT].schemas.count;
    return has_schemas ? 1 : refiner->options->search.jobs;
}

static bool open_side(struct refiner *refiner, enum side side) {
    struct lts_options options = {
        .side = side, .is_sorted = side == SIDE_ABSTRACT, .jobs = jobs_of(refiner)};
    if (wants_fairness(refiner, SIDE_ABSTRACT)) {
        options.constraints = &refiner->result->fair[side];
        options.sets = &refiner->sets;
    }
    refiner->is_open[side] = true;
    return lts_open(&refiner->sides[side], &refiner->result->searches[side],
                    &refiner->result->labels, &options, &refiner->ledger);
}

static void close_all(struct refiner *refiner) {
    if (refiner->is_product_open) product_close(&refiner->product);
    for (int side = 0; side < SIDE_COUNT; side++)
        if (refiner->is_open[side]) lts_close(&refiner->sides[side]);
    refiner->is_product_open = refiner->is_open[0] = refiner->is_open[1] = false;
}

/* The counterexample */

/* Visible labels of rows, ascending, each once. */
static uint32_t *list_labels(struct refiner *refiner, enum side side, const uint32_t *rows,
                             uint32_t row_count, uint32_t *count) {
    const struct lts *lts = &refiner->sides[side];
    VEC(uint32_t) list = {0};
    for (uint32_t i = 0; i < row_count; i++)
        for (uint32_t k = 0; k < lts->nodes[rows[i]].count; k++)
            if (lts_edges(lts, rows[i])[k].label != LABEL_HIDDEN)
                VEC_PUSH(refiner->arena, &list, lts_edges(lts, rows[i])[k].label);
    *count = sort_once(list.items, list.count);
    return list.items;
}

/* Where the abstract model can be. */
static void show_set(struct refiner *refiner, struct counterexample *counter, uint32_t set) {
    const struct state_sets *sets = &refiner->product.sets;
    const struct search *search = &refiner->result->searches[SIDE_ABSTRACT];
    const struct layout *layout = search->layout;
    assert(set < sets->count);
    uint32_t count = sets->items[set].count;
    const uint32_t *rows = set_members(sets, set);
    uint64_t *words = layout_state(layout, refiner->arena);
    counter->state_count = count < COUNTER_MAX_STATES ? count : COUNTER_MAX_STATES;
    counter->states = ARENA_ARRAY(refiner->arena, struct trace_state, counter->state_count + 1);
    for (uint32_t i = 0; i < counter->state_count; i++) {
        store_load(&search->store, rows[i], words);
        counter->states[i] = trace_unpack(refiner->arena, layout, words);
    }
    counter->offered = list_labels(refiner, SIDE_ABSTRACT, rows, count, &counter->offered_count);
}

/* A run of the concrete model to a node, and on by so many edges from there. */
struct concrete_run {
    struct row_path path;
    uint32_t *choices; /* by row but the last */
    uint32_t *nodes;   /* by row, but for what is after a blocked step */
};

static void run_to(struct refiner *refiner, uint32_t node, uint32_t more,
                   struct concrete_run *run) {
    const struct trace_product *product = &refiner->product;
    uint32_t depth = 0, at = 0;
    for (uint32_t i = node; product->nodes[i].parent != NO_NODE; i = product->nodes[i].parent)
        depth++;
    *run =
        (struct concrete_run){{ARENA_ARRAY(refiner->arena, uint32_t, depth + more + 1), depth + 1},
                              ARENA_ARRAY(refiner->arena, uint32_t, depth + more + 1),
                              ARENA_ARRAY(refiner->arena, uint32_t, depth + more + 1)};
    for (uint32_t i = node; i != NO_NODE; i = product->nodes[i].parent) {
        at = depth--;
        run->path.rows[at] = product->nodes[i].state;
        run->nodes[at] = i;
        if (at) run->choices[at - 1] = product->nodes[i].choice;
    }
    assert(!at && !run->path.rows[0]); /* the initial state */
}

/* Goes on by an edge of the last state. */
static void run_on(const struct refiner *refiner, struct concrete_run *run, uint32_t choice) {
    const struct lts *lts = &refiner->sides[SIDE_CONCRETE];
    uint32_t last = run->path.rows[run->path.count - 1];
    assert(choice < lts->nodes[last].count);
    run->choices[run->path.count - 1] = choice;
    run->path.rows[run->path.count++] = lts_edges(lts, last)[choice].target;
}

/* The states and labels of a run; false past a limit. */
static bool show_run(struct refiner *refiner, struct counterexample *counter,
                     const struct concrete_run *run, uint32_t node_count) {
    struct lts *lts = &refiner->sides[SIDE_CONCRETE];
    const struct trace_product *product = &refiner->product;
    double seconds = refiner->options->search.max_seconds;
    lts->finder.expander.machine.grace = COUNTER_SECONDS;
    if (seconds > 0)
        lts->finder.expander.machine.deadline =
            refiner->ledger.deadline + COUNTER_SECONDS + seconds / 10;
    counter->trace = trace_new_by(refiner->arena, lts->search, &lts->finder.expander, run->choices,
                                  run->path.count - 1);
    counter->labels = ARENA_ARRAY(refiner->arena, uint32_t, run->path.count);
    counter->abstract_count = ARENA_ARRAY(refiner->arena, uint32_t, node_count + 1);
    for (uint32_t i = 0; i + 1 < run->path.count; i++)
        counter->labels[i] = lts_edges(lts, run->path.rows[i])[run->choices[i]].label;
    for (uint32_t i = 0; i < node_count; i++)
        counter->abstract_count[i] = product->sets.items[product->nodes[run->nodes[i]].set].count;
    return counter->trace != NULL;
}

static void make_counterexample(struct refiner *refiner) {
    const struct trace_product *product = &refiner->product;
    const struct lts *lts = &refiner->sides[SIDE_CONCRETE];
    const struct product_node *node = &product->nodes[product->failed_node];
    struct counterexample *counter = ARENA_NEW(refiner->arena, struct counterexample);
    bool is_blocked = product->failure == FAILURE_BLOCKED;
    struct concrete_run run;
    run_to(refiner, product->failed_node, 1, &run);
    uint32_t node_count = run.path.count;
    if (is_blocked) run_on(refiner, &run, product->failed_choice);
    counter->kind = is_blocked                      ? COUNTER_BLOCKED
                    : lts->nodes[node->state].count ? COUNTER_REFUSED
                                                    : COUNTER_STOPPED;
    show_set(refiner, counter, node->set);
    if (!is_blocked)
        counter->left = list_labels(refiner, SIDE_CONCRETE, &node->state, 1, &counter->left_count);
    if (show_run(refiner, counter, &run, node_count)) refiner->result->counterexample = counter;
}

/* The run of a lasso; idling in the end is no step of it. */
static void run_round(struct refiner *refiner, const struct fair_lasso *lasso,
                      struct concrete_run *run, bool *stops) {
    const struct trace_product *product = &refiner->product;
    const struct lts *lts = &refiner->sides[SIDE_CONCRETE];
    uint32_t last = product->nodes[lasso->nodes[lasso->count - 1]].state;
    *stops = !lts->nodes[last].count;
    *run = (struct concrete_run){
        {ARENA_ARRAY(refiner->arena, uint32_t, lasso->count), lasso->count - (*stops ? 1 : 0)},
        lasso->choices,
        lasso->nodes};
    for (uint32_t i = 0; i < run->path.count; i++)
        run->path.rows[i] = product->nodes[lasso->nodes[i]].state;
}

static void make_unfair(struct refiner *refiner, const struct unfair *unfair) {
    const struct trace_product *product = &refiner->product;
    const struct fair_constraints *abstract = &refiner->result->fair[SIDE_ABSTRACT];
    struct counterexample *counter = ARENA_NEW(refiner->arena, struct counterexample);
    struct concrete_run run;
    bool stops;
    assert(unfair->first < abstract->list.count && unfair->lasso.met < unfair->lasso.count);
    run_round(refiner, &unfair->lasso, &run, &stops);
    counter->kind = COUNTER_UNFAIR;
    counter->constraint = &abstract->list.items[unfair->first];
    counter->enabled_at = unfair->lasso.met;
    show_set(refiner, counter, product->nodes[unfair->lasso.nodes[unfair->lasso.met]].set);
    if (!show_run(refiner, counter, &run, run.path.count)) return;
    counter->trace->end = stops ? TRACE_DEADLOCK : TRACE_LOOP;
    counter->trace->loop = stops ? 0 : unfair->lasso.loop;
    refiner->result->counterexample = counter;
}

/* Fairness */

/* "P.l1, Q.l0: ..." */
static const char *describe_choice(const struct refiner *refiner) {
    const struct lts *lts = &refiner->sides[SIDE_ABSTRACT];
    const struct network *network = refiner->alphabet->networks[SIDE_ABSTRACT];
    const struct lts_edge *edges = lts_edges(lts, lts->choice_row);
    struct buffer text = {0};
    assert(!lts->is_deterministic && lts->choice_row < lts_count(lts));
    store_load(&lts->search->store, lts->choice_row, lts->finder.state);
    struct trace_state state = trace_unpack(refiner->arena, lts->search->layout, lts->finder.state);
    for (uint32_t i = 0; i < network->process_count; i++)
        buffer_printf(&text, "%s%s.%s", i ? ", " : "", network->processes[i].name,
                      network->processes[i].template->locations[state.locations[i]].name);
    uint32_t i = 0;
    while (edges[i].label != LABEL_HIDDEN && edges[i].label != edges[i + 1].label) i++;
    if (edges[i].label == LABEL_HIDDEN)
        buffer_add_text(&text, ", where a hidden step is possible");
    else
        buffer_printf(&text, ", where %s can be done in two ways",
                      label_name(&refiner->result->labels, edges[i].label, refiner->arena));
    return buffer_finish(&text, refiner->arena);
}

/* False (reported) if it cannot be decided (rule R5.4). */
static bool conclude_fairness(struct refiner *refiner) {
    struct trace_refinement *result = refiner->result;
    struct unfair unfair;
    if (!refiner->sides[SIDE_ABSTRACT].is_deterministic)
        return diag_error(
            refiner->alphabet->networks[SIDE_ABSTRACT]->model->diag, STATUS_UNSUPPORTED, 0,
            "fairness of the abstract model is decided for deterministic ones only: it is "
            "nondeterministic at %s",
            describe_choice(refiner));
    if (!unfair_find(&unfair, &refiner->product, result->fair, refiner->arena)) return true;
    result->violated = unfair.violated;
    result->is_fairness_known = !refiner->product.is_tainted;
    if (unfair.violated) {
        result->outcome = REFINE_FAILS;
        make_unfair(refiner, &unfair);
    } else if (!refiner->product.is_tainted) {
        result->outcome = REFINE_HOLDS;
    }
    return true;
}

/* The whole */

/* False (reported) if fairness cannot be decided. */
static bool conclude(struct refiner *refiner) {
    struct trace_refinement *result = refiner->result;
    const struct trace_product *product = &refiner->product;
    if (product->failure != FAILURE_NONE) {
        result->outcome = REFINE_FAILS;
        make_counterexample(refiner);
    } else if (wants_fairness(refiner, SIDE_ABSTRACT)) {
        return conclude_fairness(refiner);
    } else if (!product->is_tainted) {
        result->outcome = REFINE_HOLDS;
    }
    return true;
}

static void note_figures(struct refiner *refiner) {
    struct trace_refinement *result = refiner->result;
    const struct trace_product *product = &refiner->product;
    for (int side = 0; side < SIDE_COUNT; side++) {
        const struct lts *lts = &refiner->sides[side];
        if (refiner->is_open[side])
            result->sides[side] = (struct side_figures){
                lts_count(lts), lts->expanded, lts->transitions, lts->errors, lts->first_error};
    }
    if (!refiner->is_product_open) return;
    result->nodes = product->count;
    result->transitions = product->transitions;
    result->after = product->after;
    result->sets = product->sets.count - 1;
    result->largest_set = product->sets.largest;
    result->is_deterministic = refiner->sides[SIDE_ABSTRACT].is_deterministic;
}

/* An argument of an action that cannot be evaluated, or an instance that runs cannot be fair to. */
static bool refuse_fault(const struct refiner *refiner, enum side side) {
    const struct fault *fault = &refiner->sides[side].fault;
    const struct fair_constraints *fair = &refiner->result->fair[side];
    struct diag *diag = refiner->alphabet->networks[side]->model->diag;
    if (fair->problem)
        return diag_error(diag, fair->problem_status, fair->problem_at, "%s", fair->problem);
    return diag_error(diag, STATUS_INVALID, fault->span.begin,
                      "a value of an action cannot be evaluated: %s", fault_name(fault->kind));
}

/* One attempt with the layouts that there are: *is_over, unless they have to be wider. False if a
 * model cannot be used (reported). */
static bool attempt(struct refiner *refiner, bool *is_over) {
    struct product_options options = {.is_full = refiner->options->search.is_full,
                                      .has_failures = refiner->options->model == REFINE_FAILURES,
                                      .looks_ahead = jobs_of(refiner) > 1,
                                      .progress = refiner->options->progress,
                                      .context = refiner->options->search.context};
    *is_over = true;
    labels_init(&refiner->result->labels, refiner->arena, refiner->alphabet);
    fair_sets_init(&refiner->sets, refiner->arena);
    for (int side = 0; side < SIDE_COUNT; side++) {
        if (!open_side(refiner, (enum side)side)) return true;
        if (refuse_ambiguous(refiner, (enum side)side)) return false;
        warn_of_overruled(refiner, (enum side)side);
    }
    refiner->is_product_open = true;
    if (product_open(&refiner->product, &refiner->sides[SIDE_CONCRETE],
                     &refiner->sides[SIDE_ABSTRACT], &options, &refiner->ledger) &&
        product_run(&refiner->product))
        return conclude(refiner);
    for (int side = 0; side < SIDE_COUNT; side++) {
        const struct lts *lts = &refiner->sides[side];
        const struct machine *machine = &lts->finder.expander.machine;
        if (lts->state_of == LTS_FAULT) return refuse_fault(refiner, (enum side)side);
        if (lts->state_of != LTS_OVERFLOW) continue;
        *is_over = false;
        uint32_t slot = machine->overflow_slot;
        int32_t value = machine->overflow_value;
        close_all(refiner);
        return prepare_again(refiner, (enum side)side, slot, value);
    }
    assert(refiner->ledger.limit != LIMIT_NONE);
    return true;
}

static bool run(struct refiner *refiner) {
    if (!resolve_fairness(refiner)) return false;
    for (int side = 0; side < SIDE_COUNT; side++) {
        if (!prepare(refiner, (enum side)side)) return false;
        if (refiner->ledger.limit != LIMIT_NONE) return true;
    }
    for (bool is_over = false; !is_over;) {
        if (!attempt(refiner, &is_over)) return false;
        if (refiner->ledger.limit != LIMIT_NONE) return true;
    }
    return true;
}

/* False (reported) if a model cannot be explored; limits are outcomes. Close it either way. */
bool refine(struct trace_refinement *refinement, struct arena *arena,
            const struct alphabet *alphabet, const struct trace_options *options) {
    struct refiner refiner = {
        .result = refinement, .arena = arena, .alphabet = alphabet, .options = options};
    double start = clock_seconds();
    *refinement = (struct trace_refinement){.outcome = REFINE_UNKNOWN};
    refiner.ledger.max_size = options->search.max_size;
    if (options->search.max_seconds > 0)
        refiner.ledger.deadline = start + options->search.max_seconds;
    bool is_fine = run(&refiner);
    note_figures(&refiner);
    close_all(&refiner);
    refinement->limit = refiner.ledger.limit;
    refinement->peak_size = refiner.ledger.peak;
    refinement->seconds = clock_seconds() - start;
    assert(!is_fine || refinement->outcome != REFINE_HOLDS || refinement->limit == LIMIT_NONE);
    return is_fine;
}

/* Frees both searches; what refutes stays in the arena given. */
void refinement_close(struct trace_refinement *refinement) {
    for (int side = 0; side < SIDE_COUNT; side++)
        if (refinement->is_searched[side]) search_close(&refinement->searches[side]);
}
