/* From the classes to the new model. */
#include "normal/normal.h"

#include "abstract/emit/label.h"
#include "abstract/emit/place.h"
#include "abstract/emit/text.h"
#include "abstract/request/request.h"
#include "approx/domain.h"
#include "expr/build.h"
#include "expr/find.h"
#include "lang/syntax/frame.h"
#include "lang/syntax/walk.h"
#include "normal/process_text.h"
#include "normal/value_text.h"
#include "normal/wish.h"
#include "suggest/live.h"

#include <assert.h>
#include <string.h>

/* Past some rounds, all processes of a template have the same classes. */
enum { MOST_CELLS = 64, MOST_ROUNDS = 8, ROUNDS_APART = 3 };

/* The processes of a template that share their places with none before them. */
struct owners {
    uint32_t items[MOST_SHARERS], count;
};

struct normaliser {
    struct normal *normal;
    struct arena *arena; /* of the result */
    struct session session;
    struct observed observed;
    bool are_given;             /* the queries, by the user */
    VEC(struct query) formulas; /* of operators in each other and of knowledge */
    const bool *is_asked;       /* by query: it counts now; NULL: all do */
    VEC(struct query) asked;    /* which are these, but for the formulas */
    struct live *live;
    bool *is_kept;                  /* by live variable: its values stay as they are */
    bool *is_common;                /* by live variable: processes of its template do the same */
    bool (*is_written)[MOST_CELLS]; /* by live variable and cell: some edge exchanges a value */
    struct wishes wishes;
    bool has_unwished; /* a value would be exchanged that nobody wishes to: each stays then */
    struct analysis *analysis;
    const struct place_sharing *sharing;
    struct owners *owners; /* by template index */
    struct classes *classes;
    struct generator generator;
    struct additions *additions; /* of the edge that is written */
};

/* ---- classes ---- */

static uint32_t number_of(const struct live *live, const struct live_variable *variable) {
    assert(variable >= live->variables && variable < live->variables + live->variable_count);
    return (uint32_t)(variable - live->variables);
}

/* Within a step, at a branchpoint, values stay as they are. */
static bool is_wanted(const void *context, const struct template *template, uint32_t location,
                      const struct symbol *symbol, uint32_t offset) {
    const struct normaliser *normaliser = context;
    const struct live_variable *variable = live_find(normaliser->live, symbol);
    if (!variable || variable->is_observed || variable->is_passed) return false;
    if (template && location >= template->location_count) return false;
    return variable->shape->cell_count <= MOST_CELLS && offset < variable->shape->cell_count &&
           !normaliser->is_kept[number_of(normaliser->live, variable)];
}

static bool is_common(const void *context, const struct symbol *symbol) {
    const struct normaliser *normaliser = context;
    const struct live_variable *variable = live_find(normaliser->live, symbol);
    return !variable || normaliser->is_common[number_of(normaliser->live, variable)];
}

/* By process, the first that shares the places of a variable. */
static const uint32_t *firsts_of(const struct normaliser *normaliser, const struct symbol *symbol) {
    return is_common(normaliser, symbol) ? normaliser->sharing->of_template
                                         : normaliser->sharing->of_arguments;
}

/* Whether one of the processes that share the places of the owner gets to a location. */
static bool is_reached(const struct normaliser *normaliser, const struct symbol *symbol,
                       const struct process *owner, uint32_t location) {
    const struct network *network = normaliser->session.network;
    const uint32_t *firsts = firsts_of(normaliser, symbol);
    for (uint32_t p = owner->index; p < network->process_count; p++)
        if (firsts[p] == owner->index &&
            normaliser->analysis->processes[p].locations[location].is_reached)
            return true;
    return false;
}

static bool begins(const void *context, const struct process *owner, uint32_t location,
                   const struct symbol *symbol, uint32_t offset, const struct class_place *place,
                   uint32_t *stands_for) {
    const struct normaliser *normaliser = context;
    const struct wishes *wishes = &normaliser->wishes;
    bool is_hand = !owner && location; /* where nothing is exchanged */
    if (!wishes->are_given || is_hand ||
        !(normaliser->has_unwished || wishes_have(wishes, symbol, offset)) ||
        (owner && !is_reached(normaliser, symbol, owner, location)))
        return false;
    struct wish_place at = {normaliser->session.network,  symbol, offset, owner, location,
                            firsts_of(normaliser, symbol)};
    return wish_begins(wish_for(wishes, &at), place, stands_for);
}

