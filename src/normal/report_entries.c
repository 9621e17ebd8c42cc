/* See normal_internal.h: the entries of the report about exchanged values. */
#include "normal/normal_internal.h"

#include "expr/find.h"
#include "lang/syntax/walk.h"
#include "normal/process_text.h"

#include <assert.h>
#include <string.h>

/* ---- points ---- */

static const char *owned_name(const struct normaliser *normaliser, const struct cell_at *cell) {
    const struct live_variable *variable = cell->variable;
    const char *name = normal_cell_name(normaliser->arena, cell);
    if (!variable->template) return name;
    return arena_printf(normaliser->arena, "%s.%s", variable->template->symbol->name, name);
}

static void copy_values(struct normaliser *normaliser, const struct class_point *point,
                        struct normal_point *entry) {
    int32_t *values = ARENA_ARRAY(normaliser->arena, int32_t, entry->count + 1);
    int32_t *normal = ARENA_ARRAY(normaliser->arena, int32_t, entry->count + 1);
    for (uint32_t i = 0; i < entry->count; i++) {
        values[i] = value_set_at(point->values, i);
        normal[i] = point_normal(point, values[i]);
        assert(point_normal(point, normal[i]) == normal[i]); /* it stands for itself */
    }
    entry->values = values;
    entry->normal = normal;
}

/* Names of all processes that share the points of an owner. */
static void add_processes(struct normaliser *normaliser, const struct process *owner,
                          struct normal_point *entry) {
    const struct network *network = normaliser->session.network;
    for (uint32_t p = owner->index; p < network->process_count; p++)
        if (normaliser->sharing->of_arguments[p] == owner->index)
            VEC_PUSH(normaliser->arena, &entry->processes,
                     arena_printf(normaliser->arena, "%s", network->processes[p].name));
}

/* Some of its values. */
static void add_key(struct normaliser *normaliser, const struct point_key *key, uint64_t members,
                    struct normal_point *entry) {
    const struct slot *slot = &normaliser->session.network->slots[key->slot];
    const char *name = normal_slot_name(normaliser, key->slot);
    int32_t *values = ARENA_ARRAY(normaliser->arena, int32_t, key->count);
    if (slot->process)
        name =
            arena_printf(normaliser->arena, "%s.%s", slot->process->template->symbol->name, name);
    for (uint32_t i = 0; i < key->count; i++)
        if (members >> i & 1) values[entry->key_count++] = key->values[i];
    entry->key = name;
    entry->key_values = values;
}

static void list_point(struct normaliser *normaliser, const struct cell_at *cell,
                       const struct process_points *points, uint64_t members, uint64_t all) {
    const struct template *template = normal_template(normaliser, cell->variable);
    struct arena *arena = normaliser->arena;
    const struct class_point *point = NULL;
    struct normal_point entry = {.variable = owned_name(normaliser, cell)};
    bool is_all = members == all;
    for (uint32_t i = points->count; i-- > 0;)
        if (members >> i & 1 && points->items[i].point->is_open) point = points->items[i].point;
    if (points->key && !is_all) add_key(normaliser, points->key, members, &entry);
    for (uint32_t i = 0; i < points->count && !is_all && !points->key; i++)
        if (members >> i & 1) add_processes(normaliser, points->items[i].process, &entry);
    assert(point && point_is_merged(point));
    entry.is_one = point->is_one;
    entry.representative = point->representative;
    entry.lower = point->values->lower;
    entry.upper = point->values->upper;
    uint64_t count = value_set_size(point->values);
    entry.count = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
    assert(entry.lower < entry.upper);
    if (entry.count <= MOST_PARTED) copy_values(normaliser, point, &entry);
    if (template)
        entry.location = arena_printf(arena, "%s", template->locations[cell->location].name);
    if (template && !cell->variable->template)
        entry.template = arena_printf(arena, "%s", template->symbol->name);
    VEC_PUSH(arena, &normaliser->normal->points, entry);
}

