#include "abstract/guarantee.h"

#include "model/unclear.h"

/* Processes that can always move */

/* What can be said of one model: the original, or for must the abstract one. */
struct mover {
    const struct abstraction *abstraction;
    bool is_output;
    struct effects invariants; /* what they read, and the hooks write */
    bool hooks_matter;         /* a step may break an invariant by a hook */
};

static bool writes_any(const struct effects *effects, const struct effects *read) {
    for (uint32_t i = 0; i < effects->list.count; i++)
        for (uint32_t k = 0; k < read->list.count && effects->list.items[i].writes; k++)
            if (symbols_may_alias(effects->list.items[i].symbol, read->list.items[k].symbol))
                return true;
    return false;
}

static void mover_init(struct mover *mover, const struct abstraction *abstraction, bool is_output) {
    const struct network *network = abstraction->network;
    struct effects_table *table = (struct effects_table *)&network->effects;
    *mover = (struct mover){.abstraction = abstraction, .is_output = is_output};
    for (uint32_t t = 0; t < network->model->template_count; t++) {
        const struct template *template = network->model->templates[t];
        for (uint32_t l = 0; l < template->location_count; l++)
            if (template->locations[l].invariant)
                effects_add_expr(table, &mover->invariants, template->locations[l].invariant);
    }
    mover->hooks_matter = writes_any(&network->before_update, &mover->invariants) ||
                          writes_any(&network->after_update, &mover->invariants);
}

static bool selects_are_possible(const struct abstraction *abstraction, const struct edge *edge) {
    struct environment environment;
    bool ok = true;
    struct arena scratch;
    if (!edge->select_count) return true;
    arena_init(&scratch);
    network_environment(abstraction->network, &environment, &scratch);
    for (uint32_t i = 0; i < edge->select_count && ok; i++)
        ok = eval_shape(&environment, edge->selects[i]->type) && !environment.fault.kind;
    eval_close(&environment);
    arena_close(&scratch);
    return ok;
}

/* Whether the step of an internal edge is possible wherever its guard holds and no process is
 * committed elsewhere: no invariant can keep it out. */
static bool is_unhindered(const struct mover *mover, const struct template *template,
                          uint32_t index) {
    const struct edge *edge = &template->edges[index];
    const struct effects *update =
        &mover->abstraction->network->edge_effects[template->index][index].update;
    if (edge->sync || edge->target >= template->location_count || mover->hooks_matter) return false;
    if (edge->target != edge->source && template->locations[edge->target].invariant) return false;
    return !writes_any(update, &mover->invariants) &&
           selects_are_possible(mover->abstraction, edge);
}

static const struct location_fold *fold_of(const struct abstraction *abstraction,
                                           const struct template *template, uint32_t location) {
    for (uint32_t i = 0; i < abstraction->folds.count; i++) {
        const struct location_fold *fold = abstraction->folds.items[i];
        if (fold->template == template && fold->location == location) return fold;
    }
    return NULL;
}

/* Whether a process can always leave the location, or loop there, by itself. */
static bool always_moves(const struct mover *mover, const struct template *template,
                         uint32_t location) {
    const struct location_fold *fold =
        mover->is_output ? fold_of(mover->abstraction, template, location) : NULL;
    for (uint32_t i = 0; fold && i < fold->fold.edges.count; i++) {
        const struct output_edge *out = &fold->fold.edges.items[i];
        if (!out->is_decline && expr_is_true(out->guard) && !out->select_count &&
            is_unhindered(mover, template, out->base->edge_index))
            return true;
    }
    for (uint32_t i = 0; !fold && i < template->edge_count; i++)
        if (template->edges[i].source == location && expr_is_true(template->edges[i].guard) &&
            is_unhindered(mover, template, i))
            return true;
    return false;
}

enum mark { MARK_ANY, MARK_URGENT, MARK_COMMITTED };

static bool is_marked(const struct location *location, enum mark mark) {
    return mark == MARK_ANY || (mark == MARK_URGENT ? location->is_urgent : location->is_committed);
}

/* Whether a process of the template can always move in all locations of a kind. */
static bool moves_in(const struct mover *mover, const struct template *template, enum mark mark) {
    for (uint32_t l = 0; l < template->location_count; l++)
        if (is_marked(&template->locations[l], mark) &&
            analysis_reaches(mover->abstraction->analysis, template, l) &&
            !always_moves(mover, template, l))
            return false;
    return true;
}

static bool all_move_in(const struct mover *mover, enum mark mark) {
    const struct network *network = mover->abstraction->network;
    for (uint32_t p = 0; p < network->process_count; p++)
        if ((!p || network->processes[p].template != network->processes[p - 1].template) &&
            !moves_in(mover, network->processes[p].template, mark))
            return false;
    return true;
}

/* A process that can move in every location, or NULL. */
static const struct process *restless(const struct mover *mover) {
    const struct network *network = mover->abstraction->network;
    for (uint32_t p = 0; p < network->process_count; p++)
        if ((!p || network->processes[p].template != network->processes[p - 1].template) &&
            moves_in(mover, network->processes[p].template, MARK_ANY))
            return &network->processes[p];
    return NULL;
}