static struct analysis *analyse_values(struct normaliser *normaliser,
                                       const struct analysis_options *options) {
    const struct network *network = normaliser->session.network;
    struct arena *arena = &normaliser->session.arena;
    bool *is_removed = ARENA_ARRAY(arena, bool, network->slot_count + 1);
    struct diag unheard;
    diag_init(&unheard, arena, NULL);
    for (uint32_t s = 0; s < network->slot_count; s++)
        is_removed[s] = live_find(normaliser->live, network->slots[s].symbol) != NULL;
    return analyse(arena, network, is_removed, options, &unheard);
}

static void find_owners(struct normaliser *normaliser) {
    const struct network *network = normaliser->session.network;
    struct arena *arena = &normaliser->session.arena;
    normaliser->sharing = sharing_find(arena, network);
    normaliser->owners = ARENA_ARRAY(arena, struct owners, network->model->template_count + 1);
    for (uint32_t p = 0; p < network->process_count; p++) {
        struct owners *own = &normaliser->owners[network->processes[p].template->index];
        if (normaliser->sharing->of_arguments[p] == p) own->items[own->count++] = p;
        assert(own->count && own->count <= MOST_SHARERS);
    }
}

/* A cell of a variable while its process is at a location, or a global one. */
struct cell_at {
    const struct live_variable *variable;
    uint32_t offset, location;
};

/* Its slot in a process of its template; NO_SLOT if the process has no such cell. */
static uint32_t slot_in(const struct normaliser *normaliser, const struct live_variable *variable,
                        const struct process *process, uint32_t offset) {
    const struct network *network = normaliser->session.network;
    const struct binding *binding = variable->template ? &process->locals[variable->symbol->index]
                                                       : &network->globals[variable->symbol->index];
    if (!binding->shape || offset >= binding->shape->cell_count) return NO_SLOT;
    return network->slot_of[binding->address + offset];
}

/* How many processes have places of their own for a variable, in order; one if it is global. */
static uint32_t owner_count(const struct normaliser *normaliser,
                            const struct live_variable *variable) {
    if (!variable->template) return 1;
    uint32_t count = normaliser->owners[variable->template->index].count;
    bool is_apart = !normaliser->is_common[number_of(normaliser->live, variable)];
    return is_apart || !count ? count : 1;
}

/* NULL if the variable is global. */
static const struct process *owner_at(const struct normaliser *normaliser,
                                      const struct live_variable *variable, uint32_t number) {
    assert(number < owner_count(normaliser, variable));
    if (!variable->template) return NULL;
    const struct owners *owners = &normaliser->owners[variable->template->index];
    return &normaliser->session.network->processes[owners->items[number]];
}

/* Of a global variable, the process whose locations tell its places apart, or NULL. */
static const struct process *home_of(const struct normaliser *normaliser,
                                     const struct live_variable *variable) {
    uint32_t slot = slot_in(normaliser, variable, NULL, 0);
    return slot == NO_SLOT ? NULL : classes_owner(normaliser->classes, slot);
}

/* Of the places of a variable: one for each location of the template that tells them apart. */
static const struct template *template_of(const struct normaliser *normaliser,
                                          const struct live_variable *variable) {
    if (variable->template) return variable->template;
    const struct process *home = home_of(normaliser, variable);
    return home ? home->template : NULL;
}

static uint32_t place_count(const struct normaliser *normaliser,
                            const struct live_variable *variable) {
    const struct template *template = template_of(normaliser, variable);
    return template ? template->location_count : 1;
}

/* In a process that has places of its own. NULL if it has no such cell. */
static const struct class_place *any_place_at(const struct normaliser *normaliser,
                                              const struct cell_at *cell,
                                              const struct process *owner) {
    assert(cell->offset < cell->variable->shape->cell_count);
    uint32_t slot = slot_in(normaliser, cell->variable, owner, cell->offset);
    return slot == NO_SLOT ? NULL : classes_place(normaliser->classes, slot, cell->location);
}

