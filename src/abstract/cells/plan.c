/* For each group: reads the edges that touch it, and finds the kinds of its values. The first thing
 * that does not fit is the reason why the group has no plan. */
#include "abstract/cells/plan.h"

#include "abstract/cells/deal.h"
#include "abstract/cells/kinds.h"
#include "abstract/cells/own.h"
#include "abstract/cells/quantified.h"
#include "abstract/cells/reason.h"
#include "abstract/cells/sure.h"
#include "abstract/cells/written.h"
#include "abstract/edge/open_edge.h"
#include "abstract/facts/cells.h"
#include "approx/labels/interference.h"
#include "expr/build.h"
#include "expr/chain.h"
#include "expr/find.h"

#include <assert.h>

struct planned_edge {
    struct touched_edge *touched;
    struct case_list cases;
    struct member_list members;
    struct deal_outcomes dealt;
    struct mapped mapped;
    struct planned_edge *next; /* of the group */
};

struct planned_group {
    struct cell_group *group;
    struct planned_edge *edges;
    const struct counts *counts;
    const struct totals *totals;
};

struct cells_plan {
    struct context *context;
    VEC(struct planned_group *) groups;
    struct planned_edge ***edges; /* by template, by edge; NULL = touches no cells */
    const struct interference *interference;
};

/* What touches a group */

static bool effects_touch(const struct cell_group *group, const struct effects *effects) {
    bool found = false;
    for (uint32_t i = 0; i < effects->list.count && !found; i++)
        found = cell_group_has(group, effects->list.items[i].symbol) ||
                (group->pointer && effects->list.items[i].symbol == group->pointer->symbol);
    return found;
}

static bool edge_touches(const struct cell_group *group, const struct edge_labels *labels) {
    return effects_touch(group, &labels->guard_effects) ||
           effects_touch(group, &labels->sync_effects) ||
           effects_touch(group, &labels->update_effects);
}

static bool reads_cells(const struct touched_edge *touched) {
    bool found = false;
    for (uint32_t i = 0; i < touched->items.count; i++) {
        const struct cell_item *item = &touched->items.items[i];
        found |= item->kind == ITEM_WRITE ||
                 (item->kind == ITEM_VISIBLE && item->expr != item->original);
    }
    return found;
}

/* M6: what the guard and the update of a receiver find must be the same. */
static bool is_disturbed(const struct cells_plan *plan, const struct touched_edge *touched) {
    const struct edge *edge = touched->edge;
    return edge->sync && !edge->is_send && reads_cells(touched) &&
           interference_disturbs(plan->interference, touched->template, edge);
}

static void split_by_range(struct cell_group *group, const struct touched_edge *touched,
                           uint32_t dimension, int64_t low, int64_t high) {
    uint32_t stride = 1;
    assert(dimension < group->dimension_count && low <= high);
    bool *is_in = ARENA_ARRAY(group->context->arena, bool, group->position_count + 1);
    for (uint32_t d = dimension + 1; d < group->dimension_count; d++) stride *= group->size[d];
    for (uint32_t p = 0; p < group->position_count; p++) {
        int64_t at = group->lower[dimension] + (int64_t)(p / stride % group->size[dimension]);
        is_in[p] = at >= low && at <= high;
    }
    if (!cell_group_split(group, is_in))
        cell_group_refuse(group, touched->edge->xml->element->at,
                          "labels treat more than %d sets of cells differently", CELLS_MAX_ZONES);
}

static void split_by_index(struct cell_group *group, const struct touched_edge *touched,
                           const struct expr *index, uint32_t dimension) {
    int64_t low, high;
    if (cell_is_pointer(group, index)) {
        low = group->pointer->shape->lower, high = group->pointer->shape->upper;
    } else if (!constant_value(group->context, index, &low)) {
        const struct shape *shape = NULL;
        for (uint32_t s = 0; s < touched->edge->select_count; s++)
            if (index->kind == EXPR_NAME && index->symbol == touched->edge->selects[s])
                shape = context_shape(group->context, index->symbol->type);
        if (!shape) return;
        low = shape->lower, high = shape->upper;
    } else {
        high = low;
    }
    split_by_range(group, touched, dimension, low, high);
}

/* An edge across the border of the scope of a group: read if it leads out, and gives all cells
 * values that they keep, and folded by values if that, or what else it does, is not so. */
