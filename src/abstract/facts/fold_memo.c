#include "abstract/facts/fold_memo.h"

#include "expr/find.h"

#include <assert.h>
#include <string.h>

enum { MOST_VIEWS = 256, MOST_FOLDS = 4 /* of a location that are looked at */ };

struct kept_fold {
    const struct fold_view *view;
    void *fold;
    bool has_other_reasons, asks_values, asks_targets; /* as in struct context, of it alone */
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

/* In what all locations look at; all: also in variables that stay. */
static bool views_are_alike(const struct fold_view *left, const struct fold_view *right, bool all) {
    const struct network *network = left->network;
    const struct analysis *a = left->analysis, *b = right->analysis;
    assert(network_is_same(network, right->network));
    if (left->rules != right->rules || left->is_by_meaning != right->is_by_meaning ||
        a->is_removed != b->is_removed || !invariants_are_alike(left, right))
        return false;
    for (uint32_t i = 0; i < network->slot_count; i++)
        if ((all || a->is_removed[i]) &&
            (a->is_tracked[i] != b->is_tracked[i] || !sets_are_alike(&a->shared[i], &b->shared[i])))
            return false;
    return true;
}

static bool has_removed_slot(const struct analysis *analysis, const struct group *group) {
    for (uint32_t i = 0; i < group->dimension; i++)
        if (analysis->is_removed[analysis->network->slot_of[group->addresses[i]]]) return true;
    return false;
}

/* What a process has at a location in a group of slots. */
static bool group_is_alike(const struct fold_view *left, const struct fold_view *right,
                           uint32_t process, uint32_t location, uint32_t number) {
    const struct process_domain *a = &left->analysis->processes[process];
    const struct process_domain *b = &right->analysis->processes[process];
    const struct group *group = &a->groups[number];
    uint32_t other_number = right->analysis->group_of[left->network->slot_of[group->addresses[0]]];
    if (other_number == NO_SLOT) return false;
    const struct group *other = &b->groups[other_number];
    if (group->dimension != other->dimension || group->has_overflowed != other->has_overflowed ||
        memcmp(group->addresses, other->addresses, group->dimension * sizeof *group->addresses) !=
            0)
        return false;
    const struct group_domain *one = &a->locations[location].groups[number];
    const struct group_domain *two = &b->locations[location].groups[other_number];
    if (one->is_pinned || two->is_pinned) return false;
    return group->dimension == 1 ? sets_are_alike(&one->set, &two->set)
                                 : tuples_are_alike(one->tuples, two->tuples);
}

/* What the processes of a template have at a location; all: also in variables that stay. */
static bool domains_are_alike(const struct fold_view *left, const struct fold_view *right,
                              const struct template *template, uint32_t location, bool all) {
    struct process_range range = left->network->processes_of[template->index];
    for (uint32_t p = range.first; p < range.end; p++) {
        if (left->network->processes[p].template != template) continue;
        const struct process_domain *a = &left->analysis->processes[p];
        const struct process_domain *b = &right->analysis->processes[p];
        if (a->locations[location].is_reached != b->locations[location].is_reached) return false;
        for (uint32_t g = 0; g < a->group_count; g++)
            if ((all || has_removed_slot(left->analysis, &a->groups[g])) &&
                !group_is_alike(left, right, p, location, g))
                return false;
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

/* That an edge can be taken is of no interest: folds look at its source. */
static bool facts_are_alike(const struct fold_view *left, const struct fold_view *right,
                            const struct template *template, uint32_t index) {
    const struct edge_fact *a = &left->analysis->edges[template->index][index];
    const struct edge_fact *b = &right->analysis->edges[template->index][index];
    return a->is_incomplete == b->is_incomplete && a->guard_faults == b->guard_faults &&
           !memcmp(a->item_faults, b->item_faults,
                   template->edges[index].updates.count * sizeof *a->item_faults);
}

/* In the rest of what the edges of a location look at. */
static bool location_is_alike(const struct kept_fold *kept, const struct fold_view *now,
                              const struct template *template, uint32_t location,
                              const uint32_t *edges, uint32_t count) {
    const struct fold_view *then = kept->view;
    if (!domains_are_alike(then, now, template, location, kept->asks_values)) return false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t target = template->edges[edges[i]].target;
        assert(template->edges[edges[i]].source == location);
        if (!labels_are_alike(then, now, template, edges[i]) ||
            !facts_are_alike(then, now, template, edges[i]) ||
            (kept->asks_targets && !domains_are_alike(then, now, template, target, false)))
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

static void compare(struct fold_view *view, const struct fold_view *now) {
    view->is_alike = views_are_alike(view, now, false);
    view->is_alike_in_all = view->is_alike && views_are_alike(view, now, true);
}

void fold_memo_begin(struct fold_memo *memo, struct context *context) {
    memo->arena = context->arena;
    memo->current = NULL;
    if (memo->is_off || !is_plain(context) || memo->views.count == MOST_VIEWS) return;
    if (!memo->folds) make_folds(memo, context->network->model);
    struct fold_view *view = ARENA_NEW(memo->arena, struct fold_view);
    *view = (struct fold_view){.network = context->network,
                               .analysis = context->analysis,
                               .rules = context->rules,
                               .is_by_meaning = context->is_by_meaning};
    VEC_PUSH(memo->arena, &memo->views, view);
    for (uint32_t i = 0; i < memo->views.count; i++) compare(memo->views.items[i], view);
    memo->current = view;
}

void *fold_memo_find(struct fold_memo *memo, struct context *context,
                     const struct template *template, uint32_t location, const uint32_t *edges,
                     uint32_t count) {
    if (!memo->current || !location_is_plain(context, template, edges, count)) return NULL;
    const struct kept_fold *kept = memo->folds[template->index][location];
    for (uint32_t looks = 0; kept && looks < MOST_FOLDS; kept = kept->before) {
        if (!(kept->asks_values ? kept->view->is_alike_in_all : kept->view->is_alike)) continue;
        looks++;
        if (!location_is_alike(kept, memo->current, template, location, edges, count)) continue;
        context->has_other_reasons |= kept->has_other_reasons;
        return kept->fold;
    }
    return NULL;
}

void fold_memo_keep(struct fold_memo *memo, struct context *context,
                    const struct template *template, uint32_t location, const uint32_t *edges,
                    uint32_t count, void *fold) {
    if (!memo->current || !location_is_plain(context, template, edges, count)) return;
    struct kept_fold *kept = ARENA_NEW(memo->arena, struct kept_fold), **first;
    first = &memo->folds[template->index][location];
    *kept = (struct kept_fold){.view = memo->current,
                               .fold = fold,
                               .has_other_reasons = context->has_other_reasons,
                               .asks_values = context->asks_values,
                               .asks_targets = context->asks_targets,
                               .before = *first};
    *first = kept;
}
