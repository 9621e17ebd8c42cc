#include "abstract/claim/stutter.h"

#include "abstract/cells/plan.h"
#include "abstract/claim/staying.h"
#include "abstract/edge/open_edge.h"
#include "abstract/fold/output.h"
#include "expr/find.h"
#include "model/undocumented.h"

#include <assert.h>

/* Which locations get a loop */

struct loop_places {
    struct abstraction *abstraction;
    bool **is_inexact; /* by template index, location or branchpoint */
    bool is_anywhere;  /* an invariant: every process that takes part matters */
    bool has_partner;  /* some inexact location can synchronise */
};

static bool may_sync(const struct template *template, const struct edge *edge) {
    return edge->sync || edge->target >= template->location_count;
}

/* A branchpoint belongs to the locations that lead there. */
static void spread_back(const struct template *template, bool *is_inexact) {
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (uint32_t i = 0; i < template->edge_count; i++) {
            const struct edge *edge = &template->edges[i];
            if (edge->target < template->location_count || !is_inexact[edge->target] ||
                is_inexact[edge->source])
                continue;
            is_inexact[edge->source] = has_changed = true;
        }
    }
}

/* Whether no process waits for an edge, as it receives on a broadcast channel, and no sender is let
 * in by it, as one would be by a committed receiver. */
static bool is_listening(const struct template *template, const struct edge *edge) {
    const struct symbol *root = edge->sync ? expr_root(edge->sync) : NULL;
    return root && !edge->is_send && !root->is_reference &&
           !template->locations[edge->source].is_committed && !edge->leaves_branchpoint &&
           type_prefixes(root->type) & PREFIX_BROADCAST;
}

/* Whether what is not exact about a location may keep out a step; by_updates: as one that fails. */
static bool may_keep_out(const struct cells_plan *cells, const struct location_fold *fold,
                         bool by_updates) {
    if (!fold->fold.inexact.count || by_updates) return fold->fold.inexact.count > 0;
    for (uint32_t i = 0; i < fold->open_edge_count; i++) {
        const struct open_edge *open = fold->open_edges[i];
        bool touches_cells = cells_plan_edge(cells, fold->template, open->edge_index) != NULL;
        bool depends =
            open->inexact.count || expr_has_unknown(open->guard) || expr_has_unknown(open->sync);
        depends |= touches_cells && open->folded.differs;
        if (open->is_concerned && depends && !is_listening(fold->template, open->edge)) return true;
    }
    return false;
}

static void find_places(struct loop_places *places, struct abstraction *abstraction,
                        bool by_updates) {
    const struct model *model = abstraction->network->model;
    *places = (struct loop_places){.abstraction = abstraction};
    places->is_anywhere = abstraction->has_inexact_invariant;
    places->is_inexact = ARENA_ARRAY(abstraction->arena, bool *, model->template_count + 1);
    for (uint32_t t = 0; t < model->template_count; t++)
        places->is_inexact[t] = ARENA_ARRAY(abstraction->arena, bool,
                                            model->templates[t]->location_count +
                                                model->templates[t]->branchpoint_count + 1);
    for (uint32_t i = 0; i < abstraction->folds.count; i++) {
        const struct location_fold *fold = abstraction->folds.items[i];
        assert(fold->open_edge_count); /* where nothing leads on there is nothing to fold */
        if (may_keep_out(abstraction->context.cells, fold, by_updates))
            places->is_inexact[fold->template->index][fold->location] = true;
    }
    for (uint32_t t = 0; t < model->template_count; t++) {
        const struct template *template = model->templates[t];
        spread_back(template, places->is_inexact[t]);
        for (uint32_t i = 0; i < template->edge_count; i++)
            places->has_partner |= places->is_inexact[t][template->edges[i].source] &&
                                   may_sync(template, &template->edges[i]);
    }
}

static bool needs_loop(const struct loop_places *places, const struct template *template,
                       uint32_t location) {
    assert(location < template->location_count); /* branchpoints are passed within a step */
    if (!analysis_reaches(places->abstraction->analysis, template, location)) return false;
    if (places->is_inexact[template->index][location]) return true;
    bool is_partner = places->has_partner && template->locations[location].is_committed;
    for (uint32_t i = 0; i < template->edge_count; i++)
        if (template->edges[i].source == location &&
            (places->is_anywhere || (is_partner && may_sync(template, &template->edges[i]))))
            return true;
    return false;
}

/* Loops */

static void set_origin(struct output_edge *out, const struct open_edge *open, struct arena *arena) {
    out->origins = ARENA_NEW(arena, struct origin);
    out->origins[0] = (struct origin){.open = open};
    out->origin_count = 1;
}