static struct touched_edge *read_crossing(struct cell_group *group, const struct template *template,
                                          uint32_t index) {
    const struct edge *edge = &template->edges[index];
    assert(!group->why_not && !cell_group_counts(group, template, edge));
    if (template != group->folds[0].ghost->template || !group->scope[edge->source]) return NULL;
    const struct cell_mapping *mapping = mapping_read(group, edge, 0);
    bool replaces = mapping && mapping_replaces(group, mapping);
    struct touched_edge *touched =
        replaces ? touched_edge_read(group, template, index, NULL, mapping) : NULL;
    group->why_not = NULL;
    if (!touched && (uint64_t)group->position_count * group->fields.count > CELLS_MAX_CHOSEN)
        cell_group_refuse(group, edge->xml->element->at,
                          "the edge leaves its locations, and not all of its cells, of which there "
                          "are over %d, get new values",
                          CELLS_MAX_CHOSEN);
    return touched;
}

static void read_edge(struct cells_plan *plan, struct planned_group *planned,
                      const struct template *template, uint32_t index) {
    struct context *context = plan->context;
    struct cell_group *group = planned->group;
    const struct edge *edge = &template->edges[index];
    bool counts = cell_group_counts(group, template, edge);
    struct touched_edge *touched = counts ? NULL : read_crossing(group, template, index);
    if (!counts && !touched) return;
    if (edge->weight && expr_reads_removed(context, edge->weight, where_guard(template, edge)))
        cell_group_refuse(group, edge->weight->span.begin, "a weight may read it");
    if (!edge_touches(group, labels_of_edge(context->network, template, edge))) return;
    const struct cell_deal *deal = counts ? deal_read(group, template, edge) : NULL;
    const struct cell_mapping *mapping =
        deal || !counts ? NULL : mapping_read(group, edge, TOUCHED_MAX_TERMS);
    if (counts) touched = touched_edge_read(group, template, index, deal, mapping);
    if (!touched) return;
    if (mapping && !mapping_split(group, mapping))
        cell_group_refuse(group, edge->xml->element->at, "%s",
                          "too many cells get values of their own");
    if (update_reads_what_it_wrote(touched)) {
        cell_group_refuse(group, edge->xml->element->at,
                          "the update reads what it has written before");
        return;
    }
    if (is_disturbed(plan, touched)) {
        cell_group_refuse(group, edge->xml->element->at,
                          "others in the step may change what the update of this receiver reads");
        return;
    }
    struct planned_edge *found = ARENA_NEW(context->arena, struct planned_edge);
    found->touched = touched;
    found->next = planned->edges;
    planned->edges = found;
    for (uint32_t t = 0; t < touched->term_count; t++)
        for (uint32_t d = 0; d < group->dimension_count && !group->why_not; d++)
            split_by_index(group, touched, touched->terms[t].index[d], d);
    for (uint32_t i = 0; i < touched->quantifiers.count && !group->why_not; i++)
        split_by_range(group, touched, 0, touched->quantifiers.items[i].lower,
                       touched->quantifiers.items[i].upper);
}

static void read_edges(struct cells_plan *plan, struct planned_group *planned) {
    const struct network *network = plan->context->network;
    const struct model *model = network->model;
    struct cell_group *group = planned->group;
    for (uint32_t t = 0; t < model->template_count && !group->why_not; t++) {
        const struct template *template = model->templates[t];
        for (uint32_t l = 0; l < template->location_count; l++) {
            const struct expr *invariant = invariant_at(network, template, l);
            if (invariant &&
                expr_reads_removed(plan->context, invariant, where_invariant(template, l)))
                cell_group_refuse(group, invariant->span.begin, "an invariant may read it");
        }
        for (uint32_t e = 0; e < template->edge_count && !group->why_not; e++)
            read_edge(plan, planned, template, e);
    }
    for (uint32_t i = 0; i < group->arrays.count; i++)
        if (handed_instance(&network->handed, group->arrays.items[i]->symbol))
            cell_group_refuse(group, 0, "'%s' is an argument of a template",
                              group->arrays.items[i]->symbol->name);
    if (group->pointer && handed_instance(&network->handed, group->pointer->symbol))
        cell_group_refuse(group, 0, "'%s' is an argument of a template",
                          group->pointer->symbol->name);
}

/* Kinds */

static uint32_t kind_total(const struct cell_group *group) {
    uint32_t total = 0;
    for (uint32_t z = 0; z < group->zone_count; z++) total += group->zones[z].kinds.count;
    return total;
}

