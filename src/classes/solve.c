/* The fixpoint (V5). Its story:
 *
 *   solver_add_functions  a function for each edge and invariant, for what queries observe one each
 *   sort_functions        those with the fewest combinations of values first
 *   solve                 check each function, until no class has been split
 *     check               carry classes back over updates that leave a slot as it is (V3);
 *                         run the function for all values of what it reads, and compare the runs;
 *                         past the budget all that it reads matters, or a predicate's parts count
 *                         (V12)
 *   settle, note_all      run the functions once more, for the values to be exchanged and for keys
 */
#include "classes/solve_internal.h"

#include "base/debug.h"
#include "base/interrupt.h"
#include "classes/carried_values.h"
#include "classes/edge_reads.h"
#include "model/errors.h"

#include <assert.h>
#include <stdlib.h>

/* Work is counted in comparisons of runs; past its limit no function is run, so that whatever the
 * rest of them read matters (V12). A removal that is asked about must not take noticeably longer
 * for it, so the limit grows with the evaluations that its analysis took. */
enum { WORK_OF_RUN = 10, LEAST_RUNS = 3000, EVALUATIONS_PER_RUN = 16, FACTOR_OF_SEARCH = 32 };

/* The share of the runs left that one part of a predicate may take (V12): one in so many. */
enum { SHARE_OF_PART = 4 };

/* Runs of each function that are looked at for keys. */
enum { MOST_KEY_RUNS = 2000 };

static uint64_t work_limit(const struct analysis *analysis, bool is_all_or_nothing) {
    uint64_t runs = LEAST_RUNS + analysis->evaluation_count / EVALUATIONS_PER_RUN;
    return runs * WORK_OF_RUN * (is_all_or_nothing ? 1 : FACTOR_OF_SEARCH);
}

/* A function is checked if it reads or writes a point that is one class and open, and if some of
 * its points have changed since it was checked last. */

struct function_look {
    struct class_solver *solver;
    const struct function_part *function;
    uint64_t changed_at; /* the last change of a point that it reads or writes */
    bool reads_open;     /* a point that is one class and may hold several values */
    double combinations;
    const struct edge_reads *edge_reads; /* where the budget is passed; NULL: everything */
};

static void look_at_change(void *context, struct variable_points variable) {
    struct function_look *look = context;
    uint64_t changed_at = group_of(variable)->changed_at;
    if (changed_at > look->changed_at) look->changed_at = changed_at;
}

static void look_at_read(void *context, struct variable_points variable) {
    struct function_look *look = context;
    look->reads_open |= group_of(variable)->open_count > 0;
}

static void look_at_after(struct function_look *look, struct variable_points variable) {
    const struct points *points = look->solver->points;
    variable.number = point_after(points, look->function, variable.slots[0]);
    look_at_change(look, variable);
    variable.number = transit_after(points, look->function, variable.slots[0]);
    look_at_change(look, variable);
}

/* A slot whose key is written may get to another point. */
static void look_at_variable(void *context, const struct binding *binding,
                             const struct effect *effect) {
    struct function_look *look = context;
    const struct function_part *function = look->function;
    const struct points *points = look->solver->points;
    struct variable_points variable = variable_of(look->solver, binding);
    if (effect->reads) each_point_before(look->solver, function, binding, look_at_read, look);
    each_point_before(look->solver, function, binding, look_at_change, look);
    if (!function->edge) return;
    look_at_after(look, variable);
    for (uint32_t i = 0; effect->writes && points->keys && i < points->keys->keyed_count; i++) {
        uint32_t slot = points->keys->keyed[i], first = points->keys->of[slot]->slot;
        if (first < variable.slots[0] || first >= variable.slots[0] + variable.count) continue;
        struct variable_points keyed = {points, &points->keys->keyed[i], 1,
                                        point_before(points, function, slot)};
        look_at_change(look, keyed);
        look_at_after(look, keyed);
    }
}

/* Past the budget of a function, whatever it reads matters. */
static void give_up_points(void *context, struct variable_points variable) {
    struct function_look *look = context;
    for (uint32_t k = 0; group_of(variable)->open_count && k < variable.count; k++)
        points_tell_apart(look->solver->points, variable.slots[k], variable.number);
}

static void give_up_variable(void *context, const struct binding *binding,
                             const struct effect *effect) {
    struct function_look *look = context;
    if (effect->reads && (!look->edge_reads || edge_reads_has(look->edge_reads, effect->symbol)))
        each_point_before(look->solver, look->function, binding, give_up_points, look);
}

