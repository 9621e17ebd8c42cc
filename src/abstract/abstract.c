#include "abstract/abstract.h"

#include "abstract/cells.h"
#include "abstract/channel.h"
#include "abstract/context.h"
#include "abstract/failure.h"
#include "abstract/function.h"
#include "abstract/guards.h"
#include "abstract/lower.h"
#include "abstract/merge.h"
#include "abstract/open.h"
#include "abstract/open_edge.h"
#include "abstract/prune.h"
#include "abstract/request.h"
#include "abstract/scope.h"
#include "abstract/stutter.h"
#include "base/clock.h"
#include "expr/find.h"
#include "lang/syntax/walk.h"

const char *abstract_mode(const struct abstract_options *options) {
    return options->is_lower ? "must-lower" : options->analysis.is_must ? "must" : "may";
}

static void add_reason(struct abstraction *abstraction, const char *reason) {
    for (uint32_t i = 0; i < abstraction->inexact.count; i++)
        if (str_is(str_of(reason), abstraction->inexact.items[i])) return;
    VEC_PUSH(abstraction->arena, &abstraction->inexact, reason);
}

static void take_losses(struct abstraction *abstraction, const struct fold *fold) {
    for (uint32_t i = 0; i < fold->losses.count; i++)
        add_reason(abstraction, fold->losses.items[i]);
}

static bool edge_touches(const struct abstraction *abstraction, const struct template *template,
                         uint32_t index) {
    const struct edge_effects *effects =
        &abstraction->network->edge_effects[template->index][index];
    const struct effects *all[] = {&effects->guard, &effects->sync, &effects->update};
    const struct edge *edge = &template->edges[index];
    request_enter(abstraction->request, template, edge->source, edge->source);
    for (int k = 0; k < 3; k++)
        for (uint32_t i = 0; i < all[k]->list.count; i++)
            if (request_find(abstraction->request, all[k]->list.items[i].symbol)) return true;
    if (edge_crosses_scope(abstraction->request, template, edge)) return true;
    if (edge_is_restricted(&abstraction->context, template, index)) return true;
    if (abstraction->context.lower && lower_concerns(abstraction->context.lower, template, edge))
        return true;
    if (abstraction->context.is_must &&
        edge_is_blocked(&abstraction->context, template, &template->edges[index]))
        return true;
    const struct expr *weight = template->edges[index].weight;
    return weight && expr_reads_removed(&abstraction->context, weight);
}

static bool fold_one_location(struct abstraction *abstraction, const struct template *template,
                              uint32_t location, const uint32_t *edges, uint32_t count) {
    struct form **forms = ARENA_ARRAY(abstraction->arena, struct form *, count);
    bool ok = true;
    for (uint32_t i = 0; i < count; i++) {
        forms[i] = ARENA_NEW(abstraction->arena, struct form);
        ok &= form_of_edge(&abstraction->context, template, edges[i], forms[i]);
    }
    if (!ok) return false;
    struct location_fold *fold = ARENA_NEW(abstraction->arena, struct location_fold);
    *fold = (struct location_fold){
        .template = template, .location = location, .forms = forms, .form_count = count};
    fold_location(&abstraction->context, forms, count, &fold->fold);
    take_losses(abstraction, &fold->fold);
    VEC_PUSH(abstraction->arena, &abstraction->folds, fold);
    abstraction->edges_after += fold->fold.edges.count;
    abstraction->edges_after -= count;
    return true;
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
    for (uint32_t location = 0; location < locations; location++) {
        bool touches = false;
        for (uint32_t i = first[location]; i < first[location + 1]; i++)
            touches |= edge_touches(abstraction, template, edges[i]);
        if (touches)
            ok &= fold_one_location(abstraction, template, location, edges + first[location],
                                    first[location + 1] - first[location]);
    }
    return ok;
}

static void fold_invariants(struct abstraction *abstraction, const struct template *template) {
    for (uint32_t i = 0; i < template->location_count; i++) {
        struct form form;
        struct fold fold = {0};
        if (!template->locations[i].invariant) continue;
        form_of_invariant(&abstraction->context, template, i, &form);
        if (!form.touches) continue;
        const struct expr *invariant = fold_invariant(&abstraction->context, &form, &fold);
        take_losses(abstraction, &fold);
        bool is_blocking = abstraction->analysis->invariant_blocks[template->index][i];
        bool is_lost = fold.losses.count || form.is_restricted;
        abstraction->loses_invariant |= is_blocking || is_lost;
        if (is_blocking)
            add_reason(abstraction,
                       arena_printf(abstraction->arena,
                                    "%s: the invariant of %s keeps steps out by a removed value",
                                    template->symbol->name, template->locations[i].name));
        VEC_PUSH(abstraction->arena, &abstraction->invariants,
                 (struct invariant_fold){template, i, expr_is_true(invariant) ? NULL : invariant,
                                         is_lost});
    }
}