/* A location whose edges stay what they are. */
static struct location_fold *unchanged_fold(struct abstraction *abstraction,
                                            const struct template *template, uint32_t location) {
    struct arena *arena = abstraction->arena;
    struct location_fold *fold = ARENA_NEW(arena, struct location_fold);
    struct open_edge **open_edges =
        ARENA_ARRAY(arena, struct open_edge *, template->edge_count + 1);
    *fold = (struct location_fold){
        .template = template, .location = location, .open_edges = open_edges};
    for (uint32_t i = 0; i < template->edge_count; i++) {
        const struct edge *edge = &template->edges[i];
        if (edge->source != location) continue;
        struct open_edge *open = open_edges[fold->open_edge_count++] =
            ARENA_NEW(arena, struct open_edge);
        *open = (struct open_edge){.template = template,
                                   .location = location,
                                   .edge = edge,
                                   .edge_index = i,
                                   .guard = edge->written_guard,
                                   .sync = edge->sync};
        struct output_edge out = {
            .base = open, .is_unchanged = true, .guard = edge->written_guard, .sync = edge->sync};
        set_origin(&out, open, arena);
        VEC_PUSH(arena, &fold->fold.edges, out);
    }
    return fold;
}

static void add_loop(struct staying *staying, struct abstraction *abstraction,
                     const struct template *template, uint32_t location) {
    struct location_fold *fold =
        (struct location_fold *)location_fold_of(abstraction, template, location);
    if (!fold) {
        fold = unchanged_fold(abstraction, template, location);
        VEC_PUSH(abstraction->arena, &abstraction->folds, fold);
    }
    assert(fold->open_edge_count && fold->location == location); /* one without needs no loop */
    const struct open_edge *base = fold->open_edges[0];
    struct output_edge out = {.base = base, .loop = LOOP_STUTTER};
    out.guard = staying_guard(staying, fold);
    if (expr_is_false(out.guard)) return;
    set_origin(&out, base, abstraction->arena);
    out.keeps_select = ARENA_ARRAY(abstraction->arena, bool, base->edge->select_count + 1);
    assert(base->edge->source == location);
    VEC_PUSH(abstraction->arena, &fold->fold.edges, out);
    abstraction->edges_after++;
}

/* What the loops rely on not to fail where that is not known, in steps that no loop is beside;
 * or NULL. */
static const char *relied_on(struct staying *staying, const struct abstraction *abstraction) {
    for (uint32_t i = 0; i < abstraction->folds.count; i++) {
        const struct location_fold *fold = abstraction->folds.items[i];
        for (uint32_t f = 0; f < fold->open_edge_count && fold->fold.inexact.count; f++)
            staying_relies_on(staying, fold->open_edges[f]);
    }
    return staying->may_fail;
}

/* The reason why loops cannot be added to a network, or NULL. */
static const char *obstacle(const struct network *network) {
    if (network->before_update.list.count || network->after_update.list.count)
        return "a loop would run before_update and after_update";
    if (!initial_state_is_valid(network)) return "the initial state violates an invariant";
    return NULL;
}

bool add_stutters(struct abstraction *abstraction, struct diag *diag) {
    const struct network *network = abstraction->network;
    struct loop_places places;
    struct staying staying = staying_of(abstraction, model_has_urgent_channel(network->model));
    bool fails = errors_known(abstraction->errors) == ERRORS_SOME;
    const char *problem = obstacle(network);
    assert(!abstraction->context.rules->is_universal); /* a must-abstraction may not stay */
    abstraction->stutters = true;
    abstraction->stutters_at_errors = fails;
    if (abstraction->is_exact) return true;
    if (problem)
        return diag_error(diag, STATUS_UNSUPPORTED, network->model->system_span.begin,
                          "--stutter cannot be done here: %s", problem);
    find_places(&places, abstraction, fails || staying.sure.hindrance.has_invariants);
    for (uint32_t t = 0; t < network->model->template_count; t++)
        for (uint32_t l = 0; l < network->model->templates[t]->location_count; l++)
            if (needs_loop(&places, network->model->templates[t], l))
                add_loop(&staying, abstraction, network->model->templates[t], l);
    if (!abstraction->may_fail) abstraction->may_fail = relied_on(&staying, abstraction);
    return true;
}

bool doubtful_places_find(struct abstraction *abstraction, struct doubtful_places *places) {
    const struct network *network = abstraction->network;
    struct loop_places needed;
    struct staying staying = staying_of(abstraction, model_has_urgent_channel(network->model));
    if (obstacle(network)) return false;
    find_places(&needed, abstraction,
                errors_known(abstraction->errors) == ERRORS_SOME ||
                    staying.sure.hindrance.has_invariants);
    for (uint32_t t = 0; t < network->model->template_count; t++) {
        const struct template *template = network->model->templates[t];
        for (uint32_t l = 0; l < template->location_count; l++) {
            const struct location_fold *fold = location_fold_of(abstraction, template, l);
            if (!analysis_reaches(abstraction->analysis, template, l)) continue;
            if (!fold) fold = unchanged_fold(abstraction, template, l);
            if (fold->open_edge_count)
                VEC_PUSH(abstraction->arena, &places->list,
                         (struct doubtful_place){template, l, staying_guard(&staying, fold),
                                                 needs_loop(&needed, template, l)});
        }
    }
    places->may_fail = relied_on(&staying, abstraction);
    return true;
}
