/* Forms of edges and invariants: guards and synchronisations; update.c does the updates. */
#include "abstract/form.h"
#include "abstract/failure.h"
#include "abstract/fold.h"
#include "abstract/merge.h"
#include "abstract/request.h"
#include "abstract/restrict.h"
#include "expr/simplify.h"

void form_lose(struct form_context *context, struct form *form, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_vprintf(context->arena, format, arguments);
    va_end(arguments);
    for (uint32_t i = 0; i < form->losses.count; i++)
        if (str_is(str_of(form->losses.items[i]), text)) return;
    VEC_PUSH(context->arena, &form->losses, text);
}

bool form_is_branch(const struct form *form) {
    return form->edge && form->edge->leaves_branchpoint;
}

/* Compile-time evaluation must not look at slots. */
static int32_t read_constant(void *user, uint32_t address) {
    struct form_context *context = user;
    if (context->network->slot_of[address] != NO_SLOT) context->has_read_slot = true;
    return context->environment.cells[address];
}

void form_context_init(struct form_context *context, struct arena *arena,
                       const struct network *network, struct request *request,
                       const struct function_plan *functions, struct analysis *analysis,
                       struct interner *names, struct diag *diag) {
    *context = (struct form_context){.arena = arena,
                                     .network = network,
                                     .request = request,
                                     .functions = functions,
                                     .analysis = analysis,
                                     .names = names,
                                     .diag = diag};
    map_init(&context->unrolled, arena);
    for (uint32_t i = 0; i < network->before_update.list.count; i++)
        context->has_before_update |= network->before_update.list.items[i].writes;
    network_environment(network, &context->environment, arena);
    context->environment.tracked_count = network->cell_count;
    context->environment.read = read_constant;
    context->environment.context = context;
}

void form_context_close(struct form_context *context) {
    failures_close(context);
    eval_close(&context->environment);
}

static bool is_uniform(const struct form_context *context, const struct form *form,
                       const struct unknown *unknown) {
    const struct removal *removal = unknown->removal;
    uint32_t first = unknown->access ? 0 : unknown->offset;
    uint32_t end = unknown->access ? removal->shape->cell_count : first + 1;
    bool ok = true;
    for (uint32_t i = first; i < end && ok; i++)
        ok = analysis_is_uniform(context->analysis, form->template, form->location, removal->symbol,
                                 i);
    return ok;
}

bool facts_hold_for_unknowns(const struct form_context *context, const struct form *form) {
    uint64_t count = 1;
    if (context->analysis->options.approximation == APPROX_COMBINED) return false;
    for (uint32_t i = 0; i < form->unknowns.count; i++) {
        const struct unknown *unknown = form->unknowns.items[i];
        for (uint32_t k = 0; k < form->unknowns.count && unknown->access; k++)
            if (k != i && form->unknowns.items[k]->removal == unknown->removal) return false;
        uint64_t size = value_set_size(&unknown->values);
        if (size > FOLD_MAX_TUPLES || (count *= size) > FOLD_MAX_TUPLES) return false;
        if (!is_uniform(context, form, unknown)) return false;
    }
    return true;
}

/* The value analysis ran the guard for all values that it can meet, and it never failed. Else, a
 * disjunct that fails for one value could hide one that holds for another. */
static bool guard_never_fails(const struct form_context *context, const struct form *form) {
    if (!form->edge) return false;
    const struct edge_fact *fact =
        &context->analysis->edges[form->template->index][form->edge_index];
    return !fact->guard_faults && !fact->is_incomplete && facts_hold_for_unknowns(context, form);
}

static const char hidden_bounds[] = "what must hold for it names something hidden here";

static const struct expr *lose_conjunct(struct form_context *context, struct form *form,
                                        const char *what, const char *why) {
    form_lose(context, form, "a part of the %s is taken as true: %s", what, why);
    return NULL;
}

/* A conjunct that reads no removed variable, behind one that does. */
static const struct expr *visible_conjunct(struct form_context *context, struct form *form,
                                           const struct expr *guard, const char *what) {
    const char *unprotected = NULL;
    const struct expr *safe = protected_guard(context, guard, true, &unprotected);
    if (names_hidden(form, safe) && !names_hidden(form, guard)) unprotected = hidden_bounds;
    if (!unprotected) return safe;
    if (guard_never_fails(context, form)) return guard;
    return lose_conjunct(context, form, what, unprotected);
}

