/* Folds template by template, location by location. */
#include "abstract/fold/model.h"

#include "abstract/cells/plan.h"
#include "abstract/edge/frame.h"
#include "abstract/edge/open.h"
#include "abstract/edge/open_edge.h"
#include "abstract/facts/cells.h"
#include "abstract/facts/channel.h"
#include "abstract/facts/context.h"
#include "abstract/facts/function.h"
#include "abstract/facts/guards.h"
#include "abstract/facts/narrowed.h"
#include "abstract/facts/unseen.h"
#include "abstract/fold/doubt.h"
#include "abstract/fold/failing.h"
#include "abstract/fold/fold.h"
#include "abstract/fold/guard.h"
#include "abstract/fold/lower_condition.h"
#include "abstract/fold/selects.h"
#include "abstract/request/request.h"
#include "base/clock.h"
#include "base/interrupt.h"
#include "expr/find.h"
#include "model/data.h"

#include <assert.h>
#include <string.h>

void abstraction_add_reason(struct abstraction *abstraction, const char *reason) {
    struct map *known = &abstraction->reasons;
    if (!known->arena) map_init(known, abstraction->arena);
    uint64_t key = hash_bytes(reason, strlen(reason));
    uint32_t at = (uint32_t)(uintptr_t)map_get(known, key); /* from 1; fewer may be left */
    if (at && at <= abstraction->inexact.count &&
        !strcmp(abstraction->inexact.items[at - 1], reason))
        return;
    VEC_PUSH(abstraction->arena, &abstraction->inexact, reason);
    map_put(known, key, (void *)(uintptr_t)abstraction->inexact.count);
}

bool abstraction_keeps_persistent(const struct abstraction *abstraction) {
    const struct network *network = abstraction->network;
    const struct request *request = abstraction->request;
    bool keeps = false;
    for (uint32_t i = 0; i < network->slot_count; i++) {
        const struct removal *removal =
            request->slot_is_removed[i] ? removed_ever(request, network->slots[i].symbol) : NULL;
        keeps |= network->slots[i].is_persistent && (!removal || removal->scope);
    }
    return keeps && (request->removals.count || request->ghosts.count || request->clocks.count ||
                     request->is_untimed || abstraction->has_exchanges);
}

void abstraction_doubt_persistent(struct abstraction *abstraction) {
    if (!abstraction_keeps_persistent(abstraction)) return;
    abstraction->is_exact = false;
    abstraction_add_reason(abstraction, "a meta variable stays that a step may read before it "
                                        "writes it, and states that differ in it were told apart "
                                        "by what goes");
}

static void take_reasons(struct abstraction *abstraction, const struct fold *fold) {
    for (uint32_t i = 0; i < fold->inexact.count; i++)
        abstraction_add_reason(abstraction, fold->inexact.items[i]);
}

static void take_blocks(struct abstraction *abstraction, const struct blocked_channels *blocks) {
    struct blocked_channels *blocked = &abstraction->blocked;
    for (uint32_t i = 0; i < blocks->list.count; i++)
        blocked_channels_add(blocked, blocks->list.items[i], abstraction->arena);
    if (blocks->has_all) blocked_channels_add(blocked, NULL, abstraction->arena);
}

static bool edge_is_concerned(const struct abstraction *abstraction,
                              const struct template *template, uint32_t index) {
    const struct edge_labels *effects = &abstraction->network->labels.edges[template->index][index];
    const struct effects *all[] = {&effects->guard_effects, &effects->sync_effects,
                                   &effects->update_effects};
    const struct edge *edge = &template->edges[index];
    struct where where = where_guard(template, edge);
    for (int k = 0; k < 3; k++)
        for (uint32_t i = 0; i < all[k]->list.count; i++)
            if (removed_at(abstraction->request, all[k]->list.items[i].symbol, where) ||
                clock_is_removed(abstraction->request, all[k]->list.items[i].symbol))
                return true;
    if (edge_crosses_scope(abstraction->request, template, edge)) return true;
    if (edge_is_restricted(&abstraction->context, template, index)) return true;
    if (abstraction->context.rules->is_confined &&
        lower_concerns(abstraction->lower, template, edge))
        return true;
    if (edge_is_blocked(&abstraction->context, &abstraction->blocked, template, edge) ||
        edge_is_doubted(&abstraction->context, template, edge))
        return true;
    const struct expr *weight = template->edges[index].weight;
    return weight && expr_reads_removed(&abstraction->context, weight, where);
}