/* The same, if some value stands for others there that are exchanged for it, or NULL. */
static const struct class_place *place_at(const struct normaliser *normaliser,
                                          const struct cell_at *cell, const struct process *owner) {
    const struct class_place *place = any_place_at(normaliser, cell, owner);
    uint32_t number = number_of(normaliser->live, cell->variable);
    bool is_written = cell->offset < MOST_CELLS && normaliser->is_written[number][cell->offset];
    return place && place_is_merged(place) && is_written ? place : NULL;
}

static const char *cell_name(struct arena *arena, const struct cell_at *cell) {
    const struct live_variable *variable = cell->variable;
    struct buffer out = {0};
    buffer_add_text(&out, variable->symbol->name);
    shape_path(&out, variable->symbol->type, variable->shape, cell->offset);
    const char *name = buffer_take(&out, arena);
    buffer_close(&out);
    return name;
}

typedef void (*cell_found)(struct normaliser *normaliser, const struct cell_at *cell);

/* Calls back with all cells, at all locations. */
static void each_cell(struct normaliser *normaliser, cell_found found) {
    const struct live *live = normaliser->live;
    for (uint32_t i = 0; i < live->variable_count; i++) {
        struct cell_at cell = {.variable = &live->variables[i]};
        uint32_t locations = place_count(normaliser, cell.variable);
        for (cell.offset = 0; cell.offset < cell.variable->shape->cell_count; cell.offset++)
            for (cell.location = 0; cell.location < locations; cell.location++)
                found(normaliser, &cell);
    }
}

/* ---- what cannot be written ---- */

/* Whether a name means something else in the labels of an edge. */
static bool is_hidden(const struct edge *edge, const struct template *template,
                      const struct live_variable *variable) {
    const char *name = variable->symbol->name;
    for (uint32_t i = 0; i < edge->select_count; i++)
        if (!strcmp(edge->selects[i]->name, name)) return true;
    const struct symbol *own = frame_find(template->frame, name);
    return own != variable->symbol;
}

/* The cell behind the edge, in all processes that may take it. False if nothing is exchanged. */
static bool find_places(const struct normaliser *normaliser, const struct edge *edge,
                        const struct cell_at *cell, struct process_places *places) {
    const struct network *network = normaliser->session.network;
    uint32_t count = owner_count(normaliser, cell->variable);
    bool is_any = false;
    places->network = network;
    places->edge = edge;
    places->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct process *owner = owner_at(normaliser, cell->variable, i);
        const struct class_place *place = any_place_at(normaliser, cell, owner);
        if (!place ||
            (owner && !is_reached(normaliser, cell->variable->symbol, owner, edge->source)))
            continue;
        const struct slot *slot =
            &network->slots[slot_in(normaliser, cell->variable, owner, cell->offset)];
        struct process_place *own = &places->items[places->count++];
        *own = (struct process_place){owner, place, slot->lower, slot->upper, false};
        own->is_exchanged = classes_are_exchanged(normaliser->classes, edge, place);
        is_any |= own->is_exchanged;
    }
    return is_any;
}

static const char *normal_text(const struct normaliser *normaliser, const struct cell_at *cell,
                               const struct process_places *places) {
    const struct live_variable *variable = cell->variable;
    const struct type *type = cell_type(variable->symbol->type, variable->shape, cell->offset);
    struct arena *arena = normaliser->arena;
    return process_text(arena, places, cell_name(arena, cell), type->kind == TYPE_BOOL);
}

typedef void (*exchange_found)(struct normaliser *normaliser, const struct template *template,
                               const struct cell_at *cell, const struct process_places *places);

static void each_exchange_of(struct normaliser *normaliser, const struct template *template,
                             const struct edge *edge, exchange_found found) {
    const struct live *live = normaliser->live;
    struct process_places places;
    bool has_some = classes_have_exchange(normaliser->classes, edge);
    for (uint32_t i = 0; has_some && i < live->variable_count; i++) {
        struct cell_at cell = {.variable = &live->variables[i], .location = edge->target};
        const struct template *own = template_of(normaliser, cell.variable);
        if (own && own != template) continue;
        for (cell.offset = 0; cell.offset < cell.variable->shape->cell_count; cell.offset++)
            if (find_places(normaliser, edge, &cell, &places))
                found(normaliser, template, &cell, &places);
    }
}