static void give_up(struct function_look *look) {
    const struct function_part *function = look->function;
    if (function->edge)
        look->edge_reads = reads_of_edge(&look->solver->arena, look->solver->network,
                                         function->process, function->edge);
    each_variable_of(look->solver, look->function, give_up_variable, look);
}

/* V3: keyed slots, and what may be written. */

static void carry_unwritten(void *context, struct carried_value carried) {
    struct class_solver *solver = context;
    assert(point_is_merged(carried.before) && carried.before->is_open);
    if (may_be_written(solver, carried.slot) ||
        (carried.key != NO_SLOT && may_be_written(solver, carried.key)))
        solver->is_carried = true;
    else
        carry(solver, carried);
}

static bool pass(void *context, struct key_passage passage) {
    struct class_solver *solver = context;
    if (!passage.write) point_refine(solver->points, passage.before, passage.after);
    return true;
}

static void pass_keyed(void *context, uint32_t slot) {
    struct class_solver *solver = context;
    each_passage(&solver->runs, slot, pass, solver);
}

/* The values of keys after the update are known from the runs. */
static void carry_after_runs(void *context, struct carried_value carried) {
    struct class_solver *solver = context;
    bool is_known =
        carried.key != NO_SLOT || function_runs_always_write(&solver->runs, carried.slot);
    if (!solver->is_complete || !is_known) carry(solver, carried);
}

/* False past the work of this function or of all. */
static bool run_function(struct class_solver *solver, const struct function_part *function,
                         bool is_compared) {
    if (solver->work >= solver->most_work) return false;
    uint64_t most_runs = (solver->most_work - solver->work) / WORK_OF_RUN + 1;
    if (function->is_part) most_runs /= SHARE_OF_PART;
    bool is_complete = function_runs_find(&solver->runs, function, most_runs);
    solver->work += (uint64_t)WORK_OF_RUN * solver->runs.list.count;
    return is_complete && (!is_compared || comparison_run(&solver->comparison));
}

/* A variable that a foreign process writes has the same classes at all locations where the tracker
 * can be then. */

static void equalise_variable(void *context, const struct binding *binding,
                              const struct effect *effect) {
    struct function_look *look = context;
    struct points *points = look->solver->points;
    struct variable_points variable = variable_of(look->solver, binding);
    const struct value_set *locations =
        tracker_locations(points, look->function, variable.slots[0]);
    if (!locations || !effect->writes) return;
    uint64_t count = value_set_size(locations);
    for (uint32_t k = 0; k < variable.count; k++) {
        uint32_t slot = variable.slots[k];
        struct class_point *first = point_of(points, slot, (uint32_t)value_set_at(locations, 0));
        for (uint64_t i = 1; i < count; i++)
            point_refine(points, first,
                         point_of(points, slot, (uint32_t)value_set_at(locations, i)));
        for (uint64_t i = 1; i < count; i++)
            point_refine(points, point_of(points, slot, (uint32_t)value_set_at(locations, i)),
                         first);
    }
}

static void equalise(struct function_look *look) {
    const struct points *points = look->solver->points;
    if (function_has_update(look->function) && points->owners && points->owners->has_trackers)
        each_variable_of(look->solver, look->function, equalise_variable, look);
}

static void check(struct class_solver *solver, struct function_part *function) {
    struct function_look look = {.solver = solver, .function = function};
    uint64_t now = solver->points->clock;
    assert(function->number < solver->functions.count && function->checked_at <= now);
    if (function->is_split) return;
    carry_changed(solver);
    equalise(&look);
    solver->is_carried = false;
    find_carried_values(solver, function, carry_unwritten);
    each_variable_of(solver, function, look_at_variable, &look);
    if (!look.reads_open) function->failing = NULL;
    if (!look.reads_open && !solver->is_carried) return;
    if (function->checked_at && look.changed_at <= function->checked_at) return;
    function->checked_at = now;
    solver->is_complete = run_function(solver, function, look.reads_open);
    bool is_compared = look.reads_open && solver->is_complete; /* else nothing is relied on */
    function->failing = is_compared ? solver->comparison.failing : NULL;
    if (!solver->is_complete && solver_split(solver, function)) return;
    if (!solver->is_complete) give_up(&look);
    if (!solver->is_carried) return;
    carry_changed(solver);
    find_carried_values(solver, function, carry_after_runs);
    if (solver->is_complete) each_keyed(solver->points, function, pass_keyed, solver);
}

static bool is_over(const struct class_solver *solver) {
    return interrupt_is_asked() || (solver->is_all_or_nothing && solver->points->apart_count);
}