/* An edge that touches cells of merged arrays: its outcomes are its output edges (F7). */
static struct open_edge *open_cells(struct abstraction *abstraction,
                                    const struct touched_edge *touched) {
    struct open_edge *open = ARENA_NEW(abstraction->arena, struct open_edge);
    const struct edge *edge = touched->edge;
    *open = (struct open_edge){.template = touched->template,
                               .location = edge->source,
                               .edge = edge,
                               .edge_index = touched->edge_index,
                               .is_concerned = true,
                               .sync = edge->sync,
                               .may_fail = true}; /* a cell may not fit its type */
    open->involved.before = where_guard(touched->template, edge);
    open->involved.within = where_update(touched->template, edge);
    return open;
}

static void emit_outcome(struct folder *folder, struct open_edge *open,
                         const struct touched_edge *touched, const struct cell_outcome *outcome) {
    const struct fold_rules *rules = folder->context->rules;
    struct output_edge out = {.base = open, .strength = STRENGTH_MUST, .sync = open->sync};
    out.guard =
        cells_plan_guard(touched, outcome, rules->is_universal, rules->guards_visible_errors);
    if (out.guard && expr_is_false(out.guard)) return;
    struct cells_items items = cells_plan_items(touched, outcome);
    out.items = items.items;
    out.item_count = items.count;
    out.origins = ARENA_NEW(folder->arena, struct origin);
    out.origins[0].open = open;
    out.origin_count = 1;
    fold_add_selects(folder, &out);
    fold_check_names(&out);
    VEC_PUSH(folder->arena, &folder->fold->edges, out);
}

/* Each once, as reasons are. */
static void add_cell_doubt(struct abstraction *abstraction, const struct open_edge *open,
                           const struct cell_reason *reason) {
    for (uint32_t i = 0; i < abstraction->cell_doubts.count; i++) {
        const struct cell_doubt *doubt = &abstraction->cell_doubts.items[i];
        if (doubt->template == open->template && doubt->edge == open->edge_index &&
            !strcmp(doubt->reason->text, reason->text))
            return;
    }
    VEC_PUSH(abstraction->arena, &abstraction->cell_doubts,
             (struct cell_doubt){open->template, open->edge_index, reason});
}

static void fold_cells(struct abstraction *abstraction, struct open_edge *open,
                       const struct touched_edge *touched, struct fold *fold) {
    struct context *context = &abstraction->context;
    struct folder folder = {.context = context,
                            .blocked = &abstraction->blocked,
                            .arena = abstraction->arena,
                            .fold = fold,
                            .open_edges = &open,
                            .open_edge_count = 1};
    struct outcome_list outcomes;
    memset(&outcomes, 0, sizeof outcomes);
    uint32_t before = fold->edges.count;
    open->folded.differs =
        edge_is_blocked(context, &abstraction->blocked, open->template, open->edge);
    if (!open->folded.differs) cells_plan_outcomes(context->cells, touched, &outcomes);
    for (uint32_t i = 0; i < outcomes.list.count; i++)
        emit_outcome(&folder, open, touched, &outcomes.list.items[i]);
    open->folded.differs |= outcomes.reasons.count > 0;
    for (uint32_t i = 0; i < outcomes.reasons.count; i++) {
        fold_add_reason(&folder, "%s: %s", fold_edge_name(&folder, open),
                        outcomes.reasons.items[i].text);
        add_cell_doubt(abstraction, open, &outcomes.reasons.items[i]);
    }
    if (fold->edges.count == before) VEC_PUSH(folder.arena, &fold->dropped, open);
}