static bool fold_model(struct abstraction *abstraction) {
    const struct model *model = abstraction->network->model;
    bool ok = true;
    abstraction->folds.count = abstraction->invariants.count = abstraction->inexact.count = 0;
    abstraction->edges_before = abstraction->edges_after = 0;
    abstraction->loses_invariant = false;
    abstraction->context.generated.count = abstraction->context.taken.count = 0;
    if (abstraction->context.lower)
        add_reason(abstraction, "the paper's lower construction guarantees nothing");
    for (uint32_t i = 0; i < model->template_count; i++) {
        ok &= fold_template(abstraction, model->templates[i]);
        fold_invariants(abstraction, model->templates[i]);
    }
    request_leave(abstraction->request);
    return ok;
}

/* M5. */
static bool check_priorities(struct abstraction *abstraction,
                             const struct abstract_options *options, struct diag *diag) {
    if (!abstraction->network->has_priorities || abstraction->is_exact) return true;
    if (options->analysis.is_must || options->is_lower) {
        diag_error(diag, STATUS_UNSUPPORTED, abstraction->network->model->system_span.begin,
                   "the model has priorities and the removal is not exact (%s): an edge that goes "
                   "could uncover a step of lower priority; remove less",
                   abstraction->inexact.items[0]);
        return false;
    }
    abstraction->drops_priorities = options->drops_priorities;
    if (options->drops_priorities) {
        add_reason(abstraction, "the priorities are dropped");
        return true;
    }
    diag_error(diag, STATUS_UNSUPPORTED, abstraction->network->model->system_span.begin,
               "the model has priorities and the removal is not exact (%s): an edge that is added "
               "could hide a step of lower priority; use --drop-priorities or remove less",
               abstraction->inexact.items[0]);
    return false;
}

/* U3: an invariant that got stronger must not exclude the initial state, or nothing is left. */

static bool is_initial(void *context, const struct symbol *location) {
    const struct process *process = context;
    return location->location == process->template->initial;
}

const struct location *abstraction_excludes_initial(const struct abstraction *abstraction) {
    const struct network *network = abstraction->network;
    struct environment environment;
    const struct invariant_fold *broken = NULL;
    network_environment(network, &environment, abstraction->arena);
    environment.is_at = is_initial;
    for (uint32_t p = 0; p < network->process_count && !broken; p++)
        for (uint32_t i = 0; i < abstraction->invariants.count && !broken; i++) {
            const struct invariant_fold *fold = &abstraction->invariants.items[i];
            const struct process *process = &network->processes[p];
            if (fold->template != process->template ||
                fold->location != process->template->initial || !fold->invariant)
                continue;
            environment.locals = process->locals;
            environment.context = &network->processes[p];
            if (!eval_int(&environment, fold->invariant)) broken = fold;
        }
    eval_close(&environment);
    return broken ? &broken->template->locations[broken->location] : NULL;
}

static bool check_initial(const struct abstraction *abstraction, struct diag *diag) {
    const struct location *location =
        abstraction->context.is_must ? abstraction_excludes_initial(abstraction) : NULL;
    if (!location) return true;
    diag_error(diag, STATUS_UNSUPPORTED, location->invariant->span.begin,
               "this invariant depends on removed variables, and what is left of it for a "
               "must-abstraction excludes the initial state: remove less");
    return false;
}

/* Variables named by queries, progress measures and gantt entries (M9). */

struct name_search {
    struct abstraction *abstraction;
    const char *variable;
};

static const char *name_of(const struct abstraction *abstraction, const struct symbol *symbol) {
    return variable_name(abstraction->arena,
                         request_find_any(abstraction->request, symbol)->template, symbol);
}

static bool names_removed(void *user, const struct expr *expr) {
    struct name_search *search = user;
    const struct request *request = search->abstraction->request;
    if (expr->kind == EXPR_CALL && expr->symbol && expr->symbol->function) {
        const struct effects *effects = effects_of_function(
            (struct effects_table *)&search->abstraction->network->effects, expr->symbol->function);
        for (uint32_t i = 0; i < effects->list.count; i++)
            if (request_find_any(request, effects->list.items[i].symbol))
                search->variable = name_of(search->abstraction, effects->list.items[i].symbol);
    }
    if (expr->kind != EXPR_NAME && expr->kind != EXPR_INDEX && expr->kind != EXPR_FIELD)
        return !search->variable;
    const struct symbol *root = expr_root(expr);
    const struct removal *removal = root ? request_find_any(request, root) : NULL;
    if (!removal) return !search->variable;
    /* A visible part of a partly removed variable may stay. */
    const struct expr *bottom = expr;
    for (; bottom->kind == EXPR_INDEX || (bottom->kind == EXPR_FIELD && !bottom->symbol);
         bottom = bottom->child[0])
        if (bottom->kind == EXPR_INDEX) walk_expr(bottom->child[1], names_removed, search);
    if (removal->is_whole || bottom->kind != EXPR_NAME ||
        path_may_be_removed(&search->abstraction->context, removal, expr, NULL))
        search->variable = name_of(search->abstraction, root);
    return false;
}

const char *abstraction_removed_in(struct abstraction *abstraction, const struct expr *expr) {
    struct name_search search = {abstraction, NULL};
    walk_expr(expr, names_removed, &search);
    return search.variable;
}