/* Goes on until edges make no kind that is new. */
static void find_kinds(struct planned_group *planned) {
    struct cell_group *group = planned->group;
    uint32_t before = 0;
    if (!cell_group_start(group)) cell_group_refuse(group, 0, "cells have too many initial values");
    for (struct planned_edge *edge = planned->edges; edge && !group->why_not; edge = edge->next) {
        if (edge->touched->deal)
            deal_add_kinds(group, edge->touched->deal);
        else
            cases_find(edge->touched, &edge->cases);
    }
    while (!group->why_not && before < kind_total(group)) {
        before = kind_total(group);
        for (struct planned_edge *edge = planned->edges; edge && !group->why_not; edge = edge->next)
            if (edge->touched->mapping && !mapping_add_kinds(group, edge->touched->mapping))
                break;
            else if (!edge->touched->deal)
                members_find(edge->touched, &edge->cases, &edge->members);
    }
    for (struct planned_edge *edge = planned->edges; edge && !group->why_not; edge = edge->next)
        members_sort(&edge->members);
}

/* Folds that are not counts need to know what cells become, and how many one edge touches. */
static uint32_t most_cells(struct planned_group *planned) {
    uint32_t most = 1;
    for (const struct planned_edge *edge = planned->edges; edge; edge = edge->next) {
        for (uint32_t i = 0; i < edge->cases.list.count; i++)
            if (edge->cases.list.items[i]->cell_count > most)
                most = edge->cases.list.items[i]->cell_count;
        for (uint32_t i = 0; i < edge->members.list.count; i++)
            for (uint32_t c = 0; c < edge->members.list.items[i]->of->cell_count; c++)
                if (edge->members.list.items[i]->becomes[c] == NO_SLOT)
                    cell_group_refuse(planned->group, edge->touched->edge->xml->element->at,
                                      "a cell gets a value that depends on what is visible");
    }
    return most;
}

static void find_deals(struct planned_group *planned) {
    struct cell_group *group = planned->group;
    for (struct planned_edge *edge = planned->edges; edge && !group->why_not; edge = edge->next)
        if (edge->touched->deal && !deal_outcomes_find(group, edge->touched->deal, &edge->dealt))
            cell_group_refuse(group, edge->touched->edge->xml->element->at,
                              "what it deals has too many outcomes");
}

static void find_own(struct planned_group *planned) {
    uint32_t count = 0, at = 0;
    for (struct planned_edge *edge = planned->edges; edge; edge = edge->next) count++;
    struct own_edge *edges =
        ARENA_ARRAY(planned->group->context->arena, struct own_edge, count + 1);
    for (struct planned_edge *edge = planned->edges; edge; edge = edge->next)
        edges[at++] = (struct own_edge){edge->touched, &edge->members};
    own_find(planned->group, edges, count);
}

static void find_mapped(struct planned_group *planned) {
    struct cell_group *group = planned->group;
    for (struct planned_edge *edge = planned->edges; edge && !group->why_not; edge = edge->next) {
        const struct cell_mapping *mapping = edge->touched->mapping;
        if (!mapping) continue;
        if (mapping_find(group, mapping, planned->counts, &edge->mapped))
            VEC_PUSH(group->context->arena, &group->mappings, mapping);
        else
            cell_group_refuse(group, edge->touched->edge->xml->element->at,
                              "what it does to all cells does not follow from the merges");
    }
}

static void refuse_sums(struct planned_group *planned) {
    for (struct planned_edge *edge = planned->edges; edge; edge = edge->next)
        for (uint32_t i = 0; i < edge->touched->quantifiers.count; i++) {
            const struct cell_quantifier *quantifier = &edge->touched->quantifiers.items[i];
            if (quantifier->comparison &&
                (!planned->counts || !sum_by_counts(planned->group, planned->counts, quantifier)))
                cell_group_refuse(planned->group, quantifier->original->span.begin,
                                  "a guard adds cells up, and the merges do not say how many there "
                                  "are of each kind");
        }
}

static void plan_group(struct cells_plan *plan, struct planned_group *planned) {
    struct cell_group *group = planned->group;
    if (!group->why_not) read_edges(plan, planned);
    if (!group->why_not) find_kinds(planned);
    if (!group->why_not) cell_group_weigh(group);
    if (!group->why_not) find_deals(planned);
    if (group->why_not) return;
    if (!group->scope) find_own(planned); /* what comes in may be anything */
    planned->counts = counts_solve(group);
    find_mapped(planned);
    refuse_sums(planned);
    if (planned->counts || group->why_not) return;
    uint32_t most = most_cells(planned);
    if (!group->why_not) planned->totals = totals_find(group, most + 1);
    if (!group->why_not && !planned->totals)
        cell_group_refuse(group, 0, "there are over %d totals", TOTALS_MAX_STATES);
}