/* In the order of their source edges. */
static void sort_outputs(struct fold *fold) {
    for (uint32_t i = 1; i < fold->edges.count; i++) {
        struct output_edge moved = fold->edges.items[i];
        uint32_t at = i;
        for (; at > 0 && fold->edges.items[at - 1].base->edge_index > moved.base->edge_index; at--)
            fold->edges.items[at] = fold->edges.items[at - 1];
        fold->edges.items[at] = moved;
    }
}

/* NULL after an error. */
static struct location_fold *make_fold(struct abstraction *abstraction,
                                       const struct template *template, uint32_t location,
                                       const uint32_t *edges, uint32_t count) {
    struct context *context = &abstraction->context;
    struct open_edge **open_edges = ARENA_ARRAY(abstraction->arena, struct open_edge *, count);
    struct open_edge **by_value = ARENA_ARRAY(abstraction->arena, struct open_edge *, count);
    uint32_t by_value_count = 0;
    bool ok = true;
    assert(count);
    for (uint32_t i = 0; i < count; i++) {
        const struct touched_edge *touched = cells_plan_edge(context->cells, template, edges[i]);
        assert(template->edges[edges[i]].source == location);
        if (touched) {
            open_edges[i] = open_cells(abstraction, touched);
            continue;
        }
        open_edges[i] = ARENA_NEW(abstraction->arena, struct open_edge);
        ok &= open_edge_make(context, template, edges[i], open_edges[i]);
        by_value[by_value_count++] = open_edges[i];
    }
    if (!ok) return NULL;
    struct location_fold *fold = ARENA_NEW(abstraction->arena, struct location_fold);
    *fold = (struct location_fold){.template = template,
                                   .location = location,
                                   .open_edges = open_edges,
                                   .open_edge_count = count};
    if (by_value_count)
        fold_location(context, abstraction->lower, &abstraction->blocked, by_value, by_value_count,
                      &fold->fold);
    for (uint32_t i = 0; i < count && by_value_count < count; i++) {
        const struct touched_edge *touched = cells_plan_edge(context->cells, template, edges[i]);
        if (touched) fold_cells(abstraction, open_edges[i], touched, &fold->fold);
    }
    if (by_value_count < count) sort_outputs(&fold->fold);
    return fold;
}

/* The fold of a search that was made for a location that looked the same, or a new one. */
static struct location_fold *find_fold(struct abstraction *abstraction,
                                       const struct template *template, uint32_t location,
                                       const uint32_t *edges, uint32_t count) {
    struct context *context = &abstraction->context;
    struct fold_memo *memo = &abstraction->memo;
    bool is_blocking = abstraction->blocked.list.count || abstraction->blocked.has_all;
    struct location_fold *fold =
        is_blocking ? NULL : fold_memo_find(memo, context, template, location, edges, count);
    if (fold) return fold;
    bool had_others = context->has_other_reasons;
    context->has_other_reasons = context->asks_values = context->asks_targets = false;
    fold = make_fold(abstraction, template, location, edges, count);
    if (fold && !is_blocking) fold_memo_keep(memo, context, template, location, edges, count, fold);
    context->has_other_reasons |= had_others;
    return fold;
}

static bool fold_one_location(struct abstraction *abstraction, const struct template *template,
                              uint32_t location, const uint32_t *edges, uint32_t count) {
    struct location_fold *fold = find_fold(abstraction, template, location, edges, count);
    if (!fold) return false;
    take_reasons(abstraction, &fold->fold);
    take_blocks(abstraction, &fold->fold.blocks);
    VEC_PUSH(abstraction->arena, &abstraction->folds, fold);
    abstraction->edges_after += fold->fold.edges.count;
    abstraction->edges_after -= count;
    return true;
}

