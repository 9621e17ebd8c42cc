#include "abstract/claim/may_fail.h"

#include "approx/labels/domain.h"
#include "approx/labels/narrow.h"
#include "approx/labels/never_fails.h"
#include "expr/find.h"
#include "lang/print/print.h"
#include "lang/syntax/walk.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    LABEL_RUNS = 20000,
    MODEL_RUNS = 400000,
    FIRST_RUNS = 64,
    ENDS_ITEMS = 100000, /* update items of an edge that are run with great values, or small ones */
    TEXT_WIDTH = 60
};

struct finder {
    struct possible_errors *errors;
    struct arena *arena;
    struct analysis *analysis;
    const struct network *network;
    struct label_run run;
    uint64_t runs_left; /* for all labels */
    struct map found;   /* by place: bits of kinds */
    /* What is looked at. */
    const struct process *process;
    uint32_t location;
    const struct edge *edge; /* or NULL */
};

/* ---- what is said ---- */

struct spanned {
    struct span span;
    const struct expr *expr;
};

static bool match_span(void *context, const struct expr *expr) {
    struct spanned *wanted = context;
    if (!wanted->expr && expr->span.begin == wanted->span.begin &&
        expr->span.end == wanted->span.end)
        wanted->expr = expr;
    return !wanted->expr;
}

/* The expression of a label, or of a function, that has this place; NULL if there is none. */
static const struct expr *find_expr(const struct finder *finder, const struct expr *label,
                                    struct span span) {
    const struct model *model = finder->network->model;
    struct spanned wanted = {.span = span};
    walk_expr(label, match_span, &wanted);
    walk_functions(&finder->process->template->declarations, match_span, &wanted);
    walk_functions(&model->declarations, match_span, &wanted);
    walk_functions(&model->system_declarations, match_span, &wanted);
    return wanted.expr;
}

/* The text of an expression, cut so that it fits into a line. */
static const char *quoted(struct arena *arena, const struct expr *expr) {
    const char *text = expr_text(expr, arena);
    size_t size = strlen(text);
    if (size <= TEXT_WIDTH) return arena_printf(arena, "'%s'", text);
    size = TEXT_WIDTH - 3;
    while (size && ((unsigned char)text[size] & 0xC0) == 0x80) size--;
    return arena_printf(arena, "'%.*s...'", (int)size, text);
}

/* "'n++' may leave int[0,5]". */
static const char *text_of(struct arena *arena, const struct expr *expr, enum fault_kind kind) {
    const char *what = expr ? quoted(arena, expr) : "something";
    bool has_target = expr && expr_assigns(expr);
    switch (kind) {
    case FAULT_RANGE:
        if (has_target && type_strip(expr->child[0]->type)->kind == TYPE_CLOCK)
            return arena_printf(arena, "%s may set a clock to a negative value", what);
        return arena_printf(arena, "%s may leave %s", what,
                            has_target ? type_text(expr->child[0]->type, arena) : "its range");
    case FAULT_INDEX: return arena_printf(arena, "the index of %s may be out of bounds", what);
    case FAULT_DIVISION: return arena_printf(arena, "%s may divide by zero", what);
    case FAULT_STEPS:
        return arena_printf(arena, "%s may fail: its values are too many to be tried", what);
    case FAULT_UNBOUND:
        return arena_printf(arena, "%s may fail: its values are not looked at", what);
    default: return arena_printf(arena, "%s may fail: %s", what, fault_name(kind));
    }
}

/* By both ends, as several expressions may begin, or end, at one place. */
static uint64_t key_of(struct span span) { return (uint64_t)span.begin << 32 | span.end; }

static bool is_found(const struct finder *finder, struct fault fault) {
    uintptr_t kinds = (uintptr_t)map_get(&finder->found, key_of(fault.span));
    assert(fault.kind && (unsigned)fault.kind < 31); /* a bit of a pointer of any size */
    return kinds >> fault.kind & 1;
}

static void note_found(struct finder *finder, struct fault fault) {
    uintptr_t kinds = (uintptr_t)map_get(&finder->found, key_of(fault.span));
    kinds |= (uintptr_t)1 << fault.kind;
    map_put(&finder->found, key_of(fault.span), (void *)kinds);
}

