#include "abstract/claim/moves.h"

#include "explore/fair/tag.h"

#include <assert.h>

/* That an update does not fail is not asked for before it happens: a player could choose a move
 * that fails, if nothing ever let it happen. */
static bool has_same_guard(const struct open_edge *open) {
    return !open->condition && !open->fixed && !open->is_restricted && !open->may_fail;
}

static bool is_of_one_edge(const struct output_edge *out) {
    for (uint32_t i = 0; i < out->origin_count; i++)
        if (out->origins[i].open != out->base) return false;
    return out->loop == LOOP_NONE && !out->select_count;
}

/* The output edge that an edge has become; NULL unless there is exactly one. */
static const struct output_edge *became(const struct fold *fold, const struct open_edge *open) {
    const struct output_edge *found = NULL;
    for (uint32_t i = 0; i < fold->edges.count; i++) {
        if (fold->edges.items[i].base != open) continue;
        if (found) return NULL;
        found = &fold->edges.items[i];
    }
    return found;
}

/* Whether an edge has become none, as its guard never holds. */
static bool is_gone(const struct fold *fold, const struct open_edge *open) {
    for (uint32_t i = 0; i < fold->dropped.count; i++)
        if (fold->dropped.items[i] == open) return true;
    return false;
}

static bool has_mark(const struct edge *edge) {
    return edge->xml &&
           (edge_has_tag(edge, str_of("action")) || edge_has_tag(edge, str_of("nature")));
}

/* Whether an edge with @action or @nature has lost a select. */
static bool loses_marked_select(const struct output_edge *out) {
    const struct edge *edge = out->base->edge;
    bool is_marked = has_mark(edge);
    for (uint32_t i = 0; is_marked && i < edge->select_count; i++)
        if (!out->keeps_select[i]) return true;
    return false;
}

static const char *why_other(const struct fold *fold, const struct open_edge *open) {
    const struct output_edge *out = became(fold, open);
    if (!has_same_guard(open)) return "is possible only where its update does not fail";
    if (open->folded.is_put_in)
        return "has a select for whose values it becomes edges of their own";
    if (out && loses_marked_select(out)) return "loses a select that its comments are about";
    if (is_gone(fold, open) || (out && is_of_one_edge(out))) return NULL;
    return "does not become an edge of its own";
}

static const char *lost_at(const struct abstraction *abstraction, const struct location_fold *at) {
    const struct location *places = at->template->locations;
    assert(at->location < at->template->location_count); /* branches are nature's */
    for (uint32_t i = 0; i < at->open_edge_count; i++) {
        const struct open_edge *open = at->open_edges[i];
        const char *why = why_other(&at->fold, open);
        if (!why) continue;
        return arena_printf(abstraction->arena,
                            "a player has other moves here: %s: edge %u from %s to %s %s",
                            at->template->symbol->name, open->edge_index + 1,
                            places[open->edge->source].name, places[open->edge->target].name, why);
    }
    return NULL;
}

static bool is_played(const struct watcher_list *players, const struct template *template) {
    for (uint32_t i = 0; i < players->list.count; i++) {
        const struct agent *agent = players->list.items[i]->agent;
        for (uint32_t k = 0; k < agent->process_count; k++)
            if (agent->processes[k]->template == template) return true;
    }
    return false;
}

/* Where values are exchanged, selects may go that only assigned such values. */
static const char *exchanged_select(const struct abstraction *abstraction,
                                    const struct watcher_list *players) {
    const struct model *model = abstraction->network->model;
    for (uint32_t t = 0; t < model->template_count; t++) {
        const struct template *template = model->templates[t];
        for (uint32_t i = 0; is_played(players, template) && i < template->edge_count; i++)
            if (template->edges[i].select_count && has_mark(&template->edges[i]))
                return "a player may lose a select that its comments are about, as values stand "
                       "for others here";
    }
    return NULL;
}

const char *moves_lost(const struct abstraction *abstraction, const struct watcher_list *players) {
    assert(!abstraction->explored); /* of which nothing is claimed here */
    assert(abstraction->is_exact);
    const char *select = abstraction->has_exchanges ? exchanged_select(abstraction, players) : NULL;
    if (select) return select;
    for (uint32_t i = 0; i < abstraction->folds.count; i++) {
        const struct location_fold *fold = abstraction->folds.items[i];
        bool is_branch = fold->location >= fold->template->location_count; /* nature's */
        if (is_branch || !is_played(players, fold->template)) continue;
        if (abstraction->classes)
            return "one value of what is removed stands for all, and so do the moves with it";
        const char *lost = lost_at(abstraction, fold);
        if (lost) return lost;
    }
    return NULL;
}
