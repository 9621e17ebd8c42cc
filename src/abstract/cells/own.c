#include "abstract/cells/own.h"

#include "abstract/cells/kinds.h"
#include "expr/find.h"
#include "lang/syntax/walk.h"

#include <assert.h>

/* Who writes a cell, and by which index. */
struct writer {
    const struct process *process;
    const struct cell_term *term; /* NULL = nobody */
    bool is_one;                  /* no other process, and by no other index */
};

struct own_search {
    struct cell_group *group;
    const struct own_edge *edges;
    uint32_t count;
    struct writer *writers; /* by position */
    bool is_hopeless;       /* some edge may write any cell */
};

static bool index_is_same(const struct cell_group *group, const struct cell_term *left,
                          const struct cell_term *right) {
    for (uint32_t d = 0; d < group->dimension_count; d++)
        if (!expr_equal(left->index[d], right->index[d])) return false;
    return true;
}

/* A name or call that may mean another cell from step to step. */
static bool may_change(const void *context, const struct expr *expr) {
    (void)context;
    return expr->kind == EXPR_CALL || expr->kind == EXPR_QUANTIFY ||
           (expr->kind == EXPR_NAME && expr->symbol && expr->symbol->kind != SYMBOL_VARIABLE &&
            expr->symbol->kind != SYMBOL_PARAMETER);
}

/* The cell that the term is in a process, or in any if it is NULL; false if it is not always the
 * same.
 */
static bool find_place(struct cell_group *group, const struct cell_term *term,
                       const struct process *process, uint32_t *place) {
    struct context *context = group->context;
    int64_t index[CELLS_MAX_DIMENSIONS];
    bool ok = true;
    context->environment.locals = process ? process->locals : NULL;
    for (uint32_t d = 0; d < group->dimension_count && ok; d++) {
        int32_t value = 0;
        ok = !expr_any(term->index[d], may_change, NULL) &&
             context_value(context, term->index[d], &value); /* reads no variable */
        index[d] = value;
    }
    context->environment.locals = NULL;
    return ok && cell_position(group, index, place);
}

/* Calls back for each process of the template; with an array of the template, once for all of them,
 * as each has its own cells. */
typedef bool (*visit_place)(struct own_search *search, const struct cell_term *term,
                            const struct process *process, uint32_t place);

static bool each_place(struct own_search *search, const struct template *template,
                       const struct cell_term *term, visit_place visit) {
    const struct network *network = search->group->context->network;
    uint32_t place;
    if (search->group->folds[0].ghost->template)
        return find_place(search->group, term, NULL, &place) && visit(search, term, NULL, place);
    const struct process_range *range = &network->processes_of[template->index];
    for (uint32_t p = range->first; p < range->end; p++) {
        const struct process *process = &network->processes[p];
        if (process->template != template) continue;
        if (!find_place(search->group, term, process, &place) ||
            !visit(search, term, process, place))
            return false;
    }
    return true;
}

/* Writers */

static bool note_writer(struct own_search *search, const struct cell_term *term,
                        const struct process *process, uint32_t place) {
    struct writer *writer = &search->writers[place];
    assert(place < search->group->position_count);
    if (!writer->term)
        *writer = (struct writer){process, term, true};
    else
        writer->is_one &=
            writer->process == process && index_is_same(search->group, writer->term, term);
    return true;
}

/* A select leads to any cell of its range, whatever it is compared with. */
static bool note_select(struct own_search *search, const struct touched_edge *touched,
                        const struct cell_term *term) {
    const struct cell_group *group = search->group;
    const struct shape *shape = NULL;
    if (group->dimension_count > 1 || term->index[0]->kind != EXPR_NAME) return false;
    for (uint32_t s = 0; s < touched->edge->select_count; s++)
        if (touched->edge->selects[s] == term->index[0]->symbol)
            shape = context_shape(group->context, term->index[0]->symbol->type);
    if (!shape || shape->kind != SHAPE_CELL) return false;
    for (uint32_t p = 0; p < group->position_count; p++) {
        int64_t index = group->lower[0] + (int64_t)p;
        if (index < shape->lower || index > shape->upper) continue;
        search->writers[p].term = term;
        search->writers[p].is_one = false;
    }
    return true;
}

static void note_edge(struct own_search *search, const struct touched_edge *touched) {
    search->is_hopeless |= touched->deal || touched->mapping;
    for (uint32_t t = 0; t < touched->term_count && !search->is_hopeless; t++) {
        bool is_written = false;
        for (uint32_t i = 0; i < touched->items.count; i++)
            is_written |=
                touched->items.items[i].kind == ITEM_WRITE && touched->items.items[i].term == t;
        if (!is_written) continue;
        search->is_hopeless =
            !note_select(search, touched, &touched->terms[t]) &&
            !each_place(search, touched->template, &touched->terms[t], note_writer);
    }
}

/* Nobody writes the cell but the process itself, by this index. */
static bool is_own(struct own_search *search, const struct cell_term *term,
                   const struct process *process, uint32_t place) {
    const struct writer *writer = &search->writers[place];
    assert(place < search->group->position_count);
    return !writer->term || (writer->is_one && writer->process == process &&
                             index_is_same(search->group, writer->term, term));
}

/* What a cell holds */

typedef bool kinds_by_zone[CELLS_MAX_ZONES][CELLS_MAX_KINDS];