/* Whether the same values stand for the same ones. */
static bool does_same(const struct class_point *left, const struct class_point *right) {
    if (left == right) return true;
    if (left->is_one || right->is_one)
        return left->is_one == right->is_one && left->representative == right->representative;
    uint64_t count = value_set_size(left->values);
    bool is_large = count > MOST_PARTED; /* each value is a class */
    for (uint64_t i = 0; i < count && !is_large; i++) {
        int32_t value = value_set_at(left->values, i);
        if (point_normal(left, value) != point_normal(right, value)) return false;
    }
    return true;
}

/* An entry for all values of the key by which the cell has the same classes. */
static void list_keyed(struct normaliser *normaliser, const struct cell_at *cell,
                       const struct process *owner, const struct point_key *key) {
    struct process_points points = {.key = key};
    struct cell_at own = *cell;
    uint64_t listed = 0, all = 0;
    for (own.index = 0; own.index < key->count; own.index++) {
        const struct class_point *point = normal_any_point(normaliser, &own, owner);
        points.items[points.count++] = (struct process_point){.process = owner, .point = point};
        all |= (uint64_t)(point != NULL) << own.index;
    }
    for (own.index = 0; own.index < key->count; own.index++) {
        uint64_t members = 0;
        const struct class_point *point = normal_point_in(normaliser, &own, owner);
        for (uint32_t k = own.index; point && k < points.count; k++)
            if (points.items[k].point && does_same(point, points.items[k].point))
                members |= UINT64_C(1) << k;
        if (point && point->is_open && !(listed >> own.index & 1))
            list_point(normaliser, cell, &points, members, all);
        if (point && point->is_open) listed |= members;
    }
}

/* An entry for all processes that have the same classes. */
static void list_cell(struct normaliser *normaliser, const struct cell_at *cell) {
    struct process_points points = {.count = 0};
    uint32_t count = normal_owner_count(normaliser, cell->variable);
    uint64_t listed = 0;
    const struct process *first = count ? normal_owner(normaliser, cell->variable, 0) : NULL;
    const struct point_key *key = count ? normal_key(normaliser, cell, first) : NULL;
    if (key) {
        list_keyed(normaliser, cell, first, key);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct process *owner = normal_owner(normaliser, cell->variable, i);
        const struct class_point *point = normal_any_point(normaliser, cell, owner);
        if (point && point->is_open &&
            (!owner ||
             normal_is_reached(normaliser, cell->variable->symbol, owner, cell->location)))
            points.items[points.count++] = (struct process_point){.process = owner, .point = point};
    }
    for (uint32_t i = 0; i < points.count; i++) {
        uint64_t members = 0;
        for (uint32_t k = i; k < points.count; k++)
            if (does_same(points.items[i].point, points.items[k].point))
                members |= UINT64_C(1) << k;
        if (!(listed >> i & 1) && normal_point_in(normaliser, cell, points.items[i].process))
            list_point(normaliser, cell, &points, members, (UINT64_C(1) << points.count) - 1);
        listed |= members;
    }
}

/* All cells, at all locations. */
void normal_report_points(struct normaliser *normaliser) {
    const struct live *live = normaliser->live;
    for (uint32_t i = 0; i < live->variable_count; i++) {
        struct cell_at cell = {.variable = &live->variables[i]};
        uint32_t locations = normal_point_count(normaliser, cell.variable);
        for (cell.offset = 0; cell.offset < cell.variable->shape->cell_count; cell.offset++)
            for (cell.location = 0; cell.location < locations; cell.location++)
                list_cell(normaliser, &cell);
    }
}

/* Whatever its key has. */
static bool is_exchanged_in(const struct normaliser *normaliser, const struct cell_at *cell,
                            const struct process *owner) {
    const struct point_key *key = normal_key(normaliser, cell, owner);
    struct cell_at own = *cell;
    for (own.index = 0; own.index < (key ? key->count : 1); own.index++)
        if (normal_point_in(normaliser, &own, owner)) return true;
    return false;
}