static bool names(const struct possible_error *error, const struct symbol *symbol) {
    for (uint32_t i = 0; i < error->names.count; i++)
        if (!strcmp(error->names.items[i], symbol->name)) return true;
    return false;
}

/* What an item reads comes from what items before it in its update read that write to that. */
static void take_names(struct finder *finder, const struct expr *label,
                       struct possible_error *error) {
    const struct expr_list *updates = &finder->edge->updates;
    struct effects_table table = finder->network->effects;
    uint32_t last = 0;
    while (last < updates->count && updates->items[last] != label) last++;
    error->has_names = last < updates->count;
    table.arena = finder->arena;
    for (uint32_t i = last + 1; i-- > 0 && error->has_names;) {
        struct effects effects = {0};
        bool is_part = i == last;
        effects_add_expr(&table, &effects, updates->items[i]);
        for (uint32_t k = 0; k < effects.list.count; k++)
            is_part |= effects.list.items[k].writes && names(error, effects.list.items[k].symbol);
        for (uint32_t k = 0; k < effects.list.count && is_part; k++) {
            const struct symbol *symbol = effects.list.items[k].symbol;
            error->has_names &= !symbol->is_reference;
            if (!names(error, symbol)) VEC_PUSH(finder->arena, &error->names, symbol->name);
        }
    }
}

static void add(struct finder *finder, const struct expr *label, struct fault fault) {
    const struct template *template = finder->process ? finder->process->template : NULL;
    if (is_found(finder, fault)) return;
    const struct source *source = &finder->network->model->document->source;
    const struct expr *expr = finder->process ? find_expr(finder, label, fault.span) : label;
    struct possible_error error = {.template = template ? template->symbol->name : NULL,
                                   .edge =
                                       finder->edge ? edge_index(template, finder->edge) + 1 : 0,
                                   .text = text_of(finder->arena, expr, fault.kind),
                                   .file = source_name(source, fault.span.begin),
                                   .place = source_locate(source, fault.span.begin),
                                   .span = fault.span,
                                   .is_untried = fault.kind == FAULT_STEPS};
    note_found(finder, fault);
    /* In a function it may fail for other items, too. */
    bool is_own = fault.span.begin >= label->span.begin && fault.span.end <= label->span.end;
    if (finder->edge && is_own && !finder->network->after_update.list.count &&
        !finder->network->before_update.list.count)
        take_names(finder, label, &error);
    VEC_PUSH(finder->arena, &finder->errors->list, error);
}

static void add_untried(struct finder *finder, const struct expr *label) {
    add(finder, label, (struct fault){FAULT_STEPS, label->span});
}

/* ---- values ---- */

static struct cell_domain slot_domain(void *context, uint32_t slot) {
    const struct finder *finder = context;
    const struct analysis *analysis = finder->analysis;
    if (!analysis->is_tracked[slot] || slot_is_shared(finder->network, slot))
        return (struct cell_domain){.set = &analysis->shared[slot]};
    const struct process_domain *domain = &analysis->processes[finder->process->index];
    uint32_t group = analysis->group_of[slot];
    assert(finder->network->slots[slot].process == finder->process);
    return group_cell(&domain->groups[group], &domain->locations[finder->location].groups[group]);
}

/* ---- with all values ---- */

/* Notes the error of the model that the last evaluation of a run ended with, if it did. */
static void note(struct finder *finder, const struct expr *label) {
    struct fault fault = finder->run.environment.fault;
    if (fault.kind && fault.kind != FAULT_STOPPED && fault.kind != FAULT_STEPS &&
        fault.kind != FAULT_UNBOUND)
        add(finder, label, fault);
}

static const struct expr *invariant_of(const struct finder *finder, uint32_t location) {
    return invariant_at(finder->network, finder->process->template, location);
}

/* Runs an invariant while its process is at the location. */
static bool run_invariant(struct finder *finder, uint32_t location) {
    struct label_run *run = &finder->run;
    const struct expr *invariant = invariant_of(finder, location);
    assert(location < finder->process->template->location_count);
    run->process = finder->process;
    run->at = location;
    run->is_anywhere = false;
    run->environment.locals = finder->process->locals;
    run->environment.frame = NULL;
    bool holds = eval_int(&run->environment, invariant) != 0;
    enumerator_account(&run->enumerator);
    note(finder, invariant);
    return holds;
}