/* Whether the rest of a round is not needed. The first round of a may-fold only asks whether it is
 * exact: if not, another one folds everything anew. That of a mixed fold also finds which templates
 * may fail (ST8). */
static bool is_settled(const struct abstraction *abstraction) {
    const struct fold_rules *rules = abstraction->context.rules;
    return abstraction->inexact.count &&
           (abstraction->ends_inexact || (rules->when_inexact && !rules->is_mixed));
}

static bool fold_template(struct abstraction *abstraction, const struct template *template) {
    uint32_t *edges = ARENA_ARRAY(abstraction->arena, uint32_t, template->edge_count + 1);
    bool ok = true;
    uint32_t locations = template->location_count + template->branchpoint_count;
    uint32_t *first = ARENA_ARRAY(abstraction->arena, uint32_t, locations + 2);
    for (uint32_t i = 0; i < template->edge_count; i++) first[template->edges[i].source + 1]++;
    for (uint32_t i = 0; i < locations; i++) first[i + 1] += first[i];
    uint32_t *fill = ARENA_ARRAY(abstraction->arena, uint32_t, locations + 1);
    for (uint32_t i = 0; i < template->edge_count; i++) {
        uint32_t source = template->edges[i].source;
        edges[first[source] + fill[source]++] = i;
    }
    abstraction->edges_before += template->edge_count;
    abstraction->edges_after += template->edge_count;
    for (uint32_t location = 0; location < locations && !interrupt_is_asked(); location++) {
        if (ok && is_settled(abstraction)) break;
        assert(first[location] + fill[location] == first[location + 1]);
        bool is_concerned = false;
        for (uint32_t i = first[location]; i < first[location + 1]; i++)
            is_concerned |= edge_is_concerned(abstraction, template, edges[i]);
        if (is_concerned)
            ok &= fold_one_location(abstraction, template, location, edges + first[location],
                                    first[location + 1] - first[location]);
    }
    return ok;
}

static void fold_invariants(struct abstraction *abstraction, const struct template *template) {
    for (uint32_t i = 0; i < template->location_count; i++) {
        struct open_edge open;
        struct fold fold = {0};
        if (!invariant_at(abstraction->network, template, i)) continue;
        open_invariant_make(&abstraction->context, template, i, &open);
        if (!open.is_concerned) continue;
        struct folded_invariant folded = fold_invariant(&abstraction->context, &open, &fold);
        take_reasons(abstraction, &fold);
        bool is_blocking = abstraction->analysis->invariant_blocks[template->index][i];
        bool is_stricter = fold.inexact.count || open.is_restricted;
        abstraction->has_inexact_invariant |= is_blocking || is_stricter;
        if (is_blocking)
            abstraction_add_reason(
                abstraction,
                arena_printf(abstraction->arena,
                             "%s: the invariant of %s keeps steps out by a removed value",
                             template->symbol->name, template->locations[i].name));
        VEC_PUSH(abstraction->arena, &abstraction->invariants,
                 (struct invariant_fold){template, i,
                                         expr_is_true(folded.evaluated) ? NULL : folded.evaluated,
                                         folded.passed, is_stricter});
    }
}

/* Under: whether no edge and no invariant of a template changes. */
static bool stays_whole(const struct abstraction *abstraction, const struct template *template) {
    const struct context *context = &abstraction->context;
    const struct blocked_channels *blocked = &abstraction->blocked;
    return context->templates && !context->templates[template->index] &&
           !context->rules->is_mixed && !context->rules->is_universal && !blocked->list.count &&
           !blocked->has_all;
}