/* Functions with few runs come first: they may be enough to tell everything apart. */

static void count_values(void *context, struct variable_points variable) {
    struct function_look *look = context;
    look->combinations *= group_of(variable)->combinations;
}

static void count_combinations(void *context, const struct binding *binding,
                               const struct effect *effect) {
    struct function_look *look = context;
    if (effect->reads) each_point_before(look->solver, look->function, binding, count_values, look);
}

static int compare_functions(const void *left, const void *right) {
    const struct function_part *a = left, *b = right;
    if (a->combinations != b->combinations) return a->combinations < b->combinations ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static void sort_functions(struct class_solver *solver) {
    for (uint32_t i = 0; i < solver->functions.count; i++) {
        struct function_part *function = &solver->functions.items[i];
        struct function_look look = {.solver = solver, .function = function, .combinations = 1};
        each_variable_of(solver, function, count_combinations, &look);
        function->combinations = look.combinations;
    }
    if (solver->functions.count)
        qsort(solver->functions.items, solver->functions.count, sizeof *solver->functions.items,
              compare_functions);
}

static void solve(struct class_solver *solver) {
    uint64_t before;
    carry_all(solver);
    do {
        before = solver->points->clock;
        for (uint32_t i = 0; i < solver->functions.count && !is_over(solver); i++)
            check(solver, &solver->functions.items[i]);
    } while (solver->points->clock != before && !is_over(solver));
    for (uint32_t i = 0; i < solver->points->count && is_over(solver); i++)
        if (point_is_merged(&solver->points->list[i]))
            point_tell_apart(solver->points, &solver->points->list[i]);
}

static void find_needed(struct class_solver *solver, struct needed_assignments *needed) {
    needed->runs = &solver->runs;
    for (uint32_t i = 0; i < solver->functions.count; i++)
        needed_add_function(needed, &solver->functions.items[i]);
    needed->runs = NULL;
}

/* Whether a function names a variable with cells that may be keyed. */
struct key_look {
    const struct class_solver *solver;
    const struct key_search *search;
    bool has_some;
};

static void look_for_cells(void *context, const struct binding *binding,
                           const struct effect *effect) {
    struct key_look *look = context;
    const struct network *network = look->solver->network;
    uint32_t slot = network->slot_of[binding->address];
    (void)effect;
    look->has_some |= key_search_wants(look->search, slot - network->slots[slot].offset);
}

static void note_all(struct class_solver *solver, struct key_search *search) {
    for (uint32_t i = 0; i < solver->functions.count && !interrupt_is_asked(); i++) {
        struct key_look look = {solver, search, false};
        each_variable_of(solver, &solver->functions.items[i], look_for_cells, &look);
        if (!look.has_some) {
            key_search_pass(search);
            continue;
        }
        function_runs_find(&solver->runs, &solver->functions.items[i], MOST_KEY_RUNS);
        key_search_note(search, &solver->runs);
    }
}

/* By the order of the model. */
static const char *first_failure(const struct class_solver *solver, struct arena *arena) {
    const struct function_part *first = NULL;
    for (uint32_t i = 0; i < solver->functions.count; i++) {
        const struct function_part *function = &solver->functions.items[i];
        if (function->failing && (!first || function->number < first->number)) first = function;
    }
    return first ? failure_text(arena, first->process->template, first->edge, first->failing)
                 : NULL;
}

const char *solve_points(struct points *points, const struct solve_request *request) {
    struct class_solver solver = {.points = points,
                                  .analysis = request->analysis,
                                  .network = request->analysis->network,
                                  .is_all_or_nothing = request->is_all_or_nothing};
    assert(points->network == solver.network && (!request->needed || points->owners));
    solver.most_work = work_limit(request->analysis, request->is_all_or_nothing);
    function_runs_init(&solver.runs, &solver.arena, points, solver.analysis);
    comparison_init(&solver.comparison, &solver.arena, &solver.runs, points, &solver.work,
                    solver.most_work);
    solver.comparison.is_strict = request->is_strict;
    solver_add_functions(&solver);
    solver_add_queries(&solver, request->queries, request->query_count);
    sort_functions(&solver);
    carried_begin(&solver);
    solve(&solver);
    DEBUG_CHECK(points_check(points));
    const char *failure = first_failure(&solver, request->arena);
    if (request->needed) find_needed(&solver, request->needed);
    if (request->key_search) {
        *request->key_search = key_search_new(request->arena, points);
        note_all(&solver, *request->key_search);
    }
    function_runs_close(&solver.runs);
    arena_close(&solver.arena);
    return failure;
}
