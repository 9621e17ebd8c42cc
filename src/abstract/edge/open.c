/* Guards and synchronisations; update.c does the updates. */
#include "abstract/edge/open.h"

#include "abstract/edge/error.h"
#include "abstract/edge/express.h"
#include "abstract/edge/read.h"
#include "abstract/edge/unknown.h"
#include "abstract/edge/update.h"
#include "abstract/facts/channel.h"
#include "abstract/facts/context.h"
#include "abstract/facts/guards.h"
#include "abstract/facts/names.h"
#include "abstract/facts/range.h"
#include "abstract/facts/timing.h"
#include "abstract/prepare/ghost.h"
#include "abstract/request/request.h"
#include "base/debug.h"
#include "expr/build.h"
#include "expr/chain.h"
#include "expr/find.h"

#include <assert.h>

/* The value analysis ran the guard for all values that it can meet, and it never failed. Else, a
 * disjunct that fails for one value could hide one that holds for another. */
static bool guard_never_fails(const struct context *context, const struct open_edge *open) {
    if (!open->edge) return false;
    const struct edge_fact *fact =
        &context->analysis->edges[open->template->index][open->edge_index];
    return !fact->guard_faults && !fact->is_incomplete && facts_hold_for_unknowns(context, open);
}

/* Over: whether a part of the guard, invariant or synchronisation reads what is removed there. */
static bool reads(const struct context *context, const struct open_edge *open,
                  const struct expr *part) {
    return involved_reads(context, &open->involved, part, open->involved.before);
}

static const char hidden_bounds[] = "what must hold for it names something hidden here";

/* What cannot be said: no step may be missing, or none may be there that some tuple lacks (U1). */
static const char *taken_as(const struct context *context) {
    return context->rules->is_universal ? "false" : "true";
}

static const struct expr *drop_conjunct(struct context *context, struct open_edge *open,
                                        const char *what, const char *why) {
    open_edge_add_reason(context, open, "a part of the %s is taken as %s: %s", what,
                         taken_as(context), why);
    return NULL;
}

/* A conjunct that reads no removed variable, after one that does. */
static const struct expr *visible_conjunct(struct context *context, struct open_edge *open,
                                           const struct expr *guard, const char *what) {
    const char *unprotected = NULL;
    const struct expr *safe = protected_guard(context, open, guard, true, false, &unprotected);
    if (names_hidden(open->template, open->edge, safe) &&
        !names_hidden(open->template, open->edge, guard))
        unprotected = hidden_bounds;
    if (!unprotected) return safe;
    if (guard_never_fails(context, open)) return guard;
    return drop_conjunct(context, open, what, unprotected);
}

/* A part without && that may be read; NULL where it cannot be expressed and is left out: a
 * may-abstraction stays one. */
static const struct expr *rewrite_conjunct(struct context *context, struct open_edge *open,
                                           const struct expr *part, bool is_after,
                                           const char *what) {
    uint32_t unknowns = open->unknowns.count;
    struct rewriter rewriter = {.context = context,
                                .open = open,
                                .where = open->involved.before,
                                .is_within_step = open_edge_is_branch(open),
                                .is_certain = true};
    const struct expr *result = rewrite_read(&rewriter, part);
    const char *unprotected = NULL;
    const struct expr *safe =
        rewriter.why_not ? NULL
                         : protected_guard(context, open, result, is_after,
                                           !guard_never_fails(context, open), &unprotected);
    if (names_hidden(open->template, open->edge, safe)) unprotected = hidden_bounds;
    if (safe && !unprotected) return safe;
    if (safe && guard_never_fails(context, open)) return result;
    assert(open->unknowns.count >= unknowns);
    open->unknowns.count = unknowns;
    return drop_conjunct(context, open, what, rewriter.why_not ? rewriter.why_not : unprotected);
}

/* Notes the conjuncts, and returns what they are together. is_after: some of those before have
 * changed, so that their failures are not kept away as they were. */
static const struct expr *rewrite_guard(struct context *context, struct open_edge *open,
                                        const struct expr *guard, enum conjunct_class class,
                                        bool is_after, const char *what) {
    if (!guard) return NULL;
    bool is_read = reads(context, open, guard);
    if (guard->kind == EXPR_BINARY && guard->op == OP_AND && is_read) {
        bool is_right_after = is_after || reads(context, open, guard->child[0]);
        const struct expr *left =
            rewrite_guard(context, open, guard->child[0], class, is_after, what);
        const struct expr *right =
            rewrite_guard(context, open, guard->child[1], class, is_right_after, what);
        if (left == guard->child[0] && right == guard->child[1]) return guard;
        return build_and(context->arena, left, right);
    }
    const struct expr *expr = is_read    ? rewrite_conjunct(context, open, guard, is_after, what)
                              : is_after ? visible_conjunct(context, open, guard, what)
                                         : guard;
    assert(class != CONJUNCT_FIXED); /* these are not rewritten */
    VEC_PUSH(context->arena, &open->conjuncts, (struct conjunct){class, expr, guard});
    return expr;
}