static bool fold_model(struct abstraction *abstraction) {
    const struct model *model = abstraction->network->model;
    bool ok = true;
    if (abstraction->context.rules->is_mixed)
        abstraction->context.doubts = doubts_find(&abstraction->context);
    abstraction->folds.count = abstraction->invariants.count = abstraction->inexact.count = 0;
    abstraction->cell_doubts.count = 0;
    abstraction->edges_before = abstraction->edges_after = 0;
    abstraction->has_inexact_invariant = abstraction->context.has_other_reasons = false;
    abstraction->context.generated.count = abstraction->context.taken.count = 0;
    fold_memo_begin(&abstraction->memo, &abstraction->context);
    const char *disclaimer = abstraction->context.rules->disclaimer;
    if (disclaimer) abstraction_add_reason(abstraction, disclaimer);
    for (uint32_t i = 0; i < model->template_count; i++) {
        const struct template *template = model->templates[i];
        if (stays_whole(abstraction, template)) {
            abstraction->edges_before += template->edge_count;
            abstraction->edges_after += template->edge_count;
            continue;
        }
        if (ok && abstraction->context.rules->when_inexact && is_settled(abstraction)) break;
        ok &= fold_template(abstraction, template);
        fold_invariants(abstraction, template);
    }
    const struct request *request = abstraction->request;
    for (uint32_t i = 0; i < request->ghosts.count && abstraction->inexact.count; i++) {
        const char *why = cells_plan_why_not(abstraction->context.cells, request->ghosts.items[i]);
        if (why) abstraction_add_reason(abstraction, why);
    }
    return ok;
}

/* Whether a merge of numbers alone has few tuples of values. */
static bool has_few_tuples(const struct ghost *ghost) {
    enum { MOST = 4096 };
    uint64_t tuples = 1;
    for (uint32_t i = 0; i < ghost->cells.count; i++) {
        int64_t lower, upper;
        if (!data_range_of(ghost->cells.items[i].symbol->type, &lower, &upper)) return false;
        if (upper - lower >= MOST) return false;
        tuples *= (uint64_t)(upper - lower + 1);
        if (tuples > MOST) return false;
    }
    return true;
}

/* Finds the merges that are folded by cells; false (reported) if others are not wanted. Loops for
 * --stutter know residuals alone. */
static bool plan_cells(struct context *context, const struct abstract_options *options) {
    const struct request *request = context->request;
    bool *is_by_cells = ARENA_ARRAY(context->arena, bool, request->ghosts.count + 1);
    context->cells = options->stutters ? NULL : cells_plan_make(context);
    for (uint32_t i = 0; i < request->ghosts.count; i++)
        is_by_cells[i] = cells_plan_follows(context->cells, request->ghosts.items[i]);
    context->is_by_cells = is_by_cells;
    for (uint32_t i = 0; i < request->ghosts.count && options->by_cells_only; i++)
        if (!is_by_cells[i] && request->ghosts.items[i]->cells.count > 1 &&
            !has_few_tuples(request->ghosts.items[i]))
            return diag_error(context->diag, STATUS_UNSUPPORTED, 0,
                              "'%s' would be folded by values",
                              request->ghosts.items[i]->symbol->name);
    return true;
}

/* A3: what one ghost follows belongs together. */
static void relate_ghosts(const struct context *context, struct analysis_options *options) {
    const struct request *request = context->request;
    const struct network *network = context->network;
    VEC(struct slot_set) sets = {0};
    for (uint32_t i = 0; i < request->ghosts.count; i++) {
        const struct ghost *ghost = request->ghosts.items[i];
        if (context->is_by_cells[i] && !ghost->scope) continue; /* the way out is by values (S6) */
        for (uint32_t p = 0; ghost->template && p < network->process_count; p++) {
            const struct process *process = &network->processes[p];
            if (process->template != ghost->template) continue;
            uint32_t count = ghost->cells.count;
            uint32_t *slots = ARENA_ARRAY(request->arena, uint32_t, count);
            assert(count);
            for (uint32_t k = 0; k < count; k++)
                slots[k] =
                    network->slot_of[process->locals[ghost->cells.items[k].symbol->index].address +
                                     ghost->cells.items[k].offset];
            VEC_PUSH(request->arena, &sets, (struct slot_set){slots, count});
        }
    }
    options->related = sets.items;
    options->related_count = sets.count;
}