/* What a plan is not made for */

static bool has_urgent_channel(const struct model *model) {
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t e = 0; e < model->templates[t]->edge_count; e++) {
            const struct expr *sync = model->templates[t]->edges[e].sync;
            const struct symbol *root = sync ? expr_root(sync) : NULL;
            if (sync && (!root || !root->type || (type_prefixes(root->type) & PREFIX_URGENT)))
                return true;
        }
    return false;
}

/* NULL where merges may be folded by cells. */
static const char *why_none(const struct context *context) {
    const struct network *network = context->network;
    if (context->rules->is_mixed) return "the abstraction is mixed";
    if (context->rules->is_confined) return "this must-abstraction is the lower one";
    if (network_is_timed(network) || context->request->clocks.count || context->request->is_untimed)
        return "the model has clocks";
    if (network->persistent.count) return "the model has meta variables that are read";
    if (network->before_update.list.count || network->after_update.list.count)
        return "the model has update hooks";
    return has_urgent_channel(network->model) ? "a channel is urgent" : NULL;
}

const struct cells_plan *cells_plan_make(struct context *context) {
    struct cell_groups groups = {{0}};
    const struct model *model = context->network->model;
    const char *why_not = why_none(context);
    if (!context->request->ghosts.count) return NULL;
    struct cells_plan *plan = ARENA_NEW(context->arena, struct cells_plan);
    plan->context = context;
    plan->interference = interference_find(context->arena, context->network);
    cell_groups_find(context, &groups);
    plan->edges = ARENA_ARRAY(context->arena, struct planned_edge **, model->template_count + 1);
    for (uint32_t t = 0; t < model->template_count; t++)
        plan->edges[t] =
            ARENA_ARRAY(context->arena, struct planned_edge *, model->templates[t]->edge_count + 1);
    for (uint32_t i = 0; i < groups.list.count; i++) {
        struct planned_group *planned = ARENA_NEW(context->arena, struct planned_group);
        planned->group = groups.list.items[i];
        if (why_not) cell_group_refuse(planned->group, 0, "%s", why_not);
        VEC_PUSH(context->arena, &plan->groups, planned);
        plan_group(plan, planned);
        for (struct planned_edge *edge = planned->edges; edge && !planned->group->why_not;
             edge = edge->next) {
            struct planned_edge **at =
                &plan->edges[edge->touched->template->index][edge->touched->edge_index];
            assert(!*at); /* an edge of two groups is refused in both */
            *at = edge;
        }
    }
    return plan;
}

/* Questions */

static const struct planned_group *group_of(const struct cells_plan *plan,
                                            const struct ghost *ghost) {
    for (uint32_t i = 0; plan && i < plan->groups.count; i++)
        if (cell_group_follows(plan->groups.items[i]->group, ghost->symbol))
            return plan->groups.items[i];
    return NULL;
}

bool cells_plan_is_used(const struct cells_plan *plan) {
    bool is_used = false;
    for (uint32_t i = 0; plan && i < plan->groups.count; i++)
        is_used |= !plan->groups.items[i]->group->why_not;
    return is_used;
}

bool cells_plan_follows(const struct cells_plan *plan, const struct ghost *ghost) {
    const struct planned_group *planned = group_of(plan, ghost);
    return planned && !planned->group->why_not;
}

const char *cells_plan_why_not(const struct cells_plan *plan, const struct ghost *ghost) {
    const struct planned_group *planned = group_of(plan, ghost);
    const char *why = planned ? planned->group->why_not : NULL;
    if (!why || !planned->group->arrays.count) return NULL;
    struct source_location place = source_locate(plan->context->diag->source, planned->group->at);
    const char *name = ghost->symbol->name;
    if (!place.line || !planned->group->at)
        return arena_printf(plan->context->arena, "'%s' is not folded by cells: %s", name, why);
    return arena_printf(plan->context->arena, "'%s' is not folded by cells: line %u: %s", name,
                        place.line, why);
}

const struct touched_edge *cells_plan_edge(const struct cells_plan *plan,
                                           const struct template *template, uint32_t index) {
    if (!plan) return NULL;
    assert(index < template->edge_count);
    const struct planned_edge *edge = plan->edges[template->index][index];
    return edge ? edge->touched : NULL;
}