/* Whether some step is possible in every reachable state or, under uppaal, in every one with an
 * urgent or committed location. Where somebody is committed, he can move; otherwise a restless
 * process can, or whoever is urgent. */
static bool never_stuck(const struct abstraction *abstraction, bool is_output,
                        enum path_semantics semantics, const char **reason) {
    struct mover mover;
    if (!initial_state_is_valid(abstraction->network)) return false;
    mover_init(&mover, abstraction, is_output);
    if (!all_move_in(&mover, MARK_COMMITTED)) return false;
    const struct process *process = restless(&mover);
    if (!process && (semantics == PATH_KRIPKE || !all_move_in(&mover, MARK_URGENT))) return false;
    *reason = process ? arena_printf(abstraction->arena, "%s can always move, so %s is never stuck",
                                     process->name, is_output ? "this model" : "the original")
                      : "whoever is at an urgent or committed location can move";
    return true;
}

/* Urgent channels: the idle states of both models are the same if the steps on them are. */

static bool has_urgent_channel(const struct model *model) {
    for (uint32_t i = 0; i < model->symbol_count; i++)
        if (symbol_is_channel(model->symbols[i]) &&
            type_prefixes(model->symbols[i]->type) & PREFIX_URGENT)
            return true;
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t i = 0; i < model->templates[t]->symbol_count; i++)
            if (symbol_is_channel(model->templates[t]->symbols[i]) &&
                type_prefixes(model->templates[t]->symbols[i]->type) & PREFIX_URGENT)
                return true;
    return false;
}

/* Reference parameters are as urgent as what may be passed to them. */
static bool may_be_urgent(const struct expr *sync) {
    const struct symbol *root = sync ? expr_root(sync) : NULL;
    return sync && (!root || type_prefixes(root->type) & PREFIX_URGENT);
}

/* Whether a step on an urgent channel may be possible in one of the models alone. */
static bool changes_urgency(const struct abstraction *abstraction) {
    if (!has_urgent_channel(abstraction->network->model)) return false;
    if (abstraction->drops_priorities || abstraction->loses_invariant) return true;
    for (uint32_t i = 0; i < abstraction->folds.count; i++) {
        const struct location_fold *fold = abstraction->folds.items[i];
        bool is_branch = fold->location >= fold->template->location_count;
        for (uint32_t f = 0; f < fold->form_count && fold->fold.losses.count; f++) {
            const struct edge *edge = fold->forms[f]->edge;
            if (is_branch || edge->target >= fold->template->location_count ||
                may_be_urgent(edge->sync))
                return true;
        }
    }
    return false;
}

static bool has_marked_location(const struct network *network) {
    for (uint32_t p = 0; p < network->process_count; p++)
        for (uint32_t l = 0; l < network->processes[p].template->location_count; l++) {
            const struct location *location = &network->processes[p].template->locations[l];
            if (location->is_urgent || location->is_committed) return true;
        }
    return false;
}

/* Whether runs end alike */

static bool say(struct carry *carry, const char *reason, const char *help) {
    carry->reason = reason;
    carry->help = help;
    return help == NULL;
}

static bool is_live(const struct explored *explored) {
    return explored->is_known && !explored->deadlocks && !explored->errors;
}

bool runs_end_alike(const struct guarantees *guarantees, const struct abstraction *abstraction,
                    enum path_semantics semantics, struct carry *carry) {
    bool is_must = abstraction->context.is_must, is_uppaal = semantics == PATH_UPPAAL;
    const struct explored *explored = is_must ? &guarantees->output : &guarantees->original;
    const char *reason;
    if (abstraction->is_exact) return say(carry, "the abstraction is exact", NULL);
    if (is_uppaal && changes_urgency(abstraction))
        return is_must
                   ? say(carry,
                         "time may pass for ever here where the original has a step on an urgent "
                         "channel",
                         "a run that ends in a loop (`varabs check --trace`) carries over")
                   : say(carry,
                         "time may pass for ever in the original where this model has a step on an "
                         "urgent channel",
                         "remove less");
    if (is_uppaal && !has_marked_location(abstraction->network))
        return say(carry, "time may pass for ever in the same states of both models", NULL);
    if (never_stuck(abstraction, is_must, semantics, &reason)) return say(carry, reason, NULL);
    if (is_live(explored))
        return say(carry,
                   is_must ? "an exploration found no deadlock in this model"
                           : "an exploration found no deadlock in the original",
                   NULL);
    if (is_must)
        return say(carry, "this model may get stuck where the original goes on",
                   "a run that ends in a loop (`varabs check --trace`) carries over; a result of "
                   "`varabs check --full --json` for this model without deadlocks, given with "
                   "--checked, would do for all runs");
    return say(carry, "the original may get stuck where this model goes on",
               "a result of `varabs check --full --json` for the original without deadlocks, "
               "given with --checked");
}

/* The table */