/* Calls what the options say is to be told, if anything. */
void abstraction_tell(const struct abstract_options *options, const char *stage) {
    if (options->tell) options->tell(stage);
}

static bool is_asked_again(const struct analysis_memo *memo, const bool *is_removed,
                           const struct analysis_options *options) {
    const struct analysis_options *asked = &memo->asked;
    assert(!options->is_must && !options->related_count);
    return memo->analysis && asked->approximation == options->approximation &&
           asked->budget == options->budget && asked->stays_modular == options->stays_modular &&
           !memcmp(memo->analysis->is_removed, is_removed,
                   memo->network->slot_count * sizeof *is_removed);
}

/* The analysis of the memo, if it is the one that is asked for; or it is that of the memo from now
 * on. */
static struct analysis *analyse_with(struct analysis_memo *memo, const bool *is_removed,
                                     const struct analysis_options *options, struct diag *diag) {
    const struct network *network = memo->network;
    if (is_asked_again(memo, is_removed, options)) return memo->analysis;
    memo->analysis = NULL;
    memo->asked = *options;
    arena_reset(&memo->arena);
    bool *copy = ARENA_ARRAY(&memo->arena, bool, network->slot_count + 1);
    memcpy(copy, is_removed, network->slot_count * sizeof *copy);
    memo->analysis = analyse(&memo->arena, network, copy, options, diag);
    return memo->analysis;
}

bool abstraction_open(struct abstraction *abstraction, struct arena *arena,
                      const struct network *network, const struct request *request,
                      const struct abstract_options *options, struct diag *diag) {
    *abstraction = (struct abstraction){.arena = arena,
                                        .network = network,
                                        .request = request,
                                        .explains = options->explains,
                                        .favours = options->favours};
    abstraction->ends_inexact = options->ends_inexact;
    abstraction->errors = options->analysis.errors;
    abstraction->assumes_live = options->assumes_live;
    double start = clock_seconds();
    if (!function_plan_make(&abstraction->functions, arena, network, request, diag)) return false;
    struct analysis_options analysis = options->analysis;
    analysis.is_must = rules_of(options->mode)->is_universal || rules_of(options->mode)->is_mixed;
    analysis.stays_modular = options->mode == MODE_LOWER; /* it looks at each template alone */
    analysis.has_ghosts = request->ghosts.count;
    context_init(&abstraction->context, arena, network, request, &abstraction->functions, NULL,
                 network->model->names, diag);
    abstraction->context.rules = rules_of(options->mode);
    if (!plan_cells(&abstraction->context, options)) return false;
    narrow_selects(&abstraction->context);
    bool is_narrowed = abstraction->context.narrowed.of.count > 0;
    analysis.narrowed = is_narrowed ? &abstraction->context.narrowed : NULL;
    relate_ghosts(&abstraction->context, &analysis);
    bool is_known = options->known && network_is_same(options->known->network, network) &&
                    (!analysis.is_must || options->known->options.is_must) &&
                    !analysis.related_count && !analysis.has_ghosts;
    if (is_known)
        abstraction->analysis = options->known;
    else if (options->memo && options->memo->network == network && !analysis.is_must &&
             !analysis.related_count && !analysis.has_ghosts)
        abstraction->analysis =
            analyse_with(options->memo, request->slot_is_removed, &analysis, diag);
    else
        abstraction->analysis = analyse(arena, network, request->slot_is_removed, &analysis, diag);
    if (!abstraction->analysis) return false;
    abstraction->analysis_seconds = clock_seconds() - start;
    abstraction->context.analysis = abstraction->analysis;
    bool is_wide = analysis.is_must || abstraction->context.rules->is_confined ||
                   abstraction->context.data.count; /* other templates may change as well */
    if (!is_wide) abstraction->context.templates = request_templates(request, network, arena);
    abstraction->context.unseen = unseen_find(&abstraction->context);
    abstraction->may_fail = unseen_may_fail(abstraction->context.unseen);
    return true;
}