/* The term of an edge with the index of another one; NULL if it has none. */
static struct cell_term *same_term(const struct cell_group *group, const struct own_edge *edge,
                                   const struct cell_term *term) {
    for (uint32_t t = 0; edge && t < edge->touched->term_count; t++)
        if (index_is_same(group, &edge->touched->terms[t], term)) return &edge->touched->terms[t];
    return NULL;
}

static void add_kind(const struct cell_zone *zone, bool *kinds, uint32_t kind, bool *changed) {
    for (uint32_t k = 0; k < zone->kinds.count; k++) {
        if (kind != NO_SLOT && k != kind) continue; /* NO_SLOT: any */
        *changed |= !kinds[k];
        kinds[k] = true;
    }
}

/* Whether something new comes to the end of an edge, which touches the cell as term own, or not. */
static bool pass_edge(const struct cell_group *group, const struct own_edge *touching,
                      const struct cell_term *own, const struct edge *edge, kinds_by_zone *at) {
    bool changed = false;
    for (uint32_t z = 0; z < group->zone_count && !own; z++)
        for (uint32_t k = 0; k < group->zones[z].kinds.count; k++)
            if (at[edge->source][z][k])
                add_kind(&group->zones[z], at[edge->target][z], k, &changed);
    if (!own) return changed;
    uint32_t term = (uint32_t)(own - touching->touched->terms);
    for (uint32_t i = 0; i < touching->members->list.count; i++) {
        const struct cell_member *member = touching->members->list.items[i];
        uint32_t c = member->of->cell_of[term], z = member->of->zone[c];
        if (at[edge->source][z][member->kind[c]])
            add_kind(&group->zones[z], at[edge->target][z], member->becomes[c], &changed);
    }
    return changed;
}

/* The initial kind of the cell of each process. */
static bool start(struct own_search *search, const struct template *template,
                  const struct cell_term *term, kinds_by_zone *initial) {
    const struct cell_group *group = search->group;
    const struct network *network = group->context->network;
    const struct process_range *range = &network->processes_of[template->index];
    bool is_local = group->folds[0].ghost->template != NULL, unused = false;
    for (uint32_t p = range->first; p < range->end; p++) {
        const struct process *process = &network->processes[p];
        int32_t values[CELLS_MAX_FIELDS] = {0};
        uint32_t place, k = 0;
        if (process->template != template) continue;
        if (!find_place(search->group, term, is_local ? NULL : process, &place) ||
            !is_own(search, term, is_local ? NULL : process, place))
            return false;
        const struct cell_zone *zone = &group->zones[group->zone_of[place]];
        cell_group_initial(group, is_local ? process : NULL, place, values);
        while (memcmp(zone->kinds.items[k].values, values, group->fields.count * sizeof *values))
            k++;
        assert(k < zone->kinds.count); /* it has all initial ones */
        add_kind(zone, (*initial)[group->zone_of[place]], k, &unused);
    }
    return true;
}

static void follow(struct own_search *search, const struct template *template,
                   const struct cell_term *term) {
    const struct cell_group *group = search->group;
    struct arena *arena = group->context->arena;
    uint32_t nodes = template->location_count + template->branchpoint_count;
    kinds_by_zone *at = ARENA_ARRAY(arena, kinds_by_zone, nodes + 1);
    const struct own_edge **touching =
        ARENA_ARRAY(arena, const struct own_edge *, template->edge_count + 1);
    if (!start(search, template, term, &at[template->initial])) return;
    for (uint32_t i = 0; i < search->count; i++)
        if (search->edges[i].touched->template == template)
            touching[search->edges[i].touched->edge_index] = &search->edges[i];
    for (bool changed = true; changed;) { /* kinds only come, so it ends */
        changed = false;
        for (uint32_t e = 0; e < template->edge_count; e++)
            changed |= pass_edge(group, touching[e], same_term(group, touching[e], term),
                                 &template->edges[e], at);
    }
    for (uint32_t e = 0; e < template->edge_count; e++) {
        struct cell_term *known = same_term(group, touching[e], term);
        if (known) known->known = at[template->edges[e].source];
    }
}

void own_find(struct cell_group *group, const struct own_edge *edges, uint32_t count) {
    struct own_search search = {.group = group, .edges = edges, .count = count};
    search.writers = ARENA_ARRAY(group->context->arena, struct writer, group->position_count + 1);
    assert(!group->why_not);
    if (group->context->network->process_count > OWN_MAX_PROCESSES) return;
    for (uint32_t i = 0; i < count && !search.is_hopeless; i++)
        note_edge(&search, edges[i].touched);
    for (uint32_t i = 0; i < count && !search.is_hopeless; i++)
        for (uint32_t t = 0; t < edges[i].touched->term_count; t++)
            if (!edges[i].touched->terms[t].known)
                follow(&search, edges[i].touched->template, &edges[i].touched->terms[t]);
}

const bool *own_kinds(const struct touched_edge *touched, const struct cell_case *of, uint32_t c) {
    for (uint32_t t = 0; t < touched->term_count; t++)
        if (of->cell_of[t] == c && touched->terms[t].known)
            return touched->terms[t].known[of->zone[c]];
    return NULL;
}

bool own_admits(const struct touched_edge *touched, const struct cell_member *member) {
    for (uint32_t c = 0; c < member->of->cell_count; c++) {
        const bool *kinds = own_kinds(touched, member->of, c);
        if (kinds && !kinds[member->kind[c]]) return false;
    }
    return true;
}