/* A conjunct that cannot be expressed is left out: a may-abstraction stays one. */
static const struct expr *rewrite_guard(struct form_context *context, struct form *form,
                                        const struct expr *guard, bool is_behind,
                                        const char *what) {
    if (!guard) return NULL;
    if (guard->kind == EXPR_BINARY && guard->op == OP_AND && expr_reads_removed(context, guard)) {
        bool is_right_behind = is_behind || expr_reads_removed(context, guard->child[0]);
        const struct expr *left = rewrite_guard(context, form, guard->child[0], is_behind, what);
        const struct expr *right =
            rewrite_guard(context, form, guard->child[1], is_right_behind, what);
        if (left == guard->child[0] && right == guard->child[1]) return guard;
        return build_and(context->arena, left, right);
    }
    if (!expr_reads_removed(context, guard))
        return is_behind ? visible_conjunct(context, form, guard, what) : guard;
    uint32_t unknowns = form->unknowns.count;
    struct rewriter rewriter = {
        .context = context, .form = form, .is_mid = form_is_branch(form), .is_certain = true};
    const struct expr *result = rewrite_read(&rewriter, guard);
    const char *unprotected = NULL;
    const struct expr *safe =
        rewriter.lost ? NULL : protected_guard(context, result, is_behind, &unprotected);
    if (names_hidden(form, safe)) unprotected = hidden_bounds;
    if (safe && !unprotected) return safe;
    if (safe && guard_never_fails(context, form)) return result;
    form->unknowns.count = unknowns;
    return lose_conjunct(context, form, what, rewriter.lost ? rewriter.lost : unprotected);
}

void form_of_invariant(struct form_context *context, const struct template *template,
                       uint32_t location, struct form *form) {
    const struct expr *invariant = template->locations[location].invariant;
    request_enter(context->request, template, location, location);
    *form = (struct form){.template = template, .location = location, .guard = invariant};
    form->is_restricted = invariant_is_restricted(context, template, location);
    form->touches = form->is_restricted || (invariant && expr_reads_removed(context, invariant));
    if (!form->touches) return;
    form->guard = rewrite_guard(context, form, invariant, false, "invariant");
    form_merge(context, form);
}

static bool symbol_is_broadcast(const struct form_context *context, const struct template *template,
                                const struct symbol *symbol) {
    const struct model *model = context->network->model;
    if (!symbol->is_reference) return (type_prefixes(symbol->type) & PREFIX_BROADCAST) != 0;
    for (uint32_t p = 0; p < context->network->process_count; p++) {
        const struct process *process = &context->network->processes[p];
        if (process->template != template) continue;
        uint32_t address = process->locals[symbol->index].address;
        for (uint32_t i = 0; i < model->symbol_count; i++) {
            const struct binding *binding = &context->network->globals[i];
            if (!binding->shape || address < binding->address ||
                address >= binding->address + binding->shape->cell_count)
                continue;
            if (type_prefixes(model->symbols[i]->type) & PREFIX_BROADCAST) return true;
        }
    }
    return false;
}

bool sync_is_broadcast(const struct form_context *context, const struct template *template,
                       const struct expr *sync) {
    if (!sync) return false;
    if (sync->kind == EXPR_COND)
        return sync_is_broadcast(context, template, sync->child[1]) ||
               sync_is_broadcast(context, template, sync->child[2]);
    const struct symbol *root = expr_root(sync);
    return root && symbol_is_broadcast(context, template, root);
}

bool form_receives_broadcast(const struct form_context *context, const struct form *form) {
    return !form->edge->is_send && sync_is_broadcast(context, form->template, form->edge->sync);
}

/* Where the guard was false, an error in the channel must not come up now: that of a broadcast
 * receiver would spoil the broadcast for all. */
static void protect_channel(struct form_context *context, struct form *form, const char **lost) {
    const struct edge *edge = form->edge;
    const char *unsaid = NULL;
    if (form->guard == edge->guard) return;
    const struct expr *condition = no_error_condition(context, form->sync, false, &unsaid);
    if (names_hidden(form, condition)) unsaid = "the bounds of its index are hidden here";
    if (!unsaid)
        form->guard = build_and(context->arena, form->guard, condition);
    else if (!context->is_must && form_receives_broadcast(context, form)) /* else, nobody sends */
        *lost = unsaid;
}