/* T3: its comparisons of clocks are passed through; those of removed clocks count as true (T3.10).
 */
static void rewrite_condition(struct context *context, struct open_edge *open,
                              const struct expr *written, const char *what) {
    const struct expr *kept = timing_drop_clocks(context->arena, context->request, written);
    struct timed_condition parts = timing_split(context->arena, kept);
    open->guard = rewrite_guard(context, open, parts.numbers, CONJUNCT_FOLDED, false, what);
    assert(!open->passed && (!open->guard || !expr_names_clock(open->guard)));
    bool is_after = open->guard != parts.numbers;
    open->passed = rewrite_guard(context, open, parts.timing, CONJUNCT_PASSED, is_after, what);
    if (kept == written) return;
    VEC_PUSH(context->arena, &open->conjuncts,
             (struct conjunct){.class = CONJUNCT_PASSED, .original = written});
    open_edge_add_reason(context, open, "the condition of the %s on clock '%s' is taken as %s",
                         what, removed_clock_in(context->request, written)->name,
                         taken_as(context));
}

/* A condition of the transformation. */
static void add_condition(struct context *context, struct open_edge *open,
                          const struct expr *condition) {
    if (!expr_is_true(condition))
        open_edge_add_conjunct(context, open, (struct conjunct){.expr = condition});
}

void open_invariant_make(struct context *context, const struct template *template,
                         uint32_t location, struct open_edge *open) {
    assert(location < template->location_count);
    const struct expr *invariant = invariant_at(context->network, template, location);
    struct where where = where_invariant(template, location);
    *open = (struct open_edge){
        .template = template, .location = location, .involved = {.before = where, .within = where}};
    open->is_restricted = invariant_is_restricted(context, template, location);
    open->is_concerned = open->is_restricted || (invariant && reads(context, open, invariant)) ||
                         (invariant && removed_clock_in(context->request, invariant));
    open->guard = invariant;
    if (!open->is_concerned) return;
    assert(invariant); /* or nothing concerns it */
    rewrite_condition(context, open, invariant, "invariant");
    open_edge_express(context, open);
}

/* Where the guard was false, an error in the channel must not come up now: that of a broadcast
 * receiver would spoil the broadcast for all. */
static void protect_channel(struct context *context, struct open_edge *open, const char **why_not) {
    struct error_query query = {.where = open->involved.before};
    assert(open->sync);
    if (!open_edge_has_new_guard(open)) return;
    const struct expr *condition = no_error_condition(context, &query, open->sync);
    if (names_hidden(open->template, open->edge, condition))
        query.why_not = "the bounds of its index are hidden here";
    if (!query.why_not)
        add_condition(context, open, condition);
    else if (!context->rules->blocks_sends &&
             open_edge_receives_broadcast(context, open)) /* else, no process sends */
        *why_not = query.why_not;
}

static bool rewrite_sync(struct context *context, struct open_edge *open) {
    const struct edge *edge = open->edge;
    assert(edge && !open->sync);
    open->sync = edge->sync;
    if (!edge->sync) return true;
    struct rewriter rewriter = {.context = context,
                                .open = open,
                                .where = open->involved.before,
                                .is_within_step = edge->leaves_branchpoint,
                                .is_certain = true};
    if (reads(context, open, edge->sync)) open->sync = rewrite_read(&rewriter, edge->sync);
    if (!rewriter.why_not && open->sync != edge->sync) {
        struct error_query query = {
            .where = open->involved.before, .open = open, .needs_unknown = true};
        const struct expr *condition = no_error_condition(context, &query, open->sync);
        rewriter.why_not = query.why_not;
        if (names_hidden(open->template, open->edge, condition))
            rewriter.why_not = "the bounds of its index are hidden here";
        add_condition(context, open, condition);
    }
    if (!rewriter.why_not) protect_channel(context, open, &rewriter.why_not);
    if (!rewriter.why_not) return true;
    return diag_error(context->diag, STATUS_UNSUPPORTED, edge->sync->span.begin,
                      "this synchronisation cannot be rewritten: %s; remove less",
                      rewriter.why_not);
}