static void each_exchange(struct normaliser *normaliser, exchange_found found) {
    const struct model *model = normaliser->session.model;
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t i = 0; i < model->templates[t]->edge_count; i++)
            each_exchange_of(normaliser, model->templates[t], &model->templates[t]->edges[i],
                             found);
}

/* What cannot be written for processes apart perhaps can for all of them together. */
static void keep_hidden(struct normaliser *normaliser, const struct template *template,
                        const struct cell_at *cell, const struct process_places *places) {
    uint32_t number = number_of(normaliser->live, cell->variable);
    bool has_name = !type_has_scalar(cell->variable->symbol->type); /* not behind such an index */
    if (!has_name || is_hidden(places->edge, template, cell->variable))
        normaliser->is_kept[number] = true;
    else if (normal_text(normaliser, cell, places))
        return;
    else if (owner_count(normaliser, cell->variable) > 1)
        normaliser->is_common[number] = true;
    else
        normaliser->is_kept[number] = true;
}

static void note_unwished(struct normaliser *normaliser, const struct template *template,
                          const struct cell_at *cell, const struct process_places *places) {
    const struct wishes *wishes = &normaliser->wishes;
    (void)template;
    (void)places;
    if (wishes->are_given && !wishes_have(wishes, cell->variable->symbol, cell->offset))
        normaliser->has_unwished = true;
}

static void note_written(struct normaliser *normaliser, const struct template *template,
                         const struct cell_at *cell, const struct process_places *places) {
    (void)template;
    (void)places;
    assert(cell->offset < MOST_CELLS);
    normaliser->is_written[number_of(normaliser->live, cell->variable)][cell->offset] = true;
}

/* How much was given up: values that are exchanged, and differences between processes. */
static uint32_t kept_count(const struct normaliser *normaliser) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < normaliser->live->variable_count; i++)
        count += normaliser->is_kept[i] + normaliser->is_common[i];
    return count;
}

static void set_common(struct normaliser *normaliser, bool is_common) {
    memset(normaliser->is_common, is_common,
           normaliser->live->variable_count * sizeof *normaliser->is_common);
}

/* The set holds as a whole (C3): a place that cannot be written leaves it, and all is asked anew.
 */
static bool find_classes(struct normaliser *normaliser) {
    for (uint32_t round = 0; round < MOST_ROUNDS; round++) {
        uint32_t before = kept_count(normaliser);
        bool had_unwished = normaliser->has_unwished;
        normaliser->classes =
            classes_part(&normaliser->session.arena, normaliser->analysis, normaliser->asked.items,
                         normaliser->asked.count, is_wanted, begins, is_common, normaliser);
        each_exchange(normaliser, keep_hidden);
        each_exchange(normaliser, note_unwished);
        assert(kept_count(normaliser) >= before); /* what is kept stays kept */
        if (kept_count(normaliser) == before && normaliser->has_unwished == had_unwished)
            return true;
        if (round == ROUNDS_APART) set_common(normaliser, true);
    }
    return false;
}

/* ---- the new model ---- */

/* The assignments at the end of one edge's update. */
struct additions {
    const struct template *template;
    const struct edge *edge;
    struct buffer text;
};

/* Whether the last line of a text has a comment to its end. */
static bool ends_in_comment(struct str text) {
    size_t begin = text.size;
    while (begin && text.data[begin - 1] != '\n') begin--;
    for (size_t i = begin; i + 1 < text.size; i++)
        if (text.data[i] == '/' && text.data[i + 1] == '/') return true;
    return false;
}

static void write_additions(struct normaliser *normaliser, struct additions *additions) {
    struct generator *generator = &normaliser->generator;
    const struct edge *edge = additions->edge;
    const struct element *element = edge->xml->element, *target = NULL, *behind = NULL;
    const struct element *label = find_label(element, "assignment");
    struct str old = label ? label->text.content : STR("");
    while (old.size && strchr(" \t\r\n", old.data[old.size - 1])) old.size--;
    const char *separator = ends_in_comment(old) ? "\n" : "";
    const char *text =
        arena_printf(normaliser->arena, "%.*s%s%s%s", (int)old.size, old.data, separator,
                     edge->updates.count ? ", " : "", additions->text.data);
    for (const struct element *child = element->first_child; child; child = child->next) {
        bool is_select = child == find_label(element, "select");
        if (!strcmp(child->name, "target")) target = behind = child;
        if (is_select && behind && child->end > behind->end) behind = child;
    }
    assert(target && additions->text.size); /* every edge has a target */
    struct edge_place *place =
        place_of_edge(generator->places, additions->template->xml, edge->xml);
    struct spot spot = label ? (struct spot){0, 0} : block_add(&place->block, 1);
    generate_label(generator, element, behind ? behind : target, "assignment", text, spot.x,
                   spot.y);
}

