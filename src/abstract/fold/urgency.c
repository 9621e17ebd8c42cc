#include "abstract/fold/urgency.h"

#include "abstract/edge/open_edge.h"
#include "expr/find.h"
#include "model/errors.h"

#include <assert.h>

static bool is_urgent(const struct edge *edge) {
    return edge->sync && (type_prefixes(edge->sync->type) & PREFIX_URGENT);
}

/* On a broadcast channel only senders count: a receiver cannot keep one waiting. */
static bool may_differ(const struct abstraction *abstraction, const struct open_edge *open) {
    bool fails = open->has_condition_of_urgent && errors_known(abstraction->errors) == ERRORS_SOME;
    if (fails) return true;
    if (!open->folded.differs && !open->inexact.count && !open->has_condition_of_receiver)
        return false;
    return open->edge->is_send || !open_edge_receives_broadcast(&abstraction->context, open);
}

static const char *channel_name(const struct edge *edge) {
    const struct symbol *channel = expr_root(edge->sync);
    return channel ? channel->name : "a channel";
}

static void lose_urgency(struct abstraction *abstraction, const struct edge *edge) {
    assert(!abstraction->context.rules->is_universal); /* there, locations become urgent */
    abstraction->loses_urgency = true;
    abstraction_add_reason(abstraction,
                           arena_printf(abstraction->arena,
                                        "no channel is urgent any more, since a step on '%s' may "
                                        "be there that the original does not have",
                                        channel_name(edge)));
}

static void make_urgent(struct abstraction *abstraction, struct location_fold *fold,
                        const struct edge *edge) {
    const struct template *template = fold->template;
    if (fold->location >= template->location_count) return; /* settle_branches refuses it */
    const struct location *location = &template->locations[fold->location];
    fold->becomes_urgent = !location->is_urgent && !location->is_committed;
    abstraction_add_reason(
        abstraction, arena_printf(abstraction->arena,
                                  "%s: location %s is urgent, since a step on the urgent "
                                  "channel '%s' may be missing there",
                                  template->symbol->name, location->name, channel_name(edge)));
}

/* Guards that a synchronisation after a branchpoint depends on are those of other edges, too. */
static bool settle_branches(struct abstraction *abstraction, const struct template *template) {
    bool ok = true;
    for (uint32_t i = 0; i < template->edge_count && ok; i++) {
        const struct edge *edge = &template->edges[i];
        if (!edge->leaves_branchpoint || !is_urgent(edge)) continue;
        ok = !abstraction->context.rules->is_universal;
        if (ok)
            lose_urgency(abstraction, edge);
        else
            diag_error(abstraction->context.diag, STATUS_UNSUPPORTED, edge->sync->span.begin,
                       "after a branchpoint, an urgent synchronisation is not supported in a "
                       "must-abstraction that is not exact; remove less");
    }
    return ok;
}

/* A guard has the condition that the update does not fail, so that time may pass where it would. */
static void settle_failure(struct abstraction *abstraction, const struct open_edge *open) {
    const struct edge *edge = open->edge;
    enum known_errors known = errors_known(abstraction->errors);
    uint32_t first = 0;
    while (first + 1 < edge->updates.count && !expr_can_fault(edge->updates.items[first])) first++;
    assert(first < edge->updates.count);
    const char *failure =
        failure_text(abstraction->arena, open->template, edge, edge->updates.items[first]);
    if (known == ERRORS_SOME)
        abstraction_add_reason(abstraction,
                               arena_printf(abstraction->arena,
                                            "%s: a step on the urgent channel '%s' that fails lets "
                                            "time pass here, not in the original",
                                            failure, channel_name(edge)));
    if (known == ERRORS_UNKNOWN && !abstraction->may_fail) abstraction->may_fail = failure;
}

static void settle_failures(struct abstraction *abstraction) {
    for (uint32_t i = 0; i < abstraction->folds.count; i++) {
        const struct location_fold *fold = abstraction->folds.items[i];
        for (uint32_t k = 0; k < fold->open_edge_count; k++)
            if (fold->open_edges[k]->has_condition_of_urgent)
                settle_failure(abstraction, fold->open_edges[k]);
    }
}

bool urgency_settle(struct abstraction *abstraction) {
    const struct model *model = abstraction->network->model;
    bool ok = true;
    settle_failures(abstraction);
    if (!network_is_timed(abstraction->network)) return true;
    for (uint32_t i = 0; i < abstraction->folds.count; i++) {
        struct location_fold *fold = abstraction->folds.items[i];
        fold->becomes_urgent = false;
        for (uint32_t k = 0; k < fold->open_edge_count; k++) {
            const struct open_edge *open = fold->open_edges[k];
            assert(!open->is_restricted); /* must_search leaves models with clocks alone */
            if (!is_urgent(open->edge) || !may_differ(abstraction, open)) continue;
            assert(abstraction->inexact.count);
            if (abstraction->context.rules->is_universal)
                make_urgent(abstraction, fold, open->edge);
            else
                lose_urgency(abstraction, open->edge);
        }
    }
    for (uint32_t t = 0; t < model->template_count && ok && abstraction->inexact.count; t++)
        ok = settle_branches(abstraction, model->templates[t]);
    return ok;
}