/* The update items that a run has come to are known by what failed. False if the step ends there.
 */
static bool run_labels(struct finder *finder, const struct leg *leg, bool *item_faults) {
    struct label_run *run = &finder->run;
    const struct edge *edge = leg->edge;
    uint32_t channel;
    assert(item_faults == leg->fact->item_faults); /* where the run notes them */
    label_run_begin(run);
    if (!label_run_guard(run, leg, 0)) {
        if (leg->guard) note(finder, leg->guard);
        return false;
    }
    if (edge->sync && !label_run_channel(run, leg, 0, &channel)) {
        note(finder, edge->sync);
        return false;
    }
    label_run_forget(run, leg->plan->is_within_step ? FORGET_SHARED : FORGET_HOOKED);
    if (label_run_updates(run, leg, 0)) return true;
    for (uint32_t i = 0; i < edge->updates.count; i++) {
        if (item_faults[i]) note(finder, edge->updates.items[i]);
        item_faults[i] = false;
    }
    return false;
}

static void run_leg(struct finder *finder, const struct leg *leg, bool *item_faults) {
    const struct template *template = finder->process->template;
    const struct edge *edge = leg->edge;
    if (!run_labels(finder, leg, item_faults) || edge->target >= template->location_count ||
        !expr_can_fault(invariant_of(finder, edge->target)))
        return;
    label_run_forget(&finder->run, FORGET_SHARED);
    run_invariant(finder, edge->target);
}

/* Begins to try all values; false if there is nothing left to spend. */
static bool begin(struct finder *finder) {
    finder->run.enumerator.budget = finder->runs_left < LABEL_RUNS ? finder->runs_left : LABEL_RUNS;
    if (!finder->runs_left) return false;
    enumerator_start(&finder->run.enumerator);
    return true;
}

/* Spends the runs of an enumeration. */
static void count_runs(struct finder *finder) {
    const struct enumerator *enumerator = &finder->run.enumerator;
    uint64_t spent = enumerator->budget - enumerator->runs_left + 1;
    finder->runs_left -= spent < finder->runs_left ? spent : finder->runs_left;
}

/* False if there were too many. */
static bool end(struct finder *finder) {
    count_runs(finder);
    return !enumerator_failed(&finder->run.enumerator);
}

/* Labels of an edge that may fail. */
struct doubts {
    bool guard, sync, invariant;
    bool *items;
    bool are_of_ranges; /* under: they are items, and may leave the range of their target at most */
};

static bool range_is_found(const struct finder *finder, const struct expr *item) {
    return is_found(finder, (struct fault){FAULT_RANGE, item->span});
}

/* Whether all labels in doubt are known to fail already. */
static bool are_settled(const struct finder *finder, const struct edge *edge,
                        const struct doubts *doubts) {
    for (uint32_t i = 0; i < edge->updates.count && doubts->are_of_ranges; i++)
        if (doubts->items[i] && !range_is_found(finder, edge->updates.items[i])) return false;
    return doubts->are_of_ranges;
}

/* Ranges are left where values are great or small. A few runs often show that; what they do not
 * show is left open. */
static void try_ends(struct finder *finder, const struct leg *leg, const struct doubts *doubts,
                     bool goes_down) {
    struct enumerator *enumerator = &finder->run.enumerator;
    const struct expr_list *updates = &leg->edge->updates;
    bool *is_relevant = leg->plan->is_relevant, *item_faults = leg->fact->item_faults;
    uint64_t items = 0;
    for (uint32_t i = 0; i < updates->count && items < ENDS_ITEMS; i++) {
        if (!doubts->items[i] || range_is_found(finder, updates->items[i])) continue;
        enumerator->goes_down = goes_down;
        if (!begin(finder)) break;
        for (uint32_t k = i + 1; k < updates->count; k++) is_relevant[k] = false;
        uint32_t runs = 0;
        do run_labels(finder, leg, item_faults);
        while (++runs < FIRST_RUNS && !range_is_found(finder, updates->items[i]) &&
               enumerator_next(enumerator));
        items += (uint64_t)runs * (i + 1);
        count_runs(finder);
        memset(is_relevant, true, updates->count * sizeof(bool));
        memset(item_faults, false, updates->count * sizeof(bool));
    }
    enumerator->goes_down = false;
}