static void add_exchange(struct normaliser *normaliser, const struct template *template,
                         const struct cell_at *cell, const struct process_places *places) {
    struct additions *additions = normaliser->additions;
    const char *value = normal_text(normaliser, cell, places);
    assert(additions->template == template && additions->edge == places->edge);
    assert(value); /* where there is none, the variable is kept */
    buffer_printf(&additions->text, "%s%s = %s", additions->text.size ? ", " : "",
                  cell_name(normaliser->arena, cell), value);
}

static void write_template(struct normaliser *normaliser, const struct template *template) {
    for (uint32_t i = 0; i < template->edge_count; i++) {
        struct additions additions = {.template = template, .edge = &template->edges[i]};
        normaliser->additions = &additions;
        each_exchange_of(normaliser, template, additions.edge, add_exchange);
        if (additions.text.size) write_additions(normaliser, &additions);
        buffer_close(&additions.text);
    }
}

/* ---- what is said of it ---- */

static const char *owned_name(const struct normaliser *normaliser, const struct cell_at *cell) {
    const struct live_variable *variable = cell->variable;
    const char *name = cell_name(normaliser->arena, cell);
    if (!variable->template) return name;
    return arena_printf(normaliser->arena, "%s.%s", variable->template->symbol->name, name);
}

static void copy_values(struct normaliser *normaliser, const struct class_place *place,
                        struct normal_place *entry) {
    int32_t *values = ARENA_ARRAY(normaliser->arena, int32_t, entry->count + 1);
    int32_t *normal = ARENA_ARRAY(normaliser->arena, int32_t, entry->count + 1);
    for (uint32_t i = 0; i < entry->count; i++) {
        values[i] = value_set_at(place->values, i);
        normal[i] = place_normal(place, values[i]);
        assert(place_normal(place, normal[i]) == normal[i]); /* it stands for itself */
    }
    entry->values = values;
    entry->normal = normal;
}

/* Names of all processes that share the places of an owner. */
static void add_processes(struct normaliser *normaliser, const struct process *owner,
                          struct normal_place *entry) {
    const struct network *network = normaliser->session.network;
    for (uint32_t p = owner->index; p < network->process_count; p++)
        if (normaliser->sharing->of_arguments[p] == owner->index)
            VEC_PUSH(normaliser->arena, &entry->processes,
                     arena_printf(normaliser->arena, "%s", network->processes[p].name));
}

static void list_place(struct normaliser *normaliser, const struct cell_at *cell,
                       const struct process_places *places, uint64_t members) {
    const struct template *template = template_of(normaliser, cell->variable);
    struct arena *arena = normaliser->arena;
    const struct class_place *place = NULL;
    struct normal_place entry = {.variable = owned_name(normaliser, cell)};
    bool is_all = members == (UINT64_C(1) << places->count) - 1;
    for (uint32_t i = places->count; i-- > 0;)
        if (members >> i & 1) place = places->items[i].place;
    for (uint32_t i = 0; i < places->count && !is_all; i++)
        if (members >> i & 1) add_processes(normaliser, places->items[i].process, &entry);
    assert(place && place_is_merged(place));
    entry.is_one = place->is_one;
    entry.representative = place->representative;
    entry.lower = place->values->lower;
    entry.upper = place->values->upper;
    entry.count = (uint32_t)value_set_size(place->values);
    assert(entry.lower < entry.upper);
    if (entry.count <= MOST_PARTED) copy_values(normaliser, place, &entry);
    if (template)
        entry.location = arena_printf(arena, "%s", template->locations[cell->location].name);
    if (template && !cell->variable->template)
        entry.template = arena_printf(arena, "%s", template->symbol->name);
    VEC_PUSH(arena, &normaliser->normal->places, entry);
}