bool abstraction_fold(struct abstraction *abstraction, const struct abstract_options *options) {
    struct context *context = &abstraction->context;
    const struct blocked_channels *blocked = &abstraction->blocked;
    context->rules = rules_of(options->mode);
    assert(!context->rules->is_universal || context->analysis->options.is_must);
    abstraction->blocked = (struct blocked_channels){0};
    abstraction->memo.is_off = options->folds_anew;
    if (!fold_model(abstraction)) return false;
    if (abstraction->inexact.count && context->rules->when_inexact) {
        context->rules = context->rules->when_inexact; /* this may show exactness */
        if (!fold_model(abstraction)) return false;
    }
    return (!blocked->list.count && !blocked->has_all) || fold_model(abstraction);
}

bool abstraction_fold_again(struct abstraction *abstraction, struct analysis *analysis,
                            const struct abstract_options *options) {
    assert(analysis->network == abstraction->network);
    abstraction->context.analysis = analysis;
    return abstraction_fold(abstraction, options);
}

bool abstraction_fold_by_meaning(struct abstraction *abstraction,
                                 const struct abstract_options *options) {
    struct context *context = &abstraction->context;
    if (context->has_other_reasons || rules_of(options->mode)->disclaimer) return true;
    context->is_by_meaning = true;
    return abstraction_fold(abstraction, options);
}

/* Frees heap memory after abstraction_open, which may have failed; folds stay in the arena. */
void abstraction_close(struct abstraction *abstraction) {
    failures_close(&abstraction->context);
    context_close(&abstraction->context);
}

/* U3: an invariant that got stronger must not exclude the initial state, or nothing is left. */

struct initial_state {
    const struct abstraction *abstraction;
    const struct process *process;
};

static bool is_initial(void *context, const struct symbol *location) {
    const struct initial_state *initial = context;
    return location->location == initial->process->template->initial;
}

/* Of a removed variable that a function gets as an argument (M2). */
static bool find_cell(void *context, const struct function *function, uint32_t number,
                      uint32_t *address) {
    const struct initial_state *initial = context;
    const struct function_change *change =
        function_change_of(initial->abstraction->context.functions, function);
    for (uint32_t i = 0; change && i < change->passed.count; i++) {
        const struct passed *passed = &change->passed.items[i];
        if (passed->passing == PASS_LOCAL || number--) continue;
        bool is_global = passed->symbol->scope == SCOPE_GLOBAL;
        *address = (is_global ? initial->abstraction->network->globals
                              : initial->process->locals)[passed->symbol->index]
                       .address;
        return passed->passing == PASS_VALUE;
    }
    return false;
}

const struct location *abstraction_excludes_initial(const struct abstraction *abstraction) {
    const struct network *network = abstraction->network;
    struct environment environment;
    const struct invariant_fold *broken = NULL;
    struct initial_state initial = {.abstraction = abstraction};
    network_environment(network, &environment, abstraction->arena);
    environment.is_at = is_initial;
    environment.clock_holds = clock_holds_at_first;
    environment.find_cell = find_cell;
    environment.context = &initial;
    for (uint32_t p = 0; p < network->process_count && !broken; p++)
        for (uint32_t i = 0; i < abstraction->invariants.count && !broken; i++) {
            const struct invariant_fold *fold = &abstraction->invariants.items[i];
            const struct process *process = &network->processes[p];
            if (fold->template != process->template || fold->location != process->template->initial)
                continue;
            environment.locals = process->locals;
            initial.process = process;
            if ((fold->invariant && !eval_int(&environment, fold->invariant)) ||
                (fold->passed && !eval_int(&environment, fold->passed)))
                broken = fold;
        }
    eval_close(&environment);
    return broken ? &broken->template->locations[broken->location] : NULL;
}