/* A variable whose values have become those that stand for others. */
static bool is_exchanged(const struct normaliser *normaliser,
                         const struct live_variable *variable) {
    struct cell_at cell = {.variable = variable};
    uint32_t locations = normal_point_count(normaliser, variable);
    uint32_t owners = normal_owner_count(normaliser, variable);
    for (; cell.offset < variable->shape->cell_count; cell.offset++)
        for (cell.location = 0; cell.location < locations; cell.location++)
            for (uint32_t i = 0; i < owners; i++)
                if (is_exchanged_in(normaliser, &cell, normal_owner(normaliser, variable, i)))
                    return true;
    return false;
}

/* ---- queries that were not asked for ---- */

struct name_search {
    const struct normaliser *normaliser;
    const char *found;
};

static bool look_for(struct name_search *search, const struct symbol *symbol) {
    const struct live_variable *variable = live_find(search->normaliser->live, symbol);
    if (!search->found && variable && is_exchanged(search->normaliser, variable))
        search->found =
            variable_name(search->normaliser->arena, variable->template, variable->symbol);
    return !search->found;
}

static bool find_exchanged(void *context, const struct expr *expr) {
    struct name_search *search = context;
    const struct symbol *symbol = expr->symbol;
    if (symbol && !look_for(search, symbol)) return false;
    if (expr->kind != EXPR_CALL || !symbol || !symbol->function) return true;
    struct effects_table *table = &search->normaliser->live->table;
    const struct effects *effects = effects_of_function(table, symbol->function);
    for (uint32_t i = 0; i < effects->list.count; i++)
        if (!look_for(search, effects->list.items[i].symbol)) return false;
    return true;
}

static bool is_asked(const struct normaliser *normaliser, uint32_t query) {
    return !normaliser->is_asked || normaliser->is_asked[query];
}

/* Whether the same is asked of states. */
static bool asks_same(const struct query *query, const struct query *other) {
    if (query->expr_count != other->expr_count || !query->predicate != !other->predicate ||
        (query->predicate && !expr_equal(query->predicate, other->predicate)))
        return false;
    for (uint32_t k = 0; k < query->expr_count; k++)
        if (!expr_equal(query->exprs[k], other->exprs[k])) return false;
    return query->predicate || query->expr_count;
}

/* Whether a query that counts asks the same. */
static bool is_observed(const struct normaliser *normaliser, const struct query *query) {
    for (uint32_t i = 0; i < normaliser->observed.count; i++)
        if (is_asked(normaliser, i) && asks_same(&normaliser->observed.items[i], query))
            return true;
    return false;
}

/* C10: what was not asked for is not kept, if it reads a value that may be another one. */
void normal_report_losses(struct normaliser *normaliser) {
    const struct model *model = normaliser->session.model;
    for (uint32_t i = 0; i < model->query_count; i++) {
        struct name_search search = {.normaliser = normaliser};
        const struct query *query = &model->queries[i];
        bool is_looked_at = query->quantifier == QUERY_FORMULA; /* V18, asked for or not */
        if (is_looked_at || is_observed(normaliser, query)) continue;
        walk_query(query, find_exchanged, &search);
        if (search.found)
            VEC_PUSH(normaliser->arena, &normaliser->normal->losses,
                     (struct normal_loss){i, search.found});
    }
}

/* ---- what was requested ---- */

struct request_look {
    const struct requested_class *requested;
    bool is_meant, is_open, is_merged, is_refused; /* somewhere */
};

