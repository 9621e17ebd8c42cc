/* See urgency.h. */
#include "abstract/fold/urgency.h"

#include "abstract/edge/open_edge.h"
#include "abstract/facts/channel.h"

#include <assert.h>

/* On a broadcast channel only senders count: a receiver cannot keep one waiting. */
static bool counts(const struct abstraction *abstraction, const struct open_edge *open) {
    const struct edge *edge = open->edge;
    if (!edge->sync || !(type_prefixes(edge->sync->type) & PREFIX_URGENT)) return false;
    if (!open->differs && !open->inexact.count && !open->has_condition_of_receiver) return false;
    return edge->is_send || !open_edge_receives_broadcast(&abstraction->context, open);
}

static void settle(struct abstraction *abstraction, struct location_fold *fold,
                   const struct open_edge *open) {
    const struct template *template = fold->template;
    bool is_must = abstraction->context.rules->is_universal;
    const struct symbol *channel = expr_root(open->edge->sync);
    const char *name = channel ? channel->name : "a channel";
    if (is_must && fold->location < template->location_count &&
        !template->locations[fold->location].is_committed)
        fold->becomes_urgent = !template->locations[fold->location].is_urgent;
    if (!is_must) abstraction->lost_urgency = open;
    abstraction_add_reason(
        abstraction,
        is_must
            ? arena_printf(abstraction->arena,
                           "%s: location %s is urgent, since a step on the urgent channel '%s' "
                           "may be missing there",
                           template->symbol->name, template->locations[fold->location].name, name)
            : arena_printf(abstraction->arena,
                           "no channel is urgent any more, since a step on '%s' may be there "
                           "that the original does not have",
                           name));
}

void urgency_settle(struct abstraction *abstraction) {
    if (!network_is_timed(abstraction->network)) return;
    for (uint32_t i = 0; i < abstraction->folds.count; i++) {
        struct location_fold *fold = abstraction->folds.items[i];
        fold->becomes_urgent = false;
        for (uint32_t k = 0; k < fold->open_edge_count; k++)
            if (counts(abstraction, fold->open_edges[k])) {
                assert(abstraction->inexact.count);
                settle(abstraction, fold, fold->open_edges[k]);
            }
    }
}