/* An outcome for all merged values that a deal leads to. */
static void add_dealt(const struct planned_edge *edge, struct outcome_list *outcomes) {
    const struct touched_edge *touched = edge->touched;
    struct arena *arena = touched->group->context->arena;
    struct cell_class *class = ARENA_NEW(arena, struct cell_class);
    class->items = ARENA_ARRAY(arena, const struct expr *, touched->items.count + 1);
    for (uint32_t i = 0; i < touched->items.count; i++)
        class->items[i] = touched->items.items[i].expr;
    for (uint32_t i = 0; i < edge->dealt.list.count; i++)
        VEC_PUSH(arena, &outcomes->list,
                 (struct cell_outcome){
                     .class = class, .values = edge->dealt.list.items[i], .is_exact = true});
}

void cells_plan_outcomes(const struct cells_plan *plan, const struct touched_edge *touched,
                         struct outcome_list *outcomes) {
    const struct planned_group *planned = group_of(plan, touched->group->folds[0].ghost);
    const struct planned_edge *edge = plan->edges[touched->template->index][touched->edge_index];
    assert(planned && edge && edge->touched == touched);
    if (touched->deal)
        add_dealt(edge, outcomes);
    else
        outcomes_find(touched, &edge->members, planned->counts, planned->totals, outcomes);
    for (uint32_t i = 0; i < outcomes->list.count && touched->mapping; i++) {
        outcomes->list.items[i].values = edge->mapped.values;
        outcomes->list.items[i].mapped = &edge->mapped;
    }
    for (uint32_t i = 0; i < outcomes->list.count; i++)
        if (!outcomes->list.items[i].is_exact)
            VEC_PUSH(plan->context->arena, &outcomes->reasons,
                     outcome_reason(touched, &outcomes->list.items[i]));
}

/* Output */

/* m = m + part + delta, or m = value; NULL if m does not change. */
static const struct expr *change_of(const struct cell_group *group, uint32_t g,
                                    const struct cell_outcome *outcome) {
    struct arena *arena = group->context->arena;
    const struct symbol *symbol = group->folds[g].ghost->symbol;
    const struct expr *name = build_name(arena, symbol), *value = name;
    if (outcome->values) {
        bool is_bool = type_strip(symbol->type)->kind == TYPE_BOOL;
        int32_t dealt = outcome->values[g];
        return build_assignment(arena, name,
                                is_bool ? build_bool(arena, dealt != 0) : build_int(arena, dealt));
    }
    if (!cell_fold_is_sum(&group->folds[g])) {
        bool is_bool = type_strip(symbol->type)->kind == TYPE_BOOL;
        int32_t becomes = outcome->becomes[g];
        if (becomes == OUTCOME_SAME) return NULL;
        return build_assignment(
            arena, name, is_bool ? build_bool(arena, becomes != 0) : build_int(arena, becomes));
    }
    int64_t delta = outcome->class->deltas[g];
    if (delta && !outcome->class->parts[g] && type_strip(symbol->type)->kind == TYPE_BOOL)
        return build_assignment(arena, name, build_bool(arena, delta > 0)); /* it fits */
    if (outcome->class->parts[g])
        value = build_binary(arena, OP_ADD, value, outcome->class->parts[g]);
    if (delta)
        value = build_binary(arena, delta > 0 ? OP_ADD : OP_SUB, value,
                             build_int(arena, delta > 0 ? delta : -delta));
    return value == name ? NULL : build_assignment(arena, name, value);
}

struct cells_items cells_plan_items(const struct touched_edge *touched,
                                    const struct cell_outcome *outcome) {
    const struct cell_group *group = touched->group;
    struct cells_items items = {.items = ARENA_ARRAY(group->context->arena, struct item,
                                                     touched->items.count + group->fold_count + 1)};
    uint32_t last = 0; /* after the last write nothing changes what values were read from */
    for (uint32_t i = 0; i < touched->items.count; i++)
        if (touched->items.items[i].kind == ITEM_WRITE || touched->items.items[i].kind == ITEM_GIFT)
            last = i;
    for (uint32_t i = 0; i < touched->items.count; i++) {
        const struct cell_item *item = &touched->items.items[i];
        const struct expr *expr = outcome->class->items[i];
        if (item->kind == ITEM_VISIBLE)
            items.items[items.count++] =
                (struct item){item->original, expr,
                              expr == item->original && expr->span.begin}; /* it stands there */
        bool is_mapped = outcome->mapped && !outcome->values;
        for (uint32_t g = 0; i == last && g < group->fold_count; g++) {
            const struct expr *change =
                is_mapped ? outcome->mapped->changes[g] : change_of(group, g, outcome);
            if (change) items.items[items.count++] = (struct item){NULL, change, false};
        }
    }
    assert(items.count <= touched->items.count + group->fold_count);
    return items;
}