static bool try_edge(struct finder *finder, const struct leg *leg, const struct doubts *doubts) {
    narrow_nothing(&finder->run);
    if (doubts->are_of_ranges) {
        try_ends(finder, leg, doubts, true);
        try_ends(finder, leg, doubts, false);
        if (are_settled(finder, leg->edge, doubts)) return true;
    }
    if (!begin(finder)) return false;
    do run_leg(finder, leg, leg->fact->item_faults);
    while (!are_settled(finder, leg->edge, doubts) && enumerator_next(&finder->run.enumerator));
    bool is_tried = end(finder);
    return is_tried || are_settled(finder, leg->edge, doubts);
}

static void look_at_invariant(struct finder *finder) {
    const struct expr *invariant = invariant_of(finder, finder->location);
    finder->edge = NULL;
    narrow_nothing(&finder->run);
    if (!expr_can_fault(invariant)) return;
    bool is_tried = begin(finder);
    if (is_tried) {
        do {
            label_run_begin(&finder->run);
            run_invariant(finder, finder->location);
        } while (enumerator_next(&finder->run.enumerator));
        is_tried = end(finder);
    }
    if (!is_tried) add_untried(finder, invariant);
}

/* ---- by least and greatest values ---- */

/* False if there are none. Values that an invariant is read with are not looked at here. */
static bool find_doubts(struct finder *finder, const struct leg *leg, struct doubts *doubts) {
    const struct edge *edge = leg->edge;
    const struct template *template = finder->process->template;
    struct hull hull = {.run = &finder->run, .leg = leg};
    narrow_nothing(&finder->run);
    label_run_begin(&finder->run);
    doubts->guard =
        leg->plan->ignores_guard ? expr_can_fault(leg->guard) : !never_fails(&hull, leg->guard);
    bool is_taken = narrow_by_guard(&finder->run, leg, 0);
    doubts->sync = is_taken && !never_fails(&hull, edge->sync);
    label_run_forget(&finder->run, leg->plan->is_within_step ? FORGET_SHARED : FORGET_HOOKED);
    bool has_any = doubts->guard || doubts->sync;
    doubts->are_of_ranges = !has_any;
    for (uint32_t i = 0; i < edge->updates.count; i++) {
        hull.item = i;
        doubts->items[i] = is_taken && !never_fails(&hull, edge->updates.items[i]);
        has_any |= doubts->items[i];
        if (doubts->items[i])
            doubts->are_of_ranges &= only_range_may_fail(&hull, edge->updates.items[i]);
    }
    doubts->invariant = is_taken && edge->target < template->location_count &&
                        expr_can_fault(invariant_of(finder, edge->target));
    doubts->are_of_ranges &= !doubts->invariant;
    return has_any || doubts->invariant;
}

static void add_doubts(struct finder *finder, const struct leg *leg, const struct doubts *doubts) {
    const struct edge *edge = leg->edge;
    if (doubts->guard) add_untried(finder, leg->guard);
    if (doubts->sync) add_untried(finder, edge->sync);
    for (uint32_t i = 0; i < edge->updates.count; i++)
        if (doubts->items[i]) add_untried(finder, edge->updates.items[i]);
    if (doubts->invariant) add_untried(finder, invariant_of(finder, edge->target));
}

/* ---- all labels ---- */

static void look_at_edge(struct finder *finder, const struct edge *edge) {
    const struct template *template = finder->process->template;
    struct arena *scratch = &finder->run.scratch;
    uint32_t count = edge->updates.count;
    struct edge_fact fact = {.item_faults = ARENA_ARRAY(scratch, bool, count + 1)};
    struct edge_plan plan = {.is_relevant = ARENA_ARRAY(scratch, bool, count + 1),
                             .is_within_step =
                                 label_run_is_within_step(finder->analysis, template, edge),
                             .ignores_guard = edge->leaves_branchpoint};
    struct doubts doubts = {.items = ARENA_ARRAY(scratch, bool, count + 1)};
    const struct leg leg = {finder->process, edge, guard_of_edge(finder->network, template, edge),
                            &plan, &fact};
    finder->location = edge->source;
    finder->edge = edge;
    memset(plan.is_relevant, true, count * sizeof(bool));
    if (label_run_bind(&finder->run, &leg, 0) && find_doubts(finder, &leg, &doubts)) {
        if (!try_edge(finder, &leg, &doubts)) add_doubts(finder, &leg, &doubts);
        if (plan.ignores_guard && doubts.guard) add_untried(finder, leg.guard);
    }
    label_run_clear(&finder->run);
}