/* Whether the same values stand for the same ones. */
static bool does_same(const struct class_place *left, const struct class_place *right) {
    if (left == right) return true;
    if (left->is_one || right->is_one)
        return left->is_one == right->is_one && left->representative == right->representative;
    uint64_t count = value_set_size(left->values);
    bool is_large = count > MOST_PARTED; /* each value is a class */
    for (uint64_t i = 0; i < count && !is_large; i++) {
        int32_t value = value_set_at(left->values, i);
        if (place_normal(left, value) != place_normal(right, value)) return false;
    }
    return true;
}

/* An entry for all processes that have the same classes. */
static void list_cell(struct normaliser *normaliser, const struct cell_at *cell) {
    struct process_places places = {.count = 0};
    uint32_t count = owner_count(normaliser, cell->variable);
    uint64_t listed = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct process *owner = owner_at(normaliser, cell->variable, i);
        const struct class_place *place = any_place_at(normaliser, cell, owner);
        if (place && place->is_open &&
            (!owner || is_reached(normaliser, cell->variable->symbol, owner, cell->location)))
            places.items[places.count++] = (struct process_place){.process = owner, .place = place};
    }
    for (uint32_t i = 0; i < places.count; i++) {
        uint64_t members = 0;
        for (uint32_t k = i; k < places.count; k++)
            if (does_same(places.items[i].place, places.items[k].place))
                members |= UINT64_C(1) << k;
        if (!(listed >> i & 1) && place_at(normaliser, cell, places.items[i].process))
            list_place(normaliser, cell, &places, members);
        listed |= members;
    }
}

/* A variable whose values have become those that stand for others. */
static bool is_exchanged(const struct normaliser *normaliser,
                         const struct live_variable *variable) {
    struct cell_at cell = {.variable = variable};
    uint32_t locations = place_count(normaliser, variable);
    uint32_t owners = owner_count(normaliser, variable);
    for (; cell.offset < variable->shape->cell_count; cell.offset++)
        for (cell.location = 0; cell.location < locations; cell.location++)
            for (uint32_t i = 0; i < owners; i++)
                if (place_at(normaliser, &cell, owner_at(normaliser, variable, i))) return true;
    return false;
}

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
static void find_losses(struct normaliser *normaliser) {
    const struct model *model = normaliser->session.model;
    for (uint32_t i = 0; i < model->query_count; i++) {
        struct name_search search = {.normaliser = normaliser};
        const struct query *query = &model->queries[i];
        if (is_observed(normaliser, query)) continue;
        walk_expr(query->predicate, find_exchanged, &search);
        for (uint32_t k = 0; k < query->expr_count; k++)
            walk_expr(query->exprs[k], find_exchanged, &search);
        if (search.found)
            VEC_PUSH(normaliser->arena, &normaliser->normal->losses,
                     (struct normal_loss){i, search.found});
    }
}

/* ---- what was wished for ---- */

struct wish_look {
    const struct wish *wish;
    bool is_meant, is_open, is_merged, is_refused; /* somewhere */
};

static void look_at_wished(const struct normaliser *normaliser, struct wish_look *look,
                           const struct cell_at *cell, const struct process *owner) {
    const struct wish *wish = look->wish;
    const struct symbol *symbol = cell->variable->symbol;
    const struct class_place *place = any_place_at(normaliser, cell, owner);
    if (!owner) owner = home_of(normaliser, cell->variable);
    struct wish_place at = {
        normaliser->session.network,  symbol, cell->offset, owner, cell->location,
        firsts_of(normaliser, symbol)};
    if (!place || wish_for(&normaliser->wishes, &at) != wish) return;
    look->is_meant = true;
    look->is_open |= place->is_open;
    look->is_merged |= place->is_open && place_is_merged(place);
    look->is_refused |= wish_is_refused(wish, place);
}

static void look_at_wish(const struct normaliser *normaliser, struct wish_look *look) {
    struct cell_at cell = {.variable = look->wish->variable};
    uint32_t locations = place_count(normaliser, cell.variable);
    uint32_t owners = owner_count(normaliser, cell.variable);
    for (; cell.offset < cell.variable->shape->cell_count; cell.offset++)
        for (cell.location = 0; cell.location < locations; cell.location++)
            for (uint32_t i = 0; i < owners; i++)
                look_at_wished(normaliser, look, &cell, owner_at(normaliser, cell.variable, i));
}