const struct expr *cells_plan_guard(const struct touched_edge *touched,
                                    const struct cell_outcome *outcome, bool is_must,
                                    bool for_errors) {
    struct arena *arena = touched->group->context->arena;
    const struct expr *guard = NULL;
    for (uint32_t i = 0; i < touched->conjuncts.count; i++)
        if (touched->conjuncts.items[i].kind == CONJUNCT_VISIBLE)
            guard = build_and(arena, guard, touched->conjuncts.items[i].expr);
    guard = build_and(arena, guard, outcome->class->guard);
    guard = build_and(arena, guard, is_must ? outcome->must : outcome->may);
    return for_errors ? build_and(arena, guard, items_hold(touched, outcome->class->items)) : guard;
}

/* What queries ask */

const struct expr *cells_plan_says(const struct cells_plan *plan, const struct expr *expr,
                                   const struct removal *scoped) {
    const struct expr *says = NULL;
    for (uint32_t g = 0; plan && g < plan->groups.count && !says; g++) {
        const struct planned_group *planned = plan->groups.items[g];
        bool is_asked = !scoped || cell_group_has(planned->group, scoped->symbol);
        if (is_asked && !planned->group->why_not && planned->counts)
            says = quantified_says(planned->group, planned->counts, expr);
    }
    return says;
}

/* L2 */

/* The visible guard of what a member does, and that it does not fail. */
static const struct expr *guard_of_items(const struct touched_edge *touched,
                                         const struct expr *guard, const struct expr **items) {
    assert(items);
    const struct cell_class class = {.guard = guard, .items = items};
    const struct cell_outcome outcome = {.class = &class};
    return cells_plan_guard(touched, &outcome, true, true);
}

static const struct expr **guards_of(const struct planned_edge *edge, const struct counts *counts) {
    struct arena *arena = edge->touched->group->context->arena;
    const struct expr **guards =
        ARENA_ARRAY(arena, const struct expr *, edge->members.list.count + 1);
    struct quantified_test quantified = quantified_by_counts(edge->touched, counts);
    for (uint32_t i = 0; i < edge->members.list.count; i++) {
        const struct cell_member *member = edge->members.list.items[i];
        guards[i] = build_and(arena, guard_of_items(edge->touched, member->guard, member->items),
                              quantified.must);
    }
    return guards;
}

static const struct expr *sure_of_deal(const struct planned_edge *edge) {
    struct outcome_list outcomes;
    memset(&outcomes, 0, sizeof outcomes);
    add_dealt(edge, &outcomes);
    if (!outcomes.list.count) return build_bool(edge->touched->group->context->arena, false);
    return guard_of_items(edge->touched, NULL, outcomes.list.items[0].class->items);
}

static const struct expr *either(struct arena *arena, const struct expr *left,
                                 const struct expr *right) {
    if (!left || !right) return NULL;
    if (expr_is_false(left)) return right;
    return expr_is_false(right) ? left : build_or(arena, left, right);
}

const struct expr *cells_plan_sure(const struct cells_plan *plan, const struct template *template,
                                   const uint32_t *edges, uint32_t count) {
    struct arena *arena = plan->context->arena;
    const struct expr *sure = build_bool(arena, false);
    for (uint32_t g = 0; g < plan->groups.count; g++) {
        const struct planned_group *planned = plan->groups.items[g];
        struct sure_edge list[SURE_MAX_EDGES];
        uint32_t found = 0;
        for (uint32_t i = 0; i < count && !planned->group->why_not; i++) {
            assert(edges[i] < template->edge_count);
            const struct planned_edge *edge = plan->edges[template->index][edges[i]];
            if (!edge || edge->touched->group != planned->group) continue;
            if (edge->touched->deal)
                sure = either(arena, sure, sure_of_deal(edge));
            else if (planned->counts && found < SURE_MAX_EDGES)
                list[found++] =
                    (struct sure_edge){&edge->members, guards_of(edge, planned->counts)};
        }
        if (found) sure = either(arena, sure, sure_by_counts(planned->counts, list, found));
    }
    return sure;
}