static bool has_receiving_branch(const struct context *context, const struct template *template) {
    for (uint32_t i = 0; i < template->edge_count; i++) {
        const struct edge *edge = &template->edges[i];
        if (edge->leaves_branchpoint && !edge->is_send &&
            sync_is_broadcast(context, template, edge->sync))
            return true;
    }
    return false;
}

static bool reads_any(const struct context *context, const struct open_edge *open,
                      const struct expr_list *list) {
    for (uint32_t i = 0; i < list->count; i++)
        if (reads(context, open, list->items[i])) return true;
    return false;
}

/* When a guard or channel after a branchpoint is read, before the update of the edge that leads
 * there or after it, is not settled, so neither are the values it finds. And a broadcast receiver
 * after one cannot decline (M3), as its guard is elsewhere. */
static bool check_branch(struct context *context, const struct open_edge *open,
                         const struct expr *guard) {
    const struct template *template = open->template;
    const struct edge *edge = open->edge;
    const struct expr *const labels[] = {edge->weight, guard, edge->sync};
    static const char *const names[] = {"branch weight", "guard after a branchpoint",
                                        "synchronisation after a branchpoint"};
    for (int i = 0; i < 3 && edge->leaves_branchpoint; i++)
        if (labels[i] && reads(context, open, labels[i]))
            return diag_error(context->diag, STATUS_UNSUPPORTED, labels[i]->span.begin,
                              "this %s names a removed variable; remove less", names[i]);
    if (!edge->leaves_branchpoint && edge->target < template->location_count) return true;
    if (!(guard && reads(context, open, guard)) && !reads_any(context, open, &edge->updates))
        return true;
    if (!has_receiving_branch(context, template)) return true;
    return diag_error(
        context->diag, STATUS_UNSUPPORTED, edge->xml->element->at,
        "this edge reads a removed variable, and a broadcast receiver may be after the "
        "branchpoint; remove less");
}

/* Whether what is asked in the source state names a variable that is gone there (open_edge.h). */
static bool mentions_removed(const struct context *context, const struct open_edge *open) {
    bool found = false;
    for (uint32_t i = 0; i < context->request->removals.count && !found; i++) {
        const struct removal *removal = &context->request->removals.items[i];
        if (!removal->is_whole || !removal_counts(removal, open->involved.before)) continue;
        found = expr_mentions(open->guard, removal->symbol) ||
                expr_mentions(open->passed, removal->symbol) ||
                expr_mentions(open->sync, removal->symbol) ||
                expr_mentions(open->condition, removal->symbol);
    }
    return found;
}

/* Whether cells have other ranges in some processes of the template. */
static bool ranges_differ(const struct network *network, const struct symbol *symbol) {
    const struct slot *first = NULL;
    for (uint32_t i = 0; i < network->slot_count; i++) {
        const struct slot *slot = &network->slots[i];
        if (slot->symbol != symbol) continue;
        if (!first) first = slot;
        if (slot->lower != first->lower || slot->upper != first->upper) return true;
    }
    return false;
}

/* Over: whether a label may fail where a fact holds. */
static bool label_may_fail(struct context *context, const struct open_edge *open,
                           const struct expr *label, const struct expr *fact) {
    struct error_query query = {.where = open->involved.before, .fact = fact};
    return !expr_is_true(no_error_condition(context, &query, label)) || query.why_not;
}

/* Over: whether a broadcast receiver may fail before its update, and not as it does here: by what
 * it reads, or as its guard is another one. Then nobody steps, which no guard can say: without the
 * failure the others step. */
static bool may_spoil_broadcast(struct context *context, struct open_edge *open,
                                const struct expr *guard) {
    const struct expr *sync = open->edge->sync;
    if (!open_edge_receives_broadcast(context, open)) return false;
    if ((open_edge_has_new_guard(open) || reads(context, open, sync)) &&
        label_may_fail(context, open, sync, guard))
        return open->spoils_all_broadcasts = true;
    return guard && reads(context, open, guard) && !guard_never_fails(context, open) &&
           label_may_fail(context, open, guard, NULL);
}

/* Where the guard fails, which takes a step from all edges that it is put together with (F3). */
static void find_failures(struct context *context, struct open_edge *open) {
    struct error_query query = {.where = open->involved.before};
    if (!open->guard || !expr_can_fault(open->guard) || guard_never_fails(context, open)) return;
    open->safe_where = no_error_condition(context, &query, open->guard);
    if (expr_is_true(open->safe_where)) open->safe_where = NULL;
    open->is_safe_unsaid = query.why_not != NULL;
}

