#include "abstract/facts/fold_memo.h"

#include "expr/find.h"

#include <assert.h>
#include <string.h>

enum { MOST_VIEWS = 256, MOST_FOLDS = 4 /* of a location that are looked at */ };

struct kept_fold {
    const struct fold_view *view;
    void *fold;
    bool has_other_reasons;
    struct kept_fold *before;
};

/* Whether a fold looks at nothing but what is compared below. */
static bool is_plain(const struct context *context) {
    const struct network *network = context->network;
    const struct analysis *analysis = context->analysis;
    return context->rules->is_searched && !context->request->ghosts.count && !context->cells &&
           !network->before_update.list.count && !network->after_update.list.count &&
           !analysis->is_combined && !analysis->is_pinned && !analysis->shared_groups;
}

/* An edge without partners, of whose guards and values the fold would ask. */
static bool edge_is_plain(const struct template *template, const struct edge *edge) {
    return !edge->sync && !edge->leaves_branchpoint && edge->target < template->location_count;
}

/* Names of generated functions are given by what was generated before. */
static bool location_is_plain(const struct context *context, const struct template *template,
                              const uint32_t *edges, uint32_t count) {
    if (context->generated.count || context->taken.count) return false;
    for (uint32_t i = 0; i < count; i++)
        if (!edge_is_plain(template, &template->edges[edges[i]])) return false;
    return true;
}

static bool conditions_are_alike(const struct expr *left, const struct expr *right) {
    return left == right || (left && right && expr_equal(left, right));
}

/* That a list and an interval have the same values is not enough: the fold may take them
 * differently. */
static bool sets_are_alike(const struct value_set *left, const struct value_set *right) {
    return left->is_interval == right->is_interval && value_set_equal(left, right);
}

static bool tuples_are_alike(const struct tuple_set *left, const struct tuple_set *right) {
    return left->count == right->count && left->dimension == right->dimension &&
           (!left->count || !memcmp(left->values, right->values,
                                    (size_t)left->count * left->dimension * sizeof *left->values));
}

static bool invariants_are_alike(const struct fold_view *left, const struct fold_view *right) {
    const struct model *model = left->network->model;
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t i = 0; i < model->templates[t]->location_count; i++)
            if (!conditions_are_alike(left->network->labels.invariants[t][i],
                                      right->network->labels.invariants[t][i]) ||
                left->analysis->invariant_blocks[t][i] != right->analysis->invariant_blocks[t][i])
                return false;
    return true;
}

static bool groups_are_alike(const struct process_domain *left,
                             const struct process_domain *right) {
    if (left->group_count != right->group_count) return false;
    for (uint32_t g = 0; g < left->group_count; g++) {
        const struct group *a = &left->groups[g], *b = &right->groups[g];
        if (a->dimension != b->dimension || a->has_overflowed != b->has_overflowed ||
            memcmp(a->addresses, b->addresses, a->dimension * sizeof *a->addresses) != 0)
            return false;
    }
    return true;
}

/* In what all locations look at. */
static bool views_are_alike(const struct fold_view *left, const struct fold_view *right) {
    const struct network *network = left->network;
    const struct analysis *a = left->analysis, *b = right->analysis;
    assert(network_is_same(network, right->network) && a->is_removed == b->is_removed);
    if (left->rules != right->rules || left->is_by_meaning != right->is_by_meaning ||
        memcmp(a->is_tracked, b->is_tracked, network->slot_count * sizeof *a->is_tracked) != 0 ||
        !invariants_are_alike(left, right))
        return false;
    for (uint32_t i = 0; i < network->slot_count; i++)
        if (!sets_are_alike(&a->shared[i], &b->shared[i])) return false;
    for (uint32_t p = 0; p < network->process_count; p++)
        if (!groups_are_alike(&a->processes[p], &b->processes[p])) return false;
    return true;
}

/* What the processes of a template have at a location. */
static bool domains_are_alike(const struct fold_view *left, const struct fold_view *right,
                              const struct template *template, uint32_t location) {
    struct process_range range = left->network->processes_of[template->index];
    for (uint32_t p = range.first; p < range.end; p++) {
        if (left->network->processes[p].template != template) continue;
        const struct location_domain *a = &left->analysis->processes[p].locations[location];
        const struct location_domain *b = &right->analysis->processes[p].locations[location];
        if (a->is_reached != b->is_reached || a->shared || b->shared) return false;
        for (uint32_t g = 0; g < left->analysis->processes[p].group_count; g++) {
            const struct group_domain *one = &a->groups[g], *other = &b->groups[g];
            bool is_single = !one->tuples && !other->tuples;
            if (one->is_pinned || other->is_pinned ||
                (is_single ? !sets_are_alike(&one->set, &other->set)
                           : !one->tuples || !other->tuples ||
                                 !tuples_are_alike(one->tuples, other->tuples)))
                return false;
        }
    }
    return true;
}