/* Of a variable wherever it is, with all of its values, whatever can be exchanged is wished for. */
static void find_refusals(struct normaliser *normaliser, bool is_found) {
    for (uint32_t i = 0; i < normaliser->wishes.list.count; i++) {
        const struct wish *wish = &normaliser->wishes.list.items[i];
        const struct spec_exchange *exchange = wish->exchange;
        struct wish_look look = {.wish = wish};
        if (is_found) look_at_wish(normaliser, &look);
        bool is_any = !exchange->has_classes && wish->location == EVERY_LOCATION;
        bool is_elsewhere = exchange->template.begin && !look.is_meant;
        if (is_found && !is_elsewhere &&
            !(is_any ? look.is_open && !look.is_merged : look.is_refused))
            continue;
        const char *name = exchange->variable.content.data;
        struct normal_refusal refusal = {
            exchange->variable.begin,
            is_found && is_elsewhere
                ? arena_printf(normaliser->arena,
                               "no value of '%s' is exchanged: that depends on the locations of a "
                               "process only where no other one names the variable",
                               name)
            : is_any || !is_found
                ? arena_printf(normaliser->arena,
                               "no value of '%s' is exchanged: each makes a difference for a step "
                               "or a query, or it takes too much to find out",
                               name)
                : arena_printf(normaliser->arena,
                               "not all these values of '%s' are exchanged for one: some make a "
                               "difference for a step or a query",
                               name)};
        VEC_PUSH(normaliser->arena, &normaliser->normal->refusals, refusal);
    }
}

/* ---- all of it ---- */

static void take_formula(struct normaliser *normaliser, const struct query *query) {
    if (query->quantifier == QUERY_FORMULA)
        VEC_PUSH(&normaliser->session.arena, &normaliser->formulas, *query);
}

/* Of operators in each other and of knowledge (K4), all that they name counts as it is; of other
 * queries, what they ask of a state. */
static bool open_model(struct normaliser *normaliser, struct str model,
                       const struct query_source *queries, uint32_t query_count) {
    struct session *session = &normaliser->session;
    struct observed *observed = &normaliser->observed;
    if (!session_load_bytes(session, "model", model) ||
        !session_build_observed(session, queries, query_count, observed))
        return false;
    for (uint32_t i = 0; i < observed->count; i++)
        if (observed->items[i].quantifier == QUERY_INVALID) return false;
    const struct model *own = session->model;
    for (uint32_t i = 0; i < observed->count; i++) take_formula(normaliser, &observed->items[i]);
    for (uint32_t i = 0; i < own->query_count && query_count; i++)
        take_formula(normaliser, &own->queries[i]);
    normaliser->live = live_new(&session->arena, session->network, normaliser->formulas.items,
                                normaliser->formulas.count);
    uint32_t count = normaliser->live->variable_count + 1;
    normaliser->is_kept = ARENA_ARRAY(&session->arena, bool, count);
    normaliser->is_common = ARENA_ARRAY(&session->arena, bool, count);
    find_owners(normaliser);
    normaliser->is_written = arena_alloc(&session->arena, count * sizeof *normaliser->is_written);
    return true;
}

static void write_model(struct normaliser *normaliser) {
    struct session *session = &normaliser->session;
    struct generator *generator = &normaliser->generator;
    *generator = (struct generator){.arena = normaliser->arena,
                                    .document = &session->document,
                                    .places = places_new(normaliser->arena)};
    splices_init(&generator->splices, &session->document, normaliser->arena);
    for (uint32_t t = 0; t < session->model->template_count; t++)
        write_template(normaliser, session->model->templates[t]);
    for (uint32_t i = 0; i < normaliser->normal->losses.count; i++) {
        const struct normal_loss *loss = &normaliser->normal->losses.items[i];
        generate_lost_query(generator, &session->model->queries[loss->query], loss->variable,
                            "keeps what other queries ask for only");
    }
    normaliser->normal->output = splices_apply(&generator->splices);
}