static bool form_sync(struct form_context *context, struct form *form) {
    const struct edge *edge = form->edge;
    form->sync = edge->sync;
    if (!edge->sync) return true;
    struct rewriter rewriter = {
        .context = context, .form = form, .is_mid = edge->leaves_branchpoint, .is_certain = true};
    if (expr_reads_removed(context, edge->sync)) form->sync = rewrite_read(&rewriter, edge->sync);
    if (!rewriter.lost && form->sync != edge->sync) {
        const struct expr *condition =
            no_error_condition(context, form->sync, true, &rewriter.lost);
        if (names_hidden(form, condition))
            rewriter.lost = "the bounds of its index are hidden here";
        form->guard = build_and(context->arena, form->guard, condition);
    }
    if (!rewriter.lost) protect_channel(context, form, &rewriter.lost);
    if (!rewriter.lost) return true;
    diag_error(context->diag, STATUS_UNSUPPORTED, edge->sync->span.begin,
               "this synchronisation cannot be rewritten: %s; remove less", rewriter.lost);
    return false;
}

static bool has_receiving_branch(const struct form_context *context,
                                 const struct template *template) {
    for (uint32_t i = 0; i < template->edge_count; i++) {
        const struct edge *edge = &template->edges[i];
        if (edge->leaves_branchpoint && !edge->is_send &&
            sync_is_broadcast(context, template, edge->sync))
            return true;
    }
    return false;
}

/* When a guard or channel behind a branchpoint is read, before the update of the edge that leads
 * there or after it, is not settled, so neither are the values it finds. And a broadcast receiver
 * behind one cannot decline (M3), as its guard is elsewhere. */
static bool check_branch(struct form_context *context, const struct template *template,
                         const struct edge *edge) {
    const struct expr *const labels[] = {edge->weight, edge->guard, edge->sync};
    static const char *const names[] = {"branch weight", "guard behind a branchpoint",
                                        "synchronisation behind a branchpoint"};
    for (int i = 0; i < 3 && edge->leaves_branchpoint; i++)
        if (labels[i] && expr_reads_removed(context, labels[i])) {
            diag_error(context->diag, STATUS_UNSUPPORTED, labels[i]->span.begin,
                       "this %s names a removed variable; remove less", names[i]);
            return false;
        }
    if (!edge->leaves_branchpoint && edge->target < template->location_count) return true;
    bool reads = expr_reads_removed(context, edge->guard);
    for (uint32_t i = 0; i < edge->updates.count; i++)
        reads |= expr_reads_removed(context, edge->updates.items[i]);
    if (!reads || !has_receiving_branch(context, template)) return true;
    diag_error(context->diag, STATUS_UNSUPPORTED, edge->xml->element->at,
               "this edge reads a removed variable, and a broadcast receiver may be behind the "
               "branchpoint; remove less");
    return false;
}

bool form_of_edge(struct form_context *context, const struct template *template, uint32_t index,
                  struct form *form) {
    const struct edge *edge = &template->edges[index];
    request_enter(context->request, template, edge->source, edge->source);
    *form = (struct form){.template = template,
                          .location = edge->source,
                          .edge = edge,
                          .edge_index = index,
                          .guard = edge->guard};
    const struct edge_effects *effects = &context->network->edge_effects[template->index][index];
    const struct effects *all[] = {&effects->guard, &effects->sync, &effects->update};
    form->touches = form->is_restricted = edge_is_restricted(context, template, index);
    for (int k = 0; k < 3; k++)
        for (uint32_t i = 0; i < all[k]->list.count; i++)
            if (request_find(context->request, all[k]->list.items[i].symbol)) form->touches = true;
    if (!check_branch(context, template, edge)) return false;
    const struct expr *guard = edge->guard;
    if (form->is_restricted) guard = restricted_guard(context, template, index, &form->restriction);
    form->guard = rewrite_guard(context, form, guard, false, "guard");
    if (!form_sync(context, form)) return false;
    request_enter(context->request, template, edge->source, edge->target);
    bool strengthens = context->strengthens;
    if (edge_crosses_scope(context->request, template, edge))
        context->strengthens = false; /* conditions would speak of the value before the edge */
    bool ok = form_update(context, form);
    context->strengthens = strengthens;
    form_scopes(context, form);
    if (ok) form_merge(context, form);
    return ok;
}