static bool labels_are_alike(const struct fold_view *left, const struct fold_view *right,
                             const struct template *template, uint32_t index) {
    const struct edge_labels *a = &left->network->labels.edges[template->index][index];
    const struct edge_labels *b = &right->network->labels.edges[template->index][index];
    const struct expr *written = template->edges[index].written_guard;
    if ((a->guard == written) != (b->guard == written) || a->added_count != b->added_count ||
        !conditions_are_alike(a->guard, b->guard))
        return false;
    for (uint32_t i = 0; i < a->added_count; i++)
        if (!conditions_are_alike(a->added[i], b->added[i])) return false;
    return true;
}

static bool facts_are_alike(const struct fold_view *left, const struct fold_view *right,
                            const struct template *template, uint32_t index) {
    const struct edge_fact *a = &left->analysis->edges[template->index][index];
    const struct edge_fact *b = &right->analysis->edges[template->index][index];
    return a->is_reached == b->is_reached && a->is_incomplete == b->is_incomplete &&
           a->guard_faults == b->guard_faults &&
           !memcmp(a->item_faults, b->item_faults,
                   template->edges[index].updates.count * sizeof *a->item_faults);
}

/* In the rest of what the edges of a location look at. */
static bool location_is_alike(const struct fold_view *left, const struct fold_view *right,
                              const struct template *template, uint32_t location,
                              const uint32_t *edges, uint32_t count) {
    if (!domains_are_alike(left, right, template, location)) return false;
    for (uint32_t i = 0; i < count; i++) {
        assert(template->edges[edges[i]].source == location);
        if (!labels_are_alike(left, right, template, edges[i]) ||
            !facts_are_alike(left, right, template, edges[i]) ||
            !domains_are_alike(left, right, template, template->edges[edges[i]].target))
            return false;
    }
    return true;
}

static void make_folds(struct fold_memo *memo, const struct model *model) {
    uint32_t templates = model->template_count;
    memo->folds = ARENA_ARRAY(memo->arena, struct kept_fold **, templates + 1);
    for (uint32_t t = 0; t < templates; t++)
        memo->folds[t] = ARENA_ARRAY(memo->arena, struct kept_fold *,
                                     model->templates[t]->location_count +
                                         model->templates[t]->branchpoint_count + 1);
}

void fold_memo_begin(struct fold_memo *memo, struct context *context) {
    memo->arena = context->arena;
    memo->current = NULL;
    if (!is_plain(context) || memo->views.count == MOST_VIEWS) return;
    if (!memo->folds) make_folds(memo, context->network->model);
    struct fold_view *view = ARENA_NEW(memo->arena, struct fold_view);
    *view = (struct fold_view){.network = context->network,
                               .analysis = context->analysis,
                               .rules = context->rules,
                               .is_by_meaning = context->is_by_meaning};
    VEC_PUSH(memo->arena, &memo->views, view);
    for (uint32_t i = 0; i < memo->views.count; i++)
        memo->views.items[i]->is_alike = views_are_alike(memo->views.items[i], view);
    memo->current = view;
}

void *fold_memo_find(struct fold_memo *memo, struct context *context,
                     const struct template *template, uint32_t location, const uint32_t *edges,
                     uint32_t count) {
    if (!memo->current || !location_is_plain(context, template, edges, count)) return NULL;
    const struct kept_fold *kept = memo->folds[template->index][location];
    for (uint32_t i = 0; kept && i < MOST_FOLDS; kept = kept->before, i++) {
        if (!kept->view->is_alike ||
            !location_is_alike(kept->view, memo->current, template, location, edges, count))
            continue;
        context->has_other_reasons |= kept->has_other_reasons;
        return kept->fold;
    }
    return NULL;
}

void fold_memo_keep(struct fold_memo *memo, struct context *context,
                    const struct template *template, uint32_t location, const uint32_t *edges,
                    uint32_t count, void *fold, bool has_other_reasons) {
    if (!memo->current || !location_is_plain(context, template, edges, count)) return;
    struct kept_fold *kept = ARENA_NEW(memo->arena, struct kept_fold), **first;
    first = &memo->folds[template->index][location];
    *kept = (struct kept_fold){memo->current, fold, has_other_reasons, *first};
    *first = kept;
}