struct normaliser *normaliser_new(struct arena *arena, struct str model,
                                  const struct query_source *queries, uint32_t query_count,
                                  const struct analysis_options *options) {
    struct normaliser *normaliser = ARENA_NEW(arena, struct normaliser);
    *normaliser = (struct normaliser){.arena = arena, .are_given = query_count > 0};
    if (open_model(normaliser, model, queries, query_count))
        normaliser->analysis = analyse_values(normaliser, options);
    if (normaliser->analysis) return normaliser;
    normaliser_free(normaliser);
    return NULL;
}

bool normaliser_wish(struct normaliser *normaliser, const struct spec *spec, struct diag *diag) {
    return wishes_read(&normaliser->wishes, spec, normaliser->live, &normaliser->session.arena,
                       diag);
}

void normaliser_free(struct normaliser *normaliser) {
    if (normaliser) session_drop(&normaliser->session);
}

const struct observed *normaliser_queries(const struct normaliser *normaliser) {
    return &normaliser->observed;
}

void normaliser_run(struct normaliser *normaliser, const bool *is_asked, struct normal *normal) {
    *normal = (struct normal){.output = {0}};
    normaliser->normal = normal;
    normaliser->is_asked = is_asked;
    normaliser->has_unwished = false;
    normaliser->asked.count = 0;
    memset(normaliser->is_kept, 0, normaliser->live->variable_count * sizeof *normaliser->is_kept);
    set_common(normaliser, false);
    for (uint32_t i = 0; i < normaliser->observed.count; i++) {
        const struct query *query = &normaliser->observed.items[i];
        if ((!is_asked || is_asked[i]) && query->quantifier != QUERY_FORMULA)
            VEC_PUSH(&normaliser->session.arena, &normaliser->asked, *query);
    }
    memset(normaliser->is_written, 0,
           normaliser->live->variable_count * sizeof *normaliser->is_written);
    bool is_found = find_classes(normaliser);
    if (is_found) each_exchange(normaliser, note_written);
    if (is_found) each_cell(normaliser, list_cell);
    find_refusals(normaliser, is_found);
    if (!normal->places.count) return;
    if (normaliser->are_given || is_asked) find_losses(normaliser);
    write_model(normaliser);
}

static bool are_same_processes(const struct normal_place *left, const struct normal_place *right) {
    if (left->processes.count != right->processes.count) return false;
    for (uint32_t i = 0; i < left->processes.count; i++)
        if (strcmp(left->processes.items[i], right->processes.items[i]) != 0) return false;
    return true;
}

static bool is_same_place(const struct normal_place *left, const struct normal_place *right) {
    size_t size = left->count * sizeof *left->values;
    if (strcmp(left->variable, right->variable) != 0 || !left->location != !right->location ||
        (left->location && strcmp(left->location, right->location) != 0) ||
        !are_same_processes(left, right) || left->is_one != right->is_one ||
        left->count != right->count)
        return false;
    if (left->is_one) return left->representative == right->representative;
    return !memcmp(left->values, right->values, size) && !memcmp(left->normal, right->normal, size);
}

bool normal_is_same(const struct normal *left, const struct normal *right) {
    if (left->places.count != right->places.count) return false;
    for (uint32_t i = 0; i < left->places.count; i++)
        if (!is_same_place(&left->places.items[i], &right->places.items[i])) return false;
    return true;
}

void normal_apply(const struct normal *normal, struct abstraction *abstraction, struct diag *diag) {
    const struct model *model = abstraction->network->model;
    for (uint32_t i = 0; i < normal->refusals.count; i++)
        diag_warning(diag, normal->refusals.items[i].at, "%s", normal->refusals.items[i].text);
    if (!normal->places.count) return;
    assert(normal->output.size); /* where places changed, it was written */
    abstraction->output = normal->output;
    abstraction->has_exchanges = true;
    for (uint32_t i = 0; i < normal->losses.count; i++) {
        const struct normal_loss *loss = &normal->losses.items[i];
        assert(loss->query < model->query_count);
        const struct query *query = &model->queries[loss->query];
        const char *text = query->xml->formula->text.content.data;
        VEC_PUSH(abstraction->arena, &abstraction->dropped_queries, loss->query);
        VEC_PUSH(abstraction->arena, &abstraction->dropped_entries,
                 (struct dropped_entry){query->span, "query", text, loss->variable});
        diag_warning(diag, query->span.begin,
                     "this query names '%s', which keeps what --query asks for only: its formula "
                     "moves into its comment",
                     loss->variable);
    }
}