static void look_at_process(struct finder *finder, const struct process *process) {
    const struct template *template = process->template;
    const struct location_domain *locations = finder->analysis->processes[process->index].locations;
    finder->process = process;
    for (uint32_t i = 0; i < template->edge_count; i++) {
        const struct edge *edge = &template->edges[i];
        if (locations[edge->source].is_reached && !edge_is_off(finder->network, template, edge))
            look_at_edge(finder, edge);
    }
    for (uint32_t i = 0; i < template->location_count; i++) {
        finder->location = i;
        if (locations[i].is_reached) look_at_invariant(finder);
    }
}

/* A hook that can fail may: which values it reads is not looked at. */
static void look_at_hooks(struct finder *finder) {
    const struct model *model = finder->network->model;
    const struct declaration_list *lists[] = {&model->declarations, &model->system_declarations};
    for (int l = 0; l < 2; l++)
        for (uint32_t i = 0; i < lists[l]->count; i++) {
            const struct declaration *declaration = lists[l]->items[i];
            bool is_hook = declaration->kind == DECLARATION_HOOK;
            for (uint32_t k = 0; is_hook && k < declaration->hook.count; k++) {
                const struct expr *item = declaration->hook.items[k];
                if (expr_can_fault(item))
                    add(finder, item, (struct fault){FAULT_UNBOUND, item->span});
            }
        }
}

static bool is_same_place(const struct possible_error *left, const struct possible_error *right) {
    return left->span.begin == right->span.begin && left->span.end == right->span.end;
}

static int compare(const void *left, const void *right) {
    const struct possible_error *a = left, *b = right;
    if (a->span.begin != b->span.begin) return a->span.begin < b->span.begin ? -1 : 1;
    if (a->span.end != b->span.end) return a->span.end < b->span.end ? -1 : 1;
    return strcmp(a->text, b->text);
}

/* Leaves out labels that were not tried where an error of the same place is known. */
static void leave_out_untried(struct possible_errors *errors) {
    struct possible_error *list = errors->list.items;
    uint32_t count = errors->list.count, kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        assert(!i || list[i - 1].span.begin <= list[i].span.begin); /* by place */
        bool is_known = (i && is_same_place(&list[i - 1], &list[i])) ||
                        (i + 1 < count && is_same_place(&list[i + 1], &list[i]));
        if (!list[i].is_untried || !is_known) list[kept++] = list[i];
    }
    errors->list.count = kept;
}

bool may_fail_visibly(const struct possible_errors *errors, const struct request *request) {
    for (uint32_t i = 0; i < errors->list.count; i++) {
        const struct possible_error *error = &errors->list.items[i];
        if (!error->has_names) return false;
        for (uint32_t k = 0; k < request->removals.count; k++)
            if (names(error, request->removals.items[k].symbol)) return false;
    }
    return true;
}

struct possible_errors may_fail_find(struct arena *arena, struct analysis *analysis) {
    struct possible_errors errors = {0};
    struct finder finder = {.errors = &errors,
                            .arena = arena,
                            .analysis = analysis,
                            .network = analysis->network,
                            .runs_left = MODEL_RUNS};
    map_init(&finder.found, arena);
    label_run_init(&finder.run, analysis, 1);
    finder.run.domain = slot_domain;
    finder.run.context = &finder;
    look_at_hooks(&finder);
    for (uint32_t p = 0; p < analysis->network->process_count; p++)
        look_at_process(&finder, &analysis->network->processes[p]);
    label_run_close(&finder.run);
    if (errors.list.count)
        qsort(errors.list.items, errors.list.count, sizeof *errors.list.items, compare);
    leave_out_untried(&errors);
    return errors;
}