static bool has_deadlock(const struct expr *expr) {
    if (!expr) return false;
    if (expr->kind == EXPR_DEADLOCK) return true;
    for (int i = 0; i < 3; i++)
        if (has_deadlock(expr->child[i])) return true;
    return false;
}

static bool mentions_deadlock(const struct query *query) {
    bool has = has_deadlock(query->predicate);
    for (uint32_t i = 0; i < query->expr_count; i++) has |= has_deadlock(query->exprs[i]);
    return has;
}

static bool is_lost(const struct abstraction *abstraction, const struct query *query) {
    uint32_t index = (uint32_t)(query - abstraction->network->model->queries);
    for (uint32_t i = 0; i < abstraction->lost_queries.count; i++)
        if (abstraction->lost_queries.items[i] == index) return true;
    return false;
}

/* Under both semantics alike. */
static void set_both(struct guarantee *guarantee, bool satisfied, bool violated, const char *reason,
                     const char *help) {
    for (int i = 0; i < PATH_COUNT; i++)
        guarantee->carry[i] = (struct carry){satisfied, violated, reason, help};
}

static void set_liveness(struct guarantee *guarantee, const struct guarantees *guarantees,
                         const struct abstraction *abstraction) {
    bool is_potentially = guarantee->query->quantifier == QUERY_POTENTIALLY;
    for (int i = 0; i < PATH_COUNT; i++) {
        struct carry *carry = &guarantee->carry[i];
        bool is_alike = runs_end_alike(guarantees, abstraction, (enum path_semantics)i, carry);
        bool carries_satisfied = is_potentially == abstraction->context.is_must;
        carry->satisfied = is_alike && (carries_satisfied || abstraction->is_exact);
        carry->violated = is_alike && (!carries_satisfied || abstraction->is_exact);
    }
}

static void set_bounds(struct guarantee *guarantee, bool is_must) {
    static const enum bound bounds[] = {BOUND_UPPER, BOUND_LOWER, BOUND_ENCLOSES};
    static const enum bound opposite[] = {BOUND_LOWER, BOUND_UPPER, BOUND_ENCLOSED};
    uint32_t kind = guarantee->query->quantifier - QUERY_SUP;
    guarantee->bound = (is_must ? opposite : bounds)[kind];
    set_both(guarantee, false, false,
             is_must ? "the original has these values and perhaps more"
                     : "the values here enclose those of the original",
             NULL);
}

static void set_reachability(struct guarantee *guarantee, bool is_must) {
    bool is_always = guarantee->query->quantifier == QUERY_ALWAYS;
    const char *help = is_must ? "a may-abstraction can show the opposite verdict"
                               : "`varabs check --concretize` says whether a run of this model is "
                                 "one of the original";
    if (is_must)
        set_both(guarantee, !is_always, is_always,
                 is_always ? "every reachable state of this model is in the original"
                           : "what is reachable here is in the original, too",
                 help);
    else
        set_both(guarantee, is_always, !is_always,
                 is_always ? "every reachable state of the original is here, too"
                           : "what is not reachable here is not in the original",
                 help);
}

static void fill(struct guarantee *guarantee, const struct guarantees *guarantees,
                 const struct abstraction *abstraction) {
    const struct query *query = guarantee->query;
    enum quantifier quantifier = query->quantifier;
    bool is_must = abstraction->context.is_must;
    bool is_bounds = quantifier >= QUERY_SUP && quantifier <= QUERY_BOUNDS;
    if (quantifier == QUERY_INVALID)
        set_both(guarantee, false, false, "the query cannot be read", NULL);
    else if (is_lost(abstraction, query))
        set_both(guarantee, false, false, "it names a removed variable",
                 "keep what the query names");
    else if (abstraction->context.lower)
        set_both(guarantee, false, false, "the lower construction guarantees nothing",
                 "`varabs certify --must` may show that it is a must-abstraction");
    else if (abstraction->is_exact)
        set_both(guarantee, true, true, "the abstraction is exact", NULL);
    else if (mentions_deadlock(query))
        set_both(guarantee, false, false,
                 is_must ? "deadlocks can appear in a must-abstraction"
                         : "deadlocks can vanish in a may-abstraction",
                 "remove less, so that the abstraction is exact");
    else if (is_bounds)
        set_bounds(guarantee, is_must);
    else if (quantifier == QUERY_ALWAYS || quantifier == QUERY_POSSIBLY)
        set_reachability(guarantee, is_must);
    else
        set_liveness(guarantee, guarantees, abstraction);
    if (is_bounds && guarantee->carry[PATH_KRIPKE].satisfied) guarantee->bound = BOUND_EXACT;
}

void guarantees_make(struct guarantees *guarantees, const struct abstraction *abstraction) {
    const struct model *model = abstraction->network->model;
    for (uint32_t i = 0; i < model->query_count; i++) {
        struct guarantee guarantee = {.query = &model->queries[i]};
        if (guarantee.query->quantifier == QUERY_EMPTY) continue;
        fill(&guarantee, guarantees, abstraction);
        VEC_PUSH(abstraction->arena, &guarantees->list, guarantee);
    }
}