static void look_at_requested(const struct normaliser *normaliser, struct request_look *look,
                              const struct cell_at *cell, const struct process *owner) {
    const struct requested_class *requested = look->requested;
    const struct symbol *symbol = cell->variable->symbol;
    const struct class_point *point = normal_any_point(normaliser, cell, owner);
    const struct point_key *key = normal_key(normaliser, cell, owner);
    struct cell_point own = {.owner =
                                 owner ? owner : normal_global_owner(normaliser, cell->variable),
                             .location = cell->location,
                             .symbol = symbol,
                             .offset = cell->offset,
                             .key = key};
    if (key) own.key_value = key->values[cell->index];
    struct requested_point at = {normaliser->session.network, &own,
                                 normal_firsts(normaliser, symbol)};
    if (!point || requested_for(&normaliser->requests, &at) != requested) return;
    look->is_meant = true;
    look->is_open |= point->is_open;
    look->is_merged |= point->is_open && point_is_merged(point);
    look->is_refused |= request_is_refused(requested, point);
}

/* For each value of its key, if it has one. */
static void look_at_keys(const struct normaliser *normaliser, struct request_look *look,
                         struct cell_at cell, const struct process *owner) {
    const struct point_key *key = normal_key(normaliser, &cell, owner);
    for (cell.index = 0; cell.index < (key ? key->count : 1); cell.index++)
        look_at_requested(normaliser, look, &cell, owner);
}

static void look_at_request(const struct normaliser *normaliser, struct request_look *look) {
    struct cell_at cell = {.variable = look->requested->variable};
    uint32_t locations = normal_point_count(normaliser, cell.variable);
    uint32_t owners = normal_owner_count(normaliser, cell.variable);
    for (; cell.offset < cell.variable->shape->cell_count; cell.offset++)
        for (cell.location = 0; cell.location < locations; cell.location++)
            for (uint32_t i = 0; i < owners; i++)
                look_at_keys(normaliser, look, cell, normal_owner(normaliser, cell.variable, i));
}

/* Why something that is requested is not exchanged, in words around the name; NULL if all is. Of a
 * variable wherever it is, with all of its values, whatever can be exchanged is requested. */
static const char *refusal_text(const struct normaliser *normaliser,
                                const struct requested_class *requested, bool is_found) {
    const struct spec_exchange *exchange = requested->exchange;
    bool is_any = !exchange->has_classes && requested->location == EVERY_LOCATION;
    struct request_look look = {.requested = requested};
    if (is_found) look_at_request(normaliser, &look);
    if (is_found && requested->key && !look.is_meant)
        return "no value of '%s' is exchanged: the cell of 'while' cannot tell there what makes a "
               "difference";
    if (is_found && exchange->template.begin && !look.is_meant)
        return "no value of '%s' is exchanged: what makes a difference does not depend on where "
               "that process is";
    if (is_found && request_is_partial(requested, normaliser->session.network,
                                       normal_firsts(normaliser, requested->variable->symbol)))
        return "not all these values of '%s' are exchanged: other processes, which are not told "
               "apart from these, have to be named, too";
    if (is_found && !(is_any ? look.is_open && !look.is_merged : look.is_refused)) return NULL;
    return is_any || !is_found
               ? "no value of '%s' is exchanged: each makes a difference for a step or a query, or "
                 "it takes too much to find out"
               : "not all these values of '%s' are exchanged for one: some make a difference for a "
                 "step or a query";
}

void normal_report_refusals(struct normaliser *normaliser, bool is_found) {
    for (uint32_t i = 0; i < normaliser->requests.list.count; i++) {
        const struct requested_class *requested = &normaliser->requests.list.items[i];
        const struct text *name = &requested->exchange->variable;
        const char *text = refusal_text(normaliser, requested, is_found);
        if (!text) continue;
        const char *quote = strchr(text, '%'); /* %s, for the name */
        struct normal_refusal refusal = {name->begin, arena_printf(normaliser->arena, "%.*s%s%s",
                                                                   (int)(quote - text), text,
                                                                   name->content.data, quote + 2)};
        VEC_PUSH(normaliser->arena, &normaliser->normal->refusals, refusal);
    }
}