/* What stands for a local variable has a value of some process of the template: here, of the one
 * that takes the edge. False, with an error, where no guard can say so. */
static bool keep_own_ranges(struct context *context, struct open_edge *open) {
    for (uint32_t i = 0; i < open->unknowns.count; i++) {
        const struct symbol *symbol = open->unknowns.items[i]->removal->symbol;
        const struct symbol *placeholder = open->unknowns.items[i]->placeholder;
        assert(open->edge && placeholder);
        if (!ranges_differ(context->network, symbol)) continue;
        const struct expr *condition = range_condition(
            context, NULL, build_name(context->arena, placeholder), placeholder->type);
        if (open_edge_is_branch(open) || names_hidden(open->template, open->edge, condition))
            return diag_error(
                context->diag, STATUS_UNSUPPORTED, open->edge->xml->element->at,
                "this edge needs a value of '%s', whose range differs between processes, and "
                "no guard here can say so; remove less",
                symbol->name);
        if (expr_is_true(condition)) continue;
        VEC_PUSH(context->arena, &open->conjuncts, (struct conjunct){.expr = condition});
        open->guard = build_and(context->arena, condition, open->guard); /* it is tested first */
    }
    return true;
}

/* S5: within a scope, merged variables may have values that the analysis does not know of, if steps
 * there are counted by cells. What an edge out of it chooses is said for the known ones only. */
static void keep_known(struct context *context, struct open_edge *open) {
    const struct request *request = context->request;
    for (uint32_t i = 0; context->is_by_cells && i < request->ghosts.count; i++) {
        const struct ghost *ghost = request->ghosts.items[i];
        if (!context->is_by_cells[i] || !ghost->scope || ghost->template != open->template ||
            !ghost->scope[open->location] || ghost->scope[open->edge->target])
            continue;
        const struct expr *known = ghost_is_known(context, ghost, open->template, open->location);
        if (!known) continue;
        VEC_PUSH(context->arena, &open->conjuncts, (struct conjunct){.expr = known});
        open->guard = build_and(context->arena, known, open->guard);
    }
}

/* T3.10: x = 0, where clock x is removed. Another value may be an error. */
static bool is_idle_reset(const struct request *request, const struct expr *expr) {
    int64_t value;
    return expr->kind == EXPR_ASSIGN && expr->op == OP_ASSIGN &&
           expr_is_constant(expr->child[1], &value) && value >= 0 &&
           clock_is_removed(request, expr_root(expr->child[0])) && !expr_can_fault(expr->child[0]);
}

static void drop_resets(const struct request *request, struct open_edge *open) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < open->items.count; i++)
        if (!is_idle_reset(request, open->items.items[i].expr))
            open->items.items[kept++] = open->items.items[i];
    open->items.count = kept;
}

bool open_edge_make(struct context *context, const struct template *template, uint32_t index,
                    struct open_edge *open) {
    assert(index < template->edge_count);
    const struct edge *edge = &template->edges[index];
    const struct expr *guard = guard_of_edge(context->network, template, edge);
    bool is_restricted = edge_is_restricted(context, template, index);
    *open = (struct open_edge){.template = template,
                               .location = edge->source,
                               .edge = edge,
                               .edge_index = index,
                               .is_restricted = is_restricted};
    bool is_followed =
        edge->updates.count && is_ghost_update(edge->updates.items[edge->updates.count - 1]);
    open->involved = involved_find(context, template, edge, is_restricted || is_followed);
    open->is_concerned = is_restricted || open->involved.is_before;
    if (!check_branch(context, open, guard)) return false;
    const struct expr *fixed = NULL;
    if (is_restricted) guard = restricted_guard(context, template, index, &fixed);
    if (fixed)
        open_edge_add_conjunct(context, open, (struct conjunct){CONJUNCT_FIXED, fixed, fixed});
    if (guard) rewrite_condition(context, open, guard, "guard");
    if (!rewrite_sync(context, open)) return false;
    open->weakens_guard = open->inexact.count > 0;
    bool may_spoil = may_spoil_broadcast(context, open, guard);
    if (!open_edge_update(context, open)) return false;
    open->has_condition_of_receiver |= may_spoil;
    if (!keep_own_ranges(context, open)) return false;
    open_edge_express(context, open);
    keep_known(context, open);
    drop_resets(context->request, open);
    find_failures(context, open);
    DEBUG_CHECK(open_edge_check(open));
    assert(!mentions_removed(context, open));
    for (uint32_t i = 0; i < open->unknowns.count; i++)
        assert(!open->unknowns.items[i]->is_chosen); /* that is for the fold to say */
    return true;
}