static void add_loss(struct abstraction *abstraction, struct span span, const char *what,
                     const char *text, const char *variable, struct diag *diag) {
    VEC_PUSH(abstraction->arena, &abstraction->losses, (struct loss){span, what, text, variable});
    diag_warning(diag, span.begin, "this %s names '%s', which is removed: %s", what, variable,
                 text ? "its formula moves into its comment" : "it goes, too");
}

static void find_losses(struct abstraction *abstraction, struct diag *diag) {
    const struct model *model = abstraction->network->model;
    for (uint32_t i = 0; i < model->query_count; i++) {
        const struct query *query = &model->queries[i];
        const char *variable = abstraction_removed_in(abstraction, query->predicate);
        for (uint32_t k = 0; k < query->expr_count && !variable; k++)
            variable = abstraction_removed_in(abstraction, query->exprs[k]);
        if (!variable || query->quantifier == QUERY_INVALID || query_rewrite(abstraction, i))
            continue;
        VEC_PUSH(abstraction->arena, &abstraction->lost_queries, i);
        add_loss(abstraction, query->span, "query", query->xml->formula->text.content.data,
                 variable, diag);
    }
    for (uint32_t i = 0; i < model->progress_count; i++) {
        const struct progress_measure *entry = &model->progress[i];
        const char *variable = abstraction_removed_in(abstraction, entry->guard);
        if (!variable) variable = abstraction_removed_in(abstraction, entry->measure);
        if (variable) add_loss(abstraction, entry->span, "progress measure", NULL, variable, diag);
    }
    for (uint32_t i = 0; i < model->gantt_count; i++) {
        const char *variable = NULL;
        for (uint32_t k = 0; k < model->gantt[i].expr_count && !variable; k++)
            variable = abstraction_removed_in(abstraction, model->gantt[i].exprs[k]);
        if (variable)
            add_loss(abstraction, model->gantt[i].span, "gantt entry", NULL, variable, diag);
    }
}

/* A3: what one merge reads belongs together. */
static void relate(const struct request *request, const struct network *network,
                   struct analysis_options *options) {
    VEC(struct slot_set) sets = {0};
    for (uint32_t i = 0; i < request->ghosts.count; i++) {
        const struct ghost *ghost = request->ghosts.items[i];
        for (uint32_t p = 0; ghost->template && p < network->process_count; p++) {
            const struct process *process = &network->processes[p];
            if (process->template != ghost->template) continue;
            uint32_t count = ghost->cells.count;
            uint32_t *slots = ARENA_ARRAY(request->arena, uint32_t, count);
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

bool abstraction_fold(struct abstraction *abstraction, const struct abstract_options *options) {
    if (!fold_model(abstraction)) return false;
    bool is_again = options->analysis.is_must
                        ? abstraction->context.blocked.count || abstraction->context.blocks_all
                        : abstraction->inexact.count > 0 && !options->is_lower;
    if (!is_again) return true;
    abstraction->context.strengthens = !options->analysis.is_must; /* may show exactness */
    return fold_model(abstraction);
}

bool abstraction_open(struct abstraction *abstraction, struct arena *arena,
                      const struct network *network, struct request *request,
                      const struct abstract_options *options, struct diag *diag) {
    *abstraction = (struct abstraction){
        .arena = arena, .network = network, .request = request, .explains = options->explains};
    double start = clock_seconds();
    if (!function_plan_make(&abstraction->functions, arena, network, request, diag)) return false;
    struct analysis_options analysis = options->analysis;
    relate(request, network, &analysis);
    abstraction->analysis = analyse(arena, network, request->slot_is_removed, &analysis, diag);
    if (!abstraction->analysis) return false;
    abstraction->analysis_seconds = clock_seconds() - start;
    form_context_init(&abstraction->context, arena, network, request, &abstraction->functions,
                      abstraction->analysis, network->model->names, diag);
    abstraction->context.is_must = options->analysis.is_must;
    return true;
}

bool abstraction_make(struct abstraction *abstraction, struct arena *arena,
                      const struct network *network, struct request *request,
                      const struct abstract_options *options, struct diag *diag) {
    if (!abstraction_open(abstraction, arena, network, request, options, diag)) return false;
    double analysed = clock_seconds();
    if (!merges_fit(&abstraction->context)) return false;
    if (options->is_lower && !lower_make(&abstraction->context)) return false;
    bool ok = abstraction_fold(abstraction, options) && !diag->error_count;
    if (ok && options->analysis.is_must && !options->is_lower)
        ok = prune_must(abstraction, options);
    abstraction->is_exact = abstraction->inexact.count == 0;
    abstraction->fold_seconds = clock_seconds() - analysed;
    if (!ok || !check_priorities(abstraction, options, diag) || !check_initial(abstraction, diag))
        return false;
    if (options->stutters && !add_stutters(abstraction, diag)) return false;
    find_losses(abstraction, diag);
    double folded = clock_seconds();
    generate_output(abstraction);
    abstraction->write_seconds = clock_seconds() - folded;
    return true;
}

void abstraction_close(struct abstraction *abstraction) {
    failures_close(&abstraction->context);
    form_context_close(&abstraction->context);
}
